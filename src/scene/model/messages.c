// SPDX-License-Identifier: BSD-3-Clause
// Failing with a place.
#include "scene/model/messages.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

scr_status scene_fail(scr_error *error, scr_status status, const scene *s, scene_location location, const char *format,
                      ...)
{
    char sentence[sizeof error->message];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    return scr_fail(error, status, "%s:%d:%d: %s", s->path, location.line, location.column, sentence);
}

scene_label label_of(const char *kind, const char *name, int64_t index)
{
    scene_label label;
    if (name[0] != '\0') snprintf(label.text, sizeof label.text, "%s '%.*s'", kind, NAME_MAX_LENGTH, name);
    else snprintf(label.text, sizeof label.text, "%s %" PRId64, kind, index + 1);
    return label;
}

scene_label label_of_body(const scene *s, uint64_t id)
{
    if (id >= 1 && id <= (uint64_t)s->body_count) return label_of("body", s->bodies[id - 1].name, (int64_t)id - 1);
    scene_label label;
    snprintf(label.text, sizeof label.text, "grain %" PRIu64, id);
    return label;
}

numbered_thing find_numbered(const char *sentence, const char *word)
{
    numbered_thing thing = {.before = sentence};
    const char *found = strstr(sentence, word);
    size_t length = strlen(word);
    while (found != NULL && !(found[length] == ' ' && isdigit((unsigned char)found[length + 1])))
        found = strstr(found + 1, word);
    if (found == NULL) return thing;
    char *rest;
    thing.number = strtoull(found + length + 1, &rest, 10);
    thing.before_length = (int)(found - sentence);
    thing.rest = rest;
    return thing;
}

scene_label label_of_joint(const scene *s, int64_t index)
{
    const scene_joint *joint = &s->joints[index];
    if (!joint->is_actuator) return label_of("joint", joint->name, index);
    int64_t first = index;
    while (first > 0 && s->joints[first - 1].is_actuator) --first;
    return label_of("actuator", joint->name, index - first);
}
