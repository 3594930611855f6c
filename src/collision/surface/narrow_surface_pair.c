// SPDX-License-Identifier: BSD-3-Clause
// Two meshes, or a mesh and a heightfield.
//
// They touch where a vertex of one meets the other, and where two edges that stand out cross. n points from the first,
// which is called the shape, to the second, which is called the surface and whose frame is used:
//   vertex and surface   as a sphere of radius 0 meets it, if the vertex allows n
//   edge and edge        n along the cross product of both, gap = n . (foot on the surface - foot on the shape)
// Vertices and edges inside a flat part are left out: what they touch is touched around them.
//
// Overlap. A solid knows it, as deep as the triangles there are large: deeper inside, other vertices tell. A sheet has
// no inside, but a solid's vertex that went through it does: if the vertex allows n backwards only, and the way from it
// to the sheet is inside the solid, it is the sheet that is inside. Two sheets do not know; they keep a small distance.
#include "collision/surface/surface_pair.h"

// Overlaps deeper than this, in units of the smaller bounding radius, are not looked for; of sheets, for which it takes
// more to be sure, only shallow ones.
static const double DEEPEST = 0.05, DEEPEST_OF_SHEET = 0.01;
static const double SHEET_DISTANCE = 1e-4;  // the distance of two sheets, in the same units
// Edges that run along each other, up to this sine, cross nowhere: their ends tell.
static const double PARALLEL = 1e-6;

// One surface seen from another.
typedef struct seen_surface {
    const shape_surface *s;
    pose pose;
} seen_surface;

typedef struct mesh_pair {
    surface_pair *m;
    const shape_surface *surface;  // in whose frame this is done
    seen_surface shape;
    seen_surface back;      // the surface seen from the shape
    double reach, deepest;  // m
    double skin;            // m, of two sheets
    bool swapped;           // it is the meeting's surface that is seen from its shape
} mesh_pair;

static scr_aabb box_about(const scr_vec3 *at, int count, double margin)
{
    scr_aabb box = {at[0], at[0]};
    for (int k = 1; k < count; ++k) {
        box.low = vec3(fmin(box.low.x, at[k].x), fmin(box.low.y, at[k].y), fmin(box.low.z, at[k].z));
        box.high = vec3(fmax(box.high.x, at[k].x), fmax(box.high.y, at[k].y), fmax(box.high.z, at[k].z));
    }
    scr_vec3 widened = vec3(margin, margin, margin);
    return (scr_aabb){vec3_sub(box.low, widened), vec3_add(box.high, widened)};
}

static bool note_first(void *found, int32_t triangle)
{
    (void)triangle;
    *(bool *)found = true;
    return false;
}

static double search_margin(const mesh_pair *p) { return fmax(p->reach, p->deepest) + p->skin; }

// Boxes of the shape's tree with a triangle of the surface in them.
static unsigned touches_surface(const void *context, const tree_node *node)
{
    const mesh_pair *p = context;
    double margin = search_margin(p);
    unsigned hits = 0;
    for (int k = 0; k < TREE_WIDTH; ++k) {
        if (node->low[0][k] > node->high[0][k]) continue;
        scr_vec3 corner[8];
        for (int c = 0; c < 8; ++c)
            corner[c] = pose_apply(p->shape.pose, vec3((double)(c & 1 ? node->high : node->low)[0][k],
                                                       (double)(c & 2 ? node->high : node->low)[1][k],
                                                       (double)(c & 4 ? node->high : node->low)[2][k]));
        scr_aabb box = box_about(corner, 8, margin);
        bool found = false;
        surface_walk(p->surface, &box, note_first, &found);
        hits |= (unsigned)found << k;
    }
    return hits;
}

// The triangles of the shape that are near the surface.
static void walk_shape(mesh_pair *p, tree_visit *visit)
{
    if (p->shape.s->kind == SCR_MESH) {
        mesh_tree_walk(&p->shape.s->mesh->tree, touches_surface, p, visit, p);
        return;
    }
    scr_aabb own = p->surface->box;
    scr_vec3 corner[8];
    for (int c = 0; c < 8; ++c)
        corner[c] = pose_apply(p->back.pose, vec3(c & 1 ? own.high.x : own.low.x, c & 2 ? own.high.y : own.low.y,
                                                  c & 4 ? own.high.z : own.low.z));
    scr_aabb box = box_about(corner, 8, search_margin(p));
    surface_walk(p->shape.s, &box, visit, p);
}

// Into the frame and the sense of the meeting.
static void add_contact(mesh_pair *p, contact_point c)
{
    if (p->swapped) {
        c.point = pose_apply(p->back.pose, c.point);
        c.normal = quat_rotate(p->back.pose.rotation, vec3_neg(c.normal));
    }
    contact_list_add(p->m->list, &c);
}

static double longest_edge(const triangle3 *t)
{
    double longest = 0.0;
    for (int k = 0; k < 3; ++k) longest = fmax(longest, vec3_norm(vec3_sub(t->corner[next_corner(k)], t->corner[k])));
    return longest;
}

// Does a vertex of the shape face n? Enough where it meets a face: of a side that lies nearly along the face all
// vertices count, not only the lowest, as they do above a plane.
static bool vertex_faces(const mesh_pair *p, const surface_feature *vertex, scr_vec3 n)
{
    return !surface_is_solid(p->shape.s) ||
           vec3_dot(quat_unrotate(p->shape.pose.rotation, n), surface_feature_normal(p->shape.s, vertex)) > 0.0;
}

// Does a part of the shape allow n, which is given in the surface's frame?
static bool shape_allows(const mesh_pair *p, const surface_feature *feature, scr_vec3 n)
{
    scr_vec3 d = quat_unrotate(p->shape.pose.rotation, n);
    if (!surface_feature_allows(p->shape.s, feature, d)) return false;
    return !surface_is_solid(p->shape.s) || vec3_dot(d, surface_feature_normal(p->shape.s, feature)) > 0.0;
}

typedef struct crossing_search {
    const shape_surface *s;
    scr_vec3 from, to;
    bool found;
} crossing_search;

static bool note_crossing(void *context, int32_t triangle)
{
    crossing_search *c = context;
    triangle3 t = triangle_corners(&c->s->triangles, triangle);
    scr_vec3 normal = triangle_area_vector(&t);
    double before = vec3_dot(normal, vec3_sub(c->from, t.corner[0])),
           after = vec3_dot(normal, vec3_sub(c->to, t.corner[0]));
    if (!(before * after < 0.0)) return true;
    scr_vec3 at = vec3_add_scaled(c->from, before / (before - after), vec3_sub(c->to, c->from));
    c->found = true;
    for (int k = 0; k < 3; ++k) {
        scr_vec3 along = vec3_sub(t.corner[next_corner(k)], t.corner[k]);
        if (vec3_dot(normal, vec3_cross(along, vec3_sub(at, t.corner[k]))) < 0.0) c->found = false;
    }
    return !c->found;
}

// Is the way from a vertex of the shape, which is a solid, to a place near it inside? The way begins a little off the
// vertex, whose own triangles it does not cross.
static bool way_is_inside(const mesh_pair *p, int32_t vertex, scr_vec3 point)
{
    scr_vec3 from = p->shape.s->triangles.vertex[vertex], to = pose_apply(p->back.pose, point);
    crossing_search c = {p->shape.s, vec3_add_scaled(from, 1e-3, vec3_sub(to, from)), to, false};
    scr_vec3 end[2] = {c.from, c.to};
    scr_aabb box = box_about(end, 2, 0.0);
    surface_walk(p->shape.s, &box, note_crossing, &c);
    return !c.found;
}

// A vertex that is on the wrong side of a sheet, seen from the right one.
static bool came_through_sheet(const mesh_pair *p, int32_t vertex, const surface_feature *feature, contact_point *c)
{
    if (!surface_is_solid(p->shape.s) || surface_is_solid(p->surface)) return false;
    if (c->gap > DEEPEST_OF_SHEET / DEEPEST * p->deepest || !vertex_faces(p, feature, vec3_neg(c->normal)))
        return false;
    if (!way_is_inside(p, vertex, touched_point(c))) return false;
    c->gap = -c->gap;
    c->normal = vec3_neg(c->normal);
    return true;
}

static void collide_vertex(mesh_pair *p, int32_t vertex, double depth)
{
    scr_vec3 at = pose_apply(p->shape.pose, p->shape.s->triangles.vertex[vertex]);
    double margin = fmax(p->reach, depth) + p->skin;
    contact_list *list = p->m->list;
    surface_pair point = {
        .surface = p->surface,
        .shape = {.kind = SCR_SPHERE, .pose = {at, QUAT_IDENTITY}, .radius = p->skin},
        .box = box_about(&at, 1, margin),
        .size = p->m->size,
        .reach = margin,
        .solid = surface_is_solid(p->surface),
        .list = list,
        .first = list->count,
    };
    collide_sphere(&point);
    int64_t last = list->count;
    surface_feature feature = {SURFACE_VERTEX, 0, vertex};
    list->count = point.first;
    for (int64_t k = point.first; k < last; ++k) {
        contact_point c = list->point[k];
        bool on_face = surface_name_is_face(c.feature);
        bool allowed = on_face ? vertex_faces(p, &feature, c.normal) : shape_allows(p, &feature, c.normal);
        if (!allowed && !(on_face && came_through_sheet(p, vertex, &feature, &c))) continue;
        c.feature = (uint32_t)vertex << 1 | p->swapped;
        if (c.gap < p->reach) add_contact(p, c);
    }
}

static bool collide_vertices(void *context, int32_t triangle)
{
    mesh_pair *p = context;
    const shape_surface *s = p->shape.s;
    triangle3 t = triangle_corners(&s->triangles, triangle);
    double depth = fmin(p->deepest, longest_edge(&t));
    for (int k = 0; k < 3; ++k) {
        surface_feature feature = {SURFACE_VERTEX, triangle, s->triangles.triangle[3 * (int64_t)triangle + k]};
        if (surface_is_first_at(s, feature.item, triangle) && !surface_feature_is_inner(s, &feature))
            collide_vertex(p, feature.item, depth);
    }
    return true;
}

// ---- Edges ----

// An edge once: the lowest of those in one place, if it stands out of a flat part.
static bool is_edge_to_try(const shape_surface *s, int32_t edge)
{
    surface_feature feature = {SURFACE_EDGE, edge / 3, edge};
    if (surface_feature_is_inner(s, &feature)) return false;
    for (int32_t e = surface_next_edge(s, edge); e != edge; e = surface_next_edge(s, e))
        if (e < edge) return false;
    return true;
}

typedef struct edge_search {
    mesh_pair *p;
    scr_vec3 from, along;  // m, the shape's edge in the surface's frame
    surface_feature feature;
    double depth;
} edge_search;

static uint32_t edge_pair_name(int32_t a, int32_t b)
{
    uint64_t v = ((uint64_t)(uint32_t)a << 32 | (uint32_t)b) * 0x9e3779b97f4a7c15u;
    return 1u << 31 | (uint32_t)(v >> 34);
}

static void collide_edges(edge_search *e, int32_t edge)
{
    mesh_pair *p = e->p;
    triangle3 t = triangle_corners(&p->surface->triangles, edge / 3);
    scr_vec3 from = t.corner[edge % 3], along = vec3_sub(t.corner[next_corner(edge % 3)], from);
    scr_vec3 cross = vec3_cross(e->along, along), between = vec3_sub(from, e->from);
    double square = vec3_dot(cross, cross), norm = sqrt(square);
    if (!(norm > PARALLEL * vec3_norm(e->along) * vec3_norm(along))) return;
    // The feet of the common perpendicular, as fractions of the edges.
    double u = vec3_dot(cross, vec3_cross(between, along)) / square,
           v = vec3_dot(cross, vec3_cross(between, e->along)) / square;
    if (!(u > 0.0 && u < 1.0 && v > 0.0 && v < 1.0)) return;
    scr_vec3 on_shape = vec3_add_scaled(e->from, u, e->along), on_surface = vec3_add_scaled(from, v, along);
    surface_feature feature = {SURFACE_EDGE, edge / 3, edge};
    for (int sense = 0; sense < 2; ++sense) {
        scr_vec3 n = vec3_scale((sense ? -1.0 : 1.0) / norm, cross), d = vec3_neg(n);
        double gap = vec3_dot(n, vec3_sub(on_surface, on_shape)) - p->skin;
        if (!(gap < p->reach) || gap < -e->depth) continue;
        if (!shape_allows(p, &e->feature, n) || !surface_feature_allows(p->surface, &feature, d)) continue;
        if (surface_is_solid(p->surface) && !(vec3_dot(d, surface_feature_normal(p->surface, &feature)) > 0.0))
            continue;
        add_contact(p, (contact_point){vec3_scale(0.5, vec3_add(on_shape, on_surface)),
                                       n,
                                       gap,
                                       edge_pair_name(e->feature.item, edge),
                                       {0.0, 0.0}});
        return;
    }
}

static bool collide_edges_of(void *context, int32_t triangle)
{
    edge_search *e = context;
    for (int32_t k = 3 * triangle; k < 3 * triangle + 3; ++k)
        if (is_edge_to_try(e->p->surface, k)) collide_edges(e, k);
    return true;
}

// How deep edges may overlap; of two sheets, no deeper than their distance.
static double edge_depth(const mesh_pair *p)
{
    bool solids = surface_is_solid(p->surface) && surface_is_solid(p->shape.s);
    return solids ? p->deepest : DEEPEST_OF_SHEET / DEEPEST * p->deepest;
}

static bool collide_edges_of_shape(void *context, int32_t triangle)
{
    mesh_pair *p = context;
    const shape_surface *s = p->shape.s;
    triangle3 t = triangle_corners(&s->triangles, triangle);
    double depth = p->skin > 0.0 ? p->skin : fmin(edge_depth(p), longest_edge(&t));
    for (int k = 0; k < 3; ++k) {
        if (!is_edge_to_try(s, 3 * triangle + k)) continue;
        scr_vec3 end[2] = {pose_apply(p->shape.pose, t.corner[k]), pose_apply(p->shape.pose, t.corner[next_corner(k)])};
        scr_aabb box = box_about(end, 2, fmax(p->reach, depth) + p->skin);
        edge_search e = {p, end[0], vec3_sub(end[1], end[0]), {SURFACE_EDGE, triangle, 3 * triangle + k}, depth};
        surface_walk(p->surface, &box, collide_edges_of, &e);
    }
    return true;
}

void collide_surface(surface_pair *m)
{
    if (m->surface->kind == SCR_HEIGHTFIELD && m->shape.kind == SCR_HEIGHTFIELD)
        return;  // neither is ever moved by the other
    seen_surface shape = {m->shape.surface, m->shape.pose}, back = {m->surface, pose_inverse(m->shape.pose)};
    double smaller = fmin(m->surface->radius, shape.s->radius), deepest = DEEPEST * smaller;
    double skin = surface_is_solid(m->surface) || surface_is_solid(shape.s) ? 0.0 : SHEET_DISTANCE * smaller;
    mesh_pair there = {m, m->surface, shape, back, m->reach, deepest, skin, false};
    mesh_pair from_back = {m, shape.s, back, shape, m->reach, deepest, skin, true};
    walk_shape(&there, collide_vertices);
    walk_shape(&from_back, collide_vertices);
    walk_shape(&there, collide_edges_of_shape);
    drop_doubles(m);
}
