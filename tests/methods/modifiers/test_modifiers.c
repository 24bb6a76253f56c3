// SPDX-License-Identifier: MIT
// covers: methods/modifiers/modify_cones.c methods/modifiers/modify_void.c methods/modifiers/modify_hull.c
// covers: methods/modifiers/modify_merge.c methods/modifiers/modify_reduce.c methods/modifiers/modify_cut.c
// covers: methods/modifiers/normal_cone.c methods/modifiers/contact_cones.c
// covers: methods/modifiers/normal_clusters.c
#include "base/status.h"
#include "geometry/mesh/mesh.h"
#include "geometry/pose.h"
#include "methods/modifiers/modifier_chain.h"
#include "methods/modifiers/modifier_registry.h"
#include "methods/modifiers/normal_cone.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

static ts_arena *arena;

static void open_arena(void) {
  cr_assert_eq(ts_arena_create(&arena), TS_OK);
}

static void close_arena(void) {
  ts_arena_destroy(arena);
}

TestSuite(modifiers, .init = open_arena, .fini = close_arena);

/// A box from (-1, -1, -1) to (1, 1, 1): vertex i has the signs of its bits.
static const ts_mesh *make_box(double size_m) {
  static const uint32_t triangles[12][3] = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6},
                                            {0, 1, 5}, {0, 5, 4}, {2, 6, 7}, {2, 7, 3},
                                            {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  ts_vec3 vertices[8];
  for (int i = 0; i < 8; i++)
    vertices[i] =
        ts_vec3_scale(ts_vec3_make(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1), size_m);
  ts_mesh *mesh;
  cr_assert_eq(ts_mesh_create(&mesh, arena, vertices, 8, triangles, 12), TS_OK, "%s",
               ts_status_detail());
  return mesh;
}

/// A block with a notch along z: walls rise at 45 degrees from the edge x = y = 0, between the
/// vertices 3 and 8.
static const ts_mesh *make_notch(void) {
  static const double corners[5][2] = {{-1, -1}, {1, -1}, {1, 1}, {0, 0}, {-1, 1}};
  static const uint32_t cap[3][3] = {{3, 4, 0}, {3, 0, 1}, {3, 1, 2}};
  uint32_t triangles[16][3];
  ts_vec3 vertices[10];
  size_t count = 0;
  for (uint32_t i = 0; i < 10; i++)
    vertices[i] = ts_vec3_make(corners[i % 5][0], corners[i % 5][1], i < 5 ? 1 : -1);
  for (int i = 0; i < 3; i++, count += 2)
    for (int k = 0; k < 3; k++) {
      triangles[count][k] = cap[i][k];
      triangles[count + 1][k] = cap[i][2 - k] + 5;
    }
  for (uint32_t i = 0; i < 5; i++, count += 2) {
    uint32_t next = (i + 1) % 5;
    const uint32_t quad[2][3] = {{i, i + 5, next + 5}, {i, next + 5, next}};
    for (int t = 0; t < 2; t++)
      for (int k = 0; k < 3; k++)
        triangles[count + (size_t)t][k] = quad[t][k];
  }
  ts_mesh *mesh;
  cr_assert_eq(ts_mesh_create(&mesh, arena, vertices, 10, triangles, 16), TS_OK, "%s",
               ts_status_detail());
  return mesh;
}

/// Two boxes, the second on top of the first, both moved by `motion`, or a box above a notch.
typedef struct setting {
  ts_pair pair;
  ts_contact_set set;
  ts_pose motion;
  double scale;
} setting;

static setting make_setting(const ts_mesh *a, const ts_mesh *b, ts_vec3 b_at, ts_pose motion,
                            double scale) {
  ts_pose pose_b = ts_pose_identity();
  pose_b.translation = ts_vec3_scale(b_at, scale);
  return (setting){.pair = {.struct_size = sizeof(ts_pair),
                            .body_b = 1,
                            .mesh_a = a,
                            .mesh_b = b,
                            .pose_a = motion,
                            .pose_b = ts_pose_mul(motion, pose_b),
                            .size_m = 2 * scale},
                   .set = {.body_b = 1},
                   .motion = motion,
                   .scale = scale};
}

static setting boxes(void) {
  const ts_mesh *box = make_box(1);
  return make_setting(box, box, ts_vec3_make(0, 2, 0), ts_pose_identity(), 1);
}

static void add(setting *s, double x, double y, double z, ts_vec3 normal, double gap_m) {
  ts_vec3 point = ts_vec3_scale(ts_vec3_make(x, y, z), s->scale);
  ts_contact c = {.point = ts_pose_point(s->motion, point),
                  .normal = ts_pose_direction(s->motion, ts_vec3_unit(normal)),
                  .gap_m = gap_m * s->scale,
                  .area_m2 = NAN};
  cr_assert_eq(ts_contact_set_push(&s->set, &c, 1), TS_OK);
}

static void apply(setting *s, const char *text) {
  ts_modifier_chain chain;
  size_t count = 0;
  while (ts_modifiers[count])
    count++;
  cr_assert_eq(ts_modifier_chain_parse(&chain, arena, text, ts_modifiers, count), TS_OK, "%s",
               ts_status_detail());
  cr_assert_eq(ts_contact_set_canonicalise(&s->set, s->pair.size_m), TS_OK);
  cr_assert_eq(ts_modifier_chain_apply(&s->set, arena, &chain, &s->pair, s->scale), TS_OK, "%s",
               ts_status_detail());
}

static const ts_vec3 up = {0, 1, 0}, aside = {1, 0, 0};

/// Whether the set has a contact with that normal at a point of the setting before its motion.
static bool has(const setting *s, double x, double y, double z, ts_vec3 normal) {
  ts_vec3 point = ts_pose_point(s->motion, ts_vec3_scale(ts_vec3_make(x, y, z), s->scale));
  normal = ts_pose_direction(s->motion, ts_vec3_unit(normal));
  for (size_t i = 0; i < s->set.count; i++)
    if (ts_vec3_distance(s->set.contacts[i].point, point) <= 1e-9 * s->scale &&
        ts_vec3_distance(s->set.contacts[i].normal, normal) <= 1e-9)
      return true;
  return false;
}

Test(modifiers, cones_keep_what_both_bodies_can_push_along) {
  setting s = boxes();
  add(&s, 1, 1, 1, up, 0);     // corner on corner
  add(&s, 0, 1, 1, up, 0);     // edge on edge
  add(&s, 0.3, 1, 0.2, up, 0); // face on face
  add(&s, 0, 1, 0, up, 0);     // on the diagonals of both faces
  add(&s, 1, 1, 1, aside, 0);  // a corner pushes aside, and the other one does not push back
  add(&s, 0, 1, 0, aside, 0);  // along a face
  add(&s, 0, 1, 0, ts_vec3_make(0, -1, 0), 0);
  add(&s, 0.3, 1, 0.2, ts_vec3_make(0.1, 1, 0), 0);
  apply(&s, "cones");
  cr_expect_eq(s.set.count, 4);
  cr_expect(has(&s, 1, 1, 1, up) && has(&s, 0, 1, 1, up) && has(&s, 0.3, 1, 0.2, up) &&
            has(&s, 0, 1, 0, up));
  ts_contact_set_clear(&s.set);
}

Test(modifiers, cones_allow_an_angle) {
  setting s = boxes();
  const double degree = 3.14159265358979323846 / 180;
  add(&s, 0.3, 1, 0.2, ts_vec3_make(tan(0.9 * degree), 1, 0), 0);
  add(&s, 0.2, 1, 0.3, ts_vec3_make(tan(1.1 * degree), 1, 0), 0);
  apply(&s, "cones");
  cr_expect_eq(s.set.count, 1);
  cr_expect_eq(s.set.contacts[0].point.x, 0.3);
  apply(&s, "cones:angle_deg=0.5"); // none is left: it is turned
  cr_expect_eq(s.set.count, 1);
  cr_expect(has(&s, 0.3, 1, 0.2, up));
  ts_contact_set_clear(&s.set);
}

Test(modifiers, cones_turn_the_normals_of_a_pair_that_would_have_none) {
  setting s = boxes();
  add(&s, 1, 1, 1, ts_vec3_make(1, 0.4, 0.2), -0.01);
  add(&s, -1, 1, 1, ts_vec3_make(-1, 0.2, 0), -0.01);
  apply(&s, "cones");
  cr_expect_eq(s.set.count, 2);
  for (size_t i = 0; i < s.set.count; i++)
    cr_expect_eq(s.set.contacts[i].gap_m, -0.01);
  ts_contact_set_clear(&s.set);
}

Test(modifiers, cones_at_a_concave_edge_are_those_of_its_walls) {
  // A box on its edge in the notch: its flanks lie on the walls.
  const double half = 3.14159265358979323846 / 8;
  ts_pose turn = {{cos(half), 0, 0, sin(half)}, {0, 0, 0}};
  setting s = make_setting(make_notch(), make_box(0.5), ts_vec3_make(0, sqrt(0.5), 0),
                           ts_pose_identity(), 1);
  s.pair.pose_b = ts_pose_mul(s.pair.pose_b, turn);
  add(&s, 0, 0, 0, ts_vec3_make(1, 1, 0), 0);
  add(&s, 0, 0, 0, ts_vec3_make(-1, 1, 0), 0);
  add(&s, 0, 0, 0, up, 0);
  add(&s, 0, 0, 0.5, ts_vec3_make(1, 1, 0), 0);
  apply(&s, "cones");
  cr_expect_eq(s.set.count, 3);
  cr_expect(!has(&s, 0, 0, 0, up), "the mean of both walls pushes along neither");
  ts_contact_set_clear(&s.set);
}

Test(modifiers, normal_cones_of_a_notch) {
  ts_cone_mesh *mesh;
  ts_normal_cone cone;
  double angle;
  cr_assert_eq(ts_cone_mesh_create(&mesh, arena, make_notch()), TS_OK);
  ts_vec3 wall = ts_vec3_unit(ts_vec3_make(1, 1, 0)), along = {0, 0, 1};
  // The end of the concave edge: the walls, the cap, the convex edges between them.
  ts_normal_cone_find(&cone, mesh, (ts_feature){TS_FEATURE_VERTEX, 3});
  ts_normal_cone_closest(&angle, &cone, wall);
  cr_expect_lt(angle, 1e-9);
  ts_normal_cone_closest(&angle, &cone, along);
  cr_expect_lt(angle, 1e-9);
  ts_normal_cone_closest(&angle, &cone, ts_vec3_unit(ts_vec3_add(wall, along)));
  cr_expect_lt(angle, 1e-9);
  ts_normal_cone_closest(&angle, &cone, up);
  cr_expect_gt(angle, 0.5);
  ts_normal_cone_closest(&angle, &cone, ts_vec3_neg(along));
  cr_expect_gt(angle, 1);
  // A convex corner has all between its faces.
  ts_normal_cone_find(&cone, mesh, (ts_feature){TS_FEATURE_VERTEX, 1});
  cr_expect_eq(cone.part_count, 1);
  cr_expect_eq(cone.part_ends[0], 3);
  ts_normal_cone_closest(&angle, &cone, ts_vec3_unit(ts_vec3_make(1, -1, 1)));
  cr_expect_lt(angle, 1e-9);
}

/// A cone of `sides` sides whose tip is vertex 0, with its triangles from number `first` on first.
static const ts_mesh *make_tip(uint32_t sides, uint32_t first) {
  ts_vec3 *vertices = ts_arena_array(arena, sides + 2, sizeof *vertices);
  uint32_t(*triangles)[3] = ts_arena_array(arena, 2 * sides, sizeof *triangles);
  vertices[0] = ts_vec3_make(0, 1, 0);
  vertices[1] = ts_vec3_make(0, 0, 0);
  for (uint32_t i = 0; i < sides; i++) {
    double angle = 2 * 3.14159265358979323846 * i / sides;
    uint32_t at = (i + first) % sides, next = (at + 1) % sides;
    vertices[2 + i] = ts_vec3_make(cos(angle), 0, sin(angle));
    const uint32_t both[2][3] = {{0, 2 + next, 2 + at}, {1, 2 + at, 2 + next}};
    memcpy(triangles[2 * i], both, sizeof both);
  }
  ts_mesh *mesh;
  cr_assert_eq(
      ts_mesh_create(&mesh, arena, vertices, sides + 2, (const uint32_t(*)[3])triangles, 2 * sides),
      TS_OK, "%s", ts_status_detail());
  return mesh;
}

Test(modifiers, tips_of_many_faces_push_all_around_in_every_order) {
  for (uint32_t sides = 8; sides <= 512; sides *= 4)
    for (uint32_t first = 0; first < sides; first += sides / 4 + 1) {
      ts_cone_mesh *mesh;
      ts_normal_cone cone;
      cr_assert_eq(ts_cone_mesh_create(&mesh, arena, make_tip(sides, first)), TS_OK);
      ts_normal_cone_find(&cone, mesh, (ts_feature){TS_FEATURE_VERTEX, 0});
      for (int i = 0; i < 16; i++) {
        double way = 0.4 * i, rise = 0.9, angle; // 42 degrees off the axis; the faces are 45
        ts_vec3 out =
            ts_vec3_make(sin(rise * 0.8) * cos(way), cos(rise * 0.8), sin(rise * 0.8) * sin(way));
        ts_normal_cone_closest(&angle, &cone, out);
        cr_expect_lt(angle, 0.02, "%u sides from %u: %g", sides, first, angle);
      }
    }
}

Test(modifiers, the_least_feature_within_reach) {
  ts_cone_mesh *mesh;
  cr_assert_eq(ts_cone_mesh_create(&mesh, arena, make_box(1)), TS_OK);
  const struct {
    ts_vec3 point;
    int32_t kind;
  } all[] = {{{1, 1, 0.999}, TS_FEATURE_VERTEX}, {{1, 0.995, 0.5}, TS_FEATURE_EDGE},
             {{1, 0.5, 0.2}, TS_FEATURE_FACE},   {{1, 0.1, 0.101}, TS_FEATURE_EDGE},
             {{3, 0.4, 0.2}, TS_FEATURE_FACE},   {{3, 3, 3}, TS_FEATURE_VERTEX},
             {{NAN, 0, 0}, TS_FEATURE_NONE}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    cr_expect_eq(ts_cone_mesh_feature(mesh, all[i].point, 0.01).kind, all[i].kind, "%zu: %d", i,
                 ts_cone_mesh_feature(mesh, all[i].point, 0.01).kind);
}

Test(modifiers, void_drops_what_faces_hold) {
  setting s = boxes();
  for (int i = 0; i < 4; i++)
    add(&s, i & 1 ? 1 : -1, 1, i & 2 ? 1 : -1, up, 0);
  add(&s, 1, 1, 1, ts_vec3_make(1, 1, 1), 0);
  add(&s, 1, 1, 0, ts_vec3_make(1, 0.1, 0), 0);
  apply(&s, "void");
  cr_expect_eq(s.set.count, 4);
  ts_contact_set_clear(&s.set);
  s = boxes(); // without a contact of a face nothing is void
  add(&s, 1, 1, 1, ts_vec3_make(1, 1, 1), 0);
  add(&s, 1, 1, 0, ts_vec3_make(1, 0.1, 0), 0);
  apply(&s, "void");
  cr_expect_eq(s.set.count, 2);
  ts_contact_set_clear(&s.set);
}

Test(modifiers, hull_keeps_corners_of_each_normal) {
  setting s = boxes();
  for (int i = 0; i < 25; i++)
    add(&s, i % 5 * 0.25, 1 + 0.01 * (i % 3), i / 5 * 0.25, up, 0);
  for (int i = 0; i < 7; i++)
    add(&s, 1, 0.1 * i, 0.2 * i, aside, 0);
  add(&s, 1, 1, 1, ts_vec3_make(0, 0, 1), 0.1);
  add(&s, 1, 1, 0.9, ts_vec3_make(0, 0, 1), -0.1);
  apply(&s, "hull");
  cr_expect_eq(s.set.count, 4 + 2 + 1);
  cr_expect(has(&s, 1, 0, 0, aside) && has(&s, 1, 0.6, 1.2, aside));
  cr_expect(has(&s, 1, 1, 0.9, ts_vec3_make(0, 0, 1)), "of one place the deepest");
  ts_contact_set_clear(&s.set);
}

Test(modifiers, merge_keeps_the_deepest_of_near_ones) {
  setting s = boxes();
  add(&s, 0, 1, 0, up, 0);
  add(&s, 0.001, 1, 0, up, -0.1);
  add(&s, 0.0025, 1, 0, up, 0);
  add(&s, 0.001, 1, 0, aside, 0);
  apply(&s, "merge");
  cr_expect_eq(s.set.count, 2);
  cr_expect(has(&s, 0.001, 1, 0, up) && has(&s, 0.001, 1, 0, aside));
  ts_contact_set_clear(&s.set);
  s = boxes();
  for (int i = 0; i < 3; i++) // only neighbours are near: the middle one is not the deepest
    add(&s, 0.0015 * i, 1, 0, up, i == 1 ? 0 : -0.1);
  apply(&s, "merge");
  cr_expect_eq(s.set.count, 2);
  ts_contact_set_clear(&s.set);
}

Test(modifiers, reduce_takes_points_per_pair_or_normal) {
  for (int per = 0; per < 2; per++) {
    setting s = boxes();
    for (int i = 0; i < 9; i++)
      add(&s, i % 3 - 1, 1, i / 3 - 1, up, 0);
    for (int i = 0; i < 9; i++)
      add(&s, 1, i % 3 * 0.5, i / 3 - 1, aside, 0);
    apply(&s, per == 0 ? "reduce" : "reduce:per=normal");
    cr_expect_eq(s.set.count, per == 0 ? 4 : 8);
    ts_contact_set_clear(&s.set);
  }
}

/// A few contacts of each kind. No two are equally deep: of those modifiers take the first, and
/// which that is depends on the frame.
static void add_many(setting *s) {
  for (int i = 0; i < 16; i++)
    add(s, i % 4 * 0.6 - 0.9, 1, i / 4 * 0.6 - 0.9, up, i % 3 * -0.01 - 1e-4 * i);
  for (int i = 0; i < 4; i++) {
    double x = i & 1 ? 1 : -1, z = i & 2 ? 1 : -1;
    add(s, x, 1, z, up, -0.02 - 2e-3 * i);
    add(s, x, 1, z, ts_vec3_make(x, 1, 0.3 * z), -0.03 - 3e-3 * i);
    add(s, x, 1, 0.3, aside, -0.01 - 3e-4 * i);
  }
}

Test(modifiers, move_with_the_bodies_at_every_scale) {
  static const char *const chains[] = {"cut:gap_m=-0.005",
                                       "merge:distance_relative=0.4",
                                       "hull",
                                       "reduce:points=5",
                                       "reduce:per=normal",
                                       "cones",
                                       "void"};
  const double angle = 0.35;
  const ts_pose moved = {{cos(angle), 0.6 * sin(angle), 0.8 * sin(angle), 0}, {30, -70, 20}};
  for (size_t i = 0; i < sizeof chains / sizeof *chains; i++) {
    setting still = boxes();
    add_many(&still);
    apply(&still, chains[i]);
    cr_expect(still.set.count > 0 && still.set.count < 28, "%s: %zu", chains[i], still.set.count);
    for (double scale = 1e-3; scale <= 1e3; scale *= 1e3) {
      const ts_mesh *box = make_box(scale);
      ts_pose motion = moved;
      motion.translation = ts_vec3_scale(moved.translation, scale);
      setting s = make_setting(box, box, ts_vec3_make(0, 2, 0), motion, scale);
      add_many(&s);
      apply(&s, chains[i]);
      cr_expect_eq(s.set.count, still.set.count, "%s at %g: %zu, %zu", chains[i], scale,
                   s.set.count, still.set.count);
      for (size_t k = 0; k < still.set.count; k++) {
        const ts_contact *c = &still.set.contacts[k];
        ts_vec3 point = ts_pose_point(motion, ts_vec3_scale(c->point, scale));
        bool is_there = false;
        for (size_t j = 0; j < s.set.count && !is_there; j++)
          is_there = ts_vec3_distance(s.set.contacts[j].point, point) < 1e-9 * scale &&
                     ts_vec3_distance(s.set.contacts[j].normal,
                                      ts_pose_direction(motion, c->normal)) < 1e-9;
        cr_expect(is_there, "%s at %g: contact %zu", chains[i], scale, k);
      }
      ts_contact_set_clear(&s.set);
    }
    ts_contact_set_clear(&still.set);
  }
}

/// Contacts of the swapped pair, as those of the pair were before.
static void swap_bodies(setting *s) {
  ts_pair *p = &s->pair;
  const ts_mesh *mesh = p->mesh_a;
  ts_pose pose = p->pose_a;
  p->mesh_a = p->mesh_b;
  p->pose_a = p->pose_b;
  p->mesh_b = mesh;
  p->pose_b = pose;
  for (size_t i = 0; i < s->set.count; i++) {
    ts_contact *c = &s->set.contacts[i];
    ts_feature feature = c->feature_a;
    c->normal = ts_vec3_neg(c->normal);
    c->feature_a = c->feature_b;
    c->feature_b = feature;
  }
}

/// The same box by other numbers: vertices and triangles the other way round, and triangles that
/// start at another corner.
static const ts_mesh *renumbered(const ts_mesh *mesh) {
  uint32_t triangles[12][3];
  ts_vec3 vertices[8];
  ts_mesh *other;
  for (uint32_t v = 0; v < 8; v++)
    vertices[7 - v] = mesh->vertices[v];
  for (int t = 0; t < 12; t++)
    for (int k = 0; k < 3; k++)
      triangles[11 - t][k] = 7 - mesh->triangles[t][(k + 1) % 3];
  cr_assert_eq(ts_mesh_create(&other, arena, vertices, 8, (const uint32_t(*)[3])triangles, 12),
               TS_OK);
  return other;
}

Test(modifiers, neither_the_order_of_bodies_nor_that_of_their_meshes_matters) {
  for (size_t i = 0; ts_modifiers[i]; i++) {
    const char *name = ts_modifiers[i]->name;
    setting as_built = boxes(), others[2] = {boxes(), boxes()};
    add_many(&as_built);
    apply(&as_built, name);
    add_many(&others[0]);
    swap_bodies(&others[0]);
    apply(&others[0], name);
    swap_bodies(&others[0]);
    others[1].pair.mesh_a = renumbered(others[1].pair.mesh_a);
    others[1].pair.mesh_b = renumbered(others[1].pair.mesh_b);
    add_many(&others[1]);
    apply(&others[1], name);
    for (int k = 0; k < 2; k++) {
      cr_expect_eq(others[k].set.count, as_built.set.count, "%s, %d: %zu, %zu", name, k,
                   others[k].set.count, as_built.set.count);
      for (size_t c = 0; c < as_built.set.count; c++) {
        ts_vec3 point = as_built.set.contacts[c].point;
        cr_expect(has(&others[k], point.x, point.y, point.z, as_built.set.contacts[c].normal),
                  "%s, %d: contact %zu", name, k, c);
      }
      ts_contact_set_clear(&others[k].set);
    }
    ts_contact_set_clear(&as_built.set);
  }
}
