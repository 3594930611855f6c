// SPDX-License-Identifier: BSD-3-Clause
// Capsules against boxes, cylinders and cones.
//
// The distance from a convex solid, negative inside, is a convex function of the point, so along the capsule's axis
// p(u) its derivative n . p', n the outward direction at the surface's nearest point, never falls: a bracketed root
// finds the nearest point of the axis, whatever the solid. While the axis is outside, that is the contact, its gap less
// by the radius. An axis inside has the shortest way out (narrow_capsule_out.h) as its normal, and depths along that.
//
// A capsule that lies on the solid has the ends of the interval of its axis that runs along a face, an edge or a
// generator. Each has its own gap and normal, as the ball it is; so no point claims what is not true.
#include "collision/narrow/narrow_capsule.h"
#include "collision/narrow/narrow_capsule_out.h"
#include "collision/narrow/narrow_round.h"

// An axis this near to the surface, in units of the solid's size, is in it: its direction is rounding.
static const double SURFACE_ROUNDING = 1e-13;
// A slope of the distance that is zero to rounding.
static const double NO_SLOPE = 1e-15;
// Sine of about 6 degrees, and the cosine of it: what nearly parallel means.
static const double NEARLY_PARALLEL = 0.1, NEARLY_ALONG = 0.995;
// An interval shorter than this is one point, and a point nearer than its ends by less adds nothing; in radii.
static const double TOLERANCE = 1e-4, NO_NEARER = 1e-13;
enum { ROOT_STEPS = 200 };

typedef struct capsule_at_solid {
    const placed_shape *solid;
    segment axis;         // of the capsule, relative to the solid's position
    double radius, half;  // m; half the axis
    bool inside;          // the axis goes into the solid, and
    scr_vec3 way_out;     // this is how it comes out
} capsule_at_solid;

static surface_way way_at(const capsule_at_solid *c, double u)
{
    scr_vec3 p = segment_at(&c->axis, u);
    return c->solid->kind == SCR_BOX ? box_surface_way(c->solid, p) : round_surface_way(c->solid, p);
}

static double slope_at(const capsule_at_solid *c, double u) { return vec3_dot(way_at(c, u).outward, c->axis.arm); }

// Where on the axis the distance is least: between the ends' slopes by false position, which keeps its bracket; an end
// that stays has its slope halved, and every third step halves the bracket.
static double nearest_on_axis(const capsule_at_solid *c)
{
    double low = -1.0, high = 1.0, slope_low = slope_at(c, low), slope_high = slope_at(c, high);
    if (slope_low >= 0.0) return low;
    if (slope_high <= 0.0) return high;
    int kept = 0;  // the end that stayed in the last step: -1 low, 1 high
    for (int step = 1; step <= ROOT_STEPS && high - low > 1e-16; ++step) {
        double u = step % 3 == 0 ? 0.5 * (low + high) : low - slope_low * (high - low) / (slope_high - slope_low);
        if (!(u > low && u < high)) u = 0.5 * (low + high);
        if (!(u > low && u < high)) break;
        double slope = slope_at(c, u);
        if (fabs(slope) <= NO_SLOPE * c->half) return u;
        if (slope < 0.0) {
            low = u;
            slope_low = slope;
            if (kept == 1) slope_high *= 0.5;
            kept = 1;
        } else {
            high = u;
            slope_high = slope;
            if (kept == -1) slope_low *= 0.5;
            kept = -1;
        }
    }
    return 0.5 * (low + high);
}

// The ball at u on the axis; the point is relative to the solid's position.
static contact_point ball_at(const capsule_at_solid *c, double u, uint32_t feature)
{
    scr_vec3 p = segment_at(&c->axis, u);
    surface_way way = {0.0, c->way_out};
    if (c->inside) way.distance = vec3_dot(p, c->way_out) - solid_support(c->solid, c->way_out);
    else way = way_at(c, u);
    contact_point contact = sphere_contact(p, c->radius, vec3_neg(way.outward), way.distance - c->radius);
    contact.feature = feature;
    return contact;
}

// ---- The interval along a face, an edge or a generator, with n the outward normal there ----

// Over what is square to n: a face, an edge or a corner. The axis has to keep along it.
static interval interval_along_box(const capsule_at_solid *c, scr_vec3 n)
{
    scr_quat q = c->solid->pose.rotation;
    scr_vec3 m = quat_unrotate(q, c->axis.middle), e = quat_unrotate(q, c->axis.arm), local = quat_unrotate(q, n);
    const double normal[3] = {local.x, local.y, local.z}, middle[3] = {m.x, m.y, m.z}, arm[3] = {e.x, e.y, e.z};
    const double half[3] = {c->solid->half.x, c->solid->half.y, c->solid->half.z};
    interval s = WHOLE_SEGMENT;
    double away = 0.0;
    for (int k = 0; k < 3; ++k) {
        if (fabs(normal[k]) < NEARLY_PARALLEL) {
            s = interval_clipped(s, half[k] - middle[k], -arm[k]);
            s = interval_clipped(s, half[k] + middle[k], arm[k]);
        } else {
            away += arm[k] * arm[k];
        }
    }
    return away < NEARLY_PARALLEL * NEARLY_PARALLEL * c->half * c->half ? s : EMPTY_INTERVAL;
}

// Over the disc of an end: |p - (p . z) z| <= R.
static interval interval_over_disc(const capsule_at_solid *c, scr_vec3 z)
{
    scr_vec3 m = vec3_add_scaled(c->axis.middle, -vec3_dot(c->axis.middle, z), z);
    scr_vec3 e = vec3_add_scaled(c->axis.arm, -vec3_dot(c->axis.arm, z), z);
    double ee = vec3_dot(e, e), foot = -vec3_dot(m, e) / ee;
    scr_vec3 nearest = vec3_add_scaled(m, foot, e);
    double square = c->solid->radius * c->solid->radius - vec3_dot(nearest, nearest);
    if (!(square > 0.0)) return EMPTY_INTERVAL;
    double width = sqrt(square / ee);
    return (interval){fmax(-1.0, foot - width), fmin(1.0, foot + width)};
}

static interval interval_along_round(const capsule_at_solid *c, scr_vec3 n)
{
    const placed_shape *s = c->solid;
    scr_vec3 z = axis_of(s);
    double nz = vec3_dot(n, z), top = s->kind == SCR_CONE ? 0.0 : s->radius;
    double slant = (s->radius - top) / sqrt((s->radius - top) * (s->radius - top) + 4.0 * s->half.z * s->half.z);
    if (fabs(nz) > NEARLY_ALONG && (nz < 0.0 || top > 0.0))
        return fabs(vec3_dot(c->axis.arm, n)) < NEARLY_PARALLEL * c->half ? interval_over_disc(c, z) : EMPTY_INTERVAL;
    if (!(fabs(nz - slant) < NEARLY_PARALLEL)) return EMPTY_INTERVAL;
    scr_vec3 out = vec3_unit(vec3_add_scaled(n, -nz, z)), up = vec3_scale(s->half.z, z);
    segment generator = segment_between(vec3_add_scaled(vec3_neg(up), s->radius, out), vec3_add_scaled(up, top, out));
    double sine = vec3_norm(vec3_cross(c->axis.arm, generator.arm));
    if (!(sine < NEARLY_PARALLEL * c->half * vec3_norm(generator.arm))) return EMPTY_INTERVAL;
    return segment_beside(&c->axis, &generator);
}

// ---- The pair ----

static int capsule_solid(const placed_shape *capsule, const placed_shape *solid, double reach, contact_point *out)
{
    scr_vec3 arm = quat_rotate(capsule->pose.rotation, vec3(0.0, 0.0, capsule->half.z));
    capsule_at_solid c = {.solid = solid,
                          .axis = {vec3_sub(capsule->pose.position, solid->pose.position), arm},
                          .radius = capsule->radius,
                          .half = capsule->half.z};
    double u = nearest_on_axis(&c);
    surface_way way = way_at(&c, u);
    if (!(way.distance - c.radius < reach)) return 0;
    if (way.distance < SURFACE_ROUNDING * fmax(solid->half.x, fmax(solid->half.y, solid->half.z))) {
        c.inside = true;
        c.way_out = way.outward = shortest_way_out(solid, &c.axis);
        double rise = vec3_dot(c.way_out, arm);
        if (fabs(rise) > NO_NEARER * c.half) u = rise > 0.0 ? -1.0 : 1.0;  // the deepest end, else as found
    }

    contact_point nearest = ball_at(&c, u, 2);
    interval s = solid->kind == SCR_BOX ? interval_along_box(&c, way.outward) : interval_along_round(&c, way.outward);
    bool nearest_is_end = false;
    int count = 0;
    for (int end = 0; end < 2 && (s.high - s.low) * c.half > TOLERANCE * c.radius; ++end) {
        contact_point p = ball_at(&c, end == 0 ? s.low : s.high, (uint32_t)end);
        if (!(p.gap < reach)) continue;
        if (p.gap <= nearest.gap + NO_NEARER * c.radius) nearest_is_end = true;
        out[count++] = p;
    }
    if (!nearest_is_end && nearest.gap < reach) out[count++] = nearest;
    for (int i = 0; i < count; ++i) out[i].point = vec3_add(solid->pose.position, out[i].point);
    return count;
}

int narrow_box_capsule(const placed_shape *a, const placed_shape *b, double reach, contact_point out[MANIFOLD_MAX])
{
    int count = capsule_solid(b, a, reach, out);
    for (int i = 0; i < count; ++i) out[i].normal = vec3_neg(out[i].normal);
    return count;
}

int narrow_capsule_round(const placed_shape *a, const placed_shape *b, double reach, contact_point out[MANIFOLD_MAX])
{
    return capsule_solid(a, b, reach, out);
}
