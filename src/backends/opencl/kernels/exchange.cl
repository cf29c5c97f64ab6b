/* Particles that come and go: who concerns sources and sinks, compaction, periodic directions. */

/* Filled in by the host: struct bl_cl_fence. */
typedef struct bl_cl_fence {
    real min[3], max[3];
    int periodic[3], fence[3]; /* along each axis: wrapped; watched */
    real dt;
} bl_cl_fence;

real wrap_along(const bl_cl_fence *f, int a, real x) {
    if (!f->periodic[a] || (x >= f->min[a] && x < f->max[a])) return x;
    /* in double where there is any: as the host does it */
    double period = (double)f->max[a] - (double)f->min[a];
    return (real)((double)x - period * floor(((double)x - (double)f->min[a]) / period));
}

bl_vec3 wrap_vector(const bl_cl_fence *f, bl_vec3 x) {
    return bl_v3_make(wrap_along(f, 0, x.x), wrap_along(f, 1, x.y), wrap_along(f, 2, x.z));
}

__kernel void wrap(const bl_cl_fence f, __global bl_vec3 *x, uint count) {
    uint i = (uint)get_global_id(0);
    if (i < count) x[i] = wrap_vector(&f, x[i]);
}

int in_boxes(__global const real *boxes, uint n, bl_vec3 x) {
    for (uint k = 0; k < n; ++k) {
        __global const real *b = boxes + 6 * k;
        if (x.x >= b[0] && x.y >= b[1] && x.z >= b[2] && x.x <= b[3] && x.y <= b[4] && x.z <= b[5]) return 1;
    }
    return 0;
}

int is_outside(const bl_cl_fence *f, bl_vec3 x) {
    real c[3] = {x.x, x.y, x.z};
    for (int a = 0; a < 3; ++a)
        if (f->fence[a] && !(c[a] > f->min[a] && c[a] < f->max[a])) return 1;
    return 0;
}

int is_lent(const bl_cl_fence *f, __global const real *boxes, uint n, bl_vec3 x, bl_vec3 v) {
    return is_outside(f, x) || in_boxes(boxes, n, x) || in_boxes(boxes, n, wrap_vector(f, x)) ||
           in_boxes(boxes, n, bl_v3_mad(x, -f->dt, v));
}

__kernel void lend_mark(const bl_cl_fence f, __global const real *boxes, uint n, __global const bl_vec3 *x,
                        __global const bl_vec3 *v, uint count, __global uint *place) {
    uint i = (uint)get_global_id(0);
    if (i < count) place[i] = (uint)is_lent(&f, boxes, n, x[i], v[i]);
}
/* After the prefix sum: seven numbers each, and the index. */
__kernel void lend_list(const bl_cl_fence f, __global const real *boxes, uint n, __global const bl_vec3 *x,
                        __global const bl_vec3 *v, __global const uint *held, uint count, __global const uint *place,
                        __global real *out, __global uint *index) {
    uint i = (uint)get_global_id(0);
    if (i >= count) return;
    bl_vec3 xi = x[i], vi = v[i];
    if (!is_lent(&f, boxes, n, xi, vi)) return;
    __global real *to = out + 7 * (ulong)place[i];
    to[0] = xi.x, to[1] = xi.y, to[2] = xi.z, to[3] = vi.x, to[4] = vi.y, to[5] = vi.z, to[6] = (real)held[i];
    index[place[i]] = i;
}

__kernel void lend_return(__global const real *from, __global const uint *index, uint count, __global bl_vec3 *x,
                          __global bl_vec3 *v, __global uint *held) {
    uint k = (uint)get_global_id(0);
    if (k >= count) return;
    __global const real *p = from + 7 * (ulong)k;
    x[index[k]] = bl_v3_make(p[0], p[1], p[2]);
    v[index[k]] = bl_v3_make(p[3], p[4], p[5]);
    held[index[k]] = (uint)p[6];
}

/* Removal: everybody stays but those named; after the prefix sum the order of those who do. */
__kernel void stay_all(__global uint *place, uint count) {
    uint i = (uint)get_global_id(0);
    if (i < count) place[i] = 1;
}
__kernel void stay_not(__global uint *place, __global const uint *removed, uint count) {
    uint k = (uint)get_global_id(0);
    if (k < count) place[removed[k]] = 0;
}
__kernel void stay_order(__global const uint *place, uint total, uint count, __global uint *order) {
    uint i = (uint)get_global_id(0);
    if (i < count && place[i] < (i + 1 < count ? place[i + 1] : total)) order[place[i]] = i;
}
