// SPDX-License-Identifier: BSD-3-Clause
// The test rig of a scene. It is written into the scene's tree as the bodies, joints, loads, fills, phases and the
// probe that it stands for, before those are read. The scene as run has them in place of the rig.
#include "io/json/json_memory.h"
#include "io/machine/machines.h"
#include "io/rig/rig_parts.h"

void read_rig(json_cursor *root)
{
    typedef void build_rig(rig_site *);
    static build_rig *const build[RIG_KIND_COUNT] = {[RIG_DIRECT_SHEAR] = build_direct_shear,
                                                     [RIG_PRESSURE_SINKAGE] = build_pressure_sinkage,
                                                     [RIG_SINGLE_WHEEL] = build_single_wheel,
                                                     [RIG_CONE] = build_cone,
                                                     [RIG_TRIAXIAL] = build_triaxial,
                                                     [RIG_BEVAMETER_RING] = build_bevameter_ring,
                                                     [RIG_REPOSE] = build_repose};
    json_t *root_value = root->document->root;
    if (json_object_get(root_value, "rig") == NULL) return;
    json_cursor at = cursor_object(root, "rig");
    int kind = cursor_choice(&at, "kind", RIG_NAMES, RIG_KIND_COUNT, -1);
    if (!cursor_is_ok(root)) return;
    rig_site site = rig_site_open(&at);
    if (cursor_is_ok(root)) build[kind](&site);
    rig_site_close(&site);
    json_object_del(root_value, "rig");
    if (json_memory_ran_out() && cursor_is_ok(root)) cursor_fail_memory(root, 0, "a rig");
}
