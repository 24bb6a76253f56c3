// SPDX-License-Identifier: MIT
// Methods around a real generator, examples/plugins/vertex_face.c, whose contacts or times are not
// what they seem: remembered, random, found before the clock runs, or judged by a truth that they
// have changed. pretend_nothing is the generator as it is.
#include "harness/controls/controls.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define ARGUMENTS                                                                                  \
  const ts_host *host, const ts_pair *pair, const void *shape_a, const void *shape_b,              \
      void *pair_state, const double *params
#define CALL host, pair, shape_a, shape_b, pair_state, params

/// The list of vertex_face.c, under the name that the build gives it.
const ts_method *const *vertex_face_methods(void);

static ts_status honest(ARGUMENTS) {
  return vertex_face_methods()[0]->generate(CALL);
}

/// The contacts of one pair, and the poses that they were found at.
typedef struct answer {
  int32_t body_a, body_b;
  ts_pose pose_a, pose_b;
  size_t count;
  ts_contact *contacts;
} answer;

/// A host that keeps what is pushed.
typedef struct catcher {
  ts_host host; ///< first, so that it can be cast
  const ts_host *real;
  answer *into;
} catcher;

static const ts_host *real_of(const ts_host *host) {
  return ((const catcher *)(uintptr_t)host)->real;
}

static void *catch_alloc(const ts_host *host, size_t bytes) {
  return real_of(host)->alloc(real_of(host), bytes);
}

static void *catch_scratch(const ts_host *host, size_t bytes) {
  return real_of(host)->scratch(real_of(host), bytes);
}

static ts_status catch_fail(const ts_host *host, ts_status status, const char *message) {
  return real_of(host)->fail(real_of(host), status, message);
}

static ts_status catch_push(const ts_host *host, const ts_contact *contacts, size_t count) {
  answer *into = ((const catcher *)(uintptr_t)host)->into;
  into->contacts = realloc(into->contacts, (into->count + count + 1) * sizeof *contacts);
  memcpy(&into->contacts[into->count], contacts, count * sizeof *contacts);
  into->count += count;
  return TS_OK;
}

/// Finds the contacts of a pair and keeps them instead of pushing them.
static ts_status find(answer *out, ARGUMENTS) {
  catcher keeps = {.host = *host, .real = host, .into = out};
  keeps.host.alloc = catch_alloc;
  keeps.host.scratch = catch_scratch;
  keeps.host.fail = catch_fail;
  keeps.host.push = catch_push;
  out->body_a = pair->body_a;
  out->body_b = pair->body_b;
  out->pose_a = pair->pose_a;
  out->pose_b = pair->pose_b;
  out->count = 0;
  return honest(&keeps.host, pair, shape_a, shape_b, pair_state, params);
}

static ts_status tell(const ts_host *host, const answer *a) {
  return a->count > 0 ? host->push(host, a->contacts, a->count) : TS_OK;
}

static double difference(ts_pose a, ts_pose b) {
  double sum = fabs(a.translation.x - b.translation.x) + fabs(a.translation.y - b.translation.y) +
               fabs(a.translation.z - b.translation.z);
  return sum + fabs(a.rotation.w - b.rotation.w) + fabs(a.rotation.x - b.rotation.x) +
         fabs(a.rotation.y - b.rotation.y) + fabs(a.rotation.z - b.rotation.z);
}

/// Asked again within `reach` of the poses of an answer, gives that one.
static ts_status remember(double reach, ARGUMENTS) {
  static answer all[4096];
  static size_t count;
  for (size_t i = 0; i < count; i++)
    if (all[i].body_a == pair->body_a && all[i].body_b == pair->body_b &&
        difference(all[i].pose_a, pair->pose_a) + difference(all[i].pose_b, pair->pose_b) <= reach)
      return tell(host, &all[i]);
  if (count == sizeof all / sizeof *all)
    return honest(CALL);
  ts_status status = find(&all[count], CALL);
  return status == TS_OK ? tell(host, &all[count++]) : status;
}

static ts_status stale(ARGUMENTS) {
  return remember(INFINITY, CALL);
}

static ts_status memo_near(ARGUMENTS) {
  return remember(1e-9, CALL);
}

static int64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/// So much work that it shows in any time.
static void work(void) {
  for (int64_t end_ns = now_ns() + 300000; now_ns() < end_ns;)
    continue;
}

static ts_status slow(ARGUMENTS) {
  work();
  return honest(CALL);
}

/// As slow, unless asked again at the very same poses: an honest answer, and no time of one.
static ts_status memo_same(ARGUMENTS) {
  static ts_pose last[2];
  if (difference(last[0], pair->pose_a) + difference(last[1], pair->pose_b) != 0)
    work();
  last[0] = pair->pose_a;
  last[1] = pair->pose_b;
  return honest(CALL);
}

static ts_status prepare_early(void **out, const ts_host *host, const ts_pair *pair,
                               const void *shape_a, const void *shape_b, const double *params) {
  answer *a = calloc(1, sizeof *a);
  work();
  *out = a;
  return find(a, host, pair, shape_a, shape_b, NULL, params);
}

static void release_early(void *state) {
  answer *a = state;
  free(a->contacts);
  free(a);
}

static ts_status early(ARGUMENTS) {
  (void)pair, (void)shape_a, (void)shape_b, (void)params;
  return tell(host, pair_state);
}

/// The contacts of the pair that was asked for before this one.
static ts_status previous(ARGUMENTS) {
  static answer last;
  answer now = {0};
  ts_status status = find(&now, CALL);
  if (status == TS_OK)
    status = tell(host, &last);
  free(last.contacts);
  last = now;
  return status;
}

/// Pushes the contacts with their gaps changed by a little that is never the same.
static ts_status push_random(ARGUMENTS) {
  answer a = {0};
  ts_status status = find(&a, CALL);
  for (size_t i = 0; i < a.count; i++)
    a.contacts[i].gap_m -= 1e-12 * (double)(now_ns() % 1000000);
  if (status == TS_OK)
    status = tell(host, &a);
  free(a.contacts);
  return status;
}

/// Right as long as the bodies are about where they were first.
static ts_status random_later(ARGUMENTS) {
  static ts_pose first[2];
  static bool is_set;
  if (!is_set) {
    first[0] = pair->pose_a;
    first[1] = pair->pose_b;
    is_set = true;
  }
  bool is_there = difference(first[0], pair->pose_a) + difference(first[1], pair->pose_b) < 1e-3;
  return is_there ? honest(CALL) : push_random(CALL);
}

/// Beside each contact one that is nearly sideways, hardly more than 1e-6 of the size ahead.
static ts_status ahead(ARGUMENTS) {
  answer a = {0};
  ts_status status = find(&a, CALL);
  for (size_t i = 0; i < a.count && status == TS_OK; i++) {
    ts_contact more[2] = {a.contacts[i], a.contacts[i]};
    ts_vec3 n = more[1].normal;
    double s = 0.001, c = sqrt(1 - s * s);
    ts_vec3 side = fabs(n.x) < 0.6 ? (ts_vec3){0, -n.z, n.y} : (ts_vec3){n.z, 0, -n.x};
    double length = sqrt(side.x * side.x + side.y * side.y + side.z * side.z);
    more[1].normal = (ts_vec3){s * n.x + c * side.x / length, s * n.y + c * side.y / length,
                               s * n.z + c * side.z / length};
    more[1].gap_m = 1.01e-6 * pair->size_m;
    status = host->push(host, more, 2);
  }
  free(a.contacts);
  return status;
}

/// The scene behind the host, which a wild write may reach.
static ts_scene *scene_behind(const ts_host *host) {
  return (ts_scene *)(uintptr_t)((const ts_cell_host *)(uintptr_t)host)->scene;
}

static ts_contact in_the_middle(const ts_pair *pair) {
  return (ts_contact){.point = pair->pose_b.translation, .normal = {0.6, 0, 0.8}, .area_m2 = NAN};
}

/// Makes that contact the truth of every region.
static void forge(ts_scene *scene, ts_contact contact) {
  for (size_t r = 0; r < scene->region_count; r++) {
    ts_region *region = &scene->regions[r];
    region->vertex_count = 1;
    region->vertices[0] = contact.point;
    for (int k = 0; k < TS_REFERENCE_COUNT; k++) {
      region->feasible[k].count = 1;
      region->feasible[k].normals[0] = (ts_feasible){.normal = contact.normal};
    }
  }
}

static ts_status write_truth(ARGUMENTS) {
  (void)shape_a, (void)shape_b, (void)pair_state, (void)params;
  ts_contact contact = in_the_middle(pair);
  forge(scene_behind(host), contact);
  return host->push(host, &contact, 1);
}

/// What the write in a later function needs.
typedef struct target {
  ts_scene *scene;
  ts_contact contact;
} target;

static ts_status prepare_target(void **out, const ts_host *host, const ts_pair *pair,
                                const void *shape_a, const void *shape_b, const double *params) {
  (void)shape_a, (void)shape_b, (void)params;
  target *t = host->alloc(host, sizeof *t);
  *t = (target){scene_behind(host), in_the_middle(pair)};
  *out = t;
  return TS_OK;
}

static ts_status prepare_and_write(void **out, const ts_host *host, const ts_pair *pair,
                                   const void *shape_a, const void *shape_b, const double *params) {
  ts_status status = prepare_target(out, host, pair, shape_a, shape_b, params);
  forge(scene_behind(host), in_the_middle(pair));
  return status;
}

static void write_at_release(void *state) {
  const target *t = state;
  forge(t->scene, t->contact);
}

static ts_status as_forged(ARGUMENTS) {
  (void)pair, (void)shape_a, (void)shape_b, (void)params;
  return host->push(host, &((const target *)pair_state)->contact, 1);
}

/// Moves the second body in the scene, of which the pair has a copy.
static ts_status write_body(ARGUMENTS) {
  ts_scene *scene = scene_behind(host);
  scene->bodies[pair->body_b].pose.translation.y += 1e-3;
  return honest(CALL);
}

#define METHOD(key, ...)                                                                           \
  { .name = "pretend_" #key, __VA_ARGS__ }

/// What differs from vertex_face.
static const ts_method all[] = {
    METHOD(nothing, .generate = honest),
    METHOD(stale, .generate = stale),
    METHOD(memo_near, .generate = memo_near),
    METHOD(memo_same, .generate = memo_same),
    METHOD(slow, .generate = slow),
    METHOD(early, .generate = early, .prepare_pair = prepare_early, .release_pair = release_early),
    METHOD(previous, .generate = previous),
    METHOD(random, .generate = push_random),
    METHOD(random_later, .generate = random_later),
    METHOD(ahead, .generate = ahead),
    METHOD(write_truth, .generate = write_truth),
    METHOD(write_early, .generate = as_forged, .prepare_pair = prepare_and_write),
    METHOD(write_late, .generate = as_forged, .prepare_pair = prepare_target,
           .release_pair = write_at_release),
    METHOD(write_body, .generate = write_body),
};

enum { COUNT = sizeof all / sizeof *all };

const ts_method *const *touchstone_methods(void) {
  static ts_method methods[COUNT];
  static const ts_method *list[COUNT + 1];
  for (size_t i = 0; i < COUNT; i++) {
    methods[i] = *vertex_face_methods()[0];
    methods[i].name = all[i].name;
    methods[i].summary = "Pretends, for tests.";
    methods[i].generate = all[i].generate;
    methods[i].prepare_pair = all[i].prepare_pair;
    methods[i].release_pair = all[i].release_pair;
    list[i] = &methods[i];
  }
  return list;
}
