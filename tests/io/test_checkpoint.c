// SPDX-License-Identifier: BSD-3-Clause
// Checkpoints: what is loaded is what was saved, or there is a sentence.
#include <string.h>
#include <sys/stat.h>

#include "check.h"
#include "core/file/temporary_file.h"
#include "io/file/sealed_file.h"
#include "io/run/checkpoint.h"
#include "io/run/run_record.h"
#include "io/scratch_directory.h"

// A state with a field of every type, wide ones, scalars, and a table without entries.
typedef struct things {
    double *x;
    float *impulse;  // 3 an entry
    int64_t *big;
    uint64_t *id;
    int32_t *slot;
    uint32_t *handle;  // 2 an entry
    uint16_t *feature;
    uint8_t *kind;
    int64_t step;
    double gravity[3];
} things;

static const field_info thing_fields[] = {
    FIELD(things, x, FIELD_F64, "m"),      FIELD_WIDE(things, impulse, FIELD_F32, 3, "N s"),
    FIELD(things, big, FIELD_I64, ""),     FIELD(things, id, FIELD_U64, ""),
    FIELD(things, slot, FIELD_I32, ""),    FIELD_WIDE(things, handle, FIELD_U32, 2, ""),
    FIELD(things, feature, FIELD_U16, ""), FIELD(things, kind, FIELD_U8, ""),
    SCALAR(things, step, FIELD_I64, ""),   SCALAR_WIDE(things, gravity, FIELD_F64, 3, "m/s2"),
};
enum { THING_FIELDS = sizeof thing_fields / sizeof thing_fields[0] };
static const field_info wall_fields[] = {FIELD(things, x, FIELD_F64, "m")};

typedef struct saved {
    things thing, wall;
    scr_run_record record;
    table tables[2], about, *state[2];
} saved;

static void saved_init(saved *s)
{
    *s = (saved){0};
    s->tables[0] = (table){"things", thing_fields, THING_FIELDS, &s->thing, 0, 0, false};
    s->tables[1] = (table){"walls", wall_fields, 1, &s->wall, 0, 0, false};
    s->about = run_record_table(&s->record);
    s->state[0] = &s->tables[0];
    s->state[1] = &s->tables[1];
}

static void saved_fill(saved *s, int64_t count)
{
    table *t = s->state[0];
    assert_int_equal(table_reserve(t, count, NULL), SCR_OK);
    t->count = count;
    for (int f = 0; f < t->field_count; ++f) {
        size_t bytes = field_size(&t->field[f]) * (t->field[f].scalar ? 1 : (size_t)count);
        unsigned char *data = table_data(t, &t->field[f]);
        for (size_t i = 0; i < bytes; ++i) data[i] = (unsigned char)(7 * i + 31 * (size_t)f + i / 251);
    }
    s->record = (scr_run_record){.step = 12, .time = 0.25, .probe_bytes = 99, .frame_count = 3};
}

static void saved_free(saved *s)
{
    table_free(s->state[0]);
    table_free(s->state[1]);
}

static void path_in(char path[PATH_LENGTH_MAX], void **state)
{
    assert_int_equal(path_join(path, *state, "checkpoint.h5", NULL), SCR_OK);
}

static uint64_t write_good(const char *path, saved *s)
{
    uint64_t hash = 0;
    scr_error error = {0};
    scr_status status = checkpoint_write(path, s->state, 2, &s->about, 1, &hash, &error);
    if (status != SCR_OK) print_error("%s\n", error.message);
    assert_int_equal(status, SCR_OK);
    return hash;
}

static void assert_same(const saved *a, const saved *b)
{
    char difference[200];
    for (int k = 0; k < 2; ++k) {
        bool differ = table_first_difference(a->state[k], b->state[k], difference, sizeof difference);
        if (differ) print_error("%s\n", difference);
        assert_false(differ);
    }
    assert_false(table_first_difference(&a->about, &b->about, difference, sizeof difference));
}

static void a_state_comes_back_to_the_bit(void **state)
{
    char path[PATH_LENGTH_MAX];
    path_in(path, state);
    for (int64_t count = 0; count < 3000; count = 3 * count + 1) {
        saved a, b;
        scr_error error = {0};
        saved_init(&a);
        saved_init(&b);
        saved_fill(&a, count);
        uint64_t hash = write_good(path, &a);
        assert_int_equal(checkpoint_read(path, b.state, 2, &b.about, 1, &error), SCR_OK);
        assert_same(&a, &b);
        assert_true(tables_hash((const table *const *)b.state, 2, 2) == hash);
        saved_free(&a);
        saved_free(&b);
    }
}

static void contents_are_listed_without_the_state(void **state)
{
    char path[PATH_LENGTH_MAX];
    path_in(path, state);
    saved a;
    scr_run_record record = {0};
    table about = run_record_table(&record);
    checkpoint_contents contents;
    saved_init(&a);
    saved_fill(&a, 10);
    uint64_t hash = write_good(path, &a);
    assert_int_equal(checkpoint_list(path, &about, &contents, NULL), SCR_OK);
    assert_int_equal(record.step, 12);
    assert_true(contents.state_hash == hash);
    assert_string_equal(contents.version, scr_version());
    assert_int_equal(contents.table_count, 2);
    assert_string_equal(contents.table[0].name, "things");
    assert_int_equal(contents.table[0].count, 10);
    assert_int_equal(contents.table[0].bytes, 10 * (8 + 12 + 8 + 8 + 4 + 8 + 2 + 1) + 8 + 24);
    saved_free(&a);
}

// Any single byte changed, any tail cut off: the state as it was saved, or a sentence that names the file.
static void damage_is_found(void **state)
{
    char path[PATH_LENGTH_MAX], *whole;
    size_t size;
    path_in(path, state);
    saved a;
    saved_init(&a);
    saved_fill(&a, 200);
    write_good(path, &a);
    assert_int_equal(file_read(path, &whole, &size, NULL), SCR_OK);
    int refused = 0, rounds = 1500;
    for (int round = 0; round < rounds; ++round) {
        size_t at = size * (size_t)round / (size_t)rounds;
        saved b;
        scr_error error = {0};
        saved_init(&b);
        char before = whole[at];
        whole[at] = (char)(before ^ (1 << round % 8));
        overwrite_file(path, whole, size);
        whole[at] = before;
        if (checkpoint_read(path, b.state, 2, &b.about, 1, &error) == SCR_OK) {
            assert_same(&a, &b);  // a byte that nobody uses
        } else {
            assert_non_null(strstr(error.message, "checkpoint.h5"));
            ++refused;
        }
        saved_free(&b);
    }
    for (int part = 0; part < 50; ++part) {
        saved b;
        saved_init(&b);
        overwrite_file(path, whole, size * (size_t)part / 50);
        assert_int_not_equal(checkpoint_read(path, b.state, 2, &b.about, 1, NULL), SCR_OK);
        saved_free(&b);
    }
    assert_true(refused > rounds - rounds * SEAL_BYTES / (int)size - 2);  // all but the user block behind the seal
    free(whole);
    saved_free(&a);
}

// A field that another version does not have, or has in another shape, is named.
static void another_layout_is_refused_by_name(void **state)
{
    char path[PATH_LENGTH_MAX];
    path_in(path, state);
    saved a, b;
    scr_error error = {0};
    saved_init(&a);
    saved_fill(&a, 5);
    write_good(path, &a);
    field_info changed[THING_FIELDS];

    memcpy(changed, thing_fields, sizeof changed);
    changed[0].name = "y";
    saved_init(&b);
    b.tables[0].field = changed;
    assert_int_equal(checkpoint_read(path, b.state, 2, &b.about, 1, &error), SCR_IO);
    assert_non_null(strstr(error.message, "things.y is damaged or missing"));
    saved_free(&b);

    memcpy(changed, thing_fields, sizeof changed);
    changed[2].type = FIELD_U64;
    saved_init(&b);
    b.tables[0].field = changed;
    assert_int_equal(checkpoint_read(path, b.state, 2, &b.about, 1, &error), SCR_IO);
    assert_non_null(strstr(error.message, "things.big"));
    saved_free(&b);

    saved_init(&b);
    b.tables[1].name = "doors";
    assert_int_equal(checkpoint_read(path, b.state, 2, &b.about, 1, &error), SCR_IO);
    assert_non_null(strstr(error.message, "the table doors is damaged or missing"));
    saved_free(&b);
    saved_free(&a);
}

static void a_failed_write_keeps_the_last_checkpoint(void **state)
{
    char path[PATH_LENGTH_MAX], temporary[PATH_LENGTH_MAX];
    path_in(path, state);
    saved a, b;
    uint64_t hash;
    scr_error error = {0};
    saved_init(&a);
    saved_init(&b);
    saved_fill(&a, 50);
    write_good(path, &a);
    // A directory in the place of the temporary file: nobody can write there, not even root.
    assert_int_equal(path_temporary(temporary, path, NULL), SCR_OK);
    assert_int_equal(mkdir(temporary, 0777), 0);
    a.record.step = 13;
    assert_int_equal(checkpoint_write(path, a.state, 2, &a.about, 1, &hash, &error), SCR_IO);
    assert_non_null(strstr(error.message, "checkpoint.h5: cannot write"));
    assert_int_equal(rmdir(temporary), 0);
    assert_int_equal(checkpoint_read(path, b.state, 2, &b.about, 1, NULL), SCR_OK);
    assert_int_equal(b.record.step, 12);
    saved_free(&a);
    saved_free(&b);
}

static void running_out_of_memory_is_a_sentence(void **state)
{
    char path[PATH_LENGTH_MAX];
    path_in(path, state);
    saved a;
    saved_init(&a);
    saved_fill(&a, 50);
    write_good(path, &a);
    int failures = 0;
    for (scr_status status = SCR_NO_MEMORY; status != SCR_OK; ++failures) {
        saved b;
        scr_error error = {0};
        saved_init(&b);
        scr_fail_allocation_in(failures);
        status = checkpoint_read(path, b.state, 2, &b.about, 1, &error);
        scr_fail_allocation_in(-1);
        assert_true(status == SCR_OK || status == SCR_NO_MEMORY);
        saved_free(&b);
    }
    assert_true(failures > 8);  // at least one a column
    saved_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        scratch_test(a_state_comes_back_to_the_bit),
        scratch_test(contents_are_listed_without_the_state),
        scratch_test(damage_is_found),
        scratch_test(another_layout_is_refused_by_name),
        scratch_test(a_failed_write_keeps_the_last_checkpoint),
        scratch_test(running_out_of_memory_is_a_sentence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
