// SPDX-License-Identifier: MIT
#include "base/process.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// Reads the start of a file of /proc as a text; false when there is none.
static bool read_text(char *out, size_t capacity, const char *path) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return false;
  ssize_t count = read(file, out, capacity - 1);
  close(file);
  out[count > 0 ? count : 0] = '\0';
  return count > 0;
}

bool ts_process_read(ts_process_facts *out, pid_t process) {
  char path[64], text[1024];
  snprintf(path, sizeof path, "/proc/%ld/stat", (long)process);
  if (!read_text(text, sizeof text, path))
    return false;
  // "pid (name) state parent ...": a name may contain parentheses and spaces.
  char *name = strchr(text, '('), *end = strrchr(text, ')');
  if (!name || !end || end < name || end[1] == '\0')
    return false;
  *end = '\0';
  *out = (ts_process_facts){.parent = 0};
  snprintf(out->name, sizeof out->name, "%s", name + 1);
  const int parent_field = 4, start_field = 22;
  char *save = NULL, *word = strtok_r(end + 1, " ", &save);
  for (int field = 3; word && field <= start_field; field++, word = strtok_r(NULL, " ", &save)) {
    if (field == parent_field)
      out->parent = (pid_t)strtol(word, NULL, 10);
    if (field == start_field)
      out->start_ticks = strtoull(word, NULL, 10);
  }
  return true;
}

/// Ids of a list "1 2 3 ".
static size_t take_ids(pid_t *out, size_t capacity, char *text) {
  size_t count = 0;
  char *save = NULL;
  for (char *word = strtok_r(text, " ", &save); word && count < capacity;
       word = strtok_r(NULL, " ", &save))
    out[count++] = (pid_t)strtol(word, NULL, 10);
  return count;
}

/// Opens a folder of /proc and gives the next entry that is a number; 0: there is none.
static pid_t next_number(DIR *folder) {
  const struct dirent *entry;
  while (folder && (entry = readdir(folder)))
    if (isdigit((unsigned char)entry->d_name[0]))
      return (pid_t)strtol(entry->d_name, NULL, 10);
  return 0;
}

/// For kernels that do not list children: asks every process for its parent.
static size_t search_children(pid_t *out, size_t capacity, pid_t process) {
  size_t count = 0;
  DIR *folder = opendir("/proc");
  for (pid_t id; count < capacity && (id = next_number(folder)) != 0;) {
    ts_process_facts facts;
    if (ts_process_read(&facts, id) && facts.parent == process)
      out[count++] = id;
  }
  if (folder)
    closedir(folder);
  return count;
}

size_t ts_process_children(pid_t *out, size_t capacity, pid_t process) {
  char path[96], text[4096];
  snprintf(path, sizeof path, "/proc/%ld/task", (long)process);
  DIR *folder = opendir(path);
  size_t count = 0;
  bool is_listed = true;
  for (pid_t thread; is_listed && (thread = next_number(folder)) != 0;) {
    snprintf(path, sizeof path, "/proc/%ld/task/%ld/children", (long)process, (long)thread);
    if (read_text(text, sizeof text, path))
      count += take_ids(out + count, capacity - count, text);
    else // it has none, or the kernel lists none
      is_listed = access("/proc/thread-self/children", F_OK) == 0;
  }
  if (folder)
    closedir(folder);
  return is_listed ? count : search_children(out, capacity, process);
}

bool ts_process_memory(double *out_resident, double *out_virtual, pid_t process) {
  char path[64], text[128], *end;
  snprintf(path, sizeof path, "/proc/%ld/statm", (long)process);
  if (!read_text(text, sizeof text, path))
    return false;
  double page = (double)sysconf(_SC_PAGESIZE);
  *out_virtual = (double)strtoull(text, &end, 10) * page;
  *out_resident = (double)strtoull(end, NULL, 10) * page;
  return true;
}

double ts_process_own_memory(pid_t process) {
  static const char *const words[] = {"Private_Clean:", "Private_Dirty:"};
  char path[64], text[4096];
  snprintf(path, sizeof path, "/proc/%ld/smaps_rollup", (long)process);
  if (!read_text(text, sizeof text, path))
    return 0;
  double bytes = 0;
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    const char *line = strstr(text, words[i]);
    if (line)
      bytes += (double)strtoull(line + strlen(words[i]), NULL, 10) * 1024;
  }
  return bytes;
}

size_t ts_process_thread_count(void) {
  size_t count = 0;
  DIR *folder = opendir("/proc/self/task");
  while (next_number(folder) != 0)
    count++;
  if (folder)
    closedir(folder);
  return count;
}

bool ts_process_program(char *out, size_t bytes) {
  ssize_t count = readlink("/proc/self/exe", out, bytes);
  if (count >= 0 && (size_t)count == bytes)
    errno = ENAMETOOLONG;
  if (count < 0 || (size_t)count == bytes)
    return false;
  out[count] = '\0';
  return true;
}
