// SPDX-License-Identifier: MIT
#include "elastic/zone.h"

#include "base/array.h"
#include "base/status.h"
#include "geometry/tolerances.h"

#include <math.h>

/// What is constant on a polygon of the contact surface.
typedef struct facet {
  ts_vec3 normal;
  double cosine;   ///< normal . m
  double steep[2]; ///< |n . m| of both bodies
} facet;

static facet facet_of(const ts_contact_surface *s, const ts_surface_polygon *polygon) {
  ts_vec3 a = s->pair->body[0].normals[polygon->triangle[0]];
  ts_vec3 b = s->pair->body[1].normals[polygon->triangle[1]];
  facet f = {.normal = ts_contact_surface_normal(s, a, b),
             .steep = {ts_vec3_dot(a, s->m), -ts_vec3_dot(b, s->m)}};
  f.cosine = ts_vec3_dot(f.normal, s->m);
  return f;
}

static double score_of(const facet *f, const ts_surface_corner *c) {
  return (c->z_m[0] - c->z_m[1]) * f->cosine;
}

/// Area seen along m of the triangle from the first corner.
static double fan_area(const ts_surface_corner *c, size_t i) {
  return 0.5 * ((c[i - 1].x_m - c[0].x_m) * (c[i].y_m - c[0].y_m) -
                (c[i - 1].y_m - c[0].y_m) * (c[i].x_m - c[0].x_m));
}

static double flat_area(const ts_surface_corner *corners, size_t count) {
  double area_m2 = 0;
  for (size_t i = 2; i < count; i++)
    area_m2 += fan_area(corners, i);
  return area_m2;
}

/// The mean of the score, and then its deviation from that, so that no digits cancel out. The score
/// is linear on each triangle of a polygon.
static void find_moments(ts_zone *out, const ts_contact_surface *s) {
  double sum = 0, spread = 0;
  for (size_t i = 0; i < s->polygon_count; i++) {
    const ts_surface_polygon *polygon = &s->polygons[i];
    const ts_surface_corner *c = &s->corners[polygon->first_corner];
    facet f = facet_of(s, polygon);
    for (size_t k = 2; k < polygon->corner_count; k++) {
      double area_m2 = fan_area(c, k) / f.cosine;
      out->surface_area_m2 += area_m2;
      sum += area_m2 * (score_of(&f, &c[0]) + score_of(&f, &c[k - 1]) + score_of(&f, &c[k])) / 3;
    }
  }
  out->mean_m = sum / out->surface_area_m2;
  for (size_t i = 0; i < s->polygon_count; i++) {
    const ts_surface_polygon *polygon = &s->polygons[i];
    const ts_surface_corner *c = &s->corners[polygon->first_corner];
    facet f = facet_of(s, polygon);
    for (size_t k = 2; k < polygon->corner_count; k++) {
      double x = score_of(&f, &c[0]) - out->mean_m, y = score_of(&f, &c[k - 1]) - out->mean_m,
             z = score_of(&f, &c[k]) - out->mean_m;
      spread += fan_area(c, k) / f.cosine * (x * x + y * y + z * z + x * y + y * z + z * x) / 6;
    }
  }
  out->deviation_m = sqrt(spread / out->surface_area_m2);
  if (out->deviation_m <= TS_ELASTIC_SCORE_RELATIVE * out->mean_m)
    out->deviation_m = 0;
}

/// What counts as in, a little below the threshold.
static double least_score(const ts_zone *zone) {
  return zone->threshold_m - TS_ELASTIC_SCORE_RELATIVE * zone->mean_m;
}

static ts_surface_corner between(const ts_surface_corner *from, const ts_surface_corner *to,
                                 double t) {
  return (ts_surface_corner){from->x_m + t * (to->x_m - from->x_m),
                             from->y_m + t * (to->y_m - from->y_m),
                             {from->z_m[0] + t * (to->z_m[0] - from->z_m[0]),
                              from->z_m[1] + t * (to->z_m[1] - from->z_m[1])}};
}

typedef struct zone_builder {
  const ts_contact_surface *surface;
  ts_arena *arena;
  ts_zone_polygon *polygons;
  size_t polygon_count, polygon_capacity;
  ts_surface_corner *corners;
  size_t corner_count, corner_capacity;
} zone_builder;

/// Appends the corners of a polygon at which the score is at least `least_m`.
static ts_status clip_corners(zone_builder *b, const ts_surface_polygon *polygon, const facet *f,
                              double least_m) {
  const ts_surface_corner *c = &b->surface->corners[polygon->first_corner];
  size_t count = polygon->corner_count;
  TS_TRY(TS_ARENA_GROW(b->corners, b->corner_capacity, b->corner_count, 2 * count, b->arena));
  for (size_t i = 0; i < count; i++) {
    const ts_surface_corner *p = &c[i], *q = &c[i + 1 < count ? i + 1 : 0];
    double at_p = score_of(f, p) - least_m, at_q = score_of(f, q) - least_m;
    if (at_p >= 0)
      b->corners[b->corner_count++] = *p;
    if ((at_p > 0 && at_q < 0) || (at_p < 0 && at_q > 0))
      b->corners[b->corner_count++] = between(p, q, at_p / (at_p - at_q));
  }
  return TS_OK;
}

static ts_status add_to_zone(ts_zone *zone, zone_builder *b, size_t index) {
  const ts_surface_polygon *polygon = &b->surface->polygons[index];
  facet f = facet_of(b->surface, polygon);
  if (!(ts_min(f.steep[0], f.steep[1]) >= TS_ELASTIC_STEEP_COSINE))
    return TS_OK;
  size_t first = b->corner_count;
  TS_TRY(clip_corners(b, polygon, &f, least_score(zone)));
  size_t count = b->corner_count - first;
  double area_m2 = count ? flat_area(&b->corners[first], count) : 0;
  if (!(area_m2 > 0)) {
    b->corner_count = first;
    return TS_OK;
  }
  TS_TRY(TS_ARENA_GROW(b->polygons, b->polygon_capacity, b->polygon_count, 1, b->arena));
  b->polygons[b->polygon_count++] = (ts_zone_polygon){.polygon = index,
                                                      .first_corner = first,
                                                      .corner_count = count,
                                                      .normal = f.normal,
                                                      .area_m2 = area_m2 / f.cosine};
  zone->area_m2 += area_m2 / f.cosine;
  for (int body = 0; body < 2; body++)
    zone->body_area_m2[body] += area_m2 / f.steep[body];
  return TS_OK;
}

ts_status ts_zone_find(ts_zone *out, const ts_contact_surface *surface, double tau) {
  if (!isfinite(tau))
    return ts_fail(TS_E_INPUT, "tau is %g; give a finite number", tau);
  *out = (ts_zone){.tau = tau};
  if (surface->polygon_count == 0)
    return ts_fail(TS_SKIPPED, "the contact surface is empty: the bodies do not overlap along the "
                               "mapping direction; give another direction");
  find_moments(out, surface);
  out->threshold_m = out->mean_m + tau * out->deviation_m;
  zone_builder b = {.surface = surface, .arena = surface->pair->arena};
  for (size_t i = 0; i < surface->polygon_count; i++)
    TS_TRY(add_to_zone(out, &b, i));
  if (b.polygon_count == 0)
    return ts_fail(TS_SKIPPED,
                   "the contact zone is empty: nowhere is the score %g m or more with both normals "
                   "less than 80 degrees from the mapping direction; give a smaller tau than %g",
                   out->threshold_m, tau);
  out->polygon_count = b.polygon_count;
  out->polygons = b.polygons;
  out->corner_count = b.corner_count;
  out->corners = b.corners;
  return TS_OK;
}

double ts_zone_score(const ts_contact_surface *surface, double depth_m, ts_vec3 normal) {
  return depth_m * ts_vec3_dot(normal, surface->m);
}

bool ts_zone_contains(const ts_zone *zone, const ts_contact_surface *surface, double score_m,
                      ts_vec3 normal_a, ts_vec3 normal_b) {
  double steepest = ts_min(ts_vec3_dot(normal_a, surface->m), -ts_vec3_dot(normal_b, surface->m));
  return score_m >= least_score(zone) && steepest >= TS_ELASTIC_STEEP_COSINE;
}
