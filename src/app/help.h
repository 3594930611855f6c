// SPDX-License-Identifier: BSD-3-Clause
// The command's verbs, and what is printed about all of them together.
#ifndef APP_HELP_H
#define APP_HELP_H

#include "app/command/command.h"
#include "app/command/help.h"

typedef struct verb {
    const char *name;
    const char *group;  // the heading in help; verbs of a group stand together
    const char *summary;
    verb_function *run;
} verb;

typedef struct verb_table {
    const verb *item;
    int count;
} verb_table;

void print_overview(const verb_table *verbs, FILE *out);
// The whole command: the overview, the manual page, or a shell's completion.
void print_help_of_all(const verb_table *verbs, const help_format *format);

#endif
