// SPDX-License-Identifier: MIT
#include "reports/view/views.h"

#include "base/array.h"
#include "base/base64.h"
#include "base/status.h"
#include "reports/html/html_text.h"
#include "reports/tables/format_text.h"
#include "reports/view/view_assets.h"

#include <stdint.h>
#include <stdlib.h>

/// A row that has a view, or may get one.
typedef struct view {
  ts_view_place place;
  ts_view_row_pieces pieces;
  bool is_chosen;
} view;

typedef struct picture {
  size_t index;
  const char *title, *svg;
  size_t count;
} picture;

struct ts_views {
  ts_arena *arena;
  ts_pieces pieces;
  size_t row_count;
  const char **whys; ///< [row_count], NULL: none
  ts_view_scene_pieces *scenes;
  size_t scene_count, scene_capacity;
  view *views;
  size_t view_count, view_capacity;
  bool *is_used; ///< [pieces.count]: in the page
  size_t chosen_count, chosen_bytes;
  picture *pictures;
  size_t picture_count, picture_capacity;
};

ts_status ts_views_create(ts_views **out, ts_arena *arena, size_t row_count) {
  ts_views *views = ts_arena_alloc(arena, sizeof *views);
  if (!views)
    return TS_E_MEMORY;
  *views = (ts_views){.arena = arena, .pieces = {.arena = arena}, .row_count = row_count};
  views->whys = ts_arena_array(arena, row_count, sizeof *views->whys);
  *out = views;
  return views->whys ? TS_OK : TS_E_MEMORY;
}

ts_status ts_views_add_scene(size_t *out, ts_views *views, ts_arena *scratch,
                             const ts_view_scene *scene) {
  ts_view_scene_pieces pieces;
  TS_TRY(ts_view_scene_add(&pieces, &views->pieces, scratch, scene));
  pieces.meshes =
      ts_arena_copy(views->arena, pieces.meshes, pieces.mesh_count, sizeof *pieces.meshes);
  if (!pieces.meshes)
    return TS_E_MEMORY;
  TS_TRY(TS_ARENA_GROW(views->scenes, views->scene_capacity, views->scene_count, 1, views->arena));
  *out = views->scene_count;
  views->scenes[views->scene_count++] = pieces;
  return TS_OK;
}

ts_status ts_views_add(ts_views *views, ts_arena *scratch, const ts_view_place *place,
                       const ts_view_row *row) {
  view added = {.place = *place};
  TS_TRY(ts_view_row_add(&added.pieces, &views->pieces, scratch, row,
                         views->scenes[place->scene].scene));
  TS_TRY(TS_ARENA_GROW(views->views, views->view_capacity, views->view_count, 1, views->arena));
  views->views[views->view_count++] = added;
  return TS_OK;
}

void ts_views_refuse(ts_views *views, size_t index, const char *why) {
  views->whys[index] = why;
}

ts_status ts_views_add_picture(ts_views *views, size_t index, const char *title, const char *svg,
                               size_t count) {
  picture added = {.index = index,
                   .title = ts_arena_string(views->arena, title),
                   .svg = ts_arena_copy(views->arena, svg, count, 1),
                   .count = count};
  if (!added.title || !added.svg)
    return TS_E_MEMORY;
  TS_TRY(TS_ARENA_GROW(views->pictures, views->picture_capacity, views->picture_count, 1,
                       views->arena));
  views->pictures[views->picture_count++] = added;
  return TS_OK;
}

// ---- what fits ---------------------------------------------------------------------------------

static int compare_ranks(const void *a, const void *b) {
  const view *x = a, *y = b;
  return (x->place.rank > y->place.rank) - (x->place.rank < y->place.rank);
}

/// Calls `visit` with every piece that a view needs.
static void visit_pieces(ts_views *views, const view *v, void (*visit)(ts_views *, size_t)) {
  const ts_view_scene_pieces *scene = &views->scenes[v->place.scene];
  visit(views, scene->scene);
  for (size_t i = 0; i < scene->mesh_count; i++)
    visit(views, scene->meshes[i]);
  for (size_t i = 0; i < TS_VIEW_PIECES; i++)
    if (v->pieces.places[i] != SIZE_MAX)
      visit(views, v->pieces.places[i]);
}

/// Takes a piece into the page, with the bytes around it.
static void use_piece(ts_views *views, size_t place) {
  if (views->is_used[place])
    return;
  views->is_used[place] = true;
  views->chosen_bytes += views->pieces.pieces[place].length + sizeof "\"12345\":\"\",\n";
}

/// The bytes that a view adds to the page. Its pieces are marked for that, and unmarked again.
static size_t cost_of(ts_views *views, const view *v, bool *before) {
  size_t bytes = views->chosen_bytes;
  memcpy(before, views->is_used, views->pieces.count * sizeof *before);
  visit_pieces(views, v, use_piece);
  size_t cost = views->chosen_bytes - bytes;
  memcpy(views->is_used, before, views->pieces.count * sizeof *before);
  views->chosen_bytes = bytes;
  return cost;
}

ts_status ts_views_choose(ts_views *views, size_t budget_bytes, const char *why) {
  size_t count = views->pieces.count;
  views->is_used = ts_arena_array(views->arena, count, sizeof *views->is_used);
  bool *before = ts_arena_array(views->arena, count, sizeof *before);
  if (!views->is_used || !before)
    return TS_E_MEMORY;
  if (views->view_count > 0)
    qsort(views->views, views->view_count, sizeof *views->views, compare_ranks);
  for (size_t i = 0; i < views->view_count; i++) {
    view *v = &views->views[i];
    v->is_chosen = views->chosen_bytes + cost_of(views, v, before) <= budget_bytes;
    if (v->is_chosen)
      visit_pieces(views, v, use_piece);
    else
      views->whys[v->place.index] = why;
    views->chosen_count += v->is_chosen;
  }
  return TS_OK;
}

size_t ts_views_count(const ts_views *views) {
  return views->chosen_count;
}

size_t ts_views_bytes(const ts_views *views) {
  return views->chosen_bytes;
}

// ---- the page ----------------------------------------------------------------------------------

static ts_status put_pictures(FILE *file, ts_arena *arena, const ts_views *views) {
  if (views->picture_count == 0)
    return TS_OK;
  fputs("<noscript id=\"view-pictures\"><h2>The worst rows in pictures</h2>\n", file);
  for (size_t i = 0; i < views->picture_count; i++) {
    const picture *p = &views->pictures[i];
    fprintf(file, "<figure data-row=\"%zu\"><img alt=\"", p->index);
    TS_TRY(ts_html_put(file, arena, p->title));
    fputs("\" src=\"data:image/svg+xml;base64,", file);
    ts_base64 encoder = {.file = file};
    ts_base64_add(&encoder, p->svg, p->count);
    ts_base64_end(&encoder);
    fputs("\"></figure>\n", file);
  }
  fputs("</noscript>\n", file);
  return TS_OK;
}

static ts_status put_string(FILE *file, ts_arena *arena, const char *text) {
  json_t *value = ts_json_text(arena, text);
  ts_status status = value ? ts_html_put_json(file, value) : TS_E_MEMORY;
  json_decref(value);
  return status;
}

/// The number of a cell: that of the first view of it.
static size_t number_cell(const ts_views *views, size_t at) {
  size_t first = 0;
  while (strcmp(views->views[first].place.cell, views->views[at].place.cell) != 0)
    first++;
  return first;
}

static void put_rows(FILE *file, const ts_views *views) {
  const char *before = "";
  fputs("\"rows\":[", file);
  for (size_t i = 0; i < views->view_count; i++) {
    const view *v = &views->views[i];
    if (!v->is_chosen)
      continue;
    fprintf(file, "%s[%zu,%zu,%zu,%.0f]", before, v->place.index, v->pieces.places[TS_VIEW_ROW],
            number_cell(views, i), v->place.step);
    before = ",";
  }
  fputs("],\n", file);
}

/// The reasons, each with its rows.
static ts_status put_whys(FILE *file, ts_arena *arena, const ts_views *views) {
  bool *is_put = ts_arena_array(arena, views->row_count, sizeof *is_put);
  if (!is_put)
    return TS_E_MEMORY;
  const char *before = "";
  fputs("\"whys\":[", file);
  for (size_t i = 0; i < views->row_count; i++) {
    if (!views->whys[i] || is_put[i])
      continue;
    fprintf(file, "%s[", before);
    before = ",\n";
    TS_TRY(put_string(file, arena, views->whys[i]));
    for (size_t k = i; k < views->row_count; k++)
      if (views->whys[k] && !is_put[k] && strcmp(views->whys[k], views->whys[i]) == 0) {
        is_put[k] = true;
        fprintf(file, ",%zu", k);
      }
    fputs("]", file);
  }
  fputs("],\n", file);
  return TS_OK;
}

static void put_kinds(FILE *file) {
  fputs("\"kinds\":[", file);
  for (int i = 0; i < TS_KIND_COUNT; i++) {
    const uint8_t *c = ts_contact_colours[i];
    fprintf(file, "%s[\"%s\",\"#%02x%02x%02x\",%d]", i > 0 ? "," : "", ts_contact_kind_words[i],
            c[0], c[1], c[2], ts_contact_kind_is_fault((ts_contact_kind)i));
  }
  for (int i = 0; i < TS_VIEW_FAULTS; i++)
    fprintf(file, "%s\"%s\"", i > 0 ? "," : "],\n\"faults\":[", ts_view_fault_columns[i]);
  fprintf(file, "],\n\"truth_colour\":\"#%02x%02x%02x\",\n", ts_truth_colour[0], ts_truth_colour[1],
          ts_truth_colour[2]);
}

static void put_pieces(FILE *file, const ts_views *views) {
  const char *before = "";
  fputs("\"pieces\":{", file);
  for (size_t i = 0; i < views->pieces.count; i++)
    if (views->is_used[i]) {
      fprintf(file, "%s\"%zu\":\"%s\"", before, i, views->pieces.pieces[i].text);
      before = ",\n";
    }
  fputs("}}\n", file);
}

#define PUT(file, name) fwrite(ts_view_##name, 1, ts_view_##name##_bytes, file)

static ts_status put_libraries(FILE *file, ts_arena *arena) {
  ts_piece three;
  fputs("<script type=\"text/plain\" id=\"three-licence\">\n", file);
  PUT(file, three_licence);
  fputs("</script>\n<script type=\"text/css\" id=\"view-style\">\n", file);
  PUT(file, style);
  fputs("</script>\n<script type=\"text/plain\" id=\"three\">", file);
  TS_TRY(ts_piece_make(&three, arena, ts_view_three, ts_view_three_bytes));
  fputs(three.text, file);
  fputs("</script>\n", file);
  return TS_OK;
}

ts_status ts_views_put(FILE *file, ts_arena *arena, const void *context) {
  const ts_views *views = context;
  TS_TRY(put_pictures(file, arena, views));
  if (views->chosen_count > 0)
    TS_TRY(put_libraries(file, arena));
  fputs("<script type=\"application/json\" id=\"views\">\n{", file);
  put_rows(file, views);
  TS_TRY(put_whys(file, arena, views));
  put_kinds(file);
  put_pieces(file, views);
  fputs("</script>\n<script>\n", file);
  PUT(file, data);
  if (views->chosen_count > 0) {
    PUT(file, faults);
    PUT(file, words);
    PUT(file, camera);
    PUT(file, arrows);
    PUT(file, stage);
    PUT(file, labels);
    PUT(file, legend);
    PUT(file, viewer);
  }
  fputs("</script>\n", file);
  return TS_OK;
}
