// SPDX-License-Identifier: MIT
// touchstone-import: takes the triangles out of a glTF file with assimp. A question comes on
// standard input and an answer leaves on standard output (geometry/files/mesh_import_protocol.h).
//
// Files come from anywhere, and assimp crashes, hangs and fills memory on damaged ones. So it runs
// here, in a process of its own, with limits on memory and time, without output, and without a way
// to any file that the question does not hold.

#include "geometry/files/mesh_import_protocol.h"
#include "geometry/mesh/helper_program.h"

#include <algorithm>
#include <array>
#include <assimp/DefaultLogger.hpp>
#include <assimp/Importer.hpp>
#include <assimp/importerdesc.h>
#include <assimp/IOSystem.hpp>
#include <assimp/LogStream.hpp>
#include <assimp/MemoryIOWrapper.h>
#include <assimp/mesh.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <cmath>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <numeric>
#include <string>
#include <sys/resource.h>
#include <unistd.h>
#include <vector>

namespace {

using point = std::array<double, 3>;
using triangle = std::array<std::uint32_t, 3>;

[[noreturn]] void end(int code) {
  _exit(code);
}

[[noreturn]] void end_by_exception() {
  if (std::exception_ptr thrown = std::current_exception()) {
    try {
      std::rethrow_exception(thrown);
    } catch (const std::bad_alloc &) {
      end(TS_IMPORT_EXIT_MEMORY);
    } catch (...) {
    }
  }
  end(TS_IMPORT_EXIT_THROWN);
}

std::size_t read_some(void *out, std::size_t count) {
  const ssize_t had = ts_helper_read(out, count);
  if (had < 0)
    end(TS_IMPORT_EXIT_BROKEN);
  return static_cast<std::size_t>(had);
}

ts_import_question read_head() {
  ts_import_question head;
  if (read_some(&head, sizeof head) != sizeof head ||
      std::memcmp(head.magic, TS_IMPORT_QUESTION, sizeof head.magic) != 0 ||
      head.byte_count < sizeof head || head.byte_count > TS_IMPORT_ADDRESS_SPACE ||
      head.file_count < 1 || head.file_count > TS_IMPORT_FILES_MAX ||
      !std::isfinite(head.time_limit_s) || head.time_limit_s <= 0)
    end(TS_IMPORT_EXIT_QUESTION);
  return head;
}

struct given_file {
  std::string name;
  std::vector<unsigned char> bytes;
};

std::vector<given_file> read_files(const ts_import_question &head) {
  std::vector<given_file> files(head.file_count);
  std::size_t left = head.byte_count - sizeof head;
  for (given_file &file : files) {
    ts_import_file f;
    if (left < sizeof f || read_some(&f, sizeof f) != sizeof f ||
        f.name[sizeof f.name - 1] != '\0' || f.byte_count > left - sizeof f)
      end(TS_IMPORT_EXIT_QUESTION);
    left -= sizeof f + f.byte_count;
    file.name = f.name;
    file.bytes.resize(f.byte_count);
    if (read_some(file.bytes.data(), file.bytes.size()) != file.bytes.size())
      end(TS_IMPORT_EXIT_QUESTION);
  }
  unsigned char more;
  if (left != 0 || read_some(&more, 1) != 0)
    end(TS_IMPORT_EXIT_QUESTION);
  return files;
}

// The files that there are. Whatever else assimp asks for is not there, and is remembered.
class given_files : public Assimp::IOSystem {
public:
  explicit given_files(std::vector<given_file> files) : files_(std::move(files)) {}
  bool Exists(const char *name) const override { return find(name) != nullptr; }
  char getOsSeparator() const override { return '/'; }
  Assimp::IOStream *Open(const char *name, const char *) override {
    if (const given_file *file = find(name))
      return new Assimp::MemoryIOStream(file->bytes.data(), file->bytes.size());
    other_ = name;
    lacks_other_ = true;
    return nullptr;
  }
  void Close(Assimp::IOStream *stream) override { delete stream; }
  bool lacks_other() const { return lacks_other_; }
  // Empty when it is too long for an answer.
  std::string other() const { return other_.size() < TS_IMPORT_NAME_BYTES ? other_ : ""; }

private:
  const given_file *find(const std::string &name) const {
    for (const given_file &file : files_)
      if (file.name == name)
        return &file;
    return nullptr;
  }
  std::vector<given_file> files_;
  std::string other_;
  bool lacks_other_ = false;
};

// The glTF reader drops triangles with bad indices and only warns.
class index_watch : public Assimp::LogStream {
public:
  void write(const char *message) override {
    is_bad_ = is_bad_ || std::strstr(message, "out-of-range indices");
  }
  bool is_bad() const { return is_bad_; }

private:
  bool is_bad_ = false;
};

// assimp goes by a file's content when its own reader fails, which would let in any format.
void keep_readers_of(Assimp::Importer &importer, const std::string &extension) {
  for (std::size_t i = importer.GetImporterCount(); i-- > 0;) {
    const std::string known = importer.GetImporterInfo(i)->mFileExtensions;
    if ((" " + known + " ").find(" " + extension + " ") == std::string::npos)
      importer.UnregisterLoader(importer.GetImporter(i));
  }
}

struct soup {
  std::vector<point> points;
  std::vector<triangle> triangles;
};

void write_all(int output, const void *bytes, std::size_t count) {
  if (!ts_helper_write(output, bytes, count))
    end(TS_IMPORT_EXIT_BROKEN);
}

void answer(int output, ts_import_outcome outcome, const std::string &text, const soup &mesh) {
  ts_import_answer head = {};
  std::memcpy(head.magic, TS_IMPORT_ANSWER, sizeof head.magic);
  head.outcome = outcome;
  head.vertex_count = mesh.points.size();
  head.triangle_count = mesh.triangles.size();
  head.byte_count =
      sizeof head + sizeof(point) * head.vertex_count + sizeof(triangle) * head.triangle_count;
  for (std::size_t i = 0; i + 1 < sizeof head.text && i < text.size(); i++)
    head.text[i] = text[i];
  static_assert(sizeof(point) == 24 && sizeof(triangle) == 12, "they travel as they are");
  write_all(output, &head, sizeof head);
  write_all(output, mesh.points.data(), sizeof(point) * mesh.points.size());
  write_all(output, mesh.triangles.data(), sizeof(triangle) * mesh.triangles.size());
}

[[noreturn]] void end_with(int output, ts_import_outcome outcome, const std::string &text = "") {
  answer(output, outcome, text, {});
  end(TS_IMPORT_EXIT_OK);
}

// Cutting polygons into triangles trusts indices, which come from the file.
void check_indices(int output, const aiScene &scene) {
  for (unsigned m = 0; m < scene.mNumMeshes; m++) {
    const aiMesh &mesh = *scene.mMeshes[m];
    for (unsigned f = 0; f < mesh.mNumFaces; f++)
      for (unsigned i = 0; i < mesh.mFaces[f].mNumIndices; i++)
        if (mesh.mFaces[f].mIndices[i] >= mesh.mNumVertices)
          end_with(output, TS_IMPORT_BAD_INDEX);
  }
}

// From a node's frame to the file's, row by row.
struct affine {
  std::array<std::array<double, 4>, 3> row;
};

affine as_affine(const aiMatrix4x4 &m) {
  return {{{{m.a1, m.a2, m.a3, m.a4}, {m.b1, m.b2, m.b3, m.b4}, {m.c1, m.c2, m.c3, m.c4}}}};
}

affine after(const affine &a, const affine &b) {
  affine out = {};
  for (std::size_t i = 0; i < 3; i++)
    for (std::size_t k = 0; k < 4; k++)
      out.row[i][k] = a.row[i][0] * b.row[0][k] + a.row[i][1] * b.row[1][k] +
                      a.row[i][2] * b.row[2][k] + (k == 3 ? a.row[i][3] : 0);
  return out;
}

bool is_mirror(const affine &a) {
  const auto &r = a.row;
  return r[0][0] * (r[1][1] * r[2][2] - r[1][2] * r[2][1]) -
             r[0][1] * (r[1][0] * r[2][2] - r[1][2] * r[2][0]) +
             r[0][2] * (r[1][0] * r[2][1] - r[1][1] * r[2][0]) <
         0;
}

point transformed(const affine &a, const aiVector3D &v) {
  const double x = v.x, y = v.y, z = v.z;
  point p;
  for (std::size_t i = 0; i < 3; i++)
    p[i] = a.row[i][0] * x + a.row[i][1] * y + a.row[i][2] * z + a.row[i][3];
  return p;
}

void add_mesh(int output, soup &out, const aiMesh &mesh, const affine &to_file) {
  const auto first = static_cast<std::uint32_t>(out.points.size());
  for (unsigned v = 0; v < mesh.mNumVertices; v++)
    out.points.push_back(transformed(to_file, mesh.mVertices[v]));
  const bool turn = is_mirror(to_file);
  for (unsigned f = 0; f < mesh.mNumFaces; f++) {
    const aiFace &face = mesh.mFaces[f];
    if (face.mNumIndices != 3)
      continue; // a point or a line
    triangle t = {first + face.mIndices[0], first + face.mIndices[1], first + face.mIndices[2]};
    if (turn)
      std::swap(t[1], t[2]);
    for (std::uint32_t corner : t)
      for (double coordinate : out.points[corner])
        if (!std::isfinite(coordinate))
          end_with(output, TS_IMPORT_NOT_FINITE);
    out.triangles.push_back(t);
  }
}

// A mesh where a node shows it.
struct instance {
  const aiMesh *mesh;
  affine to_file;
};

// Nodes may be nested deeply: no recursion.
std::vector<instance> find_instances(const aiScene &scene) {
  struct visit {
    const aiNode *node;
    affine to_file;
  };
  std::vector<instance> out;
  std::vector<visit> next;
  if (scene.mRootNode)
    next.push_back({scene.mRootNode, as_affine(scene.mRootNode->mTransformation)});
  while (!next.empty()) {
    const visit now = next.back();
    next.pop_back();
    for (unsigned i = 0; i < now.node->mNumMeshes; i++)
      out.push_back({scene.mMeshes[now.node->mMeshes[i]], now.to_file});
    for (unsigned i = now.node->mNumChildren; i-- > 0;) {
      const aiNode *child = now.node->mChildren[i];
      next.push_back({child, after(now.to_file, as_affine(child->mTransformation))});
    }
  }
  return out;
}

soup collect(int output, const aiScene &scene) {
  const std::vector<instance> instances = find_instances(scene);
  std::size_t points = 0, triangles = 0;
  for (const instance &i : instances) {
    points += i.mesh->mNumVertices;
    triangles += i.mesh->mNumFaces;
  }
  if (triangles > TS_IMPORT_LARGEST_COUNT || points > 3 * TS_IMPORT_LARGEST_COUNT)
    end_with(output, TS_IMPORT_TOO_LARGE);
  soup out;
  out.points.reserve(points);
  out.triangles.reserve(triangles);
  for (const instance &i : instances)
    add_mesh(output, out, *i.mesh, i.to_file);
  return out;
}

// Gives equal points one number, that of the first of them.
std::vector<std::uint32_t> find_equal(const std::vector<point> &points) {
  std::vector<std::uint32_t> order(points.size()), first(points.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return points[a] != points[b] ? points[a] < points[b] : a < b;
  });
  for (std::size_t i = 0; i < order.size(); i++)
    first[order[i]] =
        i > 0 && points[order[i]] == points[order[i - 1]] ? first[order[i - 1]] : order[i];
  return first;
}

// Makes equal points one vertex and leaves out the triangles that collapse.
soup weld(const soup &in) {
  constexpr std::uint32_t none = UINT32_MAX;
  // Points that no triangle uses need not be finite, which sorting asks for.
  std::vector<point> points(in.points.size(), point{});
  for (const triangle &t : in.triangles)
    for (std::uint32_t corner : t)
      points[corner] = in.points[corner];
  const std::vector<std::uint32_t> first = find_equal(points);
  std::vector<std::uint32_t> number(points.size(), none);
  soup out;
  for (const triangle &t : in.triangles) {
    triangle joined = {first[t[0]], first[t[1]], first[t[2]]};
    if (joined[0] == joined[1] || joined[1] == joined[2] || joined[2] == joined[0])
      continue;
    for (std::uint32_t &corner : joined) {
      if (number[corner] == none) {
        number[corner] = static_cast<std::uint32_t>(out.points.size());
        out.points.push_back(points[corner]);
      }
      corner = number[corner];
    }
    out.triangles.push_back(joined);
  }
  return out;
}

const aiScene *read_scene(int output, Assimp::Importer &importer, given_files &files,
                          const std::string &name) {
  auto *watch = new index_watch;
  Assimp::DefaultLogger::create(nullptr, Assimp::Logger::NORMAL, 0);
  Assimp::DefaultLogger::get()->attachStream(watch, Assimp::Logger::Warn);
  const aiScene *scene = importer.ReadFile(name, 0);
  if (watch->is_bad())
    end_with(output, TS_IMPORT_BAD_INDEX);
  if (files.lacks_other())
    end_with(output, TS_IMPORT_OTHER_FILE, files.other());
  if (scene) {
    check_indices(output, *scene);
    scene = importer.ApplyPostProcessing(aiProcess_Triangulate);
  }
  if (!scene) {
    const std::string error = importer.GetErrorString();
    if (error.find("bad_alloc") != std::string::npos)
      end(TS_IMPORT_EXIT_MEMORY);
    end_with(output, TS_IMPORT_REFUSED, error);
  }
  return scene;
}

[[noreturn]] void import_mesh(int output, const ts_import_question &head) {
  std::vector<given_file> given = read_files(head);
  const std::string name = given.front().name, extension = name.substr(name.rfind('.') + 1);
  auto *files = new given_files(std::move(given)); // the importer's, and never freed, as all here
  auto *importer = new Assimp::Importer;
  keep_readers_of(*importer, extension);
  importer->SetIOHandler(files);
  const soup welded = weld(collect(output, *read_scene(output, *importer, *files, name)));
  if (welded.triangles.empty())
    end_with(output, TS_IMPORT_NO_TRIANGLES);
  answer(output, TS_IMPORT_MESH, "", welded);
  end(TS_IMPORT_EXIT_OK);
}

} // namespace

int main(int count, char **) {
  if (count > 1) {
    std::fputs("touchstone-import reads meshes for touchstone, through pipes; it takes no "
               "arguments. See TOUCHSTONE_IMPORT in docs/meshes.md.\n",
               stderr);
    return 2;
  }
  std::set_terminate(end_by_exception);
  const int output = ts_helper_start(TS_IMPORT_ADDRESS_SPACE);
  if (output < 0)
    end(TS_IMPORT_EXIT_BROKEN);
  const ts_import_question head = read_head();
  ts_helper_limit(RLIMIT_CPU, static_cast<rlim_t>(std::fmin(head.time_limit_s, 1e9)) + 2);
  ts_helper_take_no_signals();
  import_mesh(output, head);
}
