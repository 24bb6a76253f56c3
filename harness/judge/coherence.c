// SPDX-License-Identifier: MIT
#include "harness/judge/coherence.h"

#include "base/status.h"
#include "cases/truth/motion_truth.h"
#include "geometry/tolerances.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Most contacts of a pair whose cones are compared: the cost grows with their cube.
enum { CONE_CONTACTS_MAX = 120 };

/// The mean of the values that are known.
typedef struct mean {
  double sum, count;
} mean;

struct ts_coherence {
  ts_arena *arenas[2];    ///< of the last step, and of the one being added
  ts_judgement last;      ///< in arenas[0]
  ts_contact_facts facts; ///< of its contacts, likewise
  bool has_last;
  ts_coherence_step step; ///< the last one
  ts_coherence_run run;   ///< all so far, but for the means
  mean churn, impulse_jump, stale;
};

static const ts_coherence_step unknown_step = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, {-1, -1}};

ts_status ts_coherence_create(ts_coherence **out) {
  ts_coherence *c = calloc(1, sizeof *c);
  if (!c)
    return ts_fail(TS_E_MEMORY, "out of memory");
  for (int i = 0; i < 2; i++)
    if (ts_arena_create(&c->arenas[i]) != TS_OK) {
      ts_coherence_destroy(c);
      return TS_E_MEMORY;
    }
  c->step = unknown_step;
  c->run = (ts_coherence_run){NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
  *out = c;
  return TS_OK;
}

void ts_coherence_destroy(ts_coherence *coherence) {
  if (!coherence)
    return;
  for (int i = 0; i < 2; i++)
    ts_arena_destroy(coherence->arenas[i]);
  free(coherence);
}

// ---- keeping a step ---------------------------------------------------------------------------

static ts_status copy_scene(const ts_scene **out, ts_arena *arena, const ts_scene *scene) {
  ts_scene *copy = ts_arena_copy(arena, scene, 1, sizeof *copy);
  if (!copy)
    return TS_E_MEMORY;
  copy->bodies = ts_arena_copy(arena, scene->bodies, scene->body_count, sizeof *copy->bodies);
  copy->regions = ts_arena_copy(arena, scene->regions, scene->region_count, sizeof *copy->regions);
  if (!copy->bodies || !copy->regions)
    return TS_E_MEMORY;
  for (size_t i = 0; i < scene->region_count; i++)
    TS_TRY(ts_region_copy(&copy->regions[i], arena));
  *out = copy;
  return TS_OK;
}

static ts_status copy_set(const ts_contact_set **out, ts_arena *arena, const ts_contact_set *set) {
  ts_contact_set *copy = ts_arena_copy(arena, set, 1, sizeof *copy);
  if (!copy)
    return TS_E_MEMORY;
  copy->contacts = ts_arena_copy(arena, set->contacts, set->count, sizeof *copy->contacts);
  *out = copy;
  return copy->contacts ? TS_OK : TS_E_MEMORY;
}

/// Everything that later steps ask of it.
static ts_status keep(ts_judgement *out, ts_arena *arena, const ts_judgement *judgement) {
  *out = *judgement;
  out->arena = arena;
  out->ahead = NULL;
  ts_judged_pair *pairs =
      ts_arena_copy(arena, judgement->pairs, judgement->pair_count, sizeof *pairs);
  if (!pairs)
    return TS_E_MEMORY;
  for (size_t i = 0; i < judgement->pair_count; i++) {
    TS_TRY(copy_set(&pairs[i].set, arena, pairs[i].set));
    pairs[i].verdicts =
        ts_arena_copy(arena, pairs[i].verdicts, pairs[i].set->count, sizeof *pairs[i].verdicts);
    if (!pairs[i].verdicts)
      return TS_E_MEMORY;
  }
  out->pairs = pairs;
  return copy_scene(&out->scene, arena, judgement->scene);
}

static ts_status keep_facts(ts_contact_facts *out, ts_arena *arena, ts_contact_facts facts,
                            size_t count) {
  *out = (ts_contact_facts){NULL, NULL};
  if (facts.impulses)
    out->impulses = ts_arena_copy(arena, facts.impulses, count, sizeof *facts.impulses);
  if (facts.ids)
    out->ids = ts_arena_copy(arena, facts.ids, count, sizeof *facts.ids);
  bool is_kept = !out->impulses == !facts.impulses && !out->ids == !facts.ids;
  return is_kept ? TS_OK : TS_E_MEMORY;
}

// ---- one pair ---------------------------------------------------------------------------------

/// The contacts of a pair in one step, and in the frames of both bodies.
typedef struct moment {
  const ts_judgement *judgement;
  const ts_judged_pair *pair;
  ts_pose poses[2]; ///< of the bodies a and b
  size_t count;
  const ts_contact *contacts; ///< [count]
  ts_vec3 *points[2];         ///< [count] in the frame of a and of b
  ts_vec3 *normals[2];
  size_t *match;          ///< [count] index in the other step; SIZE_MAX: none
  ts_contact_facts facts; ///< [count]
} moment;

/// A pair in two consecutive steps.
typedef struct change {
  ts_arena *arena;
  int32_t bodies[2];
  moment steps[2]; ///< the one before and the one now
  double size_m, length_m;
  double motion_m; ///< largest motion of b against a where there is a contact
} change;

static ts_status look(moment *out, ts_arena *arena, const ts_judgement *judgement,
                      const ts_judged_pair *pair, const int32_t bodies[2], ts_contact_facts facts) {
  *out = (moment){.judgement = judgement, .pair = pair, .facts = facts};
  if (pair) {
    out->count = pair->set->count;
    out->contacts = pair->set->contacts;
  }
  for (int side = 0; side < 2; side++) {
    out->poses[side] = judgement->scene->bodies[bodies[side]].pose;
    out->points[side] = ts_arena_array(arena, out->count, sizeof *out->points[side]);
    out->normals[side] = ts_arena_array(arena, out->count, sizeof *out->normals[side]);
    if (!out->points[side] || !out->normals[side])
      return TS_E_MEMORY;
    ts_quat back = ts_quat_conjugate(out->poses[side].rotation);
    for (size_t i = 0; i < out->count; i++) {
      out->points[side][i] = ts_pose_point_local(out->poses[side], out->contacts[i].point);
      out->normals[side][i] = ts_quat_rotate(back, out->contacts[i].normal);
    }
  }
  out->match = ts_arena_array(arena, out->count, sizeof *out->match);
  if (!out->match)
    return TS_E_MEMORY;
  for (size_t i = 0; i < out->count; i++)
    out->match[i] = SIZE_MAX;
  return TS_OK;
}

static double motion_of(const change *c) {
  ts_pose before = ts_pose_relative(c->steps[0].poses[0], c->steps[0].poses[1]);
  ts_pose now = ts_pose_relative(c->steps[1].poses[0], c->steps[1].poses[1]);
  double most_m = 0;
  for (int step = 0; step < 2; step++)
    for (size_t i = 0; i < c->steps[step].count; i++) {
      ts_vec3 of_b = c->steps[step].points[1][i];
      most_m =
          fmax(most_m, ts_vec3_distance(ts_pose_point(before, of_b), ts_pose_point(now, of_b)));
    }
  return most_m;
}

/// A contact of the step before and one of now that may be the same.
typedef struct candidate {
  size_t before, now;
  double cost_m;
} candidate;

static int compare_candidates(const void *left, const void *right) {
  const candidate *l = left, *r = right;
  if (l->cost_m != r->cost_m)
    return l->cost_m < r->cost_m ? -1 : 1;
  if (l->before != r->before)
    return l->before < r->before ? -1 : 1;
  return (l->now > r->now) - (l->now < r->now);
}

/// How far apart two contacts are, in the frame of that body where it is less.
static double distance_of(const change *c, size_t before, size_t now) {
  double least_m = INFINITY;
  for (int side = 0; side < 2; side++)
    least_m = fmin(
        least_m, ts_vec3_distance(c->steps[0].points[side][before], c->steps[1].points[side][now]));
  return least_m;
}

static double angle_of(const change *c, size_t before, size_t now) {
  double least = INFINITY;
  for (int side = 0; side < 2; side++)
    least = fmin(least,
                 ts_vec3_angle(c->steps[0].normals[side][before], c->steps[1].normals[side][now]));
  return least;
}

/// The contacts of now in the frame of one body, along the axis in which they are farthest apart.
typedef struct line {
  int axis;
  size_t count;
  struct place {
    double at;
    size_t index;
  } * places; ///< [count], sorted; those that are not finite are left out
} line;

static double along(ts_vec3 p, int axis) {
  return axis == 0 ? p.x : axis == 1 ? p.y : p.z;
}

static int compare_places(const void *left, const void *right) {
  const struct place *l = left, *r = right;
  return (l->at > r->at) - (l->at < r->at);
}

static ts_status line_up(line *out, ts_arena *arena, const ts_vec3 *points, size_t count) {
  double widest_m = -1;
  *out = (line){.places = ts_arena_array(arena, count, sizeof *out->places)};
  if (!out->places)
    return TS_E_MEMORY;
  for (int axis = 0; axis < 3; axis++) {
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < count; i++) {
      low = fmin(low, along(points[i], axis));
      high = fmax(high, along(points[i], axis));
    }
    if (high - low > widest_m) {
      widest_m = high - low;
      out->axis = axis;
    }
  }
  for (size_t i = 0; i < count; i++)
    if (ts_vec3_is_finite(points[i]))
      out->places[out->count++] = (struct place){along(points[i], out->axis), i};
  if (out->count > 1)
    qsort(out->places, out->count, sizeof *out->places, compare_places);
  return TS_OK;
}

/// Index of the first place at `at` or behind it.
static size_t first_at(const line *l, double at) {
  size_t low = 0, high = l->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (l->places[middle].at < at)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static double distance_in(const change *c, int side, size_t before, size_t now) {
  return ts_vec3_distance(c->steps[0].points[side][before], c->steps[1].points[side][now]);
}

/// Which contacts may be the same: how far they may be from each other, and their largest cost.
typedef struct shell {
  double within_m, cost_m;
} shell;

/// Finds the contacts without a match that may be the same; with `out` NULL their number.
static size_t find_candidates(candidate *out, const change *c, const line lines[2], shell s) {
  size_t count = 0;
  for (size_t i = 0; i < c->steps[0].count; i++)
    for (int side = 0; side < 2 && c->steps[0].match[i] == SIZE_MAX; side++) {
      const line *l = &lines[side];
      double at = along(c->steps[0].points[side][i], l->axis);
      for (size_t p = first_at(l, at - s.within_m);
           p < l->count && l->places[p].at <= at + s.within_m; p++) {
        size_t k = l->places[p].index;
        bool is_found = side == 1 && distance_in(c, 0, i, k) <= s.within_m;
        if (c->steps[1].match[k] != SIZE_MAX || is_found ||
            !(distance_in(c, side, i, k) <= s.within_m))
          continue;
        double angle = angle_of(c, i, k);
        double cost_m = distance_of(c, i, k) + c->length_m * angle;
        if (angle > TS_COHERENCE_TURN_RAD || !(cost_m <= s.cost_m))
          continue;
        if (out)
          out[count] = (candidate){i, k, cost_m};
        count++;
      }
    }
  return count;
}

/// Matches those of a shell, the closest first.
static ts_status match_shell(change *c, const line lines[2], shell s) {
  ts_arena_mark mark = ts_arena_get_mark(c->arena);
  candidate *all = ts_arena_array(c->arena, find_candidates(NULL, c, lines, s), sizeof *all);
  if (!all)
    return TS_E_MEMORY;
  size_t count = find_candidates(all, c, lines, s);
  if (count > 1)
    qsort(all, count, sizeof *all, compare_candidates);
  for (size_t i = 0; i < count; i++)
    if (c->steps[0].match[all[i].before] == SIZE_MAX && c->steps[1].match[all[i].now] == SIZE_MAX) {
      c->steps[0].match[all[i].before] = all[i].now;
      c->steps[1].match[all[i].now] = all[i].before;
    }
  ts_arena_rewind(c->arena, mark);
  return TS_OK;
}

/// Matches the closest first of all, shell by shell: most contacts have moved by little and are
/// matched before the many that are within reach of each other are looked at.
static ts_status match(change *c) {
  line lines[2];
  for (int side = 0; side < 2; side++)
    TS_TRY(line_up(&lines[side], c->arena, c->steps[1].points[side], c->steps[1].count));
  double motion_m = fmin(c->motion_m, TS_COHERENCE_FAST * c->size_m);
  double within_m = TS_COHERENCE_PLACE * c->size_m + motion_m;
  for (double share = 0x1p-24; share < 1; share *= 8)
    TS_TRY(match_shell(c, lines, (shell){share * within_m, share * within_m}));
  return match_shell(c, lines, (shell){within_m, INFINITY});
}

static double gap_change(const change *c, size_t before, size_t now) {
  double off_m = fabs(c->steps[1].contacts[now].gap_m - c->steps[0].contacts[before].gap_m);
  return fmax(0, off_m - c->motion_m);
}

/// Distance to the nearest contact of the other step; the length of the frame when it has none.
static double nearest_m(const change *c, int step, size_t index) {
  size_t count = c->steps[1 - step].count;
  double least_m = count > 0 ? (double)INFINITY : c->length_m;
  for (size_t i = 0; i < count; i++)
    least_m = fmin(least_m, step == 0 ? distance_of(c, index, i) : distance_of(c, i, index));
  return least_m;
}

/// Whether the other step has a contact of that normal so close by.
static bool has_neighbour(const change *c, int step, size_t index, double within_m) {
  for (size_t i = 0; i < c->steps[1 - step].count; i++) {
    size_t before = step == 0 ? index : i, now = step == 0 ? i : index;
    if (distance_of(c, before, now) <= within_m &&
        angle_of(c, before, now) <= TS_COHERENCE_TURN_RAD)
      return true;
  }
  return false;
}

static bool is_known(const moment *m) {
  return !m->judgement->scene->truth_is_unknown && !(m->pair && m->pair->is_unknown);
}

/// Whether there is a reason for a contact of one step to be absent in the other one. It may have
/// parted from one that is there, where corners of two faces that nearly coincide do. And corners
/// of faces that turn against each other appear in the middle of their sides: a contact there is
/// needed no more than before, but it is the truth that jumps.
static bool has_reason(const change *c, int step, size_t index) {
  const moment *here = &c->steps[step], *there = &c->steps[1 - step];
  const ts_contact *contact = &here->contacts[index];
  double reach_m =
      here->judgement->envelope.kind == TS_ENVELOPE_NONE ? 0 : here->judgement->envelope.size_m;
  if (!(contact->gap_m <= here->pair->limits.open_m + 2 * reach_m))
    return true;
  if (!is_known(there))
    return false;
  ts_contact moved = *contact;
  moved.point = ts_pose_point(there->poses[0], here->points[0][index]);
  moved.normal = ts_pose_direction(there->poses[0], here->normals[0][index]);
  ts_demand demand =
      there->pair ? ts_judged_demand(there->judgement, there->pair, &moved) : TS_DEMAND_NONE;
  if (demand == TS_DEMAND_FREE || !is_known(here))
    return demand != TS_DEMAND_CLOSED;
  if (demand == TS_DEMAND_NONE) // rightly absent there, if it is right here
    return ts_judged_demand(here->judgement, here->pair, contact) != TS_DEMAND_NONE;
  double within_m = here->pair->position_tolerance_m;
  if (has_neighbour(c, step, index, within_m + 2 * c->motion_m))
    return true;
  return ts_judged_is_at_corner(here->judgement, here->pair, contact, within_m) &&
         !ts_judged_is_at_corner(there->judgement, there->pair, &moved, within_m + 2 * c->motion_m);
}

static double near_m(const change *c) {
  return TS_COHERENCE_NEAR * c->size_m;
}

/// The contacts of a step that are near, or were near or will be but for the motion, as unit
/// wrenches in the frame of a: a contact that passes that limit does not change the cone.
typedef struct wrenches {
  size_t count;
  ts_twist_row *rows; ///< [count]
  size_t *of;         ///< [count] the contact of each
  size_t *row_of;     ///< [contacts] the row of each; SIZE_MAX: none
} wrenches;

static ts_status make_wrenches(wrenches *out, const change *c, int step, ts_vec3 centre) {
  const moment *m = &c->steps[step];
  const ts_twist_frame frame = {{1, 0, 0, 0}, centre, c->length_m};
  *out = (wrenches){.rows = ts_arena_array(c->arena, m->count, sizeof *out->rows),
                    .of = ts_arena_array(c->arena, m->count, sizeof *out->of),
                    .row_of = ts_arena_array(c->arena, m->count, sizeof *out->row_of)};
  if (!out->rows || !out->of || !out->row_of)
    return TS_E_MEMORY;
  for (size_t i = 0; i < m->count; i++) {
    ts_twist_row row = ts_twist_row_make(&frame, m->points[0][i], ts_vec3_unit(m->normals[0][i]));
    out->row_of[i] = SIZE_MAX;
    if (!(m->contacts[i].gap_m <= near_m(c) + 2 * c->motion_m) || m->contacts[i].group != 0 ||
        !ts_twist_row_unit(&row))
      continue;
    out->row_of[i] = out->count;
    out->of[out->count] = i;
    out->rows[out->count++] = row;
  }
  return TS_OK;
}

static double row_distance(const ts_twist_row *a, const ts_twist_row *b) {
  double sum = 0;
  for (int i = 0; i < 6; i++)
    sum += (a->of[i] - b->of[i]) * (a->of[i] - b->of[i]);
  return sqrt(sum);
}

/// How far a row of one step is at most from the cone of the other one: from the row of its match.
static double residual_bound(const change *c, const wrenches w[2], int step, size_t row) {
  size_t match = c->steps[step].match[w[step].of[row]];
  size_t other = match == SIZE_MAX ? SIZE_MAX : w[1 - step].row_of[match];
  return other == SIZE_MAX ? (double)INFINITY
                           : row_distance(&w[step].rows[row], &w[1 - step].rows[other]);
}

static ts_status cone_jump(double *out, const change *c) {
  wrenches w[2];
  ts_vec3 sum = {0, 0, 0};
  size_t total = c->steps[0].count + c->steps[1].count;
  for (int step = 0; step < 2; step++)
    for (size_t i = 0; i < c->steps[step].count; i++)
      sum = ts_vec3_add(sum, c->steps[step].points[0][i]);
  ts_vec3 centre = ts_vec3_scale(sum, total > 0 ? 1 / (double)total : 0);
  for (int step = 0; step < 2; step++)
    TS_TRY(make_wrenches(&w[step], c, step, centre));
  *out = 0;
  if (w[0].count > CONE_CONTACTS_MAX || w[1].count > CONE_CONTACTS_MAX)
    return TS_OK;
  double by_motion = c->motion_m / c->length_m;
  for (int step = 0; step < 2; step++)
    for (size_t i = 0; i < w[step].count; i++) {
      size_t index = w[step].of[i];
      bool is_matched = c->steps[step].match[index] != SIZE_MAX;
      if (c->steps[step].contacts[index].gap_m > near_m(c) ||
          residual_bound(c, w, step, i) - by_motion <= *out ||
          (!is_matched && has_reason(c, step, index)))
        continue;
      double residual =
          ts_twist_row_residual(w[1 - step].rows, w[1 - step].count, &w[step].rows[i]);
      *out = fmax(*out, residual - by_motion);
    }
  return TS_OK;
}

typedef struct sums {
  size_t unexplained, now, before, matched, kept, moved_pairs, stale_pairs;
  int32_t jump_bodies[2];
  double jump_m, jump_per_m, cone;
  double impulse_changes, impulses_now, impulses_before;
} sums;

static void add_impulses(sums *out, const change *c) {
  for (int step = 0; step < 2; step++) {
    const moment *here = &c->steps[step], *there = &c->steps[1 - step];
    for (size_t i = 0; i < here->count; i++) {
      double impulse = here->facts.impulses ? here->facts.impulses[i] : (double)NAN;
      *(step == 0 ? &out->impulses_before : &out->impulses_now) += fabs(impulse);
      size_t match = here->match[i];
      if (match == SIZE_MAX)
        out->impulse_changes += fabs(impulse); // a penalty may pull
      else if (step == 1)
        out->impulse_changes +=
            fabs(impulse - (there->facts.impulses ? there->facts.impulses[match] : (double)NAN));
    }
  }
}

/// Whether matched contacts have the same id; `*out_has` is false where neither has one.
static bool is_kept(bool *out_has, const change *c, size_t before, size_t now) {
  const moment *was = &c->steps[0], *is = &c->steps[1];
  if (was->facts.ids && is->facts.ids) {
    uint64_t l = was->facts.ids[before], r = is->facts.ids[now];
    *out_has = l != 0 || r != 0;
    return l == r;
  }
  const ts_contact *l = &was->contacts[before], *r = &is->contacts[now];
  const ts_feature sides[2][2] = {{l->feature_a, r->feature_a}, {l->feature_b, r->feature_b}};
  bool is_same = true;
  *out_has = false;
  for (int i = 0; i < 2; i++) {
    *out_has |= sides[i][0].kind != TS_FEATURE_NONE || sides[i][1].kind != TS_FEATURE_NONE;
    is_same &= sides[i][0].kind == sides[i][1].kind && sides[i][0].index == sides[i][1].index;
  }
  return is_same;
}

/// How far the point of b at a contact of now has moved along its normal against a.
static double approach_m(const change *c, size_t now) {
  const moment *is = &c->steps[1];
  ts_pose before = ts_pose_relative(c->steps[0].poses[0], c->steps[0].poses[1]);
  ts_vec3 was = ts_pose_point(before, is->points[1][now]);
  return fabs(ts_vec3_dot(is->normals[0][now], ts_vec3_sub(is->points[0][now], was)));
}

/// Whether a contact has stayed as it was, in the frame of either body or of the world.
static bool stays(const change *c, size_t before, size_t now, double still_m) {
  const ts_contact *was = &c->steps[0].contacts[before], *is = &c->steps[1].contacts[now];
  bool in_world = ts_vec3_distance(was->point, is->point) <= still_m &&
                  c->length_m * ts_vec3_angle(was->normal, is->normal) <= still_m;
  return in_world || (distance_of(c, before, now) <= still_m &&
                      c->length_m * angle_of(c, before, now) <= still_m);
}

/// Whether a pair has moved along the normal of a contact, not merely across one that is tilted.
static bool has_approached(const change *c, double approach_m) {
  return approach_m > TS_POSITION_RELATIVE * c->size_m &&
         approach_m > TS_COHERENCE_ALONG * c->motion_m;
}

/// Adds a pair that has moved along the normal of one of its contacts, and whether all that have
/// are as they were. The gap of a contact that stays with a body changes by the approach.
static void add_stale(sums *out, const change *c) {
  bool has_moved = false, is_stale = true;
  double still_m = TS_COHERENCE_STALE * c->motion_m;
  for (size_t k = 0; k < c->steps[1].count; k++) {
    double approach = approach_m(c, k);
    if (!has_approached(c, approach))
      continue;
    has_moved = true;
    size_t i = c->steps[1].match[k];
    is_stale = is_stale && i != SIZE_MAX && stays(c, i, k, still_m) &&
               fabs(c->steps[1].contacts[k].gap_m - c->steps[0].contacts[i].gap_m) <=
                   TS_COHERENCE_STALE * approach;
  }
  out->moved_pairs += has_moved;
  out->stale_pairs += has_moved && is_stale;
}

static ts_status add_change(sums *out, const change *c) {
  double jump_m = 0;
  for (size_t i = 0; i < c->steps[0].count; i++) {
    size_t k = c->steps[0].match[i];
    if (k == SIZE_MAX)
      continue;
    jump_m = fmax(jump_m, fmax(fmax(distance_of(c, i, k), c->length_m * angle_of(c, i, k)),
                               gap_change(c, i, k)));
    bool has_ids, has_same = is_kept(&has_ids, c, i, k);
    out->matched += has_ids;
    out->kept += has_ids && has_same;
  }
  for (int step = 0; step < 2; step++)
    for (size_t i = 0; i < c->steps[step].count; i++)
      if (c->steps[step].match[i] == SIZE_MAX && !has_reason(c, step, i)) {
        out->unexplained++;
        jump_m = fmax(jump_m, nearest_m(c, step, i));
      }
  add_impulses(out, c);
  add_stale(out, c);
  double cone;
  TS_TRY(cone_jump(&cone, c));
  out->before += c->steps[0].count;
  out->now += c->steps[1].count;
  if (jump_m > out->jump_m) {
    out->jump_m = jump_m;
    out->jump_bodies[0] = c->bodies[0];
    out->jump_bodies[1] = c->bodies[1];
  }
  out->jump_per_m =
      fmax(out->jump_per_m, jump_m / (c->motion_m + TS_POSITION_RELATIVE * c->size_m));
  out->cone = fmax(out->cone, cone);
  return TS_OK;
}

/// A step: its judgement, and what is known of the contacts of the pairs that are left.
typedef struct side {
  const ts_judgement *judgement;
  ts_contact_facts facts;
} side;

static ts_status add_pair(sums *out, ts_arena *arena, side before,
                          const ts_judged_pair *pair_before, side now,
                          const ts_judged_pair *pair_now) {
  const ts_judged_pair *any = pair_now ? pair_now : pair_before;
  if (!any)
    return TS_OK;
  const int32_t bodies[2] = {any->set->body_a, any->set->body_b};
  change c = {.arena = arena, .bodies = {bodies[0], bodies[1]}, .size_m = any->size_m};
  c.length_m = ts_motion_frame(now.judgement->scene, bodies[0], bodies[1], NULL, 0).length_m;
  TS_TRY(look(&c.steps[0], arena, before.judgement, pair_before, bodies, before.facts));
  TS_TRY(look(&c.steps[1], arena, now.judgement, pair_now, bodies, now.facts));
  c.motion_m = motion_of(&c);
  TS_TRY(match(&c));
  return add_change(out, &c);
}

static int compare_pairs(const ts_judged_pair *l, const ts_judged_pair *r) {
  if (l->set->body_a != r->set->body_a)
    return l->set->body_a < r->set->body_a ? -1 : 1;
  return (l->set->body_b > r->set->body_b) - (l->set->body_b < r->set->body_b);
}

static void go_on(side *s, const ts_judged_pair *pair) {
  size_t count = pair->set->count;
  s->facts.impulses = s->facts.impulses ? s->facts.impulses + count : NULL;
  s->facts.ids = s->facts.ids ? s->facts.ids + count : NULL;
}

/// Both are sorted by their bodies.
static ts_status compare(sums *out, ts_arena *arena, side before, side now) {
  size_t i = 0, k = 0;
  while (i < before.judgement->pair_count || k < now.judgement->pair_count) {
    const ts_judged_pair *b = i < before.judgement->pair_count ? &before.judgement->pairs[i] : NULL;
    const ts_judged_pair *n = k < now.judgement->pair_count ? &now.judgement->pairs[k] : NULL;
    int order = !b ? 1 : !n ? -1 : compare_pairs(b, n);
    ts_arena_mark mark = ts_arena_get_mark(arena);
    TS_TRY(add_pair(out, arena, before, order <= 0 ? b : NULL, now, order >= 0 ? n : NULL));
    ts_arena_rewind(arena, mark);
    if (b && order <= 0)
      go_on(&before, b);
    if (n && order >= 0)
      go_on(&now, n);
    i += order <= 0;
    k += order >= 0;
  }
  return TS_OK;
}

// ---- steps -------------------------------------------------------------------------------------

static ts_coherence_step measure(sums s) {
  size_t of = s.before + s.now;
  double pushed = s.impulses_before + s.impulses_now;
  double impulse_jump = 100 * s.impulse_changes / (pushed == 0 ? 1 : pushed);
  return (ts_coherence_step){
      .churn_percent = of > 0 ? 100 * (double)s.unexplained / (double)of : 0,
      .set_jump_m = s.jump_m,
      .set_jump_per_m = s.jump_per_m,
      .cone_jump = s.cone,
      .features_kept_percent =
          s.matched > 0 ? 100 * (double)s.kept / (double)s.matched : (double)NAN,
      .impulse_jump_percent = impulse_jump > 100 ? 100 : impulse_jump, // rounding
      .stale_percent =
          s.moved_pairs > 0 ? 100 * (double)s.stale_pairs / (double)s.moved_pairs : (double)NAN,
      .jump_bodies = {s.jump_bodies[0], s.jump_bodies[1]},
  };
}

static void add_to_mean(mean *m, double value) {
  if (!isnan(value)) {
    m->sum += value;
    m->count++;
  }
}

/// fmax and fmin ignore what is not known.
static void add_to_run(ts_coherence *c, double number) {
  const ts_coherence_step *step = &c->step;
  ts_coherence_run *run = &c->run;
  add_to_mean(&c->churn, step->churn_percent);
  add_to_mean(&c->impulse_jump, step->impulse_jump_percent);
  add_to_mean(&c->stale, step->stale_percent);
  if (!(step->set_jump_m <= run->set_jump_m_max))
    run->set_jump_step = number;
  run->set_jump_m_max = fmax(run->set_jump_m_max, step->set_jump_m);
  run->set_jump_per_m_max = fmax(run->set_jump_per_m_max, step->set_jump_per_m);
  run->cone_jump_max = fmax(run->cone_jump_max, step->cone_jump);
  run->features_kept_percent_min =
      fmin(run->features_kept_percent_min, step->features_kept_percent);
}

ts_status ts_coherence_next(ts_coherence *coherence, double step, const ts_judgement *judgement,
                            ts_contact_facts facts) {
  ts_arena *spare = coherence->arenas[1];
  coherence->step = unknown_step;
  if (coherence->has_last) {
    sums s = {.jump_bodies = {-1, -1}};
    TS_TRY(
        compare(&s, spare, (side){&coherence->last, coherence->facts}, (side){judgement, facts}));
    coherence->step = measure(s);
    add_to_run(coherence, step);
  }
  ts_arena_rewind(spare, (ts_arena_mark){NULL, 0});
  TS_TRY(keep(&coherence->last, spare, judgement));
  size_t count = 0;
  for (size_t i = 0; i < judgement->pair_count; i++)
    count += judgement->pairs[i].set->count;
  TS_TRY(keep_facts(&coherence->facts, spare, facts, count));
  coherence->arenas[1] = coherence->arenas[0];
  coherence->arenas[0] = spare;
  coherence->has_last = true;
  return TS_OK;
}

void ts_coherence_break(ts_coherence *coherence) {
  coherence->has_last = false;
}

const ts_coherence_step *ts_coherence_last(const ts_coherence *coherence) {
  return &coherence->step;
}

static double mean_of(mean m) {
  return m.count > 0 ? m.sum / m.count : (double)NAN;
}

ts_coherence_run ts_coherence_so_far(const ts_coherence *coherence) {
  ts_coherence_run run = coherence->run;
  run.churn_percent_mean = mean_of(coherence->churn);
  run.impulse_jump_percent_mean = mean_of(coherence->impulse_jump);
  run.stale_percent_mean = mean_of(coherence->stale);
  return run;
}

double ts_coherence_order(const ts_coherence *fine, const ts_coherence *coarse, double still_m) {
  double fine_m = fine->run.set_jump_m_max, coarse_m = coarse->run.set_jump_m_max;
  if (isnan(coarse_m))
    return NAN;
  if (fine_m <= still_m)
    return 1;
  return fmin(1, fmax(0, log(coarse_m / fine_m) / log(TS_COHERENCE_COARSE)));
}
