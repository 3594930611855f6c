// SPDX-License-Identifier: BSD-3-Clause
// A bar on the terminal.
#include "app/command/bar.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { LINE_MAX_LENGTH = 512 };  // characters

bool bar_shows_blocks(void)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (int k = 0; k < 3; ++k) {
        const char *value = getenv(names[k]);
        if (value != NULL && value[0] != '\0') return strstr(value, "UTF-8") != NULL || strstr(value, "utf8") != NULL;
    }
    return false;
}

// The part of the bar that is done: whole blocks, one block in eighths, then room.
static void print_bar(char *text, size_t size, double share, int width, bool blocks)
{
    static const char *const eighth[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    int eighths = (int)(share * 8 * width), full = eighths / 8, drawn = full;
    size_t length = (size_t)snprintf(text, size, blocks ? "▕" : "[");
    for (int k = 0; k < full; ++k) length += (size_t)snprintf(text + length, size - length, blocks ? "█" : "#");
    if (blocks && eighths % 8 != 0) {
        length += (size_t)snprintf(text + length, size - length, "%s", eighth[eighths % 8]);
        ++drawn;
    }
    snprintf(text + length, size - length, "%*s%s", width - drawn, "", blocks ? "▏" : "]");
}

int bar_columns(void)
{
    struct winsize size;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

// Cut a line to so many characters on the screen: bytes that continue a character take no column.
static void cut_to_columns(char *text, int columns)
{
    int used = 0;
    for (char *c = text; *c != '\0'; ++c) {
        if (((unsigned char)*c & 0xc0) != 0x80 && used++ == columns) {
            *c = '\0';
            return;
        }
    }
}

void bar_draw(double share, int width, const char *words, bool blocks)
{
    char bar[LINE_MAX_LENGTH], line[2 * LINE_MAX_LENGTH];
    print_bar(bar, sizeof bar, share, width, blocks);
    snprintf(line, sizeof line, "%s%s", bar, words);
    cut_to_columns(line, bar_columns() - 1);
    fprintf(stderr, "\r%s\033[K", line);
    fflush(stderr);
}

void bar_clear(void)
{
    fputs("\r\033[K", stderr);
    fflush(stderr);
}
