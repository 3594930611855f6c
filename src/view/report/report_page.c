// SPDX-License-Identifier: BSD-3-Clause
// A page on its way to a file.
#include "view/report/report_page.h"

#include <errno.h>
#include <string.h>

enum { GROUP = 3 * 1024 };  // bytes encoded at a time

void page_text(report_page *page, const char *text, size_t length)
{
    if (page->failure != 0 || length == 0) return;
    if (fwrite(text, 1, length, page->file) != length) page->failure = errno;
    page->bytes += (int64_t)length;
}

static void words(report_page *page, const char *text) { page_text(page, text, strlen(text)); }

// A "<" occurs in JSON only inside strings.
static int write_escaped(const char *text, size_t length, void *context)
{
    report_page *page = context;
    size_t from = 0;
    for (size_t i = 0; i < length; ++i) {
        if (text[i] != '<') continue;
        page_text(page, text + from, i - from);
        words(page, "\\u003c");
        from = i + 1;
    }
    page_text(page, text + from, length - from);
    return page->failure != 0 ? -1 : 0;
}

void page_json(report_page *page, const char *id, const json_t *value)
{
    words(page, "<script type=\"application/json\" id=\"");
    words(page, id);
    words(page, "\">");
    if (json_dump_callback(value, write_escaped, page, JSON_COMPACT) != 0 && page->failure == 0) page->failure = ENOMEM;
    words(page, "</script>\n");
}

static size_t encode(const unsigned char *data, size_t size, char *out)
{
    static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    size_t length = 0;
    for (size_t i = 0; i < size; i += 3) {
        size_t left = size - i;
        unsigned bits =
            (unsigned)data[i] << 16 | (left > 1 ? (unsigned)data[i + 1] << 8 : 0) | (left > 2 ? data[i + 2] : 0);
        out[length++] = digit[bits >> 18];
        out[length++] = digit[bits >> 12 & 63];
        out[length++] = left > 1 ? digit[bits >> 6 & 63] : '=';
        out[length++] = left > 2 ? digit[bits & 63] : '=';
    }
    return length;
}

void page_base64(report_page *page, const void *data, size_t size)
{
    char text[GROUP / 3 * 4];
    for (size_t done = 0; done < size; done += GROUP) {
        size_t piece = size - done < GROUP ? size - done : GROUP;
        page_text(page, text, encode((const unsigned char *)data + done, piece, text));
    }
}

void page_words(report_page *page, const char *text)
{
    for (; *text != '\0'; ++text) {
        switch (*text) {
        case '<': words(page, "&lt;"); break;
        case '>': words(page, "&gt;"); break;
        case '&': words(page, "&amp;"); break;
        case '"': words(page, "&quot;"); break;
        default: page_text(page, text, 1);
        }
    }
}

void page_binary(report_page *page, const char *id, int64_t index, const void *data, size_t size)
{
    char tag[160];
    snprintf(tag, sizeof tag, "<script type=\"text/plain\" id=\"%s-%lld\">", id, (long long)index);
    words(page, tag);
    page_base64(page, data, size);
    words(page, "</script>\n");
}
