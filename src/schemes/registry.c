/* All schemes by their name in a scene: one line each. */
#include "schemes/scheme.h"

static const bl_scheme *const schemes[] = {
    [BL_SCHEME_BALLISTIC] = &bl_scheme_ballistic,
};

const bl_scheme *bl_scheme_find(bl_scheme_name name) {
    return (size_t)name < sizeof schemes / sizeof schemes[0] ? schemes[name] : NULL;
}
