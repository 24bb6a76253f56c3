// SPDX-License-Identifier: MIT
#include "harness/plan/names.h"

#include "base/status.h"
#include "methods/method.h"

#include <stdio.h>
#include <string.h>

/// Number of edits (insert, drop, replace, swap neighbours) that turn `b` into `a`; names longer
/// than TS_NAME_LENGTH_MAX are never close.
static size_t edit_distance(const char *a, const char *b) {
  size_t a_count = strlen(a), b_count = strlen(b);
  if (a_count > TS_NAME_LENGTH_MAX || b_count > TS_NAME_LENGTH_MAX)
    return SIZE_MAX;
  size_t rows[3][TS_NAME_LENGTH_MAX + 1];
  size_t *before = rows[0], *last = rows[1], *row = rows[2];
  for (size_t j = 0; j <= b_count; j++)
    before[j] = last[j] = j;
  for (size_t i = 1; i <= a_count; i++) {
    row[0] = i;
    for (size_t j = 1; j <= b_count; j++) {
      size_t best = last[j - 1] + (a[i - 1] != b[j - 1]);
      if (last[j] + 1 < best)
        best = last[j] + 1;
      if (row[j - 1] + 1 < best)
        best = row[j - 1] + 1;
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
          before[j - 2] + 1 < best)
        best = before[j - 2] + 1;
      row[j] = best;
    }
    size_t *free_row = before;
    before = last;
    last = row;
    row = free_row;
  }
  return last[b_count];
}

const char *ts_names_nearest(const char *word, const char *const *names, size_t count) {
  size_t length = strlen(word);
  size_t best = length < 4 ? 2 : length / 3 + 2; // one more than still counts as close
  const char *nearest = NULL;
  for (size_t i = 0; i < count; i++) {
    size_t distance = edit_distance(word, names[i]);
    if (distance < best) {
      best = distance;
      nearest = names[i];
    }
  }
  if (nearest || length < 3)
    return nearest;
  for (size_t i = 0; i < count; i++)
    if (strncmp(names[i], word, length) == 0)
      return names[i];
  return NULL;
}

char *ts_names_join(char *out, size_t bytes, const char *const *names, size_t count) {
  size_t used = 0;
  out[0] = '\0';
  for (size_t i = 0; i < count; i++) {
    size_t more = strlen(names[i]) + 2;
    if (used + more + sizeof ", ..." > bytes) {
      snprintf(out + used, bytes - used, ", ...");
      break;
    }
    used += (size_t)sprintf(out + used, "%s%s", i ? ", " : "", names[i]);
  }
  return out;
}

char *ts_names_choice(char *out, size_t bytes, const char *const *names, size_t count) {
  size_t before = count > 0 ? count - 1 : 0;
  ts_names_join(out, bytes, names, before);
  size_t used = strlen(out);
  if (count > 0)
    snprintf(out + used, bytes - used, "%s%s", before > 0 ? " or " : "", names[before]);
  return out;
}

ts_status ts_names_unknown(const char *kind, const char *word, const char *const *names,
                           size_t count) {
  char list[700], typed[8] = "-";
  ts_names_join(list, sizeof list, names, count);
  const char *nearest = ts_names_nearest(word, names, count);
  if (!nearest && word[0] == '-' && word[1] != '-' && strlen(word) < 4) // -j is --jobs
    nearest = ts_names_nearest(strcat(typed, word), names, count);
  if (nearest)
    return ts_fail(TS_E_INPUT, "there is no %s \"%s\"; did you mean \"%s\"? There are: %s", kind,
                   word, nearest, list);
  return ts_fail(TS_E_INPUT, "there is no %s \"%s\"; there are: %s", kind, word, list);
}
