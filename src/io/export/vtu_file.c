// SPDX-License-Identifier: BSD-3-Clause
// VTK's files of unstructured grids. Numbers are binary, in base64, each array behind its length in bytes.
#include "io/export/vtu_file.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "core/file/safe_file.h"
#include "core/text/memory_stream.h"
#include "io/file/made_by.h"
#include "io/file/text_output.h"

// ---- base64 --------------------------------------------------------------------------------------------------------

typedef struct base64 {
    FILE *out;
    unsigned char held[3];
    int held_count;
} base64;

static void put_group(base64 *b)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    uint32_t bits = (uint32_t)b->held[0] << 16 | (uint32_t)b->held[1] << 8 | b->held[2];
    char text[4] = {digits[bits >> 18], digits[bits >> 12 & 63], b->held_count > 1 ? digits[bits >> 6 & 63] : '=',
                    b->held_count > 2 ? digits[bits & 63] : '='};
    fwrite(text, 1, sizeof text, b->out);
    memset(b->held, 0, sizeof b->held);
    b->held_count = 0;
}

static void put_bytes(base64 *b, const void *data, size_t size)
{
    const unsigned char *byte = data;
    for (size_t i = 0; i < size; ++i) {
        b->held[b->held_count++] = byte[i];
        if (b->held_count == 3) put_group(b);
    }
}

static void begin_array(base64 *b, FILE *out, const char *type, const char *name, int width, uint64_t bytes)
{
    *b = (base64){.out = out};
    fprintf(out, "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"binary\">", type, name, width);
    put_bytes(b, &bytes, sizeof bytes);
}

static void end_array(base64 *b)
{
    if (b->held_count > 0) put_group(b);
    fprintf(b->out, "</DataArray>\n");
}

static void put_array(FILE *out, const char *type, const char *name, int width, const void *data, int64_t count,
                      size_t size)
{
    base64 b;
    begin_array(&b, out, type, name, width, (uint64_t)count * size);
    put_bytes(&b, data, (size_t)count * size);
    end_array(&b);
}

// first, first + step, ...
static void put_sequence(FILE *out, const char *name, int64_t first, int64_t step, int64_t count)
{
    base64 b;
    begin_array(&b, out, "Int64", name, 1, (uint64_t)count * sizeof(int64_t));
    for (int64_t i = 0; i < count; ++i) put_bytes(&b, &(int64_t){first + i * step}, sizeof(int64_t));
    end_array(&b);
}

static void put_same(FILE *out, const char *name, uint8_t value, int64_t count)
{
    base64 b;
    begin_array(&b, out, "UInt8", name, 1, (uint64_t)count);
    for (int64_t i = 0; i < count; ++i) put_bytes(&b, &value, 1);
    end_array(&b);
}

// ---- grids ---------------------------------------------------------------------------------------------------------

static void put_head(FILE *out, double time, int64_t points, int64_t cells)
{
    fprintf(out, "<?xml version=\"1.0\"?>\n<!-- " MADE_BY_SCREE " -->\n"
                 "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" "
                 "header_type=\"UInt64\">\n<UnstructuredGrid>\n");
    fprintf(out,
            "<FieldData><DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">%.17g"
            "</DataArray></FieldData>\n",
            time);
    fprintf(out, "<Piece NumberOfPoints=\"%" PRId64 "\" NumberOfCells=\"%" PRId64 "\">\n", points, cells);
}

static void put_foot(FILE *out) { fprintf(out, "</Piece>\n</UnstructuredGrid>\n</VTKFile>\n"); }

enum { CELL_VERTEX = 1, CELL_LINE = 3 };

// A cell for each point.
static void put_vertices(FILE *out, int64_t count)
{
    fprintf(out, "<Cells>\n");
    put_sequence(out, "connectivity", 0, 1, count);
    put_sequence(out, "offsets", 1, 1, count);
    put_same(out, "types", CELL_VERTEX, count);
    fprintf(out, "</Cells>\n");
}

static void put_spheres(FILE *out, const frame *f, const part_mesh *unused)
{
    const frame_spheres *s = &f->spheres;
    (void)unused;
    put_head(out, f->time, s->count, s->count);
    fprintf(out, "<Points>\n");
    put_array(out, "Float32", "Points", 3, s->position, s->count, 3 * sizeof(float));
    fprintf(out, "</Points>\n<PointData Scalars=\"radius\" Vectors=\"velocity\">\n");
    put_array(out, "Float32", "radius", 1, s->radius, s->count, sizeof(float));
    put_array(out, "Float32", "velocity", 3, s->velocity, s->count, 3 * sizeof(float));
    put_array(out, "UInt32", "id", 1, s->id, s->count, sizeof(uint32_t));
    put_array(out, "UInt8", "material", 1, s->material, s->count, 1);
    fprintf(out, "</PointData>\n");
    put_vertices(out, s->count);
    put_foot(out);
}

static bool is_glyph(const frame_shape *part) { return part->surface < 0; }

static int64_t glyph_count(const frame *f)
{
    int64_t count = 0;
    for (int64_t i = 0; i < f->part_count; ++i) count += is_glyph(&f->parts[i]);
    return count;
}

// A member of all glyphs.
static void put_members(FILE *out, const frame *f, const char *type, const char *name, int width, size_t offset,
                        size_t size)
{
    base64 b;
    begin_array(&b, out, type, name, width, (uint64_t)glyph_count(f) * size);
    for (int64_t i = 0; i < f->part_count; ++i)
        if (is_glyph(&f->parts[i])) put_bytes(&b, (const char *)&f->parts[i] + offset, size);
    end_array(&b);
}

static void put_glyphs(FILE *out, const frame *f, const part_mesh *unused)
{
    int64_t n = glyph_count(f);
    (void)unused;
    put_head(out, f->time, n, n);
    fprintf(out, "<Points>\n");
    put_members(out, f, "Float32", "Points", 3, offsetof(frame_shape, position), 3 * sizeof(float));
    fprintf(out, "</Points>\n<PointData Vectors=\"velocity\">\n");
    put_members(out, f, "Float32", "half", 3, offsetof(frame_shape, half), 3 * sizeof(float));
    put_members(out, f, "Float32", "rotation", 4, offsetof(frame_shape, rotation), 4 * sizeof(float));
    put_members(out, f, "Float32", "velocity", 3, offsetof(frame_shape, velocity), 3 * sizeof(float));
    put_members(out, f, "UInt32", "id", 1, offsetof(frame_shape, id), sizeof(uint32_t));
    put_members(out, f, "UInt8", "material", 1, offsetof(frame_shape, material), 1);
    put_members(out, f, "UInt8", "kind", 1, offsetof(frame_shape, kind), 1);
    put_members(out, f, "UInt8", "shape", 1, offsetof(frame_shape, shape), 1);
    fprintf(out, "</PointData>\n");
    put_vertices(out, n);
    put_foot(out);
}

static void put_solids(FILE *out, const frame *f, const part_mesh *m)
{
    int64_t n = m->cell_count;
    put_head(out, f->time, m->vertex_count, n);
    fprintf(out, "<Points>\n");
    put_array(out, "Float32", "Points", 3, m->vertex, m->vertex_count, 3 * sizeof(float));
    fprintf(out, "</Points>\n<CellData Vectors=\"velocity\">\n");
    put_array(out, "Float32", "velocity", 3, m->velocity, n, 3 * sizeof(float));
    put_array(out, "UInt32", "id", 1, m->id, n, sizeof(uint32_t));
    put_array(out, "UInt8", "material", 1, m->material, n, 1);
    put_array(out, "UInt8", "kind", 1, m->kind, n, 1);
    put_array(out, "UInt8", "shape", 1, m->shape, n, 1);
    fprintf(out, "</CellData>\n<Cells>\n");
    put_array(out, "Int64", "connectivity", 1, m->corner, m->corner_count, sizeof(int64_t));
    put_array(out, "Int64", "offsets", 1, m->end, n, sizeof(int64_t));
    put_array(out, "UInt8", "types", 1, m->type, n, 1);
    fprintf(out, "</Cells>\n");
    put_foot(out);
}

static void put_contacts(FILE *out, const frame *f, const part_mesh *unused)
{
    int64_t n = f->contact_count;
    base64 b;
    (void)unused;
    put_head(out, f->time, 2 * n, n);
    fprintf(out, "<Points>\n");
    begin_array(&b, out, "Float32", "Points", 3, (uint64_t)n * 6 * sizeof(float));
    for (int64_t i = 0; i < n; ++i) put_bytes(&b, f->contacts[i].ends, sizeof f->contacts[i].ends);
    end_array(&b);
    fprintf(out, "</Points>\n<CellData Vectors=\"force\">\n");
    begin_array(&b, out, "Float32", "force", 3, (uint64_t)n * 3 * sizeof(float));
    for (int64_t i = 0; i < n; ++i) put_bytes(&b, f->contacts[i].force, sizeof f->contacts[i].force);
    end_array(&b);
    fprintf(out, "</CellData>\n<Cells>\n");
    put_sequence(out, "connectivity", 0, 1, 2 * n);
    put_sequence(out, "offsets", 2, 2, n);
    put_same(out, "types", CELL_LINE, n);
    fprintf(out, "</Cells>\n");
    put_foot(out);
}

// ---- the series ----------------------------------------------------------------------------------------------------

struct vtu_series {
    char directory[PATH_LENGTH_MAX];
    int segments;
    part_mesh mesh;
    char *list;  // the entries of run.pvd so far
    size_t list_size;
    FILE *list_out;
};

scr_status vtu_series_begin(const char *directory, int segments, vtu_series **result, scr_error *error)
{
    vtu_series *s = scr_alloc(sizeof *s);
    if (s == NULL) return scr_fail_memory(error, sizeof *s, directory);
    *s = (vtu_series){.segments = segments};
    scr_status status = directory_create(directory, error);  // also refuses a name that is too long
    if (status == SCR_OK && (s->list_out = memory_stream_open(&s->list, &s->list_size)) == NULL)
        status = scr_fail_memory(error, 0, directory);
    if (status != SCR_OK) {
        scr_free(s);
        return status;
    }
    memcpy(s->directory, directory, strlen(directory) + 1);
    *result = s;
    return SCR_OK;
}

typedef void put_grid(FILE *out, const frame *f, const part_mesh *mesh);

static scr_status add_grid(vtu_series *s, const char *what, int part, int64_t number, const frame *f, put_grid *put,
                           scr_error *error)
{
    char name[64], path[PATH_LENGTH_MAX];
    FILE *out;
    snprintf(name, sizeof name, "%s-%05" PRId64 ".vtu", what, number);
    scr_status status = path_join(path, s->directory, name, error);
    if (status == SCR_OK) status = text_output_open(path, &out, error);
    if (status != SCR_OK) return status;
    put(out, f, &s->mesh);
    status = text_output_close(path, out, SCR_OK, error);
    if (status == SCR_OK)
        fprintf(s->list_out, "<DataSet timestep=\"%.17g\" part=\"%d\" name=\"%s\" file=\"%s\"/>\n", f->time, part, what,
                name);
    return status;
}

scr_status vtu_series_add(vtu_series *s, int64_t number, const frame *f, scr_error *error)
{
    scr_status status = part_mesh_of(f, s->segments, &s->mesh, error);
    if (status == SCR_OK) status = add_grid(s, "spheres", 0, number, f, put_spheres, error);
    if (status == SCR_OK) status = add_grid(s, "solids", 1, number, f, put_solids, error);
    if (status == SCR_OK && f->contact_count > 0) status = add_grid(s, "contacts", 2, number, f, put_contacts, error);
    if (status == SCR_OK && s->segments == 0 && glyph_count(f) > 0)
        status = add_grid(s, "glyphs", 3, number, f, put_glyphs, error);
    return status;
}

scr_status vtu_series_end(vtu_series *s, scr_status status, scr_error *error)
{
    char path[PATH_LENGTH_MAX];
    FILE *out;
    bool listed = fclose(s->list_out) == 0;
    if (status == SCR_OK && !listed) status = scr_fail_memory(error, s->list_size, "the list of files");
    if (status == SCR_OK) status = path_join(path, s->directory, "run.pvd", error);
    if (status == SCR_OK) status = text_output_open(path, &out, error);
    if (status == SCR_OK) {
        fprintf(out,
                "<?xml version=\"1.0\"?>\n<!-- " MADE_BY_SCREE " -->\n"
                "<VTKFile type=\"Collection\" version=\"1.0\">\n<Collection>\n%s</Collection>\n</VTKFile>\n",
                s->list);
        status = text_output_close(path, out, SCR_OK, error);
    }
    free(s->list);
    part_mesh_free(&s->mesh);
    scr_free(s);
    return status;
}
