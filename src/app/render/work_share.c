// SPDX-License-Identifier: BSD-3-Clause
// A share of the work that several processes divide.
#include "app/render/work_share.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool read_whole(const char *text, int64_t *value)
{
    char *end;
    if (text == NULL || text[0] < '0' || text[0] > '9') return false;
    errno = 0;
    *value = strtoll(text, &end, 10);
    return errno == 0 && *end == '\0';
}

static bool read_environment(const char *index_name, const char *count_name, work_share *p)
{
    return read_whole(getenv(index_name), &p->index) && read_whole(getenv(count_name), &p->count);
}

// Task numbers of an array may begin anywhere and go in steps.
static bool read_slurm_array(work_share *p)
{
    int64_t least = 0, step = 1;
    if (!read_environment("SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT", p)) return false;
    read_whole(getenv("SLURM_ARRAY_TASK_MIN"), &least);
    read_whole(getenv("SLURM_ARRAY_TASK_STEP"), &step);
    if (step > 0) p->index = (p->index - least) / step;
    return true;
}

static scr_status read_automatic(work_share *p, scr_error *error)
{
    if (read_environment("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", p) ||
        read_environment("PMI_RANK", "PMI_SIZE", p) || read_slurm_array(p) ||
        read_environment("SLURM_PROCID", "SLURM_NTASKS", p)) {
        if (p->index >= 0 && p->index < p->count) return SCR_OK;
        return scr_fail(error, SCR_BAD_INPUT, "--part auto: the environment says part %lld of %lld, counted from 0",
                        (long long)p->index, (long long)p->count);
    }
    return scr_fail(error, SCR_BAD_INPUT,
                    "--part auto finds neither a Slurm array (SLURM_ARRAY_TASK_ID) nor an MPI rank "
                    "(OMPI_COMM_WORLD_RANK, PMI_RANK) in the environment");
}

scr_status work_share_read(const char *text, work_share *result, scr_error *error)
{
    if (strcmp(text, "auto") == 0) return read_automatic(result, error);
    char *slash, first[24];
    int64_t number = 0, count = 0;
    slash = strchr(text, '/');
    bool good = slash != NULL && slash - text < (long)sizeof first;
    if (good) {
        memcpy(first, text, (size_t)(slash - text));
        first[slash - text] = '\0';
        good = read_whole(first, &number) && read_whole(slash + 1, &count) && number >= 1 && number <= count;
    }
    if (!good)
        return scr_fail(error, SCR_BAD_INPUT,
                        "--part is written as --part 2/8, the second of eight, or --part auto, not \"%s\"", text);
    *result = (work_share){number - 1, count};
    return SCR_OK;
}
