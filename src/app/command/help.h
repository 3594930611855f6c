// SPDX-License-Identifier: BSD-3-Clause
// What is printed about a verb, all from its table of options (app/command/options.h): help on the terminal, its
// section of the manual page, and its share of the completion of two shells.
#ifndef APP_COMMAND_HELP_H
#define APP_COMMAND_HELP_H

#include <stdio.h>

#include "app/command/options.h"

typedef void help_printer(const verb_usage *usage, FILE *out);

// One way to print help.
typedef struct help_format {
    const char *name;  // "man", for --help=man
    help_printer *print;
} help_format;

// The format of "--help", "--help=man", "-h"; NULL if the argument is something else. *is_known is false for a format
// that does not exist, and a sentence was printed.
const help_format *help_asked_for(const char *argument, bool *is_known);

void print_usage_line(const verb_usage *usage, FILE *out);
help_printer print_help, print_manual_section, print_bash_case, print_zsh_case;

// What a shell should offer for a value or an argument of this name ("FILE.png", "DIR...", "povray|vtu").
typedef enum completion_kind {
    COMPLETE_NOTHING,
    COMPLETE_SCENE,
    COMPLETE_DIRECTORY,
    COMPLETE_FILE,
    COMPLETE_CHOICE,  // the words between the bars
} completion_kind;
completion_kind completion_of(const char *value);

// Text for troff: nothing in it is taken for a request or an escape.
void print_troff(FILE *out, const char *text);

#endif
