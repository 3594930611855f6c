// SPDX-License-Identifier: BSD-3-Clause
// Any text is a formula or a mistake with a place; a formula has the same value whenever it is compiled.
#include "fuzz/fuzz.h"

#include "scene/formula/expression.h"

static const expression_name known[] = {{"grains", 16000.0}, {"width", 0.2}, {"x", -1.0}};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = text_of(data, size);
    expression *first, *second;
    int error_at;
    scr_error error = {.message = ""};
    if (expression_compile(text, known, 3, true, &first, &error_at, &error) == SCR_OK) {
        promise(expression_compile(text, known, 3, true, &second, &error_at, &error) == SCR_OK);
        for (double t = 0.0; t < 3.0; t += 1.25) {
            double a = expression_value(first, t), b = expression_value(second, t);
            promise(memcmp(&a, &b, sizeof a) == 0);
        }
        expression_destroy(first);
        expression_destroy(second);
    } else {
        promise(first == NULL && error.message[0] != '\0' && error_at >= 0 && (size_t)error_at <= strlen(text));
    }
    free(text);
    return 0;
}
