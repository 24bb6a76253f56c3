// SPDX-License-Identifier: MIT
/// Pages of help that are not about one command.
#ifndef TS_HARNESS_TOPICS_H
#define TS_HARNESS_TOPICS_H

#include "harness/plan/page.h"

/// The manual page is touchstone-NAME(section).
typedef struct ts_topic {
  const char *name;
  int section;
  const char *summary; ///< one sentence
  /// Writes what follows the name.
  ts_status (*put)(ts_page *page);
} ts_topic;

/// The last one has no name.
extern const ts_topic ts_topics[];

#define TS_TOPICS_MAX 8

/// The topic called `name`; NULL when there is none.
const ts_topic *ts_topic_find(const char *name);

/// Prints the page of a topic.
ts_status ts_topic_print(FILE *file, const ts_topic *topic, ts_page_kind kind);

#endif
