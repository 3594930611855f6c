// Any bytes at all as an INP file: see fuzz_mesh.h.
#include "fuzz/fuzz_mesh.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) { return read_any_mesh(MESH_INP, "fuzz.inp", data, size); }
