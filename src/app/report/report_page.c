// SPDX-License-Identifier: BSD-3-Clause
// The page of reports, inside the command. The build says in REPORT_PAGE where it is; web/CMakeLists.txt makes it.
#include "app/report/report_page.h"

// The assembler reads the file: as an array in C it would take a minute to compile.
__asm__(".section .rodata\n"
        "report_page_bytes:\n"
        ".incbin \"" REPORT_PAGE "\"\n"
        ".byte 0\n"
        ".text\n");
extern const char report_page_bytes[];

const char *report_page_text(void) { return report_page_bytes; }
