// SPDX-License-Identifier: BSD-3-Clause
// What is read off curves that are known: lines, powers, plateaus.
#include <string.h>

#include "check.h"
#include "rig/rig_figures.h"
#include "rig/soil.h"

static double steps[RIG_BINS], sum[RIG_BINS * RIG_COLUMNS_MAX];
static const rig_curve CURVE = {steps, sum};

static void empty(void)
{
    memset(steps, 0, sizeof steps);
    memset(sum, 0, sizeof sum);
}

// Three steps in a bin, which sum up to three times the value.
static void put(int bin, int column, double value)
{
    steps[bin] = 3.0;
    sum[RIG_COLUMNS_MAX * bin + column] = 3.0 * value;
}

static double figure(const rig_def *def, const rig_hold *hold, const char *name)
{
    scr_rig_figure all[SCR_RIG_FIGURES_MAX];
    int count = rig_figures(def, &CURVE, hold, all);
    assert_true(count <= SCR_RIG_FIGURES_MAX);
    for (int k = 0; k < count; ++k)
        if (strcmp(all[k].name, name) == 0) return all[k].value;
    fail_msg("there is no figure %s", name);
    return 0.0;
}

static void a_power_of_the_sinkage_is_found_with_its_exponent(void **state)
{
    (void)state;
    static const double exponents[] = {0.5, 1.0, 1.3};
    const rig_def def = {.kind = RIG_PRESSURE_SINKAGE, .area = 0.01};
    const rig_hold none = {0};
    for (int n = 0; n < 3; ++n) {
        empty();
        for (int k = 0; k < RIG_BINS; ++k) {
            double z = 0.03 * (k + 0.5) / RIG_BINS;
            put(k, PLATE_SINKAGE, z);
            put(k, PLATE_PRESSURE, 7e5 * pow(z, exponents[n]));
        }
        assert_near(figure(&def, &none, "bekker_n"), exponents[n], 1e-12);
        assert_near(figure(&def, &none, "bekker_k"), 7e5, 1e-10);
        assert_near(figure(&def, &none, "bekker_r2"), 1.0, 1e-12);
    }
}

// Strength that rises to a peak and falls to a plateau, under a normal stress that is twice as much as asked for.
static void strength_has_a_peak_and_a_residual(void **state)
{
    (void)state;
    const rig_def def = {.kind = RIG_DIRECT_SHEAR, .load = 10.0, .area = 0.01};
    const rig_hold hold = {.steps = 4.0, .sum = 42.0, .squares = 2 * 10.0 * 10.0 + 2 * 11.0 * 11.0};
    empty();
    for (int k = 0; k < RIG_BINS; ++k) {
        put(k, SHEAR_DISPLACEMENT, 1e-4 * k);
        put(k, SHEAR_STRESS, k < 20 ? 60.0 * k : k < 30 ? 1200.0 - 40.0 * (k - 20) : 800.0);
        put(k, SHEAR_NORMAL, 2000.0);
        put(k, SHEAR_DILATION, 1e-6 * k);
    }
    assert_near(figure(&def, &hold, "peak_strength"), 1200.0, 1e-12);
    assert_near(figure(&def, &hold, "peak_displacement"), 2e-3, 1e-12);
    assert_near(figure(&def, &hold, "residual_strength"), 800.0, 1e-12);
    assert_near(figure(&def, &hold, "residual_friction_angle"), atan(0.4) * 180.0 / 3.141592653589793, 1e-12);
    assert_near(figure(&def, &hold, "dilation"), 49e-6, 1e-12);
    assert_near(figure(&def, &hold, "load"), 10.5, 1e-12);
    assert_near(figure(&def, &hold, "load_error"), 0.05, 1e-12);
    assert_near(figure(&def, &hold, "load_scatter"), 0.05, 1e-12);
}

// A curve of Janosi and Hanamoto is found with its strength and modulus, whether it ends on its plateau or long before.
static void a_curve_of_janosi_is_found_with_its_modulus(void **state)
{
    (void)state;
    static const double moduli[] = {1e-3, 8e-3, 0.1};
    const rig_def def = {.kind = RIG_BEVAMETER_RING, .load = 10.0, .area = 0.01, .radius = 0.1};
    const rig_hold hold = {1.0, 10.0, 100.0};
    for (int m = 0; m < 3; ++m) {
        empty();
        for (int k = 0; k < RIG_BINS; ++k) {
            double j = 0.04 * (k + 0.5) / RIG_BINS;
            put(k, RING_DISPLACEMENT, j);
            put(k, RING_SHEAR, 1500.0 * (1.0 - exp(-j / moduli[m])));
            put(k, RING_NORMAL, 2000.0);
        }
        assert_near(figure(&def, &hold, "janosi_k"), moduli[m], 1e-6);
        assert_near(figure(&def, &hold, "janosi_strength"), 1500.0, 1e-6);
        assert_near(figure(&def, &hold, "janosi_r2"), 1.0, 1e-9);
        assert_near(figure(&def, &hold, "friction_angle"), atan(0.75) * 180.0 / 3.141592653589793, 1e-6);
    }
}

// An elastic sample of E and nu under a constant lateral stress; one that yields at an angle and dilates at another.
static void moduli_and_angles_of_a_sample_are_found(void **state)
{
    (void)state;
    const double degree = 3.141592653589793 / 180.0, young = 4e6, poisson = 0.2, lateral = 1e4;
    const rig_def def = {.kind = RIG_TRIAXIAL, .load = lateral};
    const rig_hold hold = {1.0, lateral, lateral * lateral};
    const double sine = sin(35.0 * degree), dilation = sin(12.0 * degree), yield = lateral * (1 + sine) / (1 - sine);
    empty();
    for (int k = 0; k < RIG_BINS; ++k) {
        double strain = 1e-4 * k, volume;
        bool yields = k >= 10;
        // sin(psi) = -d / (2 - d): d = -2 sin(psi) / (1 - sin(psi))
        volume = yields ? (1 - 2 * poisson) * 1e-3 - 2 * dilation / (1 - dilation) * (strain - 1e-3)
                        : (1 - 2 * poisson) * strain;
        put(k, CELL_AXIAL_STRAIN, strain);
        put(k, CELL_VOLUMETRIC_STRAIN, volume);
        put(k, CELL_AXIAL, yields ? yield + (k == 30 ? 1e-3 : 0.0) : lateral + young * strain);
        put(k, CELL_LATERAL, lateral);
    }
    assert_near(figure(&def, &hold, "young"), young, 1e-9);
    assert_near(figure(&def, &hold, "poisson"), poisson, 1e-9);
    assert_near(figure(&def, &hold, "peak_friction_angle"), 35.0, 1e-6);
    assert_near(figure(&def, &hold, "critical_friction_angle"), 35.0, 1e-9);
    assert_near(figure(&def, &hold, "peak_strain"), 3e-3, 1e-9);
    assert_near(figure(&def, &hold, "dilation_angle"), 12.0, 1e-9);
    assert_near(figure(&def, &hold, "lateral_stress"), lateral, 1e-12);
}

static void loads_on_a_line_of_mohr_and_coulomb_give_cohesion_and_angle(void **state)
{
    (void)state;
    const double normal[] = {5e3, 17e3, 71e3};
    double shear[3];
    for (int k = 0; k < 3; ++k) shear[k] = 800.0 + normal[k] * 0.6;
    soil_strength found = mohr_coulomb(normal, shear, 3);
    assert_near(found.cohesion, 800.0, 1e-10);
    assert_near(found.friction_angle, atan(0.6) * 180.0 / 3.141592653589793, 1e-12);
    assert_near(found.r2, 1.0, 1e-12);
    assert_true(isnan(mohr_coulomb(normal, shear, 1).cohesion));
}

// Plates that were pressed to different depths.
static void plates_that_follow_bekker_give_his_moduli(void **state)
{
    (void)state;
    enum { POINTS = 20 };
    const double n = 0.8, k_c = 3e3, k_phi = 5e5, widths[3] = {0.03, 0.05, 0.08};
    double sinkage[3][POINTS], pressure[3][POINTS];
    sinkage_curve curves[3];
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < POINTS; ++k) {
            sinkage[i][k] = 0.01 * (i + 1) * (k + 1) / POINTS;
            pressure[i][k] = (k_c / widths[i] + k_phi) * pow(sinkage[i][k], n);
        }
        curves[i] = (sinkage_curve){widths[i], sinkage[i], pressure[i], POINTS};
    }
    soil_sinkage found = bekker_of_plates(curves, 3);
    assert_near(found.n, n, 1e-12);
    assert_near(found.k_c, k_c, 1e-9);
    assert_near(found.k_phi, k_phi, 1e-9);
    assert_true(isnan(bekker_of_plates(curves, 1).k_c));
}

static void what_was_not_measured_is_not_a_number(void **state)
{
    (void)state;
    const rig_hold none = {0};
    const struct {
        rig_kind kind;
        const char *name;
    } figures[] = {{RIG_DIRECT_SHEAR, "peak_strength"},
                   {RIG_DIRECT_SHEAR, "residual_friction_angle"},
                   {RIG_PRESSURE_SINKAGE, "bekker_n"},
                   {RIG_SINGLE_WHEEL, "drawbar"},
                   {RIG_SINGLE_WHEEL, "power_number"},
                   {RIG_CONE, "cone_index"},
                   {RIG_TRIAXIAL, "young"},
                   {RIG_TRIAXIAL, "peak_friction_angle"},
                   {RIG_BEVAMETER_RING, "janosi_k"},
                   {RIG_BEVAMETER_RING, "friction_angle"}};
    empty();
    for (size_t k = 0; k < sizeof figures / sizeof *figures; ++k) {
        const rig_def def = {.kind = figures[k].kind, .load = 1.0, .area = 1.0, .radius = 1.0};
        assert_true(isnan(figure(&def, &none, figures[k].name)));
    }
}

// Ten batches of 0 and 1 in turn: mean 1/2, deviation of a batch 1/2, so 0.5 / sqrt(9) of the mean. Within a batch
// bins may differ as they like.
static void the_error_of_a_mean_is_that_of_batches(void **state)
{
    (void)state;
    empty();
    for (int k = 0; k < RIG_BINS; ++k) put(k, 0, (k / 5) % 2 + (k % 5 == 0 ? 4.0 : k % 5 == 1 ? -4.0 : 0.0));
    rig_mean mean = curve_mean(&CURVE, 0, 0);
    assert_near(mean.value, 0.5, 1e-12);
    assert_near(mean.error, 0.5 / 3.0, 1e-12);
}

// Slip is 1 on the spot, -1 of a locked wheel, 0 of one that rolls or stands, whichever way they go.
static void slip_has_the_sign_of_driving(void **state)
{
    (void)state;
    assert_near(slip_of(2.0, 0.0), 1.0, 0.0);
    assert_near(slip_of(0.0, 2.0), -1.0, 0.0);
    assert_near(slip_of(2.0, 2.0), 0.0, 0.0);
    assert_near(slip_of(2.0, 1.5), 0.25, 1e-15);
    assert_near(slip_of(1.5, 2.0), -0.25, 1e-15);
    assert_near(slip_of(-2.0, -1.5), 0.25, 1e-15);
    assert_near(slip_of(0.0, 0.0), 0.0, 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_power_of_the_sinkage_is_found_with_its_exponent),
        cmocka_unit_test(strength_has_a_peak_and_a_residual),
        cmocka_unit_test(a_curve_of_janosi_is_found_with_its_modulus),
        cmocka_unit_test(moduli_and_angles_of_a_sample_are_found),
        cmocka_unit_test(loads_on_a_line_of_mohr_and_coulomb_give_cohesion_and_angle),
        cmocka_unit_test(plates_that_follow_bekker_give_his_moduli),
        cmocka_unit_test(what_was_not_measured_is_not_a_number),
        cmocka_unit_test(the_error_of_a_mean_is_that_of_batches),
        cmocka_unit_test(slip_has_the_sign_of_driving),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
