// SPDX-License-Identifier: MIT
// covers: methods/patch_feature.c
/// Where a method names the features of a contact, its normal is one that they have: it is in the
/// normal cone of each. Engines drop contacts by that rule, those along the edges inside of a flat
/// floor say.

#include "base/param.h"
#include "base/status.h"
#include "cases/case.h"
#include "cases/scene/shape_state.h"
#include "geometry/cone.h"
#include "geometry/mesh/patches.h"
#include "geometry/tolerances.h"
#include "harness/narrow_phase/parts.h"
#include "harness/run/cell.h"
#include "methods/registry.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#define ANGLE_RAD (M_PI / 180)

enum { FACES_MAX = 100 }; ///< around a vertex

/// Means on curves and the ways out of overlaps may be of no feature: few in these cases.
#define UNNAMED_MAX 0.01

/// A method that cannot keep the promise, by its definition. A row that is not needed any more
/// fails.
typedef struct known_exception {
  const char *method, *reason;
} known_exception;

static const known_exception known_exceptions[] = {
    {"sdf_samples",
     "The normal is the gradient of the field of one body at a sample of the other: whether the "
     "feature that the sample is of can push that way is not looked at."},
    {"closest_points",
     "Any two features that are close make a contact where the vector between them leaves both "
     "solids, whether or not it is a normal of them (Erleben 2018, section 6)."},
    {"intersection",
     "The normal is that of one of the two features, or the cross product of two edges, and the "
     "other one is not looked at (Erleben 2018, section 6)."},
    {"hull_clip",
     "The normal of the reference face goes with all points of the face that is the most opposite, "
     "whether or not they are the farthest along it."},
};

/// Of how many sides of contacts a method names the feature, of how many it does not, and how many
/// of those named do not have the normal.
typedef struct tally {
  size_t named, unnamed, wrong;
} tally;

/// A mesh as a method is given it, with the patches that its faces stand for.
typedef struct surface {
  const ts_mesh *mesh;
  const ts_patches *patches;
} surface;

static ts_arena *arena;

static void setup(void) {
  cr_assert_eq(ts_arena_create(&arena), TS_OK);
}

static void teardown(void) {
  ts_arena_destroy(arena);
}

TestSuite(contract_features, .init = setup, .fini = teardown, .timeout = 300);

// ---- normal cones, in the frame of the mesh ----------------------------------------------------

static ts_vec3 corner_of(const ts_mesh *mesh, size_t triangle, int corner) {
  return mesh->vertices[mesh->triangles[triangle][corner % 3]];
}

static bool face_has(const surface *s, uint32_t triangle, ts_vec3 normal) {
  ts_vec3 own = s->patches->patches[s->patches->patch_of[triangle]].normal;
  return ts_vec3_angle(own, normal) <= ANGLE_RAD;
}

/// Whether all of the surface next to a vertex or an edge is below the plane of a normal. What is
/// in reach of a triangle is between two directions.
static bool is_below(ts_vec3 normal, ts_vec3 direction) {
  return ts_vec3_dot(normal, ts_vec3_unit(direction)) <= sin(ANGLE_RAD);
}

/// The direction from an edge into a triangle beside it, at a right angle to the edge.
static ts_vec3 into_triangle(const ts_mesh *mesh, size_t triangle, int corner) {
  ts_vec3 along = ts_vec3_unit(
      ts_vec3_sub(corner_of(mesh, triangle, corner + 1), corner_of(mesh, triangle, corner)));
  ts_vec3 to =
      ts_vec3_sub(corner_of(mesh, triangle, corner + 2), corner_of(mesh, triangle, corner));
  return ts_vec3_add_scaled(to, -ts_vec3_dot(to, along), along);
}

/// A valley has no normals: its faces are below no plane but one that the solid is above.
static bool edge_has(const surface *s, uint32_t id, ts_vec3 normal) {
  const ts_mesh *mesh = s->mesh;
  uint32_t half_edges[2] = {id, mesh->edge_twin[id]};
  ts_vec3 sum = {0, 0, 0}, along = {0, 0, 0};
  bool has = true;
  for (int i = 0; i < 2; i++) {
    size_t triangle = half_edges[i] / 3;
    int corner = (int)(half_edges[i] % 3);
    sum = ts_vec3_add(sum, s->patches->patches[s->patches->patch_of[triangle]].normal);
    along = ts_vec3_sub(corner_of(mesh, triangle, corner + 1), corner_of(mesh, triangle, corner));
    has = has && is_below(normal, along) && is_below(normal, into_triangle(mesh, triangle, corner));
  }
  return has && ts_vec3_dot(normal, sum) > 0;
}

/// Whether the edge that begins at a corner of a triangle is a valley.
static bool is_valley(const ts_mesh *mesh, size_t triangle, int corner) {
  size_t half_edge = 3 * triangle + (size_t)corner;
  size_t beyond = mesh->edge_twin[half_edge];
  ts_vec3 into = into_triangle(mesh, beyond / 3, (int)(beyond % 3));
  return ts_vec3_dot(ts_mesh_face_normal(mesh, triangle), ts_vec3_unit(into)) > ANGLE_RAD / 100;
}

/// A vertex has the normals below which all of the surface beside it is; the sum of the normals
/// around it by their angles is on the side of free space (Baerentzen and Aanaes 2005). With
/// valleys it also has those between the normals of its faces: parts of the solid there have them.
static bool vertex_has(const surface *s, uint32_t vertex, ts_vec3 normal) {
  const ts_mesh *mesh = s->mesh;
  ts_vec3 sum = {0, 0, 0}, normals[FACES_MAX];
  bool is_above = true, has_valley = false;
  size_t count = 0;
  for (size_t t = 0; t < mesh->triangle_count; t++)
    for (int k = 0; k < 3; k++) {
      if (mesh->triangles[t][k] != vertex)
        continue;
      ts_vec3 to = ts_vec3_sub(corner_of(mesh, t, k + 1), mesh->vertices[vertex]);
      ts_vec3 other = ts_vec3_sub(corner_of(mesh, t, k + 2), mesh->vertices[vertex]);
      cr_assert_lt(count, FACES_MAX);
      normals[count] = ts_mesh_face_normal(mesh, t);
      sum = ts_vec3_add_scaled(sum, ts_vec3_angle(to, other), normals[count++]);
      is_above = is_above && is_below(normal, to) && is_below(normal, other);
      has_valley |= is_valley(mesh, t, k);
    }
  return (is_above && ts_vec3_dot(normal, sum) > 0) ||
         (has_valley && ts_cone_closest(normal, normals, count).angle_rad <= ANGLE_RAD);
}

static bool feature_has(const surface *s, ts_feature feature, ts_vec3 normal) {
  switch (feature.kind) {
  case TS_FEATURE_VERTEX:
    return vertex_has(s, feature.index, normal);
  case TS_FEATURE_EDGE:
    return edge_has(s, feature.index, normal);
  case TS_FEATURE_FACE:
    return face_has(s, feature.index, normal);
  default:
    return true;
  }
}

// ---- all methods -------------------------------------------------------------------------------

static const char *reason_for(const ts_method *method) {
  for (size_t i = 0; i < sizeof known_exceptions / sizeof *known_exceptions; i++)
    if (strcmp(known_exceptions[i].method, method->name) == 0)
      return known_exceptions[i].reason;
  return NULL;
}

static const double *method_defaults(const ts_method *method) {
  double *values = ts_arena_array(arena, method->param_count, sizeof *values);
  ts_param_defaults(values, method->params, method->param_count);
  return values;
}

static ts_scene *build(const ts_case *c, double motion_seed) {
  size_t count = ts_case_param_count(c);
  double *values = ts_arena_array(arena, count, sizeof *values);
  ts_param_defaults(values, ts_case_params(arena, c), count);
  values[TS_COMMON_MOTION_SEED] = motion_seed;
  ts_scene *scene;
  cr_assert_eq(ts_case_build(&scene, arena, c, values), TS_OK, "%s", ts_status_detail());
  return scene;
}

static surface *surfaces_of(const ts_scene *scene, const ts_method *method) {
  ts_envelope envelope = {0};
  if (method->envelope)
    cr_assert_eq(method->envelope(&envelope, method_defaults(method)), TS_OK);
  ts_shape_state state = ts_parts_shape_state(method, &envelope);
  surface *surfaces = ts_arena_array(arena, scene->shape_count, sizeof *surfaces);
  for (size_t i = 0; i < scene->shape_count; i++) {
    ts_patches *patches;
    cr_assert_eq(ts_shape_state_mesh(&surfaces[i].mesh, arena, scene, i, &state), TS_OK);
    double flat_m = 1e-6 * ts_aabb_extent(ts_mesh_bounds(surfaces[i].mesh));
    cr_assert_eq(ts_patches_create_joined(&patches, arena, surfaces[i].mesh, flat_m), TS_OK);
    surfaces[i].patches = patches;
  }
  return surfaces;
}

static void take(tally *out, const ts_scene *scene, const surface *surfaces, int32_t body,
                 ts_feature feature, ts_vec3 outward) {
  if (feature.kind == TS_FEATURE_NONE) {
    out->unnamed++;
    return;
  }
  ts_vec3 local = ts_quat_rotate(ts_quat_conjugate(scene->bodies[body].pose.rotation), outward);
  out->named++;
  out->wrong += !feature_has(&surfaces[scene->bodies[body].shape], feature, local);
}

static void take_scene(tally *out, const ts_scene *scene, const ts_method *method) {
  const surface *surfaces = surfaces_of(scene, method);
  ts_contact_set *sets;
  size_t count;
  ts_status status = ts_cell_contacts(&sets, &count, arena, scene, method, method_defaults(method));
  if (status == TS_SKIPPED && method->needs & TS_NEEDS_CONVEX)
    return; // a body that is not convex, and has no pieces
  cr_assert_eq(status, TS_OK, "%s: %s", method->name, ts_status_detail());
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < sets[i].count; k++) {
      const ts_contact *contact = &sets[i].contacts[k];
      take(out, scene, surfaces, sets[i].body_a, contact->feature_a, contact->normal);
      take(out, scene, surfaces, sets[i].body_b, contact->feature_b, ts_vec3_neg(contact->normal));
    }
}

/// On all cases; of a method that is not known to break the promise none may be wrong.
static tally check_method(const ts_method *method, bool may_break) {
  tally all = {0, 0, 0};
  for (size_t i = 0; ts_cases[i]; i++)
    for (int seed = 1; seed <= 3; seed++) {
      ts_arena_mark mark = ts_arena_get_mark(arena);
      tally of = {0, 0, 0};
      take_scene(&of, build(ts_cases[i], seed), method);
      cr_expect(may_break || of.wrong == 0,
                "%s x %s, motion_seed=%d: of %zu features %zu do not have the normal",
                ts_cases[i]->name, method->name, seed, of.named, of.wrong);
      all.named += of.named;
      all.unnamed += of.unnamed;
      all.wrong += of.wrong;
      ts_arena_rewind(arena, mark);
    }
  return all;
}

Test(contract_features, normals_are_those_of_the_features_named) {
  size_t checked = 0;
  for (size_t m = 0; ts_methods[m]; m++) {
    if (!(ts_methods[m]->gives & TS_GIVES_FEATURES))
      continue;
    const char *reason = reason_for(ts_methods[m]);
    tally all = check_method(ts_methods[m], reason != NULL);
    // Features of convex pieces are dropped.
    cr_expect((ts_methods[m]->needs & TS_NEEDS_CONVEX) ||
                  (double)all.unnamed <= UNNAMED_MAX * (double)all.named,
              "%s names features of %zu sides of contacts, and none of %zu", ts_methods[m]->name,
              all.named, all.unnamed);
    cr_expect(all.named > 0, "%s names no feature anywhere", ts_methods[m]->name);
    cr_expect(!reason || all.wrong > 0,
              "%s keeps the promise now where a row says that it does not: take the row out",
              ts_methods[m]->name);
    checked++;
  }
  cr_assert_geq(checked, 3);
}
