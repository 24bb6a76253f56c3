// SPDX-License-Identifier: MIT
#include "reports/rows/context.h"

#include "base/clock.h"
#include "base/status.h"
#include "reports/rows/build_info_generated.h"

#include <csv.h>
#include <ctype.h>
#include <gnu/libc-version.h>
#include <locale.h>
#include <sched.h>
#include <stdbool.h>
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

/// Whether a run may be resumed when a fact has changed.
typedef enum fact_rule {
  SAME,         ///< No: numbers or times depend on it.
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
    {"machine", "cpu", SAME, NULL, cpu},
    {"machine", "architecture", SAME, NULL, architecture},
    {"machine", "cores", SAME, NULL, cores},
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
    if (facts[i].rule != SAME)
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
