// SPDX-License-Identifier: MIT
// covers: base/geometry_kind.c
#include "base/geometry_kind.h"

#include <criterion/criterion.h>
#include <string.h>

Test(base_geometry_kind, each_kind_has_a_word_of_its_own) {
  cr_expect_str_eq(ts_geometry_words[TS_GEOMETRY_MESH], "mesh");
  cr_expect_str_eq(ts_geometry_words[TS_GEOMETRY_CAPSULE], "capsule");
  cr_expect_str_eq(ts_geometry_words[TS_GEOMETRY_SURFACE], "surface");
  for (int i = 0; i < TS_GEOMETRY_KIND_COUNT; i++)
    for (int k = 0; k < i; k++)
      cr_expect_str_neq(ts_geometry_words[i], ts_geometry_words[k]);
}

Test(base_geometry_kind, a_kind_is_a_mesh_a_primitive_or_ground) {
  for (int32_t kind = 0; kind < TS_GEOMETRY_KIND_COUNT; kind++) {
    int classes =
        (kind == TS_GEOMETRY_MESH) + ts_geometry_is_primitive(kind) + ts_geometry_is_ground(kind);
    cr_expect_eq(classes, 1, "%s", ts_geometry_words[kind]);
    cr_expect(ts_geometry_is_primitive(kind) || !ts_geometry_is_curved(kind));
    cr_expect(ts_geometry_is_primitive(kind) || !ts_geometry_has_offset(kind));
  }
  cr_expect_not(ts_geometry_is_curved(TS_GEOMETRY_BOX));
  cr_expect_not(ts_geometry_has_offset(TS_GEOMETRY_CONE));
}
