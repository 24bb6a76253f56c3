// SPDX-License-Identifier: MIT
#include "harness/commands/describe.h"

#include "base/geometry_kind.h"
#include "base/number.h"
#include "base/param.h"
#include "base/status.h"
#include "cases/case.h"
#include "cases/scene/ground.h"
#include "cases/truth/oracle_truth.h"
#include "geometry/tolerances.h"
#include "harness/commands/describe_bodies.h"
#include "harness/plan/doc_page.h"
#include "harness/plan/grid.h"
#include "harness/plan/names.h"
#include "harness/plan/options.h"
#include "harness/plan/plan.h"
#include "methods/envelope.h"
#include "methods/method_state.h"

#include <math.h>
#include <string.h>

typedef struct describe_values {
  ts_assignments sets;
  ts_texts plugins, scenes;
  bool with_engines;
} describe_values;

/// The words whose bits are set, joined as "a, b".
static const char *join_bits(ts_arena *arena, uint32_t bits, const char *const *words,
                             size_t count) {
  const char *text = NULL;
  for (size_t i = 0; i < count; i++)
    if (bits & (1u << i)) {
      text = text ? ts_arena_format(arena, "%s, %s", text, words[i]) : words[i];
      if (!text)
        return NULL;
    }
  return text ? text : "nothing";
}

static const char *describe_needs(ts_arena *arena, uint32_t needs) {
  static const char *const words[] = {"closed surface", "tetrahedra", "convex bodies",
                                      "OpenGL",         "velocity",   "penetration"};
  return join_bits(arena, needs, words, sizeof words / sizeof *words);
}

const char *ts_describe_gives(ts_arena *arena, uint32_t gives) {
  static const char *const words[] = {"gap", "area", "features"};
  return join_bits(arena, gives, words, sizeof words / sizeof *words);
}

const char *ts_describe_takes(ts_arena *arena, uint32_t takes) {
  return join_bits(arena, takes | TS_TAKES(TS_GEOMETRY_MESH), ts_geometry_words,
                   TS_GEOMETRY_KIND_COUNT);
}

static const ts_taxonomy *taxonomy_of(const ts_method *method) {
  // The struct of a method built against an older interface ends before this member.
  size_t end = offsetof(ts_method, taxonomy) + sizeof method->taxonomy;
  return method->struct_size >= end ? method->taxonomy : NULL;
}

/// Appends a word of a list to `text`, if `index` names one. In every enumeration 0 is
/// "unspecified".
static const char *add_word(ts_arena *arena, const char *text, const char *const *words,
                            size_t count, int32_t index) {
  if (!text || index < 1 || (size_t)index >= count)
    return text;
  return *text ? ts_arena_format(arena, "%s, %s", text, words[index]) : words[index];
}

const char *ts_describe_taxonomy(ts_arena *arena, const ts_method *method) {
  static const char *const localities[] = {"", "local", "semi-local", "global"};
  static const char *const testings[] = {"", "surface", "volume"};
  static const char *const exactnesses[] = {"", "exact", "approximate"};
  static const char *const sources[] = {"features", "closest points", "implicit field",
                                        "volume elements"};
  static const char *const instants[] = {"", "discrete", "continuous"};
  const ts_taxonomy *t = taxonomy_of(method);
  if (!t)
    return "unspecified";
  const char *text = add_word(arena, "", localities, 4, t->locality);
  text = add_word(arena, text, testings, 3, t->testing);
  text = add_word(arena, text, exactnesses, 3, t->exactness);
  if (!text)
    return NULL;
  const char *before = *text ? ", normals from " : "normals from ";
  for (unsigned i = 0; text && i < 4; i++)
    if (t->normals >> i & 1) {
      text = ts_arena_format(arena, "%s%s%s", text, before, sources[i]);
      before = " and ";
    }
  text = add_word(arena, text, instants, 3, t->instant);
  return text && !*text ? "unspecified" : text;
}

/// "exact geometry yes, continuous detection no, ...", or "unspecified" without a taxonomy.
static ts_status describe_support(const char **out, ts_arena *arena, const ts_method *method) {
  static const char *const levels[] = {"unspecified", "no", "with effort", "yes"};
  const ts_taxonomy *t = taxonomy_of(method);
  *out = "unspecified";
  if (!t || (!t->exact && !t->continuous && !t->deformable && !t->topology))
    return TS_OK;
  const int32_t support[4] = {t->exact, t->continuous, t->deformable, t->topology};
  const char *words[4];
  for (int i = 0; i < 4; i++)
    words[i] = levels[support[i] > 0 && support[i] < 4 ? support[i] : 0];
  *out = ts_arena_format(arena,
                         "exact geometry %s, continuous detection %s, deformable bodies %s, "
                         "changes of topology %s",
                         words[0], words[1], words[2], words[3]);
  return *out ? TS_OK : TS_E_MEMORY;
}

ts_status ts_describe_envelope(const char **out, ts_arena *arena, const ts_method *method,
                               const double *values) {
  ts_envelope envelope;
  TS_TRY(ts_plugin_envelope(&envelope, method, values));
  const char *text = "as designed";
  if (envelope.kind != TS_ENVELOPE_NONE)
    text =
        ts_arena_format(arena, "%s by %g m (%s)", ts_envelope_word(envelope.kind), envelope.size_m,
                        envelope.mode == TS_ENVELOPE_FACES ? "face planes" : "vertices");
  if (text && envelope.reach_m > 0)
    text = ts_arena_format(arena, "%s, reach %g m", text, envelope.reach_m);
  *out = text;
  return text ? TS_OK : TS_E_MEMORY;
}

const char *ts_describe_measure(ts_arena *arena, const ts_truth_totals *totals) {
  const char *text = "";
  if (totals->area_m2 > 0)
    text = ts_arena_format(arena, "%.10g m2", totals->area_m2);
  if (text && totals->length_m > 0)
    text = ts_arena_format(arena, "%s%s%.10g m", text, *text ? ", " : "", totals->length_m);
  if (text && totals->points > 0)
    text = ts_arena_format(arena, "%s%s%zu point%s", text, *text ? ", " : "", totals->points,
                           totals->points == 1 ? "" : "s");
  return text && !*text ? "nothing" : text;
}

/// What a seed may draw for a parameter; "" for nothing.
static const char *describe_range(ts_arena *arena, const ts_param *param,
                                  const ts_case_range *range) {
  char low[TS_NUMBER_BYTES], high[TS_NUMBER_BYTES];
  if (!range || range->low == range->high)
    return "";
  return ts_arena_format(arena, "%s to %s", ts_param_format(low, param, range->low),
                         ts_param_format(high, param, range->high));
}

#define SETS "--set name=value"

/// `c` NULL: the parameters are not of a case. `how` to set them.
static ts_status print_params(ts_arena *arena, const ts_param *params, size_t count,
                              const double *values, const ts_case *c, const char *how) {
  if (count == 0) {
    printf("\nParameters: none\n");
    return TS_OK;
  }
  ts_grid grid = ts_grid_start(arena, c ? "lllll" : "llll");
  TS_TRY(ts_grid_add(&grid, c ? (const char *[]){"name", "takes", "default", "drawn", "meaning"}
                              : (const char *[]){"name", "takes", "default", "meaning"}));
  bool any_differs = false;
  for (size_t i = 0; i < count; i++) {
    char before[TS_NUMBER_BYTES], now[TS_NUMBER_BYTES];
    const ts_param *param = &params[i];
    const char *fallback = ts_param_format(before, param, param->default_value);
    bool differs = values[i] != param->default_value;
    any_differs = any_differs || differs;
    char *given = ts_arena_format(arena, differs ? "%s (here %s)" : "%s", fallback,
                                  ts_param_format(now, param, values[i]));
    char *range = ts_param_range(arena, param);
    const char *drawn = c ? describe_range(arena, param, ts_case_range_of(c, param->name)) : "";
    if (!given || !range || !drawn)
      return TS_E_MEMORY;
    TS_TRY(ts_grid_add(&grid, c ? (const char *[]){param->name, range, given, drawn, param->summary}
                                : (const char *[]){param->name, range, given, param->summary}));
  }
  printf("\nParameters (%s%s)\n", how, c ? "; drawn: what --seed takes" : "");
  return ts_grid_print(stdout, &grid, 2, false);
}

/// Number of convex pieces of a shape: one if convex, those of its decomposition, or none.
static const char *count_pieces(ts_arena *arena, const ts_shape *shape) {
  if (ts_shape_is_convex(shape))
    return "1";
  return shape->piece_count > 0 ? ts_arena_format(arena, "%zu", shape->piece_count) : "none";
}

/// What was found for shapes that are not convex. Nothing where all pieces came with the scene.
static void print_found_pieces(const ts_scene *scene) {
  for (size_t i = 0; i < scene->shape_count; i++) {
    const ts_shape *shape = &scene->shapes[i];
    const ts_pieces_error *error = &shape->pieces_error;
    if (shape->pieces_kind == TS_PIECES_EXACT)
      printf("\nShape %s: its %zu convex pieces were found, and fill it.\n", shape->name,
             shape->piece_count);
    else if (shape->pieces_kind == TS_PIECES_APPROXIMATE)
      printf("\nShape %s: its %zu convex pieces are approximate: %+.2g of its volume, and off its "
             "surface by up to %.2g m.\n",
             shape->name, shape->piece_count, error->volume_relative, error->distance_m);
  }
}

static ts_status print_bodies(ts_arena *arena, const ts_scene *scene) {
  ts_grid grid = ts_grid_start(arena, "rlrrrrl");
  TS_TRY(ts_grid_add(&grid, (const char *[]){"body", "name", "vertices", "triangles", "mass_kg",
                                             "convex_pieces", "moves"}));
  for (size_t i = 0; i < scene->body_count; i++) {
    const ts_body *body = &scene->bodies[i];
    const ts_shape *shape = &scene->shapes[body->shape];
    const ts_mesh *mesh = shape->mesh;
    bool is_ground = ts_shape_is_ground(shape);
    double mass_kg = ts_shape_mass_properties(shape, body->density_kg_m3).mass_kg;
    const char *cells[] = {ts_arena_format(arena, "%zu", i),
                           body->name,
                           ts_arena_format(arena, "%zu", mesh->vertex_count),
                           ts_arena_format(arena, "%zu", mesh->triangle_count),
                           is_ground ? "-" : ts_arena_format(arena, "%.6g", mass_kg),
                           count_pieces(arena, shape),
                           body->is_fixed ? "no" : "yes"};
    if (!cells[0] || !cells[2] || !cells[3] || !cells[4] || !cells[5])
      return TS_E_MEMORY;
    TS_TRY(ts_grid_add(&grid, cells));
  }
  printf("\nBodies\n");
  TS_TRY(ts_grid_print(stdout, &grid, 2, false));
  print_found_pieces(scene);
  return TS_OK;
}

/// Nothing in a scene without forces.
static ts_status print_forces(ts_arena *arena, const ts_scene *scene) {
  if (scene->force_count == 0)
    return TS_OK;
  ts_grid grid = ts_grid_start(arena, "lll");
  TS_TRY(ts_grid_add(&grid, (const char *[]){"body", "point_local_m", "force_n"}));
  for (size_t i = 0; i < scene->force_count; i++) {
    const ts_force *force = &scene->forces[i];
    ts_vec3 p = force->point_local, f = force->force_n;
    const char *cells[] = {scene->bodies[force->body].name,
                           ts_arena_format(arena, "(%.6g %.6g %.6g)", p.x, p.y, p.z),
                           ts_arena_format(arena, "(%.6g %.6g %.6g)", f.x, f.y, f.z)};
    if (!cells[1] || !cells[2])
      return TS_E_MEMORY;
    TS_TRY(ts_grid_add(&grid, cells));
  }
  printf("\nForces (points in the frames of their bodies, forces in the world)\n");
  return ts_grid_print(stdout, &grid, 2, false);
}

/// A component of a unit vector, with rounding errors around zero removed.
static double component(double value) {
  return fabs(value) < TS_SAME_DIRECTION_RAD ? 0 : value;
}

/// "all of (0 1 0) (1 0 0 open)".
static const char *format_normals(ts_arena *arena, const ts_region *region,
                                  const ts_feasible_set *set, ts_touch_limits limits) {
  const char *text = set->count < 2 ? "" : region->needs_all ? "all of " : "any of ";
  for (size_t i = 0; i < set->count && text; i++) {
    ts_vec3 n = set->normals[i].normal;
    text = ts_arena_format(arena, "%s%s(%.4g %.4g %.4g%s)", text, i ? " " : "", component(n.x),
                           component(n.y), component(n.z),
                           ts_feasible_is_open(&set->normals[i], limits) ? " open" : "");
  }
  return text;
}

static bool same_normals(const ts_feasible_set *a, const ts_feasible_set *b) {
  if (a->count != b->count)
    return false;
  for (size_t i = 0; i < a->count; i++)
    if (ts_vec3_distance(a->normals[i].normal, b->normals[i].normal) > TS_SAME_DIRECTION_RAD)
      return false;
  return true;
}

static ts_status add_region(ts_grid *grid, ts_arena *arena, const ts_region *region,
                            ts_touch_limits limits) {
  static const char *const kinds[] = {"point", "segment", "polygon"};
  static const char *const units[] = {"", " m", " m2"};
  const ts_feasible_set *design = &region->feasible[TS_REFERENCE_DESIGN];
  double gap_m = design->count > 0 ? design->normals[0].gap_m : 0;
  const char *pair = ts_arena_format(arena, "%d-%d", region->body_a, region->body_b);
  const char *vertices = ts_arena_format(arena, "%zu", region->vertex_count);
  const char *measure =
      region->kind == TS_REGION_POINT
          ? ""
          : ts_arena_format(arena, "%.6g%s", ts_region_measure(region), units[region->kind]);
  const char *gap = ts_arena_format(arena, "%.4g", gap_m + 0.0);
  const char *minimum =
      ts_arena_format(arena, "%zu", ts_region_minimum(region, TS_REFERENCE_DESIGN, limits));
  const char *normals[TS_REFERENCE_COUNT];
  bool complete = pair && vertices && measure && gap && minimum;
  for (int i = 0; i < TS_REFERENCE_COUNT; i++) {
    bool is_same = i != TS_REFERENCE_DESIGN && same_normals(design, &region->feasible[i]);
    normals[i] = is_same ? "same" : format_normals(arena, region, &region->feasible[i], limits);
    complete = complete && normals[i];
  }
  if (!complete)
    return TS_E_MEMORY;
  return ts_grid_add(grid,
                     (const char *[]){pair, kinds[region->kind], vertices, measure, gap, minimum,
                                      normals[TS_REFERENCE_DESIGN], normals[TS_REFERENCE_PUBLISHED],
                                      normals[TS_REFERENCE_FEASIBLE]});
}

/// Prints what the oracle says about the motions of each pair.
static ts_status print_oracle(ts_arena *arena, const ts_scene *scene) {
  const ts_oracle_truth *oracle = scene->oracle;
  printf("\nTruth: motions only, by the oracle; measures that need normals or regions are nan.\n");
  ts_grid grid = ts_grid_start(arena, "lrrrrr");
  TS_TRY(ts_grid_add(
      &grid, (const char *[]){"pair", "motions", "free", "blocked", "undecided", "step_m"}));
  for (size_t i = 0; i < oracle->pair_count; i++) {
    const ts_oracle_pair *p = &oracle->pairs[i];
    const char *pair = ts_arena_format(arena, "%d-%d", p->body_a, p->body_b);
    const char *tried = ts_arena_format(arena, "%zu", p->try_count);
    const char *free = ts_arena_format(arena, "%zu", p->free_count);
    const char *blocked = ts_arena_format(arena, "%zu", p->blocked_count);
    const char *between =
        ts_arena_format(arena, "%zu", p->try_count - p->free_count - p->blocked_count);
    const char *step = ts_arena_format(arena, "%.3g", p->step * ts_oracle_frame(scene, p).length_m);
    if (!pair || !tried || !free || !blocked || !between || !step)
      return TS_E_MEMORY;
    TS_TRY(ts_grid_add(&grid, (const char *[]){pair, tried, free, blocked, between, step}));
  }
  TS_TRY(ts_grid_print(stdout, &grid, 2, false));
  printf("\nTotals: %zu pair%s\n", oracle->pair_count, oracle->pair_count == 1 ? "" : "s");
  if (scene->truth_note)
    printf("Note: %s.\n", scene->truth_note);
  return TS_OK;
}

static ts_status print_truth(ts_arena *arena, const ts_scene *scene) {
  if (scene->oracle)
    return print_oracle(arena, scene);
  if (scene->truth_is_unknown) {
    printf("\nTruth: unknown, because it is not known where these bodies touch; measures that need "
           "it are nan.\n");
    return TS_OK;
  }
  ts_grid grid = ts_grid_start(arena, "llrrrrlll");
  TS_TRY(
      ts_grid_add(&grid, (const char *[]){"pair", "kind", "vertices", "measure", "gap_m", "minimum",
                                          "normals: design", "published", "feasible"}));
  size_t not_touching = 0;
  for (size_t i = 0; i < scene->region_count; i++) {
    const ts_region *region = &scene->regions[i];
    ts_touch_limits limits = ts_region_limits(scene, region);
    not_touching += ts_region_needed_normals(region, TS_REFERENCE_DESIGN, limits) == 0;
    TS_TRY(add_region(&grid, arena, region, limits));
  }
  printf("\nTruth (normals from the first body of a pair to the second)\n");
  TS_TRY(ts_grid_print(stdout, &grid, 2, false));
  ts_truth_totals totals = ts_scene_truth_totals(scene, TS_REFERENCE_DESIGN);
  const char *measure = ts_describe_measure(arena, &totals);
  if (!measure)
    return TS_E_MEMORY;
  printf("\nTotals: %zu pair%s, %zu region%s, minimum %zu contact%s, %s\n", totals.pairs,
         totals.pairs == 1 ? "" : "s", totals.regions, totals.regions == 1 ? "" : "s",
         totals.minimum, totals.minimum == 1 ? "" : "s", measure);
  if (scene->truth_note)
    printf("Note: %s.\n", scene->truth_note);
  if (not_touching > 0)
    printf("Open, minimum 0: %zu place%s where the bodies have moved apart; contacts there are "
           "allowed but not needed.\n",
           not_touching, not_touching == 1 ? "" : "s");
  for (size_t i = 0; i < scene->unknown_count; i++) {
    const ts_unknown_pair *pair = &scene->unknown[i];
    printf("Unknown: %d-%d (%s and %s): %s.\n", pair->body_a, pair->body_b,
           scene->bodies[pair->body_a].name, scene->bodies[pair->body_b].name, pair->reason);
  }
  return TS_OK;
}

/// `name` NULL: the case of the first scene.
static ts_status describe_case(ts_arena *arena, const char *name, const describe_values *given) {
  const ts_assignments *sets = &given->sets;
  ts_catalog catalog;
  TS_TRY(ts_catalog_open(
      &catalog, arena,
      &(ts_catalog_request){.scene_count = given->scenes.count, .scenes = given->scenes.items}));
  const ts_case *c;
  TS_TRY(ts_catalog_case(&c, arena, &catalog, name ? name : catalog.cases[0]->name));
  size_t count = ts_case_param_count(c);
  const ts_param *params = ts_case_params(arena, c);
  double *values = ts_arena_array(arena, count, sizeof *values);
  if (!params || !values)
    return TS_E_MEMORY;
  ts_param_defaults(values, params, count);
  TS_TRY(ts_plan_assign(values, arena, c->name, params, count, sets->items, sets->count));
  ts_scene *scene;
  TS_TRY(ts_case_build(&scene, arena, c, values));
  printf("%s: %s\n\n  suite   %s\n  source  %s\n", c->name, c->summary, c->suite, c->source);
  TS_TRY(print_params(arena, params, count, values, c, SETS));
  TS_TRY(print_bodies(arena, scene));
  TS_TRY(ts_describe_elastic(arena, scene));
  TS_TRY(ts_describe_ground(arena, scene));
  TS_TRY(print_forces(arena, scene));
  if (scene->refinement > 0)
    printf("\nrefinement=%d: TetGen refines these bodies before a method sees them; features are "
           "numbered in the refined mesh.\n",
           scene->refinement);
  return print_truth(arena, scene);
}

static void print_state(const ts_method *m, const double *values) {
  if (!m->keeps_state)
    return;
  printf("  state     kept between steps");
  if (m->keeps_state_if) {
    char word[TS_NUMBER_BYTES];
    int index = ts_param_find(m->params, m->param_count, m->keeps_state_if);
    printf(" unless %s=%s (here %s)", m->keeps_state_if,
           ts_param_format(word, &m->params[index], 0),
           ts_method_keeps_state(m, values) ? "kept" : "not");
  }
  printf(": contacts may depend on earlier ones\n");
}

/// Kinds of shapes that the method works on, and the parameter that it depends on.
static ts_status print_shapes(ts_arena *arena, const ts_method *m, const double *values) {
  const char *kinds = ts_describe_takes(arena, m->takes);
  if (!kinds)
    return TS_E_MEMORY;
  printf("  shapes    %s", kinds);
  if (m->takes_if) {
    char word[TS_NUMBER_BYTES];
    int index = ts_param_find(m->params, m->param_count, m->takes_if);
    printf(" unless %s=%s (here %s)", m->takes_if, ts_param_format(word, &m->params[index], 0),
           ts_method_takes(m, values) ? "these" : "triangles");
  }
  printf("\n");
  return TS_OK;
}

static ts_status describe_method(ts_arena *arena, const char *name, const describe_values *given) {
  const ts_assignments *sets = &given->sets;
  ts_catalog catalog;
  TS_TRY(ts_catalog_open(&catalog, arena,
                         &(ts_catalog_request){.with_controls = true,
                                               .with_engines = given->with_engines,
                                               .plugin_count = given->plugins.count,
                                               .plugins = given->plugins.items}));
  const ts_method *m;
  TS_TRY(ts_catalog_method(&m, arena, &catalog, name));
  double *values = ts_arena_array(arena, m->param_count, sizeof *values);
  if (!values)
    return TS_E_MEMORY;
  ts_param_defaults(values, m->params, m->param_count);
  TS_TRY(
      ts_plan_assign(values, arena, m->name, m->params, m->param_count, sets->items, sets->count));
  const char *envelope;
  TS_TRY(ts_describe_envelope(&envelope, arena, m, values));
  const char *needs = describe_needs(arena, m->needs);
  const char *gives = ts_describe_gives(arena, m->gives);
  const char *taxonomy = ts_describe_taxonomy(arena, m), *support;
  TS_TRY(describe_support(&support, arena, m));
  if (!needs || !gives || !taxonomy)
    return TS_E_MEMORY;
  const ts_taxonomy *t = taxonomy_of(m);
  printf("%s: %s\n\n  source    %s\n  requires  %s\n  provides  %s\n  envelope  %s\n", m->name,
         m->summary, m->source, needs, gives, envelope);
  printf("  taxonomy  %s\n  supports  %s\n  limits    %s\n", taxonomy, support,
         t && t->limits ? t->limits : "unspecified");
  TS_TRY(print_shapes(arena, m, values));
  print_state(m, values);
  return print_params(arena, m->params, m->param_count, values, NULL, SETS);
}

static ts_status describe_modifier(ts_arena *arena, const char *name,
                                   const describe_values *given) {
  if (given->sets.count > 0)
    return ts_fail(TS_E_INPUT, "parameters of modifiers are set in --modify, as reduce:points=4; "
                               "leave --set out of describe modifier");
  ts_catalog catalog;
  TS_TRY(ts_catalog_open(&catalog, arena,
                         &(ts_catalog_request){.plugin_count = given->plugins.count,
                                               .plugins = given->plugins.items}));
  const ts_modifier *m;
  TS_TRY(ts_catalog_modifier(&m, arena, &catalog, name));
  double *values = ts_arena_array(arena, m->param_count, sizeof *values);
  if (!values)
    return TS_E_MEMORY;
  ts_param_defaults(values, m->params, m->param_count);
  printf("%s: %s\n\n  source    %s\n", m->name, m->summary, m->source);
  const char *how = ts_arena_format(arena, "--modify %s:name=value:name=value", m->name);
  return how ? print_params(arena, m->params, m->param_count, values, NULL, how) : TS_E_MEMORY;
}

static ts_status describe_scoring(ts_arena *arena, const ts_assignments *sets) {
  double values[TS_SCORING_COUNT];
  ts_param_defaults(values, ts_scoring_params, TS_SCORING_COUNT);
  TS_TRY(ts_plan_assign(values, arena, "scoring", ts_scoring_params, TS_SCORING_COUNT, sets->items,
                        sets->count));
  printf("scoring: How contacts are compared with the truth; see %s.\n",
         ts_doc_page(arena, "measures"));
  return print_params(arena, ts_scoring_params, TS_SCORING_COUNT, values, NULL, SETS);
}

static ts_status describe_simulation(ts_arena *arena, const ts_assignments *sets) {
  double values[TS_SIMULATION_COUNT];
  ts_param_defaults(values, ts_simulation_params, TS_SIMULATION_COUNT);
  TS_TRY(ts_plan_assign(values, arena, "simulation", ts_simulation_params, TS_SIMULATION_COUNT,
                        sets->items, sets->count));
  printf("simulation: How a scene moves with the contacts of a method; see %s.\n",
         ts_doc_page(arena, "simulation"));
  return print_params(arena, ts_simulation_params, TS_SIMULATION_COUNT, values, NULL, SETS);
}

/// Refuses options that add what is not described: scenes are cases, the others methods.
static ts_status check_options(const char *what, uint64_t given) {
  static const char *const adding[][2] = {
      {"scene", "case"}, {"plugin", "method"}, {"engines", "method"}};
  for (size_t i = 0; i < sizeof adding / sizeof *adding; i++)
    if (given & ts_options_bit(&ts_command_describe, adding[i][0]) &&
        strcmp(what, adding[i][1]) != 0 &&
        !(strcmp(what, "modifier") == 0 && strcmp(adding[i][0], "plugin") == 0))
      return ts_fail(TS_E_INPUT, "--%s is for describe %s; leave it out of describe %s",
                     adding[i][0], adding[i][1], what);
  return TS_OK;
}

static ts_status describe(ts_arena *arena, int count, char *const *arguments) {
  describe_values values = {0};
  ts_arguments parsed;
  TS_TRY(ts_options_parse(&values, &parsed, arena, &ts_command_describe, count, arguments));
  if (parsed.wants_help)
    return ts_options_help(stdout, &ts_command_describe);
  bool is_scoring = parsed.operand_count > 0 && strcmp(parsed.operands[0], "scoring") == 0;
  bool is_simulation = parsed.operand_count > 0 && strcmp(parsed.operands[0], "simulation") == 0;
  if (parsed.operand_count == 2 && (is_scoring || is_simulation))
    return ts_fail(TS_E_INPUT, "describe %s takes no name; omit \"%s\"", parsed.operands[0],
                   parsed.operands[1]);
  bool is_case = parsed.operand_count == 0 || strcmp(parsed.operands[0], "case") == 0;
  if (is_scoring || is_simulation || is_case || strcmp(parsed.operands[0], "method") == 0 ||
      strcmp(parsed.operands[0], "modifier") == 0)
    TS_TRY(check_options(is_case ? "case" : parsed.operands[0], parsed.given));
  if (parsed.operand_count == 1 && is_scoring)
    return describe_scoring(arena, &values.sets);
  if (parsed.operand_count == 1 && is_simulation)
    return describe_simulation(arena, &values.sets);
  if (parsed.operand_count == 0 && values.scenes.count == 1)
    return describe_case(arena, NULL, &values);
  if (parsed.operand_count != 2)
    return ts_fail(TS_E_INPUT, "describe takes \"case NAME\", \"method NAME\", \"modifier NAME\", "
                               "\"scoring\" or \"simulation\"");
  const char *what = parsed.operands[0], *name = parsed.operands[1];
  if (strcmp(what, "case") == 0)
    return describe_case(arena, name, &values);
  if (strcmp(what, "method") == 0)
    return describe_method(arena, name, &values);
  if (strcmp(what, "modifier") == 0)
    return describe_modifier(arena, name, &values);
  return ts_names_unknown("subject to describe", what,
                          (const char *[]){"case", "method", "modifier", "scoring", "simulation"},
                          5);
}

static ts_status run_describe(int *out_exit, int count, char *const *arguments) {
  ts_arena *arena;
  TS_TRY(ts_arena_create(&arena));
  ts_status status = describe(arena, count, arguments);
  ts_arena_destroy(arena);
  *out_exit = 0;
  return status;
}

static const ts_option options[] = {
    {.name = "set",
     .argument = "name=value",
     .kind = TS_OPTION_ASSIGNMENTS,
     .offset = offsetof(describe_values, sets),
     .names = TS_NAMES_PARAMETERS,
     .help = "set a parameter"},
    {.name = "scene",
     .argument = "FILE",
     .kind = TS_OPTION_TEXTS,
     .offset = offsetof(describe_values, scenes),
     .help = "add the case of this scene file; without a name, describe that case"},
    {.name = "plugin",
     .argument = "FILE",
     .kind = TS_OPTION_TEXTS,
     .offset = offsetof(describe_values, plugins),
     .help = "add the methods of this plug-in"},
    {.name = "engines",
     .kind = TS_OPTION_SWITCH,
     .offset = offsetof(describe_values, with_engines),
     .help = "add the packaged engines"},
};

const ts_command ts_command_describe = {
    .name = "describe",
    .operands = "case NAME | method NAME | modifier NAME | scoring | simulation",
    .summary = "Describes a case, a method, a modifier, the scoring, ...",
    .notes = "",
    .examples = "touchstone describe case wall\n"
                "touchstone describe case wall --set layers=3\n"
                "touchstone describe --scene arch/scene.json\n"
                "touchstone describe method closest_points\n"
                "touchstone describe scoring\n"
                "touchstone describe simulation\n",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = run_describe,
};
