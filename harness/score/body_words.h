// SPDX-License-Identifier: MIT
/// Bodies as files of other programs call them: by their index or by their name.
#ifndef TS_HARNESS_BODY_WORDS_H
#define TS_HARNESS_BODY_WORDS_H

#include "cases/scene/scene.h"

/// How to interpret a whole number.
typedef enum ts_body_words {
  TS_BODIES_EITHER, ///< The index of a body; refused if another body has that name.
  TS_BODIES_INDEX,
  TS_BODIES_NAME
} ts_body_words;

typedef struct ts_body_finder ts_body_finder;

/// For the words of the file at `path` (for messages). In the arena; borrows the scene and the
/// path.
ts_status ts_body_finder_create(ts_body_finder **out, ts_arena *arena, const ts_scene *scene,
                                ts_body_words words, const char *path);

/// The body that the word in a column and line refers to. TS_E_INPUT, with file and line: a body
/// that the scene does not have (the message suggests the nearest name), a name that several bodies
/// have, a number that is the index of one and the name of another.
ts_status ts_body_find(int32_t *out, ts_body_finder *finder, const char *column, const char *word,
                       size_t line);

#endif
