// SPDX-License-Identifier: MIT
#include "methods/plugins/engines.h"

#include "base/status.h"
#include "geometry/mesh/helper_process.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

const ts_engine ts_engines[] = {
    {"ode_trimesh", "libode-dev"},
    {"bullet_hull", "libbullet-dev"},
    {"bullet_gimpact", "libbullet-dev"},
    {"bullet_hull_f32", "libbullet-dev"},
    {"fcl_mesh", "libfcl-dev"},
    {"fcl_convex", "libfcl-dev"},
    {"libccd_gjk", "libccd-dev"},
    {"libccd_mpr", "libccd-dev"},
    {"mujoco", "libmujoco-dev"},
    {"mujoco_multiccd", "libmujoco-dev"},
    {NULL, NULL},
};

const ts_engine *ts_engine_find(const char *name) {
  for (size_t i = 0; ts_engines[i].name; i++)
    if (strcmp(ts_engines[i].name, name) == 0)
      return &ts_engines[i];
  return NULL;
}

/// The path of its shared object; NULL with the detail line set if there is none.
static const char *find_file(ts_arena *arena, const ts_engine *engine) {
  static const char *const folders[] = {"engines", "../lib/touchstone/engines"};
  for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
    const char *folder = ts_helper_beside(arena, folders[i]);
    const char *path = folder ? ts_arena_format(arena, "%s/%s.so", folder, engine->name) : NULL;
    if (!path)
      return NULL;
    if (access(path, F_OK) == 0)
      return path;
  }
  ts_fail(TS_E_UNSUPPORTED, "not built: install %s and build touchstone again", engine->package);
  return NULL;
}

ts_status ts_engine_load(ts_plugin *out, ts_arena *arena, const ts_engine *engine) {
  const char *path = find_file(arena, engine);
  if (!path)
    return TS_E_UNSUPPORTED;
  if (ts_plugin_load(out, arena, path) != TS_OK) {
    char why[900];
    snprintf(why, sizeof why, "%s", ts_status_detail());
    return ts_fail(TS_E_UNSUPPORTED, "%s; install %s", why, engine->package);
  }
  if (out->method_count != 1 || strcmp(out->methods[0]->name, engine->name) != 0)
    return ts_fail(TS_E_UNSUPPORTED,
                   "%s does not contain the single method %s; build touchstone again", path,
                   engine->name);
  return TS_OK;
}
