// SPDX-License-Identifier: BSD-3-Clause
// Whether a contact problem read from a file is one.
//
// Solvers divide by masses and diagonal blocks, follow body numbers, and keep numbers in single precision: a system is
// accepted if all of that goes well, and if what is stored twice (the diagonal blocks) agrees.
#include <inttypes.h>
#include <limits.h>
#include <string.h>

#include "core/arrays/colouring.h"
#include "laboratory/check_system.h"

static const double NUMBER_MAX = SYSTEM_NUMBER_MAX, NUMBER_MIN = 1.0 / SYSTEM_NUMBER_MAX;
static const double UNIT_TOLERANCE = 1e-6, BLOCK_TOLERANCE = 1e-6;

static bool is_size(double x) { return x >= NUMBER_MIN && x <= NUMBER_MAX; }  // false for a NaN
static bool is_number(double x) { return fabs(x) <= NUMBER_MAX; }

static bool are_numbers(const double *x, int count)
{
    for (int k = 0; k < count; ++k) {
        if (!is_number(x[k])) return false;
    }
    return true;
}

// Symmetric and positive definite, by its leading minors.
static bool is_inertia(const double m[9])
{
    double scale = m[0] + m[4] + m[8];
    if (!are_numbers(m, 9) || !is_size(m[0]) || !is_size(m[4]) || !is_size(m[8])) return false;
    if (fmax(fabs(m[1] - m[3]), fmax(fabs(m[2] - m[6]), fabs(m[5] - m[7]))) > UNIT_TOLERANCE * scale) return false;
    double minor = m[0] * m[4] - m[1] * m[3];
    double whole =
        m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6]) + m[2] * (m[3] * m[7] - m[4] * m[6]);
    return minor > UNIT_TOLERANCE * m[0] * m[4] && whole > UNIT_TOLERANCE * m[0] * m[4] * m[8];
}

static bool is_same_in_all_directions(const double m[9])
{
    return m[0] == m[4] && m[0] == m[8] && m[1] == 0.0 && m[2] == 0.0 && m[3] == 0.0 && m[5] == 0.0 && m[6] == 0.0 &&
           m[7] == 0.0;
}

static const char *body_fault(const saved_system *s, int64_t i)
{
    if (!are_numbers(s->free_velocity + 6 * i, 6)) return "has no proper free velocity";
    if (s->inv_mass[i] == 0.0) return NULL;
    if (!is_size(s->inv_mass[i])) return "has no proper inverse mass";
    if (!is_inertia(s->inv_inertia + 9 * i)) return "has no proper inverse inertia";
    if (!is_size(s->length[i])) return "has no proper length";
    if (s->is_grain[i] > 1) return "is neither a grain nor something else";
    if (s->is_grain[i] && !is_same_in_all_directions(s->inv_inertia + 9 * i))
        return "is a grain, but its inertia is not the same in all directions";
    return NULL;
}

static bool is_moved_body(const saved_system *s, int32_t body)
{
    return body == NO_BODY || (body >= 0 && body < s->bodies.count && s->inv_mass[body] > 0.0);
}

static bool is_across(scr_vec3 lever, scr_vec3 n)
{
    return vec3_norm(vec3_cross(lever, n)) > UNIT_TOLERANCE * vec3_norm(lever);
}

// Contacts on the centre line take part in the sweeps for grains.
static bool centre_line_holds(const saved_system *s, const contact_row *row)
{
    if (row->a != NO_BODY && (!s->is_grain[row->a] || is_across(row->lever_a, row->n))) return false;
    return row->b == NO_BODY || (s->is_grain[row->b] && !is_across(row->lever_b, row->n));
}

static bool block_agrees(const contact_system *system, const contact_row *row)
{
    mat3 block = contact_row_block(system, row);
    double a_n = vec3_dot(row->n, mat3_times(&block, row->n));
    double a_t = 0.5 * (block.m[0][0] + block.m[1][1] + block.m[2][2] - a_n);
    return fabs(row->a_n - a_n) <= BLOCK_TOLERANCE * a_n && fabs(row->a_t - a_t) <= BLOCK_TOLERANCE * a_t;
}

// The mean diagonal of arm^2 (I_a^-1 + I_b^-1).
static double rolling_diagonal(const saved_system *s, const contact_row *row)
{
    const int32_t side[2] = {row->a, row->b};
    double trace = 0.0;
    for (int k = 0; k < 2; ++k) {
        if (side[k] == NO_BODY) continue;
        const double *m = s->inv_inertia + 9 * (int64_t)side[k];
        trace += m[0] + m[4] + m[8];
    }
    return row->arm * row->arm * trace / 3.0;
}

static bool rolling_is_sound(const saved_system *s, const contact_row *row)
{
    if (row->arm == 0.0) return !saved_system_rolls(s);
    if (!saved_system_rolls(s) || !is_size(row->arm) || !is_size(row->a_q)) return false;
    if (fabs(row->a_q - rolling_diagonal(s, row)) > BLOCK_TOLERANCE * row->a_q) return false;
    return row->roll >= 0.0 && row->roll <= NUMBER_MAX && row->spin >= 0.0 && row->spin <= NUMBER_MAX &&
           row->eps_q >= 0.0 && row->eps_q <= NUMBER_MAX;
}

static const char *contact_fault(const saved_system *s, const contact_system *system, int64_t i)
{
    if (!is_moved_body(s, s->a[i]) || !is_moved_body(s, s->b[i]))
        return "is with a body that there is not, or that cannot be moved";
    if (s->a[i] == s->b[i]) return s->a[i] == NO_BODY ? "has no body that can be moved" : "is of a body with itself";
    if (s->centre_line[i] > 1) return "is neither on the centre line nor off it";
    const double *vectors[] = {s->n, s->lever_a, s->lever_b, s->r, s->r_q};
    for (int k = 0; k < 5; ++k) {
        if (!are_numbers(vectors[k] + 3 * i, 3)) return "holds something that is no number, or far too large";
    }
    if (!are_numbers(s->answer + 6 * i, 6)) return "has no proper answer";
    for (int k = 0; k < 6; ++k) {
        if (!is_number((double)s->guess[6 * i + k])) return "has no proper first guess";
    }
    contact_row row = saved_system_row(s, i);
    if (!(fabs(vec3_norm(row.n) - 1.0) <= UNIT_TOLERANCE)) return "has a normal that is not of length 1";
    if (!(row.mu >= 0.0 && row.mu <= NUMBER_MAX)) return "has no proper friction";
    if (!(row.eps_n >= 0.0 && row.eps_n <= NUMBER_MAX && row.eps_t >= 0.0 && row.eps_t <= NUMBER_MAX))
        return "has no proper compliance";
    if (!(row.apex >= 0.0 && row.apex <= NUMBER_MAX)) return "has no proper cohesion";
    if (!is_size(row.length_a) || !is_size(row.length_b)) return "has no proper lengths";
    if (!rolling_is_sound(s, &row)) return "has no proper rolling friction";
    if (row.centre_line && !centre_line_holds(s, &row))
        return "is said to be on the centre line of two grains, but is not";
    if (!is_size(row.a_n) || !is_size(row.a_t) || !block_agrees(system, &row))
        return "has a diagonal that its bodies do not give";
    return NULL;
}

scr_status saved_system_check(const saved_system *s, const char *name, scr_error *error)
{
    contact_system system = saved_system_view(s, NULL, NULL, 1);
    if (memchr(s->title, '\0', sizeof s->title) == NULL)
        return scr_fail(error, SCR_BAD_INPUT, "%s: its title does not end", name);
    if (s->bodies.count > INT32_MAX / 4 || s->contacts.count > INT32_MAX / 4)
        return scr_fail(error, SCR_BAD_INPUT, "%s: there may be at most %d bodies and as many contacts", name,
                        INT32_MAX / 4);
    for (int64_t i = 0; i < s->bodies.count; ++i) {
        const char *fault = body_fault(s, i);
        if (fault != NULL) return scr_fail(error, SCR_BAD_INPUT, "%s: body %" PRId64 " %s", name, i, fault);
    }
    for (int64_t i = 0; i < s->contacts.count; ++i) {
        const char *fault = contact_fault(s, &system, i);
        if (fault != NULL) return scr_fail(error, SCR_BAD_INPUT, "%s: contact %" PRId64 " %s", name, i, fault);
    }
    return check_joints(s, name, error);
}
