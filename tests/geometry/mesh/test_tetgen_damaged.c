// SPDX-License-Identifier: MIT
// covers: geometry/mesh/touchstone_tetgen.cc
// Damaged surfaces and damaged requests: each gives a status and leaves nothing behind.

#include "geometry/mesh/tetgen.h"

#include "base/sanitizer.h"
#include "base/status.h"
#include "geometry/mesh/helper_process.h"
#include "geometry/mesh/tetgen_protocol.h"
#include "tests/geometry/mesh/fake_helper.h"
#include "tests/geometry/mesh/solids.h"
#include "tests/geometry/random_geometry.h"

#include <fcntl.h>
#include <math.h>
#include <stdbool.h>
#include <sys/mman.h>

static ts_arena *arena;
static char *program;

static void setup(void) {
  cr_assert_eq(ts_arena_create(&arena), TS_OK);
  unsetenv("TOUCHSTONE_TETGEN");
  program = ts_helper_beside(arena, TS_TETGEN_PROGRAM);
  cr_assert_not_null(program);
}

static void teardown(void) {
  cr_expect(has_no_child(), "a process is left");
  ts_arena_destroy(arena);
}

TestSuite(geometry_tetgen_damaged, .init = setup, .fini = teardown);

static size_t pick(ts_random *random, size_t count) {
  return (size_t)(ts_random_u64(random) % count);
}

static solid sound_solid(ts_random *random) {
  switch (pick(random, 5)) {
  case 0:
    return solid_box(3, 0.3, 3, 0);
  case 1:
    return solid_frustum(0.25, 0.2, 0.21);
  case 2:
    return solid_spike(0.8, 2.4);
  case 3:
    return solid_tet(1, 2, 3);
  default:
    return solid_groove();
  }
}

typedef enum damage {
  HOLE,
  FLIP,
  TWICE,     // a duplicate triangle
  DUPLICATE, // a vertex at the position of another
  NOT_FINITE,
  SLIVER,   // a vertex almost on another
  CROSSING, // a vertex pulled through the body
  SECOND,   // a copy of the body, moved by little
  FLAT,     // all in one plane
  CORNER,   // a triangle with a wrong corner
  FEW,      // hardly anything left
  INSIDE_OUT,
  DAMAGE_COUNT
} damage;

static void inflict(solid *s, damage kind, ts_random *random) {
  static const double strange[] = {NAN, INFINITY, -INFINITY, 1e300, 1e-300, 1e160};
  size_t t = pick(random, s->triangle_count), v = pick(random, s->vertex_count);
  size_t other = pick(random, s->vertex_count);
  const solid before = *s;
  uint32_t *corners = s->triangles[t], swapped = corners[0];
  switch (kind) {
  case HOLE:
    memcpy(s->triangles[t], s->triangles[--s->triangle_count], sizeof s->triangles[t]);
    break;
  case FLIP:
    corners[0] = corners[1];
    corners[1] = swapped;
    break;
  case TWICE:
    solid_add_triangle(s, corners[0], corners[1], corners[2]);
    break;
  case DUPLICATE:
    s->vertices[v] = s->vertices[other];
    break;
  case NOT_FINITE:
    s->vertices[v].y = strange[pick(random, sizeof strange / sizeof *strange)];
    break;
  case SLIVER:
    s->vertices[v] = s->vertices[other];
    s->vertices[v].x += pow(10, ts_random_uniform(random, -16, -3));
    break;
  case CROSSING:
    s->vertices[v] = random_point(random, 3);
    break;
  case SECOND:
    if (s->triangle_count <= 40)
      solid_join(s, &before, random_point(random, pow(10, ts_random_uniform(random, -12, 0))));
    break;
  case FLAT:
    for (size_t i = 0; i < s->vertex_count; i++)
      s->vertices[i].z = 0;
    break;
  case CORNER:
    corners[0] = (uint32_t)other;
    break;
  case FEW:
    s->triangle_count = pick(random, 5);
    s->vertex_count = s->triangle_count ? s->vertex_count : pick(random, 5);
    break;
  case INSIDE_OUT:
    for (size_t i = 0; i < s->triangle_count; i++) {
      swapped = s->triangles[i][0];
      s->triangles[i][0] = s->triangles[i][1];
      s->triangles[i][1] = swapped;
    }
    break;
  case DAMAGE_COUNT:
    break;
  }
}

static solid damaged_solid(ts_random *random, size_t number) {
  solid s = sound_solid(random);
  if (pick(random, 2))
    solid_move(&s, random_pose(random, pow(10, ts_random_uniform(random, -3, 4))));
  inflict(&s, (damage)(number % DAMAGE_COUNT), random);
  if (pick(random, 3) == 0 && s.triangle_count && s.vertex_count)
    inflict(&s, (damage)pick(random, DAMAGE_COUNT), random);
  return s;
}

/// Redirects standard output and error to a file in memory, which is returned.
static int divert(int kept[2]) {
  int file = memfd_create("output", MFD_CLOEXEC);
  fflush(NULL);
  for (int i = 0; i < 2; i++) {
    kept[i] = fcntl(i + 1, F_DUPFD_CLOEXEC, 10);
    dup2(file, i + 1);
  }
  return file;
}

/// Restores them; returns the number of bytes written in between.
static long restore(int file, int kept[2]) {
  fflush(NULL);
  for (int i = 0; i < 2; i++) {
    dup2(kept[i], i + 1);
    close(kept[i]);
  }
  long count = (long)lseek(file, 0, SEEK_END);
  close(file);
  return count;
}

/// Fills the surface whether or not ts_mesh_create would accept it. Counts successful fills.
static void fill_anyhow(const solid *s, size_t number, bool may_split, size_t *filled) {
  ts_mesh *mesh = NULL, *checked = NULL;
  ts_mesh unchecked = {.vertex_count = s->vertex_count,
                       .vertices = s->vertices,
                       .triangle_count = s->triangle_count,
                       .triangles = (const uint32_t(*)[3])s->triangles};
  size_t used = ts_arena_used(arena);
  bool is_sound = solid_try(&checked, arena, s) == TS_OK;
  ts_arena_mark mark = ts_arena_get_mark(arena);
  size_t used_by_surface = ts_arena_used(arena);
  cr_expect(is_sound || used_by_surface == used);
  ts_status status =
      ts_tetgen_fill(&mesh, arena, &unchecked, &(ts_tetgen_options){2, 0, may_split, 2, 0});
  if (status == TS_OK) {
    ++*filled;
    cr_expect_gt(mesh->tet_count, 0);
    // Splitting may repair a surface whose only fault was in its triangles.
    cr_expect(is_sound || may_split, "surface %zu: an unsound surface is kept and filled", number);
    ts_arena_rewind(arena, mark);
  } else {
    cr_expect(status == TS_E_INPUT || status == TS_E_IO, "surface %zu: %d, %s", number, status,
              ts_status_detail());
    cr_expect_gt(strlen(ts_status_detail()), 0);
    cr_expect_null(mesh);
    cr_expect_eq(ts_arena_used(arena), used_by_surface);
  }
}

/// How many random inputs a test tries: all of them, or fewer where a sanitizer slows it down.
static size_t tries(size_t count) {
  return TS_HAS_ADDRESS_SANITIZER ? count / 5 : count;
}

static void fill_damaged(uint64_t stream, bool may_split) {
  ts_random random = ts_random_seed(20, stream);
  int kept[2], files = open_file_count();
  size_t filled = 0;
  int output = divert(kept);
  for (size_t i = 0; i < tries(500); i++) {
    ts_arena_mark mark = ts_arena_get_mark(arena);
    solid s = damaged_solid(&random, i);
    fill_anyhow(&s, i, may_split, &filled);
    ts_arena_rewind(arena, mark);
  }
  long noise = restore(output, kept);
  cr_expect_eq(noise, 0, "%ld bytes of stray output", noise);
  cr_expect_eq(open_file_count(), files, "a file is left open");
  cr_expect_gt(filled, 0, "some damage leaves a sound solid");
  cr_expect_lt(filled, tries(250));
}

Test(geometry_tetgen_damaged, damaged_surfaces_that_are_kept) {
  fill_damaged(1, false);
}

Test(geometry_tetgen_damaged, damaged_surfaces_that_may_be_split) {
  fill_damaged(2, true);
}

/// A valid request for the box.
typedef struct question {
  ts_tetgen_question head;
  double vertices[8][3];
  uint32_t triangles[12][3];
} question;

static question sound_question(void) {
  solid s = solid_box(1, 1, 1, 0);
  question q = {.head = {.byte_count = sizeof q,
                         .vertex_count = 8,
                         .triangle_count = 12,
                         .quality_ratio = 2,
                         .time_limit_s = 2}};
  memcpy(q.head.magic, TS_TETGEN_QUESTION, 8);
  for (int i = 0; i < 8; i++)
    memcpy(q.vertices[i], (double[]){s.vertices[i].x, s.vertices[i].y, s.vertices[i].z},
           sizeof q.vertices[i]);
  memcpy(q.triangles, s.triangles, sizeof q.triangles);
  return q;
}

static ts_helper_answer ask(const void *bytes, size_t count) {
  ts_helper_answer answer;
  cr_assert_eq(ts_helper_ask(&answer, arena,
                             &(ts_helper_question){.program = program,
                                                   .bytes = bytes,
                                                   .byte_count = count,
                                                   .answer_magic = TS_TETGEN_ANSWER,
                                                   .answer_limit = TS_TETGEN_LARGEST_ANSWER,
                                                   .time_limit_s = 20}),
               TS_OK, "%s", ts_status_detail());
  return answer;
}

static void expect_no_question(const void *bytes, size_t count, const char *what) {
  ts_helper_answer answer = ask(bytes, count);
  cr_expect_eq(answer.end, TS_HELPER_EXITED, "%s", what);
  cr_expect_eq(answer.code, TS_TETGEN_EXIT_QUESTION, "%s: %d", what, answer.code);
}

Test(geometry_tetgen_damaged, the_helper_refuses_an_invalid_request) {
  const question sound = sound_question();
  cr_assert_eq(ask(&sound, sizeof sound).end, TS_HELPER_ANSWERED);
  expect_no_question("", 0, "nothing");
  expect_no_question("hello", 5, "garbage");
  expect_no_question(&sound, 8, "magic alone");
  expect_no_question(&sound, sizeof sound.head, "head alone");
  expect_no_question(&sound, sizeof sound - 1, "a byte less");
  struct {
    question question;
    uint8_t more;
  } longer = {.question = sound};
  expect_no_question(&longer, sizeof sound + 1, "a byte more");

#define WITH(change, what)                                                                         \
  do {                                                                                             \
    question q = sound;                                                                            \
    change;                                                                                        \
    expect_no_question(&q, sizeof q, what);                                                        \
  } while (0)
  WITH(q.head.magic[7]++, "another version");
  WITH(q.head.byte_count = UINT64_MAX, "a huge length");
  WITH(q.head.vertex_count = 7, "one vertex too few");
  WITH(q.head.vertex_count = UINT64_MAX / 24 + 9, "a count that overflows");
  WITH(q.head.triangle_count = (uint64_t)1 << 63, "a count that overflows");
  WITH(q.head.triangle_count = 3, "three triangles");
  WITH(q.head.quality_ratio = 1, "a ratio of 1");
  WITH(q.head.quality_ratio = NAN, "a ratio that is not a number");
  WITH(q.head.max_volume_m3 = -1, "a volume below zero");
  WITH(q.head.time_limit_s = 0, "no time");
  WITH(q.head.time_limit_s = INFINITY, "infinite time");
  WITH(q.head.may_split_surface = 2, "an unknown option");
  WITH(q.vertices[7][2] = NAN, "a coordinate that is not a number");
  WITH(q.vertices[0][0] = INFINITY, "an infinite coordinate");
  WITH(q.triangles[11][2] = 8, "an index out of range");
  WITH(q.triangles[0][0] = UINT32_MAX, "an index out of range");
#undef WITH
}

Test(geometry_tetgen_damaged, the_helper_survives_surfaces_that_tetgen_does_not) {
  question q = sound_question();
  for (int i = 0; i < 8; i++)
    q.vertices[i][1] = 0.25;
  cr_expect_neq(ask(&q, sizeof q).end, TS_HELPER_TIMED_OUT, "flat");
  for (int i = 0; i < 8; i++)
    memset(q.vertices[i], 0, sizeof q.vertices[i]);
  cr_expect_neq(ask(&q, sizeof q).end, TS_HELPER_TIMED_OUT, "a point");
  q = sound_question();
  memset(q.triangles, 0, sizeof q.triangles);
  cr_expect_neq(ask(&q, sizeof q).end, TS_HELPER_TIMED_OUT, "triangles without area");
  q = sound_question();
  memcpy(q.triangles[0], q.triangles[1], sizeof q.triangles[0]);
  cr_expect_neq(ask(&q, sizeof q).end, TS_HELPER_TIMED_OUT, "a triangle twice");
  q = sound_question();
  q.head.triangle_count--;
  q.head.byte_count -= sizeof q.triangles[0];
  ts_helper_answer answer = ask(&q, q.head.byte_count); // open: TetGen sees nothing to fill
  cr_assert_eq(answer.end, TS_HELPER_ANSWERED);
  ts_tetgen_answer head;
  memcpy(&head, answer.bytes, sizeof head);
  cr_expect_eq(head.tet_count, 0);
}

Test(geometry_tetgen_damaged, bytes_changed_at_random_do_no_harm) {
  const question sound = sound_question();
  ts_random random = ts_random_seed(21, 0);
  int kept[2];
  int output = divert(kept);
  size_t timed_out = 0, answered = 0;
  for (size_t i = 0; i < tries(300); i++) {
    ts_arena_mark mark = ts_arena_get_mark(arena);
    uint8_t bytes[sizeof sound];
    memcpy(bytes, &sound, sizeof sound);
    size_t changes = 1 + pick(&random, 4);
    for (size_t k = 0; k < changes; k++) {
      size_t at = pick(&random, sizeof bytes);
      bytes[at] = (uint8_t)ts_random_u64(&random);
    }
    size_t count = pick(&random, 10) ? sizeof bytes : pick(&random, sizeof bytes);
    ts_helper_answer answer = ask(bytes, count);
    timed_out += answer.end == TS_HELPER_TIMED_OUT;
    answered += answer.end == TS_HELPER_ANSWERED;
    cr_expect_neq(answer.end, TS_HELPER_GARBLED, "question %zu", i);
    ts_arena_rewind(arena, mark);
  }
  long noise = restore(output, kept);
  cr_expect_eq(noise, 0, "%ld bytes of stray output", noise);
  cr_expect_gt(answered, 0);
  cr_expect_leq(timed_out, 3);
}
