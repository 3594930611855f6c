// SPDX-License-Identifier: BSD-3-Clause
// scree check: validate a scene, say what it would build and what it would cost.
#include <stdio.h>

#include "app/check/cost_estimate.h"
#include "app/check/mechanism_report.h"
#include "app/command/command.h"
#include "app/command/options.h"
#include "app/source/built_scene.h"
#include "app/source/scene_census.h"
#include "app/source/step_advice.h"
#include "app/source/surface_report.h"
#include "core/base/memory.h"
#include "core/base/threads.h"
#include "core/text/human.h"
#include "dynamics/world/world_state.h"
#include "scene/model/messages.h"
#include "scene/parts/thin_walls.h"

static parse_result parse(int argc, char **argv, scene_request *o)
{
    const option options[] = {
        {"threads", 'j', OPTION_COUNT, &o->threads, "N",
         "threads that the time estimate is for; default: as scree run takes them"},
        {"until", 0, OPTION_NUMBER, &o->until, "T", "as if the run ended at T seconds of simulated time"},
        {"set", 0, OPTION_LIST, &o->set, "PATH=VALUE", "change the scene, as for scree run; may be repeated"},
    };
    const verb_usage usage = {
        .verb = "check",
        .arguments = "SCENE",
        .argument_count = 1,
        .about = "Reads a scene, builds it in memory, and says what is in it, what its joints leave free, what a run\n"
                 "would take, how long steps may be under the penalty law and which walls are so thin that grains\n"
                 "might pass them in a step. Nothing is written.\n"
                 "A mistake in the scene is a sentence and exit code 2.",
        .example = "scree check ball.json",
        .options = options,
        .option_count = sizeof options / sizeof options[0],
    };
    return parse_arguments(&usage, argc, argv, &o->path);
}

enum { LINES_MAX = 8 };  // surfaces or warnings that are listed one by one

static void print_surfaces(const scr_world *world, int64_t count)
{
    for (int64_t i = 0; i < count && i < LINES_MAX; ++i) {
        printf("  %-10s ", i == 0 ? "surfaces" : "");
        print_surface_line(world_surface(world, (scr_surface){(uint32_t)i + 1}));
        printf("\n");
    }
    if (count > LINES_MAX) printf("  %-10s and %s more\n", "", human_count(count - LINES_MAX).text);
}

static void print_build(const scene *s, const census *c, int64_t emitted)
{
    printf("  %-10s ", "scene");
    print_scene_census(stdout, s);
    printf("\n  %-10s %s (%s dynamic, %s fixed, %s kinematic)\n", "bodies", human_count(c->bodies).text,
           human_count(c->dynamic).text, human_count(c->fixed).text, human_count(c->kinematic).text);
    printf("  %-10s ", "shapes");
    print_shapes(stdout, c);
    printf("\n");
    if (s->emitter_count > 0)
        printf("  %-10s about %s in the course of the run\n", "emitters",
               human_things(emitted, "grain", "grains").text);
    printf("  %-10s ", "materials");
    for (int k = 0; k < s->material_count; ++k) printf("%s%s", k > 0 ? ", " : "", s->materials[k].name);
    printf("\n");
}

// Advice with each: what would be safe.
static void print_thin_wall(const scene *s, const thin_wall *w)
{
    double safe = (w->radius + 0.5 * w->thickness) / w->speed;
    printf("  %-10s %s ", "warning", label_of_body(s, w->body).text);
    if (w->thickness > 0.0) printf("is %s thick", human_length(w->thickness).text);
    else printf("is a sheet without thickness");
    printf(", and a grain of %s radius may meet it at %s m/s", human_length(w->radius).text,
           human_figure(w->speed).text);
    if (w->drop > 0.0) printf(" (falling %s)", human_length(w->drop).text);
    printf(", %s in a step: it might end up on the other side. Steps of at most %s are safe",
           human_length(w->travel).text, human_duration(safe).text);
    if (w->thickness > 0.0) printf(", or a thickness of %s", human_length(2.0 * (w->travel - w->radius)).text);
    printf("\n");
}

static scr_status print_warnings(const scene *s, const scr_world *world, scr_error *error)
{
    thin_walls walls = {0};
    scr_status status = find_thin_walls(s, world, &walls, error);
    for (int64_t k = 0; status == SCR_OK && k < walls.count && k < LINES_MAX; ++k) print_thin_wall(s, &walls.item[k]);
    if (walls.count > LINES_MAX)
        printf("  %-10s and %s more thin walls\n", "", human_count(walls.count - LINES_MAX).text);
    scr_free(walls.item);
    return status;
}

static void print_step_advice(simulation *sim)
{
    const scene *s = simulation_scene(sim);
    scr_step_advice advice = scr_world_advised_step(simulation_world(sim));
    if (s->world.contact.law != SCR_PENALTY || advice.limit == SCR_LIMIT_NONE) return;
    step_words words = words_on_step(&advice, s->world.time_step, s->materials[advice.material].name);
    if (words.is_too_long)
        printf("  %-10s the steps are too long for the penalty law: advised are %s\n", "warning", words.text);
    else printf("  %-10s %s\n", "advised", words.text);
}

static void print_cost(const scene *s, const run_cost *cost, int threads)
{
    printf("  %-10s %s of %s to t = %g s\n", "run", human_things((int64_t)cost->steps, "step", "steps").text,
           human_duration(s->world.time_step).text, s->end_time);
    printf("  %-10s about %s on %s, %s a step: a guess, for %s at rest", "time",
           human_duration(cost->steps * cost->step_seconds).text, human_things(threads, "thread", "threads").text,
           human_duration(cost->step_seconds).text, human_things((int64_t)cost->bodies, "body", "bodies").text);
    if (cost->iterations > 0.0) printf(" and %.0f iterations a step", cost->iterations);
    printf("\n  %-10s about %s\n", "memory", human_bytes((int64_t)cost->memory).text);
    printf("  %-10s %s of %s, ", "disk", human_things((int64_t)cost->frames, "frame", "frames").text,
           human_bytes((int64_t)cost->frame_bytes).text);
    if (cost->columns > 0)
        printf("%s of %s", human_things((int64_t)cost->rows, "row", "rows").text,
               human_things(cost->columns, "probe column", "probe columns").text);
    else printf("no probes");
    printf("; %s in all, checkpoints included\n", human_bytes((int64_t)cost->disk).text);
}

static scr_status print_costs(simulation *sim, const census *c, emission_estimate emitted, int threads,
                              scr_error *error)
{
    const scene *s = simulation_scene(sim);
    moving_shapes moving;
    scr_status status = count_moving(s, simulation_world(sim), &moving, error);
    if (status != SCR_OK) return status;
    run_cost cost = estimate_cost(s, c, &moving, emitted, simulation_probe_column_count(sim), threads);
    print_cost(s, &cost, threads);
    return SCR_OK;
}

static int threads_of_run(const scene_request *o, const census *c, emission_estimate emitted)
{
    if (o->threads > 0) return o->threads;
    return threads_for_bodies(c->bodies + emitted.spheres + emitted.others, scr_core_count());
}

static int check(const scene_request *o)
{
    scr_error error = {0};
    built_scene built;
    scr_status status = build_requested(o, &built, &error);
    if (status == SCR_OK) {
        const scene *s = built.scene;
        const scr_world *world = simulation_world(built.simulation);
        census c = count_world(world);
        emission_estimate emitted = expected_emissions(s);
        printf("%s: the scene is good\n", s->title[0] != '\0' ? s->title : o->path);
        print_build(s, &c, emitted.spheres + emitted.others);
        print_surfaces(world, s->surface_count);
        print_mechanisms(built.simulation);
        status = print_costs(built.simulation, &c, emitted, threads_of_run(o, &c, emitted), &error);
        print_step_advice(built.simulation);
        if (status == SCR_OK) status = print_warnings(s, world, &error);
    }
    built_scene_free(&built);
    return status == SCR_OK ? EXIT_DONE : complain(&error);
}

int app_check(int argc, char **argv)
{
    scene_request o = {0};
    parse_result parsed = parse(argc, argv, &o);
    int code = parsed == PARSE_OK ? check(&o) : exit_code_of(parsed);
    option_list_free(&o.set);
    return code;
}
