// SPDX-License-Identifier: BSD-3-Clause
// One pass of the active box over the world's bodies. For active_box.c alone.
#ifndef SCENE_ACTIVE_ACTIVE_PASS_H
#define SCENE_ACTIVE_ACTIVE_PASS_H

#include "scene/active/active_box.h"

static inline bool is_listed(const active_box *box, uint64_t id) { return id <= (uint64_t)box->scene->body_count; }

scr_status active_pass_reserve(active_box *box, scr_error *error);  // once the cells are known, or loaded
void active_pass_trim(active_box *box);  // give back scratch, after the first pass, which is by far the largest
// Carry out box->changes, and put every grain where the state of its cell wants it.
scr_status active_pass(active_box *box, scr_world *world, scr_error *error);

#endif
