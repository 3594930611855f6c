// SPDX-License-Identifier: BSD-3-Clause
// The stage: ground, the visible part of planes, and what is glass.
#include "view/stage/stage.h"

#include <string.h>

#include "view/stage/occlusion.h"

static const float LEVEL = 0.999f;        // a plane whose normal's z is above this is ground
static const float PATCH_MARGIN = 0.04f;  // of the subject's radius, by which patches reach beyond the subject
static const float FADE_START = 1.6f;     // in radii of the subject
static const float FADE_END = 9.0f;

float stage_fade_start(const stage *s) { return FADE_START * extent_radius(&s->subject); }
float stage_fade_end(const stage *s) { return FADE_END * extent_radius(&s->subject); }

// A square on the plane through `point`, about the foot of `centre`.
static plane_patch square_patch(vec3f point, vec3f normal, vec3f centre, float half_edge)
{
    vec3f foot = centre - vec3f_dot(centre - point, normal) * normal;
    vec3f other = fabsf(normal[0]) < 0.6f ? vec3f_of(1.0f, 0.0f, 0.0f) : vec3f_of(0.0f, 1.0f, 0.0f);
    vec3f s = vec3f_unit(vec3f_cross(other, normal)) * half_edge, t = vec3f_cross(normal, s);
    return (plane_patch){
        .normal = normal, .vertex = {foot - s - t, foot + s - t, foot + s + t, foot - s + t}, .vertex_count = 4};
}

// Keep the part where (x - point) . normal >= 0 (Sutherland and Hodgman's clipping of a polygon by a half-space).
static void cut_patch(plane_patch *patch, vec3f point, vec3f normal)
{
    plane_patch kept = *patch;
    int n = patch->vertex_count, count = 0;
    if (n + 1 > PATCH_VERTICES) return;  // so many corners that one more cut would not show
    for (int i = 0; i < n; ++i) {
        vec3f a = patch->vertex[i], b = patch->vertex[(i + 1) % n];
        float da = vec3f_dot(a - point, normal), db = vec3f_dot(b - point, normal);
        if (da >= 0.0f) kept.vertex[count++] = a;
        if ((da >= 0.0f) != (db >= 0.0f)) kept.vertex[count++] = vec3f_mix(a, b, da / (da - db));
    }
    kept.vertex_count = count >= 3 ? count : 0;
    *patch = kept;
}

static plane_patch wall_patch(const stage *s, int64_t plane)
{
    const frame_shape *planes = s->frame->planes;
    vec3f point = vec3f_load(planes[plane].position), normal = extent_plane_normal(&planes[plane]);
    float radius = extent_radius(&s->subject), gap = extent_gap_to_plane(&s->subject, point, normal);
    plane_patch patch = square_patch(point, normal, extent_centre(&s->subject), 4.0f * radius);
    // A box whose sides move out by the gap reaches the plane.
    extent bounds = extent_grown(&s->subject, greater(gap, 0.0f) + PATCH_MARGIN * radius);
    for (int axis = 0; axis < 3; ++axis) {
        vec3f along = vec3f_all(0.0f);
        along[axis] = 1.0f;
        cut_patch(&patch, bounds.low, along);
        cut_patch(&patch, bounds.high, -along);
    }
    for (int64_t i = 0; i < s->frame->plane_count && patch.vertex_count > 0; ++i) {
        vec3f other = extent_plane_normal(&planes[i]);
        if (i != plane && vec3f_dot(other, normal) > -0.999f) cut_patch(&patch, vec3f_load(planes[i].position), other);
    }
    if (!(gap <= extent_wall_reach(&s->grains))) patch.vertex_count = 0;
    return patch;
}

static plane_patch ground_patch(const stage *s, vec3f point)
{
    plane_patch patch = square_patch(point, vec3f_of(0.0f, 0.0f, 1.0f), extent_centre(&s->subject), stage_fade_end(s));
    patch.ground = true;
    return patch;
}

static framing framing_with(const frame *f, const extent *part)
{
    extent grains = extent_of_grains(f, part);
    return (framing){grains, extent_of_subject(f, part, &grains)};
}

scr_status framing_of(const frame *f, framing *result, scr_error *error)
{
    size_t bytes = scr_array_bytes(f->part_count + 1, sizeof(extent));
    extent *part = scr_alloc(bytes);
    if (part == NULL) return scr_fail_memory(error, bytes, "the shapes of a picture");
    scr_status status = extent_of_parts(f, part, error);
    if (status == SCR_OK) *result = framing_with(f, part);
    scr_free(part);
    return status;
}

scr_status stage_init(stage *s, const frame *f, const framing *about, const ground_request *ground, scr_error *error)
{
    *s = (stage){.frame = f};
    size_t part_bytes = scr_array_bytes(f->part_count + 1, sizeof *s->part_extent);
    s->part_extent = scr_alloc(part_bytes);
    if (s->part_extent == NULL) return scr_fail_memory(error, part_bytes, "the shapes of a picture");
    scr_status status = extent_of_parts(f, s->part_extent, error);
    if (status != SCR_OK) {
        stage_free(s);
        return status;
    }
    framing what = about != NULL ? *about : framing_with(f, s->part_extent);
    s->grains = what.grains;
    s->subject = what.subject;

    size_t patch_bytes = scr_array_bytes(f->plane_count + 1, sizeof *s->patches);
    size_t glass_bytes = scr_array_bytes(f->box_count + 1, sizeof *s->box_is_glass);
    s->patches = scr_alloc(patch_bytes);
    s->box_is_glass = scr_alloc(glass_bytes);
    if (s->patches == NULL || s->box_is_glass == NULL) {
        stage_free(s);
        return scr_fail_memory(error, patch_bytes + glass_bytes, "the walls of a picture");
    }
    memset(s->box_is_glass, 0, glass_bytes);

    bool has_ground = false;
    for (int64_t i = 0; i < f->plane_count; ++i) {
        bool level = extent_plane_normal(&f->planes[i])[2] > LEVEL;
        vec3f point = vec3f_load(f->planes[i].position);
        s->patches[s->patch_count] = level ? ground_patch(s, point) : wall_patch(s, i);
        s->patches[s->patch_count++].id = f->planes[i].id;
        has_ground = has_ground || level;
    }
    if (ground->wanted && !has_ground) {
        // A hair lower than what stands on it, lest the two surfaces fight for the same pixels.
        float height =
            ground->has_height ? (float)ground->height : s->subject.low[2] - 1e-4f * extent_radius(&s->subject);
        s->patches[s->patch_count++] = ground_patch(s, vec3f_of(0.0f, 0.0f, height));
    }
    return SCR_OK;
}

void stage_free(stage *s)
{
    scr_free(s->patches);
    scr_free(s->box_is_glass);
    scr_free(s->part_extent);
    s->patches = NULL;
    s->box_is_glass = NULL;
    s->part_extent = NULL;
}

void stage_choose_glass(stage *s, vec3f eye)
{
    for (int64_t i = 0; i < s->patch_count; ++i) {
        scene_appearance a = appearance_of(&s->appearance, s->patches[i].id);
        bool behind = vec3f_dot(eye - s->patches[i].vertex[0], s->patches[i].normal) < 0.0f;
        s->patches[i].glass = a.has_opacity ? a.opacity < 1.0 : behind;
    }
    for (int64_t i = 0; i < s->frame->box_count; ++i) {
        const frame_shape *box = &s->frame->boxes[i];
        scene_appearance a = appearance_of(&s->appearance, box->id);
        if (a.has_opacity) s->box_is_glass[i] = a.opacity < 1.0;
        else s->box_is_glass[i] = box->kind != SCR_DYNAMIC && occludes_grains(s->frame, box, eye);
    }
}
