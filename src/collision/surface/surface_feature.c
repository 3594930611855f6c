// SPDX-License-Identifier: BSD-3-Clause
#include "collision/surface/surface_feature.h"

#include "collision/surface/narrow_triangle.h"

// How far, as a sine, a direction may lean over a neighbouring triangle: more than rounding, less than anyone feels.
static const double LEAN = 1e-6;
static const uint32_t VERTEX_NAMES = 1u << 30, EDGE_NAMES = 1u << 31;  // triangles have the names below

surface_feature surface_feature_of(const shape_surface *s, int32_t triangle, int feature)
{
    if (feature >= TRIANGLE_CORNER)
        return (surface_feature){SURFACE_VERTEX, triangle,
                                 s->triangles.triangle[3 * (int64_t)triangle + feature - TRIANGLE_CORNER]};
    if (feature >= TRIANGLE_EDGE)
        return (surface_feature){SURFACE_EDGE, triangle, 3 * triangle + feature - TRIANGLE_EDGE};
    return (surface_feature){SURFACE_FACE, triangle, triangle};
}

surface_feature surface_feature_at(const shape_surface *s, int32_t triangle, scr_vec3 point, double near)
{
    triangle3 t = triangle_corners(&s->triangles, triangle);
    scr_vec3 normal = triangle_normal(&t);
    for (int k = 0; k < 3; ++k)
        if (vec3_norm(vec3_sub(point, t.corner[k])) <= near)
            return surface_feature_of(s, triangle, TRIANGLE_CORNER + k);
    for (int k = 0; k < 3; ++k) {
        scr_vec3 inwards = vec3_cross(normal, vec3_unit(vec3_sub(t.corner[next_corner(k)], t.corner[k])));
        if (vec3_dot(inwards, vec3_sub(point, t.corner[k])) <= near)
            return surface_feature_of(s, triangle, TRIANGLE_EDGE + k);
    }
    return surface_feature_of(s, triangle, TRIANGLE_FACE);
}

// Does d lean towards m by more than LEAN? Neither needs to be a unit vector; one of no length says no.
static inline bool leans(scr_vec3 d, scr_vec3 m)
{
    double along = vec3_dot(d, m);
    return along > 0.0 && along * along > LEAN * LEAN * vec3_dot(d, d) * vec3_dot(m, m);
}

// Flat triangles have no direction and forbid nothing.
static bool edge_allows(const shape_surface *s, int32_t edge, scr_vec3 d)
{
    int32_t e = edge;
    do {
        triangle3 t = triangle_corners(&s->triangles, e / 3);
        int k = e % 3;
        scr_vec3 along = vec3_sub(t.corner[next_corner(k)], t.corner[k]),
                 to_third = vec3_sub(t.corner[next_corner(next_corner(k))], t.corner[k]);
        double square = vec3_dot(along, along);
        if (square > 0.0) {
            scr_vec3 inwards = vec3_add_scaled(to_third, -vec3_dot(to_third, along) / square, along);
            double flat = TRIANGLE_NO_HEIGHT * fmax(square, vec3_dot(to_third, to_third));
            if (vec3_dot(inwards, inwards) * square > flat * flat && leans(d, inwards)) return false;
        }
        e = surface_next_edge(s, e);
    } while (e != edge);
    return true;
}

static bool vertex_allows(const shape_surface *s, int32_t vertex, scr_vec3 d)
{
    int32_t buffer[HEIGHTFIELD_FAN];
    const int32_t *corner;
    int count = surface_fan(s, vertex, buffer, &corner);
    for (int i = 0; i < count; ++i) {
        triangle3 t = triangle_corners(&s->triangles, corner[i] / 3);
        int k = corner[i] % 3;
        for (int n = 1; n < 3; ++n)
            if (leans(d, vec3_sub(t.corner[(k + n) % 3], t.corner[k]))) return false;
    }
    return true;
}

bool surface_feature_allows(const shape_surface *s, const surface_feature *p, scr_vec3 d)
{
    if (p->kind == SURFACE_EDGE) return edge_allows(s, p->item, d);
    return p->kind == SURFACE_FACE || vertex_allows(s, p->item, d);
}

// The angle whose cosine is given, to 1e-4: enough for a weight.
static double rough_angle(double cosine)
{
    double c = fmin(fabs(cosine), 1.0);
    double angle = sqrt(1.0 - c) * (1.5707288 + c * (-0.2121144 + c * (0.0742610 - 0.0187293 * c)));
    return cosine < 0.0 ? 3.14159265358979 - angle : angle;
}

// Normals weighted with the angles of their triangles at the vertex: the only weights for which a point nearest to the
// vertex is outside exactly if it is in front (Baerentzen and Aanaes).
static scr_vec3 vertex_normal(const shape_surface *s, int32_t vertex)
{
    int32_t buffer[HEIGHTFIELD_FAN];
    const int32_t *corner;
    int count = surface_fan(s, vertex, buffer, &corner);
    scr_vec3 sum = {0};
    for (int i = 0; i < count; ++i) {
        triangle3 t = triangle_corners(&s->triangles, corner[i] / 3);
        int k = corner[i] % 3;
        scr_vec3 a = vec3_unit(vec3_sub(t.corner[(k + 1) % 3], t.corner[k])),
                 b = vec3_unit(vec3_sub(t.corner[(k + 2) % 3], t.corner[k]));
        sum = vec3_add_scaled(sum, rough_angle(vec3_dot(a, b)), triangle_normal(&t));
    }
    return sum;
}

scr_vec3 surface_feature_normal(const shape_surface *s, const surface_feature *p)
{
    if (p->kind == SURFACE_VERTEX) return vertex_normal(s, p->item);
    scr_vec3 sum = {0};
    int32_t first = p->kind == SURFACE_EDGE ? p->item : 3 * p->triangle, e = first;
    do {
        triangle3 t = triangle_corners(&s->triangles, e / 3);
        sum = vec3_add(sum, triangle_normal(&t));
        e = p->kind == SURFACE_EDGE ? surface_next_edge(s, e) : first;
    } while (e != first);
    return sum;
}

bool surface_feature_is_border(const shape_surface *s, const surface_feature *p)
{
    if (p->kind == SURFACE_EDGE) return surface_next_edge(s, p->item) == p->item;
    if (p->kind == SURFACE_FACE) return false;
    int32_t buffer[HEIGHTFIELD_FAN];
    const int32_t *corner;
    int count = surface_fan(s, p->item, buffer, &corner);
    for (int i = 0; i < count; ++i) {
        int32_t after = corner[i], before = after % 3 == 0 ? after + 2 : after - 1;
        if (surface_next_edge(s, after) == after || surface_next_edge(s, before) == before) return true;
    }
    return false;
}

static bool edge_is_inner(const shape_surface *s, int32_t edge)
{
    int32_t e = surface_next_edge(s, edge);
    if (e == edge) return false;
    for (; e != edge; e = surface_next_edge(s, e))
        if (surface_patch(s, e / 3) != surface_patch(s, edge / 3)) return false;
    return true;
}

bool surface_feature_is_inner(const shape_surface *s, const surface_feature *p)
{
    if (p->kind == SURFACE_EDGE) return edge_is_inner(s, p->item);
    if (p->kind == SURFACE_FACE) return true;
    int32_t buffer[HEIGHTFIELD_FAN];
    const int32_t *corner;
    int count = surface_fan(s, p->item, buffer, &corner);
    for (int i = 0; i < count; ++i) {
        int32_t after = corner[i], before = after % 3 == 0 ? after + 2 : after - 1;
        if (!edge_is_inner(s, after) || !edge_is_inner(s, before)) return false;
    }
    return true;
}

bool surface_is_first_at(const shape_surface *s, int32_t vertex, int32_t triangle)
{
    int32_t buffer[HEIGHTFIELD_FAN];
    const int32_t *corner;
    int count = surface_fan(s, vertex, buffer, &corner);
    for (int i = 0; i < count; ++i) {
        triangle3 t = triangle_corners(&s->triangles, corner[i] / 3);
        if (!triangle_is_flat(&t)) return corner[i] / 3 == triangle;
    }
    return false;
}

uint32_t surface_feature_name(const shape_surface *s, const surface_feature *p)
{
    if (p->kind == SURFACE_FACE) return (uint32_t)surface_patch(s, p->triangle);
    if (p->kind == SURFACE_VERTEX) return VERTEX_NAMES | (uint32_t)p->item;
    int32_t lowest = p->item;
    for (int32_t e = surface_next_edge(s, p->item); e != p->item; e = surface_next_edge(s, e))
        lowest = e < lowest ? e : lowest;
    return EDGE_NAMES | (uint32_t)lowest;
}

bool surface_name_is_face(uint32_t name) { return name < VERTEX_NAMES; }
