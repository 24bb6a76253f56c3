// SPDX-License-Identifier: MIT
#include "base/pattern.h"

#include "base/status.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GROUPS_MAX  64 // nested in each other
#define ANCHORS_MAX 8  // the C library may not finish "^^^^^^^^^^^^^^^^^^^^^^^^*a"

/// Number of atoms of a group so far, with repetitions expanded, and of its last item.
typedef struct group {
  size_t total, last;
} group;

static size_t most(size_t a, size_t b) {
  return a > b ? a : b;
}

/// The end of a bracket expression that begins at `at`.
static const char *pass_brackets(const char *at) {
  at++;
  at += *at == '^';
  at += *at == ']';
  while (*at && *at != ']') {
    // [:alpha:], [.x.], [=x=]
    char kind = at[0] == '[' ? at[1] : '\0';
    const char *close = kind && strchr(":.=", kind) ? strchr(at + 2, kind) : NULL;
    at = close && close[1] == ']' ? close + 2 : at + 1;
  }
  return *at ? at + 1 : at;
}

/// How often "{m,n}" expands the item before it; advances `*at` past it.
static size_t read_bounds(const char **at) {
  char *end;
  size_t low = strtoul(*at + 1, &end, 10), high = low;
  if (*end == ',')
    high = strtoul(end + 1, &end, 10);
  *at = *end == '}' ? end + 1 : *at + 1;
  return most(most(low, high), 1);
}

/// Stops counting where it is too much, however far it would go on.
static void repeat(group *g, size_t times) {
  times = times < TS_PATTERN_ATOMS_MAX ? times : TS_PATTERN_ATOMS_MAX;
  size_t grown = g->last * times;
  g->total += grown - g->last;
  g->last = grown;
}

static bool repeats_too_much(const char *pattern) {
  group groups[GROUPS_MAX] = {{0}};
  size_t depth = 0;
  for (const char *at = pattern; *at;) {
    group *g = &groups[depth];
    if (g->total > TS_PATTERN_ATOMS_MAX)
      return true;
    if (*at == '+' || *at == '{') {
      size_t times = 2;
      if (*at == '{')
        times = read_bounds(&at);
      else
        at++;
      repeat(g, times);
    } else if (*at == '(') {
      if (++depth == GROUPS_MAX)
        return true;
      groups[depth] = (group){0};
      at++;
    } else if (*at == ')' && depth > 0) {
      group *outer = &groups[--depth];
      outer->last = g->total + 1;
      outer->total += outer->last;
      at++;
    } else {
      bool is_repeated = *at == '*' || *at == '?';
      if (!is_repeated)
        g->last = 1;
      g->total++;
      at = *at == '[' ? pass_brackets(at) : at + (*at == '\\' && at[1] ? 2 : 1);
    }
  }
  return groups[depth].total > TS_PATTERN_ATOMS_MAX;
}

/// Counts, outside of bracket expressions, the characters in `plain`, and those in `escaped` that
/// have a backslash before them.
static size_t count_marks(const char *pattern, const char *plain, const char *escaped) {
  size_t count = 0;
  for (const char *at = pattern; *at;) {
    bool is_escape = at[0] == '\\' && at[1] != '\0';
    count += strchr(is_escape ? escaped : plain, at[is_escape]) != NULL;
    at = *at == '[' ? pass_brackets(at) : at + (is_escape ? 2 : 1);
  }
  return count;
}

ts_status ts_pattern_compile(regex_t *out, const char *pattern) {
  char what[200];
  if (count_marks(pattern, "", "123456789") > 0)
    snprintf(what, sizeof what, "it has back references \\1 to \\9; write out what is meant");
  else if (count_marks(pattern, "^$", "bB<>`'") > ANCHORS_MAX)
    snprintf(what, sizeof what, "it has more than %d anchors; whole names are matched without",
             ANCHORS_MAX);
  else if (repeats_too_much(pattern))
    snprintf(what, sizeof what, "it is too long or repeats too much; leave out repetitions");
  else {
    int error = regcomp(out, pattern, REG_EXTENDED);
    if (error == 0)
      return TS_OK;
    regerror(error, out, what, sizeof what);
  }
  return ts_fail(TS_E_INPUT, "not a POSIX extended regular expression: %s", what);
}

bool ts_pattern_matches(const regex_t *pattern, const char *name) {
  // POSIX finds the longest match, so that the whole name shows if it matches.
  regmatch_t match;
  return regexec(pattern, name, 1, &match, 0) == 0 && match.rm_so == 0 &&
         (size_t)match.rm_eo == strlen(name);
}
