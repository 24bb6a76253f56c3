// SPDX-License-Identifier: MIT
/// A snapshot of a cell as VTK XML files, for ParaView. Numbers are stored as base64 of
/// little-endian doubles and 64-bit integers, so that NaN and all digits are preserved.
///
/// Write errors are left in the stream's error state.
#ifndef TS_REPORTS_VTK_H
#define TS_REPORTS_VTK_H

#include "reports/export/snapshot.h"

#include <stdio.h>

/// bodies.vtp: the surfaces of the bodies at their poses, as designed or in the method's envelope
/// (then only bodies that have one). Cell data: body, is_fixed.
void ts_vtk_write_bodies(FILE *file, const ts_snapshot *snapshot, bool enveloped);

/// tets.vtu: the tetrahedra that the method is given. Cell data: body, surface_faces.
void ts_vtk_write_tets(FILE *file, const ts_snapshot *snapshot);

/// truth.vtp: the regions as points, lines and polygons. Cell data: body_a, body_b, region,
/// needs_all, and of the first feasible normal: normal, gap_m, open.
void ts_vtk_write_truth(FILE *file, const ts_snapshot *snapshot);

/// truth_normals.vtp: a point at the centre of each region for each of its feasible normals, with
/// the same values as point data.
void ts_vtk_write_truth_normals(FILE *file, const ts_snapshot *snapshot);

/// contacts.vtp: the contacts as points. Point data: normal, kind (ts_contact_kind), and the
/// numeric columns of contacts.csv under their names; counts that were not measured are -1.
void ts_vtk_write_contacts(FILE *file, const ts_snapshot *snapshot);

#endif
