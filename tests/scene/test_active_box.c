// SPDX-License-Identifier: BSD-3-Clause
// The moving active box: nobody is lost, what was left is found again to the bit, a rut stays, and the cost follows the
// grains near the body, not those of the strip.
#include <stdlib.h>

#include "dynamics/penalty/stages/penalty_stages.h"
#include "dynamics/world/world.h"
#include "make_scene.h"
#include "scree/contact.h"

enum { OUT = 300, BACK = 2 * OUT, SLED = 1 };                   // steps; the sled's place among the bodies
static const double RADIUS = 0.005, TOP = 0.022, STRIP = 0.03;  // m; STRIP is half its width
static int around[] = {SLED};

// A sled drags a blade along a strip, out and back: 0.4 m in OUT steps.
static void make_strip(test_scene *t, double length)
{
    scene_begin(t);
    add_floor(t, 0.0);
    scene_body *sled =
        add_body(t, "sled", SCR_KINEMATIC, scr_box(vec3(0.005, 0.015, 0.02), (scr_material){1}), vec3(0, 0, 0.033));
    sled->has_motion = sled->motion.has_position = true;
    sled->motion.position = formulae(t, "0.07 + 0.2 * (1 - cos(10.471975511965977 * t))", "0", "0.033");
    add_fill(t, "strip", FILL_JITTERED, box_region(vec3(0, -STRIP, 0), vec3(length, STRIP, TOP)),
             uniform_size(0.9 * RADIUS, RADIUS))
        ->avoid = true;
    t->s.active_box = (scene_active_box){.present = true,
                                         .location = {40, 5},
                                         .around = around,
                                         .around_count = 1,
                                         .ahead = 0.06,
                                         .behind = 0.05,
                                         .side = 0.06,
                                         .face = FACE_ROUNDED,
                                         .shell = 0.04,
                                         .cell = 0.02,
                                         .freeze_speed = 0.05,
                                         .store_bytes = 1e9};
}

static const active_box *box_of(simulation *sim)
{
    const active_box *box = simulation_box(sim);
    assert_non_null(box);
    return box;
}

// ---- what is where --------------------------------------------------------------------------------------------------

// All parked grains; the caller frees them.
static stored_grain *parked_grains(simulation *sim, int64_t *count)
{
    const active_box *box = box_of(sim);
    stored_grain *g = calloc((size_t)box->store.count + 1, sizeof *g);
    *count = 0;
    for (int64_t c = 0; c < box->cells.table.count; ++c)
        *count += grain_store_read(&box->store, box->cells.list[c], g + *count);
    assert_int_equal(*count, box->store.count);
    return g;
}

// Every id from that of the first grain on is once in the world or once in the store.
static void assert_nobody_is_lost(simulation *sim, int64_t total)
{
    int64_t parked, fixed = 0, dynamic = 0;
    int listed = simulation_scene(sim)->body_count;
    stored_grain *g = parked_grains(sim, &parked);
    uint8_t *seen = calloc((size_t)(total + listed + 1), 1);
    scr_body_view view = scr_world_bodies(simulation_world(sim));
    for (int64_t i = 0; i < view.count; ++i) {
        assert_in_range(view.id[i], 1, total + listed);
        assert_int_equal(seen[view.id[i]]++, 0);
        if (view.id[i] <= (uint64_t)listed) continue;
        fixed += view.kind[i] == SCR_FIXED;
        dynamic += view.kind[i] == SCR_DYNAMIC;
    }
    for (int64_t k = 0; k < parked; ++k) assert_int_equal(seen[g[k].id]++, 0);
    for (int64_t id = 1; id <= total + listed; ++id) assert_int_equal(seen[id], 1);
    scr_active_counts counts = simulation_count(sim).active;
    assert_int_equal(counts.live, dynamic);
    assert_int_equal(counts.fixed, fixed);
    assert_int_equal(counts.parked, parked);
    assert_int_equal(counts.live + counts.fixed + counts.parked, total);
    free(seen);
    free(g);
}

static int64_t total_of(simulation *sim)
{
    scr_active_counts c = simulation_count(sim).active;
    return c.live + c.fixed + c.parked;
}

static void live_and_fixed_and_parked_are_all_at_every_step(void **state)
{
    (void)state;
    static const scr_contact_law laws[] = {SCR_COMPLIANT, SCR_PENALTY};
    for (int k = 0; k < 2; ++k) {
        test_scene t;
        make_strip(&t, 0.6);
        t.s.world.contact.law = laws[k];
        t.materials[0].def.young = laws[k] == SCR_PENALTY ? 1e6 : t.materials[0].def.young;
        t.s.world.time_step = laws[k] == SCR_PENALTY ? 2e-4 : 1e-3;
        simulation *sim = created(&t.s, 1);
        int64_t total = total_of(sim);
        assert_true(total > 300);
        for (int step = 0; step < BACK; ++step) {
            advance_steps(sim, 1);
            assert_int_equal(total_of(sim), total);
            if (step % 10 == 0) assert_nobody_is_lost(sim, total);
        }
        scr_active_counts c = simulation_count(sim).active;
        assert_true(c.live > 50 && c.fixed > 20 && c.parked > 100);
        simulation_destroy(sim);
        scene_end(&t);
    }
}

// A bed so large that it is parked in several batches: every grain is stored where it stood.
static void a_large_bed_is_parked_as_it_is(void **state)
{
    (void)state;
    test_scene t;
    make_strip(&t, 0.6);
    t.s.fill_count = 0;
    add_fill(&t, "field", FILL_GRID, box_region(vec3(0, 0, 0), vec3(30.0, 2.0, 0.012)), uniform_size(RADIUS, RADIUS));
    simulation *sim = created(&t.s, 1);
    int64_t parked, total = total_of(sim);
    stored_grain *g = parked_grains(sim, &parked);
    assert_true(parked > (1 << 19));
    assert_nobody_is_lost(sim, total);
    simulation_destroy(sim);
    t.s.active_box.present = false;
    sim = created(&t.s, 1);
    scr_body_view view = scr_world_bodies(simulation_world(sim));
    assert_int_equal(view.count, total + t.s.body_count);
    for (int64_t k = 0; k < parked; ++k) {
        int64_t i = (int64_t)g[k].id - 1;  // nothing was sorted yet
        assert_true(view.id[i] == g[k].id && view.x[i] == g[k].position.x && view.y[i] == g[k].position.y);
    }
    free(g);
    simulation_destroy(sim);
    scene_end(&t);
}

// ---- several bodies ------------------------------------------------------------------------------------------------

enum { SECOND = SLED + 1, ABSENT = 0, FIXED_GRAIN, LIVE_GRAIN };

// The strip with a second sled that comes from its other end and moves nothing; the box is around so many of the two.
static void make_shared_strip(test_scene *t, int *of, int count)
{
    make_strip(t, 0.6);
    scene_body *other =
        add_body(t, "second", SCR_KINEMATIC, scr_box(vec3(0.005, 0.015, 0.02), (scr_material){1}), vec3(0.55, 0, 0.1));
    other->has_motion = other->motion.has_position = true;
    other->motion.position = formulae(t, "0.55 - 0.1 * (1 - cos(10.471975511965977 * t))", "0", "0.1");
    t->s.active_box.around = of;
    t->s.active_box.around_count = count;
}

// What is in the world, by id; the caller frees it.
static uint8_t *where_grains_are(simulation *sim, int64_t total)
{
    uint8_t *is = calloc((size_t)total + SECOND + 2, 1);
    scr_body_view view = scr_world_bodies(simulation_world(sim));
    for (int64_t i = 0; i < view.count; ++i)
        is[view.id[i]] = view.kind[i] == SCR_DYNAMIC ? LIVE_GRAIN : view.kind[i] == SCR_FIXED ? FIXED_GRAIN : ABSENT;
    return is;
}

// A box around two bodies has live what either alone has live, and in the world what either has there.
static void a_box_around_two_bodies_is_that_of_both(void **state)
{
    (void)state;
    int of[] = {SLED, SECOND};
    uint8_t *is[3];
    int64_t total = 0, only_first = 0, only_second = 0;
    for (int k = 0; k < 3; ++k) {
        test_scene t;
        make_shared_strip(&t, k == 1 ? of + 1 : of, k == 2 ? 2 : 1);
        simulation *sim = created(&t.s, 1);
        total = total_of(sim);
        is[k] = where_grains_are(sim, total);
        simulation_destroy(sim);
        scene_end(&t);
    }
    for (int64_t id = SECOND + 2; id <= total + SECOND + 1; ++id) {
        assert_int_equal(is[2][id], is[0][id] > is[1][id] ? is[0][id] : is[1][id]);
        only_first += is[0][id] == LIVE_GRAIN && is[1][id] == ABSENT;
        only_second += is[1][id] == LIVE_GRAIN && is[0][id] == ABSENT;
    }
    assert_true(only_first > 50 && only_second > 50);
    for (int k = 0; k < 3; ++k) free(is[k]);
}

// As both go their ways, nobody is lost, and the grains of the strip about each are live. (The blade throws some far
// aside, out of the box.)
static void two_bodies_keep_their_grains_live(void **state)
{
    (void)state;
    int of[] = {SLED, SECOND};
    test_scene t;
    make_shared_strip(&t, of, 2);
    simulation *sim = created(&t.s, 1);
    scr_world *world = simulation_world(sim);
    int64_t total = total_of(sim), parked = 0, about = 0;
    for (int step = 0; step < OUT; ++step) {
        advance_steps(sim, 1);
        if (step % 10 != 0) continue;
        assert_nobody_is_lost(sim, total);
        parked += simulation_count(sim).active.parked;
        scr_body_view v = scr_world_bodies(world);
        for (int k = 0; k < 2; ++k) {
            scr_body_state at;
            assert_int_equal(scr_body_get_state(world, simulation_body_handle(sim, of[k]), &at, NULL), SCR_OK);
            for (int64_t i = 0; i < v.count; ++i) {
                if (v.id[i] <= SECOND + 1 || fabs(v.x[i] - at.position.x) > 0.02 || fabs(v.y[i]) > STRIP) continue;
                assert_int_equal(v.kind[i], SCR_DYNAMIC);
                ++about;
            }
        }
    }
    assert_true(parked > 0 && about > OUT);
    simulation_destroy(sim);
    scene_end(&t);
}

// ---- as it was left -------------------------------------------------------------------------------------------------

static int by_id(const void *a, const void *b)
{
    const stored_grain *x = a, *y = b;
    return x->id < y->id ? -1 : x->id > y->id;
}

static void assert_same_place(const scr_body_view *v, int64_t i, const stored_grain *g)
{
    assert_true(v->x[i] == g->position.x && v->y[i] == g->position.y && v->z[i] == g->position.z);
    assert_true(v->qw[i] == (double)g->rotation[0] && v->qx[i] == (double)g->rotation[1]);
    assert_true(v->qy[i] == (double)g->rotation[2] && v->qz[i] == (double)g->rotation[3]);
    assert_true(v->vx[i] == 0.0 && v->vy[i] == 0.0 && v->vz[i] == 0.0);
    assert_true(v->wx[i] == 0.0 && v->wy[i] == 0.0 && v->wz[i] == 0.0);
}

// Grains that the blade moved on its way out are on its way back where they were left.
static void a_grain_comes_back_as_it_was_left(void **state)
{
    (void)state;
    test_scene t;
    make_strip(&t, 0.6);
    simulation *sim = created(&t.s, 1);
    scr_world *world = simulation_world(sim);
    advance_steps(sim, OUT);
    int64_t parked, returned = 0, turned = 0;
    stored_grain *left = parked_grains(sim, &parked);
    qsort(left, (size_t)parked, sizeof *left, by_id);
    uint8_t *seen = calloc((size_t)parked, 1);
    for (int step = 0; step < OUT; ++step) {
        advance_steps(sim, 1);
        scr_body_view v = scr_world_bodies(world);
        for (int64_t i = 0; i < v.count; ++i) {
            stored_grain key = {.id = v.id[i]}, *g = bsearch(&key, left, (size_t)parked, sizeof *left, by_id);
            if (g == NULL || v.kind[i] != SCR_FIXED || seen[g - left]) continue;
            assert_same_place(&v, i, g);
            seen[g - left] = 1;
            ++returned;
            turned += g->rotation[0] != 1.0f;
        }
    }
    assert_true(returned > 50);
    assert_true(turned > 20);  // the blade did disturb them
    free(seen);
    free(left);
    simulation_destroy(sim);
    scene_end(&t);
}

static void make_soft_strip(test_scene *t)
{
    make_strip(t, 0.6);
    t->s.world.contact.law = SCR_PENALTY;
    t->materials[0].def.young = 1e6;
    t->s.world.time_step = 2e-4;
    t->bodies[SLED].motion.position = formulae(t, "0.07 + 0.2 * (1 - cos(52.359877559829887 * t))", "0", "0.033");
}

// All parked contacts; the caller frees them.
static still_contact *parked_springs(simulation *sim, int64_t *count)
{
    const active_box *box = box_of(sim);
    still_contact *c = calloc((size_t)box->contacts.count + 1, sizeof *c);
    *count = 0;
    for (int64_t cell = 0; cell < box->cells.table.count; ++cell)
        for (int32_t k = box->cells.contacts[cell]; k != NO_CONTACT; k = box->contacts.next[k])
            c[(*count)++] = parked_contact_at(&box->contacts, k);
    assert_int_equal(*count, box->contacts.count);
    return c;
}

static int by_colliders(const void *a, const void *b)
{
    const still_contact *x = a, *y = b;
    if (x->collider_a != y->collider_a) return x->collider_a < y->collider_a ? -1 : 1;
    return x->collider_b < y->collider_b ? -1 : x->collider_b > y->collider_b;
}

static scr_vec3 spring_of(const double spring[3]) { return vec3(spring[0], spring[1], spring[2]); }

// Springs of fixed grains in the world that were parked before.
static int64_t count_same_springs(simulation *sim, const still_contact *left, int64_t count)
{
    const still_contacts *still = &box_of(sim)->still;
    int64_t same = 0;
    for (int64_t k = 0; k < still->pairs.count; ++k) {
        still_contact c = still_contact_at(still, k);
        const still_contact *was = bsearch(&c, left, (size_t)count, sizeof *left, by_colliders);
        if (was == NULL || memcmp(c.spring, was->spring, sizeof c.spring) != 0) continue;
        assert_memory_equal(c.roll, was->roll, sizeof c.roll);
        assert_int_equal(c.in_touch, was->in_touch);
        same += vec3_norm(spring_of(c.spring)) > 0.0;
    }
    return same;
}

// Pairs that are in touch again in the last step: how many, and how many of them with a spring much as it was left;
// a few slip at once.
typedef struct resumed_pairs {
    int64_t all, alike;
} resumed_pairs;

static void count_resumed(simulation *sim, const still_contact *left, int64_t count, uint8_t *seen, resumed_pairs *n)
{
    scr_world *world = simulation_world(sim);
    give_grains_back(world);
    const contact_cache *cache = &world->cache;
    for (int64_t k = 0; k < cache->table.count; ++k) {
        still_contact key = {.collider_a = world->colliders.id[cache->a[k]],
                             .collider_b = world->colliders.id[cache->b[k]]};
        const still_contact *was = bsearch(&key, left, (size_t)count, sizeof *left, by_colliders);
        if (was == NULL || !was->in_touch || seen[was - left]) continue;
        seen[was - left] = 1;
        scr_vec3 then = spring_of(was->spring), change = vec3_sub(spring_of(cache->spring + 3 * k), then);
        if (!(vec3_norm(then) > 1e-6)) continue;
        ++n->all;
        n->alike += vec3_norm(change) < 0.2 * vec3_norm(then);
    }
}

// Under the penalty law tangential springs of two parked grains are state: there as they were when these are fixed
// again, and what their contact goes on with when one is live.
static void springs_come_back_as_they_were_left(void **state)
{
    (void)state;
    test_scene t;
    make_soft_strip(&t);
    simulation *sim = created(&t.s, 1);
    advance_steps(sim, OUT);
    int64_t parked, same = 0;
    resumed_pairs n = {0};
    still_contact *left = parked_springs(sim, &parked);
    qsort(left, (size_t)parked, sizeof *left, by_colliders);
    uint8_t *seen = calloc((size_t)parked + 1, 1);
    for (int step = 0; step < OUT; ++step) {
        advance_steps(sim, 1);
        int64_t now = count_same_springs(sim, left, parked);
        same = now > same ? now : same;
        count_resumed(sim, left, parked, seen, &n);
    }
    assert_true(same > 20);
    assert_true(n.all > 20);
    assert_true(5 * n.alike > 4 * n.all);
    free(seen);
    free(left);
    simulation_destroy(sim);
    scene_end(&t);
}

// The mean height of the highest grains in slices along the track, m.
static double track_height(simulation *sim, double from, double to)
{
    enum { SLICES = 10 };
    double top[SLICES] = {0};
    int64_t parked;
    stored_grain *g = parked_grains(sim, &parked);
    for (int64_t k = 0; k < parked; ++k) {
        double x = (g[k].position.x - from) / (to - from);
        if (x < 0.0 || x >= 1.0 || fabs(g[k].position.y) > 0.01) continue;
        int slice = (int)(x * SLICES);
        top[slice] = fmax(top[slice], g[k].position.z);
    }
    free(g);
    double mean = 0.0;
    for (int k = 0; k < SLICES; ++k) mean += top[k] / SLICES;
    return mean;
}

static void a_rut_stays_where_the_blade_went(void **state)
{
    (void)state;
    test_scene t;
    make_strip(&t, 0.9);
    simulation *sim = created(&t.s, 1);
    advance_steps(sim, OUT);
    double rut = track_height(sim, 0.18, 0.28), untouched = track_height(sim, 0.7, 0.85);
    assert_true(rut > 0.0 && untouched > 0.0);
    assert_true(untouched - rut > RADIUS);
    simulation_destroy(sim);
    scene_end(&t);
}

// ---- work -----------------------------------------------------------------------------------------------------------

typedef struct work {
    int64_t bodies, cells, passes, chunks;
} work;

static work work_of(double length)
{
    test_scene t;
    make_strip(&t, length);
    simulation *sim = created(&t.s, 1);
    const active_box *box = box_of(sim);
    work before = {box->bodies_looked_at, box->changes.looked_at, box->passes, 0};
    advance_steps(sim, OUT);
    work w = {box->bodies_looked_at - before.bodies, box->changes.looked_at - before.cells, box->passes - before.passes,
              0};
    simulation_destroy(sim);
    scene_end(&t);
    return w;
}

static void a_strip_four_times_as_long_is_no_more_work(void **state)
{
    (void)state;
    work short_one = work_of(0.7), long_one = work_of(2.8);
    assert_near((double)long_one.bodies / (double)long_one.passes, (double)short_one.bodies / (double)short_one.passes,
                0.1);
    assert_near((double)long_one.cells, (double)short_one.cells, 0.1);
    assert_true(long_one.passes < OUT / 2 && short_one.passes < OUT / 2);  // most steps do nothing
}

// A body that stands still, among grains that do: nothing is ever looked at.
static void standing_still_costs_nothing(void **state)
{
    (void)state;
    test_scene t;
    make_strip(&t, 0.6);
    t.bodies[SLED].motion.position = formulae(&t, "0.3", "0", "0.033");
    simulation *sim = created(&t.s, 1);
    const active_box *box = box_of(sim);
    advance_steps(sim, 200);  // the grains settle
    int64_t cells = box->changes.looked_at, passes = box->passes;
    advance_steps(sim, 20);
    assert_int_equal(box->changes.looked_at, cells);
    assert_true(box->passes <= passes + 1);
    simulation_destroy(sim);
    scene_end(&t);
}

static void going_to_and_fro_does_not_make_the_store_longer(void **state)
{
    (void)state;
    test_scene t;
    make_strip(&t, 0.6);
    simulation *sim = created(&t.s, 1);
    const active_box *box = box_of(sim);
    advance_steps(sim, BACK);
    int64_t chunks = box->store.chunks.count;
    advance_steps(sim, BACK);
    assert_true(box->store.chunks.count <= chunks + chunks / 20);
    simulation_destroy(sim);
    scene_end(&t);
}

// ---- bits -----------------------------------------------------------------------------------------------------------

static uint64_t hash_after_springs(int threads, int broken_at)
{
    test_scene t;
    make_soft_strip(&t);
    simulation *sim = created(&t.s, threads);
    advance_steps(sim, broken_at);
    if (broken_at > 0) {
        assert_true(box_of(sim)->contacts.count > 20 && box_of(sim)->still.pairs.count > 5);
        simulation *second = resumed(&t.s, sim, threads);
        simulation_destroy(sim);
        sim = second;
    }
    advance_steps(sim, BACK - broken_at);
    uint64_t hash = simulation_hash(sim);
    simulation_destroy(sim);
    scene_end(&t);
    return hash;
}

static void threads_and_resumes_change_no_spring(void **state)
{
    (void)state;
    uint64_t once = hash_after_springs(1, 0);
    assert_true(hash_after_springs(2, 0) == once);
    assert_true(hash_after_springs(1, 370) == once);
}

static uint64_t hash_after(int steps, int threads, int broken_at, const char *store_directory)
{
    test_scene t;
    scr_error error;
    make_strip(&t, 0.6);
    t.bodies[SLED].motion.position = formulae(&t, "0.07 + 2 * t", "0", "0.033");
    t.s.world.solver.kind = SCR_SOLVER_AGS;  // bits are bits before the forces are right, too
    t.s.world.solver.max_iterations = 20;
    if (store_directory != NULL) t.s.active_box.store_bytes = 0.0;
    simulation *sim = created(&t.s, threads);
    if (store_directory != NULL) assert_int_equal(simulation_use_directory(sim, store_directory, &error), SCR_OK);
    advance_steps(sim, broken_at);
    if (broken_at > 0) {
        simulation *second = resumed(&t.s, sim, threads);
        simulation_destroy(sim);
        sim = second;
    }
    advance_steps(sim, steps - broken_at);
    uint64_t hash = simulation_hash(sim);
    assert_true(box_of(sim)->store.is_mapped == (store_directory != NULL));
    simulation_destroy(sim);
    scene_end(&t);
    return hash;
}

static void threads_resumes_and_files_change_no_bit(void **state)
{
    (void)state;
    enum { FEW = 20, MANY = 120 };
    uint64_t few = hash_after(FEW, 1, 0, NULL), many = hash_after(MANY, 1, 0, NULL);
    assert_true(hash_after(FEW, 2, 0, NULL) == few);
    assert_true(hash_after(FEW, 3, 0, NULL) == few);
    assert_true(hash_after(MANY, 1, 71, NULL) == many);
    assert_true(hash_after(MANY, 1, 0, "/tmp") == many);
}

static void damaged_books_are_refused(void **state)
{
    (void)state;
    test_scene t;
    scr_error error;
    make_strip(&t, 0.6);
    simulation *sim = created(&t.s, 1), *second = NULL;
    for (int kind = 0; kind < 3; ++kind) {
        assert_int_equal(simulation_create(&t.s, false, 1, &second, &error), SCR_OK);
        copy_tables(sim, second);
        active_box *box = (active_box *)simulation_box(second);
        int64_t cell = 0;
        while (box->cells.parked[cell] == 0) ++cell;
        if (kind == 0) ++box->cells.parked[cell];
        if (kind == 1) box->store.next[box->cells.list[cell]] = box->cells.list[cell];
        if (kind == 2) box->cells.state[cell] = CELL_LIVE;
        assert_int_equal(simulation_after_load(second, &error), SCR_BAD_INPUT);
        assert_non_null(strstr(error.message, "parked grains"));
        simulation_destroy(second);
    }
    simulation_destroy(sim);
    scene_end(&t);
}

// ---- energy and refusals --------------------------------------------------------------------------------------------

// Grains that fall and are fixed in flight: what they had is in the books.
static void the_energy_of_what_is_parked_is_booked(void **state)
{
    (void)state;
    test_scene t;
    make_strip(&t, 0.6);
    t.s.gravity = formulae(&t, "0", "0", "0");
    t.fills[0].velocity = vec3(0.0, 0.0, 2.0);
    simulation *sim = created(&t.s, 1);
    const active_box *box = box_of(sim);
    assert_int_equal(box->parked_fast, box->store.count);  // all of them flew
    double mass = 0.0;
    int64_t parked;
    stored_grain *g = parked_grains(sim, &parked);
    for (int64_t k = 0; k < parked; ++k) mass += sphere_mass(g[k].radius);
    assert_near(box->frozen_energy, 0.5 * mass * 4.0, 1e-12);
    free(g);
    simulation_destroy(sim);
    scene_end(&t);
}

static void what_cannot_be_parked_is_refused(void **state)
{
    (void)state;
    test_scene t;
    make_strip(&t, 0.6);
    t.grains[0].shape = scr_ellipsoid(vec3(1.0, 0.8, 0.7), (scr_material){0});
    assert_refused(&t.s, SCR_BAD_INPUT,
                   "scene.json:30:5: fill 'strip' has grains that an active box cannot park: only spheres that move, "
                   "of their material's density");
    scene_end(&t);
    make_strip(&t, 0.6);
    t.fills[0].fixed = true;
    assert_refused(&t.s, SCR_BAD_INPUT,
                   "scene.json:30:5: fill 'strip' has grains that an active box cannot park: only spheres that move, "
                   "of their material's density");
    scene_end(&t);
    make_strip(&t, 0.6);
    add_emitter(&t, box_region(vec3(0, 0, 0.1), vec3(0.1, 0.1, 0.2)), constant_size(RADIUS), 1.0);
    t.emitted[0].shape = scr_box(vec3(1.0, 1.0, 1.0), (scr_material){0});
    assert_refused(&t.s, SCR_BAD_INPUT,
                   "scene.json:50:5: emitter 'emitter0' makes grains that an active box cannot park: only spheres");
    scene_end(&t);
    make_strip(&t, 0.6);
    t.fills[0].size = constant_size(0.008);
    assert_refused(&t.s, SCR_BAD_INPUT,
                   "scene.json:40:5: cells of 0.02 m are too small for grains of 0.016 m diameter (fill 'strip'): at "
                   "least twice as long");
    scene_end(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(live_and_fixed_and_parked_are_all_at_every_step),
        cmocka_unit_test(a_large_bed_is_parked_as_it_is),
        cmocka_unit_test(a_box_around_two_bodies_is_that_of_both),
        cmocka_unit_test(two_bodies_keep_their_grains_live),
        cmocka_unit_test(a_grain_comes_back_as_it_was_left),
        cmocka_unit_test(springs_come_back_as_they_were_left),
        cmocka_unit_test(a_rut_stays_where_the_blade_went),
        cmocka_unit_test(a_strip_four_times_as_long_is_no_more_work),
        cmocka_unit_test(standing_still_costs_nothing),
        cmocka_unit_test(going_to_and_fro_does_not_make_the_store_longer),
        cmocka_unit_test(damaged_books_are_refused),
        cmocka_unit_test(the_energy_of_what_is_parked_is_booked),
        cmocka_unit_test(what_cannot_be_parked_is_refused),
        cmocka_unit_test(threads_and_resumes_change_no_spring),
        cmocka_unit_test(threads_resumes_and_files_change_no_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
