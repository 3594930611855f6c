// SPDX-License-Identifier: BSD-3-Clause
// Space that is sheared: across the seam grains meet images that slide past, as if they were carried there by hand.
#include "dynamics/across_seam.h"
#include "dynamics/world/world.h"

enum { FLOW = 0, GRADIENT = 2 };

static scr_world_def sheared(double rate)
{
    scr_world_def def = scr_default_world_def();
    def.gravity = vec3(0.0, 0.0, 0.0);
    def.period = (scr_period){.high = {LENGTH, LENGTH, LENGTH}, .shear = {FLOW, GRADIENT, rate}};
    return def;
}

// ---- two bodies across the seam ----

// The ends of two bodies that collide, the upper one as an image across the seam or carried there by hand: one length
// up, and as much faster as the next cell is.
static void collide(const seam_law *l, int kind, bool by_hand, scr_body_state end[2])
{
    const double rate = 12.0, faster = rate * LENGTH;
    scr_world_def def = sheared(rate);
    if (by_hand) def.period = (scr_period){0};
    def.gravity = vec3(0.0, -GRAVITY, 0.0);  // both fall; dampers hold what is heavy
    def.contact.law = l->kind, def.contact.friction = l->friction;
    def.time_step = l->time_step;
    scr_world *world = make_world(&def);
    scr_shape shape = shape_of(kind, add_grit_of(world, 0.4, l->restitution, l->young));
    scr_vec3 lower = vec3(0.05, 0.05, LENGTH - 0.0120), upper = vec3(0.043, 0.051, 0.0115), v = vec3(-0.9, 0.0, -1.0);
    if (by_hand) upper.z += LENGTH, v.x += faster;
    scr_body a = add_shape(world, SCR_DYNAMIC, shape, lower, vec3(0.2, 0.0, 0.9)),
             b = add_shape(world, SCR_DYNAMIC, shape, upper, v);
    step(world, l->steps);
    end[0] = state_of(world, a), end[1] = state_of(world, b);
    assert_true(end[0].velocity.z < 0.8);  // they have met
    double offset = (double)l->steps * l->time_step * faster;
    if (!by_hand) {
        assert_near(scr_world_shear_offset(world), offset, 1e-12);
        end[1].position = vec3_add(end[1].position, vec3(offset, 0.0, LENGTH));
        end[1].velocity.x += faster;
    }
    scr_world_destroy(world);
}

static void bodies_meet_across_a_sheared_seam_as_if_carried_there_by_hand(void **state)
{
    (void)state;
    check_across_seam(collide);
}

// Two equal smooth spheres one above the other exchange (1 + e) / 2 of what they approach with. The lower one's own
// image goes as fast against the flow as the next cell goes with it.
static void a_head_on_collision_across_the_sheared_seam_has_its_closed_form(void **state)
{
    (void)state;
    const double rate = 40.0, faster = rate * LENGTH, e = 0.5, h = 1e-4, u = 1.0, gap = 0.05;
    for (int k = 0; k < 2; ++k) {
        scr_world_def def = sheared(rate);
        def.time_step = h;
        def.contact.law = k == 0 ? SCR_RIGID : SCR_PENALTY;
        scr_world *world = make_world(&def);
        scr_material stone = add_grit(world, 0.0, e);
        scr_body a = add_sphere(world, stone, RADIUS, vec3(0.03, 0.05, LENGTH - 0.01 - gap), vec3(0.0, 0.0, u)),
                 b = add_sphere(world, stone, RADIUS, vec3(0.03, 0.05, 0.01), vec3(-faster, 0.0, 0.0));
        step(world, (int)(1.2 * gap / u / h));
        assert_true(scr_world_shear_offset(world) > 2.0 * LENGTH);
        assert_within3(state_of(world, a).velocity, vec3(0.0, 0.0, 0.5 * (1.0 - e) * u), 0.01);
        assert_within3(state_of(world, b).velocity, vec3(-faster, 0.0, 0.5 * (1.0 + e) * u), 0.01);
        scr_world_destroy(world);
    }
}

// ---- a crowd that fills the cell ----

enum { SIDE = 5, COUNT = SIDE * SIDE * SIDE };

// No common velocity: else all would climb to where the flow is faster.
static void stop_drift(scr_world *world)
{
    bodies *b = &world->bodies;
    double mass = 0.0;
    scr_vec3 momentum = scr_world_momentum(world);
    for (int64_t i = 0; i < b->table.count; ++i) mass += 1.0 / b->inv_mass[i];
    for (int64_t i = 0; i < b->table.count; ++i)
        b->vx[i] -= momentum.x / mass, b->vy[i] -= momentum.y / mass, b->vz[i] -= momentum.z / mass;
}

static scr_world *crowd(scr_world_def def, double friction, double restitution, double speed)
{
    scr_world *world = make_world(&def);
    scr_material stone = add_grit(world, friction, restitution);
    double rate = def.period.shear.rate;
    for (int k = 0; k < COUNT; ++k) {
        uint64_t draw = 8 * (uint64_t)k;
        double pitch = LENGTH / SIDE;
        scr_vec3 at =
            vec3(pitch * (k % SIDE + 0.5), pitch * (k / SIDE % SIDE + 0.5), pitch * (k / (SIDE * SIDE) + 0.5));
        scr_vec3 v = vec3(random_in(-speed, speed, draw) + rate * (at.z - 0.5 * LENGTH),
                          random_in(-speed, speed, draw + 1), random_in(-speed, speed, draw + 2));
        add_sphere(world, stone, RADIUS * random_in(0.9, 1.0, draw + 3), at, v);
    }
    stop_drift(world);
    return world;
}

static void at_rate_zero_a_cell_is_an_ordinary_one(void **state)
{
    (void)state;
    for (int k = 0; k < LAW_COUNT; ++k) {
        scr_world_def def = sheared(0.0);
        def.contact.law = LAWS[k].kind, def.contact.friction = LAWS[k].friction;
        def.time_step = LAWS[k].kind == SCR_PENALTY ? 1e-5 : 5e-4;
        def.solver.tolerance = 1e-7;
        scr_world *one = crowd(def, 0.4, 0.5, 0.5);
        def.period.shear = (scr_shear){0};
        scr_world *other = crowd(def, 0.4, 0.5, 0.5);
        int steps = LAWS[k].kind == SCR_PENALTY ? 500 : 20;
        step(one, steps);
        step(other, steps);
        assert_true(one->contacts.count > 20);
        scr_body_view a = scr_world_bodies(one), b = scr_world_bodies(other);
        for (int64_t i = 0; i < a.count; ++i)
            assert_within3(vec3(a.x[i], a.y[i], a.z[i]), vec3(b.x[i], b.y[i], b.z[i]), 1e-6 * RADIUS);
        scr_world_destroy(one);
        scr_world_destroy(other);
    }
}

static int64_t overlapping_pairs(const scr_world *world)
{
    const colliders *c = &world->colliders;
    int64_t count = 0;
    for (int64_t i = 0; i < c->table.count; ++i)
        for (int64_t j = i + 1; j < c->table.count; ++j)
            for (int n = 0; n < 27 * 5; ++n) {
                // every image of j, however the seam has slid
                double up = n % 3 - 1, slid = scr_world_shear_offset(world);
                scr_vec3 image =
                    vec3(LENGTH * (n / 9 - 7) + up * fmod(slid, LENGTH), LENGTH * (n / 3 % 3 - 1), LENGTH * up);
                scr_vec3 d = vec3_sub(vec3_add(period_wrapped(&c->period, body_position(&world->bodies, j)), image),
                                      period_wrapped(&c->period, body_position(&world->bodies, i)));
                count += vec3_norm(d) < c->radius[i] + c->radius[j];
            }
    return count;
}

static void every_pair_of_touching_images_is_found_once(void **state)
{
    (void)state;
    const double rates[] = {5.0, -31.0, 170.0};
    for (int k = 0; k < 3; ++k) {
        scr_world_def def = sheared(rates[k]);
        scr_world *world = crowd(def, 0.3, 0.0, 0.4);
        int64_t seen = 0;
        for (int n = 0; n < 25; ++n) {
            step(world, 4);
            assert_ok(scr_world_find_contacts(world, &error));
            int64_t touching = 0, across = 0;
            for (int64_t i = 0; i < world->contacts.count; ++i) {
                touching += contact_geometry_of(&world->contacts, &world->colliders, i).gap < 0.0;
                across += contact_crosses_moving_seam(&world->contacts, &world->colliders, i);
            }
            assert_int_equal(touching, overlapping_pairs(world));
            seen += across;
        }
        assert_true(seen > 50);
        scr_world_destroy(world);
    }
}

// Lists that live for many steps hold what a new one would: both worlds stay the same, bit by bit.
static void old_lists_miss_nothing(void **state)
{
    (void)state;
    const double rates[] = {20.0, -60.0};
    for (int k = 0; k < 4; ++k) {
        scr_world_def def = sheared(rates[k / 2]);
        def.time_step = k % 2 == 0 ? 2e-4 : 1e-5;
        if (k % 2 == 1) def.contact.law = SCR_PENALTY;
        scr_world *one = crowd(def, 0.5, 0.1, 0.3), *other = crowd(def, 0.5, 0.1, 0.3);
        int steps = k % 2 == 0 ? 1000 : 4000;
        for (int n = 0; n < steps; ++n) {
            step(one, 1);
            neighbours_invalidate(&other->neighbours);
            step(other, 1);
            if (n % 20 == 0) assert_true(scr_world_hash(one) == scr_world_hash(other));
        }
        assert_true(one->neighbours.build_count < 9 * steps / 10);
        scr_world_destroy(one);
        scr_world_destroy(other);
    }
}

static void momentum_is_kept(void **state)
{
    (void)state;
    for (int k = 0; k < LAW_COUNT; ++k) {
        scr_world_def def = sheared(20.0);
        def.contact.law = LAWS[k].kind, def.contact.friction = LAWS[k].friction;
        def.time_step = LAWS[k].kind == SCR_PENALTY ? 1e-5 : 5e-4;
        scr_world *world = crowd(def, 0.4, 0.3, 0.5);
        scr_vec3 before = scr_world_momentum(world);
        double size = 0.0;
        for (int64_t i = 0; i < world->bodies.table.count; ++i)
            size += vec3_norm(body_velocity(&world->bodies, i)) / world->bodies.inv_mass[i];
        step(world, LAWS[k].kind == SCR_PENALTY ? 2000 : 100);
        assert_within3(scr_world_momentum(world), before, 1e-12 * size);
        scr_world_destroy(world);
    }
}

// J: kinetic energy relative to the flow, and what contacts store
static double energy_beside_flow(const scr_world *world, double rate)
{
    const bodies *b = &world->bodies;
    double sum = scr_world_energy(world).elastic;
    for (int64_t i = 0; i < b->table.count; ++i) {
        scr_vec3 c = vec3_sub(body_velocity(b, i), vec3(rate * (b->z[i] - 0.5 * LENGTH), 0.0, 0.0)),
                 w = body_spin(b, i);
        sum += 0.5 * (vec3_dot(c, c) / b->inv_mass[i] + vec3_dot(w, w) / b->inv_ix[i]);
    }
    return sum;
}

// Smooth elastic spheres dissipate nothing: the work that the sheared space does is what they gain.
static void elastic_grains_gain_what_the_stress_does(void **state)
{
    (void)state;
    const double rate = 20.0, h = 4e-6;
    scr_world_def def = sheared(rate);
    def.contact.law = SCR_PENALTY;
    def.time_step = h;
    scr_world *world = crowd(def, 0.0, 1.0, 0.3);
    double before = energy_beside_flow(world, rate), work = 0.0;
    for (int k = 0; k < 12000; ++k) {
        scr_stress stress;
        step(world, 1);
        assert_ok(scr_world_stress(world, &stress, &error));
        work -= h * rate * stress.volume * (stress.contact[FLOW][GRADIENT] + stress.kinetic[FLOW][GRADIENT]);
    }
    double gained = energy_beside_flow(world, rate) - before;
    assert_true(gained > 0.5 * before);
    assert_near(work, gained, 0.01);
    scr_world_destroy(world);
}

// Rough grains in a steady flow: what the next cell does to those below it, over a long time, is stress x area.
static void the_next_cell_drags_with_the_stress_of_the_bulk(void **state)
{
    (void)state;
    const double rate = 20.0;
    scr_world_def def = sheared(rate);
    def.time_step = 2e-4;
    scr_world *world = crowd(def, 0.4, 0.0, 0.5);
    step(world, 2000);
    double bulk = 0.0, seam = 0.0;
    double *layer = calloc(COUNT, sizeof *layer);
    for (int k = 0; k < 15000; ++k) {
        scr_stress stress;
        const bodies *b = &world->bodies;
        for (int64_t i = 0; i < COUNT; ++i) layer[b->id[i] - 1] = floor(b->z[i] / LENGTH);
        step(world, 1);
        assert_ok(scr_world_stress(world, &stress, &error));
        bulk += stress.contact[GRADIENT][FLOW] + stress.kinetic[FLOW][GRADIENT];
        // through the seam: forces of contacts across it, and momentum of grains that went over, beside the flow there
        const contacts *set = &world->contacts;
        for (int64_t i = 0; i < set->count; ++i) {
            const ball *one = &world->colliders.ball[set->a[i]], *other = &world->colliders.ball[set->b[i]];
            double cells = floor(other->z / LENGTH) - floor(one->z / LENGTH) -
                           period_cells_between(&world->colliders.period, vec3(0.0, 0.0, other->z - one->z));
            seam += cells * (double)set->impulse[3 * i] / def.time_step;
        }
        for (int64_t i = 0; i < COUNT; ++i) {
            double went = floor(b->z[i] / LENGTH) - layer[b->id[i] - 1];
            double flow = rate * (LENGTH * fmax(floor(b->z[i] / LENGTH), layer[b->id[i] - 1]) - 0.5 * LENGTH);
            seam += went * (b->vx[i] - flow) / b->inv_mass[i] / def.time_step;
        }
    }
    assert_near(seam / (LENGTH * LENGTH), bulk, 0.01);
    free(layer);
    scr_world_destroy(world);
}

static void a_sheared_cell_has_the_same_bits_for_any_number_of_threads_and_after_it_was_saved(void **state)
{
    (void)state;
    for (int k = 0; k < 2; ++k) {
        uint64_t hash = 0;
        for (int threads = 1; threads <= 3; ++threads) {
            scr_world_def def = sheared(30.0);
            def.thread_count = threads;
            if (k == 1) def.contact.law = SCR_PENALTY, def.time_step = 1e-5;
            scr_world *world = crowd(def, 0.4, 0.3, 0.5), *resumed;
            void *data;
            size_t size;
            step(world, 50);
            assert_ok(scr_world_set_shear_rate(world, 45.0, &error));
            step(world, 20);
            assert_ok(scr_world_save_to_memory(world, &data, &size, &error));
            assert_ok(scr_world_load_from_memory(data, size, &resumed, &error));
            assert_near(scr_world_shear_rate(resumed), 45.0, 1e-9);
            step(world, 30);
            step(resumed, 30);
            assert_true(scr_world_hash(world) == scr_world_hash(resumed));
            if (threads > 1) assert_true(scr_world_hash(world) == hash);
            hash = scr_world_hash(world);
            scr_memory_free(data);
            scr_world_destroy(world);
            scr_world_destroy(resumed);
        }
    }
}

static void what_cannot_be_sheared_is_named(void **state)
{
    (void)state;
    scr_error error;
    scr_world *world;
    scr_world_def def = sheared(1.0);
    def.period.high.x = 0.0;
    assert_int_equal(scr_world_create(&def, &world, &error), SCR_BAD_INPUT);
    assert_non_null(strstr(error.message, "sheared along one axis that repeats"));
    def = sheared(1.0);
    def.period.shear.flow = GRADIENT;
    assert_int_equal(scr_world_create(&def, &world, &error), SCR_BAD_INPUT);
    def = sheared(NAN);
    assert_int_equal(scr_world_create(&def, &world, &error), SCR_BAD_INPUT);
    def = sheared(1.0);
    world = make_world(&def);
    scr_material stone = add_grit(world, 0.3, 0.0);
    scr_shape shape = scr_sphere(RADIUS, stone);
    scr_body_def fixed = scr_default_body_def();
    scr_body body;
    fixed.kind = SCR_FIXED, fixed.shapes = &shape, fixed.shape_count = 1;
    assert_int_equal(scr_world_add_body(world, &fixed, &body, &error), SCR_BAD_INPUT);
    assert_non_null(strstr(error.message, "nothing is fixed"));
    scr_body a = add_sphere(world, stone, RADIUS, vec3(0.02, 0.02, 0.02), vec3(0.0, 0.0, 0.0)),
             b = add_sphere(world, stone, RADIUS, vec3(0.06, 0.02, 0.02), vec3(0.0, 0.0, 0.0));
    scr_joint_def def_joint = scr_joint_at(SCR_JOINT_SPHERICAL, a, b, vec3(0.04, 0.02, 0.02), vec3(0.0, 0.0, 1.0));
    scr_joint joint;
    assert_int_equal(scr_world_add_joint(world, &def_joint, &joint, &error), SCR_BAD_INPUT);
    assert_non_null(strstr(error.message, "no joints"));
    scr_world_destroy(world);
    scr_world_def plain = scr_default_world_def();
    world = make_world(&plain);
    assert_int_equal(scr_world_set_shear_rate(world, 1.0, &error), SCR_BAD_INPUT);
    scr_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_meet_across_a_sheared_seam_as_if_carried_there_by_hand),
        cmocka_unit_test(a_head_on_collision_across_the_sheared_seam_has_its_closed_form),
        cmocka_unit_test(at_rate_zero_a_cell_is_an_ordinary_one),
        cmocka_unit_test(every_pair_of_touching_images_is_found_once),
        cmocka_unit_test(old_lists_miss_nothing),
        cmocka_unit_test(momentum_is_kept),
        cmocka_unit_test(elastic_grains_gain_what_the_stress_does),
        cmocka_unit_test(the_next_cell_drags_with_the_stress_of_the_bulk),
        cmocka_unit_test(a_sheared_cell_has_the_same_bits_for_any_number_of_threads_and_after_it_was_saved),
        cmocka_unit_test(what_cannot_be_sheared_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
