// SPDX-License-Identifier: BSD-3-Clause
// The instances of a report's player.
#include "view/report/report_instances.h"

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

scr_status report_instances_extents(report_instances *instances, const frame *f, extent *grains, extent *subject,
                                    scr_error *error)
{
    scr_status status = scr_grow(&instances->part, &instances->part_capacity, f->part_count + 1,
                                 sizeof *instances->part, "shapes of a report", error);
    if (status == SCR_OK) status = extent_of_parts(f, instances->part, error);
    if (status != SCR_OK) return status;
    *grains = extent_of_grains(f, instances->part);
    *subject = extent_of_subject(f, instances->part, grains);
    return SCR_OK;
}

extent report_reach(const extent *grains)
{
    vec3f size = grains->high - grains->low;
    float margin = 2.0f * greater(greater(size[0], size[1]), size[2]);
    return extent_grown(grains, margin);
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

static scr_status choose_frames(report_instances *instances, trajectory *t, int64_t kept, int64_t budget,
                                scr_error *error)
{
    instances->frame_total = trajectory_frame_count(t);
    double all = (double)instances->frame_total * wanted_frame_bytes(largest_frame(t), kept);
    instances->stride =
        all > (double)budget ? (int64_t)fmin(ceil(all / (double)budget), (double)instances->frame_total) : 1;
    scr_status status =
        scr_grow(&instances->frame, &instances->frame_capacity, instances->frame_total / instances->stride + 2,
                 sizeof *instances->frame, "frames of a report", error);
    if (status != SCR_OK) return status;
    for (int64_t i = 0; i < instances->frame_total; i += instances->stride)
        instances->frame[instances->frame_count++] = i;
    int64_t last = instances->frame_total - 1;  // how a run ended is always shown
    if (instances->frame[instances->frame_count - 1] != last) instances->frame[instances->frame_count++] = last;
    return SCR_OK;
}

// ---- which shapes --------------------------------------------------------------------------------------------------

static uint64_t key_of(const report_item *item) { return (uint64_t)(unsigned)item->set << 32 | item->id; }
static int set_of(const report_instance *instance) { return (int)(instance->key >> 32); }

bool report_instance_is_before(const report_instance *instance, const report_item *item)
{
    uint64_t key = key_of(item);
    return instance->key < key || (instance->key == key && instance->ordinal < item->ordinal);
}

bool report_instance_is(const report_instance *instance, const report_item *item)
{
    return instance->key == key_of(item) && instance->ordinal == item->ordinal;
}

static report_instance new_instance(report_instances *instances, const report_item *item)
{
    report_shape shape = report_shape_at(&instances->scratch, item->index);
    report_instance instance = {.key = key_of(item),
                                .watch = rest_watch_begin(),
                                .ordinal = item->ordinal,
                                .surface = shape.surface,
                                .material = shape.material,
                                .kind = shape.kind};
    memcpy(instance.half, shape.half, sizeof instance.half);
    return instance;
}

bool report_reaches(const extent *reach, const float p[3])
{
    for (int k = 0; k < 3; ++k)
        if (!(p[k] >= reach->low[k] && p[k] <= reach->high[k])) return false;  // also if it is no number
    return true;
}

static scr_status see(report_instances *instances, report_instance *instance, const report_item *item, int32_t number,
                      const extent *reach, scr_error *error)
{
    if (item->set != 2 * SCR_SPHERE) {
        ++instance->watch.listed;
        return SCR_OK;
    }
    report_shape shape = report_shape_at(&instances->scratch, item->index);
    bool can_rest = shape.speed == 0.0f && report_reaches(reach, shape.position);
    return rest_watch_see(&instance->watch, &instances->rests, number, shape.position, can_rest, error);
}

// Instances of those that were not seen before, in order between the others. number: of the frame on the page.
static scr_status merge_items(report_instances *instances, int32_t number, const extent *reach, scr_error *error)
{
    const report_items *items = &instances->items;
    scr_status status = scr_grow_anew(&instances->merged, &instances->merged_capacity, instances->count + items->count,
                                      sizeof *instances->merged, "shapes of a report", error);
    if (status != SCR_OK) return status;
    int64_t s = 0, count = 0;
    for (int64_t i = 0; i < items->count && status == SCR_OK; ++i) {
        while (s < instances->count && report_instance_is_before(&instances->instance[s], &items->item[i]))
            instances->merged[count++] = instances->instance[s++];
        bool known = s < instances->count && report_instance_is(&instances->instance[s], &items->item[i]);
        instances->merged[count] = known ? instances->instance[s++] : new_instance(instances, &items->item[i]);
        status = see(instances, &instances->merged[count++], &items->item[i], number, reach, error);
    }
    while (s < instances->count) instances->merged[count++] = instances->instance[s++];
    report_instance *old = instances->instance;
    int64_t old_capacity = instances->capacity;
    instances->instance = instances->merged;
    instances->capacity = instances->merged_capacity;
    instances->count = count;
    instances->merged = old;
    instances->merged_capacity = old_capacity;
    return status;
}

static void note_speeds(report_instances *instances)
{
    for (int64_t i = 0; i < instances->items.count; ++i) {
        float speed = report_shape_at(&instances->scratch, instances->items.item[i].index).speed;
        if (isfinite(speed) && speed > instances->speed_max) instances->speed_max = speed;
    }
}

// A scale on which no frame of the film is saturated: the largest of the ranges that its frames would have alone.
static scr_status note_speed_range(report_instances *instances, scr_error *error)
{
    quantity q = {0};
    quantity_range range = {0.0, 0.0};
    scr_status status = quantity_init(&q, &instances->scratch, COLOUR_SPEED, NULL, error);
    if (status == SCR_OK) status = quantity_range_of(&q, &instances->scratch, COLOUR_SPEED, &range, error);
    quantity_free(&q);
    instances->speed_range = fmax(instances->speed_range, range.max);
    return status;
}

static scr_status gather_frame(report_instances *instances, trajectory *t, int64_t number, scr_error *error)
{
    frame *f = &instances->scratch;
    scr_status status = trajectory_read(t, instances->frame[number], f, error);
    if (status == SCR_OK) status = report_items_list(&instances->items, f, instances->choice, error);
    extent grains, subject;
    if (status == SCR_OK) status = report_instances_extents(instances, f, &grains, &subject, error);
    if (status != SCR_OK) return status;
    extent reach = report_reach(&grains);
    status = merge_items(instances, (int32_t)number, &reach, error);
    if (status == SCR_OK) status = note_speed_range(instances, error);
    if (status != SCR_OK) return status;
    note_speeds(instances);
    instances->grains_most = max_i64(instances->grains_most, instances->items.grain_count);
    extent *all = &instances->subject;
    *all = number == 0 ? subject : (extent){vec3f_min(all->low, subject.low), vec3f_max(all->high, subject.high)};
    return SCR_OK;
}

static int64_t instance_bytes(const report_instances *instances, const report_instance *instance)
{
    int64_t rests = (int64_t)instance->watch.rests * REPORT_REST_BYTES;
    if (!report_is_listed(instance)) return rests;
    return rests + instance->watch.listed * report_record_bytes(set_of(instance)) + REPORT_INSTANCE_BYTES +
           (instances->frame_count + 7) / 8;
}

// Bytes of the kept shapes with all that frames cost anyway, and of the grains.
static void count_bytes(const report_instances *instances, int64_t *kept, int64_t *grains)
{
    *kept = instances->frame_count * REPORT_FRAME_BYTES;
    *grains = 0;
    for (int64_t i = 0; i < instances->count; ++i)
        *(item_is_kept(set_of(&instances->instance[i])) ? kept : grains) +=
            instance_bytes(instances, &instances->instance[i]);
}

static void drop_instances(report_instances *instances)
{
    int64_t count = 0;
    for (int64_t i = 0; i < instances->count; ++i) {
        const report_instance *instance = &instances->instance[i];
        if (item_is_kept(set_of(instance)) || report_rank((uint32_t)instance->key) < instances->choice.rank_limit)
            instances->instance[count++] = *instance;
    }
    instances->count = count;
}

// The limit was set before it was known how many different grains come by: lower it until all fits.
static void thin_to(report_instances *instances, int64_t budget)
{
    for (;;) {
        int64_t kept, grains;
        count_bytes(instances, &kept, &grains);
        if (grains == 0 || kept + grains <= budget) return;
        double share = (double)(budget - kept) / (double)grains;
        instances->choice.rank_limit =
            share > 0.0 ? (uint64_t)(0.99 * share * (double)instances->choice.rank_limit) : 0;
        drop_instances(instances);
    }
}

static void find_sets(report_instances *instances)
{
    int64_t i = 0;
    for (int set = 0; set <= ITEM_SETS; ++set) {
        while (i < instances->count && set_of(&instances->instance[i]) < set) ++i;
        instances->set_start[set] = i;
    }
    for (i = 0; i < instances->count; ++i) {
        if (report_is_listed(&instances->instance[i])) ++instances->set_listed[set_of(&instances->instance[i])];
        instances->rest_count += instances->instance[i].watch.rests;
    }
}

static scr_status end_rests(report_instances *instances, scr_error *error)
{
    scr_status status = SCR_OK;
    for (int64_t i = 0; i < instances->count && status == SCR_OK; ++i)
        status = rest_watch_end(&instances->instance[i].watch, &instances->rests, error);
    return status;
}

// A first guess, so that grains without hope take no memory: each costs at least a rest.
static uint64_t first_rank_limit(const trajectory *t, int64_t budget)
{
    double bytes = (double)grains_of(largest_frame(t)) * REPORT_REST_BYTES;
    return bytes > (double)budget ? (uint64_t)((double)budget / bytes * (double)RANK_COUNT) : RANK_COUNT;
}

scr_status report_instances_gather(report_instances *instances, trajectory *t, uint32_t kept_ids, int64_t budget,
                                   scr_error *error)
{
    scr_status status = trajectory_read(t, 0, &instances->scratch, error);
    instances->choice = (report_choice){kept_ids, 0};
    if (status == SCR_OK) status = report_items_list(&instances->items, &instances->scratch, instances->choice, error);
    int64_t kept = instances->items.count;
    if (status == SCR_OK) status = choose_frames(instances, t, kept, budget, error);
    if (status != SCR_OK) return status;
    instances->choice.rank_limit = first_rank_limit(t, budget);
    for (int64_t i = 0; i < instances->frame_count && status == SCR_OK; ++i)
        status = gather_frame(instances, t, i, error);
    if (status == SCR_OK) status = end_rests(instances, error);
    if (status != SCR_OK) return status;
    thin_to(instances, budget);
    find_sets(instances);
    return SCR_OK;
}

void report_instances_free(report_instances *instances)
{
    scr_free(instances->instance);
    scr_free(instances->merged);
    scr_free(instances->frame);
    scr_free(instances->part);
    scr_free(instances->rests.rest);
    report_items_free(&instances->items);
    frame_free(&instances->scratch);
    *instances = (report_instances){0};
}
