// Whether the convex runs of a place are what the truth takes them for.
//
// The cone of a run is what lies behind all of its faces. Let every such cone be a part of the
// local solid. A body that moves into the solid passes some face of it, and is then in the cone of
// the runs that the face is in, each face being in one. So the solid is entered if and only if the
// cone of some run is: the AND over runs is exact. A cone is a part of the solid if no face that is
// not in the run reaches into it, since it would be left there; which is looked at triangle by
// triangle.
#include "base/status.h"
#include "cases/derived_surface.h"
#include "geometry/closest.h"

/// A run's half spaces along the way from direction u to v: how deep (1 - t) u + t v is in them.
typedef struct depths {
  int count;
  double at_u[TS_LOCAL_FACES_MAX], at_v[TS_LOCAL_FACES_MAX];
} depths;

static double least_depth(const depths *d, double t) {
  double least = INFINITY;
  for (int i = 0; i < d->count; i++)
    least = ts_least(least, (1 - t) * d->at_u[i] + t * d->at_v[i]);
  return least;
}

/// The largest over t in [0, 1] of the least depth: at an end or where two of them are equal.
static double deepest(const depths *d) {
  double most = ts_most(least_depth(d, 0), least_depth(d, 1));
  for (int i = 0; i < d->count; i++)
    for (int k = 0; k < i; k++) {
      double u = d->at_u[i] - d->at_u[k], v = d->at_v[i] - d->at_v[k];
      if (u * v < 0)
        most = ts_most(most, least_depth(d, u / (u - v)));
    }
  return most;
}

/// Whether the sector between two unit directions reaches into the cone of the run.
static bool reaches_in(const ts_local_surface *surface, uint32_t run, ts_vec3 u, ts_vec3 v,
                       double angle_rad) {
  depths d = {.count = 0};
  for (int i = 0; i < surface->face_count; i++)
    if (run >> i & 1) {
      d.at_u[d.count] = -ts_vec3_dot(surface->normals[i], u);
      d.at_v[d.count++] = -ts_vec3_dot(surface->normals[i], v);
    }
  return deepest(&d) > angle_rad;
}

/// A triangle at the point spans the sectors towards those of its edges that do not hold the point.
static bool triangle_reaches_in(const ts_derived_around *around, const ts_derived_pair *pair,
                                int side, uint32_t triangle, uint32_t run, ts_vec3 point) {
  const ts_derived_side *of = &pair->side[side];
  ts_vec3 corners[3];
  for (int i = 0; i < 3; i++)
    corners[i] = of->vertices[of->patches->mesh->triangles[triangle][i]];
  double touch_m = 3 * pair->touch_m;
  if (!(ts_closest_point_triangle(point, corners).distance_m <= touch_m))
    return false;
  for (int i = 0; i < 3; i++) {
    ts_vec3 from = corners[i], to = corners[(i + 1) % 3];
    double t = ts_closest_point_segment(point, from, to);
    if (ts_vec3_distance(point, ts_vec3_lerp(from, to, t)) > touch_m &&
        reaches_in(&around->surface, run, ts_vec3_unit(ts_vec3_sub(from, point)),
                   ts_vec3_unit(ts_vec3_sub(to, point)), pair->angles_rad[1]))
      return true;
  }
  return false;
}

ts_status ts_derived_find_runs(ts_derived_around *around, const ts_derived_pair *pair, int side,
                               ts_vec3 point) {
  const ts_patches *patches = pair->side[side].patches;
  around->run_count = ts_convex_runs(around->runs, &around->surface);
  for (int r = 0; r < around->run_count; r++)
    for (int i = 0; i < around->surface.face_count; i++) {
      if (around->runs[r] >> i & 1)
        continue;
      const ts_patch *patch = &patches->patches[around->patches[i]];
      for (uint32_t t = 0; t < patch->triangle_count; t++)
        if (triangle_reaches_in(around, pair, side, patches->triangles[patch->first_triangle + t],
                                around->runs[r], point))
          return ts_fail(TS_E_UNSUPPORTED,
                         "a corner of the %s one has ridges and valleys that split it in no convex "
                         "runs, so that it cannot be told what stops it",
                         side == 0 ? "first" : "second");
    }
  return TS_OK;
}
