// SPDX-License-Identifier: BSD-3-Clause
#include "dynamics/bodies/surface_velocity.h"

#include <string.h>

static const field_info fields[] = {
    FIELD(surface_velocities, record, FIELD_U32, ""),
    FIELD_WIDE(surface_velocities, velocity, FIELD_F64, 3, "m/s"),
};

void surface_velocities_init(surface_velocities *s)
{
    *s = (surface_velocities){0};
    s->table = (table){"surface_velocities", fields, sizeof fields / sizeof *fields, s, 0, 0, .is_optional = true};
}

void surface_velocities_free(surface_velocities *s) { table_free(&s->table); }

// The first entry whose record is not before this one.
static int64_t find(const surface_velocities *s, uint32_t record)
{
    int64_t low = 0, high = s->table.count;
    while (low < high) {
        int64_t middle = (low + high) / 2;
        if (s->record[middle] < record) low = middle + 1;
        else high = middle;
    }
    return low;
}

static bool has(const surface_velocities *s, int64_t k, uint32_t record)
{
    return k < s->table.count && s->record[k] == record;
}

scr_vec3 surface_velocity_of(const surface_velocities *s, uint32_t record)
{
    int64_t k = find(s, record);
    if (!has(s, k, record)) return vec3(0.0, 0.0, 0.0);
    return vec3(s->velocity[3 * k], s->velocity[3 * k + 1], s->velocity[3 * k + 2]);
}

scr_status surface_velocity_reserve(surface_velocities *s, scr_error *error)
{
    return table_reserve(&s->table, s->table.count + 1, error);
}

static void move_entries(surface_velocities *s, int64_t to, int64_t from)
{
    size_t count = (size_t)(s->table.count - from);
    memmove(s->record + to, s->record + from, count * sizeof *s->record);
    memmove(s->velocity + 3 * to, s->velocity + 3 * from, 3 * count * sizeof *s->velocity);
    s->table.count += to - from;
}

void surface_velocity_set(surface_velocities *s, uint32_t record, scr_vec3 velocity)
{
    int64_t k = find(s, record);
    bool is_zero = velocity.x == 0.0 && velocity.y == 0.0 && velocity.z == 0.0;
    if (is_zero) {
        if (has(s, k, record)) move_entries(s, k, k + 1);
        return;
    }
    if (!has(s, k, record)) move_entries(s, k + 1, k);
    s->record[k] = record;
    s->velocity[3 * k] = velocity.x, s->velocity[3 * k + 1] = velocity.y, s->velocity[3 * k + 2] = velocity.z;
}

bool surface_velocities_are_valid(const surface_velocities *s, const uint32_t *generation, int64_t record_count)
{
    for (int64_t k = 0; k < s->table.count; ++k) {
        const double *v = s->velocity + 3 * k;
        if (s->record[k] >= record_count || !(generation[s->record[k]] & 1u)) return false;
        if (k > 0 && s->record[k - 1] >= s->record[k]) return false;
        if (!vec3_is_finite(vec3(v[0], v[1], v[2])) || (v[0] == 0.0 && v[1] == 0.0 && v[2] == 0.0)) return false;
    }
    return true;
}
