// SPDX-License-Identifier: BSD-3-Clause
// Convex shapes: support points and flat features, each in the shape's own frame.
//
//   box        x = (hx sign dx, hy sign dy, hz sign dz)
//   ellipsoid  x = D^2 d / |D d|,  D = diag(semi-axes)
//   cylinder   x = (r dx, r dy) / |(dx, dy)|, and z = l sign dz
//   cone       the tip (0, 0, l), or the point of the base's rim nearest to d: the one farther along d
#include "collision/convex/convex_shape.h"

static double with_sign(double size, double of) { return of < 0.0 ? -size : size; }

static convex_shape core_of(const placed_shape *shape)
{
    convex_shape s = {.half = shape->half, .radius = shape->radius};
    double r = shape->radius, l = shape->half.z;
    switch (shape->kind) {
    case SCR_SPHERE:
        s.kind = CORE_POINT;
        s.margin = r;
        break;
    case SCR_CAPSULE:
        s.kind = CORE_LINE;
        s.margin = r;
        s.size = l;
        break;
    case SCR_ELLIPSOID:
        s.kind = CORE_ELLIPSOID;
        s.size = fmax(s.half.x, fmax(s.half.y, s.half.z));
        s.inner = fmin(s.half.x, fmin(s.half.y, s.half.z));
        s.rolling = s.inner * s.inner / s.size;
        break;
    case SCR_BOX:
        s.kind = CORE_BOX;
        s.size = vec3_norm(s.half);
        s.inner = fmin(s.half.x, fmin(s.half.y, s.half.z));
        break;
    case SCR_CYLINDER:
        s.kind = CORE_CYLINDER;
        s.size = sqrt(r * r + l * l);
        s.inner = fmin(r, l);
        break;
    case SCR_CONE:
        s.kind = CORE_CONE;
        s.size = sqrt(r * r + l * l);
        s.inner = fmin(l, r * l / sqrt(r * r + 4.0 * l * l));
        break;
    default:
        s.kind = CORE_HULL;
        s.hull = shape->surface->hull;
        s.size = shape->surface->radius;
        s.inner = s.hull->inner_radius;
        break;
    }
    return s;
}

convex_shape convex_of_shape(const placed_shape *shape, const placed_shape *frame)
{
    convex_shape s = core_of(shape);
    if (shape == frame) return s;
    s.is_rotated = true;
    s.centre = pose_unapply(frame->pose, shape->pose.position);
    s.rotation = mat3_from_quat(quat_mul(quat_conj(frame->pose.rotation), shape->pose.rotation));
    return s;
}

convex_shape convex_of_triangle(const scr_vec3 corner[3], const placed_shape *frame)
{
    convex_shape s = {.kind = CORE_TRIANGLE};
    scr_vec3 b = vec3_sub(corner[1], corner[0]), c = vec3_sub(corner[2], corner[0]);
    scr_vec3 middle = vec3_scale(1.0 / 3.0, vec3_add(b, c));
    const scr_vec3 arm[3] = {vec3_neg(middle), vec3_sub(b, middle), vec3_sub(c, middle)};
    s.centre = quat_unrotate(frame->pose.rotation, vec3_add(vec3_sub(corner[0], frame->pose.position), middle));
    for (int k = 0; k < 3; ++k) {
        s.corner[k] = quat_unrotate(frame->pose.rotation, arm[k]);
        s.size = fmax(s.size, vec3_norm(arm[k]));
    }
    return s;
}

// The rim of a disc across z, at height z, where it is nearest to d.
static scr_vec3 rim_towards(double radius, double z, scr_vec3 d)
{
    double across = sqrt(d.x * d.x + d.y * d.y);
    if (!(across > 0.0)) return vec3(radius, 0.0, z);
    return vec3(radius * d.x / across, radius * d.y / across, z);
}

static scr_vec3 cone_support(const convex_shape *s, scr_vec3 d)
{
    scr_vec3 rim = rim_towards(s->radius, -s->half.z, d);
    return vec3_dot(rim, d) > s->half.z * d.z ? rim : vec3(0.0, 0.0, s->half.z);
}

static scr_vec3 ellipsoid_support(const convex_shape *s, scr_vec3 d)
{
    scr_vec3 stretched = vec3_mul(s->half, d);
    double norm = vec3_norm(stretched);
    return norm > 0.0 ? vec3_scale(1.0 / norm, vec3_mul(s->half, stretched)) : vec3(s->half.x, 0.0, 0.0);
}

static int triangle_support(const convex_shape *s, scr_vec3 d)
{
    double a = vec3_dot(d, s->corner[0]), b = vec3_dot(d, s->corner[1]), c = vec3_dot(d, s->corner[2]);
    return a >= b ? (a >= c ? 0 : 2) : (b >= c ? 1 : 2);
}

support_point convex_support(const convex_shape *s, scr_vec3 direction, int32_t from)
{
    scr_vec3 d = into_shape(s, direction), x = {0};
    switch (s->kind) {
    case CORE_POINT: break;
    case CORE_LINE: x = vec3(0.0, 0.0, with_sign(s->half.z, d.z)); break;
    case CORE_ELLIPSOID: x = ellipsoid_support(s, d); break;
    case CORE_BOX: x = vec3(with_sign(s->half.x, d.x), with_sign(s->half.y, d.y), with_sign(s->half.z, d.z)); break;
    case CORE_CYLINDER: x = rim_towards(s->radius, with_sign(s->half.z, d.z), d); break;
    case CORE_CONE: x = cone_support(s, d); break;
    case CORE_HULL:
        from = hull_support(s->hull, d, from);
        x = s->hull->corner[from];
        break;
    case CORE_TRIANGLE:
        from = triangle_support(s, d);
        x = s->corner[from];
        break;
    }
    return (support_point){out_of_shape(s, x), from};
}

scr_vec3 rim_point(const convex_shape *s, int end, int k)
{
    static const double H = 0.70710678118654752440;
    static const double cosine[RIM_POINTS] = {1.0, H, 0.0, -H, -1.0, -H, 0.0, H};
    return vec3(s->radius * cosine[k], s->radius * cosine[(k + 6) % RIM_POINTS], end * s->half.z);
}

static void add_corner(flat_feature *feature, scr_vec3 at, int number)
{
    feature->at[feature->count] = at;
    feature->number[feature->count++] = (uint16_t)number;
}

static void box_feature(const convex_shape *s, scr_vec3 n, flat_feature *feature)
{
    const double d[3] = {n.x, n.y, n.z}, half[3] = {s->half.x, s->half.y, s->half.z};
    int most = 0, least = 0;
    for (int k = 1; k < 3; ++k) {
        if (fabs(d[k]) > fabs(d[most])) most = k;
        if (fabs(d[k]) < fabs(d[least])) least = k;
    }
    int nearest = (d[0] >= 0.0) | (d[1] >= 0.0) << 1 | (d[2] >= 0.0) << 2;
    int corner[4], count = 0;
    if (fabs(d[most]) >= FACE_COSINE) {
        int u = 1 << (most + 1) % 3, v = 1 << (most + 2) % 3, base = nearest & 1 << most;
        const int round[4] = {base, base | u, base | u | v, base | v};
        for (int k = 0; k < 4; ++k) corner[count++] = round[base != 0 ? k : 3 - k];
    } else if (fabs(d[least]) <= LINE_SINE) {
        corner[count++] = nearest & ~(1 << least);
        corner[count++] = nearest | 1 << least;
    }
    for (int k = 0; k < count; ++k) {
        double x[3];
        for (int axis = 0; axis < 3; ++axis) x[axis] = corner[k] >> axis & 1 ? half[axis] : -half[axis];
        add_corner(feature, vec3(x[0], x[1], x[2]), corner[k]);
    }
}

static void disc_feature(const convex_shape *s, int end, flat_feature *feature)
{
    for (int k = 0; k < RIM_POINTS; ++k) {
        int number = end > 0 ? k : RIM_POINTS - 1 - k;
        add_corner(feature, rim_point(s, end, number), number + (end > 0 ? RIM_POINTS : 0));
    }
}

enum { LINE_NUMBER = 2 * RIM_POINTS };  // the two ends of a straight line on a round shape

static void line_feature(scr_vec3 from, scr_vec3 to, flat_feature *feature)
{
    add_corner(feature, from, LINE_NUMBER);
    add_corner(feature, to, LINE_NUMBER + 1);
}

static void round_feature(const convex_shape *s, scr_vec3 n, flat_feature *feature)
{
    double l = s->half.z;
    if (s->kind == CORE_LINE) {
        if (fabs(n.z) <= LINE_SINE) line_feature(vec3(0.0, 0.0, -l), vec3(0.0, 0.0, l), feature);
    } else if (s->kind == CORE_CYLINDER) {
        if (fabs(n.z) >= FACE_COSINE) disc_feature(s, n.z > 0.0 ? 1 : -1, feature);
        else if (fabs(n.z) <= LINE_SINE)
            line_feature(rim_towards(s->radius, -l, n), rim_towards(s->radius, l, n), feature);
    } else {
        scr_vec3 rim = rim_towards(s->radius, -l, n), tip = vec3(0.0, 0.0, l), along = vec3_sub(tip, rim);
        if (n.z <= -FACE_COSINE) disc_feature(s, -1, feature);
        else if (fabs(vec3_dot(along, n)) <= LINE_SINE * vec3_norm(along)) line_feature(rim, tip, feature);
    }
}

static void hull_face_feature(const hull *h, int32_t face, flat_feature *feature)
{
    int64_t size = h->face_start[face + 1] - h->face_start[face],
            count = size < FEATURE_CORNERS ? size : FEATURE_CORNERS;
    for (int64_t k = 0; k < count; ++k) {
        int32_t corner = h->face_corner[h->face_start[face] + k * size / count];
        add_corner(feature, h->corner[corner], corner);
    }
}

// The face at the corner that faces n most, or the edge there that is most nearly square to it.
static void hull_feature(const hull *h, scr_vec3 n, int32_t corner, flat_feature *feature)
{
    double best = FACE_COSINE;
    int32_t face = -1;
    for (int32_t k = h->corner_face_start[corner]; k < h->corner_face_start[corner + 1]; ++k) {
        double cosine = vec3_dot(n, h->face_normal[h->corner_face[k]]);
        if (cosine >= best) {
            best = cosine;
            face = h->corner_face[k];
        }
    }
    if (face >= 0) {
        hull_face_feature(h, face, feature);
        return;
    }
    best = LINE_SINE;
    int32_t end = -1;
    for (int32_t k = h->near_start[corner]; k < h->near_start[corner + 1]; ++k) {
        scr_vec3 along = vec3_sub(h->corner[h->near[k]], h->corner[corner]);
        double length = vec3_norm(along), sine = fabs(vec3_dot(n, along));
        if (sine > best * length || !(length > 0.0)) continue;
        best = sine / length;
        end = h->near[k];
    }
    if (end < 0) return;
    int32_t low = corner < end ? corner : end, high = corner < end ? end : corner;
    add_corner(feature, h->corner[low], low);
    add_corner(feature, h->corner[high], high);
}

static void triangle_feature(const convex_shape *s, scr_vec3 n, flat_feature *feature)
{
    scr_vec3 area = vec3_cross(vec3_sub(s->corner[1], s->corner[0]), vec3_sub(s->corner[2], s->corner[0]));
    double facing = vec3_dot(n, area);
    if (fabs(facing) >= FACE_COSINE * vec3_norm(area)) {
        for (int k = 0; k < 3; ++k) {
            int corner = facing > 0.0 ? k : 2 - k;
            add_corner(feature, s->corner[corner], corner);
        }
        return;
    }
    int top = triangle_support(s, n), one = (top + 1) % 3, two = (top + 2) % 3;
    scr_vec3 along[2] = {vec3_sub(s->corner[one], s->corner[top]), vec3_sub(s->corner[two], s->corner[top])};
    double sine[2] = {fabs(vec3_dot(n, along[0])) / vec3_norm(along[0]),
                      fabs(vec3_dot(n, along[1])) / vec3_norm(along[1])};
    int best = sine[1] < sine[0];
    if (!(sine[best] <= LINE_SINE)) return;
    int end = best == 0 ? one : two;
    add_corner(feature, s->corner[top < end ? top : end], top < end ? top : end);
    add_corner(feature, s->corner[top < end ? end : top], top < end ? end : top);
}

void convex_flat_feature(const convex_shape *s, scr_vec3 direction, int32_t corner, flat_feature *feature)
{
    scr_vec3 n = into_shape(s, direction);
    feature->count = 0;
    switch (s->kind) {
    case CORE_POINT:
    case CORE_ELLIPSOID: break;
    case CORE_BOX: box_feature(s, n, feature); break;
    case CORE_LINE:
    case CORE_CYLINDER:
    case CORE_CONE: round_feature(s, n, feature); break;
    case CORE_HULL: hull_feature(s->hull, n, corner, feature); break;
    case CORE_TRIANGLE: triangle_feature(s, n, feature); break;
    }
    for (int k = 0; k < feature->count; ++k) feature->at[k] = out_of_shape(s, feature->at[k]);
}
