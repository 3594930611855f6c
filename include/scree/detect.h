// Which of very many spheres overlap: contact detection on its own, without a world.
#ifndef SCREE_DETECT_H
#define SCREE_DETECT_H

#include "scree/base.h"

typedef struct scr_ball { double x, y, z, r; } scr_ball;  ///< m; r >= 0, all finite

/// Two spheres that overlap. The decision is exact: spheres that just touch are none.
typedef struct scr_ball_contact {
    int64_t i, j;     ///< i < j
    double gap;       ///< m, distance of the surfaces: negative, or 0 where the overlap is below rounding
    scr_vec3 normal;  ///< from i to j; along x where the centres coincide
} scr_ball_contact;

/// Owns the memory that detection needs. It grows with the largest call and is used again by the next.
typedef struct scr_detector scr_detector;

SCR_API scr_status scr_detector_create(int thread_count, scr_detector **detector, scr_error *error);  ///< 0: all cores
SCR_API void scr_detector_destroy(scr_detector *detector);                                            ///< NULL is fine

/// All contacts of `count` spheres, each once, in an order that depends on the spheres alone. `*contacts` belongs to the
/// detector and is valid until its next call.
SCR_API scr_status scr_detect_balls(scr_detector *detector, const scr_ball *spheres, int64_t count,
                                      const scr_ball_contact **contacts, int64_t *contact_count, scr_error *error);

#endif
