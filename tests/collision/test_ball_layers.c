// SPDX-License-Identifier: BSD-3-Clause
// Detection in parts finds, for any layers and any budget, the same contacts with the same bits as detection in one
// call; what goes wrong on the way (memory, disk, the source, the sink) is reported and leaves nothing behind.
#include <dirent.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include "ball_crowds.h"

// Contacts as they arrive; after `stop` of them the sink fails.
typedef struct basket {
    found all;
    int64_t room, calls, stop;
} basket;

static scr_status take(void *context, const scr_ball_contact *contacts, int64_t count, scr_error *error)
{
    basket *b = context;
    if (b->stop > 0 && b->all.count + count > b->stop) {
        if (error != NULL) strcpy(error->message, "the basket is full");
        return SCR_IO;
    }
    if (b->all.count + count > b->room) {
        b->room = 2 * (b->all.count + count);
        b->all.contact = realloc(b->all.contact, (size_t)b->room * sizeof *contacts);
        assert_non_null(b->all.contact);
    }
    memcpy(b->all.contact + b->all.count, contacts, (size_t)count * sizeof *contacts);
    b->all.count += count;
    ++b->calls;
    return SCR_OK;
}

static scr_status read_crowd(void *context, int64_t first, int64_t count, scr_ball *balls, scr_error *error)
{
    const crowd *c = context;
    (void)error;
    assert_true(first >= 0 && count >= 0 && first + count <= c->count);
    memcpy(balls, c->ball + first, (size_t)count * sizeof *balls);
    return SCR_OK;
}

static void check_same(found f, found expected, const char *name)
{
    if (f.count > 0) qsort(f.contact, (size_t)f.count, sizeof *f.contact, by_pair);
    if (f.count != expected.count)
        fail_msg("%s: %lld contacts, not %lld", name, (long long)f.count, (long long)expected.count);
    if (f.count > 0) assert_memory_equal(f.contact, expected.contact, (size_t)f.count * sizeof *f.contact);
}

static found in_one_call(const crowd *c)
{
    scr_detector *d = detector_of(2);
    found f = detect(d, c);
    qsort(f.contact, (size_t)f.count, sizeof *f.contact, by_pair);
    scr_detector_destroy(d);
    return f;
}

// Budgets from "all fits" down to what holds a few hundred spheres at a time. Crowds in which more than that overlap
// one place cannot be cut: they are told so.
static void any_budget_gives_the_contacts_of_one_call(void **state)
{
    (void)state;
    int cut = 0, refused = 0;
    for (int a = 0; a < ARRANGED_COUNT; ++a) {
        crowd *c = arranged(a, 11);
        found expected = in_one_call(c);
        for (int share = 1; share <= 16; share *= 4) {
            scr_detector *d = detector_of(1 + share % 3);
            int64_t budget = detector_bytes(d, 0) + (detector_bytes(d, c->count + 1) - detector_bytes(d, 0)) / share;
            basket b = {0};
            scr_error error;
            scr_status status = scr_detect_stream(d, &(scr_ball_stream){c, c->count, read_crowd}, budget, NULL,
                                                  &(scr_contact_sink){&b, take}, &error);
            if (status == SCR_OK) {
                check_same(b.all, expected, ARRANGED_CROWDS[a].name);
                cut += share > 1;
            } else {
                assert_int_equal(status, SCR_BAD_INPUT);
                assert_true(share > 1 && strstr(error.message, "budget") != NULL);
                ++refused;
            }
            free(b.all.contact);
            scr_detector_destroy(d);
        }
        free(expected.contact);
        free(c);
    }
    print_message("%d crowds cut into layers, %d refused\n", cut, refused);
    assert_true(cut > 20);
}

// Layers of a source of its own: by centre, with the largest radius below as the floor, ids backwards.
typedef struct slices {
    const crowd *c;
    int axis;
    double thickness, largest;
} slices;

static double along(const scr_ball *b, int axis) { return axis == 0 ? b->x : axis == 1 ? b->y : b->z; }
static scr_status slice(const slices *s, int64_t layer, scr_ball *balls, int64_t *ids, int64_t *count)
{
    *count = 0;
    for (int64_t k = 0; k < s->c->count; ++k) {
        double x = along(&s->c->ball[k], s->axis);
        if (x < s->thickness * (double)layer || x >= s->thickness * (double)(layer + 1)) continue;
        if (balls != NULL) balls[*count] = s->c->ball[k], ids[*count] = s->c->count - 1 - k;
        ++*count;
    }
    return SCR_OK;
}
static scr_status measure_slice(void *context, int64_t layer, int64_t *count, double *floor, scr_error *error)
{
    const slices *s = context;
    (void)error;
    *floor = s->thickness * (double)layer - s->largest;
    return slice(s, layer, NULL, NULL, count);
}
static scr_status read_slice(void *context, int64_t layer, scr_ball *balls, int64_t *ids, scr_error *error)
{
    (void)error;
    return slice(context, layer, balls, ids, &(int64_t){0});
}

static void layers_of_any_thickness_along_any_axis_will_do(void **state)
{
    (void)state;
    crowd *c = calloc(1, sizeof *c), *reversed = calloc(1, sizeof *c);
    loose(c);
    scatter(c, 3, 39.0, 5.0, 15.0);
    reversed->count = c->count;
    for (int64_t k = 0; k < c->count; ++k) reversed->ball[c->count - 1 - k] = c->ball[k];
    found expected = in_one_call(reversed);
    for (int axis = 0; axis < 3; ++axis) {
        for (double thickness = 0.7; thickness < 100.0; thickness *= 4.0) {
            slices s = {c, axis, thickness, 15.0};
            scr_ball_layers layers = {&s, axis, (int64_t)(39.0 / thickness) + 1, measure_slice, read_slice};
            scr_detector *d = detector_of(2);
            basket b = {0};
            scr_error error;
            if (scr_detect_layers(d, &layers, 1 << 30, &(scr_contact_sink){&b, take}, &error) != SCR_OK)
                fail_msg("%s", error.message);
            check_same(b.all, expected, "slices");
            free(b.all.contact);
            scr_detector_destroy(d);
        }
    }
    free(expected.contact);
    free(c);
    free(reversed);
}

static int64_t small_budget(const scr_detector *d, const crowd *c)
{
    return detector_bytes(d, 0) + (detector_bytes(d, c->count) - detector_bytes(d, 0)) / 3;
}

static scr_status detect_in_parts(scr_detector *d, crowd *c, basket *b, const char *directory, scr_error *error)
{
    return scr_detect_stream(d, &(scr_ball_stream){c, c->count, read_crowd}, small_budget(d, c), directory,
                             &(scr_contact_sink){b, take}, error);
}

static void what_the_sink_says_ends_the_detection(void **state)
{
    (void)state;
    crowd *c = calloc(1, sizeof *c);
    loose(c);
    scr_detector *d = detector_of(2);
    basket b = {.stop = 100};
    scr_error error;
    assert_int_equal(detect_in_parts(d, c, &b, NULL, &error), SCR_IO);
    assert_string_equal(error.message, "the basket is full");
    assert_true(b.all.count < 100);
    free(b.all.contact);
    scr_detector_destroy(d);
    free(c);
}

static int files_in(const char *directory)
{
    int count = 0;
    DIR *dir = opendir(directory);
    assert_non_null(dir);
    while (readdir(dir) != NULL) ++count;
    closedir(dir);
    return count;
}

static void a_full_disk_is_an_error_and_leaves_no_file(void **state)
{
    (void)state;
    char directory[] = "/tmp/scree-test-XXXXXX";
    assert_non_null(mkdtemp(directory));
    int before = files_in(directory);
    crowd *c = calloc(1, sizeof *c);
    one_far_away(c);
    scr_detector *d = detector_of(2);
    basket b = {0};
    scr_error error;
    struct rlimit old, little = {50000, 50000};  // bytes a file may have: the nearest to a full disk
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    little.rlim_max = old.rlim_max;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &little), 0);
    scr_status status = detect_in_parts(d, c, &b, directory, &error);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    assert_int_equal(status, SCR_IO);
    assert_non_null(strstr(error.message, "could not be written"));
    assert_int_equal(files_in(directory), before);
    assert_int_equal(detect_in_parts(d, c, &b, "/nowhere/at/all", &error), SCR_IO);
    assert_non_null(strstr(error.message, "/nowhere/at/all"));
    assert_int_equal(detect_in_parts(d, c, &b, directory, &error), SCR_OK);
    assert_int_equal(files_in(directory), before);
    assert_int_equal(rmdir(directory), 0);
    free(b.all.contact);
    scr_detector_destroy(d);
    free(c);
}

static void odd_spheres_are_refused_by_number(void **state)
{
    (void)state;
    crowd *c = calloc(1, sizeof *c);
    loose(c);
    c->ball[321].y = NAN;
    scr_detector *d = detector_of(1);
    basket b = {0};
    scr_error error;
    assert_int_equal(detect_in_parts(d, c, &b, NULL, &error), SCR_BAD_INPUT);
    assert_non_null(strstr(error.message, "sphere 321"));
    scr_detector_destroy(d);
    free(c);
}

static void a_failed_allocation_leaves_a_usable_detector(void **state)
{
    (void)state;
    crowd *c = calloc(1, sizeof *c);
    loose(c);
    found expected = in_one_call(c);
    for (int64_t n = 0;; ++n) {
        scr_detector *d = detector_of(2);
        basket b = {0}, again = {0};
        scr_error error;
        scr_fail_allocation_in(n);
        scr_status status = detect_in_parts(d, c, &b, NULL, &error);
        scr_fail_allocation_in(-1);
        assert_int_equal(detect_in_parts(d, c, &again, NULL, &error), SCR_OK);
        check_same(again.all, expected, "loose");
        free(b.all.contact);
        free(again.all.contact);
        scr_detector_destroy(d);
        if (status == SCR_OK) {
            assert_true(n > 8);
            break;
        }
        assert_int_equal(status, SCR_NO_MEMORY);
    }
    free(expected.contact);
    free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_budget_gives_the_contacts_of_one_call),
        cmocka_unit_test(layers_of_any_thickness_along_any_axis_will_do),
        cmocka_unit_test(what_the_sink_says_ends_the_detection),
        cmocka_unit_test(a_full_disk_is_an_error_and_leaves_no_file),
        cmocka_unit_test(odd_spheres_are_refused_by_number),
        cmocka_unit_test(a_failed_allocation_leaves_a_usable_detector),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
