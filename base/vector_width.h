// SPDX-License-Identifier: MIT
/// Loops for the vectors of the machine at hand.
#ifndef TS_BASE_VECTOR_WIDTH_H
#define TS_BASE_VECTOR_WIDTH_H

#include <features.h>

/// Before a function whose loops a compiler turns into vector instructions: it is compiled for the
/// vectors that every machine has and for wider ones, and the program takes at its start what the
/// machine can do. All give the same bits, because nothing is contracted or reordered. By gcc
/// alone: clang 14 gives the function that chooses another name, which other files do not find.
#define TS_ANY_VECTOR_WIDTH
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__)
#undef TS_ANY_VECTOR_WIDTH
#define TS_ANY_VECTOR_WIDTH __attribute__((target_clones("avx2", "default")))
#endif

#endif
