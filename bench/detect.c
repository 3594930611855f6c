// SPDX-License-Identifier: BSD-3-Clause
// Detection from nothing of a million and more spheres.
//
// The first call of the process is reported by itself: it finds its memory. The others are the best of several, as
// other engines' are. With Bullet installed the same spheres go through its tree and its world, and the pair sets are
// compared; Bullet runs on one thread, being made so. --full runs the layers to 1.6 billion contacts.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/memory.h"
#include "core/base/stopwatch.h"
#include "core/base/threads.h"
#include "report.h"
#include "scatter.h"
#include "scree/scree.h"

enum { MILLION = 1000000, REPEATS = 12 };

typedef struct bench {
    bool json, full;
    int argc;
    char **argv;
    scr_error error;
} bench;

static bool wants(const bench *b, const char *name)
{
    bool any = false;
    for (int k = 1; k < b->argc; ++k) {
        if (strncmp(b->argv[k], "--", 2) == 0) continue;
        if (strstr(name, b->argv[k]) != NULL) return true;
        any = true;
    }
    return !any;
}

static void print(const bench *b, const char *name, double value, const char *unit, int threads, const char *against,
                  double ratio)
{
    bench_print(&(bench_figure){name, value, unit, threads, against, ratio}, b->json);
}

typedef struct timed {
    double first, best;
    int64_t contacts;
    const scr_ball_contact *contact;
} timed;

static scr_status time_calls(scr_detector *d, const scr_ball *balls, int64_t count, int repeats, timed *t,
                             scr_error *error)
{
    t->best = 1e30;
    for (int k = 0; k < repeats; ++k) {
        double start = scr_now();
        scr_status status = scr_detect_balls(d, balls, count, &t->contact, &t->contacts, error);
        if (status != SCR_OK) return status;
        double seconds = scr_now() - start;
        if (k == 0) t->first = seconds;
        if (seconds < t->best) t->best = seconds;
    }
    return SCR_OK;
}

static int by_pair(const void *a, const void *b)
{
    const int32_t *p = a, *q = b;
    if (p[0] != q[0]) return p[0] < q[0] ? -1 : 1;
    return (p[1] > q[1]) - (p[1] < q[1]);
}

// How many pairs only one of the two sets has, found by going through both in order.
static int64_t count_differences(int32_t (*a)[2], int64_t a_count, int32_t (*b)[2], int64_t b_count)
{
    int64_t i = 0, j = 0, different = 0;
    qsort(a, (size_t)a_count, sizeof *a, by_pair);
    qsort(b, (size_t)b_count, sizeof *b, by_pair);
    while (i < a_count || j < b_count) {
        int order = i == a_count ? 1 : j == b_count ? -1 : by_pair(a[i], b[j]);
        different += order != 0;
        i += order <= 0;
        j += order >= 0;
    }
    return different;
}

static int32_t (*read_pairs(const char *path, int64_t *count))[2]
{
    FILE *file = fopen(path, "rb");
    int32_t(*pairs)[2] = NULL;
    if (file != NULL && fread(count, sizeof *count, 1, file) == 1) {
        pairs = scr_alloc(scr_array_bytes(*count, sizeof *pairs));
        if (pairs != NULL && fread(pairs, sizeof *pairs, (size_t)*count, file) != (size_t)*count)
            scr_free(pairs), pairs = NULL;
    }
    if (file != NULL) fclose(file);
    return pairs;
}

#if defined(SCREE_BULLET_DRIVER)
// Seconds that Bullet takes, or -1; how many pairs differ.
static double run_bullet(const char *spheres, const char *mode, const timed *ours, int64_t *different)
{
    char command[512], pairs_path[] = "/tmp/scree-bench-pairs-XXXXXX";
    int file = mkstemp(pairs_path);
    if (file < 0) return -1.0;
    close(file);
    double seconds = -1.0;
    snprintf(command, sizeof command, "%s %s %s %s", SCREE_BULLET_DRIVER, spheres, mode, pairs_path);
    FILE *pipe = popen(command, "r");
    if (pipe != NULL && fscanf(pipe, "%lf", &seconds) != 1) seconds = -1.0;
    if (pipe != NULL) pclose(pipe);
    int64_t count = 0;
    int32_t(*theirs)[2] = read_pairs(pairs_path, &count),
    (*mine)[2] = scr_alloc(scr_array_bytes(ours->contacts, sizeof *mine));
    if (theirs != NULL && mine != NULL) {
        for (int64_t k = 0; k < ours->contacts; ++k)
            mine[k][0] = (int32_t)ours->contact[k].i, mine[k][1] = (int32_t)ours->contact[k].j;
        *different = count_differences(mine, ours->contacts, theirs, count);
    } else {
        seconds = -1.0;
    }
    scr_free(theirs);
    scr_free(mine);
    unlink(pairs_path);
    return seconds;
}

static void compare_with_bullet(const bench *b, const scr_ball *balls, int64_t count, const timed *ours, int threads)
{
    char path[] = "/tmp/scree-bench-spheres-XXXXXX";
    int descriptor = mkstemp(path);
    FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "wb");
    if (file == NULL) return;
    bool written = fwrite(&count, sizeof count, 1, file) == 1 &&
                   fwrite(balls, sizeof *balls, (size_t)count, file) == (size_t)count;
    written &= fclose(file) == 0;
    const struct {
        const char *mode, *name;
        double target;
    } modes[] = {{"tree", "Bullet's bare tree", 85.0}, {"world", "Bullet's default world", 220.0}};
    for (int k = 0; k < 2 && written; ++k) {
        int64_t different = -1;
        double seconds = run_bullet(path, modes[k].mode, ours, &different);
        if (seconds < 0.0) continue;
        char name[64];
        snprintf(name, sizeof name, "detect.million.bullet.%s", modes[k].mode);
        print(b, name, seconds, "s", 1, "ours, the same spheres", seconds / ours->best);
        bench_say(b->json, "    %.0f times faster than %s on %d threads (wanted: %.0f); %lld pairs differ\n",
                  seconds / ours->best, modes[k].name, threads, modes[k].target, (long long)different);
    }
    unlink(path);
}
#else
static void compare_with_bullet(const bench *b, const scr_ball *balls, int64_t count, const timed *ours, int threads)
{
    (void)balls, (void)count, (void)ours, (void)threads, (void)count_differences, (void)read_pairs;
    bench_say(b->json, "    Bullet is missing: nothing to compare with (package libbullet-dev, and a C++ compiler)\n");
}
#endif

// The million: first call, best call on one and two threads, radii equal, with giants, by a power law.
static scr_status bench_million(bench *b)
{
    scr_ball *balls = scr_alloc(MILLION * sizeof *balls);
    scr_detector *d[3] = {0};
    timed one = {0}, two = {0}, other = {0};
    if (balls == NULL) return SCR_NO_MEMORY;
    scatter_equal(balls, MILLION, 1, scatter_edge(MILLION, 0.46));
    scr_status status = scr_detector_create(1, &d[1], &b->error);
    if (status == SCR_OK) status = scr_detector_create(2, &d[2], &b->error);
    if (status == SCR_OK) status = time_calls(d[2], balls, MILLION, REPEATS, &two, &b->error);
    if (status == SCR_OK) status = time_calls(d[1], balls, MILLION, REPEATS, &one, &b->error);
    if (status == SCR_OK) {
        print(b, "detect.million.first", two.first, "s, first call", 2, "the best call", two.first / two.best);
        print(b, "detect.million", two.best, "s", 2, "the limit of 0.045 s", two.best / 0.045);
        print(b, "detect.million", one.best, "s", 1, "two threads", one.best / two.best);
        bench_say(b->json, "    %lld contacts\n", (long long)two.contacts);
        compare_with_bullet(b, balls, MILLION, &two, 2);
    }
    scatter_giants(balls, MILLION, 1);
    if (status == SCR_OK) status = time_calls(d[2], balls, MILLION, REPEATS, &other, &b->error);
    if (status == SCR_OK) {
        print(b, "detect.giants", other.best, "s", 2, "radii 0.5..1.5 (limit 2)", other.best / two.best);
        bench_say(b->json, "    %lld contacts\n", (long long)other.contacts);
    }
    scatter_power_law(balls, MILLION, 1);
    if (status == SCR_OK) status = time_calls(d[2], balls, MILLION, REPEATS, &other, &b->error);
    if (status == SCR_OK) print(b, "detect.power_law", other.best, "s", 2, "the limit of 0.13 s", other.best / 0.13);
    scr_detector_destroy(d[1]);
    scr_detector_destroy(d[2]);
    scr_free(balls);
    return status;
}

static scr_status bench_one_call(bench *b)
{
    const int64_t count = 48 * (int64_t)MILLION;
    scr_ball *balls = scr_alloc(scr_array_bytes(count, sizeof *balls));
    scr_detector *d = NULL;
    timed t = {0};
    if (balls == NULL) return scr_fail_memory(&b->error, scr_array_bytes(count, sizeof *balls), "spheres");
    scatter_equal(balls, count, 2, scatter_edge(count, 0.46));
    scr_status status = scr_detector_create(2, &d, &b->error);
    if (status == SCR_OK) status = time_calls(d, balls, count, 3, &t, &b->error);
    if (status == SCR_OK) {
        print(b, "detect.22e6.first", t.first, "s, first call", 2, "the best call", t.first / t.best);
        print(b, "detect.22e6", t.best, "s", 2, "the limit of 3 s", t.best / 3.0);
        bench_say(b->json, "    %lld contacts of %lld spheres\n", (long long)t.contacts, (long long)count);
    }
    scr_detector_destroy(d);
    scr_free(balls);
    return status;
}

static scr_status count_contacts(void *context, const scr_ball_contact *contact, int64_t count, scr_error *error)
{
    (void)contact, (void)error;
    *(int64_t *)context += count;
    return SCR_OK;
}

// Layers of 16 million spheres with about three contacts each, made when asked for.
static scr_status bench_layers(bench *b)
{
    const int64_t budget = 8000000000, balls_a_layer = 16 * (int64_t)MILLION;
    scattered_layers scattered = scatter_layers(b->full ? 35 : 4, balls_a_layer, 3.0, 2);
    scr_ball_layers layers = scattered_source(&scattered);
    scr_detector *d = NULL;
    int64_t found = 0;
    scr_status status = scr_detector_create(2, &d, &b->error);
    double start = scr_now();
    if (status == SCR_OK)
        status = scr_detect_layers(d, &layers, budget, &(scr_contact_sink){&found, count_contacts}, &b->error);
    double seconds = scr_now() - start;
    if (status == SCR_OK) {
        print(b, b->full ? "detect.layers.full" : "detect.layers", (double)found / seconds, "contacts/s", 2,
              "12 million", (double)found / seconds / 12e6);
        bench_say(b->json,
                  "    %lld contacts of %lld spheres in %.1f s, making them included; 1.6 billion would take %.0f s; "
                  "peak memory of the process %.2f GB\n",
                  (long long)found, (long long)(layers.count * balls_a_layer), seconds, 1.6e9 * seconds / (double)found,
                  1e-9 * bench_peak_memory());
    }
    scr_detector_destroy(d);
    return status;
}

int main(int argc, char **argv)
{
    bench b = {.json = bench_wants_json(argc, argv), .argc = argc, .argv = argv};
    for (int k = 1; k < argc; ++k) b.full |= strcmp(argv[k], "--full") == 0;
    bench_say(b.json, "Detection of random spheres from nothing\n");
    const struct {
        const char *name;
        scr_status (*run)(bench *);
    } parts[] = {{"detect.million", bench_million}, {"detect.22e6", bench_one_call}, {"detect.layers", bench_layers}};
    scr_status status = SCR_OK;
    for (size_t k = 0; k < sizeof parts / sizeof *parts && status == SCR_OK; ++k)
        if (wants(&b, parts[k].name)) status = parts[k].run(&b);
    if (status != SCR_OK) fprintf(stderr, "bench: %s\n", b.error.message);
    return status == SCR_OK ? 0 : 1;
}
