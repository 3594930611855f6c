// How much emitters will make, guessed before the run.
#include "scene/emission_estimate.h"

#include <math.h>

#include "scene/grain_shape.h"

// Mean of the radius cubed, m^3. Exact for all but the cut-off normal and lognormal distributions.
static double mean_cube(const scene_size *size)
{
    double low = size->min, high = size->max, mean = size->mean, variance = size->deviation * size->deviation;
    switch (size->kind) {
    case SIZE_CONSTANT: return low * low * low;
    case SIZE_UNIFORM: return 0.25 * (low + high) * (low * low + high * high);
    case SIZE_NORMAL: return mean * mean * mean + 3.0 * mean * variance;
    case SIZE_LOGNORMAL: return pow(mean * (1.0 + variance / (mean * mean)), 3.0);
    case SIZE_TABLE: break;
    }
    double sum = 0.0, shares = 0.0;
    for (int k = 0; k < size->class_count; ++k) {
        sum += size->share[k] * pow(size->radius[k], 3.0);
        shares += size->share[k];
    }
    return shares > 0.0 ? sum / shares : 0.0;
}

static double expected_from(const scene *s, const scene_emitter *e)
{
    double grain = grain_volume(&e->shape, 1.0) * mean_cube(&e->size) * s->materials[e->material].def.density;  // kg
    double seconds = fmax(fmin(e->stop, s->end_time) - e->start, 0.0);
    double count = grain > 0.0 ? e->rate * seconds / grain : 0.0;
    return e->limit > 0 ? fmin(count, (double)e->limit) : count;
}

emission_estimate expected_emissions(const scene *s)
{
    double spheres = 0.0, others = 0.0;
    for (int k = 0; k < s->emitter_count; ++k)
        *(s->emitters[k].shape.kind == SCR_SPHERE ? &spheres : &others) += expected_from(s, &s->emitters[k]);
    return (emission_estimate){(int64_t)fmin(spheres, 1e15), (int64_t)fmin(others, 1e15)};
}
