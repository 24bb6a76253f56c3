// SPDX-License-Identifier: MIT
#include "ldi/shape.h"

#include "base/array.h"
#include "base/status.h"
#include "geometry/tolerances.h"

#include <stdlib.h>
#include <string.h>

/// A triangle while it is brought to its neighbours.
typedef struct placed_centre {
  double centre[3];
  uint32_t triangle;
} placed_centre;

/// A shape under construction.
typedef struct building {
  ts_arena *arena;
  const ts_mesh *mesh;
  placed_centre *order; ///< [mesh->triangle_count]
  ts_ldi_block *blocks; ///< [block_count]
  size_t block_count, block_capacity;
  uint32_t *vertices; ///< [vertex_count]
  size_t vertex_count, vertex_capacity;
  uint32_t (*corners)[3]; ///< [mesh->triangle_count]
  /// Of each vertex of the mesh, the last block with it: its number plus 1, and the place there.
  uint32_t *seen_in, *place;
} building;

static ts_status open_block(building *b, uint32_t first_triangle, uint32_t triangle_count) {
  TS_TRY(TS_ARENA_GROW(b->blocks, b->block_capacity, b->block_count, 1, b->arena));
  b->blocks[b->block_count++] = (ts_ldi_block){.first_triangle = first_triangle,
                                               .triangle_count = triangle_count,
                                               .first_vertex = (uint32_t)b->vertex_count};
  return TS_OK;
}

/// Adds a vertex to the last block.
static ts_status add_vertex(building *b, uint32_t vertex) {
  TS_TRY(TS_ARENA_GROW(b->vertices, b->vertex_capacity, b->vertex_count, 1, b->arena));
  b->vertices[b->vertex_count++] = vertex;
  b->blocks[b->block_count - 1].vertex_count++;
  b->seen_in[vertex] = (uint32_t)b->block_count;
  return TS_OK;
}

static int compare_numbers(const void *left, const void *right) {
  uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
  return a < b ? -1 : a > b;
}

static ts_status make_block(building *b, size_t begin, size_t end) {
  TS_TRY(open_block(b, (uint32_t)begin, (uint32_t)(end - begin)));
  for (size_t t = begin; t < end; t++)
    for (int i = 0; i < 3; i++) {
      uint32_t vertex = b->mesh->triangles[b->order[t].triangle][i];
      if (b->seen_in[vertex] != (uint32_t)b->block_count)
        TS_TRY(add_vertex(b, vertex));
    }
  const ts_ldi_block *block = &b->blocks[b->block_count - 1];
  uint32_t *vertices = b->vertices + block->first_vertex;
  qsort(vertices, block->vertex_count, sizeof *vertices, compare_numbers);
  for (uint32_t i = 0; i < block->vertex_count; i++)
    b->place[vertices[i]] = block->first_vertex + i;
  for (size_t t = begin; t < end; t++)
    for (int i = 0; i < 3; i++)
      b->corners[t][i] = b->place[b->mesh->triangles[b->order[t].triangle][i]];
  return TS_OK;
}

/// Brings those below the middle of the longest side to the front; returns where the others begin,
/// which is half of them where that does not part them or has been done too often.
static size_t part(placed_centre *order, size_t begin, size_t end, int depth) {
  enum { DEPTH_MAX = 64 };
  size_t half = begin + (end - begin) / 2;
  double low[3], high[3];
  memcpy(low, order[begin].centre, sizeof low);
  memcpy(high, order[begin].centre, sizeof high);
  for (size_t k = begin + 1; k < end; k++)
    for (int i = 0; i < 3; i++) {
      double x = order[k].centre[i];
      low[i] = x < low[i] ? x : low[i];
      high[i] = x > high[i] ? x : high[i];
    }
  int axis = high[1] - low[1] > high[0] - low[0] ? 1 : 0;
  axis = high[2] - low[2] > high[axis] - low[axis] ? 2 : axis;
  double middle = 0.5 * low[axis] + 0.5 * high[axis];
  size_t next = begin;
  for (size_t k = begin; k < end; k++)
    if (order[k].centre[axis] < middle) {
      placed_centre moved = order[k];
      order[k] = order[next];
      order[next++] = moved;
    }
  return next == begin || next == end || depth >= DEPTH_MAX ? half : next;
}

static ts_status divide(building *b, size_t begin, size_t end, int depth) {
  if (end - begin <= TS_LDI_BLOCK_TRIANGLES)
    return make_block(b, begin, end);
  size_t middle = part(b->order, begin, end, depth);
  TS_TRY(divide(b, begin, middle, depth + 1));
  return divide(b, middle, end, depth + 1);
}

/// Vertices that no triangle has count for the bounds of the body.
static ts_status add_unused(building *b) {
  for (size_t i = 0, in_block = TS_LDI_BLOCK_TRIANGLES; i < b->mesh->vertex_count; i++) {
    if (b->seen_in[i] != 0)
      continue;
    if (in_block == TS_LDI_BLOCK_TRIANGLES) {
      TS_TRY(open_block(b, (uint32_t)b->mesh->triangle_count, 0));
      in_block = 0;
    }
    TS_TRY(add_vertex(b, (uint32_t)i));
    in_block++;
  }
  return TS_OK;
}

static void set_boxes(building *b) {
  for (ts_ldi_block *block = b->blocks; block < b->blocks + b->block_count; block++) {
    ts_aabb box = ts_aabb_empty();
    for (uint32_t i = 0; i < block->vertex_count; i++)
      box = ts_aabb_add(box, b->mesh->vertices[b->vertices[block->first_vertex + i]]);
    const double low[3] = {box.low.x, box.low.y, box.low.z};
    const double high[3] = {box.high.x, box.high.y, box.high.z};
    for (int i = 0; i < 3; i++) {
      block->centre[i] = 0.5 * low[i] + 0.5 * high[i];
      block->half[i] = 0.5 * high[i] - 0.5 * low[i];
    }
  }
}

static ts_status cut(building *b) {
  const ts_mesh *mesh = b->mesh;
  b->order = ts_arena_array(b->arena, mesh->triangle_count, sizeof *b->order);
  b->corners = ts_arena_array(b->arena, mesh->triangle_count, sizeof *b->corners);
  b->seen_in = ts_arena_array(b->arena, mesh->vertex_count, sizeof *b->seen_in);
  b->place = ts_arena_array(b->arena, mesh->vertex_count, sizeof *b->place);
  if (!b->order || !b->corners || !b->seen_in || !b->place)
    return TS_E_MEMORY;
  for (size_t t = 0; t < mesh->triangle_count; t++) {
    ts_vec3 p = mesh->vertices[mesh->triangles[t][0]], q = mesh->vertices[mesh->triangles[t][1]];
    ts_vec3 r = mesh->vertices[mesh->triangles[t][2]];
    // Three times the centre serves as well.
    b->order[t] = (placed_centre){{p.x + q.x + r.x, p.y + q.y + r.y, p.z + q.z + r.z}, (uint32_t)t};
  }
  TS_TRY(divide(b, 0, mesh->triangle_count, 0));
  TS_TRY(add_unused(b));
  set_boxes(b);
  return TS_OK;
}

static ts_status fill(ts_ldi_shape *shape, const building *b) {
  const ts_mesh *mesh = b->mesh;
  uint32_t *triangles = ts_arena_array(shape->arena, mesh->triangle_count, sizeof *triangles);
  ts_vec3 *points = ts_arena_array(shape->arena, b->vertex_count, sizeof *points);
  shape->mesh = mesh;
  shape->block_count = b->block_count;
  shape->triangles = triangles;
  shape->blocks = ts_arena_copy(shape->arena, b->blocks, b->block_count, sizeof *b->blocks);
  shape->corners =
      ts_arena_copy(shape->arena, b->corners, mesh->triangle_count, sizeof *b->corners);
  shape->vertices = ts_arena_copy(shape->arena, b->vertices, b->vertex_count, sizeof *b->vertices);
  shape->points = points;
  shape->vertex_count = b->vertex_count;
  if (!triangles || !points || !shape->blocks || !shape->corners || !shape->vertices)
    return TS_E_MEMORY;
  for (size_t i = 0; i < b->vertex_count; i++)
    points[i] = mesh->vertices[b->vertices[i]];
  for (size_t t = 0; t < mesh->triangle_count; t++)
    triangles[t] = b->order[t].triangle;
  ts_aabb box = ts_mesh_bounds(mesh);
  shape->reach[0] = fmax(fabs(box.low.x), fabs(box.high.x));
  shape->reach[1] = fmax(fabs(box.low.y), fabs(box.high.y));
  shape->reach[2] = fmax(fabs(box.low.z), fabs(box.high.z));
  return TS_OK;
}

/// `scratch` is several times what is kept.
static ts_status create(ts_ldi_shape **out, ts_arena *scratch, const ts_mesh *mesh) {
  building b = {.arena = scratch, .mesh = mesh};
  TS_TRY(cut(&b));
  ts_arena *arena;
  TS_TRY(ts_arena_create(&arena));
  ts_ldi_shape *shape = ts_arena_alloc(arena, sizeof *shape);
  ts_status status = TS_E_MEMORY;
  if (shape) {
    shape->arena = arena;
    status = fill(shape, &b);
  }
  if (status == TS_OK)
    *out = shape;
  else
    ts_arena_destroy(arena);
  return status;
}

ts_status ts_ldi_shape_create(ts_ldi_shape **out, const ts_mesh *mesh) {
  ts_arena *scratch;
  TS_TRY(ts_arena_create(&scratch));
  ts_status status = create(out, scratch, mesh);
  ts_arena_destroy(scratch);
  return status;
}

void ts_ldi_shape_destroy(ts_ldi_shape *shape) {
  if (shape)
    ts_arena_destroy(shape->arena);
}

void ts_ldi_shape_rounding(double out[3], const ts_ldi_shape *shape, const ts_ldi_affine *m) {
  for (int i = 0; i < 3; i++)
    out[i] = TS_BOX_ROUNDING *
             (fabs(m->rows[i][0]) * shape->reach[0] + fabs(m->rows[i][1]) * shape->reach[1] +
              fabs(m->rows[i][2]) * shape->reach[2] + fabs(m->offset[i]));
}

/// Takes the vertices of a block into a box.
static void widen(ts_ldi_reach *box, const ts_ldi_shape *shape, const ts_ldi_block *block,
                  const ts_ldi_affine *m) {
  for (uint32_t i = 0; i < block->vertex_count; i++) {
    double p[3];
    ts_ldi_affine_apply(p, m, shape->points[block->first_vertex + i]);
    for (int k = 0; k < 3; k++) {
      box->low[k] = p[k] < box->low[k] ? p[k] : box->low[k];
      box->high[k] = p[k] > box->high[k] ? p[k] : box->high[k];
    }
  }
}

ts_aabb ts_ldi_shape_bounds(const ts_ldi_shape *shape, ts_pose pose) {
  ts_ldi_affine m = ts_ldi_affine_world(pose);
  double rounding[3];
  ts_ldi_shape_rounding(rounding, shape, &m);
  // The blocks that reach furthest come first, so that few others reach further than their
  // vertices.
  size_t lowest[3] = {0}, highest[3] = {0};
  ts_ldi_reach far = ts_ldi_block_reach(&shape->blocks[0], &m, rounding);
  for (size_t i = 1; i < shape->block_count; i++) {
    ts_ldi_reach reach = ts_ldi_block_reach(&shape->blocks[i], &m, rounding);
    for (int k = 0; k < 3; k++) {
      lowest[k] = reach.low[k] < far.low[k] ? i : lowest[k];
      far.low[k] = reach.low[k] < far.low[k] ? reach.low[k] : far.low[k];
      highest[k] = reach.high[k] > far.high[k] ? i : highest[k];
      far.high[k] = reach.high[k] > far.high[k] ? reach.high[k] : far.high[k];
    }
  }
  ts_ldi_reach box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
  for (int k = 0; k < 3; k++) {
    widen(&box, shape, &shape->blocks[lowest[k]], &m);
    widen(&box, shape, &shape->blocks[highest[k]], &m);
  }
  for (size_t i = 0; i < shape->block_count; i++) {
    ts_ldi_reach reach = ts_ldi_block_reach(&shape->blocks[i], &m, rounding);
    bool is_inside = true; // not when a coordinate is no number
    for (int k = 0; k < 3; k++)
      is_inside &= reach.low[k] >= box.low[k] && reach.high[k] <= box.high[k];
    if (!is_inside)
      widen(&box, shape, &shape->blocks[i], &m);
  }
  return (ts_aabb){{box.low[0], box.low[1], box.low[2]}, {box.high[0], box.high[1], box.high[2]}};
}
