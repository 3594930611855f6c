// SPDX-License-Identifier: BSD-3-Clause
#include "dynamics/penalty/bed/grain_world.h"

#include <omp.h>
#include <string.h>

#include "core/base/threads.h"
#include "dynamics/penalty/bed/grain_lists.h"
#include "dynamics/penalty/bed/grain_rotation.h"

enum { SPARE_SHARE = 16 };  // of the slots: room for grains that come. Memory that nobody touches is none
static const double MIXED_RADIUS_RATIO = 64.0;  // largest over least: below it a unit is small for every grain

void grain_bed_free(grain_bed *bed)
{
    for (int k = 0; k < 2; ++k) {
        scr_free(bed->record[k]);
        scr_free(bed->line[k]);
        scr_free(bed->pairs[k].pack);
        scr_free(bed->pairs[k].coefficients);
        scr_free(bed->pairs[k].roll);
        scr_free(bed->pairs[k].neck);
        scr_free(bed->pairs[k].wall_pack);
        scr_free(bed->pairs[k].range);
    }
    scr_free(bed->material);
    scr_free(bed->collider);
    scr_free(bed->rotating);
    scr_free(bed->largest_range);
    scr_free(bed->tally);
    scr_free(bed->wall_push);
    scr_free(bed->sums);
    scr_free(bed->candidates);
    scr_free(bed->spring);
    scr_free(bed->spring_start);
    scr_free(bed->margin);
    scr_free(bed->is_worn);
    scr_free(bed->has_movers);
    grain_changes_free(&bed->changes);
    scr_free(bed->old);
    scr_free(bed->share);
    grain_rows_free(&bed->rows);
    scr_arena_free(&bed->undo.aside);
    grain_wear_free(&bed->wear);
}

const grain_kernels *grain_kernels_for(const grain_source *source, scr_precision precision, scr_instruction_set set)
{
    double least = INFINITY, largest = 0.0;
    for (int64_t i = 0; i < source->bodies->table.count && precision == SCR_PRECISION_MIXED; ++i) {
        if (!body_is_bedded(source->bodies, source->colliders, i)) continue;
        double r = source->colliders->radius[source->bodies->first_collider[i]];
        least = fmin(least, r), largest = fmax(largest, r);
    }
    bool mixed = precision == SCR_PRECISION_MIXED && largest <= MIXED_RADIUS_RATIO * least;
    return mixed ? KERNEL_TO_AVX512_FOR(set == SCR_BEST, grain_kernels_mixed)
                 : KERNEL_TO_AVX512_FOR(set == SCR_BEST, grain_kernels_double);
}

// What there is in the arrays is kept.
static scr_status reserve(grain_bed *bed, int64_t count, scr_error *error)
{
    const char *what = "a bed of grains";
    int64_t blocks = block_count_of(count, GRAIN_BLOCK);
    bool mixed = bed->kernels->has_lines;
    scr_status status = SCR_OK;
    for (int k = 0; k < 2 && status == SCR_OK; ++k) {
        if (k == 0 || !bed->in_place)
            status = scr_grow(&bed->record[k], &bed->record_capacity[k], count, sizeof *bed->record[k], what, error);
        if (status == SCR_OK && mixed)
            status = scr_grow(&bed->line[k], &bed->line_capacity[k], count, sizeof *bed->line[k], what, error);
    }
    if (status == SCR_OK)
        status = scr_grow(&bed->material, &bed->material_capacity, count, sizeof *bed->material, what, error);
    if (status == SCR_OK)
        status = scr_grow(&bed->collider, &bed->collider_capacity, count, sizeof *bed->collider, what, error);
    if (status == SCR_OK && bed->follows_rotations)
        status = scr_grow(&bed->rotating, &bed->rotating_capacity, count, sizeof *bed->rotating, what, error);
    if (status == SCR_OK)
        status = scr_grow(&bed->largest_range, &bed->largest_range_capacity, blocks, sizeof *bed->largest_range, what,
                          error);
    if (status == SCR_OK) status = scr_grow(&bed->tally, &bed->tally_capacity, blocks, sizeof *bed->tally, what, error);
    if (status == SCR_OK)
        status = scr_grow(&bed->margin, &bed->margin_capacity, blocks, sizeof *bed->margin, what, error);
    if (status == SCR_OK)
        status = scr_grow(&bed->is_worn, &bed->is_worn_capacity, blocks, sizeof *bed->is_worn, what, error);
    if (status == SCR_OK)
        status = scr_grow(&bed->has_movers, &bed->has_movers_capacity, blocks, sizeof *bed->has_movers, what, error);
    if (status == SCR_OK) status = grain_wear_reserve(&bed->wear, blocks, error);
    if (status == SCR_OK)
        status = scr_grow(&bed->spring_start, &bed->spring_start_capacity, count + 1, sizeof *bed->spring_start, what,
                          error);
    return status;
}

scr_status grain_bed_widen(grain_bed *bed, int64_t count, scr_error *error)
{
    int64_t blocks = bed->wear.block_count;
    scr_status status = reserve(bed, count, error);
    if (status == SCR_OK) status = grain_rows_widen(&bed->rows, count, error);
    bed->wear.block_count = blocks;  // until lists are made of more
    bed->walls.collider = bed->collider;
    return status;
}

scr_status grain_bed_reserve_springs(grain_bed *bed, int64_t count, scr_error *error)
{
    scr_status status =
        scr_grow_anew(&bed->spring, &bed->spring_capacity, count, sizeof *bed->spring, "springs of grains", error);
    bed->spring_count = status == SCR_OK ? count : 0;
    return status;
}

// In world axes.
static scr_vec3 spin_of(const rotating *r)
{
    bool is_straight = r->q.x == 0.0 && r->q.y == 0.0 && r->q.z == 0.0;
    return is_straight ? r->spin : quat_rotate(r->q, r->spin);
}

static rotating rotating_of(const bodies *b, int64_t i)
{
    return (rotating){body_rotation(b, i), vec3(b->wx[i], b->wy[i], b->wz[i])};
}

static grain_record record_of(const grain_source *source, int64_t i)
{
    const bodies *b = source->bodies;
    if (!body_is_bedded(b, source->colliders, i)) return (grain_record){0};
    rotating r = rotating_of(b, i);
    scr_vec3 w = spin_of(&r);
    return (grain_record){{b->x[i], b->y[i], b->z[i]},
                          source->colliders->radius[b->first_collider[i]],
                          {b->vx[i], b->vy[i], b->vz[i]},
                          b->inv_mass[i],
                          {w.x, w.y, w.z},
                          1.0};
}

// A power of two, such that 2^31 units are more than two radii and two skins.
static double unit_for(double radius)
{
    int exponent;
    frexp(radius, &exponent);
    return ldexp(1.0, exponent - 29);
}

// Where the cells will be after so many steps and a part of one, as the world will put it, bit by bit.
static periodic_cell cells_later(const grain_bed *bed, const grain_source *source, int steps, double part)
{
    periodic_cell p = *bed->period;
    const double h = source->time_step;
    p.shear_offset = source->shear_offset + steps * (h * p.shear_velocity) + part * h * p.shear_velocity;
    for (int axis = 0; p.is_stretched && axis < 3; ++axis) {
        p.length[axis] = source->cell_length[axis] + steps * (h * p.stretch[axis]) + part * h * p.stretch[axis];
        p.inverse[axis] = p.length[axis] > 0.0 ? 1.0 / p.length[axis] : 0.0;
    }
    return p;
}

// At the midpoint of the next step or of the one after.
static void foresee_cells(grain_bed *bed, const grain_source *source, int steps)
{
    if (bed->period != NULL) bed->line_period = cells_later(bed, source, steps, 0.5);
}
static const periodic_cell *line_period(const grain_bed *bed) { return bed->period != NULL ? &bed->line_period : NULL; }

static void write_line(grain_bed *bed, const grain_source *source, int64_t i)
{
    int at = bed->in_place ? 0 : bed->now;
    if (bed->kernels->has_lines && bed->collider[i] >= 0)
        bed->kernels->write_line(&bed->record[at][i], 0.5 * source->time_step, bed->unit, line_period(bed),
                                 &bed->line[bed->now][i]);
}

static void take_body(grain_bed *bed, const grain_source *source, int64_t i)
{
    grain_record g = record_of(source, i);
    int32_t collider = source->bodies->first_collider[i];
    bed->collider[i] = g.inv_mass > 0.0 ? collider : -1;
    bed->material[i] = g.inv_mass > 0.0 ? source->colliders->material[collider] : 0;
    for (int axis = 0; axis < 3 && !bed->kernels->has_lines; ++axis) g.x[axis] += 0.5 * source->time_step * g.v[axis];
    for (int k = 0; k < (bed->in_place ? 1 : 2); ++k) bed->record[k][i] = g;
    if (bed->follows_rotations) bed->rotating[i] = rotating_of(source->bodies, i);
    if (g.inv_mass == 0.0) return;
    ++bed->grain_count;
    bed->top_speed = fmax(bed->top_speed, vec3_norm(vec3(g.v[0], g.v[1], g.v[2])));
}

void grain_bed_take_body(grain_bed *bed, const grain_source *source, int64_t i)
{
    take_body(bed, source, i);
    foresee_cells(bed, source, 0);
    write_line(bed, source, i);
}

void grain_bed_write_lines(grain_bed *bed, const grain_source *source, int threads)
{
    foresee_cells(bed, source, 0);
    bed->lines_are_behind = false;
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int64_t i = 0; i < bed->count; ++i) write_line(bed, source, i);
}

static void take_grains(grain_bed *bed, const grain_source *source)
{
    double radii = 0.0;
    bed->grain_count = 0;
    bed->largest_radius = bed->top_speed = 0.0;
    bed->least_radius = INFINITY;
    bed->now = 0;
    bed->steps = bed->touching = 0;
    for (int64_t i = 0; i < bed->count; ++i) {
        take_body(bed, source, i);
        if (bed->collider[i] < 0) continue;
        double radius = bed->record[0][i].radius;
        radii += radius;
        bed->largest_radius = fmax(bed->largest_radius, radius);
        bed->least_radius = fmin(bed->least_radius, radius);
    }
    bed->mean_radius = bed->grain_count > 0 ? radii / (double)bed->grain_count : 0.0;
    bed->unit = unit_for(bed->largest_radius);
    grain_bed_write_lines(bed, source, 1);
}

// m/s: how much faster than by their rates either of two blocks strays from the other across a seam of a sheared space;
// or as any two grains that may have to do with each other come nearer in a stretched one that shrinks.
static double seam_stray(const grain_bed *bed)
{
    const periodic_cell *p = bed->period;
    double shrinking = 0.0;
    if (p == NULL || !p->is_stretched) return 0.5 * seam_speed_of(bed);
    for (int axis = 0; axis < 3; ++axis) shrinking = fmax(shrinking, -p->inverse[axis] * p->stretch[axis]);
    return 0.5 * shrinking * grain_lists_reach(bed);
}

void grain_bed_measure_rates(grain_bed *bed, int64_t first_block)
{
    const periodic_cell *p = bed->period;
    for (int64_t b = first_block; b < block_count_of(bed->count, GRAIN_BLOCK); ++b) {
        double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
        for (int64_t i = b * GRAIN_BLOCK; i < min_i64((b + 1) * GRAIN_BLOCK, bed->count); ++i) {
            const grain_record *g = &grains_now(bed)[i];
            scr_vec3 x = {g->x[0], g->x[1], g->x[2]}, shown = {g->v[0], g->v[1], g->v[2]};
            if (p != NULL)
                shown = p->is_stretched ? beside_stretching(p, x, shown) : period_wrapped_velocity(p, x, shown);
            const double v[3] = {shown.x, shown.y, shown.z};
            for (int axis = 0; axis < 3 && bed->collider[i] >= 0; ++axis)
                low[axis] = fmin(low[axis], v[axis]), high[axis] = fmax(high[axis], v[axis]);
        }
        bed->wear.rate[b] = block_rate(low, high);
        bed->wear.rate[b].stray += seam_stray(bed);
    }
}

double grain_bed_border_speed(const grain_bed *bed)
{
    double beside = 0.0;
    if (bed->period == NULL || !bed->period->is_stretched) return bed->top_speed + seam_speed_of(bed);
    for (int64_t b = 0; b < bed->wear.block_count; ++b) {
        const block_motion *m = &bed->wear.rate[b];
        beside = fmax(beside, vec3_norm(vec3(m->drift[0], m->drift[1], m->drift[2])) + m->stray);
    }
    return beside + 2.0 * seam_speed_of(bed);  // in the cell that is shown, which the lists follow, too
}

// One law for all pairs, if all grains are alike.
static void find_law(grain_bed *bed, const grain_source *source)
{
    int64_t first = 0;
    while (first < bed->count && bed->collider[first] < 0) ++first;
    bed->is_uniform = first < bed->count;
    if (!bed->is_uniform) return;
    const grain_record *all = bed->record[0], *g = &all[first];
    for (int64_t i = first; i < bed->count && bed->is_uniform; ++i)
        bed->is_uniform = bed->collider[i] < 0 || (all[i].radius == g->radius && all[i].inv_mass == g->inv_mass &&
                                                   bed->material[i] == bed->material[first]);
    const material_pair *both = materials_pair(source->materials, bed->material[first], bed->material[first]);
    bed->law = law_of_pair(both, source->contact, g->radius * g->radius / (g->radius + g->radius),
                           1.0 / (g->inv_mass + g->inv_mass), g->radius);
}

bool grain_bed_suits(const grain_bed *bed, const grain_source *source)
{
    const double *radius = source->colliders->radius, *inv_mass = source->bodies->inv_mass;
    double largest = 0.0;
    int64_t first = -1;
    bool are_alike = true;
    for (int64_t i = 0; i < bed->count; ++i) {
        if (bed->collider[i] < 0) continue;
        if (first < 0) first = i;
        double r = radius[bed->collider[i]];
        largest = fmax(largest, r);
        are_alike = are_alike && r == radius[bed->collider[first]] && inv_mass[i] == inv_mass[first] &&
                    bed->material[i] == bed->material[first];
    }
    return first >= 0 && are_alike == bed->is_uniform && unit_for(largest) == bed->unit;
}

void grain_bed_index_springs(grain_bed *bed)
{
    int64_t k = 0;
    for (int64_t i = 0; i <= bed->count; ++i) {
        while (k < bed->spring_count && bed->spring[k].b >= 0 && bed->spring[k].a < i) ++k;
        bed->spring_start[i] = k;
    }
}

// Planes of bodies that never move, in the order of their colliders.
static void take_walls(grain_bed *bed, const grain_source *source)
{
    const colliders *c = source->colliders;
    const bodies *b = source->bodies;
    bed->walls = (grain_walls){.colliders = c, .collider = bed->collider};
    int64_t count = 0;
    for (int64_t k = 0; k < c->table.count; ++k) {
        if (!collider_is_wall(b, c, k)) continue;
        if (count++ == GRAIN_WALLS) break;
        pose plane = pose_compose(body_pose(b, c->body[k]), collider_frame_pose(c, c->place[k]));
        scr_vec3 n = quat_z(plane.rotation), at = body_position(b, c->body[k]);
        bed->walls.wall[count - 1] =
            (grain_wall){{n.x, n.y, n.z}, vec3_dot(n, plane.position), {at.x, at.y, at.z}, (int32_t)k, c->material[k]};
    }
    bed->walls.count = count <= GRAIN_WALLS ? (int32_t)count : 0;
}

static pack_layout layout_for(const law_options *options, bool is_uniform)
{
    int coefficients = options->jkr ? LAW_COEFFICIENTS : options->rolling ? ROLLING_COEFFICIENTS : PLAIN_COEFFICIENTS;
    return (pack_layout){is_uniform ? 0 : coefficients, options->rolling && options->elastic_rolling, options->jkr};
}

scr_status grain_bed_load(grain_bed *bed, const grain_source *source, const grain_kernels *kernels, scr_error *error)
{
    bed->kernels = kernels;
    bed->count = 0;
    bed->has_rows = bed->has_packs = bed->has_moments = bed->is_stretched_anew = bed->lines_are_behind = false;
    grain_changes_forget(&bed->changes);
    bed->follows_rotations = source->follow_rotations;
    bed->in_place = kernels->has_lines && !bed->follows_rotations;
    bed->period = source->colliders->period.any ? &source->colliders->period : NULL;
    bed->sums_stress = bed->period != NULL && bed->period->is_stretched;
    int64_t count = source->bodies->table.count;
    scr_status status = reserve(bed, count + count / SPARE_SHARE, error);
    if (status != SCR_OK) return status;
    bed->count = count;
    bed->wear.block_count = block_count_of(count, GRAIN_BLOCK);
    take_grains(bed, source);
    grain_bed_measure_rates(bed, 0);
    take_walls(bed, source);
    find_law(bed, source);
    grain_undo_measure(bed, source->materials, source->contact);
    bed->options = law_options_of(source->materials, source->contact, source->time_step);
    bed->layout = layout_for(&bed->options, bed->is_uniform);
    bed->neck = longest_neck(source->materials, source->contact, bed->largest_radius);
    bed->spring_count = 0;
    grain_bed_index_springs(bed);
    return SCR_OK;
}

static double fastest_of(const grain_bed *bed)
{
    double speed2 = 0.0;
    for (int64_t b = 0; b < block_count_of(bed->count, GRAIN_BLOCK); ++b) speed2 = fmax(speed2, bed->tally[b].speed2);
    return sqrt(speed2);
}

static void find_offender(grain_bed *bed, double max_speed)
{
    for (bed->offender = 0; bed->offender < bed->count; ++bed->offender) {
        const double *v = grains_next(bed)[bed->offender].v;
        bed->offending_speed = vec3_norm(vec3(v[0], v[1], v[2]));
        if (bed->collider[bed->offender] >= 0 && !(bed->offending_speed <= max_speed)) return;
    }
}

static void add_up_walls(grain_bed *bed)
{
    int32_t walls = bed->walls.count;
    memset(bed->wall_sum, 0, sizeof bed->wall_sum);
    for (int64_t b = 0; b < block_count_of(bed->count, GRAIN_BLOCK); ++b) {
        for (int32_t w = 0; w < walls; ++w) {
            const wall_push *p = &bed->wall_push[b * walls + w];
            for (int axis = 0; axis < 3; ++axis) {
                bed->wall_sum[w].force[axis] += p->force[axis];
                bed->wall_sum[w].moment[axis] += p->moment[axis];
            }
        }
    }
}

static void add_up(grain_bed *bed, double time_step)
{
    double spins = 0.0;
    bed->overlap = 0.0;
    bed->touching = 0;
    for (int64_t b = 0; b < block_count_of(bed->count, GRAIN_BLOCK); ++b) {
        spins += bed->tally[b].spins;
        bed->overlap = fmax(bed->overlap, bed->tally[b].overlap);
        bed->touching += bed->tally[b].touching;
    }
    bed->touching /= 2;
    bed->undo.spins = bed->largest_radius * spins;
    add_up_walls(bed);
    bed->top_speed = fastest_of(bed);
    for (int64_t b = 0; b < bed->wear.block_count; ++b) {
        bed->wear.rate[b] = block_rate(bed->tally[b].low, bed->tally[b].high);
        bed->wear.rate[b].stray += seam_stray(bed);
    }
    grain_wear_add_step(&bed->wear, time_step, bed->period);
}

// Half a step with the old spin and half with the new one, as forces act midway. The state is the spin in the grain's
// own axes, as the body table has it: records go on with what is left of it in world axes, so that a bed that was
// stored and loaded goes on with the same bits.
static void rotate_grain(const grain_record *from, grain_record *to, rotating *r, double half)
{
    scr_quat midway = quat_advanced(r->q, vec3(from->w[0], from->w[1], from->w[2]), half);
    *r = rotate_steadily(midway, vec3(to->w[0], to->w[1], to->w[2]), half);
    scr_vec3 w = spin_of(r);
    to->w[0] = w.x, to->w[1] = w.y, to->w[2] = w.z;
}

static bool are_bedded(const grain_bed *bed, int64_t first, int64_t last)
{
    for (int64_t i = first; i < last; ++i)
        if (bed->collider[i] < 0) return false;
    return true;
}

static void rotate_grains(grain_bed *bed, double time_step, bool write_lines, int threads)
{
    const grain_record *from = grains_now(bed);
    grain_record *to = grains_next(bed);
    grain_rotation *rotate_four = KERNEL_FOR(!bed->rows.plain, rotate_four_grains);
    double half = 0.5 * time_step;
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int64_t first = 0; first < bed->count; first += ROTATION_LANES) {
        int64_t last = min_i64(first + ROTATION_LANES, bed->count);
        bool together = last - first == ROTATION_LANES && are_bedded(bed, first, last) &&
                        rotate_four(&from[first], &to[first], &bed->rotating[first], half);
        for (int64_t i = first; i < last; ++i) {
            if (bed->collider[i] < 0) continue;
            if (!together) rotate_grain(&from[i], &to[i], &bed->rotating[i], half);
            if (bed->kernels->has_lines && write_lines)
                bed->kernels->write_line(&to[i], half, bed->unit, line_period(bed), &bed->line[1 - bed->now][i]);
        }
    }
}

static void refill(grain_bed *bed, const grain_fill *fill, int64_t block)
{
    bed->kernels->fill(fill, block, bed->old + (size_t)omp_get_thread_num() * bed->old_bytes);
    grain_wear_note_packs(&bed->wear, block);
}

static void count_refills(grain_bed *bed)
{
    for (int64_t b = 0; b < bed->wear.block_count; ++b) bed->blocks_filled += bed->is_worn[b] != 0;
    memset(bed->is_worn, 0, (size_t)bed->wear.block_count * sizeof *bed->is_worn);
    grain_changes_settle(&bed->changes);
}

// The packs are made anew first: what is put aside are those that the step begins with.
static scr_status prepare_to_undo(grain_bed *bed, const grain_fill *fill, int threads, scr_error *error)
{
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1)
    for (int64_t b = 0; b < bed->wear.block_count; ++b)
        if (bed->is_worn[b]) refill(bed, fill, b);
    count_refills(bed);
    return grain_undo_keep(bed, error);
}

// What each thread has for itself. A step may have more threads than the one that made the packs: grains have come.
static scr_status reserve_for_threads(grain_bed *bed, int threads, scr_error *error)
{
    scr_status status =
        scr_grow_anew(&bed->sums, &bed->sums_capacity, threads, GRAIN_BLOCK * GRAIN_SUM_BYTES, "sums of forces", error);
    if (status == SCR_OK)
        status = scr_grow_anew(&bed->share, &bed->share_capacity, threads, sizeof *bed->share, "threads", error);
    if (status == SCR_OK)
        status = scr_grow_anew(&bed->old, &bed->old_capacity, threads * (int64_t)bed->old_bytes, 1,
                               "packs that are put aside", error);
    return status;
}

scr_status grain_bed_step(grain_bed *bed, const grain_source *source, const grain_forces *forces, int threads,
                          scr_error *error)
{
    int64_t blocks = block_count_of(bed->count, GRAIN_BLOCK);
    scr_status status = reserve_for_threads(bed, threads, error);
    if (status == SCR_OK)
        status = scr_grow_anew(&bed->wall_push, &bed->wall_push_capacity, blocks * bed->walls.count,
                               sizeof *bed->wall_push, "sums of forces", error);
    if (status != SCR_OK) return status;
    foresee_cells(bed, source, 1);
    // Where rates have changed since the last step they will change after this one, too, as by a servo: lines can wait.
    const bool lines_wait = bed->is_stretched_anew;
    const periodic_cell end_period = bed->period != NULL ? cells_later(bed, source, 1, 0.0) : (periodic_cell){0};
    const grain_pass pass = {
        .record = grains_now(bed),
        .next = grains_next(bed),
        .line = bed->line[bed->now],
        .next_line = lines_wait ? NULL : bed->line[1 - bed->now],
        .count = bed->count,
        .pairs = &bed->pairs[bed->pairs_now],
        .common = bed->is_uniform ? &bed->law : NULL,
        .law = bed->options,
        .radius = bed->largest_radius,
        .sums_stress = bed->sums_stress,
        .given_stiffness = source->contact->stiffness,
        .end_period = &end_period,
        .time_step = source->time_step,
        .gravity = {forces->gravity.x, forces->gravity.y, forces->gravity.z},
        .unit = bed->unit,
        .units = 1.0 / bed->unit,
        .push = forces->push,
        .push_count = forces->push_count,
        .tally = bed->tally,
        .period = bed->period,
        .next_period = line_period(bed),
        .walls = &bed->walls,
        .wall_push = bed->wall_push,
    };
    const grain_materials law = {source->materials, source->contact, bed->material, source->bodies->inv_mass};
    const grain_fill fill = grain_bed_fill(bed, source, &law, &bed->pairs[bed->pairs_now]);
    const bool may_fail = !(grain_speed_bound(bed, forces, source->time_step) <= forces->max_speed);
    if (may_fail) status = prepare_to_undo(bed, &fill, threads, error);
    if (status != SCR_OK) return status;
    bed->has_moments = false;  // the tally is written anew, even if the step fails
    shares_deal(bed->share, threads, blocks);
#pragma omp parallel num_threads(threads)
    {
        int self = omp_get_thread_num();
        bool upwards = bed->steps % 2 == 0;
        for (int64_t b; (b = shares_take(bed->share, threads, self, upwards)) >= 0;) {
            if (bed->is_worn[b]) refill(bed, &fill, b);
            bed->kernels->pass(&pass, b, bed->sums + (int64_t)self * GRAIN_BLOCK * GRAIN_SUM_BYTES);
        }
    }
    count_refills(bed);
    if (!(fastest_of(bed) <= forces->max_speed)) {
        find_offender(bed, forces->max_speed);
        grain_undo_restore(bed);
        return SCR_DIVERGED;
    }
    add_up(bed, source->time_step);
    if (bed->follows_rotations) rotate_grains(bed, source->time_step, !lines_wait, threads);
    bed->now = 1 - bed->now;
    ++bed->steps;
    bed->is_stretched_anew = false;
    bed->has_moments = bed->sums_stress;
    bed->lines_are_behind = lines_wait && bed->kernels->has_lines;
    grain_changes_end(&bed->changes);
    return SCR_OK;
}

void grain_bed_stretch(grain_bed *bed, const grain_source *source, const double share[3], scr_vec3 centre, int threads)
{
    double speed2 = 0.0, shrinking = 0.0;
    foresee_cells(bed, source, 0);
    const grain_carrying carrying = {
        .record = grains_now(bed),
        .then = bed->record[1 - bed->now],
        .line = bed->line[bed->now],
        .collider = bed->collider,
        .count = bed->count,
        .share = {share[0], share[1], share[2]},
        .centre = {centre.x, centre.y, centre.z},
        .time_step = source->time_step,
        .unit = bed->unit,
        .were_carried = bed->is_stretched_anew,
        .period = line_period(bed),
    };
#pragma omp parallel for num_threads(threads) schedule(static) reduction(max : speed2)
    for (int64_t b = 0; b < block_count_of(bed->count, GRAIN_BLOCK); ++b)
        speed2 = fmax(speed2, bed->kernels->carry(&carrying, b));
    bed->lines_are_behind = false;
    // The way to the next midpoint is gone with both speeds, of before and of now; the same of images (grain_undo.h).
    const double *length = bed->period->length;
    scr_vec3 change = vec3(share[0] * length[0], share[1] * length[1], share[2] * length[2]);
    bed->top_speed = fmax(bed->top_speed, sqrt(speed2)) + 0.5 * vec3_norm(change);
    bed->is_stretched_anew = true;
    bed->has_moments = false;
    // Up to the next midpoint all this has been counted by the rates of before.
    for (int axis = 0; axis < 3; ++axis) shrinking = fmax(shrinking, -share[axis]);
    grain_wear_add_stray(&bed->wear, 0.25 * source->time_step * shrinking * grain_lists_reach(bed));
}

scr_vec3 grain_midpoint(const grain_bed *bed, int64_t i, double time_step)
{
    const grain_record *g = &grains_now(bed)[i];
    scr_vec3 at = vec3(g->x[0], g->x[1], g->x[2]);
    return bed->kernels->has_lines ? vec3_add_scaled(at, 0.5 * time_step, vec3(g->v[0], g->v[1], g->v[2])) : at;
}

// In double precision the way from where the last step's forces acted, which is still known.
scr_vec3 grain_position(const grain_bed *bed, int64_t i, double time_step)
{
    const grain_record *g = &grains_now(bed)[i];
    if (bed->kernels->has_lines) return vec3(g->x[0], g->x[1], g->x[2]);
    const double *from = bed->record[1 - bed->now][i].x;
    if (bed->is_stretched_anew) return vec3(from[0], from[1], from[2]);
    return vec3_add_scaled(vec3(from[0], from[1], from[2]), 0.5 * time_step, vec3(g->v[0], g->v[1], g->v[2]));
}

void grain_bed_store(const grain_bed *bed, bodies *b, double time_step, int threads)
{
    if (bed->steps == 0) return;
    const grain_record *record = grains_now(bed);
    const uint8_t *mark = bed->changes.count > 0 ? bed->changes.mark : NULL;
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int64_t i = 0; i < bed->count; ++i) {
        const grain_record *g = &record[i];
        if (bed->collider[i] < 0 || (mark != NULL && mark[i] & SLOT_FRESH)) continue;
        rotating r = {QUAT_IDENTITY, vec3(g->w[0], g->w[1], g->w[2])};
        if (bed->follows_rotations) r = bed->rotating[i];
        body_put(b, i, (pose){grain_position(bed, i, time_step), r.q}, vec3(g->v[0], g->v[1], g->v[2]), r.spin);
    }
}

int64_t grain_bed_pair_count(const grain_bed *bed)
{
    int64_t internal = 0, crossing = 0;  // the latter stand in two blocks
    for (int64_t b = 0; b < block_count_of(bed->count, GRAIN_BLOCK); ++b) {
        const pack_range *range = bed->is_worn[b] ? &bed->largest_range[b] : &bed->pairs[bed->pairs_now].range[b];
        internal += range->internal_count + range->wall_count;
        crossing += range->crossing_count;
    }
    return internal + crossing / 2;
}

void grain_bed_springs(grain_bed *bed, bool all, int threads)
{
    const pack_set *set = &bed->pairs[bed->pairs_now];
    const grain_kernels *k = bed->kernels;
    int64_t blocks = set->block_count, total = 0;
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1)
    for (int64_t b = 0; b < blocks; ++b) bed->largest_range[b].internal_first = k->springs(set, b, all, NULL);
    for (int64_t b = 0; b < blocks; ++b) {
        int64_t here = bed->largest_range[b].internal_first;
        bed->largest_range[b].internal_first = total;
        total += here;
    }
    bed->spring_count = total;
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1)
    for (int64_t b = 0; b < blocks; ++b) k->springs(set, b, all, bed->spring + bed->largest_range[b].internal_first);
    for (int64_t b = 0; b < blocks; ++b)
        bed->spring_count += k->wall_springs(set, b, all, bed->spring + bed->spring_count);
}

void grain_world_free(grain_world *g)
{
    void *arrays[] = {g->border, g->border_number, g->is_wall, g->watched, g->push, g->contacts.contact};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; ++k) scr_free(arrays[k]);
    grain_bed_free(&g->bed);
    scr_arena_free(&g->scratch);
}
