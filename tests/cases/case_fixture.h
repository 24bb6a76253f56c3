// SPDX-License-Identifier: MIT
/// Cases and small scenes for the tests of this folder.
#ifndef TS_TESTS_CASE_FIXTURE_H
#define TS_TESTS_CASE_FIXTURE_H

#include "cases/case.h"

typedef struct case_setting {
  const char *name;
  double value;
} case_setting;

/// Builds a case with its defaults and `count` settings; fails the test when that fails.
ts_scene *case_fixture_build(ts_arena *arena, const char *name, const case_setting *settings,
                             size_t count);

/// build_case(arena, "wall", {"layers", 3}, {"span", 4})
#define build_case(arena, name, ...)                                                               \
  case_fixture_build(arena, name, (const case_setting[]){__VA_ARGS__},                             \
                     sizeof((const case_setting[]){__VA_ARGS__}) / sizeof(case_setting))

/// A case as it is by default.
#define build_default(arena, name) case_fixture_build(arena, name, NULL, 0)

/// Whether a case is one of Erleben 2018's, which have published meshes.
bool case_fixture_is_published(const ts_case *c);

ts_arena *case_fixture_arena(void);

/// Makes a temporary folder the working one, and gives its path, in the arena.
const char *case_fixture_enter_folder(ts_arena *arena);

/// Removes the folder with all that is in it.
void case_fixture_remove_folder(ts_arena *arena, const char *folder);

/// Writes a file of the working folder.
void case_fixture_put(const char *name, const char *text);

/// The mesh of a body as designed, filled with tets; fails the test when that fails.
const ts_mesh *case_fixture_filled(ts_arena *arena, const ts_scene *scene, int32_t body);

/// Reads the scene in a folder of tests/cases/scenes; fails the test when that fails.
ts_scene *case_fixture_open(ts_arena *arena, const char *name);

/// Expects these totals of the design truth; `what` names the scene in messages.
void case_fixture_expect_totals(const ts_scene *scene, const char *what, size_t regions,
                                size_t minimum, double area_m2);

/// Body `b`'s mesh vertex in the world.
ts_vec3 case_fixture_vertex(const ts_scene *scene, int32_t body, size_t vertex);

/// Distance [m] of a point from the surface of a body.
double case_fixture_surface_distance(const ts_scene *scene, int32_t body, ts_vec3 point);

/// Larger extent of the smaller body of a region's pair [m].
double case_fixture_pair_size(const ts_scene *scene, const ts_region *region);

#endif
