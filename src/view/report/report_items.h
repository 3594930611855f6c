// SPDX-License-Identifier: BSD-3-Clause
// The shapes of a frame as one list, in an order that lasts from frame to frame.
//
// A frame keeps spheres, boxes, planes and other shapes apart and in no lasting order. Here each is an item with a name
// that stays: the set it belongs to, its body, and which of the body's shapes of that set it is. A set is a kind of
// shape, once for the bodies that a scene lists, which are always shown, and once for grains, which may be thinned out.
#ifndef VIEW_REPORT_REPORT_ITEMS_H
#define VIEW_REPORT_REPORT_ITEMS_H

#include "io/trajectory/frame.h"

enum { ITEM_SETS = 2 * (SCR_PLANE + 1) };

typedef struct report_item {
    int set;           // 2 x scr_shape_kind, and 1 more for a body of the scene's list
    uint32_t id;       // of the body
    uint32_t ordinal;  // among the body's shapes of this set
    int64_t index;     // in the frame: spheres, then boxes, planes and parts
} report_item;

static inline scr_shape_kind item_shape(int set) { return (scr_shape_kind)(set / 2); }
static inline bool item_is_kept(int set) { return set % 2 == 1; }

// Everything about the shape.
typedef struct report_shape {
    float position[3], rotation[4], half[3];  // m, (w, x, y, z), m; spheres: radius in all three
    float speed;                              // m/s
    int32_t surface;                          // or -1
    uint8_t material, kind;
} report_shape;
report_shape report_shape_at(const frame *f, int64_t index);

// Which shapes to list. Bodies with an id up to kept_ids, and planes, are kept; of the others those whose rank, a
// random number made of their id, is below the limit.
typedef struct report_choice {
    uint32_t kept_ids;
    uint64_t rank_limit;  // of RANK_COUNT
} report_choice;
#define RANK_COUNT ((uint64_t)1 << 32)
uint32_t report_rank(uint32_t id);

// The list, ordered by set, id and ordinal. Buffers only grow.
typedef struct report_items {
    report_item *item;
    int64_t count, capacity;
    int64_t grain_count;  // all grains of the frame, listed or not
    uint64_t *key;
    uint32_t *value;
    int64_t sort_capacity;
    scr_arena arena;
} report_items;
scr_status report_items_list(report_items *items, const frame *f, report_choice choice, scr_error *error);
void report_items_free(report_items *items);

#endif
