// SPDX-License-Identifier: BSD-3-Clause
// Any bytes at all as a sphere set: the reader either fails with a sentence that names the file, or gives spheres that
// have a place and a size, of a solid that has a volume.
#include <math.h>

#include "fuzz/fuzz.h"
#include "geometry/sphere_set/sphere_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char name[] = "fuzz.spheres";
    char *text = text_of(data, size);
    sphere_set set;
    scr_error error = {0};
    scr_status status = sphere_file_read_text(text, size, name, 1.0, &set, &error);
    if (status == SCR_OK) {
        promise(set.count > 0 && set.solid.volume > 0.0 && isfinite(set.solid.volume));
        for (int64_t k = 0; k < set.count; ++k) {
            scr_vec3 c = set.sphere[k].centre;
            promise(isfinite(c.x) && isfinite(c.y) && isfinite(c.z));
            promise(set.sphere[k].radius > 0.0 && isfinite(set.sphere[k].radius));
        }
    } else {
        promise(strncmp(error.message, name, strlen(name)) == 0 || status == SCR_NO_MEMORY);
        promise(set.sphere == NULL);
    }
    sphere_set_free(&set);
    free(text);
    return 0;
}
