// SPDX-License-Identifier: MIT
#include "geometry/tet.h"
#include "geometry/vec3.h"

/// A node of a part of the first tet. Its heights over the face planes of the second, positive on
/// the inside and each in a unit of its own, are carried along and interpolated like the point.
typedef struct corner {
  ts_vec3 point;
  double height[4];
} corner;

double ts_tet_volume(const ts_vec3 tet[4]) {
  ts_vec3 u = ts_vec3_sub(tet[1], tet[0]), v = ts_vec3_sub(tet[2], tet[0]);
  return ts_vec3_dot(ts_vec3_cross(u, v), ts_vec3_sub(tet[3], tet[0])) / 6;
}

ts_tet_axes ts_tet_axes_of_surface(const uint8_t surface[2]) {
  static const uint8_t edges_of_face[4] = {0x38, 0x26, 0x15, 0x0b};
  ts_tet_axes axes = {{surface[0], surface[1]}, {0, 0}};
  for (int side = 0; side < 2; side++)
    for (int f = 0; f < 4; f++)
      if (surface[side] >> f & 1)
        axes.edges[side] |= edges_of_face[f];
  return axes;
}

/// Fills the heights of p's corners over the faces of `tet`. Returns 0 when one face has all of p
/// on its outside, or when the tet is flat.
static int set_heights(corner p[4], const ts_vec3 tet[4]) {
  for (int f = 0; f < 4; f++) {
    ts_vec3 base = tet[(f + 1) % 4];
    ts_vec3 normal =
        ts_vec3_cross(ts_vec3_sub(tet[(f + 2) % 4], base), ts_vec3_sub(tet[(f + 3) % 4], base));
    double apex = ts_vec3_dot(normal, ts_vec3_sub(tet[f], base));
    double inward = (apex > 0) - (apex < 0);
    int any_inside = 0;
    for (int i = 0; i < 4; i++) {
      p[i].height[f] = inward * ts_vec3_dot(normal, ts_vec3_sub(p[i].point, base));
      any_inside |= p[i].height[f] > 0;
    }
    if (!any_inside)
      return 0;
  }
  return 1;
}

/// Where the edge between two corners meets a plane.
static corner cut(const corner *in, const corner *out, int plane) {
  double t = in->height[plane] / (in->height[plane] - out->height[plane]);
  corner c = {.point = ts_vec3_lerp(in->point, out->point, t)};
  for (int f = 0; f < 4; f++)
    c.height[f] = in->height[f] + t * (out->height[f] - in->height[f]);
  return c;
}

static double volume_inside(const corner p[4], int plane);

/// The prism between triangles a and b, whose corners belong together, in three tets.
static double prism_inside(const corner a[3], const corner b[3], int plane) {
  const corner parts[3][4] = {
      {a[0], a[1], a[2], b[2]}, {a[0], a[1], b[2], b[1]}, {a[0], b[2], b[1], b[0]}};
  double volume = 0;
  for (int i = 0; i < 3; i++)
    volume += volume_inside(parts[i], plane);
  return volume;
}

/// Volume of the part of a tet that is inside the planes from `plane` on. Each plane leaves the
/// tet, a smaller one or a prism, so that there are at most 81 tets. Whichever side
/// rounding puts a corner on that lies on a plane, the parts fill what is left without a gap.
static double volume_inside(const corner p[4], int plane) {
  const corner *in[4], *out[4];
  int in_count = 4;
  for (; plane < 4 && in_count == 4; plane++) {
    int out_count = in_count = 0;
    for (int i = 0; i < 4; i++)
      if (p[i].height[plane] > 0)
        in[in_count++] = &p[i];
      else
        out[out_count++] = &p[i];
  }
  if (in_count == 0)
    return 0;
  if (in_count == 4) {
    const ts_vec3 points[4] = {p[0].point, p[1].point, p[2].point, p[3].point};
    return fabs(ts_tet_volume(points));
  }
  int cutter = plane - 1;
  if (in_count == 1) {
    const corner tip[4] = {*in[0], cut(in[0], out[0], cutter), cut(in[0], out[1], cutter),
                           cut(in[0], out[2], cutter)};
    return volume_inside(tip, plane);
  }
  corner a[3], b[3];
  if (in_count == 3)
    for (int i = 0; i < 3; i++) {
      a[i] = *in[i];
      b[i] = cut(in[i], out[0], cutter);
    }
  else
    for (int i = 0; i < 3; i++) {
      a[i] = i == 0 ? *in[0] : cut(in[0], out[i - 1], cutter);
      b[i] = i == 0 ? *in[1] : cut(in[1], out[i - 1], cutter);
    }
  return prism_inside(a, b, plane);
}

double ts_tet_tet_volume(const ts_vec3 a[4], const ts_vec3 b[4]) {
  corner of_a[4], of_b[4];
  ts_vec3 local_a[4], local_b[4];
  for (int i = 0; i < 4; i++) {
    local_a[i] = of_a[i].point = ts_vec3_sub(a[i], a[0]);
    local_b[i] = of_b[i].point = ts_vec3_sub(b[i], a[0]);
  }
  if (!set_heights(of_b, local_a) || !set_heights(of_a, local_b))
    return 0;
  double least = fmin(fabs(ts_tet_volume(local_a)), fabs(ts_tet_volume(local_b)));
  // In a tet that is flat but for rounding, the planes bound more than the tet.
  return fmin(volume_inside(of_a, 0), least);
}
