// SPDX-License-Identifier: MIT
#include "reports/export/deformed.h"
#include "reports/export/vtk_parts.h"

typedef struct counts {
  size_t points, triangles;
} counts;

static counts count_all(const ts_deformed_scene *scene) {
  counts out = {0, 0};
  for (size_t i = 0; i < scene->body_count; i++) {
    out.points += scene->bodies[i].mesh->vertex_count;
    out.triangles += scene->bodies[i].mesh->triangle_count;
  }
  return out;
}

static void put_reals(FILE *file, const ts_deformed_scene *scene, size_t count, bool is_eta) {
  ts_vtk_array a = ts_vtk_open_reals(file, is_eta ? "eta" : "u", 1, count);
  for (size_t i = 0; i < scene->body_count; i++) {
    const ts_deformed_body *body = &scene->bodies[i];
    for (size_t k = 0; k < body->mesh->vertex_count; k++)
      ts_vtk_add_real(&a, is_eta ? body->eta[k] : body->u[k]);
  }
  ts_vtk_close_array(&a);
}

static void put_point_data(FILE *file, const ts_deformed_scene *scene, size_t count) {
  fputs("<PointData Scalars=\"u\" Vectors=\"displacement\">\n", file);
  put_reals(file, scene, count, false);
  put_reals(file, scene, count, true);
  ts_vtk_array a = ts_vtk_open_integers(file, "zone", count);
  for (size_t i = 0; i < scene->body_count; i++)
    for (size_t k = 0; k < scene->bodies[i].mesh->vertex_count; k++)
      ts_vtk_add_integer(&a, scene->bodies[i].zone[k]);
  ts_vtk_close_array(&a);
  a = ts_vtk_open_reals(file, "displacement", 3, count);
  for (size_t i = 0; i < scene->body_count; i++) {
    const ts_deformed_body *body = &scene->bodies[i];
    for (size_t k = 0; k < body->mesh->vertex_count; k++) {
      ts_vec3 p = body->before[k], q = body->after[k];
      ts_vtk_add_vector(&a, (ts_vec3){q.x - p.x, q.y - p.y, q.z - p.z});
    }
  }
  ts_vtk_close_array(&a);
  fputs("</PointData>\n", file);
}

static void put_bodies(FILE *file, const ts_deformed_scene *scene, size_t triangles) {
  fputs("<CellData Scalars=\"body\">\n", file);
  ts_vtk_array a = ts_vtk_open_integers(file, "body", triangles);
  for (size_t i = 0; i < scene->body_count; i++)
    for (size_t t = 0; t < scene->bodies[i].mesh->triangle_count; t++)
      ts_vtk_add_integer(&a, (int64_t)i);
  ts_vtk_close_array(&a);
  fputs("</CellData>\n", file);
}

static void put_points(FILE *file, const ts_deformed_scene *scene, size_t count, bool is_after) {
  fputs("<Points>\n", file);
  ts_vtk_array a = ts_vtk_open_reals(file, "Points", 3, count);
  for (size_t i = 0; i < scene->body_count; i++) {
    const ts_deformed_body *body = &scene->bodies[i];
    for (size_t k = 0; k < body->mesh->vertex_count; k++)
      ts_vtk_add_vector(&a, is_after ? body->after[k] : body->before[k]);
  }
  ts_vtk_close_array(&a);
  fputs("</Points>\n", file);
}

static void put_triangles(FILE *file, const ts_deformed_scene *scene, size_t count) {
  fputs("<Polys>\n", file);
  ts_vtk_array a = ts_vtk_open_integers(file, "connectivity", 3 * count);
  size_t first = 0;
  for (size_t i = 0; i < scene->body_count; i++) {
    const ts_mesh *mesh = scene->bodies[i].mesh;
    for (size_t t = 0; t < mesh->triangle_count; t++)
      for (int k = 0; k < 3; k++)
        ts_vtk_add_integer(&a, (int64_t)(first + mesh->triangles[t][k]));
    first += mesh->vertex_count;
  }
  ts_vtk_close_array(&a);
  ts_vtk_put_even_offsets(file, count, 3);
  fputs("</Polys>\n", file);
}

void ts_vtk_write_deformed(FILE *file, const ts_deformed_scene *scene, bool is_after) {
  counts all = count_all(scene);
  ts_vtk_open_file(file, "PolyData");
  ts_vtk_open_poly_piece(file, all.points, 0, 0, all.triangles);
  put_point_data(file, scene, all.points);
  put_bodies(file, scene, all.triangles);
  put_points(file, scene, all.points, is_after);
  put_triangles(file, scene, all.triangles);
  ts_vtk_close_file(file, "PolyData");
}

// ---- contact surfaces --------------------------------------------------------------------------

static void put_facet_data(FILE *file, const ts_deformed_scene *scene) {
  static const char *const names[] = {"zone", "body_a", "body_b"};
  fputs("<CellData Scalars=\"zone\" Vectors=\"normal\">\n", file);
  ts_vtk_array a = ts_vtk_open_reals(file, "normal", 3, scene->facet_count);
  for (size_t i = 0; i < scene->facet_count; i++)
    ts_vtk_add_vector(&a, scene->facets[i].normal);
  ts_vtk_close_array(&a);
  for (int column = 0; column < 3; column++) {
    a = ts_vtk_open_integers(file, names[column], scene->facet_count);
    for (size_t i = 0; i < scene->facet_count; i++) {
      const ts_deformed_facet *facet = &scene->facets[i];
      ts_vtk_add_integer(&a, column == 0   ? facet->is_in_zone
                             : column == 1 ? facet->body_a
                                           : facet->body_b);
    }
    ts_vtk_close_array(&a);
  }
  fputs("</CellData>\n", file);
}

void ts_vtk_write_contact_surfaces(FILE *file, const ts_deformed_scene *scene) {
  size_t corners = 0;
  for (size_t i = 0; i < scene->facet_count; i++)
    corners += scene->facets[i].corner_count;
  ts_vtk_open_file(file, "PolyData");
  ts_vtk_open_poly_piece(file, scene->corner_count, 0, 0, scene->facet_count);
  fputs("<PointData Scalars=\"depth_m\">\n", file);
  ts_vtk_array a = ts_vtk_open_reals(file, "depth_m", 1, scene->corner_count);
  for (size_t i = 0; i < scene->corner_count; i++)
    ts_vtk_add_real(&a, scene->depths_m[i]);
  ts_vtk_close_array(&a);
  fputs("</PointData>\n", file);
  put_facet_data(file, scene);
  fputs("<Points>\n", file);
  a = ts_vtk_open_reals(file, "Points", 3, scene->corner_count);
  for (size_t i = 0; i < scene->corner_count; i++)
    ts_vtk_add_vector(&a, scene->corners[i]);
  ts_vtk_close_array(&a);
  fputs("</Points>\n<Polys>\n", file);
  a = ts_vtk_open_integers(file, "connectivity", corners);
  for (size_t i = 0; i < scene->facet_count; i++)
    for (size_t k = 0; k < scene->facets[i].corner_count; k++)
      ts_vtk_add_integer(&a, (int64_t)(scene->facets[i].first_corner + k));
  ts_vtk_close_array(&a);
  a = ts_vtk_open_integers(file, "offsets", scene->facet_count);
  size_t end = 0;
  for (size_t i = 0; i < scene->facet_count; i++) {
    end += scene->facets[i].corner_count;
    ts_vtk_add_integer(&a, (int64_t)end);
  }
  ts_vtk_close_array(&a);
  fputs("</Polys>\n", file);
  ts_vtk_close_file(file, "PolyData");
}
