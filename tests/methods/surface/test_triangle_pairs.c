// SPDX-License-Identifier: MIT
// covers: methods/surface/triangle_pairs.c
#include "methods/surface/triangle_pairs.h"

#include "base/status.h"
#include "geometry/closest.h"
#include "geometry/tolerances.h"
#include "tests/methods/method_fixture.h"

#include <criterion/criterion.h>

/// Two prepared bodies with the state of a pair.
typedef struct prepared {
  ts_pair pair;
  void *surface[2];
  ts_triangle_pairs pairs;
} prepared;

static void prepare(prepared *out, method_fixture *f, const ts_mesh *a, ts_pose pose_a,
                    const ts_mesh *b, ts_pose pose_b) {
  out->pair = (ts_pair){.struct_size = sizeof(ts_pair),
                        .body_a = 0,
                        .body_b = 1,
                        .mesh_a = a,
                        .mesh_b = b,
                        .pose_a = pose_a,
                        .pose_b = pose_b,
                        .size_m = 1};
  cr_assert_eq(ts_surface_prepare(&out->surface[0], &f->host, a, NULL), TS_OK);
  cr_assert_eq(ts_surface_prepare(&out->surface[1], &f->host, b, NULL), TS_OK);
  ts_triangle_pairs_begin(&out->pairs, &f->host, &out->pair, out->surface[0], out->surface[1]);
}

static void release(prepared *p) {
  ts_surface_release(p->surface[0]);
  ts_surface_release(p->surface[1]);
}

typedef struct counter {
  int visits[12][12];       ///< of those that the parts have
  size_t total, stop_after; ///< pairs of blocks
} counter;

/// A part has the edges and the vertices of its faces, and no others.
static void check_part(const ts_triangle_block *block, ts_block_part part) {
  ts_block_part expected = {.faces = part.faces};
  for (uint32_t i = 0; i < block->edge_count; i++)
    for (uint32_t k = 0; k < block->edges[i].half_edge_count; k++)
      expected.edges |= (part.faces >> block->edges[i].half_edge[k] / 3 & 1) << i;
  for (uint32_t i = 0; i < block->vertex_count; i++)
    expected.points |= (part.faces >> block->vertices[i] / 3 & 1) << i;
  cr_assert(part.faces != 0 && part.faces < 1u << block->triangle_count);
  cr_assert_eq(part.edges, expected.edges);
  cr_assert_eq(part.points, expected.points);
}

static ts_status count(void *context, const ts_near_blocks *near) {
  counter *c = context;
  const ts_triangle_block *const *blocks = near->blocks;
  for (int side = 0; side < 2; side++)
    check_part(blocks[side], near->parts[side]);
  for (uint32_t i = 0; i < blocks[0]->triangle_count; i++)
    for (uint32_t k = 0; k < blocks[1]->triangle_count; k++)
      c->visits[blocks[0]->triangles[i]][blocks[1]->triangles[k]] +=
          near->parts[0].faces >> i & near->parts[1].faces >> k & 1;
  c->total++;
  return c->total == c->stop_after ? TS_E_UNSUPPORTED : TS_OK;
}

Test(methods_triangle_pairs, every_close_pair_is_visited_once) {
  method_fixture f;
  fixture_open(&f);
  const ts_mesh *box = fixture_box(&f, ts_vec3_make(0, 0, 0), ts_vec3_make(1, 1, 1), 0, 1);
  for (uint64_t seed = 1; seed <= 10; seed++) {
    prepared p;
    prepare(&p, &f, box, fixture_motion(seed, 0.5), box, fixture_motion(seed + 100, 0.5));
    counter c = {0};
    double reach_m = 0.1;
    cr_assert_eq(ts_triangle_pairs_visit(&p.pairs, reach_m, count, &c), TS_OK);
    for (uint32_t i = 0; i < 12; i++)
      for (uint32_t j = 0; j < 12; j++) {
        ts_vec3 corners[2][3];
        ts_triangle_pairs_corners(corners[0], &p.pairs, 0, i);
        ts_triangle_pairs_corners(corners[1], &p.pairs, 1, j);
        double distance_m = ts_closest_triangle_triangle(corners[0], corners[1]).distance_m;
        cr_assert_leq(c.visits[i][j], 1);
        cr_assert(distance_m > reach_m || c.visits[i][j] == 1, "seed %u, pair %u %u, distance %g",
                  (unsigned)seed, i, j, distance_m);
      }
    release(&p);
  }
  fixture_close(&f);
}

Test(methods_triangle_pairs, pairs_far_apart_are_not_visited) {
  method_fixture f;
  fixture_open(&f);
  const ts_mesh *box = fixture_box(&f, ts_vec3_make(0, 0, 0), ts_vec3_make(1, 1, 1), 0, 1);
  prepared p;
  prepare(&p, &f, box, ts_pose_identity(), box, fixture_shift(0, 1.02, 0));
  counter c = {0};
  cr_assert_eq(ts_triangle_pairs_visit(&p.pairs, 0.01, count, &c), TS_OK);
  cr_assert_eq(c.total, 0);
  release(&p);
  prepare(&p, &f, box, ts_pose_identity(), box, fixture_shift(0, 1.005, 0));
  cr_assert_eq(ts_triangle_pairs_visit(&p.pairs, 0.01, count, &c), TS_OK);
  counter all = {0};
  cr_assert_eq(ts_triangle_pairs_visit(&p.pairs, 3, count, &all), TS_OK);
  cr_assert_gt(c.total, 0);
  cr_assert_lt(c.total, all.total, "%zu of %zu pairs of blocks", c.total, all.total);
  release(&p);
  fixture_close(&f);
}

Test(methods_triangle_pairs, the_result_of_a_visitor_ends_the_visit) {
  method_fixture f;
  fixture_open(&f);
  const ts_mesh *box = fixture_box(&f, ts_vec3_make(0, 0, 0), ts_vec3_make(1, 1, 1), 0, 1);
  prepared p;
  prepare(&p, &f, box, ts_pose_identity(), box, fixture_shift(0, 1, 0));
  counter c = {.stop_after = 3};
  cr_assert_eq(ts_triangle_pairs_visit(&p.pairs, 3, count, &c), TS_E_UNSUPPORTED);
  cr_assert_eq(c.total, 3);
  release(&p);
  fixture_close(&f);
}

Test(methods_triangle_pairs, relative_positions_survive_far_from_the_origin) {
  method_fixture f;
  fixture_open(&f);
  const ts_mesh *box = fixture_box(&f, ts_vec3_make(0, 0, 0), ts_vec3_make(1, 1, 1), 0, 1);
  prepared p;
  // 8192 and 1.03125 are exact in binary, so that the gap of 0.03125 is too.
  prepare(&p, &f, box, fixture_shift(8192, 8192, 8192), box,
          fixture_shift(8192, 8192 + 1.03125, 8192));
  for (uint32_t v = 0; v < 8; v++) {
    ts_vec3 placed = ts_triangle_pairs_vertex(&p.pairs, 1, v);
    cr_assert_eq(placed.y, box->vertices[v].y + 1.03125);
    cr_assert_eq(placed.x, box->vertices[v].x);
  }
  release(&p);
  fixture_close(&f);
}

Test(methods_triangle_pairs, contacts_reach_the_host_in_batches_in_the_world_frame) {
  method_fixture f;
  fixture_open(&f);
  const ts_mesh *box = fixture_box(&f, ts_vec3_make(0, 0, 0), ts_vec3_make(1, 1, 1), 0, 1);
  prepared p;
  prepare(&p, &f, box, fixture_upside_down(10, 20, 30), box, ts_pose_identity());
  size_t total = TS_CONTACT_BATCH_MAX + 1;
  for (size_t i = 0; i < total; i++) {
    ts_contact contact = {.point = {(double)i, 1, 2}, .normal = {0, 1, 0}, .gap_m = 0.5};
    cr_assert_eq(ts_triangle_pairs_push(&p.pairs, &contact), TS_OK);
  }
  cr_assert_eq(f.push_count, 1);
  cr_assert_eq(ts_triangle_pairs_end(&p.pairs), TS_OK);
  cr_assert_eq(f.push_count, 2);
  cr_assert_eq(ts_triangle_pairs_end(&p.pairs), TS_OK);
  cr_assert_eq(f.push_count, 2, "an empty batch is not pushed");
  cr_assert_eq(f.set.count, total);
  for (size_t i = 0; i < total; i++) {
    ts_vec3 expected = {10 + (double)i, 19, 28};
    cr_assert_leq(ts_vec3_distance(f.set.contacts[i].point, expected), 1e-12);
    cr_assert_leq(ts_vec3_distance(f.set.contacts[i].normal, ts_vec3_make(0, -1, 0)), 1e-15);
    cr_assert_eq(f.set.contacts[i].gap_m, 0.5);
  }
  release(&p);
  fixture_close(&f);
}
