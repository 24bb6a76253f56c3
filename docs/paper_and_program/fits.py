#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints how many figures of Table 8 of Erleben 2018 come out as printed: by the simulation step that they are taken
from, by the tolerance of a right normal, or with one rule of the simulator changed at a time. Runs the ten fundamental
cases with the touchstone on the PATH.
usage: fits.py steps|tolerances|rules"""
import csv
import math
import os
import subprocess
import sys
import tempfile

REFERENCE = os.path.join(os.path.dirname(__file__), "../../tests/reference/erleben2018.csv")
METHODS = {"closest_points": "closest_points_tets", "intersection": "intersection_tets"}
ON_GROUND = ("sliding_spike", "sliding_wedge")
STEPS = 6
# contacts.csv has the scene as built, step 3 and the last one.
LISTED = {"sliding_wedge": 2}
RULES = ["profile=prox2018", "reference=published", "rule=published", "stepper=prox2018", "friction=0.65",
         "tets=published"]


def table8():
    """Printed figures: {(case, method, metric): text}."""
    with open(REFERENCE, newline="", encoding="utf-8") as file:
        return {(r["case"], r["method"], r["metric"]): r["value"]
                for r in csv.DictReader(file) if r["source"] == "table8"}


# What else was tried: one rule each.
CHANGES = {"none": {}, "the right normal of the design, not its mirror image": {"reference": "design"},
           "friction 0.5, as in the text": {"friction": "0.5", "friction_fixed": "0.5"},
           "the methods of the text": {"profile": "paper"},
           "touchstone's time step, in double precision": {"stepper": "touchstone"},
           "tets by another TetGen": {"tets": "tetgen"}}


def run(folder, cases, friction, steps, changes=()):
    methods = "|".join(METHODS.get(m, m) for m in sorted({m for _, m, _ in table8()}))
    rules = dict(rule.split("=") for rule in [*RULES, f"friction_fixed={friction}"])
    rules.update(changes)
    sets = [word for name, value in rules.items() for word in ("--set", f"{name}={value}")]
    command = ["touchstone", "run", "--case", "|".join(cases), "--method", methods, "--steps", str(steps), "--repeats", "1",
               "--quiet", "--out", folder, *sets]
    if subprocess.run(command, stdout=subprocess.DEVNULL, check=False).returncode not in (0, 3):
        sys.exit(f"fits.py: failed: {' '.join(command)}")


def rows(folders, name):
    for folder in folders:
        with open(os.path.join(folder, name), newline="", encoding="utf-8") as file:
            yield from csv.DictReader(file)


def is_printed(text, value):
    """Whether a value is printed as this text; a dash, which is empty here, where nothing was found."""
    if text == "":
        return value == 0
    if math.isnan(value):
        return float(text) == 0
    decimals = len(text.partition(".")[2])
    return abs(value - float(text)) <= 0.5000001 * 10.0 ** -decimals


METRICS = {"coverage": "coverage_percent", "quality": "quality_percent", "excess": "excess_factor"}


def method_of(row):
    return {v: k for k, v in METHODS.items()}.get(row["method"], row["method"])


def values_of(summary):
    """Our figures: {(case, method, metric, step): value}."""
    return {(row["case"], method_of(row), metric, int(row["step"])): float(row[column])
            for row in summary for metric, column in METRICS.items()}


def counts(printed, values, step_of):
    """How many figures of each metric come out, as cells of a table."""
    return "|".join(str(sum(is_printed(text, values.get((c, m, k, step_of(c)), math.nan))
                            for (c, m, k), text in printed.items() if k == metric)) for metric in METRICS)


def published_step(case):
    return LISTED.get(case, 3)


def step_table(printed, summary):
    values = values_of(summary)
    print("|step|coverage|quality|excess|of|\n|---|---|---|---|---|")
    for step in sorted({key[3] for key in values}):
        print(f"|{step}|{counts(printed, values, lambda c: step)}|80|")
    print(f"|3, `sliding_wedge` at 2|{counts(printed, values, published_step)}|80|")


def rule_table(printed, folder):
    print("|changed|coverage|quality|excess|of|\n|---|---|---|---|---|")
    for i, (name, changes) in enumerate(CHANGES.items()):
        folders = [os.path.join(folder, f"{i}-{kind}") for kind in ("stone", "ground")]
        run(folders[0], sorted({c for c, _, _ in printed if c not in ON_GROUND}), 0.65, 3, changes)
        run(folders[1], ON_GROUND, 0.75, 3, changes)
        print(f"|{name}|{counts(printed, values_of(rows(folders, 'summary.csv')), published_step)}|80|")


def scored_normals():
    beta, gamma, alpha = 1 / math.sqrt(10), 3 / math.sqrt(10), 1 / math.sqrt(2)
    return {"spikes": [(gamma, beta, 0)], "spike_and_wedge": [(gamma, beta, 0)], "wedges": [(-gamma, beta, 0)],
            "spike_in_hole": [(0, alpha, alpha), (0, alpha, -alpha), (alpha, alpha, 0), (-alpha, alpha, 0)],
            "spike_in_crack": [(alpha, alpha, 0), (-alpha, alpha, 0)],
            "wedge_in_crack": [(alpha, alpha, 0), (-alpha, alpha, 0)]}


def tolerance_table(printed, contacts):
    normals = {}
    for row in contacts:
        if int(row["step"]) != published_step(row["case"]):
            continue
        n = [float(row["normal_" + axis]) for axis in "xyz"]
        normals.setdefault((row["case"], method_of(row)), []).append(n)
    wanted = scored_normals()
    def quality(key, tolerance, is_unit):
        found = normals.get(key, [])
        if not found:
            return 0.0
        right = 0
        for n in found:
            length = math.sqrt(sum(x * x for x in n)) if is_unit else 1
            dots = [sum(x * y for x, y in zip(n, e)) / (length or 1) for e in wanted.get(key[0], [(0, 1, 0)])]
            right += any(abs(1 - abs(dot)) <= tolerance for dot in dots)
        return 100 * right / len(found)
    print("|tolerance|quality as printed, normals as delivered|made unit first|of|\n|---|---|---|---|")
    for tolerance in (1e-6, 1e-5, 1.9e-5, 3e-5, 5e-5, 6e-5, 7e-5, 1e-4, 1.5e-4, 2e-4, 1e-3, 1e-2):
        counts = [sum(is_printed(text, quality((c, m), tolerance, is_unit))
                      for (c, m, k), text in printed.items() if k == "quality") for is_unit in (False, True)]
        print(f"|{tolerance:g}|{counts[0]}|{counts[1]}|80|")


def main():
    if len(sys.argv) != 2 or sys.argv[1] not in ("steps", "tolerances", "rules"):
        sys.exit(__doc__)
    printed = table8()
    with tempfile.TemporaryDirectory() as folder:
        if sys.argv[1] == "rules":
            return rule_table(printed, folder)
        folders = [os.path.join(folder, name) for name in ("stone", "ground", "early")]
        run(folders[0], sorted({c for c, _, _ in printed if c not in ON_GROUND}), 0.65, STEPS)
        run(folders[1], ON_GROUND, 0.75, STEPS)
        run(folders[2], LISTED, 0.75, LISTED["sliding_wedge"])
        if sys.argv[1] == "steps":
            step_table(printed, rows(folders[:2], "summary.csv"))
        else:
            tolerance_table(printed, rows(folders, "contacts.csv"))
    return None


main()
