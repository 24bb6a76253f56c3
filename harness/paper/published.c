// SPDX-License-Identifier: MIT
#include "harness/paper/published.h"

const ts_source ts_sources[] = {
    {"table6", "erleben2018", false},
    {"table7", "erleben2018", false},
    {"table8", "erleben2018", false},
    {"text", "erleben2018", false},
    {"allard2010_table1", "allard2010", false},
    {"allard2010_figure6", "allard2010", true},
    {"allard2010_figure7", "allard2010", false},
    {"faure2008_table1", "faure2008", false},
    {"faure2008_figure6", "faure2008", true},
    {"faure2008_figure8", "faure2008", true},
    {"faure2008_figure10", "faure2008", true},
    {"saupin2008_table1", "saupin2008", false},
    {"saupin2008_table2", "saupin2008", false},
};
const size_t ts_source_count = sizeof ts_sources / sizeof ts_sources[0];

const char *const ts_reproduced_names[TS_REPRODUCED_COUNT] = {"prox2018", "paper", "ours"};

const ts_paper *const ts_papers[] = {&ts_paper_erleben2018, &ts_paper_allard2010,
                                     &ts_paper_faure2008, &ts_paper_saupin2008, NULL};

size_t ts_source_names(const char **out) {
  size_t count = 0;
  for (size_t i = 0; i < ts_source_count; i++)
    out[count++] = ts_sources[i].name;
  for (size_t i = 0; ts_papers[i]; i++)
    out[count++] = ts_papers[i]->name;
  return count;
}
