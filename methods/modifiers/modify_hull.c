// SPDX-License-Identifier: MIT
/// Keeps the corners of what contacts with one normal cover: the others transmit no force that
/// these do not.
#include "base/status.h"
#include "geometry/polygon.h"
#include "geometry/tolerances.h"
#include "methods/modifiers/modifier.h"
#include "methods/modifiers/normal_clusters.h"

#include <stdbool.h>
#include <string.h>

enum { ANGLE, PARAM_COUNT };

static const ts_param params[PARAM_COUNT] = {
    [ANGLE] = {.name = "angle_deg",
               .summary = "Angle up to which two normals are one.",
               .kind = TS_PARAM_REAL,
               .default_value = 0.5,
               .minimum = 0,
               .maximum = 180},
};

/// The contacts of one cluster, in the plane across their normal.
typedef struct layer {
  size_t count;
  const ts_contact **contacts; ///< [count]
  ts_vec3 *points;             ///< [count] projected
  ts_vec3 *corners;            ///< [count] room
} layer;

/// The contact whose projection is nearest to a corner; of equally near ones the deepest.
static size_t find_nearest(const layer *l, ts_vec3 corner, double same_m) {
  size_t best = 0;
  double best_m = INFINITY;
  for (size_t i = 0; i < l->count; i++) {
    double distance_m = ts_vec3_distance(l->points[i], corner);
    bool is_deeper = l->contacts[i]->gap_m < l->contacts[best]->gap_m;
    if (distance_m < best_m - same_m || (distance_m <= best_m + same_m && is_deeper)) {
      best_m = distance_m < best_m ? distance_m : best_m;
      best = i;
    }
  }
  return best;
}

/// The ends of contacts on a line, or the one place that all are at: in `corners`.
static size_t find_ends(layer *l, double same_m) {
  size_t first = 0, second = 0;
  for (int round = 0; round < 2; round++) { // the farthest from any is an end
    ts_vec3 from = l->points[round == 0 ? 0 : first];
    size_t *farthest = round == 0 ? &first : &second;
    double most_m = 0;
    *farthest = round == 0 ? 0 : first;
    for (size_t i = 0; i < l->count; i++) {
      double distance_m = ts_vec3_distance(l->points[i], from);
      if (distance_m > most_m + same_m) {
        most_m = distance_m;
        *farthest = i;
      }
    }
  }
  l->corners[0] = l->points[first];
  l->corners[1] = l->points[second];
  return first == second ? 1 : 2;
}

static ts_status push_corners(const ts_host *host, layer *l, ts_arena *arena, double same_m) {
  size_t corners = 0;
  ts_vec3 normal = l->contacts[0]->normal;
  if (!ts_vec3_is_finite(normal))
    return host->push(host, l->contacts[0], 1);
  for (size_t i = 0; i < l->count; i++)
    l->points[i] = ts_vec3_add_scaled(l->contacts[i]->point,
                                      -ts_vec3_dot(l->contacts[i]->point, normal), normal);
  TS_TRY(ts_hull_in_plane(l->corners, &corners, arena, l->points, l->count, normal, same_m));
  if (corners < 3)
    corners = find_ends(l, same_m);
  for (size_t i = 0; i < corners; i++)
    TS_TRY(host->push(host, l->contacts[find_nearest(l, l->corners[i], same_m)], 1));
  return TS_OK;
}

static ts_status keep_corners(const ts_host *host, ts_arena *arena, const ts_pair *pair,
                              const ts_contact *contacts, size_t count, double angle_deg) {
  uint32_t *cluster_of;
  size_t clusters;
  layer l = {.contacts = host->scratch(host, count * sizeof *l.contacts),
             .points = host->scratch(host, count * sizeof *l.points),
             .corners = host->scratch(host, count * sizeof *l.corners)};
  if (!l.contacts || !l.points || !l.corners)
    return TS_E_MEMORY;
  TS_TRY(ts_normal_clusters(&cluster_of, &clusters, host, contacts, count, angle_deg));
  for (size_t k = 0; k < clusters; k++) {
    l.count = 0;
    for (size_t i = 0; i < count; i++)
      if (cluster_of[i] == k)
        l.contacts[l.count++] = &contacts[i];
    TS_TRY(push_corners(host, &l, arena, TS_SAME_POINT_RELATIVE * pair->size_m));
  }
  return TS_OK;
}

static ts_status apply(const ts_host *host, const ts_pair *pair, const ts_contact *contacts,
                       size_t count, const double *values) {
  ts_arena *arena;
  TS_TRY(ts_arena_create(&arena));
  ts_status status = keep_corners(host, arena, pair, contacts, count, values[ANGLE]);
  ts_arena_destroy(arena);
  return status;
}

const ts_modifier ts_modifier_hull = {
    .abi = TS_METHOD_ABI,
    .struct_size = sizeof(ts_modifier),
    .name = "hull",
    .summary = "For each normal, keeps the corners of the hull of the points.",
    .source = "touchstone; such contacts transmit the same forces.",
    .params = params,
    .param_count = PARAM_COUNT,
    .apply = apply,
};
