// SPDX-License-Identifier: MIT
#include "harness/explain/motion_fault.h"

#include "base/status.h"
#include "geometry/tolerances.h"
#include "geometry/twist/twist_samples.h"
#include "harness/judge/pair_motion.h"
#include "reports/export/region_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Directions of simple motions: axes, and so many normals of the truth and of the contacts.
enum { NORMALS_MAX = 16, DIRECTIONS_MAX = 6 + 2 * NORMALS_MAX, KINDS = 3 };

/// A part of a motion below this share of the whole is rounding.
#define SMALL 1e-9

typedef struct search {
  const ts_pair_motion *motion;
  ts_vec3 directions[DIRECTIONS_MAX]; ///< [direction_count] unit, in the frame of the twists
  size_t direction_count;
  ts_motion_fault faults[KINDS];
  double worst[KINDS]; ///< the largest speed by which a motion was wrong
  double twists[KINDS][6];
} search;

/// How fast the contacts that block by themselves close under a twist, at most.
static double closing_speed(const ts_pair_motion *motion, const double twist[6]) {
  double speed = 0;
  for (size_t i = 0; i < motion->contact_count; i++)
    speed = fmax(speed, -ts_twist_row_speed(&motion->contacts[i], twist));
  return speed;
}

/// By what speed a twist of that kind is wrong; 0: it is right, or of another kind.
static double wrong_by(const ts_pair_motion *motion, ts_motion_fault_kind kind, size_t index,
                       const double twist[6]) {
  double allowed = kind == TS_MOTION_SLIDING_BLOCKED ? motion->undecided_speed : TS_TWIST_SPEED;
  bool is_blocked = ts_motion_is_blocked(motion, twist, allowed);
  if (kind == TS_MOTION_STOPPED_FREED) {
    if (is_blocked || !ts_motion_is_truly_blocked(motion, index, twist))
      return 0;
    return motion->oracle ? 1 : -ts_twist_cone_margin(&motion->truth, twist);
  }
  // The caller has made a twist that should slide do so.
  bool is_free = kind == TS_MOTION_SLIDING_BLOCKED || ts_motion_is_truly_free(motion, index, twist);
  return is_blocked && is_free ? closing_speed(motion, twist) : 0;
}

static void note(search *s, ts_motion_fault_kind kind, double speed, const double twist[6]) {
  if (!(speed > s->worst[kind]))
    return;
  s->worst[kind] = speed;
  memcpy(s->twists[kind], twist, sizeof s->twists[kind]);
}

/// Whether a twist is one along which the bodies slide: making it slide leaves it as it is, and the
/// truth neither parts nor closes by more than it leaves open.
static bool slides(const ts_pair_motion *motion, const double twist[6]) {
  double changed[6], off = 0;
  memcpy(changed, twist, sizeof changed);
  ts_twist_slide slide = ts_twist_slide_on(&motion->chosen);
  if (motion->oracle || !ts_twist_make_slide(changed, &slide))
    return false;
  for (int i = 0; i < 6; i++)
    off = fmax(off, fabs(changed[i] - twist[i]));
  return off < SMALL &&
         fabs(ts_twist_cone_margin(&motion->chosen, twist)) <= motion->undecided_speed;
}

/// Tries the simple motions of one sort, along the directions or about them through the centre, of
/// the kinds of which none is known yet.
static void try_simple(search *s, bool is_turn, const bool is_known[KINDS]) {
  for (size_t i = 0; i < s->direction_count; i++)
    for (int sign = 1; sign >= -1; sign -= 2) {
      ts_vec3 d = ts_vec3_scale(s->directions[i], sign);
      double twist[6] = {0, 0, 0, 0, 0, 0};
      double *part = is_turn ? twist + 3 : twist;
      part[0] = d.x, part[1] = d.y, part[2] = d.z;
      for (int k = 0; k < KINDS; k++) {
        ts_motion_fault_kind kind = (ts_motion_fault_kind)k;
        if (!is_known[k] && (kind != TS_MOTION_SLIDING_BLOCKED || slides(s->motion, twist)))
          note(s, kind, wrong_by(s->motion, kind, 0, twist), twist);
      }
    }
}

/// Goes through the motions that the measures try, as they do (metrics/motion.c). The worst of them
/// is noted only where no simple one is wrong.
static void try_sequence(search *s, uint32_t first, size_t quota, const bool has_simple[KINDS]) {
  const ts_pair_motion *motion = s->motion;
  ts_motion_fault *faults = s->faults;
  size_t *free_count = &faults[TS_MOTION_FREE_BLOCKED].tried_count;
  size_t *stopped_count = &faults[TS_MOTION_STOPPED_FREED].tried_count;
  size_t asked = motion->oracle ? motion->oracle->try_count : SIZE_MAX;
  ts_twist_samples samples = ts_twist_samples_start(first);
  double twist[6];
  for (size_t i = 0; i < asked && ts_motion_goes_on(i, quota, *free_count, *stopped_count); i++) {
    ts_twist_samples_next(twist, &samples);
    bool is_free = ts_motion_is_truly_free(motion, i, twist);
    ts_motion_fault_kind kind = is_free ? TS_MOTION_FREE_BLOCKED : TS_MOTION_STOPPED_FREED;
    if (faults[kind].tried_count >= quota ||
        (!is_free && !ts_motion_is_truly_blocked(motion, i, twist)))
      continue;
    double speed = wrong_by(motion, kind, i, twist);
    faults[kind].tried_count++;
    faults[kind].wrong_count += speed > 0;
    if (!has_simple[kind])
      note(s, kind, speed, twist);
  }
}

static void try_sliding(search *s, uint32_t first, size_t quota, bool has_simple) {
  ts_motion_fault *fault = &s->faults[TS_MOTION_SLIDING_BLOCKED];
  ts_twist_slide slide = ts_twist_slide_on(&s->motion->chosen);
  ts_twist_samples samples = ts_twist_samples_start(first);
  double twist[6];
  for (size_t i = 0; i < quota; i++) {
    ts_twist_samples_next(twist, &samples);
    if (!ts_twist_make_slide(twist, &slide))
      continue;
    double speed = wrong_by(s->motion, TS_MOTION_SLIDING_BLOCKED, 0, twist);
    fault->tried_count++;
    fault->wrong_count += speed > 0;
    if (!has_simple)
      note(s, TS_MOTION_SLIDING_BLOCKED, speed, twist);
  }
}

static void add_direction(search *s, ts_vec3 world) {
  ts_vec3 unit = ts_vec3_unit(world);
  if (s->direction_count < DIRECTIONS_MAX && ts_vec3_norm2(unit) > 0)
    s->directions[s->direction_count++] =
        ts_quat_rotate(ts_quat_conjugate(s->motion->frame.axes), unit);
}

/// The axes of the world and of body a, and normals of the truth and of the contacts.
static void add_directions(search *s, const ts_judgement *judgement, const ts_judged_pair *pair) {
  static const ts_vec3 axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int i = 0; i < 3; i++)
    add_direction(s, axes[i]);
  for (int i = 0; i < 3; i++)
    add_direction(s, ts_quat_rotate(s->motion->frame.axes, axes[i]));
  size_t added = 0;
  for (size_t r = pair->first_region; r < pair->first_region + pair->region_count; r++) {
    const ts_feasible_set *set =
        &judgement->scene->regions[r].feasible[judgement->scoring.reference];
    for (size_t n = 0; n < set->count && added < NORMALS_MAX; n++, added++)
      add_direction(s, set->normals[n].normal);
  }
  for (size_t i = 0; i < pair->set->count && i < NORMALS_MAX; i++)
    add_direction(s, pair->set->contacts[i].normal);
}

/// Puts the motion that was noted into the world, with a tidy zero.
static void place_motion(ts_motion_fault *fault, const ts_twist_frame *frame,
                         const double twist[6]) {
  ts_vec3 v = {twist[0], twist[1], twist[2]}, w = {twist[3], twist[4], twist[5]};
  fault->centre_m = frame->centre;
  fault->velocity_m_s = ts_quat_rotate(frame->axes, v);
  fault->angular_rad_s = ts_quat_rotate(frame->axes, ts_vec3_scale(w, 1 / frame->length_m));
}

static ts_status search_pair(search *s, const ts_judgement *judgement, const ts_judged_pair *pair,
                             uint32_t first, size_t quota) {
  ts_pair_motion motion;
  *s = (search){.motion = &motion};
  TS_TRY(ts_motion_of_pair(&motion, judgement, pair));
  if (!pair->touches && motion.contact_count == 0)
    return TS_OK;
  bool has_simple[KINDS] = {false};
  if (!motion.oracle) { // which has answers to the motions of the sequence only
    add_directions(s, judgement, pair);
    for (int is_turn = 0; is_turn < 2; is_turn++) {
      try_simple(s, is_turn == 1, has_simple);
      for (int kind = 0; kind < KINDS; kind++)
        has_simple[kind] = s->worst[kind] > 0;
    }
  }
  try_sequence(s, first, quota, has_simple);
  if (!judgement->scene->truth_is_unknown)
    try_sliding(s, first, quota, has_simple[TS_MOTION_SLIDING_BLOCKED]);
  for (int kind = 0; kind < KINDS; kind++) {
    s->faults[kind].kind = (ts_motion_fault_kind)kind;
    s->faults[kind].body_a = pair->set->body_a;
    s->faults[kind].body_b = pair->set->body_b;
    place_motion(&s->faults[kind], &motion.frame, s->twists[kind]);
  }
  return TS_OK;
}

static double share(const ts_motion_fault *fault) {
  return fault->tried_count > 0 ? (double)fault->wrong_count / (double)fault->tried_count : 0;
}

static int compare_faults(const void *left, const void *right) {
  const ts_motion_fault *l = left, *r = right;
  if (share(l) != share(r))
    return share(l) > share(r) ? -1 : 1;
  if (l->body_a != r->body_a)
    return l->body_a < r->body_a ? -1 : 1;
  if (l->body_b != r->body_b)
    return l->body_b < r->body_b ? -1 : 1;
  return (int)l->kind - (int)r->kind;
}

ts_status ts_motion_faults_find(ts_motion_fault **out, size_t *out_count, ts_arena *arena,
                                const ts_judgement *judgement) {
  size_t touching = 0, index = 0, count = 0;
  ts_motion_fault *faults = ts_arena_array(arena, KINDS * judgement->pair_count, sizeof *faults);
  search *s = ts_arena_alloc(arena, sizeof *s);
  if (!faults || !s)
    return TS_E_MEMORY;
  for (size_t p = 0; p < judgement->pair_count; p++)
    touching += judgement->pairs[p].touches;
  size_t quota = ts_motion_twists(touching);
  for (size_t p = 0; p < judgement->pair_count; p++) {
    const ts_judged_pair *pair = &judgement->pairs[p];
    uint32_t first = ts_motion_first_twist(touching, pair->touches ? index : 0);
    index += pair->touches;
    if (pair->is_unknown || (judgement->scene->truth_is_unknown && !pair->oracle))
      continue;
    ts_arena_mark mark = ts_arena_get_mark(judgement->arena);
    TS_TRY(search_pair(s, judgement, pair, first, quota));
    ts_arena_rewind(judgement->arena, mark);
    for (int kind = 0; kind < KINDS; kind++)
      if (s->faults[kind].wrong_count > 0)
        faults[count++] = s->faults[kind];
  }
  if (count > 1)
    qsort(faults, count, sizeof *faults, compare_faults);
  *out = faults;
  *out_count = count;
  return TS_OK;
}

/// The motion in words: "move along (0, 0, 1)", "turn about (0, 0, 1) through (0, 0, 0.5)", or both
/// velocities when it is neither.
static const char *describe_motion(ts_arena *arena, const ts_motion_fault *f) {
  ts_vec3 v = f->velocity_m_s, w = f->angular_rad_s;
  double turns = ts_vec3_norm(w);
  if (!(turns > SMALL)) {
    const char *along = ts_text_direction(arena, ts_vec3_unit(v));
    const char *verb = f->kind == TS_MOTION_SLIDING_BLOCKED ? "slide" : "move";
    return along ? ts_arena_format(arena, "%s along %s", verb, along) : NULL;
  }
  // What is left of the velocity on the axis is the pitch of a screw.
  ts_vec3 axis = ts_vec3_unit(w);
  double pitch = ts_vec3_dot(v, axis);
  ts_vec3 on_axis = ts_vec3_add_scaled(f->centre_m, 1 / (turns * turns), ts_vec3_cross(w, v));
  const char *about = ts_text_direction(arena, axis), *through = ts_text_vector(arena, on_axis);
  if (!about || !through)
    return NULL;
  if (fabs(pitch) < SMALL)
    return ts_arena_format(arena, "turn about %s through %s", about, through);
  const char *speed = ts_text_vector(arena, v), *spin = ts_text_vector(arena, w);
  const char *at = ts_text_vector(arena, f->centre_m);
  return speed && spin && at
             ? ts_arena_format(arena, "move with the velocity %s m/s at %s and the spin %s rad/s",
                               speed, at, spin)
             : NULL;
}

const char *ts_motion_fault_describe(ts_arena *arena, const ts_motion_fault *fault, const char *a,
                                     const char *b) {
  const char *motion = describe_motion(arena, fault);
  if (!motion)
    return NULL;
  if (fault->kind == TS_MOTION_STOPPED_FREED)
    return ts_arena_format(arena, "%s can %s into %s, which the truth stops", b, motion, a);
  bool is_slide = fault->kind == TS_MOTION_SLIDING_BLOCKED;
  return ts_arena_format(arena, "%s cannot %s %s %s, though %s", b, motion,
                         is_slide ? "on" : "against", a,
                         is_slide ? "it can in truth" : "nothing stops it in truth");
}
