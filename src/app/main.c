// The command scree: finds the verb and hands over to it.
#include <errno.h>
#include <fcntl.h>
#include <hdf5.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/command/command.h"
#include "app/command/crash.h"
#include "app/command/interrupt.h"
#include "app/version.h"
#include "core/text/nearest_name.h"

typedef struct verb {
    const char *name;
    verb_function *run;
    const char *summary;
} verb;

static const verb verbs[] = {
    {"run", app_run, "run a scene into a run directory"},
    {"resume", app_resume, "continue a stopped or killed run"},
    {"check", app_check, "validate a scene; say what it would build and cost"},
    {"contacts", app_contacts, "list where the bodies of a scene touch as it begins"},
    {"info", app_info, "say what is in a scene, a run directory, a checkpoint, a trajectory, a problem or a mesh"},
    {"render", app_render, "make a picture of a frame of a run, or a movie"},
    {"report", app_report, "write one HTML page about a run, or one that compares runs: plots and a 3-D player"},
    {"plot", app_plot, "draw what the probes of runs measured; list what there is"},
    {"export", app_export, "write the frames of a run for POV-Ray, VTK, OVITO or a table"},
    {"problem", app_problem, "write the contact problem of a step to a file"},
    {"solve", app_solve, "try solvers on such a problem"},
};
enum { VERB_COUNT = sizeof verbs / sizeof verbs[0] };

static void print_usage(FILE *out)
{
    fprintf(out, "scree %s: rigid bodies and grains in frictional contact\n\n", scr_version());
    fprintf(out, "usage: scree VERB [ARGUMENT...]\n\n");
    for (int v = 0; v < VERB_COUNT; ++v) fprintf(out, "  %-10s %s\n", verbs[v].name, verbs[v].summary);
    fprintf(out, "  %-10s %s\n", "help", "this text; with a verb: its arguments and options");
    fprintf(out, "\n`scree --version` says what this build is made of.\n");
}

static const verb *find_verb(const char *name)
{
    for (int v = 0; v < VERB_COUNT; ++v) {
        if (strcmp(name, verbs[v].name) == 0) return &verbs[v];
    }
    nearest_name search = nearest_to(name);
    for (int v = 0; v < VERB_COUNT; ++v) nearest_offer(&search, verbs[v].name);
    nearest_offer(&search, "help");
    fprintf(stderr, "scree: there is no verb \"%s\"", name);
    if (search.best != NULL) fprintf(stderr, "; did you mean \"%s\"?\n", search.best);
    else fprintf(stderr, "; `scree help` lists them\n");
    return NULL;
}

static int help(int argc, char **argv)
{
    if (argc < 2) {
        print_usage(stdout);
        print_exit_codes();
        return EXIT_DONE;
    }
    const verb *v = find_verb(argv[1]);
    if (v == NULL) return EXIT_BAD_INPUT;
    char option[] = "--help", *arguments[] = {argv[1], option, NULL};
    return v->run(2, arguments);
}

static bool is_any(const char *word, const char *a, const char *b, const char *c)
{
    return strcmp(word, a) == 0 || strcmp(word, b) == 0 || strcmp(word, c) == 0;
}

// OpenMP threads that wait for each other spin for about a millisecond by default. On a machine that does other work as
// well, they then take the core from the very thread they wait for, and a run becomes many times slower. The runtime
// reads its settings before main, so the command starts itself once more with a short spin, unless the user chose one.
static void wait_politely(char **argv)
{
    if (getenv("OMP_WAIT_POLICY") != NULL || getenv("GOMP_SPINCOUNT") != NULL) return;
    if (setenv("GOMP_SPINCOUNT", "5000", 1) == 0) execv("/proc/self/exe", argv);
    // Where that fails, the run is only slower under load.
}

// Were one of the three streams closed, the next file to be opened would take its number, and what is printed would go
// into that file. A stand-in that cannot be written to makes it an error instead.
static void stand_in_for_closed_streams(void)
{
    int file;
    do file = open("/dev/null", O_RDONLY);
    while (file >= 0 && file <= STDERR_FILENO);
    if (file >= 0) close(file);
}

static bool has_reader(int stream)
{
    struct pollfd end = {.fd = stream, .events = POLLOUT};
    return poll(&end, 1, 0) < 0 || (end.revents & POLLERR) == 0;
}

// What is printed may go nowhere, to a full disk for one; a verb that prints is not done then. Only a reader who went
// away (`| head`) has seen enough.
static int close_output(int code)
{
    bool is_wanted = has_reader(STDOUT_FILENO), is_whole = !ferror(stdout);
    errno = 0;
    if (fclose(stdout) != 0) is_whole = false;
    if (is_whole || !is_wanted || errno == EPIPE) return code;
    fprintf(stderr, "scree: not all that was printed could be written to standard output%s%s\n", errno != 0 ? ": " : "",
            errno != 0 ? strerror(errno) : "");
    return code == EXIT_DONE ? EXIT_FAILED : code;
}

static int obey(int argc, char **argv)
{
    if (argc < 2) {
        print_usage(stderr);
        return EXIT_BAD_INPUT;
    }
    if (is_any(argv[1], "help", "--help", "-h")) return help(argc - 1, argv + 1);
    if (is_any(argv[1], "version", "--version", "-V")) {
        print_version(stdout);
        return EXIT_DONE;
    }
    const verb *v = find_verb(argv[1]);
    return v == NULL ? EXIT_BAD_INPUT : v->run(argc - 1, argv + 1);
}

int main(int argc, char **argv)
{
    stand_in_for_closed_streams();
    wait_politely(argv);
    // Files are closed where they are used. At exit HDF5 would try again to write what could not be written.
    H5dont_atexit();
    // A reader of our output that goes away, and a limit on the size of files, show as errors of write().
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    interrupt_ends_at_once();
    crash_note_command(argc, argv);
    int code = close_output(obey(argc, argv));
    crash_expect_end();
    return code;
}
