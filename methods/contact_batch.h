// SPDX-License-Identifier: MIT
/// Contacts found in the local frame of body a, passed to the host in the world frame and in
/// batches.
#ifndef TS_METHODS_CONTACT_BATCH_H
#define TS_METHODS_CONTACT_BATCH_H

#include "methods/method.h"

enum { TS_CONTACT_BATCH_MAX = 64 };

typedef struct ts_contact_batch {
  const ts_host *host;
  ts_pose to_world;
  size_t count;
  ts_contact contacts[TS_CONTACT_BATCH_MAX]; ///< [count], world, not pushed yet
} ts_contact_batch;

void ts_contact_batch_begin(ts_contact_batch *out, const ts_host *host, ts_pose to_world);

/// Takes a contact whose point and normal are in the frame.
ts_status ts_contact_batch_push(ts_contact_batch *batch, const ts_contact *contact);

/// Passes the rest to the host.
ts_status ts_contact_batch_end(ts_contact_batch *batch);

#endif
