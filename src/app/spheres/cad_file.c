// SPDX-License-Identifier: BSD-3-Clause
// Gmsh and the geometry kernel below it are large, and what a file does to them is not ours to answer for. So they are
// loaded only when a CAD file is read, and in a process of its own: if they crash, that is a sentence, not our end. The
// child writes its triangles, or its sentence, to a file without a name, from which the parent reads.
#include "app/spheres/cad_file.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/wait.h>
#include <unistd.h>

bool cad_file_has_ending(const char *path)
{
    static const char *const endings[] = {".step", ".stp", ".iges", ".igs"};
    const char *dot = strrchr(path, '.');
    for (size_t k = 0; dot != NULL && k < sizeof endings / sizeof *endings; ++k)
        if (strcasecmp(dot, endings[k]) == 0) return true;
    return false;
}

#ifndef SCREE_GMSH_LIBRARY

const char *cad_library(void) { return NULL; }

scr_status cad_file_read(const char *path, double scale, double size, triangle_soup *out, scr_error *error)
{
    (void)scale, (void)size;
    *out = (triangle_soup){0};
    return scr_fail(error, SCR_BAD_INPUT,
                    "%s: this scree was built without Gmsh (libgmsh-dev) and reads no CAD files: export an STL", path);
}

#else

#include <gmshc.h>

const char *cad_library(void) { return "Gmsh " GMSH_API_VERSION; }

// What the child found: this, then the vertices and triangles, unless the sentence says why not.
typedef struct cad_result {
    int64_t vertex_count, triangle_count;
    char sentence[256];
} cad_result;

// The functions of Gmsh that are used, found by name in the library once that is loaded.
typedef struct gmsh_calls {
    __typeof__(gmshInitialize) *initialize;
    __typeof__(gmshOpen) *open;
    __typeof__(gmshOptionSetNumber) *set_number;
    __typeof__(gmshOptionSetString) *set_string;
    __typeof__(gmshModelGetEntities) *entities;
    __typeof__(gmshModelMeshSetOutwardOrientation) *orient;
    __typeof__(gmshModelMeshGenerate) *generate;
    __typeof__(gmshModelMeshGetNodes) *nodes;
    __typeof__(gmshModelMeshGetElementsByType) *elements;
} gmsh_calls;

static bool find_calls(gmsh_calls *g)
{
    void *library = dlopen(SCREE_GMSH_LIBRARY, RTLD_NOW);
    const struct {
        void **call;
        const char *name;
    } wanted[] = {
        {(void **)&g->initialize, "gmshInitialize"},
        {(void **)&g->open, "gmshOpen"},
        {(void **)&g->set_number, "gmshOptionSetNumber"},
        {(void **)&g->set_string, "gmshOptionSetString"},
        {(void **)&g->entities, "gmshModelGetEntities"},
        {(void **)&g->orient, "gmshModelMeshSetOutwardOrientation"},
        {(void **)&g->generate, "gmshModelMeshGenerate"},
        {(void **)&g->nodes, "gmshModelMeshGetNodes"},
        {(void **)&g->elements, "gmshModelMeshGetElementsByType"},
    };
    for (size_t k = 0; library != NULL && k < sizeof wanted / sizeof *wanted; ++k) {
        *wanted[k].call = dlsym(library, wanted[k].name);
        if (*wanted[k].call == NULL) return false;
    }
    return library != NULL;
}

static const char *load(const gmsh_calls *g, const char *path, double size)
{
    enum { ELEMENTS_A_TURN = 48 };
    int failed = 0;
    g->initialize(0, NULL, 0, &failed);
    if (failed) return "Gmsh cannot start";
    g->set_number("General.Terminal", 0.0, &failed);
    g->set_string("Geometry.OCCTargetUnit", "M", &failed);
    g->set_number("Mesh.MeshSizeFromCurvature", ELEMENTS_A_TURN, &failed);
    g->set_number("Mesh.MinimumElementsPerTwoPi", ELEMENTS_A_TURN, &failed);
    if (isfinite(size)) g->set_number("Mesh.MeshSizeMax", size, &failed);
    failed = 0;
    g->open(path, &failed);
    return failed ? "Gmsh cannot read it" : NULL;
}

static const char *mesh(const gmsh_calls *g)
{
    int failed = 0, *solid = NULL;
    size_t count = 0;
    g->entities(&solid, &count, 3, &failed);
    if (failed || count == 0) return "there is no solid in it";
    for (size_t k = 0; k + 1 < count; k += 2) g->orient(solid[k + 1], &failed);
    if (!failed) g->generate(2, &failed);
    return failed ? "Gmsh cannot mesh its surface" : NULL;
}

// Tags of vertices may have holes: number[tag] is the vertex.
static const char *collect(const gmsh_calls *g, FILE *to)
{
    enum { TRIANGLE = 2 };
    size_t *tag = NULL, *element = NULL, *corner = NULL, tags = 0, elements = 0, corners = 0, coordinates = 0, none = 0;
    double *coordinate = NULL, *parameter = NULL;
    int failed = 0, failed_too = 0;
    g->nodes(&tag, &tags, &coordinate, &coordinates, &parameter, &none, -1, -1, 1, 0, &failed);
    g->elements(TRIANGLE, &element, &elements, &corner, &corners, -1, 0, 1, &failed_too);
    if (failed || failed_too || corners == 0 || tags == 0 || coordinates != 3 * tags) return "it has no surface";
    if (tags > INT32_MAX / 4 || corners / 3 > INT32_MAX / 4) return "it has too many triangles";
    size_t most = 0;
    for (size_t k = 0; k < tags; ++k) most = tag[k] > most ? tag[k] : most;
    int32_t *number = calloc(most + 1, sizeof *number);
    if (number == NULL) return "there is no memory for its surface";
    for (size_t k = 0; k < tags; ++k) number[tag[k]] = (int32_t)k;
    const cad_result result = {(int64_t)tags, (int64_t)(corners / 3), ""};
    fwrite(&result, sizeof result, 1, to);
    fwrite(coordinate, sizeof *coordinate, coordinates, to);
    for (size_t k = 0; k < corners; ++k) {
        int32_t vertex = corner[k] <= most ? number[corner[k]] : 0;
        fwrite(&vertex, sizeof vertex, 1, to);
    }
    return NULL;
}

static void work(const char *path, double size, FILE *to)
{
    gmsh_calls g;
    const char *sentence = find_calls(&g) ? load(&g, path, size) : "the library " SCREE_GMSH_LIBRARY " is not there";
    if (sentence == NULL) sentence = mesh(&g);
    if (sentence == NULL) sentence = collect(&g, to);
    if (sentence != NULL) {
        cad_result result = {0};
        snprintf(result.sentence, sizeof result.sentence, "%s", sentence);
        fwrite(&result, sizeof result, 1, to);
    }
    fflush(to);
}

static scr_status receive(const char *path, double scale, FILE *from, triangle_soup *out, scr_error *error)
{
    cad_result r;
    rewind(from);
    if (fread(&r, sizeof r, 1, from) != 1)
        return scr_fail(error, SCR_BAD_INPUT, "%s: Gmsh stopped while it read it", path);
    r.sentence[sizeof r.sentence - 1] = '\0';
    if (r.sentence[0] != '\0') return scr_fail(error, SCR_BAD_INPUT, "%s: %s", path, r.sentence);
    scr_status status = scr_grow(&out->vertex, &out->vertex_capacity, r.vertex_count, sizeof *out->vertex, path, error);
    if (status == SCR_OK)
        status =
            scr_grow(&out->triangle, &out->triangle_capacity, r.triangle_count, 3 * sizeof *out->triangle, path, error);
    if (status != SCR_OK) return status;
    if (fread(out->vertex, sizeof *out->vertex, (size_t)r.vertex_count, from) != (size_t)r.vertex_count ||
        fread(out->triangle, 3 * sizeof *out->triangle, (size_t)r.triangle_count, from) != (size_t)r.triangle_count)
        return scr_fail(error, SCR_BAD_INPUT, "%s: Gmsh stopped while it read it", path);
    out->vertex_count = r.vertex_count;
    out->triangle_count = r.triangle_count;
    for (int64_t k = 0; k < out->vertex_count; ++k) {
        scr_vec3 *v = &out->vertex[k];
        v->x *= scale, v->y *= scale, v->z *= scale;
    }
    return SCR_OK;
}

scr_status cad_file_read(const char *path, double scale, double size, triangle_soup *out, scr_error *error)
{
    *out = (triangle_soup){0};
    if (access(path, R_OK) != 0) return scr_fail(error, SCR_IO, "%s: cannot be read", path);
    FILE *between = tmpfile();
    if (between == NULL) return scr_fail(error, SCR_IO, "%s: there is no place for a temporary file", path);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        if (freopen("/dev/null", "w", stdout) != NULL && freopen("/dev/null", "w", stderr) != NULL)
            work(path, size, between);
        _exit(0);
    }
    int ended = 0;
    scr_status status = SCR_OK;
    if (child < 0 || waitpid(child, &ended, 0) != child)
        status = scr_fail(error, SCR_IO, "%s: no process could be started to read it", path);
    if (status == SCR_OK) status = receive(path, scale, between, out, error);
    fclose(between);
    if (status != SCR_OK) triangle_soup_free(out);
    return status;
}

#endif
