// SPDX-License-Identifier: MIT
#include "ldi/egl_shaders.h"

#include "geometry/tolerances.h"
#include "ldi/backend.h"

#define TEXT_OF(x) #x
#define TEXT(x)    TEXT_OF(x)

_Static_assert(TS_LDI_WEIGHT_BITS >= 33 && TS_LDI_WEIGHT_BITS < 62,
               "half the weight of a pixel is in the high half of a 64-bit number");

#define VERSION "#version 430 core\n"

#define DEFINE(name, value) "#define " name " " TEXT(value)

static const char definitions[] =                         //
    DEFINE("NONE", TS_EGL_NONE) "\n"                      //
    DEFINE("GROUP_SIDE_PX", TS_EGL_GROUP_SIDE_PX) "\n"    //
    DEFINE("GROUP_VERTICES", TS_EGL_GROUP_VERTICES) "\n"  //
    DEFINE("WEIGHT_BITS", TS_LDI_WEIGHT_BITS) "\n"        //
    DEFINE("SAME_DEPTH_PX", TS_LDI_SAME_DEPTH_PX) "lf\n"; // lf: not rounded to a float

// The numbers are those of the enumerations in egl_shaders.h.
static const char interface[] =
    "struct Crossing {\n"
    "  double depth;\n"
    "  uint id;\n" // as ts_ldi_crossing_id
    "  uint next;\n"
    "};\n"
    "layout(std430, binding = 0) buffer Positions { double positions[]; };\n"
    "layout(std430, binding = 1) readonly buffer Triangles { uint triangles[]; };\n"
    "layout(std430, binding = 2) coherent buffer Heads { uint heads[]; };\n"
    "layout(std430, binding = 3) buffer Crossings { Crossing crossings[]; };\n"
    "layout(location = 0) uniform ivec4 view;\n"
    "layout(location = 1) uniform uint capacity;\n"
    "layout(location = 2) uniform uint second;\n"
    "layout(location = 3) uniform uint first_group;\n"
    "#define AXIS view.x\n"
    "#define COLUMNS view.y\n"
    "#define ROWS view.z\n"
    "#define FIRST_ROW view.w\n";

static const char place[] =
    "layout(local_size_x = GROUP_VERTICES) in;\n"
    "layout(std430, binding = 6) readonly buffer Local { double local[]; };\n"
    "layout(location = 4) uniform dvec4 affine[6];\n"
    "void main() {\n"
    "  uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;\n"
    "  uint vertex = group * GROUP_VERTICES + gl_LocalInvocationID.x;\n"
    "  if (3u * vertex >= uint(local.length()))\n"
    "    return;\n"
    "  dvec3 p = dvec3(local[3u * vertex], local[3u * vertex + 1u], local[3u * vertex + 2u]);\n"
    "  uint body = vertex < second ? 0u : 1u;\n"
    "  for (uint i = 0u; i < 3u; i++) {\n"
    "    dvec4 row = affine[3u * body + i];\n"
    // In the order of ts_ldi_affine_apply.
    "    precise double x = row.x * p.x + row.y * p.y + row.z * p.z + row.w;\n"
    "    positions[3u * vertex + i] = x;\n"
    "  }\n"
    "}\n";

// Depth is no part of the position, so that no plane clips it. Pixel centre i of the grid is at
// i + 1/2 of the window.
static const char vertex[] =
    "void main() {\n"
    "  uint at = 3u * uint(gl_VertexID);\n"
    "  double column = positions[at + uint((AXIS + 1) % 3)];\n"
    "  double row = positions[at + uint((AXIS + 2) % 3)] - double(FIRST_ROW);\n"
    "  gl_Position = vec4(float((2.0lf * column + 1.0lf) / double(COLUMNS) - 1.0lf),\n"
    "                     float((2.0lf * row + 1.0lf) / double(ROWS) - 1.0lf), 0.0, 1.0);\n"
    "}\n";

// Columns are to the right and rows upwards, so that the axis of the view points at the reader of
// the window: a triangle seen counter-clockwise has its outside there, and the line leaves. The
// counter stops at 2^31, far above any capacity, and so never comes round to 0.
static const char collect[] =
    "layout(binding = 0, offset = 0) uniform atomic_uint crossing_count;\n"
    "void main() {\n"
    "  uint at = atomicCounterIncrement(crossing_count);\n"
    "  if (at >= capacity) {\n"
    "    if (at >= 0x80000000u)\n"
    "      atomicCounterDecrement(crossing_count);\n"
    "    return;\n"
    "  }\n"
    "  uint triangle = uint(gl_PrimitiveID);\n"
    "  uint body = triangle < second ? 0u : 1u;\n"
    "  triangle -= body * second;\n"
    "  ivec2 pixel = ivec2(gl_FragCoord.xy);\n"
    "  crossings[at].id = triangle << 2 | body << 1 | (gl_FrontFacing ? 1u : 0u);\n"
    "  crossings[at].next = atomicExchange(heads[pixel.y * COLUMNS + pixel.x], at);\n"
    "}\n";

// ts_ldi_barycentric, with the corners turned so that the first is alone on its side of the row.
static const char barycentric[] =
    "struct Corner {\n"
    "  double column, row, depth;\n"
    "  uint vertex;\n"
    "};\n"
    "Corner corner_of(uint vertex) {\n"
    "  uint at = 3u * vertex;\n"
    "  return Corner(positions[at + uint((AXIS + 1) % 3)], positions[at + uint((AXIS + 2) % 3)],\n"
    "                positions[at + uint(AXIS)], vertex);\n"
    "}\n"
    // Weight of b where the edge from a to b crosses the row; .y: the column.
    "dvec2 edge_crossing(Corner a, Corner b, double row) {\n"
    "  bool is_forward = a.vertex < b.vertex;\n"
    "  double from_row = is_forward ? a.row : b.row, to_row = is_forward ? b.row : a.row;\n"
    "  double from = is_forward ? a.column : b.column, to = is_forward ? b.column : a.column;\n"
    "  precise double t = (row - from_row) / (to_row - from_row);\n"
    "  precise double column = from + t * (to - from);\n"
    "  return dvec2(is_forward ? t : 1.0lf - t, column);\n"
    "}\n"
    // The rasteriser snaps corners to a part of a pixel and may so take in a pixel beside a
    // triangle: the point of its rim closest to the pixel represents it.
    "dvec3 nearest_on_rim(Corner a, Corner b, Corner c, double row, double column) {\n"
    "  dvec2 x = dvec2(column, row);\n"
    "  dvec2 corners[4] = dvec2[4](dvec2(a.column, a.row), dvec2(b.column, b.row),\n"
    "                              dvec2(c.column, c.row), dvec2(a.column, a.row));\n"
    "  double smallest = 0.0lf;\n"
    "  dvec3 weights = dvec3(0.0lf);\n"
    "  for (int i = 0; i < 3; i++) {\n"
    "    dvec2 edge = corners[i + 1] - corners[i], off = x - corners[i];\n"
    "    double length2 = dot(edge, edge);\n"
    "    double t = length2 > 0.0lf ? clamp(dot(off, edge) / length2, 0.0lf, 1.0lf) : 0.0lf;\n"
    "    dvec2 rest = off - t * edge;\n"
    "    double distance2 = dot(rest, rest);\n"
    "    if (i == 0 || distance2 < smallest) {\n"
    "      smallest = distance2;\n"
    "      weights = i == 0   ? dvec3(1.0lf - t, t, 0.0lf)\n"
    "                : i == 1 ? dvec3(0.0lf, 1.0lf - t, t)\n"
    "                         : dvec3(t, 0.0lf, 1.0lf - t);\n"
    "    }\n"
    "  }\n"
    "  return weights;\n"
    "}\n"
    "dvec3 barycentric(Corner a, Corner b, Corner c, double row, double column) {\n"
    "  bool a_below = a.row <= row, b_below = b.row <= row, c_below = c.row <= row;\n"
    "  if (a_below == b_below && b_below == c_below)\n"
    "    return nearest_on_rim(a, b, c, row, column);\n"
    "  uint odd = b_below == c_below ? 0u : a_below == c_below ? 1u : 2u;\n"
    "  Corner p = odd == 0u ? a : odd == 1u ? b : c;\n"
    "  Corner q = odd == 0u ? b : odd == 1u ? c : a;\n"
    "  Corner r = odd == 0u ? c : odd == 1u ? a : b;\n"
    "  dvec2 next = edge_crossing(p, q, row), previous = edge_crossing(p, r, row);\n"
    "  double t = previous.y == next.y ? 0.5lf : (column - next.y) / (previous.y - next.y);\n"
    "  if (t < 0.0lf || t > 1.0lf)\n"
    "    return nearest_on_rim(a, b, c, row, column);\n"
    "  double of_q = (1.0lf - t) * next.x, of_r = t * previous.x;\n"
    "  double of_p = (1.0lf - t) * (1.0lf - next.x) + t * (1.0lf - previous.x);\n"
    "  return odd == 0u   ? dvec3(of_p, of_q, of_r)\n"
    "         : odd == 1u ? dvec3(of_r, of_p, of_q)\n"
    "                     : dvec3(of_q, of_r, of_p);\n"
    "}\n"
    "struct Seen {\n"
    "  dvec3 depth, weight;\n"
    "  uvec3 vertex;\n"
    "};\n"
    "Seen see(uint id, ivec2 pixel) {\n"
    "  uint at = 3u * ((id >> 2) + ((id >> 1 & 1u) != 0u ? second : 0u));\n"
    "  Corner a = corner_of(triangles[at]), b = corner_of(triangles[at + 1u]),\n"
    "         c = corner_of(triangles[at + 2u]);\n"
    "  return Seen(dvec3(a.depth, b.depth, c.depth),\n"
    "              barycentric(a, b, c, double(FIRST_ROW + pixel.y), double(pixel.x)),\n"
    "              uvec3(a.vertex, b.vertex, c.vertex));\n"
    "}\n";

// By insertion, linking again: any number of layers, and no two crossings are equal in depth and
// id, so that the order does not depend on the order in which they came.
static const char sort[] =
    "layout(local_size_x = GROUP_SIDE_PX, local_size_y = GROUP_SIDE_PX) in;\n"
    "void main() {\n"
    "  ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);\n"
    "  if (pixel.x >= COLUMNS || pixel.y >= ROWS)\n"
    "    return;\n"
    "  int index = pixel.y * COLUMNS + pixel.x;\n"
    "  uint head = NONE;\n"
    "  for (uint at = heads[index]; at != NONE;) {\n"
    "    uint following = crossings[at].next, id = crossings[at].id;\n"
    "    Seen seen = see(id, pixel);\n"
    "    double depth = dot(seen.weight, seen.depth);\n"
    "    crossings[at].depth = depth;\n"
    "    uint before = NONE, after = head;\n"
    "    while (after != NONE &&\n"
    "           (crossings[after].depth < depth ||\n"
    "            (crossings[after].depth == depth && crossings[after].id < id))) {\n"
    "      before = after;\n"
    "      after = crossings[after].next;\n"
    "    }\n"
    "    crossings[at].next = after;\n"
    "    if (before == NONE)\n"
    "      head = at;\n"
    "    else\n"
    "      crossings[before].next = at;\n"
    "    at = following;\n"
    "  }\n"
    "  heads[index] = head;\n"
    "}\n";

// 64-bit whole numbers as two halves, low first, two's complement.
static const char whole_numbers[] =
    "layout(std430, binding = 4) coherent buffer Gradient { uint gradient[]; };\n"
    "uvec2 negate(uvec2 x) {\n"
    "  return uvec2(~x.x + 1u, ~x.y + (x.x == 0u ? 1u : 0u));\n"
    "}\n"
    "uvec2 add(uvec2 x, uvec2 y) {\n"
    "  uint low = x.x + y.x;\n"
    "  return uvec2(low, x.y + y.y + (low < y.x ? 1u : 0u));\n"
    "}\n"
    // Cut off towards zero.
    "uvec2 whole(double x) {\n"
    "  double size = abs(x), high = floor(size / 4294967296.0lf);\n"
    "  uvec2 number = uvec2(uint(size - high * 4294967296.0lf), uint(high));\n"
    "  return x < 0.0lf ? negate(number) : number;\n"
    "}\n"
    // Sums come out the same in any order: each carry of the low half is counted once.
    "void add_to_gradient(uint vertex, uvec2 x) {\n"
    "  if (x.x == 0u && x.y == 0u)\n"
    "    return;\n"
    "  uint at = 2u * (3u * vertex + uint(AXIS));\n"
    "  uint low = x.x == 0u ? 0u : atomicAdd(gradient[at], x.x);\n"
    "  uint high = x.y + (low + x.x < low ? 1u : 0u);\n"
    "  if (high != 0u)\n"
    "    atomicAdd(gradient[at + 1u], high);\n"
    "}\n"
    "void add_crossing(uint id, ivec2 pixel, bool is_high, int count) {\n"
    "  uvec2 weight = uvec2(0u, (1u << (WEIGHT_BITS - 32)) >> (count - 1));\n"
    "  double size = double(weight.y) * 4294967296.0lf;\n"
    "  if (!is_high) {\n"
    "    weight = negate(weight);\n"
    "    size = -size;\n"
    "  }\n"
    "  Seen seen = see(id, pixel);\n"
    "  uvec2 of_b = whole(seen.weight.y * size), of_c = whole(seen.weight.z * size);\n"
    // What is left, so that nothing is lost to rounding.
    "  add_to_gradient(seen.vertex.x, add(weight, negate(add(of_b, of_c))));\n"
    "  add_to_gradient(seen.vertex.y, of_b);\n"
    "  add_to_gradient(seen.vertex.z, of_c);\n"
    "}\n";

// ts_ldi_sweep_next over a list, and what the back ends make of its intervals.
static const char sweep[] =
    "layout(local_size_x = GROUP_SIDE_PX, local_size_y = GROUP_SIDE_PX) in;\n"
    "layout(std430, binding = 5) writeonly buffer Volumes { double volumes[]; };\n"
    "shared double partial[GROUP_SIDE_PX * GROUP_SIDE_PX];\n"
    "bool same_depth(double low, double high) { return high - low <= SAME_DEPTH_PX; }\n"
    "uint twin_exit(uint at, double depth, uint id) {\n"
    "  for (uint k = crossings[at].next; k != NONE; k = crossings[k].next) {\n"
    "    if (!same_depth(depth, crossings[k].depth))\n"
    "      break;\n"
    "    uint other = crossings[k].id;\n"
    "    if (((other ^ id) & 2u) != 0u && (other & 1u) != 0u)\n"
    "      return k;\n"
    "  }\n"
    "  return NONE;\n"
    "}\n"
    "double sweep_pixel(ivec2 pixel) {\n"
    "  ivec2 winding = ivec2(0);\n"
    "  uvec2 entered_id = uvec2(0u);\n"
    "  dvec2 entered_depth = dvec2(0.0lf);\n"
    "  double volume = 0.0lf, low = 0.0lf;\n"
    "  uint low_id = 0u, low_twin = 0u;\n"
    "  int low_count = 0;\n"
    "  for (uint at = heads[pixel.y * COLUMNS + pixel.x]; at != NONE; at = crossings[at].next) {\n"
    "    double depth = crossings[at].depth;\n"
    "    uint id = crossings[at].id;\n"
    "    bool is_second = (id & 2u) != 0u;\n"
    "    int inside = (is_second ? winding.y : winding.x) + ((id & 1u) == 0u ? 1 : -1);\n"
    "    int other_inside = is_second ? winding.x : winding.y;\n"
    "    if (is_second)\n"
    "      winding.y = inside;\n"
    "    else\n"
    "      winding.x = inside;\n"
    "    if ((id & 1u) == 0u) {\n"
    "      if (inside != 1)\n"
    "        continue;\n"
    "      if (is_second) {\n"
    "        entered_id.y = id;\n"
    "        entered_depth.y = depth;\n"
    "      } else {\n"
    "        entered_id.x = id;\n"
    "        entered_depth.x = depth;\n"
    "      }\n"
    "      if (other_inside < 1)\n"
    "        continue;\n"
    "      low = depth;\n"
    "      low_id = id;\n"
    "      low_twin = is_second ? entered_id.x : entered_id.y;\n"
    "      low_count = same_depth(is_second ? entered_depth.x : entered_depth.y, depth) ? 2 : 1;\n"
    "    } else if (inside == 0 && other_inside > 0 && !same_depth(low, depth)) {\n"
    "      volume += depth - low;\n"
    "      uint twin = twin_exit(at, depth, id);\n"
    "      int high_count = twin == NONE ? 1 : 2;\n"
    "      for (int i = 0; i < high_count; i++)\n"
    "        add_crossing(i == 0 ? id : crossings[twin].id, pixel, true, high_count);\n"
    "      for (int i = 0; i < low_count; i++)\n"
    "        add_crossing(i == 0 ? low_id : low_twin, pixel, false, low_count);\n"
    "    }\n"
    "  }\n"
    "  return volume;\n"
    "}\n"
    "void main() {\n"
    "  ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);\n"
    "  bool is_inside = pixel.x < COLUMNS && pixel.y < ROWS;\n"
    "  uint own = gl_LocalInvocationIndex;\n"
    "  partial[own] = is_inside ? sweep_pixel(pixel) : 0.0lf;\n"
    "  for (uint rest = GROUP_SIDE_PX * GROUP_SIDE_PX / 2; rest > 0u; rest /= 2u) {\n"
    "    barrier();\n"
    "    if (own < rest)\n"
    "      partial[own] += partial[own + rest];\n"
    "  }\n"
    "  if (own == 0u)\n"
    "    volumes[first_group + gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x] =\n"
    "        partial[0];\n"
    "}\n";

#define PIECES(...)                                                                                \
  (const char *const[]) {                                                                          \
    VERSION, definitions, interface, __VA_ARGS__, NULL                                             \
  }

const ts_egl_source ts_egl_place_shader = PIECES(place);
const ts_egl_source ts_egl_vertex_shader = PIECES(vertex);
const ts_egl_source ts_egl_collect_shader = PIECES(collect);
const ts_egl_source ts_egl_sort_shader = PIECES(barycentric, sort);
const ts_egl_source ts_egl_sweep_shader = PIECES(barycentric, whole_numbers, sweep);
