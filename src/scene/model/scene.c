// SPDX-License-Identifier: BSD-3-Clause
// Giving back what a scene owns.
#include "scene/model/scene.h"

#include <stdlib.h>

#include "core/base/memory.h"

static void free_body(scene_body *body)
{
    scr_free(body->shapes);
    for (int k = 0; k < body->sphere_set_count; ++k) free(body->sphere_sets[k].path);
    scr_free(body->sphere_sets);
    time_vector_free(&body->motion.position);
    time_vector_free(&body->motion.velocity);
    time_function_free(&body->motion.angle);
    time_function_free(&body->motion.spin);
}

static void free_load(scene_load *load)
{
    time_vector_free(&load->force);
    time_vector_free(&load->torque);
}

static void free_driver(scene_driver *driver)
{
    time_function_free(&driver->speed);
    time_function_free(&driver->yaw_rate);
    scr_free(driver->waypoint);
}

void scene_surface_free(scene_surface *surface)
{
    free(surface->path);
    scr_free(surface->points);
    scr_free(surface->triangles);
    scr_free(surface->heights);
}

static void free_size(scene_size *size)
{
    scr_free(size->radius);
    scr_free(size->share);
}

static void free_grains(scene_size *size, scene_mix *mix)
{
    free_size(size);
    scr_free(mix->grain);
    scr_free(mix->weight);
}

static void vehicle_free(scene_vehicle *vehicle)
{
    for (int k = 0; vehicle != NULL && k < TRACKS_MAX; ++k) {
        scr_free(vehicle->track[k].shoe);
        scr_free(vehicle->track[k].pin);
        scr_free(vehicle->track[k].road_wheel);
    }
    scr_free(vehicle);
}

void scene_destroy(scene *s)
{
    if (s == NULL) return;
    for (int i = 0; i < s->body_count; ++i) free_body(&s->bodies[i]);
    for (int i = 0; i < s->joint_count; ++i) time_function_free(&s->joints[i].drive);
    for (int i = 0; i < s->spring_count; ++i) number_pairs_free(&s->springs[i].table);
    for (int i = 0; i < s->load_count; ++i) free_load(&s->loads[i]);
    for (int i = 0; i < s->driver_count; ++i) free_driver(&s->drivers[i]);
    for (int i = 0; i < s->chain_drive_count; ++i) scr_free(s->chain_drives[i].pin);
    for (int64_t i = 0; i < s->surface_count; ++i) scene_surface_free(&s->surfaces[i]);
    for (int i = 0; i < s->fill_count; ++i) free_grains(&s->fills[i].size, &s->fills[i].mix);
    for (int i = 0; i < s->emitter_count; ++i) free_grains(&s->emitters[i].size, &s->emitters[i].mix);
    for (int i = 0; i < s->ground_count; ++i) ground_def_free(&s->grounds[i].def);
    for (int i = 0; i < s->table_count; ++i) free(s->tables[i].path);
    for (int i = 0; i < s->bed_count; ++i) free(s->beds[i].path);
    for (int64_t i = 0; i < s->file_count; ++i) free(s->files[i]);
    time_vector_free(&s->gravity);
    time_function_free(&s->shear.rate);
    time_vector_free(&s->servo.stress);
    time_vector_free(&s->servo.rate);
    scr_free(s->files);
    scr_free(s->phases);
    scr_free(s->materials);
    scr_free(s->pairs);
    scr_free(s->grounds);
    scr_free(s->surfaces);
    scr_free(s->bodies);
    scr_free(s->joints);
    scr_free(s->springs);
    scr_free(s->couplings);
    scr_free(s->loads);
    scr_free(s->drivers);
    scr_free(s->chain_drives);
    scr_free(s->fills);
    scr_free(s->tables);
    scr_free(s->beds);
    scr_free(s->emitters);
    scr_free(s->sinks);
    scr_free(s->active_box.around);
    for (int i = 0; i < s->probe_count; ++i) vehicle_free(s->probes[i].vehicle);
    scr_free(s->probes);
    scr_free(s->groups);
    scene_view_free(&s->view);
    free(s->title);
    free(s->path);
    scr_free(s);
}
