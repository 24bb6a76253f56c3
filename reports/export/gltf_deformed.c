// SPDX-License-Identifier: MIT
#include "base/status.h"
#include "reports/export/deformed.h"
#include "reports/export/gltf_parts.h"

#include <stdlib.h>

/// Of a, of b where two are shown, and so on; of a contact surface, and of its zone. From Tol's
/// colour-blind safe palette.
static const uint8_t body_colours[2][3] = {{119, 170, 221}, {238, 136, 102}};
static const uint8_t surface_colour[3] = {170, 170, 170}, zone_colour[3] = {187, 204, 51};

static void add_body(ts_gltf *g, const ts_deformed_body *body, size_t index, bool is_after,
                     json_t *children) {
  int64_t at = ts_gltf_add_points(g, is_after ? body->after_local : body->mesh->vertices,
                                  body->mesh->vertex_count);
  int64_t indices =
      ts_gltf_add_indices(g, &body->mesh->triangles[0][0], 3 * body->mesh->triangle_count);
  int64_t material = ts_gltf_add_material(g, body->name, body_colours[index % 2], 0.5);
  json_t *node = ts_gltf_node(
      g, body->name, ts_gltf_add_mesh(g, body->name, TS_GLTF_TRIANGLES, at, indices, material));
  ts_gltf_place(g, node, body->pose.translation, body->pose.rotation, 1);
  ts_gltf_adopt(g, children, ts_gltf_add_node(g, node));
}

/// Facets of one pair, in the zone or not, from `first` on; returns where they end.
static size_t add_facets(ts_gltf *g, const ts_deformed_scene *scene, size_t first,
                         json_t *children) {
  const ts_deformed_facet *of = &scene->facets[first];
  size_t end = first, count = 0, done = 0;
  for (; end < scene->facet_count; end++) {
    const ts_deformed_facet *facet = &scene->facets[end];
    if (facet->body_a != of->body_a || facet->body_b != of->body_b ||
        facet->is_in_zone != of->is_in_zone)
      break;
    count += facet->corner_count - 2;
  }
  uint32_t(*triangles)[3] = calloc(count, sizeof *triangles);
  if (!triangles) {
    g->is_out_of_memory = true;
    return end;
  }
  size_t low = of->first_corner, high = low;
  for (size_t i = first; i < end; i++) {
    const ts_deformed_facet *facet = &scene->facets[i];
    uint32_t at = (uint32_t)(facet->first_corner - low);
    for (uint32_t k = 1; k + 1 < facet->corner_count; k++, done++) {
      triangles[done][0] = at;
      triangles[done][1] = at + k;
      triangles[done][2] = at + k + 1;
    }
    high = facet->first_corner + facet->corner_count;
  }
  char name[64];
  const char *kind = of->is_in_zone ? "zone" : "surface";
  snprintf(name, sizeof name, "%s %d-%d", kind, of->body_a, of->body_b);
  int64_t points = ts_gltf_add_points(g, scene->corners + low, high - low);
  int64_t indices = ts_gltf_add_indices(g, &triangles[0][0], 3 * count);
  free(triangles);
  int64_t material =
      ts_gltf_add_material(g, kind, of->is_in_zone ? zone_colour : surface_colour, 1);
  json_t *node = ts_gltf_node(
      g, name, ts_gltf_add_mesh(g, name, TS_GLTF_TRIANGLES, points, indices, material));
  ts_gltf_adopt(g, children, ts_gltf_add_node(g, node));
  return end;
}

ts_status ts_gltf_write_deformed(FILE *file, const ts_deformed_scene *scene, bool is_after) {
  ts_gltf g;
  TS_TRY(ts_gltf_start(&g));
  json_t *bodies = json_array(), *surfaces = json_array();
  for (size_t i = 0; i < scene->body_count; i++)
    add_body(&g, &scene->bodies[i], i, is_after, bodies);
  for (size_t i = 0; i < scene->facet_count;)
    i = add_facets(&g, scene, i, surfaces);
  ts_gltf_add_group(&g, "bodies", bodies, g.roots);
  ts_gltf_add_group(&g, "surface", surfaces, g.roots);
  return ts_gltf_end(file, &g, scene->case_name);
}
