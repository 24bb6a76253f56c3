// SPDX-License-Identifier: MIT
/// The shaders of the EGL back end, in GLSL 4.30.
///
/// Storage buffers, by binding (TS_EGL_BIND_*), and uniforms, by location (TS_EGL_UNIFORM_*), are
/// the same in all of them. Vertices and triangles of b follow those of a.
#ifndef TS_LDI_EGL_SHADERS_H
#define TS_LDI_EGL_SHADERS_H

enum {
  TS_EGL_BIND_POSITIONS, ///< double[3] by vertex: grid coordinates [px].
  TS_EGL_BIND_TRIANGLES, ///< uint[3] by triangle: vertices.
  TS_EGL_BIND_HEADS,     ///< uint by pixel: the first crossing of its list, or TS_EGL_NONE.
  TS_EGL_BIND_CROSSINGS, ///< ts_egl_crossing.
  TS_EGL_BIND_GRADIENT,  ///< uint[3][2] by vertex and axis: the halves of a 64-bit sum, low first.
  TS_EGL_BIND_VOLUMES,   ///< double by group of pixels [px3].
  TS_EGL_BIND_LOCAL      ///< double[3] by vertex: local position [m].
};

enum {
  TS_EGL_UNIFORM_VIEW,     ///< ivec4: axis, columns, rows, first row.
  TS_EGL_UNIFORM_CAPACITY, ///< uint: crossings there is room for.
  TS_EGL_UNIFORM_SECOND,   ///< uint: the first triangle (raster) or vertex (place) of body 1.
  TS_EGL_UNIFORM_GROUP,    ///< uint: the first group of this dispatch.
  TS_EGL_UNIFORM_AFFINE    ///< dvec4[6]: rows and offset from the local frame, of each body.
};

#define TS_EGL_NONE 0xffffffffu

/// Pixels along each side of a group, and vertices in a group of the placing.
#define TS_EGL_GROUP_SIDE_PX  8
#define TS_EGL_GROUP_VERTICES 64

/// Each shader is a NULL-terminated list of pieces.
typedef const char *const *ts_egl_source;

extern const ts_egl_source ts_egl_place_shader;   ///< Compute: local to grid coordinates.
extern const ts_egl_source ts_egl_vertex_shader;  ///< Grid coordinates to the window.
extern const ts_egl_source ts_egl_collect_shader; ///< Fragment: puts a crossing in a pixel's list.
extern const ts_egl_source ts_egl_sort_shader;    ///< Compute: depths, and lists in their order.
extern const ts_egl_source ts_egl_sweep_shader;   ///< Compute: volume and gradient.

#endif
