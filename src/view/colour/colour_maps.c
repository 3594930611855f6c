// SPDX-License-Identifier: BSD-3-Clause
// Published colour maps of quantities: viridis, inferno and magma (N. Smith and S. van der Walt, 2015), cividis (J.
// Nunez, C. Anderton and R. Renslow, 2018, for those who see no red or green). All are in the public domain (CC0).
//
// Each is given by 33 of its colours, evenly spaced, in sRGB; between them a straight line is within six levels of 255
// of the map's 256 colours (cividis; the others within two).
#include "view/colour/palette.h"

enum { KNOTS = 33 };

static const uint32_t knots[MAP_COUNT][KNOTS] = {
    [MAP_VIRIDIS] = {0x440154, 0x470d60, 0x48186a, 0x482374, 0x472d7b, 0x453781, 0x424086, 0x3e4989, 0x3b528b,
                     0x375b8d, 0x33638d, 0x2f6b8e, 0x2c728e, 0x297a8e, 0x26828e, 0x23898e, 0x21918c, 0x1f978b,
                     0x1f9f88, 0x21a685, 0x27ad81, 0x31b57b, 0x3dbc74, 0x4cc26c, 0x5cc863, 0x6ece58, 0x81d34d,
                     0x95d840, 0xaadc32, 0xc0df25, 0xd5e21a, 0xeae51a, 0xfde725},
    [MAP_CIVIDIS] = {0x00224e, 0x00285b, 0x002e6a, 0x053371, 0x1a386f, 0x273e6e, 0x32436d, 0x3b496c, 0x434e6c,
                     0x4b546c, 0x535a6d, 0x5a5f6e, 0x61656f, 0x686a71, 0x6f7073, 0x767676, 0x7d7c78, 0x838179,
                     0x8b8778, 0x928d78, 0x9a9376, 0xa29975, 0xaaa073, 0xb3a670, 0xbbad6d, 0xc3b369, 0xccba64,
                     0xd4c15f, 0xddc858, 0xe6d051, 0xefd748, 0xf8df3c, 0xfee838},
    [MAP_INFERNO] = {0x000004, 0x040312, 0x0b0724, 0x150b37, 0x210c4a, 0x2f0a5b, 0x3d0965, 0x4a0c6b, 0x57106e,
                     0x64156e, 0x71196e, 0x7d1e6d, 0x8a226a, 0x972766, 0xa32c61, 0xb0315b, 0xbc3754, 0xc63d4d,
                     0xd04545, 0xda4e3c, 0xe35933, 0xeb6429, 0xf1711f, 0xf67e14, 0xf98c0a, 0xfb9b06, 0xfcaa0f,
                     0xfbba1f, 0xf9c932, 0xf5d949, 0xf2e865, 0xf3f586, 0xfcffa4},
    [MAP_MAGMA] = {0x000004, 0x030312, 0x0a0822, 0x130d34, 0x1d1147, 0x29115a, 0x36106b, 0x440f76, 0x51127c,
                   0x5d177f, 0x6a1c81, 0x762181, 0x832681, 0x902a81, 0x9c2e7f, 0xaa337d, 0xb73779, 0xc23b75,
                   0xcf4070, 0xdb476a, 0xe55064, 0xee5b5e, 0xf4695c, 0xf9785d, 0xfb8761, 0xfd9668, 0xfea571,
                   0xfeb47b, 0xfec287, 0xfed194, 0xfde0a1, 0xfceeb0, 0xfcfdbf},
};

static vec3f encoded(uint32_t rgb)
{
    return vec3f_of((float)(rgb >> 16 & 255), (float)(rgb >> 8 & 255), (float)(rgb & 255)) * (1.0f / 255.0f);
}

void palette_use_published(palette *p, colour_map map)
{
    for (int i = 0; i < PALETTE_STEPS; ++i) {
        float x = (float)i * (KNOTS - 1) / (PALETTE_STEPS - 1);
        int k = x < KNOTS - 2 ? (int)x : KNOTS - 2;
        vec3f c = vec3f_mix(encoded(knots[map][k]), encoded(knots[map][k + 1]), x - (float)k);
        p->colour[i] = vec3f_of(srgb_decoded(c[0]), srgb_decoded(c[1]), srgb_decoded(c[2]));
    }
}
