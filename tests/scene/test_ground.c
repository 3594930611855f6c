// SPDX-License-Identifier: BSD-3-Clause
// Grounds: images lie the right way round, features are where they were asked for, roughness is that of its class, and
// broken rasters get a sentence.
#include "scene/terrain/ground.h"

#include <png.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "scene/terrain/raster.h"

static char path[] = "/tmp/scree_ground_XXXXXX";

static int make_file(void **state)
{
    (void)state;
    int file = mkstemp(path);
    return file < 0 ? -1 : close(file);
}
static int remove_file(void **state)
{
    (void)state;
    return unlink(path);
}

static void write_png(int width, int height, int bits, int type, const unsigned char *rows)
{
    FILE *file = fopen(path, "wb");
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    png_init_io(png, file);
    png_set_IHDR(png, info, (png_uint_32)width, (png_uint_32)height, bits, type, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png, info);
    size_t bytes = png_get_rowbytes(png, info);
    for (int y = 0; y < height; ++y) png_write_row(png, rows + (size_t)y * bytes);
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    fclose(file);
}

static ground_def image_ground(double black, double white)
{
    return (ground_def){.base = GROUND_NONE, .raster_path = path, .has_range = true, .range = {black, white}};
}

static height_grid made(const ground_def *def)
{
    height_grid grid = {0};
    scr_error error;
    if (ground_make(def, NULL, 1, 1, &grid, &error) != SCR_OK) fail_msg("%s", error.message);
    return grid;
}

static void assert_refused(const ground_def *def, const char *says)
{
    height_grid grid = {0};
    scr_error error;
    assert_int_equal(ground_make(def, NULL, 1, 1, &grid, &error), SCR_BAD_INPUT);
    if (strstr(error.message, says) == NULL) fail_msg("%s", error.message);
    assert_null(grid.height);
}

// The first row of an image is its north, +y; its first column is west, -x.
static void images_lie_with_their_first_row_in_the_north(void **state)
{
    (void)state;
    const unsigned char rows[] = {255, 0, 0, 0, 0, 51};  // 3 x 2: white in the north-west, a fifth in the south-east
    write_png(3, 2, 8, PNG_COLOR_TYPE_GRAY, rows);
    ground_def def = image_ground(1.0, 6.0);
    def.size[0] = 4.0, def.size[1] = 3.0;
    def.position[0] = 10.0, def.position[1] = 20.0;
    height_grid grid = made(&def);
    assert_int_equal(grid.size[0], 3);
    assert_int_equal(grid.size[1], 2);
    assert_near(height_grid_at(&grid, 8.0, 21.5), 6.0, 1e-15);
    assert_near(height_grid_at(&grid, 12.0, 21.5), 1.0, 1e-15);
    assert_near(height_grid_at(&grid, 8.0, 18.5), 1.0, 1e-15);
    assert_near(height_grid_at(&grid, 12.0, 18.5), 2.0, 1e-15);
    assert_near(height_grid_at(&grid, 11.0, 18.5), 1.5, 1e-15);
    height_grid_free(&grid);
}

static void images_of_16_bits_keep_them_all(void **state)
{
    (void)state;
    const unsigned char rows[] = {0x00, 0x00, 0x00, 0x01, 0x80, 0x00, 0xff, 0xff};  // 2 x 2, the higher byte first
    write_png(2, 2, 16, PNG_COLOR_TYPE_GRAY, rows);
    ground_def def = image_ground(0.0, 65535.0);
    def.pixel = 0.5;
    height_grid grid = made(&def);
    assert_near(grid.spacing[0], 0.5, 0.0);
    assert_near(grid.height[2], 0.0, 0.0);
    assert_near(grid.height[3], 1.0, 1e-12);
    assert_near(grid.height[0], 32768.0, 1e-12);
    assert_near(grid.height[1], 65535.0, 1e-12);
    height_grid_free(&grid);
}

static void broken_rasters_get_a_sentence(void **state)
{
    (void)state;
    unsigned char rows[3 * 64 * 64];
    for (size_t i = 0; i < sizeof rows; ++i) rows[i] = (unsigned char)(i * i % 251);
    ground_def def = image_ground(0.0, 1.0);
    def.pixel = 1.0;
    write_png(64, 64, 8, PNG_COLOR_TYPE_RGB, rows);
    assert_refused(&def, "is a coloured image");
    write_png(1, 5, 8, PNG_COLOR_TYPE_GRAY, rows);
    assert_refused(&def, "has 1 x 5 pixels");
    write_png(64, 64, 8, PNG_COLOR_TYPE_GRAY, rows);
    def.has_range = false;
    assert_refused(&def, "give the heights of black and white");
    def.has_range = true;
    def.pixel = 0.0;
    assert_refused(&def, "does not say how large its pixels are");
    def.pixel = 1.0;
    for (int length = 400; length > 4; length -= 33) {  // cut off anywhere
        assert_int_equal(truncate(path, length), 0);
        assert_refused(&def, path);
    }
    assert_int_equal(truncate(path, 0), 0);
    assert_refused(&def, path);
}

static void write_text(const char *text)
{
    FILE *file = fopen(path, "w");
    fputs(text, file);
    fclose(file);
}

// An ESRI ASCII grid, which GDAL reads.
static void rasters_of_numbers_are_in_metres(void **state)
{
    (void)state;
    ground_def def = {.base = GROUND_NONE, .raster_path = path};
    write_text("ncols 3\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 2\nNODATA_value -9\n5 6 7\n1 2 3\n");
#if SCREE_HAVE_GDAL
    height_grid grid = made(&def);
    assert_near(grid.spacing[0], 2.0, 0.0);
    assert_near(height_grid_at(&grid, -2.0, 1.0), 5.0, 0.0);
    assert_near(height_grid_at(&grid, 2.0, -1.0), 3.0, 0.0);
    height_grid_free(&grid);
    def.has_range = true;
    def.range[1] = 12.0;  // from 1 .. 7 to 0 .. 12
    grid = made(&def);
    assert_near(height_grid_at(&grid, 2.0, -1.0), 4.0, 0.0);
    height_grid_free(&grid);
    write_text("ncols 3\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 2\nNODATA_value -9\n5 6 -9\n1 2 3\n");
    assert_refused(&def, "pixel 2 of row 0 has no data");
    write_text("ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 2\n1.5 nan\n1.5 2\n");
    assert_refused(&def, "pixel 1 of row 0 is no number");
    write_text("ncols 1000000\nnrows 1000000\nxllcorner 0\nyllcorner 0\ncellsize 2\n1\n");
    assert_refused(&def, "has 1000000 x 1000000 pixels");
    write_text("hello");
    assert_refused(&def, "is no raster");
#else
    assert_refused(&def, "need GDAL, which this scree was built without");
#endif
}

#if SCREE_HAVE_GDAL
// A GeoTIFF by its specification: one strip of 32-bit numbers, little-endian, in a projection in metres. The first
// pixel is at (100, 200) m on the map, and pixels go on by step[0] and step[1]: with step[1] < 0 it begins in the
// north.
static void write_geotiff(int width, int height, const float *value, const double step[2])
{
    const double map[16] = {step[0], 0, 0, 100, 0, step[1], 0, 200, 0, 0, 0, 0, 0, 0, 0, 1};
    const uint16_t keys[] = {1, 1, 0, 2, 1024, 0, 1, 1, 1025, 0, 1, 1};
    enum { ENTRIES = 12, SHORT = 3, LONG = 4, DOUBLE = 12 };
    const uint32_t strip = 8 + 2 + 12 * ENTRIES + 4, bytes = (uint32_t)(4 * width * height), map_at = strip + bytes,
                   keys_at = map_at + sizeof map;
    const struct {
        uint16_t tag, type;
        uint32_t count, value;
    } entry[ENTRIES] = {
        {256, LONG, 1, (uint32_t)width},  // in the order of their tags
        {257, LONG, 1, (uint32_t)height},
        {258, SHORT, 1, 32},               // bits
        {259, SHORT, 1, 1},                // not compressed
        {262, SHORT, 1, 1},                // black is zero
        {273, LONG, 1, strip},             // where numbers are
        {277, SHORT, 1, 1},                // of a pixel
        {278, LONG, 1, (uint32_t)height},  // rows of a strip
        {279, LONG, 1, bytes},             // of it
        {339, SHORT, 1, 3},                // floating point
        {34264, DOUBLE, 16, map_at},       // from pixels to the map
        {34735, SHORT, 12, keys_at},       // what the map is
    };
    FILE *file = fopen(path, "wb");
    const uint16_t count = ENTRIES;
    const uint32_t none = 0;
    fwrite("II*\0\10\0\0\0", 1, 8, file);
    fwrite(&count, sizeof count, 1, file);
    fwrite(entry, sizeof *entry, ENTRIES, file);
    fwrite(&none, sizeof none, 1, file);
    fwrite(value, 4, (size_t)(width * height), file);
    fwrite(map, sizeof map, 1, file);
    fwrite(keys, sizeof keys, 1, file);
    fclose(file);
}

// Whichever corner a file begins in: 5 6 7 in the north, 1 2 4 in the south, from west to east.
static void geotiffs_lie_with_the_north_in_the_north(void **state)
{
    (void)state;
    static const struct {
        float value[6];
        double step[2];
    } corner[] = {{{5, 6, 7, 1, 2, 4}, {2.0, -3.0}},
                  {{1, 2, 4, 5, 6, 7}, {2.0, 3.0}},
                  {{7, 6, 5, 4, 2, 1}, {-2.0, -3.0}},
                  {{4, 2, 1, 7, 6, 5}, {-2.0, 3.0}}};
    for (int k = 0; k < 4; ++k) {
        write_geotiff(3, 2, corner[k].value, corner[k].step);
        ground_def def = {.base = GROUND_NONE, .raster_path = path};
        height_grid grid = made(&def);
        assert_int_equal(grid.size[0], 3);
        assert_int_equal(grid.size[1], 2);
        assert_near(grid.spacing[0], 2.0, 0.0);
        assert_near(grid.spacing[1], 3.0, 0.0);
        assert_near(height_grid_at(&grid, -2.0, 1.5), 5.0, 0.0);
        assert_near(height_grid_at(&grid, 2.0, 1.5), 7.0, 0.0);
        assert_near(height_grid_at(&grid, -2.0, -1.5), 1.0, 0.0);
        assert_near(height_grid_at(&grid, 2.0, -1.5), 4.0, 0.0);
        height_grid_free(&grid);
    }
}
#endif

static ground_def flat(double length, double width, double spacing)
{
    return (ground_def){.base = GROUND_NONE, .size = {length, width}, .spacing = spacing};
}

static void features_add_up(void **state)
{
    (void)state;
    ground_feature features[] = {
        {.kind = FEATURE_BUMP, .from = {-3, 0}, .size = {1, 2}, .height = 0.5},
        {.kind = FEATURE_DITCH, .from = {0, -3}, .to = {0, 3}, .width = 1.0, .bottom = 0.4, .height = 0.3},
        {.kind = FEATURE_SLOPE, .from = {1, 0}, .to = {3, 0}, .height = 2.0},
        {.kind = FEATURE_PILE, .from = {-3, 0}, .size = {0.5, 0.5}, .height = 0.1},
    };
    double pairs[] = {-4.0, 1.0, 0.0, 2.0};  // a profile: rising to 2 at x = 0, level from there
    ground_def def = flat(10.0, 10.0, 0.05);
    def.height = 7.0;
    def.profile = (number_pairs){2, pairs};
    def.features = features;
    def.feature_count = 4;
    height_grid grid = made(&def);
    assert_near(height_grid_at(&grid, -3, 0), 7 + 1.25 + 0.5 + 0.1, 1e-12);
    assert_near(height_grid_at(&grid, -2.5, 0), 7 + 1.375 + 0.25, 1e-12);  // midway down the bump, foot of the pile
    assert_near(height_grid_at(&grid, -3, 1.0), 7 + 1.25 + 0.25, 1e-12);   // twice as wide along y
    assert_near(height_grid_at(&grid, -4.5, 4), 7 + 1.0, 1e-12);
    assert_near(height_grid_at(&grid, 0.15, 2), 7 + 2 - 0.3, 1e-12);   // on the ditch's bottom
    assert_near(height_grid_at(&grid, 0.35, 2), 7 + 2 - 0.15, 1e-12);  // midway up its wall
    assert_near(height_grid_at(&grid, 0.5, 2), 7 + 2, 1e-12);
    assert_near(height_grid_at(&grid, 0.0, 3.35), 7 + 2 - 0.15, 1e-12);  // and up its end
    assert_near(height_grid_at(&grid, 2.0, -4), 7 + 2 + 1, 1e-12);
    assert_near(height_grid_at(&grid, 4.5, 4), 7 + 2 + 2, 1e-12);
    ground_feature more = {.kind = FEATURE_BUMP, .from = {4, -4}, .size = {0.5, 0.5}, .height = 1.0};
    ground_def above = {.base = 0, .features = &more, .feature_count = 1};
    height_grid second = {0};
    scr_error error;
    assert_int_equal(ground_make(&above, &grid, 1, 1, &second, &error), SCR_OK);
    assert_near(height_grid_at(&second, 4, -4) - height_grid_at(&grid, 4, -4), 1.0, 1e-12);
    assert_near(height_grid_at(&second, 0.15, 2), height_grid_at(&grid, 0.15, 2), 0.0);
    height_grid_free(&second);
    height_grid_free(&grid);
}

enum { ROW = 501 };

// The one-sided density of a row of heights, mean over n0 to n1 cycles a metre: the periodogram with a Hann window.
static double density_of_row(const double *z, double spacing, double n0, double n1)
{
    double length = ROW * spacing, sum = 0.0, mean = 0.0, cosine[ROW], sine[ROW];
    int bins = 0;
    for (int i = 0; i < ROW; ++i) {
        mean += z[i] / ROW;
        cosine[i] = cos(2.0 * M_PI * i / ROW);
        sine[i] = sin(2.0 * M_PI * i / ROW);
    }
    for (int k = (int)ceil(n0 * length); k < n1 * length; ++k, ++bins) {
        double re = 0.0, im = 0.0;
        for (int i = 0; i < ROW; ++i) {
            double window = 0.5 - 0.5 * cosine[i];
            re += window * (z[i] - mean) * cosine[k * i % ROW];
            im += window * (z[i] - mean) * sine[k * i % ROW];
        }
        sum += 2.0 * (re * re + im * im) * spacing * spacing / (0.375 * length);
    }
    return sum / bins;
}

// The mean of G(n) = G(n0) (n0/n)^2 from a to b is G(sqrt(a b)). ISO 8608 puts the limits of a class at half and twice
// the value in its middle; here it is met within a fifth in each of its octaves.
static void roughness_has_the_density_of_its_class(void **state)
{
    (void)state;
    enum { SEEDS = 24, OCTAVES = 4, ROWS = 11 };
    for (int extruded = 0; extruded < 2; ++extruded) {
        const ground_roughness class_d = {true, 3, extruded, 0.2, 90.0};
        double sum[OCTAVES] = {0};
        int rows = 0;
        for (uint64_t seed = 1; seed <= SEEDS; ++seed) {
            height_grid grid;
            scr_error error;
            assert_int_equal(height_grid_create(&grid, ROW, ROWS, &error), SCR_OK);
            grid.spacing[0] = 0.2, grid.spacing[1] = 40.0;
            roughness_add(&class_d, seed, 5, &grid);
            if (extruded) assert_near(grid.height[ROW * 7 + 100], grid.height[100], 1e-9);
            for (int iy = 0; iy < (extruded ? 1 : ROWS); iy += 5, ++rows)
                for (int k = 0; k < OCTAVES; ++k)
                    sum[k] += density_of_row(grid.height + ROW * iy, 0.2, 0.08 * (1 << k), 0.16 * (1 << k));
            height_grid_free(&grid);
        }
        for (int k = 0; k < OCTAVES; ++k) {
            double n = 0.08 * (1 << k), wanted = iso8608_density(3, n * sqrt(2.0));
            print_message("%s, %.2f to %.2f /m: %.3g of class D\n", extruded ? "extruded" : "isotropic", n, 2.0 * n,
                          sum[k] / rows / wanted);
            assert_near(sum[k] / rows, wanted, 0.2);
        }
    }
    assert_near(iso8608_density(0, 0.1), 16e-6, 1e-12);    // the standard's middle of class A,
    assert_near(iso8608_density(3, 0.1), 1024e-6, 1e-12);  // and of class D
}

static void absurd_grounds_are_refused(void **state)
{
    (void)state;
    ground_def def = flat(1e9, 1e9, 1e-9);
    assert_refused(&def, "points");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(images_lie_with_their_first_row_in_the_north),
        cmocka_unit_test(images_of_16_bits_keep_them_all),
        cmocka_unit_test(broken_rasters_get_a_sentence),
        cmocka_unit_test(rasters_of_numbers_are_in_metres),
#if SCREE_HAVE_GDAL
        cmocka_unit_test(geotiffs_lie_with_the_north_in_the_north),
#endif
        cmocka_unit_test(features_add_up),
        cmocka_unit_test(roughness_has_the_density_of_its_class),
        cmocka_unit_test(absurd_grounds_are_refused),
    };
    return cmocka_run_group_tests(tests, make_file, remove_file);
}
