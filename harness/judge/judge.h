// SPDX-License-Identifier: MIT
/// The judgement: each unique contact held against the truth, once, for all measures and for
/// contacts.csv.
///
/// A contact belongs to the nearest region of its pair; of regions equally near (within
/// TS_TOUCH_RELATIVE) to the one that has a feasible normal closest to the contact's, then to the
/// one of lower index. Its normal is judged by the feasible normals of that region alone.
#ifndef TS_HARNESS_JUDGE_H
#define TS_HARNESS_JUDGE_H

#include "cases/truth/oracle_truth.h"
#include "geometry/contact_set.h"
#include "methods/method.h"

#define TS_NO_REGION SIZE_MAX

/// Which contacts the measures look at.
typedef enum ts_scoring_rule {
  TS_RULE_TOUCHSTONE, ///< Those of pairs that touch in truth, and that are not speculative.
  TS_RULE_PUBLISHED   ///< All, as in the tables of Erleben 2018.
} ts_scoring_rule;

typedef struct ts_scoring {
  ts_reference reference;
  ts_scoring_rule rule;
  double normal_tolerance;            ///< |1 - |n.f||
  double position_tolerance_relative; ///< of the pair size; twice the envelope comes on top
} ts_scoring;

typedef struct ts_verdict {
  size_t region;   ///< index into scene->regions of the nearest; TS_NO_REGION: pair does not touch,
                   ///< or the truth is not told
  size_t feasible; ///< index of the closest feasible normal of that region's reference
  double position_error_m; ///< distance from that region; NaN without one or when not finite
  double
      normal_error_deg; ///< to the closest feasible normal of that region, up to sign; NaN likewise
  /// How far the gap lies outside of what the envelope explains of the true gap g along the closest
  /// feasible normal: [g, g + 2 e] eroded by e, [g - 2 d, g] dilated by d; NaN likewise.
  double gap_error_m;
  bool is_correct;     ///< |1 - |n.f|| within the tolerance for some f, n as delivered
  bool is_flipped;     ///< n.f < 0 for the closest f, by more than TS_SAME_DIRECTION_RAD
  bool is_invalid;     ///< normal not finite, zero or not unit within TS_UNIT_NORMAL
  bool is_phantom;     ///< not speculative, and the pair is apart or no region within tolerance
  bool is_speculative; ///< ahead of a touch, see ts_judge()
} ts_verdict;

/// Contacts of one pair with their verdicts.
typedef struct ts_judged_pair {
  const ts_contact_set *set;
  const ts_verdict *verdicts;        ///< [set->count]
  size_t first_region, region_count; ///< of scene->regions; count 0: was never to touch
  const ts_oracle_pair *oracle;      ///< its motions, where the oracle has told them; else NULL
  bool touches;                      ///< some region needs a contact, or the oracle says so
  bool counts;                       ///< its contacts are in C unless speculative
  double size_m, position_tolerance_m;
} ts_judged_pair;

typedef struct ts_judgement {
  const ts_scene *scene;
  ts_scoring scoring;
  ts_envelope envelope;
  size_t pair_count;
  const ts_judged_pair *pairs; ///< every pair with contacts or truth, sorted by (a, b)
  ts_arena *arena;             ///< scratch for the metrics
} ts_judgement;

/// Judges canonical contact sets [set_count], sorted by (a, b); those of pairs that truth knows and
/// no set has appear as empty sets. Cost grows with sets + regions + contacts x regions of their
/// pair.
///
/// Speculative is a contact whose gap is above twice the envelope plus TS_POSITION_RELATIVE of the
/// pair size, and one whose gap, less what dilation explains, is above zero at a feasible normal
/// (or a region) that is open in truth: there is nothing to touch yet, and it says so.
///
/// In a scene whose truth is not told (ts_scene) no contact has a region, is correct, flipped or
/// phantom, and every pair counts: what its contacts say of themselves is judged, whether their
/// normals are invalid and whether their gaps are speculative. Those that the oracle knows to touch
/// appear without a contact, too.
ts_status ts_judge(ts_judgement *out, ts_arena *arena, const ts_scene *scene,
                   const ts_contact_set *sets, size_t set_count, ts_envelope envelope,
                   ts_scoring scoring);

/// Whether contact `index` of a pair is in C, the contacts that most measures look at: by the rule
/// of the scoring.
static inline bool ts_judged_counts(const ts_judged_pair *pair, size_t index) {
  return pair->counts && !pair->verdicts[index].is_speculative;
}

/// Whether a region, an index into the scene's, of a pair needs a contact and has none of C that is
/// in place.
bool ts_judged_misses(const ts_judgement *judgement, const ts_judged_pair *pair, size_t region);

/// How many of the needed normals of a region, an index into the scene's, some contact of it has:
/// of all that are not open, or of any one.
size_t ts_judged_met_normals(const ts_judgement *judgement, const ts_judged_pair *pair,
                             size_t region);

/// |C|
size_t ts_judgement_count(const ts_judgement *judgement);

/// Gap [m] up to which a feasible normal of the pair is closed (ts_feasible_is_open).
double ts_judged_open_m(const ts_judged_pair *pair);

#endif
