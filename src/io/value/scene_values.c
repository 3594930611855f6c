// SPDX-License-Identifier: BSD-3-Clause
// Values that several sections of a scene have: names, rotations, regions, sizes of grains.
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/maths/quat.h"
#include "core/maths/trig.h"
#include "core/text/nearest_name.h"
#include "io/value/scene_values.h"

static const double PI = 3.14159265358979323846;

// Directions and quaternions are made unit vectors; beyond these lengths that would lose them.
static const double NORM_MIN = 1e-6, NORM_MAX = 1e6;

// Names appear in messages, in --set paths and in the header of probes.csv.
static bool is_good_name(const char *text)
{
    size_t length = strlen(text);
    if (length == 0 || length > NAME_MAX_LENGTH || text[0] == ' ' || text[length - 1] == ' ') return false;
    for (size_t i = 0; i < length; ++i) {
        unsigned char c = (unsigned char)text[i];
        if (c < 0x20 || c == 0x7f || strchr(".,;\"\\", c) != NULL) return false;
    }
    return true;
}

void read_new_name(json_cursor *at, const char *text, name_index *names, int index, scene_name name)
{
    name[0] = '\0';
    if (!cursor_is_ok(at)) return;
    if (!is_good_name(text)) {
        cursor_fail(at, "\"%s\" is no name: a name has 1 to %d bytes, no . , ; \" or \\, and no space at its ends",
                    shown(text).text, NAME_MAX_LENGTH);
        return;
    }
    if (json_object_get(names->by_name, text) != NULL) {
        cursor_fail(at, "there is another %s called \"%s\"; names must differ", names->what, shown(text).text);
        return;
    }
    if (json_object_set_new(names->by_name, text, json_integer(index)) != 0) {
        cursor_fail_memory(at, 0, "names");
        return;
    }
    memcpy(name, text, strlen(text) + 1);
}

void read_name(json_cursor *at, name_index *names, int index, bool is_needed, scene_name name)
{
    name[0] = '\0';
    if (!is_needed && !cursor_has(at, "name")) {
        json_cursor absent = cursor_member(at, "name");
        if (absent.value == NULL) cursor_store(&absent, json_null());
        return;
    }
    const char *text = cursor_text(at, "name", NULL);
    json_cursor member = cursor_member(at, "name");
    read_new_name(&member, text, names, index, name);
}

int find_name_or(json_cursor *at, const name_index *names, const char *name, const char *other)
{
    if (!cursor_is_ok(at)) return 0;
    json_t *index = json_object_get(names->by_name, name);
    if (index != NULL) return (int)json_integer_value(index);
    if (other != NULL && strcmp(name, other) == 0) return -1;
    nearest_name nearest = nearest_to(name);
    if (other != NULL) nearest_offer(&nearest, other);
    const char *known, *last = NULL;
    json_t *value;
    json_object_foreach(names->by_name, known, value)
    {
        nearest_offer(&nearest, known);
        last = known;
    }
    if (nearest.best != NULL) {
        cursor_fail(at, "there is no %s \"%s\"; did you mean \"%s\"?", names->what, shown(name).text, nearest.best);
    } else if (last != NULL && json_object_size(names->by_name) == 1) {
        cursor_fail(at, "there is no %s \"%s\"; the only one is \"%s\"", names->what, shown(name).text, last);
    } else {
        cursor_fail(at, "there is no %s \"%s\" in the scene", names->what, shown(name).text);
    }
    return 0;
}

int find_name(json_cursor *at, const name_index *names, const char *name)
{
    return find_name_or(at, names, name, NULL);
}

int read_name_of(json_cursor *at, const char *key, const name_index *names)
{
    const char *name = cursor_text(at, key, NULL);
    json_cursor member = cursor_member(at, key);
    return find_name(&member, names, name);
}

void read_name_list(json_cursor *list, const name_index *names, const char *what, int *found, size_t count)
{
    cursor_expect_list(list, count, what);
    for (size_t k = 0; k < count && cursor_is_ok(list); ++k) {
        json_cursor entry = cursor_entry(list, k);
        const char *name = cursor_value_text(&entry);
        found[k] = find_name(&entry, names, name);
    }
}

scr_vec3 read_direction(json_cursor *at, const char *key, const scr_vec3 *fallback)
{
    scr_vec3 v = cursor_vector(at, key, fallback, RANGE_ANY);
    double norm = vec3_norm(v);
    if (cursor_is_ok(at) && !(norm >= NORM_MIN && norm <= NORM_MAX)) {
        json_cursor member = cursor_member(at, key);
        cursor_fail(&member, "\"%s\" must be a direction of length %g to %g, not [%g, %g, %g]", key, NORM_MIN, NORM_MAX,
                    v.x, v.y, v.z);
    }
    return vec3_unit(v);
}

static scr_quat read_quaternion(json_cursor *at)
{
    double q[4] = {1.0, 0.0, 0.0, 0.0};
    cursor_expect_list(at, 4, "four numbers w, x, y, z");
    for (size_t i = 0; i < 4 && cursor_is_ok(at); ++i) {
        json_cursor entry = cursor_entry(at, i);
        q[i] = cursor_value_number(&entry, RANGE_ANY);
    }
    scr_quat rotation = {q[0], q[1], q[2], q[3]};
    double norm = sqrt(quat_norm2(rotation));
    if (cursor_is_ok(at) && !(norm >= NORM_MIN && norm <= NORM_MAX)) {
        cursor_fail(at, "\"%s\" must be a quaternion of length %g to %g; [1, 0, 0, 0] is no rotation",
                    cursor_shown_name(at).text, NORM_MIN, NORM_MAX);
    }
    return cursor_is_ok(at) ? quat_unit(rotation) : QUAT_IDENTITY;
}

static scr_quat read_axis_and_angle(json_cursor *at)
{
    static const number_range degrees = {-1e6, 1e6, false, false};
    scr_vec3 axis = read_direction(at, "axis", NULL);
    double half = cursor_needed_number(at, "angle_degrees", degrees) * PI / 360.0, sine, cosine;
    cursor_close(at);
    scr_sincos(half, &sine, &cosine);
    return quat_unit((scr_quat){cosine, sine * axis.x, sine * axis.y, sine * axis.z});
}

scr_quat read_rotation(json_cursor *at, const char *key)
{
    json_cursor member = cursor_member(at, key);
    if (member.value == NULL) cursor_store(&member, json_pack("[i,i,i,i]", 1, 0, 0, 0));
    if (!cursor_is_ok(at)) return QUAT_IDENTITY;
    if (json_is_object(member.value)) return read_axis_and_angle(&member);
    if (json_is_array(member.value)) return read_quaternion(&member);
    cursor_fail(&member, "\"%s\" must be [w, x, y, z] or {\"axis\": [x, y, z], \"angle_degrees\": a}, not %s", key,
                json_type_name(member.value));
    return QUAT_IDENTITY;
}

static void expect_low_below_high(json_cursor *at, const char *key, scr_vec3 low, scr_vec3 high)
{
    if (!cursor_is_ok(at) || (low.x < high.x && low.y < high.y && low.z < high.z)) return;
    json_cursor member = cursor_member(at, key);
    cursor_fail(&member, "\"high\" must be above \"low\" in x, y and z: [%g, %g, %g] is not above [%g, %g, %g]", high.x,
                high.y, high.z, low.x, low.y, low.z);
}

void read_box(json_cursor *at, scr_vec3 *low, scr_vec3 *high)
{
    *low = cursor_vector(at, "low", NULL, RANGE_COORDINATE);
    *high = cursor_vector(at, "high", NULL, RANGE_COORDINATE);
    expect_low_below_high(at, "high", *low, *high);
}

const char *read_only_key(json_cursor *at, const char *const *keys, int count, const char *what)
{
    const char *found = NULL;
    for (int i = 0; i < count; ++i) {
        json_cursor member = cursor_member(at, keys[i]);
        if (member.value == NULL) continue;
        if (found != NULL) cursor_fail_at_key(&member, "a %s is \"%s\" or \"%s\" but not both", what, found, keys[i]);
        found = keys[i];
    }
    return found;
}

scene_region read_region(json_cursor *at, const char *key)
{
    static const scr_vec3 up = {0.0, 0.0, 1.0};
    static const char *const kinds[] = {"box", "cylinder", "sphere"};
    scene_region r = {.kind = REGION_BOX};
    if (!cursor_has(at, key)) {
        cursor_fail_missing(at, key, "{\"box\": ...}, {\"cylinder\": ...} or {\"sphere\": ...}");
        return r;
    }
    json_cursor member = cursor_object(at, key);
    const char *kind = read_only_key(&member, kinds, 3, "region");
    if (kind == kinds[0]) {
        json_cursor box = cursor_object(&member, kind);
        read_box(&box, &r.low, &r.high);
        cursor_close(&box);
    } else if (kind == kinds[1]) {
        json_cursor cylinder = cursor_object(&member, kind);
        r.kind = REGION_CYLINDER;
        r.base = cursor_vector(&cylinder, "base", NULL, RANGE_COORDINATE);
        r.axis = read_direction(&cylinder, "axis", &up);
        r.radius = cursor_needed_number(&cylinder, "radius", RANGE_LENGTH);
        r.height = cursor_needed_number(&cylinder, "height", RANGE_LENGTH);
        cursor_close(&cylinder);
    } else if (kind == kinds[2]) {
        json_cursor sphere = cursor_object(&member, kind);
        r.kind = REGION_SPHERE;
        r.centre = cursor_vector(&sphere, "centre", NULL, RANGE_COORDINATE);
        r.radius = cursor_needed_number(&sphere, "radius", RANGE_LENGTH);
        cursor_close(&sphere);
    }
    cursor_close(&member);
    if (kind == NULL) cursor_fail(&member, "\"%s\" must have \"box\", \"cylinder\" or \"sphere\"", key);
    return r;
}

scene_region read_box_region(json_cursor *at, const char *key)
{
    scene_region r = read_region(at, key);
    json_cursor member = cursor_member(at, key);
    if (cursor_is_ok(at) && r.kind != REGION_BOX) cursor_fail(&member, "this region must be a box");
    return r;
}

static void expect_min_below_max(json_cursor *at, const char *key, double min, double max, bool may_be_equal)
{
    if (!cursor_is_ok(at) || min < max || (may_be_equal && min == max)) return;
    json_cursor member = cursor_member(at, key);
    cursor_fail(&member, "the largest must not be below the smallest: %g is below %g", max, min);
}

static void read_uniform(json_cursor *size, const char *key, scene_size *s)
{
    json_cursor member = cursor_member(size, key);
    cursor_expect_list(&member, 2, "two numbers, the smallest and the largest radius");
    double bounds[2] = {0.0, 0.0};
    for (size_t i = 0; i < 2 && cursor_is_ok(size); ++i) {
        json_cursor entry = cursor_entry(&member, i);
        bounds[i] = cursor_value_number(&entry, RANGE_LENGTH);
    }
    s->kind = SIZE_UNIFORM;
    s->min = bounds[0];
    s->max = bounds[1];
    expect_min_below_max(size, key, s->min, s->max, true);
}

static void read_normal(json_cursor *size, const char *key, scene_size *s)
{
    json_cursor member = cursor_object(size, key);
    s->mean = cursor_needed_number(&member, "mean", RANGE_LENGTH);
    s->deviation = cursor_needed_number(&member, "deviation", RANGE_NOT_NEGATIVE);
    s->min = cursor_needed_number(&member, "min", RANGE_LENGTH);
    s->max = cursor_needed_number(&member, "max", RANGE_LENGTH);
    expect_min_below_max(&member, "max", s->min, s->max, false);
    if (cursor_is_ok(&member) && !(s->min <= s->mean && s->mean <= s->max)) {
        json_cursor mean = cursor_member(&member, "mean");
        cursor_fail(&mean, "\"mean\" must lie between \"min\" and \"max\": %g is not between %g and %g", s->mean,
                    s->min, s->max);
    }
    cursor_close(&member);
}

static void read_classes(json_cursor *size, const char *key, scene_size *s)
{
    json_cursor list = cursor_list(size, key);
    if (cursor_is_ok(size) && list.count == 0) cursor_fail(&list, "\"%s\" must have an entry [radius, share]", key);
    s->kind = SIZE_TABLE;
    s->radius = cursor_new_array(&list, list.count, sizeof *s->radius, "radii");
    s->share = cursor_new_array(&list, list.count, sizeof *s->share, "shares");
    s->class_count = cursor_is_ok(size) ? (int)list.count : 0;
    s->min = INFINITY;
    s->max = 0.0;
    double total = 0.0;
    for (size_t i = 0; i < list.count && cursor_is_ok(size); ++i) {
        json_cursor entry = cursor_entry(&list, i);
        cursor_expect_list(&entry, 2, "two numbers, a radius and its share of the grains");
        json_cursor radius = cursor_entry(&entry, 0), share = cursor_entry(&entry, 1);
        s->radius[i] = cursor_value_number(&radius, RANGE_LENGTH);
        s->share[i] = cursor_value_number(&share, RANGE_NOT_NEGATIVE);
        s->min = fmin(s->min, s->radius[i]);
        s->max = fmax(s->max, s->radius[i]);
        total += s->share[i];
    }
    if (cursor_is_ok(size) && !(total > 0.0 && isfinite(total))) {
        cursor_fail(&list, "the shares of \"%s\" must not all be 0", key);
    }
}

static void expect_rising(json_cursor *at, double number, double before, bool may_be_equal, const char *what)
{
    if (!cursor_is_ok(at) || number > before || (may_be_equal && number == before)) return;
    cursor_fail(at, "%s must rise from sieve to sieve: %g follows %g", what, number, before);
}

// Pairs of a sieve's opening and the share of the mass that passes it, from 0 to 1.
static void read_sieves(json_cursor *size, const char *key, scene_size *s)
{
    json_cursor list = cursor_list(size, key);
    if (cursor_is_ok(size) && list.count < 2)
        cursor_fail(&list, "\"%s\" must have at least two entries [opening, share of the mass that passes]", key);
    double *radius = cursor_new_array(&list, list.count, sizeof *radius, "sieves");
    double *passing = cursor_new_array(&list, list.count, sizeof *passing, "sieves");
    for (size_t i = 0; i < list.count && cursor_is_ok(size); ++i) {
        json_cursor entry = cursor_entry(&list, i);
        cursor_expect_list(&entry, 2, "two numbers, a sieve's opening and the share of the mass that passes it");
        json_cursor opening = cursor_entry(&entry, 0), share = cursor_entry(&entry, 1);
        radius[i] = 0.5 * cursor_value_number(&opening, RANGE_LENGTH);
        passing[i] = cursor_value_number(&share, RANGE_SHARE);
        if (i > 0) expect_rising(&opening, 2.0 * radius[i], 2.0 * radius[i - 1], false, "openings");
        if (i > 0) expect_rising(&share, passing[i], passing[i - 1], true, "what passes");
        double end = i == 0 ? 0.0 : 1.0;
        if (cursor_is_ok(size) && (i == 0 || i + 1 == list.count) && passing[i] != end)
            cursor_fail(&share, "%s passes the %s sieve: its share must be %g, not %g", i == 0 ? "nothing" : "all",
                        i == 0 ? "first" : "last", end, passing[i]);
    }
    s->radius = radius;
    s->share = passing;
    if (cursor_is_ok(size)) size_from_sieves(s, (int)list.count - 1, radius, passing);
}

scene_size read_size(json_cursor *at, const char *key)
{
    static const char *const kinds[] = {"uniform", "normal", "lognormal", "table", "sieve"};
    scene_size s = {.kind = SIZE_CONSTANT};
    json_cursor member = cursor_member(at, key);
    if (member.value == NULL) {
        cursor_fail_missing(at, key, "a radius, or how radii are distributed");
        return s;
    }
    if (!json_is_object(member.value)) {
        s.min = s.max = s.mean = cursor_value_number(&member, RANGE_LENGTH);
        return s;
    }
    const char *kind = read_only_key(&member, kinds, 5, "size");
    if (kind == kinds[0]) {
        read_uniform(&member, kind, &s);
    } else if (kind == kinds[1] || kind == kinds[2]) {
        s.kind = kind == kinds[1] ? SIZE_NORMAL : SIZE_LOGNORMAL;
        read_normal(&member, kind, &s);
    } else if (kind == kinds[3]) {
        read_classes(&member, kind, &s);
    } else if (kind == kinds[4]) {
        read_sieves(&member, kind, &s);
    }
    cursor_close(&member);
    if (kind == NULL) cursor_fail(&member, "\"%s\" must have uniform, normal, lognormal, table or sieve", key);
    return s;
}

void read_start_and_stop(json_cursor *at, double *start, double *stop)
{
    *start = cursor_number(at, "start", 0.0, RANGE_NOT_NEGATIVE);
    *stop = cursor_number_or_null(at, "stop", INFINITY, RANGE_NOT_NEGATIVE);
    if (!cursor_is_ok(at) || *start < *stop) return;
    json_cursor member = cursor_member(at, "stop");
    cursor_fail(&member, "\"stop\" must be after \"start\": %g s is not after %g s", *stop, *start);
}

// The absolute path of a file, seen from the directory of the scene; NULL if there is no such file.
static char *resolve_path(const char *scene_path, const char *file)
{
    const char *slash = strrchr(scene_path, '/');
    size_t directory = file[0] == '/' || slash == NULL ? 0 : (size_t)(slash - scene_path) + 1;
    char *joined = malloc(directory + strlen(file) + 1);
    if (joined == NULL) return NULL;
    memcpy(joined, scene_path, directory);
    strcpy(joined + directory, file);
    char *absolute = realpath(joined, NULL);
    free(joined);
    return absolute;
}

// So that no verb writes over what it reads.
static void list_file(json_cursor *at, const char *path)
{
    scene *s = at->document->made;
    scr_error error;
    char *copy = strdup(path);
    if (copy == NULL ||
        scr_grow(&s->files, &s->file_capacity, s->file_count + 1, sizeof *s->files, "files", &error) != SCR_OK) {
        free(copy);
        cursor_fail_memory(at, strlen(path), "a path");
        return;
    }
    s->files[s->file_count++] = copy;
}

char *read_file_path(json_cursor *at, const char *key, const char *what)
{
    const char *file = cursor_text(at, key, NULL);
    json_cursor member = cursor_member(at, key);
    if (!cursor_is_ok(at)) return NULL;
    if (at->document->files_may_be_gone) {
        char *copy = strdup(file);
        if (copy == NULL) cursor_fail_memory(at, strlen(file), "a path");
        return copy;
    }
    struct stat info;
    char *path = resolve_path(at->document->path, file);
    if (path == NULL || stat(path, &info) != 0) {
        cursor_fail(&member, "cannot open the %s \"%s\": %s", what, shown(file).text, strerror(errno));
    } else if (!S_ISREG(info.st_mode)) {
        cursor_fail(&member, "the %s \"%s\" is not a file", what, shown(file).text);
    } else {
        json_t *absolute = json_string(path);
        if (absolute == NULL) cursor_fail(&member, "the path of \"%s\" is not UTF-8 text", shown(file).text);
        else cursor_store(&member, absolute);
        list_file(at, path);
    }
    return path;
}
