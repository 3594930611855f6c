// SPDX-License-Identifier: BSD-3-Clause
// What a report rounds stays close to what it was, what it writes ends where it should, and it keeps to its budget.
#include <string.h>

#include "core/maths/rng.h"
#include "io/scratch_directory.h"
#include "view/report/report_frames.h"

static double random_between(uint32_t i, uint32_t k, double low, double high)
{
    scr_random4 r = scr_philox((const uint32_t[4]){i, k, 0, 0}, (const uint32_t[2]){11, 0});
    return low + (high - low) * r.v[0] * 0x1p-32;
}

// As the page does it: three components of 15 bits, and the largest, which is positive, from the norm.
static void unpack_rotation(const uint16_t word[3], double q[4])
{
    int largest = word[0] >> 15 | (word[1] >> 15) << 1;
    double rest = 1.0;
    for (int k = 0, w = 0; k < 4; ++k) {
        if (k == largest) continue;
        q[k] = ((word[w++] & 0x7fff) / 32767.0 * 2.0 - 1.0) * sqrt(0.5);
        rest -= q[k] * q[k];
    }
    q[largest] = sqrt(fmax(rest, 0.0));
}

// Two rotations p and q are an angle of 2 acos |p . q| apart.
static void rotations_turn_by_less_than_a_hundredth_of_a_degree(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 2000; ++i) {
        double p[4], q[4], norm = 0.0, dot = 0.0;
        float rotation[4];
        uint16_t word[3];
        for (uint32_t k = 0; k < 4; ++k) p[k] = random_between(i, k, -1.0, 1.0), norm += p[k] * p[k];
        for (int k = 0; k < 4; ++k) rotation[k] = (float)(p[k] /= sqrt(norm));
        pack_rotation(rotation, word);
        unpack_rotation(word, q);
        for (int k = 0; k < 4; ++k) dot += p[k] * q[k];
        assert_true(2.0 * acos(fmin(fabs(dot), 1.0)) < 1.7e-4);
    }
}

static void axes_and_nonsense_have_rotations_too(void **state)
{
    (void)state;
    static const float rotation[][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, -1, 0},
                                        {0, 0, 0, 1}, {0, 0, 0, 0}, {NAN, 0, 0, 1}};
    static const double expected[][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0},
                                         {0, 0, 0, 1}, {1, 0, 0, 0}, {1, 0, 0, 0}};
    for (int i = 0; i < 6; ++i) {
        uint16_t word[3];
        double q[4];
        pack_rotation(rotation[i], word);
        unpack_rotation(word, q);
        for (int k = 0; k < 4; ++k) assert_true(fabs(q[k] - expected[i][k]) < 1e-4);
    }
}

static void speeds_keep_to_two_per_cent_over_four_decades(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 1000; ++i) {
        double speed = 3.0 * pow(10.0, random_between(i, 0, -3.9, 0.0));
        double code = pack_speed((float)speed, 3.0f);
        assert_near(3.0 * pow(10.0, 4.0 * (code - 255.0) / 254.0), speed, 0.02);
    }
    assert_int_equal(pack_speed(0.0f, 3.0f), 0);
    assert_int_equal(pack_speed(3.0f, 3.0f), 255);
    assert_int_equal(pack_speed(NAN, 3.0f), 0);
    assert_int_equal(pack_speed(0.0f, 0.0f), 0);
}

// Everything that a page got, as text; free() it.
static char *text_of(void (*write)(report_page *page))
{
    char *text = NULL;
    size_t size = 0;
    report_page page = {.file = open_memstream(&text, &size)};
    write(&page);
    fclose(page.file);
    assert_int_equal(page.failure, 0);
    assert_int_equal(page.bytes, size);
    return text;
}

static void write_nasty_json(report_page *page)
{
    json_t *value = json_pack("{s:s}", "</script><script>", "<!-- &amp; </SCRIPT>");
    page_json(page, "x", value);
    json_decref(value);
}

static void no_name_ends_an_element(void **state)
{
    (void)state;
    char *text = text_of(write_nasty_json);
    assert_string_equal(text, "<script type=\"application/json\" id=\"x\">"
                              "{\"\\u003c/script>\\u003cscript>\":\"\\u003c!-- &amp; \\u003c/SCRIPT>\"}</script>\n");
    free(text);
}

// The examples of RFC 4648, section 10.
static void write_foobar(report_page *page)
{
    for (int i = 0; i <= 6; ++i) page_binary(page, "f", i, "foobar", (size_t)i);
}

static void binary_data_is_base64(void **state)
{
    (void)state;
    static const char *const expected[] = {"", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"};
    char *text = text_of(write_foobar), line[128];
    const char *at = text;
    for (int i = 0; i <= 6; ++i) {
        snprintf(line, sizeof line, "<script type=\"text/plain\" id=\"f-%d\">%s</script>\n", i, expected[i]);
        assert_memory_equal(at, line, strlen(line));
        at += strlen(line);
    }
    free(text);
}

// Of many ids, the share drawn is the share asked for, in every range of ids: a binomial's standard deviation is 15.
static void lots_are_drawn_evenly(void **state)
{
    (void)state;
    for (uint32_t start = 0; start < 100000; start += 1000) {
        int drawn = 0;
        for (uint32_t id = start; id < start + 1000; ++id) drawn += report_rank(id) < RANK_COUNT / 3;
        assert_true(abs(drawn - 333) < 75);
    }
}

enum { GRAINS = 4000, FRAMES = 12 };

// A trajectory of grains of which some come late and others go early, and one body of the scene's list.
static void make_trajectory(const char *directory)
{
    trajectory *t;
    frame f = {0};
    assert_int_equal(trajectory_create(directory, (frame_size){.spheres = GRAINS}, NULL, NULL, &t, NULL), SCR_OK);
    assert_int_equal(frame_reserve(&f, (frame_size){.spheres = GRAINS}, NULL), SCR_OK);
    for (int n = 0; n < FRAMES; ++n) {
        f.time = n;
        f.spheres.count = 0;
        for (uint32_t id = GRAINS; id >= 1; --id) {  // in another order than that of ids
            if (id > 1 && (int)(id % FRAMES) < n / 2) continue;
            int64_t i = f.spheres.count++;
            for (uint32_t k = 0; k < 3; ++k) f.spheres.position[3 * i + k] = (float)random_between(id, k, 0.0, 1.0);
            memset(&f.spheres.velocity[3 * i], 0, 3 * sizeof(float));
            f.spheres.radius[i] = 0.01f;
            f.spheres.id[i] = id;
            f.spheres.material[i] = 0;
        }
        assert_int_equal(trajectory_append(t, &f, NULL), SCR_OK);
    }
    frame_free(&f);
    assert_int_equal(trajectory_close(t, NULL), SCR_OK);
}

static int64_t bytes_of(const report_instance *instance)
{
    int64_t listed = instance->watch.listed, record = report_record_bytes((int)(instance->key >> 32));
    return instance->watch.rests * REPORT_REST_BYTES + listed * record + (listed > 0 ? REPORT_INSTANCE_BYTES : 0);
}

static void a_cast_keeps_to_its_budget(void **state)
{
    make_trajectory(*state);
    trajectory *t;
    assert_int_equal(trajectory_open(*state, &t, NULL), SCR_OK);
    for (int64_t budget = 20000; budget < 1000000; budget *= 2) {
        report_instances instances = {0};
        assert_int_equal(report_instances_gather(&instances, t, 1, budget, NULL), SCR_OK);
        int64_t bytes = instances.frame_count * REPORT_FRAME_BYTES;
        for (int64_t i = 0; i < instances.count; ++i) bytes += bytes_of(&instances.instance[i]);
        assert_true(bytes <= budget);
        // The body of the scene's list is there, the last frame too, and space is used if there is need of it.
        assert_int_equal(instances.set_start[2] - instances.set_start[1], 1);
        assert_int_equal(instances.frame[instances.frame_count - 1], FRAMES - 1);
        assert_true(instances.count == GRAINS || bytes > budget / 2);
        report_instances_free(&instances);
    }
    trajectory_close(t, NULL);
}

// Where a grain is in each frame, x; and in which frames it rests: those in which it is where it was and will be.
static void grains_rest_between_frames_in_which_they_are_the_same(void **state)
{
    (void)state;
    enum { LENGTH = 10 };
    static const struct {
        float x[LENGTH];  // NAN: it is not there
        const char *expected;
        uint32_t rests;
    } grains[] = {
        {{1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, "rrrrrrrrrr", 1},          // parked all the time
        {{1, 1, 1, 1, 2, 3, 3, 3, 3, 3}, "rrrmmmrrrr", 2},          // pushed aside by something that came by
        {{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, "mmmmmmmmmm", 0},         // always on its way
        {{1, 1, 2, 2, 1, 1, 1, 2, 2, 2}, "rmmmmrmmrr", 3},          // to and fro
        {{NAN, NAN, 1, 1, 1, NAN, NAN, 1, 1, 1}, "  rrr  rrr", 2},  // there at times
    };
    for (size_t g = 0; g < sizeof grains / sizeof *grains; ++g) {
        report_rests rests = {0};
        rest_watch watch = rest_watch_begin();
        for (int f = 0; f < LENGTH; ++f)
            if (!isnan(grains[g].x[f]))
                assert_int_equal(rest_watch_see(&watch, &rests, f, (float[3]){grains[g].x[f], 0, 0}, true, NULL),
                                 SCR_OK);
        assert_int_equal(rest_watch_end(&watch, &rests, NULL), SCR_OK);
        uint32_t listed = 0;
        for (int f = 0; f < LENGTH; ++f) {
            assert_int_equal(rest_watch_rests(&watch, &rests, f), grains[g].expected[f] == 'r');
            listed += grains[g].expected[f] == 'm';
        }
        assert_int_equal(watch.listed, listed);
        assert_int_equal(watch.rests, grains[g].rests);
        scr_free(rests.rest);
    }
}

// A speed that is not 0 is shown, even if it is too small for a place to differ.
static void what_has_a_speed_does_not_rest(void **state)
{
    (void)state;
    report_rests rests = {0};
    rest_watch watch = rest_watch_begin();
    for (int f = 0; f < 5; ++f)
        assert_int_equal(rest_watch_see(&watch, &rests, f, (float[3]){1, 2, 3}, f != 2, NULL), SCR_OK);
    assert_int_equal(rest_watch_end(&watch, &rests, NULL), SCR_OK);
    for (int f = 0; f < 5; ++f) assert_int_equal(rest_watch_rests(&watch, &rests, f), f != 2);
    assert_int_equal(watch.listed, 1);
    scr_free(rests.rest);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rotations_turn_by_less_than_a_hundredth_of_a_degree),
        cmocka_unit_test(axes_and_nonsense_have_rotations_too),
        cmocka_unit_test(speeds_keep_to_two_per_cent_over_four_decades),
        cmocka_unit_test(no_name_ends_an_element),
        cmocka_unit_test(binary_data_is_base64),
        cmocka_unit_test(lots_are_drawn_evenly),
        cmocka_unit_test(grains_rest_between_frames_in_which_they_are_the_same),
        cmocka_unit_test(what_has_a_speed_does_not_rest),
        cmocka_unit_test_setup_teardown(a_cast_keeps_to_its_budget, make_scratch, remove_scratch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
