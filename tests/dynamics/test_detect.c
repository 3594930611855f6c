// SPDX-License-Identifier: BSD-3-Clause
// Detection as a stage of the step: bodies look as far as the law of contacts.h asks, whatever moves or turns.
#include <string.h>

#include "collision/convex/narrow_phase.h"
#include "contact_view.h"
#include "mixed_world.h"
#include "stages.h"

static scr_vec3 velocity_at(const scr_world *world, int64_t collider, scr_vec3 point)
{
    const new_motion *m = &world->motion;
    int32_t b = world->colliders.body[collider];
    scr_vec3 arm = vec3_sub(point, body_position(&world->bodies, b));
    return point_velocity(new_twist(m, b), arm);
}

// gap < envelope min(r_a, r_b) + h (closing speed + mu sliding speed); *margin is by how much.
static bool law_keeps(const scr_world *world, int64_t i, int64_t j, const contact_point *p, double *margin)
{
    double near = world->def.contact.envelope * fmin(world->colliders.radius[i], world->colliders.radius[j]);
    scr_vec3 u = vec3_sub(velocity_at(world, j, p->point), velocity_at(world, i, p->point));
    double un = vec3_dot(u, p->normal), slide = vec3_norm(vec3_add_scaled(u, -un, p->normal));
    *margin = near + world->def.time_step * (fmax(0.0, -un) + world->materials.max_friction * slide) - p->gap;
    return *margin > 0.0;
}

static bool is_listed(const contacts *set, int64_t i, int64_t j, uint32_t feature)
{
    for (int64_t k = set->start[i]; k < set->start[i + 1]; ++k)
        if (set->b[k] == j && contact_feature(set, k) == feature) return true;
    return false;
}

// Every pair without asking the neighbour lists, and looking much further than any reach.
static int64_t check_contacts(const scr_world *world)
{
    const colliders *c = &world->colliders;
    int64_t kept = 0;
    for (int64_t i = 0; i < c->table.count; ++i) {
        for (int64_t j = 0; j < c->table.count; ++j) {
            if (i == j || !colliders_may_touch(c, i, j) || !collider_owns(c, i, j)) continue;
            if (world->bodies.inv_mass[c->body[i]] == 0.0 && world->bodies.inv_mass[c->body[j]] == 0.0) continue;
            placed_shape a = collider_placed(c, i), b = collider_placed(c, j);
            contact_point points[MANIFOLD_MAX];
            int found = narrow_phase(&a, &b, 0.2, points);
            for (int k = 0; k < found; ++k) {
                double margin;
                bool expected = law_keeps(world, i, j, &points[k], &margin),
                     listed = is_listed(&world->contacts, i, j, points[k].feature);
                if (expected != listed && fabs(margin) > 1e-12)
                    fail_msg("shapes %lld and %lld (kinds %d, %d): gap %g m, %g m within the law, but listed %d",
                             (long long)i, (long long)j, c->kind[i], c->kind[j], points[k].gap, margin, listed);
                kept += listed;
            }
        }
    }
    assert_int_equal(kept, world->contacts.count);
    return kept;
}

static void a_moving_world_finds_the_contacts_of_the_law(void **state)
{
    (void)state;
    scr_world_def def = mixed_def(1);
    scr_world *world = mixed_world(&def, 150);
    int64_t total = 0;
    for (int k = 0; k < 12; ++k) {
        step(world, 11);
        detect(world);
        total += check_contacts(world);
    }
    assert_true(total > 500);
    scr_world_destroy(world);
}

// Bodies at rest keep a contact up to the envelope: nothing but it makes them look.
static void bodies_at_rest_look_as_far_as_the_envelope(void **state)
{
    (void)state;
    for (int beyond = 0; beyond < 2; ++beyond) {
        for (int partner = 0; partner < 3; ++partner) {
            scr_world_def def = scr_default_world_def();
            def.gravity = vec3(0.0, 0.0, 0.0);
            scr_world *world = make_world(&def);
            scr_material material = add_material(world, 0.5, 0.0);
            const double r = 0.1, gap = def.contact.envelope * r * (beyond ? 1.0 + 1e-6 : 1.0 - 1e-6);
            const scr_shape other[3] = {scr_plane(material), scr_box(vec3(1.0, 1.0, 0.1), material),
                                        scr_sphere(2.0, material)};
            const double top[3] = {0.0, 0.1, 2.0};  // m above its position
            scr_vec3 still = {0.0, 0.0, 0.0};
            add_shape(world, SCR_FIXED, other[partner], vec3(0.0, 0.0, -top[partner]), still);
            add_sphere(world, material, r, vec3(0.0, 0.0, r + gap), still);
            detect(world);
            assert_int_equal(world->contacts.count, beyond ? 0 : 1);
            scr_world_destroy(world);
        }
    }
}

// A turning plane sweeps through space ever faster with the distance from its axis.
static void a_turning_plane_meets_what_it_sweeps(void **state)
{
    (void)state;
    for (uint64_t k = 0; k < 30; ++k) {
        scr_world_def def = scr_default_world_def();
        def.gravity = vec3(0.0, 0.0, 0.0);
        scr_world *world = make_world(&def);
        scr_material material = add_material(world, 0.5, 0.0);
        scr_shape plane = scr_plane(material);
        scr_body_def rotating = scr_default_body_def();
        rotating.kind = SCR_KINEMATIC;
        rotating.rotation = random_rotation(k);
        rotating.spin = vec3(random_in(-20.0, 20.0, 5 * k), random_in(-20.0, 20.0, 5 * k + 1), 0.0);
        rotating.velocity = vec3(0.0, 0.0, random_in(-1.0, 1.0, 5 * k + 2));
        rotating.shapes = &plane;
        rotating.shape_count = 1;
        scr_body body = add_body(world, &rotating);
        scr_quat q = state_of(world, body).rotation;
        for (int s = 0; s < 40; ++s) {  // grains and boxes a little above it, near and far from its axis
            double x = random_in(-2.0, 2.0, 1000 * k + (uint64_t)s), y = random_in(-2.0, 2.0, 2000 * k + (uint64_t)s);
            scr_vec3 at = quat_rotate(q, vec3(x, y, 0.05 + random_in(-0.01, 0.06, 3000 * k + (uint64_t)s)));
            if (s % 4 == 0) add_box(world, material, vec3(0.03, 0.02, 0.03), at, vec3(0.0, 0.0, 0.0));
            else add_sphere(world, material, 0.04, at, vec3(0.0, 0.0, 0.0));
        }
        detect(world);
        check_contacts(world);
        scr_world_destroy(world);
    }
}

// Looking for contacts is what a step does first: the same contacts, and whatever comes after does not notice.
static void looking_for_contacts_changes_nothing(void **state)
{
    (void)state;
    scr_world_def def = mixed_def(2);
    scr_world *looked = mixed_world(&def, 400), *plain = mixed_world(&def, 400);
    for (int k = 0; k < 90; ++k) {
        assert_ok(scr_world_find_contacts(looked, &error));
        scr_energy energy = scr_world_energy(looked);
        scr_accuracy accuracy;
        assert_ok(scr_world_accuracy(looked, &accuracy, &error));
        assert_true(energy.elastic == 0.0 && accuracy.residual == 0.0);
        int64_t count = contact_count(looked);
        double deepest = 0.0;
        for (int64_t i = 0; i < count; ++i) {
            one_contact c = contact_at(looked, i);
            deepest = fmax(deepest, -c.gap);
            assert_true(c.force.x == 0.0 && c.force.y == 0.0 && c.force.z == 0.0);
            assert_within(vec3_norm(c.normal), 1.0, 1e-12);
        }
        step(looked, 1);
        step(plain, 1);
        assert_int_equal(count, scr_world_report(plain).contact_count);
        assert_true(deepest == scr_world_report(plain).max_penetration);
        assert_true(scr_world_hash(looked) == scr_world_hash(plain));
    }
    assert_true(contact_count(plain) > 100);
    scr_world_destroy(looked);
    scr_world_destroy(plain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_moving_world_finds_the_contacts_of_the_law),
        cmocka_unit_test(bodies_at_rest_look_as_far_as_the_envelope),
        cmocka_unit_test(looking_for_contacts_changes_nothing),
        cmocka_unit_test(a_turning_plane_meets_what_it_sweeps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
