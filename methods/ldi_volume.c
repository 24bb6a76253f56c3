// SPDX-License-Identifier: MIT
/// Contacts from the volume in which two dilated bodies overlap, measured in layered depth images
/// (Allard 2010): one for the pair, or one for each cell of a grid laid over the overlap.
///
/// The images are taken along the world axes, over the intersection of the bodies' bounding boxes,
/// so the result depends on the orientation of the bodies by about a pixel.
#include "methods/envelope.h"

#include "base/status.h"
#include "ldi/ldi.h"

#include <math.h>

// In the order of backend_of().
static const char *const backend_choices[] = {"cpu", "egl", "auto", NULL};

enum {
  PARAM_RESOLUTION_PX,
  PARAM_CELL_PX,
  PARAM_DILATION_M,
  PARAM_DILATION,
  PARAM_BACKEND,
  PARAM_THREADS
};

static const ts_param params[] = {
    [PARAM_RESOLUTION_PX] = {.name = "resolution_px",
                             .summary = "Pixels along the longest side of the overlap box.",
                             .kind = TS_PARAM_INTEGER,
                             .default_value = 64,
                             .minimum = 1,
                             .maximum = TS_LDI_RESOLUTION_MAX},
    [PARAM_CELL_PX] = {.name = "cell_px",
                       .summary = "Width of the cells that make a contact each; 0: one contact a "
                                  "pair.",
                       .kind = TS_PARAM_INTEGER,
                       .default_value = 0,
                       .minimum = 0,
                       .maximum = TS_LDI_RESOLUTION_MAX},
    [PARAM_DILATION_M] = {.name = "dilation_m",
                          .summary = "How far the bodies are dilated; the default is half a pixel "
                                     "where 64 pixels cover 1 m.",
                          .kind = TS_PARAM_REAL,
                          .is_length = 1,
                          .default_value = 0.5 / 64,
                          .minimum = 0,
                          .maximum = 1},
    [PARAM_DILATION] = {.name = "dilation",
                        .summary = "What is moved outwards: vertices, along their angle-weighted "
                                   "normals, or face planes, exactly.",
                        .kind = TS_PARAM_CHOICE,
                        .default_value = 0,
                        .choices = ts_envelope_mode_words},
    [PARAM_BACKEND] =
        {.name = "backend",
         .summary =
             "What renders the images; auto: egl if it finds a graphics card, otherwise cpu.",
         .kind = TS_PARAM_CHOICE,
         .default_value = 0,
         .choices = backend_choices},
    [PARAM_THREADS] = {.name = "threads",
                       .summary = "Threads of the cpu back end.",
                       .kind = TS_PARAM_INTEGER,
                       .default_value = 1,
                       .minimum = 1,
                       .maximum = 256},
};

static ts_status envelope(ts_envelope *out, const double *values) {
  *out = ts_envelope_dilated(values[PARAM_DILATION_M], (int32_t)values[PARAM_DILATION]);
  return TS_OK;
}

static const ts_ldi_backend *backend_of(const double *values) {
  const char *name = backend_choices[(int)values[PARAM_BACKEND]];
  const ts_ldi_backend *backend = ts_ldi_backend_find(name);
  return backend ? backend : ts_ldi_backend_auto();
}

/// Passes a status of ldi/ and its detail line to the host.
static ts_status report(const ts_host *host, ts_status status) {
  return status == TS_OK ? TS_OK : host->fail(host, status, ts_status_detail());
}

static ts_status prepare_shape(void **out, const ts_host *host, const ts_mesh *mesh,
                               const double *values) {
  (void)values;
  ts_ldi_shape *shape;
  TS_TRY(report(host, ts_ldi_shape_create(&shape, mesh)));
  *out = shape;
  return TS_OK;
}

static void release_shape(void *shape) {
  ts_ldi_shape_destroy(shape);
}

static ts_status prepare_pair(void **out, const ts_host *host, const ts_pair *pair,
                              const void *shape_a, const void *shape_b, const double *values) {
  (void)pair;
  ts_ldi *ldi;
  TS_TRY(report(
      host, ts_ldi_create(&ldi, backend_of(values), shape_a, shape_b, (int)values[PARAM_THREADS])));
  *out = ldi;
  return TS_OK;
}

static void release_pair(void *pair_state) {
  ts_ldi_destroy(pair_state);
}

static ts_status emit(void *context, const ts_contact *contact) {
  const ts_host *const *host = context;
  return (*host)->push(*host, contact, 1);
}

static ts_status generate(const ts_host *host, const ts_pair *pair, const void *shape_a,
                          const void *shape_b, void *pair_state, const double *values) {
  (void)shape_a;
  (void)shape_b;
  ts_ldi *ldi = pair_state;
  TS_TRY(report(host,
                ts_ldi_place(ldi, pair->pose_a, pair->pose_b, (int)values[PARAM_RESOLUTION_PX])));
  return report(host, ts_ldi_contacts(ldi, (int)values[PARAM_CELL_PX], emit, &host));
}

static const ts_taxonomy taxonomy = {.locality = TS_LOCALITY_GLOBAL,
                                     .testing = TS_TESTING_SURFACE,
                                     .exactness = TS_EXACTNESS_APPROXIMATE,
                                     .normals = TS_NORMALS_IMPLICIT_FIELD,
                                     .instant = TS_INSTANT_DISCRETE,
                                     .exact = TS_SUPPORT_NONE,
                                     .continuous = TS_SUPPORT_NONE,
                                     .deformable = TS_SUPPORT_FULL,
                                     .topology = TS_SUPPORT_FULL,
                                     .limits = "bodies must overlap; thin bodies need fine pixels"};

const ts_method ts_method_ldi_volume = {
    .abi = TS_METHOD_ABI,
    .struct_size = sizeof(ts_method),
    .name = "ldi_volume",
    .summary = "The volume in which dilated bodies overlap and its gradient, by layered depth "
               "images: one contact a pair, or one a cell.",
    .source = "Allard 2010, sections 3 to 5",
    .needs = TS_NEEDS_CLOSED | TS_NEEDS_PENETRATION,
    .gives = TS_GIVES_GAP | TS_GIVES_AREA,
    .params = params,
    .param_count = sizeof params / sizeof params[0],
    .envelope = envelope,
    .prepare_shape = prepare_shape,
    .prepare_pair = prepare_pair,
    .generate = generate,
    .release_shape = release_shape,
    .release_pair = release_pair,
    .taxonomy = &taxonomy,
};
