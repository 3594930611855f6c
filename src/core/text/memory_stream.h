// SPDX-License-Identifier: BSD-3-Clause
// Text that grows in memory as it is printed, and that says so when it could not: open_memstream() of the C library
// loses what it has no room for, and neither ferror() nor fclose() tells.
#ifndef CORE_TEXT_MEMORY_STREAM_H
#define CORE_TEXT_MEMORY_STREAM_H

#include <stdio.h>

// NULL without memory. After fflush() or fclose() *text is what was printed, ended by 0 beyond *size bytes; free() it.
// Once something was lost, ferror() is true and fclose() fails.
FILE *memory_stream_open(char **text, size_t *size);

#endif
