// SPDX-License-Identifier: MIT
// touchstone-mjcf: loads a MuJoCo model with libmujoco and says which geoms are where. A question
// comes on standard input and an answer leaves on standard output
// (cases/scene_file/mjcf_protocol.h).
//
// Models come from anywhere, and MuJoCo ends its program on an error. So it runs here, in a process
// of its own, with limits on memory and time, without output, and without a way to any file that
// the question does not hold: it may open none.

#include "cases/scene_file/mjcf_geoms.hh"
#include "cases/scene_file/mjcf_protocol.h"
#include "cases/scene_file/mjcf_scan.hh"
#include "geometry/mesh/helper_program.h"

#include <cmath>
#include <cstdio>
#include <cstring>
#include <exception>
#include <map>
#include <new>
#include <unistd.h>

namespace {

[[noreturn]] void end(int code) {
  _exit(code);
}

[[noreturn]] void end_by_exception() {
  if (std::exception_ptr thrown = std::current_exception()) {
    try {
      std::rethrow_exception(thrown);
    } catch (const std::bad_alloc &) {
      end(TS_MJCF_EXIT_MEMORY);
    } catch (...) {
    }
  }
  end(TS_MJCF_EXIT_THROWN);
}

int output = -1;

void write_all(const void *bytes, std::size_t count) {
  if (!ts_helper_write(output, bytes, count))
    end(TS_MJCF_EXIT_BROKEN);
}

template <std::size_t size> void copy_text(char (&out)[size], const std::string &text) {
  std::strncpy(out, text.c_str(), size - 1);
}

template <typename item> void write_items(const std::vector<item> &items) {
  write_all(items.data(), items.size() * sizeof(item));
}

[[noreturn]] void answer(ts_mjcf_outcome outcome, const std::string &text,
                         const std::vector<mjcf_wanted> &wanted, const mjcf_geoms &found) {
  ts_mjcf_answer head = {};
  std::memcpy(head.magic, TS_MJCF_ANSWER, sizeof head.magic);
  head.outcome = outcome;
  head.wanted_count = wanted.size();
  head.geom_count = found.geoms.size();
  head.number_count = found.numbers.size();
  head.excluded_count = found.excluded.size();
  head.byte_count = sizeof head + sizeof(ts_mjcf_wanted) * wanted.size() +
                    sizeof(ts_mjcf_geom) * found.geoms.size() +
                    sizeof(double) * found.numbers.size() +
                    sizeof(mjcf_excluded) * found.excluded.size();
  head.omits = found.omits;
  head.left_out_count = found.left_out_count;
  std::memcpy(head.up, found.up.data(), sizeof head.up);
  copy_text(head.version, mj_versionString());
  copy_text(head.text, text);
  write_all(&head, sizeof head);
  for (const mjcf_wanted &w : wanted) {
    ts_mjcf_wanted item = {};
    copy_text(item.name, w.name);
    copy_text(item.by, w.by);
    write_all(&item, sizeof item);
  }
  write_items(found.geoms);
  write_items(found.numbers);
  write_items(found.excluded);
  end(TS_MJCF_EXIT_OK);
}

[[noreturn]] void answer(ts_mjcf_outcome outcome, const std::string &text) {
  answer(outcome, text, {}, {});
}

// MuJoCo ends the program when this returns.
void on_error(const char *message) {
  answer(TS_MJCF_REFUSED, message);
}

void on_warning(const char *) {} // by default it writes a file

void read_exactly(void *out, std::size_t count) {
  if (ts_helper_read(out, count) != static_cast<ssize_t>(count))
    end(TS_MJCF_EXIT_QUESTION);
}

ts_mjcf_question read_head() {
  ts_mjcf_question head;
  read_exactly(&head, sizeof head);
  if (std::memcmp(head.magic, TS_MJCF_QUESTION, sizeof head.magic) != 0 ||
      head.byte_count < sizeof head || head.byte_count > TS_MJCF_ADDRESS_SPACE ||
      head.file_count < 1 || head.file_count > TS_MJCF_FILES_MAX ||
      head.keyframe[sizeof head.keyframe - 1] != '\0' || !std::isfinite(head.time_limit_s) ||
      head.time_limit_s <= 0)
    end(TS_MJCF_EXIT_QUESTION);
  return head;
}

std::vector<mjcf_file> read_files(const ts_mjcf_question &head) {
  std::vector<mjcf_file> files(head.file_count);
  std::size_t left = head.byte_count - sizeof head;
  for (mjcf_file &file : files) {
    ts_mjcf_file f;
    if (left < sizeof f)
      end(TS_MJCF_EXIT_QUESTION);
    read_exactly(&f, sizeof f);
    if (f.name[sizeof f.name - 1] != '\0' || f.byte_count > left - sizeof f ||
        f.byte_count > INT32_MAX)
      end(TS_MJCF_EXIT_QUESTION);
    left -= sizeof f + f.byte_count;
    file.name = f.name;
    file.bytes.resize(f.byte_count);
    read_exactly(file.bytes.data(), file.bytes.size());
  }
  unsigned char more;
  if (left != 0 || ts_helper_read(&more, 1) != 0)
    end(TS_MJCF_EXIT_QUESTION);
  return files;
}

// MuJoCo's files in memory, which are known by their last name alone.
mjVFS *make_memory(const std::vector<mjcf_file> &files) {
  auto *memory = new mjVFS;
  mj_defaultVFS(memory);
  std::map<std::string, const mjcf_file *> known;
  for (const mjcf_file &file : files) {
    const std::string name = mjcf_memory_name(file.name);
    const auto [other, is_new] = known.emplace(name, &file);
    if (!is_new && other->second->bytes != file.bytes)
      answer(TS_MJCF_SAME_NAME, other->second->name + " and " + file.name);
    if (!is_new || file.bytes.empty()) // MuJoCo says itself that it lacks an empty one
      continue;
    if (mj_makeEmptyFileVFS(memory, name.c_str(), static_cast<int>(file.bytes.size())) != 0)
      throw std::bad_alloc();
    std::memcpy(memory->filedata[memory->nfile - 1], file.bytes.data(), file.bytes.size());
  }
  return memory;
}

std::string name_keyframes(const mjModel &model) {
  std::string out;
  for (int k = 0; k < model.nkey && out.size() < TS_MJCF_TEXT_BYTES; k++) {
    const char *name = mj_id2name(&model, mjOBJ_KEY, k);
    out += (k > 0 ? ", " : "") + (name ? std::string(name) : std::to_string(k));
  }
  return out;
}

// The number of a keyframe by its name, or by its number where it has none.
int find_keyframe(const mjModel &model, const std::string &name) {
  const int named = mj_name2id(&model, mjOBJ_KEY, name.c_str());
  if (named >= 0)
    return named;
  for (int k = 0; k < model.nkey; k++)
    if (!mj_id2name(&model, mjOBJ_KEY, k) && std::to_string(k) == name)
      return k;
  answer(TS_MJCF_NO_KEYFRAME, name_keyframes(model));
}

// Where bodies are and how they move, without a step.
mjData *place_bodies(const mjModel &model, const std::string &keyframe) {
  mjData *data = mj_makeData(&model);
  if (!data)
    throw std::bad_alloc();
  if (!keyframe.empty())
    mj_resetDataKeyframe(&model, data, find_keyframe(model, keyframe));
  mj_kinematics(&model, data);
  mj_comPos(&model, data);
  mj_comVel(&model, data);
  return data;
}

[[noreturn]] void load(const ts_mjcf_question &head) {
  const std::vector<mjcf_file> files = read_files(head);
  ts_helper_limit(RLIMIT_NOFILE, 0);
  const mjcf_scan scan = scan_mjcf(files);
  if (scan.outcome != TS_MJCF_MODEL)
    answer(scan.outcome, scan.text, scan.wanted, {});
  mju_user_error = on_error;
  mju_user_warning = on_warning;
  mjVFS *memory = make_memory(files);
  char message[TS_MJCF_TEXT_BYTES] = "";
  const std::string name = mjcf_memory_name(files.front().name);
  const mjModel *model = mj_loadXML(name.c_str(), memory, message, sizeof message);
  if (!model)
    answer(TS_MJCF_REFUSED, message);
  const mjcf_geoms found = find_geoms(*model, *place_bodies(*model, head.keyframe));
  answer(found.outcome, "", {}, found.outcome == TS_MJCF_MODEL ? found : mjcf_geoms{});
}

} // namespace

int main(int count, char **) {
  if (count > 1) {
    std::fputs("touchstone-mjcf reads MuJoCo models for touchstone, through pipes; it takes no "
               "arguments. See TOUCHSTONE_MJCF in docs/mjcf.md.\n",
               stderr);
    return 2;
  }
  std::set_terminate(end_by_exception);
  output = ts_helper_start(TS_MJCF_ADDRESS_SPACE);
  if (output < 0)
    end(TS_MJCF_EXIT_BROKEN);
  const ts_mjcf_question head = read_head();
  ts_helper_limit(RLIMIT_CPU, static_cast<rlim_t>(std::fmin(head.time_limit_s, 1e9)) + 2);
  ts_helper_take_no_signals();
  load(head);
}
