// SPDX-License-Identifier: MIT
#include "geometry/mesh/sheet.h"

#include "base/status.h"
#include "geometry/mesh/sheet_layers.h"
#include "geometry/tolerances.h"
#include "geometry/triangles.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const ts_sheet_form_words[TS_SHEET_FORM_COUNT] = {"closed", "one_sheet", "prisms"};

static ts_vec3 area_vector(const ts_open_mesh *mesh, size_t triangle) {
  const uint32_t *t = mesh->triangles[triangle];
  ts_vec3 a = mesh->vertices[t[0]];
  return ts_vec3_cross(ts_vec3_sub(mesh->vertices[t[1]], a), ts_vec3_sub(mesh->vertices[t[2]], a));
}

// ---- the surface --------------------------------------------------------------------------------

static ts_status check_numbers(const ts_open_mesh *mesh) {
  for (size_t v = 0; v < mesh->vertex_count; v++)
    if (!ts_vec3_is_finite(mesh->vertices[v]))
      return ts_fail(TS_E_INPUT, "vertex %zu is (%g, %g, %g): every coordinate must be finite", v,
                     mesh->vertices[v].x, mesh->vertices[v].y, mesh->vertices[v].z);
  for (size_t t = 0; t < mesh->triangle_count; t++)
    for (int i = 0; i < 3; i++)
      if (mesh->triangles[t][i] >= mesh->vertex_count)
        return ts_fail(TS_E_INPUT,
                       "triangle %zu uses vertex %u, but there are %zu vertices, counted from 0", t,
                       mesh->triangles[t][i], mesh->vertex_count);
  return TS_OK;
}

static bool has_area(const ts_open_mesh *mesh, size_t triangle) {
  const uint32_t *t = mesh->triangles[triangle];
  double longest2 = 0;
  for (int i = 0; i < 3; i++)
    longest2 = fmax(
        longest2, ts_vec3_norm2(ts_vec3_sub(mesh->vertices[t[(i + 1) % 3]], mesh->vertices[t[i]])));
  return ts_vec3_norm(area_vector(mesh, triangle)) >= TS_DEGENERATE_TRIANGLE * longest2 &&
         longest2 > 0;
}

/// Begins with the smallest, so that equal triangles have equal corners.
static void turn_to_smallest(uint32_t out[3], const uint32_t of[3]) {
  int first = of[0] < of[1] ? (of[0] < of[2] ? 0 : 2) : (of[1] < of[2] ? 1 : 2);
  for (int i = 0; i < 3; i++)
    out[i] = of[(first + i) % 3];
}

static int compare_triangles(const void *left, const void *right, void *context) {
  const uint32_t(*triangles)[3] = context;
  uint32_t l = *(const uint32_t *)left, r = *(const uint32_t *)right, of_l[3], of_r[3];
  turn_to_smallest(of_l, triangles[l]);
  turn_to_smallest(of_r, triangles[r]);
  for (int i = 0; i < 3; i++)
    if (of_l[i] != of_r[i])
      return of_l[i] < of_r[i] ? -1 : 1;
  return (l > r) - (l < r);
}

/// Which triangles are another one again, which comes before.
static ts_status find_repeated(bool *out, ts_arena *arena, uint32_t (*triangles)[3], size_t count) {
  uint32_t *order = ts_arena_array(arena, count, sizeof *order);
  if (!order)
    return TS_E_MEMORY;
  for (size_t t = 0; t < count; t++)
    order[t] = (uint32_t)t;
  if (count > 1)
    qsort_r(order, count, sizeof *order, compare_triangles, triangles);
  for (size_t i = 1; i < count; i++) {
    uint32_t before[3], at[3];
    turn_to_smallest(before, triangles[order[i - 1]]);
    turn_to_smallest(at, triangles[order[i]]);
    out[order[i]] = memcmp(before, at, sizeof at) == 0;
  }
  return TS_OK;
}

ts_status ts_open_mesh_clean(ts_open_mesh *out, size_t *out_dropped, ts_arena *arena,
                             const ts_open_mesh *mesh) {
  TS_TRY(check_numbers(mesh));
  size_t count = mesh->triangle_count, kept = 0;
  ts_vec3 *points = ts_arena_copy(arena, mesh->vertices, mesh->vertex_count, sizeof *points);
  uint32_t *first = ts_arena_array(arena, mesh->vertex_count, sizeof *first);
  uint32_t(*triangles)[3] = ts_arena_array(arena, count, sizeof *triangles);
  bool *is_repeated = ts_arena_array(arena, count, sizeof *is_repeated);
  if (!points || !first || !triangles || !is_repeated)
    return TS_E_MEMORY;
  TS_TRY(ts_find_equal_points(first, arena, points, mesh->vertex_count));
  for (size_t t = 0; t < count; t++)
    for (int i = 0; i < 3; i++)
      triangles[t][i] = first[mesh->triangles[t][i]];
  TS_TRY(find_repeated(is_repeated, arena, triangles, count));
  for (size_t t = 0; t < count; t++)
    if (!is_repeated[t] && has_area(mesh, t))
      memmove(triangles[kept++], triangles[t], sizeof *triangles);
  if (kept == 0)
    return ts_fail(TS_E_INPUT, "of %zu triangles none has an area", count);
  ts_triangles used;
  TS_TRY(ts_triangles_keep_used(&used, arena, points, mesh->vertex_count,
                                (const uint32_t(*)[3])triangles, kept));
  *out_dropped = count - used.triangle_count;
  *out = (ts_open_mesh){used.vertex_count, used.vertices, used.triangle_count,
                        (const uint32_t(*)[3])used.triangles};
  return TS_OK;
}

bool ts_open_mesh_up(ts_vec3 *out, const ts_open_mesh *mesh) {
  ts_vec3 sum = {0, 0, 0};
  for (size_t t = 0; t < mesh->triangle_count; t++)
    sum = ts_vec3_add(sum, area_vector(mesh, t));
  *out = ts_vec3_make(0, 0, 0);
  if (!(ts_vec3_norm2(sum) > 0))
    return false;
  ts_vec3 up = ts_vec3_unit(sum);
  for (size_t t = 0; t < mesh->triangle_count; t++) {
    ts_vec3 area = area_vector(mesh, t);
    if (!(ts_vec3_dot(area, up) >= TS_SHEET_UP_COSINE * ts_vec3_norm(area)))
      return false;
  }
  *out = up;
  return true;
}

double ts_open_mesh_top(const ts_open_mesh *mesh, ts_vec3 direction) {
  double top_m = -INFINITY;
  for (size_t v = 0; v < mesh->vertex_count; v++)
    top_m = fmax(top_m, ts_vec3_dot(mesh->vertices[v], direction));
  return top_m;
}

// ---- one surface --------------------------------------------------------------------------------

/// An edge of a triangle, by the smaller and the larger of its vertices.
typedef struct edge_use {
  uint32_t low, high, half_edge;
} edge_use;

static int compare_uses(const void *left, const void *right) {
  const edge_use *l = left, *r = right;
  if (l->low != r->low)
    return l->low < r->low ? -1 : 1;
  if (l->high != r->high)
    return l->high < r->high ? -1 : 1;
  return (l->half_edge > r->half_edge) - (l->half_edge < r->half_edge);
}

/// The half-edges that no other triangle shares, `*out_count` of them.
static ts_status find_border(uint32_t **out, size_t *out_count, ts_arena *arena,
                             const ts_open_mesh *mesh) {
  size_t count = 3 * mesh->triangle_count;
  edge_use *uses = ts_arena_array(arena, count, sizeof *uses);
  uint32_t *border = ts_arena_array(arena, count, sizeof *border);
  if (!uses || !border)
    return TS_E_MEMORY;
  for (uint32_t h = 0; h < count; h++) {
    uint32_t from = mesh->triangles[h / 3][h % 3], to = mesh->triangles[h / 3][(h + 1) % 3];
    uses[h] = (edge_use){from < to ? from : to, from < to ? to : from, h};
  }
  qsort(uses, count, sizeof *uses, compare_uses);
  *out_count = 0;
  for (size_t begin = 0, end; begin < count; begin = end) {
    for (end = begin + 1;
         end < count && uses[end].low == uses[begin].low && uses[end].high == uses[begin].high;)
      end++;
    if (end - begin == 1)
      border[(*out_count)++] = uses[begin].half_edge;
  }
  *out = border;
  return TS_OK;
}

static void order_corners(uint32_t out[3], const uint32_t of[3]) {
  uint32_t low = of[0] < of[1] ? of[0] : of[1], high = of[0] < of[1] ? of[1] : of[0];
  out[0] = of[2] < low ? of[2] : low;
  out[2] = of[2] > high ? of[2] : high;
  out[1] = of[2] < low ? low : of[2] > high ? high : of[2];
}

/// Fills a sheet with three tetrahedra a prism. Triangle `stride` i of the mesh is the upper side
/// of prism i of `count`, and vertices `below` on are its lower side. Walls are cut from the
/// smaller number above to the larger below, so that both neighbours cut theirs alike.
static ts_status fill(ts_mesh *mesh, ts_arena *arena, ts_arena *scratch, size_t count,
                      size_t stride, uint32_t below) {
  uint32_t(*tets)[4] = ts_arena_array(scratch, 3 * count, sizeof *tets);
  if (!tets)
    return TS_E_MEMORY;
  for (size_t i = 0; i < count; i++) {
    const uint32_t *triangle = mesh->triangles[stride * i];
    uint32_t u[3];
    order_corners(u, triangle);
    int rises =
        (triangle[0] < triangle[1]) + (triangle[1] < triangle[2]) + (triangle[2] < triangle[0]);
    bool is_turned = rises == 1; // the order of numbers is clockwise, seen from above
    const uint32_t paths[3][4] = {{u[0], u[1], u[2], u[2] + below},
                                  {u[0], u[1], u[2] + below, u[1] + below},
                                  {u[0], u[1] + below, u[2] + below, u[0] + below}};
    for (size_t k = 0; k < 3; k++) {
      const uint32_t *p = paths[k];
      const uint32_t tet[4] = {p[0], p[is_turned ? 1 : 2], p[is_turned ? 2 : 1], p[3]};
      memcpy(tets[3 * i + k], tet, sizeof tet);
    }
  }
  return ts_mesh_set_tets(mesh, arena, (const uint32_t(*)[4])tets, 3 * count);
}

/// The surface, a copy of it moved by `down` and turned over, and walls between their borders.
static ts_status make_one(ts_mesh **out, ts_arena *arena, ts_arena *scratch,
                          const ts_open_mesh *mesh, const uint32_t *border, size_t border_count,
                          ts_vec3 down) {
  size_t n = mesh->vertex_count, m = mesh->triangle_count, count = 0;
  ts_vec3 *vertices = ts_arena_array(scratch, 2 * n, sizeof *vertices);
  uint32_t(*triangles)[3] = ts_arena_array(scratch, 2 * (m + border_count), sizeof *triangles);
  if (!vertices || !triangles)
    return TS_E_MEMORY;
  for (size_t v = 0; v < n; v++) {
    vertices[v] = mesh->vertices[v];
    vertices[n + v] = ts_vec3_add(mesh->vertices[v], down);
  }
  for (size_t t = 0; t < m; t++)
    memcpy(triangles[count++], mesh->triangles[t], sizeof *triangles);
  for (size_t t = 0; t < m; t++)
    for (int i = 0; i < 3; i++)
      triangles[m + t][i] = mesh->triangles[t][2 - i] + (uint32_t)n;
  count = 2 * m;
  for (size_t b = 0; b < border_count; b++) {
    uint32_t h = border[b];
    uint32_t from = mesh->triangles[h / 3][h % 3], to = mesh->triangles[h / 3][(h % 3 + 1) % 3];
    uint32_t from_below = from + (uint32_t)n, to_below = to + (uint32_t)n;
    bool falls = from < to; // the diagonal, to the larger number, as in fill()
    uint32_t down_from = falls ? to_below : from_below, down_to = falls ? from : to;
    memcpy(triangles[count++], (const uint32_t[3]){to, from, down_from}, sizeof *triangles);
    memcpy(triangles[count++], (const uint32_t[3]){down_to, from_below, to_below},
           sizeof *triangles);
  }
  TS_TRY(ts_mesh_create(out, arena, vertices, 2 * n, (const uint32_t(*)[3])triangles, count));
  return fill(*out, arena, scratch, m, 1, (uint32_t)n);
}

// ---- prisms -------------------------------------------------------------------------------------

static ts_vec3 down_of(const ts_sheet *sheet, const ts_open_mesh *mesh, size_t triangle) {
  bool has_up = ts_vec3_norm2(sheet->up_local) > 0;
  ts_vec3 up = has_up ? sheet->up_local : ts_vec3_unit(area_vector(mesh, triangle));
  return ts_vec3_scale(up, -sheet->thickness_m);
}

/// Walls are cut as in fill().
static const uint32_t prism_faces[8][3] = {{0, 1, 2}, {5, 4, 3}, {1, 0, 4}, {0, 3, 4},
                                           {2, 1, 5}, {1, 4, 5}, {0, 2, 5}, {0, 5, 3}};

static void put_prism(ts_vec3 out[6], const ts_sheet *sheet, const ts_open_mesh *mesh,
                      size_t triangle) {
  ts_vec3 down = down_of(sheet, mesh, triangle);
  for (int i = 0; i < 3; i++) {
    out[i] = mesh->vertices[mesh->triangles[triangle][i]];
    out[3 + i] = ts_vec3_add(out[i], down);
  }
}

ts_status ts_sheet_prism(ts_mesh **out, ts_arena *arena, const ts_sheet *sheet,
                         const ts_open_mesh *mesh, size_t triangle) {
  ts_vec3 vertices[6];
  put_prism(vertices, sheet, mesh, triangle);
  return ts_mesh_create(out, arena, vertices, 6, prism_faces, 8);
}

static ts_status make_prisms(ts_mesh **out, ts_arena *arena, ts_arena *scratch,
                             const ts_sheet *sheet, const ts_open_mesh *mesh) {
  size_t m = mesh->triangle_count;
  ts_vec3 *vertices = ts_arena_array(scratch, 6 * m, sizeof *vertices);
  uint32_t(*triangles)[3] = ts_arena_array(scratch, 8 * m, sizeof *triangles);
  if (!vertices || !triangles)
    return TS_E_MEMORY;
  for (size_t t = 0; t < m; t++) {
    put_prism(&vertices[6 * t], sheet, mesh, t);
    for (size_t f = 0; f < 8; f++)
      for (int i = 0; i < 3; i++)
        triangles[8 * t + f][i] = (uint32_t)(6 * t) + prism_faces[f][i];
  }
  TS_TRY(ts_mesh_create(out, arena, vertices, 6 * m, (const uint32_t(*)[3])triangles, 8 * m));
  return fill(*out, arena, scratch, m, 8, 3);
}

// ---- all of them --------------------------------------------------------------------------------

/// TS_E_INPUT where the triangles are not one surface, as they are connected.
static ts_status try_as_one(ts_mesh **out, ts_sheet *sheet, ts_arena *arena, ts_arena *scratch,
                            const ts_open_mesh *mesh, double layer_m) {
  uint32_t *border;
  size_t border_count;
  TS_TRY(find_border(&border, &border_count, scratch, mesh));
  if (border_count == 0) {
    TS_TRY(ts_mesh_create(out, arena, mesh->vertices, mesh->vertex_count, mesh->triangles,
                          mesh->triangle_count));
    *sheet = (ts_sheet){.form = TS_SHEET_CLOSED};
    return TS_OK;
  }
  if (ts_vec3_norm2(sheet->up_local) == 0)
    return ts_fail(TS_E_INPUT, "the triangles face no common direction");
  TS_TRY(ts_sheet_limit(&sheet->thickness_m, mesh, sheet->up_local, layer_m));
  sheet->form = TS_SHEET_ONE;
  return make_one(out, arena, scratch, mesh, border, border_count,
                  ts_vec3_scale(sheet->up_local, -sheet->thickness_m));
}

ts_status ts_sheet_create(ts_mesh **out, ts_sheet *sheet, ts_arena *arena, const ts_open_mesh *mesh,
                          double layer_m) {
  ts_arena *scratch;
  TS_TRY(ts_arena_create(&scratch));
  ts_status status = try_as_one(out, sheet, arena, scratch, mesh, layer_m);
  if (status == TS_E_INPUT) {
    sheet->form = TS_SHEET_PRISMS;
    status = ts_sheet_limit(&sheet->thickness_m, mesh, sheet->up_local, layer_m);
    if (status == TS_OK)
      status = make_prisms(out, arena, scratch, sheet, mesh);
  }
  ts_arena_destroy(scratch);
  return status;
}
