// SPDX-License-Identifier: MIT
/// What there is to see of a cell, as one glTF 2.0 file, which Blender and any other viewer of that
/// format opens. Metres, y up.
#ifndef TS_REPORTS_GLTF_H
#define TS_REPORTS_GLTF_H

#include "reports/export/snapshot.h"

#include <stdio.h>

/// Nodes of the scene: `bodies` has a node for each body, named, at its pose; `envelope` likewise
/// the surfaces that a method gets, where they differ; `truth` the regions and an arrow for each
/// feasible normal; `contacts` a group for each ts_contact_kind with a node for each contact: an
/// arrow along its normal, or a small octahedron where it has none. What the CSV tells of a contact
/// is in the extras of its node, which Blender shows as custom properties. Contacts whose point is
/// not finite are left out.
///
/// The stream's error state tells of the writing; the result, of memory alone.
ts_status ts_gltf_write(FILE *file, const ts_snapshot *snapshot);

#endif
