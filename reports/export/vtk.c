// SPDX-License-Identifier: MIT
#include "reports/export/vtk.h"

#include "reports/export/vtk_parts.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static const ts_snapshot_surface *surface_of(const ts_snapshot *snapshot, size_t body,
                                             bool enveloped) {
  const ts_snapshot_body *b = &snapshot->bodies[body];
  return enveloped ? &b->enveloped : &b->designed;
}

static void write_points(FILE *file, const ts_snapshot *snapshot, bool enveloped, size_t count) {
  fputs("<Points>\n", file);
  ts_vtk_array a = ts_vtk_open_reals(file, "Points", 3, count);
  for (size_t i = 0; i < snapshot->body_count; i++) {
    const ts_snapshot_surface *s = surface_of(snapshot, i, enveloped);
    for (size_t k = 0; s->mesh && k < s->mesh->vertex_count; k++)
      ts_vtk_add_vector(&a, s->world[k]);
  }
  ts_vtk_close_array(&a);
  fputs("</Points>\n", file);
}

static void write_triangles(FILE *file, const ts_snapshot *snapshot, bool enveloped, size_t count) {
  fputs("<Polys>\n", file);
  ts_vtk_array a = ts_vtk_open_integers(file, "connectivity", 3 * count);
  size_t first = 0;
  for (size_t i = 0; i < snapshot->body_count; i++) {
    const ts_mesh *mesh = surface_of(snapshot, i, enveloped)->mesh;
    for (size_t t = 0; mesh && t < mesh->triangle_count; t++)
      for (int k = 0; k < 3; k++)
        ts_vtk_add_integer(&a, (int64_t)(first + mesh->triangles[t][k]));
    first += mesh ? mesh->vertex_count : 0;
  }
  ts_vtk_close_array(&a);
  ts_vtk_put_even_offsets(file, count, 3);
  fputs("</Polys>\n", file);
}

void ts_vtk_write_bodies(FILE *file, const ts_snapshot *snapshot, bool enveloped) {
  size_t points = 0, triangles = 0;
  for (size_t i = 0; i < snapshot->body_count; i++) {
    const ts_mesh *mesh = surface_of(snapshot, i, enveloped)->mesh;
    points += mesh ? mesh->vertex_count : 0;
    triangles += mesh ? mesh->triangle_count : 0;
  }
  ts_vtk_open_file(file, "PolyData");
  ts_vtk_open_poly_piece(file, points, 0, 0, triangles);
  fputs("<CellData Scalars=\"body\">\n", file);
  for (int column = 0; column < 2; column++) {
    ts_vtk_array a = ts_vtk_open_integers(file, column == 0 ? "body" : "is_fixed", triangles);
    for (size_t i = 0; i < snapshot->body_count; i++) {
      const ts_mesh *mesh = surface_of(snapshot, i, enveloped)->mesh;
      for (size_t t = 0; mesh && t < mesh->triangle_count; t++)
        ts_vtk_add_integer(&a, column == 0 ? (int64_t)i : snapshot->bodies[i].is_fixed);
    }
    ts_vtk_close_array(&a);
  }
  fputs("</CellData>\n", file);
  write_points(file, snapshot, enveloped, points);
  write_triangles(file, snapshot, enveloped, triangles);
  ts_vtk_close_file(file, "PolyData");
}

static void write_tet_data(FILE *file, const ts_snapshot *snapshot, size_t tets) {
  fputs("<CellData Scalars=\"body\">\n", file);
  for (int column = 0; column < 2; column++) {
    ts_vtk_array a = ts_vtk_open_integers(file, column == 0 ? "body" : "surface_faces", tets);
    for (size_t i = 0; i < snapshot->body_count; i++) {
      const ts_mesh *mesh = snapshot->bodies[i].enveloped.mesh;
      for (size_t t = 0; mesh && t < mesh->tet_count; t++) {
        unsigned faces = mesh->tet_surface[t];
        faces = (faces & 1) + (faces >> 1 & 1) + (faces >> 2 & 1) + (faces >> 3 & 1);
        ts_vtk_add_integer(&a, column == 0 ? (int64_t)i : faces);
      }
    }
    ts_vtk_close_array(&a);
  }
  fputs("</CellData>\n", file);
}

static void write_tet_cells(FILE *file, const ts_snapshot *snapshot, size_t tets) {
  const int64_t type_of_tetra = 10;
  fputs("<Cells>\n", file);
  ts_vtk_array a = ts_vtk_open_integers(file, "connectivity", 4 * tets);
  size_t first = 0;
  for (size_t i = 0; i < snapshot->body_count; i++) {
    const ts_mesh *mesh = snapshot->bodies[i].enveloped.mesh;
    for (size_t t = 0; mesh && t < mesh->tet_count; t++)
      for (int k = 0; k < 4; k++)
        ts_vtk_add_integer(&a, (int64_t)(first + mesh->tets[t][k]));
    first += mesh ? mesh->vertex_count : 0;
  }
  ts_vtk_close_array(&a);
  ts_vtk_put_even_offsets(file, tets, 4);
  a = ts_vtk_open_integers(file, "types", tets);
  for (size_t i = 0; i < tets; i++)
    ts_vtk_add_integer(&a, type_of_tetra);
  ts_vtk_close_array(&a);
  fputs("</Cells>\n", file);
}

void ts_vtk_write_tets(FILE *file, const ts_snapshot *snapshot) {
  size_t points = 0, tets = 0;
  for (size_t i = 0; i < snapshot->body_count; i++) {
    const ts_mesh *mesh = snapshot->bodies[i].enveloped.mesh;
    points += mesh ? mesh->vertex_count : 0;
    tets += mesh ? mesh->tet_count : 0;
  }
  ts_vtk_open_file(file, "UnstructuredGrid");
  fprintf(file, "<Piece NumberOfPoints=\"%zu\" NumberOfCells=\"%zu\">\n", points, tets);
  write_tet_data(file, snapshot, tets);
  write_points(file, snapshot, true, points);
  write_tet_cells(file, snapshot, tets);
  ts_vtk_close_file(file, "UnstructuredGrid");
}

/// The data of a region and one of its normals.
enum { BODY_A, BODY_B, REGION, NEEDS_ALL, OPEN, TRUTH_INTEGERS };
static const char *const truth_integers[] = {"body_a", "body_b", "region", "needs_all", "open"};

static int64_t truth_integer(const ts_snapshot_region *r, const ts_snapshot_normal *n, int column) {
  const int64_t values[TRUTH_INTEGERS] = {r->body_a, r->body_b, r->index, r->needs_all,
                                          n ? n->is_open : 0};
  return values[column];
}

/// The kind of VTK cell of a region, in the order of the file format.
enum { VERTS, LINES, POLYS, CELL_KINDS };
static const char *const cell_kinds[CELL_KINDS] = {"Verts", "Lines", "Polys"};

static int cell_kind(const ts_snapshot_region *r) {
  return r->vertex_count == 1 ? VERTS : r->vertex_count == 2 ? LINES : POLYS;
}

/// The next region of a kind after `*at`; start with SIZE_MAX. False at the end.
static bool next_region(const ts_snapshot *snapshot, int kind, size_t *at) {
  for (size_t i = *at + 1; i < snapshot->region_count; i++)
    if (cell_kind(&snapshot->regions[i]) == kind) {
      *at = i;
      return true;
    }
  return false;
}

static const ts_snapshot_normal *first_normal(const ts_snapshot_region *r) {
  return r->normal_count > 0 ? &r->normals[0] : NULL;
}

static void write_truth_data(FILE *file, const ts_snapshot *snapshot) {
  fputs("<CellData Vectors=\"normal\">\n", file);
  ts_vtk_array a = ts_vtk_open_reals(file, "normal", 3, snapshot->region_count);
  const ts_vec3 none = {NAN, NAN, NAN};
  for (int kind = 0; kind < CELL_KINDS; kind++)
    for (size_t i = SIZE_MAX; next_region(snapshot, kind, &i);) {
      const ts_snapshot_normal *n = first_normal(&snapshot->regions[i]);
      ts_vtk_add_vector(&a, n ? n->normal : none);
    }
  ts_vtk_close_array(&a);
  a = ts_vtk_open_reals(file, "gap_m", 1, snapshot->region_count);
  for (int kind = 0; kind < CELL_KINDS; kind++)
    for (size_t i = SIZE_MAX; next_region(snapshot, kind, &i);) {
      const ts_snapshot_normal *n = first_normal(&snapshot->regions[i]);
      ts_vtk_add_real(&a, n ? n->gap_m : (double)NAN);
    }
  ts_vtk_close_array(&a);
  for (int column = 0; column < TRUTH_INTEGERS; column++) {
    a = ts_vtk_open_integers(file, truth_integers[column], snapshot->region_count);
    for (int kind = 0; kind < CELL_KINDS; kind++)
      for (size_t i = SIZE_MAX; next_region(snapshot, kind, &i);) {
        const ts_snapshot_region *r = &snapshot->regions[i];
        ts_vtk_add_integer(&a, truth_integer(r, first_normal(r), column));
      }
    ts_vtk_close_array(&a);
  }
  fputs("</CellData>\n", file);
}

/// Writes the cells of one kind; `first` counts points, which are stored in the order of the cells.
static void write_truth_cells(FILE *file, const ts_snapshot *snapshot, int kind, size_t *first) {
  size_t cells = 0, vertices = 0;
  for (size_t i = SIZE_MAX; next_region(snapshot, kind, &i); cells++)
    vertices += snapshot->regions[i].vertex_count;
  fprintf(file, "<%s>\n", cell_kinds[kind]);
  ts_vtk_array a = ts_vtk_open_integers(file, "connectivity", vertices);
  for (size_t i = 0; i < vertices; i++)
    ts_vtk_add_integer(&a, (int64_t)((*first)++));
  ts_vtk_close_array(&a);
  a = ts_vtk_open_integers(file, "offsets", cells);
  size_t end = 0;
  for (size_t i = SIZE_MAX; next_region(snapshot, kind, &i);) {
    end += snapshot->regions[i].vertex_count;
    ts_vtk_add_integer(&a, (int64_t)end);
  }
  ts_vtk_close_array(&a);
  fprintf(file, "</%s>\n", cell_kinds[kind]);
}

void ts_vtk_write_truth(FILE *file, const ts_snapshot *snapshot) {
  size_t counts[CELL_KINDS] = {0}, points = 0;
  for (size_t i = 0; i < snapshot->region_count; i++) {
    counts[cell_kind(&snapshot->regions[i])]++;
    points += snapshot->regions[i].vertex_count;
  }
  ts_vtk_open_file(file, "PolyData");
  ts_vtk_open_poly_piece(file, points, counts[VERTS], counts[LINES], counts[POLYS]);
  write_truth_data(file, snapshot);
  fputs("<Points>\n", file);
  ts_vtk_array a = ts_vtk_open_reals(file, "Points", 3, points);
  for (int kind = 0; kind < CELL_KINDS; kind++)
    for (size_t i = SIZE_MAX; next_region(snapshot, kind, &i);)
      for (size_t k = 0; k < snapshot->regions[i].vertex_count; k++)
        ts_vtk_add_vector(&a, snapshot->regions[i].vertices[k]);
  ts_vtk_close_array(&a);
  fputs("</Points>\n", file);
  size_t first = 0;
  for (int kind = 0; kind < CELL_KINDS; kind++)
    write_truth_cells(file, snapshot, kind, &first);
  ts_vtk_close_file(file, "PolyData");
}

/// Adds a vertex cell for each point; viewers do not show points without one.
static void write_vertex_cells(FILE *file, size_t count) {
  fputs("<Verts>\n", file);
  ts_vtk_array a = ts_vtk_open_integers(file, "connectivity", count);
  for (size_t i = 0; i < count; i++)
    ts_vtk_add_integer(&a, (int64_t)i);
  ts_vtk_close_array(&a);
  ts_vtk_put_even_offsets(file, count, 1);
  fputs("</Verts>\n", file);
}

void ts_vtk_write_truth_normals(FILE *file, const ts_snapshot *snapshot) {
  size_t count = 0;
  for (size_t i = 0; i < snapshot->region_count; i++)
    count += snapshot->regions[i].normal_count;
  ts_vtk_open_file(file, "PolyData");
  ts_vtk_open_poly_piece(file, count, count, 0, 0);
  fputs("<PointData Vectors=\"normal\">\n", file);
  ts_vtk_array a = ts_vtk_open_reals(file, "normal", 3, count);
  for (size_t i = 0; i < snapshot->region_count; i++)
    for (size_t k = 0; k < snapshot->regions[i].normal_count; k++)
      ts_vtk_add_vector(&a, snapshot->regions[i].normals[k].normal);
  ts_vtk_close_array(&a);
  a = ts_vtk_open_reals(file, "gap_m", 1, count);
  for (size_t i = 0; i < snapshot->region_count; i++)
    for (size_t k = 0; k < snapshot->regions[i].normal_count; k++)
      ts_vtk_add_real(&a, snapshot->regions[i].normals[k].gap_m);
  ts_vtk_close_array(&a);
  for (int column = 0; column < TRUTH_INTEGERS; column++) {
    a = ts_vtk_open_integers(file, truth_integers[column], count);
    for (size_t i = 0; i < snapshot->region_count; i++)
      for (size_t k = 0; k < snapshot->regions[i].normal_count; k++)
        ts_vtk_add_integer(
            &a, truth_integer(&snapshot->regions[i], &snapshot->regions[i].normals[k], column));
    ts_vtk_close_array(&a);
  }
  fputs("</PointData>\n<Points>\n", file);
  a = ts_vtk_open_reals(file, "Points", 3, count);
  for (size_t i = 0; i < snapshot->region_count; i++)
    for (size_t k = 0; k < snapshot->regions[i].normal_count; k++)
      ts_vtk_add_vector(&a, ts_snapshot_region_centre(&snapshot->regions[i]));
  ts_vtk_close_array(&a);
  fputs("</Points>\n", file);
  write_vertex_cells(file, count);
  ts_vtk_close_file(file, "PolyData");
}

/// Whether a column of contacts.csv is a coordinate; coordinates are written as vectors instead.
static bool is_coordinate(const ts_field *field) {
  return strncmp(field->column, "point_", 6) == 0 || strncmp(field->column, "normal_x", 8) == 0 ||
         strncmp(field->column, "normal_y", 8) == 0 || strncmp(field->column, "normal_z", 8) == 0;
}

static void write_contact_column(FILE *file, const ts_snapshot *snapshot, const ts_field *field) {
  bool is_count = field->kind == TS_FIELD_COUNT;
  ts_vtk_array a = is_count ? ts_vtk_open_integers(file, field->column, snapshot->contact_count)
                            : ts_vtk_open_reals(file, field->column, 1, snapshot->contact_count);
  for (size_t i = 0; i < snapshot->contact_count; i++) {
    double value = ts_row_number(field, &snapshot->contacts[i]);
    if (is_count)
      ts_vtk_add_integer(&a, isfinite(value) ? (int64_t)value : -1);
    else
      ts_vtk_add_real(&a, value);
  }
  ts_vtk_close_array(&a);
}

void ts_vtk_write_contacts(FILE *file, const ts_snapshot *snapshot) {
  size_t count = snapshot->contact_count;
  ts_vtk_open_file(file, "PolyData");
  ts_vtk_open_poly_piece(file, count, count, 0, 0);
  fputs("<PointData Scalars=\"normal_error_deg\" Vectors=\"normal\">\n", file);
  ts_vtk_array a = ts_vtk_open_reals(file, "normal", 3, count);
  for (size_t i = 0; i < count; i++) {
    const ts_contact_row *row = &snapshot->contacts[i];
    ts_vtk_add_vector(&a, (ts_vec3){row->normal_x, row->normal_y, row->normal_z});
  }
  ts_vtk_close_array(&a);
  a = ts_vtk_open_integers(file, "kind", count);
  for (size_t i = 0; i < count; i++)
    ts_vtk_add_integer(&a, ts_contact_row_kind(&snapshot->contacts[i]));
  ts_vtk_close_array(&a);
  for (size_t i = 0; i < ts_contact_rows.field_count; i++) {
    const ts_field *field = &ts_contact_rows.fields[i];
    if (field->kind != TS_FIELD_TEXT && !is_coordinate(field))
      write_contact_column(file, snapshot, field);
  }
  fputs("</PointData>\n<Points>\n", file);
  a = ts_vtk_open_reals(file, "Points", 3, count);
  for (size_t i = 0; i < count; i++) {
    const ts_contact_row *row = &snapshot->contacts[i];
    ts_vtk_add_vector(&a, (ts_vec3){row->point_x_m, row->point_y_m, row->point_z_m});
  }
  ts_vtk_close_array(&a);
  fputs("</Points>\n", file);
  write_vertex_cells(file, count);
  ts_vtk_close_file(file, "PolyData");
}
