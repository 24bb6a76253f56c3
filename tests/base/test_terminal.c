// SPDX-License-Identifier: MIT
// covers: base/terminal.c
#include "base/terminal.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

TestSuite(base_terminal);

/// Our end of a terminal with 61 columns, open until the test ends.
static FILE *open_terminal(void) {
  int master = posix_openpt(O_RDWR | O_NOCTTY);
  cr_assert(master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0);
  int file = open(ptsname(master), O_RDWR | O_NOCTTY);
  struct winsize size = {.ws_row = 24, .ws_col = 61};
  cr_assert_eq(ioctl(file, TIOCSWINSZ, &size), 0);
  return fdopen(file, "w");
}

Test(base_terminal, the_width_is_what_the_terminal_reports) {
  unsetenv("COLUMNS");
  cr_expect_eq(ts_terminal_width(open_terminal(), 100), 61);
}

Test(base_terminal, columns_overrides_the_terminal_if_it_is_a_sensible_number) {
  static const struct {
    const char *columns;
    size_t width;
  } examples[] = {{"72", 72},    {"1", 1},  {"10000", 10000},
                  {"10001", 61}, {"0", 61}, {"-1", 61},
                  {"80x", 61},   {"", 61},  {"99999999999999999999", 61}};
  FILE *terminal = open_terminal();
  for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
    setenv("COLUMNS", examples[i].columns, 1);
    cr_expect_eq(ts_terminal_width(terminal, 100), examples[i].width, "%s", examples[i].columns);
  }
}

Test(base_terminal, what_is_no_terminal_has_the_other_width) {
  setenv("COLUMNS", "72", 1);
  FILE *file = fopen("/dev/null", "w");
  cr_expect_eq(ts_terminal_width(file, 100), 100);
  cr_expect_not(ts_terminal_is_capable(file));
  fclose(file);
}

Test(base_terminal, a_dumb_terminal_is_not_capable) {
  FILE *terminal = open_terminal();
  setenv("TERM", "xterm", 1);
  cr_expect(ts_terminal_is_capable(terminal));
  setenv("TERM", "dumb", 1);
  cr_expect_not(ts_terminal_is_capable(terminal));
  unsetenv("TERM");
  cr_expect_not(ts_terminal_is_capable(terminal));
}
