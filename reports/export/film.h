// SPDX-License-Identifier: MIT
/// A film: snapshots of one cell, one after the other, as far as a file shows them move.
#ifndef TS_REPORTS_FILM_H
#define TS_REPORTS_FILM_H

#include "base/arena.h"
#include "reports/export/snapshot.h"

#include <stdio.h>

typedef struct ts_film_contact {
  ts_vec3 point, normal; ///< as the method gave them
  int32_t body_a, body_b;
  int32_t kind; ///< ts_contact_kind
  bool has_arrow;
} ts_film_contact;

typedef struct ts_film_body {
  ts_pose pose;
  const ts_vec3 *world; ///< [vertex_count] of a deformable body; NULL: the mesh is at the pose
} ts_film_body;

typedef struct ts_film_frame {
  int64_t step;
  double time_s;
  const ts_film_body *bodies; ///< [body_count] of the film
  size_t contact_count;
  const ts_film_contact *contacts; ///< those whose point is finite
} ts_film_frame;

typedef struct ts_film {
  ts_arena *arena;
  const char *case_name;
  double body_size_m; ///< of the first frame, as in a snapshot
  size_t body_count;
  const ts_snapshot_body *bodies; ///< [body_count] as in the first frame, without envelopes
  size_t frame_count, frame_capacity;
  ts_film_frame *frames;
} ts_film;

/// A film without frames; what it keeps of them is in the arena.
static inline ts_film ts_film_start(ts_arena *arena) {
  return (ts_film){.arena = arena};
}

/// Appends what a snapshot shows, of the same bodies as those before. Meshes of rigid bodies and
/// names are borrowed from the first snapshot, all else is copied. TS_E_MEMORY.
ts_status ts_film_add(ts_film *film, const ts_snapshot *snapshot);

/// Writes the film as a glTF 2.0 file with one animation, in seconds. `bodies` has a node for
/// each body: rigid ones move, deformable ones have a morph target for each frame after the first,
/// and the weight of the present one is 1. `contacts` has a node for each frame, of size 0 but
/// while it is shown, with an arrow or a marker for each contact. Write errors are left in the
/// stream's error state; the result is about memory only.
ts_status ts_film_write_gltf(FILE *file, const ts_film *film);

/// Writes a ParaView collection: `name`_000000.vtp and so on for the frames, by ts_film_name.
void ts_film_write_collection(FILE *file, const ts_film *film, const char *name);

/// Reads the text of a collection, ended by a zero, if it is one that ts_film_write_collection()
/// has written for `name`: `*out_names` [*out_count], in the arena, are the files of its frames.
/// One that anyone else has written, or edited, is none: `*out_is_one` is false. TS_E_MEMORY.
ts_status ts_film_read_collection(bool *out_is_one, const char ***out_names, size_t *out_count,
                                  ts_arena *arena, const char *text, const char *name);

/// The name of the file of a frame: "bodies_000012.vtp" for "bodies" at step 12. NULL when out of
/// memory.
const char *ts_film_name(ts_arena *arena, const char *name, int64_t step);

#endif
