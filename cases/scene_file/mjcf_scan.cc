// SPDX-License-Identifier: MIT
#include "cases/scene_file/mjcf_scan.hh"

#include <algorithm>
#include <array>
#include <cstring>
#include <expat.h>
#include <filesystem>
#include <map>
#include <memory>
#include <new>
#include <set>

namespace {

// Includes of includes; MuJoCo itself refuses a file that is included twice.
constexpr int deepest = 32;

// An attribute that names a file.
struct reference {
  const char *element, *attribute;
  bool is_texture;
};
constexpr std::array<reference, 10> references = {{{"mesh", "file", false},
                                                   {"hfield", "file", false},
                                                   {"skin", "file", false},
                                                   {"texture", "file", true},
                                                   {"texture", "fileright", true},
                                                   {"texture", "fileleft", true},
                                                   {"texture", "fileup", true},
                                                   {"texture", "filedown", true},
                                                   {"texture", "filefront", true},
                                                   {"texture", "fileback", true}}};

struct asset {
  std::string file, by;
  bool is_texture;
};

struct scanner;

// A file in the course of being read.
struct reading {
  scanner *all;
  XML_Parser parser;
  const mjcf_file *file;
  int depth;
  bool has_root = false;
};

struct scanner {
  std::map<std::string, const mjcf_file *> files; // by name
  mjcf_scan out = {TS_MJCF_MODEL, "", {}};
  std::string mesh_folder, texture_folder;
  bool strips_path = false;
  std::vector<asset> assets;
  std::set<std::string> seen; // files read, files wanted

  void read(const mjcf_file &file, int depth);
  void want(const std::string &name, const std::string &by);
  const mjcf_file *find(const std::string &name) const {
    const auto found = files.find(name);
    return found == files.end() ? nullptr : found->second;
  }
};

std::string normal(const std::filesystem::path &path) {
  return path.lexically_normal().string();
}

void fail(reading &r, ts_mjcf_outcome outcome, const std::string &text) {
  if (r.all->out.outcome == TS_MJCF_MODEL)
    r.all->out = {outcome, text, {}};
  XML_StopParser(r.parser, XML_FALSE);
}

void check_root(reading &r, const std::string &element) {
  if (r.depth > 0 || element == "mujoco")
    return;
  fail(r, element == "robot" ? TS_MJCF_URDF : TS_MJCF_OTHER_ROOT, element);
}

std::string place(const reading &r, const char *element) {
  return "<" + std::string(element) + "> in " + r.file->name + ", line " +
         std::to_string(XML_GetCurrentLineNumber(r.parser));
}

void read_compiler(scanner &all, const std::string &name, const std::string &value) {
  if (name == "assetdir")
    all.mesh_folder = all.texture_folder = value;
  else if (name == "meshdir")
    all.mesh_folder = value;
  else if (name == "texturedir")
    all.texture_folder = value;
  else if (name == "strippath")
    all.strips_path = value == "true";
}

void on_element(void *user, const XML_Char *element, const XML_Char **attributes) {
  reading &r = *static_cast<reading *>(user);
  if (!r.has_root)
    check_root(r, element);
  r.has_root = true;
  for (const XML_Char **a = attributes; *a; a += 2) {
    if (std::strcmp(element, "include") == 0 && std::strcmp(a[0], "file") == 0) {
      const std::string name = normal(a[1]);
      if (const mjcf_file *file = r.all->find(name))
        r.all->read(*file, r.depth + 1);
      else
        r.all->want(name, place(r, element));
    }
    if (std::strcmp(element, "compiler") == 0)
      read_compiler(*r.all, a[0], a[1]);
    for (const reference &known : references)
      if (std::strcmp(element, known.element) == 0 && std::strcmp(a[0], known.attribute) == 0)
        r.all->assets.push_back({a[1], place(r, element), known.is_texture});
  }
}

// MJCF has none, and what entities can do is not wanted.
void on_doctype(void *user, const XML_Char *, const XML_Char *, const XML_Char *, int) {
  reading &r = *static_cast<reading *>(user);
  fail(r, TS_MJCF_DOCTYPE, r.file->name);
}

void scanner::read(const mjcf_file &file, int depth) {
  if (depth > deepest)
    out = {TS_MJCF_BAD_INCLUDE,
           file.name + " is included more than " + std::to_string(deepest) + " files deep",
           {}};
  if (out.outcome != TS_MJCF_MODEL || !seen.insert(file.name).second)
    return;
  const std::unique_ptr<XML_ParserStruct, decltype(&XML_ParserFree)> parser(
      XML_ParserCreate(nullptr), XML_ParserFree);
  if (!parser)
    throw std::bad_alloc();
  reading r = {this, parser.get(), &file, depth};
  XML_SetUserData(parser.get(), &r);
  XML_SetStartElementHandler(parser.get(), on_element);
  XML_SetStartDoctypeDeclHandler(parser.get(), on_doctype);
  const auto status =
      XML_Parse(parser.get(), file.bytes.data(), static_cast<int>(file.bytes.size()), XML_TRUE);
  if (status == XML_STATUS_ERROR && out.outcome == TS_MJCF_MODEL)
    out = {TS_MJCF_BROKEN_XML,
           file.name + ", line " + std::to_string(XML_GetCurrentLineNumber(parser.get())) + ": " +
               XML_ErrorString(XML_GetErrorCode(parser.get())),
           {}};
}

void scanner::want(const std::string &name, const std::string &by) {
  if (!seen.insert(name).second)
    return;
  if (out.wanted.size() == TS_MJCF_FILES_MAX)
    out = {TS_MJCF_TOO_LARGE, "", {}};
  if (name.size() >= TS_MJCF_NAME_BYTES)
    out = {TS_MJCF_BAD_INCLUDE, by + ", names a file by more than 255 bytes", {}};
  if (out.outcome == TS_MJCF_MODEL)
    out.wanted.push_back({name, by});
}

} // namespace

std::string mjcf_memory_name(const std::string &name) {
  std::string out = name.substr(name.rfind('/') + 1);
  std::transform(out.begin(), out.end(), out.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return out;
}

mjcf_scan scan_mjcf(const std::vector<mjcf_file> &files) {
  scanner all;
  for (const mjcf_file &file : files)
    all.files.emplace(file.name, &file);
  all.read(files.front(), 0);
  if (all.out.outcome == TS_MJCF_MODEL &&
      all.out.wanted.empty()) // all that may name folders has been read
    for (const asset &a : all.assets) {
      if (a.file.empty())
        continue;
      const std::string file =
          all.strips_path ? a.file.substr(a.file.find_last_of("/\\") + 1) : a.file;
      const std::filesystem::path folder = a.is_texture ? all.texture_folder : all.mesh_folder;
      const std::string name = normal(folder / file);
      if (!all.find(name))
        all.want(name, a.by);
    }
  if (all.out.outcome == TS_MJCF_MODEL && !all.out.wanted.empty())
    all.out.outcome = TS_MJCF_WANTS;
  return all.out;
}
