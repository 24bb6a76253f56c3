// SPDX-License-Identifier: MIT
#include "harness/relations/relate_look.h"

#include "base/status.h"
#include "geometry/tolerances.h"
#include "harness/picture/cell_snapshot.h"
#include "harness/picture/picture.h"
#include "harness/plan/exits.h"
#include "harness/run/cell_state.h"
#include "harness/run/kept_files.h"
#include "reports/export/gltf.h"
#include "reports/rows/outcome.h"

#include <stdlib.h>

/// Contacts on the scene as built, and what is shown of them.
typedef struct view {
  ts_scene_contacts contacts;
  ts_cell_state state;
  ts_snapshot snapshot;
} view;

typedef struct looking {
  ts_arena *arena;
  const ts_relate_look *look;
  ts_relation_source source;
  view original, variant;
  size_t worst; ///< the variant shown
  ts_relation_difference difference;
} looking;

static int compare_sets(const void *left, const void *right) {
  const ts_contact_set *l = left, *r = right;
  if (l->body_a != r->body_a)
    return l->body_a < r->body_a ? -1 : 1;
  return (l->body_b > r->body_b) - (l->body_b < r->body_b);
}

/// Contacts of a variant as canonical sets of the scene.
static ts_status bring_back(ts_scene_contacts *out, looking *l, const ts_variant *variant,
                            ts_scene_contacts seen) {
  const ts_scene *scene = l->source.scene;
  *out = (ts_scene_contacts){ts_arena_array(l->arena, seen.count, sizeof *out->sets), seen.count};
  if (!out->sets)
    return TS_E_MEMORY;
  for (size_t i = 0; i < seen.count; i++) {
    const ts_contact_set *back = ts_variant_back(l->arena, variant, &seen.sets[i]);
    if (!back)
      return TS_E_MEMORY;
    out->sets[i] = *back;
    TS_TRY(ts_contact_set_canonicalise(
        &out->sets[i], ts_pair_size_m(&scene->shapes[scene->bodies[back->body_a].shape],
                                      &scene->shapes[scene->bodies[back->body_b].shape])));
  }
  if (out->count > 1)
    qsort(out->sets, out->count, sizeof *out->sets, compare_sets);
  return TS_OK;
}

/// Finds the variant that differs the most.
static ts_status find_worst(looking *l) {
  const ts_cell *cell = l->look->cell;
  const ts_relation *relation = &ts_relations[l->look->relation];
  for (size_t i = 0; i < relation->variant_count; i++) {
    ts_variant variant;
    ts_scene_contacts seen;
    ts_relation_difference found;
    TS_TRY(ts_relation_make(&variant, l->arena, relation, &l->source, i));
    TS_TRY(ts_relate_contacts(&seen, l->arena, variant.scene, cell->method, cell->method_values));
    TS_TRY(ts_relation_difference_find(&found, l->arena, l->source.scene, l->original.contacts,
                                       seen, &variant));
    if (i > 0 && !(ts_relation_distance(&found) > ts_relation_distance(&l->difference)))
      continue;
    l->worst = i;
    l->difference = found;
    TS_TRY(bring_back(&l->variant.contacts, l, &variant, seen));
  }
  return TS_OK;
}

static ts_status show(view *v, looking *l, ts_envelope envelope) {
  ts_cell_state_begin(&v->state, l->look->cell, 0);
  ts_cell_state_set_bodies(&v->state, l->source.scene, envelope);
  ts_cell_state_set_contacts(&v->state, v->contacts.sets, v->contacts.count);
  TS_TRY(ts_cell_state_score(&v->state, l->arena, l->source.scene, envelope,
                             ts_cell_scoring(l->look->cell), true));
  return ts_snapshot_of_state(&v->snapshot, l->arena, &v->state);
}

static ts_status find_envelope(ts_envelope *out, looking *l) {
  ts_narrow_phase *phase;
  TS_TRY(ts_cell_narrow_phase(&phase, l->look->cell, l->source.scene));
  *out = ts_narrow_phase_envelope(phase);
  ts_narrow_phase_destroy(phase);
  return TS_OK;
}

static ts_status look(looking *l) {
  const ts_cell *cell = l->look->cell;
  ts_scene *scene;
  ts_envelope envelope;
  TS_TRY(ts_case_build(&scene, l->arena, cell->c, cell->case_values));
  l->source = (ts_relation_source){cell->c, cell->case_values, scene};
  TS_TRY(ts_relate_contacts(&l->original.contacts, l->arena, scene, cell->method,
                            cell->method_values));
  TS_TRY(find_worst(l));
  TS_TRY(find_envelope(&envelope, l));
  TS_TRY(show(&l->original, l, envelope));
  return show(&l->variant, l, envelope);
}

// ---- the files ---------------------------------------------------------------------------------

typedef struct picture {
  const char *name;
  size_t view; ///< offset in `looking`
  ts_status (*write)(FILE *file, ts_arena *arena, const ts_snapshot *snapshot);
} picture;

static ts_status write_gltf(FILE *file, ts_arena *arena, const ts_snapshot *snapshot) {
  (void)arena;
  return ts_gltf_write(file, snapshot);
}

static const picture pictures[] = {
    {"original.svg", offsetof(looking, original), ts_picture_write},
    {"original.gltf", offsetof(looking, original), write_gltf},
    {"variant.svg", offsetof(looking, variant), ts_picture_write},
    {"variant.gltf", offsetof(looking, variant), write_gltf},
};
#define PICTURE_COUNT (sizeof pictures / sizeof *pictures)

typedef struct picture_of {
  const picture *picture;
  looking *looking;
} picture_of;

static ts_status write_picture(FILE *file, void *context) {
  const picture_of *p = context;
  const view *v = (const view *)(const void *)((const char *)p->looking + p->picture->view);
  return p->picture->write(file, p->looking->arena, &v->snapshot);
}

/// Contacts of a pair, the first few.
static void print_contacts(FILE *file, const char *of, const ts_scene_contacts *in, int32_t a,
                           int32_t b) {
  enum { SHOWN = 8 };
  for (size_t i = 0; i < in->count; i++) {
    const ts_contact_set *set = &in->sets[i];
    if (set->body_a != a || set->body_b != b)
      continue;
    for (size_t k = 0; k < set->count && k < SHOWN; k++) {
      const ts_contact *c = &set->contacts[k];
      fprintf(file, "  %-8s  point %.6g, %.6g, %.6g  normal %.6g, %.6g, %.6g  gap %.3g m\n", of,
              c->point.x, c->point.y, c->point.z, c->normal.x, c->normal.y, c->normal.z, c->gap_m);
    }
    if (set->count > SHOWN)
      fprintf(file, "  %-8s  and %zu more\n", of, set->count - SHOWN);
  }
}

static ts_status write_summary(FILE *file, void *context) {
  const looking *l = context;
  const ts_relation_difference *d = &l->difference;
  const ts_body *bodies = l->source.scene->bodies;
  fprintf(file, "%s by %s, variant %zu of %s: %zu of %zu pairs differ\n", l->look->cell->c->name,
          l->look->cell->method->name, l->worst, ts_relations[l->look->relation].name,
          d->pairs_differ, d->pairs);
  if (d->pairs_differ > 0) {
    fprintf(file, "%s and %s (bodies %d and %d) the most, by %.3g:\n", bodies[d->worst_a].name,
            bodies[d->worst_b].name, d->worst_a, d->worst_b, ts_relation_distance(d));
    print_contacts(file, "original", &l->original.contacts, d->worst_a, d->worst_b);
    print_contacts(file, "variant", &l->variant.contacts, d->worst_a, d->worst_b);
  }
  for (size_t i = 0; i < PICTURE_COUNT; i++)
    fprintf(file, "  %s\n", pictures[i].name);
  fprintf(file, "contacts of the variant are shown where they are on the scene as built: %s\n",
          l->look->folder);
  return TS_OK;
}

static ts_status make_files(ts_made_files *out, void *context) {
  looking *l = context;
  TS_TRY(look(l));
  *out = (ts_made_files){.items = ts_arena_array(l->arena, PICTURE_COUNT + 1, sizeof *out->items)};
  if (!out->items)
    return TS_E_MEMORY;
  for (size_t i = 0; i < PICTURE_COUNT; i++)
    TS_TRY(ts_made_files_add(out, l->arena, pictures[i].name, write_picture,
                             &(picture_of){&pictures[i], l}));
  return ts_made_files_add(out, l->arena, "summary", write_summary, l);
}

ts_status ts_relate_look_write(int *out_exit, ts_arena *arena, const ts_relate_look *look) {
  looking l = {.arena = arena, .look = look};
  const ts_kept_files_job job = {.make = make_files,
                                 .context = &l,
                                 .case_name = look->cell->c->name,
                                 .method = look->cell->method->name,
                                 .limits = look->limits};
  ts_kept_files made;
  TS_TRY(ts_kept_files_make(&made, arena, &job));
  if (made.outcome == TS_OUTCOME_OK)
    return ts_made_files_write(&made.files, &(ts_earlier_files){.count = 0}, arena, look->folder);
  fprintf(stderr, "touchstone: %s on %s %s: %s; nothing is written\n", job.method, job.case_name,
          ts_outcomes[made.outcome].words, made.reason);
  *out_exit = TS_EXIT_BAD_CELLS;
  return TS_OK;
}
