#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints the table of docs/scenes.md on what each method makes of each kind of shape, from the rows
of a run in which a cube rests on one shape of each kind. An engine that is not installed keeps the
line that the page has. Uses the touchstone on the PATH.
usage: shapes.py"""
import csv
import json
import os
import subprocess
import sys
import tempfile

PAGE = os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "scenes.md")

# All have their highest point at y = 0 or 0.5 above the cube's centre line, and fill what is below.
KINDS = {
    "sphere": {"sphere": {"radius": 0.5}},
    "capsule": {"capsule": {"radius": 0.25, "length": 0.5}},
    "cylinder": {"cylinder": {"radius": 0.5, "length": 1}},
    "cone": {"cone": {"radius": 0.5, "length": 1}},
    "box": {"box": {"size": [1, 1, 1]}},
    "plane": {"plane": {}},
    "heightfield": {"heightfield": {"file": "heights.csv", "spacing": [1, 1]}},
    "surface": {"surface": "surface.obj"},
    "hull": {"hull_of": [[-0.5, -0.5, -0.5], [0.5, -0.5, -0.5], [0, -0.5, 0.5], [0, 0.5, 0]]},
    "mesh": {"mesh": "angle.obj"},
}
GROUND = ("plane", "heightfield", "surface")

CUBE = """v -0.2 -0.01 -0.2\nv 0.2 -0.01 -0.2\nv 0.2 -0.01 0.2\nv -0.2 -0.01 0.2
v -0.2 0.4 -0.2\nv 0.2 0.4 -0.2\nv 0.2 0.4 0.2\nv -0.2 0.4 0.2
f 1 2 3 4\nf 8 7 6 5\nf 1 5 6 2\nf 2 6 7 3\nf 3 7 8 4\nf 4 8 5 1\n"""
SURFACE = "v -1 0 -1\nv -1 0 1\nv 1 0 1\nv 1 0 -1\nf 1 2 3 4\n"
# Not convex: an L along z.
ANGLE = """v -0.5 -0.5 -0.5\nv 0.5 -0.5 -0.5\nv 0.5 0 -0.5\nv 0 0 -0.5\nv 0 0.5 -0.5\nv -0.5 0.5 -0.5
v -0.5 -0.5 0.5\nv 0.5 -0.5 0.5\nv 0.5 0 0.5\nv 0 0 0.5\nv 0 0.5 0.5\nv -0.5 0.5 0.5
f 4 3 2 1\nf 6 5 4 1\nf 7 8 9 10\nf 7 10 11 12\nf 1 2 8 7\nf 2 3 9 8
f 3 4 10 9\nf 4 5 11 10\nf 5 6 12 11\nf 6 1 7 12\n"""


def write_scene(folder, kind):
    """The cube sinks into the top of the shape by 0.01 m."""
    files = {"cube.obj": CUBE, "surface.obj": SURFACE, "angle.obj": ANGLE,
             "heights.csv": "0,0,0\n0,0,0\n0,0,0\n"}
    top = 0 if kind in GROUND else 0.5
    files["scene.json"] = json.dumps({
        "schema": "touchstone scene", "version": 1, "name": kind, "up": [0, 1, 0],
        "shapes": [{"name": "low", **KINDS[kind]}, {"name": "cube", "mesh": "cube.obj"}],
        "bodies": [{"name": "low", "shape": "low", "is_fixed": True},
                   {"name": "cube", "shape": "cube", "density_kg_m3": 500,
                    "pose": {"rotation_wxyz": [1, 0, 0, 0],
                             "translation_m": [-0.1, top, 0]}}],
        "truth": "untold"})
    os.mkdir(folder)
    for name, text in files.items():
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(text)
    return os.path.join(folder, "scene.json")


def rows_of_run(work):
    command = ["touchstone", "run", "--engines", "--steps", "1", "--repeats", "1", "--quiet",
               "--out", os.path.join(work, "out")]
    for kind in KINDS:
        command += ["--scene", write_scene(os.path.join(work, kind), kind)]
    done = subprocess.run(command, stdout=subprocess.DEVNULL, check=False)
    if done.returncode not in (0, 3):  # 3: some cells failed, which the table says
        sys.exit("shapes.py: touchstone run failed")
    with open(os.path.join(work, "out", "summary.csv"), encoding="utf-8") as file:
        return list(csv.DictReader(file))


def cell_of(row, notes):
    if row["outcome"] == "ok":
        return "native" if row["case"] in row["shapes_native"].split("+") else "triangles"
    reason = row["reason"].replace("shape low", "the shape")
    if reason not in notes:
        notes.append(reason)
    return f"{row['outcome']} ({notes.index(reason) + 1})"


def methods_in_order():
    """Also the engines that are not installed."""
    command = ["touchstone", "list", "methods", "--engines", "--markdown"]
    lines = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout
    return [line.split("|")[1].strip() for line in lines.splitlines()[2:]]


def line_of_page(method):
    with open(PAGE, encoding="utf-8") as file:
        lines = [line.rstrip("\n") for line in file if line.startswith(f"| {method} |")]
    return lines[0] if lines else f"| {method} |" + " not installed |" * len(KINDS)


def main():
    with tempfile.TemporaryDirectory() as work:
        rows = rows_of_run(work)
    cells, notes = {}, []
    for row in rows:
        cells.setdefault(row["method"], {})[row["case"]] = cell_of(row, notes)
    print("| method | " + " | ".join(KINDS) + " |")
    print("|---" * (len(KINDS) + 1) + "|")
    for method in methods_in_order():
        if method in cells:
            print(f"| {method} | " + " | ".join(cells[method][kind] for kind in KINDS) + " |")
        else:
            print(line_of_page(method))
    for number, note in enumerate(notes, 1):
        print(f"\n({number}) {note}")


if __name__ == "__main__":
    main()
