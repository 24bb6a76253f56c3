#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints a table of docs/soft.md from summaries: tables.py methods|rain|chain SUMMARY..."""
import csv
import statistics
import sys


def cells_of(paths):
    cells = {}
    for path in paths:
        with open(path, newline="", encoding="utf-8") as file:
            for row in csv.DictReader(file):
                cells.setdefault((path, row["cell"]), []).append(row)
    return cells.values()


def numbers(rows, column):
    return [float(r[column]) for r in rows if r[column] not in ("", "nan")]


def shown(values, how, factor=1.0, form="%.3g"):
    return form % (factor * how(values)) if values else "-"


def print_row(fields):
    print("| " + " | ".join(str(f) for f in fields) + " |")


def print_head(*names):
    print_row(names)
    print_row(["---"] + ["---:"] * (len(names) - 1))


def parameter(row, column, name):
    words = dict(word.split("=", 1) for word in row[column].split(";") if word)
    return words.get(name, "")


def print_methods(paths):
    print_head("method", "case", "steps", "contacts", "smallest gap [mm]", "error of a step [%]",
               "prepared [us a step]", "sweeps, most", "outcome")
    for rows in cells_of(paths):
        moved = [r for r in rows if float(r["step"]) > 0]
        last = rows[-1]
        if last["outcome"] == "skipped":
            outcome = last["reason"].split(",")[0]
        else:
            outcome = last["outcome"] + (": " + last["reason"].split(":")[0]
                                         if last["reason"] else "")
        print_row([last["method"], last["case"], len(moved),
                   shown(numbers(moved, "constraints"), statistics.median, 1, "%.0f"),
                   shown(numbers(moved, "gap_min_m"), min, 1e3),
                   shown(numbers(moved, "response_error_percent_median")[-1:], max, 1, "%.2f"),
                   shown(numbers(moved, "prepare_ns"), statistics.median, 1e-3),
                   shown(numbers(moved, "sweeps"), max, 1, "%.0f"), outcome])


def print_rain(paths):
    print_head("step", "contacts", "sweeps", "warped W [ms]", "Gauss-Seidel [ms]",
               "free motion [ms]", "correction [ms]", "smallest gap [mm]")
    for rows in cells_of(paths):
        for r in rows:
            if float(r["step"]) >= 11 and float(r["step"]) % 10 == 1:
                print_row([r["step"], r["constraints"], r["sweeps"],
                           *(shown(numbers([r], column), max, 1e-6)
                             for column in ("compliance_ns", "solve_ns", "free_motion_ns",
                                            "correction_ns")),
                           shown(numbers([r], "gap_min_m"), max, 1e3)])


def print_chain(paths):
    print_head("direction", "response", "shape, largest / final [%]",
               "displacement, largest / final [%]", "error of a step, median [%]",
               "momentum defect, median", "contacts, most", "smallest gap [mm]")
    for rows in cells_of(paths):
        r = rows[-1]
        pair = []
        for kind in ("deformation", "displacement"):
            largest = float(r[kind + "_error_percent_at_largest"])
            pair.append("%.1f / %.1f" % (largest, float(r[kind + "_error_percent"])))
        print_row([parameter(r, "case_parameters", "direction"),
                   parameter(r, "simulation_parameters", "response"), *pair,
                   "%.1f" % float(r["response_error_percent_median"]),
                   "%.1g" % float(r["momentum_defect_median"]),
                   shown(numbers(rows, "constraints"), max, 1, "%.0f"),
                   shown(numbers(rows, "gap_min_m"), min, 1e3)])


{"methods": print_methods, "rain": print_rain, "chain": print_chain}[sys.argv[1]](sys.argv[2:])
