// SPDX-License-Identifier: MIT
#include "elastic/mesh_zone.h"

#include "base/status.h"
#include "geometry/tolerances.h"

/// The triangles around each vertex, with their angles there.
typedef struct fans {
  const ts_elastic_body *body;
  size_t *first;       ///< [vertex_count + 1]
  uint32_t *triangles; ///< [first[vertex_count]]
  double *angles_rad;  ///< likewise
} fans;

static double angle_at(const ts_elastic_body *body, size_t triangle, int corner) {
  const uint32_t *v = body->mesh->triangles[triangle];
  ts_vec3 p = body->vertices[v[corner]];
  return ts_vec3_angle(ts_vec3_sub(body->vertices[v[(corner + 1) % 3]], p),
                       ts_vec3_sub(body->vertices[v[(corner + 2) % 3]], p));
}

static ts_status make_fans(fans *out, ts_arena *arena, const ts_elastic_body *body) {
  const ts_mesh *mesh = body->mesh;
  size_t *first = ts_arena_array(arena, mesh->vertex_count + 2, sizeof *first);
  *out =
      (fans){body, first, ts_arena_array(arena, 3 * mesh->triangle_count, sizeof *out->triangles),
             ts_arena_array(arena, 3 * mesh->triangle_count, sizeof *out->angles_rad)};
  if (!first || !out->triangles || !out->angles_rad)
    return TS_E_MEMORY;
  for (size_t t = 0; t < mesh->triangle_count; t++)
    for (int i = 0; i < 3; i++)
      first[mesh->triangles[t][i] + 2]++;
  for (size_t v = 0; v < mesh->vertex_count; v++)
    first[v + 2] += first[v + 1];
  // While they are filled, first[v + 1] is the next place of vertex v; then its end.
  for (size_t t = 0; t < mesh->triangle_count; t++)
    for (int i = 0; i < 3; i++) {
      size_t place = first[mesh->triangles[t][i] + 1]++;
      out->triangles[place] = (uint32_t)t;
      out->angles_rad[place] = angle_at(body, t, i);
    }
  return TS_OK;
}

/// Normal of the surface at a vertex, seen from one of the triangles around it.
static ts_vec3 smooth_normal(const fans *f, uint32_t vertex, uint32_t seen_from) {
  const ts_vec3 *normals = f->body->normals;
  ts_vec3 sum = {0, 0, 0};
  for (size_t i = f->first[vertex]; i < f->first[vertex + 1]; i++)
    if (ts_vec3_dot(normals[f->triangles[i]], normals[seen_from]) >= TS_CREASE_COSINE)
      sum = ts_vec3_add_scaled(sum, f->angles_rad[i], normals[f->triangles[i]]);
  return ts_vec3_unit(sum);
}

typedef struct zone_work {
  const ts_zone_part *parts;
  size_t part_count;
  int which;
  fans fans[2]; ///< of a and b
} zone_work;

/// What is known of a place on the surface of the body.
typedef struct zone_place {
  const ts_zone_part *part;
  ts_vec3 displacement, normal;
} zone_place;

/// Towards the other body.
static ts_vec3 outwards(const zone_work *w, const ts_zone_part *part) {
  return w->which == 0 ? part->surface->m : ts_vec3_neg(part->surface->m);
}

/// Normal of the other body where a column meets it, between those of the triangle's corners.
static ts_vec3 normal_of_other(const zone_work *w, uint32_t triangle, ts_vec3 point) {
  const fans *f = &w->fans[1 - w->which];
  const uint32_t *v = f->body->mesh->triangles[triangle];
  ts_vec3 corners[3], face = f->body->normals[triangle], sum = {0, 0, 0};
  ts_elastic_corners(corners, f->body, triangle);
  for (int i = 0; i < 3; i++) {
    ts_vec3 p = corners[(i + 1) % 3], q = corners[(i + 2) % 3];
    double weight = ts_vec3_dot(ts_vec3_cross(ts_vec3_sub(q, p), ts_vec3_sub(point, p)), face);
    sum = ts_vec3_add_scaled(sum, ts_max(weight, 0), smooth_normal(f, v[i], triangle));
  }
  ts_vec3 unit = ts_vec3_unit(sum);
  return ts_vec3_norm2(unit) > 0 ? unit : face;
}

/// Whether a point of the body's surface with this normal is in the zone of a part.
static bool is_in_part(zone_place *out, const zone_work *w, const ts_zone_part *part, ts_vec3 point,
                       ts_vec3 normal) {
  const ts_contact_surface *surface = part->surface;
  ts_surface_column column;
  if (!ts_contact_surface_column(&column, surface, point))
    return false;
  double height = ts_vec3_dot(ts_vec3_sub(point, surface->origin), surface->m);
  double depth = column.z_m[0] - column.z_m[1];
  // Else another part of the body is between this one and the other body.
  if (fabs(column.z_m[w->which] - height) > TS_ZONE_OWN_RELATIVE * surface->pair->size_m ||
      !(depth >= 0))
    return false;
  int other = 1 - w->which;
  ts_vec3 met = ts_vec3_add_scaled(point, column.z_m[other] - height, surface->m);
  ts_vec3 normals[2];
  normals[w->which] = normal;
  normals[other] = normal_of_other(w, column.triangle[other], met);
  if (!(ts_vec3_dot(normals[0], surface->m) > 0 && ts_vec3_dot(normals[1], surface->m) < 0))
    return false;
  ts_vec3 of_surface = ts_contact_surface_normal(surface, normals[0], normals[1]);
  double score = ts_zone_score(surface, depth, of_surface);
  if (!ts_zone_contains(part->zone, surface, score, normals[0], normals[1]))
    return false;
  double k = surface->stiffness_a, share = w->which == 0 ? -(1 - k) : k;
  *out = (zone_place){part, ts_vec3_scale(surface->m, share * depth), of_surface};
  return true;
}

/// The triangle around a vertex that faces the other body most.
static uint32_t facing_triangle(const fans *f, uint32_t vertex, ts_vec3 out) {
  uint32_t best = f->triangles[f->first[vertex]];
  for (size_t i = f->first[vertex]; i < f->first[vertex + 1]; i++)
    if (ts_vec3_dot(f->body->normals[f->triangles[i]], out) >
        ts_vec3_dot(f->body->normals[best], out))
      best = f->triangles[i];
  return best;
}

static bool find_vertex(zone_place *out, const zone_work *w, uint32_t vertex) {
  const fans *f = &w->fans[w->which];
  if (f->first[vertex] == f->first[vertex + 1])
    return false; // no triangle uses it
  for (size_t p = 0; p < w->part_count; p++) {
    uint32_t seen_from = facing_triangle(f, vertex, outwards(w, &w->parts[p]));
    if (is_in_part(out, w, &w->parts[p], f->body->vertices[vertex],
                   smooth_normal(f, vertex, seen_from)))
      return true;
  }
  return false;
}

/// An edge with one end in the zone.
typedef struct cut_edge {
  uint32_t inside, outside, triangle; ///< the triangle beside it that faces the other body more
} cut_edge;

/// Where the zone of the part that the inner end is in ends along the edge.
static ts_zone_crossing find_crossing(const zone_work *w, cut_edge edge, zone_place at_inside) {
  const fans *f = &w->fans[w->which];
  ts_vec3 p = f->body->vertices[edge.inside], q = f->body->vertices[edge.outside];
  ts_vec3 from = smooth_normal(f, edge.inside, edge.triangle);
  ts_vec3 to = smooth_normal(f, edge.outside, edge.triangle);
  double low = 0, high = 1;
  zone_place place = at_inside, next;
  for (int i = 0; i < 52; i++) {
    double middle = low + (high - low) / 2;
    if (is_in_part(&next, w, at_inside.part, ts_vec3_lerp(p, q, middle),
                   ts_vec3_unit(ts_vec3_lerp(from, to, middle)))) {
      low = middle;
      place = next;
    } else {
      high = middle;
    }
  }
  return (ts_zone_crossing){edge.inside,        edge.outside, low,
                            place.displacement, place.normal, outwards(w, at_inside.part)};
}

/// Of the two triangles beside a half-edge.
static uint32_t facing_side(const fans *f, size_t half_edge, ts_vec3 out) {
  uint32_t a = (uint32_t)(half_edge / 3), b = f->body->mesh->edge_twin[half_edge] / 3;
  const ts_vec3 *normals = f->body->normals;
  return ts_vec3_dot(normals[b], out) > ts_vec3_dot(normals[a], out) ? b : a;
}

static ts_status find_crossings(ts_deform_zone *out, const zone_work *w, ts_arena *arena,
                                const uint8_t *is_inside, const zone_place *places) {
  const fans *f = &w->fans[w->which];
  const ts_mesh *mesh = f->body->mesh;
  size_t count = 0;
  for (size_t h = 0; h < 3 * mesh->triangle_count; h++) {
    const uint32_t *v = mesh->triangles[h / 3];
    count += is_inside[v[h % 3]] && !is_inside[v[(h + 1) % 3]];
  }
  ts_zone_crossing *crossings = ts_arena_array(arena, count, sizeof *crossings);
  if (!crossings)
    return TS_E_MEMORY;
  count = 0;
  // Each cut edge has one half-edge that leaves the zone.
  for (size_t h = 0; h < 3 * mesh->triangle_count; h++) {
    const uint32_t *v = mesh->triangles[h / 3];
    cut_edge edge = {v[h % 3], v[(h + 1) % 3], 0};
    if (!is_inside[edge.inside] || is_inside[edge.outside])
      continue;
    edge.triangle = facing_side(f, h, outwards(w, places[edge.inside].part));
    crossings[count++] = find_crossing(w, edge, places[edge.inside]);
  }
  out->crossings = crossings;
  out->crossing_count = count;
  return TS_OK;
}

ts_status ts_mesh_zone_find(ts_deform_zone *out, ts_arena *arena, const ts_zone_part *parts,
                            size_t count, int which) {
  const ts_elastic_pair *pair = parts[0].surface->pair;
  size_t vertex_count = pair->body[which].mesh->vertex_count;
  zone_work work = {.parts = parts, .part_count = count, .which = which};
  for (int i = 0; i < 2; i++)
    TS_TRY(make_fans(&work.fans[i], arena, &pair->body[i]));
  uint8_t *is_inside = ts_arena_array(arena, vertex_count, sizeof *is_inside);
  ts_vec3 *displacements = ts_arena_array(arena, vertex_count, sizeof *displacements);
  zone_place *places = ts_arena_array(arena, vertex_count, sizeof *places);
  if (!is_inside || !displacements || !places)
    return TS_E_MEMORY;
  for (uint32_t v = 0; v < vertex_count; v++)
    if (find_vertex(&places[v], &work, v)) {
      is_inside[v] = 1;
      displacements[v] = places[v].displacement;
    }
  *out = (ts_deform_zone){.is_inside = is_inside, .displacements = displacements};
  return find_crossings(out, &work, arena, is_inside, places);
}
