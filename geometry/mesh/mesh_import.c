// SPDX-License-Identifier: MIT
#include "geometry/mesh/mesh_import.h"

#include "base/status.h"
#include "geometry/mesh/helper_process.h"
#include "geometry/mesh/mesh_import_protocol.h"
#include "geometry/mesh/ply_check.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define CANNOT_LOAD 127 // exit status of a program whose shared libraries are not there

// Time limit of the helper: assimp may never finish on damaged files, and large ones take long.
#define TIME_LIMIT_S         5.0
#define TIME_LIMIT_S_PER_MIB 0.5

/// One call.
typedef struct request {
  ts_arena *scratch;
  const char *path; ///< for messages
  const char *extension;
  const char *program;
  double time_limit_s;
} request;

/// The file name's extension as assimp expects it; NULL when it is not one of ours.
static const char *extension_of(const char *path) {
  static const char *const known[] = {"stl", "ply", "gltf", "glb"};
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

static ts_status make_question(ts_helper_question *out, const request *m, const void *bytes,
                               size_t byte_count) {
  ts_import_question head = {.byte_count = sizeof head + byte_count,
                             .time_limit_s = m->time_limit_s};
  memcpy(head.magic, TS_IMPORT_QUESTION, sizeof head.magic);
  memcpy(head.extension, m->extension, strlen(m->extension));
  uint8_t *all = ts_arena_alloc(m->scratch, head.byte_count);
  if (!all)
    return TS_E_MEMORY;
  memcpy(all, &head, sizeof head);
  memcpy(all + sizeof head, bytes, byte_count);
  *out = (ts_helper_question){.program = m->program,
                              .bytes = all,
                              .byte_count = head.byte_count,
                              .answer_magic = TS_IMPORT_ANSWER,
                              .answer_limit = TS_IMPORT_LARGEST_ANSWER,
                              .time_limit_s = m->time_limit_s};
  return TS_OK;
}

static ts_status say_missing(const request *m) {
  return ts_fail(TS_E_UNSUPPORTED,
                 "%s: there is no %s, which reads STL, PLY and glTF: install g++ and libassimp-dev "
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
                   "%s: it needs another file, %s, and only one is read: embed its buffers, or "
                   "write .glb",
                   m->path, head->text);
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
  return out->outcome == TS_IMPORT_MESH ? TS_OK : explain_outcome(m, out);
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
static ts_status take_answer(ts_mesh_imported *out, ts_arena *arena, const request *m,
                             const ts_helper_answer *answer) {
  ts_import_answer head;
  TS_TRY(read_head(&head, m, answer));
  const uint8_t *vertices = answer->bytes + sizeof head;
  const uint8_t *triangles = vertices + 24 * head.vertex_count;
  TS_TRY(check_triangles(m, triangles, &head));
  ts_mesh_imported mesh = {
      .vertex_count = head.vertex_count,
      .vertices = ts_arena_array(arena, head.vertex_count, sizeof *mesh.vertices),
      .triangle_count = head.triangle_count,
      .triangles = ts_arena_array(arena, head.triangle_count, sizeof *mesh.triangles),
      .collapsed_count = head.collapsed_count};
  if (!mesh.vertices || !mesh.triangles)
    return TS_E_MEMORY;
  memcpy(mesh.vertices, vertices, mesh.vertex_count * sizeof *mesh.vertices);
  memcpy(mesh.triangles, triangles, mesh.triangle_count * sizeof *mesh.triangles);
  *out = mesh;
  return TS_OK;
}

static ts_status ask(ts_mesh_imported *out, ts_arena *arena, request *m, const void *bytes,
                     size_t byte_count) {
  TS_TRY(find_program(m));
  ts_helper_question question;
  TS_TRY(make_question(&question, m, bytes, byte_count));
  ts_helper_answer answer;
  ts_status status = ts_helper_ask(&answer, m->scratch, &question);
  if (status == TS_E_UNSUPPORTED)
    return say_missing(m);
  TS_TRY(status);
  if (answer.end != TS_HELPER_ANSWERED)
    return explain_end(m, &answer);
  return take_answer(out, arena, m, &answer);
}

ts_status ts_mesh_import(ts_mesh_imported *out, ts_arena *arena, const char *path,
                         const void *bytes, size_t byte_count) {
  request m = {.path = path, .extension = extension_of(path)};
  m.time_limit_s = TIME_LIMIT_S + TIME_LIMIT_S_PER_MIB * (double)(byte_count >> 20);
  if (!m.extension)
    return ts_fail(TS_E_INPUT, "%s: its name does not end in .stl, .ply, .gltf or .glb", path);
  if (byte_count == 0)
    return ts_fail(TS_E_INPUT, "%s: it is empty", path);
  if (byte_count > TS_MESH_IMPORT_BYTES_MAX)
    return ts_fail(TS_E_INPUT, "%s: it has more than %zu MiB: simplify the mesh", path,
                   TS_MESH_IMPORT_BYTES_MAX >> 20);
  if (strcmp(m.extension, "ply") == 0)
    TS_TRY(ts_ply_check(path, bytes, byte_count));
  TS_TRY(ts_arena_create(&m.scratch));
  ts_status status = ask(out, arena, &m, bytes, byte_count);
  ts_arena_destroy(m.scratch);
  return status;
}
