// SPDX-License-Identifier: BSD-3-Clause
// Ctrl-C, SIGTERM and SIGHUP.
#include "app/command/interrupt.h"

#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "app/command/command.h"
#include "core/base/interruption.h"
#include "core/file/temporary_file.h"

static volatile sig_atomic_t is_quiet;

static void say(const char *answer)
{
    if (!is_quiet && write(STDERR_FILENO, answer, strlen(answer)) < 0) is_quiet = 1;  // nobody listens
}

static void end_at_once(int number)
{
    (void)number;
    files_abandon();
    say("\nscree: interrupted; files that are there are whole\n");
    _exit(EXIT_INTERRUPTED);
}

static void on_request(int number)
{
    if (interruption_is_requested()) end_at_once(number);
    interruption_request();
    say("\nscree: stopping; once more ends it at once\n");
}

static void install(void (*handler)(int))
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART}, before;
    sigemptyset(&action.sa_mask);
    for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; ++k) {
        // What whoever started us wants ignored (nohup, a background job) stays ignored.
        if (sigaction(numbers[k], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(numbers[k], &action, NULL);
    }
}

void interrupt_ends_at_once(void) { install(end_at_once); }

void interrupt_asks_to_stop(bool quiet)
{
    is_quiet = quiet;
    install(on_request);
}
