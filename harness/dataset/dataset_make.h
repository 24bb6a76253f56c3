// SPDX-License-Identifier: MIT
/// The data set: cases whose right contacts are known, as scene files with their truth. It is the
/// same for everybody, so that contacts can be scored, compared and cited without a run.
///
/// It holds the suites of ts_dataset_suites: each case as designed, in other rigid motions, and
/// drawn afresh by several seeds (ts_dataset_variants). Other suites are about the time that a
/// method takes and about what a solver does; they show few places of touch that these do not, and
/// in a mean over scenes they would count a box on a plane many times over.
#ifndef TS_HARNESS_DATASET_MAKE_H
#define TS_HARNESS_DATASET_MAKE_H

#include "harness/dataset/manifest.h"
#include "reports/rows/file_set.h"

/// Raised by hand when scenes are added, taken away or changed; the version in the manifest changes
/// with any byte.
#define TS_DATASET_EDITION 1

/// Folder of the scenes: scenes/NAME/scene.json.
#define TS_DATASET_SCENES "scenes"

/// NULL-terminated.
extern const char *const ts_dataset_suites[];

/// How a scene is made of a case.
typedef struct ts_dataset_variant {
  const char *suffix;  ///< of the scene's name
  double motion_seed;  ///< as for run --set motion_seed=N
  uint64_t drawn_seed; ///< as for run --seed N; 0: as designed
} ts_dataset_variant;

/// The last one has no suffix.
extern const ts_dataset_variant ts_dataset_variants[];

typedef struct ts_dataset {
  ts_manifest manifest;
  size_t file_count;
  ts_file_of_set *files; ///< [file_count], sorted by path, the manifest last
} ts_dataset;

/// Makes all files of the data set in memory, a few MiB in the arena. TS_E_INPUT, naming the case:
/// one of the suites has no truth, or none that needs a contact.
ts_status ts_dataset_make(ts_dataset *out, ts_arena *arena);

#endif
