#include "validate/measures.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    bl_case_measure_fn fn;
} measures[] = {
#define X(name) {#name, bl_measure_case_##name},
    BL_CASE_MEASURES(X)
#undef X
};
enum { MEASURE_COUNT = sizeof measures / sizeof measures[0] };

bl_case_measure_fn bl_case_measure_find(const char *name) {
    for (int k = 0; k < MEASURE_COUNT; k++)
        if (strcmp(measures[k].name, name) == 0) return measures[k].fn;
    return NULL;
}

void bl_case_measure_names(char *buffer, size_t size) {
    size_t used = 0;
    for (int k = 0; k < MEASURE_COUNT && used < size; k++)
        used += (size_t)snprintf(buffer + used, size - used, "%s%s", k ? ", " : "", measures[k].name);
}
