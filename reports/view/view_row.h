// SPDX-License-Identifier: MIT
/// A row of results as the view in the page needs it: JSON in pieces, so that rows share what they
/// have in common. Lengths are in metres, in the world unless a mesh; numbers have seven digits.
#ifndef TS_REPORTS_VIEW_ROW_H
#define TS_REPORTS_VIEW_ROW_H

#include "reports/export/snapshot.h"
#include "reports/view/pieces.h"

/// A scene as built, which all rows of a case share.
typedef struct ts_view_scene {
  const ts_snapshot *snapshot; ///< its bodies as built
  const ts_vec3 *shifts;       ///< [body_count]: where each body goes when they are pulled apart
  const bool *is_ground;       ///< [body_count]: so large that a view of the whole leaves it out
} ts_view_scene;

/// What can be wrong with a contact or a region, as the columns of summary.csv count it. A contact
/// may have several faults.
typedef enum ts_view_fault {
  TS_VIEW_PHANTOM,
  TS_VIEW_SPECULATIVE_WRONG,
  TS_VIEW_NORMAL_INCORRECT, ///< has no count of its own in the summary, which has a percentage
  TS_VIEW_NORMAL_FLIPPED,
  TS_VIEW_NORMAL_INVALID,
  TS_VIEW_GAP_WRONG,
  TS_VIEW_CONTACT_FAULTS,
  TS_VIEW_REGION_MISSED = TS_VIEW_CONTACT_FAULTS,
  TS_VIEW_CONTACTS_MISSING,
  TS_VIEW_FAULTS
} ts_view_fault;

/// [TS_VIEW_FAULTS]: the column of summary.csv by which each is selected.
extern const char *const ts_view_fault_columns[];

typedef struct ts_view_row {
  const char *title;           ///< case, method and step, for people
  const char *explain_command; ///< the shell command that has all contacts and regions
  /// Its contacts are those that the view gets, worst first; its bodies are where they were.
  const ts_snapshot *snapshot;
  bool has_moved;                      ///< the bodies are not as built
  size_t contact_total;                ///< contacts of the row, those left out too
  size_t kind_totals[TS_KIND_COUNT];   ///< likewise
  const unsigned *contact_faults;      ///< [contact_count]: bits 1 << ts_view_fault
  double fault_totals[TS_VIEW_FAULTS]; ///< of the row, as in its summary; NaN: unknown
  bool has_verdicts;                   ///< how the contacts meet the regions is known
  /// [region_count]: how many contacts serve each region, those left out too; NULL without
  /// verdicts.
  const size_t *served_counts;
  /// [region_count]: how many contacts each lacks of its minimum, NaN: unknown; NULL likewise.
  const double *missing_counts;
  size_t unknown_total; ///< pairs whose truth is unknown
} ts_view_row;

/// Places of pieces in their list.
typedef struct ts_view_scene_pieces {
  size_t scene;
  size_t mesh_count;
  const size_t *meshes; ///< [mesh_count], one of each body
} ts_view_scene_pieces;

/// The same of a row; SIZE_MAX: it has none.
enum { TS_VIEW_POSES, TS_VIEW_TRUTH, TS_VIEW_ROW, TS_VIEW_PIECES };
typedef struct ts_view_row_pieces {
  size_t places[TS_VIEW_PIECES];
} ts_view_row_pieces;

/// Adds the pieces of a scene; `out->meshes` is in the arena.
///
///   scene: {up, size, bodies: [{name, mesh, fixed, ground, pose, shift}]}; mesh: place of a piece
///   mesh:  {v: [x, y, z, ...], t: [i, j, k, ...], of: number of triangles if it is coarse}
///
/// A pose is [x, y, z, qw, qx, qy, qz].
ts_status ts_view_scene_add(ts_view_scene_pieces *out, ts_pieces *pieces, ts_arena *arena,
                            const ts_view_scene *scene);

/// Adds the pieces of a row, whose scene is the piece `scene`. The arena is for text that is being
/// written, and may not be that of the pieces.
///
///   poses: [pose, ...], where they are not as built
///   truth: [{a, b, i, needs: "all" | "any" | "none", needed, v: corners, n: normals, g: gaps}]
///   row:   {title, explain, total, totals: of each kind, fault_totals: of each fault, verdicts,
///           scene, poses, truth, truth_unknown, unknown_total, unknown: [[a, b, reason]],
///           contacts: {a, b, i, p: points, n: normals, g: gaps, kind, f: bits of faults,
///           ne, pe, ge: errors of normal, position and gap, region}; and of each region, where
///           verdicts are known: met, missed, lacks: contacts of its minimum, served: contacts that
///           serve it, by: the places of those in `contacts`}
ts_status ts_view_row_add(ts_view_row_pieces *out, ts_pieces *pieces, ts_arena *arena,
                          const ts_view_row *row, size_t scene);

#endif
