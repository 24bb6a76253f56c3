// SPDX-License-Identifier: MIT
#include "reports/compare/junit.h"

#include "base/utf8.h"

#include <math.h>
#include <stdbool.h>

/// Bytes of the UTF-8 character at `text` if it may be in the file, otherwise 0: XML 1.0 allows few
/// control characters, and not the last two of each plane; others control terminals.
static size_t character_bytes(const char *text) {
  size_t count = ts_utf8_length(text);
  if (count == 1)
    return (unsigned char)text[0] >= ' ' || text[0] == '\t' || text[0] == '\n' || text[0] == '\r';
  if (ts_utf8_control_length(text) > 0)
    return 0;
  if (count < 3)
    return count;
  const unsigned char *last = (const unsigned char *)text + count - 3; // bytes with 16 bits of it
  bool is_last_of_plane =
      (last[0] & 0x0f) == 0x0f && last[1] == 0xbf && (last[2] == 0xbe || last[2] == 0xbf);
  return is_last_of_plane ? 0 : count;
}

static const char *entity(char c, bool is_attribute) {
  switch (c) {
  case '&':
    return "&amp;";
  case '<':
    return "&lt;";
  case '>':
    return "&gt;";
  case '"':
    return is_attribute ? "&quot;" : NULL;
  case '\t': // readers turn these into blanks in attributes
    return is_attribute ? "&#9;" : NULL;
  case '\n':
    return is_attribute ? "&#10;" : NULL;
  case '\r':
    return "&#13;";
  default:
    return NULL;
  }
}

static void put_text(FILE *file, const char *text, bool is_attribute) {
  for (const char *c = text; *c;) {
    size_t bytes = character_bytes(c);
    const char *escaped = bytes == 1 ? entity(*c, is_attribute) : NULL;
    if (bytes == 0)
      fputc('?', file);
    else if (escaped)
      fputs(escaped, file);
    else
      fwrite(c, 1, bytes, file);
    size_t control = bytes > 0 ? 0 : ts_utf8_control_length(c);
    c += bytes + control > 0 ? bytes + control : 1;
  }
}

static void put_attribute(FILE *file, const char *name, const char *value) {
  fprintf(file, " %s=\"", name);
  put_text(file, value, true);
  fputc('"', file);
}

static void put_element(FILE *file, const char *name, const char *text) {
  fprintf(file, "      <%s>", name);
  put_text(file, text, false);
  fprintf(file, "</%s>\n", name);
}

/// A time in seconds, without an exponent, which the schema does not allow.
static void put_time(FILE *file, double time_ns) {
  fputs(" time=\"", file);
  double whole = isfinite(time_ns) && time_ns > 0 ? floor(fmin(time_ns, 1e18)) : 0;
  unsigned long long count = (unsigned long long)whole;
  fprintf(file, "%llu.%09llu\"", count / 1000000000, count % 1000000000);
}

static void put_case(FILE *file, const ts_junit_case *c) {
  fputs("    <testcase", file);
  put_attribute(file, "name", c->name);
  put_attribute(file, "classname", c->class_name);
  put_time(file, c->time_ns);
  if (!c->skipped && !c->message && !c->output) {
    fputs("/>\n", file);
    return;
  }
  fputs(">\n", file);
  if (c->skipped)
    put_element(file, "skipped", c->skipped);
  if (c->message) {
    fputs("      <failure type=\"gate\"", file);
    put_attribute(file, "message", c->message);
    fputc('>', file);
    put_text(file, c->failure, false);
    fputs("</failure>\n", file);
  }
  if (c->output)
    put_element(file, "system-out", c->output);
  fputs("    </testcase>\n", file);
}

void ts_junit_print(FILE *file, const char *suite, const ts_junit_case *cases, size_t count) {
  size_t failures = 0, skipped = 0;
  double time_ns = 0;
  for (size_t i = 0; i < count; i++) {
    failures += cases[i].message != NULL;
    skipped += cases[i].skipped != NULL;
    time_ns += isfinite(cases[i].time_ns) ? cases[i].time_ns : 0;
  }
  fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites", file);
  put_attribute(file, "name", suite);
  fprintf(file, " tests=\"%zu\" failures=\"%zu\" errors=\"0\"", count, failures);
  put_time(file, time_ns);
  fputs(">\n  <testsuite", file);
  put_attribute(file, "name", suite);
  fprintf(file, " tests=\"%zu\" failures=\"%zu\" errors=\"0\" skipped=\"%zu\"", count, failures,
          skipped);
  put_time(file, time_ns);
  fputs(">\n", file);
  for (size_t i = 0; i < count; i++)
    put_case(file, &cases[i]);
  fputs("  </testsuite>\n</testsuites>\n", file);
}
