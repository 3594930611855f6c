// Colours of bodies, and the range of values they stand for.
#include "view/paint.h"

#include <stdlib.h>
#include <string.h>

#include "core/threads.h"

static const float FAST_SHARE = 0.995f;  // of the bodies lie inside an automatic range of speeds
enum { SPEED_SAMPLE = 1 << 16 };

static float speed_of(const float v[3]) { return sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

static int by_value(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

// The smallest of 1, 1.5, 2, 3, 4, 5, 6, 8 times a power of ten that is not below x > 0.
static double rounded_up(double x)
{
    static const double steps[] = {1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0};
    double power = pow(10.0, floor(log10(x)));
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; ++i)
        if (steps[i] * power >= x * (1.0 - 1e-6)) return steps[i] * power;
    return 10.0 * power;
}

typedef struct range {
    double min, max;
} range;

// Of an ellipsoid: that of the ball of the same volume. Other parts have none: 0.
static float part_radius(const frame_part *part)
{
    return part->shape == SCR_ELLIPSOID ? cbrtf(part->half[0] * part->half[1] * part->half[2]) : 0.0f;
}

static void widen(range *r, float radius)
{
    if (!isfinite(radius)) return;
    r->min = fmin(r->min, radius);
    r->max = fmax(r->max, radius);
}

static range range_of_radii(const frame *f)
{
    range r = {INFINITY, -INFINITY};
    for (int64_t i = 0; i < f->spheres.count; ++i) widen(&r, f->spheres.radius[i]);
    for (int64_t i = 0; i < f->part_count; ++i) {
        float radius = part_radius(&f->parts[i]);
        if (radius > 0.0f) widen(&r, radius);
    }
    if (!(r.max > 0.0)) return (range){0.0, 1.0};
    if (r.max - r.min < 1e-3 * r.max) return (range){0.8 * r.max, 1.2 * r.max};  // one size only: the bar's middle
    return r;
}

// From zero to where nearly all bodies are: a few fast ones would leave the rest in the dark.
static scr_status range_of_speeds(const frame *f, range *r, scr_error *error)
{
    size_t bytes = scr_array_bytes(SPEED_SAMPLE, sizeof(float));
    float *sample = scr_alloc(bytes);
    if (sample == NULL) return scr_fail_memory(error, bytes, "the speeds of a picture");
    int64_t spheres = f->spheres.count, flat = spheres + f->box_count, all = flat + f->part_count;
    int64_t count = 0, stride = max_i64(block_count_of(all, SPEED_SAMPLE), 1);
    for (int64_t i = 0; i < all; i += stride) {
        const frame_box *box = i >= spheres && i < flat ? &f->boxes[i - spheres] : NULL;
        const frame_part *part = i >= flat ? &f->parts[i - flat] : NULL;
        if ((box != NULL && box->kind != SCR_DYNAMIC) || (part != NULL && part->kind != SCR_DYNAMIC)) continue;
        float speed = speed_of(box != NULL ? box->velocity : part != NULL ? part->velocity : &f->spheres.velocity[3 * i]);
        if (isfinite(speed)) sample[count++] = speed;
    }
    qsort(sample, (size_t)count, sizeof *sample, by_value);
    float fast = count > 0 ? sample[(int64_t)(FAST_SHARE * (float)(count - 1))] : 0.0f;
    *r = (range){0.0, fast > 1e-6f ? rounded_up(fast) : 1e-3};
    scr_free(sample);
    return SCR_OK;
}

static void use_bar(legend *l, const char *title, range r, const char *unit, const char *milli_unit)
{
    bool small = fmax(fabs(r.min), fabs(r.max)) < 0.1;
    double scale = small ? 1000.0 : 1.0;
    *l = (legend){.kind = LEGEND_BAR,
                  .title = title,
                  .unit = small ? milli_unit : unit,
                  .min = scale * r.min,
                  .max = scale * r.max};
}

static vec3f on_scale(paint *p, range r, float value)
{
    p->legend.goes_below = p->legend.goes_below || value < r.min - 1e-4 * (r.max - r.min);
    p->legend.goes_above = p->legend.goes_above || value > r.max + 1e-4 * (r.max - r.min);
    return palette_at(&p->scale, (float)((value - r.min) / (r.max - r.min)));
}

static vec3f of_material(paint *p, uint32_t material)
{
    legend *l = &p->legend;
    int i = 0;
    while (i < l->swatch_count && l->swatch[i] != material) ++i;
    if (i == l->swatch_count && i < LEGEND_SWATCHES) l->swatch[l->swatch_count++] = material;
    return palette_category(material);
}

static void store(float *rgb, vec3f colour) { memcpy(rgb, &colour, 3 * sizeof *rgb); }

// A few shapes of a material are things, each body with a colour of its own; a crowd of them is a heap of grains, like
// sand.
enum { CROWD = 64 };
typedef struct crowds {
    int64_t count[UINT8_MAX + 1];  // spheres and dynamic parts by material
} crowds;

static crowds count_crowds(const frame *f)
{
    crowds c = {0};
    for (int64_t i = 0; i < f->spheres.count; ++i) ++c.count[f->spheres.material[i]];
    for (int64_t i = 0; i < f->part_count; ++i)
        if (f->parts[i].kind == SCR_DYNAMIC) ++c.count[f->parts[i].material];
    return c;
}

static vec3f body_colour(const crowds *c, uint8_t material, uint32_t id)
{
    return c->count[material] > CROWD ? palette_sand(id) : palette_category(id);
}

static vec3f box_colour(paint *p, const frame_box *box, colour_by colour, range r)
{
    if (box->kind == SCR_FIXED) return p->wall;
    if (box->kind == SCR_KINEMATIC) return palette_oklch(0.68f, 0.045f, 245.0f);
    switch (colour) {
    case COLOUR_SPEED: return on_scale(p, r, speed_of(box->velocity));
    case COLOUR_MATERIAL: return of_material(p, box->material);
    case COLOUR_RADIUS: return palette_oklch(0.75f, 0.0f, 0.0f);  // a box has none
    case COLOUR_BODY: break;
    }
    return palette_category(box->id);
}

static vec3f sphere_colour(paint *p, const frame_spheres *s, int64_t i, const crowds *c, colour_by colour, range r)
{
    switch (colour) {
    case COLOUR_SPEED: return on_scale(p, r, speed_of(&s->velocity[3 * i]));
    case COLOUR_MATERIAL: return of_material(p, s->material[i]);
    case COLOUR_RADIUS: return on_scale(p, r, s->radius[i]);
    case COLOUR_BODY: break;
    }
    return body_colour(c, s->material[i], s->id[i]);
}

static vec3f part_colour(paint *p, const frame_part *part, const crowds *c, colour_by colour, range r)
{
    if (part->kind == SCR_FIXED) return part->shape == SCR_HEIGHTFIELD ? p->ground : p->wall;
    if (part->kind == SCR_KINEMATIC) return palette_oklch(0.68f, 0.045f, 245.0f);
    switch (colour) {
    case COLOUR_SPEED: return on_scale(p, r, speed_of(part->velocity));
    case COLOUR_MATERIAL: return of_material(p, part->material);
    case COLOUR_RADIUS:
        return part_radius(part) > 0.0f ? on_scale(p, r, part_radius(part)) : palette_oklch(0.75f, 0.0f, 0.0f);
    case COLOUR_BODY: break;
    }
    return body_colour(c, part->material, part->id);
}

static int by_index(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

scr_status paint_init(paint *p, const frame *f, const paint_request *request, scr_error *error)
{
    *p = (paint){.ground = palette_oklch(0.87f, 0.003f, 85.0f), .wall = palette_oklch(0.86f, 0.008f, 240.0f)};
    palette_init(&p->scale);
    range r = {0.0, 1.0};
    scr_status status = SCR_OK;
    if (request->has_range) r = (range){request->range_min, request->range_max};
    else if (request->colour == COLOUR_RADIUS) r = range_of_radii(f);
    else if (request->colour == COLOUR_SPEED) status = range_of_speeds(f, &r, error);
    if (status != SCR_OK) return status;

    size_t sphere_bytes = scr_array_bytes(f->spheres.count + 1, 3 * sizeof(float));
    size_t box_bytes = scr_array_bytes(f->box_count + 1, 3 * sizeof(float));
    size_t part_bytes = scr_array_bytes(f->part_count + 1, 3 * sizeof(float));
    p->sphere = scr_alloc(sphere_bytes);
    p->box = scr_alloc(box_bytes);
    p->part = scr_alloc(part_bytes);
    if (p->sphere == NULL || p->box == NULL || p->part == NULL) {
        paint_free(p);
        return scr_fail_memory(error, sphere_bytes + box_bytes + part_bytes, "the colours of a picture");
    }
    if (request->colour == COLOUR_RADIUS) use_bar(&p->legend, "Radius", r, "m", "mm");
    if (request->colour == COLOUR_SPEED) use_bar(&p->legend, "Speed", r, "m/s", "mm/s");
    if (request->colour == COLOUR_MATERIAL) p->legend.kind = LEGEND_MATERIALS;
    crowds c = count_crowds(f);
    for (int64_t i = 0; i < f->spheres.count; ++i)
        store(&p->sphere[3 * i], sphere_colour(p, &f->spheres, i, &c, request->colour, r));
    for (int64_t i = 0; i < f->box_count; ++i) store(&p->box[3 * i], box_colour(p, &f->boxes[i], request->colour, r));
    for (int64_t i = 0; i < f->part_count; ++i)
        store(&p->part[3 * i], part_colour(p, &f->parts[i], &c, request->colour, r));
    qsort(p->legend.swatch, (size_t)p->legend.swatch_count, sizeof p->legend.swatch[0], by_index);
    return SCR_OK;
}

void paint_free(paint *p)
{
    scr_free(p->sphere);
    scr_free(p->box);
    scr_free(p->part);
    p->sphere = p->box = p->part = NULL;
}
