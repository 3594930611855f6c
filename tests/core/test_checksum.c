// SPDX-License-Identifier: BSD-3-Clause
// Checksums: the published values of XXH64, and pieces of any length add up.
#include "check.h"

#include <string.h>

#include "core/text/checksum.h"

static void published_values_come_out(void **state)
{
    (void)state;
    const struct {
        const char *text;
        uint64_t value;
    } known[] = {
        {"", 0xef46db3751d8e999u},
        {"a", 0xd24ec4f1a98c6e5bu},
        {"abc", 0x44bc2cf5ad770999u},
        {"Nobody inspects the spammish repetition", 0xfbcea83c8a378bf1u},
    };
    for (size_t k = 0; k < sizeof known / sizeof *known; ++k)
        assert_true(checksum_of(known[k].text, strlen(known[k].text)) == known[k].value);
}

static void pieces_give_what_the_whole_gives(void **state)
{
    (void)state;
    unsigned char data[300];
    for (int i = 0; i < 300; ++i) data[i] = (unsigned char)(i * 37 + 11);
    for (size_t size = 0; size <= 300; size += 7) {
        for (size_t piece = 1; piece < 70; ++piece) {
            checksum c = checksum_begin();
            for (size_t at = 0; at < size; at += piece)
                checksum_add(&c, data + at, size - at < piece ? size - at : piece);
            assert_true(checksum_value(&c) == checksum_of(data, size));
        }
    }
}

static void any_bit_changes_it(void **state)
{
    (void)state;
    unsigned char data[100] = {0};
    uint64_t whole = checksum_of(data, sizeof data);
    for (size_t bit = 0; bit < 8 * sizeof data; ++bit) {
        data[bit / 8] ^= (unsigned char)(1 << bit % 8);
        assert_true(checksum_of(data, sizeof data) != whole);
        data[bit / 8] ^= (unsigned char)(1 << bit % 8);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_values_come_out),
        cmocka_unit_test(pieces_give_what_the_whole_gives),
        cmocka_unit_test(any_bit_changes_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
