// trajectory.xdmf: one temporal collection; each frame is a collection of grids: spheres (points), boxes (hexahedra) and
// all other shapes but planes, which have no end (points with a rotation and half extents, for glyphs). The heavy data
// stay in trajectory.h5: every item is a slab of a long dataset, given as start, stride and count.
#include "io/xdmf.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "io/safe_file.h"

typedef struct slab {
    const char *path;
    const char *number;  // "Float" or "UInt"
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

// A slab, said twice: as text for the readers of XDMF 3, as two items for those of XDMF 2. Each ignores the other: the
// old ones know "Hyperslab" in any spelling, the new ones only as "HyperSlab", and would then not read the text.
static void put_slab(FILE *out, const slab *s)
{
    unsigned long long start = (unsigned long long)s->start, count = (unsigned long long)s->count;
    fprintf(out, "<DataItem ItemType=\"Hyperslab\" Dimensions=\"");
    put_shape(out, s, count, s->width);
    fprintf(out, "\" NumberType=\"%s\" Precision=\"%d\" Format=\"HDF\">trajectory.h5:%s|", s->number, s->bytes,
            s->path);
    put_shape(out, s, start, 0);
    fprintf(out, ":");
    put_shape(out, s, 1, 1);
    fprintf(out, ":");
    put_shape(out, s, count, s->width);
    fprintf(out, ":");
    put_shape(out, s, (unsigned long long)s->total, s->width);
    fprintf(out, "<DataItem Dimensions=\"3 %d\" Format=\"XML\">", s->width > 1 ? 2 : 1);
    put_shape(out, s, start, 0);
    fprintf(out, " ");
    put_shape(out, s, 1, 1);
    fprintf(out, " ");
    put_shape(out, s, count, s->width);
    fprintf(out, "</DataItem><DataItem Dimensions=\"");
    put_shape(out, s, (unsigned long long)s->total, s->width);
    fprintf(out, "\" NumberType=\"%s\" Precision=\"%d\" Format=\"HDF\">trajectory.h5:%s</DataItem></DataItem>",
            s->number, s->bytes, s->path);
}

static void put_attribute(FILE *out, const char *name, const char *kind, const char *centre, slab s)
{
    fprintf(out, "   <Attribute Name=\"%s\" AttributeType=\"%s\" Center=\"%s\">", name, kind, centre);
    put_slab(out, &s);
    fprintf(out, "</Attribute>\n");
}

static void put_spheres(FILE *out, const frame_entry *e, int64_t total, int64_t index_total)
{
    int64_t start = e->start[SPHERE_ROWS], n = e->count[SPHERE_ROWS];
    fprintf(out, "  <Grid Name=\"spheres\" GridType=\"Uniform\">\n");
    fprintf(out, "   <Topology TopologyType=\"Polyvertex\" NumberOfElements=\"%" PRId64 "\" NodesPerElement=\"1\">", n);
    put_slab(out, &(slab){"/index", "UInt", 4, 1, 0, n, index_total});
    fprintf(out, "</Topology>\n");
    fprintf(out, "   <Geometry GeometryType=\"XYZ\">");
    put_slab(out, &(slab){"/spheres/position", "Float", 4, 3, start, n, total});
    fprintf(out, "</Geometry>\n");
    put_attribute(out, "radius", "Scalar", "Node", (slab){"/spheres/radius", "Float", 4, 1, start, n, total});
    put_attribute(out, "velocity", "Vector", "Node", (slab){"/spheres/velocity", "Float", 4, 3, start, n, total});
    put_attribute(out, "id", "Scalar", "Node", (slab){"/spheres/id", "UInt", 4, 1, start, n, total});
    put_attribute(out, "material", "Scalar", "Node", (slab){"/spheres/material", "UChar", 1, 1, start, n, total});
    fprintf(out, "  </Grid>\n");
}

// Points where the other shapes are, with all that a glyph needs.
static void put_parts(FILE *out, const frame_entry *e, int64_t total, int64_t index_total)
{
    int64_t start = e->start[PART_ROWS], n = e->count[PART_ROWS];
    fprintf(out, "  <Grid Name=\"parts\" GridType=\"Uniform\">\n");
    fprintf(out, "   <Topology TopologyType=\"Polyvertex\" NumberOfElements=\"%" PRId64 "\" NodesPerElement=\"1\">", n);
    put_slab(out, &(slab){"/index", "UInt", 4, 1, 0, n, index_total});
    fprintf(out, "</Topology>\n   <Geometry GeometryType=\"XYZ\">");
    put_slab(out, &(slab){"/parts/position", "Float", 4, 3, start, n, total});
    fprintf(out, "</Geometry>\n");
    put_attribute(out, "half", "Vector", "Node", (slab){"/parts/half", "Float", 4, 3, start, n, total});
    put_attribute(out, "rotation", "Matrix", "Node", (slab){"/parts/rotation", "Float", 4, 4, start, n, total});
    put_attribute(out, "velocity", "Vector", "Node", (slab){"/parts/velocity", "Float", 4, 3, start, n, total});
    put_attribute(out, "shape", "Scalar", "Node", (slab){"/parts/shape", "UChar", 1, 1, start, n, total});
    put_attribute(out, "id", "Scalar", "Node", (slab){"/parts/id", "UInt", 4, 1, start, n, total});
    put_attribute(out, "material", "Scalar", "Node", (slab){"/parts/material", "UChar", 1, 1, start, n, total});
    fprintf(out, "  </Grid>\n");
}

static void put_boxes(FILE *out, const frame_entry *e, int64_t total, int64_t index_total)
{
    int64_t start = e->start[BOX_ROWS], n = e->count[BOX_ROWS];
    fprintf(out, "  <Grid Name=\"boxes\" GridType=\"Uniform\">\n");
    fprintf(out, "   <Topology TopologyType=\"Hexahedron\" NumberOfElements=\"%" PRId64 "\">", n);
    put_slab(out, &(slab){"/index", "UInt", 4, 1, 0, 8 * n, index_total});
    fprintf(out, "</Topology>\n   <Geometry GeometryType=\"XYZ\">");
    put_slab(out, &(slab){"/boxes/corner", "Float", 4, 24, start, n, total});
    fprintf(out, "</Geometry>\n");
    put_attribute(out, "velocity", "Vector", "Cell", (slab){"/boxes/velocity", "Float", 4, 3, start, n, total});
    put_attribute(out, "id", "Scalar", "Cell", (slab){"/boxes/id", "UInt", 4, 1, start, n, total});
    put_attribute(out, "material", "Scalar", "Cell", (slab){"/boxes/material", "UChar", 1, 1, start, n, total});
    fprintf(out, "  </Grid>\n");
}

scr_status xdmf_write(const char *directory, const frame_entry *entry, int64_t frame_count,
                      const int64_t row_total[ROW_KIND_COUNT], int64_t index_total, scr_error *error)
{
    char path[PATH_LENGTH_MAX], *text = NULL;
    size_t size = 0;
    scr_status status = path_join(path, directory, "trajectory.xdmf", error);
    if (status != SCR_OK) return status;
    FILE *out = open_memstream(&text, &size);
    if (out == NULL) return scr_fail_memory(error, 0, path);
    fprintf(out, "<?xml version=\"1.0\"?>\n<Xdmf Version=\"2.0\">\n<Domain>\n");
    fprintf(out, "<Grid Name=\"scree\" GridType=\"Collection\" CollectionType=\"Temporal\">\n");
    for (int64_t i = 0; i < frame_count; ++i) {
        const frame_entry *e = &entry[i];
        fprintf(out, " <Grid Name=\"frame %" PRId64 "\" GridType=\"Collection\" CollectionType=\"Spatial\">\n", i);
        fprintf(out, "  <Time Value=\"%.17g\"/>\n", e->time);
        if (e->count[SPHERE_ROWS] > 0) put_spheres(out, e, row_total[SPHERE_ROWS], index_total);
        if (e->count[BOX_ROWS] > 0) put_boxes(out, e, row_total[BOX_ROWS], index_total);
        if (e->count[PART_ROWS] > 0) put_parts(out, e, row_total[PART_ROWS], index_total);
        fprintf(out, " </Grid>\n");
    }
    fprintf(out, "</Grid>\n</Domain>\n</Xdmf>\n");
    bool complete = !ferror(out);
    if (fclose(out) != 0 || !complete) status = scr_fail_memory(error, size, path);
    if (status == SCR_OK) status = file_replace(path, text, size, error);
    free(text);
    return status;
}
