// SPDX-License-Identifier: MIT
#include "reports/rows/gzip.h"

#include "base/status.h"
#include "reports/rows/disk.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#define PART_BYTES ((size_t)16 * 1024)

/// The largest window, plus 16 for the header and the trailer of gzip.
#define GZIP_WINDOW (MAX_WBITS + 16)

struct ts_gzip_reader {
  int fd;
  const char *name;
  bool is_at_end;     ///< of the file
  bool is_begun;      ///< the first bytes have been looked at
  bool is_compressed; ///< and are those of gzip
  bool is_in_member;  ///< `stream` is within compressed data
  z_stream stream;    ///< its input is in `part`
  unsigned char part[PART_BYTES];
};

ts_status ts_gzip_reader_create(ts_gzip_reader **out, int fd, const char *name) {
  ts_gzip_reader *reader = calloc(1, sizeof *reader);
  if (!reader)
    return ts_fail(TS_E_MEMORY, "out of memory");
  reader->fd = fd;
  reader->name = name;
  *out = reader;
  return TS_OK;
}

void ts_gzip_reader_destroy(ts_gzip_reader *reader) {
  if (reader && reader->is_compressed)
    inflateEnd(&reader->stream);
  free(reader);
}

bool ts_gzip_is_compressed(const ts_gzip_reader *reader) {
  return reader->is_compressed;
}

/// Reads what the system has, once.
static ts_status read_file(size_t *out_count, ts_gzip_reader *reader, void *bytes,
                           size_t capacity) {
  ssize_t count;
  do
    count = read(reader->fd, bytes, capacity);
  while (count < 0 && errno == EINTR);
  if (count < 0)
    return ts_fail(TS_E_IO, "cannot read %s: %s", reader->name, strerror(errno));
  reader->is_at_end = count == 0;
  *out_count = (size_t)count;
  return TS_OK;
}

/// Has at least `wanted` bytes of the file at the stream's input, unless the file ends.
static ts_status fill_part(ts_gzip_reader *reader, size_t wanted) {
  z_stream *stream = &reader->stream;
  if (stream->avail_in < wanted && stream->avail_in > 0)
    memmove(reader->part, stream->next_in, stream->avail_in);
  if (stream->avail_in < wanted)
    stream->next_in = reader->part;
  while (stream->avail_in < wanted && !reader->is_at_end) {
    size_t count;
    TS_TRY(
        read_file(&count, reader, reader->part + stream->avail_in, PART_BYTES - stream->avail_in));
    stream->avail_in += (uInt)count;
  }
  return TS_OK;
}

static bool has_magic(const z_stream *stream) {
  return stream->avail_in >= 2 && stream->next_in[0] == 0x1f && stream->next_in[1] == 0x8b;
}

static ts_status begin(ts_gzip_reader *reader) {
  TS_TRY(fill_part(reader, 2));
  reader->is_begun = true;
  if (!has_magic(&reader->stream))
    return TS_OK;
  if (inflateInit2(&reader->stream, GZIP_WINDOW) != Z_OK)
    return ts_fail(TS_E_MEMORY, "out of memory");
  reader->is_compressed = reader->is_in_member = true;
  return TS_OK;
}

static ts_status fail_damaged(const ts_gzip_reader *reader, const char *what) {
  return ts_fail(TS_E_INPUT,
                 "%s is damaged: %s; copy it again from where it was made, or run again",
                 reader->name, what);
}

/// What follows the end of compressed data: nothing, or more of them, which gzip reads as one file.
static ts_status begin_member(ts_gzip_reader *reader) {
  TS_TRY(fill_part(reader, 2));
  if (reader->stream.avail_in == 0)
    return TS_OK;
  if (!has_magic(&reader->stream))
    return fail_damaged(reader, "there is something else after its compressed data");
  inflateReset(&reader->stream);
  reader->is_in_member = true;
  return TS_OK;
}

static ts_status decompress(size_t *out_count, ts_gzip_reader *reader, void *bytes,
                            size_t capacity) {
  z_stream *stream = &reader->stream;
  stream->next_out = bytes;
  stream->avail_out = capacity > PART_BYTES ? (uInt)PART_BYTES : (uInt)capacity;
  uInt room = stream->avail_out;
  while (stream->avail_out == room) {
    if (!reader->is_in_member)
      TS_TRY(begin_member(reader));
    if (!reader->is_in_member)
      break;
    TS_TRY(fill_part(reader, 1));
    if (stream->avail_in == 0)
      return fail_damaged(reader, "its compressed data are cut off");
    int result = inflate(stream, Z_NO_FLUSH);
    if (result == Z_MEM_ERROR)
      return ts_fail(TS_E_MEMORY, "out of memory");
    if (result == Z_STREAM_END)
      reader->is_in_member = false;
    else if (result != Z_OK)
      return fail_damaged(reader, stream->msg ? stream->msg : "its compressed data are invalid");
  }
  *out_count = room - stream->avail_out;
  return TS_OK;
}

ts_status ts_gzip_read(size_t *out_count, ts_gzip_reader *reader, void *bytes, size_t capacity) {
  if (!reader->is_begun)
    TS_TRY(begin(reader));
  if (reader->is_compressed)
    return decompress(out_count, reader, bytes, capacity);
  z_stream *looked_at = &reader->stream;
  if (looked_at->avail_in == 0)
    return read_file(out_count, reader, bytes, capacity);
  size_t count = looked_at->avail_in < capacity ? looked_at->avail_in : capacity;
  memcpy(bytes, looked_at->next_in, count);
  looked_at->next_in += count;
  looked_at->avail_in -= (uInt)count;
  *out_count = count;
  return TS_OK;
}

/// Compresses all of one file to another. Returns 0, or the errno.
static int compress_all(int to, int from, z_stream *stream) {
  static const size_t count = PART_BYTES;
  unsigned char *in = malloc(2 * count), *out = in + count;
  int error = in ? 0 : ENOMEM;
  int64_t offset = 0;
  for (int flush = Z_NO_FLUSH; error == 0 && flush != Z_FINISH;) {
    ssize_t got = read(from, in, count);
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      error = errno;
    flush = got == 0 ? Z_FINISH : Z_NO_FLUSH;
    stream->next_in = in;
    stream->avail_in = got > 0 ? (uInt)got : 0;
    do {
      stream->next_out = out;
      stream->avail_out = (uInt)count;
      deflate(stream, flush);
      size_t made = count - stream->avail_out;
      if (error == 0)
        error = ts_disk_write(to, out, made, offset);
      offset += (int64_t)made;
    } while (error == 0 && stream->avail_out == 0);
  }
  free(in);
  return error;
}

/// Writes the compressed form of a file. Returns 0, or the errno.
static int write_draft(int folder_fd, const char *draft, const char *name) {
  z_stream stream = {0};
  int from = openat(folder_fd, name, O_RDONLY | O_CLOEXEC);
  if (from < 0)
    return errno;
  int to = openat(folder_fd, draft, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666);
  int error = to < 0 ? errno : 0;
  if (error == 0 && deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_WINDOW,
                                 MAX_MEM_LEVEL, Z_DEFAULT_STRATEGY) != Z_OK)
    error = ENOMEM;
  if (error == 0)
    error = compress_all(to, from, &stream);
  deflateEnd(&stream); // which allows for one that was not begun
  if (error == 0 && fsync(to) != 0)
    error = errno;
  if (to >= 0 && close(to) != 0 && error == 0)
    error = errno;
  close(from);
  return error;
}

ts_status ts_gzip_replace(int folder_fd, const char *name, const char *folder) {
  char made[64], draft[80];
  snprintf(made, sizeof made, "%s" TS_GZIP_SUFFIX, name);
  snprintf(draft, sizeof draft, "%s.partial", made);
  int error = write_draft(folder_fd, draft, name);
  if (error == 0 && renameat(folder_fd, draft, folder_fd, made) != 0)
    error = errno;
  if (error == 0 && fsync(folder_fd) != 0) // the new name must be there before the old one is not
    error = errno;
  if (error == 0 && unlinkat(folder_fd, name, 0) != 0)
    error = errno;
  if (error == 0)
    return TS_OK;
  unlinkat(folder_fd, draft, 0);
  return ts_fail(TS_E_IO, "cannot compress %s/%s: %s; %s", folder, name, strerror(error),
                 ts_disk_remedy(error));
}
