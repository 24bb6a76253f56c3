// SPDX-License-Identifier: MIT
/// The files of an earlier motion in a folder that a new one goes into.
#ifndef TS_HARNESS_EARLIER_MOTION_H
#define TS_HARNESS_EARLIER_MOTION_H

#include "base/arena.h"
#include "reports/rows/file_set.h"

/// What the files of a motion are called: the animation; the two series, of which each has a
/// collection, with ".pvd", and frames (ts_film_name).
#define TS_MOTION_GLTF     "motion.gltf"
#define TS_MOTION_BODIES   "bodies"
#define TS_MOTION_CONTACTS "contacts"

/// Names, in the arena, of the files there that an export of a motion has written: the animation
/// and the collections first, then the frames that these name. Files of the same names that are not
/// ours are not among them, nor is a frame that no collection names. A folder that is not there has
/// none. TS_E_IO: a file cannot be read.
ts_status ts_earlier_motion(ts_earlier_files *out, ts_arena *arena, const char *folder);

#endif
