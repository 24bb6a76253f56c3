// SPDX-License-Identifier: MIT
#include "geometry/files/mesh_import.h"

#include "base/status.h"
#include "geometry/files/mesh_import_protocol.h"
#include "geometry/mesh/helper_process.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define CANNOT_LOAD 127 // exit status of a program whose shared libraries are not there

// Time limit of the helper: assimp may never finish on damaged files, and large ones take long.
#define TIME_LIMIT_S         5.0
#define TIME_LIMIT_S_PER_MIB 0.5

/// A file that the helper gets.
typedef struct given_file {
  char name[TS_IMPORT_NAME_BYTES]; ///< as assimp asks for it
  const void *bytes;
  size_t count;
} given_file;

/// One call.
typedef struct request {
  ts_arena *scratch;
  const char *path; ///< for messages
  const char *program;
  double time_limit_s;
  size_t file_count, byte_count;
  given_file files[TS_IMPORT_FILES_MAX]; ///< the mesh file, and what it asked for
  ts_mesh_import_other *other;
  void *context;
} request;

/// The file name's extension as assimp expects it; NULL when it is not one of ours.
static const char *extension_of(const char *path) {
  static const char *const known[] = {"gltf", "glb"};
  const char *dot = strrchr(path, '.');
  for (size_t i = 0; dot && i < sizeof known / sizeof *known; i++)
    if (strcasecmp(dot + 1, known[i]) == 0)
      return known[i];
  return NULL;
}

bool ts_mesh_import_takes(const char *path) {
  return extension_of(path) != NULL;
}

static ts_status find_program(request *m) {
  const char *set = getenv("TOUCHSTONE_IMPORT");
  m->program = set && *set ? set : ts_helper_beside(m->scratch, TS_IMPORT_PROGRAM);
  return m->program ? TS_OK : TS_E_IO;
}

static ts_status make_question(ts_helper_question *out, const request *m) {
  ts_import_question head = {.byte_count = sizeof head + m->file_count * sizeof(ts_import_file) +
                                           m->byte_count,
                             .file_count = m->file_count,
                             .time_limit_s = m->time_limit_s};
  memcpy(head.magic, TS_IMPORT_QUESTION, sizeof head.magic);
  uint8_t *all = ts_arena_alloc(m->scratch, head.byte_count);
  if (!all)
    return TS_E_MEMORY;
  *out = (ts_helper_question){.program = m->program,
                              .bytes = all,
                              .byte_count = head.byte_count,
                              .answer_magic = TS_IMPORT_ANSWER,
                              .answer_limit = TS_IMPORT_LARGEST_ANSWER,
                              .time_limit_s = m->time_limit_s};
  memcpy(all, &head, sizeof head);
  all += sizeof head;
  for (size_t i = 0; i < m->file_count; i++) {
    const given_file *given = &m->files[i];
    ts_import_file file = {.byte_count = given->count};
    memcpy(file.name, given->name, sizeof file.name);
    memcpy(all, &file, sizeof file);
    if (given->count > 0)
      memcpy(all + sizeof file, given->bytes, given->count);
    all += sizeof file + given->count;
  }
  return TS_OK;
}

static ts_status say_missing(const request *m) {
  return ts_fail(TS_E_UNSUPPORTED,
                 "%s: there is no %s, which reads glTF: install g++ and libassimp-dev "
                 "and build again, set TOUCHSTONE_IMPORT to where it is, or convert to OBJ",
                 m->path, m->program);
}

static ts_status say_timed_out(const request *m) {
  return ts_fail(TS_E_INPUT,
                 "%s: not read within %g s: write it again if it is damaged, or simplify the mesh",
                 m->path, m->time_limit_s);
}

static ts_status say_too_large(const request *m) {
  return ts_fail(TS_E_INPUT,
                 "%s: more than %zu triangles or %zu MiB of memory would be needed: simplify the "
                 "mesh, or write it again if it is damaged",
                 m->path, (size_t)TS_IMPORT_LARGEST_COUNT, (size_t)(TS_IMPORT_ADDRESS_SPACE >> 20));
}

static ts_status say_strange(const request *m) {
  return ts_fail(TS_E_IO,
                 "%s: %s gives an answer that is not valid: build it again, with this program; see "
                 "TOUCHSTONE_IMPORT",
                 m->path, m->program);
}

static ts_status say_exited(const request *m, int code) {
  switch (code) {
  case CANNOT_LOAD:
    return ts_fail(TS_E_UNSUPPORTED, "%s: %s does not find its libraries: install libassimp5",
                   m->path, m->program);
  case TS_IMPORT_EXIT_MEMORY:
    return say_too_large(m);
  case TS_IMPORT_EXIT_THROWN:
    return ts_fail(TS_E_INPUT, "%s: assimp fails without a message: write the file again", m->path);
  case TS_IMPORT_EXIT_BROKEN:
    return ts_fail(TS_E_IO, "%s: %s cannot read, write or set itself up", m->path, m->program);
  default:
    return say_strange(m);
  }
}

static ts_status say_signalled(const request *m, int number) {
  if (number == SIGXCPU)
    return say_timed_out(m);
  const char *name = sigabbrev_np(number);
  return ts_fail(TS_E_INPUT,
                 "%s: assimp has crashed on it (SIG%s): it is damaged or nested too deeply; write "
                 "it again, or convert it to OBJ",
                 m->path, name ? name : "?");
}

/// The message for a helper that has not answered.
static ts_status explain_end(const request *m, const ts_helper_answer *answer) {
  switch (answer->end) {
  case TS_HELPER_EXITED:
    return say_exited(m, answer->code);
  case TS_HELPER_SIGNALLED:
    return say_signalled(m, answer->code);
  case TS_HELPER_TIMED_OUT:
    return say_timed_out(m);
  case TS_HELPER_ANSWERED:
  case TS_HELPER_GARBLED:
    break;
  }
  return say_strange(m);
}

/// The message for an answer that is not a mesh.
static ts_status explain_outcome(const request *m, const ts_import_answer *head) {
  switch (head->outcome) {
  case TS_IMPORT_REFUSED:
    return ts_fail(TS_E_INPUT, "%s: assimp refuses it: %s: is it damaged or of another format?",
                   m->path, head->text);
  case TS_IMPORT_OTHER_FILE:
    return ts_fail(TS_E_INPUT,
                   "%s: it needs another file, %s, which is not given: embed its buffers, or write "
                   ".glb",
                   m->path, *head->text ? head->text : "with a very long name");
  case TS_IMPORT_NO_TRIANGLES:
    return ts_fail(TS_E_INPUT,
                   "%s: there are no triangles in it, or all have collapsed: write the surface of "
                   "a closed body as triangles",
                   m->path);
  case TS_IMPORT_BAD_INDEX:
    return ts_fail(TS_E_INPUT, "%s: a face uses a vertex that is not there: write it again",
                   m->path);
  case TS_IMPORT_NOT_FINITE:
    return ts_fail(TS_E_INPUT, "%s: a coordinate is not a finite number: repair the file", m->path);
  case TS_IMPORT_TOO_LARGE:
    return say_too_large(m);
  default:
    return say_strange(m);
  }
}

/// Validates the helper's answer.
static ts_status read_head(ts_import_answer *out, const request *m,
                           const ts_helper_answer *answer) {
  if (answer->byte_count < sizeof *out)
    return say_strange(m);
  memcpy(out, answer->bytes, sizeof *out);
  if (out->vertex_count > 3 * TS_IMPORT_LARGEST_COUNT ||
      out->triangle_count > TS_IMPORT_LARGEST_COUNT || out->text[sizeof out->text - 1] != '\0' ||
      answer->byte_count != sizeof *out + 24 * out->vertex_count + 12 * out->triangle_count)
    return say_strange(m);
  return TS_OK;
}

static ts_status check_triangles(const request *m, const uint8_t *bytes,
                                 const ts_import_answer *h) {
  for (size_t i = 0; i < 3 * h->triangle_count; i++) {
    uint32_t corner;
    memcpy(&corner, bytes + 4 * i, sizeof corner);
    if (corner >= h->vertex_count)
      return say_strange(m);
  }
  return TS_OK;
}

/// Copies the mesh to where the caller wants it, which may be where the answer lies: `scratch` is
/// another arena.
static ts_status take_mesh(ts_triangles *out, ts_arena *arena, const request *m,
                           const ts_import_answer *head, const uint8_t *bytes) {
  const uint8_t *triangles = bytes + 24 * head->vertex_count;
  TS_TRY(check_triangles(m, triangles, head));
  ts_triangles mesh = {.vertex_count = head->vertex_count,
                       .vertices = ts_arena_array(arena, head->vertex_count, sizeof *mesh.vertices),
                       .triangle_count = head->triangle_count,
                       .triangles =
                           ts_arena_array(arena, head->triangle_count, sizeof *mesh.triangles)};
  if (!mesh.vertices || !mesh.triangles)
    return TS_E_MEMORY;
  memcpy(mesh.vertices, bytes, mesh.vertex_count * sizeof *mesh.vertices);
  memcpy(mesh.triangles, triangles, mesh.triangle_count * sizeof *mesh.triangles);
  *out = mesh;
  return TS_OK;
}

// ---- buffers in other files -------------------------------------------------------------------

static int hex_digit(char c) {
  const char *digits = "0123456789abcdefABCDEF", *at = c ? strchr(digits, c) : NULL;
  int index = at ? (int)(at - digits) : -1;
  return index < 16 ? index : index - 6;
}

/// A name as glTF has it, where %20 is a blank, as the file system has it.
static void decode_name(char out[TS_IMPORT_NAME_BYTES], const char *name) {
  for (; *name; name++) {
    int high = *name == '%' ? hex_digit(name[1]) : -1, low = high >= 0 ? hex_digit(name[2]) : -1;
    bool is_escape = low >= 0 && high + low > 0;
    *out++ = is_escape ? (char)(16 * high + low) : *name;
    name += is_escape ? 2 : 0;
  }
  *out = '\0';
}

static bool has_file(const request *m, const char *name) {
  for (size_t i = 0; i < m->file_count; i++)
    if (strcmp(m->files[i].name, name) == 0)
      return true;
  return false;
}

/// Adds a file to those that the helper gets.
static ts_status add_file(request *m, const char *name, const void *bytes, size_t count) {
  if (count > TS_MESH_IMPORT_BYTES_MAX - m->byte_count)
    return ts_fail(TS_E_INPUT, "%s: it has more than %zu MiB: simplify the mesh", m->path,
                   TS_MESH_IMPORT_BYTES_MAX >> 20);
  given_file *added = &m->files[m->file_count++];
  *added = (given_file){.bytes = bytes, .count = count};
  memcpy(added->name, name, strlen(name));
  m->byte_count += count;
  m->time_limit_s = TIME_LIMIT_S + TIME_LIMIT_S_PER_MIB * (double)(m->byte_count >> 20);
  return TS_OK;
}

/// Reads the file that an answer asks for.
static ts_status read_other(request *m, const ts_import_answer *head) {
  if (!m->other || *head->text == '\0' || has_file(m, head->text))
    return explain_outcome(m, head);
  if (m->file_count == TS_IMPORT_FILES_MAX)
    return ts_fail(TS_E_INPUT, "%s: it needs more than %zu other files: write .glb", m->path,
                   (size_t)TS_IMPORT_FILES_MAX - 1);
  char name[TS_IMPORT_NAME_BYTES], *bytes;
  size_t count;
  decode_name(name, head->text);
  ts_status status = m->other(&bytes, &count, m->context, name);
  if (status == TS_E_INPUT)
    return ts_fail(status, "%s: it needs another file, and %s; or embed its buffers, as in .glb",
                   m->path, ts_status_detail());
  TS_TRY(status);
  return add_file(m, head->text, bytes, count);
}

// ---- the whole --------------------------------------------------------------------------------

/// Asks the helper until it needs no further file.
static ts_status ask(ts_triangles *out, ts_arena *arena, request *m) {
  TS_TRY(find_program(m));
  for (;;) {
    ts_arena_mark mark = ts_arena_get_mark(m->scratch);
    ts_helper_question question;
    ts_helper_answer answer;
    ts_import_answer head;
    TS_TRY(make_question(&question, m));
    ts_status status = ts_helper_ask(&answer, m->scratch, &question);
    if (status == TS_E_UNSUPPORTED)
      return say_missing(m);
    TS_TRY(status);
    if (answer.end != TS_HELPER_ANSWERED)
      return explain_end(m, &answer);
    TS_TRY(read_head(&head, m, &answer));
    if (head.outcome == TS_IMPORT_MESH)
      return take_mesh(out, arena, m, &head, answer.bytes + sizeof head);
    TS_TRY(head.outcome == TS_IMPORT_OTHER_FILE ? read_other(m, &head) : explain_outcome(m, &head));
    ts_arena_rewind(m->scratch, mark);
  }
}

ts_status ts_mesh_import(ts_triangles *out, ts_arena *arena, const char *path, const void *bytes,
                         size_t byte_count, ts_mesh_import_other *other, void *context) {
  const char *extension = extension_of(path);
  if (!extension)
    return ts_fail(TS_E_INPUT, "%s: its name does not end in .gltf or .glb", path);
  if (byte_count == 0)
    return ts_fail(TS_E_INPUT, "%s: it is empty", path);
  ts_arena *scratch;
  TS_TRY(ts_arena_create(&scratch));
  request *m = ts_arena_alloc(scratch, sizeof *m);
  char *name = ts_arena_format(scratch, "mesh.%s", extension);
  ts_status status = TS_E_MEMORY;
  if (m && name) {
    *m = (request){.scratch = scratch, .path = path, .other = other, .context = context};
    status = add_file(m, name, bytes, byte_count);
    if (status == TS_OK)
      status = ask(out, arena, m);
  }
  ts_arena_destroy(scratch);
  return status;
}
