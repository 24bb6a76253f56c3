// SPDX-License-Identifier: MIT
/// The interface of a contact generator. Built-in methods and those of a plug-in use the same
/// struct. This header and the one it includes compile alone as C11 and as C++17 and need only the
/// C library.
#ifndef TS_METHODS_METHOD_H
#define TS_METHODS_METHOD_H

#include "base/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Version of this interface. A method of an older version keeps working: structs grow at their
/// end, and the contacts of version 1, which end before `group`, are read as such.
#define TS_METHOD_ABI 3

/// Longest name of a method or of one of its parameters [bytes]: names become columns, file names
/// and words on a command line.
#define TS_NAME_LENGTH_MAX 60

/// Services of the harness. The table grows at its end; check struct_size before using an entry
/// newer than your own header. Every function takes the host as its first argument and may only be
/// called from the thread that called the method.
typedef struct ts_host ts_host;
struct ts_host {
  uint32_t abi, struct_size;
  /// Zeroed memory that lives until the cell ends, aligned to 16 bytes; NULL when out of memory.
  /// For what the prepare functions create.
  void *(*alloc)(const ts_host *host, size_t bytes);
  /// Zeroed memory that lives until the method's function returns; NULL when out of memory. The
  /// same blocks serve each call, so that a warm call allocates nothing from the system.
  void *(*scratch)(const ts_host *host, size_t bytes);
  /// Reports contacts [count] of the current pair and copies them; only while generate() runs.
  /// Return a negative result as the result of generate().
  ts_status (*push)(const ts_host *host, const ts_contact *contacts, size_t count);
  /// Records a detail line (what is wrong, what to do) and returns `status`.
  ts_status (*fail)(const ts_host *host, ts_status status, const char *message);
};

/// The state in which a method wants its bodies.
typedef enum ts_envelope_kind {
  TS_ENVELOPE_NONE = 0,   ///< Touching as designed.
  TS_ENVELOPE_ERODED = 1, ///< Made smaller by size_m.
  TS_ENVELOPE_DILATED = 2 ///< Made larger by size_m.
} ts_envelope_kind;

/// Their words in columns and options, in this order: ts_envelope_words (methods/envelope.h).
#define TS_ENVELOPE_KIND_COUNT 3
#define TS_ENVELOPE_WORDS                                                                          \
  { "none", "eroded", "dilated" }

typedef enum ts_envelope_mode {
  TS_ENVELOPE_VERTICES = 0, ///< Vertices move along their angle-weighted normals.
  TS_ENVELOPE_FACES = 1     ///< Face planes move along their normals.
} ts_envelope_mode;

typedef struct ts_envelope {
  int32_t kind; ///< ts_envelope_kind
  int32_t mode; ///< ts_envelope_mode
  double size_m;
  /// Gap up to which the method reports contacts between the bodies in that state; the method gets
  /// at least the pairs that come this close.
  double reach_m;
} ts_envelope;

/// Two bodies that may touch.
typedef struct ts_pair {
  uint32_t struct_size;
  /// body_a < body_b, except that methods on tets get the order of the published run if the scene
  /// has its tets.
  int32_t body_a, body_b;
  const ts_mesh *mesh_a, *mesh_b; ///< Local frames, in the envelope's state.
  ts_pose pose_a, pose_b;         ///< Local to world.
  ts_twist twist_a, twist_b;      ///< World; of the local origins.
  ts_envelope envelope;
  double size_m; ///< The larger extent of the smaller body, as designed.
  /// Nonzero for a body that never moves. Check struct_size before using them: hosts up to version
  /// 3 of the interface may end before.
  int32_t is_fixed_a, is_fixed_b;
} ts_pair;

/// What a method requires.
enum {
  TS_NEEDS_CLOSED = 1u << 0,     ///< A closed surface (every mesh of touchstone is).
  TS_NEEDS_TETS = 1u << 1,       ///< Meshes filled with tetrahedra.
  TS_NEEDS_CONVEX = 1u << 2,     ///< Convex bodies.
  TS_NEEDS_GL = 1u << 3,         ///< OpenGL from the host, which has none: always skipped.
  TS_NEEDS_VELOCITY = 1u << 4,   ///< The bodies' twists.
  TS_NEEDS_PENETRATION = 1u << 5 ///< Overlap; finds nothing at exact touch.
};

/// What its contacts contain in addition to point and normal.
enum { TS_GIVES_GAP = 1u << 0, TS_GIVES_AREA = 1u << 1, TS_GIVES_FEATURES = 1u << 2 };

/// The bit of a kind of geometry in ts_method::takes.
#define TS_TAKES(kind) (1u << (kind))

/// How much of the two bodies a method considers for one contact (Erleben 2018, Table 1).
typedef enum ts_locality {
  TS_LOCALITY_UNSPECIFIED = 0,
  TS_LOCALITY_LOCAL = 1,      ///< One pair of elements or features.
  TS_LOCALITY_SEMI_LOCAL = 2, ///< Part of the surfaces.
  TS_LOCALITY_GLOBAL = 3      ///< All of both bodies.
} ts_locality;

typedef enum ts_testing {
  TS_TESTING_UNSPECIFIED = 0,
  TS_TESTING_SURFACE = 1, ///< Features of the surface.
  TS_TESTING_VOLUME = 2   ///< Volumetric elements.
} ts_testing;

typedef enum ts_exactness {
  TS_EXACTNESS_UNSPECIFIED = 0,
  TS_EXACTNESS_EXACT = 1,
  TS_EXACTNESS_APPROXIMATE = 2
} ts_exactness;

/// What normals are computed from; bits.
enum {
  TS_NORMALS_FEATURES = 1u << 0,        ///< Types of the features that meet.
  TS_NORMALS_CLOSEST_POINTS = 1u << 1,  ///< The vector between closest points.
  TS_NORMALS_IMPLICIT_FIELD = 1u << 2,  ///< The gradient of a field.
  TS_NORMALS_VOLUME_ELEMENTS = 1u << 3, ///< Points inside volumetric elements.
};

typedef enum ts_instant {
  TS_INSTANT_UNSPECIFIED = 0,
  TS_INSTANT_DISCRETE = 1,  ///< Poses at one instant.
  TS_INSTANT_CONTINUOUS = 2 ///< Motion, or a growth that represents it.
} ts_instant;

/// Whether a method can serve a use (Erleben 2018, Table 3).
typedef enum ts_support {
  TS_SUPPORT_UNSPECIFIED = 0,
  TS_SUPPORT_NONE = 1,   ///< Not possible.
  TS_SUPPORT_EFFORT = 2, ///< Possible with effort.
  TS_SUPPORT_FULL = 3    ///< Without changes.
} ts_support;

/// A method in the taxonomy of Erleben 2018, section 3. All zero: unspecified.
typedef struct ts_taxonomy {
  int32_t locality;  ///< ts_locality; Table 1
  int32_t testing;   ///< ts_testing; Table 5
  int32_t exactness; ///< ts_exactness, of the geometry; Table 5
  uint32_t normals;  ///< TS_NORMALS_*; Tables 3 and 5
  int32_t instant;   ///< ts_instant; Table 5
  /// ts_support; Table 3: exact geometry, continuous detection, deformable bodies, changes of
  /// topology.
  int32_t exact, continuous, deformable, topology;
  const char *limits; ///< A few words on its limitations; NULL: unspecified. Table 3.
} ts_taxonomy;

/// A contact generator. Functions return a ts_status and must not keep the pointers they are given,
/// except memory from the host's `alloc` and, until release, the mesh. `params` holds [param_count]
/// values, lengths already at the case's scale.
typedef struct ts_method {
  uint32_t abi, struct_size; ///< TS_METHOD_ABI, sizeof(ts_method)
  /// Registry key, [a-z0-9_]+, at most TS_NAME_LENGTH_MAX bytes; never renamed.
  const char *name;
  const char *summary;    ///< One sentence.
  const char *source;     ///< Paper and section, or project and version.
  uint32_t needs, gives;  ///< TS_NEEDS_*, TS_GIVES_*
  const ts_param *params; ///< [param_count]; NULL for none.
  size_t param_count;
  /// The wanted state of the bodies; NULL: TS_ENVELOPE_NONE, reach 0.
  ts_status (*envelope)(ts_envelope *out, const double *params);
  /// Work that depends on one shape only, done once for each shape; NULL: none, the state is NULL.
  ts_status (*prepare_shape)(void **out, const ts_host *host, const ts_mesh *mesh,
                             const double *params);
  /// Work that depends on the pair; NULL: none, the state is NULL. Done anew after the bodies have
  /// moved, except for a method that keeps state: then the state of a pair lives until the pair is
  /// out of reach. Its time counts as that of generate() if the contacts depend on the poses that
  /// it is given.
  ts_status (*prepare_pair)(void **out, const ts_host *host, const ts_pair *pair,
                            const void *shape_a, const void *shape_b, const double *params);
  /// Finds the contacts of the pair at its poses and pushes them; called repeatedly for timing,
  /// also at other poses, and must find the same contacts each time it is called at the same poses.
  /// No contact is TS_OK.
  ts_status (*generate)(const ts_host *host, const ts_pair *pair, const void *shape_a,
                        const void *shape_b, void *pair_state, const double *params);
  /// NULL if only the host's memory was used.
  void (*release_shape)(void *shape);
  void (*release_pair)(void *pair_state);
  /// NULL: unspecified.
  const ts_taxonomy *taxonomy;
  /// 1: the contacts may depend on the poses that the method was called at before, as those of a
  /// manifold that is kept from one time step to the next; it must still find the same contacts
  /// when called again at the same poses. 0: they depend on the arguments only.
  uint32_t keeps_state;
  /// With keeps_state 1, the name of a parameter: state is kept only where its value is not 0, for
  /// a choice not the first. NULL: whatever the parameters are.
  const char *keeps_state_if;
  /// TS_TAKES(): kinds of ts_geometry that the method works on: only shapes of these kinds have a
  /// ts_mesh::geometry. Of others it is given the triangles, and is allowed their stated error. 0
  /// for a method on meshes.
  uint32_t takes;
  /// With `takes`, the name of a parameter: triangles are given for all shapes where its value is
  /// 0, for a choice the first. NULL: whatever the parameters are.
  const char *takes_if;
} ts_method;

#if defined(__GNUC__)
#define TS_PLUGIN_EXPORT __attribute__((visibility("default")))
#else
#define TS_PLUGIN_EXPORT
#endif

/// The only symbol that a plug-in exports: its methods, in order, NULL-terminated. They and all
/// they point to must not change while the plug-in is loaded.
TS_PLUGIN_EXPORT const ts_method *const *touchstone_methods(void);

#ifdef __cplusplus
}
#endif

#endif
