/* Runs kept inputs through a fuzzer's entry point: `replay_NAME FILE_OR_FOLDER...`, with any compiler. */
#include <dirent.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int give_up(const char *path) {
    fprintf(stderr, "%s: %s\n", path, strerror(errno));
    return -1;
}

static int replay_file(const char *path, long size) {
    FILE *stream = fopen(path, "rb");
    /* Exactly as large as the input, so that the address sanitizer sees every byte beyond. */
    uint8_t *data = malloc(size > 0 ? (size_t)size : 1);
    if (!stream || !data || fread(data, 1, (size_t)size, stream) != (size_t)size) return give_up(path);
    LLVMFuzzerTestOneInput(data, (size_t)size);
    fclose(stream);
    free(data);
    return 1;
}

/* Number of inputs run, or -1. */
static int replay(const char *path) {
    struct stat info;
    if (stat(path, &info) != 0) return give_up(path);
    if (!S_ISDIR(info.st_mode)) return replay_file(path, (long)info.st_size);

    struct dirent **entries;
    const int n = scandir(path, &entries, NULL, alphasort);
    if (n < 0) return give_up(path);
    int total = 0;
    for (int i = 0; i < n; i++) {
        char child[4096];
        snprintf(child, sizeof child, "%s/%s", path, entries[i]->d_name);
        if (entries[i]->d_name[0] != '.' && total >= 0) {
            const int count = replay(child);
            total = count < 0 ? -1 : total + count;
        }
        free(entries[i]);
    }
    free(entries);
    return total;
}

int main(int argc, char **argv) {
    int total = 0;
    for (int i = 1; i < argc; i++) {
        const int count = replay(argv[i]);
        if (count < 0) return 1;
        total += count;
    }
    printf("%d inputs\n", total);
    return total > 0 ? 0 : 1;
}
