// SPDX-License-Identifier: BSD-3-Clause
// The nearest point of a friction cone with moments, by what defines it. With d = p - z, seen from the apex, and the
// weights (1, kappa_t, kappa_q) of normal, tangent and moment:
//     z is in the cone;   d . z = 0;   d . y <= 0 for every y of the cone
// The last is d_n + mu kappa_t |d_t| + roll kappa_q |d_q across n| + spin kappa_q |d_q along n| <= 0.
#include "check.h"
#include "core/maths/rng.h"
#include "dynamics/cone/system/cone.h"

enum { LOADS = 20000 };

static double number(int stream, int64_t i) { return 2.0 * scr_uniform(11, (uint64_t)stream, (uint64_t)i) - 1.0; }
static scr_vec3 vector(int stream, int64_t i)
{
    return vec3(number(stream, i), number(stream + 1, i), number(stream + 2, i));
}

typedef struct load_parts {
    double n, t, q_t, q_n;  // N s; lengths but for n
} load_parts;

static load_parts parts_of(const friction_cone *cone, contact_load load)
{
    return (load_parts){vec3_dot(load.g, cone->n), vec3_norm(across(load.g, cone->n)),
                        vec3_norm(across(load.q, cone->n)), fabs(vec3_dot(load.q, cone->n))};
}

static void the_nearest_load_is_that_which_defines_it(void **state)
{
    (void)state;
    int kept = 0, empty = 0, cut = 0;
    for (int64_t i = 0; i < LOADS; ++i) {
        // every seventh limit is none, every fifth contact pulls; moments from tiny to far beyond what is borne
        friction_cone cone = {.n = vec3_unit(vector(0, i)),
                              .mu = i % 7 == 0 ? 0.0 : 0.5 + 0.49 * number(3, i),
                              .roll = i % 7 == 1 ? 0.0 : 0.2 + 0.19 * number(4, i),
                              .spin = i % 7 == 2 ? 0.0 : 0.2 + 0.19 * number(5, i),
                              .apex = i % 5 == 0 ? 0.3 : 0.0};
        double kappa_t = exp(2.0 * number(6, i)), kappa_q = exp(2.0 * number(7, i));
        contact_load p = {vec3_add_scaled(vec3_scale(i % 2 == 0 ? 0.3 : 1.0, vector(8, i)), 0.3, cone.n),
                          vec3_scale(exp(4.0 * number(14, i) - 3.0), vector(11, i))};
        contact_load z = cone_project_load(&cone, p, kappa_t, kappa_q), d = load_plus(p, -1.0, z);
        load_parts at = parts_of(&cone, z), off = parts_of(&cone, d);
        double x = at.n + cone.apex, size = sqrt(load_dot(p, p)) + cone.apex, rounding = 1e-14 * size;
        assert_true(x >= -rounding && at.t <= cone.mu * x + rounding);
        assert_true(at.q_t <= cone.roll * x + rounding && at.q_n <= cone.spin * x + rounding);
        double weight = fmax(1.0, fmax(kappa_t, kappa_q));
        double along =
            off.n * x + kappa_t * vec3_dot(across(d.g, cone.n), across(z.g, cone.n)) + kappa_q * vec3_dot(d.q, z.q);
        assert_within(along, 0.0, 100.0 * weight * rounding * size);
        double most = off.n + cone.mu * kappa_t * off.t + cone.roll * kappa_q * off.q_t + cone.spin * kappa_q * off.q_n;
        assert_true(most <= 100.0 * weight * rounding);
        kept += load_dot(d, d) == 0.0;
        empty += x <= rounding;
        cut += x > rounding && off.t > 0.0 && off.q_t > 0.0 && off.q_n > 0.0;
    }
    assert_true(kept > LOADS / 100 && empty > LOADS / 100 && cut > LOADS / 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_nearest_load_is_that_which_defines_it)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
