/* Inside of the OpenCL backend.
 *
 *   platform.c   devices of this machine          program.c   kernels: source and compiler
 *   known.c      constants for the compiler       cache.c     compiled kernels on disk
 *   fields.c     copies of the particle arrays     passes.c    running passes
 *   reduce.c     reductions and solves             exchange.c  particles that come and go
 *   sort.c       prefix sums, the spatial order    search.c    grids and neighbour lists
 *   walls.c      walls that are left on the host
 *   device.c     making and ending, errors, memory, launching a kernel */
#ifndef BL_BACKENDS_OPENCL_H
#define BL_BACKENDS_OPENCL_H

#include "backends/device.h"
#include "base/text.h"

#ifdef BL_HAVE_OPENCL

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#define BL_CL_NOWHERE UINT32_MAX /* in place of an index; kernels/passes.cl */

/* Sizes that kernels are compiled with. */
enum {
    BL_CL_GROUP = 128, /* work items a group, where nothing else is said */
    BL_CL_PART = 128,  /* arrays that share a buffer begin at multiples of this many words: no device asks for more */
    BL_CL_SMALL_GROUP = 32,
    BL_CL_PINNED = 1 << 16,                           /* bytes of memory that numbers from the device arrive in, ... */
    BL_CL_LOOK = 64,                                  /* ... of which a look takes these, ... */
    BL_CL_AHEAD = BL_CL_PINNED / 2,                   /* ... and results that are read ahead those from here on, ... */
    BL_CL_COUNTERS_AHEAD = BL_CL_PINNED - BL_CL_LOOK, /* ... counters these */
    BL_CL_REDUCE_GROUP = 128,
    BL_CL_REDUCE_GROUPS = 1024,          /* at most */
    BL_CL_SETTLED_WIDEST = 4,            /* numbers that passes have sums of, at most */
    BL_CL_NUMBERS = BL_REDUCE_MAX_WIDTH, /* a row of results */
    BL_CL_WIDEST = BL_MOMENTUM_WIDTH,    /* numbers of any reduction, at most */
    BL_CL_ROW_STATE = BL_RED_COUNT,      /* iterations of the solve, whether it is done, whether it came to a halt */
    BL_CL_ROW_LOG = BL_CL_ROW_STATE + 1, /* one row an iteration */
    BL_CL_ROW_ITEMS = 4,                 /* work items that share a row in small drops, ... */
    BL_CL_MANY_ROW_ITEMS = 8,            /* ... and in very small ones */
    BL_CL_SOLVE_GROUP = 1024,            /* of a solve in one launch; so large that a processor has room for one */
    BL_CL_SOLVE_SUMS = 256,              /* work items of these that add up residuals */
    BL_CL_SCAN_GROUP = 256,
    BL_CL_SCAN_BLOCK = 1024,
    BL_CL_SORT_GROUP = 128,
    BL_CL_SORT_ITEMS = 8,
    BL_CL_WALL_GROUP = 256,      /* walls that are on the device together or not at all (walls.c) */
    BL_CL_FEWEST_WALLS = 1 << 14 /* of which some are left on the host (walls.c) */
};

#define X(name) +1
enum { BL_CL_FACTS = 0 BL_FACTS(X) };
#undef X

/* Kernels besides passes and reductions. */
#define BL_CL_KERNELS(X)                                                                                               \
    X(fold_rows)                                                                                                       \
    X(finish)                                                                                                          \
    X(scan_sums)                                                                                                       \
    X(scan_blocks)                                                                                                     \
    X(scan_apply)                                                                                                      \
    X(sort_keys)                                                                                                       \
    X(sort_count)                                                                                                      \
    X(sort_scatter)                                                                                                    \
    X(sort_gather)                                                                                                     \
    X(clear)                                                                                                           \
    X(solve_begin)                                                                                                     \
    X(lists_ready)                                                                                                     \
    X(solve_end)                                                                                                       \
    X(set_params)                                                                                                      \
    X(widen)                                                                                                           \
    X(narrow)                                                                                                          \
    X(bounds)                                                                                                          \
    X(grid_count)                                                                                                      \
    X(grid_fill)                                                                                                       \
    X(grid_order)                                                                                                      \
    X(rows_find)                                                                                                       \
    X(blocks_mark)                                                                                                     \
    X(blocks_watch)                                                                                                    \
    X(wrap)                                                                                                            \
    X(lend_mark)                                                                                                       \
    X(lend_list)                                                                                                       \
    X(lend_return)                                                                                                     \
    X(stay_all)                                                                                                        \
    X(stay_not)                                                                                                        \
    X(stay_order)
typedef enum bl_cl_kernel {
#define X(name) BL_CL_##name,
    BL_CL_KERNELS(X)
#undef X
        BL_CL_KERNEL_COUNT
} bl_cl_kernel;

/* Memory on the device; grows, never shrinks. A part of another buffer has no size of its own. */
typedef struct bl_cl_buffer {
    cl_mem mem;
    size_t size;
    cl_mem whole; /* of a part, with its place */
    size_t from, length;
} bl_cl_buffer;

/* A kernel that takes the view (kernels/passes.cl), and what its arguments were when they were set. */
typedef struct bl_cl_view_kernel {
    cl_kernel kernel;
    uint64_t arguments;
    cl_uint view_end;  /* the first argument behind the view */
    size_t tree_group; /* of reductions: the group that local memory was given for */
} bl_cl_view_kernel;

typedef enum bl_cl_newer { BL_CL_SAME, BL_CL_HOST_NEWER, BL_CL_DEVICE_NEWER } bl_cl_newer;

/* The arrays of one store, side by side in one buffer: a launch costs a driver some 0.3 us for every buffer among its
 * arguments. Field f begins at place[f] times `capacity`. From the field `extra` on they lie in a second buffer, which
 * exists once a pass writes to it; of walls that stand these fields do not exist. */
typedef struct bl_cl_set {
    const bl_field_info *info;
    int field_count, extra;
    int state_to;           /* the end of all STATE */
    int kept_from, kept_to; /* the fields that a step starts from and changes: a kept state holds them */
    void *store;
    size_t *count;
    size_t capacity; /* particles there is room for on the device */
    size_t place[65];
    bl_cl_buffer block, extra_block, kept_block; /* kept_block: as of bl_device_save */
    bl_cl_buffer field[64], kept[64];            /* parts of them */
    bl_cl_newer newer[64];
    bool stale; /* some field is BL_CL_HOST_NEWER */
} bl_cl_set;

/* What kernels are compiled for. */
typedef struct bl_cl_known {
    bl_params par;
    bl_phase_params fluids[BL_MAX_PHASES]; /* if par.steady */
} bl_cl_known;

/* Mirrors the struct of kernels/passes.cl. */
typedef struct bl_cl_constants {
    bl_params par;
    bl_phase_params fluids[BL_MAX_PHASES];
    bl_step_params step;
    cl_uint fluid_count, boundary_count, active_count, fluid_capacity, boundary_capacity;
    cl_uint bare_apart, all_walls;
} bl_cl_constants;

/* Mirrors the struct of kernels/search.cl. */
typedef struct bl_cl_frame {
    real from[3], scale[3], first[3];
    real period[3], inv_period[3];
    real near2, far2;
    cl_uint n[3];
    cl_uint slots;
    cl_uint closed[3];
} bl_cl_frame;

typedef struct bl_cl_grid {
    bl_cl_frame frame;
    bl_cl_buffer frame_buffer;
    bl_cl_buffer cells;          /* where each cell ends in `spots` */
    const bl_cl_buffer *members; /* particle numbers by cell, while it is built; in scratch fields */
    const bl_cl_buffer *spots;   /* positions and numbers by cell */
    bl_cl_buffer own_spots;      /* of walls, whose grid stays; the fluid's are in scratch fields */
    bool placed;                 /* the frame is set */
    bool built;                  /* for the present positions */
} bl_cl_grid;

/* Counters of the search; kernels/slab.cl knows the last two. */
enum {
    BL_CL_COUNTER_FF,
    BL_CL_COUNTER_FB,
    BL_CL_COUNTER_BF,
    BL_CL_COUNTER_ACTIVE,
    BL_CL_COUNTER_STRAYED,
    BL_CL_COUNTERS
};

/* Mirrors the struct of kernels/walls.cl. */
typedef struct bl_cl_blocks {
    real from[3], scale;
    cl_uint n[3];
} bl_cl_blocks;

/* Which walls are on the device (walls.c). */
typedef struct bl_cl_walls {
    size_t count;      /* on the device; all of the store's, unless some are left */
    size_t fewest;     /* with fewer all are always here */
    size_t choices;    /* so far; for tests */
    bool bare_apart;   /* the host has the energies of dry walls, kernels/passes.cl */
    bool leave;        /* those that are far from liquid, from the next search on */
    bool some_left;    /* it has been done: `here` says which groups of the store are on the device */
    size_t groups;     /* of the store */
    real (*box)[2][3]; /* of each group: least and largest coordinates */
    unsigned char *here;
    bl_cl_buffer places; /* of each group: which of those on the device it is, kernels/walls.cl */
    bl_cl_blocks blocks;
    bl_cl_buffer covered; /* a number for each block: 0, or 1 where liquid may be without anybody having to look */
} bl_cl_walls;

/* Numbers on their way to the host. */
typedef struct bl_cl_ahead {
    cl_event event;        /* NULL: none is under way */
    size_t at, room, size; /* in pinned memory */
} bl_cl_ahead;

typedef struct bl_cl_list {
    bl_cl_buffer rows; /* lengths of the near part, lengths, starts of slabs; columns of bl_cl_padded(count) numbers */
    bl_cl_buffer index;
} bl_cl_list;

struct bl_device {
    bl_context *ctx;
    bl_timers *timers;
    bl_status status;
    char name[160];
    bool profile, fp64;
    double busy; /* seconds that kernels and copies took; counted when profiling */
    cl_device_id id;
    cl_context context;
    cl_command_queue queue;
    cl_program program;
    bl_cl_view_kernel pass[BL_PASS_COUNT], bundle[BL_BUNDLE_COUNT], settled[BL_SETTLED_COUNT], reduce, solve;
    cl_kernel rehearse, grid; /* and `solve`: NULL unless there are solve_groups */
    cl_kernel kernel[BL_CL_KERNEL_COUNT];
    size_t memory, memory_most, memory_limit;
    bool making_room;    /* what fails now fails for want of memory */
    size_t units;        /* processors that groups are spread over */
    bool shuffles;       /* work items can exchange numbers (kernels/passes.cl) */
    bool last_ends;      /* the last group of a reduction ends it (kernels/reduce.cl) */
    size_t row_items;    /* work items that share a row of a list; the kernels are compiled for it, ... */
    size_t solve_groups; /* ... and for solves in one launch of so many groups (kernels/solve.cl); 0: for none */
    size_t together;     /* groups that run side by side; 0: it is not known */
    bool rehearsed;      /* they have been seen to */
    bool bake;           /* compile kernels for the constants of the run */
    bool baked;          /* the present ones are, for `known` */
    bl_cl_known known;

    bl_cl_set fluid, boundary;
    bl_cl_walls walls;
    bl_search_def search;
    bl_cl_grid fluid_grid, boundary_grid;
    bl_cl_list ff, fb, bf;
    bl_cl_buffer counters; /* room that lists took so far, kernels/rows.cl; `counted`: as of the last search */
    cl_uint counted[BL_CL_COUNTERS];
    bool lists_queued;  /* the search is under way: `counted`, and lists that may be too short, are to be looked at */
    bool lists_current; /* it is for the present positions */
    bl_cl_buffer active;
    size_t active_count;
    bl_cl_buffer staging;          /* vectors as the host has them */
    bl_cl_buffer lent, lent_index; /* particles on their way to the host and back */
    void *lent_host;               /* the same on the host, `lent_room` bytes */
    size_t lent_room;
    bl_cl_buffer scan_sums, scan_arrived, totals; /* totals: sums of prefix sums that are asked for */
    bl_cl_buffer keys[2], order[2], counts;

    bl_cl_buffer params, bodies, steer;
    bl_cl_buffer partial, folded;      /* rows of partial results, and fewer rows */
    bl_cl_buffer numbers;              /* results, kernels/reduce.cl */
    bl_cl_buffer arrived;              /* groups of each reduction that are done; of a solve in one launch */
    uint64_t looked_at;                /* those of BL_STATE_REDUCTIONS that still hold */
    double *results;                   /* rows of results, the state and the log, as read last */
    size_t results_rows, rows_read;    /* room for, and how many of them came with the last read */
    bool results_fresh, results_ahead; /* nothing has changed since they were read; since they are read ahead */
    cl_mem pinned_buffer; /* where numbers from the device arrive; in front, without waiting, looks at a solve */
    void *pinned;
    cl_event look_event; /* NULL: none is under way */
    bl_cl_ahead numbers_ahead, counters_ahead;
    size_t launches; /* kernels queued so far */
    bl_cl_constants sent;
    bool params_sent;
    bl_body_params *bodies_sent;
    size_t bodies_count;
    uint64_t arguments; /* changes when a buffer or a count does */
};

/* --- device.c --- */
bl_status bl_cl_create(bl_context *ctx, const bl_device_def *def, int platform, int device, bl_device **out);
/* Keeps the first error; `what` as in "sorting". Returns whether code is CL_SUCCESS. */
bool bl_cl_check(bl_device *d, cl_int code, const char *what);
const char *bl_cl_error_name(cl_int code);
/* Room for `size` bytes; what was there is lost when it has to grow. Zeroed when new. False after an error. */
bool bl_cl_reserve(bl_device *d, bl_cl_buffer *buffer, size_t size, const char *what);
void bl_cl_release(bl_device *d, bl_cl_buffer *buffer);
/* `length` bytes of `whole` from `from` on, a multiple of BL_CL_PART times 4 bytes. */
bool bl_cl_part(bl_device *d, bl_cl_buffer *part, const bl_cl_buffer *whole, size_t from, size_t length);

typedef struct bl_cl_arg {
    size_t size;
    const void *value;
} bl_cl_arg;
#define BL_CL_MEM(buffer) ((bl_cl_arg){sizeof(cl_mem), &(buffer).mem})
#define BL_CL_UINT(number) ((bl_cl_arg){sizeof(cl_uint), &(cl_uint){(cl_uint)(number)}})
#define BL_CL_REAL(number) ((bl_cl_arg){sizeof(real), &(real){(real)(number)}})
/* Queue a kernel over `items` work items, rounded up to whole groups. */
void bl_cl_launch(bl_device *d, bl_cl_kernel kernel, size_t items, size_t group, const bl_cl_arg *args, int n_args);
#define BL_CL_LAUNCH(d, name, items, group, ...)                                                                       \
    bl_cl_launch(d, BL_CL_##name, items, group, (const bl_cl_arg[]){__VA_ARGS__},                                      \
                 (int)(sizeof((const bl_cl_arg[]){__VA_ARGS__}) / sizeof(bl_cl_arg)))
void bl_cl_launch_kernel(bl_device *d, cl_kernel kernel, const char *name, size_t items, size_t group,
                         const bl_cl_arg *args, int n_args);
void bl_cl_make_kernels(bl_device *d); /* of the program, in place of those there are */
void bl_cl_enqueue(bl_device *d, cl_kernel kernel, const char *what, size_t items, size_t group);
bool bl_cl_reserve_pinned(bl_device *d);
bool bl_cl_read(bl_device *d, const bl_cl_buffer *buffer, size_t offset, void *to, size_t size); /* waits */
/* Reading, too, but what is queued between the two calls is done while the host waits: it learns the numbers before. A
 * second one takes the place of the first; false: nothing, or not as much, is under way. */
void bl_cl_read_ahead(bl_device *d, bl_cl_ahead *ahead, const bl_cl_buffer *buffer, size_t size);
bool bl_cl_read_end(bl_device *d, bl_cl_ahead *ahead, void *to, size_t size);
void bl_cl_clear_words(bl_device *d, const bl_cl_buffer *buffer, size_t size);
void bl_cl_copy(bl_device *d, const bl_cl_buffer *from, size_t at, const bl_cl_buffer *to, size_t to_at, size_t size,
                const char *what);
/* When profiling: what the device was busy for between the two goes to the timers. */
double bl_cl_start(const bl_device *d);
void bl_cl_stop(bl_device *d, const char *name, double start);

/* --- passes.c --- */
/* Work items of a group of a solve in one launch. One that shares its rows among many has few rows, and more registers
 * for each item (docs/gpu.md). */
static inline size_t bl_cl_solve_group(const bl_device *d) {
    return d->row_items > BL_CL_ROW_ITEMS ? BL_CL_SOLVE_GROUP / 2 : BL_CL_SOLVE_GROUP;
}
/* Constants and arrays are on the device, and lists; false after an error. */
bool bl_cl_prepare(bl_device *d, const bl_view *view);
bool bl_cl_prepare_early(bl_device *d, const bl_view *view); /* the same without lists, and who is in them */
bool bl_cl_has_neighbours(bl_pass_id pass);
/* Sets the view; false: nothing changed. */
bool bl_cl_set_view(bl_device *d, bl_cl_view_kernel *kernel);
size_t bl_cl_domain_size(const bl_device *d, bl_domain domain);
size_t bl_cl_group_for(const bl_device *d, size_t items);
/* Work items of passes over one domain. */
size_t bl_cl_items_of(const bl_device *d, const bl_pass_id *passes, int count);
void bl_cl_before_pass(bl_device *d, bl_pass_id pass); /* room for what it writes */
void bl_cl_after_pass(bl_device *d, bl_pass_id pass);  /* the host's copies of that are old */

/* --- exchange.c --- */
void *bl_cl_host_room(bl_device *d, size_t size); /* host memory for transfers, until the next call; NULL: none */

/* --- reduce.c --- */
void bl_cl_forget_look(bl_device *d);
bool bl_cl_reserve_arrived(bl_device *d);
/* Of many particles the time that a launch takes does not count, and passes with neighbours are faster alone. */
bool bl_cl_apart(const bl_device *d);

/* --- platform.c --- */
/* -1: any, GPUs first. */
bl_status bl_cl_choose(bl_context *ctx, int platform, int device, cl_device_id *out, char *name, size_t size);

/* --- known.c --- */
bool bl_cl_can_know(const bl_view *view); /* all constants are finite: others cannot be written down */
void bl_cl_know(const bl_view *view, bl_cl_known *known);
void bl_cl_add_known(const bl_device *d, bl_text *text); /* macros for kernels/passes.cl */

/* --- program.c --- */
bl_status bl_cl_build(bl_device *d);

/* --- cache.c --- */
enum { BL_CL_CACHE_MB = 64 };                              /* what compiled kernels may take on disk */
cl_program bl_cl_load_program(bl_device *d, uint64_t key); /* NULL: none that fits is kept */
void bl_cl_keep_program(bl_device *d, uint64_t key);
/* Removes the least recently used programs until all take `most` bytes; never the one at the path `keep`. */
void bl_cl_prune_cache(bl_context *ctx, const char *directory, const char *keep, uint64_t most);

/* --- fields.c --- */
/* `extra`: the first field of the second buffer. */
void bl_cl_set_init(bl_cl_set *set, const bl_field_info *info, int field_count, int extra, void *store, size_t *count);
void bl_cl_set_clear(bl_device *d, bl_cl_set *set);
/* Bytes of an item on the device, where vectors have a fourth number. */
size_t bl_cl_item_size(const bl_field_info *info);
static inline size_t bl_cl_padded(size_t count) { return (count + BL_CL_PART - 1) / BL_CL_PART * BL_CL_PART; }
/* Room for a field, and the part of the buffer that it is. */
bool bl_cl_reserve_field(bl_device *d, bl_cl_set *set, int f);
bool bl_cl_reserve_kept(bl_device *d, bl_cl_set *set);
/* Room for more particles; those there are keep their state. */
bool bl_cl_grow(bl_device *d, bl_cl_set *set, size_t count);
void bl_cl_reserve_set(bl_device *d, bl_cl_set *set);
bool bl_cl_sync(bl_device *d); /* upload what the host changed; false after an error */
void bl_cl_wrote(bl_device *d, uint64_t fluid, uint64_t boundary);

/* --- walls.c --- */
size_t bl_cl_all_walls(const bl_device *d); /* of the store */
/* All walls are wanted on the device again. */
void bl_cl_bring_walls(bl_device *d);
/* Walls near liquid to the device, in place of those that are there. */
void bl_cl_choose_walls(bl_device *d);
/* Queues a look whether the liquid has come to where walls are left; the search's counters tell. */
void bl_cl_watch_walls(bl_device *d);
/* An array of the store's walls to and from one of those on the device, one after the other. */
void bl_cl_pack_walls(const bl_device *d, const bl_field_info *info, void *packed);
void bl_cl_unpack_walls(const bl_device *d, const bl_field_info *info, const void *packed);
void bl_cl_clear_walls(bl_device *d);

/* --- search.c --- */
/* Waits for the counters of a search that is under way; true: its lists were too short or without walls, passes over
 * them did nothing, and they are made again. */
bool bl_cl_settle_lists(bl_device *d);

/* --- sort.c --- */
enum { BL_CL_TOTAL_NONE, BL_CL_TOTAL_LENT };
/* The state of the fluid's particles order[0], order[1], ..., `count` of them, to the front. */
void bl_cl_reorder(bl_device *d, const bl_cl_buffer *order, size_t count);
/* Exclusive prefix sums in place; the sum to totals[total]. */
void bl_cl_scan(bl_device *d, const bl_cl_buffer *data, size_t count, int total);
/* Least and largest coordinates of a set; false: there are none. */
bool bl_cl_bounds(bl_device *d, const bl_cl_buffer *x, size_t count, double min[3], double max[3]);

#endif
#endif
