// SPDX-License-Identifier: MIT
#include "tests/methods/prox2018/prox_run.h"

#include <stdlib.h>

static ts_vec3 widen(ts_real3 v) {
  return (ts_vec3){(double)v.x, (double)v.y, (double)v.z};
}

ts_real3 prox_real3_of(ts_vec3 v) {
  return (ts_real3){(ts_real)v.x, (ts_real)v.y, (ts_real)v.z};
}

ts_prox_pair prox_pair_of(const ts_tet_pair *pair) {
  ts_prox_pair out = {.surface = {pair->surface[0], pair->surface[1]},
                      .reach_m = (ts_real)pair->reach_m};
  for (int i = 0; i < 8; i++)
    out.corners[i / 4][i % 4] = prox_real3_of(pair->corners[i / 4][i % 4]);
  ts_prox_pair_set_normals(&out);
  return out;
}

void prox_run(ts_tet_contacts *out, const ts_tet_pair *pair, ts_prox_kernel kernel) {
  ts_prox_pair rounded = prox_pair_of(pair);
  ts_prox_contacts found;
  kernel(&found, &rounded);
  out->count = found.count;
  if (found.count > TS_TET_CONTACTS_MAX)
    abort();
  for (size_t i = 0; i < found.count; i++) {
    const ts_prox_tet_contact *c = &found.contacts[i];
    out->contacts[i] = (ts_contact){.point = widen(c->point),
                                    .normal = widen(c->normal),
                                    .gap_m = (double)c->gap_m,
                                    .area_m2 = (double)NAN};
  }
}
