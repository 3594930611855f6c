// What triangles make up, for scree check and scree info.
#ifndef APP_SURFACE_REPORT_H
#define APP_SURFACE_REPORT_H

#include "scree/scree.h"

// Without knowing more than the triangles: are they closed, what is inside?
typedef struct surface_report {
    scr_shape_kind kind;
    int64_t vertex_count, triangle_count;
    bool closed;
    double volume;          // m^3; 0 unless closed
    scr_vec3 centre;        // m, of mass; of what is not closed, the middle of the box
    scr_vec3 low, high;     // m, the box
} surface_report;

scr_status report_surface(const scr_triangles *t, scr_shape_kind kind, surface_report *report, scr_error *error);
// "mesh: 12 triangles, closed, 0.125 m^3"; no end of line.
void print_surface_line(const surface_report *report);

#endif
