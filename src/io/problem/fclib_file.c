// SPDX-License-Identifier: BSD-3-Clause
// FCLIB's layout of an HDF5 file.
#include "io/problem/fclib_file.h"

#include <limits.h>
#include <string.h>

#include "io/file/hdf5_tools.h"

enum { COMPRESSED_COLUMNS = -1, COMPRESSED_ROWS = -2, SPACE_DIMENSION = 3 };

static const char DESCRIPTION[] =
    "The contact problem of a time step of scree. Unknowns: velocity and spin (world axes) of each body that can be "
    "moved; "
    "after them, for compliant contacts, one unknown a component, whose mass is the inverse of the compliance.";
static const char MATH_INFO[] = "scree's own answers are those of the convex form, without the term mu |u_t|, unless "
                                "Coulomb friction was asked for.";

// ---- writing -------------------------------------------------------------------------------------------------------

static herr_t put_array(hid_t group, const char *name, hid_t type, int64_t count, const void *data)
{
    herr_t result = -1;
    hsize_t size = (hsize_t)count;
    hid_t space = H5Screate_simple(1, &size, NULL);
    hid_t set = space < 0 ? space : H5Dcreate2(group, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (set >= 0) result = count > 0 ? H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) : 0;
    hdf5_close(set);
    hdf5_close(space);
    return result;
}

static herr_t put_int(hid_t group, const char *name, int32_t value)
{
    return put_array(group, name, H5T_NATIVE_INT32, 1, &value);
}
static herr_t put_doubles(hid_t group, const char *name, int64_t count, const double *data)
{
    return put_array(group, name, H5T_NATIVE_DOUBLE, count, data);
}

static herr_t put_sentence(hid_t group, const char *name, const char *text)
{
    herr_t result = -1;
    hid_t set = H5I_INVALID_HID, space = H5Screate(H5S_SCALAR), type = H5Tcopy(H5T_C_S1);
    if (space >= 0 && type >= 0 && H5Tset_size(type, strlen(text) + 1) >= 0)
        set = H5Dcreate2(group, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (set >= 0) result = H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text);
    hdf5_close(set);
    hdf5_close(type);
    hdf5_close(space);
    return result;
}

static herr_t write_matrix(hid_t parent, const char *name, const sparse_matrix *m)
{
    hid_t group = hdf5_make_group(parent, name);
    if (group < 0) return -1;
    bool good = put_int(group, "nzmax", m->entries) >= 0 && put_int(group, "m", m->rows) >= 0 &&
                put_int(group, "n", m->columns) >= 0 && put_int(group, "nz", COMPRESSED_COLUMNS) >= 0 &&
                put_array(group, "p", H5T_NATIVE_INT32, (int64_t)m->columns + 1, m->start) >= 0 &&
                put_array(group, "i", H5T_NATIVE_INT32, m->entries, m->row) >= 0 &&
                put_doubles(group, "x", m->entries, m->value) >= 0;
    hdf5_close(group);
    return good ? 0 : -1;
}

static herr_t write_vectors(hid_t parent, const fcl_problem *p)
{
    hid_t group = hdf5_make_group(parent, "vectors");
    if (group < 0) return -1;
    bool good = put_doubles(group, "f", p->M.rows, p->f) >= 0 && put_doubles(group, "w", p->H.columns, p->w) >= 0 &&
                put_doubles(group, "mu", p->H.columns / SPACE_DIMENSION, p->mu) >= 0;
    hdf5_close(group);
    return good ? 0 : -1;
}

static herr_t write_info(hid_t parent, const char *title)
{
    hid_t group = hdf5_make_group(parent, "info");
    if (group < 0) return -1;
    bool good = put_sentence(group, "title", title) >= 0 && put_sentence(group, "description", DESCRIPTION) >= 0 &&
                put_sentence(group, "math_info", MATH_INFO) >= 0;
    hdf5_close(group);
    return good ? 0 : -1;
}

herr_t fcl_write_problem(hid_t file, const fcl_problem *p, const char *title)
{
    hid_t group = hdf5_make_group(file, "fclib_global");
    if (group < 0) return -1;
    bool good = put_int(group, "spacedim", SPACE_DIMENSION) >= 0 && write_matrix(group, "M", &p->M) >= 0 &&
                write_matrix(group, "H", &p->H) >= 0 && write_vectors(group, p) >= 0 && write_info(group, title) >= 0;
    hdf5_close(group);
    return good ? 0 : -1;
}

herr_t fcl_write_solution(hid_t file, const char *name, const fcl_problem *p, const fcl_solution *solution)
{
    hid_t group = hdf5_make_group(file, name);
    if (group < 0) return -1;
    bool good = put_doubles(group, "v", p->M.rows, solution->v) >= 0 &&
                put_doubles(group, "u", p->H.columns, solution->u) >= 0 &&
                put_doubles(group, "r", p->H.columns, solution->r) >= 0;
    hdf5_close(group);
    return good ? 0 : -1;
}

herr_t fcl_write_guess(hid_t file, const fcl_problem *p, const fcl_solution *guess)
{
    hid_t group = hdf5_make_group(file, "guesses");
    if (group < 0) return -1;
    bool good = put_int(group, "number_of_guesses", 1) >= 0 && fcl_write_solution(group, "1", p, guess) >= 0;
    hdf5_close(group);
    return good ? 0 : -1;
}

// ---- reading -------------------------------------------------------------------------------------------------------

static bool has_link(hid_t file, const char *name) { return H5Lexists(file, name, H5P_DEFAULT) > 0; }
bool fcl_is_global(hid_t file) { return has_link(file, "fclib_global"); }
bool fcl_is_local(hid_t file) { return has_link(file, "fclib_local"); }

static scr_status fail_missing(scr_error *error, const char *path, const char *what)
{
    H5Eclear2(H5E_DEFAULT);
    return scr_fail(error, SCR_IO, "%s: %s in the problem of FCLIB is damaged or missing", path, what);
}

// Exactly so many numbers.
static bool get_array(hid_t group, const char *name, hid_t type, int64_t count, void *data)
{
    bool good = false;
    hid_t set = H5Dopen2(group, name, H5P_DEFAULT), space = set < 0 ? set : H5Dget_space(set);
    if (space >= 0 && H5Sget_simple_extent_npoints(space) == count)
        good = count == 0 || H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0;
    hdf5_close(space);
    hdf5_close(set);
    return good;
}

static bool get_int(hid_t group, const char *name, int32_t *value)
{
    return get_array(group, name, H5T_NATIVE_INT32, 1, value);
}

// A matrix as it lies in the file: p are the beginnings of columns or rows, i what the other index is; or both as
// triplets.
typedef struct stored_matrix {
    int32_t m, n, nz, nzmax;
    int32_t *p, *i;
    double *x;
} stored_matrix;

static int64_t entry_count(const stored_matrix *s) { return s->nz >= 0 ? s->nz : s->nzmax; }
static int64_t pointer_count(const stored_matrix *s)
{
    return s->nz >= 0 ? s->nz : (s->nz == COMPRESSED_COLUMNS ? (int64_t)s->n : (int64_t)s->m) + 1;
}

static int64_t count_numbers(hid_t group, const char *name)  // -1 if there are none
{
    hid_t set = H5Dopen2(group, name, H5P_DEFAULT), space = set < 0 ? set : H5Dget_space(set);
    int64_t count = space < 0 ? -1 : (int64_t)H5Sget_simple_extent_npoints(space);
    hdf5_close(space);
    hdf5_close(set);
    return count;
}

// A new array with all numbers of a dataset. Its size is checked before there is memory for it: a damaged number should
// not ask for all there is.
static scr_status take_array(hid_t group, const char *name, bool is_double, int64_t count, void *array,
                             const char *path, scr_error *error)
{
    void *data = NULL;
    if (group < 0 || count_numbers(group, name) != count) return fail_missing(error, path, name);
    scr_status status = scr_make_zeros(&data, count, is_double ? sizeof(double) : sizeof(int32_t), path, error);
    if (status == SCR_OK && !get_array(group, name, is_double ? H5T_NATIVE_DOUBLE : H5T_NATIVE_INT32, count, data)) {
        scr_free(data);
        return fail_missing(error, path, name);
    }
    memcpy(array, &data, sizeof data);
    return status;
}

static scr_status read_stored(hid_t parent, const char *name, const char *path, stored_matrix *s, scr_error *error)
{
    hid_t group = H5Gopen2(parent, name, H5P_DEFAULT);
    scr_status status = SCR_OK;
    if (group < 0 || !get_int(group, "m", &s->m) || !get_int(group, "n", &s->n) || !get_int(group, "nz", &s->nz) ||
        !get_int(group, "nzmax", &s->nzmax) || s->m < 0 || s->n < 0 || s->nz < COMPRESSED_ROWS || s->nzmax < 0)
        status = fail_missing(error, path, name);
    if (status == SCR_OK) status = take_array(group, "p", false, pointer_count(s), &s->p, path, error);
    if (status == SCR_OK) status = take_array(group, "i", false, entry_count(s), &s->i, path, error);
    if (status == SCR_OK) status = take_array(group, "x", true, entry_count(s), &s->x, path, error);
    hdf5_close(group);
    return status;
}

// The columns of all entries; false if the pointers are out of order or any index out of range. FCLIB's triplets are
// those of CSparse: p is the column, i the row.
static bool find_columns(stored_matrix *s, int32_t *column)
{
    int64_t count = entry_count(s);
    if (s->nz >= 0) {
        if (count > 0) memcpy(column, s->p, (size_t)count * sizeof *column);
    } else {
        int64_t lines = pointer_count(s) - 1;
        if (s->p[0] != 0 || s->p[lines] != count) return false;
        for (int64_t line = 0; line < lines; ++line) {
            if (s->p[line] > s->p[line + 1] || s->p[line + 1] > count) return false;
            for (int32_t k = s->p[line]; k < s->p[line + 1]; ++k) column[k] = (int32_t)line;
        }
        if (s->nz == COMPRESSED_ROWS) {  // lines are rows, and i is the column
            for (int64_t k = 0; k < count; ++k) {
                int32_t row = column[k];
                column[k] = s->i[k];
                s->i[k] = row;
            }
        }
    }
    for (int64_t k = 0; k < count; ++k) {
        if (column[k] < 0 || column[k] >= s->n || s->i[k] < 0 || s->i[k] >= s->m) return false;
    }
    return true;
}

// By column, in the order of the file within each.
static scr_status sort_by_column(stored_matrix *s, const char *name, const char *path, sparse_matrix *m,
                                 scr_error *error)
{
    int64_t count = entry_count(s);
    int32_t *column = NULL, *next = NULL;
    *m = (sparse_matrix){.rows = s->m, .columns = s->n, .entries = (int32_t)count};
    scr_status status = scr_make_zeros(&column, count, sizeof *column, path, error);
    if (status == SCR_OK && !find_columns(s, column)) status = fail_missing(error, path, name);
    if (status == SCR_OK) status = scr_make_zeros(&next, s->n, sizeof *next, path, error);
    if (status == SCR_OK) status = scr_make_zeros(&m->start, (int64_t)s->n + 1, sizeof *m->start, path, error);
    if (status == SCR_OK) status = scr_make_zeros(&m->row, count, sizeof *m->row, path, error);
    if (status == SCR_OK) status = scr_make_zeros(&m->value, count, sizeof *m->value, path, error);
    if (status == SCR_OK) {
        for (int64_t k = 0; k < count; ++k) ++m->start[column[k] + 1];
        for (int32_t c = 0; c < s->n; ++c) m->start[c + 1] += next[c] = m->start[c];
        for (int64_t k = 0; k < count; ++k) {
            int32_t to = next[column[k]]++;
            m->row[to] = s->i[k];
            m->value[to] = s->x[k];
        }
    }
    scr_free(column);
    scr_free(next);
    return status;
}

// rows and columns are what the vectors say.
static scr_status read_matrix(hid_t parent, const char *name, int64_t rows, int64_t columns, const char *path,
                              sparse_matrix *m, scr_error *error)
{
    stored_matrix stored = {0};
    scr_status status = read_stored(parent, name, path, &stored, error);
    if (status == SCR_OK && (stored.m != rows || stored.n != columns)) status = fail_missing(error, path, name);
    if (status == SCR_OK) status = sort_by_column(&stored, name, path, m, error);
    scr_free(stored.p);
    scr_free(stored.i);
    scr_free(stored.x);
    return status;
}

static scr_status read_vectors(hid_t parent, const char *path, fcl_problem *p, scr_error *error)
{
    hid_t group = H5Gopen2(parent, "vectors", H5P_DEFAULT);
    scr_status status = take_array(group, "f", true, p->M.rows, &p->f, path, error);
    if (status == SCR_OK) status = take_array(group, "w", true, p->H.columns, &p->w, path, error);
    if (status == SCR_OK) status = take_array(group, "mu", true, p->H.columns / SPACE_DIMENSION, &p->mu, path, error);
    hdf5_close(group);
    return status;
}

scr_status fcl_read_problem(hid_t file, const char *path, fcl_problem *p, scr_error *error)
{
    int32_t dimension = 0;
    *p = (fcl_problem){0};
    hid_t group = H5Gopen2(file, "fclib_global", H5P_DEFAULT);
    scr_status status = SCR_OK;
    if (group < 0 || !get_int(group, "spacedim", &dimension)) status = fail_missing(error, path, "the space dimension");
    if (status == SCR_OK && dimension != SPACE_DIMENSION)
        status = scr_fail(error, SCR_BAD_INPUT, "%s: the problem has %d dimensions; scree solves those of three", path,
                          dimension);
    if (status == SCR_OK && has_link(group, "G"))
        status = scr_fail(error, SCR_BAD_INPUT,
                          "%s: the problem has joints (the matrix G), which scree knows from its own files only", path);
    int64_t unknowns = count_numbers(group, "vectors/f"), components = count_numbers(group, "vectors/w");
    if (status == SCR_OK) status = read_matrix(group, "M", unknowns, unknowns, path, &p->M, error);
    if (status == SCR_OK) status = read_matrix(group, "H", unknowns, components, path, &p->H, error);
    if (status == SCR_OK) status = read_vectors(group, path, p, error);
    hdf5_close(group);
    H5Eclear2(H5E_DEFAULT);
    if (status != SCR_OK) fcl_free(p);
    return status;
}
