// trajectory.xdmf: one temporal collection; each frame is a collection of two grids, spheres (points) and boxes
// (hexahedra). Planes have no end and are left out. The heavy data stay in trajectory.h5: every item is a slab of a
// long dataset, given as start, stride and count.
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
    hsize_t total;  // rows of the dataset
} slab;

static void put_slab(FILE *out, const slab *s)
{
    int rank = s->width > 1 ? 2 : 1;
    fprintf(out, "<DataItem ItemType=\"HyperSlab\" Dimensions=\"%" PRId64, s->count);
    if (rank == 2) fprintf(out, " %d", s->width);
    fprintf(out, "\"><DataItem Dimensions=\"3 %d\" Format=\"XML\">", rank);
    if (rank == 2) fprintf(out, "%" PRId64 " 0 1 1 %" PRId64 " %d", s->start, s->count, s->width);
    else fprintf(out, "%" PRId64 " 1 %" PRId64, s->start, s->count);
    fprintf(out, "</DataItem><DataItem Dimensions=\"%llu", (unsigned long long)s->total);
    if (rank == 2) fprintf(out, " %d", s->width);
    fprintf(out, "\" NumberType=\"%s\" Precision=\"%d\" Format=\"HDF\">trajectory.h5:%s</DataItem></DataItem>",
            s->number, s->bytes, s->path);
}

static void put_attribute(FILE *out, const char *name, const char *kind, const char *centre, slab s)
{
    fprintf(out, "   <Attribute Name=\"%s\" AttributeType=\"%s\" Center=\"%s\">", name, kind, centre);
    put_slab(out, &s);
    fprintf(out, "</Attribute>\n");
}

static void put_spheres(FILE *out, const frame_entry *e, hsize_t total)
{
    int64_t start = e->start[SPHERE_ROWS], n = e->count[SPHERE_ROWS];
    fprintf(out, "  <Grid Name=\"spheres\" GridType=\"Uniform\">\n");
    fprintf(out, "   <Topology TopologyType=\"Polyvertex\" NumberOfElements=\"%" PRId64 "\" NodesPerElement=\"1\"/>\n",
            n);
    fprintf(out, "   <Geometry GeometryType=\"XYZ\">");
    put_slab(out, &(slab){"/spheres/position", "Float", 4, 3, start, n, total});
    fprintf(out, "</Geometry>\n");
    put_attribute(out, "radius", "Scalar", "Node", (slab){"/spheres/radius", "Float", 4, 1, start, n, total});
    put_attribute(out, "velocity", "Vector", "Node", (slab){"/spheres/velocity", "Float", 4, 3, start, n, total});
    put_attribute(out, "id", "Scalar", "Node", (slab){"/spheres/id", "UInt", 4, 1, start, n, total});
    put_attribute(out, "material", "Scalar", "Node", (slab){"/spheres/material", "UChar", 1, 1, start, n, total});
    fprintf(out, "  </Grid>\n");
}

static void put_boxes(FILE *out, const frame_entry *e, hsize_t total, hsize_t connectivity_total)
{
    int64_t start = e->start[BOX_ROWS], n = e->count[BOX_ROWS];
    fprintf(out, "  <Grid Name=\"boxes\" GridType=\"Uniform\">\n");
    fprintf(out, "   <Topology TopologyType=\"Hexahedron\" NumberOfElements=\"%" PRId64 "\">", n);
    put_slab(out, &(slab){"/boxes/connectivity", "UInt", 4, 8, 0, n, connectivity_total});
    fprintf(out, "</Topology>\n   <Geometry GeometryType=\"XYZ\">");
    put_slab(out, &(slab){"/boxes/corner", "Float", 4, 24, start, n, total});
    fprintf(out, "</Geometry>\n");
    put_attribute(out, "velocity", "Vector", "Cell", (slab){"/boxes/velocity", "Float", 4, 3, start, n, total});
    put_attribute(out, "id", "Scalar", "Cell", (slab){"/boxes/id", "UInt", 4, 1, start, n, total});
    put_attribute(out, "material", "Scalar", "Cell", (slab){"/boxes/material", "UChar", 1, 1, start, n, total});
    fprintf(out, "  </Grid>\n");
}

scr_status xdmf_write(const char *directory, const frame_entry *entry, int64_t frame_count,
                      const hsize_t row_total[ROW_KIND_COUNT], hsize_t connectivity_total, scr_error *error)
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
        if (e->count[SPHERE_ROWS] > 0) put_spheres(out, e, row_total[SPHERE_ROWS]);
        if (e->count[BOX_ROWS] > 0) put_boxes(out, e, row_total[BOX_ROWS], connectivity_total);
        fprintf(out, " </Grid>\n");
    }
    fprintf(out, "</Grid>\n</Domain>\n</Xdmf>\n");
    bool complete = !ferror(out);
    if (fclose(out) != 0 || !complete) status = scr_fail_memory(error, size, path);
    if (status == SCR_OK) status = file_replace(path, text, size, error);
    free(text);
    return status;
}
