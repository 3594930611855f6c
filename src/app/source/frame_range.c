// SPDX-License-Identifier: BSD-3-Clause
// Which frames of a run.
#include "app/source/frame_range.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/text/human.h"

// A whole number up to ':' or the end, or nothing there; false if it is something else.
static bool read_bound(const char **at, int64_t *value)
{
    char *end = (char *)*at;
    if (**at != ':' && **at != '\0') {
        errno = 0;
        long long number = strtoll(*at, &end, 10);
        if (end == *at || errno != 0 || number < 0 || **at == '+' || **at == ' ') return false;
        *value = number;
    }
    if (*end != ':' && *end != '\0') return false;
    *at = *end == ':' ? end + 1 : end;
    return true;
}

scr_status frame_range_read(const char *text, const trajectory *t, const char *directory, frame_range *range,
                            scr_error *error)
{
    int64_t count = trajectory_frame_count(t), first = 0, last = count - 1, step = 1;
    const char *at = text;
    if (strcmp(text, "all") != 0) {
        bool single = strchr(text, ':') == NULL;
        bool good = read_bound(&at, &first) && text[0] != '\0';
        if (single) last = first;
        good = good && read_bound(&at, &last) && read_bound(&at, &step) && *at == '\0' && step > 0;
        if (!good)
            return scr_fail(error, SCR_BAD_INPUT,
                            "--frames is written as all, first:last or first:last:step, not \"%s\"", text);
    }
    if (first > last || last >= count)
        return scr_fail(error, SCR_BAD_INPUT, "%s has no frames %s: its %s numbered from 0 to %lld", directory, text,
                        human_things(count, "frame is", "frames are").text, (long long)(count - 1));
    *range = (frame_range){first, step, (last - first) / step + 1};
    return SCR_OK;
}
