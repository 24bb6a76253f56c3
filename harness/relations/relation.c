// SPDX-License-Identifier: MIT
#include "harness/relations/relation.h"

#include "base/status.h"
#include "harness/relations/scene_variants.h"

#include <string.h>

static ts_variant same_place(void) {
  return (ts_variant){.motion = ts_pose_identity(), .scale = 1};
}

/// All bodies in reverse, so that each pair is swapped; or taken in strides, so that pairs keep
/// their order or lose it.
static ts_status make_swap(ts_variant *out, ts_arena *arena, const ts_relation_source *source,
                           size_t variant) {
  int32_t count = (int32_t)source->scene->body_count;
  int32_t stride = count % 7 == 0 ? 1 : 7;
  int32_t *order = ts_arena_array(arena, source->scene->body_count, sizeof *order);
  if (!order)
    return TS_E_MEMORY;
  for (int32_t i = 0; i < count; i++)
    order[i] = variant == TS_VARIANT_REVERSED ? count - 1 - i
                                              : (int32_t)(((int64_t)i * stride + 3) % count);
  ts_scene *scene;
  TS_TRY(ts_scene_with_body_order(&scene, arena, source->scene, order));
  *out = same_place();
  out->scene = scene;
  out->to_old = order;
  return TS_OK;
}

static ts_status make_mesh_order(ts_variant *out, ts_arena *arena, const ts_relation_source *source,
                                 size_t variant) {
  ts_scene *scene;
  TS_TRY(ts_scene_with_mesh_order(&scene, arena, source->scene, variant + 1));
  *out = same_place();
  out->scene = scene;
  return TS_OK;
}

static ts_status make_mirror(ts_variant *out, ts_arena *arena, const ts_relation_source *source,
                             size_t variant) {
  (void)variant;
  ts_scene *scene;
  TS_TRY(ts_scene_mirrored(&scene, arena, source->scene));
  *out = same_place();
  out->scene = scene;
  out->is_mirrored = true;
  return TS_OK;
}

static ts_status make_split(ts_variant *out, ts_arena *arena, const ts_relation_source *source,
                            size_t variant) {
  (void)variant;
  ts_scene *scene;
  TS_TRY(ts_scene_with_split_triangles(&scene, arena, source->scene));
  *out = same_place();
  out->scene = scene;
  return TS_OK;
}

/// The case built once more with one of its common parameters changed.
static ts_status build_with(ts_scene **out, ts_arena *arena, const ts_relation_source *source,
                            ts_common_param parameter, double value) {
  size_t count = ts_case_param_count(source->c);
  double *values = ts_arena_copy(arena, source->values, count, sizeof *values);
  if (!values)
    return TS_E_MEMORY;
  values[parameter] = value;
  return ts_case_build(out, arena, source->c, values);
}

static ts_status make_scale(ts_variant *out, ts_arena *arena, const ts_relation_source *source,
                            size_t variant) {
  static const double scales[] = {1e-3, 1e3};
  ts_scene *scene;
  TS_TRY(build_with(&scene, arena, source, TS_COMMON_SCALE,
                    source->values[TS_COMMON_SCALE] * scales[variant]));
  *out = same_place();
  out->scene = scene;
  out->scale = scales[variant];
  return TS_OK;
}

static ts_status make_motion(ts_variant *out, ts_arena *arena, const ts_relation_source *source,
                             size_t variant) {
  ts_scene *scene;
  double seed = source->values[TS_COMMON_MOTION_SEED] + (double)variant + 1;
  TS_TRY(build_with(&scene, arena, source, TS_COMMON_MOTION_SEED, seed));
  *out = same_place();
  out->scene = scene;
  out->motion = ts_pose_mul(scene->bodies[0].pose, ts_pose_inverse(source->scene->bodies[0].pose));
  return TS_OK;
}

const ts_relation ts_relations[TS_RELATION_COUNT] = {
    [TS_RELATION_SWAP] = {"swap", "swap",
                          "The bodies in reverse, and in another order: normals that are swapped "
                          "back point from a to b again.",
                          2, make_swap},
    [TS_RELATION_MESH_ORDER] = {"mesh_order", "mesh order",
                                "Vertices, triangles and tets shuffled and turned round, three "
                                "times.",
                                3, make_mesh_order},
    [TS_RELATION_MIRROR] = {"mirror", "mirror", "The scene in a mirror that swaps x and z.", 1,
                            make_mirror},
    [TS_RELATION_SPLIT] = {"split", "triangles split",
                           "Each triangle cut into three by a vertex in its middle.", 1,
                           make_split},
    [TS_RELATION_SCALE] = {"scale", "scale",
                           "The scene a thousand times smaller, and a thousand times larger.", 2,
                           make_scale},
    [TS_RELATION_MOTION] = {"motion", "motion",
                            "The scene turned and moved as a whole, by five random motions.", 5,
                            make_motion},
};

ts_relation_kind ts_relation_find(const char *name) {
  int kind = 0;
  while (kind < TS_RELATION_COUNT && strcmp(ts_relations[kind].name, name) != 0)
    kind++;
  return (ts_relation_kind)kind;
}

ts_status ts_relation_make(ts_variant *out, ts_arena *arena, const ts_relation *relation,
                           const ts_relation_source *source, size_t variant) {
  if (source->scene->tets == TS_TETS_PUBLISHED)
    return ts_fail(TS_E_INPUT, "the published tets belong to the meshes as designed: leave out "
                               "tets=published to have TetGen fill the bodies");
  return relation->make(out, arena, source, variant);
}

static ts_contact contact_back(const ts_variant *variant, ts_contact c, bool is_swapped) {
  c.point = ts_vec3_scale(ts_pose_point_local(variant->motion, c.point), 1 / variant->scale);
  c.normal = ts_quat_rotate(ts_quat_conjugate(variant->motion.rotation), c.normal);
  if (variant->is_mirrored) {
    c.point = ts_scene_mirror(c.point);
    c.normal = ts_scene_mirror(c.normal);
  }
  c.gap_m /= variant->scale;
  c.area_m2 /= variant->scale * variant->scale;
  if (is_swapped) {
    ts_feature feature = c.feature_a;
    c.normal = ts_vec3_neg(c.normal);
    c.feature_a = c.feature_b;
    c.feature_b = feature;
  }
  return c;
}

const ts_contact_set *ts_variant_back(ts_arena *arena, const ts_variant *variant,
                                      const ts_contact_set *set) {
  ts_contact_set *back = ts_arena_copy(arena, set, 1, sizeof *back);
  ts_contact *contacts = ts_arena_array(arena, set->count, sizeof *contacts);
  if (!back || !contacts)
    return NULL;
  int32_t a = variant->to_old ? variant->to_old[set->body_a] : set->body_a;
  int32_t b = variant->to_old ? variant->to_old[set->body_b] : set->body_b;
  bool is_swapped = a > b;
  for (size_t i = 0; i < set->count; i++)
    contacts[i] = contact_back(variant, set->contacts[i], is_swapped);
  back->body_a = is_swapped ? b : a;
  back->body_b = is_swapped ? a : b;
  back->contacts = contacts;
  back->capacity = set->count;
  return back;
}
