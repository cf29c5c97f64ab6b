/* Shapes for scenes: meshes as OBJ files in millimetres, and combinations of simple shapes as parts of scenes.
 *
 *   make_shapes lily > scenes/shapes/lily.obj                  petals in three rings: open sheets
 *   make_shapes statue > scenes/shapes/statue.obj              a figure with wings and a torch: a closed mesh
 *   make_shapes valve > scenes/shapes/valve.obj                a plug with a stem and a wheel: a closed mesh
 *   make_shapes sponge > scenes/shapes/sponge.yaml             a box with round pores that open into each other, on a
 * grate make_shapes sponge_paper > scenes/shapes/sponge_paper.yaml the same with more pores, for quality=paper
 *   make_shapes letters [TEXT] > scenes/shapes/letters.yaml    what a printer prints, in the font below
 *
 * The same program writes the same bytes (tests/test_shapes.sh). */
#include <ctype.h>
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
 * other, to the sides and, cut by them, at the top and at the bottom. What is left are struts along the edges of the
 * lattice's cells. `size` is that of the box over 14 mm, `fine` how many times as many pores there are along an edge,
 * `indent` of the lines. */
static void write_sponge_shapes(double size, int fine, const char *indent) {
    const double unit = size / fine, pitch = 3.5 * unit, lowest = 1.5 * unit, width = 14 * size;
    const int levels = 2 * fine;
    const double height = 2 * lowest + (levels - 1) * pitch;
    unsigned seed = 3;
    printf("%s  sponge:\n%s    shapes:\n%s      - difference:\n"
           "%s          - box: {min: [%g, %g, 0 mm], max: [%g, %g, %g mm]}\n",
           indent, indent, indent, indent, -width / 2, -width / 2, width / 2, width / 2, height);
    for (int k = 0; k < levels; k++)
        for (int j = 0; j * pitch < width - 1e-9; j++)
            for (int i = 0; i * pitch < width - 1e-9; i++) {
                double x = (i + 0.5) * pitch - width / 2 + 0.12 * unit * (2 * draw(&seed) - 1);
                double y = (j + 0.5) * pitch - width / 2 + 0.12 * unit * (2 * draw(&seed) - 1);
                double z = lowest + k * pitch + 0.12 * unit * (2 * draw(&seed) - 1);
                double r = unit * (1.98 + 0.05 * (2 * draw(&seed) - 1));
                printf("%s          - sphere: {center: [%.2f, %.2f, %.2f mm], radius: %.2f mm}\n", indent, x, y, z, r);
            }
}

/* Bars below the walls between the sponge's pores, so that these stay open. */
static void write_grate(double size, int fine, const char *indent) {
    const double pitch = 3.5 * size / fine, thick = 1.5, reach = 8.5 * size;
    printf("%s  grate:\n%s    shapes:\n", indent, indent);
    for (int i = 0; i <= 4 * fine; i++) {
        double x = (i - 2 * fine) * pitch;
        printf("%s      - box: {min: [%g, %g, %g mm], max: [%g, %g, 0 mm]}\n", indent, x - thick / 2, -reach, -thick,
               x + thick / 2, reach);
    }
}

static void write_sponge(void) {
    printf("# A sponge on a grate, made by tools/make_shapes.c: pores in a box on the plane z = 0.\nboundaries:\n");
    write_sponge_shapes(1, 1, "");
    write_grate(1, 1, "");
}

static void write_sponge_paper(void) {
    printf("# A sponge on a grate, made by tools/make_shapes.c, for quality=paper.\nqualities:\n  paper:\n    "
           "boundaries:\n");
    write_sponge_shapes(7.5, 2, "    ");
    write_grate(7.5, 2, "    ");
}

/* --- the valve --- */

/* A profile of (radius, height), turned about the z axis; it begins and ends on the axis. */
static void write_turned(const double (*profile)[2], int count, int sides) {
    printf("v 0 0 %.3f\n", profile[0][1]);
    for (int k = 1; k + 1 < count; k++)
        for (int i = 0; i < sides; i++) {
            double angle = 2 * PI * i / sides;
            printf("v %.3f %.3f %.3f\n", profile[k][0] * cos(angle), profile[k][0] * sin(angle), profile[k][1]);
        }
    printf("v 0 0 %.3f\n", profile[count - 1][1]);
    int last = 2 + (count - 2) * sides;
    for (int i = 0; i < sides; i++) {
        int next = (i + 1) % sides;
        printf("f 1 %d %d\n", 2 + next, 2 + i);
        for (int k = 0; k + 3 < count; k++) {
            int a = 2 + k * sides, b = a + sides;
            printf("f %d %d %d\nf %d %d %d\n", a + i, a + next, b + i, b + i, a + next, b + next);
        }
        printf("f %d %d %d\n", last - sides + i, last - sides + next, last);
    }
}

/* A round plug that closes a tube along x of up to 10 mm, a stem on it and a wheel. */
static void write_valve(void) {
    static const double profile[][2] = {{0, -6}, {2, -6}, {2, 6},    {0.8, 7},  {0.8, 16}, {6, 16},
                                        {7, 17}, {6, 18}, {0.8, 18}, {0.8, 19}, {0, 19}};
    printf("# a valve, made by tools/make_shapes.c: plug, stem and wheel about the z axis; millimetres\n");
    write_turned(profile, sizeof profile / sizeof *profile, 36);
}

/* --- letters --- */

/* Five rows a letter, the most usual ones. */
static const char *const FONT[128] = {
    ['A'] = ".##.|#..#|####|#..#|#..#",
    ['B'] = "###.|#..#|###.|#..#|###.",
    ['C'] = ".###|#...|#...|#...|.###",
    ['D'] = "###.|#..#|#..#|#..#|###.",
    ['E'] = "####|#...|###.|#...|####",
    ['F'] = "####|#...|###.|#...|#...",
    ['G'] = ".###|#...|#.##|#..#|.###",
    ['H'] = "#..#|#..#|####|#..#|#..#",
    ['I'] = "###|.#.|.#.|.#.|###",
    ['J'] = "..##|...#|...#|#..#|.##.",
    ['K'] = "#..#|#.#.|##..|#.#.|#..#",
    ['L'] = "#...|#...|#...|#...|####",
    ['M'] = "#...#|##.##|#.#.#|#...#|#...#",
    ['N'] = "#...#|##..#|#.#.#|#..##|#...#",
    ['O'] = ".##.|#..#|#..#|#..#|.##.",
    ['P'] = "###.|#..#|###.|#...|#...",
    ['Q'] = ".##.|#..#|#..#|#.#.|.#.#",
    ['R'] = "###.|#..#|###.|#.#.|#..#",
    ['S'] = ".###|#...|.##.|...#|###.",
    ['T'] = "#####|..#..|..#..|..#..|..#..",
    ['U'] = "#..#|#..#|#..#|#..#|.##.",
    ['V'] = "#...#|#...#|.#.#.|.#.#.|..#..",
    ['W'] = "#...#|#...#|#.#.#|##.##|#...#",
    ['X'] = "#...#|.#.#.|..#..|.#.#.|#...#",
    ['Y'] = "#...#|.#.#.|..#..|..#..|..#..",
    ['Z'] = "####|...#|.##.|#...|####",
    ['0'] = ".##.|#..#|#..#|#..#|.##.",
    ['1'] = ".#.|##.|.#.|.#.|###",
    ['2'] = "###.|...#|.##.|#...|####",
    ['3'] = "###.|...#|.##.|...#|###.",
    ['4'] = "#..#|#..#|####|...#|...#",
    ['5'] = "####|#...|###.|...#|###.",
    ['6'] = ".##.|#...|###.|#..#|.##.",
    ['7'] = "####|...#|..#.|.#..|.#..",
    ['8'] = ".##.|#..#|.##.|#..#|.##.",
    ['9'] = ".##.|#..#|.###|...#|.##.",
    [' '] = "..|..|..|..|..",
    ['-'] = "...|...|###|...|...",
    ['.'] = ".|.|.|.|#",
};

static const char *glyph_of(char letter) {
    int code = toupper((unsigned char)letter);
    return code < 128 ? FONT[code] : NULL;
}

/* Row by row, the letters one empty column apart. */
static int write_letters(const char *text) {
    for (const char *c = text; *c; c++)
        if (!glyph_of(*c)) return fprintf(stderr, "make_shapes: no letter '%c' in the font\n", *c), 2;
    printf("# Letters, made by tools/make_shapes.c.\nprinters:\n  head:\n    bitmap: |\n");
    for (int row = 0; row < 5; row++) {
        printf("      ");
        for (const char *c = text; *c; c++) {
            const char *glyph = glyph_of(*c);
            int width = (int)strcspn(glyph, "|");
            printf("%s%.*s", c > text ? "." : "", width, glyph + row * (width + 1));
        }
        printf("\n");
    }
    return 0;
}

/* --- the statue --- */

/* Distances to parts of the figure (mm), negative inside; parts melt into each other. */
static double length3(double x, double y, double z) { return sqrt(x * x + y * y + z * z); }

static double blend(double a, double b, double width) {
    double h = 0.5 + 0.5 * (b - a) / width;
    h = h < 0 ? 0 : h > 1 ? 1 : h;
    return b + (a - b) * h - width * h * (1 - h);
}

static double ellipsoid(const double p[3], double x, double y, double z, double rx, double ry, double rz) {
    double k = length3((p[0] - x) / rx, (p[1] - y) / ry, (p[2] - z) / rz);
    return (k - 1) * fmin(rx, fmin(ry, rz));
}

static double limb(const double p[3], const double a[3], const double b[3], double radius) {
    double along = 0, length2 = 0;
    for (int k = 0; k < 3; k++) along += (p[k] - a[k]) * (b[k] - a[k]), length2 += (b[k] - a[k]) * (b[k] - a[k]);
    double t = along / length2, d2 = 0;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    for (int k = 0; k < 3; k++) d2 += pow(p[k] - a[k] - t * (b[k] - a[k]), 2);
    return sqrt(d2) - radius;
}

/* A gown that widens downwards and has folds. */
static double gown(const double p[3]) {
    double angle = atan2(p[1], p[0]), down = (22 - p[2]) / 22;
    double r = 3.2 + 3.4 * down + 0.45 * down * cos(9 * angle) + 0.2 * down * cos(5 * angle + 1);
    double side = (hypot(p[0], 1.2 * p[1]) - r) * 0.85, end = fmax(2 - p[2], p[2] - 22);
    return fmax(side, end);
}

static double wing(const double p[3], double side) {
    const double q[3] = {side * p[0], p[1] - 2.6 - 0.25 * side * p[0], p[2]};
    double slanted[3] = {q[0], q[1], q[2] - 0.7 * q[0]};
    return ellipsoid(slanted, 5, 0, 23, 5.5, 1.1, 3.6);
}

static double figure_at(const double p[3]) {
    static const double neck[2][3] = {{0, 0, 27}, {0, 0, 31}};
    static const double raised[3][3] = {{3, 0, 27}, {6.2, -1, 31}, {7.2, -1.5, 36}};
    static const double lowered[3][3] = {{-3, 0, 27}, {-5.5, -1.5, 23}, {-4, -4, 20}};
    double base = fmax(hypot(p[0], p[1]) - 8.5, fmax(-p[2], p[2] - 3));
    double body = blend(gown(p), ellipsoid(p, 0, 0, 24, 4, 3, 5.5), 2);
    body = blend(body, limb(p, neck[0], neck[1], 1.4), 1.2);
    body = blend(body, ellipsoid(p, 0, -0.2, 33.6, 2.5, 2.7, 3.1), 0.8);
    for (int k = 0; k < 2; k++) {
        body = blend(body, limb(p, raised[k], raised[k + 1], 1.35), 0.8);
        body = blend(body, limb(p, lowered[k], lowered[k + 1], 1.35), 0.8);
    }
    body = blend(body, ellipsoid(p, 7.3, -1.6, 38, 1.7, 1.7, 2.2), 0.5); /* the torch */
    body = blend(body, fmin(wing(p, 1), wing(p, -1)), 0.8);
    return blend(base, body, 1);
}

enum { NX = 32, NY = 28, NZ = 48 };
static const double CELL = 0.9, CORNER[3] = {-14.3, -12.3, -1.27};
static double samples[NX][NY][NZ];
static int vertex_of[NX][NY][NZ];

static void place_of(int i, int j, int k, double x[3]) {
    x[0] = CORNER[0] + CELL * i, x[1] = CORNER[1] + CELL * j, x[2] = CORNER[2] + CELL * k;
}

/* One vertex in each cell that the surface passes: the mean of where it crosses the cell's edges. */
static int write_vertex(int i, int j, int k, int number) {
    double sum[3] = {0}, crossings = 0;
    for (int edge = 0; edge < 12; edge++) {
        int axis = edge / 4, u = edge % 4 & 1, v = edge % 4 >> 1;
        int a[3] = {i, j, k}, b[3], other = (axis + 1) % 3, third = (axis + 2) % 3;
        a[other] += u, a[third] += v;
        memcpy(b, a, sizeof b);
        b[axis]++;
        double from = samples[a[0]][a[1]][a[2]], to = samples[b[0]][b[1]][b[2]], x[3];
        if ((from < 0) == (to < 0)) continue;
        place_of(a[0], a[1], a[2], x);
        x[axis] += CELL * from / (from - to);
        for (int d = 0; d < 3; d++) sum[d] += x[d];
        crossings++;
    }
    if (crossings == 0) return 0;
    printf("v %.2f %.2f %.2f\n", sum[0] / crossings, sum[1] / crossings, sum[2] / crossings);
    return number;
}

/* Two triangles around each edge of the lattice that the surface crosses. */
static void write_faces(int i, int j, int k, int axis) {
    int p[3] = {i, j, k}, q[3] = {i, j, k}, u = (axis + 1) % 3, v = (axis + 2) % 3, corner[4];
    q[axis]++;
    int from = samples[p[0]][p[1]][p[2]] < 0, to = samples[q[0]][q[1]][q[2]] < 0;
    if (from == to) return;
    for (int c = 0; c < 4; c++) {
        int cell[3] = {i, j, k};
        cell[u] -= c == 1 || c == 2, cell[v] -= c >= 2;
        corner[c] = vertex_of[cell[0]][cell[1]][cell[2]];
    }
    int second = from ? 1 : 3, fourth = from ? 3 : 1;
    printf("f %d %d %d\nf %d %d %d\n", corner[0], corner[second], corner[2], corner[0], corner[2], corner[fourth]);
}

static void write_statue(void) {
    printf("# a figure with wings and a torch, made by tools/make_shapes.c; millimetres\n");
    for (int n = 0; n < NX * NY * NZ; n++) {
        double x[3];
        place_of(n / (NY * NZ), n / NZ % NY, n % NZ, x);
        samples[n / (NY * NZ)][n / NZ % NY][n % NZ] = figure_at(x);
    }
    int count = 0;
    for (int i = 0; i + 1 < NX; i++)
        for (int j = 0; j + 1 < NY; j++)
            for (int k = 0; k + 1 < NZ; k++) {
                vertex_of[i][j][k] = write_vertex(i, j, k, count + 1);
                count += vertex_of[i][j][k] > 0;
            }
    for (int i = 1; i + 1 < NX; i++)
        for (int j = 1; j + 1 < NY; j++)
            for (int k = 1; k + 1 < NZ; k++)
                for (int axis = 0; axis < 3; axis++) write_faces(i, j, k, axis);
}

typedef struct shape {
    const char *name;
    void (*write)(void);
} shape;

int main(int count, char **arguments) {
    static const shape shapes[] = {{"lily", write_lily},
                                   {"statue", write_statue},
                                   {"valve", write_valve},
                                   {"sponge", write_sponge},
                                   {"sponge_paper", write_sponge_paper}};
    const char *what = count >= 2 ? arguments[1] : "";
    int status = 2;
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes && count == 2; k++)
        if (strcmp(what, shapes[k].name) == 0) shapes[k].write(), status = 0;
    if (strcmp(what, "letters") == 0 && count <= 3)
        status = write_letters(count == 3 ? arguments[2] : "BEAD");
    else if (status)
        fprintf(stderr, "usage: make_shapes lily|statue|valve|sponge|sponge_paper|letters [TEXT]\n");
    return ferror(stdout) || fflush(stdout) ? 1 : status;
}
