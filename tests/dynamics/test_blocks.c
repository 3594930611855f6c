// SPDX-License-Identifier: BSD-3-Clause
// A bed large enough to be cut into blocks: the order in which its contacts are swept, the bits, and the rows that are
// made four at a time.
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "dynamics/cone/stages/cone_stages.h"
#include "dynamics/cone/stages/plain_contacts.h"
#include "dynamics/copied_world.h"
#include "dynamics/physics.h"
#include "dynamics/world/world.h"

static const double RADIUS = 0.01;
enum { LAYERS = 20, FEW_SWEEPS = 3 };
enum { SOME = 21, MANY = 62 };  // grains along a side: enough for blocks, and for blocks of the second level
static const double BYTES_A_GRAIN = 480.0, BYTES_A_CONTACT = 210.0;

// Grains on a lattice that is a little too narrow for them, pushed about; on a floor, between walls.
static scr_world *crowd_of(scr_world_def def, int side, double rolling)
{
    def.solver.kind = SCR_SOLVER_AGS;
    def.solver.tolerance = 0.0;
    def.solver.max_iterations = FEW_SWEEPS;
    scr_world *world = make_world(&def);
    scr_material_def rough = scr_default_material_def();
    scr_material stone, ice = add_material(world, 0.1, 0.0);
    rough.friction = 0.5;
    rough.rolling_friction = rolling;
    assert_ok(scr_world_add_material(world, &rough, &stone, &error));
    scr_body wall[4];
    add_floor(world, stone);
    add_walls(world, ice, 2.0 * RADIUS * side, 2.0 * RADIUS * side, wall);
    for (int k = 0; k < side * side * LAYERS; ++k) {
        uint64_t draw = 4 * (uint64_t)k;
        scr_vec3 at = vec3(2.0 * RADIUS * (k % side + 0.5), 2.0 * RADIUS * (k / side % side + 0.5),
                           2.0 * RADIUS * (k / (side * side) + 0.5));
        scr_vec3 velocity = vec3(random_in(-0.1, 0.1, draw), random_in(-0.1, 0.1, draw + 1), 0.0);
        add_sphere(world, k % 3 == 0 ? ice : stone, RADIUS * random_in(0.97, 1.01, draw + 2), at, velocity);
    }
    assert_true(world->bodies.table.count >= LEAST_BLOCKS * BLOCK_BODIES);
    return world;
}

static scr_world *crowd(scr_world_def def) { return crowd_of(def, SOME, 0.0); }

static int64_t count_blocks(const contact_order *order)
{
    int64_t blocks = 0;
    for (int s = 0; s < order->span_count; ++s)
        if (order->span[s].kind == SPAN_BLOCKS) blocks += order->span[s].last_unit - order->span[s].first_unit;
    return blocks;
}

static contact_ends ends_of(const scr_world *world, int64_t contact)
{
    contact_system system = world_contact_system(world);
    return system.ends(system.owner, contact);
}

// Says that `who` has this body in the span; fails if another has it.
static void take(int64_t *owner, int32_t body, int64_t who)
{
    if (body == NO_BODY) return;
    assert_true(owner[body] < 0 || owner[body] == who);
    owner[body] = who;
}

// Units that follow each other are one thread's: they may share bodies.
static void assert_shares_begin_afresh(const contact_order *order, const contact_span *span)
{
    for (int parts = 1; parts <= 5; ++parts) {
        int64_t next = span->first_unit;
        for (int part = 0; part < parts; ++part) {
            index_range mine = order_share(order, span, part, parts);
            assert_int_equal(mine.first, next);
            assert_true(mine.first == mine.last || !order->unit[mine.first].follows);
            next = mine.last;
        }
        assert_int_equal(next, span->last_unit);
    }
}

static void assert_nothing_is_shared(const scr_world *world)
{
    const contact_order *order = &world->problem.grains;
    int64_t body_count = world->bodies.table.count, contacts_seen = 0, leader = 0;
    int64_t *owner = malloc((size_t)body_count * sizeof *owner), *lane = malloc((size_t)body_count * sizeof *lane);
    uint8_t *seen = calloc((size_t)world->contacts.count, 1);
    memset(lane, -1, (size_t)body_count * sizeof *lane);
    for (int s = 0; s < order->span_count; ++s) {
        assert_shares_begin_afresh(order, &order->span[s]);
        memset(owner, -1, (size_t)body_count * sizeof *owner);
        for (int64_t u = order->span[s].first_unit; u < order->span[s].last_unit; ++u) {
            if (!order->unit[u].follows) leader = u;
            for (int64_t g = order->unit[u].first_group; g < order->unit[u].last_group; ++g) {
                const bundle_group *group = &order->group[g];
                for (int64_t k = group->first_contact; k < group->last_contact; ++k) {
                    contact_ends ends = ends_of(world, order->contact[k]);
                    take(owner, ends.a, leader), take(owner, ends.b, leader);  // units beside each other
                    take(lane, ends.a, k), take(lane, ends.b, k);              // lanes of a colour
                    ++seen[order->contact[k]];
                    ++contacts_seen;
                }
                for (int64_t k = group->first_contact; k < group->last_contact; ++k) {
                    contact_ends ends = ends_of(world, order->contact[k]);
                    if (ends.a != NO_BODY) lane[ends.a] = -1;
                    if (ends.b != NO_BODY) lane[ends.b] = -1;
                }
            }
        }
    }
    for (int64_t i = 0; i < world->contacts.count; ++i) assert_true(seen[i] == 1);
    assert_true(contacts_seen == world->contacts.count);
    free(owner), free(lane), free(seen);
}

static void what_is_done_at_the_same_time_shares_no_body(void **state)
{
    (void)state;
    scr_world *some = crowd(scr_default_world_def()), *many = crowd_of(scr_default_world_def(), MANY, 0.0);
    step(some, 2);
    step(many, 1);
    assert_true(count_blocks(&some->problem.grains) >= LEAST_BLOCKS);
    assert_true(count_blocks(&many->problem.grains) >= LEAST_BLOCKS * (BLOCKS_OF_NEXT + 1));
    assert_true(many->problem.grains.unit[BLOCKS_OF_NEXT].follows);
    assert_nothing_is_shared(some);
    assert_nothing_is_shared(many);
    scr_world_destroy(some);
    scr_world_destroy(many);
}

static void blocks_of_blocks_have_the_same_bits_for_any_thread_count(void **state)
{
    (void)state;
    uint64_t hash = 0;
    for (int threads = 1; threads <= 3; ++threads) {
        scr_world_def def = scr_default_world_def();
        def.thread_count = threads;
        scr_world *world = crowd_of(def, MANY, 0.0);
        step(world, 2);
        if (threads == 1) hash = scr_world_hash(world);
        assert_true(scr_world_hash(world) == hash);
        scr_world_destroy(world);
    }
}

// ---- the order, contact by contact ----

// Contacts at random, mostly of sides that are near each other, in the order of their first side.
typedef struct drawn {
    int64_t body_count, side_count, count, general_count;
    int32_t *body_of, *a, *b;  // of sides; sides of contacts
    uint8_t *is_general;
    bool has_plates;  // else what would be plates is as light as all others
    uint64_t draws;
} drawn;

enum { PLATES = 2, PLATE_CONTACTS = 400, WALL_CONTACTS = 600, CONTACTS_A_SIDE = 4, FIXED_BODIES = 3 };

static int64_t draw(drawn *d, int64_t below) { return (int64_t)random_in(0.0, (double)below, d->draws++); }

// The first bodies cannot be moved, the next ones are plates.
static bool is_plate(int32_t body) { return body >= FIXED_BODIES && body < FIXED_BODIES + PLATES; }

static double drawn_inv_mass(const drawn *d, int32_t body)
{
    return body < FIXED_BODIES ? 0.0 : d->has_plates && is_plate(body) ? 1e-3 : 1.0;
}

static void draw_contact(drawn *d, int64_t a, int64_t b)
{
    int32_t one = d->body_of[a], other = d->body_of[b];
    if (one == other || (one < FIXED_BODIES && other < FIXED_BODIES) || (is_plate(one) && is_plate(other))) return;
    d->is_general[d->count] = draw(d, 5) == 0;
    d->general_count += d->is_general[d->count];
    d->a[d->count] = (int32_t)a, d->b[d->count++] = (int32_t)b;
}

// is_apart: one side in a hundred is some other body's, as of a body of several shapes, and one contact in fifty
// reaches far; walls come first. Otherwise sides are in the order of bodies, each touches a wall first, and all
// contacts are on the centre line.
static drawn draw_contacts(int64_t body_count, bool is_apart)
{
    drawn d = {.body_count = body_count, .side_count = body_count + body_count / 10};
    int64_t room = CONTACTS_A_SIDE * d.side_count + PLATES * PLATE_CONTACTS + FIXED_BODIES * WALL_CONTACTS;
    d.body_of = malloc((size_t)d.side_count * sizeof *d.body_of);
    d.a = malloc((size_t)room * sizeof *d.a), d.b = malloc((size_t)room * sizeof *d.b);
    d.is_general = malloc((size_t)room);
    for (int64_t k = 0; k < d.side_count; ++k) {
        int64_t own = k < FIXED_BODIES + PLATES ? k : k * body_count / d.side_count;
        d.body_of[k] = (int32_t)(is_apart && k > 100 && draw(&d, 100) == 0 ? draw(&d, body_count) : own);
    }
    for (int64_t a = 0; a < d.side_count; ++a) {
        int64_t own = draw(&d, CONTACTS_A_SIDE);
        int64_t many = a < FIXED_BODIES ? is_apart * WALL_CONTACTS : a < FIXED_BODIES + PLATES ? PLATE_CONTACTS : 0;
        for (int64_t k = 0; k < many; ++k) draw_contact(&d, a, d.side_count / 2 + k * (d.side_count / 2) / many);
        for (int64_t k = 0; many == 0 && k < own; ++k) {
            bool is_wall = (!is_apart && k == 0) || draw(&d, 20) == 0, is_far = is_apart && draw(&d, 50) == 0;
            int64_t near = min_i64(a + 1 + draw(&d, 300), d.side_count - 1);
            draw_contact(&d, a, is_wall ? draw(&d, FIXED_BODIES) : is_far ? draw(&d, d.side_count) : near);
        }
    }
    if (!is_apart) memset(d.is_general, 0, (size_t)d.count), d.general_count = 0;
    return d;
}

static void free_drawn(drawn *d) { free(d->body_of), free(d->a), free(d->b), free(d->is_general); }

static int32_t drawn_body(const drawn *d, int32_t side)
{
    return d->body_of[side] < FIXED_BODIES ? NO_BODY : d->body_of[side];
}

static contact_ends drawn_ends(const void *owner, int64_t contact)
{
    const drawn *d = owner;
    return (contact_ends){drawn_body(d, d->a[contact]), drawn_body(d, d->b[contact]), !d->is_general[contact]};
}

static void drawn_side_bodies(const void *owner, int64_t first, int64_t count, int32_t *body)
{
    for (int64_t k = 0; k < count; ++k) body[k] = drawn_body(owner, (int32_t)(first + k));
}

static system_body drawn_system_body(const void *owner, int64_t body)
{
    return (system_body){.inv_mass = drawn_inv_mass(owner, (int32_t)body)};
}

static contact_system drawn_system(const drawn *d, bool has_sides, int threads)
{
    contact_system system = {.owner = d,
                             .body_count = d->body_count,
                             .contact_count = d->count,
                             .general_count = d->general_count,
                             .threads = threads,
                             .ends = drawn_ends,
                             .body = drawn_system_body};
    if (!has_sides) return system;
    system.side_a = d->a, system.side_b = d->b;
    system.side_count = d->side_count;
    system.side_bodies = drawn_side_bodies;
    return system;
}

// What a contact is sorted by.
typedef struct sorted_contact {
    int64_t block, heavy, level, colour, number;
    body_pair pair;  // records; of a shared contact the light side alone
} sorted_contact;

static int compare_sorted(const void *one, const void *other)
{
    const sorted_contact *a = one, *b = other;
    const int64_t by[5][2] = {{a->block, b->block},
                              {a->colour, b->colour},
                              {a->heavy, b->heavy},
                              {a->level, b->level},
                              {a->number, b->number}};
    for (int k = 0; k < 5; ++k)
        if (by[k][0] != by[k][1]) return by[k][0] < by[k][1] ? -1 : 1;
    return 0;
}

static int64_t block_of(body_pair pair, int64_t body_count, int64_t *at_level)
{
    int32_t a = pair.a == NO_BODY ? pair.b : pair.a, b = pair.b == NO_BODY ? pair.a : pair.b;
    int64_t before = 0;
    for (int level = 0; level < BLOCK_LEVELS; ++level) {
        int bits = BLOCK_BITS + level * GROWTH_BITS;
        if (body_count < (int64_t)LEAST_BLOCKS << bits) break;
        *at_level = level;
        if (a >> bits == b >> bits) return before + (a >> bits);
        before += block_count_of(body_count, (int64_t)1 << bits);
    }
    *at_level = BLOCK_LEVELS;
    return INT32_MAX;
}

// The numbers of all records, in the order of bodies.
static int32_t *number_records(const drawn *d, int64_t *count)
{
    int32_t *record = malloc((size_t)d->body_count * sizeof *record);
    memset(record, -1, (size_t)d->body_count * sizeof *record);
    for (int64_t k = 0; k < d->count; ++k) {
        contact_ends ends = drawn_ends(d, k);
        if (ends.a != NO_BODY) record[ends.a] = 0;
        if (ends.b != NO_BODY) record[ends.b] = 0;
    }
    *count = 0;
    for (int64_t k = 0; k < d->body_count; ++k)
        if (record[k] != NO_BODY) record[k] = (int32_t)(*count)++;
    return record;
}

// Each has the lowest colour that those of its block before it leave free, shared contacts that of their light side.
static void colour_sorted(sorted_contact *sorted, int64_t count, int64_t body_count)
{
    uint64_t *taken = malloc((size_t)body_count * sizeof *taken);
    for (int64_t k = 0; k < count; ++k) {
        uint64_t all = 0;
        const int32_t body[2] = {sorted[k].pair.a, sorted[k].pair.b};
        if (k == 0 || sorted[k].block != sorted[k - 1].block) memset(taken, 0, (size_t)body_count * sizeof *taken);
        for (int side = 0; side < 2; ++side) all |= body[side] != NO_BODY ? taken[body[side]] : 0;
        while (sorted[k].colour < COLOUR_COUNT && (all >> sorted[k].colour & 1) != 0) ++sorted[k].colour;
        for (int side = 0; side < 2; ++side)
            if (body[side] != NO_BODY && sorted[k].colour < COLOUR_COUNT)
                taken[body[side]] |= (uint64_t)1 << sorted[k].colour;
    }
    free(taken);
}

static int64_t expect_order(const drawn *d, bool centre_line, sorted_contact *sorted)
{
    int64_t body_count, count = 0;
    int32_t *record = number_records(d, &body_count);
    for (int64_t k = 0; k < d->count; ++k) {
        contact_ends ends = drawn_ends(d, k);
        if (ends.centre_line != centre_line) continue;
        body_pair pair = {ends.a == NO_BODY ? NO_BODY : record[ends.a], ends.b == NO_BODY ? NO_BODY : record[ends.b]};
        sorted_contact *to = &sorted[count++];
        *to = (sorted_contact){.number = k, .pair = pair};
        int64_t level;
        to->block = block_of(pair, body_count, &level);
        bool by_a = ends.b != NO_BODY && is_plate(ends.a), by_b = ends.a != NO_BODY && is_plate(ends.b);
        if (!d->has_plates || (!by_a && !by_b)) continue;
        to->block = INT64_MAX;
        to->level = level;
        to->heavy = by_a ? pair.a : pair.b;
        to->pair = (body_pair){by_a ? pair.b : pair.a, NO_BODY};
    }
    qsort(sorted, (size_t)count, sizeof *sorted, compare_sorted);
    colour_sorted(sorted, count, body_count);
    qsort(sorted, (size_t)count, sizeof *sorted, compare_sorted);
    free(record);
    return count;
}

// An order made once has the room that its groups and units ask for: an eighth more, or that of a smallest array.
static void assert_room_for(int64_t count, int64_t capacity)
{
    const int64_t smallest = 16;
    assert_true(capacity >= count && capacity <= max_i64(smallest, count + count / 8));
}

static void compare_order(const drawn *d, const contact_system *system)
{
    problem p = {0};
    scr_arena memory = {0};
    listed_ends ends;
    sorted_contact *sorted = malloc((size_t)d->count * sizeof *sorted);
    assert_ok(scr_arena_reserve(&memory, order_bytes(system), "a test", &error));
    memset(memory.base, 0x55, memory.capacity);  // scratch is as others left it
    scr_arena arena = memory;
    assert_ok(find_touched(&p.touched, system, &ends, &arena, &error));
    for (int kind = 0; kind < 2; ++kind) {
        contact_order *order = kind == 0 ? &p.grains : &p.general;
        int64_t count = expect_order(d, kind == 0, sorted);
        assert_ok(order_contacts(order, system, &p.touched, &ends, kind == 0, arena, &error));
        assert_int_equal(order->count, count);
        for (int64_t k = 0; k < count; ++k) assert_int_equal(order->contact[k], sorted[k].number);
        assert_room_for(order->group_count, order->group_capacity);
        assert_room_for(order->unit_count, order->unit_capacity);
    }
    free(sorted);
    scr_arena_free(&memory);
    problem_free(&p);
}

// By block, colour and number, however contacts come, and whoever lists their ends.
static void the_order_is_that_of_blocks_colours_and_numbers(void **state)
{
    (void)state;
    const int64_t body_counts[] = {3000, 12000, 90000};  // no blocks, those of one level, of two
    for (int variant = 0; variant < 12; ++variant) {
        drawn d = draw_contacts(body_counts[variant / 4], variant % 2 == 0);
        d.has_plates = variant % 4 < 2;
        for (int threads = 1; threads <= 3; ++threads) {
            contact_system with_sides = drawn_system(&d, true, threads), without = drawn_system(&d, false, threads);
            compare_order(&d, &with_sides);
            compare_order(&d, &without);
        }
        free_drawn(&d);
    }
}

// ---- bundles abreast ----

static void *copy_of(const void *from, int64_t count, size_t size)
{
    void *copy = aligned_alloc(64, (((size_t)count * size) / 64 + 1) * 64);
    memcpy(copy, from, (size_t)count * size);
    return copy;
}

typedef struct swept {  // by one sweep, beside the problem's own
    grain_bundle *grain;
    old_impulses *old;
    rolling_grain *rolling;
    wide_record *record;
} swept;

// Other impulses than those the bundles have.
static old_impulses *halved_impulses(const problem *p)
{
    int64_t bundles = p->grains.bundle_count;
    old_impulses *old = copy_of(p->grain_old, bundles, sizeof *old);
    for (int64_t k = 0; k < 3 * LANES * bundles; ++k)
        old[k / (3 * LANES)].g[k / LANES % 3][k % LANES] = 0.5f * p->grain[k / (3 * LANES)].g[k / LANES % 3][k % LANES];
    return old;
}

static swept sweep_copies(const problem *p, sweep_mode mode, bool is_apart)
{
    const sweep_kernels *kernels = KERNEL_FOR(true, sweep_kernels);
    int64_t bundles = p->grains.bundle_count;
    swept copy = {copy_of(p->grain, bundles, sizeof *p->grain), halved_impulses(p),
                  p->rolls ? copy_of(p->rolling_grain, bundles, sizeof *p->rolling_grain) : NULL,
                  copy_of(p->record, p->general_copies, sizeof *p->record)};
    mode.is_apart = is_apart;
    for (int64_t g = 0; g < p->grains.group_count; ++g) {
        int64_t first = p->grains.group[g].first_bundle, count = p->grains.group[g].last_bundle - first;
        sweep_sums sums;
        if (p->rolls)
            kernels->rolling->grains(copy.grain + first, copy.old + first, copy.rolling + first, count, copy.record,
                                     &mode, &sums);
        else kernels->grains(copy.grain + first, copy.old + first, NULL, count, copy.record, &mode, &sums);
    }
    return copy;
}

static void assert_abreast_as_in_turn(const problem *p, sweep_mode mode)
{
    swept abreast = sweep_copies(p, mode, true), in_turn = sweep_copies(p, mode, false);
    size_t bundles = (size_t)p->grains.bundle_count, records = (size_t)p->general_copies * sizeof *p->record;
    assert_memory_equal(abreast.grain, in_turn.grain, bundles * sizeof *p->grain);
    assert_memory_equal(abreast.old, in_turn.old, bundles * sizeof *p->grain_old);
    if (p->rolls) assert_memory_equal(abreast.rolling, in_turn.rolling, bundles * sizeof *p->rolling_grain);
    assert_memory_equal(abreast.record, in_turn.record, records);
    assert_true(memcmp(abreast.record, p->record, records) != 0);
    free(abreast.grain), free(abreast.old), free(abreast.rolling), free(abreast.record);
    free(in_turn.grain), free(in_turn.old), free(in_turn.rolling), free(in_turn.record);
}

static void grains_abreast_have_the_bits_of_one_after_the_other(void **state)
{
    (void)state;
    const sweep_mode plain = {.relaxation = 1.0f},
                     accelerated = {
                         .relaxation = 1.2f, .sliding = 0.7f, .beta = 0.3f, .accelerated = true, .sums = true};
    for (int rolls = 0; rolls < 2; ++rolls) {
        scr_world *world = crowd_of(scr_default_world_def(), SOME, rolls ? 0.1 : 0.0);
        step(world, 2);
        const problem *p = &world->problem;
        sweep_mode coulomb = accelerated;
        coulomb.coulomb = true;
        assert_true(p->rolls == (rolls == 1) && p->grains.copy_count == 0);
        assert_abreast_as_in_turn(p, plain);
        assert_abreast_as_in_turn(p, accelerated);
        assert_abreast_as_in_turn(p, coulomb);
        scr_world_destroy(world);
    }
}

static void blocks_have_the_same_bits_for_any_thread_count(void **state)
{
    (void)state;
    uint64_t hash = 0;
    for (int variant = 0; variant < 4; ++variant) {
        scr_world_def def = scr_default_world_def();
        def.thread_count = variant < 3 ? variant + 1 : 2;
        def.instruction_set = variant == 3 ? SCR_PLAIN : SCR_BEST;
        scr_world *world = crowd(def);
        step(world, 4);
        if (variant == 0) hash = scr_world_hash(world);
        assert_true(scr_world_hash(world) == hash);
        scr_world_destroy(world);
    }
}

// The list is no state: it is made anew where a world is loaded, and older in the one that goes on.
static void a_bed_resumed_within_the_life_of_its_list_goes_the_same_way(void **state)
{
    (void)state;
    scr_world *world = crowd(scr_default_world_def());
    int lives = 0;
    step(world, 2);
    for (int k = 0; k < 5; ++k) {
        scr_world_def def = world->def;
        def.thread_count = 1 + k % 4;
        def.instruction_set = k == 4 ? SCR_PLAIN : SCR_BEST;
        scr_world *other = resumed(world, &def);
        int64_t lists = world->neighbours.build_count;
        for (int n = 0; n < 2; ++n) {
            step(world, 1);
            step(other, 1);
            assert_true(scr_world_hash(world) == scr_world_hash(other));
            lives += n == 0 && world->neighbours.build_count == lists;
        }
        scr_world_destroy(other);
    }
    assert_true(lives >= 3);
    scr_world_destroy(world);
}

static void push(scr_vec3 *v, scr_vec3 *w, const bodies *b, int32_t body, scr_vec3 lever, scr_vec3 impulse)
{
    v[body] = vec3_add_scaled(v[body], b->inv_mass[body], impulse);
    w[body] = vec3_add_scaled(w[body], b->inv_ix[body], vec3_cross(lever, impulse));
}

// Momentum: all bodies end a step with what gravity and the impulses of their contacts give them.
static void velocities_are_those_of_the_impulses(void **state)
{
    (void)state;
    scr_world_def def = scr_default_world_def();
    def.thread_count = 3;
    scr_world *world = crowd(def);
    const bodies *b = &world->bodies;
    const contacts *set = &world->contacts;
    int64_t n = b->table.count;
    scr_vec3 *v = malloc((size_t)n * sizeof *v), *w = malloc((size_t)n * sizeof *w);
    step(world, 2);
    for (int64_t i = 0; i < n; ++i) {
        double fall = b->inv_mass[i] > 0.0 ? world->def.time_step : 0.0;
        v[i] = vec3_add_scaled(body_velocity(b, i), fall, scr_world_gravity(world));
        w[i] = body_spin(b, i);
    }
    step(world, 1);
    assert_true(world->plain.all_are_plain && set->count > 10000);
    for (int64_t i = 0; i < set->count; ++i) {
        int32_t one = world->colliders.body[set->a[i]], other = world->colliders.body[set->b[i]];
        const float *g = set->impulse + 3 * i;
        contact_geometry at = contact_geometry_of(set, &world->colliders, i);
        scr_vec3 impulse = vec3((double)g[0], (double)g[1], (double)g[2]), normal = at.normal;
        double half = 0.5 * at.gap;
        push(v, w, b, one, vec3_scale(world->colliders.radius[set->a[i]] + half, normal), vec3_neg(impulse));
        push(v, w, b, other, vec3_scale(-world->colliders.radius[set->b[i]] - half, normal), impulse);
    }
    for (int64_t i = 0; i < n; ++i) {
        if (b->inv_mass[i] == 0.0) continue;
        assert_true(vec3_norm(vec3_sub(v[i], body_velocity(b, i))) < 1e-12);
        assert_true(vec3_norm(vec3_sub(w[i], body_spin(b, i))) < 1e-9);
    }
    free(v), free(w);
    scr_world_destroy(world);
}

static void assert_near_each(double one, double other, double size, const char *what, int64_t contact)
{
    if (fabs(one - other) > 1e-9 * size)
        fail_msg("%s of contact %lld: %.17g one by one, %.17g in lanes", what, (long long)contact, one, other);
}

// The same in single precision, as bundles have it.
static void compare_packed(const contact_row *row, const grain_bundle *packed, int k, int64_t contact)
{
    const double slack = 1e4;  // times that of doubles
    double whole = 1.0 + row->eps_n, cn = 1.0 / (whole * row->a_n), ct = 1.0 / (whole * row->a_t);
    assert_true(row->a == packed->a[k] && row->b == packed->b[k]);
    assert_near_each(row->n.z, (double)packed->n[2][k], slack, "n", contact);
    assert_near_each(row->r.z, (double)packed->r[2][k], slack * (vec3_norm(row->r) + 1e-3), "r", contact);
    assert_near_each(cn, (double)packed->cn[k], slack * cn, "cn", contact);
    assert_near_each(ct, (double)packed->ct[k], slack * ct, "ct", contact);
    assert_near_each(1.0 / whole, (double)packed->sigma[k], slack, "sigma", contact);
    assert_near_each(row->mu, (double)packed->mu[k], slack, "mu", contact);
    double arm_a = row->a == NO_BODY ? 0.0 : vec3_dot(row->lever_a, row->n) / row->length_a,
           arm_b = row->b == NO_BODY ? 0.0 : vec3_dot(row->lever_b, row->n) / row->length_b;
    assert_near_each(arm_a, (double)packed->arm_a[k], slack, "arm", contact);
    assert_near_each(arm_b, (double)packed->arm_b[k], slack, "arm", contact);
}

static void compare_rows(const scr_world *world, const contact_system *system, int64_t first)
{
    int32_t contact[ROW_LANES];
    grain_bundle packed;
    row_lanes rows;
    for (int k = 0; k < ROW_LANES; ++k) contact[k] = (int32_t)(first + k);
    uint32_t done = system->rows(system->owner, contact, ROW_LANES, &packed, &rows);
    assert_int_equal(done, (1u << ROW_LANES) - 1);
    for (int k = 0; k < ROW_LANES; ++k) {
        contact_row row = contact_row_of(world, contact[k]);
        double speed = vec3_norm(row.r) + 1e-3;
        assert_true(row.a == rows.a[k] && row.b == rows.b[k]);
        compare_packed(&row, &packed, k, contact[k]);
        for (int axis = 0; axis < 3; ++axis)
            assert_true(packed.g[axis][k] == world->contacts.impulse[3 * contact[k] + axis]);
        assert_near_each(row.r.x, rows.r[0][k], speed, "r", contact[k]);
        assert_near_each(row.r.y, rows.r[1][k], speed, "r", contact[k]);
        assert_near_each(row.r.z, rows.r[2][k], speed, "r", contact[k]);
        assert_near_each(row.a_n, rows.a_n[k], row.a_n, "a_n", contact[k]);
        assert_near_each(row.a_t, rows.a_t[k], row.a_t, "a_t", contact[k]);
        assert_near_each(row.eps_n, rows.eps[k], row.eps_n, "eps", contact[k]);
        assert_near_each(row.mu, rows.mu[k], 1.0, "mu", contact[k]);
        if (row.a != NO_BODY)
            assert_near_each(vec3_dot(row.lever_a, row.n) / row.length_a, rows.lever_a[k] / rows.length_a[k], 1.0,
                             "arm", contact[k]);
        if (row.b != NO_BODY)
            assert_near_each(vec3_dot(row.lever_b, row.n) / row.length_b, rows.lever_b[k] / rows.length_b[k], 1.0,
                             "arm", contact[k]);
    }
}

static const plain_kernels *const KERNEL_SETS[] = {
    &plain_kernels_plain,
#if defined(SCREE_HAVE_AVX2)
    &plain_kernels_avx2,
    &plain_kernels_avx512,
#endif
};

static bool can_run(const plain_kernels *kernels)
{
#if defined(SCREE_HAVE_AVX2)
    if (kernels == &plain_kernels_avx2) return __builtin_cpu_supports("avx2");
    if (kernels == &plain_kernels_avx512) return cpu_has_avx512();
#endif
    return kernels == &plain_kernels_plain;
}

static uint32_t bits_of_float(float v)
{
    uint32_t bits;
    memcpy(&bits, &v, sizeof bits);
    return bits;
}

// All numbers of a bundle of grains are four bytes, a row of lanes after the other.
static void assert_same_lane(const grain_bundle *one, const grain_bundle *other, int lane, int64_t contact)
{
    enum { MADE = sizeof(grain_bundle) / (ROW_LANES * sizeof(float)) };
    const float *x = (const float *)one, *y = (const float *)other;
    for (int row = 0; row < (int)MADE; ++row)
        if (bits_of_float(x[ROW_LANES * row + lane]) != bits_of_float(y[ROW_LANES * row + lane]))
            fail_msg("row %d of contact %lld differs", row, (long long)contact);
}

// As many as there may be at once, fewer, and not in the order of contacts: by every instruction set, and as those are
// made whose exact rows are asked for.
static void compare_many(const scr_world *world, int64_t first, int count)
{
    int32_t contact[ROWS_AT_ONCE];
    grain_bundle one[ROWS_AT_ONCE / ROW_LANES], many[ROWS_AT_ONCE / ROW_LANES];
    row_lanes exact[ROWS_AT_ONCE / ROW_LANES];
    int bundles = (count + ROW_LANES - 1) / ROW_LANES;
    for (int k = 0; k < ROWS_AT_ONCE; ++k) contact[k] = (int32_t)((first + 7 * k) % world->contacts.count);
    plain_kernels_plain.rows(&world->plain.view, &world->contacts, contact, 0, bundles, one, exact);
    for (size_t s = 0; s < sizeof KERNEL_SETS / sizeof *KERNEL_SETS; ++s) {
        if (!can_run(KERNEL_SETS[s])) continue;
        KERNEL_SETS[s]->rows(&world->plain.view, &world->contacts, contact, 0, bundles, many, NULL);
        for (int k = 0; k < count; ++k)
            assert_same_lane(&one[k / ROW_LANES], &many[k / ROW_LANES], k % ROW_LANES, contact[k]);
    }
}

static scr_status see_rows(void *context, const scr_world *world, scr_error *reason)
{
    (void)reason;
    contact_system system = world_contact_system(world);
    assert_true(system.rows != NULL);
    for (int64_t first = 0; first + ROW_LANES <= world->contacts.count; first += ROW_LANES)
        compare_rows(world, &system, first);
    for (int64_t first = 0; first < world->contacts.count; first += ROWS_AT_ONCE - 3)
        compare_many(world, first, ROWS_AT_ONCE - (int)(first % 7));
    ++*(int *)context;
    return SCR_OK;
}

// Under each law, with contacts of grains, of the floor and of walls, in a crowd that moves.
static void rows_in_lanes_are_those_one_by_one(void **state)
{
    (void)state;
    for (int variant = 0; variant < 3; ++variant) {
        scr_world_def def = scr_default_world_def();
        def.contact.law = variant == 0 ? SCR_RIGID : SCR_COMPLIANT;
        def.contact.compliance = variant == 2 ? 0.1 : def.contact.compliance;
        scr_world *world = crowd(def);
        int watched = 0;
        step(world, 2);
        world->watch = (problem_watch){see_rows, &watched};
        step(world, 1);
        assert_true(watched > 0);
        scr_world_destroy(world);
    }
}

// The old impulses of grains lie among the contacts', the old motion of bodies where colliders are.
static void what_sweeps_borrow_comes_back(void **state)
{
    (void)state;
    scr_world *world = crowd(scr_default_world_def());
    step(world, 2);
    const bodies *b = &world->bodies;
    const colliders *c = &world->colliders;
    size_t bytes = (size_t)b->table.count * sizeof(double);
    double *x = copy_of(b->x, b->table.count, sizeof *x), *y = copy_of(b->y, b->table.count, sizeof *y);
    step(world, 1);
    assert_true(world->problem.old_is_lent);
    assert_ptr_equal(world->problem.grain_old, world->contacts.impulse);
    assert_true(memcmp(x, b->x, bytes) != 0);
    for (int64_t k = 0; k < c->table.count; ++k) {
        if (!collider_is_grain(c, k)) continue;
        int32_t i = c->body[k];
        assert_true(c->ball[k].x == x[i] && c->ball[k].y == y[i] && c->ball[k].r == c->radius[k]);
    }
    free(x), free(y);
    scr_world_destroy(world);
}

// Grains laid at once, as a fill lays them: a lattice in which each touches six others.
static scr_world *lattice(int side)
{
    scr_world_def def = scr_default_world_def();
    def.solver.kind = SCR_SOLVER_AGS;
    def.solver.tolerance = 0.0;
    def.solver.max_iterations = FEW_SWEEPS;
    scr_world *world = make_world(&def);
    scr_material stone = add_material(world, 0.5, 0.0);
    int count = side * side * side;
    scr_vec3 *at = calloc((size_t)count, sizeof *at);
    double *radius = calloc((size_t)count, sizeof *radius);
    assert_true(at != NULL && radius != NULL);
    add_floor(world, stone);
    for (int k = 0; k < count; ++k) {
        at[k] = vec3(1.999 * RADIUS * (k % side), 1.999 * RADIUS * (k / side % side),
                     RADIUS + 1.999 * RADIUS * (k / (side * side)));
        radius[k] = RADIUS;
    }
    assert_ok(scr_world_add_spheres(world, count, at, radius, NULL, stone, NULL, &error));
    free(at);
    free(radius);
    return world;
}

static double allocated_bytes(void)
{
    struct mallinfo2 now = mallinfo2();
    return (double)now.uordblks + (double)now.hblkhd;
}

// Everything a world of grains has allocated after some steps, room to grow included. architecture.md says how much of
// it a million spheres fill.
static void a_grain_and_its_contacts_take_little_memory(void **state)
{
    (void)state;
    enum { EDGE = 24 };
    double before = allocated_bytes();
    scr_world *world = lattice(EDGE);
    step(world, 4);
    double bytes = allocated_bytes() - before, grains = EDGE * EDGE * EDGE, touching = (double)world->contacts.count;
    print_message("%.0f bytes a grain, with %.2f contacts each\n", bytes / grains, touching / grains);
    scr_world_destroy(world);
    if (bytes <= 0.0) skip();  // another allocator, which does not say
    assert_at_most(bytes, BYTES_A_GRAIN * grains + BYTES_A_CONTACT * touching);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_done_at_the_same_time_shares_no_body),
        cmocka_unit_test(blocks_have_the_same_bits_for_any_thread_count),
        cmocka_unit_test(blocks_of_blocks_have_the_same_bits_for_any_thread_count),
        cmocka_unit_test(the_order_is_that_of_blocks_colours_and_numbers),
        cmocka_unit_test(grains_abreast_have_the_bits_of_one_after_the_other),
        cmocka_unit_test(a_bed_resumed_within_the_life_of_its_list_goes_the_same_way),
        cmocka_unit_test(velocities_are_those_of_the_impulses),
        cmocka_unit_test(rows_in_lanes_are_those_one_by_one),
        cmocka_unit_test(what_sweeps_borrow_comes_back),
        cmocka_unit_test(a_grain_and_its_contacts_take_little_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
