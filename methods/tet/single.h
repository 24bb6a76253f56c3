// SPDX-License-Identifier: MIT
/// The kernels of methods on tets in single precision: what profile=prox2018 runs on bodies, since
/// the simulator PROX, whose runs the published tables come from, keeps and computes all in it. At
/// an exact touch its rounding decides what is found, and points within 1.2e-6 m are one to it.
///
/// The kernels are not written twice: the same files are compiled twice, the second time with
/// methods/tet/single_names.h before all else. In double they agree with the reference pairs, which
/// were computed in double too.
#ifndef TS_METHODS_SINGLE_H
#define TS_METHODS_SINGLE_H

#include <stddef.h>
#include <stdint.h>

enum { TS_SINGLE_CONTACTS_MAX = 128 };

/// Two tets in the world, as ts_tet_pair.
typedef struct ts_single_pair {
  float corners[2][4][3];
  uint32_t tet[2];
  uint8_t surface[2];
  float reach_m;
} ts_single_pair;

typedef struct ts_single_contact {
  float point[3], normal[3], gap_m;
} ts_single_contact;

typedef struct ts_single_contacts {
  size_t count;
  ts_single_contact contacts[TS_SINGLE_CONTACTS_MAX];
} ts_single_contacts;

/// What the kernel of that name (methods/tet/tet_kernels.h) finds under prox2018.
typedef void (*ts_single_kernel)(ts_single_contacts *out, const ts_single_pair *pair);

void ts_single_closest_points(ts_single_contacts *out, const ts_single_pair *pair);
void ts_single_intersection(ts_single_contacts *out, const ts_single_pair *pair);
void ts_single_vertex_only(ts_single_contacts *out, const ts_single_pair *pair);
void ts_single_consistent_vertex(ts_single_contacts *out, const ts_single_pair *pair);
void ts_single_volume_sat(ts_single_contacts *out, const ts_single_pair *pair);
void ts_single_surface_sat(ts_single_contacts *out, const ts_single_pair *pair);
void ts_single_opposing(ts_single_contacts *out, const ts_single_pair *pair);
void ts_single_growth(ts_single_contacts *out, const ts_single_pair *pair);

#endif
