// SPDX-License-Identifier: MIT
#include "harness/plan/doc_page.h"

#include "base/process.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define IN_TEXT "docs/"
#define SUFFIX  ".md"

const char *ts_doc_page(ts_arena *arena, const char *name) {
  char program[PATH_MAX];
  char *slash = ts_process_program(program, sizeof program) ? strrchr(program, '/') : NULL;
  if (slash)
    *slash = '\0';
  slash = slash ? strrchr(program, '/') : NULL; // the folder above bin/
  const char *page = slash
                         ? ts_arena_format(arena, "%.*s/share/doc/touchstone/" IN_TEXT "%s" SUFFIX,
                                           (int)(slash - program), program, name)
                         : NULL;
  if (!page || access(page, R_OK) != 0)
    page = ts_arena_format(arena, IN_TEXT "%s" SUFFIX, name);
  return page ? page : name;
}

/// The path as one word, for who wraps the text. NULL when out of memory.
static const char *keep_together(ts_arena *arena, const char *path) {
  char *word = ts_arena_string(arena, path);
  for (char *c = word; c && *c; c++)
    if (*c == ' ')
      *c = TS_DOC_BLANK;
  return word;
}

const char *ts_doc_pages_in(ts_arena *arena, const char *text) {
  const char *out = "", *rest = text;
  for (const char *at; out && (at = strstr(rest, IN_TEXT));) {
    const char *name = at + strlen(IN_TEXT);
    size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyz_");
    bool is_page = length > 0 && strncmp(name + length, SUFFIX, strlen(SUFFIX)) == 0;
    const char *page = ts_arena_format(arena, "%.*s", (int)length, name);
    const char *path = !page ? NULL : is_page ? ts_doc_page(arena, page) : IN_TEXT;
    if (!path)
      return NULL;
    path = keep_together(arena, path);
    if (!path)
      return NULL;
    out = ts_arena_format(arena, "%s%.*s%s", out, (int)(at - rest), rest, path);
    rest = name + (is_page ? length + strlen(SUFFIX) : 0);
  }
  return !out ? NULL : rest == text ? text : ts_arena_format(arena, "%s%s", out, rest);
}
