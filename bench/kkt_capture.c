// SPDX-License-Identifier: BSD-3-Clause
#include "kkt_capture.h"

#include <string.h>

#include "scree/scree.h"

static kkt_capture *capturing;  // NULL: nothing is kept

static void *copy(const void *from, int64_t count, size_t size)
{
    void *to = NULL;
    scr_error error;
    if (from == NULL || scr_make_zeros(&to, count, size, "equations that are kept", &error) != SCR_OK) return NULL;
    return memcpy(to, from, (size_t)count * size);
}

static kkt_equations copy_of(const kkt_equations *e)
{
    kkt_equations kept = *e;
    kept.body = copy(e->body, e->body_count, sizeof *e->body);
    kept.block = copy(e->block, e->block_count, sizeof *e->block);
    kept.jacobian = copy(e->jacobian, e->jacobian_count, sizeof *e->jacobian);
    kept.coupling = copy(e->coupling, e->coupling_count, sizeof *e->coupling);
    kept.stiffness = copy(e->stiffness, e->body_count, BODY_BLOCK * sizeof(double));
    kept.coupling_stiffness = copy(e->coupling_stiffness, e->coupling_count, BODY_BLOCK * sizeof(double));
    return kept;
}

void __real_kkt_factor(kkt *k, const kkt_equations *e);
void __wrap_kkt_factor(kkt *k, const kkt_equations *e);
void __wrap_kkt_factor(kkt *k, const kkt_equations *e)
{
    if (capturing != NULL && capturing->count < CAPTURE_MAX) capturing->equations[capturing->count++] = copy_of(e);
    __real_kkt_factor(k, e);
}

scr_status kkt_capture_step(kkt_capture *c, scr_world *world, scr_error *error)
{
    capturing = c;
    scr_status status = scr_world_step(world, error);
    capturing = NULL;
    return status;
}

void kkt_capture_free(kkt_capture *c)
{
    for (int i = 0; i < c->count; ++i) {
        const kkt_equations *e = &c->equations[i];
        const void *arrays[] = {e->body, e->block, e->jacobian, e->coupling, e->stiffness, e->coupling_stiffness};
        for (size_t k = 0; k < sizeof arrays / sizeof *arrays; ++k) scr_free((void *)arrays[k]);
    }
    c->count = 0;
}
