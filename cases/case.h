// SPDX-License-Identifier: MIT
/// Test cases: what a case is, and the list of them.
#ifndef TS_CASES_CASE_H
#define TS_CASES_CASE_H

#include "cases/scene/scene.h"

/// Where the scene of a case comes from; all zero for built-in cases.
typedef struct ts_case_origin {
  const char *path;       ///< of its file, as given
  uint64_t hash;          ///< of all its bytes
  const char *parameters; ///< as written in rows when the file was written; "": unknown
} ts_case_origin;

/// Values of one parameter, all of which have a known truth: what a seed may draw (ts_case_draw).
typedef struct ts_case_range {
  const char *param; ///< one of the case's own parameters, or a common one
  double low, high;  ///< inclusive; of a choice the indices
} ts_case_range;

typedef struct ts_case ts_case;
struct ts_case {
  const char *name; ///< Registry key, [a-z0-9_]+; never renamed.
  /// "erleben" for the thirteen, "growth" for size and speed, "extended" for traps, "response" for
  /// what solvers do with contacts of overlap volumes, "soft" for deformable bodies.
  const char *suite;
  const char *summary;    ///< One sentence.
  const char *source;     ///< Paper and section.
  const ts_param *params; ///< Own parameters, [param_count]; NULL for none.
  size_t param_count;
  /// Adds shapes, bodies and joints as designed, at scale 1. `params` holds the values of the
  /// case's own parameters. NULL: `compose` does it all.
  ts_status (*build)(ts_scene *scene, const double *params);
  /// What a seed may draw, instead of or in addition to ts_common_ranges; ends with an entry
  /// without a name. NULL: only those.
  const ts_case_range *ranges;
  bool is_deformable; ///< bodies of its scene have `elastic`: a simulation is by sim/soft/

  // The rest is for cases that are not built in; all zero in those that are.

  /// Makes all of the scene that ts_case_build() makes before scale and motion: shapes, bodies,
  /// noise and truth. `values` [ts_case_param_count] are those of all parameters.
  ts_status (*compose)(ts_scene *scene, const ts_case *c, const double *values);
  const void *data; ///< for `compose`
  ts_case_origin origin;
};

/// Parameters that every case has in addition to its own, in the order of ts_common_param.
typedef enum ts_common_param {
  TS_COMMON_SCALE,
  TS_COMMON_MOTION_SEED,
  TS_COMMON_PERTURB_M,
  TS_COMMON_PERTURB_SEED,
  TS_COMMON_OFFSET_M,
  TS_COMMON_REFINEMENT,
  TS_COMMON_TETS,
  // From here on: left out of the text of a case's parameters at their defaults
  // (ts_case_parameters), so that rows of earlier versions keep their identity.
  TS_COMMON_MESH_SEED,
  TS_COMMON_STRETCH_X,
  TS_COMMON_STRETCH_Y,
  TS_COMMON_STRETCH_Z,
  TS_COMMON_COUNT
} ts_common_param;
extern const ts_param ts_common_params[TS_COMMON_COUNT];

/// What a seed may draw in every case that has no range of its own for it; ends with an entry
/// without a name. The truth of a scene file is known for its bodies as they are: its case is not
/// stretched.
extern const ts_case_range ts_common_ranges[];

/// Every case, in the order of the tables; NULL-terminated.
extern const ts_case *const ts_cases[];

/// NULL when there is none of that name.
const ts_case *ts_case_find(const char *name);

/// Number of parameters of a case: the common ones first, then its own.
size_t ts_case_param_count(const ts_case *c);

/// The descriptors, [ts_case_param_count], in the arena. NULL when out of memory.
const ts_param *ts_case_params(ts_arena *arena, const ts_case *c);

/// Prefix of a parameter that was set on top of those of the case's origin.
#define TS_CASE_THEN "then_"

/// The values of a case [ts_case_param_count] as rows have them: "name=value;name=value", in the
/// order of the descriptors, without TS_COMMON_MESH_SEED and later ones at their defaults. A case
/// whose origin has parameters has those, followed by the values other than default:
/// "scale=0.1;...;then_scale=2". NULL when out of memory.
const char *ts_case_parameters(ts_arena *arena, const ts_case *c, const double *values);

/// The range of a parameter that a seed may draw; NULL: none, it keeps its default.
const ts_case_range *ts_case_range_of(const ts_case *c, const char *param);

/// Draws a value for every parameter of the case that has a range: `values` [ts_case_param_count];
/// the others are left as they are. The same for the same seed, case and parameter, whatever else
/// there is. Numbers have four digits, so that they can be typed.
ts_status ts_case_draw(double *values, ts_arena *arena, const ts_case *c, uint64_t seed);

/// Builds a scene: the case as designed, stretched (ts_scene_stretch), then seeded noise on the
/// body centres (perturb_m, x and z of every body, the fixed ones too, as in Erleben 2018,
/// section 8.5), then the truth at those poses, then the scale and one rigid motion of the whole
/// (motion_seed, 0: none; offset_m along (1, 1, 1)/sqrt 3), then other meshes of its bodies
/// (mesh_seed, 0: as designed; ts_scene_other_meshes). `values` [ts_case_param_count] have been
/// checked. The scene and all in it live in `arena`.
///
/// `refinement` changes neither the shapes' own meshes nor the truth, but what ts_shape_state_mesh
/// makes of the shapes. With tets=published the bodies are those of the published run and are
/// placed as rounding had them there (ts_published_bodies_place); the truth stays as designed.
/// Every shape of the scene must have its published mesh and stay unrefined: else TS_E_INPUT, and
/// the message names the shape.
///
/// A case with `compose` has its scene from there instead; scale, motion and other meshes are
/// applied as above, and stretching it is TS_E_INPUT.
ts_status ts_case_build(ts_scene **out, ts_arena *arena, const ts_case *c, const double *values);

/// Moves every body along x and z by up to `size_m`, the fixed ones too. If such noise makes the
/// truth of a scene unknown, it has none afterwards. Seeds are those of perturb_seed.
void ts_case_perturb(ts_scene *scene, double size_m, uint64_t seed);

#endif
