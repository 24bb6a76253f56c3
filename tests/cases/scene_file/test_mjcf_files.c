// SPDX-License-Identifier: MIT
// covers: cases/scene_file/mjcf_model.c cases/scene_file/mjcf_messages.c cases/scene_file/mjcf_scan.cc
// The files of a MuJoCo model: those below its folder are found as MuJoCo finds them, nothing else
// is opened, and what is wrong is a message with the file and what to do.

#include "base/sanitizer.h"
#include "base/status.h"
#include "cases/scene_file/mjcf.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BALL        "<worldbody><geom size='1'/></worldbody>"
#define TETRAHEDRON "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 %d\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"

static ts_arena *arena;
static char folder[] = "/tmp/mjcf_files_XXXXXX";

static const char *in_folder(const char *name) {
  return ts_arena_format(arena, "%s/%s", folder, name);
}

static void write_file(const char *name, const char *text) {
  FILE *file = fopen(in_folder(name), "w");
  cr_assert(file, "%s", name);
  fputs(text, file);
  fclose(file);
}

static void set_up(void) {
  ts_arena_create(&arena);
  unsetenv("TOUCHSTONE_MJCF");
  cr_assert(mkdtemp(folder));
  mkdir(in_folder("model"), 0700);
  mkdir(in_folder("model/a"), 0700);
  mkdir(in_folder("model/b"), 0700);
}

static void tear_down(void) {
  char command[200];
  snprintf(command, sizeof command, "rm -rf '%s'", folder);
  cr_assert(system(command) == 0);
  ts_arena_destroy(arena);
}

TestSuite(cases_mjcf_files, .init = set_up, .fini = tear_down, .timeout = 120);

static ts_status read_text(ts_mjcf *out, const char *text) {
  write_file("model/model.xml", text);
  return ts_mjcf_read(out, arena, in_folder("model/model.xml"));
}

static ts_mjcf expect_read(const char *text) {
  ts_mjcf out;
  ts_status status = read_text(&out, text);
  cr_assert(status == TS_OK, "%s: %s", text, ts_status_detail());
  return out;
}

static void expect_refused(const char *text, const char *word) {
  ts_mjcf out;
  ts_status status = read_text(&out, text);
  const char *detail = ts_status_detail();
  cr_expect(status == TS_E_INPUT, "%.200s ends with %d", text, status);
  cr_expect(strstr(detail, word) != NULL, "no %s: %s", word, detail);
  cr_expect(strstr(detail, "model.xml: ") != NULL, "no file: %s", detail);
  cr_expect(strpbrk(detail, "\n\r\033") == NULL, "more than a line: %s", detail);
}

Test(cases_mjcf_files, includes_and_folders_of_assets_are_followed) {
  write_file("model/a/Tet.OBJ", ts_arena_format(arena, TETRAHEDRON, 1));
  // The folder is named in a file that is included after the mesh.
  write_file("model/b/meshes.xml", "<mujoco><asset><mesh name='t' file='./Tet.OBJ'/></asset>"
                                   "<include file='b/../b/folders.xml'/></mujoco>");
  write_file("model/b/folders.xml", "<mujoco><compiler meshdir='a'/></mujoco>");
  ts_mjcf m = expect_read("<mujoco><include file='./b/meshes.xml'/><worldbody><geom type='mesh' "
                          "mesh='t'/></worldbody></mujoco>");
  cr_expect(m.scene->shapes[0].mesh->vertex_count == 4);
  uint64_t hash = m.hash;
  write_file("model/a/Tet.OBJ", ts_arena_format(arena, TETRAHEDRON, 2));
  m = expect_read("<mujoco><include file='./b/meshes.xml'/><worldbody><geom type='mesh' mesh='t'/>"
                  "</worldbody></mujoco>");
  cr_expect(m.hash != hash, "the hash does not know the mesh");
  // Only the last part of a name counts.
  expect_read("<mujoco><compiler meshdir='a' strippath='true'/><asset><mesh name='t' "
              "file='/elsewhere/Tet.OBJ'/></asset><worldbody><geom type='mesh' mesh='t'/>"
              "</worldbody></mujoco>");
}

Test(cases_mjcf_files, files_outside_the_folder_are_not_opened) {
  write_file("outside.xml", "<mujoco/>");
  write_file("outside.obj", ts_arena_format(arena, TETRAHEDRON, 1));
  cr_assert(symlink("../outside.xml", in_folder("model/link.xml")) == 0);
  cr_assert(symlink("..", in_folder("model/up")) == 0);
  expect_refused("<mujoco><include file='../outside.xml'/>" BALL "</mujoco>", "<include> in");
  expect_refused("<mujoco><include file='link.xml'/>" BALL "</mujoco>", "leads out of its folder");
  expect_refused("<mujoco><include file='up/outside.xml'/>" BALL "</mujoco>", "leads out");
  expect_refused("<mujoco><include file='/etc/passwd'/>" BALL "</mujoco>", "/etc/passwd");
  expect_refused(
      "<mujoco><compiler meshdir='..'/><asset><mesh name='m' file='outside.obj'/></asset>" BALL
      "</mujoco>",
      "outside.obj");
  expect_refused("<mujoco><compiler texturedir='/etc/'/><asset><texture name='t' type='2d' "
                 "file='passwd'/></asset>" BALL "</mujoco>",
                 "<texture> in");
  expect_refused("<mujoco><asset><hfield name='h' file='../x.png' size='1 1 1 1'/></asset>" BALL
                 "</mujoco>",
                 "<hfield> in");
  expect_refused("<mujoco><asset><mesh name='m' file='missing.stl'/></asset>" BALL "</mujoco>",
                 "missing.stl: No such file");
  // In an attribute that is not known to name a file, MuJoCo itself finds nothing.
  expect_refused("<mujoco><asset><mesh file='a/x.obj' name='m'/></asset><deformable><skin "
                 "file='/etc/passwd'/></deformable>" BALL "</mujoco>",
                 "needs");
}

Test(cases_mjcf_files, two_files_that_mujoco_cannot_tell_apart_are_refused_unless_they_are_equal) {
  static const char text[] = "<mujoco><asset><mesh name='a' file='a/m.obj'/><mesh name='b' "
                             "file='b/M.obj'/></asset><worldbody><geom type='mesh' mesh='a'/>"
                             "</worldbody></mujoco>";
  write_file("model/a/m.obj", ts_arena_format(arena, TETRAHEDRON, 1));
  write_file("model/b/M.obj", ts_arena_format(arena, TETRAHEDRON, 1));
  expect_read(text);
  write_file("model/b/M.obj", ts_arena_format(arena, TETRAHEDRON, 2));
  expect_refused(text, "a/m.obj and b/M.obj");
}

Test(cases_mjcf_files, what_is_no_model_is_a_message_that_says_what_to_do) {
  static const char *const bad[][2] = {
    {"", "it is not XML"},
    {"<mujoco><worldbody><geom size='1'", "line 1"},
    {"<mujoco>" BALL "</mujoco>junk", "junk after"},
    {"<robot name='x'><link name='a'/></robot>", "URDF"},
    {"<model/>", "its root is <model>"},
    {"<!DOCTYPE m [<!ENTITY a 'b'>]><mujoco>" BALL "</mujoco>", "document type"},
    {"<mujoco><worldbody/></mujoco>", "no geom that can collide"},
    {"<mujoco><worldbody><geom size='1' contype='0' conaffinity='0'/></worldbody></mujoco>",
     "no geom that can collide"},
    {"<mujoco><worldbody><geom size='nan'/></worldbody></mujoco>", "a size that is not"},
    {"<mujoco><worldbody><geom type='box' size='1 inf 1'/></worldbody></mujoco>", "a size that"},
    {"<mujoco><worldbody><geom size='1' pos='0 nan 0'/></worldbody></mujoco>", "a pose that"},
    {"<mujoco><worldbody><geom size='-1'/></worldbody></mujoco>", "sizes must be positive"},
    {"<mujoco><worldbody><geom size='1e999'/></worldbody></mujoco>", "MuJoCo"},
    {"<mujoco><option nonsense='1'/>" BALL "</mujoco>", "a newer MuJoCo may know it"},
#if !TS_HAS_ADDRESS_SANITIZER // has no limit of address space, and fills all of that
    {"<mujoco><size nstack='2000000000'/>" BALL "</mujoco>", "lower nstack"},
    {"<mujoco><asset><hfield name='h' nrow='99999' ncol='99999' size='1 1 1 1'/></asset>"
     "<worldbody><geom type='hfield' hfield='h'/></worldbody></mujoco>",
     "allocate memory"},
#endif
    {"<mujoco><asset><hfield name='h' nrow='1' ncol='9' size='1 1 1 1'/></asset><worldbody><geom "
     "type='hfield' hfield='h'/></worldbody></mujoco>",
     "two rows"},
    {"<mujoco><worldbody><geom size='1'/><geom name='world_0' size='1'/></worldbody></mujoco>",
     "two geoms are called \"world_0\""},
    {"<mujoco><include file='model.xml'/>" BALL "</mujoco>", "already included"},
    {"<mujoco><asset><texture type='2d' builtin='flat' width='8' height='8' "
     "file=''/></asset>" BALL "</mujoco>",
     "empty name in texture"},
    {"<mujoco>\xff" BALL "</mujoco>", "not well-formed"},
    {"<mujoco model='\033[31m'>" BALL "</mujoco>", "not well-formed"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    expect_refused(bad[i][0], bad[i][1]);
}

static char *repeat(const char *text, size_t count) {
  size_t length = strlen(text);
  char *out = ts_arena_alloc(arena, length * count + 1);
  for (size_t i = 0; i < count; i++)
    memcpy(out + i * length, text, length);
  out[length * count] = '\0';
  return out;
}

Test(cases_mjcf_files, models_that_are_too_large_end_in_bounded_time) {
  expect_refused(ts_arena_format(arena, "<mujoco><worldbody>%s%s</worldbody></mujoco>",
                                 repeat("<body>", 100000), repeat("</body>", 100000)),
                 "nesting is too deep");
  expect_refused(ts_arena_format(arena, "<mujoco><worldbody>%s</worldbody></mujoco>",
                                 repeat("<geom size='1'/>", 10001)),
                 "more than 10000 geoms");
  char *files = ts_arena_string(arena, "");
  for (int i = 0; i < 2002; i += 91) { // few allocations
    char part[91 * 40] = "";
    for (int k = i; k < i + 91; k++)
      sprintf(part + strlen(part), "<mesh file='%d.stl'/>", k);
    files = ts_arena_format(arena, "%s%s", files, part);
  }
  expect_refused(ts_arena_format(arena, "<mujoco><asset>%s</asset>" BALL "</mujoco>", files),
                 "2000 files");
  expect_refused(ts_arena_format(arena, "<mujoco><include file='%s'/></mujoco>", repeat("a", 300)),
                 "more than 255 bytes");
  for (int i = 0; i < 40; i++)
    write_file(ts_arena_format(arena, "model/%d.xml", i),
               ts_arena_format(arena, "<mujoco><include file='%d.xml'/></mujoco>", i + 1));
  expect_refused("<mujoco><include file='0.xml'/>" BALL "</mujoco>", "32 files deep");
}

Test(cases_mjcf_files, a_keyframe_that_is_not_there_is_refused_with_those_that_are) {
  ts_mjcf out;
  write_file("model/model.xml", "<mujoco><worldbody><body><freejoint/><geom size='1'/></body>"
                                "</worldbody><keyframe><key name='home'/><key/></keyframe>"
                                "</mujoco>");
  cr_expect(ts_mjcf_read(&out, arena, in_folder("model/model.xml#away")) == TS_E_INPUT);
  cr_expect(strstr(ts_status_detail(), "\"away\"; it has: home, 1"), "%s", ts_status_detail());
  cr_expect(ts_mjcf_read(&out, arena, in_folder("model/model.xml#")) == TS_E_INPUT);
  cr_expect(strstr(ts_status_detail(), "no keyframe after #"), "%s", ts_status_detail());
  write_file("model/model.xml", "<mujoco>" BALL "</mujoco>");
  cr_expect(ts_mjcf_read(&out, arena, in_folder("model/model.xml#home")) == TS_E_INPUT);
  cr_expect(strstr(ts_status_detail(), "leave out #home"), "%s", ts_status_detail());
}

Test(cases_mjcf_files, names_that_end_in_xml_are_models) {
  static const char *const yes[] = {"a.xml", "a.XML", "b/a.xml#home", "a.xml#x#y.xml", "x#1.xml"};
  static const char *const no[] = {"a.json", "xml", ".xml", "a.xml.json", "a.json#home", "a.xmlx"};
  for (size_t i = 0; i < sizeof yes / sizeof *yes; i++)
    cr_expect(ts_mjcf_takes(yes[i]), "%s", yes[i]);
  for (size_t i = 0; i < sizeof no / sizeof *no; i++)
    cr_expect(!ts_mjcf_takes(no[i]), "%s", no[i]);
}

Test(cases_mjcf_files, without_the_helper_the_packages_are_named) {
  ts_mjcf out;
  setenv("TOUCHSTONE_MJCF", "/missing/touchstone-mjcf", 1);
  cr_expect(read_text(&out, "<mujoco>" BALL "</mujoco>") == TS_E_UNSUPPORTED);
  cr_expect(strstr(ts_status_detail(), "libmujoco-dev"), "%s", ts_status_detail());
  setenv("TOUCHSTONE_MJCF", "/bin/cat", 1);
  cr_expect(read_text(&out, "<mujoco>" BALL "</mujoco>") == TS_E_IO);
  cr_expect(strstr(ts_status_detail(), "not valid"), "%s", ts_status_detail());
}
