/* "did you mean": the nearest word by edit distance. */
#include "tool.h"

#include <string.h>

enum { MAX_WORD = 63 };

static int min3(int a, int b, int c) { return a < b ? (a < c ? a : c) : (b < c ? b : c); }

/* Insertions, deletions and replacements that turn a into b. */
static int distance(const char *a, const char *b) {
    int row[MAX_WORD + 1], n = (int)strlen(b);
    if (strlen(a) > MAX_WORD || n > MAX_WORD) return MAX_WORD;
    for (int j = 0; j <= n; j++) row[j] = j;
    for (int i = 1; a[i - 1]; i++) {
        int diagonal = row[0];
        row[0] = i;
        for (int j = 1; j <= n; j++) {
            int above = row[j];
            row[j] = min3(above + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1]));
            diagonal = above;
        }
    }
    return row[n];
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
