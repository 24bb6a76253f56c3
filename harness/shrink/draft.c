// SPDX-License-Identifier: MIT
#include "harness/shrink/draft.h"

#include "base/hash.h"
#include "base/number.h"
#include "base/status.h"
#include "cases/truth/derived_truth.h"
#include "geometry/pose.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ts_status draft_body(ts_draft_body *out, ts_arena *arena, const ts_scene *scene,
                            const ts_body *body) {
  const ts_mesh *mesh = scene->shapes[body->shape].mesh;
  *out = (ts_draft_body){.name = body->name,
                         .is_fixed = body->is_fixed != 0,
                         .density_kg_m3 = body->density_kg_m3,
                         .vertex_count = mesh->vertex_count,
                         .triangle_count = mesh->triangle_count,
                         .vertices = ts_arena_array(arena, mesh->vertex_count, sizeof(ts_vec3)),
                         .triangles = ts_arena_copy(arena, mesh->triangles, mesh->triangle_count,
                                                    sizeof *mesh->triangles)};
  if (!out->vertices || !out->triangles)
    return TS_E_MEMORY;
  for (size_t i = 0; i < mesh->vertex_count; i++)
    out->vertices[i] = ts_pose_point(body->pose, mesh->vertices[i]);
  out->twist.angular_rad_s = body->twist.angular_rad_s;
  out->twist.linear_m_s = ts_twist_velocity_at(body->twist, body->pose, ts_vec3_make(0, 0, 0));
  return TS_OK;
}

ts_status ts_draft_create(ts_draft *out, ts_arena *arena, const ts_scene *scene, const char *name) {
  *out = (ts_draft){.name = name,
                    .up = scene->up,
                    .scale = scene->scale,
                    .touch_relative = scene->touch_relative,
                    .body_count = scene->body_count,
                    .bodies = ts_arena_array(arena, scene->body_count, sizeof *out->bodies)};
  if (!out->bodies)
    return TS_E_MEMORY;
  for (size_t i = 0; i < scene->body_count; i++) {
    if (scene->bodies[i].elastic)
      return ts_fail(TS_SKIPPED, "body %s is deformable; only rigid scenes are made smaller",
                     scene->bodies[i].name);
    TS_TRY(draft_body(&out->bodies[i], arena, scene, &scene->bodies[i]));
  }
  return TS_OK;
}

ts_status ts_draft_copy(ts_draft *out, ts_arena *arena, const ts_draft *draft) {
  *out = *draft;
  out->bodies = ts_arena_copy(arena, draft->bodies, draft->body_count, sizeof *out->bodies);
  if (!out->bodies)
    return TS_E_MEMORY;
  for (size_t i = 0; i < out->body_count; i++) {
    ts_draft_body *b = &out->bodies[i];
    b->vertices = ts_arena_copy(arena, b->vertices, b->vertex_count, sizeof *b->vertices);
    b->triangles = ts_arena_copy(arena, b->triangles, b->triangle_count, sizeof *b->triangles);
    if (!b->vertices || !b->triangles)
      return TS_E_MEMORY;
  }
  return TS_OK;
}

ts_status ts_draft_scene(ts_scene **out, ts_arena *arena, const ts_draft *draft) {
  ts_scene *scene;
  TS_TRY(ts_scene_create(&scene, arena));
  scene->up = draft->up;
  scene->scale = draft->scale;
  for (size_t i = 0; i < draft->body_count; i++) {
    const ts_draft_body *b = &draft->bodies[i];
    int32_t shape, body;
    TS_TRY(ts_scene_add_shape(&shape, scene, b->name, b->vertices, b->vertex_count,
                              (const uint32_t(*)[3])b->triangles, b->triangle_count));
    TS_TRY(ts_scene_add_body(&body, scene, b->name, shape, ts_pose_identity(), b->is_fixed));
    scene->bodies[body].twist = b->twist;
    scene->bodies[body].density_kg_m3 = b->density_kg_m3;
  }
  *out = scene;
  return ts_derive_truth(scene, draft->touch_relative);
}

void ts_draft_remove(ts_draft *draft, size_t body) {
  draft->body_count--;
  memmove(&draft->bodies[body], &draft->bodies[body + 1],
          (draft->body_count - body) * sizeof *draft->bodies);
}

static bool has_corner(const uint32_t triangle[3], uint32_t vertex) {
  return triangle[0] == vertex || triangle[1] == vertex || triangle[2] == vertex;
}

/// Drops the vertices that no triangle has; the others keep their order.
static void drop_unused(ts_draft_body *body) {
  size_t kept = 0;
  for (uint32_t v = 0; v < body->vertex_count; v++) {
    bool is_used = false;
    for (size_t t = 0; t < body->triangle_count && !is_used; t++)
      is_used = has_corner(body->triangles[t], v);
    if (!is_used)
      continue;
    for (size_t t = 0; t < body->triangle_count; t++) // kept <= v: not yet renamed ones are larger
      for (int i = 0; i < 3; i++)
        if (body->triangles[t][i] == v)
          body->triangles[t][i] = (uint32_t)kept;
    body->vertices[kept++] = body->vertices[v];
  }
  body->vertex_count = kept;
}

bool ts_draft_collapse(ts_draft_body *body, uint32_t from, uint32_t to) {
  size_t shared = 0, kept = 0;
  for (size_t t = 0; t < body->triangle_count; t++)
    shared += has_corner(body->triangles[t], from) && has_corner(body->triangles[t], to);
  if (shared == 0 || body->triangle_count < shared + 4)
    return false;
  for (size_t t = 0; t < body->triangle_count; t++) {
    uint32_t *triangle = body->triangles[t];
    if (has_corner(triangle, from) && has_corner(triangle, to))
      continue;
    for (int i = 0; i < 3; i++)
      body->triangles[kept][i] = triangle[i] == from ? to : triangle[i];
    kept++;
  }
  body->triangle_count = kept;
  drop_unused(body);
  return true;
}

double ts_draft_round(double value, int decimals) {
  char text[400];
  snprintf(text, sizeof text, "%.*f", decimals, value);
  double rounded = strtod(text, NULL);
  return rounded == 0 ? 0 : rounded; // no negative zero
}

static size_t count_digits(double value) {
  char text[TS_NUMBER_BYTES];
  size_t count = 0;
  for (const char *c = ts_number_format(text, value); *c && *c != 'e'; c++)
    count += isdigit((unsigned char)*c) && (count > 0 || *c != '0');
  return count;
}

ts_draft_size ts_draft_measure(const ts_draft *draft) {
  ts_draft_size size = {.bodies = draft->body_count};
  for (size_t i = 0; i < draft->body_count; i++) {
    const ts_draft_body *b = &draft->bodies[i];
    size.triangles += b->triangle_count;
    for (size_t v = 0; v < b->vertex_count; v++)
      size.digits += count_digits(b->vertices[v].x) + count_digits(b->vertices[v].y) +
                     count_digits(b->vertices[v].z);
  }
  return size;
}

uint64_t ts_draft_hash(const ts_draft *draft) {
  uint64_t hash = ts_hash_bytes(TS_HASH_START, &draft->body_count, sizeof draft->body_count);
  for (size_t i = 0; i < draft->body_count; i++) {
    const ts_draft_body *b = &draft->bodies[i];
    hash = ts_hash_bytes(hash, b->name, strlen(b->name) + 1);
    hash = ts_hash_bytes(hash, &b->vertex_count, sizeof b->vertex_count);
    hash = ts_hash_bytes(hash, b->vertices, b->vertex_count * sizeof *b->vertices);
    hash = ts_hash_bytes(hash, b->triangles, b->triangle_count * sizeof *b->triangles);
  }
  return hash;
}
