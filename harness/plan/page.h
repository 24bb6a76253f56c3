// SPDX-License-Identifier: MIT
/// A page of help, printed for a terminal or as the source of a manual page (man(7) of troff).
#ifndef TS_HARNESS_PAGE_H
#define TS_HARNESS_PAGE_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdio.h>

typedef enum ts_page_kind {
  TS_PAGE_TEXT, ///< wrapped to the terminal, at most TS_PAGE_WIDTH columns
  TS_PAGE_MAN
} ts_page_kind;

#define TS_PAGE_WIDTH 100

typedef struct ts_page {
  FILE *file;
  ts_arena *arena;
  ts_page_kind kind;
  const char *name; ///< with `section`: of the manual page; borrowed
  int section;
  bool is_begun;
  size_t width; ///< of text
} ts_page;

/// A term and what it means. The first word of the term is as typed, the rest a placeholder.
typedef struct ts_page_item {
  const char *term, *text;
} ts_page_item;

/// Starts a page. As a manual page it gets its title and the section NAME: `name` as in
/// "touchstone-run", `summary` a sentence. Name and summary are not part of a text.
ts_page ts_page_start(FILE *file, ts_arena *arena, ts_page_kind kind, const char *name, int section,
                      const char *summary);

/// How a program is called: "touchstone run", "[options]".
void ts_page_usage(ts_page *page, const char *program, const char *arguments);

/// A heading in sentence case, "Options".
void ts_page_heading(ts_page *page, const char *heading);

/// Paragraphs, wrapped: lines up to an empty one are a paragraph, whatever their breaks; lines that
/// begin with a blank are printed as they are.
void ts_page_text(ts_page *page, const char *text);

/// Lines to be typed, each with its line break, printed as they are.
void ts_page_commands(ts_page *page, const char *lines);

/// Terms with their explanations, the texts of a terminal below each other. TS_E_MEMORY.
ts_status ts_page_items(ts_page *page, const ts_page_item *items, size_t count);

/// The end of every manual page: the other pages to read on. Nothing in a text. TS_E_MEMORY.
ts_status ts_page_put_see_also(ts_page *page);

#endif
