// SPDX-License-Identifier: BSD-3-Clause
// Shapes: making, checking, weighing and placing them.
//
//   sphere     V = 4/3 pi r^3        I = 2/5 m r^2 on every axis
//   ellipsoid  V = 4/3 pi a b c      Ix = m/5 (b^2 + c^2), and so on round the axes
//   box        V = 8 hx hy hz        Ix = m/3 (hy^2 + hz^2), and so on round the axes
//   cylinder   V = 2 pi r^2 l        Iz = m/2 r^2,   Ix = Iy = m (r^2/4 + l^2/3)           l: half the axis
//   cone       V = 2/3 pi r^2 l      Iz = 3/10 m r^2, Ix = Iy = 3/20 m (r^2 + l^2)         centre of mass at z = -l/2
//   capsule    a cylinder and two half balls, whose centres of mass are 3/8 r beyond the cylinder's ends:
//              Ix = Iy = I_cylinder + m_balls (2/5 r^2 + l^2 + 3/4 r l)
//   hull, mesh the solid inside their triangles (geometry/surface/surface.h); a sheet has no volume
//   moved    I = R diag(Ix, Iy, Iz) R^T + m (|d|^2 1 - d d^T)    turned by R, seen from a point d away (parallel axes)
//
// A rotation given by a user is taken as unit when it is so to a few digits, and made so to the last one here.
#include "geometry/shape/placed_shape.h"

#include "core/base/status.h"

static const double PI = 3.14159265358979323846;

// Lengths of shapes stay well inside the range in which squares, volumes and inertias are ordinary numbers.
static const double LENGTH_MIN = 1e-9, LENGTH_MAX = 1e9;  // m
// A quaternion typed with four digits still passes; a forgotten or a mistyped one does not.
static const double ROTATION_LENGTH_ERROR = 1e-3;

scr_shape scr_sphere(double radius, scr_material material)
{
    return (scr_shape){.kind = SCR_SPHERE, .material = material, .rotation = QUAT_IDENTITY, .radius = radius};
}

scr_shape scr_ellipsoid(scr_vec3 semi_axes, scr_material material)
{
    return (scr_shape){.kind = SCR_ELLIPSOID, .material = material, .rotation = QUAT_IDENTITY, .half = semi_axes};
}

scr_shape scr_box(scr_vec3 half_edges, scr_material material)
{
    return (scr_shape){.kind = SCR_BOX, .material = material, .rotation = QUAT_IDENTITY, .half = half_edges};
}

static scr_shape along_axis(scr_shape_kind kind, double radius, double half_length, scr_material material)
{
    return (scr_shape){.kind = kind,
                       .material = material,
                       .rotation = QUAT_IDENTITY,
                       .radius = radius,
                       .half = {radius, radius, half_length}};
}

scr_shape scr_capsule(double radius, double half_length, scr_material material)
{
    return along_axis(SCR_CAPSULE, radius, half_length, material);
}

scr_shape scr_cylinder(double radius, double half_length, scr_material material)
{
    return along_axis(SCR_CYLINDER, radius, half_length, material);
}

scr_shape scr_cone(double radius, double half_length, scr_material material)
{
    return along_axis(SCR_CONE, radius, half_length, material);
}

scr_shape scr_plane(scr_material material)
{
    return (scr_shape){.kind = SCR_PLANE, .material = material, .rotation = QUAT_IDENTITY};
}

static scr_status check_length(double length, const char *field, scr_error *error)
{
    if (!(length > 0.0)) return scr_fail(error, SCR_BAD_INPUT, "%s must be positive, not %g", field, length);
    if (length < LENGTH_MIN || length > LENGTH_MAX)
        return scr_fail(error, SCR_BAD_INPUT, "%s must be between %g m and %g m, not %g", field, LENGTH_MIN, LENGTH_MAX,
                        length);
    return SCR_OK;
}

static scr_status check_lengths(scr_vec3 half, scr_error *error)
{
    scr_status status = check_length(half.x, "half.x", error);
    if (status == SCR_OK) status = check_length(half.y, "half.y", error);
    return status == SCR_OK ? check_length(half.z, "half.z", error) : status;
}

scr_status shape_check(const scr_shape *shape, scr_error *error)
{
    if ((unsigned)shape->kind > SCR_SPHERE_SET)
        return scr_fail(error, SCR_BAD_INPUT, "there is no kind of shape with the number %d", (int)shape->kind);

    scr_vec3 p = shape->position;
    if (!(fabs(p.x) <= LENGTH_MAX && fabs(p.y) <= LENGTH_MAX && fabs(p.z) <= LENGTH_MAX))
        return scr_fail(error, SCR_BAD_INPUT, "position must be within %g m of the body, not (%g, %g, %g)", LENGTH_MAX,
                        p.x, p.y, p.z);
    scr_quat q = shape->rotation;
    if (!(fabs(sqrt(quat_norm2(q)) - 1.0) <= ROTATION_LENGTH_ERROR))
        return scr_fail(error, SCR_BAD_INPUT,
                        "rotation must be a quaternion (w, x, y, z) of length 1, not (%g, %g, %g, %g)", q.w, q.x, q.y,
                        q.z);

    switch (shape->kind) {
    case SCR_SPHERE: return check_length(shape->radius, "radius", error);
    case SCR_ELLIPSOID:
    case SCR_BOX: return check_lengths(shape->half, error);
    case SCR_CAPSULE:
    case SCR_CYLINDER:
    case SCR_CONE: {
        scr_status status = check_length(shape->radius, "radius", error);
        return status == SCR_OK ? check_length(shape->half.z, "half.z", error) : status;
    }
    case SCR_HULL:
    case SCR_MESH:
    case SCR_HEIGHTFIELD:
    case SCR_SPHERE_SET:
        if (shape->surface.index1 == 0)
            return scr_fail(error, SCR_BAD_INPUT, "surface must be one of the world's, but is none");
        break;
    case SCR_PLANE: break;
    }
    return SCR_OK;
}

double shape_volume(const scr_shape *shape, const shape_surface *s)
{
    double r = shape->radius, l = shape->half.z;
    switch (shape->kind) {
    case SCR_SPHERE: return 4.0 / 3.0 * PI * r * r * r;
    case SCR_ELLIPSOID: return 4.0 / 3.0 * PI * shape->half.x * shape->half.y * shape->half.z;
    case SCR_BOX: return 8.0 * shape->half.x * shape->half.y * shape->half.z;
    case SCR_CAPSULE: return 2.0 * PI * r * r * l + 4.0 / 3.0 * PI * r * r * r;
    case SCR_CYLINDER: return 2.0 * PI * r * r * l;
    case SCR_CONE: return 2.0 / 3.0 * PI * r * r * l;
    case SCR_HULL:
    case SCR_MESH: return s->volume;
    case SCR_HEIGHTFIELD:
    case SCR_PLANE:
    case SCR_SPHERE_SET: break;
    }
    return 0.0;
}

double shape_bounding_radius(const scr_shape *shape, const shape_surface *s)
{
    switch (shape->kind) {
    case SCR_SPHERE: return shape->radius;
    case SCR_ELLIPSOID: return fmax(shape->half.x, fmax(shape->half.y, shape->half.z));
    case SCR_BOX: return vec3_norm(shape->half);
    case SCR_CAPSULE: return shape->radius + shape->half.z;
    case SCR_CYLINDER:
    case SCR_CONE: return sqrt(shape->radius * shape->radius + shape->half.z * shape->half.z);
    case SCR_HULL:
    case SCR_MESH:
    case SCR_HEIGHTFIELD:
    case SCR_SPHERE_SET: return s->radius;
    case SCR_PLANE: break;
    }
    return INFINITY;
}

// The capsule's moment across its axis, for a mass of one.
static double capsule_across(double r, double l)
{
    double tube = 2.0 * l, balls = 4.0 / 3.0 * r, share = balls / (tube + balls);
    return (1.0 - share) * (0.25 * r * r + l * l / 3.0) + share * (0.4 * r * r + l * l + 0.75 * r * l);
}

static double capsule_along(double r, double l)
{
    double tube = 2.0 * l, balls = 4.0 / 3.0 * r, share = balls / (tube + balls);
    return (1.0 - share) * 0.5 * r * r + share * 0.4 * r * r;
}

// Moments of inertia about the centre of mass and the shape's own axes, for a mass of one, of the kinds whose axes are
// principal.
static scr_vec3 unit_inertia(const scr_shape *shape)
{
    scr_vec3 h2 = vec3_mul(shape->half, shape->half);
    double r = shape->radius, r2 = r * r, l = shape->half.z, across;
    switch (shape->kind) {
    case SCR_SPHERE: return vec3(0.4 * r2, 0.4 * r2, 0.4 * r2);
    case SCR_ELLIPSOID: return vec3((h2.y + h2.z) / 5.0, (h2.z + h2.x) / 5.0, (h2.x + h2.y) / 5.0);
    case SCR_BOX: return vec3((h2.y + h2.z) / 3.0, (h2.z + h2.x) / 3.0, (h2.x + h2.y) / 3.0);
    case SCR_CAPSULE: across = capsule_across(r, l); return vec3(across, across, capsule_along(r, l));
    case SCR_CYLINDER: across = 0.25 * r2 + h2.z / 3.0; return vec3(across, across, 0.5 * r2);
    case SCR_CONE: across = 0.15 * (r2 + h2.z); return vec3(across, across, 0.3 * r2);
    case SCR_HULL:
    case SCR_MESH:
    case SCR_HEIGHTFIELD:
    case SCR_PLANE:
    case SCR_SPHERE_SET: break;
    }
    return vec3(0.0, 0.0, 0.0);
}

static mat3 rotated(const mat3 *a, scr_quat q)
{
    mat3 rotation = mat3_from_quat(q), back = mat3_transpose(&rotation), half = mat3_mul(&rotation, a);
    return mat3_mul(&half, &back);
}

mass_properties shape_mass_properties(const scr_shape *shape, const shape_surface *s, double density)
{
    double mass = density * shape_volume(shape, s);
    scr_quat q = quat_unit(shape->rotation);
    mass_properties p = {.mass = mass, .centre = shape->position};
    if (kind_has_surface(shape->kind)) {
        p.inertia = rotated(&s->inertia, q);
        for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 3; ++j) p.inertia.m[i][j] *= mass;
        }
        return p;
    }
    if (shape->kind == SCR_CONE) p.centre = vec3_add(p.centre, quat_rotate(q, vec3(0.0, 0.0, -0.5 * shape->half.z)));
    p.inertia = mat3_rotated_diagonal(q, vec3_scale(mass, unit_inertia(shape)));
    return p;
}

// Move the point of reference from the centre of mass by d: add m (|d|^2 1 - d d^T).
static void add_parallel_axes(mat3 *inertia, double mass, scr_vec3 d)
{
    const double v[3] = {d.x, d.y, d.z};
    double d2 = vec3_dot(d, d);
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) inertia->m[i][j] += mass * ((i == j ? d2 : 0.0) - v[i] * v[j]);
    }
}

// Without any mass the centre is the frame's origin.
mass_properties mass_properties_sum(const mass_properties *parts, int count)
{
    mass_properties sum = {0};
    for (int p = 0; p < count; ++p) sum.mass += parts[p].mass;
    if (!(sum.mass > 0.0)) return sum;

    // Relative to the first part, so that a body far from its frame's origin loses no digits.
    scr_vec3 moment = {0};
    for (int p = 1; p < count; ++p)
        moment = vec3_add_scaled(moment, parts[p].mass, vec3_sub(parts[p].centre, parts[0].centre));
    sum.centre = vec3_add_scaled(parts[0].centre, 1.0 / sum.mass, moment);

    for (int p = 0; p < count; ++p) {
        for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 3; ++j) sum.inertia.m[i][j] += parts[p].inertia.m[i][j];
        }
        add_parallel_axes(&sum.inertia, parts[p].mass, vec3_sub(parts[p].centre, sum.centre));
    }
    return sum;
}

placed_shape shape_place(const scr_shape *shape, const shape_surface *s, pose body)
{
    pose seen = pose_compose(body, (pose){shape->position, shape->rotation});
    return (placed_shape){
        .kind = shape->kind,
        .pose = {seen.position, quat_unit(seen.rotation)},
        .radius = shape->radius,
        .half = shape->half,
        .surface = s,
    };
}

// A half-space is bounded only on the side its normal points to, and only if that is exactly an axis.
static scr_aabb plane_aabb(const placed_shape *plane)
{
    scr_aabb box = {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
    scr_vec3 n = quat_z(plane->pose.rotation), p = plane->pose.position;
    if (n.y == 0.0 && n.z == 0.0) *(n.x > 0.0 ? &box.high.x : &box.low.x) = p.x;
    if (n.z == 0.0 && n.x == 0.0) *(n.y > 0.0 ? &box.high.y : &box.low.y) = p.y;
    if (n.x == 0.0 && n.y == 0.0) *(n.z > 0.0 ? &box.high.z : &box.low.z) = p.z;
    return box;
}

// The box about a turned box.
static scr_aabb rotated_box(const placed_shape *shape, scr_vec3 middle, scr_vec3 half)
{
    mat3 r = mat3_from_quat(shape->pose.rotation);
    scr_vec3 at = vec3_add(shape->pose.position, mat3_times(&r, middle));
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) r.m[i][j] = fabs(r.m[i][j]);
    }
    scr_vec3 extent = mat3_times(&r, half);
    return (scr_aabb){vec3_sub(at, extent), vec3_add(at, extent)};
}

// How far a shape with round parts reaches along each axis of the world, to either side of its position. z is the
// shape's axis in the world, u its share along one of the world's axes; a disc of radius r across it reaches
// r sqrt(1 - u^2).
static double disc_reach(double radius, double u) { return radius * sqrt(fmax(0.0, 1.0 - u * u)); }

static scr_aabb round_aabb(const placed_shape *shape)
{
    mat3 rotation = mat3_from_quat(shape->pose.rotation);
    const double at[3] = {shape->pose.position.x, shape->pose.position.y, shape->pose.position.z};
    double low[3], high[3], r = shape->radius, l = shape->half.z;
    for (int i = 0; i < 3; ++i) {
        double u = rotation.m[i][2], up = r, down = r;
        if (shape->kind == SCR_ELLIPSOID)
            up = down =
                vec3_norm(vec3(rotation.m[i][0] * shape->half.x, rotation.m[i][1] * shape->half.y, u * shape->half.z));
        if (shape->kind == SCR_CAPSULE) up = down = r + l * fabs(u);
        if (shape->kind == SCR_CYLINDER) up = down = l * fabs(u) + disc_reach(r, u);
        if (shape->kind == SCR_CONE) {
            up = fmax(l * u, -l * u + disc_reach(r, u));
            down = fmax(-l * u, l * u + disc_reach(r, u));
        }
        low[i] = at[i] - down;
        high[i] = at[i] + up;
    }
    return (scr_aabb){vec3(low[0], low[1], low[2]), vec3(high[0], high[1], high[2])};
}

scr_aabb placed_aabb(const placed_shape *shape)
{
    if (shape->kind == SCR_PLANE) return plane_aabb(shape);
    if (shape->kind == SCR_BOX) return rotated_box(shape, vec3(0.0, 0.0, 0.0), shape->half);
    if (!kind_has_surface(shape->kind)) return round_aabb(shape);
    scr_aabb own = shape->surface->box;
    return rotated_box(shape, vec3_scale(0.5, vec3_add(own.low, own.high)),
                       vec3_scale(0.5, vec3_sub(own.high, own.low)));
}
