// SPDX-License-Identifier: MIT
/// The texts of the data set, embedded from harness/dataset/ and the project's LICENSE by the
/// build.
#ifndef TS_HARNESS_DATASET_TEXTS_H
#define TS_HARNESS_DATASET_TEXTS_H

#include <stddef.h>

extern const unsigned char ts_dataset_readme[], ts_dataset_citation[], ts_dataset_licence[];
extern const size_t ts_dataset_readme_bytes, ts_dataset_citation_bytes, ts_dataset_licence_bytes;

#endif
