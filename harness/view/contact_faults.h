// SPDX-License-Identifier: MIT
/// Everything that is wrong with a contact of contacts.csv, where its kind (ts_contact_kind) is
/// only the worst of it.
#ifndef TS_HARNESS_CONTACT_FAULTS_H
#define TS_HARNESS_CONTACT_FAULTS_H

#include "reports/view/view_row.h"

/// Bits 1 << ts_view_fault; 0: nothing is wrong. Each is set where the summary's column counts the
/// contact; the normal of a phantom contact is not judged right or wrong.
unsigned ts_contact_faults(const ts_contact_row *row);

#endif
