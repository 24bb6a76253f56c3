// SPDX-License-Identifier: MIT
/// Modifiers with their parameters, one after the other.
#ifndef TS_METHODS_MODIFIER_CHAIN_H
#define TS_METHODS_MODIFIER_CHAIN_H

#include "base/arena.h"
#include "geometry/contact_set.h"
#include "methods/modifiers/modifier.h"

typedef struct ts_modifier_link {
  const ts_modifier *modifier;
  const double *values; ///< [modifier->param_count], as given for scale 1
} ts_modifier_link;

/// All zero but the text, "": none, which changes nothing.
typedef struct ts_modifier_chain {
  size_t count;
  const ts_modifier_link *links; ///< [count]
  const char *text;              ///< as ts_modifier_chain_parse() reads it, with all parameters
} ts_modifier_chain;

/// The word for a chain without modifiers.
#define TS_MODIFIERS_NONE "none"

/// Reads "NAME[:PARAMETER=VALUE]...[,NAME...]", or TS_MODIFIERS_NONE. `known` [known_count] are the
/// modifiers to choose from. All is in the arena, the modifiers are borrowed. TS_E_INPUT, with the
/// valid choices: an unknown name or parameter, one that is set twice, a value out of range.
ts_status ts_modifier_chain_parse(ts_modifier_chain *out, ts_arena *arena, const char *text,
                                  const ts_modifier *const *known, size_t known_count);

/// Most contacts that a modifier may push for `count` that it got: it changes contacts, and does
/// not invent them.
#define TS_MODIFIER_PUSHES_MAX(count) (4 * (count) + 16)

/// Replaces a canonical set by what the modifiers make of it, canonical again after each. A set
/// without contacts is left alone. `pair` has body_a < body_b, as the set, and the set's size;
/// lengths among the parameters are multiplied by `scale`. `scratch` is rewound. `set->delivered`
/// stays.
///
/// Errors and skips of a modifier are returned with its name. TS_E_INPUT also when it pushes too
/// many contacts, one with a point or normal that is not finite while all that it got were, or
/// writes to the contacts that it got.
ts_status ts_modifier_chain_apply(ts_contact_set *set, ts_arena *scratch,
                                  const ts_modifier_chain *chain, const ts_pair *pair,
                                  double scale);

#endif
