// SPDX-License-Identifier: MIT
#include "harness/plan/page.h"

#include "base/terminal.h"
#include "harness/plan/doc_page.h"

#include <ctype.h>
#include <string.h>

/// Writes one character of text to the source of a manual page.
static void put_escaped(FILE *file, char c) {
  if (c == '\\')
    fputs("\\e", file);
  else if (c == '-') // as typed; a plain one may become a hyphen
    fputs("\\-", file);
  else
    fputc(c, file);
}

/// Writes `count` bytes of a line; what would begin a request is protected.
static void put_roff(FILE *file, const char *text, size_t count, bool begins_line) {
  if (begins_line && count > 0 && (text[0] == '.' || text[0] == '\''))
    fputs("\\&", file);
  for (size_t i = 0; i < count; i++)
    put_escaped(file, text[i]);
}

/// Length of the word at the start of `text` [count]. One that is wider than a line ends behind the
/// last "|" that has room there.
static size_t word_length(const char *text, size_t count, size_t room) {
  size_t length = 0, end = 0;
  while (length < count && text[length] != ' ' && text[length] != '\n') {
    if (text[length++] == '|' && length <= room)
      end = length;
  }
  return length > room && end > 0 ? end : length;
}

/// Writes a word on a terminal.
static void put_word(FILE *file, const char *text, size_t count) {
  for (size_t i = 0; i < count; i++)
    fputc(text[i] == TS_DOC_BLANK ? ' ' : text[i], file);
}

/// Writes the words of a paragraph, each line at most `width` columns, the first of them `indent`
/// columns from the left already.
static void put_wrapped(ts_page *page, const char *text, size_t count, size_t indent,
                        size_t width) {
  size_t column = indent;
  bool is_man = page->kind == TS_PAGE_MAN, is_first = true;
  size_t room = !is_man && width > indent ? width - indent : SIZE_MAX;
  for (size_t i = 0; i < count;) {
    size_t length = word_length(text + i, count - i, room);
    if (length > 0) {
      bool is_joined = !is_first && i > 0 && text[i - 1] == '|'; // to the first part of its word
      bool breaks = is_joined || (!is_first && column + 1 + length > width);
      if (breaks)
        fprintf(page->file, "\n%*s", is_man ? 0 : (int)indent, "");
      else if (!is_first)
        fputc(' ', page->file);
      if (is_man)
        put_roff(page->file, text + i, length, breaks || is_first);
      else
        put_word(page->file, text + i, length);
      column = (breaks ? indent : column + !is_first) + length;
      is_first = false;
    }
    i += length;
    i += i < count && (text[i] == ' ' || text[i] == '\n');
  }
  fputc('\n', page->file);
}

/// Begins a paragraph, or what stands apart like one.
static void begin_part(ts_page *page) {
  if (page->is_begun)
    fputs(page->kind == TS_PAGE_TEXT ? "\n" : ".PP\n", page->file);
  page->is_begun = true;
}

ts_page ts_page_start(FILE *file, ts_arena *arena, ts_page_kind kind, const char *name, int section,
                      const char *summary) {
  size_t width = ts_terminal_width(file, TS_PAGE_WIDTH);
  ts_page page = {.file = file,
                  .arena = arena,
                  .kind = kind,
                  .name = name,
                  .section = section,
                  .width = width < TS_PAGE_WIDTH ? width : TS_PAGE_WIDTH};
  if (kind == TS_PAGE_TEXT)
    return page;
  page.width = 78;
  fputs(".TH ", file);
  for (const char *c = name; *c; c++)
    put_escaped(file, (char)toupper((unsigned char)*c));
  // No date: the same source gives the same page on any day.
  fprintf(file,
          " %d \"\" \"touchstone " TOUCHSTONE_VERSION "\" \"touchstone\"\n.nh\n.ad l\n.SH NAME\n",
          section);
  put_roff(file, name, strlen(name), true);
  fprintf(file, " \\- %c", tolower((unsigned char)summary[0]));
  size_t rest = strlen(summary + 1);
  put_roff(file, summary + 1, rest - (rest > 0 && summary[rest] == '.'), false);
  fputc('\n', file);
  return page;
}

void ts_page_heading(ts_page *page, const char *heading) {
  if (page->kind == TS_PAGE_TEXT)
    begin_part(page);
  page->is_begun = false; // what follows belongs to it
  if (page->kind == TS_PAGE_TEXT) {
    fprintf(page->file, "%s:\n", heading);
    return;
  }
  fputs(".SH ", page->file);
  for (const char *c = heading; *c; c++)
    put_escaped(page->file, (char)toupper((unsigned char)*c));
  fputc('\n', page->file);
}

void ts_page_usage(ts_page *page, const char *program, const char *arguments) {
  if (page->kind == TS_PAGE_TEXT) {
    begin_part(page);
    fputs("Usage: ", page->file);
    size_t indent = strlen("Usage: ");
    if (indent + strlen(program) + 1 + strlen(arguments) <= page->width) {
      fprintf(page->file, "%s ", program);
      indent += strlen(program) + 1;
    } else {
      fprintf(page->file, "%s\n%*s", program, (int)indent, "");
    }
    put_wrapped(page, arguments, strlen(arguments), indent, page->width);
    return;
  }
  ts_page_heading(page, "Synopsis");
  fputs(".B ", page->file);
  put_roff(page->file, program, strlen(program), false);
  fputc('\n', page->file);
  put_roff(page->file, arguments, strlen(arguments), true);
  fputc('\n', page->file);
}

/// Prints lines as they are.
static void put_lines(ts_page *page, const char *lines, size_t count, const char *indent) {
  bool is_man = page->kind == TS_PAGE_MAN;
  if (is_man)
    fputs(".nf\n", page->file);
  for (size_t i = 0; i < count;) {
    size_t length = 0;
    while (i + length < count && lines[i + length] != '\n')
      length++;
    fputs(indent, page->file);
    if (is_man)
      put_roff(page->file, lines + i, length, indent[0] == '\0');
    else
      fwrite(lines + i, 1, length, page->file);
    fputc('\n', page->file);
    i += length + 1;
  }
  if (is_man)
    fputs(".fi\n", page->file);
}

/// Length of the paragraph, or of the lines that begin with a blank, at the start of `text`.
static size_t block_length(const char *text) {
  bool is_literal = text[0] == ' ';
  size_t length = 0;
  while (text[length] && text[length] != '\n' && (text[length] == ' ') == is_literal) {
    length += strcspn(text + length, "\n");
    length += text[length] == '\n';
  }
  return length;
}

void ts_page_text(ts_page *page, const char *text) {
  const char *rest = page->kind == TS_PAGE_TEXT ? ts_doc_pages_in(page->arena, text) : text;
  bool is_spaced = true;
  while (rest && *rest) {
    if (*rest == '\n') {
      is_spaced = true;
      rest++;
      continue;
    }
    size_t length = block_length(rest);
    if (is_spaced)
      begin_part(page);
    if (*rest == ' ')
      put_lines(page, rest, length, "");
    else
      put_wrapped(page, rest, length, 0, page->width);
    is_spaced = false;
    rest += length;
  }
}

void ts_page_commands(ts_page *page, const char *lines) {
  begin_part(page);
  put_lines(page, lines, strlen(lines), "  ");
}

/// The term: as typed in bold, a placeholder in italics.
static void put_man_term(FILE *file, const char *term) {
  size_t typed = strcspn(term, " ");
  fputs(".TP\n\\fB", file);
  put_roff(file, term, typed, false);
  fputs("\\fR", file);
  if (term[typed] != '\0') {
    fputs(" \\fI", file);
    put_roff(file, term + typed + 1, strlen(term + typed + 1), false);
    fputs("\\fR", file);
  }
  fputc('\n', file);
}

ts_status ts_page_items(ts_page *page, const ts_page_item *items, size_t count) {
  size_t left = 0;
  for (size_t i = 0; i < count; i++)
    left = strlen(items[i].term) > left ? strlen(items[i].term) : left;
  begin_part(page);
  for (size_t i = 0; i < count; i++) {
    size_t indent = left + 4;
    const char *text = items[i].text;
    if (page->kind == TS_PAGE_MAN) {
      put_man_term(page->file, items[i].term);
      indent = 0;
    } else {
      fprintf(page->file, "  %-*s  ", (int)left, items[i].term);
      text = ts_doc_pages_in(page->arena, text);
    }
    if (!text)
      return TS_E_MEMORY;
    put_wrapped(page, text, strlen(text), indent, page->width);
  }
  return TS_OK;
}

ts_status ts_page_put_see_also(ts_page *page) {
  static const char *const pages[] = {"touchstone(1)", "touchstone-run(1)", "touchstone-mpi(1)",
                                      "touchstone-complete(1)", "touchstone-results(5)"};
  if (page->kind == TS_PAGE_TEXT)
    return TS_OK;
  const char *self = ts_arena_format(page->arena, "%s(%d)", page->name, page->section);
  const char *list = "";
  for (size_t i = 0; self && list && i < sizeof pages / sizeof *pages; i++)
    if (strcmp(pages[i], self) != 0)
      list = ts_arena_format(page->arena, "%s%s%s", list, list[0] ? ", " : "", pages[i]);
  const char *text = !self || !list
                         ? NULL
                         : ts_arena_format(page->arena,
                                           "%s. Pages called docs/NAME.md are in "
                                           "share/doc/touchstone of the installation, on Debian in "
                                           "/usr/share/doc/touchstone.",
                                           list);
  if (!text)
    return TS_E_MEMORY;
  ts_page_heading(page, "See also");
  ts_page_text(page, text);
  return TS_OK;
}
