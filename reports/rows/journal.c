// SPDX-License-Identifier: MIT
#include "reports/rows/journal.h"

#include "base/array.h"
#include "base/hash.h"
#include "base/status.h"
#include "reports/rows/disk.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// Of a line with its end and a zero; keys and numbers make none as long.
#define LINE_BYTES (128 + TS_RESULTS_FILE_COUNT * 32)

/// Cells that can run at a time, so that a bad journal cannot take time that grows with its square.
#define RUNNING_MAX 4096

#define KEY_WIDTH "47" // TS_JOURNAL_KEY_BYTES - 1
_Static_assert(TS_JOURNAL_KEY_BYTES == 48, "see KEY_WIDTH");

/// The key of cells that cannot be noted by theirs.
#define NO_KEY "-"

static uint32_t line_check(const char *text, size_t length) {
  return (uint32_t)ts_hash_bytes(TS_HASH_START, text, length);
}

// Reading

typedef struct reading {
  ts_journal *journal;
  char (*running)[TS_JOURNAL_KEY_BYTES]; ///< cells that have begun in this part and not ended
  size_t running_count, running_capacity;
  int64_t sizes[TS_RESULTS_FILE_COUNT]; ///< of the files after the last cell
  size_t synced_count;                  ///< cells on the disk
  bool is_open;
} reading;

static void drop_running(reading *r, const char *key) {
  for (size_t i = 0; i < r->running_count; i++)
    if (strcmp(r->running[i], key) == 0) {
      memmove(r->running[i], r->running[--r->running_count], TS_JOURNAL_KEY_BYTES);
      return;
    }
}

static ts_journal_suspect *find_suspect(const ts_journal *journal, const char *key) {
  for (size_t i = 0; i < journal->suspect_count; i++)
    if (strcmp(journal->suspects[i].key, key) == 0)
      return &journal->suspects[i];
  return NULL;
}

static void clear_suspect(ts_journal *journal, const char *key) {
  ts_journal_suspect *found = find_suspect(journal, key);
  if (found)
    *found = journal->suspects[--journal->suspect_count];
}

/// The program died while this cell ran, alone or beside others.
static ts_status add_death(ts_journal *journal, const char *key, bool is_alone) {
  ts_journal_suspect *suspect = find_suspect(journal, key);
  if (!suspect) {
    TS_TRY(TS_HEAP_GROW(journal->suspects, journal->suspect_capacity, journal->suspect_count, 1));
    suspect = &journal->suspects[journal->suspect_count++];
    *suspect = (ts_journal_suspect){0};
    memcpy(suspect->key, key, TS_JOURNAL_KEY_BYTES);
  }
  suspect->deaths++;
  suspect->was_alone = is_alone;
  return TS_OK;
}

/// A part ends where the next one begins, or with the journal. Ends in order do not count.
static ts_status end_part(reading *r) {
  r->journal->has_died = r->is_open;
  for (size_t i = 0; r->is_open && i < r->running_count; i++)
    TS_TRY(add_death(r->journal, r->running[i], r->running_count == 1));
  r->running_count = 0;
  return TS_OK;
}

static bool has_form(int *end, const char *text) {
  return *end > 0 && text[*end] == '\0';
}

/// A part goes on after the rows that it kept; the cells behind them are gone.
static ts_status read_part(reading *r, const char *state, const int64_t *sizes) {
  ts_journal *journal = r->journal;
  TS_TRY(end_part(r));
  r->is_open = strcmp(state, "open") == 0;
  for (; journal->cell_count > 0; journal->cell_count--) {
    const ts_journal_cell *last = &journal->cells[journal->cell_count - 1];
    int kept = 0;
    for (int f = 0; f < TS_RESULTS_FILE_COUNT; f++)
      kept += last->ends[f] <= sizes[f];
    if (kept == TS_RESULTS_FILE_COUNT)
      break;
  }
  if (r->synced_count > journal->cell_count)
    r->synced_count = journal->cell_count;
  memcpy(r->sizes, sizes, sizeof r->sizes);
  return TS_OK;
}

static ts_status read_cell(reading *r, ts_journal_cell *cell) {
  ts_journal *journal = r->journal;
  drop_running(r, cell->key);
  clear_suspect(journal, cell->key);
  for (size_t i = 0; i < journal->suspect_count; i++) // there was progress
    journal->suspects[i].deaths = 0;
  memcpy(cell->starts, r->sizes, sizeof r->sizes);
  memcpy(r->sizes, cell->ends, sizeof r->sizes);
  TS_TRY(TS_HEAP_GROW(journal->cells, journal->cell_capacity, journal->cell_count, 1));
  journal->cells[journal->cell_count++] = *cell;
  return TS_OK;
}

/// Whether the rows of a cell follow those before.
static bool is_in_order(const reading *r, const ts_journal_cell *cell) {
  for (int f = 0; f < TS_RESULTS_FILE_COUNT; f++)
    if (cell->ends[f] < r->sizes[f])
      return false;
  return true;
}

/// Reads a size for each file, each after a blank; `*end` is where they end, 0 if they are not
/// there.
static void read_sizes(int64_t *out, int *end, const char *text) {
  for (int f = 0; f<TS_RESULTS_FILE_COUNT && * end> 0; f++) {
    int length = 0;
    sscanf(text + *end, " %" SCNd64 "%n", &out[f], &length);
    *end = length > 0 && out[f] >= 0 ? *end + length : 0;
  }
}

/// The same for hashes.
static void read_hashes(uint32_t *out, int *end, const char *text) {
  for (int f = 0; f<TS_RESULTS_FILE_COUNT && * end> 0; f++) {
    int length = 0;
    sscanf(text + *end, " %" SCNx32 "%n", &out[f], &length);
    *end = length > 0 ? *end + length : 0;
  }
}

/// Takes a line without its check; `*out_fine` is false if it is not one of a journal.
static ts_status read_text(bool *out_fine, reading *r, const char *text) {
  ts_journal_cell cell = {0};
  char state[5] = "";
  int64_t sizes[TS_RESULTS_FILE_COUNT];
  int end = 0;
  *out_fine = true;
  sscanf(text, "begin %" KEY_WIDTH "s%n", cell.key, &end);
  if (has_form(&end, text)) {
    *out_fine = r->running_count < RUNNING_MAX;
    if (!*out_fine)
      return TS_OK;
    TS_TRY(TS_HEAP_GROW(r->running, r->running_capacity, r->running_count, 1));
    memcpy(r->running[r->running_count++], cell.key, sizeof cell.key);
    return TS_OK;
  }
  sscanf(text, "ended %" KEY_WIDTH "s%n", cell.key, &end);
  if (has_form(&end, text)) {
    drop_running(r, cell.key);
    clear_suspect(r->journal, cell.key);
    return TS_OK;
  }
  end = 0;
  sscanf(text, "cell %" KEY_WIDTH "s%n", cell.key, &end);
  read_sizes(cell.ends, &end, text);
  read_hashes(cell.hashes, &end, text);
  if (has_form(&end, text)) {
    *out_fine = is_in_order(r, &cell);
    return *out_fine ? read_cell(r, &cell) : TS_OK;
  }
  end = 0;
  sscanf(text, "part %4s%n", state, &end);
  read_sizes(sizes, &end, text);
  if (has_form(&end, text)) {
    *out_fine = strcmp(state, "open") == 0 || strcmp(state, "done") == 0;
    return *out_fine ? read_part(r, state, sizes) : TS_OK;
  }
  *out_fine = strcmp(text, "synced") == 0;
  if (*out_fine)
    r->synced_count = r->journal->cell_count;
  return TS_OK;
}

/// Takes off the check at the end of a line; false if it is not that of the text.
static bool take_check(char *line) {
  size_t length = strlen(line);
  char check[16];
  if (length < 10 || line[length - 1] != '\n' || line[length - 10] != ' ')
    return false;
  snprintf(check, sizeof check, " %08" PRIx32 "\n", line_check(line, length - 10));
  if (strcmp(line + length - 10, check) != 0)
    return false;
  line[length - 10] = '\0';
  return true;
}

static ts_status read_lines(reading *r, FILE *file) {
  char line[LINE_BYTES];
  bool is_fine = true;
  while (is_fine && fgets(line, sizeof line, file)) {
    size_t length = strlen(line);
    if (!take_check(line))
      return TS_OK;
    TS_TRY(read_text(&is_fine, r, line));
    if (is_fine)
      r->journal->length += (int64_t)length;
  }
  return TS_OK;
}

ts_status ts_journal_read(ts_journal *journal) {
  int copy = dup(journal->fd);
  FILE *file = copy >= 0 ? fdopen(copy, "r") : NULL;
  if (!file) {
    if (copy >= 0)
      close(copy);
    return ts_fail(TS_E_IO, "cannot read %s: %s", TS_JOURNAL_NAME, strerror(errno));
  }
  reading r = {.journal = journal};
  ts_status status = read_lines(&r, file);
  if (status == TS_OK)
    status = end_part(&r);
  journal->cell_count = r.synced_count;
  fclose(file);
  free(r.running);
  return status;
}

void ts_journal_free(ts_journal *journal) {
  if (journal->fd >= 0)
    close(journal->fd);
  free(journal->cells);
  free(journal->suspects);
  *journal = (ts_journal){.fd = -1};
}

const ts_journal_suspect *ts_journal_suspect_of(const ts_journal *journal, const char *key) {
  return find_suspect(journal, key);
}

// Writing

/// Writes a text and its check at `offset`; returns 0 or an errno. `*out_length` is that of the
/// line.
static int write_line(const ts_journal *journal, size_t *out_length, const char *text,
                      int64_t offset) {
  char line[LINE_BYTES];
  int length =
      snprintf(line, sizeof line, "%s %08" PRIx32 "\n", text, line_check(text, strlen(text)));
  *out_length = (size_t)length;
  return ts_disk_write(journal->fd, line, (size_t)length, offset);
}

static int append(ts_journal *journal, const char *text) {
  size_t length;
  int error = write_line(journal, &length, text, journal->length);
  if (error == 0)
    journal->length += (int64_t)length;
  return error;
}

static const char *noted_key(const char *key) {
  size_t length = strlen(key);
  bool is_fine =
      length > 0 && length < TS_JOURNAL_KEY_BYTES && strcspn(key, " \t\n\v\f\r") == length;
  return is_fine ? key : NO_KEY;
}

/// Appends the sizes of all files to a text of `length`; returns the new length.
static int add_sizes(char text[LINE_BYTES], int length, const int64_t *sizes) {
  for (int f = 0; f < TS_RESULTS_FILE_COUNT; f++)
    length += snprintf(text + length, (size_t)(LINE_BYTES - length), " %" PRId64, sizes[f]);
  return length;
}

/// Both states have the same length, so that one overwrites the other.
static void format_part(char out[LINE_BYTES], const ts_journal *journal, const char *state) {
  add_sizes(out, snprintf(out, LINE_BYTES, "part %s", state), journal->sizes);
}

/// Begins the part of this process, unless that has been done. A damaged end is cut off first.
static int begin_part(ts_journal *journal, const int64_t *sizes) {
  char text[LINE_BYTES];
  if (journal->has_part)
    return 0;
  memcpy(journal->sizes, sizes, sizeof journal->sizes);
  format_part(text, journal, "open");
  if (ftruncate(journal->fd, (off_t)journal->length) != 0)
    return errno;
  journal->part_start = journal->length;
  int error = append(journal, text);
  journal->has_part = error == 0;
  return error;
}

static int append_key(ts_journal *journal, const char *what, const char *key,
                      const int64_t *sizes) {
  char text[LINE_BYTES];
  const char *noted = noted_key(key);
  int error = begin_part(journal, sizes);
  if (error != 0 || strcmp(noted, NO_KEY) == 0)
    return error;
  snprintf(text, sizeof text, "%s %s", what, noted);
  return append(journal, text);
}

int ts_journal_begin(ts_journal *journal, const char *key, const int64_t *sizes) {
  return append_key(journal, "begin", key, sizes);
}

int ts_journal_ended(ts_journal *journal, const char *key, const int64_t *sizes) {
  return append_key(journal, "ended", key, sizes);
}

int ts_journal_cell_written(ts_journal *journal, const ts_journal_cell *cell) {
  char text[LINE_BYTES];
  int error = begin_part(journal, cell->starts);
  if (error != 0)
    return error;
  int length = snprintf(text, sizeof text, "cell %s", noted_key(cell->key));
  length = add_sizes(text, length, cell->ends);
  for (int f = 0; f < TS_RESULTS_FILE_COUNT; f++)
    length += snprintf(text + length, sizeof text - (size_t)length, " %08" PRIx32, cell->hashes[f]);
  return append(journal, text);
}

int ts_journal_synced(ts_journal *journal) {
  int error = append(journal, "synced");
  return error == 0 ? ts_disk_sync(journal->fd) : error;
}

int ts_journal_part_done(ts_journal *journal) {
  char text[LINE_BYTES];
  size_t length;
  if (!journal->has_part)
    return 0;
  format_part(text, journal, "done");
  return write_line(journal, &length, text, journal->part_start);
}
