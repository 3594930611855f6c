#include "dynamics/materials.h"

#include <math.h>

static const double REFERENCE_OVERLAP = 1e-3;  // of the effective radius
enum { MATERIAL_MAX = 65535 };                 // colliders keep the number in 16 bits

static const field_info material_fields[] = {
    FIELD(materials, density, FIELD_F64, "kg/m3"), FIELD(materials, friction, FIELD_F64, ""),
    FIELD(materials, restitution, FIELD_F64, ""),  FIELD(materials, young, FIELD_F64, "Pa"),
    FIELD(materials, poisson, FIELD_F64, ""),
};
static const field_info pair_fields[] = {
    FIELD(materials, pair_friction, FIELD_F64, ""),
    FIELD(materials, pair_restitution, FIELD_F64, ""),
};

scr_material_def scr_default_material_def(void)
{
    return (scr_material_def){.density = 2500.0, .friction = 0.5, .restitution = 0.0, .young = 0.0, .poisson = 0.3};
}

scr_material_pair_def scr_default_material_pair_def(void)
{
    return (scr_material_pair_def){.friction = -1.0, .restitution = -1.0};
}

void materials_init(materials *m)
{
    *m = (materials){0};
    m->table = (table){"materials", material_fields, sizeof material_fields / sizeof *material_fields, m, 0, 0};
    m->pair_table = (table){"material_pairs", pair_fields, sizeof pair_fields / sizeof *pair_fields, m, 0, 0};
}

void materials_free(materials *m)
{
    table_free(&m->table);
    table_free(&m->pair_table);
    scr_free(m->meeting);
}

static scr_status check(const scr_material_def *def, scr_error *error)
{
    if (!(def->density > 0.0) || !isfinite(def->density))
        return scr_fail(error, SCR_BAD_INPUT, "density must be positive, not %g", def->density);
    if (!(def->friction >= 0.0) || !isfinite(def->friction))
        return scr_fail(error, SCR_BAD_INPUT, "friction must not be negative, but is %g", def->friction);
    if (!(def->restitution >= 0.0 && def->restitution <= 1.0))
        return scr_fail(error, SCR_BAD_INPUT, "restitution must lie between 0 and 1, but is %g", def->restitution);
    if (!(def->young >= 0.0) || !isfinite(def->young))
        return scr_fail(error, SCR_BAD_INPUT, "young must not be negative, but is %g", def->young);
    if (!(def->poisson > -1.0 && def->poisson <= 0.5))
        return scr_fail(error, SCR_BAD_INPUT, "poisson must lie between -1 and 0.5, but is %g", def->poisson);
    return SCR_OK;
}

// A square of pairs for one more material: old entries move to their new rows, from the last to the first.
static void widen_pairs(materials *m, int64_t old)
{
    int64_t n = old + 1;
    for (int64_t a = n - 1; a >= 0; --a) {
        for (int64_t b = n - 1; b >= 0; --b) {
            bool was = a < old && b < old;
            m->pair_friction[a * n + b] = was ? m->pair_friction[a * old + b] : -1.0;
            m->pair_restitution[a * n + b] = was ? m->pair_restitution[a * old + b] : -1.0;
        }
    }
    m->pair_table.count = n * n;
}

scr_status materials_add(materials *m, const scr_material_def *def, scr_error *error)
{
    int64_t old = m->table.count;
    scr_status status = check(def, error);
    if (status == SCR_OK && old >= MATERIAL_MAX) status = scr_fail(error, SCR_BAD_INPUT, "more than %d materials", MATERIAL_MAX);
    if (status == SCR_OK) status = table_reserve(&m->table, old + 1, error);
    if (status == SCR_OK) status = table_reserve(&m->pair_table, (old + 1) * (old + 1), error);
    if (status == SCR_OK)
        status = scr_grow(&m->meeting, &m->meeting_capacity, (old + 1) * (old + 1), sizeof *m->meeting, "materials", error);
    if (status != SCR_OK) return status;
    m->density[old] = def->density;
    m->friction[old] = def->friction;
    m->restitution[old] = def->restitution;
    m->young[old] = def->young;
    m->poisson[old] = def->poisson;
    m->table.count = old + 1;
    widen_pairs(m, old);
    return materials_derive(m, error);
}

static scr_status check_pair(const scr_material_pair_def *def, scr_error *error)
{
    if (!isfinite(def->friction)) return scr_fail(error, SCR_BAD_INPUT, "friction of the pair is not a number");
    if (!(def->restitution <= 1.0)) return scr_fail(error, SCR_BAD_INPUT, "restitution must not exceed 1, but is %g", def->restitution);
    return SCR_OK;
}

bool materials_are_valid(const materials *m)
{
    int64_t n = m->table.count;
    if (n > MATERIAL_MAX || m->pair_table.count != n * n) return false;
    for (int64_t a = 0; a < n; ++a) {
        scr_material_def def = {m->density[a], m->friction[a], m->restitution[a], m->young[a], m->poisson[a]};
        if (check(&def, NULL) != SCR_OK) return false;
        for (int64_t b = 0; b < n; ++b) {
            scr_material_pair_def pair = {m->pair_friction[a * n + b], m->pair_restitution[a * n + b]};
            if (check_pair(&pair, NULL) != SCR_OK) return false;
            if (pair.friction != m->pair_friction[b * n + a] || pair.restitution != m->pair_restitution[b * n + a]) return false;
        }
    }
    return true;
}

scr_status materials_set_pair(materials *m, int64_t a, int64_t b, const scr_material_pair_def *def, scr_error *error)
{
    int64_t n = m->table.count;
    if (a < 0 || b < 0 || a >= n || b >= n) return scr_fail(error, SCR_BAD_INPUT, "a material of the pair does not exist");
    scr_status status = check_pair(def, error);
    if (status != SCR_OK) return status;
    m->pair_friction[a * n + b] = m->pair_friction[b * n + a] = def->friction;
    m->pair_restitution[a * n + b] = m->pair_restitution[b * n + a] = def->restitution;
    return materials_derive(m, error);
}

static double effective_modulus(const materials *m, int64_t a, int64_t b)
{
    double softness = 0.0;
    if (m->young[a] > 0.0) softness += (1.0 - m->poisson[a] * m->poisson[a]) / m->young[a];
    if (m->young[b] > 0.0) softness += (1.0 - m->poisson[b] * m->poisson[b]) / m->young[b];
    return softness > 0.0 ? 1.0 / softness : 0.0;
}

scr_status materials_derive(materials *m, scr_error *error)
{
    int64_t n = m->table.count;
    scr_status status = scr_grow(&m->meeting, &m->meeting_capacity, n * n, sizeof *m->meeting, "materials", error);
    if (status != SCR_OK) return status;
    m->max_friction = 0.0;
    for (int64_t a = 0; a < n; ++a) {
        for (int64_t b = 0; b < n; ++b) {
            double friction = m->pair_friction[a * n + b], restitution = m->pair_restitution[a * n + b];
            material_meeting *meeting = &m->meeting[a * n + b];
            meeting->friction = friction >= 0.0 ? friction : sqrt(m->friction[a] * m->friction[b]);
            meeting->restitution = restitution >= 0.0 ? restitution : sqrt(m->restitution[a] * m->restitution[b]);
            meeting->modulus = effective_modulus(m, a, b);
            m->max_friction = fmax(m->max_friction, meeting->friction);
        }
    }
    return SCR_OK;
}

double contact_stiffness(double modulus, double radius_a, double radius_b)
{
    double curvature = 1.0 / radius_a + 1.0 / radius_b;  // of a flat side: 1/inf = 0
    return 4.0 / 3.0 * modulus * sqrt(REFERENCE_OVERLAP) / curvature;
}
