// scree check: validate a scene, say what it would build and what it would cost.
#include <math.h>
#include <stdio.h>

#include "app/built_scene.h"
#include "app/command.h"
#include "app/human.h"
#include "app/options.h"
#include "app/scene_census.h"
#include "app/surface_report.h"
#include "core/memory.h"
#include "core/threads.h"
#include "dynamics/world_state.h"
#include "scene/emission_estimate.h"
#include "scene/place.h"
#include "scene/thin_walls.h"

// A settled bed of grains, for estimates; bench/ prints what they are on a machine at hand.
static const double CONTACTS_A_BODY = 3.0;
static const double USUAL_ITERATIONS = 60.0;        // of a bed that has come to rest, with the default tolerance
static const double ITERATION_SECONDS = 10e-9;      // s a contact and iteration on one thread
static const double OTHER_SECONDS = 0.8e-6;         // s a body on one thread: everything but the iterations
static const double SECOND_THREAD = 0.8;            // each thread more adds so much of the first one's speed
static const double BODY_BYTES = 1300.0;            // of memory a body with its contacts
static const double CHECKPOINT_BODY_BYTES = 330.0;  // of disk
static const double SPHERE_FRAME_BYTES = 33.0, BOX_FRAME_BYTES = 154.0, PLANE_FRAME_BYTES = 33.0, PART_FRAME_BYTES = 63.0;
static const double PROBE_VALUE_BYTES = 16.0;

static parse_result parse(int argc, char **argv, scene_request *o)
{
    const option options[] = {
        {"threads", 'j', OPTION_COUNT, &o->threads, "N", "threads that the time estimate is for; default: all cores"},
        {"until", 0, OPTION_NUMBER, &o->until, "T", "as if the run ended at T seconds of simulated time"},
        {"set", 0, OPTION_LIST, &o->set, "PATH=VALUE", "change the scene, as for scree run; may be repeated"},
    };
    const verb_usage usage = {
        .verb = "check",
        .arguments = "SCENE",
        .argument_count = 1,
        .about = "Reads a scene, builds it in memory, and says what is in it, what a run would take and\n"
                 "which walls are so thin that grains might pass them in a step. Nothing is written.\n"
                 "A mistake in the scene is a sentence and exit code 2.",
        .options = options,
        .option_count = sizeof options / sizeof options[0],
    };
    return parse_arguments(&usage, argc, argv, &o->path);
}

enum { KIND_COUNT = SCR_PLANE + 1, LINES_MAX = 8 };  // surfaces or warnings that are told one by one

typedef struct census {
    int64_t bodies, dynamic, fixed, kinematic;
    int64_t shapes[KIND_COUNT];
} census;

static census count_bodies(const scr_world *world)
{
    scr_body_view view = scr_world_bodies(world);
    census c = {.bodies = view.count};
    for (int64_t i = 0; i < view.count; ++i) {
        c.dynamic += view.kind[i] == SCR_DYNAMIC;
        c.fixed += view.kind[i] == SCR_FIXED;
        c.kinematic += view.kind[i] == SCR_KINEMATIC;
    }
    for (int64_t i = 0; i < scr_world_shape_count(world); ++i) ++c.shapes[scr_world_shape(world, i).kind];
    return c;
}

static void print_shapes(const census *c)
{
    static const char *const name[KIND_COUNT][2] = {
        [SCR_SPHERE] = {"sphere", "spheres"},       [SCR_ELLIPSOID] = {"ellipsoid", "ellipsoids"},
        [SCR_BOX] = {"box", "boxes"},               [SCR_CAPSULE] = {"capsule", "capsules"},
        [SCR_CYLINDER] = {"cylinder", "cylinders"}, [SCR_CONE] = {"cone", "cones"},
        [SCR_HULL] = {"hull", "hulls"},             [SCR_MESH] = {"mesh", "meshes"},
        [SCR_HEIGHTFIELD] = {"heightfield", "heightfields"}, [SCR_PLANE] = {"plane", "planes"},
    };
    const char *separator = "";
    printf("  %-10s ", "shapes");
    for (int k = 0; k < KIND_COUNT; ++k) {
        if (c->shapes[k] == 0) continue;
        printf("%s%s", separator, human_things(c->shapes[k], name[k][0], name[k][1]).text);
        separator = ", ";
    }
    printf("%s\n", separator[0] == '\0' ? "none" : "");
}

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
    print_scene_parts(stdout, s);
    printf("\n  %-10s %s (%s dynamic, %s fixed, %s moving as told)\n", "bodies", human_count(c->bodies).text,
           human_count(c->dynamic).text, human_count(c->fixed).text, human_count(c->kinematic).text);
    print_shapes(c);
    if (s->emitter_count > 0)
        printf("  %-10s about %s grains in the course of the run\n", "emitters", human_count(emitted).text);
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
    printf(", and a grain of %s radius may meet it at %s m/s", human_length(w->radius).text, human_figure(w->speed).text);
    if (w->drop > 0.0) printf(" (falling %s)", human_length(w->drop).text);
    printf(", %s in a step: it might end up on the other side. Steps of at most %s are safe", human_length(w->travel).text,
           human_duration(safe).text);
    if (w->thickness > 0.0) printf(", or a thickness of %s", human_length(2.0 * (w->travel - w->radius)).text);
    printf("\n");
}

static scr_status print_warnings(const scene *s, const scr_world *world, scr_error *error)
{
    thin_walls walls = {0};
    scr_status status = find_thin_walls(s, world, &walls, error);
    for (int64_t k = 0; status == SCR_OK && k < walls.count && k < LINES_MAX; ++k) print_thin_wall(s, &walls.item[k]);
    if (walls.count > LINES_MAX) printf("  %-10s and %s more thin walls\n", "", human_count(walls.count - LINES_MAX).text);
    scr_free(walls.item);
    return status;
}

static void print_cost(const scene *s, const census *c, emission_estimate emitted, int columns, int threads)
{
    double h = s->world.time_step, steps = ceil(s->end_time / h - 0.5);
    double bodies = (double)(c->bodies + emitted.spheres + emitted.others);
    double sweeps = s->world.solver.tolerance > 0.0 ? fmin(USUAL_ITERATIONS, s->world.solver.max_iterations)
                                                    : s->world.solver.max_iterations;
    double speed = 1.0 + SECOND_THREAD * (threads - 1);
    double step = bodies * (OTHER_SECONDS + CONTACTS_A_BODY * sweeps * ITERATION_SECONDS) / speed;
    printf("  %-10s %s steps of %s to t = %g s\n", "steps", human_count((int64_t)steps).text, human_duration(h).text,
           s->end_time);
    printf("  %-10s about %s on %d thread%s, %s a step: a guess, for %s bodies at rest and %.0f iterations\n", "time",
           human_duration(steps * step).text, threads, threads == 1 ? "" : "s", human_duration(step).text,
           human_count((int64_t)bodies).text, sweeps);
    printf("  %-10s about %s\n", "memory", human_bytes((int64_t)(20e6 + bodies * BODY_BYTES)).text);

    double frames = s->output.frame_interval > 0.0 ? floor(s->end_time / fmax(s->output.frame_interval, h)) + 1.0 : 0.0;
    double frame_bytes = PART_FRAME_BYTES * (double)emitted.others + SPHERE_FRAME_BYTES * (double)emitted.spheres;
    for (int k = 0; k < KIND_COUNT; ++k) {
        double bytes = k == SCR_SPHERE  ? SPHERE_FRAME_BYTES
                       : k == SCR_BOX   ? BOX_FRAME_BYTES
                       : k == SCR_PLANE ? PLANE_FRAME_BYTES
                                        : PART_FRAME_BYTES;
        frame_bytes += bytes * (double)c->shapes[k];
    }
    double rows = columns > 0 ? floor(s->end_time / fmax(s->output.probe_interval, h)) + 1.0 : 0.0;
    double disk =
        frames * frame_bytes + rows * PROBE_VALUE_BYTES * (columns + 1) + 2.0 * CHECKPOINT_BODY_BYTES * bodies;
    printf("  %-10s %s frames of %s, %s rows of %d probe columns; %s in all, checkpoints included\n", "disk",
           human_count((int64_t)frames).text, human_bytes((int64_t)frame_bytes).text, human_count((int64_t)rows).text,
           columns, human_bytes((int64_t)disk).text);
}

static int check(const scene_request *o)
{
    int threads = o->threads > 0 ? o->threads : scr_core_count();
    scr_error error = {0};
    built_scene built;
    scr_status status = scene_build(o, &built, NULL, &error);
    if (status == SCR_OK) {
        const scene *s = built.scene;
        const scr_world *world = simulation_world(built.simulation);
        census c = count_bodies(world);
        emission_estimate emitted = expected_emissions(s);
        printf("%s: the scene is good\n", s->title[0] != '\0' ? s->title : o->path);
        print_build(s, &c, emitted.spheres + emitted.others);
        print_surfaces(world, s->surface_count);
        print_cost(s, &c, emitted, simulation_probe_column_count(built.simulation), threads);
        status = print_warnings(s, world, &error);
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
