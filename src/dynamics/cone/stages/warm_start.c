// SPDX-License-Identifier: BSD-3-Clause
// From the last step's impulses to a first guess for this one, and the gentle treatment of overlaps that nobody made
// by moving.
//
// Guess: g = P(g' + lead (g' - g'')) with the impulses of the last two steps; rigid contacts take g' itself.
// Damping: the tangential spring's own impulse q' must be kept then. It has the tangential part of g'', and the guess
// is extrapolated along the normal only.
// Overlap: a pair that comes near by moving is a contact before it overlaps. One that overlaps when it is first seen
// was put there: by a scene, an emitter, a handle. Overlap beyond EASY_OVERLAP radii, or beyond what the recovery speed
// undoes in a step, is then allowed for at first, as if the surfaces lay deeper, and the allowance shrinks at the
// recovery speed.
#include "core/base/threads.h"
#include "dynamics/cone/stages/cone_stages.h"
#include "dynamics/cone/stages/contact_law.h"
#include "dynamics/cone/stages/plain_contacts.h"
#include "dynamics/cone/system/contact_row.h"
#include "dynamics/world/world.h"

static scr_vec3 load3(const float *v) { return vec3((double)v[0], (double)v[1], (double)v[2]); }
static void store3(float *to, scr_vec3 v) { to[0] = (float)v.x, to[1] = (float)v.y, to[2] = (float)v.z; }

static void guess_impulse(scr_world *world, const step_law *law, const contact_sides *s)
{
    contacts *set = &world->contacts;
    int64_t i = s->contact;
    scr_vec3 last = load3(set->impulse + 3 * i), guess = {0};
    contact_start start = contact_law_start(law, last, load3(set->previous + 3 * i), s->n);
    bool warm = law->is_warm && !world->contact_is_new[i];
    if (warm) {
        friction_cone cone = {.n = s->n, .mu = s->pair->friction};
        cone.apex = contact_pull(world, s, last.x != 0.0 || last.y != 0.0 || last.z != 0.0);
        guess = cone_project(&cone, start.guess, 1.0);
    }
    if (set->has_angular_impulses)
        for (int axis = 0; axis < 3; ++axis)
            set->angular_impulse[3 * i + axis] = warm ? set->last_angular_impulse[3 * i + axis] : 0.0f;
    store3(set->impulse + 3 * i, guess);
    store3(set->previous + 3 * i, start.kept);
}

static void begin_one(scr_world *world, const step_law *law, int64_t i)
{
    contact_sides s = contact_sides_of(world, i);
    float *allowance = &world->contacts.allowance[i];
    *allowance = (float)contact_law_allowance(law, s.gap, world->contact_is_new[i], sides_smaller_radius(world, &s),
                                              (double)*allowance);
    world->contacts.spring_share[i] = (float)contact_spring_share(world, &s);
    guess_impulse(world, law, &s);
}

// All contacts, or those that are not plain.
static void begin_contacts(scr_world *world, bool but_plain)
{
    const plain_kernels *central = plain_kernels_of(world);
    const general_kernels *general = general_kernels_of(world);
    const plain_view *view = &world->plain.view;
    step_law law = world_step_law(world);
    int64_t n = world->contacts.count;
#pragma omp parallel for num_threads(world->threads) schedule(static)
    for (int64_t first = 0; first < n; first += PLAIN_LANES) {
        int32_t contact[PLAIN_LANES];
        int count = next_contacts(first, n, contact);
        plain_masks plain = plain_contacts_among(world, contact, count);
        if (plain.central != 0 && !but_plain) central->begin(view, contact, plain.central);
        if (plain.general != 0 && !but_plain) general->begin(view, contact, plain.general);
        for (int k = 0; k < count; ++k)
            if (!((plain.central | plain.general) >> k & 1)) begin_one(world, &law, contact[k]);
    }
}

scr_status recall_impulses(scr_world *world, scr_error *error)
{
    int64_t n = world->contacts.count;
    scr_status status = scr_grow(&world->contact_is_new, &world->contact_is_new_capacity, n, 1, "contacts", error);
    if (status != SCR_OK) return status;
    world->contacts.has_angular_impulses = world->materials.max_rolling_friction > 0.0;
    if (world->contacts.has_angular_impulses) status = contacts_grow_angular_impulses(&world->contacts, error);
    world->plain.is_open = false;
    if (status != SCR_OK || n == 0) return status;
    contact_cache_recall(&world->cache, &world->contacts, world->contact_is_new, world->threads);
    status = plain_contacts_open(world, error);
    if (status != SCR_OK) return status;
    // What bounces asks what it carried: before packing (contact_restitution). So do rows that are made before it.
    world->plain.view.unbegun = &world->contacts;
    bool packing_begins = world->plain.is_open && !(world->materials.max_restitution > 0.0) && n > KEPT_ROWS_MAX;
    if (!packing_begins || !world->plain.all_are_plain) begin_contacts(world, packing_begins);
    if (!packing_begins) world->plain.view.unbegun = NULL;
    return SCR_OK;
}

void stretch_springs(scr_world *world)
{
    contacts *set = &world->contacts;
    if (set->count == 0 || !world_step_law(world).has_dampers) return;
    const plain_kernels *kernels = plain_kernels_of(world);
    int64_t rest = set->count - set->count % PLAIN_LANES;
#pragma omp parallel for num_threads(world->threads) schedule(static)
    for (int64_t first = 0; first < rest; first += PLAIN_LANES) kernels->stretch(world->colliders.ball, set, first);
    for (int64_t i = rest; i < set->count; ++i) {
        scr_vec3 n = contact_geometry_of(set, &world->colliders, i).normal;
        scr_vec3 spring = load3(set->previous + 3 * i), now = load3(set->impulse + 3 * i);
        scr_vec3 stretched = vec3_add_scaled(spring, (double)set->spring_share[i], vec3_sub(now, spring));
        store3(set->previous + 3 * i, contact_law_joined(spring, stretched, n));
    }
}
