// SPDX-License-Identifier: MIT
#include "reports/html/html_plots.h"

#include "base/base64.h"
#include "base/status.h"
#include "reports/html/html_text.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define SHOWN_AT_ONCE 12 ///< maximum number of plots shown; more are collapsed

/// Sorts by bytes, so that the order is the same in every locale.
static int compare_names(const struct dirent **a, const struct dirent **b) {
  return strcmp((*a)->d_name, (*b)->d_name);
}

static int is_svg(const struct dirent *entry) {
  const char *end = strrchr(entry->d_name, '.');
  return end && end != entry->d_name && strcmp(end, ".svg") == 0;
}

static ts_status put_image(FILE *file, FILE *image, const char *path) {
  unsigned char bytes[4096];
  ts_base64 encoder = {.file = file};
  for (size_t count; (count = fread(bytes, 1, sizeof bytes, image)) > 0;)
    ts_base64_add(&encoder, bytes, count);
  ts_base64_end(&encoder);
  return ferror(image) ? ts_fail(TS_E_INPUT, "cannot read %s: %s", path, strerror(errno)) : TS_OK;
}

static ts_status put_plot(FILE *file, ts_arena *arena, const char *folder, const char *name) {
  const char *path = ts_arena_format(arena, "%s/plots/%s", folder, name);
  const char *title = ts_arena_format(arena, "%.*s", (int)(strlen(name) - strlen(".svg")), name);
  if (!path || !title)
    return TS_E_MEMORY;
  FILE *image = fopen(path, "re");
  if (!image)
    return ts_fail(TS_E_INPUT, "cannot read %s: %s", path, strerror(errno));
  // With scripts the content of noscript is but text, from which the script takes the image when
  // its place comes into view.
  fputs("<figure><noscript><img alt=\"", file);
  ts_status status = ts_html_put(file, arena, title);
  fputs("\" src=\"data:image/svg+xml;base64,", file);
  if (status == TS_OK)
    status = put_image(file, image, path);
  fclose(image);
  fputs("\"></noscript><figcaption>", file);
  if (status == TS_OK)
    status = ts_html_put(file, arena, title);
  fputs("</figcaption></figure>\n", file);
  return status;
}

ts_status ts_html_put_plots(FILE *file, ts_arena *arena, const char *folder) {
  const char *path = folder ? ts_arena_format(arena, "%s/plots", folder) : NULL;
  if (!path)
    return folder ? TS_E_MEMORY : TS_OK;
  struct dirent **entries = NULL;
  int count = scandir(path, &entries, is_svg, compare_names);
  if (count <= 0) { // no such folder, or an empty one
    free(entries);
    return TS_OK;
  }
  fprintf(file,
          "<section id=\"plots\"><h2>Plots</h2>\n<details%s><summary>%d plot%s</summary>\n"
          "<div class=\"plots\">\n",
          count > SHOWN_AT_ONCE ? "" : " open", count, count == 1 ? "" : "s");
  ts_status status = TS_OK;
  for (int i = 0; i < count; i++) {
    if (status == TS_OK)
      status = put_plot(file, arena, folder, entries[i]->d_name);
    free(entries[i]);
  }
  free(entries);
  fputs("</div></details></section>\n", file);
  return status;
}
