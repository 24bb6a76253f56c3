// SPDX-License-Identifier: MIT
#include "harness/narrow_phase/narrow_phase.h"

#include "base/hash.h"
#include "base/param.h"
#include "base/status.h"
#include "base/surroundings.h"
#include "geometry/mesh/mesh_offset.h"
#include "harness/controls/controls.h"
#include "harness/narrow_phase/candidates.h"
#include "harness/narrow_phase/input_check.h"
#include "harness/narrow_phase/modification.h"
#include "harness/narrow_phase/near_poses.h"
#include "methods/envelope.h"
#include "methods/method_state.h"

#include <stdlib.h>
#include <string.h>

/// Calls of generate() between two readings of the clock, where a scene has fewer pairs.
#define CALLS_PER_BLOCK 64

struct ts_narrow_phase {
  ts_cell_host host;
  const ts_scene *scene;
  const ts_method *method;
  const double *values;
  ts_reference reference;
  double *params; ///< lengths at the scene's scale
  ts_envelope envelope;
  ts_parts parts;
  ts_candidates candidates;
  const ts_pair *placed;  ///< [pair_count] of each place: candidates.pairs, or `near`
  ts_pair *near;          ///< room for ts_narrow_phase_places(); NULL: not needed so far
  double near_unit_m;     ///< ts_near_poses_unit_m
  bool renews_pairs;      ///< pairs are prepared anew in each pass
  bool keeps_state;       ///< the method does, with these parameters
  ts_contact_set current; ///< contacts of a pair that are not kept; its memory is reused
  ts_contact_set *kept;   ///< [kept_count], those of the last pass that kept them
  size_t kept_count;
  const ts_pair *kept_pairs; ///< [pair_count], where that pass was
  ts_modification modification;
  ts_contact_set *filling; ///< what push() adds to; NULL outside generate()
  ts_scoring_rule rule;
  uint32_t numbers_changed; ///< TS_CHANGED_*, by calls of the method so far
  /// Lifetimes: the phase; the shapes; the pairs at the current poses; those at the poses before;
  /// what the method keeps until release; one call.
  ts_arena *arena, *shaped, *posed, *posed_before, *prepared, *scratch;
  ts_arena_mark prepared_shapes; ///< end of what is kept for shapes
  uint64_t pairs_hash, params_hash, host_hash;
  const ts_scene *built; ///< as built: the truth of each later scene is derived from it
  uint64_t built_hash, truth_hash, shapes_hash;
};

static ts_narrow_phase *phase_of(const ts_host *host) {
  return ((const ts_cell_host *)host)->state;
}

static void *host_alloc(const ts_host *host, size_t bytes) {
  return ts_arena_alloc(phase_of(host)->prepared, bytes);
}

static void *host_scratch(const ts_host *host, size_t bytes) {
  return ts_arena_alloc(phase_of(host)->scratch, bytes);
}

static ts_status host_push(const ts_host *host, const ts_contact *contacts, size_t count) {
  ts_narrow_phase *phase = phase_of(host);
  if (!phase->filling)
    return ts_fail(TS_E_INPUT, "contacts were pushed outside generate(); push them only there");
  return ts_contact_set_push(phase->filling, contacts, count);
}

/// The same for a method of version 1 of the interface, whose contacts end before `group`.
static ts_status host_push_ungrouped(const ts_host *host, const ts_contact *contacts,
                                     size_t count) {
  const size_t stride = offsetof(ts_contact, group);
  ts_status status = TS_OK;
  for (size_t i = 0; i < count && status == TS_OK; i++) {
    ts_contact contact = {.group = 0};
    memcpy(&contact, (const char *)contacts + i * stride, stride);
    status = host_push(host, &contact, 1);
  }
  return status;
}

static ts_status host_fail(const ts_host *host, ts_status status, const char *message) {
  (void)host;
  return ts_fail(status, "%s", message ? message : ""); // "": method_status() says which function
}

/// Clears the detail line before calling the method, so that an old one is not attributed to it.
static void forget_detail(void) {
  (void)ts_fail(TS_OK, "%s", "");
}

void ts_narrow_phase_restore_numbers(ts_narrow_phase *phase) {
  phase->numbers_changed |= ts_surroundings_restore_numbers();
}

uint32_t ts_narrow_phase_numbers_changed(const ts_narrow_phase *phase) {
  return phase->numbers_changed;
}

/// The status of a call of the method, always with a detail line.
static ts_status method_status(ts_narrow_phase *phase, const char *what, ts_status status) {
  ts_arena_rewind(phase->scratch, (ts_arena_mark){NULL, 0});
  if (status == TS_OK)
    return TS_OK;
  ts_narrow_phase_restore_numbers(phase);
  // TS_E_IO is for what this machine lacks.
  ts_status kind = status > 0 ? TS_SKIPPED : status == TS_E_IO ? TS_E_INPUT : status;
  if (ts_status_detail()[0] != '\0')
    return kind;
  return ts_fail(kind, "%s() says: %s", what, ts_status_name(status));
}

static ts_status find_params(ts_narrow_phase *phase) {
  const ts_method *method = phase->method;
  phase->params = ts_arena_array(phase->arena, method->param_count, sizeof *phase->params);
  if (!phase->params)
    return TS_E_MEMORY;
  ts_param_scale_lengths(phase->params, method->params, method->param_count, phase->values,
                         phase->scene->scale);
  phase->keeps_state = ts_method_keeps_state(method, phase->params);
  if (!method->envelope)
    return TS_OK;
  TS_TRY(method_status(phase, "envelope", method->envelope(&phase->envelope, phase->params)));
  ts_narrow_phase_restore_numbers(phase);
  const ts_envelope *e = &phase->envelope;
  if (!isfinite(e->size_m) || e->size_m < 0 || !isfinite(e->reach_m) || e->reach_m < 0)
    return ts_fail(TS_E_INPUT,
                   "the envelope has size %g m and reach %g m; both must be finite and not below 0",
                   e->size_m, e->reach_m);
  return TS_OK;
}

static uint64_t hash_of_pairs(const ts_narrow_phase *phase) {
  const ts_candidates *c = &phase->candidates;
  return ts_hash_fast(TS_HASH_START, c->pairs, c->pair_count * sizeof *c->pairs);
}

static uint64_t hash_of_params(const ts_narrow_phase *phase) {
  size_t bytes = phase->method->param_count * sizeof *phase->params;
  return ts_hash_fast(TS_HASH_START, phase->params, bytes);
}

static uint64_t hash_of_host(const ts_narrow_phase *phase) {
  return ts_hash_fast(TS_HASH_START, &phase->host, sizeof phase->host);
}

/// Fails when the method has modified its input (by casting `const` away) or the scene (by a wild
/// write): its contacts would belong to other bodies, or be judged by another truth.
static ts_status check_inputs(const ts_narrow_phase *phase) {
  const char *what = NULL, *name = "";
  if (phase->pairs_hash != hash_of_pairs(phase))
    what = "the pair";
  if (phase->params_hash != hash_of_params(phase))
    what = "the parameters";
  if (phase->host_hash != hash_of_host(phase))
    what = "the host";
  size_t changed = ts_parts_changed(&phase->parts, phase->scene->shape_count);
  if (!what && changed < phase->scene->shape_count) {
    what = "the mesh of shape ";
    name = phase->scene->shapes[changed].name;
  }
  if (!what &&
      (phase->truth_hash != ts_input_hash_truth(phase->scene) ||
       (phase->built != phase->scene && phase->built_hash != ts_input_hash_truth(phase->built)) ||
       phase->shapes_hash != ts_input_hash_shapes(phase->scene)))
    return ts_fail(TS_E_INPUT, "the method wrote to memory that is not its own: the bodies, or the "
                               "truth that they are judged by, have changed; find the write with a "
                               "sanitizer or valgrind");
  return what ? ts_fail(TS_E_INPUT,
                        "the method wrote to its input, %s%s, which is read-only; work on a copy",
                        what, name)
              : TS_OK;
}

static ts_status find_pairs(ts_narrow_phase *phase) {
  TS_TRY(ts_candidates_find(&phase->candidates, phase->posed, phase->scene, &phase->parts,
                            phase->method, &phase->envelope));
  phase->truth_hash = ts_input_hash_truth(phase->scene);
  phase->placed = phase->candidates.pairs;
  phase->near = NULL;
  phase->near_unit_m = ts_near_poses_unit_m(phase->candidates.pairs, phase->candidates.pair_count);
  phase->pairs_hash = hash_of_pairs(phase);
  phase->host_hash = hash_of_host(phase); // the host's scene may have changed
  return TS_OK;
}

/// The shapes of the scene as the method wants them, and the pairs of its bodies.
static ts_status find_parts(ts_narrow_phase *phase) {
  TS_TRY(ts_parts_create(&phase->parts, phase->shaped, phase->scene, phase->method,
                         ts_method_takes(phase->method, phase->params), &phase->envelope));
  phase->shapes_hash = ts_input_hash_shapes(phase->built);
  TS_TRY(find_pairs(phase));
  phase->built_hash = phase->truth_hash; // the scene is as built
  return TS_OK;
}

static ts_status set_up(ts_narrow_phase *phase) {
  TS_TRY(ts_arena_create(&phase->arena));
  TS_TRY(ts_arena_create(&phase->shaped));
  TS_TRY(ts_arena_create(&phase->posed));
  TS_TRY(ts_arena_create(&phase->posed_before));
  TS_TRY(ts_arena_create(&phase->prepared));
  TS_TRY(ts_arena_create(&phase->scratch));
  phase->host =
      (ts_cell_host){.host = {.abi = TS_METHOD_ABI,
                              .struct_size = sizeof(ts_host),
                              .alloc = host_alloc,
                              .scratch = host_scratch,
                              .push = phase->method->abi == 1 ? host_push_ungrouped : host_push,
                              .fail = host_fail},
                     .scene = phase->scene,
                     .reference = phase->reference,
                     .scale = phase->scene->scale,
                     .state = phase};
  forget_detail();
  if (phase->method->needs & TS_NEEDS_GL)
    return ts_fail(TS_SKIPPED, "requires an OpenGL context, and touchstone has none for methods: "
                               "create one in the method, and do not declare TS_NEEDS_GL");
  TS_TRY(find_params(phase));
  phase->params_hash = hash_of_params(phase);
  return find_parts(phase);
}

ts_status ts_narrow_phase_create(ts_narrow_phase **out, const ts_scene *scene,
                                 const ts_method *method, const double *values,
                                 ts_reference reference) {
  ts_narrow_phase *phase = calloc(1, sizeof *phase);
  if (!phase)
    return ts_fail(TS_E_MEMORY, "out of memory");
  phase->scene = phase->built = scene;
  phase->method = method;
  phase->values = values;
  phase->reference = reference;
  ts_status status = set_up(phase);
  if (status != TS_OK) {
    ts_narrow_phase_destroy(phase);
    return status;
  }
  *out = phase;
  return TS_OK;
}

static void clear_sets(ts_contact_set *sets, size_t count) {
  for (size_t i = 0; sets && i < count; i++)
    ts_contact_set_clear(&sets[i]);
  free(sets);
}

static void clear_kept(ts_narrow_phase *phase) {
  clear_sets(phase->kept, phase->kept_count);
  phase->kept = NULL;
  phase->kept_count = 0;
  ts_modification_clear(&phase->modification);
}

void ts_narrow_phase_destroy(ts_narrow_phase *phase) {
  if (!phase)
    return;
  ts_narrow_phase_release(phase);
  ts_contact_set_clear(&phase->current);
  clear_kept(phase);
  ts_arena_destroy(phase->scratch);
  ts_arena_destroy(phase->prepared);
  ts_arena_destroy(phase->posed_before);
  ts_arena_destroy(phase->posed);
  ts_arena_destroy(phase->shaped);
  ts_arena_destroy(phase->arena);
  free(phase);
}

size_t ts_narrow_phase_pair_count(const ts_narrow_phase *phase) {
  return phase->candidates.count;
}

const ts_method *ts_narrow_phase_method(const ts_narrow_phase *phase) {
  return phase->method;
}

ts_envelope ts_narrow_phase_envelope(const ts_narrow_phase *phase) {
  return phase->envelope;
}

/// Meshes of more triangles than these are not searched: their vertices move alike.
#define SEARCHED_TRIANGLES_MAX 4096

/// By how much the envelope has moved the surface of a body along `outward` near a point.
static double moved_out_m(const ts_narrow_phase *phase, int32_t body, ts_vec3 point,
                          ts_vec3 outward) {
  double offset_m = ts_envelope_offset_m(&phase->envelope);
  const ts_body *b = &phase->scene->bodies[body];
  const ts_part *part = &phase->parts.items[phase->parts.first[b->shape]];
  const ts_mesh *designed = phase->scene->shapes[b->shape].mesh;
  if (offset_m == 0 || part->is_piece || designed->triangle_count > SEARCHED_TRIANGLES_MAX)
    return offset_m;
  double moved_m =
      ts_mesh_offset_along(designed, part->mesh, ts_pose_point_local(b->pose, point),
                           ts_quat_rotate(ts_quat_conjugate(b->pose.rotation), outward));
  return isnan(moved_m) ? offset_m : moved_m;
}

double ts_narrow_phase_added_overlap_m(const ts_narrow_phase *phase, const ts_contact_set *set,
                                       size_t contact) {
  const ts_contact *c = &set->contacts[contact];
  return moved_out_m(phase, set->body_a, c->point, c->normal) +
         moved_out_m(phase, set->body_b, c->point, ts_vec3_neg(c->normal));
}

void ts_narrow_phase_set_rule(ts_narrow_phase *phase, ts_scoring_rule rule) {
  phase->rule = rule;
}

void ts_narrow_phase_set_modifiers(ts_narrow_phase *phase, const ts_modifier_chain *chain) {
  phase->modification.chain = chain;
}

const ts_contact_set *ts_narrow_phase_unmodified(const ts_narrow_phase *phase) {
  return phase->modification.before;
}

double ts_narrow_phase_modify_ns(ts_narrow_phase *phase) {
  return ts_modification_ns(&phase->modification);
}

int64_t ts_narrow_phase_pairing_ns(const ts_narrow_phase *phase) {
  return phase->candidates.pairing_ns;
}

bool ts_narrow_phase_keeps_state(const ts_narrow_phase *phase) {
  return phase->keeps_state;
}

bool ts_narrow_phase_has_preparation(const ts_narrow_phase *phase) {
  return phase->method->prepare_shape || phase->method->prepare_pair;
}

static const void *state_of_part(const ts_narrow_phase *phase, size_t part) {
  return phase->parts.items[part].state;
}

/// Prepares the parts in use that are not prepared yet.
static ts_status prepare_shapes(ts_narrow_phase *phase) {
  const ts_method *method = phase->method;
  for (size_t i = 0; method->prepare_shape && i < phase->parts.count; i++) {
    ts_part *part = &phase->parts.items[i];
    if (!part->is_used || part->is_prepared)
      continue;
    TS_TRY(method_status(
        phase, "prepare_shape",
        method->prepare_shape(&part->state, &phase->host.host, part->mesh, phase->params)));
    part->is_prepared = true;
  }
  phase->prepared_shapes = ts_arena_get_mark(phase->prepared);
  return TS_OK;
}

/// Says which pair of a scene the method cannot do.
static ts_status name_bodies(const ts_narrow_phase *phase, const ts_pair *pair, ts_status status) {
  const ts_body *bodies = phase->scene->bodies;
  const char *detail = ts_arena_format(phase->posed, "%s", ts_status_detail());
  return detail ? ts_fail(status, "bodies %s and %s: %s", bodies[pair->body_a].name,
                          bodies[pair->body_b].name, detail)
                : TS_E_MEMORY;
}

/// Prepares the pairs [pair_count] that are not prepared yet, at their poses.
static ts_status prepare_pairs(ts_narrow_phase *phase, const ts_pair *pairs) {
  const ts_method *method = phase->method;
  const ts_candidates *c = &phase->candidates;
  for (size_t i = 0; method->prepare_pair && i < c->pair_count; i++) {
    ts_part_pair *parts = &c->part_pairs[i];
    if (parts->is_prepared)
      continue;
    ts_status status =
        method_status(phase, "prepare_pair",
                      method->prepare_pair(&parts->state, &phase->host.host, &pairs[i],
                                           state_of_part(phase, parts->part_a),
                                           state_of_part(phase, parts->part_b), phase->params));
    if (status != TS_OK)
      return name_bodies(phase, &pairs[i], status);
    parts->is_prepared = true;
  }
  return TS_OK;
}

ts_status ts_narrow_phase_prepare(ts_narrow_phase *phase) {
  forget_detail();
  TS_TRY(prepare_shapes(phase));
  TS_TRY(prepare_pairs(phase, phase->candidates.pairs));
  ts_narrow_phase_restore_numbers(phase);
  return TS_OK;
}

/// Releases one prepared state.
static void release_state(void (*release)(void *), void **state) {
  if (release && *state)
    release(*state);
  *state = NULL;
}

static void release_pair(const ts_narrow_phase *phase, ts_part_pair *pair) {
  release_state(phase->method->release_pair, &pair->state);
  pair->is_prepared = false;
}

static void release_pairs(ts_narrow_phase *phase) {
  for (size_t i = 0; i < phase->candidates.pair_count; i++)
    release_pair(phase, &phase->candidates.part_pairs[i]);
}

void ts_narrow_phase_release(ts_narrow_phase *phase) {
  release_pairs(phase);
  for (size_t i = 0; i < phase->parts.count; i++) {
    release_state(phase->method->release_shape, &phase->parts.items[i].state);
    phase->parts.items[i].is_prepared = false;
  }
  if (phase->prepared)
    ts_arena_rewind(phase->prepared, (ts_arena_mark){NULL, 0});
  ts_narrow_phase_restore_numbers(phase);
}

/// Forgets the pairs; with `before`, they and their states go there, and the memory of states is
/// not used again, since others lie behind it.
static void forget_pairs(ts_narrow_phase *phase, ts_candidates *before) {
  if (before) {
    ts_arena *posed = phase->posed;
    phase->posed = phase->posed_before;
    phase->posed_before = posed;
    *before = phase->candidates;
  } else {
    release_pairs(phase);
    ts_arena_rewind(phase->prepared, phase->prepared_shapes);
  }
  phase->candidates = (ts_candidates){.count = 0};
  ts_arena_rewind(phase->posed, (ts_arena_mark){NULL, 0});
}

/// Compares pairs of parts by their place in the order of candidates: by bodies, then by parts.
static int compare_places(const ts_candidates *a, size_t i, const ts_candidates *b, size_t k) {
  const ts_pair *p = &a->pairs[i], *q = &b->pairs[k];
  const ts_part_pair *s = &a->part_pairs[i], *t = &b->part_pairs[k];
  bool is_turned = p->body_a > p->body_b; // all of a scene, or none
  size_t first[4] = {(size_t)(is_turned ? p->body_b : p->body_a),
                     (size_t)(is_turned ? p->body_a : p->body_b), s->part_a, s->part_b};
  size_t second[4] = {(size_t)(is_turned ? q->body_b : q->body_a),
                      (size_t)(is_turned ? q->body_a : q->body_b), t->part_a, t->part_b};
  for (int n = 0; n < 4; n++)
    if (first[n] != second[n])
      return first[n] < second[n] ? -1 : 1;
  return 0;
}

/// Takes over the states of the pairs that still are candidates, and releases the others.
static void take_states(ts_narrow_phase *phase, const ts_candidates *before) {
  ts_candidates *now = &phase->candidates;
  for (size_t i = 0, k = 0; i < before->pair_count; i++) {
    ts_part_pair *old = &before->part_pairs[i];
    while (k < now->pair_count && compare_places(now, k, before, i) < 0)
      k++;
    if (k < now->pair_count && compare_places(now, k, before, i) == 0)
      now->part_pairs[k] = *old;
    else
      release_pair(phase, old);
  }
}

ts_status ts_narrow_phase_move(ts_narrow_phase *phase, const ts_scene *scene) {
  ts_candidates before = {.count = 0};
  forget_detail();
  forget_pairs(phase, phase->keeps_state ? &before : NULL);
  clear_kept(phase);
  phase->renews_pairs = false;
  phase->scene = phase->host.scene = scene;
  ts_status status = find_pairs(phase);
  if (status != TS_OK)
    phase->candidates = (ts_candidates){.count = 0}; // no pair takes a state
  take_states(phase, &before);
  return status == TS_OK ? ts_narrow_phase_prepare(phase) : status;
}

ts_status ts_narrow_phase_reshape(ts_narrow_phase *phase, const ts_scene *scene) {
  forget_detail();
  ts_narrow_phase_release(phase);
  phase->candidates = (ts_candidates){.count = 0};
  phase->parts = (ts_parts){.count = 0};
  clear_kept(phase);
  ts_arena_rewind(phase->posed, (ts_arena_mark){NULL, 0});
  ts_arena_rewind(phase->shaped, (ts_arena_mark){NULL, 0});
  phase->renews_pairs = false;
  phase->scene = phase->built = phase->host.scene = scene;
  return find_parts(phase);
}

ts_status ts_narrow_phase_twin(ts_narrow_phase **out, const ts_narrow_phase *phase,
                               const ts_scene *scene) {
  TS_TRY(ts_narrow_phase_create(out, scene, phase->method, phase->values, phase->reference));
  ts_narrow_phase_set_rule(*out, phase->rule);
  ts_narrow_phase_set_modifiers(*out, phase->modification.chain);
  return TS_OK;
}

/// Features of a piece refer to its own mesh, not to that of the body, and are therefore dropped.
static void forget_pieces(ts_contact_set *set, size_t from, bool a_is_piece, bool b_is_piece) {
  const ts_feature none = {TS_FEATURE_NONE, 0};
  for (size_t i = from; i < set->count; i++) {
    ts_contact *c = &set->contacts[i];
    c->feature_a = a_is_piece ? none : c->feature_a;
    c->feature_b = b_is_piece ? none : c->feature_b;
  }
}

/// Adds the contacts of a pair of parts, placed as in `pair`, to `filling`, as delivered by the
/// method.
static ts_status generate_part(ts_narrow_phase *phase, size_t index, const ts_pair *pair) {
  const ts_part_pair *parts = &phase->candidates.part_pairs[index];
  size_t before = phase->filling->count;
  ts_status status =
      phase->method->generate(&phase->host.host, pair, state_of_part(phase, parts->part_a),
                              state_of_part(phase, parts->part_b), parts->state, phase->params);
  const ts_part *a = &phase->parts.items[parts->part_a], *b = &phase->parts.items[parts->part_b];
  if (a->is_piece || b->is_piece)
    forget_pieces(phase->filling, before, a->is_piece, b->is_piece);
  return method_status(phase, "generate", status);
}

/// Sets `set` to the contacts of a candidate whose parts are placed as in `pairs` [pair_count].
static ts_status generate(ts_narrow_phase *phase, ts_contact_set *set,
                          const ts_candidate *candidate, const ts_pair *pairs) {
  set->body_a = candidate->body_a;
  set->body_b = candidate->body_b;
  set->count = set->delivered = 0;
  phase->filling = set;
  ts_status status = TS_OK;
  for (size_t i = candidate->first; status == TS_OK && i < candidate->first + candidate->count; i++)
    status = generate_part(phase, i, &pairs[i]);
  phase->filling = NULL;
  return status;
}

/// Flips the contacts of a pair that the method was given with the later body first.
static void turn_round(ts_contact_set *set) {
  for (size_t i = 0; i < set->count; i++) {
    ts_contact *c = &set->contacts[i];
    c->normal = ts_vec3_sub((ts_vec3){0, 0, 0}, c->normal); // subtraction avoids negative zeros
    ts_feature feature = c->feature_a;
    c->feature_a = c->feature_b;
    c->feature_b = feature;
  }
}

/// Makes a set canonical. The published rule depends on the order in which the method was given the
/// bodies.
static ts_status make_canonical(const ts_narrow_phase *phase, ts_contact_set *set,
                                const ts_candidate *candidate) {
  if (phase->rule == TS_RULE_PUBLISHED)
    ts_contact_set_canonicalise_prox(set);
  if (candidate->is_turned)
    turn_round(set);
  return phase->rule == TS_RULE_PUBLISHED ? TS_OK
                                          : ts_contact_set_canonicalise(set, candidate->size_m);
}

size_t ts_narrow_phase_places(const ts_narrow_phase *phase) {
  size_t pairs = phase->candidates.pair_count;
  return pairs == 0 || pairs > CALLS_PER_BLOCK ? 1 : CALLS_PER_BLOCK / pairs;
}

ts_status ts_narrow_phase_place(ts_narrow_phase *phase, uint64_t first, size_t count) {
  const ts_candidates *c = &phase->candidates;
  if (first == 0 && count == 1) {
    phase->placed = c->pairs;
    return TS_OK;
  }
  if (!phase->near)
    phase->near = ts_arena_array(phase->posed, ts_narrow_phase_places(phase) * c->pair_count,
                                 sizeof *c->pairs);
  if (!phase->near)
    return TS_E_MEMORY;
  for (size_t i = 0; i < count; i++)
    ts_near_poses(phase->near + i * c->pair_count, c->pairs, c->pair_count, phase->near_unit_m,
                  first + i);
  phase->placed = phase->near;
  return TS_OK;
}

void ts_narrow_phase_renew_pairs(ts_narrow_phase *phase, bool renews) {
  phase->renews_pairs = renews;
}

/// Prepares all pairs [pair_count] anew.
static ts_status prepare_anew(ts_narrow_phase *phase, const ts_pair *pairs) {
  release_pairs(phase);
  ts_arena_rewind(phase->prepared, phase->prepared_shapes);
  return prepare_pairs(phase, pairs);
}

ts_status ts_narrow_phase_prepare_pairs_at(ts_narrow_phase *phase, uint64_t number) {
  TS_TRY(ts_narrow_phase_place(phase, number, 1));
  forget_detail();
  TS_TRY(prepare_anew(phase, phase->placed));
  ts_narrow_phase_restore_numbers(phase);
  return ts_narrow_phase_place(phase, 0, 1);
}

ts_status ts_narrow_phase_pass(ts_narrow_phase *phase, size_t place, bool keeps) {
  const ts_candidates *c = &phase->candidates;
  const ts_pair *pairs = phase->placed + place * c->pair_count;
  forget_detail();
  if (keeps && !phase->kept) {
    phase->kept = calloc(c->count + 1, sizeof *phase->kept); // not of 0 bytes
    if (!phase->kept)
      return TS_E_MEMORY;
    phase->kept_count = c->count;
  }
  if (keeps)
    phase->kept_pairs = pairs;
  if (phase->renews_pairs)
    TS_TRY(prepare_anew(phase, pairs));
  for (size_t i = 0; i < c->count; i++)
    TS_TRY(generate(phase, keeps ? &phase->kept[i] : &phase->current, &c->items[i], pairs));
  return TS_OK;
}

/// Makes the sets [candidates.count] of a pass at `pairs` what it delivers: canonical, and
/// modified.
static ts_status finish(ts_narrow_phase *phase, ts_contact_set *sets, const ts_pair *pairs) {
  const ts_candidates *c = &phase->candidates;
  for (size_t i = 0; i < c->count; i++)
    TS_TRY(make_canonical(phase, &sets[i], &c->items[i]));
  ts_status status = ts_modification_apply(&phase->modification, sets, c, pairs, pairs == c->pairs,
                                           phase->scene, phase->scratch);
  ts_narrow_phase_restore_numbers(phase);
  return status;
}

/// The same of those of the last pass that kept them.
static ts_status finish_kept(ts_narrow_phase *phase) {
  return finish(phase, phase->kept, phase->kept_pairs);
}

ts_status ts_narrow_phase_kept_hash(uint64_t *out, ts_narrow_phase *phase) {
  ts_narrow_phase_restore_numbers(phase);
  TS_TRY(finish_kept(phase));
  *out = ts_contact_sets_hash(phase->kept, phase->kept_count);
  return TS_OK;
}

/// Copies the sets that are kept.
static ts_status copy_kept(ts_contact_set **out, const ts_narrow_phase *phase, ts_arena *arena) {
  ts_contact_set *sets = ts_arena_copy(arena, phase->kept, phase->kept_count, sizeof *sets);
  if (!sets)
    return TS_E_MEMORY;
  for (size_t i = 0; i < phase->kept_count; i++) {
    sets[i].capacity = sets[i].count;
    sets[i].contacts =
        ts_arena_copy(arena, sets[i].contacts, sets[i].count, sizeof *sets[i].contacts);
    if (!sets[i].contacts)
      return TS_E_MEMORY;
  }
  *out = sets;
  return TS_OK;
}

/// A pass at place 0 that keeps its contacts, as delivered.
static ts_status pass_checked(ts_narrow_phase *phase) {
  TS_TRY(check_inputs(phase)); // after the earlier passes, because the next one could undo their
                               // changes
  TS_TRY(ts_narrow_phase_pass(phase, 0, true));
  ts_narrow_phase_restore_numbers(phase);
  return TS_OK;
}

ts_status ts_narrow_phase_collect(ts_contact_set **out, ts_narrow_phase *phase, ts_arena *arena) {
  TS_TRY(pass_checked(phase));
  TS_TRY(finish_kept(phase));
  TS_TRY(copy_kept(out, phase, arena));
  return check_inputs(phase);
}

/// Whether two lists of sets [count] are the same, as delivered, bit for bit.
static bool are_delivered_alike(const ts_contact_set *a, const ts_contact_set *b, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (a[i].count != b[i].count ||
        (a[i].count > 0 &&
         memcmp(a[i].contacts, b[i].contacts, a[i].count * sizeof *a[i].contacts) != 0))
      return false;
  return true;
}

/// As ts_narrow_phase_collect_again(), with the sets [count] of the pass before.
static ts_status collect_beside(ts_contact_set **out, uint64_t out_hashes[2],
                                ts_narrow_phase *phase, ts_arena *arena, ts_contact_set *before,
                                const ts_pair *before_pairs) {
  TS_TRY(pass_checked(phase));
  // What a modifier makes of them is compared, too.
  bool is_alike = !ts_modification_is_any(&phase->modification) &&
                  are_delivered_alike(before, phase->kept, phase->kept_count);
  if (!is_alike)
    TS_TRY(finish(phase, before, before_pairs));
  TS_TRY(finish_kept(phase));
  TS_TRY(copy_kept(out, phase, arena));
  out_hashes[1] = ts_contact_sets_hash(*out, phase->kept_count);
  out_hashes[0] = is_alike ? out_hashes[1] : ts_contact_sets_hash(before, phase->kept_count);
  return check_inputs(phase);
}

ts_status ts_narrow_phase_collect_again(ts_contact_set **out, uint64_t out_hashes[2],
                                        ts_narrow_phase *phase, ts_arena *arena) {
  ts_narrow_phase_restore_numbers(phase);
  ts_contact_set *before = phase->kept;
  size_t count = phase->kept_count;
  phase->kept = NULL;
  ts_status status = collect_beside(out, out_hashes, phase, arena, before, phase->kept_pairs);
  clear_sets(before, count);
  return status;
}

uint64_t ts_contact_sets_hash(const ts_contact_set *sets, size_t count) {
  uint64_t hash = TS_HASH_START;
  for (size_t i = 0; i < count; i++)
    if (sets[i].count > 0)
      hash = ts_contact_set_hash(hash, &sets[i]);
  return hash;
}
