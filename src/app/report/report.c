// SPDX-License-Identifier: BSD-3-Clause
// scree report: one HTML page about a run, or one that compares several.
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "app/command/command.h"
#include "app/command/options.h"
#include "app/command/output_path.h"
#include "app/report/report_page.h"
#include "core/base/stopwatch.h"
#include "core/file/safe_file.h"
#include "core/text/human.h"
#include "view/report/report.h"

static const double MEGABYTE = 1e6, BUDGET_MAX = 1000.0;  // bytes, MB

typedef struct report_words {
    const char *output;
    double budget;  // MB
    bool force;
} report_words;

static void show_progress(void *context, double share)
{
    (void)context;
    fprintf(stderr, "\r  writing %3.0f %%", 100.0 * share);
}

static scr_status choose_output(const char *const *directory, int count, const report_words *words,
                                char path[PATH_LENGTH_MAX], scr_error *error)
{
    const output_rule rule = {directory, count, words->force};
    const char *asked = words->output;
    scr_status status = SCR_OK;
    if (asked == NULL && count == 1 && !path_is_directory(directory[0]))
        return scr_fail(error, SCR_BAD_INPUT, "%s is not a run directory: there is no such directory", directory[0]);
    if (asked == NULL && count == 1) status = path_join(path, directory[0], "report.html", error);
    else if (snprintf(path, PATH_LENGTH_MAX, "%s", asked != NULL ? asked : "report.html") >= PATH_LENGTH_MAX)
        status = scr_fail(error, SCR_BAD_INPUT, "the name %.80s... is too long for a file", asked);
    return status == SCR_OK ? check_output_file(path, &rule, error) : status;
}

static scr_status check_words(const report_words *words, scr_error *error)
{
    if (report_page_text()[0] == '\0')
        return scr_fail(
            error, SCR_BAD_INPUT,
            "this scree was built without the page of reports: install Node.js and npm (Debian: nodejs, npm), "
            "with the npm registry in reach, and build again");
    if (words->budget > BUDGET_MAX)
        return scr_fail(error, SCR_BAD_INPUT, "--budget %g: no browser opens pages of more than %g MB", words->budget,
                        BUDGET_MAX);
    return SCR_OK;
}

static int report_runs(const char *const *directory, int count, const report_words *words)
{
    scr_error error = {0};
    char path[PATH_LENGTH_MAX];
    if (check_words(words, &error) != SCR_OK || choose_output(directory, count, words, path, &error) != SCR_OK)
        return complain(&error);

    report_options options = {.page = report_page_text(), .budget = (int64_t)(words->budget * MEGABYTE)};
    bool terminal = isatty(STDERR_FILENO);
    if (terminal) options.progress = show_progress;
    report_result result;
    double start = scr_now();
    scr_status status = report_write(path, directory, count, &options, &result, &error);
    if (terminal) fprintf(stderr, "\r                 \r");
    if (status != SCR_OK) return result.could_not_be_written ? complain_at_work(&error) : complain(&error);
    printf("%s: %s in %s; open it in a browser\n", path, human_bytes(result.bytes).text,
           human_duration(scr_now() - start).text);
    return EXIT_DONE;
}

int app_report(int argc, char **argv)
{
    report_words words = {.budget = 40.0};
    const option options[] = {
        {"output", 'o', OPTION_TEXT, &words.output, "FILE.html",
         "the page; default: DIR/report.html, or ./report.html for several runs"},
        {"force", 0, OPTION_FLAG, &words.force, NULL, FORCE_HELP},
        {"budget", 'b', OPTION_NUMBER, &words.budget, "MB",
         "size of the page; grains are thinned out to keep to it; default 40"},
    };
    const verb_usage usage = {
        .verb = "report",
        .arguments = "DIR...",
        .argument_count = 1,
        .takes_more = true,
        .about =
            "Write one HTML file about the run in DIR: its figures, settings and warnings, plots of all probes, and a\n"
            "3-D player of its frames. It needs no network and nothing beside it. Several directories make a page "
            "that\n"
            "compares the runs; docs/pictures.md has more.",
        .example = "scree report ball\n"
                   "scree report smooth rough -o friction.html",
        .options = options,
        .option_count = sizeof options / sizeof options[0],
    };
    const char **directory = calloc((size_t)argc + 1, sizeof *directory);
    if (directory == NULL) {
        fprintf(stderr, "scree: out of memory for arguments\n");
        return EXIT_FAILED;
    }
    parse_result parsed = parse_arguments(&usage, argc, argv, directory);
    int count = 0;
    while (directory[count] != NULL) ++count;
    int code = parsed == PARSE_OK ? report_runs(directory, count, &words) : exit_code_of(parsed);
    free(directory);
    return code;
}
