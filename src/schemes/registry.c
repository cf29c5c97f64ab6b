/* All schemes of this build: one line each. */
#include "schemes/scheme.h"

typedef struct entry {
    bl_scheme_name name;
    const bl_scheme *scheme;
} entry;

static const entry entries[] = {
    {BL_SCHEME_UNIFIED, &bl_scheme_unified},   {BL_SCHEME_AKINCI2013, &bl_scheme_akinci2013},
    {BL_SCHEME_YANG2016, &bl_scheme_yang2016}, {BL_SCHEME_PBST2022, &bl_scheme_pbst2022},
    {BL_SCHEME_HYDE2020, &bl_scheme_hyde2020}, {BL_SCHEME_BALLISTIC, &bl_scheme_ballistic},
};
enum { ENTRIES = sizeof entries / sizeof entries[0] };

const bl_scheme *bl_scheme_find(bl_scheme_name name) {
    for (int k = 0; k < ENTRIES; k++)
        if (entries[k].name == name) return entries[k].scheme;
    return NULL;
}

const bl_scheme *bl_scheme_at(int index) { return index < ENTRIES ? entries[index].scheme : NULL; }
