// SPDX-License-Identifier: BSD-3-Clause
// Capsules, cylinders and cones against each other's kin, spheres, boxes and planes.
//
// The oracle is a pair of certificates. For any unit n the shadows' separation s(n) = -h_a(n) - h_b(-n), h the support
// functions, is at most the distance of two shapes; the distance between any two of their points is at least that. A
// contact whose points are on the shapes and whose gap is s(n) along its own normal is therefore exact, and no search
// is needed to know it. A round shape is measured by its core, with its radius taken off: then cores that are disjoint
// certify overlaps too. Where cores overlap, s(n) = gap shows that the normal leads out, and no direction of a dense
// set may be shorter.
#include "check.h"

#include "narrow_shapes.h"

enum { TRIALS = 1500, DIRECTIONS = 400 };

// ---- Shapes ----

static placed_shape make_round(scr_shape_kind kind, scr_vec3 position, scr_quat rotation, double radius, double half)
{
    return (placed_shape){kind, {position, rotation}, radius, {radius, radius, half}, NULL};
}

static placed_shape draw_shape(draws *d, scr_shape_kind kind, double room)
{
    if (kind == SCR_BOX) return draw_box(d, room);
    scr_vec3 position = draw_vector(d, room);
    scr_quat rotation = draw_rotation(d);
    double radius = draw(d, 0.1, 0.8), half = draw(d, 0.1, 1.0);
    if (kind == SCR_SPHERE) return make_sphere(position, radius);
    if (kind == SCR_PLANE) return make_plane(position, rotation);
    return make_round(kind, position, rotation, radius, half);
}

static scr_vec3 z_axis(const placed_shape *s) { return box_axis_in_world(s, 2); }

// A sphere's or capsule's radius is not part of its core.
static double core_radius(const placed_shape *s)
{
    return s->kind == SCR_SPHERE || s->kind == SCR_CAPSULE ? s->radius : 0.0;
}

// How far a core reaches along a unit n from a point of reference.
static double core_support(const placed_shape *s, scr_vec3 n, scr_vec3 reference)
{
    double middle = vec3_dot(n, vec3_sub(s->pose.position, reference)), c = vec3_dot(n, z_axis(s));
    double disc = s->radius * vec3_norm(vec3_cross(n, z_axis(s)));
    const double half[3] = {s->half.x, s->half.y, s->half.z};
    switch (s->kind) {
    case SCR_BOX:
        for (int k = 0; k < 3; ++k) middle += half[k] * fabs(vec3_dot(n, box_axis_in_world(s, k)));
        return middle;
    case SCR_CAPSULE: return middle + s->half.z * fabs(c);
    case SCR_CYLINDER: return middle + s->half.z * fabs(c) + disc;
    case SCR_CONE: return middle + fmax(s->half.z * c, disc - s->half.z * c);
    default: return middle;
    }
}

static double core_separation(const placed_shape *a, const placed_shape *b, scr_vec3 n)
{
    return -core_support(a, n, a->pose.position) - core_support(b, vec3_neg(n), a->pose.position);
}

static double separation(const placed_shape *a, const placed_shape *b, scr_vec3 n)
{
    return core_separation(a, b, n) - core_radius(a) - core_radius(b);
}

// How far a point is outside a core, roughly: 0 inside, right near the surface.
static double outside_core(const placed_shape *s, scr_vec3 point)
{
    scr_vec3 arm = vec3_sub(point, s->pose.position);
    double z = vec3_dot(arm, z_axis(s)), r = vec3_norm(vec3_add_scaled(arm, -z, z_axis(s)));
    switch (s->kind) {
    case SCR_BOX: return point_box_distance(point, s);
    case SCR_SPHERE: return vec3_norm(arm);
    case SCR_CAPSULE: return fmax(r, fabs(z) - s->half.z);
    case SCR_CYLINDER: return fmax(0.0, fmax(r - s->radius, fabs(z) - s->half.z));
    case SCR_CONE: return fmax(0.0, fmax(-s->half.z - z, r - s->radius * (s->half.z - z) / (2.0 * s->half.z)));
    default: return INFINITY;
    }
}

static const contact_point *nearest_of(const contact_point *points, int count)
{
    const contact_point *best = &points[0];
    for (int i = 1; i < count; ++i)
        if (points[i].gap < best->gap) best = &points[i];
    return best;
}

// A manifold, and the same pair from the other side.
static int checked_both_ways(const placed_shape *a, const placed_shape *b, double reach,
                             contact_point out[MANIFOLD_MAX])
{
    int count = checked_narrow_phase(a, b, reach, out);
    contact_point swapped[MANIFOLD_MAX];
    assert_int_equal(narrow_phase(b, a, reach, swapped), count);
    if (count == 0) return 0;
    const contact_point *ab = nearest_of(out, count), *ba = nearest_of(swapped, count);
    assert_within(ba->gap, ab->gap, 1e-12);
    return count;
}

// ---- Certificates ----

// Spread evenly: a spiral from pole to pole, each a golden angle on from the last.
static scr_vec3 directions[DIRECTIONS];

static int spread_directions(void **state)
{
    (void)state;
    for (int k = 0; k < DIRECTIONS; ++k) {
        double z = 1.0 - (2.0 * k + 1.0) / DIRECTIONS, r = sqrt(1.0 - z * z), rotation = 2.399963229728653 * k;
        directions[k] = vec3(r * cos(rotation), r * sin(rotation), z);
    }
    return 0;
}

// The largest separation over a dense set of directions, each improved by small steps.
static double searched_separation(const placed_shape *a, const placed_shape *b)
{
    double best = -INFINITY;
    scr_vec3 n = {0};
    for (int k = 0; k < DIRECTIONS; ++k) {
        double s = separation(a, b, directions[k]);
        if (s <= best) continue;
        best = s;
        n = directions[k];
    }
    double step = 0.05;
    for (int round = 0; round < 40; ++round) {
        bool better = false;
        for (int k = 0; k < 26; ++k) {
            int code = k < 13 ? k : k + 1;
            scr_vec3 t = vec3_unit(vec3_add_scaled(n, step, vec3(code % 3 - 1, code / 3 % 3 - 1, code / 9 - 1)));
            double s = separation(a, b, t);
            if (s <= best) continue;
            best = s;
            n = t;
            better = true;
        }
        if (!better) step *= 0.5;
    }
    return best;
}

typedef enum certified { APART, OVERLAPPING, DEEP } certified;

static certified certify(const placed_shape *a, const placed_shape *b, double reach)
{
    // Without a limit there is always a contact to certify; with one, just if the gap is below it.
    const double no_limit = 100.0;
    contact_point out[MANIFOLD_MAX];
    int count = checked_both_ways(a, b, no_limit, out);
    assert_true(count > 0);
    if (fabs(nearest_of(out, count)->gap - reach) > 1e-9) {
        contact_point within[MANIFOLD_MAX];
        assert_int_equal(checked_both_ways(a, b, reach, within) > 0, nearest_of(out, count)->gap < reach);
    }
    const contact_point *c = nearest_of(out, count);
    // The direction between cores has as many digits as their distance leaves it.
    double cores = c->gap + core_radius(a) + core_radius(b);
    double slack = 2e-12 + 2e-15 / fmax(fabs(cores), 1e-9);
    // Along an axis that lies on something the distance is flat: a ball at the end of the stretch may be the nearest to
    // the last digit while its normal, and with it the separation, is off by the root of that.
    if (count > 1 && cores > 0.0) slack += 1e-5;
    assert_within(separation(a, b, c->normal), c->gap, slack);
    if (cores < 1e-9) {
        assert_true(c->gap >= searched_separation(a, b) - 1e-9);
        return DEEP;
    }
    // Half a gap from the point to either side are the surfaces, and a radius on from there the cores.
    for (int i = 0; i < count; ++i) {
        const contact_point *p = &out[i];
        scr_vec3 on_a = vec3_add_scaled(p->point, -(0.5 * p->gap + core_radius(a)), p->normal);
        scr_vec3 on_b = vec3_add_scaled(p->point, 0.5 * p->gap + core_radius(b), p->normal);
        // A box and a cylinder prefer faces and ends where these are as near to the last digits, though the points are
        // a little more beside each other then. Their other points are on one of them exactly, on the other along n.
        bool round = core_radius(a) + core_radius(b) > 0.0, exact = round || p == c;
        double off = round ? 2e-12 : exact ? 1e-9 : 1e-9 + 0.15 * fabs(p->gap);
        assert_within(outside_core(a, on_a), 0.0, off);
        assert_within(outside_core(b, on_b), 0.0, off);
        if (!exact) assert_within(fmin(outside_core(a, on_a), outside_core(b, on_b)), 0.0, 2e-12);
    }
    return c->gap > 0.0 ? APART : OVERLAPPING;
}

static const scr_shape_kind pairs[][2] = {
    {SCR_SPHERE, SCR_CAPSULE}, {SCR_SPHERE, SCR_CYLINDER},  {SCR_SPHERE, SCR_CONE},  {SCR_CAPSULE, SCR_CAPSULE},
    {SCR_BOX, SCR_CAPSULE},    {SCR_CAPSULE, SCR_CYLINDER}, {SCR_CAPSULE, SCR_CONE}, {SCR_BOX, SCR_CYLINDER},
};
enum { PAIRS = sizeof pairs / sizeof *pairs };

static void random_pairs_are_certified(void **state)
{
    (void)state;
    const double tilts[] = {0.0, 1e-15, 1e-12, 1e-10, 1e-9, 1e-8, 1e-7, 1e-5, 1e-3, 1e-2, 0.1};
    enum { TILTS = sizeof tilts / sizeof *tilts };
    for (int pair = 0; pair < PAIRS; ++pair) {
        draws d = {10 + (uint64_t)pair, 0};
        int seen[3] = {0};
        for (int k = 0; k < TRIALS; ++k) {
            placed_shape a = draw_shape(&d, pairs[pair][0], 1.0), b = draw_shape(&d, pairs[pair][1], 1.0);
            if (k % 3 == 0) {  // nearly aligned, or crosswise
                scr_vec3 t = draw_vector(&d, tilts[k / 3 % TILTS]);
                scr_quat about = k % 2 == 0 ? QUAT_IDENTITY : quat_unit((scr_quat){1, 1, 0, 0});
                b.pose.rotation = quat_unit(quat_mul(a.pose.rotation, quat_mul((scr_quat){1, t.x, t.y, t.z}, about)));
            }
            if (k % 7 == 0)
                b.pose.position = vec3_add_scaled(a.pose.position, 0.3, vec3_sub(b.pose.position, a.pose.position));
            ++seen[certify(&a, &b, 0.3)];
        }
        assert_true(seen[APART] > TRIALS / 20 && seen[OVERLAPPING] + seen[DEEP] > TRIALS / 20);
    }
}

static void a_common_motion_moves_the_contacts_with_it(void **state)
{
    (void)state;
    for (int pair = 0; pair < PAIRS; ++pair) {
        draws d = {30 + (uint64_t)pair, 0};
        for (int k = 0; k < TRIALS; ++k) {
            placed_shape a = draw_shape(&d, pairs[pair][0], 1.0), b = draw_shape(&d, pairs[pair][1], 1.0);
            motion m = {draw_rotation(&d), draw_vector(&d, 10.0)};
            placed_shape ma = moved(m, a), mb = moved(m, b);
            contact_point before[MANIFOLD_MAX], after[MANIFOLD_MAX];
            int count = checked_both_ways(&a, &b, 0.2, before);
            assert_int_equal(checked_both_ways(&ma, &mb, 0.2, after), count);
            for (int i = 0; i < count; ++i) {
                // The direction between cores has as many digits as their distance leaves it.
                double cores = fabs(before[i].gap + core_radius(&a) + core_radius(&b));
                double digits = 3e-13 / fmin(1.0, fmax(cores, 1e-4));
                assert_int_equal(after[i].feature, before[i].feature);
                assert_within(after[i].gap, before[i].gap, 1e-12);
                assert_same_vector(after[i].normal, quat_rotate(m.rotation, before[i].normal), 10.0 * digits);
                assert_same_vector(after[i].point, moved_point(m, before[i].point), 1e-12 + 10.0 * digits);
            }
        }
    }
}

// A shift by 2^20 m is exact for coordinates that are multiples of 2^-20 m.
static scr_vec3 on_grid(scr_vec3 v)
{
    return vec3_scale(0x1p-20, vec3(floor(v.x * 0x1p20), floor(v.y * 0x1p20), floor(v.z * 0x1p20)));
}

static void far_from_the_origin_nothing_changes(void **state)
{
    (void)state;
    const double far = 0x1p20;
    motion shift = {QUAT_IDENTITY, vec3(far, -far, far)};
    for (int pair = 0; pair < PAIRS; ++pair) {
        draws d = {50 + (uint64_t)pair, 0};
        for (int k = 0; k < TRIALS; ++k) {
            placed_shape a = draw_shape(&d, pairs[pair][0], 1.0), b = draw_shape(&d, pairs[pair][1], 1.0);
            a.pose.position = on_grid(a.pose.position);
            b.pose.position = on_grid(b.pose.position);
            contact_point near[MANIFOLD_MAX], away[MANIFOLD_MAX];
            int count = checked_both_ways(&a, &b, 0.2, near);
            a.pose.position = moved_point(shift, a.pose.position);
            b.pose.position = moved_point(shift, b.pose.position);
            assert_int_equal(checked_both_ways(&a, &b, 0.2, away), count);
            for (int i = 0; i < count; ++i) {
                assert_true(away[i].gap == near[i].gap && away[i].feature == near[i].feature);
                assert_same_vector(away[i].normal, near[i].normal, 0.0);
                assert_same_vector(away[i].point, moved_point(shift, near[i].point), far * 1e-15);
            }
        }
    }
}

// ---- Places where directions vanish ----

static void no_place_of_two_shapes_gives_anything_but_numbers(void **state)
{
    (void)state;
    const double places[] = {0.0, 1.0, -1.0, 2.0, 0.5, 1e-17, 1.0 + 1e-15, 1e-300, -1e-9, 1e-160};
    const double sizes[] = {1.0, 0.5, 1e-9, 1e9, 1.0 + 1e-15};
    const scr_quat rotations[] = {{1, 0, 0, 0},    {0, 1, 0, 0},         {0.5, 0.5, 0.5, 0.5}, {1, 1, 0, 0},
                                  {1, 1e-9, 0, 0}, {1, 1e-17, 1e-17, 0}, {1, 0, 1e-6, 1e-6}};
    enum {
        PLACES = sizeof places / sizeof *places,
        SIZES = sizeof sizes / sizeof *sizes,
        ROTATIONS = sizeof rotations / sizeof *rotations
    };
    draws d = {70, 0};
    for (int k = 0; k < 40000; ++k) {
        double pick[8];
        for (int i = 0; i < 8; ++i) pick[i] = draw(&d, 0.0, 1.0);
        placed_shape a = draw_shape(&d, pairs[k % PAIRS][0], 0.0), b = draw_shape(&d, pairs[k % PAIRS][1], 0.0);
        a.pose.rotation = quat_unit(rotations[(int)(pick[6] * ROTATIONS)]);
        b.pose.rotation = quat_unit(rotations[(int)(pick[7] * ROTATIONS)]);
        b.pose.position =
            vec3(places[(int)(pick[0] * PLACES)], places[(int)(pick[1] * PLACES)], places[(int)(pick[2] * PLACES)]);
        a.half = a.kind == SCR_SPHERE ? a.half : vec3(1, 1, 1);
        a.radius = a.kind == SCR_BOX ? 0.0 : 1.0;
        b.half = vec3(sizes[(int)(pick[3] * SIZES)], sizes[(int)(pick[4] * SIZES)], sizes[(int)(pick[5] * SIZES)]);
        b.radius = b.half.x;
        if (k % 16 == 0) a.pose.rotation = draw_rotation(&d);
        contact_point out[MANIFOLD_MAX];
        int count = narrow_phase(&a, &b, 0.1, out);
        assert_in_range(count, 0, MANIFOLD_MAX);
        for (int i = 0; i < count; ++i) {
            assert_true(vec3_is_finite(out[i].point) && isfinite(out[i].gap) && out[i].gap < 0.1);
            assert_near(vec3_norm(out[i].normal), 1.0, 1e-12);
        }
    }
}

static void coordinates_that_are_no_numbers_meet_nothing(void **state)
{
    (void)state;
    draws d = {71, 0};
    contact_point out[MANIFOLD_MAX];
    for (int pair = 0; pair < PAIRS; ++pair) {
        placed_shape a = draw_shape(&d, pairs[pair][0], 0.1), b = draw_shape(&d, pairs[pair][1], 0.1);
        b.pose.position.x = NAN;
        assert_int_equal(narrow_phase(&a, &b, 0.1, out), 0);
        b.pose.position.x = INFINITY;
        assert_int_equal(narrow_phase(&a, &b, 0.1, out), 0);
    }
}

static void a_sphere_on_the_axis_of_a_round_shape_leaves_by_the_shortest_way(void **state)
{
    (void)state;
    draws d = {72, 0};
    for (int k = 0; k < 300; ++k) {
        motion m = {draw_rotation(&d), draw_vector(&d, 2.0)};
        placed_shape ball = moved(m, make_sphere(vec3(0, 0, 0.2), 0.1));
        contact_point out[MANIFOLD_MAX];
        // Long: out across the axis. Short: out at the top. A cone: out through its slant.
        placed_shape longer = make_round(SCR_CYLINDER, m.shift, m.rotation, 0.5, 2.0);
        placed_shape shorter = make_round(SCR_CYLINDER, m.shift, m.rotation, 2.0, 0.5);
        placed_shape cone = make_round(SCR_CONE, m.shift, m.rotation, 0.75, 1.0);  // slopes 3 : 8
        placed_shape capsule = make_round(SCR_CAPSULE, m.shift, m.rotation, 0.5, 2.0);
        assert_int_equal(checked_both_ways(&ball, &longer, 0.0, out), 1);
        assert_within(out[0].gap, -0.6, 1e-14);
        assert_within(vec3_dot(out[0].normal, z_axis(&longer)), 0.0, 1e-14);
        assert_int_equal(checked_both_ways(&ball, &capsule, 0.0, out), 1);
        assert_within(out[0].gap, -0.6, 1e-14);
        assert_within(vec3_dot(out[0].normal, z_axis(&capsule)), 0.0, 1e-14);
        assert_int_equal(checked_both_ways(&ball, &shorter, 0.0, out), 1);
        assert_within(out[0].gap, -0.4, 1e-14);
        assert_same_vector(out[0].normal, vec3_neg(z_axis(&shorter)), 1e-13);
        assert_int_equal(checked_both_ways(&ball, &cone, 0.0, out), 1);
        assert_within(out[0].gap, -0.1 - 0.8 * 0.375 / sqrt(1.0 + 0.375 * 0.375), 1e-14);
    }
}

// ---- Capsules ----

static void parallel_capsules_meet_at_the_ends_of_the_stretch_they_share(void **state)
{
    (void)state;
    draws d = {80, 0};
    for (int k = 0; k < TRIALS; ++k) {
        double ra = draw(&d, 0.1, 0.5), rb = draw(&d, 0.1, 0.5), ha = draw(&d, 0.3, 2.0), hb = draw(&d, 0.3, 2.0);
        double shift = draw(&d, -0.95, 0.95) * (ha + hb), gap = draw(&d, -0.1, 0.1);
        if (k % 4 == 0) {  // flush
            hb = ha;
            shift = 0.0;
        }
        motion m = {draw_rotation(&d), draw_vector(&d, 2.0)};
        placed_shape a = moved(m, make_round(SCR_CAPSULE, vec3(0, 0, 0), QUAT_IDENTITY, ra, ha));
        scr_quat rotation = k % 2 == 0 ? QUAT_IDENTITY : (scr_quat){0, 1, 0, 0};
        placed_shape b = moved(m, make_round(SCR_CAPSULE, vec3(ra + rb + gap, 0, shift), rotation, rb, hb));
        double ends[2] = {fmax(-ha, shift - hb), fmin(ha, shift + hb)};
        contact_point out[MANIFOLD_MAX];
        int count = checked_both_ways(&a, &b, 0.2, out);
        if (ends[1] - ends[0] < 1e-3) continue;
        assert_int_equal(count, 2);
        for (int i = 0; i < 2; ++i) {
            assert_int_equal(out[i].feature, i);
            assert_within(out[i].gap, gap, 1e-13);
            assert_same_vector(out[i].normal, quat_rotate(m.rotation, vec3(1, 0, 0)), 1e-12);
            assert_same_vector(out[i].point, moved_point(m, vec3(ra + 0.5 * gap, 0, ends[i])), 1e-12);
        }
    }
}

// Axes that cross, with the same centre or elsewhere: out along their cross product, whichever is a.
static void crossing_capsules_part_across_both_axes(void **state)
{
    (void)state;
    draws d = {81, 0};
    const double nudges[] = {0.0, 1e-17, 1e-15, 1e-13, 1e-10, 1e-6};
    for (int k = 0; k < TRIALS; ++k) {
        placed_shape a = draw_shape(&d, SCR_CAPSULE, 0.5), b = draw_shape(&d, SCR_CAPSULE, 0.5);
        scr_vec3 n = vec3_cross(z_axis(&a), z_axis(&b));
        double u = draw(&d, -0.9, 0.9) * a.half.z, v = draw(&d, -0.9, 0.9) * b.half.z, nudge = nudges[k % 6];
        if (vec3_norm(n) < 0.2) continue;
        n = vec3_unit(n);
        a.pose.position = vec3_scale(-u, z_axis(&a));
        b.pose.position = vec3_add_scaled(vec3_scale(-v, z_axis(&b)), nudge, n);
        contact_point out[MANIFOLD_MAX];
        assert_int_equal(checked_both_ways(&a, &b, 0.0, out), 1);
        assert_within(out[0].gap, nudge - a.radius - b.radius, 1e-13);
        assert_within(fabs(vec3_dot(out[0].normal, n)), 1.0, 1e-12);
        if (nudge > 1e-14) assert_true(vec3_dot(out[0].normal, n) > 0.0);
        assert_same_vector(out[0].point, vec3_scale(0.5 * (a.radius - b.radius), out[0].normal), 1e-9 + nudge);
    }
    // One in the other, on one axis: out to the side.
    placed_shape a = make_round(SCR_CAPSULE, vec3(1, 2, 3), draw_rotation(&d), 0.5, 1.0), b = a;
    contact_point out[MANIFOLD_MAX];
    assert_int_equal(checked_both_ways(&a, &b, 0.0, out), 2);
    assert_within(out[0].gap, -1.0, 1e-14);
    assert_within(vec3_dot(out[0].normal, z_axis(&a)), 0.0, 1e-13);
    b.pose.position = vec3_add_scaled(a.pose.position, 1.5, z_axis(&a));
    assert_int_equal(checked_both_ways(&a, &b, 0.0, out), 2);
    assert_within(out[1].gap, -1.0, 1e-14);
}

static void a_log_on_a_log_keeps_its_points_when_it_rocks(void **state)
{
    (void)state;
    draws d = {82, 0};
    for (int k = 0; k < TRIALS; ++k) {
        placed_shape a = make_round(SCR_CAPSULE, vec3(0, 0, 0), QUAT_IDENTITY, 0.3, 1.0), b = a;
        b.pose.position = vec3(0.599, 0.0, k % 2 == 0 ? 0.0 : 0.4);
        contact_point before[MANIFOLD_MAX], after[MANIFOLD_MAX];
        assert_int_equal(checked_both_ways(&a, &b, 0.01, before), 2);
        const double tiny = 1e-6;
        scr_vec3 t = draw_vector(&d, tiny);
        b.pose.position = vec3_add(b.pose.position, draw_vector(&d, tiny));
        b.pose.rotation = quat_unit((scr_quat){1.0, t.x, t.y, t.z});
        int count = checked_both_ways(&a, &b, 0.01, after);
        assert_in_range(count, 2, 3);
        for (int i = 0; i < 2; ++i) {
            assert_int_equal(after[i].feature, before[i].feature);
            assert_within(after[i].gap, before[i].gap, 10.0 * tiny);
            assert_same_vector(after[i].normal, before[i].normal, 20.0 * tiny);
            assert_same_vector(after[i].point, before[i].point, 20.0 * tiny);
        }
    }
}

// A capsule on a solid, in the solid's frame: its two points are where the stretch along the solid ends.
static void assert_lies_on(placed_shape solid, scr_vec3 middle, scr_quat rotation, double half, scr_vec3 first,
                           scr_vec3 second, scr_vec3 normal, double gap)
{
    draws d = {83, 0};
    for (int k = 0; k < 20; ++k) {
        motion m = {draw_rotation(&d), draw_vector(&d, 2.0)};
        placed_shape a = moved(m, make_round(SCR_CAPSULE, middle, rotation, 0.25, half)), b = moved(m, solid);
        contact_point out[MANIFOLD_MAX];
        assert_int_equal(checked_both_ways(&a, &b, 0.05, out), 2);
        for (int i = 0; i < 2; ++i) {
            assert_within(out[i].gap, gap, 1e-13);
            assert_same_vector(out[i].normal, quat_rotate(m.rotation, normal), 1e-12);
            assert_same_vector(out[i].point, moved_point(m, i == 0 ? first : second), 1e-12);
        }
        // Rocking by a hair it keeps them.
        const double tiny = 1e-7;
        scr_vec3 t = draw_vector(&d, tiny);
        contact_point after[MANIFOLD_MAX];
        a.pose.rotation = quat_unit(quat_mul((scr_quat){1.0, t.x, t.y, t.z}, a.pose.rotation));
        assert_in_range(checked_both_ways(&a, &b, 0.05, after), 2, 3);
        for (int i = 0; i < 2; ++i) {
            assert_int_equal(after[i].feature, out[i].feature);
            assert_same_vector(after[i].point, out[i].point, 100.0 * tiny);
            assert_same_vector(after[i].normal, out[i].normal, 100.0 * tiny);
        }
    }
}

static void a_capsule_lies_on_faces_edges_and_generators_with_two_points(void **state)
{
    (void)state;
    const scr_quat along_x = quat_unit((scr_quat){1, 0, 1, 0}), along_z = QUAT_IDENTITY;
    const scr_vec3 down = vec3(0, 0, -1), inwards = vec3(-1, 0, 0);
    placed_shape box = make_box(vec3(0, 0, 0), QUAT_IDENTITY, vec3(1, 0.5, 0.5));
    placed_shape cylinder = make_round(SCR_CYLINDER, vec3(0, 0, 0), QUAT_IDENTITY, 1.0, 0.5);
    for (int k = -1; k <= 1; ++k) {
        double gap = 0.01 * k, z = 0.75 + gap, at = 0.5 + 0.5 * gap;
        // Shorter than the face; longer; beside an edge, at 45 degrees.
        assert_lies_on(box, vec3(0.1, 0.2, z), along_x, 0.5, vec3(-0.4, 0.2, at), vec3(0.6, 0.2, at), down, gap);
        assert_lies_on(box, vec3(0.1, 0.2, z), along_x, 5.0, vec3(-1, 0.2, at), vec3(1, 0.2, at), down, gap);
        double out = (0.25 + gap) / sqrt(2.0), half_out = 0.5 * gap / sqrt(2.0);
        assert_lies_on(box, vec3(0.0, 0.5 + out, 0.5 + out), along_x, 0.5, vec3(-0.5, 0.5 + half_out, 0.5 + half_out),
                       vec3(0.5, 0.5 + half_out, 0.5 + half_out), vec3_unit(vec3(0, -1, -1)), gap);
        // On a cylinder's end, cut by its rim; along its side.
        assert_lies_on(cylinder, vec3(0.1, 0.6, z), along_x, 3.0, vec3(-0.8, 0.6, at), vec3(0.8, 0.6, at), down, gap);
        assert_lies_on(cylinder, vec3(1.25 + gap, 0, 0.2), along_z, 1.0, vec3(1.0 + 0.5 * gap, 0, -0.5),
                       vec3(1.0 + 0.5 * gap, 0, 0.5), inwards, gap);
        // Under a cone's base.
        placed_shape cone = make_round(SCR_CONE, vec3(0, 0, 0), QUAT_IDENTITY, 1.0, 0.5);
        assert_lies_on(cone, vec3(0.1, 0.6, -z), along_x, 0.3, vec3(-0.2, 0.6, -at), vec3(0.4, 0.6, -at), vec3(0, 0, 1),
                       gap);
    }
}

// ---- On a plane ----

static void each_point_on_a_plane_is_the_shapes_own_and_the_lowest_is_among_them(void **state)
{
    (void)state;
    const scr_shape_kind kinds[] = {SCR_CAPSULE, SCR_CYLINDER, SCR_CONE};
    const double leans[] = {0.0, 1e-15, 1e-11, 1e-8, 1e-5, 1e-2, 0.09, 0.2};
    draws d = {90, 0};
    for (int k = 0; k < 2 * TRIALS; ++k) {
        placed_shape s = draw_shape(&d, kinds[k % 3], 0.5), plane = draw_shape(&d, SCR_PLANE, 0.5);
        scr_vec3 up = z_axis(&plane), t = draw_vector(&d, leans[k / 6 % 8]);
        if (k / 3 % 2 == 0) {  // nearly upright, or upside down, or lying
            const scr_quat about[] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {1, 1, 0, 0}};
            s.pose.rotation = quat_mul(about[k / 48 % 3], (scr_quat){0.6, 0, 0, 0.8});
            s.pose.rotation = quat_mul((scr_quat){1, t.x, t.y, t.z}, s.pose.rotation);
            s.pose.rotation = quat_unit(quat_mul(plane.pose.rotation, s.pose.rotation));
        }
        double height = vec3_dot(up, vec3_sub(s.pose.position, plane.pose.position));
        double lowest = height - (core_support(&s, vec3_neg(up), s.pose.position) + core_radius(&s));
        contact_point out[MANIFOLD_MAX];
        int count = checked_both_ways(&s, &plane, 0.2, out);
        if (fabs(lowest - 0.2) < 1e-9) continue;
        assert_int_equal(count > 0, lowest < 0.2);
        if (count == 0) continue;
        assert_within(nearest_of(out, count)->gap, lowest, 2e-12);
        for (int i = 0; i < count; ++i) {
            assert_same_vector(out[i].normal, vec3_neg(up), 1e-14);
            scr_vec3 on_plane = vec3_add_scaled(out[i].point, 0.5 * out[i].gap, out[i].normal);
            scr_vec3 core = vec3_add_scaled(out[i].point, 0.5 * out[i].gap + core_radius(&s), up);
            assert_within(vec3_dot(up, vec3_sub(on_plane, plane.pose.position)), 0.0, 1e-12);
            assert_within(outside_core(&s, core), 0.0, 1e-12);
            for (int j = 0; j < i; ++j) assert_true(vec3_norm(vec3_sub(out[i].point, out[j].point)) > 1e-8);
        }
    }
}

// Standing: four points a quarter turn apart. Lying: the two ends of the generator below. On a tip: one.
static void round_shapes_stand_on_four_points_and_lie_on_two(void **state)
{
    (void)state;
    placed_shape plane = make_plane(vec3(0, 0, 0), QUAT_IDENTITY);
    contact_point out[MANIFOLD_MAX];
    const scr_quat upside_down = {0, 1, 0, 0}, lying = quat_unit((scr_quat){1, 0, 1, 0});  // z to x
    for (int k = 0; k < 3; ++k) {
        placed_shape s = make_round(k == 2 ? SCR_CONE : SCR_CYLINDER, vec3(0, 0, 0.999),
                                    k == 1 ? upside_down : QUAT_IDENTITY, 0.5, 1.0);
        assert_int_equal(checked_both_ways(&s, &plane, 0.01, out), 4);
        scr_vec3 sum = {0};
        for (int i = 0; i < 4; ++i) {
            assert_within(out[i].gap, -0.001, 1e-15);
            assert_within(sqrt(out[i].point.x * out[i].point.x + out[i].point.y * out[i].point.y), 0.5, 1e-15);
            sum = vec3_add(sum, out[i].point);
        }
        assert_within(sqrt(sum.x * sum.x + sum.y * sum.y), 0.0, 1e-14);
        // Leaning, the lowest point of the rim comes first, and the four stay where they were.
        contact_point leaning[MANIFOLD_MAX];
        s.pose.rotation = quat_unit(quat_mul((scr_quat){1, 3e-4, 4e-4, 0}, s.pose.rotation));
        assert_int_equal(checked_both_ways(&s, &plane, 0.01, leaning), 5);
        assert_int_equal(leaning[0].feature, k == 1);
        for (int i = 0; i < 4; ++i) {
            assert_int_equal(leaning[i + 1].feature, out[i].feature);
            assert_same_vector(leaning[i + 1].point, out[i].point, 2e-3);
        }
    }
    placed_shape s = make_round(SCR_CYLINDER, vec3(0, 0, 0.499), lying, 0.5, 1.0);
    assert_int_equal(checked_both_ways(&s, &plane, 0.01, out), 2);
    for (int i = 0; i < 2; ++i) assert_same_vector(out[i].point, vec3(2 * i - 1, 0, -0.0005), 1e-14);
    s.kind = SCR_CAPSULE;
    assert_int_equal(checked_both_ways(&s, &plane, 0.01, out), 2);
    for (int i = 0; i < 2; ++i) assert_same_vector(out[i].point, vec3(2 * i - 1, 0, -0.0005), 1e-14);
    s = make_round(SCR_CONE, vec3(0, 0, 1.001), upside_down, 0.5, 1.0);
    assert_int_equal(checked_both_ways(&s, &plane, 0.01, out), 1);
    assert_same_vector(out[0].point, vec3(0, 0, 0.0005), 1e-14);
}

// On a box: four points of the rim where the end is on the face, the two ends of a line on its side, the corners and
// crossings where the face is the smaller one.
static void a_cylinder_stands_and_lies_on_a_box(void **state)
{
    (void)state;
    draws d = {91, 0};
    const scr_quat lying = quat_unit((scr_quat){1, 0, 1, 0});  // z to x
    const double tilts[] = {0.0, 1e-9, 1e-6, 1e-3};
    for (int k = 0; k < 400; ++k) {
        motion m = {draw_rotation(&d), draw_vector(&d, 2.0)};
        double gap = k % 3 == 0 ? 0.002 : -0.002, tilt = tilts[k / 3 % 4];
        scr_vec3 t = draw_vector(&d, tilt);
        scr_quat lean = quat_unit((scr_quat){1, t.x, t.y, t.z});
        placed_shape big = moved(m, make_box(vec3(0, 0, -0.5), QUAT_IDENTITY, vec3(2, 2, 0.5)));
        placed_shape small = moved(m, make_box(vec3(0, 0, -0.5), QUAT_IDENTITY, vec3(0.2, 0.3, 0.5)));
        placed_shape standing = moved(m, make_round(SCR_CYLINDER, vec3(0.1, 0, 1 + gap), lean, 0.5, 1.0));
        placed_shape flat = moved(m, make_round(SCR_CYLINDER, vec3(0, 0, 0.5 + gap), quat_mul(lean, lying), 0.5, 1.0));
        contact_point out[MANIFOLD_MAX];
        int count = checked_both_ways(&big, &standing, 0.02, out);
        assert_in_range(count, 4, tilt > 0.0 ? 5 : 4);  // leaning, the lowest point as well
        for (int i = 0; i < 4; ++i) {
            assert_int_equal(out[i].feature, i);
            assert_within(out[i].gap, gap, 2.0 * tilt + 1e-13);
            scr_vec3 p = quat_unrotate(m.rotation, vec3_sub(out[i].point, m.shift));
            assert_within(sqrt((p.x - 0.1) * (p.x - 0.1) + p.y * p.y), 0.5, 5.0 * tilt + 1e-13);
        }
        assert_int_equal(checked_both_ways(&big, &flat, 0.02, out), 2);
        assert_within(vec3_norm(vec3_sub(out[0].point, out[1].point)), 2.0, 1e-5);
        count = checked_both_ways(&small, &standing, 0.02, out);  // its corners
        assert_in_range(count, 4, 5);
        for (int i = 0; i < 4; ++i) assert_in_range(out[i].feature, 4, 11);
        count = checked_both_ways(&small, &flat, 0.02, out);  // the line cut by the face
        assert_in_range(count, 2, 3);
        assert_within(vec3_norm(vec3_sub(out[0].point, out[1].point)), 0.4, 1e-2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_pairs_are_certified),
        cmocka_unit_test(a_common_motion_moves_the_contacts_with_it),
        cmocka_unit_test(far_from_the_origin_nothing_changes),
        cmocka_unit_test(no_place_of_two_shapes_gives_anything_but_numbers),
        cmocka_unit_test(coordinates_that_are_no_numbers_meet_nothing),
        cmocka_unit_test(a_sphere_on_the_axis_of_a_round_shape_leaves_by_the_shortest_way),
        cmocka_unit_test(parallel_capsules_meet_at_the_ends_of_the_stretch_they_share),
        cmocka_unit_test(crossing_capsules_part_across_both_axes),
        cmocka_unit_test(a_log_on_a_log_keeps_its_points_when_it_rocks),
        cmocka_unit_test(a_capsule_lies_on_faces_edges_and_generators_with_two_points),
        cmocka_unit_test(each_point_on_a_plane_is_the_shapes_own_and_the_lowest_is_among_them),
        cmocka_unit_test(a_cylinder_stands_and_lies_on_a_box),
        cmocka_unit_test(round_shapes_stand_on_four_points_and_lie_on_two),
    };
    return cmocka_run_group_tests(tests, spread_directions, NULL);
}
