// SPDX-License-Identifier: MIT
/// Every tolerance of the project, with its unit, what it is relative to and what breaks when it
/// changes. "Pair size" is the larger extent of the smaller body (ts_pair_size_m).
#ifndef TS_GEOMETRY_TOLERANCES_H
#define TS_GEOMETRY_TOLERANCES_H

/// Distance within which two features of bodies that are exact in double precision are taken to
/// touch by methods, relative to the pair size; of truth and scoring it is TS_POSITION_RELATIVE.
/// Rounding of a rigid motion is about 1e-15 of the coordinates, so that bodies 1e4 m from the
/// origin still touch at size 0.1 m. Smaller: exact touch is lost after a rigid motion. Larger:
/// real gaps close.
#define TS_TOUCH_RELATIVE 1e-9

/// How far a convex shape's faces may rise above their neighbours, relative to its extent, and its
/// convex pieces stand out of it or miss its volume: what single precision does to corners, and
/// files that print six digits. Smaller: boxes read from such files are not convex, and engines
/// that take convex bodies cannot be run on them. Larger: engines are given the hull of shapes that
/// have a dent which the truth tells from a face.
#define TS_CONVEX_RELATIVE 1e-6

/// Of solids that are split into convex pieces (geometry/convex/convex_split.h), over their extent:
/// how far points may be from a plane that cuts, and are on it. Smaller: faces whose corners are in
/// single precision leave shavings beside the cut. Larger: it comes up to TS_CONVEX_RELATIVE, and
/// parts reach over a cut by what makes them no longer convex.
#define TS_SPLIT_ON_RELATIVE 3e-7

/// Volume of the hull of a part above its own, over its own, up to which the part is convex: half
/// of what ts_scene_check_pieces() allows them all together. Smaller: parts of solids in single
/// precision are cut on and on. Larger: pieces called exact are refused.
#define TS_SPLIT_EXACT_RELATIVE (0.5 * TS_CONVEX_RELATIVE)

/// Most tetrahedra that are cut for one solid, planes tried and not taken included: some ten
/// seconds. Smaller: solids of 1e4 triangles have coarser pieces. Larger: takes longer; nothing
/// else depends on it.
#define TS_SPLIT_WORK ((size_t)4000000)

/// Most triangles of a solid that is split: some half a minute and 250 MiB. Larger: 4e4 take more
/// than a minute, and the work ends at fewer and coarser pieces than were asked for.
#define TS_SPLIT_TRIANGLES_MAX ((size_t)20000)

/// Pieces that a solid is split into at most where no other number is given. Smaller: curved solids
/// have coarser pieces. Larger: pairs of pieces, which grow with its square, take methods longer.
#define TS_SPLIT_COUNT 64

/// How far pieces stand out of a solid that they stand for is known to this, over its extent.
/// Smaller: takes longer. Larger: good pieces are called worse than they are.
#define TS_STAND_OUT_RELATIVE 1e-4

/// Steps after which the search for that ends with the bound it has: some seconds. Smaller: the
/// bound of many pieces is more than half too large. Larger: takes longer.
#define TS_STAND_OUT_STEPS ((size_t)100000)

/// How far the mesh of a sphere, capsule, cylinder or cone may be off when nothing is stated, and
/// the least that may be, relative to its radius. Smaller: more triangles than methods on meshes
/// are run on (1280 of a sphere; 5e5 at the least). Larger: they are judged with an allowance that
/// hides their own faults.
#define TS_TESSELLATION_RELATIVE     5e-3
#define TS_TESSELLATION_RELATIVE_MIN 1e-5

/// Cosine of the steepest angle to a common direction at which the triangles of static ground are
/// all closed along it. Smaller: the sheet below a steep part is thinner than a body that overlaps
/// it, which is let out through its back. Larger: more surfaces get a prism for each triangle,
/// which engines hit the walls of.
#define TS_SHEET_UP_COSINE 0.1

/// Least thickness of the box of a plane, relative to its extent: above TS_HULL_FLAT_RELATIVE,
/// below which it is no body. Larger: planes as wide as a scene with one body far away are refused.
#define TS_GROUND_FLAT_RELATIVE 1e-9

/// Of the largest extent of a body that moves: surfaces of static ground that lie closer behind
/// each other are one, the outer. Smaller: a soup that has its triangles twice, with noise, has a
/// sheet as thin as that. Larger: something fits in between.
#define TS_SHEET_LAYER_RELATIVE 1e-2

/// Sine of the angle below which two directions count as parallel where a cross product is to give
/// a normal. Never used to leave out an axis of an overlap test: an axis more is always safe, one
/// less reports overlap that is not there. Smaller: normals of nearly parallel edges are noise.
#define TS_PARALLEL_SINE 1e-7

/// Two contacts of one pair are the same when points and gaps differ by at most TS_SAME_POINT
/// (relative to the pair size) and normals by at most TS_SAME_NORMAL (length of the difference).
/// Smaller: one contact found from several neighbouring triangles is counted more than once after a
/// rigid motion. Larger: contacts that a fine mesh separates are lost.
#define TS_SAME_POINT_RELATIVE 1e-7
#define TS_SAME_NORMAL         1e-6

/// Difference of depths and of distances, relative to the pair size, and of areas, relative to its
/// square, up to which contacts are equally good choices of a reduced manifold. Smaller: rounding
/// picks which of the corners of a face are kept. Larger: of contacts that differ the shallower
/// may be kept.
#define TS_REDUCE_DEPTH_RELATIVE 1e-6

/// Deviation of a normal's length from 1 above which it is called invalid (not unit).
#define TS_UNIT_NORMAL 1e-6

/// Deviation of a quaternion's length from 1 up to which a file's is made unit: three digits of
/// each number are enough. Smaller: quaternions printed with few digits are refused. Larger: four
/// numbers that are no rotation pass for one.
#define TS_UNIT_QUATERNION 1e-3

/// Deviation up to which a quaternion counts as unit already and stays as it is, so that what was
/// written comes back to the bit. Rounding of a length is about 3e-16. Smaller: it does not come
/// back. Larger: bodies are stretched by twice that.
#define TS_UNIT_ROUNDING 1e-15

/// The tolerance of touch, relative to the pair size: surfaces that come this close touch in truth,
/// unless a scene says otherwise; a contact is where a region is when it is within this distance of
/// it, plus twice the envelope; a gap larger than this plus twice the envelope is ahead of the
/// touch. One for all three, so that no contact is in between. Smaller: poses out of a simulation
/// and coordinates in single precision (1e-7) do not touch. Larger: real gaps close.
#define TS_POSITION_RELATIVE 1e-6

/// Length of the sum of the area vectors of a pair's contacts, over the sum of their areas, up to
/// which they push in no direction and make no constraint together. Smaller: rounding chooses the
/// direction. Larger: bodies held from nearly all sides are not pushed.
#define TS_NO_PUSH 1e-9

/// |1 - |n.f|| up to which a normal n is the feasible normal f: the value that fits the published
/// Table 8 of Erleben 2018, about 0.8 degrees.
#define TS_NORMAL_TOLERANCE 1e-4

/// Relative size below which a triangle counts as degenerate: its smallest height against its
/// longest edge. Smaller: face normals become noise. Larger: valid slivers of fine meshes are
/// refused.
#define TS_DEGENERATE_TRIANGLE 1e-10

/// How far a point stands out of the hull of the others, relative to its extent, up to which the
/// hull of points is made without it. Smaller than 1.8 times TS_DEGENERATE_TRIANGLE: slivers
/// between points that are nearly one are refused as degenerate; smaller still: rounding of points
/// in a plane (1e-16) makes corners within faces. Larger: it comes up to TS_TOUCH_RELATIVE, and
/// exact touch is lost. Points in single precision (6e-8) stay, all of them.
#define TS_HULL_FLAT_RELATIVE 3e-10

/// Distance from the plane of a face of hull_clip, relative to the shape's extent, up to which its
/// triangles are in it: what TS_CONVEX_RELATIVE lets a convex body have. Smaller: flat faces with
/// corners in single precision fall apart, and contacts of the rest are lost. Larger: facets of
/// curved bodies become one.
#define TS_CLIP_FLAT_RELATIVE TS_CONVEX_RELATIVE

/// Distance from a plane, relative to the extent, up to which corners are in it: those of a
/// region's polygon, and of an open surface that messages call a flat sheet. Smaller: what files
/// with six digits have is not planar. Larger: contacts on a bent region are off its plane.
#define TS_POLYGON_PLANAR_RELATIVE 1e-5

/// Distance of the corners of a mesh file's polygon from its plane, relative to its extent, up to
/// which it is cut into triangles. Cut another way, its surface is elsewhere by twice that.
/// Smaller: quads of files with four digits are refused. Larger: the way they are cut makes gaps
/// and contacts that the file does not determine.
#define TS_POLYGON_BENT_RELATIVE 1e-3

/// Two face normals around a vertex are one plane when the sine of their angle is below this; used
/// where faces are offset exactly. Larger: slightly bent surfaces are offset as if flat.
#define TS_SAME_PLANE_SINE 1e-7

/// Cosine of the angle up to which a triangle within the plane of a patch's seed may be turned from
/// it. What is flat is decided by distance, so that slivers that noise has turned stay in their
/// patch; this only keeps the two sides of a sheet apart that is thinner than the distance.
/// Smaller: such sheets are one patch. Larger: slivers become patches of their own.
#define TS_PATCH_FOLD_COSINE 0.5

/// Cosine above a right angle from which on a generator of a cone brings a direction closer to it.
/// Smaller: rounding (1e-16) is chased. Larger: no effect, up to the angles that are tested.
#define TS_CONE_CLOSER_COSINE 1e-13

/// Angle [rad] within which semi_local takes a direction to be in a normal cone; where nothing is,
/// the second. The angle of a patch's normal is uncertain by its noise over its width. Smaller:
/// noise loses the only normal. Larger: normals that are only nearly extreme, of ridges that are
/// nearly parallel, are taken for alternatives. The second is also the angle within which two
/// normals at one place are one, and how deep a face reaches into a run before the run is wrong.
#define TS_SEMI_CONE_RAD      1e-4
#define TS_SEMI_CONE_WIDE_RAD 3e-3

/// Angle [rad] within which a normal is one of the feature that a contact is named after. Smaller:
/// contacts on surfaces that are flat only nearly are named after an edge nearby. Larger: the
/// normal is not in the normal cone of the feature for those who ask within one degree.
#define TS_FEATURE_NORMAL 0.01

/// Noise of the normals of a cone, over the angle within which a direction is in it: of semi_local
/// 2e-5, what coordinates in single precision at five sizes from the origin do to the sides of a
/// plate that is a thirtieth as wide as the body is long. Twice that off opposite is opposite.
/// Smaller: the two sides of a plate span half a plane, and the normals of other faces seem to be
/// among theirs. Larger: the ridge of a blade of that angle has no normals but those of its sides.
#define TS_CONE_NOISE 0.2

/// Length of a sum of unit directions with factors, over the sum of the factors, up to which they
/// cancel out where truth asks for a direction between normals: the noise of normals of semi_local
/// above, for the same reasons.
#define TS_CONE_OPPOSITE 2e-5

/// Angle [rad] within which semi_local takes a normal to be a sum of those of a choice, which it
/// then serves, and half the opening of a round cone of velocities that may be left where others
/// imply a choice together: that of a motion which neither parts nor closes (TS_TWIST_SPEED).
/// Smaller: of choices that say the same within noise both are told, and each may take another
/// normal. Larger: blocked motions are let through.
#define TS_SEMI_IMPLIED_RAD 1e-3

/// Volume of three edges over the product of their lengths up to which a point is in the plane of a
/// triangle that closes it off. Smaller: rounding puts points on a face in or out. Larger: points
/// close to a face see none of it.
#define TS_WINDING_FLAT 1e-13

/// In snap lengths (semi_local's snap_relative): the minimum distance by which a corner of a region
/// protrudes; how near a feature is to a place even where the bodies fit exactly. Smaller: noise
/// makes corners. Larger: small steps and chamfers are taken for one place.
#define TS_SEMI_CORNER_SNAPS 10.0

/// How far a contact at a corner of a region moves at most, along a side of it, for each metre that
/// the corner protrudes more. Smaller: corners that protrude by as much as their side is long over
/// this are not reached. Larger: contacts dart along the sides of bodies that move smoothly.
#define TS_SEMI_CORNER_SPEED 100.0

/// Ratio of the distances of a corner from its neighbours, above which it slides from the one after
/// it. Smaller: rounding chooses, in the middle of sides. Larger: where two corners are close, one
/// comes from afar.
#define TS_SEMI_MUCH_NEARER 4.0

/// Distance, relative to the protrusion that makes a corner of a region, up to which two corners
/// are one. Smaller: rounding changes the last digit of contacts. Larger: contacts hop by that.
#define TS_SEMI_SAME_CORNER 1e-6

/// A region of two patches is at least this many times its misfit plus this many snap lengths wide;
/// what is narrower is two ridges that overlap, and is left to them. Smaller: overlapping ridges
/// make regions along the wrong faces. Larger: narrow bodies are not seen as lying flat, and get
/// contacts at their corners instead.
#define TS_SEMI_SLIVER_MISFITS 4.0
#define TS_SEMI_SLIVER_SNAPS   20.0

/// Two ridges are parallel when the sine between them times the length of the shorter one is below
/// this many snap lengths. Smaller: noise gives parallel ridges a normal. Larger: the only normal
/// of ridges that cross at a small angle is lost.
#define TS_SEMI_PARALLEL_SNAPS 2.0

/// A patch faces a corner when some patch of the corner has a normal with a cosine to its own below
/// this. Smaller: faces at a right angle, such as the end of a groove that a tip runs along,
/// determine how well the tip fits. Larger: none.
#define TS_SEMI_FACING_COSINE (-0.05)

/// Singular value, relative to the largest, below which planes through a place are one plane when a
/// point is moved onto all of them. Smaller: nearly parallel planes throw the point far away.
#define TS_SEMI_SAME_PLANES 0.05

/// Two planes are the sides of a thin plate when their normals have a cosine below this: 1 degree.
/// Smaller: the far side of a plate whose sides are not quite parallel draws points into the middle
/// of it. Larger: points slip off the ridges of blades.
#define TS_SEMI_FAR_SIDE_COSINE (-0.9998476951563913)

/// Steepest slope, gap over length, of the planes under a contact by which the lower hull of its
/// group is found. Smaller: contacts that only steeper planes support are lost. Larger: the area
/// below loses digits.
#define TS_SEMI_SLOPE_MAX 8.0

/// Area of the polygon of slopes of planes under a contact, of 256, up to which it is not on the
/// lower hull of its group. Smaller: rounding keeps contacts between others. Larger: contacts
/// hardly deeper than those around are lost.
#define TS_SEMI_SLOPES_AREA 1e-13

/// Contacts of a group up to which those between two others are looked for, in cubic time. Larger:
/// slow. Smaller: noise leaves contacts in the middle of straight ridges.
#define TS_SEMI_LINES_MAX 32

/// Area over extent, in snap lengths, above which two triangles lie on each other: less is a line
/// that triangles side by side share. Smaller: rounding makes regions along such lines. Larger:
/// pieces of fine meshes are lost, and regions fall apart.
#define TS_SEMI_PIECE_SNAPS 1e-3

/// A body is entered through the faces of a place whose normals have a cosine above this to the way
/// out: 46 degrees. How deep it may be entered is how thick it is behind them. Smaller: faces at a
/// right angle to the way out limit it. Larger: no face does, and the far sides of plates count.
#define TS_SEMI_ENTERED_COSINE 0.7

/// In snap lengths: how far below the line between two others a contact may be and still be left
/// out. Smaller: rounding keeps contacts in the middle of straight ridges. Larger: the deepest
/// contact is lost.
#define TS_SEMI_LINE_SNAPS 0.1

/// Sine of the angle within which two axes of an overlap are one. Smaller: curved surfaces have too
/// many axes, which are none. Larger: the way out is that far off the best.
#define TS_SEMI_SAME_AXIS_SINE 1e-3

/// Length of the difference of the normals of two faces below which the edge between them has none
/// of its own that its faces do not have. Smaller: rounding (1e-16) makes ridges inside of flat
/// faces, which cost time. Larger: the shortest way out of finely meshed bodies is that much off.
#define TS_CONVEX_FLAT_RIDGE 1e-12

/// Rounding of the cosine between the cross product of two unit vectors, not made unit, and another
/// unit vector. An axis more is safe, one less loses the shortest way out. Smaller: ridges that are
/// nearly parallel, whose cross product is mostly rounding, are left out. Larger: slower.
#define TS_CONVEX_RIDGE_ROUNDING 1e-12

/// Difference of two depths, relative to the pair size, up to which they are one, and the direction
/// stays the one that a contact has. Smaller: rounding changes normals. Larger: nothing up to
/// TS_TOUCH_RELATIVE, by which the depth would be off.
#define TS_SEMI_SAME_DEPTH_RELATIVE 1e-10

/// Winding number above which a point is inside a body: half way between a point on a flat face and
/// one within. Smaller: points on a surface are inside. Larger: points close to it, which rounding
/// brings off 1, are not.
#define TS_SEMI_WITHIN_WINDING 0.75

/// Touches of two surfaces, each a corner of one on a triangle of the other, times the triangles of
/// both, up to which bodies that have contacts are asked whether they overlap all the same, with
/// their faces flush wherever they meet: some 10 ms. Smaller: such overlap of detailed bodies has
/// contacts that only touch. Larger: finely meshed bodies that rest on each other are slow.
#define TS_SEMI_FLUSH_LOOKS 100000

/// Where to look below a face beside a corner for overlap of bodies that are flush, over the
/// distance from the corner to the middle of a triangle: that far along and a tenth of that down;
/// if there is none, much closer. Smaller: rounding decides between inside and outside. Larger:
/// thin bodies are passed through.
#define TS_SEMI_BELOW       0.1
#define TS_SEMI_BELOW_CLOSE 1e-3

/// Cosine of the angle up to which alternatives around their mean are those of a smooth surface: 10
/// degrees. Smaller: the mean of genuine alternatives is reported where the velocity should select
/// one. Larger: coarse spheres get normals of their facets.
#define TS_SEMI_SMOOTH_COSINE 0.984807753012208

/// Width of a facet of a curve, relative to the extent of its shape: on a sphere facets that turn
/// by twice the angle above are 0.17 wide. Smaller: coarse spheres get normals of their facets.
/// Larger: the sides of a blunt roof or tip are smoothed away.
#define TS_SEMI_FACET_RELATIVE 0.2

/// How many such facets in a row, or around, make a curve. Smaller: a blunt boss of a few faces
/// does. Larger: the facets of a coarse fillet do not.
#define TS_SEMI_FACETS_MIN 8

/// How far beyond its gap a contact ahead of a touch may close, over that gap, that semi_local
/// leaves out because others imply it: whatever the motion within the range of gaps. Smaller: fine
/// meshes that nearly touch have hundreds of contacts. Larger: bodies that move by as much as the
/// gap get into each other by that much.
#define TS_SEMI_AHEAD_GAP 0.5

/// By how much less, over the most, a contact ahead of a touch may be missing that is kept with the
/// one that is missing most; for gaps, of the pair's size. Smaller: of contacts that mirror each
/// other rounding chooses one. Larger: more contacts.
#define TS_SEMI_AHEAD_TIE 1e-6

/// Angle [rad], over the relative tolerance of touch, within which the derived truth takes a
/// direction to be in a normal cone, at least TS_PARALLEL_SINE; and ten times that where nothing
/// else is, for two faces that lie on each other, for directions that are sums of others and for
/// what may be left where terms imply another one together (ts_term_is_implied). A normal is
/// uncertain by the tolerance over the width of its face. Smaller: noise on narrow faces makes
/// bodies overlap. Larger: ridges that cross at a small angle count as parallel.
#define TS_DERIVED_ANGLE_TOUCHES 100.0

/// In tolerances of touch: how near surfaces come that do not touch for the derived truth to say
/// so, and the tolerance that would make them. Smaller: a scene's noise is not seen. Larger: gaps
/// that are meant are told, and the corners of fine meshes beside a touch.
#define TS_DERIVED_NEAR_TOUCHES 100.0

/// Largest tolerance of touch that the derived truth takes, relative to the pair size. Larger: what
/// counts as touching is no longer small against the bodies, and the angles above are tenths of a
/// radian.
#define TS_DERIVED_TOUCH_MAX 1e-3

/// Angle [rad] within which a flat face or a straight line of an exact solid is looked at as one
/// that another solid may lie on: what touches is decided by distance, at its corners. As
/// TS_SEMI_CONE_RAD and 100 tolerances of touch. Smaller: faces that noise has turned touch in a
/// point. Larger: more is looked at, and normals closer than this are one.
#define TS_SOLID_FEATURE_RAD 1e-4

/// Area of the hull of two flat places above that of both, over that of both, up to which they are
/// one place: what the polygon around an arc stands out of it is less. Smaller: a disc over pieces
/// of a floor stays in pieces. Larger: narrow gaps count as touching.
#define TS_JOIN_AREA_RELATIVE 1e-4

/// Sine of the angle up to which two lines of exact solids may lie along each other: what touches
/// is decided by distance at the ends, and where they are by half of what they are beside each
/// other. Smaller: capsules that are nearly parallel, and touch all along within the tolerance,
/// touch in a point. Larger: the place is less well known.
#define TS_SOLID_PARALLEL_SINE 1e-3

/// Largest distance, relative to the offset, by which an offset vertex may miss one of its offset
/// planes before the offset is refused as not exact.
#define TS_OFFSET_RELATIVE 1e-6

/// Corner of a convex polygon is kept when it deviates from the chord of its neighbours by more
/// than this, relative to the pair size. Smaller: rounding makes extra corners, and the minimum
/// count of a region too large. Larger: real corners of perturbed bodies are lost.
#define TS_CORNER_RELATIVE 1e-9

/// How far a corner of a strip of an outline protrudes at least, in tolerances of the outline.
/// Beside a cut a corner protrudes by little more than the distance of the cut times the turn
/// there. Smaller: points where cuts cross straight edges far from the origin become corners.
/// Larger: corners of the outline that are near a cut are lost to all strips.
#define TS_OUTLINE_CORNER 1e-3

/// Angle [rad] within which a normal is equally close to two feasible normals, and within which of
/// perpendicular it counts as pointing to neither side. Smaller: on symmetric bodies rounding
/// decides which one is closest and whether a sideways normal is flipped. Larger: errors are
/// measured against the wrong one of two close feasible normals.
#define TS_SAME_DIRECTION_RAD 1e-9

/// Volume of a closed surface, relative to its area times its extent, up to which it encloses
/// nothing. Rounding of the sum over the triangles is about 1e-16. Smaller: a sheet folded on
/// itself passes as a solid. Larger: valid thin plates are refused.
#define TS_FLAT_VOLUME_RELATIVE 1e-13

/// Volume of a tet over its longest edge cubed (0.118 of a regular one) up to which it is too flat
/// to be an element of a deformable body: it is as much stiffer than a regular one of its size as
/// it is flatter, and rounding of its strain grows likewise. Smaller: it takes the digits that
/// TS_PIVOT_RELATIVE needs, and bodies are refused as not definite, which does not name the tet.
/// Larger: slivers of mesh generators (1e-4) are refused.
#define TS_TET_FLAT_RELATIVE 1e-6

/// Pivot of a Cholesky factor over the entry of the diagonal it is left of, up to which a system
/// counts as singular. Rounding leaves 1e-16 to some 1e-14 of it, with either sign; a beam of 100
/// by 1 elements that is clamped at one end has 1e-6. Smaller: bodies that nothing holds get
/// displacements that are noise. Larger: soft modes that have some digits left are refused.
#define TS_PIVOT_RELATIVE 1e-12

/// Difference between the volume of all tets and that of the surface they fill, relative to the
/// latter. Smaller: meshes read from rounded text are refused. Larger: a missing sliver passes.
#define TS_TET_FILL_RELATIVE 1e-9

/// How far from its source heat is used, in square roots of the time that it has flowed for: it
/// falls by a factor of e with each, and by 1e-13 in all. Smaller: distances on fine meshes are
/// smoother than they need be. Larger: where triangles are obtuse, the direction to the source is
/// that of rounding (1e-16).
#define TS_HEAT_REACH 30.0

/// Most pairs of a vertex of a contact zone and one around it that an anisotropic bulge is summed
/// over: about half a minute. Smaller: meshes of 1e5 vertices get isotropic bulges alone. Larger:
/// takes longer; nothing else depends on it.
#define TS_BULGE_WORK ((size_t)1000000000)

/// How exactly the boundary of a contact zone is found on an edge, over its length. Smaller: takes
/// longer, up to rounding. Larger: the slope of the deformed surface there is off by its curvature.
#define TS_ZONE_CUT_ACCURACY 1e-12

/// How close to an end of an edge the boundary of a contact zone may cut it, over its length;
/// closer ones are moved there. Smaller: the triangles of the cut are slivers whose shape is
/// rounding. Larger: the boundary is that far off, and jumps when it passes a vertex.
#define TS_ZONE_CUT_MIN 1e-6

/// Length of the angle-weighted mean of the unit face normals around a vertex (1: flat) below which
/// the vertex has no normal. Smaller: where sheets meet back to back, rounding picks a direction.
/// Larger: the tips of very sharp needles cannot be moved.
#define TS_VERTEX_NORMAL_LENGTH 1e-7

/// Rounding of box coordinates and of a rigid motion of them, relative to the largest coordinate in
/// play; bounding boxes this much apart count as touching. Smaller: boxes that touch exactly are
/// lost when they are turned or moved. Larger: pairs are visited for nothing.
#define TS_BOX_ROUNDING 1e-14

/// Rounding of a distance or a projected length, relative to the largest difference of coordinates
/// that went into it: a difference, three products and their sum. Smaller: features that touch are
/// searched on for a crossing, which costs time. Larger: a distance of zero comes out as this much.
#define TS_ROUNDING_RELATIVE 5e-16

/// The same where rigid motions have rounded the points before: relative to the largest coordinate
/// as given, or the sine of the angle between directions that were parallel. Each end of a length
/// carries about 1e-15. Smaller: tets that share a face are found apart. Larger: real gaps close,
/// at 2e-11 m when 1e4 m from the origin.
#define TS_MOTION_ROUNDING_RELATIVE 2e-15

/// Cosines of angles between faces that differ by no more are equal, so that the pair of faces
/// which lies closer is taken; those no further below zero are of faces at right angles. Rounding
/// of a rigid motion is about 1e-15. Smaller: rounding decides between two pairs that oppose each
/// other as well, and whether two sides of a box oppose. Larger: pairs that oppose better are not
/// seen.
#define TS_SAME_COSINE 1e-12

/// Grid that coordinates are rounded to before TetGen gets them, relative to a unit of the size of
/// bodies (ts_tetgen_options): 2^-40, far above the rounding of a scale and far below what TetGen
/// takes for coplanar (1e-8). Finer: rounding changes tets again. Coarser: flat faces bend.
#define TS_TETGEN_GRID 9.094947017729282379150390625e-13

/// The tolerances of methods/prox2018/, for floats: TS_REAL_TOLERANCE scales them to its numbers.
///
/// The one small number of the simulator PROX, whatever the size of the bodies: ten times the
/// rounding unit. Points that differ by less in each coordinate [m] are one; crosses of edges [m2]
/// and sines that are not larger give no axis; points must be inside edges, and may be in front of
/// faces, by that [m]. Any other value: counts of contacts differ from the published ones.
#define TS_PROX_SMALL 1.1920928955078125e-6

/// Margin of tests that only save work there: relative to the largest coordinate; for heights of
/// nodes [m]. Smaller: rounding makes them skip what PROX finds. Larger: slower.
#define TS_PROX_MARGIN 1e-4

/// TS_ROUNDING_RELATIVE and TS_MOTION_ROUNDING_RELATIVE there.
#define TS_PROX_ROUNDING        2.7e-7
#define TS_PROX_MOTION_ROUNDING 1.1e-6

/// Largest difference in each coordinate of points [m] and normals, and in gaps [m], up to which
/// the simulator PROX drops a contact that follows an equal one in its order, whatever the size of
/// the bodies: ten times the rounding unit of single precision. Only the published scoring uses it.
/// Any other value: counts of contacts differ from the published ones.
#define TS_PROX_SAME_CONTACT TS_PROX_SMALL

/// Sine above which a direction is clearly on one side of a plane, and ratio of a triangle's height
/// to its longest edge above which it is well shaped; then the feature closest to a point is known
/// without computing its distance. Smaller: too close to the rounding of the exact test, which
/// compares squared distances (1e-16). Larger: the exact test is needed more often.
#define TS_CLEARLY_CLOSEST_SINE   1e-3
#define TS_CLEARLY_CLOSEST_HEIGHT 1e-2

/// By how much the single-precision tests of features of blocks (block_filter.h) let more pass than
/// would meet, relative to the extent of the two bodies: they lose some 50 roundings of 6e-8.
/// Smaller: a contact is lost, maybe. Larger: exact tests are done for more that do not meet.
#define TS_BLOCK_ROUNDING 1e-5

/// Rounding of world points in single precision, relative to the largest coordinate in play: a
/// rotation, twelve roundings of 6e-8, and a translation. Smaller: tets that rounding brings into
/// touch are not looked at. Larger: pairs are visited for nothing.
#define TS_PROX_PLACEMENT_ROUNDING 2e-6

/// How far a triangle is taken to lie further out than it does when it is cut by the other body
/// (elastic/), relative to the pair size. Smaller: rounding of poses decides whether faces that are
/// flush are inside. Larger: overlaps less deep than this change.
#define TS_ELASTIC_FLUSH 1e-9

/// Length along which two pieces of surface have to lie on each other there to be connected, and
/// width or mean depth of a part of an overlap up to which it is a graze, relative to the pair
/// size. Smaller: rounding makes parts of its own. Larger: narrow overlaps fall apart or are lost.
#define TS_ELASTIC_JOIN 1e-8

/// What the surfaces around an overlap may lack of being closed, as the length of the integral of
/// their normals over their area, and what their contact surface may lack of covering them.
/// Triangles that count as moved by TS_ELASTIC_FLUSH leave 1e-9 to 1e-7. Smaller: thin overlaps are
/// refused. Larger: losses go unseen.
#define TS_ELASTIC_OPEN 1e-6

/// Length of an integral of normals over the integral of their lengths, up to which they cancel out
/// there. Smaller: rounding chooses a direction. Larger: blunt tips that are hardly more than
/// symmetric have none.
#define TS_ELASTIC_CANCEL 1e-9

/// Trace of the covariance of normals up to which a surface is flat there. Rounding of a normal
/// is 1e-15. Smaller: two flat sides are weighted by their rounding. Larger: slightly curved ones
/// are taken for flat.
#define TS_ELASTIC_FLAT_VARIANCE 1e-24

/// What connected pieces of a surface inside the other body have of area facing backwards along the
/// mapping direction, over what they have facing forwards, from which on the other body goes right
/// through. As seen along the direction, a rod through a plate has 1. Smaller: bodies whose sides
/// are nearly flush, and cross beside the contact, are refused. Larger: cones through a plate are
/// not.
#define TS_ELASTIC_THROUGH_SHARE 0.25

/// Cosine of the angle to the mapping direction, 80 degrees, from which on a surface is steep and
/// in no contact zone (Brunel 2021, section 4.4). Smaller: points move along the surface more than
/// across it. Larger: flanks are no contacts.
#define TS_ELASTIC_STEEP_COSINE 0.17364817766693034885

/// Distance of vertices from the plane of a patch whose contacts elastic_contact makes together,
/// relative to the shape's extent. Smaller: rounding cuts flat faces in their triangles. Larger:
/// slightly curved faces are taken for flat.
#define TS_ELASTIC_FLAT_RELATIVE 1e-7

/// Score up to which a place counts as within the zone, below the threshold; deviation of the score
/// up to which a surface has one score everywhere. Relative to the mean score. Smaller: rounding
/// cuts flat contacts. Larger: nothing up to the deviation of real surfaces.
#define TS_ELASTIC_SCORE_RELATIVE 1e-9

/// How far from the face of a tet a corner of a contact surface may be to lie in it, and not be cut
/// off by it, in pressure_field, relative to the pair size. Smaller: where surface and face lie in
/// one plane, rounding decides in which of the two tets at the face it is. Larger: polygons reach
/// into the next tet.
#define TS_PRESSURE_ON_RELATIVE 1e-11

/// Distance from the line between its neighbours, or from one of them, up to which a corner of a
/// polygon is none, and width up to which a polygon is nothing, in pressure_field, relative to the
/// pair size. Smaller: rounding makes corners and slivers. Larger: narrow patches are lost.
#define TS_PRESSURE_SAME_RELATIVE 1e-8

/// Cosine between the normal of a contact surface and the slope of a pressure, from which on the
/// depth is found along it. Smaller: where the two are at a right angle, which is usual beside
/// flush sides, rounding decides whether there is a contact, and depths exceed the bodies. Larger:
/// flanks of cones have no contacts. Drake keeps what is within 5/8 of half a turn, but has no
/// depths.
#define TS_PRESSURE_ALONG_COSINE 1e-3

/// Crossings of a line of sight within this distance [px] lie in the same depth, and an overlap no
/// longer than this is a touch. Coordinates of a pixel grid are rounded by 1e-9 px where the bodies
/// are 1e6 times their overlap from the origin. Smaller: rounding picks which of two surfaces in
/// one plane bounds the overlap, and pushes bodies sideways. Larger: overlaps that the depth could
/// resolve are lost.
#define TS_LDI_SAME_DEPTH_PX 1e-6

/// How far a surface must be from all of the other body, in whole quarters of a pixel at or above
/// each, for layered images to leave it out: more than one quarter in truth, far above
/// TS_LDI_SAME_DEPTH_PX. Smaller (1): surfaces in one plane may be left out, and their gradient is
/// one-sided. Larger: more is rendered that bounds no overlap.
#define TS_LDI_REACH_QUARTERS 2

/// A side of the overlap box may be longer than a whole number of pixels by this much [px] before a
/// further pixel is laid over it. Smaller: rounding adds a row of pixels to a box that is exactly
/// one pixel thick. Larger: nothing up to half a pixel, since the grid is centred.
#define TS_LDI_WHOLE_PX 1e-6

/// An overlap box whose longest side is below this, relative to the largest coordinate of its
/// corners, is a point. Smaller: the grid's pixels are finer than the coordinates' rounding.
/// Larger: small overlaps far from the origin are lost.
#define TS_LDI_BOX_RELATIVE 1e-12

/// Speed, of a unit twist (geometry/twist/twist_cone.h), above which bodies part and below minus
/// which they close; between them they slide. Smaller: contacts whose points or normals are right
/// up to rounding block slides. Larger: a normal half a degree off is not seen.
#define TS_TWIST_SPEED 1e-3

/// What rounding may add to the speed of a unit twist at a corner of two bodies (dimensionless; far
/// more than it does). Larger: more margins are worked out than need be; smaller: a bound could
/// contradict the margin.
#define TS_TWIST_ROUNDING 1e-9

/// Minimum cosine between the mean of some normals and each of them for the mean to lead away from
/// all of them. Smaller: slides are made by leaps of many times the twist's own length. Larger:
/// steep funnels have no slides.
#define TS_COMMON_SIDE_COSINE 1e-3

/// A row joins the active ones of a residual (ts_twist_row_residual) when its cosine with what is
/// left is above this. Smaller: rows that the active ones span already join, and rounding is all
/// that they add. Larger: the residual ends that much above the minimum.
#define TS_CONE_JOIN_COSINE 1e-9

/// A residual below this is rounding: the row is in the cone. Sums of six products of numbers up to
/// 1 are rounded by 1e-15. Smaller: contacts in the cone have a residual of 1e-14. Larger: nothing
/// up to what counts as a fault.
#define TS_CONE_RESIDUAL_ROUNDING 1e-13

/// How far the motion oracle moves a body, in lengths of its twist frame. Smaller: rounding of the
/// coordinates shows. Larger: the second order of a rotation, half of its square, is taken for an
/// overlap.
#define TS_ORACLE_STEP 1e-3

/// Depth of overlap over the step, above which a motion is blocked and below which it is free;
/// between them the oracle does not decide. A tip that enters a crack is met by tets less deep than
/// it goes, by up to half. Smaller: rotations are blocked by their second order. Larger: more is
/// left undecided.
#define TS_ORACLE_BLOCKED 5e-3
#define TS_ORACLE_FREE    1e-3

/// Depth over the distance gone, of a tip that enters a crack: the least that tets show. Smaller:
/// rounded coordinates hide that a step contradicts another. Larger: steps seem to contradict each
/// other where only a tip is met by thinner tets.
#define TS_ORACLE_SHALLOW 0.4

/// What a step is multiplied by to see whether a smaller one says the same, and the smallest step.
/// Rounding of the coordinates is 1e-16 to 1e-15, which is 1e-8 of the smallest one. Factor
/// smaller: steps that would settle it are passed over. Larger: the second order hardly changes,
/// and is not seen. Smallest step smaller: rounding shows. Larger: ridges that cross at less than a
/// thousandth of a degree are not settled.
#define TS_ORACLE_FINER    0.1
#define TS_ORACLE_STEP_MIN 1e-7

/// Minimum thickness of two bodies together, in steps of the motion oracle; a rim moves by twice
/// that. Smaller: a plate goes through another one and is free again.
#define TS_ORACLE_THICKNESS 3.0

/// Largest tolerance of touch that the motion oracle takes, relative to the pair size: bodies that
/// overlap by that much are 1e-3 of its step into each other (TS_ORACLE_FREE), all that it still
/// calls free. Larger: bodies that only touch are blocked in every direction.
#define TS_ORACLE_TOUCH_MAX 1e-6

/// How far from where they were built bodies may be for the truth there to be known
/// (cases/truth/moved_truth.h): the depth of an overlap, relative to the pair size; the angle by
/// which a normal of one body's face has turned against the other body, and one of faces of both.
/// Larger: the regions of the joints are not all that touches, and two faces of one normal no
/// longer agree on it. Smaller: pairs of a simulation that runs well have no truth.
#define TS_MOVED_DEPTH_RELATIVE 1e-2
#define TS_MOVED_TURN_RAD       (2.5 * 3.14159265358979323846 / 180)
#define TS_MOVED_TURN_BOTH_RAD  (1.0 * 3.14159265358979323846 / 180)

/// The largest tolerance, relative to the pair size, of corners where features of bodies that have
/// moved overlap; it is twice the motion when that is less. Smaller: equal faces that have slid a
/// little make slivers of corners. Larger: narrow overlaps are lost.
#define TS_MOVED_CORNER_RELATIVE 1e-3

/// How far off the place of a contact may be for each depth of an overlap at a moved pose: features
/// end where another surface cuts them. Smaller: right contacts of overlapping bodies are phantoms.
/// Larger: contacts beside narrow overlaps pass.
#define TS_MOVED_PLACE_PER_DEPTH 4

/// Angle up to which triangles belong to one face when the face of a normal is looked for. Smaller:
/// faces with coordinates in single precision fall apart. Larger: facets of a curve become one.
#define TS_MOVED_SAME_FACE_RAD 1e-5

/// How far from each other two contacts of consecutive steps may be to count as the same one:
/// relative to the pair size, to which the motion of the pair is added, and between their normals.
/// From 1e-3 to 5e-2 of the size the order of methods stays the same. Smaller: contacts that hop
/// are counted as gone. Larger: one is taken for its neighbour.
#define TS_COHERENCE_PLACE    1e-2
#define TS_COHERENCE_TURN_RAD (5 * 3.14159265358979323846 / 180)

/// Most of a pair's motion, relative to its size, that is added there. Smaller: contacts where
/// sides cross, which run ahead of fast bodies, are lost. Larger: where bodies fly apart every
/// contact is compared with every other.
#define TS_COHERENCE_FAST 0.1

/// Gap, relative to the pair size, up to which contacts count where the motions that consecutive
/// sets block are compared. Smaller: a set that loses what is about to touch looks the same.
/// Larger: what is far ahead of a touch counts.
#define TS_COHERENCE_NEAR 1e-3

/// Change of a contact, relative to what its bodies have moved, up to which it has not followed
/// them. Smaller: contacts that were stored in single precision have. Larger: contacts that move
/// with a body and tilt a little have not.
#define TS_COHERENCE_STALE 1e-3

/// Share of a pair's motion that has to be along a normal for its gap to be expected to change.
/// Smaller: contacts of bodies that slide are stale when their normals are off by little. Larger:
/// those of bodies that slide apart are not looked at.
#define TS_COHERENCE_ALONG 0.05

/// Largest jump, relative to the length of a path, of contacts that stand still. Smaller: rounding
/// has an order of continuity. Larger: sets that jump a little are called continuous.
#define TS_COHERENCE_STILL 1e-6

/// Relative to the depth of a contact of an engine: how far its point may be out of a body, or too
/// deep in it, for its depth there to say on which body it is. Smaller: the engine's triangles, in
/// single precision, no longer say it. Larger: a point beside a body counts as one on it.
#define TS_POINT_SLACK 0.05

/// Weight of a node in a point of a triangle that is taken for none: rounding of a nearest point is
/// 1e-15 of the triangle's size, more where that is a needle. Smaller: a contact on an edge between
/// clamped nodes throws the third node of the triangle far away. Larger: contacts lose the place.
#define TS_WEIGHT_ROUNDING 1e-9

/// |dq_exact|, over all nodes, relative to the largest extent of a deformable body at rest, below
/// which the step of a response has no error. Smaller: that of nothing but rounding of the contact
/// forces is reported. Larger: steps with light contacts have none.
#define TS_CORRECTION_LEAST_RELATIVE 1e-9

/// Distance of two shapes, relative to the size of the larger body, up to which they are the same:
/// rounding of a rigid fit is 1e-15. Smaller: bodies that are not deformed have errors of their
/// rounding. Larger: stiff bodies have none.
#define TS_SHAPE_ROUNDING 1e-12

/// Compliance of a contact along one direction over that along the other, of the two tangents,
/// below which it is taken for none: rounding of the principal compliances is 2e-16 of the larger.
/// Smaller: friction acts where rounding alone is displaced. Larger: contacts that yield very
/// unlike along the two have no friction along one.
#define TS_COMPLIANCE_ROUNDING 1e-14

/// Volume that two solids share, relative to their size and the area that they have above each
/// other, up to which it is rounding and told as 0 (geometry/distance/mesh_overlap.h). Smaller:
/// solids that lie on each other share 1e-17, with either sign. Larger: real overlaps vanish.
#define TS_OVERLAP_ROUNDING 1e-15

/// Volume that two bodies share, over the cube of the pair size, up to which they touch and do not
/// give way to each other: a tip that is 1e-4 deep, a face that is 1e-12. Smaller: bodies at exact
/// touch far from the origin are taken to overlap. Larger: tips are overlooked.
#define TS_DEFORM_TOUCH_RELATIVE 1e-12

/// Sine of the angle between an edge and a plane up to which the edge lies in it, for normal cones
/// of features. Smaller: meshes whose coordinates were floats have concave edges within flat faces.
/// Larger: shallow creases are flat.
#define TS_FLAT_EDGE_SINE 1e-6

/// Cosine of the angle to the normal of a face up to which a contact is along it, one degree.
/// Smaller angles: normals of eroded bodies, whose faces turn, are along none. Larger: contacts of
/// an edge that is almost flat are contacts of its faces.
#define TS_ALONG_FACE_COSINE 0.9998476951563913

/// How far from a point a feature of a mesh may be that a contact there is at, relative to the
/// pair's size: rounding of contacts that were found elsewhere. Larger: contacts close to a corner
/// are taken to be at it. Smaller: those of other programs at none.
#define TS_SAME_FEATURE_RELATIVE 1e-6

/// Angle between the faces of an edge above which sdf_samples looks it up; Newton leaves out edges
/// below 0.1 degrees. Smaller: edges within a flat face, whose faces differ by rounding, are looked
/// up for nothing. Larger: edges of finely divided curves have no contacts.
#define TS_SDF_SHARP_RAD     (0.1 * 3.14159265358979323846 / 180)
/// Distance of a unit wrench from the cone of others (geometry/twist/wrench_distance.h) from which
/// on two sets of contacts differ. Smaller: tets that TetGen cuts otherwise are differences where
/// contacts moved by a millimetre within a face. Larger: an edge that is taken for a face, 0.1
/// degrees off, passes.
#define TS_RELATION_DISTANCE 2e-3

#endif
