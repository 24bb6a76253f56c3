// SPDX-License-Identifier: MIT
// Lets Bullet simulate a stack of boxes and records, at each step, where the bodies were when
// Bullet looked for contacts, and the contacts that its solver got. The folder is for `touchstone
// score`:
//
//   scene.json, *.obj  the scene as built, every box exactly on the one below
//   poses.csv          a row for each step and moving body
//   contacts.csv       a row for each step and point of a manifold
//
//   c++ -std=c++17 -o record_bullet record_bullet.cc $(pkg-config --cflags --libs bullet)
//   ./record_bullet OUT [STEPS]
//
// With the package bullet-float64 instead of bullet it records Bullet in double precision. To
// record a simulation of your own, keep `recorder` and replace `stack` and write_scene().
#include <btBulletDynamicsCommon.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace {

const double step_s = 1.0 / 60;
const double density_kg_m3 = 1000;
const long steps_default = 60;
const long steps_max = 1000000;

// A file that complains when it cannot be written. Numbers have 17 digits, so that they read back
// as the same doubles.
class text_file {
public:
  explicit text_file(const std::filesystem::path &path)
      : path_(path.string()), file_(std::fopen(path_.c_str(), "wb")) {
    if (!file_)
      throw std::runtime_error("cannot write " + path_);
  }
  text_file(const text_file &) = delete;
  text_file &operator=(const text_file &) = delete;
  ~text_file() {
    if (file_)
      std::fclose(file_);
  }

  text_file &operator<<(const std::string &text) {
    std::fwrite(text.data(), 1, text.size(), file_);
    return *this;
  }
  text_file &operator<<(double value) {
    char digits[32];
    std::snprintf(digits, sizeof digits, "%.17g", value);
    return *this << std::string(std::isnan(value) ? "nan" : digits);
  }
  // Separated by commas.
  text_file &operator<<(const btVector3 &v) {
    return *this << v.x() << "," << v.y() << "," << v.z();
  }

  void close() {
    bool is_bad = std::ferror(file_) != 0;
    is_bad |= std::fclose(file_) != 0;
    file_ = nullptr;
    if (is_bad)
      throw std::runtime_error("cannot write " + path_);
  }

private:
  std::string path_;
  std::FILE *file_;
};

// A box, and where its centre, the origin of its mesh, is at the start. Its axes are those of the
// world.
struct box {
  std::string name;
  btVector3 size_m;
  btVector3 position_m;
  bool is_fixed;
};

// Sums of a few powers of two, so that boxes touch exactly in single precision, too.
std::vector<box> make_boxes() {
  std::vector<box> boxes = {{"ground", btVector3(4, 1, 4), btVector3(0, btScalar(-0.5), 0), true}};
  double top = 0;
  for (double edge : {1.0, 0.875, 0.75, 0.625, 0.5}) {
    btScalar size = static_cast<btScalar>(edge);
    boxes.push_back({"box_" + std::to_string(boxes.size()), btVector3(size, size, size),
                     btVector3(0, static_cast<btScalar>(top + edge / 2), 0), false});
    top += edge;
  }
  return boxes;
}

void write_mesh(const std::filesystem::path &path, const btVector3 &size_m) {
  text_file mesh(path);
  for (int corner = 0; corner < 8; corner++) {
    mesh << "v";
    for (int axis = 0; axis < 3; axis++)
      mesh << " " << (corner >> axis & 1 ? 0.5 : -0.5) * size_m[axis];
    mesh << "\n";
  }
  // Counter-clockwise seen from outside.
  mesh << "f 1 5 7 3\nf 2 4 8 6\nf 1 2 6 5\nf 3 7 8 4\nf 1 3 4 2\nf 5 6 8 7\n";
  mesh.close();
}

void write_scene(const std::filesystem::path &folder, const std::vector<box> &boxes) {
  text_file scene(folder / "scene.json");
  scene
      << "{\n  \"schema\": \"touchstone scene\",\n  \"version\": 1,\n  \"name\": \"bullet_stack\","
         "\n  \"summary\": \"Boxes on top of each other, simulated by Bullet.\",\n"
         "  \"up\": [0, 1, 0],\n  \"shapes\": [";
  std::string separator = "\n";
  for (const box &b : boxes) {
    write_mesh(folder / (b.name + ".obj"), b.size_m);
    scene << separator << "    {\"name\": \"" << b.name << "\", \"mesh\": \"" << b.name
          << ".obj\"}";
    separator = ",\n";
  }
  scene << "\n  ],\n  \"bodies\": [";
  separator = "\n";
  for (const box &b : boxes) {
    scene << separator << "    {\"name\": \"" << b.name << "\", \"shape\": \"" << b.name
          << "\", \"is_fixed\": " << (b.is_fixed ? "true" : "false")
          << ", \"density_kg_m3\": " << density_kg_m3
          << ",\n     \"pose\": {\"rotation_wxyz\": [1, 0, 0, 0], \"translation_m\": ["
          << b.position_m << "]}}";
    separator = ",\n";
  }
  scene << "\n  ],\n  \"truth\": \"derived\"\n}\n";
  scene.close();
}

// The boxes in a world with Bullet's own settings: its solver, gravity of 10 m/s^2 along -y, bodies
// that fall asleep after two seconds at rest.
class stack {
public:
  explicit stack(const std::vector<box> &boxes) {
    for (const box &b : boxes) {
      // The margin of a btBoxShape is inside: the box that collides is the box that is asked for.
      shapes_.push_back(std::make_unique<btBoxShape>(b.size_m / 2));
      btScalar volume = b.size_m.x() * b.size_m.y() * b.size_m.z();
      btScalar mass = b.is_fixed ? 0 : static_cast<btScalar>(density_kg_m3) * volume;
      btVector3 inertia(0, 0, 0);
      if (!b.is_fixed)
        shapes_.back()->calculateLocalInertia(mass, inertia);
      btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, shapes_.back().get(), inertia);
      info.m_startWorldTransform.setOrigin(b.position_m);
      bodies_.push_back(std::make_unique<btRigidBody>(info));
      bodies_.back()->setUserIndex(static_cast<int>(bodies_.size()) - 1);
      world_.addRigidBody(bodies_.back().get());
    }
  }
  ~stack() {
    for (const auto &body : bodies_)
      world_.removeRigidBody(body.get());
  }
  stack(const stack &) = delete;
  stack &operator=(const stack &) = delete;

  btDynamicsWorld &world() { return world_; }

private:
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_{&configuration_};
  btDbvtBroadphase broadphase_;
  btSequentialImpulseConstraintSolver solver_;
  btDiscreteDynamicsWorld world_{&dispatcher_, &broadphase_, &solver_, &configuration_};
  std::vector<std::unique_ptr<btBoxShape>> shapes_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
};

// Writes what happens in each tick of a world. Every body's user index is its index in the scene.
//
// Bullet's step is: pre-tick callback, contacts, solver, new velocities, new poses, post-tick
// callback. So contacts belong to the poses of the pre-tick callback, and impulses are there in the
// post-tick callback, when bodies are already elsewhere. The points of a manifold are then still as
// they were found: Bullet carries them along when it looks for contacts again.
class recorder {
public:
  recorder(btDynamicsWorld *world, const std::vector<box> &boxes, text_file *poses,
           text_file *contacts)
      : boxes_(boxes), poses_(*poses), contacts_(*contacts) {
    poses_ << "step,time_s,body,position_x_m,position_y_m,position_z_m,rotation_w,rotation_x,"
              "rotation_y,rotation_z,velocity_x_m_s,velocity_y_m_s,velocity_z_m_s,angular_x_rad_s,"
              "angular_y_rad_s,angular_z_rad_s\n";
    contacts_ << "step,body_a,body_b,point_x_m,point_y_m,point_z_m,normal_x,normal_y,normal_z,"
                 "gap_m,impulse_kg_m_s,id\n";
    world->setInternalTickCallback(pre_tick, this, true);
    world->setInternalTickCallback(post_tick, this, false);
    // Ids are numbers: there is nothing to free. But only with a callback does Bullet clear what
    // belongs to a point when it drops the point.
    gContactDestroyedCallback = [](void *) { return true; };
  }

  long step_count() const { return step_; }
  long contact_count() const { return contact_count_; }

private:
  static void pre_tick(btDynamicsWorld *world, btScalar) {
    static_cast<recorder *>(world->getWorldUserInfo())->write_poses(world);
  }
  static void post_tick(btDynamicsWorld *world, btScalar) {
    static_cast<recorder *>(world->getWorldUserInfo())->write_contacts(world);
  }

  void write_poses(btDynamicsWorld *world) {
    for (int i = 0; i < world->getNumCollisionObjects(); i++) {
      const btRigidBody *body = btRigidBody::upcast(world->getCollisionObjectArray()[i]);
      if (!body || body->isStaticObject())
        continue; // a fixed body stays where the scene has it
      // Bullet's frame has its origin at the centre of mass. It is the frame of the mesh here; for
      // a mesh with another origin, this is where to apply the difference.
      const btTransform &pose = body->getWorldTransform();
      btQuaternion rotation = pose.getRotation();
      poses_ << std::to_string(step_) << "," << static_cast<double>(step_) * step_s << ","
             << name_of(body) << "," << pose.getOrigin() << "," << rotation.w() << ","
             << rotation.x() << "," << rotation.y() << "," << rotation.z() << ","
             << body->getLinearVelocity() << "," << body->getAngularVelocity() << "\n";
    }
  }

  void write_contacts(btDynamicsWorld *world) {
    btDispatcher *dispatcher = world->getDispatcher();
    for (int i = 0; i < dispatcher->getNumManifolds(); i++) {
      btPersistentManifold *manifold = dispatcher->getManifoldByIndexInternal(i);
      for (int k = 0; k < manifold->getNumContacts(); k++)
        write_contact(*manifold, manifold->getContactPoint(k));
    }
    step_++;
  }

  void write_contact(const btPersistentManifold &manifold, btManifoldPoint &point) {
    const btCollisionObject *a = manifold.getBody0(), *b = manifold.getBody1();
    // Bullet's normal points from its body 1 to its body 0, and either may be the earlier one.
    btVector3 normal = -point.m_normalWorldOnB;
    if (a->getUserIndex() > b->getUserIndex()) {
      std::swap(a, b);
      normal = point.m_normalWorldOnB;
    }
    btVector3 middle = (point.getPositionWorldOnA() + point.getPositionWorldOnB()) / 2;
    // Asleep: nothing was solved, and the impulse is that of an earlier step.
    bool is_solved = a->isActive() || b->isActive();
    double impulse = is_solved ? point.getAppliedImpulse() : std::nan("");
    contacts_ << std::to_string(step_) << "," << name_of(a) << "," << name_of(b) << "," << middle
              << "," << normal << "," << point.getDistance() << "," << impulse << ","
              << std::to_string(id_of(&point)) << "\n";
    contact_count_++;
  }

  // Bullet has no ids, but a pointer of the user's in each point. It is null in a new point. It
  // stays when a point found anew replaces one that is within the breaking threshold (which also
  // keeps its impulse for the warm start), and moves along when points change places in a manifold.
  // So a number in this pointer names a point for as long as Bullet takes it for the same.
  std::uintptr_t id_of(btManifoldPoint *point) {
    if (!point->m_userPersistentData)
      point->m_userPersistentData = reinterpret_cast<void *>(++last_id_);
    return reinterpret_cast<std::uintptr_t>(point->m_userPersistentData);
  }

  const std::string &name_of(const btCollisionObject *body) const {
    return boxes_[static_cast<std::size_t>(body->getUserIndex())].name;
  }

  const std::vector<box> &boxes_;
  text_file &poses_, &contacts_;
  long step_ = 0, contact_count_ = 0;
  std::uintptr_t last_id_ = 0;
};

// Makes the folder, or takes one that is empty.
void make_folder(const std::filesystem::path &folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error || !std::filesystem::is_directory(folder, error))
    throw std::invalid_argument("cannot make the folder " + folder.string());
  bool is_empty = std::filesystem::is_empty(folder, error);
  if (error || !is_empty)
    throw std::invalid_argument(folder.string() + " is not empty: name a new folder");
}

long read_steps(const char *text) {
  char *end = nullptr;
  long steps = std::strtol(text, &end, 10);
  if (end == text || *end != '\0' || steps < 1 || steps > steps_max)
    throw std::invalid_argument("STEPS is " + std::string(text) + ": name a number from 1 to " +
                                std::to_string(steps_max));
  return steps;
}

void record(const std::filesystem::path &folder, long steps) {
  make_folder(folder);
  std::vector<box> boxes = make_boxes();
  write_scene(folder, boxes);
  text_file poses(folder / "poses.csv"), contacts(folder / "contacts.csv");
  stack simulated(boxes);
  recorder recorded(&simulated.world(), boxes, &poses, &contacts);
  // 0: one tick of just this length, whatever the rounding of step_s.
  for (long i = 0; i < steps; i++)
    simulated.world().stepSimulation(static_cast<btScalar>(step_s), 0);
  poses.close();
  contacts.close();
  std::printf("%s: scene.json, poses.csv and contacts.csv: %zu bodies, %ld steps, %ld contacts\n",
              folder.string().c_str(), boxes.size(), recorded.step_count(),
              recorded.contact_count());
}

} // namespace

int main(int argument_count, char **arguments) {
  try {
    if ((argument_count != 2 && argument_count != 3) || arguments[1][0] == '-')
      throw std::invalid_argument("usage: record_bullet OUT [STEPS]");
    long steps = argument_count == 3 ? read_steps(arguments[2]) : steps_default;
    record(arguments[1], steps);
  } catch (const std::invalid_argument &error) {
    std::fprintf(stderr, "record_bullet: %s\n", error.what());
    return 2;
  } catch (const std::exception &error) {
    std::fprintf(stderr, "record_bullet: %s\n", error.what());
    return 1;
  }
  return 0;
}
