// SPDX-License-Identifier: MIT
/// The pairs of tetrahedra in tests/reference/ and what the simulator PROX returns for them.
#ifndef TS_TESTS_METHODS_PROX_REFERENCE_H
#define TS_TESTS_METHODS_PROX_REFERENCE_H

#include "base/arena.h"
#include "methods/tet/tet_pair.h"

#include <stdbool.h>

/// The methods of the reference, in our names.
typedef enum prox_method {
  PROX_CLOSEST_POINTS,
  PROX_INTERSECTION,
  PROX_VERTEX_ONLY,
  PROX_CONSISTENT_VERTEX,
  PROX_VOLUME_SAT,
  PROX_SURFACE_SAT,
  PROX_OPPOSING,
  PROX_GROWTH,
  PROX_METHOD_COUNT
} prox_method;

typedef struct prox_pair {
  int id;          ///< The column `case`.
  char family[24]; ///< How the pair was made.
  double offset_m;
  bool overlaps;
  double distance_m;
  ts_tet_pair pair; ///< Normals filled; tet indices 0.
  double size_m;    ///< The larger extent of the smaller tet.
  /// As delivered: normals of any length, `depth` as gap, no features. In double precision.
  ts_contact *contacts[PROX_METHOD_COUNT];
  size_t contact_count[PROX_METHOD_COUNT];
  /// The same in single precision, of nodes rounded to it.
  ts_contact *single_contacts[PROX_METHOD_COUNT];
  size_t single_count[PROX_METHOD_COUNT];
} prox_pair;

typedef struct prox_reference {
  ts_arena *arena;
  size_t count;
  prox_pair *pairs; ///< [count], ascending ids
} prox_reference;

/// Reads the four files in `folder`, which is tests/reference/. TS_E_INPUT, with file and line,
/// when one is missing or not as described; nothing is left to close then.
ts_status prox_reference_read(prox_reference *out, const char *folder);

/// The same for a test, which fails where reading does.
void prox_reference_open(prox_reference *out);
void prox_reference_close(prox_reference *reference);

/// How a kernel compares with the reference.
typedef struct prox_agreement {
  size_t pairs;         ///< looked at
  size_t agree;         ///< pairs with the same contacts
  size_t same_count;    ///< of those, pairs with the same number of contacts, duplicates included
  size_t with_contacts; ///< pairs for which the reference has contacts
  size_t agree_with_contacts;
} prox_agreement;

/// Whether two sets hold the same contacts: each has a partner in the other whose point, gap and
/// normal, as delivered, differ by at most `tolerance` (points and normals in each coordinate).
/// Contacts that are the same within the tolerance count once, so that duplicates which survived
/// in one of the sets do not matter.
bool prox_same_contacts(const ts_contact *got, size_t got_count, const ts_contact *expected,
                        size_t expected_count, double tolerance);

/// Runs a kernel (tests/methods/prox2018/prox_in_double.h) over all pairs and compares within 1e-9.
/// `disagree`, of reference->count flags, may be NULL: set where a pair differs. With the
/// environment variable TOUCHSTONE_PROX_VERBOSE set, the differing pairs are printed with both
/// sets.
prox_agreement prox_reference_compare(const prox_reference *reference, prox_method method,
                                      ts_tet_kernel kernel, bool *disagree);

#endif
