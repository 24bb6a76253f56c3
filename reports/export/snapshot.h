// SPDX-License-Identifier: MIT
/// What there is to see of a cell at one moment, in plain arrays: bodies, truth and contacts.
/// Everything is borrowed, in metres and in the world unless its name says `_local`.
#ifndef TS_REPORTS_SNAPSHOT_H
#define TS_REPORTS_SNAPSHOT_H

#include "reports/rows/record.h"

#include <stdbool.h>

/// A body's mesh, in its local frame and where the body stands.
typedef struct ts_snapshot_surface {
  const ts_mesh *mesh;  ///< NULL: there is none
  const ts_vec3 *world; ///< [mesh->vertex_count]
} ts_snapshot_surface;

typedef struct ts_snapshot_body {
  const char *name;
  bool is_fixed;
  ts_pose pose;
  ts_snapshot_surface designed;
  /// As the method gets it, in its envelope and with its tets; no mesh where that is the designed
  /// one, and without a method.
  ts_snapshot_surface enveloped;
} ts_snapshot_body;

/// A feasible normal of a region.
typedef struct ts_snapshot_normal {
  ts_vec3 normal; ///< unit, from a to b
  double gap_m;
  bool is_open; ///< apart in truth: no contact is needed along it
} ts_snapshot_normal;

/// A place where two bodies touch in truth.
typedef struct ts_snapshot_region {
  int32_t body_a, body_b;
  int32_t index;           ///< among those of the pair, as in contacts.csv
  size_t vertex_count;     ///< 1: a point, 2: a segment, more: a convex polygon
  const ts_vec3 *vertices; ///< [vertex_count], counter-clockwise about the first normal
  bool needs_all;          ///< of the normals; false: any one of them is right
  size_t normal_count;
  const ts_snapshot_normal *normals; ///< [normal_count]
} ts_snapshot_region;

typedef struct ts_snapshot {
  const char *case_name;
  const char *method; ///< NULL: none, and then no contacts
  int64_t step;
  ts_vec3 up;         ///< unit, against gravity
  double body_size_m; ///< largest extent of the middling body: what arrows are measured by
  size_t body_count;
  const ts_snapshot_body *bodies; ///< [body_count]
  size_t region_count;
  const ts_snapshot_region *regions; ///< [region_count]
  size_t contact_count;
  const ts_contact_row *contacts; ///< [contact_count]
} ts_snapshot;

/// How a contact is shown.
typedef enum ts_contact_kind {
  TS_KIND_CORRECT,
  TS_KIND_INCORRECT,   ///< Its normal is wrong.
  TS_KIND_SPECULATIVE, ///< Ahead of a touch.
  TS_KIND_PHANTOM,     ///< Where nothing touches in truth.
  TS_KIND_COUNT
} ts_contact_kind;

typedef struct ts_contact_look {
  const char *name;
  uint8_t rgb[3]; ///< sRGB; of the palette of Okabe and Ito, for eyes of all kinds
} ts_contact_look;

extern const ts_contact_look ts_contact_looks[TS_KIND_COUNT];
extern const ts_contact_look ts_truth_look;

ts_contact_kind ts_contact_row_kind(const ts_contact_row *row);

/// Whether point and normal are finite and the normal has a length: else there is no arrow to draw.
bool ts_contact_row_has_arrow(const ts_contact_row *row);

/// Middle of the region's vertices.
ts_vec3 ts_snapshot_region_centre(const ts_snapshot_region *region);

#endif
