// SPDX-License-Identifier: MIT
#include "cases/scene_file/mjcf_messages.h"

#include "base/status.h"

#include <signal.h>
#include <string.h>

#define CANNOT_LOAD 127 // exit status of a program whose shared libraries are not there

ts_status ts_mjcf_say_missing(const ts_mjcf_call *call) {
  return ts_fail(TS_E_UNSUPPORTED,
                 "%s: there is no %s, which reads models of MuJoCo: install g++, libmujoco-dev and "
                 "libexpat1-dev and build again, or set TOUCHSTONE_MJCF to where it is",
                 call->path, call->program);
}

static ts_status say_timed_out(const ts_mjcf_call *call) {
  return ts_fail(TS_E_INPUT,
                 "%s: MuJoCo does not load it within %g s: simplify its meshes, or leave some out",
                 call->path, call->time_limit_s);
}

ts_status ts_mjcf_say_too_large(const ts_mjcf_call *call) {
  return ts_fail(TS_E_INPUT,
                 "%s: it has more than %zu geoms that collide, %zu files, %zu pairs of geoms that "
                 "never do or %zu numbers in its meshes, or needs more than %zu MiB: leave some "
                 "out",
                 call->path, (size_t)TS_MJCF_GEOMS_MAX, (size_t)TS_MJCF_FILES_MAX,
                 (size_t)TS_MJCF_EXCLUDED_MAX, (size_t)TS_MJCF_NUMBERS_MAX,
                 (size_t)(TS_MJCF_ADDRESS_SPACE >> 20));
}

ts_status ts_mjcf_say_strange(const ts_mjcf_call *call) {
  return ts_fail(TS_E_IO,
                 "%s: %s gives an answer that is not valid: build it again, with this program; see "
                 "TOUCHSTONE_MJCF",
                 call->path, call->program);
}

static ts_status say_exited(const ts_mjcf_call *call, int code) {
  switch (code) {
  case CANNOT_LOAD:
    return ts_fail(TS_E_UNSUPPORTED,
                   "%s: %s does not find its libraries: install libmujoco2.2.2 and libexpat1",
                   call->path, call->program);
  case TS_MJCF_EXIT_MEMORY:
    return ts_mjcf_say_too_large(call);
  case TS_MJCF_EXIT_THROWN:
    return ts_fail(TS_E_INPUT, "%s: MuJoCo fails without a message: is the model damaged?",
                   call->path);
  case TS_MJCF_EXIT_BROKEN:
    return ts_fail(TS_E_IO, "%s: %s cannot read, write or set itself up", call->path,
                   call->program);
  default:
    return ts_mjcf_say_strange(call);
  }
}

static ts_status say_signalled(const ts_mjcf_call *call, int number) {
  if (number == SIGXCPU)
    return say_timed_out(call);
  const char *name = sigabbrev_np(number);
  return ts_fail(TS_E_INPUT,
                 "%s: MuJoCo has crashed on it (SIG%s): look whether its meshes and sizes are what "
                 "they should be",
                 call->path, name ? name : "?");
}

ts_status ts_mjcf_explain_end(const ts_mjcf_call *call, const ts_helper_answer *answer) {
  switch (answer->end) {
  case TS_HELPER_EXITED:
    return say_exited(call, answer->code);
  case TS_HELPER_SIGNALLED:
    return say_signalled(call, answer->code);
  case TS_HELPER_TIMED_OUT:
    return say_timed_out(call);
  case TS_HELPER_ANSWERED:
  case TS_HELPER_GARBLED:
    break;
  }
  return ts_mjcf_say_strange(call);
}

/// What helps where MuJoCo's message does not say it.
static const char *way_out_of(const char *text) {
  static const struct {
    const char *word, *way_out;
  } known[] = {
      {"Schema violation", "; a newer MuJoCo may know it: leave it out of the model"},
      {"nvalid keyword", "; a newer MuJoCo may know it: give another"},
      {"allocate memory",
       "; it may have 4 GiB: lower nstack, njmax and nconmax of <size>, or leave "
       "bodies out"},
  };
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strstr(text, known[i].word))
      return known[i].way_out;
  return "";
}

static ts_status say_refused(const ts_mjcf_call *call, const ts_mjcf_answer *head) {
  return ts_fail(TS_E_INPUT, "%s: MuJoCo %s refuses it: %s%s", call->path, head->version,
                 head->text, way_out_of(head->text));
}

static ts_status say_no_keyframe(const ts_mjcf_call *call, const ts_mjcf_answer *head) {
  if (*head->text == '\0')
    return ts_fail(TS_E_INPUT, "%s: it has no keyframe: leave out #%s", call->path, call->keyframe);
  return ts_fail(TS_E_INPUT, "%s: it has no keyframe \"%s\"; it has: %s", call->path,
                 call->keyframe, head->text);
}

ts_status ts_mjcf_explain_outcome(const ts_mjcf_call *call, const ts_mjcf_answer *head) {
  switch (head->outcome) {
  case TS_MJCF_REFUSED:
    return say_refused(call, head);
  case TS_MJCF_BROKEN_XML:
    return ts_fail(TS_E_INPUT, "%s: it is not XML: %s: was it cut off?", call->path, head->text);
  case TS_MJCF_DOCTYPE:
    return ts_fail(
        TS_E_INPUT,
        "%s: %s has a document type (<!DOCTYPE>), which is not read, since it may define "
        "entities: leave it out",
        call->path, head->text);
  case TS_MJCF_URDF:
    return ts_fail(TS_E_INPUT,
                   "%s: it is a URDF, whose root is <robot>; only MJCF is read: convert it with "
                   "MuJoCo's sample program compile",
                   call->path);
  case TS_MJCF_OTHER_ROOT:
    return ts_fail(TS_E_INPUT, "%s: its root is <%.60s>; a model of MuJoCo has <mujoco>",
                   call->path, head->text);
  case TS_MJCF_NO_KEYFRAME:
    return say_no_keyframe(call, head);
  case TS_MJCF_NO_GEOMS:
    return ts_fail(TS_E_INPUT,
                   "%s: it has no geom that can collide: give one a contype or conaffinity that is "
                   "not 0, or a <pair>",
                   call->path);
  case TS_MJCF_SAME_NAME:
    return ts_fail(TS_E_INPUT,
                   "%s: it needs %s, which differ and which MuJoCo, reading from memory, cannot "
                   "tell apart: rename one",
                   call->path, head->text);
  case TS_MJCF_BAD_INCLUDE:
    return ts_fail(TS_E_INPUT, "%s: %s: write fewer files, with shorter names", call->path,
                   head->text);
  case TS_MJCF_TOO_LARGE:
    return ts_mjcf_say_too_large(call);
  default:
    return ts_mjcf_say_strange(call);
  }
}
