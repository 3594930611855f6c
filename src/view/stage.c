#include "view/stage.h"

#include <string.h>

#include "core/threads.h"

static const float LEVEL = 0.999f;        // a plane whose normal's z is above this is ground
static const float PATCH_MARGIN = 0.04f;  // of the subject's radius, by which patches reach beyond the subject
static const float FADE_START = 1.6f;     // in radii of the subject
static const float FADE_END = 9.0f;
static const float PLATE = 0.35f;         // a box is a plate if its thickness is below this share of its width
static const float PLATE_HIDES = 0.004f;  // share of the grains a plate may hide before it turns to glass
static const float BULK_HIDES = 0.25f;    // the same for other boxes
static const float AMID = 0.3f;           // grains before a wall, for one behind it, that make it a thing among them
enum { SIGHT_LINES = 1500 };              // grains looked at to find out what hides them

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
    const frame_plane *planes = s->frame->planes;
    vec3f point = vec3f_load(planes[plane].position), normal = extent_plane_normal(&planes[plane]);
    float radius = extent_radius(&s->subject), gap = extent_gap_to_plane(&s->subject, point, normal);
    plane_patch patch = square_patch(point, normal, extent_centre(&s->subject), 4.0f * radius);
    // A box whose sides move out by the gap reaches the plane.
    extent room = extent_grown(&s->subject, greater(gap, 0.0f) + PATCH_MARGIN * radius);
    for (int axis = 0; axis < 3; ++axis) {
        vec3f along = vec3f_all(0.0f);
        along[axis] = 1.0f;
        cut_patch(&patch, room.low, along);
        cut_patch(&patch, room.high, -along);
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

scr_status stage_init(stage *s, const frame *f, const ground_request *ground, scr_error *error)
{
    *s = (stage){.frame = f};
    s->grains = extent_of_grains(f);
    s->subject = extent_of_subject(f, &s->grains);

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
        s->patches[s->patch_count++] = level ? ground_patch(s, point) : wall_patch(s, i);
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
    s->patches = NULL;
    s->box_is_glass = NULL;
}

typedef struct box_shape {
    int thin;
    float middle;
} box_shape;  // axis of the shortest edge; the middle half edge, m

static box_shape shape_of(const frame_box *box)
{
    const float *h = box->half;
    int thin = h[0] <= h[1] && h[0] <= h[2] ? 0 : h[1] <= h[2] ? 1 : 2;
    return (box_shape){thin, lesser(h[(thin + 1) % 3], h[(thin + 2) % 3])};
}

// Does the line from the eye to a point, both in the box's own frame, pass through the box? By its three slabs.
static bool is_hidden(const frame_box *box, vec3f eye, vec3f point)
{
    vec3f way = point - eye;
    float enter = 0.0f, leave = 1.0f;
    for (int axis = 0; axis < 3; ++axis) {
        if (way[axis] == 0.0f) {
            if (fabsf(eye[axis]) > box->half[axis]) return false;
            continue;
        }
        float t0 = (-box->half[axis] - eye[axis]) / way[axis], t1 = (box->half[axis] - eye[axis]) / way[axis];
        enter = greater(enter, lesser(t0, t1));
        leave = lesser(leave, greater(t0, t1));
    }
    return enter <= leave;
}

// What sampled grains say about a wall: how many it hides, and how many lie next to its broad faces, on the side of
// the eye and on the other one.
typedef struct sight {
    int64_t lines, hidden, near_side, far_side;
} sight;

static void look_at(sight *count, const frame_box *box, box_shape shape, vec3f eye, const float grain[3])
{
    vec3f centre = vec3f_load(box->position);
    vec3f local_eye = vec3f_unrotate(box->rotation, eye - centre);
    vec3f local = vec3f_unrotate(box->rotation, vec3f_load(grain) - centre);
    ++count->lines;
    count->hidden += is_hidden(box, local_eye, local);
    int b = (shape.thin + 1) % 3, c = (shape.thin + 2) % 3;
    if (fabsf(local[b]) > box->half[b] || fabsf(local[c]) > box->half[c]) return;
    if (fabsf(local[shape.thin]) > box->half[shape.thin] + 0.5f * shape.middle) return;
    bool near = (local[shape.thin] > 0.0f) == (local_eye[shape.thin] > 0.0f);
    count->near_side += near;
    count->far_side += !near;
}

static bool is_in_the_way(const stage *s, const frame_box *box, vec3f eye)
{
    const frame_spheres *spheres = &s->frame->spheres;
    int64_t stride = block_count_of(spheres->count, SIGHT_LINES);
    box_shape shape = shape_of(box);
    sight count = {0};
    for (int64_t i = 0; i < spheres->count; i += stride) look_at(&count, box, shape, eye, &spheres->position[3 * i]);
    for (int64_t i = 0; i < s->frame->box_count && count.lines < SIGHT_LINES; ++i)
        if (s->frame->boxes[i].kind == SCR_DYNAMIC) look_at(&count, box, shape, eye, s->frame->boxes[i].position);
    if ((float)count.near_side > AMID * (float)count.far_side) return false;
    bool plate = box->half[shape.thin] < PLATE * shape.middle;
    return (float)count.hidden > (plate ? PLATE_HIDES : BULK_HIDES) * (float)count.lines;
}

void stage_look_from(stage *s, vec3f eye)
{
    for (int64_t i = 0; i < s->patch_count; ++i)
        s->patches[i].glass = vec3f_dot(eye - s->patches[i].vertex[0], s->patches[i].normal) < 0.0f;
    for (int64_t i = 0; i < s->frame->box_count; ++i) {
        const frame_box *box = &s->frame->boxes[i];
        s->box_is_glass[i] = box->kind != SCR_DYNAMIC && is_in_the_way(s, box, eye);
    }
}
