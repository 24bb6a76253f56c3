// SPDX-License-Identifier: MIT
// The geoms of a MuJoCo model, and which of them never collide.
#ifndef TS_CASES_MJCF_GEOMS_HH
#define TS_CASES_MJCF_GEOMS_HH

#include "cases/scene_file/mjcf_protocol.h"

#include <array>
#include <cstdint>
#include <mujoco/mujoco.h>
#include <vector>

using mjcf_excluded = std::array<std::uint32_t, 2>;

struct mjcf_geoms {
  ts_mjcf_outcome outcome = TS_MJCF_MODEL; // or TS_MJCF_NO_GEOMS, TS_MJCF_TOO_LARGE
  std::vector<ts_mjcf_geom> geoms;
  std::vector<double> numbers;
  std::vector<mjcf_excluded> excluded;
  std::uint64_t omits = 0;
  std::uint64_t left_out_count = 0;
  std::array<double, 3> up = {0, 0, 1};
};

// What a scene is made of, at the poses and velocities that `data` has.
mjcf_geoms find_geoms(const mjModel &model, const mjData &data);

#endif
