// SPDX-License-Identifier: MIT
#include "methods/semi_local/semi_run_pairs.h"

#include "base/status.h"
#include "geometry/tolerances.h"

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
static ts_vec3 onto_planes(const ts_semi_pair *pair, const ts_semi_neighbourhood *n, int body,
                           ts_convex_run run, ts_vec3 p) {
  const ts_local_surface *surface = &n->surface[body];
  double m[3][3] = {{0}}, vectors[3][3];
  ts_vec3 pull = {0, 0, 0};
  int planes = 0;
  for (int i = 0; i < surface->face_count; i++) {
    if (!((run.faces | run.cuts) >> i & 1))
      continue;
    ts_vec3 normal = surface->normals[i];
    double away = pair->side[body].offsets_m[n->patches[body][i]] - ts_vec3_dot(normal, p);
    const double c[3] = {normal.x, normal.y, normal.z};
    for (int r = 0; r < 3; r++)
      for (int k = 0; k < 3; k++)
        m[r][k] += c[r] * c[k];
    pull = ts_vec3_add_scaled(pull, away, normal);
    planes++;
  }
  if (planes == 1)
    return ts_vec3_add(p, pull);
  diagonalise(m, vectors);
  double largest = ts_max(m[0][0], ts_max(m[1][1], m[2][2]));
  for (int i = 0; i < 3; i++) {
    if (!(m[i][i] > TS_SEMI_SAME_PLANES * TS_SEMI_SAME_PLANES * largest))
      continue;
    ts_vec3 axis = {vectors[i][0], vectors[i][1], vectors[i][2]};
    p = ts_vec3_add_scaled(p, ts_vec3_dot(axis, pull) / m[i][i], axis);
  }
  return p;
}

/// Whether a patch is one of a run's faces.
static bool has_patch(const ts_semi_neighbourhood *n, int body, ts_convex_run run, uint32_t patch) {
  for (int i = 0; i < n->surface[body].face_count; i++)
    if ((run.faces >> i & 1) && n->patches[body][i] == patch)
      return true;
  return false;
}

/// Whether a region explains the pair of runs: their patches lie on each other here.
static bool is_explained(const ts_semi_site_list *list, const ts_semi_neighbourhood *n,
                         ts_convex_run run_0, ts_convex_run run_1) {
  const ts_semi_regions *regions = list->regions;
  ts_vec3 point = ts_semi_neighbourhood_point(n);
  for (int i = 0; regions->count && i < n->surface[0].face_count; i++) {
    if (!(run_0.faces >> i & 1))
      continue;
    size_t r = ts_semi_regions_of(regions, n->patches[0][i]);
    for (; r < regions->count && regions->regions[r].patches[0] == n->patches[0][i]; r++) {
      const ts_semi_region *region = &regions->regions[r];
      if (has_patch(n, 1, run_1, region->patches[1]) &&
          ts_semi_region_distance(region, point) <=
              TS_SEMI_CORNER_SNAPS * list->pair->s.snap_m + 2 * region->misfit_m + n->slack_m)
        return true;
    }
  }
  return false;
}

/// How deep a body can be entered against a direction out of it: its thickness behind the faces of
/// a run that face that way.
static double thickness(const ts_semi_pair *pair, const ts_semi_neighbourhood *n, int body,
                        uint32_t run, ts_vec3 outward) {
  double thinnest = INFINITY;
  for (int i = 0; i < n->surface[body].face_count; i++)
    if ((run >> i & 1) &&
        ts_vec3_dot(n->surface[body].normals[i], outward) > TS_SEMI_ENTERED_COSINE)
      thinnest = ts_min(thinnest, ts_semi_thickness(pair->side[body].shape, n->patches[body][i]));
  return thinnest;
}

bool ts_semi_is_beside(const ts_semi_pair *pair, const ts_semi_candidate *candidate) {
  return candidate->beside_m > fabs(candidate->gap_m) + TS_SEMI_CORNER_SNAPS * pair->s.snap_m;
}

static ts_feature edge_feature(const ts_semi_pair *pair, const ts_semi_neighbourhood *n, int body,
                               const int faces[2]) {
  bool is_convex;
  uint32_t e = ts_semi_shared_edge(&is_convex, &pair->side[body], n->patches[body][faces[0]],
                                   n->patches[body][faces[1]], n->witness[body]);
  if (e == TS_SEMI_NO_EDGE) // an edge of a cut
    return (ts_feature){TS_FEATURE_FACE, n->triangles[body][faces[0]]};
  const ts_patches *patches = pair->side[body].patches;
  uint32_t h = patches->edges[e].half_edge;
  return (ts_feature){TS_FEATURE_EDGE, ts_mesh_edge_id(patches->mesh, h / 3, (int)(h % 3))};
}

static ts_feature other_feature(const ts_semi_neighbourhood *n, int body, uint32_t run) {
  if (n->own_body == body)
    return n->own;
  int face = 0;
  while (!(run >> face & 1))
    face++;
  return (ts_feature){TS_FEATURE_FACE, n->triangles[body][face]};
}

static bool is_facet(const ts_semi_pair *pair, const ts_semi_neighbourhood *n, int body, int face) {
  return pair->side[body].shape->is_facet[n->patches[body][face]];
}

/// Whether a normal is that of a facet of a curve, or of a ridge between two; that of two ridges
/// changes along the curve as soon as one of them is. Without any it is a mean already.
static bool is_of_curve(const ts_semi_pair *pair, const ts_semi_neighbourhood *n, const int face[2],
                        const int *const edge[2]) {
  bool of_ridge = edge[0][0] < 0 && edge[1][0] < 0;
  for (int body = 0; body < 2; body++) {
    if (face[body] >= 0 && !is_facet(pair, n, body, face[body]))
      return false;
    of_ridge |= edge[body][0] >= 0 && is_facet(pair, n, body, edge[body][0]) &&
                is_facet(pair, n, body, edge[body][1]);
  }
  return of_ridge;
}

static ts_semi_candidate make_candidate(const ts_semi_pair *pair, const ts_semi_neighbourhood *n,
                                        const ts_convex_run run[2], const ts_vec3 witness[2],
                                        const ts_extreme_normal *extreme) {
  ts_semi_candidate c = {.normal = extreme->normal,
                         .is_cut = extreme->is_cut,
                         .patches = {TS_SEMI_NO_PATCH, TS_SEMI_NO_PATCH},
                         .beside_m = n->beside_m};
  const int face[2] = {extreme->face_a, extreme->face_b};
  const int *edge[2] = {extreme->edge_a, extreme->edge_b};
  c.gap_m = ts_vec3_dot(c.normal, ts_vec3_sub(witness[1], witness[0]));
  c.is_of_curve = is_of_curve(pair, n, face, edge);
  for (int body = 0; body < 2; body++) {
    c.features[body] = edge[body][0] >= 0 ? edge_feature(pair, n, body, edge[body])
                                          : other_feature(n, body, run[body].faces);
    if (face[body] < 0)
      continue;
    c.patches[body] = n->patches[body][face[body]];
    if (n->own_body != body)
      c.features[body] = (ts_feature){TS_FEATURE_FACE, n->triangles[body][face[body]]};
    double offset = pair->side[body].offsets_m[c.patches[body]];
    ts_vec3 outward = n->surface[body].normals[face[body]];
    c.gap_m = ts_vec3_dot(outward, witness[1 - body]) - offset;
  }
  if (n->own_body < 0)
    c.point = ts_vec3_mid(witness[0], witness[1]);
  else
    c.point = ts_vec3_add_scaled(witness[n->own_body], (n->own_body == 0 ? 0.5 : -0.5) * c.gap_m,
                                 c.normal);
  return c;
}

/// The ridge between two faces of a neighbourhood: its ends.
static void ridge_between(ts_vec3 ends[2], const ts_semi_pair *pair, const ts_semi_neighbourhood *n,
                          int body, const int faces[2]) {
  bool is_convex;
  const ts_semi_side *side = &pair->side[body];
  uint32_t e = ts_semi_shared_edge(&is_convex, side, n->patches[body][faces[0]],
                                   n->patches[body][faces[1]], n->witness[body]);
  for (int i = 0; i < 2; i++)
    ends[i] = side->vertices[side->patches->edges[e].vertices[i]];
}

/// Measures the cross product of two ridges at a corner between these. Those that do not cross near
/// the corner have a cross product too, which keeps bodies apart, but do not meet.
static void measure_cross(ts_semi_candidate *c, const ts_semi_pair *pair,
                          const ts_semi_neighbourhood *n, const ts_extreme_normal *extreme) {
  ts_vec3 a[2], b[2], on_a, on_b;
  ridge_between(a, pair, n, 0, extreme->edge_a);
  ridge_between(b, pair, n, 1, extreme->edge_b);
  c->gap_m = ts_vec3_dot(c->normal, ts_vec3_sub(b[0], a[0]));
  ts_vec3 p = n->witness[n->own_body];
  c->is_elsewhere = !ts_semi_closest_of_lines(&on_a, &on_b, a, b, pair->s.snap_m) ||
                    ts_vec3_distance(on_a, p) > n->slack_m ||
                    ts_vec3_distance(on_b, p) > n->slack_m;
  if (c->is_elsewhere)
    return;
  c->point = ts_vec3_mid(on_a, on_b);
  c->beside_m = 0;
}

/// Whether a plane is the far side of a thin plate, seen against a direction out of the body: it
/// faces away, and another one is parallel to it.
static bool is_far_side(const ts_local_surface *surface, uint32_t planes, int face,
                        ts_vec3 outward) {
  if (ts_vec3_dot(surface->normals[face], outward) >= 0)
    return false;
  for (int k = 0; k < surface->face_count; k++)
    if ((planes >> k & 1) &&
        ts_vec3_dot(surface->normals[k], surface->normals[face]) < TS_SEMI_FAR_SIDE_COSINE)
      return true;
  return false;
}

/// A run without far sides: both sides of a plate are in one run at its rim, and no point is on
/// both.
static ts_convex_run near_side(const ts_local_surface *surface, ts_convex_run run,
                               ts_vec3 outward) {
  uint32_t planes = run.faces | run.cuts;
  for (int i = 0; i < surface->face_count; i++)
    if ((planes >> i & 1) && is_far_side(surface, planes, i, outward)) {
      run.faces &= ~(1u << i);
      run.cuts &= ~(1u << i);
    }
  return run;
}

/// The witnesses of a normal: `of_all`, those of the whole runs, but where the run of the body
/// whose corner it is not has far sides.
static void witness_along(ts_vec3 out[2], const ts_semi_pair *pair, const ts_semi_neighbourhood *n,
                          const ts_convex_run run[2], const ts_vec3 of_all[2], ts_vec3 normal) {
  out[0] = of_all[0];
  out[1] = of_all[1];
  if (n->own_body < 0)
    return;
  int other = 1 - n->own_body;
  ts_convex_run part =
      near_side(&n->surface[other], run[other], other == 0 ? normal : ts_vec3_neg(normal));
  if (part.faces != run[other].faces || part.cuts != run[other].cuts)
    out[other] = onto_planes(pair, n, other, part, of_all[n->own_body]);
}

/// Whether a candidate is deeper than one of the bodies is thick: the far side of a thin plate.
static bool is_through(const ts_semi_pair *pair, const ts_semi_neighbourhood *n,
                       const ts_convex_run run[2], const ts_semi_candidate *c) {
  return c->gap_m < -pair->s.snap_m &&
         (-c->gap_m >= thickness(pair, n, 0, run[0].faces, c->normal) ||
          -c->gap_m >= thickness(pair, n, 1, run[1].faces, ts_vec3_neg(c->normal)));
}

/// Adds the candidates of a pair of runs, in the order of the extreme normals. When the bodies are
/// farther apart along one of them than the range, they are apart there, and there are none; where
/// only a cut says so, the others still are.
static ts_status add_candidates(ts_semi_site_list *list, const ts_semi_neighbourhood *n,
                                const ts_convex_run run[2], const ts_vec3 of_all[2],
                                const ts_extreme_normal *extremes, int count) {
  const ts_semi_pair *pair = list->pair;
  size_t before = list->candidate_count;
  for (int i = 0; i < count; i++) {
    ts_vec3 witness[2];
    witness_along(witness, pair, n, run, of_all, extremes[i].normal);
    ts_semi_candidate c = make_candidate(pair, n, run, witness, &extremes[i]);
    if (n->own_body >= 0 && extremes[i].edge_a[0] >= 0 && !extremes[i].is_cut)
      measure_cross(&c, pair, n, &extremes[i]);
    if (c.gap_m > pair->s.gap_m && c.is_cut && !extremes[0].is_cut)
      continue;
    if (c.gap_m > pair->s.gap_m) {
      list->candidate_count = before;
      return TS_OK;
    }
    if (!(c.gap_m >= -pair->s.depth_m) || is_through(pair, n, run, &c))
      continue;
    TS_TRY(TS_SEMI_GROW(list->candidates, list->candidate_capacity, list->candidate_count,
                        pair->memory));
    list->candidates[list->candidate_count++] = c;
  }
  // Where none that a surface shows is in range, cuts alone say nothing.
  if (list->candidate_count > before && list->candidates[before].is_cut && !extremes[0].is_cut)
    list->candidate_count = before;
  return TS_OK;
}

/// The extreme normals of faces and ridges, then those of cuts: with them the OR is exact. Cuts
/// within a wide angle only where there is nothing else. Two runs that are alone and whole have
/// none but what noise makes, and faces beyond their ends.
static int find_normals(ts_extreme_normal out[TS_EXTREME_NORMALS_MAX], const ts_semi_pair *pair,
                        const ts_semi_neighbourhood *n, const ts_convex_run run[2], bool is_alone) {
  const double angles_rad[3] = {TS_SEMI_CONE_RAD, TS_SEMI_CONE_WIDE_RAD, ts_semi_widest_cone(pair)};
  const ts_local_surface *surface = n->surface;
  int count = ts_extreme_normals(out, &surface[0], run[0], &surface[1], run[1], angles_rad, 3);
  if (count > 0 && is_alone && run[0].cuts == 0 && run[1].cuts == 0)
    return count;
  return ts_extreme_normals_of_cuts(out, count, &surface[0], run[0], &surface[1], run[1],
                                    angles_rad, count > 0 ? 1 : 3);
}

/// Of the candidates of two ridges that cross, from `first` on, keeps the cross product. The
/// normals of each ridge are an arc, and two arcs meet in one direction, however small the angle
/// between them; the ends of arcs that nearly lie on each other are within the angle of a cone too.
static void keep_cross(ts_semi_site_list *list, size_t first) {
  for (size_t i = first; i < list->candidate_count; i++) {
    const ts_semi_candidate *c = &list->candidates[i];
    if (c->patches[0] != TS_SEMI_NO_PATCH || c->patches[1] != TS_SEMI_NO_PATCH)
      continue;
    list->candidates[first] = *c;
    list->candidate_count = first + 1;
    return;
  }
}

/// See ts_semi_site::misfit_m.
static double misfit_m(const ts_semi_site_list *list, const ts_semi_site *site) {
  double slack = list->pair->s.slack, closest = INFINITY;
  if (!(slack > 0))
    return INFINITY;
  bool only_cuts = list->candidates[site->first].is_cut;
  for (size_t i = 0; i < site->count; i++)
    if (only_cuts || !list->candidates[site->first + i].is_cut)
      closest = ts_min(closest, fabs(list->candidates[site->first + i].gap_m));
  double beyond = site->slack_m - TS_SEMI_CORNER_SNAPS * list->pair->s.snap_m;
  return ts_max(beyond / slack, closest);
}

/// Adds the site of a pair of runs whose normals are known, when it has a candidate.
static ts_status add_site_of(ts_semi_site_list *list, const ts_semi_neighbourhood *n,
                             const ts_semi_run *run_0, const ts_semi_run *run_1,
                             const ts_extreme_normal *extremes, int extreme_count) {
  const ts_convex_run run[2] = {run_0->run, run_1->run};
  ts_vec3 witness[2] = {n->witness[0], n->witness[1]};
  if (n->own_body >= 0) {
    int other = 1 - n->own_body;
    witness[other] = onto_planes(list->pair, n, other, run[other], witness[n->own_body]);
  }
  size_t first = list->candidate_count;
  TS_TRY(add_candidates(list, n, run, witness, extremes, extreme_count));
  if (list->candidate_count == first)
    return TS_OK;
  if (n->own_body < 0)
    keep_cross(list, first);
  ts_semi_site site = {.point = ts_semi_neighbourhood_point(n),
                       .slack_m = n->slack_m,
                       .covers = {run_0->cover, run_1->cover},
                       .runs_of_covers = {run_0->of_cover, run_1->of_cover},
                       .first = first,
                       .count = list->candidate_count - first};
  site.misfit_m = misfit_m(list, &site);
  for (int body = 0; body < 2; body++)
    for (int i = 0; i < n->surface[body].face_count; i++)
      if (run[body].faces >> i & 1)
        site.faces[body][site.face_count[body]++] = n->patches[body][i];
  TS_TRY(TS_SEMI_GROW(list->sites, list->capacity, list->count, list->pair->memory));
  list->sites[list->count++] = site;
  return TS_OK;
}

static ts_status add_site(ts_semi_site_list *list, const ts_semi_neighbourhood *n,
                          const ts_semi_run *run_0, const ts_semi_run *run_1, bool is_alone) {
  const ts_convex_run run[2] = {run_0->run, run_1->run};
  ts_extreme_normal extremes[TS_EXTREME_NORMALS_MAX];
  int count = find_normals(extremes, list->pair, n, run, is_alone);
  return count ? add_site_of(list, n, run_0, run_1, extremes, count) : TS_OK;
}

/// Whether a normal from body 0 to 1 is in the cones of all normals of either.
static bool is_in_cones(ts_vec3 normal, const ts_vec3 *const normals[2], const size_t counts[2]) {
  const double noise = TS_CONE_NOISE * TS_SEMI_CONE_RAD;
  return ts_noisy_cone_sine(normal, normals[0], (int)counts[0], noise) < TS_SEMI_CONE_WIDE_RAD &&
         ts_noisy_cone_sine(ts_vec3_neg(normal), normals[1], (int)counts[1], noise) <
             TS_SEMI_CONE_WIDE_RAD;
}

static bool find_one_normal(ts_vec3 *out, const ts_vec3 *const normals[2], const size_t counts[2]) {
  ts_vec3 mean[2];
  for (int body = 0; body < 2; body++) {
    mean[body] = (ts_vec3){0, 0, 0};
    for (size_t i = 0; i < counts[body]; i++)
      mean[body] = ts_vec3_add(mean[body], normals[body][i]);
  }
  *out = ts_vec3_unit(ts_vec3_sub(ts_vec3_unit(mean[0]), ts_vec3_unit(mean[1])));
  if (ts_vec3_norm2(*out) > 0 && is_in_cones(*out, normals, counts))
    return true;
  for (int body = 0; body < 2; body++)
    for (size_t i = 0; i < counts[body]; i++) {
      *out = body == 0 ? normals[0][i] : ts_vec3_neg(normals[1][i]);
      if (is_in_cones(*out, normals, counts))
        return true;
    }
  return false;
}

ts_status ts_semi_add_crowded(ts_semi_site_list *list, const ts_semi_neighbourhood *n,
                              const ts_vec3 *const normals[2], const size_t counts[2]) {
  ts_semi_run run[2];
  for (int body = 0; body < 2; body++) {
    int count = n->surface[body].face_count;
    run[body] = (ts_semi_run){.run = {.faces = count < 32 ? (1u << count) - 1 : UINT32_MAX}};
  }
  ts_extreme_normal normal = {.face_a = -1, .face_b = -1, .edge_a = {-1, -1}, .edge_b = {-1, -1}};
  if (is_explained(list, n, run[0].run, run[1].run) ||
      !find_one_normal(&normal.normal, normals, counts))
    return TS_OK;
  return add_site_of(list, n, &run[0], &run[1], &normal, 1);
}

ts_status ts_semi_add_run_pairs(ts_semi_site_list *list, const ts_semi_neighbourhood *n) {
  ts_semi_run runs_0[TS_RUNS_MAX], runs_1[TS_RUNS_MAX];
  int count_0, count_1;
  TS_TRY(ts_semi_neighbourhood_runs(runs_0, &count_0, list->pair, n, 0));
  TS_TRY(ts_semi_neighbourhood_runs(runs_1, &count_1, list->pair, n, 1));
  for (int i = 0; i < count_0; i++)
    for (int k = 0; k < count_1; k++)
      if (!is_explained(list, n, runs_0[i].run, runs_1[k].run))
        TS_TRY(add_site(list, n, &runs_0[i], &runs_1[k], count_0 * count_1 == 1));
  return TS_OK;
}
