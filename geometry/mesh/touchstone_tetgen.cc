// SPDX-License-Identifier: AGPL-3.0-or-later
//
// touchstone-tetgen: fills one closed surface with tetrahedra. It is linked with TetGen, which is
// under the AGPL, and therefore is under the GNU Affero General Public License, version 3 or later,
// unlike the rest of the project. It shares no address space with the rest: a question comes on
// standard input and an answer leaves on standard output (geometry/mesh/tetgen_protocol.h).
//
// TetGen aborts, crashes, hangs and prints to the standard streams. So this process checks what it
// can before it calls TetGen, leaves it no output and no core file, and ends at once with _exit()
// whenever TetGen fails: after an error TetGen's memory is corrupt.

#define TETLIBRARY
#include "geometry/mesh/helper_program.h"
#include "geometry/mesh/tetgen_protocol.h"

#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <sys/resource.h>
#include <tetgen.h>
#include <unistd.h>
#include <vector>

namespace {

constexpr std::size_t read_bytes = std::size_t{1} << 16;
constexpr rlim_t address_space_bytes = rlim_t{4} << 30; // about 12 million tets

[[noreturn]] void end(int code) {
  _exit(code);
}

// TetGen throws an int after it has freed its memory, and its destructors would free it again. An
// exception that nothing catches ends here before the stack is unwound.
[[noreturn]] void end_by_exception() {
  if (std::exception_ptr thrown = std::current_exception()) {
    try {
      std::rethrow_exception(thrown);
    } catch (int code) {
      end(code == 1 ? TS_TETGEN_EXIT_MEMORY
                    : TS_TETGEN_EXIT_THROWN + (code > 0 && code <= 10 ? code : 0));
    } catch (const std::bad_alloc &) {
      end(TS_TETGEN_EXIT_MEMORY);
    } catch (...) {
    }
  }
  end(TS_TETGEN_EXIT_THROWN);
}

// All of standard input; no more than one byte above what the first bytes announce.
std::vector<unsigned char> read_question() {
  std::vector<unsigned char> bytes;
  std::size_t wanted = sizeof(ts_tetgen_question);
  bool is_announced = false;
  while (bytes.size() <= wanted) {
    std::size_t had = bytes.size();
    bytes.resize(had + read_bytes);
    ssize_t count = read(STDIN_FILENO, bytes.data() + had, read_bytes);
    if (count < 0 && errno != EINTR)
      end(TS_TETGEN_EXIT_BROKEN);
    bytes.resize(had + (count > 0 ? static_cast<std::size_t>(count) : 0));
    if (count == 0)
      break;
    if (!is_announced && bytes.size() >= sizeof(ts_tetgen_question)) {
      ts_tetgen_question head;
      std::memcpy(&head, bytes.data(), sizeof head);
      wanted = head.byte_count;
      is_announced = true;
    }
  }
  return bytes;
}

struct question {
  ts_tetgen_question head;
  std::vector<double> coordinates;
  std::vector<int> corners;
};

bool is_bound(double value, double above) {
  return value == 0 || (std::isfinite(value) && value > above);
}

bool is_head_fine(const ts_tetgen_question &head, std::size_t byte_count) {
  return std::memcmp(head.magic, TS_TETGEN_QUESTION, sizeof head.magic) == 0 &&
         head.vertex_count >= 4 && head.vertex_count <= TS_TETGEN_LARGEST_COUNT &&
         head.triangle_count >= 4 && head.triangle_count <= TS_TETGEN_LARGEST_COUNT &&
         head.byte_count == byte_count &&
         byte_count == sizeof head + 24 * head.vertex_count + 12 * head.triangle_count &&
         is_bound(head.quality_ratio, 1) && is_bound(head.max_volume_m3, 0) &&
         std::isfinite(head.time_limit_s) && head.time_limit_s > 0 && head.may_split_surface <= 1;
}

question parse(const std::vector<unsigned char> &bytes) {
  question q;
  if (bytes.size() < sizeof q.head)
    end(TS_TETGEN_EXIT_QUESTION);
  std::memcpy(&q.head, bytes.data(), sizeof q.head);
  if (!is_head_fine(q.head, bytes.size()))
    end(TS_TETGEN_EXIT_QUESTION);
  q.coordinates.resize(3 * q.head.vertex_count);
  std::memcpy(q.coordinates.data(), bytes.data() + sizeof q.head, 24 * q.head.vertex_count);
  for (double coordinate : q.coordinates)
    if (!std::isfinite(coordinate))
      end(TS_TETGEN_EXIT_QUESTION);
  std::vector<std::uint32_t> corners(3 * q.head.triangle_count);
  std::memcpy(corners.data(), bytes.data() + sizeof q.head + 24 * q.head.vertex_count,
              12 * q.head.triangle_count);
  for (std::uint32_t corner : corners) {
    if (corner >= q.head.vertex_count)
      end(TS_TETGEN_EXIT_QUESTION);
    q.corners.push_back(static_cast<int>(corner));
  }
  return q;
}

// TetGen's form of the surface: one facet a triangle. It borrows from the question and from the
// arrays made here, none of which is freed before the process ends.
tetgenio *make_input(question &q) {
  const int count = static_cast<int>(q.head.triangle_count);
  auto *in = new tetgenio;
  auto *polygons = new tetgenio::polygon[q.head.triangle_count];
  in->numberofpoints = static_cast<int>(q.head.vertex_count);
  in->pointlist = q.coordinates.data();
  in->numberoffacets = count;
  in->facetlist = new tetgenio::facet[q.head.triangle_count];
  for (int i = 0; i < count; i++) {
    polygons[i].vertexlist = &q.corners[3 * static_cast<std::size_t>(i)];
    polygons[i].numberofvertices = 3;
    in->facetlist[i] = {&polygons[i], 1, nullptr, 0};
  }
  return in;
}

// p: fill a surface. Y: do not split it. q: bound the shape of tets. J: keep vertices as they are
// counted. Q: be quiet. Numbers are set directly: no rounding on the way through text.
tetgenbehavior *make_behavior(const ts_tetgen_question &head) {
  char switches[16] = "pJQ";
  if (!head.may_split_surface)
    std::strcat(switches, "Y");
  const bool has_bounds = head.quality_ratio > 0 || head.max_volume_m3 > 0;
  if (has_bounds)
    std::strcat(switches, "q");
  auto *behavior = new tetgenbehavior;
  if (!behavior->parse_commandline(switches))
    end(TS_TETGEN_EXIT_BROKEN);
  // Facets that meet at a larger angle are split as one plane. By default that is 179.9 degrees,
  // and what a slightly bent surface encloses is lost; TetGen's arc cosine is exact to 1e-6
  // degrees.
  if (head.may_split_surface)
    behavior->facet_ang_tol = 180 - 1e-5;
  if (has_bounds)
    behavior->minratio = head.quality_ratio; // 0: TetGen has no bound then either
  if (head.max_volume_m3 > 0) {
    behavior->fixedvolume = 1;
    behavior->maxvolume = head.max_volume_m3;
  }
  return behavior;
}

void write_all(int output, const void *bytes, std::size_t count) {
  if (!ts_helper_write(output, bytes, count))
    end(TS_TETGEN_EXIT_BROKEN);
}

void write_answer(int output, const tetgenio &out) {
  if (out.numberofpoints < 0 || out.numberoftetrahedra < 0 ||
      (out.numberoftetrahedra > 0 && out.numberofcorners != 4))
    end(TS_TETGEN_EXIT_BROKEN);
  ts_tetgen_answer head = {};
  std::memcpy(head.magic, TS_TETGEN_ANSWER, sizeof head.magic);
  head.vertex_count = static_cast<std::uint64_t>(out.numberofpoints);
  head.tet_count = static_cast<std::uint64_t>(out.numberoftetrahedra);
  head.byte_count = sizeof head + 24 * head.vertex_count + 16 * head.tet_count;
  if (head.vertex_count > TS_TETGEN_LARGEST_COUNT || head.tet_count > TS_TETGEN_LARGEST_COUNT ||
      head.byte_count > TS_TETGEN_LARGEST_ANSWER)
    end(TS_TETGEN_EXIT_TOO_LARGE);
  static_assert(sizeof(REAL) == 8 && sizeof(int) == 4, "an answer has doubles and uint32_t");
  write_all(output, &head, sizeof head);
  write_all(output, out.pointlist, 24 * head.vertex_count);
  write_all(output, out.tetrahedronlist, 16 * head.tet_count);
}

} // namespace

int main(int count, char **) {
  if (count > 1) {
    std::fputs("touchstone-tetgen fills surfaces with tetrahedra for touchstone, through pipes; it "
               "takes no arguments. See TOUCHSTONE_TETGEN in docs/cases.md.\n",
               stderr);
    return 2;
  }
  std::set_terminate(end_by_exception);
  const int output = ts_helper_start(address_space_bytes);
  if (output < 0)
    end(TS_TETGEN_EXIT_BROKEN);
  question q = parse(read_question());
  ts_helper_limit(RLIMIT_CPU, static_cast<rlim_t>(std::fmin(q.head.time_limit_s, 1e9)) + 2);
  ts_helper_take_no_signals();
  auto *out = new tetgenio;
  tetrahedralize(make_behavior(q.head), make_input(q), out);
  write_answer(output, *out);
  end(TS_TETGEN_EXIT_OK);
}
