// SPDX-License-Identifier: BSD-3-Clause
// Trajectories: what was appended is read back to the bit, also after a kill, a cut and damage.
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "core/file/safe_file.h"
#include "io/scratch_directory.h"
#include "io/trajectory/trajectory.h"

static const frame_size USUAL = {.spheres = 5000, .boxes = 50, .planes = 2, .parts = 300, .contacts = 400};

// Two surfaces of a tetrahedron and a triangle.
static float vertex[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 5, 5, 5, 6, 5, 5, 5, 6, 5};
static int32_t triangle[] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3, 0, 1, 2};
static frame_surface item[] = {{0, 4, 0, 4}, {4, 3, 4, 1}};
static const frame_surfaces SURFACES = {
    .item = item, .count = 2, .vertex = vertex, .vertex_count = 7, .triangle = triangle, .triangle_count = 5};

// Frame number i: numbers of shapes that vary from frame to frame, and every number different.
static void make_frame(frame *f, int64_t i)
{
    int64_t spheres = (i * 7919) % 9000, boxes = (i * 13) % 150, planes = i % 4, parts = (i * 97) % 700,
            touching = (i * 31) % 900;
    int64_t rotations = i % 2 == 0 ? spheres : 0;
    assert_int_equal(frame_reserve(f, (frame_size){spheres, boxes, planes, parts, touching, rotations, 0}, NULL),
                     SCR_OK);
    f->time = 0.1 * (double)i;
    f->spheres.count = spheres;
    f->box_count = boxes;
    f->plane_count = planes;
    f->part_count = parts;
    f->contact_count = touching;
    f->rotation_count = rotations;
    for (int64_t k = 0; k < spheres; ++k) {
        for (int d = 0; d < 3; ++d) {
            f->spheres.position[3 * k + d] = (float)(i + k) + 0.25f * (float)d;
            f->spheres.velocity[3 * k + d] = (float)(i - k) - 0.25f * (float)d;
        }
        f->spheres.radius[k] = 1.0f / (float)(1 + i + k);
        f->spheres.id[k] = (uint32_t)(1000 * i + k);
        f->spheres.material[k] = (uint8_t)(i + k);
    }
    for (int64_t k = 0; k < boxes; ++k) {
        float x = (float)(i + k);
        f->boxes[k] = (frame_shape){
            {x, 2 * x, 3 * x}, {1, 0, 0, 0}, {1 + x, 2, 3}, {x, 0, 1}, {x, -x, 7}, -1, (uint32_t)(i + k), 1, 2,
            SCR_BOX,           {0}};
    }
    for (int64_t k = 0; k < planes; ++k) {
        float z = (float)(i * k);
        f->planes[k] = (frame_shape){.position = {0, 0, z},
                                     .rotation = {0, 1, 0, 0},
                                     .surface = -1,
                                     .id = (uint32_t)k,
                                     .material = 3,
                                     .kind = SCR_FIXED,
                                     .shape = SCR_PLANE};
    }
    for (int64_t k = 0; k < rotations; ++k) {
        float x = (float)(i + k);
        f->rotations[k] = (frame_rotation){{x, 1, 2, 3}, {-x, 4, x}};
    }
    for (int64_t k = 0; k < touching; ++k) {
        float x = (float)(i + k);
        f->contacts[k] = (frame_contact){{x, 1, 2, 3, x, 5}, {x, -x, 0.5f * x}, {(uint32_t)i, (uint32_t)k}};
    }
    for (int64_t k = 0; k < parts; ++k) {
        float x = (float)(i + k);
        f->parts[k] = (frame_shape){{x, 2, 3 * x},
                                    {0, 0, 1, 0},
                                    {1 + x, 2, 3},
                                    {x, 0, 1},
                                    {x, 8, -x},
                                    (int32_t)(k % 3) - 1,
                                    (uint32_t)(i + k),
                                    1,
                                    2,
                                    (uint8_t)(k % 9),
                                    {0}};
    }
}

static void assert_same_contact(const frame_contact *a, const frame_contact *b)
{
    assert_memory_equal(a->ends, b->ends, sizeof a->ends);
    assert_memory_equal(a->force, b->force, sizeof a->force);
    assert_memory_equal(a->bodies, b->bodies, sizeof a->bodies);
}

static void assert_same_shape(const frame_shape *a, const frame_shape *b)
{
    assert_memory_equal(a->position, b->position, sizeof a->position);
    assert_memory_equal(a->rotation, b->rotation, sizeof a->rotation);
    assert_memory_equal(a->half, b->half, sizeof a->half);
    assert_memory_equal(a->velocity, b->velocity, sizeof a->velocity);
    assert_memory_equal(a->angular_velocity, b->angular_velocity, sizeof a->angular_velocity);
    assert_int_equal(a->surface, b->surface);
    assert_int_equal(a->id, b->id);
    assert_int_equal(a->material, b->material);
    assert_int_equal(a->kind, b->kind);
    assert_int_equal(a->shape, b->shape);
}

static void assert_same_frame(const frame *a, const frame *b)
{
    size_t n = (size_t)a->spheres.count;
    assert_true(a->time == b->time);
    assert_int_equal(a->spheres.count, b->spheres.count);
    assert_int_equal(a->box_count, b->box_count);
    assert_int_equal(a->plane_count, b->plane_count);
    assert_int_equal(a->part_count, b->part_count);
    assert_int_equal(a->contact_count, b->contact_count);
    for (int64_t k = 0; k < a->contact_count; ++k) assert_same_contact(&a->contacts[k], &b->contacts[k]);
    assert_int_equal(a->rotation_count, b->rotation_count);
    for (int64_t k = 0; k < a->rotation_count; ++k)
        assert_memory_equal(&a->rotations[k], &b->rotations[k], sizeof *a->rotations);
    for (int64_t k = 0; k < a->part_count; ++k) assert_same_shape(&a->parts[k], &b->parts[k]);
    if (n > 0) {
        assert_memory_equal(a->spheres.position, b->spheres.position, 3 * n * sizeof(float));
        assert_memory_equal(a->spheres.velocity, b->spheres.velocity, 3 * n * sizeof(float));
        assert_memory_equal(a->spheres.radius, b->spheres.radius, n * sizeof(float));
        assert_memory_equal(a->spheres.id, b->spheres.id, n * sizeof(uint32_t));
        assert_memory_equal(a->spheres.material, b->spheres.material, n);
    }
    for (int64_t k = 0; k < a->box_count; ++k) assert_same_shape(&a->boxes[k], &b->boxes[k]);
    for (int64_t k = 0; k < a->plane_count; ++k) assert_same_shape(&a->planes[k], &b->planes[k]);
}

static void assert_same_surfaces(const frame_surfaces *s)
{
    assert_int_equal(s->count, SURFACES.count);
    assert_int_equal(s->vertex_count, SURFACES.vertex_count);
    assert_int_equal(s->triangle_count, SURFACES.triangle_count);
    assert_memory_equal(s->item, item, sizeof item);
    assert_memory_equal(s->vertex, vertex, sizeof vertex);
    assert_memory_equal(s->triangle, triangle, sizeof triangle);
}

// True if an operation succeeded; says why if not.
static bool ok(scr_status status, const scr_error *error)
{
    if (status != SCR_OK) print_error("%s\n", error->message);
    return status == SCR_OK;
}

static void append_frames(trajectory *t, int64_t first, int64_t end)
{
    frame f = {0};
    scr_error error;
    for (int64_t i = first; i < end; ++i) {
        make_frame(&f, i);
        assert_true(ok(trajectory_append(t, &f, &error), &error));
    }
    frame_free(&f);
}

// All frames that are there are those that were made. Returns their number.
static int64_t assert_frames(const char *directory, int64_t first)
{
    trajectory *t = NULL;
    frame expected = {0}, found = {0};
    scr_error error;
    assert_true(ok(trajectory_open(directory, &t, &error), &error));
    int64_t count = trajectory_frame_count(t);
    for (int64_t i = first < 0 ? 0 : first; i < count; ++i) {
        make_frame(&expected, i);
        assert_true(trajectory_frame_time(t, i) == expected.time);
        assert_true(ok(trajectory_read(t, i, &found, &error), &error));
        assert_same_frame(&found, &expected);
        assert_same_surfaces(found.surfaces);
    }
    frame_free(&expected);
    frame_free(&found);
    trajectory_close(t, NULL);
    return count;
}

static void frames_are_read_back_to_the_bit(void **state)
{
    trajectory *t = NULL;
    scr_error error;
    assert_true(ok(trajectory_create(*state, USUAL, &SURFACES, NULL, &t, &error), &error));
    append_frames(t, 0, 30);
    assert_int_equal(trajectory_frame_count(t), 30);
    assert_true(ok(trajectory_close(t, &error), &error));
    assert_int_equal(assert_frames(*state, 0), 30);
}

static void remove_trajectory(const char *directory)
{
    char path[PATH_LENGTH_MAX];
    assert_int_equal(path_join(path, directory, "trajectory.h5", NULL), SCR_OK);
    unlink(path);
}

// A sphere set is in the file once, whatever the number of frames, and in every frame that is read as its spheres.
static void sphere_sets_are_written_once(void **state)
{
    enum { COUNT = 20000, FRAMES = 10 };
    static float sphere[4 * COUNT];
    static const frame_size usual = {.parts = 1};
    frame_surface none = {0};
    frame_sphere_set all = {0, COUNT};
    for (int k = 0; k < 4 * COUNT; ++k) sphere[k] = (float)(k % 4 == 3 ? 1 : k);
    const frame_surfaces made_of = {.item = &none, .count = 1, .set = &all, .sphere = sphere, .sphere_count = COUNT};
    frame_shape part = {.rotation = {1, 0, 0, 0}, .surface = 0, .id = 7, .material = 2, .shape = SCR_SPHERE_SET};
    frame written = {.parts = &part, .part_count = 1}, found = {0};
    char path[300];
    struct stat file;
    trajectory *t;
    scr_error error;
    assert_int_equal(trajectory_create(*state, usual, &made_of, NULL, &t, &error), SCR_OK);
    for (int i = 0; i < FRAMES; ++i) {
        written.time = i;
        part.position[0] = (float)i;
        assert_int_equal(trajectory_append(t, &written, &error), SCR_OK);
    }
    assert_int_equal(trajectory_close(t, &error), SCR_OK);
    snprintf(path, sizeof path, "%s/trajectory.h5", (const char *)*state);
    assert_int_equal(stat(path, &file), 0);
    assert_true(file.st_size < (off_t)(3 * sizeof sphere));
    assert_int_equal(trajectory_open(*state, &t, &error), SCR_OK);
    for (int i = 0; i < FRAMES; ++i) {
        if (trajectory_read(t, i, &found, &error) != SCR_OK) fail_msg("%s", error.message);
        assert_int_equal(found.spheres.count, COUNT);
        assert_int_equal(found.part_count, 0);
        for (int k = 0; k < COUNT; ++k) {
            assert_true(found.spheres.position[3 * k] == sphere[4 * k] + (float)i);
            assert_true(found.spheres.position[3 * k + 2] == sphere[4 * k + 2] && found.spheres.radius[k] == 1.0f);
            assert_true(found.spheres.id[k] == 7 && found.spheres.material[k] == 2);
        }
    }
    trajectory_close(t, NULL);
    frame_free(&found);
}

// Whether spheres have rotations is said of the file, not by rows: a frame may have no other spheres than a set's.
static void a_set_alone_has_rotations_where_spheres_do(void **state)
{
    enum { COUNT = 3 };
    float sphere[4 * COUNT] = {0, 0, 0, 1, 1, 0, 0, 1, 2, 0, 0, 1};
    frame_surface none = {0};
    frame_sphere_set all = {0, COUNT};
    const frame_surfaces made_of = {.item = &none, .count = 1, .set = &all, .sphere = sphere, .sphere_count = COUNT};
    frame_shape part = {.rotation = {0.6f, 0, 0.8f, 0}, .angular_velocity = {1, 2, 3}, .shape = SCR_SPHERE_SET};
    frame written = {.parts = &part, .part_count = 1}, found = {0};
    trajectory *t;
    scr_error error;
    for (int wanted = 0; wanted < 2; ++wanted) {
        const frame_size usual = {.parts = 1, .rotations = wanted};
        remove_trajectory(*state);
        assert_true(ok(trajectory_create(*state, usual, &made_of, NULL, &t, &error), &error));
        assert_true(ok(trajectory_append(t, &written, &error), &error));
        assert_true(ok(trajectory_close(t, &error), &error));
        assert_true(ok(trajectory_open(*state, &t, &error), &error));
        assert_true(ok(trajectory_read(t, 0, &found, &error), &error));
        assert_int_equal(found.spheres.count, COUNT);
        assert_int_equal(found.rotation_count, wanted ? COUNT : 0);
        for (int64_t k = 0; k < found.rotation_count; ++k) {
            assert_memory_equal(found.rotations[k].rotation, part.rotation, sizeof part.rotation);
            assert_memory_equal(found.rotations[k].angular_velocity, part.angular_velocity,
                                sizeof part.angular_velocity);
        }
        trajectory_close(t, NULL);
    }
    frame_free(&found);
}

// The file keeps the cell and how far things have come; readers get them in the cell. Without a cell nothing moves.
static void a_cell_is_kept_and_frames_are_read_within_it(void **state)
{
    const periodic_cell cell = {.any = true, .low = {-1, 0, 0.5}, .length = {2, 0, 0.25}, .inverse = {0.5, 0, 4}};
    trajectory *t = NULL;
    scr_error error;
    frame made = {0}, found = {0};
    assert_true(ok(trajectory_create(*state, USUAL, &SURFACES, &cell, &t, &error), &error));
    append_frames(t, 0, 8);
    assert_true(ok(trajectory_close(t, &error), &error));
    assert_true(ok(trajectory_open(*state, &t, &error), &error));
    assert_memory_equal(trajectory_period(t)->low, cell.low, sizeof cell.low);
    assert_memory_equal(trajectory_period(t)->length, cell.length, sizeof cell.length);
    assert_true(ok(trajectory_read(t, 7, &found, &error), &error));
    make_frame(&made, 7);
    assert_true(found.spheres.count > 0 && found.image_count == found.spheres.count && found.part_count > 0);
    for (int64_t i = 0; i < found.spheres.count; ++i) {
        const float *p = &found.spheres.position[3 * i], *was = &made.spheres.position[3 * i];
        assert_true(p[0] >= -1 && p[0] <= 1 && p[2] >= 0.5f && p[2] <= 0.75f);
        for (int axis = 0; axis < 3; ++axis) {
            double back = p[axis] + found.images[i].along[axis] * cell.length[axis];
            assert_within(back, was[axis], 1e-6 * fabs(was[axis]) + 1e-6);
        }
    }
    for (int64_t i = 0; i < found.part_count; ++i) {
        assert_true(found.parts[i].position[0] >= -1 && found.parts[i].position[0] <= 1);
        assert_within(found.parts[i].position[0] + 2 * found.parts[i].image[0], made.parts[i].position[0], 1e-6);
    }
    trajectory_close(t, NULL);
    frame_free(&made);
    frame_free(&found);
}

static void frames_can_be_read_while_the_run_goes_on(void **state)
{
    trajectory *t = NULL;
    scr_error error;
    assert_true(ok(trajectory_create(*state, USUAL, &SURFACES, NULL, &t, &error), &error));
    for (int64_t i = 0; i < 5; ++i) {
        append_frames(t, i, i + 1);
        // In another process: HDF5 would notice that the file is open in this one.
        pid_t child = fork();
        if (child == 0) _exit(assert_frames(*state, 0) == i + 1 ? 0 : 1);
        int result = -1;
        waitpid(child, &result, 0);
        assert_int_equal(result, 0);
    }
    trajectory_close(t, NULL);
}

static void going_on_forgets_later_frames(void **state)
{
    trajectory *t = NULL;
    scr_error error;
    assert_true(ok(trajectory_create(*state, USUAL, &SURFACES, NULL, &t, &error), &error));
    append_frames(t, 0, 20);
    assert_true(ok(trajectory_close(t, &error), &error));
    // Other frames than before take the place of those from number 7 on.
    assert_true(ok(trajectory_continue(*state, 7, -1.0, &t, &error), &error));
    assert_int_equal(trajectory_frame_count(t), 7);
    frame f = {0};
    make_frame(&f, 1000);
    assert_true(ok(trajectory_append(t, &f, &error), &error));
    assert_true(ok(trajectory_close(t, &error), &error));
    assert_true(ok(trajectory_open(*state, &t, &error), &error));
    assert_int_equal(trajectory_frame_count(t), 8);
    frame found = {0};
    assert_true(ok(trajectory_read(t, 7, &found, &error), &error));
    assert_same_frame(&found, &f);
    trajectory_close(t, NULL);
    frame_free(&f);
    frame_free(&found);
    assert_true(ok(trajectory_continue(*state, 7, -1.0, &t, &error), &error));
    append_frames(t, 7, 30);
    assert_true(ok(trajectory_close(t, &error), &error));
    assert_int_equal(assert_frames(*state, 0), 30);
}

static void frames_that_are_not_there_are_refused(void **state)
{
    trajectory *t = NULL;
    frame f = {0};
    scr_error error;
    assert_int_equal(trajectory_open(*state, &t, &error), SCR_IO);
    assert_non_null(strstr(error.message, "trajectory.h5: cannot read: No such file"));
    assert_true(ok(trajectory_create(*state, USUAL, &SURFACES, NULL, &t, &error), &error));
    append_frames(t, 0, 3);
    trajectory_close(t, NULL);
    t = NULL;
    assert_int_equal(trajectory_continue(*state, 4, -1.0, &t, &error), SCR_IO);
    assert_non_null(strstr(error.message, "only 3 frames are there, but 4 were written"));
    assert_true(ok(trajectory_open(*state, &t, &error), &error));
    assert_int_equal(trajectory_read(t, 3, &f, &error), SCR_BAD_INPUT);
    assert_int_equal(trajectory_read(t, -1, &f, &error), SCR_BAD_INPUT);
    trajectory_close(t, NULL);
    frame_free(&f);
    assert_int_equal(assert_frames(*state, 0), 3);
}

// A trajectory replaces nothing: what is in its place goes first.

static void what_is_there_is_not_replaced(void **state)
{
    char path[PATH_LENGTH_MAX], target[PATH_LENGTH_MAX];
    trajectory *t = NULL;
    scr_error error = {0};
    assert_int_equal(path_join(path, *state, "trajectory.h5", NULL), SCR_OK);
    assert_int_equal(path_join(target, *state, "precious", NULL), SCR_OK);
    assert_int_equal(symlink(target, path), 0);  // a link to nothing: to make its target would be to follow it
    assert_int_equal(trajectory_create(*state, USUAL, &SURFACES, NULL, &t, &error), SCR_IO);
    assert_non_null(strstr(error.message, "File exists"));
    assert_false(path_exists(target));
}

// In a child: frames from `first` on until it is killed. first < 0: a new file.
static void write_until_killed(const char *directory, int64_t first)
{
    trajectory *t = NULL;
    frame f = {0};
    scr_status status = first < 0 ? trajectory_create(directory, USUAL, &SURFACES, NULL, &t, NULL)
                                  : trajectory_continue(directory, first, -1.0, &t, NULL);
    for (int64_t i = first < 0 ? 0 : first; status == SCR_OK; ++i) {
        make_frame(&f, i);
        status = trajectory_append(t, &f, NULL);
    }
    _exit(1);
}

// In a child: frames of a new file until it is killed; a byte to `said` when the first is there.
static void write_and_say_so(const char *directory, int said)
{
    trajectory *t = NULL;
    frame f = {0};
    scr_status status = trajectory_create(directory, USUAL, &SURFACES, NULL, &t, NULL);
    for (int64_t i = 0; status == SCR_OK; ++i) {
        make_frame(&f, i);
        status = trajectory_append(t, &f, NULL);
        if (i == 0 && (status != SCR_OK || write(said, "", 1) != 1)) break;
    }
    _exit(1);
}

// Whoever looks at a run that goes on finds whole frames, whatever is being written meanwhile.
static void a_reader_never_meets_half_a_frame(void **state)
{
    enum { LOOKS = 300, LEAST = 20 };  // and at least so many frames written meanwhile
    int said[2];
    char byte;
    int64_t count = 1;
    scr_error error;
    assert_int_equal(pipe(said), 0);
    pid_t child = fork();
    if (child == 0) write_and_say_so(*state, said[1]);
    close(said[1]);
    assert_int_equal(read(said[0], &byte, 1), 1);
    close(said[0]);
    for (int look = 0; look < LOOKS || (count < LEAST && look < 100 * LOOKS); ++look) {
        trajectory *t = NULL;
        bool is_read = trajectory_open(*state, &t, &error) == SCR_OK;
        int64_t found = is_read ? trajectory_frame_count(t) : -1;
        if (is_read) trajectory_close(t, NULL);
        if (found < count) kill(child, SIGKILL);
        if (!is_read) fail_msg("%s", error.message);
        assert_true(found >= count);
        count = found;
    }
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    assert_true(count >= LEAST);
}

// Nor does whoever opens the file as soon as it is there keep the run from writing it.
static void a_reader_may_come_as_early_as_it_likes(void **state)
{
    enum { ROUNDS = 40 };
    for (int round = 0; round < ROUNDS; ++round) {
        int said[2];
        assert_int_equal(pipe(said), 0);
        pid_t child = fork();
        if (child == 0) write_and_say_so(*state, said[1]);
        close(said[1]);
        assert_int_equal(fcntl(said[0], F_SETFL, O_NONBLOCK), 0);
        char byte;
        ssize_t got;
        while ((got = read(said[0], &byte, 1)) < 0 && errno == EAGAIN) {
            trajectory *t = NULL;
            if (trajectory_open(*state, &t, NULL) == SCR_OK) trajectory_close(t, NULL);
        }
        close(said[0]);
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        assert_int_equal(got, 1);  // or the child gave up: it could not create the file, or not write to it
        remove_trajectory(*state);
    }
}

// Kill the writer at any moment; then go on from one of the last frames, as a resume does from a checkpoint.
static void a_kill_loses_no_complete_frame(void **state)
{
    uint32_t random = 12345;
    int64_t first = -1, most = 0;
    for (int round = 0; round < 60 || (most <= 20 && round < 1000); ++round) {  // a slow machine writes less in a round
        random = random * 1664525u + 1013904223u;
        pid_t child = fork();
        if (child == 0) write_until_killed(*state, first);
        uint64_t limit = 20000000u * (1 + (uint64_t)round / 60);  // ns: up to 20 ms, then more
        struct timespec moment = {0, (long)(limit * (random >> 8) >> 24)};
        nanosleep(&moment, NULL);
        kill(child, SIGKILL);
        int result = 0;
        waitpid(child, &result, 0);
        assert_true(WIFSIGNALED(result));  // and not ended because a write failed
        trajectory *t = NULL;
        if (first < 0 && trajectory_open(*state, &t, NULL) != SCR_OK) {  // killed before it was made
            remove_trajectory(*state);
            continue;
        }
        trajectory_close(t, NULL);
        int64_t count = assert_frames(*state, first - 5);
        assert_true(count >= first);
        if (count > most) most = count;
        first = count - (int64_t)((random >> 4) % 4);
        if (first < 0) first = 0;
    }
    assert_int_equal(assert_frames(*state, 0) >= first, 1);
    assert_true(most > 20);  // else the rounds were too short to test anything
}

// Whatever byte is changed, reading ends with the right frame or with a sentence; never with a wrong number or a crash.
static void damage_is_a_sentence(void **state)
{
    trajectory *t = NULL;
    scr_error error;
    char path[PATH_LENGTH_MAX], *whole;
    size_t size;
    assert_true(ok(trajectory_create(*state, USUAL, &SURFACES, NULL, &t, &error), &error));
    append_frames(t, 0, 3);
    assert_true(ok(trajectory_close(t, &error), &error));
    assert_int_equal(path_join(path, *state, "trajectory.h5", NULL), SCR_OK);
    assert_true(ok(file_read(path, &whole, &size, &error), &error));
    int refused = 0, frames_refused = 0;
    for (size_t round = 0; round < 400; ++round) {
        size_t at = round < 200 ? 10 * round : size * (round - 200) / 200;  // the beginning closely, then all of it
        char before = whole[at];
        whole[at] = (char)(before ^ (1 << round % 8));
        overwrite_file(path, whole, size);
        whole[at] = before;
        frame f = {0};
        if (trajectory_open(*state, &t, &error) != SCR_OK) {
            assert_non_null(strstr(error.message, "trajectory.h5"));
            ++refused;
            continue;
        }
        frame expected = {0};
        for (int64_t i = 0; i < trajectory_frame_count(t); ++i) {
            make_frame(&expected, i);
            if (trajectory_read(t, i, &f, &error) == SCR_OK) assert_same_frame(&f, &expected);
            else ++frames_refused;
        }
        trajectory_close(t, NULL);
        frame_free(&f);
        frame_free(&expected);
    }
    assert_true(refused > 50 && frames_refused > 20);
    for (size_t part = 0; part < 20; ++part) {
        overwrite_file(path, whole, size * part / 20);
        t = NULL;
        trajectory_open(*state, &t, &error);
        trajectory_close(t, NULL);
    }
    free(whole);
}

static void the_xdmf_file_names_every_frame(void **state)
{
    trajectory *t = NULL;
    scr_error error;
    char path[PATH_LENGTH_MAX], *text;
    assert_true(ok(trajectory_create(*state, USUAL, &SURFACES, NULL, &t, &error), &error));
    append_frames(t, 0, 12);
    assert_true(ok(trajectory_sync(t, &error), &error));
    assert_int_equal(path_join(path, *state, "trajectory.xdmf", NULL), SCR_OK);
    assert_true(ok(file_read(path, &text, NULL, &error), &error));
    int times = 0;
    for (const char *at = text; (at = strstr(at, "<Time Value=")) != NULL; ++at) ++times;
    assert_int_equal(times, 12);
    free(text);
    trajectory_close(t, NULL);
}

// Each allocation fails once: the sentence is about memory, and afterwards all is well.
static void running_out_of_memory_is_a_sentence(void **state)
{
    frame f = {0};
    make_frame(&f, 20);
    for (int64_t n = 0;; ++n) {
        trajectory *t = NULL;
        scr_error error = {0};
        remove_trajectory(*state);
        scr_fail_allocation_in(n);
        scr_status status = trajectory_create(*state, USUAL, &SURFACES, NULL, &t, &error);
        if (status == SCR_OK) status = trajectory_append(t, &f, &error);
        scr_fail_allocation_in(-1);
        if (status == SCR_OK) {
            trajectory_close(t, NULL);
            assert_true(n > 0);
            break;
        }
        assert_int_equal(status, SCR_NO_MEMORY);
        assert_non_null(strstr(error.message, "out of memory"));
        if (t != NULL) assert_int_equal(trajectory_append(t, &f, &error), SCR_OK);
        trajectory_close(t, NULL);
    }
    frame_free(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        scratch_test(frames_are_read_back_to_the_bit),     scratch_test(frames_can_be_read_while_the_run_goes_on),
        scratch_test(going_on_forgets_later_frames),       scratch_test(frames_that_are_not_there_are_refused),
        scratch_test(a_kill_loses_no_complete_frame),      scratch_test(damage_is_a_sentence),
        scratch_test(what_is_there_is_not_replaced),       scratch_test(the_xdmf_file_names_every_frame),
        scratch_test(running_out_of_memory_is_a_sentence), scratch_test(a_cell_is_kept_and_frames_are_read_within_it),
        scratch_test(a_reader_never_meets_half_a_frame),   scratch_test(a_reader_may_come_as_early_as_it_likes),
        scratch_test(sphere_sets_are_written_once),        scratch_test(a_set_alone_has_rotations_where_spheres_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
