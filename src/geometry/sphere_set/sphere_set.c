// SPDX-License-Identifier: BSD-3-Clause
#include "geometry/sphere_set/sphere_set.h"

scr_status sphere_set_add(sphere_set *set, set_sphere sphere, scr_error *error)
{
    if (set->count == SPHERE_SET_MAX)
        return scr_fail(error, SCR_BAD_INPUT, "a sphere set has at most %d spheres", SPHERE_SET_MAX);
    scr_status status = SCR_OK;
    if (set->count == set->capacity)
        status = scr_grow(&set->sphere, &set->capacity, set->count + 1, sizeof sphere, "spheres", error);
    if (status == SCR_OK) set->sphere[set->count++] = sphere;
    return status;
}

void sphere_set_free(sphere_set *set)
{
    scr_free(set->sphere);
    *set = (sphere_set){0};
}
