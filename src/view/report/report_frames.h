// SPDX-License-Identifier: BSD-3-Clause
// The player's data: instances, surfaces and frames, as the page carries them. All numbers are little-endian.
//
//   instances id (u32 each), then half (3 f32 each), surface (i32), material (u8), kind (u8), set after set
//   rests     low corner and step of their grid (3 f32, 3 f32), then id (u32 each), radius (f32), position (3 u16 on
//             the grid), first and last frame (u16, u16), material (u8)
//   surface   vertices (3 f32 each), then triangles (3 u32 each)
//   frame     time (f64), low corner and step of the grid for grains (3 f32, 3 f32), then for each set in turn:
//             presence   one bit an instance, the lowest first; padded to 4 bytes
//             position   of those present: 3 u16 on the grid; for bodies of the scene 3 f32, m
//             rotation   3 u16, not for spheres; see pack_rotation()
//             speed      u8: 0 is at rest, else v = speed_max * 10^(4 (code - 255) / 254)
//             padded to 4 bytes
#ifndef VIEW_REPORT_REPORT_FRAMES_H
#define VIEW_REPORT_REPORT_FRAMES_H

#include "view/report/report_instances.h"
#include "view/report/report_page.h"

// 48 bits: of the four components of a unit quaternion the largest follows from the others, which lie within
// +-sqrt(1/2) and take 15 bits each. The top bits of the first two words say which one is left out.
void pack_rotation(const float rotation[4], uint16_t word[3]);
// One byte, on a logarithmic scale over four decades.
uint8_t pack_speed(float speed, float speed_max);

// What was written, for the page to say.
typedef struct report_shown {
    int64_t grains_most;    // grains shown in the frame that shows most
    int64_t outliers_most;  // that were too far away from the others to be shown, in the frame that has most
    int64_t surfaces_left;  // too large for the budget
} report_shown;

// Writes to the page, as elements instances-RUN, rests-RUN, surface-RUN-N and frame-RUN-N.
scr_status report_frames_write(report_page *page, int run, report_instances *instances, trajectory *t,
                               const bool *surface_fits, report_shown *shown, scr_error *error);

#endif
