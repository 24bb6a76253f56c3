// SPDX-License-Identifier: MIT
/// A scene whose bodies have given way to each other, before and after, as VTK XML and glTF files.
///
/// Write errors are left in the stream's error state; results are about memory only.
#ifndef TS_REPORTS_DEFORMED_H
#define TS_REPORTS_DEFORMED_H

#include "base/types.h"

#include <stdbool.h>
#include <stdio.h>

/// A body. Everything is borrowed; arrays are [mesh->vertex_count].
typedef struct ts_deformed_body {
  const char *name;
  const ts_mesh *mesh;           ///< as it is before, in its own frame
  ts_pose pose;                  ///< from the frame of the mesh to the world
  const ts_vec3 *before, *after; ///< world [m]
  const ts_vec3 *after_local;    ///< in the frame of the mesh
  const double *u, *eta;         ///< of ts_deform(); NaN where a vertex is part of no deformation
  const uint8_t *zone;           ///< 1 in the contact zone, else 0
} ts_deformed_body;

/// A convex polygon of a contact surface, counter-clockwise seen against its normal.
typedef struct ts_deformed_facet {
  int32_t body_a, body_b;
  bool is_in_zone;
  size_t first_corner, corner_count; ///< in ts_deformed_scene::corners
  ts_vec3 normal;                    ///< unit, world, from a to b
} ts_deformed_facet;

typedef struct ts_deformed_scene {
  const char *case_name;
  size_t body_count, facet_count, corner_count;
  const ts_deformed_body *bodies;  ///< [body_count]
  const ts_deformed_facet *facets; ///< [facet_count]: each surface, and its zone again
  const ts_vec3 *corners;          ///< [corner_count] world [m]
  const double *depths_m;          ///< [corner_count] of the overlap there, along the direction
} ts_deformed_scene;

/// before.vtp and after.vtp: the surfaces of all bodies. Point data: u, eta, zone, displacement
/// (from before to after, in both files); cell data: body.
void ts_vtk_write_deformed(FILE *file, const ts_deformed_scene *scene, bool is_after);

/// surface.vtp: the contact surfaces. Point data: depth_m; cell data: normal, zone, body_a, body_b.
void ts_vtk_write_contact_surfaces(FILE *file, const ts_deformed_scene *scene);

/// before.gltf and after.gltf: a group `bodies` with a named node for each body at its pose, and a
/// group `surface` with a mesh for each contact surface and one for each zone.
ts_status ts_gltf_write_deformed(FILE *file, const ts_deformed_scene *scene, bool is_after);

#endif
