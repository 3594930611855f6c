// SPDX-License-Identifier: BSD-3-Clause
// One HTML file that tells a run, or compares several.
#include "view/report/report.h"

#include <errno.h>
#include <string.h>

#include "build_info.h"
#include "core/file/temporary_file.h"
#include "io/file/made_by.h"
#include "view/report/report_run.h"

// Left for the text of scenes and summaries, bytes a run.
enum { TEXT_BYTES = 64 * 1024 };

static scr_status run_budget(const report_options *o, int runs, int64_t *budget, scr_error *error)
{
    *budget = (o->budget - (int64_t)strlen(o->page)) / runs - TEXT_BYTES;
    if (*budget >= TEXT_BYTES) return SCR_OK;
    double least = ((double)strlen(o->page) + 2.0 * TEXT_BYTES * runs) / 1e6;
    return scr_fail(error, SCR_BAD_INPUT,
                    "a budget of %.2g MB is too small: the page itself and the text of %d run%s take %.2g MB",
                    (double)o->budget / 1e6, runs, runs == 1 ? "" : "s", least);
}

// One run after the other, so that only one is in memory.
static scr_status write_runs(report_page *page, const char *const *directory, int count, const report_options *o,
                             scr_error *error)
{
    int64_t budget;
    scr_status status = run_budget(o, count, &budget, error);
    for (int i = 0; i < count && status == SCR_OK; ++i) {
        report_run run = {0};
        if (o->progress != NULL) o->progress(o->progress_context, (double)i / count);
        status = report_run_open(&run, directory[i], budget, error);
        if (o->progress != NULL) o->progress(o->progress_context, (i + 0.5) / count);
        if (status == SCR_OK) status = report_run_write(&run, i, page, error);
        report_run_close(&run);
    }
    return status;
}

static scr_status write_page(report_page *page, const char *const *directory, int count, const report_options *o,
                             scr_error *error)
{
    static const char maker[] = "<!-- " MADE_BY_SCREE " -->\n";
    const char *mark = strstr(o->page, REPORT_DATA_MARK);
    if (mark == NULL) return scr_fail(error, SCR_BAD_INPUT, "the page of this build has no place for data");
    page_text(page, o->page, (size_t)(mark - o->page));
    page_text(page, maker, strlen(maker));
    scr_status status = write_runs(page, directory, count, o, error);
    if (status != SCR_OK) return status;
    json_t *about =
        json_pack("{s:s, s:i, s:I}", "version", SCREE_VERSION, "runs", count, "budget", (json_int_t)o->budget);
    page_json(page, "page", about);
    json_decref(about);
    const char *rest = mark + strlen(REPORT_DATA_MARK);
    page_text(page, rest, strlen(rest));
    return SCR_OK;
}

scr_status report_write(const char *path, const char *const *directory, int directory_count,
                        const report_options *options, report_result *result, scr_error *error)
{
    *result = (report_result){0};
    report_page page = {0};
    scr_status status = file_open(path, &page.file, error);
    result->could_not_be_written = status != SCR_OK;
    if (status != SCR_OK) return status;
    status = write_page(&page, directory, directory_count, options, error);
    if (fclose(page.file) != 0 && page.failure == 0) page.failure = errno;
    if (status == SCR_OK && page.failure != 0) {
        result->could_not_be_written = true;
        status = scr_fail(error, SCR_IO, "%s: the page cannot be written: %s", path, strerror(page.failure));
    }
    if (status == SCR_OK) {
        status = file_commit(path, error);
        result->could_not_be_written = status != SCR_OK;
    }
    if (status != SCR_OK) file_abandon(path);
    result->bytes = page.bytes;
    return status;
}
