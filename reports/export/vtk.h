// SPDX-License-Identifier: MIT
/// What there is to see of a cell, as XML files of VTK, which ParaView opens. Numbers stand in them
/// as base64 of little-endian doubles and 64-bit integers, so that NaN and every digit survive.
///
/// The functions write to a stream, whose error state tells what went wrong.
#ifndef TS_REPORTS_VTK_H
#define TS_REPORTS_VTK_H

#include "reports/export/snapshot.h"

#include <stdio.h>

/// bodies.vtp: the surfaces where the bodies are, as designed or in the method's envelope (then
/// without the bodies that have none). Cell data: body, is_fixed.
void ts_vtk_write_bodies(FILE *file, const ts_snapshot *snapshot, bool enveloped);

/// tets.vtu: the tetrahedra that the method is given. Cell data: body, surface_faces.
void ts_vtk_write_tets(FILE *file, const ts_snapshot *snapshot);

/// truth.vtp: the regions as points, lines and polygons. Cell data: body_a, body_b, region,
/// needs_all, and of the first feasible normal: normal, gap_m, open.
void ts_vtk_write_truth(FILE *file, const ts_snapshot *snapshot);

/// truth_normals.vtp: a point in the middle of each region for each of its feasible normals, with
/// the same as point data.
void ts_vtk_write_truth_normals(FILE *file, const ts_snapshot *snapshot);

/// contacts.vtp: the contacts as points. Point data: normal, kind (ts_contact_kind), and the
/// numbers of contacts.csv by the names of its columns; counts that are not measured are -1 here.
void ts_vtk_write_contacts(FILE *file, const ts_snapshot *snapshot);

#endif
