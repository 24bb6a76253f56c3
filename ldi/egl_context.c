// SPDX-License-Identifier: MIT
#include "ldi/egl_context.h"

#include "ldi/egl_display.h"
#include "ldi/egl_shaders.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// What a framebuffer without attachments needs.
#define GL_MAJOR 4
#define GL_MINOR 3

// The only thing here that changes and is not in a state: see egl_context.h.
static struct {
  pthread_mutex_t lock;
  int user_count;
  pid_t process;      ///< That made the context.
  pid_t card_process; ///< That made the first one on a graphics card; 0: none has.
  ts_egl_display display;
  ts_egl egl;
} shared = {.lock = PTHREAD_MUTEX_INITIALIZER};

static ts_status load_functions(ts_gl *gl, const ts_egl_display *display) {
  const char *missing = NULL;
#define LOAD(type, name)                                                                           \
  gl->name = (type)display->egl.GetProcAddress("gl" #name);                                        \
  if (!gl->name)                                                                                   \
    missing = "gl" #name;
  TS_GL_FUNCTIONS(LOAD)
#undef LOAD
  return missing ? ts_fail(TS_SKIPPED,
                           "the OpenGL driver has no %s: install libgl1-mesa-dri or a newer driver "
                           "of the graphics card",
                           missing)
                 : TS_OK;
}

static ts_status check_shader(const ts_gl *gl, GLuint shader, const char *name) {
  GLint is_fine = 0;
  gl->GetShaderiv(shader, GL_COMPILE_STATUS, &is_fine);
  if (is_fine)
    return TS_OK;
  char log[600] = "";
  gl->GetShaderInfoLog(shader, sizeof log, NULL, log);
  return ts_fail(TS_E_UNSUPPORTED, "the OpenGL driver does not compile the %s shader: %s", name,
                 log);
}

static ts_status attach_shader(const ts_gl *gl, GLuint program, GLenum kind, ts_egl_source source,
                               const char *name) {
  GLsizei count = 0;
  while (source[count])
    count++;
  GLuint shader = gl->CreateShader(kind);
  gl->ShaderSource(shader, count, source, NULL);
  gl->CompileShader(shader);
  ts_status status = check_shader(gl, shader, name);
  if (status == TS_OK)
    gl->AttachShader(program, shader);
  gl->DeleteShader(shader); // lives on in the program
  return status;
}

static ts_status link_program(const ts_gl *gl, GLuint program, const char *name) {
  gl->LinkProgram(program);
  GLint is_fine = 0;
  gl->GetProgramiv(program, GL_LINK_STATUS, &is_fine);
  if (is_fine)
    return TS_OK;
  char log[600] = "";
  gl->GetProgramInfoLog(program, sizeof log, NULL, log);
  return ts_fail(TS_E_UNSUPPORTED, "the OpenGL driver does not link the %s program: %s", name, log);
}

static ts_status make_compute(GLuint *out, const ts_gl *gl, ts_egl_source source,
                              const char *name) {
  *out = gl->CreateProgram();
  TS_TRY(attach_shader(gl, *out, GL_COMPUTE_SHADER, source, name));
  return link_program(gl, *out, name);
}

static ts_status make_programs(ts_egl *egl) {
  const ts_gl *gl = &egl->gl;
  egl->raster_program = gl->CreateProgram();
  TS_TRY(attach_shader(gl, egl->raster_program, GL_VERTEX_SHADER, ts_egl_vertex_shader, "vertex"));
  TS_TRY(
      attach_shader(gl, egl->raster_program, GL_FRAGMENT_SHADER, ts_egl_collect_shader, "collect"));
  TS_TRY(link_program(gl, egl->raster_program, "raster"));
  TS_TRY(make_compute(&egl->place_program, gl, ts_egl_place_shader, "place"));
  TS_TRY(make_compute(&egl->sort_program, gl, ts_egl_sort_shader, "sort"));
  return make_compute(&egl->sweep_program, gl, ts_egl_sweep_shader, "sweep");
}

static ts_status check_version(ts_egl *egl) {
  const ts_gl *gl = &egl->gl;
  GLint major = 0, minor = 0, vertex_blocks = 0, fragment_blocks = 0, counters = 0;
  gl->GetIntegerv(GL_MAJOR_VERSION, &major);
  gl->GetIntegerv(GL_MINOR_VERSION, &minor);
  const char *renderer = (const char *)gl->GetString(GL_RENDERER);
  snprintf(egl->device, sizeof egl->device, "%s, OpenGL %d.%d", renderer ? renderer : "unknown",
           major, minor);
  if (major < GL_MAJOR || (major == GL_MAJOR && minor < GL_MINOR))
    return ts_fail(TS_SKIPPED,
                   "%s is too old: OpenGL %d.%d is needed; install libgl1-mesa-dri or a newer "
                   "driver of the graphics card",
                   egl->device, GL_MAJOR, GL_MINOR);
  gl->GetIntegerv(GL_MAX_VERTEX_SHADER_STORAGE_BLOCKS, &vertex_blocks);
  gl->GetIntegerv(GL_MAX_FRAGMENT_SHADER_STORAGE_BLOCKS, &fragment_blocks);
  gl->GetIntegerv(GL_MAX_FRAGMENT_ATOMIC_COUNTERS, &counters);
  if (vertex_blocks < 1 || fragment_blocks < 2 || counters < 1)
    return ts_fail(TS_SKIPPED, "%s has no storage buffers in vertex and fragment shaders",
                   egl->device);
  static const char *const played[] = {"llvmpipe", "softpipe", "swrast", "Software", "SwiftShader"};
  egl->is_hardware = renderer != NULL;
  for (size_t i = 0; renderer && i < sizeof played / sizeof *played; i++)
    if (strstr(renderer, played[i]))
      egl->is_hardware = false;
  GLint64 max_bytes = 0;
  gl->GetInteger64v(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, &max_bytes);
  egl->max_block_bytes = (size_t)max_bytes;
  return TS_OK;
}

/// With the context current. What it makes ends with the context.
static ts_status set_up(ts_egl *egl, const ts_egl_display *display) {
  TS_TRY(load_functions(&egl->gl, display));
  TS_TRY(check_version(egl));
  TS_TRY(make_programs(egl));
  const ts_gl *gl = &egl->gl;
  // Nothing else uses the context, so that these stay bound.
  GLuint framebuffer, vertex_array;
  gl->GenFramebuffers(1, &framebuffer);
  gl->BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
  gl->GenVertexArrays(1, &vertex_array);
  gl->BindVertexArray(vertex_array);
  return TS_OK;
}

/// Contexts do not work in a process forked since they were made; nor does the driver of a card,
/// even if everything was ended before: the child hangs.
static bool is_forked(void) {
  pid_t process = getpid();
  return (shared.user_count > 0 && shared.process != process) ||
         (shared.card_process != 0 && shared.card_process != process);
}

static ts_status make_context(bool hardware_only) {
  shared.egl = (ts_egl){0};
  shared.process = getpid();
  TS_TRY(ts_egl_display_open(&shared.display, hardware_only));
  ts_status status = set_up(&shared.egl, &shared.display);
  if (shared.egl.is_hardware)
    shared.card_process = shared.process;
  ts_egl_display_leave(&shared.display);
  if (status != TS_OK)
    ts_egl_display_close(&shared.display);
  return status;
}

ts_status ts_egl_acquire(bool hardware_only) {
  pthread_mutex_lock(&shared.lock);
  ts_status status = TS_OK;
  if (is_forked())
    status = ts_fail(TS_E_UNSUPPORTED, "OpenGL was used before this process was forked and does "
                                       "not work in it: use (and probe) it after the fork only");
  else if (shared.user_count == 0)
    status = make_context(hardware_only);
  if (status == TS_OK)
    shared.user_count++;
  pthread_mutex_unlock(&shared.lock);
  return status;
}

void ts_egl_release(void) {
  pthread_mutex_lock(&shared.lock);
  if (--shared.user_count == 0 && shared.process == getpid())
    ts_egl_display_close(&shared.display);
  pthread_mutex_unlock(&shared.lock);
}

ts_status ts_egl_begin(ts_egl **out) {
  pthread_mutex_lock(&shared.lock);
  ts_status status = TS_OK;
  if (shared.process != getpid())
    status = ts_fail(TS_E_UNSUPPORTED, "this pair was made before the process was forked, and "
                                       "OpenGL does not work in it: make a new one");
  else
    status = ts_egl_display_enter(&shared.display);
  if (status != TS_OK)
    pthread_mutex_unlock(&shared.lock);
  *out = &shared.egl;
  return status;
}

/// The first error since the last call.
static GLenum take_errors(const ts_egl *egl) {
  GLenum first = egl->gl.GetError();
  // A lost context may report errors without end.
  for (int i = 0; first != GL_NO_ERROR && i < 16 && egl->gl.GetError() != GL_NO_ERROR; i++)
    continue;
  return first;
}

ts_status ts_egl_check(ts_egl *egl) {
  GLenum error = take_errors(egl);
  switch (error) {
  case GL_NO_ERROR:
    return TS_OK;
  case GL_OUT_OF_MEMORY:
    return ts_fail(TS_E_MEMORY, "%s is out of memory: lower the resolution", egl->device);
  case GL_CONTEXT_LOST:
    return ts_fail(TS_E_UNSUPPORTED,
                   "%s was reset, and its context is lost: start again, with the cpu back end if "
                   "this comes back",
                   egl->device);
  default:
    return ts_fail(TS_E_UNSUPPORTED, "%s reports OpenGL error 0x%04x: use the cpu back end",
                   egl->device, error);
  }
}

ts_status ts_egl_end(ts_egl *egl, ts_status status) {
  if (status == TS_OK)
    status = ts_egl_check(egl);
  else
    take_errors(egl); // they must not be blamed on the next call
  ts_egl_display_leave(&shared.display);
  pthread_mutex_unlock(&shared.lock);
  return status;
}

ts_status ts_egl_reserve(ts_egl *egl, ts_egl_buffer *buffer, size_t bytes) {
  const ts_gl *gl = &egl->gl;
  if (bytes > egl->max_block_bytes)
    return ts_fail(TS_E_UNSUPPORTED,
                   "%zu bytes are more than the %zu that a shader can see on %s: use the cpu back "
                   "end",
                   bytes, egl->max_block_bytes, egl->device);
  if (bytes <= buffer->bytes && buffer->name)
    return TS_OK;
  TS_TRY(ts_egl_check(egl));
  if (!buffer->name)
    gl->GenBuffers(1, &buffer->name);
  buffer->bytes = 0;
  gl->BindBuffer(GL_SHADER_STORAGE_BUFFER, buffer->name);
  // The card writes and reads it; what comes back is small.
  gl->BufferData(GL_SHADER_STORAGE_BUFFER, (GLsizeiptr)(bytes > 0 ? bytes : 8), NULL,
                 GL_DYNAMIC_COPY);
  TS_TRY(ts_egl_check(egl));
  buffer->bytes = bytes;
  return TS_OK;
}

void ts_egl_buffer_delete(ts_egl *egl, ts_egl_buffer *buffer) {
  if (buffer->name)
    egl->gl.DeleteBuffers(1, &buffer->name);
  *buffer = (ts_egl_buffer){0};
}
