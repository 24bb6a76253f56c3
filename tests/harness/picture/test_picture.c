// SPDX-License-Identifier: MIT
// covers: harness/picture/body_names.c harness/picture/caption.c harness/picture/draw_contacts.c
// covers: harness/picture/draw_regions.c harness/picture/draw_unknown.c harness/picture/drawing.c
// covers: harness/picture/legend.c harness/picture/picture.c
// What a picture says: each of these was once drawn or written otherwise, and misled its readers.
#include "harness/picture/picture.h"

#include "harness/picture/body_names.h"
#include "harness/picture/cell_snapshot.h"
#include "harness/picture/draw_regions.h"
#include "tests/reports/export/snapshot_fixture.h"

#include "base/status.h"

#include <criterion/criterion.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static ts_arena *arena;

static void setup(void) {
  cr_assert_eq(ts_arena_create(&arena), TS_OK);
}

static void teardown(void) {
  ts_arena_destroy(arena);
}

TestSuite(harness_picture, .init = setup, .fini = teardown, .timeout = 120);

/// A picture as text, to be freed.
static char *picture_of(const ts_snapshot *snapshot) {
  char *text = NULL;
  size_t count;
  FILE *file = open_memstream(&text, &count);
  cr_assert_eq(ts_picture_write(file, arena, snapshot), TS_OK);
  fclose(file);
  return text;
}

static char *picture_of_case(const char *case_name, const char *method) {
  ts_snapshot snapshot;
  ts_snapshot_request request = {.case_name = case_name, .method = method};
  cr_assert_eq(ts_cell_snapshot(&snapshot, NULL, arena, &request), TS_OK, "%s", ts_status_detail());
  return picture_of(&snapshot);
}

static size_t count_of(const char *text, const char *what) {
  size_t count = 0;
  for (const char *at = text; (at = strstr(at, what)); at += strlen(what))
    count++;
  return count;
}

/// The words of a picture as one text, its lines joined by blanks, so that a sentence is found
/// however it wraps.
static const char *words_of(const char *text) {
  const char *words = "";
  for (const char *at = text; (at = strstr(at, "<text"));) {
    const char *start = strchr(at, '>') + 1, *end = strstr(start, "</text>");
    words = ts_arena_format(arena, "%s %.*s", words, (int)(end - start), start);
    cr_assert(words);
    at = end;
  }
  return words;
}

static void expect_words(const char *text, const char *what) {
  cr_expect(strstr(words_of(text), what), "\"%s\" is not in:%s", what, words_of(text));
}

static void expect_no_words(const char *text, const char *what) {
  cr_expect_not(strstr(words_of(text), what), "\"%s\" is in:%s", what, words_of(text));
}

/// The fixture, whose three regions are in these states.
static ts_snapshot fixture_in(const ts_region_state states[3]) {
  ts_snapshot snapshot = fixture_snapshot();
  ts_snapshot_region *regions =
      ts_arena_copy(arena, snapshot.regions, snapshot.region_count, sizeof *regions);
  cr_assert(regions);
  for (int i = 0; i < 3; i++) {
    regions[i].needed_count = states[i] != TS_REGION_OPEN;
    regions[i].met_count = states[i] == TS_REGION_MET;
    regions[i].is_missed = states[i] == TS_REGION_MISSED;
  }
  snapshot.regions = regions;
  return snapshot;
}

// ---- what is unknown -----------------------------------------------------------------------

Test(harness_picture, a_scene_of_unknown_truth_does_not_touch_nowhere) {
  char *text = picture_of_case("deep", "opposing");
  expect_words(text, "where they touch is unknown: the scene does not tell it, so that the "
                     "contacts are not judged");
  expect_words(text, " untold (14)");
  expect_no_words(text, "nowhere");
  expect_no_words(text, "incorrect");
  free(text);
}

Test(harness_picture, a_pair_of_unknown_truth_is_named_with_its_reason_and_marked) {
  static const ts_snapshot_unknown unknown = {0, 1, "the bodies overlap too deeply"};
  ts_snapshot snapshot = fixture_snapshot();
  snapshot.region_count = 0;
  snapshot.unknown_count = 1;
  snapshot.unknown = &unknown;
  char *text = picture_of(&snapshot);
  expect_words(text, "truth unknown for 1 pair, whose contacts are not judged: 0-1 (the bodies "
                     "overlap too deeply)");
  expect_words(text, "pair whose truth is unknown (1)");
  cr_expect_eq(count_of(text, ">?<"), 2, "between the bodies, and in the legend");
  free(text);
}

Test(harness_picture, bodies_that_are_known_to_be_apart_touch_nowhere) {
  ts_snapshot snapshot = fixture_snapshot();
  snapshot.region_count = 0;
  char *text = picture_of(&snapshot);
  expect_words(text, "2 bodies, which touch nowhere");
  expect_no_words(text, "unknown");
  free(text);
}

// ---- regions -------------------------------------------------------------------------------

Test(harness_picture, the_legend_counts_regions_by_what_the_contacts_make_of_them) {
  ts_snapshot snapshot =
      fixture_in((ts_region_state[3]){TS_REGION_MET, TS_REGION_MISSED, TS_REGION_LACKING});
  char *text = picture_of(&snapshot);
  expect_words(text, " regions that are met (1)");
  expect_words(text, " missed (1)");
  expect_words(text, " lacking a normal (1)");
  free(text);
  snapshot = fixture_in((ts_region_state[3]){TS_REGION_OPEN, TS_REGION_OPEN, TS_REGION_MISSED});
  text = picture_of(&snapshot);
  expect_words(text, " regions missed (1)");
  expect_words(text, " regions open, need no contact (2)");
  expect_no_words(text, "that are met");
  free(text);
}

/// The sign of a state, of a region with that many vertices.
static const char *sign_of(ts_region_state state, size_t vertex_count) {
  char *text = NULL;
  size_t count;
  FILE *file = open_memstream(&text, &count);
  ts_draw_region_sign(file, state, vertex_count, (ts_svg_point){20, 20});
  fclose(file);
  // Without its first line, which has the colour.
  const char *kept = ts_arena_string(arena, strchr(text, '\n'));
  free(text);
  return kept;
}

Test(harness_picture, states_of_regions_differ_without_colour_too) {
  static const ts_region_state states[4] = {TS_REGION_MET, TS_REGION_LACKING, TS_REGION_MISSED,
                                            TS_REGION_OPEN};
  for (size_t vertices = 1; vertices <= 3; vertices++)
    for (int i = 0; i < 4; i++)
      for (int k = 0; k < i; k++)
        cr_expect_str_neq(sign_of(states[i], vertices), sign_of(states[k], vertices), "%zu: %d %d",
                          vertices, i, k);
  const char *hatching = "stroke-width=\"0.8\"/>";
  cr_expect_eq(count_of(sign_of(TS_REGION_MET, 4), hatching), 0);
  cr_expect_eq(count_of(sign_of(TS_REGION_LACKING, 4), hatching), 1);
  cr_expect_eq(count_of(sign_of(TS_REGION_MISSED, 4), hatching), 2);
}

/// The corners of the polygons that are filled like those that are met, in a picture: x, y.
static size_t corners_of_polygons(double (*out)[2], size_t max, const char *text) {
  size_t count = 0;
  for (const char *at = text; (at = strstr(at, "<path d=\"M"));) {
    const char *end = strstr(at, "/>"), *fill = strstr(at, "Z\" fill-opacity=\"0.2\"");
    if (fill && fill < end)
      for (const char *c = at + strlen("<path d=\""); *c != 'Z' && count < max; count++) {
        char *next;
        out[count][0] = strtod(c + 1, &next);
        out[count][1] = strtod(next, &next);
        c = next;
      }
    at = end;
  }
  return count;
}

Test(harness_picture, a_region_is_drawn_on_both_of_its_bodies) {
  char *text = picture_of_case("incline", "growth");
  double corners[12][2];
  // On two bodies, and the sign in the legend.
  cr_assert_eq(corners_of_polygons(corners, 12, text), 12);
  double dx = corners[4][0] - corners[0][0], dy = corners[4][1] - corners[0][1];
  cr_expect_gt(hypot(dx, dy), 50, "the bodies are drawn apart");
  for (int i = 0; i < 4; i++) {
    cr_expect_float_eq(corners[4 + i][0] - corners[i][0], dx, 0.02);
    cr_expect_float_eq(corners[4 + i][1] - corners[i][1], dy, 0.02);
  }
  cr_expect_eq(count_of(text, "stroke-dasharray=\"1 3\""), 1, "joined by a line");
  free(text);
}

Test(harness_picture, the_truth_alone_has_its_normals) {
  char *text = picture_of_case("spike_in_hole", NULL);
  expect_words(text, "touching regions (1)");
  expect_words(text, "normal that is needed");
  cr_expect_eq(count_of(text, "stroke-width=\"2\""), 4 + 1, "of four walls, and in the legend");
  free(text);
}

Test(harness_picture, normals_of_which_one_is_enough_are_said_to_be_so) {
  static const ts_snapshot_normal either[2] = {{{0, 1, 0}, 0, false}, {{1, 0, 0}, 0, false}};
  ts_snapshot snapshot = fixture_in((ts_region_state[3]){0});
  ts_snapshot_region region = snapshot.regions[1];
  cr_assert_not(region.needs_all);
  region.normals = either;
  snapshot.regions = &region;
  snapshot.region_count = 1;
  snapshot.method = NULL;
  snapshot.contact_count = 0;
  char *text = picture_of(&snapshot);
  expect_words(text, "one of these is needed");
  expect_no_words(text, "normal that is needed");
  cr_expect_eq(count_of(text, "stroke-width=\"2\" stroke-dasharray"), 2 + 1);
  free(text);
}

Test(harness_picture, what_is_met_shows_no_normals_that_are_needed) {
  char *text = picture_of_case("incline", "growth");
  expect_words(text, "regions that are met (1)");
  expect_no_words(text, "needed");
  free(text);
}

Test(harness_picture, a_missed_region_shows_its_normals_also_where_contacts_elsewhere_have_them) {
  static const ts_snapshot_normal met = {.normal = {0, 1, 0}, .is_met = true};
  ts_snapshot snapshot = fixture_in((ts_region_state[3]){TS_REGION_MISSED});
  ts_snapshot_region region = snapshot.regions[0];
  region.normals = &met;
  region.normal_count = 1;
  snapshot.regions = &region;
  snapshot.region_count = 1;
  snapshot.contact_count = 0;
  char *text = picture_of(&snapshot);
  expect_words(text, "regions missed (1)");
  expect_words(text, "normal that is needed");
  free(text);
  region.is_missed = false;
  text = picture_of(&snapshot);
  expect_words(text, "regions lacking a normal (1)");
  expect_no_words(text, "needed");
  free(text);
}

// ---- contacts ------------------------------------------------------------------------------

Test(harness_picture, each_kind_of_contact_is_drawn_and_in_the_legend) {
  ts_snapshot snapshot = fixture_snapshot();
  fixture_contacts[FIXTURE_NO_NORMAL].correct = NAN;
  char *text = picture_of(&snapshot);
  expect_words(text, " correct (1)");
  expect_words(text, " incorrect (1 of 2)");
  expect_words(text, " speculative (1)");
  expect_words(text, " phantom (1)");
  expect_words(text, " untold (1)");
  expect_words(text, " of which without a normal (1)");
  expect_words(text, "as built: 6 contacts; 1 without a place is not drawn");
  expect_words(text, " made, hand");
  cr_expect_eq(count_of(text, "stroke-dasharray=\"5 2.5\""), 2, "the phantom and its sign");
  cr_expect_not(strstr(text, "nan"));
  free(text);
}

Test(harness_picture, the_legend_has_only_kinds_in_the_picture) {
  ts_snapshot snapshot = fixture_snapshot();
  snapshot.contact_count = 1;
  char *text = picture_of(&snapshot);
  expect_words(text, " correct (1)");
  expect_no_words(text, "phantom");
  expect_no_words(text, "without a normal");
  free(text);
}

/// The fixture with that many contacts, of which one is a phantom.
static ts_snapshot fixture_of_contacts(size_t count) {
  ts_snapshot snapshot = fixture_snapshot();
  ts_contact_row *rows = ts_arena_array(arena, count, sizeof *rows);
  cr_assert(rows);
  for (size_t i = 0; i < count; i++)
    rows[i] = fixture_contacts[FIXTURE_CORRECT];
  rows[count / 2] = fixture_contacts[FIXTURE_PHANTOM];
  snapshot.contacts = rows;
  snapshot.contact_count = count;
  return snapshot;
}

Test(harness_picture, of_many_contacts_the_worst_are_drawn) {
  ts_snapshot snapshot = fixture_of_contacts(18000);
  char *text = picture_of(&snapshot);
  expect_words(text, "200 of 18,000 contacts, the worst first");
  expect_words(text, " phantom (1)");
  expect_words(text, " correct (199 of 17999)");
  cr_expect_eq(count_of(text, "r=\"1.8\""), 199 + 1, "dots of correct ones, and in the legend");
  free(text);
}

Test(harness_picture, as_many_as_fit_are_all_drawn) {
  ts_snapshot snapshot = fixture_of_contacts(200);
  char *text = picture_of(&snapshot);
  expect_words(text, "as built: 200 contacts");
  expect_no_words(text, "worst");
  free(text);
}

Test(harness_picture, a_contact_has_a_line_to_its_place_on_a_body) {
  char *text = picture_of_case("incline", "growth");
  size_t contacts = count_of(text, "r=\"1.8\"") - 1;
  cr_expect_gt(contacts, 0);
  cr_expect_eq(count_of(text, "stroke-width=\"0.6\" stroke-opacity=\"0.7\""), contacts);
  free(text);
}

// ---- names and words -----------------------------------------------------------------------

typedef struct text_box {
  double x, y, width, size;
} text_box;

/// Every text of a picture, and where it is; texts that are drawn twice, with a halo, once.
static size_t texts_of(text_box *out, size_t max, const char *picture) {
  size_t count = 0;
  for (const char *at = picture; (at = strstr(at, "<text x=\""));) {
    const char *start = strchr(at, '>') + 1, *end = strstr(start, "</text>");
    const char *size = strstr(at, "font-size=\"");
    if (!(strstr(at, "stroke=\"#fff\"") && strstr(at, "stroke=\"#fff\"") < start)) {
      cr_assert_lt(count, max);
      text_box *b = &out[count++];
      *b = (text_box){.x = strtod(at + strlen("<text x=\""), NULL),
                      .y = strtod(strstr(at, "y=\"") + strlen("y=\""), NULL),
                      .size = strtod(size + strlen("font-size=\""), NULL)};
      bool is_bold = strstr(at, "font-weight") && strstr(at, "font-weight") < start;
      const char *text = ts_arena_format(arena, "%.*s", (int)(end - start), start);
      b->width = ts_svg_text_width(text, b->size, is_bold);
    }
    at = end;
  }
  return count;
}

/// The names are the texts of size 12 that are not of the triad, whose three are the last.
static size_t names_of(text_box *out, size_t max, const char *picture) {
  size_t count = texts_of(out, max, picture), kept = 0;
  for (size_t i = 0; i < count; i++)
    if (out[i].size == 12)
      out[kept++] = out[i];
  cr_assert_geq(kept, 3);
  return kept - 3;
}

static void expect_apart(const text_box *boxes, size_t count) {
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < i; k++) {
      const text_box *a = &boxes[i], *b = &boxes[k];
      cr_expect(a->x + a->width <= b->x || b->x + b->width <= a->x || fabs(a->y - b->y) >= a->size,
                "%zu and %zu", i, k);
    }
}

Test(harness_picture, bodies_are_named_and_no_name_covers_another) {
  text_box boxes[300];
  char *text = picture_of_case("arch", NULL);
  expect_words(text, " 0 ground");
  expect_words(text, " 13 ring_6");
  size_t count = names_of(boxes, 300, text);
  cr_expect_eq(count, 14);
  expect_apart(boxes, count);
  free(text);
}

Test(harness_picture, of_many_bodies_some_have_their_number_and_that_is_said) {
  text_box boxes[300];
  char *text = picture_of_case("wall", "intersection");
  expect_words(text, "bodies with faults first");
  expect_words(text, "bodies have only the number");
  size_t count = names_of(boxes, 300, text);
  cr_expect_gt(count, 60);
  expect_apart(boxes, count);
  free(text);
}

Test(harness_picture, a_body_without_room_for_its_name_is_counted) {
  ts_snapshot snapshot = fixture_snapshot();
  ts_snapshot_body bodies[40];
  for (int i = 0; i < 40; i++)
    bodies[i] = snapshot.bodies[0]; // all in one place
  snapshot.bodies = bodies;
  snapshot.body_count = 40;
  snapshot.region_count = 0;
  snapshot.contact_count = 0;
  char *text = picture_of(&snapshot);
  expect_words(text, "bodies have no room for a name");
  free(text);
}

Test(harness_picture, the_longest_names_and_parameters_are_whole_and_within_the_page) {
  static const char name[] = "scene:a_very_long_name_of_a_scene_that_someone_has_given_to_the_"
                             "pile_of_their_twelve_boxes_and_nine_cylinders_on_a_tilted_plane";
  static const char parameters[] =
      "triangles=20000, motion_seed=2147483648, perturb_m=0.0123456789012345, "
      "perturb_seed=2147483648, offset_m=1000000000, stretch_x=1.2345678901234567, shape=two_tori";
  ts_snapshot snapshot = fixture_snapshot();
  snapshot.case_name = name;
  snapshot.method = "a_method_of_a_plug_in_with_a_name_as_long_as_names_may_be_in_this_program";
  snapshot.case_parameters = snapshot.method_parameters = parameters;
  char *text = picture_of(&snapshot);
  text_box boxes[200];
  size_t count = texts_of(boxes, 200, text);
  double width = strtod(strstr(text, " width=\"") + strlen(" width=\""), NULL);
  cr_expect_gt(width, 300);
  for (size_t i = 0; i < count; i++)
    cr_expect_leq(boxes[i].x + boxes[i].width, width, "%zu", i);
  expect_words(text, "perturb_m=0.0123456789012345");
  expect_words(text, "shape=two_tori");
  expect_words(text, "a_tilted_plane,"); // the title wraps after a sign
  free(text);
}

Test(harness_picture, the_triad_and_the_legend_are_on_the_page) {
  char *text = picture_of_case("spike_in_hole", "surface_sat");
  text_box boxes[200];
  size_t count = texts_of(boxes, 200, text);
  double height = strtod(strstr(text, " height=\"") + strlen(" height=\""), NULL);
  for (size_t i = 0; i < count; i++)
    cr_expect(boxes[i].y < height && boxes[i].y > 0, "%zu", i);
  free(text);
}

// ---- the document --------------------------------------------------------------------------

Test(harness_picture, nothing_is_used_that_only_browsers_draw) {
  static const char *const words[] = {"<style",   "class=", " id=",       "url(",         "href",
                                      "<pattern", "marker", "textLength", "foreignObject"};
  char *text = picture_of_case("box_in_corner", "closest_points");
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    cr_expect_not(strstr(text, words[i]), "%s", words[i]);
  free(text);
}

Test(harness_picture, those_who_cannot_see_it_are_told_what_it_shows) {
  char *text = picture_of_case("deep", NULL);
  cr_expect(strstr(text, "<title>deep</title>"));
  cr_expect(strstr(text, "<desc>2 bodies; where they touch is unknown"));
  free(text);
}

Test(harness_picture, the_same_bytes_come_again_in_any_locale) {
  char *first = picture_of_case("arch", "opposing");
  setlocale(LC_ALL, "de_DE.UTF-8");
  char *second = picture_of_case("arch", "opposing");
  cr_expect_str_eq(first, second);
  free(first);
  free(second);
}
