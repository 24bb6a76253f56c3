#include "reports/context.h"

#include "base/clock.h"
#include "reports/build_info_generated.h"

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

/// A string; bytes that are no UTF-8, which JSON cannot hold, make every byte above 127 a `?`.
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

/// Cuts blanks and quotes off both ends of a line, in place.
static char *trim(char *text) {
  while (isspace((unsigned char)*text) || *text == '"')
    text++;
  size_t length = strlen(text);
  while (length > 0 && (isspace((unsigned char)text[length - 1]) || text[length - 1] == '"'))
    text[--length] = '\0';
  return text;
}

/// The value of the first line "key<separator>value" of a file; false when there is none.
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

/// Cores that this process may run on, which taskset and containers make fewer than there are.
static json_t *usable_cores(void) {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) != 0)
    return json_null();
  return json_integer(CPU_COUNT(&set));
}

/// How the clock frequency is chosen: anything but "performance" makes times wander.
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

static json_t *machine(void) {
  char cpu[256], distribution[256];
  struct utsname system;
  if (uname(&system) != 0)
    memset(&system, 0, sizeof system);
  if (!read_entry(cpu, sizeof cpu, "/proc/cpuinfo", "model name", ':'))
    snprintf(cpu, sizeof cpu, "unknown");
  if (!read_entry(distribution, sizeof distribution, "/etc/os-release", "PRETTY_NAME", '='))
    snprintf(distribution, sizeof distribution, "unknown");
  char kernel[sizeof system.sysname + sizeof system.release + 1];
  snprintf(kernel, sizeof kernel, "%s %s", system.sysname, system.release);
  return json_pack("{s:o, s:s, s:I, s:o, s:o, s:o, s:o, s:o, s:o}", "cpu", text_value(cpu),
                   "architecture", system.machine, "cores",
                   (json_int_t)sysconf(_SC_NPROCESSORS_ONLN), "cores_usable", usable_cores(),
                   "frequency_governor", frequency_governor(), "memory_bytes", memory_bytes(),
                   "kernel", text_value(kernel), "distribution", text_value(distribution),
                   "load_average", load_average());
}

static json_t *build(void) {
  return json_pack("{s:s, s:s, s:s, s:s}", "compiler", COMPILER, "type", TOUCHSTONE_BUILD_TYPE,
                   "flags", TOUCHSTONE_FLAGS, "sanitizers", TOUCHSTONE_SANITIZERS);
}

static json_t *libraries(void) {
  return json_pack("{s:s, s:s, s:s}", "glibc", gnu_get_libc_version(), "jansson",
                   jansson_version_str(), "libcsv", VERSION_OF(CSV_MAJOR, CSV_MINOR, CSV_RELEASE));
}

/// The arguments, with absolute paths ("/x/y", "--out=/x/y") cut down to their last part: where
/// someone keeps their files is not for a file that gets published.
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

json_t *ts_context_create(int argument_count, char *const *arguments) {
  const char *numeric_locale = setlocale(LC_NUMERIC, NULL);
  return json_pack("{s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:I, s:s}", "program", "touchstone",
                   "version", TOUCHSTONE_VERSION, "commit", TOUCHSTONE_COMMIT, "date", date_now(),
                   "arguments", argument_list(argument_count, arguments), "build", build(),
                   "machine", machine(), "libraries", libraries(), "clock_resolution_ns",
                   (json_int_t)ts_clock_resolution_ns(), "locale",
                   numeric_locale ? numeric_locale : "C");
}
