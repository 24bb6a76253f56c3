// SPDX-License-Identifier: MIT
#include "geometry/mesh/tetgen.h"

#include "base/status.h"
#include "geometry/mesh/helper_process.h"
#include "geometry/mesh/tetgen_protocol.h"
#include "geometry/predicates.h"
#include "geometry/tolerances.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#define CANNOT_LOAD 127 // exit status of a program whose shared libraries are not there

const ts_tetgen_options ts_tetgen_coarse = {
    .quality_ratio = 2, .max_volume_m3 = 0, .may_split_surface = false};

static double limit_s = 30; ///< of the process

void ts_tetgen_set_time_limit(double time_limit_s) {
  limit_s = time_limit_s;
}

/// One call: what is given and what is made on the way, all in `scratch`.
typedef struct filling {
  const ts_mesh *surface;
  const ts_tetgen_options *options;
  double time_limit_s;
  ts_arena *scratch;
  const char *program;
  size_t used_count;
  uint32_t *used;    ///< [used_count], the vertices that some triangle uses: what TetGen gets
  uint32_t *compact; ///< [surface->vertex_count], their indices in `used`
  size_t vertex_count;
  ts_vec3 *vertices; ///< [vertex_count], all of the surface's, then TetGen's
  size_t tet_count;
  uint32_t (*tets)[4]; ///< [tet_count]
  size_t face_count;
  uint32_t (*faces)[3]; ///< [face_count], those that no two tets share, seen from outside
} filling;

static ts_status check_options(const ts_tetgen_options *o) {
  if (!(o->quality_ratio == 0 || (isfinite(o->quality_ratio) && o->quality_ratio > 1)))
    return ts_fail(TS_E_INPUT, "the quality ratio is %g: give one above 1, or 0 for no bound",
                   o->quality_ratio);
  if (!(isfinite(o->max_volume_m3) && o->max_volume_m3 >= 0))
    return ts_fail(TS_E_INPUT,
                   "the largest tet volume is %g m3: give one above 0, or 0 for no bound",
                   o->max_volume_m3);
  if (!(isfinite(o->unit_m) && o->unit_m >= 0))
    return ts_fail(TS_E_INPUT, "the unit is %g m: give one above 0, or 0 for none", o->unit_m);
  if (!(isfinite(o->time_limit_s) && o->time_limit_s >= 0))
    return ts_fail(TS_E_INPUT, "the time limit is %g s: give one above 0, or 0 for the usual one",
                   o->time_limit_s);
  return TS_OK;
}

static ts_status find_program(filling *f) {
  const char *set = getenv("TOUCHSTONE_TETGEN");
  f->program = set && *set ? set : ts_helper_beside(f->scratch, TS_TETGEN_PROGRAM);
  return f->program ? TS_OK : TS_E_IO;
}

static ts_status find_used(filling *f) {
  const ts_mesh *m = f->surface;
  f->used = ts_arena_array(f->scratch, m->vertex_count, sizeof *f->used);
  f->compact = ts_arena_array(f->scratch, m->vertex_count, sizeof *f->compact);
  if (!f->used || !f->compact)
    return TS_E_MEMORY;
  for (size_t t = 0; t < m->triangle_count; t++)
    for (int i = 0; i < 3; i++)
      f->compact[m->triangles[t][i]] = 1;
  for (size_t v = 0; v < m->vertex_count; v++)
    if (f->compact[v]) {
      f->compact[v] = (uint32_t)f->used_count;
      f->used[f->used_count++] = (uint32_t)v;
    }
  if (f->used_count > TS_TETGEN_LARGEST_COUNT || m->triangle_count > TS_TETGEN_LARGEST_COUNT)
    return ts_fail(TS_E_INPUT,
                   "the surface has %zu vertices and %zu triangles, more than the %zu of each that "
                   "TetGen is given: simplify it",
                   f->used_count, m->triangle_count, (size_t)TS_TETGEN_LARGEST_COUNT);
  return TS_OK;
}

static double on_grid(double coordinate, double unit_m) {
  return rint(coordinate / unit_m / TS_TETGEN_GRID) * TS_TETGEN_GRID;
}

/// A vertex of the surface as TetGen gets it.
static ts_vec3 as_given(const filling *f, uint32_t vertex) {
  ts_vec3 v = f->surface->vertices[vertex];
  double unit_m = f->options->unit_m;
  if (unit_m > 0)
    v = (ts_vec3){on_grid(v.x, unit_m), on_grid(v.y, unit_m), on_grid(v.z, unit_m)};
  return v;
}

/// What a length of TetGen's is in ours.
static double unit_of(const filling *f) {
  return f->options->unit_m > 0 ? f->options->unit_m : 1;
}

static ts_status make_question(ts_helper_question *out, const filling *f) {
  const ts_mesh *m = f->surface;
  double unit = unit_of(f);
  ts_tetgen_question head = {.vertex_count = f->used_count,
                             .triangle_count = m->triangle_count,
                             .quality_ratio = f->options->quality_ratio,
                             .max_volume_m3 = f->options->max_volume_m3 / (unit * unit * unit),
                             .time_limit_s = f->time_limit_s,
                             .may_split_surface = f->options->may_split_surface};
  memcpy(head.magic, TS_TETGEN_QUESTION, sizeof head.magic);
  head.byte_count = sizeof head + 24 * head.vertex_count + 12 * head.triangle_count;
  uint8_t *bytes = ts_arena_alloc(f->scratch, head.byte_count), *next = bytes;
  if (!bytes)
    return TS_E_MEMORY;
  memcpy(next, &head, sizeof head);
  next += sizeof head;
  for (size_t i = 0; i < f->used_count; i++, next += 24) {
    ts_vec3 v = as_given(f, f->used[i]);
    memcpy(next, (double[]){v.x, v.y, v.z}, 24);
  }
  for (size_t t = 0; t < m->triangle_count; t++, next += 12) {
    const uint32_t *v = m->triangles[t];
    memcpy(next, (uint32_t[]){f->compact[v[0]], f->compact[v[1]], f->compact[v[2]]}, 12);
  }
  *out = (ts_helper_question){.program = f->program,
                              .bytes = bytes,
                              .byte_count = head.byte_count,
                              .answer_magic = TS_TETGEN_ANSWER,
                              .answer_limit = TS_TETGEN_LARGEST_ANSWER,
                              .time_limit_s = f->time_limit_s};
  return TS_OK;
}

static ts_status say_missing(const filling *f) {
  return ts_fail(
      TS_E_UNSUPPORTED,
      "there is no %s, which fills surfaces with tets: install g++ and libtet1.5-dev and "
      "build again, or set TOUCHSTONE_TETGEN to where it is",
      f->program);
}

static ts_status say_timed_out(const filling *f) {
  return ts_fail(TS_E_INPUT,
                 "TetGen has not filled the surface within %g s: allow more with --tetgen-limit, "
                 "or use fewer triangles or larger tets",
                 f->time_limit_s);
}

static ts_status say_strange(const filling *f) {
  return ts_fail(TS_E_IO,
                 "%s gives an answer that is not valid: build it again, with this program; see "
                 "TOUCHSTONE_TETGEN",
                 f->program);
}

static ts_status say_thrown(int code) {
  switch (code) {
  case 3:
    return ts_fail(TS_E_INPUT, "TetGen finds that the surface crosses itself: repair it, or deform "
                               "it less");
  case 4:
    return ts_fail(TS_E_INPUT, "TetGen finds parts of the surface too small beside its size: "
                               "remove slivers and short edges");
  case 5:
    return ts_fail(TS_E_INPUT, "TetGen finds two facets that nearly lie on each other: move them "
                               "apart, or keep the surface from being split");
  default:
    return ts_fail(TS_E_INPUT,
                   "TetGen gives up with error %d: look for thin parts and for places where the "
                   "surface touches or crosses itself",
                   code);
  }
}

static ts_status say_exited(const filling *f, int code) {
  switch (code) {
  case CANNOT_LOAD:
    return ts_fail(TS_E_UNSUPPORTED, "%s does not find its libraries: install libtet1.5",
                   f->program);
  case TS_TETGEN_EXIT_MEMORY:
    return ts_fail(TS_E_MEMORY, "TetGen has run out of memory: allow larger tets");
  case TS_TETGEN_EXIT_TOO_LARGE:
    return ts_fail(TS_E_INPUT, "TetGen makes more tets than are supported: allow larger ones");
  case TS_TETGEN_EXIT_BROKEN:
    return ts_fail(TS_E_IO, "%s cannot read, write or set itself up", f->program);
  default:
    break;
  }
  if (code >= TS_TETGEN_EXIT_THROWN && code <= TS_TETGEN_EXIT_THROWN + 10)
    return say_thrown(code - TS_TETGEN_EXIT_THROWN);
  return say_strange(f);
}

static ts_status say_signalled(const filling *f, int number) {
  if (number == SIGXCPU)
    return say_timed_out(f);
  const char *name = sigabbrev_np(number);
  return ts_fail(TS_E_INPUT,
                 "TetGen has crashed on the surface (SIG%s): look for thin or flat parts and for "
                 "places where it touches or crosses itself",
                 name ? name : "?");
}

/// The message for a helper that has not answered.
static ts_status explain(const filling *f, const ts_helper_answer *answer) {
  switch (answer->end) {
  case TS_HELPER_EXITED:
    return say_exited(f, answer->code);
  case TS_HELPER_SIGNALLED:
    return say_signalled(f, answer->code);
  case TS_HELPER_TIMED_OUT:
    return say_timed_out(f);
  case TS_HELPER_ANSWERED:
  case TS_HELPER_GARBLED:
    break;
  }
  return say_strange(f);
}

/// The surface's own vertices must come back first and to the bit. `bytes`: doubles.
static ts_status take_vertices(filling *f, const uint8_t *bytes, size_t count) {
  const ts_mesh *m = f->surface;
  double unit = unit_of(f);
  f->vertex_count = m->vertex_count + (count - f->used_count);
  f->vertices = ts_arena_array(f->scratch, f->vertex_count, sizeof *f->vertices);
  if (!f->vertices)
    return TS_E_MEMORY;
  memcpy(f->vertices, m->vertices, m->vertex_count * sizeof *m->vertices);
  for (size_t i = 0; i < count; i++) {
    double p[3];
    memcpy(p, bytes + 24 * i, sizeof p);
    if (i >= f->used_count) {
      f->vertices[m->vertex_count + (i - f->used_count)] =
          (ts_vec3){unit * p[0], unit * p[1], unit * p[2]};
      continue;
    }
    ts_vec3 given = as_given(f, f->used[i]);
    if (!(p[0] == given.x && p[1] == given.y && p[2] == given.z))
      return ts_fail(TS_E_INPUT, "TetGen's answer is refused: it has moved vertex %u", f->used[i]);
  }
  return TS_OK;
}

/// TetGen orders the nodes of all tets alike, the first of them shows which way. `bytes`: uint32_t.
static ts_status take_tets(filling *f, const uint8_t *bytes, size_t count, size_t answer_vertices) {
  f->tets = ts_arena_array(f->scratch, count, sizeof *f->tets);
  if (!f->tets)
    return TS_E_MEMORY;
  f->tet_count = count;
  memcpy(f->tets, bytes, count * sizeof *f->tets);
  size_t shift = f->surface->vertex_count - f->used_count;
  for (size_t t = 0; t < count; t++)
    for (int i = 0; i < 4; i++) {
      uint32_t v = f->tets[t][i];
      if (v >= answer_vertices)
        return ts_fail(TS_E_INPUT, "TetGen's answer is refused: tet %zu uses vertex %u of %zu", t,
                       v, answer_vertices);
      f->tets[t][i] = v < f->used_count ? f->used[v] : v + (uint32_t)shift;
    }
  const ts_vec3 *p = f->vertices;
  const uint32_t *first = f->tets[0];
  if (ts_orient3d(p[first[0]], p[first[1]], p[first[2]], p[first[3]]) < 0)
    for (size_t t = 0; t < count; t++) {
      uint32_t swapped = f->tets[t][0];
      f->tets[t][0] = f->tets[t][1];
      f->tets[t][1] = swapped;
    }
  return TS_OK;
}

static ts_status take_answer(filling *f, const ts_helper_answer *answer) {
  ts_tetgen_answer head;
  if (answer->byte_count < sizeof head)
    return say_strange(f);
  memcpy(&head, answer->bytes, sizeof head);
  if (head.vertex_count > TS_TETGEN_LARGEST_COUNT || head.tet_count > TS_TETGEN_LARGEST_COUNT ||
      answer->byte_count != sizeof head + 24 * head.vertex_count + 16 * head.tet_count)
    return say_strange(f);
  if (head.tet_count == 0)
    return ts_fail(TS_E_INPUT, "TetGen finds nothing to fill: is the surface closed and thick?");
  if (head.vertex_count < f->used_count)
    return ts_fail(TS_E_INPUT, "TetGen's answer is refused: it has lost vertices");
  const uint8_t *bytes = answer->bytes + sizeof head;
  TS_TRY(take_vertices(f, bytes, head.vertex_count));
  return take_tets(f, bytes + 24 * head.vertex_count, head.tet_count, head.vertex_count);
}

/// Corners of the face opposite each node, counter-clockwise seen from outside a tet of positive
/// volume.
static const int face_nodes[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};

/// A face of a tet with its corners in ascending order, to find it again in another.
typedef struct face_key {
  uint32_t corner[3];
  uint32_t face; ///< 4 t + i
} face_key;

static int compare_corners(const void *a, const void *b) {
  const uint32_t *p = a, *q = b;
  for (int i = 0; i < 3; i++)
    if (p[i] != q[i])
      return p[i] < q[i] ? -1 : 1;
  return 0;
}

static int compare_keys(const void *a, const void *b) {
  const face_key *p = a, *q = b;
  int corners = compare_corners(p->corner, q->corner);
  return corners ? corners : (p->face > q->face) - (p->face < q->face);
}

static void order(uint32_t *a, uint32_t *b) {
  if (*a > *b) {
    uint32_t swapped = *a;
    *a = *b;
    *b = swapped;
  }
}

static face_key key_of(const uint32_t (*tets)[4], size_t face) {
  const uint32_t *tet = tets[face / 4];
  const int *nodes = face_nodes[face % 4];
  face_key key = {{tet[nodes[0]], tet[nodes[1]], tet[nodes[2]]}, (uint32_t)face};
  order(&key.corner[0], &key.corner[1]);
  order(&key.corner[1], &key.corner[2]);
  order(&key.corner[0], &key.corner[1]);
  return key;
}

/// The faces that only one tet has, in the order of the tets.
static ts_status find_outer_faces(filling *f) {
  size_t count = 4 * f->tet_count;
  face_key *keys = ts_arena_array(f->scratch, count, sizeof *keys);
  uint8_t *is_outer = ts_arena_array(f->scratch, count, sizeof *is_outer);
  if (!keys || !is_outer)
    return TS_E_MEMORY;
  for (size_t i = 0; i < count; i++)
    keys[i] = key_of((const uint32_t(*)[4])f->tets, i);
  qsort(keys, count, sizeof *keys, compare_keys);
  for (size_t begin = 0, end; begin < count; begin = end) {
    for (end = begin + 1; end < count; end++)
      if (compare_corners(keys[begin].corner, keys[end].corner) != 0)
        break;
    if (end - begin == 1) {
      is_outer[keys[begin].face] = 1;
      f->face_count++;
    }
  }
  f->faces = ts_arena_array(f->scratch, f->face_count, sizeof *f->faces);
  if (!f->faces)
    return TS_E_MEMORY;
  for (size_t i = 0, n = 0; i < count; i++)
    if (is_outer[i]) {
      for (int k = 0; k < 3; k++)
        f->faces[n][k] = f->tets[i / 4][face_nodes[i % 4][k]];
      n++;
    }
  return TS_OK;
}

/// A sorted copy, each triangle turned so that its lowest corner comes first.
static uint32_t (*sorted_triangles(ts_arena *arena, const uint32_t (*triangles)[3],
                                   size_t count))[3] {
  uint32_t(*copy)[3] = ts_arena_array(arena, count, sizeof *copy);
  if (!copy)
    return NULL;
  for (size_t t = 0; t < count; t++) {
    const uint32_t *v = triangles[t];
    int low = v[0] < v[1] ? (v[0] < v[2] ? 0 : 2) : (v[1] < v[2] ? 1 : 2);
    for (int i = 0; i < 3; i++)
      copy[t][i] = v[(low + i) % 3];
  }
  qsort(copy, count, sizeof *copy, compare_corners);
  return copy;
}

/// The tets' outer faces must be the surface's triangles, no more and no less.
static ts_status check_surface_kept(const filling *f) {
  size_t count = f->surface->triangle_count;
  bool is_kept = f->face_count == count;
  if (is_kept) {
    uint32_t(*given)[3] = sorted_triangles(f->scratch, f->surface->triangles, count);
    uint32_t(*got)[3] = sorted_triangles(f->scratch, (const uint32_t(*)[3])f->faces, count);
    if (!given || !got)
      return TS_E_MEMORY;
    is_kept = memcmp(given, got, count * sizeof *given) == 0;
  }
  return is_kept ? TS_OK
                 : ts_fail(TS_E_INPUT,
                           "TetGen's answer is refused: its tets do not end where the surface "
                           "does; does the surface touch or cross itself?");
}

static double surface_area(const ts_mesh *mesh) {
  double sum = 0;
  for (size_t t = 0; t < mesh->triangle_count; t++) {
    const uint32_t *v = mesh->triangles[t];
    ts_vec3 a = mesh->vertices[v[0]];
    sum += 0.5 * ts_vec3_norm(ts_vec3_cross(ts_vec3_sub(mesh->vertices[v[1]], a),
                                            ts_vec3_sub(mesh->vertices[v[2]], a)));
  }
  return sum;
}

/// A split surface cannot be compared triangle by triangle, but it holds the same volume within the
/// same area; sheets that lay on each other and have gone are missing from the area.
static ts_status check_same_solid(const ts_mesh *mesh, const ts_mesh *surface) {
  double volume = ts_mesh_mass_properties(mesh, 1).volume_m3, area = surface_area(mesh);
  double given_volume = ts_mesh_mass_properties(surface, 1).volume_m3;
  double given_area = surface_area(surface);
  if (fabs(volume - given_volume) <= TS_TET_FILL_RELATIVE * given_volume &&
      fabs(area - given_area) <= TS_TET_FILL_RELATIVE * given_area)
    return TS_OK;
  return ts_fail(TS_E_INPUT,
                 "TetGen's answer is refused: its tets fill %.12g m3 within %.12g m2, the surface "
                 "holds %.12g m3 within %.12g m2; does it touch or cross itself?",
                 volume, area, given_volume, given_area);
}

/// The mesh of the filling, in `arena`; leaves something there when it fails.
static ts_status make_mesh(ts_mesh **out, ts_arena *arena, filling *f) {
  const ts_mesh *m = f->surface;
  TS_TRY(find_outer_faces(f));
  bool is_split = f->options->may_split_surface;
  if (!is_split)
    TS_TRY(check_surface_kept(f));
  const uint32_t(*triangles)[3] = is_split ? (const uint32_t(*)[3])f->faces : m->triangles;
  size_t triangle_count = is_split ? f->face_count : m->triangle_count;
  ts_status status =
      ts_mesh_create(out, arena, f->vertices, f->vertex_count, triangles, triangle_count);
  if (status == TS_OK)
    status = ts_mesh_set_tets(*out, arena, (const uint32_t(*)[4])f->tets, f->tet_count);
  if (status == TS_E_INPUT) {
    char *reason = ts_arena_string(f->scratch, ts_status_detail());
    return reason ? ts_fail(TS_E_INPUT, "TetGen's answer is refused: %s", reason) : TS_E_MEMORY;
  }
  return status == TS_OK && is_split ? check_same_solid(*out, m) : status;
}

static ts_status fill(ts_mesh **out, ts_arena *arena, filling *f) {
  ts_helper_question question;
  ts_helper_answer answer;
  TS_TRY(check_options(f->options));
  TS_TRY(find_program(f));
  TS_TRY(find_used(f));
  TS_TRY(make_question(&question, f));
  ts_status status = ts_helper_ask(&answer, f->scratch, &question);
  if (status == TS_E_UNSUPPORTED)
    return say_missing(f);
  if (status != TS_OK)
    return status;
  if (answer.end != TS_HELPER_ANSWERED)
    return explain(f, &answer);
  TS_TRY(take_answer(f, &answer));
  return make_mesh(out, arena, f);
}

ts_status ts_tetgen_fill(ts_mesh **out, ts_arena *arena, const ts_mesh *surface,
                         const ts_tetgen_options *options) {
  filling f = {.surface = surface,
               .options = options,
               .time_limit_s = options->time_limit_s > 0 ? options->time_limit_s : limit_s};
  TS_TRY(ts_arena_create(&f.scratch));
  ts_arena_mark mark = ts_arena_get_mark(arena);
  ts_mesh *mesh = NULL;
  ts_status status = fill(&mesh, arena, &f);
  if (status == TS_OK)
    *out = mesh;
  else
    ts_arena_rewind(arena, mark);
  ts_arena_destroy(f.scratch);
  return status;
}
