// Probes: what a run measures.
#include <math.h>
#include <stddef.h>

#include "io/scene_parts.h"

_Static_assert(offsetof(scene_probe, name) == 0, "read_named_list needs the name in front");

static int read_probe_body(scene_parts *parts, json_cursor *at)
{
    const char *name = cursor_text(at, "body", NULL);
    json_cursor member = cursor_member(at, "body");
    return find_name(&member, &parts->bodies, name);
}

static void read_probe(scene_parts *parts, json_cursor *at, void *entry)
{
    scene_probe *probe = entry;
    static const char *const kinds[] = {
        [PROBE_ENERGY] = "energy",         [PROBE_REGION_MASS] = "region_mass",
        [PROBE_MASS_FLOW] = "mass_flow",   [PROBE_CONTACT_COUNT] = "contact_count",
        [PROBE_BODY_FORCE] = "body_force", [PROBE_BODY_STATE] = "body_state",
        [PROBE_BODY_COUNT] = "body_count",
    };
    probe->place = cursor_place(at);
    probe->kind = (probe_kind)cursor_choice(at, "kind", kinds, sizeof kinds / sizeof *kinds, -1);
    switch (probe->kind) {
    case PROBE_REGION_MASS:
        probe->region = read_region(at, "region");
        break;
    case PROBE_MASS_FLOW:
        probe->point = cursor_vector(at, "point", NULL, RANGE_COORDINATE);
        probe->normal = read_direction(at, "normal", NULL);
        probe->extent = cursor_number_or_null(at, "extent", INFINITY, RANGE_LENGTH);
        break;
    case PROBE_BODY_FORCE:
    case PROBE_BODY_STATE:
        probe->body = read_probe_body(parts, at);
        break;
    case PROBE_ENERGY:
    case PROBE_CONTACT_COUNT:
    case PROBE_BODY_COUNT:
        break;
    }
    cursor_close(at);
}

void read_probes(scene_parts *parts, json_cursor *root)
{
    static const named_list probes = {"probes", "probe", true, sizeof(scene_probe), read_probe};
    parts->scene->probes = read_named_list(parts, root, &probes, &parts->scene->probe_count);
}
