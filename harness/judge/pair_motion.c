// SPDX-License-Identifier: MIT
#include "harness/judge/pair_motion.h"

#include "base/status.h"
#include "geometry/tolerances.h"

#include <stdlib.h>
#include <string.h>

/// Whether a contact blocks motions: it is not speculative, and its point and normal are finite and
/// the normal is not zero. The direction is taken as delivered.
static bool counts(const ts_judged_pair *pair, size_t index) {
  const ts_contact *contact = &pair->set->contacts[index];
  return !pair->verdicts[index].is_speculative && ts_vec3_is_finite(contact->point) &&
         ts_vec3_norm2(ts_vec3_unit(contact->normal)) > 0;
}

/// Whether a normal is one of a set's, and not only between them.
static bool has_normal(const ts_feasible_set *set, ts_vec3 normal, double tolerance) {
  for (size_t f = 0; f < set->count; f++)
    if (1 - ts_vec3_dot(set->normals[f].normal, normal) <= tolerance)
      return true;
  return false;
}

/// The sum of the normals of the contacts of a region, those of other regions that serve this one
/// among them. Where some have a normal of the reference, only these count: one that lies between
/// such normals is that of another region at the place.
static ts_vec3 sum_of_normals(const ts_judgement *judgement, const ts_judged_pair *pair,
                              size_t index) {
  const ts_scoring *scoring = &judgement->scoring;
  const ts_feasible_set *set = &judgement->scene->regions[index].feasible[scoring->reference];
  ts_vec3 of_reference = {0, 0, 0}, of_all = {0, 0, 0};
  for (size_t i = 0; i < pair->set->count; i++) {
    ts_vec3 normal = ts_vec3_unit(pair->set->contacts[i].normal);
    if (!counts(pair, i) || !ts_judged_is_of(judgement, pair, i, index))
      continue;
    of_all = ts_vec3_add(of_all, normal);
    if (has_normal(set, normal, pair->normal_tolerance))
      of_reference = ts_vec3_add(of_reference, normal);
  }
  return ts_vec3_norm2(of_reference) > 0 ? of_reference : of_all;
}

/// The normal of the reference that the contacts of a region agree with best, or one between those
/// of a region where any one is right.
static ts_vec3 choose(const ts_judgement *judgement, const ts_judged_pair *pair, size_t index) {
  const ts_region *region = &judgement->scene->regions[index];
  const ts_feasible_set *set = &region->feasible[judgement->scoring.reference];
  ts_vec3 best = set->normals[0].normal, sum = sum_of_normals(judgement, pair, index);
  double largest = -INFINITY;
  for (size_t f = 0; f < set->count; f++) {
    double agreement = ts_vec3_dot(sum, set->normals[f].normal);
    if (agreement > largest + TS_SAME_DIRECTION_RAD) {
      largest = agreement;
      best = set->normals[f].normal;
    }
  }
  ts_vec3 mean = ts_vec3_unit(sum);
  if (!(ts_vec3_norm2(mean) > 0))
    return best;
  ts_cone_direction between = ts_judged_cone(judgement->scoring, region, mean);
  return between.count > 1 ? between.direction : best;
}

/// Where nothing touches, the centre of the contacts replaces that of the regions.
static ts_twist_frame frame_of(const ts_judgement *judgement, const ts_judged_pair *pair) {
  if (pair->oracle)
    return ts_oracle_frame(judgement->scene, pair->oracle);
  ts_twist_frame frame =
      ts_motion_frame(judgement->scene, pair->set->body_a, pair->set->body_b,
                      ts_judged_regions(judgement, pair), pair->may_touch ? pair->region_count : 0);
  ts_vec3 sum = {0, 0, 0};
  size_t count = 0;
  for (size_t i = 0; !pair->may_touch && i < pair->set->count; i++)
    if (counts(pair, i)) {
      sum = ts_vec3_add(sum, ts_vec3_sub(pair->set->contacts[i].point, frame.centre));
      count++;
    }
  if (count > 0)
    frame.centre = ts_vec3_add_scaled(frame.centre, 1 / (double)count, sum);
  return frame;
}

/// The rows of a cone of one row a term, as wrenches.
static ts_status make_wrenches(ts_wrenches *out, ts_arena *arena, const ts_twist_cone *cone) {
  out->count = cone->term_count;
  out->rows = ts_arena_copy(arena, cone->rows, cone->term_count, sizeof *out->rows);
  if (!out->rows)
    return TS_E_MEMORY;
  for (size_t i = 0; i < out->count; i++)
    ts_twist_row_unit(&out->rows[i]);
  return TS_OK;
}

/// Whether two cones have the same terms, each of one row.
static bool are_equal(const ts_twist_cone *a, const ts_twist_cone *b) {
  size_t count = a->term_count;
  if (count == 0 || b->term_count != count || a->term_ends[count - 1] != count ||
      b->term_ends[count - 1] != count)
    return false;
  for (size_t t = 0; t < count; t++)
    if (a->is_edge[t] || b->is_edge[t])
      return false;
  return memcmp(a->rows, b->rows, count * sizeof *a->rows) == 0;
}

/// Whether nothing is to be chosen in a region, and all of its corners are closed: what it may
/// block is what it blocks for certain.
static bool is_certain(const ts_scene *scene, const ts_region *region) {
  const ts_feasible_set *set = &region->feasible[TS_REFERENCE_FEASIBLE];
  ts_touch_limits limits = ts_region_limits(scene, region);
  if (!region->needs_all || region->has_arcs)
    return false;
  for (size_t n = 0; n < set->count; n++)
    for (size_t v = 0; v < region->vertex_count; v++)
      if (!ts_region_corner_is_closed(region, &set->normals[n], v, limits))
        return false;
  return true;
}

static ts_status add_truth(ts_pair_motion *out, const ts_judgement *judgement,
                           const ts_judged_pair *pair) {
  const ts_scene *scene = judgement->scene;
  const ts_region *regions = ts_judged_regions(judgement, pair);
  size_t count = pair->region_count;
  ts_arena *arena = judgement->arena;
  ts_vec3 *choice = ts_arena_array(arena, count, sizeof *choice);
  if (!choice)
    return TS_E_MEMORY;
  bool are_certain = true;
  for (size_t i = 0; i < count; i++) {
    are_certain = are_certain && is_certain(scene, &regions[i]);
    if (!regions[i].needs_all)
      choice[i] = choose(judgement, pair, pair->first_region + i);
  }
  TS_TRY(ts_motion_truth(&out->truth, arena, scene, &out->frame, regions, count, NULL,
                         TS_CORNERS_CLOSED));
  out->chosen = out->truth;
  if (!are_certain)
    TS_TRY(ts_motion_truth(&out->chosen, arena, scene, &out->frame, regions, count, choice,
                           TS_CORNERS_ALL));
  out->is_chosen_truth = are_equal(&out->truth, &out->chosen);
  TS_TRY(make_wrenches(&out->chosen_wrenches, arena, &out->chosen));
  bool needs_all_corners = true;
  for (size_t i = 0; i < count; i++)
    needs_all_corners &= !regions[i].has_arcs;
  if (!scene->truth_is_moved && needs_all_corners) {
    out->needed_wrenches = out->chosen_wrenches;
    return TS_OK;
  }
  ts_twist_cone needed;
  TS_TRY(ts_motion_truth(&needed, arena, scene, &out->frame, regions, count, choice,
                         TS_CORNERS_CLOSED));
  return make_wrenches(&out->needed_wrenches, arena, &needed);
}

/// A contact with its group, for sorting.
typedef struct member {
  uint32_t group;
  size_t index;
} member;

static int compare_members(const void *left, const void *right) {
  const member *l = left, *r = right;
  if (l->group != r->group)
    return l->group < r->group ? -1 : 1;
  return (l->index > r->index) - (l->index < r->index);
}

/// False when it blocks nothing.
static bool add_contact(ts_pair_motion *out, const ts_judged_pair *pair, size_t index) {
  if (!counts(pair, index))
    return false;
  const ts_contact *contact = &pair->set->contacts[index];
  ts_twist_row row = ts_twist_row_make(&out->frame, contact->point, ts_vec3_unit(contact->normal));
  ts_twist_row unit = row;
  if (!ts_twist_row_unit(&unit)) // so far away that its torque is not finite
    return false;
  out->contact_wrenches[out->contact_count] = unit;
  out->contacts[out->contact_count++] = row;
  return true;
}

static ts_status add_contacts(ts_pair_motion *out, ts_arena *arena, const ts_judged_pair *pair) {
  size_t count = pair->set->count;
  out->contacts = ts_arena_array(arena, count, sizeof *out->contacts);
  out->contact_wrenches = ts_arena_array(arena, count, sizeof *out->contact_wrenches);
  size_t *group_ends = ts_arena_array(arena, count, sizeof *group_ends);
  member *members = ts_arena_array(arena, count, sizeof *members);
  if (!out->contacts || !out->contact_wrenches || !group_ends || !members)
    return TS_E_MEMORY;
  bool has_groups = false;
  for (size_t i = 0; i < count; i++) {
    members[i] = (member){pair->set->contacts[i].group, i};
    has_groups |= members[i].group != 0;
  }
  if (has_groups)
    qsort(members, count, sizeof *members, compare_members);
  for (size_t first = 0, end; first < count; first = end) {
    for (end = first + 1; end < count && members[end].group == members[first].group; end++)
      ;
    bool is_group = members[first].group != 0;
    size_t before = out->contact_count, added = 0;
    for (size_t m = first; m < end; m++)
      added += add_contact(out, pair, members[m].index);
    // A speculative alternative leaves the bodies free to move apart: the group blocks nothing.
    if (is_group && added < end - first)
      out->contact_count = before;
    else if (is_group)
      group_ends[out->group_count++] = out->contact_count;
    else
      out->single_count = out->contact_count;
  }
  out->group_ends = group_ends;
  return TS_OK;
}

bool ts_motion_is_blocked(const ts_pair_motion *motion, const double twist[6], double speed) {
  if (ts_twist_rows_block(motion->contacts, motion->single_count, twist, speed))
    return true;
  size_t row = motion->single_count;
  for (size_t g = 0; g < motion->group_count; g++) {
    bool blocks_all = true;
    for (; row < motion->group_ends[g]; row++)
      blocks_all &= ts_twist_row_speed(&motion->contacts[row], twist) < -speed;
    if (blocks_all)
      return true;
  }
  return false;
}

bool ts_motion_is_truly_free(const ts_pair_motion *motion, size_t index, const double twist[6]) {
  if (motion->oracle)
    return motion->oracle->answers[index] == TS_MOTION_FREE;
  return ts_twist_cone_margin(&motion->chosen, twist) > motion->undecided_speed;
}

bool ts_motion_is_truly_blocked(const ts_pair_motion *motion, size_t index, const double twist[6]) {
  if (motion->oracle)
    return motion->oracle->answers[index] == TS_MOTION_BLOCKED;
  return ts_twist_cone_margin(&motion->truth, twist) < -motion->undecided_speed;
}

static ts_twist_mask find_blocked(const ts_pair_motion *motion, const ts_twist_block *block,
                                  double speed) {
  ts_twist_mask blocked =
      ts_twist_block_any_blocks(motion->contacts, motion->single_count, block, speed);
  for (size_t g = 0, row = motion->single_count; g < motion->group_count; g++) {
    size_t count = motion->group_ends[g] - row;
    blocked |= ts_twist_block_all_block(&motion->contacts[row], count, block, speed);
    row += count;
  }
  return blocked;
}

size_t ts_motion_count_blocked(const ts_pair_motion *motion, const ts_twist_block *block,
                               ts_twist_mask which, double speed) {
  enum {
    FEW = 8
  }; // so many are tested faster one by one, each up to the first contact that blocks
  size_t count = 0;
  if (__builtin_popcountll(which) > FEW)
    return (size_t)__builtin_popcountll(which & find_blocked(motion, block, speed));
  for (; which; which &= which - 1) {
    double twist[6];
    ts_twist_block_get(twist, block, (size_t)__builtin_ctzll(which));
    count += ts_motion_is_blocked(motion, twist, speed);
  }
  return count;
}

/// The twists of a block to which the oracle gives that answer.
static ts_twist_mask mask_answers(const ts_oracle_pair *oracle, size_t index, ts_motion answer) {
  ts_twist_mask mask = 0;
  for (size_t t = 0; t < TS_TWIST_BLOCK && index + t < oracle->try_count; t++)
    mask |= (ts_twist_mask)(oracle->answers[index + t] == answer) << t;
  return mask;
}

ts_twist_mask ts_motion_truly_free(const ts_pair_motion *motion, size_t index,
                                   const ts_twist_block *block) {
  return motion->oracle ? mask_answers(motion->oracle, index, TS_MOTION_FREE)
                        : ts_twist_block_above(&motion->chosen, block, motion->undecided_speed);
}

ts_twist_mask ts_motion_truly_blocked(const ts_pair_motion *motion, size_t index,
                                      const ts_twist_block *block) {
  return motion->oracle ? mask_answers(motion->oracle, index, TS_MOTION_BLOCKED)
                        : ts_twist_block_below(&motion->truth, block, -motion->undecided_speed);
}

ts_status ts_motion_of_pair(ts_pair_motion *out, const ts_judgement *judgement,
                            const ts_judged_pair *pair) {
  *out = (ts_pair_motion){.frame = frame_of(judgement, pair), .oracle = pair->oracle};
  // A turned normal turns the velocity of the contact and the one that a spin gives it there.
  out->allowed_speed =
      2 * pair->allowance.angle_rad + pair->allowance.place_m / out->frame.length_m;
  out->undecided_speed = TS_TWIST_SPEED + out->allowed_speed;
  if (judgement->scene->truth_is_moved)
    out->undecided_speed +=
        TS_MOVED_PLACE_PER_DEPTH * ts_judged_overlap_m(judgement, pair) / out->frame.length_m;
  if (!pair->oracle)
    TS_TRY(add_truth(out, judgement, pair));
  return add_contacts(out, judgement->arena, pair);
}

ts_status ts_motion_residuals(double *out, const ts_judgement *judgement,
                              const ts_judged_pair *pair) {
  for (size_t i = 0; i < pair->set->count; i++)
    out[i] = NAN;
  if (judgement->scene->truth_is_unknown || pair->is_unknown || pair->set->count == 0)
    return TS_OK;
  ts_arena_mark mark = ts_arena_get_mark(judgement->arena);
  ts_pair_motion motion;
  TS_TRY(ts_motion_of_pair(&motion, judgement, pair));
  for (size_t i = 0; i < pair->set->count; i++) {
    const ts_contact *contact = &pair->set->contacts[i];
    ts_twist_row row =
        ts_twist_row_make(&motion.frame, contact->point, ts_vec3_unit(contact->normal));
    if (contact->group == 0 && counts(pair, i) && ts_twist_row_unit(&row))
      out[i] = fmax(0, ts_twist_row_residual(motion.chosen_wrenches.rows,
                                             motion.chosen_wrenches.count, &row) -
                           motion.allowed_speed);
  }
  ts_arena_rewind(judgement->arena, mark);
  return TS_OK;
}
