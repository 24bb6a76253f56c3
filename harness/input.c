#include "harness/input.h"

#include "base/file.h"
#include "base/status.h"
#include "reports/context.h"
#include "reports/csv.h"
#include "reports/results.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SCHEMA_KEY "schema_version"

/// Columns of another schema may have our names with another meaning.
static ts_status check_schema(const json_t *context, const char *path) {
  const json_t *version = json_object_get(context, SCHEMA_KEY);
  if (!json_is_integer(version))
    return ts_fail(TS_E_INPUT, "%s does not tell its " SCHEMA_KEY "; give the folder of a run",
                   path);
  if (json_integer_value(version) == TS_SCHEMA_VERSION)
    return TS_OK;
  return ts_fail(TS_E_INPUT,
                 "%s is of schema version %lld, this touchstone reads %d; run again, or use the "
                 "touchstone that made it",
                 path, (long long)json_integer_value(version), TS_SCHEMA_VERSION);
}

/// A folder that came about by copying files need not have a context.
static ts_status check_context(ts_arena *arena, const char *path) {
  if (access(path, F_OK) != 0 && errno == ENOENT)
    return TS_OK;
  char *text;
  size_t count;
  TS_TRY(ts_file_read(&text, &count, arena, path, TS_CONTEXT_BYTES_MAX));
  json_error_t error;
  json_t *context = json_loadb(text, count, 0, &error);
  if (!context)
    return ts_fail(TS_E_INPUT, "%s is damaged, line %d: %s", path, error.line, error.text);
  ts_status status = check_schema(context, path);
  json_decref(context);
  return status;
}

static ts_status read_columns(ts_input *out, ts_arena *arena, ts_csv_reader *reader) {
  bool *has = ts_arena_array(arena, ts_summary_rows.field_count, sizeof *has);
  if (!has)
    return TS_E_MEMORY;
  out->has_column = has;
  bool found;
  ts_csv_record header;
  TS_TRY(ts_csv_read(&found, &header, reader));
  for (size_t i = 0; found && i < header.field_count; i++) {
    const ts_field *field = ts_row_find(&ts_summary_rows, header.fields[i]);
    if (field)
      has[field - ts_summary_rows.fields] = true;
  }
  return TS_OK;
}

/// Which columns there are, which the rows do not tell: a number that is missing is NaN in them.
static ts_status find_columns(ts_input *out, ts_arena *arena) {
  int file = open(out->summary_path, O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return ts_fail(TS_E_INPUT, "cannot read %s: %s", out->summary_path, strerror(errno));
  ts_csv_reader *reader;
  ts_status status = ts_csv_reader_create(&reader, file, out->summary_path);
  if (status == TS_OK) {
    status = read_columns(out, arena, reader);
    ts_csv_reader_destroy(reader);
  }
  close(file);
  return status;
}

/// Finds the files of a folder.
static ts_status open_folder(ts_input *out, ts_arena *arena, const char *path) {
  size_t length = strlen(path);
  while (length > 1 && path[length - 1] == '/')
    length--;
  const char *folder = ts_arena_format(arena, "%.*s", (int)length, path);
  const char *summary = folder ? ts_arena_format(arena, "%s/summary.csv", folder) : NULL;
  const char *context = folder ? ts_arena_format(arena, "%s/context.json", folder) : NULL;
  if (!summary || !context)
    return TS_E_MEMORY;
  if (access(summary, F_OK) != 0)
    return ts_fail(TS_E_INPUT,
                   "%s holds no results: no summary.csv; give the folder that touchstone run "
                   "wrote",
                   folder);
  TS_TRY(check_context(arena, context));
  out->folder = folder;
  out->summary_path = summary;
  return TS_OK;
}

ts_status ts_input_read(ts_input *out, ts_arena *arena, const char *path) {
  *out = (ts_input){.summary_path = path};
  struct stat facts;
  if (stat(path, &facts) != 0)
    return ts_fail(TS_E_INPUT,
                   "cannot read %s: %s; give a results folder of touchstone run, or a summary.csv",
                   path, strerror(errno));
  if (S_ISDIR(facts.st_mode))
    TS_TRY(open_folder(out, arena, path));
  else if (!S_ISREG(facts.st_mode))
    return ts_fail(TS_E_INPUT, "%s is neither a folder nor a file", path);
  TS_TRY(ts_summary_read(&out->records, &out->count, arena, out->summary_path));
  return find_columns(out, arena);
}
