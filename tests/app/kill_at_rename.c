// SPDX-License-Identifier: BSD-3-Clause
// For LD_PRELOAD: the process dies, as by kill -9, when it is about to give a file its name for the nth time.
//
//   KILL_AT=summary.json:2   before the second rename to a path that ends so
//   KILL_AFTER=...           the same, but the rename is done first
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int is_time(const char *variable, const char *path, int *seen)
{
    const char *wish = getenv(variable), *colon = wish != NULL ? strchr(wish, ':') : NULL;
    if (colon == NULL) return 0;
    size_t length = strlen(path), name = (size_t)(colon - wish);
    if (length < name || strncmp(path + length - name, wish, name) != 0) return 0;
    return ++*seen == atoi(colon + 1);
}

int rename(const char *from, const char *to)
{
    static int before, after;
    int (*real)(const char *, const char *) = (int (*)(const char *, const char *))dlsym(RTLD_NEXT, "rename");
    if (is_time("KILL_AT", to, &before)) raise(SIGKILL);
    int result = real(from, to);
    if (is_time("KILL_AFTER", to, &after)) raise(SIGKILL);
    return result;
}
