// SPDX-License-Identifier: MIT
#include "methods/plugins/linked_libraries.h"

#include "base/hash.h"

#include <link.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>

static int count_one(struct dl_phdr_info *info, size_t size, void *context) {
  (void)info, (void)size;
  ++*(size_t *)context;
  return 0;
}

size_t ts_linked_libraries_count(void) {
  size_t count = 0;
  dl_iterate_phdr(count_one, &count);
  return count;
}

/// The build id among notes of `count` bytes: name and description are padded to 4 bytes.
static bool find_build_id(const unsigned char **out, size_t *out_count, const unsigned char *notes,
                          size_t count) {
  ElfW(Nhdr) head;
  while (count >= sizeof head) {
    memcpy(&head, notes, sizeof head);
    size_t name = ((size_t)head.n_namesz + 3) & ~(size_t)3;
    size_t text = ((size_t)head.n_descsz + 3) & ~(size_t)3;
    if (name + text > count - sizeof head)
      return false;
    if (head.n_type == NT_GNU_BUILD_ID && head.n_namesz == 4 &&
        memcmp(notes + sizeof head, "GNU", 4) == 0) {
      *out = notes + sizeof head + name;
      *out_count = head.n_descsz;
      return true;
    }
    notes += sizeof head + name + text;
    count -= sizeof head + name + text;
  }
  return false;
}

/// Bytes that differ between two versions of a library.
static uint64_t hash_version(uint64_t hash, const struct dl_phdr_info *info) {
  for (size_t i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &info->dlpi_phdr[i];
    const unsigned char *id;
    size_t count;
    const void *notes = (const void *)(uintptr_t)(info->dlpi_addr + part->p_vaddr);
    if (part->p_type == PT_NOTE && find_build_id(&id, &count, notes, part->p_memsz))
      return ts_hash_bytes(hash, id, count);
  }
  struct stat facts;
  if (stat(info->dlpi_name, &facts) != 0)
    return hash;
  hash = ts_hash_bytes(hash, &facts.st_size, sizeof facts.st_size);
  return ts_hash_bytes(hash, &facts.st_mtim, sizeof facts.st_mtim);
}

typedef struct walk {
  size_t skipped;
  bool is_after_first; ///< of those that are hashed: the plug-in, whose bytes are hashed anyway
  uint64_t hash;
} walk;

static int hash_one(struct dl_phdr_info *info, size_t size, void *context) {
  (void)size;
  walk *w = context;
  if (w->skipped > 0) {
    w->skipped--;
    return 0;
  }
  if (w->is_after_first) {
    const char *slash = strrchr(info->dlpi_name, '/'), *name = slash ? slash + 1 : info->dlpi_name;
    w->hash = hash_version(ts_hash_bytes(w->hash, name, strlen(name)), info);
  }
  w->is_after_first = true;
  return 0;
}

uint64_t ts_linked_libraries_hash(uint64_t hash, size_t count) {
  walk w = {.skipped = count, .hash = hash};
  dl_iterate_phdr(hash_one, &w);
  return w.hash;
}
