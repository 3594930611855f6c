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

// Bits of the axes along which an image is wanted: another ball beyond the high face may reach that far.
static uint8_t shifts_of(const periodic_cell *p, const ball *b, double reach)
{
    const double at[3] = {b->x, b->y, b->z};
    uint8_t axes = 0;
    for (int k = 0; k < 3; ++k)
        if (p->length[k] > 0.0 && at[k] - p->low[k] <= reach) axes |= (uint8_t)(1 << k);
    return axes;
}

static void put(ball_images *images, const periodic_cell *p, ball b, float margin, int64_t collider, uint8_t shift)
{
    int64_t at = images->count++;
    b.x += shift & 1 ? p->length[0] : 0.0;
    b.y += shift & 2 ? p->length[1] : 0.0;
    b.z += shift & 4 ? p->length[2] : 0.0;
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
    for (int64_t i = 0; i < n; ++i)
        if (isfinite(c->ball[i].r)) widest = fmax(widest, c->ball[i].r + (double)margin[i]);
    for (int64_t i = 0; i < n; ++i) {
        ball b = wrapped(p, c->ball[i]);
        if (!isfinite(b.r)) continue;
        wanted += (1 << __builtin_popcount(shifts_of(p, &b, b.r + (double)margin[i] + widest))) - 1;
    }
    images->count = 0;
    scr_status status = grow(images, wanted, error);
    if (status != SCR_OK) return status;
    for (int64_t i = 0; i < n; ++i) put(images, p, wrapped(p, c->ball[i]), margin[i], i, 0);
    for (int64_t i = 0; i < n; ++i) {
        ball b = images->ball[i];
        if (!isfinite(b.r)) continue;
        uint8_t axes = shifts_of(p, &b, b.r + (double)margin[i] + widest);
        for (uint8_t shift = axes; shift != 0; shift = (uint8_t)((shift - 1) & axes))
            put(images, p, b, margin[i], i, shift);
    }
    return SCR_OK;
}

bool images_are_nearest(const ball_images *images, const periodic_cell *period, uint32_t a, uint32_t b)
{
    uint32_t own[2] = {images->collider[a], images->collider[b]};
    const ball *one = &images->ball[own[0]], *other = &images->ball[own[1]];
    const double d[3] = {other->x - one->x, other->y - one->y, other->z - one->z};
    if (images->shift[a] & images->shift[b]) return false;
    for (int k = 0; k < 3; ++k) {
        int moved = (images->shift[b] >> k & 1) - (images->shift[a] >> k & 1);
        if ((double)moved != -rint(period->inverse[k] * d[k])) return false;
    }
    return true;
}
