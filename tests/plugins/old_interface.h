// SPDX-License-Identifier: MIT
// The interface of plug-ins as its versions 1 and 2 had it: what a plug-in that was compiled then
// has inside. It stays as it is when methods/method.h grows. VERSION says which.
#include <stddef.h>
#include <stdint.h>

typedef int32_t ts_status;
enum { TS_OK = 0, TS_SKIPPED = 1, TS_E_INPUT = -1, TS_E_MEMORY = -2 };

typedef struct ts_vec3 {
  double x, y, z;
} ts_vec3;

typedef struct ts_quat {
  double w, x, y, z;
} ts_quat;

typedef struct ts_pose {
  ts_quat rotation;
  ts_vec3 translation;
} ts_pose;

typedef struct ts_twist {
  ts_vec3 linear_m_s, angular_rad_s;
} ts_twist;

typedef struct ts_mesh {
  size_t vertex_count;
  const ts_vec3 *vertices;
  size_t triangle_count;
  const uint32_t (*triangles)[3];
  const uint32_t *edge_twin;
  size_t tet_count;
  const uint32_t (*tets)[4];
  const uint8_t *tet_surface;
} ts_mesh;

enum { TS_FEATURE_NONE = 0, TS_FEATURE_VERTEX = 1, TS_FEATURE_EDGE = 2, TS_FEATURE_FACE = 3 };

typedef struct ts_feature {
  int32_t kind;
  uint32_t index;
} ts_feature;

typedef struct ts_contact {
  ts_vec3 point, normal;
  double gap_m, area_m2;
  ts_feature feature_a, feature_b;
#if VERSION >= 2
  uint32_t group, reserved;
#endif
} ts_contact;

enum { TS_PARAM_REAL = 0, TS_PARAM_INTEGER = 1, TS_PARAM_CHOICE = 2 };

typedef struct ts_param {
  const char *name, *summary;
  int32_t kind, is_length;
  double default_value, minimum, maximum;
  const char *const *choices;
} ts_param;

typedef struct ts_host ts_host;
struct ts_host {
  uint32_t abi, struct_size;
  void *(*alloc)(const ts_host *host, size_t bytes);
  void *(*scratch)(const ts_host *host, size_t bytes);
  ts_status (*push)(const ts_host *host, const ts_contact *contacts, size_t count);
  ts_status (*fail)(const ts_host *host, ts_status status, const char *message);
};

enum { TS_ENVELOPE_NONE = 0, TS_ENVELOPE_ERODED = 1, TS_ENVELOPE_DILATED = 2 };

typedef struct ts_envelope {
  int32_t kind, mode;
  double size_m, reach_m;
} ts_envelope;

typedef struct ts_pair {
  uint32_t struct_size;
  int32_t body_a, body_b;
  const ts_mesh *mesh_a, *mesh_b;
  ts_pose pose_a, pose_b;
  ts_twist twist_a, twist_b;
  ts_envelope envelope;
  double size_m;
} ts_pair;

enum { TS_GIVES_GAP = 1u << 0, TS_GIVES_AREA = 1u << 1, TS_GIVES_FEATURES = 1u << 2 };

typedef struct ts_taxonomy {
  int32_t locality, testing, exactness;
  uint32_t normals;
  int32_t instant, exact, continuous, deformable, topology;
  const char *limits;
} ts_taxonomy;

typedef struct ts_method {
  uint32_t abi, struct_size;
  const char *name, *summary, *source;
  uint32_t needs, gives;
  const ts_param *params;
  size_t param_count;
  ts_status (*envelope)(ts_envelope *out, const double *params);
  ts_status (*prepare_shape)(void **out, const ts_host *host, const ts_mesh *mesh,
                             const double *params);
  ts_status (*prepare_pair)(void **out, const ts_host *host, const ts_pair *pair,
                            const void *shape_a, const void *shape_b, const double *params);
  ts_status (*generate)(const ts_host *host, const ts_pair *pair, const void *shape_a,
                        const void *shape_b, void *pair_state, const double *params);
  void (*release_shape)(void *shape);
  void (*release_pair)(void *pair_state);
  const ts_taxonomy *taxonomy;
#if VERSION >= 2
  uint32_t keeps_state;
  const char *keeps_state_if;
#endif
} ts_method;

#define TS_METHOD_ABI VERSION

const ts_method *const *touchstone_methods(void);
