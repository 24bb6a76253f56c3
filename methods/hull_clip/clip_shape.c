// SPDX-License-Identifier: MIT
#include "methods/hull_clip/clip_shape.h"

#include "base/status.h"
#include "geometry/mesh/patches.h"
#include "geometry/tolerances.h"

#include <stdbool.h>
#include <stdlib.h>

#define NONE UINT32_MAX

/// A corner of the mesh, to be sorted by its place.
typedef struct placed_vertex {
  ts_vec3 place;
  uint32_t id;
} placed_vertex;

/// An edge with the piece of the patches that it is, to be sorted by its vertices.
typedef struct made_edge {
  ts_clip_edge edge; ///< with the patches for the faces
  uint32_t piece;
} made_edge;

/// A face with its patch, to be sorted by its corners.
typedef struct made_face {
  ts_clip_face face;
  uint32_t patch;
} made_face;

typedef struct builder {
  ts_clip_shape *shape;
  ts_arena *work; ///< for what is not kept
  const ts_patches *patches;
  uint32_t *rank;      ///< [vertex_count of the mesh] its vertex in the shape
  uint32_t *edge_of;   ///< [edge_count] the edge that a piece of the patches has become
  uint32_t *leaves_by; ///< [vertex_count] the piece by which the border of a patch goes on
  ts_clip_edge *edges; ///< of the shape
  made_face *faces;    ///< [patch_count]
} builder;

static int compare_places(ts_vec3 a, ts_vec3 b) {
  if (a.x != b.x)
    return a.x < b.x ? -1 : 1;
  if (a.y != b.y)
    return a.y < b.y ? -1 : 1;
  return (a.z > b.z) - (a.z < b.z);
}

static int compare_indices(uint32_t a, uint32_t b) {
  return (a > b) - (a < b);
}

static int compare_vertices(const void *left, const void *right) {
  const placed_vertex *a = left, *b = right;
  int by_place = compare_places(a->place, b->place);
  return by_place ? by_place : compare_indices(a->id, b->id);
}

static int compare_edges(const void *left, const void *right) {
  const made_edge *a = left, *b = right;
  int by_first = compare_indices(a->edge.vertices[0], b->edge.vertices[0]);
  return by_first ? by_first : compare_indices(a->edge.vertices[1], b->edge.vertices[1]);
}

static int compare_faces(const void *left, const void *right) {
  const made_face *a = left, *b = right;
  uint32_t shorter = a->face.count < b->face.count ? a->face.count : b->face.count;
  for (uint32_t i = 0; i < shorter; i++)
    if (a->face.corners[i] != b->face.corners[i])
      return compare_indices(a->face.corners[i], b->face.corners[i]);
  int by_count = compare_indices(a->face.count, b->face.count);
  return by_count ? by_count : compare_indices(a->patch, b->patch);
}

/// The corners of the patches, sorted.
static ts_status make_vertices(builder *b) {
  ts_clip_shape *s = b->shape;
  const ts_patches *p = b->patches;
  placed_vertex *sorted = ts_arena_array(b->work, p->corner_count, sizeof *sorted);
  ts_vec3 *vertices = ts_arena_array(s->arena, p->corner_count, sizeof *vertices);
  uint32_t *ids = ts_arena_array(s->arena, p->corner_count, sizeof *ids);
  b->rank = ts_arena_array(b->work, p->mesh->vertex_count, sizeof *b->rank);
  if (!sorted || !vertices || !ids || !b->rank)
    return TS_E_MEMORY;
  for (size_t i = 0; i < p->corner_count; i++) {
    uint32_t id = p->corners[i].vertex;
    sorted[i] = (placed_vertex){p->mesh->vertices[id], id};
  }
  qsort(sorted, p->corner_count, sizeof *sorted, compare_vertices);
  for (size_t i = 0; i < p->corner_count; i++) {
    vertices[i] = sorted[i].place;
    ids[i] = sorted[i].id;
    b->rank[ids[i]] = (uint32_t)i;
    s->centre = ts_vec3_add_scaled(s->centre, 1 / (double)p->corner_count, vertices[i]);
  }
  s->vertices = vertices;
  s->vertex_ids = ids;
  s->vertex_count = p->corner_count;
  return TS_OK;
}

static made_edge edge_from(const builder *b, uint32_t piece) {
  const ts_patch_edge *from = &b->patches->edges[piece];
  uint32_t v0 = b->rank[from->vertices[0]], v1 = b->rank[from->vertices[1]];
  int first = v0 < v1 ? 0 : 1;
  uint32_t twin = b->patches->mesh->edge_twin[from->half_edge];
  return (made_edge){.edge = {.vertices = {first ? v1 : v0, first ? v0 : v1},
                              .faces = {from->patches[first], from->patches[1 - first]},
                              .id = from->half_edge < twin ? from->half_edge : twin},
                     .piece = piece};
}

/// The edges, sorted; their faces are still patches.
static ts_status make_edges(builder *b) {
  ts_clip_shape *s = b->shape;
  size_t count = b->patches->edge_count;
  made_edge *made = ts_arena_array(b->work, count, sizeof *made);
  ts_clip_edge *edges = ts_arena_array(s->arena, count, sizeof *edges);
  b->edge_of = ts_arena_array(b->work, count, sizeof *b->edge_of);
  if (!made || !edges || !b->edge_of)
    return TS_E_MEMORY;
  for (uint32_t i = 0; i < count; i++)
    made[i] = edge_from(b, i);
  qsort(made, count, sizeof *made, compare_edges);
  for (uint32_t i = 0; i < count; i++) {
    edges[i] = made[i].edge;
    b->edge_of[made[i].piece] = i;
  }
  s->edges = b->edges = edges;
  s->edge_count = count;
  return TS_OK;
}

/// Where a piece of the border starts, seen from one of its patches.
static uint32_t start_of(const ts_patch_edge *piece, uint32_t patch) {
  return piece->vertices[piece->patches[0] == patch ? 0 : 1];
}

static uint32_t end_of(const ts_patch_edge *piece, uint32_t patch) {
  return piece->vertices[piece->patches[0] == patch ? 1 : 0];
}

static ts_status refuse(const ts_patches *patches, const ts_patch *patch) {
  return ts_fail(
      TS_E_UNSUPPORTED,
      "the border of the face with triangle %u is not one polygon: give hull_clip convex "
      "bodies, or convex pieces of others",
      patches->triangles[patch->first_triangle]);
}

/// Goes around a patch, from its lowest vertex on.
static ts_status make_loop(builder *b, uint32_t patch, uint32_t *corners, uint32_t *sides) {
  const ts_patches *p = b->patches;
  const ts_patch *of = &p->patches[patch];
  const uint32_t *pieces = p->edges_of_patches + of->first_edge;
  uint32_t lowest = NONE;
  for (uint32_t i = 0; i < of->edge_count; i++) {
    uint32_t start = start_of(&p->edges[pieces[i]], patch);
    b->leaves_by[start] = pieces[i];
    if (lowest == NONE || b->rank[start] < b->rank[lowest])
      lowest = start;
  }
  uint32_t at = lowest, count = 0;
  do {
    uint32_t piece = b->leaves_by[at];
    if (count == of->edge_count || start_of(&p->edges[piece], patch) != at)
      return refuse(p, of);
    corners[count] = b->rank[at];
    sides[count++] = b->edge_of[piece];
    at = end_of(&p->edges[piece], patch);
  } while (at != lowest);
  if (count != of->edge_count)
    return refuse(p, of);
  b->faces[patch] = (made_face){.face = {.corners = corners,
                                         .sides = sides,
                                         .count = count,
                                         .triangle = p->triangles[of->first_triangle]},
                                .patch = patch};
  return TS_OK;
}

static ts_status make_loops(builder *b) {
  const ts_patches *p = b->patches;
  size_t side_count = 2 * p->edge_count, used = 0;
  uint32_t *corners = ts_arena_array(b->shape->arena, side_count, sizeof *corners);
  uint32_t *sides = ts_arena_array(b->shape->arena, side_count, sizeof *sides);
  b->faces = ts_arena_array(b->work, p->patch_count, sizeof *b->faces);
  b->leaves_by = ts_arena_array(b->work, p->mesh->vertex_count, sizeof *b->leaves_by);
  if (!corners || !sides || !b->faces || !b->leaves_by)
    return TS_E_MEMORY;
  for (uint32_t i = 0; i < p->patch_count; i++) {
    TS_TRY(make_loop(b, i, corners + used, sides + used));
    used += p->patches[i].edge_count;
  }
  return TS_OK;
}

/// From the corners in their order, so that the triangles that a face is cut in do not show.
static ts_vec3 normal_of(const ts_clip_shape *s, const ts_clip_face *face, ts_vec3 of_sliver) {
  ts_vec3 base = s->vertices[face->corners[0]], sum = {0, 0, 0};
  for (uint32_t i = 2; i < face->count; i++)
    sum = ts_vec3_add(sum, ts_vec3_cross(ts_vec3_sub(s->vertices[face->corners[i - 1]], base),
                                         ts_vec3_sub(s->vertices[face->corners[i]], base)));
  ts_vec3 normal = ts_vec3_unit(sum);
  return ts_vec3_norm2(normal) > 0 ? normal : of_sliver;
}

/// Sorts the faces, works out their planes, and names them in the edges.
static ts_status place_faces(builder *b) {
  ts_clip_shape *s = b->shape;
  size_t count = b->patches->patch_count;
  ts_clip_face *faces = ts_arena_array(s->arena, count, sizeof *faces);
  ts_vec3 *normals = ts_arena_array(s->arena, count, sizeof *normals);
  double *offsets = ts_arena_array(s->arena, count, sizeof *offsets);
  uint32_t *face_of = ts_arena_array(b->work, count, sizeof *face_of);
  if (!faces || !normals || !offsets || !face_of)
    return TS_E_MEMORY;
  qsort(b->faces, count, sizeof *b->faces, compare_faces);
  for (uint32_t i = 0; i < count; i++) {
    faces[i] = b->faces[i].face;
    face_of[b->faces[i].patch] = i;
    normals[i] = normal_of(s, &faces[i], b->patches->patches[b->faces[i].patch].normal);
    offsets[i] = ts_vec3_dot(normals[i], s->vertices[faces[i].corners[0]]);
  }
  for (size_t i = 0; i < s->edge_count; i++) {
    ts_clip_edge *edge = &b->edges[i];
    for (int k = 0; k < 2; k++)
      edge->faces[k] = face_of[edge->faces[k]];
    ts_vec3 sum = ts_vec3_add(normals[edge->faces[0]], normals[edge->faces[1]]);
    edge->widening = 2 / ts_vec3_norm(sum);
  }
  s->faces = faces;
  s->normals = normals;
  s->offsets_m = offsets;
  s->face_count = count;
  return TS_OK;
}

static ts_status build(ts_clip_shape *shape, ts_arena *work, const ts_mesh *mesh) {
  builder b = {.shape = shape, .work = work};
  ts_patches *patches;
  double flat_m = TS_CLIP_FLAT_RELATIVE * ts_aabb_extent(ts_mesh_bounds(mesh));
  TS_TRY(ts_patches_create_joined(&patches, work, mesh, flat_m));
  b.patches = patches;
  TS_TRY(make_vertices(&b));
  TS_TRY(make_edges(&b));
  TS_TRY(make_loops(&b));
  return place_faces(&b);
}

ts_status ts_clip_shape_create(ts_clip_shape **out, const ts_mesh *mesh) {
  ts_arena *arena = NULL, *work = NULL;
  TS_TRY(ts_arena_create(&arena));
  ts_status status = ts_arena_create(&work);
  ts_clip_shape *shape = status == TS_OK ? ts_arena_alloc(arena, sizeof *shape) : NULL;
  if (shape) {
    shape->arena = arena;
    status = build(shape, work, mesh);
  } else {
    status = TS_E_MEMORY;
  }
  ts_arena_destroy(work);
  if (status != TS_OK) {
    ts_arena_destroy(arena);
    return status;
  }
  *out = shape;
  return TS_OK;
}

void ts_clip_shape_destroy(ts_clip_shape *shape) {
  if (shape)
    ts_arena_destroy(shape->arena);
}

int ts_clip_shape_compare(const ts_clip_shape *one, const ts_clip_shape *other) {
  if (one->vertex_count != other->vertex_count)
    return one->vertex_count < other->vertex_count ? -1 : 1;
  int order = 0;
  for (size_t i = 0; one != other && i < one->vertex_count && order == 0; i++)
    order = compare_places(one->vertices[i], other->vertices[i]);
  return order;
}
