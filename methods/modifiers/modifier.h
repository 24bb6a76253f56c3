// SPDX-License-Identifier: MIT
/// The interface of a contact modifier: what an engine does to the contacts of its generator before
/// it uses them, such as reducing a manifold to four points. Built-in modifiers and those of a
/// plug-in use the same struct. This header compiles alone as C11 and as C++17 and needs only the C
/// library.
#ifndef TS_METHODS_MODIFIER_H
#define TS_METHODS_MODIFIER_H

#include "methods/method.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A function that maps the contacts of one pair to others. It depends on nothing but its
/// arguments: same input, same output, in any order of calls.
typedef struct ts_modifier {
  uint32_t abi, struct_size; ///< TS_METHOD_ABI, sizeof(ts_modifier)
  /// Registry key, [a-z0-9_]+, at most TS_NAME_LENGTH_MAX bytes; never renamed.
  const char *name;
  const char *summary;    ///< One sentence.
  const char *source;     ///< Paper and section, or project and version.
  const ts_param *params; ///< [param_count]; NULL for none.
  size_t param_count;
  /// Takes the contacts [count] of a pair, canonical (sorted, without duplicates; see
  /// docs/plugins.md), and pushes the ones that take their place, which are made canonical again.
  /// The pair has the bodies as designed, whole, at the poses at which the contacts were found; its
  /// envelope is the state that the method had them in. `count` is above 0. `params` holds
  /// [param_count] values, lengths already at the case's scale. Of the host, `scratch`, `push` and
  /// `fail` may be used. Returns a ts_status.
  ts_status (*apply)(const ts_host *host, const ts_pair *pair, const ts_contact *contacts,
                     size_t count, const double *params);
} ts_modifier;

/// The optional second symbol that a plug-in exports: its modifiers, in order, NULL-terminated.
/// They and all they point to must not change while the plug-in is loaded.
TS_PLUGIN_EXPORT const ts_modifier *const *touchstone_modifiers(void);

#ifdef __cplusplus
}
#endif

#endif
