// SPDX-License-Identifier: BSD-3-Clause
// How much emitters will make, guessed before the run.
#include "scene/populate/emission_estimate.h"

#include <float.h>
#include <math.h>

#include "core/base/memory.h"
#include "core/maths/vec3.h"
#include "core/text/human.h"
#include "scene/model/messages.h"
#include "scene/populate/grain_mix.h"
#include "scene/populate/grain_shape.h"

static const double PACKED = 0.74;  // share of space in the densest packing of spheres

// What the region has room for: as full as can be, and full again whenever a grain that started at one side has left it
// at the other.
static double capacity_of_region(const scene *s, const scene_emitter *e, double grain_volume, double seconds)
{
    scr_aabb box = region_bounds(&e->region);
    scr_vec3 size = vec3_sub(box.high, box.low);
    double least = fmin(size.x, fmin(size.y, size.z)), start = vec3_norm(e->velocity);
    double fastest = sqrt(start * start + 2.0 * vec3_norm(s->world.gravity) * vec3_norm(size));
    double times = 1.0 + fmax(seconds, 0.0) * fastest / fmax(least, DBL_MIN);
    return PACKED * region_volume(&e->region) / grain_volume * times;
}

static double expected_from(const scene *s, const scene_emitter *e)
{
    double volume = 0.0, grain = 0.0;  // m^3, kg: of a mean grain
    for (int k = 0; k < e->mix.count; ++k) {
        double share = mix_share(&e->mix, k) * size_mean_cube(&e->size);
        volume += share * grain_volume(&e->mix.grain[k].shape, 1.0);
        grain += share * kind_mass(s, &e->mix.grain[k], 1.0);
    }
    double seconds = fmax(fmin(e->stop, s->end_time) - e->start, 0.0);
    double count = grain > 0.0 ? fmin(e->rate * seconds / grain, capacity_of_region(s, e, volume, seconds)) : 0.0;
    return e->limit > 0 ? fmin(count, (double)e->limit) : count;
}

emission_estimate expected_emissions(const scene *s)
{
    double spheres = 0.0, others = 0.0;
    for (int i = 0; i < s->emitter_count; ++i) {
        const scene_mix *mix = &s->emitters[i].mix;
        double count = expected_from(s, &s->emitters[i]);
        for (int k = 0; k < mix->count; ++k)
            *(mix->grain[k].shape.kind == SCR_SPHERE ? &spheres : &others) += mix_share(mix, k) * count;
    }
    return (emission_estimate){(int64_t)fmin(spheres, 1e15), (int64_t)fmin(others, 1e15)};
}

scr_status check_body_limit(double bodies, scr_error *error)
{
    double needed = BODY_BYTES * bodies, there = (double)scr_machine_bytes();
    if (needed <= there) return SCR_OK;
    return scr_fail(error, SCR_NO_MEMORY, "%.3g bodies take about %s of memory, and this machine has %s", bodies,
                    human_bytes((int64_t)fmin(needed, 1e18)).text, human_bytes((int64_t)there).text);
}

scr_status check_emitters_limit(const scene *s, scr_error *error)
{
    if (s->sink_count > 0 || (s->domain.present && s->domain.leave == LEAVE_REMOVE)) return SCR_OK;
    double bodies = 0.0;
    for (int k = 0; k < s->emitter_count; ++k) {
        const scene_emitter *e = &s->emitters[k];
        scr_error reason;
        bodies += expected_from(s, e);
        if (check_body_limit(bodies, &reason) != SCR_OK)
            return scene_fail(error, SCR_BAD_INPUT, s, e->location, "%s: %s", label_of("emitter", e->name, k).text,
                              reason.message);
    }
    return SCR_OK;
}
