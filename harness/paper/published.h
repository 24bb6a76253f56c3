// SPDX-License-Identifier: MIT
/// The published figures: every cell of Tables 6, 7 and 8 of Erleben 2018, and the figures quoted
/// in its text.
#ifndef TS_HARNESS_PUBLISHED_H
#define TS_HARNESS_PUBLISHED_H

#include <stddef.h>

typedef struct ts_published {
  const char *source; ///< table6, table7, table8 or text
  const char *scene;  ///< a case; pillar_fine: the pillar with refined meshes (section 8.6)
  const char *method; ///< by our name for it
  const char *unit;   ///< percent, factor, count or fraction
  const char *metric; ///< coverage, quality, excess, contacts, contacts_mean and so on
  const char *value;  ///< as printed
  const char *note;   ///< "" for none
} ts_published;

/// In the order of the tables.
extern const ts_published ts_published_values[];
extern const size_t ts_published_count;

#endif
