// SPDX-License-Identifier: MIT
/// The functions of OpenGL that the EGL back end calls, loaded at run time.
#ifndef TS_LDI_EGL_FUNCTIONS_H
#define TS_LDI_EGL_FUNCTIONS_H

#include <GL/glcorearb.h>

/// X(type, name) for each function, its name without `gl`.
#define TS_GL_FUNCTIONS(X)                                                                         \
  X(PFNGLATTACHSHADERPROC, AttachShader)                                                           \
  X(PFNGLBINDBUFFERPROC, BindBuffer)                                                               \
  X(PFNGLBINDBUFFERBASEPROC, BindBufferBase)                                                       \
  X(PFNGLBINDBUFFERRANGEPROC, BindBufferRange)                                                     \
  X(PFNGLBINDFRAMEBUFFERPROC, BindFramebuffer)                                                     \
  X(PFNGLBINDVERTEXARRAYPROC, BindVertexArray)                                                     \
  X(PFNGLBUFFERDATAPROC, BufferData)                                                               \
  X(PFNGLBUFFERSUBDATAPROC, BufferSubData)                                                         \
  X(PFNGLCLEARBUFFERSUBDATAPROC, ClearBufferSubData)                                               \
  X(PFNGLCOMPILESHADERPROC, CompileShader)                                                         \
  X(PFNGLCREATEPROGRAMPROC, CreateProgram)                                                         \
  X(PFNGLCREATESHADERPROC, CreateShader)                                                           \
  X(PFNGLDELETEBUFFERSPROC, DeleteBuffers)                                                         \
  X(PFNGLDELETEPROGRAMPROC, DeleteProgram)                                                         \
  X(PFNGLDELETESHADERPROC, DeleteShader)                                                           \
  X(PFNGLDISPATCHCOMPUTEPROC, DispatchCompute)                                                     \
  X(PFNGLDRAWELEMENTSPROC, DrawElements)                                                           \
  X(PFNGLFRAMEBUFFERPARAMETERIPROC, FramebufferParameteri)                                         \
  X(PFNGLGENBUFFERSPROC, GenBuffers)                                                               \
  X(PFNGLGENFRAMEBUFFERSPROC, GenFramebuffers)                                                     \
  X(PFNGLGENVERTEXARRAYSPROC, GenVertexArrays)                                                     \
  X(PFNGLGETBUFFERSUBDATAPROC, GetBufferSubData)                                                   \
  X(PFNGLGETERRORPROC, GetError)                                                                   \
  X(PFNGLGETINTEGER64VPROC, GetInteger64v)                                                         \
  X(PFNGLGETINTEGERVPROC, GetIntegerv)                                                             \
  X(PFNGLGETPROGRAMINFOLOGPROC, GetProgramInfoLog)                                                 \
  X(PFNGLGETPROGRAMIVPROC, GetProgramiv)                                                           \
  X(PFNGLGETSHADERINFOLOGPROC, GetShaderInfoLog)                                                   \
  X(PFNGLGETSHADERIVPROC, GetShaderiv)                                                             \
  X(PFNGLGETSTRINGPROC, GetString)                                                                 \
  X(PFNGLLINKPROGRAMPROC, LinkProgram)                                                             \
  X(PFNGLMEMORYBARRIERPROC, MemoryBarrier)                                                         \
  X(PFNGLSHADERSOURCEPROC, ShaderSource)                                                           \
  X(PFNGLUNIFORM1UIPROC, Uniform1ui)                                                               \
  X(PFNGLUNIFORM4DVPROC, Uniform4dv)                                                               \
  X(PFNGLUNIFORM4IPROC, Uniform4i)                                                                 \
  X(PFNGLUSEPROGRAMPROC, UseProgram)                                                               \
  X(PFNGLVIEWPORTPROC, Viewport)

typedef struct ts_gl {
#define TS_GL_MEMBER(type, name) type name;
  TS_GL_FUNCTIONS(TS_GL_MEMBER)
#undef TS_GL_MEMBER
} ts_gl;

#endif
