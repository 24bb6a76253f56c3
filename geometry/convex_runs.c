// SPDX-License-Identifier: MIT
#include "geometry/convex_runs.h"

#include "geometry/cone.h"
#include "geometry/tolerances.h"

/// A growing run: what is in it and what must stay out.
typedef struct growth {
  const ts_local_surface *surface;
  ts_convex_run *out;
  int count, steps;
  bool is_full; ///< there are more runs than fit, or the search was too long
} growth;

/// Bounds the search where many valleys meet in one point.
#define STEPS_MAX 4096

static uint32_t neighbours(const uint32_t *with, uint32_t run, int face_count) {
  uint32_t found = 0;
  for (int i = 0; i < face_count; i++)
    if (run >> i & 1)
      found |= with[i];
  return found;
}

static void keep(growth *g, uint32_t run) {
  for (int i = 0; i < g->count; i++)
    if (g->out[i].faces == run)
      return;
  if (g->count < TS_RUNS_MAX)
    g->out[g->count++] = (ts_convex_run){.faces = run};
  else
    g->is_full = true;
}

static void grow(growth *g, uint32_t run, uint32_t left_out) {
  if (++g->steps > STEPS_MAX) {
    g->is_full = true;
    return;
  }
  const ts_local_surface *s = g->surface;
  uint32_t conflicts = neighbours(s->concave_with, run, s->face_count);
  uint32_t open = neighbours(s->convex_with, run, s->face_count) & ~run & ~conflicts;
  uint32_t candidates = open & ~left_out;
  if (!candidates) {
    // What was left out must have become impossible, or the run is not a largest one.
    if (!open)
      keep(g, run);
    return;
  }
  int face = 0;
  while (!(candidates >> face & 1))
    face++;
  grow(g, run | 1u << face, left_out);
  if (s->concave_with[face] & ~run)
    grow(g, run, left_out | 1u << face);
}

/// Without valleys the largest runs are what is connected.
static int list_connected(ts_convex_run out[TS_RUNS_MAX], const ts_local_surface *surface) {
  uint32_t done = 0;
  int count = 0;
  for (int i = 0; i < surface->face_count; i++) {
    if (done >> i & 1)
      continue;
    uint32_t run = 1u << i, before = 0;
    while (run != before) {
      before = run;
      run |= neighbours(surface->convex_with, run, surface->face_count);
    }
    done |= run;
    out[count++] = (ts_convex_run){.faces = run};
  }
  return count;
}

int ts_convex_runs(ts_convex_run out[TS_RUNS_MAX], const ts_local_surface *surface) {
  uint32_t valleys = 0;
  for (int i = 0; i < surface->face_count; i++)
    valleys |= surface->concave_with[i];
  if (!valleys)
    return list_connected(out, surface);
  growth g = {.surface = surface, .out = out};
  for (int i = 0; i < surface->face_count; i++)
    grow(&g, 1u << i, 0);
  return g.is_full ? -1 : g.count;
}

/// Weights of up to three independent vectors by which they come closest to d (Gram and Schmidt).
static void least_squares(double weights[3], const ts_vec3 *v, int count, ts_vec3 d) {
  ts_vec3 q[3];
  double r[3][3] = {{0}}, along[3] = {0};
  for (int i = 0; i < count; i++) {
    q[i] = v[i];
    for (int k = 0; k < i; k++) {
      r[k][i] = ts_vec3_dot(q[k], q[i]);
      q[i] = ts_vec3_add_scaled(q[i], -r[k][i], q[k]);
    }
    r[i][i] = ts_vec3_norm(q[i]);
    q[i] = ts_vec3_unit(q[i]);
    along[i] = ts_vec3_dot(q[i], d);
  }
  for (int i = count - 1; i >= 0; i--) {
    double sum = along[i];
    for (int k = i + 1; k < count; k++)
      sum -= r[i][k] * weights[k];
    weights[i] = r[i][i] > 0 ? sum / r[i][i] : 0;
  }
}

/// The generators in use, with weights above zero.
typedef struct active_set {
  int count, index[4];
  ts_vec3 vectors[4];
  double weights[4];
} active_set;

static void drop(active_set *set, int at) {
  set->count--;
  for (int i = at; i < set->count; i++) {
    set->index[i] = set->index[i + 1];
    set->vectors[i] = set->vectors[i + 1];
    set->weights[i] = set->weights[i + 1];
  }
}

/// Goes from the weights as they are towards the best ones of the same generators, dropping those
/// that would turn negative on the way.
static void settle(active_set *set, ts_vec3 d) {
  while (set->count > 0) {
    double best[3] = {0};
    least_squares(best, set->vectors, set->count, d);
    double step = 1;
    int blocking = -1;
    for (int i = 0; i < set->count; i++)
      if (best[i] <= 0 && set->weights[i] < step * (set->weights[i] - best[i])) {
        step = set->weights[i] / (set->weights[i] - best[i]);
        blocking = i;
      } else if (best[i] <= 0 && blocking < 0 && set->weights[i] <= 0) {
        step = 0;
        blocking = i;
      }
    for (int i = 0; i < set->count; i++)
      set->weights[i] += step * (best[i] - set->weights[i]);
    if (blocking < 0)
      return;
    drop(set, blocking);
  }
}

double ts_noisy_cone_sine(ts_vec3 direction, const ts_vec3 *generators, int count, double noise) {
  // Least squares with weights not below zero (Lawson and Hanson 1974, chapter 23). What is left
  // over is square to all generators in use, so that those are never more than three.
  active_set set = {.count = 0};
  ts_vec3 rest = direction;
  for (int round = 0; round < 4 * count + 4; round++) {
    double largest = ts_max(TS_CONE_CLOSER_COSINE, noise * ts_vec3_norm(rest));
    int next = -1;
    for (int i = 0; i < count; i++) {
      double along = ts_vec3_dot(generators[i], rest);
      if (along > largest) {
        largest = along;
        next = i;
      }
    }
    for (int i = 0; i < set.count; i++)
      next = set.index[i] == next ? -1 : next;
    if (next < 0 || set.count == 3)
      break;
    set.index[set.count] = next;
    set.vectors[set.count] = generators[next];
    set.weights[set.count++] = 0;
    settle(&set, direction);
    rest = direction;
    for (int i = 0; i < set.count; i++)
      rest = ts_vec3_add_scaled(rest, -set.weights[i], set.vectors[i]);
  }
  return ts_min(ts_vec3_norm(rest), 1);
}

double ts_cone_sine(ts_vec3 direction, const ts_vec3 *generators, int count) {
  return ts_noisy_cone_sine(direction, generators, count, 0);
}

/// The normals of a run, turned by `sign`, those of its cuts last.
typedef struct run_cone {
  int count, face_count, faces[TS_LOCAL_FACES_MAX];
  ts_vec3 normals[TS_LOCAL_FACES_MAX];
} run_cone;

static void add_normals(run_cone *cone, const ts_local_surface *surface, uint32_t faces,
                        double sign) {
  for (int i = 0; i < surface->face_count; i++)
    if (faces >> i & 1) {
      cone->faces[cone->count] = i;
      cone->normals[cone->count++] = ts_vec3_scale(surface->normals[i], sign);
    }
}

static run_cone cone_of(const ts_local_surface *surface, ts_convex_run run, double sign) {
  run_cone cone;
  cone.count = 0;
  add_normals(&cone, surface, run.faces, sign);
  cone.face_count = cone.count;
  add_normals(&cone, surface, run.cuts, sign);
  return cone;
}

enum { CANDIDATES_MAX = 4 * TS_EXTREME_NORMALS_MAX };

/// Candidates within the widest angle, the same direction more than once.
typedef struct candidates {
  int count;
  ts_extreme_normal of[CANDIDATES_MAX];
  double widest_sine, noise;
} candidates;

static void add_candidate(candidates *c, ts_extreme_normal candidate) {
  if (candidate.sine <= c->widest_sine && c->count < CANDIDATES_MAX)
    c->of[c->count++] = candidate;
}

static void add_cross(candidates *c, const ts_vec3 arc_a[2], const ts_vec3 arc_b[2],
                      ts_extreme_normal candidate) {
  ts_vec3 edge_a = ts_vec3_unit(ts_vec3_cross(arc_a[0], arc_a[1]));
  ts_vec3 edge_b = ts_vec3_unit(ts_vec3_cross(arc_b[0], arc_b[1]));
  ts_vec3 cross = ts_vec3_cross(edge_a, edge_b);
  if (!(ts_vec3_norm(cross) > TS_MOTION_ROUNDING_RELATIVE))
    return;
  candidate.normal = ts_vec3_unit(cross);
  // The middle of the arc decides which of the two directions it is.
  if (ts_vec3_dot(cross, ts_vec3_add(arc_a[0], arc_a[1])) < 0)
    candidate.normal = ts_vec3_neg(candidate.normal);
  candidate.sine = ts_noisy_cone_sine(candidate.normal, arc_a, 2, c->noise);
  if (candidate.sine <= c->widest_sine)
    candidate.sine =
        ts_max(candidate.sine, ts_noisy_cone_sine(candidate.normal, arc_b, 2, c->noise));
  add_candidate(c, candidate);
}

/// Two normals of a cone between which it has an edge.
typedef struct cone_edge {
  int faces[2];
  ts_vec3 arc[2];
  bool is_ridge; ///< the solid has it too
} cone_edge;

enum { EDGES_MAX = TS_LOCAL_FACES_MAX * (TS_LOCAL_FACES_MAX - 1) / 2 };

static bool is_ridge(const ts_local_surface *surface, const run_cone *cone, int i, int k) {
  return k < cone->face_count && (surface->convex_with[cone->faces[i]] >> cone->faces[k] & 1);
}

/// Whether the line that is square to two normals, or half of it, is on the cone: a normal between
/// theirs is then a normal of the cone, and where it is so by rounding only no harm is done.
static bool has_edge(const run_cone *cone, int i, int k) {
  ts_vec3 line = ts_vec3_cross(cone->normals[i], cone->normals[k]);
  if (!(ts_vec3_norm(line) > TS_MOTION_ROUNDING_RELATIVE))
    return false;
  line = ts_vec3_unit(line);
  bool is_along = true, is_against = true;
  for (int j = 0; j < cone->count; j++) {
    double side = j == i || j == k ? 0 : ts_vec3_dot(cone->normals[j], line);
    is_along &= side <= TS_PARALLEL_SINE;
    is_against &= side >= -TS_PARALLEL_SINE;
  }
  return is_along || is_against;
}

/// The ridges of a cone, or all of its edges.
static int list_edges(cone_edge out[EDGES_MAX], const ts_local_surface *surface,
                      const run_cone *cone, bool all) {
  int count = 0;
  for (int i = 0; i < cone->count; i++)
    for (int k = i + 1; k < cone->count; k++) {
      bool ridge = is_ridge(surface, cone, i, k);
      if (ridge || (all && has_edge(cone, i, k)))
        out[count++] = (cone_edge){.faces = {cone->faces[i], cone->faces[k]},
                                   .arc = {cone->normals[i], cone->normals[k]},
                                   .is_ridge = ridge};
    }
  return count;
}

/// The cross products of ridges; or those of edges, the solid's or not, that are not of two ridges.
static void add_crosses(candidates *c, const ts_local_surface *a, const run_cone *cone_a,
                        const ts_local_surface *b, const run_cone *cone_b, bool is_cut) {
  cone_edge edges_a[EDGES_MAX], edges_b[EDGES_MAX];
  int count_a = list_edges(edges_a, a, cone_a, is_cut);
  int count_b = list_edges(edges_b, b, cone_b, is_cut);
  for (int i = 0; i < count_a; i++)
    for (int k = 0; k < count_b; k++) {
      const cone_edge *of_a = &edges_a[i], *of_b = &edges_b[k];
      if ((of_a->is_ridge && of_b->is_ridge) == is_cut)
        continue;
      add_cross(c, of_a->arc, of_b->arc,
                (ts_extreme_normal){.face_a = -1,
                                    .face_b = -1,
                                    .edge_a = {of_a->faces[0], of_a->faces[1]},
                                    .edge_b = {of_b->faces[0], of_b->faces[1]},
                                    .is_cut = is_cut});
    }
}

/// The normals of a run's faces, or of its cuts, against the cone of the other solid's run.
static void add_faces(candidates *c, const run_cone *own, const run_cone *other, bool is_a,
                      bool is_cut) {
  for (int i = is_cut ? own->face_count : 0; i < (is_cut ? own->count : own->face_count); i++)
    add_candidate(c, (ts_extreme_normal){.normal = own->normals[i],
                                         .sine = ts_noisy_cone_sine(own->normals[i], other->normals,
                                                                    other->count, c->noise),
                                         .face_a = is_a ? own->faces[i] : -1,
                                         .face_b = is_a ? -1 : own->faces[i],
                                         .edge_a = {-1, -1},
                                         .edge_b = {-1, -1},
                                         .is_cut = is_cut});
}

/// Adds those within the angle to `count` others, each once.
static int pick(ts_extreme_normal *out, int count, const candidates *c, double angle_rad,
                double same_rad) {
  double sine = sin(angle_rad);
  for (int i = 0; i < c->count && count < TS_EXTREME_NORMALS_MAX; i++) {
    bool is_new = c->of[i].sine <= sine;
    for (int k = 0; k < count && is_new; k++)
      is_new = ts_vec3_distance(out[k].normal, c->of[i].normal) > 2 * same_rad;
    if (is_new)
      out[count++] = c->of[i];
  }
  return count;
}

/// Adds to `count` others what faces and ridges have, or cuts.
static int add_normals_of(ts_extreme_normal *out, int count, const ts_local_surface *a,
                          ts_convex_run run_a, const ts_local_surface *b, ts_convex_run run_b,
                          const double *angles_rad, int angle_count, bool is_cut) {
  const run_cone cone_a = cone_of(a, run_a, 1), cone_b = cone_of(b, run_b, -1);
  double widest_rad = angles_rad[angle_count - 1];
  const ts_round_cone around_a = ts_round_cone_around(cone_a.normals, (size_t)cone_a.count);
  const ts_round_cone around_b = ts_round_cone_around(cone_b.normals, (size_t)cone_b.count);
  if (ts_round_cones_are_apart(&around_a, &around_b, cos(2 * widest_rad), sin(2 * widest_rad)))
    return count; // most pairs on a fine mesh
  candidates c;
  c.count = 0;
  c.widest_sine = sin(widest_rad);
  c.noise = TS_CONE_NOISE * angles_rad[0];
  add_faces(&c, &cone_a, &cone_b, true, is_cut);
  add_faces(&c, &cone_b, &cone_a, false, is_cut);
  add_crosses(&c, a, &cone_a, b, &cone_b, is_cut);
  int before = count;
  for (int i = 0; i < angle_count && count == before; i++)
    count = pick(out, count, &c, angles_rad[i], angles_rad[0]);
  return count;
}

int ts_extreme_normals(ts_extreme_normal out[TS_EXTREME_NORMALS_MAX], const ts_local_surface *a,
                       ts_convex_run run_a, const ts_local_surface *b, ts_convex_run run_b,
                       const double *angles_rad, int angle_count) {
  return add_normals_of(out, 0, a, run_a, b, run_b, angles_rad, angle_count, false);
}

int ts_extreme_normals_of_cuts(ts_extreme_normal out[TS_EXTREME_NORMALS_MAX], int count,
                               const ts_local_surface *a, ts_convex_run run_a,
                               const ts_local_surface *b, ts_convex_run run_b,
                               const double *angles_rad, int angle_count) {
  return add_normals_of(out, count, a, run_a, b, run_b, angles_rad, angle_count, true);
}
