#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints the tables of docs/elastic.md: contacts of the suite; two spheres that give way, with one
thing changed at a time; other pairs. Makes the spheres as a scene, and uses the touchstone on the PATH.
usage: tables.py contacts|spheres|pairs|mesh|motion|times   or   tables.py scene DIR [SUBDIVISIONS [DISTANCE]]
       tables.py times --update writes the times into the page; it takes minutes on a quiet machine"""
import base64
import contextlib
import csv
import io
import json
import math
import os
import struct
import subprocess
import sys
import tempfile


def on_sphere(p):
    norm = math.sqrt(sum(x * x for x in p))
    return tuple(x / norm for x in p)


def icosahedron():
    g = (1 + math.sqrt(5)) / 2
    vertices = [(-1, g, 0), (1, g, 0), (-1, -g, 0), (1, -g, 0), (0, -1, g), (0, 1, g),
                (0, -1, -g), (0, 1, -g), (g, 0, -1), (g, 0, 1), (-g, 0, -1), (-g, 0, 1)]
    triangles = [(0, 11, 5), (0, 5, 1), (0, 1, 7), (0, 7, 10), (0, 10, 11), (1, 5, 9), (5, 11, 4),
                 (11, 10, 2), (10, 7, 6), (7, 1, 8), (3, 9, 4), (3, 4, 2), (3, 2, 6), (3, 6, 8),
                 (3, 8, 9), (4, 9, 5), (2, 4, 11), (6, 2, 10), (8, 6, 7), (9, 8, 1)]
    return [on_sphere(p) for p in vertices], triangles


def icosphere(subdivisions):
    """Vertices on the unit sphere and triangles, counter-clockwise seen from outside."""
    vertices, triangles = icosahedron()
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


def geodesic_sphere(frequency):
    """The same with edges of the icosahedron in so many parts: 20 frequency^2 triangles."""
    corners, faces = icosahedron()
    vertices, triangles, index = [], [], {}

    def place(face, i, j):
        a, b, c = (corners[k] for k in face)
        p = on_sphere([(frequency - i - j) * x + i * y + j * z for x, y, z in zip(a, b, c)])
        key = tuple(round(x, 9) + 0.0 for x in p)
        if key not in index:
            index[key] = len(vertices)
            vertices.append(p)
        return index[key]

    for face in faces:
        for i in range(frequency):
            for j in range(frequency - i):
                right, up = place(face, i + 1, j), place(face, i, j + 1)
                triangles.append((place(face, i, j), right, up))
                if i + j < frequency - 1:
                    triangles.append((right, place(face, i + 1, j + 1), up))
    return vertices, triangles


def write_scene(folder, subdivisions=4, distance=1.7):
    return write_spheres(folder, icosphere(subdivisions), distance)


def write_spheres(folder, ball, distance=1.7):
    """Two unit spheres, the upper one turned by 0.37 rad about (1, 0, 1)."""
    vertices, triangles = ball
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


def write_boxes(folder, tilt_deg=0):
    """Two unit cubes, one 0.1 deep in the other and turned about an edge of its lower face."""
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "cube.obj"), "w", encoding="utf-8") as file:
        for i in range(8):
            file.write("v %g %g %g\n" % (i % 2, i // 2 % 2, i // 4))
        for a, b, c, d in ((1, 3, 4, 2), (5, 6, 8, 7), (1, 2, 6, 5), (3, 7, 8, 4), (1, 5, 7, 3),
                           (2, 4, 8, 6)):
            file.write("f %d %d %d\nf %d %d %d\n" % (a, b, c, a, c, d))
    half = math.radians(tilt_deg) / 2
    scene = {"schema": "touchstone scene", "version": 1, "name": "two_cubes",
             "shapes": [{"name": "cube", "mesh": "cube.obj"}],
             "bodies": [{"name": "lower", "shape": "cube"},
                        {"name": "upper", "shape": "cube",
                         "pose": {"rotation_wxyz": [math.cos(half), 0, 0, math.sin(half)],
                                  "translation_m": [0, 0.9, 0]}}],
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
    return "0" if abs(value) < 1e-7 else "%.0f" % value if abs(value) >= 10 else "%.2g" % value


def left(row):
    """In percent; volumes below 1e-9 of the overlap are printed as 0."""
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
    ("φ̄ 1.0", 1.7, ["--extent", "0.5"], "0.36", "0.37"),
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


# What, the scene by its options, other options, and the reference for what is left.
DEEP = ["--case", "deep", "--set", "triangles=2048", "--set"]
RIGID = ["--stiffness-a", "1"]
PAIRS = [
    ("sphere 0.2 deep in a slab, φ̄ 0.6", DEEP + ["shape=sphere_on_slab", "--set", "depth_m=0.1"],
     ["--extent", "0.3"], "5 to 13"),
    ("the same, τ 0", DEEP + ["shape=sphere_on_slab", "--set", "depth_m=0.1"],
     ["--extent", "0.3", "--tau", "0"], "46 to 59"),
    ("the same, φ̄ 1.0, τ -1", DEEP + ["shape=sphere_on_slab", "--set", "depth_m=0.1"], [], "-"),
    ("equal boxes face to face, φ̄ 0.6", 0, ["--extent", "0.6"], "0"),
    ("the same, φ̄ 0.3", 0, ["--extent", "0.3"], "-"),
    ("the same, φ̄ 0.6, k 1", 0, ["--extent", "0.6", *RIGID], "24"),
    ("the same, k 0.5, tilted by 10°", 10, ["--extent", "0.6"], "17 to 40"),
    ("box in a slab", DEEP + ["shape=box_on_slab"], [], "-"),
    ("box in a rigid slab", DEEP + ["shape=box_on_slab"], RIGID, "-"),
    ("roof in a slab", DEEP + ["shape=ridge"], [], "-"),
    ("roof in a rigid slab", DEEP + ["shape=ridge"], RIGID, "-"),
    ("pyramid in a slab", DEEP + ["shape=tip"], [], "-"),
    ("two tori", DEEP + ["shape=two_tori"], ["--extent", "0.2"], "-"),
    ("box in a box, through its top", DEEP + ["shape=box_in_box"], [], "-"),
    ("sphere through a plate", DEEP + ["shape=sphere_through_plate"], [], "-"),
]


def print_pairs(work):
    lines = []
    for words, scene, options, reference in PAIRS:
        if isinstance(scene, int):
            scene = ["--scene", write_boxes(os.path.join(work, "boxes_%d" % scene), scene)]
        rows = deform(work, *scene, "--edge", "0.1", *options)
        is_ok = rows[0]["outcome"] == "ok"
        folded = "%d" % sum(float(row["turned_over"]) for row in rows) if is_ok else ""
        ours = left(rows[0])
        lines.append([words, ours[0], reference, ours[1], volume_error(rows) if is_ok else "",
                      folded])
    table(["pair", "overlap left, %", "reference", "deepest left, %", "volume error",
           "triangles turned over"], lines)


def points_of(path):
    """The points of a .vtp file as touchstone writes it."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    start = text.index('Name="Points"')
    start = text.index("\n", start) + 1
    data = base64.b64decode(text[start:text.index("\n", start)])[8:]
    numbers = struct.unpack("<%dd" % (len(data) // 8), data)
    return [numbers[i:i + 3] for i in range(0, len(numbers), 3)]


def print_motion(work):
    """The spheres approach by 1 mm a step: how far the fastest vertex goes, over that."""
    step, lines = 1e-3, []
    for words, options in (("φ̄ 1.0", ["--extent", "0.5"]), ("φ̄ 0.6", ["--extent", "0.3"]),
                           ("φ̄ 0.6, τ 0", ["--extent", "0.3", "--tau", "0"])):
        fastest, before = 0, None
        for i in range(11):
            scene = write_scene(os.path.join(work, "moved"), 4, 1.7 - i * step)
            out = tempfile.mkdtemp(dir=work)
            subprocess.run(["touchstone", "deform", "--scene", scene, "--out", out, *options],
                           check=True, stdout=subprocess.DEVNULL)
            points = points_of(os.path.join(out, "after.vtp"))
            if before:
                fastest = max([fastest] + [math.dist(p, q) for p, q in zip(before, points)])
            before = points
        lines.append([words, "%.1f" % (fastest / step)])
    table(["", "fastest vertex, over the step"], lines)


# What the columns of times are called, and the shares of the paper's Table 1 [%], least and most of
# its seven scenes: i., m., c., p., di., g., de., and s.
STAGES = [("parts", "inside_ns", "5 to 41"), ("surface", "surface_ns", "4 to 13"),
          ("boundary", "boundary_ns", "0 to 3"), ("u", "parametrise_ns", "23 to 43"),
          ("directions", "directions_ns", "1 to 4"), ("guides", "guides_ns", "10 to 49"),
          ("bulge", "displace_ns", "5 to 20"), ("factors", "factor_ns", "26 to 61")]
OF_THE_PAIR = ("inside_ns", "surface_ns")
# Parts of the icosahedron's edges, and runs of which the least counts: 2,560 to 998,560 triangles.
TIMED = [(8, 5), (16, 5), (32, 5), (64, 5), (158, 3)]


def stage_times(rows):
    """In ms, of both bodies."""
    return [sum(float(row[name]) for row in (rows[:1] if name in OF_THE_PAIR else rows)) / 1e6
            for _, name, _ in STAGES]


def exponent(sizes, times):
    """Slope of the straight line through the logarithms, by least squares."""
    x, y = [math.log(n) for n in sizes], [math.log(t) for t in times]
    mean_x, mean_y = sum(x) / len(x), sum(y) / len(y)
    return (sum((p - mean_x) * (q - mean_y) for p, q in zip(x, y)) /
            sum((p - mean_x) ** 2 for p in x))


def print_times(work):
    """By stage, the least of several runs; factors are within the other stages."""
    sizes, times, lines = [], [], []
    for frequency, runs in TIMED:
        scene = write_spheres(os.path.join(work, "ball_%d" % frequency), geodesic_sphere(frequency))
        measured = []
        for _ in range(runs):
            rows = deform(work, "--scene", scene, "--extent", "0.3", "--time-limit", "3600")
            measured.append(stage_times(rows))
        least = [min(stage) for stage in zip(*measured)]
        sizes.append(sum(int(row["triangles"]) for row in rows))
        times.append(least[:-1] + [sum(least[:-1]), least[-1]])
        lines.append(["{:,}".format(sizes[-1])] + ["%.3g" % t if t < 1000 else "%.0f" % t
                                                   for t in times[-1]])
    lines.append(["**exponent**"] + ["%.2f" % exponent(sizes, stage) for stage in zip(*times)])
    whole = times[-1][-2]
    lines.append(["**share of the largest, %**"] + [percent(t / whole) for t in times[-1]])
    shares = [share for _, _, share in STAGES]
    lines.append(["**of the paper's, %**"] + shares[:-1] + ["", shares[-1]])
    words = [word for word, _, _ in STAGES]
    table(["triangles"] + words[:-1] + ["all, ms", words[-1]], lines)


def update_page(what, work):
    """Writes what a printer prints between its marks in the page."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "elastic.md")
    with open(path, encoding="utf-8") as file:
        page = file.read()
    before, mark, rest = page.partition("<!-- timed by: docs/elastic/tables.py %s -->\n" % what)
    _, end, after = rest.partition("<!-- /timed -->\n")
    if not mark or not end:
        sys.exit("tables.py: docs/elastic.md has no marks \"timed by\" for %s" % what)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        PRINTERS[what](work)
    with open(path, "w", encoding="utf-8") as file:
        file.write(before + mark + printed.getvalue() + end + after)


# Of the contacts: the case, and the reference for k 0.5, for k 1 and for the mapping direction:
# quality, coverage and excess.
CONTACTS = [
    ("pillar", "100/100/1.15", "100/100/1.30", "100/100/1.18"),
    ("arch", "100/100/1.11", "100/100/1.00", "100/100/1.34"),
    ("cliff_edges", "100/100/1.00", "100/100/1.00", "100/100/1.00"),
    ("internal_edges", "100/100/1.00", "100/100/1.00", "100/100/5.0"),
    ("spike_in_crack", "0/0/9", "100/100/5.0", "0/0/5.5"),
    ("spike_in_hole", "0/0/3", "100/100/3.0", "0/0/1.25"),
    ("wedge_in_crack", "0/0/2", "100/100/2.0", "0/0/1.75"),
    ("sliding_spike", "0/0/12", "100/100/5.0", "100/100/5.0"),
    ("sliding_wedge", "0/0/4", "100/100/3.0", "100/100/3.0"),
    ("spikes", "0/0/5", "25/100/12", "0/0/5"),
    ("spike_and_wedge", "0/0/17", "50/100/10", "0/0/11"),
    ("wedges", "0/0/3", "50/100/4", "0/0/3"),
]
FACES = ["dilation=faces", "dilation_m=0.001"]
SETTINGS = [FACES, FACES + ["stiffness_a=1"],
            ["normal=mapping", "tau=-1", "dilation_m=0.0078"]]


def score(work, sets):
    """Quality, coverage and excess at touch, by case."""
    out = tempfile.mkdtemp(dir=work)
    command = ["touchstone", "run", "--suite", "erleben", "--method", "elastic_contact", "--steps",
               "1", "--repeats", "1", "--quiet", "--out", os.path.join(out, "results")]
    for assignment in sets:
        command += ["--set", assignment]
    done = subprocess.run(command, check=False, stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit("tables.py: touchstone run: " + done.stderr)
    with open(os.path.join(out, "results", "summary.csv"), encoding="utf-8") as file:
        return {row["case"]: row for row in csv.DictReader(file) if row["step"] == "0"}


def print_contacts(work):
    scores = [score(work, sets) for sets in SETTINGS]
    lines = []
    for case, *references in CONTACTS:
        line = [case]
        for rows, reference in zip(scores, references):
            row = rows[case]
            line += ["%.0f/%.0f/%.2f" % tuple(float(row[name]) for name in
                                              ("quality_percent", "coverage_percent", "excess_factor")),
                     reference]
        lines.append(line)
    table(["case", "k 0.5", "reference", "k 1", "reference", "normal=mapping", "reference"], lines)


PRINTERS = {"spheres": print_spheres, "pairs": print_pairs, "mesh": print_mesh,
            "times": print_times, "motion": print_motion, "contacts": print_contacts}


def main():
    what = sys.argv[1] if len(sys.argv) > 1 else ""
    if what == "scene" and 3 <= len(sys.argv) <= 5:
        write_scene(sys.argv[2], *(kind(text) for kind, text in zip((int, float), sys.argv[3:])))
        return
    is_update = sys.argv[2:] == ["--update"] and what == "times"
    if what not in PRINTERS or not (len(sys.argv) == 2 or is_update):
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as work:
        if is_update:
            update_page(what, work)
        else:
            PRINTERS[what](work)


if __name__ == "__main__":
    main()
