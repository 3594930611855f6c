// SPDX-License-Identifier: BSD-3-Clause
// scree vehicle: what a vehicle file says, and a picture of it; or how a run left a vehicle, for other scenes.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/command/command.h"
#include "app/command/options.h"
#include "app/command/output_path.h"
#include "app/vehicle/taken_state.h"
#include "app/vehicle/vehicle_picture.h"
#include "core/base/threads.h"
#include "core/file/safe_file.h"
#include "core/text/human.h"
#include "io/vehicle/vehicle_file.h"

static const double GRAVITY = 9.81;  // m/s^2: of the pressure on the ground

typedef struct vehicle_options {
    const char *path, *output, *name;
    bool force;
    int threads;
} vehicle_options;

static parse_result parse(int argc, char **argv, vehicle_options *o)
{
    const option options[] = {
        {"output", 'o', OPTION_TEXT, &o->output, "FILE",
         "FILE.png: a picture of the vehicle with its tracks closed; of runs FILE.json: its state, default state.json"},
        {"name", 0, OPTION_TEXT, &o->name, "NAME", "of runs with several vehicles: which one"},
        {"force", 0, OPTION_FLAG, &o->force, NULL, FORCE_HELP},
        {"threads", 'j', OPTION_COUNT, &o->threads, "N", "threads to use; default: all cores"},
    };
    const verb_usage usage = {
        .verb = "vehicle",
        .arguments = "FILE.json|DIR",
        .argument_count = 1,
        .about = "Checks a vehicle file and shows what it says: masses, the centre of mass, how its tracks close\n"
                 "round their wheels, tension and pressure on level ground. Of a run it writes the vehicle as it is\n"
                 "in the last checkpoint, settled and tensioned, for the key \"state\" of vehicles in other scenes.\n"
                 "docs/vehicles.md has every key.",
        .example = "scree vehicle vehicles/robot.json -o robot.png\nscree vehicle settled -o settled.json",
        .options = options,
        .option_count = sizeof options / sizeof options[0],
    };
    return parse_arguments(&usage, argc, argv, &o->path);
}

static void print_name(const char *name) { printf("  %-11s", name); }

static void print_masses(const tracked_vehicle *v)
{
    double side = (vehicle_mass(v) - v->chassis_mass) / v->side_count;
    print_name("mass");
    printf("%s kg: chassis %s kg, %s of %s kg, of which the track %s kg\n", human_figure(vehicle_mass(v)).text,
           human_figure(v->chassis_mass).text, v->side_count == 1 ? "one side" : "two sides", human_figure(side).text,
           human_figure(track_mass(&v->shoe)).text);
}

static void print_track(const tracked_vehicle *v, const track_wrap *wrap)
{
    static const char *const kinds[] = {
        [SHOE_SINGLE_PIN] = "one pin", [SHOE_DOUBLE_PIN] = "two pins", [SHOE_BAND] = "bushings"};
    const tracked_shoe *shoe = &v->shoe;
    print_name("track");
    printf("%d shoes with %s, %s apart: %s\n", shoe->count, kinds[shoe->kind], human_length(track_pitch(shoe)).text,
           human_length(shoe->count * track_pitch(shoe)).text);
    print_name("idler");
    printf("the track closes %s %s its position; it may go from %s to %s\n", human_length(fabs(wrap->travel)).text,
           wrap->travel < 0.0 ? "behind" : "beyond", human_length(v->tensioner.lower).text,
           human_length(v->tensioner.upper).text);
    print_name("tension");
    printf("pushed with %s N: about %s N in the track\n", human_figure(v->tensioner.force).text,
           human_figure(0.5 * v->tensioner.force).text);
    print_name("sprocket");
    printf("%d teeth, pins %s from its axis; the track goes %s for each radian\n", v->sprocket.teeth,
           human_length(sprocket_pin_radius(v)).text, human_length(sprocket_rolling_radius(v)).text);
    print_name("");
    printf("it engages the shoes by %s\n", v->sprocket.engagement == ENGAGE_BY_CONSTRAINT
                                               ? "constraint: a pin at a time is held in its place"
                                               : "contact of pins and teeth");
}

static void print_ground(const tracked_vehicle *v)
{
    ground_run run = vehicle_ground_run(v);
    double length = run.front - run.rear, area = v->side_count * length * v->shoe.width;
    print_name("ground");
    printf("%s of track between the first and the last road wheel, %s wide", human_length(length).text,
           human_length(v->shoe.width).text);
    if (area > 0.0) printf("; mean pressure %s kPa", human_figure(1e-3 * vehicle_mass(v) * GRAVITY / area).text);
    putchar('\n');
}

static double to_millimetres(double x) { return 1e-3 * round(1e3 * x) + 0.0; }

static void print_centre(const vehicle_stand *stand)
{
    print_name("centre");
    printf("of mass %g m forward, %g m left, %g m above the ground\n", to_millimetres(stand->centre.x),
           to_millimetres(stand->centre.y), to_millimetres(stand->centre.z));
}

static bool ends_in(const char *path, const char *end)
{
    size_t length = strlen(path), tail = strlen(end);
    return length > tail && strcmp(path + length - tail, end) == 0;
}

static scr_status check_options(const vehicle_options *o, scr_error *error)
{
    if (o->name != NULL) return scr_fail(error, SCR_BAD_INPUT, "--name goes with a run, and %s is none", o->path);
    if (o->output == NULL) return SCR_OK;
    if (!ends_in(o->output, ".png"))
        return scr_fail(error, SCR_BAD_INPUT, "%s: the name of a picture ends in .png", o->output);
    output_rule rule = {&o->path, 1, o->force};
    return check_output_file(o->output, &rule, error);
}

static scr_status show(const vehicle_options *o, scr_error *error)
{
    vehicle_file file = {0};
    vehicle_stand stand = {0};
    track_wrap wrap = {0};
    scr_error reason;
    scr_status status = check_options(o, error);
    if (status == SCR_OK) status = vehicle_file_read(o->path, &file, error);
    if (status == SCR_OK && tracked_wrap(&file.tracked, &wrap, &reason) != SCR_OK)
        status = scr_fail(error, SCR_BAD_INPUT, "%s: %s", o->path, reason.message);
    if (status == SCR_OK) status = vehicle_stand_make(o->path, o->threads, &stand, error);
    if (status == SCR_OK) {
        printf("%s\n", file.title);
        print_masses(&file.tracked);
        print_centre(&stand);
        print_track(&file.tracked, &wrap);
        print_ground(&file.tracked);
        if (o->output != NULL) status = vehicle_stand_draw(&stand, o->output, o->threads, error);
        if (status == SCR_OK && o->output != NULL) printf("  %-11s%s\n", "picture", o->output);
    }
    vehicle_stand_free(&stand);
    track_wrap_free(&wrap);
    vehicle_file_free(&file);
    return status;
}

// Of a run.
static int write_state(const vehicle_options *o)
{
    scr_error error = {0};
    taken_state taken = {0};
    const char *output = o->output != NULL ? o->output : "state.json";
    char title[2 * PATH_LENGTH_MAX];
    output_rule rule = {&o->path, 1, o->force};
    int code = EXIT_DONE;
    scr_status status = ends_in(output, ".json")
                            ? check_output_file(output, &rule, &error)
                            : scr_fail(&error, SCR_BAD_INPUT, "%s: the name of a state ends in .json", output);
    if (status == SCR_OK) status = take_vehicle_state(o->path, o->name, &taken, &error);
    if (status == SCR_OK) snprintf(title, sizeof title, "%s at t = %g s of %s", taken.name, taken.time, o->path);
    if (status != SCR_OK) code = complain(&error);
    else if (vehicle_state_write(output, title, &taken.state, &error) != SCR_OK) code = complain_at_work(&error);
    else
        printf("%s: %s as it is at t = %g s, %lld parts, for the key \"state\" of vehicles in scenes\n", output,
               taken.name, taken.time, (long long)taken.state.count);
    vehicle_state_free(&taken.state);
    return code;
}

int app_vehicle(int argc, char **argv)
{
    vehicle_options o = {.threads = scr_core_count()};
    scr_error error;
    parse_result parsed = parse(argc, argv, &o);
    if (parsed != PARSE_OK) return exit_code_of(parsed);
    if (path_is_directory(o.path)) return write_state(&o);
    return show(&o, &error) == SCR_OK ? EXIT_DONE : complain(&error);
}
