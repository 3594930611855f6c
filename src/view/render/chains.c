// SPDX-License-Identifier: BSD-3-Clause
// Contact forces as rods.
#include "view/render/chains.h"

#include <math.h>
#include <string.h>

#include "view/colour/vec3f.h"

static const float BEAD = 0.16f;      // radius of a bead, of its grain's
static const float ROD = 0.5f;        // radius of the strongest rods, of a mean grain's
static const float THINNEST = 0.02f;  // rods below this share of that are not drawn: no pixel would show them

static float mean_radius(const frame *f)
{
    double sum = 0.0;
    for (int64_t i = 0; i < f->spheres.count; ++i) sum += f->spheres.radius[i];
    if (f->spheres.count > 0) return (float)(sum / (double)f->spheres.count);
    for (int64_t i = 0; i < f->contact_count; ++i)
        sum += 0.5 * vec3f_norm(vec3f_load(&f->contacts[i].ends[3]) - vec3f_load(f->contacts[i].ends));
    return f->contact_count > 0 ? (float)(sum / (double)f->contact_count) : 0.0f;
}

// The rotation that takes z to a unit vector, by the shortest way.
static void rotate_z_to(vec3f axis, float rotation[4])
{
    if (axis[2] < -0.9999f) {  // by 180 degrees about a level axis
        memcpy(rotation, (const float[4]){0.0f, 1.0f, 0.0f, 0.0f}, 4 * sizeof *rotation);
        return;
    }
    float w = sqrtf(0.5f * (1.0f + axis[2])), s = 0.5f / w;
    memcpy(rotation, (const float[4]){w, -s * axis[1], s * axis[0], 0.0f}, 4 * sizeof *rotation);
}

static frame_shape rod_of(const frame_contact *c, float radius)
{
    vec3f a = vec3f_load(c->ends), b = vec3f_load(&c->ends[3]), way = b - a, middle = 0.5f * (a + b);
    frame_shape rod = {.surface = -1, .kind = SCR_DYNAMIC, .shape = SCR_CAPSULE};
    for (int axis = 0; axis < 3; ++axis) rod.position[axis] = middle[axis];
    rod.half[0] = rod.half[1] = radius;
    rod.half[2] = 0.5f * vec3f_norm(way);
    rotate_z_to(vec3f_unit(way), rod.rotation);
    return rod;
}

static void add_rods(chains *c, const frame *f, double force_max)
{
    float thickest = ROD * mean_radius(f);
    for (int64_t i = 0; i < f->contact_count; ++i) {
        float force = vec3f_norm(vec3f_load(f->contacts[i].force)), share = force / (float)force_max;
        if (!(share > THINNEST)) continue;
        c->force[c->frame.part_count - c->first_rod] = force;
        c->frame.parts[c->frame.part_count++] = rod_of(&f->contacts[i], thickest * lesser(share, 1.3f));
    }
}

scr_status chains_init(chains *c, const frame *f, double force_max, scr_error *error)
{
    *c = (chains){.frame = *f, .first_rod = f->part_count};
    size_t radius_bytes = scr_array_bytes(f->spheres.count + 1, sizeof(float));
    size_t part_bytes = scr_array_bytes(f->part_count + f->contact_count + 1, sizeof(frame_shape));
    size_t force_bytes = scr_array_bytes(f->contact_count + 1, sizeof(float));
    c->frame.spheres.radius = scr_alloc(radius_bytes);
    c->frame.parts = scr_alloc(part_bytes);
    c->force = scr_alloc(force_bytes);
    if (c->frame.spheres.radius == NULL || c->frame.parts == NULL || c->force == NULL) {
        chains_free(c);
        return scr_fail_memory(error, radius_bytes + part_bytes + force_bytes, "the force chains of a picture");
    }
    for (int64_t i = 0; i < f->spheres.count; ++i) c->frame.spheres.radius[i] = BEAD * f->spheres.radius[i];
    if (f->part_count > 0) memcpy(c->frame.parts, f->parts, (size_t)f->part_count * sizeof *f->parts);
    for (int64_t i = 0; i < f->part_count; ++i)
        if (f->parts[i].kind == SCR_DYNAMIC && f->parts[i].surface < 0)
            for (int axis = 0; axis < 3; ++axis) c->frame.parts[i].half[axis] *= BEAD;
    add_rods(c, f, force_max);
    return SCR_OK;
}

void chains_free(chains *c)
{
    scr_free(c->frame.spheres.radius);
    scr_free(c->frame.parts);
    scr_free(c->force);
    *c = (chains){0};
}
