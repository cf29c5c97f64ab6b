#include "render/paths.h"
#include "render/caustics.h"
#include <math.h>

#define PI 3.14159265358979323846

/* Distance a new ray starts off its surface, against hitting it again; stage units. */
static const double LIFT = 2e-5;
/* Brightest light one path may bring once it was scattered: cuts rare sparkles; the film is white long before. */
static const double CLAMP = 8;

bool bl_is_matt(const bl_material *m) {
    return m->kind == BL_MATERIAL_DIFFUSE || m->kind == BL_MATERIAL_COATED || m->kind == BL_MATERIAL_UNLIT;
}

static bl_ray leave(const bl_surface_point *p, bl_vec3d dir) {
    double side = bl_v3d_dot(dir, p->outer) > 0 ? LIFT : -LIFT;
    return (bl_ray){bl_v3d_mad(p->x, side, p->outer), dir, 0, HUGE_VAL, p->time};
}

/* The geometric side must match the side that the direction was meant for. */
static bool leaves_to_front(const bl_surface_point *p, bl_vec3d dir) {
    double side = bl_v3d_dot(dir, p->outer);
    return p->inside ? side < 0 : side > 0;
}

/* Of a liquid's surface, where `dir` is refracted to `through`. */
static bl_vec3d reflectance(const bl_surface_point *p, const bl_crossing *c, bl_vec3d dir, bl_vec3d through) {
    const bl_material *m = &p->object->material;
    if (m->film > 0 && (!c->from || !c->to)) { /* a film is one of air */
        double outside = fabs(bl_v3d_dot(c->from ? through : dir, p->normal));
        double thickness = fmax(0, m->film + bl_v3d_dot(m->film_slope, p->x));
        return bl_film_reflectance(fmin(1, outside), m->ior, thickness);
    }
    double r = bl_fresnel(fmin(1, -bl_v3d_dot(dir, p->normal)), bl_crossing_eta(c));
    return bl_v3d_make(r, r, r);
}

/* Whether the light is mirrored, by chance; *weight is scaled to make up for the choice. */
static bool choose_mirror(bl_vec3d reflected, bl_vec3d *weight, bl_sampler *sampler) {
    /* reflections are chosen more often than they carry light, since lamps seen in them are bright */
    double chance = 0.1 + 0.8 * reflected.y;
    bool mirror = bl_sampler_1d(sampler) < chance;
    bl_vec3d share = mirror ? reflected : bl_v3d_sub(bl_v3d_make(1, 1, 1), reflected);
    *weight = bl_v3d_mul(*weight, bl_v3d_scale(1 / (mirror ? chance : 1 - chance), share));
    return mirror;
}

static void scatter_liquid(const bl_stage *stage, const bl_surface_point *p, bl_ray *ray, bl_vec3d *weight,
                           bl_media *media, bl_sampler *sampler) {
    bl_crossing c = bl_media_cross(stage, p, *media);
    /* nothing bends in the gap that the mesh leaves between liquid and solid, nor within an overlap of liquids */
    if (p->wet || c.from == c.to) {
        *ray = leave(p, ray->dir);
        *media = c.after;
        return;
    }
    double eta = bl_crossing_eta(&c);
    bl_vec3d dir;
    bool mirror = !bl_refract(ray->dir, p->normal, eta, &dir) ||
                  choose_mirror(reflectance(p, &c, ray->dir, dir), weight, sampler);
    if (mirror) dir = bl_reflect(ray->dir, p->normal);
    /* a normal that is bent against the triangle may send the ray to the wrong side: take the triangle's own */
    if (leaves_to_front(p, dir) != mirror) {
        bl_vec3d flat = p->inside ? bl_v3d_scale(-1, p->outer) : p->outer;
        mirror = mirror || !bl_refract(ray->dir, flat, eta, &dir);
        if (mirror) dir = bl_reflect(ray->dir, flat);
    }
    *ray = leave(p, dir);
    if (!mirror) *media = c.after;
}

static bool scatter_metal(const bl_surface_point *p, bl_ray *ray, bl_vec3d *weight, bl_sampler *sampler) {
    double u[2], grazing = pow(1 - fmin(1, -bl_v3d_dot(ray->dir, p->normal)), 5);
    bl_sampler_2d(sampler, u);
    bl_vec3d dir = bl_sample_lobe(bl_reflect(ray->dir, p->normal), p->object->material.roughness, u);
    bl_vec3d f = bl_v3d_mad(bl_v3d_scale(1 - grazing, p->color), grazing, bl_v3d_make(1, 1, 1));
    *weight = bl_v3d_mul(*weight, f);
    if (!leaves_to_front(p, dir)) return false;
    *ray = leave(p, dir);
    return true;
}

static bool scatter_pane(const bl_surface_point *p, bl_ray *ray, bl_vec3d *weight, bl_sampler *sampler) {
    double r = bl_fresnel(fmin(1, -bl_v3d_dot(ray->dir, p->normal)), p->object->material.ior);
    double reflected = 2 * r / (1 + r); /* both faces, all orders */
    if (bl_sampler_1d(sampler) < reflected) {
        *ray = leave(p, bl_reflect(ray->dir, p->inside ? bl_v3d_scale(-1, p->outer) : p->outer));
    } else {
        *weight = bl_v3d_mul(*weight, p->color);
        *ray = leave(p, ray->dir);
    }
    return true;
}

bool bl_scatter_mirror(const bl_stage *stage, const bl_surface_point *p, bl_ray *ray, bl_vec3d *weight, bl_media *media,
                       bl_sampler *sampler) {
    switch (p->object->material.kind) {
    case BL_MATERIAL_LIQUID: scatter_liquid(stage, p, ray, weight, media, sampler); return true;
    case BL_MATERIAL_METAL: return scatter_metal(p, ray, weight, sampler);
    case BL_MATERIAL_PANE: return scatter_pane(p, ray, weight, sampler);
    default: return false;
    }
}

/* How much lamp light comes through from `ray`'s direction. With a photon map a liquid throws a full shadow, since the
 * map holds the light that went through it; without one it lets light pass straight. */
static bl_vec3d visibility(const bl_stage *stage, bl_ray ray, bl_media media) {
    bl_vec3d left = bl_v3d_make(1, 1, 1);
    for (int k = 0; k < 24; k++) {
        bl_surface_point p;
        if (!bl_stage_hit(stage, ray, &p)) return left;
        const bl_material *m = &p.object->material;
        bl_media_arrive(stage, &p, &media, &left);
        if (m->kind == BL_MATERIAL_LIQUID && !stage->caustics) {
            bl_crossing c = bl_media_cross(stage, &p, media);
            double cosine = fmin(1, -bl_v3d_dot(ray.dir, p.normal));
            if (!p.wet && c.from != c.to) left = bl_v3d_scale(1 - bl_fresnel(cosine, bl_crossing_eta(&c)), left);
            media = c.after;
        } else if (m->kind == BL_MATERIAL_PANE) {
            left = bl_v3d_mul(left, p.color);
        } else {
            return bl_v3d_zero();
        }
        ray = leave(&p, ray.dir);
    }
    return bl_v3d_zero();
}

static bl_vec3d lamp_light(const bl_stage *stage, const bl_surface_point *p, int box, bl_media media,
                           bl_sampler *sampler) {
    double u[2];
    bl_sampler_2d(sampler, u);
    bl_vec3d weight, to = bl_light_sample(&stage->light, box, u, &weight);
    double cosine = bl_v3d_dot(to, p->normal);
    if (cosine <= 0 || !leaves_to_front(p, to)) return bl_v3d_zero();
    return bl_v3d_mul(visibility(stage, leave(p, to), media), bl_v3d_scale(cosine, weight));
}

/* Irradiance from the lamps: where the camera looks all of them, direct and through liquids, else one of them. */
static bl_vec3d irradiance(const bl_stage *stage, const bl_surface_point *p, bool first, bl_media media,
                           bl_sampler *sampler) {
    int n = stage->light.box_count;
    bl_vec3d sum = bl_v3d_zero();
    if (first) {
        sum = bl_caustics_at(stage->caustics, p->x, p->normal);
        for (int i = 0; i < n; i++) sum = bl_v3d_add(sum, lamp_light(stage, p, i, media, sampler));
    } else if (n) {
        double chance;
        int i = bl_light_choose(&stage->light, bl_sampler_1d(sampler), &chance);
        sum = bl_v3d_scale(1 / chance, lamp_light(stage, p, i, media, sampler));
    }
    return sum;
}

static double smooth_step(double x) {
    x = x < 0 ? 0 : x > 1 ? 1 : x;
    return x * x * (3 - 2 * x);
}

/* A path on its way. */
typedef struct walk {
    const bl_stage *stage;
    bl_sampler *sampler;
    bl_ray ray;
    bl_vec3d weight, sum;
    bl_media media;  /* liquids it is in */
    bool sees_lamps; /* the next lamp met was not yet counted */
    bool soaked;     /* left a liquid where it touches a solid: the solid's coat is lost in it */
    bool scattered;  /* met anything at all */
    bool glossy;     /* was mirrored by a coat */
    int matt;        /* matt surfaces met */
} walk;

static void collect(walk *w, bl_vec3d light) {
    bl_vec3d add = bl_v3d_mul(w->weight, light);
    double peak = fmax(add.x, fmax(add.y, add.z));
    if (w->scattered && peak > CLAMP) add = bl_v3d_scale(CLAMP / peak, add);
    w->sum = bl_v3d_add(w->sum, add);
}

/* A far floor melts into the dome behind it: a studio without an edge. */
static void fade_floor(walk *w, const bl_surface_point *p) {
    double distance = bl_v3d_norm(bl_v3d_sub(p->x, w->stage->camera.origin));
    double share = smooth_step((distance - p->object->fade) / (3 * p->object->fade));
    if (share <= 0) return;
    bl_vec3d up = w->stage->light.up, flat = bl_v3d_mad(w->ray.dir, -bl_v3d_dot(w->ray.dir, up), up);
    bl_vec3d keep = w->weight;
    w->weight = bl_v3d_scale(share, keep);
    collect(w, bl_light_dome(&w->stage->light, flat));
    w->weight = bl_v3d_scale(1 - share, keep);
}

/* The clear coat takes its share: false when the path goes on as a reflection. */
static bool enter_coat(walk *w, const bl_surface_point *p) {
    const bl_material *m = &p->object->material;
    double reflected = bl_fresnel(fmin(1, -bl_v3d_dot(w->ray.dir, p->normal)), m->ior);
    double chance = fmin(0.9, 0.05 + 0.9 * reflected), u[2];
    if (bl_sampler_1d(w->sampler) >= chance) {
        w->weight = bl_v3d_scale((1 - reflected) / (1 - chance), w->weight);
        return true;
    }
    bl_sampler_2d(w->sampler, u);
    bl_vec3d dir = bl_sample_lobe(bl_reflect(w->ray.dir, p->normal), m->roughness, u);
    w->weight = bl_v3d_scale(leaves_to_front(p, dir) ? reflected / chance : 0, w->weight);
    w->ray = leave(p, dir);
    w->sees_lamps = w->matt == 0;
    w->glossy = true;
    return false;
}

static void scatter_matt(walk *w, const bl_surface_point *p) {
    w->weight = bl_v3d_mul(w->weight, p->color);
    bl_vec3d e = irradiance(w->stage, p, w->matt == 0, w->media, w->sampler);
    collect(w, bl_v3d_scale(1 / PI, e));
    double u[2];
    bl_sampler_2d(w->sampler, u);
    bl_vec3d dir = bl_sample_cosine(p->normal, u);
    if (!leaves_to_front(p, dir)) w->weight = bl_v3d_zero();
    w->ray = leave(p, dir);
    w->sees_lamps = false;
    w->matt++;
}

/* One meeting; false ends the path. */
static bool advance(walk *w, const bl_surface_point *p) {
    bool soaked = w->soaked;
    bl_media_arrive(w->stage, p, &w->media, &w->weight);
    w->scattered = true;
    w->soaked = p->wet && p->inside;
    /* a lamp seen in a coat by way of a liquid or a metal is a rare and glaring path: leave the lamp out */
    bl_material_kind kind = p->object->material.kind;
    if (w->glossy && (kind == BL_MATERIAL_LIQUID || kind == BL_MATERIAL_METAL)) w->sees_lamps = false;
    if (p->object->fade > 0) fade_floor(w, p);
    switch (p->object->material.kind) {
    case BL_MATERIAL_UNLIT: collect(w, p->color); return false;
    case BL_MATERIAL_COATED:
        if (soaked || enter_coat(w, p)) scatter_matt(w, p);
        return true;
    case BL_MATERIAL_DIFFUSE: scatter_matt(w, p); return true;
    default: return bl_scatter_mirror(w->stage, p, &w->ray, &w->weight, &w->media, w->sampler);
    }
}

/* Paths that carry little are ended at random, the others made up for it. */
static bool survives(walk *w) {
    double keep = fmin(0.95, fmax(w->weight.x, fmax(w->weight.y, w->weight.z)));
    if (!(keep > 0) || bl_sampler_1d(w->sampler) >= keep) return false;
    w->weight = bl_v3d_scale(1 / keep, w->weight);
    return true;
}

bl_vec3d bl_path_radiance(const bl_stage *stage, bl_ray ray, bl_sampler *sampler) {
    walk w = {.stage = stage, .sampler = sampler, .ray = ray, .weight = bl_v3d_make(1, 1, 1), .sees_lamps = true};
    for (int bounce = 0; bounce < BL_PATH_MAX; bounce++) {
        bl_surface_point p;
        if (!bl_stage_hit(stage, w.ray, &p)) {
            collect(&w,
                    w.sees_lamps ? bl_light_all(&stage->light, w.ray.dir) : bl_light_dome(&stage->light, w.ray.dir));
            break;
        }
        if (!advance(&w, &p)) break;
        if (bounce >= 3 && !survives(&w)) break;
    }
    return w.sum;
}
