// SPDX-License-Identifier: BSD-3-Clause
// Ground of triangles: rolling over it is as smooth as over a plane, and it rebounds and rubs as a plane does.
#include "dynamics/physics.h"
#include "geometry/made_mesh.h"

enum { GRID = 24 };
enum { SETTLING = 10 };  // steps until the solver's first guess is as good as its tolerance, on a plane too

// Floors are at z = 0 over [-side, side]^2.
static int32_t add_floor_spot(made_mesh *f, double x, double y) { return add_spot(f, vec3(x, y, 0.0)); }

typedef double place_of(double u, int axis, uint64_t index);  // where grid line or point u in [-1, 1] is

static double evenly(double u, int axis, uint64_t index)
{
    (void)axis, (void)index;
    return u;
}
// Inner points moved about by up to 0.4 of the spacing.
static double at_random(double u, int axis, uint64_t index)
{
    return fabs(u) > 0.999 ? u : u + 0.8 / GRID * (scr_uniform(5, (uint64_t)axis, index) - 0.5) * 2.0;
}
// Rows crowded so that triangles are up to 10^5 times as long as high.
static double as_slivers(double u, int axis, uint64_t index)
{
    (void)index;
    return axis == 0 || u == 0.0 ? u : (u > 0.0 ? 1.0 : -1.0) * pow(fabs(u), 5.0);
}

static void fill_grid(made_mesh *f, double side, place_of *place)
{
    clear_mesh(f);
    for (int k = 0; k < (GRID + 1) * (GRID + 1); ++k)
        add_floor_spot(f, side * place(2.0 * (k % (GRID + 1)) / GRID - 1.0, 0, (uint64_t)k),
                       side * place(2.0 * (k / (GRID + 1)) / GRID - 1.0, 1, (uint64_t)k));
    for (int iy = 0; iy < GRID; ++iy) {
        for (int ix = 0; ix < GRID; ++ix) {
            int32_t a = iy * (GRID + 1) + ix, b = a + 1, c = b + GRID + 1, d = a + GRID + 1;
            if ((ix + iy) % 2) add_face(f, a, b, c), add_face(f, a, c, d);
            else add_face(f, a, b, d), add_face(f, b, c, d);
        }
    }
}

// Bands of different fineness that share no vertices: every border between bands is full of T-junctions.
static void fill_bands(made_mesh *f, double side)
{
    static const int pieces[] = {3, 7, 4, 11, 5, 13, 2, 8};
    clear_mesh(f);
    for (int band = 0; band < 8; ++band) {
        double y0 = side * (band / 4.0 - 1.0), y1 = side * ((band + 1) / 4.0 - 1.0);
        for (int k = 0; k < pieces[band]; ++k) {
            double x0 = side * (2.0 * k / pieces[band] - 1.0), x1 = side * (2.0 * (k + 1) / pieces[band] - 1.0);
            int32_t a = add_floor_spot(f, x0, y0), b = add_floor_spot(f, x1, y0), c = add_floor_spot(f, x1, y1),
                    d = add_floor_spot(f, x0, y1);
            add_face(f, a, b, c), add_face(f, a, c, d);
        }
    }
}

static scr_body add_mesh_floor(scr_world *world, scr_material material, const made_mesh *f, scr_vec3 position,
                               scr_quat rotation)
{
    scr_triangles t = triangles_of(f);
    scr_surface surface;
    assert_ok(scr_world_add_mesh(world, &t, &surface, &error));
    scr_shape shape = scr_surface_shape(world, surface, material);
    scr_body_def def = scr_default_body_def();
    def.kind = SCR_FIXED;
    def.position = position;
    def.rotation = rotation;
    def.shapes = &shape;
    def.shape_count = 1;
    return add_body(world, &def);
}

// The largest change of velocity in a step, of a ball that rolls without slip in the floor's plane.
static double largest_kick(const made_mesh *f, double direction, scr_quat tilt)
{
    const double radius = 0.1, speed = 1.0;
    scr_world_def def = scr_default_world_def();
    def.time_step = 1e-3;
    def.contact.compliance = 1e-3;  // it hardly sinks in, so that it begins as it rolls on
    def.gravity = quat_rotate(tilt, vec3(0.0, 0.0, -GRAVITY));
    scr_world *world = make_world(&def);
    scr_material rubber = add_material(world, 0.5, 0.0);
    add_mesh_floor(world, rubber, f, vec3(0.3, -0.2, 0.5), tilt);
    scr_vec3 velocity = vec3(speed * cos(direction), speed * sin(direction), 0.0);
    scr_vec3 start = vec3_add(vec3_scale(-0.8, velocity), vec3(0.001234, 0.0, radius));
    scr_body_def ball = scr_default_body_def();
    scr_shape sphere = scr_sphere(radius, rubber);
    ball.position = vec3_add(vec3(0.3, -0.2, 0.5), quat_rotate(tilt, start));
    ball.velocity = quat_rotate(tilt, velocity);
    ball.spin = quat_rotate(tilt, vec3(-velocity.y / radius, velocity.x / radius, 0.0));
    ball.shapes = &sphere;
    ball.shape_count = 1;
    scr_body body = add_body(world, &ball);
    double worst = 0.0;
    scr_vec3 last = ball.velocity;
    for (int k = 0; k < 1600; ++k) {
        step(world, 1);
        scr_vec3 now = state_of(world, body).velocity;
        if (k >= SETTLING) worst = fmax(worst, vec3_norm(vec3_sub(now, last)));
        last = now;
    }
    assert_within(vec3_norm(last), speed, 1e-6);  // it got to the other side
    scr_world_destroy(world);
    return worst / speed;
}

static void a_ball_rolls_over_flat_triangles_without_a_kick(void **state)
{
    (void)state;
    static made_mesh f;
    const scr_quat tilted = quat_unit((scr_quat){0.9, 0.2, -0.3, 0.1});
    for (int kind = 0; kind < 4; ++kind) {
        if (kind < 3) fill_grid(&f, 1.2, kind == 0 ? evenly : kind == 1 ? at_random : as_slivers);
        else fill_bands(&f, 1.2);
        for (int k = 0; k < 5; ++k) {
            double deflection = largest_kick(&f, 1.3 * k, k % 2 ? tilted : QUAT_IDENTITY);
            assert_at_most(deflection, 1e-6);
        }
    }
}

static void add_height_floor(scr_world *world, scr_material material)
{
    enum { NX = 17, NY = 12 };
    const double heights[NX * NY] = {0};
    scr_heights flat = {{NX, NY}, {0.15, 0.2}, heights};
    scr_surface surface;
    assert_ok(scr_world_add_heightfield(world, &flat, &surface, &error));
    add_shape(world, SCR_FIXED, scr_surface_shape(world, surface, material), vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0));
}

// The floor's underside, closed to a box: top at z = 0.
static void add_block_floor(scr_world *world, scr_material material)
{
    made_mesh *f = malloc(sizeof *f);
    assert_non_null(f);
    clear_mesh(f);
    add_block(f, vec3(0.0, 0.0, -0.2), vec3(1.2, 1.2, 0.2));
    add_mesh_floor(world, material, f, vec3(0.0, 0.0, 0.0), QUAT_IDENTITY);
    free(f);
}

enum { PLANE_FLOOR, HEIGHT_FLOOR, BLOCK_FLOOR, MESH_FLOOR, FLOORS };

static void add_some_floor(scr_world *world, scr_material material, int floor, const made_mesh *f)
{
    if (floor == PLANE_FLOOR) add_floor(world, material);
    else if (floor == HEIGHT_FLOOR) add_height_floor(world, material);
    else if (floor == BLOCK_FLOOR) add_block_floor(world, material);
    else add_mesh_floor(world, material, f, vec3(0.0, 0.0, 0.0), QUAT_IDENTITY);
}

// Where a spinning ball thrown onto a floor is after a second of bounces and rubbing.
static scr_body_state thrown(int floor, const made_mesh *f)
{
    const double radius = 0.05;
    scr_world_def def = scr_default_world_def();
    scr_world *world = make_world(&def);
    scr_material rubber = add_material(world, 0.3, 0.6);
    add_some_floor(world, rubber, floor, f);
    scr_body_def ball = scr_default_body_def();
    scr_shape sphere = scr_sphere(radius, rubber);
    ball.position = vec3(-0.6, 0.1, 0.3);
    ball.velocity = vec3(1.0, -0.3, -1.0);
    ball.spin = vec3(5.0, -10.0, 20.0);
    ball.shapes = &sphere;
    ball.shape_count = 1;
    scr_body body = add_body(world, &ball);
    step(world, 1000);
    scr_body_state end = state_of(world, body);
    scr_world_destroy(world);
    return end;
}

static void plane_mesh_and_heightfield_rebound_and_rub_alike(void **state)
{
    (void)state;
    static made_mesh f;
    fill_grid(&f, 1.2, at_random);
    scr_body_state plane = thrown(PLANE_FLOOR, &f);
    assert_true(plane.position.x > -0.3 && fabs(plane.position.z - 0.05) < 0.2);  // it did meet the floor
    for (int floor = HEIGHT_FLOOR; floor < FLOORS; ++floor) {
        scr_body_state other = thrown(floor, &f);
        assert_within3(other.position, plane.position, 1e-9);
        assert_within3(other.velocity, plane.velocity, 1e-9);
        assert_within3(other.spin, plane.spin, 1e-7);  // the same speed at the surface
    }
}

// Shapes of every kind, thrown to slide over the floor. Their axes lie where they can rest.
static int make_sliders(scr_world *world, scr_material stone, scr_shape *shape, double *height, scr_quat *rotation)
{
    const scr_quat lying = {sqrt(0.5), sqrt(0.5), 0.0, 0.0};
    scr_vec3 corner[12];
    static made_mesh cube;
    scr_surface surface;
    int count = 0;
    shape[count] = scr_box(vec3(0.05, 0.04, 0.03), stone), height[count] = 0.03, rotation[count++] = QUAT_IDENTITY;
    shape[count] = scr_capsule(0.03, 0.06, stone), height[count] = 0.03, rotation[count++] = lying;
    shape[count] = scr_cylinder(0.05, 0.03, stone), height[count] = 0.03, rotation[count++] = QUAT_IDENTITY;
    shape[count] = scr_ellipsoid(vec3(0.06, 0.05, 0.02), stone), height[count] = 0.02,
    rotation[count++] = QUAT_IDENTITY;
    for (int k = 0; k < 12; ++k) {
        double sine, cosine, angle = M_PI * (k / 2) / 3.0 + 0.1;
        sine = sin(angle), cosine = cos(angle);
        corner[k] = vec3(0.05 * cosine, 0.05 * sine, k % 2 ? 0.03 : -0.03);
    }
    assert_ok(scr_world_add_hull(world, 12, corner, &surface, &error));
    shape[count] = scr_surface_shape(world, surface, stone), height[count] = 0.03, rotation[count++] = QUAT_IDENTITY;
    clear_mesh(&cube);
    add_block(&cube, vec3(0.0, 0.0, 0.0), vec3(0.05, 0.04, 0.03));
    scr_triangles t = triangles_of(&cube);
    assert_ok(scr_world_add_mesh(world, &t, &surface, &error));
    shape[count] = scr_surface_shape(world, surface, stone), height[count] = 0.03, rotation[count++] = QUAT_IDENTITY;
    return count;
}

enum { SLIDERS_MAX = 8 };

static int slide(int floor, const made_mesh *f, scr_body_state end[SLIDERS_MAX])
{
    scr_world_def def = scr_default_world_def();
    def.solver.tolerance = 1e-9;
    scr_world *world = make_world(&def);
    scr_material_def granite = scr_default_material_def();
    scr_material stone;
    granite.friction = 0.3, granite.young = 5e10;
    assert_ok(scr_world_add_material(world, &granite, &stone, &error));
    add_some_floor(world, stone, floor, f);
    scr_shape shape[SLIDERS_MAX];
    double height[SLIDERS_MAX];
    scr_quat rotation[SLIDERS_MAX];
    scr_body body[SLIDERS_MAX];
    int count = make_sliders(world, stone, shape, height, rotation);
    for (int k = 0; k < count; ++k) {
        scr_body_def def_k = scr_default_body_def();
        def_k.position = vec3(-0.4, -0.9 + 0.3 * k, height[k]);
        def_k.rotation = rotation[k];
        def_k.velocity = vec3(1.5, 0.0, 0.0);
        def_k.shapes = &shape[k];
        def_k.shape_count = 1;
        body[k] = add_body(world, &def_k);
    }
    step(world, 700);
    for (int k = 0; k < count; ++k) end[k] = state_of(world, body[k]);
    scr_world_destroy(world);
    return count;
}

// The same way to the same end, but for what the solver's tolerance lets them turn about the vertical.
static void shapes_slide_over_triangles_as_over_a_plane(void **state)
{
    (void)state;
    static made_mesh f;
    fill_grid(&f, 1.2, at_random);
    scr_body_state plane[SLIDERS_MAX], other[SLIDERS_MAX];
    int count = slide(PLANE_FLOOR, &f, plane);
    for (int floor = HEIGHT_FLOOR; floor < FLOORS; ++floor) {
        slide(floor, &f, other);
        for (int k = 0; k < count; ++k) {
            assert_within3(other[k].position, plane[k].position, 1e-5);
            assert_within3(other[k].velocity, plane[k].velocity, 1e-5);
        }
    }
}

// Grains fired at a sheet of triangles from both sides, at faces, edges and corners, head on and aslant.
static void fire_at_sheet(const made_mesh *f, double speed)
{
    enum { GRAINS = 60 };
    scr_world_def def = scr_default_world_def();
    def.gravity = vec3(0.0, 0.0, 0.0);
    scr_world *world = make_world(&def);
    scr_material steel = add_material(world, 0.2, 0.5);
    scr_body grain[GRAINS];
    add_mesh_floor(world, steel, f, vec3(0.0, 0.0, 0.0), QUAT_IDENTITY);
    for (int k = 0; k < GRAINS; ++k) {
        double side = k % 2 ? 1.0 : -1.0, distance = random_in(0.01, 0.3, 1000 + (uint64_t)k);
        scr_vec3 at = f->vertex[(4 + 3 * (k / 10)) * (GRID + 1) + 3 + 2 * (k % 10)];  // a corner of triangles
        if (k % 3 > 0) at = vec3_add(at, vec3(0.03, k % 3 == 1 ? 0.03 : 0.0, 0.0));
        scr_vec3 way = k % 4 == 0 ? vec3(0.0, 0.0, -side) : vec3(random_in(-0.2, 0.2, (uint64_t)k), 0.1, -side);
        grain[k] = add_sphere(world, steel, 0.002, vec3_add_scaled(at, -distance, way), vec3_scale(speed, way));
    }
    step(world, (int)(0.5 / (speed * def.time_step)) + 3);
    for (int k = 0; k < GRAINS; ++k)
        if (!((k % 2 ? 1.0 : -1.0) * state_of(world, grain[k]).position.z > 0.0))
            fail_msg("grain %d went through at %g m/s", k, speed);
    scr_world_destroy(world);
}

static void no_grain_passes_a_sheet(void **state)
{
    (void)state;
    static made_mesh f;
    fill_grid(&f, 1.2, at_random);
    for (double speed = 1.0; speed < 600.0; speed *= 5.0) fire_at_sheet(&f, speed);
}

// Grains, boxes and a tumbling mesh on rough ground: one state for every number of threads.
static uint64_t rough_hash(int threads)
{
    enum { NX = 20 };
    static double height[NX * NX];
    for (int k = 0; k < NX * NX; ++k) height[k] = random_in(0.0, 0.03, (uint64_t)k);
    scr_heights rough = {{NX, NX}, {0.05, 0.05}, height};
    scr_world_def def = scr_default_world_def();
    def.thread_count = threads;
    scr_world *world = make_world(&def);
    scr_material stone = add_material(world, 0.4, 0.1);
    scr_surface ground;
    assert_ok(scr_world_add_heightfield(world, &rough, &ground, &error));
    add_shape(world, SCR_FIXED, scr_surface_shape(world, ground, stone), vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0));
    scr_shape shape[SLIDERS_MAX];
    double above[SLIDERS_MAX];
    scr_quat rotation[SLIDERS_MAX];
    int kinds = make_sliders(world, stone, shape, above, rotation);
    for (int k = 0; k < 40; ++k) {
        scr_vec3 at = vec3(0.12 * (k % 5) - 0.24, 0.12 * (k / 5 % 4) - 0.2, 0.15 + 0.15 * (k / 20));
        add_shape(world, SCR_DYNAMIC, k % 2 ? shape[k / 2 % kinds] : scr_sphere(0.03, stone), at, vec3(0.5, 0.2, -1.0));
    }
    step(world, 150);
    uint64_t hash = scr_world_hash(world);
    scr_world_destroy(world);
    return hash;
}

static void thread_count_never_changes_the_hash(void **state)
{
    (void)state;
    uint64_t one = rough_hash(1);
    for (int threads = 2; threads <= 3; ++threads) assert_true(rough_hash(threads) == one);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_rolls_over_flat_triangles_without_a_kick),
        cmocka_unit_test(plane_mesh_and_heightfield_rebound_and_rub_alike),
        cmocka_unit_test(shapes_slide_over_triangles_as_over_a_plane),
        cmocka_unit_test(no_grain_passes_a_sheet),
        cmocka_unit_test(thread_count_never_changes_the_hash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
