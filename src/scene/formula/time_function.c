// SPDX-License-Identifier: BSD-3-Clause
// Functions of time.
#include "scene/formula/time_function.h"

#include <math.h>

#include "core/base/memory.h"
#include "core/maths/trig.h"

static const double TWO_PI = 0x1.921fb54442d18p2;

void number_pairs_free(number_pairs *pairs)
{
    scr_free(pairs->value);
    *pairs = (number_pairs){0};
}

// The last pair whose time is not after t; t lies within the table.
static int64_t pair_before(const number_pairs *table, double t)
{
    int64_t low = 0, high = table->count - 1;
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        if (table->value[2 * middle] <= t) low = middle;
        else high = middle;
    }
    return low;
}

double number_pairs_at(const number_pairs *table, double t)
{
    const double *first = table->value, *last = first + 2 * (table->count - 1);
    if (!(t > first[0])) return first[1];
    if (!(t < last[0])) return last[1];
    const double *p = first + 2 * pair_before(table, t);
    double share = (t - p[0]) / (p[2] - p[0]);
    return (1.0 - share) * p[1] + share * p[3];
}

// Whole cycles are taken off first, so that a long run does not lose digits.
static double sine_at(const time_function *f, double t)
{
    double cycles = f->frequency * t, sine, cosine;
    scr_sincos(TWO_PI * (cycles - floor(cycles)) + f->phase, &sine, &cosine);
    return f->offset + f->amplitude * sine;
}

// The last piece that has begun; NULL: none has, or it is nothing.
static const time_piece *piece_at(const time_function *f, double t)
{
    const time_piece *now = NULL;
    for (int64_t k = 0; k < f->piece_count && f->piece[k].from <= t; ++k) now = &f->piece[k];
    return now == NULL || now->is_nothing ? NULL : now;
}

bool time_function_is_nothing(const time_function *f, double t, phase_now phase)
{
    if (f->kind == TIME_BY_PHASE) return f->of_phase[phase.index].kind == TIME_NOTHING;
    return f->kind == TIME_PIECES && piece_at(f, t) == NULL;
}

bool time_function_has_formula(const time_function *f)
{
    bool found = f->kind == TIME_FORMULA;
    for (int64_t k = 0; k < f->piece_count; ++k) found |= time_function_has_formula(&f->piece[k].value);
    for (int k = 0; k < f->phase_count; ++k) found |= time_function_has_formula(&f->of_phase[k]);
    return found;
}

static double pieces_at(const time_function *f, double t)
{
    const time_piece *now = piece_at(f, t);
    return now == NULL ? 0.0 : time_function_at(&now->value, t);
}

double time_function_in(const time_function *f, double t, phase_now phase)
{
    switch (f->kind) {
    case TIME_CONSTANT: break;
    case TIME_FORMULA: return expression_value(f->formula, t);
    case TIME_TABLE: return number_pairs_at(&f->table, t);
    case TIME_SINE: return sine_at(f, t);
    case TIME_PIECES: return pieces_at(f, t);
    case TIME_BY_PHASE: return time_function_at(&f->of_phase[phase.index], t - phase.began);
    case TIME_NOTHING: return 0.0;
    }
    return f->constant;
}

double time_function_at(const time_function *f, double t) { return time_function_in(f, t, (phase_now){0, 0.0}); }

// A motor asks for the end of a step in which it drives, and that may be where its piece ends: it goes on then as it
// was.
static double last_piece_at(const time_function *f, double t)
{
    const time_piece *last = NULL;
    for (int64_t k = 0; k < f->piece_count && f->piece[k].from <= t; ++k)
        if (!f->piece[k].is_nothing) last = &f->piece[k];
    return last == NULL ? 0.0 : time_function_at(&last->value, t);
}

static double call(const void *context, double t)
{
    const time_function *f = context;
    return f->kind == TIME_PIECES ? last_piece_at(f, t) : time_function_at(f, t);
}

scr_function time_function_call(const time_function *f)
{
    if (f->kind == TIME_CONSTANT || f->kind == TIME_BY_PHASE)
        return (scr_function){.constant = time_function_at(f, 0.0)};
    return (scr_function){.at = call, .context = f, .constant = time_function_at(f, 0.0)};
}

void time_function_free(time_function *f)
{
    expression_destroy(f->formula);
    number_pairs_free(&f->table);
    for (int64_t k = 0; k < f->piece_count; ++k) time_function_free(&f->piece[k].value);
    for (int k = 0; k < f->phase_count; ++k) time_function_free(&f->of_phase[k]);
    scr_free(f->piece);
    scr_free(f->of_phase);
    f->formula = NULL;
    f->piece = NULL;
    f->of_phase = NULL;
    f->piece_count = 0;
    f->phase_count = 0;
}

scr_vec3 time_vector_in(const time_vector *v, double t, phase_now phase)
{
    return (scr_vec3){time_function_in(&v->x, t, phase), time_function_in(&v->y, t, phase),
                      time_function_in(&v->z, t, phase)};
}

scr_vec3 time_vector_at(const time_vector *v, double t) { return time_vector_in(v, t, (phase_now){0, 0.0}); }

void time_vector_free(time_vector *v)
{
    time_function_free(&v->x);
    time_function_free(&v->y);
    time_function_free(&v->z);
}
