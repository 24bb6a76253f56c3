// SPDX-License-Identifier: MIT
/// The judgement: each unique contact is compared with the truth once, for all measures and for
/// contacts.csv.
///
/// A contact belongs to the region of its pair that it is in place of, or else to the nearest one;
/// among several (in place, or equally near within TS_TOUCH_RELATIVE) to the one with the feasible
/// normal closest to the contact's, then to the one of lower index. Its normal is judged by the
/// feasible normals of that region: where all are needed by the closest of them, where any one is
/// right by the cone that they span, since a plane that separates two bodies along the extreme
/// normals does so along all between them.
///
/// Under TS_RULE_PUBLISHED or TS_REFERENCE_PUBLISHED the nearest region and single normals count,
/// as in the published tables.
#ifndef TS_HARNESS_JUDGE_H
#define TS_HARNESS_JUDGE_H

#include "cases/truth/oracle_truth.h"
#include "geometry/cone.h"
#include "geometry/contact_set.h"
#include "harness/judge/ahead.h"
#include "methods/method.h"

#define TS_NO_REGION SIZE_MAX

/// Which contacts the measures take into account.
typedef enum ts_scoring_rule {
  TS_RULE_TOUCHSTONE, ///< Contacts of pairs that touch in truth, without speculative ones.
  TS_RULE_PUBLISHED   ///< All contacts, as in the tables of Erleben 2018.
} ts_scoring_rule;

typedef struct ts_scoring {
  ts_reference reference;
  ts_scoring_rule rule;
  double normal_tolerance;            ///< |1 - |n.f||
  double position_tolerance_relative; ///< relative to the pair size; twice the envelope is added
  bool has_no_gaps;                   ///< the gaps are unknown, and NaN: none is judged
  /// TS_TAKES(): kinds of geometry that the contacts were found on. Of shapes of other kinds it was
  /// triangles, whose stated error they are allowed.
  uint32_t takes;
  bool is_on_pieces; ///< Of shapes that are not convex it was their convex pieces.
} ts_scoring;

/// By how much the triangles that the contacts of a pair were found on may be off the shapes that
/// they are judged by; 0 for contacts that were found on the shapes.
typedef struct ts_mesh_allowance {
  double error_m;   ///< depth of an overlap that is due to them
  double angle_rad; ///< of a normal
  double place_m;   ///< how far a contact may be from the place where the shapes touch
} ts_mesh_allowance;

typedef struct ts_verdict {
  size_t region;   ///< index into scene->regions of the nearest; TS_NO_REGION: the pair does not
                   ///< touch, or the truth is unknown
  size_t feasible; ///< index of the closest feasible normal of that region's reference
  double position_error_m; ///< distance from that region; NaN without a region or for a point that
                           ///< is not finite
  double
      normal_error_deg; ///< to the closest feasible normal of that region, up to sign; NaN as above
  /// How far the gap lies outside the interval that the true gap g along the closest feasible
  /// normal and the envelope explain: [g, g + 2 e] when eroded by e, [g - 2 d, g] when dilated by
  /// d; NaN as above and where the bodies have moved, but INFINITY for a gap that is not finite.
  double gap_error_m;
  bool is_correct;     ///< |1 - |n.f|| within the tolerance for some f, n as delivered
  bool is_flipped;     ///< n.f < 0 for the closest f, by more than TS_SAME_DIRECTION_RAD
  bool is_invalid;     ///< normal not finite, zero or not unit within TS_UNIT_NORMAL
  bool is_gap_wrong;   ///< in place, and the gap error is above the tolerance; or not finite
  bool is_phantom;     ///< not speculative, and the pair is apart or no region within tolerance
  bool is_speculative; ///< predicts a touch, see ts_judge()
  bool is_wrong_ahead; ///< speculative, and neither as the truth says of a normal of that region
                       ///< nor as the surfaces of the bodies are (ts_ahead_is_right)
} ts_verdict;

/// Contacts of one pair with their verdicts.
typedef struct ts_judged_pair {
  const ts_contact_set *set;
  const ts_verdict *verdicts;        ///< [set->count]
  size_t first_region, region_count; ///< of scene->regions; count 0: the pair is not designed to
                                     ///< touch
  const ts_oracle_pair *oracle;      ///< its motions where the oracle knows them; else NULL
  bool touches;                      ///< some region needs a contact, or the oracle says that the
                                     ///< pair touches
  bool may_touch;                    ///< or a region may have one: it is not open
  bool is_unknown;                   ///< its bodies have moved to where its truth is unknown
  bool counts;                       ///< its contacts are in C unless they are speculative
  double size_m, position_tolerance_m, gap_tolerance_m;
  double normal_tolerance; ///< as in ts_scoring, with what triangles are allowed
  ts_mesh_allowance allowance;
  double clip_m; ///< by how much one touch may clip the features of another: the largest absolute
                 ///< gap of its regions; 0 when there is one, as published, and where the truth is
                 ///< moved, whose places allow for it
  ts_touch_limits limits;
  ts_vec3 way_out; ///< of its regions
} ts_judged_pair;

typedef struct ts_judgement {
  const ts_scene *scene;
  ts_scoring scoring;
  ts_envelope envelope;
  size_t pair_count;
  const ts_judged_pair *pairs; ///< every pair with contacts or truth, sorted by (a, b)
  ts_arena *arena;             ///< scratch for the metrics
  ts_ahead *ahead;             ///< the surfaces that contacts ahead of a touch are judged by
} ts_judgement;

/// Judges canonical contact sets [set_count], sorted by (a, b). A pair that touches in truth but
/// has no set gets an empty one. Cost grows with sets + regions + contacts x regions of their pair.
///
/// A contact is speculative if its gap is above twice the envelope plus the scene's touch_relative
/// of the pair size, or if its gap, minus what dilation explains, is above zero at a feasible
/// normal (or a region) that is open in truth: nothing touches yet, and the contact says so. Where
/// the bodies overlap and their shortest way out is known, so is a contact whose gap is above that
/// after they have moved out, unless it is one of a region, with a wrong gap: it is shallower than
/// the overlap, and is judged by the surfaces there.
///
/// In a scene whose truth is unknown (ts_scene) no contact has a region or is correct, flipped or
/// phantom, and every pair counts: only what does not need truth is judged, i.e. whether normals
/// are invalid and gaps speculative. Pairs that touch according to the oracle appear even without a
/// contact.
ts_status ts_judge(ts_judgement *out, ts_arena *arena, const ts_scene *scene,
                   const ts_contact_set *sets, size_t set_count, ts_envelope envelope,
                   ts_scoring scoring);

/// Whether contact `index` of a pair is in C, the set of contacts that most measures use; depends
/// on the scoring rule.
static inline bool ts_judged_counts(const ts_judged_pair *pair, size_t index) {
  return pair->counts && !pair->verdicts[index].is_speculative;
}

/// Whether contact `index` of a pair is in C and serves a region (an index into the scene's
/// regions): it is in place there, its normal has a direction, and it belongs to the region or has
/// one of its normals. A contact in the place of several regions serves all whose normal it has.
bool ts_judged_serves(const ts_judgement *judgement, const ts_judged_pair *pair, size_t index,
                      size_t region);

/// Whether contact `index` of a pair belongs to a region (an index into the scene's regions) or
/// serves it.
bool ts_judged_is_of(const ts_judgement *judgement, const ts_judged_pair *pair, size_t index,
                     size_t region);

/// What the truth of a pair says of a contact there.
typedef enum ts_demand {
  TS_DEMAND_NONE,  ///< No region has such a contact: it is wrong.
  TS_DEMAND_FREE,  ///< It is right and not needed, or another one is there in its stead.
  TS_DEMAND_CLOSED ///< It is needed.
} ts_demand;

/// By the corner of its region that is closest to the contact.
ts_demand ts_judged_demand(const ts_judgement *judgement, const ts_judged_pair *pair,
                           const ts_contact *contact);

/// Whether a contact is at a corner of a region of the pair that has its normal, within `within_m`.
bool ts_judged_is_at_corner(const ts_judgement *judgement, const ts_judged_pair *pair,
                            const ts_contact *contact, double within_m);

/// Whether a region of a pair (an index into the scene's regions) needs a contact and has none that
/// serves it.
bool ts_judged_misses(const ts_judgement *judgement, const ts_judged_pair *pair, size_t region);

/// How many contacts a region (an index into the scene's regions) lacks of its minimum.
size_t ts_judged_missing_contacts(const ts_judgement *judgement, const ts_judged_pair *pair,
                                  size_t region);

/// The direction closest to `direction` (unit) of those between the feasible normals of a region;
/// count 0: only the feasible normals themselves are right there.
ts_cone_direction ts_judged_cone(ts_scoring scoring, const ts_region *region, ts_vec3 direction);

/// How many of the needed normals of a region (an index into the scene's regions) are matched by a
/// contact of it. Needed are all that are not open, or any one of them.
size_t ts_judged_met_normals(const ts_judgement *judgement, const ts_judged_pair *pair,
                             size_t region);

/// Whether a contact of a region (an index into the scene's regions) has its feasible normal number
/// `normal` of the reference.
bool ts_judged_meets_normal(const ts_judgement *judgement, const ts_judged_pair *pair,
                            size_t region, size_t normal);

/// How deep the bodies of a pair overlap in truth [m]: the largest over its regions and normals.
double ts_judged_overlap_m(const ts_judgement *judgement, const ts_judged_pair *pair);

/// The minimum number of contacts that represents the corners of a pair (ts_regions_minimum).
size_t ts_judged_minimum(const ts_judgement *judgement, const ts_judged_pair *pair,
                         ts_corner_set corners);

/// Regions [pair->region_count] of a pair; NULL: none.
const ts_region *ts_judged_regions(const ts_judgement *judgement, const ts_judged_pair *pair);

/// |C|
size_t ts_judgement_count(const ts_judgement *judgement);

#endif
