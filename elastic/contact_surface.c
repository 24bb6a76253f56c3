// SPDX-License-Identifier: MIT
#include "elastic/contact_surface.h"

#include "base/array.h"
#include "base/status.h"
#include "elastic/flat_polygon.h"
#include "geometry/tolerances.h"

#include <stdlib.h>

/// A triangle that faces the other body, as far as it is at working heights. z = at + x slope[0] +
/// y slope[1].
typedef struct face {
  uint32_t triangle;
  double at_m, slope[2];
  ts_flat_polygon flat; ///< counter-clockwise
} face;

/// The faces of one body, and a hierarchy of what they cover of the plane.
typedef struct side {
  face *faces;
  size_t count, capacity;
  ts_bvh *bvh;
} side;

struct ts_surface_sides {
  side of[2];
};

/// +1 for a, whose higher points count, -1 for b.
static double sign_of(int body) {
  return body == 0 ? 1 : -1;
}

static double height_at(const face *f, double x, double y) {
  return f->at_m + f->slope[0] * x + f->slope[1] * y;
}

static void project(double out[3], const ts_contact_surface *s, ts_vec3 point) {
  ts_vec3 p = ts_vec3_sub(point, s->origin);
  out[0] = ts_vec3_dot(s->x, p);
  out[1] = ts_vec3_dot(s->y, p);
  out[2] = ts_vec3_dot(s->m, p);
}

typedef struct builder {
  ts_contact_surface *surface;
  const ts_inside *inside;
  size_t part;
  ts_arena *scratch;
  side sides[2];
  int body; ///< whose faces are being gathered
  double size_m;
  double shift_m2; ///< area of places that only the shift of TS_ELASTIC_FLUSH gives a depth
  ts_surface_polygon *polygons;
  size_t polygon_count, polygon_capacity;
  ts_surface_corner *corners;
  size_t corner_count, corner_capacity;
} builder;

/// Takes a triangle that faces the other body and reaches working heights.
static ts_status add_face(void *context, uint32_t triangle, uint32_t unused) {
  (void)unused;
  builder *b = context;
  const ts_contact_surface *s = b->surface;
  const ts_elastic_body *body = &s->pair->body[b->body];
  ts_vec3 n = body->normals[triangle], corners[3];
  double nz = ts_vec3_dot(n, s->m), p[3][3];
  if (!(nz * sign_of(b->body) > TS_PARALLEL_SINE))
    return TS_OK;
  ts_elastic_corners(corners, body, triangle);
  for (int i = 0; i < 3; i++) // those of b are seen from behind
    project(p[b->body == 0 ? i : 2 - i], s, corners[i]);
  face f = {.triangle = triangle,
            .slope = {-ts_vec3_dot(n, s->x) / nz, -ts_vec3_dot(n, s->y) / nz}};
  f.at_m = p[0][2] - f.slope[0] * p[0][0] - f.slope[1] * p[0][1];
  double whole[3][2], most = 0;
  for (int i = 0; i < 3; i++) {
    whole[i][0] = p[i][0];
    whole[i][1] = p[i][1];
    most = ts_max(most, fabs(p[i][2]));
  }
  // Flat faces at the end of the working heights stay, whatever rounding says.
  double slack_m = TS_ROUNDING_RELATIVE * 16 * (most + b->size_m);
  TS_TRY(ts_flat_polygon_create(&f.flat, s->pair->arena, (const double(*)[2])whole, 3));
  ts_flat_line above = {f.slope[0], f.slope[1], f.at_m - s->low_m[b->body] + slack_m};
  ts_flat_line below = {-f.slope[0], -f.slope[1], s->high_m[b->body] - f.at_m + slack_m};
  if (ts_min(p[0][2], ts_min(p[1][2], p[2][2])) < s->low_m[b->body])
    TS_TRY(ts_flat_polygon_clip(&f.flat, s->pair->arena, &f.flat, above));
  if (ts_max(p[0][2], ts_max(p[1][2], p[2][2])) > s->high_m[b->body])
    TS_TRY(ts_flat_polygon_clip(&f.flat, s->pair->arena, &f.flat, below));
  if (f.flat.count < 3)
    return TS_OK;
  side *of = &b->sides[b->body];
  TS_TRY(TS_ARENA_GROW(of->faces, of->capacity, of->count, 1, s->pair->arena));
  of->faces[of->count++] = f;
  return TS_OK;
}

static int compare_faces(const void *left, const void *right) {
  const face *a = left, *b = right;
  return (a->triangle > b->triangle) - (a->triangle < b->triangle);
}

/// The working heights: from the lowest to the highest vertex of the part's triangles. What they
/// cover of the plane goes to `room`, whose z is not set.
static void find_heights(ts_contact_surface *s, ts_aabb *room, const ts_inside_part *part) {
  *room = ts_aabb_empty();
  for (int body = 0; body < 2; body++) {
    s->low_m[body] = INFINITY;
    s->high_m[body] = -INFINITY;
    for (size_t i = 0; i < part->triangle_count[body]; i++) {
      ts_vec3 corners[3];
      ts_elastic_corners(corners, &s->pair->body[body], part->triangles[body][i]);
      for (int k = 0; k < 3; k++) {
        double p[3];
        project(p, s, corners[k]);
        s->low_m[body] = ts_min(s->low_m[body], p[2]);
        s->high_m[body] = ts_max(s->high_m[body], p[2]);
        *room = ts_aabb_add(*room, (ts_vec3){p[0], p[1], 0});
      }
    }
  }
}

static ts_status gather_faces(builder *b, ts_aabb room) {
  ts_contact_surface *s = b->surface;
  for (b->body = 0; b->body < 2; b->body++) {
    const ts_elastic_body *body = &s->pair->body[b->body];
    side *of = &b->sides[b->body];
    ts_aabb box = {{room.low.x, room.low.y, s->low_m[b->body]},
                   {room.high.x, room.high.y, s->high_m[b->body]}};
    ts_pose to_frame = {ts_quat_from_axes(s->x, s->y, s->m), s->origin};
    ts_bvh *one;
    TS_TRY(ts_bvh_create(&one, b->scratch, &box, 1));
    TS_TRY(ts_bvh_tandem(body->bvh, one, ts_pose_relative(body->to_frame, to_frame),
                         TS_ELASTIC_JOIN * b->size_m, add_face, b));
    if (of->count)
      qsort(of->faces, of->count, sizeof *of->faces, compare_faces);
    ts_aabb *boxes = ts_arena_array(b->scratch, of->count, sizeof *boxes);
    if (!boxes)
      return TS_E_MEMORY;
    for (size_t i = 0; i < of->count; i++)
      boxes[i] = ts_flat_polygon_bounds(&of->faces[i].flat);
    TS_TRY(ts_bvh_create(&of->bvh, s->pair->arena, boxes, of->count));
  }
  return TS_OK;
}

/// A polygon of two faces that is being looked over for others in front of it.
typedef struct candidate {
  builder *b;
  const face *faces[2];
  int body;               ///< whose faces may be in front
  ts_flat_polygon *parts; ///< [count] what is left of it
  size_t count, capacity;
} candidate;

/// Takes what another face of the same body hides away.
static ts_status hide(void *context, uint32_t item, uint32_t unused) {
  (void)unused;
  candidate *c = context;
  ts_arena *scratch = c->b->scratch;
  const face *own = c->faces[c->body], *other = &c->b->sides[c->body].faces[item];
  if (other == own)
    return TS_OK;
  double sign = sign_of(c->body);
  ts_flat_line higher = {sign * (other->slope[0] - own->slope[0]),
                         sign * (other->slope[1] - own->slope[1]),
                         sign * (other->at_m - own->at_m)};
  size_t count = c->count;
  ts_flat_polygon *before = c->parts;
  c->parts = NULL;
  c->count = c->capacity = 0;
  for (size_t i = 0; i < count; i++) {
    ts_flat_polygon hidden;
    TS_TRY(ts_flat_polygon_overlap(&hidden, scratch, &before[i], &other->flat));
    if (hidden.count >= 3 &&
        !ts_flat_polygon_is_level(&hidden, higher, TS_ELASTIC_JOIN * c->b->size_m))
      TS_TRY(ts_flat_polygon_clip(&hidden, scratch, &hidden, higher));
    else if (other > own) // two sheets in one place: the first is in front
      hidden.count = 0;
    if (ts_flat_polygon_is_sliver(&hidden, TS_ELASTIC_JOIN * c->b->size_m)) {
      TS_TRY(TS_ARENA_GROW(c->parts, c->capacity, c->count, 1, scratch));
      c->parts[c->count++] = before[i];
      continue;
    }
    TS_TRY(
        ts_flat_polygon_subtract(&c->parts, &c->count, &c->capacity, scratch, &before[i], &hidden));
  }
  return TS_OK;
}

/// Whether the middle of a polygon is inside the other body on either surface, in this part of the
/// overlap.
static bool is_of_part(const builder *b, const ts_flat_polygon *flat, const face *const faces[2]) {
  const ts_contact_surface *s = b->surface;
  double x = 0, y = 0;
  ts_flat_polygon_middle(&x, &y, flat);
  // A large triangle may have a piece for each small one that it meets: the small one goes first.
  size_t counts[2];
  for (int body = 0; body < 2; body++)
    counts[body] = ts_inside_piece_count(b->inside, body, faces[body]->triangle);
  for (int i = 0; i < 2; i++) {
    int body = counts[0] <= counts[1] ? i : 1 - i;
    ts_surface_corner corner = {.x_m = x, .y_m = y};
    corner.z_m[0] = corner.z_m[1] = height_at(faces[body], x, y);
    if (ts_inside_part_at(b->inside, s->pair, body, faces[body]->triangle,
                          ts_contact_surface_point(s, &corner)) == b->part)
      return true;
  }
  return false;
}

static ts_status add_polygon(builder *b, const ts_flat_polygon *flat, const face *const faces[2]) {
  ts_arena *arena = b->surface->pair->arena;
  if (ts_flat_polygon_is_sliver(flat, TS_ROUNDING_RELATIVE * b->size_m) ||
      !is_of_part(b, flat, faces))
    return TS_OK;
  TS_TRY(TS_ARENA_GROW(b->polygons, b->polygon_capacity, b->polygon_count, 1, arena));
  TS_TRY(TS_ARENA_GROW(b->corners, b->corner_capacity, b->corner_count, flat->count, arena));
  b->polygons[b->polygon_count++] =
      (ts_surface_polygon){.triangle = {faces[0]->triangle, faces[1]->triangle},
                           .first_corner = b->corner_count,
                           .corner_count = flat->count};
  for (size_t i = 0; i < flat->count; i++) {
    double x = flat->corners[i][0], y = flat->corners[i][1];
    double z[2] = {height_at(faces[0], x, y), height_at(faces[1], x, y)};
    // A corner at which the depth was cut to 0.
    z[0] = ts_max(z[0], z[1]);
    b->corners[b->corner_count++] = (ts_surface_corner){x, y, {z[0], z[1]}};
  }
  return TS_OK;
}

/// Keeps where the depth of two faces is not below 0. Pieces of the part, which count as moved
/// outwards, go on a little farther: where the faces are nearly parallel, by much more than they
/// are moved.
static ts_status clip_depth(ts_flat_polygon *flat, builder *b, const face *const faces[2]) {
  ts_flat_line depth = {faces[0]->slope[0] - faces[1]->slope[0],
                        faces[0]->slope[1] - faces[1]->slope[1], faces[0]->at_m - faces[1]->at_m};
  // Rounding has no say in which of two faces that touch is above.
  if (ts_flat_polygon_is_level(flat, depth, TS_ELASTIC_JOIN * b->size_m))
    return TS_OK;
  double steepest2 = 0; // square of the largest slope
  for (int i = 0; i < 2; i++)
    steepest2 = ts_max(steepest2, faces[i]->slope[0] * faces[i]->slope[0] +
                                      faces[i]->slope[1] * faces[i]->slope[1]);
  ts_flat_line shifted = depth;
  shifted.constant += TS_ELASTIC_FLUSH * b->size_m * sqrt(1 + steepest2);
  ts_flat_polygon larger;
  TS_TRY(ts_flat_polygon_clip(&larger, b->scratch, flat, shifted));
  TS_TRY(ts_flat_polygon_clip(flat, b->scratch, flat, depth));
  b->shift_m2 += ts_flat_polygon_area(&larger) - ts_flat_polygon_area(flat);
  return TS_OK;
}

static ts_status meet_faces(builder *b, uint32_t item_a, uint32_t item_b) {
  const face *faces[2] = {&b->sides[0].faces[item_a], &b->sides[1].faces[item_b]};
  ts_flat_polygon flat;
  TS_TRY(ts_flat_polygon_overlap(&flat, b->scratch, &faces[0]->flat, &faces[1]->flat));
  TS_TRY(clip_depth(&flat, b, faces));
  if (flat.count < 3)
    return TS_OK;
  candidate c = {.b = b, .faces = {faces[0], faces[1]}};
  TS_TRY(TS_ARENA_GROW(c.parts, c.capacity, 0, 1, b->scratch));
  c.parts[c.count++] = flat;
  ts_aabb box = ts_flat_polygon_bounds(&flat);
  ts_bvh *one;
  TS_TRY(ts_bvh_create(&one, b->scratch, &box, 1));
  for (c.body = 0; c.body < 2 && c.count; c.body++)
    TS_TRY(ts_bvh_tandem(b->sides[c.body].bvh, one, ts_pose_identity(), 0, hide, &c));
  for (size_t i = 0; i < c.count; i++)
    TS_TRY(add_polygon(b, &c.parts[i], faces));
  return TS_OK;
}

static ts_status visit_faces(void *context, uint32_t item_a, uint32_t item_b) {
  builder *b = context;
  ts_arena_mark mark = ts_arena_get_mark(b->scratch);
  ts_status status = meet_faces(b, item_a, item_b);
  ts_arena_rewind(b->scratch, mark);
  return status;
}

static int compare_polygons(const void *left, const void *right) {
  const ts_surface_polygon *a = left, *b = right;
  for (int i = 0; i < 2; i++)
    if (a->triangle[i] != b->triangle[i])
      return a->triangle[i] < b->triangle[i] ? -1 : 1;
  return (a->first_corner > b->first_corner) - (a->first_corner < b->first_corner);
}

/// The surface covers at least what both sides of the part do, seen along m, their back sides taken
/// off: each line through the overlap leaves a and enters b once more than the other way. Sides
/// that hang over make it larger. It is smaller where what lies between the highest place of a and
/// the lowest of b is more than one stretch of the overlap, or none.
static ts_status check_area(const builder *b) {
  const ts_contact_surface *s = b->surface;
  const ts_inside_part *part = &b->inside->parts[b->part];
  double area_m2 = 0, size_m = b->size_m;
  double least_m2 = ts_min(ts_vec3_dot(part->area_vector_m2[0], s->m),
                           -ts_vec3_dot(part->area_vector_m2[1], s->m));
  double slack_m2 = b->shift_m2 + TS_ELASTIC_OPEN * (part->area_m2[0] + part->area_m2[1]) +
                    TS_ELASTIC_JOIN * size_m * size_m;
  for (size_t i = 0; i < b->polygon_count; i++) {
    const ts_surface_corner *c = &b->corners[b->polygons[i].first_corner];
    for (size_t k = 2; k < b->polygons[i].corner_count; k++)
      area_m2 += 0.5 * ((c[k - 1].x_m - c[0].x_m) * (c[k].y_m - c[0].y_m) -
                        (c[k - 1].y_m - c[0].y_m) * (c[k].x_m - c[0].x_m));
  }
  if (area_m2 >= least_m2 - slack_m2)
    return TS_OK;
  return ts_fail(TS_SKIPPED,
                 "seen along the mapping direction the overlap covers %g m2, and the contact "
                 "surface %g m2 of it: the rest is not between the highest faces of body a and the "
                 "lowest of body b, as where it has layers or the bodies are past each other; give "
                 "another direction, or move the bodies apart",
                 least_m2, area_m2);
}

static ts_status build(builder *b) {
  ts_contact_surface *s = b->surface;
  ts_aabb room;
  find_heights(s, &room, &b->inside->parts[b->part]);
  TS_TRY(gather_faces(b, room));
  TS_TRY(ts_bvh_tandem(b->sides[0].bvh, b->sides[1].bvh, ts_pose_identity(), 0, visit_faces, b));
  TS_TRY(check_area(b));
  struct ts_surface_sides *sides = ts_arena_alloc(s->pair->arena, sizeof *sides);
  if (!sides)
    return TS_E_MEMORY;
  sides->of[0] = b->sides[0];
  sides->of[1] = b->sides[1];
  s->sides = sides;
  if (b->polygon_count)
    qsort(b->polygons, b->polygon_count, sizeof *b->polygons, compare_polygons);
  s->polygons = b->polygons;
  s->polygon_count = b->polygon_count;
  s->corners = b->corners;
  s->corner_count = b->corner_count;
  return TS_OK;
}

ts_status ts_contact_surface_create(ts_contact_surface *out, const ts_elastic_pair *pair,
                                    const ts_inside *inside, size_t part, ts_vec3 m,
                                    double stiffness_a) {
  if (!(stiffness_a >= 0 && stiffness_a <= 1))
    return ts_fail(TS_E_INPUT, "the relative stiffness of body a is %g; give 0 to 1", stiffness_a);
  if (!(fabs(ts_vec3_norm(m) - 1) <= TS_UNIT_NORMAL))
    return ts_fail(TS_E_INPUT, "the mapping direction (%g, %g, %g) is not unit", m.x, m.y, m.z);
  *out = (ts_contact_surface){.pair = pair, .m = m, .stiffness_a = stiffness_a};
  ts_vec3_tangents(&out->x, &out->y, m);
  builder b = {.surface = out, .inside = inside, .part = part, .size_m = pair->size_m};
  TS_TRY(ts_arena_create(&b.scratch));
  ts_status status = build(&b);
  ts_arena_destroy(b.scratch);
  return status;
}

/// A place whose highest face of a, or lowest of b, is being looked for.
typedef struct place_search {
  const side *of;
  double sign, tolerance_m, x, y;
  const face *best;
} place_search;

static ts_status look_at(void *context, uint32_t item, uint32_t unused) {
  (void)unused;
  place_search *search = context;
  const face *f = &search->of->faces[item];
  if (!ts_flat_polygon_holds(&f->flat, search->x, search->y, search->tolerance_m))
    return TS_OK;
  double above = search->best ? search->sign * (height_at(f, search->x, search->y) -
                                                height_at(search->best, search->x, search->y))
                              : 1;
  if (above > 0 || (above == 0 && f < search->best))
    search->best = f;
  return TS_OK;
}

bool ts_contact_surface_column(ts_surface_column *out, const ts_contact_surface *surface,
                               ts_vec3 point) {
  double p[3];
  project(p, surface, point);
  for (int body = 0; body < 2; body++) {
    place_search search = {.of = &surface->sides->of[body],
                           .sign = sign_of(body),
                           .tolerance_m = TS_ELASTIC_JOIN * surface->pair->size_m,
                           .x = p[0],
                           .y = p[1]};
    ts_vec3 place = {p[0], p[1], 0};
    if (ts_bvh_near(search.of->bvh, place, search.tolerance_m, look_at, &search) != TS_OK ||
        !search.best)
      return false;
    out->triangle[body] = search.best->triangle;
    out->z_m[body] = height_at(search.best, p[0], p[1]);
  }
  return true;
}

ts_vec3 ts_contact_surface_point(const ts_contact_surface *surface,
                                 const ts_surface_corner *corner) {
  double k = surface->stiffness_a;
  double z = k * corner->z_m[0] + (1 - k) * corner->z_m[1];
  ts_vec3 p = ts_vec3_add_scaled(surface->origin, corner->x_m, surface->x);
  return ts_vec3_add_scaled(ts_vec3_add_scaled(p, corner->y_m, surface->y), z, surface->m);
}

ts_vec3 ts_contact_surface_normal(const ts_contact_surface *surface, ts_vec3 normal_a,
                                  ts_vec3 normal_b) {
  double k = surface->stiffness_a;
  ts_vec3 a = ts_vec3_scale(normal_a, k / ts_vec3_dot(normal_a, surface->m));
  return ts_vec3_unit(ts_vec3_add_scaled(a, (1 - k) / ts_vec3_dot(normal_b, surface->m), normal_b));
}
