// SPDX-License-Identifier: BSD-3-Clause
// trajectory.h5 as others read it, also while a run goes on.
#include "io/trajectory/trajectory_file.h"

scr_status trajectory_open(const char *directory, trajectory **result, scr_error *error)
{
    trajectory *t;
    hid_t access = hdf5_access();
    scr_status status = trajectory_new(directory, false, &t, error);
    if (status != SCR_OK) goto done;
    // As a reader beside a writer: a run may be going on, or may have been killed.
    t->file = H5Fopen(t->path, H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, access);
    status = t->file < 0 ? hdf5_fail(error, t->path, "cannot read") : read_entries(t, error);
    if (status == SCR_OK) status = read_surfaces(t, error);
    if (status == SCR_OK) status = read_period(t, error);
    t->has_rotations = status == SCR_OK && H5Aexists(t->file, HAS_ROTATIONS) > 0;
    if (status == SCR_OK) *result = t;
    else trajectory_close(t, NULL);
done:
    hdf5_close(access);
    return status;
}

const periodic_cell *trajectory_period(const trajectory *t) { return &t->period; }
int64_t trajectory_frame_count(const trajectory *t) { return t->frame_count; }
double trajectory_frame_time(const trajectory *t, int64_t index) { return t->entry[index].time; }
// Of its spheres, if there are any, and of those that are added.
static bool entry_has_rotations(const trajectory *t, const frame_entry *e)
{
    int64_t rotations = e->count[ROTATION_ROWS];
    return rotations == e->count[SPHERE_ROWS] && (t->has_rotations || rotations > 0);
}

frame_size trajectory_frame_size(const trajectory *t, int64_t index)
{
    const int64_t *count = t->entry[index].count;
    int64_t parked = parked_rows_count(&t->parked, index),
            turned = entry_has_rotations(t, &t->entry[index]) ? parked : 0;
    return (frame_size){.spheres = count[SPHERE_ROWS] + parked,
                        .boxes = count[BOX_ROWS],
                        .planes = count[PLANE_ROWS],
                        .parts = count[PART_ROWS],
                        .contacts = count[CONTACT_ROWS],
                        .rotations = count[ROTATION_ROWS] + turned,
                        .parked = parked};
}

static bool part_can_be(const frame_surfaces *s, const frame_shape *part)
{
    if (part->surface < -1 || part->surface >= s->count) return false;
    return part->shape == SCR_SPHERE_SET ? part->surface >= 0 && s->set != NULL : part->shape <= SCR_PLANE;
}

scr_status trajectory_read(trajectory *t, int64_t index, frame *f, scr_error *error)
{
    if (index < 0 || index >= t->frame_count)
        return scr_fail(error, SCR_BAD_INPUT, "%s: there is no frame %lld; frames go from 0 to %lld", t->path,
                        (long long)index, (long long)t->frame_count - 1);
    const frame_entry *e = &t->entry[index];
    frame_size size = trajectory_frame_size(t, index);
    scr_status status = frame_reserve(f, size, error);
    if (status != SCR_OK) return status;
    f->time = e->time;
    f->spheres.count = e->count[SPHERE_ROWS];
    f->box_count = e->count[BOX_ROWS];
    f->plane_count = e->count[PLANE_ROWS];
    f->part_count = e->count[PART_ROWS];
    f->contact_count = e->count[CONTACT_ROWS];
    f->rotation_count = e->count[ROTATION_ROWS];
    f->has_rotations = entry_has_rotations(t, e);
    f->surfaces = &t->surfaces;
    f->period = t->period;
    // What the file does not say of boxes and planes.
    for (int64_t i = 0; i < f->box_count; ++i) f->boxes[i] = (frame_shape){.surface = -1, .shape = SCR_BOX};
    for (int64_t i = 0; i < f->plane_count; ++i)
        f->planes[i] = (frame_shape){.surface = -1, .kind = SCR_FIXED, .shape = SCR_PLANE};
    status = reserve_scratch(t, f, error);
    if (status != SCR_OK) return status;
    checksum sum = entry_checksum(e);
    for (int c = 0; c < COLUMN_COUNT; ++c) {
        const column *col = &frame_columns[c];
        if (col->source == CORNERS_OF_BOX) continue;
        if (row_set_read(&t->column[c], e->start[col->rows], e->count[col->rows], column_numbers(t->scratch, f, col)) <
            0)
            return hdf5_fail(error, t->path, "cannot read a frame");
        add_column(&sum, col, column_numbers(t->scratch, f, col), e->count[col->rows]);
        scatter_column(t->scratch, f, col);
    }
    if (checksum_value(&sum) != e->checksum)
        return scr_fail(error, SCR_IO, "%s: damaged: frame %lld is not what was written", t->path, (long long)index);
    for (int64_t i = 0; i < f->part_count; ++i) {
        if (!part_can_be(&t->surfaces, &f->parts[i]))
            return scr_fail(error, SCR_IO, "%s: damaged: frame %lld has a shape that cannot be", t->path,
                            (long long)index);
    }
    status = parked_rows_read(&t->parked, t->path, index, f, error);
    if (status != SCR_OK) return status;
    status = frame_spread_sets(f, error);
    if (status != SCR_OK) return status;
    if (t->hidden != NULL) frame_hide_bodies(f, t->hidden, t->hidden_count);
    return frame_wrap(f, error);
}

void trajectory_hide_bodies(trajectory *t, const bool *hidden, int64_t count)
{
    t->hidden = hidden;
    t->hidden_count = count;
}
