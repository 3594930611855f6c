// SPDX-License-Identifier: BSD-3-Clause
// The arguments of a verb.
#include "app/command/options.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/command/command.h"
#include "app/command/help.h"
#include "core/text/nearest_name.h"

enum { COUNT_MAX = 1024 };

static parse_result bad(const verb_usage *usage)
{
    fprintf(stderr, "scree: `scree %s --help` explains the options\n", usage->verb);
    return PARSE_BAD;
}

static const option *find_long(const verb_usage *usage, const char *name, size_t length)
{
    for (int k = 0; k < usage->option_count; ++k) {
        const char *known = usage->options[k].name;
        if (strlen(known) == length && strncmp(known, name, length) == 0) return &usage->options[k];
    }
    return NULL;
}

static const option *find_letter(const verb_usage *usage, char letter)
{
    for (int k = 0; k < usage->option_count; ++k) {
        if (letter != 0 && usage->options[k].letter == letter) return &usage->options[k];
    }
    return NULL;
}

static parse_result unknown_option(const verb_usage *usage, const char *argument)
{
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(argument + 1, "="), argument + 1);
    const char *word = name[0] == '-' ? name + 1 : name;
    nearest_name search = nearest_to(word);
    for (int k = 0; k < usage->option_count; ++k) nearest_offer(&search, usage->options[k].name);
    nearest_offer(&search, "help");
    fprintf(stderr, "scree: %s has no option -%s", usage->verb, name);
    if (search.best == NULL) {
        fputc('\n', stderr);
        return bad(usage);
    }
    fprintf(stderr, "; did you mean --%s?\n", search.best);
    return PARSE_BAD;
}

static bool list_append(option_list *list, const char *text)
{
    const char **item = realloc(list->item, ((size_t)list->count + 1) * sizeof *item);
    if (item == NULL) {
        fprintf(stderr, "scree: out of memory for options\n");
        return false;
    }
    list->item = item;
    list->item[list->count++] = text;
    return true;
}

void option_list_free(option_list *list)
{
    free(list->item);
    *list = (option_list){0};
}

// Puts the value where the option wants it; false, with a sentence, if it is not of its kind.
static bool take_value(const option *o, const char *text)
{
    char *end = NULL;
    errno = 0;
    switch (o->kind) {
    case OPTION_FLAG: *(bool *)o->target = true; return true;
    case OPTION_TEXT: *(const char **)o->target = text; return true;
    case OPTION_LIST: return list_append(o->target, text);
    case OPTION_ANY:
    case OPTION_NUMBER: {
        double number = strtod(text, &end);
        if (end != text && *end == '\0' && isfinite(number) && (o->kind == OPTION_ANY || number > 0.0)) {
            *(double *)o->target = number;
            return true;
        }
        fprintf(stderr, "scree: --%s needs a %snumber, not \"%s\"\n", o->name, o->kind == OPTION_ANY ? "" : "positive ",
                text);
        return false;
    }
    case OPTION_COUNT: {
        long number = strtol(text, &end, 10);
        if (end != text && *end == '\0' && errno == 0 && number >= 1 && number <= COUNT_MAX) {
            *(int *)o->target = (int)number;
            return true;
        }
        fprintf(stderr, "scree: --%s needs a whole number from 1 to %d, not \"%s\"\n", o->name, COUNT_MAX, text);
        return false;
    }
    }
    return false;
}

// An option's value is what follows "=" (or the letter), or else the next argument.
static parse_result take_option(const verb_usage *usage, char **argv, int argc, int *at)
{
    const char *argument = argv[*at], *value = NULL;
    const option *o;
    if (argument[1] == '-') {
        const char *name = argument + 2;
        size_t length = strcspn(name, "=");
        o = find_long(usage, name, length);
        if (name[length] == '=') value = name + length + 1;
    } else {
        o = find_letter(usage, argument[1]);
        if (argument[2] != '\0') value = argument + 2;
    }
    if (o == NULL) return unknown_option(usage, argument);
    if (o->kind == OPTION_FLAG && value != NULL) {
        fprintf(stderr, "scree: --%s takes no value, but \"%s\" was given\n", o->name, value);
        return PARSE_BAD;
    }
    if (o->kind != OPTION_FLAG && value == NULL) {
        if (*at + 1 >= argc) {
            fprintf(stderr, "scree: --%s needs a value: --%s %s\n", o->name, o->name, o->value);
            return PARSE_BAD;
        }
        value = argv[++*at];
    }
    return take_value(o, value) ? PARSE_OK : PARSE_BAD;
}

parse_result parse_arguments(const verb_usage *usage, int argc, char **argv, const char **arguments)
{
    int count = 0;
    bool options_end = false, is_known = true;
    const help_format *format;
    for (int at = 1; at < argc; ++at) {
        const char *argument = argv[at];
        if (!options_end && strcmp(argument, "--") == 0) {
            options_end = true;
        } else if (!options_end && (format = help_asked_for(argument, &is_known)) != NULL) {
            format->print(usage, stdout);
            return PARSE_HELP;
        } else if (!is_known) {
            return PARSE_BAD;
        } else if (!options_end && argument[0] == '-' && argument[1] != '\0') {
            parse_result result = take_option(usage, argv, argc, &at);
            if (result != PARSE_OK) return result;
        } else if (count < usage->argument_count || usage->takes_more) {
            arguments[count++] = argument;
        } else {
            fprintf(stderr, "scree: %s takes %d argument%s; \"%s\" is too many\n", usage->verb, usage->argument_count,
                    usage->argument_count == 1 ? "" : "s", argument);
            return bad(usage);
        }
    }
    if (count >= usage->argument_count) return PARSE_OK;
    fprintf(stderr, "scree: %s needs %s\n", usage->verb, usage->arguments);
    print_usage_line(usage, stderr);
    return PARSE_BAD;
}

int exit_code_of(parse_result result) { return result == PARSE_BAD ? EXIT_BAD_INPUT : EXIT_DONE; }
