// SPDX-License-Identifier: MIT
#include "reports/plots/plot_page.h"

#include "base/array.h"
#include "base/number.h"
#include "base/status.h"
#include "base/utf8.h"
#include "reports/rows/disk.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NAME_MAX_BYTES ((size_t)160)

/// Letters that fit beside each other in a title, as wide as one column and as two.
#define COLUMN_LETTERS ((size_t)48)
#define PAGE_LETTERS   ((size_t)112)

#define LONG_LABEL                                                                                 \
  ((size_t)24) ///< label length at which two still fit side by side in a
               ///< column

void ts_plot_begin_kind(ts_plot_book *book, const char *kind) {
  book->kind = kind;
  book->kind_count = 0;
}

/// Makes a unique file name without characters that need quoting; case names from scene files may
/// contain anything.
static const char *make_name(const ts_plot_book *book, const char *part) {
  char *base = ts_arena_format(book->arena, "%s%s%s", book->kind, part[0] ? "-" : "", part);
  if (!base)
    return NULL;
  if (strlen(base) > NAME_MAX_BYTES)
    base[NAME_MAX_BYTES] = '\0';
  for (char *c = base; *c; c++)
    if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._=+-", *c))
      *c = '_';
  const char *name = base;
  for (size_t i = 0, number = 2; name && i < book->count; i++)
    if (strcmp(book->names[i], name) == 0) {
      name = ts_arena_format(book->arena, "%s.%zu", base, number++);
      i = SIZE_MAX; // start again from the first
    }
  return name;
}

static ts_status add_name(ts_plot_book *book, const char *name) {
  TS_TRY(TS_ARENA_GROW(book->names, book->capacity, book->count, 1, book->arena));
  book->names[book->count++] = name;
  book->kind_count++;
  return TS_OK;
}

static void keep_failure(ts_plot_page *page, ts_status status) {
  if (page->status == TS_OK)
    page->status = status;
}

/// Writes the header row; column names need no quoting.
static void add_header(ts_plot_page *page, const char *header) {
  while (*header) {
    size_t length = strcspn(header, ",");
    char *column = ts_arena_format(page->book->arena, "%.*s", (int)length, header);
    keep_failure(page, column ? ts_csv_add_field(&page->data, column) : TS_E_MEMORY);
    header += length + (header[length] == ',');
  }
  ts_plot_end_row(page);
  page->rows = 0;
}

/// Number of key entries per line; long ones need more space.
static size_t key_columns(ts_plot_shape shape) {
  return (size_t)shape.columns * (shape.key_letters <= LONG_LABEL ? 2 : 1);
}

ts_status ts_plot_begin(ts_plot_page *page, ts_plot_book *book, const char *part,
                        const char *heading, const char *what, ts_plot_shape shape,
                        const char *header) {
  *page = (ts_plot_page){.book = book};
  if (book->kind_count == TS_PLOT_KIND_MAX)
    return TS_SKIPPED;
  page->name = make_name(book, part);
  size_t letters = shape.columns == 1 ? COLUMN_LETTERS : PAGE_LETTERS, lines = 0;
  const char *first = ts_plot_title(book->arena, heading, letters, &lines);
  const char *second = ts_plot_title(book->arena, what, letters, &lines);
  if (!page->name || !first || !second)
    return TS_E_MEMORY;
  TS_TRY(add_name(book, page->name));
  if (!book->folder)
    return TS_OK;
  size_t across = key_columns(shape);
  page->script = open_memstream(&page->script_text, &page->script_bytes);
  if (!page->script)
    return ts_fail(TS_E_MEMORY, "out of memory");
  ts_plot_say(page,
              "# Made by touchstone plot. Edit it, then run: gnuplot %s.gp\n"
              "# For another format: gnuplot -e 'format = \"pdf\"' %s.gp  (svg, pdf, png, tex)\n"
              "name = \"%s\"\n"
              "columns = %d\n"
              "height = %.3g\n"
              "key_columns = %zu\n"
              "key_rows = %zu\n"
              "key_letters = %zu\n"
              "title_lines = %zu\n"
              "load \"look.gp\"\n"
              "data = name.\".csv\"\n"
              "heading = %s\n"
              "what = %s\n"
              "set title two_lines(heading, what)\n",
              page->name, page->name, page->name, shape.columns, shape.height, across,
              (shape.key_entries + across - 1) / across, shape.key_letters, lines, first, second);
  add_header(page, header);
  return TS_OK;
}

void ts_plot_say(ts_plot_page *page, const char *format, ...) {
  if (!page->script)
    return;
  va_list arguments;
  va_start(arguments, format);
  vfprintf(page->script, format, arguments);
  va_end(arguments);
}

void ts_plot_text(ts_plot_page *page, const char *text) {
  if (page->script)
    keep_failure(page, ts_csv_add_field(&page->data, text));
}

void ts_plot_number(ts_plot_page *page, double value) {
  char number[TS_NUMBER_BYTES];
  ts_plot_text(page, ts_number_format(number, value));
}

void ts_plot_end_row(ts_plot_page *page) {
  if (page->script && page->data.count > 0)
    ts_csv_end_record(&page->data);
  page->rows++;
}

static ts_status write_file(const ts_plot_page *page, const char *suffix, const char *bytes,
                            size_t count) {
  const char *path =
      ts_arena_format(page->book->arena, "%s/%s%s", page->book->folder, page->name, suffix);
  if (!path)
    return TS_E_MEMORY;
  int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  int error = file < 0 ? errno : ts_disk_write(file, bytes, count, 0);
  if (file >= 0 && close(file) != 0 && error == 0)
    error = errno;
  return error == 0 ? TS_OK
                    : ts_fail(TS_E_IO, "cannot write %s: %s; %s", path, strerror(error),
                              ts_disk_remedy(error));
}

ts_status ts_plot_end(ts_plot_page *page) {
  if (!page->script)
    return page->status;
  bool is_whole = !ferror(page->script);
  if ((fclose(page->script) != 0 || !is_whole) && page->status == TS_OK)
    page->status = ts_fail(TS_E_MEMORY, "out of memory");
  if (page->status == TS_OK && page->data.count > 0)
    page->status = write_file(page, ".csv", page->data.bytes, page->data.count);
  if (page->status == TS_OK)
    page->status = write_file(page, ".gp", page->script_text, page->script_bytes);
  free(page->script_text);
  ts_csv_buffer_free(&page->data);
  return page->status;
}

ts_status ts_plot_end_with(ts_plot_page *page, ts_status status) {
  keep_failure(page, status);
  return ts_plot_end(page);
}

static bool is_step_word(const char *word) {
  return strcmp(word, "touch") == 0 || strncmp(word, "step=", 5) == 0;
}

/// "name<between>word<between>word", without the step.
static const char *join_words(ts_arena *arena, const ts_axis_entry *entry, const char *between) {
  const char *joined = entry->name;
  for (size_t i = 0; joined && i < entry->word_count; i++)
    if (!is_step_word(entry->words[i]))
      joined = ts_arena_format(arena, "%s%s%s", joined, between, entry->words[i]);
  return joined;
}

const char *ts_plot_case_title(ts_arena *arena, const ts_axis_entry *entry, double step) {
  const char *words = join_words(arena, entry, ", ");
  char number[TS_NUMBER_BYTES];
  if (!words || isnan(step))
    return words;
  return step == 0 ? ts_arena_format(arena, "%s, scene as built", words)
                   : ts_arena_format(arena, "%s, step %s", words, ts_number_format(number, step));
}

const char *ts_plot_case_part(ts_arena *arena, const ts_axis_entry *entry, double step) {
  const char *words = join_words(arena, entry, "-");
  char number[TS_NUMBER_BYTES];
  if (!words || isnan(step))
    return words;
  return step == 0 ? ts_arena_format(arena, "%s-touch", words)
                   : ts_arena_format(arena, "%s-step%s", words, ts_number_format(number, step));
}

const char *ts_plot_mean_heading(ts_arena *arena, const char *heading, size_t seeds) {
  return heading && seeds > 1 ? ts_arena_format(arena, "%s, mean of %zu seeds", heading, seeds)
                              : heading;
}

const char *ts_plot_first_heading(ts_arena *arena, const char *heading,
                                  const ts_plot_source *source, size_t row) {
  size_t seeds = ts_plot_case_seeds(source, source->cases.entry_of[row]);
  return heading && seeds > 1 ? ts_arena_format(arena, "%s, first of %zu seeds", heading, seeds)
                              : heading;
}

const char *ts_plot_quote(ts_arena *arena, const char *text) {
  char *quoted = ts_arena_alloc(arena, 2 * strlen(text) + 3), *end = quoted;
  if (!quoted)
    return NULL;
  *end++ = '"';
  for (const char *c = text; *c; c++) {
    size_t control = ts_utf8_control_length(c);
    // gnuplot would execute a command in backquotes.
    if (*c == '"' || *c == '\\')
      *end++ = '\\';
    // gnuplot's SVG output would otherwise end a CDATA section that it did not open.
    if (*c == '>' && c - text >= 2 && c[-1] == ']' && c[-2] == ']')
      *end++ = ' ';
    *end++ = control > 0 || *c == '`' ? ' ' : *c;
    c += control > 0 ? control - 1 : 0;
  }
  *end++ = '"';
  return quoted;
}

/// Bytes of the longest start of `text` within `letters` that ends before a blank, or failing that
/// after a sign that joins words, or anywhere.
static size_t line_bytes(const char *text, size_t letters) {
  size_t at_blank = 0, at_sign = 0, at = 0, used = 0;
  for (; text[at]; at++) {
    bool starts_letter = ((unsigned char)text[at] & 0xC0) != 0x80;
    if (starts_letter && used == letters && text[at] != ' ')
      return at_blank > 0 ? at_blank : at_sign > 0 ? at_sign : at;
    used += starts_letter && used < letters;
    if (text[at] == ' ')
      at_blank = at;
    if (strchr("_/=:;,.+-", text[at]))
      at_sign = at + 1;
  }
  return at;
}

const char *ts_plot_title(ts_arena *arena, const char *text, size_t letters, size_t *lines) {
  size_t bytes = line_bytes(text, letters);
  const char *first = ts_arena_format(arena, "%.*s", (int)bytes, text);
  const char *quoted = first ? ts_plot_quote(arena, first) : NULL;
  (*lines)++;
  text += bytes;
  text += *text == ' ';
  if (!quoted)
    return NULL;
  if (!*text)
    return ts_arena_format(arena, "label(%s)", quoted);
  const char *rest = ts_plot_title(arena, text, letters, lines);
  return rest ? ts_arena_format(arena, "two_lines(label(%s), %s)", quoted, rest) : NULL;
}

const char *ts_plot_style(ts_arena *arena, const ts_plot_source *source, size_t method_entry) {
  size_t place = ts_plot_method_place(source, source->methods.entries[method_entry].name) + 1;
  size_t variant = ts_plot_method_variant(source, method_entry);
  return variant > 0 ? ts_arena_format(arena, "lt %zu dt %zu", place, variant + 1)
                     : ts_arena_format(arena, "lt %zu", place);
}

void ts_plot_key_line(ts_plot_page *page, const char *label, const char *style, const char *with) {
  const char *quoted = ts_plot_quote(page->book->arena, label);
  if (!quoted)
    keep_failure(page, TS_E_MEMORY);
  else
    ts_plot_say(page, ", \\\n  keyentry with %s %s title label(%s)", with, style, quoted);
}

void ts_plot_key_entry(ts_plot_page *page, const ts_plot_source *source, size_t method_entry,
                       const char *with) {
  ts_arena *arena = page->book->arena;
  const char *label = ts_axis_label(arena, &source->methods.entries[method_entry]);
  const char *style = ts_plot_style(arena, source, method_entry);
  if (!label || !style)
    keep_failure(page, TS_E_MEMORY);
  else
    ts_plot_key_line(page, label, style, with);
}

void ts_plot_say_value_styles(ts_plot_page *page, size_t count) {
  for (size_t i = 0; i < count; i++) {
    double t = count > 1 ? (double)i / (double)(count - 1) : 0;
    int red = (int)(230 - 218 * t), green = (int)(159 - 115 * t), blue = (int)(60 + 72 * t);
    ts_plot_say(page, "set style line %zu lc rgb \"#%02X%02X%02X\" dt %s pt %zu ps symbol lw 1\n",
                i + 1, red, green, blue,
                i == 0       ? "solid"
                : i % 3 == 1 ? "(8,3)"
                : i % 3 == 2 ? "(3,3)"
                             : "(12,3,3,3)",
                4 + i % 10);
  }
}

void ts_plot_say_panels(ts_plot_page *page, size_t across, size_t down) {
  ts_plot_say(page,
              "set multiplot title two_lines(heading, what)\n"
              "unset key\nunset bmargin\n"
              "across = %zu\ndown = %zu\n"
              "key_share = key_rows > 0 ? 0.14 * (key_rows + 0.5) / height_in : 0\n"
              "title_in = 0.4 + 0.14 * (title_lines - 2)\n"
              "panel_height = (1 - key_share - title_in / height_in) / down\n",
              across, down);
}

void ts_plot_say_panel(ts_plot_page *page, size_t panel) {
  ts_plot_say(page,
              "panel = %zu\n"
              "set size 1.0 / across, panel_height\n"
              "set origin 1.0 * (panel %% across) / across, "
              "key_share + panel_height * (down - 1 - panel / across)\n",
              panel);
}

void ts_plot_say_key_strip(ts_plot_page *page) {
  ts_plot_say(page, "set size 1, key_share\nset origin 0, 0\n"
                    "unset title\nunset border\nunset tics\nunset xlabel\nunset ylabel\n"
                    "unset grid\nunset logscale\n"
                    "set xrange [0:1]\nset yrange [0:1]\n"
                    "set lmargin 0\nset rmargin 0\nset tmargin 0\nset bmargin 0\n"
                    "set key inside center center\n"
                    "plot NaN notitle");
}

size_t ts_plot_method_letters(const ts_plot_source *source) {
  size_t longest = 0;
  for (size_t i = 0; i < source->methods.count; i++) {
    const ts_axis_entry *entry = &source->methods.entries[i];
    size_t letters = strlen(entry->name);
    for (size_t k = 0; k < entry->word_count; k++)
      letters += 1 + strlen(entry->words[k]);
    longest = letters > longest ? letters : longest;
  }
  return longest;
}

static ts_status make_case(ts_plot_book *book, const ts_plot_source *source, size_t entry,
                           bool (*has_any)(const ts_plot_contacts *contacts),
                           ts_plot_case_page make_page) {
  const size_t *all;
  size_t count, kept = 0;
  TS_TRY(ts_plot_rows_of_case(&all, &count, book->arena, source, entry));
  size_t *rows = ts_arena_array(book->arena, count, sizeof *rows);
  if (!rows)
    return TS_E_MEMORY;
  for (size_t i = 0; i < count; i++)
    if (has_any(&source->contacts[all[i]]))
      rows[kept++] = all[i];
  if (kept == 0)
    return TS_OK;
  double step = source->records[rows[0]].step;
  const char *part = ts_plot_case_part(book->arena, &source->cases.entries[entry], step);
  const char *title = ts_plot_case_title(book->arena, &source->cases.entries[entry], step);
  return part && title ? make_page(book, source, rows, kept, part, title) : TS_E_MEMORY;
}

ts_status ts_plot_each_case(ts_plot_book *book, const ts_plot_source *source,
                            bool (*has_any)(const ts_plot_contacts *contacts),
                            ts_plot_case_page make_page) {
  for (size_t i = 0; i < source->cases.count; i++)
    if (ts_plot_case_is_shown(source, i))
      TS_TRY(make_case(book, source, i, has_any, make_page));
  return TS_OK;
}
