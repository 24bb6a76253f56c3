// SPDX-License-Identifier: MIT
#include "harness/export/export_motion.h"

#include "harness/export/earlier_motion.h"

#include "base/array.h"
#include "base/status.h"
#include "reports/export/film.h"
#include "reports/export/vtk.h"

#include <math.h>
#include <string.h>

/// Most bytes of the files of a motion, but for its contacts: what a viewer loads without trouble,
/// and the program holds in memory a few times.
#define MIB            (1024.0 * 1024.0)
#define MOTION_MIB_MAX 512.0

/// A series of VTK files.
typedef struct series {
  const char *name, *collection, *what;
  void (*write)(FILE *file, const ts_snapshot *frame);
} series;

static void write_bodies(FILE *file, const ts_snapshot *frame) {
  ts_vtk_write_bodies(file, frame, false);
}

static const series all_series[] = {
    {TS_MOTION_BODIES, TS_MOTION_BODIES ".pvd", "the bodies, a file a frame", write_bodies},
    {TS_MOTION_CONTACTS, TS_MOTION_CONTACTS ".pvd", "the contacts found, likewise",
     ts_vtk_write_contacts},
};
#define SERIES_COUNT (sizeof all_series / sizeof *all_series)

/// The motion while it is made.
typedef struct work {
  const ts_export_motion *job;
  ts_arena *arena;
  ts_made_files *out;
  size_t capacity;
  ts_film film;
} work;

// ---- its size ----------------------------------------------------------------------------------

static size_t frame_count(const ts_export_motion *motion, int64_t every) {
  return (size_t)((motion->request->step - 1) / every) + 1;
}

/// Bytes of a frame of the bodies: of VTK files in base64 coordinates, and corners, an offset and
/// two numbers of each triangle; of glTF the coordinates of deformable bodies in single precision.
static double bytes_of_frame(const ts_export_motion *motion, const ts_scene *scene) {
  double bytes = 0;
  for (size_t i = 0; i < scene->body_count; i++) {
    const ts_body *body = &scene->bodies[i];
    const ts_mesh *mesh = scene->shapes[body->shape].mesh;
    double points = (double)mesh->vertex_count, triangles = (double)mesh->triangle_count;
    if (motion->has_vtk)
      bytes += 4.0 / 3 * 8 * (3 * points + 6 * triangles);
    if (motion->has_gltf)
      bytes += body->elastic ? 4.0 / 3 * 4 * 3 * points : 4.0 / 3 * 4 * 7;
  }
  return bytes;
}

ts_status ts_export_motion_check(ts_arena *arena, const ts_export_motion *motion) {
  if (motion->every >= motion->request->step)
    return ts_fail(TS_E_INPUT,
                   "--every %lld has no frame up to step %lld but the scene as built: give %lld or "
                   "less",
                   (long long)motion->every, (long long)motion->request->step,
                   (long long)motion->request->step - 1);
  ts_scene *built;
  TS_TRY(ts_cell_built(&built, arena, motion->request));
  double frame_mib = bytes_of_frame(motion, built) / MIB;
  size_t count = frame_count(motion, motion->every);
  if (frame_mib * (double)count <= MOTION_MIB_MAX)
    return TS_OK;
  int64_t every = motion->every, most = motion->request->step - 1; // of two frames
  while (every < most && frame_mib * (double)frame_count(motion, every) > MOTION_MIB_MAX)
    every++;
  if (frame_mib * (double)frame_count(motion, every) > MOTION_MIB_MAX)
    return ts_fail(TS_E_INPUT,
                   "frames of %.3g MiB are more than the %g MiB that a motion may have: export "
                   "single states by --step",
                   frame_mib, MOTION_MIB_MAX);
  return ts_fail(
      TS_E_INPUT,
      "%zu frames of %.3g MiB are more than the %g MiB that are written: add --every %lld", count,
      frame_mib, MOTION_MIB_MAX, (long long)every);
}

// ---- its files ---------------------------------------------------------------------------------

static ts_status add_file(work *w, const char *path, ts_status (*write)(FILE *file, void *context),
                          void *context) {
  ts_made_files *out = w->out;
  if (!path)
    return TS_E_MEMORY;
  TS_TRY(TS_ARENA_GROW(out->items, w->capacity, out->count, 1, w->arena));
  return ts_made_files_add(out, w->arena, path, write, context);
}

/// What a file is of: a frame, or all of them.
typedef struct file_of {
  const series *series;
  const ts_snapshot *frame;
  const ts_film *film;
} file_of;

static ts_status write_frame(FILE *file, void *context) {
  const file_of *of = context;
  of->series->write(file, of->frame);
  return TS_OK;
}

static ts_status write_collection(FILE *file, void *context) {
  const file_of *of = context;
  ts_film_write_collection(file, of->film, of->series->name);
  return TS_OK;
}

static ts_status write_gltf(FILE *file, void *context) {
  return ts_film_write_gltf(file, context);
}

static ts_status show_frame(void *context, const ts_snapshot *frame) {
  work *w = context;
  TS_TRY(ts_film_add(&w->film, frame));
  for (size_t i = 0; w->job->has_vtk && i < SERIES_COUNT; i++)
    TS_TRY(add_file(w, ts_film_name(w->arena, all_series[i].name, frame->step), write_frame,
                    &(file_of){.series = &all_series[i], .frame = frame}));
  return TS_OK;
}

/// "wall by opposing, 61 frames up to step 61: 90 bodies, 248 to 1002 contacts".
static ts_status write_summary(FILE *file, void *context) {
  const work *w = context;
  const ts_film *m = &w->film;
  size_t least = SIZE_MAX, most = 0;
  for (size_t f = 0; f < m->frame_count; f++) {
    size_t count = m->frames[f].contact_count;
    least = count < least ? count : least;
    most = count > most ? count : most;
  }
  fprintf(file, "%s by %s, %zu frame%s up to step %lld: %zu bodies, ", m->case_name,
          w->job->request->method, m->frame_count, m->frame_count == 1 ? "" : "s",
          (long long)m->frames[m->frame_count - 1].step, m->body_count);
  if (least < most)
    fprintf(file, "%zu to %zu contacts\n", least, most);
  else
    fprintf(file, "%zu contact%s\n", most, most == 1 ? "" : "s");
  for (size_t i = 0; w->job->has_vtk && i < SERIES_COUNT; i++)
    fprintf(file, "  %-20s  %s\n", all_series[i].collection, all_series[i].what);
  if (w->job->has_gltf)
    fprintf(file, "  %-20s  both as an animation, for Blender and other viewers\n", TS_MOTION_GLTF);
  fprintf(file, "export: %s\n", w->job->out);
  return TS_OK;
}

static ts_status make(work *w, ts_arena *run) {
  TS_TRY(ts_cell_frames(run, w->job->request, w->job->every, show_frame, w));
  for (size_t i = 0; w->job->has_vtk && i < SERIES_COUNT; i++)
    TS_TRY(add_file(w, all_series[i].collection, write_collection,
                    &(file_of){.series = &all_series[i], .film = &w->film}));
  if (w->job->has_gltf)
    TS_TRY(add_file(w, TS_MOTION_GLTF, write_gltf, &w->film));
  return add_file(w, "summary", write_summary, w);
}

ts_status ts_export_motion_make(ts_made_files *out, ts_arena *arena,
                                const ts_export_motion *motion) {
  ts_arena *run; // whose frames come and go
  *out = (ts_made_files){.count = 0};
  TS_TRY(ts_arena_create(&run));
  work w = {.job = motion, .arena = arena, .out = out, .film = ts_film_start(arena)};
  ts_status status = make(&w, run);
  ts_arena_destroy(run);
  return status;
}
