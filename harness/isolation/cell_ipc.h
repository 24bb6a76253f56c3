// SPDX-License-Identifier: MIT
/// How the rows of a cell get from its process to the program: as a file in memory, to which the
/// process appends a parcel for each state that is done, so that they outlive a crash, and an end
/// mark after the last: a method can end the process as if all were well, but has not written that.
#ifndef TS_HARNESS_CELL_IPC_H
#define TS_HARNESS_CELL_IPC_H

#include "reports/rows/results.h"

#include <stdbool.h>

/// Where the rows begin. Before them is a hole, in which ends up, and does no harm, what a method
/// writes to a descriptor that it has found. Small: it counts towards a limit on file sizes.
#define TS_CELL_IPC_START 4096

/// Bytes there that say which state begins; the parcels follow.
#define TS_CELL_IPC_NOTE_BYTES 24

/// The end of the file that is being written.
typedef struct ts_cell_ipc_writer {
  int file;    ///< borrowed
  int64_t end; ///< [bytes]; initially TS_CELL_IPC_START
} ts_cell_ipc_writer;

/// Notes which state begins. TS_E_IO: the file cannot grow.
ts_status ts_cell_ipc_begin(ts_cell_ipc_writer *w, int64_t step);

/// Appends a parcel of one record or more. TS_E_IO: the file cannot grow.
ts_status ts_cell_ipc_append(ts_cell_ipc_writer *w, const ts_cell_rows *rows);

/// Says that no state follows. TS_E_IO: the file cannot grow.
ts_status ts_cell_ipc_end(ts_cell_ipc_writer *w);

/// Hands on all rows of a cell that has ended, in an empty file. TS_E_IO: the file cannot grow.
ts_status ts_cell_ipc_write(int file, const ts_cell_rows *rows);

/// What a process has handed over.
typedef struct ts_cell_ipc_content {
  ts_cell_rows rows;  ///< of the whole parcels, in the arena
  ts_record *records; ///< those of `rows`
  int64_t step;       ///< of the state that began last; 0 if that is unreadable
  bool is_whole;      ///< there are rows, the end mark follows them, and nothing follows that
  bool is_damaged;    ///< something is unreadable; else a file that is not whole only ends early
} ts_cell_ipc_content;

/// Reads what is readable from the front. `bytes_max`: a larger file is unreadable. `key`: that of
/// the cell, which every row must have. TS_E_MEMORY: this process has no memory for the rows.
ts_status ts_cell_ipc_read(ts_cell_ipc_content *out, ts_arena *arena, int file, double bytes_max,
                           const char *key);

#endif
