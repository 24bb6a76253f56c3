// SPDX-License-Identifier: MIT
/// A scene: bodies, and the truth of how they touch.
#ifndef TS_CASES_SCENE_H
#define TS_CASES_SCENE_H

#include "base/arena.h"
#include "geometry/mesh/body.h"
#include "geometry/mesh/broad_phase.h"
#include "geometry/mesh/mesh.h"

#include <stdbool.h>

/// Density that bodies get [kg/m3]: that of stone, as in Erleben 2018.
#define TS_SCENE_DENSITY_KG_M3 2000.0

/// Finest level of refinement.
#define TS_REFINEMENT_MAX 2

/// Which normals count as right.
typedef enum ts_reference {
  TS_REFERENCE_DESIGN,    ///< Right by construction and by the bodies' velocity. The default.
  TS_REFERENCE_PUBLISHED, ///< As Erleben 2018 scored: Table 8 mirrored, the arch by Eq. 6.
  TS_REFERENCE_FEASIBLE,  ///< Every normal that can be right.
  TS_REFERENCE_COUNT
} ts_reference;

typedef enum ts_region_kind {
  TS_REGION_POINT,   ///< 1 vertex
  TS_REGION_SEGMENT, ///< 2 vertices
  TS_REGION_POLYGON  ///< a flat place, by the corners of its convex hull, 3 vertices or more
} ts_region_kind;

/// A convex polygon.
typedef struct ts_polygon {
  size_t count;
  ts_vec3 *vertices; ///< [count] world [m]; counter-clockwise about the normal of its region
} ts_polygon;

/// A feasible normal of a region.
typedef struct ts_feasible {
  ts_vec3 normal; ///< Unit, world, from a to b.
  double gap_m;   ///< Signed gap of the two surfaces along it, the least in the region: 0 at exact
                  ///< touch.
  /// Where the surfaces are not parallel: by how much the gap grows per length, and where it is
  /// gap_m, in the world. Zero in a scene as designed.
  ts_vec3 gap_slope, gap_at;
} ts_feasible;

typedef struct ts_feasible_set {
  size_t count;
  ts_feasible *normals; ///< [count]
} ts_feasible_set;

/// A place where a pair touches.
typedef struct ts_region {
  int32_t body_a, body_b; ///< body_a < body_b
  ts_region_kind kind;
  bool needs_all; ///< All of the feasible normals are needed; false: any one of them is right.
  size_t vertex_count;
  ts_vec3 *vertices; ///< World [m]; counter-clockwise about the first feasible normal.
  /// Corners closer to the rest than the truth knows its place: a contact is right there, and none
  /// is needed. NULL: no corner.
  const bool *is_optional; ///< [vertex_count]
  /// Optional corners are those of arcs, and the others there stand for any that are spread as far:
  /// what three contacts anywhere around a disc stop for certain is what a disc of half the radius
  /// stops.
  bool has_arcs;
  /// Of a flat place that is less than its hull (a ring, an L, four feet): convex polygons that
  /// cover it. A contact is in the place where it is in one of them. The motions that the place
  /// stops are those that the corners of its hull stop, so that minimum and measure are the hull's.
  size_t piece_count; ///< 0: the place is the hull
  ts_polygon *pieces; ///< [piece_count]
  ts_feasible_set feasible[TS_REFERENCE_COUNT];
  /// Upper bound of how far off its place may be [m]: 0 as designed; where it was carried along,
  /// how far any point of b has moved against a.
  double place_error_m;
  /// Of bodies that overlap, the translation of b that leaves them touching, world [m]: the
  /// shortest way out, and the same in all regions of a pair. Zero where they touch or are apart,
  /// and where it is not known.
  ts_vec3 way_out;
} ts_region;

/// Gaps [m] that decide whether surfaces touch: up to `closed_m` they do, and a contact is needed;
/// above `open_m` they are apart, and none is. Between the two either is right.
typedef struct ts_touch_limits {
  double closed_m, open_m;
} ts_touch_limits;

/// Which corners of a region are counted.
typedef enum ts_corner_set {
  TS_CORNERS_CLOSED, ///< Where the surfaces touch: a contact is needed.
  TS_CORNERS_ALL     ///< Of all normals that are not open: a contact is right there.
} ts_corner_set;

/// How two bodies are made to touch: one convex feature of each (1 vertex: a point, 2: a segment, 3
/// and more: a planar polygon) that lie on each other as designed, and the normals that are right
/// there. The region follows from it wherever the bodies are, as long as they have only been
/// translated against each other, by little against their features. Segments that cross: a point.
/// Joints of one flat place that is not convex make one region of several pieces.
typedef struct ts_joint {
  int32_t body_a, body_b;
  size_t count_a, count_b;
  const ts_vec3 *feature_a_local, *feature_b_local; ///< At scale 1, whatever the scene's scale.
  bool needs_all;
  /// Joints of a pair that follow each other with the same number are of one flat place, in one
  /// plane with one normal; 0: a place of its own.
  int32_t place;
  /// Normals in the local frame of a, [count] each.
  size_t normal_count[TS_REFERENCE_COUNT];
  const ts_vec3 *normals_local[TS_REFERENCE_COUNT];
  /// Published reference is the direction between the centres of mass (Eq. 6), not a list.
  bool published_by_centres;
} ts_joint;

/// Where the tetrahedra inside the shapes come from.
typedef enum ts_tets_source {
  TS_TETS_TETGEN,    ///< TetGen fills the surfaces.
  TS_TETS_PUBLISHED, ///< The meshes of the published runs, cases/scene/published_tets.h.
  TS_TETS_COUNT
} ts_tets_source;

typedef struct ts_published_tets ts_published_tets; ///< cases/scene/published_tets.h
typedef struct ts_oracle_truth ts_oracle_truth;     ///< cases/truth/oracle_truth.h

/// Of a body whose local axes are its principal ones.
typedef struct ts_principal_mass {
  double mass_kg, inertia_kg_m2[3];
} ts_principal_mass;

/// A pair whose bodies have moved to where its truth is unknown.
typedef struct ts_unknown_pair {
  int32_t body_a, body_b;
  const char *reason;
} ts_unknown_pair;

typedef struct ts_scene {
  ts_arena *arena; ///< Owns all below; borrowed.
  double scale;
  ts_vec3 up; ///< Unit, against gravity: y, turned by the motion of the whole scene.
  /// How ts_shape_state_mesh cuts the shapes, whose own meshes stay as designed.
  int refinement; ///< 0 (none) to TS_REFINEMENT_MAX.
  ts_tets_source tets;
  const ts_published_tets **published_tets;  ///< [shape_count] with TS_TETS_PUBLISHED; else NULL
  const ts_principal_mass *published_masses; ///< [body_count] likewise, at scale 1
  /// Of each pair, methods on tets get the later body as a: as in the published run. Their contacts
  /// are flipped back, so that nothing else is affected.
  bool later_body_first;
  size_t shape_count, shape_capacity;
  ts_shape *shapes;
  size_t body_count, body_capacity;
  ts_body *bodies;
  size_t joint_count, joint_capacity;
  ts_joint *joints;
  size_t force_count, force_capacity;
  ts_force *forces; ///< [force_count] what acts beside gravity
  size_t region_count;
  ts_region *regions; ///< Sorted by (body_a, body_b); the regions of a pair follow each other.
  /// Where the bodies touch is unknown: the scene has no joints and no regions, though its bodies
  /// may touch, and measures that require the truth are NaN. Set by the case.
  bool truth_is_unknown;
  /// Of a scene whose truth is unknown: which motions are free, found by moving its bodies. NULL:
  /// not found, or the bodies have moved since.
  const ts_oracle_truth *oracle;
  /// The truth is known for bodies as designed only: noise on their centres makes it unknown. Set
  /// by the case.
  bool noise_hides_truth;
  bool stretch_hides_truth; ///< The same for a stretch of the scene. Set by the case.
  /// Distance within which surfaces touch, relative to the pair size: the same for the truth and
  /// for what is scored by it. TS_POSITION_RELATIVE, or more where the truth was found so.
  double touch_relative;
  /// The same up to which bodies that have moved touch and need a contact; TS_TOUCH_RELATIVE, or
  /// more where their poses are known less well. Between the two they may have one.
  double closed_relative;
  /// The truth was found where the bodies have moved to (cases/truth/moved_truth.h): corners that
  /// are apart by no more than touch_relative may have a contact and need none.
  bool truth_is_moved;
  size_t unknown_count;
  const ts_unknown_pair *unknown; ///< [unknown_count] sorted by (body_a, body_b)
  size_t excluded_count;
  /// [excluded_count] sorted: pairs that never touch (cases/scene/excluded_pairs.h)
  const ts_body_pair *excluded;
  const char *truth_note; ///< What people should know of how the truth was found; NULL: nothing.
} ts_scene;

/// An empty scene at scale 1 whose memory is `arena`'s.
ts_status ts_scene_create(ts_scene **out, ts_arena *arena);

/// Adds a shape (checked mesh, copied) and gives its index.
ts_status ts_scene_add_shape(int32_t *out, ts_scene *scene, const char *name,
                             const ts_vec3 *vertices, size_t vertex_count,
                             const uint32_t (*triangles)[3], size_t triangle_count);

/// The same of a mesh that was made in the scene's arena, and stays there.
ts_status ts_scene_add_mesh(int32_t *out, ts_scene *scene, const char *name, const ts_mesh *mesh);

/// Most triangles that are made for the primitives and the ground of a scene: some 400 MiB, and
/// ten seconds where spheres are fine.
#define TS_SCENE_MADE_TRIANGLES_MAX ((size_t)2000000)

/// Those that are made for each triangle of ground: of its sheet, and of the prism below it.
#define TS_GROUND_TRIANGLES_EACH ((size_t)8)

/// Whether a scene has room for its next shape, which `more` triangles have been or will be made
/// for; TS_E_INPUT.
ts_status ts_scene_check_room(const ts_scene *scene, size_t more);

/// Adds a primitive (geometry/mesh/primitive.h), whose mesh is off by `mesh_error_m` at most; the
/// geometry's own errors are set, and need not be. TS_E_INPUT as ts_primitive_tessellate.
ts_status ts_scene_add_primitive(int32_t *out, ts_scene *scene, const char *name,
                                 const ts_geometry *geometry, double mesh_error_m);

/// Adds a convex piece (checked mesh, copied) to a shape that is not convex, in the shape's frame
/// and at its scale. The shape's own vertices, taken as they are, keep its outer faces in their
/// planes. TS_E_INPUT, with the shape and the number of the piece, for a mesh that is refused, is
/// not convex or reaches out of the shape's box.
ts_status ts_scene_add_piece(ts_scene *scene, int32_t shape, const ts_vec3 *vertices,
                             size_t vertex_count, const uint32_t (*triangles)[3],
                             size_t triangle_count);

/// Finds the convex pieces of a shape, `count_max` (1 to TS_CONVEX_SPLIT_MAX) or fewer: exact where
/// that is enough, else approximate, with their error (geometry/convex/convex_split.h). Nothing for
/// a shape that is convex. A shape without tets is filled by TetGen. TS_E_INPUT, with the reason,
/// for more than TS_SPLIT_TRIANGLES_MAX triangles, and as ts_tetgen_fill and ts_convex_split_mesh;
/// TS_E_UNSUPPORTED without TetGen.
ts_status ts_scene_find_pieces(ts_scene *scene, int32_t shape, size_t count_max);

/// Whether the pieces of every shape that has some have their middles inside the shape, and volumes
/// that add up to the shape's (of approximate ones: with the error stated), within
/// TS_CONVEX_RELATIVE; TS_E_INPUT with the shape, and the piece
/// or both volumes, where they do not.
ts_status ts_scene_check_pieces(const ts_scene *scene);

/// Adds a body and gives its index. `name` is copied. TS_E_INPUT for a shape that does not exist,
/// and for ground (cases/scene/ground.h) that is not fixed.
ts_status ts_scene_add_body(int32_t *out, ts_scene *scene, const char *name, int32_t shape,
                            ts_pose pose, bool is_fixed);

/// Adds a force. TS_E_INPUT when its body does not exist or is fixed, or a number is not finite.
ts_status ts_scene_add_force(ts_scene *scene, const ts_force *force);

/// Adds a joint; arrays are copied. Features and normals as in ts_joint. When no published and no
/// feasible normals are given (count 0), the design normals are used. body_a < body_b.
ts_status ts_scene_add_joint(ts_scene *scene, const ts_joint *joint);

/// Computes the regions from the joints at the bodies' poses now: where the features project on
/// each other along the normal, midway between them, with the signed gap along each normal. A joint
/// whose features no longer project on each other makes no region.
ts_status ts_scene_resolve_truth(ts_scene *scene);

/// Multiplies every length by `scale` (meshes, poses, linear velocities, regions, gaps), then moves
/// the whole scene by `motion`; relative geometry stays. Forces are multiplied by scale^4: masses
/// grow with scale^3, and gravity in a simulation with scale, so that a scene moves alike at every
/// scale. For the same reason Young's modulus, a force over an area, is multiplied by scale^2;
/// damping, which is in times, stays.
ts_status ts_scene_transform(ts_scene *scene, double scale, ts_pose motion);

/// As ts_scene_carry, without regions.
ts_status ts_scene_move(ts_scene **out, ts_arena *arena, const ts_scene *built,
                        const ts_body *bodies);

/// The scene after its bodies have moved: `bodies` [built->body_count], copied, are where they are
/// now. Names, shapes and forces are shared with `built`, whose regions are carried along with the
/// first body of their pair, gaps and all, since bodies in motion have no designed truth: they
/// should touch where and in the direction in which they were designed to, as long as they move
/// little. The oracle's answers are dropped: they hold only for bodies at exact touch. `*out` and
/// all that is new are in the arena.
ts_status ts_scene_carry(ts_scene **out, ts_arena *arena, const ts_scene *built,
                         const ts_body *bodies);

/// The way out of a pair (ts_region); zero where it has none.
ts_vec3 ts_scene_pair_way_out(const ts_scene *scene, int32_t body_a, int32_t body_b);

/// Sorts by (body_a, body_b).
void ts_unknown_pairs_sort(ts_unknown_pair *pairs, size_t count);

/// First region of a pair and how many it has; count 0 when it does not touch in truth.
const ts_region *ts_scene_pair_regions(size_t *out_count, const ts_scene *scene, int32_t body_a,
                                       int32_t body_b);

/// The gap [m] along a feasible normal at a point of the region.
double ts_feasible_gap_at(const ts_feasible *feasible, ts_vec3 point);

/// Whether the surfaces touch along a feasible normal at a corner of a region, and a contact is
/// needed there.
bool ts_region_corner_is_closed(const ts_region *region, const ts_feasible *feasible, size_t corner,
                                ts_touch_limits limits);

/// Whether a normal of a region is apart everywhere, so that nothing touches along it: contacts
/// there are allowed and not needed. Happens to moved bodies only.
bool ts_feasible_is_open(const ts_feasible *feasible, ts_touch_limits limits);

/// Of a pair of this size: open above the scene's touch_relative; closed up to the same, but up to
/// its closed_relative where the truth is moved.
ts_touch_limits ts_touch_limits_of(const ts_scene *scene, double pair_size_m);
ts_touch_limits ts_region_limits(const ts_scene *scene, const ts_region *region);

/// Whether nothing touches in a region. One where any one normal does is between bodies that are
/// convex there: it is open as soon as one of its feasible normals is, whichever of them the
/// reference asks for, since the bodies are then apart.
bool ts_region_is_open(const ts_region *region, ts_reference reference, ts_touch_limits limits);

/// Number of normals of a region that must be met under a reference: all along which a corner is
/// closed, or one when any one does, 0 when none is.
size_t ts_region_needed_normals(const ts_region *region, ts_reference reference,
                                ts_touch_limits limits);

/// The minimum number of contacts that represents a region: over its needed normals, the corners
/// that are closed.
size_t ts_region_minimum(const ts_region *region, ts_reference reference, ts_touch_limits limits);

/// The minimum number of contacts that represents the corners of all regions [count] of a pair:
/// where corners of several are one place (within the limit of open), one contact there serves all
/// that its normal is right for (within TS_NORMAL_TOLERANCE). cases/scene/minimum.c says how, and
/// when it is exact.
size_t ts_regions_minimum(const ts_region *regions, size_t count, ts_reference reference,
                          ts_touch_limits limits, ts_corner_set corners);

/// Area [m2] of the hull, length [m], or 1 for a point.
double ts_region_measure(const ts_region *region);

/// Multiplies lengths by `scale`, then moves the region by `motion`.
void ts_region_transform(ts_region *region, double scale, ts_pose motion);

/// Gives a region arrays of its own, in the arena, for the ones that it has.
ts_status ts_region_copy(ts_region *region, ts_arena *arena);

/// Makes regions [count] of one pair, plane and normal one, the first: their hull, without corners
/// that deviate by no more than `tolerance_m`, with them as its pieces. The normals are those of
/// the largest one, of equals the first. In the arena; TS_E_MEMORY.
ts_status ts_region_join(ts_region *regions, size_t count, ts_arena *arena, double tolerance_m);

/// Largest absolute gap [m] along its normals at its corners, of all references.
double ts_region_largest_gap(const ts_region *region);

/// Distance [m] of a point from the region (the nearest piece), less half the largest absolute gap
/// and not below 0: a contact may be anywhere between the two surfaces.
double ts_region_distance(const ts_region *region, ts_vec3 point);

/// Truth in numbers, over all regions that need a contact, by the tolerance of touch of each pair
/// (ts_region_limits). All are 0 in a scene whose truth is unknown.
typedef struct ts_truth_totals {
  size_t pairs, regions, minimum;
  double area_m2, length_m;
  size_t points;
} ts_truth_totals;

ts_truth_totals ts_scene_truth_totals(const ts_scene *scene, ts_reference reference);

#endif
