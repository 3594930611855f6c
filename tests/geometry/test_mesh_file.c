// SPDX-License-Identifier: BSD-3-Clause
// Mesh files: what is written comes back, in every format, and what is wrong is refused with its line.
#include "check.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/maths/rng.h"
#include "core/maths/vec3.h"
#include "geometry/mesh_file/mesh_file.h"
#include "geometry/surface/surface.h"

enum { TEXT_MAX = 1 << 20 };

typedef struct page {
    char *text;
    size_t length;
} page;

static page new_page(void)
{
    page p = {malloc(TEXT_MAX), 0};
    assert_non_null(p.text);
    return p;
}

static void put(page *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(page *p, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    p->length += (size_t)vsnprintf(p->text + p->length, TEXT_MAX - p->length, format, arguments);
    va_end(arguments);
    assert_true(p->length < TEXT_MAX);
}

static triangle_soup read_good(mesh_format format, const char *text, size_t length, double scale)
{
    triangle_soup soup;
    scr_error error = {0};
    if (mesh_read_text(format, text, length, "good", scale, &soup, &error) != SCR_OK) fail_msg("%s", error.message);
    return soup;
}

static void assert_refused(mesh_format format, const char *text, const char *message)
{
    triangle_soup soup;
    scr_error error = {0};
    assert_int_equal(mesh_read_text(format, text, strlen(text), "bad", 1.0, &soup, &error), SCR_BAD_INPUT);
    assert_null(soup.vertex);
    if (strstr(error.message, message) != error.message)
        fail_msg("the message is \"%s\", not \"%s\"", error.message, message);
}

// A bumpy sphere of n x n quads cut in two, with shared vertices: closed, and with random places.
static triangle_soup bumpy(int n)
{
    triangle_soup soup = {.vertex = scr_alloc(sizeof(scr_vec3) * (size_t)(n * (n - 1) + 2)),
                          .triangle = scr_alloc(sizeof(int32_t) * (size_t)(6 * n * n))};
    int32_t south = 0, north = 1;
    soup.vertex[soup.vertex_count++] = vec3(0.0, 0.0, -1.0);
    soup.vertex[soup.vertex_count++] = vec3(0.0, 0.0, 1.0);
    for (int i = 1; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
            double up = -M_PI / 2 + M_PI * i / n, round = 2.0 * M_PI * j / n,
                   r = 1.0 + 0.1 * scr_uniform(1, 2, (uint64_t)(i * n + j));
            soup.vertex[soup.vertex_count++] = vec3(r * cos(up) * cos(round), r * cos(up) * sin(round), r * sin(up));
        }
    }
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
            int k = (j + 1) % n;
            int32_t a = i == 0 ? south : 2 + (i - 1) * n + j, b = i == 0 ? south : 2 + (i - 1) * n + k;
            int32_t c = i == n - 1 ? north : 2 + i * n + k, d = i == n - 1 ? north : 2 + i * n + j;
            const int32_t two[6] = {a, b, c, a, c, d};
            for (int t = 0; t < 6; t += 3) {
                if (two[t] == two[t + 1] || two[t + 1] == two[t + 2]) continue;
                memcpy(soup.triangle + 3 * soup.triangle_count++, two + t, 3 * sizeof *two);
            }
        }
    }
    return soup;
}

// Triangle by triangle the same places.
static void assert_same_triangles(const triangle_soup *a, const triangle_soup *b, double error)
{
    assert_int_equal(a->triangle_count, b->triangle_count);
    for (int64_t k = 0; k < 3 * a->triangle_count; ++k) {
        scr_vec3 p = a->vertex[a->triangle[k]], q = b->vertex[b->triangle[k]];
        if (!(vec3_norm(vec3_sub(p, q)) <= error)) fail_msg("corner %lld differs", (long long)k);
    }
}

static void write_obj(page *p, const triangle_soup *soup)
{
    for (int64_t k = 0; k < soup->vertex_count; ++k)
        put(p, "v %.17g %.17g %.17g\n", soup->vertex[k].x, soup->vertex[k].y, soup->vertex[k].z);
    for (int64_t k = 0; k < soup->triangle_count; ++k) {
        const int32_t *t = soup->triangle + 3 * k;
        put(p, "f %d/1/2 %d//7 %d\n", t[0] + 1, t[1] + 1, (int)(t[2] - soup->vertex_count));
    }
}

static void write_stl_text(page *p, const triangle_soup *soup)
{
    put(p, "solid of several words\r\n");
    for (int64_t k = 0; k < soup->triangle_count; ++k) {
        put(p, "facet normal nan 0 0\r\nOUTER LOOP\r\n");
        for (int c = 0; c < 3; ++c) {
            scr_vec3 v = soup->vertex[soup->triangle[3 * k + c]];
            put(p, "\tvertex %.17g %.17g %.17g\r\n", v.x, v.y, v.z);
        }
        put(p, "endloop\r\nendfacet\r\n");
    }
    put(p, "endsolid\r\n");
}

static void write_stl_binary(page *p, const triangle_soup *soup)
{
    memset(p->text, 0, 84 + 50 * (size_t)soup->triangle_count);
    memcpy(p->text, "solid, but binary", 17);
    uint32_t count = (uint32_t)soup->triangle_count;
    memcpy(p->text + 80, &count, 4);  // this machine is little-endian
    for (int64_t k = 0; k < soup->triangle_count; ++k) {
        for (int c = 0; c < 3; ++c) {
            scr_vec3 v = soup->vertex[soup->triangle[3 * k + c]];
            const float f[3] = {(float)v.x, (float)v.y, (float)v.z};
            memcpy(p->text + 84 + 50 * k + 12 + 12 * c, f, sizeof f);
        }
    }
    p->length = 84 + 50 * (size_t)soup->triangle_count;
}

static void write_inp(page *p, const triangle_soup *soup)
{
    put(p, "*Heading\n a bumpy sphere\n** comment\n*element, elset=e, Type=s3r\n");
    for (int64_t k = 0; k < soup->triangle_count; ++k) {
        const int32_t *t = soup->triangle + 3 * k;
        put(p, "%lld, %d,\n %d, %d\n", (long long)k, 10 * t[0] + 7, 10 * t[1] + 7, 10 * t[2] + 7);
    }
    put(p, "*NODE, nset=n\n");
    for (int64_t k = 0; k < soup->vertex_count; ++k)
        put(p, "%lld, %.17g, %.17g, %.17g\n", 10 * (long long)k + 7, soup->vertex[k].x, soup->vertex[k].y,
            soup->vertex[k].z);
    put(p, "*NODE OUTPUT\nU, RF\n*STEP\n");
}

static void every_format_gives_back_what_was_written(void **state)
{
    (void)state;
    static const struct {
        mesh_format format;
        void (*write)(page *, const triangle_soup *);
        double error;
    } all[] = {{MESH_OBJ, write_obj, 0.0},
               {MESH_STL, write_stl_text, 0.0},
               {MESH_STL, write_stl_binary, 1e-7},
               {MESH_INP, write_inp, 0.0}};
    triangle_soup given = bumpy(20);
    for (int k = 0; k < 4; ++k) {
        page p = new_page();
        all[k].write(&p, &given);
        triangle_soup got = read_good(all[k].format, p.text, p.length, 1.0);
        assert_int_equal(got.vertex_count, given.vertex_count);  // shared again
        assert_same_triangles(&got, &given, all[k].error);
        triangle_soup large = read_good(all[k].format, p.text, p.length, 1000.0);
        scr_triangles one = triangle_soup_view(&got), thousand = triangle_soup_view(&large);
        assert_near(triangles_solid(&thousand).volume, 1e9 * triangles_solid(&one).volume, 1e-12);
        triangle_soup_free(&got);
        triangle_soup_free(&large);
        free(p.text);
    }
    triangle_soup_free(&given);
}

static double area_of(const triangle_soup *soup, scr_vec3 *sum)
{
    double area = 0.0;
    *sum = vec3(0.0, 0.0, 0.0);
    for (int64_t k = 0; k < soup->triangle_count; ++k) {
        const int32_t *t = soup->triangle + 3 * k;
        scr_vec3 a = soup->vertex[t[0]], b = soup->vertex[t[1]], c = soup->vertex[t[2]];
        scr_vec3 twice = vec3_cross(vec3_sub(b, a), vec3_sub(c, a));
        *sum = vec3_add_scaled(*sum, 0.5, twice);
        area += 0.5 * vec3_norm(twice);
    }
    return area;
}

// A star is not convex: if a triangle of it lay outside, the areas would not add up to the polygon's.
static void polygons_are_cut_inside(void **state)
{
    (void)state;
    enum { POINTS = 14 };
    page p = new_page();
    double x[POINTS], y[POINTS], shoelace = 0.0;
    for (int k = 0; k < POINTS; ++k) {
        double r = k % 2 ? 0.3 : 1.0, angle = 2.0 * M_PI * k / POINTS;
        x[k] = r * cos(angle), y[k] = r * sin(angle);
        put(&p, "v %.17g %.17g %.17g\n", x[k], y[k], 0.25 * x[k]);  // in a tilted plane
    }
    for (int k = 0; k < POINTS; ++k) shoelace += 0.5 * (x[k] * y[(k + 1) % POINTS] - y[k] * x[(k + 1) % POINTS]);
    put(&p, "f");
    for (int k = 0; k < POINTS; ++k) put(&p, " %d%s", k + 1, k == 5 ? " \\\n" : "");
    put(&p, " # a star\n");
    triangle_soup star = read_good(MESH_OBJ, p.text, p.length, 1.0);
    scr_vec3 sum;
    assert_int_equal(star.triangle_count, POINTS - 2);
    assert_near(area_of(&star, &sum), shoelace * sqrt(1.0 + 0.25 * 0.25), 1e-12);
    assert_near(sum.z, shoelace, 1e-12);  // all face the same way
    triangle_soup_free(&star);
    free(p.text);
}

// Bricks, wedges, tetrahedra and pyramids that fill a block: only the block's own faces are left, and face outwards.
static void solid_elements_give_their_outer_faces(void **state)
{
    (void)state;
    enum { N = 3 };
    page p = new_page();
    put(&p, "*PART, NAME=block\n*NODE\n");
    for (int k = 0; k < (N + 1) * (N + 1) * (N + 1); ++k)
        put(&p, "%d, %d., %d., %d.\n", k + 1, k % (N + 1), k / (N + 1) % (N + 1), k / (N + 1) / (N + 1));
    int n = 0;
    for (int c = 0; c < N * N * N; ++c) {
        int x = c % N, y = c / N % N, z = c / N / N, v[8], dy = N + 1, dz = (N + 1) * (N + 1);
        v[0] = 1 + x + dy * y + dz * z, v[1] = v[0] + 1, v[2] = v[1] + dy, v[3] = v[0] + dy;
        for (int k = 0; k < 4; ++k) v[4 + k] = v[k] + dz;
        if (c == 13) {  // the middle one as two wedges
            put(&p, "*ELEMENT, TYPE=C3D6\n%d,%d,%d,%d,%d,%d,%d\n", ++n, v[0], v[1], v[2], v[4], v[5], v[6]);
            put(&p, "%d,%d,%d,%d,%d,%d,%d\n", ++n, v[0], v[2], v[3], v[4], v[6], v[7]);
        } else {
            put(&p, "*ELEMENT, TYPE=C3D8I\n%d,%d,%d,%d,%d,%d,%d,%d,\n%d\n", ++n, v[0], v[1], v[2], v[3], v[4], v[5],
                v[6], v[7]);
        }
    }
    put(&p, "*END PART\n*ASSEMBLY\n*INSTANCE, PART=block\n0.,0.,0.\n*END INSTANCE\n*END ASSEMBLY\n");
    triangle_soup block = read_good(MESH_INP, p.text, p.length, 1.0);
    scr_triangles view = triangle_soup_view(&block);
    // The wedges show their triangles towards bricks whose quads do not match: 2 quads and 4 triangles more.
    assert_int_equal(block.triangle_count, 2 * 6 * N * N + 2 * 2 + 4);
    assert_near(triangles_solid(&view).volume, N * N * N, 1e-12);
    triangle_soup_free(&block);

    p.length = 0;
    put(&p, "*node\n1,0,0,0\n2,1,0,0\n3,1,1,0\n4,0,1,0\n5,0.5,0.5,1\n6,0.5,0.5,-1\n");
    put(&p, "*element,type=C3D5\n1,1,2,3,4,5\n*element,type=C3D4H\n2,1,3,2,6\n3,1,4,3,6\n");
    triangle_soup tent = read_good(MESH_INP, p.text, p.length, 1.0);
    view = triangle_soup_view(&tent);
    assert_near(triangles_solid(&view).volume, 1.0 / 3.0 + 1.0 / 3.0, 1e-12);
    triangle_soup_free(&tent);
    free(p.text);
}

static void what_is_wrong_is_named_with_its_line(void **state)
{
    (void)state;
    assert_refused(MESH_OBJ, "v 0 0 0\nv 1 0 0\n\nf 1 2 9\n", "bad:4: vertex 9 is not defined yet");
    assert_refused(MESH_OBJ, "v 0 0 0\nf 1 -2 1\n", "bad:2: vertex -2 is not defined yet");
    assert_refused(MESH_OBJ, "v 0 0 0\nf 1 0 1\n", "bad:2: vertices are counted from 1");
    assert_refused(MESH_OBJ, "v 0 0 0\nf 1 1\n", "bad:2: a face needs at least 3 vertices, not 2");
    assert_refused(MESH_OBJ, "v 0 zero 0\n", "bad:1: 'zero' is not a number");
    assert_refused(MESH_OBJ, "v 0 0\n", "bad:1: a number is missing");
    assert_refused(MESH_OBJ, "v 0 0 1e300\n", "bad:1: a vertex is at");
    assert_refused(MESH_OBJ, "v 0 0 0\nf 1 x 1\n", "bad:2: 'x' is not a vertex");
    assert_refused(MESH_OBJ, "# nothing\n", "bad: there are no triangles");
    assert_refused(MESH_OBJ, "v 0 0 0\nv 0 0 0\nv 1 0 0\nf 1 2 3\n",
                   "bad: there are no triangles");  // two corners in one place
    assert_refused(MESH_STL, "solid\nfacet\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nendloop\n",
                   "bad:6: 'endloop' stands where 'vertex'");
    assert_refused(MESH_STL, "solid\nfacet\nouter loop\nvertex 0 0 0\n", "bad:5: the file ends where 'vertex'");
    assert_refused(MESH_STL, "solid\nbox\n", "bad:2: 'box' stands where 'facet'");
    assert_refused(MESH_STL, "short", "bad:1: an STL file begins with 'solid'");
    assert_refused(MESH_INP, "*NODE\n1,0,0,0\n*ELEMENT,TYPE=S3\n1,1,2,3\n", "bad:4: node 2 is not defined");
    assert_refused(MESH_INP, "*ELEMENT,TYPE=S4\n1,1,2,3\n*NODE\n", "bad:2: element 1 has 3 nodes, but an S4 has 4");
    assert_refused(MESH_INP, "*NODE\n1,0,0;0\n", "bad:2: ';0' stands where a comma should be");
    assert_refused(MESH_INP, "*NODE, INPUT=nodes.txt\n", "bad:1: data in another file");
    assert_refused(MESH_INP, "*PART\n*END PART\n*INSTANCE\n1.,0.,0.\n", "bad:4: an instance that moves its part");

    char lying[200] = "binary";
    uint32_t count = 4000000000u;
    memcpy(lying + 80, &count, 4);
    triangle_soup soup;
    scr_error error = {0};
    assert_int_equal(mesh_read_text(MESH_STL, lying, 134, "bad", 1.0, &soup, &error), SCR_BAD_INPUT);
    assert_non_null(strstr(error.message, "promises 4000000000 triangles"));
    assert_int_equal(mesh_read_text(MESH_STL, lying, 134, "bad", 0.0, &soup, &error), SCR_BAD_INPUT);
    assert_non_null(strstr(error.message, "scale must be positive"));
}

// Through the public call, from a file, whatever the decimal comma of the language.
static void files_are_told_apart_by_their_names(void **state)
{
    (void)state;
    char path[] = "/tmp/scree_mesh_XXXXXX.OBJ";
    int file = mkstemps(path, 4);
    assert_true(file >= 0);
    const char text[] = "v 0 0 0\nv 0.5 0 0\nv 0 1.5 0\nf 1 2 3\n";
    assert_int_equal(write(file, text, sizeof text - 1), sizeof text - 1);
    close(file);
    setlocale(LC_ALL, "de_DE.UTF-8");  // where it is installed
    scr_triangles t;
    scr_error error = {0};
    assert_int_equal(scr_mesh_read(path, 2.0, &t, &error), SCR_OK);
    setlocale(LC_ALL, "C");
    assert_int_equal(t.triangle_count, 1);
    assert_true(t.vertex[t.triangle[1]].x == 1.0 && t.vertex[t.triangle[2]].y == 3.0);
    scr_mesh_free(&t);
    scr_mesh_free(&t);
    unlink(path);
    assert_int_equal(scr_mesh_read(path, 1.0, &t, &error), SCR_BAD_INPUT);
    assert_int_equal(scr_mesh_read("mesh.txt", 1.0, &t, &error), SCR_BAD_INPUT);
    assert_int_equal(scr_mesh_read("mesh", 1.0, &t, &error), SCR_BAD_INPUT);
    assert_null(t.vertex);
}

// Every allocation of a reading made to fail: a sentence, and nothing left behind (the address sanitizer looks).
static void running_out_of_memory_is_reported(void **state)
{
    (void)state;
    const char *text = "*NODE\n1,0,0,0\n2,1,0,0\n3,0,1,0\n4,0,0,1\n*ELEMENT,TYPE=C3D4\n1,1,2,3,4\n";
    scr_status status = SCR_NO_MEMORY;
    int failures = 0;
    for (; status != SCR_OK; ++failures) {
        triangle_soup soup;
        scr_fail_allocation_in(failures);
        status = mesh_read_text(MESH_INP, text, strlen(text), "memory", 1.0, &soup, NULL);
        scr_fail_allocation_in(-1);
        assert_true(status == SCR_OK || status == SCR_NO_MEMORY);
        triangle_soup_free(&soup);
    }
    assert_true(failures > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_format_gives_back_what_was_written),
        cmocka_unit_test(polygons_are_cut_inside),
        cmocka_unit_test(solid_elements_give_their_outer_faces),
        cmocka_unit_test(what_is_wrong_is_named_with_its_line),
        cmocka_unit_test(files_are_told_apart_by_their_names),
        cmocka_unit_test(running_out_of_memory_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
