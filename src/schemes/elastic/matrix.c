#include "schemes/elastic/matrix.h"

#include <math.h>

enum { LARGEST = 4, SWEEPS = 12 };

/* A symmetric matrix on its way to its eigenvalues: `v` collects the rotations, its columns become the eigenvectors. */
typedef struct eigen {
    int size;
    double a[LARGEST][LARGEST], v[LARGEST][LARGEST];
} eigen;

static void rotate_columns(double m[LARGEST][LARGEST], int size, int p, int q, double c, double s) {
    for (int k = 0; k < size; k++) {
        double x = m[k][p], y = m[k][q];
        m[k][p] = c * x - s * y;
        m[k][q] = s * x + c * y;
    }
}

static void rotate_rows(double m[LARGEST][LARGEST], int size, int p, int q, double c, double s) {
    for (int k = 0; k < size; k++) {
        double x = m[p][k], y = m[q][k];
        m[p][k] = c * x - s * y;
        m[q][k] = s * x + c * y;
    }
}

/* One rotation of Jacobi's method: makes a[p][q] zero. */
static void annihilate(eigen *e, int p, int q) {
    if (e->a[p][q] == 0) return;
    double theta = (e->a[q][q] - e->a[p][p]) / (2 * e->a[p][q]);
    double t = (theta >= 0 ? 1 : -1) / (fabs(theta) + sqrt(theta * theta + 1));
    double c = 1 / sqrt(t * t + 1), s = t * c;
    rotate_columns(e->a, e->size, p, q, c, s);
    rotate_rows(e->a, e->size, p, q, c, s);
    rotate_columns(e->v, e->size, p, q, c, s);
}

static double off_diagonal(const eigen *e) {
    double sum = 0;
    for (int p = 0; p < e->size; p++)
        for (int q = p + 1; q < e->size; q++) sum += e->a[p][q] * e->a[p][q];
    return sum;
}

static void find_eigenvalues(eigen *e) {
    double scale = 0;
    for (int p = 0; p < e->size; p++)
        for (int q = 0; q < e->size; q++) {
            e->v[p][q] = p == q;
            scale += e->a[p][q] * e->a[p][q];
        }
    for (int sweep = 0; sweep < SWEEPS && off_diagonal(e) > 1e-32 * scale; sweep++)
        for (int p = 0; p < e->size; p++)
            for (int q = p + 1; q < e->size; q++) annihilate(e, p, q);
}

void bl_mat3_pseudo_inverse(const bl_mat3 *a, double smallest, bl_mat3 *inverse, bl_mat3 *projection) {
    eigen e = {.size = 3};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) e.a[i][j] = a->m[i][j];
    find_eigenvalues(&e);
    double largest = fmax(e.a[0][0], fmax(e.a[1][1], e.a[2][2]));
    *inverse = *projection = bl_mat3_zero();
    for (int k = 0; k < 3; k++) {
        if (!(e.a[k][k] > smallest * largest)) continue;
        bl_vec3d v = bl_v3d_make(e.v[0][k], e.v[1][k], e.v[2][k]);
        bl_mat3_add_outer(inverse, 1 / e.a[k][k], v, v);
        bl_mat3_add_outer(projection, 1, v, v);
    }
}

static bl_mat3 rotation_of_quaternion(double w, double x, double y, double z) {
    return (bl_mat3){{{w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)},
                      {2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)},
                      {2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z}}};
}

/* Horn 1987: trace(R^T F) is a quadratic form of R's quaternion; its largest eigenvalue's vector is the answer. */
bl_mat3 bl_mat3_rotation(const bl_mat3 *f) {
    const double(*m)[3] = f->m;
    eigen e = {.size = 4,
               .a = {{m[0][0] + m[1][1] + m[2][2], m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1]},
                     {m[2][1] - m[1][2], m[0][0] - m[1][1] - m[2][2], m[0][1] + m[1][0], m[0][2] + m[2][0]},
                     {m[0][2] - m[2][0], m[0][1] + m[1][0], m[1][1] - m[0][0] - m[2][2], m[1][2] + m[2][1]},
                     {m[1][0] - m[0][1], m[0][2] + m[2][0], m[1][2] + m[2][1], m[2][2] - m[0][0] - m[1][1]}}};
    find_eigenvalues(&e);
    int best = 0;
    for (int k = 1; k < 4; k++)
        if (e.a[k][k] > e.a[best][best]) best = k;
    return rotation_of_quaternion(e.v[0][best], e.v[1][best], e.v[2][best], e.v[3][best]);
}
