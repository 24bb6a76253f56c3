// SPDX-License-Identifier: MIT
#include "harness/run/cell_process.h"

#include "base/status.h"
#include "harness/isolation/cell_ipc.h"
#include "harness/isolation/kept_process.h"

#include <sys/resource.h>
#include <unistd.h>

typedef struct output {
  ts_kept_process process;
  ts_cell_ipc_writer writer;
  int64_t step; ///< of the state that began last
} output;

static ts_status begin_state(void *context, int64_t step) {
  output *o = context;
  ts_kept_process_check(&o->process);
  o->step = step;
  return ts_cell_ipc_begin(&o->writer, step);
}

static ts_status add_rows(void *context, const ts_cell_rows *rows) {
  output *o = context;
  ts_kept_process_check(&o->process);
  // How far memory had grown at that step, so that the step which exceeds the limit is known.
  struct rusage usage = {0};
  getrusage(RUSAGE_SELF, &usage);
  ts_record record = rows->records[0];
  record.memory_bytes_max = (double)usage.ru_maxrss * 1024.0;
  ts_cell_rows with_memory = *rows;
  with_memory.records = &record;
  return ts_cell_ipc_append(&o->writer, &with_memory);
}

void ts_cell_process_run(void *context, ts_keeper_complaint *complaint, pid_t keeper) {
  const ts_cell_process *process = context;
  output o = {.writer = {.file = TS_KEEPER_RESULT_FILE, .end = TS_CELL_IPC_START}};
  ts_kept_process_begin(&o.process, keeper, process->memory_bytes);
  const ts_cell_sink sink = {begin_state, add_rows, &o};
  ts_status status = ts_cell_run(&sink, process->cell, process->timing);
  ts_kept_process_check(&o.process);
  if (status == TS_E_IO)
    ts_kept_process_complain(&o.process, complaint);
  if (status != TS_OK) {
    ts_record record;
    ts_cell_record(&record, process->cell, ts_cell_outcome(status), ts_status_detail());
    record.step = (double)o.step;
    status = ts_cell_ipc_append(&o.writer, &(ts_cell_rows){.records = &record, .record_count = 1});
  }
  if (status == TS_OK)
    status = ts_cell_ipc_end(&o.writer);
  if (status != TS_OK)
    ts_kept_process_complain(&o.process, complaint);
  _exit(0);
}
