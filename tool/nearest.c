/* "did you mean": the nearest word by edit distance. */
#include "tool.h"

#include <string.h>

enum { MAX_WORD = 63 };

static int min3(int a, int b, int c) { return a < b ? (a < c ? a : c) : (b < c ? b : c); }

/* Insertions, deletions, replacements and swaps of neighbours that turn a into b. */
static int distance(const char *a, const char *b) {
    int d[MAX_WORD + 1][MAX_WORD + 1], m = (int)strlen(a), n = (int)strlen(b);
    if (m > MAX_WORD || n > MAX_WORD) return MAX_WORD;
    for (int i = 0; i <= m; i++) {
        for (int j = 0; j <= n; j++) {
            if (i == 0 || j == 0) {
                d[i][j] = i + j;
                continue;
            }
            d[i][j] = min3(d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] != b[j - 1]));
            bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped && d[i - 2][j - 2] + 1 < d[i][j]) d[i][j] = d[i - 2][j - 2] + 1;
        }
    }
    return d[m][n];
}

const char *tool_nearest(const char *word, const char *const *words, int count) {
    const char *best = NULL;
    int least = (int)strlen(word) / 2 + 1; /* farther than half the word is another word */
    for (int k = 0; k < count; k++) {
        bool begins = strlen(word) >= 3 && strncmp(words[k], word, strlen(word)) == 0;
        int d = begins ? 0 : distance(word, words[k]);
        if (d < least) {
            least = d;
            best = words[k];
        }
    }
    return best;
}
