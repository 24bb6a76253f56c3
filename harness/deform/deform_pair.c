// SPDX-License-Identifier: MIT
#include "harness/deform/deform_pair.h"

#include "base/clock.h"
#include "base/status.h"
#include "elastic/direction.h"

static const ts_vec3 no_direction = {(double)NAN, (double)NAN, (double)NAN};

static double since(int64_t start_ns) {
  return (double)(ts_clock_ns() - start_ns);
}

/// The bodies as they are: what is left of a pair that is skipped.
static void start_sides(ts_deform_pair *out) {
  for (int i = 0; i < 2; i++) {
    const ts_elastic_body *body = &out->pair->body[i];
    out->sides[i] = (ts_deform_side){.mesh = body->mesh,
                                     .before = body->vertices,
                                     .after = body->vertices,
                                     .after_local = body->mesh->vertices};
  }
}

/// Says why no surface lies between the bodies along a direction: there may be one along the
/// opposite direction.
static ts_status refuse_direction(const ts_elastic_pair *pair, const ts_inside *inside, size_t part,
                                  ts_vec3 m, const ts_deform_settings *settings) {
  ts_contact_surface opposite;
  ts_vec3 d = ts_quat_rotate(pair->frame_to_world.rotation, m);
  TS_TRY(ts_contact_surface_create(&opposite, pair, inside, part, ts_vec3_neg(m),
                                   settings->stiffness_a));
  if (opposite.polygon_count > 0)
    return ts_fail(
        TS_SKIPPED,
        "the direction %g,%g,%g points from body b to body a, and no surface lies between "
        "them along it: give its opposite",
        d.x, d.y, d.z);
  return ts_fail(TS_SKIPPED,
                 "no surface lies between the bodies along the direction %g,%g,%g: one goes right "
                 "through the other along it, or it runs along their surfaces; give another one",
                 d.x, d.y, d.z);
}

/// Contact surface and zone of one part; without a zone it may have the surface. `given`: the
/// direction, or NaN.
static ts_status find_part(ts_zone_part *out, const ts_elastic_pair *pair, const ts_inside *inside,
                           size_t part, ts_vec3 given, const ts_deform_settings *settings) {
  ts_contact_surface *surface = ts_arena_alloc(pair->arena, sizeof *surface);
  ts_zone *zone = ts_arena_alloc(pair->arena, sizeof *zone);
  if (!surface || !zone)
    return TS_E_MEMORY;
  ts_vec3 m = given;
  *out = (ts_zone_part){NULL, NULL};
  if (!settings->has_direction)
    TS_TRY(ts_mapping_direction(&m, &inside->parts[part]));
  TS_TRY(ts_contact_surface_create(surface, pair, inside, part, m, settings->stiffness_a));
  if (surface->polygon_count == 0)
    return refuse_direction(pair, inside, part, m, settings);
  out->surface = surface;
  TS_TRY(ts_zone_find(zone, surface, settings->tau));
  out->zone = zone;
  return TS_OK;
}

/// All parts that have a zone; the reason of the last one that has none is that of them all.
static ts_status find_parts(ts_deform_pair *out, const ts_inside *inside,
                            const ts_deform_settings *settings) {
  ts_zone_part *used = ts_arena_array(out->pair->arena, inside->part_count, sizeof *used);
  ts_status skipped = TS_OK;
  if (!used)
    return TS_E_MEMORY;
  const ts_vec3 given = out->direction;
  out->used = used;
  for (size_t i = 0; i < inside->part_count; i++) {
    ts_zone_part *part = &used[out->used_count];
    ts_status status = find_part(part, out->pair, inside, i, given, settings);
    if (status < 0)
      return status;
    if (part->surface && (!out->has_surface || (status == TS_OK && out->used_count == 0))) {
      out->has_surface = true;
      out->direction = part->surface->m;
    }
    if (status == TS_OK)
      out->used_count++;
    else
      skipped = status;
  }
  if (inside->part_count == 0)
    return ts_fail(TS_SKIPPED, "no part of either surface is inside the other body: the surfaces "
                               "coincide but for rounding, and no direction leads from one to the "
                               "other; move the bodies apart");
  return out->used_count > 0 ? TS_OK : skipped;
}

/// Vertices of a deformed body in the frame of its mesh.
static ts_status keep_side(ts_deform_side *side, ts_arena *arena, const ts_elastic_body *body) {
  ts_quat back = ts_quat_conjugate(body->to_frame.rotation);
  ts_vec3 *local = ts_arena_array(arena, side->mesh->vertex_count, sizeof *local);
  if (!local)
    return TS_E_MEMORY;
  for (size_t i = 0; i < side->mesh->vertex_count; i++) {
    ts_vec3 moved = ts_vec3_sub(side->deformed.vertices[i], body->vertices[i]);
    local[i] = ts_vec3_add(side->mesh->vertices[i], ts_quat_rotate(back, moved));
  }
  side->after = side->deformed.vertices;
  side->after_local = local;
  return TS_OK;
}

static bool has_vertices(const ts_deform_zone *zone, size_t vertex_count) {
  for (size_t i = 0; i < vertex_count; i++)
    if (zone->is_inside[i])
      return true;
  return false;
}

/// Puts the body before what the deformer says of its mesh.
static ts_status say_body(int which, ts_status status) {
  if (status == TS_OK || status == TS_E_MEMORY)
    return status;
  return ts_fail(status, "body %c: %s", "ab"[which], ts_status_detail());
}

static ts_status deform_side(ts_deform_pair *out, int which, const ts_deform_settings *settings) {
  ts_arena *arena = out->pair->arena;
  const ts_elastic_body *body = &out->pair->body[which];
  ts_deform_side *side = &out->sides[which];
  double share = which == 0 ? 1 - settings->stiffness_a : settings->stiffness_a;
  int64_t start_ns = ts_clock_ns();
  TS_TRY(ts_mesh_zone_find(&side->zone, arena, out->used, out->used_count, which));
  side->boundary_ns = since(start_ns);
  if (share == 0) // rigid: its mesh may be as coarse as it likes
    return TS_OK;
  if (!has_vertices(&side->zone, side->mesh->vertex_count))
    return ts_fail(TS_SKIPPED,
                   "no vertex of body %c is in the zone: its mesh is too coarse there, see "
                   "--edge",
                   "ab"[which]);
  ts_mesh framed = *side->mesh;
  framed.vertices = body->vertices;
  ts_deform_params params = ts_deform_params_default(out->extent_m);
  params.gamma = settings->gamma;
  params.is_anisotropic = settings->is_anisotropic;
  TS_TRY(say_body(which, ts_deform(&side->deformed, arena, &framed, &side->zone, &params)));
  return keep_side(side, arena, body);
}

/// Both or neither.
static ts_status deform_sides(ts_deform_pair *out, const ts_deform_settings *settings) {
  for (int which = 0; which < 2; which++) {
    ts_status status = deform_side(out, which, settings);
    if (status != TS_OK) {
      start_sides(out);
      return status;
    }
  }
  return TS_OK;
}

ts_status ts_deform_pair_run(ts_deform_pair *out, ts_arena *arena, ts_elastic_shape a,
                             ts_elastic_shape b, const ts_deform_settings *settings) {
  *out = (ts_deform_pair){.direction = no_direction};
  ts_inside *inside = ts_arena_alloc(arena, sizeof *inside);
  int64_t start_ns = ts_clock_ns();
  if (!inside)
    return TS_E_MEMORY;
  TS_TRY(ts_elastic_pair_create(&out->pair, arena, a, b));
  if (!out->pair)
    return ts_fail(TS_SKIPPED, "the bodies do not overlap");
  out->extent_m = settings->extent * out->pair->size_m;
  start_sides(out);
  if (settings->has_direction)
    out->direction = ts_vec3_unit(
        ts_quat_rotate(ts_quat_conjugate(out->pair->frame_to_world.rotation), settings->direction));
  TS_TRY(ts_inside_find(inside, out->pair));
  out->part_count = inside->part_count;
  out->inside_ns = since(start_ns);
  start_ns = ts_clock_ns();
  TS_TRY(find_parts(out, inside, settings));
  out->surface_ns = since(start_ns);
  return deform_sides(out, settings);
}

ts_vec3 ts_deform_pair_world(const ts_deform_pair *pair, ts_vec3 point) {
  return ts_pose_point(pair->pair->frame_to_world, point);
}

ts_vec3 ts_deform_pair_direction(const ts_deform_pair *pair) {
  if (ts_vec3_is_finite(pair->direction))
    return pair->direction;
  ts_vec3 middles[2];
  for (int i = 0; i < 2; i++) {
    const ts_elastic_body *body = &pair->pair->body[i];
    middles[i] = ts_pose_point(body->to_frame, ts_aabb_centre(ts_bvh_bounds(body->bvh)));
  }
  ts_vec3 along = ts_vec3_unit(ts_vec3_sub(middles[1], middles[0]));
  return ts_vec3_norm2(along) > 0 ? along : (ts_vec3){0, 0, 1};
}
