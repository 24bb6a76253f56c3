#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints the table of docs/faults.md from a run of the scenes in examples/faults. Where an engine is
not installed, the line that the page has is kept. Uses the touchstone on the PATH.
usage: table.py"""
import csv
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.realpath(__file__))
PAGE = os.path.join(HERE, "..", "faults.md")
FAULTS = os.path.join(HERE, "..", "..", "examples", "faults")
IDEAL = "control_ideal"

# The contact that a column blames, by a column of contacts.csv; the others blame any or none.
BLAMED = {"gaps_wrong": "gap_wrong", "phantom": "phantom", "speculative_wrong": "speculative_wrong"}


def rows_of(path):
    with open(path, encoding="utf-8") as file:
        return list(csv.DictReader(file))


def run(faults, work):
    methods = {IDEAL} | {fault[key] for fault in faults for key in ("method", "right_method")}
    command = ["touchstone", "run", "--engines", "--controls", "--method",
               "|".join(sorted(methods)), "--steps", "1", "--repeats", "1", "--quiet", "--out", work]
    for fault in faults:
        command += ["--scene", os.path.join(FAULTS, fault["scene"], "scene.json")]
    done = subprocess.run(command, stdout=subprocess.DEVNULL, check=False)
    if done.returncode not in (0, 3):  # 3: some cells failed, which are not in the table
        sys.exit("table.py: touchstone run failed")


def engines_of(work):
    """The name and version of each engine, by method."""
    with open(os.path.join(work, "context.json"), encoding="utf-8") as file:
        plugins = json.load(file)["run"]["plugins"]
    return {method["name"]: method["source"].split(" (")[0].split(",")[0]
            for plugin in plugins for method in plugin["methods"]}


def number(text, digits=4):
    value = float(text)
    return "nan" if value != value else f"{round(value, 9) + 0:.{digits}g}"


def vector(row, names):
    return "(" + " ".join(number(row[name], 3) for name in names) + ")"


def told(contact):
    """A contact in words."""
    normal = vector(contact, ["normal_x", "normal_y", "normal_z"])
    point = vector(contact, ["point_x_m", "point_y_m", "point_z_m"])
    return f"{number(-float(contact['gap_m']))} m deep along {normal} at {point}"


def contact_of(contacts, method, column=None):
    """The contact that the column blames, else the deepest."""
    mine = [row for row in contacts if row["method"] == method]
    if column in BLAMED:
        mine = [row for row in mine if row[BLAMED[column]] == "1"]
    return told(min(mine, key=lambda row: float(row["gap_m"]))) if mine else "no contact"


def line_of(fault, cells, contacts, engines):
    name = fault["scene"]
    with open(os.path.join(FAULTS, name, "scene.json"), encoding="utf-8") as file:
        scene = json.load(file)
    shapes = " on ".join(next(key for key in shape if key != "name")
                         for body in reversed(scene["bodies"])
                         for shape in scene["shapes"] if shape["name"] == body["shape"])
    report = scene["source"]
    if "#" in report:
        report = f"[{report}](https://github.com/{report.replace('#', '/issues/')})"
    mine = [row for row in contacts if row["case"] == name]
    value = cells[name, fault["method"]][fault["column"]]
    return [f"[{name}](../examples/faults/{name}/scene.json)", shapes,
            f"{engines[fault['method']]}, `{fault['method']}`", report, contact_of(mine, IDEAL),
            contact_of(mine, fault["method"], fault["column"]),
            f"`{fault['column']}` {number(value, 3)}", f"`{fault['right_method']}`"]


def line_of_page(name):
    with open(PAGE, encoding="utf-8") as file:
        lines = [line.rstrip("\n") for line in file if line.startswith(f"| [{name}]")]
    return lines[0] if lines else f"| {name} | not installed |" + " |" * 6


def main():
    faults = rows_of(os.path.join(FAULTS, "faults.csv"))
    with tempfile.TemporaryDirectory() as work:
        out = os.path.join(work, "out")
        run(faults, out)
        cells = {(row["case"], row["method"]): row
                 for row in rows_of(os.path.join(out, "summary.csv"))}
        contacts = rows_of(os.path.join(out, "contacts.csv"))
        engines = engines_of(out)
    print("| scene | shapes | engine | report | right | the engine gives | blamed in | right in |")
    print("|---" * 8 + "|")
    for fault in faults:
        if (fault["scene"], fault["method"]) in cells:
            print("| " + " | ".join(line_of(fault, cells, contacts, engines)) + " |")
        else:
            print(line_of_page(fault["scene"]))


if __name__ == "__main__":
    main()
