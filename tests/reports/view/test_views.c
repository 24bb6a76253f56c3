// SPDX-License-Identifier: MIT
// covers: reports/view/pieces.c reports/view/view_mesh.c reports/view/view_row.c
// covers: reports/view/views.c
// What a page holds for its 3-D viewer: which pieces are shared, which rows fit, what a row says.
#include "reports/view/views.h"

#include "reports/view/view_mesh.h"
#include "tests/reports/export/snapshot_fixture.h"

#include <criterion/criterion.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static ts_arena *arena, *scratch;

static void setup(void) {
  cr_assert_eq(ts_arena_create(&arena), TS_OK);
  cr_assert_eq(ts_arena_create(&scratch), TS_OK);
}

static void teardown(void) {
  ts_arena_destroy(scratch);
  ts_arena_destroy(arena);
}

TestSuite(reports_views, .init = setup, .fini = teardown);

static int value_of(char digit) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  return (int)(strchr(digits, digit) - digits);
}

/// What a browser unpacks: base64 of gzip. In the arena.
static const char *unpacked(const char *text, size_t length) {
  uint8_t *bytes = ts_arena_alloc(arena, length);
  size_t count = 0;
  for (size_t i = 0; i + 3 < length; i += 4) {
    int pads = (text[i + 2] == '=') + (text[i + 3] == '=');
    int bits = value_of(text[i]) << 18 | value_of(text[i + 1]) << 12 |
               (pads > 1 ? 0 : value_of(text[i + 2])) << 6 | (pads > 0 ? 0 : value_of(text[i + 3]));
    for (int k = 0; k < 3 - pads; k++)
      bytes[count++] = (uint8_t)(bits >> (16 - 8 * k));
  }
  char *out = ts_arena_alloc(arena, 1 << 20);
  z_stream stream = {.next_in = bytes,
                     .avail_in = (uInt)count,
                     .next_out = (Bytef *)out,
                     .avail_out = (1 << 20) - 1};
  cr_assert_eq(inflateInit2(&stream, 15 + 16), Z_OK);
  cr_assert_eq(inflate(&stream, Z_FINISH), Z_STREAM_END);
  inflateEnd(&stream);
  return out;
}

static json_t *parsed(const char *text) {
  json_error_t error;
  json_t *value = json_loads(text, 0, &error);
  cr_assert(value, "%s: %s", error.text, text);
  return value;
}

static json_t *piece_of(const ts_pieces *pieces, size_t place) {
  return parsed(unpacked(pieces->pieces[place].text, pieces->pieces[place].length));
}

static long integer(const json_t *object, const char *key) {
  return (long)json_integer_value(json_object_get(object, key));
}

static double number_in(const json_t *list, size_t place) {
  return json_number_value(json_array_get(list, place));
}

// ---- pieces ------------------------------------------------------------------------------------

Test(reports_views, equal_pieces_are_stored_once_and_unpack_to_what_they_were) {
  ts_pieces pieces = {.arena = arena};
  size_t places[200], again;
  char text[64];
  for (int i = 0; i < 200; i++) {
    snprintf(text, sizeof text, "[%d]", i * i);
    cr_assert_eq(ts_pieces_add(&places[i], &pieces, text, strlen(text)), TS_OK);
  }
  cr_assert_eq(ts_pieces_add(&again, &pieces, "[49]", 4), TS_OK);
  cr_assert_eq(again, places[7]);
  cr_assert_eq(pieces.count, 200);
  for (size_t i = 0; i < 200; i++) {
    snprintf(text, sizeof text, "[%zu]", i * i);
    const ts_piece *piece = &pieces.pieces[places[i]];
    cr_assert_str_eq(unpacked(piece->text, piece->length), text);
  }
}

// ---- meshes ------------------------------------------------------------------------------------

/// A sphere of rings x 2 rings quads, each of two triangles; poles are rings of one point.
static ts_mesh sphere_of(size_t rings) {
  size_t columns = 2 * rings;
  ts_vec3 *vertices = ts_arena_array(arena, (rings + 1) * columns, sizeof *vertices);
  uint32_t(*triangles)[3] = ts_arena_array(arena, 2 * rings * columns, sizeof *triangles);
  for (size_t i = 0; i <= rings; i++)
    for (size_t k = 0; k < columns; k++) {
      double tilt = M_PI * (double)i / (double)rings, turn = M_PI * (double)k / (double)rings;
      vertices[i * columns + k] =
          (ts_vec3){sin(tilt) * cos(turn), cos(tilt), sin(tilt) * sin(turn)};
    }
  size_t count = 0;
  for (size_t i = 0; i < rings; i++)
    for (size_t k = 0; k < columns; k++) {
      uint32_t a = (uint32_t)(i * columns + k), b = (uint32_t)(i * columns + (k + 1) % columns);
      uint32_t down = (uint32_t)columns;
      memcpy(triangles[count++], (uint32_t[3]){a, b, b + down}, sizeof *triangles);
      memcpy(triangles[count++], (uint32_t[3]){a, b + down, a + down}, sizeof *triangles);
    }
  return (ts_mesh){.vertex_count = (rings + 1) * columns,
                   .vertices = vertices,
                   .triangle_count = count,
                   .triangles = (const uint32_t(*)[3])triangles};
}

Test(reports_views, a_mesh_with_few_triangles_is_shown_as_it_is) {
  ts_mesh mesh = sphere_of(10);
  ts_view_mesh shown;
  cr_assert_eq(ts_view_mesh_make(&shown, arena, &mesh), TS_OK);
  cr_assert_not(shown.is_coarse);
  cr_assert_eq(shown.triangle_count, 400);
  cr_assert_eq(shown.triangles, mesh.triangles);
}

Test(reports_views, a_fine_mesh_becomes_coarse_and_keeps_its_size) {
  ts_mesh mesh = sphere_of(100);
  ts_view_mesh shown;
  cr_assert_eq(ts_view_mesh_make(&shown, arena, &mesh), TS_OK);
  cr_assert(shown.is_coarse);
  cr_assert_leq(shown.triangle_count, TS_VIEW_TRIANGLES_MAX);
  cr_assert_gt(shown.triangle_count, 300, "%zu", shown.triangle_count);
  double low = 1, high = -1;
  for (size_t i = 0; i < shown.vertex_count; i++) {
    ts_vec3 v = shown.vertices_local[i];
    cr_assert_float_eq(v.x * v.x + v.y * v.y + v.z * v.z, 1, 1e-12, "a vertex of the mesh");
    low = fmin(low, v.y);
    high = fmax(high, v.y);
  }
  cr_assert_gt(high - low, 1.9, "%g", high - low);
  for (size_t i = 0; i < shown.triangle_count; i++)
    for (int k = 0; k < 3; k++)
      cr_assert_lt(shown.triangles[i][k], shown.vertex_count);
}

// ---- a row -------------------------------------------------------------------------------------

static const ts_vec3 shifts[2] = {{0, 0, 0}, {0, 0.5, 0}};
static const bool is_ground[2] = {true, false};
static const size_t served_counts[3] = {7, 0, 0};
static const double missing_counts[3] = {3, 0, NAN};
static const unsigned contact_faults[FIXTURE_CONTACTS] = {
    [FIXTURE_PHANTOM] = 1U << TS_VIEW_PHANTOM | 1U << TS_VIEW_NORMAL_FLIPPED};

static ts_view_row row_of(const ts_snapshot *snapshot) {
  return (ts_view_row){.title = "made by <hand>",
                       .explain_command = "touchstone explain made hand r",
                       .snapshot = snapshot,
                       .contact_total = 1234,
                       .kind_totals = {[TS_KIND_PHANTOM] = 1000},
                       .has_verdicts = true,
                       .contact_faults = contact_faults,
                       .fault_totals = {[TS_VIEW_NORMAL_FLIPPED] = 402, [TS_VIEW_GAP_WRONG] = NAN},
                       .missing_counts = missing_counts,
                       .served_counts = served_counts};
}

/// The fixture with verdicts: region 0 is met by contact 0, region 1 open, region 2 missed.
static ts_snapshot judged_snapshot(void) {
  static ts_snapshot_region regions[3];
  static const size_t contacts[1] = {0};
  ts_snapshot snapshot = fixture_snapshot();
  memcpy(regions, snapshot.regions, sizeof regions);
  regions[0].needed_count = regions[2].needed_count = 1;
  regions[0].met_count = regions[0].contact_count = 1;
  regions[0].contacts = contacts;
  regions[2].is_missed = true;
  snapshot.regions = regions;
  return snapshot;
}

Test(reports_views, a_row_has_its_contacts_regions_and_verdicts) {
  ts_snapshot snapshot = judged_snapshot();
  ts_view_row row = row_of(&snapshot);
  ts_pieces pieces = {.arena = arena};
  ts_view_row_pieces places;
  cr_assert_eq(ts_view_row_add(&places, &pieces, scratch, &row, 42), TS_OK);
  cr_assert_eq(places.places[TS_VIEW_POSES], SIZE_MAX, "the bodies have not moved");
  json_t *written = piece_of(&pieces, places.places[TS_VIEW_ROW]);
  cr_assert_str_eq(json_string_value(json_object_get(written, "title")), "made by <hand>");
  cr_assert_eq(integer(written, "total"), 1234);
  cr_assert_eq(integer(written, "scene"), 42);
  cr_assert(json_is_null(json_object_get(written, "poses")));
  cr_assert_eq((size_t)integer(written, "truth"), places.places[TS_VIEW_TRUTH]);
  cr_assert_eq(number_in(json_object_get(written, "totals"), TS_KIND_PHANTOM), 1000);
  const json_t *contacts = json_object_get(written, "contacts");
  cr_assert_eq(json_array_size(json_object_get(contacts, "p")), 3 * FIXTURE_CONTACTS);
  cr_assert_eq(number_in(json_object_get(contacts, "p"), 3), 0.25, "x of the second contact");
  cr_assert_eq(number_in(json_object_get(contacts, "kind"), FIXTURE_PHANTOM), TS_KIND_PHANTOM);
  cr_assert(json_is_null(json_array_get(json_object_get(contacts, "n"), 3 * FIXTURE_NO_NORMAL)));
  cr_assert(json_is_null(json_array_get(json_object_get(contacts, "p"), 3 * FIXTURE_NOWHERE)));
  cr_assert_eq(number_in(json_object_get(written, "missed"), 2), 1);
  cr_assert_eq(number_in(json_object_get(written, "served"), 0), 7);
  cr_assert_eq(number_in(json_object_get(written, "lacks"), 0), 3);
  cr_assert(json_is_null(json_array_get(json_object_get(written, "lacks"), 2)));
  cr_assert_eq(number_in(json_object_get(contacts, "f"), FIXTURE_PHANTOM),
               contact_faults[FIXTURE_PHANTOM]);
  const json_t *fault_totals = json_object_get(written, "fault_totals");
  cr_assert_eq(json_array_size(fault_totals), TS_VIEW_FAULTS);
  cr_assert_eq(number_in(fault_totals, TS_VIEW_NORMAL_FLIPPED), 402);
  cr_assert(json_is_null(json_array_get(fault_totals, TS_VIEW_GAP_WRONG)));
  cr_assert_eq(number_in(json_array_get(json_object_get(written, "by"), 0), 0), 0);
  json_decref(written);
  json_t *truth = piece_of(&pieces, places.places[TS_VIEW_TRUTH]);
  cr_assert_eq(json_array_size(truth), 3);
  const json_t *needs = json_object_get(json_array_get(truth, 1), "needs");
  cr_assert_str_eq(json_string_value(needs), "none");
  cr_assert_eq(json_array_size(json_object_get(json_array_get(truth, 0), "v")), 12);
  json_decref(truth);
}

Test(reports_views, bodies_that_have_moved_have_their_poses) {
  ts_snapshot snapshot = judged_snapshot();
  ts_view_row row = row_of(&snapshot);
  row.has_moved = true;
  ts_pieces pieces = {.arena = arena};
  ts_view_row_pieces places;
  cr_assert_eq(ts_view_row_add(&places, &pieces, scratch, &row, 0), TS_OK);
  json_t *poses = piece_of(&pieces, places.places[TS_VIEW_POSES]);
  cr_assert_eq(number_in(json_array_get(poses, 1), 1), 2, "y of its origin");
  cr_assert_float_eq(number_in(json_array_get(poses, 1), 3), sqrt(0.5), 1e-8, "w of its rotation");
  json_decref(poses);
}

Test(reports_views, bodies_of_one_mesh_share_it) {
  ts_snapshot snapshot = judged_snapshot();
  const ts_view_scene scene = {&snapshot, shifts, is_ground};
  ts_pieces pieces = {.arena = arena};
  ts_view_scene_pieces places;
  cr_assert_eq(ts_view_scene_add(&places, &pieces, scratch, &scene), TS_OK);
  cr_assert_eq(places.meshes[0], places.meshes[1]);
  cr_assert_eq(pieces.count, 2, "a mesh and the scene");
  json_t *written = piece_of(&pieces, places.scene);
  const json_t *upper = json_array_get(json_object_get(written, "bodies"), 1);
  cr_assert_str_eq(json_string_value(json_object_get(upper, "name")), "upper");
  cr_assert_eq(number_in(json_object_get(upper, "shift"), 1), 0.5);
  cr_assert_eq(integer(upper, "ground"), 0);
  json_decref(written);
}

// ---- the page ----------------------------------------------------------------------------------

/// Four rows: 0 and 2 are steps of one cell, 1 is of another, 3 has no view.
static ts_views *views_of_three(void) {
  ts_snapshot snapshot = judged_snapshot();
  const ts_view_scene scene = {&snapshot, shifts, is_ground};
  static const size_t ranks[3] = {2, 0, 1};
  static const char *const titles[3] = {"zero", "one", "two"};
  ts_views *views;
  size_t place;
  cr_assert_eq(ts_views_create(&views, arena, 4), TS_OK);
  cr_assert_eq(ts_views_add_scene(&place, views, scratch, &scene), TS_OK);
  for (size_t i = 0; i < 3; i++) {
    ts_view_row row = row_of(&snapshot);
    row.title = titles[i];
    const ts_view_place at = {.index = i,
                              .cell = i == 1 ? "cell b" : "cell a",
                              .step = i == 2 ? 3 : 0,
                              .rank = ranks[i],
                              .scene = place};
    cr_assert_eq(ts_views_add(views, scratch, &at, &row), TS_OK);
  }
  ts_views_refuse(views, 3, "It </script> was not measured.");
  return views;
}

static char *written_page(const ts_views *views) {
  char *text = NULL;
  size_t count;
  FILE *file = open_memstream(&text, &count);
  cr_assert_eq(ts_views_put(file, arena, views), TS_OK);
  fclose(file);
  return text;
}

/// The data in the page; `page` is changed.
static json_t *data_in(char *page) {
  static const char before[] = "<script type=\"application/json\" id=\"views\">\n";
  char *begin = strstr(page, before);
  cr_assert(begin);
  begin += strlen(before);
  *strstr(begin, "</script>") = '\0';
  return parsed(begin);
}

Test(reports_views, rows_are_there_by_rank_with_what_they_need) {
  ts_views *views = views_of_three();
  cr_assert_eq(ts_views_choose(views, 1 << 20, "no room"), TS_OK);
  cr_assert_eq(ts_views_count(views), 3);
  char *page = written_page(views);
  cr_assert(strstr(page, "id=\"three-licence\""));
  cr_assert(strstr(page, "three.js authors"));
  cr_assert(strstr(page, "id=\"three\">H4sI"), "gzip as base64");
  json_t *data = data_in(page);
  const json_t *rows = json_object_get(data, "rows");
  cr_assert_eq(number_in(json_array_get(rows, 0), 0), 1);
  cr_assert_eq(number_in(json_array_get(rows, 1), 0), 2);
  cr_assert_eq(number_in(json_array_get(rows, 2), 0), 0);
  cr_assert_eq(number_in(json_array_get(rows, 1), 2), number_in(json_array_get(rows, 2), 2),
               "steps of one cell");
  cr_assert_neq(number_in(json_array_get(rows, 0), 2), number_in(json_array_get(rows, 1), 2));
  cr_assert_eq(number_in(json_array_get(rows, 1), 3), 3, "its step");
  // A mesh, the scene, the truth, and three rows.
  cr_assert_eq(json_object_size(json_object_get(data, "pieces")), 6);
  const json_t *why = json_array_get(json_object_get(data, "whys"), 0);
  cr_assert_str_eq(json_string_value(json_array_get(why, 0)), "It </script> was not measured.");
  cr_assert_eq(number_in(why, 1), 3);
  json_decref(data);
  free(page);
}

Test(reports_views, faults_are_named_by_columns_of_the_summary) {
  for (int i = 0; i < TS_VIEW_FAULTS; i++) {
    bool is_column = false;
    for (size_t k = 0; k < ts_summary_rows.field_count; k++)
      is_column |= strcmp(ts_summary_rows.fields[k].column, ts_view_fault_columns[i]) == 0;
    cr_expect(is_column, "%s", ts_view_fault_columns[i]);
  }
  ts_views *views = views_of_three();
  cr_assert_eq(ts_views_choose(views, 1 << 20, "no room"), TS_OK);
  char *page = written_page(views);
  json_t *data = data_in(page);
  const json_t *faults = json_object_get(data, "faults");
  cr_assert_eq(json_array_size(faults), TS_VIEW_FAULTS);
  cr_assert_str_eq(json_string_value(json_array_get(faults, TS_VIEW_CONTACTS_MISSING)),
                   "contacts_missing");
  json_decref(data);
  free(page);
}

Test(reports_views, what_does_not_fit_is_left_out_and_says_why) {
  ts_views *all = views_of_three();
  cr_assert_eq(ts_views_choose(all, 1 << 20, "no room"), TS_OK);
  ts_views *views = views_of_three();
  cr_assert_eq(ts_views_choose(views, ts_views_bytes(all) - 1, "no room"), TS_OK);
  cr_assert_eq(ts_views_count(views), 2);
  cr_assert_lt(ts_views_bytes(views), ts_views_bytes(all));
  char *page = written_page(views);
  json_t *data = data_in(page);
  const json_t *why = json_array_get(json_object_get(data, "whys"), 0);
  cr_assert_str_eq(json_string_value(json_array_get(why, 0)), "no room");
  cr_assert_eq(number_in(why, 1), 0, "the row of the highest rank");
  json_decref(data);
  free(page);
}

Test(reports_views, a_page_without_a_view_has_no_viewer_and_still_says_why) {
  ts_views *views = views_of_three();
  cr_assert_eq(ts_views_choose(views, 10, "no room"), TS_OK);
  char *page = written_page(views);
  cr_assert_not(strstr(page, "id=\"three\""));
  cr_assert_not(strstr(page, "THREE."));
  cr_assert(strstr(page, "\"no room\",0,1,2"));
  cr_assert_lt(strlen(page), 8000, "%zu", strlen(page));
  free(page);
}

Test(reports_views, pictures_are_for_readers_without_scripts) {
  ts_views *views = views_of_three();
  cr_assert_eq(ts_views_add_picture(views, 1, "one \"<", "<svg/>", 6), TS_OK);
  cr_assert_eq(ts_views_choose(views, 1 << 20, "no room"), TS_OK);
  char *page = written_page(views);
  cr_assert(strstr(page, "<noscript id=\"view-pictures\">"));
  cr_assert(strstr(page, "<figure data-row=\"1\"><img alt=\"one &#34;&#60;\" "
                         "src=\"data:image/svg+xml;base64,PHN2Zy8+\">"));
  free(page);
}
