// SPDX-License-Identifier: MIT
/// STL files, binary and text: each is refused or read as triangles.
#include "geometry/files/stl.h"
#include "tests/fuzz/fuzz_triangles.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  return fuzz_triangles(ts_stl_parse, "mesh.stl", data, size);
}
