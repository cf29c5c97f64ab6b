/* Reading recorded.yaml; writing is bl_case_record. */
#ifndef BL_VALIDATE_RECORDED_H
#define BL_VALIDATE_RECORDED_H

#include "scene/reader.h"
#include "validate/case.h"

void bl_recorded_read(bl_reader *reader, const char *path, const char *text, size_t size, bl_case *out);

#endif
