#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints the tables of docs/elastic.md: two spheres that give way, with one thing changed at a time,
and other pairs. Makes the spheres as a scene, and uses the touchstone on the PATH.
usage: tables.py spheres|pairs|mesh   or   tables.py scene DIR [SUBDIVISIONS [DISTANCE]]"""
import csv
import json
import math
import os
import subprocess
import sys
import tempfile


def icosphere(subdivisions):
    """Vertices on the unit sphere and triangles, counter-clockwise seen from outside."""
    g = (1 + math.sqrt(5)) / 2
    vertices = [(-1, g, 0), (1, g, 0), (-1, -g, 0), (1, -g, 0), (0, -1, g), (0, 1, g),
                (0, -1, -g), (0, 1, -g), (g, 0, -1), (g, 0, 1), (-g, 0, -1), (-g, 0, 1)]
    triangles = [(0, 11, 5), (0, 5, 1), (0, 1, 7), (0, 7, 10), (0, 10, 11), (1, 5, 9), (5, 11, 4),
                 (11, 10, 2), (10, 7, 6), (7, 1, 8), (3, 9, 4), (3, 4, 2), (3, 2, 6), (3, 6, 8),
                 (3, 8, 9), (4, 9, 5), (2, 4, 11), (6, 2, 10), (8, 6, 7), (9, 8, 1)]

    def on_sphere(p):
        norm = math.sqrt(sum(x * x for x in p))
        return tuple(x / norm for x in p)

    vertices = [on_sphere(p) for p in vertices]
    for _ in range(subdivisions):
        middles, finer = {}, []

        def middle(a, b):
            key = (min(a, b), max(a, b))
            if key not in middles:
                middles[key] = len(vertices)
                vertices.append(on_sphere([x + y for x, y in zip(vertices[a], vertices[b])]))
            return middles[key]

        for a, b, c in triangles:
            ab, bc, ca = middle(a, b), middle(b, c), middle(c, a)
            finer += [(a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca)]
        triangles = finer
    return vertices, triangles


def write_scene(folder, subdivisions=4, distance=1.7):
    """Two unit spheres, the upper one turned by 0.37 rad about (1, 0, 1)."""
    vertices, triangles = icosphere(subdivisions)
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "ball.obj"), "w", encoding="utf-8") as file:
        for v in vertices:
            file.write("v %r %r %r\n" % v)
        for t in triangles:
            file.write("f %d %d %d\n" % tuple(i + 1 for i in t))
    sine = math.sin(0.185) / math.sqrt(2)
    turned = {"rotation_wxyz": [math.cos(0.185), sine, 0, sine],
              "translation_m": [0, distance, 0]}
    scene = {"schema": "touchstone scene", "version": 1, "name": "two_balls",
             "shapes": [{"name": "ball", "mesh": "ball.obj"}],
             "bodies": [{"name": "lower", "shape": "ball"},
                        {"name": "upper", "shape": "ball", "pose": turned}],
             "truth": "untold"}
    path = os.path.join(folder, "scene.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(scene, file, indent=1)
    return path


def deform(work, *options):
    """The rows of deform.csv; None where touchstone refuses."""
    out = tempfile.mkdtemp(dir=work)
    done = subprocess.run(["touchstone", "deform", "--out", out, *options], check=False,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit("tables.py: touchstone deform %s: %s" % (" ".join(options), done.stderr))
    with open(os.path.join(out, "deform.csv"), encoding="utf-8") as file:
        return list(csv.DictReader(file))


def percent(value):
    if math.isnan(value):
        return "-"
    value *= 100
    return "0" if value == 0 else "%.0f" % value if abs(value) >= 10 else "%.2g" % value


def left(row):
    if row["outcome"] != "ok":
        return [row["outcome"] + ": " + row["reason"], ""]
    return [percent(float(row["overlap_left_m3"]) / float(row["overlap_m3"])),
            percent(float(row["deepest_left_m"]) / float(row["deepest_m"]))]


def volume_error(rows):
    worst = max(abs(float(row["volume_error"])) for row in rows)
    return "below 1e-12" if worst < 1e-12 else "%.1e" % worst


def table(head, rows):
    print("|" + "|".join(head) + "|")
    print("|" + "---|" * len(head))
    for row in rows:
        print("|" + "|".join(row) + "|")


# What is changed, distance, options, and the reference: overlap and deepest left, in percent. The
# extent is over the diameter.
SPHERES = [
    ("φ̄ 1.0", 1.7, ["--extent", "0.5"], "-", "0.37"),
    ("φ̄ 0.6", 1.7, ["--extent", "0.3"], "2.3", "4.6"),
    ("φ̄ 0.6, τ 0", 1.7, ["--extent", "0.3", "--tau", "0"], "39", "32"),
    ("φ̄ 0.6, τ 0.5", 1.7, ["--extent", "0.3", "--tau", "0.5"], "65", "53"),
    ("φ̄ 0.3", 1.7, ["--extent", "0.15"], "64", "74"),
    ("φ̄ 1.2, τ 0", 1.7, ["--extent", "0.6", "--tau", "0"], "0.24", "0.3"),
    ("φ̄ 0.6, τ -1.5", 1.7, ["--extent", "0.3", "--tau", "-1.5"], "0.43", "0.4"),
    ("φ̄ 0.6, γ 0", 1.7, ["--extent", "0.3", "--gamma", "0"], "0.36", "0.4"),
    ("φ̄ 0.6, anisotropic", 1.7, ["--extent", "0.3", "--anisotropic"], "0.45", "0.9"),
    ("φ̄ 0.6, centres 1.6 apart", 1.6, ["--extent", "0.3"], "14", "15"),
    ("φ̄ 0.6, centres 1.4 apart", 1.4, ["--extent", "0.3"], "34", "31"),
    ("φ̄ 0.6, k 0.75", 1.7, ["--extent", "0.3", "--stiffness-a", "0.75"], "1.9", "4.6"),
    ("φ̄ 0.6, k 1", 1.7, ["--extent", "0.3", "--stiffness-a", "1"], "0.9", "2.7"),
]


def print_spheres(work):
    lines = []
    for words, distance, options, overlap, deepest in SPHERES:
        scene = write_scene(os.path.join(work, "balls_%g" % distance), 4, distance)
        rows = deform(work, "--scene", scene, *options)
        ours = left(rows[0])
        lines.append([words, ours[0], overlap, ours[1], deepest, volume_error(rows)])
    table(["changed", "overlap left, %", "reference", "deepest left, %", "reference",
           "volume error"], lines)


def print_mesh(work):
    """Meshes twice as fine each time, at one extent."""
    lines = []
    for subdivisions in (2, 3, 4, 5):
        scene = write_scene(os.path.join(work, "level_%d" % subdivisions), subdivisions)
        rows = deform(work, "--scene", scene, "--extent", "0.5")
        a, b = rows[0], rows[1]
        lines.append([a["triangles"], *left(a)] +
                     ["%.2g" % float(a[name]) for name in ("mismatch_m_rms", "mismatch_m_max")] +
                     ["%.4f" % float(a["zone_mesh_area_m2"]), "%.4f" % float(b["zone_mesh_area_m2"]),
                      percent(float(a["volume_error_without_bulge"]))])
    table(["triangles", "overlap left, %", "deepest left, %", "mismatch rms, m", "max, m",
           "zone of a, m2", "zone of b, m2", "volume without bulge, %"], lines)


PAIRS = [
    ("sphere 0.1 deep in a slab", ["shape=sphere_on_slab", "depth_m=0.1"], []),
    ("the same, τ 0", ["shape=sphere_on_slab", "depth_m=0.1"], ["--tau", "0"]),
    ("box in a slab, k 0.5", ["shape=box_on_slab"], []),
    ("box in a slab, slab rigid", ["shape=box_on_slab"], ["--stiffness-a", "1"]),
    ("roof in a slab, slab rigid", ["shape=ridge"], ["--stiffness-a", "1"]),
    ("roof in a slab, k 0.5", ["shape=ridge"], []),
    ("pyramid in a slab, k 0.5", ["shape=tip"], []),
    ("two tori", ["shape=two_tori"], []),
    ("box in a box, through its top", ["shape=box_in_box", "depth_m=0.2"], []),
    ("sphere through a plate", ["shape=sphere_through_plate"], []),
]


def print_pairs(work):
    lines = []
    for words, sets, options in PAIRS:
        arguments = ["--case", "deep", "--edge", "0.05"]
        for assignment in sets:
            arguments += ["--set", assignment]
        rows = deform(work, *arguments, *options)
        is_ok = rows[0]["outcome"] == "ok"
        lines.append([words, *left(rows[0]), volume_error(rows) if is_ok else ""])
    table(["pair", "overlap left, %", "deepest left, %", "volume error"], lines)


def main():
    what = sys.argv[1] if len(sys.argv) > 1 else ""
    if what == "scene" and 3 <= len(sys.argv) <= 5:
        write_scene(sys.argv[2], *(kind(text) for kind, text in zip((int, float), sys.argv[3:])))
        return
    printers = {"spheres": print_spheres, "pairs": print_pairs, "mesh": print_mesh}
    if len(sys.argv) != 2 or what not in printers:
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as work:
        printers[what](work)


main()
