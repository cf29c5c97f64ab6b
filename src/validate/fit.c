#include "validate/fit.h"

#include <math.h>

bl_line_fit bl_fit_line(const double *x, const double *y, size_t count) {
    double n = (double)count, sx = 0, sy = 0, sxx = 0, sxy = 0, rest = 0;
    for (size_t k = 0; k < count; k++) sx += x[k], sy += y[k];
    double mx = sx / n, my = sy / n;
    for (size_t k = 0; k < count; k++) {
        sxx += (x[k] - mx) * (x[k] - mx);
        sxy += (x[k] - mx) * (y[k] - my);
    }
    if (count < 2 || !(sxx > 0)) return (bl_line_fit){(double)NAN, (double)NAN, (double)NAN};
    bl_line_fit fit = {.slope = sxy / sxx, .offset = my - sxy / sxx * mx};
    for (size_t k = 0; k < count; k++) rest += pow(y[k] - fit.offset - fit.slope * x[k], 2);
    fit.deviation = sqrt(rest / n);
    return fit;
}

/* Solve the symmetric 3x3 system by elimination; false if it is singular. */
static bool solve3(double m[3][4]) {
    for (int c = 0; c < 3; c++) {
        int pivot = c;
        for (int r = c + 1; r < 3; r++)
            if (fabs(m[r][c]) > fabs(m[pivot][c])) pivot = r;
        if (!(fabs(m[pivot][c]) > 1e-14)) return false;
        for (int k = 0; k < 4; k++) {
            double swap = m[c][k];
            m[c][k] = m[pivot][k];
            m[pivot][k] = swap;
        }
        for (int r = 0; r < 3; r++) {
            double factor = r == c ? 0 : m[r][c] / m[c][c];
            for (int k = c; k < 4; k++) m[r][k] -= factor * m[c][k];
        }
    }
    return true;
}

typedef struct samples {
    const double *t, *y;
    size_t count;
} samples;

double bl_wave_at(const bl_wave_fit *fit, double t) {
    double phase = fit->frequency * t;
    return exp(-fit->decay * t) * (fit->a * cos(phase) + fit->b * sin(phase)) + fit->offset;
}

/* The best a, b, offset for this decay and frequency; returns the sum of squared residuals. */
static double solve_linear(const samples *s, bl_wave_fit *fit) {
    double m[3][4] = {{0}};
    for (size_t k = 0; k < s->count; k++) {
        double e = exp(-fit->decay * s->t[k]), phase = fit->frequency * s->t[k];
        double basis[4] = {e * cos(phase), e * sin(phase), 1, s->y[k]};
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 4; c++) m[r][c] += basis[r] * basis[c] / (double)s->count;
    }
    if (!solve3(m)) return (double)INFINITY;
    fit->a = m[0][3] / m[0][0];
    fit->b = m[1][3] / m[1][1];
    fit->offset = m[2][3] / m[2][2];
    double rest = 0;
    for (size_t k = 0; k < s->count; k++) rest += pow(s->y[k] - bl_wave_at(fit, s->t[k]), 2);
    return rest;
}

/* The best of a grid of (2n+1)^2 points around the centre. */
static bl_wave_fit search(const samples *s, bl_wave_fit center, double d_frequency, double d_decay, int n) {
    bl_wave_fit best = center;
    double least = (double)INFINITY;
    for (int i = -n; i <= n; i++) {
        for (int j = -n; j <= n; j++) {
            bl_wave_fit fit = {.frequency = center.frequency + i * d_frequency / n,
                               .decay = center.decay + j * d_decay / n};
            double rest = fit.frequency > 0 ? solve_linear(s, &fit) : (double)INFINITY;
            if (rest < least) {
                least = rest;
                best = fit;
            }
        }
    }
    return best;
}

static double variance_sum(const samples *s) {
    double mean = 0, sum = 0;
    for (size_t k = 0; k < s->count; k++) mean += s->y[k] / (double)s->count;
    for (size_t k = 0; k < s->count; k++) sum += pow(s->y[k] - mean, 2);
    return sum;
}

bl_wave_fit bl_fit_wave(const double *t, const double *y, size_t count, double guess) {
    samples s = {t, y, count};
    bl_wave_fit fit = {.frequency = 1.6 * guess, .decay = 0.9 * guess};
    if (count < 8 || !(variance_sum(&s) > 0)) return (bl_wave_fit){(double)NAN, (double)NAN, 0, 0, 0, (double)NAN};
    double d_frequency = 1.4 * guess, d_decay = 1.1 * guess;
    fit = search(&s, fit, d_frequency, d_decay, 40);
    d_frequency /= 20, d_decay /= 20;
    for (int round = 0; round < 12; round++, d_frequency /= 2.5, d_decay /= 2.5)
        fit = search(&s, fit, d_frequency, d_decay, 4);
    fit.deviation = sqrt(solve_linear(&s, &fit) / variance_sum(&s));
    return fit;
}

/* Sum of squared residuals of the best a e^(rate t) + b e^(-rate t); t from the first point, for the sake of rounding.
 */
static double growth_residual(const samples *s, double rate) {
    double uu = 0, uv = 0, vv = 0, uy = 0, vy = 0, rest = 0;
    for (size_t k = 0; k < s->count; k++) {
        double u = exp(rate * (s->t[k] - s->t[0])), v = 1 / u;
        uu += u * u, uv += u * v, vv += v * v, uy += u * s->y[k], vy += v * s->y[k];
    }
    double below = uu * vv - uv * uv;
    if (!(below > 1e-12 * uu * vv)) return (double)INFINITY;
    double a = (uy * vv - vy * uv) / below, b = (vy * uu - uy * uv) / below;
    for (size_t k = 0; k < s->count; k++) {
        double u = exp(rate * (s->t[k] - s->t[0]));
        rest += pow(s->y[k] - a * u - b / u, 2);
    }
    return rest;
}

double bl_fit_growth(const double *t, const double *y, size_t count, double guess) {
    samples s = {t, y, count};
    if (count < 6) return (double)NAN;
    double center = 1.5 * guess, width = 1.5 * guess;
    for (int round = 0; round < 12; round++, width /= 8) {
        double best = center, least = (double)INFINITY;
        for (int i = -40; i <= 40; i++) {
            double rate = center + i * width / 40, rest = rate > 0 ? growth_residual(&s, rate) : (double)INFINITY;
            if (rest < least) least = rest, best = rate;
        }
        center = best;
    }
    return center;
}

void bl_span_below(const double *t, const double *y, size_t count, double level, double *first, double *last) {
    *first = count && y[0] < level ? t[0] : (double)NAN;
    *last = (double)NAN;
    for (size_t k = 1; k < count; k++) {
        bool before = y[k - 1] < level, now = y[k] < level;
        if (before == now) continue;
        double at = t[k - 1] + (t[k] - t[k - 1]) * (level - y[k - 1]) / (y[k] - y[k - 1]);
        if (now && isnan(*first)) *first = at;
        *last = now ? (double)NAN : at;
    }
}

double bl_fit_sliding(const double *slope, const double *way, size_t count, double from, double to) {
    enum { FEWEST = 3 };
    double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
    size_t begin = 0, end = 0;
    while (end < count && way[end] < to) end++;
    if (end == count) return count ? slope[count - 1] : (double)NAN;
    for (begin = end; begin > 0 && way[begin - 1] >= from;) begin--;
    for (size_t k = begin; k <= end; k++) {
        double x = cbrt(way[k]);
        n++, sx += x, sy += slope[k], sxx += x * x, sxy += x * slope[k];
    }
    double latest = slope[begin > 0 ? begin - 1 : 0]; /* still at rest here */
    if (n < FEWEST) return latest;
    double rise = (n * sxy - sx * sy) / (n * sxx - sx * sx);
    return fmin((sy - rise * sx) / n, latest);
}
