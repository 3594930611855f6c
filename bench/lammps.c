// SPDX-License-Identifier: BSD-3-Clause
#include "lammps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "penalty_bed.h"

// The deck of the peers' comparison, with walls. Stiffness is the same as ours, damping of the same order.
static const char DECK[] = "units si\natom_style sphere\natom_modify map array\nboundary f f f\nnewton off\nprocessors "
                           "* * 1\ncomm_modify vel yes\n"
                           "read_data bed.data\n"
                           "pair_style gran/hertz/history 3.663e6 4.525e6 2.0e6 NULL 0.5 1\npair_coeff * *\n"
                           "fix 3 all wall/gran hertz/history 3.663e6 4.525e6 2.0e6 NULL 0.5 1 zplane 0.0 NULL\n"
                           "fix 4 all wall/gran hertz/history 3.663e6 4.525e6 2.0e6 NULL 0.5 1 xplane 0.0 %.10g\n"
                           "fix 5 all wall/gran hertz/history 3.663e6 4.525e6 2.0e6 NULL 0.5 1 yplane 0.0 %.10g\n"
                           "neighbor 0.001 bin\nneigh_modify delay 0 every 1 check yes\n"
                           "fix 1 all nve/sphere\nfix 2 all gravity 9.81 vector 0 0 -1\n"
                           "thermo 1000000\nthermo_modify lost error\ntimestep %.10g\nrun %d\nrun %d\n";

static bool write_deck(const char *directory, double lx, double ly, int warm_steps, int steps)
{
    char path[300];
    snprintf(path, sizeof path, "%s/deck.lmp", directory);
    FILE *file = fopen(path, "w");
    if (file == NULL) return false;
    fprintf(file, DECK, lx, ly, PENALTY_STEP, warm_steps, steps);
    return fclose(file) == 0;
}

static bool write_bed(const char *directory, const scr_vec3 *position, int64_t count, double lx, double ly)
{
    char path[300];
    snprintf(path, sizeof path, "%s/bed.data", directory);
    FILE *file = fopen(path, "w");
    if (file == NULL) return false;
    fprintf(file,
            "bed\n\n%lld atoms\n1 atom types\n\n-0.001 %.10g xlo xhi\n-0.001 %.10g ylo yhi\n-0.001 0.30 zlo "
            "zhi\n\nAtoms\n\n",
            (long long)count, lx + 0.001, ly + 0.001);
    for (int64_t i = 0; i < count; ++i)
        fprintf(file, "%lld 1 %.10g 2500 %.12g %.12g %.12g\n", (long long)i + 1, 2.0 * PENALTY_RADIUS, position[i].x,
                position[i].y, position[i].z);
    return fclose(file) == 0;
}

// The second run's time: "Loop time of 0.58 on 2 procs for 200 steps with 8000 atoms"
static double run_deck(const char *directory, int processes, int steps)
{
    char command[600], line[300];
    double seconds = 0.0, found;
    snprintf(command, sizeof command,
             "cd %s && OMP_NUM_THREADS=1 mpirun --allow-run-as-root --oversubscribe -np %d lmp -in deck.lmp -log none "
             "2>/dev/null",
             directory, processes);
    FILE *pipe = popen(command, "r");
    if (pipe == NULL) return 0.0;
    for (int loops = 0; fgets(line, sizeof line, pipe) != NULL;)
        if (sscanf(line, "Loop time of %lf", &found) == 1 && ++loops == 2) seconds = found / steps;
    return pclose(pipe) == 0 ? seconds : 0.0;
}

double lammps_step_seconds(const scr_vec3 *position, int64_t count, double lx, double ly, int processes, int warm_steps,
                           int steps)
{
    char directory[] = "/tmp/scree_lammps_XXXXXX", path[300];
    if (mkdtemp(directory) == NULL) return 0.0;
    bool written = write_deck(directory, lx, ly, warm_steps, steps) && write_bed(directory, position, count, lx, ly);
    double seconds = written ? run_deck(directory, processes, steps) : 0.0;
    const char *files[] = {"deck.lmp", "bed.data"};
    for (size_t k = 0; k < sizeof files / sizeof *files; ++k) {
        snprintf(path, sizeof path, "%s/%s", directory, files[k]);
        remove(path);
    }
    rmdir(directory);
    return seconds;
}
