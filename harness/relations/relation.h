// SPDX-License-Identifier: MIT
/// Relations: what may be done to a scene without a contact generator noticing. Each has variants
/// of a scene, whose contacts are brought back to the original and compared with the ones there. No
/// truth is needed.
#ifndef TS_HARNESS_RELATION_H
#define TS_HARNESS_RELATION_H

#include "cases/case.h"
#include "cases/scene/scene.h"
#include "geometry/contact_set.h"

typedef enum ts_relation_kind {
  TS_RELATION_SWAP,
  TS_RELATION_MESH_ORDER,
  TS_RELATION_MIRROR,
  TS_RELATION_SPLIT,
  TS_RELATION_SCALE,
  TS_RELATION_MOTION,
  TS_RELATION_COUNT
} ts_relation_kind;

/// What a variant is made of.
typedef struct ts_relation_source {
  const ts_case *c;
  const double *values;  ///< [ts_case_param_count(c)]
  const ts_scene *scene; ///< the case built with them
} ts_relation_source;

/// A scene, and how its contacts come back.
typedef struct ts_variant {
  const ts_scene *scene;
  const int32_t *to_old; ///< [body_count]: the original's body for each; NULL: the same
  ts_pose motion;        ///< of the whole scene
  double scale;
  bool is_mirrored; ///< ts_scene_mirror
} ts_variant;

typedef struct ts_relation {
  const char *name;    ///< as in --relation and in rows
  const char *heading; ///< in tables
  const char *meaning; ///< one sentence
  size_t variant_count;
  ts_status (*make)(ts_variant *out, ts_arena *arena, const ts_relation_source *source,
                    size_t variant);
} ts_relation;

/// [TS_RELATION_COUNT]
extern const ts_relation ts_relations[];

/// Variants of a relation that tests ask for by number.
enum { TS_VARIANT_REVERSED = 0, TS_VARIANT_REORDERED = 1 };

/// TS_RELATION_COUNT when there is none of that name.
ts_relation_kind ts_relation_find(const char *name);

/// Makes a variant below the relation's variant_count, in the arena; what it has in common with the
/// source is borrowed. TS_E_INPUT for a scene with published tets, which belong to the meshes as
/// designed, and as ts_case_build and scene_variants.h.
ts_status ts_relation_make(ts_variant *out, ts_arena *arena, const ts_relation *relation,
                           const ts_relation_source *source, size_t variant);

/// A contact set of a variant as one of the original's, in the arena: bodies renamed, in order,
/// contacts mapped, and not sorted again. NULL when out of memory.
const ts_contact_set *ts_variant_back(ts_arena *arena, const ts_variant *variant,
                                      const ts_contact_set *set);

#endif
