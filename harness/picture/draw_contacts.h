// SPDX-License-Identifier: MIT
/// The layer of a picture with the contacts, as arrows along their normals.
#ifndef TS_HARNESS_DRAW_CONTACTS_H
#define TS_HARNESS_DRAW_CONTACTS_H

#include "harness/picture/drawing.h"

/// Most contacts in a picture: more cannot be told apart.
#define TS_DRAWN_CONTACTS_MAX ((size_t)200)

/// The contacts that are drawn: the worst (ts_fault_is_worse), of equal ones the earlier.
typedef struct ts_drawn_contacts {
  size_t count;
  const ts_contact_row **rows;  ///< [count], worst first
  size_t totals[TS_KIND_COUNT]; ///< of all contacts
  size_t shown[TS_KIND_COUNT];  ///< of those drawn
  size_t nowhere;               ///< of all contacts, those without a place
  size_t without_normal;        ///< of those drawn
} ts_drawn_contacts;

ts_status ts_drawn_contacts_choose(ts_drawn_contacts *out, const ts_drawing *d);

/// Draws them; wrong ones and those in front last, so that they stay visible. Those behind a face
/// are pale. Kinds differ in colour and in the shape of the arrow.
void ts_draw_contacts(const ts_drawing *d, const ts_drawn_contacts *contacts);

/// The sign of a kind in the legend.
void ts_draw_contact_sign(FILE *file, ts_contact_kind kind, ts_svg_point from, ts_svg_point to);

/// The sign of a contact without a normal.
void ts_draw_no_normal_sign(FILE *file, ts_svg_point at);

#endif
