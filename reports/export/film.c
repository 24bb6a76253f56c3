// SPDX-License-Identifier: MIT
#include "reports/export/film.h"

#include "base/array.h"
#include "base/number.h"
#include "base/status.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/// The mesh of a deformable body is gone after its frame: what later ones share is kept.
static ts_status keep_mesh(ts_snapshot_surface *surface, ts_arena *arena) {
  ts_mesh *copy = ts_arena_copy(arena, surface->mesh, 1, sizeof *copy);
  if (!copy)
    return TS_E_MEMORY;
  copy->triangles =
      ts_arena_copy(arena, copy->triangles, copy->triangle_count, sizeof *copy->triangles);
  copy->vertices = ts_arena_copy(arena, surface->world, copy->vertex_count, sizeof *copy->vertices);
  *surface = (ts_snapshot_surface){copy, copy->vertices};
  return copy->triangles && copy->vertices ? TS_OK : TS_E_MEMORY;
}

static ts_status begin(ts_film *m, const ts_snapshot *first) {
  ts_snapshot_body *bodies =
      ts_arena_copy(m->arena, first->bodies, first->body_count, sizeof *bodies);
  if (!bodies)
    return TS_E_MEMORY;
  for (size_t i = 0; i < first->body_count; i++) {
    bodies[i].enveloped = (ts_snapshot_surface){NULL, NULL};
    bodies[i].designed.world = NULL;
    if (!bodies[i].is_deformable)
      continue;
    bodies[i].designed.world = first->bodies[i].designed.world;
    TS_TRY(keep_mesh(&bodies[i].designed, m->arena));
  }
  m->case_name = first->case_name;
  m->body_size_m = first->body_size_m;
  m->body_count = first->body_count;
  m->bodies = bodies;
  return TS_OK;
}

/// The nearer one of the two quaternions of a rotation to that of the frame before, so that what is
/// between them turns the short way.
static ts_quat nearer(ts_quat q, ts_quat before) {
  double cosine = q.w * before.w + q.x * before.x + q.y * before.y + q.z * before.z;
  return cosine < 0 ? (ts_quat){-q.w, -q.x, -q.y, -q.z} : q;
}

static ts_status add_bodies(ts_film_frame *out, const ts_film *m, const ts_snapshot *snapshot) {
  ts_film_body *bodies = ts_arena_array(m->arena, m->body_count, sizeof *bodies);
  if (!bodies)
    return TS_E_MEMORY;
  out->bodies = bodies;
  for (size_t i = 0; i < m->body_count; i++) {
    const ts_snapshot_body *body = &snapshot->bodies[i];
    bodies[i].pose = body->pose;
    if (m->frame_count > 0)
      bodies[i].pose.rotation =
          nearer(body->pose.rotation, m->frames[m->frame_count - 1].bodies[i].pose.rotation);
    if (!body->is_deformable)
      continue;
    bodies[i].world =
        ts_arena_copy(m->arena, body->designed.world, body->designed.mesh->vertex_count,
                      sizeof *body->designed.world);
    if (!bodies[i].world)
      return TS_E_MEMORY;
  }
  return TS_OK;
}

static ts_status add_contacts(ts_film_frame *out, const ts_film *m, const ts_snapshot *snapshot) {
  ts_film_contact *contacts = ts_arena_array(m->arena, snapshot->contact_count, sizeof *contacts);
  if (!contacts)
    return TS_E_MEMORY;
  for (size_t i = 0; i < snapshot->contact_count; i++) {
    const ts_contact_row *row = &snapshot->contacts[i];
    if (!isfinite(row->point_x_m) || !isfinite(row->point_y_m) || !isfinite(row->point_z_m))
      continue;
    contacts[out->contact_count++] =
        (ts_film_contact){.point = {row->point_x_m, row->point_y_m, row->point_z_m},
                          .normal = {row->normal_x, row->normal_y, row->normal_z},
                          .body_a = (int32_t)row->body_a,
                          .body_b = (int32_t)row->body_b,
                          .kind = (int32_t)ts_contact_row_kind(row),
                          .has_arrow = ts_contact_row_has_arrow(row)};
  }
  out->contacts = contacts;
  return TS_OK;
}

ts_status ts_film_add(ts_film *film, const ts_snapshot *snapshot) {
  ts_film *m = film;
  if (m->frame_count == 0)
    TS_TRY(begin(m, snapshot));
  TS_TRY(TS_ARENA_GROW(m->frames, m->frame_capacity, m->frame_count, 1, m->arena));
  ts_film_frame frame = {.step = snapshot->step, .time_s = snapshot->time_s};
  TS_TRY(add_bodies(&frame, m, snapshot));
  TS_TRY(add_contacts(&frame, m, snapshot));
  m->frames[m->frame_count++] = frame;
  return TS_OK;
}

const char *ts_film_name(ts_arena *arena, const char *name, int64_t step) {
  return ts_arena_format(arena, "%s_%06" PRId64 ".vtp", name, step);
}

/// The parts of a collection; a frame has its time, its name and its step between them.
#define COLLECTION_START                                                                           \
  "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n<Collection>\n"
#define COLLECTION_END "</Collection>\n</VTKFile>\n"
#define FRAME_TIME     "<DataSet timestep=\""
#define FRAME_NAME     "\" file=\""
#define FRAME_END      "\"/>\n"

void ts_film_write_collection(FILE *file, const ts_film *film, const char *name) {
  fputs(COLLECTION_START, file);
  for (size_t i = 0; i < film->frame_count; i++) {
    char time_s[TS_NUMBER_BYTES];
    ts_number_format(time_s, film->frames[i].time_s);
    fprintf(file, FRAME_TIME "%s" FRAME_NAME "%s_%06" PRId64 ".vtp" FRAME_END, time_s, name,
            film->frames[i].step);
  }
  fputs(COLLECTION_END, file);
}

/// Goes on after `words`, if they come next.
static bool skip(const char **at, const char *words) {
  size_t length = strlen(words);
  if (strncmp(*at, words, length) != 0)
    return false;
  *at += length;
  return true;
}

/// Goes on after the name of a frame's file, "bodies_000012.vtp"; 0: there is none.
static size_t skip_name(const char **at, const char *name) {
  const char *start = *at;
  if (!skip(at, name) || !skip(at, "_"))
    return 0;
  size_t digits = strspn(*at, "0123456789");
  *at += digits;
  return digits >= 6 && skip(at, ".vtp") ? (size_t)(*at - start) : 0;
}

ts_status ts_film_read_collection(bool *out_is_one, const char ***out_names, size_t *out_count,
                                  ts_arena *arena, const char *text, const char *name) {
  size_t capacity = 0;
  *out_is_one = false;
  *out_names = NULL;
  *out_count = 0;
  if (!skip(&text, COLLECTION_START))
    return TS_OK;
  while (skip(&text, FRAME_TIME)) {
    text += strcspn(text, "\"\n");
    const char *file = text + strlen(FRAME_NAME);
    size_t length = skip(&text, FRAME_NAME) ? skip_name(&text, name) : 0;
    if (length == 0 || !skip(&text, FRAME_END))
      return TS_OK;
    TS_TRY(TS_ARENA_GROW(*out_names, capacity, *out_count, 1, arena));
    const char *copy = ts_arena_format(arena, "%.*s", (int)length, file);
    if (!copy)
      return TS_E_MEMORY;
    (*out_names)[(*out_count)++] = copy;
  }
  *out_is_one = skip(&text, COLLECTION_END) && *text == '\0';
  return TS_OK;
}
