// SPDX-License-Identifier: BSD-3-Clause
// trajectory.h5: the frames of a run, one after the other, with trajectory.xdmf beside it for ParaView.
//
// Rows are appended to a few long datasets. A frame is complete when /frame_count counts it, which is written last, so
// that a run killed at any moment leaves every earlier frame readable. A frame can be read while the run goes on.
//
//   /frame_count           how many frames there are; rows beyond the last of them are left over from a killed run
//   /frame                 one entry a frame: time (s), first row and number of rows of spheres, boxes, planes, parts,
//                          contacts and rotations of spheres
//   /spheres/position ...  one row a sphere; see frame.h for columns and units
//   /spheres/rotation ...  rotation and angular velocity, one row a sphere, if the scene wants them (output.rotations)
//   /boxes/corner          8 corners of 3 numbers a row, for programs that want hexahedra
//   /parts/position ...    one row for each shape of any other kind
//   /contacts/ends ...     one row for each contact that carries a force, if the scene wants them (output.contacts)
//   /parked/...            the parked grains of an active box (trajectory_parked.h); read as spheres of every frame
//   /surfaces/...          points and triangles of hulls, meshes and heightfields, and the spheres of sphere sets;
//                          written once, when the file is made. A sphere set is a part, and read as spheres
//   period_low ...         attributes of the file where space repeats itself: period_low and period_length of the cell,
//                          m; 0 long along axes that do not repeat. Rows say how far bodies have come, beyond the cell
//   has_rotations          attribute of the file, if its spheres have rotations: then those of sphere sets do, too
//   /index                 0, 1, 2, ..., for programs that want to be told which points make up a cell
#ifndef IO_TRAJECTORY_TRAJECTORY_H
#define IO_TRAJECTORY_TRAJECTORY_H

#include "io/trajectory/frame.h"
#include "scene/active/active_box.h"

typedef struct trajectory trajectory;

// usual: about how many shapes a frame will have; the file takes space in pieces that fit, and any number works. Any
// rotations: the spheres of all frames have one.
// surfaces: those of all frames to come; NULL if there are none. period: of the space they show; NULL if it does not
// repeat itself.
scr_status trajectory_create(const char *directory, frame_size usual, const frame_surfaces *surfaces,
                             const periodic_cell *period, trajectory **t, scr_error *error);
// Go on with an existing file, keeping its first frame_count frames, and the next if it shows this time (s).
scr_status trajectory_continue(const char *directory, int64_t frame_count, double time, trajectory **t,
                               scr_error *error);
scr_status trajectory_cut(trajectory *t, int64_t frame_count, scr_error *error);  // forget the frames after these
// Of a run with an active box, before each frame: its parked grains, of which those are written that are others than in
// the frame before.
scr_status trajectory_append_parked(trajectory *t, const active_box *box, scr_error *error);
scr_status trajectory_append(trajectory *t, const frame *f, scr_error *error);
scr_status trajectory_sync(trajectory *t,
                           scr_error *error);  // bring all frames so far to the disk; writes the XDMF file
scr_status trajectory_close(trajectory *t, scr_error *error);  // NULL is fine; writes the XDMF file
void trajectory_abandon(trajectory *t);                        // close it, and write nothing more; NULL is fine
bool trajectory_is_in_place(const trajectory *t);              // or did somebody remove or replace it?

scr_status trajectory_open(const char *directory, trajectory **t, scr_error *error);  // to read
const periodic_cell *trajectory_period(const trajectory *t);
int64_t trajectory_frame_count(const trajectory *t);
double trajectory_frame_time(const trajectory *t, int64_t index);
frame_size trajectory_frame_size(const trajectory *t, int64_t index);
// Shapes are in the cell of a space that repeats itself (frame_wrap).
// f->surfaces points to those of the trajectory: it must outlive what looks at them.
scr_status trajectory_read(trajectory *t, int64_t index, frame *f, scr_error *error);
// From now on frames are read without the shapes of some bodies (frame_hide_bodies). `hidden` must outlive the
// trajectory.
void trajectory_hide_bodies(trajectory *t, const bool *hidden, int64_t count);

#endif
