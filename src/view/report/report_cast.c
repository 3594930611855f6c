// The cast of a report's player.
#include "view/report/report_cast.h"

#include <math.h>
#include <string.h>

#include "core/base/threads.h"
#include "view/colour/quantity.h"

enum {
    GRAINS_WANTED = 8000,  // rather fewer frames than fewer grains
    POINT_BYTES = 3 * sizeof(uint16_t),
    EXACT_POINT_BYTES = 3 * sizeof(float),
    ROTATION_BYTES = 3 * sizeof(uint16_t),
    SPEED_BYTES = 1,
};

int64_t report_record_bytes(int set)
{
    int64_t rotation = item_shape(set) == SCR_SPHERE ? 0 : ROTATION_BYTES;
    return (item_is_kept(set) ? EXACT_POINT_BYTES : POINT_BYTES) + rotation + SPEED_BYTES;
}

scr_status report_cast_extents(report_cast *cast, const frame *f, extent *grains, extent *subject, scr_error *error)
{
    scr_status status =
        scr_grow(&cast->part, &cast->part_capacity, f->part_count + 1, sizeof *cast->part, "shapes of a report", error);
    if (status == SCR_OK) status = extent_of_parts(f, cast->part, error);
    if (status != SCR_OK) return status;
    *grains = extent_of_grains(f, cast->part);
    *subject = extent_of_subject(f, cast->part, grains);
    return SCR_OK;
}

// ---- which frames --------------------------------------------------------------------------------------------------

static int64_t grains_of(frame_size size) { return size.spheres + size.boxes + size.parts; }
static double grain_bytes_of(frame_size size)
{
    return (double)size.spheres * (double)report_record_bytes(2 * SCR_SPHERE) +
           (double)(size.boxes + size.parts) * (double)report_record_bytes(2 * SCR_BOX);
}

// What a frame costs if it shows what is kept and as many grains as one would like to see.
static double wanted_frame_bytes(frame_size largest, int64_t kept)
{
    int64_t grains = grains_of(largest);
    double share = grains > GRAINS_WANTED ? (double)GRAINS_WANTED / (double)grains : 1.0;
    return REPORT_FRAME_BYTES + (double)(kept * report_record_bytes(2 * SCR_BOX + 1)) + share * grain_bytes_of(largest);
}

static frame_size largest_frame(const trajectory *t)
{
    frame_size largest = {0};
    for (int64_t i = 0; i < trajectory_frame_count(t); ++i) {
        frame_size size = trajectory_frame_size(t, i);
        if (grains_of(size) > grains_of(largest)) largest = size;
    }
    return largest;
}

static scr_status choose_frames(report_cast *cast, trajectory *t, int64_t kept, int64_t budget, scr_error *error)
{
    cast->frame_total = trajectory_frame_count(t);
    double all = (double)cast->frame_total * wanted_frame_bytes(largest_frame(t), kept);
    cast->stride = all > (double)budget ? (int64_t)fmin(ceil(all / (double)budget), (double)cast->frame_total) : 1;
    scr_status status = scr_grow(&cast->frame, &cast->frame_capacity, cast->frame_total / cast->stride + 2,
                                 sizeof *cast->frame, "frames of a report", error);
    if (status != SCR_OK) return status;
    for (int64_t i = 0; i < cast->frame_total; i += cast->stride) cast->frame[cast->frame_count++] = i;
    int64_t last = cast->frame_total - 1;  // how a run ended is always shown
    if (cast->frame[cast->frame_count - 1] != last) cast->frame[cast->frame_count++] = last;
    return SCR_OK;
}

// ---- which shapes --------------------------------------------------------------------------------------------------

static uint64_t key_of(const report_item *item) { return (uint64_t)(unsigned)item->set << 32 | item->id; }
static int set_of(const report_slot *slot) { return (int)(slot->key >> 32); }

static bool is_before(const report_slot *slot, const report_item *item)
{
    uint64_t key = key_of(item);
    return slot->key < key || (slot->key == key && slot->ordinal < item->ordinal);
}

static bool is_same(const report_slot *slot, const report_item *item)
{
    return slot->key == key_of(item) && slot->ordinal == item->ordinal;
}

static report_slot new_slot(report_cast *cast, const report_item *item)
{
    report_shape shape = report_shape_at(&cast->scratch, item->index);
    report_slot slot = {.key = key_of(item),
                        .ordinal = item->ordinal,
                        .surface = shape.surface,
                        .material = shape.material,
                        .kind = shape.kind};
    memcpy(slot.half, shape.half, sizeof slot.half);
    return slot;
}

// Slots of those that were not seen before, in their places between the others.
static scr_status merge_items(report_cast *cast, scr_error *error)
{
    const report_items *items = &cast->items;
    scr_status status = scr_grow_anew(&cast->merged, &cast->merged_capacity, cast->count + items->count,
                                      sizeof *cast->merged, "shapes of a report", error);
    if (status != SCR_OK) return status;
    int64_t s = 0, count = 0;
    for (int64_t i = 0; i < items->count; ++i) {
        while (s < cast->count && is_before(&cast->slot[s], &items->item[i])) cast->merged[count++] = cast->slot[s++];
        bool known = s < cast->count && is_same(&cast->slot[s], &items->item[i]);
        cast->merged[count] = known ? cast->slot[s++] : new_slot(cast, &items->item[i]);
        ++cast->merged[count++].frames;
    }
    while (s < cast->count) cast->merged[count++] = cast->slot[s++];
    report_slot *old = cast->slot;
    int64_t old_capacity = cast->capacity;
    cast->slot = cast->merged;
    cast->capacity = cast->merged_capacity;
    cast->count = count;
    cast->merged = old;
    cast->merged_capacity = old_capacity;
    return SCR_OK;
}

static void note_speeds(report_cast *cast)
{
    for (int64_t i = 0; i < cast->items.count; ++i) {
        float speed = report_shape_at(&cast->scratch, cast->items.item[i].index).speed;
        if (isfinite(speed) && speed > cast->speed_max) cast->speed_max = speed;
    }
}

// A scale on which no frame of the film is saturated: the largest of the ranges that its frames would have alone.
static scr_status note_speed_range(report_cast *cast, scr_error *error)
{
    quantity q = {0};
    quantity_range range = {0.0, 0.0};
    scr_status status = quantity_init(&q, &cast->scratch, COLOUR_SPEED, NULL, error);
    if (status == SCR_OK) status = quantity_range_of(&q, &cast->scratch, COLOUR_SPEED, &range, error);
    quantity_free(&q);
    cast->speed_range = fmax(cast->speed_range, range.max);
    return status;
}

static scr_status gather_frame(report_cast *cast, trajectory *t, int64_t number, scr_error *error)
{
    frame *f = &cast->scratch;
    scr_status status = trajectory_read(t, cast->frame[number], f, error);
    if (status == SCR_OK) status = report_items_list(&cast->items, f, cast->choice, error);
    if (status == SCR_OK) status = merge_items(cast, error);
    extent grains, subject;
    if (status == SCR_OK) status = report_cast_extents(cast, f, &grains, &subject, error);
    if (status == SCR_OK) status = note_speed_range(cast, error);
    if (status != SCR_OK) return status;
    note_speeds(cast);
    cast->grains_most = max_i64(cast->grains_most, cast->items.grain_count);
    extent *all = &cast->subject;
    *all = number == 0 ? subject : (extent){vec3f_min(all->low, subject.low), vec3f_max(all->high, subject.high)};
    return SCR_OK;
}

static int64_t slot_bytes(const report_cast *cast, const report_slot *slot)
{
    return slot->frames * report_record_bytes(set_of(slot)) + REPORT_SLOT_BYTES + (cast->frame_count + 7) / 8;
}

// Bytes of the kept shapes with all that frames cost anyway, and of the grains.
static void count_bytes(const report_cast *cast, int64_t *kept, int64_t *grains)
{
    *kept = cast->frame_count * REPORT_FRAME_BYTES;
    *grains = 0;
    for (int64_t i = 0; i < cast->count; ++i)
        *(item_is_kept(set_of(&cast->slot[i])) ? kept : grains) += slot_bytes(cast, &cast->slot[i]);
}

static void drop_slots(report_cast *cast)
{
    int64_t count = 0;
    for (int64_t i = 0; i < cast->count; ++i) {
        const report_slot *slot = &cast->slot[i];
        if (item_is_kept(set_of(slot)) || report_lot((uint32_t)slot->key) < cast->choice.lot_limit)
            cast->slot[count++] = *slot;
    }
    cast->count = count;
}

// The lots were drawn before it was known how many different grains come by: draw again until all fits.
static void thin_to(report_cast *cast, int64_t budget)
{
    for (;;) {
        int64_t kept, grains;
        count_bytes(cast, &kept, &grains);
        if (grains == 0 || kept + grains <= budget) return;
        double share = (double)(budget - kept) / (double)grains;
        cast->choice.lot_limit = share > 0.0 ? (uint64_t)(0.99 * share * (double)cast->choice.lot_limit) : 0;
        drop_slots(cast);
    }
}

static void find_sets(report_cast *cast)
{
    int64_t i = 0;
    for (int set = 0; set <= ITEM_SETS; ++set) {
        while (i < cast->count && set_of(&cast->slot[i]) < set) ++i;
        cast->set_start[set] = i;
    }
}

// A first guess, so that grains without hope take no memory.
static uint64_t first_lot_limit(const report_cast *cast, const trajectory *t, int64_t kept, int64_t budget)
{
    double bytes = 0.0;
    for (int64_t i = 0; i < cast->frame_count; ++i) bytes += grain_bytes_of(trajectory_frame_size(t, cast->frame[i]));
    double left = (double)budget - (double)(cast->frame_count * kept * report_record_bytes(2 * SCR_SPHERE + 1));
    if (left <= 0.0) return 0;
    return bytes > left ? (uint64_t)(left / bytes * (double)LOT_COUNT) : LOT_COUNT;
}

scr_status report_cast_gather(report_cast *cast, trajectory *t, uint32_t kept_ids, int64_t budget, scr_error *error)
{
    scr_status status = trajectory_read(t, 0, &cast->scratch, error);
    cast->choice = (report_choice){kept_ids, 0};
    if (status == SCR_OK) status = report_items_list(&cast->items, &cast->scratch, cast->choice, error);
    int64_t kept = cast->items.count;
    if (status == SCR_OK) status = choose_frames(cast, t, kept, budget, error);
    if (status != SCR_OK) return status;
    cast->choice.lot_limit = first_lot_limit(cast, t, kept, budget);
    for (int64_t i = 0; i < cast->frame_count && status == SCR_OK; ++i) status = gather_frame(cast, t, i, error);
    if (status != SCR_OK) return status;
    thin_to(cast, budget);
    find_sets(cast);
    return SCR_OK;
}

void report_cast_free(report_cast *cast)
{
    scr_free(cast->slot);
    scr_free(cast->merged);
    scr_free(cast->frame);
    scr_free(cast->part);
    report_items_free(&cast->items);
    frame_free(&cast->scratch);
    *cast = (report_cast){0};
}
