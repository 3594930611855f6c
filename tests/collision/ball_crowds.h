// SPDX-License-Identifier: BSD-3-Clause
// What the tests of the detector share: crowds of spheres, easy and nasty ones.
#ifndef TESTS_COLLISION_BALL_CROWDS_H
#define TESTS_COLLISION_BALL_CROWDS_H

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "collision/detector/ball_detector.h"
#include "core/maths/rng.h"

enum { CROWD = 1500 };

typedef struct crowd {
    scr_ball ball[8 * CROWD];
    int64_t count;
    uint64_t draws;
    uint64_t seed;
} crowd;

static inline double draw(crowd *c, double low, double high)
{
    return low + (high - low) * scr_uniform(c->seed, 5, c->draws++);
}
static inline void add(crowd *c, double x, double y, double z, double r)
{
    c->ball[c->count++] = (scr_ball){x, y, z, r};
}

static inline void scatter(crowd *c, int count, double extent, double smallest, double largest)
{
    for (int k = 0; k < count; ++k) {
        double x = draw(c, 0.0, extent), y = draw(c, 0.0, extent), z = draw(c, 0.0, extent);
        add(c, x, y, z, draw(c, smallest, largest));
    }
}

static inline void none(crowd *c) { (void)c; }
static inline void a_single_one(crowd *c) { add(c, 3.0, 4.0, 5.0, 1.0); }
static inline void disjoint(crowd *c)
{
    for (int k = 0; k < 1000; ++k) add(c, 3.0 * (k % 10), 3.0 * (k / 10 % 10), 3.0 * (k / 100), 1.0);
}
static inline void just_touching(crowd *c)
{
    for (int k = 0; k < 1000; ++k) add(c, 2.0 * (k % 10), 2.0 * (k / 10 % 10), 2.0 * (k / 100), 1.0);
}
// Neighbours overlap, touch or miss each other by one unit in the last place.
static inline void nearly_touching(crowd *c)
{
    double x = 0.7;
    for (int k = 0; k < CROWD; ++k) {
        double r = draw(c, 0.5, 1.5);
        if (k > 0) x += c->ball[k - 1].r + r;
        double step = draw(c, 0.0, 3.0);
        if (k > 0 && step < 1.0) x = nextafter(x, 0.0);
        if (k > 0 && step > 2.0) x = nextafter(x, 1e9);
        add(c, x, 0.0, 0.0, r);
    }
}
static inline void sparse(crowd *c) { scatter(c, CROWD, 1000.0, 0.5, 1.5); }
static inline void loose(crowd *c) { scatter(c, CROWD, 39.0, 0.5, 1.5); }
static inline void dense(crowd *c) { scatter(c, CROWD, 12.0, 0.5, 1.5); }
static inline void all_in_one_cell(crowd *c) { scatter(c, 600, 0.9, 0.5, 1.5); }
static inline void identical(crowd *c)
{
    for (int k = 0; k < 300; ++k) add(c, 1.0, -2.0, 3.0, 0.25);
}
static inline void points_in_one_place(crowd *c)
{
    for (int k = 0; k < 300; ++k) add(c, 1.0, -2.0, 3.0, 0.0);
}
static inline void points(crowd *c) { scatter(c, CROWD, 1.0, 0.0, 0.0); }
static inline void contained(crowd *c)
{
    for (int k = 0; k < 60; ++k) add(c, 0.01 * k, 0.0, 0.0, ldexp(1.0, k / 2));
}
static inline void on_cell_faces(crowd *c)
{
    for (int k = 0; k < 1000; ++k)
        add(c, 2.0 * (k % 10), 2.0 * (k / 10 % 10), 2.0 * (k / 100), k % 3 == 0 ? 1.0 : 0.99);
}
static inline void at_huge_coordinates(crowd *c)
{
    scatter(c, CROWD, 20.0, 0.5, 1.5);
    for (int64_t k = 0; k < c->count; ++k) c->ball[k].x += 1e12, c->ball[k].y -= 3e13, c->ball[k].z += 1e9;
}
static inline void at_the_ends_of_numbers(crowd *c)
{
    scatter(c, 200, 1.0, 0.1, 0.3);
    for (int64_t k = 0; k < 200; ++k) {
        double scale = k % 4 == 0 ? 1e307 : k % 4 == 1 ? 1e-300 : k % 4 == 2 ? 1e160 : 1e-160;
        scr_ball *b = &c->ball[k];
        b->x *= scale, b->y *= -scale, b->z *= scale, b->r *= scale;
    }
}
static inline void a_power_law(crowd *c)
{
    for (int k = 0; k < 2 * CROWD; ++k) {
        double x = draw(c, 0.0, 150.0), y = draw(c, 0.0, 150.0), z = draw(c, 0.0, 150.0), u = draw(c, 0.0, 1.0);
        add(c, x, y, z, 1.0 / sqrt(1.0 - u * (1.0 - 1e-6)));  // 1 .. 1000
    }
}
static inline void few_giants_among_many(crowd *c)
{
    scatter(c, 2 * CROWD, 100.0, 0.5, 1.0);
    scatter(c, 5, 100.0, 20.0, 60.0);
}
static inline void giants_among_heaps(crowd *c)
{
    scatter(c, 2 * CROWD, 1.0, 0.02, 0.06);
    for (int64_t k = 0; k < c->count; ++k)
        c->ball[k].y += (double)(k % 5 * (k % 5)), c->ball[k].z -= 3.0 * (double)(k % 3);
    for (int k = 0; k < 40; ++k) add(c, draw(c, 0.0, 1.0), draw(c, 0.0, 17.0), draw(c, -6.0, 1.0), draw(c, 0.5, 2.1));
}
static inline void every_octave(crowd *c)
{
    for (int k = -1000; k < 1000; k += 2)
        add(c, draw(c, -1.0, 1.0), draw(c, -1.0, 1.0), draw(c, -1.0, 1.0), ldexp(1.0, k));
}
static inline void a_sheet(crowd *c)
{
    for (int k = 0; k < CROWD; ++k) add(c, draw(c, 0.0, 60.0), draw(c, 0.0, 60.0), 0.0, draw(c, 0.5, 1.5));
}
static inline void a_slanting_line(crowd *c)
{
    for (int k = 0; k < CROWD; ++k) {
        double at = draw(c, 0.0, 2000.0);
        add(c, at, -2.0 * at, 0.5 * at, draw(c, 0.5, 1.5));
    }
}
static inline void one_far_away(crowd *c)
{
    scatter(c, 8 * CROWD - 1, 60.0, 0.5, 1.5);
    add(c, 1e9, -1e9, 1e12, 1.0);
}
static inline void two_heaps_far_apart(crowd *c)
{
    scatter(c, 8 * CROWD, 50.0, 0.5, 1.5);
    for (int64_t k = 0; k < c->count; k += 2) c->ball[k].x += 1e5, c->ball[k].y -= 1e5, c->ball[k].z += 1e5;
}
static inline void far_heaps_of_points(crowd *c)
{
    scatter(c, CROWD, 1e-3, 0.0, 1e-4);
    for (int64_t k = 0; k < c->count; ++k) c->ball[k].x += 1e17 * (double)(k % 3);
}

// clang-format off
#define ARRANGED(name) {#name, name}
// clang-format on
static const struct {
    const char *name;
    void (*make)(crowd *);
} ARRANGED_CROWDS[] = {
    ARRANGED(none),
    ARRANGED(a_single_one),
    ARRANGED(disjoint),
    ARRANGED(just_touching),
    ARRANGED(nearly_touching),
    ARRANGED(sparse),
    ARRANGED(loose),
    ARRANGED(dense),
    ARRANGED(all_in_one_cell),
    ARRANGED(identical),
    ARRANGED(points_in_one_place),
    ARRANGED(points),
    ARRANGED(contained),
    ARRANGED(on_cell_faces),
    ARRANGED(at_huge_coordinates),
    ARRANGED(at_the_ends_of_numbers),
    ARRANGED(a_power_law),
    ARRANGED(few_giants_among_many),
    ARRANGED(giants_among_heaps),
    ARRANGED(every_octave),
    ARRANGED(a_sheet),
    ARRANGED(a_slanting_line),
    ARRANGED(one_far_away),
    ARRANGED(two_heaps_far_apart),
    ARRANGED(far_heaps_of_points),
};
enum { ARRANGED_COUNT = sizeof ARRANGED_CROWDS / sizeof *ARRANGED_CROWDS };

static inline crowd *arranged(int a, uint64_t seed)
{
    crowd *c = calloc(1, sizeof *c);
    assert_non_null(c);
    c->seed = seed;
    ARRANGED_CROWDS[a].make(c);
    return c;
}

static inline int by_pair(const void *a, const void *b)
{
    const scr_ball_contact *p = a, *q = b;
    if (p->i != q->i) return p->i < q->i ? -1 : 1;
    return p->j < q->j ? -1 : p->j > q->j;
}

typedef struct found {
    scr_ball_contact *contact;
    int64_t count;
} found;

static inline found detect(scr_detector *d, const crowd *c)
{
    scr_error error;
    const scr_ball_contact *contacts;
    found f;
    if (scr_detect_balls(d, c->ball, c->count, &contacts, &f.count, &error) != SCR_OK) fail_msg("%s", error.message);
    f.contact = malloc((size_t)f.count * sizeof *contacts + 1);
    assert_non_null(f.contact);
    if (f.count > 0) memcpy(f.contact, contacts, (size_t)f.count * sizeof *contacts);
    return f;
}

static inline scr_detector *detector_of(int threads)
{
    scr_detector *d;
    assert_int_equal(scr_detector_create(threads, &d, NULL), SCR_OK);
    return d;
}

#endif
