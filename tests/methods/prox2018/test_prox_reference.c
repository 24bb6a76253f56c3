// SPDX-License-Identifier: MIT
// covers: methods/prox2018/prox_distance.c
// The kernels against PROX in single precision, as the published runs have it.
#include "methods/tet/tet_bodies.h"
#include "tests/methods/prox2018/prox_run.h"
#include "tests/methods/tet/prox_reference.h"

#include <criterion/criterion.h>

/// The reference's column of each kernel.
static const prox_method methods[TS_TET_KERNELS] = {
    [TS_TET_CLOSEST_POINTS] = PROX_CLOSEST_POINTS,
    [TS_TET_INTERSECTION] = PROX_INTERSECTION,
    [TS_TET_VERTEX_ONLY] = PROX_VERTEX_ONLY,
    [TS_TET_CONSISTENT_VERTEX] = PROX_CONSISTENT_VERTEX,
    [TS_TET_VOLUME_SAT] = PROX_VOLUME_SAT,
    [TS_TET_SURFACE_SAT] = PROX_SURFACE_SAT,
    [TS_TET_OPPOSING] = PROX_OPPOSING,
    [TS_TET_GROWTH] = PROX_GROWTH,
};

/// The file has nine digits of each float.
static bool is_float(double got, double in_file) {
  return got == (double)(float)in_file;
}

static bool are_floats(ts_vec3 got, ts_vec3 in_file) {
  return is_float(got.x, in_file.x) && is_float(got.y, in_file.y) && is_float(got.z, in_file.z);
}

/// Whether two lists are the same, number by number and in the same order.
static bool are_same(const ts_contact *got, const ts_contact *in_file, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!are_floats(got[i].point, in_file[i].point) ||
        !are_floats(got[i].normal, in_file[i].normal) || !is_float(got[i].gap_m, in_file[i].gap_m))
      return false;
  return true;
}

Test(methods_prox_reference, kernels_give_the_floats_of_prox_in_its_order) {
  static ts_tet_contacts got;
  prox_reference reference;
  prox_reference_open(&reference);
  for (int k = 0; k < TS_TET_KERNELS; k++) {
    prox_method m = methods[k];
    size_t contacts = 0, differing = 0;
    for (size_t i = 0; i < reference.count; i++) {
      const prox_pair *p = &reference.pairs[i];
      ts_tet_pair pair = p->pair;
      pair.reach_m = 0.02; // the limit of closest points
      prox_run(&got, &pair, ts_tet_kernels_of[k].prox2018);
      contacts += got.count;
      bool same = got.count == p->single_count[m] &&
                  are_same(got.contacts, p->single_contacts[m], got.count);
      differing += !same;
      cr_expect(same, "%s, pair %d: %zu contacts, PROX has %zu, or others",
                ts_tet_kernels_of[k].name, p->id, got.count, p->single_count[m]);
    }
    cr_expect_gt(contacts, 0, "%s", ts_tet_kernels_of[k].name);
    cr_log_info("%s: %zu of %zu pairs differ\n", ts_tet_kernels_of[k].name, differing,
                reference.count);
  }
  prox_reference_close(&reference);
}
