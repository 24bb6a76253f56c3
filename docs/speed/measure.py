#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures what docs/speed.md shows and writes it to a CSV file, as a whole or not at all. Steps that
are done are kept until then in the folder results, so that a measurement that was cut short goes on
when it is run again.

Of the repeats the least time counts.
"""
import argparse
import csv
import fcntl
import hashlib
import json
import os
import re
import resource
import shutil
import signal
import statistics
import subprocess
import sys
import time

COLUMNS = ["work", "triangles", "method", "setting", "outcome", "reason", "pairs", "contacts", "repeats",
           "prepare_ns", "generate_ns", "score_ns", "wall_ns", "ratio", "instructions_per_cycle",
           "ghz", "memory_bytes_per_s", "branch_misses_per_instruction", "load", "date", "commit",
           "build", "cpu"]

# With these an engine returns all contacts that it finds of two tori. ODE's default comes as well,
# since it is what its users run.
ALL_ON_TORI = {"ode_trimesh": [("max_contacts", "64,65535")], "bullet_gimpact": [("contacts", "all")],
               "fcl_mesh": [("max_contacts", "1000000000")]}
# The same on boxes, which have few: ODE keeps room for as many contacts in each pair.
ALL_ON_WALLS = {"ode_trimesh": [("max_contacts", "1024")], "bullet_gimpact": [("contacts", "all")],
                "fcl_mesh": [("max_contacts", "100000")],
                "bullet_hull": [("polyhedral_features", "no,yes"), ("sat", "no,yes")]}
SUITE = ("semi_local|consistent_vertex|closest_points_tets|closest_points|surface_sat|vertex_only|growth|"
         "volume_sat|opposing|ldi_volume|intersection_tets|intersection")

SLOW_NS = 0.5e9        # a pass longer than this is timed once, cold
TOO_SLOW_NS = 8e9      # and one longer than this not at all
GROUP_S = 150          # methods on tets are left out if all, with TetGen, take longer than this
CELL_S = 90            # time limit of a cell
QUIET_SHARE = 0.02     # of a repeat that may be spent waiting for a processor
BUSY_LOAD = 1.5        # the load average above which other programs are running
COUNTERS = ["instructions:u", "cycles:u", "cache-misses:u", "branch-misses:u", "task-clock:u"]
LINE_BYTES = 64
ENDED = {"failed": "failed", "crashed": "crashed", "timed_out": "took too long",
         "out_of_memory": "took too much memory", "skipped": "were skipped"}


def say(text):
    print("measure.py: " + text, file=sys.stderr, flush=True)


def stop(text):
    say(text)
    sys.exit(2)


def wait_for(command, log):
    """The exit status of a command, which ends with this script."""
    with subprocess.Popen(command, stdout=log, stderr=log) as running:
        try:
            return running.wait()
        except KeyboardInterrupt:
            running.terminate()
            raise


class Bench:
    """The program that is measured, and the folder of the steps that are done."""

    def __init__(self, touchstone, work, is_quick, run_options):
        self.touchstone, self.work, self.is_quick = touchstone, work, is_quick
        self.run_options = run_options
        self.methods = self.find_methods()
        self.context = None

    def find_methods(self):
        """What each method requires, by name, in the order of the program's list; engines that are not
        installed are not in it."""
        listed = subprocess.run([self.touchstone, "list", "methods", "--engines", "--markdown"],
                                check=True, capture_output=True, text=True).stdout.splitlines()[2:]
        out = {}
        for name in (line.split("|")[1].strip() for line in listed if "| not available: " not in line):
            told = subprocess.run([self.touchstone, "describe", "method", name, "--engines"],
                                  check=True, capture_output=True, text=True).stdout
            out[name] = (re.findall(r"^  requires +(.*)$", told, re.M) or [""])[0]
        return out

    def kind(self, method):
        requires = self.methods[method]
        return ("tets" if "tetrahedra" in requires else "convex" if "convex" in requires else
                "surface")

    def command(self, out, options):
        return [self.touchstone, "run", "--steps", "1", "--contacts", "none", "--jobs", "1", "--quiet",
                "--time-limit", str(CELL_S), "--memory-limit", "8192", "--out", out,
                *options, *self.run_options]

    def settings(self, of_methods, methods):
        """Options of a run for the engines among the methods."""
        out = []
        for method in methods:
            for name, values in of_methods.get(method, []):
                what = "--sweep" if "," in values else "--set"
                out += [what, "%s.%s=%s" % (method, name, values)]
        return out

    def run(self, name, options, prefix=()):
        """Rows of a run, with the least times of its repeats; wall and processor time of it all."""
        out = os.path.join(self.work, name)
        shutil.rmtree(out, ignore_errors=True)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        start = time.monotonic()
        with open(os.path.join(self.work, name + ".log"), "w", encoding="utf-8") as log:
            status = wait_for([*prefix, *self.command(out, options)], log)
        wall_s = time.monotonic() - start
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if status not in (0, 3):  # 3: some cells failed, and their rows say why
            stop("touchstone run ended with status %d: see %s" % (status, log.name))
        processor_s = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        with open(os.path.join(out, "context.json"), encoding="utf-8") as file:
            self.context = json.load(file)
        rows = read(os.path.join(out, "summary.csv"))
        least = least_times(os.path.join(out, "samples.csv"))
        for row in rows:
            for phase in ("prepare", "generate"):
                column = "prepare_ns" if phase == "prepare" else "generate_ns_min"
                row[phase + "_ns"] = least.get((row["cell"], phase), row[column])
        shutil.rmtree(out)
        return rows, wall_s, processor_s


def read(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def least_times(path):
    """By cell and phase: the least time of the repeats that hardly waited for a processor. On a busy
    machine all of a long one may have: then the median of what is left. Not the least of that, since
    waits are counted in what is done between passes, too."""
    repeats = {}
    for row in read(path):
        repeats.setdefault((row["cell"], row["phase"]), []).append(
            (float(row["time_ns"]), number(row["waited_ns"])))
    out = {}
    for key, times in repeats.items():
        quiet = [spent for spent, waited in times if not waited > QUIET_SHARE * spent]
        out[key] = min(quiet) if quiet else statistics.median(s - w for s, w in times)
    return out


def line_of(work, row, settings, **more):
    """A line of the CSV file from a row of a run."""
    given = dict(word.split("=", 1) for word in row["method_parameters"].split(";") if word)
    names = [name for name, _ in settings.get(row["method"], [])]
    out = {column: row.get(column, "") for column in ("method", "outcome", "reason", "prepare_ns",
                                                      "generate_ns", "score_ns", "repeats")}
    out.update(work=work, setting=";".join("%s=%s" % (name, given[name]) for name in names),
               pairs=row["pairs_candidate"], contacts=row["contacts_delivered"], **more)
    return out


def tori_of(bench, size, earlier):
    """Tori of so many triangles each; `earlier` are the lines of the size before."""
    groups = {}
    lines = []
    for method in bench.methods:
        kind = bench.kind(method)
        if kind == "convex":
            continue
        before = [line for line in earlier if line["method"] == method]
        factor = (size / float(before[0]["triangles"])) ** 1.2 if before else 1
        is_ok = all(line["outcome"] == "ok" for line in before)
        guess_ns = max((number(line["generate_ns"]) * factor for line in before if is_ok), default=0)
        group_s = max((line["group_s"] * factor for line in before), default=0)
        reason = ""
        if not is_ok:
            reason = before[0]["reason"] if before[0]["outcome"] == "left_out" else \
                "left out, since fewer triangles %s" % ENDED[before[0]["outcome"]]
        elif guess_ns > TOO_SLOW_NS:
            reason = "left out: more than %.0f s a pass to be expected" % (TOO_SLOW_NS * 1e-9)
        elif kind == "tets" and group_s > GROUP_S:
            reason = "left out: the methods on tets would take more than %d s" % GROUP_S
        if reason:
            lines.append({"work": "tori", "triangles": size, "method": method, "outcome": "left_out",
                          "reason": reason, "setting": before[0]["setting"], "group_s": 0})
        else:
            groups.setdefault((kind, guess_ns > SLOW_NS), []).append(method)
    for (kind, is_slow), methods in groups.items():
        say("tori of %d triangles: %s" % (size, " ".join(methods)))
        options = ["--engines", "--case", "tori", "--set", "triangles=%d" % size,
                   "--method", "|".join(methods), "--repeats", "1" if is_slow else "3" if size > 30000 else "5",
                   *bench.settings(ALL_ON_TORI, methods)]
        rows, _, spent_s = bench.run("tori", options)
        lines += [line_of("tori", row, ALL_ON_TORI, triangles=size, group_s=spent_s) for row in rows]
    return lines


def walls_of(bench):
    rows, _, _ = bench.run("wall", ["--engines", "--case", "wall", "--repeats", "5", "--method", ".*",
                                    *bench.settings(ALL_ON_WALLS, bench.methods)])
    lines = [line_of("wall", row, ALL_ON_WALLS) for row in rows]
    # Of the four settings of hulls, that of Bullet and the one with whole manifolds.
    return [line for line in lines
            if line["setting"].count("yes") != 1 or line["method"] != "bullet_hull"]


def scoring_of(bench):
    size = 5 if bench.is_quick else 100
    lines = []
    for _ in range(3):
        rows, _, _ = bench.run("scoring", ["--case", "wall", "--set", "layers=%d" % size, "--set",
                                           "span=%d" % size, "--method", "semi_local", "--repeats", "3"])
        lines += [line_of("scoring", row, {}) for row in rows]
    best = min(lines, key=lambda line: number(line["score_ns"]))
    best["generate_ns"] = min(number(line["generate_ns"]) for line in lines)
    return [best]


def suite_of(bench):
    best = None
    for _ in range(1 if bench.is_quick else 3):
        rows, wall_s, processor_s = bench.run("suite", ["--suite", "erleben", "--method", SUITE,
                                                        "--repeats", "1"])
        good = sum(row["outcome"] == "ok" for row in rows)
        found = {"work": "suite", "method": "all", "outcome": "ok" if good == len(rows) else "failed",
                 "pairs": len(rows), "wall_ns": wall_s * 1e9, "generate_ns": processor_s * 1e9,
                 "reason": "" if good == len(rows) else "%d of %d rows are ok" % (good, len(rows))}
        if best is None or found["generate_ns"] < best["generate_ns"]:
            best = found
    return [best]


def benchmark_of(bench, name, options):
    """Rows of a benchmark of the kernels, or a reason."""
    program = os.path.join(os.path.dirname(bench.touchstone), "tests", "benchmark", name)
    if not os.path.exists(program):
        return None, "%s is not built: configure with -DTOUCHSTONE_TESTS=ON" % name
    path = os.path.join(bench.work, name + ".csv")
    done = subprocess.run([program, *options, "--csv", path], check=False, capture_output=True,
                          text=True)
    if done.returncode != 0:
        return None, "%s failed: %s" % (name, done.stderr.strip().split("\n")[-1])
    rows = read(path)
    os.remove(path)
    return rows, ""


def kernels_of(bench):
    """Overlap of tets over its frozen baseline, and layered depth images on one thread."""
    rows, reason = benchmark_of(bench, "benchmark_tet_pairs",
                                ["--kernel", "overlap_batch", "--repeats", "20" if bench.is_quick else "200"])
    overlap = [row for row in rows or [] if row["kernel"] == "overlap_batch"]
    tets = {"work": "tet_pairs", "method": "overlap", "outcome": "ok" if overlap else "failed",
            "reason": reason}
    if overlap:
        tets.update(generate_ns=overlap[0]["ns_per_pair_min"], ratio=overlap[0]["ratio"],
                    pairs=overlap[0]["pairs"], repeats=overlap[0]["repeats"])
    size = 1000 if bench.is_quick else 100000
    options = ["--triangles", str(size), "--resolution", "512", "--backend", "cpu", "--repeats", "7"]
    rows, reason = benchmark_of(bench, "benchmark_ldi", options + ["--floor"])
    if not rows:  # one from before there was a floor
        rows, reason = benchmark_of(bench, "benchmark_ldi", options)
    single = [row for row in rows or [] if row["threads"] == "1"]
    images = {"work": "ldi", "triangles": size, "method": "ldi_volume", "setting": "resolution_px=512",
              "outcome": "ok" if single else "failed", "reason": reason}
    if single:
        # Earlier ones have no such column.
        images.update(generate_ns=single[0]["time_ns_min"], repeats=single[0]["repeats"],
                      ratio=single[0].get("to_floor", ""))
    return [tets, images]


def copying_of(_):
    """Bytes that one core reads and writes in a second when it copies."""
    source, target = bytearray(256 << 20), bytearray(256 << 20)
    best = 1e9
    for _ in range(7):
        start = time.process_time()
        memoryview(target)[:] = source
        best = min(best, time.process_time() - start)
    return [{"work": "copying", "method": "memcpy", "outcome": "ok",
             "memory_bytes_per_s": 2 * len(source) / best}]


def count_events(bench, size, method, repeats):
    """Events of a whole run of one method by name, or a reason."""
    path = os.path.join(bench.work, "perf.csv")
    bench.run("counters", ["--engines", "--case", "tori", "--set", "triangles=%d" % size, "--method", method,
                           "--repeats", str(repeats), *last_settings(method)],
              ["perf", "stat", "-x,", "-o", path, "-e", ",".join(COUNTERS), "--"])
    counts = {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            fields = line.split(",")
            if len(fields) > 3 and fields[2] in COUNTERS:
                counts[fields[2]] = float(fields[0]) if fields[0].replace(".", "").isdigit() else None
    missing = [name for name in COUNTERS if counts.get(name) is None]
    return (counts, "") if not missing else (None, "perf does not count %s" % " ".join(missing))


def last_settings(method):
    """The setting with which an engine returns all contacts."""
    return [word for name, values in ALL_ON_TORI.get(method, [])
            for word in ("--set", "%s.%s=%s" % (method, name, values.split(",")[-1]))]


def counters_of(bench, size, tori):
    """Of each method what perf counts in more repeats than two, over what it counts in two."""
    lines = []
    if not shutil.which("perf"):
        say("perf is missing (Debian: linux-perf): what bounds the methods is not measured")
        return lines
    for row in tori:
        pass_ns = number(row.get("generate_ns"))
        if row["outcome"] != "ok" or row["setting"].endswith("=64") or pass_ns > 1e9:
            continue
        say("counters of " + row["method"])
        more = int(min(max(5e8 / pass_ns, 3), 100))
        few, reason = count_events(bench, size, row["method"], 2)
        many = None
        if few:
            many, reason = count_events(bench, size, row["method"], 2 + more)
        if not many:
            say(reason + ": what bounds the methods is not measured")
            return []
        told = {name: many[name] - few[name] for name in COUNTERS}
        clock_s = told["task-clock:u"] * 1e-3
        lines.append({"work": "counters", "triangles": size, "method": row["method"],
                      "setting": row["setting"], "outcome": "ok", "repeats": more,
                      "instructions_per_cycle": told["instructions:u"] / told["cycles:u"],
                      "ghz": told["cycles:u"] / clock_s * 1e-9,
                      "memory_bytes_per_s": told["cache-misses:u"] * LINE_BYTES / clock_s,
                      "branch_misses_per_instruction": told["branch-misses:u"] / told["instructions:u"]})
    return lines


def number(text):
    try:
        return float(text)
    except (TypeError, ValueError):
        return float("nan")


def do_step(bench, name, make):
    """The lines of a step: those kept, or made now and kept."""
    path = os.path.join(bench.work, name + ".step.json")
    if os.path.exists(path):
        say(name + ": done before")
    else:
        start, load = time.monotonic(), os.getloadavg()[0]
        lines = make()
        for line in lines:
            line.update(load="%.2f" % load, date=time.strftime("%Y-%m-%d", time.gmtime()))
        keep(path, json.dumps([lines, bench.context]))
        say("%s: %.0f s" % (name, time.monotonic() - start))
    with open(path, encoding="utf-8") as file:
        lines, context = json.load(file)
    bench.context = context or bench.context
    return lines


def keep(path, text):
    """Writes a file as a whole or not at all."""
    with open(path + ".draft", "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    os.replace(path + ".draft", path)


def measure(bench, with_counters):
    sizes = [1000, 1500, 2000] if bench.is_quick else [10000, 30000, 100000, 300000, 1000000]
    lines, earlier, middle = [], [], []
    for size in sizes:
        before = earlier
        earlier = do_step(bench, "tori_%d" % size, lambda s=size, b=before: tori_of(bench, s, b))
        lines += earlier
        if size == sizes[2]:
            middle = earlier
    lines += do_step(bench, "wall", lambda: walls_of(bench))
    lines += do_step(bench, "scoring", lambda: scoring_of(bench))
    lines += do_step(bench, "suite", lambda: suite_of(bench))
    lines += do_step(bench, "kernels", lambda: kernels_of(bench))
    lines += do_step(bench, "copying", lambda: copying_of(bench))
    if with_counters:
        lines += do_step(bench, "counters", lambda: counters_of(bench, sizes[2], middle))
    return lines


def write_csv(path, lines, context):
    build, machine = context["build"], context["machine"]
    level = (re.findall(r"-O\w+", build["flags"]) or ["not optimised"])[-1]
    with open(path + ".draft", "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS, extrasaction="ignore", restval="",
                                lineterminator="\n")
        writer.writeheader()
        for line in lines:
            line = {name: rounded(name, value) for name, value in line.items()}
            writer.writerow({**line, "commit": context["commit"], "cpu": machine["cpu"],
                             "build": "%s, %s, %s" % (build["compiler"], build["type"], level)})
        file.flush()
        os.fsync(file.fileno())
    os.replace(path + ".draft", path)


def rounded(name, value):
    """Five digits of what is measured: the rest is noise."""
    is_measured = name.endswith(("_ns", "_per_s", "_per_cycle", "_per_instruction", "ghz", "ratio"))
    return "%.5g" % float(value) if is_measured and value not in ("", None) else value


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("touchstone", help="the program, of a release build with tests")
    parser.add_argument("csv", help="the file to write")
    parser.add_argument("--quick", action="store_true", help="small sizes, to try the script")
    parser.add_argument("--counters", action="store_true",
                        help="also what perf counts: instructions, cycles, misses (some minutes more)")
    parser.add_argument("--run", metavar="OPTIONS", default="",
                        help="more options of touchstone run, in one word")
    parser.add_argument("--busy", action="store_true", help="measure although other programs run")
    options = parser.parse_args()
    touchstone = os.path.realpath(options.touchstone)
    if not os.access(touchstone, os.X_OK) or os.path.isdir(touchstone):
        stop("%s is no program: build it, or name another" % options.touchstone)
    folder = os.path.dirname(os.path.realpath(options.csv))
    if not os.access(folder, os.W_OK):
        stop("%s cannot be written to: name another file" % folder)
    load = os.getloadavg()[0]
    if load > BUSY_LOAD and not options.busy:
        stop("the load average is %.1f: other programs run, and would be in the times. Wait until they "
             "have ended, or give --busy; the page shows the load" % load)
    with open(touchstone, "rb") as file:
        fingerprint = hashlib.sha256(file.read() + options.run.encode()).hexdigest()[:16]
    name = fingerprint + ("_quick" if options.quick else "") + ("_counters" if options.counters else "")
    work = os.path.realpath(os.path.join("results", "speed_" + name))
    os.makedirs(work, exist_ok=True)
    lock = os.open(work, os.O_RDONLY)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        stop("another measurement of this program is running")
    bench = Bench(touchstone, work, options.quick, options.run.split())
    for engine in ("ode_trimesh", "bullet_hull"):
        if engine not in bench.methods:
            say("%s is not installed: ratios to it are not measured (./quickstart --engines)" % engine)
    lines = measure(bench, options.counters)
    write_csv(options.csv, lines, bench.context)
    shutil.rmtree(work)
    say("%s: %d rows" % (options.csv, len(lines)))


def interrupt(*_):
    raise KeyboardInterrupt


if __name__ == "__main__":
    for caught in (signal.SIGINT, signal.SIGTERM):
        signal.signal(caught, interrupt)
    try:
        main()
    except KeyboardInterrupt:
        say("cut short; the same command goes on behind the last step that is done")
        sys.exit(130)
