// SPDX-License-Identifier: MIT
/// Surface-SAT (Erleben 2018, section 6): Volume-SAT, but only axes made by features of the surface
/// are looked at. An edge counts as one when a face of the same tet beside it is on the surface.
///
/// profile=prox2018: as in Volume-SAT.
#include "methods/tet/tet_bodies.h"
#include "methods/tet/tet_kernels.h"
#include "methods/tet/tet_sat.h"

/// Edges beside a face of the set; edges 01 02 03 12 13 23, face i opposite node i.
static uint8_t edges_of_faces(unsigned faces) {
  static const uint8_t edges_of_face[4] = {0x38, 0x26, 0x15, 0x0b};
  unsigned edges = 0;
  for (int f = 0; f < 4; f++)
    edges |= faces >> f & 1 ? edges_of_face[f] : 0u;
  return (uint8_t)edges;
}

void ts_tet_surface_sat(ts_tet_contacts *out, const ts_tet_pair *pair, ts_profile profile,
                        double size_m) {
  ts_tet_axes axes = {
      .faces = {pair->surface[0], pair->surface[1]},
      .edges = {edges_of_faces(pair->surface[0]), edges_of_faces(pair->surface[1])}};
  ts_tet_sat(out, pair, axes, profile, size_m);
}

TS_TET_METHOD(surface_sat,
              "Intersection points of tetrahedra, normal along the axis of least overlap among "
              "those made by features of the surface.",
              "Erleben 2018, section 6", .locality = TS_LOCALITY_LOCAL,
              .testing = TS_TESTING_SURFACE, .normals = TS_NORMALS_FEATURES,
              .instant = TS_INSTANT_DISCRETE, .exact = TS_SUPPORT_FULL,
              .continuous = TS_SUPPORT_FULL, .deformable = TS_SUPPORT_FULL,
              .topology = TS_SUPPORT_FULL, .limits = "looks at surfaces only")
