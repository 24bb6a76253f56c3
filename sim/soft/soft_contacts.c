// SPDX-License-Identifier: MIT
#include "sim/soft/soft_contacts.h"

#include "base/status.h"
#include "geometry/tolerances.h"
#include "sim/contact_check.h"
#include "sim/soft/surface_point.h"

#include <math.h>

static ts_status check_sets(const ts_contact_set *sets, size_t set_count, size_t body_count) {
  for (size_t i = 0; i < set_count; i++) {
    const ts_contact_set *set = &sets[i];
    TS_TRY(ts_check_contact_bodies(set, i, body_count));
    for (size_t k = 0; k < set->count; k++)
      TS_TRY(ts_check_contact(set, k));
  }
  return TS_OK;
}

/// What the making of the contacts holds on to.
typedef struct maker {
  ts_soft_contacts *contacts;
  const ts_soft_world *world;
  ts_arena *arena;
  ts_surface **surfaces; ///< [body_count] NULL until the first contact of a deformable body
} maker;

static ts_status make_room(maker *m, const ts_contact_set *sets, size_t set_count) {
  ts_soft_contacts *c = m->contacts;
  const ts_soft_world *world = m->world;
  size_t count = 0;
  for (size_t i = 0; i < set_count; i++)
    count += sets[i].count;
  c->count = count;
  c->bodies = ts_arena_array(m->arena, count, sizeof *c->bodies);
  c->free_m = ts_arena_array(m->arena, count, sizeof *c->free_m);
  c->friction = ts_arena_array(m->arena, count, sizeof *c->friction);
  c->sides = ts_arena_array(m->arena, world->body_count, sizeof *c->sides);
  m->surfaces = ts_arena_array(m->arena, world->body_count, sizeof *m->surfaces);
  if (!c->bodies || !c->free_m || !c->friction || !c->sides || !m->surfaces)
    return TS_E_MEMORY;
  for (size_t i = 0; i < set_count; i++) {
    c->sides[sets[i].body_a].count += sets[i].count;
    c->sides[sets[i].body_b].count += sets[i].count;
  }
  for (size_t b = 0; b < world->body_count; b++) {
    ts_soft_sides *sides = &c->sides[b];
    size_t of_body = ts_soft_body_moves(&world->bodies[b]) ? sides->count : 0;
    sides->count = 0; // counted again as they come
    sides->contacts = ts_arena_array(m->arena, of_body, sizeof *sides->contacts);
    if (world->bodies[b].tet)
      sides->tet = ts_arena_array(m->arena, of_body, sizeof *sides->tet);
    else
      sides->rigid = ts_arena_array(m->arena, of_body, sizeof *sides->rigid);
    if (!sides->contacts || (!sides->tet && !sides->rigid))
      return TS_E_MEMORY;
  }
  return TS_OK;
}

/// Whether the contact is at a vertex of the body: its feature is one that lies there.
static bool is_at_vertex(const ts_soft_body *body, ts_feature feature, const ts_contact *contact) {
  if (feature.kind != TS_FEATURE_VERTEX || feature.index >= ts_tet_body_node_count(body->tet))
    return false;
  double distance = ts_vec3_distance(body->nodes[feature.index], contact->point);
  return distance <= fabs(contact->gap_m) + TS_POSITION_RELATIVE * body->size_m;
}

static ts_status find_point(ts_surface_point *out, maker *m, size_t body, ts_feature feature,
                            const ts_contact *contact, ts_vec3 facing) {
  const ts_soft_body *b = &m->world->bodies[body];
  if (is_at_vertex(b, feature, contact)) {
    uint32_t v = feature.index;
    *out = (ts_surface_point){{v, v, v}, {1, 0, 0}};
    return TS_OK;
  }
  if (!m->surfaces[body])
    TS_TRY(ts_surface_create(&m->surfaces[body], m->arena, m->world->shapes[b->body.shape].mesh,
                             b->nodes));
  return ts_surface_nearest(out, m->surfaces[body], contact->point, facing, fabs(contact->gap_m));
}

/// How far the material point of a rigid body that is at `p` has come in the free motion.
static ts_vec3 rigid_displacement(const ts_soft_body *body, ts_vec3 p) {
  const ts_body_state *before = &body->before, *after = &body->state;
  ts_vec3 arm = ts_vec3_sub(p, after->centre);
  ts_vec3 local = ts_quat_rotate(ts_quat_conjugate(after->rotation), arm);
  ts_vec3 turned = ts_vec3_sub(arm, ts_quat_rotate(before->rotation, local));
  return ts_vec3_add(ts_vec3_sub(after->centre, before->centre), turned);
}

/// Adds the contact to those of a body that moves; `*out_m` is how far its point there has come.
/// `frame` has the sign of the body.
static ts_status add_side(ts_vec3 *out_m, maker *m, int32_t body, ts_feature feature,
                          const ts_contact *contact, size_t index, const ts_mat3 *frame) {
  const ts_soft_body *b = &m->world->bodies[body];
  ts_soft_sides *sides = &m->contacts->sides[body];
  *out_m = (ts_vec3){0, 0, 0};
  if (!b->tet) {
    *out_m = rigid_displacement(b, contact->point);
    sides->rigid[sides->count] =
        (ts_rigid_side){*frame, ts_vec3_sub(contact->point, b->state.centre)};
  } else {
    // Outward normals of a are along the contact's, of b against it: against the signed row.
    ts_vec3 facing = {-frame->m[0][0], -frame->m[0][1], -frame->m[0][2]};
    ts_surface_point at;
    TS_TRY(find_point(&at, m, (size_t)body, feature, contact, facing));
    ts_tet_side *side = &sides->tet[sides->count];
    side->frame = *frame;
    for (int i = 0; i < 3; i++) {
      side->nodes[i] = at.nodes[i];
      side->weights[i] = at.weights[i];
      *out_m = ts_vec3_add_scaled(*out_m, at.weights[i], b->free_m[at.nodes[i]]);
    }
  }
  sides->contacts[sides->count++] = (uint32_t)index;
  return TS_OK;
}

static ts_status add_contact(maker *m, const ts_contact_set *set, const ts_contact *contact,
                             size_t index) {
  ts_soft_contacts *c = m->contacts;
  const ts_soft_world *world = m->world;
  ts_vec3 n = ts_vec3_unit(contact->normal), s, t;
  ts_vec3_tangents(&s, &t, n);
  ts_mat3 frame = ts_mat3_rows(n, s, t), minus = ts_mat3_scale(frame, -1);
  const int32_t bodies[2] = {set->body_a, set->body_b};
  const ts_feature features[2] = {contact->feature_a, contact->feature_b};
  ts_vec3 relative = {0, 0, 0};
  for (int side = 0; side < 2; side++) {
    c->bodies[index][side] = -1;
    if (!ts_soft_body_moves(&world->bodies[bodies[side]]))
      continue;
    ts_vec3 moved;
    TS_TRY(add_side(&moved, m, bodies[side], features[side], contact, index,
                    side == 0 ? &minus : &frame));
    relative = ts_vec3_add_scaled(relative, side == 0 ? -1 : 1, moved);
    c->bodies[index][side] = bodies[side];
  }
  c->constraint_count += c->bodies[index][0] >= 0 || c->bodies[index][1] >= 0;
  bool has_fixed = c->bodies[index][0] < 0 || c->bodies[index][1] < 0;
  c->friction[index] = has_fixed ? world->params.friction_fixed : world->params.friction;
  c->free_m[index] = (ts_vec3){contact->gap_m, ts_vec3_dot(s, relative), ts_vec3_dot(t, relative)};
  return TS_OK;
}

ts_status ts_soft_contacts_make(ts_soft_contacts *out, const ts_soft_world *world,
                                const ts_contact_set *sets, size_t set_count) {
  TS_TRY(check_sets(sets, set_count, world->body_count));
  *out = (ts_soft_contacts){0};
  maker m = {.contacts = out, .world = world, .arena = world->step_arena};
  TS_TRY(make_room(&m, sets, set_count));
  size_t index = 0;
  for (size_t i = 0; i < set_count; i++)
    for (size_t k = 0; k < sets[i].count; k++)
      TS_TRY(add_contact(&m, &sets[i], &sets[i].contacts[k], index++));
  return TS_OK;
}
