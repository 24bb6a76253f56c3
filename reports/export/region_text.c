// SPDX-License-Identifier: MIT
#include "reports/export/region_text.h"

#include "base/status.h"

#include <math.h>
#include <stdlib.h>

/// Normals that are written out for a region; the others are only counted.
#define NORMALS_MAX ((size_t)4)

const char *ts_text_vector(ts_arena *arena, ts_vec3 v) {
  return ts_arena_format(arena, "(%.4g, %.4g, %.4g)", v.x + 0.0, v.y + 0.0, v.z + 0.0);
}

/// A number too large to have decimals stays as it is.
static double four_decimals(double x) {
  double rounded = round(x * 1e4) / 1e4;
  return isfinite(rounded) ? rounded : x;
}

const char *ts_text_direction(ts_arena *arena, ts_vec3 v) {
  return ts_text_vector(arena,
                        (ts_vec3){four_decimals(v.x), four_decimals(v.y), four_decimals(v.z)});
}

const char *ts_text_body(ts_arena *arena, const ts_snapshot *snapshot, int32_t body) {
  return ts_arena_format(arena, "%s (%d)", snapshot->bodies[body].name, (int)body);
}

/// The normals that a contact is needed along and that none has: "(0, 0, 1), (1, 0, 0)". Those that
/// contacts have which are not in place count for nothing where the region is missed.
static const char *list_unmet(ts_arena *arena, const ts_snapshot_region *region) {
  const char *text = "";
  size_t count = 0;
  for (size_t i = 0; i < region->normal_count && text; i++) {
    const ts_snapshot_normal *normal = &region->normals[i];
    bool is_met = normal->is_met && !region->is_missed;
    if (normal->is_open || is_met || count++ >= NORMALS_MAX)
      continue;
    const char *one = ts_text_direction(arena, normal->normal);
    text = one ? ts_arena_format(arena, "%s%s%s", text, text[0] ? ", " : "", one) : NULL;
  }
  return text && count > NORMALS_MAX
             ? ts_arena_format(arena, "%s and %zu more", text, count - NORMALS_MAX)
             : text;
}

const char *ts_region_describe(ts_arena *arena, const ts_snapshot *snapshot,
                               const ts_snapshot_region *region) {
  const char *kind = region->vertex_count == 1   ? "point"
                     : region->vertex_count == 2 ? "segment"
                                                 : "polygon";
  const char *a = ts_text_body(arena, snapshot, region->body_a);
  const char *b = ts_text_body(arena, snapshot, region->body_b);
  const char *place = ts_text_vector(arena, ts_snapshot_region_centre(region));
  const char *unmet = list_unmet(arena, region);
  if (!a || !b || !place || !unmet)
    return NULL;
  const char *any = region->needs_all || region->normal_count < 2 ? "" : "one of ";
  const char *lacks =
      region->is_missed
          ? ts_arena_format(arena, "no contact; it needs %s%s", any, unmet)
          : ts_arena_format(arena, "%zu of %zu normal%s; not met: %s%s", region->met_count,
                            region->needed_count, region->needed_count == 1 ? "" : "s", any, unmet);
  return lacks ? ts_arena_format(arena, "%s and %s, region %d, a %s about %s: %s", a, b,
                                 (int)region->index, kind, place, lacks)
               : NULL;
}

size_t ts_regions_needed(const ts_snapshot *snapshot) {
  size_t count = 0;
  for (size_t i = 0; i < snapshot->region_count; i++)
    count += snapshot->regions[i].needed_count > 0;
  return count;
}

static size_t lacking_normals(const ts_snapshot_region *region) {
  return region->needed_count - region->met_count;
}

static int compare_lacking(const void *left, const void *right) {
  const ts_snapshot_region *l = *(const ts_snapshot_region *const *)left;
  const ts_snapshot_region *r = *(const ts_snapshot_region *const *)right;
  if (l->is_missed != r->is_missed)
    return l->is_missed ? -1 : 1;
  if (lacking_normals(l) != lacking_normals(r))
    return lacking_normals(l) > lacking_normals(r) ? -1 : 1;
  return (l > r) - (l < r); // both are in the array of the snapshot
}

ts_status ts_regions_lacking(const ts_snapshot_region ***out, size_t *out_count, ts_arena *arena,
                             const ts_snapshot *snapshot) {
  const ts_snapshot_region **regions =
      ts_arena_array(arena, snapshot->region_count, sizeof(ts_snapshot_region *));
  size_t count = 0;
  if (!regions)
    return TS_E_MEMORY;
  for (size_t i = 0; i < snapshot->region_count; i++)
    if (ts_snapshot_region_is_lacking(&snapshot->regions[i]))
      regions[count++] = &snapshot->regions[i];
  if (count > 1)
    qsort(regions, count, sizeof *regions, compare_lacking);
  *out = regions;
  *out_count = count;
  return TS_OK;
}

ts_status ts_regions_print(FILE *file, ts_arena *arena, const ts_snapshot *snapshot, size_t limit,
                           const char *all) {
  const ts_snapshot_region **lacking;
  size_t count, needed = ts_regions_needed(snapshot);
  TS_TRY(ts_regions_lacking(&lacking, &count, arena, snapshot));
  if (count > 0)
    fprintf(file, "%zu of %zu region%s not covered:\n", count, needed,
            needed == 1 ? " is" : "s are");
  else if (needed > 0)
    fprintf(file, "every region is covered (%zu)\n", needed);
  for (size_t i = 0; i < count && i < limit; i++) {
    const char *text = ts_region_describe(arena, snapshot, lacking[i]);
    if (!text)
      return TS_E_MEMORY;
    fprintf(file, "  %s\n", text);
  }
  if (count > limit)
    fprintf(file, "  and %zu more%s%s\n", count - limit, all ? ", all by: " : "", all ? all : "");
  return TS_OK;
}
