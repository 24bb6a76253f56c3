#include "harness/output.h"

#include "base/status.h"
#include "harness/progress.h"
#include "reports/disk.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static ts_status check_path(const char *path, bool may_replace) {
  struct stat facts;
  if (stat(path, &facts) != 0)
    return errno == ENOENT ? TS_OK
                           : ts_fail(TS_E_INPUT, "cannot write %s: %s", path, strerror(errno));
  if (S_ISDIR(facts.st_mode))
    return ts_fail(TS_E_INPUT, "cannot write %s: it is a folder; name a file", path);
  if (S_ISREG(facts.st_mode) && !may_replace)
    return ts_fail(TS_E_INPUT, "%s is there already; name another file, or replace it with --force",
                   path);
  return TS_OK;
}

ts_status ts_output_start(ts_output *out, const char *path, bool may_replace) {
  *out = (ts_output){.path = path, .may_replace = may_replace};
  if (path)
    TS_TRY(check_path(path, may_replace));
  out->file = open_memstream(&out->text, &out->count);
  return out->file ? TS_OK : ts_fail(TS_E_MEMORY, "out of memory");
}

static ts_status fail_write(const char *path, int error) {
  return ts_fail(TS_E_IO, "cannot write %s: %s; %s", path, strerror(error), ts_disk_remedy(error));
}

/// 0, or the errno of what went wrong; closes the file.
static int write_and_close(int file, const ts_output *output, bool is_synced) {
  int error = ts_disk_write(file, output->text, output->count, 0);
  if (error == 0 && is_synced && fsync(file) != 0)
    error = errno;
  if (close(file) != 0 && error == 0)
    error = errno;
  return error;
}

/// Writes a draft beside the file and renames it; what stood there keeps its mode.
static ts_status replace_file(const ts_output *output, const char *path, mode_t mode) {
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

/// A pipe or a device, which has no draft beside it.
static ts_status write_stream(const ts_output *output) {
  FILE *file = fopen(output->path, "we");
  if (!file)
    return fail_write(output->path, errno);
  errno = 0;
  bool is_fine = fwrite(output->text, 1, output->count, file) == output->count;
  is_fine = fclose(file) == 0 && is_fine;
  return is_fine ? TS_OK : fail_write(output->path, errno ? errno : EIO);
}

static ts_status write_file(const ts_output *output) {
  TS_TRY(check_path(output->path, output->may_replace));
  struct stat facts;
  if (stat(output->path, &facts) != 0)
    return replace_file(output, output->path, 0);
  if (!S_ISREG(facts.st_mode))
    return write_stream(output);
  char *target = realpath(output->path, NULL); // a link stays one
  if (!target)
    return fail_write(output->path, errno);
  ts_status status = replace_file(output, target, facts.st_mode & 07777);
  free(target);
  return status;
}

ts_status ts_output_end(ts_output *output, ts_status status) {
  bool is_whole = !ferror(output->file);
  if ((fclose(output->file) != 0 || !is_whole) && status == TS_OK)
    status = ts_fail(TS_E_MEMORY, "out of memory");
  if (status == TS_OK && output->path)
    status = write_file(output);
  else if (status == TS_OK)
    fwrite(output->text, 1, output->count, stdout); // main() sees whether that went well
  free(output->text);
  output->text = NULL;
  return status;
}

bool ts_output_has_colour(void) {
  const char *no_colour = getenv("NO_COLOR");
  return ts_terminal_is_capable(stdout) && !(no_colour && no_colour[0] != '\0');
}
