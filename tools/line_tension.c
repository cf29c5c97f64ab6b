/* The line tension of a contact line: what the energy of a wedge of liquid on a wall is less than that of its surface
 * and of the dry wall beside it (docs/theory/calibration.md, "In 3D: a line tension").
 *
 *   cc -O2 -o line_tension tools/line_tension.c -lm && ./line_tension
 *
 * The liquid is uniform, the line straight and normal to the plane of the sums; the kernel is the cubic spline of
 * support 3h in 3D, integrated along the line. Lengths in h, energies in gamma h. */
#include <math.h>
#include <stdio.h>

#define STEP 0.1
#define REACH 3.0                                     /* support of the tension */
#define RADIUS 6.0                                    /* of the disc around the line that is summed over */
enum { HALF = 30, SIZE = 2 * HALF + 1, CELLS = 120 }; /* REACH/STEP; cells of the disc across, 2 RADIUS/STEP */

static double kernel[SIZE][SIZE];

static double spline(double r) {
    double q = r / REACH;
    return q >= 1 ? 0 : q <= 0.5 ? 6 * q * q * (q - 1) + 1 : 2 * pow(1 - q, 3);
}

/* Weights of the cells around a point, summing to one. */
static void make_kernel(void) {
    double sum = 0;
    for (int a = 0; a < SIZE; a++)
        for (int b = 0; b < SIZE; b++) {
            kernel[a][b] = 0;
            for (int c = -HALF; c <= HALF; c++)
                kernel[a][b] += spline(STEP * sqrt((a - HALF) * (a - HALF) + (b - HALF) * (b - HALF) + c * c));
            sum += kernel[a][b];
        }
    for (int a = 0; a < SIZE; a++)
        for (int b = 0; b < SIZE; b++) kernel[a][b] /= sum;
}

/* Share of the kernel around (x, y) that lies over the wall, y > 0, between two angles from the negative x axis. */
static double share(double x, double y, double from, double to) {
    double sum = 0;
    for (int a = 0; a < SIZE; a++)
        for (int b = 0; b < SIZE; b++) {
            double u = x + STEP * (a - HALF), v = y + STEP * (b - HALF), angle = atan2(v, -u);
            if (v > 0 && angle >= from && angle < to) sum += kernel[a][b];
        }
    return sum;
}

static double smooth_max(double c) {
    const double eps = 0.05;
    return c > 0 ? c * c / (eps + sqrt(c * c + eps * eps)) : 0;
}

/* Energy per length of a flat surface of uniform liquid (of a dry wall: the same). */
static double flat_energy(void) {
    double sum = 0;
    for (double y = -REACH + 0.5 * STEP; y < 0; y += STEP) sum += smooth_max(share(0, y, 0, 4)) * STEP;
    return sum;
}

/* Line tension for a contact angle: the liquid is between 0 and `theta`, vapor beyond. */
static double line_tension(double theta, double flat) {
    double liquid = 0, dry = 0;
    for (int i = 0; i < CELLS; i++)
        for (int j = 0; j < CELLS; j++) {
            double x = STEP * (i + 0.5) - RADIUS, y = STEP * (j + 0.5) - RADIUS, cell = STEP * STEP;
            if (y < -REACH || (y > 0 && hypot(x, y) > RADIUS)) continue;
            if (y > 0) {
                if (atan2(y, -x) < theta) liquid += cell * smooth_max(share(x, y, theta, 4));
            } else {
                dry += cell * smooth_max(share(x, y, theta, 4));
            }
        }
    return liquid / flat - RADIUS + cos(theta) * (dry / flat - RADIUS);
}

int main(void) {
    make_kernel();
    double flat = flat_energy();
    for (int degrees = 45; degrees <= 135; degrees += 15)
        printf("%d degrees: %.3f gamma h\n", degrees, line_tension(degrees * M_PI / 180, flat));
    return 0;
}
