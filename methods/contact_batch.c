// SPDX-License-Identifier: MIT
#include "methods/contact_batch.h"

#include "base/status.h"
#include "geometry/pose.h"

void ts_contact_batch_begin(ts_contact_batch *out, const ts_host *host, ts_pose to_world) {
  out->host = host;
  out->to_world = to_world;
  out->count = 0;
}

static ts_status flush(ts_contact_batch *batch) {
  size_t count = batch->count;
  batch->count = 0;
  return batch->host->push(batch->host, batch->contacts, count);
}

ts_status ts_contact_batch_push(ts_contact_batch *batch, const ts_contact *contact) {
  if (batch->count == TS_CONTACT_BATCH_MAX)
    TS_TRY(flush(batch));
  ts_contact *world = &batch->contacts[batch->count++];
  *world = *contact;
  world->point = ts_pose_point(batch->to_world, contact->point);
  world->normal = ts_pose_direction(batch->to_world, contact->normal);
  return TS_OK;
}

ts_status ts_contact_batch_end(ts_contact_batch *batch) {
  return batch->count ? flush(batch) : TS_OK;
}
