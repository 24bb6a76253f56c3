// SPDX-License-Identifier: MIT
#include "reports/formats/format.h"

#include <string.h>

const ts_format *const ts_formats[] = {
#define FORMAT(name) &ts_format_##name,
#include "reports/formats/formats.def"
#undef FORMAT
    NULL,
};

const ts_format *ts_format_find(const char *name) {
  for (size_t i = 0; ts_formats[i]; i++)
    if (strcmp(ts_formats[i]->name, name) == 0)
      return ts_formats[i];
  return NULL;
}
