/* Physical units: "72.8 mN/m" to SI, with the dimension checked against what a key wants. */
#ifndef BL_SCENE_UNITS_H
#define BL_SCENE_UNITS_H

#include <stdbool.h>
#include <stddef.h>

enum { BL_POWER_LENGTH, BL_POWER_MASS, BL_POWER_TIME, BL_POWER_ANGLE, BL_POWERS };

/* factor * 10^exponent is the size in SI units. The power of ten is kept apart so that 72.8 mN/m is read as the double
 * nearest to 0.0728, not as a product that is off by a bit. */
typedef struct bl_unit {
    double factor;
    int exponent;
    int powers[BL_POWERS];
} bl_unit;

/* What a key measures. */
typedef enum bl_dim {
    BL_DIM_NONE,
    BL_DIM_LENGTH,
    BL_DIM_TIME,
    BL_DIM_RATE,
    BL_DIM_DENSITY,
    BL_DIM_VISCOSITY,
    BL_DIM_TENSION,
    BL_DIM_VELOCITY,
    BL_DIM_ACCELERATION,
    BL_DIM_ANGLE,
    BL_DIM_ANGULAR_VELOCITY,
    BL_DIM_FLOW,
    BL_DIM_PRESSURE,
    BL_DIM_MASS,
    BL_DIM_COUNT
} bl_dim;

typedef struct bl_dim_info {
    const char *name;    /* "a pressure times time" */
    const char *example; /* "mPa s"; "" for a plain number */
    const char *si;      /* "Pa s" */
    int powers[BL_POWERS];
} bl_dim_info;
const bl_dim_info *bl_dim_describe(bl_dim dim);

bl_unit bl_unit_none(void);
/* Read a product, quotient or power of unit names: "kg/m^3", "mPa s", "1/s". On failure *bad_at and *bad_size tell
 * the part that is not a unit. */
bool bl_unit_parse(const char *text, size_t size, bl_unit *out, size_t *bad_at, size_t *bad_size);
bool bl_unit_fits(const bl_unit *unit, bl_dim dim);

/* Length of the decimal number at the start of text (sign, digits, point, exponent); 0 if there is none. */
size_t bl_number_length(const char *text, size_t size);
/* The number text[0..size) times the unit, in SI. The text is one that bl_number_length has measured. */
double bl_number_value(const char *text, size_t size, const bl_unit *unit);

#endif
