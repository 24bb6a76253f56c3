// SPDX-License-Identifier: MIT
#include "ldi/image.h"

/// Weights of the corners where the edge from corner i to corner k crosses the row, and its column.
static double edge_crossing(double weights[3], const ts_ldi_seen *seen, int i, int k, double row) {
  int first = seen->vertex[i] < seen->vertex[k] ? i : k, last = i + k - first;
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
  bool is_below[3];
  int below_count = 0;
  for (int i = 0; i < 3; i++) {
    is_below[i] = seen->row[i] <= row;
    below_count += is_below[i];
  }
  if (below_count == 0 || below_count == 3) {
    nearest_on_rim(out, seen, row, column);
    return;
  }
  int odd = 0;
  while (is_below[odd] != (below_count == 1))
    odd++;
  double next[3], previous[3];
  double from = edge_crossing(next, seen, odd, (odd + 1) % 3, row);
  double to = edge_crossing(previous, seen, (odd + 2) % 3, odd, row);
  double t = (column - from) / (to - from);
  if (!(t >= 0 && t <= 1)) {
    nearest_on_rim(out, seen, row, column);
    return;
  }
  for (int i = 0; i < 3; i++)
    out[i] = (1 - t) * next[i] + t * previous[i];
}
