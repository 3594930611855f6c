// SPDX-License-Identifier: BSD-3-Clause
// Mechanisms without contact (mechanism_scene.h): what a step costs, and that the cost grows as the number of bodies.
#include <math.h>
#include <stdio.h>

#include "core/base/stopwatch.h"
#include "mechanism_scene.h"
#include "report.h"

enum { VEHICLE_ROUND = 2000 };
static const double VEHICLE_STEPS = 8000.0;  // a second, to be reached

// Seconds a step, the least of several rounds; the largest gap of a joint is not looked at here: tests do.
static double seconds_a_step(scr_world *world, int steps)
{
    scr_error error;
    double least = INFINITY;
    if (!bench_ok(scr_world_assemble(world, NULL, &error), &error)) return NAN;
    for (int round = 0; round < 5; ++round) {
        double start = scr_now();
        for (int k = 0; k < steps; ++k)
            if (!bench_ok(scr_world_step(world, &error), &error)) return NAN;
        least = fmin(least, (scr_now() - start) / steps);
    }
    return least;
}

static void show_growth(bool json, const char *name, scr_world *(*make)(int links))
{
    const int sizes[] = {50, 500, 5000};
    double first = 0.0;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; ++k) {
        scr_world *world = make(sizes[k]);
        double seconds = seconds_a_step(world, 20000 / sizes[k]), a_link = 1e6 * seconds / sizes[k];
        char label[64];
        if (k == 0) first = a_link;
        snprintf(label, sizeof label, "%s of %d hinged bodies, a body", name, sizes[k]);
        bench_print(&(bench_figure){.name = label,
                                    .value = a_link,
                                    .unit = "us",
                                    .threads = 1,
                                    .against = "that of 50",
                                    .ratio = a_link / first},
                    json);
        scr_world_destroy(world);
    }
}

static void show_vehicle(bool json)
{
    scr_world *world = vehicle_world();
    double rate = 1.0 / seconds_a_step(world, VEHICLE_ROUND);
    bench_print(&(bench_figure){.name = "vehicle of 150 bodies and 160 joints",
                                .value = rate,
                                .unit = "steps/s",
                                .threads = 1,
                                .against = "8,000 steps/s",
                                .ratio = rate / VEHICLE_STEPS},
                json);
    scr_world_destroy(world);
}

int main(int argc, char **argv)
{
    bool json = bench_wants_json(argc, argv);
    bench_say(json, "Mechanisms without contact, one thread\n");
    if (bench_wants(argc, argv, "vehicle")) show_vehicle(json);
    if (bench_wants(argc, argv, "chain")) show_growth(json, "chain", chain_world);
    if (bench_wants(argc, argv, "ring")) show_growth(json, "ring", ring_world);
    return 0;
}
