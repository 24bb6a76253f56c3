// SPDX-License-Identifier: MIT
#include "ldi/egl_frame.h"

#include "ldi/egl_shaders.h"

#include <stdlib.h>

// A dispatch may have 65,535 groups along an axis, or more.
#define ROW_OF_GROUPS 4096

// Parts of a buffer that shaders see begin at multiples of this, or of less.
#define PART_BYTES ((size_t)256)

static ts_status upload_triangles(ts_egl_pair *pair, ts_egl *egl, const ts_mesh *const mesh[2]) {
  size_t count = pair->triangle_count[0] + pair->triangle_count[1];
  TS_TRY(ts_egl_reserve(egl, &pair->triangles, count * sizeof *mesh[0]->triangles));
  uint32_t *vertices = malloc(count * sizeof *mesh[0]->triangles), *next = vertices;
  if (!vertices)
    return ts_fail(TS_E_MEMORY, "no memory for %zu triangles", count);
  for (int body = 0; body < 2; body++)
    for (size_t t = 0; t < mesh[body]->triangle_count; t++)
      for (int i = 0; i < 3; i++)
        *next++ = mesh[body]->triangles[t][i] + (body ? (uint32_t)pair->vertex_count[0] : 0);
  egl->gl.BindBuffer(GL_SHADER_STORAGE_BUFFER, pair->triangles.name);
  egl->gl.BufferSubData(GL_SHADER_STORAGE_BUFFER, 0,
                        (GLsizeiptr)(count * sizeof *mesh[0]->triangles), vertices);
  free(vertices);
  return TS_OK;
}

ts_status ts_egl_pair_upload(ts_egl_pair *pair, ts_egl *egl, const ts_mesh *const mesh[2]) {
  size_t bytes[2];
  for (int body = 0; body < 2; body++) {
    pair->vertex_count[body] = mesh[body]->vertex_count;
    pair->triangle_count[body] = mesh[body]->triangle_count;
    bytes[body] = mesh[body]->vertex_count * sizeof *mesh[body]->vertices;
  }
  TS_TRY(ts_egl_reserve(egl, &pair->positions, bytes[0] + bytes[1]));
  TS_TRY(ts_egl_reserve(egl, &pair->local, bytes[0] + bytes[1]));
  egl->gl.BindBuffer(GL_SHADER_STORAGE_BUFFER, pair->local.name);
  egl->gl.BufferSubData(GL_SHADER_STORAGE_BUFFER, 0, (GLsizeiptr)bytes[0], mesh[0]->vertices);
  egl->gl.BufferSubData(GL_SHADER_STORAGE_BUFFER, (GLintptr)bytes[0], (GLsizeiptr)bytes[1],
                        mesh[1]->vertices);
  return upload_triangles(pair, egl, mesh);
}

void ts_egl_pair_delete(ts_egl_pair *pair, ts_egl *egl) {
  ts_egl_buffer_delete(egl, &pair->local);
  ts_egl_buffer_delete(egl, &pair->positions);
  ts_egl_buffer_delete(egl, &pair->triangles);
}

static void bind(ts_egl *egl, GLuint binding, const ts_egl_buffer *buffer) {
  egl->gl.BindBufferBase(GL_SHADER_STORAGE_BUFFER, binding, buffer->name);
}

void ts_egl_pair_place(ts_egl_pair *pair, ts_egl *egl, const ts_ldi_pair *placed) {
  pair->grid = placed->grid;
  double rows[6][4];
  for (int body = 0; body < 2; body++) {
    ts_ldi_affine m = ts_ldi_affine_grid(placed->pose[body], &placed->grid);
    for (int i = 0; i < 3; i++) {
      for (int k = 0; k < 3; k++)
        rows[3 * body + i][k] = m.rows[i][k];
      rows[3 * body + i][3] = m.offset[i];
    }
  }
  const ts_gl *gl = &egl->gl;
  bind(egl, TS_EGL_BIND_LOCAL, &pair->local);
  bind(egl, TS_EGL_BIND_POSITIONS, &pair->positions);
  gl->UseProgram(egl->place_program);
  gl->Uniform1ui(TS_EGL_UNIFORM_SECOND, (GLuint)pair->vertex_count[0]);
  gl->Uniform4dv(TS_EGL_UNIFORM_AFFINE, 6, rows[0]);
  size_t groups = (pair->vertex_count[0] + pair->vertex_count[1] + TS_EGL_GROUP_VERTICES - 1) /
                  TS_EGL_GROUP_VERTICES;
  size_t columns = groups < ROW_OF_GROUPS ? groups : ROW_OF_GROUPS;
  gl->DispatchCompute((GLuint)columns, (GLuint)((groups + columns - 1) / columns), 1);
  gl->MemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
}

ts_egl_answer ts_egl_answer_of(const ts_egl_pair *pair, size_t group_count, size_t chunk_count) {
  ts_egl_answer a;
  a.gradient_bytes = (pair->vertex_count[0] + pair->vertex_count[1]) * 3 * sizeof(int64_t);
  a.volumes = (a.gradient_bytes + PART_BYTES - 1) / PART_BYTES * PART_BYTES;
  a.counts = a.volumes + group_count * sizeof(double);
  a.bytes = a.counts + chunk_count * sizeof(uint32_t);
  return a;
}

/// Queues the filling of a buffer's start with one word.
static void fill(ts_egl *egl, const ts_egl_buffer *buffer, size_t bytes, uint32_t word) {
  egl->gl.BindBuffer(GL_SHADER_STORAGE_BUFFER, buffer->name);
  egl->gl.ClearBufferSubData(GL_SHADER_STORAGE_BUFFER, GL_R32UI, 0, (GLsizeiptr)bytes,
                             GL_RED_INTEGER, GL_UNSIGNED_INT, &word);
}

void ts_egl_frame_begin(const ts_egl_pair *pair, ts_egl *egl, const ts_egl_answer *answer) {
  bind(egl, TS_EGL_BIND_POSITIONS, &pair->positions);
  bind(egl, TS_EGL_BIND_TRIANGLES, &pair->triangles);
  bind(egl, TS_EGL_BIND_HEADS, &egl->heads);
  bind(egl, TS_EGL_BIND_CROSSINGS, &egl->crossings);
  egl->gl.BindBufferRange(GL_SHADER_STORAGE_BUFFER, TS_EGL_BIND_GRADIENT, egl->answer.name, 0,
                          (GLsizeiptr)answer->gradient_bytes);
  egl->gl.BindBufferRange(GL_SHADER_STORAGE_BUFFER, TS_EGL_BIND_VOLUMES, egl->answer.name,
                          (GLintptr)answer->volumes, (GLsizeiptr)(answer->bytes - answer->volumes));
  egl->gl.BindBuffer(GL_ELEMENT_ARRAY_BUFFER, pair->triangles.name);
  fill(egl, &egl->answer, answer->bytes, 0);
}

static int32_t column_count(const ts_egl_pair *pair, ts_egl_chunk chunk) {
  return ts_ldi_column_count(&pair->grid, chunk.axis);
}

static void use_program(ts_egl *egl, GLuint program, const ts_egl_pair *pair, ts_egl_chunk chunk) {
  egl->gl.UseProgram(program);
  egl->gl.Uniform4i(TS_EGL_UNIFORM_VIEW, chunk.axis, column_count(pair, chunk), chunk.row_count,
                    chunk.first_row);
  egl->gl.Uniform1ui(TS_EGL_UNIFORM_SECOND, (GLuint)pair->triangle_count[0]);
}

static uint32_t group_count(int32_t pixels) {
  return ((uint32_t)pixels + TS_EGL_GROUP_SIDE_PX - 1) / TS_EGL_GROUP_SIDE_PX;
}

size_t ts_egl_chunk_group_count(const ts_egl_pair *pair, ts_egl_chunk chunk) {
  return (size_t)group_count(column_count(pair, chunk)) * group_count(chunk.row_count);
}

size_t ts_egl_chunk_head_bytes(const ts_egl_pair *pair, ts_egl_chunk chunk) {
  return (size_t)column_count(pair, chunk) * (size_t)chunk.row_count * sizeof(uint32_t);
}

static void dispatch_pixels(ts_egl *egl, const ts_egl_pair *pair, ts_egl_chunk chunk) {
  egl->gl.DispatchCompute(group_count(column_count(pair, chunk)), group_count(chunk.row_count), 1);
}

void ts_egl_chunk_render(ts_egl *egl, const ts_egl_pair *pair, ts_egl_chunk chunk,
                         uint32_t capacity, size_t count_offset) {
  const ts_gl *gl = &egl->gl;
  int32_t columns = column_count(pair, chunk);
  // The shaders of the chunk before have read what is now filled again.
  gl->MemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT | GL_SHADER_STORAGE_BARRIER_BIT);
  fill(egl, &egl->heads, ts_egl_chunk_head_bytes(pair, chunk), TS_EGL_NONE);
  gl->BindBufferRange(GL_ATOMIC_COUNTER_BUFFER, 0, egl->answer.name, (GLintptr)count_offset,
                      sizeof(uint32_t));
  gl->FramebufferParameteri(GL_FRAMEBUFFER, GL_FRAMEBUFFER_DEFAULT_WIDTH, columns);
  gl->FramebufferParameteri(GL_FRAMEBUFFER, GL_FRAMEBUFFER_DEFAULT_HEIGHT, chunk.row_count);
  gl->Viewport(0, 0, columns, chunk.row_count);
  use_program(egl, egl->raster_program, pair, chunk);
  gl->Uniform1ui(TS_EGL_UNIFORM_CAPACITY, capacity);
  gl->DrawElements(GL_TRIANGLES, (GLsizei)(3 * (pair->triangle_count[0] + pair->triangle_count[1])),
                   GL_UNSIGNED_INT, NULL);
  gl->MemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
  use_program(egl, egl->sort_program, pair, chunk);
  dispatch_pixels(egl, pair, chunk);
  gl->MemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
}

void ts_egl_chunk_sum(ts_egl *egl, const ts_egl_pair *pair, ts_egl_chunk chunk,
                      size_t first_group) {
  use_program(egl, egl->sweep_program, pair, chunk);
  egl->gl.Uniform1ui(TS_EGL_UNIFORM_GROUP, (GLuint)first_group);
  dispatch_pixels(egl, pair, chunk);
}

ts_status ts_egl_read(void *out, ts_egl *egl, const ts_egl_buffer *buffer, size_t offset,
                      size_t bytes) {
  egl->gl.MemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT | GL_ATOMIC_COUNTER_BARRIER_BIT);
  egl->gl.BindBuffer(GL_SHADER_STORAGE_BUFFER, buffer->name);
  egl->gl.GetBufferSubData(GL_SHADER_STORAGE_BUFFER, (GLintptr)offset, (GLsizeiptr)bytes, out);
  return ts_egl_check(egl);
}
