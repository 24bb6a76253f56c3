#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints a block of docs/speed.md from the measurement speed.csv beside this script, and for `ratios`
from the earlier one, before.csv; nothing is measured here. `picture` draws with the touchstone on the
PATH and gnuplot, into the folder speed of $PICTURES or else into that of this script.
usage: tables.py machine|tori|scale|walls|bounds|ratios|picture [SPEED.CSV [BEFORE.CSV]]"""
import csv
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.realpath(__file__))
PICTURE = "tori.svg"
ENGINES = ("ode_", "bullet_", "fcl_", "libccd_", "mujoco")
ALL_OF_ODE = "max_contacts=65535"
BUSY_LOAD = 2.0                 # one program and a little more: the measurement itself is one
MESH_BYTES = 2 * (12 + 24 / 2)  # of both tori for a triangle of each: three indices, half a vertex
CYCLES_BUSY = 2.0               # instructions a cycle from which on these bound a method
SHARE_OF_COPYING = 0.3          # and the share of what a core can copy from which on memory does


def read(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def number(text):
    return float(text) if text not in ("", None) else math.nan


def shown(value, form="%.3g"):
    if value != value:
        return "-"
    text = form % value
    return "{:,.0f}".format(float(text)) if "e+" in text else text


def table(head, lines):
    for line in [head, ["---"] + ["---:"] * (len(head) - 1), *lines]:
        print("| " + " | ".join(line) + " |")


class Measurement:
    """The rows of a file."""

    def __init__(self, path):
        self.rows = read(path)
        if not self.rows:
            sys.exit("tables.py: %s has no rows: measure again" % path)
        commit = self.rows[0]["commit"]
        self.commit = commit[:8] + ("-dirty" if "-dirty" in commit else "")
        self.sizes = sorted({int(row["triangles"]) for row in self.of("tori")})

    def of(self, work, **values):
        return [row for row in self.rows if row["work"] == work and
                all(row[name] == str(value) for name, value in values.items())]

    def value(self, column, work, method, setting="", triangles=""):
        """What was measured, else NaN."""
        rows = [row for row in self.of(work, method=method, triangles=triangles)
                if row["outcome"] == "ok" and row["setting"] == setting]
        return number(rows[0][column]) if rows else math.nan

    def middle(self):
        """The size of the tables of one size: 100,000, or of a quick measurement the largest."""
        return 100000 if 100000 in self.sizes else self.sizes[-1]

    def entries(self, work):
        """Method and setting of each row once, in their order."""
        wanted = {}
        for row in self.of(work):
            wanted.setdefault((row["method"], row["setting"]), []).append(row)
        order = list(dict.fromkeys(row["method"] for row in self.of("wall")))
        place = {method: order.index(method) if method in order else len(order)
                 for method, _ in wanted}
        return sorted(wanted.items(), key=lambda item: place[item[0][0]])


def name_of(method, setting):
    return "`%s`" % method + (" " + setting.replace(";", ", ") if setting else "")


def print_machine(speed):
    row = speed.rows[0]
    loads = [number(r["load"]) for r in speed.rows]
    print("Commit %s, %s, on one core of an %s, %s. The load average was %.2f at most when a step began%s."
          % (speed.commit, row["build"], re.sub(r"\(R\)|\(TM\)", "", row["cpu"]), row["date"], max(loads),
             ": **other programs were running**, so figures are less certain, and TetGen may have run out "
             "of its time" if max(loads) > BUSY_LOAD else ""))


def print_tori(speed):
    size = speed.middle()
    ode = {column: speed.value(column, "tori", "ode_trimesh", ALL_OF_ODE, size)
           for column in ("prepare_ns", "generate_ns")}
    lines, missing = [], []
    for (method, setting), rows in speed.entries("tori"):
        row = next((r for r in rows if r["triangles"] == str(size)), None)
        if not row:
            continue
        if row["outcome"] != "ok":
            lines.append([name_of(method, setting), row["outcome"]] + ["-"] * 6)
            missing.append(row)
            continue
        prepare, generate = number(row["prepare_ns"]), number(row["generate_ns"])
        contacts = number(row["contacts"])
        lines.append([name_of(method, setting), "{:,.0f}".format(contacts), shown(prepare * 1e-6),
                      shown(generate * 1e-6), shown(prepare / ode["prepare_ns"]),
                      shown(generate / ode["generate_ns"]), shown(generate / (2 * size)),
                      shown(generate / contacts) if contacts else "-"])
    table(["tori of {:,} triangles".format(size), "contacts", "prepare, ms", "generate, ms",
           "prepare / ODE", "generate / ODE", "ns a triangle", "ns a contact"], lines)
    print_reasons(missing)


def print_reasons(rows):
    """Why rows have no time: each reason once, with the methods and sizes that have it."""
    of_reason = {}
    for row in rows:
        of_method = of_reason.setdefault(row["reason"], {})
        of_method.setdefault(name_of(row["method"], row["setting"]), []).append(int(row["triangles"]))
    for reason, of_method in of_reason.items():
        of_sizes = {}
        for name, sizes in of_method.items():
            of_sizes.setdefault(" and ".join("{:,}".format(size) for size in sizes), []).append(name)
        print("\n%s: %s." % ("; ".join("%s at %s" % (", ".join(names), sizes)
                                       for sizes, names in of_sizes.items()), reason))


def slope(xs, ys):
    """Least squares of log y over log x."""
    xs, ys = [math.log(x) for x in xs], [math.log(y) for y in ys]
    mean_x, mean_y = sum(xs) / len(xs), sum(ys) / len(ys)
    return (sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys)) /
            sum((x - mean_x) ** 2 for x in xs))


def linear_fit(sizes, contacts, times):
    """a, b >= 0 with the least sum of (1 - (a n + b c) / t)^2."""
    x = [n / t for n, t in zip(sizes, times)]
    y = [c / t for c, t in zip(contacts, times)]
    xx, yy, xy = (sum(p * q for p, q in zip(u, v)) for u, v in ((x, x), (y, y), (x, y)))
    only_x = (sum(x) / xx, 0.0)
    only_y = (0.0, sum(y) / yy) if yy else only_x
    candidates = [only_x, only_y]
    det = xx * yy - xy * xy
    if det > 1e-12 * xx * yy:
        both = (sum(x) * yy - sum(y) * xy) / det, (sum(y) * xx - sum(x) * xy) / det
        if min(both) >= 0:
            candidates.append(both)
    return min(candidates, key=lambda f: sum((1 - f[0] * p - f[1] * q) ** 2 for p, q in zip(x, y)))


def exponents(rows):
    """Of time over triangles, of contacts, and of time beyond a sum linear in both."""
    good = [row for row in rows if row["outcome"] == "ok"]
    sizes = [number(row["triangles"]) for row in good]
    times = [number(row["generate_ns"]) for row in good]
    contacts = [number(row["contacts"]) for row in good]
    if len(good) < 3:
        return math.nan, math.nan, math.nan
    over = slope(sizes, times)
    grown = slope(sizes, contacts) if min(contacts) > 0 else math.nan
    if len(good) < 4:
        return over, grown, math.nan
    a, b = linear_fit(sizes, contacts, times)
    beyond = slope(sizes, [t / (a * n + b * c) for n, c, t in zip(sizes, contacts, times)])
    return over, grown, 1 + beyond


def print_scale(speed):
    lines, missing = [], []
    for (method, setting), rows in speed.entries("tori"):
        of_size = {int(row["triangles"]): row for row in rows}
        times = []
        for size in speed.sizes:
            row = of_size.get(size)
            is_ok = row and row["outcome"] == "ok"
            times.append(shown(number(row["generate_ns"]) * 1e-6) if is_ok else
                         "-" if not row else row["outcome"].replace("_", " "))
            if row and not is_ok:
                missing.append(row)
        lines.append([name_of(method, setting), *times, *(shown(e, "%.2f") for e in exponents(rows))])
    table(["generate, ms"] + ["{:,}".format(size) for size in speed.sizes] +
          ["exponent", "of contacts", "beyond contacts"], lines)
    print_reasons(missing)


def print_walls(speed):
    lines = []
    hull = speed.value("generate_ns", "wall", "bullet_hull", "polyhedral_features=no;sat=no")
    whole = speed.value("generate_ns", "wall", "bullet_hull", "polyhedral_features=yes;sat=yes")
    for row in speed.of("wall"):
        if row["outcome"] != "ok":
            lines.append([name_of(row["method"], row["setting"]), row["outcome"], "-", "-", "-"])
            continue
        generate, pairs = number(row["generate_ns"]), number(row["pairs"])
        lines.append([name_of(row["method"], row["setting"]), "%.1f" % (number(row["contacts"]) / pairs),
                      shown(generate / pairs * 1e-3), shown(generate / hull), shown(generate / whole)])
    table(["a joint of the wall", "contacts", "generate, us", "/ `bullet_hull`",
           "/ the same, features and sat"], lines)


def bound_by(row, copying):
    if number(row["memory_bytes_per_s"]) > SHARE_OF_COPYING * copying:
        return "memory"
    return "instructions" if number(row["instructions_per_cycle"]) >= CYCLES_BUSY else "latency"


def print_bounds(speed):
    size = speed.middle()
    copying = speed.value("memory_bytes_per_s", "copying", "memcpy")
    reading_ns = size * MESH_BYTES / (copying / 2) * 1e9
    counted = {(row["method"], row["setting"]): row for row in speed.of("counters")}
    lines = []
    for (method, setting), _ in speed.entries("tori"):
        generate = speed.value("generate_ns", "tori", method, setting, size)
        if generate != generate:
            continue
        row = counted.get((method, setting))
        line = [name_of(method, setting), shown(generate / reading_ns)]
        if row:
            cycles = generate * number(row["ghz"])
            line += [shown(cycles / (2 * size)), shown(number(row["instructions_per_cycle"]), "%.2f"),
                     shown(1e3 * number(row["branch_misses_per_instruction"])),
                     shown(100 * number(row["memory_bytes_per_s"]) / copying), bound_by(row, copying)]
        else:
            line += ["-"] * 4 + ["not measured"]
        lines.append(line)
    table(["tori of {:,} triangles".format(size), "generate / reading", "cycles a triangle",
           "instructions a cycle", "wrong branches in 1000", "memory, % of copying", "bound by"], lines)
    print("\nCopying moves %.3g GB/s, read and written; reading both meshes once takes %.3g ms."
          % (copying * 1e-9, reading_ns * 1e-6))


def over(top, bottom):
    return lambda m: m.value(*top(m)) / m.value(*bottom(m))


def tori(column, method, setting="", size=100000):
    return lambda _: (column, "tori", method, setting, size)


def largest_exponent(measurement):
    """Beyond contacts, of our methods."""
    found = [exponents(rows)[2] for (method, _), rows in measurement.entries("tori")
             if not method.startswith(ENGINES)]
    return max((e for e in found if e == e), default=math.nan)


def wall(method, setting=""):
    return lambda _: ("generate_ns", "wall", method, setting)


RATIOS = [("tori 100,000: generate, `%s` / ODE" % method,
           over(tori("generate_ns", method), tori("generate_ns", "ode_trimesh", ALL_OF_ODE)))
          for method in ("semi_local", "intersection", "opposing", "closest_points", "growth",
                         "ldi_volume")]
RATIOS += [
    ("the same, `semi_local` / ODE with its default of 64 contacts",
     over(tori("generate_ns", "semi_local"), tori("generate_ns", "ode_trimesh", "max_contacts=64"))),
    ("tori 100,000: prepare, `semi_local` / ODE",
     over(tori("prepare_ns", "semi_local"), tori("prepare_ns", "ode_trimesh", ALL_OF_ODE))),
    ("`closest_points`, tori 100,000 / 10,000",
     over(tori("generate_ns", "closest_points"), tori("generate_ns", "closest_points", "", 10000))),
    ("largest exponent beyond contacts of touchstone's methods", largest_exponent),
    ("wall joint, `semi_local` / `bullet_hull`",
     over(wall("semi_local"), wall("bullet_hull", "polyhedral_features=no;sat=no"))),
    ("wall joint, `semi_local` / `bullet_hull` with features and sat",
     over(wall("semi_local"), wall("bullet_hull", "polyhedral_features=yes;sat=yes"))),
    ("overlap of two tets, in batches (then one by one) / frozen baseline", lambda m: m.value("ratio", "tet_pairs", "overlap")),
    ("large wall: score / generate, `semi_local`",
     over(lambda _: ("score_ns", "scoring", "semi_local"),
          lambda _: ("generate_ns", "scoring", "semi_local"))),
    ("layered depth images at 512 px, tori 100,000: / floor",
     lambda m: next((number(row["ratio"]) for row in m.of("ldi", triangles=100000)), math.nan)),
    ("suite as built, 156 cells: processor time, s",
     lambda m: next((number(row["generate_ns"]) * 1e-9 for row in m.of("suite")), math.nan)),
    ("the same by the clock, s",
     lambda m: next((number(row["wall_ns"]) * 1e-9 for row in m.of("suite")), math.nan)),
]


def print_ratios(speed, before):
    is_older = before and before.commit != speed.commit
    lines = []
    for words, ratio in RATIOS:
        values = [ratio(m) for m in ([before, speed] if is_older else [speed])]
        lines.append([words] + [shown(value) for value in values] +
                     ([shown(values[1] / values[0])] if is_older else []))
    head = ["work", "at " + before.commit, "at " + speed.commit, "now / then"] if is_older else \
        ["work", "at " + speed.commit]
    table(head, lines)


def write_summary(path, speed):
    """What `touchstone plot` needs of the tori."""
    columns = ["cell", "case", "case_parameters", "method", "method_parameters", "scoring_parameters",
               "simulation_parameters", "step", "outcome", "reason", "generate_ns_median"]
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        for (method, setting), rows in speed.entries("tori"):
            for row in rows:
                if row["outcome"] == "ok" and setting != "max_contacts=64":
                    writer.writerow(["%016x" % (speed.rows.index(row) + 1), "tori",
                                     "triangles=" + row["triangles"], method, setting, "", "", "0", "ok",
                                     "", row["generate_ns"]])


def gnuplot_of(picture):
    """The version of gnuplot that drew a picture."""
    if not os.path.exists(picture):
        return ""
    with open(picture, encoding="utf-8") as file:
        return (re.findall(r"Produced by GNUPLOT ([^<]*?) *<", file.read(2000)) or [""])[0]


def draw(speed, folder):
    with tempfile.TemporaryDirectory() as work:
        summary = os.path.join(work, "summary.csv")
        write_summary(summary, speed)
        done = subprocess.run(["touchstone", "plot", summary, "--only", "time_size", "--out",
                               os.path.join(work, "plots")], check=False, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit("tables.py: touchstone plot: " + done.stderr)
        shutil.copyfile(os.path.join(work, "plots", "time_size-triangles-tori-touch.svg"),
                        os.path.join(folder, PICTURE))


def print_picture(speed):
    folder = os.path.join(os.environ["PICTURES"], "speed") if "PICTURES" in os.environ else HERE
    os.makedirs(folder, exist_ok=True)
    kept = os.path.join(HERE, PICTURE)
    version = "none"
    if shutil.which("gnuplot"):
        version = subprocess.run(["gnuplot", "--version"], check=True, capture_output=True,
                                 text=True).stdout.replace("gnuplot ", "").strip()
    if version != "none" and gnuplot_of(kept) in ("", version):
        draw(speed, folder)
    else:
        print("tables.py: the picture is kept as it is: gnuplot here: %s; it was drawn by %s" %
              (version, gnuplot_of(kept) or "none"), file=sys.stderr)
        if folder != HERE and os.path.exists(kept):
            shutil.copyfile(kept, os.path.join(folder, PICTURE))
    print("![Time to generate the contacts of two tori against their triangles](speed/%s)" % PICTURE)


def main():
    printers = {"machine": print_machine, "tori": print_tori, "scale": print_scale,
                "walls": print_walls, "bounds": print_bounds, "picture": print_picture}
    if not 2 <= len(sys.argv) <= 4 or sys.argv[1] not in {*printers, "ratios"}:
        sys.exit(__doc__)
    paths = sys.argv[2:] or [os.path.join(HERE, "speed.csv"), os.path.join(HERE, "before.csv")]
    speed = Measurement(paths[0])
    if sys.argv[1] == "ratios":
        has_before = len(paths) > 1 and os.path.exists(paths[1])
        print_ratios(speed, Measurement(paths[1]) if has_before else None)
    else:
        printers[sys.argv[1]](speed)


if __name__ == "__main__":
    main()
