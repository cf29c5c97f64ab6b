/* Marching cubes: every combination of signs and face decisions gives loops that fit those of the next cell. */
#include "geometry/cubes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Directed edges of all triangles of a case: count[a][b]. Vertex 12 is the extra one. */
static void count_edges(const bl_cube_case *c, int count[13][13]) {
    memset(count, 0, 13 * sizeof count[0]);
    for (int t = 0; t < c->count; t++)
        for (int i = 0; i < 3; i++) count[c->triangle[t][i]][c->triangle[t][(i + 1) % 3]]++;
}

static bool share_face(const bl_cubes *cubes, int a, int b) {
    return a < BL_CUBE_EDGES && b < BL_CUBE_EDGES && (cubes->edge_faces[a] & cubes->edge_faces[b]);
}

/* Inner edges are used once in each direction and lie in no face; the others are the segments on the faces. */
static void check_case(const bl_cubes *cubes, unsigned signs, unsigned joined) {
    bl_cube_case c;
    bl_cubes_trace(cubes, signs, joined, &c);
    int count[13][13];
    count_edges(&c, count);
    int segments = 0, crossed = 0;
    for (int a = 0; a < 13; a++) {
        for (int b = 0; b < 13; b++) {
            assert_true(count[a][b] <= 1);
            if (!count[a][b]) continue;
            if (count[b][a])
                assert_false(share_face(cubes, a, b));
            else
                assert_true(share_face(cubes, a, b)), segments++;
        }
    }
    for (int e = 0; e < BL_CUBE_EDGES; e++) {
        const int low = cubes->edge_corner[e], high = low + (1 << e / 4);
        crossed += (signs >> low & 1) != (signs >> high & 1);
    }
    assert_int_equal(segments, crossed); /* as many sides as corners: closed loops through every crossing */
}

static void test_all_cases(void **state) {
    (void)state;
    bl_cubes cubes;
    bl_cubes_init(&cubes);
    int cases = 0;
    for (unsigned signs = 0; signs < 256; signs++) {
        for (unsigned joined = 0; joined < 64; joined++) {
            if (joined & ~(unsigned)cubes.ambiguous[signs]) continue;
            check_case(&cubes, signs, joined);
            cases++;
        }
    }
    assert_true(cases > 256);
}

/* Seen from the other side, with all values negated, the loops are the same and the triangles reversed. */
static void test_negated(void **state) {
    (void)state;
    bl_cubes cubes;
    bl_cubes_init(&cubes);
    for (unsigned signs = 0; signs < 256; signs++) {
        for (unsigned joined = 0; joined < 64; joined++) {
            if (joined & ~(unsigned)cubes.ambiguous[signs]) continue;
            bl_cube_case a, b;
            bl_cubes_trace(&cubes, signs, joined, &a);
            bl_cubes_trace(&cubes, ~signs & 255, joined ^ cubes.ambiguous[signs], &b);
            int forth[13][13], back[13][13];
            count_edges(&a, forth);
            count_edges(&b, back);
            for (int i = 0; i < 13; i++)
                for (int j = 0; j < 13; j++) assert_int_equal(forth[i][j], back[j][i]);
        }
    }
}

/* One corner inside: one triangle whose normal points away from it. */
static void test_orientation(void **state) {
    (void)state;
    bl_cubes cubes;
    bl_cubes_init(&cubes);
    const float value[8] = {1, -1, -1, -1, -1, -1, -1, -1};
    bl_cube_case buffer;
    const bl_cube_case *c = bl_cubes_find(&cubes, value, &buffer);
    assert_int_equal(c->count, 1);
    float p[3][3];
    for (int i = 0; i < 3; i++) {
        const int e = c->triangle[0][i];
        assert_int_equal(cubes.edge_corner[e], 0);
        for (int a = 0; a < 3; a++) p[i][a] = a == e / 4 ? 0.5f : 0.0f;
    }
    const float n = (p[1][0] - p[0][0]) * (p[2][1] - p[0][1]) - (p[1][1] - p[0][1]) * (p[2][0] - p[0][0]);
    assert_true(n > 0.0f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_cases),
        cmocka_unit_test(test_negated),
        cmocka_unit_test(test_orientation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
