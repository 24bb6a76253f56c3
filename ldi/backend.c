// SPDX-License-Identifier: MIT
#include "ldi/backend.h"

#include "ldi/egl.h"
#include "ldi/scan.h"

#include <string.h>

const ts_ldi_backend *const ts_ldi_backends[] = {
    &ts_ldi_backend_cpu,
    &ts_ldi_backend_egl,
    NULL,
};

const ts_ldi_backend *ts_ldi_backend_find(const char *name) {
  for (size_t i = 0; ts_ldi_backends[i]; i++)
    if (strcmp(ts_ldi_backends[i]->name, name) == 0)
      return ts_ldi_backends[i];
  return NULL;
}

const ts_ldi_backend *ts_ldi_backend_auto(void) {
  return ts_ldi_egl_is_hardware() ? &ts_ldi_backend_egl : &ts_ldi_backend_cpu;
}
