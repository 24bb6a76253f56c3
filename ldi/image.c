// SPDX-License-Identifier: MIT
#include "ldi/image.h"

/// Weights of the corners where the edge from corner i to corner k crosses the row, and its column.
static inline double edge_crossing(double weights[3], const ts_ldi_seen *seen, int i, int k,
                                   double row) {
  // Which of the two comes first cannot be predicted: no branch.
  int swap = (i ^ k) & -(seen->vertex[i] > seen->vertex[k]), first = i ^ swap, last = k ^ swap;
  double t = (row - seen->row[first]) / (seen->row[last] - seen->row[first]);
  weights[0] = weights[1] = weights[2] = 0;
  weights[first] = 1 - t;
  weights[last] = t;
  return seen->column[first] + t * (seen->column[last] - seen->column[first]);
}

/// Weights of the point of the rim that is nearest to a pixel beside the triangle.
static void nearest_on_rim(double out[3], const ts_ldi_seen *seen, double row, double column) {
  double smallest = INFINITY;
  for (int i = 0; i < 3; i++) {
    int k = (i + 1) % 3;
    double along = seen->column[k] - seen->column[i], up = seen->row[k] - seen->row[i];
    double right = column - seen->column[i], above = row - seen->row[i];
    double length2 = along * along + up * up;
    double t = length2 > 0 ? (right * along + above * up) / length2 : 0;
    t = t > 0 ? ts_min(t, 1) : 0;
    right -= t * along;
    above -= t * up;
    double distance2 = right * right + above * above;
    if (distance2 >= smallest)
      continue;
    smallest = distance2;
    out[i] = 1 - t;
    out[k] = t;
    out[3 - i - k] = 0;
  }
}

void ts_ldi_barycentric(double out[3], const ts_ldi_seen *seen, int32_t row, int32_t column) {
  int below = seen->row[0] <= row;
  below |= (seen->row[1] <= row) << 1 | (seen->row[2] <= row) << 2;
  if (below == 0 || below == 7) {
    nearest_on_rim(out, seen, row, column);
    return;
  }
  // The corner that is alone on its side of the row, and those after and before it.
  static const uint8_t odd_of[8] = {0, 0, 1, 2, 2, 1, 0, 0}, after[3] = {1, 2, 0},
                       before[3] = {2, 0, 1};
  int odd = odd_of[below];
  double next[3], previous[3];
  double from = edge_crossing(next, seen, odd, after[odd], row);
  double to = edge_crossing(previous, seen, before[odd], odd, row);
  double t = (column - from) / (to - from);
  if (!(t >= 0 && t <= 1)) {
    nearest_on_rim(out, seen, row, column);
    return;
  }
  for (int i = 0; i < 3; i++)
    out[i] = (1 - t) * next[i] + t * previous[i];
}
