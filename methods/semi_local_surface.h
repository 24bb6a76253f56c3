/// The surfaces of both bodies around a place, and the candidates for a contact there.
#ifndef TS_METHODS_SEMI_LOCAL_SURFACE_H
#define TS_METHODS_SEMI_LOCAL_SURFACE_H

#include "methods/semi_pair.h"

/// Both bodies around a place.
typedef struct ts_semi_spot {
  ts_local_surface surface[2];
  uint32_t patches[2][TS_LOCAL_FACES_MAX];
  uint32_t triangles[2][TS_LOCAL_FACES_MAX]; ///< of each patch the one that is near
  ts_vec3 witness[2];                        ///< on each body
  int own_body;                              ///< whose corner it is; -1: an edge of each
  ts_feature own;                            ///< the corner
  double slack_m;
  bool is_full; ///< There are more patches than fit: the place is not small against the features.
} ts_semi_spot;

/// Adds a patch to a body's surface.
void ts_semi_spot_add(ts_semi_spot *spot, const ts_semi_pair *pair, int body, uint32_t patch,
                      uint32_t triangle);

/// Tells a spot which of a body's patches share an edge, however far: a tip that has come through
/// one side of a blade can leave through the other.
void ts_semi_spot_link(ts_semi_spot *spot, const ts_semi_pair *pair, int body);

/// The angle [rad] up to which a normal outside of a cone is taken to be in it where nothing is.
double ts_semi_widest_cone(const ts_semi_pair *pair);

/// Adds a place for each pair of runs that no region explains, with its candidates; none for a full
/// spot, whose overlap is left to ts_semi_find_deep().
ts_status ts_semi_spot_add_places(ts_semi_pair *pair, const ts_semi_spot *spot);

#endif
