// SPDX-License-Identifier: MIT
#include "geometry/solid/solid_separation.h"

#include "geometry/tolerances.h"

#define PI 3.14159265358979323846

/// Directions kept to see whether another one is as good as the best, no two of them closer than
/// the tolerance of normals.
enum { KEPT_MAX = 64 };

/// Directions of a circle at which the derivative is looked at: s of a disc has four extremes at
/// most there, none closer than the steps unless both are nearly one.
enum { CIRCLE_STEPS = 64 };

/// Directions that Newton steps begin from for two discs, and steps from each.
enum { STARTS = 40, NEWTON_STEPS = 30 };

typedef struct search {
  const ts_solid *of[2];
  double slack_m;
  ts_solid_way best;
  size_t count;
  ts_solid_way kept[KEPT_MAX];
} search;

double ts_solid_gap_along(const ts_solid *a, const ts_solid *b, ts_vec3 normal) {
  for (int i = 0; i < 2; i++) {
    const ts_solid *s = i == 0 ? a : b;
    if (s->is_half_space &&
        ts_vec3_dot(s->faces[0], normal) * (i == 0 ? 1 : -1) < 1 - TS_UNIT_ROUNDING)
      return -INFINITY;
  }
  return -(ts_solid_reach(a, normal) + ts_solid_reach(b, ts_vec3_neg(normal)));
}

// ---- directions that were tried ---------------------------------------------------------------

static bool is_same_direction(ts_vec3 a, ts_vec3 b) {
  return 1 - ts_vec3_dot(a, b) <= TS_NORMAL_TOLERANCE;
}

static void drop_worse(search *s) {
  size_t left = 0;
  for (size_t i = 0; i < s->count; i++)
    if (s->kept[i].gap_m >= s->best.gap_m - 2 * s->slack_m)
      s->kept[left++] = s->kept[i];
  s->count = left;
}

static void keep(search *s, ts_solid_way way) {
  for (size_t i = 0; i < s->count; i++)
    if (is_same_direction(s->kept[i].normal, way.normal)) {
      if (way.gap_m > s->kept[i].gap_m)
        s->kept[i] = way;
      return;
    }
  if (s->count == KEPT_MAX)
    drop_worse(s);
  if (s->count < KEPT_MAX)
    s->kept[s->count++] = way;
}

/// Tries a direction out of solid `side`; one without a length is none. `most_m`: the gap along it
/// is no larger, and it need not be looked at when that is too little.
static void try_out_of(search *s, int side, ts_vec3 outward, double most_m) {
  if (!(ts_vec3_norm2(outward) > 0.5) || most_m < s->best.gap_m - 2 * s->slack_m)
    return;
  ts_vec3 normal = side == 0 ? outward : ts_vec3_neg(outward);
  ts_solid_way way = {normal, ts_solid_gap_along(s->of[0], s->of[1], normal)};
  if (!(way.gap_m >= s->best.gap_m - 2 * s->slack_m))
    return;
  if (way.gap_m > s->best.gap_m)
    s->best = way;
  keep(s, way);
}

static void try_both(search *s, ts_vec3 direction) {
  try_out_of(s, 0, direction, INFINITY);
  try_out_of(s, 1, direction, INFINITY);
}

// ---- what the features of two solids say of a direction ---------------------------------------

/// A point, or a disc, of either solid: the gap along m, out of the first solid, is no larger than
/// -(m.between + sum of radius |m x axis|).
typedef struct generators {
  ts_vec3 between; ///< from the second solid's to the first one's
  size_t disc_count;
  ts_vec3 axes[2];
  double radii_m[2];
  double more_m; ///< what else the solids reach along any direction that is asked about
} generators;

static void add_disc(generators *g, const ts_solid_disc *disc) {
  g->axes[g->disc_count] = disc->axis;
  g->radii_m[g->disc_count++] = disc->radius_m;
}

static size_t generator_count(const ts_solid *solid) {
  return solid->point_count + solid->disc_count;
}

/// Point or centre `index` of a solid; its disc, NULL for a point.
static ts_vec3 generator_of(const ts_solid_disc **out, const ts_solid *solid, size_t index) {
  *out = index < solid->point_count ? NULL : &solid->discs[index - solid->point_count];
  return *out ? (*out)->centre : solid->points[index];
}

static double most_along(const generators *g, ts_vec3 m) {
  double reach_m = ts_vec3_dot(m, g->between) + g->more_m;
  for (size_t i = 0; i < g->disc_count; i++)
    reach_m += g->radii_m[i] * ts_vec3_norm(ts_vec3_cross(m, g->axes[i]));
  return -reach_m;
}

/// The gradient of most_along(), m being free to move in space.
static ts_vec3 gradient_at(const generators *g, ts_vec3 m) {
  ts_vec3 sum = ts_vec3_neg(g->between);
  for (size_t i = 0; i < g->disc_count; i++) {
    ts_vec3 across = ts_vec3_add_scaled(m, -ts_vec3_dot(m, g->axes[i]), g->axes[i]);
    sum = ts_vec3_add_scaled(sum, -g->radii_m[i], ts_vec3_unit(across));
  }
  return sum;
}

// ---- circles of directions --------------------------------------------------------------------

/// Unit directions m out of a solid with m . axis = height: at right angles to an edge, or the
/// normals of a side.
typedef struct circle {
  ts_vec3 axis, u, v;
  double height, radius;
  ts_vec3 through; ///< a point of the edge, or of the axis of the side
  double more_m;   ///< how much farther than that point the solid reaches there
} circle;

static size_t circle_count(const ts_solid *solid) {
  return solid->edge_count + solid->has_side;
}

static circle circle_of(const ts_solid *solid, size_t index) {
  circle c = {.axis = solid->axis, .height = solid->side_sine, .more_m = solid->round_m};
  if (index < solid->edge_count) {
    const ts_vec3 *ends = solid->edges[index];
    c.axis = ts_vec3_unit(ts_vec3_sub(ends[1], ends[0]));
    c.height = 0;
    c.through = ends[0];
  } else if (solid->point_count > 0) { // the apex of a cone
    c.through = solid->points[0];
  } else {
    c.through = solid->discs[0].centre;
    c.more_m += solid->discs[0].radius_m;
  }
  c.radius = sqrt(fmax(0, 1 - c.height * c.height));
  ts_vec3_tangents(&c.u, &c.v, c.axis);
  return c;
}

static ts_vec3 on_circle(const circle *c, double angle) {
  ts_vec3 m = ts_vec3_scale(c->axis, c->height);
  m = ts_vec3_add_scaled(m, c->radius * cos(angle), c->u);
  return ts_vec3_unit(ts_vec3_add_scaled(m, c->radius * sin(angle), c->v));
}

static double slope_at(const circle *c, const generators *g, double angle) {
  ts_vec3 along = ts_vec3_scale(c->u, -sin(angle));
  along = ts_vec3_add_scaled(along, cos(angle), c->v);
  return ts_vec3_dot(gradient_at(g, on_circle(c, angle)), along);
}

static void try_angle(search *s, int side, const circle *c, const generators *g, double angle) {
  ts_vec3 m = on_circle(c, angle);
  try_out_of(s, side, m, most_along(g, m));
}

/// Against a point both extremes are towards and away from it.
static void try_towards(search *s, int side, const circle *c, const generators *g) {
  ts_vec3 radial = ts_solid_radial(c->axis, g->between);
  for (int sign = -1; sign <= 1; sign += 2) {
    ts_vec3 m = ts_vec3_add_scaled(ts_vec3_scale(c->axis, c->height), sign * c->radius, radial);
    try_out_of(s, side, ts_vec3_unit(m), most_along(g, m));
  }
}

static void try_circle(search *s, int side, const circle *c, const generators *g) {
  if (g->disc_count == 0) {
    try_towards(s, side, c, g);
    return;
  }
  const double step = 2 * PI / CIRCLE_STEPS;
  double slope = slope_at(c, g, 0);
  for (int i = 0; i < CIRCLE_STEPS; i++) {
    double low = i * step, high = low + step, next = slope_at(c, g, high);
    if (i % (CIRCLE_STEPS / 4) == 0) // where s is the same all around there is no extreme
      try_angle(s, side, c, g, low);
    bool is_largest = slope >= 0 && next <= 0;
    slope = next;
    if (!is_largest)
      continue;
    for (int k = 0; k < 60 && low < high; k++) {
      double middle = 0.5 * (low + high);
      if (slope_at(c, g, middle) > 0)
        low = middle;
      else
        high = middle;
    }
    try_angle(s, side, c, g, low);
    try_angle(s, side, c, g, high);
  }
}

/// The circles of one solid against the points and discs of the other.
static void try_circles(search *s, int side) {
  const ts_solid *solid = s->of[side], *other = s->of[1 - side];
  for (size_t i = 0; i < circle_count(solid); i++) {
    circle c = circle_of(solid, i);
    for (size_t k = 0; k < generator_count(other); k++) {
      const ts_solid_disc *disc;
      ts_vec3 at = generator_of(&disc, other, k);
      generators g = {.between = ts_vec3_sub(c.through, at), .more_m = c.more_m + other->round_m};
      if (disc)
        add_disc(&g, disc);
      try_circle(s, side, &c, &g);
    }
  }
}

/// The two directions that a circle of either solid share.
static void try_crossing(search *s, const circle *a, const circle *b) {
  ts_vec3 across = ts_vec3_cross(a->axis, b->axis);
  double cosine = ts_vec3_dot(a->axis, b->axis), sine2 = ts_vec3_norm2(across);
  double height_b = -b->height; // of directions out of a
  if (!(sine2 > 0))
    return;
  double along_a = (a->height - height_b * cosine) / sine2;
  double along_b = (height_b - a->height * cosine) / sine2;
  ts_vec3 in_plane = ts_vec3_add(ts_vec3_scale(a->axis, along_a), ts_vec3_scale(b->axis, along_b));
  double left = 1 - ts_vec3_norm2(in_plane);
  if (left < -TS_PARALLEL_SINE)
    return;
  double out_of_plane = sqrt(fmax(0, left) / sine2);
  generators g = {.between = ts_vec3_sub(a->through, b->through), .more_m = a->more_m + b->more_m};
  for (int sign = -1; sign <= 1; sign += 2) {
    ts_vec3 m = ts_vec3_unit(ts_vec3_add_scaled(in_plane, sign * out_of_plane, across));
    try_out_of(s, 0, m, most_along(&g, m));
  }
}

static void try_crossings(search *s) {
  for (size_t i = 0; i < circle_count(s->of[0]); i++) {
    circle a = circle_of(s->of[0], i);
    for (size_t k = 0; k < circle_count(s->of[1]); k++) {
      circle b = circle_of(s->of[1], k);
      try_crossing(s, &a, &b);
    }
  }
}

// ---- points and discs -------------------------------------------------------------------------

/// A Newton step towards a largest value of most_along(), in the plane at right angles to m; where
/// s is not concave, along the gradient.
static ts_vec3 step_of(const generators *g, ts_vec3 m) {
  ts_vec3 u, v, gradient = gradient_at(g, m);
  ts_vec3_tangents(&u, &v, m);
  double curving = ts_vec3_dot(gradient, m);
  double uu = -curving, vv = -curving, uv = 0;
  for (size_t i = 0; i < g->disc_count; i++) {
    ts_vec3 across = ts_vec3_cross(g->axes[i], m);
    double sine = ts_vec3_norm(across);
    ts_vec3 tangent = ts_vec3_unit(across);
    double weight = sine > 0 ? g->radii_m[i] / sine : 0;
    double along_u = ts_vec3_dot(tangent, u), along_v = ts_vec3_dot(tangent, v);
    uu -= weight * along_u * along_u;
    uv -= weight * along_u * along_v;
    vv -= weight * along_v * along_v;
  }
  double gu = ts_vec3_dot(gradient, u), gv = ts_vec3_dot(gradient, v), det = uu * vv - uv * uv;
  bool is_concave = det > 0 && uu + vv < 0;
  double along_u = is_concave ? -(vv * gu - uv * gv) / det : gu;
  double along_v = is_concave ? -(uu * gv - uv * gu) / det : gv;
  ts_vec3 step = ts_vec3_add(ts_vec3_scale(u, along_u), ts_vec3_scale(v, along_v));
  double length = ts_vec3_norm(step), most = 0.5;
  return length > most || (!is_concave && length > 0) ? ts_vec3_scale(step, most / length) : step;
}

static void climb(search *s, const generators *g, ts_vec3 m) {
  for (int i = 0; i < NEWTON_STEPS; i++) {
    ts_vec3 step = step_of(g, m);
    double now_m = most_along(g, m), factor = 1;
    ts_vec3 next = ts_vec3_unit(ts_vec3_add(m, step));
    while (factor > TS_PARALLEL_SINE && most_along(g, next) < now_m) {
      factor *= 0.5;
      next = ts_vec3_unit(ts_vec3_add_scaled(m, factor, step));
    }
    if (!(most_along(g, next) > now_m))
      break;
    m = next;
  }
  // Where s no longer grows it still says where its derivative is 0, to twice as many digits.
  ts_vec3 last = step_of(g, m);
  if (ts_vec3_norm(last) < TS_PARALLEL_SINE)
    m = ts_vec3_unit(ts_vec3_add(m, last));
  try_out_of(s, 0, m, most_along(g, m));
}

/// Directions spread over the sphere along a spiral, in steps of the golden angle.
static ts_vec3 start_of(int index) {
  double height = 1 - (2 * index + 1.0) / STARTS, radius = sqrt(1 - height * height);
  double angle = index * PI * (3 - sqrt(5.0));
  return ts_vec3_make(radius * cos(angle), radius * sin(angle), height);
}

static void try_discs(search *s, const ts_solid_disc *a, const ts_solid_disc *b) {
  generators g = {.between = ts_vec3_sub(a->centre, b->centre)};
  add_disc(&g, a);
  add_disc(&g, b);
  climb(s, &g, s->best.normal);
  for (int i = 0; i < STARTS; i++)
    climb(s, &g, start_of(i));
}

/// From a point of one solid to the nearest point, and the farthest, of the rim of a disc.
static void try_rim(search *s, int side, ts_vec3 point, const ts_solid_disc *disc) {
  ts_vec3 radial = ts_solid_radial(disc->axis, ts_vec3_sub(point, disc->centre));
  for (int sign = -1; sign <= 1; sign += 2) {
    ts_vec3 rim = ts_vec3_add_scaled(disc->centre, sign * disc->radius_m, radial);
    try_out_of(s, side, ts_vec3_unit(ts_vec3_sub(rim, point)), INFINITY);
  }
}

static void try_generators(search *s) {
  const ts_solid *a = s->of[0], *b = s->of[1];
  for (size_t i = 0; i < generator_count(a); i++)
    for (size_t k = 0; k < generator_count(b); k++) {
      const ts_solid_disc *disc_a, *disc_b;
      ts_vec3 at_a = generator_of(&disc_a, a, i), at_b = generator_of(&disc_b, b, k);
      ts_vec3 to_b = ts_vec3_sub(at_b, at_a);
      if (disc_a && disc_b) {
        try_discs(s, disc_a, disc_b);
      } else if (disc_a) {
        try_rim(s, 1, at_b, disc_a);
      } else if (disc_b) {
        try_rim(s, 0, at_a, disc_b);
      } else {
        ts_vec3 m = ts_vec3_unit(to_b);
        double reach_m = a->round_m + b->round_m;
        try_out_of(s, 0, m, ts_vec3_dot(m, to_b) - reach_m);
        try_out_of(s, 0, ts_vec3_neg(m), -ts_vec3_dot(m, to_b) - reach_m);
      }
    }
}

// ---- all of them ------------------------------------------------------------------------------

/// Directions that have to be among those tried where many are equally good, as around a centre
/// that two spheres share.
static void try_axes(search *s) {
  for (int side = 0; side < 2; side++) {
    ts_quat rotation = s->of[side]->pose.rotation;
    try_both(s, ts_quat_rotate(rotation, ts_vec3_make(1, 0, 0)));
    try_both(s, ts_quat_rotate(rotation, ts_vec3_make(0, 1, 0)));
    try_both(s, ts_quat_rotate(rotation, ts_vec3_make(0, 0, 1)));
  }
}

static void try_faces(search *s, int side) {
  for (size_t i = 0; i < s->of[side]->face_count; i++)
    try_out_of(s, side, s->of[side]->faces[i], INFINITY);
}

/// Directions around the best, beyond the tolerance of normals: as good as it where it is one of
/// many.
static void try_around(search *s) {
  ts_vec3 best = s->best.normal, u, v;
  ts_vec3_tangents(&u, &v, best);
  double sine = 1.5 * sqrt(2 * TS_NORMAL_TOLERANCE);
  for (int i = 0; i < 8; i++) {
    double angle = i * PI / 4;
    ts_vec3 m = ts_vec3_add_scaled(best, sine * cos(angle), u);
    try_out_of(s, 0, ts_vec3_unit(ts_vec3_add_scaled(m, sine * sin(angle), v)), INFINITY);
  }
}

/// If the solids moved against each other by the slack, the gap along two directions would change
/// by at most that times the difference of both.
static void find_other(ts_solid_separation *out, const search *s) {
  out->way = s->best;
  for (size_t i = 0; i < s->count && !out->has_other; i++) {
    const ts_solid_way *kept = &s->kept[i];
    double change_m = s->slack_m * ts_vec3_distance(kept->normal, s->best.normal);
    out->has_other =
        !is_same_direction(kept->normal, s->best.normal) && s->best.gap_m - kept->gap_m <= change_m;
    out->other = *kept;
  }
}

void ts_solid_separate(ts_solid_separation *out, const ts_solid *a, const ts_solid *b,
                       double slack_m) {
  search s = {.of = {a, b}, .slack_m = slack_m, .best = {{0, 0, 0}, -INFINITY}};
  *out = (ts_solid_separation){.has_other = false};
  try_faces(&s, 0);
  try_faces(&s, 1);
  if (!a->is_half_space && !b->is_half_space) {
    try_axes(&s);
    try_circles(&s, 0);
    try_circles(&s, 1);
    try_crossings(&s);
    try_generators(&s);
    try_around(&s);
  }
  find_other(out, &s);
}
