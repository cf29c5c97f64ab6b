/* bodies.csv: how rigid bodies stand and move, a row a body and step, from step 0 on; cut off for a resume as
 * series.csv is. */
#ifndef BL_OUTPUT_BODIES_H
#define BL_OUTPUT_BODIES_H

#include "rigid/rigid.h"

enum { BL_BODIES_WIDTH = 22 };
extern const char bl_bodies_header[];
void bl_bodies_row(const bl_rigid *rigid, int body, uint64_t step, double time, double row[BL_BODIES_WIDTH]);

#endif
