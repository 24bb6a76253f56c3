// SPDX-License-Identifier: MIT
#include "ldi/egl_display.h"

#include <dlfcn.h>
#include <link.h>
#include <string.h>

#define DEVICES_MAX 64
#define OBJECTS_MAX 256

#define PACKAGES "install libegl1 and libgl1-mesa-dri, or the driver of the graphics card"

static void find_functions(ts_egl_functions *f) {
#define FIND(type, member, name) f->member = (type)f->GetProcAddress(name)
  FIND(PFNEGLBINDAPIPROC, BindAPI, "eglBindAPI");
  FIND(PFNEGLCHOOSECONFIGPROC, ChooseConfig, "eglChooseConfig");
  FIND(PFNEGLCREATECONTEXTPROC, CreateContext, "eglCreateContext");
  FIND(PFNEGLDESTROYCONTEXTPROC, DestroyContext, "eglDestroyContext");
  FIND(PFNEGLINITIALIZEPROC, Initialize, "eglInitialize");
  FIND(PFNEGLMAKECURRENTPROC, MakeCurrent, "eglMakeCurrent");
  FIND(PFNEGLQUERYSTRINGPROC, QueryString, "eglQueryString");
  FIND(PFNEGLTERMINATEPROC, Terminate, "eglTerminate");
  FIND(PFNEGLGETPLATFORMDISPLAYEXTPROC, GetPlatformDisplay, "eglGetPlatformDisplayEXT");
  FIND(PFNEGLQUERYDEVICESEXTPROC, QueryDevices, "eglQueryDevicesEXT");
  FIND(PFNEGLQUERYDEVICESTRINGEXTPROC, QueryDeviceString, "eglQueryDeviceStringEXT");
#undef FIND
}

static bool has_core(const ts_egl_functions *f) {
  return f->BindAPI && f->ChooseConfig && f->CreateContext && f->DestroyContext && f->Initialize &&
         f->MakeCurrent && f->QueryString && f->Terminate;
}

static bool has_word(const char *words, const char *word) {
  size_t length = strlen(word);
  for (const char *at = words; at && (at = strstr(at, word)); at += length)
    if ((at == words || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
      return true;
  return false;
}

/// Makes a context on an initialised display, and makes it current.
static bool make_context(ts_egl_display *out, const ts_egl_functions *f, EGLDisplay display) {
  const char *extensions = f->QueryString(display, EGL_EXTENSIONS);
  if (!has_word(extensions, "EGL_KHR_surfaceless_context") || !f->BindAPI(EGL_OPENGL_API))
    return false;
  EGLConfig config = NULL; // EGL_NO_CONFIG_KHR
  if (!has_word(extensions, "EGL_KHR_no_config_context")) {
    static const EGLint wanted[] = {EGL_SURFACE_TYPE, 0, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT,
                                    EGL_NONE};
    EGLint count = 0;
    if (!f->ChooseConfig(display, wanted, &config, 1, &count) || count < 1)
      return false;
  }
  static const EGLint attributes[] = {EGL_CONTEXT_MAJOR_VERSION,
                                      4,
                                      EGL_CONTEXT_MINOR_VERSION,
                                      3,
                                      EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                      EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                      EGL_NONE};
  EGLContext context = f->CreateContext(display, config, EGL_NO_CONTEXT, attributes);
  if (context == EGL_NO_CONTEXT)
    return false;
  if (!f->MakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context)) {
    f->DestroyContext(display, context);
    return false;
  }
  out->display = display;
  out->context = context;
  return true;
}

/// Tries one display; `*was_there`: it exists, whatever it can do.
static bool open_display(ts_egl_display *out, bool *was_there, const ts_egl_functions *f,
                         EGLenum platform, void *native) {
  EGLDisplay display = f->GetPlatformDisplay(platform, native, NULL);
  if (display == EGL_NO_DISPLAY || !f->Initialize(display, NULL, NULL))
    return false;
  *was_there = true;
  if (make_context(out, f, display))
    return true;
  f->Terminate(display);
  return false;
}

/// Tries the devices: software renderers, or the others.
static bool open_device(ts_egl_display *out, bool *was_there, const ts_egl_functions *f,
                        bool is_software) {
  EGLDeviceEXT devices[DEVICES_MAX];
  EGLint count = 0;
  if (!f->QueryDevices || !f->QueryDeviceString || !f->QueryDevices(DEVICES_MAX, devices, &count))
    return false;
  for (EGLint i = 0; i < count; i++) {
    const char *extensions = f->QueryDeviceString(devices[i], EGL_EXTENSIONS);
    if (has_word(extensions, "EGL_MESA_device_software") == is_software &&
        open_display(out, was_there, f, EGL_PLATFORM_DEVICE_EXT, devices[i]))
      return true;
  }
  return false;
}

/// Shared objects of the process, in the order in which they were loaded.
typedef struct objects {
  size_t count;
  const char *names[OBJECTS_MAX]; ///< [count], up to OBJECTS_MAX
} objects;

static int note_object(struct dl_phdr_info *info, size_t size, void *context) {
  (void)size;
  objects *o = context;
  if (o->count < OBJECTS_MAX)
    o->names[o->count] = info->dlpi_name;
  o->count++;
  return 0;
}

static objects list_objects(void) {
  objects o = {0};
  dl_iterate_phdr(note_object, &o);
  return o;
}

/// Keeps loaded what was loaded since `before`. At its end a display lets go of its driver, whose
/// variables are then lost with the memory they hold, and whose loading is the better part of the
/// time that the next display takes.
static void keep_loaded(const objects *before) {
  objects now = list_objects();
  for (size_t i = before->count; i < now.count && i < OBJECTS_MAX; i++) {
    void *object = dlopen(now.names[i], RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
    if (object)
      dlclose(object);
  }
}

static ts_status load_library(ts_egl_display *out) {
  void *library = dlopen("libEGL.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return ts_fail(TS_SKIPPED, "%s: " PACKAGES, dlerror());
  void *symbol = dlsym(library, "eglGetProcAddress");
  // Not a cast: ISO C keeps pointers to functions and to data apart, dlsym does not.
  memcpy(&out->egl.GetProcAddress, &symbol, sizeof symbol);
  return symbol ? TS_OK : ts_fail(TS_SKIPPED, "libEGL.so.1 has no eglGetProcAddress: " PACKAGES);
}

/// Tries all displays, the better ones first.
static bool open_any(ts_egl_display *out, bool *was_there, const char *platforms,
                     bool hardware_only) {
  const ts_egl_functions *f = &out->egl;
  bool has_devices = has_word(platforms, "EGL_EXT_platform_device");
  if (has_devices && open_device(out, was_there, f, false))
    return true;
  if (hardware_only)
    return false;
  return (has_devices && open_device(out, was_there, f, true)) ||
         (has_word(platforms, "EGL_MESA_platform_surfaceless") &&
          open_display(out, was_there, f, EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY));
}

ts_status ts_egl_display_open(ts_egl_display *out, bool hardware_only) {
  *out = (ts_egl_display){0};
  objects before = list_objects();
  TS_TRY(load_library(out));
  ts_egl_functions *f = &out->egl;
  find_functions(f);
  const char *platforms = has_core(f) ? f->QueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS) : NULL;
  if (!platforms || !f->GetPlatformDisplay)
    return ts_fail(TS_SKIPPED, "libEGL.so.1 does not know platforms: " PACKAGES);
  bool was_there = false;
  if (open_any(out, &was_there, platforms, hardware_only)) {
    keep_loaded(&before);
    return TS_OK;
  }
  return was_there
             ? ts_fail(TS_SKIPPED, "no EGL device has OpenGL 4.3 without a display: " PACKAGES)
             : ts_fail(TS_SKIPPED, "EGL finds no device: " PACKAGES);
}

void ts_egl_display_close(ts_egl_display *display) {
  display->egl.DestroyContext(display->display, display->context);
  // Kept open it would be of no use to a process forked from this one: the driver's threads are
  // not copied, and the child would wait for them.
  display->egl.Terminate(display->display);
  *display = (ts_egl_display){0};
}

ts_status ts_egl_display_enter(const ts_egl_display *display) {
  display->egl.BindAPI(EGL_OPENGL_API);
  return display->egl.MakeCurrent(display->display, EGL_NO_SURFACE, EGL_NO_SURFACE,
                                  display->context)
             ? TS_OK
             : ts_fail(TS_E_UNSUPPORTED,
                       "the OpenGL context cannot be made current: use the cpu back end");
}

void ts_egl_display_leave(const ts_egl_display *display) {
  display->egl.BindAPI(EGL_OPENGL_API);
  display->egl.MakeCurrent(display->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
}
