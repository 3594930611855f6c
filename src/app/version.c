// SPDX-License-Identifier: BSD-3-Clause
// What this build is made of.
#include "app/version.h"

#include <hdf5.h>
#include <jansson.h>

#include "app/report/report_page.h"
#include "app/spheres/cad_file.h"
#include "build_info.h"
#include "core/base/threads.h"

static const char *instruction_set(void)
{
#if defined(SCREE_HAVE_AVX2)
    if (__builtin_cpu_supports("avx2")) return "avx2";
#endif
    return "plain";
}

void print_version(FILE *out)
{
    unsigned major = 0, minor = 0, release = 0;
    H5get_libversion(&major, &minor, &release);
    fprintf(out, "scree %s\n", SCREE_VERSION);
    fprintf(out, "  build      %s, %s, %s%s%s\n", SCREE_BUILD_TYPE, SCREE_COMPILER, SCREE_TARGET,
            SCREE_SANITIZE[0] != '\0' ? ", sanitizers: " : "", SCREE_SANITIZE);
    fprintf(out, "  kernels    %s on this machine, %d threads by default\n", instruction_set(), scr_core_count());
    fprintf(out, "  libraries  HDF5 %u.%u.%u, Jansson %s, Embree %s, Cairo %s, Qhull %s, NLopt %s, OpenMP %s\n", major,
            minor, release, jansson_version_str(), SCREE_EMBREE_VERSION, SCREE_CAIRO_VERSION, SCREE_QHULL_VERSION,
            SCREE_NLOPT_VERSION, SCREE_OPENMP_VERSION);
    fprintf(out, "  CAD files  %s\n", cad_library() != NULL ? cad_library() : "no: built without Gmsh");
    fprintf(out, "  rasters    libpng %s, %s%s\n", SCREE_PNG_VERSION,
            SCREE_GDAL_VERSION[0] != '\0' ? "GDAL " : "no GeoTIFF: built without GDAL", SCREE_GDAL_VERSION);
    fprintf(out, "  reports    %s\n", report_page_text()[0] != '\0' ? "yes" : "no: built without Node.js and npm");
}
