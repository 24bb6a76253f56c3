// SPDX-License-Identifier: MIT
// A plug-in with the fault named by the environment variable PLUG, either while it is loaded or in
// the descriptor of its only method, plug_one. Without the variable it is valid.
#include "methods/method.h"

#include <fcntl.h>
#include <fenv.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int is_set(const char *word) {
  const char *fault = getenv("PLUG");
  return fault && strcmp(fault, word) == 0;
}

static void misbehave(const char *when) {
  char word[64];
  snprintf(word, sizeof word, "crash_%s", when);
  if (is_set(word))
    abort();
  snprintf(word, sizeof word, "exit_%s", when);
  if (is_set(word))
    exit(0);
  snprintf(word, sizeof word, "hang_%s", when);
  while (is_set(word))
    pause();
  snprintf(word, sizeof word, "print_%s", when);
  if (is_set(word))
    printf("noise %s\n", when);
}

/// Says one line on standard error, or more than anyone reads.
static void talk(void) {
  if (is_set("says"))
    fprintf(stderr, "a word of a constructor\n");
  for (int i = 0; i < 100000 && is_set("chatters"); i++)
    fprintf(stderr, "line %d of a constructor that tells a lot\n", i);
}

/// Changes that affect the whole program unless they are undone.
static void change_process_state(void) {
  if (is_set("changes")) {
    fesetround(FE_UPWARD);
    signal(SIGCHLD, SIG_IGN);
    if (!setlocale(LC_ALL, "de_DE.UTF-8"))
      setlocale(LC_ALL, "C.UTF-8");
  }
  for (int file = 0; file <= 20 && is_set("close_files"); file++)
    close(file);
}

static void say_late(void) {
  puts("noise at the end");
}

static void *write_noise(void *unused) {
  (void)unused;
  for (;;) {
    (void)!write(STDOUT_FILENO, "noise\n", 6);
    usleep(1000);
  }
  return NULL;
}

/// What else a program has only once.
static void change_surroundings(void) {
  pthread_t thread;
  if (is_set("surroundings")) {
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    umask(0777);
    setenv("COLUMNS", "30", 1);
    unsetenv("PATH");
    alarm(1);
    if (chdir("/") != 0)
      abort();
  }
  if (is_set("at_exit"))
    atexit(say_late);
  if (is_set("thread"))
    pthread_create(&thread, NULL, write_noise, NULL);
  // In a session of its own, and no child of the process that loads.
  if (is_set("process") && fork() == 0) {
    setsid();
    if (fork() == 0)
      pause();
    _exit(0);
  }
  if (is_set("second_load") && getenv("PLUG_FLAG")) {
    if (access(getenv("PLUG_FLAG"), F_OK) == 0)
      abort();
    close(open(getenv("PLUG_FLAG"), O_CREAT | O_WRONLY, 0644));
  }
}

__attribute__((constructor)) static void start(void) {
  misbehave("constructor");
  talk();
  change_process_state();
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

/// Crashes only when the parameter is changed, since loading tries the defaults.
static ts_status envelope(ts_envelope *out, const double *params) {
  misbehave("envelope");
  if (is_set("crash_envelope_later") && params[0] != 1)
    abort();
  *out = (ts_envelope){.kind = TS_ENVELOPE_DILATED, .size_m = 1e-3 * params[0]};
  return TS_OK;
}

static const char *const words[] = {"left", "right", NULL};
static const char *const bad_words[] = {"left;x=1", NULL};
static const char *const no_words[] = {NULL};

/// Applies the fault to the method or its parameters.
static void spoil(ts_method *m, ts_param *p) {
  if (is_set("abi_newer"))
    m->abi = TS_METHOD_ABI + 1;
  if (is_set("abi_none"))
    m->abi = 0;
  if (is_set("struct_small"))
    m->struct_size = 64;
  if (is_set("no_name"))
    m->name = NULL;
  if (is_set("bad_name"))
    m->name = "Plug One";
  static char long_name[TS_NAME_LENGTH_MAX + 2];
  memset(long_name, 'a', sizeof long_name - 1);
  if (is_set("long_name"))
    m->name = long_name;
  if (is_set("builtin_name"))
    m->name = "growth";
  if (is_set("control_name"))
    m->name = "control_ideal";
  if (is_set("case_name"))
    m->name = "wall";
  if (is_set("scoring_name"))
    m->name = "scoring";
  if (is_set("fine_name"))
    m->name = "plug_fine";
  if (is_set("no_summary"))
    m->summary = NULL;
  if (is_set("summary_lines"))
    m->summary = "one\ntwo";
  if (is_set("source_bytes"))
    m->source = "caf\xe9";
  if (is_set("needs_unknown"))
    m->needs = 1u << 20;
  if (is_set("state_if_unknown") || is_set("state_if"))
    m->keeps_state = 1;
  if (is_set("state_if_unknown"))
    m->keeps_state_if = "plug_memory";
  if (is_set("state_if") || is_set("state_if_alone"))
    m->keeps_state_if = "plug_side";
  if (is_set("no_generate"))
    m->generate = NULL;
  if (is_set("no_params"))
    m->params = NULL;
  if (is_set("many_params"))
    m->param_count = SIZE_MAX;
  if (is_set("param_no_name"))
    p->name = NULL;
  if (is_set("param_bad_name"))
    p->name = "a=b";
  if (is_set("param_common"))
    p->name = "scale";
  if (is_set("param_twice"))
    p->name = "plug_side";
  if (is_set("param_kind"))
    p->kind = 9;
  if (is_set("param_bounds"))
    p->minimum = 20;
  if (is_set("param_nan"))
    p->maximum = NAN;
  if (is_set("param_default"))
    p->default_value = 11;
  if (is_set("param_bad_choice"))
    p[1].choices = bad_words;
  if (is_set("param_no_choice"))
    p[1].choices = no_words;
  if (is_set("param_null_choices"))
    p[1].choices = NULL;
  if (is_set("wild_pointer"))
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
                       .summary = "One contact at a fixed place.",
                       .source = is_set("other_source") ? "tests, 2" : "tests, 1",
                       .params = params,
                       .param_count = 2,
                       .envelope = envelope,
                       .generate = generate};
  // The struct of an older header of this version ends before `taxonomy`; later bytes are not ours.
  if (is_set("struct_older")) {
    method.struct_size = offsetof(ts_method, taxonomy);
    method.taxonomy = (const ts_taxonomy *)(uintptr_t)16;
  }
  spoil(&method, params);
  list[0] = is_set("no_methods") ? NULL : &method;
  list[1] = is_set("two_alike") ? &method : NULL;
  return is_set("no_list") ? NULL : list;
}
