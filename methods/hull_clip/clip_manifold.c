// SPDX-License-Identifier: MIT
#include "methods/hull_clip/clip_manifold.h"

#include "base/status.h"
#include "geometry/closest.h"

/// A corner of the incident face while it is clipped.
typedef struct corner {
  ts_vec3 point;
  ts_feature of_reference, of_incident; ///< where it lies
  /// The line to the next corner: a side of the reference face that has cut it, else of the
  /// incident face.
  uint32_t side;
  bool is_cut;
} corner;

typedef struct clipping {
  const ts_clip_body *reference, *incident;
  const ts_clip_face *reference_face, *incident_face;
  ts_vec3 normal; ///< of the reference face
  double touch_m;
} clipping;

static ts_feature vertex_of(const ts_clip_body *body, const ts_clip_face *face, uint32_t index) {
  return (ts_feature){TS_FEATURE_VERTEX, body->shape->vertex_ids[face->corners[index]]};
}

static ts_feature side_of(const ts_clip_body *body, const ts_clip_face *face, uint32_t index) {
  return (ts_feature){TS_FEATURE_EDGE, body->shape->edges[face->sides[index]].id};
}

static ts_feature face_of(const ts_clip_face *face) {
  return (ts_feature){TS_FEATURE_FACE, face->triangle};
}

/// The feature of the reference face where two of its sides meet.
static ts_feature meeting_of(const clipping *c, uint32_t earlier, uint32_t side) {
  uint32_t count = c->reference_face->count;
  if ((earlier + 1) % count == side)
    return vertex_of(c->reference, c->reference_face, side);
  if ((side + 1) % count == earlier)
    return vertex_of(c->reference, c->reference_face, earlier);
  return side_of(c->reference, c->reference_face, side);
}

/// Where the line from one corner to the next crosses a side, at heights of opposite signs.
static corner cross_side(const clipping *c, uint32_t side, const corner *from, const corner *to,
                         double from_height, double to_height) {
  double t = from_height / (from_height - to_height);
  bool lies_on_side = from->is_cut;
  return (corner){
      .point = ts_vec3_lerp(from->point, to->point, t),
      .of_reference = lies_on_side ? meeting_of(c, from->side, side)
                                   : side_of(c->reference, c->reference_face, side),
      .of_incident = lies_on_side ? face_of(c->incident_face)
                                  : side_of(c->incident, c->incident_face, from->side),
      .side = from_height > 0 ? side : from->side,
      .is_cut = from_height > 0 || from->is_cut,
  };
}

/// Cuts by a side of the reference face. What is on it up to rounding stays as it is, so that faces
/// with flush sides lose and gain no corners. Returns how many are left: one more at most.
static size_t cut(corner *out, const corner *in, size_t count, const clipping *c, uint32_t side) {
  const ts_clip_face *face = c->reference_face;
  ts_vec3 base = c->reference->vertices[face->corners[side]];
  ts_vec3 end = c->reference->vertices[face->corners[side + 1 < face->count ? side + 1 : 0]];
  ts_vec3 inward = ts_vec3_unit(ts_vec3_cross(c->normal, ts_vec3_sub(end, base)));
  size_t kept = 0;
  double height = count ? ts_vec3_dot(inward, ts_vec3_sub(in[0].point, base)) : 0;
  for (size_t i = 0; i < count; i++) {
    const corner *next = &in[i + 1 < count ? i + 1 : 0];
    double next_height = ts_vec3_dot(inward, ts_vec3_sub(next->point, base));
    bool is_next_out = next_height < -c->touch_m;
    if (height >= -c->touch_m) {
      out[kept++] = in[i];
      if (height <= c->touch_m && is_next_out) {
        out[kept - 1].side = side;
        out[kept - 1].is_cut = true;
      }
    }
    if ((height > c->touch_m && is_next_out) || (height < -c->touch_m && next_height > c->touch_m))
      out[kept++] = cross_side(c, side, &in[i], next, height, next_height);
    height = next_height;
  }
  return kept;
}

/// The incident face, clipped by all sides; `corners` and `other` hold as many as both faces have.
static size_t clip(corner **corners, corner **other, const clipping *c) {
  size_t count = c->incident_face->count;
  for (uint32_t i = 0; i < count; i++)
    (*corners)[i] = (corner){.point = c->incident->vertices[c->incident_face->corners[i]],
                             .of_reference = face_of(c->reference_face),
                             .of_incident = vertex_of(c->incident, c->incident_face, i),
                             .side = i};
  for (uint32_t side = 0; side < c->reference_face->count; side++) {
    count = cut(*other, *corners, count, c, side);
    corner *cut_corners = *other;
    *other = *corners;
    *corners = cut_corners;
  }
  return count;
}

/// The contact of a corner, `gap_m` above the reference face of a body.
static ts_contact contact_at(const clipping *c, const corner *at, double gap_m, int body) {
  return (ts_contact){.point = ts_vec3_add_scaled(at->point, -0.5 * gap_m, c->normal),
                      .normal = body == 0 ? c->normal : ts_vec3_neg(c->normal),
                      .gap_m = gap_m,
                      .area_m2 = (double)NAN,
                      .feature_a = body == 0 ? at->of_reference : at->of_incident,
                      .feature_b = body == 0 ? at->of_incident : at->of_reference};
}

ts_status ts_clip_faces(ts_clip_contacts *out, const ts_clip_pair *pair,
                        const ts_clip_face_axis *axis, double reach_m) {
  const ts_clip_body *reference = &pair->body[axis->body], *incident = &pair->body[1 - axis->body];
  clipping c = {.reference = reference,
                .incident = incident,
                .reference_face = &reference->shape->faces[axis->face],
                .incident_face = &incident->shape->faces[axis->incident],
                .normal = reference->normals[axis->face],
                .touch_m = pair->touch_m};
  size_t room = c.reference_face->count + c.incident_face->count;
  corner *corners = pair->host->scratch(pair->host, room * sizeof *corners);
  corner *other = pair->host->scratch(pair->host, room * sizeof *other);
  out->contacts = pair->host->scratch(pair->host, room * sizeof *out->contacts);
  out->count = 0;
  if (!corners || !other || !out->contacts)
    return TS_E_MEMORY;
  size_t count = clip(&corners, &other, &c);
  ts_vec3 base = reference->vertices[c.reference_face->corners[0]];
  for (size_t i = 0; i < count; i++) {
    double gap_m = ts_vec3_dot(c.normal, ts_vec3_sub(corners[i].point, base));
    if (gap_m <= reach_m)
      out->contacts[out->count++] = contact_at(&c, &corners[i], gap_m, axis->body);
  }
  return TS_OK;
}

ts_status ts_clip_edges(ts_clip_contacts *out, const ts_clip_pair *pair,
                        const ts_clip_edge_axis *axis, double reach_m) {
  ts_vec3 ends[2][2];
  ts_feature features[2];
  for (int k = 0; k < 2; k++) {
    const ts_clip_edge *edge = &pair->body[k].shape->edges[axis->edges[k]];
    features[k] = (ts_feature){TS_FEATURE_EDGE, edge->id};
    for (int i = 0; i < 2; i++)
      ends[k][i] = pair->body[k].vertices[edge->vertices[i]];
  }
  ts_closest at =
      ts_closest_segment_segment(NULL, NULL, ends[0][0], ends[0][1], ends[1][0], ends[1][1]);
  out->contacts = pair->host->scratch(pair->host, sizeof *out->contacts);
  out->count = 0;
  if (!out->contacts)
    return TS_E_MEMORY;
  // Beside each other they are farther apart than along the axis, which then separates nothing.
  if (axis->gap_m > reach_m || (axis->gap_m > 0 && at.distance_m > reach_m))
    return TS_OK;
  out->contacts[out->count++] = (ts_contact){.point = ts_vec3_mid(at.on_a, at.on_b),
                                             .normal = axis->normal,
                                             .gap_m = axis->gap_m,
                                             .area_m2 = (double)NAN,
                                             .feature_a = features[0],
                                             .feature_b = features[1]};
  return TS_OK;
}
