// SPDX-License-Identifier: MIT
#include "harness/run/output.h"

#include "base/status.h"
#include "base/terminal.h"
#include "harness/run/interrupt.h"
#include "reports/rows/disk.h"
#include "reports/rows/results.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

ts_status ts_output_check(const char *path, bool may_replace) {
  struct stat facts;
  if (stat(path, &facts) != 0)
    return errno == ENOENT ? TS_OK
                           : ts_fail(TS_E_INPUT, "cannot write %s: %s", path, strerror(errno));
  if (S_ISDIR(facts.st_mode))
    return ts_fail(TS_E_INPUT, "cannot write %s: it is a folder; name a file", path);
  if (S_ISREG(facts.st_mode) && !may_replace)
    return ts_fail(TS_E_INPUT, "%s already exists; name another file, or replace it with --force",
                   path);
  return TS_OK;
}

static bool is_same_file(const char *a, const char *b) {
  struct stat x, y;
  if (strcmp(a, b) == 0)
    return true;
  return stat(a, &x) == 0 && stat(b, &y) == 0 && S_ISREG(x.st_mode) && x.st_dev == y.st_dev &&
         x.st_ino == y.st_ino;
}

ts_status ts_output_spare(const char *option, const char *path, const char *read) {
  if (!path || !read)
    return TS_OK;
  bool is_input = is_same_file(path, read);
  for (size_t i = 0; ts_results_names[i] && !is_input; i++) {
    char *file = NULL;
    if (asprintf(&file, "%s/%s", read, ts_results_names[i]) < 0)
      return ts_fail(TS_E_MEMORY, "out of memory");
    is_input = is_same_file(path, file);
    free(file);
  }
  return is_input ? ts_fail(TS_E_INPUT, "%s %s is an input of this command; name another file",
                            option, path)
                  : TS_OK;
}

/// The path without links of the last folder on the way to `path` that exists; to be freed, NULL
/// when there is none.
static char *resolve_existing(const char *path) {
  char *part = NULL;
  if (asprintf(&part, "%s%s", path[0] == '/' ? "" : "./", path) < 0)
    return NULL;
  char *found = realpath(part, NULL);
  for (char *slash; !found && (slash = strrchr(part, '/')) && slash > part;) {
    *slash = '\0';
    found = realpath(part, NULL);
  }
  free(part);
  return found;
}

ts_status ts_output_spare_folder(const char *option, const char *path, const char *read) {
  char *out = resolve_existing(path), *in = realpath(read, NULL);
  size_t length = in ? strlen(in) : 0;
  bool is_within =
      out && in && strncmp(out, in, length) == 0 && (out[length] == '\0' || out[length] == '/');
  free(out);
  free(in);
  return is_within
             ? ts_fail(TS_E_INPUT, "%s %s is in %s, an input of this command; name another folder",
                       option, path, read)
             : TS_OK;
}

ts_status ts_output_start(ts_output *out, const char *path, bool may_replace) {
  *out = (ts_output){.path = path, .may_replace = may_replace};
  if (path)
    TS_TRY(ts_output_check(path, may_replace));
  out->file = open_memstream(&out->text, &out->count);
  return out->file ? TS_OK : ts_fail(TS_E_MEMORY, "out of memory");
}

ts_status ts_output_start_large(ts_output *out, const char *path, bool may_replace) {
  *out = (ts_output){.path = path, .may_replace = may_replace};
  if (path)
    TS_TRY(ts_output_check(path, may_replace));
  out->file = tmpfile();
  out->is_large = out->file != NULL;
  return out->file ? TS_OK : ts_output_start(out, path, may_replace);
}

static ts_status fail_write(const char *path, int error) {
  return ts_fail(TS_E_IO, "cannot write %s: %s; %s", path, strerror(error), ts_disk_remedy(error));
}

/// Passes the text on in parts; returns 0 or the first errno, including errors of reading them.
static int for_each_part(const ts_output *output, void *target,
                         int (*put)(void *target, const char *bytes, size_t count)) {
  char part[1 << 16];
  size_t count;
  if (!output->is_large)
    return put(target, output->text, output->count);
  int error = fseeko(output->file, 0, SEEK_SET) == 0 ? 0 : errno;
  while (error == 0 && (count = fread(part, 1, sizeof part, output->file)) > 0)
    error = put(target, part, count);
  return error == 0 && ferror(output->file) ? EIO : error;
}

/// A file and the position of its end.
typedef struct growing {
  int file;
  int64_t offset;
} growing;

static int put_growing(void *target, const char *bytes, size_t count) {
  growing *g = target;
  int error = ts_disk_write(g->file, bytes, count, g->offset);
  g->offset += (int64_t)count;
  return error;
}

static int put_stream(void *target, const char *bytes, size_t count) {
  errno = 0;
  if (fwrite(bytes, 1, count, target) == count)
    return 0;
  return errno ? errno : EIO;
}

/// Writes and closes the file; returns 0 or the first errno.
static int write_and_close(int file, const ts_output *output, bool is_synced) {
  int error = for_each_part(output, &(growing){file, 0}, put_growing);
  if (error == 0 && is_synced && fsync(file) != 0)
    error = errno;
  if (close(file) != 0 && error == 0)
    error = errno;
  return error;
}

/// Writes a draft next to the file and renames it; an existing file keeps its mode.
static ts_status write_draft(const ts_output *output, const char *path, mode_t mode) {
  char *draft = NULL;
  if (asprintf(&draft, "%s.%ld.draft", path, (long)getpid()) < 0)
    return ts_fail(TS_E_MEMORY, "out of memory");
  int error = 0;
  int file = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file < 0) {
    error = errno;
    free(draft);
    return fail_write(output->path, error);
  }
  if (mode != 0 && fchmod(file, mode) != 0)
    error = errno;
  int written = write_and_close(file, output, true);
  error = error ? error : written;
  if (error == 0 && rename(draft, path) != 0)
    error = errno;
  if (error != 0)
    unlink(draft);
  free(draft);
  return error == 0 ? TS_OK : fail_write(output->path, error);
}

/// Blocks signals meanwhile, so that no draft is left behind.
static ts_status replace_file(const ts_output *output, const char *path, mode_t mode) {
  sigset_t before;
  ts_interrupt_hold(&before);
  ts_status status = write_draft(output, path, mode);
  ts_interrupt_release(&before);
  return status;
}

/// Opens a pipe or a device. Of a named pipe that nobody reads it fails with ENXIO, where a plain
/// open() would wait forever; writing waits for the reader as usual.
static int open_stream(const char *path) {
  int fd = open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (fd >= 0)
    fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
  return fd;
}

/// Writes to a pipe or a device, without a draft.
static ts_status write_stream(const ts_output *output) {
  int fd = open_stream(output->path);
  if (fd < 0 && errno == ENXIO)
    return ts_fail(TS_E_INPUT, "nobody reads the pipe %s; start its reader first, or name a file",
                   output->path);
  FILE *file = fd >= 0 ? fdopen(fd, "w") : NULL;
  if (!file) {
    int error = errno;
    if (fd >= 0)
      close(fd);
    return fail_write(output->path, error);
  }
  int error = for_each_part(output, file, put_stream);
  if (fclose(file) != 0 && error == 0)
    error = errno;
  return error == 0 ? TS_OK : fail_write(output->path, error);
}

static ts_status write_file(const ts_output *output) {
  TS_TRY(ts_output_check(output->path, output->may_replace));
  struct stat facts;
  if (stat(output->path, &facts) != 0)
    return replace_file(output, output->path, 0);
  if (!S_ISREG(facts.st_mode))
    return write_stream(output);
  char *target = realpath(output->path, NULL); // follow the link, so that it stays a link
  if (!target)
    return fail_write(output->path, errno);
  ts_status status = replace_file(output, target, facts.st_mode & 07777);
  free(target);
  return status;
}

ts_status ts_output_end(ts_output *output, ts_status status) {
  int error = fflush(output->file) != 0 || ferror(output->file) ? errno : 0;
  bool is_whole = error == 0 && !ferror(output->file);
  if (!output->is_large)
    fclose(output->file); // text and count are valid from here on
  if (!is_whole && status == TS_OK)
    status = output->is_large ? ts_fail(TS_E_IO, "cannot write a temporary file to %s: %s; %s",
                                        P_tmpdir, strerror(error), ts_disk_remedy(error))
                              : ts_fail(TS_E_MEMORY, "out of memory");
  if (status == TS_OK && output->path)
    status = write_file(output);
  else if (status == TS_OK)
    for_each_part(output, stdout, put_stream); // main() checks for errors
  if (output->is_large)
    fclose(output->file);
  free(output->text);
  output->text = NULL;
  return status;
}

bool ts_output_has_colour(void) {
  const char *no_colour = getenv("NO_COLOR");
  return ts_terminal_is_capable(stdout) && !(no_colour && no_colour[0] != '\0');
}
