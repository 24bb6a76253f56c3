// SPDX-License-Identifier: MIT
#include "sim/soft/tet_system.h"

#include "base/status.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/// The pairs of nodes of an element, each with itself too.
enum { PAIRS = 10 };
static const int pairs[PAIRS][2] = {{0, 0}, {0, 1}, {0, 2}, {0, 3}, {1, 1},
                                    {1, 2}, {1, 3}, {2, 2}, {2, 3}, {3, 3}};

/// Three columns of the matrix: those of one unknown. Each has the rows of `above` unknowns before
/// it, three each, then those down to the diagonal.
typedef struct block_column {
  int start; ///< of its first entry among the values
  int above;
} block_column;

struct ts_tet_system {
  size_t unknown_count, element_count;
  uint32_t *unknowns;    ///< [node_count]
  block_column *columns; ///< [unknown_count]
  int (*places)[PAIRS];  ///< [element_count], of the block of a pair in its column; -1: clamped
  int *starts, *rows;    ///< of the matrix, as ts_sparse_pattern_create() takes them
  ts_sparse_pattern *pattern;
};

static int index_of(const block_column *column, int place, int row, int col) {
  return column->start + col * 3 * column->above + col * (col + 1) / 2 + 3 * place + row;
}

/// A block above the diagonal or on it, as a number that sorts by column, then by row.
static uint64_t block_key(uint32_t a, uint32_t b) {
  return a < b ? (uint64_t)b << 32 | a : (uint64_t)a << 32 | b;
}

static int compare_keys(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return x < y ? -1 : x > y;
}

/// The blocks of all pairs, sorted, each once; returns how many.
static size_t list_blocks(uint64_t *keys, const ts_tet_system *system,
                          const ts_tet_element *elements) {
  size_t count = 0, distinct = 0;
  for (size_t e = 0; e < system->element_count; e++)
    for (int p = 0; p < PAIRS; p++) {
      uint32_t a = system->unknowns[elements[e].nodes[pairs[p][0]]];
      uint32_t b = system->unknowns[elements[e].nodes[pairs[p][1]]];
      if (a != TS_TET_CLAMPED && b != TS_TET_CLAMPED)
        keys[count++] = block_key(a, b);
    }
  qsort(keys, count, sizeof *keys, compare_keys);
  for (size_t i = 0; i < count; i++)
    if (i == 0 || keys[i] != keys[i - 1])
      keys[distinct++] = keys[i];
  return distinct;
}

/// Lays out the columns; `first` [unknown_count] gets the index of each one's first block.
static void make_columns(ts_tet_system *system, size_t *first, const uint64_t *keys, size_t count) {
  int entries = 0;
  size_t block = 0;
  for (size_t u = 0; u < system->unknown_count; u++) {
    first[u] = block;
    while (block < count && keys[block] >> 32 == u)
      block++;
    int above = (int)(block - first[u]) - 1;
    system->columns[u] = (block_column){entries, above};
    for (int col = 0; col < 3; col++) {
      system->starts[3 * u + (size_t)col] = entries;
      for (size_t b = first[u]; b < block; b++)
        for (int row = 0; row < (b + 1 < block ? 3 : col + 1); row++)
          system->rows[entries++] = 3 * (int)(uint32_t)keys[b] + row;
    }
  }
  system->starts[3 * system->unknown_count] = entries;
}

static void find_places(ts_tet_system *system, const size_t *first, const uint64_t *keys,
                        const ts_tet_element *elements) {
  for (size_t e = 0; e < system->element_count; e++)
    for (int p = 0; p < PAIRS; p++) {
      uint32_t a = system->unknowns[elements[e].nodes[pairs[p][0]]];
      uint32_t b = system->unknowns[elements[e].nodes[pairs[p][1]]];
      system->places[e][p] = -1;
      if (a == TS_TET_CLAMPED || b == TS_TET_CLAMPED)
        continue;
      uint64_t key = block_key(a, b);
      const uint64_t *column = keys + first[key >> 32];
      size_t length = (size_t)system->columns[key >> 32].above + 1;
      const uint64_t *found = bsearch(&key, column, length, sizeof key, compare_keys);
      system->places[e][p] = (int)(found - column);
    }
}

static ts_status out_of_memory(void) {
  return ts_fail(TS_E_MEMORY, "out of memory for the system of a deformable body");
}

static ts_status fill(ts_tet_system *system, const ts_tet_element *elements, uint64_t *keys,
                      size_t *first) {
  size_t blocks = list_blocks(keys, system, elements), size = 3 * system->unknown_count;
  if (blocks > INT_MAX / 9 || size > INT_MAX / 9)
    return ts_fail(TS_E_INPUT,
                   "a deformable body has %zu nodes that can move and %zu pairs of them in a tet, "
                   "more than %d: use a coarser mesh",
                   system->unknown_count, blocks, INT_MAX / 9);
  system->columns = malloc(system->unknown_count * sizeof *system->columns);
  system->starts = malloc((size + 1) * sizeof *system->starts);
  system->rows = malloc(blocks * 9 * sizeof *system->rows);
  if (!system->columns || !system->starts || !system->rows)
    return out_of_memory();
  make_columns(system, first, keys, blocks);
  find_places(system, first, keys, elements);
  return ts_sparse_pattern_create(&system->pattern, (int)size, system->starts, system->rows);
}

ts_status ts_tet_system_create(ts_tet_system **out, const ts_tet_element *elements,
                               size_t element_count, const uint32_t *unknowns,
                               size_t unknown_count) {
  *out = NULL;
  size_t node_count = 0;
  for (size_t e = 0; e < element_count; e++)
    for (int i = 0; i < 4; i++)
      if (elements[e].nodes[i] >= node_count)
        node_count = (size_t)elements[e].nodes[i] + 1;
  ts_tet_system *system = calloc(1, sizeof *system);
  uint64_t *keys = malloc(element_count * PAIRS * sizeof *keys);
  size_t *first = malloc(unknown_count * sizeof *first);
  ts_status status = TS_OK;
  if (system) {
    system->element_count = element_count;
    system->unknown_count = unknown_count;
    system->unknowns = malloc(node_count * sizeof *unknowns);
    system->places = malloc(element_count * sizeof *system->places);
  }
  if (!keys || !first || !system || !system->unknowns || !system->places) {
    status = out_of_memory();
  } else {
    memcpy(system->unknowns, unknowns, node_count * sizeof *unknowns);
    status = fill(system, elements, keys, first);
  }
  free(keys);
  free(first);
  if (status == TS_OK)
    *out = system;
  else
    ts_tet_system_destroy(system);
  return status;
}

void ts_tet_system_destroy(ts_tet_system *system) {
  if (!system)
    return;
  ts_sparse_pattern_destroy(system->pattern);
  free(system->unknowns);
  free(system->columns);
  free(system->places);
  free(system->starts);
  free(system->rows);
  free(system);
}

const ts_sparse_pattern *ts_tet_system_pattern(const ts_tet_system *system) {
  return system->pattern;
}

size_t ts_tet_system_value_count(const ts_tet_system *system) {
  return (size_t)system->starts[3 * system->unknown_count];
}

static void add_element(double *values, const ts_tet_system *system, size_t e,
                        const ts_tet_element *element, const ts_mat3 *rotation,
                        const ts_tet_terms *terms) {
  ts_vec3 turned[4];
  for (int i = 0; i < 4; i++)
    turned[i] = rotation ? ts_mat3_apply(*rotation, element->gradients[i]) : element->gradients[i];
  double volume = terms->stiffness_factor * element->volume_m3;
  for (int p = 0; p < PAIRS; p++) {
    int place = system->places[e][p], a = pairs[p][0], b = pairs[p][1];
    if (place < 0)
      continue;
    uint32_t row = system->unknowns[element->nodes[a]], col = system->unknowns[element->nodes[b]];
    ts_mat3 block = row <= col ? ts_tet_element_stiffness(volume, terms->law, turned[a], turned[b])
                               : ts_tet_element_stiffness(volume, terms->law, turned[b], turned[a]);
    const block_column *column = &system->columns[row <= col ? col : row];
    for (int k = 0; k < 3; k++)
      for (int i = 0; i < (a == b ? k + 1 : 3); i++)
        values[index_of(column, place, i, k)] += block.m[i][k];
  }
}

void ts_tet_system_assemble(double *values, const ts_tet_system *system,
                            const ts_tet_element *elements, const ts_mat3 *rotations,
                            const ts_tet_terms *terms) {
  memset(values, 0, ts_tet_system_value_count(system) * sizeof *values);
  for (size_t e = 0; e < system->element_count; e++)
    add_element(values, system, e, &elements[e], rotations ? &rotations[e] : NULL, terms);
  for (size_t u = 0; u < system->unknown_count; u++)
    for (int i = 0; i < 3; i++)
      values[index_of(&system->columns[u], system->columns[u].above, i, i)] +=
          terms->mass_factor * terms->masses[u];
}

void ts_tet_system_apply(double *out, const ts_tet_system *system, const double *values,
                         const double *vector) {
  size_t size = 3 * system->unknown_count;
  memset(out, 0, size * sizeof *out);
  for (size_t col = 0; col < size; col++) {
    int last = system->starts[col + 1] - 1; // the diagonal
    for (int p = system->starts[col]; p < last; p++) {
      out[system->rows[p]] += values[p] * vector[col];
      out[col] += values[p] * vector[system->rows[p]];
    }
    out[col] += values[last] * vector[col];
  }
}
