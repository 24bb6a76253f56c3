// SPDX-License-Identifier: MIT
/// Which truly free motions the contacts block, and which truly blocked motions they let through
/// (docs/motion.md).
///
/// Shares are taken over a fixed sequence of twists, so that they are exact for a given set of
/// contacts: each pair uses the first truly free and the first truly blocked twists of the
/// sequence, a given number of each. All pairs have equal weight, whatever their regions.
#include "harness/judge/metrics/metric.h"

#include "base/status.h"
#include "geometry/tolerances.h"
#include "geometry/twist/twist_samples.h"
#include "harness/judge/pair_motion.h"

#include <math.h>
#include <string.h>

/// Distance of the sampled twists from the given one, which has unit length.
#define GIVEN_SPREAD 0.3

/// The twists of a pair, a block at a time. All strata use the first block, `head`, unless single
/// twists of it are enough.
typedef struct stream {
  ts_twist_samples samples; ///< goes on after the last twist that it made
  uint32_t first;
  const ts_twist_block *head;          ///< NULL: not made yet
  size_t head_count;                   ///< how many twists of `made_head` are made where it is NULL
  ts_twist_block made_head, made_next; ///< where no kept ones are used
} stream;

static void go_to(stream *s, uint32_t index) {
  if (s->samples.index != index)
    ts_twist_samples_seek(&s->samples, index);
}

static const ts_twist_block *find_block(stream *s, ts_twist_block *made, uint32_t from) {
  const ts_twist_block *kept = ts_twist_samples_kept(from);
  if (kept)
    return kept;
  go_to(s, from);
  ts_twist_samples_block(made, &s->samples);
  return made;
}

static void start_stream(stream *s, uint32_t first) {
  s->first = first;
  s->head = ts_twist_samples_kept(first);
  s->head_count = 0;
}

/// The block that begins with number `index`, a multiple of its length.
static const ts_twist_block *block_at(stream *s, size_t index) {
  if (index > 0)
    return find_block(s, &s->made_next, s->first + (uint32_t)index);
  if (!s->head)
    s->head = find_block(s, &s->made_head, s->first);
  return s->head;
}

/// Twist number `index`. Those of the first block are made one by one, as far as they are asked
/// for, until all of it is.
static void get_twist(double out[6], stream *s, size_t index) {
  size_t t = index % TS_TWIST_BLOCK;
  if (s->head || index >= TS_TWIST_BLOCK) {
    ts_twist_block_get(out, block_at(s, index - t), t);
    return;
  }
  for (; s->head_count <= t; s->head_count++) {
    go_to(s, s->first + (uint32_t)s->head_count);
    ts_twist_samples_next(out, &s->samples);
    ts_twist_block_set(&s->made_head, s->head_count, out);
  }
  ts_twist_block_get(out, &s->made_head, t);
}

/// Twists of one class that were tested, and for how many of them contacts and truth disagree.
typedef struct tally {
  size_t count, wrong;
} tally;

/// Mean of the pairs' shares.
typedef struct mean_share {
  double sum;
  size_t pairs;
} mean_share;

typedef struct sums {
  mean_share blocked, freed, sliding, given;
  double residual_max, missing_max; // NaN without pairs
} sums;

static void add_share(mean_share *mean, tally t) {
  if (t.count == 0)
    return;
  mean->sum += (double)t.wrong / (double)t.count;
  mean->pairs++;
}

static double percent(mean_share mean) {
  return mean.pairs > 0 ? 100 * mean.sum / (double)mean.pairs : (double)NAN;
}

/// The first of some twists, `most` at most.
static ts_twist_mask first_of(ts_twist_mask which, size_t most) {
  ts_twist_mask rest = which;
  for (size_t k = 0; k < most && rest; k++)
    rest &= rest - 1;
  return which & ~rest;
}

/// The first `count` twists of a block, or all.
static ts_twist_mask first_twists(size_t count) {
  return count < TS_TWIST_BLOCK ? ((ts_twist_mask)1 << count) - 1 : ~(ts_twist_mask)0;
}

/// Adds those of some twists that still have room, up to `quota` in all: of a class that the
/// contacts are to block, or else of one that they are to let through.
static void add_twists(tally *t, const ts_pair_motion *motion, const ts_twist_block *block,
                       ts_twist_mask which, size_t quota, bool is_to_block) {
  which = first_of(which, quota - t->count);
  size_t count = (size_t)__builtin_popcountll(which);
  size_t blocked = ts_motion_count_blocked(motion, block, which, TS_TWIST_SPEED);
  t->count += count;
  t->wrong += is_to_block ? count - blocked : blocked;
}

/// The first of some twists of a block that the truth lets through; none: empty.
static ts_twist_mask find_free(const ts_pair_motion *motion, size_t index,
                               const ts_twist_block *block, ts_twist_mask which) {
  for (; which; which &= which - 1) {
    double twist[6];
    size_t t = (size_t)__builtin_ctzll(which);
    ts_twist_block_get(twist, block, t);
    if (ts_motion_is_truly_free(motion, index + t, twist))
      return (ts_twist_mask)1 << t;
  }
  return 0;
}

/// Whether the contacts block all that the truth does: each of its rows is one of theirs, to the
/// bit, so that they say the same of every twist.
static bool hold_truth(const ts_pair_motion *motion) {
  if (!motion->is_chosen_truth) // one row a term, else
    return false;
  for (size_t r = 0; r < motion->truth.term_count; r++) {
    const ts_twist_row *row = &motion->truth.rows[r];
    size_t i = 0;
    while (i < motion->single_count && memcmp(row, &motion->contacts[i], sizeof *row) != 0)
      i++;
    if (i == motion->single_count)
      return false;
  }
  return true;
}

/// Whether there are both a truly free and a truly blocked twist among the first few, of a pair
/// whose contacts hold the truth.
static bool find_both(const ts_pair_motion *motion, stream *twists) {
  enum { FEW = 16 }; // more of them are faster in a block
  bool has_free = false, has_blocked = false;
  for (size_t i = 0; i < FEW && !(has_free && has_blocked); i++) {
    double twist[6];
    get_twist(twist, twists, i);
    double margin = ts_twist_cone_margin(&motion->truth, twist);
    has_free |= margin > motion->undecided_speed;
    has_blocked |= margin < -motion->undecided_speed;
  }
  return has_free && has_blocked;
}

/// Stratum M: twists from the whole sphere. Whether a pair goes on (ts_motion_goes_on) changes amid
/// a block only where both classes are full, and then nothing is added. Where the contacts let all
/// free twists through (`lets_free`), one stands for as many as there are: the share is 0; and
/// where they hold the truth, one of each class does.
static void tally_mixed(sums *out, const ts_pair_motion *motion, stream *twists, size_t quota,
                        bool lets_free) {
  _Static_assert(TS_MOTION_TRIES_EMPTY % TS_TWIST_BLOCK == 0, "found empty between two blocks");
  tally free = {0}, blocked = {0};
  if (lets_free && hold_truth(motion) && find_both(motion, twists)) {
    add_share(&out->blocked, (tally){.count = 1});
    add_share(&out->freed, (tally){.count = 1});
    return;
  }
  size_t asked = motion->oracle ? motion->oracle->try_count : SIZE_MAX;
  size_t tries = asked < TS_MOTION_TRIES * quota ? asked : TS_MOTION_TRIES * quota;
  size_t free_quota = lets_free ? 1 : quota;
  for (size_t i = 0;
       i < tries &&
       ts_motion_goes_on(i, quota, free.count < free_quota ? free.count : quota, blocked.count);
       i += TS_TWIST_BLOCK) {
    const ts_twist_block *block = block_at(twists, i);
    ts_twist_mask asks = first_twists(tries - i), is_free = 0, is_blocked = 0;
    // Of a class that is full the truth need not be known, unless the other one depends on it.
    if (blocked.count < quota)
      is_blocked = ts_motion_truly_blocked(motion, i, block);
    bool needs_free = free.count < free_quota;
    if (needs_free && lets_free && motion->is_chosen_truth)
      is_free = find_free(motion, i, block, asks & ~is_blocked);
    else if (needs_free || (is_blocked && !motion->is_chosen_truth))
      is_free = ts_motion_truly_free(motion, i, block);
    add_twists(&free, motion, block, is_free & asks, free_quota, false);
    add_twists(&blocked, motion, block, is_blocked & ~is_free & asks, quota, true);
  }
  add_share(&out->blocked, free);
  add_share(&out->freed, blocked);
}

/// Whether the contacts block no slide in a plane: what they say of a unit motion in it is below
/// the speed that is let through.
static bool lets_slides(const ts_pair_motion *motion, const ts_twist_slide *slide) {
  if (slide->kind != TS_SLIDE_IN_PLANE)
    return false;
  for (size_t i = 0; i < motion->contact_count; i++) {
    const double *row = motion->contacts[i].of;
    ts_vec3 force = {row[0], row[1], row[2]}, moment = {row[3], row[4], row[5]};
    ts_vec3 along = ts_vec3_cross(force, slide->direction);
    double spin = ts_vec3_dot(moment, slide->direction);
    double bound =
        sqrt(ts_vec3_norm2(along) + spin * spin) + TS_TWIST_ROUNDING * ts_twist_norm(row);
    if (!(bound <= motion->undecided_speed))
      return false;
  }
  return true;
}

/// Whether one of the first `quota` twists can be made to slide.
static bool any_slides(const ts_twist_slide *slide, stream *twists, size_t quota) {
  bool slides = false;
  for (size_t i = 0; i < quota && !slides; i++) {
    double twist[6];
    get_twist(twist, twists, i);
    slides = ts_twist_make_slide(twist, slide);
  }
  return slides;
}

/// Stratum S: twists along which the bodies slide.
static void tally_sliding(sums *out, const ts_pair_motion *motion, stream *twists, size_t quota) {
  ts_twist_slide slide = ts_twist_slide_on(&motion->chosen);
  tally slides = {0};
  if (lets_slides(motion, &slide)) { // one stands for as many as there are: the share is 0
    slides.count = any_slides(&slide, twists, quota);
    add_share(&out->sliding, slides);
    return;
  }
  for (size_t i = 0; i < quota && slide.kind != TS_SLIDE_NONE; i += TS_TWIST_BLOCK) {
    ts_twist_block block;
    ts_twist_mask which = ts_twist_block_slide(&block, block_at(twists, i), &slide);
    which &= first_twists(quota - i);
    slides.count += (size_t)__builtin_popcountll(which);
    slides.wrong += ts_motion_count_blocked(motion, &block, which, motion->undecided_speed);
  }
  add_share(&out->sliding, slides);
}

/// The relative motion that the scene gives the bodies, as a unit twist; false when they have none,
/// or have moved from the poses that the truth was designed for.
static bool given_twist(double out[6], const ts_judgement *judgement, const ts_judged_pair *pair,
                        const ts_twist_frame *frame) {
  bool has_any_one = false;
  for (size_t r = pair->first_region; r < pair->first_region + pair->region_count; r++) {
    const ts_region *region = &judgement->scene->regions[r];
    if (region->place_error_m > 0)
      return false;
    has_any_one |= !region->needs_all;
  }
  if (!has_any_one)
    return false;
  const ts_body *a = &judgement->scene->bodies[pair->set->body_a];
  const ts_body *b = &judgement->scene->bodies[pair->set->body_b];
  ts_quat to_frame = ts_quat_conjugate(frame->axes);
  ts_vec3 v = ts_vec3_sub(ts_twist_velocity_at(b->twist, b->pose, frame->centre),
                          ts_twist_velocity_at(a->twist, a->pose, frame->centre));
  ts_vec3 w = ts_vec3_sub(b->twist.angular_rad_s, a->twist.angular_rad_s);
  v = ts_quat_rotate(to_frame, v);
  w = ts_vec3_scale(ts_quat_rotate(to_frame, w), frame->length_m);
  ts_twist_row unit = {{v.x, v.y, v.z, w.x, w.y, w.z}};
  bool moves = ts_twist_row_unit(&unit);
  for (int i = 0; i < 6; i++)
    out[i] = unit.of[i];
  return moves;
}

/// Stratum V: free twists around the given one, for pairs where any one normal is enough.
static void tally_given(sums *out, const ts_pair_motion *motion, const double given[6],
                        stream *twists, size_t quota) {
  tally free = {0};
  size_t tries = TS_MOTION_TRIES * quota;
  for (size_t i = 0; i < tries && free.count < quota; i += TS_TWIST_BLOCK) {
    ts_twist_block block;
    ts_twist_block_spread(&block, block_at(twists, i), given, GIVEN_SPREAD);
    ts_twist_mask is_free = ts_twist_block_above(&motion->truth, &block, motion->undecided_speed);
    add_twists(&free, motion, &block, is_free & first_twists(tries - i), quota, false);
  }
  add_share(&out->given, free);
}

/// The exact form: compares the two cones. Whether that shows that the contacts let every free
/// twist through: of it all rows of `chosen` are positive, and so is what is in their cone.
static bool hold_cones(sums *out, const ts_pair_motion *motion) {
  if (motion->group_count > 0)
    return false; // what alternatives block is not a cone
  bool lets_free = true;
  for (size_t i = 0; i < motion->contact_count; i++) {
    double residual = ts_twist_row_residual(
        motion->chosen_wrenches.rows, motion->chosen_wrenches.count, &motion->contact_wrenches[i]);
    // Of a number and a NaN, the number.
    out->residual_max = fmax(out->residual_max, fmax(0, residual - motion->allowed_speed));
    double bound = ts_twist_norm(motion->contacts[i].of) * (residual + TS_TWIST_ROUNDING);
    lets_free &= bound <= TS_TWIST_SPEED;
  }
  for (size_t i = 0; i < motion->needed_wrenches.count; i++) {
    double missing = ts_twist_row_residual(motion->contact_wrenches, motion->contact_count,
                                           &motion->needed_wrenches.rows[i]);
    out->missing_max = fmax(out->missing_max, fmax(0, missing - motion->allowed_speed));
  }
  return lets_free;
}

/// `first` is the index of its first twist in the sequence. The oracle knows nothing about sliding
/// and given twists, nor about wrenches.
static ts_status add_pair(sums *out, const ts_judgement *judgement, const ts_judged_pair *pair,
                          stream *twists, uint32_t first, size_t quota) {
  ts_pair_motion motion;
  if (pair->is_unknown)
    return TS_OK;
  TS_TRY(ts_motion_of_pair(&motion, judgement, pair));
  if (!pair->touches && motion.contact_count == 0)
    return TS_OK;
  double given[6];
  start_stream(twists, first);
  bool is_known = !judgement->scene->truth_is_unknown;
  bool lets_free = is_known && hold_cones(out, &motion) && !motion.oracle;
  tally_mixed(out, &motion, twists, quota, lets_free);
  if (!is_known)
    return TS_OK;
  tally_sliding(out, &motion, twists, quota);
  if (pair->touches && given_twist(given, judgement, pair, &motion.frame))
    tally_given(out, &motion, given, twists, quota);
  return TS_OK;
}

static ts_status compute(ts_record *record, const ts_judgement *judgement) {
  sums total = {.residual_max = NAN, .missing_max = NAN};
  size_t touching = 0, index = 0;
  for (size_t p = 0; p < judgement->pair_count; p++)
    touching += judgement->pairs[p].touches;
  size_t quota = ts_motion_twists(touching);
  stream twists = {.samples = ts_twist_samples_start(0)};
  for (size_t p = 0; p < judgement->pair_count; p++) {
    const ts_judged_pair *pair = &judgement->pairs[p];
    ts_arena_mark mark = ts_arena_get_mark(judgement->arena);
    // Pairs that do not touch all use the first part of the sequence, so that contacts that a
    // method invents there do not shift the twists of the other pairs.
    uint32_t first = ts_motion_first_twist(touching, pair->touches ? index : 0);
    TS_TRY(add_pair(&total, judgement, pair, &twists, first, quota));
    ts_arena_rewind(judgement->arena, mark);
    index += pair->touches;
  }
  record->blocked_wrongly_percent = percent(total.blocked);
  record->freed_wrongly_percent = percent(total.freed);
  record->blocked_wrongly_sliding_percent = percent(total.sliding);
  record->blocked_wrongly_given_percent = percent(total.given);
  record->wrench_residual_max = total.residual_max;
  record->wrench_missing_max = total.missing_max;
  return TS_OK;
}

extern const ts_metric ts_metric_motion;
const ts_metric ts_metric_motion = {
    .name = "motion",
    .unit = "percent",
    .needs = "motions",
    .summary = "Share of a pair's free motions that its contacts block, and of its blocked motions "
               "that they let through; also the wrench errors.",
    .source = "touchstone",
    .compute = compute,
};
