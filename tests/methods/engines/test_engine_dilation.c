// SPDX-License-Identifier: MIT
// covers: methods/engines/*.c methods/engines/*.cc
#include "tests/methods/engines/engine_driver.h"

#include "base/param.h"
#include "base/status.h"
#include "geometry/mesh/mesh_offset.h"

#include <criterion/criterion.h>
#include <stdio.h>

static const char *const all[] = {"ode_trimesh", "bullet_hull", "bullet_hull_f32", "bullet_gimpact",
                                  "fcl_mesh",    "fcl_convex",  "libccd_gjk",      "libccd_mpr"};

/// An engine without a right normal at exact touch, and the other settings of its preset exact.
typedef struct strict_engine {
  const char *name, *parameter;
  double value;
  bool is_convex; ///< every contact has the one normal; for meshes, only those of opposing faces
} strict_engine;

static const strict_engine fcl_mesh = {"fcl_mesh", "max_contacts", 100000, false},
                           fcl_convex = {"fcl_convex", "gjk_tolerance_m", 1e-12, true},
                           libccd_gjk = {"libccd_gjk", "epa_tolerance_m", 1e-3, true},
                           libccd_mpr = {"libccd_mpr", "mpr_tolerance_m", 1e-9, true};

#define ALL      (sizeof all / sizeof *all)
#define ROUNDING 1e-9

static ts_envelope envelope_of(const engine_driver *d) {
  ts_envelope out = {0};
  cr_assert_eq(d->method->envelope(&out, d->values), TS_OK);
  return out;
}

static void check_envelope(const char *name) {
  engine_driver d;
  driver_open(&d, name);
  cr_expect_eq(envelope_of(&d).kind, TS_ENVELOPE_NONE, "%s: as designed by default", name);
  driver_set(&d, "dilation_m", 0.002);
  ts_envelope wanted = envelope_of(&d);
  cr_expect(wanted.kind == TS_ENVELOPE_DILATED && wanted.mode == TS_ENVELOPE_FACES &&
                wanted.size_m == 0.002,
            "%s: kind %d, mode %d, %g m", name, wanted.kind, wanted.mode, wanted.size_m);
  driver_close(&d);
}

Test(engines_dilation, has_the_same_parameter_and_envelope_in_every_engine) {
  char summary[512] = "";
  for (size_t n = 0; n < ALL; n++) {
    check_envelope(all[n]);
    engine_driver d;
    driver_open(&d, all[n]);
    int index = ts_param_find(d.method->params, d.method->param_count, "dilation_m");
    const ts_param *p = &d.method->params[index];
    cr_expect(p->is_length && p->default_value == 0 && p->minimum == 0, "%s", all[n]);
    if (n == 0)
      snprintf(summary, sizeof summary, "%s", p->summary);
    cr_expect_str_eq(p->summary, summary, "%s", all[n]);
    driver_close(&d);
  }
}

/// The bodies in the envelope that the engine requests.
static void dilate(engine_driver *d, cube_pair *pair) {
  ts_envelope wanted = envelope_of(d);
  for (int i = 0; i < 2 && wanted.kind == TS_ENVELOPE_DILATED; i++) {
    ts_mesh *dilated = NULL;
    cr_assert_eq(ts_mesh_offset_faces(&dilated, d->arena, pair->mesh[i], wanted.size_m), TS_OK,
                 "%s", ts_status_detail());
    pair->mesh[i] = dilated;
  }
}

/// Whether touching cubes have a contact with their normal and a depth of twice the dilation, and,
/// in a convex engine, no other contacts.
static bool is_right(engine_driver *d, const strict_engine *e, size_t index) {
  cube_pair pair = cube_pair_make(d, index / 2, 0);
  pair = index % 2 ? cube_pair_swap(&pair) : pair;
  dilate(d, &pair);
  cr_assert_eq(driver_run(d, pair.mesh, pair.pose), TS_OK, "%s: %s", e->name, d->message);
  double gap_m = -2 * envelope_of(d).size_m;
  size_t right = 0;
  for (size_t k = 0; k < d->set.count; k++) {
    const ts_contact *c = &d->set.contacts[k];
    right +=
        ts_vec3_distance(c->normal, pair.normal) < ROUNDING && fabs(c->gap_m - gap_m) < ROUNDING;
  }
  return right > 0 && (right == d->set.count || !e->is_convex);
}

static size_t count_wrong(const strict_engine *e, double dilation_m) {
  engine_driver d;
  driver_open(&d, e->name);
  driver_set(&d, e->parameter, e->value);
  driver_set(&d, "dilation_m", dilation_m);
  size_t wrong = 0;
  for (size_t i = 0; i < 2 * CUBE_PAIRS; i++)
    wrong += !is_right(&d, e, i);
  driver_close(&d);
  return wrong;
}

/// Without dilation some are wrong, which is why the parameter exists.
static void check_touch(const strict_engine *e) {
  cr_expect_eq(count_wrong(e, 1e-4), 0, "%s", e->name);
  cr_expect_gt(count_wrong(e, 0), 0, "%s is right without, too", e->name);
}

// One test per engine: an engine that was not built skips only its own.
Test(engines_dilation, gives_touching_cubes_their_normal_by_fcl_mesh) {
  check_touch(&fcl_mesh);
}

Test(engines_dilation, gives_touching_cubes_their_normal_by_fcl_convex) {
  check_touch(&fcl_convex);
}

Test(engines_dilation, gives_touching_cubes_their_normal_by_libccd_gjk) {
  check_touch(&libccd_gjk);
}

Test(engines_dilation, gives_touching_cubes_their_normal_by_libccd_mpr) {
  check_touch(&libccd_mpr);
}
