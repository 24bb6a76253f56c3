// SPDX-License-Identifier: MIT
#include "tests/benchmark/bench_print.h"

#include <math.h>
#include <string.h>

static bool is_mean(const bench_row *row) {
  return strcmp(row->kernel, BENCH_MEAN) == 0;
}

static void print_context(FILE *file, const bench_row *row) {
  fprintf(file, "commit %s\n%s, %s, flags %s\n%s; %.0f pairs, %.0f repeats, one thread\n",
          row->commit, row->compiler, row->build_type, row->flags, row->cpu, row->pairs,
          row->repeats);
}

void bench_print_rows(FILE *file, const bench_rows *rows) {
  fprintf(file, "%-17s  %-8s  %8s  %8s  %8s  %6s  %10s  %7s  %9s  %9s\n", "", "", "", "ns a pair",
          "", "", "million", "ratio to", "author's", "share of");
  fprintf(file, "%-17s  %-8s  %8s  %8s  %8s  %6s  %10s  %8s  %8s  %9s\n", "kernel", "profile",
          "contacts", "min", "median", "mad", "pairs / s", "baseline", "ns", "author's");
  for (size_t i = 0; i < rows->count; i++) {
    const bench_row *row = &rows->items[i];
    if (is_mean(row))
      continue;
    fprintf(file, "%-17s  %-8s  %8.0f  %8.1f  %8.1f  %6.1f  %10.3f  %8.3f  %8.0f  %9.3f\n",
            row->kernel, row->profile, row->contacts, row->ns_per_pair_min, row->ns_per_pair_median,
            row->ns_per_pair_mad, row->pairs_per_s / 1e6, row->ratio, row->author_ns_per_pair,
            row->share_of_author);
  }
  fputc('\n', file);
  for (size_t i = 0; i < rows->count; i++)
    if (is_mean(&rows->items[i]))
      fprintf(file, "geometric mean of the methods, %s: ratio %.3f, share of author's %.3f\n",
              rows->items[i].profile, rows->items[i].ratio, rows->items[i].share_of_author);
  print_context(file, &rows->items[1]);
}

static double change_percent(double old, double now) {
  return 100 * (now / old - 1);
}

static void print_change(FILE *file, const bench_row *row, const bench_row *old) {
  fprintf(file, "%-17s  %-8s  %8.3f  %8.3f  %+8.1f  %8.1f  %8.1f  %+8.1f", row->kernel,
          row->profile, old->ratio, row->ratio, change_percent(old->ratio, row->ratio),
          old->ns_per_pair_median, row->ns_per_pair_median,
          change_percent(old->ns_per_pair_median, row->ns_per_pair_median));
  if (row->contacts != old->contacts)
    fprintf(file, "  ! contacts: %.0f, were %.0f", row->contacts, old->contacts);
  fputc('\n', file);
}

/// For each profile, over the methods in both files.
static void print_mean_changes(FILE *file, const bench_rows *rows, const bench_rows *old) {
  for (size_t m = 0; m < rows->count; m++) {
    if (!is_mean(&rows->items[m]))
      continue;
    double log_change = 0, count = 0;
    for (size_t i = 0; i < rows->count; i++) {
      const bench_row *row = &rows->items[i], *before;
      if (is_mean(row) || strcmp(row->profile, rows->items[m].profile) != 0 ||
          !(before = bench_rows_find(old, row->kernel, row->profile)))
        continue;
      log_change += log(row->ratio / before->ratio);
      count++;
    }
    if (count > 0)
      fprintf(file, "geometric mean of the ratio's change, %s, %.0f methods: %+.1f %%\n",
              rows->items[m].profile, count, 100 * (exp(log_change / count) - 1));
  }
}

static void print_difference(FILE *file, const char *what, const char *old, const char *now) {
  if (strcmp(old, now) != 0)
    fprintf(file, "note: different %s: %s, was %s\n", what, now, old);
}

/// Ratios from different compilers, builds or machines are not comparable.
static void print_differences(FILE *file, const bench_row *row, const bench_row *old) {
  print_difference(file, "compiler", old->compiler, row->compiler);
  print_difference(file, "build type", old->build_type, row->build_type);
  print_difference(file, "choice of flags", old->flags, row->flags);
  print_difference(file, "processor", old->cpu, row->cpu);
  if (old->pairs != row->pairs)
    fprintf(file, "note: different pairs: %.0f, were %.0f\n", row->pairs, old->pairs);
}

void bench_print_changes(FILE *file, const bench_rows *rows, const bench_rows *old,
                         const char *old_name, bool is_whole) {
  fprintf(file, "\nchanges from %s, commit %s:\n", old_name, old->items[0].commit);
  fprintf(file, "%-17s  %-8s  %8s  %8s  %8s  %8s  %8s  %8s\n", "kernel", "profile", "ratio: was",
          "is", "change %", "ns: was", "is", "change %");
  for (size_t i = 0; i < rows->count; i++) {
    const bench_row *row = &rows->items[i];
    const bench_row *before = bench_rows_find(old, row->kernel, row->profile);
    if (before && !is_mean(row))
      print_change(file, row, before);
    else if (!before)
      fprintf(file, "%-17s  %-8s  is new\n", row->kernel, row->profile);
  }
  for (size_t i = 0; i < old->count && is_whole; i++)
    if (!bench_rows_find(rows, old->items[i].kernel, old->items[i].profile))
      fprintf(file, "%-17s  %-8s  is in %s only\n", old->items[i].kernel, old->items[i].profile,
              old_name);
  print_mean_changes(file, rows, old);
  print_differences(file, &rows->items[0], &old->items[0]);
}
