// SPDX-License-Identifier: MIT
#include "methods/plugins/plugin.h"

#include "base/hash.h"
#include "base/param.h"
#include "base/status.h"
#include "methods/plugins/linked_libraries.h"
#include "methods/plugins/plugin_check.h"
#include "methods/plugins/process_state.h"
#include "methods/plugins/run_in_child.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#define ENTRY_SYMBOL     "touchstone_methods"
#define MODIFIERS_SYMBOL "touchstone_modifiers"

/// Time limit of loading: a constructor that takes longer is assumed to hang.
#define LOAD_LIMIT_S     10.0
#define ENVELOPE_LIMIT_S 10.0

#define LIST_MAX 1000

/// Exit status of a program that a plug-in has ended while it was loaded; that of bad input.
#define EXIT_ENDED 2

typedef const ts_method *const *(*methods_entry)(void);
typedef const ts_modifier *const *(*modifiers_entry)(void);

/// Adds the file to the detail line of the last failure.
static ts_status fail_with_file(ts_status status, const char *path) {
  char detail[900];
  snprintf(detail, sizeof detail, "%s", ts_status_detail());
  return ts_fail(status, "plug-in %.300s: %s", path, detail);
}

/// Hash of an open file's bytes, which must begin like a shared object.
static ts_status hash_file(uint64_t *out, int file) {
  static const unsigned char magic[4] = {0x7f, 'E', 'L', 'F'};
  unsigned char bytes[1 << 16];
  uint64_t hash = TS_HASH_START;
  bool is_first = true;
  for (;;) {
    ssize_t count = read(file, bytes, sizeof bytes);
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      return ts_fail(TS_E_IO, "cannot be read: %s", strerror(errno));
    if (is_first && (count < 4 || memcmp(bytes, magic, sizeof magic) != 0))
      return ts_fail(TS_E_INPUT, "is not a shared object; build one with cc -shared -fPIC");
    if (count == 0)
      break;
    is_first = false;
    hash = ts_hash_bytes(hash, bytes, (size_t)count);
  }
  *out = hash;
  return TS_OK;
}

static ts_status check_file(uint64_t *out_hash, const char *path) {
  // O_NONBLOCK: opening a pipe without a writer must not block.
  int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0)
    return errno == ENOENT ? ts_fail(TS_E_INPUT, "no such file; check the path")
                           : ts_fail(TS_E_INPUT, "cannot be read: %s", strerror(errno));
  struct stat facts;
  ts_status status = fstat(file, &facts) == 0 && S_ISREG(facts.st_mode)
                         ? hash_file(out_hash, file)
                         : ts_fail(TS_E_INPUT, "is not a regular file; give a shared object");
  close(file);
  return status;
}

/// The message of the loader, without the path that it may start with.
static const char *loader_message(const char *path) {
  const char *text = dlerror();
  size_t length = strlen(path);
  if (!text)
    return "the loader gives no reason";
  return strncmp(text, path, length) == 0 && strncmp(text + length, ": ", 2) == 0
             ? text + length + 2
             : text;
}

/// How many items a NULL-terminated list has; `symbol` returned it.
static ts_status count_items(size_t *out, const void *const *list, const char *symbol,
                             const char *what) {
  size_t count = 0;
  while (list && list[count])
    if (++count > LIST_MAX)
      return ts_fail(TS_E_INPUT, "%s() returns more than %d %ss; end its list with NULL", symbol,
                     LIST_MAX, what);
  *out = count;
  return count > 0 ? TS_OK
                   : ts_fail(TS_E_INPUT, "%s() returns no %s; return at least one", symbol, what);
}

static ts_status fail_same_name(const char *what, const char *name) {
  return ts_fail(TS_E_INPUT, "two of its %ss are called %s; rename one", what, name);
}

static ts_status check_methods(ts_plugin *out, ts_arena *arena, const ts_method *const *list) {
  size_t count;
  TS_TRY(count_items(&count, (const void *const *)list, ENTRY_SYMBOL, "method"));
  ts_method *methods = ts_arena_array(arena, count, sizeof *methods);
  out->methods = ts_arena_array(arena, count, sizeof *out->methods);
  if (!methods || !out->methods)
    return TS_E_MEMORY;
  out->method_count = count;
  for (size_t i = 0; i < count; i++) {
    TS_TRY(ts_plugin_check_method(&methods[i], arena, list[i], i));
    out->methods[i] = &methods[i];
    for (size_t k = 0; k < i; k++)
      if (strcmp(methods[k].name, methods[i].name) == 0)
        return fail_same_name("method", methods[i].name);
  }
  return TS_OK;
}

static ts_status check_modifiers(ts_plugin *out, ts_arena *arena, const ts_modifier *const *list) {
  size_t count;
  TS_TRY(count_items(&count, (const void *const *)list, MODIFIERS_SYMBOL, "modifier"));
  ts_modifier *modifiers = ts_arena_array(arena, count, sizeof *modifiers);
  out->modifiers = ts_arena_array(arena, count, sizeof *out->modifiers);
  if (!modifiers || !out->modifiers)
    return TS_E_MEMORY;
  out->modifier_count = count;
  for (size_t i = 0; i < count; i++) {
    TS_TRY(ts_plugin_check_modifier(&modifiers[i], arena, list[i], i));
    out->modifiers[i] = &modifiers[i];
    for (size_t k = 0; k < i; k++)
      if (strcmp(modifiers[k].name, modifiers[i].name) == 0)
        return fail_same_name("modifier", modifiers[i].name);
  }
  return TS_OK;
}

/// How far loading has come, to report where it ended.
typedef struct progress {
  char doing[32];
} progress;

static void note(progress *p, const char *doing) {
  snprintf(p->doing, sizeof p->doing, "%s", doing);
}

static ts_status read_methods(ts_plugin *out, ts_arena *arena, progress *p, void *symbol) {
  methods_entry methods_of;
  memcpy(&methods_of, &symbol, sizeof methods_of);
  note(p, "in " ENTRY_SYMBOL "()");
  const ts_method *const *list = methods_of();
  note(p, "while its methods were read");
  return check_methods(out, arena, list);
}

static ts_status read_modifiers(ts_plugin *out, ts_arena *arena, progress *p, void *symbol) {
  modifiers_entry modifiers_of;
  memcpy(&modifiers_of, &symbol, sizeof modifiers_of);
  note(p, "in " MODIFIERS_SYMBOL "()");
  const ts_modifier *const *list = modifiers_of();
  note(p, "while its modifiers were read");
  return check_modifiers(out, arena, list);
}

/// Loads it into this process, permanently unless `*out_handle` is closed.
static ts_status load(ts_plugin *out, void **out_handle, ts_arena *arena, progress *p) {
  note(p, "while it was loaded");
  // A name without a slash would be searched in the folders of the system's libraries.
  const char *path = strchr(out->path, '/') ? out->path : ts_arena_format(arena, "./%s", out->path);
  if (!path)
    return TS_E_MEMORY;
  *out_handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!*out_handle)
    return ts_fail(TS_E_INPUT, "cannot be loaded: %.700s", loader_message(path));
  void *methods = dlsym(*out_handle, ENTRY_SYMBOL);
  void *modifiers = dlsym(*out_handle, MODIFIERS_SYMBOL);
  if (!methods && !modifiers)
    return ts_fail(TS_E_INPUT,
                   "has no function " ENTRY_SYMBOL "() or " MODIFIERS_SYMBOL
                   "(); export one, with TS_PLUGIN_EXPORT and in C++ within extern \"C\"");
  if (methods)
    TS_TRY(read_methods(out, arena, p, methods));
  return modifiers ? read_modifiers(out, arena, p, modifiers) : TS_OK;
}

static ts_status check_envelopes(const ts_plugin *plugin, ts_arena *arena) {
  for (size_t i = 0; i < plugin->method_count; i++) {
    const ts_method *m = plugin->methods[i];
    double *values = ts_arena_array(arena, m->param_count, sizeof *values);
    if (!values)
      return TS_E_MEMORY;
    ts_param_defaults(values, m->params, m->param_count);
    ts_envelope envelope = {0};
    if (m->envelope)
      (void)m->envelope(&envelope, values); // called again later for its result
  }
  return TS_OK;
}

typedef struct trial {
  ts_arena *arena;
  const char *path;
} trial;

static ts_status try_to_load(void *result, void *context) {
  const trial *t = context;
  progress *p = result;
  ts_plugin plugin = {.path = t->path};
  void *handle;
  ts_process_state kept;
  prctl(PR_SET_CHILD_SUBREAPER, 1); // so that every process which it starts is a child of this one
  TS_TRY(ts_process_state_save(&kept, t->arena));
  ts_status status = load(&plugin, &handle, t->arena, p);
  if (ts_process_state_end_children() && status == TS_OK)
    status = ts_fail(TS_E_INPUT, "starts processes when it is loaded; start them in generate()");
  TS_TRY(status);
  TS_TRY(ts_process_state_restore(&kept));
  note(p, "in envelope()");
  TS_TRY(check_envelopes(&plugin, t->arena));
  note(p, "while it was unloaded");
  dlclose(handle);
  note(p, "");
  return TS_OK;
}

/// Loads in a child process first; if that does not return, the detail line says what it was doing.
static ts_status try_first(ts_arena *arena, const char *path) {
  trial t = {arena, path};
  progress p = {""};
  ts_child_call call = {.work = try_to_load,
                        .context = &t,
                        .result = &p,
                        .result_bytes = sizeof p,
                        .time_limit_s = LOAD_LIMIT_S,
                        .who = path};
  bool has_returned;
  ts_status status = ts_run_in_child(&has_returned, &call);
  if (has_returned || status == TS_E_IO || status == TS_E_MEMORY)
    return status;
  char detail[300];
  snprintf(detail, sizeof detail, "%s", ts_status_detail());
  p.doing[sizeof p.doing - 1] = '\0';
  return ts_fail(TS_E_INPUT, "%s %s", detail, p.doing);
}

/// The plug-in that is being loaded for good; NULL: none.
static const char *loading;

/// Standard error while it is, which then is /dev/null: the trial has passed on what it says. -1:
/// standard error is not open.
static int error_file;

static void silence_errors(void) {
  error_file = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, TS_PROCESS_STATE_FILES);
  int nothing = error_file >= 0 ? open("/dev/null", O_WRONLY | O_CLOEXEC) : -1;
  if (nothing >= 0) {
    dup2(nothing, STDERR_FILENO);
    close(nothing);
  }
}

static void hear_errors(void) {
  if (error_file >= 0) {
    dup2(error_file, STDERR_FILENO);
    close(error_file);
  }
}

/// Writes the message of a plug-in that ends the program, as far as a signal handler can.
static void say_ended(const char *how) {
  static const char before[] = "touchstone: plug-in ",
                    after[] = " when it was loaded a second time: constructors must not depend on "
                              "what an earlier load has left\n";
  (void)!write(error_file, before, sizeof before - 1);
  (void)!write(error_file, loading, strlen(loading));
  (void)!write(error_file, how, strlen(how));
  (void)!write(error_file, after, sizeof after - 1);
}

static void end_by_signal(int number) {
  say_ended(number == SIGALRM ? ": did not return" : ": crashed");
  _exit(EXIT_ENDED);
}

static void end_by_exit(void) {
  if (!loading)
    return;
  say_ended(": exited");
  _exit(EXIT_ENDED);
}

/// While `path` is loaded, an end of the program says why. NULL: the end of that; the handlers are
/// restored with the process state.
static void watch_loading(const char *path) {
  static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGALRM};
  static bool is_registered;
  if (!is_registered)
    is_registered = atexit(end_by_exit) == 0;
  loading = path;
  for (size_t i = 0; path && i < sizeof signals / sizeof *signals; i++)
    sigaction(signals[i], &(struct sigaction){.sa_handler = end_by_signal}, NULL);
  const struct itimerval limit = {.it_value.tv_sec = path ? (time_t)LOAD_LIMIT_S : 0};
  setitimer(ITIMER_REAL, &limit, NULL);
}

/// Loads a plug-in that was tried into this process, and finds the fingerprint of it and of the
/// libraries that come with it.
static ts_status load_for_good(ts_plugin *out, ts_arena *arena) {
  void *handle;
  progress unread;
  ts_process_state kept;
  TS_TRY(ts_process_state_save(&kept, arena));
  size_t before = ts_linked_libraries_count();
  silence_errors();
  watch_loading(out->path);
  ts_status status = load(out, &handle, arena, &unread);
  watch_loading(NULL);
  hear_errors();
  out->hash = ts_linked_libraries_hash(out->hash, before);
  ts_status restored = ts_process_state_restore(&kept);
  return status == TS_OK ? restored : status;
}

ts_status ts_plugin_load(ts_plugin *out, ts_arena *arena, const char *path) {
  *out = (ts_plugin){.path = ts_arena_string(arena, path)};
  if (!out->path)
    return TS_E_MEMORY;
  ts_status status = check_file(&out->hash, out->path);
  if (status == TS_OK)
    status = try_first(arena, out->path);
  if (status == TS_OK)
    status = load_for_good(out, arena);
  return status == TS_OK ? TS_OK : fail_with_file(status, path);
}

typedef struct envelope_call {
  const ts_method *method;
  const double *params;
} envelope_call;

static ts_status call_envelope(void *result, void *context) {
  const envelope_call *c = context;
  return c->method->envelope(result, c->params);
}

ts_status ts_plugin_envelope(ts_envelope *out, const ts_method *method, const double *params) {
  *out = (ts_envelope){0};
  if (!method->envelope)
    return TS_OK;
  envelope_call c = {method, params};
  ts_child_call call = {.work = call_envelope,
                        .context = &c,
                        .result = out,
                        .result_bytes = sizeof *out,
                        .time_limit_s = ENVELOPE_LIMIT_S,
                        .who = method->name};
  ts_status status = ts_run_in_child(NULL, &call);
  if (status == TS_OK)
    return TS_OK;
  char detail[900];
  snprintf(detail, sizeof detail, "%s", ts_status_detail());
  return ts_fail(status, "envelope() of method %s: %s", method->name, detail);
}
