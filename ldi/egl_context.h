// SPDX-License-Identifier: MIT
/// The one OpenGL context that all states of the EGL back end share: headless, loaded at run time.
///
/// A context costs tens of milliseconds and a scene may have hundreds of pairs, so there is one in
/// the process, counted by its users: made for the first, ended with the last. A lock lets one
/// thread at a time use it, and pairs may change threads; a context for each thread would tie a
/// pair to the thread that made it.
#ifndef TS_LDI_EGL_CONTEXT_H
#define TS_LDI_EGL_CONTEXT_H

#include "base/status.h"
#include "ldi/egl_functions.h"

#include <stdbool.h>

/// What a crossing is on the card; as in egl_shaders.c.
typedef struct ts_egl_crossing {
  double depth_px;
  uint32_t id, next;
} ts_egl_crossing;

/// A buffer on the card.
typedef struct ts_egl_buffer {
  GLuint name; ///< 0: none yet.
  size_t bytes;
} ts_egl_buffer;

/// The context while it is in use.
typedef struct ts_egl {
  ts_gl gl;
  GLuint place_program, raster_program, sort_program, sweep_program;
  size_t max_block_bytes; ///< The largest storage buffer a shader can see.
  bool is_hardware;       ///< False for software rendering on the processor.
  char device[160];       ///< Name of the renderer and version.
  /// Scratch that lasts for one call, shared by all states.
  ts_egl_buffer heads, crossings, answer;
} ts_egl;

/// Counts a user of the shared context, and makes it when this is the first. TS_SKIPPED, with a
/// detail line that says what to install, when EGL, a device or OpenGL 4.3 is missing;
/// TS_E_UNSUPPORTED in a process forked from one that has users, or has had any on a card.
/// `hardware_only`: software renderers are not considered.
ts_status ts_egl_acquire(bool hardware_only);

/// Gives it back; the last one ends the context.
void ts_egl_release(void);

/// Takes the lock and makes the context current; the caller has acquired it. TS_E_UNSUPPORTED in a
/// process forked since it was made, where drivers do not work.
ts_status ts_egl_begin(ts_egl **out);

/// Leaves no context current and releases the lock. Passes `status` on, or an error that OpenGL
/// has noted since ts_egl_begin when `status` is TS_OK.
ts_status ts_egl_end(ts_egl *egl, ts_status status);

/// The error that OpenGL has noted since the last check.
ts_status ts_egl_check(ts_egl *egl);

/// Room for `bytes` in a buffer, whose content is lost when it grows. TS_E_UNSUPPORTED above
/// max_block_bytes, TS_E_MEMORY when the card has no more.
ts_status ts_egl_reserve(ts_egl *egl, ts_egl_buffer *buffer, size_t bytes);

void ts_egl_buffer_delete(ts_egl *egl, ts_egl_buffer *buffer);

#endif
