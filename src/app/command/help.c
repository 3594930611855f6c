// SPDX-License-Identifier: BSD-3-Clause
// Help on the terminal.
#include "app/command/help.h"

#include <string.h>

enum { NAMES_WIDTH = 24, NAMES_MAX = 160 };  // characters: before the help, and at most

static const help_format formats[] = {
    {"text", print_help},
    {"man", print_manual_section},
    {"bash", print_bash_case},
    {"zsh", print_zsh_case},
};

const help_format *help_asked_for(const char *argument, bool *is_known)
{
    static const char word[] = "--help=";
    *is_known = true;
    if (strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0) return &formats[0];
    if (strncmp(argument, word, strlen(word)) != 0) return NULL;
    const char *name = argument + strlen(word);
    for (size_t k = 0; k < sizeof formats / sizeof formats[0]; ++k) {
        if (strcmp(name, formats[k].name) == 0) return &formats[k];
    }
    fprintf(stderr, "scree: --help prints text, man, bash or zsh, not \"%s\"\n", name);
    *is_known = false;
    return NULL;
}

void print_usage_line(const verb_usage *usage, FILE *out)
{
    fprintf(out, "usage: scree %s %s%s\n", usage->verb, usage->arguments,
            usage->option_count > 0 ? " [OPTION...]" : "");
}

// "-o, --output DIR"
static void print_option(const char *names, const char *help, FILE *out)
{
    if (strlen(names) <= NAMES_WIDTH) fprintf(out, "  %-*s %s\n", NAMES_WIDTH, names, help);
    else fprintf(out, "  %s\n  %*s %s\n", names, NAMES_WIDTH, "", help);
}

void print_help(const verb_usage *usage, FILE *out)
{
    print_usage_line(usage, out);
    fprintf(out, "\n%s\n\n", usage->about);
    for (int k = 0; k < usage->option_count; ++k) {
        const option *o = &usage->options[k];
        char names[NAMES_MAX], letter[5] = "    ";
        if (o->letter != 0) snprintf(letter, sizeof letter, "-%c, ", o->letter);
        snprintf(names, sizeof names, "%s--%s%s%s", letter, o->name, o->value != NULL ? " " : "",
                 o->value != NULL ? o->value : "");
        print_option(names, o->help, out);
    }
    print_option("-h, --help", "this text", out);
    fprintf(out, "\nexample:\n");
    for (const char *line = usage->example; *line != '\0';) {
        int length = (int)strcspn(line, "\n");
        fprintf(out, "  %.*s\n", length, line);
        line += length + (line[length] == '\n');
    }
}
