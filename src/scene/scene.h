/* The checked scene: what a YAML or JSON file means, in SI units, with defaults filled in.
 *
 * Everything right of this module reads these structs and never YAML. Each member corresponds to one row of the key
 * table (scene/keys.c), which also makes docs/scene-reference.md. All memory belongs to the scene. */
#ifndef BL_SCENE_SCENE_H
#define BL_SCENE_SCENE_H

#include "base/context.h"
#include "base/text.h"
#include "base/vec3.h"
#include "beadlet/scene.h"

/* Where something was written. file is NULL for defaults and "--set" for overrides. */
typedef struct bl_pos {
    const char *file;
    int line, column; /* from 1 */
} bl_pos;

/* A value over time: piecewise linear between keyframes, constant outside. A plain number is one keyframe. */
typedef struct bl_curve {
    int count; /* 0: not given */
    int width; /* 1 or 3 numbers a keyframe */
    double *times;
    double *values; /* count x width */
} bl_curve;
double bl_curve_at(const bl_curve *curve, double time);    /* width 1; NaN if not given */
bl_vec3d bl_curve_at3(const bl_curve *curve, double time); /* width 3 */
/* The integral from time 0; 0 if not given. It depends on its arguments alone, to the bit. */
double bl_curve_integral(const bl_curve *curve, double time);
bl_vec3d bl_curve_integral3(const bl_curve *curve, double time);
/* The largest magnitude within [from, to], and of the slope there; 0 if not given. */
double bl_curve_largest(const bl_curve *curve, double from, double to);
double bl_curve_steepest(const bl_curve *curve, double from, double to);
bool bl_curve_is_constant(const bl_curve *curve);

/* Shapes form a tree. A shape's own frame is placed by scale, then rotate, then translate. */
typedef enum bl_shape_kind {
    BL_SHAPE_BOX,        /* min, max */
    BL_SHAPE_SPHERE,     /* center, radius (a disc in 2D) */
    BL_SHAPE_ELLIPSOID,  /* center, radii */
    BL_SHAPE_CYLINDER,   /* from, to, radius */
    BL_SHAPE_CAPSULE,    /* from, to, radius */
    BL_SHAPE_TORUS,      /* center, axis, major, minor */
    BL_SHAPE_PLANE,      /* point, normal, size: a sheet, for boundaries only */
    BL_SHAPE_HALF_SPACE, /* point, normal (outward): the side the normal points away from */
    BL_SHAPE_MESH,       /* file, scale */
    BL_SHAPE_UNION,
    BL_SHAPE_INTERSECTION,
    BL_SHAPE_DIFFERENCE /* the first child minus all others */
} bl_shape_kind;

typedef struct bl_shape bl_shape;
struct bl_shape {
    bl_shape_kind kind;
    bl_pos pos;
    bl_vec3d a, b;   /* min/max, center/radii, from/to, center/axis, point/normal */
    double radius;   /* radius, major radius; plane: edge length of the square sheet, 0 = chosen from the fluids */
    double radius2;  /* minor radius */
    char *file;      /* mesh, resolved against the scene file's folder */
    bl_vec3d scale;  /* default 1 1 1 */
    bl_vec3d rotate; /* axis times angle in radians */
    bl_vec3d translate;
    int child_count;
    bl_shape *children;
};

typedef enum bl_filling { BL_FILL_LATTICE, BL_FILL_HEXAGONAL, BL_FILL_JITTERED } bl_filling;

/* One entry of a fluid's `volumes`. */
typedef struct bl_volume {
    bl_shape shape;
    bl_pos pos;
    bl_vec3d velocity, angular_velocity; /* the latter about the volume's centre of mass */
    bl_filling filling;
    double jitter; /* largest displacement, in spacings; default 0.1 for jittered */
    uint64_t seed;
} bl_volume;

typedef struct bl_fluid {
    char *name;
    bl_pos pos;
    double density;           /* kg/m^3 */
    double viscosity;         /* Pa s */
    bl_curve surface_tension; /* gamma_FV, N/m */
    bl_curve fluid_fluid;     /* gamma_FF, N/m; default 0 */
    bl_curve fluid_boundary;  /* gamma_FB, N/m; default 0 */
    bl_curve friction;        /* Coulomb coefficient on every wall; default: that of the wall */
    bl_vec3d color;           /* for pictures, 0..1 */
    char *appearance;         /* likewise: "auto" (by the name), "water", "mercury", ... */
    int volume_count;
    bl_volume *volumes;
} bl_fluid;

/* A boundary that bends: the solid of Peer et al. 2018 (schemes/elastic). */
typedef struct bl_elastic_def {
    bool given;
    double density;        /* kg/m^3 */
    double youngs_modulus; /* Pa */
    double poisson_ratio;
    int fixed_count; /* what lies in one of these moves as the boundary is told to, the rest as forces move it */
    bl_shape *fixed;
    double stabilization; /* stiffness against modes that cost no strain, over the shear modulus */
    double tolerance;     /* relative residual of the solver */
    int max_iterations;
} bl_elastic_def;

/* A boundary that keeps its shape and moves by forces (src/rigid). Its velocities are those at time 0. */
typedef struct bl_rigid_def {
    bool given;
    double density;   /* kg/m^3, of the solid that the shapes are; or */
    double mass;      /* kg (kg/m in 2D), spread evenly over that solid */
    bool locked[3];   /* directions its centre of mass does not move in */
    bool turns;       /* default true */
    bl_vec3d axis;    /* it turns about this direction only; zero: about any */
    bool hinged;      /* its pivot stays where it is */
    double friction;  /* Coulomb coefficient of its contact with other solids */
    double tolerance; /* of the coupling with the liquid, in spacings a step */
    int max_passes;   /* solves of the liquid a step, at most */
} bl_rigid_def;

/* One boundary body. Either contact_angle or the two energies is given, or neither (90 degrees). */
typedef struct bl_boundary {
    char *name;
    bl_pos pos;
    bl_curve contact_angle;  /* radians */
    bl_curve boundary_vapor; /* gamma_BV, N/m */
    bl_curve boundary_fluid; /* gamma_BF, N/m */
    int contact_fluid;       /* index of the fluid whose surface tension the angle refers to; default 0 */
    bl_curve friction;       /* Coulomb coefficient; default 0 */
    bl_curve viscosity;      /* Pa s, of the wall's drag; not given: the fluid's own (no slip) */
    int layers;              /* particle layers; 0: not given, which is 3 (geometry.h) */
    bl_vec3d color;
    char *appearance;          /* for pictures: "auto" (by the name), "glass", "steel", ... */
    bl_curve velocity;         /* m/s, width 3; kinematic motion; default 0 */
    bl_curve angular_velocity; /* rad/s, width 3, about `pivot` */
    bl_vec3d pivot;
    bl_curve shift;    /* m, width 3: displacement over time, besides what `velocity` adds up to; may be absent */
    bl_curve turn;     /* rad, width 3: rotation vector about `pivot`; may be absent */
    bl_vec3d swing;    /* amplitude of an oscillation, m */
    double frequency;  /* of it, Hz */
    double phase;      /* rad */
    char *motion_file; /* where shift and turn came from; NULL: from the scene */
    bl_elastic_def elastic;
    bl_rigid_def rigid;
    int shape_count;
    bl_shape *shapes;
} bl_boundary;

/* A nozzle: liquid that comes out of a disc, a rectangle or the surface of shapes, row by row. */
typedef struct bl_emitter {
    char *name;
    bl_pos pos;
    int fluid; /* index; default 0 */
    bl_vec3d center, direction;
    bl_vec3d up;          /* of a rectangle: the direction of `height`; zero: chosen */
    double radius;        /* of a disc; 0: none */
    double width, height; /* of a rectangle; 0: none */
    int shape_count;      /* or: the surface of these, along its normals */
    bl_shape *shapes;
    bl_curve speed;     /* m/s; or */
    bl_curve rate;      /* m^3/s */
    bl_curve velocity;  /* of the nozzle itself, m/s */
    bl_filling filling; /* of a row: lattice or hexagonal */
    double start, stop; /* s; stop 0: never */
} bl_emitter;

/* Drops at random over a box. */
typedef struct bl_rain {
    char *name;
    bl_pos pos;
    int fluid;
    bl_vec3d min, max; /* where their centres appear */
    bl_curve rate;     /* drops a second */
    double radius;     /* mean, m */
    double spread;     /* standard deviation of the radius over its mean */
    bl_curve velocity; /* m/s; not given: terminal velocity in air, along gravity */
    uint64_t seed;
    double start, stop;
} bl_rain;

/* Drop after drop from a head that moves, or onto the marks of a bitmap. */
typedef struct bl_printer {
    char *name;
    bl_pos pos;
    int fluid;
    bl_curve position; /* of the head, m */
    char *bitmap;      /* lines of text; NULL: none */
    double pitch;      /* distance of the bitmap's marks, m */
    bl_vec3d right, down;
    bl_curve rate; /* drops a second */
    double radius;
    bl_vec3d velocity;
    double start, stop;
} bl_printer;

/* Where liquid is taken out of the world. */
typedef struct bl_sink {
    char *name;
    bl_pos pos;
    int shape_count;
    bl_shape *shapes;
    double start, stop;
} bl_sink;

typedef enum bl_scheme_name {
    BL_SCHEME_UNIFIED,
    BL_SCHEME_BALLISTIC,
    BL_SCHEME_AKINCI2013,
    BL_SCHEME_YANG2016,
    BL_SCHEME_PBST2022,
    BL_SCHEME_HYDE2020
} bl_scheme_name;
typedef enum bl_accelerator { BL_ACCEL_JACOBI, BL_ACCEL_NNCG } bl_accelerator;
typedef enum bl_criterion { BL_CRITERION_SCALED, BL_CRITERION_PAPER } bl_criterion;
typedef enum bl_order { BL_ORDER_UNIFIED, BL_ORDER_TENSION_FIRST, BL_ORDER_PRESSURE_FIRST } bl_order;
typedef enum bl_calibration { BL_CALIBRATION_PHYSICAL, BL_CALIBRATION_PAPER } bl_calibration;
/* A scene that was read has one of the first two. */
typedef enum bl_kernel_family { BL_KERNELS_CUBIC, BL_KERNELS_SMOOTH, BL_KERNELS_AUTO } bl_kernel_family;
/* What the tension of `unified` is made of; auto: see wants_field (schemes/unified/tension.c). */
typedef enum bl_interface_model { BL_INTERFACE_PARTICLES, BL_INTERFACE_FIELD, BL_INTERFACE_AUTO } bl_interface_model;
typedef enum bl_friction_solver { BL_FRICTION_EXACT, BL_FRICTION_RELAXED } bl_friction_solver;
typedef enum bl_viscosity_model { BL_VISCOSITY_EXPLICIT, BL_VISCOSITY_WEILER2018 } bl_viscosity_model;

typedef struct bl_scheme_def {
    bl_scheme_name name;
    bl_accelerator accelerator;         /* default nncg */
    bl_criterion criterion;             /* default scaled */
    bl_order order;                     /* default unified */
    bl_calibration calibration;         /* default physical */
    bool tension_given, adhesion_given; /* else the method's default */
    double tension, adhesion;           /* of a method's paper, with its calibration */
    bl_kernel_family kernel;            /* default auto: smooth in 3D with the physical calibration */
    bl_interface_model interface;       /* default auto */
    bl_friction_solver friction;        /* default exact */
    double tolerance;                   /* mean volume error in compression; default 0.1 % */
    double tension_tolerance;           /* mean residual displacement of the tension force, in spacings; default 1e-5 */
    double friction_tolerance;          /* likewise for friction; default 1e-5 */
    int min_iterations, max_iterations; /* defaults 2 and 200 */
    double relaxation;                  /* default 0.5 */
    bool warm_start;
    double warm_share;            /* of the last pressure in the mean a solve starts from; default 0.03 */
    bool pairwise;                /* S = 1 everywhere: the pairwise model the paper compares with; default false */
    bl_viscosity_model viscosity; /* default weiler2018 */
    double viscosity_tolerance;   /* default 1e-4, relative residual */
    int viscosity_max_iterations; /* default 100 */
} bl_scheme_def;

typedef struct bl_time_def {
    double end;               /* s */
    double max_step;          /* s; 0: only the limits below */
    double min_step;          /* s; below it the run counts as diverged; default 1e-4 of the first step limit (0) */
    double fixed_step;        /* s; 0: adaptive */
    double frames_per_second; /* default 50 */
    double cfl;               /* default 0.4 */
    double force_factor;      /* default 0.25: dt <= factor sqrt(h/a) */
    double pressure_factor;   /* default 0.35: dt <= factor h sqrt(rho/p) */
    double capillary_factor;  /* default 0.4: dt <= factor sqrt(rho h^3/gamma) (paper) */
    double correction_share;  /* of a compression that one step mends; default 0.2 */
    double correction_speed;  /* limit on the speed at which an initial overlap is pushed apart, in h/dt; default 0.1 */
    int relax_steps;          /* steps without inertia, before time starts, that settle the filling; default 40 */
    long long max_steps;      /* 0: no limit */
} bl_time_def;

typedef enum bl_outside { BL_OUTSIDE_FAIL, BL_OUTSIDE_REMOVE } bl_outside;
typedef struct bl_domain_def {
    bool periodic[3];
    bl_vec3d min, max;
    bool bounded;       /* min/max were given */
    bl_outside outside; /* what becomes of particles that leave; default fail */
} bl_domain_def;

typedef enum bl_frame_format { BL_FORMAT_VTU = 1, BL_FORMAT_PLY = 2, BL_FORMAT_VTKHDF = 4 } bl_frame_format;
typedef struct bl_output_def {
    unsigned formats;     /* bits of bl_frame_format; default VTU */
    bool base64;          /* VTU payload; default raw appended */
    bool boundaries;      /* write boundary particles too; default true (static ones: first frame only) */
    int checkpoint_every; /* frames; default 10 */
    int keep_checkpoints; /* default 3 */
} bl_output_def;

typedef struct bl_camera_def { /* all optional; *_given says so */
    bl_curve position, target, up;
    double field_of_view; /* radians, vertical; default 35 deg */
    double aperture;      /* m; 0: pinhole */
    double focus;         /* m; 0: the target */
} bl_camera_def;

typedef struct bl_look_def {
    char *background; /* "studio", "sky", "white", "black" */
    bool ground;      /* draw a ground plane where no boundary is */
    double exposure;  /* default 1 */
} bl_look_def;

struct bl_scene {
    bl_context *ctx;
    struct bl_arena *memory; /* everything the pointers below lead to */
    char *path;              /* of the scene file */
    char *name;
    int dimension;  /* 2 or 3 */
    double spacing; /* h, m */
    bl_curve gravity;
    uint64_t seed;
    bl_time_def time;
    bl_scheme_def scheme;
    bl_domain_def domain;
    bl_output_def output;
    bl_camera_def camera;
    bl_look_def look;
    int fluid_count;
    bl_fluid *fluids;
    int boundary_count;
    bl_boundary *boundaries;
    int emitter_count;
    bl_emitter *emitters;
    int rain_count;
    bl_rain *rain;
    int printer_count;
    bl_printer *printers;
    int sink_count;
    bl_sink *sinks;
};

/* A message about a place in the scene from a module to the right (an empty fluid, an unreadable mesh): formats like
 * the reader's own errors, `file:line:col: error: ...`. Returns BL_ERR_DATA (or `status`). */
bl_status bl_scene_fail(bl_context *ctx, bl_status status, bl_pos pos, const char *fmt, ...) BL_PRINTF(4, 5);
void bl_scene_warn(bl_context *ctx, bl_pos pos, const char *fmt, ...) BL_PRINTF(3, 4);

/* The resolved scene (every key, SI, defaults filled in) as a JSON object; goes into run.json. Loading that text
 * again with bl_scene_load_text gives the same scene. */
void bl_scene_write_json(const bl_scene *scene, bl_json *json, const char *key);

#endif
