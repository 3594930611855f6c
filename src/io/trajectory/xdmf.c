// SPDX-License-Identifier: BSD-3-Clause
// trajectory.xdmf: one temporal collection; each frame is a collection of grids: spheres (points), boxes (hexahedra),
// contacts (lines) and all other shapes but planes, which have no end (points with a rotation and half extents, for
// glyphs). The heavy data stay in trajectory.h5: every item is a slab of a long dataset, given as start, stride and
// count.
#include "io/trajectory/xdmf.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/file/safe_file.h"
#include "core/text/memory_stream.h"

typedef struct slab {
    const char *path;
    const char *number;  // "Float", "UInt" or "UChar"
    int bytes;           // of a number
    int width;           // numbers a row
    int64_t start, count;
    int64_t total;  // rows of the dataset
} slab;

// "12 3" of rows of 3 numbers, "12" of single numbers.
static void put_shape(FILE *out, const slab *s, unsigned long long rows, int width)
{
    fprintf(out, s->width > 1 ? "%llu %d" : "%llu", rows, width);
}

// Where it begins, in steps of 1, and how much it is.
static void put_selection(FILE *out, const slab *s, const char *separator)
{
    put_shape(out, s, (unsigned long long)s->start, 0);
    fputs(separator, out);
    put_shape(out, s, 1, 1);
    fputs(separator, out);
    put_shape(out, s, (unsigned long long)s->count, s->width);
}

// A slab, said twice: as text for the readers of XDMF 3, as two items for those of XDMF 2. Each ignores the other: the
// old ones know "Hyperslab" in any spelling, the new ones only as "HyperSlab", and would then not read the text.
static void put_slab(FILE *out, const slab *s)
{
    fprintf(out, "<DataItem ItemType=\"Hyperslab\" Dimensions=\"");
    put_shape(out, s, (unsigned long long)s->count, s->width);
    fprintf(out, "\" NumberType=\"%s\" Precision=\"%d\" Format=\"HDF\">trajectory.h5:%s|", s->number, s->bytes,
            s->path);
    put_selection(out, s, ":");
    fprintf(out, ":");
    put_shape(out, s, (unsigned long long)s->total, s->width);
    fprintf(out, "<DataItem Dimensions=\"3 %d\" Format=\"XML\">", s->width > 1 ? 2 : 1);
    put_selection(out, s, " ");
    fprintf(out, "</DataItem><DataItem Dimensions=\"");
    put_shape(out, s, (unsigned long long)s->total, s->width);
    fprintf(out, "\" NumberType=\"%s\" Precision=\"%d\" Format=\"HDF\">trajectory.h5:%s</DataItem></DataItem>",
            s->number, s->bytes, s->path);
}

// A dataset of a grid, as XDMF calls it.
typedef struct item {
    const char *name;
    const char *kind;    // of an attribute: "Scalar", "Vector" or "Matrix"
    const char *number;  // as in a slab
    int bytes, width;
} item;

enum { ATTRIBUTES_MAX = 7 };

typedef struct grid {
    const char *name;  // also of its group in trajectory.h5
    row_kind rows;
    const char *topology;
    int nodes;           // of a row
    const char *centre;  // what the attributes belong to
    item geometry;
    item attributes[ATTRIBUTES_MAX];  // those with a name
} grid;

static const grid grids[] = {
    {"spheres",
     SPHERE_ROWS,
     "Polyvertex",
     1,
     "Node",
     {"position", NULL, "Float", 4, 3},
     {
         {"radius", "Scalar", "Float", 4, 1},
         {"velocity", "Vector", "Float", 4, 3},
         {"id", "Scalar", "UInt", 4, 1},
         {"material", "Scalar", "UChar", 1, 1},
     }},
    {"boxes",
     BOX_ROWS,
     "Hexahedron",
     8,
     "Cell",
     {"corner", NULL, "Float", 4, 24},
     {
         {"velocity", "Vector", "Float", 4, 3},
         {"angular_velocity", "Vector", "Float", 4, 3},
         {"id", "Scalar", "UInt", 4, 1},
         {"material", "Scalar", "UChar", 1, 1},
     }},
    // Points where the other shapes are, with all that a glyph needs.
    {"parts",
     PART_ROWS,
     "Polyvertex",
     1,
     "Node",
     {"position", NULL, "Float", 4, 3},
     {
         {"half", "Vector", "Float", 4, 3},
         {"rotation", "Matrix", "Float", 4, 4},
         {"velocity", "Vector", "Float", 4, 3},
         {"angular_velocity", "Vector", "Float", 4, 3},
         {"shape", "Scalar", "UChar", 1, 1},
         {"id", "Scalar", "UInt", 4, 1},
         {"material", "Scalar", "UChar", 1, 1},
     }},
    // Lines between bodies, for tubes.
    {"contacts",
     CONTACT_ROWS,
     "Polyline",
     2,
     "Cell",
     {"ends", NULL, "Float", 4, 6},
     {
         {"force", "Vector", "Float", 4, 3},
     }},
};

// The rows of one frame.
static void put_item(FILE *out, const grid *g, const item *i, const frame_entry *e, const int64_t *row_total)
{
    char path[64];
    snprintf(path, sizeof path, "/%s/%s", g->name, i->name);
    put_slab(out,
             &(slab){path, i->number, i->bytes, i->width, e->start[g->rows], e->count[g->rows], row_total[g->rows]});
}

static void put_grid(FILE *out, const grid *g, const frame_entry *e, const int64_t *row_total, int64_t index_total)
{
    int64_t n = e->count[g->rows];
    fprintf(out, "  <Grid Name=\"%s\" GridType=\"Uniform\">\n", g->name);
    fprintf(out, "   <Topology TopologyType=\"%s\" NumberOfElements=\"%" PRId64 "\"", g->topology, n);
    fprintf(out, g->nodes < 8 ? " NodesPerElement=\"%d\">" : ">", g->nodes);  // a hexahedron's are known
    put_slab(out, &(slab){"/index", "UInt", 4, 1, 0, g->nodes * n, index_total});
    fprintf(out, "</Topology>\n   <Geometry GeometryType=\"XYZ\">");
    put_item(out, g, &g->geometry, e, row_total);
    fprintf(out, "</Geometry>\n");
    for (const item *i = g->attributes; i < g->attributes + ATTRIBUTES_MAX && i->name != NULL; ++i) {
        fprintf(out, "   <Attribute Name=\"%s\" AttributeType=\"%s\" Center=\"%s\">", i->name, i->kind, g->centre);
        put_item(out, g, i, e, row_total);
        fprintf(out, "</Attribute>\n");
    }
    fprintf(out, "  </Grid>\n");
}

scr_status xdmf_write(const char *directory, const frame_entry *entry, int64_t frame_count,
                      const int64_t row_total[ROW_KIND_COUNT], int64_t index_total, scr_error *error)
{
    char path[PATH_LENGTH_MAX], *text = NULL;
    size_t size = 0;
    scr_status status = path_join(path, directory, "trajectory.xdmf", error);
    if (status != SCR_OK) return status;
    FILE *out = memory_stream_open(&text, &size);
    if (out == NULL) return scr_fail_memory(error, 0, path);
    fprintf(out, "<?xml version=\"1.0\"?>\n<Xdmf Version=\"2.0\">\n<Domain>\n");
    fprintf(out, "<Grid Name=\"scree\" GridType=\"Collection\" CollectionType=\"Temporal\">\n");
    for (int64_t i = 0; i < frame_count; ++i) {
        const frame_entry *e = &entry[i];
        fprintf(out, " <Grid Name=\"frame %" PRId64 "\" GridType=\"Collection\" CollectionType=\"Spatial\">\n", i);
        fprintf(out, "  <Time Value=\"%.17g\"/>\n", e->time);
        for (size_t k = 0; k < sizeof grids / sizeof *grids; ++k)
            if (e->count[grids[k].rows] > 0) put_grid(out, &grids[k], e, row_total, index_total);
        fprintf(out, " </Grid>\n");
    }
    fprintf(out, "</Grid>\n</Domain>\n</Xdmf>\n");
    bool complete = !ferror(out);
    if (fclose(out) != 0 || !complete) status = scr_fail_memory(error, size, path);
    if (status == SCR_OK) status = file_replace(path, text, size, error);
    free(text);
    return status;
}
