// SPDX-License-Identifier: BSD-3-Clause
// Whether the joints of a contact problem read from a file are some.
#include "laboratory/check_system.h"

#include <inttypes.h>
#include <string.h>

#include "core/arrays/colouring.h"

static const double LONGEST = 1e6;  // m, of a row's lever; and how much a row may count a velocity
static const double LEAST_ROW = 1e-6;

// Mechanisms in order, from 0 on without a gap; each body in one of them, once.
static const char *joined_fault(const saved_system *s, int64_t k, uint8_t *is_taken)
{
    int32_t mechanism = s->joined_mechanism[k], before = k == 0 ? -1 : s->joined_mechanism[k - 1],
            body = s->joined_body[k];
    if (mechanism < 0 || (mechanism != before && mechanism - 1 != before)) return "belongs to a mechanism out of turn";
    if (body < 0 || body >= s->bodies.count || s->inv_mass[body] == 0.0)
        return "is a body that there is not, or that cannot be moved";
    if (is_taken[body]) return "is a body that is joined already";
    is_taken[body] = 1;
    return NULL;
}

static const char *jacobian_fault(const saved_system *s, int64_t block, int64_t first_jacobian, int64_t k)
{
    int32_t joined = s->jacobian_joined[k];
    if (joined != NO_BODY &&
        (joined < 0 || joined >= s->joined.count || s->joined_mechanism[joined] != s->block_mechanism[block]))
        return "holds a body of another mechanism";
    for (int64_t other = first_jacobian; other < k; ++other)
        if (joined != NO_BODY && s->jacobian_joined[other] == joined) return "holds a body twice";
    for (int i = 0; i < BLOCK_ROWS * 6; ++i)
        if (!(fabs(s->jacobian_rows[BLOCK_ROWS * 6 * k + i]) <= LONGEST))
            return "holds something that is no number, or far too large";
    return NULL;
}

// A row that no body feels would be solved for nothing.
static bool row_is_felt(const saved_system *s, int64_t block, int64_t first_jacobian, int row)
{
    for (int64_t k = first_jacobian; k < first_jacobian + s->block_jacobians[block]; ++k) {
        const double *values = s->jacobian_rows + BLOCK_ROWS * 6 * k + 6 * row;
        for (int i = 0; i < 6 && s->jacobian_joined[k] != NO_BODY; ++i)
            if (fabs(values[i]) >= LEAST_ROW) return true;
    }
    return false;
}

static const char *block_fault(const saved_system *s, int64_t block, int64_t first_jacobian)
{
    int32_t mechanism = s->block_mechanism[block], before = block == 0 ? 0 : s->block_mechanism[block - 1];
    int rows = s->block_rows[block], jacobians = s->block_jacobians[block];
    if (mechanism < before || s->joined.count == 0 || mechanism > s->joined_mechanism[s->joined.count - 1])
        return "belongs to a mechanism out of turn";
    if (rows < 1 || rows > BLOCK_ROWS || jacobians < 1 || jacobians > BLOCK_JACOBIANS ||
        first_jacobian + jacobians > s->jacobians.count)
        return "has no proper number of rows and Jacobians";
    if (s->block_open[block] >> rows != 0) return "opens rows that it does not have";
    for (int k = 0; k < BLOCK_ROWS; ++k) {
        double compliance = s->block_compliance[BLOCK_ROWS * block + k];
        if (!(compliance >= 0.0 && compliance <= SYSTEM_NUMBER_MAX)) return "has no proper compliance";
    }
    for (int64_t k = first_jacobian; k < first_jacobian + jacobians; ++k) {
        const char *fault = jacobian_fault(s, block, first_jacobian, k);
        if (fault != NULL) return fault;
    }
    for (int row = 0; row < rows; ++row)
        if (!row_is_felt(s, block, first_jacobian, row)) return "has a row that no body feels";
    return NULL;
}

scr_status check_joints(const saved_system *s, const char *name, scr_error *error)
{
    uint8_t *is_taken;
    const char *fault = NULL;
    scr_status status = scr_make_zeros(&is_taken, s->bodies.count, sizeof *is_taken, "joints", error);
    if (status != SCR_OK) return status;
    for (int64_t k = 0; fault == NULL && k < s->joined.count; ++k) {
        fault = joined_fault(s, k, is_taken);
        if (fault != NULL) status = scr_fail(error, SCR_BAD_INPUT, "%s: joined body %" PRId64 " %s", name, k, fault);
    }
    scr_free(is_taken);
    int64_t jacobian = 0;
    for (int64_t k = 0; fault == NULL && k < s->blocks.count; ++k) {
        fault = block_fault(s, k, jacobian);
        if (fault != NULL) status = scr_fail(error, SCR_BAD_INPUT, "%s: joint block %" PRId64 " %s", name, k, fault);
        else jacobian += s->block_jacobians[k];
    }
    if (fault == NULL && jacobian != s->jacobians.count)
        status = scr_fail(error, SCR_BAD_INPUT, "%s: it has %" PRId64 " joint Jacobians, but blocks use %" PRId64, name,
                          s->jacobians.count, jacobian);
    return status;
}
