// SPDX-License-Identifier: MIT
#include "reports/formats/format.h"

#include <string.h>

#define ADDRESS(object) &ts_format_##object,
const ts_format *const ts_formats[] = {TS_FORMATS(ADDRESS) NULL};

const ts_format *ts_format_find(const char *name) {
  for (size_t i = 0; ts_formats[i]; i++)
    if (strcmp(ts_formats[i]->name, name) == 0)
      return ts_formats[i];
  return NULL;
}
