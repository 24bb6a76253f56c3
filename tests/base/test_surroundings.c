// SPDX-License-Identifier: MIT
// covers: base/surroundings.c
#include "base/surroundings.h"

#include <criterion/criterion.h>
#include <fenv.h>
#include <locale.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

TestSuite(base_surroundings);

static ts_surroundings kept;

static void save(void) {
  ts_surroundings_save(&kept);
}

Test(base_surroundings, nothing_changed_is_nothing_said, .init = save) {
  char words[TS_CHANGED_TEXT_BYTES];
  uint32_t lost = 1;
  cr_expect_eq(ts_surroundings_restore(&kept, &lost), 0);
  cr_expect_eq(lost, 0);
  cr_expect_eq(ts_surroundings_restore_numbers(), 0);
  ts_surroundings_words(words, 0);
  cr_expect_str_eq(words, "");
}

Test(base_surroundings, each_change_is_named_and_restored, .init = save) {
  char before[PATH_MAX], after[PATH_MAX];
  cr_assert(getcwd(before, sizeof before) && chdir("/") == 0);
  umask(0123);
  alarm(1000);
  sigset_t one;
  sigemptyset(&one);
  sigaddset(&one, SIGUSR2);
  sigprocmask(SIG_BLOCK, &one, NULL);
  struct rlimit core = {0, kept.limits[RLIMIT_CORE].rlim_max};
  struct rlimit files = kept.limits[RLIMIT_NOFILE];
  files.rlim_cur--;
  cr_assert(setrlimit(RLIMIT_CORE, &core) == 0 && setrlimit(RLIMIT_NOFILE, &files) == 0);
  cr_assert(setlocale(LC_ALL, "C.UTF-8"));
  uint32_t lost = 1;
  cr_expect_eq(ts_surroundings_restore(&kept, &lost), TS_CHANGED_DIRECTORY | TS_CHANGED_UMASK |
                                                          TS_CHANGED_TIMER | TS_CHANGED_SIGNALS |
                                                          TS_CHANGED_LIMITS | TS_CHANGED_LOCALE);
  cr_expect_eq(lost, 0);
  cr_assert(getcwd(after, sizeof after));
  cr_expect_str_eq(after, before);
  cr_expect_eq(ts_surroundings_restore(&kept, NULL), 0, "all is as it was");
}

Test(base_surroundings, a_folder_without_a_way_back_is_lost, .init = save) {
  strcpy(kept.directory, "/nowhere/at/all");
  uint32_t lost = 0;
  cr_assert_eq(chdir("/"), 0);
  cr_expect_eq(ts_surroundings_restore(&kept, &lost), TS_CHANGED_DIRECTORY);
  cr_expect_eq(lost, TS_CHANGED_DIRECTORY);
}

Test(base_surroundings, numbers_are_named_and_restored) {
  fesetround(FE_TOWARDZERO);
  cr_expect_eq(ts_surroundings_restore_numbers(), TS_CHANGED_ROUNDING);
  cr_expect_eq(fegetround(), FE_TONEAREST);
#ifdef __GLIBC__
  feenableexcept(FE_DIVBYZERO | FE_INEXACT);
  cr_expect_eq(ts_surroundings_restore_numbers(), TS_CHANGED_TRAPS);
  cr_expect_eq(fegetexcept(), 0);
#endif
#ifdef __SSE2__
  __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | 0x8040);
  cr_expect_eq(ts_surroundings_restore_numbers(), TS_CHANGED_SUBNORMALS);
#endif
  cr_expect_eq(ts_surroundings_restore_numbers(), 0);
}

Test(base_surroundings, all_words_fit_and_are_in_the_order_of_their_bits) {
  char words[TS_CHANGED_TEXT_BYTES];
  ts_surroundings_words(words, (1u << TS_CHANGED_COUNT) - 1);
  cr_expect_str_eq(words,
                   "rounding, traps, subnormals, directory, umask, signals, timer, limits, locale");
}
