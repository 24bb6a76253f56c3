// SPDX-License-Identifier: MIT
/// The nodes of one tet of a pair inside the other: where the methods on vertices start.
#ifndef TS_METHODS_TET_NODES_H
#define TS_METHODS_TET_NODES_H

#include "methods/tet/tet_pair.h"

/// The nodes of tet `side` as the other tet sees them.
typedef struct ts_tet_nodes {
  double height_m[4][4]; ///< [node][face of the other]: above its plane, positive outside
  unsigned inside;       ///< bit i: node i is in the other tet
} ts_tet_nodes;

/// What a method does with a node of tet `side` that is inside the other: adds its contacts.
typedef void (*ts_tet_node_work)(ts_tet_contacts *out, const ts_tet_pair *pair,
                                 const ts_tet_nodes *nodes, int side, int node, double allowance_m);

/// Does the work on every node of either tet that is inside the other, closed tets within the
/// allowance, which is TS_TOUCH_RELATIVE of `size_m`; a tet without volume contains nothing.
void ts_tet_nodes_each(ts_tet_contacts *out, const ts_tet_pair *pair, double size_m,
                       ts_tet_node_work work);

/// Adds the contact of a node with a face of the other tet.
void ts_tet_nodes_push(ts_tet_contacts *out, const ts_tet_pair *pair, const ts_tet_nodes *nodes,
                       int side, int node, int face);

/// The same with the face, of `candidates` (bit f: face f), that has the least `key_m`. Several
/// that tie, which are those within `tie_m` of the least, go to the face that looks most towards
/// the centre of the other tet; of several that look as much their mean normal is taken, with the
/// least of their depths. So neither the order of nodes nor a rigid motion decides. No contact when
/// there is no candidate, or when the normals cancel out.
void ts_tet_nodes_push_least(ts_tet_contacts *out, const ts_tet_pair *pair,
                             const ts_tet_nodes *nodes, int side, int node, unsigned candidates,
                             const double key_m[4], double tie_m);

#endif
