// SPDX-License-Identifier: MIT
/// PLY files, text and binary: each is refused or read as triangles.
#include "geometry/files/ply.h"
#include "tests/fuzz/fuzz_triangles.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  return fuzz_triangles(ts_ply_parse, "mesh.ply", data, size);
}
