// SPDX-License-Identifier: MIT
// Methods that misbehave while they run: each affects only its own rows. plug_fine has no fault.
#include "methods/method.h"

#include <fcntl.h>
#include <fenv.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define ARGUMENTS                                                                                  \
  const ts_host *host, const ts_pair *pair, const void *shape_a, const void *shape_b,              \
      void *pair_state, const double *params
#define UNUSED (void)host, (void)pair, (void)shape_a, (void)shape_b, (void)pair_state, (void)params

/// One contact between the two origins.
static ts_contact contact_of(const ts_pair *pair) {
  ts_vec3 a = pair->pose_a.translation, b = pair->pose_b.translation;
  ts_vec3 d = {b.x - a.x, b.y - a.y, b.z - a.z};
  double length = sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
  ts_contact contact = {.point = {(a.x + b.x) / 2, (a.y + b.y) / 2, (a.z + b.z) / 2},
                        .normal = {0, 1, 0},
                        .area_m2 = NAN};
  if (length > 0)
    contact.normal = (ts_vec3){d.x / length, d.y / length, d.z / length};
  return contact;
}

static ts_status fine(ARGUMENTS) {
  UNUSED;
  ts_contact contact = contact_of(pair);
  return host->push(host, &contact, 1);
}

static ts_status crash(ARGUMENTS) {
  UNUSED;
  abort();
}

static ts_status end(ARGUMENTS) {
  UNUSED;
  exit(0);
}

static ts_status end_at_once(ARGUMENTS) {
  UNUSED;
  _exit(7);
}

static ts_status hang(ARGUMENTS) {
  UNUSED;
  for (volatile int goes_on = 1; goes_on;)
    pause();
  return TS_OK;
}

static ts_status leak(ARGUMENTS) {
  static char *volatile last; // so that the compiler cannot remove it
  UNUSED;
  for (;;) {
    char *block = malloc(1 << 20);
    if (!block)
      return host->fail(host, TS_E_MEMORY, "out of memory");
    memset(block, 1, 1 << 20);
    last = block;
    if (!last)
      return TS_OK;
  }
}

static ts_status not_a_number(ARGUMENTS) {
  UNUSED;
  ts_contact contact = contact_of(pair);
  contact.point.x = contact.normal.y = contact.gap_m = NAN;
  return host->push(host, &contact, 1);
}

/// Features that do not exist.
static ts_status garbage(ARGUMENTS) {
  UNUSED;
  ts_contact contact = contact_of(pair);
  contact.feature_a = (ts_feature){77, 4000000000u};
  contact.feature_b = (ts_feature){-5, 3};
  return host->push(host, &contact, 1);
}

static ts_status million(ARGUMENTS) {
  UNUSED;
  for (int i = 0; i < 1000000; i++) {
    ts_contact contact = contact_of(pair);
    contact.point.x += 1e-6 * i;
    ts_status status = host->push(host, &contact, 1);
    if (status != TS_OK)
      return status;
  }
  return TS_OK;
}

static ts_status write_mesh(ARGUMENTS) {
  ts_vec3 *vertices = (ts_vec3 *)(uintptr_t)pair->mesh_a->vertices;
  vertices[0].x += 1e-9;
  return fine(host, pair, shape_a, shape_b, pair_state, params);
}

static ts_status write_triangle(ARGUMENTS) {
  uint32_t *triangle = (uint32_t *)(uintptr_t)pair->mesh_b->triangles[0];
  triangle[0] ^= 1;
  return fine(host, pair, shape_a, shape_b, pair_state, params);
}

static ts_status write_pair(ARGUMENTS) {
  ts_pair *writable = (ts_pair *)(uintptr_t)pair;
  writable->pose_a.translation.y += 1;
  return fine(host, pair, shape_a, shape_b, pair_state, params);
}

static ts_status write_params(ARGUMENTS) {
  double *values = (double *)(uintptr_t)params;
  values[0] += 1;
  return fine(host, pair, shape_a, shape_b, pair_state, params);
}

static ts_status close_files(ARGUMENTS) {
  for (int file = 0; file <= 20; file++)
    close(file);
  return fine(host, pair, shape_a, shape_b, pair_state, params);
}

/// Other files get the numbers of the closed ones.
static ts_status take_files(ARGUMENTS) {
  const char *path = getenv("PLUG_FILE");
  for (int file = 0; file <= 20; file++)
    close(file);
  for (int file = 0; file <= 20 && path; file++)
    (void)open(path, O_RDWR);
  return fine(host, pair, shape_a, shape_b, pair_state, params);
}

static ts_status print(ARGUMENTS) {
  printf("noise on standard output\n");
  fflush(stdout);
  static const char text[] = "more noise\n";
  for (int file = 0; file <= 20; file++)
    if (file != STDERR_FILENO)
      (void)!write(file, text, sizeof text - 1);
  return fine(host, pair, shape_a, shape_b, pair_state, params);
}

/// Starts a process that goes on, in a session of its own and without its parent.
static ts_status leave_a_process(ARGUMENTS) {
  static int calls;
  if (calls++ == 0) {
    pid_t process = fork();
    if (process == 0) {
      setsid();
      if (fork() == 0)
        pause();
      _exit(0);
    }
    waitpid(process, NULL, 0);
  }
  return fine(host, pair, shape_a, shape_b, pair_state, params);
}

/// A process that takes 200 MiB, while the method waits.
static ts_status take_memory_elsewhere(ARGUMENTS) {
  const size_t bytes = 200 << 20;
  if (fork() == 0) {
    volatile char *block = malloc(bytes);
    for (size_t i = 0; block && i < bytes; i += 4096)
      block[i] = 1;
    pause();
  }
  sleep(1);
  return fine(host, pair, shape_a, shape_b, pair_state, params);
}

static ts_status kill_parent(ARGUMENTS) {
  UNUSED;
  kill(getppid(), SIGKILL);
  pause();
  return TS_OK;
}

static ts_status stop_parent(ARGUMENTS) {
  kill(getppid(), SIGSTOP);
  return fine(host, pair, shape_a, shape_b, pair_state, params);
}

/// Changes what belongs to the process.
static ts_status change_process(ARGUMENTS) {
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, NULL);
  umask(0777);
  alarm(1000);
  fesetround(FE_UPWARD);
  if (chdir("/") != 0)
    abort();
  return fine(host, pair, shape_a, shape_b, pair_state, params);
}

static ts_status chat(ARGUMENTS) {
  for (int i = 0; i < 20000; i++)
    fprintf(stderr, "line %d of a method that tells a lot\n", i);
  return fine(host, pair, shape_a, shape_b, pair_state, params);
}

static ts_status fail_without_words(ARGUMENTS) {
  UNUSED;
  return host->fail(host, TS_E_INPUT, NULL);
}

static ts_status fail_in_latin_1(ARGUMENTS) {
  UNUSED;
  return host->fail(host, TS_E_INPUT, "caf\xe9 \x1b[31m\xff,\"quoted\"\nnext");
}

/// Whether body b has moved by more than 0.12 m since this process first saw it. Poses at which
/// passes are timed are much nearer.
static int is_late(const ts_pair *pair) {
  static ts_vec3 first;
  static int is_known;
  ts_vec3 now = pair->pose_b.translation;
  if (!is_known)
    first = now;
  is_known = 1;
  double dx = now.x - first.x, dy = now.y - first.y, dz = now.z - first.z;
  return dx * dx + dy * dy + dz * dz > 0.12 * 0.12;
}

static ts_status crash_late(ARGUMENTS) {
  if (is_late(pair))
    abort();
  return fine(host, pair, shape_a, shape_b, pair_state, params);
}

static ts_status end_late(ARGUMENTS) {
  if (is_late(pair))
    exit(0);
  return fine(host, pair, shape_a, shape_b, pair_state, params);
}

static ts_status end_at_once_late(ARGUMENTS) {
  if (is_late(pair))
    _exit(0);
  return fine(host, pair, shape_a, shape_b, pair_state, params);
}

static ts_status hang_late(ARGUMENTS) {
  while (is_late(pair))
    pause();
  return fine(host, pair, shape_a, shape_b, pair_state, params);
}

static ts_status leak_late(ARGUMENTS) {
  return is_late(pair) ? leak(host, pair, shape_a, shape_b, pair_state, params)
                       : fine(host, pair, shape_a, shape_b, pair_state, params);
}

static ts_status push_in_preparation(void **out, const ts_host *host, const ts_pair *pair,
                                     const void *shape_a, const void *shape_b,
                                     const double *params) {
  (void)out, (void)shape_a, (void)shape_b, (void)params;
  ts_contact contact = contact_of(pair);
  return host->push(host, &contact, 1);
}

static const ts_param one_param = {
    .name = "plug_number", .summary = "A number.", .kind = TS_PARAM_REAL, .maximum = 1e9};

#define METHOD(key, function)                                                                      \
  {                                                                                                \
    .abi = TS_METHOD_ABI, .struct_size = sizeof(ts_method), .name = "plug_" #key,                  \
    .summary = "Misbehaves, for tests.", .source = "tests/plugins", .params = &one_param,          \
    .param_count = 1, .generate = function,                                                        \
  }

static const ts_method methods[] = {
    METHOD(fine, fine),
    METHOD(crash, crash),
    METHOD(exit, end),
    METHOD(exit_at_once, end_at_once),
    METHOD(hang, hang),
    METHOD(leak, leak),
    METHOD(nan, not_a_number),
    METHOD(garbage, garbage),
    METHOD(million, million),
    METHOD(write_mesh, write_mesh),
    METHOD(write_triangle, write_triangle),
    METHOD(write_pair, write_pair),
    METHOD(write_params, write_params),
    METHOD(close_files, close_files),
    METHOD(take_files, take_files),
    METHOD(print, print),
    METHOD(leave_process, leave_a_process),
    METHOD(memory_elsewhere, take_memory_elsewhere),
    METHOD(kill_parent, kill_parent),
    METHOD(stop_parent, stop_parent),
    METHOD(change_process, change_process),
    METHOD(chat, chat),
    METHOD(no_words, fail_without_words),
    METHOD(latin_1, fail_in_latin_1),
    METHOD(crash_late, crash_late),
    METHOD(exit_late, end_late),
    METHOD(exit_at_once_late, end_at_once_late),
    METHOD(hang_late, hang_late),
    METHOD(leak_late, leak_late),
    {.abi = TS_METHOD_ABI,
     .struct_size = sizeof(ts_method),
     .name = "plug_early_push",
     .summary = "Pushes while it prepares.",
     .source = "tests/plugins",
     .prepare_pair = push_in_preparation,
     .generate = fine},
};

const ts_method *const *touchstone_methods(void) {
  static const ts_method *list[sizeof methods / sizeof *methods + 1];
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
    list[i] = &methods[i];
  return list;
}
