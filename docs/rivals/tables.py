#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints a table of docs/rivals.md, measured with the touchstone on the PATH.

usage: tables.py modifiers | elsewhere | others | engines | pressure |
                  relations | shrinking
"""
import csv
import os
import re
import subprocess
import sys
import tempfile

CHAINS = ["none", "reduce", "reduce:per=normal", "hull", "merge", "void", "cones", "cones,hull"]
COLUMNS = ["quality_percent", "coverage_percent", "excess_factor", "blocked_wrongly_percent",
           "freed_wrongly_percent"]


def run(options, chains):
    """Rows of a run as built, by method and chain in the order of `chains`."""
    with tempfile.TemporaryDirectory() as work:
        out = os.path.join(work, "results")
        command = ["touchstone", "run", "--steps", "1", "--repeats", "1", "--quiet", "--contacts",
                   "none", "--out", out, *options]
        for chain in chains:
            command += ["--modify", chain]
        done = subprocess.run(command, check=False, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit("tables.py: %s: %s" % (" ".join(command), done.stderr))
        with open(os.path.join(out, "summary.csv"), encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
    cells = {}
    for row in rows:
        if row["outcome"] != "ok":
            sys.exit("tables.py: %s by %s: %s" % (row["case"], row["method"], row["reason"]))
        cells.setdefault(row["method"], {}).setdefault(row["modifiers"], []).append(row)
    # Rows have whole chains, which come in the order in which they were given.
    return {method: dict(zip(chains, of.values())) for method, of in cells.items()}


def number(text):
    return 0.0 if text in ("nan", "") else float(text)


def mean(rows, column):
    return sum(number(row[column]) for row in rows) / len(rows)


def cell(rows):
    values = [mean(rows, column) for column in COLUMNS]
    return "%.0f / %.0f / %.1f / %.0f / %.1f" % tuple(values)


def area_quality(row):
    text = row["quality_area_percent"]
    return "-" if text == "nan" else "%.0f" % float(text)


def worst(rows):
    return "%.2g, %.2g" % tuple(max(number(row[column]) for row in rows)
                                for column in ("modify_lost_max", "modify_added_max"))


def print_table(of, chains):
    methods = list(of)
    print("| modifiers | %s |" % " | ".join("`%s`" % method for method in methods))
    print("| --- |%s" % (" ---: |" * len(methods)))
    for chain in chains:
        print("| %s | %s |" % ("none" if chain == "none" else "`%s`" % chain,
                               " | ".join(cell(of[method][chain]) for method in methods)))


def print_modifiers():
    of = run(["--method", "closest_points|intersection|opposing"], CHAINS)
    print_table(of, CHAINS)
    print()
    print("| largest lost and added wrench | %s |" % " | ".join("`%s`" % method for method in of))
    print("| --- |%s" % (" ---: |" * len(of)))
    for chain in CHAINS[1:]:
        print("| `%s` | %s |" % (chain, " | ".join(worst(of[method][chain]) for method in of)))


def print_rows(of, chains):
    print("| method | %s |" % " | ".join("none" if c == "none" else "`%s`" % c for c in chains))
    print("| --- |%s" % (" ---: |" * len(chains)))
    for method, chain_of in of.items():
        print("| `%s` | %s |" % (method, " | ".join(cell(chain_of[chain]) for chain in chains)))


def print_elsewhere():
    chains = ["none", "hull", "void", "cones"]
    names = ["--method", "closest_points|intersection|opposing"]
    for title, options in [("three random motions", ["--sweep", "motion_seed=1,2,3"]),
                           ("suite `extended`", ["--suite", "extended"])]:
        of = run(names + options, chains)
        print("| %s | %s |" % (title, " | ".join("`%s`" % method for method in of)))
        print("| --- |%s" % (" ---: |" * len(of)))
        for chain in chains:
            print("| %s | %s |" % ("none" if chain == "none" else "`%s`" % chain,
                                   " | ".join(cell(of[method][chain]) for method in of)))
        if title != "suite `extended`":
            print()


def print_others():
    chains = ["none", "reduce", "void", "cones"]
    print_rows(run(["--method", "vertex_only|consistent_vertex|volume_sat|surface_sat|growth|"
                    "semi_local|hull_clip"], chains), chains)


def print_engines():
    chains = ["none", "reduce", "void", "cones"]
    print_rows(run(["--preset", "exact", "--engines", "--method",
                    "ode_trimesh|bullet_gimpact|fcl_mesh|bullet_hull"], chains), chains)


def print_pressure():
    settings = [("both soft", ["min_area_relative=0.01"]),
                ("fixed one rigid", ["min_area_relative=0.01", "compliance=fixed_rigid"]),
                ("both soft, all polygons", [])]
    found = []
    for _, sets in settings:
        options = ["--method", "pressure_field"]
        for assignment in sets:
            options += ["--set", assignment]
        found.append(run(options, ["none"])["pressure_field"]["none"])
    print("| case | %s |" % " | ".join(name for name, _ in settings))
    print("| --- |%s" % (" ---: |" * len(settings)))
    for rows in zip(*found):
        print("| `%s` | %s |" % (rows[0]["case"], " | ".join(
            "%s, %s" % (cell([row]), area_quality(row)) for row in rows)))


def print_relations():
    done = subprocess.run(["touchstone", "relate", "--engines"], check=False, capture_output=True,
                          text=True)
    if done.returncode not in (0, 1):
        sys.exit("tables.py: touchstone relate: %s" % done.stderr)
    lines = done.stdout.split("\n\n")[0].splitlines()
    print("| %s |" % " | ".join(re.split(r"  +", lines[0].strip())))
    print("| --- |%s" % (" ---: |" * (len(re.split(r"  +", lines[0].strip())) - 1)))
    for line in lines[1:]:
        words = re.split(r"  +", line.strip())
        print("| `%s` | %s |" % (words[0], " | ".join(words[1:])))


FAULTS = [("arch", "surface_sat", "blocked_wrongly_percent>20"),
          ("pillar", "opposing", "quality_percent<70"),
          ("spike_in_hole", "opposing", "coverage_percent<100"),
          ("cliff_edges", "closest_points", "quality_percent<50"),
          ("pillar", "growth", "normals_flipped>0")]


def print_shrinking():
    print("| fault | bodies, triangles, digits | became | tries |")
    print("| --- | --- | --- | ---: |")
    for case, method, condition in FAULTS:
        with tempfile.TemporaryDirectory() as work:
            done = subprocess.run(["touchstone", "shrink", "--case", case, "--method", method,
                                   "--while", condition, "--out", os.path.join(work, "out")],
                                  check=True, capture_output=True, text=True)
        sizes = re.match(r"(\d+) bodies, (\d+) triangles, (\d+) digits became (\d+), (\d+), "
                         r"(\d+) in (\d+) tries", done.stdout).groups()
        print("| `%s`, `%s`, `%s` | %s | %s | %s |" % (case, method, condition,
                                                     ", ".join(sizes[:3]), ", ".join(sizes[3:6]),
                                                     sizes[6]))


def main():
    tables = {"modifiers": print_modifiers, "elsewhere": print_elsewhere, "others": print_others,
              "engines": print_engines, "pressure": print_pressure,
              "relations": print_relations, "shrinking": print_shrinking}
    if len(sys.argv) != 2 or sys.argv[1] not in tables:
        sys.exit("usage: tables.py %s" % " | ".join(tables))
    tables[sys.argv[1]]()


main()
