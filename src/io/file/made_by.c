// SPDX-License-Identifier: BSD-3-Clause
// Files that say themselves that scree made them.
#define _GNU_SOURCE  // memmem
#include "io/file/made_by.h"

#include <stdio.h>
#include <string.h>

enum {
    MARK_LENGTH = sizeof MADE_BY_SCREE - 1,
    PIECE = 4096,         // bytes looked at in one go
    HEAD_PIECES = 1 << 8  // a movie has its remarks behind a list of its pictures
};

// Looks at so many pieces from here on. A mark may lie across two.
static bool finds_mark(FILE *file, int pieces)
{
    char text[MARK_LENGTH + PIECE];
    size_t kept = 0, read;
    for (int k = 0; k < pieces && (read = fread(text + kept, 1, PIECE, file)) > 0; ++k) {
        size_t length = kept + read;
        if (memmem(text, length, MADE_BY_SCREE, MARK_LENGTH) != NULL) return true;
        kept = length < MARK_LENGTH ? length : MARK_LENGTH;
        memmove(text, text + length - kept, kept);
    }
    return false;
}

bool file_is_made_by_scree(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) return false;
    bool found = finds_mark(file, HEAD_PIECES) || (fseek(file, -PIECE, SEEK_END) == 0 && finds_mark(file, 1));
    fclose(file);
    return found;
}
