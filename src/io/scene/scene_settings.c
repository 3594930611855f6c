// SPDX-License-Identifier: BSD-3-Clause
// Parameters, and everything that is said once: time, gravity, periods, solver, contact law, limits, domain, output.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "dynamics/cone/system/solver.h"
#include "dynamics/world/world_state.h"
#include "io/scene/scene_sections.h"

// Frames and probe rows of a run, unless the scene says otherwise.
enum { DEFAULT_FRAME_COUNT = 100, DEFAULT_ROW_COUNT = 1000 };

static const double STEPS_MAX = 1e12;  // decades of computing, even for a single body

static void add_parameter(json_cursor *at, double value)
{
    json_document *document = at->document;
    if (!cursor_is_ok(at)) return;
    document->status = scr_grow(&document->parameters, &document->parameter_capacity, document->parameter_count + 1,
                                sizeof *document->parameters, "parameters", document->error);
    if (cursor_is_ok(at)) document->parameters[document->parameter_count++] = (expression_name){at->key, value};
}

void read_parameters(json_cursor *root)
{
    json_cursor map = cursor_map(root, "parameters");
    const char *name;
    json_t *unused;
    if (!cursor_is_ok(root)) return;
    json_object_foreach(map.value, name, unused)
    {
        if (strcmp(name, "comment") == 0) continue;
        json_cursor member = cursor_member(&map, name);
        if (!expression_name_is_free(name) || strlen(name) > NAME_MAX_LENGTH) {
            cursor_fail_at_key(&member,
                               "\"%s\" cannot be a parameter: a name has letters, digits and _, and is none of the "
                               "functions and constants of formulae",
                               shown(name).text);
        }
        add_parameter(&member, cursor_value_number(&member, RANGE_ANY));
        if (!cursor_is_ok(root)) return;
    }
}

static void read_rest(json_cursor *time, scene_rest *rest)
{
    if (!cursor_has(time, "rest")) {
        cursor_member(time, "rest");
        return;
    }
    json_cursor at = cursor_object(time, "rest");
    rest->energy = cursor_needed_number(&at, "energy", RANGE_POSITIVE);
    rest->duration = cursor_number(&at, "for", 0.05, RANGE_NOT_NEGATIVE);
    rest->after = cursor_number(&at, "after", 0.0, RANGE_NOT_NEGATIVE);
    cursor_close(&at);
}

static void read_packing(json_cursor *time, scene_packing *asked)
{
    if (!cursor_has(time, "packing")) {
        cursor_member(time, "packing");
        return;
    }
    json_cursor at = cursor_object(time, "packing");
    static const number_range fraction = {0.0, 1.0, true, true};
    asked->fraction = cursor_needed_number(&at, "fraction", fraction);
    scene_region box = read_box_region(&at, "region");
    asked->low = box.low;
    asked->high = box.high;
    asked->after = cursor_number(&at, "after", 0.0, RANGE_NOT_NEGATIVE);
    cursor_close(&at);
}

static void read_time(scene_reading *reading, json_cursor *root)
{
    if (!cursor_has(root, "time")) {
        cursor_fail_missing(root, "time", "{\"step\": seconds, \"end\": seconds}");
        return;
    }
    json_cursor time = cursor_object(root, "time");
    reading->scene->world.time_step = cursor_number(&time, "step", reading->scene->world.time_step, RANGE_POSITIVE);
    reading->scene->end_time = cursor_needed_number(&time, "end", RANGE_NOT_NEGATIVE);
    read_rest(&time, &reading->scene->rest);
    read_packing(&time, &reading->scene->packing);
    cursor_close(&time);
    if (cursor_is_ok(root) && !(reading->scene->end_time / reading->scene->world.time_step <= STEPS_MAX)) {
        json_cursor step = cursor_member(&time, "step");
        cursor_fail(&step, "to \"end\" there would be more than %g steps of this length", STEPS_MAX);
    }
    double h = reading->scene->world.time_step, end = reading->scene->end_time;
    if (cursor_is_ok(root) && end > 0.0 && h > end) {
        json_cursor member = cursor_member(&time, cursor_has(&time, "step") ? "step" : "end");
        cursor_fail(&member, "a step of %g s is longer than the run, which ends at %g s", h, end);
    }
}

static void read_gravity(scene_reading *reading, json_cursor *root)
{
    scene *s = reading->scene;
    s->gravity = read_time_vector(root, "gravity", &s->world.gravity);
    if (!cursor_is_ok(root)) return;
    s->world.gravity = time_vector_at(&s->gravity, 0.0);
}

static void read_period_along(json_cursor *at, const char *axis, double *low, double *high)
{
    if (!cursor_has(at, axis)) return;
    json_cursor list = cursor_member(at, axis);
    cursor_expect_list(&list, 2, "a lowest and a highest coordinate");
    json_cursor first = cursor_entry(&list, 0), second = cursor_entry(&list, 1);
    *low = cursor_value_number(&first, RANGE_COORDINATE);
    *high = cursor_value_number(&second, RANGE_COORDINATE);
    if (cursor_is_ok(at) && !(*low < *high))
        cursor_fail(&list, "space repeats from a lower to a higher coordinate: %g is not below %g", *low, *high);
}

static bool repeats(const scr_period *p, int axis)
{
    const double length[3] = {p->high.x - p->low.x, p->high.y - p->low.y, p->high.z - p->low.z};
    return length[axis] > 0.0;
}

// An axis that repeats.
static int read_repeated_axis(json_cursor *at, const char *key, const scr_period *period)
{
    static const char *const axes[] = {"x", "y", "z"};
    int axis = cursor_choice(at, key, axes, 3, -1);
    json_cursor member = cursor_member(at, key);
    if (cursor_is_ok(at) && !repeats(period, axis))
        cursor_fail(&member, "space is sheared between axes that repeat, and \"%s\" does not", axes[axis]);
    return axis;
}

static void read_shear(scene *s, json_cursor *period_at)
{
    static const char *const starts[] = {"rest", "flow"};
    scr_shear *shear = &s->world.period.shear;
    if (!cursor_has(period_at, "shear")) {
        cursor_member(period_at, "shear");
        return;
    }
    json_cursor at = cursor_object(period_at, "shear");
    shear->flow = read_repeated_axis(&at, "flow", &s->world.period);
    shear->gradient = read_repeated_axis(&at, "gradient", &s->world.period);
    s->shear.rate = read_time_function(&at, "rate");
    s->shear.starts_in_flow = cursor_choice(&at, "start", starts, 2, 1) == 1;
    cursor_close(&at);
    if (!cursor_is_ok(&at)) return;
    json_cursor gradient = cursor_member(&at, "gradient");
    if (shear->flow == shear->gradient) cursor_fail(&gradient, "the gradient must be across the flow, not along it");
    s->shear.present = true;
    shear->rate = time_function_at(&s->shear.rate, 0.0);
}

static void read_servo(scene *s, json_cursor *period_at)
{
    scr_period *period = &s->world.period;
    if (!cursor_has(period_at, "servo")) {
        cursor_member(period_at, "servo");
        return;
    }
    json_cursor at = cursor_object(period_at, "servo");
    s->servo.location = cursor_location(&at);
    s->servo.stress = read_time_vector(&at, "stress", NULL);
    s->servo.rate = read_time_vector(&at, "rate", &(scr_vec3){0});
    s->servo.speed = cursor_number(&at, "speed", 0.2, RANGE_POSITIVE);
    cursor_close(&at);
    if (!cursor_is_ok(&at)) return;
    if (!repeats(period, 0) || !repeats(period, 1) || !repeats(period, 2))
        cursor_fail(&at, "a servo holds the stress of a cell: space must repeat along x, y and z");
    if (s->shear.present) cursor_fail(&at, "space cannot be sheared and have a servo at once");
    s->servo.present = period->is_stretched = true;
}

static void read_period(scene_reading *reading, json_cursor *root)
{
    scr_period *period = &reading->scene->world.period;
    if (!cursor_has(root, "periodic")) return;
    json_cursor at = cursor_object(root, "periodic");
    read_period_along(&at, "x", &period->low.x, &period->high.x);
    read_period_along(&at, "y", &period->low.y, &period->high.y);
    read_period_along(&at, "z", &period->low.z, &period->high.z);
    read_shear(reading->scene, &at);
    read_servo(reading->scene, &at);
    cursor_close(&at);
    bool any = cursor_has(&at, "x") || cursor_has(&at, "y") || cursor_has(&at, "z");
    if (cursor_is_ok(root) && !any) cursor_fail(&at, "\"periodic\" must say \"x\", \"y\" or \"z\"");
}

static void read_solver(scene_reading *reading, json_cursor *root)
{
    static const char *const precisions[] = {
        [SCR_PRECISION_USUAL] = "usual", [SCR_PRECISION_DOUBLE] = "double", [SCR_PRECISION_MIXED] = "mixed"};
    static const number_range iterations = {1.0, 1e6, false, false}, relaxation = {0.0, 2.0, false, true};
    scr_solver_def *solver = &reading->scene->world.solver;
    json_cursor at = cursor_object(root, "solver");
    solver->kind = (scr_solver_kind)cursor_choice(&at, "method", SOLVER_NAMES, SOLVER_KINDS, solver->kind);
    solver->max_iterations = (int)cursor_whole(&at, "max_iterations", solver->max_iterations, iterations);
    solver->tolerance = cursor_number(&at, "tolerance", solver->tolerance, RANGE_NOT_NEGATIVE);
    solver->warm_start = cursor_flag(&at, "warm_start", solver->warm_start);
    solver->precision = (scr_precision)cursor_choice(&at, "precision", precisions, 3, solver->precision);
    solver->omega = cursor_number(&at, "omega", solver->omega, relaxation);
    solver->lambda = cursor_number(&at, "lambda", solver->lambda, RANGE_SHARE);
    cursor_close(&at);
}

// What only the other law reads is read all the same: one word switches the law of a scene.
static void read_law(scr_contact_def *contact, json_cursor *at)
{
    static const number_range compliance = {0.0, 1.0, true, false};  // for none there is "rigid"
    static const char *const frictions[] = {[SCR_FRICTION_CONVEX] = "convex", [SCR_FRICTION_COULOMB] = "coulomb"};
    static const char *const normals[] = {[SCR_HERTZ] = "hertz", [SCR_HOOKE] = "hooke"};
    static const char *const rollings[] = {[SCR_ROLLING_ELASTIC] = "elastic", [SCR_ROLLING_CONSTANT] = "constant"};
    static const char *const adhesions[] = {[SCR_DMT] = "dmt", [SCR_JKR] = "jkr"};
    contact->law = (scr_contact_law)cursor_choice(at, "law", CONTACT_LAW_NAMES, CONTACT_LAW_COUNT, contact->law);
    contact->compliance = cursor_number_or_null(at, "compliance", contact->compliance, compliance);
    contact->damping = cursor_number_or_null(at, "damping", contact->damping, RANGE_NOT_NEGATIVE);
    contact->friction = (scr_friction_law)cursor_choice(at, "friction", frictions, 2, contact->friction);
    contact->normal = (scr_normal_law)cursor_choice(at, "normal", normals, 2, contact->normal);
    contact->stiffness = cursor_number(at, "stiffness", contact->stiffness, RANGE_NOT_NEGATIVE);
    contact->rolling = (scr_rolling_law)cursor_choice(at, "rolling", rollings, 2, contact->rolling);
    contact->adhesion = (scr_adhesion_law)cursor_choice(at, "adhesion", adhesions, 2, contact->adhesion);
    if (contact->law == SCR_PENALTY && contact->normal == SCR_HOOKE && contact->adhesion == SCR_JKR) {
        json_cursor adhesion = cursor_member(at, "adhesion");
        cursor_fail(&adhesion, "\"jkr\" goes with the normal law \"hertz\"; with \"hooke\" take \"dmt\"");
    }
}

static void read_contact(scene_reading *reading, json_cursor *root)
{
    static const char *const reductions[] = {[SCR_REDUCE_SPREAD] = "spread", [SCR_REDUCE_RANDOM] = "random"};
    static const number_range per_pair = {0.0, 1e6, false, false};
    scr_contact_def *contact = &reading->scene->world.contact;
    json_cursor at = cursor_object(root, "contact");
    read_law(contact, &at);
    contact->envelope = cursor_number(&at, "envelope", contact->envelope, RANGE_SHARE);
    contact->recovery_speed = cursor_number(&at, "recovery_speed", contact->recovery_speed, RANGE_NOT_NEGATIVE);
    contact->max_per_pair = (int)cursor_whole(&at, "max_per_pair", contact->max_per_pair, per_pair);
    scr_solver_kind method = reading->scene->world.solver.kind;
    if (contact->friction == SCR_FRICTION_COULOMB &&
        (method == SCR_SOLVER_APGD || method == SCR_SOLVER_BB || method == SCR_SOLVER_JACOBI)) {
        json_cursor friction = cursor_member(&at, "friction");
        cursor_fail(&friction, "\"coulomb\" is solved by the methods \"auto\", \"newton\", \"ags\" and \"gs\" only");
    }
    contact->reduction = (scr_reduction)cursor_choice(&at, "reduction", reductions, 2, contact->reduction);
    reading->scene->overlap_limit = cursor_number(&at, "overlap_limit", 0.25, RANGE_NOT_NEGATIVE);
    cursor_close(&at);
}

static void read_limits(scene_reading *reading, json_cursor *root)
{
    const number_range speed = {0.0, RANGE_SPEED.max, true, false};
    json_cursor at = cursor_object(root, "limits");
    reading->scene->world.max_speed = cursor_number(&at, "speed", reading->scene->world.max_speed, speed);
    cursor_close(&at);
}

static void read_domain(scene_reading *reading, json_cursor *root)
{
    static const char *const actions[] = {[LEAVE_REMOVE] = "remove", [LEAVE_KEEP] = "keep", [LEAVE_STOP] = "stop"};
    scene_domain *domain = &reading->scene->domain;
    if (!cursor_has(root, "domain")) return;
    json_cursor at = cursor_object(root, "domain");
    domain->present = true;
    read_box(&at, &domain->low, &domain->high);
    domain->leave = (leave_action)cursor_choice(&at, "leave", actions, 3, LEAVE_REMOVE);
    cursor_close(&at);
}

void read_settings(scene_reading *reading, json_cursor *root)
{
    scene *s = reading->scene;
    s->world = scr_default_world_def();
    s->title = strdup(cursor_text(root, "title", ""));
    if (s->title == NULL) cursor_fail_memory(root, 0, "the title");
    cursor_text(root, "description", "");
    s->seed = (uint64_t)cursor_whole(root, "seed", 1, RANGE_COUNT);
    read_time(reading, root);
    read_gravity(reading, root);
    read_period(reading, root);
    read_solver(reading, root);
    read_contact(reading, root);
    read_limits(reading, root);
    read_domain(reading, root);
}

void read_output(scene_reading *reading, json_cursor *root)
{
    scene *s = reading->scene;
    json_cursor at = cursor_object(root, "output");
    s->output.frame_interval =
        cursor_number(&at, "frame_interval", s->end_time / DEFAULT_FRAME_COUNT, RANGE_NOT_NEGATIVE);
    s->output.probe_interval =
        cursor_number(&at, "probe_interval", s->end_time / DEFAULT_ROW_COUNT, RANGE_NOT_NEGATIVE);
    s->output.checkpoint_minutes = cursor_number(&at, "checkpoint_minutes", 5.0, RANGE_POSITIVE);
    s->output.contacts = cursor_flag(&at, "contacts", false);
    s->output.rotations = s->world.follow_rotations = cursor_flag(&at, "rotations", false);
    s->output.set_spheres = cursor_flag(&at, "set_spheres", false);
    cursor_close(&at);
}
