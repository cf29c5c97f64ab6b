#include "scene/check.h"

#include "scene/reader.h"

/* The place of a key of the map, or of the map. */
static bl_place place_of(const bl_node *node, const char *key) {
    const bl_pair *pair = bl_node_find(node, key);
    return pair ? pair->place : node->place;
}

void bl_check_fail(bl_reader *r, const bl_node *node, const char *key, const char *message) {
    bl_diag_add(r->diags, BL_DIAG_ERROR, place_of(node, key), "%s: %s", bl_reader_where(r), message);
}

bool bl_check_given(const bl_node *node, const char *key) { return bl_node_find(node, key) != NULL; }

void bl_check_time(bl_reader *r, const bl_node *node, void *object) {
    const bl_time_def *time = object;
    if (time->max_step > 0 && time->min_step > time->max_step)
        bl_check_fail(r, node, "min_step", "min_step is larger than max_step");
    if (time->fixed_step > 0 && bl_check_given(node, "max_step") && time->max_step > 0 &&
        time->fixed_step > time->max_step)
        bl_check_fail(r, node, "fixed_step", "fixed_step is larger than max_step");
}

/* Coefficients in the units of a method's paper would be taken for N/m elsewhere. */
static void check_coefficients(bl_reader *r, const bl_node *node, const bl_scheme_def *scheme) {
    if (!scheme->tension_given && !scheme->adhesion_given) return;
    const char *key = scheme->tension_given ? "tension" : "adhesion";
    if (scheme->name == BL_SCHEME_UNIFIED || scheme->name == BL_SCHEME_BALLISTIC)
        bl_check_fail(
            r, node, key,
            "this scheme has no coefficient of a paper; akinci2013, yang2016, pbst2022 and hyde2020 have, with "
            "`calibration: paper`");
    else if (scheme->calibration == BL_CALIBRATION_PHYSICAL)
        bl_check_fail(r, node, key,
                      "found a coefficient of the method's paper, expected `calibration: paper` beside it; with "
                      "`physical` the fluid's surface_tension and the walls' angles are what counts");
}

void bl_check_scheme(bl_reader *r, const bl_node *node, void *object) {
    bl_scheme_def *scheme = object;
    const bool made_for_smooth =
        scheme->name == BL_SCHEME_UNIFIED && r->scene->dimension == 3 && scheme->calibration == BL_CALIBRATION_PHYSICAL;
    if (scheme->kernel == BL_KERNELS_AUTO) scheme->kernel = made_for_smooth ? BL_KERNELS_SMOOTH : BL_KERNELS_CUBIC;
    scheme->tension_given = bl_check_given(node, "tension");
    scheme->adhesion_given = bl_check_given(node, "adhesion");
    check_coefficients(r, node, scheme);
    if (scheme->min_iterations > scheme->max_iterations)
        bl_check_fail(r, node, "min_iterations", "min_iterations is larger than max_iterations");
    if (scheme->interface == BL_INTERFACE_FIELD && scheme->calibration == BL_CALIBRATION_PAPER)
        bl_check_fail(r, node, "interface",
                      "the field has no calibration of a paper; `calibration: paper` has `particles`");
    if (scheme->interface == BL_INTERFACE_FIELD && scheme->name != BL_SCHEME_UNIFIED)
        bl_check_fail(r, node, "interface", "the field is for the scheme unified");
    if (scheme->interface == BL_INTERFACE_FIELD && (scheme->pairwise || scheme->order != BL_ORDER_UNIFIED))
        bl_check_fail(r, node, "interface", "`pairwise` and separated orders are about the interface of `particles`");
    if (scheme->kernel == BL_KERNELS_SMOOTH && r->scene->dimension == 2)
        bl_check_fail(r, node, "kernel", "smooth kernels are for 3D scenes; a 2D scene has `cubic`");
    if (scheme->kernel == BL_KERNELS_SMOOTH && scheme->name != BL_SCHEME_UNIFIED)
        bl_check_fail(r, node, "kernel", "smooth kernels are for the scheme unified");
    if (scheme->kernel == BL_KERNELS_SMOOTH && scheme->calibration == BL_CALIBRATION_PAPER)
        bl_check_fail(r, node, "kernel", "the calibration of the paper is for its cubic kernels");
}

/* min < max in the directions that the scene has. */
static bool ordered(const bl_reader *r, bl_vec3d min, bl_vec3d max) {
    return min.x < max.x && min.y < max.y && (r->scene->dimension == 2 || min.z < max.z);
}

void bl_check_domain(bl_reader *r, const bl_node *node, void *object) {
    bl_domain_def *domain = object;
    bool low = bl_check_given(node, "min"), high = bl_check_given(node, "max");
    domain->bounded = low && high;
    if (low != high)
        bl_check_fail(r, node, low ? "min" : "max", "min and max are needed together");
    else if (low && !ordered(r, domain->min, domain->max))
        bl_check_fail(r, node, "max", "max must be larger than min in every direction");
    if ((domain->periodic[0] || domain->periodic[1] || domain->periodic[2]) && !domain->bounded)
        bl_check_fail(r, node, "periodic", "periodic directions need min and max");
    if (domain->periodic[2] && r->scene->dimension == 2)
        bl_check_fail(r, node, "periodic", "a 2D scene has no z direction");
}

static bool is_bounded(const bl_shape *shape) {
    bool any = false, all = true, first = true;
    for (int i = 0; i < shape->child_count; i++) {
        bool child = is_bounded(&shape->children[i]);
        first = i == 0 ? child : first;
        any |= child;
        all &= child;
    }
    switch (shape->kind) {
    case BL_SHAPE_HALF_SPACE: return false;
    case BL_SHAPE_UNION: return all;
    case BL_SHAPE_INTERSECTION: return any || shape->child_count == 0;
    case BL_SHAPE_DIFFERENCE: return first;
    default: return true;
    }
}

bool bl_shape_has_sheet(const bl_shape *shape) {
    for (int i = 0; i < shape->child_count; i++)
        if (bl_shape_has_sheet(&shape->children[i])) return true;
    return shape->kind == BL_SHAPE_PLANE;
}

/* An elastic body has a material and an inside. */
static void check_elastic(bl_reader *r, const bl_node *node, bl_boundary *boundary) {
    bl_elastic_def *elastic = &boundary->elastic;
    elastic->given = bl_check_given(node, "elastic");
    if (!elastic->given) return;
    if (!(elastic->density > 0)) bl_check_fail(r, node, "elastic", "elastic needs a density such as '1100 kg/m^3'");
    if (!(elastic->youngs_modulus > 0))
        bl_check_fail(r, node, "elastic", "elastic needs a youngs_modulus such as '20 kPa'");
    for (int k = 0; k < boundary->shape_count; k++)
        if (bl_shape_has_sheet(&boundary->shapes[k]) || !is_bounded(&boundary->shapes[k]))
            bl_check_fail(r, node, "shapes",
                          "an elastic body is filled with particles: planes and infinite shapes cannot be");
}

/* Keys that say where a body goes, which forces decide for a rigid one. */
static void check_rigid_motion(bl_reader *r, const bl_node *node, const bl_boundary *boundary) {
    const struct {
        const char *key;
        bool moves; /* a resolved scene has all keys, most of which say nothing */
    } prescribed[] = {{"shift", boundary->shift.count > 0},
                      {"turn", boundary->turn.count > 0},
                      {"swing", bl_v3d_norm2(boundary->swing) > 0},
                      {"motion_file", boundary->motion_file != NULL}};
    for (size_t k = 0; k < sizeof prescribed / sizeof *prescribed; k++)
        if (prescribed[k].moves)
            bl_check_fail(r, node, prescribed[k].key,
                          "a rigid body moves by forces; expected no prescribed motion beside velocity and "
                          "angular_velocity at the start");
    if (!bl_curve_is_constant(&boundary->velocity))
        bl_check_fail(r, node, "velocity",
                      "of a rigid body this is the velocity at the start: keyframes found, "
                      "expected a single vector");
    if (!bl_curve_is_constant(&boundary->angular_velocity))
        bl_check_fail(r, node, "angular_velocity",
                      "of a rigid body this is the angular velocity at the start: "
                      "keyframes found, expected a single vector");
    if (boundary->rigid.hinged && bl_v3d_norm2(bl_curve_at3(&boundary->velocity, 0)) > 0)
        bl_check_fail(r, node, "velocity", "a hinged body turns about its pivot; expected an angular_velocity");
}

/* A rigid body has a mass, an inside, and a way to move. */
static void check_rigid(bl_reader *r, const bl_node *node, bl_boundary *boundary) {
    bl_rigid_def *rigid = &boundary->rigid;
    rigid->given = bl_check_given(node, "rigid");
    if (!rigid->given) return;
    if (boundary->elastic.given) bl_check_fail(r, node, "rigid", "rigid beside elastic; expected one of them");
    if ((rigid->density > 0) == (rigid->mass > 0))
        bl_check_fail(r, node, "rigid",
                      rigid->mass > 0 ? "density and mass found; expected one of them"
                                      : "rigid needs a density such as '700 kg/m^3' or a mass such as '2 g'");
    const bool flat = r->scene->dimension == 2, *locked = rigid->locked;
    if (!rigid->turns && (rigid->hinged || (locked[0] && locked[1] && (locked[2] || flat))))
        bl_check_fail(r, node, "rigid", "this body can neither move nor turn; leave `rigid` out for a wall");
    if (rigid->hinged && (locked[0] || locked[1] || locked[2]))
        bl_check_fail(r, node, "rigid", "`locked` beside `hinged`: the pivot decides how the centre moves; give one");
    if (flat && (fabs(rigid->axis.x) > 0 || fabs(rigid->axis.y) > 0))
        bl_check_fail(r, node, "rigid", "in 2D a body turns about z; expected no other axis");
    if (!rigid->turns && bl_v3d_norm2(rigid->axis) > 0)
        bl_check_fail(r, node, "rigid", "an axis for a body that does not turn; give one of both");
    check_rigid_motion(r, node, boundary);
    for (int k = 0; k < boundary->shape_count; k++)
        if (bl_shape_has_sheet(&boundary->shapes[k]) || !is_bounded(&boundary->shapes[k]))
            bl_check_fail(r, node, "shapes", "a rigid body has a volume: planes and infinite shapes have none");
}

void bl_check_boundary(bl_reader *r, const bl_node *node, void *object) {
    bl_boundary *boundary = object;
    check_elastic(r, node, boundary);
    check_rigid(r, node, boundary);
    if (boundary->motion_file && (bl_check_given(node, "shift") || bl_check_given(node, "turn")))
        bl_check_fail(r, node, "motion_file", "motion_file stands for shift and turn; give one of both");
    else if (boundary->motion_file)
        bl_read_motion(r, node, boundary);
    if (bl_v3d_norm2(boundary->swing) > 0 && !(boundary->frequency > 0))
        bl_check_fail(r, node, "swing", "swing needs a frequency");
    bool vapor = bl_check_given(node, "boundary_vapor"), fluid = bl_check_given(node, "boundary_fluid");
    if (bl_check_given(node, "contact_angle") && (vapor || fluid))
        bl_check_fail(
            r, node, vapor ? "boundary_vapor" : "boundary_fluid",
            "contact_angle and the energies boundary_vapor, boundary_fluid contradict each other; give one of both");
    else if (vapor != fluid)
        bl_check_fail(r, node, vapor ? "boundary_vapor" : "boundary_fluid",
                      "boundary_vapor and boundary_fluid are needed together");
}

static bool is_shape_key(const char *name) {
    size_t offset;
    const bl_key *key = bl_section_find(&bl_section_shape, name, &offset);
    return key && (key->type == BL_KEY_SHAPE || key->type == BL_KEY_SHAPE_TREE);
}

void bl_check_shape(bl_reader *r, const bl_node *node, void *object) {
    (void)object;
    const bl_pair *first = NULL;
    for (int i = 0; i < node->count; i++) {
        if (!is_shape_key(node->pairs[i].key)) continue;
        if (first)
            bl_diag_add(r->diags, BL_DIAG_ERROR, node->pairs[i].place, "%s: '%s' beside '%s'; an item is one shape",
                        bl_reader_where(r), node->pairs[i].key, first->key);
        else
            first = &node->pairs[i];
    }
    if (!first)
        bl_diag_add(r->diags, BL_DIAG_ERROR, node->place,
                    "%s: no shape in this item; expected one such as '{sphere: {radius: 2 mm}}'", bl_reader_where(r));
}

void bl_check_volume(bl_reader *r, const bl_node *node, void *object) {
    bl_volume *volume = object;
    if (!bl_check_given(node, "jitter")) volume->jitter = volume->filling == BL_FILL_JITTERED ? 0.1 : 0;
    if (!bl_check_given(node, "seed")) volume->seed = r->scene->seed;
    if (bl_shape_has_sheet(&volume->shape))
        bl_check_fail(r, node, "plane", "a plane has no inside that could be filled; use a box or a half_space");
    else if (!is_bounded(&volume->shape))
        bl_check_fail(r, node, "half_space", "this volume is infinitely large; cut it with an intersection");
}

void bl_check_box(bl_reader *r, const bl_node *node, void *object) {
    bl_shape *box = object;
    bool corners = bl_check_given(node, "min") || bl_check_given(node, "max"),
         middle = bl_check_given(node, "center") || bl_check_given(node, "size");
    if (corners && middle) {
        bl_check_fail(r, node, bl_check_given(node, "size") ? "size" : "center",
                      "min and max contradict center and size; give one pair");
        return;
    }
    bool whole = corners ? bl_check_given(node, "min") && bl_check_given(node, "max")
                         : bl_check_given(node, "center") && bl_check_given(node, "size");
    if (!whole) {
        bl_check_fail(r, node, "", "a box needs min and max, or center and size");
        return;
    }
    if (middle) {
        bl_vec3d half = bl_v3d_scale(0.5, box->b), center = box->a;
        box->a = bl_v3d_sub(center, half);
        box->b = bl_v3d_add(center, half);
    }
    if (!ordered(r, box->a, box->b))
        bl_check_fail(r, node, middle ? "size" : "max",
                      middle ? "size must be positive in every direction"
                             : "max must be larger than min in every direction");
}

void bl_check_ellipsoid(bl_reader *r, const bl_node *node, void *object) {
    bl_shape *shape = object;
    if (r->scene->dimension == 2) shape->b.z = shape->b.x; /* any positive value: only the section at z = 0 counts */
    if (bl_check_given(node, "radii") && !(shape->b.x > 0 && shape->b.y > 0 && shape->b.z > 0))
        bl_check_fail(r, node, "radii", "radii must be more than 0");
}

void bl_check_segment(bl_reader *r, const bl_node *node, void *object) {
    const bl_shape *shape = object;
    if (bl_check_given(node, "from") && bl_check_given(node, "to") && bl_v3d_norm2(bl_v3d_sub(shape->b, shape->a)) == 0)
        bl_check_fail(r, node, "to", "from and to are the same point");
}

void bl_check_torus(bl_reader *r, const bl_node *node, void *object) {
    const bl_shape *shape = object;
    if (shape->radius2 > shape->radius && shape->radius > 0)
        bl_check_fail(r, node, "minor", "minor is larger than major");
}

/* Output files carry the names of fluids and boundaries. */
void bl_check_scene(bl_reader *r, const bl_node *node, void *object) {
    (void)object;
    bl_check_fluid_sources(r, node);
    const bl_pair *fluids = bl_node_find(node, "fluids"), *boundaries = bl_node_find(node, "boundaries");
    if (!fluids || !boundaries || boundaries->value->kind != BL_NODE_MAP) return;
    for (int i = 0; i < boundaries->value->count; i++) {
        const bl_pair *boundary = &boundaries->value->pairs[i];
        if (bl_node_find(fluids->value, boundary->key))
            bl_diag_add(r->diags, BL_DIAG_ERROR, boundary->place,
                        "duplicate name '%.60s': a fluid and a boundary cannot have the same", boundary->key);
    }
}
