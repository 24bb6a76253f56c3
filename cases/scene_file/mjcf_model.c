// SPDX-License-Identifier: MIT
#include "cases/scene_file/mjcf_model.h"

#include "base/file.h"
#include "base/status.h"
#include "cases/scene_file/mjcf_messages.h"
#include "geometry/tolerances.h"
#include "geometry/vec3.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// Time limit of the helper: hulls of large meshes take long.
#define TIME_LIMIT_S         10.0
#define TIME_LIMIT_S_PER_MIB 0.5

/// Includes of includes, 32 deep, and the round for meshes and textures.
#define ROUNDS_MAX 40

typedef struct given_file {
  char name[TS_MJCF_NAME_BYTES];
  const char *bytes;
  size_t count;
} given_file;

/// One call.
typedef struct request {
  ts_arena *scratch;
  ts_file_account *account;
  const char *folder;
  ts_mjcf_call call;
  size_t file_count, byte_count;
  given_file files[TS_MJCF_FILES_MAX];
} request;

static ts_status find_program(request *m) {
  const char *set = getenv("TOUCHSTONE_MJCF");
  m->call.program = set && *set ? set : ts_helper_beside(m->scratch, TS_MJCF_PROGRAM);
  return m->call.program ? TS_OK : TS_E_IO;
}

static ts_status add_file(request *m, const char *name, const char *path) {
  char *bytes;
  size_t count;
  TS_TRY(ts_file_account_read(&bytes, &count, m->scratch, m->account, path));
  given_file *added = &m->files[m->file_count++];
  *added = (given_file){.bytes = bytes, .count = count};
  memcpy(added->name, name, strlen(name) + 1);
  m->byte_count += count;
  m->call.time_limit_s = TIME_LIMIT_S + TIME_LIMIT_S_PER_MIB * (double)(m->byte_count >> 20);
  return TS_OK;
}

static ts_status make_question(ts_helper_question *out, const request *m) {
  ts_mjcf_question head = {.byte_count =
                               sizeof head + m->file_count * sizeof(ts_mjcf_file) + m->byte_count,
                           .file_count = m->file_count,
                           .time_limit_s = m->call.time_limit_s};
  memcpy(head.magic, TS_MJCF_QUESTION, sizeof head.magic);
  memcpy(head.keyframe, m->call.keyframe, strlen(m->call.keyframe));
  uint8_t *all = ts_arena_alloc(m->scratch, head.byte_count);
  if (!all)
    return TS_E_MEMORY;
  *out = (ts_helper_question){.program = m->call.program,
                              .bytes = all,
                              .byte_count = head.byte_count,
                              .answer_magic = TS_MJCF_ANSWER,
                              .answer_limit = TS_MJCF_ANSWER_MAX,
                              .time_limit_s = m->call.time_limit_s};
  memcpy(all, &head, sizeof head);
  all += sizeof head;
  for (size_t i = 0; i < m->file_count; i++) {
    ts_mjcf_file file = {.byte_count = m->files[i].count};
    memcpy(file.name, m->files[i].name, sizeof file.name);
    memcpy(all, &file, sizeof file);
    if (file.byte_count > 0)
      memcpy(all + sizeof file, m->files[i].bytes, file.byte_count);
    all += sizeof file + file.byte_count;
  }
  return TS_OK;
}

// ---- the answer -------------------------------------------------------------------------------

/// Replaces what cannot be printed: messages are lines.
static void make_printable(char *text) {
  for (; *text; text++)
    if (*text < ' ' || *text > '~')
      *text = *text == '\n' ? ' ' : '_';
}

static bool ends_within(const char *text, size_t size) {
  return memchr(text, '\0', size) != NULL;
}

/// Validates the answer's first part, and its length.
static ts_status read_head(ts_mjcf_answer *out, const request *m, const ts_helper_answer *answer) {
  if (answer->byte_count < sizeof *out)
    return ts_mjcf_say_strange(&m->call);
  memcpy(out, answer->bytes, sizeof *out);
  if (out->wanted_count > TS_MJCF_FILES_MAX || out->geom_count > TS_MJCF_GEOMS_MAX ||
      out->number_count > TS_MJCF_NUMBERS_MAX || out->excluded_count > TS_MJCF_EXCLUDED_MAX ||
      !ends_within(out->version, sizeof out->version) ||
      !ends_within(out->text, sizeof out->text) ||
      answer->byte_count != sizeof *out + out->wanted_count * sizeof(ts_mjcf_wanted) +
                                out->geom_count * sizeof(ts_mjcf_geom) + out->number_count * 8 +
                                out->excluded_count * 8)
    return ts_mjcf_say_strange(&m->call);
  make_printable(out->version);
  make_printable(out->text);
  for (size_t end = strlen(out->text); end > 0 && out->text[end - 1] == ' '; end--)
    out->text[end - 1] = '\0';
  return TS_OK;
}

static bool are_finite(const double *numbers, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!isfinite(numbers[i]))
      return false;
  return true;
}

/// Sizes that a type has.
static size_t size_count(uint32_t type) {
  static const size_t counts[TS_MJCF_TYPE_COUNT] = {
      [TS_MJCF_HFIELD] = 2,    [TS_MJCF_SPHERE] = 1,   [TS_MJCF_CAPSULE] = 2,
      [TS_MJCF_ELLIPSOID] = 3, [TS_MJCF_CYLINDER] = 2, [TS_MJCF_BOX] = 3};
  return counts[type];
}

/// Whether what the helper itself writes is right: not what the model says.
static bool is_sound(const ts_mjcf_geom *g, const ts_mjcf_answer *head) {
  if (g->type >= TS_MJCF_TYPE_COUNT || !ends_within(g->name, sizeof g->name) ||
      !ends_within(g->body_name, sizeof g->body_name) ||
      !ends_within(g->data_name, sizeof g->data_name) || g->first > head->number_count ||
      g->count > head->number_count - g->first)
    return false;
  if (g->type == TS_MJCF_HFIELD)
    return g->row_count >= 1 && g->row_count <= g->count &&
           g->column_count == g->count / g->row_count && g->count % g->row_count == 0;
  return g->count % 3 == 0 && (g->type == TS_MJCF_MESH) == (g->count > 0);
}

static bool are_positive(const double *numbers, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!(numbers[i] > 0))
      return false;
  return true;
}

/// MuJoCo takes NaN and infinity.
static ts_status check_geom(const request *m, const ts_mjcf_geom *g, const double *numbers) {
  size_t count = size_count(g->type);
  const double *q = g->rotation_wxyz;
  double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  const char *wrong = NULL;
  if (!are_finite(g->size, count) || !are_positive(g->size, count))
    wrong = "a size that is not a finite number above 0";
  else if (!are_finite(g->translation_m, 3) || !(fabs(length - 1) <= TS_UNIT_QUATERNION))
    wrong = "a pose that is not finite";
  else if (!are_finite(g->linear_m_s, 3) || !are_finite(g->angular_rad_s, 3))
    wrong = "a velocity that is not finite";
  else if (!are_finite(&g->body_mass_kg, 1))
    wrong = "a mass that is not finite";
  else if (!are_finite(numbers + g->first, g->count))
    wrong = "a vertex or a height that is not finite";
  if (!wrong)
    return TS_OK;
  return ts_fail(TS_E_INPUT,
                 "%s: geom %u (%s%.60s) of body %.60s has %s: correct it, though MuJoCo lets it "
                 "pass",
                 m->call.path, g->id, g->name[0] ? "" : "without a name", g->name, g->body_name,
                 wrong);
}

/// Copies the model to where the caller wants it: `scratch` is another arena.
static ts_status take_model(ts_mjcf_model *out, ts_arena *arena, const request *m,
                            const ts_mjcf_answer *head, const uint8_t *bytes) {
  const uint8_t *numbers = bytes + head->geom_count * sizeof(ts_mjcf_geom);
  *out = (ts_mjcf_model){.up = ts_vec3_make(head->up[0], head->up[1], head->up[2]),
                         .omits = head->omits,
                         .left_out_count = head->left_out_count,
                         .geom_count = head->geom_count,
                         .excluded_count = head->excluded_count};
  memcpy(out->version, head->version, sizeof out->version);
  ts_mjcf_geom *geoms = ts_arena_copy(arena, bytes, head->geom_count, sizeof *geoms);
  out->numbers = ts_arena_copy(arena, numbers, head->number_count, 8);
  out->excluded = ts_arena_copy(arena, numbers + 8 * head->number_count, head->excluded_count, 8);
  if (!geoms || !out->numbers || !out->excluded)
    return TS_E_MEMORY;
  out->geoms = geoms;
  if (head->wanted_count > 0 || head->geom_count == 0 ||
      !(fabs(ts_vec3_norm(out->up) - 1) <= TS_UNIT_NORMAL))
    return ts_mjcf_say_strange(&m->call);
  for (size_t i = 0; i < head->excluded_count; i++)
    if (out->excluded[i][0] >= out->excluded[i][1] || out->excluded[i][1] >= head->geom_count)
      return ts_mjcf_say_strange(&m->call);
  for (size_t i = 0; i < head->geom_count; i++) {
    if (!is_sound(&geoms[i], head))
      return ts_mjcf_say_strange(&m->call);
    make_printable(geoms[i].name);
    make_printable(geoms[i].body_name);
    make_printable(geoms[i].data_name);
    TS_TRY(check_geom(m, &geoms[i], out->numbers));
  }
  return TS_OK;
}

// ---- the files --------------------------------------------------------------------------------

static bool has_file(const request *m, const char *name) {
  for (size_t i = 0; i < m->file_count; i++)
    if (strcmp(m->files[i].name, name) == 0)
      return true;
  return false;
}

/// Reads a file that an answer asks for.
static ts_status read_wanted(request *m, const ts_mjcf_wanted *wanted) {
  if (!ends_within(wanted->name, sizeof wanted->name) ||
      !ends_within(wanted->by, sizeof wanted->by) || has_file(m, wanted->name))
    return ts_mjcf_say_strange(&m->call);
  if (m->file_count == TS_MJCF_FILES_MAX)
    return ts_mjcf_say_too_large(&m->call);
  ts_mjcf_wanted printable = *wanted;
  make_printable(printable.name);
  make_printable(printable.by);
  char *path;
  ts_status status = ts_file_beneath(&path, m->scratch, m->folder, wanted->name);
  if (status == TS_OK)
    status = add_file(m, wanted->name, path);
  if (status != TS_E_INPUT && status != TS_E_IO)
    return status;
  char *why = ts_arena_string(m->scratch, ts_status_detail());
  return why ? ts_fail(TS_E_INPUT, "%s: %s needs \"%s\": %s", m->call.path, printable.by,
                       printable.name, why)
             : TS_E_MEMORY;
}

static ts_status read_all_wanted(request *m, const ts_mjcf_answer *head, const uint8_t *bytes) {
  if (head->wanted_count == 0)
    return ts_mjcf_say_strange(&m->call);
  for (size_t i = 0; i < head->wanted_count; i++) {
    ts_mjcf_wanted wanted;
    memcpy(&wanted, bytes + i * sizeof wanted, sizeof wanted);
    TS_TRY(read_wanted(m, &wanted));
  }
  return TS_OK;
}

// ---- the whole --------------------------------------------------------------------------------

/// Asks the helper until it needs no further file.
static ts_status ask(ts_mjcf_model *out, ts_arena *arena, request *m) {
  TS_TRY(find_program(m));
  for (int round = 0; round < ROUNDS_MAX; round++) {
    ts_helper_question question;
    ts_helper_answer answer;
    ts_mjcf_answer head;
    TS_TRY(make_question(&question, m));
    ts_status status = ts_helper_ask(&answer, m->scratch, &question);
    if (status == TS_E_UNSUPPORTED)
      return ts_mjcf_say_missing(&m->call);
    TS_TRY(status);
    if (answer.end != TS_HELPER_ANSWERED)
      return ts_mjcf_explain_end(&m->call, &answer);
    TS_TRY(read_head(&head, m, &answer));
    if (head.outcome == TS_MJCF_MODEL)
      return take_model(out, arena, m, &head, answer.bytes + sizeof head);
    if (head.outcome != TS_MJCF_WANTS)
      return ts_mjcf_explain_outcome(&m->call, &head);
    TS_TRY(read_all_wanted(m, &head, answer.bytes + sizeof head));
  }
  return ts_mjcf_say_strange(&m->call); // it has refused deeper includes itself
}

ts_status ts_mjcf_model_load(ts_mjcf_model *out, ts_arena *arena, ts_file_account *account,
                             const char *path, const char *keyframe) {
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  if (strlen(name) >= TS_MJCF_NAME_BYTES || strlen(keyframe) >= TS_MJCF_NAME_BYTES)
    return ts_fail(TS_E_INPUT, "%s: the name of the file or of its keyframe has more than %d bytes",
                   path, TS_MJCF_NAME_BYTES - 1);
  ts_arena *scratch;
  TS_TRY(ts_arena_create(&scratch));
  request *m = ts_arena_alloc(scratch, sizeof *m);
  ts_status status = TS_E_MEMORY;
  if (m) {
    *m = (request){
        .scratch = scratch, .account = account, .call = {.path = path, .keyframe = keyframe}};
    m->folder = ts_file_folder(scratch, path);
    status = m->folder ? add_file(m, name, path) : TS_E_MEMORY;
    if (status == TS_OK)
      status = ask(out, arena, m);
  }
  ts_arena_destroy(scratch);
  return status;
}
