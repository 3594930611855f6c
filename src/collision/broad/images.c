// SPDX-License-Identifier: BSD-3-Clause
#include "collision/broad/images.h"

#include "core/base/memory.h"

void images_free(ball_images *images)
{
    scr_free(images->ball);
    scr_free(images->margin);
    scr_free(images->collider);
    scr_free(images->shift);
}

static scr_status grow(ball_images *images, int64_t count, scr_error *error)
{
    const scr_column columns[] = {{&images->ball, sizeof *images->ball},
                                  {&images->margin, sizeof *images->margin},
                                  {&images->collider, sizeof *images->collider},
                                  {&images->shift, 1}};
    return scr_grow_together(columns, sizeof columns / sizeof *columns, &images->capacity, count, "images", error);
}

static ball wrapped(const periodic_cell *p, ball b)
{
    scr_vec3 at = period_wrapped(p, vec3(b.x, b.y, b.z));
    return (ball){at.x, at.y, at.z, b.r};
}

static uint8_t axis_bit(const ball *b, const periodic_cell *p, int axis, double reach)
{
    const double at[3] = {b->x, b->y, b->z};
    return (uint8_t)((p->length[axis] > 0.0 && at[axis] - p->low[axis] <= reach) << axis);
}

// The image one length up along each axis of the shift. Up a sheared gradient it has slid, and stands within the cell.
static ball shifted(const periodic_cell *p, ball b, uint8_t shift)
{
    if (p->is_sheared && (shift >> p->gradient & 1)) {
        scr_vec3 at = vec3_add(vec3(b.x, b.y, b.z), period_flow(p, p->shear_offset));
        double along = period_wrapped_along(p, p->flow, vec3_along(at, p->flow)) - vec3_along(at, p->flow);
        at = vec3_add(at, period_flow(p, along));
        b.x = at.x, b.y = at.y, b.z = at.z;
    }
    b.x += shift & 1 ? p->length[0] : 0.0;
    b.y += shift & 2 ? p->length[1] : 0.0;
    b.z += shift & 4 ? p->length[2] : 0.0;
    return b;
}

// The shifts of all images that are wanted of a ball in the cell: another ball beyond the high faces may reach that
// far. Their number. Along the flow it matters where the image up a sheared gradient stands.
static int shifts_of(const periodic_cell *p, const ball *b, double reach, uint8_t shift[8])
{
    uint8_t flow = p->is_sheared ? (uint8_t)(1 << p->flow) : 0, axes = 0;
    for (int axis = 0; axis < 3; ++axis) axes |= axis_bit(b, p, axis, reach);
    axes &= (uint8_t)~flow;
    int count = 0;
    for (uint8_t across = axes;; across = (uint8_t)((across - 1) & axes)) {
        ball image = shifted(p, *b, across);
        if (across != 0) shift[count++] = across;
        if (flow != 0 && axis_bit(&image, p, p->flow, reach)) shift[count++] = across | flow;
        if (across == 0) return count;
    }
}

static void put(ball_images *images, ball b, float margin, int64_t collider, uint8_t shift)
{
    int64_t at = images->count++;
    images->ball[at] = b;
    images->margin[at] = margin;
    images->collider[at] = (uint32_t)collider;
    images->shift[at] = shift;
}

scr_status images_make(ball_images *images, const colliders *c, const float *margin, scr_error *error)
{
    const periodic_cell *p = &c->period;
    int64_t n = c->table.count, wanted = n;
    double widest = 0.0;
    uint8_t shift[8];
    for (int64_t i = 0; i < n; ++i)
        if (isfinite(c->ball[i].r)) widest = fmax(widest, c->ball[i].r + (double)margin[i]);
    for (int64_t i = 0; i < n; ++i) {
        ball b = wrapped(p, c->ball[i]);
        if (isfinite(b.r)) wanted += shifts_of(p, &b, b.r + (double)margin[i] + widest, shift);
    }
    images->count = 0;
    scr_status status = grow(images, wanted, error);
    if (status != SCR_OK) return status;
    for (int64_t i = 0; i < n; ++i) put(images, wrapped(p, c->ball[i]), margin[i], i, 0);
    for (int64_t i = 0; i < n; ++i) {
        ball b = images->ball[i];
        if (!isfinite(b.r)) continue;
        int count = shifts_of(p, &b, b.r + (double)margin[i] + widest, shift);
        for (int k = 0; k < count; ++k) put(images, shifted(p, b, shift[k]), margin[i], i, shift[k]);
    }
    return SCR_OK;
}

static scr_vec3 offset_of(const ball *from, const ball *to)
{
    return vec3(to->x - from->x, to->y - from->y, to->z - from->z);
}

bool images_are_nearest(const ball_images *images, const periodic_cell *period, uint32_t a, uint32_t b)
{
    // Both moved up along an axis: the pair stands lower, too.
    if (images->shift[a] & images->shift[b]) return false;
    const ball *all = images->ball;
    scr_vec3 nearest = period_offset(period, offset_of(&all[images->collider[a]], &all[images->collider[b]])),
             other = vec3_sub(offset_of(&all[a], &all[b]), nearest);
    // Offsets of other images differ by whole lengths.
    for (int k = 0; k < 3; ++k)
        if (period->length[k] > 0.0 && fabs(vec3_along(other, k)) > 0.5 * period->length[k]) return false;
    return true;
}
