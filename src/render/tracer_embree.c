/* The only file that knows Embree (version 3 or 4). */
#include "render/tracer_backend.h"

#ifdef BL_HAVE_EMBREE

#include <stdio.h>
#include <string.h>
#if BL_EMBREE_MAJOR >= 4
#include <embree4/rtcore.h>
#else
#include <embree3/rtcore.h>
#endif

typedef struct state {
    bl_context *ctx;
    RTCDevice device;
    RTCScene scene;
} state;

static bl_status failed(state *s, const char *what) {
    enum RTCError code = rtcGetDeviceError(s->device);
    return bl_fail(s->ctx, code == RTC_ERROR_OUT_OF_MEMORY ? BL_ERR_MEMORY : BL_ERR_INTERNAL,
                   "Embree could not %s (error %d)", what, (int)code);
}

static void embree_destroy(bl_context *ctx, void *user) {
    state *s = user;
    if (s->scene) rtcReleaseScene(s->scene);
    if (s->device) rtcReleaseDevice(s->device);
    bl_release(ctx, s);
}

static bl_status embree_create(bl_context *ctx, void **out) {
    state *s = bl_alloc(ctx, 1, sizeof *s);
    if (!s) return BL_ERR_MEMORY;
    s->ctx = ctx;
    char config[64];
    snprintf(config, sizeof config, "threads=%d,set_affinity=0", bl_threads(ctx));
    s->device = rtcNewDevice(config);
    s->scene = s->device ? rtcNewScene(s->device) : NULL;
    if (!s->scene) {
        bl_status status = bl_fail(ctx, BL_ERR_INTERNAL, "Embree could not be started");
        embree_destroy(ctx, s);
        return status;
    }
    rtcSetSceneFlags(s->scene, RTC_SCENE_FLAG_ROBUST);
    *out = s;
    return BL_OK;
}

static bl_status attach(state *s, RTCGeometry geometry, uint32_t object) {
    rtcCommitGeometry(geometry);
    rtcAttachGeometryByID(s->scene, geometry, object);
    rtcReleaseGeometry(geometry);
    return BL_OK;
}

static bl_status embree_add_mesh(void *user, const float (*x)[3], const float (*x_end)[3], size_t vertex_count,
                                 const uint32_t *triangles, size_t triangle_count, uint32_t object) {
    state *s = user;
    RTCGeometry g = rtcNewGeometry(s->device, RTC_GEOMETRY_TYPE_TRIANGLE);
    if (x_end) rtcSetGeometryTimeStepCount(g, 2);
    float *vertices = rtcSetNewGeometryBuffer(g, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, 3 * sizeof(float),
                                              vertex_count ? vertex_count : 1);
    uint32_t *indices = rtcSetNewGeometryBuffer(g, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, 3 * sizeof(uint32_t),
                                                triangle_count ? triangle_count : 1);
    float *ends = x_end ? rtcSetNewGeometryBuffer(g, RTC_BUFFER_TYPE_VERTEX, 1, RTC_FORMAT_FLOAT3, 3 * sizeof(float),
                                                  vertex_count ? vertex_count : 1)
                        : NULL;
    if (!vertices || !indices || (x_end && !ends)) {
        rtcReleaseGeometry(g);
        return failed(s, "hold the mesh");
    }
    memset(vertices, 0, 3 * sizeof(float));
    memset(indices, 0, 3 * sizeof(uint32_t));
    memcpy(vertices, x, vertex_count * 3 * sizeof(float));
    if (ends)
        memcpy(ends, vertex_count ? (const float *)x_end : vertices,
               3 * sizeof(float) * (vertex_count ? vertex_count : 1));
    memcpy(indices, triangles, triangle_count * 3 * sizeof(uint32_t));
    return attach(s, g, object);
}

static bl_status embree_add_spheres(void *user, const bl_sphere *spheres, size_t count, uint32_t object) {
    state *s = user;
    RTCGeometry g = rtcNewGeometry(s->device, RTC_GEOMETRY_TYPE_SPHERE_POINT);
    float *points =
        rtcSetNewGeometryBuffer(g, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT4, sizeof(bl_sphere), count ? count : 1);
    if (!points) {
        rtcReleaseGeometry(g);
        return failed(s, "hold the spheres");
    }
    memset(points, 0, sizeof(bl_sphere));
    memcpy(points, spheres, count * sizeof(bl_sphere));
    return attach(s, g, object);
}

static bl_status embree_commit(void *user) {
    state *s = user;
    rtcCommitScene(s->scene);
    return rtcGetDeviceError(s->device) == RTC_ERROR_NONE ? BL_OK : failed(s, "build its tree");
}

static bool embree_hit(const void *user, const bl_ray *ray, bl_hit *hit) {
    const state *s = user;
    struct RTCRayHit q = {.ray = {.org_x = (float)ray->origin.x,
                                  .org_y = (float)ray->origin.y,
                                  .org_z = (float)ray->origin.z,
                                  .tnear = (float)ray->min,
                                  .dir_x = (float)ray->dir.x,
                                  .dir_y = (float)ray->dir.y,
                                  .dir_z = (float)ray->dir.z,
                                  .tfar = (float)ray->max,
                                  .time = (float)ray->time,
                                  .mask = 0xffffffffu},
                          .hit = {.geomID = RTC_INVALID_GEOMETRY_ID, .primID = RTC_INVALID_GEOMETRY_ID}};
#if RTC_VERSION_MAJOR >= 4
    rtcIntersect1(s->scene, &q, NULL);
#else
    struct RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    rtcIntersect1(s->scene, &context, &q);
#endif
    if (q.hit.geomID == RTC_INVALID_GEOMETRY_ID) return false;
    bl_vec3d n = bl_v3d_make((double)q.hit.Ng_x, (double)q.hit.Ng_y, (double)q.hit.Ng_z);
    double length = bl_v3d_norm(n);
    *hit = (bl_hit){.t = (double)q.ray.tfar,
                    .normal = length > 0 ? bl_v3d_scale(1 / length, n) : bl_v3d_scale(-1, ray->dir),
                    .u = (double)q.hit.u,
                    .v = (double)q.hit.v,
                    .object = q.hit.geomID,
                    .element = q.hit.primID};
    return true;
}

static const bl_tracer_backend backend = {.name = RTC_VERSION_MAJOR >= 4 ? "Embree 4" : "Embree 3",
                                          .create = embree_create,
                                          .destroy = embree_destroy,
                                          .add_mesh = embree_add_mesh,
                                          .add_spheres = embree_add_spheres,
                                          .commit = embree_commit,
                                          .hit = embree_hit};
const bl_tracer_backend *const bl_tracer_embree = &backend;

#else

const bl_tracer_backend *const bl_tracer_embree = NULL;

#endif
