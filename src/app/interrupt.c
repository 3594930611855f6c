// Ctrl-C, SIGTERM and SIGHUP.
#include "app/interrupt.h"

#include <signal.h>
#include <stddef.h>
#include <unistd.h>

#include "app/command.h"

static volatile sig_atomic_t requested;

static void on_signal(int number)
{
    (void)number;
    if (requested) _exit(EXIT_INTERRUPTED);
    requested = 1;
}

void interrupt_install(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART}, before;
    sigemptyset(&action.sa_mask);
    for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; ++k) {
        // What whoever started us wants ignored (nohup, a background job) stays ignored.
        if (sigaction(numbers[k], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(numbers[k], &action, NULL);
    }
}

bool interrupt_requested(void) { return requested != 0; }
