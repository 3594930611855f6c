// Shapes: making, checking, weighing and placing them.
//
//   sphere   V = 4/3 pi r^3    I = 2/5 m r^2 on every axis
//   box      V = 8 hx hy hz    Ix = m/3 (hy^2 + hz^2), and so on round the axes
//   moved    I = R diag(Ix, Iy, Iz) R^T + m (|d|^2 1 - d d^T)    turned by R, seen from a point d away (parallel axes)
//
// A rotation given by a user is taken as unit when it is so to a few digits, and made so to the last one here.
#include "geometry/placed_shape.h"

#include "core/status.h"

static const double PI = 3.14159265358979323846;

// Lengths of shapes stay well inside the range in which squares, volumes and inertias are ordinary numbers.
static const double LENGTH_MIN = 1e-9, LENGTH_MAX = 1e9; // m
// A quaternion typed with four digits still passes; a forgotten or a mistyped one does not.
static const double ROTATION_LENGTH_ERROR = 1e-3;

scr_shape scr_sphere(double radius, scr_material material)
{
    return (scr_shape){.kind = SCR_SPHERE, .material = material, .rotation = QUAT_IDENTITY, .radius = radius};
}

scr_shape scr_box(scr_vec3 half_edges, scr_material material)
{
    return (scr_shape){.kind = SCR_BOX, .material = material, .rotation = QUAT_IDENTITY, .half = half_edges};
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

scr_status shape_check(const scr_shape *shape, scr_error *error)
{
    if (shape->kind != SCR_SPHERE && shape->kind != SCR_BOX && shape->kind != SCR_PLANE)
        return scr_fail(error, SCR_BAD_INPUT, "kind must be sphere, box or plane, not number %d", (int)shape->kind);

    scr_vec3 p = shape->position;
    if (!(fabs(p.x) <= LENGTH_MAX && fabs(p.y) <= LENGTH_MAX && fabs(p.z) <= LENGTH_MAX))
        return scr_fail(error, SCR_BAD_INPUT, "position must be within %g m of the body, not (%g, %g, %g)", LENGTH_MAX,
                        p.x, p.y, p.z);
    scr_quat q = shape->rotation;
    if (!(fabs(sqrt(quat_norm2(q)) - 1.0) <= ROTATION_LENGTH_ERROR))
        return scr_fail(error, SCR_BAD_INPUT,
                        "rotation must be a quaternion (w, x, y, z) of length 1, not (%g, %g, %g, %g)", q.w, q.x, q.y,
                        q.z);

    scr_status status = SCR_OK;
    if (shape->kind == SCR_SPHERE) status = check_length(shape->radius, "radius", error);
    if (shape->kind == SCR_BOX) {
        status = check_length(shape->half.x, "half.x", error);
        if (status == SCR_OK) status = check_length(shape->half.y, "half.y", error);
        if (status == SCR_OK) status = check_length(shape->half.z, "half.z", error);
    }
    return status;
}

double shape_volume(const scr_shape *shape)
{
    switch (shape->kind) {
    case SCR_SPHERE:
        return 4.0 / 3.0 * PI * shape->radius * shape->radius * shape->radius;
    case SCR_BOX:
        return 8.0 * shape->half.x * shape->half.y * shape->half.z;
    case SCR_PLANE:
        break;
    }
    return 0.0;
}

double shape_bounding_radius(const scr_shape *shape)
{
    switch (shape->kind) {
    case SCR_SPHERE:
        return shape->radius;
    case SCR_BOX:
        return vec3_norm(shape->half);
    case SCR_PLANE:
        break;
    }
    return INFINITY;
}

// Moments of inertia about the shape's own axes, for a mass of one.
static scr_vec3 unit_inertia(const scr_shape *shape)
{
    scr_vec3 h2 = vec3_mul(shape->half, shape->half);
    double sphere = 0.4 * shape->radius * shape->radius;
    switch (shape->kind) {
    case SCR_SPHERE:
        return vec3(sphere, sphere, sphere);
    case SCR_BOX:
        return vec3((h2.y + h2.z) / 3.0, (h2.z + h2.x) / 3.0, (h2.x + h2.y) / 3.0);
    case SCR_PLANE:
        break;
    }
    return vec3(0.0, 0.0, 0.0);
}

mass_properties shape_mass_properties(const scr_shape *shape, double density)
{
    double mass = density * shape_volume(shape);
    scr_vec3 principal = vec3_scale(mass, unit_inertia(shape));
    return (mass_properties){mass, shape->position, mat3_rotated_diagonal(quat_unit(shape->rotation), principal)};
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

placed_shape shape_place(const scr_shape *shape, scr_vec3 position, scr_quat rotation)
{
    return (placed_shape){
        .kind = shape->kind,
        .position = vec3_add(position, quat_rotate(rotation, shape->position)),
        .rotation = quat_unit(quat_mul(rotation, shape->rotation)),
        .radius = shape->radius,
        .half = shape->half,
    };
}

// A half-space is bounded only on the side its normal points to, and only if that is exactly an axis.
static scr_aabb plane_aabb(const placed_shape *plane)
{
    scr_aabb box = {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
    scr_vec3 n = quat_rotate(plane->rotation, vec3(0.0, 0.0, 1.0)), p = plane->position;
    if (n.y == 0.0 && n.z == 0.0) *(n.x > 0.0 ? &box.high.x : &box.low.x) = p.x;
    if (n.z == 0.0 && n.x == 0.0) *(n.y > 0.0 ? &box.high.y : &box.low.y) = p.y;
    if (n.x == 0.0 && n.y == 0.0) *(n.z > 0.0 ? &box.high.z : &box.low.z) = p.z;
    return box;
}

scr_aabb placed_aabb(const placed_shape *shape)
{
    if (shape->kind == SCR_PLANE) return plane_aabb(shape);

    scr_vec3 extent = vec3(shape->radius, shape->radius, shape->radius);
    if (shape->kind == SCR_BOX) {
        mat3 r = mat3_from_quat(shape->rotation);
        for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 3; ++j) r.m[i][j] = fabs(r.m[i][j]);
        }
        extent = mat3_times(&r, shape->half);
    }
    return (scr_aabb){vec3_sub(shape->position, extent), vec3_add(shape->position, extent)};
}
