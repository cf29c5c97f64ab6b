/* The sessile drop of the paper's tables 3 and 4. */
#ifndef BL_BENCH_TABLE3_H
#define BL_BENCH_TABLE3_H

static const char table3_text[] =
    "name: sessile drop of table 3\n"
    "spacing: 1 mm\n"
    "gravity: [0, 0, -9.81]\n"
    "time: {end: 1 s, fixed_step: 0.08 ms, frames_per_second: 1}\n"
    "scheme: {calibration: paper}\n"
    "fluids:\n"
    "  water:\n"
    "    density: 1000\n"
    "    viscosity: 10 mPa s\n"
    "    surface_tension: 4 N/m\n"
    "    volumes:\n"
    "      - intersection:\n"
    "          - {sphere: {center: [0, 0, 0], radius: 12.6 mm}}\n"
    "          - {half_space: {point: [0, 0, 0], normal: [0, 0, -1]}}\n"
    "boundaries:\n"
    "  plate: {layers: 1, friction: 0.3, shapes: [{plane: {normal: [0, 0, 1], size: 50 mm}}]}\n";

#endif
