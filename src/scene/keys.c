/* The keys of a scene except those of shapes (keys_shape.c). */
#include "scene/keys.h"

#include "scene/check.h"

#include <string.h>

#define PI 3.14159265358979323846

static const char *const friction_solvers[] = {"exact", "relaxed", NULL};
static const char *const accelerators[] = {"jacobi", "nncg", NULL};
static const char *const criteria[] = {"scaled", "paper", NULL};
static const char *const orders[] = {"unified", "tension_first", "pressure_first", NULL};
static const char *const calibrations[] = {"physical", "paper", NULL};
static const char *const interfaces[] = {"particles", "field", "auto", NULL};
static const char *const kernels[] = {"cubic", "smooth", "auto", NULL};
static const char *const viscosity_models[] = {"explicit", "weiler2018", NULL};
static const char *const outsides[] = {"fail", "remove", NULL};
static const char *const formats[] = {"vtu", "ply", "vtkhdf", NULL};
static const char *const backgrounds[] = {"studio", "sky", "white", "black", NULL};
static const char *const liquids[] = {"auto",  "water", "ink",  "oil",     "honey",     "glycerol", "ethanol",
                                      "paint", "milk",  "soap", "mercury", "galinstan", NULL};
static const char *const solids[] = {"auto",   "plain", "matte", "glass", "clear_glass", "mirror", "steel",
                                     "copper", "gold",  "wax",   "wood",  "leaf",        NULL};
const char *const bl_choices_scheme[] = {"unified",  "ballistic", "akinci2013", "yang2016",
                                         "pbst2022", "hyde2020",  NULL};
const char *const bl_choices_filling[] = {"lattice", "hexagonal", "jittered", NULL};

static const bl_key time_keys[] = {
    {"end", BL_KEY_NUMBER, BL_AT(bl_time_def, end), .dim = BL_DIM_TIME, .range = BL_ABOVE(0), .flags = BL_KEY_REQUIRED,
     .doc = "How long to simulate.", .example = "0.3 s"},
    {"max_step", BL_KEY_NUMBER, BL_AT(bl_time_def, max_step), .dim = BL_DIM_TIME, .fallback = "0 s",
     .range = BL_AT_LEAST(0), .doc = "Largest time step; 0: only the limits below.", .example = "0.1 ms"},
    {"min_step", BL_KEY_NUMBER, BL_AT(bl_time_def, min_step), .dim = BL_DIM_TIME, .fallback = "0 s",
     .range = BL_AT_LEAST(0),
     .doc = "Below this step the run counts as diverged; 0: 1/10000 of the first step's limit.", .example = "1 ns"},
    {"fixed_step", BL_KEY_NUMBER, BL_AT(bl_time_def, fixed_step), .dim = BL_DIM_TIME, .fallback = "0 s",
     .range = BL_AT_LEAST(0), .doc = "The time step, always; 0: chosen by the limits.", .example = "0.08 ms"},
    {"frames_per_second", BL_KEY_NUMBER, BL_AT(bl_time_def, frames_per_second), .dim = BL_DIM_RATE, .fallback = "50",
     .range = BL_ABOVE(0), .doc = "Frames written per simulated second.", .example = "200"},
    {"cfl", BL_KEY_NUMBER, BL_AT(bl_time_def, cfl), .fallback = "0.4", .range = BL_ABOVE(0),
     .doc = "A particle moves at most this many spacings a step.", .example = "0.4"},
    {"force_factor", BL_KEY_NUMBER, BL_AT(bl_time_def, force_factor), .fallback = "0.25", .range = BL_ABOVE(0),
     .doc = "The step is at most this factor times sqrt(h/a), with a the largest acceleration.", .example = "0.25"},
    {"pressure_factor", BL_KEY_NUMBER, BL_AT(bl_time_def, pressure_factor), .fallback = "0.35", .range = BL_ABOVE(0),
     .doc =
         "The step is at most this factor times h sqrt(rho/p), with p the largest pressure: beyond 0.45 deep liquids "
         "do not come to rest.",
     .example = "0.35"},
    {"capillary_factor", BL_KEY_NUMBER, BL_AT(bl_time_def, capillary_factor), .fallback = "0.4", .range = BL_ABOVE(0),
     .doc = "The step is at most this factor times sqrt(rho h^3/gamma), and times 0.42 (2D: 0.33) with the physical "
            "calibration and the interface of particles.",
     .example = "0.9"},
    {"correction_share", BL_KEY_NUMBER, BL_AT(bl_time_def, correction_share), .fallback = "0.2",
     .range = BL_ABOVE_UP_TO(0, 1),
     .doc = "Share of a compression that one step mends. All of it at once leaves velocities that the next step must "
            "take back.",
     .example = "0.2"},
    {"correction_speed", BL_KEY_NUMBER, BL_AT(bl_time_def, correction_speed), .fallback = "0.1", .range = BL_ABOVE(0),
     .doc = "Particles that overlap at the start are pushed apart by at most this many spacings a step.",
     .example = "0.1"},
    {"relax_steps", BL_KEY_INT, BL_AT(bl_time_def, relax_steps), .fallback = "40", .range = BL_BETWEEN(0, 1e6),
     .doc = "Steps without inertia, before time starts, in which the particles of a filling settle; fewer if they rest "
            "sooner.",
     .example = "0"},
    {"max_steps", BL_KEY_LONG, BL_AT(bl_time_def, max_steps), .fallback = "0", .range = BL_BETWEEN(0, 1e15),
     .doc = "Stop after this many steps; 0: no limit.", .example = "1000"},
};
static const bl_section time_section = {
    .title = "time",
    .doc = "How long, in which steps, and how often a frame is written.",
    BL_FIELDS(bl_time_def, time_keys),
    .finish = bl_check_time,
};

static const bl_key scheme_keys[] = {
    {"name", BL_KEY_CHOICE, BL_AT(bl_scheme_def, name), .fallback = "unified", .choices = bl_choices_scheme,
     .doc = "The method: `unified` solves pressure, surface tension and friction together; `akinci2013` and `yang2016` "
            "have pairwise forces on a predictive-corrective pressure, `pbst2022` position constraints, `hyde2020` the "
            "implicit material point method; `ballistic` has gravity only.",
     .example = "unified"},
    {"accelerator", BL_KEY_CHOICE, BL_AT(bl_scheme_def, accelerator), .fallback = "nncg", .choices = accelerators,
     .doc = "Iteration of the solver: projected relaxed Jacobi, or its nonlinear conjugate-gradient acceleration.",
     .example = "jacobi"},
    {"criterion", BL_KEY_CHOICE, BL_AT(bl_scheme_def, criterion), .fallback = "scaled", .choices = criteria,
     .doc = "When the iteration stops: every residual relative to its own scale, or the criterion of the paper.",
     .example = "scaled"},
    {"order", BL_KEY_CHOICE, BL_AT(bl_scheme_def, order), .fallback = "unified", .choices = orders,
     .doc = "All forces in one solve, or separated solves in either order, for comparison.", .example = "unified"},
    {"calibration", BL_KEY_CHOICE, BL_AT(bl_scheme_def, calibration), .fallback = "physical", .choices = calibrations,
     .doc = "Constants of the tension model: measured to give the surface tension in N/m, or those of the paper.",
     .example = "physical"},
    {"tension", BL_KEY_NUMBER, BL_AT(bl_scheme_def, tension), .given_offset = BL_AT(bl_scheme_def, tension_given),
     .range = BL_AT_LEAST(0),
     .doc =
         "The coefficient of the tension as the paper of another method has it; with `calibration: paper` it takes the "
         "place of the surface tension in N/m.",
     .default_note = "the method's", .example = "1"},
    {"adhesion", BL_KEY_NUMBER, BL_AT(bl_scheme_def, adhesion), .given_offset = BL_AT(bl_scheme_def, adhesion_given),
     .range = BL_AT_LEAST(0),
     .doc = "Likewise the coefficient of the adhesion to walls; it takes the place of contact angles.",
     .default_note = "the method's", .example = "1"},
    {"kernel", BL_KEY_CHOICE, BL_AT(bl_scheme_def, kernel), .fallback = "auto", .choices = kernels,
     .doc = "Cubic splines of the paper, or smooth kernels that hardly see single particles, so that waves decay less. "
            "Auto: smooth in 3D with the physical calibration, which is what they are made for, else cubic.",
     .example = "cubic"},
    {"interface", BL_KEY_CHOICE, BL_AT(bl_scheme_def, interface), .fallback = "auto", .choices = interfaces,
     .doc =
         "What the tension comes from: energies of single particles, solved for together with the pressure as in the "
         "paper, or the energy of a field, under which a liquid's surface is no skin and waves decay as they should. "
         "Auto: field on the CPU with the physical calibration, for one fluid without sources (emitters, rain, "
         "printers) and "
         "walls without friction that have several layers; else particles.",
     .example = "particles"},
    {"friction", BL_KEY_CHOICE, BL_AT(bl_scheme_def, friction), .fallback = "exact", .choices = friction_solvers,
     .doc = "Friction of a particle in closed form in every iteration, or relaxed step by step as in the paper.",
     .example = "exact"},
    {"tolerance", BL_KEY_NUMBER, BL_AT(bl_scheme_def, tolerance), .fallback = "0.1 %", .range = BL_ABOVE_UP_TO(0, 1),
     .doc = "Mean volume error in compression at which the pressure counts as solved.", .example = "0.1 %"},
    {"tension_tolerance", BL_KEY_NUMBER, BL_AT(bl_scheme_def, tension_tolerance), .fallback = "1e-5",
     .range = BL_ABOVE(0), .doc = "Mean residual displacement of the tension force, in spacings.", .example = "1e-5"},
    {"friction_tolerance", BL_KEY_NUMBER, BL_AT(bl_scheme_def, friction_tolerance), .fallback = "1e-5",
     .range = BL_ABOVE(0), .doc = "Mean residual displacement of the friction force, in spacings.", .example = "1e-5"},
    {"min_iterations", BL_KEY_INT, BL_AT(bl_scheme_def, min_iterations), .fallback = "2", .range = BL_BETWEEN(0, 1e6),
     .doc = "Iterations done even when the solver has converged.", .example = "2"},
    {"max_iterations", BL_KEY_INT, BL_AT(bl_scheme_def, max_iterations), .fallback = "200", .range = BL_BETWEEN(1, 1e6),
     .doc = "Iterations after which a step is taken as it is.", .example = "200"},
    {"relaxation", BL_KEY_NUMBER, BL_AT(bl_scheme_def, relaxation), .fallback = "0.5", .range = BL_ABOVE_UP_TO(0, 2),
     .doc = "Relaxation factor of the Jacobi update.", .example = "0.5"},
    {"warm_start", BL_KEY_BOOL, BL_AT(bl_scheme_def, warm_start), .fallback = "true",
     .doc = "Start the solver from the last step's solution.", .example = "false"},
    {"warm_share", BL_KEY_NUMBER, BL_AT(bl_scheme_def, warm_share), .fallback = "0.03", .range = BL_ABOVE_UP_TO(0, 1),
     .doc = "Share of the last step's pressure in the mean that a warm start takes where weight makes the pressure; 1 "
            "takes the last pressure, and deep pools swing.",
     .example = "1"},
    {"pairwise", BL_KEY_BOOL, BL_AT(bl_scheme_def, pairwise), .fallback = "false",
     .doc = "Act on all particles alike, not on the surface alone: the pairwise model that the paper compares with.",
     .example = "true"},
    {"viscosity", BL_KEY_CHOICE, BL_AT(bl_scheme_def, viscosity), .fallback = "weiler2018", .choices = viscosity_models,
     .doc = "Explicit viscosity, or the implicit solver of Weiler et al. 2018.", .example = "explicit"},
    {"viscosity_tolerance", BL_KEY_NUMBER, BL_AT(bl_scheme_def, viscosity_tolerance), .fallback = "1e-4",
     .range = BL_ABOVE_UP_TO(0, 1), .doc = "Relative residual at which the viscosity solver stops.", .example = "1e-4"},
    {"viscosity_max_iterations", BL_KEY_INT, BL_AT(bl_scheme_def, viscosity_max_iterations), .fallback = "100",
     .range = BL_BETWEEN(1, 1e6), .doc = "Iterations after which the viscosity is taken as it is.", .example = "100"},
};
static const bl_section scheme_section = {
    .title = "scheme",
    .doc = "The numerical method and how exactly it is solved.",
    BL_FIELDS(bl_scheme_def, scheme_keys),
    .finish = bl_check_scheme,
};

static const bl_key domain_keys[] = {
    {"periodic", BL_KEY_AXES, BL_AT(bl_domain_def, periodic), .fallback = "[]",
     .doc = "Directions in which what leaves on one side enters on the other; they need `min` and `max`.",
     .example = "[x, y]"},
    {"min", BL_KEY_VECTOR, BL_AT(bl_domain_def, min), .dim = BL_DIM_LENGTH, .flags = BL_KEY_IN_PLANE,
     .given_offset = BL_AT(bl_domain_def, bounded), .doc = "Lower corner.", .default_note = "unbounded",
     .example = "[-10, -10, 0 mm]"},
    {"max", BL_KEY_VECTOR, BL_AT(bl_domain_def, max), .dim = BL_DIM_LENGTH, .flags = BL_KEY_IN_PLANE,
     .given_offset = BL_AT(bl_domain_def, bounded), .doc = "Upper corner.", .default_note = "unbounded",
     .example = "[10, 10, 20 mm]"},
    {"outside", BL_KEY_CHOICE, BL_AT(bl_domain_def, outside), .fallback = "fail", .choices = outsides,
     .doc = "What happens when a particle leaves the domain: the run fails, or the particle is removed.",
     .example = "remove"},
};
static const bl_section domain_section = {
    .title = "domain",
    .doc = "The part of space that is simulated; without it, all of it.",
    BL_FIELDS(bl_domain_def, domain_keys),
    .finish = bl_check_domain,
};

static const bl_key output_keys[] = {
    {"formats", BL_KEY_CHOICES, BL_AT(bl_output_def, formats), .fallback = "vtu", .choices = formats,
     .doc = "File formats of the frames, one or a list.", .example = "[vtu, ply]"},
    {"base64", BL_KEY_BOOL, BL_AT(bl_output_def, base64), .fallback = "false",
     .doc = "Write VTU data as base64 text; the default is raw bytes behind the XML.", .example = "true"},
    {"boundaries", BL_KEY_BOOL, BL_AT(bl_output_def, boundaries), .fallback = "true",
     .doc = "Write the boundary particles too (those at rest in the first frame only).", .example = "false"},
    {"checkpoint_every", BL_KEY_INT, BL_AT(bl_output_def, checkpoint_every), .fallback = "10",
     .range = BL_BETWEEN(0, 1e9), .doc = "Frames between checkpoints; 0: none.", .example = "10"},
    {"keep_checkpoints", BL_KEY_INT, BL_AT(bl_output_def, keep_checkpoints), .fallback = "3",
     .range = BL_BETWEEN(1, 1e9), .doc = "How many of the newest checkpoints stay.", .example = "3"},
};
static const bl_section output_section = {
    .title = "output",
    .doc = "What a run writes.",
    BL_FIELDS(bl_output_def, output_keys),
};

static const bl_key camera_keys[] = {
    {"position", BL_KEY_CURVE3, BL_AT(bl_camera_def, position), .dim = BL_DIM_LENGTH, .doc = "Where the camera stands.",
     .default_note = "chosen from the scene", .example = "[0, -30, 12 mm]"},
    {"target", BL_KEY_CURVE3, BL_AT(bl_camera_def, target), .dim = BL_DIM_LENGTH, .doc = "The point it looks at.",
     .default_note = "chosen from the scene", .example = "[0, 0, 2 mm]"},
    {"up", BL_KEY_CURVE3, BL_AT(bl_camera_def, up), .doc = "The direction that is up in the picture.",
     .default_note = "z; y in 2D", .example = "[0, 0, 1]"},
    {"field_of_view", BL_KEY_NUMBER, BL_AT(bl_camera_def, field_of_view), .dim = BL_DIM_ANGLE, .fallback = "35 deg",
     .range = BL_ABOVE_UP_TO(0, 170 * PI / 180), .doc = "Vertical angle of view.", .example = "35 deg"},
    {"aperture", BL_KEY_NUMBER, BL_AT(bl_camera_def, aperture), .dim = BL_DIM_LENGTH, .fallback = "0 m",
     .range = BL_AT_LEAST(0), .doc = "Diameter of the lens, for depth of field; 0: everything is sharp.",
     .example = "0.5 mm"},
    {"focus", BL_KEY_NUMBER, BL_AT(bl_camera_def, focus), .dim = BL_DIM_LENGTH, .fallback = "0 m",
     .range = BL_AT_LEAST(0), .doc = "Distance that is sharp; 0: that of the target.", .example = "30 mm"},
};
static const bl_section camera_section = {
    .title = "camera",
    .doc = "From where pictures are taken. Every key may be left out.",
    BL_FIELDS(bl_camera_def, camera_keys),
};

static const bl_key look_keys[] = {
    {"background", BL_KEY_TEXT, BL_AT(bl_look_def, background), .fallback = "studio", .choices = backgrounds,
     .doc = "Surroundings and light of the pictures.", .example = "sky"},
    {"ground", BL_KEY_BOOL, BL_AT(bl_look_def, ground), .fallback = "false",
     .doc = "Draw a ground plane where no boundary is.", .example = "true"},
    {"exposure", BL_KEY_NUMBER, BL_AT(bl_look_def, exposure), .fallback = "1", .range = BL_ABOVE(0),
     .doc = "Brightness of the pictures.", .example = "1.5"},
};
static const bl_section look_section = {
    .title = "look",
    .doc = "How pictures look.",
    BL_FIELDS(bl_look_def, look_keys),
};

static const bl_key material_keys[] = {
    {"density", BL_KEY_NUMBER, BL_AT(bl_fluid, density), .dim = BL_DIM_DENSITY, .range = BL_ABOVE(0),
     .flags = BL_KEY_REQUIRED, .doc = "Rest density.", .example = "998 kg/m^3"},
    {"viscosity", BL_KEY_NUMBER, BL_AT(bl_fluid, viscosity), .dim = BL_DIM_VISCOSITY, .fallback = "0 Pa s",
     .range = BL_AT_LEAST(0), .doc = "Dynamic viscosity.", .example = "1.0 mPa s"},
    {"surface_tension", BL_KEY_CURVE, BL_AT(bl_fluid, surface_tension), .dim = BL_DIM_TENSION, .fallback = "0 N/m",
     .range = BL_AT_LEAST(0), .doc = "Energy of the surface to air, gamma_FV.", .example = "72.8 mN/m"},
    {"color", BL_KEY_COLOR, BL_AT(bl_fluid, color), .fallback = "[0.25, 0.55, 0.85]", .range = BL_BETWEEN(0, 1),
     .doc = "Colour in pictures: red, green, blue from 0 to 1, or '#rrggbb'.", .example = "'#4090d8'"},
    {"appearance", BL_KEY_TEXT, BL_AT(bl_fluid, appearance), .fallback = "auto", .choices = liquids,
     .doc = "What it looks like in pictures; `auto`: like the substance in its name, else like water.",
     .example = "mercury"},
};
const bl_section bl_section_material = {
    .title = "materials.NAME",
    .doc = "Properties of a liquid, for a fluid's `material`. Beadlet comes with water, mercury, glycerol, ethanol, "
           "soapy_water and galinstan, which need no `include`.",
    BL_FIELDS(bl_fluid, material_keys),
};

static const bl_key fluid_keys[] = {
    {"material", BL_KEY_META,
     .doc = "Take the keys not given here from this material: one of `materials`, or one that "
            "comes with Beadlet.",
     .example = "water"},
    {"fluid_fluid", BL_KEY_CURVE, BL_AT(bl_fluid, fluid_fluid), .dim = BL_DIM_TENSION, .fallback = "0 N/m",
     .doc = "Energy of the interface to other fluids, gamma_FF.", .example = "30 mN/m"},
    {"fluid_boundary", BL_KEY_CURVE, BL_AT(bl_fluid, fluid_boundary), .dim = BL_DIM_TENSION, .fallback = "0 N/m",
     .doc = "Energy of the interface to boundaries, gamma_FB.", .example = "0 N/m"},
    {"friction", BL_KEY_CURVE, BL_AT(bl_fluid, friction), .range = BL_AT_LEAST(0),
     .doc = "Coulomb friction coefficient of this fluid on every wall, whatever the wall's own.",
     .default_note = "that of the wall", .example = "0.8"},
    {"volumes", BL_KEY_LIST, BL_AT(bl_fluid, volumes), .section = &bl_section_volume,
     .count_offset = BL_AT(bl_fluid, volume_count), .doc = "The shapes that are full of this fluid at the start.",
     .default_note = "required, unless an emitter, a printer or rain brings this fluid",
     .example = "[{sphere: {center: [0, 0, 2 mm], radius: 2 mm}}]"},
};
static const bl_section fluid_section = {
    .title = "fluids.NAME",
    .doc = "A liquid. Several may be in a scene; each has a name of its own.",
    BL_FIELDS(bl_fluid, fluid_keys),
    .base = &bl_section_material,
    .pos_offset = BL_AT(bl_fluid, pos),
    .name_offset = BL_AT(bl_fluid, name),
};

static const bl_key elastic_keys[] = {
    {"density", BL_KEY_NUMBER, BL_AT(bl_elastic_def, density), .dim = BL_DIM_DENSITY, .fallback = "0",
     .range = BL_AT_LEAST(0), .doc = "Density of the material; required.", .default_note = "required",
     .example = "1100 kg/m^3"},
    {"youngs_modulus", BL_KEY_NUMBER, BL_AT(bl_elastic_def, youngs_modulus), .dim = BL_DIM_PRESSURE, .fallback = "0",
     .range = BL_AT_LEAST(0), .doc = "Young's modulus of the material; required.", .default_note = "required",
     .example = "20 kPa"},
    {"poisson_ratio", BL_KEY_NUMBER, BL_AT(bl_elastic_def, poisson_ratio), .fallback = "0.3",
     .range = BL_BETWEEN(0, 0.49), .doc = "Poisson's ratio. A 2D scene is in plane strain.", .example = "0.3"},
    {"fixed", BL_KEY_LIST, BL_AT(bl_elastic_def, fixed), .section = &bl_section_shape,
     .count_offset = BL_AT(bl_elastic_def, fixed_count),
     .doc = "Shapes in which the body is held: that part stands, or moves as the boundary's `velocity`, `shift` and so "
            "on say.",
     .default_note = "none: it is free", .example = "[{box: {min: [0, 0, 0], max: [1, 5, 5 mm]}}]"},
    {"stabilization", BL_KEY_NUMBER, BL_AT(bl_elastic_def, stabilization), .fallback = "0.1", .range = BL_AT_LEAST(0),
     .doc = "Stiffness against displacements that the strain at the particles does not see, over the shear modulus.",
     .example = "0.1"},
    {"tolerance", BL_KEY_NUMBER, BL_AT(bl_elastic_def, tolerance), .fallback = "1e-4", .range = BL_ABOVE_UP_TO(0, 1),
     .doc = "Relative residual at which the solver of the body stops.", .example = "1e-4"},
    {"max_iterations", BL_KEY_INT, BL_AT(bl_elastic_def, max_iterations), .fallback = "1000",
     .range = BL_BETWEEN(1, 1e6), .doc = "Iterations after which a step counts as failed and is repeated shorter.",
     .example = "1000"},
};
static const bl_section elastic_section = {
    .title = "elastic",
    .doc = "Material of a boundary that bends: its shapes are filled with particles, which move by elastic forces, "
           "gravity, the liquid's pressure, tension, friction and drag, and contact with other bodies.",
    BL_FIELDS(bl_elastic_def, elastic_keys),
};

static const bl_key rigid_keys[] = {
    {"density", BL_KEY_NUMBER, BL_AT(bl_rigid_def, density), .dim = BL_DIM_DENSITY, .fallback = "0",
     .range = BL_AT_LEAST(0),
     .doc = "Density of the solid that the shapes are; a body of which shapes take something away is hollow there. "
            "This or `mass`.",
     .default_note = "required", .example = "700 kg/m^3"},
    {"mass", BL_KEY_NUMBER, BL_AT(bl_rigid_def, mass), .dim = BL_DIM_MASS, .fallback = "0", .range = BL_AT_LEAST(0),
     .doc = "Its mass instead, spread evenly over that solid. In 2D per metre of depth.",
     .default_note = "from the density", .example = "2 g"},
    {"locked", BL_KEY_AXES, BL_AT(bl_rigid_def, locked), .fallback = "[]",
     .doc = "Directions that its centre of mass does not move in.", .example = "[x, y]"},
    {"turns", BL_KEY_BOOL, BL_AT(bl_rigid_def, turns), .fallback = "true", .doc = "Whether it may turn.",
     .example = "false"},
    {"axis", BL_KEY_VECTOR, BL_AT(bl_rigid_def, axis), .fallback = "[0, 0, 0]",
     .doc = "The direction it turns about, and no other.", .default_note = "any", .example = "[0, 1, 0]"},
    {"hinged", BL_KEY_BOOL, BL_AT(bl_rigid_def, hinged), .fallback = "false",
     .doc = "It hangs by the boundary's `pivot`, which stays where it is: with an `axis` a hinge, else a ball joint.",
     .example = "true"},
    {"friction", BL_KEY_NUMBER, BL_AT(bl_rigid_def, friction), .fallback = "0.3", .range = BL_AT_LEAST(0),
     .doc = "Coulomb friction coefficient of its contact with walls; of two rigid bodies the root of the product "
            "counts.",
     .example = "0.5"},
    {"tolerance", BL_KEY_NUMBER, BL_AT(bl_rigid_def, tolerance), .fallback = "3e-3", .range = BL_ABOVE_UP_TO(0, 1),
     .doc = "How far a point of the body may come out, after a step, from where the liquid was told it would, in "
            "spacings; beyond it the liquid is solved again.",
     .example = "3e-3"},
    {"max_passes", BL_KEY_INT, BL_AT(bl_rigid_def, max_passes), .fallback = "8", .range = BL_BETWEEN(1, 100),
     .doc = "Solves of the liquid after which a step is taken as it is.", .example = "8"},
};
static const bl_section rigid_section = {
    .title = "rigid",
    .doc = "Mass and freedom of a boundary that keeps its shape and moves by forces: the liquid's, gravity, contact. "
           "`velocity` and `angular_velocity` (about its centre of mass) are then those at the start.",
    BL_FIELDS(bl_rigid_def, rigid_keys),
};

static const bl_key boundary_keys[] = {
    {"contact_angle", BL_KEY_CURVE, BL_AT(bl_boundary, contact_angle), .dim = BL_DIM_ANGLE, .range = BL_BETWEEN(0, PI),
     .doc = "Angle at which the liquid's surface meets the wall, measured in the liquid.", .default_note = "90 deg",
     .example = "60 deg"},
    {"boundary_vapor", BL_KEY_CURVE, BL_AT(bl_boundary, boundary_vapor), .dim = BL_DIM_TENSION,
     .doc = "Energy gamma_BV of the dry wall. Together with `boundary_fluid`, in place of `contact_angle`.",
     .default_note = "not given", .example = "40 mN/m"},
    {"boundary_fluid", BL_KEY_CURVE, BL_AT(bl_boundary, boundary_fluid), .dim = BL_DIM_TENSION,
     .doc = "Energy gamma_BF of the wet wall.", .default_note = "not given", .example = "4 mN/m"},
    {"contact_fluid", BL_KEY_FLUID, BL_AT(bl_boundary, contact_fluid),
     .doc = "The fluid whose surface tension the contact angle refers to.", .default_note = "the first fluid",
     .example = "water"},
    {"friction", BL_KEY_CURVE, BL_AT(bl_boundary, friction), .fallback = "0", .range = BL_AT_LEAST(0),
     .doc = "Coulomb friction coefficient mu between liquid and wall: a drop slides when the force along the wall is "
            "larger than mu times its load, W cos(slope) + 2 pi r gamma sin(contact angle). A fluid may have its own.",
     .example = "{keyframes: [[0 s, 0.4], [0.2 s, 0.05]]}"},
    {"viscosity", BL_KEY_CURVE, BL_AT(bl_boundary, viscosity), .dim = BL_DIM_VISCOSITY, .range = BL_AT_LEAST(0),
     .doc = "Viscosity of the wall's drag.", .default_note = "the fluid's own: no slip", .example = "0 Pa s"},
    {"layers", BL_KEY_INT, BL_AT(bl_boundary, layers), .fallback = "0", .range = BL_BETWEEN(0, 16),
     .doc = "Layers of boundary particles: a single one lies on the surface, several lie h/2, 3h/2, ... below it. 0: "
            "3, or "
            "1 for sheets with liquid on both sides.",
     .example = "3"},
    {"color", BL_KEY_COLOR, BL_AT(bl_boundary, color), .fallback = "[0.75, 0.75, 0.75]", .range = BL_BETWEEN(0, 1),
     .doc = "Colour in pictures, as for fluids.", .example = "[0.8, 0.8, 0.8]"},
    {"appearance", BL_KEY_TEXT, BL_AT(bl_boundary, appearance), .fallback = "auto", .choices = solids,
     .doc = "What it looks like in pictures; `auto`: like the substance in its name, else plain.", .example = "steel"},
    {"velocity", BL_KEY_CURVE3, BL_AT(bl_boundary, velocity), .dim = BL_DIM_VELOCITY, .fallback = "[0, 0, 0]",
     .flags = BL_KEY_IN_PLANE, .doc = "Motion of the whole body; of a `rigid` one at the start.",
     .example = "[0, 0, 5 mm/s]"},
    {"angular_velocity", BL_KEY_CURVE3, BL_AT(bl_boundary, angular_velocity), .dim = BL_DIM_ANGULAR_VELOCITY,
     .fallback = "[0, 0, 0]",
     .doc = "Rotation about `pivot`; of a `rigid` body at the start, about its centre of mass.",
     .example = "[0, 0, 30 rpm]"},
    {"pivot", BL_KEY_VECTOR, BL_AT(bl_boundary, pivot), .dim = BL_DIM_LENGTH, .fallback = "[0, 0, 0]",
     .flags = BL_KEY_IN_PLANE, .doc = "The point about which the body turns; it moves with `velocity`.",
     .example = "[0, 0, 10 mm]"},
    {"shift", BL_KEY_CURVE3, BL_AT(bl_boundary, shift), .dim = BL_DIM_LENGTH, .flags = BL_KEY_IN_PLANE,
     .doc = "Displacement of the whole body against where it is at time 0, by keyframes; adds to that of `velocity`.",
     .default_note = "none", .example = "{keyframes: [[0 s, [0, 0, 0]], [1 s, [0, 0, 5 mm]]]}"},
    {"turn", BL_KEY_CURVE3, BL_AT(bl_boundary, turn), .dim = BL_DIM_ANGLE,
     .doc = "Rotation about `pivot` against that at time 0, by keyframes: vectors along the axis with the angle as "
            "length.",
     .default_note = "none", .example = "{keyframes: [[0 s, [0, 0, 0]], [1 s, [0, 90 deg, 0]]]}"},
    {"swing", BL_KEY_VECTOR, BL_AT(bl_boundary, swing), .dim = BL_DIM_LENGTH, .fallback = "[0, 0, 0]",
     .flags = BL_KEY_IN_PLANE,
     .doc = "Amplitude of an oscillation: swing (sin(2 pi frequency t + phase) - sin(phase)).",
     .example = "[0, 0, 1 mm]"},
    {"frequency", BL_KEY_NUMBER, BL_AT(bl_boundary, frequency), .dim = BL_DIM_RATE, .fallback = "0 Hz",
     .range = BL_AT_LEAST(0), .doc = "Frequency of the oscillation.", .example = "20 Hz"},
    {"phase", BL_KEY_NUMBER, BL_AT(bl_boundary, phase), .dim = BL_DIM_ANGLE, .fallback = "0 rad",
     .doc = "Its phase at time 0.", .example = "90 deg"},
    {"motion_file", BL_KEY_MESH_FILE, BL_AT(bl_boundary, motion_file), .flags = BL_KEY_INPUT_ONLY,
     .doc =
         "A text file in place of `shift` and `turn`: a line a keyframe with time (s), x, y, z (m) and, if it turns, "
         "the rotation vector (rad), separated by blanks or commas; lines that begin with # are left out.",
     .default_note = "none", .example = "board.csv"},
    {"elastic", BL_KEY_SECTION, BL_AT(bl_boundary, elastic), .section = &elastic_section,
     .given_offset = BL_AT(bl_boundary, elastic.given), .doc = "Makes the body an elastic solid of this material.",
     .default_note = "rigid", .example = "{density: 1100 kg/m^3, youngs_modulus: 20 kPa}"},
    {"rigid", BL_KEY_SECTION, BL_AT(bl_boundary, rigid), .section = &rigid_section,
     .given_offset = BL_AT(bl_boundary, rigid.given),
     .doc = "Lets the body move by forces: it floats, is pushed, rolls and sinks.",
     .default_note = "it moves as prescribed", .example = "{density: 700 kg/m^3}"},
    {"shapes", BL_KEY_LIST, BL_AT(bl_boundary, shapes), .section = &bl_section_shape,
     .count_offset = BL_AT(bl_boundary, shape_count), .flags = BL_KEY_REQUIRED, .doc = "The shapes of the body.",
     .example = "[{plane: {normal: [0, 0, 1]}}]"},
};
static const bl_section boundary_section = {
    .title = "boundaries.NAME",
    .doc = "A solid body that the fluids touch: at rest, moving as prescribed, or by forces (`rigid`, `elastic`).",
    BL_FIELDS(bl_boundary, boundary_keys),
    .pos_offset = BL_AT(bl_boundary, pos),
    .name_offset = BL_AT(bl_boundary, name),
    .finish = bl_check_boundary,
};

static const bl_key scene_keys[] = {
    {"include", BL_KEY_META,
     .doc = "One or several files whose keys this file takes over and may override. They are looked for beside this "
            "file, then among the files that come with Beadlet.",
     .example = "materials/water.yaml"},
    {"materials", BL_KEY_META, .section = &bl_section_material, .doc = "Liquids by name, for a fluid's `material`.",
     .example = "{oil: {density: 920 kg/m^3, viscosity: 80 mPa s, surface_tension: 32 mN/m}}"},
    {"quality", BL_KEY_META, .doc = "The name of one of `qualities`: its keys are laid over those of the scene.",
     .example = "paper"},
    {"qualities", BL_KEY_META,
     .doc = "Sets of keys by name, to run the scene with `--set quality=NAME`: another resolution, say.",
     .example = "{paper: {spacing: 0.1 mm}}"},
    {"name", BL_KEY_TEXT, BL_AT(bl_scene, name), .doc = "A title.", .default_note = "the file's name",
     .example = "drop on a slope"},
    {"dimension", BL_KEY_INT, BL_AT(bl_scene, dimension), .fallback = "3", .range = BL_BETWEEN(2, 3),
     .doc = "2 or 3. In 2D everything lies in the plane z = 0.", .example = "2"},
    {"spacing", BL_KEY_NUMBER, BL_AT(bl_scene, spacing), .dim = BL_DIM_LENGTH, .range = BL_ABOVE(0),
     .flags = BL_KEY_REQUIRED, .doc = "Distance h of neighbouring particles: the resolution.", .example = "0.5 mm"},
    {"gravity", BL_KEY_CURVE3, BL_AT(bl_scene, gravity), .dim = BL_DIM_ACCELERATION, .fallback = "[0, 0, 0]",
     .flags = BL_KEY_IN_PLANE, .doc = "Acceleration of everything.", .example = "[0, 0, -9.81 m/s^2]"},
    {"seed", BL_KEY_SEED, BL_AT(bl_scene, seed), .fallback = "1", .range = BL_BETWEEN(0, 9007199254740992.0),
     .doc = "Seed of all random numbers.", .example = "7"},
    {"time", BL_KEY_SECTION, BL_AT(bl_scene, time), .section = &time_section, .flags = BL_KEY_REQUIRED,
     .doc = "Duration, steps and frames.", .example = "{end: 0.3 s, frames_per_second: 200}"},
    {"scheme", BL_KEY_SECTION, BL_AT(bl_scene, scheme), .section = &scheme_section, .doc = "The numerical method.",
     .example = "{name: unified, tolerance: 0.1 %}"},
    {"domain", BL_KEY_SECTION, BL_AT(bl_scene, domain), .section = &domain_section,
     .doc = "Limits of space and periodic directions.",
     .example = "{periodic: [x], min: [0, 0, 0], max: [1, 1, 1 cm]}"},
    {"output", BL_KEY_SECTION, BL_AT(bl_scene, output), .section = &output_section, .doc = "Files a run writes.",
     .example = "{formats: [vtu, ply]}"},
    {"camera", BL_KEY_SECTION, BL_AT(bl_scene, camera), .section = &camera_section, .doc = "View of the pictures.",
     .example = "{position: [0, -30, 12 mm]}"},
    {"look", BL_KEY_SECTION, BL_AT(bl_scene, look), .section = &look_section, .doc = "Light and background.",
     .example = "{background: sky}"},
    {"fluids", BL_KEY_NAMED, BL_AT(bl_scene, fluids), .section = &fluid_section,
     .count_offset = BL_AT(bl_scene, fluid_count), .flags = BL_KEY_REQUIRED, .doc = "The liquids, by name.",
     .example = "{water: {material: water, volumes: [...]}}"},
    {"boundaries", BL_KEY_NAMED, BL_AT(bl_scene, boundaries), .section = &boundary_section,
     .count_offset = BL_AT(bl_scene, boundary_count), .doc = "The solid bodies, by name.",
     .example = "{glass: {contact_angle: 60 deg, shapes: [...]}}"},
    {"emitters", BL_KEY_NAMED, BL_AT(bl_scene, emitters), .section = &bl_section_emitter,
     .count_offset = BL_AT(bl_scene, emitter_count), .doc = "Nozzles, by name.",
     .example = "{tap: {center: [0, 0, 3 cm], direction: [0, 0, -1], radius: 2 mm, speed: 0.4 m/s}}"},
    {"rain", BL_KEY_NAMED, BL_AT(bl_scene, rain), .section = &bl_section_rain,
     .count_offset = BL_AT(bl_scene, rain_count), .doc = "Drops at random, by name.",
     .example = "{shower: {min: [-2, -2, 5 cm], max: [2, 2, 6 cm], rate: 40 Hz, radius: 1 mm}}"},
    {"printers", BL_KEY_NAMED, BL_AT(bl_scene, printers), .section = &bl_section_printer,
     .count_offset = BL_AT(bl_scene, printer_count), .doc = "Heads that set drop by drop, by name.",
     .example = "{head: {position: [0, 0, 5 mm], rate: 100 Hz, radius: 0.5 mm}}"},
    {"sinks", BL_KEY_NAMED, BL_AT(bl_scene, sinks), .section = &bl_section_sink,
     .count_offset = BL_AT(bl_scene, sink_count), .doc = "Places where liquid vanishes, by name.",
     .example = "{drain: {shapes: [{half_space: {normal: [0, 0, 1], point: [0, 0, -1 cm]}}]}}"},
};
const bl_section bl_section_scene = {
    .title = "the scene",
    .doc = "The keys at the top of the file.",
    BL_FIELDS(bl_scene, scene_keys),
    .finish = bl_check_scene,
};

const bl_key *bl_section_find(const bl_section *section, const char *name, size_t *offset) {
    size_t start = 0;
    for (; section; start += section->base_offset, section = section->base)
        for (int i = 0; i < section->key_count; i++)
            if (strcmp(section->keys[i].name, name) == 0) {
                *offset = start + section->keys[i].offset;
                return &section->keys[i];
            }
    return NULL;
}
