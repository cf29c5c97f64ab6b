/* What a step reports, one row of series.csv a step. X(name, unit, meaning), in column order. */
#ifndef BL_SCHEMES_OBSERVATION_H
#define BL_SCHEMES_OBSERVATION_H

/* clang-format off */
#define BL_OBSERVATIONS(X) \
    X(step,                 "1",        "number of the step, from 1") \
    X(time,                 "s",        "time at the end of the step") \
    X(dt,                   "s",        "length of the step") \
    X(iterations,           "1",        "iterations of the solver") \
    X(viscosity_iterations, "1",        "iterations of the viscosity solver") \
    X(elastic_iterations,   "1",        "iterations of the solver of elastic bodies") \
    X(rigid_passes,         "1",        "solves of the liquid until rigid bodies and liquid agreed") \
    X(rigid_residual,       "h",        "by how far they did not, at last, at a point of a body") \
    X(residual_volume,      "1",        "mean volume error in compression at the last iteration") \
    X(residual_tension,     "h",        "mean residual of the tension force as a displacement dt^2/(m h)") \
    X(residual_friction,    "h",        "mean residual of the friction force as a displacement") \
    X(energy_kinetic,       "J",        "kinetic energy (per metre of depth in 2D, as all below)") \
    X(energy_potential,     "J",        "potential energy in gravity") \
    X(energy_fv,            "J",        "interface energy fluid-vapour") \
    X(energy_ff,            "J",        "interface energy fluid-fluid") \
    X(energy_fb,            "J",        "interface energy fluid-boundary") \
    X(energy_bv,            "J",        "interface energy boundary-vapour") \
    X(energy_bf,            "J",        "interface energy boundary-fluid") \
    X(energy_elastic,       "J",        "energy of the strain of elastic bodies") \
    X(momentum_x,           "kg m/s",   "linear momentum") \
    X(momentum_y,           "kg m/s",   "") \
    X(momentum_z,           "kg m/s",   "") \
    X(angular_x,            "kg m^2/s", "angular momentum about the origin") \
    X(angular_y,            "kg m^2/s", "") \
    X(angular_z,            "kg m^2/s", "") \
    X(center_x,             "m",        "centre of mass") \
    X(center_y,             "m",        "") \
    X(center_z,             "m",        "") \
    X(speed_max,            "m/s",      "largest particle speed") \
    X(volume_error_mean,    "1",        "mean compression max(0, density/rest density - 1)") \
    X(volume_error_max,     "1",        "largest compression") \
    X(contact_load,         "N",        "sum of the normal forces' magnitudes between fluid and boundaries") \
    X(contact_friction,     "N",        "magnitude of the sum of friction forces") \
    X(radius,               "m",        "radius of a ball (disc) of the fluid's volume") \
    X(core_pressure,        "Pa",       "mean of both virials near the centre of mass") \
    X(fluid_particles,      "1",        "fluid particles") \
    X(emitted,              "1",        "particles that appeared since the start") \
    X(removed,              "1",        "particles that were taken away since the start") \
    X(boundary_particles,   "1",        "boundary particles") \
    X(wall_ms,              "ms",       "wall-clock time of the step")
/* clang-format on */

typedef struct bl_observation {
#define X(name, unit, doc) double name;
    BL_OBSERVATIONS(X)
#undef X
} bl_observation;

#endif
