// SPDX-License-Identifier: BSD-3-Clause
// Which of very many spheres overlap: contact detection on its own, without a world.
#ifndef SCREE_DETECT_H
#define SCREE_DETECT_H

#include "scree/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A sphere: centre and radius in m; r >= 0, all finite.
typedef struct scr_ball {
    double x, y, z, r;
} scr_ball;

/// Two spheres that overlap. The decision is exact: spheres that just touch are none.
typedef struct scr_ball_contact {
    int64_t i, j;     ///< i < j
    double gap;       ///< m, distance of the surfaces: negative, or 0 where the overlap is below rounding
    scr_vec3 normal;  ///< from i to j; along x where the centres coincide
} scr_ball_contact;

/// Owns the memory that detection needs. It grows with the largest call and is used again by the next.
typedef struct scr_detector scr_detector;

/// A detector that uses so many threads; 0: all cores. Results do not depend on it. A detector serves one thread at a
/// time.
SCR_API scr_status scr_detector_create(int thread_count, scr_detector **detector, scr_error *error);
/// Give its memory back. NULL is fine.
SCR_API void scr_detector_destroy(scr_detector *detector);

/// All contacts of `count` spheres, each once, in an order that depends on the spheres alone. `*contacts` belongs to
/// the detector and is valid until its next call.
SCR_API scr_status scr_detect_balls(scr_detector *detector, const scr_ball *spheres, int64_t count,
                                    const scr_ball_contact **contacts, int64_t *contact_count, scr_error *error);

// More spheres than memory holds: they come in layers along one axis, are detected layer by layer, and the contacts are
// handed on as they are found. What still reaches into the next layer is kept, so no contact is missed or found twice.

/// Spheres in layers. Ids are the caller's, each used once.
typedef struct scr_ball_layers {
    void *context;
    int axis;       ///< 0, 1 or 2: x, y or z
    int64_t count;  ///< layers
    /// How many spheres a layer has, and a coordinate below which no sphere of this or a later layer reaches.
    scr_status (*measure)(void *context, int64_t layer, int64_t *ball_count, double *floor, scr_error *error);
    /// Write the spheres of a layer and their ids.
    scr_status (*read)(void *context, int64_t layer, scr_ball *balls, int64_t *ids, scr_error *error);
} scr_ball_layers;

/// Spheres in any order; the id of a sphere is its number. They are read more than once.
typedef struct scr_ball_stream {
    void *context;
    int64_t count;
    scr_status (*read)(void *context, int64_t first, int64_t count, scr_ball *balls, scr_error *error);
} scr_ball_stream;

/// Where the contacts go, some at a time. A status other than SCR_OK ends the detection.
typedef struct scr_contact_sink {
    void *context;
    scr_status (*take)(void *context, const scr_ball_contact *contacts, int64_t count, scr_error *error);
} scr_contact_sink;

/// Layer by layer. A layer that takes more memory than the budget (bytes) is an error.
SCR_API scr_status scr_detect_layers(scr_detector *detector, const scr_ball_layers *layers, int64_t budget,
                                     const scr_contact_sink *sink, scr_error *error);
/// The same for spheres in any order, which are sorted into layers first. What does not fit the budget goes to a file
/// in `directory` (NULL: that for temporary files) which is gone afterwards, whatever happens.
SCR_API scr_status scr_detect_stream(scr_detector *detector, const scr_ball_stream *stream, int64_t budget,
                                     const char *directory, const scr_contact_sink *sink, scr_error *error);

#ifdef __cplusplus
}
#endif

#endif
