// SPDX-License-Identifier: MIT
#include "harness/program.h"

#include "base/file.h"
#include "base/sanitizer.h"
#include "base/status.h"
#include "harness/plan/exits.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/// Opens standard input, output and error on /dev/null where they are closed, so that no results
/// file gets their descriptor. False if standard output was closed, since output would be lost.
static bool fill_standard_files(void) {
  bool has_output = fcntl(STDOUT_FILENO, F_GETFD) >= 0;
  int file = open("/dev/null", O_RDWR);
  while (file >= 0 && file <= STDERR_FILENO)
    file = open("/dev/null", O_RDWR);
  if (file > STDERR_FILENO)
    close(file);
  return has_output;
}

bool ts_program_start(void) {
  if (!fill_standard_files()) {
    fputs("touchstone: standard output is closed; redirect it to /dev/null if it is not wanted\n",
          stderr);
    return false;
  }
  // A full disk or a reader that exits is an error of one write and must not end the run.
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);
  // SIGCHLD may be inherited as ignored, and then cells cannot be waited for.
  signal(SIGCHLD, SIG_DFL);
  return true;
}

/// Why standard output takes nothing more; 0 if that is not known. The write that failed may have
/// been one within printf(), which keeps no reason: another one fails for the same. If it does not,
/// the text that is cut has one line break more.
static int find_output_error(void) {
  if (errno == 0) {
    clearerr(stdout);
    putchar('\n');
    fflush(stdout);
  }
  return errno;
}

/// Reports what went wrong; returns the exit status. A reader of standard output that has left is
/// no error, but hides none.
static int report(ts_status status, int exit_status) {
  errno = 0;
  bool output_failed = fflush(stdout) != 0 || ferror(stdout);
  if (status != TS_OK)
    fprintf(stderr, "touchstone: %s\n", ts_status_detail());
  else if (!output_failed || ts_file_reader_has_left(STDOUT_FILENO))
    return exit_status;
  else {
    int error = find_output_error();
    fprintf(stderr, "touchstone: cannot write to standard output%s%s\n", error ? ": " : "",
            error ? strerror(error) : "");
  }
  return TS_EXIT_USAGE;
}

int ts_program_end(ts_status status, int exit_status) {
  int reported = report(status, exit_status);
  fflush(stderr);
  if (!TS_HAS_ADDRESS_SANITIZER) // the leak check is registered for the end, too
    _exit(reported);
  return reported;
}
