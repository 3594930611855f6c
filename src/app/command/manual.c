// SPDX-License-Identifier: BSD-3-Clause
// The manual page: a section for each verb, in troff with the man macros.
#include <string.h>

#include "app/command/help.h"

// A line that begins with . or ' would be a request; a plain - becomes a hyphen that cannot be searched for or copied.
void print_troff(FILE *out, const char *text)
{
    bool at_start = true;
    for (const char *c = text; *c != '\0'; ++c) {
        if (at_start && (*c == '.' || *c == '\'')) fputs("\\&", out);
        if (*c == '\\') fputs("\\e", out);
        else if (*c == '-') fputs("\\-", out);
        else fputc(*c, out);
        at_start = *c == '\n';
    }
}

static void print_names(const option *o, FILE *out)
{
    fprintf(out, ".TP\n");
    if (o->letter != 0) fprintf(out, "\\fB\\-%c\\fR, ", o->letter);
    fprintf(out, "\\fB\\-\\-");
    print_troff(out, o->name);
    fprintf(out, "\\fR");
    if (o->value != NULL) {
        fprintf(out, " \\fI");
        print_troff(out, o->value);
        fprintf(out, "\\fR");
    }
    fputc('\n', out);
}

void print_manual_section(const verb_usage *usage, FILE *out)
{
    fprintf(out, ".SS scree %s ", usage->verb);
    print_troff(out, usage->arguments);
    fprintf(out, "%s\n", usage->option_count > 0 ? " [OPTION...]" : "");
    print_troff(out, usage->about);
    fputc('\n', out);
    for (int k = 0; k < usage->option_count; ++k) {
        print_names(&usage->options[k], out);
        print_troff(out, usage->options[k].help);
        fputc('\n', out);
    }
    fprintf(out, ".PP\nExample:\n.PP\n.nf\n.RS\n");
    print_troff(out, usage->example);
    fprintf(out, "\n.RE\n.fi\n");
}
