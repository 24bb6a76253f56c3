// SPDX-License-Identifier: MIT
/// The first line of an explanation.
#include "harness/explain/explanation.h"

#include "base/status.h"
#include "harness/explain/fault_text.h"
#include "reports/export/region_text.h"
#include "reports/rows/outcome.h"

#include <math.h>

/// The faults named so far.
typedef struct list {
  FILE *file;
  size_t count;
} list;

/// Begins the next fault; false when there is none: `value` is 0, or not measured.
static bool begins(list *l, double value) {
  if (!(value > 0))
    return false;
  fputs(l->count++ > 0 ? "; " : "", l->file);
  return true;
}

/// "2 of 90 contacts are phantoms".
static void put_contacts(list *l, double count, double of, const char *one, const char *many) {
  if (begins(l, count))
    fprintf(l->file, "%.0f of %.0f contact%s %s", count, of, of == 1 ? "" : "s",
            count == 1 ? one : many);
}

/// Counts of the row, the gravest first.
static void put_counts(list *l, const ts_record *r) {
  if (begins(l, r->regions_missed))
    fprintf(l->file, "%.0f of %.0f region%s %s no contact", r->regions_missed, r->regions,
            r->regions == 1 ? "" : "s", r->regions_missed == 1 ? "has" : "have");
  if (begins(l, r->contacts_missing))
    fprintf(l->file, "%.0f of the %.0f contacts that are needed %s missing", r->contacts_missing,
            r->minimum, r->contacts_missing == 1 ? "is" : "are");
  put_contacts(l, r->phantom, r->contacts_unique, "is a phantom: nothing touches there",
               "are phantoms: nothing touches there");
  put_contacts(l, r->speculative_wrong, r->contacts_unique,
               "is ahead of a touch, but not as the surfaces are",
               "are ahead of a touch, but not as the surfaces are");
  put_contacts(l, r->normals_invalid, r->contacts_unique, "has no valid normal",
               "have no valid normal");
  // Phantoms and normals that are no direction are among the wrong ones: the others are left.
  double wrong =
      round((100 - r->quality_percent) / 100 * r->contacts) - r->phantom - r->normals_invalid;
  put_contacts(l, wrong, r->contacts, "has a wrong normal", "have wrong normals");
  put_contacts(l, r->normals_flipped, r->contacts_unique, "points from b to a",
               "point from b to a");
  put_contacts(l, r->gaps_wrong, r->contacts_unique, "has a wrong gap", "have wrong gaps");
}

/// Shares of the row, and what it says of the method as a program.
static void put_shares(list *l, const ts_record *r) {
  bool misses = r->regions_missed > 0;
  if (!misses && begins(l, 100 - r->coverage_percent))
    fprintf(l->file, "%.3g %% of the normals that are needed have no contact",
            100 - r->coverage_percent);
  if (begins(l, r->blocked_wrongly_percent))
    fprintf(l->file, "%.3g %% of the free motions are blocked", r->blocked_wrongly_percent);
  bool is_worse_sliding =
      r->blocked_wrongly_sliding_percent > fmax(0, r->blocked_wrongly_percent) ||
      isnan(r->blocked_wrongly_percent);
  if (is_worse_sliding && begins(l, r->blocked_wrongly_sliding_percent))
    fprintf(l->file, "%.3g %% of the sliding motions are blocked",
            r->blocked_wrongly_sliding_percent);
  if (begins(l, r->freed_wrongly_percent))
    fprintf(l->file, "%.3g %% of the motions that the truth stops are free",
            r->freed_wrongly_percent);
  if (begins(l, r->stale_percent))
    fprintf(l->file, "%.3g %% of the pairs that moved have the contacts of the step before",
            r->stale_percent);
  if (begins(l, r->differs_from_fresh))
    fputs("a process in which nothing was asked before gives other contacts", l->file);
  if (begins(l, r->processes_left))
    fprintf(l->file, "the method left %.0f process%s behind", r->processes_left,
            r->processes_left == 1 ? "" : "es");
  if (begins(l, r->left_changed[0] != '\0'))
    fprintf(l->file, "the method left %s changed", r->left_changed);
}

/// The worst of it all, in a sentence.
static ts_status put_worst(FILE *file, ts_arena *arena, const ts_explanation *e) {
  const ts_snapshot_region **regions;
  const ts_contact_row **contacts;
  size_t region_count, contact_count;
  TS_TRY(ts_regions_lacking(&regions, &region_count, arena, e->snapshot));
  TS_TRY(ts_faults_of_snapshot(&contacts, &contact_count, arena, e->snapshot));
  const char *worst = "";
  bool misses = region_count > 0 && regions[0]->is_missed;
  if (misses || (region_count > 0 && contact_count == 0)) {
    worst = ts_region_describe(arena, e->snapshot, regions[0]);
  } else if (contact_count > 0) {
    worst = ts_fault_explain(arena, e->snapshot, contacts[0]);
  } else if (e->motion_count > 0) {
    const ts_motion_fault *m = &e->motions[0];
    worst = ts_motion_fault_describe(arena, m, e->snapshot->bodies[m->body_a].name,
                                     e->snapshot->bodies[m->body_b].name);
  }
  if (!worst)
    return TS_E_MEMORY;
  if (worst[0])
    fprintf(file, "; worst: %s", worst);
  return TS_OK;
}

/// The smallest gap that a contact reports; NaN without contacts.
static double smallest_gap(const ts_snapshot *snapshot) {
  double gap = NAN;
  for (size_t i = 0; snapshot && i < snapshot->contact_count; i++)
    gap = fmin(gap, snapshot->contacts[i].gap_m);
  return gap;
}

/// What is done with the contacts where the truth is not known: those ahead of a touch are compared
/// with the surfaces of the bodies all the same.
static void put_uncompared(FILE *file, const ts_explanation *e) {
  const ts_record *r = &e->record;
  double gap = smallest_gap(e->snapshot), ahead = fmax(0, r->speculative);
  double others = r->contacts_unique - ahead;
  if (ahead > 0)
    fprintf(file, ": %.0f contact%s ahead of a touch %s compared with the surfaces", ahead,
            ahead == 1 ? "" : "s", ahead == 1 ? "is" : "are");
  if (others > 0)
    fprintf(file, "%s%s%.0f%s contact%s %s compared with %s", ahead > 0 ? ", " : ": ",
            ahead > 0 ? "and " : "its ", others, ahead > 0 ? " other" : "", others == 1 ? "" : "s",
            others == 1 ? "is" : "are",
            isnan(r->freed_wrongly_percent) ? "nothing" : "the motions of the bodies alone");
  else if (r->contacts_unique == 0)
    fputs(", and the method gives no contact", file);
  if (!isnan(gap))
    fprintf(file, "; the smallest gap that they report is %.4g m", gap + 0.0);
}

/// Where the truth is not known, in whole or in part.
static void put_unknown(list *l, const ts_explanation *e) {
  const ts_snapshot *x = e->snapshot;
  bool is_whole = x ? x->is_truth_unknown : isnan(e->record.regions);
  if (is_whole && begins(l, 1))
    fprintf(l->file, "the truth of this scene is unknown%s%s%s", e->truth_note ? " (" : "",
            e->truth_note ? e->truth_note : "", e->truth_note ? ")" : "");
  if (is_whole)
    put_uncompared(l->file, e);
  bool is_in_part = !is_whole && e->record.pairs_unknown > 0;
  if (is_in_part && l->count == 0 && begins(l, 1))
    fputs("nothing is wrong in what is judged", l->file);
  if (is_in_part && begins(l, 1))
    fprintf(l->file, "the truth of %.0f pair%s is unknown%s%s, and not judged",
            e->record.pairs_unknown, e->record.pairs_unknown == 1 ? "" : "s",
            x && x->unknown_count > 0 ? " because " : "",
            x && x->unknown_count > 0 ? x->unknown[0].reason : "");
}

/// A row without a fault, and what could be better.
static void put_right(FILE *file, const ts_record *r) {
  list l = {file, 0};
  fprintf(file, "nothing is wrong: %.0f contact%s, %s", r->contacts_unique,
          r->contacts_unique == 1 ? "" : "s",
          r->regions > 0 ? "every region is covered" : "and nothing touches");
  double spare = r->contacts - r->minimum_most;
  fputs(spare > 0 || r->churn_percent > 0 || r->features_kept_percent < 100 ? "; but " : "", file);
  if (begins(&l, spare))
    fprintf(file, "%.0f contact%s would be enough", r->minimum, r->minimum == 1 ? "" : "s");
  if (begins(&l, r->churn_percent))
    fprintf(file, "%.3g %% of the contacts came or went without a reason since the step before",
            r->churn_percent);
  if (begins(&l, 100 - r->features_kept_percent))
    fprintf(file, "%.3g %% of those that stayed have other feature ids than in the step before",
            100 - r->features_kept_percent);
}

/// What outcomes other than ok mean.
static const char *const meanings[TS_OUTCOME_COUNT] = {
    [TS_OUTCOME_SKIPPED] = "the method cannot do this case, or lacks what it needs; nothing was "
                           "measured, and it is not held against the method",
    [TS_OUTCOME_FAILED] = "the method gave up, or gave an answer that cannot be used; there are no "
                          "contacts to look at",
    [TS_OUTCOME_CRASHED] = "the process of the method ended by itself or by a signal; there are no "
                           "contacts to look at",
    [TS_OUTCOME_TIMED_OUT] = "the method was ended at --time-limit; there are no contacts to look "
                             "at",
    [TS_OUTCOME_OUT_OF_MEMORY] = "the method was ended at --memory-limit; there are no contacts to "
                                 "look at",
    [TS_OUTCOME_UNKNOWN] = "this version does not know that outcome",
};

/// A step whose contacts were found and judged before it was skipped is not one that the method
/// cannot do.
static const char *meaning_of(const ts_record *r) {
  bool has_contacts = r->contacts_unique >= 0;
  if (ts_record_outcome(r) != TS_OUTCOME_SKIPPED || !has_contacts)
    return meanings[ts_record_outcome(r)];
  return r->normals_invalid > 0
             ? "the step could not be simulated because of the contacts that the method gave, some "
               "of which have no valid normal; the columns are those of these contacts"
             : "the step could not be simulated with the contacts that the method gave; the "
               "columns "
               "are those of these contacts";
}

ts_status ts_explanation_print_headline(FILE *file, ts_arena *arena, const ts_explanation *e) {
  const ts_record *r = &e->record;
  fprintf(file, "%s on %s", r->method, r->case_name);
  if (r->step > 0)
    fprintf(file, ", step %.0f", r->step);
  fputs(": ", file);
  if (!ts_record_is_ok(r)) {
    fprintf(file, "%s%s%s\n%s\n", ts_record_outcome_words(r), r->reason[0] ? ": " : "", r->reason,
            meaning_of(r));
    return TS_OK;
  }
  list l = {file, 0};
  put_counts(&l, r);
  put_shares(&l, r);
  bool has_faults = l.count > 0;
  put_unknown(&l, e);
  if (l.count == 0)
    put_right(file, r);
  if (has_faults && e->snapshot)
    TS_TRY(put_worst(file, arena, e));
  fputc('\n', file);
  return TS_OK;
}
