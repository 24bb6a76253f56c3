// SPDX-License-Identifier: MIT
/// Two contact modifiers as a plug-in for touchstone, in C:
///
///   cc -O2 -shared -fPIC -o manifolds.so manifolds.c $(pkg-config --cflags touchstone) -lm
///   touchstone run --plugin ./manifolds.so --modify none --modify deepest --modify extremes
///
/// `deepest` keeps the deepest contacts of a pair, as nimblephysics does. `extremes` sorts contacts
/// into bins of normals and keeps, of each bin, the extremes along directions across its normal and
/// the deepest, as hydroelastic contacts are thinned out in Newton.
#include <math.h>
#include <stdlib.h>
#include <touchstone/modifier.h>

static double dot(ts_vec3 a, ts_vec3 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

static ts_vec3 cross(ts_vec3 a, ts_vec3 b) {
  return (ts_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

// ---- deepest ------------------------------------------------------------------------------------

enum { PARAM_COUNT_KEPT, DEEPEST_PARAM_COUNT };

static const ts_param deepest_params[DEEPEST_PARAM_COUNT] = {
    [PARAM_COUNT_KEPT] = {.name = "count",
                          .summary = "How many contacts are kept.",
                          .kind = TS_PARAM_INTEGER,
                          .default_value = 4,
                          .minimum = 1,
                          .maximum = 1000},
};

typedef struct entry {
  double gap_m;
  size_t index;
} entry;

/// Deeper ones first, unknown gaps last; of equal ones that with the lower index, so that the
/// result does not depend on how qsort works.
static int compare(const void *left, const void *right) {
  const entry *l = left, *r = right;
  double a = isnan(l->gap_m) ? INFINITY : l->gap_m, b = isnan(r->gap_m) ? INFINITY : r->gap_m;
  if (a != b)
    return a < b ? -1 : 1;
  return (l->index > r->index) - (l->index < r->index);
}

static ts_status deepest(const ts_host *host, const ts_pair *pair, const ts_contact *contacts,
                         size_t count, const double *params) {
  (void)pair;
  size_t kept = (size_t)params[PARAM_COUNT_KEPT];
  entry *order = host->scratch(host, count * sizeof *order);
  if (!order)
    return TS_E_MEMORY;
  for (size_t i = 0; i < count; i++)
    order[i] = (entry){contacts[i].gap_m, i};
  qsort(order, count, sizeof *order, compare);
  ts_status status = TS_OK;
  for (size_t i = 0; i < count && i < kept && status == TS_OK; i++)
    status = host->push(host, &contacts[order[i].index], 1);
  return status;
}

// ---- extremes -----------------------------------------------------------------------------------

enum { PARAM_DIRECTIONS, PARAM_ANGLE, EXTREMES_PARAM_COUNT };

static const ts_param extremes_params[EXTREMES_PARAM_COUNT] = {
    [PARAM_DIRECTIONS] = {.name = "directions",
                          .summary = "Directions across a normal along which extremes are kept.",
                          .kind = TS_PARAM_INTEGER,
                          .default_value = 6,
                          .minimum = 3,
                          .maximum = 32},
    [PARAM_ANGLE] = {.name = "angle_deg",
                     .summary = "Angle up to which normals are in one bin.",
                     .kind = TS_PARAM_REAL,
                     .default_value = 20,
                     .minimum = 0,
                     .maximum = 90},
};

/// A unit vector across a normal.
static ts_vec3 across(ts_vec3 n) {
  ts_vec3 axis = fabs(n.x) < 0.6 ? (ts_vec3){1, 0, 0} : (ts_vec3){0, 1, 0};
  ts_vec3 u = cross(n, axis);
  double length = sqrt(dot(u, u));
  return (ts_vec3){u.x / length, u.y / length, u.z / length};
}

/// Of the contacts [count] in bin `bin`, marks the deepest and those farthest along directions.
static void mark_bin(char *is_kept, const ts_contact *contacts, const size_t *bins, size_t count,
                     size_t bin, int directions) {
  size_t first = 0, best;
  while (bins[first] != bin)
    first++;
  ts_vec3 n = contacts[first].normal, u = across(n), v = cross(n, u);
  for (int d = -1; d < directions; d++) { // -1: the deepest
    double angle = 2 * 3.14159265358979323846 * d / directions;
    ts_vec3 way = {cos(angle) * u.x + sin(angle) * v.x, cos(angle) * u.y + sin(angle) * v.y,
                   cos(angle) * u.z + sin(angle) * v.z};
    double most = -INFINITY;
    best = first;
    for (size_t i = first; i < count; i++) {
      double value = d < 0 ? -contacts[i].gap_m : dot(way, contacts[i].point);
      if (bins[i] == bin && value > most) {
        most = value;
        best = i;
      }
    }
    is_kept[best] = 1;
  }
}

static ts_status extremes(const ts_host *host, const ts_pair *pair, const ts_contact *contacts,
                          size_t count, const double *params) {
  (void)pair;
  size_t *bins = host->scratch(host, count * sizeof *bins), bin_count = 0;
  size_t *leaders = host->scratch(host, count * sizeof *leaders);
  char *is_kept = host->scratch(host, count); // zeroed
  if (!bins || !leaders || !is_kept)
    return TS_E_MEMORY;
  double cosine = cos(params[PARAM_ANGLE] * 3.14159265358979323846 / 180);
  for (size_t i = 0; i < count; i++) {
    size_t k = 0;
    while (k < bin_count && !(dot(contacts[leaders[k]].normal, contacts[i].normal) >= cosine))
      k++;
    if (k == bin_count)
      leaders[bin_count++] = i;
    bins[i] = k;
  }
  for (size_t k = 0; k < bin_count; k++)
    mark_bin(is_kept, contacts, bins, count, k, (int)params[PARAM_DIRECTIONS]);
  ts_status status = TS_OK;
  for (size_t i = 0; i < count && status == TS_OK; i++)
    if (is_kept[i])
      status = host->push(host, &contacts[i], 1);
  return status;
}

static const ts_modifier modifier_deepest = {
    .abi = TS_METHOD_ABI,
    .struct_size = sizeof(ts_modifier),
    .name = "deepest",
    .summary = "Keeps the deepest contacts of a pair.",
    .source = "nimblephysics, which keeps four.",
    .params = deepest_params,
    .param_count = DEEPEST_PARAM_COUNT,
    .apply = deepest,
};

static const ts_modifier modifier_extremes = {
    .abi = TS_METHOD_ABI,
    .struct_size = sizeof(ts_modifier),
    .name = "extremes",
    .summary = "Of each bin of normals keeps the deepest contact and the extremes across it.",
    .source = "Newton, reduction of hydroelastic contacts.",
    .params = extremes_params,
    .param_count = EXTREMES_PARAM_COUNT,
    .apply = extremes,
};

TS_PLUGIN_EXPORT const ts_modifier *const *touchstone_modifiers(void) {
  static const ts_modifier *const list[] = {&modifier_deepest, &modifier_extremes, NULL};
  return list;
}
