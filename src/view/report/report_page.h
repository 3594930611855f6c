// SPDX-License-Identifier: BSD-3-Clause
// A page on its way to a file: text, JSON and binary data as HTML carries them safely.
//
// Data sits in script elements that browsers do not run. Nothing in one can end it early: in JSON every "<" is written
// \u003c, so that no name in a scene can close the element or open another, and binary data is base64.
#ifndef VIEW_REPORT_REPORT_PAGE_H
#define VIEW_REPORT_REPORT_PAGE_H

#include <jansson.h>
#include <stdio.h>

#include "core/base/status.h"

typedef struct report_page {
    FILE *file;
    int64_t bytes;  // written so far
    int failure;    // errno of a write that failed; all later ones do nothing
} report_page;

void page_text(report_page *page, const char *text, size_t length);
// <script type="application/json" id="ID">VALUE</script>
void page_json(report_page *page, const char *id, const json_t *value);
void page_base64(report_page *page, const void *data, size_t size);
// Words of others between tags: what HTML would obey is escaped.
void page_words(report_page *page, const char *text);
// <script type="text/plain" id="ID-INDEX">BASE64</script>
void page_binary(report_page *page, const char *id, int64_t index, const void *data, size_t size);

#endif
