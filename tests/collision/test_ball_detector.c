// SPDX-License-Identifier: BSD-3-Clause
// The detector: exactly the contacts that comparing every sphere with every other finds, whatever the spheres are like;
// the same bits for any number of threads and any instruction set; nothing allocated twice, nothing leaked.
#include "ball_crowds.h"

// Sums and products of two doubles with twice the digits (Dekker 1971): the tests' own way to decide a close call.
typedef struct twofold {
    double high, low;
} twofold;
static twofold two_sum(double a, double b)
{
    double s = a + b, t = s - a;
    return (twofold){s, (a - (s - t)) + (b - t)};
}
static twofold two_product(double a, double b)
{
    double p = a * b;
    return (twofold){p, fma(a, b, -p)};
}
static twofold twofold_add(twofold a, twofold b)
{
    twofold s = two_sum(a.high, b.high);
    return two_sum(s.high, s.low + (a.low + b.low));
}
static twofold twofold_square(twofold a)
{
    twofold p = two_product(a.high, a.high);
    return two_sum(p.high, p.low + 2.0 * a.high * a.low);
}

// By scaling both balls with a power of two first, no square leaves the range of doubles.
static bool overlap(scr_ball a, scr_ball b)
{
    double size = fmax(fmax(fmax(fabs(a.x), fabs(b.x)), fmax(fabs(a.y), fabs(b.y))), fmax(fabs(a.z), fabs(b.z)));
    size = fmax(size, fmax(a.r, b.r));
    int e;
    frexp(size, &e);
    int down = e > 400 || e < -400 ? -e : 0;
    twofold dx = two_sum(ldexp(b.x, down), -ldexp(a.x, down)), dy = two_sum(ldexp(b.y, down), -ldexp(a.y, down));
    twofold dz = two_sum(ldexp(b.z, down), -ldexp(a.z, down)), sum = two_sum(ldexp(a.r, down), ldexp(b.r, down));
    twofold d2 = twofold_add(twofold_add(twofold_square(dx), twofold_square(dy)), twofold_square(dz));
    twofold s2 = twofold_square(sum);
    return d2.high != s2.high ? d2.high < s2.high : d2.low < s2.low;
}

static bool surely_apart(const scr_ball *a, const scr_ball *b)
{
    double sum = 1.0000001 * (a->r + b->r);
    return fabs(a->x - b->x) > sum || fabs(a->y - b->y) > sum || fabs(a->z - b->z) > sum;
}

static void check_against_all_pairs(const crowd *c, found f, const char *name)
{
    qsort(f.contact, (size_t)f.count, sizeof *f.contact, by_pair);
    int64_t at = 0;
    for (int64_t i = 0; i < c->count; ++i) {
        for (int64_t j = i + 1; j < c->count; ++j) {
            bool listed = at < f.count && f.contact[at].i == i && f.contact[at].j == j;
            bool touch = !surely_apart(&c->ball[i], &c->ball[j]) && overlap(c->ball[i], c->ball[j]);
            if (listed != touch)
                fail_msg("%s: spheres %lld and %lld %s, but are %s", name, (long long)i, (long long)j,
                         touch ? "overlap" : "do not overlap", listed ? "listed" : "not listed");
            at += listed;
        }
    }
    assert_int_equal(at, f.count);  // else some are listed twice
}

static void check_geometry(const crowd *c, found f)
{
    for (int64_t k = 0; k < f.count; ++k) {
        const scr_ball_contact *p = &f.contact[k];
        const scr_ball *a = &c->ball[p->i], *b = &c->ball[p->j];
        long double dx = (long double)b->x - a->x, dy = (long double)b->y - a->y, dz = (long double)b->z - a->z;
        long double distance = sqrtl(dx * dx + dy * dy + dz * dz), sum = (long double)a->r + b->r;
        assert_within(p->gap, (double)(distance - sum), 1e-15 * (double)(distance + sum));
        if (distance == 0.0L) dx = distance = 1.0L;
        assert_within(p->normal.x, (double)(dx / distance), 1e-12);
        assert_within(p->normal.y, (double)(dy / distance), 1e-12);
        assert_within(p->normal.z, (double)(dz / distance), 1e-12);
    }
}

static void contacts_are_exactly_those_of_all_pairs(void **state)
{
    (void)state;
    for (int a = 0; a < ARRANGED_COUNT; ++a) {
        crowd *c = arranged(a, 1);
        scr_detector *d = detector_of(2);
        found f = detect(d, c);
        print_message("%s: %lld contacts of %lld spheres\n", ARRANGED_CROWDS[a].name, (long long)f.count,
                      (long long)c->count);
        check_against_all_pairs(c, f, ARRANGED_CROWDS[a].name);
        check_geometry(c, f);
        free(f.contact);
        scr_detector_destroy(d);
        free(c);
    }
}

// One detector for all crowds: nothing of the last call is left.
static void a_detector_can_be_used_again(void **state)
{
    (void)state;
    scr_detector *used = detector_of(2);
    for (int turn = 0; turn < 2 * ARRANGED_COUNT; ++turn) {
        int a = turn * 7 % ARRANGED_COUNT;
        crowd *c = arranged(a, 2);
        scr_detector *fresh = detector_of(1);
        found f = detect(used, c), g = detect(fresh, c);
        assert_int_equal(f.count, g.count);
        assert_memory_equal(f.contact, g.contact, (size_t)f.count * sizeof *f.contact);
        free(f.contact);
        free(g.contact);
        scr_detector_destroy(fresh);
        free(c);
    }
    scr_detector_destroy(used);
}

static void threads_and_instruction_sets_change_no_bit(void **state)
{
    (void)state;
    for (int a = 0; a < ARRANGED_COUNT; ++a) {
        crowd *c = arranged(a, 3);
        scr_detector *one = detector_of(1);
        one->search = ball_pairs_plain;
        found reference = detect(one, c);
        for (int threads = 1; threads <= 4; ++threads) {
            scr_detector *d = detector_of(threads);
            found f = detect(d, c);
            assert_int_equal(f.count, reference.count);
            assert_memory_equal(f.contact, reference.contact, (size_t)f.count * sizeof *f.contact);
            free(f.contact);
            scr_detector_destroy(d);
        }
        free(reference.contact);
        scr_detector_destroy(one);
        free(c);
    }
}

// Where many cells share one crowd, the search compares all with all. No arrangement may make it do that.
static double mean_company(const ball_grid *grid)
{
    double sum = 0.0;
    for (int k = 0; k < grid->level_count; ++k) {
        const grid_level *level = &grid->level[k];
        int64_t cells = (int64_t)level->axis[0].size * level->axis[1].size * level->axis[2].size;
        const uint32_t *start = grid->cell_start + level->first_cell;
        for (int64_t cell = 0; cell < cells; ++cell) {
            double n = (double)(start[cell + 1] - start[cell]);
            sum += n * n;
        }
    }
    return sum / (double)grid->entry_count;
}

static void far_spheres_do_not_spoil_the_cells_of_the_others(void **state)
{
    (void)state;
    const struct {
        void (*make)(crowd *);
        double company;
    } cases[] = {{loose, 3.0}, {sparse, 4.0}, {one_far_away, 4.0}, {two_heaps_far_apart, 8.0}, {a_power_law, 8.0}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        crowd *c = calloc(1, sizeof *c);
        c->seed = 4;
        cases[k].make(c);
        scr_detector *d = detector_of(1);
        free(detect(d, c).contact);
        print_message("a sphere shares its cell with %.2f on average\n", mean_company(&d->grid));
        assert_true(mean_company(&d->grid) < cases[k].company);
        scr_detector_destroy(d);
        free(c);
    }
}

static void a_second_call_allocates_nothing(void **state)
{
    (void)state;
    crowd *c = calloc(1, sizeof *c);
    dense(c);
    scr_detector *d = detector_of(2);
    free(detect(d, c).contact);
    free(detect(d, c).contact);
    int64_t before = scr_allocation_count();
    for (int k = 0; k < 3; ++k) free(detect(d, c).contact);
    assert_int_equal(scr_allocation_count(), before);
    scr_detector_destroy(d);
    free(c);
}

static void odd_spheres_are_refused_by_name(void **state)
{
    (void)state;
    scr_detector *d = detector_of(2);
    const struct {
        scr_ball ball;
        const char *message;
    } cases[] = {
        {{NAN, 0, 0, 1}, "sphere 17: x must be a finite number, not nan"},
        {{0, INFINITY, 0, 1}, "sphere 17: y must be a finite number, not inf"},
        {{0, 0, -INFINITY, 1}, "sphere 17: z must be a finite number, not -inf"},
        {{0, 0, 0, INFINITY}, "sphere 17: r must be a finite number, not inf"},
        {{0, 0, 0, -0.5}, "sphere 17: r must not be negative, but is -0.5"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        crowd *c = calloc(1, sizeof *c);
        loose(c);
        c->ball[17] = c->ball[1200] = cases[k].ball;
        scr_error error;
        const scr_ball_contact *contacts;
        int64_t count;
        assert_int_equal(scr_detect_balls(d, c->ball, c->count, &contacts, &count, &error), SCR_BAD_INPUT);
        assert_string_equal(error.message, cases[k].message);
        free(c);
    }
    assert_int_equal(scr_detect_balls(d, NULL, -1, &(const scr_ball_contact *){0}, &(int64_t){0}, NULL), SCR_BAD_INPUT);
    scr_detector_destroy(d);
    assert_int_equal(scr_detector_create(-1, &d, NULL), SCR_BAD_INPUT);
}

static void a_failed_allocation_leaves_a_usable_detector(void **state)
{
    (void)state;
    crowd *c = calloc(1, sizeof *c);
    dense(c);
    scr_detector *reference = detector_of(2);
    found expected = detect(reference, c);
    for (int64_t n = 0;; ++n) {
        scr_detector *d = NULL;
        scr_error error;
        const scr_ball_contact *contacts;
        int64_t count;
        scr_fail_allocation_in(n);
        scr_status status = scr_detector_create(2, &d, &error);
        if (status == SCR_OK) status = scr_detect_balls(d, c->ball, c->count, &contacts, &count, &error);
        scr_fail_allocation_in(-1);
        if (d != NULL) {
            found f = detect(d, c);
            assert_int_equal(f.count, expected.count);
            assert_memory_equal(f.contact, expected.contact, (size_t)f.count * sizeof *f.contact);
            free(f.contact);
        }
        scr_detector_destroy(d);
        if (status == SCR_OK) {
            assert_true(n >= 8);  // a grid takes one, however many arrays it has
            break;
        }
        assert_int_equal(status, SCR_NO_MEMORY);
    }
    free(expected.contact);
    scr_detector_destroy(reference);
    free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contacts_are_exactly_those_of_all_pairs),
        cmocka_unit_test(a_detector_can_be_used_again),
        cmocka_unit_test(threads_and_instruction_sets_change_no_bit),
        cmocka_unit_test(far_spheres_do_not_spoil_the_cells_of_the_others),
        cmocka_unit_test(a_second_call_allocates_nothing),
        cmocka_unit_test(odd_spheres_are_refused_by_name),
        cmocka_unit_test(a_failed_allocation_leaves_a_usable_detector),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
