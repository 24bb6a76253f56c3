// SPDX-License-Identifier: MIT
#include "tests/ldi/exact_overlap.h"

#include <stdbool.h>
#include <stdlib.h>

static double signed_volume(const ts_vec3 p[4]) {
  ts_vec3 u = ts_vec3_sub(p[1], p[0]), v = ts_vec3_sub(p[2], p[0]), w = ts_vec3_sub(p[3], p[0]);
  return ts_vec3_dot(ts_vec3_cross(u, v), w) / 6;
}

static void set_tet(exact_tet *out, ts_vec3 p0, ts_vec3 p1, ts_vec3 p2, ts_vec3 p3) {
  const ts_vec3 p[4] = {p0, p1, p2, p3};
  double volume = signed_volume(p);
  out->sign = volume > 0 ? 1 : volume < 0 ? -1 : 0;
  out->box = ts_aabb_empty();
  for (int i = 0; i < 4; i++) {
    out->corner[i] = p[i];
    out->box = ts_aabb_add(out->box, p[i]);
    // The face opposite corner i is counter-clockwise from inside for even i when sign is 1.
    ts_vec3 from = p[(i + 1) % 4];
    ts_vec3 n = ts_vec3_cross(ts_vec3_sub(p[(i + 2) % 4], from), ts_vec3_sub(p[(i + 3) % 4], from));
    out->inward[i] = ts_vec3_scale(n, i % 2 == 0 ? -out->sign : out->sign);
  }
}

static double height(const exact_tet *tet, int face, ts_vec3 p) {
  return ts_vec3_dot(tet->inward[face], ts_vec3_sub(p, tet->corner[(face + 1) % 4]));
}

static void set_tets(exact_body *body) {
  const ts_mesh *mesh = body->mesh;
  const ts_vec3 *v = body->vertices;
  body->box = ts_aabb_empty();
  for (size_t i = 0; i < body->tet_count; i++) {
    if (mesh->tet_count > 0) {
      const uint32_t *c = mesh->tets[i];
      set_tet(&body->tets[i], v[c[0]], v[c[1]], v[c[2]], v[c[3]]);
    } else {
      const uint32_t *c = mesh->triangles[i];
      set_tet(&body->tets[i], v[0], v[c[0]], v[c[1]], v[c[2]]);
    }
    body->box = ts_aabb_join(body->box, body->tets[i].box);
  }
}

ts_status exact_body_create(exact_body *out, const ts_mesh *mesh, ts_pose pose) {
  size_t count = mesh->tet_count > 0 ? mesh->tet_count : mesh->triangle_count;
  *out = (exact_body){.mesh = mesh, .tet_count = count};
  out->vertices = calloc(mesh->vertex_count, sizeof *out->vertices);
  out->tets = calloc(count, sizeof *out->tets);
  if (!out->vertices || !out->tets)
    return ts_fail(TS_E_MEMORY, "no memory for %zu tets of an exact overlap", count);
  exact_body_place(out, pose);
  return TS_OK;
}

void exact_body_free(exact_body *body) {
  free(body->vertices);
  free(body->tets);
  *body = (exact_body){0};
}

void exact_body_place(exact_body *body, ts_pose pose) {
  for (size_t i = 0; i < body->mesh->vertex_count; i++)
    body->vertices[i] = ts_pose_point(pose, body->mesh->vertices[i]);
  set_tets(body);
}

void exact_body_move_vertex(exact_body *body, size_t vertex, ts_vec3 by) {
  body->vertices[vertex] = ts_vec3_add(body->vertices[vertex], by);
  set_tets(body);
}

static double volume_within(const ts_vec3 piece[4], const exact_tet *tet, unsigned faces);

/// Volume inside of `tet` of the solid between two triangles whose corners are joined one to one.
static double wedge_within(const ts_vec3 p[3], const ts_vec3 q[3], const exact_tet *tet,
                           unsigned faces) {
  return volume_within((const ts_vec3[4]){p[0], p[1], p[2], q[0]}, tet, faces) +
         volume_within((const ts_vec3[4]){p[1], p[2], q[0], q[1]}, tet, faces) +
         volume_within((const ts_vec3[4]){p[2], q[0], q[1], q[2]}, tet, faces);
}

/// Volume of the piece that is on the inner side of the planes of a set of faces (bits).
static double volume_within(const ts_vec3 piece[4], const exact_tet *tet, unsigned faces) {
  if (faces == 0)
    return fabs(signed_volume(piece));
  int face = 0;
  while (!(faces >> face & 1))
    face++;
  faces &= ~(1u << face);
  double h[4];
  int in[4], out[4], in_count = 0, out_count = 0;
  for (int i = 0; i < 4; i++) {
    h[i] = height(tet, face, piece[i]);
    if (h[i] >= 0)
      in[in_count++] = i;
    else
      out[out_count++] = i;
  }
  if (out_count == 0)
    return volume_within(piece, tet, faces);
  ts_vec3 cut[4][4]; // [inside][outside]
  for (int i = 0; i < in_count; i++)
    for (int k = 0; k < out_count; k++)
      cut[i][k] = ts_vec3_lerp(piece[in[i]], piece[out[k]], h[in[i]] / (h[in[i]] - h[out[k]]));
  switch (in_count) {
  case 1:
    return volume_within((const ts_vec3[4]){piece[in[0]], cut[0][0], cut[0][1], cut[0][2]}, tet,
                         faces);
  case 2:
    return wedge_within((const ts_vec3[3]){piece[in[0]], cut[0][0], cut[0][1]},
                        (const ts_vec3[3]){piece[in[1]], cut[1][0], cut[1][1]}, tet, faces);
  case 3:
    return wedge_within((const ts_vec3[3]){piece[in[0]], piece[in[1]], piece[in[2]]},
                        (const ts_vec3[3]){cut[0][0], cut[1][0], cut[2][0]}, tet, faces);
  default:
    return 0;
  }
}

/// The faces of `tet` whose planes cut the other; `*out_apart`: one has all of the other outside.
static unsigned cutting_faces(bool *out_apart, const exact_tet *tet, const exact_tet *other) {
  unsigned faces = 0;
  *out_apart = false;
  for (int f = 0; f < 4; f++) {
    int in_count = 0;
    for (int i = 0; i < 4; i++)
      in_count += height(tet, f, other->corner[i]) >= 0;
    *out_apart = *out_apart || in_count == 0;
    faces |= (in_count < 4 ? 1u : 0u) << f;
  }
  return faces;
}

double exact_overlap_volume(const exact_body *a, const exact_body *b) {
  double sum = 0;
  for (size_t i = 0; i < a->tet_count; i++) {
    const exact_tet *s = &a->tets[i];
    if (!ts_aabb_overlap(s->box, b->box))
      continue;
    for (size_t k = 0; k < b->tet_count; k++) {
      const exact_tet *t = &b->tets[k];
      if (s->sign * t->sign == 0 || !ts_aabb_overlap(s->box, t->box))
        continue;
      bool s_apart, t_apart;
      cutting_faces(&t_apart, s, t);
      unsigned faces = cutting_faces(&s_apart, t, s);
      if (!s_apart && !t_apart)
        sum += s->sign * t->sign * volume_within(s->corner, t, faces);
    }
  }
  return sum;
}
