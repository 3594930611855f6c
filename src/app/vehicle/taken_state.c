// SPDX-License-Identifier: BSD-3-Clause
#include "app/vehicle/taken_state.h"

#include <stdio.h>
#include <string.h>

#include "app/source/saved_run.h"

// The vehicle's own name for a body of the run, "left shoe 3"; NULL: it is no part of the vehicle.
static const char *part_name_of(const char *body, const char *vehicle)
{
    size_t length = strlen(vehicle);
    return strncmp(body, vehicle, length) == 0 && body[length] == ' ' ? body + length + 1 : NULL;
}

// Of two vehicles one may be called "robot" and the other "robot 2".
static bool is_of_another(const simulation *sim, const char *body, const char *vehicle)
{
    for (int k = 0; k < simulation_vehicle_count(sim); ++k) {
        const char *other = simulation_vehicle(sim, k)->name;
        if (strlen(other) > strlen(vehicle) && part_name_of(body, other) != NULL) return true;
    }
    return false;
}

static scr_status find_vehicle(const simulation *sim, const char *name, const scene_probe **found, scr_error *error)
{
    int count = simulation_vehicle_count(sim);
    if (count == 0) return scr_fail(error, SCR_BAD_INPUT, "there is no vehicle in the run");
    if (name == NULL && count > 1)
        return scr_fail(error, SCR_BAD_INPUT, "there are %d vehicles in the run: say which one with --name", count);
    for (int k = 0; k < count; ++k) {
        *found = simulation_vehicle(sim, k);
        if (name == NULL || strcmp((*found)->name, name) == 0) return SCR_OK;
    }
    return scr_fail(error, SCR_BAD_INPUT, "there is no vehicle \"%s\" in the run", name);
}

static scr_status add_part(simulation *sim, int body, const char *name, vehicle_state *state, scr_error *error)
{
    scr_body_state now;
    scr_status status = scr_body_get_state(simulation_world(sim), simulation_body_handle(sim, body), &now, error);
    if (status != SCR_OK) return scr_fail(error, SCR_BAD_INPUT, "the vehicle has lost its %s", name);
    scr_frame frame = simulation_body_frame(sim, body);
    now.position = frame.position, now.rotation = frame.rotation;
    return vehicle_state_add(state, name, &now, error);
}

static scr_status take_parts(simulation *sim, const scene_probe *vehicle, vehicle_state *state, scr_error *error)
{
    const scene *s = simulation_scene(sim);
    scr_status status = SCR_OK;
    for (int i = 0; i < s->body_count && status == SCR_OK; ++i) {
        const char *own = part_name_of(s->bodies[i].name, vehicle->name);
        if (own != NULL && !is_of_another(sim, s->bodies[i].name, vehicle->name))
            status = add_part(sim, i, own, state, error);
    }
    if (status != SCR_OK) return status;
    const scr_body_def *chassis = &s->bodies[vehicle->vehicle->chassis].def;
    if (vehicle_state_bring_home(state, (pose){chassis->position, chassis->rotation})) return SCR_OK;
    return scr_fail(error, SCR_BAD_INPUT, "the vehicle's chassis has another name");
}

scr_status take_vehicle_state(const char *directory, const char *name, taken_state *taken, scr_error *error)
{
    built_scene built = {0};
    const scene_probe *vehicle = NULL;
    *taken = (taken_state){0};
    scr_status status = open_saved_run(directory, 0, &built, error);
    if (status == SCR_OK) status = find_vehicle(built.simulation, name, &vehicle, error);
    if (status == SCR_OK) status = take_parts(built.simulation, vehicle, &taken->state, error);
    if (status == SCR_OK) {
        snprintf(taken->name, sizeof taken->name, "%s", vehicle->name);
        taken->time = scr_world_time(simulation_world(built.simulation));
    }
    built_scene_free(&built);
    return status;
}
