// SPDX-License-Identifier: MIT
/// A contact generator that wraps an engine written in C++, as a plug-in for touchstone:
///
///   c++ -O2 -shared -fPIC -o hull_planes.so hull_planes.cc $(pkg-config --cflags touchstone)
///   touchstone run --plugin ./hull_planes.so --method hull_planes
///
/// The engine is at the top: a minimal one, but with conventions of its own, namely normals towards
/// its first body, depths above zero, points on the second body. The bottom half is what a wrapper
/// of any engine does: it creates the engine's shape in prepare_shape(), deletes it in
/// release_shape(), converts the engine's hits to contacts, and catches all exceptions.
#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <memory>
#include <new>
#include <stdexcept>
#include <touchstone/method.h>
#include <utility>
#include <vector>

namespace engine {

struct Vec {
  double x, y, z;
};

Vec operator+(Vec a, Vec b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
Vec operator-(Vec a, Vec b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
Vec operator*(double s, Vec a) {
  return {s * a.x, s * a.y, s * a.z};
}
double dot(Vec a, Vec b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
Vec cross(Vec a, Vec b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

struct Plane {
  Vec normal; // unit, outwards
  double offset;
  double height(Vec p) const { return dot(normal, p) - offset; }
};

struct Hit {
  Vec position; // on the second body
  Vec normal;   // from the second body to the first
  double depth; // above zero where they overlap
};

/// A convex body: its corners, and the planes of its faces.
class Hull {
public:
  Hull(std::vector<Vec> points, const std::vector<Plane> &faces) : points_(std::move(points)) {
    for (const Plane &face : faces) {
      bool is_new = std::none_of(planes_.begin(), planes_.end(), [&](const Plane &p) {
        return dot(p.normal, face.normal) > 1 - 1e-12;
      });
      if (is_new)
        planes_.push_back(face);
    }
    if (planes_.size() < 4)
      throw std::invalid_argument("a hull needs four planes with different normals");
  }

  const std::vector<Vec> &points() const { return points_; }
  const std::vector<Plane> &planes() const { return planes_; }

  /// The hull rotated by a unit quaternion (w, axis) and translated.
  Hull placed(double w, Vec axis, Vec to) const {
    auto rotated = [&](Vec v) {
      Vec once = cross(axis, v);
      return v + 2 * w * once + 2 * cross(axis, once);
    };
    Hull moved = *this;
    for (Vec &p : moved.points_)
      p = rotated(p) + to;
    for (Plane &p : moved.planes_) {
      p.normal = rotated(p.normal);
      p.offset += dot(p.normal, to);
    }
    return moved;
  }

private:
  std::vector<Vec> points_;
  std::vector<Plane> planes_;
};

/// How far a hull is in front of a plane; negative if it reaches through.
double separation(const Plane &plane, const Hull &hull) {
  double minimum = std::numeric_limits<double>::infinity();
  for (Vec p : hull.points())
    minimum = std::min(minimum, plane.height(p));
  return minimum;
}

/// Corners of `hull` behind a face of `owner`, and within its other planes.
void add_hits(std::vector<Hit> &hits, const Plane &face, const Hull &owner, const Hull &hull,
              double margin, double rounding, bool owner_is_first) {
  for (Vec p : hull.points()) {
    double depth = -face.height(p);
    bool is_within =
        std::all_of(owner.planes().begin(), owner.planes().end(), [&](const Plane &plane) {
          return plane.height(p) <= rounding || &plane == &face;
        });
    if (depth < -margin || !is_within)
      continue;
    if (owner_is_first)
      hits.push_back({p, -1.0 * face.normal, depth});
    else
      hits.push_back({p + depth * face.normal, face.normal, depth});
  }
}

/// Hits come from the face with the largest separation, and from faces equally good. Only faces are
/// tried as separating axes: crossing edges are found along a face's normal, or not at all.
std::vector<Hit> collide(const Hull &first, const Hull &second, double margin, double rounding) {
  double best = -std::numeric_limits<double>::infinity();
  for (const Plane &plane : first.planes())
    best = std::max(best, separation(plane, second));
  for (const Plane &plane : second.planes())
    best = std::max(best, separation(plane, first));
  std::vector<Hit> hits;
  if (best > margin)
    return hits;
  for (const Plane &plane : first.planes())
    if (separation(plane, second) >= best - rounding)
      add_hits(hits, plane, first, second, margin, rounding, true);
  for (const Plane &plane : second.planes())
    if (separation(plane, first) >= best - rounding)
      add_hits(hits, plane, second, first, margin, rounding, false);
  return hits;
}

} // namespace engine

namespace {

engine::Vec from_ts(ts_vec3 v) {
  return {v.x, v.y, v.z};
}
ts_vec3 to_ts(engine::Vec v) {
  return {v.x, v.y, v.z};
}

/// Runs `work` and converts exceptions to a status: touchstone is C, and an exception that reaches
/// it ends the cell's process.
template <typename Work> ts_status guarded(const ts_host *host, Work &&work) noexcept {
  try {
    return work();
  } catch (const std::bad_alloc &) {
    return host->fail(host, TS_E_MEMORY, "out of memory");
  } catch (const std::exception &e) {
    return host->fail(host, TS_E_INPUT, e.what());
  } catch (...) {
    return host->fail(host, TS_E_INPUT, "the engine threw an unknown exception");
  }
}

ts_status prepare_shape(void **out, const ts_host *host, const ts_mesh *mesh, const double *) {
  return guarded(host, [&] {
    std::vector<engine::Vec> points;
    for (size_t i = 0; i < mesh->vertex_count; i++)
      points.push_back(from_ts(mesh->vertices[i]));
    std::vector<engine::Plane> faces;
    for (size_t t = 0; t < mesh->triangle_count; t++) {
      engine::Vec a = points[mesh->triangles[t][0]], b = points[mesh->triangles[t][1]];
      engine::Vec n = cross(b - a, points[mesh->triangles[t][2]] - a);
      n = 1 / std::sqrt(dot(n, n)) * n;
      faces.push_back({n, dot(n, a)});
    }
    *out = std::make_unique<engine::Hull>(std::move(points), faces).release();
    return ts_status{TS_OK};
  });
}

/// Called once for each shape that prepare_shape() made.
void release_shape(void *shape) {
  delete static_cast<engine::Hull *>(shape);
}

engine::Hull placed(const void *shape, const ts_pose &pose) {
  const ts_quat &q = pose.rotation;
  return static_cast<const engine::Hull *>(shape)->placed(q.w, {q.x, q.y, q.z},
                                                          from_ts(pose.translation));
}

ts_status generate(const ts_host *host, const ts_pair *pair, const void *shape_a,
                   const void *shape_b, void *, const double *params) {
  return guarded(host, [&] {
    double margin_m = params[0];
    for (const engine::Hit &hit :
         engine::collide(placed(shape_a, pair->pose_a), placed(shape_b, pair->pose_b), margin_m,
                         1e-9 * pair->size_m)) {
      ts_contact contact{};
      contact.point = to_ts(hit.position - 0.5 * hit.depth * hit.normal); // midway
      contact.normal = to_ts(-1.0 * hit.normal);                          // from a to b
      contact.gap_m = -hit.depth;                                         // overlap below zero
      contact.area_m2 = std::numeric_limits<double>::quiet_NaN();         // not given
      if (ts_status status = host->push(host, &contact, 1); status != TS_OK)
        return status;
    }
    return ts_status{TS_OK};
  });
}

ts_status envelope(ts_envelope *out, const double *params) {
  out->kind = TS_ENVELOPE_NONE;
  out->reach_m = params[0];
  return TS_OK;
}

ts_param margin() {
  ts_param p{};
  p.name = "margin_m";
  p.summary = "Gap up to which the engine reports hits.";
  p.kind = TS_PARAM_REAL;
  p.is_length = 1;
  p.default_value = 0.01;
  p.maximum = 1;
  return p;
}

/// Members that are not set are zero: C++17 has no designated initialisers.
ts_method method(const ts_param *params) {
  ts_method m{};
  m.abi = TS_METHOD_ABI;
  m.struct_size = sizeof m;
  m.name = "hull_planes";
  m.summary = "Corners of convex bodies behind the face that separates them best.";
  m.source = "touchstone, examples/plugins/hull_planes.cc";
  m.needs = TS_NEEDS_CONVEX;
  m.gives = TS_GIVES_GAP;
  m.params = params;
  m.param_count = 1;
  m.envelope = envelope;
  m.prepare_shape = prepare_shape;
  m.generate = generate;
  m.release_shape = release_shape;
  return m;
}

} // namespace

const ts_method *const *touchstone_methods(void) {
  static const ts_param params[] = {margin()};
  static const ts_method hull_planes = method(params);
  static const ts_method *const methods[] = {&hull_planes, nullptr};
  return methods;
}
