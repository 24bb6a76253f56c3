// SPDX-License-Identifier: MIT
#include "harness/deform/deform_bodies.h"

#include "base/status.h"

static ts_status start_body(ts_moving_body *out, ts_arena *arena, const ts_body *body,
                            const ts_mesh *mesh) {
  size_t count = mesh->vertex_count;
  *out = (ts_moving_body){.name = body->name,
                          .mesh = mesh,
                          .pose = body->pose,
                          .before = ts_arena_array(arena, count, sizeof *out->before),
                          .after = ts_arena_array(arena, count, sizeof *out->after),
                          .after_local =
                              ts_arena_copy(arena, mesh->vertices, count, sizeof *out->after_local),
                          .u = ts_arena_array(arena, count, sizeof *out->u),
                          .eta = ts_arena_array(arena, count, sizeof *out->eta),
                          .zone = ts_arena_array(arena, count, sizeof *out->zone),
                          .moved_by = ts_arena_array(arena, count, sizeof *out->moved_by)};
  if (!out->before || !out->after || !out->after_local || !out->u || !out->eta || !out->zone ||
      !out->moved_by)
    return TS_E_MEMORY;
  for (size_t i = 0; i < count; i++) {
    out->before[i] = out->after[i] = ts_pose_point(body->pose, mesh->vertices[i]);
    out->u[i] = out->eta[i] = (double)NAN;
  }
  return TS_OK;
}

ts_status ts_deform_bodies_start(ts_deform_bodies *out, ts_arena *arena, const ts_scene *scene,
                                 const ts_shape *shapes) {
  *out = (ts_deform_bodies){scene->body_count,
                            ts_arena_array(arena, scene->body_count, sizeof *out->bodies)};
  if (!out->bodies)
    return TS_E_MEMORY;
  for (size_t i = 0; i < out->count; i++)
    TS_TRY(
        start_body(&out->bodies[i], arena, &scene->bodies[i], shapes[scene->bodies[i].shape].mesh));
  return TS_OK;
}

static bool moves(const ts_deform_side *side, size_t vertex) {
  return side->deformed.u && side->deformed.u[vertex] <= 1;
}

/// The pair that has moved a corner of a triangle of which this one moves another; 0: none.
static int32_t find_neighbour(const ts_moving_body *body, const ts_deform_side *side) {
  for (size_t t = 0; t < side->mesh->triangle_count; t++) {
    const uint32_t *v = side->mesh->triangles[t];
    int32_t other = 0;
    bool is_moved = false;
    for (int i = 0; i < 3; i++) {
      other = body->moved_by[v[i]] ? body->moved_by[v[i]] : other;
      is_moved = is_moved || moves(side, v[i]);
    }
    if (is_moved && other)
      return other;
  }
  return 0;
}

ts_status ts_deform_bodies_check(const ts_deform_bodies *bodies, const ts_deform_case_pair *pairs,
                                 const ts_deform_case_pair *pair) {
  const int32_t of_pair[2] = {pair->bodies.body_a, pair->bodies.body_b};
  for (int which = 0; which < 2; which++) {
    const ts_moving_body *body = &bodies->bodies[of_pair[which]];
    int32_t other = find_neighbour(body, &pair->pair.sides[which]);
    if (!other)
      continue;
    const int32_t a = pairs[other - 1].bodies.body_a, b = pairs[other - 1].bodies.body_b;
    return ts_fail(
        TS_SKIPPED,
        "what it moves of %s (%d) meets what the pair of %s (%d) and %s (%d) moves: give "
        "a smaller --extent, or one pair by --pair",
        body->name, of_pair[which], bodies->bodies[a].name, a, bodies->bodies[b].name, b);
  }
  return TS_OK;
}

static void move_body(ts_moving_body *body, const ts_deform_side *side, int32_t number) {
  for (size_t i = 0; i < side->mesh->vertex_count; i++) {
    if (side->zone.is_inside[i])
      body->zone[i] = 1; // of a rigid body, too
    if (!moves(side, i))
      continue;
    body->moved_by[i] = number;
    body->u[i] = side->deformed.u[i];
    body->eta[i] = side->deformed.eta[i];
    body->after_local[i] = side->after_local[i];
    body->after[i] = ts_pose_point(body->pose, side->after_local[i]);
  }
}

void ts_deform_bodies_move(ts_deform_bodies *bodies, const ts_deform_case_pair *pair,
                           int32_t number) {
  move_body(&bodies->bodies[pair->bodies.body_a], &pair->pair.sides[0], number);
  move_body(&bodies->bodies[pair->bodies.body_b], &pair->pair.sides[1], number);
}

ts_status ts_deform_bodies_show(ts_deformed_scene *out, ts_arena *arena,
                                const ts_deform_bodies *bodies) {
  ts_deformed_body *shown = ts_arena_array(arena, bodies->count, sizeof *shown);
  if (!shown)
    return TS_E_MEMORY;
  for (size_t i = 0; i < bodies->count; i++) {
    const ts_moving_body *b = &bodies->bodies[i];
    shown[i] = (ts_deformed_body){b->name,        b->mesh, b->pose, b->before, b->after,
                                  b->after_local, b->u,    b->eta,  b->zone};
  }
  out->bodies = shown;
  out->body_count = bodies->count;
  return TS_OK;
}
