// SPDX-License-Identifier: MIT
// covers: harness/plan/page.c harness/plan/doc_page.c
#include "harness/plan/page.h"

#include "harness/plan/doc_page.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static ts_arena *arena;
static char *printed;

static void setup(void) {
  cr_assert_eq(ts_arena_create(&arena), TS_OK);
}

static void teardown(void) {
  free(printed);
  ts_arena_destroy(arena);
}

TestSuite(harness_page, .init = setup, .fini = teardown);

/// Prints a page that has one of everything.
static const char *print(ts_page_kind kind) {
  static const ts_page_item items[] = {
      {"--case RE", "only these; a name with back\\slashes"},
      {".hidden",
       "a text of many words, which goes on and on until the page needs yet a second line for it"}};
  size_t count;
  FILE *file = open_memstream(&printed, &count);
  ts_page page = ts_page_start(file, arena, kind, "touchstone-some", 1, "Does some thing.");
  ts_page_usage(&page, "touchstone some", "[options]");
  ts_page_heading(&page, "Options");
  cr_assert_eq(ts_page_items(&page, items, 2), TS_OK);
  ts_page_text(&page, "One\nparagraph.\n\nAnother:\n  as it is\n");
  ts_page_heading(&page, "Examples");
  ts_page_commands(&page, "touchstone some --case '.*'\n");
  fclose(file);
  return printed;
}

Test(harness_page, a_text_is_aligned_and_wrapped) {
  cr_expect_str_eq(
      print(TS_PAGE_TEXT),
      "Usage: touchstone some [options]\n"
      "\n"
      "Options:\n"
      "  --case RE  only these; a name with back\\slashes\n"
      "  .hidden    a text of many words, which goes on and on until the page needs yet a "
      "second line for\n"
      "             it\n"
      "\n"
      "One paragraph.\n"
      "\n"
      "Another:\n"
      "  as it is\n"
      "\n"
      "Examples:\n"
      "  touchstone some --case '.*'\n");
}

Test(harness_page, a_manual_page_protects_what_troff_would_take_for_its_own) {
  const char *head =
      ".TH TOUCHSTONE\\-SOME 1 \"\" \"touchstone " TOUCHSTONE_VERSION "\" \"touchstone\"\n";
  const char *page = print(TS_PAGE_MAN);
  cr_assert(strncmp(page, head, strlen(head)) == 0, "%s", page);
  cr_expect_str_eq(page + strlen(head),
                   ".nh\n"
                   ".ad l\n"
                   ".SH NAME\n"
                   "touchstone\\-some \\- does some thing\n"
                   ".SH SYNOPSIS\n"
                   ".B touchstone some\n"
                   "[options]\n"
                   ".SH OPTIONS\n"
                   ".TP\n"
                   "\\fB\\-\\-case\\fR \\fIRE\\fR\n"
                   "only these; a name with back\\eslashes\n"
                   ".TP\n"
                   "\\fB.hidden\\fR\n"
                   "a text of many words, which goes on and on until the page needs yet a second\n"
                   "line for it\n"
                   ".PP\n"
                   "One paragraph.\n"
                   ".PP\n"
                   "Another:\n"
                   ".nf\n"
                   "  as it is\n"
                   ".fi\n"
                   ".SH EXAMPLES\n"
                   ".nf\n"
                   "  touchstone some \\-\\-case '.*'\n"
                   ".fi\n");
}

Test(harness_page, a_line_that_looks_like_a_request_is_text) {
  size_t count;
  FILE *file = open_memstream(&printed, &count);
  ts_page page = ts_page_start(file, arena, TS_PAGE_MAN, "touchstone-some", 1, "Does.");
  ts_page_text(&page, ".so /etc/passwd");
  fclose(file);
  cr_expect(strstr(printed, "\n\\&.so /etc/passwd\n"), "%s", printed);
}

Test(harness_page, pages_have_their_short_name_where_nothing_is_installed) {
  const char *text = "see docs/gate.md, and docs/";
  cr_expect_str_eq(ts_doc_pages_in(arena, text), text);
  cr_expect_str_eq(ts_doc_page(arena, "gate"), "docs/gate.md");
}
