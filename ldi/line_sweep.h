// SPDX-License-Identifier: MIT
/// The intervals of a line of sight that lie inside of both bodies, from its sorted crossings.
#ifndef TS_LDI_LINE_SWEEP_H
#define TS_LDI_LINE_SWEEP_H

#include "geometry/tolerances.h"
#include "ldi/image.h"

/// One bound of an interval: the crossing there, or the two when a surface of each body lies in the
/// same depth. Which of two such surfaces bounds the overlap is for rounding to say, and the volume
/// has two one-sided derivatives there; each gets half, which is their mean.
typedef struct ts_ldi_bound {
  double depth_px;
  int count;                ///< 1 or 2
  uint32_t id[2], place[2]; ///< As of those crossings.
} ts_ldi_bound;

/// Of a crossing and its twin, or of itself twice.
static inline ts_ldi_bound ts_ldi_bound_of(const ts_ldi_crossing *crossing,
                                           const ts_ldi_crossing *twin) {
  return (ts_ldi_bound){.depth_px = crossing->depth_px,
                        .count = crossing == twin ? 1 : 2,
                        .id = {crossing->id, twin->id},
                        .place = {crossing->place, twin->place}};
}

typedef struct ts_ldi_interval {
  ts_ldi_bound low, high;
} ts_ldi_interval;

/// A walk along one line of sight; ts_ldi_sweep_start.
typedef struct ts_ldi_sweep {
  const ts_ldi_crossing *crossings; ///< [count]
  uint32_t count, next;
  int32_t winding[2];  ///< how many times the line is inside of each body
  uint32_t entered[2]; ///< the crossing at which it came into each; `count`: before all of them
  ts_ldi_bound low;    ///< of the interval that is open
} ts_ldi_sweep;

/// At the start of the crossings of a line, which may lack those of the lower body below all of
/// the other and those of the upper one above it: see ldi/view.h.
static inline ts_ldi_sweep ts_ldi_sweep_start(const ts_ldi_crossing *crossings, uint32_t count,
                                              int lower) {
  ts_ldi_sweep sweep = {.crossings = crossings, .count = count, .entered = {count, count}};
  for (uint32_t i = 0; i < count; i++)
    if (ts_ldi_body(crossings[i].id) == lower)
      sweep.winding[lower] += ts_ldi_is_leaving(crossings[i].id) ? 1 : -1;
  return sweep;
}

static inline bool ts_ldi_same_depth(double low_px, double high_px) {
  return high_px - low_px <= TS_LDI_SAME_DEPTH_PX;
}

/// Whether crossings, in any order, may bound an overlap: one begins no lower than where the line
/// comes into the upper body, and ends no higher than where it leaves the lower one.
static inline bool ts_ldi_may_overlap(const ts_ldi_crossing *crossings, uint32_t count, int lower) {
  const unsigned needed =
      1u << ts_ldi_crossing_id(0, 1 - lower, false) | 1u << ts_ldi_crossing_id(0, lower, true);
  unsigned kinds = 0;
  for (uint32_t i = 0; i < count; i++)
    kinds |= 1u << (crossings[i].id & 3);
  return (kinds & needed) == needed;
}

/// What ts_ldi_sweep_next finds, without a walk, where nothing but those two are left.
static inline bool ts_ldi_interval_of_two(ts_ldi_interval *out, const ts_ldi_crossing *crossings) {
  int entry = ts_ldi_is_leaving(crossings[0].id);
  const ts_ldi_crossing *low = &crossings[entry], *high = &crossings[1 - entry];
  out->low = ts_ldi_bound_of(low, low);
  out->high = ts_ldi_bound_of(high, high);
  return !ts_ldi_same_depth(low->depth_px, high->depth_px);
}

/// The exit of the other body in the same depth as crossing `index`, or `index` when there is none.
static inline uint32_t ts_ldi_sweep_twin_exit(const ts_ldi_sweep *sweep, uint32_t index) {
  const ts_ldi_crossing *c = sweep->crossings;
  for (uint32_t k = index + 1;
       k < sweep->count && ts_ldi_same_depth(c[index].depth_px, c[k].depth_px); k++)
    if (ts_ldi_body(c[k].id) != ts_ldi_body(c[index].id) && ts_ldi_is_leaving(c[k].id))
      return k;
  return index;
}

/// The next interval inside of both bodies that is longer than TS_LDI_SAME_DEPTH_PX: surfaces that
/// only touch bound none. False: there is no more.
static inline bool ts_ldi_sweep_next(ts_ldi_interval *out, ts_ldi_sweep *sweep) {
  const ts_ldi_crossing *c = sweep->crossings;
  while (sweep->next < sweep->count) {
    uint32_t i = sweep->next++;
    int body = ts_ldi_body(c[i].id), other = 1 - body;
    if (!ts_ldi_is_leaving(c[i].id)) {
      if (++sweep->winding[body] != 1)
        continue;
      sweep->entered[body] = i;
      if (sweep->winding[other] < 1)
        continue;
      uint32_t twin = sweep->entered[other];
      bool has_twin = twin < sweep->count && ts_ldi_same_depth(c[twin].depth_px, c[i].depth_px);
      sweep->low = ts_ldi_bound_of(&c[i], &c[has_twin ? twin : i]);
    } else if (--sweep->winding[body] == 0 && sweep->winding[other] > 0 &&
               !ts_ldi_same_depth(sweep->low.depth_px, c[i].depth_px)) {
      uint32_t twin = ts_ldi_sweep_twin_exit(sweep, i);
      out->low = sweep->low;
      out->high = ts_ldi_bound_of(&c[i], &c[twin]);
      return true;
    }
  }
  return false;
}

#endif
