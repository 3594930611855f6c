// SPDX-License-Identifier: BSD-3-Clause
// Crowds that are hard on a broad phase: each test of one runs over all of them.
#ifndef TESTS_COLLISION_ARRANGEMENTS_H
#define TESTS_COLLISION_ARRANGEMENTS_H

#include "crowd.h"

static void empty(crowd *w, draws *d) { (void)w, (void)d; }

static void one_grain(crowd *w, draws *d) { add_grain(w, true, draw_vector(d, 1.0), 0.1); }

static void random_grains(crowd *w, draws *d)
{
    for (int k = 0; k < 400; ++k) {
        scr_vec3 at = draw_vector(d, 0.4);
        add_grain(w, k % 7 != 0, at, draw(d, 0.04, 0.06));
    }
}

static void clusters(crowd *w, draws *d)
{
    for (int cluster = 0; cluster < 6; ++cluster) {
        scr_vec3 middle = draw_vector(d, 50.0);
        for (int k = 0; k < 60; ++k) {
            scr_vec3 at = vec3_add(middle, draw_vector(d, 0.2));
            add_grain(w, true, at, draw(d, 0.03, 0.08));
        }
    }
}

static void all_at_one_point(crowd *w, draws *d)
{
    scr_vec3 at = draw_vector(d, 3.0);
    for (int k = 0; k < 120; ++k) add_grain(w, true, at, 0.01 * (1 + k % 3));
}

// Equal balls, touching, on a lattice of their diameter: centres lie on faces of cells, distances on the edge of reach.
static void on_a_lattice(crowd *w, draws *d)
{
    (void)d;
    for (int k = 0; k < 512; ++k) add_grain(w, true, vec3(k % 8 * 0.25, k / 8 % 8 * 0.25, k / 64 * 0.25), 0.125);
}

static void along_an_axis(crowd *w, draws *d)
{
    for (int k = 0; k < 300; ++k) add_grain(w, true, vec3(0.02 * k, 0.0, 0.0), draw(d, 0.008, 0.012));
}

static void along_a_slanting_line(crowd *w, draws *d)
{
    for (int k = 0; k < 300; ++k) add_grain(w, true, vec3(0.02 * k, -0.013 * k, 0.007 * k), draw(d, 0.01, 0.014));
}

static void in_a_plane(crowd *w, draws *d)
{
    for (int k = 0; k < 400; ++k)
        add_grain(w, true, vec3(draw(d, 0.0, 1.0), 0.5, draw(d, 0.0, 1.0)), draw(d, 0.02, 0.03));
}

static void one_far_outlier(crowd *w, draws *d)
{
    random_grains(w, d);
    add_grain(w, true, vec3(1e6, -1e6, 1e6), 0.05);
}

// Pairs that meet far outside the box of the cells, where all are clamped into the outermost ones.
static void company_far_out(crowd *w, draws *d)
{
    random_grains(w, d);
    for (int k = 0; k < 12; ++k) {
        scr_vec3 at = vec3(k < 4 ? 1e3 : 0.1, k < 8 ? -1e3 : 0.2, k % 2 == 0 ? 1e3 : -0.3);
        add_grain(w, true, vec3_add(at, draw_vector(d, 0.05)), 0.05);
    }
}

static void huge_coordinates(crowd *w, draws *d)
{
    for (int k = 0; k < 300; ++k) {
        scr_vec3 at = vec3_add(vec3(1e7, -1e7, 1e7), draw_vector(d, 0.3));
        add_grain(w, true, at, draw(d, 0.04, 0.06));
    }
}

// As far apart and as small as a user may ask for.
static void two_dust_grains(crowd *w, draws *d)
{
    (void)d;
    add_grain(w, true, vec3(-1e9, 0.0, 0.0), 1e-9);
    add_grain(w, true, vec3(1e9, 0.0, 0.0), 1e-9);
}

static void mixed_radii(crowd *w, draws *d)
{
    for (int k = 0; k < 500; ++k) {
        scr_vec3 at = draw_vector(d, 0.3);
        double radius = 0.003 * exp(log(100.0) * draw(d, 0.0, 1.0) * draw(d, 0.0, 1.0));  // 1 : 100, mostly small
        add_grain(w, k % 9 != 0, at, radius);
    }
}

static void boxes_and_planes(crowd *w, draws *d)
{
    for (int k = 0; k < 250; ++k) {
        scr_vec3 at = draw_vector(d, 0.5);
        if (k % 5 == 0)
            add_box(w, k % 2 == 0, at, draw_rotation(d),
                    vec3(draw(d, 0.02, 0.08), draw(d, 0.02, 0.08), draw(d, 0.02, 0.08)));
        else add_grain(w, k % 11 != 0, at, draw(d, 0.03, 0.06));
    }
    for (int k = 0; k < 5; ++k) add_plane(w, draw_vector(d, 0.4), draw_rotation(d));
}

// Walls, plates and needles, turned at random, some far larger than the crowd.
static void wide_boxes(crowd *w, draws *d)
{
    random_grains(w, d);
    for (int k = 0; k < 12; ++k) {
        const scr_vec3 half[3] = {{1.0, 0.7, 0.01}, {2.0, 0.02, 0.02}, {0.4, 0.5, 0.6}};
        scr_vec3 at = draw_vector(d, 0.6);
        add_box(w, k % 2 == 0, at, draw_rotation(d), half[k % 3]);
    }
    for (int k = 0; k < 3; ++k) {  // wide grains own grains that are younger, wide parts own no grain
        scr_vec3 at = draw_vector(d, 0.6);
        add_grain(w, true, at, 0.5);
    }
}

// Wide shapes and planes meet too, and far out, where the outermost cells stand for all the space beyond them.
static void walls_far_out(crowd *w, draws *d)
{
    company_far_out(w, d);
    for (int k = 0; k < 12; ++k) {
        scr_vec3 at = vec3(k < 4 ? 1e3 : 0.1, k < 8 ? -1e3 : 0.2, k % 2 == 0 ? 1e3 : -0.3);
        add_box(w, k % 3 == 0, vec3_add(at, draw_vector(d, 0.1)), draw_rotation(d), vec3(0.5, 0.4, 0.01));
    }
    for (int k = 0; k < 4; ++k) add_plane(w, draw_vector(d, 0.4), draw_rotation(d));
}

static void only_boxes(crowd *w, draws *d)
{
    for (int k = 0; k < 150; ++k) {
        scr_vec3 at = draw_vector(d, 0.5);
        add_box(w, true, at, draw_rotation(d), vec3(draw(d, 0.02, 0.1), draw(d, 0.02, 0.1), draw(d, 0.02, 0.1)));
    }
}

// Bodies of several spheres and boxes each, which never meet their own.
static void compound_bodies(crowd *w, draws *d)
{
    for (int k = 0; k < 80; ++k) {
        scr_vec3 at = draw_vector(d, 0.4);
        int32_t body = add_body(w, k % 8 != 0, at, draw_rotation(d));
        for (int part = 0; part < 4; ++part) {
            scr_shape shape = part % 2 == 0 ? scr_sphere(draw(d, 0.02, 0.05), (scr_material){1})
                                            : scr_box(vec3(0.02, 0.03, 0.04), (scr_material){1});
            shape.position = draw_vector(d, 0.06);
            shape.rotation = draw_rotation(d);
            add_shape(w, body, &shape);
        }
    }
    random_grains(w, d);
}

static void masked_groups(crowd *w, draws *d)
{
    boxes_and_planes(w, d);
    for (int64_t k = 0; k < w->c.table.count; ++k) {
        w->c.group[k] = 1u << (k % 4);
        w->c.collides_with[k] = (uint32_t)draw(d, 0.0, 16.0);
    }
}

// Some so fast that they look far beyond their neighbours: their margin makes them wide.
static void fast_ones(crowd *w, draws *d)
{
    random_grains(w, d);
    for (int64_t b = 0; b < w->body_count; b += 20) w->vx[b] = draw(d, 100.0, 900.0), w->vz[b] = draw(d, -50.0, 50.0);
}

// Two spheres at the centre of one body never touch; nor do two bodies that are fixed.
static void spheres_within_spheres(crowd *w, draws *d)
{
    for (int k = 0; k < 200; ++k) {
        int32_t body = add_body(w, k % 4 != 0, draw_vector(d, 1.0), QUAT_IDENTITY);
        add_collider(w, body, SCR_SPHERE, draw(d, 0.1, 0.2));
        if (k % 3 == 0) add_collider(w, body, SCR_SPHERE, draw(d, 0.1, 0.2));
    }
}

static void only_planes(crowd *w, draws *d)
{
    for (int k = 0; k < 3; ++k) add_plane(w, draw_vector(d, 1.0), draw_rotation(d));
}

typedef struct arrangement {
    const char *name;
    void (*fill)(crowd *w, draws *d);
} arrangement;

// clang-format off
#define ARRANGEMENT(name) {#name, name}
// clang-format on
static const arrangement ARRANGEMENTS[] = {
    ARRANGEMENT(empty),
    ARRANGEMENT(one_grain),
    ARRANGEMENT(random_grains),
    ARRANGEMENT(clusters),
    ARRANGEMENT(all_at_one_point),
    ARRANGEMENT(on_a_lattice),
    ARRANGEMENT(along_an_axis),
    ARRANGEMENT(in_a_plane),
    ARRANGEMENT(along_a_slanting_line),
    ARRANGEMENT(one_far_outlier),
    ARRANGEMENT(company_far_out),
    ARRANGEMENT(huge_coordinates),
    ARRANGEMENT(two_dust_grains),
    ARRANGEMENT(mixed_radii),
    ARRANGEMENT(boxes_and_planes),
    ARRANGEMENT(wide_boxes),
    ARRANGEMENT(only_boxes),
    ARRANGEMENT(compound_bodies),
    ARRANGEMENT(masked_groups),
    ARRANGEMENT(fast_ones),
    ARRANGEMENT(only_planes),
    ARRANGEMENT(walls_far_out),
    ARRANGEMENT(spheres_within_spheres),
};
enum { ARRANGEMENT_COUNT = sizeof ARRANGEMENTS / sizeof *ARRANGEMENTS };

// The crowd of an arrangement, drawn with the given seed, placed, moving slowly unless the arrangement says how.
static inline crowd *arranged(const arrangement *a, uint64_t seed)
{
    draws d = {seed, 0};
    crowd *w = crowd_create();
    a->fill(w, &d);
    shuffle_ids(w, &d);
    for (int64_t b = 0; b < w->body_count; ++b) {
        if (!w->is_dynamic[b]) continue;
        w->vx[b] += draw(&d, -0.5, 0.5), w->vy[b] += draw(&d, -0.5, 0.5), w->vz[b] += draw(&d, -0.5, 0.5);
        w->wx[b] += draw(&d, -3.0, 3.0), w->wz[b] += draw(&d, -3.0, 3.0);
    }
    place(w, 1);
    set_motion(w, 1e-3, 0.02, 0.5);
    return w;
}

#endif
