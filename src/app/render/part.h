// One part of work that several processes share: part `index` of `count`, from 0.
#ifndef APP_RENDER_PART_H
#define APP_RENDER_PART_H

#include "core/base/status.h"

typedef struct part {
    int64_t index, count;
} part;

// "2/8" is the second of eight. "auto" asks the environment: a Slurm array (SLURM_ARRAY_TASK_ID and its kin), the ranks of
// Open MPI (OMPI_COMM_WORLD_RANK, _SIZE) or of MPICH and srun (PMI_RANK, PMI_SIZE; SLURM_PROCID, SLURM_NTASKS).
scr_status part_read(const char *text, part *result, scr_error *error);

static inline bool part_has(const part *p, int64_t k) { return k % p->count == p->index; }

#endif
