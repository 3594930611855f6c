// SPDX-License-Identifier: BSD-3-Clause
// Study files: what they say, and where they are wrong.
#include "study_text.h"

static void a_whole_study_is_read(void **state)
{
    (void)state;
    study_plan plan;
    scr_error error = {.message = ""};
    scr_status status =
        read_study("{'scene': 'scene.json', 'title': 'T', 'seeds': [3, 1],\n"
                   " 'set': {'time.end': 0.5, 'solver.method': 'gs'},\n"
                   " 'design': 'sobol', 'points': 8, 'design_seed': 5,\n"
                   " 'vary': {'fills[0].count': {'from': 1, 'to': 9, 'whole': true, 'name': 'n'},\n"
                   "          '/materials/stone/young': {'from': 1e5, 'to': 1e7, 'scale': 'log', 'unit': 'Pa'}},\n"
                   " 'collect': ['energy.kinetic', {'probe': 'a.x', 'take': 'max', 'from': 1, 'to': 2}],\n"
                   " 'fit': {'parameters': {'materials.stone.friction': {'from': 0, 'to': 1}},\n"
                   "         'targets': [{'probe': 'a.x', 'curve': 'c.csv'}]}}",
                   &plan, &error);
    assert_string_equal(error.message, "");
    assert_int_equal(status, SCR_OK);
    assert_string_equal(plan.scene, "in/scene.json");
    assert_int_equal(plan.seed_count, 2);
    assert_int_equal(plan.seeds[0], 3);
    assert_int_equal(plan.set_count, 2);
    assert_string_equal(plan.set[1].value, "\"gs\"");
    assert_string_equal(plan.axis[0].path, "fills.0.count");
    assert_string_equal(plan.axis[1].path, "materials.stone.young");
    assert_near(study_axis_value(&plan.axis[1], 0.5), 1e6, 1e-12);
    assert_string_equal(plan.axis[1].origin.text, "in/study.json:5:11");
    assert_string_equal(plan.figure[0].summary, "energy.kinetic");
    assert_int_equal(plan.figure[1].take, TAKE_MAX);
    assert_string_equal(plan.fit.target[0].curve, "in/c.csv");
    assert_string_equal(plan.fit.target[0].against, "time");
    assert_near(plan.fit.axis[0].start, 0.5, 0.0);
    study_plan_free(&plan);
}

static void mistakes_have_a_place(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } wrong[] = {
        {"{'vary': {}}", ":1:1: \"study\" needs \"scene\": text in quotes"},
        {"{'scene': 's', 'vry': {}}", ":1:16: unknown key \"vry\"; did you mean \"vary\"?"},
        {"{'scene': 's', 'vary': {'a': []}}", ":1:30: the list of \"a\" is empty: there is no value to run"},
        {"{'scene': 's', 'vary': {'a': 3}}", ":1:30: \"a\" must be a list of values or a range"},
        {"{'scene': 's', 'vary': {'': [1]}}", ":1:25: \"\" is no path in a scene"},
        {"{'scene': 's', 'vary': {'/a.b/c': [1]}}", ":1:25: \"/a.b/c\" is no path in a scene"},
        {"{'scene': 's', 'vary': {'a[0]': [1], 'a.0': [1]}}", ":1:38: \"a.0\" is given twice"},
        {"{'scene': 's', 'vary': {'a': {'from': 1, 'to': 2}}}", "needs \"count\": how many values"},
        {"{'scene': 's', 'vary': {'a': {'from': 2, 'to': 2, 'count': 2}}}",
         "\"to\" must be above \"from\", which is 2"},
        {"{'scene': 's', 'vary': {'a': {'from': 0, 'to': 2, 'count': 2, 'scale': 'log'}}}", "\"from\" must be above 0"},
        {"{'scene': 's', 'vary': {'a': {'from': 1, 'to': 3, 'count': 4, 'whole': true}}}", "only 3 whole numbers"},
        {"{'scene': 's', 'design': 'list', 'vary': {'a': [1], 'b': [1, 2]}}", "a has 1, b has 2"},
        {"{'scene': 's', 'design': 'sobol', 'vary': {}}", "\"study\" needs \"points\""},
        {"{'scene': 's', 'points': 3, 'vary': {}}", "\"points\" is for latin_hypercube and sobol"},
        {"{'scene': 's', 'design': 'gird', 'vary': {}}", "did you mean \"grid\"?"},
        {"{'scene': 's', 'collect': []}", "\"collect\" is empty"},
        {"{'scene': 's', 'collect': ['a', 'a']}", ":1:33: there are two figures called \"a\""},
        {"{'scene': 's', 'collect': [{'name': 'x'}]}", "a figure is \"summary\", a path in summary.json, or \"probe\""},
        {"{'scene': 's', 'seeds': [1, 1]}", ":1:29: the seed 1 is there twice"},
        {"{'scene': 's', 'seeds': []}", "\"seeds\" is a list of 0"},
        {"{'scene': 's', 'seeds': 0}", "\"seeds\" must be from 1 to"},
        {"{'scene': 's', 'fit': {'targets': [{'summary': 'a', 'value': 1}]}}", "\"fit\" needs \"parameters\""},
        {"{'scene': 's', 'fit': {'parameters': {'a': {'from': 0, 'to': 1}}}}", "\"fit\" needs \"targets\""},
        {"{'scene': 's', 'fit': {'parameters': {'a': {'from': 0, 'to': 1, 'start': 2}}, 'targets': [{}]}}",
         "\"start\" must be from 0 to 1"},
        {"{'scene': 's', 'fit': {'parameters': {'a': {'from': 0, 'to': 1}}, 'targets': [{'summary': 'a'}]}}",
         "needs \"value\""},
        {"{'scene': 's', 'fit': {'parameters': {'a': {'from': 0, 'to': 1}}, 'targets': [{'summary': 'a', 'curve': "
         "'c'}]}}",
         "a curve is compared with a \"probe\""},
        {"[1]", "must be an object"},
        {"", ":1:1: the study is empty"},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k) {
        study_plan plan;
        scr_error error = {.message = ""};
        assert_int_equal(read_study(wrong[k].text, &plan, &error), SCR_BAD_INPUT);
        if (strncmp(error.message, "in/study.json:", 14) != 0 || strstr(error.message, wrong[k].message) == NULL)
            fail_msg("%s\n  says  %s\n  not   %s", wrong[k].text, error.message, wrong[k].message);
        study_plan_free(&plan);
    }
}

static void a_verb_says_what_it_lacks(void **state)
{
    (void)state;
    study_plan plan;
    scr_error error;
    assert_int_equal(read_study("{'scene': 's', 'collect': ['a']}", &plan, &error), SCR_OK);
    assert_int_equal(study_plan_expect_sweep(&plan, &error), SCR_BAD_INPUT);
    assert_non_null(strstr(error.message, "nothing varies"));
    assert_int_equal(study_plan_expect_fit(&plan, &error), SCR_BAD_INPUT);
    assert_non_null(strstr(error.message, "no \"fit\""));
    study_plan_free(&plan);
    assert_int_equal(read_study("{'scene': 's', 'vary': {'a': [1]}}", &plan, &error), SCR_OK);
    assert_int_equal(study_plan_expect_sweep(&plan, &error), SCR_BAD_INPUT);
    assert_non_null(strstr(error.message, "needs \"collect\""));
    study_plan_free(&plan);
}

static void paths_have_one_spelling(void **state)
{
    (void)state;
    static const char *const same[][2] = {{"fills[0].count", "fills.0.count"},
                                          {"/fills/0/count", "fills.0.count"},
                                          {"a[1][22].b", "a.1.22.b"},
                                          {"materials.<[i]>.x", "materials.<[i]>.x"},
                                          {"[0].a", "[0].a"},
                                          {"a", "a"}};
    for (size_t k = 0; k < sizeof same / sizeof *same; ++k) {
        char path[64];
        strcpy(path, same[k][0]);
        assert_true(json_path_spell(path));
        assert_string_equal(path, same[k][1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_whole_study_is_read),
        cmocka_unit_test(mistakes_have_a_place),
        cmocka_unit_test(a_verb_says_what_it_lacks),
        cmocka_unit_test(paths_have_one_spelling),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
