// SPDX-License-Identifier: BSD-3-Clause
// A job array for Slurm.
#include "app/sweep/slurm_script.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/file/safe_file.h"
#include "core/text/memory_stream.h"
#include "io/file/made_by.h"

// A word for the shell: in quotes, each of its own quotes outside them.
static void print_word(FILE *out, const char *text)
{
    fputc('\'', out);
    for (; *text != '\0'; ++text) {
        if (*text == '\'') fputs("'\\''", out);
        else fputc(*text, out);
    }
    fputc('\'', out);
}

static void print_script(FILE *out, const char *command, const char *study, const char *directory, int64_t runs,
                         int threads)
{
    fprintf(out, "#!/bin/sh\n# %s\n", MADE_BY_SCREE);
    fputs("# sbatch study.slurm        runs the study, a task for each run; a task that is stopped goes on when it is\n"
          "#                            submitted again. Add --time, --partition and the like as your cluster wants.\n"
          "# Afterwards `scree sweep` with the same study and directory, here, makes tables and plots.\n",
          out);
    fprintf(out, "#SBATCH --job-name=scree-study\n#SBATCH --array=1-%lld\n#SBATCH --cpus-per-task=%d\n",
            (long long)runs, threads);
    fputs("#SBATCH --signal=B:TERM@60\n#SBATCH --output=/dev/null\n\nexec ", out);
    print_word(out, command);
    fputs(" sweep ", out);
    print_word(out, study);
    fputs(" -o ", out);
    print_word(out, directory);
    fputs(" --run \"$SLURM_ARRAY_TASK_ID\" --threads \"${SLURM_CPUS_PER_TASK:-1}\" --quiet\n", out);
}

scr_status slurm_script_write(const char *path, const char *study, const char *directory, int64_t runs, int threads,
                              scr_error *error)
{
    char *text = NULL, *command = realpath("/proc/self/exe", NULL), *from = realpath(study, NULL),
         *to = realpath(directory, NULL);
    size_t size = 0;
    scr_status status = SCR_OK;
    if (command == NULL || from == NULL || to == NULL)
        status = scr_fail(error, SCR_IO, "%s: cannot find it: %s", from == NULL ? study : directory, strerror(errno));
    FILE *out = status == SCR_OK ? memory_stream_open(&text, &size) : NULL;
    if (status == SCR_OK && out == NULL) status = scr_fail_memory(error, BUFSIZ, "the script");
    if (status == SCR_OK) {
        print_script(out, command, from, to, runs, threads);
        if (fclose(out) != 0) status = scr_fail_memory(error, size, "the script");
    }
    if (status == SCR_OK) status = file_replace(path, text, size, error);
    free(text);
    free(command);
    free(from);
    free(to);
    return status;
}
