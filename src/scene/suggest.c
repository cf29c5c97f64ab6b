/* Suggestions for misspelt words. */
#include "scene/reader.h"

#include <ctype.h>
#include <string.h>

enum { MAX_WORD = 40 };

static int min3(int a, int b, int c) {
    int least = a < b ? a : b;
    return least < c ? least : c;
}

static bool same_letter(char a, char b) { return tolower((unsigned char)a) == tolower((unsigned char)b); }

int bl_edit_distance(const char *a, const char *b) {
    int n = (int)strnlen(a, MAX_WORD), m = (int)strnlen(b, MAX_WORD);
    int rows[3][MAX_WORD + 1]; /* the last three rows of the table, row i at i % 3 */
    for (int k = 0; k <= m; k++) rows[0][k] = k;
    for (int i = 1; i <= n; i++) {
        int *row = rows[i % 3], *above = rows[(i + 2) % 3], *above2 = rows[(i + 1) % 3];
        row[0] = i;
        for (int k = 1; k <= m; k++) {
            int change = above[k - 1] + !same_letter(a[i - 1], b[k - 1]);
            row[k] = min3(above[k] + 1, row[k - 1] + 1, change);
            bool swapped = i > 1 && k > 1 && same_letter(a[i - 1], b[k - 2]) && same_letter(a[i - 2], b[k - 1]);
            if (swapped && above2[k - 2] + 1 < row[k]) row[k] = above2[k - 2] + 1;
        }
    }
    return rows[n % 3][m];
}

const char *bl_nearest_word(const char *word, const char *const *words, int count) {
    const char *best = NULL;
    int best_distance = 1 + (int)strnlen(word, MAX_WORD) / 3; /* a word of six letters may have two mistakes */
    if (best_distance > 4) best_distance = 4;
    for (int i = 0; i < count; i++) {
        int distance = bl_edit_distance(word, words[i]);
        if (distance < best_distance || (distance == best_distance && !best)) {
            best_distance = distance;
            best = words[i];
        }
    }
    return best;
}
