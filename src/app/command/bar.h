// SPDX-License-Identifier: BSD-3-Clause
// A bar on the terminal: what is done of something, and words beside it, redrawn in place.
#ifndef APP_COMMAND_BAR_H
#define APP_COMMAND_BAR_H

#include <stdbool.h>

bool bar_shows_blocks(void);  // the terminal can show the bar in eighths of a character
int bar_columns(void);        // of the terminal
void bar_draw(double share, int width, const char *words, bool blocks);  // width: characters of the bar itself
void bar_clear(void);                                                    // before something else is printed

#endif
