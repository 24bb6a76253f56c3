// SPDX-License-Identifier: MIT
#include "base/status.h"
#include "reports/export/film.h"
#include "reports/export/gltf_parts.h"

#include <string.h>

/// A file under construction.
typedef struct work {
  ts_gltf g;
  const ts_film *film;
  ts_arena *arena; ///< for what a body or a frame needs until it is written
  int64_t times;   ///< accessor
} work;

static const ts_vec3 origin = {0, 0, 0};
static const ts_quat upright = {1, 0, 0, 0};

static double *scratch(work *w, size_t count) {
  double *out = ts_arena_array(w->arena, count, sizeof *out);
  w->g.is_out_of_memory |= !out;
  return out;
}

static void add_times(work *w) {
  const ts_film *m = w->film;
  double *times = scratch(w, m->frame_count);
  for (size_t f = 0; times && f < m->frame_count; f++)
    times[f] = m->frames[f].time_s;
  w->times = times ? ts_gltf_add_reals(&w->g, times, m->frame_count, 1) : -1;
}

/// Moves the node of a rigid body; one that stands still in all frames stays.
static void move_rigid(work *w, int64_t node, size_t body) {
  const ts_film *m = w->film;
  double *places = scratch(w, 3 * m->frame_count), *turns = scratch(w, 4 * m->frame_count);
  bool moves = false;
  if (!places || !turns)
    return;
  for (size_t f = 0; f < m->frame_count; f++) {
    ts_pose pose = m->frames[f].bodies[body].pose;
    memcpy(&places[3 * f], (double[]){pose.translation.x, pose.translation.y, pose.translation.z},
           3 * sizeof *places);
    memcpy(&turns[4 * f],
           (double[]){pose.rotation.x, pose.rotation.y, pose.rotation.z, pose.rotation.w},
           4 * sizeof *turns);
    moves = moves || memcmp(&places[3 * f], places, 3 * sizeof *places) != 0 ||
            memcmp(&turns[4 * f], turns, 4 * sizeof *turns) != 0;
  }
  if (!moves)
    return;
  ts_gltf_animate(&w->g, node, "translation", w->times,
                  ts_gltf_add_reals(&w->g, places, m->frame_count, 3), false);
  ts_gltf_animate(&w->g, node, "rotation", w->times,
                  ts_gltf_add_reals(&w->g, turns, m->frame_count, 4), false);
}

/// Gives the last mesh the shapes of the body in the frames after the first.
static void add_shapes(work *w, size_t body) {
  const ts_film *m = w->film;
  size_t count = m->bodies[body].designed.mesh->vertex_count;
  const ts_vec3 *first = m->frames[0].bodies[body].world;
  int64_t *accessors = ts_arena_array(w->arena, m->frame_count, sizeof *accessors);
  ts_vec3 *moved = ts_arena_array(w->arena, count, sizeof *moved);
  if (!accessors || !moved) {
    w->g.is_out_of_memory = true;
    return;
  }
  for (size_t f = 1; f < m->frame_count; f++) {
    const ts_vec3 *now = m->frames[f].bodies[body].world;
    for (size_t v = 0; v < count; v++)
      moved[v] = (ts_vec3){now[v].x - first[v].x, now[v].y - first[v].y, now[v].z - first[v].z};
    accessors[f - 1] = ts_gltf_add_points(&w->g, moved, count);
  }
  ts_gltf_add_morphs(&w->g, accessors, m->frame_count - 1);
}

/// The weights of its shapes: in each frame that of its own, in the first none.
static void move_shapes(work *w, int64_t node) {
  size_t frames = w->film->frame_count, shapes = frames - 1;
  double *weights = scratch(w, frames * shapes);
  for (size_t f = 1; weights && f < frames; f++)
    weights[f * shapes + f - 1] = 1;
  if (weights)
    ts_gltf_animate(&w->g, node, "weights", w->times,
                    ts_gltf_add_reals(&w->g, weights, frames * shapes, 1), false);
}

/// Bodies with the same mesh share its arrays; deformable ones have their own.
static void add_bodies(work *w) {
  const ts_film *m = w->film;
  ts_gltf *g = &w->g;
  int64_t(*arrays)[2] = ts_arena_array(w->arena, m->body_count, sizeof *arrays);
  json_t *children = json_array();
  g->is_out_of_memory |= !arrays;
  for (size_t i = 0; arrays && i < m->body_count; i++) {
    const ts_snapshot_body *body = &m->bodies[i];
    const ts_mesh *mesh = body->designed.mesh;
    bool morphs = body->is_deformable && m->frame_count > 1;
    size_t same = 0;
    while (same < i && m->bodies[same].designed.mesh != mesh)
      same++;
    if (same == i) {
      arrays[i][0] = ts_gltf_add_points(g, mesh->vertices, mesh->vertex_count);
      arrays[i][1] = ts_gltf_add_indices(g, &mesh->triangles[0][0], 3 * mesh->triangle_count);
    } else {
      memcpy(arrays[i], arrays[same], sizeof *arrays);
    }
    uint8_t rgb[3];
    ts_gltf_body_colour(rgb, i);
    int64_t shape = ts_gltf_add_mesh(g, body->name, TS_GLTF_TRIANGLES, arrays[i][0], arrays[i][1],
                                     ts_gltf_add_material(g, body->name, rgb, 1));
    ts_arena_mark mark = ts_arena_get_mark(w->arena);
    if (morphs)
      add_shapes(w, i);
    json_t *node = ts_gltf_node(g, body->name, shape);
    if (!body->is_deformable)
      ts_gltf_place(g, node, body->pose.translation, body->pose.rotation, 1);
    int64_t index = ts_gltf_add_node(g, node);
    if (morphs)
      move_shapes(w, index);
    else if (!body->is_deformable)
      move_rigid(w, index, i);
    ts_arena_rewind(w->arena, mark);
    ts_gltf_adopt(g, children, index);
  }
  ts_gltf_add_group(g, "bodies", children, g->roots);
}

/// The mesh of contacts of a kind, made when it is first needed.
typedef struct contact_meshes {
  int64_t material, arrow, marker; ///< plus 1; 0: not made yet
} contact_meshes;

static int64_t contact_mesh(ts_gltf *g, contact_meshes *meshes, const ts_film_contact *c) {
  contact_meshes *of = &meshes[c->kind];
  const char *word = ts_contact_kind_words[c->kind];
  if (!of->material)
    of->material = 1 + ts_gltf_add_material(g, word, ts_contact_colours[c->kind], 1);
  if (c->has_arrow && !of->arrow)
    of->arrow = 1 + ts_gltf_add_arrow(g, word, of->material - 1);
  if (!c->has_arrow && !of->marker)
    of->marker = 1 + ts_gltf_add_marker(g, "no normal", of->material - 1);
  return (c->has_arrow ? of->arrow : of->marker) - 1;
}

/// Shows a node from its frame up to the next one, by its size.
static void show_while(work *w, int64_t node, size_t frame) {
  const ts_film *m = w->film;
  double times[3], sizes[9];
  size_t count = 0;
  for (size_t f = frame > 0 ? frame - 1 : 0; f <= frame + 1 && f < m->frame_count; f++, count++) {
    times[count] = m->frames[f == frame - 1 ? 0 : f].time_s; // gone since the beginning
    for (int k = 0; k < 3; k++)
      sizes[3 * count + (size_t)k] = f == frame;
  }
  ts_gltf_animate(&w->g, node, "scale", ts_gltf_add_reals(&w->g, times, count, 1),
                  ts_gltf_add_reals(&w->g, sizes, count, 3), true);
}

static void add_contacts(work *w) {
  const ts_film *m = w->film;
  ts_gltf *g = &w->g;
  contact_meshes meshes[TS_KIND_COUNT] = {{0, 0, 0}};
  json_t *groups = json_array();
  for (size_t f = 0; f < m->frame_count; f++) {
    const ts_film_frame *frame = &m->frames[f];
    json_t *children = json_array();
    char name[96];
    for (size_t i = 0; i < frame->contact_count; i++) {
      const ts_film_contact *c = &frame->contacts[i];
      snprintf(name, sizeof name, "%s %d-%d", ts_contact_kind_words[c->kind], c->body_a, c->body_b);
      double size = c->has_arrow ? TS_GLTF_ARROW_SIZE : TS_GLTF_MARKER_SIZE;
      json_t *node = ts_gltf_arrow_node(g, name, contact_mesh(g, meshes, c), c->point,
                                        c->has_arrow ? c->normal : origin, size * m->body_size_m);
      ts_gltf_adopt(g, children, ts_gltf_add_node(g, node));
    }
    if (frame->contact_count == 0) {
      json_decref(children);
      continue;
    }
    snprintf(name, sizeof name, "step %lld", (long long)frame->step);
    json_t *group = ts_gltf_node(g, name, -1);
    g->is_out_of_memory |= json_object_set_new(group, "children", children) != 0;
    ts_gltf_place(g, group, origin, upright, f == 0 ? 1 : 0);
    int64_t node = ts_gltf_add_node(g, group);
    ts_gltf_adopt(g, groups, node);
    if (m->frame_count > 1)
      show_while(w, node, f);
  }
  ts_gltf_add_group(g, "contacts", groups, g->roots);
}

ts_status ts_film_write_gltf(FILE *file, const ts_film *film) {
  work w = {.film = film};
  TS_TRY(ts_arena_create(&w.arena));
  ts_status status = ts_gltf_start(&w.g);
  if (status == TS_OK) {
    add_times(&w);
    add_bodies(&w);
    add_contacts(&w);
    status = ts_gltf_end(file, &w.g, film->case_name);
  }
  ts_arena_destroy(w.arena);
  return status;
}
