// SPDX-License-Identifier: BSD-3-Clause
// Grains that come to a bed, and leave it, between two steps.
//
// Who comes gets a slot behind all others; where somebody leaves the last grain goes. So all the others keep their
// slots, and with them rows, packs and springs. Until the next step lists are those of before. What has become of slots
// since then:
//     changed   a slot holds another grain than when the lists were made, or none
//     was       the slot that its grain had then, or NEW_GRAIN
// In the next step rows lose the pairs of those who were in changed slots and gain the pairs of those who are: these
// look for others in the blocks around them, as far as rows reach, and farther by what has worn off them since. Blocks
// whose rows are touched list their pairs anew. Springs of grains that have another slot now are carried.
//
// Boxes and motions of blocks (grain_wear.h) tell of the time when rows were made. A grain that comes at x to a block
// which has drifted by A since then is taken for one that stood at x - A and has gone along.
#ifndef DYNAMICS_PENALTY_BED_GRAIN_CHANGES_H
#define DYNAMICS_PENALTY_BED_GRAIN_CHANGES_H

#include "dynamics/penalty/bed/grain_pass.h"

typedef struct grain_bed grain_bed;
typedef struct grain_source grain_source;

enum { NEW_GRAIN = -1, GONE = -1 };

typedef struct grain_changes {
    uint8_t *mark;  // (slots) SLOT_CHANGED, SLOT_FRESH
    int32_t *was;   // (slots) of those that are changed; NEW_GRAIN also where there is no grain any more
    int32_t *now;   // (slots) likewise, and the other way: the slot of the grain that was there, or GONE
    int32_t *slot;  // those with a mark, in any order
    int64_t count;
    int64_t marked_slots;   // that have been given a mark, 0 or not
    bool are_pending;       // lists are those of before
    grain_spring *carried;  // by (a, b)
    int64_t carried_count;
    double overlap;  // m: largest one of those who came
    int64_t mark_capacity, was_capacity, now_capacity, slot_capacity, carried_capacity;
} grain_changes;

// Slots of grains that go from the end of the bed to where others leave; the bed has so many slots afterwards.
typedef struct grain_moves {
    const int32_t *hole, *filler;
    int64_t count, slots_left;
} grain_moves;

void grain_changes_free(grain_changes *changes);
void grain_changes_forget(grain_changes *changes);  // the bed is loaded anew

// Room for changes, and for so many more grains; then the last bodies of the source are taken in, or some leave.
scr_status grain_bed_reserve_changes(grain_bed *bed, int64_t more, scr_error *error);
void grain_bed_take_more(grain_bed *bed, const grain_source *source);
void grain_bed_let_go(grain_bed *bed, const grain_moves *moves);

// Before lists are kept: follow the changes. Where that cannot be done, or would be dear, the rows are forgotten.
scr_status grain_bed_follow_changes(grain_bed *bed, const grain_source *source, scr_error *error);
// The rows are new: how far those who came overlap with others.
void grain_bed_measure_overlaps(grain_bed *bed, const grain_source *source);
// Lists are those of now; a step has been made.
void grain_changes_settle(grain_changes *changes);
void grain_changes_end(grain_changes *changes);
// Springs that were found in packs of before: those of grains that are still there, as they are called now.
void grain_bed_rename_springs(grain_bed *bed);

#endif
