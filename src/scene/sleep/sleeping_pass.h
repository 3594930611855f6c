// SPDX-License-Identifier: BSD-3-Clause
// The parts of sleeping: what disturbs cells, and how grains fall asleep and wake. For sleeping.c alone.
#ifndef SCENE_SLEEP_SLEEPING_PASS_H
#define SCENE_SLEEP_SLEEPING_PASS_H

#include "scene/sleep/sleeping.h"

// sleep_disturb.c
void disturb_by_events(sleeping *s, const scr_world *world, const scr_body *handle);
void disturb_by_prescribed_motion(sleeping *s, const scr_world *world, const scr_body *handle);
void disturb_by_fast_bodies(sleeping *s, const scr_world *world);
scr_status disturb_by_loads(sleeping *s, const scr_world *world, scr_error *error);

// sleeping_pass.c
scr_status sleeping_refresh(sleeping *s, const scr_world *world, scr_error *error);
scr_status sleeping_choose(sleeping *s, const scr_world *world, scr_error *error);  // who is quiet long enough
scr_status sleeping_fix_chosen(sleeping *s, scr_world *world, scr_error *error);
scr_status sleeping_wake_due(sleeping *s, scr_world *world, scr_error *error);  // in whose ring something was disturbed

#endif
