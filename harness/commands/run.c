// SPDX-License-Identifier: MIT
#include "harness/commands/run.h"

#include "base/status.h"
#include "base/terminal.h"
#include "harness/commands/input.h"
#include "harness/commands/preset.h"
#include "harness/commands/run_rank.h"
#include "harness/plan/exits.h"
#include "harness/plan/explain_command.h"
#include "harness/plan/shard.h"
#include "harness/plan/shell_word.h"
#include "harness/pool/muster.h"
#include "harness/pool/runner.h"
#include "harness/run/run_context.h"
#include "harness/run/run_folder.h"
#include "harness/run/run_values.h"
#include "reports/rows/context.h"
#include "reports/rows/modified_names.h"
#include "reports/rows/rows.h"
#include "reports/rows/verify.h"
#include "reports/study/study_print.h"
#include "reports/tables/fold.h"
#include "reports/tables/ranking.h"
#include "reports/tables/table.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// Enough for a median and its spread; more would only fill samples.csv.
#define REPEATS_MIN 5
#define REPEATS_MAX 1000

/// State of a run, from the plan to the table.
typedef struct run {
  ts_arena *arena;
  ts_crew *crew; ///< NULL: this process alone
  json_t *mpi;   ///< the ranks, for the context; NULL without a crew
  ts_run_values values;
  ts_plan plan;
  const char *folder;
  const char *command; ///< to go on with the run
  ts_results *results;
  ts_record *records; ///< [record_count], those of the resumed part first
  size_t record_count;
  size_t first, done; ///< cells written before this part, and after it
  int signal;
} run;

/// Points results/latest to the folder if its parent is named results: elsewhere the link would be
/// unexpected.
static void link_latest(const run *r) {
  char *path = ts_arena_string(r->arena, r->folder);
  size_t length = path ? strlen(path) : 0;
  while (length > 1 && path[length - 1] == '/')
    path[--length] = '\0';
  char *slash = path ? strrchr(path, '/') : NULL;
  if (!slash)
    return;
  *slash = '\0';
  const char *parent = strrchr(path, '/');
  if (strcmp(parent ? parent + 1 : path, TS_RUN_FOLDER_PARENT) != 0)
    return;
  if (ts_results_link_latest(r->folder) != TS_OK)
    fprintf(stderr, "touchstone: warning: %s\n", ts_status_detail());
}

/// Makes sure that the ranks of a crew run the same cells.
static ts_status agree(run *r) {
  return r->crew ? ts_muster_check(&r->mpi, r->crew, &r->plan, (int)r->values.jobs) : TS_OK;
}

/// Adds the part of the run that begins at the cell `first`, with its ranks.
static ts_status add_part(const run *r, json_t *context, size_t first) {
  TS_TRY(ts_run_context_add_part(context, &r->values, first));
  const json_t *parts = ts_context_parts(context);
  json_t *part = json_array_get(parts, json_array_size(parts) - 1);
  if (r->mpi && json_object_set(part, "mpi", r->mpi) != 0)
    return ts_fail(TS_E_MEMORY, "out of memory");
  return TS_OK;
}

/// What messages tell to do when the run is cut short.
static ts_status set_command(run *r) {
  char program[64] = "touchstone";
  if (r->crew)
    snprintf(program, sizeof program, "mpiexec -n %d touchstone-mpi", ts_crew_count(r->crew));
  r->command = ts_run_context_command(r->arena, program, &r->values, r->folder);
  return r->command ? ts_results_set_command(r->results, r->command)
                    : ts_fail(TS_E_MEMORY, "out of memory");
}

static ts_status begin(run *r, uint64_t given, int argument_count, char *const *arguments) {
  TS_TRY(ts_run_set_path(&r->values, &given, r->arena));
  if (r->values.preset)
    TS_TRY(ts_preset_apply(&r->values, given, r->arena));
  TS_TRY(ts_run_rank_share(r->crew, r->arena, &r->values));
  ts_shard shard;
  TS_TRY(ts_shard_parse(&shard, r->values.shard));
  TS_TRY(ts_run_make_plan(&r->plan, r->arena, &r->values));
  r->folder = r->values.out ? r->values.out : ts_run_folder_default(r->arena, "");
  if (!r->folder)
    return TS_E_MEMORY;
  json_t *context = NULL;
  TS_TRY(ts_run_folder_context(&context, r->arena, "run", argument_count, arguments));
  size_t plan_cells = r->plan.cell_count;
  ts_status status = ts_run_context_write(context, r->arena, &r->values, &r->plan);
  ts_shard_take(&r->plan, shard);
  if (status == TS_OK)
    status = agree(r);
  if (status == TS_OK)
    status = add_part(r, context, 0);
  if (status == TS_OK)
    status = ts_results_create(&r->results, r->folder, context);
  json_decref(context);
  TS_TRY(status);
  if (r->plan.cell_count == 0 && !r->values.is_quiet)
    fprintf(stderr, "touchstone: shard %s has no cell, because the plan has only %zu\n",
            r->values.shard, plan_cells);
  link_latest(r);
  return set_command(r);
}

/// Says where the run goes on, and which cells it has lost since.
static void print_resumed(const run *r, size_t lost_cells) {
  if (!r->values.is_quiet)
    fprintf(stderr, "touchstone: resuming %s: %zu of %zu cells are done\n", r->folder, r->first,
            r->plan.cell_count);
  if (lost_cells > 0)
    fprintf(stderr, "touchstone: %zu cell%s with incomplete rows run%s again\n", lost_cells,
            lost_cells == 1 ? "" : "s", lost_cells == 1 ? "s" : "");
}

static ts_status ignore_row(void *context, const void *row) {
  (void)context, (void)row;
  return TS_OK;
}

/// Reads compressed files through: nothing of them can be run again on its own. Their rows are read
/// as well as their bytes compared, for results without a journal.
static ts_status check_compressed(const run *r) {
  TS_TRY(ts_results_verify(r->arena, r->folder));
  for (int f = 0; f < TS_DETAIL_FILE_COUNT; f++) {
    const ts_row_type *type = ts_results_row_type(f);
    const char *path = ts_arena_format(r->arena, "%s/%s.csv", r->folder, type->name);
    if (!path)
      return TS_E_MEMORY;
    TS_TRY(ts_rows_visit(type, path, ignore_row, NULL));
  }
  return TS_OK;
}

/// Takes the rows of results that were compressed, which only complete ones are by a run.
static ts_status read_compressed(run *r) {
  ts_input input;
  TS_TRY(ts_input_read(&input, r->arena, r->folder));
  if (input.shortfall)
    return ts_fail(TS_E_INPUT,
                   "%s has %s, and its files are compressed; decompress them, then resume again: "
                   "gunzip %s/*.csv.gz",
                   r->folder, input.shortfall, r->folder);
  TS_TRY(check_compressed(r));
  r->records = input.records;
  r->record_count = input.count;
  for (size_t i = 0; i < input.count; i++)
    r->done += i == 0 || strcmp(input.records[i].cell, input.records[i - 1].cell) != 0;
  if (!r->values.is_quiet)
    fprintf(stderr, "touchstone: %s is complete\n", r->folder);
  return TS_OK;
}

static ts_status resume(run *r, uint64_t given) {
  ts_resumed resumed;
  TS_TRY(ts_results_resume(&r->results, &resumed, r->arena, r->folder));
  r->records = resumed.records;
  r->record_count = resumed.record_count;
  ts_status status = ts_run_context_read(&r->values, &r->plan, &r->first, r->arena, resumed.context,
                                         given, r->records, r->record_count);
  if (status == TS_OK)
    status = ts_run_rank_share(r->crew, r->arena, &r->values);
  if (status == TS_OK)
    status = agree(r);
  bool has_more = status == TS_OK && r->first < r->plan.cell_count;
  if (has_more)
    status = add_part(r, resumed.context, r->first);
  if (status == TS_OK)
    status = set_command(r);
  if (status == TS_OK)
    status = ts_results_continue(r->results, has_more ? resumed.context : NULL);
  json_decref(resumed.context);
  if (status == TS_OK)
    print_resumed(r, resumed.lost_cells);
  return status;
}

ts_run_options ts_run_options_of(const ts_run_values *values, ts_crew *crew) {
  return (ts_run_options){.jobs = (int)values->jobs,
                          .crew = crew,
                          .timing = {.repeats = (int64_t)values->repeats,
                                     .min_time_s = values->min_time_s,
                                     .min_repeats = REPEATS_MIN,
                                     .max_repeats = REPEATS_MAX},
                          .limits = ts_limits_of(values->limits),
                          .show_progress = !values->is_quiet};
}

/// Says how a run goes on that this machine had too little for.
static ts_status say_how_to_go_on(const run *r, ts_status status) {
  if (status != TS_E_IO || strstr(ts_status_detail(), "--resume"))
    return status;
  return ts_fail(status,
                 "%s; %zu of %zu cells are done; then continue with: touchstone run --resume %s",
                 ts_status_detail(), r->done, r->plan.cell_count, r->folder);
}

/// Runs the cells and appends their records to those of the resumed part.
static ts_status run_cells(run *r) {
  ts_run_options options = ts_run_options_of(&r->values, r->crew);
  ts_run_outcome outcome;
  ts_status status = ts_run_plan(&outcome, r->arena, &r->plan, r->first, r->results, &options);
  if (status == TS_OK && outcome.signal == 0 && r->values.is_compressed)
    ts_results_compress_at_close(r->results);
  ts_status closed = ts_results_close(r->results);
  r->results = NULL;
  r->done = r->first + outcome.cell_count;
  r->signal = outcome.signal;
  if (status != TS_OK)
    return say_how_to_go_on(r, status);
  TS_TRY(closed);
  size_t count = r->record_count + outcome.record_count;
  ts_record *all = ts_arena_array(r->arena, count, sizeof *all);
  if (!all)
    return TS_E_MEMORY;
  if (r->record_count > 0)
    memcpy(all, r->records, r->record_count * sizeof *all);
  if (outcome.record_count > 0)
    memcpy(all + r->record_count, outcome.records, outcome.record_count * sizeof *all);
  r->records = all;
  r->record_count = count;
  return TS_OK;
}

/// Prints the table, and below it the ranking if there are methods to rank.
static ts_status print_tables(const run *r, ts_table_style style) {
  TS_TRY(ts_name_modified(r->records, r->record_count, r->arena));
  TS_TRY(ts_table_print(stdout, r->arena, r->records, r->record_count, style));
  ts_ranking ranking;
  TS_TRY(ts_ranking_make(&ranking, r->arena, r->records, r->record_count));
  if (ranking.count < 2)
    return TS_OK;
  putchar('\n');
  ts_ranking_print(stdout, &ranking, style);
  return TS_OK;
}

/// Parameters of cases that tell the lines of a table apart: those that are swept, also on top of
/// what a scene file says.
static ts_status swept_names(const char ***out, size_t *out_count, const run *r) {
  *out = ts_arena_array(r->arena, 2 * r->values.sweeps.count, sizeof **out);
  *out_count = 0;
  if (!*out)
    return TS_E_MEMORY;
  for (size_t i = 0; i < r->values.sweeps.count; i++) {
    const char *dot = strchr(r->values.sweeps.items[i].name, '.');
    const char *name = dot ? dot + 1 : r->values.sweeps.items[i].name;
    const char *later = ts_arena_format(r->arena, TS_CASE_THEN "%s", name);
    if (!later)
      return TS_E_MEMORY;
    (*out)[(*out_count)++] = name;
    (*out)[(*out_count)++] = later;
  }
  return TS_OK;
}

/// Prints the table with one line for all draws of a case, and the means of the methods.
static ts_status print_study(const run *r, ts_table_style style) {
  const char **swept;
  size_t swept_count;
  ts_fold fold;
  ts_study study;
  TS_TRY(swept_names(&swept, &swept_count, r));
  TS_TRY(ts_fold_draws(&fold, r->arena, r->records, r->record_count, swept, swept_count));
  TS_TRY(ts_table_print_folded(stdout, r->arena, &fold, style));
  TS_TRY(ts_study_make(&study, r->arena, r->records, r->record_count));
  if (study.method_count == 0)
    return TS_OK;
  putchar('\n');
  TS_TRY(ts_study_print_means(stdout, r->arena, &study));
  fputs("\nWorst cells and all pairs: touchstone report ", stdout);
  ts_shell_put_operand(stdout, r->folder);
  puts(" --format summary");
  return TS_OK;
}

/// The command that explains the worst row.
static ts_status print_why(const run *r) {
  size_t count;
  const ts_record *worst = ts_explain_first(&count, r->records, r->record_count);
  if (!worst || r->values.is_quiet)
    return TS_OK;
  const char *const *commands;
  TS_TRY(ts_explain_commands(&commands, r->arena, r->records, r->record_count, r->folder));
  const char *paths = ts_run_context_paths(r->arena, &r->values);
  if (!paths)
    return TS_E_MEMORY;
  printf("why: %s%s", commands[worst - r->records], paths);
  if (count > 1)
    printf(" (the worst of %zu rows that are not right)", count);
  putchar('\n');
  return TS_OK;
}

static ts_status print_results(const run *r) {
  if (!r->values.is_quiet) {
    bool is_terminal = isatty(STDOUT_FILENO);
    const char *no_colour = getenv("NO_COLOR");
    ts_table_style style = {.width = is_terminal ? ts_terminal_width(stdout, 100) : 120,
                            .colour = ts_terminal_is_capable(stdout) &&
                                      !(no_colour && no_colour[0] != '\0')};
    TS_TRY(r->values.seeds > 1 ? print_study(r, style) : print_tables(r, style));
    if (r->crew && ts_crew_count(r->crew) > 1)
      printf("Times were measured by %d ranks with --jobs %.0f; compare only times measured by one "
             "process with --jobs 1.\n",
             ts_crew_count(r->crew), r->values.jobs);
    else if (r->values.jobs > 1)
      printf("Times were measured with %.0f jobs in parallel; compare only times measured with "
             "--jobs 1.\n",
             r->values.jobs);
    putchar('\n');
  }
  TS_TRY(print_why(r));
  printf("results: %s/summary.csv (%zu rows)\n", r->folder, r->record_count);
  if (r->values.seed > 0 && r->values.seeds > 0)
    printf("seeds: %.0f to %.0f; --seed %.0f --seeds %.0f draws the same cases again\n",
           r->values.seed, r->values.seed + r->values.seeds - 1, r->values.seed, r->values.seeds);
  else if (r->values.seed > 0)
    printf("seed: %.0f; --seed %.0f draws the same cases again\n", r->values.seed, r->values.seed);
  return TS_OK;
}

static ts_status finish(int *out_exit, const run *r) {
  if (r->signal != 0) {
    fprintf(stderr, "touchstone: interrupted with %zu of %zu cells done; continue with: %s\n",
            r->done, r->plan.cell_count, r->command);
    *out_exit = TS_EXIT_SIGNAL + r->signal;
    return TS_OK;
  }
  ts_status status = print_results(r);
  ts_run_folder_warn_explicit(r->records, r->record_count);
  *out_exit = ts_run_folder_warn(r->records, r->record_count, r->done, r->folder)
                  ? TS_EXIT_BAD_CELLS
                  : TS_EXIT_FINE;
  return status;
}

static ts_status run_all(int *out_exit, run *r, int count, char *const *arguments) {
  ts_arguments parsed;
  TS_TRY(ts_options_parse(&r->values, &parsed, r->arena, &ts_command_run, count, arguments));
  if (parsed.wants_help)
    return ts_options_help(stdout, &ts_command_run);
  if (parsed.operand_count > 0)
    return ts_fail(TS_E_INPUT,
                   "run takes options only, not \"%s\"; choose cases with --case and "
                   "methods with --method",
                   parsed.operands[0]);
  ts_limits_begin(r->values.limits);
  if (!r->values.resume && r->values.repeats == 0 &&
      r->values.min_time_s >= r->values.limits.time_limit_s)
    return ts_fail(TS_E_INPUT,
                   "--min-time %g would let every cell run into --time-limit %g; raise the limit",
                   r->values.min_time_s, r->values.limits.time_limit_s);
  r->folder = r->values.resume;
  if (r->values.resume)
    TS_TRY(ts_run_context_check_given(parsed.given));
  if (r->values.resume && ts_results_are_compressed(r->values.resume)) {
    TS_TRY(read_compressed(r));
    return finish(out_exit, r);
  }
  TS_TRY(r->values.resume ? resume(r, parsed.given) : begin(r, parsed.given, count, arguments));
  TS_TRY(run_cells(r));
  return finish(out_exit, r);
}

ts_status ts_run_command(int *out_exit, int count, char *const *arguments, ts_crew *crew) {
  run r = {.crew = crew};
  TS_TRY(ts_arena_create(&r.arena));
  ts_status status = crew && ts_crew_rank(crew) > 0 ? ts_run_rank_serve(crew, r.arena)
                                                    : run_all(out_exit, &r, count, arguments);
  if (r.results)
    ts_results_close(r.results);
  json_decref(r.mpi);
  ts_arena_destroy(r.arena);
  return status;
}

static ts_status run_alone(int *out_exit, int count, char *const *arguments) {
  return ts_run_command(out_exit, count, arguments, NULL);
}

#define MEMBER(name)       .offset = offsetof(ts_run_values, name)
#define LIMIT_OFFSET(name) offsetof(ts_run_values, limits.name)

static const ts_option options[] = {
    {.name = "case",
     .argument = "RE",
     .kind = TS_OPTION_TEXTS,
     MEMBER(cases),
     .names = TS_NAMES_CASES,
     .help = "only cases whose whole name matches this extended regular expression"},
    {.name = "method",
     .argument = "RE",
     .kind = TS_OPTION_TEXTS,
     MEMBER(methods),
     .names = TS_NAMES_METHODS,
     .help = "the same for methods (default: all)"},
    {.name = "suite",
     .argument = "NAME",
     .kind = TS_OPTION_TEXT,
     MEMBER(suite),
     .names = TS_NAMES_SUITES,
     .help = "only cases of this suite (default: " TS_RUN_SUITE_DEFAULT ", or with --case any)"},
    {.name = "scene",
     .argument = "FILE",
     .kind = TS_OPTION_TEXTS,
     MEMBER(scenes),
     .help = "add the case of this scene file (docs/scenes.md); without --case and --suite, run "
             "only scene files"},
    {.name = "preset",
     .argument = "NAME",
     .kind = TS_OPTION_TEXT,
     MEMBER(preset),
     .names = TS_NAMES_PRESETS,
     .help =
         "run a study of the paper, or cases drawn afresh: see touchstone list presets; explicit "
         "options override its cases, methods and steps, and add to its sweep"},
    {.name = "set",
     .argument = "name=value",
     .kind = TS_OPTION_ASSIGNMENTS,
     MEMBER(sets),
     .names = TS_NAMES_PARAMETERS,
     .help = "set a parameter of everything that has it, or with owner.name=value of one case, one "
             "method, the scoring or the simulation"},
    {.name = "modify",
     .argument = "CHAIN",
     .kind = TS_OPTION_TEXTS,
     MEMBER(chains),
     .names = TS_NAMES_MODIFIERS,
     .help = "what is done to the contacts of each method before they are scored and simulated: "
             "cones, or cones,reduce:points=4, or none (see touchstone list modifiers); given "
             "several times, each method runs with each"},
    {.name = "sweep",
     .argument = "name=values",
     .kind = TS_OPTION_ASSIGNMENTS,
     MEMBER(sweeps),
     .names = TS_NAMES_PARAMETERS,
     .help = "run with each value: a,b,c or n values a:b:n, with equal ratios a:b:n:log"},
    {.name = "seed",
     .argument = "N",
     .kind = TS_OPTION_COUNT,
     MEMBER(seed),
     .fallback = "0",
     .minimum = 0,
     .maximum = TS_RUN_SEED_MAX,
     .help =
         "draw sizes, angles, places and meshes of the cases, the same ones for the same N, as "
         "far as --set and --sweep leave them; 0: as designed, with --preset fresh another N at "
         "each run"},
    {.name = "seeds",
     .argument = "N",
     .kind = TS_OPTION_COUNT,
     MEMBER(seeds),
     .fallback = "0",
     .minimum = 0,
     .maximum = TS_PLAN_SEEDS_MAX,
     .help = "run each case N times, with motion_seed 1 to N and the same perturb_seed where there "
             "is noise; where cases are drawn, with N seeds instead; 0: once (docs/studies.md)"},
    {.name = "steps",
     .argument = "N",
     .kind = TS_OPTION_COUNT,
     MEMBER(steps),
     .fallback = "0",
     .minimum = 0,
     .maximum = 1000000,
     .help = "score every simulation step up to this one; 0: the scene as built and step 3, at "
             "which the paper's tables are taken; 1: only the scene as built"},
    {.name = "path",
     .argument = "N",
     .kind = TS_OPTION_COUNT,
     MEMBER(path),
     .fallback = "0",
     .minimum = 0,
     .maximum = 999999,
     .help = "move the bodies on smooth paths of N steps, at least 4, instead of under their "
             "contacts: --set stepper=path --set path_steps=N --steps N+1"},
    {.name = "noise",
     .argument = "M",
     .kind = TS_OPTION_NUMBER,
     MEMBER(noise_m),
     .fallback = "0",
     .minimum = 0,
     .maximum = 1,
     .help = "add noise of M metres to the poses on the paths, or without --path to those as "
             "built, for 65 steps"},
    {.name = "controls",
     .kind = TS_OPTION_SWITCH,
     MEMBER(with_controls),
     .help = "add the methods that are wrong on purpose, to test the measures; one of them hangs "
             "until the time limit"},
    {.name = "plugin",
     .argument = "FILE",
     .kind = TS_OPTION_TEXTS,
     MEMBER(plugins),
     .help = "add the methods of this plug-in, a shared object"},
    {.name = "engines",
     .kind = TS_OPTION_SWITCH,
     MEMBER(with_engines),
     .help = "add the packaged engines that are installed: see touchstone list methods --engines"},
    {.name = "out",
     .argument = "DIR",
     .kind = TS_OPTION_TEXT,
     MEMBER(out),
     .help = "folder for the results (default: " TS_RUN_FOLDER_PARENT "/<time>)"},
    {.name = "resume",
     .argument = "DIR",
     .kind = TS_OPTION_TEXT,
     MEMBER(resume),
     .help = "continue a run that was cut short; may be combined with --jobs, limits, --quiet, "
             "--gzip and new paths of plug-ins; existing rows are kept, whatever their outcome"},
    {.name = "shard",
     .argument = "I/N",
     .kind = TS_OPTION_TEXT,
     MEMBER(shard),
     .help = "run only every Nth cell of the plan, from the Ith, so that N machines share it; "
             "touchstone merge joins their results (docs/scale.md)"},
    {.name = "contacts",
     .argument = "WHICH",
     .kind = TS_OPTION_TEXT,
     MEMBER(contacts),
     .fallback = "all",
     .choices = ts_run_contacts_choices,
     .help =
         "which contacts get a row in contacts.csv, and regions in regions.csv; bad: contacts "
         "at fault, regions that lack one, and in poses.csv steps with either; none: nothing in "
         "all three; the measures are of all"},
    {.name = "gzip",
     .kind = TS_OPTION_SWITCH,
     MEMBER(is_compressed),
     .help = "compress all files but summary.csv at the end of the run; all commands read them"},
    {.name = "jobs",
     .argument = "N",
     .kind = TS_OPTION_COUNT,
     MEMBER(jobs),
     .fallback = "1",
     .minimum = 1,
     .maximum = 1024,
     .help = "number of cells to run in parallel; times are comparable only with 1"},
    {.name = "repeats",
     .argument = "N",
     .kind = TS_OPTION_COUNT,
     MEMBER(repeats),
     .fallback = "0",
     .minimum = 0,
     .maximum = 1000000,
     .help = "timed repeats; 0: as many as --min-time needs; 1: a single cold one"},
    {.name = "min-time",
     .argument = "S",
     .kind = TS_OPTION_NUMBER,
     MEMBER(min_time_s),
     .fallback = "0.05",
     .minimum = 0,
     .maximum = 3600,
     .help = "repeat until the timed work took this many seconds, at least 5 times; at most 1000 "
             "repeats, of several passes each if a pass is short"},
    TS_LIMIT_OPTIONS(LIMIT_OFFSET){
        .name = "quiet",
        .kind = TS_OPTION_SWITCH,
        MEMBER(is_quiet),
        .help = "print no progress and no table, only the location of the results and the seed"},
};

const ts_command ts_command_run = {
    .name = "run",
    .operands = "",
    .summary = "Runs cases against methods, writes results, prints a table.",
    .notes = "Every case and method has parameters: touchstone describe case NAME, or method NAME.",
    .examples = "touchstone run --case wall --set layers=20\n"
                "touchstone run --case wall --case arch --method opposing --method growth\n"
                "touchstone run --method closest_points --sweep erosion_m=1e-4:1e-1:7:log\n"
                "touchstone run --set scoring.reference=published\n"
                "touchstone run --preset perturbation\n"
                "touchstone run --preset fresh --method opposing\n"
                "touchstone run --case pillar --path 512\n"
                "touchstone run --scene arch/scene.json --method opposing\n",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = run_alone,
};
