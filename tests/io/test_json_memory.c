// SPDX-License-Identifier: BSD-3-Clause
// Memory that is refused to Jansson, once or from then on: a scene is read as it stands or not at all.
#include "io/scene_text.h"

#include <jansson.h>

static int64_t requests, refused_at;  // refused_at 0: none
static bool for_good;

static void *refuse_one(size_t size)
{
    ++requests;
    bool refused = for_good ? refused_at > 0 && requests >= refused_at : requests == refused_at;
    return refused ? NULL : malloc(size);
}

static const char SCENE[] = "{'title': 'A title of more letters than a small buffer holds',"
                            " 'time': {'end': 1.2345678901234567}, 'materials': {'sand': {'density': 2651.25}},"
                            " 'bodies': [{'name': 'a floor with a long name', 'kind': 'fixed',"
                            " 'shapes': [{'plane': {}, 'material': 'sand'}]}]}";

static scr_status read(char **as_run, scr_error *error)
{
    scene *s = NULL;
    requests = 0;
    scr_status status = read_quoted(SCENE, NULL, 0, &s, as_run, error);
    scene_destroy(s);
    return status;
}

static void a_scene_loses_no_letter(void **state)
{
    (void)state;
    scr_error error;
    char *whole = NULL, *again = NULL;
    refused_at = 0;
    assert_int_equal(read(&whole, &error), SCR_OK);
    int64_t last = requests;
    assert_true(last > 50);
    for (refused_at = 1; refused_at <= last; ++refused_at) {
        for (int k = 0; k < 2; ++k) {
            for_good = k == 1;
            scr_status status = read(&again, &error);
            if (status == SCR_OK) assert_string_equal(again, whole);
            else assert_int_equal(status, SCR_NO_MEMORY);
            free(again);
        }
    }
    free(whole);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_scene_loses_no_letter)};
    json_set_alloc_funcs(refuse_one, free);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
