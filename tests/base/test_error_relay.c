// SPDX-License-Identifier: MIT
// covers: base/error_relay.c
#include "base/error_relay.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/// What standard error gets, as a text, of a process that writes `bytes` of 'x' to its own.
static char *relayed(size_t bytes) {
  int kept = dup(STDERR_FILENO), heard = memfd_create("heard", 0), end;
  cr_assert(kept >= 0 && heard >= 0);
  ts_error_relay relay;
  cr_assert_eq(ts_error_relay_open(&relay, &end, "the writer"), 0);
  dup2(heard, STDERR_FILENO);
  pid_t process = fork();
  for (size_t i = 0; process == 0 && i < bytes; i++)
    if (write(end, "x", 1) != 1)
      _exit(1);
  if (process == 0)
    _exit(0);
  close(end);
  while (relay.file >= 0) {
    struct pollfd wait = ts_error_relay_poll(&relay);
    poll(&wait, 1, 1000);
    ts_error_relay_pass(&relay);
  }
  ts_error_relay_close(&relay);
  int wait_status = 1;
  waitpid(process, &wait_status, 0);
  dup2(kept, STDERR_FILENO);
  close(kept);
  cr_expect_eq(wait_status, 0, "the writer is not held up by what is dropped");
  off_t count = lseek(heard, 0, SEEK_END);
  char *text = calloc((size_t)count + 1, 1);
  cr_assert(text && pread(heard, text, (size_t)count, 0) == (ssize_t)count);
  close(heard);
  return text;
}

Test(base_error_relay, up_to_the_limit_all_is_passed_on) {
  static const size_t sizes[] = {0, 1, 5000, TS_ERROR_RELAY_BYTES_MAX};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    char *text = relayed(sizes[i]);
    cr_expect_eq(strlen(text), sizes[i]);
    cr_expect_eq(strspn(text, "x"), sizes[i]);
    free(text);
  }
}

Test(base_error_relay, the_rest_is_dropped_and_that_is_said_once) {
  char *text = relayed(TS_ERROR_RELAY_BYTES_MAX + 300000);
  cr_expect_eq(strspn(text, "x"), TS_ERROR_RELAY_BYTES_MAX);
  cr_expect_str_eq(text + TS_ERROR_RELAY_BYTES_MAX,
                   "\ntouchstone: the writer has said more than 64 KiB on standard error; the rest "
                   "is not shown\n");
  free(text);
}
