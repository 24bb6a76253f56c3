// SPDX-License-Identifier: MIT
#include "tests/methods/tet/tet_fixture.h"

#include "geometry/tet.h"
#include "methods/tet/tet_kernels.h"
#include "tests/geometry/random_geometry.h"
#include "tests/methods/prox2018/prox_in_double.h"

#include <criterion/criterion.h>
#include <stdio.h>

double tet_pair_size_m(const ts_tet_pair *pair) {
  double size[2];
  for (int side = 0; side < 2; side++) {
    ts_vec3 low = pair->corners[side][0], high = low;
    for (int i = 1; i < 4; i++) {
      low = ts_vec3_min(low, pair->corners[side][i]);
      high = ts_vec3_max(high, pair->corners[side][i]);
    }
    ts_vec3 extent = ts_vec3_sub(high, low);
    size[side] = fmax(extent.x, fmax(extent.y, extent.z));
  }
  return fmin(size[0], size[1]);
}

ts_tet_pair tet_pair_random(ts_random *random, double offset) {
  ts_tet_pair pair = {.tet = {0, 0}};
  ts_vec3 shift = random_point(random, offset);
  for (int side = 0; side < 2; side++) {
    for (int i = 0; i < 4; i++) {
      pair.corners[side][i] = random_point(random, 0.5);
      if (side == 1)
        pair.corners[side][i] = ts_vec3_add(pair.corners[side][i], shift);
    }
    pair.surface[side] = (uint8_t)(1 + ts_random_u64(random) % 15);
  }
  ts_tet_pair_set_normals(&pair);
  return pair;
}

ts_tet_pair tet_pair_on_lattice(ts_random *random) {
  ts_tet_pair pair = {.tet = {0, 0}};
  for (int side = 0; side < 2; side++) {
    do {
      for (int i = 0; i < 4; i++) {
        uint64_t at = ts_random_u64(random) % 27;
        pair.corners[side][i] = (ts_vec3){(double)(at % 3), (double)(at / 3 % 3), (double)(at / 9)};
      }
    } while (fabs(ts_tet_volume(pair.corners[side])) < 0.1);
    pair.surface[side] = (uint8_t)(1 + ts_random_u64(random) % 15);
  }
  ts_tet_pair_set_normals(&pair);
  return pair;
}

ts_tet_pair tet_pair_stacked(double gap_m) {
  ts_tet_pair pair = {.corners = {{{0, 0, 0}, {3, 0, 0}, {0, 3, 0}, {1, 1, -2}},
                                  {{0.5, 0.5, gap_m},
                                   {1.5, 0.25, gap_m},
                                   {0.5, 1.5, gap_m},
                                   {0.75, 0.75, 2 + gap_m}}},
                      .surface = {1u << 3, 1u << 3}};
  ts_tet_pair_set_normals(&pair);
  return pair;
}

ts_tet_pair tet_pair_moved(const ts_tet_pair *pair, double scale, ts_pose pose) {
  ts_tet_pair moved = *pair;
  moved.reach_m *= scale;
  for (int side = 0; side < 2; side++)
    for (int i = 0; i < 4; i++)
      moved.corners[side][i] = ts_pose_point(pose, ts_vec3_scale(pair->corners[side][i], scale));
  ts_tet_pair_set_normals(&moved);
  return moved;
}

ts_tet_pair tet_pair_swapped(const ts_tet_pair *pair) {
  ts_tet_pair swapped = *pair;
  for (int side = 0; side < 2; side++) {
    swapped.tet[side] = pair->tet[1 - side];
    swapped.surface[side] = pair->surface[1 - side];
    for (int i = 0; i < 4; i++)
      swapped.corners[side][i] = pair->corners[1 - side][i];
  }
  ts_tet_pair_set_normals(&swapped);
  return swapped;
}

ts_tet_pair tet_pair_reordered(const ts_tet_pair *pair, int steps) {
  ts_tet_pair reordered = *pair;
  for (int side = 0; side < 2; side++) {
    reordered.surface[side] = 0;
    for (int i = 0; i < 4; i++) {
      int from = (i + steps + side) % 4;
      from = from == 1 ? 2 : from == 2 ? 1 : from;
      reordered.corners[side][i] = pair->corners[side][from];
      reordered.surface[side] |= (uint8_t)((pair->surface[side] >> from & 1) << i);
    }
  }
  ts_tet_pair_set_normals(&reordered);
  return reordered;
}

void tet_contacts_move(ts_tet_contacts *contacts, double scale, ts_pose pose) {
  for (size_t i = 0; i < contacts->count; i++) {
    ts_contact *contact = &contacts->contacts[i];
    contact->point = ts_pose_point(pose, ts_vec3_scale(contact->point, scale));
    contact->normal = ts_pose_direction(pose, contact->normal);
    contact->gap_m *= scale;
  }
}

void tet_contacts_swap(ts_tet_contacts *contacts) {
  for (size_t i = 0; i < contacts->count; i++)
    contacts->contacts[i].normal = ts_vec3_neg(contacts->contacts[i].normal);
}

/// Whether every contact of `some` has a partner in `others`.
static bool covered(const ts_tet_contacts *some, const ts_tet_contacts *others, double tolerance,
                    double size_m) {
  for (size_t i = 0; i < some->count; i++) {
    const ts_contact *p = &some->contacts[i];
    bool found = false;
    for (size_t j = 0; j < others->count && !found; j++) {
      const ts_contact *q = &others->contacts[j];
      found = ts_vec3_distance(p->point, q->point) <= tolerance * size_m &&
              fabs(p->gap_m - q->gap_m) <= tolerance * size_m &&
              ts_vec3_distance(p->normal, q->normal) <= tolerance;
    }
    if (!found)
      return false;
  }
  return true;
}

void tet_contacts_assert_same(const ts_tet_contacts *got, const ts_tet_contacts *expected,
                              double tolerance, double size_m, const char *what) {
  cr_assert_eq(got->count, expected->count, "%s: %zu contacts, not %zu", what, got->count,
               expected->count);
  cr_assert(covered(got, expected, tolerance, size_m) && covered(expected, got, tolerance, size_m),
            "%s: other contacts", what);
}

void tet_contacts_assert_sound(const ts_tet_contacts *contacts, const char *what) {
  for (size_t i = 0; i < contacts->count; i++) {
    const ts_contact *contact = &contacts->contacts[i];
    cr_assert(ts_vec3_is_finite(contact->point), "%s: point %zu", what, i);
    cr_assert(isfinite(contact->gap_m), "%s: gap %zu", what, i);
    cr_assert_float_eq(ts_vec3_norm(contact->normal), 1, 1e-12, "%s: normal %zu of length %g", what,
                       i, ts_vec3_norm(contact->normal));
  }
}

/// Returns whether the pair has contacts.
static bool assert_frame_does_not_matter(ts_tet_kernel kernel, const ts_tet_pair *pair, int n,
                                         ts_random *random, const char *what) {
  static ts_tet_contacts expected, got;
  char name[64];
  double size_m = tet_pair_size_m(pair);
  kernel(&expected, pair, size_m);
  bool has_contacts = expected.count > 0;

  ts_tet_pair swapped = tet_pair_swapped(pair);
  kernel(&got, &swapped, size_m);
  tet_contacts_swap(&got);
  snprintf(name, sizeof name, "%s pair %d, swapped", what, n);
  tet_contacts_assert_same(&got, &expected, 1e-9, size_m, name);

  ts_tet_pair reordered = tet_pair_reordered(pair, n % 4);
  kernel(&got, &reordered, size_m);
  snprintf(name, sizeof name, "%s pair %d, reordered", what, n);
  tet_contacts_assert_same(&got, &expected, 1e-9, size_m, name);

  static const double scales[] = {1e-3, 1, 1e3};
  double scale = scales[n % 3], reach = n % 2 ? 1 : 1000;
  ts_pose pose = random_pose(random, reach * scale);
  ts_tet_pair moved = tet_pair_moved(pair, scale, pose);
  kernel(&got, &moved, scale * size_m);
  tet_contacts_move(&expected, scale, pose);
  snprintf(name, sizeof name, "%s pair %d, moved", what, n);
  tet_contacts_assert_same(&got, &expected, 1e-8, scale * size_m, name);
  return has_contacts;
}

void tet_kernel_assert_invariant(ts_tet_kernel kernel) {
  tet_kernel_assert_invariant_within(kernel, 0);
}

void tet_kernel_assert_invariant_within(ts_tet_kernel kernel, double reach_m) {
  ts_random random = ts_random_seed(11, 0);
  size_t with_contacts[2] = {0, 0};
  for (int n = 0; n < 2000; n++) {
    ts_tet_pair pair = tet_pair_random(&random, 0.6);
    pair.reach_m = reach_m;
    with_contacts[0] += assert_frame_does_not_matter(kernel, &pair, n, &random, "random");
    pair = tet_pair_on_lattice(&random);
    pair.reach_m = reach_m;
    with_contacts[1] += assert_frame_does_not_matter(kernel, &pair, n, &random, "lattice");
  }
  cr_assert_geq(with_contacts[0], 40, "only %zu pairs have contacts", with_contacts[0]);
  cr_assert_geq(with_contacts[1], 400, "only %zu on the lattice", with_contacts[1]);
}

void tet_kernel_assert_finds_a_touch(ts_tet_kernel kernel) {
  ts_random random = ts_random_seed(13, 0);
  static ts_tet_contacts contacts, expected;
  ts_tet_pair pair = tet_pair_stacked(0);
  for (int n = 0; n < 200; n++) {
    static const double scales[] = {1, 1e-3, 1e3};
    double scale = scales[n % 3];
    ts_pose pose = n ? random_pose(&random, n % 2 ? scale : 1e4 * scale) : ts_pose_identity();
    ts_tet_pair moved = tet_pair_moved(&pair, scale, pose);
    kernel(&contacts, &moved, scale);
    expected.count = 3;
    for (int i = 0; i < 3; i++)
      expected.contacts[i] = (ts_contact){
          .point = moved.corners[1][i],
          .normal = ts_pose_direction(pose, ts_vec3_make(0, 0, 1)),
      };
    tet_contacts_assert_same(&contacts, &expected, 1e-9, scale, "touch");
  }
}

static void run_both(int row, const ts_tet_pair *pair, const char *what) {
  static ts_tet_contacts contacts;
  ts_tet_kernels_of[row].paper(&contacts, pair, tet_pair_size_m(pair));
  tet_contacts_assert_sound(&contacts, what);
  prox_in_double(row)(&contacts, pair, tet_pair_size_m(pair));
  for (size_t i = 0; i < contacts.count; i++)
    cr_assert(ts_vec3_is_finite(contacts.contacts[i].point) &&
                  ts_vec3_is_finite(contacts.contacts[i].normal) &&
                  isfinite(contacts.contacts[i].gap_m),
              "%s: contact %zu of prox2018", what, i);
}

void tet_kernel_assert_sound(int row) {
  tet_kernel_assert_sound_within(row, 0);
}

void tet_kernel_assert_sound_within(int row, double reach_m) {
  ts_random random = ts_random_seed(12, 0);
  for (int n = 0; n < 50; n++) {
    ts_tet_pair pair = tet_pair_random(&random, 0.3);
    pair.reach_m = reach_m;
    ts_tet_pair other = pair;
    for (int i = 0; i < 4; i++)
      other.corners[1][i] = other.corners[0][i];
    ts_tet_pair_set_normals(&other);
    run_both(row, &other, "coincident");

    other = pair;
    for (int i = 0; i < 4; i++)
      other.corners[0][i].z = 0;
    ts_tet_pair_set_normals(&other);
    run_both(row, &other, "one flat");
    for (int i = 0; i < 4; i++)
      other.corners[1][i].z = 0;
    ts_tet_pair_set_normals(&other);
    run_both(row, &other, "both flat in one plane");

    other = pair;
    for (int i = 0; i < 4; i++)
      other.corners[1][i] = other.corners[0][n % 4];
    ts_tet_pair_set_normals(&other);
    run_both(row, &other, "a point");
    for (int i = 0; i < 4; i++)
      other.corners[0][i] = other.corners[0][n % 4];
    ts_tet_pair_set_normals(&other);
    run_both(row, &other, "two points");

    other = pair;
    for (int i = 0; i < 4; i++)
      other.corners[1][i] = ts_vec3_scale(ts_vec3_make(1, 2, 3), 0.1 * i * i);
    ts_tet_pair_set_normals(&other);
    run_both(row, &other, "a line");

    static const double scales[] = {1e-3, 1e3, 1e-150, 1e100};
    other = tet_pair_moved(&pair, scales[n % 4], random_pose(&random, scales[n % 4] * 1e4));
    run_both(row, &other, "scaled");
    other = tet_pair_moved(&pair, 1, random_pose(&random, 1e16));
    run_both(row, &other, "far away");
  }
}
