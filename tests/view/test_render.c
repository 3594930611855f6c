// SPDX-License-Identifier: BSD-3-Clause
// Whole pictures obey geometry and light, do not depend on the number of threads, and fail with a sentence.
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cairo.h>

#include "check.h"
#include "view/colour/paint.h"
#include "view/colour/palette.h"
#include "view/render/ray_scene.h"
#include "view/render/render.h"
#include "view/stage/camera.h"
#include "view/stage/light.h"
#include "view/synthetic.h"

static render_options small_options(void)
{
    render_options o = render_default_options();
    o.width = 160;
    o.height = 100;
    o.samples = 4;
    return o;
}

static float brightness(const picture *p, int x, int y)  // 0 to 255
{
    uint32_t c = p->pixel[y * p->width + x];
    return (float)(c >> 16 & 255) * 0.3f + (float)(c >> 8 & 255) * 0.6f + (float)(c & 255) * 0.1f;
}

static void a_sphere_covers_the_area_of_its_outline(void **state)
{
    (void)state;
    frame f = {0};
    const double radius = 0.7, distance = 5.0;  // m
    add_sphere(&f, 0.0f, 0.0f, 0.0f, (float)radius, 0.0f);
    stage s;
    ray_scene *rays;
    assert_int_equal(stage_init(&s, &f, NULL, &(ground_request){0}, NULL), SCR_OK);
    assert_int_equal(ray_scene_create(&s, &rays, NULL), SCR_OK);
    camera_request request = {.has_eye = true,
                              .has_target = true,
                              .eye = {0.0, -distance, 0.0},
                              .field_of_view = 30.0,
                              .width = 640,
                              .height = 400};
    camera c = camera_for(&request, &s.subject);
    int64_t covered = 0;
    for (int y = 0; y < c.height; ++y) {
        for (int x = 0; x < c.width; ++x) {
            surface hit;
            vec3f direction = camera_direction(&c, (float)x + 0.5f, (float)y + 0.5f);
            if (!ray_scene_intersect(rays, c.eye, direction, &hit)) continue;
            ++covered;
            assert_within(vec3f_norm(hit.point), radius, 1e-3 * radius);
            assert_within(vec3f_dot(hit.normal, hit.point), radius, 1e-3 * radius);
        }
    }
    // The cone that touches the sphere cuts the picture plane, at distance 1, in a disc.
    double disc = radius / sqrt(distance * distance - radius * radius);
    double pixel = 2.0 * tan(15.0 * 3.14159265358979 / 180.0) / c.height;
    assert_near((double)covered, 3.14159265358979 * disc * disc / (pixel * pixel), 0.01);
    ray_scene_destroy(rays);
    stage_free(&s);
    frame_free(&f);
}

// What is in front hides what is behind, from either side.
static void the_nearer_of_two_is_seen(void **state)
{
    (void)state;
    frame f = {0};
    add_sphere(&f, 0.0f, -1.0f, 0.0f, 0.5f, 0.0f);
    add_sphere(&f, 0.0f, 1.0f, 0.0f, 0.5f, 0.0f);
    stage s;
    ray_scene *rays;
    assert_int_equal(stage_init(&s, &f, NULL, &(ground_request){0}, NULL), SCR_OK);
    assert_int_equal(ray_scene_create(&s, &rays, NULL), SCR_OK);
    for (int side = -1; side <= 1; side += 2) {
        surface hit;
        assert_true(ray_scene_intersect(rays, vec3f_of(0.1f, 4.0f * (float)side, 0.1f),
                                        vec3f_of(0.0f, -(float)side, 0.0f), &hit));
        assert_int_equal(hit.index, side < 0 ? 0 : 1);
    }
    ray_scene_destroy(rays);
    stage_free(&s);
    frame_free(&f);
}

// Light of the sky on a surface: the mean over the hemisphere, weighed by the cosine, by a quadrature of our own.
static vec3f sky_on(const light *l, vec3f normal)
{
    vec3f sum = vec3f_all(0.0f);
    float weights = 0.0f;
    for (int i = 0; i < 200; ++i) {
        for (int k = 0; k < 200; ++k) {
            float z = 2.0f * ((float)i + 0.5f) / 200.0f - 1.0f, angle = 6.2831853f * ((float)k + 0.5f) / 200.0f;
            float r = sqrtf(1.0f - z * z), cosine;
            vec3f d = vec3f_of(r * cosf(angle), r * sinf(angle), z);
            if ((cosine = vec3f_dot(d, normal)) <= 0.0f) continue;
            sum += cosine * light_sky(l, d);
            weights += cosine;
        }
    }
    return sum * (1.0f / weights);
}

// A lone sphere in the air: each point has the sun by Lambert's cosine, where the sun is up, and its share of the sky.
static void a_sphere_is_shaded_by_sun_and_sky(void **state)
{
    (void)state;
    frame f = {0};
    add_sphere(&f, 0.0f, 0.0f, 0.0f, 1.0f, 0.0f);
    render_options o = small_options();
    o.samples = 400;
    o.view.ground = false;
    o.view.captions = false;
    o.view.has_eye = o.view.has_target = true;
    o.view.eye = vec3(1.0, -6.0, 1.0);
    picture p;
    assert_int_equal(render_frame(&f, &o, &p, NULL, NULL), SCR_OK);
    extent ball = {vec3f_all(-1.0f), vec3f_all(1.0f)};
    camera c = render_camera(&o, &ball);
    light l = light_for(&c);
    vec3f albedo = palette_category(1);
    int checked = 0;
    double bias = 0.0;
    for (int y = 20; y < 80; y += 6) {
        for (int x = 50; x < 110; x += 6) {
            vec3f d = camera_direction(&c, (float)x + 0.5f, (float)y + 0.5f);
            float b = vec3f_dot(c.eye, d), q = b * b - vec3f_dot(c.eye, c.eye) + 1.0f;
            if (q < 0.3f) continue;  // off the sphere, or at its rim
            vec3f normal = c.eye + (-b - sqrtf(q)) * d;
            float cosine = vec3f_dot(normal, l.sun_direction);
            // Where the sun is half down, or mirrored, the light is no closed form.
            if (fabsf(cosine) < 0.08f || vec3f_dot(normal, vec3f_unit(l.sun_direction - d)) > 0.8f) continue;
            vec3f expected = light_developed(albedo * (sky_on(&l, normal) + greater(cosine, 0.0f) * l.sun));
            uint32_t pixel = p.pixel[y * p.width + x];
            for (int channel = 0; channel < 3; ++channel) {
                double level = 255.0 * srgb_encoded(expected[channel]), found = pixel >> (16 - 8 * channel) & 255;
                assert_within(found, level, 4.0);
                bias += (found - level) / 3.0;
            }
            ++checked;
        }
    }
    assert_true(checked > 20);
    assert_within(bias / checked, 0.0, 0.5);  // levels of 255
    picture_free(&p);
    frame_free(&f);
}

static void a_turned_box_is_met_on_its_own_faces(void **state)
{
    (void)state;
    frame f = {0};
    add_box(&f, SCR_DYNAMIC, (float[3]){1.0f, 2.0f, 3.0f}, (float[3]){0.5f, 0.2f, 0.3f}, 0.6f, 0.8f);
    stage s;
    ray_scene *rays;
    assert_int_equal(stage_init(&s, &f, NULL, &(ground_request){0}, NULL), SCR_OK);
    assert_int_equal(ray_scene_create(&s, &rays, NULL), SCR_OK);
    const frame_shape *box = &f.boxes[0];
    for (int face = 0; face < 6; ++face) {
        vec3f out = vec3f_all(0.0f);
        out[face / 2] = face % 2 ? 1.0f : -1.0f;
        vec3f normal = vec3f_rotate(box->rotation, out), centre = vec3f_load(box->position);
        surface hit;
        assert_true(ray_scene_intersect(rays, centre + 4.0f * normal, -normal, &hit));
        assert_near(hit.distance, 4.0 - box->half[face / 2], 1e-5);
        assert_near(vec3f_dot(hit.normal, normal), 1.0, 1e-5);
        assert_int_equal(hit.kind, SURFACE_BOX);
        assert_int_equal(hit.face, face);
        assert_true(hit.entering);
        assert_true(ray_scene_is_occluded(rays, centre + 4.0f * normal, -normal));
        assert_false(ray_scene_is_occluded(rays, centre + 4.0f * normal, normal));
    }
    surface hit;  // what is no ray meets nothing, and does not stop the program
    assert_false(ray_scene_intersect(rays, vec3f_all(NAN), vec3f_of(0.0f, 0.0f, 1.0f), &hit));
    assert_false(ray_scene_intersect(rays, vec3f_all(0.0f), vec3f_all(INFINITY), &hit));
    assert_false(ray_scene_is_occluded(rays, vec3f_all(3e38f), vec3f_of(0.0f, 0.0f, 1.0f)));
    ray_scene_destroy(rays);
    stage_free(&s);
    frame_free(&f);
}

static void a_sphere_throws_a_shadow(void **state)
{
    (void)state;
    frame f = {0};
    add_plane(&f, (float[3]){0.0f, 0.0f, 0.0f}, 0.0f, 0.0f);
    add_sphere(&f, 0.0f, 0.0f, 2.0f, 0.5f, 0.0f);
    render_options o = small_options();
    o.samples = 16;
    o.view.has_eye = o.view.has_target = true;
    o.view.eye = vec3(2.0, -12.0, 8.0);
    o.view.target = vec3(0.0, 0.0, 1.0);
    o.view.field_of_view = 40.0;
    picture p;
    assert_int_equal(render_frame(&f, &o, &p, NULL, NULL), SCR_OK);

    camera_request request = {.has_eye = true,
                              .has_target = true,
                              .eye = o.view.eye,
                              .target = o.view.target,
                              .field_of_view = 40.0,
                              .width = o.width,
                              .height = o.height};
    extent unused = {vec3f_all(-1.0f), vec3f_all(1.0f)};
    camera c = camera_for(&request, &unused);
    vec3f sun = light_for(&c).sun_direction, centre = vec3f_of(0.0f, 0.0f, 2.0f);
    vec3f shadow = centre - (centre[2] / sun[2]) * sun, beside = shadow + 1.5f * c.right;
    float x, y, x_beside, y_beside;
    assert_true(camera_project(&c, shadow, &x, &y));
    assert_true(camera_project(&c, beside, &x_beside, &y_beside));
    float dark = brightness(&p, (int)x, (int)y), lit = brightness(&p, (int)x_beside, (int)y_beside);
    if (!(dark < 0.85f * lit)) fail_msg("the shadow has brightness %g, the ground beside it %g", dark, lit);
    picture_free(&p);
    frame_free(&f);
}

static double mean_difference(const picture *a, const picture *b)  // of all pixels, 0 to 255
{
    double sum = 0.0;
    for (int y = 0; y < a->height; ++y)
        for (int x = 0; x < a->width; ++x) sum += fabsf(brightness(a, x, y) - brightness(b, x, y));
    return sum / (a->width * a->height);
}

// A wall in front of a heap must leave its picture almost as it is; a solid box of the same size among the
// grains may not, which shows that the measure can tell.
static void one_can_look_through_the_front_wall(void **state)
{
    (void)state;
    frame f = {0};
    for (int i = 0; i < 400; ++i)
        add_sphere(&f, 0.1f * (float)(i % 20) - 1.0f, 0.0f, 0.1f * (float)(i / 20), 0.06f, 0.0f);
    render_options o = small_options();
    o.view.ground = false;
    o.view.has_eye = o.view.has_target = true;
    o.view.eye = vec3(0.0, -8.0, 1.5);
    o.view.target = vec3(0.0, 0.0, 1.0);
    picture bare, walled, blocked;
    assert_int_equal(render_frame(&f, &o, &bare, NULL, NULL), SCR_OK);
    frame_shape *wall =
        add_box(&f, SCR_FIXED, (float[3]){0.0f, -0.5f, 1.0f}, (float[3]){1.2f, 0.02f, 1.2f}, 0.0f, 0.0f);
    assert_int_equal(render_frame(&f, &o, &walled, NULL, NULL), SCR_OK);
    wall->kind = SCR_DYNAMIC;  // what moves by itself is never glass
    assert_int_equal(render_frame(&f, &o, &blocked, NULL, NULL), SCR_OK);
    assert_true(mean_difference(&bare, &walled) > 0.5);
    assert_true(mean_difference(&bare, &walled) < 0.25 * mean_difference(&bare, &blocked));
    picture_free(&bare);
    picture_free(&walled);
    picture_free(&blocked);
    frame_free(&f);
}

static bool same_pixels(const picture *a, const picture *b)
{
    return a->width == b->width && a->height == b->height &&
           memcmp(a->pixel, b->pixel, sizeof *a->pixel * (size_t)a->width * (size_t)a->height) == 0;
}

// Of the first bodies, the first is seen through, the second is nearly not there, and the third has a colour of its
// own.
static const scene_appearance translucent[3] = {{.has_opacity = true, .opacity = 0.4},
                                                {.has_opacity = true, .opacity = 0.0},
                                                {.has_colour = true, .colour = {0.8f, 0.1f, 0.1f}}};

// A sphere of no opacity leaves the picture as if it were not there, shadow and all; one that is solid does not.
static void what_has_no_opacity_is_not_there(void **state)
{
    (void)state;
    frame f = {0};
    for (int i = 0; i < 20; ++i) add_sphere(&f, 0.3f * (float)i - 3.0f, 0.0f, 0.0f, 0.2f, 0.0f);
    render_options o = small_options();
    o.view.has_eye = o.view.has_target = true;
    o.view.eye = vec3(0.0, -8.0, 1.0);
    o.view.has_ground_height = true;
    o.view.ground_height = -0.4;
    framing about;
    assert_int_equal(framing_of(&f, &about, NULL), SCR_OK);
    o.framing = &about;
    picture bare, unseen, solid;
    assert_int_equal(render_frame(&f, &o, &bare, NULL, NULL), SCR_OK);
    add_sphere(&f, 0.0f, -2.0f, 0.0f, 0.5f, 0.0f);
    scene_appearance look[21] = {{.has_colour = false}};
    o.names.appearance = (appearance_list){look, 21};
    assert_int_equal(render_frame(&f, &o, &solid, NULL, NULL), SCR_OK);
    look[20] = (scene_appearance){.has_opacity = true, .opacity = 0.0};
    assert_int_equal(render_frame(&f, &o, &unseen, NULL, NULL), SCR_OK);
    assert_true(mean_difference(&bare, &solid) > 1.0);
    assert_true(mean_difference(&bare, &unseen) < 0.02 * mean_difference(&bare, &solid));
    picture_free(&bare);
    picture_free(&unseen);
    picture_free(&solid);
    frame_free(&f);
}

static void a_body_has_its_own_colour_whatever_colours_mean(void **state)
{
    (void)state;
    frame f = {0};
    for (int i = 0; i < 3; ++i) add_sphere(&f, 2.0f * (float)i - 2.0f, 0.0f, 0.0f, 0.9f, -1.0f);
    add_box(&f, SCR_FIXED, (float[3]){0.0f, 0.0f, -2.0f}, (float[3]){3.0f, 1.0f, 0.5f}, 0.0f, 0.0f)->id = 3;
    for (colour_by colour = COLOUR_BODY; colour <= COLOUR_GROUP; ++colour) {
        paint p;
        paint_request request = {.colour = colour, .first_rod = -1, .appearance = {translucent, 3}};
        assert_int_equal(paint_init(&p, &f, &request, NULL), SCR_OK);
        for (int k = 0; k < 3; ++k) {
            assert_near(p.sphere[6 + k], srgb_decoded(translucent[2].colour[k]), 1e-6);
            assert_near(p.box[k], srgb_decoded(translucent[2].colour[k]), 1e-6);
        }
        assert_true(fabsf(p.sphere[0] - p.sphere[6]) > 0.01f);
        paint_free(&p);
    }
    frame_free(&f);
}

static void thread_count_never_changes_a_pixel(void **state)
{
    (void)state;
    frame f = {0};
    fill_silo(&f, 4000);
    render_options o = small_options();
    o.names.appearance = (appearance_list){translucent, 3};
    o.view.colour = COLOUR_SPEED;
    o.threads = 1;
    picture one, many;
    assert_int_equal(render_frame(&f, &o, &one, NULL, NULL), SCR_OK);
    for (o.threads = 2; o.threads <= 4; ++o.threads) {
        assert_int_equal(render_frame(&f, &o, &many, NULL, NULL), SCR_OK);
        assert_true(same_pixels(&one, &many));
        picture_free(&many);
    }
    picture_free(&one);
    frame_free(&f);
}

static void colours_follow_the_bodies(void **state)
{
    (void)state;
    frame f = {0};
    add_sphere(&f, -1.0f, 0.0f, 0.0f, 0.9f, 0.0f);
    add_sphere(&f, 1.0f, 0.0f, 0.0f, 0.9f, -3.0f);
    render_options o = small_options();
    o.view.colour = COLOUR_SPEED;
    o.view.has_range = true;
    o.view.range_max = 3.0;
    o.view.has_eye = o.view.has_target = true;
    o.view.eye = vec3(0.0, -8.0, 0.0);
    picture p;
    assert_int_equal(render_frame(&f, &o, &p, NULL, NULL), SCR_OK);
    uint32_t slow = p.pixel[50 * 160 + 40], fast = p.pixel[50 * 160 + 120];
    assert_true((slow & 255) > (slow >> 8 & 255));  // indigo: more blue than green
    assert_true((fast >> 8 & 255) > (fast & 255));  // yellow: the other way round
    picture_free(&p);
    frame_free(&f);
}

static void nothing_to_see_is_a_picture_too(void **state)
{
    (void)state;
    frame f = {0};
    for (int colour = COLOUR_BODY; colour < COLOUR_BY_COUNT; ++colour) {
        render_options o = small_options();
        o.view.colour = (colour_by)colour;
        picture p;
        assert_int_equal(render_frame(&f, &o, &p, NULL, NULL), SCR_OK);
        assert_true(brightness(&p, 80, 50) > 100.0f);
        picture_free(&p);
    }
}

static void strange_numbers_do_no_harm(void **state)
{
    (void)state;
    frame f = {0};
    add_sphere(&f, NAN, 0.0f, 0.0f, 1.0f, INFINITY);
    add_sphere(&f, 1e30f, -1e30f, 0.0f, 1.0f, NAN);
    add_sphere(&f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f);
    add_sphere(&f, 0.0f, 0.0f, 0.0f, -1.0f, 0.0f);
    add_sphere(&f, 0.0f, 0.0f, -1e18f, 1e18f, 0.0f);
    add_box(&f, SCR_FIXED, (float[3]){INFINITY, 0.0f, 0.0f}, (float[3]){1.0f, 0.0f, NAN}, 0.0f, 0.0f);
    add_plane(&f, (float[3]){NAN, 0.0f, 0.0f}, 1.0f, 0.0f);
    for (int colour = COLOUR_BODY; colour < COLOUR_BY_COUNT; ++colour) {
        render_options o = small_options();
        o.view.colour = (colour_by)colour;
        picture p;
        assert_int_equal(render_frame(&f, &o, &p, NULL, NULL), SCR_OK);
        picture_free(&p);
    }
    frame_free(&f);
}

static void wrong_options_are_named(void **state)
{
    (void)state;
    frame f = {0};
    scr_error error;
    picture p;
    render_options o = small_options();
    o.width = 0;
    assert_int_equal(render_frame(&f, &o, &p, NULL, &error), SCR_BAD_INPUT);
    assert_non_null(strstr(error.message, "0 x 100"));
    o = small_options();
    o.view.has_range = true;
    assert_int_equal(render_frame(&f, &o, &p, NULL, &error), SCR_BAD_INPUT);
    assert_non_null(strstr(error.message, "range"));
    o = small_options();
    o.view.has_eye = o.view.has_target = true;
    assert_int_equal(render_frame(&f, &o, &p, NULL, &error), SCR_BAD_INPUT);
    assert_non_null(strstr(error.message, "different points"));
    o = small_options();
    o.view.field_of_view = 180.0;
    assert_int_equal(render_frame(&f, &o, &p, NULL, &error), SCR_BAD_INPUT);
    assert_non_null(strstr(error.message, "field of view"));
}

static void every_failed_allocation_is_reported(void **state)
{
    (void)state;
    frame f = {0};
    fill_silo(&f, 100);
    add_plane(&f, (float[3]){0.0f, 3.0f, 0.0f}, 1.5f, 0.0f);
    render_options o = small_options();
    o.view.colour = COLOUR_SPEED;
    o.names.appearance = (appearance_list){translucent, 3};
    int failures = 0;
    for (;; ++failures) {
        picture p;
        scr_error error;
        scr_fail_allocation_in(failures);
        scr_status status = render_frame(&f, &o, &p, NULL, &error);
        scr_fail_allocation_in(-1);
        if (status == SCR_OK) {
            picture_free(&p);
            break;
        }
        assert_int_equal(status, SCR_NO_MEMORY);
        assert_null(p.pixel);
    }
    assert_true(failures >= 6);
    frame_free(&f);
}

static void a_png_file_holds_the_same_pixels(void **state)
{
    (void)state;
    char directory[] = "/tmp/scree-picture-XXXXXX", path[64];
    assert_non_null(mkdtemp(directory));
    snprintf(path, sizeof path, "%s/a.png", directory);
    picture p;
    assert_int_equal(picture_init(&p, 31, 17, NULL), SCR_OK);
    for (uint32_t i = 0; i < 31 * 17; ++i) p.pixel[i] = i * 7919u & 0xffffffu;
    assert_int_equal(picture_write_png(&p, path, NULL), SCR_OK);
    cairo_surface_t *read = cairo_image_surface_create_from_png(path);
    assert_int_equal(cairo_image_surface_get_width(read), 31);
    assert_int_equal(cairo_image_surface_get_height(read), 17);
    for (int y = 0; y < 17; ++y) {
        const uint32_t *row = (const uint32_t *)(const void *)(cairo_image_surface_get_data(read) +
                                                               y * cairo_image_surface_get_stride(read));
        for (int x = 0; x < 31; ++x) assert_int_equal(row[x] & 0xffffff, p.pixel[31 * y + x]);
    }
    cairo_surface_destroy(read);

    // 300 pixels an inch are 11811 a metre, in a chunk of their own; readers check its sum.
    p.dpi = 300.0;
    assert_int_equal(picture_write_png(&p, path, NULL), SCR_OK);
    unsigned char bytes[54];
    FILE *file = fopen(path, "rb");
    assert_int_equal(fread(bytes, 1, sizeof bytes, file), sizeof bytes);
    fclose(file);
    const unsigned char paper[21] = {0,    0, 0, 9,    'p',  'H', 'Y',  's',  0,    0,   0x2e,
                                     0x23, 0, 0, 0x2e, 0x23, 1,   0x78, 0xa5, 0x3f, 0x76};
    assert_memory_equal(bytes + 33, paper, sizeof paper);
    read = cairo_image_surface_create_from_png(path);
    assert_int_equal(cairo_surface_status(read), CAIRO_STATUS_SUCCESS);
    cairo_surface_destroy(read);

    scr_error error;
    char nowhere[96];
    snprintf(nowhere, sizeof nowhere, "%s/none/a.png", directory);
    assert_int_equal(picture_write_png(&p, nowhere, &error), SCR_IO);
    assert_non_null(strstr(error.message, nowhere));
    assert_int_equal(picture_write_png(&p, "/dev/full/a.png", &error), SCR_IO);
    picture_free(&p);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(directory), 0);  // nothing else was left there
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sphere_covers_the_area_of_its_outline),
        cmocka_unit_test(the_nearer_of_two_is_seen),
        cmocka_unit_test(a_sphere_is_shaded_by_sun_and_sky),
        cmocka_unit_test(a_turned_box_is_met_on_its_own_faces),
        cmocka_unit_test(a_sphere_throws_a_shadow),
        cmocka_unit_test(one_can_look_through_the_front_wall),
        cmocka_unit_test(what_has_no_opacity_is_not_there),
        cmocka_unit_test(a_body_has_its_own_colour_whatever_colours_mean),
        cmocka_unit_test(thread_count_never_changes_a_pixel),
        cmocka_unit_test(colours_follow_the_bodies),
        cmocka_unit_test(nothing_to_see_is_a_picture_too),
        cmocka_unit_test(strange_numbers_do_no_harm),
        cmocka_unit_test(wrong_options_are_named),
        cmocka_unit_test(every_failed_allocation_is_reported),
        cmocka_unit_test(a_png_file_holds_the_same_pixels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
