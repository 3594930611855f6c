// SPDX-License-Identifier: BSD-3-Clause
#include "scene/populate/grain_mix.h"

#include <math.h>

#include "scene/populate/grain_shape.h"

int mix_draw(const scene_mix *mix, uint64_t seed, uint64_t stream, uint64_t number)
{
    return mix->count > 1 ? class_draw(mix->weight, mix->count, seed, stream, number) : 0;
}

double mix_reach(const scene_mix *mix)
{
    double reach = 0.0;
    for (int k = 0; k < mix->count; ++k) reach = fmax(reach, grain_reach(&mix->grain[k]));
    return reach;
}

double mix_share(const scene_mix *mix, int kind)
{
    double sum = 0.0;
    for (int k = 0; k < mix->count; ++k) sum += mix->weight[k];
    return mix->weight[kind] / sum;
}

double kind_mass(const scene *s, const scene_grain *kind, double radius)
{
    return s->materials[kind->material].def.density * grain_volume(&kind->shape, radius);
}
