// SPDX-License-Identifier: BSD-3-Clause
// Any bytes at all as a saved world: it is refused with a sentence, or it is a world that can be read and saved again.
// The size and the checksum are made to fit, so that what is behind them is tried too.
#include "core/text/checksum.h"
#include "fuzz/fuzz.h"
#include "scree/scree.h"

static void make_fit(char *data, size_t size)
{
    const size_t size_at = 16, least = 32;
    uint64_t stated = size;
    if (size < least) return;
    memcpy(data + size_at, &stated, sizeof stated);
    uint64_t sum = checksum_of(data, size - sizeof sum);
    memcpy(data + size - sizeof sum, &sum, sizeof sum);
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
    char *data = text_of(input, size);
    scr_error error = {0};
    scr_world *world;
    make_fit(data, size);
    if (scr_world_load_from_memory(data, size, &world, &error) == SCR_OK) {
        void *again;
        size_t again_size;
        promise(scr_world_bodies(world).count >= 0);
        promise(scr_world_save_to_memory(world, &again, &again_size, &error) == SCR_OK);
        scr_memory_free(again);
    } else {
        promise(world == NULL && error.message[0] != '\0');
    }
    scr_world_destroy(world);
    free(data);
    return 0;
}
