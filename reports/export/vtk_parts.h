// SPDX-License-Identifier: MIT
/// The parts of a VTK XML file: data arrays, in base64 of little-endian doubles and 64-bit
/// integers, and the elements around them. Used by the writers of this folder.
///
/// Write errors are left in the stream's error state.
#ifndef TS_REPORTS_VTK_PARTS_H
#define TS_REPORTS_VTK_PARTS_H

#include "base/base64.h"
#include "base/types.h"

#include <stddef.h>
#include <stdio.h>

/// A data array that is being written.
typedef struct ts_vtk_array {
  ts_base64 encoder;
} ts_vtk_array;

/// `type`: "PolyData" or "UnstructuredGrid". The piece is opened by the caller, and closed here.
void ts_vtk_open_file(FILE *file, const char *type);
void ts_vtk_close_file(FILE *file, const char *type);

void ts_vtk_open_poly_piece(FILE *file, size_t points, size_t verts, size_t lines, size_t polys);

/// An array of as many tuples as told, each of so many components; exactly that many are added.
ts_vtk_array ts_vtk_open_reals(FILE *file, const char *name, int components, size_t tuple_count);
ts_vtk_array ts_vtk_open_integers(FILE *file, const char *name, size_t count);
void ts_vtk_add_real(ts_vtk_array *a, double value);
void ts_vtk_add_vector(ts_vtk_array *a, ts_vec3 v);
void ts_vtk_add_integer(ts_vtk_array *a, int64_t value);
void ts_vtk_close_array(ts_vtk_array *a);

/// The array "offsets" of cells that have this many vertices each.
void ts_vtk_put_even_offsets(FILE *file, size_t cell_count, size_t vertices);

#endif
