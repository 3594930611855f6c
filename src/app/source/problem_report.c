// SPDX-License-Identifier: BSD-3-Clause
// What a contact problem is made of, as lines to read.
#include "app/source/problem_report.h"

#include <math.h>
#include <stdio.h>

#include "core/text/human.h"

static void print_bodies(const saved_system *s)
{
    int64_t dynamic = 0, grains = 0;
    double light = INFINITY, heavy = 0.0;
    for (int64_t i = 0; i < s->bodies.count; ++i) {
        if (s->inv_mass[i] == 0.0) continue;
        ++dynamic;
        grains += s->is_grain[i];
        light = fmin(light, 1.0 / s->inv_mass[i]);
        heavy = fmax(heavy, 1.0 / s->inv_mass[i]);
    }
    printf("  bodies      %s, of which %s", human_things(dynamic, "dynamic body", "dynamic bodies").text,
           human_things(grains, "is a grain", "are grains").text);
    if (dynamic > 0) printf("; masses %.3g to %.3g kg", light, heavy);
    printf("\n");
}

static void print_contacts(const saved_system *s)
{
    int64_t soft = 0, others = 0;
    double least = INFINITY, most = 0.0;
    for (int64_t i = 0; i < s->contacts.count; ++i) {
        others += s->centre_line[i] == 0;
        soft += s->eps_n[i] > 0.0;
        least = fmin(least, s->mu[i]);
        most = fmax(most, s->mu[i]);
    }
    printf("  contacts    %s, %s of grains, %s compliant", human_count(s->contacts.count).text,
           human_count(s->contacts.count - others).text, human_count(soft).text);
    if (s->contacts.count > 0 && least < most) printf("; friction %.3g to %.3g", least, most);
    else if (s->contacts.count > 0) printf("; friction %.3g", most);
    printf("\n");
}

static void print_joints(const saved_system *s)
{
    int64_t rows = 0, soft = 0;
    if (s->joined.count == 0) return;
    for (int64_t i = 0; i < s->blocks.count; ++i) {
        rows += s->block_rows[i];
        for (int k = 0; k < s->block_rows[i]; ++k) soft += s->block_compliance[BLOCK_ROWS * i + k] > 0.0;
    }
    printf("  joints      %s of %s between %s, %s\n", human_things(rows, "row", "rows").text,
           human_things(s->joined_mechanism[s->joined.count - 1] + 1, "mechanism", "mechanisms").text,
           human_things(s->joined.count, "body", "bodies").text,
           human_things(soft, "compliant row", "compliant ones").text);
}

void print_problem(const char *path, const saved_system *s)
{
    printf("%s: a contact problem%s%s%s\n", path, s->title[0] != '\0' ? ", \"" : "", s->title,
           s->title[0] != '\0' ? "\"" : "");
    if (s->time_step > 0.0) printf("  step        of %s at t = %g s\n", human_duration(s->time_step).text, s->time);
    print_bodies(s);
    print_contacts(s);
    print_joints(s);
}
