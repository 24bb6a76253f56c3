// SPDX-License-Identifier: MIT
// A method that knows the suite by heart. `note` answers as control_ideal and notes down each
// question, by counts of vertices and triangles and where the bodies are to each other, with its
// contacts in the frame of body a. `by_heart` gives the contacts of the noted question that is most
// like the one asked. The notes are the file that BY_HEART_NOTES names.
#include "geometry/pose.h"
#include "harness/controls/ideal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct question {
  double counts[4]; // vertices and triangles of a and of b
  ts_vec3 place;    // of b in the frame of a
} question;

static question question_of(const ts_pair *pair) {
  return (question){{(double)pair->mesh_a->vertex_count, (double)pair->mesh_a->triangle_count,
                     (double)pair->mesh_b->vertex_count, (double)pair->mesh_b->triangle_count},
                    ts_pose_relative(pair->pose_a, pair->pose_b).translation};
}

static double counts_apart(const question *a, const question *b) {
  double sum = 0;
  for (int i = 0; i < 4; i++)
    sum += fabs(a->counts[i] - b->counts[i]);
  return sum;
}

static ts_status open_notes(FILE **out, const ts_host *host, const char *mode) {
  const char *path = getenv("BY_HEART_NOTES");
  *out = path ? fopen(path, mode) : NULL;
  return *out ? TS_OK : host->fail(host, TS_E_INPUT, "BY_HEART_NOTES names no file");
}

static ts_status note(const ts_host *host, const ts_pair *pair, const void *a, const void *b,
                      void *state, const double *values) {
  (void)a, (void)b, (void)state, (void)values;
  ts_ideal ideal;
  ts_status status = ts_ideal_contacts(&ideal, host, pair);
  FILE *notes;
  if (status == TS_OK)
    status = open_notes(&notes, host, "a");
  if (status != TS_OK)
    return status;
  question q = question_of(pair);
  fprintf(notes, "%.17g %.17g %.17g %.17g %.17g %.17g %.17g %zu\n", q.counts[0], q.counts[1],
          q.counts[2], q.counts[3], q.place.x, q.place.y, q.place.z, ideal.count);
  for (size_t i = 0; i < ideal.count; i++) {
    ts_vec3 p = ts_pose_point_local(pair->pose_a, ideal.contacts[i].point);
    ts_vec3 n = ts_quat_rotate(ts_quat_conjugate(pair->pose_a.rotation), ideal.contacts[i].normal);
    fprintf(notes, "%.17g %.17g %.17g %.17g %.17g %.17g %.17g\n", p.x, p.y, p.z, n.x, n.y, n.z,
            ideal.contacts[i].gap_m);
  }
  fclose(notes);
  return ideal.count > 0 ? host->push(host, ideal.contacts, ideal.count) : TS_OK;
}

enum { CONTACTS_MAX = 256 };

/// Reads the next question and its contacts; false at the end.
static int read_note(question *q, double answers[CONTACTS_MAX][7], size_t *count, FILE *notes) {
  if (fscanf(notes, "%lf %lf %lf %lf %lf %lf %lf %zu", &q->counts[0], &q->counts[1], &q->counts[2],
             &q->counts[3], &q->place.x, &q->place.y, &q->place.z, count) != 8 ||
      *count > CONTACTS_MAX)
    return 0;
  for (size_t i = 0; i < *count; i++)
    for (int k = 0; k < 7; k++)
      if (fscanf(notes, "%lf", &answers[i][k]) != 1)
        return 0;
  return 1;
}

static ts_status by_heart(const ts_host *host, const ts_pair *pair, const void *a, const void *b,
                          void *state, const double *values) {
  (void)a, (void)b, (void)state, (void)values;
  FILE *notes;
  ts_status status = open_notes(&notes, host, "r");
  if (status != TS_OK)
    return status;
  const question asked = question_of(pair);
  double answers[CONTACTS_MAX][7], best[CONTACTS_MAX][7];
  double best_counts = INFINITY, best_m = INFINITY;
  size_t count, best_count = 0;
  question noted;
  while (read_note(&noted, answers, &count, notes)) {
    double counts = counts_apart(&asked, &noted);
    double apart_m = ts_vec3_distance(asked.place, noted.place);
    if (counts > best_counts || (counts == best_counts && apart_m >= best_m))
      continue;
    best_counts = counts;
    best_m = apart_m;
    best_count = count;
    for (size_t i = 0; i < count; i++)
      for (int k = 0; k < 7; k++)
        best[i][k] = answers[i][k];
  }
  fclose(notes);
  for (size_t i = 0; i < best_count && status == TS_OK; i++) {
    ts_vec3 p = {best[i][0], best[i][1], best[i][2]}, n = {best[i][3], best[i][4], best[i][5]};
    const ts_contact contact = {.point = ts_pose_point(pair->pose_a, p),
                                .normal = ts_quat_rotate(pair->pose_a.rotation, n),
                                .gap_m = best[i][6],
                                .area_m2 = NAN};
    status = host->push(host, &contact, 1);
  }
  return status;
}

static const ts_method method_note = {.abi = TS_METHOD_ABI,
                                      .struct_size = sizeof(ts_method),
                                      .name = "note",
                                      .summary = "Right, and notes down what it was asked.",
                                      .source = "tests",
                                      .generate = note};

static const ts_method method_by_heart = {.abi = TS_METHOD_ABI,
                                          .struct_size = sizeof(ts_method),
                                          .name = "by_heart",
                                          .summary = "Says what was noted.",
                                          .source = "tests",
                                          .generate = by_heart};

const ts_method *const *touchstone_methods(void) {
  static const ts_method *const list[] = {&method_note, &method_by_heart, NULL};
  return list;
}
