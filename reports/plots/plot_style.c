// SPDX-License-Identifier: MIT
#include "reports/plots/plot_style.h"

#include "base/status.h"

#include <string.h>

/// The first seven colours are those of Okabe and Ito without yellow, which is invisible on white;
/// the others are from a similar palette by Tol.
static const ts_style styles[] = {
    {"#000000", "solid", 4},  {"#E69F00", "solid", 5},
    {"#56B4E9", "(12,4)", 6}, {"#0072B2", "solid", 7},
    {"#CC79A7", "(6,3)", 8},  {"#882255", "(12,4,2,4)", 9},
    {"#009E73", "(2,3)", 10}, {"#117733", "(16,4,6,4)", 11},
    {"#D55E00", "solid", 13}, {"#332288", "(8,3,2,3,2,3)", 12},
    {"#777777", "(4,2)", 1},  {"#999933", "(12,3,3,3,3,3)", 2},
    {"#AA4499", "(20,4)", 3}, {"#44AA99", "(3,2)", 14},
};
#define STYLE_COUNT (sizeof styles / sizeof *styles)
#define NEXT_STYLE  5 // coprime to STYLE_COUNT

/// By which ts_plot_style_is_ours() knows the file, in its second line.
#define MARK "# Settings shared by all plots."

/// Titles and labels go through label(), which escapes characters that are special in LaTeX.
static const char before[] = MARK
    " Edit them here, then run gnuplot on the scripts again.\n"
    "is_tex = format eq \"tex\"\n"
    "set encoding utf8\n"
    "escaped(c) = strstrt(\"_%&#${}\", c) > 0 ? \"\\\\\".c : \\\n"
    "  c eq \"|\" ? \"\\\\textbar{}\" : c eq \"<\" ? \"\\\\textless{}\" : \\\n"
    "  c eq \">\" ? \"\\\\textgreater{}\" : c eq \"^\" ? \"\\\\^{}\" : \\\n"
    "  c eq \"~\" ? \"\\\\~{}\" : c eq \"\\\\\" ? \"\\\\textbackslash{}\" : c\n"
    "label(s) = !is_tex || strlen(s) == 0 ? s : escaped(s[1:1]).label(s[2:*])\n"
    "# gnuplot treats tic labels as number formats.\n"
    "tic(s) = strstrt(s, \"%\") == 0 ? s : \\\n"
    "  s[1:strstrt(s, \"%\") - 1].\"%%\".tic(s[strstrt(s, \"%\") + 1:*])\n"
    "two_lines(a, b) = is_tex ? \"\\\\shortstack{\".a.\"\\\\\\\\\".b.\"}\" : a.\"\\n\".b\n"
    "\n"
    "# One column of a paper is 3.35 inches wide, two are 7; text is 7.5 points.\n"
    "width_in = columns == 1 ? 3.35 : 7.0\n"
    "height_in = 3.35 * height + 0.14 * (key_rows + title_lines - 2)\n"
    "if (format eq \"svg\") {\n"
    "  set terminal svg size int(180 * width_in), int(180 * height_in) dynamic \\\n"
    "    font \"sans-serif,18\" linewidth 2 dashlength 1 background \"#FFFFFF\"\n"
    "} else { if (format eq \"png\") {\n"
    "  set terminal pngcairo size int(240 * width_in), int(240 * height_in) \\\n"
    "    font \"sans-serif,18\" fontscale 1 linewidth 2.7 pointscale 1.4\n"
    "} else { if (format eq \"pdf\") {\n"
    "  set terminal pdfcairo size width_in, height_in font \"sans-serif,7.5\" \\\n"
    "    linewidth 1 dashlength 1.5 butt\n"
    "} else {\n"
    "  set terminal cairolatex pdf colortext size width_in, height_in font \",8\" fontscale 0.8 "
    "\\\n"
    "    linewidth 1 dashlength 1.5 butt\n"
    "} } }\n"
    "# LaTeX output has two files, name-tex.tex and name-tex.pdf.\n"
    "set output name.(is_tex ? \"-tex\" : \"\").\".\".format\n"
    "set termoption noenhanced\n"
    "\n"
    "set datafile separator comma\n"
    "set datafile columnheaders\n"
    "set border 3 lt 1 lc rgb \"#444444\" lw 0.5 dt solid\n"
    "set tics nomirror out scale 0.6 textcolor rgb \"#000000\"\n"
    "set grid lt 1 lc rgb \"#DDDDDD\" lw 0.4 dt solid\n"
    "set key bmargin center horizontal Left reverse samplen 3 spacing 1 \\\n"
    "  maxcols key_columns width (format eq \"svg\" && key_letters > 14 ? \\\n"
    "  (key_letters > 22 ? -8 : 14 - key_letters) : -1)\n"
    "if (key_rows > 0) set bmargin 4 + 1.05 * key_rows\n"
    "set style fill solid 0.7 noborder\n"
    "# A column, for the rows of one curve only.\n"
    "only(n, c) = column(\"curve\") == n ? column(c) : NaN\n"
    "\n"
    "symbol = format eq \"svg\" ? 0.6 : 0.9\n"
    "# The style of each method, the same in every plot.\n";

size_t ts_style_place(const char *const *order, size_t count, const char *method) {
  size_t i = 0;
  while (i < count && strcmp(order[i], method) != 0)
    i++;
  return i;
}

ts_style ts_style_of(size_t place) {
  // Beyond the last style, colours repeat with other dashes and points.
  const ts_style *other = &styles[(place + NEXT_STYLE * (place / STYLE_COUNT)) % STYLE_COUNT];
  return (ts_style){styles[place % STYLE_COUNT].colour, other->dash, other->point};
}

bool ts_plot_style_is_ours(const char *path) {
  char line[256];
  bool is_ours = false;
  FILE *file = fopen(path, "re");
  for (int i = 0; file && i < 2 && fgets(line, sizeof line, file); i++)
    is_ours |= strncmp(line, MARK, strlen(MARK)) == 0;
  if (file)
    fclose(file);
  return is_ours;
}

ts_status ts_plot_write_style(ts_plot_book *book, const ts_plot_source *source,
                              const char *format) {
  ts_plot_page page = {.book = book, .name = "look"};
  page.script = open_memstream(&page.script_text, &page.script_bytes);
  if (!page.script)
    return ts_fail(TS_E_MEMORY, "out of memory");
  ts_plot_say(&page, "if (!exists(\"format\")) format = \"%s\"\n%s", format, before);
  for (size_t i = 0; i < source->method_count; i++) {
    if (source->method_names[i][0] == '\0')
      continue;
    ts_style style = ts_style_of(i);
    const char *name = ts_plot_quote(book->arena, source->method_names[i]);
    ts_plot_say(&page, "set linetype %zu lc rgb \"%s\" dt %s pt %d ps symbol lw 1 # %s\n", i + 1,
                style.colour, style.dash, style.point, name ? name : "");
  }
  ts_plot_say(&page, "set linetype cycle %zu\n", source->method_count + 1);
  return ts_plot_end(&page);
}
