// SPDX-License-Identifier: BSD-3-Clause
#include "io/run/run_frames.h"

#include "core/base/threads.h"
#include "scene/populate/emission_estimate.h"

scr_status run_frame_capture(simulation *sim, frame *f, scr_error *error)
{
    const scene_output *wanted = &simulation_scene(sim)->output;
    const scr_world *world = simulation_world(sim);
    scr_status status = frame_capture(world, f, error);
    if (status == SCR_OK && wanted->contacts) status = frame_capture_contacts(world, f, error);
    if (status == SCR_OK && wanted->rotations) status = frame_capture_rotations(world, f, error);
    if (status == SCR_OK && wanted->set_spheres) status = frame_capture_set_spheres(world, f, error);
    return status;
}

frame_size run_frame_usual_size(simulation *sim, const frame *first)
{
    const scene_output *wanted = &simulation_scene(sim)->output;
    emission_estimate emitted = expected_emissions(simulation_scene(sim));
    frame_size usual = {.spheres = first->spheres.count + emitted.spheres,
                        .boxes = first->box_count,
                        .planes = first->plane_count,
                        .parts = first->part_count + emitted.others};
    // Grains in a heap have some three contacts each.
    if (wanted->contacts) usual.contacts = 3 * (usual.spheres + usual.parts);
    if (wanted->rotations) usual.rotations = max_i64(1, usual.spheres);
    if (simulation_box(sim) != NULL) usual.parked = simulation_active(sim).parked + 1;
    return usual;
}
