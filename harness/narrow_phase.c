#include "harness/narrow_phase.h"

#include "base/clock.h"
#include "base/hash.h"
#include "base/param.h"
#include "base/status.h"
#include "cases/shape_state.h"
#include "geometry/broad_phase.h"
#include "geometry/tolerances.h"
#include "harness/controls/controls.h"

#include <stdlib.h>
#include <string.h>

struct ts_narrow_phase {
  ts_cell_host host;
  const ts_scene *scene;
  const ts_method *method;
  double *params; ///< lengths at the scene's scale
  ts_envelope envelope;
  ts_shape *shapes; ///< [scene->shape_count], in the envelope's state
  size_t pair_count;
  ts_pair *pairs;
  int64_t pairing_ns;
  void **shape_states;    ///< [scene->shape_count]; NULL: not prepared
  void **pair_states;     ///< [pair_count]; NULL: not prepared
  bool *shape_used;       ///< [scene->shape_count]
  bool *shape_prepared;   ///< [scene->shape_count]
  ts_contact_set current; ///< contacts of the pair at hand, its memory reused
  bool is_generating;
  ts_scoring_rule rule;
  /// Of the phase; of the pairs at these poses; of what the method keeps until release; of one
  /// call.
  ts_arena *arena, *posed, *kept, *scratch;
  ts_arena_mark kept_of_shapes; ///< behind what the shapes keep
};

static ts_narrow_phase *phase_of(const ts_host *host) {
  return ((const ts_cell_host *)host)->state;
}

static void *host_alloc(const ts_host *host, size_t bytes) {
  return ts_arena_alloc(phase_of(host)->kept, bytes);
}

static void *host_scratch(const ts_host *host, size_t bytes) {
  return ts_arena_alloc(phase_of(host)->scratch, bytes);
}

static ts_status host_push(const ts_host *host, const ts_contact *contacts, size_t count) {
  ts_narrow_phase *phase = phase_of(host);
  if (!phase->is_generating)
    return ts_fail(TS_E_INPUT, "contacts were pushed outside of generate(); push them there");
  return ts_contact_set_push(&phase->current, contacts, count);
}

static ts_status host_fail(const ts_host *host, ts_status status, const char *message) {
  (void)host;
  return ts_fail(status, "%s", message);
}

/// Before calls of the method: a detail line from before must not be taken for the method's.
static void forget_detail(void) {
  (void)ts_fail(TS_OK, "%s", "");
}

/// What came of a call of the method, with a detail line in any case.
static ts_status method_status(const ts_narrow_phase *phase, const char *what, ts_status status) {
  ts_arena_rewind(phase->scratch, (ts_arena_mark){NULL, 0});
  if (status == TS_OK)
    return TS_OK;
  ts_status kind = status > 0 ? TS_SKIPPED : status;
  if (ts_status_detail()[0] != '\0')
    return kind;
  return ts_fail(kind, "%s() says: %s", what, ts_status_name(status));
}

/// Whether no neighbour of any face rises above it.
static bool mesh_is_convex(const ts_mesh *mesh, double size_m) {
  for (size_t h = 0; h < 3 * mesh->triangle_count; h++) {
    uint32_t twin = mesh->edge_twin[h];
    const uint32_t *t = mesh->triangles[h / 3];
    ts_vec3 opposite = mesh->vertices[mesh->triangles[twin / 3][(twin % 3 + 2) % 3]];
    ts_vec3 from_face = ts_vec3_sub(opposite, mesh->vertices[t[0]]);
    double height = ts_vec3_dot(ts_mesh_face_normal(mesh, h / 3), from_face);
    if (height > TS_TOUCH_RELATIVE * size_m)
      return false;
  }
  return true;
}

static ts_status check_needs(const ts_scene *scene, const ts_method *method) {
  if (method->needs & TS_NEEDS_GL)
    return ts_fail(TS_SKIPPED, "needs OpenGL, which this build does not have");
  for (size_t i = 0; i < scene->shape_count; i++) {
    const ts_shape *shape = &scene->shapes[i];
    if ((method->needs & TS_NEEDS_CONVEX) &&
        !mesh_is_convex(shape->mesh, ts_aabb_extent(shape->bounds_local)))
      return ts_fail(TS_SKIPPED, "needs convex bodies, and shape %s is not", shape->name);
  }
  return TS_OK;
}

static ts_status find_params(ts_narrow_phase *phase, const double *values) {
  const ts_method *method = phase->method;
  phase->params = ts_arena_array(phase->arena, method->param_count, sizeof *phase->params);
  if (!phase->params)
    return TS_E_MEMORY;
  ts_param_scale_lengths(phase->params, method->params, method->param_count, values,
                         phase->scene->scale);
  if (!method->envelope)
    return TS_OK;
  TS_TRY(method_status(phase, "envelope", method->envelope(&phase->envelope, phase->params)));
  const ts_envelope *e = &phase->envelope;
  if (!isfinite(e->size_m) || e->size_m < 0 || !isfinite(e->reach_m) || e->reach_m < 0)
    return ts_fail(TS_E_INPUT,
                   "the envelope has size %g m and reach %g m; give finite ones, not "
                   "below 0",
                   e->size_m, e->reach_m);
  return TS_OK;
}

/// Puts every shape in the state that the method wants, once for all bodies that have it.
static ts_status put_shapes_in_state(ts_narrow_phase *phase) {
  const ts_scene *scene = phase->scene;
  const ts_envelope *e = &phase->envelope;
  phase->shapes = ts_arena_array(phase->arena, scene->shape_count, sizeof *phase->shapes);
  if (!phase->shapes)
    return TS_E_MEMORY;
  double offset_m = e->kind == TS_ENVELOPE_DILATED  ? e->size_m
                    : e->kind == TS_ENVELOPE_ERODED ? -e->size_m
                                                    : 0;
  ts_shape_state state = {.offset_m = offset_m,
                          .moves_faces = e->mode == TS_ENVELOPE_FACES,
                          .needs_tets = (phase->method->needs & TS_NEEDS_TETS) != 0};
  for (size_t i = 0; i < scene->shape_count; i++) {
    const ts_mesh *mesh;
    TS_TRY(ts_shape_state_mesh(&mesh, phase->arena, scene, i, &state));
    phase->shapes[i] = scene->shapes[i];
    phase->shapes[i].mesh = mesh;
    phase->shapes[i].bounds_local = ts_mesh_bounds(mesh);
  }
  return TS_OK;
}

static ts_pair make_pair(const ts_narrow_phase *phase, ts_body_pair candidate) {
  const ts_scene *scene = phase->scene;
  int32_t first = candidate.body_a, second = candidate.body_b;
  if (scene->later_body_first && (phase->method->needs & TS_NEEDS_TETS)) {
    first = candidate.body_b;
    second = candidate.body_a;
  }
  const ts_body *a = &scene->bodies[first], *b = &scene->bodies[second];
  return (ts_pair){.struct_size = sizeof(ts_pair),
                   .body_a = first,
                   .body_b = second,
                   .mesh_a = phase->shapes[a->shape].mesh,
                   .mesh_b = phase->shapes[b->shape].mesh,
                   .pose_a = a->pose,
                   .pose_b = b->pose,
                   .twist_a = a->twist,
                   .twist_b = b->twist,
                   .envelope = phase->envelope,
                   .size_m = ts_pair_size_m(&scene->shapes[a->shape], &scene->shapes[b->shape])};
}

static ts_status find_pairs(ts_narrow_phase *phase) {
  const ts_scene *scene = phase->scene;
  double extent = 0;
  for (size_t i = 0; i < scene->shape_count; i++)
    extent = fmax(extent, ts_aabb_extent(scene->shapes[i].bounds_local));
  // Bodies as designed, so that all methods of one reach see the same pairs; dilated ones as they
  // are, since sharp corners move by more than the dilation.
  bool is_dilated = phase->envelope.kind == TS_ENVELOPE_DILATED;
  ts_body_pair *candidates;
  int64_t start = ts_clock_ns();
  TS_TRY(ts_broad_phase(
      &candidates, &phase->pair_count, phase->posed, is_dilated ? phase->shapes : scene->shapes,
      scene->bodies, scene->body_count, phase->envelope.reach_m + TS_POSITION_RELATIVE * extent));
  phase->pairing_ns = ts_clock_ns() - start;
  phase->pairs = ts_arena_array(phase->posed, phase->pair_count, sizeof *phase->pairs);
  phase->pair_states = ts_arena_array(phase->posed, phase->pair_count, sizeof(void *));
  if (!phase->pairs || !phase->pair_states)
    return TS_E_MEMORY;
  for (size_t i = 0; i < phase->pair_count; i++) {
    phase->pairs[i] = make_pair(phase, candidates[i]);
    phase->shape_used[scene->bodies[candidates[i].body_a].shape] = true;
    phase->shape_used[scene->bodies[candidates[i].body_b].shape] = true;
  }
  return TS_OK;
}

static ts_status set_up(ts_narrow_phase *phase, const double *values, ts_reference reference) {
  TS_TRY(ts_arena_create(&phase->arena));
  TS_TRY(ts_arena_create(&phase->posed));
  TS_TRY(ts_arena_create(&phase->kept));
  TS_TRY(ts_arena_create(&phase->scratch));
  phase->host = (ts_cell_host){.host = {.abi = TS_METHOD_ABI,
                                        .struct_size = sizeof(ts_host),
                                        .alloc = host_alloc,
                                        .scratch = host_scratch,
                                        .push = host_push,
                                        .fail = host_fail},
                               .scene = phase->scene,
                               .reference = reference,
                               .scale = phase->scene->scale,
                               .state = phase};
  forget_detail();
  TS_TRY(check_needs(phase->scene, phase->method));
  TS_TRY(find_params(phase, values));
  TS_TRY(put_shapes_in_state(phase));
  size_t count = phase->scene->shape_count;
  phase->shape_states = ts_arena_array(phase->arena, count, sizeof(void *));
  phase->shape_used = ts_arena_array(phase->arena, count, sizeof(bool));
  phase->shape_prepared = ts_arena_array(phase->arena, count, sizeof(bool));
  if (!phase->shape_states || !phase->shape_used || !phase->shape_prepared)
    return TS_E_MEMORY;
  return find_pairs(phase);
}

ts_status ts_narrow_phase_create(ts_narrow_phase **out, const ts_scene *scene,
                                 const ts_method *method, const double *values,
                                 ts_reference reference) {
  ts_narrow_phase *phase = calloc(1, sizeof *phase);
  if (!phase)
    return ts_fail(TS_E_MEMORY, "out of memory");
  phase->scene = scene;
  phase->method = method;
  ts_status status = set_up(phase, values, reference);
  if (status != TS_OK) {
    ts_narrow_phase_destroy(phase);
    return status;
  }
  *out = phase;
  return TS_OK;
}

void ts_narrow_phase_destroy(ts_narrow_phase *phase) {
  if (!phase)
    return;
  ts_narrow_phase_release(phase);
  ts_contact_set_clear(&phase->current);
  ts_arena_destroy(phase->scratch);
  ts_arena_destroy(phase->kept);
  ts_arena_destroy(phase->posed);
  ts_arena_destroy(phase->arena);
  free(phase);
}

size_t ts_narrow_phase_pair_count(const ts_narrow_phase *phase) {
  return phase->pair_count;
}

ts_envelope ts_narrow_phase_envelope(const ts_narrow_phase *phase) {
  return phase->envelope;
}

void ts_narrow_phase_set_rule(ts_narrow_phase *phase, ts_scoring_rule rule) {
  phase->rule = rule;
}

int64_t ts_narrow_phase_pairing_ns(const ts_narrow_phase *phase) {
  return phase->pairing_ns;
}

bool ts_narrow_phase_has_preparation(const ts_narrow_phase *phase) {
  return phase->method->prepare_shape || phase->method->prepare_pair;
}

static const void *state_of_shape(const ts_narrow_phase *phase, int32_t body) {
  return phase->shape_states[phase->scene->bodies[body].shape];
}

/// Prepares the shapes in use that are not yet.
static ts_status prepare_shapes(ts_narrow_phase *phase) {
  const ts_method *method = phase->method;
  for (size_t i = 0; i < phase->scene->shape_count; i++) {
    if (!method->prepare_shape || !phase->shape_used[i] || phase->shape_prepared[i])
      continue;
    TS_TRY(method_status(phase, "prepare_shape",
                         method->prepare_shape(&phase->shape_states[i], &phase->host.host,
                                               phase->shapes[i].mesh, phase->params)));
    phase->shape_prepared[i] = true;
  }
  phase->kept_of_shapes = ts_arena_get_mark(phase->kept);
  return TS_OK;
}

static ts_status prepare_pairs(ts_narrow_phase *phase) {
  const ts_method *method = phase->method;
  for (size_t i = 0; method->prepare_pair && i < phase->pair_count; i++) {
    const ts_pair *pair = &phase->pairs[i];
    TS_TRY(method_status(phase, "prepare_pair",
                         method->prepare_pair(&phase->pair_states[i], &phase->host.host, pair,
                                              state_of_shape(phase, pair->body_a),
                                              state_of_shape(phase, pair->body_b), phase->params)));
  }
  return TS_OK;
}

ts_status ts_narrow_phase_prepare(ts_narrow_phase *phase) {
  forget_detail();
  TS_TRY(prepare_shapes(phase));
  return prepare_pairs(phase);
}

/// Gives one prepared state back.
static void release_state(void (*release)(void *), void **state) {
  if (release && *state)
    release(*state);
  *state = NULL;
}

static void release_pairs(ts_narrow_phase *phase) {
  for (size_t i = 0; phase->pair_states && i < phase->pair_count; i++)
    release_state(phase->method->release_pair, &phase->pair_states[i]);
}

void ts_narrow_phase_release(ts_narrow_phase *phase) {
  release_pairs(phase);
  for (size_t i = 0; phase->shape_prepared && i < phase->scene->shape_count; i++) {
    release_state(phase->method->release_shape, &phase->shape_states[i]);
    phase->shape_prepared[i] = false;
  }
  if (phase->kept)
    ts_arena_rewind(phase->kept, (ts_arena_mark){NULL, 0});
}

ts_status ts_narrow_phase_move(ts_narrow_phase *phase, const ts_scene *scene) {
  forget_detail();
  release_pairs(phase);
  ts_arena_rewind(phase->kept, phase->kept_of_shapes);
  phase->pair_count = 0;
  phase->pair_states = NULL;
  ts_arena_rewind(phase->posed, (ts_arena_mark){NULL, 0});
  phase->scene = phase->host.scene = scene;
  TS_TRY(find_pairs(phase));
  return ts_narrow_phase_prepare(phase);
}

/// Fills `current` with the contacts of a pair as the method gives them.
static ts_status generate(ts_narrow_phase *phase, size_t index) {
  const ts_pair *pair = &phase->pairs[index];
  ts_contact_set *set = &phase->current;
  set->body_a = pair->body_a < pair->body_b ? pair->body_a : pair->body_b;
  set->body_b = pair->body_a < pair->body_b ? pair->body_b : pair->body_a;
  set->count = set->delivered = 0;
  phase->is_generating = true;
  ts_status status = phase->method->generate(
      &phase->host.host, pair, state_of_shape(phase, pair->body_a),
      state_of_shape(phase, pair->body_b), phase->pair_states[index], phase->params);
  phase->is_generating = false;
  return method_status(phase, "generate", status);
}

/// Contacts of a pair that the method was given with the later body first.
static void turn_round(ts_contact_set *set) {
  for (size_t i = 0; i < set->count; i++) {
    ts_contact *c = &set->contacts[i];
    c->normal = ts_vec3_sub((ts_vec3){0, 0, 0}, c->normal); // without negative zeros
    ts_feature feature = c->feature_a;
    c->feature_a = c->feature_b;
    c->feature_b = feature;
  }
}

/// Makes the current contacts canonical. The published rule has its order from what the method
/// saw.
static ts_status make_canonical(ts_narrow_phase *phase, const ts_pair *pair) {
  bool is_turned = pair->body_a > pair->body_b;
  if (phase->rule == TS_RULE_PUBLISHED)
    ts_contact_set_canonicalise_prox(&phase->current);
  if (is_turned)
    turn_round(&phase->current);
  return phase->rule == TS_RULE_PUBLISHED
             ? TS_OK
             : ts_contact_set_canonicalise(&phase->current, pair->size_m);
}

ts_status ts_narrow_phase_pass(ts_narrow_phase *phase) {
  forget_detail();
  for (size_t i = 0; i < phase->pair_count; i++)
    TS_TRY(generate(phase, i));
  return TS_OK;
}

ts_status ts_narrow_phase_collect(ts_contact_set **out, ts_narrow_phase *phase, ts_arena *arena) {
  ts_contact_set *sets = ts_arena_array(arena, phase->pair_count, sizeof *sets);
  if (!sets)
    return TS_E_MEMORY;
  forget_detail();
  for (size_t i = 0; i < phase->pair_count; i++) {
    TS_TRY(generate(phase, i));
    TS_TRY(make_canonical(phase, &phase->pairs[i]));
    sets[i] = phase->current;
    sets[i].capacity = sets[i].count;
    sets[i].contacts = ts_arena_array(arena, sets[i].count, sizeof *sets[i].contacts);
    if (!sets[i].contacts)
      return TS_E_MEMORY;
    if (sets[i].count > 0)
      memcpy(sets[i].contacts, phase->current.contacts, sets[i].count * sizeof *sets[i].contacts);
  }
  *out = sets;
  return TS_OK;
}

uint64_t ts_contact_sets_hash(const ts_contact_set *sets, size_t count) {
  uint64_t hash = TS_HASH_START;
  for (size_t i = 0; i < count; i++)
    if (sets[i].count > 0)
      hash = ts_contact_set_hash(hash, &sets[i]);
  return hash;
}
