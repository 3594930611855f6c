// SPDX-License-Identifier: BSD-3-Clause
// The arguments of a verb: a table says what there is, one function reads it, and help, the manual
// page and the completion of shells are printed from it (app/command/help.h).
//
// Why not a library: reading argv is the lesser part. getopt_long knows no kinds of values, takes --thr for --threads
// (a script then breaks when an option is added), and its help is written by hand. argp prints help, popt reads numbers
// too (nan and -1 pass), but neither suggests a name, knows what a value may be, or prints a manual page or
// completions, which would need this table beside theirs.
#ifndef APP_COMMAND_OPTIONS_H
#define APP_COMMAND_OPTIONS_H

#include "core/base/status.h"

typedef enum option_kind {
    OPTION_FLAG,    // bool
    OPTION_TEXT,    // const char *
    OPTION_NUMBER,  // double, positive
    OPTION_ANY,     // double, finite
    OPTION_COUNT,   // int, from 1
    OPTION_LIST,    // option_list: may be given several times
} option_kind;

typedef struct option_list {
    const char **item;  // grows as they are read
    int count;
} option_list;

void option_list_free(option_list *list);

typedef struct option {
    const char *name;  // "until", for --until
    char letter;       // 'o', for -o; 0 if there is none
    option_kind kind;
    void *target;
    const char *value;  // what its value is called in help ("FILE"), or the choices ("x|y|xy"); NULL for a flag
    const char *help;
} option;

typedef struct verb_usage {
    const char *verb;
    const char *arguments;  // "SCENE"
    int argument_count;     // exactly so many ...
    bool takes_more;        // ... or more of the last one
    const char *about;      // a paragraph
    const char *example;    // a command or several, a line each
    const option *options;
    int option_count;
} verb_usage;

typedef enum parse_result { PARSE_OK, PARSE_HELP, PARSE_BAD } parse_result;

// Reads options to their targets and the rest to arguments. Asked for help, prints it and returns PARSE_HELP; prints
// what is wrong and returns PARSE_BAD. arguments has room for argument_count; for argc if the verb takes more.
parse_result parse_arguments(const verb_usage *usage, int argc, char **argv, const char **arguments);
int exit_code_of(parse_result result);  // of a verb that did nothing else

#endif
