/* How fast the neighbour search is: grid and both lists of a jittered lattice with about 30 neighbours within 2h and
 * 105 within 3h (3D), sorted along the curve and shuffled, with 1 and 2 threads, beside a plain search in the same run
 * (last column: ratio of processor times); then the lists of groups of eight, with the neighbours of a group.
 *
 *   bench_neighbours [COUNT...]     default: 100000 1000000
 *   bench_neighbours --skin [COUNT] does it pay to search further and re-use the lists? */
#include "base/rng.h"
#include "base/timer.h"
#include "neighbours/groups.h"
#include "neighbours/neighbours.h"
#include "particles/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const double H = 1, SPACING = 1;
enum { REPEATS = 3 };

static void must(bl_context *ctx, bl_status status) {
    if (status == BL_OK) return;
    fprintf(stderr, "bench_neighbours: %s\n", bl_context_error(ctx));
    exit(1);
}

static bl_context *make_context(int threads) {
    bl_context_def def = bl_default_context_def();
    bl_context *ctx = NULL;
    def.threads = threads;
    if (bl_context_create(&def, &ctx) != BL_OK) exit(1);
    return ctx;
}

/* Processor time of all threads: on a busy machine it says more than the clock on the wall. */
static double cpu_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static size_t lattice_edge(size_t count, int dimension) {
    return (size_t)lrint(dimension == 3 ? cbrt((double)count) : sqrt((double)count));
}

static void fill_lattice(bl_fluid_store *store, size_t count, int dimension) {
    size_t edge = lattice_edge(count, dimension), first;
    must(store->ctx, bl_fluid_store_append(store, dimension == 3 ? edge * edge * edge : edge * edge, &first));
    for (size_t i = 0; i < store->count; i++) {
        size_t cell[3] = {i % edge, i / edge % edge, i / edge / edge};
        real at[3] = {0, 0, 0};
        for (int a = 0; a < dimension; a++)
            at[a] = (real)(SPACING * ((double)cell[a] + 0.3 * bl_rng_uniform(1, i, (uint64_t)a)));
        store->x[i] = bl_v3_make(at[0], at[1], at[2]);
    }
}

static void shuffle(bl_fluid_store *store) {
    for (size_t i = store->count - 1; i > 0; i--) {
        size_t j = bl_rng_u64(2, i, 0) % (i + 1);
        bl_vec3 x = store->x[i];
        store->x[i] = store->x[j];
        store->x[j] = x;
    }
}

/* --- the plain search: linked cells as long as the far radius, one test after the other --- */

typedef struct plain_search {
    double cell;
    size_t n[3];
    uint32_t *head, *next;
    uint64_t *start;
    uint32_t *near, *all, *index;
} plain_search;

static void plain_cell(const plain_search *s, bl_vec3 x, size_t cell[3]) {
    cell[0] = (size_t)((double)x.x / s->cell) + 1;
    cell[1] = (size_t)((double)x.y / s->cell) + 1;
    cell[2] = (size_t)((double)x.z / s->cell) + 1;
}

static size_t plain_row(const plain_search *s, const bl_vec3 *x, size_t i, uint32_t *row, uint32_t *n_near) {
    size_t cell[3], n = 0;
    real near2 = (real)(4 * H * H), far2 = (real)(9 * H * H);
    plain_cell(s, x[i], cell);
    *n_near = 0;
    for (size_t z = cell[2] - 1; z <= cell[2] + 1; z++)
        for (size_t y = cell[1] - 1; y <= cell[1] + 1; y++)
            for (size_t c = cell[0] - 1; c <= cell[0] + 1; c++)
                for (uint32_t j = s->head[(z * s->n[1] + y) * s->n[0] + c]; j != UINT32_MAX; j = s->next[j]) {
                    real r2 = bl_v3_norm2(bl_v3_sub(x[i], x[j]));
                    if (j == i || !(r2 < far2)) continue;
                    row[n] = j;
                    if (r2 < near2) {
                        row[n] = row[*n_near];
                        row[(*n_near)++] = j;
                    }
                    n++;
                }
    return n;
}

/* Seconds of processor time, on one thread. */
static double time_plain(const bl_fluid_store *store, int dimension) {
    enum { MAX_ROW = 256 };
    double since = cpu_now();
    size_t edge = lattice_edge(store->count, dimension);
    plain_search s = {.cell = 3 * H};
    for (int a = 0; a < 3; a++) s.n[a] = a < dimension ? (size_t)((double)edge * SPACING / s.cell) + 4 : 3;
    size_t n_cells = s.n[0] * s.n[1] * s.n[2];
    s.head = malloc(n_cells * sizeof *s.head);
    s.next = malloc(store->count * sizeof *s.next);
    s.start = malloc(store->count * sizeof *s.start);
    s.near = malloc(store->count * sizeof *s.near);
    s.all = malloc(store->count * sizeof *s.all);
    s.index = malloc(store->count * MAX_ROW / 2 * sizeof *s.index);
    if (!s.head || !s.next || !s.start || !s.near || !s.all || !s.index) exit(1);
    memset(s.head, 0xff, n_cells * sizeof *s.head);
    for (size_t i = 0; i < store->count; i++) {
        size_t cell[3];
        plain_cell(&s, store->x[i], cell);
        uint32_t *head = &s.head[(cell[2] * s.n[1] + cell[1]) * s.n[0] + cell[0]];
        s.next[i] = *head;
        *head = (uint32_t)i;
    }
    uint64_t total = 0;
    for (size_t i = 0; i < store->count; i++) {
        s.start[i] = total;
        s.all[i] = (uint32_t)plain_row(&s, store->x, i, s.index + total, &s.near[i]);
        total += s.all[i];
    }
    double seconds = cpu_now() - since;
    free(s.head), free(s.next), free(s.start), free(s.near), free(s.all), free(s.index);
    return seconds;
}

/* --- measuring --- */

static bl_search_def search_def(int dimension, double skin) {
    return (bl_search_def){.dimension = dimension, .near_radius = 2 * H + skin, .far_radius = 3 * H + skin};
}

typedef bl_status (*build_fn)(bl_neighbours *nb, bl_positions fluid, bl_positions boundary);

/* Fastest of some builds, warm. */
static double time_build(build_fn build, bl_neighbours *nb, bl_context *ctx, const bl_fluid_store *store, double *cpu) {
    double best = (double)INFINITY;
    *cpu = (double)INFINITY;
    for (int r = 0; r <= REPEATS; r++) {
        double since = bl_now(), cpu_since = cpu_now();
        must(ctx, build(nb, (bl_positions){store->x, store->count}, (bl_positions){NULL, 0}));
        double seconds = bl_now() - since, cpu_seconds = cpu_now() - cpu_since;
        if (r > 0 && seconds < best) best = seconds;
        if (r > 0 && cpu_seconds < *cpu) *cpu = cpu_seconds;
    }
    return best;
}

static void bench_row(const bl_fluid_store *store, int dimension, const char *order, int threads, double plain) {
    bl_context *ctx = make_context(threads);
    bl_neighbours *nb;
    bl_search_def def = search_def(dimension, 0);
    bool groups = strcmp(order, "groups") == 0;
    must(ctx, bl_neighbours_create(ctx, &def, &nb));
    double cpu, n = (double)store->count;
    double seconds = time_build(groups ? bl_neighbours_build_grouped : bl_neighbours_build, nb, ctx, store, &cpu);
    bl_list list = groups ? bl_neighbours_groups(nb) : bl_neighbours_ff(nb);
    size_t rows = groups ? bl_group_count(store->count) : store->count;
    uint64_t near = 0, all = 0;
    for (size_t i = 0; i < rows; i++) near += list.near[i], all += list.all[i];
    printf("%dD %8zu %-8s %7d %7.1f %7.1f %9.3f %7.3f %9.1f %8.2f %11.1f %8.2f\n", dimension, store->count, order,
           threads, (double)near / (double)rows, (double)all / (double)rows, seconds, cpu, seconds / n * 1e9,
           seconds / (double)all * 1e9, (double)bl_neighbours_memory(nb) / n, plain / cpu);
    fflush(stdout);
    bl_neighbours_destroy(nb);
    bl_context_destroy(ctx);
}

static double time_sort(bl_fluid_store *store) {
    bl_arena *arena;
    bool moved;
    must(store->ctx, bl_arena_create(store->ctx, "bench", &arena));
    double since = bl_now();
    must(store->ctx, bl_fluid_store_sort(store, H, arena, &moved));
    double seconds = bl_now() - since;
    bl_arena_destroy(arena);
    return seconds;
}

static void bench_set(size_t count, int dimension) {
    bl_context *ctx = make_context(2);
    bl_fluid_store store;
    bl_fluid_store_init(ctx, &store);
    fill_lattice(&store, count, dimension);
    shuffle(&store);
    double plain = time_plain(&store, dimension);
    for (int threads = 1; threads <= 2; threads++) bench_row(&store, dimension, "shuffled", threads, plain);
    double sort = time_sort(&store);
    plain = time_plain(&store, dimension);
    for (int threads = 1; threads <= 2; threads++) bench_row(&store, dimension, "sorted", threads, plain);
    for (int threads = 1; threads <= 2; threads++) bench_row(&store, dimension, "groups", threads, plain);
    printf("   sorting all state fields of the shuffled store, 2 threads: %.3f s; plain search (sorted, 1 thread): "
           "%.3f s\n",
           sort, plain);
    bl_fluid_store_clear(&store);
    bl_context_destroy(ctx);
}

/* --- the skin --- */

typedef struct pass_job {
    bl_list list;
    const bl_vec3 *x;
    real *sum;
    real far2;
} pass_job;

/* A cheap pass over all neighbours, of the kind the solver makes several times in every iteration. */
static void run_pass(void *user, size_t begin, size_t end) {
    const pass_job *job = user;
    for (size_t i = begin; i < end; i++) {
        real sum = 0;
        for (bl_index k = 0; k < job->list.all[i]; k++) {
            bl_vec3 d = bl_v3_sub(job->x[i], job->x[bl_neighbour(&job->list, (bl_index)i, k)]);
            real q = job->far2 - bl_v3_norm2(d);
            sum += q > 0 ? q * q * q : 0;
        }
        job->sum[i] = sum;
    }
}

static void bench_skin(size_t count) {
    static const double skins[] = {0, 0.1, 0.2, 0.4};
    bl_context *ctx = make_context(1);
    bl_fluid_store store;
    double build0 = 0, pass0 = 0;
    bl_fluid_store_init(ctx, &store);
    fill_lattice(&store, count, 3);
    time_sort(&store);
    printf("skin/h  build s  pass s (processor time)  break-even: passes a step below which re-use for 2, 5, ever so "
           "many steps pays\n");
    for (size_t s = 0; s < sizeof skins / sizeof *skins; s++) {
        bl_neighbours *nb;
        bl_search_def def = search_def(3, skins[s] * H);
        must(ctx, bl_neighbours_create(ctx, &def, &nb));
        double build, pass = (double)INFINITY;
        time_build(bl_neighbours_build, nb, ctx, &store, &build);
        pass_job job = {bl_neighbours_ff(nb), store.x, store.p, (real)(9 * H * H)};
        for (int r = 0; r < 3 * REPEATS; r++) {
            double since = cpu_now();
            run_pass(&job, 0, store.count);
            double seconds = cpu_now() - since;
            pass = seconds < pass ? seconds : pass;
        }
        if (s == 0) build0 = build, pass0 = pass;
        double extra = pass - pass0;
        printf("%6.1f %8.3f %7.3f", skins[s], build, pass);
        if (s > 0)
            printf("  %5.1f %5.1f %5.1f", (build0 - build / 2) / extra, (build0 - build / 5) / extra, build0 / extra);
        printf("\n");
        bl_neighbours_destroy(nb);
    }
    bl_fluid_store_clear(&store);
    bl_context_destroy(ctx);
}

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "--skin") == 0) {
        bench_skin(argc > 2 ? strtoull(argv[2], NULL, 10) : 200000);
        return 0;
    }
    size_t counts[16] = {100000, 1000000};
    int n_counts = argc > 1 ? 0 : 2;
    for (int k = 1; k < argc && n_counts < 16; k++) counts[n_counts++] = strtoull(argv[k], NULL, 10);
    printf("       count order    threads     <2h     <3h   seconds   cpu s  ns/part.  ns/pair  B/particle  x plain\n");
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int k = 0; k < n_counts; k++) bench_set(counts[k], dimension);
    return 0;
}
