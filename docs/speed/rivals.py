#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures the times of docs/rivals.md in one run, and prints their table.
usage: rivals.py measure TOUCHSTONE   runs METHODS on CASES with SETTINGS, and writes rivals.csv beside
                                      this script
       rivals.py table                prints the table from it; nothing is measured
The least time of the repeats counts."""
import csv
import math
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.realpath(__file__))
FILE = os.path.join(HERE, "rivals.csv")
METHODS = ["hull_clip", "pressure_field", "sdf_samples", "bullet_hull", "fcl_mesh", "ldi_volume"]
BESIDE = METHODS[3:]  # what the others are compared with
CASES = ["wall", "tori"]
# Without margins, with all contacts that they find.
SETTINGS = ["bullet_hull.margin_m=0", "bullet_hull.polyhedral_features=yes", "bullet_hull.sat=yes",
            "bullet_hull.dilation_m=1e-4", "fcl_mesh.max_contacts=100000"]
COLUMNS = ["case", "method", "outcome", "contacts", "prepare_ns", "generate_ns_min"]


def measure(touchstone):
    with tempfile.TemporaryDirectory() as work:
        out = os.path.join(work, "run")
        subprocess.run([touchstone, "run", "--engines", "--steps", "1", "--quiet", "--contacts", "none",
                        "--method", "|".join(METHODS), "--case", "|".join(CASES), "--out", out] +
                       ["--set=" + setting for setting in SETTINGS], check=True, stdout=subprocess.DEVNULL)
        with open(os.path.join(out, "summary.csv"), newline="", encoding="utf-8") as file:
            rows = [{name: row[name] for name in COLUMNS} for row in csv.DictReader(file)]
    with open(FILE + ".new", "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    os.replace(FILE + ".new", FILE)


def print_table():
    with open(FILE, newline="", encoding="utf-8") as file:
        rows = {(row["case"], row["method"]): row for row in csv.DictReader(file)}

    def time(case, method):
        row = rows.get((case, method))
        return float(row["generate_ns_min"]) if row and row["outcome"] == "ok" else math.nan

    def shown(value):
        return "-" if math.isnan(value) else "%.3g" % value

    head = ["case", "method", "contacts", "generate, ms"] + ["/ `%s`" % method for method in BESIDE]
    print("| " + " | ".join(head) + " |")
    print("|---|---|" + "---:|" * (len(head) - 2))
    for case in CASES:
        for method in METHODS:
            row = rows.get((case, method))
            if not row:
                sys.exit("rivals.py: no row of %s on %s: measure again" % (method, case))
            ns = time(case, method)
            contacts = row["contacts"] if row["outcome"] == "ok" else row["outcome"]
            line = [case, "`%s`" % method, contacts, shown(ns * 1e-6)]
            line += [shown(ns / time(case, other)) for other in BESIDE]
            print("| " + " | ".join(line) + " |")


if sys.argv[1:2] == ["measure"] and len(sys.argv) == 3:
    measure(os.path.realpath(sys.argv[2]))
elif sys.argv[1:] == ["table"]:
    print_table()
else:
    sys.exit(__doc__)
