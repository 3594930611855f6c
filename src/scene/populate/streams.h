// SPDX-License-Identifier: BSD-3-Clause
// Who draws from which stream of random numbers (geometry/shape/sampler.h): one for each entry of a list, so that
// changing one entry leaves the others' grains as they were.
#ifndef SCENE_POPULATE_STREAMS_H
#define SCENE_POPULATE_STREAMS_H

#include <stdint.h>

static const uint64_t STREAM_FILLS = (uint64_t)1 << 40;
static const uint64_t STREAM_EMITTER_SIZES = (uint64_t)2 << 40;
static const uint64_t STREAM_EMITTER_POSITIONS = (uint64_t)3 << 40;
static const uint64_t STREAM_FILL_ROTATIONS = (uint64_t)4 << 40;
static const uint64_t STREAM_EMITTER_ROTATIONS = (uint64_t)5 << 40;
static const uint64_t STREAM_FILL_MIXES = (uint64_t)6 << 40;
static const uint64_t STREAM_EMITTER_MIXES = (uint64_t)7 << 40;
static const uint64_t STREAM_FILL_PEBBLES = (uint64_t)9 << 40;  // a kind of a mix is PEBBLE_KIND of a fill's
static const uint64_t PEBBLE_KIND = (uint64_t)1 << 24;
static const uint64_t STREAM_GROUNDS = (uint64_t)8 << 40;

#endif
