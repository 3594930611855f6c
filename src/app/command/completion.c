// SPDX-License-Identifier: BSD-3-Clause
// Completion for bash and zsh: a branch for each verb of the function that src/app/help.c prints around them.
#include <string.h>

#include "app/command/help.h"

static bool begins_with(const char *text, const char *word) { return strncmp(text, word, strlen(word)) == 0; }

completion_kind completion_of(const char *value)
{
    if (value == NULL) return COMPLETE_NOTHING;
    if (begins_with(value, "SCENE|") || begins_with(value, "FILE") || begins_with(value, "PATH")) {
        return strchr(value, '=') != NULL ? COMPLETE_NOTHING : COMPLETE_FILE;  // PATH=VALUE is a path in a scene
    }
    if (begins_with(value, "NAME") && strchr(value, ',') == NULL) return COMPLETE_FILE;
    if (begins_with(value, "SCENE") || begins_with(value, "STUDY")) return COMPLETE_SCENE;
    if (begins_with(value, "DIR")) return COMPLETE_DIRECTORY;
    return strchr(value, '|') != NULL ? COMPLETE_CHOICE : COMPLETE_NOTHING;
}

static void print_choices(const char *value, FILE *out)
{
    for (const char *c = value; *c != '\0'; ++c) fputc(*c == '|' ? ' ' : *c, out);
}

// ---- bash: sets `options`, and `offer` to what comes next: scene, directory, file, or words after "=" ----

static void print_bash_offer(const char *value, FILE *out)
{
    static const char *const name[] = {[COMPLETE_NOTHING] = "nothing",
                                       [COMPLETE_SCENE] = "scene",
                                       [COMPLETE_DIRECTORY] = "directory",
                                       [COMPLETE_FILE] = "file"};
    completion_kind kind = completion_of(value);
    if (kind != COMPLETE_CHOICE) {
        fprintf(out, "offer=%s", name[kind]);
        return;
    }
    fprintf(out, "offer='=");
    print_choices(value, out);
    fputc('\'', out);
}

void print_bash_case(const verb_usage *usage, FILE *out)
{
    fprintf(out, "    %s)\n        options='", usage->verb);
    for (int k = 0; k < usage->option_count; ++k) {
        fprintf(out, "--%s ", usage->options[k].name);
        if (usage->options[k].letter != 0) fprintf(out, "-%c ", usage->options[k].letter);
    }
    fprintf(out, "--help'\n        case $before in\n");
    for (int k = 0; k < usage->option_count; ++k) {
        const option *o = &usage->options[k];
        if (o->kind == OPTION_FLAG) continue;
        fprintf(out, "        --%s", o->name);
        if (o->letter != 0) fprintf(out, " | -%c", o->letter);
        fprintf(out, ") ");
        print_bash_offer(o->value, out);
        fprintf(out, " ;;\n");
    }
    fprintf(out, "        *) ");
    print_bash_offer(usage->arguments, out);
    fprintf(out, " ;;\n        esac\n        ;;\n");
}

// ---- zsh: a call of _arguments ----

// Inside single quotes, with a backslash before what _arguments would take for an end.
static void print_zsh_text(const char *text, const char *ends, FILE *out)
{
    for (const char *c = text; *c != '\0'; ++c) {
        if (*c == '\'') fputs("'\\''", out);
        else if (strchr(ends, *c) != NULL) fprintf(out, "\\%c", *c);
        else fputc(*c, out);
    }
}

static void print_zsh_action(const char *value, FILE *out)
{
    switch (completion_of(value)) {
    case COMPLETE_SCENE: fputs("_files -g \"*.json\"", out); break;
    case COMPLETE_DIRECTORY: fputs("_files -/", out); break;
    case COMPLETE_FILE: fputs("_files", out); break;
    case COMPLETE_CHOICE:
        fputc('(', out);
        print_choices(value, out);
        fputc(')', out);
        break;
    case COMPLETE_NOTHING: fputc(' ', out); break;
    }
}

// "+" and "=": a value may follow the letter, or the name and "=", in the same word, or be the next one.
static void print_zsh_option(const option *o, FILE *out)
{
    bool has_value = o->kind != OPTION_FLAG;
    const char *repeated = o->kind == OPTION_LIST ? "*" : "", *equals = has_value ? "=" : "",
               *plus = has_value ? "+" : "";
    if (o->letter == 0) fprintf(out, "            '%s--%s%s", repeated, o->name, equals);
    else fprintf(out, "            '(-%c --%s)'{-%c%s,--%s%s}'", o->letter, o->name, o->letter, plus, o->name, equals);
    fputc('[', out);
    print_zsh_text(o->help, "[]\\", out);
    fputc(']', out);
    if (has_value) {
        fputc(':', out);
        print_zsh_text(o->value, ":\\", out);
        fputc(':', out);
        print_zsh_action(o->value, out);
    }
    fprintf(out, "' \\\n");
}

void print_zsh_case(const verb_usage *usage, FILE *out)
{
    fprintf(out, "    %s)\n        _arguments \\\n", usage->verb);
    for (int k = 0; k < usage->option_count; ++k) print_zsh_option(&usage->options[k], out);
    fprintf(out, "            '(-h --help)'{-h,--help}'[explain]' \\\n            '%s:", usage->takes_more ? "*" : "1");
    print_zsh_text(usage->arguments, ":\\", out);
    fputc(':', out);
    print_zsh_action(usage->arguments, out);
    fprintf(out, "'\n        ;;\n");
}
