// SPDX-License-Identifier: BSD-3-Clause
// Tables: whatever walks the list of fields misses none of them.
#include "core/arrays/table.h"

#include <string.h>

#include "check.h"
#include "core/maths/rng.h"

// A field of every type, wide ones, and scalars.
typedef struct things {
    double *x;
    float *size;
    int64_t *big;
    uint64_t *id;
    int32_t *slot;
    uint32_t *flags;
    uint16_t *material;
    uint8_t *kind;
    double *force;  // 3 an entry
    double time;
    int32_t grid[2];
} things;

static const field_info thing_fields[] = {
    FIELD(things, x, FIELD_F64, "m"),
    FIELD(things, size, FIELD_F32, "m"),
    FIELD(things, big, FIELD_I64, ""),
    FIELD(things, id, FIELD_U64, ""),
    FIELD(things, slot, FIELD_I32, ""),
    FIELD(things, flags, FIELD_U32, ""),
    FIELD(things, material, FIELD_U16, ""),
    FIELD(things, kind, FIELD_U8, ""),
    FIELD_WIDE(things, force, FIELD_F64, 3, "N"),
    SCALAR(things, time, FIELD_F64, "s"),
    SCALAR_WIDE(things, grid, FIELD_I32, 2, ""),
};
enum { FIELD_COUNT = sizeof thing_fields / sizeof *thing_fields, ARRAY_COUNT = 9 };

static table table_of(things *t) { return (table){"things", thing_fields, FIELD_COUNT, t, 0, 0, false}; }

static uint8_t random_byte(uint64_t stream, uint64_t i) { return (uint8_t)(scr_uniform(1, stream, i) * 256.0); }

// Make room for count entries and give every byte of them, and of the scalars, a value of its own.
static void fill(table *t, int64_t count)
{
    assert_int_equal(table_reserve(t, count, NULL), SCR_OK);
    t->count = count;
    for (int f = 0; f < t->field_count; ++f) {
        const field_info *field = &t->field[f];
        size_t bytes = field_size(field) * (field->scalar ? 1 : (size_t)count);
        uint8_t *data = table_data(t, field);
        for (size_t i = 0; i < bytes; ++i) data[i] = random_byte((uint64_t)f, i);
    }
}

static uint64_t hash_of(const table *t, int threads) { return tables_hash(&t, 1, threads); }

static void sizes_follow_type_and_width(void **state)
{
    (void)state;
    const size_t expected[FIELD_COUNT] = {8, 4, 8, 8, 4, 4, 2, 1, 24, 8, 8};
    for (int f = 0; f < FIELD_COUNT; ++f) assert_int_equal(field_size(&thing_fields[f]), expected[f]);
}

static void data_is_where_the_struct_says(void **state)
{
    (void)state;
    things a = {0};
    table t = table_of(&a);
    assert_int_equal(table_reserve(&t, 5, NULL), SCR_OK);
    assert_ptr_equal(table_data(&t, &thing_fields[0]), a.x);
    assert_ptr_equal(table_data(&t, &thing_fields[8]), a.force);
    assert_ptr_equal(table_data(&t, &thing_fields[9]), &a.time);
    assert_ptr_equal(table_data(&t, &thing_fields[10]), a.grid);
    table_free(&t);
    assert_null(a.x);
    assert_null(a.force);
    assert_int_equal(t.capacity, 0);
    table_free(&t);  // once more is fine
}

static void reserving_keeps_every_column(void **state)
{
    (void)state;
    things a = {0}, b = {0};
    table ta = table_of(&a), tb = table_of(&b);
    fill(&ta, 100);
    fill(&tb, 100);
    assert_int_equal(table_reserve(&ta, 5000, NULL), SCR_OK);
    assert_true(ta.capacity >= 5000);
    assert_int_equal(ta.count, 100);
    char text[200];
    assert_false(table_first_difference(&ta, &tb, text, sizeof text));
    int64_t before = scr_allocation_count();
    assert_int_equal(table_reserve(&ta, 5000, NULL), SCR_OK);
    assert_int_equal(scr_allocation_count(), before);
    table_free(&ta);
    table_free(&tb);
}

// Each of the columns' allocations fails in turn; the table stays whole and can grow later.
static void failed_reservation_keeps_the_table(void **state)
{
    (void)state;
    for (int n = 0; n < ARRAY_COUNT; ++n) {
        things a = {0};
        table t = table_of(&a);
        scr_error error = {0};
        fill(&t, 50);
        uint64_t hash = hash_of(&t, 1);
        int64_t capacity = t.capacity;
        scr_fail_allocation_in(n);
        assert_int_equal(table_reserve(&t, 1000, &error), SCR_NO_MEMORY);
        assert_non_null(strstr(error.message, "things"));
        assert_int_equal(t.capacity, capacity);
        assert_true(hash_of(&t, 1) == hash);
        assert_int_equal(table_reserve(&t, 1000, &error), SCR_OK);
        assert_true(hash_of(&t, 1) == hash);
        table_free(&t);
    }
    scr_fail_allocation_in(-1);
}

// entry i of the result is entry from[i] of a second, untouched table
static void check_gathered(const table *seen, const table *original, const int32_t *from, int64_t n)
{
    assert_int_equal(seen->count, n);
    for (int f = 0; f < FIELD_COUNT; ++f) {
        const field_info *field = &thing_fields[f];
        const char *now = table_data(seen, field), *then = table_data(original, field);
        size_t size = field_size(field);
        if (field->scalar) {
            assert_memory_equal(now, then, size);
            continue;
        }
        for (int64_t i = 0; i < n; ++i)
            assert_memory_equal(now + (size_t)i * size, then + (size_t)from[i] * size, size);
    }
}

static void check_gather(const int32_t *from, int64_t new_count, int64_t old_count, int threads)
{
    things a = {0}, b = {0};
    table ta = table_of(&a), tb = table_of(&b);
    fill(&ta, old_count);
    fill(&tb, old_count);
    scr_arena arena = {0};
    size_t bytes = table_gather_bytes(&ta, new_count);
    assert_int_equal(scr_arena_reserve(&arena, bytes, "scratch", NULL), SCR_OK);
    scr_arena exact = {arena.base, 0, bytes};
    int64_t before = scr_allocation_count();
    table_gather(&ta, from, new_count, exact, threads);
    assert_int_equal(scr_allocation_count(), before);
    check_gathered(&ta, &tb, from, new_count);
    scr_arena_free(&arena);
    table_free(&ta);
    table_free(&tb);
}

static void gathering_moves_all_columns_alike(void **state)
{
    (void)state;
    enum { N = 10000 };
    static int32_t from[N];
    for (int threads = 1; threads <= 4; ++threads) {
        for (int32_t i = 0; i < N; ++i) from[i] = (int32_t)((int64_t)i * 7919 % N);  // a permutation
        check_gather(from, N, N, threads);
        for (int32_t i = 0; i < N / 2; ++i) from[i] = 2 * i + 1;  // every second entry is dropped
        check_gather(from, N / 2, N, threads);
        for (int32_t i = 0; i < N; ++i) from[i] = i / 2;  // repeated
        check_gather(from, N, N, threads);
        check_gather(from, 0, N, threads);
        check_gather(from, 0, 0, threads);
    }
}

static void thread_count_never_changes_the_hash(void **state)
{
    (void)state;
    const int64_t counts[] = {0, 1, 100, 8192, 8193, 50000};  // up to several blocks a column
    for (size_t k = 0; k < sizeof counts / sizeof *counts; ++k) {
        things a = {0};
        table t = table_of(&a);
        fill(&t, counts[k]);
        uint64_t one = hash_of(&t, 1);
        for (int threads = 2; threads <= 4; ++threads) assert_true(hash_of(&t, threads) == one);
        table_free(&t);
    }
}

static void every_bit_counts(void **state)
{
    (void)state;
    things a = {0};
    table t = table_of(&a);
    fill(&t, 37);
    uint64_t hash = hash_of(&t, 1);
    for (int f = 0; f < FIELD_COUNT; ++f) {
        uint8_t *data = table_data(&t, &thing_fields[f]);
        size_t bytes = field_size(&thing_fields[f]) * (thing_fields[f].scalar ? 1 : 37);
        for (size_t bit = 0; bit < 8 * bytes; ++bit) {
            data[bit / 8] ^= (uint8_t)(1u << bit % 8);
            assert_true(hash_of(&t, 1) != hash);
            data[bit / 8] ^= (uint8_t)(1u << bit % 8);
        }
    }
    assert_true(hash_of(&t, 1) == hash);
    table_free(&t);
}

// A flipped bit of the input flips about half of the output's.
static void one_bit_changes_half_the_hash(void **state)
{
    (void)state;
    things a = {0};
    table t = table_of(&a);
    fill(&t, 64);
    uint64_t hash = hash_of(&t, 1);
    int64_t flipped = 0, bits = 64 * 64;
    for (int64_t bit = 0; bit < bits; ++bit) {
        a.id[bit / 64] ^= (uint64_t)1 << bit % 64;
        flipped += __builtin_popcountll(hash_of(&t, 1) ^ hash);
        a.id[bit / 64] ^= (uint64_t)1 << bit % 64;
    }
    assert_within((double)flipped / (double)bits, 32.0, 0.5);
    table_free(&t);
}

static void zero_and_minus_zero_differ(void **state)
{
    (void)state;
    things a = {0};
    table t = table_of(&a);
    fill(&t, 3);
    a.x[1] = 0.0;
    uint64_t hash = hash_of(&t, 1);
    a.x[1] = -0.0;
    assert_true(hash_of(&t, 1) != hash);
    table_free(&t);
}

static void only_entries_in_use_count(void **state)
{
    (void)state;
    things a = {0};
    table t = table_of(&a);
    fill(&t, 20);
    t.count = 10;
    uint64_t hash = hash_of(&t, 1);
    a.x[10] += 1.0;
    assert_int_equal(table_reserve(&t, 1000, NULL), SCR_OK);
    assert_true(hash_of(&t, 1) == hash);
    t.count = 11;
    assert_true(hash_of(&t, 1) != hash);
    table_free(&t);
}

// Position matters between entries, between blocks, between columns and between tables.
static void the_hash_knows_where_numbers_are(void **state)
{
    (void)state;
    enum { N = 30000, BLOCK = 65536 / 8 };
    things a = {0}, b = {0};
    table t = table_of(&a), other = table_of(&b);
    fill(&t, N);
    fill(&other, 0);
    const table *both[2] = {&t, &other}, *turned[2] = {&other, &t};
    uint64_t hash = hash_of(&t, 1);
    assert_true(tables_hash(both, 2, 1) != tables_hash(turned, 2, 1));
    assert_true(tables_hash(both, 2, 1) != hash && tables_hash(NULL, 0, 1) != hash);

    double kept = a.x[0];  // exchange two entries, then two whole blocks
    a.x[0] = a.x[4];
    a.x[4] = kept;
    assert_true(hash_of(&t, 1) != hash);
    a.x[4] = a.x[0];
    a.x[0] = kept;
    assert_true(hash_of(&t, 1) == hash);
    static double block[BLOCK];
    memcpy(block, a.x, sizeof block);
    memcpy(a.x, a.x + BLOCK, sizeof block);
    memcpy(a.x + BLOCK, block, sizeof block);
    assert_true(hash_of(&t, 1) != hash);
    memcpy(a.x + BLOCK, a.x, sizeof block);
    memcpy(a.x, block, sizeof block);

    int64_t *column = a.big;
    a.big = (int64_t *)a.id;
    a.id = (uint64_t *)column;
    assert_true(hash_of(&t, 1) != hash);
    table_free(&t);
    table_free(&other);
}

static void names_types_and_counts_are_part_of_the_hash(void **state)
{
    (void)state;
    double value[4] = {1, 2, 3, 4}, *array = value;
    const field_info x = {"x", FIELD_F64, "m", 1, 0, false}, y = {"y", FIELD_F64, "m", 1, 0, false};
    const field_info whole = {"x", FIELD_I64, "m", 1, 0, false};
    const table tx = {"points", &x, 1, &array, 4, 4, false}, ty = {"points", &y, 1, &array, 4, 4, false};
    const table other = {"bodies", &x, 1, &array, 4, 4, false}, typed = {"points", &whole, 1, &array, 4, 4, false};
    assert_true(hash_of(&tx, 1) != hash_of(&ty, 1));
    assert_true(hash_of(&tx, 1) != hash_of(&other, 1));
    assert_true(hash_of(&tx, 1) != hash_of(&typed, 1));
    table longer = {"points", NULL, 0, NULL, 5, 5, false}, shorter = longer;  // the count alone
    shorter.count = 4;
    assert_true(hash_of(&longer, 1) != hash_of(&shorter, 1));
}

static void check_difference(const table *a, const table *b, const char *expected)
{
    char text[200];
    assert_true(table_first_difference(a, b, text, sizeof text));
    assert_string_equal(text, expected);
}

static void first_difference_is_named(void **state)
{
    (void)state;
    things a = {0}, b = {0};
    table ta = table_of(&a), tb = table_of(&b);
    char text[200];
    fill(&ta, 40);
    fill(&tb, 40);
    assert_false(table_first_difference(&ta, &tb, text, sizeof text));

    b.grid[1] = 7;  // from the last field to the first: each is reported before those after it
    a.grid[1] = -7;
    check_difference(&ta, &tb, "things.grid[1]: -7 and 7");
    a.time = 0.5;
    b.time = 0.25;
    check_difference(&ta, &tb, "things.time: 0.5 and 0.25");
    a.force[3 * 39 + 1] = 0.0;
    b.force[3 * 39 + 1] = -0.0;
    check_difference(&ta, &tb, "things.force[39][1]: 0 and -0");
    a.kind[3] = 1;
    b.kind[3] = 200;
    check_difference(&ta, &tb, "things.kind[3]: 1 and 200");
    a.material[3] = 65535;
    b.material[3] = 0;
    check_difference(&ta, &tb, "things.material[3]: 65535 and 0");
    a.flags[0] = UINT32_MAX;
    b.flags[0] = 1;
    check_difference(&ta, &tb, "things.flags[0]: 4294967295 and 1");
    a.slot[0] = INT32_MIN;
    b.slot[0] = 1;
    check_difference(&ta, &tb, "things.slot[0]: -2147483648 and 1");
    a.id[5] = UINT64_MAX;
    b.id[5] = 0;
    check_difference(&ta, &tb, "things.id[5]: 18446744073709551615 and 0");
    a.big[5] = INT64_MIN;
    b.big[5] = 0;
    check_difference(&ta, &tb, "things.big[5]: -9223372036854775808 and 0");
    a.size[5] = 0.5f;
    b.size[5] = 1.5f;
    check_difference(&ta, &tb, "things.size[5]: 0.5 and 1.5");
    a.x[12] = 0.5;
    b.x[12] = 0.25;
    check_difference(&ta, &tb, "things.x[12]: 0.5 and 0.25");
    tb.count = 39;
    check_difference(&ta, &tb, "things.count: 40 and 39");
    table_free(&ta);
    table_free(&tb);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_follow_type_and_width),
        cmocka_unit_test(data_is_where_the_struct_says),
        cmocka_unit_test(reserving_keeps_every_column),
        cmocka_unit_test(failed_reservation_keeps_the_table),
        cmocka_unit_test(gathering_moves_all_columns_alike),
        cmocka_unit_test(thread_count_never_changes_the_hash),
        cmocka_unit_test(every_bit_counts),
        cmocka_unit_test(one_bit_changes_half_the_hash),
        cmocka_unit_test(zero_and_minus_zero_differ),
        cmocka_unit_test(only_entries_in_use_count),
        cmocka_unit_test(the_hash_knows_where_numbers_are),
        cmocka_unit_test(names_types_and_counts_are_part_of_the_hash),
        cmocka_unit_test(first_difference_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
