// SPDX-License-Identifier: BSD-3-Clause
// The penalty law on dense beds of 8,000, 64,000 and 256,000 grains, in double and in mixed precision: particle-steps a
// second, sustained, with everything that keeps the lists up to date, beside LAMMPS on the same positions.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/stopwatch.h"
#include "dynamics/world/world.h"
#include "lammps.h"
#include "penalty_bed.h"
#include "penalty_settings.h"
#include "report.h"

enum { WARM_STEPS = 200, TIMED_STEPS = 600, PEER_STEPS = 200 };

typedef struct bed_case {
    const char *size;
    int nx, ny;
} bed_case;

typedef struct measured {
    double rate, best_rate;  // particle-steps a second: over all steps, and of the shortest one
    double packs_made;       // times, all blocks together counted once
    int64_t touching, rows_made, borders_found, allocations;
    scr_stage_seconds stage;  // a step
} measured;

// What a bed's law has beside Hertz, Mindlin and friction.
typedef struct law_case {
    const char *name;
    double rolling, spinning;
    scr_rolling_law law;
    double surface_energy;  // J/m^2, by JKR
} law_case;
static const law_case PLAIN = {0};

static scr_status measure(const scr_vec3 *position, const bed_case *bed, scr_precision precision, const law_case *law,
                          int threads, measured *m, scr_error *error)
{
    scr_world_def def = penalty_bed_def();
    scr_material_def stuff = penalty_bed_material();
    scr_world *world = NULL;
    def.thread_count = threads;
    def.solver.precision = precision;
    def.contact.rolling = law->law;
    def.contact.adhesion = SCR_JKR;
    stuff.rolling_friction = law->rolling, stuff.spinning_friction = law->spinning;
    stuff.surface_energy = law->surface_energy;
    scr_status status = penalty_bed_lay(position, bed->nx, bed->ny, &def, &stuff, &world, error);
    for (int k = 0; k < WARM_STEPS && status == SCR_OK; ++k) status = scr_world_step(world, error);
    if (status == SCR_OK) {
        const grain_bed *grains = &world->grains.bed;
        scr_stage_seconds before = scr_world_stage_seconds(world);
        int64_t allocations = scr_allocation_count(), packs = grains->blocks_filled, rows = grains->rows_made,
                borders = world->neighbours.build_count;
        double start = scr_now(), best = INFINITY, count = (double)grains->grain_count;
        for (int k = 0; k < TIMED_STEPS && status == SCR_OK; ++k) {
            double now = scr_now();
            status = scr_world_step(world, error);
            best = fmin(best, scr_now() - now);
        }
        scr_stage_seconds after = scr_world_stage_seconds(world);
        *m = (measured){count * TIMED_STEPS / (scr_now() - start),
                        count / best,
                        (double)(grains->blocks_filled - packs) / (double)grains->wear.block_count,
                        scr_world_report(world).touching_count,
                        grains->rows_made - rows,
                        world->neighbours.build_count - borders,
                        scr_allocation_count() - allocations,
                        {.pairs = (after.pairs - before.pairs) / TIMED_STEPS,
                         .contacts = (after.contacts - before.contacts) / TIMED_STEPS,
                         .prepare = (after.prepare - before.prepare) / TIMED_STEPS,
                         .solve = (after.solve - before.solve) / TIMED_STEPS,
                         .total = (after.total - before.total) / TIMED_STEPS}};
    }
    scr_world_destroy(world);
    return status;
}

static void report(const bed_case *bed, const char *precision, int threads, const measured *m, double peer_rate,
                   double limit, bool json)
{
    char name[60], best_name[70];
    snprintf(name, sizeof name, "penalty.%s.%s", precision, bed->size);
    snprintf(best_name, sizeof best_name, "%s.best", name);
    double scale = peer_rate > 0.0 && threads == 2 ? peer_rate : limit;
    const char *against = peer_rate > 0.0 && threads == 2 ? "LAMMPS on 2 processes" : "kernels.md's 2 threads";
    bench_print(&(bench_figure){name, 1e-6 * m->rate, "M particle-steps/s", threads, against, m->rate / scale}, json);
    bench_print(
        &(bench_figure){best_name, 1e-6 * m->best_rate, "M particle-steps/s", threads, against, m->best_rate / scale},
        json);
    bench_say(json,
              "    %lld touch; in %d steps packs made %.1f times, rows %lld, border %lld, %lld allocations; "
              "border's pairs %.0f %%, contacts %.0f %%, forces %.0f %%, bed %.0f %% of a step\n",
              (long long)m->touching, TIMED_STEPS, m->packs_made, (long long)m->rows_made, (long long)m->borders_found,
              (long long)m->allocations, 100.0 * m->stage.pairs / m->stage.total,
              100.0 * m->stage.contacts / m->stage.total, 100.0 * m->stage.prepare / m->stage.total,
              100.0 * m->stage.solve / m->stage.total);
}

static double measure_peer(const scr_vec3 *position, const bed_case *bed, bool json)
{
    int64_t count = (int64_t)bed->nx * bed->ny * PENALTY_TILE;
    double seconds = lammps_step_seconds(position, count, bed->nx * PENALTY_TILE_WIDTH, bed->ny * PENALTY_TILE_WIDTH, 2,
                                         WARM_STEPS, PEER_STEPS);
    if (seconds > 0.0)
        bench_say(json, "  LAMMPS gran/hertz/history, %s spheres, 2 processes: %.4g M particle-steps/s\n", bed->size,
                  1e-6 * (double)count / seconds);
    else bench_say(json, "  LAMMPS is missing, or failed: nothing to compare with (packages lammps, openmpi-bin)\n");
    return seconds > 0.0 ? (double)count / seconds : 0.0;
}

static scr_status bench_bed(const penalty_tile *tile, const bed_case *bed, bool json, scr_error *error)
{
    const struct {
        const char *name;
        scr_precision precision;
        double limit;
    } kinds[] = {{"double", SCR_PRECISION_DOUBLE, 36e6}, {"mixed", SCR_PRECISION_MIXED, 50e6}};
    scr_vec3 *position = penalty_bed_positions(tile, bed->nx, bed->ny);
    scr_status status = position != NULL ? SCR_OK : SCR_NO_MEMORY;
    double peer_rate = status == SCR_OK ? measure_peer(position, bed, json) : 0.0;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; ++k) {
        for (int threads = 1; threads <= 2 && status == SCR_OK; ++threads) {
            measured m = {0};
            status = measure(position, bed, kinds[k].precision, &PLAIN, threads, &m, error);
            if (status == SCR_OK) report(bed, kinds[k].name, threads, &m, peer_rate, kinds[k].limit, json);
        }
    }
    scr_free(position);
    return status;
}

// Beds that resist rolling or stick, beside one that does not: how many times as long a step takes.
static scr_status bench_laws(const penalty_tile *tile, const bed_case *bed, bool json, scr_error *error)
{
    static const law_case laws[] = {{"rolling", 0.1, 0.0, SCR_ROLLING_ELASTIC, 0.0},
                                    {"spinning", 0.1, 0.05, SCR_ROLLING_ELASTIC, 0.0},
                                    {"constant", 0.1, 0.05, SCR_ROLLING_CONSTANT, 0.0},
                                    {"jkr", 0.0, 0.0, SCR_ROLLING_ELASTIC, 0.05}};
    static const char *const precision[] = {[SCR_PRECISION_DOUBLE] = "double", [SCR_PRECISION_MIXED] = "mixed"};
    scr_vec3 *position = penalty_bed_positions(tile, bed->nx, bed->ny);
    scr_status status = position != NULL ? SCR_OK : SCR_NO_MEMORY;
    for (int p = SCR_PRECISION_DOUBLE; p <= SCR_PRECISION_MIXED && status == SCR_OK; ++p) {
        measured plain = {0}, m = {0};
        status = measure(position, bed, (scr_precision)p, &PLAIN, 2, &plain, error);
        for (size_t k = 0; k < sizeof laws / sizeof *laws && status == SCR_OK; ++k) {
            char name[80];
            status = measure(position, bed, (scr_precision)p, &laws[k], 2, &m, error);
            if (status != SCR_OK) break;
            snprintf(name, sizeof name, "penalty.%s.%s.%s", precision[p], bed->size, laws[k].name);
            bench_print(&(bench_figure){name, 1e-6 * m.rate, "M particle-steps/s", 2, "the time of a plain law's step",
                                        plain.rate / m.rate},
                        json);
        }
    }
    scr_free(position);
    return status;
}

typedef struct setting_time {
    double mean, median;  // s a step
    int64_t packs, rows, borders, allocations, border_grains, contacts;
    bool has_bed;
    scr_stage_seconds stage;
} setting_time;

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static scr_status step_setting(const penalty_setting *setting, scr_world *world, int64_t step, scr_body *out,
                               scr_error *error)
{
    scr_status status = setting->emitted > 0 ? penalty_setting_emit(setting, world, step, out, error) : SCR_OK;
    if (status == SCR_OK) status = scr_world_step(world, error);
    return status == SCR_OK && setting->served ? penalty_setting_serve(world, error) : status;
}

static scr_status measure_setting(const penalty_setting *setting, const scr_vec3 *position, const bed_case *bed,
                                  scr_precision precision, setting_time *t, scr_error *error)
{
    enum { WARM = 100, TIMED = 200 };
    static scr_body out[PENALTY_EMITTED_STAY * PENALTY_EMITTED_MAX];
    double seconds[TIMED];
    scr_world_def def = penalty_bed_def();
    scr_world *world = NULL;
    def.thread_count = 2;
    def.solver.precision = precision;
    scr_status status = penalty_setting_lay(setting, position, bed->nx, bed->ny, def, &world, error);
    for (int k = 0; k < WARM && status == SCR_OK; ++k) status = step_setting(setting, world, k, out, error);
    scr_stage_seconds before = status == SCR_OK ? scr_world_stage_seconds(world) : (scr_stage_seconds){0};
    int64_t allocations = scr_allocation_count();
    *t = (setting_time){0};
    if (status == SCR_OK)
        t->packs = world->grains.bed.blocks_filled, t->rows = world->grains.bed.rows_made,
        t->borders = world->neighbours.build_count;
    for (int k = 0; k < TIMED && status == SCR_OK; ++k) {
        double start = scr_now();
        status = step_setting(setting, world, WARM + k, out, error);
        seconds[k] = scr_now() - start;
        t->mean += seconds[k] / TIMED;
    }
    if (status == SCR_OK) {
        scr_stage_seconds after = scr_world_stage_seconds(world);
        qsort(seconds, TIMED, sizeof *seconds, by_value);
        t->median = seconds[TIMED / 2];
        t->packs = world->grains.bed.blocks_filled - t->packs, t->rows = world->grains.bed.rows_made - t->rows,
        t->borders = world->neighbours.build_count - t->borders;
        t->allocations = scr_allocation_count() - allocations;
        t->border_grains = world->grains.border_count;
        t->contacts = world->contacts.count;
        t->has_bed = world->grains.is_loaded;
        t->stage = (scr_stage_seconds){.sort = (after.sort - before.sort) / TIMED,
                                       .forces = (after.forces - before.forces) / TIMED,
                                       .pairs = (after.pairs - before.pairs) / TIMED,
                                       .contacts = (after.contacts - before.contacts) / TIMED,
                                       .prepare = (after.prepare - before.prepare) / TIMED,
                                       .solve = (after.solve - before.solve) / TIMED,
                                       .integrate = (after.integrate - before.integrate) / TIMED};
    }
    scr_world_destroy(world);
    return status;
}

// Beds among other things than planes, beside one among planes: how many times as long a step takes.
static scr_status bench_settings(const penalty_tile *tile, const bed_case *bed, int argc, char **argv, bool json,
                                 scr_error *error)
{
    static const penalty_setting settings[] = {{.name = "planes"},
                                               {.name = "boxes", .boxes = true},
                                               {.name = "blade", .blade = true},
                                               {.name = "paddle", .paddle = true},
                                               {.name = "periodic", .repeats = true},
                                               {.name = "sheared", .sheared = true},
                                               {.name = "stretched", .stretched = true},
                                               {.name = "servo", .stretched = true, .served = true},
                                               {.name = "emitter", .emitted = 4, .round = 100},
                                               {.name = "emitter_every_step", .emitted = 4, .round = 1}};
    static const char *const precision[] = {[SCR_PRECISION_DOUBLE] = "double", [SCR_PRECISION_MIXED] = "mixed"};
    scr_vec3 *position = penalty_bed_positions(tile, bed->nx, bed->ny);
    scr_status status = position != NULL ? SCR_OK : SCR_NO_MEMORY;
    for (int p = SCR_PRECISION_DOUBLE; p <= SCR_PRECISION_MIXED && status == SCR_OK; ++p) {
        setting_time plain = {0}, t;
        for (size_t k = 0; k < sizeof settings / sizeof *settings && status == SCR_OK; ++k) {
            char name[80];
            snprintf(name, sizeof name, "penalty.settings.%s.%s.%s", precision[p], bed->size, settings[k].name);
            if (!bench_wants(argc, argv, name)) continue;
            if (!(plain.mean > 0.0))
                status = measure_setting(&settings[0], position, bed, (scr_precision)p, &plain, error);
            if (status == SCR_OK) status = measure_setting(&settings[k], position, bed, (scr_precision)p, &t, error);
            if (status != SCR_OK) break;
            bench_print(
                &(bench_figure){name, 1e3 * t.mean, "ms a step", 2, "the step among planes", t.mean / plain.mean},
                json);
            bench_say(json,
                      "    median %.2f ms; %s; packs made of %lld blocks, rows %lld, border %lld times, %lld "
                      "allocations; %lld border grains, %lld contacts; ms: sort %.2f, forces %.2f, pairs %.2f, "
                      "contacts %.2f, prepare %.2f, bed %.2f, integrate %.2f\n",
                      1e3 * t.median, t.has_bed ? "bed" : "no bed", (long long)t.packs, (long long)t.rows,
                      (long long)t.borders, (long long)t.allocations, (long long)t.border_grains, (long long)t.contacts,
                      1e3 * t.stage.sort, 1e3 * t.stage.forces, 1e3 * t.stage.pairs, 1e3 * t.stage.contacts,
                      1e3 * t.stage.prepare, 1e3 * t.stage.solve, 1e3 * t.stage.integrate);
        }
    }
    scr_free(position);
    return status;
}

int main(int argc, char **argv)
{
    bool json = bench_wants_json(argc, argv);
    scr_error error = {0};
    static penalty_tile tile;
    bench_say(json,
              "Penalty law, Hertz-Mindlin with history, dense beds in a box, %d steps after %d (settling a tile of %d "
              "first)\n",
              TIMED_STEPS, WARM_STEPS, PENALTY_TILE);
    scr_status status = penalty_tile_settle(&tile, &error);
    const bed_case beds[] = {{"8000", 1, 1}, {"64000", 4, 2}, {"256000", 8, 4}};
    for (size_t k = 0; k < sizeof beds / sizeof *beds && status == SCR_OK; ++k) {
        char name[40];
        snprintf(name, sizeof name, "penalty.%s", beds[k].size);
        if (bench_wants(argc, argv, name)) status = bench_bed(&tile, &beds[k], json, &error);
    }
    if (status == SCR_OK && bench_wants(argc, argv, "penalty.laws")) status = bench_laws(&tile, &beds[1], json, &error);
    if (status == SCR_OK) status = bench_settings(&tile, &beds[1], argc, argv, json, &error);
    if (status != SCR_OK) fprintf(stderr, "bench: %s\n", error.message);
    return status == SCR_OK ? 0 : 1;
}
