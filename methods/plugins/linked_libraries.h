// SPDX-License-Identifier: MIT
/// The shared libraries of this process, to notice that a plug-in comes with another version of
/// one.
#ifndef TS_METHODS_LINKED_LIBRARIES_H
#define TS_METHODS_LINKED_LIBRARIES_H

#include <stddef.h>
#include <stdint.h>

/// How many are loaded.
size_t ts_linked_libraries_count(void);

/// Continues `hash` over the build id, or else the size and the time of the last change, of each
/// library that was loaded after the first `count`, and over its name without folders. In the order
/// of loading, which is that of linking.
uint64_t ts_linked_libraries_hash(uint64_t hash, size_t count);

#endif
