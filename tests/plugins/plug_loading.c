// SPDX-License-Identifier: MIT
// A plug-in that is wrong in the way that the environment variable PLUG asks for, while it is
// loaded or in what it says of its one method, plug_one. Without the variable it is right.
#include "methods/method.h"

#include <fenv.h>
#include <locale.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int is_asked(const char *word) {
  const char *asked = getenv("PLUG");
  return asked && strcmp(asked, word) == 0;
}

static void misbehave(const char *when) {
  char word[64];
  snprintf(word, sizeof word, "crash_%s", when);
  if (is_asked(word))
    abort();
  snprintf(word, sizeof word, "exit_%s", when);
  if (is_asked(word))
    exit(0);
  snprintf(word, sizeof word, "hang_%s", when);
  while (is_asked(word))
    pause();
  snprintf(word, sizeof word, "print_%s", when);
  if (is_asked(word))
    printf("noise %s\n", when);
}

/// What stays changed in the whole program unless it is put back.
static void change_surroundings(void) {
  if (is_asked("changes")) {
    fesetround(FE_UPWARD);
    signal(SIGCHLD, SIG_IGN);
    if (!setlocale(LC_ALL, "de_DE.UTF-8"))
      setlocale(LC_ALL, "C.UTF-8");
  }
  for (int file = 0; file <= 20 && is_asked("close_files"); file++)
    close(file);
}

__attribute__((constructor)) static void start(void) {
  misbehave("constructor");
  change_surroundings();
}

__attribute__((destructor)) static void stop(void) {
  misbehave("destructor");
}

static ts_status generate(const ts_host *host, const ts_pair *pair, const void *shape_a,
                          const void *shape_b, void *pair_state, const double *params) {
  (void)shape_a, (void)shape_b, (void)pair_state, (void)params;
  misbehave("generate");
  ts_contact contact = {.point = pair->pose_a.translation, .normal = {0, 1, 0}, .area_m2 = NAN};
  return host->push(host, &contact, 1);
}

/// Crashes only when the parameter is changed: at the defaults it has been tried.
static ts_status envelope(ts_envelope *out, const double *params) {
  misbehave("envelope");
  if (is_asked("crash_envelope_later") && params[0] != 1)
    abort();
  *out = (ts_envelope){.kind = TS_ENVELOPE_DILATED, .size_m = 1e-3 * params[0]};
  return TS_OK;
}

static const char *const words[] = {"left", "right", NULL};
static const char *const bad_words[] = {"left;x=1", NULL};
static const char *const no_words[] = {NULL};

/// Changes the method, or its first parameter, as asked.
static void spoil(ts_method *m, ts_param *p) {
  if (is_asked("abi_newer"))
    m->abi = TS_METHOD_ABI + 1;
  if (is_asked("abi_older"))
    m->abi = TS_METHOD_ABI - 1;
  if (is_asked("struct_small"))
    m->struct_size = 64;
  if (is_asked("no_name"))
    m->name = NULL;
  if (is_asked("bad_name"))
    m->name = "Plug One";
  static char long_name[TS_NAME_LENGTH_MAX + 2];
  memset(long_name, 'a', sizeof long_name - 1);
  if (is_asked("long_name"))
    m->name = long_name;
  if (is_asked("builtin_name"))
    m->name = "growth";
  if (is_asked("control_name"))
    m->name = "control_ideal";
  if (is_asked("case_name"))
    m->name = "wall";
  if (is_asked("scoring_name"))
    m->name = "scoring";
  if (is_asked("fine_name"))
    m->name = "plug_fine";
  if (is_asked("no_summary"))
    m->summary = NULL;
  if (is_asked("summary_lines"))
    m->summary = "one\ntwo";
  if (is_asked("source_bytes"))
    m->source = "caf\xe9";
  if (is_asked("needs_unknown"))
    m->needs = 1u << 20;
  if (is_asked("no_generate"))
    m->generate = NULL;
  if (is_asked("no_params"))
    m->params = NULL;
  if (is_asked("many_params"))
    m->param_count = SIZE_MAX;
  if (is_asked("param_no_name"))
    p->name = NULL;
  if (is_asked("param_bad_name"))
    p->name = "a=b";
  if (is_asked("param_common"))
    p->name = "scale";
  if (is_asked("param_twice"))
    p->name = "plug_side";
  if (is_asked("param_kind"))
    p->kind = 9;
  if (is_asked("param_bounds"))
    p->minimum = 20;
  if (is_asked("param_nan"))
    p->maximum = NAN;
  if (is_asked("param_default"))
    p->default_value = 11;
  if (is_asked("param_bad_choice"))
    p[1].choices = bad_words;
  if (is_asked("param_no_choice"))
    p[1].choices = no_words;
  if (is_asked("param_null_choices"))
    p[1].choices = NULL;
  if (is_asked("wild_pointer"))
    m->summary = (const char *)(uintptr_t)16;
}

const ts_method *const *touchstone_methods(void) {
  static ts_param params[2];
  static ts_method method;
  static const ts_method *list[3];
  misbehave("entry");
  params[0] = (ts_param){.name = "plug_size",
                         .summary = "A number.",
                         .kind = TS_PARAM_REAL,
                         .default_value = 1,
                         .minimum = 0,
                         .maximum = 10};
  params[1] = (ts_param){
      .name = "plug_side", .summary = "A choice.", .kind = TS_PARAM_CHOICE, .choices = words};
  method = (ts_method){.abi = TS_METHOD_ABI,
                       .struct_size = sizeof(ts_method),
                       .name = "plug_one",
                       .summary = "One contact, somewhere.",
                       .source = is_asked("other_source") ? "tests, 2" : "tests, 1",
                       .params = params,
                       .param_count = 2,
                       .envelope = envelope,
                       .generate = generate};
  // What an older header of this version had ends before `taxonomy`: what follows is not ours.
  if (is_asked("struct_older")) {
    method.struct_size = offsetof(ts_method, taxonomy);
    method.taxonomy = (const ts_taxonomy *)(uintptr_t)16;
  }
  spoil(&method, params);
  list[0] = is_asked("no_methods") ? NULL : &method;
  list[1] = is_asked("two_alike") ? &method : NULL;
  return is_asked("no_list") ? NULL : list;
}
