// SPDX-License-Identifier: MIT
#include "reports/html/html_glossary.h"

#include <stddef.h>

typedef struct entry {
  const char *word, *meaning;
} entry;

static const entry entries[] = {
    {"case", "A kind of scene, such as a wall of bricks, with its parameters."},
    {"scene", "A case with all its parameters: the bodies, where they are, and the truth of their "
              "contacts."},
    {"draw", "One of several scenes of a case that differ only by random numbers (--seeds)."},
    {"cell", "One scene with one method. A row is a cell at one step."},
    {"touch", "The scene as built, before any step of simulation. All methods see the same bodies "
              "there, so only these rows enter the summary."},
    {"step=3", "After three steps of simulation with the contacts of that method: bodies may have "
               "moved differently for each."},
    {"a, b", "The two bodies of a pair. Normals point from a to b."},
    {"gap", "The distance along the normal; negative: the bodies overlap there."},
    {"region", "A place where two bodies touch in truth: a point, a segment or an area, with the "
               "normals that are right there and the least number of contacts that it needs."},
    {"open region", "The bodies are near there and do not touch yet. No contact is needed, and one "
                    "is not wrong."},
    {"missed region", "No contact serves the region."},
    {"envelope",
     "The distance within which bodies count as touching. A gap within it is no error."},
    {"speculative", "A contact ahead of a touch, with a gap above twice the envelope or at an open "
                    "region. It is counted apart."},
    {"phantom", "A contact of bodies that do not touch, or away from every region, that is not "
                "speculative."},
    {"flag", "A count of one kind of fault, in red: flipped, invalid, phantom, missed and so on. "
             "Wrong normals lower the quality and have no flag of their own."},
    {"not right", "The row failed, its quality or coverage is below 100, or it has a flag."},
    {"\xe2\x80\x93", "Not measured, or not defined for the row: not the same as 0."},
};

void ts_html_put_glossary(FILE *file) {
  fputs("<details id=\"glossary\"><summary>Words used on this page</summary>\n<dl>\n", file);
  for (size_t i = 0; i < sizeof entries / sizeof *entries; i++)
    fprintf(file, "<dt>%s</dt><dd>%s</dd>\n", entries[i].word, entries[i].meaning);
  fputs("</dl></details>\n", file);
}
