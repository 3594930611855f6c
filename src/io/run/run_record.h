// SPDX-License-Identifier: BSD-3-Clause
// The record of a run (scr_run_record): what it knows about itself besides its state: how far its files go, and
// figures that must survive a resume. It is a table of scalars, saved in every checkpoint; nothing in it decides the
// future.
#ifndef IO_RUN_RUN_RECORD_H
#define IO_RUN_RUN_RECORD_H

#include "core/arrays/table.h"
#include "scene/parts/linkage.h"
#include "scree/scene.h"

table run_record_table(scr_run_record *record);

void run_record_begin(scr_run_record *record, scr_world *world, double end_time);
// After a step.
void run_record_step(scr_run_record *record, scr_world *world);
// At every frame, and before the record is saved or shown.
void run_record_joints(scr_run_record *record, linkage_state joints);
// Does the world still have the contacts of the step that the record tells of? A step that failed has used them up,
// and a state that was loaded has none.
bool run_record_has_contacts(const scr_run_record *record, const scr_world *world);
// After a step, before the record is shown.
void run_record_energy(scr_run_record *record, scr_world *world);
// The same before the record is saved, and figures that cost a pass over all contacts. They are NaN if there is no
// memory to work them out: a record with gaps is no reason to lose the state.
void run_record_measure(scr_run_record *record, scr_world *world);

#endif
