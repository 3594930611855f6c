#include "collision/contacts.h"

#include <omp.h>

#include "collision/narrow_surface.h"
#include "core/scan.h"
#include "core/threads.h"

// Rows are handled in chunks of fixed size: the unit of work for a thread.
enum { CHUNK_ROWS = 512 };

void contacts_free(contacts *set)
{
    contact_staging *staging = &set->staging;
    for (int64_t t = 0; t < staging->stage_count; ++t) {
        scr_free(staging->stage[t].item);
        scr_free(staging->stage[t].surface_points.point);
    }
    void *arrays[] = {set->start,    set->a,         set->b,      set->feature,         set->point,     set->normal,          set->gap,
                      set->impulse,  set->previous,  set->allowance, set->points, staging->grains_meet, staging->stage, staging->chunk_stage,
                      staging->chunk_first};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; ++i) scr_free(arrays[i]);
}

// Room for count contacts in all arrays. They share one capacity, so each grows from the same old one.
static scr_status grow_contacts(contacts *set, int64_t count, scr_error *error)
{
    if (count <= set->capacity) return SCR_OK;
    struct {
        void *array;
        size_t size;
    } arrays[] = {
        {&set->a, sizeof *set->a},
        {&set->b, sizeof *set->b},
        {&set->feature, sizeof *set->feature},
        {&set->point, sizeof *set->point},
        {&set->normal, 3 * sizeof *set->normal},
        {&set->gap, sizeof *set->gap},
        {&set->impulse, 3 * sizeof *set->impulse},
        {&set->previous, 3 * sizeof *set->previous},
        {&set->allowance, sizeof *set->allowance},
    };
    int64_t capacity = set->capacity;
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; ++k) {
        capacity = set->capacity;
        scr_status status = scr_grow_anew(arrays[k].array, &capacity, count, arrays[k].size, "contacts", error);
        if (status != SCR_OK) {
            set->capacity = 0;  // an array is gone: next time all are made anew
            return status;
        }
    }
    set->capacity = capacity;
    return SCR_OK;
}

typedef struct finder {
    contacts *set;
    const colliders *c;
    const neighbours *list;
    const approach *motion;
} finder;

static bool has_centre_line(const finder *f, int64_t i, int64_t j)
{
    return collider_is_grain(f->c, i) && (collider_is_grain(f->c, j) || !f->motion->is_dynamic[f->c->body[j]]);
}

static scr_vec3 point_velocity(const approach *m, int32_t body, scr_vec3 point)
{
    scr_vec3 arm = vec3(point.x - m->x[body], point.y - m->y[body], point.z - m->z[body]);
    scr_vec3 spin = vec3(m->wx[body], m->wy[body], m->wz[body]);
    return vec3_add(vec3(m->vx[body], m->vy[body], m->vz[body]), vec3_cross(spin, arm));
}

static bool may_close(const finder *f, int64_t i, int64_t j, scr_vec3 point, scr_vec3 normal, double gap)
{
    const approach *m = f->motion;
    double near = m->envelope * fmin(f->c->radius[i], f->c->radius[j]);
    if (gap < near) return true;
    scr_vec3 u = vec3_sub(point_velocity(m, f->c->body[j], point), point_velocity(m, f->c->body[i], point));
    double un = vec3_dot(u, normal);
    double slide = vec3_norm(vec3_add_scaled(u, -un, normal));
    return gap < near + m->time_step * (fmax(0.0, -un) + m->max_friction * slide);
}

static inline void place_between(const ball *a, const ball *b, double d2, contact_point *p)
{
    double d = sqrt(d2), inverse = d > 0.0 ? 1.0 / d : 0.0;
    p->gap = d - (a->r + b->r);
    // Centres that coincide have no normal; up will do, and is the same for everyone.
    p->normal = d > 0.0 ? vec3((b->x - a->x) * inverse, (b->y - a->y) * inverse, (b->z - a->z) * inverse) : vec3(0.0, 0.0, 1.0);
    p->feature = 0;
}

static inline double centre_distance2(const ball *a, const ball *b)
{
    double dx = b->x - a->x, dy = b->y - a->y, dz = b->z - a->z;
    return dx * dx + dy * dy + dz * dz;
}

// Two grains that are not near, but may come together within the step.
static bool grains_may_close(const finder *f, int64_t i, int64_t j, double d2)
{
    const ball *a = &f->c->ball[i];
    contact_point p;
    place_between(a, &f->c->ball[j], d2, &p);
    p.point = vec3_add_scaled(vec3(a->x, a->y, a->z), a->r + 0.5 * p.gap, p.normal);
    return may_close(f, i, j, p.point, p.normal, p.gap);
}

// Two grains: the common case. Nearly all pairs are decided by their distance alone; whether they meet is as good as random,
// so it is computed, not branched upon.
static inline uint8_t grains_meet(const finder *f, int64_t i, int64_t j)
{
    const ball *a = &f->c->ball[i], *b = &f->c->ball[j];
    double near = a->r + b->r + f->motion->envelope * (a->r < b->r ? a->r : b->r), d2 = centre_distance2(a, b);
    double far = near + (double)f->motion->closing[i] + (double)f->motion->closing[j];
    uint8_t meet = d2 < near * near, in_reach = d2 < far * far;
    if (__builtin_expect((meet ^ 1) & in_reach, 0)) return grains_may_close(f, i, j, d2);
    return meet;
}

static void stage_contact(contact_stage *stage, const contact_point *p, int64_t pair)
{
    if (stage->count == stage->capacity &&
        scr_grow(&stage->item, &stage->capacity, stage->count + 1, sizeof *stage->item, "contacts", NULL) != SCR_OK) {
        stage->out_of_memory = true;
        return;
    }
    stage->item[stage->count++] = (staged_contact){*p, pair};
}

// The contacts of two colliders that are not both grains, into the stage.
static void meet_shapes(const finder *f, int64_t i, int64_t j, int64_t pair, contact_stage *stage)
{
    placed_shape a = collider_placed(f->c, i), b = collider_placed(f->c, j);
    double near = f->motion->envelope * fmin(f->c->radius[i], f->c->radius[j]);
    double reach = near + (double)f->motion->closing[i] + (double)f->motion->closing[j];
    contact_point few[MANIFOLD_MAX], *found = few;
    int64_t count;
    if (kind_has_triangles(a.kind) || kind_has_triangles(b.kind)) {
        contact_list *list = &stage->surface_points;
        list->count = 0;
        narrow_surface(&a, &b, reach, list);
        stage->out_of_memory |= list->out_of_memory;
        found = list->point;
        count = list->count;
    } else {
        count = narrow_phase(&a, &b, reach, few);
    }
    for (int64_t k = 0; k < count; ++k)
        if (may_close(f, i, j, found[k].point, found[k].normal, found[k].gap)) stage_contact(stage, &found[k], pair);
}

static inline bool are_grains(const finder *f, int64_t i, int64_t j)
{
    return collider_is_grain(f->c, i) && collider_is_grain(f->c, j);
}

// Find the contacts of row i: how many there are, and how many of them need a point of their own. Two grains are only
// marked, as it costs less to compute their contact again than to keep it; all others are staged.
static void find_row(const finder *f, int64_t i, contact_stage *stage, int64_t *contact_count, int64_t *point_count)
{
    int64_t total = 0, points = 0;
    for (int64_t k = f->list->start[i]; k < f->list->start[i + 1]; ++k) {
        int32_t j = f->list->other[k];
        if (are_grains(f, i, j)) {
            total += f->set->staging.grains_meet[k] = grains_meet(f, i, j);
            continue;
        }
        int64_t before = stage->count;
        meet_shapes(f, i, j, k, stage);
        total += stage->count - before;
        if (!has_centre_line(f, i, j)) points += stage->count - before;
    }
    *contact_count = total;
    *point_count = points;
}

static void write_contact(contacts *set, int64_t at, int64_t i, int32_t j, const contact_point *p)
{
    set->a[at] = (int32_t)i;
    set->b[at] = j;
    set->feature[at] = p->feature;
    set->normal[3 * at] = p->normal.x;
    set->normal[3 * at + 1] = p->normal.y;
    set->normal[3 * at + 2] = p->normal.z;
    set->gap[at] = p->gap;
    set->point[at] = ON_CENTRE_LINE;
}

// Lay out row i; *staged is the next contact of the stage, and moves on.
static void fill_row(const finder *f, int64_t i, int64_t point_at, const staged_contact **staged, const staged_contact *staged_end)
{
    contacts *set = f->set;
    int64_t at = set->start[i];
    contact_point between;
    for (int64_t k = f->list->start[i]; k < f->list->start[i + 1]; ++k) {
        int32_t j = f->list->other[k];
        if (are_grains(f, i, j)) {
            if (!set->staging.grains_meet[k]) continue;
            place_between(&f->c->ball[i], &f->c->ball[j], centre_distance2(&f->c->ball[i], &f->c->ball[j]), &between);
            write_contact(set, at++, i, j, &between);
            continue;
        }
        for (; *staged < staged_end && (*staged)->pair == k; ++*staged) {
            write_contact(set, at, i, j, &(*staged)->found);
            if (!has_centre_line(f, i, j)) {
                set->points[point_at] = (*staged)->found.point;
                set->point[at] = (int32_t)point_at++;
            }
            ++at;
        }
    }
}

static double deepest(const contacts *set, int threads)
{
    double depth = 0.0;
#pragma omp parallel for num_threads(threads) schedule(static) reduction(max : depth)
    for (int64_t i = 0; i < set->count; ++i) depth = fmax(depth, -set->gap[i]);
    return depth;
}

static scr_status grow_staging(contact_staging *staging, int64_t pairs, int64_t chunks, int threads, scr_error *error)
{
    scr_status status = scr_grow_anew(&staging->grains_meet, &staging->pair_capacity, pairs, 1, "contacts", error);
    if (status == SCR_OK)
        status = scr_grow(&staging->chunk_stage, &staging->chunk_stage_capacity, chunks, sizeof *staging->chunk_stage, "contacts", error);
    if (status == SCR_OK)
        status = scr_grow(&staging->chunk_first, &staging->chunk_first_capacity, chunks, sizeof *staging->chunk_first, "contacts", error);
    int64_t capacity = staging->stage_count;
    if (status == SCR_OK && capacity < threads) {
        status = scr_grow(&staging->stage, &capacity, threads, sizeof *staging->stage, "contacts", error);
        for (; status == SCR_OK && staging->stage_count < capacity; ++staging->stage_count)
            staging->stage[staging->stage_count] = (contact_stage){0};
    }
    return status;
}

// Empty the stages. One thread may come to do all the work of a step, so each has room for all that the last one found,
// and for some more: then a steady step takes no memory.
static scr_status clear_stages(contact_staging *staging, scr_error *error)
{
    int64_t total = 0;
    scr_status status = SCR_OK;
    for (int64_t t = 0; t < staging->stage_count; ++t) total += staging->stage[t].count;
    for (int64_t t = 0; t < staging->stage_count && status == SCR_OK; ++t) {
        contact_stage *stage = &staging->stage[t];
        stage->count = 0;
        stage->out_of_memory = stage->surface_points.out_of_memory = false;
        status = scr_grow(&stage->item, &stage->capacity, total + total / 4, sizeof *stage->item, "contacts", error);
    }
    return status;
}

static bool ran_out_of_memory(const contact_staging *staging)
{
    for (int64_t t = 0; t < staging->stage_count; ++t)
        if (staging->stage[t].out_of_memory) return true;
    return false;
}

scr_status contacts_find(contacts *set, const colliders *c, const neighbours *list, const approach *motion, int threads,
                         scr_error *error)
{
    int64_t n = c->table.count, pairs = n > 0 ? list->start[n] : 0, chunks = (n + CHUNK_ROWS - 1) / CHUNK_ROWS;
    contact_staging *staging = &set->staging;
    finder f = {set, c, list, motion};
    scr_status status = scr_grow(&set->start, &set->start_capacity, 2 * (n + 1), sizeof *set->start, "contacts", error);
    if (status == SCR_OK) status = grow_staging(staging, pairs, chunks, threads, error);
    if (status == SCR_OK) status = clear_stages(staging, error);
    if (status != SCR_OK) return status;
    int64_t *point_start = set->start + n + 1; // second half of the array: first point of an owner

#pragma omp parallel for num_threads(threads) schedule(dynamic, 1)
    for (int64_t chunk = 0; chunk < chunks; ++chunk) {
        contact_stage *stage = &staging->stage[omp_get_thread_num()];
        staging->chunk_stage[chunk] = omp_get_thread_num();
        staging->chunk_first[chunk] = stage->count;
        int64_t end = min_i64((chunk + 1) * CHUNK_ROWS, n);
        for (int64_t i = chunk * CHUNK_ROWS; i < end; ++i) find_row(&f, i, stage, &set->start[i], &point_start[i]);
    }
    if (ran_out_of_memory(staging)) return scr_fail(error, SCR_NO_MEMORY, "out of memory for the contacts of a step");
    set->count = scr_scan_i64(set->start, n, threads);
    set->point_count = scr_scan_i64(point_start, n, threads);
    status = grow_contacts(set, set->count, error);
    if (status == SCR_OK)
        status = scr_grow_anew(&set->points, &set->point_capacity, set->point_count, sizeof *set->points, "contact points",
                          error);
    if (status != SCR_OK) return status;

#pragma omp parallel for num_threads(threads) schedule(dynamic, 1)
    for (int64_t chunk = 0; chunk < chunks; ++chunk) {
        const contact_stage *stage = &staging->stage[staging->chunk_stage[chunk]];
        const staged_contact *staged = stage->item + staging->chunk_first[chunk];
        int64_t end = min_i64((chunk + 1) * CHUNK_ROWS, n);
        for (int64_t i = chunk * CHUNK_ROWS; i < end; ++i) fill_row(&f, i, point_start[i], &staged, stage->item + stage->count);
    }
    set->max_penetration = deepest(set, threads);
    return SCR_OK;
}
