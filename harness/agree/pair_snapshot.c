// SPDX-License-Identifier: MIT
#include "harness/agree/pair_snapshot.h"

#include "base/status.h"
#include "harness/view/row_snapshot.h"

typedef struct body_pair {
  int32_t a, b;
} body_pair;

static bool is_pair(body_pair pair, double a, double b) {
  return (a == pair.a && b == pair.b) || (a == pair.b && b == pair.a);
}

/// The contacts and regions of the pair alone.
static ts_status take_details(ts_row_details *out, ts_arena *arena, const ts_row_details *all,
                              body_pair pair) {
  ts_contact_row *contacts = ts_arena_array(arena, all->contact_count, sizeof *contacts);
  ts_region_row *regions = ts_arena_array(arena, all->region_count, sizeof *regions);
  if (!contacts || !regions)
    return TS_E_MEMORY;
  *out = (ts_row_details){.contacts = contacts, .regions = regions};
  for (size_t i = 0; i < all->contact_count; i++)
    if (is_pair(pair, all->contacts[i].body_a, all->contacts[i].body_b))
      contacts[out->contact_count++] = all->contacts[i];
  for (size_t i = 0; i < all->region_count; i++)
    if (is_pair(pair, all->regions[i].body_a, all->regions[i].body_b))
      regions[out->region_count++] = all->regions[i];
  return TS_OK;
}

static int32_t renumber(body_pair pair, double body) {
  return body == pair.a ? 0 : 1;
}

static ts_status take_contacts(ts_snapshot *s, ts_arena *arena, body_pair pair) {
  ts_contact_row *contacts = ts_arena_copy(arena, s->contacts, s->contact_count, sizeof *contacts);
  if (!contacts)
    return TS_E_MEMORY;
  for (size_t i = 0; i < s->contact_count; i++) {
    contacts[i].body_a = renumber(pair, contacts[i].body_a);
    contacts[i].body_b = renumber(pair, contacts[i].body_b);
  }
  s->contacts = contacts;
  return TS_OK;
}

static ts_status take_regions(ts_snapshot *s, ts_arena *arena, body_pair pair) {
  ts_snapshot_region *regions = ts_arena_array(arena, s->region_count, sizeof *regions);
  ts_snapshot_unknown *unknown = ts_arena_array(arena, s->unknown_count, sizeof *unknown);
  size_t region_count = 0, unknown_count = 0;
  if (!regions || !unknown)
    return TS_E_MEMORY;
  for (size_t i = 0; i < s->region_count; i++)
    if (is_pair(pair, s->regions[i].body_a, s->regions[i].body_b)) {
      ts_snapshot_region *region = &regions[region_count++];
      *region = s->regions[i];
      region->body_a = renumber(pair, region->body_a);
      region->body_b = renumber(pair, region->body_b);
    }
  for (size_t i = 0; i < s->unknown_count; i++)
    if (is_pair(pair, s->unknown[i].body_a, s->unknown[i].body_b)) {
      unknown[unknown_count] = s->unknown[i];
      unknown[unknown_count].body_a = renumber(pair, s->unknown[i].body_a);
      unknown[unknown_count++].body_b = renumber(pair, s->unknown[i].body_b);
    }
  s->regions = regions;
  s->region_count = region_count;
  s->unknown = unknown;
  s->unknown_count = unknown_count;
  return TS_OK;
}

static ts_status take_bodies(ts_snapshot *s, ts_arena *arena, body_pair pair) {
  ts_snapshot_body *bodies = ts_arena_array(arena, 2, sizeof *bodies);
  if (!bodies)
    return TS_E_MEMORY;
  bodies[0] = s->bodies[pair.a];
  bodies[1] = s->bodies[pair.b];
  s->bodies = bodies;
  s->body_count = 2;
  return TS_OK;
}

ts_status ts_pair_snapshot_make(ts_snapshot *out, const char **out_why, ts_arena *arena,
                                const ts_snapshot *built, const ts_record *record,
                                const ts_row_details *details, int32_t body_a, int32_t body_b) {
  const body_pair pair = {body_a, body_b};
  ts_row_details of_pair;
  TS_TRY(take_details(&of_pair, arena, details, pair));
  ts_record record_of_pair = *record;
  record_of_pair.contacts_unique = (double)of_pair.contact_count;
  ts_row_snapshot row;
  TS_TRY(ts_row_snapshot_make(&row, out_why, arena, built, &record_of_pair, &of_pair));
  *out = row.snapshot;
  if (*out_why)
    return TS_OK;
  TS_TRY(take_contacts(out, arena, pair));
  TS_TRY(take_regions(out, arena, pair));
  return take_bodies(out, arena, pair);
}
