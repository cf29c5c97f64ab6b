/* The shortest use of the library: a scene, five milliseconds, the drop's centre.
 *   cc example.c $(pkg-config --cflags --libs beadlet) -o example && ./example drop.yaml */
#include <beadlet/beadlet.h>
#include <stdio.h>

int main(int argc, char **argv) {
    bl_context *ctx = NULL;
    bl_scene *scene = NULL;
    bl_sim *sim = NULL;
    bl_status status = bl_context_create(NULL, &ctx);
    if (status == BL_OK) status = bl_scene_load(ctx, argc > 1 ? argv[1] : "drop.yaml", NULL, 0, &scene);
    if (status == BL_OK) status = bl_sim_create(ctx, scene, &sim);
    for (int ms = 1; status == BL_OK && ms <= 5; ms++) {
        status = bl_sim_advance(sim, ms / 1000.0);
        printf("%d ms: %zu particles, centre at %.3f mm\n", ms, bl_sim_fluid_count(sim),
               1e3 * bl_sim_value(sim, "center_z"));
    }
    if (status != BL_OK) fprintf(stderr, "%s\n", bl_context_error(ctx));
    bl_sim_destroy(sim);
    bl_scene_destroy(scene);
    bl_context_destroy(ctx);
    return bl_status_exit_code(status);
}
