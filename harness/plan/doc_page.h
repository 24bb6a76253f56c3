// SPDX-License-Identifier: MIT
/// Pages of the documentation, which messages and help name.
///
/// In texts a page is called docs/NAME.md, as in the source tree. An installed program knows where
/// the pages are: beside it, in ../share/doc/touchstone.
#ifndef TS_HARNESS_DOC_PAGE_H
#define TS_HARNESS_DOC_PAGE_H

#include "base/arena.h"

/// The path of docs/<name>.md as installed with this program; "docs/<name>.md" when it is not
/// installed. In the arena; `name` itself when out of memory.
const char *ts_doc_page(ts_arena *arena, const char *name);

#define TS_DOC_BLANK '\x1f'

/// `text` with every "docs/NAME.md" replaced by that path; `text` itself when nothing is installed.
/// Blanks of the path are TS_DOC_BLANK, so that who wraps the text keeps the path on one line and
/// prints them as blanks then. For texts of our own only: a path that a user gave may look the
/// same. NULL when out of memory.
const char *ts_doc_pages_in(ts_arena *arena, const char *text);

#endif
