// SPDX-License-Identifier: MIT
// Compiled with methods/tet/single_names.h: `double` is float here.
#include "methods/tet/single.h"

#include "methods/tet/tet_kernels.h"

#ifndef TS_SINGLE
#error "compile this file with methods/tet/single_names.h before it"
#endif

_Static_assert((int)TS_SINGLE_CONTACTS_MAX == (int)TS_TET_CONTACTS_MAX, "contacts have room");

static ts_vec3 vector(const float from[3]) {
  return (ts_vec3){from[0], from[1], from[2]};
}

static void keep(float to[3], ts_vec3 from) {
  to[0] = from.x;
  to[1] = from.y;
  to[2] = from.z;
}

static void run(ts_single_contacts *out, const ts_single_pair *from, ts_tet_kernel kernel) {
  ts_tet_pair pair = {.tet = {from->tet[0], from->tet[1]},
                      .surface = {from->surface[0], from->surface[1]},
                      .reach_m = from->reach_m};
  for (int side = 0; side < 2; side++)
    for (int i = 0; i < 4; i++)
      pair.corners[side][i] = vector(from->corners[side][i]);
  ts_tet_pair_set_normals(&pair);
  ts_tet_contacts found;
  kernel(&found, &pair, TS_PROFILE_PROX2018, 1); // whose allowances know nothing of the size
  out->count = found.count;
  for (size_t i = 0; i < found.count; i++) {
    keep(out->contacts[i].point, found.contacts[i].point);
    keep(out->contacts[i].normal, found.contacts[i].normal);
    out->contacts[i].gap_m = found.contacts[i].gap_m;
  }
}

void ts_single_closest_points(ts_single_contacts *out, const ts_single_pair *pair) {
  run(out, pair, ts_tet_closest_points);
}

void ts_single_intersection(ts_single_contacts *out, const ts_single_pair *pair) {
  run(out, pair, ts_tet_intersection);
}

void ts_single_vertex_only(ts_single_contacts *out, const ts_single_pair *pair) {
  run(out, pair, ts_tet_vertex_only);
}

void ts_single_consistent_vertex(ts_single_contacts *out, const ts_single_pair *pair) {
  run(out, pair, ts_tet_consistent_vertex);
}

void ts_single_volume_sat(ts_single_contacts *out, const ts_single_pair *pair) {
  run(out, pair, ts_tet_volume_sat);
}

void ts_single_surface_sat(ts_single_contacts *out, const ts_single_pair *pair) {
  run(out, pair, ts_tet_surface_sat);
}

void ts_single_opposing(ts_single_contacts *out, const ts_single_pair *pair) {
  run(out, pair, ts_tet_opposing);
}

void ts_single_growth(ts_single_contacts *out, const ts_single_pair *pair) {
  run(out, pair, ts_tet_growth);
}
