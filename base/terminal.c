// SPDX-License-Identifier: MIT
#include "base/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define COLUMNS_MAX 10000

size_t ts_terminal_width(FILE *file, size_t otherwise) {
  if (!isatty(fileno(file)))
    return otherwise;
  const char *columns = getenv("COLUMNS");
  char *end;
  unsigned long width = columns ? strtoul(columns, &end, 10) : 0;
  if (columns && end != columns && *end == '\0' && width >= 1 && width <= COLUMNS_MAX)
    return width;
  struct winsize size;
  if (ioctl(fileno(file), TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
    return otherwise;
  return size.ws_col;
}

bool ts_terminal_is_capable(FILE *file) {
  const char *term = getenv("TERM");
  return isatty(fileno(file)) && term && term[0] != '\0' && strcmp(term, "dumb") != 0;
}
