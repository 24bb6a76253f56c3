#include "methods/tet_nodes.h"

#include "geometry/tolerances.h"
#include "methods/prox_tet.h"

/// Whether the tet has a volume, so that it has an inside.
static int is_solid(const ts_vec3 corners[4], const ts_vec3 normals[4], double allowance_m) {
  for (int f = 0; f < 4; f++)
    if (!(ts_vec3_dot(normals[f], ts_vec3_sub(corners[(f + 1) % 4], corners[f])) > allowance_m))
      return 0;
  return 1;
}

/// Heights over the planes of the other tet, by unit normals; and which nodes are in front of a
/// plane. Returns 0 when one has all of them in front.
static int set_heights(ts_tet_nodes *out, const ts_tet_pair *pair, int side, double allowance_m) {
  const ts_vec3 *nodes = pair->corners[side], *other = pair->corners[1 - side];
  unsigned outside = 0;
  for (int f = 0; f < 4; f++) {
    ts_vec3 base = other[(f + 1) % 4], normal = pair->normals[1 - side][f];
    unsigned front = 0;
    for (int i = 0; i < 4; i++) {
      double height = ts_vec3_dot(normal, ts_vec3_sub(nodes[i], base));
      out->height_m[i][f] = height;
      front |= (unsigned)!(height <= allowance_m) << i;
    }
    if (front == 15)
      return 0;
    outside |= front;
  }
  out->inside = ~outside & 15;
  return 1;
}

/// prox2018: heights over its planes, and the nodes that these have inside.
static void set_heights_prox(ts_tet_nodes *out, const ts_vec3 nodes[4], const ts_vec3 other[4]) {
  ts_prox_plane planes[4];
  ts_prox_planes(planes, other);
  unsigned outside = 0;
  for (int f = 0; f < 4; f++) {
    double scale = 1 / ts_vec3_norm(planes[f].normal);
    for (int i = 0; i < 4; i++) {
      double height = ts_vec3_dot(planes[f].normal, ts_vec3_sub(nodes[i], planes[f].on));
      out->height_m[i][f] = height * scale;
      outside |= (unsigned)!(height <= 0) << i;
    }
  }
  out->inside = ~outside & 15;
}

int ts_tet_nodes_find(ts_tet_nodes out[2], const ts_tet_pair *pair, ts_profile profile,
                      double size_m) {
  double allowance_m = TS_TOUCH_RELATIVE * size_m;
  for (int side = 0; side < 2; side++)
    if (!set_heights(&out[side], pair, side, allowance_m))
      return 0;
  for (int side = 0; side < 2; side++) {
    if (out[side].inside == 0)
      continue;
    int other = 1 - side;
    if (!is_solid(pair->corners[other], pair->normals[other], 0))
      out[side].inside = 0;
    else if (profile == TS_PROFILE_PROX2018)
      set_heights_prox(&out[side], pair->corners[side], pair->corners[other]);
  }
  return 1;
}

int ts_tet_nodes_choose(const ts_tet_pair *pair, int container, unsigned candidates,
                        const double key_m[4], double tie_m) {
  double least_m = (double)INFINITY;
  unsigned ties = 0;
  int first = -1;
  for (int f = 0; f < 4; f++)
    if (candidates >> f & 1 && key_m[f] < least_m) {
      least_m = key_m[f];
      first = f;
    }
  for (int f = 0; f < 4; f++)
    if (candidates >> f & 1 && key_m[f] <= least_m + tie_m)
      ties |= 1u << f;
  if ((ties & (ties - 1)) == 0)
    return first;
  ts_vec3 towards = {0, 0, 0};
  for (int i = 0; i < 4; i++)
    towards = ts_vec3_add(
        towards, ts_vec3_sub(pair->corners[1 - container][i], pair->corners[container][i]));
  double most = -(double)INFINITY;
  for (int f = 0; f < 4; f++) {
    double looks = ts_vec3_dot(pair->normals[container][f], towards);
    if (ties >> f & 1 && looks > most) {
      most = looks;
      first = f;
    }
  }
  return first;
}

void ts_tet_nodes_push(ts_tet_contacts *out, const ts_tet_pair *pair, int side, int node, int face,
                       double gap_m) {
  if (out->count == TS_TET_CONTACTS_MAX)
    return;
  ts_vec3 normal = pair->normals[1 - side][face];
  out->contacts[out->count++] = (ts_contact){.point = pair->corners[side][node],
                                             .normal = side == 1 ? normal : ts_vec3_neg(normal),
                                             .gap_m = gap_m,
                                             .area_m2 = (double)NAN};
}
