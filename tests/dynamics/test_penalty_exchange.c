// SPDX-License-Identifier: BSD-3-Clause
// Grains that come to a bed and leave it while it goes on: the same bits as when it is given back for each of them,
// which is what a restart does.
#include "copied_world.h"
#include "dynamics/penalty/stages/penalty_stages.h"
#include "penalty_pile.h"

enum { BATCH = 4 };  // grains that come, or leave, at once

// All bodies that are grains, in the order of the table: whichever order that is must not depend on the bed.
static scr_body grain_at(const scr_world *world, int64_t number)
{
    scr_body_view view = scr_world_bodies(world);
    int64_t general = 0;
    while (!body_is_bedded(&world->bodies, &world->colliders, general)) ++general;
    return view.handle[general + number % (view.count - general)];
}

static void let_some_go(scr_world *world, uint64_t draw, int count)
{
    scr_body gone[64];
    for (int k = 0; k < count; ++k) {
        bool is_new = false;
        for (uint64_t more = 0; !is_new; ++more) {
            gone[k] = grain_at(world, (int64_t)random_in(0.0, 1e6, 100 * draw + 7 * (uint64_t)k + 1000 * more));
            is_new = true;
            for (int j = 0; j < k; ++j) is_new = is_new && gone[j].index1 != gone[k].index1;
        }
    }
    assert_ok(scr_world_remove_bodies(world, count, gone, &error));
}

// Above the pile, some of them into each other.
static void let_some_come(scr_world *world, uint64_t draw, int count, double spread)
{
    scr_vec3 at[64], v[64];
    double radius[64];
    for (int k = 0; k < count; ++k) {
        uint64_t d = 1000 * draw + 10 * (uint64_t)k;
        at[k] = vec3(random_in(0.02, 0.1, d), random_in(0.02, 0.1, d + 1), random_in(0.083, 0.13, d + 2));
        v[k] = vec3(random_in(-1.0, 1.0, d + 3), 0.0, random_in(-1.0, 0.0, d + 4));
        radius[k] = RADIUS * (1.0 + 0.9 * spread * random_in(-1.0, 1.0, d + 5));
    }
    assert_ok(scr_world_add_spheres(world, count, at, radius, v, (scr_material){1}, NULL, &error));
}

typedef struct exchange {
    int coming, leaving;  // at once
    int every;            // steps
} exchange;

static void come_and_go(scr_world *world, const exchange *e, int k, double spread)
{
    if (k % e->every != 0) return;
    uint64_t draw = 5000 + (uint64_t)k;
    if (k % 3 != 1) let_some_go(world, draw, e->leaving);
    let_some_come(world, draw, e->coming, spread);
    if (k % 3 == 1) let_some_go(world, draw, e->leaving);
}

static pile_def exchange_pile(int which)
{
    pile_def def = pile_of((const int[]){0, 1, 7, 6, 4, 1}[which % 6]);
    def.repeats = which % 4 == 3;
    def.spread = which % 3 == 0 ? 0.0 : 0.1;
    def.with_parts = which % 2 == 0;
    def.world.solver.precision = which / 2 % 2 == 0 ? SCR_PRECISION_DOUBLE : SCR_PRECISION_MIXED;
    def.world.follow_rotations = which % 5 == 2;
    return def;
}

static void a_bed_that_goes_on_has_the_bits_of_one_made_anew(void **state)
{
    (void)state;
    const exchange kinds[] = {{BATCH, BATCH, 1}, {0, 3, 2}, {5, 0, 2}, {60, 50, 25}};
    for (int which = 0; which < 12; ++which) {
        pile_def def = exchange_pile(which);
        const exchange *e = &kinds[which % 4];
        pile going = make_pile(&def), anew = make_pile(&def);
        step(going.world, 40), step(anew.world, 40);
        for (int k = 0; k < 120; ++k) {
            if (k % e->every == 0) give_grains_back(anew.world);
            come_and_go(going.world, e, k, def.spread);
            come_and_go(anew.world, e, k, def.spread);
            if (k % 17 == 5) assert_same_state(going.world, anew.world);
            step(going.world, 1), step(anew.world, 1);
        }
        assert_true(has_bed(going.world));
        assert_true(going.world->grains.bed.steps == 160);  // it was never given back
        assert_same_state(going.world, anew.world);
        scr_world_destroy(going.world);
        scr_world_destroy(anew.world);
    }
}

static void threads_and_restarts_change_no_bit_of_it(void **state)
{
    (void)state;
    for (int which = 0; which < 6; ++which) {
        pile_def def = exchange_pile(which);
        const exchange e = {BATCH, 3, 1};
        pile one = make_pile(&def);
        def.world.thread_count = 3;
        pile three = make_pile(&def);
        step(one.world, 960), step(three.world, 960);
        scr_world_def same = def.world;
        same.period = one.world->def.period, same.gravity = one.world->def.gravity;
        scr_world *other = NULL;
        for (int k = 0; k < 100; ++k) {  // over a sorting of the bodies
            come_and_go(one.world, &e, k, def.spread);
            if (k == 40) other = resumed(one.world, &same);  // grains have come that have made no step yet
            come_and_go(three.world, &e, k, def.spread);
            if (other != NULL && k > 40) come_and_go(other, &e, k, def.spread);
            step(one.world, 1), step(three.world, 1);
            if (other != NULL) step(other, 1);
        }
        assert_same_state(one.world, three.world);
        assert_same_state(one.world, other);
        scr_world_destroy(one.world);
        scr_world_destroy(three.world);
        scr_world_destroy(other);
    }
}

static void let_one_come_to_rest(scr_world *world, int k)
{
    scr_vec3 at = vec3(0.02 + 0.0105 * (k % 16), 0.02 + 0.0105 * (k / 16), 0.18);
    double radius = RADIUS;
    assert_ok(scr_world_add_spheres(world, 1, &at, &radius, NULL, (scr_material){1}, NULL, &error));
}

// Few grains come to many, and few leave: nobody makes the rows anew for that, but once, when blocks get room for more;
// nor the packs of blocks far from them.
static void lists_follow_what_changes(void **state)
{
    (void)state;
    pile_def def = usual_pile();
    def.side = 24, def.layers = 16, def.with_parts = false, def.speed = 0.01;
    pile p = make_pile(&def);
    grain_bed *bed = &p.world->grains.bed;
    step(p.world, 2);
    let_one_come_to_rest(p.world, 0);
    let_some_go(p.world, 1, 1);
    step(p.world, 1);
    int64_t rows = bed->rows_made, blocks = bed->blocks_filled, borders = p.world->neighbours.build_count;
    for (int k = 0; k < 20; ++k) {
        let_one_come_to_rest(p.world, k + 1);
        let_some_go(p.world, 100 + (uint64_t)k, 1);
        step(p.world, 1);
    }
    assert_true(has_bed(p.world) && bed->steps == 23);
    assert_true(bed->rows_made <= rows + 1);
    assert_int_equal(p.world->neighbours.build_count, borders);
    assert_true(bed->blocks_filled - blocks <= 20 * bed->wear.block_count / 2 + 2 * bed->wear.block_count);
    scr_world_destroy(p.world);
}

// A grain of another size asks for another law, a larger one for other units: beds are made anew, and nobody notices.
static void what_does_not_suit_a_bed_is_taken_all_the_same(void **state)
{
    (void)state;
    for (int which = 0; which < 4; ++which) {
        pile_def def = pile_of(which);
        def.world.solver.precision = which % 2 == 0 ? SCR_PRECISION_MIXED : SCR_PRECISION_DOUBLE;
        def.with_parts = false;
        pile p = make_pile(&def);
        step(p.world, 20);
        scr_vec3 at = vec3(0.05, 0.05, 0.15);
        double radius = 2.5 * RADIUS;
        scr_body large;
        assert_ok(scr_world_add_spheres(p.world, 1, &at, &radius, NULL, (scr_material){1}, &large, &error));
        step(p.world, 20);
        assert_true(has_bed(p.world) && !p.world->grains.bed.is_uniform && p.world->grains.bed.steps == 20);
        scr_world_def same = def.world;
        scr_world *other = resumed(p.world, &same);
        assert_ok(scr_world_remove_bodies(p.world, 1, &large, &error));
        assert_ok(scr_world_remove_bodies(other, 1, &large, &error));
        step(p.world, 20), step(other, 20);
        assert_true(p.world->grains.bed.is_uniform);
        assert_same_state(p.world, other);
        scr_world_destroy(p.world);
        scr_world_destroy(other);
    }
}

// As where grains come until a world is large enough for more: a step may have more threads than the one that made the
// packs.
static void steps_may_have_more_threads_than_those_before(void **state)
{
    (void)state;
    const exchange e = {BATCH, 0, 7};
    pile_def def = exchange_pile(0);
    pile one = make_pile(&def), more = make_pile(&def);
    one.world->def.thread_count = 1;
    for (int k = 0; k < 120; ++k) {
        more.world->def.thread_count = 1 + k / 41;
        come_and_go(one.world, &e, k, def.spread), come_and_go(more.world, &e, k, def.spread);
        step(one.world, 1), step(more.world, 1);
        const grain_bed *bed = &more.world->grains.bed;
        assert_true(bed->old_capacity >= more.world->def.thread_count * (int64_t)bed->old_bytes);
    }
    assert_true(has_bed(more.world) && more.world->grains.bed.blocks_filled > 0);
    assert_same_state(one.world, more.world);
    scr_world_destroy(one.world);
    scr_world_destroy(more.world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bed_that_goes_on_has_the_bits_of_one_made_anew),
        cmocka_unit_test(threads_and_restarts_change_no_bit_of_it),
        cmocka_unit_test(steps_may_have_more_threads_than_those_before),
        cmocka_unit_test(lists_follow_what_changes),
        cmocka_unit_test(what_does_not_suit_a_bed_is_taken_all_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
