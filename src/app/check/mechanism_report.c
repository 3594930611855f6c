// SPDX-License-Identifier: BSD-3-Clause
// What the joints of a scene make of its bodies.
#include "app/check/mechanism_report.h"

#include <math.h>
#include <stdio.h>

#include "core/text/human.h"
#include "scene/model/messages.h"

enum { NAMES_MAX = 6 };                  // joints that are named in one line
static const double CLOSED_GAP = 1e-9;   // m, and rad: no gap at all
static const double LARGE_MOVE = 1e-3;   // m: so far bodies are moved without a warning
static const double LIMIT_SLACK = 1e-9;  // m, rad

static void print_freedoms(const scr_assembly *a)
{
    printf("  %-10s ", a->mechanism_count == 1 ? "mechanism" : "mechanisms");
    if (a->mechanism_count != 1) printf("%s of ", human_count(a->mechanism_count).text);
    printf("%s and %s", human_things(a->body_count, "body", "bodies").text,
           human_things(a->joint_count, "joint", "joints").text);
    if (a->degrees_of_freedom == 0) printf(", no degrees of freedom: joints and motors decide every motion\n");
    else printf(", %s\n", human_things(a->degrees_of_freedom, "degree of freedom", "degrees of freedom").text);
}

// Only joints have names here: a coupling may be redundant too.
static void print_redundant(const simulation *sim, const scr_assembly *a)
{
    const scene *s = simulation_scene(sim);
    int named = 0;
    if (a->redundant_count == 0) return;
    printf("  %-10s %s", "redundant",
           human_things(a->redundant_count, "condition is kept twice", "conditions are kept twice").text);
    for (int i = 0; i < s->joint_count; ++i) {
        int rows = simulation_joint(sim, i).redundant_rows;
        if (rows == 0) continue;
        if (named++ >= NAMES_MAX) continue;
        printf("%s%s", named == 1 ? ": " : ", ", label_of_joint(s, i).text);
        if (rows > 1) printf(" (%d)", rows);
    }
    if (named > NAMES_MAX) printf(" and %s more", human_count(named - NAMES_MAX).text);
    printf(".\n  %-10s Motion is not affected; forces are shared out evenly among the joints that could carry them\n",
           "");
}

// "1.2 mm", "0.03 rad", or both.
static void print_gap(double gap, double tilt)
{
    if (gap > CLOSED_GAP) printf("%s", human_length(gap).text);
    if (gap > CLOSED_GAP && tilt > CLOSED_GAP) printf(" and ");
    if (tilt > CLOSED_GAP) printf("%s rad", human_figure(tilt).text);
}

static void print_gaps(const scr_assembly *a)
{
    bool was_open = a->gap_before > CLOSED_GAP || a->tilt_before > CLOSED_GAP, is_far = a->farthest_move > LARGE_MOVE;
    human_text moved = human_length(a->farthest_move);
    if (was_open) {
        printf("  %-10s joints were open by up to ", is_far ? "warning" : "gaps");
        print_gap(a->gap_before, a->tilt_before);
        printf(", and bodies were moved by up to %s to close them%s\n", moved.text,
               is_far ? ": are bodies and joints where you meant them to be?" : "");
    } else if (a->farthest_move > CLOSED_GAP) {
        printf("  %-10s bodies were moved by up to %s to where motors have them at the start\n", "motors", moved.text);
    }
}

static void print_left_open(const simulation *sim)
{
    const scene *s = simulation_scene(sim);
    scr_joint_state worst = {0};
    int joint = 0;
    for (int i = 0; i < s->joint_count; ++i) {
        scr_joint_state state = simulation_joint(sim, i);
        if (fmax(state.gap, state.tilt) <= fmax(worst.gap, worst.tilt)) continue;
        worst = state;
        joint = i;
    }
    if (fmax(worst.gap, worst.tilt) <= CLOSED_GAP) return;
    printf("  %-10s %s stays open by ", "warning", label_of_joint(s, joint).text);
    print_gap(worst.gap, worst.tilt);
    printf(": joints that hold the same contradict each other\n");
}

// A joint begins beyond a limit where it was drawn so, or where assembly moved it.
static void print_limits(const simulation *sim)
{
    const scene *s = simulation_scene(sim);
    for (int i = 0; i < s->joint_count; ++i) {
        const scr_joint_def *def = &s->joints[i].def;
        scr_joint_state state = simulation_joint(sim, i);
        bool rotates = def->kind == SCR_JOINT_REVOLUTE || def->kind == SCR_JOINT_PLANAR;
        double at = rotates ? state.about : state.along;
        if (at >= def->lower - LIMIT_SLACK && at <= def->upper + LIMIT_SLACK) continue;
        printf("  %-10s %s begins at %s %s, beyond its limit of %s: the first step throws it there\n", "warning",
               label_of_joint(s, i).text, human_figure(at).text, rotates ? "rad" : "m",
               human_figure(at < def->lower ? def->lower : def->upper).text);
    }
}

void print_mechanisms(const simulation *sim)
{
    scr_assembly a = simulation_assembly(sim);
    if (a.joint_count == 0) return;
    print_freedoms(&a);
    print_redundant(sim, &a);
    print_gaps(&a);
    print_left_open(sim);
    print_limits(sim);
}
