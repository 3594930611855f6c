// SPDX-License-Identifier: BSD-3-Clause
// A crash becomes a sentence.
//
// The handlers are set before the constructors of shared libraries run (.preinit_array), because some of them crash
// where memory is short: pixman's, which cairo needs, before main. A handler calls nothing but what POSIX allows there.
#include "app/command/crash.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/command/command.h"
#include "core/base/printable.h"
#include "core/file/temporary_file.h"

enum { TEXT_MAX = 1024, STACK_BYTES = 64 << 10 };

static char command[TEXT_MAX], run[TEXT_MAX];
static char own_stack[STACK_BYTES];  // a stack that has run over cannot be used

static const struct {
    int number;
    const char *meaning;
} crashes[] = {{SIGSEGV, "a memory access that is not allowed"},
               {SIGBUS, "a memory access that failed"},
               {SIGFPE, "arithmetic that is not possible"},
               {SIGILL, "an instruction that this processor does not have"},
               {SIGABRT, "a check of its own or of a library failed"}};
enum { CRASH_COUNT = sizeof crashes / sizeof crashes[0] };

static void say(const char *text)
{
    for (size_t left = strlen(text); left > 0;) {
        ssize_t written = write(STDERR_FILENO, text, left);
        if (written <= 0) return;
        text += written;
        left -= (size_t)written;
    }
}

static void tell(const char *meaning)
{
    files_abandon();
    say("\nscree: crashed in ");
    say(command[0] != '\0' ? command : "its libraries, before it began");
    say(": ");
    say(meaning);
    say(". A damaged file or a lack of memory may be the reason; SCREE_CORE=1 leaves a core dump\n");
    if (run[0] != '\0') {
        say("scree: the last checkpoint is whole: `scree resume ");
        say(run);
        say("` goes on from it\n");
    }
    _exit(EXIT_FAILED);
}

static void on_crash(int number)
{
    const char *meaning = "";
    for (int k = 0; k < CRASH_COUNT; ++k)
        if (crashes[k].number == number) meaning = crashes[k].meaning;
    tell(meaning);
}

static bool is_end_expected;

static void on_end(void)
{
    if (!is_end_expected) tell("a library ended it");
}

void crash_expect_end(void) { is_end_expected = true; }

__attribute__((unused)) static void install(int argc, char **argv, char **environment)
{
    (void)argc, (void)argv;
    for (char **e = environment; e != NULL && *e != NULL; ++e)
        if (strcmp(*e, "SCREE_CORE=1") == 0) return;
    const stack_t stack = {.ss_sp = own_stack, .ss_size = sizeof own_stack};
    sigaltstack(&stack, NULL);
    struct sigaction action = {.sa_handler = on_crash, .sa_flags = SA_ONSTACK | SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    for (int k = 0; k < CRASH_COUNT; ++k) sigaction(crashes[k].number, &action, NULL);
    atexit(on_end);
}

// Sanitizers say more about a crash than we could, and are not ready so early.
#if !SCREE_SANITIZED
typedef void early_function(int argc, char **argv, char **environment);
__attribute__((section(".preinit_array"), used)) static early_function *const install_early = install;
#endif

// Behind the first `at` bytes; cut to fit. Names may hold anything.
static void copy(char to[TEXT_MAX], size_t at, const char *text)
{
    for (; at + 1 < TEXT_MAX && *text != '\0'; ++at, ++text) to[at] = *text;
    to[at] = '\0';
    make_printable(to);
}

void crash_note_command(int argc, char **argv)
{
    copy(command, 0, "`scree ");
    for (int k = 1; k < argc && k < 3; ++k) {
        copy(command, strlen(command), argv[k]);
        if (k + 1 < argc && k < 2) copy(command, strlen(command), " ");
    }
    if (argc > 3) copy(command, strlen(command), " ...");
    copy(command, strlen(command), "`");
}

void crash_note_run(const char *directory)
{
    run[0] = '\0';
    if (directory != NULL) copy(run, 0, directory);
}
