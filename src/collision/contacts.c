#include "collision/contacts.h"

#include "core/scan.h"
#include "core/threads.h"

void contacts_free(contacts *set)
{
    void *arrays[] = {set->start, set->a,       set->b,        set->feature,   set->point,  set->normal,
                      set->gap,   set->impulse, set->previous, set->allowance, set->points, set->pair_contact_count};
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

// Two grains: the common case. Most pairs are decided by their distance alone.
static inline bool grains_meet(const finder *f, int64_t i, int64_t j)
{
    const ball *a = &f->c->ball[i], *b = &f->c->ball[j];
    double sum = a->r + b->r, far = sum + (double)f->motion->reach[i] + (double)f->motion->reach[j];
    double near = sum + f->motion->envelope * fmin(a->r, b->r), d2 = centre_distance2(a, b);
    if (d2 >= far * far) return false;
    if (d2 < near * near) return true;
    contact_point p;
    place_between(a, b, d2, &p);
    p.point = vec3_add_scaled(vec3(a->x, a->y, a->z), a->r + 0.5 * p.gap, p.normal);
    return may_close(f, i, j, p.point, p.normal, p.gap);
}

static int meet_shapes(const finder *f, int64_t i, int64_t j, contact_point out[MANIFOLD_MAX])
{
    placed_shape a = collider_placed(f->c, i), b = collider_placed(f->c, j);
    int found = narrow_phase(&a, &b, (double)f->motion->reach[i] + (double)f->motion->reach[j], out), kept = 0;
    for (int k = 0; k < found; ++k)
        if (may_close(f, i, j, out[k].point, out[k].normal, out[k].gap)) out[kept++] = out[k];
    return kept;
}

static inline bool are_grains(const finder *f, int64_t i, int64_t j)
{
    return collider_is_grain(f->c, i) && collider_is_grain(f->c, j);
}

static void count_row(const finder *f, int64_t i)
{
    int64_t total = 0;
    contact_point out[MANIFOLD_MAX];
    for (int64_t k = f->list->start[i]; k < f->list->start[i + 1]; ++k) {
        int32_t j = f->list->other[k];
        int found = are_grains(f, i, j) ? grains_meet(f, i, j) : meet_shapes(f, i, j, out);
        f->set->pair_contact_count[k] = (uint8_t)found;
        total += found;
    }
    f->set->start[i] = total;
}

// How many contacts of a row need a point of their own.
static int64_t count_points(const finder *f, int64_t i)
{
    int64_t total = 0;
    for (int64_t k = f->list->start[i]; k < f->list->start[i + 1]; ++k)
        if (!has_centre_line(f, i, f->list->other[k])) total += f->set->pair_contact_count[k];
    return total;
}

static void fill_row(const finder *f, int64_t i, int64_t point_at)
{
    contacts *set = f->set;
    int64_t at = set->start[i];
    contact_point out[MANIFOLD_MAX];
    for (int64_t k = f->list->start[i]; k < f->list->start[i + 1]; ++k) {
        if (set->pair_contact_count[k] == 0) continue;
        int32_t j = f->list->other[k];
        int found = 1;
        if (are_grains(f, i, j))
            place_between(&f->c->ball[i], &f->c->ball[j], centre_distance2(&f->c->ball[i], &f->c->ball[j]), out);
        else
            found = meet_shapes(f, i, j, out);
        for (int m = 0; m < found; ++m, ++at) {
            set->a[at] = (int32_t)i;
            set->b[at] = j;
            set->feature[at] = out[m].feature;
            set->normal[3 * at] = out[m].normal.x;
            set->normal[3 * at + 1] = out[m].normal.y;
            set->normal[3 * at + 2] = out[m].normal.z;
            set->gap[at] = out[m].gap;
            set->point[at] = ON_CENTRE_LINE;
            if (!has_centre_line(f, i, j)) {
                set->points[point_at] = out[m].point;
                set->point[at] = (int32_t)point_at++;
            }
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

scr_status contacts_find(contacts *set, const colliders *c, const neighbours *list, const approach *motion, int threads,
                         scr_error *error)
{
    int64_t n = c->table.count, pairs = n > 0 ? list->start[n] : 0;
    finder f = {set, c, list, motion};
    scr_status status = scr_grow(&set->start, &set->start_capacity, 2 * (n + 1), sizeof *set->start, "contacts", error);
    if (status == SCR_OK)
        status = scr_grow_anew(&set->pair_contact_count, &set->pair_capacity, pairs, sizeof *set->pair_contact_count,
                          "contacts", error);
    if (status != SCR_OK) return status;
    int64_t *point_start = set->start + n + 1; // second half of the array: first point of an owner

#pragma omp parallel for num_threads(threads) schedule(dynamic, 512)
    for (int64_t i = 0; i < n; ++i) {
        count_row(&f, i);
        point_start[i] = count_points(&f, i);
    }
    set->count = scr_scan_i64(set->start, n, threads);
    set->point_count = scr_scan_i64(point_start, n, threads);
    status = grow_contacts(set, set->count, error);
    if (status == SCR_OK)
        status = scr_grow_anew(&set->points, &set->point_capacity, set->point_count, sizeof *set->points, "contact points",
                          error);
    if (status != SCR_OK) return status;

#pragma omp parallel for num_threads(threads) schedule(dynamic, 512)
    for (int64_t i = 0; i < n; ++i) fill_row(&f, i, point_start[i]);
    set->max_penetration = deepest(set, threads);
    return SCR_OK;
}
