// SPDX-License-Identifier: MIT
/// A snapshot of a cell as a single glTF 2.0 file, for Blender and other viewers. Metres, y up.
#ifndef TS_REPORTS_GLTF_H
#define TS_REPORTS_GLTF_H

#include "reports/export/snapshot.h"

#include <stdio.h>

/// Nodes of the scene: `bodies` has a named node for each body at its pose; `envelope` the same for
/// the surfaces that a method is given, where they differ; `truth` the regions and an arrow for
/// each feasible normal; `contacts` a group for each ts_contact_kind with a node for each contact:
/// an arrow along its normal, or a small octahedron if it has none. The CSV columns of a contact
/// are in the extras of its node, which Blender shows as custom properties. Contacts whose point is
/// not finite are omitted.
///
/// Write errors are left in the stream's error state; the result is about memory only.
ts_status ts_gltf_write(FILE *file, const ts_snapshot *snapshot);

#endif
