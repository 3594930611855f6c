// SPDX-License-Identifier: BSD-3-Clause
#include "turned_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/maths/trig.h"
#include "core/maths/vec3.h"

static const double TWO_PI = 6.283185307179586;

const turned_part turned_parts[TURNED_PARTS] = {
    {"top_roller", 6540, 4, {{0.03, -0.08}, {0.12, -0.08}, {0.12, 0.08}, {0.03, 0.08}}, 0, 0.0},
    {"road_wheel",
     15112,
     12,
     {{0.05, -0.1},
      {0.08, -0.1},
      {0.08, -0.02},
      {0.26, -0.02},
      {0.26, -0.1},
      {0.3, -0.1},
      {0.3, 0.1},
      {0.26, 0.1},
      {0.26, 0.02},
      {0.08, 0.02},
      {0.08, 0.1},
      {0.05, 0.1}},
     0,
     0.0},
    {"idler",
     38776,
     8,
     {{0.06, -0.06}, {0.24, -0.06}, {0.28, -0.14}, {0.3, -0.14}, {0.3, 0.14}, {0.28, 0.14}, {0.24, 0.06}, {0.06, 0.06}},
     0,
     0.0},
    {"sprocket",
     70142,
     8,
     {{0.06, -0.03},
      {0.16, -0.03},
      {0.16, -0.09},
      {0.28, -0.09},
      {0.28, 0.09},
      {0.16, 0.09},
      {0.16, 0.03},
      {0.06, 0.03}},
     11,
     0.03},
};

static double rim_of(const turned_part *p)
{
    double rim = 0.0;
    for (int k = 0; k < p->corner_count; ++k) rim = fmax(rim, p->corner[k][0]);
    return rim;
}

// The profile with points at most `size` apart.
static int subdivide(const turned_part *p, double size, double (*point)[2], int room)
{
    int count = 0;
    for (int k = 0; k < p->corner_count; ++k) {
        const double *a = p->corner[k], *b = p->corner[(k + 1) % p->corner_count];
        int n = (int)ceil(hypot(b[0] - a[0], b[1] - a[1]) / size);
        for (int i = 0; i < n && count < room; ++i, ++count) {
            point[count][0] = a[0] + (b[0] - a[0]) * i / n;
            point[count][1] = a[1] + (b[1] - a[1]) * i / n;
        }
    }
    return count;
}

void make_part(const turned_part *p, double size, made_part *out)
{
    enum { ROOM = 4096 };
    static double point[ROOM][2];
    double rim = rim_of(p);
    int m = subdivide(p, size, point, ROOM), n = (int)ceil(TWO_PI * rim / size);
    out->vertex = malloc((size_t)(n * m) * sizeof *out->vertex);
    out->triangle = malloc(6 * (size_t)(n * m) * sizeof *out->triangle);
    for (int i = 0; i < n; ++i) {
        for (int k = 0; k < m; ++k) {
            double s, c, tooth, unused, r = point[k][0];
            scr_sincos(TWO_PI * i / n, &s, &c);
            scr_sincos(p->teeth * TWO_PI * i / n, &tooth, &unused);
            if (p->teeth > 0 && r > 0.8 * rim) r += p->tooth_height * tooth * (r - 0.8 * rim) / (0.2 * rim);
            out->vertex[i * m + k] = vec3(r * c, r * s, point[k][1]);
            int32_t a = i * m + k, b = (i + 1) % n * m + k, d = i * m + (k + 1) % m;
            int32_t e = (i + 1) % n * m + (k + 1) % m, *t = out->triangle + 6 * (i * m + k);
            t[0] = a, t[1] = b, t[2] = e, t[3] = a, t[4] = e, t[5] = d;
        }
    }
    out->view = (scr_triangles){n * m, 2 * n * m, out->vertex, out->triangle};
}

void free_part(made_part *p)
{
    free(p->vertex);
    free(p->triangle);
}
