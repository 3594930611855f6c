// SPDX-License-Identifier: BSD-3-Clause
// The detector of include/scree/detect.h from inside: its stages one by one.
#ifndef COLLISION_DETECTOR_BALL_DETECTOR_H
#define COLLISION_DETECTOR_BALL_DETECTOR_H

#include "collision/broad/pair_list.h"

struct scr_detector {
    int threads;
    ball_pair_search *search;
    ball_grid grid;
    pair_list pairs;
    uint32_t old_count;      // pairs of spheres below this number are known already and left out
    int64_t *first_contact;  // (bucket_count + 1)
    scr_ball_contact *contact;
    scr_ball *layer_ball;  // detection in layers: what came with the layer, after what was kept
    int64_t *layer_id;
    int64_t first_contact_capacity, contact_capacity, layer_ball_capacity, layer_id_capacity;
};

// Grid and pairs, the latter sifted to what overlaps; where the contacts of each bucket begin. The number of contacts.
scr_status detector_find_pairs(scr_detector *d, const scr_ball *spheres, int64_t count, int64_t *contact_count,
                               scr_error *error);
// Write the contacts first .. last - 1 of a bucket. Their i and j are ids of the spheres; if ids is NULL, their
// numbers in the input.
void detector_write(const scr_detector *d, int64_t bucket, int64_t first, int64_t last, const int64_t *ids,
                    scr_ball_contact *out);
// Bytes that detecting so many spheres of a layer takes, about.
int64_t detector_bytes(const scr_detector *d, int64_t count);

#endif
