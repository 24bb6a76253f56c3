// SPDX-License-Identifier: MIT
#include "reports/rows/context.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/status.h"
#include "reports/rows/build_info_generated.h"
#include "reports/rows/record.h"
#include "reports/rows/results.h"

#include <csv.h>
#include <ctype.h>
#include <gnu/libc-version.h>
#include <locale.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#ifdef __clang__
#define COMPILER "clang " __clang_version__
#else
#define COMPILER "gcc " __VERSION__
#endif

#define TEXT_OF(number)                   #number
#define VERSION_OF(major, minor, release) TEXT_OF(major) "." TEXT_OF(minor) "." TEXT_OF(release)

/// A JSON string. If the bytes are not valid UTF-8, which JSON requires, every byte above 127
/// becomes `?`.
static json_t *text_value(const char *text) {
  json_t *value = json_string(text);
  char *copy = value ? NULL : strdup(text);
  if (!copy)
    return value;
  for (char *c = copy; *c; c++)
    if ((unsigned char)*c > 127)
      *c = '?';
  value = json_string(copy);
  free(copy);
  return value;
}

/// Strips blanks and quotes from both ends of a line, in place.
static char *trim(char *text) {
  while (isspace((unsigned char)*text) || *text == '"')
    text++;
  size_t length = strlen(text);
  while (length > 0 && (isspace((unsigned char)text[length - 1]) || text[length - 1] == '"'))
    text[--length] = '\0';
  return text;
}

/// The value of the first line "key<separator>value" in a file; false when there is none.
static bool read_entry(char *out, size_t size, const char *path, const char *key, char separator) {
  FILE *file = fopen(path, "re");
  if (!file)
    return false;
  char line[512];
  bool found = false;
  while (!found && fgets(line, sizeof line, file)) {
    char *value = strchr(line, separator);
    if (!value)
      continue;
    *value = '\0';
    if (strcmp(trim(line), key) == 0) {
      snprintf(out, size, "%s", trim(value + 1));
      found = out[0] != '\0';
    }
  }
  fclose(file);
  return found;
}

static json_t *memory_bytes(void) {
  char text[64];
  if (!read_entry(text, sizeof text, "/proc/meminfo", "MemTotal", ':'))
    return json_null();
  return json_integer((json_int_t)strtoll(text, NULL, 10) * 1024);
}

/// Cores that this process may run on, which taskset and containers can restrict.
static json_t *usable_cores(void) {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) != 0)
    return json_null();
  return json_integer(CPU_COUNT(&set));
}

/// The CPU frequency governor: with anything except "performance" times vary.
static json_t *frequency_governor(void) {
  char text[64] = "";
  FILE *file = fopen("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "re");
  if (file) {
    if (!fgets(text, sizeof text, file))
      text[0] = '\0';
    fclose(file);
  }
  return text[0] ? text_value(trim(text)) : json_null();
}

static json_t *load_average(void) {
  double loads[3];
  json_t *list = json_array();
  int count = getloadavg(loads, 3);
  for (int i = 0; i < count; i++)
    json_array_append_new(list, json_real(loads[i]));
  return list;
}

static json_t *cores(void) {
  return json_integer(sysconf(_SC_NPROCESSORS_ONLN));
}

static json_t *cpu(void) {
  char text[256];
  bool is_known = read_entry(text, sizeof text, "/proc/cpuinfo", "model name", ':');
  return text_value(is_known ? text : "unknown");
}

static json_t *distribution(void) {
  char text[256];
  bool is_known = read_entry(text, sizeof text, "/etc/os-release", "PRETTY_NAME", '=');
  return text_value(is_known ? text : "unknown");
}

static json_t *architecture(void) {
  struct utsname system;
  return text_value(uname(&system) == 0 ? system.machine : "unknown");
}

static json_t *kernel(void) {
  struct utsname system;
  if (uname(&system) != 0)
    return text_value("unknown");
  char text[sizeof system.sysname + sizeof system.release + 1];
  snprintf(text, sizeof text, "%s %s", system.sysname, system.release);
  return text_value(text);
}

static json_t *glibc_version(void) {
  return json_string(gnu_get_libc_version());
}

static json_t *jansson_version(void) {
  return json_string(jansson_version_str());
}

static json_t *clock_resolution(void) {
  return json_integer(ts_clock_resolution_ns());
}

static json_t *numeric_locale(void) {
  const char *name = setlocale(LC_NUMERIC, NULL);
  return json_string(name ? name : "C");
}

/// The arguments, with absolute paths ("/x/y", "--out=/x/y") reduced to their last part, because
/// results get published and must not reveal where someone keeps files.
static json_t *argument_list(int count, char *const *arguments) {
  json_t *list = json_array();
  for (int i = 0; i < count; i++) {
    const char *text = arguments[i], *equals = strchr(text, '=');
    const char *value = equals && equals[1] == '/' ? equals + 1 : text;
    const char *slash = value[0] == '/' ? strrchr(value, '/') : NULL;
    char *shorter = NULL;
    if (slash && asprintf(&shorter, "%.*s%s", (int)(value - text), text, slash + 1) < 0)
      shorter = NULL;
    json_array_append_new(list, text_value(shorter ? shorter : text));
    free(shorter);
  }
  return list;
}

static json_t *date_now(void) {
  char text[32];
  time_t now = time(NULL);
  struct tm utc;
  gmtime_r(&now, &utc);
  strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
  return json_string(text);
}

/// Whether a run may be resumed, and shards be merged, when a fact has changed.
typedef enum fact_rule {
  SAME,         ///< No: numbers depend on it.
  SAME_TIMES,   ///< Not resumed, but merged with a warning: only times depend on it.
  INFORMATIONAL ///< Yes: it changes all the time, or no number depends on it.
} fact_rule;

typedef struct fact {
  const char *group; ///< the object that contains it; "" for the context itself
  const char *key;
  fact_rule rule;
  const char *text;      ///< its value, if known in advance
  json_t *(*make)(void); ///< otherwise
} fact;

/// All of the context except its arguments, in the order of the file.
static const fact facts[] = {
    {"", "program", SAME, "touchstone", NULL},
    {"", "version", SAME, TOUCHSTONE_VERSION, NULL},
    {"", "commit", SAME, TOUCHSTONE_COMMIT, NULL},
    {"", "date", INFORMATIONAL, NULL, date_now},
    {"build", "compiler", SAME, COMPILER, NULL},
    {"build", "type", SAME, TOUCHSTONE_BUILD_TYPE, NULL},
    {"build", "flags", SAME, TOUCHSTONE_FLAGS, NULL},
    {"build", "sanitizers", SAME, TOUCHSTONE_SANITIZERS, NULL},
    {"machine", "cpu", SAME_TIMES, NULL, cpu},
    {"machine", "architecture", SAME, NULL, architecture},
    {"machine", "cores", SAME_TIMES, NULL, cores},
    {"machine", "cores_usable", INFORMATIONAL, NULL, usable_cores},
    {"machine", "frequency_governor", INFORMATIONAL, NULL, frequency_governor},
    {"machine", "memory_bytes", INFORMATIONAL, NULL, memory_bytes},
    {"machine", "kernel", INFORMATIONAL, NULL, kernel},
    {"machine", "distribution", INFORMATIONAL, NULL, distribution},
    {"machine", "load_average", INFORMATIONAL, NULL, load_average},
    {"libraries", "glibc", SAME, NULL, glibc_version}, // scenes are built with its sin() and cos()
    {"libraries", "jansson", INFORMATIONAL, NULL, jansson_version},
    {"libraries", "libcsv", INFORMATIONAL, VERSION_OF(CSV_MAJOR, CSV_MINOR, CSV_RELEASE), NULL},
    {"", "clock_resolution_ns", INFORMATIONAL, NULL, clock_resolution},
    {"", "locale", INFORMATIONAL, NULL, numeric_locale},
};

#define FACT_COUNT (sizeof facts / sizeof *facts)

static json_t *make_fact(const fact *f) {
  return f->text ? json_string(f->text) : f->make();
}

/// The object that contains a fact, created if missing; NULL when out of memory.
static json_t *make_group(json_t *context, const fact *f) {
  if (f->group[0] == '\0')
    return context;
  json_t *group = json_object_get(context, f->group);
  if (group)
    return group;
  return json_object_set_new(context, f->group, json_object()) == 0
             ? json_object_get(context, f->group)
             : NULL;
}

json_t *ts_context_create(int argument_count, char *const *arguments) {
  json_t *context = json_object();
  bool is_fine = context != NULL;
  for (size_t i = 0; i < FACT_COUNT && is_fine; i++) {
    json_t *group = make_group(context, &facts[i]);
    is_fine = group && json_object_set_new(group, facts[i].key, make_fact(&facts[i])) == 0;
  }
  is_fine = is_fine && json_object_set_new(context, "arguments",
                                           argument_list(argument_count, arguments)) == 0;
  if (is_fine)
    return context;
  json_decref(context);
  return NULL;
}

#define PARTS_KEY "parts"

static const json_t *find_fact(const json_t *context, const fact *f) {
  return json_object_get(f->group[0] ? json_object_get(context, f->group) : context, f->key);
}

static bool fill_part(json_t *part, const json_t *context, bool is_first) {
  bool is_fine = true;
  for (size_t i = 0; i < FACT_COUNT && is_fine; i++) {
    const fact *f = &facts[i];
    if (f->rule != INFORMATIONAL)
      continue;
    json_t *value = is_first ? json_deep_copy(find_fact(context, f)) : make_fact(f);
    json_t *group = make_group(part, f);
    is_fine = group && json_object_set_new(group, f->key, value ? value : json_null()) == 0;
  }
  return is_fine;
}

ts_status ts_context_add_part(json_t *context, size_t first_cell, json_t *options) {
  json_t *parts = json_object_get(context, PARTS_KEY);
  if (!json_is_array(parts)) {
    json_object_set_new(context, PARTS_KEY, json_array());
    parts = json_object_get(context, PARTS_KEY);
  }
  json_t *part = json_pack("{s:I, s:o}", "first_cell", (json_int_t)first_cell, "options", options);
  if (part && parts && fill_part(part, context, json_array_size(parts) == 0) &&
      json_array_append(parts, part) == 0) {
    json_decref(part);
    return TS_OK;
  }
  json_decref(part);
  return ts_fail(TS_E_MEMORY, "out of memory");
}

const json_t *ts_context_parts(const json_t *context) {
  const json_t *parts = json_object_get(context, PARTS_KEY);
  return json_is_array(parts) ? parts : NULL;
}

static ts_status fail_other(const char *folder, const fact *f, const json_t *before,
                            const json_t *now, const char *others) {
  char *before_text = before ? json_dumps(before, JSON_ENCODE_ANY) : NULL;
  char *now_text = json_dumps(now, JSON_ENCODE_ANY);
  ts_status status =
      ts_fail(TS_E_INPUT,
              "cannot resume %s: %s%s%s was %.200s and is %.200s now%s, so rows would not be "
              "comparable; start a new run with --out",
              folder, f->group, f->group[0] ? " " : "", f->key,
              before_text ? before_text : "unknown", now_text ? now_text : "unknown", others);
  free(before_text);
  free(now_text);
  return status;
}

ts_status ts_context_check(const json_t *context, const char *folder) {
  const fact *first = NULL;
  json_t *first_now = NULL;
  char others[256] = "";
  for (size_t i = 0; i < FACT_COUNT; i++) {
    if (facts[i].rule == INFORMATIONAL)
      continue;
    json_t *now = make_fact(&facts[i]);
    if (json_equal(find_fact(context, &facts[i]), now)) {
      json_decref(now);
    } else if (!first) {
      first = &facts[i];
      first_now = now;
    } else {
      size_t used = strlen(others);
      snprintf(others + used, sizeof others - used, "%s%s%s%s",
               used ? ", " : "; also changed: ", facts[i].group, facts[i].group[0] ? " " : "",
               facts[i].key);
      json_decref(now);
    }
  }
  if (!first)
    return TS_OK;
  ts_status status = fail_other(folder, first, find_fact(context, first), first_now, others);
  json_decref(first_now);
  return status;
}

const char *ts_context_option(const json_t *context, const char *name) {
  const json_t *list = json_object_get(json_object_get(context, "run"), "arguments");
  size_t length = strlen(name);
  for (size_t i = 0; i < json_array_size(list); i++) {
    const char *text = json_string_value(json_array_get(list, i));
    if (text && strncmp(text, "--", 2) == 0 && strncmp(text + 2, name, length) == 0 &&
        text[2 + length] == '=')
      return text + 3 + length;
  }
  return NULL;
}

ts_contacts_kept ts_context_contacts_kept(const json_t *context) {
  const char *word = ts_context_option(context, "contacts");
  for (int kept = 0; word && kept < TS_KEPT_COUNT; kept++)
    if (strcmp(word, ts_contacts_kept_words[kept]) == 0)
      return (ts_contacts_kept)kept;
  return TS_KEPT_ALL;
}

/// Writes "build flags: "-O2" in a and "-O3" in b" for the first fact of that rule that differs.
static bool find_difference(char *out, size_t bytes, const ts_named_context *a,
                            const ts_named_context *b, fact_rule rule) {
  for (size_t i = 0; i < FACT_COUNT; i++) {
    const fact *f = &facts[i];
    const json_t *x = find_fact(a->context, f), *y = find_fact(b->context, f);
    if (f->rule != rule || json_equal(x, y))
      continue;
    char *x_text = json_dumps(x, JSON_ENCODE_ANY), *y_text = json_dumps(y, JSON_ENCODE_ANY);
    snprintf(out, bytes, "%s%s%s: %.200s in %.100s and %.200s in %.100s", f->group,
             f->group[0] ? " " : "", f->key, x_text ? x_text : "unknown", a->name,
             y_text ? y_text : "unknown", b->name);
    free(x_text);
    free(y_text);
    return true;
  }
  return false;
}

bool ts_context_other_numbers(char *out, size_t bytes, const ts_named_context *a,
                              const ts_named_context *b) {
  return find_difference(out, bytes, a, b, SAME);
}

bool ts_context_other_times(char *out, size_t bytes, const ts_named_context *a,
                            const ts_named_context *b) {
  return find_difference(out, bytes, a, b, SAME_TIMES);
}

/// The value of a fact for results of two machines or moments: the earlier date, both CPUs, null
/// for others that differ. NULL when out of memory.
static json_t *join_fact(const fact *f, const json_t *a, const json_t *b) {
  const char *x = json_string_value(a), *y = json_string_value(b);
  if (json_equal(a, b) || (x && y && strstr(x, y) && strcmp(f->key, "cpu") == 0))
    return json_deep_copy(a);
  if (x && y && strcmp(f->key, "date") == 0)
    return json_string(strcmp(x, y) < 0 ? x : y);
  if (x && y && strcmp(f->key, "cpu") == 0)
    return json_sprintf("%s + %s", x, y);
  return json_null();
}

ts_status ts_context_join(json_t *to, const json_t *from) {
  for (size_t i = 0; i < FACT_COUNT; i++) {
    json_t *group = make_group(to, &facts[i]);
    json_t *joined = join_fact(&facts[i], find_fact(to, &facts[i]), find_fact(from, &facts[i]));
    if (!group || json_object_set_new(group, facts[i].key, joined) != 0)
      return ts_fail(TS_E_MEMORY, "out of memory");
  }
  return TS_OK;
}

/// In a schema that is older or newer than those read, columns of the same name may have another
/// meaning.
static ts_status check_schema(const json_t *context, const char *path) {
  const json_t *version = json_object_get(context, TS_SCHEMA_KEY);
  if (!json_is_integer(version))
    return ts_fail(TS_E_INPUT, "%s has no " TS_SCHEMA_KEY "; give the folder of a run", path);
  json_int_t number = json_integer_value(version);
  if (number >= TS_SCHEMA_VERSION_READ && number <= TS_SCHEMA_VERSION)
    return TS_OK;
  return ts_fail(TS_E_INPUT,
                 "%s has schema version %lld, and this touchstone reads %d, back to %d; run again, "
                 "or use the touchstone that wrote it",
                 path, (long long)number, TS_SCHEMA_VERSION, TS_SCHEMA_VERSION_READ);
}

ts_status ts_context_read(json_t **out, ts_arena *arena, const char *path) {
  char *text;
  size_t count;
  TS_TRY(ts_file_read(&text, &count, arena, path, TS_CONTEXT_BYTES_MAX));
  json_error_t error;
  json_t *context = json_loadb(text, count, 0, &error);
  if (!context)
    return ts_fail(TS_E_INPUT, "%s is damaged, line %d: %s", path, error.line, error.text);
  ts_status status = check_schema(context, path);
  if (status == TS_OK)
    *out = context;
  else
    json_decref(context);
  return status;
}
