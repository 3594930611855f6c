// SPDX-License-Identifier: BSD-3-Clause
// A share of the work that several processes divide: share `index` of `count`, from 0.
#ifndef APP_RENDER_WORK_SHARE_H
#define APP_RENDER_WORK_SHARE_H

#include "core/base/status.h"

typedef struct work_share {
    int64_t index, count;
} work_share;

// "2/8" is the second of eight. "auto" asks the environment: a Slurm array (SLURM_ARRAY_TASK_ID and its kin), the ranks
// of Open MPI (OMPI_COMM_WORLD_RANK, _SIZE) or of MPICH and srun (PMI_RANK, PMI_SIZE; SLURM_PROCID, SLURM_NTASKS).
scr_status work_share_read(const char *text, work_share *result, scr_error *error);

static inline bool work_share_has(const work_share *p, int64_t k) { return k % p->count == p->index; }

#endif
