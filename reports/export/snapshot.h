// SPDX-License-Identifier: MIT
/// Snapshot of one state of a cell in plain arrays: bodies, truth and contacts. Everything is
/// borrowed, in metres and world coordinates unless the name ends in `_local`.
#ifndef TS_REPORTS_SNAPSHOT_H
#define TS_REPORTS_SNAPSHOT_H

#include "reports/rows/contact_kind.h"

#include <stdbool.h>

/// The mesh of a body, in its local frame and in the world.
typedef struct ts_snapshot_surface {
  const ts_mesh *mesh;  ///< NULL: none
  const ts_vec3 *world; ///< [mesh->vertex_count]
} ts_snapshot_surface;

typedef struct ts_snapshot_body {
  const char *name;
  bool is_fixed;
  bool is_deformable; ///< its mesh is another one at each step, of the same connectivity
  ts_pose pose;
  ts_snapshot_surface designed;
  /// As the method is given it, in its envelope and with tetrahedra; no mesh if it equals the
  /// designed one, or without a method.
  ts_snapshot_surface enveloped;
} ts_snapshot_body;

/// A feasible normal of a region.
typedef struct ts_snapshot_normal {
  ts_vec3 normal; ///< unit, from a to b
  double gap_m;
  bool is_open; ///< the bodies are truly apart: no contact is needed along it
  bool is_met;  ///< a contact of its region has it; false without a method
} ts_snapshot_normal;

/// A region where two bodies truly touch.
typedef struct ts_snapshot_region {
  int32_t body_a, body_b;
  int32_t index;           ///< index within the pair, as in contacts.csv
  size_t vertex_count;     ///< 1: a point, 2: a segment, more: a convex polygon
  const ts_vec3 *vertices; ///< [vertex_count], counter-clockwise about the first normal
  bool needs_all;          ///< all normals are needed; false: any one of them is enough
  size_t normal_count;
  const ts_snapshot_normal *normals; ///< [normal_count]
  size_t needed_count;               ///< normals that need a contact; 0: nothing touches there
  /// How the contacts meet it; all 0 without a method.
  size_t met_count; ///< of the needed normals
  bool is_missed;   ///< it needs a contact, and has none in place
  size_t contact_count;
  const size_t *contacts; ///< [contact_count] that serve it, places in `ts_snapshot::contacts`
} ts_snapshot_region;

/// A pair whose truth is unknown after its bodies have moved: it may touch, and its contacts are
/// not judged.
typedef struct ts_snapshot_unknown {
  int32_t body_a, body_b;
  const char *reason;
} ts_snapshot_unknown;

typedef struct ts_snapshot {
  const char *case_name;
  const char *method; ///< NULL: none, and no contacts
  int64_t step;
  double time_s; ///< since the scene as built, when the contacts were found (column of poses.csv)
  /// "name=value, name=value" of those that do not have their defaults; NULL or "": none.
  const char *case_parameters, *method_parameters;
  const char *envelope; ///< in which the contacts were found, as in its column; NULL: no method
  double envelope_m;
  const char *shapes_native; ///< likewise
  double mesh_error_m;       ///< likewise
  ts_vec3 up;                ///< unit, against gravity
  double body_size_m;        ///< largest extent of the median body; the unit for arrow lengths
  size_t body_count;
  const ts_snapshot_body *bodies; ///< [body_count]
  size_t region_count;
  const ts_snapshot_region *regions; ///< [region_count]
  bool is_truth_unknown; ///< of the whole scene: there are no regions, though bodies may touch
  size_t unknown_count;
  const ts_snapshot_unknown *unknown; ///< [unknown_count]
  size_t contact_count;
  const ts_contact_row *contacts; ///< [contact_count]
} ts_snapshot;

/// sRGB, from the colour-blind safe palettes of Okabe and Ito, and of Tol.
extern const uint8_t ts_contact_colours[TS_KIND_COUNT][3];
extern const uint8_t ts_truth_colour[3];

/// Whether an arrow can be drawn: point and normal are finite and the normal is not zero.
bool ts_contact_row_has_arrow(const ts_contact_row *row);

/// What the contacts make of a region.
typedef enum ts_region_state {
  TS_REGION_TRUE,    ///< no method was asked, so that it is neither met nor missed
  TS_REGION_MET,     ///< along every normal that it needs
  TS_REGION_LACKING, ///< it has contacts, but not along every normal that it needs
  TS_REGION_MISSED,  ///< it needs a contact, and has none in place
  TS_REGION_OPEN,    ///< the bodies have come apart there, and no contact is needed
  TS_REGION_STATE_COUNT
} ts_region_state;

/// sRGB, to be told apart by people with any colour vision; not meant to be the only difference.
extern const uint8_t ts_region_colours[TS_REGION_STATE_COUNT][3];

ts_region_state ts_snapshot_region_state(const ts_snapshot *snapshot,
                                         const ts_snapshot_region *region);

/// Centre of the region's vertices.
ts_vec3 ts_snapshot_region_centre(const ts_snapshot_region *region);

/// Whether the region lacks a contact, or a contact with one of the normals that it needs. Contacts
/// with right normals elsewhere do not serve it.
bool ts_snapshot_region_is_lacking(const ts_snapshot_region *region);

#endif
