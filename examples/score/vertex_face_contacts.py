#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Finds contacts of a scene and writes them to a file for `touchstone score`.

usage: vertex_face_contacts.py scene.json contacts.csv [TOLERANCE]

Needs only Python 3.8. The method is deliberately simple: a vertex of one body on a face of the other,
within the tolerance (relative to the scene's size, 1e-6 by default), is a contact if its body
extends away from the face. Crossing edges are not searched for, and are missed.
"""

import csv
import json
import math
import os
import sys


def sub(a, b):
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def add_scaled(a, s, b):
    return (a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2])


def unit(a):
    length = math.sqrt(dot(a, a))
    return (a[0] / length, a[1] / length, a[2] / length)


def read_obj(path):
    """Vertices and triangles of a mesh; faces with more corners are cut into fans."""
    vertices, triangles = [], []
    with open(path, encoding="utf-8") as file:
        for line in file:
            words = line.split()
            if not words:
                continue
            if words[0] == "v":
                vertices.append(tuple(float(word) for word in words[1:4]))
            elif words[0] == "f":
                # "7", "7/1" or "7//3"; counted from 1, or from the end when negative.
                corners = [int(word.split("/")[0]) for word in words[1:]]
                corners = [c - 1 if c > 0 else c + len(vertices) for c in corners]
                triangles += [(corners[0], b, c) for b, c in zip(corners[1:], corners[2:])]
    return vertices, triangles


def rotate(q, v):
    """Rotates a vector by the unit quaternion (w, x, y, z)."""
    t = cross(q[1:], v)
    t = (2 * t[0], 2 * t[1], 2 * t[2])
    return add_scaled(add_scaled(v, q[0], t), 1.0, cross(q[1:], t))


class Body:
    """A body in the world frame."""

    def __init__(self, name, vertices, triangles, pose):
        rotation = tuple(pose.get("rotation_wxyz", (1, 0, 0, 0)))
        translation = pose.get("translation_m", (0, 0, 0))
        self.name = name
        self.vertices = [add_scaled(rotate(rotation, v), 1.0, translation) for v in vertices]
        self.neighbours = [set() for _ in vertices]
        self.faces = []  # corners and outward normal of each triangle
        for corners in triangles:
            for i, corner in enumerate(corners):
                self.neighbours[corner].update((corners[i - 1], corners[i - 2]))
            p = [self.vertices[corner] for corner in corners]
            self.faces.append((p, unit(cross(sub(p[1], p[0]), sub(p[2], p[0])))))
        self.low = [min(v[k] for v in self.vertices) for k in range(3)]
        self.high = [max(v[k] for v in self.vertices) for k in range(3)]


def read_scene(path):
    """The bodies of a scene, in the order of the file."""
    with open(path, encoding="utf-8") as file:
        scene = json.load(file)
    folder = os.path.dirname(path)
    meshes = {s["name"]: read_obj(os.path.join(folder, s["mesh"])) for s in scene["shapes"]}
    return [Body(b["name"], *meshes[b["shape"]], b.get("pose", {})) for b in scene["bodies"]]


def may_touch(a, b, reach):
    return all(a.low[k] <= b.high[k] + reach and b.low[k] <= a.high[k] + reach for k in range(3))


def vertices_on_faces(a, b, reach):
    """Yields (point, normal of b's face, gap) for each vertex of a on a face of b."""
    for index, vertex in enumerate(a.vertices):
        for corners, normal in b.faces:
            gap = dot(normal, sub(vertex, corners[0]))
            if abs(gap) > reach:
                continue
            edges = [sub(corners[i - 2], corners[i]) for i in range(3)]
            inside = (dot(cross(unit(edge), sub(vertex, corner)), normal) >= -reach
                      for corner, edge in zip(corners, edges))
            extends_away = (dot(normal, sub(a.vertices[n], vertex)) >= -reach
                         for n in a.neighbours[index])
            if all(inside) and all(extends_away):
                # Midway between the two surfaces.
                yield add_scaled(vertex, -gap / 2, normal), normal, gap


def find_contacts(bodies, tolerance):
    """Yields (body a, body b, point, normal from a to b, gap)."""
    size = max(max(b.high[k] for b in bodies) - min(b.low[k] for b in bodies) for k in range(3))
    reach = tolerance * size
    for i, a in enumerate(bodies):
        for b in bodies[i + 1:]:
            if not may_touch(a, b, reach):
                continue
            for point, normal, gap in vertices_on_faces(b, a, reach):
                yield a, b, point, normal, gap
            for point, normal, gap in vertices_on_faces(a, b, reach):
                yield a, b, point, (-normal[0], -normal[1], -normal[2]), gap


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    bodies = read_scene(sys.argv[1])
    tolerance = float(sys.argv[3]) if len(sys.argv) == 4 else 1e-6
    count = 0
    with open(sys.argv[2], "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["body_a", "body_b", "point_x_m", "point_y_m", "point_z_m",
                         "normal_x", "normal_y", "normal_z", "gap_m"])
        for a, b, point, normal, gap in find_contacts(bodies, tolerance):
            # repr() gives digits that read back as the same number.
            writer.writerow([a.name, b.name, *map(repr, (*point, *normal, gap))])
            count += 1
    print(f"{count} contacts")


if __name__ == "__main__":
    main()
