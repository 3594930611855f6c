// SPDX-License-Identifier: BSD-3-Clause
// Materials: how two of them meet, and which numbers are refused.
#include "dynamics/bodies/materials.h"

#include <string.h>

#include "physics.h"

static void make_three(materials *m)
{
    materials_init(m, 0.0);
    scr_material_def def = scr_default_material_def();
    def.friction = 0.2, def.restitution = 0.1, def.young = 1e6, def.poisson = 0.2;
    assert_ok(materials_add(m, &def, &error));
    def.friction = 0.8, def.restitution = 0.9, def.young = 4e6, def.poisson = 0.45;
    assert_ok(materials_add(m, &def, &error));
    def.friction = 0.0, def.restitution = 0.0, def.young = 0.0;
    assert_ok(materials_add(m, &def, &error));
}

static void friction_and_restitution_are_geometric_means(void **state)
{
    (void)state;
    materials m;
    make_three(&m);
    assert_near(materials_pair(&m, 0, 1)->friction, 0.4, 1e-15);     // sqrt(0.2 0.8)
    assert_near(materials_pair(&m, 0, 1)->restitution, 0.3, 1e-15);  // sqrt(0.1 0.9)
    assert_true(materials_pair(&m, 1, 2)->friction == 0.0 && materials_pair(&m, 1, 2)->restitution == 0.0);
    for (int64_t a = 0; a < 3; ++a) {
        assert_near(materials_pair(&m, a, a)->friction, m.property[PAIR_FRICTION][a], 1e-15);
        for (int64_t b = 0; b < 3; ++b) {
            assert_true(materials_pair(&m, a, b)->friction == materials_pair(&m, b, a)->friction);
            assert_true(materials_pair(&m, a, b)->restitution == materials_pair(&m, b, a)->restitution);
            assert_near(materials_pair(&m, a, b)->modulus, materials_pair(&m, b, a)->modulus, 1e-15);
        }
    }
    assert_near(m.max_friction, 0.8, 1e-15);
    materials_free(&m);
}

static void moduli_add_as_softnesses(void **state)
{
    (void)state;
    materials m;
    make_three(&m);
    double soft_0 = (1.0 - 0.2 * 0.2) / 1e6, soft_1 = (1.0 - 0.45 * 0.45) / 4e6;
    assert_near(materials_pair(&m, 0, 1)->modulus, 1.0 / (soft_0 + soft_1), 1e-14);
    assert_near(materials_pair(&m, 0, 0)->modulus, 0.5 / soft_0, 1e-14);
    assert_near(materials_pair(&m, 0, 2)->modulus, 1.0 / soft_0, 1e-14);  // the one without a modulus counts as rigid
    assert_true(materials_pair(&m, 2, 2)->modulus == 0.0);
    materials_free(&m);
}

// Hertz: F = 4/3 E* sqrt(R*) d^(3/2); the secant F/d at d = 0.001 R*.
static void stiffness_is_the_secant_of_hertz_law(void **state)
{
    (void)state;
    const double modulus = 3e7, radii[][2] = {{0.01, 0.01}, {0.01, 0.03}, {0.05, INFINITY}, {INFINITY, 0.05}};
    for (int k = 0; k < 4; ++k) {
        double effective = 1.0 / (1.0 / radii[k][0] + 1.0 / radii[k][1]), overlap = 1e-3 * effective;
        double force = 4.0 / 3.0 * modulus * sqrt(effective) * pow(overlap, 1.5);
        assert_near(contact_stiffness(modulus, radii[k][0], radii[k][1]), force / overlap, 1e-13);
    }
}

static void a_pair_overrides_the_mean_and_survives_newcomers(void **state)
{
    (void)state;
    materials m;
    make_three(&m);
    assert_ok(materials_set_pair(&m, 1, 0, &(scr_material_pair_def){.friction = 1.5, .restitution = -1.0}, &error));
    assert_ok(materials_set_pair(&m, 2, 2, &(scr_material_pair_def){.friction = 0.7, .restitution = 0.25}, &error));
    scr_material_def def = scr_default_material_def();
    for (int more = 0; more < 20; ++more) {
        for (int side = 0; side < 2; ++side) {
            const material_pair *both = materials_pair(&m, side, 1 - side);
            assert_true(both->friction == 1.5);
            assert_near(both->restitution, 0.3, 1e-15);
        }
        assert_true(materials_pair(&m, 2, 2)->friction == 0.7 && materials_pair(&m, 2, 2)->restitution == 0.25);
        assert_near(materials_pair(&m, 0, 0)->friction, 0.2, 1e-15);
        assert_true(materials_pair(&m, 1, 2)->friction == 0.0);
        assert_true(m.max_friction == 1.5);
        assert_ok(materials_add(&m, &def, &error));
        assert_near(materials_pair(&m, m.table.count - 1, 0)->friction, sqrt(0.5 * 0.2), 1e-15);
    }
    scr_material_pair_def mixed = scr_default_material_pair_def();
    assert_ok(materials_set_pair(&m, 0, 1, &mixed, &error));
    assert_near(materials_pair(&m, 1, 0)->friction, 0.4, 1e-15);
    materials_free(&m);
}

// Bit for bit, but for the padding behind the one member that is no double.
static void assert_same_pair(const material_pair *a, const material_pair *b)
{
    const size_t behind = offsetof(material_pair, shear_modulus);
    assert_memory_equal(a, b, offsetof(material_pair, gives_modulus));
    assert_true(a->gives_modulus == b->gives_modulus);
    assert_memory_equal(&a->shear_modulus, &b->shear_modulus, sizeof *a - behind);
}

// What the tables hold is enough to make everything else anew.
static void the_rest_follows_from_the_tables(void **state)
{
    (void)state;
    materials m;
    make_three(&m);
    assert_ok(materials_set_pair(&m, 0, 2, &(scr_material_pair_def){.friction = 0.9, .restitution = 0.5}, &error));
    material_pair before[9];
    memcpy(before, m.derived, sizeof before);
    memset(m.derived, 0, sizeof before);
    m.max_friction = -1.0;
    assert_ok(materials_derive(&m, &error));
    for (int k = 0; k < 9; ++k) assert_same_pair(&m.derived[k], &before[k]);
    assert_near(m.max_friction, 0.9, 1e-15);
    materials_free(&m);
}

static void assert_refused(scr_status status, const scr_error *error, const char *word)
{
    assert_int_equal(status, SCR_BAD_INPUT);
    if (strstr(error->message, word) == NULL) fail_msg("\"%s\" does not speak of %s", error->message, word);
}

static void impossible_materials_are_refused_by_name(void **state)
{
    (void)state;
    scr_world_def world_def = scr_default_world_def();
    scr_world *world = make_world(&world_def);
    uint64_t before = scr_world_hash(world);
    const struct {
        const char *field;
        size_t offset;
        double value;
    } bad[] = {
        {"density", offsetof(scr_material_def, density), 0.0},
        {"density", offsetof(scr_material_def, density), -1.0},
        {"density", offsetof(scr_material_def, density), NAN},
        {"density", offsetof(scr_material_def, density), INFINITY},
        {"friction", offsetof(scr_material_def, friction), -0.1},
        {"friction", offsetof(scr_material_def, friction), NAN},
        {"friction", offsetof(scr_material_def, friction), INFINITY},
        {"restitution", offsetof(scr_material_def, restitution), -0.1},
        {"restitution", offsetof(scr_material_def, restitution), 1.1},
        {"restitution", offsetof(scr_material_def, restitution), NAN},
        {"young", offsetof(scr_material_def, young), -1.0},
        {"young", offsetof(scr_material_def, young), NAN},
        {"poisson", offsetof(scr_material_def, poisson), -1.0},
        {"poisson", offsetof(scr_material_def, poisson), 0.6},
        {"poisson", offsetof(scr_material_def, poisson), NAN},
    };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k) {
        scr_material_def def = scr_default_material_def();
        scr_material material = {7};
        scr_error error = {0};
        memcpy((char *)&def + bad[k].offset, &bad[k].value, sizeof bad[k].value);
        assert_refused(scr_world_add_material(world, &def, &material, &error), &error, bad[k].field);
        assert_int_equal(material.index1, 0);
        assert_true(scr_world_hash(world) == before);
    }
    scr_world_destroy(world);
}

static void impossible_pairs_are_refused(void **state)
{
    (void)state;
    scr_world_def world_def = scr_default_world_def();
    scr_world *world = make_world(&world_def);
    scr_material a = add_material(world, 0.5, 0.0), b = add_material(world, 0.3, 0.0);
    uint64_t before = scr_world_hash(world);
    scr_error error = {0};
    const scr_material strangers[] = {{0}, {3}, {UINT32_MAX}};
    scr_material_pair_def def = scr_default_material_pair_def();
    for (int k = 0; k < 3; ++k) {
        assert_refused(scr_world_pair_materials(world, a, strangers[k], &def, &error), &error, "material");
        assert_refused(scr_world_pair_materials(world, strangers[k], b, &def, &error), &error, "material");
    }
    const double not_friction[] = {NAN, INFINITY}, not_restitution[] = {NAN, 1.5, INFINITY};
    for (int k = 0; k < 2; ++k) {
        def = (scr_material_pair_def){.friction = not_friction[k]};
        assert_refused(scr_world_pair_materials(world, a, b, &def, &error), &error, "friction");
    }
    for (int k = 0; k < 3; ++k) {
        def = (scr_material_pair_def){.restitution = not_restitution[k]};
        assert_refused(scr_world_pair_materials(world, a, b, &def, &error), &error, "restitution");
    }
    assert_true(scr_world_hash(world) == before);
    scr_world_destroy(world);
}

static void a_failed_allocation_changes_nothing(void **state)
{
    (void)state;
    scr_material_def def = scr_default_material_def();
    for (int64_t n = 0;; ++n) {
        materials m;
        make_three(&m);
        const table *tables[] = {&m.table, &m.pair_table};
        scr_error why = {0};
        scr_status status = SCR_OK;
        while (status == SCR_OK && m.table.count < 40) {  // long enough for every array to grow
            uint64_t before = tables_hash(tables, 2, 1);
            scr_fail_allocation_in(n);
            status = materials_add(&m, &def, &why);
            scr_fail_allocation_in(-1);
            if (status == SCR_OK) continue;
            assert_int_equal(status, SCR_NO_MEMORY);
            assert_true(tables_hash(tables, 2, 1) == before);
            assert_ok(materials_add(&m, &def, &error));
            assert_near(materials_pair(&m, 0, 1)->friction, 0.4, 1e-15);
        }
        materials_free(&m);
        if (status == SCR_OK) {
            assert_true(n >= 5);
            break;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(friction_and_restitution_are_geometric_means),
        cmocka_unit_test(moduli_add_as_softnesses),
        cmocka_unit_test(stiffness_is_the_secant_of_hertz_law),
        cmocka_unit_test(a_pair_overrides_the_mean_and_survives_newcomers),
        cmocka_unit_test(the_rest_follows_from_the_tables),
        cmocka_unit_test(impossible_materials_are_refused_by_name),
        cmocka_unit_test(impossible_pairs_are_refused),
        cmocka_unit_test(a_failed_allocation_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
