// SPDX-License-Identifier: MIT
/// The published figures, paper by paper, and what is run for ours beside them.
#ifndef TS_HARNESS_PUBLISHED_H
#define TS_HARNESS_PUBLISHED_H

#include "harness/plan/plan.h"

#include <stdbool.h>

typedef struct ts_published {
  const char *source; ///< one of ts_sources
  const char *scene;  ///< a case, or a name of the paper's: pillar_fine, the pillar with refined
                      ///< meshes (Erleben 2018, section 8.6), or a row of a table
  const char *method; ///< by our name for it
  const char *unit;   ///< percent, factor, count, thousands, fraction, ms, m or m5
  const char *metric; ///< coverage, quality, excess, contacts, contacts_mean and so on
  const char *value;  ///< as printed
  const char *note;   ///< "" for none
} ts_published;

/// Where figures are from: a table, a figure or the text of a paper.
typedef struct ts_source {
  const char *name;
  const char *paper;   ///< another name for all sources of that paper
  bool is_closed_form; ///< nothing is printed: the values are worked out from what is shown
} ts_source;

extern const ts_source ts_sources[];
extern const size_t ts_source_count;

/// Writes what names figures to `out`, sources and then papers, and returns how many there are.
size_t ts_source_names(const char **out);
#define TS_SOURCE_NAMES_MAX 32

/// Which rules our figure follows.
typedef enum ts_reproduced {
  TS_REPRODUCED_PROX2018, ///< the simulator of the paper's author
  TS_REPRODUCED_PAPER,    ///< the text of the paper
  TS_REPRODUCED_OURS,     ///< ours, where there are no rules to choose from
  TS_REPRODUCED_COUNT
} ts_reproduced;

/// The names of these columns.
extern const char *const ts_reproduced_names[TS_REPRODUCED_COUNT];

/// What a figure of ours is worked out from.
typedef struct ts_evidence {
  const ts_cell *cell;
  const ts_record *rows; ///< [row_count] of the cell
  size_t row_count;
  const ts_record *at;   ///< the one of them at the step of the run, "ok"
  const ts_record *base; ///< the row of the base at that step, "ok"; NULL: there is no base
} ts_evidence;

#define TS_PAPER_SETS 6

/// What is run for figures of a source, and how they are read.
typedef struct ts_paper_run {
  const char *source;
  const char *scene; ///< as in the figures; NULL: any
  const char *c;     ///< the case; NULL: the one named like the scene
  int64_t steps;
  double step;                     ///< whose row is used
  const char *const *sets;         ///< "name=value", after those of the column; NULL-terminated
  const char *own[TS_PAPER_SETS];  ///< more of them
  const char *base[TS_PAPER_SETS]; ///< those of the base, a second run; [0] NULL: there is none
  const char *prox2018_set;        ///< one more, in that column alone; NULL: none
  /// Corrects our figure, in the published unit, where it is not the column of its metric at the
  /// step; NULL: it always is.
  ts_status (*measure)(double *out, ts_arena *arena, const ts_published *p, const ts_evidence *e);
  /// Another object than the paper's: printed beside its figure, and not compared with it.
  bool is_stand_in;
  const char *reason; ///< printed with every figure of the run; NULL: none
} ts_paper_run;

/// Why figures differ, or are missing. NULL matches anything.
typedef struct ts_paper_reason {
  const char *source, *scene, *method, *metric, *text;
} ts_paper_reason;

/// Parameters among the settings of the first column that are changed a little together, to see how
/// far a figure depends on the last bits of a run.
typedef struct ts_paper_nudge {
  const char *const *parameters; ///< NULL-terminated
  double step;                   ///< runs have step, -step, 2 step, -2 step and so on more
} ts_paper_nudge;

typedef struct ts_paper {
  const char *name;
  const ts_published *values; ///< [value_count], in the order of the tables
  size_t value_count;
  const ts_paper_run *runs; ///< [run_count]; the first match of a figure is its run
  size_t run_count;
  /// [reason_count]; the first match of a figure is its reason in the first column
  const ts_paper_reason *reasons;
  size_t reason_count;
  const ts_paper_nudge *nudge; ///< of the first column; NULL: it has no runs to nudge
  /// The settings of each column, NULL-terminated; NULL: the paper has no such column.
  const char *const *column_sets[TS_REPRODUCED_COUNT];
} ts_paper;

/// Whether our figures come by the rules of a program and by those of the text, and all values are
/// printed.
static inline bool ts_paper_has_rules(const ts_paper *paper) {
  return paper->column_sets[TS_REPRODUCED_PROX2018] != NULL;
}

extern const ts_paper ts_paper_erleben2018; ///< Tables 6 to 8, and the text
extern const ts_paper ts_paper_allard2010;  ///< Table 1, Figures 6 and 7
extern const ts_paper ts_paper_faure2008;   ///< Table 1, Figures 6, 8 and 10
extern const ts_paper ts_paper_saupin2008;  ///< Tables 1 and 2

/// In the order of output; NULL-terminated.
extern const ts_paper *const ts_papers[];

#endif
