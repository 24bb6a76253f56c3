// SPDX-License-Identifier: MIT
#include "elastic/direction.h"

#include "base/status.h"
#include "geometry/tolerances.h"

#include <stdbool.h>

/// Unit mean normal; zero where the normals cancel out.
static ts_vec3 mean_normal(const ts_inside_part *part, int body) {
  ts_vec3 sum = part->area_vector_m2[body];
  if (!(ts_vec3_norm(sum) > TS_ELASTIC_CANCEL * part->area_m2[body]))
    return (ts_vec3){0, 0, 0};
  return ts_vec3_unit(sum);
}

/// Whether much of a surface inside the other body faces the wrong way, in pieces of its own.
static bool goes_through(const ts_inside_part *part, int body, ts_vec3 m) {
  double forwards = 0, backwards = 0;
  for (size_t i = 0; i < part->sheet_count[body]; i++) {
    double along = ts_vec3_dot(part->sheets[body][i].area_vector_m2, m);
    along = body == 0 ? along : -along;
    forwards += ts_max(along, 0);
    backwards += ts_max(-along, 0);
  }
  return backwards > TS_ELASTIC_THROUGH_SHARE * forwards;
}

ts_status ts_mapping_direction(ts_vec3 *out, const ts_inside_part *part) {
  ts_vec3 mean_a = mean_normal(part, 0), mean_b = mean_normal(part, 1);
  double weight_a = part->variance[1], weight_b = part->variance[0];
  if (ts_max(weight_a, weight_b) <= TS_ELASTIC_FLAT_VARIANCE)
    weight_a = weight_b = 1;
  ts_vec3 sum = ts_vec3_sub(ts_vec3_scale(mean_a, weight_a), ts_vec3_scale(mean_b, weight_b));
  if (!(ts_vec3_norm(sum) > TS_ELASTIC_CANCEL * (weight_a + weight_b)))
    return ts_fail(TS_SKIPPED,
                   "the overlap has no mapping direction: the normals of both surfaces inside the "
                   "other body cancel out, as where one body goes through the other; give a "
                   "direction, or move the bodies apart");
  *out = ts_vec3_unit(sum);
  for (int body = 0; body < 2; body++)
    if (goes_through(part, body, *out))
      return ts_fail(TS_SKIPPED,
                     "body %c goes right through body %c: no surface lies between them; move the "
                     "bodies apart",
                     "ba"[body], "ab"[body]);
  return TS_OK;
}

/// Share of a body's surface in a part that is steeper than 80 degrees to the direction, or turned
/// away.
static double steep_share(const ts_elastic_body *of, const ts_inside *inside, int body, size_t part,
                          ts_vec3 towards) {
  double steep_m2 = 0;
  for (size_t i = 0; i < inside->piece_count[body]; i++) {
    const ts_inside_piece *piece = &inside->pieces[body][i];
    if (piece->part == part &&
        ts_vec3_dot(of->normals[piece->triangle], towards) < TS_ELASTIC_STEEP_COSINE)
      steep_m2 += piece->area_m2;
  }
  return steep_m2 / inside->parts[part].area_m2[body];
}

ts_status ts_direction_refuse_steep(const ts_elastic_pair *pair, const ts_inside *inside,
                                    size_t part, ts_vec3 m) {
  double share_a = steep_share(&pair->body[0], inside, 0, part, m);
  double share_b = steep_share(&pair->body[1], inside, 1, part, ts_vec3_neg(m));
  if (!(ts_min(share_a, share_b) > 0.5))
    return TS_OK;
  return ts_fail(TS_SKIPPED,
                 "the overlap is one connected part that faces several ways, as where a hole holds "
                 "a peg: %.0f %% of body a and %.0f %% of body b in it are steeper than 80 degrees "
                 "to the mapping direction; make the overlap fall into parts, as by a smaller "
                 "dilation, or use a method without such a direction",
                 100 * share_a, 100 * share_b);
}
