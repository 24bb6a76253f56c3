// SPDX-License-Identifier: MIT
/// Facts about processes of this system, from /proc. Of processes that end meanwhile there are
/// none, which is no error.
#ifndef TS_BASE_PROCESS_H
#define TS_BASE_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct ts_process_facts {
  char name[16];
  pid_t parent;
  uint64_t start_ticks; ///< when it began, in ticks of the system's clock since boot
} ts_process_facts;

/// False: there is no such process, or no /proc.
bool ts_process_read(ts_process_facts *out, pid_t process);

/// The children of a process [count, at most `capacity`], including those that have ended and were
/// not waited for.
size_t ts_process_children(pid_t *out, size_t capacity, pid_t process);

/// Resident memory and address space [bytes]; false when they cannot be read.
bool ts_process_memory(double *out_resident, double *out_virtual, pid_t process);

/// Resident memory that it shares with no other process [bytes]; 0 when it cannot be read.
double ts_process_own_memory(pid_t process);

/// Path of the program of this process, symbolic links resolved, in `out` [bytes]; false, with
/// errno, when it cannot be found out or does not fit.
bool ts_process_program(char *out, size_t bytes);

/// Threads of this process; 0 when they cannot be counted.
size_t ts_process_thread_count(void);

#endif
