// SPDX-License-Identifier: MIT
#include "harness/pool/muster.h"

#include "base/status.h"
#include "reports/rows/context.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

/// The text of a message, owned by the caller, whose file is closed; NULL when there is none.
static char *take_text(ts_message *message) {
  struct stat facts;
  char *text = NULL;
  if (message->body >= 0 && fstat(message->body, &facts) == 0)
    text = calloc((size_t)facts.st_size + 1, 1);
  if (text && pread(message->body, text, (size_t)facts.st_size, 0) != facts.st_size) {
    free(text);
    text = NULL;
  }
  if (message->body >= 0)
    close(message->body);
  message->body = -1;
  return text;
}

static json_t *take_json(ts_message *message) {
  char *text = take_text(message);
  json_t *value = text ? json_loads(text, 0, NULL) : NULL;
  free(text);
  return value;
}

/// Sends a JSON value, which is released.
static ts_status send_json(ts_crew *crew, ts_message_kind kind, int rank, json_t *value) {
  char *text = value ? json_dumps(value, JSON_COMPACT) : NULL;
  json_decref(value);
  if (!text)
    return ts_fail(TS_E_MEMORY, "out of memory");
  ts_status status = ts_crew_send_text(crew, &(ts_message){.kind = kind, .rank = rank}, text);
  free(text);
  return status;
}

ts_status ts_muster_share(ts_crew *crew, const char *const *options, size_t count) {
  json_t *list = json_array();
  for (size_t i = 0; i < count; i++) {
    json_t *text = json_string(options[i]);
    if (!text) {
      json_decref(list);
      return ts_fail(TS_E_INPUT, "%.300s is not UTF-8 text", options[i]);
    }
    json_array_append_new(list, text);
  }
  ts_status status = TS_OK;
  for (int i = 1; i < ts_crew_count(crew) && status == TS_OK; i++)
    status = send_json(crew, TS_MESSAGE_OPTIONS, i, json_incref(list));
  json_decref(list);
  return status;
}

ts_status ts_muster_receive(char ***out, int *out_count, ts_arena *arena, ts_crew *crew) {
  ts_message message;
  if (ts_crew_wait(&message, crew) != TS_OK)
    return ts_fail(TS_SKIPPED, "rank 0 has ended");
  json_t *list = take_json(&message);
  size_t count = json_array_size(list);
  char **options = ts_arena_array(arena, count + 1, sizeof *options);
  bool is_whole = options != NULL && list != NULL;
  for (size_t i = 0; i < count && is_whole; i++) {
    options[i] = ts_arena_string(arena, json_string_value(json_array_get(list, i)));
    is_whole = options[i] != NULL;
  }
  json_decref(list);
  *out = options;
  *out_count = (int)count;
  return is_whole ? TS_OK : ts_fail(TS_E_MEMORY, "out of memory");
}

/// For messages, to find the machine; it is not among the facts of the context, which get
/// published.
static json_t *host_name(void) {
  struct utsname system;
  json_t *name = uname(&system) == 0 ? json_string(system.nodename) : NULL;
  return name ? name : json_string("unknown");
}

/// [[file, hash]]: only the last part of the path, which may be another one on each host.
static json_t *list_plugins(const ts_plan *plan) {
  json_t *list = json_array();
  for (size_t i = 0; i < plan->plugin_count; i++) {
    const char *path = plan->plugins[i]->path, *slash = strrchr(path, '/');
    char hash[17];
    snprintf(hash, sizeof hash, "%016" PRIx64, plan->plugins[i]->hash);
    json_t *file = json_string(slash ? slash + 1 : path); // not necessarily UTF-8
    json_array_append_new(list, json_pack("[o, s]", file ? file : json_string("?"), hash));
  }
  return list;
}

static json_t *make_report(ts_status planned, const ts_plan *plan) {
  char hash[17] = "";
  json_t *report =
      json_pack("{s:o, s:o}", "context", ts_context_create(0, NULL), "host", host_name());
  if (!report)
    return NULL;
  if (planned == TS_OK) {
    snprintf(hash, sizeof hash, "%016" PRIx64, ts_plan_hash(plan));
    json_object_set_new(report, "plugins", list_plugins(plan));
  } else {
    json_object_set_new(report, "error", json_string(ts_status_detail()));
  }
  json_object_set_new(report, "plan", json_string(hash));
  return report;
}

ts_status ts_muster_report(ts_crew *crew, ts_status planned, const ts_plan *plan) {
  return send_json(crew, TS_MESSAGE_REPORT, 0, make_report(planned, plan));
}

/// The reports of all ranks.
typedef struct muster {
  int count;
  json_t **reports; ///< [count]; NULL: the rank has died
} muster;

static const char *text_of(const muster *m, int rank, const char *key) {
  const char *text = json_string_value(json_object_get(m->reports[rank], key));
  return text ? text : "";
}

static const json_t *context_of(const muster *m, int rank) {
  return json_object_get(m->reports[rank], "context");
}

/// What a rank has in contrast to rank 0; false for nothing, else with the cause in `out`.
typedef bool difference(char out[TS_CONTEXT_DIFFERENCE_BYTES], const muster *m, int rank);

static bool has_died(char out[TS_CONTEXT_DIFFERENCE_BYTES], const muster *m, int rank) {
  snprintf(out, TS_CONTEXT_DIFFERENCE_BYTES, "it has died before the first cell");
  return !m->reports[rank];
}

static bool is_another_build(char out[TS_CONTEXT_DIFFERENCE_BYTES], const muster *m, int rank) {
  char what[TS_CONTEXT_DIFFERENCE_BYTES];
  if (!ts_context_other_numbers(what, sizeof what, &(ts_named_context){context_of(m, 0), "rank 0"},
                                &(ts_named_context){context_of(m, rank), "this rank"}))
    return false;
  snprintf(out, TS_CONTEXT_DIFFERENCE_BYTES,
           "another touchstone than on rank 0 (%.400s); install the same one on all hosts", what);
  return true;
}

static bool has_no_plan(char out[TS_CONTEXT_DIFFERENCE_BYTES], const muster *m, int rank) {
  snprintf(out, TS_CONTEXT_DIFFERENCE_BYTES, "%s", text_of(m, rank, "error"));
  return out[0] != '\0';
}

static bool has_another_plugin(char out[TS_CONTEXT_DIFFERENCE_BYTES], const muster *m, int rank) {
  const json_t *ours = json_object_get(m->reports[0], "plugins"),
               *theirs = json_object_get(m->reports[rank], "plugins");
  size_t count = json_array_size(ours);
  if (json_array_size(theirs) != count) {
    snprintf(out, TS_CONTEXT_DIFFERENCE_BYTES,
             "methods of %zu plug-ins and engines, on rank 0 of %zu; install the same ones on all "
             "hosts",
             json_array_size(theirs), count);
    return true;
  }
  for (size_t i = 0; i < count; i++) {
    const json_t *our = json_array_get(ours, i), *their = json_array_get(theirs, i);
    if (json_equal(json_array_get(our, 1), json_array_get(their, 1)))
      continue;
    snprintf(out, TS_CONTEXT_DIFFERENCE_BYTES,
             "plug-in %.300s is another file than on rank 0; copy the same one to all hosts",
             json_string_value(json_array_get(our, 0)));
    return true;
  }
  return false;
}

static bool has_another_plan(char out[TS_CONTEXT_DIFFERENCE_BYTES], const muster *m, int rank) {
  snprintf(out, TS_CONTEXT_DIFFERENCE_BYTES,
           "it would run other cells than rank 0, from the same options; do scene files or engines "
           "differ?");
  return strcmp(text_of(m, 0, "plan"), text_of(m, rank, "plan")) != 0;
}

/// Fails with the cause of the first rank that has such a difference, and the numbers of all.
static ts_status refuse_if(const muster *m, difference *differs) {
  char first[TS_CONTEXT_DIFFERENCE_BYTES] = "", other[TS_CONTEXT_DIFFERENCE_BYTES];
  char others[128] = "";
  int first_rank = 0, count = 0;
  for (int i = 1; i < m->count; i++) {
    if (!differs(count == 0 ? first : other, m, i))
      continue;
    size_t used = strlen(others);
    if (count == 0)
      first_rank = i;
    else if (used < 100)
      snprintf(others + used, sizeof others - used, "%s %d", count > 1 ? "," : "", i);
    else if (strcmp(others + used - 4, " ...") != 0)
      snprintf(others + used, sizeof others - used, ", ...");
    count++;
  }
  if (count == 0)
    return TS_OK;
  return ts_fail(TS_E_INPUT, "rank %d on host %.64s: %s%s%s%s; nothing was run", first_rank,
                 m->reports[first_rank] ? text_of(m, first_rank, "host") : "unknown", first,
                 count > 1 ? " (and so on rank" : "", others, count > 1 ? ")" : "");
}

static ts_status receive_reports(muster *m, ts_crew *crew) {
  int left = m->count - 1;
  while (left > 0) {
    ts_message message;
    TS_TRY(ts_crew_wait(&message, crew));
    json_t *report = take_json(&message);
    bool is_known = message.rank > 0 && message.rank < m->count;
    if (is_known && message.kind == TS_MESSAGE_REPORT && !m->reports[message.rank])
      m->reports[message.rank] = json_incref(report);
    left -= is_known && (message.kind == TS_MESSAGE_REPORT || message.kind == TS_MESSAGE_LOST);
    json_decref(report);
  }
  return TS_OK;
}

static ts_status compare(const muster *m) {
  static difference *const all[] = {has_died, is_another_build, has_no_plan, has_another_plugin,
                                    has_another_plan};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    TS_TRY(refuse_if(m, all[i]));
  return TS_OK;
}

static json_t *find_host(json_t *hosts, const char *name) {
  for (size_t i = 0; i < json_array_size(hosts); i++) {
    json_t *host = json_array_get(hosts, i);
    if (strcmp(json_string_value(json_object_get(host, "name")), name) == 0)
      return host;
  }
  json_t *host = json_pack("{s:s, s:i}", "name", name, "ranks", 0);
  json_array_append_new(hosts, host);
  return host;
}

/// The hosts and their ranks; warns of each host whose machine is another.
static json_t *describe_hosts(const muster *m) {
  json_t *hosts = json_array();
  for (int i = 0; i < m->count; i++) {
    json_t *host = find_host(hosts, text_of(m, i, "host"));
    char what[TS_CONTEXT_DIFFERENCE_BYTES];
    int before = (int)json_integer_value(json_object_get(host, "ranks"));
    json_object_set_new(host, "ranks", json_integer(before + 1));
    if (before > 0 ||
        !ts_context_other_times(what, sizeof what, &(ts_named_context){context_of(m, 0), "rank 0"},
                                &(ts_named_context){context_of(m, i), "this one"}))
      continue;
    json_object_set_new(host, "differs", json_string(what));
    fprintf(stderr,
            "touchstone: warning: host %s is another machine than that of rank 0 (%s): compare no "
            "times of this run\n",
            text_of(m, i, "host"), what);
  }
  return hosts;
}

ts_status ts_muster_check(json_t **out_mpi, ts_crew *crew, const ts_plan *plan, int jobs) {
  muster m = {.count = ts_crew_count(crew)};
  m.reports = calloc((size_t)m.count, sizeof(json_t *));
  ts_status status = TS_E_MEMORY;
  if (m.reports)
    m.reports[0] = make_report(TS_OK, plan);
  if (m.reports && m.reports[0])
    status = receive_reports(&m, crew);
  if (status == TS_OK)
    status = compare(&m);
  if (status == TS_OK)
    *out_mpi = json_pack("{s:i, s:i, s:o}", "ranks", m.count, "jobs_per_rank", jobs, "hosts",
                         describe_hosts(&m));
  for (int i = 0; m.reports && i < m.count; i++)
    json_decref(m.reports[i]);
  free(m.reports);
  return status == TS_E_MEMORY ? ts_fail(status, "out of memory") : status;
}
