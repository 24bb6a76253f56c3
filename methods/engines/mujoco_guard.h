// SPDX-License-Identifier: MIT
/// MuJoCo ends the program on an error and writes a file on a warning, unless its two handlers are
/// replaced. They are replaced during a call, so that an error becomes a status.
#ifndef TS_METHODS_MUJOCO_GUARD_H
#define TS_METHODS_MUJOCO_GUARD_H

#include <mujoco/mujoco.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdio.h>

typedef struct mujoco_error {
  jmp_buf back;
  char text[256];
} mujoco_error;

/// Receives the error of the call running in this thread.
static _Thread_local mujoco_error *mujoco_current;

static void mujoco_on_error(const char *message) {
  snprintf(mujoco_current->text, sizeof mujoco_current->text, "MuJoCo: %s", message);
  longjmp(mujoco_current->back, 1);
}

static void mujoco_on_warning(const char *message) {
  (void)message;
}

/// Runs `work`; false, with the message in `error`, if MuJoCo failed.
static bool mujoco_guarded(mujoco_error *error, void (*work)(void *), void *state) {
  void (*const old_error)(const char *) = mju_user_error;
  void (*const old_warning)(const char *) = mju_user_warning;
  mujoco_error *const old = mujoco_current;
  mujoco_current = error;
  mju_user_error = mujoco_on_error;
  mju_user_warning = mujoco_on_warning;
  volatile bool done = false;
  if (setjmp(error->back) == 0) {
    work(state);
    done = true;
  }
  mju_user_error = old_error;
  mju_user_warning = old_warning;
  mujoco_current = old;
  return done;
}

#endif
