// SPDX-License-Identifier: MIT
// covers: reports/html/format_html.c reports/html/html_data.c reports/html/html_plots.c
// covers: reports/html/html_glossary.c
// covers: reports/html/html_failures.c reports/html/html_study.c reports/html/html_table.c
// covers: reports/html/html_text.c reports/html/html_tradeoff.c
// covers: reports/rows/contact_summary.c
#include "reports/formats/format.h"

#include "base/status.h"
#include "reports/plots/plot_style.h"
#include "tests/reports/formats/format_fixture.h"
#include "tests/reports/rows/results_fixture.h"

#include <criterion/criterion.h>
#include <string.h>
#include <sys/stat.h>

TestSuite(reports_format_html, .init = results_open, .fini = results_close);

/// The JSON of the page, owned by the caller.
static json_t *read_data(const char *page) {
  const char *start = strstr(page, "id=\"data\">");
  cr_assert_not_null(start);
  start += strlen("id=\"data\">");
  json_error_t error;
  json_t *data = json_loadb(start, (size_t)(strstr(start, "</script>") - start), 0, &error);
  cr_assert_not_null(data, "line %d: %s", error.line, error.text);
  return data;
}

Test(reports_format_html, text_never_becomes_markup_or_ends_the_script) {
  ts_format_source source = format_fixture_source();
  ts_record *records = (ts_record *)source.records;
  records[0].case_name = records[1].method = records[2].method_parameters = FORMAT_EVIL;
  source.context = json_pack("{s:s}", "cpu", "</script><b>");
  const char *page = format_fixture_write(&ts_format_html, &source);
  cr_expect_eq(format_fixture_count(page, "</script>"), 2, "data and the script");
  cr_expect_eq(format_fixture_count(page, "<script"), 2);
  cr_expect_eq(format_fixture_count(page, "<b>"), 0);
  cr_expect_geq(format_fixture_count(page, "&#60;/script&#62;&#60;b&#62;&#34;50%&#34; &#38; "), 4);
  cr_expect_eq(format_fixture_count(page, "run '<d>'"), 0);
  cr_expect(strstr(page, "run &#39;&#60;d&#62;&#39;") != NULL);
  json_decref(source.context);
}

Test(reports_format_html, the_script_reads_the_texts_as_they_were) {
  ts_format_source source = format_fixture_source();
  json_t *data = read_data(format_fixture_write(&ts_format_html, &source));
  const json_t *texts = json_object_get(data, "texts");
  const json_t *columns = json_object_get(data, "columns");
  const json_t *rows = json_object_get(data, "rows");
  cr_assert_eq(json_array_size(rows), FORMAT_ROWS);
  cr_assert_eq(json_array_size(columns), ts_summary_rows.field_count);
  for (size_t i = 0; i < FORMAT_ROWS; i++) {
    const json_t *row = json_array_get(rows, i);
    cr_assert_eq(json_array_size(row), ts_summary_rows.field_count + 4);
    for (size_t k = 0; k < ts_summary_rows.field_count; k++) {
      const ts_field *field = &ts_summary_rows.fields[k];
      const json_t *value = json_array_get(row, k + 4);
      if (field->kind != TS_FIELD_TEXT)
        continue;
      const char *text =
          json_string_value(json_array_get(texts, (size_t)json_integer_value(value)));
      const char *was = ts_row_text(field, &source.records[i]);
      cr_expect_eq(strncmp(text, was, strcspn(was, "\xff")), 0, "%s: %s", field->column, text);
    }
    size_t command = (size_t)json_integer_value(json_array_get(row, 2));
    cr_expect_str_eq(json_string_value(json_array_get(texts, command)), source.commands[i]);
  }
  json_decref(data);
}

Test(reports_format_html, the_script_knows_of_each_column_what_the_list_says) {
  ts_format_source source = format_fixture_source();
  json_t *data = read_data(format_fixture_write(&ts_format_html, &source));
  const json_t *columns = json_object_get(data, "columns");
  for (size_t i = 0; i < ts_summary_rows.field_count; i++) {
    const ts_field *field = &ts_summary_rows.fields[i];
    const json_t *column = json_array_get(columns, i);
    const char *keys[] = {"name", "unit", "label", "meaning", "role", "best"};
    const char *texts[] = {field->column,
                           field->unit,
                           field->label,
                           field->meaning,
                           ts_role_names[field->role],
                           ts_sense_names[field->sense]};
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
      cr_expect_str_eq(json_string_value(json_object_get(column, keys[k])), texts[k], "%s of %s",
                       keys[k], field->column);
    const json_t *far_off = json_object_get(column, "farOff");
    cr_expect_eq(far_off ? json_number_value(far_off) : 0, field->far_off, "%s", field->column);
  }
  json_decref(data);
}

Test(reports_format_html, the_page_loads_nothing_from_elsewhere) {
  ts_format_source source = format_fixture_source();
  const char *page = format_fixture_write(&ts_format_html, &source);
  static const char *const reaches[] = {"src=\"http", "href=\"http", "@import", "url(",
                                        "fetch(",     "<link",       "import("};
  for (size_t i = 0; i < sizeof reaches / sizeof *reaches; i++)
    cr_expect_eq(format_fixture_count(page, reaches[i]), 0, "%s", reaches[i]);
  cr_expect(strstr(page, "default-src 'none'") != NULL);
}

Test(reports_format_html, the_table_and_the_failures_are_there_without_a_script) {
  ts_format_source source = format_fixture_source();
  const char *page = format_fixture_write(&ts_format_html, &source);
  const char *table = strstr(page, "<noscript><div class=\"scroll\"");
  cr_assert_not_null(table);
  cr_expect_eq(format_fixture_count(table, "<th scope=\"row\">"), FORMAT_ROWS);
  cr_expect_eq(format_fixture_count(page, "class=\"failed\""), 1);
  cr_expect(strstr(page, "<td class=\"n\">62.5</td><td class=\"n\">100</td>") != NULL);
  cr_expect(strstr(page, "<td class=\"n fault\">2</td>") != NULL);
  cr_expect(strstr(page, ">needs tets</td>") != NULL);
  cr_expect(strstr(page, "<strong>1 row failed</strong>") != NULL);
  cr_expect_eq(format_fixture_count(page, "<pre><code>"), 1);
}

Test(reports_format_html, without_coherence_there_is_no_section) {
  ts_format_source source = format_fixture_source();
  cr_expect_null(strstr(format_fixture_write(&ts_format_html, &source), "id=\"coherence\""));
  // What was not measured has no coherence, whatever its columns say.
  ((ts_record *)source.records)[3].cone_jump_max = 1;
  cr_expect_null(strstr(format_fixture_write(&ts_format_html, &source), "id=\"coherence\""));
}

Test(reports_format_html, coherence_is_that_of_the_last_step_of_each_cell_the_worst_first) {
  ts_format_source source = format_fixture_source();
  ts_record *records = (ts_record *)source.records;
  records[0].churn_percent_mean = 2;
  records[0].set_jump_per_m_max = 678425;
  records[1].churn_percent_mean = 7.5;
  // Rows of one cell in any order; the last step has no values.
  for (int i = 2; i < 5; i++) {
    records[i].cell = "c2";
    records[i].outcome = "ok";
    records[i].case_name = "wall";
    records[i].method = "three";
    records[i].reason = "";
  }
  records[2].step = 9;
  records[3].step = 3;
  records[3].churn_percent_mean = 40;
  records[4].step = 1;
  records[4].churn_percent_mean = 90;
  const char *page = format_fixture_write(&ts_format_html, &source);
  const char *section = strstr(page, "id=\"coherence\"");
  cr_assert_not_null(section);
  const char *end = strstr(section, "</section>");
  static const char *const parts[] = {
      "id=\"coherence-rows\">[1,0,3]<",
      "<noscript>",
      "data-sort=\"churn_percent_mean\" title=\"Contacts that came or went",
      "data-sort=\"set_jump_per_m_max\"",
      "wall touch</th><td>two</td>",
      "<td class=\"n\">7.5</td><td class=\"n\">\xe2\x80\x93</td></tr>",
      "wall touch</th><td>one</td>",
      "<td class=\"n\">2.0</td><td class=\"n\">6.8e5</td></tr>",
      "wall step=3</th><td>three</td>",
      "<td class=\"n\">40.0</td>",
      "<dt>Mean churn</dt><dd>Contacts that came or went"};
  const char *at = section;
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    at = strstr(at, parts[i]);
    cr_assert(at && at < end, "%s", parts[i]);
  }
  const char *text = ts_arena_format(fixture_arena, "%.*s", (int)(end - section), section);
  cr_expect_eq(format_fixture_count(text, "<th scope=\"row\">"), 3);
  cr_expect_null(strstr(text, "cone_jump_max"), "a column without values is left out");
}

Test(reports_format_html, contacts_are_counted_and_their_errors_sorted) {
  ts_format_source source = format_fixture_source();
  source.folder = fixture_path("contacts");
  cr_assert_eq(mkdir(source.folder, 0777), 0);
  static const char head[] = "cell,case,method,step,body_a,body_b,index,normal_error_deg,correct,"
                             "phantom,speculative\n";
  static const char rows[] = "c1,wall,two,0,0,1,0,30,0,0,0\n"
                             "c0,wall,one,0,0,1,0,1,1,0,0\n"
                             "c1,wall,two,0,0,1,1,0.5,1,0,0\n"
                             "c1,wall,two,0,0,1,2,90,0,1,0\n"
                             "c1,wall,two,0,0,1,3,2,0,0,1\n"
                             "c1,wall,two,3,0,1,3,2,0,0,1\n"
                             "c1,wall,two,0,0,1,4,nan,0,0,0\n";
  fixture_write_text(ts_arena_format(fixture_arena, "%s/contacts.csv", source.folder),
                     ts_arena_format(fixture_arena, "%s%s", head, rows));
  json_t *data = read_data(format_fixture_write(&ts_format_html, &source));
  const json_t *row = json_array_get(json_object_get(data, "rows"), 1);
  json_t *expected = json_pack("[i,i,i,i,i,[f,i,i]]", 5, 1, 2, 1, 1, 0.5, 30, 90);
  cr_expect(json_equal(json_array_get(row, 3), expected));
  cr_expect(json_is_null(json_array_get(json_array_get(json_object_get(data, "rows"), 2), 3)));
  json_decref(expected);
  json_decref(data);
}

Test(reports_format_html, plots_of_the_folder_are_put_in_by_name) {
  ts_format_source source = format_fixture_source();
  source.folder = fixture_path("with_plots");
  cr_assert_eq(mkdir(source.folder, 0777), 0);
  const char *plots = ts_arena_format(fixture_arena, "%s/plots", source.folder);
  cr_assert_eq(mkdir(plots, 0777), 0);
  fixture_write_text(ts_arena_format(fixture_arena, "%s/b<2>.svg", plots), "<svg>\xff</svg>");
  fixture_write_text(ts_arena_format(fixture_arena, "%s/a.svg", plots), "<svg/>");
  fixture_write_text(ts_arena_format(fixture_arena, "%s/c.txt", plots), "no plot");
  const char *page = format_fixture_write(&ts_format_html, &source);
  const char *a = strstr(page, "<figcaption>a</figcaption>");
  const char *b = strstr(page, "<figcaption>b&#60;2&#62;</figcaption>");
  cr_assert(a && b);
  cr_expect_lt(a, b);
  cr_expect(strstr(page, "data:image/svg+xml;base64,PHN2Zy8+\"") != NULL);
  cr_expect(strstr(page, "data:image/svg+xml;base64,PHN2Zz7/PC9zdmc+\"") != NULL);
  cr_expect_eq(format_fixture_count(page, "<img"), 2);
  cr_expect_eq(format_fixture_count(page, "<noscript><img"), 2, "no image is decoded up front");
}

Test(reports_format_html, damaged_contacts_are_refused_with_their_line) {
  ts_format_source source = format_fixture_source();
  source.folder = fixture_path("damaged");
  cr_assert_eq(mkdir(source.folder, 0777), 0);
  fixture_write_text(ts_arena_format(fixture_arena, "%s/contacts.csv", source.folder),
                     "cell,case,method,step,body_a,body_b,index\nc0,wall,one,0,0,1,x\n");
  FILE *file = fopen("/dev/null", "w");
  cr_expect_eq(ts_format_html.write(file, fixture_arena, &source), TS_E_INPUT);
  cr_expect(fixture_detail_has("contacts.csv, line 2"), "%s", ts_status_detail());
  fclose(file);
}

Test(reports_format_html, a_method_has_the_same_style_as_in_plots) {
  const char *const order[] = {"none", "two", "", "one"};
  ts_format_source source = format_fixture_source();
  source.method_names = order;
  source.method_count = 4;
  json_t *data = read_data(format_fixture_write(&ts_format_html, &source));
  const json_t *methods = json_object_get(data, "methods"), *looks = json_object_get(data, "looks");
  cr_assert_eq(json_array_size(looks), json_array_size(methods));
  for (size_t i = 0; i < json_array_size(methods); i++) {
    const char *name = json_string_value(json_array_get(methods, i));
    size_t place = strcmp(name, "one") == 0 ? 3 : strcmp(name, "two") == 0 ? 1 : 4;
    const json_t *look = json_array_get(looks, i);
    cr_expect_str_eq(json_string_value(json_array_get(look, 0)), ts_style_of(place).colour);
    cr_expect_eq(json_integer_value(json_array_get(look, 2)), ts_style_of(place).point);
    if (place == 1)
      cr_expect_str_eq(json_string_value(json_array_get(look, 1)), "", "a whole line");
    if (place == 4)
      cr_expect_str_eq(json_string_value(json_array_get(look, 1)), "6 3");
  }
  json_decref(data);
}

Test(reports_format_html, the_summary_comes_first_and_its_long_tables_are_folded_away) {
  ts_format_source source = format_fixture_source();
  const char *page = format_fixture_write(&ts_format_html, &source);
  const char *summary = strstr(page, "<section id=\"study\">");
  cr_assert_not_null(summary);
  cr_expect_lt(summary, strstr(page, "<section id=\"failed\">"));
  cr_expect_not_null(strstr(summary, "<th scope=\"row\" class=\"method\">one</th>"));
  cr_expect_not_null(strstr(summary, "<summary>Worst cells</summary>"));
  cr_expect_not_null(strstr(summary, "<summary>Pairs</summary>"));
  cr_expect_not_null(strstr(summary, "<summary>How to read this table, and "));
  cr_expect_not_null(strstr(summary, "<strong>one</strong> has the best means of 3 methods, with a "
                                     "mean quality of "));
  cr_expect_lt(strstr(summary, "id=\"tradeoff\""), strstr(page, "<section id=\"failed\">"));
  source.count = 1;
  page = format_fixture_write(&ts_format_html, &source);
  cr_expect_null(strstr(page, "id=\"study\""), "one row has nothing to sum up");
}

Test(reports_format_html, methods_that_only_their_names_order_are_named) {
  ts_format_source source = format_fixture_source();
  const char *page = format_fixture_write(&ts_format_html, &source);
  cr_expect_null(strstr(page, "the same means"));
  ts_record records[6];
  static const char *const names[3] = {"two", "one", "low"};
  const char *texts[6];
  for (size_t i = 0; i < 6; i++) {
    records[i] = source.records[0];
    records[i].case_name = i < 3 ? "wall" : "arch";
    records[i].method = names[i % 3];
    records[i].step = 0;
    records[i].quality_percent = i % 3 == 2 ? 10 : 80;
    texts[i] = "row";
  }
  source.records = records;
  source.count = 6;
  source.names = source.commands = texts;
  page = format_fixture_write(&ts_format_html, &source);
  const char *first = strstr(page, "<p><strong>one</strong> ");
  cr_assert_not_null(first);
  cr_expect_not_null(strstr(first, "; it has the same means as <strong>two</strong>, and precedes "
                                   "by its name alone.</p>"));
}

/// `count` copies of the first row of the fixture, without names or commands of their own.
static ts_format_source make_many(size_t count) {
  ts_format_source source = format_fixture_source();
  ts_record *records = ts_arena_array(fixture_arena, count, sizeof *records);
  const char **texts = ts_arena_array(fixture_arena, count, sizeof *texts);
  cr_assert(records && texts);
  for (size_t i = 0; i < count; i++) {
    records[i] = source.records[0];
    records[i].step = (double)i;
    texts[i] = ts_arena_format(fixture_arena, "row %zu", i);
  }
  source.records = records;
  source.count = count;
  source.names = source.commands = texts;
  return source;
}

/// Rows of two methods in `scene_count` scenes as built, in which the first one is always better.
static ts_format_source make_contest(size_t scene_count) {
  ts_format_source source = make_many(2 * scene_count);
  ts_record *records = (ts_record *)source.records;
  for (size_t i = 0; i < source.count; i++) {
    records[i].step = 0;
    records[i].case_name = ts_arena_format(fixture_arena, "scene_%zu", i / 2);
    records[i].method = i % 2 == 0 ? "better" : "worse";
    records[i].cell = ts_arena_format(fixture_arena, "%s/%zu", records[i].method, i / 2);
    records[i].quality_percent = i % 2 == 0 ? 100 : 50;
  }
  return source;
}

Test(reports_format_html, few_scenes_that_cannot_rank_are_said_to_be_no_ranking) {
  // Of 4 scenes the least p is 2 / 2^4, for two compared measures 0.25; of 12 it is 0.001.
  ts_format_source source = make_contest(4);
  const char *page = format_fixture_write(&ts_format_html, &source);
  const char *no_ranking =
      strstr(page, "<strong>This is no ranking:</strong> 4 scenes are too few");
  cr_assert_not_null(no_ranking);
  cr_expect_lt(no_ranking, strstr(page, "<strong>better</strong> has the best means of 2 methods"));
  source = make_contest(12);
  page = format_fixture_write(&ts_format_html, &source);
  cr_expect_null(strstr(page, "This is no ranking"));
  cr_expect_not_null(strstr(page, "<strong>better</strong> comes first of 2 methods, with a mean "
                                  "quality of 100 % over 12 scenes.</p>"));
}

Test(reports_format_html, the_worst_cells_know_their_rows) {
  ts_format_source source = make_contest(3);
  ((ts_record *)source.records)[3].quality_percent = 7;
  const char *page = format_fixture_write(&ts_format_html, &source);
  cr_expect_not_null(strstr(page, "<td class=\"n\">7.0</td><td data-of=\"3\">scene_1</td>"));
}

Test(reports_format_html, failures_are_folded_and_counted_by_reason_without_its_numbers) {
  static const char *const reasons[] = {"facets 1 and 2 intersect", "no space",
                                        "facets 13 and 4 intersect", "facets 5 and 6 intersect"};
  ts_format_source source = make_many(6);
  ts_record *records = (ts_record *)source.records;
  for (size_t i = 0; i < 4; i++) {
    records[i].outcome = i == 1 ? "crashed" : "failed";
    records[i].reason = reasons[i];
  }
  const char *page = format_fixture_write(&ts_format_html, &source);
  const char *fold = strstr(page, "<section id=\"failed\"><h2>Failed</h2>\n<details><summary>");
  cr_assert_not_null(fold);
  const char *line =
      ts_arena_format(fixture_arena, "%.*s", (int)(strstr(fold, "</summary>") - fold), fold);
  cr_expect_not_null(strstr(line, "<strong>4 rows failed</strong>: 3 \xc3\x97 <span "
                                  "class=\"bad\">failed</span>, facets 1 and 2 intersect; 1 "
                                  "\xc3\x97 <span class=\"bad\">crashed</span>, no space"),
                     "%s", line);
  static const char *const order[] = {"row 0", "row 2", "row 3", "row 1", "</details>"};
  for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
    fold = strstr(fold, order[i]);
    cr_assert_not_null(fold, "%s", order[i]);
  }
}

Test(reports_format_html, many_kinds_of_failures_are_named_up_to_four) {
  ts_format_source source = make_many(7);
  ts_record *records = (ts_record *)source.records;
  for (size_t i = 0; i < 7; i++) {
    records[i].outcome = "failed";
    records[i].reason = ts_arena_format(fixture_arena, "reason %c", (char)('a' + i));
  }
  const char *page = format_fixture_write(&ts_format_html, &source);
  cr_expect_not_null(strstr(page, ", reason d; 3 for other reasons</summary>"));
}

Test(reports_format_html, without_a_script_a_long_table_ends_and_says_where_the_rest_is) {
  ts_format_source source = make_many(1003);
  const char *page = format_fixture_write(&ts_format_html, &source);
  cr_expect_eq(format_fixture_count(page, "<th scope=\"row\">"), 1000);
  cr_expect_not_null(strstr(page, "These are the first 1000 of 1003 rows. JavaScript shows the "
                                  "others; summary.csv has all."));
  source = make_many(1000);
  page = format_fixture_write(&ts_format_html, &source);
  cr_expect_eq(format_fixture_count(page, "<th scope=\"row\">"), 1000);
  cr_expect_null(strstr(page, "These are the first"));
}

Test(reports_format_html, with_a_script_no_row_is_made_up_front) {
  ts_format_source source = make_many(3);
  const char *page = format_fixture_write(&ts_format_html, &source);
  const char *table = strstr(page, "<div class=\"live scroll\" hidden>");
  cr_assert_not_null(table);
  cr_expect_not_null(strstr(table, "<tbody>\n</tbody></table></div>\n<noscript>"));
}

Test(reports_format_html, the_counts_at_the_top_lead_to_the_rows) {
  ts_format_source source = format_fixture_source();
  const char *page = format_fixture_write(&ts_format_html, &source);
  cr_expect_not_null(strstr(page, "<a href=\"#show=wrong\">3 are not right</a>: <a class=\"bad\" "
                                  "href=\"#failed\">1 failed</a>, <a "
                                  "href=\"#show=flagged\">2 with flags</a>. <a "
                                  "href=\"#outcome=skipped\">1 skipped.</a>"));
  cr_expect_lt(strstr(page, "class=\"skip\" href=\"#table\""), strstr(page, "<header>"));
}

Test(reports_format_html, wrong_normals_count_as_not_right_without_a_flag) {
  ts_format_source source = format_fixture_source();
  ts_record *records = (ts_record *)source.records;
  source.count = 1;
  records[0] = records[1];
  records[0].phantom = records[0].regions_missed = records[0].normals_flipped = 0;
  records[0].gaps_wrong = records[0].contacts_missing = records[0].normals_invalid = 0;
  records[0].speculative_wrong = 0;
  records[0].quality_percent = records[0].coverage_percent = 100;
  cr_expect_null(strstr(format_fixture_write(&ts_format_html, &source), "not right</a>"));
  records[0].coverage_percent = 99.9;
  const char *page = format_fixture_write(&ts_format_html, &source);
  cr_expect_not_null(strstr(page, "<a href=\"#show=wrong\">1 is not right</a>.</p>"));
}

static const char *summary_of(const char *name) {
  return strcmp(name, "growth") == 0 ? NULL : "Says <what> it is.";
}

Test(reports_format_html, the_script_knows_what_cases_and_methods_are) {
  ts_format_source source = format_fixture_source();
  source.case_summary = summary_of;
  json_t *data = read_data(format_fixture_write(&ts_format_html, &source));
  const json_t *texts = json_object_get(data, "texts");
  const char *keys[] = {"caseSummaries", "methodSummaries"};
  const char *expected[] = {"Says <what> it is.", ""};
  for (int k = 0; k < 2; k++) {
    size_t at = (size_t)json_integer_value(json_array_get(json_object_get(data, keys[k]), 0));
    cr_expect_str_eq(json_string_value(json_array_get(texts, at)), expected[k]);
  }
  json_decref(data);
}

Test(reports_format_html, flags_come_first_among_the_measures) {
  ts_format_source source = format_fixture_source();
  const char *page = format_fixture_write(&ts_format_html, &source);
  const char *quality = strstr(page, "data-sort=\"quality_percent\"");
  cr_assert_not_null(quality);
  cr_expect_lt(strstr(page, "data-sort=\"contacts_missing\""), quality);
  cr_expect_lt(strstr(page, "data-sort=\"outcome\""), strstr(page, "data-sort=\"phantom\""));
}

Test(reports_format_html, the_script_knows_the_name_of_each_row_and_how_to_explain_it) {
  static const char *const explains[FORMAT_ROWS] = {"why a", "why b", "why c", "why d", "why e"};
  ts_format_source source = format_fixture_source();
  json_t *data = read_data(format_fixture_write(&ts_format_html, &source));
  cr_expect(json_is_null(json_object_get(data, "explains")), "nothing is known");
  json_decref(data);
  source.explains = explains;
  data = read_data(format_fixture_write(&ts_format_html, &source));
  const json_t *texts = json_object_get(data, "texts");
  for (size_t i = 0; i < FORMAT_ROWS; i++) {
    size_t at = (size_t)json_integer_value(json_array_get(json_object_get(data, "explains"), i));
    cr_expect_str_eq(json_string_value(json_array_get(texts, at)), explains[i]);
    cr_expect_str_eq(json_string_value(json_array_get(json_object_get(data, "names"), i)),
                     source.names[i]);
  }
  json_decref(data);
}

Test(reports_format_html, units_are_in_the_heads) {
  ts_format_source source = format_fixture_source();
  const char *page = format_fixture_write(&ts_format_html, &source);
  cr_expect_not_null(strstr(page, "Quality %</th>"));
  cr_expect_not_null(strstr(page, "Normal error \xc2\xb0</th>"));
}

Test(reports_format_html, quality_against_time_has_the_means_and_the_front) {
  ts_format_source source = format_fixture_source();
  ts_record *records = (ts_record *)source.records;
  for (size_t i = 2; i < 4; i++) {
    records[i] = records[i - 2];
    records[i].case_name = "spike_in_hole";
  }
  records[2].quality_percent = 37.5;
  records[2].generate_ns_median = 2500;
  json_t *data = read_data(format_fixture_write(&ts_format_html, &source));
  const json_t *tradeoff = json_object_get(data, "tradeoff");
  cr_expect_eq(json_integer_value(json_object_get(tradeoff, "cases")), 2);
  const json_t *points = json_object_get(tradeoff, "points");
  cr_assert_eq(json_array_size(points), 2, "the third method has no quality");
  const double expected[2][3] = {{0, 250, 50}, {1, 1500, 100}};
  for (size_t i = 0; i < 2; i++) {
    const json_t *point = json_array_get(points, i);
    cr_expect_eq(json_number_value(json_array_get(point, 0)), expected[i][0]);
    cr_expect_float_eq(json_number_value(json_array_get(point, 1)), expected[i][1], 1e-6);
    cr_expect_float_eq(json_number_value(json_array_get(point, 4)), expected[i][2], 1e-9);
    cr_expect(json_is_true(json_array_get(point, 7)), "both are on the front");
    cr_expect_eq(json_integer_value(json_array_get(point, 8)), 2);
  }
  json_decref(data);
  source.study_fault = "no quality";
  data = read_data(format_fixture_write(&ts_format_html, &source));
  cr_expect(json_is_null(json_object_get(data, "tradeoff")), "no study, no means");
  json_decref(data);
}
