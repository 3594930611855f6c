// The detector of include/scree/detect.h from inside: its stages one by one.
#ifndef COLLISION_BALL_DETECTOR_H
#define COLLISION_BALL_DETECTOR_H

#include "collision/pair_list.h"

struct scr_detector {
    int threads;
    ball_pair_search *search;
    ball_grid grid;
    pair_list pairs;
    int64_t *first_contact;  // (bucket_count + 1)
    scr_ball_contact *contact;
    int64_t first_contact_capacity, contact_capacity;
};

// Grid and pairs, the latter sifted to what overlaps; where the contacts of each bucket begin. The number of contacts.
scr_status detector_find_pairs(scr_detector *d, const scr_ball *spheres, int64_t count, int64_t *contact_count,
                               scr_error *error);
// The contact of a pair of entries; i and j are numbers in the input.
scr_ball_contact detector_contact(const scr_detector *d, ball_pair pair);

#endif
