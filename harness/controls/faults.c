// SPDX-License-Identifier: MIT
/// Controls that crash, hang or exhaust memory: they test that a failing cell affects no other.
#include "harness/controls/controls.h"

#include <signal.h>
#include <time.h>

#define MEBIBYTE ((size_t)1024 * 1024)

/// Writes to an unmapped address. A sanitizer would turn that into an exit of its own, so its
/// checks are off here and its signal handler is removed: the process must die by SIGSEGV.
__attribute__((no_sanitize("address", "undefined"))) static ts_status
generate_crash(const ts_host *host, const ts_pair *pair, const void *shape_a, const void *shape_b,
               void *pair_state, const double *params) {
  (void)host, (void)pair, (void)shape_a, (void)shape_b, (void)pair_state, (void)params;
  signal(SIGSEGV, SIG_DFL);
  volatile uintptr_t unmapped = sizeof(int);
  *(volatile int *)unmapped = 1;
  return TS_OK;
}

static ts_status generate_hang(const ts_host *host, const ts_pair *pair, const void *shape_a,
                               const void *shape_b, void *pair_state, const double *params) {
  (void)host, (void)pair, (void)shape_a, (void)shape_b, (void)pair_state, (void)params;
  const struct timespec millisecond = {0, 1000000};
  for (volatile int goes_on = 1; goes_on;)
    nanosleep(&millisecond, NULL);
  return TS_OK;
}

/// The host zeroes the memory it hands out, which touches every page.
static ts_status generate_memory(const ts_host *host, const ts_pair *pair, const void *shape_a,
                                 const void *shape_b, void *pair_state, const double *params) {
  (void)pair, (void)shape_a, (void)shape_b, (void)pair_state, (void)params;
  while (host->alloc(host, MEBIBYTE))
    continue;
  return host->fail(host, TS_E_MEMORY, "out of memory, as intended");
}

extern const ts_method ts_control_crash, ts_control_hang, ts_control_memory;

const ts_method ts_control_crash = {
    .abi = TS_METHOD_ABI,
    .struct_size = sizeof(ts_method),
    .name = "control_crash",
    .summary = "Wrong on purpose: crashes by an invalid memory access.",
    .source = "touchstone, harness/controls",
    .gives = TS_GIVES_GAP,
    .generate = generate_crash,
};

const ts_method ts_control_hang = {
    .abi = TS_METHOD_ABI,
    .struct_size = sizeof(ts_method),
    .name = "control_hang",
    .summary = "Wrong on purpose: never returns.",
    .source = "touchstone, harness/controls",
    .gives = TS_GIVES_GAP,
    .generate = generate_hang,
};

const ts_method ts_control_memory = {
    .abi = TS_METHOD_ABI,
    .struct_size = sizeof(ts_method),
    .name = "control_memory",
    .summary = "Wrong on purpose: allocates memory without limit.",
    .source = "touchstone, harness/controls",
    .gives = TS_GIVES_GAP,
    .generate = generate_memory,
};
