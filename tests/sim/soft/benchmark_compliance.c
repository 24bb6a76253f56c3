// SPDX-License-Identifier: MIT
/// Times the exact and the warped compliance of bent beams at 35 contacts, the least of all
/// repeats: the factor of A(q), the blocks of W, and the correction by forces; and once the columns
/// of the compliance at rest, with the factor that they need. Times are of the processor.
///
/// usage: benchmark_compliance [REPEATS [CELLS_MAX [PAIR_US_MAX]]]: beams of up to CELLS_MAX cells
/// across (default 12: 10,309 nodes), two repeats or more. Fails when warped W takes more than
/// PAIR_US_MAX for a pair of contacts, if that is given and the build optimised.
#include "base/status.h"
#include "sim/soft/tet_system.h"
#include "tests/sim/soft/tet_grid.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { CONTACTS = 35, PAIRS = CONTACTS * (CONTACTS + 1) / 2 };

typedef struct times {
  double factor_ns, exact_ns, exact_correct_ns;
  double columns_ns, warped_ns, warped_correct_ns, at_nodes_ns;
} times;

static void keep_least(double *best, double time) {
  *best = time < *best ? time : *best;
}

/// Time of this thread on a processor: the longer steps take more than a time slice of a busy
/// machine, so that no repeat is without waiting.
static double processor_ns(void) {
  struct timespec t;
  if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t) != 0)
    return (double)NAN;
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/// Contacts in triangles along the lower side, from the free end on, and at one node of each.
static void make_sides(ts_tet_side sides[CONTACTS], ts_tet_side at_nodes[CONTACTS], size_t n) {
  tet_grid grid = tet_grid_beam_cells(n);
  for (size_t c = 0; c < CONTACTS; c++) {
    size_t i = c % n, k = grid.z - 1 - c / n;
    sides[c] = (ts_tet_side){.nodes = {(uint32_t)tet_grid_node(&grid, i, 0, k),
                                       (uint32_t)tet_grid_node(&grid, i + 1, 0, k),
                                       (uint32_t)tet_grid_node(&grid, i, 0, k + 1)},
                             .weights = {0.5, 0.25, 0.25},
                             .frame = {{{0, 1, 0}, {0, 0, 1}, {1, 0, 0}}}};
    at_nodes[c] = tet_grid_side(sides[c].nodes[2]);
  }
}

/// The matrix at rest, whose factor takes as long as that of A(q), which the body keeps for itself.
static bool time_factor(times *t, size_t *entries, ts_arena *arena, const ts_tet_body *beam,
                        const ts_mesh *mesh, long repeats) {
  size_t nodes = mesh->vertex_count, unknowns = 0;
  uint32_t *numbers = ts_arena_array(arena, nodes, sizeof *numbers);
  double *masses = ts_arena_array(arena, nodes, sizeof *masses);
  ts_tet_element *elements = ts_arena_array(arena, mesh->tet_count, sizeof *elements);
  for (size_t i = 0; i < nodes; i++) {
    bool is_clamped = ts_tet_body_is_clamped(beam, i);
    masses[unknowns] = ts_tet_body_masses(beam)[i];
    numbers[i] = is_clamped ? TS_TET_CLAMPED : (uint32_t)unknowns++;
  }
  for (size_t e = 0; e < mesh->tet_count; e++)
    ts_tet_element_make(&elements[e], mesh->vertices, mesh->tets[e]);
  ts_tet_system *system = NULL;
  if (ts_tet_system_create(&system, elements, mesh->tet_count, numbers, unknowns) != TS_OK)
    return false;
  double *values = ts_arena_array(arena, ts_tet_system_value_count(system), sizeof *values);
  ts_tet_terms terms = {masses, 1e4, 1, ts_tet_law_make(1e6, 0.4)};
  ts_tet_system_assemble(values, system, elements, NULL, &terms);
  bool is_fine = true;
  for (long i = 0; is_fine && i < repeats; i++) {
    ts_sparse_factor *factor = NULL;
    double start = processor_ns();
    is_fine = ts_sparse_factor_create(&factor, ts_tet_system_pattern(system), values) == TS_OK;
    keep_least(&t->factor_ns, processor_ns() - start);
    *entries = factor ? ts_sparse_factor_entry_count(factor) : 0;
    ts_sparse_factor_destroy(factor);
  }
  ts_tet_system_destroy(system);
  return is_fine;
}

static bool time_compliance(double *blocks_ns, double *correct_ns, double *columns_ns,
                            ts_tet_body *beam, const ts_tet_side *sides, int kind, long repeats) {
  static ts_mat3 blocks[CONTACTS * CONTACTS];
  static ts_vec3 forces[CONTACTS];
  const ts_compliance *compliance = &ts_compliances[kind];
  ts_vec3 *moved = calloc(ts_tet_body_node_count(beam), sizeof *moved);
  bool is_fine = moved != NULL;
  for (int i = 0; i < CONTACTS; i++)
    forces[i] = (ts_vec3){1, 0.5, 0.1 * i};
  for (long i = 0; is_fine && i < repeats; i++) {
    ts_compliance_times parts = {0};
    double start = processor_ns();
    is_fine = compliance->blocks(blocks, &parts, beam, sides, CONTACTS) == TS_OK;
    double time = processor_ns() - start;
    if (parts.rest_ns > 0)
      *columns_ns = time; // with the blocks, which are next to nothing beside them
    else
      keep_least(blocks_ns, time);
    start = processor_ns();
    is_fine = is_fine && compliance->correct(moved, beam, sides, forces, CONTACTS) == TS_OK;
    keep_least(correct_ns, processor_ns() - start);
  }
  free(moved);
  return is_fine;
}

static bool measure(size_t n, long repeats) {
  ts_arena *arena = NULL;
  if (ts_arena_create(&arena) != TS_OK)
    return false;
  times t = {INFINITY, INFINITY, INFINITY, 0, INFINITY, INFINITY, INFINITY};
  tet_grid grid = tet_grid_beam_cells(n);
  ts_mesh *mesh = tet_grid_mesh(arena, &grid);
  ts_tet_body *beam = tet_grid_beam(arena, n, 0.01);
  ts_tet_side sides[CONTACTS], at_nodes[CONTACTS];
  size_t entries = 0;
  make_sides(sides, at_nodes, n);
  tet_grid_bend(arena, beam, 0.5);
  double none_ns = 0;
  bool is_fine = time_factor(&t, &entries, arena, beam, mesh, repeats) &&
                 ts_tet_body_linearise(beam) == TS_OK &&
                 time_compliance(&t.exact_ns, &t.exact_correct_ns, &none_ns, beam, sides,
                                 TS_COMPLIANCE_EXACT, repeats) &&
                 time_compliance(&t.warped_ns, &t.warped_correct_ns, &t.columns_ns, beam, sides,
                                 TS_COMPLIANCE_WARPED, repeats) &&
                 time_compliance(&t.at_nodes_ns, &t.warped_correct_ns, &none_ns, beam, at_nodes,
                                 TS_COMPLIANCE_WARPED, repeats);
  double pair_us = t.warped_ns * 1e-3 / PAIRS;
  printf("%7zu %7zu %8zu %8.2f %8.2f %8.4f %8.3f %8.3f %8.0f %8.2f %8.2f %8.2f\n",
         ts_tet_body_node_count(beam), ts_tet_body_half_length(beam), entries, t.factor_ns * 1e-6,
         t.exact_ns * 1e-6, t.warped_ns * 1e-6, pair_us, t.at_nodes_ns * 1e-3 / PAIRS,
         (t.factor_ns + t.exact_ns) / t.warped_ns, t.columns_ns * 1e-6, t.exact_correct_ns * 1e-6,
         t.warped_correct_ns * 1e-6);
  ts_tet_body_destroy(beam);
  ts_arena_destroy(arena);
  // A clock that does not work must not pass for a fast solver.
  const double measured[] = {t.factor_ns, t.exact_ns,          t.exact_correct_ns, t.columns_ns,
                             t.warped_ns, t.warped_correct_ns, t.at_nodes_ns};
  for (size_t i = 0; i < sizeof measured / sizeof *measured; i++)
    is_fine = is_fine && measured[i] > 0 && isfinite(measured[i]);
  return is_fine;
}

int main(int argc, char **argv) {
  static const size_t cells[] = {4, 6, 7, 8, 12};
  long repeats = argc > 1 ? strtol(argv[1], NULL, 10) : 5;
  long cells_max = argc > 2 ? strtol(argv[2], NULL, 10) : 12;
  if (repeats < 2 || cells_max < 4) {
    fprintf(stderr, "usage: benchmark_compliance [REPEATS [CELLS_MAX]]\n");
    return 2;
  }
  printf("%s, %d contacts, least of %ld, ms of the processor\n", ts_sparse_factor_solver,
         (int)CONTACTS, repeats);
  printf(
      "                         exact W           warped W                   exact /  columns  "
      "correction\n"
      "  nodes    dofs  entries   factor   blocks   blocks  us/pair at nodes   warped  at rest    "
      "exact   warped\n");
  bool is_fine = true;
  for (size_t i = 0; i < sizeof cells / sizeof *cells; i++)
    if (cells[i] <= (size_t)cells_max)
      is_fine = measure(cells[i], repeats) && is_fine;
  return !is_fine;
}
