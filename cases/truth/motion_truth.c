// SPDX-License-Identifier: MIT
#include "cases/truth/motion_truth.h"

#include "base/status.h"

static bool is_open(const ts_scene *scene, const ts_region *region) {
  return ts_region_is_open(region, TS_REFERENCE_FEASIBLE, ts_region_limits(scene, region));
}

static double half_diagonal(const ts_scene *scene, int32_t body) {
  ts_aabb box = scene->shapes[scene->bodies[body].shape].bounds_local;
  return 0.5 * ts_vec3_distance(box.low, box.high);
}

ts_twist_frame ts_motion_frame(const ts_scene *scene, int32_t body_a, int32_t body_b,
                               const ts_region *regions, size_t region_count) {
  // About the first vertex, so that far from the origin the sum loses nothing.
  ts_vec3 first =
      region_count > 0 ? regions[0].vertices[0] : scene->bodies[body_a].pose.translation;
  ts_vec3 sum[2] = {{0, 0, 0}, {0, 0, 0}};
  size_t count[2] = {0, 0};
  for (size_t i = 0; i < region_count; i++) {
    bool closed = !is_open(scene, &regions[i]);
    for (size_t v = 0; v < regions[i].vertex_count; v++) {
      sum[closed] = ts_vec3_add(sum[closed], ts_vec3_sub(regions[i].vertices[v], first));
      count[closed]++;
    }
  }
  int of = count[1] > 0;
  ts_vec3 mean = ts_vec3_scale(sum[of], count[of] > 0 ? 1 / (double)count[of] : 0);
  return (ts_twist_frame){.axes = scene->bodies[body_a].pose.rotation,
                          .centre = ts_vec3_add(first, mean),
                          .length_m =
                              fmin(half_diagonal(scene, body_a), half_diagonal(scene, body_b))};
}

ts_twist_frame ts_motion_frame_or_box(const ts_scene *scene, int32_t body_a, int32_t body_b,
                                      ts_aabb of_contacts) {
  size_t count;
  const ts_region *regions = ts_scene_pair_regions(&count, scene, body_a, body_b);
  ts_twist_frame frame = ts_motion_frame(scene, body_a, body_b, regions, count);
  if (count == 0 && of_contacts.low.x <= of_contacts.high.x)
    frame.centre = ts_aabb_centre(of_contacts);
  return frame;
}

/// Edges of a region; a point counts as one, from itself to itself.
static size_t edge_count(const ts_region *region) {
  return region->vertex_count < 3 ? 1 : region->vertex_count;
}

/// A cone on its way.
typedef struct filling {
  const ts_twist_frame *frame;
  ts_touch_limits limits; ///< of the region
  ts_corner_set corners;
  ts_twist_row *rows;
  size_t *ends;
  bool *is_edge;
  size_t row_count, term_count;
} filling;

static void add_row(filling *f, ts_vec3 point, ts_vec3 normal) {
  f->rows[f->row_count++] = ts_twist_row_make(f->frame, point, normal);
}

/// Where a motion is blocked for certain if a region has the contacts that it needs, or where it
/// may be.
static ts_vec3 place_of(const filling *f, const ts_region *region, size_t corner) {
  ts_vec3 at = region->vertices[corner], sum = {0, 0, 0};
  if (!region->has_arcs || f->corners == TS_CORNERS_ALL)
    return at;
  for (size_t v = 0; v < region->vertex_count; v++)
    sum = ts_vec3_add(sum, ts_vec3_sub(region->vertices[v], at));
  return ts_vec3_add_scaled(at, 0.5 / (double)region->vertex_count, sum);
}

static void end_term(filling *f) {
  f->ends[f->term_count++] = f->row_count;
}

static bool counts(const filling *f, const ts_region *region, const ts_feasible *feasible,
                   size_t corner) {
  return f->corners == TS_CORNERS_ALL ||
         ts_region_corner_is_closed(region, feasible, corner, f->limits);
}

static void add_all_region(filling *f, const ts_region *region) {
  const ts_feasible_set *set = &region->feasible[TS_REFERENCE_FEASIBLE];
  for (size_t n = 0; n < set->count; n++) {
    if (ts_feasible_is_open(&set->normals[n], f->limits))
      continue;
    for (size_t v = 0; v < region->vertex_count; v++)
      if (counts(f, region, &set->normals[n], v)) {
        add_row(f, place_of(f, region, v), set->normals[n].normal);
        end_term(f);
      }
  }
}

/// Where any one normal is right, all of them are closed at a corner, or none is needed there.
static bool counts_any(const filling *f, const ts_region *region, size_t vertex) {
  const ts_feasible_set *set = &region->feasible[TS_REFERENCE_FEASIBLE];
  for (size_t n = 0; n < set->count; n++)
    if (!counts(f, region, &set->normals[n], vertex))
      return false;
  return true;
}

/// An edge of which one end counts is that point.
static void add_any_region(filling *f, const ts_region *region) {
  const ts_feasible_set *set = &region->feasible[TS_REFERENCE_FEASIBLE];
  for (size_t e = 0; e < edge_count(region); e++) {
    size_t ends[2] = {e, (e + 1) % region->vertex_count};
    bool count[2] = {counts_any(f, region, ends[0]), counts_any(f, region, ends[1])};
    if (!count[0] && !count[1])
      continue;
    for (int end = 0; end < 2; end++)
      for (size_t n = 0; n < set->count; n++)
        add_row(f, region->vertices[ends[count[end] ? end : 1 - end]], set->normals[n].normal);
    f->is_edge[f->term_count] = true;
    end_term(f);
  }
}

static void add_chosen(filling *f, const ts_region *region, ts_vec3 normal) {
  for (size_t v = 0; v < region->vertex_count; v++)
    if (counts_any(f, region, v)) {
      add_row(f, region->vertices[v], normal);
      end_term(f);
    }
}

ts_status ts_motion_truth(ts_twist_cone *out, ts_arena *arena, const ts_scene *scene,
                          const ts_twist_frame *frame, const ts_region *regions,
                          size_t region_count, const ts_vec3 *choice, ts_corner_set corners) {
  size_t rows = 0;
  for (size_t i = 0; i < region_count; i++)
    rows += regions[i].feasible[TS_REFERENCE_FEASIBLE].count *
            (regions[i].needs_all ? regions[i].vertex_count : 2 * regions[i].vertex_count);
  filling f = {.frame = frame,
               .corners = corners,
               .rows = ts_arena_array(arena, rows, sizeof *f.rows),
               .ends = ts_arena_array(arena, rows, sizeof *f.ends),
               .is_edge = ts_arena_array(arena, rows, sizeof *f.is_edge)};
  if (!f.rows || !f.ends || !f.is_edge)
    return TS_E_MEMORY;
  for (size_t i = 0; i < region_count; i++) {
    if (is_open(scene, &regions[i]))
      continue;
    f.limits = ts_region_limits(scene, &regions[i]);
    if (regions[i].needs_all)
      add_all_region(&f, &regions[i]);
    else if (choice)
      add_chosen(&f, &regions[i], choice[i]);
    else
      add_any_region(&f, &regions[i]);
  }
  *out = (ts_twist_cone){
      .term_count = f.term_count, .term_ends = f.ends, .rows = f.rows, .is_edge = f.is_edge};
  return TS_OK;
}
