#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the deformer with finite elements (Fig. 12 of Brunel 2021): two elastic balls that
overlap, at rest under their contacts by `touchstone export`, beside the same by `touchstone deform`.
Prints the table of docs/elastic.md, or draws its picture. Uses the touchstone on the PATH.
usage: fem.py table   or   fem.py picture FILE"""
import csv
import json
import math
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # no __pycache__ among the pages

from tables import icosphere, points_of, table

SUBDIVISIONS = 3
DISTANCE_M = 1.7
# Radii of the shells of nodes, from the surface to the one around the centre.
SHELLS_M = (1, 0.85, 0.7, 0.5, 0.25)
# With stiffness damping b alone, and next to no mass, the free motion of a step h goes the share
# h / (b + h) of the way back to the shape at rest. Contacts are found, and meshes exported, there, so
# the shape at the end of a step is extrapolated from two shares to share 0.
SHARES = (0.2, 0.1)
# Each step leaves 1 - share of what is missing to rest; TIMES / share steps leave exp(-TIMES) of it.
TIMES = 6
# A node is in contact when it is as close to the other body: the mismatch of the zones on
# these meshes.
CONTACT_M = 5e-3


def sub(p, q):
    return (p[0] - q[0], p[1] - q[1], p[2] - q[2])


def dot(p, q):
    return p[0] * q[0] + p[1] * q[1] + p[2] * q[2]


def cross(p, q):
    return (p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0])


def turn(p):
    """By 0.37 rad about (1, 0, 1), as the upper ball of tables.py."""
    axis, sine, cosine = (math.sqrt(0.5), 0, math.sqrt(0.5)), math.sin(0.37), math.cos(0.37)
    across, along = cross(axis, p), (1 - cosine) * dot(axis, p)
    return tuple(cosine * p[i] + sine * across[i] + along * axis[i] for i in range(3))


class Ball:
    """Nodes, those of the surface first, its triangles, and the tets of a unit ball."""

    def __init__(self):
        directions, self.triangles = icosphere(SUBDIVISIONS)
        n = self.surface_count = len(directions)
        self.nodes = [tuple(r * x for x in p) for r in SHELLS_M for p in directions] + [(0, 0, 0)]
        tets = []
        for corners in self.triangles:
            # Prisms between shells are cut alike from both sides: by the order of the vertices.
            a, b, c = sorted(corners)
            for k in range(0, (len(SHELLS_M) - 1) * n, n):
                tets += [(a + k, b + k, c + k, c + k + n), (a + k, b + k, b + k + n, c + k + n),
                         (a + k, a + k + n, b + k + n, c + k + n)]
            tets.append(tuple(i + (len(SHELLS_M) - 1) * n for i in corners) + (len(self.nodes) - 1,))
        self.tets = [self.positive(tet) for tet in tets]

    def positive(self, tet):
        p, q, r, s = (self.nodes[i] for i in tet)
        is_positive = dot(sub(q, p), cross(sub(r, p), sub(s, p))) > 0
        return tet if is_positive else (tet[1], tet[0]) + tet[2:]


def write_obj(path, vertices, triangles):
    with open(path, "w", encoding="utf-8") as file:
        for v in vertices:
            file.write("v %r %r %r\n" % tuple(v))
        for t in triangles:
            file.write("f %d %d %d\n" % tuple(i + 1 for i in t))


def write_scene(folder, triangles, vertices, extras=({}, {})):
    """`vertices` of lower and upper, world; `extras`: what else shape and body have."""
    os.makedirs(folder, exist_ok=True)
    scene = {"schema": "touchstone scene", "version": 1, "name": "two_balls", "shapes": [],
             "bodies": [], "truth": "untold"}
    for i, name in enumerate(("lower", "upper")):
        write_obj(os.path.join(folder, name + ".obj"), vertices[i], triangles)
        scene["shapes"].append({"name": name, "mesh": name + ".obj", **extras[i].get("shape", {})})
        scene["bodies"].append({"name": name, "shape": name, **extras[i].get("body", {})})
    path = os.path.join(folder, "scene.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(scene, file)
    return path


def call(*options):
    done = subprocess.run(["touchstone", *options], check=False, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        sys.exit("fem.py: touchstone %s: %s" % (" ".join(options), done.stdout))


def placed(nodes):
    """Nodes of lower and upper ball where they start, world."""
    return [list(nodes), [(x, y + DISTANCE_M, z) for x, y, z in map(turn, nodes)]]


def halves(points, surface_count):
    """The surfaces of both bodies from the points of a .vtp file."""
    each = len(points) // 2
    return [points[:surface_count], points[each:each + surface_count]]


def deformed(work, ball, extent_m, options):
    """Surfaces by the deformer, and the row of deform.csv."""
    scene = write_scene(os.path.join(work, "surfaces"), ball.triangles,
                        placed(ball.nodes[:ball.surface_count]))
    out = tempfile.mkdtemp(dir=work)
    # The extent is over the size of the ball, its diameter.
    call("deform", "--scene", scene, "--extent", repr(extent_m / 2), "--out", out, *options)
    with open(os.path.join(out, "deform.csv"), encoding="utf-8") as file:
        row = next(csv.DictReader(file))
    return halves(points_of(os.path.join(out, "after.vtp")), ball.surface_count), row


def write_elastic(work, ball, plane_m, poisson, damping_s):
    """`plane_m`: height over a centre, towards the other ball, from which nodes are free."""
    world, extras = placed(ball.nodes), []
    for i in range(2):
        heights = [p[1] if i == 0 else DISTANCE_M - p[1] for p in world[i]]
        held = [k for k, height in enumerate(heights) if height <= plane_m]
        elastic = {"young_pa": 1e6, "poisson": poisson, "stiffness_damping_s": damping_s,
                   "clamped": held}
        extras.append({"shape": {"tets": ball.tets},
                       "body": {"density_kg_m3": 1, "elastic": elastic}})
    return write_scene(os.path.join(work, "elastic"), ball.triangles, world, extras)


def at_rest(work, ball, plane_m, poisson):
    """Surfaces by finite elements, and how far the last step still moved a node."""
    found, moved_m, step_s = [], 0, 0.1
    for share in SHARES:
        scene = write_elastic(work, ball, plane_m, poisson, step_s * (1 / share - 1))
        out, steps = tempfile.mkdtemp(dir=work), round(TIMES / share)
        call("export", "--scene", scene, "--method", "control_nodes", "--steps", str(steps), "--format",
             "vtk", "--out", out, "--time-limit", "3000", "--set", "gravity_m_s2=0", "--set", "friction=0",
             "--set", "dt_s=%r" % step_s)
        last, before = (points_of(os.path.join(out, "bodies_%06d.vtp" % n))
                        for n in (steps, steps - 1))
        moved_m = max([moved_m] + [math.dist(p, q) for p, q in zip(last, before)])
        found.append((share, last))
    (coarse, p), (fine, q) = found
    weight = fine / (coarse - fine)
    points = [tuple(b + weight * (b - a) for a, b in zip(*pair)) for pair in zip(p, q)]
    return halves(points, ball.surface_count), moved_m


def distance_to_triangle(p, a, b, c):
    """To the nearest point of the triangle (by its Voronoi regions: corners, edges, face)."""
    ab, ac, ap = sub(b, a), sub(c, a), sub(p, a)
    d1, d2 = dot(ab, ap), dot(ac, ap)
    if d1 <= 0 and d2 <= 0:
        return math.dist(p, a)
    bp, cp = sub(p, b), sub(p, c)
    d3, d4, d5, d6 = dot(ab, bp), dot(ac, bp), dot(ab, cp), dot(ac, cp)
    if d3 >= 0 and d4 <= d3:
        return math.dist(p, b)
    if d6 >= 0 and d5 <= d6:
        return math.dist(p, c)
    vc, vb, va = d1 * d4 - d3 * d2, d5 * d2 - d1 * d6, d3 * d6 - d5 * d4
    if vc <= 0 and d1 >= 0 and d3 <= 0:
        s, t = d1 / (d1 - d3), 0
    elif vb <= 0 and d2 >= 0 and d6 <= 0:
        s, t = 0, d2 / (d2 - d6)
    elif va <= 0 and d4 >= d3 and d5 >= d6:
        t = (d4 - d3) / ((d4 - d3) + (d5 - d6))
        s = 1 - t
    else:
        s, t = vb / (va + vb + vc), vc / (va + vb + vc)
    return math.dist(p, tuple(a[i] + s * ab[i] + t * ac[i] for i in range(3)))


class Surface:
    """Finds distances from points; no triangle is farther from its middle than `reach`."""

    def __init__(self, vertices, triangles):
        self.corners = [tuple(vertices[i] for i in t) for t in triangles]
        self.middles = [tuple(sum(x) / 3 for x in zip(*corners)) for corners in self.corners]
        self.reach = max(math.dist(m, p) for m, t in zip(self.middles, self.corners) for p in t)

    def distance(self, p):
        far = [math.dist(p, m) for m in self.middles]
        limit = min(far) + self.reach
        return min(distance_to_triangle(p, *self.corners[i]) for i, d in enumerate(far) if d <= limit)


def contact_area(ball, surfaces):
    """Of the nodes close to the other body: a third of the triangles around; mean of both bodies."""
    total = 0
    for mine, other in (surfaces, surfaces[::-1]):
        target = Surface(other, ball.triangles)
        near = [target.distance(p) <= CONTACT_M for p in mine]
        for t in ball.triangles:
            a, b, c = (mine[i] for i in t)
            normal = cross(sub(b, a), sub(c, a))
            total += math.sqrt(dot(normal, normal)) / 2 * sum(near[i] for i in t) / 3
    return total / 2


def overlap(work, ball, surfaces):
    """Volume and depth of what two surfaces share, by the exact measure of deform."""
    scene = write_scene(os.path.join(work, "result"), ball.triangles, surfaces)
    out = tempfile.mkdtemp(dir=work)
    call("deform", "--scene", scene, "--out", out)
    with open(os.path.join(out, "deform.csv"), encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return float(rows[0]["overlap_m3"]) if rows else 0


def compare(ball, found, reference, start):
    """Distances from the nodes that moved to the other's surface, both ways: root mean square and
    largest; and the largest displacement of both."""
    squares = []
    for i in range(2):
        for mine, other in ((found[i], reference[i]), (reference[i], found[i])):
            target = Surface(other, ball.triangles)
            squares += [target.distance(p) ** 2 for p, q in zip(mine, start[i])
                        if math.dist(p, q) > 1e-9]
    moved = [max(math.dist(p, q) for i in range(2) for p, q in zip(surfaces[i], start[i]))
             for surfaces in (found, reference)]
    return math.sqrt(sum(squares) / len(squares)), math.sqrt(max(squares)), moved


def plane_of(row, extent_m):
    """Where the extent ends on a ball: the rim of the zone, and the extent along the surface."""
    return math.cos(math.asin(math.sqrt(float(row["zone_area_m2"]) / math.pi)) + extent_m)


# What the row says, Poisson's ratio, extent, and options of the deformer.
ROWS = [("ν 0.3, φ̄ 1.0", 0.3, 1.0, []), ("ν 0.45, φ̄ 1.0", 0.45, 1.0, []),
        ("ν 0.45, φ̄ 1.0, γ 0", 0.45, 1.0, ["--gamma", "0"]),
        ("ν 0.3, φ̄ 0.6", 0.3, 0.6, []), ("ν 0.45, φ̄ 0.6", 0.45, 0.6, [])]


def print_table(work):
    ball, lines = Ball(), []
    start = placed(ball.nodes[:ball.surface_count])
    for words, poisson, extent_m, options in ROWS:
        smooth, row = deformed(work, ball, extent_m, options)
        plane = plane_of(row, extent_m)
        elastic, moved_m = at_rest(work, ball, plane, poisson)
        rms, most, moved = compare(ball, elastic, smooth, start)
        before = float(row["overlap_m3"])
        lines.append([words, "%.2f" % plane, "%.3f" % moved[0], "%.3f" % moved[1],
                      "%.1f" % (100 * rms / moved[0]), "%.1f" % (100 * most / moved[0]),
                      "%.2f" % contact_area(ball, elastic), "%.2f" % contact_area(ball, smooth),
                      "%.2g" % (100 * overlap(work, ball, elastic) / before),
                      "%.2g" % (100 * float(row["overlap_left_m3"]) / before), "%.0e" % moved_m])
    table(["", "held below, m", "moved by FEM, m", "by the deformer", "distance rms, %", "largest, %",
           "contact of FEM, m2", "of the deformer", "overlap left by FEM, %", "by the deformer",
           "last step of FEM, m"], lines)


def section(vertices, triangles):
    """Pieces of a surface in the plane z = 1e-4, which misses the vertices."""
    pieces = []
    for t in triangles:
        ends = []
        for i in range(3):
            p, q = vertices[t[i]], vertices[t[(i + 1) % 3]]
            u, v = p[2] - 1e-4, q[2] - 1e-4
            if (u >= 0) != (v >= 0):
                s = u / (u - v)
                ends.append((p[0] + s * (q[0] - p[0]), p[1] + s * (q[1] - p[1])))
        if len(ends) == 2:
            pieces.append(ends)
    return pieces


def draw_path(file, pieces, style):
    scale, middle = 230, (320, 210)
    words = "".join("M%.1f %.1fL%.1f %.1f" %
                    (middle[0] + scale * a[0], middle[1] - scale * (a[1] - DISTANCE_M / 2),
                     middle[0] + scale * b[0], middle[1] - scale * (b[1] - DISTANCE_M / 2))
                    for a, b in pieces)
    file.write('<path d="%s" fill="none" %s/>\n' % (words, style))


def draw(work, path):
    """One section over the other."""
    ball, (_, poisson, extent_m, options) = Ball(), ROWS[1]
    start = placed(ball.nodes[:ball.surface_count])
    smooth, row = deformed(work, ball, extent_m, options)
    elastic, _ = at_rest(work, ball, plane_of(row, extent_m), poisson)
    layers = [(start, ["#777777"] * 2, 'stroke-width="1" stroke-dasharray="2 3"', "before"),
              (elastic, ["#ddaa33"] * 2, 'stroke-width="5"', "finite elements"),
              (smooth, ["#4477aa", "#cc6677"], 'stroke-width="1.8"', "deformer")]
    with open(path, "w", encoding="utf-8") as file:
        file.write('<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 640 460" width="640" '
                   'height="460" font-family="Helvetica, Arial, sans-serif">\n'
                   '<title>Two balls by finite elements and by the deformer</title>\n'
                   '<rect width="100%" height="100%" fill="#fff"/>\n'
                   '<svg viewBox="0 0 640 420" x="0" y="0" width="640" height="420">\n')
        for surfaces, colours, style, _ in layers:
            for surface, colour in zip(surfaces, colours):
                draw_path(file, section(surface, ball.triangles),
                          'stroke="%s" %s stroke-linecap="round"' % (colour, style))
        file.write("</svg>\n")
        for i, (_, colours, style, words) in enumerate(layers):
            file.write('<path d="M%d 440h26" stroke="%s" %s/>\n<text x="%d" y="444" font-size="13" '
                       'fill="#222">%s</text>\n' % (20 + 170 * i, colours[0], style, 52 + 170 * i, words))
        file.write("</svg>\n")


def main():
    if sys.argv[1:] != ["table"] and (len(sys.argv) != 3 or sys.argv[1] != "picture"):
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as work:
        if sys.argv[1] == "table":
            print_table(work)
        else:
            draw(work, sys.argv[2])


if __name__ == "__main__":
    main()
