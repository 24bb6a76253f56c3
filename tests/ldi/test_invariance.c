// SPDX-License-Identifier: MIT
// covers: ldi/cells.c ldi/ldi.c ldi/team.c
// What must not change a measured overlap: threads, order, history, place and scale.
#include "base/status.h"
#include "ldi/team.h"
#include "tests/ldi/ldi_fixture.h"

#include <string.h>

static ts_arena *arena;

static void setup(void) {
  cr_assert_eq(ts_arena_create(&arena), TS_OK);
}

static void teardown(void) {
  ts_arena_destroy(arena);
}

TestSuite(ldi_invariance, .init = setup, .fini = teardown);

/// A measured overlap that outlives the next call.
typedef struct kept {
  double volume_m3, view_volume_m3[3];
  size_t count[2];
  ts_vec3 *gradient[2];
} kept;

static kept keep(ts_ldi *ldi, ts_pose a, ts_pose b, int resolution_px) {
  ldi_place(ldi, a, b, resolution_px);
  ts_ldi_overlap overlap = ldi_measure(ldi);
  kept out = {.volume_m3 = overlap.volume_m3};
  memcpy(out.view_volume_m3, overlap.view_volume_m3, sizeof out.view_volume_m3);
  for (int body = 0; body < 2; body++) {
    out.count[body] = ts_ldi_placed(ldi)->mesh[body]->vertex_count;
    out.gradient[body] = ts_arena_array(arena, out.count[body], sizeof(ts_vec3));
    cr_assert(out.gradient[body]);
    memcpy(out.gradient[body], overlap.gradient[body], out.count[body] * sizeof(ts_vec3));
  }
  return out;
}

static void expect_same_bits(const kept *a, const kept *b, const char *what) {
  cr_expect_eq(memcmp(&a->volume_m3, &b->volume_m3, sizeof(double)), 0, "%s: %.17g, not %.17g",
               what, b->volume_m3, a->volume_m3);
  cr_expect_eq(memcmp(a->view_volume_m3, b->view_volume_m3, sizeof a->view_volume_m3), 0, "%s",
               what);
  for (int body = 0; body < 2; body++)
    cr_expect_eq(memcmp(a->gradient[body], b->gradient[body], a->count[body] * sizeof(ts_vec3)), 0,
                 "%s: gradient of body %d", what, body);
}

static double size_of(const kept *k) {
  double sum = 0;
  for (int body = 0; body < 2; body++)
    for (size_t i = 0; i < k->count[body]; i++)
      sum += ts_vec3_norm(k->gradient[body][i]);
  return sum;
}

/// `b` is `a` with volumes multiplied by `by` cubed and areas by its square.
static void expect_scaled(const kept *a, const kept *b, double by, double tolerance,
                          const char *what) {
  cr_expect_float_eq(b->volume_m3 / (by * by * by), a->volume_m3, tolerance * a->volume_m3,
                     "%s: volume %.17g, not %.17g", what, b->volume_m3 / (by * by * by),
                     a->volume_m3);
  double size = size_of(a);
  for (int body = 0; body < 2; body++)
    for (size_t i = 0; i < a->count[body]; i++) {
      ts_vec3 back = ts_vec3_scale(b->gradient[body][i], 1 / (by * by));
      cr_expect_leq(ts_vec3_distance(back, a->gradient[body][i]), tolerance * size,
                    "%s: gradient of vertex %zu of body %d", what, i, body);
    }
}

Test(ldi_invariance, the_volume_is_the_mean_of_views_and_the_bodies_push_alike) {
  for (ldi_scene_kind kind = 0; kind < LDI_SCENE_COUNT; kind++) {
    ldi_scene scene;
    ldi_scene_open(&scene, arena, kind);
    ts_ldi *ldi = ldi_open(scene.mesh[0], scene.mesh[1], 1);
    ts_random random = ts_random_seed(1, kind);
    for (int n = 0; n < LDI_TRIES(20); n++) {
      ldi_scene_draw(&scene, &random);
      kept k = keep(ldi, scene.pose[0], scene.pose[1], 50);
      double mean = (k.view_volume_m3[0] + k.view_volume_m3[1] + k.view_volume_m3[2]) / 3;
      cr_expect_float_eq(k.volume_m3, mean, 1e-15 * mean);
      ts_vec3 rest =
          ts_vec3_add(ldi_sum(k.gradient[0], k.count[0]), ldi_sum(k.gradient[1], k.count[1]));
      cr_expect_leq(ts_vec3_norm(rest), 1e-12 * size_of(&k), "%s: %g of %g is left", scene.name,
                    ts_vec3_norm(rest), size_of(&k));
    }
    ldi_scene_close(&scene);
    ts_ldi_destroy(ldi);
  }
}

Test(ldi_invariance, threads_change_no_bit) {
  const int threads[] = {2, 3, 5};
  for (ldi_scene_kind kind = 0; kind < LDI_SCENE_COUNT; kind++) {
    ldi_scene scene;
    ldi_scene_open(&scene, arena, kind);
    ts_ldi *one = ldi_open(scene.mesh[0], scene.mesh[1], 1);
    ts_random random = ts_random_seed(2, kind);
    int band_count = 0;
    for (int n = 0; n < LDI_TRIES(8); n++) {
      ldi_scene_draw(&scene, &random);
      kept expected = keep(one, scene.pose[0], scene.pose[1], 256); // several bands a view
      band_count += ts_ldi_band_count(&ts_ldi_placed(one)->grid, n % 3);
      for (int i = 0; i < 3; i++) {
        ts_ldi *many = ldi_open(scene.mesh[0], scene.mesh[1], threads[i]);
        kept found = keep(many, scene.pose[0], scene.pose[1], 256);
        expect_same_bits(&expected, &found, scene.name);
        ts_ldi_destroy(many);
      }
    }
    cr_expect_gt(band_count, LDI_TRIES(8));
    ldi_scene_close(&scene);
    ts_ldi_destroy(one);
  }
}

Test(ldi_invariance, threads_change_no_bit_of_contacts_in_cells) {
  const int threads[] = {2, 3, 5};
  const int widths[] = {5, 8, 16, 24, 100, 1000, INT32_MAX}; // bands of 32 rows and more
  for (ldi_scene_kind kind = 0; kind < LDI_SCENE_COUNT; kind++) {
    ldi_scene scene;
    ldi_scene_open(&scene, arena, kind);
    ts_random random = ts_random_seed(3, kind);
    ldi_scene_draw(&scene, &random);
    ts_ldi *one = ldi_open(scene.mesh[0], scene.mesh[1], 1);
    ldi_place(one, scene.pose[0], scene.pose[1], 200);
    for (int i = 0; i < 3; i++) {
      ts_ldi *many = ldi_open(scene.mesh[0], scene.mesh[1], threads[i]);
      ldi_place(many, scene.pose[0], scene.pose[1], 200);
      for (size_t k = 0; k < sizeof widths / sizeof *widths; k++) {
        ldi_contacts a = ldi_find(arena, one, widths[k]), b = ldi_find(arena, many, widths[k]);
        cr_assert_gt(a.count, 0);
        cr_assert_eq(a.count, b.count, "%s, cells of %d", scene.name, widths[k]);
        cr_assert_eq(memcmp(a.list, b.list, a.count * sizeof *a.list), 0, "%s, cells of %d",
                     scene.name, widths[k]);
      }
      ts_ldi_destroy(many);
    }
    ldi_scene_close(&scene);
    ts_ldi_destroy(one);
  }
}

static ts_status fail_task(void *context, int member, int32_t task) {
  (void)context;
  (void)member;
  return task == 20 ? ts_fail(TS_E_UNSUPPORTED, "task %d does not work", (int)task) : TS_OK;
}

Test(ldi_invariance, a_task_that_fails_says_why_whichever_thread_had_it) {
  for (int size = 1; size <= 3; size++) {
    ts_ldi_team *team;
    cr_assert_eq(ts_ldi_team_create(&team, size), TS_OK);
    cr_expect_eq(ts_ldi_team_run(team, fail_task, NULL, 20), TS_OK);
    ts_fail(TS_E_INPUT, "before");
    cr_expect_eq(ts_ldi_team_run(team, fail_task, NULL, 40), TS_E_UNSUPPORTED);
    cr_expect_str_eq(ts_status_detail(), "task 20 does not work");
    ts_ldi_team_destroy(team);
  }
}

Test(ldi_invariance, what_was_measured_before_changes_no_bit) {
  ldi_scene scene;
  ldi_scene_open(&scene, arena, LDI_TORI);
  ts_ldi *worn = ldi_open(scene.mesh[0], scene.mesh[1], 2);
  ts_random random = ts_random_seed(3, 1);
  for (int n = 0; n < LDI_TRIES(20); n++) {
    ldi_scene_draw(&scene, &random);
    ts_ldi *fresh = ldi_open(scene.mesh[0], scene.mesh[1], 1);
    int resolution_px = 1 + (int)(150 * ts_random_unit(&random));
    kept expected = keep(fresh, scene.pose[0], scene.pose[1], resolution_px);
    kept found = keep(worn, scene.pose[0], scene.pose[1], resolution_px);
    expect_same_bits(&expected, &found, "fresh and worn");
    ts_ldi_overlap again = ldi_measure(worn);
    cr_expect_eq(again.volume_m3, found.volume_m3);
    if (n % 3 == 0)
      keep(worn, ldi_at(0, 0, 0), ldi_at(100, 0, 0), 64); // apart: nothing stays
    ts_ldi_destroy(fresh);
  }
  ldi_scene_close(&scene);
  ts_ldi_destroy(worn);
}

Test(ldi_invariance, the_order_of_the_bodies_does_not_matter) {
  for (ldi_scene_kind kind = 0; kind < LDI_SCENE_COUNT; kind++) {
    ldi_scene scene;
    ldi_scene_open(&scene, arena, kind);
    ts_ldi *ldi = ldi_open(scene.mesh[0], scene.mesh[1], 1);
    ts_ldi *swapped = ldi_open(scene.mesh[1], scene.mesh[0], 1);
    ts_random random = ts_random_seed(4, kind);
    for (int n = 0; n < LDI_TRIES(20); n++) {
      ldi_scene_draw(&scene, &random);
      kept a = keep(ldi, scene.pose[0], scene.pose[1], 60);
      kept b = keep(swapped, scene.pose[1], scene.pose[0], 60), turned = b;
      for (int body = 0; body < 2; body++) {
        turned.gradient[body] = b.gradient[1 - body];
        turned.count[body] = b.count[1 - body];
      }
      expect_same_bits(&a, &turned, scene.name);
    }
    ldi_scene_close(&scene);
    ts_ldi_destroy(ldi);
    ts_ldi_destroy(swapped);
  }
}

static ts_pose scaled_pose(ts_pose pose, double by) {
  return (ts_pose){pose.rotation, ts_vec3_scale(pose.translation, by)};
}

Test(ldi_invariance, far_from_the_origin_and_at_any_scale_it_is_the_same) {
  for (ldi_scene_kind kind = 0; kind < LDI_SCENE_COUNT; kind++) {
    ldi_scene scene;
    ldi_scene_open(&scene, arena, kind);
    ts_ldi *ldi = ldi_open(scene.mesh[0], scene.mesh[1], 1);
    const double scales[] = {1e-3, 1e3, ldexp(1, -20), ldexp(1, 20)};
    ts_ldi *scaled[4];
    for (int i = 0; i < 4; i++)
      scaled[i] = ldi_open(ldi_scaled(arena, scene.mesh[0], scales[i]),
                           ldi_scaled(arena, scene.mesh[1], scales[i]), 1);
    ts_random random = ts_random_seed(5, kind);
    for (int n = 0; n < LDI_TRIES(10); n++) {
      ldi_scene_draw(&scene, &random);
      kept expected = keep(ldi, scene.pose[0], scene.pose[1], 64);
      ts_pose far[2] = {scene.pose[0], scene.pose[1]};
      for (int body = 0; body < 2; body++)
        far[body].translation = ts_vec3_add(far[body].translation, ts_vec3_make(1e4, -1e4, 1e4));
      kept found = keep(ldi, far[0], far[1], 64);
      expect_scaled(&expected, &found, 1, 1e-8, "far");
      for (int i = 0; i < 4; i++) {
        found = keep(scaled[i], scaled_pose(scene.pose[0], scales[i]),
                     scaled_pose(scene.pose[1], scales[i]), 64);
        expect_scaled(&expected, &found, scales[i], i < 2 ? 1e-10 : 0, "scaled");
      }
    }
    for (int i = 0; i < 4; i++)
      ts_ldi_destroy(scaled[i]);
    ldi_scene_close(&scene);
    ts_ldi_destroy(ldi);
  }
}
