// SPDX-License-Identifier: MIT
/// Which version of the data set rows are of: what results keep in their context.json.
#ifndef TS_HARNESS_DATASET_SOURCE_H
#define TS_HARNESS_DATASET_SOURCE_H

#include "harness/dataset/manifest.h"

#include <jansson.h>

/// Key of the context: {"version", "scene_count", "scenes": [name]}, absent when no scene is of a
/// data set.
#define TS_DATASET_KEY "dataset"

/// The scenes of a run or a scoring that are of a data set, as they are met.
typedef struct ts_dataset_source {
  ts_arena *arena;
  const char *folder;   ///< of the data set met last; NULL: none
  ts_manifest manifest; ///< its manifest
  const char *version;  ///< that the scenes are of; NULL: none was one of a data set
  size_t scene_count;   ///< of the whole data set
  json_t *names;        ///< owned
} ts_dataset_source;

/// Notes a scene file if it is of a data set: it is DIR/scenes/NAME/scene.json, DIR has a manifest,
/// and all files of the scene are as that says. Warns on standard error about a file that a
/// manifest knows and that is not as it says; then the scene counts as any other file. TS_E_INPUT:
/// scenes of two versions, which are not comparable.
ts_status ts_dataset_source_add(ts_dataset_source *source, const char *scene_path);

/// Sets the key of the context, if any scene was noted, and ends the source.
ts_status ts_dataset_source_put(ts_dataset_source *source, json_t *context);

/// Releases what the source owns; for ways out that do not put it.
void ts_dataset_source_drop(ts_dataset_source *source);

#endif
