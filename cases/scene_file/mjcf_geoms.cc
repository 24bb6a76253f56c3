// SPDX-License-Identifier: MIT
#include "cases/scene_file/mjcf_geoms.hh"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>
#include <string>
#include <utility>

namespace {

static_assert(int(TS_MJCF_PLANE) == mjGEOM_PLANE && int(TS_MJCF_HFIELD) == mjGEOM_HFIELD &&
              int(TS_MJCF_SPHERE) == mjGEOM_SPHERE && int(TS_MJCF_CAPSULE) == mjGEOM_CAPSULE &&
              int(TS_MJCF_ELLIPSOID) == mjGEOM_ELLIPSOID &&
              int(TS_MJCF_CYLINDER) == mjGEOM_CYLINDER && int(TS_MJCF_BOX) == mjGEOM_BOX &&
              int(TS_MJCF_MESH) == mjGEOM_MESH);

static_assert(mjVERSION_HEADER < 300, "MuJoCo 3 has another exclude_signature");

// Which geoms collide: as MuJoCo's mj_collision decides.
class filter {
public:
  explicit filter(const mjModel &model) : m_(model) {
    for (int i = 0; i < m_.npair; i++)
      pairs_.insert(std::minmax(m_.pair_geom1[i], m_.pair_geom2[i]));
    for (int i = 0; i < m_.npair; i++)
      for (int geom : {m_.pair_geom1[i], m_.pair_geom2[i]})
        paired_.insert(geom);
    for (int i = 0; i < m_.nexclude; i++) // of bodies: one above each number
      excluded_.insert(
          std::minmax((m_.exclude_signature[i] >> 16) - 1, (m_.exclude_signature[i] & 0xffff) - 1));
  }
  // Whether a geom collides with any.
  bool takes_part(int geom) const {
    if (m_.opt.collision != mjCOL_PAIR && (m_.geom_contype[geom] || m_.geom_conaffinity[geom]))
      return true;
    return m_.opt.collision != mjCOL_DYNAMIC && paired_.count(geom) > 0;
  }
  bool moves(int geom) const { return weld(m_.geom_bodyid[geom]) != 0; }
  bool collide(int a, int b) const {
    if (m_.opt.collision != mjCOL_DYNAMIC && pairs_.count(std::minmax(a, b)) > 0)
      return true;
    return m_.opt.collision != mjCOL_PAIR && bodies_collide(m_.geom_bodyid[a], m_.geom_bodyid[b]) &&
           ((m_.geom_contype[a] & m_.geom_conaffinity[b]) ||
            (m_.geom_contype[b] & m_.geom_conaffinity[a]));
  }

private:
  int weld(int body) const { return m_.body_weldid[body]; }
  int parent(int welded) const { return weld(m_.body_parentid[welded]); }
  bool bodies_collide(int body_a, int body_b) const {
    const int a = weld(body_a), b = weld(body_b);
    if (a == b || excluded_.count(std::minmax(body_a, body_b)) > 0)
      return false;
    if (m_.opt.disableflags & mjDSBL_FILTERPARENT || a == 0 || b == 0)
      return true;
    return a != parent(b) && b != parent(a);
  }
  const mjModel &m_;
  std::set<std::pair<int, int>> pairs_, excluded_;
  std::set<int> paired_;
};

template <std::size_t size> void copy_name(char (&out)[size], const mjModel &m, int kind, int id) {
  const char *name = id >= 0 ? mj_id2name(&m, kind, id) : nullptr;
  if (name)
    std::strncpy(out, name, size - 1);
}

void add_numbers(mjcf_geoms &out, ts_mjcf_geom &g, const float *from, std::size_t count,
                 double scale) {
  g.first = out.numbers.size();
  g.count = count;
  for (std::size_t i = 0; i < count; i++)
    out.numbers.push_back(scale * static_cast<double>(from[i]));
}

// Numbers of a mesh or a height field; those of the first geom that has it serve all.
void add_data(mjcf_geoms &out, ts_mjcf_geom &g, const mjModel &m, int data) {
  const bool is_mesh = g.type == TS_MJCF_MESH;
  copy_name(g.data_name, m, is_mesh ? mjOBJ_MESH : mjOBJ_HFIELD, data);
  if (!is_mesh) {
    const mjtNum *size = m.hfield_size + 4 * data; // with the base's depth, which a scene has not
    std::copy(size, size + 3, g.size);
    g.row_count = static_cast<std::uint64_t>(m.hfield_nrow[data]);
    g.column_count = static_cast<std::uint64_t>(m.hfield_ncol[data]);
  }
  for (const ts_mjcf_geom &other : out.geoms)
    if (other.type == g.type && m.geom_dataid[other.id] == data) {
      g.first = other.first;
      g.count = other.count;
      return;
    }
  if (is_mesh)
    add_numbers(out, g, m.mesh_vert + 3 * m.mesh_vertadr[data],
                3 * static_cast<std::size_t>(m.mesh_vertnum[data]), 1);
  else
    add_numbers(out, g, m.hfield_data + m.hfield_adr[data], g.row_count * g.column_count,
                g.size[2]);
}

void add_geom(mjcf_geoms &out, const mjModel &m, const mjData &d, int id) {
  ts_mjcf_geom g = {};
  const int body = m.geom_bodyid[id];
  copy_name(g.name, m, mjOBJ_GEOM, id);
  copy_name(g.body_name, m, mjOBJ_BODY, body);
  g.type = static_cast<std::uint32_t>(m.geom_type[id]);
  g.id = static_cast<std::uint32_t>(id);
  g.body = static_cast<std::uint32_t>(body);
  g.is_fixed = m.body_weldid[body] == 0;
  std::copy(m.geom_size + 3 * id, m.geom_size + 3 * id + 3, g.size);
  std::copy(d.geom_xpos + 3 * id, d.geom_xpos + 3 * id + 3, g.translation_m);
  mju_mat2Quat(g.rotation_wxyz, d.geom_xmat + 9 * id);
  mjtNum velocity[6];
  mj_objectVelocity(&m, &d, mjOBJ_GEOM, id, velocity, 0);
  std::copy(velocity, velocity + 3, g.angular_rad_s);
  std::copy(velocity + 3, velocity + 6, g.linear_m_s);
  g.body_mass_kg = m.body_mass[body];
  if (g.type == TS_MJCF_MESH || g.type == TS_MJCF_HFIELD)
    add_data(out, g, m, m.geom_dataid[id]);
  out.geoms.push_back(g);
}

void find_excluded(mjcf_geoms &out, const filter &collisions) {
  for (std::size_t b = 1; b < out.geoms.size(); b++)
    for (std::size_t a = 0; a < b; a++) {
      const int id_a = static_cast<int>(out.geoms[a].id), id_b = static_cast<int>(out.geoms[b].id);
      if ((!collisions.moves(id_a) && !collisions.moves(id_b)) || collisions.collide(id_a, id_b))
        continue;
      if (out.excluded.size() == TS_MJCF_EXCLUDED_MAX) {
        out.outcome = TS_MJCF_TOO_LARGE;
        return;
      }
      out.excluded.push_back({static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b)});
    }
  std::sort(out.excluded.begin(), out.excluded.end());
}

// Whether some joint does not leave its body free.
bool has_joints(const mjModel &m) {
  return std::any_of(m.jnt_type, m.jnt_type + m.njnt, [](int t) { return t != mjJNT_FREE; });
}

bool has_welds(const mjcf_geoms &found, const mjModel &m) {
  std::set<int> bodies;
  for (const ts_mjcf_geom &g : found.geoms)
    if (!g.is_fixed && !bodies.insert(m.body_weldid[g.body]).second)
      return true;
  return false;
}

bool has_margins(const mjcf_geoms &found, const mjModel &m) {
  return std::any_of(found.geoms.begin(), found.geoms.end(),
                     [&](const ts_mjcf_geom &g) { return m.geom_margin[g.id] > 0; });
}

void note_omissions(mjcf_geoms &out, const mjModel &m) {
  const std::pair<ts_mjcf_omission, bool> all[TS_MJCF_OMISSION_COUNT] = {
      {TS_MJCF_OMITS_JOINTS, has_joints(m)},
      {TS_MJCF_OMITS_WELDS, has_welds(out, m)},
      {TS_MJCF_OMITS_EQUALITY, m.neq > 0},
      {TS_MJCF_OMITS_TENDONS, m.ntendon > 0},
      {TS_MJCF_OMITS_ACTUATORS, m.nu > 0},
      {TS_MJCF_OMITS_SKINS, m.nskin > 0},
      {TS_MJCF_OMITS_MARGINS, has_margins(out, m)},
      {TS_MJCF_OMITS_CONTACT_FLAG, (m.opt.disableflags & mjDSBL_CONTACT) != 0}};
  for (const auto &[omission, is_there] : all)
    out.omits |= static_cast<std::uint64_t>(is_there) << omission;
}

std::array<double, 3> find_up(const mjModel &m) {
  mjtNum up[3] = {-m.opt.gravity[0], -m.opt.gravity[1], -m.opt.gravity[2]};
  if (!(mju_norm3(up) > mjMINVAL) || !std::isfinite(mju_norm3(up)))
    return {0, 0, 1};
  mju_normalize3(up);
  return {up[0] + 0.0, up[1] + 0.0, up[2] + 0.0}; // no -0
}

} // namespace

mjcf_geoms find_geoms(const mjModel &model, const mjData &data) {
  const filter collisions(model);
  mjcf_geoms out;
  for (int id = 0; id < model.ngeom; id++) {
    if (!collisions.takes_part(id)) {
      out.left_out_count++;
      continue;
    }
    if (out.geoms.size() < TS_MJCF_GEOMS_MAX && out.numbers.size() <= TS_MJCF_NUMBERS_MAX)
      add_geom(out, model, data, id);
    else
      out.outcome = TS_MJCF_TOO_LARGE;
  }
  if (out.numbers.size() > TS_MJCF_NUMBERS_MAX)
    out.outcome = TS_MJCF_TOO_LARGE;
  if (out.geoms.empty())
    out.outcome = TS_MJCF_NO_GEOMS;
  if (out.outcome != TS_MJCF_MODEL)
    return out;
  find_excluded(out, collisions);
  note_omissions(out, model);
  out.up = find_up(model);
  return out;
}
