// SPDX-License-Identifier: MIT
#include "base/sanitizer.h"
#include "base/status.h"
#include "harness/plan/exits.h"
#include "harness/plan/names.h"
#include "harness/plan/options.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const ts_command *const commands[] = {
    // make results
    &ts_command_run,
    &ts_command_reproduce,
    &ts_command_score,
    // use results
    &ts_command_compare,
    &ts_command_gate,
    &ts_command_plot,
    &ts_command_report,
    // look things up
    &ts_command_list,
    &ts_command_describe,
    &ts_command_export,
    NULL,
};

static void print_help(void) {
  printf(
      "Usage: touchstone COMMAND [options]\n\n"
      "Measures the quality of contact generators: runs cases whose correct contacts are known,\n"
      "and scores what each method finds.\n\nCommands:\n");
  for (size_t i = 0; commands[i]; i++)
    printf("  %-9s  %s\n", commands[i]->name, commands[i]->summary);
  printf("\nOptions:\n"
         "  --help     print this help, or that of a command\n"
         "  --version  print the version\n\n"
         "Exit status:\n");
  for (size_t i = 0; ts_exits[i].status; i++)
    printf("  %-12s  %s\n", ts_exits[i].status, ts_exits[i].meaning);
  printf("\nExamples:\n"
         "  touchstone run\n"
         "  touchstone run --case 'wall|arch' --set scale=0.1\n"
         "  touchstone describe case wall\n"
         "  touchstone reproduce --source table8\n");
}

static ts_status unknown_command(const char *word) {
  const char *names[16];
  size_t count = 0;
  while (commands[count] && count < sizeof names / sizeof *names) {
    names[count] = commands[count]->name;
    count++;
  }
  return ts_names_unknown(word[0] == '-' ? "option" : "command", word, names, count);
}

static ts_status run_command(int *out_exit, int count, char *const *arguments) {
  if (count == 0)
    return ts_fail(TS_E_INPUT, "no command given; try touchstone run, or see touchstone --help");
  if (strcmp(arguments[0], "--help") == 0 || strcmp(arguments[0], "-h") == 0) {
    print_help();
    return TS_OK;
  }
  if (strcmp(arguments[0], "--version") == 0) {
    printf("touchstone " TOUCHSTONE_VERSION "\n");
    return TS_OK;
  }
  for (size_t i = 0; commands[i]; i++)
    if (strcmp(arguments[0], commands[i]->name) == 0)
      return commands[i]->run(out_exit, count - 1, arguments + 1);
  return unknown_command(arguments[0]);
}

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

/// Whether standard output is a pipe whose reader has exited, which is not an error.
static bool reader_has_left(void) {
  struct pollfd output = {.fd = STDOUT_FILENO, .events = POLLOUT};
  return poll(&output, 1, 0) > 0 && (output.revents & POLLERR);
}

/// Runs a command and reports its failure; returns the exit status.
static int run_and_report(int count, char *const *arguments) {
  int exit_status = TS_EXIT_FINE;
  ts_status status = run_command(&exit_status, count, arguments);
  errno = 0;
  bool output_failed = fflush(stdout) != 0 || ferror(stdout);
  if (output_failed && reader_has_left())
    return exit_status;
  if (status == TS_OK && output_failed)
    fprintf(stderr, "touchstone: cannot write to standard output%s%s\n", errno ? ": " : "",
            errno ? strerror(errno) : "");
  else if (status != TS_OK)
    fprintf(stderr, "touchstone: %s\n", ts_status_detail());
  return status == TS_OK && !output_failed ? exit_status : TS_EXIT_USAGE;
}

/// Ends the program, without what plug-ins have registered for its end: they would write after the
/// results. The leak check of a sanitizer is registered, too, and stays.
static int end(int exit_status) {
  fflush(stderr);
  if (!TS_HAS_ADDRESS_SANITIZER)
    _exit(exit_status);
  return exit_status;
}

int main(int count, char **arguments) {
  if (!fill_standard_files()) {
    fputs("touchstone: standard output is closed; redirect it to /dev/null if it is not wanted\n",
          stderr);
    return TS_EXIT_USAGE;
  }
  // A full disk or a reader that exits is an error of one write and must not end the run.
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);
  // SIGCHLD may be inherited as ignored, and then cells cannot be waited for.
  signal(SIGCHLD, SIG_DFL);
  return end(run_and_report(count - 1, arguments + 1));
}
