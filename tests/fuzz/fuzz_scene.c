// SPDX-License-Identifier: BSD-3-Clause
// Any bytes are a scene or a mistake with a sentence. The scene as run reads back to itself, without options.
//
// Input: the scene's text; after a byte 0, lines path=value as with --set.
#include "fuzz/fuzz.h"

#include "io/scene/scene_reader.h"

enum { OPTION_MAX = 8 };

// Cut the lines of text, which is changed, into options.
static int split_options(char *text, scene_override options[OPTION_MAX])
{
    int count = 0;
    char *rest = NULL;
    for (char *line = strtok_r(text, "\n", &rest); line != NULL && count < OPTION_MAX;
         line = strtok_r(NULL, "\n", &rest)) {
        char *equals = strchr(line, '=');
        if (equals == NULL) continue;
        *equals = '\0';
        options[count++] = (scene_override){line, equals + 1, NULL};
    }
    return count;
}

static bool is_a_sentence(const char *message)
{
    return strchr(message, '\n') == NULL &&
           (strncmp(message, "fuzz.json:", 10) == 0 || strncmp(message, "--set ", 6) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *zero = size > 0 ? memchr(data, 0, size) : NULL;
    size_t length = zero != NULL ? (size_t)(zero - data) : size, option_length = zero != NULL ? size - length - 1 : 0;
    char *text = malloc(length > 0 ? length : 1), *option_text = calloc(option_length + 1, 1);
    promise(text != NULL && option_text != NULL);
    if (length > 0) memcpy(text, data, length);
    if (option_length > 0) memcpy(option_text, zero + 1, option_length);
    scene_override options[OPTION_MAX];
    int option_count = split_options(option_text, options);

    scene *s, *again;
    char *as_run, *as_run_again;
    scr_error error = {.message = ""};
    if (scene_read_text(text, length, "fuzz.json", options, option_count, &s, &as_run, &error) == SCR_OK) {
        promise(scene_read_text(as_run, strlen(as_run), "fuzz.json", NULL, 0, &again, &as_run_again, &error) == SCR_OK);
        promise(strcmp(as_run, as_run_again) == 0);
        scene_destroy(again);
        free(as_run_again);
    } else {
        promise(s == NULL && as_run == NULL && is_a_sentence(error.message));
    }
    scene_destroy(s);
    free(as_run);
    free(text);
    free(option_text);
    return 0;
}
