// SPDX-License-Identifier: BSD-3-Clause
// The shapes of a part in another geometry.
//
// A box is a loft between two rectangles, a cylinder one between two polygons, a tooth of a sprocket one through three
// rectangles: their points make a hull, their points and triangles a mesh. Spheres lie inside the faces of a box in a
// sheet as thick as its smallest edge, along the axis of a pin, and inside the rim of a wheel.
#include "io/vehicle/part_geometry.h"

#include <math.h>

#include "core/maths/trig.h"
#include "core/maths/vec3.h"
#include "io/vehicle/scene_parts.h"

static const double PI = 3.14159265358979323846;
static const double SPHERE_SPACING = 0.7;  // of a sphere's diameter: what rolls over them hardly dips between
enum { ROUND_SIDES = 48, LAYERS_MAX = 3 };

const char *const GEOMETRY_WORDS[GEOMETRY_COUNT] = {"primitives", "hulls", "meshes", "spheres"};

// Rings of points, one above the other.
typedef struct loft {
    int layers, sides;
    scr_vec3 point[LAYERS_MAX][ROUND_SIDES];
} loft;

static scr_vec3 vector_of(const json_t *list)
{
    return vec3(json_number_value(json_array_get(list, 0)), json_number_value(json_array_get(list, 1)),
                json_number_value(json_array_get(list, 2)));
}

static double length_of(const json_t *shape, const char *key) { return json_number_value(json_object_get(shape, key)); }

static loft loft_of_box(scr_vec3 size)
{
    static const double corner[4][2] = {{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}};
    loft l = {.layers = 2, .sides = 4};
    for (int k = 0; k < 2; ++k)
        for (int n = 0; n < 4; ++n)
            l.point[k][n] = vec3(corner[n][0] * size.x, corner[n][1] * size.y, (k - 0.5) * size.z);
    return l;
}

static loft loft_of_cylinder(double radius, double length)
{
    loft l = {.layers = 2, .sides = ROUND_SIDES};
    for (int n = 0; n < ROUND_SIDES; ++n) {
        double sine, cosine;
        scr_sincos(-2.0 * PI * n / ROUND_SIDES, &sine, &cosine);  // anticlockwise about y
        for (int k = 0; k < 2; ++k) l.point[k][n] = vec3(radius * cosine, (k - 0.5) * length, radius * sine);
    }
    return l;
}

// A tooth has four points a level, as two pairs.
static loft loft_of_tooth(const json_t *points)
{
    static const size_t order[4] = {0, 2, 3, 1};
    loft l = {.layers = LAYERS_MAX, .sides = 4};
    for (int k = 0; k < LAYERS_MAX; ++k)
        for (int n = 0; n < 4; ++n) l.point[k][n] = vector_of(json_array_get(points, 4 * (size_t)k + order[n]));
    return l;
}

static json_t *points_of(const loft *l)
{
    json_t *points = json_array();
    for (int k = 0; k < l->layers; ++k)
        for (int n = 0; n < l->sides; ++n) json_array_append_new(points, vector_json(l->point[k][n]));
    return points;
}

static void add_triangle(json_t *list, int a, int b, int c)
{
    json_array_append_new(list, json_pack("[i,i,i]", a, b, c));
}

static json_t *triangles_of(const loft *l)
{
    json_t *list = json_array();
    int sides = l->sides, top = (l->layers - 1) * sides;
    for (int n = 1; n + 1 < sides; ++n) {
        add_triangle(list, 0, n + 1, n);
        add_triangle(list, top, top + n, top + n + 1);
    }
    for (int k = 0; k + 1 < l->layers; ++k)
        for (int n = 0; n < sides; ++n) {
            int a = k * sides + n, b = k * sides + (n + 1) % sides;
            add_triangle(list, a, b, b + sides);
            add_triangle(list, a, b + sides, a + sides);
        }
    return list;
}

static json_t *loft_shape(const loft *l, part_geometry geometry, scr_vec3 at)
{
    json_t *surface = geometry == GEOMETRY_HULLS
                          ? json_pack("{s:o}", "points", points_of(l))
                          : json_pack("{s:o, s:o}", "vertices", points_of(l), "triangles", triangles_of(l));
    return json_pack("{s:o, s:o}", geometry == GEOMETRY_HULLS ? "hull" : "mesh", surface, "position", vector_json(at));
}

// ---- Spheres ----

static void add_sphere(json_t *shapes, double radius, scr_vec3 at)
{
    json_array_append_new(shapes, json_pack("{s:{s:f}, s:o}", "sphere", "radius", radius, "position", vector_json(at)));
}

// So many spheres along a length, and where the kth is from its middle.
static int spheres_along(double length, double radius)
{
    return 1 + (int)ceil(fmax(0.0, length - 2.0 * radius) / (2.0 * SPHERE_SPACING * radius) - 1e-9);
}
static double place_along(double length, double radius, int count, int k)
{
    return count > 1 ? (length - 2.0 * radius) * (k / (count - 1.0) - 0.5) : 0.0;
}

static void fill_box(json_t *shapes, scr_vec3 size, scr_vec3 at)
{
    double radius = 0.5 * fmin(size.x, fmin(size.y, size.z));
    int nx = spheres_along(size.x, radius), ny = spheres_along(size.y, radius), nz = spheres_along(size.z, radius);
    for (int i = 0; i < nx; ++i)
        for (int j = 0; j < ny; ++j)
            for (int k = 0; k < nz; ++k)
                add_sphere(shapes, radius,
                           vec3_add(at, vec3(place_along(size.x, radius, nx, i), place_along(size.y, radius, ny, j),
                                             place_along(size.z, radius, nz, k))));
}

// A pin is longer than it is thick: a row of spheres. A wheel has its spheres in rings inside its rim.
static void fill_cylinder(json_t *shapes, double radius, double length, scr_vec3 at)
{
    bool is_pin = length >= 2.0 * radius;
    double ball = is_pin ? radius : fmin(0.5 * length, 0.25 * radius), ring = radius - ball;
    int rows = spheres_along(length, ball), round = is_pin ? 1 : (int)ceil(PI * ring / (SPHERE_SPACING * ball));
    for (int k = 0; k < rows; ++k)
        for (int n = 0; n < round; ++n) {
            double sine, cosine;
            scr_sincos(2.0 * PI * n / round, &sine, &cosine);
            add_sphere(shapes, ball,
                       vec3_add(at, vec3(ring * cosine, place_along(length, ball, rows, k), ring * sine)));
        }
}

// ---- Lists ----

static void add_as(json_t *shapes, json_t *shape, part_geometry geometry)
{
    const json_t *box = json_object_get(shape, "box"), *round = json_object_get(shape, "cylinder"),
                 *hull = json_object_get(shape, "hull");
    scr_vec3 at = vector_of(json_object_get(shape, "position")), size = vector_of(json_object_get(box, "size"));
    double radius = length_of(round, "radius"), length = length_of(round, "length");
    bool as_spheres = geometry == GEOMETRY_SPHERES;
    if (box != NULL && as_spheres) {
        fill_box(shapes, size, at);
    } else if (round != NULL && as_spheres) {
        fill_cylinder(shapes, radius, length, at);
    } else if (hull != NULL && geometry != GEOMETRY_MESHES) {
        json_array_append(shapes, shape);
    } else {
        loft l = box != NULL     ? loft_of_box(size)
                 : round != NULL ? loft_of_cylinder(radius, length)
                                 : loft_of_tooth(json_object_get(hull, "points"));
        json_array_append_new(shapes, loft_shape(&l, geometry, at));
    }
}

json_t *shapes_in_geometry(json_t *shapes, part_geometry geometry)
{
    if (geometry == GEOMETRY_PRIMITIVES) return shapes;
    json_t *others = json_array(), *shape;
    size_t k;
    json_array_foreach(shapes, k, shape) add_as(others, shape, geometry);
    json_decref(shapes);
    return others;
}
