// SPDX-License-Identifier: MIT
#include "harness/run/input_check.h"

#include "base/hash.h"

#include <string.h>

#define PRIME UINT64_C(0x100000001b3)

uint64_t ts_input_hash(uint64_t hash, const void *bytes, size_t count) {
  const unsigned char *next = bytes;
  // Independent lanes, so that multiplications can overlap.
  uint64_t lanes[4] = {hash, hash + 1, hash + 2, hash + 3}, words[4];
  for (; count >= sizeof words; count -= sizeof words, next += sizeof words) {
    memcpy(words, next, sizeof words);
    for (int i = 0; i < 4; i++) {
      uint64_t mixed = (lanes[i] ^ words[i]) * PRIME;
      lanes[i] = mixed ^ mixed >> 32; // otherwise the upper bits of a word would be lost
    }
  }
  hash = ts_hash_bytes(hash, lanes, sizeof lanes);
  return ts_hash_bytes(hash, next, count);
}

uint64_t ts_input_hash_mesh(const ts_mesh *mesh) {
  uint64_t hash = ts_input_hash(TS_HASH_START, mesh, sizeof *mesh);
  hash = ts_input_hash(hash, mesh->vertices, mesh->vertex_count * sizeof *mesh->vertices);
  hash = ts_input_hash(hash, mesh->triangles, mesh->triangle_count * sizeof *mesh->triangles);
  if (mesh->edge_twin)
    hash = ts_input_hash(hash, mesh->edge_twin, 3 * mesh->triangle_count * sizeof(uint32_t));
  if (mesh->tet_count == 0)
    return hash;
  hash = ts_input_hash(hash, mesh->tets, mesh->tet_count * sizeof *mesh->tets);
  return mesh->tet_surface ? ts_input_hash(hash, mesh->tet_surface, mesh->tet_count) : hash;
}
