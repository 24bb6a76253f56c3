// SPDX-License-Identifier: MIT
/// Whether this is built with the address sanitizer, which takes address space without end, refuses
/// allocations that fail elsewhere, and is slow.
#ifndef TS_BASE_SANITIZER_H
#define TS_BASE_SANITIZER_H

#if defined(__has_feature) // clang
#if __has_feature(address_sanitizer)
#define TS_HAS_ADDRESS_SANITIZER 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) // gcc
#define TS_HAS_ADDRESS_SANITIZER 1
#endif
#ifndef TS_HAS_ADDRESS_SANITIZER
#define TS_HAS_ADDRESS_SANITIZER 0
#endif

#endif
