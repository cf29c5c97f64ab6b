/* Shapes for scenes: meshes as OBJ files in millimetres, and combinations of simple shapes as parts of scenes.
 *
 *   make_shapes lily > scenes/shapes/lily.obj       petals in three rings: open sheets
 *   make_shapes sponge > scenes/shapes/sponge.yaml  a box with round pores that open into each other
 *
 * The same program writes the same bytes (tests/test_shapes.sh). Simpler bodies are put together in the scenes
 * themselves, by union and difference: scenes/statue.yaml. */
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

/* --- the lily --- */

typedef struct petal_ring {
    int petals;
    double turn;          /* of the first petal, in petals */
    double length, width; /* mm */
    double reach, rise;   /* how far it goes out and up, as shares of the length */
    double cup;           /* how much its sides are raised, as a share of the width */
} petal_ring;

enum { ALONG = 9, ACROSS = 6 };

/* Point of a petal: u from its root to its tip, v from side to side, -1 to 1. */
static void petal_point(const petal_ring *ring, double angle, double u, double v, double x[3]) {
    double half = 0.5 * ring->width * (0.12 + 0.88 * pow(sin(PI * pow(u, 0.85)), 0.8)) * (u < 1 ? 1 : 0);
    double out = 2.5 + ring->reach * ring->length * u, side = half * v;
    double up = ring->rise * ring->length * pow(u, 1.6) + ring->cup * ring->width * v * v * sin(PI * u);
    x[0] = out * cos(angle) - side * sin(angle);
    x[1] = out * sin(angle) + side * cos(angle);
    x[2] = up;
}

static int write_petal(const petal_ring *ring, double angle, int first) {
    /* rows of ACROSS + 1 points, then the tip */
    for (int i = 0; i < ALONG; i++)
        for (int j = 0; j <= ACROSS; j++) {
            double x[3];
            petal_point(ring, angle, (double)i / ALONG, 2.0 * j / ACROSS - 1, x);
            printf("v %.3f %.3f %.3f\n", x[0], x[1], x[2]);
        }
    double tip[3];
    petal_point(ring, angle, 1, 0, tip);
    printf("v %.3f %.3f %.3f\n", tip[0], tip[1], tip[2]);
    int row = ACROSS + 1, last = first + ALONG * row;
    for (int i = 0; i + 1 < ALONG; i++)
        for (int j = 0; j < ACROSS; j++) {
            int a = first + i * row + j;
            printf("f %d %d %d\nf %d %d %d\n", a, a + row, a + 1, a + 1, a + row, a + row + 1);
        }
    for (int j = 0; j < ACROSS; j++) printf("f %d %d %d\n", last - row + j, last, last - row + j + 1);
    return last + 1;
}

static void write_lily(void) {
    static const petal_ring rings[] = {
        {8, 0, 17, 10, 0.97, 0.28, 0.16},
        {8, 0.5, 15, 9, 0.80, 0.62, 0.18},
        {5, 0.25, 11, 8, 0.42, 0.88, 0.20},
    };
    printf("# a water lily, made by tools/make_shapes.c; millimetres\n");
    int first = 1;
    for (int r = 0; r < 3; r++)
        for (int p = 0; p < rings[r].petals; p++)
            first = write_petal(&rings[r], 2 * PI * (p + rings[r].turn) / rings[r].petals, first);
}

/* --- the sponge --- */

/* The same numbers everywhere, from 0 to 1. */
static double draw(unsigned *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) / 16777216.0;
}

/* Pores stand on a cubic lattice, a little off their places; they are wider than their distance and so open into each
 * other, to the sides and, cut by it, at the top. What is left are struts along the edges of the lattice's cells. */
static void write_sponge(void) {
    const double width = 14, height = 7, pitch = 3.5, lowest = 2.3, radius = 1.98, spread = 0.05, shift = 0.12;
    unsigned seed = 3;
    printf("# A sponge, made by tools/make_shapes.c: pores in a box on the plane z = 0.\n"
           "boundaries:\n  sponge:\n    shapes:\n      - difference:\n"
           "          - box: {min: [%g, %g, 0 mm], max: [%g, %g, %g mm]}\n",
           -width / 2, -width / 2, width / 2, width / 2, height);
    for (int k = 0; lowest + k * pitch < height; k++)
        for (int j = 0; j * pitch < width; j++)
            for (int i = 0; i * pitch < width; i++) {
                double x = (i + 0.5) * pitch - width / 2 + shift * (2 * draw(&seed) - 1);
                double y = (j + 0.5) * pitch - width / 2 + shift * (2 * draw(&seed) - 1);
                double z = lowest + k * pitch + shift * (2 * draw(&seed) - 1);
                double r = radius + spread * (2 * draw(&seed) - 1);
                printf("          - sphere: {center: [%.2f, %.2f, %.2f mm], radius: %.2f mm}\n", x, y, z, r);
            }
}

int main(int count, char **arguments) {
    const char *what = count == 2 ? arguments[1] : "";
    if (strcmp(what, "lily") == 0)
        write_lily();
    else if (strcmp(what, "sponge") == 0)
        write_sponge();
    else
        return fprintf(stderr, "usage: make_shapes lily|sponge\n"), 2;
    return ferror(stdout) || fflush(stdout) ? 1 : 0;
}
