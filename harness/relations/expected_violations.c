// SPDX-License-Identifier: MIT
#include "harness/relations/expected_violations.h"

#include <stddef.h>
#include <string.h>

#define SWAP       (1u << TS_RELATION_SWAP)
#define MESH_ORDER (1u << TS_RELATION_MESH_ORDER)
#define MIRROR     (1u << TS_RELATION_MIRROR)
#define SPLIT      (1u << TS_RELATION_SPLIT)
#define SCALE      (1u << TS_RELATION_SCALE)
#define MOTION     (1u << TS_RELATION_MOTION)

#define FILLED_OTHERWISE                                                                           \
  "TetGen fills the same surface with other tets when its vertices come in another order, are "    \
  "mirrored or are more; with the tets given, their order does not matter."
#define NO_LONGER_FLAT                                                                             \
  "Bodies are eroded or dilated by their vertices: that in the middle of a face moves along the "  \
  "normal of the face, its corners along the mean of theirs, so that a face that is cut is no "    \
  "longer flat; by faces instead (erosion=faces, dilation=faces) nothing changes."
#define EDGES_IN_FACES                                                                             \
  "Its rules take edges of triangles for edges of the body, those within a flat face too: more "   \
  "of them give more contacts, in other directions."
#define LOOKS_ALONG_THE_AXES                                                                       \
  "Layered depth images are taken along the axes of the world over a box along those axes: what "  \
  "a body's pose is to them shows in the last pixel (Allard 2010, 3.2)."
#define NOTHING_SINGLES_ONE_OUT                                                                    \
  "Three normals are as good as each other and the bodies rest: it gives the one of the feature "  \
  "that comes first."
#define TAKES_ONE_OF_TWO                                                                           \
  "Where half a turn, or a mirror, exchanges two equal bodies and two axes that are equally "      \
  "good, "                                                                                         \
  "it takes the one that comes first by coordinates."
#define TAKES_ONE_FACE                                                                             \
  "A point that is on several faces of the other body has the normal of one of them, the first "   \
  "by "                                                                                            \
  "coordinates."
#define OTHER_POLYGONS                                                                             \
  "Its tets stand on the triangles: more of them cut the patch into other polygons, with other "   \
  "slivers along its rim."
#define ENDS_SOMEWHERE                                                                             \
  "Its direction is where an iteration ends, and its few points are those that it met: where "     \
  "bodies touch exactly several are as good, and which body and which vertex comes first, and "    \
  "rounding, choose."
#define TAKES_TRIANGLES                                                                            \
  "It goes through pairs of triangles in their order, up to its limit, and has a normal for each " \
  "pair: where bodies touch exactly rounding decides which of them meet, and in ties which "       \
  "triangle's normal it is."
#define LENGTHS_OF_ITS_OWN                                                                         \
  "Rounding is another one at another scale, which decides where bodies touch exactly, and some "  \
  "lengths are constants of the engine."

const ts_expected_violation ts_expected_violations[] = {
    {"closest_points", SPLIT, NO_LONGER_FLAT, NULL},
    {"closest_points_tets", SPLIT, NO_LONGER_FLAT, NULL},
    {"intersection", SPLIT, EDGES_IN_FACES, NULL},
    {"intersection_tets", SPLIT, EDGES_IN_FACES, NULL},
    {"intersection_tets", MESH_ORDER, FILLED_OTHERWISE, NULL},
    {"vertex_only", MESH_ORDER | MIRROR | SPLIT, FILLED_OTHERWISE, NULL},
    {"consistent_vertex", SPLIT, FILLED_OTHERWISE, NULL},
    {"volume_sat", MESH_ORDER | MIRROR | SPLIT, FILLED_OTHERWISE, NULL},
    {"surface_sat", MESH_ORDER | MIRROR | SPLIT, FILLED_OTHERWISE, NULL},
    {"growth", MESH_ORDER | MIRROR | SPLIT, FILLED_OTHERWISE, NULL},
    {"opposing", MESH_ORDER | MIRROR | SPLIT, FILLED_OTHERWISE, NULL},
    {"ldi_volume", SPLIT, NO_LONGER_FLAT, NULL},
    {"ldi_volume", MOTION, LOOKS_ALONG_THE_AXES, NULL},
    {"semi_local", MESH_ORDER, NOTHING_SINGLES_ONE_OUT, "balanced_tip"},
    {"elastic_contact", SPLIT, NO_LONGER_FLAT, NULL},

    {"hull_clip", MIRROR | MOTION, TAKES_ONE_OF_TWO, NULL},
    {"pressure_field", SPLIT, OTHER_POLYGONS, NULL},
    {"sdf_samples", SPLIT, NO_LONGER_FLAT, NULL},
    {"sdf_samples", MIRROR, TAKES_ONE_FACE, NULL},

    {"ode_trimesh", SWAP | MESH_ORDER | MIRROR | SPLIT | MOTION, TAKES_TRIANGLES, NULL},
    {"ode_trimesh", SCALE, LENGTHS_OF_ITS_OWN, NULL},
    {"bullet_hull", SWAP | MESH_ORDER | MIRROR | MOTION, ENDS_SOMEWHERE, NULL},
    {"bullet_hull", SCALE, LENGTHS_OF_ITS_OWN, NULL},
    {"bullet_gimpact", SWAP | MESH_ORDER | MIRROR | SPLIT | MOTION, TAKES_TRIANGLES, NULL},
    {"bullet_gimpact", SCALE, LENGTHS_OF_ITS_OWN, NULL},
    {"bullet_hull_f32", SWAP | MESH_ORDER | MIRROR | SPLIT | MOTION, ENDS_SOMEWHERE, NULL},
    {"bullet_hull_f32", SCALE, LENGTHS_OF_ITS_OWN, NULL},
    {"fcl_mesh", SWAP | MESH_ORDER | MIRROR | SPLIT | MOTION, TAKES_TRIANGLES, NULL},
    {"fcl_mesh", SCALE, LENGTHS_OF_ITS_OWN, NULL},
    {"fcl_convex", SWAP | MESH_ORDER | MIRROR | SPLIT | MOTION, ENDS_SOMEWHERE, NULL},
    {"fcl_convex", SCALE, LENGTHS_OF_ITS_OWN, NULL},
    {"libccd_gjk", SWAP | MESH_ORDER | MIRROR | MOTION, ENDS_SOMEWHERE, NULL},
    {"libccd_gjk", SCALE, LENGTHS_OF_ITS_OWN, NULL},
    {"libccd_mpr", SWAP | MESH_ORDER | MIRROR | SPLIT | MOTION, ENDS_SOMEWHERE, NULL},
    {"libccd_mpr", SCALE, LENGTHS_OF_ITS_OWN, NULL},
    {"mujoco", SWAP | MESH_ORDER | MIRROR | SPLIT | MOTION, ENDS_SOMEWHERE, NULL},
    {"mujoco", SCALE, LENGTHS_OF_ITS_OWN, NULL},
    {"mujoco_multiccd", SWAP | MESH_ORDER | MIRROR | SPLIT | MOTION, ENDS_SOMEWHERE, NULL},
    {"mujoco_multiccd", SCALE, LENGTHS_OF_ITS_OWN, NULL},
    {NULL, 0, NULL, NULL},
};

bool ts_expected_violation_is_of(const ts_expected_violation *row, const char *method,
                                 ts_relation_kind relation) {
  return (row->relations & (1u << relation)) != 0 && strcmp(row->method, method) == 0;
}

const ts_expected_violation *
ts_expected_violation_find(const char *method, ts_relation_kind relation, const char *case_name) {
  const ts_expected_violation *row = ts_expected_violations;
  while (row->method && !(ts_expected_violation_is_of(row, method, relation) &&
                          (!row->only || strcmp(row->only, case_name) == 0)))
    row++;
  return row->method ? row : NULL;
}
