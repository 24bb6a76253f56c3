// SPDX-License-Identifier: MIT
#include "harness/deform/deform_facets.h"

#include "base/status.h"

typedef struct facet_work {
  ts_deformed_facet *facets;
  size_t facet_count;
  ts_vec3 *corners;
  double *depths_m;
  size_t corner_count;
} facet_work;

/// A polygon of a contact surface, or of its zone.
static void add_facet(facet_work *w, const ts_deform_case_pair *pair, const ts_zone_part *part,
                      const ts_surface_corner *corners, size_t count, bool is_in_zone,
                      ts_vec3 normal) {
  w->facets[w->facet_count++] =
      (ts_deformed_facet){.body_a = pair->bodies.body_a,
                          .body_b = pair->bodies.body_b,
                          .is_in_zone = is_in_zone,
                          .first_corner = w->corner_count,
                          .corner_count = count,
                          .normal = ts_pose_direction(pair->pair.pair->frame_to_world, normal)};
  for (size_t i = 0; i < count; i++) {
    ts_vec3 point = ts_contact_surface_point(part->surface, &corners[i]);
    w->depths_m[w->corner_count] = corners[i].z_m[0] - corners[i].z_m[1];
    w->corners[w->corner_count++] = ts_deform_pair_world(&pair->pair, point);
  }
}

static void add_surface(facet_work *w, const ts_deform_case_pair *pair, const ts_zone_part *part) {
  const ts_contact_surface *s = part->surface;
  for (size_t i = 0; i < s->polygon_count; i++) {
    const ts_surface_polygon *p = &s->polygons[i];
    ts_vec3 normal = ts_contact_surface_normal(s, pair->pair.pair->body[0].normals[p->triangle[0]],
                                               pair->pair.pair->body[1].normals[p->triangle[1]]);
    add_facet(w, pair, part, s->corners + p->first_corner, p->corner_count, false, normal);
  }
}

static void add_zone(facet_work *w, const ts_deform_case_pair *pair, const ts_zone_part *part) {
  const ts_zone *z = part->zone;
  for (size_t i = 0; i < z->polygon_count; i++)
    add_facet(w, pair, part, z->corners + z->polygons[i].first_corner, z->polygons[i].corner_count,
              true, z->polygons[i].normal);
}

ts_status ts_deform_facets_add(ts_deformed_scene *out, ts_arena *arena,
                               const ts_deform_case_pair *pairs, size_t pair_count) {
  size_t facets = 0, corners = 0;
  for (size_t p = 0; p < pair_count; p++)
    for (size_t k = 0; k < pairs[p].pair.used_count; k++) {
      const ts_zone_part *part = &pairs[p].pair.used[k];
      facets += part->surface->polygon_count + part->zone->polygon_count;
      corners += part->surface->corner_count + part->zone->corner_count;
    }
  facet_work work = {.facets = ts_arena_array(arena, facets, sizeof *work.facets),
                     .corners = ts_arena_array(arena, corners, sizeof *work.corners),
                     .depths_m = ts_arena_array(arena, corners, sizeof *work.depths_m)};
  if (!work.facets || !work.corners || !work.depths_m)
    return TS_E_MEMORY;
  for (size_t p = 0; p < pair_count; p++) {
    for (size_t k = 0; k < pairs[p].pair.used_count; k++)
      add_surface(&work, &pairs[p], &pairs[p].pair.used[k]);
    for (size_t k = 0; k < pairs[p].pair.used_count; k++)
      add_zone(&work, &pairs[p], &pairs[p].pair.used[k]);
  }
  out->facets = work.facets;
  out->facet_count = work.facet_count;
  out->corners = work.corners;
  out->corner_count = work.corner_count;
  out->depths_m = work.depths_m;
  return TS_OK;
}
