/* Kernels stretched along sheets and threads, after Yu and Turk, "Reconstructing surfaces of particle-based fluids
 * using anisotropic kernels", 2013.
 *
 * The axes of a kernel follow the standard deviations of the particles around its own. Its volume is kept, so the field
 * stays a blurred indicator. Kernels in the surface of a bulk stay round: a kernel that is narrow there and wide below
 * would move the level away from 1/2. Particles are not moved towards their neighbours' mean as in the paper, since
 * that shrinks the fluid: the mesh is smoothed instead. */
#include "surface/samples.h"

#include <math.h>

#define MAX_RATIO 4.0 /* between the longest and the shortest axis */
enum { MIN_NEIGHBOURS = 6, SWEEPS = 6 };

/* Weighted covariance of the points around particle i; returns their number. xx, yy, zz, xy, xz, yz. */
static int covariance(const bl_bins *bins, const bl_run *runs, int run_count, uint32_t i, double cov[6]) {
    double w_sum = 0.0, mean[3] = {0}, second[6] = {0};
    int n = 0;
    for (int r = 0; r < run_count; r++) {
        for (uint32_t k = runs[r].begin; k < runs[r].end; k++) {
            const double d[3] = {(double)(bins->x[k] - bins->x[i]), (double)(bins->y[k] - bins->y[i]),
                                 (double)(bins->z[k] - bins->z[i])};
            const double q = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) / (double)BL_KERNEL_H;
            if (q >= 1.0) continue;
            const double w = 1.0 - q * q * q;
            n++;
            w_sum += w;
            for (int a = 0; a < 3; a++) mean[a] += w * d[a], second[a] += w * d[a] * d[a];
            second[3] += w * d[0] * d[1], second[4] += w * d[0] * d[2], second[5] += w * d[1] * d[2];
        }
    }
    for (int a = 0; a < 3; a++) mean[a] /= w_sum;
    for (int a = 0; a < 3; a++) cov[a] = second[a] / w_sum - mean[a] * mean[a];
    cov[3] = second[3] / w_sum - mean[0] * mean[1];
    cov[4] = second[4] / w_sum - mean[0] * mean[2];
    cov[5] = second[5] / w_sum - mean[1] * mean[2];
    return n;
}

/* One Jacobi rotation in the plane (p, q); columns of `axes` are the eigenvectors in the end. */
static void rotate(double m[3][3], double axes[3][3], int p, int q) {
    if (fabs(m[p][q]) < 1e-14) return;
    const double theta = (m[q][q] - m[p][p]) / (2.0 * m[p][q]);
    const double t = (theta >= 0.0 ? 1.0 : -1.0) / (fabs(theta) + sqrt(theta * theta + 1.0));
    const double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
    for (int k = 0; k < 3; k++) {
        const double a = m[k][p], b = m[k][q];
        m[k][p] = c * a - s * b, m[k][q] = s * a + c * b;
    }
    for (int k = 0; k < 3; k++) {
        const double a = m[p][k], b = m[q][k];
        m[p][k] = c * a - s * b, m[q][k] = s * a + c * b;
    }
    for (int k = 0; k < 3; k++) {
        const double a = axes[k][p], b = axes[k][q];
        axes[k][p] = c * a - s * b, axes[k][q] = s * a + c * b;
    }
}

static void eigen(const double cov[6], double value[3], double axes[3][3]) {
    double m[3][3] = {{cov[0], cov[3], cov[4]}, {cov[3], cov[1], cov[5]}, {cov[4], cov[5], cov[2]}};
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) axes[a][b] = a == b;
    for (int sweep = 0; sweep < SWEEPS; sweep++) rotate(m, axes, 0, 1), rotate(m, axes, 0, 2), rotate(m, axes, 1, 2);
    for (int a = 0; a < 3; a++) value[a] = m[a][a] > 0.0 ? m[a][a] : 0.0;
}

/* Half-axes of the kernel relative to H: standard deviations, not too different, scaled to the volume of a ball. */
static void half_axes(const double variance[3], double half[3]) {
    double longest = 0.0, product = 1.0;
    for (int a = 0; a < 3; a++) half[a] = sqrt(variance[a]), longest = half[a] > longest ? half[a] : longest;
    for (int a = 0; a < 3; a++) {
        if (half[a] < longest / MAX_RATIO) half[a] = longest / MAX_RATIO;
        product *= half[a];
    }
    for (int a = 0; a < 3; a++) half[a] /= cbrt(product);
}

static double middle_of(const double v[3]) {
    const double low = fmin(v[0], v[1]), high = fmax(v[0], v[1]);
    return fmin(fmax(low, v[2]), high);
}

/* Sum of kernels of the form `m` around particle i. */
static float sum_with_form(const bl_bins *bins, const bl_run *runs, int run_count, uint32_t i, const float m[6]) {
    float sum = 0.0f;
    for (int r = 0; r < run_count; r++) {
        for (uint32_t k = runs[r].begin; k < runs[r].end; k++) {
            const float x = bins->x[k] - bins->x[i], y = bins->y[k] - bins->y[i], z = bins->z[k] - bins->z[i];
            sum += bl_kernel(m[0] * x * x + m[1] * y * y + m[2] * z * z +
                             2.0f * (m[3] * x * y + m[4] * x * z + m[5] * y * z));
        }
    }
    return BL_KERNEL_C * sum;
}

static void set_form(const double axes[3][3], const double half[3], float form[6]) {
    double m[3][3] = {{0}};
    for (int k = 0; k < 3; k++) {
        const double inv = 1.0 / (half[k] * (double)BL_KERNEL_H);
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++) m[a][b] += axes[a][k] * axes[b][k] * inv * inv;
    }
    for (int a = 0; a < 3; a++) form[a] = (float)m[a][a];
    form[3] = (float)m[0][1], form[4] = (float)m[0][2], form[5] = (float)m[1][2];
}

float bl_sample_form(bl_field *field, const bl_run *runs, int run_count, uint32_t i, float share) {
    double cov[6], variance[3], half[3] = {1.0, 1.0, 1.0}, axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    if (share > 0.0f && covariance(&field->bins, runs, run_count, i, cov) >= MIN_NEIGHBOURS &&
        cov[0] + cov[1] + cov[2] > 1e-6) {
        eigen(cov, variance, axes);
        half_axes(variance, half);
        for (int a = 0; a < 3; a++) half[a] = pow(half[a], (double)share);
    }
    set_form((const double(*)[3])axes, half, field->form[i]);
    field->spread[i] = (float)(middle_of(half) * middle_of(half));
    return sum_with_form(&field->bins, runs, run_count, i, field->form[i]);
}
