// SPDX-License-Identifier: MIT
/// A headless EGL display with an OpenGL context: no window system, nothing linked.
#ifndef TS_LDI_EGL_DISPLAY_H
#define TS_LDI_EGL_DISPLAY_H

#include "base/status.h"

#include <stdbool.h>

#define EGL_NO_X11
#include <EGL/egl.h>
#include <EGL/eglext.h>

/// The functions of EGL; those of extensions may be NULL.
typedef struct ts_egl_functions {
  PFNEGLGETPROCADDRESSPROC GetProcAddress;
  PFNEGLBINDAPIPROC BindAPI;
  PFNEGLCHOOSECONFIGPROC ChooseConfig;
  PFNEGLCREATECONTEXTPROC CreateContext;
  PFNEGLDESTROYCONTEXTPROC DestroyContext;
  PFNEGLINITIALIZEPROC Initialize;
  PFNEGLMAKECURRENTPROC MakeCurrent;
  PFNEGLQUERYSTRINGPROC QueryString;
  PFNEGLTERMINATEPROC Terminate;
  PFNEGLGETPLATFORMDISPLAYEXTPROC GetPlatformDisplay;
  PFNEGLQUERYDEVICESEXTPROC QueryDevices;
  PFNEGLQUERYDEVICESTRINGEXTPROC QueryDeviceString;
} ts_egl_functions;

typedef struct ts_egl_display {
  EGLDisplay display;
  EGLContext context;
  ts_egl_functions egl;
} ts_egl_display;

/// Opens libEGL.so.1 and makes a context of OpenGL 4.3 or later, current in this thread: on the
/// first device that has one, graphics cards first, else on Mesa's surfaceless platform.
/// `hardware_only`: on graphics cards only. TS_SKIPPED, with a detail line that says what to
/// install, when there is none.
ts_status ts_egl_display_open(ts_egl_display *out, bool hardware_only);

/// Ends the context and the display. libEGL stays loaded: drivers leave things behind that must not
/// lose their code.
void ts_egl_display_close(ts_egl_display *display);

/// Makes the context current in this thread. TS_E_UNSUPPORTED when the driver refuses.
ts_status ts_egl_display_enter(const ts_egl_display *display);

/// Leaves no context current in this thread.
void ts_egl_display_leave(const ts_egl_display *display);

#endif
