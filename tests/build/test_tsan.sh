#!/usr/bin/env bash
# The thread sanitizer must find a race between OpenMP threads and must not invent one where barriers protect the data.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cat > "$dir/race.c" <<'END'
#include <stdlib.h>
int main(int argc, char **argv)
{
    enum { COUNT = 10000 };
    (void)argv;
    double *a = calloc(COUNT, sizeof *a), *b = calloc(COUNT, sizeof *b);
    for (int repeat = 0; repeat < 10; ++repeat) {
#pragma omp parallel num_threads(2)
        {
#pragma omp for schedule(dynamic, 64)
            for (int i = 0; i < COUNT; ++i) a[i] += i;
#pragma omp for schedule(static)
            for (int i = 0; i < COUNT; ++i) b[i] += a[COUNT - 1 - i];  // safe: after the barrier of the loop above
        }
#pragma omp parallel for num_threads(2) if (argc > 1)
        for (int i = 0; i < COUNT; ++i) b[i] += b[COUNT - 1 - i];  // a race when run by two threads
    }
    free(a);
    free(b);
    return 0;
}
END
clang -O1 -g -fopenmp -fsanitize=thread "$dir/race.c" -o "$dir/race"
export TSAN_OPTIONS=ignore_noninstrumented_modules=1
"$dir/race" || { echo "a race was reported where there is none"; exit 1; }
if "$dir/race" racing > "$dir/log" 2>&1; then echo "the race was not found"; exit 1; fi
grep -q 'SUMMARY: ThreadSanitizer: data race .*race.c' "$dir/log" || { cat "$dir/log"; echo "no file named"; exit 1; }
