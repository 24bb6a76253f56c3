// SPDX-License-Identifier: MIT
#include "reports/export/vtk_parts.h"

#define VALUE_BYTES 8

static ts_vtk_array open_array(FILE *file, const char *type, const char *name, int components,
                               size_t value_count) {
  fprintf(file, "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"binary\">\n",
          type, name, components);
  ts_vtk_array out = {.encoder = {.file = file}};
  uint8_t bytes[8];
  ts_little_endian(bytes, value_count * VALUE_BYTES, sizeof bytes);
  ts_base64_add(&out.encoder, bytes, sizeof bytes);
  return out;
}

ts_vtk_array ts_vtk_open_reals(FILE *file, const char *name, int components, size_t tuple_count) {
  return open_array(file, "Float64", name, components, (size_t)components * tuple_count);
}

ts_vtk_array ts_vtk_open_integers(FILE *file, const char *name, size_t count) {
  return open_array(file, "Int64", name, 1, count);
}

static void add_bits(ts_vtk_array *a, uint64_t bits) {
  uint8_t bytes[VALUE_BYTES];
  ts_little_endian(bytes, bits, sizeof bytes);
  ts_base64_add(&a->encoder, bytes, sizeof bytes);
}

void ts_vtk_add_real(ts_vtk_array *a, double value) {
  add_bits(a, ts_bits_of_double(value));
}

void ts_vtk_add_vector(ts_vtk_array *a, ts_vec3 v) {
  ts_vtk_add_real(a, v.x);
  ts_vtk_add_real(a, v.y);
  ts_vtk_add_real(a, v.z);
}

void ts_vtk_add_integer(ts_vtk_array *a, int64_t value) {
  add_bits(a, (uint64_t)value);
}

void ts_vtk_close_array(ts_vtk_array *a) {
  ts_base64_end(&a->encoder);
  fputs("\n</DataArray>\n", a->encoder.file);
}

void ts_vtk_open_file(FILE *file, const char *type) {
  fprintf(file,
          "<?xml version=\"1.0\"?>\n"
          "<VTKFile type=\"%s\" version=\"1.0\" byte_order=\"LittleEndian\" "
          "header_type=\"UInt64\">\n<%s>\n",
          type, type);
}

void ts_vtk_close_file(FILE *file, const char *type) {
  fprintf(file, "</Piece>\n</%s>\n</VTKFile>\n", type);
}

void ts_vtk_open_poly_piece(FILE *file, size_t points, size_t verts, size_t lines, size_t polys) {
  fprintf(file,
          "<Piece NumberOfPoints=\"%zu\" NumberOfVerts=\"%zu\" NumberOfLines=\"%zu\" "
          "NumberOfStrips=\"0\" NumberOfPolys=\"%zu\">\n",
          points, verts, lines, polys);
}

void ts_vtk_put_even_offsets(FILE *file, size_t cell_count, size_t vertices) {
  ts_vtk_array a = ts_vtk_open_integers(file, "offsets", cell_count);
  for (size_t i = 0; i < cell_count; i++)
    ts_vtk_add_integer(&a, (int64_t)((i + 1) * vertices));
  ts_vtk_close_array(&a);
}
