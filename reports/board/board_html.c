// SPDX-License-Identifier: MIT
#include "reports/board/board.h"

#include "base/status.h"
#include "reports/board/board_assets.h"
#include "reports/html/html_assets.h"
#include "reports/html/html_text.h"
#include "reports/rows/outcome.h"
#include "reports/study/study_table.h"
#include "reports/tables/field_text.h"

#include <math.h>
#include <string.h>

#define DASH "\xe2\x80\x93"

static void put_asset(FILE *file, const unsigned char *bytes, size_t count) {
  fwrite(bytes, 1, count, file);
}

/// The policy forbids the page to load anything.
static void put_head(FILE *file) {
  fputs("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta name=\"color-scheme\" content=\"light dark\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
        "style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n"
        "<title>touchstone leaderboard</title>\n<style>\n",
        file);
  put_asset(file, ts_html_style, ts_html_style_bytes);
  put_asset(file, ts_board_style, ts_board_style_bytes);
  fputs("</style>\n</head>\n<body>\n", file);
}

static ts_status put_title(FILE *file, ts_arena *arena, const ts_board *board) {
  fputs("<header><h1>Leaderboard of contact generators</h1>\n<p>", file);
  fprintf(file, "%zu entr%s on the touchstone data set, version <strong>", board->entry_count,
          board->entry_count == 1 ? "y" : "ies");
  TS_TRY(ts_html_put(file, arena, board->version));
  fprintf(file, "</strong>: %zu scenes of %zu cases.</p>\n", board->scene_count, board->case_count);
  fputs("<p>A place such as 2-4: one entry is ahead of it beyond chance, and two more may be. An "
        "entry's name leads to its scenes, machine and command.</p>\n</header>\n",
        file);
  return TS_OK;
}

static void put_number(FILE *file, const ts_field *field, double value, const char *fault) {
  char text[TS_NUMBER_BYTES] = DASH;
  if (!isnan(value))
    ts_field_number_text(text, field, value);
  fprintf(file, "<td class=\"n%s\" data-value=\"%.10g\">%s</td>", fault,
          isnan(value) ? (double)NAN : value, text);
}

/// A mean, with its interval below, and a star if that is too narrow (ts_study_notes).
static void put_interval(FILE *file, const ts_field *field, const ts_interval *interval) {
  char mean[TS_NUMBER_BYTES], low[TS_NUMBER_BYTES], high[TS_NUMBER_BYTES];
  if (isnan(interval->mean)) {
    fputs("<td class=\"interval\" data-value=\"nan\">" DASH "</td>", file);
    return;
  }
  ts_field_number_text(mean, field, interval->mean);
  fprintf(file, "<td class=\"interval\" data-value=\"%.10g\">%s", interval->mean, mean);
  if (!isnan(interval->low) && interval->exceptions == 0) {
    fputs("<small>fixed</small>", file);
  } else if (!isnan(interval->low)) {
    ts_field_number_text(low, field, interval->low);
    ts_field_number_text(high, field, interval->high);
    fprintf(file, "<small>%s " DASH " %s%s</small>", low, high,
            interval->exceptions < TS_EXCEPTIONS_MIN ? "*" : "");
  }
  fputs("</td>", file);
}

/// "all 184", or what of them counts as 0.
static void put_scenes(FILE *file, const ts_board *board, const ts_board_entry *e) {
  size_t lacking = e->missing + e->skipped + e->failed;
  fprintf(file, "<td data-value=\"%zu\"%s>", board->scene_count - lacking,
          lacking > 0 ? " class=\"bad\"" : "");
  if (lacking == 0) {
    fprintf(file, "all %zu</td>", board->scene_count);
    return;
  }
  fprintf(file, "%zu of %zu<small>", board->scene_count - lacking, board->scene_count);
  const struct {
    size_t count;
    const char *words;
  } parts[] = {{e->missing, "missing"}, {e->skipped, "skipped"}, {e->failed, "failed"}};
  const char *before = "<br>";
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    if (parts[i].count > 0) {
      fprintf(file, "%s%zu %s", before, parts[i].count, parts[i].words);
      before = ", ";
    }
  fputs("</small></td>", file);
}

static ts_status put_measure_head(FILE *file, ts_arena *arena, const ts_field *field) {
  const char *sign = ts_field_unit_sign(field);
  fputs("<th scope=\"col\" class=\"n\" title=\"", file);
  TS_TRY(ts_html_put(file, arena, field->meaning));
  fprintf(file, "\">%s%s%s</th>", ts_field_short_label(field), sign[0] ? " " : "", sign);
  return TS_OK;
}

static ts_status put_entry_row(FILE *file, ts_arena *arena, const ts_board *board, size_t i) {
  const ts_board_entry *e = &board->entries[i];
  const ts_study_method *m = &board->study.methods[i];
  const char *places = ts_study_rank(arena, m);
  if (!places)
    return TS_E_MEMORY;
  fprintf(file,
          "<tr><td class=\"n\" data-value=\"%zu\">%s</td><th scope=\"row\"><a href=\"#entry-%zu\">",
          i, places, i + 1);
  TS_TRY(ts_html_put(file, arena, e->name));
  fputs("</a></th>", file);
  for (int k = 0; k < TS_STUDY_MEASURE_COUNT; k++)
    put_interval(file, ts_study_field((ts_study_measure)k), &m->values[k].mean);
  double perfect = ts_study_perfect_percent(m);
  fprintf(file, "<td class=\"n\" data-value=\"%.10g\">%zu<small> of %zu</small></td>", perfect,
          m->perfect, m->judged);
  put_scenes(file, board, e);
  fputs("<td>", file);
  TS_TRY(ts_html_put(file, arena, e->source));
  fputs("</td></tr>\n", file);
  return TS_OK;
}

/// What the numbers are, in the words of a study, and what is special about a leaderboard.
static ts_status put_notes(FILE *file, ts_arena *arena, const ts_study *study) {
  const char **notes;
  size_t count;
  TS_TRY(ts_study_notes(&notes, &count, arena, study));
  fputs("<details><summary>How this is counted</summary>\n", file);
  for (size_t i = 0; i < count; i++) {
    fputs("<p>", file);
    TS_TRY(ts_html_put(file, arena, notes[i]));
    fputs("</p>\n", file);
  }
  fputs("<p>A scene that an entry lacks or skips counts as one at which it failed. Entries are in "
        "the order of the middle of their places.</p>\n</details>\n",
        file);
  return TS_OK;
}

static ts_status put_ranking(FILE *file, ts_arena *arena, const ts_board *board) {
  fputs("<section id=\"ranking\"><h2>Ranking</h2>\n"
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Ranking\">\n"
        "<table class=\"rows board\"><caption class=\"unseen\">Entries in the order of their "
        "places</caption>\n<thead><tr><th scope=\"col\" class=\"n\">Place</th>"
        "<th scope=\"col\">Entry</th>",
        file);
  for (int k = 0; k < TS_STUDY_MEASURE_COUNT; k++)
    TS_TRY(put_measure_head(file, arena, ts_study_field((ts_study_measure)k)));
  fputs(
      "<th scope=\"col\" class=\"n\" title=\"Scenes with quality and coverage 100 %, excess 1 and "
      "no fault\">Perfect</th><th scope=\"col\">Scenes</th><th scope=\"col\">Source</th></tr>"
      "</thead>\n<tbody>\n",
      file);
  for (size_t i = 0; i < board->entry_count; i++)
    TS_TRY(put_entry_row(file, arena, board, i));
  fputs("</tbody></table></div>\n<p class=\"quiet\">The same for programs: "
        "<a href=\"leaderboard.csv\">leaderboard.csv</a>, "
        "<a href=\"leaderboard.json\">leaderboard.json</a>.</p>\n",
        file);
  TS_TRY(put_notes(file, arena, &board->study));
  fputs("</section>\n", file);
  return TS_OK;
}

static ts_status put_fact(FILE *file, ts_arena *arena, const char *name, const char *text) {
  if (text[0] == '\0')
    return TS_OK;
  fprintf(file, "<dt>%s</dt><dd>", name);
  TS_TRY(ts_html_put(file, arena, text));
  fputs("</dd>\n", file);
  return TS_OK;
}

static ts_status put_facts(FILE *file, ts_arena *arena, const ts_board_entry *e) {
  fputs("<dl>", file);
  TS_TRY(put_fact(file, arena, "Method", e->method));
  TS_TRY(put_fact(file, arena, "Source", e->source));
  TS_TRY(put_fact(file, arena, "Contacts by", e->provider));
  TS_TRY(put_fact(file, arena, "Parameters", e->method_parameters));
  TS_TRY(put_fact(file, arena, "Scored by", e->program));
  TS_TRY(put_fact(file, arena, "Machine", e->cpu));
  TS_TRY(put_fact(file, arena, "System", e->system));
  TS_TRY(put_fact(file, arena, "Date", e->date));
  fputs("</dl>\n<h3>To measure a scene again</h3>\n<pre><code>", file);
  TS_TRY(ts_html_put(file, arena, e->command));
  fputs("</code></pre>\n", file);
  return TS_OK;
}

/// "told apart from: ode (quality, p 0.001)".
static ts_status put_told_apart(FILE *file, ts_arena *arena, const ts_board *board, size_t i) {
  size_t count = 0;
  for (size_t k = 0; k < board->entry_count; k++) {
    const ts_study_pair *pair = ts_study_find_pair(&board->study, i, k);
    if (!pair || pair->told_by < TS_STUDY_COMPARED_COUNT)
      continue;
    fputs(count++ == 0 ? "<p>Not told apart from " : ", ", file);
    TS_TRY(ts_html_put(file, arena, board->entries[k].name));
  }
  fputs(count > 0 ? ".</p>\n" : "", file);
  return TS_OK;
}

static ts_status put_scene_row(FILE *file, ts_arena *arena, const ts_board_scene *scene,
                               const ts_record *row, const ts_field *const *shown, size_t count) {
  bool is_ok = row && ts_record_is_ok(row);
  fprintf(file, "<tr%s><th scope=\"row\">",
          row && ts_record_has_failed(row) ? " class=\"failed\"" : "");
  TS_TRY(ts_html_put(file, arena, scene->name));
  fputs("</th><td>", file);
  TS_TRY(ts_html_put(file, arena, row ? ts_record_outcome_words(row) : "missing"));
  fputs("</td>", file);
  if (!is_ok) {
    fprintf(file, "<td class=\"reason\" data-value=\"nan\" colspan=\"%zu\">", count);
    TS_TRY(ts_html_put(file, arena, row ? row->reason : "The results have no row of this scene."));
    fputs("</td></tr>\n", file);
    return TS_OK;
  }
  for (size_t k = 0; k < count; k++) {
    double value = ts_row_number(shown[k], row);
    put_number(file, shown[k], value, shown[k]->role == TS_ROLE_FAULT && value > 0 ? " fault" : "");
  }
  fputs("</tr>\n", file);
  return TS_OK;
}

static ts_status put_scene_table(FILE *file, ts_arena *arena, const ts_board *board,
                                 const ts_board_entry *e) {
  const ts_field *shown[TS_RECORD_FIELD_COUNT];
  size_t count = ts_fields_shown(shown, TS_SHOWN_PAGE);
  fputs("<h3>Scene by scene</h3>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
        "aria-label=\"Scenes\">\n<table class=\"rows\"><thead><tr><th scope=\"col\">Scene</th>"
        "<th scope=\"col\">Outcome</th>",
        file);
  for (size_t k = 0; k < count; k++)
    TS_TRY(put_measure_head(file, arena, shown[k]));
  fputs("</tr></thead>\n<tbody>\n", file);
  for (size_t i = 0; i < board->scene_count; i++)
    TS_TRY(put_scene_row(file, arena, &board->scenes[i], e->rows[i], shown, count));
  fputs("</tbody></table></div>\n", file);
  return TS_OK;
}

static ts_status put_entry(FILE *file, ts_arena *arena, const ts_board *board, size_t i) {
  const char *places = ts_study_rank(arena, &board->study.methods[i]);
  if (!places)
    return TS_E_MEMORY;
  fprintf(file, "<details class=\"entry\" id=\"entry-%zu\"><summary>", i + 1);
  TS_TRY(ts_html_put(file, arena, board->entries[i].name));
  fprintf(file, " <small>place %s</small></summary>\n", places);
  TS_TRY(put_told_apart(file, arena, board, i));
  TS_TRY(put_facts(file, arena, &board->entries[i]));
  TS_TRY(put_scene_table(file, arena, board, &board->entries[i]));
  fputs("</details>\n", file);
  return TS_OK;
}

ts_status ts_board_write_html(FILE *file, ts_arena *arena, const ts_board *board) {
  put_head(file);
  TS_TRY(put_title(file, arena, board));
  fputs("<main>\n", file);
  TS_TRY(put_ranking(file, arena, board));
  fputs("<section id=\"entries\"><h2>Entries</h2>\n", file);
  for (size_t i = 0; i < board->entry_count; i++)
    TS_TRY(put_entry(file, arena, board, i));
  fputs("</section>\n</main>\n<script>\n", file);
  put_asset(file, ts_board_script, ts_board_script_bytes);
  fputs("</script>\n</body>\n</html>\n", file);
  return TS_OK;
}
