// SPDX-License-Identifier: BSD-3-Clause
#include "dynamics/bodies/materials.h"

#include <math.h>

#include "dynamics/bodies/damping.h"

#define LANES_SCALAR
#include "dynamics/bodies/hertz_lanes.h"

enum { MATERIAL_MAX = 65535 };  // colliders keep the number in 16 bits

#define PROPERTY(name, number, unit)                                                                                   \
    {                                                                                                                  \
        name, FIELD_F64, unit, 1, offsetof(materials, property[number]), false                                         \
    }
#define PAIR(name, number, unit)                                                                                       \
    {                                                                                                                  \
        name, FIELD_F64, unit, 1, offsetof(materials, pair[number]), false                                             \
    }

static const field_info material_fields[] = {
    FIELD(materials, density, FIELD_F64, "kg/m3"),
    FIELD(materials, young, FIELD_F64, "Pa"),
    FIELD(materials, poisson, FIELD_F64, ""),
    PROPERTY("friction", PAIR_FRICTION, ""),
    PROPERTY("restitution", PAIR_RESTITUTION, ""),
    PROPERTY("rolling_friction", PAIR_ROLLING_FRICTION, ""),
    PROPERTY("spinning_friction", PAIR_SPINNING_FRICTION, ""),
    PROPERTY("cohesion", PAIR_COHESION, "Pa"),
    PROPERTY("surface_energy", PAIR_SURFACE_ENERGY, "J/m2"),
};
static const field_info pair_fields[] = {
    PAIR("pair_friction", PAIR_FRICTION, ""),
    PAIR("pair_restitution", PAIR_RESTITUTION, ""),
    PAIR("pair_rolling_friction", PAIR_ROLLING_FRICTION, ""),
    PAIR("pair_spinning_friction", PAIR_SPINNING_FRICTION, ""),
    PAIR("pair_cohesion", PAIR_COHESION, "Pa"),
    PAIR("pair_surface_energy", PAIR_SURFACE_ENERGY, "J/m2"),
};

scr_material_def scr_default_material_def(void)
{
    return (scr_material_def){.density = 2500.0, .friction = 0.5, .poisson = 0.3};
}

scr_material_pair_def scr_default_material_pair_def(void)
{
    return (scr_material_pair_def){-1.0, -1.0, -1.0, -1.0, -1.0, -1.0};
}

static void pair_values(const scr_material_pair_def *def, double value[PAIR_PROPERTIES])
{
    value[PAIR_FRICTION] = def->friction;
    value[PAIR_RESTITUTION] = def->restitution;
    value[PAIR_ROLLING_FRICTION] = def->rolling_friction;
    value[PAIR_SPINNING_FRICTION] = def->spinning_friction;
    value[PAIR_COHESION] = def->cohesion;
    value[PAIR_SURFACE_ENERGY] = def->surface_energy;
}

static void own_values(const scr_material_def *def, double value[PAIR_PROPERTIES])
{
    const scr_material_pair_def with_itself = {def->friction,          def->restitution, def->rolling_friction,
                                               def->spinning_friction, def->cohesion,    def->surface_energy};
    pair_values(&with_itself, value);
}

void materials_init(materials *m, double default_young)
{
    *m = (materials){.default_young = default_young};
    m->table = (table){"materials", material_fields, sizeof material_fields / sizeof *material_fields, m, 0, 0, false};
    m->pair_table = (table){"material_pairs", pair_fields, sizeof pair_fields / sizeof *pair_fields, m, 0, 0, false};
}

void materials_free(materials *m)
{
    table_free(&m->table);
    table_free(&m->pair_table);
    scr_free(m->derived);
}

static const char *const PROPERTY_NAME[PAIR_PROPERTIES] = {"friction",          "restitution", "rolling_friction",
                                                           "spinning_friction", "cohesion",    "surface_energy"};

static scr_status check_values(const double value[PAIR_PROPERTIES], bool may_be_negative, scr_error *error)
{
    if (!(value[PAIR_RESTITUTION] <= 1.0) || (!may_be_negative && !(value[PAIR_RESTITUTION] >= 0.0)))
        return scr_fail(error, SCR_BAD_INPUT, "restitution must lie between 0 and 1, but is %g",
                        value[PAIR_RESTITUTION]);
    for (int k = 0; k < PAIR_PROPERTIES; ++k) {
        if (!isfinite(value[k]))
            return scr_fail(error, SCR_BAD_INPUT, "%s must be a finite number, not %g", PROPERTY_NAME[k], value[k]);
        if (value[k] < 0.0 && !may_be_negative)
            return scr_fail(error, SCR_BAD_INPUT, "%s must not be negative, but is %g", PROPERTY_NAME[k], value[k]);
    }
    return SCR_OK;
}

static scr_status check_solid(double density, double young, double poisson, scr_error *error)
{
    if (!(density > 0.0) || !isfinite(density))
        return scr_fail(error, SCR_BAD_INPUT, "density must be positive, not %g", density);
    if (!(young >= 0.0) || !isfinite(young))
        return scr_fail(error, SCR_BAD_INPUT, "young must not be negative, but is %g", young);
    if (!(poisson > -1.0 && poisson <= 0.5))
        return scr_fail(error, SCR_BAD_INPUT, "poisson must lie between -1 and 0.5, but is %g", poisson);
    return SCR_OK;
}

// A square of pairs for one more material: old entries move to their new rows, from the last to the first.
static void widen_pairs(materials *m, int64_t old)
{
    int64_t n = old + 1;
    for (int64_t a = n - 1; a >= 0; --a) {
        for (int64_t b = n - 1; b >= 0; --b) {
            bool was = a < old && b < old;
            for (int k = 0; k < PAIR_PROPERTIES; ++k) m->pair[k][a * n + b] = was ? m->pair[k][a * old + b] : -1.0;
        }
    }
    m->pair_table.count = n * n;
}

static scr_status check_def(const scr_material_def *def, scr_error *error)
{
    double value[PAIR_PROPERTIES];
    own_values(def, value);
    scr_status status = check_solid(def->density, def->young, def->poisson, error);
    return status == SCR_OK ? check_values(value, false, error) : status;
}

static void put(materials *m, int64_t index, const scr_material_def *def)
{
    double value[PAIR_PROPERTIES];
    own_values(def, value);
    m->density[index] = def->density;
    m->young[index] = def->young;
    m->poisson[index] = def->poisson;
    for (int k = 0; k < PAIR_PROPERTIES; ++k) m->property[k][index] = value[k];
}

scr_status materials_set(materials *m, int64_t index, const scr_material_def *def, scr_error *error)
{
    scr_status status = check_def(def, error);
    if (status != SCR_OK) return status;
    put(m, index, def);
    return materials_derive(m, error);
}

scr_material_def materials_def(const materials *m, int64_t index)
{
    double *const *p = m->property;
    return (scr_material_def){
        .density = m->density[index],
        .friction = p[PAIR_FRICTION][index],
        .restitution = p[PAIR_RESTITUTION][index],
        .young = m->young[index],
        .poisson = m->poisson[index],
        .rolling_friction = p[PAIR_ROLLING_FRICTION][index],
        .spinning_friction = p[PAIR_SPINNING_FRICTION][index],
        .cohesion = p[PAIR_COHESION][index],
        .surface_energy = p[PAIR_SURFACE_ENERGY][index],
    };
}

scr_status materials_add(materials *m, const scr_material_def *def, scr_error *error)
{
    int64_t old = m->table.count;
    scr_status status = check_def(def, error);
    if (status == SCR_OK && old >= MATERIAL_MAX)
        status = scr_fail(error, SCR_BAD_INPUT, "more than %d materials", MATERIAL_MAX);
    if (status == SCR_OK) status = table_reserve(&m->table, old + 1, error);
    if (status == SCR_OK) status = table_reserve(&m->pair_table, (old + 1) * (old + 1), error);
    if (status == SCR_OK)
        status =
            scr_grow(&m->derived, &m->derived_capacity, (old + 1) * (old + 1), sizeof *m->derived, "materials", error);
    if (status != SCR_OK) return status;
    put(m, old, def);
    m->table.count = old + 1;
    widen_pairs(m, old);
    return materials_derive(m, error);
}

bool materials_are_valid(const materials *m)
{
    int64_t n = m->table.count;
    if (n > MATERIAL_MAX || m->pair_table.count != n * n) return false;
    for (int64_t a = 0; a < n; ++a) {
        double value[PAIR_PROPERTIES];
        for (int k = 0; k < PAIR_PROPERTIES; ++k) value[k] = m->property[k][a];
        if (check_solid(m->density[a], m->young[a], m->poisson[a], NULL) != SCR_OK ||
            check_values(value, false, NULL) != SCR_OK)
            return false;
        for (int64_t b = 0; b < n; ++b) {
            for (int k = 0; k < PAIR_PROPERTIES; ++k) {
                value[k] = m->pair[k][a * n + b];
                if (value[k] != m->pair[k][b * n + a]) return false;
            }
            if (check_values(value, true, NULL) != SCR_OK) return false;
        }
    }
    return true;
}

scr_status materials_set_pair(materials *m, int64_t a, int64_t b, const scr_material_pair_def *def, scr_error *error)
{
    int64_t n = m->table.count;
    if (a < 0 || b < 0 || a >= n || b >= n)
        return scr_fail(error, SCR_BAD_INPUT, "a material of the pair does not exist");
    double value[PAIR_PROPERTIES];
    pair_values(def, value);
    scr_status status = check_values(value, true, error);
    if (status != SCR_OK) return status;
    for (int k = 0; k < PAIR_PROPERTIES; ++k) m->pair[k][a * n + b] = m->pair[k][b * n + a] = value[k];
    return materials_derive(m, error);
}

// (1 - nu^2)/E, of the modulus, and (2 - nu)/G with G = E / (2 (1 + nu)), of the shear modulus
static double inverse_modulus(double young, double poisson)
{
    return young > 0.0 ? (1.0 - poisson * poisson) / young : 0.0;
}
static double inverse_shear_modulus(double young, double poisson)
{
    return young > 0.0 ? 2.0 * (2.0 - poisson) * (1.0 + poisson) / young : 0.0;
}

static void set_moduli(const materials *m, int64_t a, int64_t b, material_pair *both)
{
    double young[2] = {m->young[a], m->young[b]}, poisson[2] = {m->poisson[a], m->poisson[b]};
    both->gives_modulus = young[0] > 0.0 || young[1] > 0.0;
    for (int k = 0; k < 2; ++k)
        if (young[k] <= 0.0) young[k] = m->default_young;
    double inverse = inverse_modulus(young[0], poisson[0]) + inverse_modulus(young[1], poisson[1]);
    double shear_inverse = inverse_shear_modulus(young[0], poisson[0]) + inverse_shear_modulus(young[1], poisson[1]);
    both->modulus = inverse > 0.0 ? 1.0 / inverse : 0.0;
    both->shear_modulus = shear_inverse > 0.0 ? 1.0 / shear_inverse : 0.0;
    if (inverse <= 0.0) {
        inverse = inverse_modulus(1.0, poisson[0]) + inverse_modulus(1.0, poisson[1]);
        shear_inverse = inverse_shear_modulus(1.0, poisson[0]) + inverse_shear_modulus(1.0, poisson[1]);
    }
    both->shear_ratio = 4.0 * inverse / shear_inverse;
}

static double mixed(const materials *m, int property, int64_t a, int64_t b)
{
    double given = m->pair[property][a * m->table.count + b];
    return given >= 0.0 ? given : sqrt(m->property[property][a] * m->property[property][b]);
}

scr_status materials_derive(materials *m, scr_error *error)
{
    int64_t n = m->table.count;
    scr_status status = scr_grow(&m->derived, &m->derived_capacity, n * n, sizeof *m->derived, "materials", error);
    if (status != SCR_OK) return status;
    m->max_friction = m->max_restitution = m->max_rolling_friction = m->max_spinning_friction = 0.0;
    m->max_cohesion = m->max_surface_energy = 0.0;
    double last_restitution = -1.0, ratio = 0.0;  // often the same for many pairs, and not cheap
    for (int64_t a = 0; a < n; ++a) {
        for (int64_t b = 0; b < n; ++b) {
            material_pair *both = &m->derived[a * n + b];
            *both = (material_pair){
                .friction = mixed(m, PAIR_FRICTION, a, b),
                .restitution = mixed(m, PAIR_RESTITUTION, a, b),
                .rolling_friction = mixed(m, PAIR_ROLLING_FRICTION, a, b),
                .spinning_friction = mixed(m, PAIR_SPINNING_FRICTION, a, b),
                .cohesion = mixed(m, PAIR_COHESION, a, b),
                .surface_energy = mixed(m, PAIR_SURFACE_ENERGY, a, b),
            };
            if (both->restitution != last_restitution) ratio = damping_ratio(last_restitution = both->restitution);
            both->damping_ratio = ratio;
            set_moduli(m, a, b, both);
            m->max_friction = fmax(m->max_friction, both->friction);
            m->max_restitution = fmax(m->max_restitution, both->restitution);
            m->max_rolling_friction =
                fmax(m->max_rolling_friction, fmax(both->rolling_friction, both->spinning_friction));
            m->max_spinning_friction = fmax(m->max_spinning_friction, both->spinning_friction);
            m->max_cohesion = fmax(m->max_cohesion, both->cohesion);
            m->max_surface_energy = fmax(m->max_surface_energy, both->surface_energy);
        }
    }
    return SCR_OK;
}

double contact_stiffness(double modulus, double radius_a, double radius_b)
{
    double curvature = 1.0 / radius_a + 1.0 / radius_b;  // of a flat side: 1/inf = 0
    return hertz_secant(modulus, 1.0 / curvature, 0.0);
}

double loaded_contact_stiffness(double modulus, double radius, double overlap)
{
    return hertz_secant(modulus, radius, overlap);
}

double flat_contact_stiffness(double modulus, double size) { return flat_punch(modulus, size); }
