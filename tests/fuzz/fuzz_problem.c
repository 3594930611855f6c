// SPDX-License-Identifier: BSD-3-Clause
// A sound contact problem with any numbers in it changed, as a damaged or foreign file might hold them: it is refused
// with a sentence, or solvers can work on it without harm.
//
// Input: a byte that says which form is changed, FCLIB's (odd) or our own, the latter with joints if it is 2 mod 4;
// then records of 12 bytes: which array, three bytes of where in it, and eight bytes to put there.
#include "fuzz/fuzz.h"

#include "core/arrays/colouring.h"
#include "io/problem/fclib.h"
#include "laboratory/laboratory.h"

enum { RECORD = 12, SWEEPS = 3 };

static void set3(double *v, int64_t i, double x, double y, double z)
{
    v[3 * i] = x, v[3 * i + 1] = y, v[3 * i + 2] = z;
}

// Body 0 is a ball on the floor; body 1, a ball, and body 2, a brick, lie on it.
static void make_bodies(saved_system *s)
{
    for (int64_t i = 0; i < 3; ++i) {
        s->inv_mass[i] = 1.0 + (double)i;
        s->length[i] = i < 2 ? 0.1 : 1.0;
        s->is_grain[i] = i < 2;
        for (int k = 0; k < 9; ++k) s->inv_inertia[9 * i + k] = k % 4 == 0 ? 200.0 : i < 2 ? 0.0 : 20.0;
        for (int k = 0; k < 6; ++k) s->free_velocity[6 * i + k] = 0.1 * (double)(k - 2);
    }
}

static void make_contacts(saved_system *s)
{
    const int32_t a[3] = {NO_BODY, 0, 0}, b[3] = {0, 1, 2};
    for (int64_t i = 0; i < 3; ++i) {
        s->a[i] = a[i], s->b[i] = b[i];
        s->centre_line[i] = i < 2;
        set3(s->n, i, 0.0, 0.0, 1.0);
        set3(s->lever_a, i, 0.0, 0.0, 0.1);
        set3(s->lever_b, i, i < 2 ? 0.0 : 0.03, 0.0, -0.1);
        set3(s->r, i, 0.1, 0.0, -0.2);
        s->mu[i] = 0.5;
        s->eps_n[i] = s->eps_t[i] = i == 0 ? 0.0 : 1e-3;
        s->apex[i] = i == 1 ? 0.01 : 0.0;
        s->arm[i] = s->roll[i] = s->spin[i] = s->a_q[i] = s->eps_q[i] = 0.0;
        set3(s->r_q, i, 0.0, 0.0, 0.0);
        s->length_a[i] = 0.1;
        s->length_b[i] = s->length[b[i]];
        for (int k = 0; k < 6; ++k) s->guess[6 * i + k] = 0.01f;
        contact_system system = saved_system_view(s, NULL, NULL, 1);
        contact_row row = saved_system_row(s, i);
        mat3 block = contact_row_block(&system, &row);
        s->a_n[i] = block.m[2][2];
        s->a_t[i] = 0.5 * (block.m[0][0] + block.m[1][1]);
    }
}

// The upper ball and the brick are hinged, and springs hold the ball to the ground; the lower ball is free.
static void make_joints(saved_system *s)
{
    const int32_t joined[3] = {0, 1, 0};
    promise(saved_system_resize_joints(s, 2, 2, 3, NULL) == SCR_OK);
    for (int k = 0; k < 2; ++k) {
        s->joined_mechanism[k] = s->block_mechanism[k] = 0;
        s->joined_body[k] = k + 1;
        s->block_rows[k] = (uint8_t)(5 - 2 * k);
        s->block_jacobians[k] = (uint8_t)(2 - k);
        s->block_open[k] = (uint8_t)(2 * k);
        for (int row = 0; row < BLOCK_ROWS; ++row) s->block_compliance[BLOCK_ROWS * k + row] = 0.1 * k;
    }
    for (int k = 0; k < 3; ++k) {
        s->jacobian_joined[k] = joined[k];
        for (int row = 0; row < BLOCK_ROWS * 6; ++row)
            s->jacobian_rows[BLOCK_ROWS * 6 * k + row] = row % 7 == 0 ? k == 0 ? -1.0 : 1.0 : 0.0;
    }
}

static void solve(const saved_system *s)
{
    laboratory lab;
    trial t = {0};
    promise(laboratory_open(&lab, s, 1, NULL) == SCR_OK);
    for (int kind = SCR_SOLVER_AGS; kind <= SCR_SOLVER_NEWTON; ++kind) {
        for (int precise = 0; precise <= 1; ++precise) {
            const trial_setting setting = {
                .solver = {.kind = (scr_solver_kind)kind,
                           .max_iterations = SWEEPS,
                           .precision = precise ? SCR_PRECISION_DOUBLE : SCR_PRECISION_USUAL}};
            promise(laboratory_watch(&lab, &setting, &t, NULL) == SCR_OK && t.count > 0);
        }
    }
    trial_free(&t);
    laboratory_close(&lab);
}

static void check_and_solve(const saved_system *s)
{
    scr_error error = {0};
    if (saved_system_check(s, "fuzz.h5", &error) == SCR_OK) solve(s);
    else promise(strncmp(error.message, "fuzz.h5: ", 9) == 0);
}

typedef struct place {
    void *data;
    size_t bytes;
} place;

static void change(const place *places, size_t count, const uint8_t *record)
{
    const place *p = &places[record[0] % count];
    if (p->bytes == 0) return;
    size_t at = (size_t)(record[1] | record[2] << 8 | record[3] << 16) % p->bytes, room = p->bytes - at;
    memcpy((char *)p->data + at, record + 4, room < 8 ? room : 8);
}

static size_t places_of_table(const table *t, place *places)
{
    for (int f = 0; f < t->field_count; ++f)
        places[f] = (place){table_data(t, &t->field[f]),
                            field_size(&t->field[f]) * (t->field[f].scalar ? 1 : (size_t)t->count)};
    return (size_t)t->field_count;
}

static void change_own(saved_system *s, const uint8_t *data, size_t size)
{
    place places[64];
    size_t count = places_of_table(&s->bodies, places);
    count += places_of_table(&s->contacts, places + count);
    count += places_of_table(&s->about, places + count);
    count += places_of_table(&s->joined, places + count);
    count += places_of_table(&s->blocks, places + count);
    count += places_of_table(&s->jacobians, places + count);
    for (; size >= RECORD; data += RECORD, size -= RECORD) change(places, count, data);
    check_and_solve(s);
}

static void change_fclib(saved_system *s, const uint8_t *data, size_t size)
{
    fcl_problem p;
    scr_error error = {0};
    promise(fcl_from_system(s, &p, NULL) == SCR_OK);
    const place places[] = {
        {p.M.start, ((size_t)p.M.columns + 1) * 4},
        {p.M.row, (size_t)p.M.entries * 4},
        {p.M.value, (size_t)p.M.entries * 8},
        {p.H.start, ((size_t)p.H.columns + 1) * 4},
        {p.H.row, (size_t)p.H.entries * 4},
        {p.H.value, (size_t)p.H.entries * 8},
        {p.f, (size_t)p.M.rows * 8},
        {p.w, (size_t)p.H.columns * 8},
        {p.mu, (size_t)p.H.columns / 3 * 8},
    };
    for (; size >= RECORD; data += RECORD, size -= RECORD) change(places, sizeof places / sizeof places[0], data);
    if (fcl_to_system(&p, "fuzz.h5", s, &error) == SCR_OK) check_and_solve(s);
    else promise(strncmp(error.message, "fuzz.h5: ", 9) == 0);
    fcl_free(&p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    saved_system s;
    saved_system_init(&s);
    promise(saved_system_resize(&s, 3, 3, NULL) == SCR_OK);
    saved_system_set_title(&s, "fuzz");
    make_bodies(&s);
    make_contacts(&s);
    if (size > 0 && data[0] % 4 == 2) make_joints(&s);
    promise(saved_system_check(&s, "fuzz.h5", NULL) == SCR_OK);
    if (size > 0 && data[0] % 2 == 1) change_fclib(&s, data + 1, size - 1);
    else if (size > 0) change_own(&s, data + 1, size - 1);
    saved_system_free(&s);
    return 0;
}
