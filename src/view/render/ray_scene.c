// SPDX-License-Identifier: BSD-3-Clause
// Rays and bodies, by Embree.
#include "view/render/ray_scene.h"

#include "view/render/ray_parts.h"

enum { GEOMETRY_SPHERES, GEOMETRY_BOXES, GEOMETRY_PATCHES, GEOMETRY_PARTS };
enum { BOX_FACES = 6, BOX_CORNERS = 8 };

static const float LIFT_FLAT = 1e-5f;  // of the subject's radius, off flat surfaces

struct ray_scene {
    RTCDevice device;
    RTCScene solid, glass;
    RTCScene ground;  // apart from the rest where that is cut; else NULL
    const stage *stage;
    // What a primitive of a mesh belongs to; [0] solid, [1] glass, [2] ground.
    uint32_t *sphere_of_point[2];  // NULL: the same number
    uint32_t *box_of_quad[2];      // box of a group of six quads
    uint32_t *patch_of_triangle[3];
    float flat_lift;  // m
    ray_parts parts;
};

// Which spheres are solid, or not; most often all are, and need no list.
static scr_status list_spheres(ray_scene *r, const frame_spheres *s, bool glass, int64_t *count, scr_error *error)
{
    const appearance_list *a = &r->stage->appearance;
    *count = glass ? 0 : s->count;
    if (s->count == 0 || !appearance_has_translucent(a)) return SCR_OK;
    size_t bytes = scr_array_bytes(s->count, sizeof(uint32_t));
    uint32_t *list = r->sphere_of_point[glass] = scr_alloc(bytes);
    if (list == NULL) return scr_fail_memory(error, bytes, "the spheres of a picture");
    *count = 0;
    for (int64_t i = 0; i < s->count; ++i)
        if (appearance_is_translucent(a, s->id[i]) == glass) list[(*count)++] = (uint32_t)i;
    return SCR_OK;
}

static int64_t sphere_at(const ray_scene *r, bool glass, int64_t point)
{
    return r->sphere_of_point[glass] != NULL ? r->sphere_of_point[glass][point] : point;
}

static scr_status add_spheres(ray_scene *r, const frame_spheres *s, bool glass, scr_error *error)
{
    int64_t count = 0;
    if (s->count > UINT32_MAX) return scr_fail(error, SCR_BAD_INPUT, "a picture holds at most %u spheres", UINT32_MAX);
    scr_status status = list_spheres(r, s, glass, &count, error);
    if (status != SCR_OK || count == 0) return status;
    RTCGeometry geometry = rtcNewGeometry(r->device, RTC_GEOMETRY_TYPE_SPHERE_POINT);
    float *vertex = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT4, 4 * sizeof(float),
                                            (size_t)count);
    if (vertex != NULL) {
        for (int64_t k = 0; k < count; ++k) {
            int64_t i = sphere_at(r, glass, k);
            for (int axis = 0; axis < 3; ++axis) vertex[4 * k + axis] = s->position[3 * i + axis];
            vertex[4 * k + 3] = s->radius[i];
        }
        ray_attach(glass ? r->glass : r->solid, geometry, GEOMETRY_SPHERES);
    }
    rtcReleaseGeometry(geometry);
    return vertex != NULL ? SCR_OK : ray_failure(r->device, error);
}

static void write_box(const frame_shape *box, float *vertex, uint32_t *index, uint32_t first)
{
    // Corner c lies at the positive end of axis a if bit a of c is set. Faces -x, +x, -y, +y, -z, +z, seen from outside
    // counter-clockwise.
    static const uint32_t faces[BOX_FACES][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                                 {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    vec3f centre = vec3f_load(box->position);
    for (int c = 0; c < BOX_CORNERS; ++c) {
        vec3f local = vec3f_of(c & 1 ? box->half[0] : -box->half[0], c & 2 ? box->half[1] : -box->half[1],
                               c & 4 ? box->half[2] : -box->half[2]);
        vec3f corner = centre + vec3f_rotate(box->rotation, local);
        for (int axis = 0; axis < 3; ++axis) vertex[3 * c + axis] = corner[axis];
    }
    for (int face = 0; face < BOX_FACES; ++face)
        for (int k = 0; k < 4; ++k) index[4 * face + k] = first + faces[face][k];
}

static scr_status add_boxes(ray_scene *r, bool glass, scr_error *error)
{
    const frame *f = r->stage->frame;
    int64_t count = 0;
    for (int64_t i = 0; i < f->box_count; ++i) count += r->stage->box_is_glass[i] == glass;
    if (count == 0) return SCR_OK;
    if (count > UINT32_MAX / BOX_CORNERS)
        return scr_fail(error, SCR_BAD_INPUT, "a picture holds at most %u boxes", UINT32_MAX / BOX_CORNERS);

    size_t bytes = scr_array_bytes(count, sizeof(uint32_t));
    uint32_t *box_of_quad = r->box_of_quad[glass] = scr_alloc(bytes);
    if (box_of_quad == NULL) return scr_fail_memory(error, bytes, "the boxes of a picture");
    RTCGeometry geometry = rtcNewGeometry(r->device, RTC_GEOMETRY_TYPE_QUAD);
    float *vertex = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, 3 * sizeof(float),
                                            (size_t)count * BOX_CORNERS);
    uint32_t *index = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT4,
                                              4 * sizeof(uint32_t), (size_t)count * BOX_FACES);
    bool good = vertex != NULL && index != NULL;
    for (int64_t i = 0, n = 0; good && i < f->box_count; ++i) {
        if (r->stage->box_is_glass[i] != glass) continue;
        write_box(&f->boxes[i], &vertex[3 * BOX_CORNERS * n], &index[4 * BOX_FACES * n], (uint32_t)(BOX_CORNERS * n));
        box_of_quad[n++] = (uint32_t)i;
    }
    if (good) ray_attach(glass ? r->glass : r->solid, geometry, GEOMETRY_BOXES);
    rtcReleaseGeometry(geometry);
    return good ? SCR_OK : ray_failure(r->device, error);
}

// Which of the patches go together: the ground is apart where all else is cut.
typedef enum patch_set { SOLID_PATCHES, GLASS_PATCHES, GROUND_PATCHES, PATCH_SETS } patch_set;

static patch_set set_of(const ray_scene *r, const plane_patch *patch)
{
    if (patch->glass) return GLASS_PATCHES;
    return patch->ground && r->ground != NULL ? GROUND_PATCHES : SOLID_PATCHES;
}

static scr_status add_patches(ray_scene *r, patch_set set, scr_error *error)
{
    const stage *s = r->stage;
    int64_t vertex_count = 0, triangle_count = 0;
    for (int64_t i = 0; i < s->patch_count; ++i) {
        if (set_of(r, &s->patches[i]) != set || s->patches[i].vertex_count == 0) continue;
        vertex_count += s->patches[i].vertex_count;
        triangle_count += s->patches[i].vertex_count - 2;
    }
    if (triangle_count == 0) return SCR_OK;

    size_t bytes = scr_array_bytes(triangle_count, sizeof(uint32_t));
    uint32_t *patch_of_triangle = r->patch_of_triangle[set] = scr_alloc(bytes);
    if (patch_of_triangle == NULL) return scr_fail_memory(error, bytes, "the planes of a picture");
    RTCGeometry geometry = rtcNewGeometry(r->device, RTC_GEOMETRY_TYPE_TRIANGLE);
    float *vertex = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, 3 * sizeof(float),
                                            (size_t)vertex_count);
    uint32_t *index = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
                                              3 * sizeof(uint32_t), (size_t)triangle_count);
    bool good = vertex != NULL && index != NULL;
    uint32_t v = 0, t = 0;
    for (int64_t i = 0; good && i < s->patch_count; ++i) {
        const plane_patch *patch = &s->patches[i];
        if (set_of(r, patch) != set) continue;
        for (int k = 2; k < patch->vertex_count; ++k, ++t) {  // a fan about the first vertex
            index[3 * t] = v;
            index[3 * t + 1] = v + (uint32_t)k - 1;
            index[3 * t + 2] = v + (uint32_t)k;
            patch_of_triangle[t] = (uint32_t)i;
        }
        for (int k = 0; k < patch->vertex_count; ++k, ++v)
            for (int axis = 0; axis < 3; ++axis) vertex[3 * v + axis] = patch->vertex[k][axis];
    }
    const RTCScene rtc_scene[PATCH_SETS] = {r->solid, r->glass, r->ground};
    if (good) ray_attach(rtc_scene[set], geometry, GEOMETRY_PATCHES);
    rtcReleaseGeometry(geometry);
    return good ? SCR_OK : ray_failure(r->device, error);
}

scr_status ray_scene_create(const stage *s, ray_scene **result, scr_error *error)
{
    *result = NULL;
    ray_scene *r = scr_alloc(sizeof *r);
    if (r == NULL) return scr_fail_memory(error, sizeof *r, "a picture");
    *r = (ray_scene){.stage = s, .flat_lift = LIFT_FLAT * extent_radius(&s->subject)};
    scr_status status = SCR_OK;
    // One thread builds the trees, so that they, and with them the last bit of every hit, do not depend on how many
    // there are.
    r->device = rtcNewDevice("threads=1");
    if (r->device == NULL) {
        status = ray_failure(NULL, error);
        goto done;
    }
    r->solid = rtcNewScene(r->device);
    r->glass = rtcNewScene(r->device);
    if (r->solid == NULL || r->glass == NULL) {
        status = ray_failure(r->device, error);
        goto done;
    }
    rtcSetSceneFlags(r->solid, RTC_SCENE_FLAG_ROBUST);
    rtcSetSceneFlags(r->glass, RTC_SCENE_FLAG_ROBUST);
    if (s->cut.count > 0 && (r->ground = rtcNewScene(r->device)) == NULL) {
        status = ray_failure(r->device, error);
        goto done;
    }
    status = ray_parts_add(&r->parts, s, r->device, r->solid, r->glass, GEOMETRY_PARTS, error);
    for (int glass = 0; glass < 2 && status == SCR_OK; ++glass) {
        status = add_spheres(r, &s->frame->spheres, glass, error);
        if (status == SCR_OK) status = add_boxes(r, glass, error);
    }
    for (int set = 0; set < PATCH_SETS && status == SCR_OK; ++set) status = add_patches(r, (patch_set)set, error);
    if (status != SCR_OK) goto done;
    rtcCommitScene(r->solid);
    rtcCommitScene(r->glass);
    if (r->ground != NULL) rtcCommitScene(r->ground);
    if (rtcGetDeviceError(r->device) != RTC_ERROR_NONE) status = ray_failure(r->device, error);
done:
    if (status == SCR_OK) *result = r;
    else ray_scene_destroy(r);
    return status;
}

void ray_scene_destroy(ray_scene *r)
{
    if (r == NULL) return;
    ray_parts_free(&r->parts);
    if (r->solid != NULL) rtcReleaseScene(r->solid);
    if (r->glass != NULL) rtcReleaseScene(r->glass);
    if (r->ground != NULL) rtcReleaseScene(r->ground);
    if (r->device != NULL) rtcReleaseDevice(r->device);
    for (int glass = 0; glass < 2; ++glass) {
        scr_free(r->sphere_of_point[glass]);
        scr_free(r->box_of_quad[glass]);
    }
    for (int set = 0; set < PATCH_SETS; ++set) scr_free(r->patch_of_triangle[set]);
    scr_free(r);
}

// Embree stops the program when it is handed a ray that is not made of numbers in its range.
static bool is_ray(vec3f origin, vec3f direction)
{
    float size = fabsf(origin[0]) + fabsf(origin[1]) + fabsf(origin[2]) + fabsf(direction[0]) + fabsf(direction[1]) +
                 fabsf(direction[2]);
    return size < 1e15f;
}

static surface surface_at(const ray_scene *r, patch_set set, vec3f origin, vec3f direction, const struct RTCRayHit *rh)
{
    surface hit = {.distance = rh->ray.tfar, .point = origin + rh->ray.tfar * direction};
    if (rh->hit.geomID == GEOMETRY_SPHERES) {
        const frame_spheres *s = &r->stage->frame->spheres;
        hit.kind = SURFACE_SPHERE;
        hit.index = sphere_at(r, set == GLASS_PATCHES, rh->hit.primID);
        vec3f centre = vec3f_load(&s->position[3 * hit.index]);
        float radius = s->radius[hit.index];
        hit.normal = vec3f_unit(hit.point - centre);
        // Back onto the sphere: from afar the distance alone is not exact enough for a small grain.
        hit.point = centre + hit.normal * (radius * (1.0f + LIFT) + LIFT_ROUNDING * vec3f_norm(centre));
    } else if (rh->hit.geomID == GEOMETRY_PARTS) {
        ray_parts_describe_hit(&r->parts, direction, rh, r->flat_lift, &hit);
    } else {
        bool box = rh->hit.geomID == GEOMETRY_BOXES;
        hit.kind = box ? SURFACE_BOX : SURFACE_PATCH;
        hit.index = box ? r->box_of_quad[set][rh->hit.primID / BOX_FACES] : r->patch_of_triangle[set][rh->hit.primID];
        hit.face = box ? (int)(rh->hit.primID % BOX_FACES) : 0;
        hit.normal = vec3f_unit(vec3f_of(rh->hit.Ng_x, rh->hit.Ng_y, rh->hit.Ng_z));
        hit.entering = vec3f_dot(hit.normal, direction) < 0.0f;
        if (!hit.entering) hit.normal = -hit.normal;
        hit.point += hit.normal * (r->flat_lift + LIFT_ROUNDING * vec3f_norm(hit.point));
    }
    return hit;
}

static bool intersect(const ray_scene *r, patch_set set, vec3f origin, vec3f direction, float near, float far,
                      surface *hit)
{
    const RTCScene rtc_scene[PATCH_SETS] = {r->solid, r->glass, r->ground};
    struct RTCRayHit rh = {.ray = ray_from(origin, direction, near, far)};
    rh.hit.geomID = RTC_INVALID_GEOMETRY_ID;
    struct RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    rtcIntersect1(rtc_scene[set], &context, &rh);
    if (rh.hit.geomID == RTC_INVALID_GEOMETRY_ID) return false;
    *hit = surface_at(r, set, origin, direction, &rh);
    return true;
}

// Did a ray that came in by a cut find itself inside a body? Then what it hit first is that body's far side. Meshes and
// heightfields may be open, so that there is no telling: one looks at their backs.
static bool is_far_side(const ray_scene *r, const surface *hit, vec3f direction)
{
    switch (hit->kind) {
    case SURFACE_SPHERE: return vec3f_dot(hit->normal, direction) > 0.0f;
    case SURFACE_BOX: return !hit->entering;
    case SURFACE_PART: {
        const frame_shape *part = &r->stage->frame->parts[hit->index];
        return !hit->entering && (part->surface < 0 || part->shape == SCR_HULL);
    }
    case SURFACE_PATCH: break;
    }
    return false;
}

// The face that a cut made on a body.
static void show_cut(const ray_scene *r, int plane, vec3f origin, vec3f direction, float distance, surface *hit)
{
    vec3f point = origin + distance * direction;
    hit->distance = distance;
    hit->entering = true;
    hit->normal = cut_normal(&r->stage->cut, plane);
    hit->point = point + hit->normal * (r->flat_lift + LIFT_ROUNDING * vec3f_norm(point));
}

static bool intersect_cut(const ray_scene *r, vec3f origin, vec3f direction, surface *hit)
{
    float near = 0.0f, far = INFINITY;
    int plane;
    bool found = cut_piece(&r->stage->cut, origin, direction, &near, &far, &plane) &&
                 intersect(r, SOLID_PATCHES, origin, direction, near, far, hit);
    if (found && plane >= 0 && is_far_side(r, hit, direction)) show_cut(r, plane, origin, direction, near, hit);
    return intersect(r, GROUND_PATCHES, origin, direction, 0.0f, found ? hit->distance : INFINITY, hit) || found;
}

bool ray_scene_intersect(const ray_scene *r, vec3f origin, vec3f direction, surface *hit)
{
    if (!is_ray(origin, direction)) return false;
    if (r->stage->cut.count > 0) return intersect_cut(r, origin, direction, hit);
    return intersect(r, SOLID_PATCHES, origin, direction, 0.0f, INFINITY, hit);
}

bool ray_scene_intersect_glass(const ray_scene *r, vec3f origin, vec3f direction, float near, float far, surface *hit)
{
    int plane;
    if (!is_ray(origin, direction) || !(near <= far)) return false;
    if (r->stage->cut.count > 0 && !cut_piece(&r->stage->cut, origin, direction, &near, &far, &plane)) return false;
    return intersect(r, GLASS_PATCHES, origin, direction, near, far, hit);
}

static bool is_occluded(RTCScene rtc_scene, vec3f origin, vec3f direction, float near, float far)
{
    struct RTCRay ray = ray_from(origin, direction, near, far);
    struct RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    rtcOccluded1(rtc_scene, &context, &ray);
    return ray.tfar < 0.0f;  // Embree's way to say yes
}

bool ray_scene_is_occluded(const ray_scene *r, vec3f origin, vec3f direction)
{
    float near = 0.0f, far = INFINITY;
    int plane;
    if (!is_ray(origin, direction)) return false;
    if (r->stage->cut.count == 0) return is_occluded(r->solid, origin, direction, near, far);
    if (is_occluded(r->ground, origin, direction, 0.0f, INFINITY)) return true;
    return cut_piece(&r->stage->cut, origin, direction, &near, &far, &plane) &&
           is_occluded(r->solid, origin, direction, near, far);
}
