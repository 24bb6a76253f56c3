// SPDX-License-Identifier: MIT
/// The solids that more than one family of cases is built of. Each adds one shape to a scene and
/// gives its index. Lengths [m], at scale 1, y up.
///
/// How a surface is cut into triangles matters to the methods that look at triangles, so it is
/// given here and is that of the meshes of the published runs.
#ifndef TS_CASES_SHAPES_H
#define TS_CASES_SHAPES_H

#include "cases/scene/scene.h"

/// The faces of a hexahedron, in the order of ts_hexahedron_faces.
typedef enum ts_hexahedron_face {
  TS_FACE_LEFT,   ///< -x
  TS_FACE_RIGHT,  ///< +x
  TS_FACE_BOTTOM, ///< -y
  TS_FACE_TOP,    ///< +y
  TS_FACE_BACK,   ///< -z
  TS_FACE_FRONT,  ///< +z
  TS_FACE_COUNT
} ts_hexahedron_face;

/// The bit of a face in a set of faces.
#define TS_FACE_BIT(face) (1u << (face))

/// The vertices of a shape that make one of its features, counter-clockwise seen from outside when
/// they are a polygon.
typedef struct ts_corners {
  size_t count;
  uint32_t vertex[6];
} ts_corners;

/// The corners of each face of a hexahedron, from outside; the face is cut from the first to the
/// third of them.
extern const ts_corners ts_hexahedron_faces[TS_FACE_COUNT];

/// A solid with eight corners and six planar faces, placed like a box's: corner i is at +x when bit
/// 0 of i is set, at +y for bit 1, at +z for bit 2. Two triangles a face. The diagonals run
///   top     (-x, -z) to (+x, +z)     bottom  (+x, -z) to (-x, +z)
///   left    (-y, -z) to (+y, +z)     right   (+y, -z) to (-y, +z)
///   back    (-x, -y) to (+x, +y)     front   (-x, -y) to (+x, +y)
/// except for the faces of the set `turned`, where the other diagonal is taken.
ts_status ts_shape_hexahedron(int32_t *out, ts_scene *scene, const char *name,
                              const ts_vec3 corners[8], unsigned turned);

/// Box centred at the local origin; no face turned, so that stacked boxes show crossing diagonals.
ts_status ts_shape_box(int32_t *out, ts_scene *scene, const char *name, double width_x,
                       double height_y, double depth_z);

/// The same with some faces turned.
ts_status ts_shape_box_turned(int32_t *out, ts_scene *scene, const char *name, double width_x,
                              double height_y, double depth_z, unsigned turned);

/// The cube that cliff_edges and internal_edges put on top: a box with the top, bottom and front
/// faces turned. Its bottom diagonal runs along that of a box's top.
ts_status ts_shape_cube(int32_t *out, ts_scene *scene, const char *name, double side);

/// Frustum of a regular hexagon about the y axis, centred at half height. Rim vertices are at 0,
/// 60,
/// ... degrees from +x, counter-clockwise about +y, at the given circumradii. Caps are fans of six
/// triangles round a centre vertex; sides are cut from left-bottom to right-top. The shape counts
/// as conical.
ts_status ts_shape_hexagonal_frustum(int32_t *out, ts_scene *scene, const char *name,
                                     double radius_bottom, double radius_top, double height_y);

/// The caps of such a frustum.
extern const ts_corners ts_hexagon_bottom, ts_hexagon_top;

/// Half base and height of the spike and the wedge: flanks 3 : 1. Table 4 of Erleben 2018 gives
/// other lengths, and normals that belong to these.
#define TS_SPIKE_HALF_BASE_M 0.8
#define TS_SPIKE_HEIGHT_M    2.4

/// Pyramid with its tip at the local origin, pointing up, over a square base of half side
/// TS_SPIKE_HALF_BASE_M at y = -TS_SPIKE_HEIGHT_M.
ts_status ts_shape_spike(int32_t *out, ts_scene *scene);
extern const ts_corners ts_spike_tip;

/// What a case with a spike says of its ranges (ts_case_range): the four flanks stay alike, since
/// the planes of other ones, moved out by a method's envelope, have no tip in common.
#define TS_SPIKE_RANGES                                                                            \
  {"stretch_x", 1, 1}, {                                                                           \
    "stretch_z", 1, 1                                                                              \
  }

/// Roof with its ridge along z at y = 0, from z = -2 TS_SPIKE_HALF_BASE_M to +2
/// TS_SPIKE_HALF_BASE_M, over a rectangular base at y = -TS_SPIKE_HEIGHT_M. The local origin is the
/// middle of the ridge.
ts_status ts_shape_wedge(int32_t *out, ts_scene *scene);
extern const ts_corners ts_wedge_ridge;

/// The pose of a spike or wedge that points down with its tip, or the middle of its ridge, at
/// (x, 0, 0): turned by 180 degrees about x, exactly.
ts_pose ts_spike_pose_down(double x);

/// The four flanks of the spike as unit normals of the lower body, in the order +x, -x, +z, -z. The
/// wedge has the first two.
void ts_spike_flanks(ts_vec3 out[4]);

/// Adds a joint whose features are given as vertices of the two bodies' shapes; the other members
/// are taken from `joint`.
ts_status ts_shape_join(ts_scene *scene, const ts_joint *joint, const ts_corners *a,
                        const ts_corners *b);

/// The joint of two faces with one normal (in the frame of a), right for every reference.
ts_status ts_shape_join_faces(ts_scene *scene, int32_t body_a, const ts_corners *a, int32_t body_b,
                              const ts_corners *b, ts_vec3 normal_local);

#endif
