// SPDX-License-Identifier: BSD-3-Clause
// A stand-in for libFuzzer: feeds a fuzz target every file of the directories named on the command line.
#include "fuzz/fuzz.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

// Each input gets a block of exactly its size, so that the address sanitizer sees a read one byte too far.
static void replay_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL || fseek(file, 0, SEEK_END) != 0) {
        perror(path);
        exit(1);
    }
    size_t size = (size_t)ftell(file);
    uint8_t *data = malloc(size > 0 ? size : 1);
    rewind(file);
    if (data == NULL || fread(data, 1, size, file) != size) {
        perror(path);
        exit(1);
    }
    fclose(file);
    printf("%s: %zu bytes\n", path, size);
    fflush(stdout);  // so that the last line names the input that crashed
    LLVMFuzzerTestOneInput(data, size);
    free(data);
}

static int is_visible(const struct dirent *entry) { return entry->d_name[0] != '.'; }

static int replay_directory(const char *path)
{
    struct dirent **entries = NULL;
    int count = scandir(path, &entries, is_visible, alphasort);
    if (count < 0) {
        perror(path);
        exit(1);
    }
    for (int i = 0; i < count; ++i) {
        char name[PATH_MAX];
        snprintf(name, sizeof name, "%s/%s", path, entries[i]->d_name);
        replay_file(name);
        free(entries[i]);
    }
    free(entries);
    return count;
}

int main(int argc, char **argv)
{
    int count = 0;
    for (int i = 1; i < argc; ++i) count += replay_directory(argv[i]);
    printf("%d inputs\n", count);
    return count > 0 ? 0 : 1;  // an empty corpus is a test that tests nothing
}
