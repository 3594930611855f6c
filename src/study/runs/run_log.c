// SPDX-License-Identifier: BSD-3-Clause
// What the process of a run has printed.
#include "study/runs/run_log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/printable.h"

enum { END_BYTES = 2048, LINE_BYTES = 1024 };

double run_log_share(const char *path, double otherwise)
{
    char text[END_BYTES + 1];
    FILE *file = fopen(path, "rb");
    if (file == NULL) return otherwise;
    if (fseek(file, -END_BYTES, SEEK_END) != 0) rewind(file);
    size_t length = fread(text, 1, END_BYTES, file);
    fclose(file);
    text[length] = '\0';
    for (char *line = text, *next; line != NULL; line = next) {
        next = strchr(line, '\n');
        if (next == NULL) break;  // not whole yet
        ++next;
        char *end;
        double percent = strtod(line, &end);
        if (end != line && *end == '%' && percent >= 0.0 && percent <= 100.0) otherwise = 0.01 * percent;
    }
    return otherwise;
}

bool run_log_reason(const char *path, char *reason, size_t size)
{
    static const char mark[] = "scree: ", warning[] = "scree: warning: ";
    char line[LINE_BYTES];
    bool found = false;
    FILE *file = fopen(path, "rb");
    if (file == NULL) return false;
    while (!found && fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, mark, strlen(mark)) != 0 || strncmp(line, warning, strlen(warning)) == 0) continue;
        line[strcspn(line, "\n")] = '\0';
        snprintf(reason, size, "%s", line + strlen(mark));
        make_printable(reason);
        found = true;
    }
    fclose(file);
    return found;
}
