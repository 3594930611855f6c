// SPDX-License-Identifier: BSD-3-Clause
// Mass properties of the union of an anchor's shapes.
//
// Space is cut into columns along the axis, in rings and sectors about it. On the middle line of a column every shape,
// being convex, covers one interval of z; where intervals overlap, as boxes do near the shaft, material counts once. A
// merged interval [a, b] adds (b - a), (b^2 - a^2)/2 and (b^3 - a^3)/3 to the moments of z^0, z^1 and z^2. The rule of
// midpoints over r and angle leaves an error of some 1e-4 with the columns below; it is the same on every machine.
#include "core/maths/trig.h"
#include "vehicle/anchor/helical_anchor.h"

static const double TWO_PI = 0x1.921fb54442d18p2;

enum { CORE_RINGS = 64, HELIX_RINGS = 96, SECTORS_OF_BOX = 6, SECTORS_MIN = 48, INTERVALS_MAX = 64 };

typedef struct interval {
    double low, high;  // m
} interval;

typedef struct column {
    interval covered[INTERVALS_MAX];  // apart from each other, rising
    int count;
} column;

typedef struct moments {
    double one, x, y, z, xx, yy, zz, xy, xz, yz;
} moments;

// Join what it meets to it, and put it in its place.
static void cover(column *c, interval fresh)
{
    int kept = 0, at;
    if (!(fresh.low < fresh.high)) return;
    for (int k = 0; k < c->count; ++k) {
        interval old = c->covered[k];
        if (old.high < fresh.low || old.low > fresh.high) c->covered[kept++] = old;
        else fresh = (interval){fmin(fresh.low, old.low), fmax(fresh.high, old.high)};
    }
    if (kept == INTERVALS_MAX) return;
    for (at = kept; at > 0 && c->covered[at - 1].low > fresh.low; --at) c->covered[at] = c->covered[at - 1];
    c->covered[at] = fresh;
    c->count = kept + 1;
}

// Of the line through (x, y) along z: where it is in a slab |component| <= half of the box' frame.
static void cut_by_slab(interval *i, double at, double rate, double half)
{
    double a = (-half - at) / rate, b = (half - at) / rate;
    if (rate == 0.0 && fabs(at) <= half) return;
    i->low = fmax(i->low, fmin(a, b));
    i->high = fmin(i->high, fmax(a, b));
}

static interval in_box(const anchor_box *box, double x, double y)
{
    scr_vec3 from = pose_unapply(box->at, vec3(x, y, 0.0)), along = quat_unrotate(box->at.rotation, vec3(0, 0, 1));
    interval i = {-INFINITY, INFINITY};
    cut_by_slab(&i, from.x, along.x, 0.5 * box->size.x);
    cut_by_slab(&i, from.y, along.y, 0.5 * box->size.y);
    cut_by_slab(&i, from.z, along.z, 0.5 * box->size.z);
    return i;
}

// The anchor with its boxes made once.
typedef struct solid {
    const helical_anchor *anchor;
    anchor_box box[HELIX_BOXES_MAX];
    double reach2;  // m^2: nothing of a box is further from its centre, squared
} solid;

static solid solid_of(const helical_anchor *anchor)
{
    solid s = {.anchor = anchor};
    for (int k = 0; k < anchor->helix.boxes; ++k) s.box[k] = anchor_helix_box(anchor, k);
    s.reach2 = 0.25 * vec3_dot(s.box[0].size, s.box[0].size);
    return s;
}

static void cover_core(column *c, const helical_anchor *anchor, double r)
{
    double tip = anchor->tip_radius;
    if (r <= anchor->shaft_radius) cover(c, (interval){-tip - anchor->shaft_length, -tip});
    if (r < tip) {
        double half = sqrt(tip * tip - r * r);
        cover(c, (interval){-tip - half, -tip + half});
    }
}

static void cover_helix(column *c, const solid *s, double x, double y)
{
    for (int k = 0; k < s->anchor->helix.boxes; ++k) {
        const anchor_box *box = &s->box[k];
        double dx = x - box->at.position.x, dy = y - box->at.position.y;
        if (dx * dx + dy * dy <= s->reach2) cover(c, in_box(box, x, y));
    }
}

static void add_column(moments *m, const column *c, double x, double y, double area)
{
    for (int k = 0; k < c->count; ++k) {
        double a = c->covered[k].low, b = c->covered[k].high;
        double one = area * (b - a), z = 0.5 * area * (b * b - a * a), zz = area * (b * b * b - a * a * a) / 3.0;
        m->one += one;
        m->x += x * one, m->y += y * one, m->z += z;
        m->xx += x * x * one, m->yy += y * y * one, m->zz += zz;
        m->xy += x * y * one, m->xz += x * z, m->yz += y * z;
    }
}

static void add_rings(moments *m, const solid *body, double from, double to, int rings)
{
    int sectors = SECTORS_MIN + SECTORS_OF_BOX * body->anchor->helix.boxes;
    double width = (to - from) / rings;
    for (int s = 0; s < sectors; ++s) {
        double sine, cosine;
        scr_sincos(TWO_PI * (s + 0.5) / sectors, &sine, &cosine);
        for (int k = 0; k < rings; ++k) {
            double r = from + (k + 0.5) * width, x = r * cosine, y = r * sine;
            column c = {.count = 0};
            cover_core(&c, body->anchor, r);
            cover_helix(&c, body, x, y);
            add_column(m, &c, x, y, TWO_PI / sectors * width * r);
        }
    }
}

anchor_mass anchor_union_mass(const helical_anchor *anchor)
{
    moments m = {0};
    solid s = solid_of(anchor);
    double core = fmax(anchor->shaft_radius, anchor->tip_radius),
           small = fmin(anchor->shaft_radius, anchor->tip_radius);
    double rim = anchor->helix.boxes > 0 ? anchor->helix.radius : core;
    add_rings(&m, &s, 0.0, small, CORE_RINGS);
    if (core > small) add_rings(&m, &s, small, core, CORE_RINGS);
    if (rim > core) add_rings(&m, &s, core, rim, HELIX_RINGS);
    scr_vec3 c = vec3(m.x / m.one, m.y / m.one, m.z / m.one);
    double xx = m.xx - m.one * c.x * c.x, yy = m.yy - m.one * c.y * c.y, zz = m.zz - m.one * c.z * c.z;
    return (anchor_mass){
        .volume = m.one,
        .centre = c,
        .inertia = vec3(yy + zz, xx + zz, xx + yy),
        .products = vec3(m.one * c.x * c.y - m.xy, m.one * c.x * c.z - m.xz, m.one * c.y * c.z - m.yz),
    };
}
