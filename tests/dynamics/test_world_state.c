// SPDX-License-Identifier: BSD-3-Clause
// The state of a world: one hash for any number of threads, copied tables that go on to the same bits, damage refused.
#include "contact_view.h"
#include "dynamics/world/world_state.h"

#include <string.h>

#include "copied_world.h"
#include "mixed_world.h"

static void check_same_tables(scr_world *a, scr_world *b)
{
    table *in_a[WORLD_TABLE_MAX], *in_b[WORLD_TABLE_MAX];
    int count = world_tables(a, in_a);
    char text[200];
    world_tables(b, in_b);
    for (int k = 0; k < count; ++k)
        if (table_first_difference(in_a[k], in_b[k], text, sizeof text))
            fail_msg("step %lld: %s", (long long)scr_world_step_count(a), text);
    assert_true(scr_world_hash(a) == scr_world_hash(b));
}

// ---- what happens to a world on its way ----

// Bodies come and go before some steps; a function of the step alone, so that a resumed world is treated the same.
static void interfere(scr_world *world)
{
    int64_t now = scr_world_step_count(world);
    scr_body some[12];
    if (now == 100 || now == 127 || now == 128) {
        uint64_t first = now == 100 ? 10 : now == 127 ? 11 : 12;
        for (uint64_t k = 0; k < 12; ++k) some[k] = body_with_id(world, first + 9 * k);
        assert_ok(scr_world_remove_bodies(world, 12, some, &error));
    }
    if (now == 30 || now == 128 || now == 150) {
        scr_vec3 at[12];
        double radius[12];
        for (int k = 0; k < 12; ++k)
            at[k] = vec3(0.02 + 0.01 * k, 0.03, 0.15 + 0.001 * (double)now), radius[k] = 0.0045;
        assert_ok(scr_world_add_spheres(world, 12, at, radius, NULL, (scr_material){2}, some, &error));
        assert_ok(add_compound(world, (scr_material){1}, vec3(0.05, 0.1, 0.16), QUAT_IDENTITY, some, &error));
    }
    if (now % 40 == 7) apply_force(world, body_with_id(world, 60), vec3(0.01, 0.0, 0.02));
    if (now == 160) scr_world_set_gravity(world, vec3(1.0, 0.0, -9.0), NULL);
}

static void advance(scr_world *world, int count)
{
    for (int k = 0; k < count; ++k) {
        interfere(world);
        step(world, 1);
    }
}

// ---- the laws ----

// From the beginning, and from a settling bed across a step that sorts the bodies.
static void threads_and_instructions_never_change_the_hash(void **state)
{
    (void)state;
    enum { STEPS = 8 };
    scr_world_def def = mixed_def(1);
    def.solver.max_iterations = 12;
    scr_world *start = mixed_world(&def, 1600);  // enough bodies for four threads to be used
    for (int late = 0; late < 2; ++late) {
        uint64_t hash[STEPS];
        if (late) advance(start, 123);
        for (int variant = 0; variant < 5; ++variant) {
            def.thread_count = variant < 4 ? variant + 1 : 2;
            def.instruction_set = variant == 4 ? SCR_PLAIN : SCR_BEST;
            scr_world *world = resumed(start, &def);
            for (int k = 0; k < STEPS; ++k) {
                advance(world, 1);
                if (variant == 0) hash[k] = scr_world_hash(world);
                if (scr_world_hash(world) != hash[k])
                    fail_msg("variant %d differs by step %lld", variant, (long long)scr_world_step_count(world));
            }
            if (late) assert_true(contact_count(world) > 1500);
            scr_world_destroy(world);
        }
    }
    scr_world_destroy(start);
}

static void a_resumed_world_goes_the_same_way(void **state)
{
    (void)state;
    enum { STEPS = 270 };
    const scr_solver_def solvers[] = {
        {.kind = SCR_SOLVER_AGS, .max_iterations = 25, .tolerance = 1e-3, .warm_start = true},
        {.kind = SCR_SOLVER_GS, .max_iterations = 20, .warm_start = true},
        {.kind = SCR_SOLVER_APGD, .max_iterations = 10, .tolerance = 1e-6, .warm_start = true}};
    const int stops[] = {0, 1, 29, 31, 99, 101, 127, 128, 129, 151, 161, 255, 256, 257};
    for (int s = 0; s < 3; ++s) {
        scr_world_def def = mixed_def(2);
        def.solver = solvers[s];
        scr_world *world = mixed_world(&def, s == 0 ? 300 : 120);
        scr_world *copies[sizeof stops / sizeof *stops] = {0};
        int copy_count = 0;
        for (int k = 0; k <= STEPS; ++k) {
            if (copy_count < (int)(sizeof stops / sizeof *stops) && k == stops[copy_count]) {
                def.thread_count = 1 + copy_count % 3;
                copies[copy_count] = resumed(world, &def);
                check_same_tables(world, copies[copy_count++]);
            }
            if (k == STEPS) break;
            interfere(world);
            step(world, 1);
            for (int c = 0; c < copy_count; ++c) {
                int64_t age = scr_world_step_count(world) - stops[c];
                if (s > 0 && age > 12) continue;  // the first solver's copies run to the end
                if (copies[c] == NULL) continue;
                interfere(copies[c]);
                step(copies[c], 1);
                if (scr_world_hash(copies[c]) != scr_world_hash(world)) check_same_tables(world, copies[c]);
                if (age == 40 && c % 3 != 0) scr_world_destroy(copies[c]), copies[c] = NULL;
            }
        }
        for (int c = 0; c < copy_count; ++c) scr_world_destroy(copies[c]);
        scr_world_destroy(world);
    }
}

// A handle taken before the state was saved is good in the world that loads it; one that was stale stays so.
static void handles_survive_loading(void **state)
{
    (void)state;
    scr_world_def def = mixed_def(1);
    scr_world *world = mixed_world(&def, 150);
    scr_body gone = body_with_id(world, 20), here = body_with_id(world, 30);
    assert_ok(scr_world_remove_bodies(world, 1, &gone, &error));
    step(world, 5);
    scr_world *other = resumed(world, &def);
    assert_false(scr_body_is_alive(other, gone));
    scr_body_state a = state_of(world, here), b = state_of(other, here);
    assert_memory_equal(&a, &b, sizeof a);
    scr_body in_world = add_sphere(world, (scr_material){1}, 0.005, vec3(0.1, 0.1, 0.3), vec3(0.0, 0.0, 0.0));
    scr_body in_other = add_sphere(other, (scr_material){1}, 0.005, vec3(0.1, 0.1, 0.3), vec3(0.0, 0.0, 0.0));
    assert_memory_equal(&in_world, &in_other, sizeof in_world);
    check_same_tables(world, other);
    scr_world_destroy(world);
    scr_world_destroy(other);
}

// Whatever a step depends on is in the hash.
static void every_change_changes_the_hash(void **state)
{
    (void)state;
    scr_world_def def = mixed_def(1);
    scr_world *world = mixed_world(&def, 60);
    step(world, 30);
    uint64_t before = scr_world_hash(world);
    table *tables[WORLD_TABLE_MAX];
    int count = world_tables(world, tables), fields = 0;
    for (int k = 0; k < count; ++k) {
        for (int f = 0; f < tables[k]->field_count; ++f) {
            const field_info *field = &tables[k]->field[f];
            int64_t bytes = (int64_t)field_size(field) * (field->scalar ? 1 : tables[k]->count);
            if (bytes == 0) continue;
            char *byte = (char *)table_data(tables[k], field) + bytes / 2;
            *byte ^= 1;
            if (scr_world_hash(world) == before) fail_msg("%s.%s is not in the hash", tables[k]->name, field->name);
            *byte ^= 1;
            ++fields;
        }
    }
    assert_true(scr_world_hash(world) == before);
    assert_true(fields > 30);
    scr_world_destroy(world);
}

static void a_difference_is_named(void **state)
{
    (void)state;
    scr_world_def def = mixed_def(1);
    scr_world *world = mixed_world(&def, 40);
    step(world, 3);
    scr_world *other = resumed(world, &def);
    scr_body_view view = scr_world_bodies(world);
    scr_body_state moved = state_of(other, view.handle[17]);
    moved.velocity.y += 0.5;
    set_state(other, view.handle[17], moved);
    table *in_world[WORLD_TABLE_MAX], *in_other[WORLD_TABLE_MAX];
    int count = world_tables(world, in_world), differences = 0;
    world_tables(other, in_other);
    char text[200];
    for (int k = 0; k < count; ++k) {
        if (!table_first_difference(in_world[k], in_other[k], text, sizeof text)) continue;
        ++differences;
        if (strstr(text, "bodies.vy[17]: ") != text) fail_msg("\"%s\"", text);
    }
    assert_int_equal(differences, 1);
    scr_world_destroy(world);
    scr_world_destroy(other);
}

// ---- damage ----

// Everything a user might do with a world that loaded.
static void use(scr_world *world)
{
    scr_error error;
    scr_accuracy accuracy;
    for (int k = 0; k < 2; ++k)
        if (scr_world_step(world, &error) != SCR_OK) break;
    scr_world_accuracy(world, &accuracy, &error);
    scr_world_energy(world), scr_world_momentum(world), scr_world_angular_momentum(world);
    for (int64_t i = 0; i < contact_count(world); ++i) contact_at(world, i);
    for (int64_t k = 0; k < scr_world_shape_count(world); ++k) scr_world_shape(world, k);
    scr_body_view view = scr_world_bodies(world);
    scr_vec3 force, torque;
    for (uint32_t index1 = 1; index1 <= 80; ++index1) {
        for (uint32_t generation = 1; generation <= 3; ++generation) {
            scr_body body = {index1, generation};
            scr_body_state now;
            scr_body_get_state(world, body, &now, &error);
            if (index1 < 10) scr_body_contact_force(world, body, &force, &torque, &error);
        }
    }
    scr_body first = view.count > 0 ? view.handle[0] : (scr_body){0}, made;
    scr_world_remove_bodies(world, 1, &first, &error);
    for (int k = 0; k < 3; ++k)
        add_compound(world, (scr_material){1}, vec3(0.05, 0.05, 0.2 + 0.05 * k), QUAT_IDENTITY, &made, &error);
    scr_world_step(world, &error);
    scr_world_hash(world);
}

// A loaded state is good, or refused with a sentence. Which of the two.
static bool load_damaged(scr_world *world)
{
    scr_error error = {0};
    scr_status status = world_after_load(world, &error);
    if (status == SCR_OK) {
        use(world);
        return true;
    }
    assert_int_equal(status, SCR_BAD_INPUT);
    assert_true(strlen(error.message) > 20);
    return false;
}

// A world with free records, removed and new bodies, and contacts, in which there is something to damage.
static scr_world *worn_world(const scr_world_def *def)
{
    scr_world *world = mixed_world(def, 45);
    scr_body gone[5];
    step(world, 60);
    for (uint64_t k = 0; k < 5; ++k) gone[k] = body_with_id(world, 9 + 7 * k);
    assert_ok(scr_world_remove_bodies(world, 5, gone, &error));
    step(world, 40);
    assert_true(contact_count(world) > 20);
    return world;
}

static void no_damage_crashes(void **state)
{
    (void)state;
    const int rounds = is_long() ? 2000 : 300;
    scr_world_def def = mixed_def(1);
    scr_world *pristine = worn_world(&def);
    int refused = 0;
    uint64_t draw = 0;
    for (int round = 0; round < rounds; ++round) {
        scr_world *world = make_world(&def);
        table *tables[WORLD_TABLE_MAX];
        copy_state(pristine, world);
        int count = world_tables(world, tables), flips = 1 + round % 3;
        while (flips > 0) {
            const table *t = tables[(int)random_in(0.0, count, draw++)];
            const field_info *field = &t->field[(int)random_in(0.0, t->field_count, draw++)];
            int64_t bytes = (int64_t)field_size(field) * (field->scalar ? 1 : t->count);
            int64_t at = (int64_t)random_in(0.0, (double)bytes, draw++);
            uint8_t mask = (uint8_t)random_in(1.0, 256.0, draw++);
            if (bytes == 0) continue;
            ((uint8_t *)table_data(t, field))[at] ^= round % 2 == 0 ? mask : (uint8_t)(1u << (mask % 8));
            --flips;
        }
        refused += !load_damaged(world);
        scr_world_destroy(world);
    }
    print_message("%d of %d damaged states refused\n", refused, rounds);
    assert_true(refused > rounds / 4);
    scr_world_destroy(pristine);
}

static void *column(scr_world *world, const char *table_name, const char *field_name, table **found)
{
    table *tables[WORLD_TABLE_MAX];
    int count = world_tables(world, tables);
    for (int k = 0; k < count; ++k) {
        if (strcmp(tables[k]->name, table_name) != 0) continue;
        for (int f = 0; f < tables[k]->field_count; ++f) {
            if (strcmp(tables[k]->field[f].name, field_name) != 0) continue;
            *found = tables[k];
            return table_data(tables[k], &tables[k]->field[f]);
        }
    }
    fail_msg("there is no %s.%s", table_name, field_name);
    return NULL;
}

// One number of a column replaced: each of these breaks something that the stages of a step take for granted.
typedef struct damage {
    const char *table, *field, *part;  // part: what the sentence must name
    int64_t entry;
    double value;
} damage;
enum { LAST = -1, A_DYNAMIC = -2, A_GRAIN = -3 };  // entries that depend on how bodies are sorted

static const damage DAMAGES[] = {
    {"world", "step_count", "step count", 0, -1.0},
    {"world", "gravity", "gravity", 0, NAN},
    {"materials", "density", "materials", 0, 0.0},
    {"materials", "friction", "materials", 1, -1.0},
    {"materials", "poisson", "materials", 1, 2.0},
    {"material_pairs", "pair_friction", "materials", 1, 0.25},
    {"material_pairs", "pair_restitution", "materials", 2, NAN},
    {"bodies", "x", "bodies", 3, NAN},
    {"bodies", "vy", "bodies", LAST, INFINITY},
    {"bodies", "z", "bodies", 3, 1e200},
    {"bodies", "wz", "bodies", 9, NAN},
    {"bodies", "qw", "bodies", 5, 3.0},
    {"bodies", "inv_mass", "bodies", A_DYNAMIC, -1.0},
    {"bodies", "inv_ix", "bodies", A_DYNAMIC, INFINITY},
    {"bodies", "kind", "bodies", 4, 3.0},
    {"bodies", "kind", "bodies", A_DYNAMIC, 1.0},
    {"bodies", "id", "bodies", 8, 0.0},
    {"bodies", "id", "bodies", 8, 1e9},
    {"bodies", "handle", "bodies", 8, 0.0},
    {"bodies", "handle", "bodies", 8, 4e9},
    {"bodies", "first_collider", "bodies", 2, 0.0},
    {"bodies", "first_collider", "bodies", 2, -5.0},
    {"bodies", "collider_count", "bodies", LAST, 1e9},
    {"bodies", "collider_count", "bodies", 3, 0.0},
    {"bodies", "collider_count", "bodies", 3, -1.0},
    {"bodies", "next_id", "bodies", 0, 3.0},
    {"records", "free_record", "bodies", 0, 1e9},
    {"records", "free_record", "bodies", 0, -2.0},
    {"records", "free_record", "bodies", 0, -1.0},
    {"records", "generation", "bodies", 3, 2.0},
    {"records", "slot", "bodies", 3, 1e9},
    {"shapes", "body", "bodies", 2, 1e9},
    {"shapes", "body", "bodies", 2, -1.0},
    {"shapes", "kind", "bodies", 2, 7.0},
    {"shapes", "material", "materials", 2, 2.0},
    {"shapes", "radius", "bodies", A_GRAIN, NAN},
    {"shapes", "radius", "bodies", A_GRAIN, 0.0},
    {"shapes", "radius", "bodies", A_GRAIN, INFINITY},
    {"shapes", "place", "bodies", 2, 1e9},
    {"shapes", "place", "bodies", 2, -7.0},
    {"shapes", "id", "bodies", 2, 0.0},
    {"places", "position", "bodies", 1, NAN},
    {"places", "rotation", "bodies", 1, 2.0},
    {"contacts", "a", "contacts", LAST, 1e9},
    {"contacts", "a", "contacts", 0, -1.0},
    {"contacts", "b", "contacts", 3, 1e9},
    {"contacts", "impulse", "contacts", 3, NAN},
    {"contacts", "previous", "contacts", 3, INFINITY},
    {"contacts", "allowance", "contacts", 3, -1.0},
};

static void set_number(void *column, field_type type, int64_t at, double value)
{
    switch (type) {
    case FIELD_F64: ((double *)column)[at] = value; break;
    case FIELD_F32: ((float *)column)[at] = (float)value; break;
    case FIELD_I64: ((int64_t *)column)[at] = (int64_t)value; break;
    case FIELD_U64: ((uint64_t *)column)[at] = (uint64_t)value; break;
    case FIELD_I32: ((int32_t *)column)[at] = (int32_t)value; break;
    case FIELD_U32: ((uint32_t *)column)[at] = (uint32_t)value; break;
    case FIELD_U16: ((uint16_t *)column)[at] = (uint16_t)value; break;
    case FIELD_U8: ((uint8_t *)column)[at] = (uint8_t)value; break;
    }
}

static int64_t entry_to_damage(scr_world *world, const table *t, int64_t entry)
{
    table *found;
    const double *inv_mass = column(world, "bodies", "inv_mass", &found);
    const int32_t *place = column(world, "shapes", "place", &found);
    int64_t i = 0;
    if (entry == LAST) return t->count - 1;
    if (entry >= 0) return entry;
    while (entry == A_DYNAMIC ? inv_mass[i] == 0.0 : place[i] >= 0) ++i;
    return i;
}

static void every_kind_of_damage_is_named(void **state)
{
    (void)state;
    scr_world_def def = mixed_def(1);
    scr_world *pristine = worn_world(&def);
    for (size_t k = 0; k < sizeof DAMAGES / sizeof *DAMAGES; ++k) {
        const damage *d = &DAMAGES[k];
        scr_world *world = make_world(&def);
        scr_error why = {0};
        table *t;
        copy_state(pristine, world);
        void *numbers = column(world, d->table, d->field, &t);
        for (int f = 0; f < t->field_count; ++f) {
            if (strcmp(t->field[f].name, d->field) != 0) continue;
            int64_t entry = t->field[f].scalar ? 0 : entry_to_damage(world, t, d->entry);
            set_number(numbers, t->field[f].type, entry * t->field[f].width, d->value);
        }
        if (world_after_load(world, &why) != SCR_BAD_INPUT || strstr(why.message, d->part) == NULL)
            fail_msg("%s.%s[%lld] = %g: \"%s\"", d->table, d->field, (long long)d->entry, d->value, why.message);
        scr_world_destroy(world);
    }
    scr_world_destroy(pristine);
}

// A grain that claims to be a box or a plane has no pose to be one with.
static void a_grain_cannot_become_another_shape(void **state)
{
    (void)state;
    scr_world_def def = mixed_def(1);
    scr_world *pristine = worn_world(&def);
    for (int kind = SCR_BOX; kind <= SCR_PLANE; ++kind) {
        scr_world *world = make_world(&def);
        scr_error why = {0};
        table *t;
        copy_state(pristine, world);
        uint8_t *kinds = column(world, "shapes", "kind", &t);
        double *radius = column(world, "shapes", "radius", &t);
        int32_t *place = column(world, "shapes", "place", &t);
        int64_t grain = 0;
        while (place[grain] >= 0) ++grain;
        kinds[grain] = (uint8_t)kind;
        if (kind == SCR_PLANE) radius[grain] = INFINITY;
        assert_int_equal(world_after_load(world, &why), SCR_BAD_INPUT);
        scr_world_destroy(world);
    }
    scr_world_destroy(pristine);
}

// Tables whose lengths do not belong together: one entry less, or the last one twice.
static void lengths_that_do_not_match_are_refused(void **state)
{
    (void)state;
    scr_world_def def = mixed_def(1);
    scr_world *pristine = worn_world(&def);
    const char *names[] = {"materials", "material_pairs", "bodies", "records", "shapes", "places"};
    for (size_t k = 0; k < sizeof names / sizeof *names; ++k) {
        for (int more = 0; more < 3; ++more) {
            scr_world *world = make_world(&def);
            table *tables[WORLD_TABLE_MAX], *t = NULL;
            copy_state(pristine, world);
            int count = world_tables(world, tables);
            for (int i = 0; i < count; ++i)
                if (strcmp(tables[i]->name, names[k]) == 0) t = tables[i];
            assert_non_null(t);
            assert_ok(table_reserve(t, t->count + 1, &error));
            for (int f = 0; more == 1 && f < t->field_count; ++f) {
                size_t size = field_size(&t->field[f]);
                char *column = table_data(t, &t->field[f]);
                if (!t->field[f].scalar)
                    memcpy(column + (size_t)t->count * size, column + (size_t)(t->count - 1) * size, size);
            }
            t->count = more == 2 ? 0 : more == 1 ? t->count + 1 : t->count - 1;
            if (load_damaged(world))
                fail_msg("%s: %s", names[k], more == 2 ? "emptied" : more == 1 ? "longer" : "shorter");
            scr_world_destroy(world);
        }
    }
    scr_world_destroy(pristine);
}

// ---- memory ----

// Grains, boxes and compound bodies side by side on a floor: the contacts stay the same, so nothing has to grow.
static void a_steady_step_allocates_nothing(void **state)
{
    (void)state;
    const scr_solver_kind solvers[] = {SCR_SOLVER_AGS, SCR_SOLVER_GS, SCR_SOLVER_APGD};
    for (int s = 0; s < 3; ++s) {
        scr_world_def def = mixed_def(1 + s);
        def.solver.kind = solvers[s];
        def.solver.max_iterations = 5;
        scr_world *world = make_world(&def);
        scr_material material = add_material(world, 0.5, 0.0);
        add_floor(world, material);
        for (int k = 0; k < 600; ++k) {
            scr_vec3 at = vec3(0.03 * (k % 25), 0.03 * (k / 25), 0.005), still = {0.0, 0.0, 0.0};
            scr_body body;
            if (k % 10 == 0)
                assert_ok(
                    add_compound(world, material, vec3_add(at, vec3(0.0, 0.0, 0.003)), QUAT_IDENTITY, &body, &error));
            else if (k % 5 == 0) add_box(world, material, vec3(0.005, 0.005, 0.005), at, still);
            else add_sphere(world, material, 0.005, at, still);
        }
        step(world, 135);  // among them two that sort
        assert_true(contact_count(world) > 600);
        int64_t before = scr_allocation_count();
        step(world, 130);  // and another one
        assert_int_equal(scr_allocation_count() - before, 0);
        scr_world_destroy(world);
    }
}

static void a_failed_load_can_be_repeated(void **state)
{
    (void)state;
    scr_world_def def = mixed_def(1);
    scr_world *pristine = worn_world(&def);
    for (int64_t n = 0;; ++n) {
        scr_world *world = make_world(&def);
        scr_error why;
        copy_state(pristine, world);
        scr_fail_allocation_in(n);
        scr_status status = world_after_load(world, &why);
        scr_fail_allocation_in(-1);
        if (status != SCR_OK) {
            assert_int_equal(status, SCR_NO_MEMORY);
            assert_ok(world_after_load(world, &error));
        }
        check_same_tables(pristine, world);
        scr_world_destroy(world);
        if (status == SCR_OK) {
            assert_true(n >= 2);
            break;
        }
    }
    scr_world_destroy(pristine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_and_instructions_never_change_the_hash),
        cmocka_unit_test(a_resumed_world_goes_the_same_way),
        cmocka_unit_test(handles_survive_loading),
        cmocka_unit_test(every_change_changes_the_hash),
        cmocka_unit_test(a_difference_is_named),
        cmocka_unit_test(no_damage_crashes),
        cmocka_unit_test(every_kind_of_damage_is_named),
        cmocka_unit_test(a_grain_cannot_become_another_shape),
        cmocka_unit_test(lengths_that_do_not_match_are_refused),
        cmocka_unit_test(a_steady_step_allocates_nothing),
        cmocka_unit_test(a_failed_load_can_be_repeated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
