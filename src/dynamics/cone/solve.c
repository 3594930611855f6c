// One entry for all solvers.
#include "dynamics/cone/solve.h"

#include "dynamics/cone/newton.h"
#include "dynamics/cone/rows.h"
#include "dynamics/cone/sweeps.h"

const sweep_kernels *sweep_kernels_for(scr_instruction_set set)
{
#if defined(SCREE_HAVE_AVX2)
    if (set == SCR_BEST && __builtin_cpu_supports("avx2")) return &sweep_kernels_avx2;
#endif
    (void)set;
    return &sweep_kernels_plain;
}

typedef struct rows_solver {
    rows_solution (*solve)(rows *s);
    int vectors;
    size_t (*bytes)(const contact_system *system);  // besides vectors; NULL: none
} rows_solver;

static const rows_solver ROWS_SOLVERS[] = {
    [SCR_SOLVER_APGD] = {solve_by_apgd, APGD_VECTORS, NULL},
    [SCR_SOLVER_JACOBI] = {solve_by_jacobi, JACOBI_VECTORS, NULL},
    [SCR_SOLVER_BB] = {solve_by_bb, BB_VECTORS, NULL},
    [SCR_SOLVER_NEWTON] = {solve_by_newton, NEWTON_VECTORS, newton_bytes},
};

// Sweeps in single precision know the convex law only.
static rows_solver rows_solver_of(const solve_setting *setting)
{
    const scr_solver_def *def = setting->def;
    if (def->kind != SCR_SOLVER_AGS && def->kind != SCR_SOLVER_GS) return ROWS_SOLVERS[def->kind];
    if (def->precision != SCR_PRECISION_DOUBLE && setting->friction == SCR_FRICTION_CONVEX) return (rows_solver){0};
    return (rows_solver){solve_by_fine_sweeps, FINE_VECTORS, fine_sweeps_bytes};
}

enum { SMALL_PROBLEM = 400 };  // contacts; Newton's method solves so many in less than a millisecond

scr_solver_kind solver_for(scr_solver_kind kind, int64_t contact_count)
{
    if (kind != SCR_SOLVER_AUTO) return kind;
    return contact_count <= SMALL_PROBLEM ? SCR_SOLVER_NEWTON : SCR_SOLVER_AGS;
}

bool solver_is_precise(const solve_setting *setting) { return rows_solver_of(setting).solve != NULL; }

static scr_status solve_rows(const contact_system *system, const solve_setting *setting, scr_arena *scratch, solve_result *result,
                             scr_error *error)
{
    rows s;
    rows_solver solver = rows_solver_of(setting);
    size_t more_bytes = solver.bytes != NULL ? solver.bytes(system) : 0;
    scr_status status = rows_open(&s, system, setting, solver.vectors, more_bytes, scratch, error);
    if (status != SCR_OK) return status;
    rows_solution solution = solver.solve(&s);
    if (solution.status != SCR_OK) return solution.status;
    solve_accuracy accuracy = rows_measure(&s, solution.g);
    *result = (solve_result){.iterations = solution.iterations, .passes = s.passes, .change = solution.change,
                             .force_error = accuracy.force_error, .is_measured = true, .accuracy = accuracy};
    rows_answer(&s, solution.g);
    return SCR_OK;
}

void solver_memory_free(solver_memory *memory)
{
    newton_memory_destroy(memory->newton);
    subsystem_free(&memory->island);
    scr_arena_free(&memory->scratch);
    scr_free(memory->contact);
    *memory = (solver_memory){0};
}

// Newton's method on the contacts in memory->contact.
static scr_status solve_island(const contact_system *system, int64_t count, const solve_setting *setting, solve_result *result, scr_error *error)
{
    solver_memory *memory = setting->memory;
    scr_solver_def def = *setting->def;
    solve_setting newton = *setting;
    def.kind = SCR_SOLVER_NEWTON;
    newton.def = &def;
    scr_status status = memory->newton != NULL ? SCR_OK : newton_memory_create(&memory->newton, error);
    if (status == SCR_OK) status = subsystem_open(&memory->island, system, memory->contact, count, error);
    if (status == SCR_OK) status = solve_rows(&memory->island.system, &newton, &memory->scratch, result, error);
    if (status == SCR_OK) subsystem_answer(&memory->island);
    return status;
}

static scr_status solve_all_as_island(const contact_system *system, const solve_setting *setting, solve_result *result, scr_error *error)
{
    solver_memory own = {0}, *memory = setting->memory != NULL ? setting->memory : &own;
    solve_setting with_memory = *setting;
    with_memory.memory = memory;
    scr_status status = scr_grow_anew(&memory->contact, &memory->contact_capacity, system->contact_count, sizeof *memory->contact, "an island", error);
    for (int64_t i = 0; status == SCR_OK && i < system->contact_count; ++i) memory->contact[i] = i;
    if (status == SCR_OK) status = solve_island(system, system->contact_count, &with_memory, result, error);
    solver_memory_free(&own);
    return status;
}

static scr_status solve_precisely(problem *p, const contact_system *system, const solve_setting *setting, scr_arena *scratch,
                                  solve_result *result, scr_error *error)
{
    scr_status status = setting->def->kind == SCR_SOLVER_NEWTON ? solve_all_as_island(system, setting, result, error)
                                                                : solve_rows(system, setting, scratch, result, error);
    if (status == SCR_OK) problem_distribute(p, system);
    return status;
}

scr_status solve_system(problem *p, const contact_system *system, const solve_setting *setting, scr_arena *scratch,
                        solve_result *result, scr_error *error)
{
    *result = (solve_result){0};
    if (!solver_knows(setting->def->kind, setting->friction))
        return scr_fail(error, SCR_BAD_INPUT, "Coulomb friction is solved by ags and gs only: choose one of them, or convex friction");
    if (system->contact_count == 0) return SCR_OK;
    if (solver_is_precise(setting)) return solve_precisely(p, system, setting, scratch, result, error);
    if (setting->watch == NULL) {
        *result = solve_by_sweeps(p, system, setting, NULL);
        return SCR_OK;
    }
    rows s;
    scr_status status = rows_open(&s, system, setting, 1, 0, scratch, error);
    if (status != SCR_OK) return status;
    *result = solve_by_sweeps(p, system, setting, &s);
    double *g = rows_vector(&s);
    rows_first_guess(&s, g);
    result->is_measured = true;
    result->accuracy = rows_measure(&s, g);
    return SCR_OK;
}
