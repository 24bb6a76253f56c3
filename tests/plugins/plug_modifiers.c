// SPDX-License-Identifier: MIT
// Modifiers of a plug-in without methods: one without a fault, and one of each fault.
#include "methods/modifiers/modifier.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ARGUMENTS                                                                                  \
  const ts_host *host, const ts_pair *pair, const ts_contact *contacts, size_t count,              \
      const double *params
#define UNUSED (void)host, (void)pair, (void)contacts, (void)count, (void)params

/// Every so many contacts, beginning with the first.
static ts_status some(ARGUMENTS) {
  UNUSED;
  for (size_t i = 0; i < count; i += (size_t)params[0]) {
    ts_status status = host->push(host, &contacts[i], 1);
    if (status < 0)
      return status;
  }
  return TS_OK;
}

static ts_status invent(ARGUMENTS) {
  UNUSED;
  for (ts_status status = TS_OK; status == TS_OK;)
    if ((status = host->push(host, contacts, count)) != TS_OK)
      return status;
  return TS_OK;
}

static ts_status not_finite(ARGUMENTS) {
  UNUSED;
  ts_contact contact = contacts[0];
  contact.normal.x = NAN;
  return host->push(host, &contact, 1);
}

static ts_status write_input(ARGUMENTS) {
  UNUSED;
  ts_status status = host->push(host, contacts, count);
  ts_contact *input;
  memcpy(&input, &contacts, sizeof input);
  input[0].gap_m += 1;
  return status;
}

static ts_status write_mesh(ARGUMENTS) {
  UNUSED;
  ts_vec3 *vertices;
  memcpy(&vertices, &pair->mesh_a->vertices, sizeof vertices);
  vertices[0].x += 1e-3;
  return host->push(host, contacts, count);
}

static ts_status crash(ARGUMENTS) {
  UNUSED;
  abort();
}

static ts_status hang(ARGUMENTS) {
  UNUSED;
  for (volatile int goes_on = 1; goes_on;)
    pause();
  return TS_OK;
}

static ts_status fail(ARGUMENTS) {
  UNUSED;
  return host->fail(host, TS_E_INPUT, "no such luck");
}

static ts_status skip(ARGUMENTS) {
  UNUSED;
  return TS_SKIPPED;
}

/// Other contacts each time it is called.
static ts_status change(ARGUMENTS) {
  UNUSED;
  static size_t calls;
  return host->push(host, &contacts[calls++ % count], 1);
}

static const ts_param some_params[] = {{.name = "every",
                                        .summary = "Which contacts are kept.",
                                        .kind = TS_PARAM_INTEGER,
                                        .default_value = 2,
                                        .minimum = 1,
                                        .maximum = 100}};

#define MODIFIER(word, ...)                                                                        \
  {                                                                                                \
    .abi = TS_METHOD_ABI, .struct_size = sizeof(ts_modifier), .name = "plug_" #word,               \
    .summary = "For the tests.", .source = "tests", .apply = word, __VA_ARGS__                     \
  }

static const ts_modifier modifiers[] = {
    MODIFIER(some, .params = some_params, .param_count = 1),
    MODIFIER(invent, .params = NULL),
    MODIFIER(not_finite, .params = NULL),
    MODIFIER(write_input, .params = NULL),
    MODIFIER(write_mesh, .params = NULL),
    MODIFIER(crash, .params = NULL),
    MODIFIER(hang, .params = NULL),
    MODIFIER(fail, .params = NULL),
    MODIFIER(skip, .params = NULL),
    MODIFIER(change, .params = NULL),
};

TS_PLUGIN_EXPORT const ts_modifier *const *touchstone_modifiers(void) {
  static const ts_modifier *list[sizeof modifiers / sizeof *modifiers + 1];
  for (size_t i = 0; i < sizeof modifiers / sizeof *modifiers; i++)
    list[i] = &modifiers[i];
  return list;
}
