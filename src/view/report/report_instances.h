// SPDX-License-Identifier: BSD-3-Clause
// The instances of a report's player: which frames and which shapes are shown within a budget of bytes.
//
// Bodies that the scene lists, and planes, are always shown. If the rest does not fit, grains are left out at random: a
// grain is there in all frames or in none, and those that are left are spread evenly. If too few grains would be left,
// frames are left out as well, first every second one, then two of three, and so on.
#ifndef VIEW_REPORT_REPORT_INSTANCES_H
#define VIEW_REPORT_REPORT_INSTANCES_H

#include "io/trajectory/trajectory.h"
#include "view/report/report_items.h"
#include "view/report/report_rests.h"
#include "view/stage/extent.h"

// One shape that is shown, in whichever frames it is there. What never changes is here.
typedef struct report_instance {
    uint64_t key;      // set and id
    rest_watch watch;  // of grains that are spheres, when it rests; of others, in how many frames it is
    uint32_t ordinal;  // as in report_item
    float half[3];     // m
    int32_t surface;   // or -1
    uint8_t material, kind;
} report_instance;

typedef struct report_instances {
    report_instance *instance, *merged;  // ordered as report_items are
    int64_t count, capacity, merged_capacity;
    int64_t set_start[ITEM_SETS + 1];  // instances of a set follow each other
    int64_t set_listed[ITEM_SETS];     // those that frames list: grains that always rest are in none
    report_rests rests;                // also of instances that were left out since
    int64_t rest_count;                // without those
    int64_t *frame;                    // numbers of the frames shown
    int64_t frame_count, frame_capacity, frame_total, stride;
    report_choice choice;
    int64_t grains_most;  // grains of the frame that has most
    float speed_max;      // m/s, of what is shown
    double speed_range;   // m/s: in no frame are more than a few dynamic shapes faster (view/colour/quantity.h)
    extent subject;       // what the camera should frame
    frame scratch;
    report_items items;  // scratch
    extent *part;        // scratch
    int64_t part_capacity;
} report_instances;

// Reads the frames once. budget: bytes of binary data for frames and instances.
scr_status report_instances_gather(report_instances *instances, trajectory *t, uint32_t kept_ids, int64_t budget,
                                   scr_error *error);
void report_instances_free(report_instances *instances);

// Bytes of a shape in a frame, and of an instance.
int64_t report_record_bytes(int set);
enum { REPORT_INSTANCE_BYTES = 22, REPORT_REST_BYTES = 19, REPORT_FRAME_BYTES = 32 + 8 * ITEM_SETS };
static inline bool report_is_listed(const report_instance *instance) { return instance->watch.listed > 0; }

// Grains outside this box are not shown: further from the others than twice the size of the heap, they would make the
// grid coarse for all.
extent report_reach(const extent *grains);
bool report_reaches(const extent *reach, const float p[3]);

// Is the instance that of this item, or before it in their common order?
bool report_instance_is(const report_instance *instance, const report_item *item);
bool report_instance_is_before(const report_instance *instance, const report_item *item);

// The box around the grains of a frame, without those that strayed, and the box that the camera should frame.
scr_status report_instances_extents(report_instances *instances, const frame *f, extent *grains, extent *subject,
                                    scr_error *error);

#endif
