#include "methods/semi_local_surface.h"

#include "base/status.h"
#include "geometry/tolerances.h"

void ts_semi_spot_add(ts_semi_spot *spot, const ts_semi_pair *pair, int body, uint32_t patch,
                      uint32_t triangle) {
  ts_local_surface *surface = &spot->surface[body];
  int at = surface->face_count;
  if (at == TS_LOCAL_FACES_MAX) {
    spot->is_full = true;
    return;
  }
  surface->face_count++;
  surface->normals[at] = pair->side[body].normals[patch];
  surface->convex_with[at] = surface->concave_with[at] = 0;
  spot->patches[body][at] = patch;
  spot->triangles[body][at] = triangle;
}

void ts_semi_spot_link(ts_semi_spot *spot, const ts_semi_pair *pair, int body) {
  ts_local_surface *surface = &spot->surface[body];
  for (int i = 0; i < surface->face_count; i++)
    for (int k = i + 1; k < surface->face_count; k++) {
      bool is_convex;
      if (ts_semi_shared_edge(&is_convex, &pair->side[body], spot->patches[body][i],
                              spot->patches[body][k], spot->witness[body]) == TS_SEMI_NO_PATCH)
        continue;
      uint32_t *with = is_convex ? surface->convex_with : surface->concave_with;
      with[i] |= 1u << k;
      with[k] |= 1u << i;
    }
}

/// Eigenvalues and vectors of a symmetric matrix (Jacobi's method); the rows of `vectors`.
static void diagonalise(double m[3][3], double vectors[3][3]) {
  static const int pairs[3][2] = {{0, 1}, {0, 2}, {1, 2}};
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      vectors[i][k] = i == k;
  for (int turn = 0; turn < 30; turn++) {
    int p = pairs[turn % 3][0], q = pairs[turn % 3][1];
    if (m[p][q] == 0)
      continue;
    double theta = (m[q][q] - m[p][p]) / (2 * m[p][q]);
    double t = (theta >= 0 ? 1 : -1) / (fabs(theta) + sqrt(theta * theta + 1));
    double c = 1 / sqrt(t * t + 1), s = t * c;
    for (int k = 0; k < 3; k++) {
      double at_p = m[p][k], at_q = m[q][k];
      m[p][k] = c * at_p - s * at_q;
      m[q][k] = s * at_p + c * at_q;
      double of_p = vectors[p][k], of_q = vectors[q][k];
      vectors[p][k] = c * of_p - s * of_q;
      vectors[q][k] = s * of_p + c * of_q;
    }
    for (int k = 0; k < 3; k++) {
      double at_p = m[k][p], at_q = m[k][q];
      m[k][p] = c * at_p - s * at_q;
      m[k][q] = s * at_p + c * at_q;
    }
    m[p][q] = m[q][p] = 0;
  }
}

/// The point closest to `p` that comes closest to all planes of a run.
static ts_vec3 onto_planes(const ts_semi_pair *pair, const ts_semi_spot *spot, int body,
                           ts_convex_run run, ts_vec3 p) {
  const ts_local_surface *surface = &spot->surface[body];
  double m[3][3] = {{0}}, vectors[3][3];
  ts_vec3 pull = {0, 0, 0};
  int planes = 0;
  for (int i = 0; i < surface->face_count; i++) {
    if (!((run.faces | run.cuts) >> i & 1))
      continue;
    ts_vec3 n = surface->normals[i];
    double away = pair->side[body].offsets_m[spot->patches[body][i]] - ts_vec3_dot(n, p);
    const double c[3] = {n.x, n.y, n.z};
    for (int r = 0; r < 3; r++)
      for (int k = 0; k < 3; k++)
        m[r][k] += c[r] * c[k];
    pull = ts_vec3_add_scaled(pull, away, n);
    planes++;
  }
  if (planes == 1)
    return ts_vec3_add(p, pull);
  diagonalise(m, vectors);
  double largest = ts_most(m[0][0], ts_most(m[1][1], m[2][2]));
  for (int i = 0; i < 3; i++) {
    if (!(m[i][i] > TS_SEMI_SAME_PLANES * TS_SEMI_SAME_PLANES * largest))
      continue;
    ts_vec3 axis = {vectors[i][0], vectors[i][1], vectors[i][2]};
    p = ts_vec3_add_scaled(p, ts_vec3_dot(axis, pull) / m[i][i], axis);
  }
  return p;
}

/// A run of a spot, and which one it is of the cover of its corner; NULL: of none.
typedef struct spot_run {
  ts_convex_run run;
  const ts_semi_cover *cover;
  const ts_convex_run *of_cover;
} spot_run;

/// The two faces of a spot with the most edges, as bits.
static uint32_t widest_two(const ts_patches *patches, const uint32_t *faces, int face_count) {
  uint32_t out = 0;
  for (int turn = 0; turn < 2; turn++) {
    int widest = -1;
    for (int i = 0; i < face_count; i++)
      if (!(out >> i & 1) && (widest < 0 || patches->patches[faces[i]].edge_count >
                                                patches->patches[faces[widest]].edge_count))
        widest = i;
    out |= 1u << widest;
  }
  return out;
}

/// The corner with a cover that is nearest to the spot, within its slack; NULL: none.
static const ts_patch_corner *covered_corner(const ts_semi_pair *pair, const ts_semi_spot *spot,
                                             int body) {
  const ts_semi_side *side = &pair->side[body];
  const ts_patches *patches = side->patches;
  int face_count = spot->surface[body].face_count;
  if (!side->shape->covers || face_count < 3)
    return NULL;
  if (spot->own_body == body) {
    uint32_t corner = patches->corner_of_vertex[spot->own.index];
    return side->shape->covers[corner] ? &patches->corners[corner] : NULL;
  }
  // A corner has three faces or more, and all of them are to be here: it is found from the others.
  uint32_t left_out = widest_two(patches, spot->patches[body], face_count);
  const ts_patch_corner *nearest = NULL;
  double least = spot->slack_m;
  for (int i = 0; i < face_count; i++) {
    const ts_patch *patch = &patches->patches[spot->patches[body][i]];
    for (uint32_t e = 0; e < 2 * patch->edge_count && !(left_out >> i & 1); e++) {
      uint32_t edge = patches->edges_of_patches[patch->first_edge + e / 2];
      uint32_t vertex = patches->edges[edge].vertices[e % 2];
      uint32_t corner = patches->corner_of_vertex[vertex];
      if (!side->shape->covers[corner])
        continue;
      double away = ts_vec3_distance(side->vertices[vertex], spot->witness[body]);
      if (away <= least && (!nearest || away < least || vertex < nearest->vertex)) {
        least = away;
        nearest = &patches->corners[corner];
      }
    }
  }
  return nearest;
}

/// Which of a spot's faces are the patches of a corner, as bits by the corner's order: `at`
/// [patch_count]. False when one is not there.
static bool find_faces(int *at, const ts_semi_spot *spot, int body, const ts_patches *patches,
                       const ts_patch_corner *corner) {
  for (uint32_t i = 0; i < corner->patch_count; i++) {
    uint32_t patch = patches->patches_of_corners[corner->first_patch + i];
    at[i] = 0;
    while (at[i] < spot->surface[body].face_count && spot->patches[body][at[i]] != patch)
      at[i]++;
    if (at[i] == spot->surface[body].face_count)
      return false;
  }
  return true;
}

static uint32_t renumber(uint32_t faces, const int *at, uint32_t count) {
  uint32_t out = 0;
  for (uint32_t i = 0; i < count; i++)
    if (faces >> i & 1)
      out |= 1u << at[i];
  return out;
}

/// The runs of a body around a spot: the largest ones, but those of a corner's faces alone are the
/// corner's cover where it has one. Returns how many, -1 when there are too many.
static int find_runs(spot_run out[TS_RUNS_MAX], const ts_semi_pair *pair, const ts_semi_spot *spot,
                     int body) {
  ts_convex_run largest[TS_RUNS_MAX];
  int count = 0, largest_count = ts_convex_runs(largest, &spot->surface[body]);
  const ts_semi_side *side = &pair->side[body];
  const ts_patch_corner *corner = covered_corner(pair, spot, body);
  int at[TS_LOCAL_FACES_MAX];
  uint32_t of_corner = 0;
  if (corner && find_faces(at, spot, body, side->patches, corner)) {
    const ts_semi_cover *cover = side->shape->covers[corner - side->patches->corners];
    of_corner = renumber(UINT32_MAX, at, corner->patch_count);
    for (int i = 0; i < cover->count; i++)
      out[count++] =
          (spot_run){.run = {.faces = renumber(cover->runs[i].faces, at, corner->patch_count),
                             .cuts = renumber(cover->runs[i].cuts, at, corner->patch_count)},
                     .cover = cover,
                     .of_cover = &cover->runs[i]};
  }
  for (int i = 0; i < largest_count; i++) {
    if ((largest[i].faces & ~of_corner) == 0)
      continue;
    if (count == TS_RUNS_MAX)
      return -1;
    out[count++] = (spot_run){.run = largest[i]};
  }
  return largest_count < 0 ? -1 : count;
}

/// Whether a region explains the pair of runs: patches of theirs lie on each other here.
static bool is_explained(const ts_semi_pair *pair, const ts_semi_spot *spot, const spot_run *run_0,
                         const spot_run *run_1, ts_vec3 point) {
  for (int i = 0; pair->region_count && i < spot->surface[0].face_count; i++)
    for (int k = 0; k < spot->surface[1].face_count && (run_0->run.faces >> i & 1); k++) {
      if (!(run_1->run.faces >> k & 1))
        continue;
      size_t first,
          count = ts_semi_find_regions(&first, pair, spot->patches[0][i], spot->patches[1][k]);
      for (size_t r = first; r < first + count; r++)
        if (ts_semi_region_distance(pair, &pair->regions[r], point) <=
            TS_SEMI_CORNER_SNAPS * pair->s.snap_m + 2 * pair->regions[r].misfit_m + spot->slack_m)
          return true;
    }
  return false;
}

/// How deep a body can be entered along a direction into it: behind the faces of a run that look
/// that way.
static double thickness(const ts_semi_pair *pair, const ts_semi_spot *spot, int body, uint32_t run,
                        ts_vec3 outward) {
  double least = INFINITY;
  for (int i = 0; i < spot->surface[body].face_count; i++)
    if ((run >> i & 1) && ts_vec3_dot(spot->surface[body].normals[i], outward) > 0.7)
      least = ts_least(least, pair->side[body].shape->thickness_m[spot->patches[body][i]]);
  return least;
}

static ts_feature edge_feature(const ts_semi_pair *pair, const ts_semi_spot *spot, int body,
                               const int faces[2]) {
  bool is_convex;
  uint32_t e = ts_semi_shared_edge(&is_convex, &pair->side[body], spot->patches[body][faces[0]],
                                   spot->patches[body][faces[1]], spot->witness[body]);
  if (e == TS_SEMI_NO_PATCH) // an edge of a cut
    return (ts_feature){TS_FEATURE_FACE, spot->triangles[body][faces[0]]};
  const ts_patches *patches = pair->side[body].patches;
  uint32_t h = patches->edges[e].half_edge;
  return (ts_feature){TS_FEATURE_EDGE, ts_mesh_edge_id(patches->mesh, h / 3, (int)(h % 3))};
}

static ts_feature other_feature(const ts_semi_spot *spot, int body, uint32_t run) {
  if (spot->own_body == body)
    return spot->own;
  int face = 0;
  while (!(run >> face & 1))
    face++;
  return (ts_feature){TS_FEATURE_FACE, spot->triangles[body][face]};
}

static ts_semi_candidate make_candidate(const ts_semi_pair *pair, const ts_semi_spot *spot,
                                        const ts_convex_run run[2], const ts_vec3 witness[2],
                                        const ts_extreme_normal *extreme) {
  ts_semi_candidate c = {.normal = extreme->normal,
                         .patches = {TS_SEMI_NO_PATCH, TS_SEMI_NO_PATCH}};
  const int face[2] = {extreme->face_a, extreme->face_b};
  const int *edge[2] = {extreme->edge_a, extreme->edge_b};
  c.gap_m = ts_vec3_dot(c.normal, ts_vec3_sub(witness[1], witness[0]));
  for (int body = 0; body < 2; body++) {
    c.features[body] = edge[body][0] >= 0 ? edge_feature(pair, spot, body, edge[body])
                                          : other_feature(spot, body, run[body].faces);
    if (face[body] < 0)
      continue;
    c.patches[body] = spot->patches[body][face[body]];
    if (spot->own_body != body)
      c.features[body] = (ts_feature){TS_FEATURE_FACE, spot->triangles[body][face[body]]};
    double offset = pair->side[body].offsets_m[c.patches[body]];
    ts_vec3 outward = spot->surface[body].normals[face[body]];
    c.gap_m = ts_vec3_dot(outward, witness[1 - body]) - offset;
  }
  if (spot->own_body < 0)
    c.point = ts_vec3_mid(witness[0], witness[1]);
  else
    c.point = ts_vec3_add_scaled(witness[spot->own_body],
                                 (spot->own_body == 0 ? 0.5 : -0.5) * c.gap_m, c.normal);
  return c;
}

/// The ridge between two faces of a spot: its ends.
static void ridge_between(ts_vec3 ends[2], const ts_semi_pair *pair, const ts_semi_spot *spot,
                          int body, const int faces[2]) {
  bool is_convex;
  const ts_semi_side *side = &pair->side[body];
  uint32_t e = ts_semi_shared_edge(&is_convex, side, spot->patches[body][faces[0]],
                                   spot->patches[body][faces[1]], spot->witness[body]);
  for (int i = 0; i < 2; i++)
    ends[i] = side->vertices[side->patches->edges[e].vertices[i]];
}

/// Whether two ridges at a corner cross near it. Those that do not have a cross product too, and no
/// gap along it, but do not meet.
static bool cross_near(const ts_semi_pair *pair, const ts_semi_spot *spot,
                       const ts_extreme_normal *extreme) {
  if (spot->own_body < 0 || extreme->is_cut)
    return true;
  ts_vec3 a[2], b[2], on_a, on_b;
  ridge_between(a, pair, spot, 0, extreme->edge_a);
  ridge_between(b, pair, spot, 1, extreme->edge_b);
  ts_vec3 p = spot->witness[spot->own_body];
  return ts_semi_closest_of_lines(&on_a, &on_b, a, b, pair->s.snap_m) &&
         ts_vec3_distance(on_a, p) <= spot->slack_m && ts_vec3_distance(on_b, p) <= spot->slack_m;
}

/// The candidates of a pair of runs, in the order of the extreme normals. When the bodies are
/// farther apart along one of them than the range, they are apart there, and there are none.
static ts_status add_candidates(size_t *out_count, ts_semi_pair *pair, const ts_semi_spot *spot,
                                const ts_convex_run run[2], const ts_vec3 witness[2],
                                const ts_extreme_normal *extremes, int count) {
  *out_count = 0;
  for (int i = 0; i < count; i++) {
    ts_semi_candidate c = make_candidate(pair, spot, run, witness, &extremes[i]);
    c.is_elsewhere = extremes[i].edge_a[0] >= 0 && !cross_near(pair, spot, &extremes[i]);
    if (c.gap_m > pair->s.gap_m) {
      pair->candidate_count -= *out_count;
      *out_count = 0;
      return TS_OK;
    }
    if (!(c.gap_m >= -pair->s.depth_m))
      continue;
    if (c.gap_m < -pair->s.snap_m &&
        (-c.gap_m >= thickness(pair, spot, 0, run[0].faces, c.normal) ||
         -c.gap_m >= thickness(pair, spot, 1, run[1].faces, ts_vec3_neg(c.normal))))
      continue;
    TS_TRY(ts_semi_grow((void **)&pair->candidates, &pair->candidate_capacity,
                        pair->candidate_count, sizeof c, pair->host));
    pair->candidates[pair->candidate_count++] = c;
    ++*out_count;
  }
  return TS_OK;
}

double ts_semi_widest_cone(const ts_semi_pair *pair) {
  return ts_most(TS_SEMI_CONE_WIDE_RAD, pair->s.angle_rad);
}

/// The extreme normals of faces and ridges, and only where there are none those of cuts.
static int find_normals(ts_extreme_normal out[TS_EXTREME_NORMALS_MAX], const ts_semi_pair *pair,
                        const ts_semi_spot *spot, const ts_convex_run run[2]) {
  const double angles_rad[3] = {TS_SEMI_CONE_RAD, TS_SEMI_CONE_WIDE_RAD, ts_semi_widest_cone(pair)};
  const ts_local_surface *surface = spot->surface;
  int count = ts_extreme_normals(out, &surface[0], run[0], &surface[1], run[1], angles_rad, 3);
  if (count == 0)
    count =
        ts_extreme_normals_of_cuts(out, 0, &surface[0], run[0], &surface[1], run[1], angles_rad, 3);
  return count;
}

static ts_status add_place(ts_semi_pair *pair, const ts_semi_spot *spot, const spot_run *run_0,
                           const spot_run *run_1) {
  const ts_convex_run run[2] = {run_0->run, run_1->run};
  ts_extreme_normal extremes[TS_EXTREME_NORMALS_MAX];
  int extreme_count = find_normals(extremes, pair, spot, run);
  if (!extreme_count)
    return TS_OK;
  ts_vec3 witness[2] = {spot->witness[0], spot->witness[1]};
  if (spot->own_body >= 0) {
    int other = 1 - spot->own_body;
    witness[other] = onto_planes(pair, spot, other, run[other], witness[spot->own_body]);
  }
  ts_semi_place place = {.point = spot->witness[spot->own_body < 0 ? 0 : spot->own_body],
                         .slack_m = spot->slack_m,
                         .covers = {run_0->cover, run_1->cover},
                         .runs_of_covers = {run_0->of_cover, run_1->of_cover},
                         .first = pair->candidate_count,
                         .same_as = pair->place_count};
  TS_TRY(add_candidates(&place.count, pair, spot, run, witness, extremes, extreme_count));
  if (!place.count)
    return TS_OK;
  for (int body = 0; body < 2; body++)
    for (int i = 0; i < spot->surface[body].face_count; i++)
      if (run[body].faces >> i & 1)
        place.faces[body][place.face_count[body]++] = spot->patches[body][i];
  TS_TRY(ts_semi_grow((void **)&pair->places, &pair->place_capacity, pair->place_count,
                      sizeof place, pair->host));
  pair->places[pair->place_count++] = place;
  return TS_OK;
}

ts_status ts_semi_spot_add_places(ts_semi_pair *pair, const ts_semi_spot *spot) {
  if (spot->is_full)
    return TS_OK;
  spot_run runs_0[TS_RUNS_MAX], runs_1[TS_RUNS_MAX];
  int count_0 = find_runs(runs_0, pair, spot, 0), count_1 = find_runs(runs_1, pair, spot, 1);
  ts_vec3 point = spot->witness[spot->own_body < 0 ? 0 : spot->own_body];
  for (int i = 0; i < count_0; i++)
    for (int k = 0; k < count_1; k++)
      if (!is_explained(pair, spot, &runs_0[i], &runs_1[k], point))
        TS_TRY(add_place(pair, spot, &runs_0[i], &runs_1[k]));
  return TS_OK;
}
