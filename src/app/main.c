// SPDX-License-Identifier: BSD-3-Clause
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

#include "app/command/crash.h"
#include "app/command/interrupt.h"
#include "app/help.h"
#include "app/version.h"
#include "core/text/nearest_name.h"

static const verb verb_list[] = {
    {"run", "Scenes and runs", "run a scene into a run directory", app_run},
    {"resume", "Scenes and runs", "continue a stopped or killed run", app_resume},
    {"check", "Scenes and runs", "validate a scene; say what it would build and cost", app_check},
    {"contacts", "Scenes and runs", "list where the bodies of a scene touch as it begins", app_contacts},
    {"bed", "Scenes and runs", "make a bed of the grains of a run; cut, move, repeat and merge beds", app_bed},
    {"terrain", "Scenes and runs", "settle the grains of a scene and write them as a bed, in one go", app_terrain},
    {"info", "Scenes and runs",
     "say what is in a scene, a run directory, a checkpoint, a trajectory, a bed, a problem, a mesh or a sphere set",
     app_info},
    {"spheres", "Scenes and runs", "fit spheres to the surface of a part, for bodies of many spheres", app_spheres},
    {"vehicle", "Scenes and runs", "check a vehicle file; say what it is made of and draw it", app_vehicle},
    {"render", "Results", "make a picture of a frame of a run, or a movie", app_render},
    {"report", "Results", "write one HTML page about a run, or one that compares runs: plots and a 3-D player",
     app_report},
    {"plot", "Results", "draw what the probes of runs measured; list what there is", app_plot},
    {"export", "Results", "write the frames of a run for POV-Ray, VTK, OVITO or a table", app_export},
    {"sweep", "Studies", "run a scene with many values of its parameters, and tabulate and plot what comes out",
     app_sweep},
    {"fit", "Studies", "find the parameters of a scene that reproduce what was measured", app_fit},
    {"problem", "Solvers of contact problems", "write the contact problem of a step to a file", app_problem},
    {"solve", "Solvers of contact problems", "try solvers on such a problem", app_solve},
};
static const verb_table verbs = {verb_list, sizeof verb_list / sizeof verb_list[0]};

static const verb *find_verb(const char *name)
{
    for (int v = 0; v < verbs.count; ++v) {
        if (strcmp(name, verb_list[v].name) == 0) return &verb_list[v];
    }
    nearest_name search = nearest_to(name);
    for (int v = 0; v < verbs.count; ++v) nearest_offer(&search, verb_list[v].name);
    nearest_offer(&search, "help");
    fprintf(stderr, "scree: there is no verb \"%s\"", name);
    if (search.best != NULL) fprintf(stderr, "; did you mean \"%s\"?\n", search.best);
    else fprintf(stderr, "; `scree help` lists them\n");
    return NULL;
}

// "help", or "help VERB" which is the same as "VERB --help".
static int help(int argc, char **argv, const help_format *format)
{
    if (argc < 2) {
        print_help_of_all(&verbs, format);
        return EXIT_DONE;
    }
    const verb *v = find_verb(argv[1]);
    if (v == NULL) return EXIT_BAD_INPUT;
    char question[] = "--help", *arguments[] = {argv[1], question, NULL};
    return v->run(2, arguments);
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
        print_overview(&verbs, stderr);
        return EXIT_BAD_INPUT;
    }
    const char *word = argv[1];
    bool is_known = true;
    const help_format *format = help_asked_for(strcmp(word, "help") == 0 ? "--help" : word, &is_known);
    if (!is_known) return EXIT_BAD_INPUT;
    if (format != NULL) return help(argc - 1, argv + 1, format);
    if (strcmp(word, "version") == 0 || strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0) {
        print_version(stdout);
        return EXIT_DONE;
    }
    const verb *v = find_verb(word);
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
