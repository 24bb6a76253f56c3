# SPDX-License-Identifier: MIT
"""Writes the tables of docs/results.md from two runs: tables.py RESULTS TOUCHSTONE PAGE"""
import csv
import math
import pathlib
import re
import statistics
import subprocess
import sys

MEASURES = [("quality_percent", "Quality", min), ("coverage_percent", "Coverage", min),
            ("excess_factor", "Excess", max)]
FAULTS = [("regions_missed", "missed"), ("normals_flipped", "flipped"),
          ("normals_invalid", "invalid"), ("phantom", "phantom")]


def rows_of(folder):
    with open(folder / "summary.csv", newline="") as file:
        return list(csv.DictReader(file))


def seed_of(row):
    return int(re.search(r"motion_seed=(\d+)", row["case_parameters"])[1])


def figure(row, column):
    return float(row[column]) if row["outcome"] == "ok" else math.nan


def short(value, column):
    if math.isnan(value):
        return "-"
    digits = 2 if column == "excess_factor" else 0 if value in (0, 100) else 1
    return f"{value:.{digits}f}"


def group(rows):
    """{method: {case: [row of each seed]}}, in the order of the file."""
    groups = {}
    for row in rows:
        groups.setdefault(row["method"], {}).setdefault(row["case"], []).append(row)
    return groups


def cell(rows, column, worst):
    """Seed 0, then median and worst over the random motions; one value if all three are equal."""
    if all(row["outcome"] == "skipped" for row in rows):
        return ""
    still = [figure(row, column) for row in rows if seed_of(row) == 0][0]
    moved = [figure(row, column) for row in rows if seed_of(row) != 0]
    known = [value for value in moved if not math.isnan(value)]
    texts = [short(still, column),
             short(statistics.median(known) if known else math.nan, column),
             short(worst(known) if known else math.nan, column)]
    none = len(moved) - len(known)
    text = texts[0] if len(set(texts)) == 1 else " / ".join(texts)
    return text + (f" ({none} none)" if 0 < none < len(moved) else "")


def table(head, body):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return lines + ["| " + " | ".join(line) + " |" for line in body]


def mean(values):
    known = [value for value in values if not math.isnan(value)]
    return sum(known) / len(known) if known else math.nan


def time_text(ns):
    unit, size = next((u, s) for u, s in [("ms", 1e6), ("us", 1e3), ("ns", 1)] if ns >= s)
    return f"{ns / size:.3g} {unit}"


def overview(settings, groups, times):
    """A line for each method: means over the cases, faults over all motions, time for the wall."""
    body = []
    for method, cases in groups.items():
        moved = [row for rows in cases.values() for row in rows if seed_of(row) != 0]
        ok = [row for row in moved if row["outcome"] == "ok"]
        still = [row for rows in cases.values() for row in rows if seed_of(row) == 0]
        faults = [f"{100 * sum(float(row[column]) > 0 for row in ok) / len(ok):.0f}"
                  if ok else "-" for column, _ in FAULTS]
        wall = [row for row in times if row["method"] == method and row["case"] == "wall"
                and row["outcome"] == "ok"]
        body.append([method, settings]
                    + [short(mean(figure(row, column) for row in still), column)
                       + " / " + short(mean(figure(row, column) for row in moved), column)
                       for column, _, _ in MEASURES]
                    + faults
                    + [time_text(float(wall[0]["generate_ns_median"])) if wall else "-",
                       str(len(moved) - len(ok))])
    return body


def main():
    folder, touchstone, page = pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])
    groups = {settings: group(rows_of(folder / settings)) for settings in ("default", "exact")}
    listed = subprocess.run([touchstone, "list", "methods", "--engines"], check=True,
                            capture_output=True, text=True).stdout.splitlines()
    words = [re.split(r"\s{2,}", line) for line in listed if line]
    sources = {row[0]: row[-1] for row in words}
    parts = {"overview": table(
        ["method", "settings", "quality % as built / moved", "coverage %", "excess"]
        + [name + " %" for _, name in FAULTS] + ["wall", "not ok"],
        [line for settings in groups
         for line in overview(settings, groups[settings], rows_of(folder / f"{settings}-times"))])}
    for column, title, worst in MEASURES:
        cases = list(next(iter(groups["default"].values())))
        parts[title.lower()] = table(
            ["method", "settings"] + cases,
            [[method, settings] + [cell(of_case[case], column, worst) if case in of_case else ""
                                   for case in cases]
             for settings in groups for method, of_case in groups[settings].items()])
    parts["versions"] = table(["method", "source"], [
        [method, sources.get(method, "")] for method in groups["exact"]])
    text = page.read_text()
    for name, lines in parts.items():
        pattern = rf"(<!-- made: {name} -->\n).*?(<!-- /made -->)"
        text, count = re.subn(pattern, lambda m: m[1] + "\n".join(lines) + "\n" + m[2], text,
                              flags=re.S)
        if count != 1:
            sys.exit(f"tables.py: {page} has {count} places for {name}; it needs one")
    page.write_text(text)


main()
