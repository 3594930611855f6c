// SPDX-License-Identifier: BSD-3-Clause
// Parts under rays.
#include "view/render/ray_parts.h"

#include <string.h>

#include "view/render/round_ray.h"

scr_status ray_failure(RTCDevice device, scr_error *error)
{
    if (rtcGetDeviceError(device) == RTC_ERROR_OUT_OF_MEMORY)
        return scr_fail(error, SCR_NO_MEMORY, "there is not enough memory to make the picture's bodies ready for rays");
    return scr_fail(error, SCR_IO, "the ray tracing library (Embree) could not take the picture's bodies");
}

void ray_attach(RTCScene rtc_scene, RTCGeometry geometry, unsigned id)
{
    rtcCommitGeometry(geometry);
    rtcAttachGeometryByID(rtc_scene, geometry, id);
}

static scr_status add_surface(ray_parts *p, int64_t index, scr_error *error)
{
    const frame_surfaces *all = p->stage->frame->surfaces;
    const frame_surface *s = &all->item[index];
    RTCScene rtc_scene = p->surface[index] = rtcNewScene(p->device);
    if (rtc_scene == NULL) return ray_failure(p->device, error);
    rtcSetSceneFlags(rtc_scene, RTC_SCENE_FLAG_ROBUST);
    RTCGeometry geometry = rtcNewGeometry(p->device, RTC_GEOMETRY_TYPE_TRIANGLE);
    float *vertex = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, 3 * sizeof(float),
                                            (size_t)s->vertex_count);
    uint32_t *corner = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
                                               3 * sizeof(uint32_t), (size_t)s->triangle_count);
    bool good = vertex != NULL && corner != NULL;
    if (good) {
        memcpy(vertex, &all->vertex[3 * s->first_vertex], 3 * sizeof *vertex * (size_t)s->vertex_count);
        memcpy(corner, &all->triangle[3 * s->first_triangle], 3 * sizeof *corner * (size_t)s->triangle_count);
        ray_attach(rtc_scene, geometry, 0);
    }
    rtcReleaseGeometry(geometry);
    if (!good) return ray_failure(p->device, error);
    rtcCommitScene(rtc_scene);
    return surface_normals_make(&p->normals[index], all, index, error);
}

static scr_status add_surfaces(ray_parts *p, scr_error *error)
{
    const frame *f = p->stage->frame;
    int64_t count = f->surfaces != NULL ? f->surfaces->count : 0;
    if (count == 0) return SCR_OK;
    size_t bytes = scr_array_bytes(count, sizeof *p->surface),
           normal_bytes = scr_array_bytes(count, sizeof *p->normals);
    p->surface = scr_alloc(bytes);
    p->normals = scr_alloc(normal_bytes);
    if (p->surface == NULL || p->normals == NULL)
        return scr_fail_memory(error, bytes + normal_bytes, "the surfaces of a picture");
    memset(p->surface, 0, bytes);
    memset(p->normals, 0, normal_bytes);
    p->surface_count = count;
    scr_status status = SCR_OK;
    for (int64_t i = 0; i < f->part_count && status == SCR_OK; ++i) {
        int32_t index = f->parts[i].surface;
        if (index >= 0 && p->surface[index] == NULL) status = add_surface(p, index, error);
    }
    return status;
}

static void part_bounds(const struct RTCBoundsFunctionArguments *arguments)
{
    const ray_part_set *set = arguments->geometryUserPtr;
    const stage *s = set->parts->stage;
    extent e = s->part_extent[arguments->primID];
    // A part that is out of all reach has no box, nor has one of the other set; Embree leaves out what is upside down.
    if (appearance_is_translucent(&s->appearance, s->frame->parts[arguments->primID].id) != set->glass)
        e = (extent){vec3f_all(1.0f), vec3f_all(-1.0f)};
    *arguments->bounds_o = (struct RTCBounds){.lower_x = e.low[0],
                                              .lower_y = e.low[1],
                                              .lower_z = e.low[2],
                                              .upper_x = e.high[0],
                                              .upper_y = e.high[1],
                                              .upper_z = e.high[2]};
}

typedef struct part_hit {
    float distance;  // m
    vec3f normal;    // outwards, of any length, in the world
    uint32_t triangle;
    float u, v;  // of a surface: where in the triangle
} part_hit;

static vec3f ray_origin(const struct RTCRay *ray) { return vec3f_of(ray->org_x, ray->org_y, ray->org_z); }
static vec3f ray_direction(const struct RTCRay *ray) { return vec3f_of(ray->dir_x, ray->dir_y, ray->dir_z); }

static bool intersect_surface(RTCScene rtc_scene, vec3f origin, vec3f direction, float near, float far, part_hit *hit)
{
    struct RTCRayHit rh = {.ray = ray_from(origin, direction, near, far)};
    struct RTCIntersectContext context;
    rh.hit.geomID = RTC_INVALID_GEOMETRY_ID;
    rtcInitIntersectContext(&context);
    rtcIntersect1(rtc_scene, &context, &rh);
    if (rh.hit.geomID == RTC_INVALID_GEOMETRY_ID) return false;
    *hit = (part_hit){rh.ray.tfar, vec3f_of(rh.hit.Ng_x, rh.hit.Ng_y, rh.hit.Ng_z), rh.hit.primID, rh.hit.u, rh.hit.v};
    return true;
}

static bool hits_part(const ray_part_set *set, const struct RTCRay *ray, uint32_t index, part_hit *hit)
{
    const ray_parts *p = set->parts;
    const frame_shape *part = &p->stage->frame->parts[index];
    vec3f origin = vec3f_unrotate(part->rotation, ray_origin(ray) - vec3f_load(part->position));
    vec3f direction = vec3f_unrotate(part->rotation, ray_direction(ray));
    bool found = false;
    if (part->surface >= 0) {
        found = intersect_surface(p->surface[part->surface], origin, direction, ray->tnear, ray->tfar, hit);
    } else {
        *hit = (part_hit){.triangle = 0};
        found = round_ray_intersect((scr_shape_kind)part->shape, part->half, origin, direction, ray->tnear, ray->tfar,
                                    &hit->distance, &hit->normal);
    }
    if (found) hit->normal = vec3f_rotate(part->rotation, hit->normal);
    return found;
}

static void intersect_part(const struct RTCIntersectFunctionNArguments *arguments)
{
    if (arguments->N != 1 || !arguments->valid[0]) return;  // we trace single rays only
    struct RTCRayHit *rh = (struct RTCRayHit *)(void *)arguments->rayhit;
    part_hit hit;
    if (!hits_part(arguments->geometryUserPtr, &rh->ray, arguments->primID, &hit)) return;
    rh->ray.tfar = hit.distance;
    rh->hit.Ng_x = hit.normal[0], rh->hit.Ng_y = hit.normal[1], rh->hit.Ng_z = hit.normal[2];
    rh->hit.u = hit.u, rh->hit.v = hit.v;
    rh->hit.primID = arguments->primID;
    rh->hit.geomID = arguments->geomID;
    rh->hit.instID[0] = hit.triangle;  // there are no instances: the member is free for which triangle it was
}

static void occlude_part(const struct RTCOccludedFunctionNArguments *arguments)
{
    if (arguments->N != 1 || !arguments->valid[0]) return;
    struct RTCRay *ray = (struct RTCRay *)(void *)arguments->ray;
    part_hit hit;
    if (hits_part(arguments->geometryUserPtr, ray, arguments->primID, &hit)) ray->tfar = -INFINITY;
}

static scr_status add_set(ray_parts *p, bool glass, RTCScene rtc_scene, unsigned id, scr_error *error)
{
    RTCGeometry geometry = rtcNewGeometry(p->device, RTC_GEOMETRY_TYPE_USER);
    if (geometry == NULL) return ray_failure(p->device, error);
    p->set[glass] = (ray_part_set){p, glass};
    rtcSetGeometryUserPrimitiveCount(geometry, (unsigned)p->stage->frame->part_count);
    rtcSetGeometryUserData(geometry, &p->set[glass]);
    rtcSetGeometryBoundsFunction(geometry, part_bounds, NULL);
    rtcSetGeometryIntersectFunction(geometry, intersect_part);
    rtcSetGeometryOccludedFunction(geometry, occlude_part);
    ray_attach(rtc_scene, geometry, id);
    rtcReleaseGeometry(geometry);
    return SCR_OK;
}

scr_status ray_parts_add(ray_parts *p, const stage *s, RTCDevice device, RTCScene solid, RTCScene glass, unsigned id,
                         scr_error *error)
{
    int64_t count = s->frame->part_count;
    *p = (ray_parts){.stage = s, .device = device};
    if (count == 0) return SCR_OK;
    if (count > UINT32_MAX) return scr_fail(error, SCR_BAD_INPUT, "a picture holds at most %u shapes", UINT32_MAX);
    scr_status status = add_surfaces(p, error);
    if (status == SCR_OK) status = add_set(p, false, solid, id, error);
    if (status == SCR_OK && appearance_has_translucent(&s->appearance)) status = add_set(p, true, glass, id, error);
    return status;
}

void ray_parts_free(ray_parts *p)
{
    for (int64_t i = 0; i < p->surface_count; ++i) {
        if (p->surface[i] != NULL) rtcReleaseScene(p->surface[i]);
        surface_normals_free(&p->normals[i]);
    }
    scr_free(p->surface);
    scr_free(p->normals);
    *p = (ray_parts){0};
}

// Smooth surfaces made of triangles have a normal to be lit by and one to leave the surface by.
void ray_parts_describe_hit(const ray_parts *p, vec3f direction, const struct RTCRayHit *rh, float flat_lift,
                            surface *hit)
{
    const frame_shape *part = &p->stage->frame->parts[rh->hit.primID];
    hit->kind = SURFACE_PART;
    hit->index = rh->hit.primID;
    vec3f flat = vec3f_unit(vec3f_of(rh->hit.Ng_x, rh->hit.Ng_y, rh->hit.Ng_z));
    hit->entering = vec3f_dot(flat, direction) < 0.0f;
    if (!hit->entering) flat = -flat;
    hit->normal = flat;
    if (part->surface >= 0) {
        vec3f smooth = surface_normal_at(&p->normals[part->surface], rh->hit.instID[0], rh->hit.u, rh->hit.v);
        smooth = vec3f_rotate(part->rotation, hit->entering ? smooth : -smooth);
        if (vec3f_dot(smooth, direction) < 0.0f) hit->normal = smooth;
        if (hit->entering) {
            vec3f bulge = surface_bulge_at(&p->normals[part->surface], p->stage->frame->surfaces, part->surface,
                                           rh->hit.instID[0], rh->hit.u, rh->hit.v);
            hit->point += vec3f_rotate(part->rotation, bulge);
        }
    }
    extent e = p->stage->part_extent[rh->hit.primID];
    float lift = lesser(LIFT * extent_radius(&e), flat_lift);
    hit->point += flat * (lift + LIFT_ROUNDING * vec3f_norm(hit->point));
}
