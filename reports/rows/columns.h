// SPDX-License-Identifier: MIT
/// The columns: one list for each kind of row, one entry for each column, and nothing about a
/// column anywhere else. record.h explains each attribute and what it affects. To add a column: add
/// an entry at the end of its list (the order is that of the file), raise the version below, and
/// write the code that fills it. A name is never reused with another meaning.
#ifndef TS_REPORTS_COLUMNS_H
#define TS_REPORTS_COLUMNS_H

/// Of all lists; raised whenever one changes, so that no run is resumed with different columns.
#define TS_SCHEMA_VERSION 10

/// The oldest whose results are read: since then columns were only added, and files. Such results
/// are not resumed.
#define TS_SCHEMA_VERSION_READ 7

// X(kind, struct member, column, unit, attributes of ts_field...)

/// summary.csv: a row for each cell and step.
#define TS_RECORD_FIELDS(X)                                                                        \
  X(TEXT, cell, "cell", "", .role = TS_ROLE_IDENTITY, .sense = TS_SENSE_NONE, .label = "Cell",     \
    .meaning = "Fingerprint of case, method and every parameter; the same in every run.")          \
  X(TEXT, case_name, "case", "", .role = TS_ROLE_IDENTITY, .sense = TS_SENSE_NONE,                 \
    .label = "Case", .meaning = "Test case.")                                                      \
  X(TEXT, case_parameters, "case_parameters", "", .role = TS_ROLE_IDENTITY,                        \
    .sense = TS_SENSE_NONE, .label = "Case parameters",                                            \
    .meaning = "All parameters of the case, name=value;name=value.")                               \
  X(TEXT, method, "method", "", .role = TS_ROLE_IDENTITY, .sense = TS_SENSE_NONE,                  \
    .label = "Method", .meaning = "Contact generator.")                                            \
  X(TEXT, method_parameters, "method_parameters", "", .role = TS_ROLE_IDENTITY,                    \
    .sense = TS_SENSE_NONE, .label = "Method parameters",                                          \
    .meaning = "All parameters of the method, lengths as given for scale 1.")                      \
  X(TEXT, scoring_parameters, "scoring_parameters", "", .role = TS_ROLE_IDENTITY,                  \
    .sense = TS_SENSE_NONE, .label = "Scoring parameters",                                         \
    .meaning = "All parameters of the scoring; `reference` chooses which normals count as right.") \
  X(TEXT, simulation_parameters, "simulation_parameters", "", .role = TS_ROLE_IDENTITY,            \
    .sense = TS_SENSE_NONE, .label = "Simulation parameters",                                      \
    .meaning = "All parameters of the simulation; they matter to rows whose step is not 0.")       \
  X(COUNT, step, "step", "", .role = TS_ROLE_IDENTITY, .sense = TS_SENSE_NONE, .label = "Step",    \
    .meaning =                                                                                     \
        "0: the scene as built. N: the contacts of time step N - 1, at time (N - 1.5) dt_s.")      \
  X(TEXT, outcome, "outcome", "", .role = TS_ROLE_MEASURE, .sense = TS_SENSE_RANKED,               \
    .compare = TS_COMPARE_EXACT, .label = "Outcome", .has_rule = true,                             \
    .meaning = "ok, skipped, failed, crashed, timed_out or out_of_memory.")                        \
  X(TEXT, reason, "reason", "", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,                      \
    .compare = TS_COMPARE_REPORT, .label = "Reason", .no_rule = "the outcome is judged",           \
    .meaning = "Why, when the outcome is not ok.")                                                 \
  X(TEXT, envelope, "envelope", "", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,                  \
    .compare = TS_COMPARE_EXACT, .label = "Envelope", .has_rule = true,                            \
    .meaning = "State the method wants its bodies in: none, eroded or dilated.")                   \
  X(REAL, envelope_m, "envelope_m", "m", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,             \
    .compare = TS_COMPARE_CLOSE, .tolerance = 1e-9, .label = "Envelope size", .has_rule = true,    \
    .meaning = "By how much, at the case's scale.")                                                \
  X(COUNT, bodies, "bodies", "", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,                     \
    .compare = TS_COMPARE_EXACT, .label = "Bodies", .metric = "contact_count",                     \
    .no_rule = "the scene decides it", .meaning = "Bodies in the scene.")                          \
  X(COUNT, pairs_candidate, "pairs_candidate", "", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,   \
    .compare = TS_COMPARE_EXACT, .label = "Candidate pairs",                                       \
    .no_rule = "the broad phase of touchstone decides it",                                         \
    .meaning = "Pairs of bodies handed to the method.")                                            \
  X(COUNT, pairs_touching, "pairs_touching", "", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,     \
    .compare = TS_COMPARE_EXACT, .label = "Touching pairs", .metric = "truth_count",               \
    .no_rule = "the scene decides it", .meaning = "Pairs that touch in truth.")                    \
  X(COUNT, regions, "regions", "", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,                   \
    .compare = TS_COMPARE_EXACT, .label = "Regions", .metric = "truth_count",                      \
    .no_rule = "the scene decides it", .meaning = "Places where they touch in truth.")             \
  X(COUNT, minimum, "minimum", "", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,                   \
    .compare = TS_COMPARE_EXACT, .label = "Minimum number of contacts", .metric = "truth_count",   \
    .no_rule = "the scene decides it",                                                             \
    .meaning = "Minimum number of contacts that represents the truth.")                            \
  X(COUNT, minimum_most, "minimum_most", "", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,         \
    .compare = TS_COMPARE_EXACT, .label = "Most contacts without excess", .metric = "truth_count", \
    .no_rule = "the scene decides it",                                                             \
    .meaning = "Number of contacts that represents the truth and all that touches within the "     \
               "tolerance.")                                                                       \
  X(COUNT, contacts_delivered, "contacts_delivered", "", .role = TS_ROLE_FACT,                     \
    .sense = TS_SENSE_NONE, .compare = TS_COMPARE_REPORT, .label = "Contacts delivered",           \
    .no_rule = "excess_factor judges the number of contacts",                                      \
    .meaning = "Contacts as the method gave them, duplicates and all.")                            \
  X(COUNT, contacts_unique, "contacts_unique", "", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,   \
    .compare = TS_COMPARE_EXACT, .label = "Unique contacts",                                       \
    .no_rule = "excess_factor judges the number of contacts",                                      \
    .meaning = "Unique contacts of all pairs.")                                                    \
  X(COUNT, contacts_listed, "contacts_listed", "", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,   \
    .compare = TS_COMPARE_REPORT, .label = "Contacts listed", .no_rule = "a fact of the output",   \
    .meaning = "Rows of the step in contacts.csv: all unique contacts, or none in the middle of "  \
               "a long run; fewer with `--contacts bad` or `none`.")                               \
  X(COUNT, contacts, "contacts", "", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,                 \
    .compare = TS_COMPARE_EXACT, .label = "Contacts", .shown = TS_SHOWN_PAGE,                      \
    .metric = "contact_count", .no_rule = "excess_factor judges the number of contacts",           \
    .meaning =                                                                                     \
        "Unique contacts of touching pairs that are not speculative: the C of the measures.")      \
  X(COUNT, speculative, "speculative", "", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,           \
    .compare = TS_COMPARE_EXACT, .label = "Speculative contacts", .metric = "contact_count",       \
    .no_rule = "speculative_wrong judges them",                                                    \
    .meaning =                                                                                     \
        "Unique contacts ahead of a touch: gap above twice the envelope, or at an open region.")   \
  X(REAL, quality_percent, "quality_percent", "percent", .role = TS_ROLE_MEASURE,                  \
    .sense = TS_SENSE_HIGHER, .compare = TS_COMPARE_CLOSE, .tolerance = 1e-9,                      \
    .label = "Normal quality", .short_label = "Quality", .narrow_label = "qual",                   \
    .shown = TS_SHOWN_TABLE | TS_SHOWN_PAGE | TS_SHOWN_HEAT_MAP | TS_SHOWN_SWEEP,                  \
    .metric = "normal_quality", .has_rule = true,                                                  \
    .meaning = "Share of the contacts whose normal is a feasible one, up to sign.")                \
  X(REAL, coverage_percent, "coverage_percent", "percent", .role = TS_ROLE_MEASURE,                \
    .sense = TS_SENSE_HIGHER, .compare = TS_COMPARE_CLOSE, .tolerance = 1e-9,                      \
    .label = "Normal coverage", .short_label = "Coverage", .narrow_label = "cov",                  \
    .shown = TS_SHOWN_TABLE | TS_SHOWN_PAGE | TS_SHOWN_HEAT_MAP | TS_SHOWN_SWEEP,                  \
    .metric = "normal_coverage", .has_rule = true,                                                 \
    .meaning = "Share of the needed feasible normals that some contact of the pair has.")          \
  X(REAL, excess_factor, "excess_factor", "", .role = TS_ROLE_MEASURE,                             \
    .sense = TS_SENSE_CLOSEST_TO_1, .compare = TS_COMPARE_CLOSE, .tolerance = 1e-9,                \
    .label = "Excess of contacts", .short_label = "Excess", .far_off = 16,                         \
    .shown = TS_SHOWN_TABLE | TS_SHOWN_PAGE | TS_SHOWN_HEAT_MAP | TS_SHOWN_SWEEP,                  \
    .metric = "excess", .has_rule = true, .meaning = "Contacts over the minimum.")                 \
  X(REAL, area_coverage, "area_coverage", "", .role = TS_ROLE_MEASURE,                             \
    .sense = TS_SENSE_CLOSEST_TO_1, .compare = TS_COMPARE_CLOSE, .tolerance = 1e-6,                \
    .label = "Area coverage", .short_label = "Area", .far_off = 4,                                 \
    .shown = TS_SHOWN_PAGE | TS_SHOWN_HEAT_MAP, .metric = "area_coverage", .has_rule = true,       \
    .meaning = "Area of the hulls of the contacts over the true area; length for segments, 1 or "  \
               "0 for points.")                                                                    \
  X(REAL, normal_error_deg_median, "normal_error_deg_median", "deg", .role = TS_ROLE_MEASURE,      \
    .sense = TS_SENSE_LOWER, .compare = TS_COMPARE_CLOSE, .tolerance = 1e-6,                       \
    .label = "Normal error, median", .metric = "normal_error",                                     \
    .no_rule = "quality_percent and the maximum judge it",                                         \
    .meaning = "Angle to the closest feasible normal, up to sign; median.")                        \
  X(REAL, normal_error_deg_p95, "normal_error_deg_p95", "deg", .role = TS_ROLE_MEASURE,            \
    .sense = TS_SENSE_LOWER, .compare = TS_COMPARE_CLOSE, .tolerance = 1e-6,                       \
    .label = "Normal error, 95th percentile", .shown = TS_SHOWN_SWEEP, .metric = "normal_error",   \
    .no_rule = "quality_percent and the maximum judge it",                                         \
    .meaning = "The same; 95th percentile.")                                                       \
  X(REAL, normal_error_deg_max, "normal_error_deg_max", "deg", .role = TS_ROLE_MEASURE,            \
    .sense = TS_SENSE_LOWER, .compare = TS_COMPARE_CLOSE, .tolerance = 1e-6,                       \
    .label = "Normal error, maximum", .short_label = "Normal error", .shown = TS_SHOWN_PAGE,       \
    .metric = "normal_error", .has_rule = true, .meaning = "The same; maximum.")                   \
  X(COUNT, normals_flipped, "normals_flipped", "", .role = TS_ROLE_FAULT, .sense = TS_SENSE_LOWER, \
    .compare = TS_COMPARE_EXACT, .label = "Flipped normals", .short_label = "Flipped",             \
    .flag = 'f', .shown = TS_SHOWN_PAGE, .metric = "normal_error", .has_rule = true,               \
    .meaning = "Normals that point from b to a.")                                                  \
  X(COUNT, normals_invalid, "normals_invalid", "", .role = TS_ROLE_FAULT, .sense = TS_SENSE_LOWER, \
    .compare = TS_COMPARE_EXACT, .label = "Invalid normals", .short_label = "Invalid",             \
    .flag = 'i', .shown = TS_SHOWN_PAGE, .metric = "normal_validity", .has_rule = true,            \
    .meaning = "Normals that are not a number, zero or not unit.")                                 \
  X(COUNT, phantom, "phantom", "", .role = TS_ROLE_FAULT, .sense = TS_SENSE_LOWER,                 \
    .compare = TS_COMPARE_EXACT, .label = "Phantom contacts", .short_label = "Phantom",            \
    .flag = 'p', .series = "phantom-contacts", .shown = TS_SHOWN_PAGE, .metric = "phantom",        \
    .has_rule = true,                                                                              \
    .meaning =                                                                                     \
        "Contacts of pairs that do not touch, or away from every region, and not speculative.")    \
  X(COUNT, regions_missed, "regions_missed", "", .role = TS_ROLE_FAULT, .sense = TS_SENSE_LOWER,   \
    .compare = TS_COMPARE_EXACT, .label = "Missed regions", .short_label = "Missed", .flag = 'm',  \
    .shown = TS_SHOWN_PAGE, .metric = "phantom", .has_rule = true,                                 \
    .meaning = "Regions without a contact.")                                                       \
  X(REAL, position_error_m_max, "position_error_m_max", "m", .role = TS_ROLE_MEASURE,              \
    .sense = TS_SENSE_LOWER, .compare = TS_COMPARE_CLOSE, .tolerance = 1e-9,                       \
    .label = "Position error, maximum", .metric = "position", .has_rule = true,                    \
    .meaning = "Largest distance of a contact from the regions of its pair.")                      \
  X(REAL, gap_error_m_max, "gap_error_m_max", "m", .role = TS_ROLE_MEASURE,                        \
    .sense = TS_SENSE_LOWER, .compare = TS_COMPARE_CLOSE, .tolerance = 1e-9,                       \
    .label = "Gap error, maximum", .metric = "position", .has_rule = true,                         \
    .meaning = "Largest error of a gap, beyond what the envelope explains.")                       \
  X(REAL, kinetic_energy_j, "kinetic_energy_j", "J", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE, \
    .compare = TS_COMPARE_CLOSE, .tolerance = 1e-6, .label = "Kinetic energy",                     \
    .no_rule =                                                                                     \
        "bodies that fall gain it, bodies at rest have none: the scene decides what is right",     \
    .meaning = "Of all bodies that move, after the time step.")                                    \
  X(REAL, potential_energy_j, "potential_energy_j", "J", .role = TS_ROLE_FACT,                     \
    .sense = TS_SENSE_NONE, .compare = TS_COMPARE_CLOSE, .tolerance = 1e-6,                        \
    .label = "Potential energy",                                                                   \
    .no_rule =                                                                                     \
        "bodies that fall lose it, bodies at rest keep it: the scene decides what is right",       \
    .meaning = "The same; against the scene as built.")                                            \
  X(REAL, overlap_m_max, "overlap_m_max", "m", .role = TS_ROLE_MEASURE, .sense = TS_SENSE_LOWER,   \
    .compare = TS_COMPARE_CLOSE, .tolerance = 1e-9, .label = "Overlap, maximum",                   \
    .no_rule = "overlaps without a contact are not in it, and small differences grow in motion",   \
    .meaning = "Deepest overlap that a contact of the step reports.")                              \
  X(REAL, drift_m_max, "drift_m_max", "m", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,           \
    .compare = TS_COMPARE_CLOSE, .tolerance = 1e-9, .label = "Drift, maximum",                     \
    .no_rule =                                                                                     \
        "right where bodies slide or fall, wrong where they should rest: the scene decides",       \
    .meaning = "Largest distance of a body, after the time step, from where it was built.")        \
  X(COUNT, sweeps, "sweeps", "", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,                     \
    .compare = TS_COMPARE_EXACT, .label = "Solver sweeps",                                         \
    .no_rule = "a scene whose contacts are missing needs none",                                    \
    .meaning = "Sweeps of the contact solver in the time step.")                                   \
  X(REAL, residual_kg_m_s, "residual_kg_m_s", "kg m/s", .role = TS_ROLE_FACT,                      \
    .sense = TS_SENSE_NONE, .compare = TS_COMPARE_CLOSE, .tolerance = 1e-6,                        \
    .label = "Solver residual", .no_rule = "a scene whose contacts are missing leaves none",       \
    .meaning = "Largest change of an impulse in the last sweep.")                                  \
  X(REAL, contacts_mean, "contacts_mean", "", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,        \
    .compare = TS_COMPARE_CLOSE, .tolerance = 1e-9, .label = "Contacts per step, mean",            \
    .no_rule = "excess_factor judges the number of contacts",                                      \
    .meaning = "Unique contacts of a time step, over the time steps up to this one; mean.")        \
  X(COUNT, contacts_min, "contacts_min", "", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,         \
    .compare = TS_COMPARE_EXACT, .label = "Contacts per step, minimum",                            \
    .no_rule = "excess_factor judges the number of contacts", .meaning = "The same; minimum.")     \
  X(COUNT, contacts_max, "contacts_max", "", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,         \
    .compare = TS_COMPARE_EXACT, .label = "Contacts per step, maximum",                            \
    .no_rule = "excess_factor judges the number of contacts", .meaning = "The same; maximum.")     \
  X(REAL, contacts_stddev, "contacts_stddev", "", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,    \
    .compare = TS_COMPARE_CLOSE, .tolerance = 1e-9,                                                \
    .label = "Contacts per step, standard deviation",                                              \
    .no_rule = "bodies that move change their contacts; a method that finds none is steady too",   \
    .meaning = "The same; standard deviation.")                                                    \
  X(REAL, build_ns, "build_ns", "ns", .role = TS_ROLE_TIME, .sense = TS_SENSE_NONE,                \
    .compare = TS_COMPARE_REPORT, .label = "Build time",                                           \
    .no_rule = "the time of touchstone, not of the method",                                        \
    .meaning = "Time to build the scene and its truth.")                                           \
  X(REAL, pairing_ns, "pairing_ns", "ns", .role = TS_ROLE_TIME, .sense = TS_SENSE_NONE,            \
    .compare = TS_COMPARE_REPORT, .label = "Broad phase time",                                     \
    .no_rule = "the time of touchstone, not of the method", .meaning = "Time of the broad phase.") \
  X(REAL, prepare_ns, "prepare_ns", "ns", .role = TS_ROLE_TIME, .sense = TS_SENSE_LOWER,           \
    .compare = TS_COMPARE_REPORT, .label = "Prepare time",                                         \
    .no_rule = "times depend on the machine; touchstone compare tests them by their samples",      \
    .meaning = "Time to prepare shapes and pairs; fastest repeat.")                                \
  X(REAL, generate_ns_min, "generate_ns_min", "ns", .role = TS_ROLE_TIME, .sense = TS_SENSE_LOWER, \
    .compare = TS_COMPARE_REPORT, .label = "Time, minimum",                                        \
    .no_rule = "times depend on the machine; touchstone compare tests them by their samples",      \
    .meaning = "Time to generate the contacts of all pairs at poses not seen before; fastest "     \
               "repeat.")                                                                          \
  X(REAL, generate_ns_median, "generate_ns_median", "ns", .role = TS_ROLE_TIME,                    \
    .sense = TS_SENSE_LOWER, .compare = TS_COMPARE_REPORT, .label = "Time",                        \
    .shown = TS_SHOWN_TABLE | TS_SHOWN_PAGE,                                                       \
    .no_rule = "times depend on the machine; touchstone compare tests them by their samples",      \
    .meaning = "The same; median.")                                                                \
  X(REAL, generate_ns_mad, "generate_ns_mad", "ns", .role = TS_ROLE_TIME, .sense = TS_SENSE_NONE,  \
    .compare = TS_COMPARE_REPORT, .label = "Time, spread",                                         \
    .no_rule = "the spread says how quiet the machine was",                                        \
    .meaning = "The same; median absolute deviation.")                                             \
  X(COUNT, repeats, "repeats", "", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,                   \
    .compare = TS_COMPARE_REPORT, .label = "Repeats", .no_rule = "a fact of the run",              \
    .meaning = "Timed repeats: the rows of phase generate in samples.csv.")                        \
  X(REAL, solve_ns, "solve_ns", "ns", .role = TS_ROLE_TIME, .sense = TS_SENSE_NONE,                \
    .compare = TS_COMPARE_REPORT, .label = "Solver time",                                          \
    .no_rule = "the time of touchstone, not of the method",                                        \
    .meaning = "Time of the contact solver in the time step.")                                     \
  X(REAL, score_ns, "score_ns", "ns", .role = TS_ROLE_TIME, .sense = TS_SENSE_NONE,                \
    .compare = TS_COMPARE_REPORT, .label = "Scoring time",                                         \
    .no_rule = "the time of touchstone, not of the method",                                        \
    .meaning = "Time to score the contacts.")                                                      \
  X(REAL, memory_bytes_max, "memory_bytes_max", "bytes", .role = TS_ROLE_MEASURE,                  \
    .sense = TS_SENSE_LOWER, .compare = TS_COMPARE_REPORT, .label = "Memory, maximum",             \
    .no_rule = "it depends on the machine and on touchstone, too",                                 \
    .meaning = "Largest resident memory of the cell's process.")                                   \
  X(TEXT, contacts_hash, "contacts_hash", "", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,        \
    .compare = TS_COMPARE_EXACT, .label = "Contacts hash",                                         \
    .no_rule = "another hash says that a bit changed, not which way",                              \
    .meaning = "Fingerprint of the unique contacts of all pairs; equal bits, equal hash.")         \
  X(REAL, blocked_wrongly_percent, "blocked_wrongly_percent", "percent", .role = TS_ROLE_MEASURE,  \
    .sense = TS_SENSE_LOWER, .compare = TS_COMPARE_CLOSE, .tolerance = 1e-9,                       \
    .label = "Free motions blocked", .shown = TS_SHOWN_HEAT_MAP, .metric = "motion",               \
    .has_rule = true,                                                                              \
    .meaning =                                                                                     \
        "Share of the truly free motions of a pair that its contacts block; mean over the pairs.") \
  X(REAL, freed_wrongly_percent, "freed_wrongly_percent", "percent", .role = TS_ROLE_MEASURE,      \
    .sense = TS_SENSE_LOWER, .compare = TS_COMPARE_CLOSE, .tolerance = 1e-9,                       \
    .label = "Blocked motions freed", .shown = TS_SHOWN_HEAT_MAP, .metric = "motion",              \
    .has_rule = true,                                                                              \
    .meaning = "Share of the truly blocked motions that they let through; likewise.")              \
  X(REAL, blocked_wrongly_sliding_percent, "blocked_wrongly_sliding_percent", "percent",           \
    .role = TS_ROLE_MEASURE, .sense = TS_SENSE_LOWER, .compare = TS_COMPARE_CLOSE,                 \
    .tolerance = 1e-9, .label = "Sliding motions blocked", .metric = "motion", .has_rule = true,   \
    .meaning = "Share of the motions along which the bodies slide that they block; likewise.")     \
  X(REAL, blocked_wrongly_given_percent, "blocked_wrongly_given_percent", "percent",               \
    .role = TS_ROLE_MEASURE, .sense = TS_SENSE_LOWER, .compare = TS_COMPARE_CLOSE,                 \
    .tolerance = 1e-9, .label = "Given motions blocked", .metric = "motion", .has_rule = true,     \
    .meaning = "The same of the free motions around the given one, where any one normal will do.") \
  X(REAL, wrench_residual_max, "wrench_residual_max", "", .role = TS_ROLE_MEASURE,                 \
    .sense = TS_SENSE_LOWER, .compare = TS_COMPARE_CLOSE, .tolerance = 1e-9,                       \
    .label = "Wrench residual, maximum", .metric = "motion",                                       \
    .no_rule = "the worst contact alone; blocked_wrongly_percent judges how much it blocks",       \
    .meaning =                                                                                     \
        "Largest distance of a contact's unit wrench from the cone of the truth; 0: none blocks.") \
  X(REAL, wrench_missing_max, "wrench_missing_max", "", .role = TS_ROLE_MEASURE,                   \
    .sense = TS_SENSE_LOWER, .compare = TS_COMPARE_CLOSE, .tolerance = 1e-9,                       \
    .label = "Missing wrench, maximum", .metric = "motion",                                        \
    .no_rule = "the worst wrench alone; freed_wrongly_percent judges how much it frees",           \
    .meaning = "Largest distance of a true unit wrench from the cone of the contacts; 0: nothing " \
               "is freed.")                                                                        \
  X(COUNT, gaps_wrong, "gaps_wrong", "", .role = TS_ROLE_FAULT, .sense = TS_SENSE_LOWER,           \
    .compare = TS_COMPARE_EXACT, .label = "Wrong gaps", .flag = 'g', .shown = TS_SHOWN_PAGE,       \
    .metric = "position", .has_rule = true,                                                        \
    .meaning = "Contacts in place whose gap is wrong by more than the tolerance, or not finite.")  \
  X(COUNT, speculative_wrong, "speculative_wrong", "", .role = TS_ROLE_FAULT,                      \
    .sense = TS_SENSE_LOWER, .compare = TS_COMPARE_EXACT, .label = "Wrong speculative contacts",   \
    .short_label = "Wrong ahead", .flag = 'a', .shown = TS_SHOWN_PAGE, .metric = "speculative",    \
    .has_rule = true,                                                                              \
    .meaning = "Speculative contacts whose place, normal or gap is not that of the surfaces.")     \
  X(COUNT, contacts_missing, "contacts_missing", "", .role = TS_ROLE_FAULT,                        \
    .sense = TS_SENSE_LOWER, .compare = TS_COMPARE_EXACT, .label = "Missing contacts",             \
    .short_label = "Missing", .flag = 'n', .shown = TS_SHOWN_PAGE, .metric = "phantom",            \
    .has_rule = true, .meaning = "Contacts that the regions lack of their minimum.")               \
  X(COUNT, pairs_unknown, "pairs_unknown", "", .role = TS_ROLE_MEASURE, .sense = TS_SENSE_LOWER,   \
    .compare = TS_COMPARE_EXACT, .label = "Pairs without truth", .metric = "truth_count",          \
    .has_rule = true,                                                                              \
    .meaning = "Pairs that have moved to where their truth is unknown; they are not judged.")      \
  X(REAL, churn_percent, "churn_percent", "percent", .role = TS_ROLE_MEASURE,                      \
    .sense = TS_SENSE_LOWER, .compare = TS_COMPARE_CLOSE, .tolerance = 1e-9,                       \
    .label = "Churn of contacts", .short_label = "Churn", .shown = TS_SHOWN_STEPS,                 \
    .has_rule = true,                                                                              \
    .meaning = "Contacts that came or went since the step before without a reason, over those of " \
               "both steps.")                                                                      \
  X(REAL, set_jump_m, "set_jump_m", "m", .role = TS_ROLE_MEASURE, .sense = TS_SENSE_LOWER,         \
    .compare = TS_COMPARE_CLOSE, .tolerance = 1e-9, .label = "Jump of contacts",                   \
    .shown = TS_SHOWN_STEPS,                                                                       \
    .no_rule = "it follows the motion of the bodies; set_jump_per_m judges it",                    \
    .meaning = "Largest change of a contact since the step before: of its place in a body, its "   \
               "normal or its gap; of one that came or went without a reason its distance from "   \
               "the others.")                                                                      \
  X(REAL, set_jump_per_m, "set_jump_per_m", "", .role = TS_ROLE_MEASURE, .sense = TS_SENSE_LOWER,  \
    .compare = TS_COMPARE_CLOSE, .tolerance = 1e-6, .label = "Jump over motion", .far_off = 1e6,   \
    .shown = TS_SHOWN_STEPS, .has_rule = true,                                                     \
    .meaning = "The same of a pair over its own motion; maximum.")                                 \
  X(REAL, cone_jump, "cone_jump", "", .role = TS_ROLE_MEASURE, .sense = TS_SENSE_LOWER,            \
    .compare = TS_COMPARE_CLOSE, .tolerance = 1e-6, .label = "Jump of blocked motions",            \
    .far_off = 1, .shown = TS_SHOWN_STEPS, .has_rule = true,                                       \
    .meaning = "Largest distance of a contact's wrench from the cone of the wrenches of the step " \
               "before, or the other way round, beyond the motion: 0 to 1.")                       \
  X(REAL, features_kept_percent, "features_kept_percent", "percent", .role = TS_ROLE_MEASURE,      \
    .sense = TS_SENSE_HIGHER, .compare = TS_COMPARE_CLOSE, .tolerance = 1e-9,                      \
    .label = "Features kept", .shown = TS_SHOWN_STEPS, .has_rule = true,                           \
    .meaning = "Contacts of both steps whose feature ids are the same.")                           \
  X(REAL, impulse_jump_percent, "impulse_jump_percent", "percent", .role = TS_ROLE_MEASURE,        \
    .sense = TS_SENSE_LOWER, .compare = TS_COMPARE_CLOSE, .tolerance = 1e-6,                       \
    .label = "Jump of impulses", .shown = TS_SHOWN_STEPS, .has_rule = true,                        \
    .meaning = "What the normal impulses of the solver changed since the step before, over "       \
               "those of both steps.")                                                             \
  X(REAL, churn_percent_mean, "churn_percent_mean", "percent", .role = TS_ROLE_MEASURE,            \
    .sense = TS_SENSE_LOWER, .compare = TS_COMPARE_CLOSE, .tolerance = 1e-9,                       \
    .label = "Churn of contacts, mean", .short_label = "Mean churn",                               \
    .shown = TS_SHOWN_HEAT_MAP | TS_SHOWN_COHERENCE,                                               \
    .no_rule = "churn_percent of each step has one",                                               \
    .meaning = "Contacts that came or went without a reason, over those of both steps; mean of "   \
               "the steps so far.")                                                                \
  X(REAL, set_jump_m_max, "set_jump_m_max", "m", .role = TS_ROLE_MEASURE, .sense = TS_SENSE_LOWER, \
    .compare = TS_COMPARE_CLOSE, .tolerance = 1e-9, .label = "Jump of contacts, maximum",          \
    .no_rule = "it follows the motion of the bodies; set_jump_per_m judges it",                    \
    .meaning = "set_jump_m, maximum of the steps so far.")                                         \
  X(COUNT, set_jump_step, "set_jump_step", "", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,       \
    .compare = TS_COMPARE_EXACT, .label = "Step of the largest jump",                              \
    .no_rule = "a fact of the run", .meaning = "The step in which it was.")                        \
  X(REAL, set_jump_per_m_max, "set_jump_per_m_max", "", .role = TS_ROLE_MEASURE,                   \
    .sense = TS_SENSE_LOWER, .compare = TS_COMPARE_CLOSE, .tolerance = 1e-6,                       \
    .label = "Jump over motion, maximum", .short_label = "Jump over motion", .far_off = 1e6,       \
    .shown = TS_SHOWN_HEAT_MAP | TS_SHOWN_COHERENCE,                                               \
    .no_rule = "set_jump_per_m of each step has one",                                              \
    .meaning = "Largest change of a contact from one step to the next over the motion of its "     \
               "pair; maximum of the steps so far.")                                               \
  X(REAL, cone_jump_max, "cone_jump_max", "", .role = TS_ROLE_MEASURE, .sense = TS_SENSE_LOWER,    \
    .compare = TS_COMPARE_CLOSE, .tolerance = 1e-6, .label = "Jump of blocked motions, maximum",   \
    .short_label = "Jump of blocked motions", .far_off = 1,                                        \
    .shown = TS_SHOWN_HEAT_MAP | TS_SHOWN_COHERENCE, .no_rule = "cone_jump of each step has one",  \
    .meaning =                                                                                     \
        "Largest distance of a contact's wrench from the cone of the wrenches of the step "        \
        "before, or the other way round, beyond the motion: 0 to 1; maximum of the steps so far.") \
  X(REAL, features_kept_percent_min, "features_kept_percent_min", "percent",                       \
    .role = TS_ROLE_MEASURE, .sense = TS_SENSE_HIGHER, .compare = TS_COMPARE_CLOSE,                \
    .tolerance = 1e-9, .label = "Features kept, minimum", .short_label = "Features kept",          \
    .shown = TS_SHOWN_HEAT_MAP | TS_SHOWN_COHERENCE,                                               \
    .no_rule = "features_kept_percent of each step has one",                                       \
    .meaning =                                                                                     \
        "Contacts of both steps whose feature ids are the same; minimum of the steps so far.")     \
  X(REAL, impulse_jump_percent_mean, "impulse_jump_percent_mean", "percent",                       \
    .role = TS_ROLE_MEASURE, .sense = TS_SENSE_LOWER, .compare = TS_COMPARE_CLOSE,                 \
    .tolerance = 1e-6, .label = "Jump of impulses, mean", .short_label = "Jump of impulses",       \
    .shown = TS_SHOWN_HEAT_MAP | TS_SHOWN_COHERENCE,                                               \
    .no_rule = "impulse_jump_percent of each step has one",                                        \
    .meaning = "What the normal impulses of the solver changed from one step to the next, over "   \
               "those of both steps; mean of the steps so far.")                                   \
  X(REAL, continuity_order, "continuity_order", "", .role = TS_ROLE_MEASURE,                       \
    .sense = TS_SENSE_HIGHER, .compare = TS_COMPARE_CLOSE, .tolerance = 1e-6,                      \
    .label = "Order of continuity", .shown = TS_SHOWN_HEAT_MAP | TS_SHOWN_COHERENCE,               \
    .has_rule = true,                                                                              \
    .meaning = "On a path: how the largest jump so far falls with the length of the steps; 1: as " \
               "fast, 0: not at all.")                                                             \
  X(REAL, stale_percent, "stale_percent", "percent", .role = TS_ROLE_MEASURE,                      \
    .sense = TS_SENSE_LOWER, .compare = TS_COMPARE_CLOSE, .tolerance = 1e-9,                       \
    .label = "Stale pairs", .has_rule = true,                                                      \
    .meaning = "Pairs that have moved along a normal since the step before and whose contacts "    \
               "are as they were.")                                                                \
  X(REAL, stale_percent_mean, "stale_percent_mean", "percent", .role = TS_ROLE_MEASURE,            \
    .sense = TS_SENSE_LOWER, .compare = TS_COMPARE_CLOSE, .tolerance = 1e-9,                       \
    .label = "Stale pairs, mean", .no_rule = "stale_percent of each step has one",                 \
    .meaning = "stale_percent, mean of the steps so far.")                                         \
  X(REAL, first_ns, "first_ns", "ns", .role = TS_ROLE_TIME, .sense = TS_SENSE_LOWER,               \
    .compare = TS_COMPARE_REPORT, .label = "Time, first",                                          \
    .no_rule = "times depend on the machine; touchstone compare tests them by their samples",      \
    .meaning = "Time of the first pass over all pairs, right after they were prepared.")           \
  X(COUNT, differs_from_fresh, "differs_from_fresh", "", .role = TS_ROLE_FACT,                     \
    .sense = TS_SENSE_NONE, .compare = TS_COMPARE_EXACT, .label = "Differs from fresh",            \
    .no_rule = "right for a method that says that it keeps state; any other one fails",            \
    .meaning = "1 when a process in which the method was never called gives other contacts at "    \
               "the same poses, else 0; nan as built.")                                            \
  X(REAL, overlap_m3, "overlap_m3", "m3", .role = TS_ROLE_MEASURE, .sense = TS_SENSE_LOWER,        \
    .compare = TS_COMPARE_CLOSE, .tolerance = 1e-9, .label = "Overlap volume",                     \
    .shown = TS_SHOWN_SWEEP,                                                                       \
    .no_rule = "depends on the areas that a method gives, and on what bodies do under its "        \
               "contacts",                                                                         \
    .meaning = "Volume of the overlap beyond what the envelope makes, by the areas and gaps of "   \
               "the contacts; nan if areas are missing.")                                          \
  X(REAL, tilt_deg_max, "tilt_deg_max", "deg", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,       \
    .compare = TS_COMPARE_CLOSE, .tolerance = 1e-6, .label = "Tilt, maximum",                      \
    .no_rule = "right where bodies fall over, wrong where they should stand: the scene decides",   \
    .meaning = "Largest angle of a body's vertical, after the time step, to where it was built; "  \
               "nan where bodies deform.")                                                         \
  X(REAL, contact_force_n_max, "contact_force_n_max", "N", .role = TS_ROLE_FACT,                   \
    .sense = TS_SENSE_NONE, .compare = TS_COMPARE_CLOSE, .tolerance = 1e-6,                        \
    .label = "Contact force, maximum", .shown = TS_SHOWN_SWEEP,                                    \
    .no_rule = "the scene decides what is right",                                                  \
    .meaning = "Largest normal force of a pair in the time step: the sum over its contacts.")      \
  X(COUNT, constraints, "constraints", "", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,           \
    .compare = TS_COMPARE_EXACT, .label = "Constraints",                                           \
    .no_rule = "depends on the contacts, which are judged",                                        \
    .meaning = "Normal rows of the contact solver: one for each contact, or for each pair.")       \
  X(COUNT, detections, "detections", "", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,             \
    .compare = TS_COMPARE_EXACT, .label = "Detections", .no_rule = "a fact of the response",       \
    .meaning = "Times that the contacts of the time step were found: once, and once after each "   \
               "position step.")                                                                   \
  X(COUNT, position_iterations, "position_iterations", "", .role = TS_ROLE_FACT,                   \
    .sense = TS_SENSE_NONE, .compare = TS_COMPARE_EXACT, .label = "Position steps",                \
    .no_rule = "a fact of the response",                                                           \
    .meaning = "Position steps in the time step, which displace bodies that overlap by more "      \
               "than the envelope makes.")                                                         \
  X(COUNT, position_limited, "position_limited", "", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE, \
    .compare = TS_COMPARE_EXACT, .label = "Position steps limited",                                \
    .no_rule = "a fact of the response",                                                           \
    .meaning = "Position steps of an island that would have gone further than the overlap of "     \
               "the boxes of its bodies, and were cut short.")                                     \
  X(REAL, position_energy_j, "position_energy_j", "J", .role = TS_ROLE_FACT,                       \
    .sense = TS_SENSE_NONE, .compare = TS_COMPARE_CLOSE, .tolerance = 1e-6,                        \
    .label = "Energy of position steps",                                                           \
    .no_rule = "right where bodies are lifted out of an overlap as built, wrong where they "       \
               "drift: the scene decides",                                                         \
    .meaning = "Potential energy that position steps have added since the scene was built.")       \
  X(REAL, elastic_energy_j, "elastic_energy_j", "J", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE, \
    .compare = TS_COMPARE_CLOSE, .tolerance = 1e-6, .label = "Elastic energy",                     \
    .no_rule = "the scene decides what is right",                                                  \
    .meaning = "Energy of the penalty on the volumes of overlap, where the contacts of the "       \
               "time step were found; of the deformation of deformable bodies, after it.")         \
  X(REAL, explicit_ratio, "explicit_ratio", "", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,      \
    .compare = TS_COMPARE_CLOSE, .tolerance = 1e-6, .label = "Explicit step ratio",                \
    .no_rule = "a choice of the run, which warns of it",                                           \
    .meaning = "dt_s times area times root of stiffness over mass, or dt_s times area times "      \
               "viscosity over mass, of the pair of an explicit penalty where it is largest; "     \
               "above 2 it diverges.")                                                             \
  X(TEXT, shapes_native, "shapes_native", "", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,        \
    .compare = TS_COMPARE_EXACT, .label = "Native shapes", .no_rule = "a fact of the method",      \
    .meaning = "Kinds of the scene's shapes that the method worked on themselves, not on their "   \
               "triangles: words joined by +; empty: none.")                                       \
  X(REAL, mesh_error_m, "mesh_error_m", "m", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,         \
    .compare = TS_COMPARE_CLOSE, .tolerance = 1e-9, .label = "Error of triangles",                 \
    .no_rule = "a fact of the method",                                                             \
    .meaning = "Largest error of the triangles that the method was given for a curved shape, "     \
               "which its contacts are allowed; 0: it was given none.")                            \
  X(TEXT, pieces, "pieces", "", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,                      \
    .compare = TS_COMPARE_EXACT, .label = "Convex pieces", .no_rule = "a fact of the scene",       \
    .meaning = "Convex pieces that the method was given instead of shapes that are not convex: "   \
               "none, given (with the scene), exact or approximate (found by touchstone).")        \
  X(REAL, pieces_error_m, "pieces_error_m", "m", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,     \
    .compare = TS_COMPARE_CLOSE, .tolerance = 1e-9, .label = "Error of pieces",                    \
    .no_rule = "a fact of the scene",                                                              \
    .meaning = "Largest distance of the surface of approximate pieces from the shape that they "   \
               "stand for; 0: there are none.")                                                    \
  X(COUNT, processes_left, "processes_left", "", .role = TS_ROLE_MEASURE, .sense = TS_SENSE_LOWER, \
    .compare = TS_COMPARE_REPORT, .label = "Processes left",                                       \
    .no_rule = "they were ended, and some may end by themselves before",                           \
    .meaning = "Processes that the method has started and left behind; they were ended with the "  \
               "cell.")                                                                            \
  X(TEXT, left_changed, "left_changed", "", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,          \
    .compare = TS_COMPARE_EXACT, .label = "Left changed",                                          \
    .no_rule = "it was restored, and the contacts are judged as they are",                         \
    .meaning = "What the method has changed in its process and not restored, up to this step: "    \
               "rounding, traps, subnormals, directory, umask, signals, timer, limits, locale.")   \
  X(COUNT, regions_listed, "regions_listed", "", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,     \
    .compare = TS_COMPARE_REPORT, .label = "Regions listed", .no_rule = "a fact of the output",    \
    .meaning = "Rows of the step in regions.csv: all regions where contacts.csv lists all "        \
               "contacts; fewer with `--contacts bad` or `none`.")                                 \
  X(COUNT, poses_listed, "poses_listed", "", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,         \
    .compare = TS_COMPARE_REPORT, .label = "Poses listed", .no_rule = "a fact of the output",      \
    .meaning = "Rows of the step in poses.csv: the bodies that can move, or none as built and "    \
               "where bodies deform; fewer with `--contacts bad` or `none`.")                      \
  X(COUNT, nodes, "nodes", "", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,                       \
    .compare = TS_COMPARE_EXACT, .label = "Nodes", .no_rule = "of the scene and the step",         \
    .meaning = "Nodes of the deformable bodies.")                                                  \
  X(COUNT, tets, "tets", "", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,                         \
    .compare = TS_COMPARE_EXACT, .label = "Tetrahedra", .no_rule = "of the scene and the step",    \
    .meaning = "Elements of the deformable bodies.")                                               \
  X(TEXT, linear_solver, "linear_solver", "", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,        \
    .compare = TS_COMPARE_REPORT, .label = "Linear solver",                                        \
    .no_rule = "of the scene and the step",                                                        \
    .meaning = "What factors the systems of the deformable bodies, with its version.")             \
  X(REAL, step_wave_ratio, "step_wave_ratio", "", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,    \
    .compare = TS_COMPARE_CLOSE, .tolerance = 1e-6, .label = "Wave in a step over size",           \
    .no_rule = "of the scene and the step",                                                        \
    .meaning = "c dt_s / L: how far an elastic wave goes in a time step over the length of the "   \
               "deformable body at rest, c = sqrt(E / density), L = sqrt(12 times the largest "    \
               "variance of its mass along any axis), which is the length of a bar and the edge "  \
               "of a cube; the largest of the bodies.")                                            \
  X(REAL, rotation_deg_max, "rotation_deg_max", "deg", .role = TS_ROLE_FACT,                       \
    .sense = TS_SENSE_NONE, .compare = TS_COMPARE_CLOSE, .tolerance = 1e-6,                        \
    .label = "Rotation, maximum", .no_rule = "of the scene and the step",                          \
    .meaning = "Largest rotation of a node of a deformable body after the time step: against the " \
               "best rigid fit of the body, or its pose as built where nodes are clamped.")        \
  X(REAL, response_error_percent, "response_error_percent", "percent", .role = TS_ROLE_FACT,       \
    .sense = TS_SENSE_NONE, .compare = TS_COMPARE_CLOSE, .tolerance = 1e-6,                        \
    .label = "Error of a step", .no_rule = "of the response, not of the method",                   \
    .meaning = "Correction of the time step by the response against that by the exact "            \
               "compliance, from the same state and contacts: |dq - dq_exact| / |dq_exact| over "  \
               "the nodes of deformable bodies; not where the latter is below 1e-9 of the "        \
               "largest extent of a deformable body.")                                             \
  X(REAL, response_error_percent_median, "response_error_percent_median", "percent",               \
    .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE, .compare = TS_COMPARE_CLOSE, .tolerance = 1e-6,  \
    .label = "Error of a step, median", .no_rule = "of the response, not of the method",           \
    .meaning = "Median of response_error_percent over the time steps so far.")                     \
  X(REAL, deformation_error_percent, "deformation_error_percent", "percent", .role = TS_ROLE_FACT, \
    .sense = TS_SENSE_NONE, .compare = TS_COMPARE_CLOSE, .tolerance = 1e-6,                        \
    .label = "Error of the shape", .no_rule = "of the response, not of the method",                \
    .meaning = "Distance of the deformable bodies, after the best rigid fit of each, from those "  \
               "of the twin world with the exact compliance, over the distance of the latter "     \
               "from their shapes at rest, fitted likewise.")                                      \
  X(REAL, deformation_error_percent_at_largest, "deformation_error_percent_at_largest", "percent", \
    .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE, .compare = TS_COMPARE_CLOSE, .tolerance = 1e-6,  \
    .label = "Error of the shape at the largest deformation",                                      \
    .no_rule = "of the response, not of the method",                                               \
    .meaning = "deformation_error_percent of the time step so far at which the twin world is "     \
               "deformed the most.")                                                               \
  X(REAL, displacement_error_percent, "displacement_error_percent", "percent",                     \
    .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE, .compare = TS_COMPARE_CLOSE, .tolerance = 1e-6,  \
    .label = "Error of the displacement", .no_rule = "of the response, not of the method",         \
    .meaning = "Distance of the nodes of the deformable bodies from those of the twin world, "     \
               "over the displacement of the latter since the scene as built.")                    \
  X(REAL, displacement_error_percent_at_largest, "displacement_error_percent_at_largest",          \
    "percent", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE, .compare = TS_COMPARE_CLOSE,          \
    .tolerance = 1e-6, .label = "Error of the displacement at the largest displacement",           \
    .no_rule = "of the response, not of the method",                                               \
    .meaning = "displacement_error_percent of the time step so far at which the twin world is "    \
               "displaced the most.")                                                              \
  X(REAL, momentum_defect, "momentum_defect", "", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,    \
    .compare = TS_COMPARE_CLOSE, .tolerance = 1e-6, .label = "Momentum defect",                    \
    .no_rule = "of the response, not of the method",                                               \
    .meaning = "|sum of m dq (1/h^2 + a/h) - sum of the contact forces| over the sum of their "    \
               "sizes, of the deformable body without clamped nodes where it is largest: what "    \
               "the correction of the time step adds to the linear momentum.")                     \
  X(REAL, momentum_defect_median, "momentum_defect_median", "", .role = TS_ROLE_FACT,              \
    .sense = TS_SENSE_NONE, .compare = TS_COMPARE_CLOSE, .tolerance = 1e-6,                        \
    .label = "Momentum defect, median", .no_rule = "of the response, not of the method",           \
    .meaning = "Median of momentum_defect over the time steps so far.")                            \
  X(REAL, gap_min_m, "gap_min_m", "m", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,               \
    .compare = TS_COMPARE_CLOSE, .tolerance = 1e-6, .label = "Smallest gap",                       \
    .no_rule = "overlap_left_m is judged",                                                         \
    .meaning = "Smallest gap of two bodies after the time step, by touchstone, below 0 where "     \
               "they overlap; nan where no two are within a tenth of the size of their pair; "     \
               "scenes with deformable bodies.")                                                   \
  X(REAL, overlap_left_m, "overlap_left_m", "m", .role = TS_ROLE_MEASURE, .sense = TS_SENSE_LOWER, \
    .compare = TS_COMPARE_CLOSE, .tolerance = 1e-6, .label = "Overlap left",                       \
    .no_rule = "a response leaves some with the right contacts, too",                              \
    .meaning = "Deepest overlap of two bodies after the time step: gap_min_m below 0, else 0.")    \
  X(REAL, residual_m, "residual_m", "m", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,             \
    .compare = TS_COMPARE_CLOSE, .tolerance = 1e-6, .label = "Solver residual",                    \
    .no_rule = "of the response, not of the method",                                               \
    .meaning = "Largest displacement of a contact by the last sweep of the contact solver, at "    \
               "the scale of the scene; scenes with deformable bodies.")                           \
  X(COUNT, steps_unconverged, "steps_unconverged", "", .role = TS_ROLE_FAULT,                      \
    .sense = TS_SENSE_LOWER, .compare = TS_COMPARE_EXACT, .label = "Steps not converged",          \
    .flag = 'u', .shown = TS_SHOWN_PAGE, .no_rule = "of the response, not of the method",          \
    .meaning = "Time steps so far in which the contact solver made all its sweeps and contacts "   \
               "still moved by more than the parameter residual_m, which is at scale 1, allows.")  \
  X(REAL, free_motion_ns, "free_motion_ns", "ns", .role = TS_ROLE_TIME, .sense = TS_SENSE_NONE,    \
    .compare = TS_COMPARE_REPORT, .label = "Free motion time",                                     \
    .no_rule = "the time of touchstone, not of the method",                                        \
    .meaning = "Time of the free motion of the deformable bodies in the time step, with the "      \
               "factor of the system.")                                                            \
  X(REAL, compliance_ns, "compliance_ns", "ns", .role = TS_ROLE_TIME, .sense = TS_SENSE_NONE,      \
    .compare = TS_COMPARE_REPORT, .label = "Compliance time",                                      \
    .no_rule = "the time of touchstone, not of the method",                                        \
    .meaning =                                                                                     \
        "Time of the compliance at the contacts (the Delassus operator) in the time step; of the " \
        "exact one with the factor of the system, which the free motion needs, too.")              \
  X(REAL, compliance_rest_ns, "compliance_rest_ns", "ns", .role = TS_ROLE_TIME,                    \
    .sense = TS_SENSE_NONE, .compare = TS_COMPARE_REPORT, .label = "Rest compliance time",         \
    .no_rule = "the time of touchstone, not of the method",                                        \
    .meaning = "Time of the columns of the rest compliance that the time step was the first to "   \
               "need; not part of compliance_ns.")                                                 \
  X(REAL, compliance_exact_ns, "compliance_exact_ns", "ns", .role = TS_ROLE_TIME,                  \
    .sense = TS_SENSE_NONE, .compare = TS_COMPARE_REPORT, .label = "Exact compliance time",        \
    .no_rule = "the time of touchstone, not of the method",                                        \
    .meaning =                                                                                     \
        "Time of the exact compliance at the same contacts, with the factor of the system.")       \
  X(REAL, correction_ns, "correction_ns", "ns", .role = TS_ROLE_TIME, .sense = TS_SENSE_NONE,      \
    .compare = TS_COMPARE_REPORT, .label = "Correction time",                                      \
    .no_rule = "the time of touchstone, not of the method",                                        \
    .meaning = "Time of the corrective motion in the time step.")                                  \
  X(REAL, quality_area_percent, "quality_area_percent", "percent", .role = TS_ROLE_MEASURE,        \
    .sense = TS_SENSE_HIGHER, .compare = TS_COMPARE_CLOSE, .tolerance = 1e-9,                      \
    .label = "Normal quality of the area", .metric = "quality_area",                               \
    .no_rule = "quality_percent judges the normals",                                               \
    .meaning =                                                                                     \
        "Share of the area of the contacts whose normal is a feasible one, up to sign; nan: "      \
        "there is no contact, or one without an area.")                                            \
  X(REAL, modify_ns_median, "modify_ns_median", "ns", .role = TS_ROLE_TIME,                        \
    .sense = TS_SENSE_LOWER, .compare = TS_COMPARE_REPORT, .label = "Modifying time",              \
    .no_rule = "times are not compared between machines",                                          \
    .meaning =                                                                                     \
        "Median time of the modifiers over all pairs; not part of the times of the method.")       \
  X(REAL, modify_lost_max, "modify_lost_max", "", .role = TS_ROLE_MEASURE,                         \
    .sense = TS_SENSE_LOWER, .compare = TS_COMPARE_CLOSE, .tolerance = 1e-6,                       \
    .label = "Lost by modifiers",                                                                  \
    .no_rule = "quality and motions are judged, with and without modifiers",                       \
    .meaning = "Largest distance of a wrench of a contact of the method from the cone of the "     \
               "modified ones, 0 to 1; nan without modifiers.")                                    \
  X(REAL, modify_added_max, "modify_added_max", "", .role = TS_ROLE_MEASURE,                       \
    .sense = TS_SENSE_LOWER, .compare = TS_COMPARE_CLOSE, .tolerance = 1e-6,                       \
    .label = "Added by modifiers",                                                                 \
    .no_rule = "quality and motions are judged, with and without modifiers",                       \
    .meaning = "The reverse: largest distance of a wrench of a modified contact from the cone of " \
               "those of the method.")                                                             \
  X(TEXT, modifiers, "modifiers", "", .role = TS_ROLE_IDENTITY, .sense = TS_SENSE_NONE,            \
    .may_lack = true, .label = "Modifiers",                                                        \
    .meaning = "What was done to the contacts of the method before they were scored; empty: "      \
               "nothing.")

/// contacts.csv: a row for each unique contact.
#define TS_CONTACT_FIELDS(X)                                                                       \
  X(TEXT, cell, "cell", "", .role = TS_ROLE_IDENTITY, .sense = TS_SENSE_NONE, .label = "Cell",     \
    .meaning = "Fingerprint of the cell, as in summary.csv.")                                      \
  X(TEXT, case_name, "case", "", .role = TS_ROLE_IDENTITY, .sense = TS_SENSE_NONE,                 \
    .label = "Case", .meaning = "Test case.")                                                      \
  X(TEXT, method, "method", "", .role = TS_ROLE_IDENTITY, .sense = TS_SENSE_NONE,                  \
    .label = "Method", .meaning = "Contact generator.")                                            \
  X(COUNT, step, "step", "", .role = TS_ROLE_IDENTITY, .sense = TS_SENSE_NONE, .label = "Step",    \
    .meaning = "Step, as in summary.csv.")                                                         \
  X(COUNT, body_a, "body_a", "", .role = TS_ROLE_IDENTITY, .sense = TS_SENSE_NONE,                 \
    .label = "Body a", .meaning = "Index of body a, the lower one.")                               \
  X(COUNT, body_b, "body_b", "", .role = TS_ROLE_IDENTITY, .sense = TS_SENSE_NONE,                 \
    .label = "Body b", .meaning = "Index of body b.")                                              \
  X(COUNT, index, "index", "", .role = TS_ROLE_IDENTITY, .sense = TS_SENSE_NONE, .label = "Index", \
    .meaning = "Place in the canonical order of the pair.")                                        \
  X(REAL, point_x_m, "point_x_m", "m", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,               \
    .compare = TS_COMPARE_CLOSE, .tolerance = 1e-9, .label = "Point x",                            \
    .meaning = "Contact point, world.")                                                            \
  X(REAL, point_y_m, "point_y_m", "m", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,               \
    .compare = TS_COMPARE_CLOSE, .tolerance = 1e-9, .label = "Point y",                            \
    .meaning = "Contact point, world.")                                                            \
  X(REAL, point_z_m, "point_z_m", "m", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,               \
    .compare = TS_COMPARE_CLOSE, .tolerance = 1e-9, .label = "Point z",                            \
    .meaning = "Contact point, world.")                                                            \
  X(REAL, normal_x, "normal_x", "", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,                  \
    .compare = TS_COMPARE_CLOSE, .tolerance = 1e-9, .label = "Normal x",                           \
    .meaning = "Normal from a to b, as delivered.")                                                \
  X(REAL, normal_y, "normal_y", "", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,                  \
    .compare = TS_COMPARE_CLOSE, .tolerance = 1e-9, .label = "Normal y",                           \
    .meaning = "Normal from a to b, as delivered.")                                                \
  X(REAL, normal_z, "normal_z", "", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,                  \
    .compare = TS_COMPARE_CLOSE, .tolerance = 1e-9, .label = "Normal z",                           \
    .meaning = "Normal from a to b, as delivered.")                                                \
  X(REAL, gap_m, "gap_m", "m", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,                       \
    .compare = TS_COMPARE_CLOSE, .tolerance = 1e-9, .label = "Gap",                                \
    .meaning = "Negative overlapping, zero touching, positive apart.")                             \
  X(REAL, area_m2, "area_m2", "m2", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,                  \
    .compare = TS_COMPARE_CLOSE, .tolerance = 1e-9, .label = "Area",                               \
    .meaning = "Area that the contact represents, where given.")                                   \
  X(TEXT, feature_a, "feature_a", "", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,                \
    .compare = TS_COMPARE_EXACT, .label = "Feature of a",                                          \
    .meaning = "none, vertex, edge or face of a.")                                                 \
  X(COUNT, feature_a_index, "feature_a_index", "", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,   \
    .compare = TS_COMPARE_EXACT, .label = "Feature index of a",                                    \
    .meaning = "Its index in the mesh of a.")                                                      \
  X(TEXT, feature_b, "feature_b", "", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,                \
    .compare = TS_COMPARE_EXACT, .label = "Feature of b",                                          \
    .meaning = "none, vertex, edge or face of b.")                                                 \
  X(COUNT, feature_b_index, "feature_b_index", "", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,   \
    .compare = TS_COMPARE_EXACT, .label = "Feature index of b",                                    \
    .meaning = "Its index in the mesh of b.")                                                      \
  X(REAL, normal_error_deg, "normal_error_deg", "deg", .role = TS_ROLE_MEASURE,                    \
    .sense = TS_SENSE_LOWER, .compare = TS_COMPARE_CLOSE, .tolerance = 1e-6,                       \
    .label = "Normal error", .meaning = "Angle to the closest feasible normal, up to sign.")       \
  X(COUNT, correct, "correct", "", .role = TS_ROLE_MEASURE, .sense = TS_SENSE_HIGHER,              \
    .compare = TS_COMPARE_EXACT, .label = "Correct normal",                                        \
    .meaning = "1 when the normal counts as right, else 0.")                                       \
  X(COUNT, region, "region", "", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,                     \
    .compare = TS_COMPARE_EXACT, .label = "Region",                                                \
    .meaning = "Index of the nearest region of the pair; nan: none.")                              \
  X(REAL, position_error_m, "position_error_m", "m", .role = TS_ROLE_MEASURE,                      \
    .sense = TS_SENSE_LOWER, .compare = TS_COMPARE_CLOSE, .tolerance = 1e-9,                       \
    .label = "Position error", .meaning = "Distance from that region.")                            \
  X(COUNT, phantom, "phantom", "", .role = TS_ROLE_FAULT, .sense = TS_SENSE_LOWER,                 \
    .compare = TS_COMPARE_EXACT, .label = "Phantom",                                               \
    .meaning = "1 when it is away from every region and not speculative.")                         \
  X(COUNT, speculative, "speculative", "", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,           \
    .compare = TS_COMPARE_EXACT, .label = "Speculative",                                           \
    .meaning = "1 when it is ahead of a touch, else 0.")                                           \
  X(REAL, wrench_residual, "wrench_residual", "", .role = TS_ROLE_MEASURE,                         \
    .sense = TS_SENSE_LOWER, .compare = TS_COMPARE_CLOSE, .tolerance = 1e-9,                       \
    .label = "Wrench residual",                                                                    \
    .meaning = "Distance of its unit wrench from the cone of the truth: 0 when it blocks no free " \
               "motion.")                                                                          \
  X(COUNT, group, "group", "", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,                       \
    .compare = TS_COMPARE_EXACT, .label = "Group",                                                 \
    .meaning =                                                                                     \
        "Contacts of a pair with the same number above 0 are alternatives; 0: needed by itself.")  \
  X(REAL, gap_error_m, "gap_error_m", "m", .role = TS_ROLE_MEASURE, .sense = TS_SENSE_LOWER,       \
    .compare = TS_COMPARE_CLOSE, .tolerance = 1e-9, .label = "Gap error",                          \
    .meaning = "How far the gap is outside what the truth and the envelope explain.")              \
  X(COUNT, gap_wrong, "gap_wrong", "", .role = TS_ROLE_FAULT, .sense = TS_SENSE_LOWER,             \
    .compare = TS_COMPARE_EXACT, .label = "Wrong gap",                                             \
    .meaning = "1 when it is in place and that is above the tolerance, else 0.")                   \
  X(COUNT, flipped, "flipped", "", .role = TS_ROLE_FAULT, .sense = TS_SENSE_LOWER,                 \
    .compare = TS_COMPARE_EXACT, .label = "Flipped normal",                                        \
    .meaning = "1 when the normal points from b to a, else 0.")                                    \
  X(COUNT, speculative_wrong, "speculative_wrong", "", .role = TS_ROLE_FAULT,                      \
    .sense = TS_SENSE_LOWER, .compare = TS_COMPARE_EXACT, .label = "Wrong speculative contact",    \
    .meaning = "1 when it is speculative and not as the surfaces are, else 0.")

/// regions.csv: a row for each region where two bodies truly touch.
#define TS_REGION_FIELDS(X)                                                                        \
  X(TEXT, cell, "cell", "", .role = TS_ROLE_IDENTITY, .sense = TS_SENSE_NONE, .label = "Cell",     \
    .meaning = "Fingerprint of the cell, as in summary.csv.")                                      \
  X(TEXT, case_name, "case", "", .role = TS_ROLE_IDENTITY, .sense = TS_SENSE_NONE,                 \
    .label = "Case", .meaning = "Test case.")                                                      \
  X(TEXT, method, "method", "", .role = TS_ROLE_IDENTITY, .sense = TS_SENSE_NONE,                  \
    .label = "Method", .meaning = "Contact generator.")                                            \
  X(COUNT, step, "step", "", .role = TS_ROLE_IDENTITY, .sense = TS_SENSE_NONE, .label = "Step",    \
    .meaning = "Step, as in summary.csv.")                                                         \
  X(COUNT, body_a, "body_a", "", .role = TS_ROLE_IDENTITY, .sense = TS_SENSE_NONE,                 \
    .label = "Body a", .meaning = "Index of body a, the lower one.")                               \
  X(COUNT, body_b, "body_b", "", .role = TS_ROLE_IDENTITY, .sense = TS_SENSE_NONE,                 \
    .label = "Body b", .meaning = "Index of body b.")                                              \
  X(COUNT, region, "region", "", .role = TS_ROLE_IDENTITY, .sense = TS_SENSE_NONE,                 \
    .label = "Region", .meaning = "Index of the region in its pair, as in contacts.csv.")          \
  X(TEXT, kind, "kind", "", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,                          \
    .compare = TS_COMPARE_EXACT, .label = "Kind", .meaning = "point, segment or polygon.")         \
  X(REAL, place_x_m, "place_x_m", "m", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,               \
    .compare = TS_COMPARE_CLOSE, .tolerance = 1e-9, .label = "Place x",                            \
    .meaning = "Mean of its corners, world.")                                                      \
  X(REAL, place_y_m, "place_y_m", "m", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,               \
    .compare = TS_COMPARE_CLOSE, .tolerance = 1e-9, .label = "Place y",                            \
    .meaning = "Mean of its corners, world.")                                                      \
  X(REAL, place_z_m, "place_z_m", "m", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,               \
    .compare = TS_COMPARE_CLOSE, .tolerance = 1e-9, .label = "Place z",                            \
    .meaning = "Mean of its corners, world.")                                                      \
  X(TEXT, corners_m, "corners_m", "m", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,               \
    .compare = TS_COMPARE_REPORT, .label = "Corners",                                              \
    .meaning = "Its corners, world, x y z;x y z.")                                                 \
  X(TEXT, needs, "needs", "", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,                        \
    .compare = TS_COMPARE_EXACT, .label = "Needs",                                                 \
    .meaning = "Which of its normals need a contact: all, any one of them, or none.")              \
  X(TEXT, normals, "normals", "", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,                    \
    .compare = TS_COMPARE_REPORT, .label = "Normals",                                              \
    .meaning = "Its right normals from a to b, world, x y z;x y z.")                               \
  X(TEXT, gaps_m, "gaps_m", "m", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,                     \
    .compare = TS_COMPARE_REPORT, .label = "Gaps",                                                 \
    .meaning = "The true gap along each of its normals, g;g.")                                     \
  X(COUNT, normals_needed, "normals_needed", "", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,     \
    .compare = TS_COMPARE_EXACT, .label = "Needed normals",                                        \
    .meaning = "How many of its normals need a contact; 0: nothing touches there any more.")       \
  X(COUNT, normals_met, "normals_met", "", .role = TS_ROLE_MEASURE, .sense = TS_SENSE_HIGHER,      \
    .compare = TS_COMPARE_EXACT, .label = "Met normals",                                           \
    .meaning = "How many of those are the normal of a contact of the region.")                     \
  X(COUNT, missed, "missed", "", .role = TS_ROLE_FAULT, .sense = TS_SENSE_LOWER,                   \
    .compare = TS_COMPARE_EXACT, .label = "Missed",                                                \
    .meaning = "1 when it needs a contact and has none in place, else 0.")                         \
  X(TEXT, contacts, "contacts", "", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,                  \
    .compare = TS_COMPARE_REPORT, .label = "Contacts",                                             \
    .meaning = "The contacts that serve it, by their index in contacts.csv, i;i.")                 \
  X(COUNT, contacts_missing, "contacts_missing", "", .role = TS_ROLE_FAULT,                        \
    .sense = TS_SENSE_LOWER, .compare = TS_COMPARE_EXACT, .label = "Missing contacts",             \
    .meaning = "How many contacts it lacks of its minimum.")

/// samples.csv: a row for each timed repeat.
#define TS_SAMPLE_FIELDS(X)                                                                        \
  X(TEXT, cell, "cell", "", .role = TS_ROLE_IDENTITY, .sense = TS_SENSE_NONE, .label = "Cell",     \
    .meaning = "Fingerprint of the cell, as in summary.csv.")                                      \
  X(TEXT, case_name, "case", "", .role = TS_ROLE_IDENTITY, .sense = TS_SENSE_NONE,                 \
    .label = "Case", .meaning = "Test case.")                                                      \
  X(TEXT, method, "method", "", .role = TS_ROLE_IDENTITY, .sense = TS_SENSE_NONE,                  \
    .label = "Method", .meaning = "Contact generator.")                                            \
  X(COUNT, step, "step", "", .role = TS_ROLE_IDENTITY, .sense = TS_SENSE_NONE, .label = "Step",    \
    .meaning = "Step, as in summary.csv.")                                                         \
  X(TEXT, phase, "phase", "", .role = TS_ROLE_IDENTITY, .sense = TS_SENSE_NONE, .label = "Phase",  \
    .meaning = "prepare or generate.")                                                             \
  X(COUNT, sample, "sample", "", .role = TS_ROLE_IDENTITY, .sense = TS_SENSE_NONE,                 \
    .label = "Sample", .meaning = "Number of the repeat, from 0.")                                 \
  X(COUNT, passes, "passes", "", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,                     \
    .compare = TS_COMPARE_REPORT, .label = "Passes",                                               \
    .meaning = "Passes over all pairs in the repeat.")                                             \
  X(REAL, time_ns, "time_ns", "ns", .role = TS_ROLE_TIME, .sense = TS_SENSE_LOWER,                 \
    .compare = TS_COMPARE_REPORT, .label = "Time",                                                 \
    .meaning = "Time of one of them: that of the repeat over their number.")                       \
  X(REAL, waited_ns, "waited_ns", "ns", .role = TS_ROLE_TIME, .sense = TS_SENSE_NONE,              \
    .compare = TS_COMPARE_REPORT, .label = "Time waited",                                          \
    .meaning = "Of that, time in which the thread was ready and waited for a processor.")

/// poses.csv, of a run and as an input of touchstone score, which needs no cell, case and method: a
/// row for each step and body. None of scenes with deformable bodies: they have no pose that says
/// where they are, and a list of the rigid ones alone could not be scored.
#define TS_POSE_FIELDS(X)                                                                          \
  X(TEXT, cell, "cell", "", .role = TS_ROLE_IDENTITY, .sense = TS_SENSE_NONE, .label = "Cell",     \
    .meaning = "Fingerprint of the cell, as in summary.csv; score can select by it.")              \
  X(TEXT, case_name, "case", "", .role = TS_ROLE_IDENTITY, .sense = TS_SENSE_NONE,                 \
    .label = "Case", .meaning = "Test case; score reads the rows of its scene.")                   \
  X(TEXT, method, "method", "", .role = TS_ROLE_IDENTITY, .sense = TS_SENSE_NONE,                  \
    .label = "Method", .meaning = "Contact generator; score can select by it.")                    \
  X(COUNT, step, "step", "", .role = TS_ROLE_IDENTITY, .sense = TS_SENSE_NONE, .label = "Step",    \
    .meaning = "Step, as in summary.csv; for score any number that rises.")                        \
  X(REAL, time_s, "time_s", "s", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,                     \
    .compare = TS_COMPARE_REPORT, .label = "Time",                                                 \
    .meaning = "Time at which its contacts were found; not needed.")                               \
  X(TEXT, body, "body", "", .role = TS_ROLE_IDENTITY, .sense = TS_SENSE_NONE, .label = "Body",     \
    .meaning = "Index of a body of the scene; for score its name, too.")                           \
  X(REAL, position_x_m, "position_x_m", "m", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,         \
    .compare = TS_COMPARE_REPORT, .label = "Position x",                                           \
    .meaning = "Origin of its mesh in the world.")                                                 \
  X(REAL, position_y_m, "position_y_m", "m", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,         \
    .compare = TS_COMPARE_REPORT, .label = "Position y",                                           \
    .meaning = "Origin of its mesh in the world.")                                                 \
  X(REAL, position_z_m, "position_z_m", "m", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,         \
    .compare = TS_COMPARE_REPORT, .label = "Position z",                                           \
    .meaning = "Origin of its mesh in the world.")                                                 \
  X(REAL, rotation_w, "rotation_w", "", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,              \
    .compare = TS_COMPARE_REPORT, .label = "Rotation w",                                           \
    .meaning = "Unit quaternion from the frame of its mesh to the world.")                         \
  X(REAL, rotation_x, "rotation_x", "", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,              \
    .compare = TS_COMPARE_REPORT, .label = "Rotation x",                                           \
    .meaning = "Unit quaternion from the frame of its mesh to the world.")                         \
  X(REAL, rotation_y, "rotation_y", "", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,              \
    .compare = TS_COMPARE_REPORT, .label = "Rotation y",                                           \
    .meaning = "Unit quaternion from the frame of its mesh to the world.")                         \
  X(REAL, rotation_z, "rotation_z", "", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,              \
    .compare = TS_COMPARE_REPORT, .label = "Rotation z",                                           \
    .meaning = "Unit quaternion from the frame of its mesh to the world.")                         \
  X(REAL, velocity_x_m_s, "velocity_x_m_s", "m/s", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,   \
    .compare = TS_COMPARE_REPORT, .label = "Velocity x", .meaning = "Of that origin; not needed.") \
  X(REAL, velocity_y_m_s, "velocity_y_m_s", "m/s", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,   \
    .compare = TS_COMPARE_REPORT, .label = "Velocity y", .meaning = "Of that origin; not needed.") \
  X(REAL, velocity_z_m_s, "velocity_z_m_s", "m/s", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,   \
    .compare = TS_COMPARE_REPORT, .label = "Velocity z", .meaning = "Of that origin; not needed.") \
  X(REAL, angular_x_rad_s, "angular_x_rad_s", "rad/s", .role = TS_ROLE_FACT,                       \
    .sense = TS_SENSE_NONE, .compare = TS_COMPARE_REPORT, .label = "Angular velocity x",           \
    .meaning = "In the world; not needed.")                                                        \
  X(REAL, angular_y_rad_s, "angular_y_rad_s", "rad/s", .role = TS_ROLE_FACT,                       \
    .sense = TS_SENSE_NONE, .compare = TS_COMPARE_REPORT, .label = "Angular velocity y",           \
    .meaning = "In the world; not needed.")                                                        \
  X(REAL, angular_z_rad_s, "angular_z_rad_s", "rad/s", .role = TS_ROLE_FACT,                       \
    .sense = TS_SENSE_NONE, .compare = TS_COMPARE_REPORT, .label = "Angular velocity z",           \
    .meaning = "In the world; not needed.")

/// deform.csv, of touchstone deform: a row for each pair that overlaps and each of its two bodies.
/// It is no file of a results folder.
#define TS_DEFORM_FIELDS(X)                                                                        \
  X(TEXT, case_name, "case", "", .role = TS_ROLE_IDENTITY, .sense = TS_SENSE_NONE,                 \
    .label = "Case", .meaning = "Test case.")                                                      \
  X(TEXT, case_parameters, "case_parameters", "", .role = TS_ROLE_IDENTITY,                        \
    .sense = TS_SENSE_NONE, .label = "Case parameters",                                            \
    .meaning = "All parameters of the case, name=value;name=value.")                               \
  X(COUNT, body_a, "body_a", "", .role = TS_ROLE_IDENTITY, .sense = TS_SENSE_NONE,                 \
    .label = "Body a", .meaning = "Index of body a of the pair, the lower one.")                   \
  X(COUNT, body_b, "body_b", "", .role = TS_ROLE_IDENTITY, .sense = TS_SENSE_NONE,                 \
    .label = "Body b", .meaning = "Index of body b of the pair.")                                  \
  X(COUNT, body, "body", "", .role = TS_ROLE_IDENTITY, .sense = TS_SENSE_NONE, .label = "Body",    \
    .meaning = "Which of the two the row is about; what is of the pair is the same in both rows.") \
  X(TEXT, body_name, "body_name", "", .role = TS_ROLE_IDENTITY, .sense = TS_SENSE_NONE,            \
    .label = "Name of the body", .meaning = "That of the scene.")                                  \
  X(REAL, stiffness_a, "stiffness_a", "", .role = TS_ROLE_IDENTITY, .sense = TS_SENSE_NONE,        \
    .label = "Relative stiffness of a", .meaning = "1: a is rigid; 0: only a gives way.")          \
  X(REAL, tau, "tau", "", .role = TS_ROLE_IDENTITY, .sense = TS_SENSE_NONE, .label = "tau",        \
    .meaning = "The zone is where the score is at least its mean and this many deviations.")       \
  X(REAL, extent_m, "extent_m", "m", .role = TS_ROLE_IDENTITY, .sense = TS_SENSE_NONE,             \
    .label = "Extent", .meaning = "How far from its zone a body gives way, over its surface.")     \
  X(REAL, gamma, "gamma", "", .role = TS_ROLE_IDENTITY, .sense = TS_SENSE_NONE, .label = "gamma",  \
    .meaning = "Share of the lost volume that the bulge gives back.")                              \
  X(COUNT, anisotropic, "anisotropic", "", .role = TS_ROLE_IDENTITY, .sense = TS_SENSE_NONE,       \
    .label = "Anisotropic", .meaning = "1 when the bulge is larger in front of the zone, else 0.") \
  X(REAL, dilation_m, "dilation_m", "m", .role = TS_ROLE_IDENTITY, .sense = TS_SENSE_NONE,         \
    .label = "Dilation",                                                                           \
    .meaning = "How far both were made larger before: planes of faces moved outwards "             \
               "where that is exact, else vertices.")                                              \
  X(TEXT, outcome, "outcome", "", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,                    \
    .compare = TS_COMPARE_EXACT, .label = "Outcome", .meaning = "ok, skipped or failed.")          \
  X(TEXT, reason, "reason", "", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,                      \
    .compare = TS_COMPARE_REPORT, .label = "Reason",                                               \
    .meaning = "Why, when the outcome is not ok.")                                                 \
  X(COUNT, vertices, "vertices", "", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,                 \
    .compare = TS_COMPARE_EXACT, .label = "Vertices", .meaning = "Of the body.")                   \
  X(COUNT, triangles, "triangles", "", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,               \
    .compare = TS_COMPARE_EXACT, .label = "Triangles", .meaning = "Of the body.")                  \
  X(COUNT, parts, "parts", "", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,                       \
    .compare = TS_COMPARE_EXACT, .label = "Parts", .meaning = "Connected parts of the overlap.")   \
  X(COUNT, parts_used, "parts_used", "", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,             \
    .compare = TS_COMPARE_EXACT, .label = "Parts used", .meaning = "Those that have a zone.")      \
  X(REAL, direction_x, "direction_x", "", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,            \
    .compare = TS_COMPARE_CLOSE, .tolerance = 1e-9, .label = "Direction x",                        \
    .meaning =                                                                                     \
        "Mapping direction from a to b, world: the given one, or that of the largest part used.")  \
  X(REAL, direction_y, "direction_y", "", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,            \
    .compare = TS_COMPARE_CLOSE, .tolerance = 1e-9, .label = "Direction y",                        \
    .meaning =                                                                                     \
        "Mapping direction from a to b, world: the given one, or that of the largest part used.")  \
  X(REAL, direction_z, "direction_z", "", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,            \
    .compare = TS_COMPARE_CLOSE, .tolerance = 1e-9, .label = "Direction z",                        \
    .meaning =                                                                                     \
        "Mapping direction from a to b, world: the given one, or that of the largest part used.")  \
  X(REAL, overlap_m3, "overlap_m3", "m3", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,            \
    .compare = TS_COMPARE_CLOSE, .tolerance = 1e-9, .label = "Overlap",                            \
    .meaning = "Volume that both bodies share, before; exact. What a body overlaps itself in "     \
               "counts as often as its surface winds around it.")                                  \
  X(REAL, overlap_left_m3, "overlap_left_m3", "m3", .role = TS_ROLE_MEASURE,                       \
    .sense = TS_SENSE_LOWER, .compare = TS_COMPARE_CLOSE, .tolerance = 1e-9,                       \
    .label = "Overlap left",                                                                       \
    .meaning = "The same after; nan where it would be negative, since a surface folds and is "     \
               "inside out there.")                                                                \
  X(REAL, overlap_ldi_m3, "overlap_ldi_m3", "m3", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,    \
    .compare = TS_COMPARE_CLOSE, .tolerance = 1e-9, .label = "Overlap by LDI",                     \
    .meaning = "Volume that both share, before, by layered depth images of 512 pixels; nan where " \
               "they see nothing of it, as of what is thinner than a pixel.")                      \
  X(REAL, overlap_left_ldi_m3, "overlap_left_ldi_m3", "m3", .role = TS_ROLE_FACT,                  \
    .sense = TS_SENSE_NONE, .compare = TS_COMPARE_CLOSE, .tolerance = 1e-9,                        \
    .label = "Overlap left by LDI",                                                                \
    .meaning = "The same after; nan where the meshes after are refused, too.")                     \
  X(REAL, deepest_m, "deepest_m", "m", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,               \
    .compare = TS_COMPARE_CLOSE, .tolerance = 1e-9, .label = "Deepest",                            \
    .meaning =                                                                                     \
        "Longest stretch inside both along the direction, from the surface of b to that of a, "    \
        "before; nan where there is none, or no contact surface along the direction.")             \
  X(REAL, deepest_left_m, "deepest_left_m", "m", .role = TS_ROLE_MEASURE, .sense = TS_SENSE_LOWER, \
    .compare = TS_COMPARE_CLOSE, .tolerance = 1e-9, .label = "Deepest left",                       \
    .meaning = "The same after; 0 where they do not overlap.")                                     \
  X(REAL, score_mean_m, "score_mean_m", "m", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,         \
    .compare = TS_COMPARE_CLOSE, .tolerance = 1e-9, .label = "Mean score",                         \
    .meaning = "Over the contact surface of the largest part used.")                               \
  X(REAL, score_deviation_m, "score_deviation_m", "m", .role = TS_ROLE_FACT,                       \
    .sense = TS_SENSE_NONE, .compare = TS_COMPARE_CLOSE, .tolerance = 1e-9,                        \
    .label = "Deviation of the score", .meaning = "Standard deviation there.")                     \
  X(REAL, threshold_m, "threshold_m", "m", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,           \
    .compare = TS_COMPARE_CLOSE, .tolerance = 1e-9, .label = "Threshold",                          \
    .meaning = "Least score in the zone.")                                                         \
  X(REAL, surface_area_m2, "surface_area_m2", "m2", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,  \
    .compare = TS_COMPARE_CLOSE, .tolerance = 1e-9, .label = "Area of the contact surface",        \
    .meaning = "Of all parts used.")                                                               \
  X(REAL, zone_area_m2, "zone_area_m2", "m2", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,        \
    .compare = TS_COMPARE_CLOSE, .tolerance = 1e-9, .label = "Area of the zone",                   \
    .meaning = "On the contact surface, of all parts used.")                                       \
  X(REAL, zone_body_area_m2, "zone_body_area_m2", "m2", .role = TS_ROLE_FACT,                      \
    .sense = TS_SENSE_NONE, .compare = TS_COMPARE_CLOSE, .tolerance = 1e-9,                        \
    .label = "Area of the zone on the body",                                                       \
    .meaning = "On the mesh of the body as it is before.")                                         \
  X(REAL, zone_mesh_area_m2, "zone_mesh_area_m2", "m2", .role = TS_ROLE_FACT,                      \
    .sense = TS_SENSE_NONE, .compare = TS_COMPARE_CLOSE, .tolerance = 1e-9,                        \
    .label = "Area of the zone of the mesh",                                                       \
    .meaning = "After, of the part of the mesh of the body whose vertices and cut edges are in "   \
               "the zone.")                                                                        \
  X(COUNT, zone_vertices, "zone_vertices", "", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,       \
    .compare = TS_COMPARE_EXACT, .label = "Vertices in the zone", .meaning = "Of the body.")       \
  X(COUNT, moved_vertices, "moved_vertices", "", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,     \
    .compare = TS_COMPARE_EXACT, .label = "Vertices around the zone",                              \
    .meaning = "Others that move.")                                                                \
  X(REAL, moved_m_max, "moved_m_max", "m", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,           \
    .compare = TS_COMPARE_CLOSE, .tolerance = 1e-9, .label = "Largest displacement",               \
    .meaning = "Of a vertex of the body.")                                                         \
  X(REAL, bulge_m, "bulge_m", "m", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,                   \
    .compare = TS_COMPARE_CLOSE, .tolerance = 1e-9, .label = "Bulge",                              \
    .meaning = "Height of the bulge that keeps the volume, before gamma.")                         \
  X(REAL, volume_m3, "volume_m3", "m3", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,              \
    .compare = TS_COMPARE_CLOSE, .tolerance = 1e-9, .label = "Volume",                             \
    .meaning = "Of the body before.")                                                              \
  X(REAL, volume_error, "volume_error", "", .role = TS_ROLE_MEASURE, .sense = TS_SENSE_LOWER,      \
    .compare = TS_COMPARE_CLOSE, .tolerance = 1e-9, .label = "Volume error",                       \
    .meaning = "Change of the volume over the volume.")                                            \
  X(REAL, volume_error_without_bulge, "volume_error_without_bulge", "", .role = TS_ROLE_FACT,      \
    .sense = TS_SENSE_NONE, .compare = TS_COMPARE_CLOSE, .tolerance = 1e-9,                        \
    .label = "Volume error without bulge", .meaning = "The same for a bulge of height 0.")         \
  X(COUNT, turned_over, "turned_over", "", .role = TS_ROLE_FAULT, .sense = TS_SENSE_LOWER,         \
    .compare = TS_COMPARE_EXACT, .label = "Triangles turned over",                                 \
    .meaning = "Of the body, by more than 90 degrees: there its surface is folded, and what both " \
               "share is counted where it is inside out, too.")                                    \
  X(REAL, mismatch_m_max, "mismatch_m_max", "m", .role = TS_ROLE_MEASURE, .sense = TS_SENSE_LOWER, \
    .compare = TS_COMPARE_CLOSE, .tolerance = 1e-9, .label = "Largest mismatch",                   \
    .meaning = "Of the two meshes after, along the direction, where both are in the zone; nan: "   \
               "they have no triangles in it above each other.")                                   \
  X(REAL, mismatch_m_rms, "mismatch_m_rms", "m", .role = TS_ROLE_MEASURE, .sense = TS_SENSE_LOWER, \
    .compare = TS_COMPARE_CLOSE, .tolerance = 1e-9, .label = "Mismatch",                           \
    .meaning = "Root mean square there.")                                                          \
  X(REAL, inside_ns, "inside_ns", "ns", .role = TS_ROLE_TIME, .sense = TS_SENSE_LOWER,             \
    .compare = TS_COMPARE_REPORT, .label = "Time of the parts",                                    \
    .meaning = "Parts of both surfaces that are inside the other body, and their directions.")     \
  X(REAL, surface_ns, "surface_ns", "ns", .role = TS_ROLE_TIME, .sense = TS_SENSE_LOWER,           \
    .compare = TS_COMPARE_REPORT, .label = "Time of the contact surface",                          \
    .meaning = "Contact surface and zone.")                                                        \
  X(REAL, boundary_ns, "boundary_ns", "ns", .role = TS_ROLE_TIME, .sense = TS_SENSE_LOWER,         \
    .compare = TS_COMPARE_REPORT, .label = "Time of the boundary",                                 \
    .meaning = "Which vertices of the body are in the zone, and where its edges leave it.")        \
  X(REAL, parametrise_ns, "parametrise_ns", "ns", .role = TS_ROLE_TIME, .sense = TS_SENSE_LOWER,   \
    .compare = TS_COMPARE_REPORT, .label = "Time of u", .meaning = "Distance from the zone.")      \
  X(REAL, directions_ns, "directions_ns", "ns", .role = TS_ROLE_TIME, .sense = TS_SENSE_LOWER,     \
    .compare = TS_COMPARE_REPORT, .label = "Time of the directions",                               \
    .meaning = "Direction field.")                                                                 \
  X(REAL, guides_ns, "guides_ns", "ns", .role = TS_ROLE_TIME, .sense = TS_SENSE_LOWER,             \
    .compare = TS_COMPARE_REPORT, .label = "Time of the guides",                                   \
    .meaning = "Depth and slope at the zone.")                                                     \
  X(REAL, displace_ns, "displace_ns", "ns", .role = TS_ROLE_TIME, .sense = TS_SENSE_LOWER,         \
    .compare = TS_COMPARE_REPORT, .label = "Time of the bulge",                                    \
    .meaning = "Height of the bulge, and vertices.")                                               \
  X(REAL, factor_ns, "factor_ns", "ns", .role = TS_ROLE_TIME, .sense = TS_SENSE_LOWER,             \
    .compare = TS_COMPARE_REPORT, .label = "Time of the factors",                                  \
    .meaning = "Of these, factors of matrices.")

/// relations.csv, of touchstone relate: a row for each case, method and relation. It is no file of
/// a results folder.
#define TS_RELATION_FIELDS(X)                                                                      \
  X(TEXT, case_name, "case", "", .role = TS_ROLE_IDENTITY, .sense = TS_SENSE_NONE,                 \
    .label = "Case", .meaning = "Test case.")                                                      \
  X(TEXT, case_parameters, "case_parameters", "", .role = TS_ROLE_IDENTITY,                        \
    .sense = TS_SENSE_NONE, .label = "Case parameters",                                            \
    .meaning = "All parameters of the case, name=value;name=value.")                               \
  X(TEXT, method, "method", "", .role = TS_ROLE_IDENTITY, .sense = TS_SENSE_NONE,                  \
    .label = "Method", .meaning = "Contact generator.")                                            \
  X(TEXT, method_parameters, "method_parameters", "", .role = TS_ROLE_IDENTITY,                    \
    .sense = TS_SENSE_NONE, .label = "Method parameters",                                          \
    .meaning = "All parameters of the method, lengths as given for scale 1.")                      \
  X(TEXT, relation, "relation", "", .role = TS_ROLE_IDENTITY, .sense = TS_SENSE_NONE,              \
    .label = "Relation", .meaning = "What was done to the scene: see touchstone list relations.")  \
  X(TEXT, outcome, "outcome", "", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,                    \
    .compare = TS_COMPARE_EXACT, .label = "Outcome",                                               \
    .meaning = "ok, skipped, failed, crashed, timed_out or out_of_memory.")                        \
  X(TEXT, reason, "reason", "", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,                      \
    .compare = TS_COMPARE_REPORT, .label = "Reason",                                               \
    .meaning = "Why, when the outcome is not ok.")                                                 \
  X(COUNT, pairs, "pairs", "", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,                       \
    .compare = TS_COMPARE_EXACT, .label = "Pairs",                                                 \
    .meaning = "Pairs of bodies with contacts, before or after.")                                  \
  X(COUNT, pairs_measured, "pairs_measured", "", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,     \
    .compare = TS_COMPARE_EXACT, .label = "Pairs measured",                                        \
    .meaning = "Those without alternatives among their contacts, which have no cone.")             \
  X(COUNT, pairs_differ, "pairs_differ", "", .role = TS_ROLE_FAULT, .sense = TS_SENSE_LOWER,       \
    .compare = TS_COMPARE_EXACT, .label = "Pairs that differ",                                     \
    .meaning = "Those with a distance above 0.002, in the variant with the most of them.")         \
  X(REAL, lost_max, "lost_max", "", .role = TS_ROLE_MEASURE, .sense = TS_SENSE_LOWER,              \
    .compare = TS_COMPARE_CLOSE, .tolerance = 1e-6, .label = "Lost",                               \
    .meaning = "Largest distance of a unit wrench of the scene from the cone of those of a "       \
               "variant, over pairs and variants: 0 when no force is lost, 1 at a right angle.")   \
  X(REAL, added_max, "added_max", "", .role = TS_ROLE_MEASURE, .sense = TS_SENSE_LOWER,            \
    .compare = TS_COMPARE_CLOSE, .tolerance = 1e-6, .label = "Added",                              \
    .meaning = "The reverse: of a wrench of a variant from the cone of those of the scene.")       \
  X(COUNT, worst_variant, "worst_variant", "", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,       \
    .compare = TS_COMPARE_REPORT, .label = "Worst variant",                                        \
    .meaning = "Of the worst pair, from 0; nan when nothing differs.")                             \
  X(COUNT, worst_a, "worst_a", "", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,                   \
    .compare = TS_COMPARE_REPORT, .label = "Worst pair, a",                                        \
    .meaning = "Index of body a of the pair with the largest distance; nan when nothing differs.") \
  X(COUNT, worst_b, "worst_b", "", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,                   \
    .compare = TS_COMPARE_REPORT, .label = "Worst pair, b", .meaning = "Index of its body b.")     \
  X(TEXT, expected, "expected", "", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,                  \
    .compare = TS_COMPARE_EXACT, .label = "Expected",                                              \
    .meaning = "Of a violation: yes or no. Empty when the relation is kept.")                      \
  X(TEXT, why, "why", "", .role = TS_ROLE_FACT, .sense = TS_SENSE_NONE,                            \
    .compare = TS_COMPARE_REPORT, .label = "Why", .meaning = "Why a violation is expected.")

#endif
