// SPDX-License-Identifier: BSD-3-Clause
// Columns of probes.csv chosen by name.
#include "app/plot/probe_choice.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "core/text/nearest_name.h"

enum { NAME_SIZE = 256 };  // of the names that are compared; longer ones are by their beginnings
typedef struct short_name {
    char text[NAME_SIZE];
} short_name;

// "floor" of "floor.fz".
static short_name probe_of(const char *column)
{
    short_name probe;
    snprintf(probe.text, sizeof probe.text, "%.*s", (int)strcspn(column, "."), column);
    return probe;
}

static bool is_meant(const char *name, const char *column)
{
    short_name probe = probe_of(column);
    if (strcmp(name, column) == 0 || strcmp(name, probe.text) == 0) return true;
    return fnmatch(name, column, 0) == 0 || fnmatch(name, probe.text, 0) == 0;
}

// A name without a point is taken for a probe's, one with a point for a column's.
static scr_status fail_unknown(const probes_table *t, const char *directory, const char *name, bool whole,
                               scr_error *error)
{
    bool of_column = whole || strchr(name, '.') != NULL;
    nearest_name search = nearest_to(name);
    short_name best;
    for (int64_t c = whole ? 0 : 1; c < t->column_count; ++c) {
        short_name offered = probe_of(t->column[c].name);
        if (of_column) snprintf(offered.text, sizeof offered.text, "%s", t->column[c].name);
        nearest_offer(&search, offered.text);
        if (search.best == offered.text) best = offered, search.best = best.text;
    }
    const char *kind = of_column ? "column" : "probe";
    if (search.best != NULL)
        return scr_fail(error, SCR_BAD_INPUT, "%s has no %s \"%s\"; did you mean \"%s\"?", directory, kind, name,
                        best.text);
    return scr_fail(error, SCR_BAD_INPUT, "%s has no %s \"%s\"; `scree plot %s` lists what it has", directory, kind,
                    name, directory);
}

static bool is_chosen(const probe_choice *choice, int64_t column)
{
    for (int64_t k = 0; k < choice->count; ++k) {
        if (choice->column[k] == column) return true;
    }
    return false;
}

scr_status probe_choice_add(probe_choice *choice, const probes_table *t, const char *directory, const char *name,
                            scr_error *error)
{
    bool any = false;
    for (int64_t c = 1; c < t->column_count; ++c) {
        if (!is_meant(name, t->column[c].name)) continue;
        any = true;
        if (is_chosen(choice, c)) continue;
        scr_status status = scr_grow(&choice->column, &choice->capacity, choice->count + 1, sizeof *choice->column,
                                     "chosen probes", error);
        if (status != SCR_OK) return status;
        choice->column[choice->count++] = c;
    }
    return any ? SCR_OK : fail_unknown(t, directory, name, false, error);
}

void probe_choice_free(probe_choice *choice)
{
    scr_free(choice->column);
    *choice = (probe_choice){0};
}

scr_status probe_column_find(const probes_table *t, const char *directory, const char *name, int64_t *column,
                             scr_error *error)
{
    for (int64_t c = 0; c < t->column_count; ++c) {
        if (strcmp(name, t->column[c].name) != 0) continue;
        *column = c;
        return SCR_OK;
    }
    return fail_unknown(t, directory, name, true, error);
}
