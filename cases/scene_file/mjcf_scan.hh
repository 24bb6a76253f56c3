// SPDX-License-Identifier: MIT
// Which files a MuJoCo model needs: what its XML names, includes followed.
#ifndef TS_CASES_MJCF_SCAN_HH
#define TS_CASES_MJCF_SCAN_HH

#include "cases/scene_file/mjcf_protocol.h"

#include <string>
#include <vector>

struct mjcf_file {
  std::string name; // below the model's folder
  std::string bytes;
};

struct mjcf_wanted {
  std::string name, by; // as in ts_mjcf_wanted
};

struct mjcf_scan {
  ts_mjcf_outcome outcome; // TS_MJCF_MODEL: it has all that it needs
  std::string text;
  std::vector<mjcf_wanted> wanted;
};

// Looks for what the first of `files` needs and `files` lack: first the files that it includes,
// then, when these are there, meshes, height fields, skins and textures. Included files are below
// the model's folder, the others below the folders that its <compiler> names.
mjcf_scan scan_mjcf(const std::vector<mjcf_file> &files);

// The name under which MuJoCo knows a file in memory.
std::string mjcf_memory_name(const std::string &name);

#endif
