// SPDX-License-Identifier: BSD-3-Clause
#include "siconos_peer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>
#include <SparseBlockMatrix.h>

const char *const PEER_NAMES[PEER_COUNT] = {"NSGS, local Newton", "ADMM"};

static double processor_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// One block of W: how contact j's impulse moves contact i, summed over the spheres they share. Column by column.
static bool make_block(const packing *p, int64_t i, int64_t j, double block[9])
{
    const packing_contact *ci = &p->contact[i], *cj = &p->contact[j];
    const int side_i[2] = {ci->a, ci->b}, side_j[2] = {cj->a, cj->b};
    bool shared = false;
    memset(block, 0, 9 * sizeof *block);
    for (int s = 0; s < 2; ++s) {
        for (int t = 0; t < 2; ++t) {
            if (side_i[s] < 0 || side_i[s] != side_j[t]) continue;
            shared = true;
            double sign = s == t ? 1.0 : -1.0;
            for (int k = 0; k < 3; ++k)
                for (int l = 0; l < 3; ++l)  // rows of D^T: +-e and, on both sides, -(n x e)
                    block[k + 3 * l] +=
                        sign * vec3_dot(ci->axis[k], cj->axis[l]) +
                        2.5 * vec3_dot(vec3_cross(ci->axis[0], ci->axis[k]), vec3_cross(cj->axis[0], cj->axis[l]));
        }
    }
    return shared;
}

static SparseBlockStructuredMatrix *make_matrix(const packing *p)
{
    size_t n = (size_t)p->contact_count, count = 0;
    double block[9];
    for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j < n; ++j) count += make_block(p, (int64_t)i, (int64_t)j, block);
    SparseBlockStructuredMatrix *m = SBM_new();
    m->nbblocks = (unsigned)count;
    m->blocknumber0 = m->blocknumber1 = (unsigned)n;
    m->blocksize0 = malloc(n * sizeof *m->blocksize0);
    m->blocksize1 = malloc(n * sizeof *m->blocksize1);
    m->filled1 = n + 1;
    m->filled2 = count;
    m->index1_data = malloc((n + 1) * sizeof *m->index1_data);
    m->index2_data = malloc(count * sizeof *m->index2_data);
    m->block = malloc(count * sizeof *m->block);
    m->diagonal_blocks = NULL;
    size_t at = 0;
    for (size_t i = 0; i < n; ++i) {
        m->blocksize0[i] = m->blocksize1[i] = 3u * (unsigned)(i + 1);
        m->index1_data[i] = at;
        for (size_t j = 0; j < n; ++j) {
            if (!make_block(p, (int64_t)i, (int64_t)j, block)) continue;
            m->index2_data[at] = j;
            m->block[at] = malloc(sizeof block);
            memcpy(m->block[at++], block, sizeof block);
        }
    }
    m->index1_data[n] = at;
    return m;
}

static FrictionContactProblem *make_problem(const packing *p)
{
    int n = (int)p->contact_count;
    double *q = malloc(3 * (size_t)n * sizeof *q), *mu = malloc((size_t)n * sizeof *mu);
    for (int i = 0; i < n; ++i) {
        for (int k = 0; k < 3; ++k) q[3 * i + k] = vec3_dot(p->contact[i].axis[k], p->r[i]);
        mu[i] = PACKING_FRICTION;
    }
    return frictionContactProblem_new_with_data(3, n, NM_new_SBM(3 * n, 3 * n, make_matrix(p)), q, mu);
}

static SolverOptions *make_options(int peer, double tolerance)
{
    SolverOptions *options = solver_options_create(peer == 0 ? SICONOS_FRICTION_3D_NSGS : SICONOS_FRICTION_3D_ADMM);
    if (peer == 0) solver_options_update_internal(options, 0, SICONOS_FRICTION_3D_ONECONTACT_NSN);
    options->iparam[SICONOS_IPARAM_MAX_ITER] = 10000000;
    options->dparam[SICONOS_DPARAM_TOL] = tolerance;
    return options;
}

static double residual_of(const packing *p, const double *reaction)
{
    double *impulse = malloc(3 * (size_t)p->contact_count * sizeof *impulse);
    for (int64_t i = 0; i < p->contact_count; ++i) {
        const scr_vec3 *axis = p->contact[i].axis;
        const double *r = reaction + 3 * i;
        scr_vec3 g = vec3_add_scaled(vec3_add_scaled(vec3_scale(r[0], axis[0]), r[1], axis[1]), r[2], axis[2]);
        impulse[3 * i] = g.x, impulse[3 * i + 1] = g.y, impulse[3 * i + 2] = g.z;
    }
    double residual = packing_residual(p, impulse);
    free(impulse);
    return residual;
}

static peer_result solve_here(const packing *p, int peer, double tolerance, int repeats)
{
    peer_result result = {.ended = true, .seconds = 1e30};
    double *reaction = malloc(3 * (size_t)p->contact_count * sizeof *reaction);
    double *velocity = malloc(3 * (size_t)p->contact_count * sizeof *velocity);
    for (int k = 0; k < repeats; ++k) {
        FrictionContactProblem *problem = make_problem(p);
        SolverOptions *options = make_options(peer, tolerance);
        memset(reaction, 0, 3 * (size_t)p->contact_count * sizeof *reaction);
        memset(velocity, 0, 3 * (size_t)p->contact_count * sizeof *velocity);
        double began = processor_seconds();
        fc3d_driver(problem, reaction, velocity, options);
        double seconds = processor_seconds() - began;
        if (seconds < result.seconds) result.seconds = seconds;
        result.iterations = options->iparam[SICONOS_IPARAM_ITER_DONE];
        if (seconds > 1.0) break;  // long enough to need no repetition
    }
    result.residual = residual_of(p, reaction);
    return result;  // the process ends: it frees nothing
}

peer_result peer_solve(const packing *p, int peer, double tolerance, int limit_seconds, int repeats)
{
    int ends[2];
    peer_result result = {0};
    fflush(NULL);
    if (pipe(ends) != 0) return result;
    pid_t child = fork();
    if (child == 0) {
        struct rlimit limit = {(rlim_t)limit_seconds + 2, (rlim_t)limit_seconds + 4};
        close(ends[0]);
        setenv("OPENBLAS_NUM_THREADS", "1", 1);
        if (freopen("/dev/null", "w", stdout) == NULL || freopen("/dev/null", "w", stderr) == NULL) _exit(3);
        setrlimit(RLIMIT_CPU, &limit);
        result = solve_here(p, peer, tolerance, repeats);
        _exit(write(ends[1], &result, sizeof result) == (ssize_t)sizeof result ? 0 : 3);
    }
    close(ends[1]);
    if (child < 0 || read(ends[0], &result, sizeof result) != (ssize_t)sizeof result) result = (peer_result){0};
    close(ends[0]);
    if (child > 0) waitpid(child, NULL, 0);
    return result;
}
