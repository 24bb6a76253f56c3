// SPDX-License-Identifier: MIT
/// The record: one list of fields. From each entry come the struct member, the CSV column, the JSON
/// key, the row of the README's table and the rule by which two results are compared. A name is
/// never used again with another meaning; whoever changes the list raises TS_SCHEMA_VERSION.
#ifndef TS_REPORTS_RECORD_H
#define TS_REPORTS_RECORD_H

#include "base/types.h"

#include <stdbool.h>

#define TS_SCHEMA_VERSION 3

/// The simulation step that the tables of Erleben 2018 are taken at. Steps are counted as there:
/// step 1 is the scene as built (0 here), step n + 1 has the contacts that time step n is solved
/// with.
#define TS_PUBLISHED_STEP 3

/// How a column of two results is compared.
typedef enum ts_compare {
  TS_COMPARE_IDENTITY, ///< Says which row it is.
  TS_COMPARE_EXACT,    ///< Must be equal.
  TS_COMPARE_CLOSE,    ///< Equal within the field's tolerance (relative above 1, else absolute).
  TS_COMPARE_REPORT    ///< Told, never judged: times and other facts of the machine.
} ts_compare;

typedef enum ts_field_kind {
  TS_FIELD_TEXT,  ///< const char *; "" when there is nothing to say
  TS_FIELD_COUNT, ///< double holding a whole number; NaN when not measured
  TS_FIELD_REAL   ///< double; NaN when not measured
} ts_field_kind;

/// summary.csv: X(kind, member, column, compare, tolerance, unit, meaning), a row for each cell and
/// step.
#define TS_RECORD_FIELDS(X)                                                                        \
  X(TEXT, cell, "cell", IDENTITY, 0, "",                                                           \
    "Fingerprint of case, method and every parameter; the same in every run.")                     \
  X(TEXT, case_name, "case", IDENTITY, 0, "", "Test case.")                                        \
  X(TEXT, case_parameters, "case_parameters", IDENTITY, 0, "",                                     \
    "All parameters of the case, name=value;name=value.")                                          \
  X(TEXT, method, "method", IDENTITY, 0, "", "Contact generator.")                                 \
  X(TEXT, method_parameters, "method_parameters", IDENTITY, 0, "",                                 \
    "All parameters of the method, lengths as given for scale 1.")                                 \
  X(TEXT, scoring_parameters, "scoring_parameters", IDENTITY, 0, "",                               \
    "All parameters of the scoring; `reference` tells which normals count as right.")              \
  X(TEXT, simulation_parameters, "simulation_parameters", IDENTITY, 0, "",                         \
    "All parameters of the simulation; they matter to rows whose step is not 0.")                  \
  X(COUNT, step, "step", IDENTITY, 0, "",                                                          \
    "0: the scene as built. N: the contacts of time step N - 1, at time (N - 1.5) dt_s.")          \
  X(TEXT, outcome, "outcome", EXACT, 0, "",                                                        \
    "ok, skipped, failed, crashed, timed_out or out_of_memory.")                                   \
  X(TEXT, reason, "reason", REPORT, 0, "", "Why, when the outcome is not ok.")                     \
  X(TEXT, envelope, "envelope", EXACT, 0, "",                                                      \
    "State the method wants its bodies in: none, eroded or dilated.")                              \
  X(REAL, envelope_m, "envelope_m", CLOSE, 1e-9, "m", "By how much, at the case's scale.")         \
  X(COUNT, bodies, "bodies", EXACT, 0, "", "Bodies in the scene.")                                 \
  X(COUNT, pairs_candidate, "pairs_candidate", EXACT, 0, "",                                       \
    "Pairs of bodies handed to the method.")                                                       \
  X(COUNT, pairs_touching, "pairs_touching", EXACT, 0, "", "Pairs that touch in truth.")           \
  X(COUNT, regions, "regions", EXACT, 0, "", "Places where they touch in truth.")                  \
  X(COUNT, minimum, "minimum", EXACT, 0, "",                                                       \
    "Least number of contacts that represents the truth.")                                         \
  X(COUNT, contacts_delivered, "contacts_delivered", REPORT, 0, "",                                \
    "Contacts as the method gave them, duplicates and all.")                                       \
  X(COUNT, contacts_unique, "contacts_unique", EXACT, 0, "", "Unique contacts of all pairs.")      \
  X(COUNT, contacts_listed, "contacts_listed", EXACT, 0, "",                                       \
    "Rows of the step in contacts.csv: all unique contacts, or none in the midst of a long run.")  \
  X(COUNT, contacts, "contacts", EXACT, 0, "",                                                     \
    "Unique contacts of touching pairs that are not speculative: the C of the measures.")          \
  X(COUNT, speculative, "speculative", EXACT, 0, "",                                               \
    "Unique contacts ahead of a touch: gap above twice the envelope, or at an open region.")       \
  X(REAL, quality_percent, "quality_percent", CLOSE, 1e-9, "percent",                              \
    "Share of the contacts whose normal is a feasible one, up to sign.")                           \
  X(REAL, coverage_percent, "coverage_percent", CLOSE, 1e-9, "percent",                            \
    "Share of the needed feasible normals that some contact of the pair has.")                     \
  X(REAL, excess_factor, "excess_factor", CLOSE, 1e-9, "", "Contacts over the minimum.")           \
  X(REAL, area_coverage, "area_coverage", CLOSE, 1e-6, "",                                         \
    "Area of the hulls of the contacts over the true area; length for segments, 1 or 0 for "       \
    "points.")                                                                                     \
  X(REAL, normal_error_deg_median, "normal_error_deg_median", CLOSE, 1e-6, "deg",                  \
    "Angle to the closest feasible normal, up to sign; median.")                                   \
  X(REAL, normal_error_deg_p95, "normal_error_deg_p95", CLOSE, 1e-6, "deg",                        \
    "The same; 95th percentile.")                                                                  \
  X(REAL, normal_error_deg_max, "normal_error_deg_max", CLOSE, 1e-6, "deg", "The same; largest.")  \
  X(COUNT, normals_flipped, "normals_flipped", EXACT, 0, "", "Normals that point from b to a.")    \
  X(COUNT, normals_invalid, "normals_invalid", EXACT, 0, "",                                       \
    "Normals that are not a number, zero or not unit.")                                            \
  X(COUNT, phantom, "phantom", EXACT, 0, "",                                                       \
    "Contacts of pairs that do not touch, or away from every region, and not speculative.")        \
  X(COUNT, regions_missed, "regions_missed", EXACT, 0, "", "Regions without a contact.")           \
  X(REAL, position_error_m_max, "position_error_m_max", CLOSE, 1e-9, "m",                          \
    "Largest distance of a contact from the regions of its pair.")                                 \
  X(REAL, gap_error_m_max, "gap_error_m_max", CLOSE, 1e-9, "m",                                    \
    "Largest error of a gap, beyond what the envelope explains.")                                  \
  X(REAL, kinetic_energy_j, "kinetic_energy_j", CLOSE, 1e-6, "J",                                  \
    "Of all bodies that move, after the time step.")                                               \
  X(REAL, potential_energy_j, "potential_energy_j", CLOSE, 1e-6, "J",                              \
    "The same; against the scene as built.")                                                       \
  X(REAL, overlap_m_max, "overlap_m_max", CLOSE, 1e-9, "m",                                        \
    "Deepest overlap that a contact of the step tells of.")                                        \
  X(REAL, drift_m_max, "drift_m_max", CLOSE, 1e-9, "m",                                            \
    "Largest distance of a body, after the time step, from where it was built.")                   \
  X(COUNT, sweeps, "sweeps", EXACT, 0, "", "Sweeps of the contact solver in the time step.")       \
  X(REAL, residual_kg_m_s, "residual_kg_m_s", CLOSE, 1e-6, "kg m/s",                               \
    "Largest change of an impulse in the last sweep.")                                             \
  X(REAL, contacts_mean, "contacts_mean", CLOSE, 1e-9, "",                                         \
    "Unique contacts of a time step, over the time steps up to this one; mean.")                   \
  X(COUNT, contacts_min, "contacts_min", EXACT, 0, "", "The same; least.")                         \
  X(COUNT, contacts_max, "contacts_max", EXACT, 0, "", "The same; most.")                          \
  X(REAL, contacts_stddev, "contacts_stddev", CLOSE, 1e-9, "", "The same; standard deviation.")    \
  X(REAL, build_ns, "build_ns", REPORT, 0, "ns", "Time to build the scene and its truth.")         \
  X(REAL, pairing_ns, "pairing_ns", REPORT, 0, "ns", "Time of the broad phase.")                   \
  X(REAL, prepare_ns, "prepare_ns", REPORT, 0, "ns",                                               \
    "Time to prepare shapes and pairs; least over the repeats.")                                   \
  X(REAL, generate_ns_min, "generate_ns_min", REPORT, 0, "ns",                                     \
    "Time to generate the contacts of all pairs; least over the repeats.")                         \
  X(REAL, generate_ns_median, "generate_ns_median", REPORT, 0, "ns", "The same; median.")          \
  X(REAL, generate_ns_mad, "generate_ns_mad", REPORT, 0, "ns",                                     \
    "The same; median absolute deviation.")                                                        \
  X(COUNT, repeats, "repeats", REPORT, 0, "",                                                      \
    "Timed repeats: the rows of phase generate in samples.csv.")                                   \
  X(REAL, solve_ns, "solve_ns", REPORT, 0, "ns", "Time of the contact solver in the time step.")   \
  X(REAL, score_ns, "score_ns", REPORT, 0, "ns", "Time to score the contacts.")                    \
  X(REAL, memory_bytes_max, "memory_bytes_max", REPORT, 0, "bytes",                                \
    "Largest resident memory of the cell's process.")                                              \
  X(TEXT, contacts_hash, "contacts_hash", EXACT, 0, "",                                            \
    "Fingerprint of the unique contacts of all pairs; equal bits, equal hash.")                    \
  X(REAL, blocked_wrongly_percent, "blocked_wrongly_percent", CLOSE, 1e-9, "percent",              \
    "Share of the truly free motions of a pair that its contacts block; mean over the pairs.")     \
  X(REAL, freed_wrongly_percent, "freed_wrongly_percent", CLOSE, 1e-9, "percent",                  \
    "Share of the truly blocked motions that they let through; likewise.")                         \
  X(REAL, blocked_wrongly_sliding_percent, "blocked_wrongly_sliding_percent", CLOSE, 1e-9,         \
    "percent", "Share of the motions along which the bodies slide that they block; likewise.")     \
  X(REAL, blocked_wrongly_given_percent, "blocked_wrongly_given_percent", CLOSE, 1e-9, "percent",  \
    "The same of the free motions round the given one, where any one normal will do.")             \
  X(REAL, wrench_residual_max, "wrench_residual_max", CLOSE, 1e-9, "",                             \
    "Largest distance of a contact's unit wrench from the cone of the truth; 0: none blocks.")     \
  X(REAL, wrench_missing_max, "wrench_missing_max", CLOSE, 1e-9, "",                               \
    "Largest distance of a true unit wrench from the cone of the contacts; 0: nothing is freed.")

/// contacts.csv: the same form, a row for each unique contact.
#define TS_CONTACT_FIELDS(X)                                                                       \
  X(TEXT, cell, "cell", IDENTITY, 0, "", "Fingerprint of the cell, as in summary.csv.")            \
  X(TEXT, case_name, "case", IDENTITY, 0, "", "Test case.")                                        \
  X(TEXT, method, "method", IDENTITY, 0, "", "Contact generator.")                                 \
  X(COUNT, step, "step", IDENTITY, 0, "", "Step, as in summary.csv.")                              \
  X(COUNT, body_a, "body_a", IDENTITY, 0, "", "Index of body a, the lower one.")                   \
  X(COUNT, body_b, "body_b", IDENTITY, 0, "", "Index of body b.")                                  \
  X(COUNT, index, "index", IDENTITY, 0, "", "Place in the canonical order of the pair.")           \
  X(REAL, point_x_m, "point_x_m", CLOSE, 1e-9, "m", "Contact point, world.")                       \
  X(REAL, point_y_m, "point_y_m", CLOSE, 1e-9, "m", "Contact point, world.")                       \
  X(REAL, point_z_m, "point_z_m", CLOSE, 1e-9, "m", "Contact point, world.")                       \
  X(REAL, normal_x, "normal_x", CLOSE, 1e-9, "", "Normal from a to b, as delivered.")              \
  X(REAL, normal_y, "normal_y", CLOSE, 1e-9, "", "Normal from a to b, as delivered.")              \
  X(REAL, normal_z, "normal_z", CLOSE, 1e-9, "", "Normal from a to b, as delivered.")              \
  X(REAL, gap_m, "gap_m", CLOSE, 1e-9, "m",                                                        \
    "Negative overlapping, zero touching, positive apart.")                                        \
  X(REAL, area_m2, "area_m2", CLOSE, 1e-9, "m2", "Area the contact stands for, where given.")      \
  X(TEXT, feature_a, "feature_a", EXACT, 0, "", "none, vertex, edge or face of a.")                \
  X(COUNT, feature_a_index, "feature_a_index", EXACT, 0, "", "Its index in the mesh of a.")        \
  X(TEXT, feature_b, "feature_b", EXACT, 0, "", "none, vertex, edge or face of b.")                \
  X(COUNT, feature_b_index, "feature_b_index", EXACT, 0, "", "Its index in the mesh of b.")        \
  X(REAL, normal_error_deg, "normal_error_deg", CLOSE, 1e-6, "deg",                                \
    "Angle to the closest feasible normal, up to sign.")                                           \
  X(COUNT, correct, "correct", EXACT, 0, "", "1 when the normal counts as right, else 0.")         \
  X(COUNT, region, "region", EXACT, 0, "", "Index of the nearest region of the pair; nan: none.")  \
  X(REAL, position_error_m, "position_error_m", CLOSE, 1e-9, "m", "Distance from that region.")    \
  X(COUNT, phantom, "phantom", EXACT, 0, "",                                                       \
    "1 when it is away from every region and not speculative.")                                    \
  X(COUNT, speculative, "speculative", EXACT, 0, "", "1 when it is ahead of a touch, else 0.")     \
  X(REAL, wrench_residual, "wrench_residual", CLOSE, 1e-9, "",                                     \
    "Distance of its unit wrench from the cone of the truth: 0 when it blocks no free motion.")    \
  X(COUNT, group, "group", EXACT, 0, "",                                                           \
    "Contacts of a pair with the same number above 0 are alternatives; 0: needed by itself.")

/// samples.csv: the same form, a row for each timed repeat.
#define TS_SAMPLE_FIELDS(X)                                                                        \
  X(TEXT, cell, "cell", IDENTITY, 0, "", "Fingerprint of the cell, as in summary.csv.")            \
  X(TEXT, case_name, "case", IDENTITY, 0, "", "Test case.")                                        \
  X(TEXT, method, "method", IDENTITY, 0, "", "Contact generator.")                                 \
  X(COUNT, step, "step", IDENTITY, 0, "", "Step, as in summary.csv.")                              \
  X(TEXT, phase, "phase", IDENTITY, 0, "", "prepare or generate.")                                 \
  X(COUNT, sample, "sample", IDENTITY, 0, "", "Number of the repeat, from 0.")                     \
  X(COUNT, passes, "passes", REPORT, 0, "", "Passes over all pairs in the repeat.")                \
  X(REAL, time_ns, "time_ns", REPORT, 0, "ns",                                                     \
    "Time of one of them: that of the repeat over their number.")                                  \
  X(REAL, waited_ns, "waited_ns", REPORT, 0, "ns",                                                 \
    "Of that, time in which the thread was ready and waited for a processor.")

#define TS_FIELD_TYPE_TEXT                 const char *
#define TS_FIELD_TYPE_COUNT                double
#define TS_FIELD_TYPE_REAL                 double
#define TS_FIELD_MEMBER(kind, member, ...) TS_FIELD_TYPE_##kind member;

typedef struct ts_record {
  TS_RECORD_FIELDS(TS_FIELD_MEMBER)
} ts_record;

typedef struct ts_contact_row {
  TS_CONTACT_FIELDS(TS_FIELD_MEMBER)
} ts_contact_row;

typedef struct ts_sample_row {
  TS_SAMPLE_FIELDS(TS_FIELD_MEMBER)
} ts_sample_row;

/// One entry of a field list.
typedef struct ts_field {
  ts_field_kind kind;
  size_t offset; ///< of the member in its row struct
  const char *column;
  ts_compare compare;
  double tolerance;
  const char *unit, *meaning;
} ts_field;

/// A kind of row: the file it goes to and its fields.
typedef struct ts_row_type {
  const char *name; ///< "summary", "contacts", "samples"; the file is name.csv
  size_t row_bytes;
  size_t field_count;
  const ts_field *fields;
} ts_row_type;

extern const ts_row_type ts_summary_rows, ts_contact_rows, ts_sample_rows;

/// Sets every text to "" and every number to NaN.
void ts_row_init(const ts_row_type *type, void *row);

/// The text of a text field, or the number of any other, of a row.
const char *ts_row_text(const ts_field *field, const void *row);
double ts_row_number(const ts_field *field, const void *row);

/// Sets the text (borrowed) of a text field, or the number of any other.
void ts_row_set_text(const ts_field *field, void *row, const char *text);
void ts_row_set_number(const ts_field *field, void *row, double number);

/// NULL when there is no such column.
const ts_field *ts_row_find(const ts_row_type *type, const char *column);

#endif
