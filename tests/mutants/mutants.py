# SPDX-License-Identifier: MIT
"""Changes the judging code in one place at a time and reports which changes no test notices.

Run by tests/mutants.sh, in a copy of the tree. A mutant is killed when a test fails, crashes, hangs
or does not compile. It is the same when its object code is that of the original, and equivalent
when equivalent.txt says why no test can tell it apart; neither counts.
"""
import argparse
import collections
import hashlib
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
TREE = ROOT / "build" / "mutants"
BUILD = TREE / "build" / "release"
SANITIZED = TREE / "build" / "asan"

SOURCES = [
    "harness/judge/*.c",
    "harness/judge/metrics/*.c",
    "cases/scene/minimum.c",
    "cases/scene/region.c",
    "geometry/cone.c",
]

# Program and target of each stage; a mutant that survives one meets the next. Golden is the last.
UNIT_TESTS = [
    ("tests/harness/test_harness_judge", "test_harness_judge"),
    ("tests/harness/test_harness_controls", "test_harness_controls"),
    ("tests/harness/test_harness_score", "test_harness_score"),
    ("tests/cases/test_cases_scene", "test_cases_scene"),
    ("tests/cases/test_cases_scene_file", "test_cases_scene_file"),
    ("tests/cases/test_cases_truth", "test_cases_truth"),
    ("tests/geometry/test_geometry", "test_geometry"),
]
# What reads past the end of an array gives the right answer by chance: a sanitizer sees it.
SANITIZED_TEST = ("tests/harness/test_harness_judge", "test_harness_judge")
CPU_SECONDS = 30  # of one process
TEST_SECONDS = 120
GOLDEN_SECONDS = 900

# Pattern and replacements. Binary operators have blanks around them, as clang-format leaves them.
OPERATORS = [
    (r" < ", [" <= ", " >= "]),
    (r" <= ", [" < ", " > "]),
    (r" > ", [" >= ", " <= "]),
    (r" >= ", [" > ", " < "]),
    (r" == ", [" != "]),
    (r" != ", [" == "]),
    (r" && ", [" || "]),
    (r" \|\| ", [" && "]),
    (r" \+ ", [" - "]),
    (r" - ", [" + "]),
    (r"(?<=[\w)\]]) \* (?=[\w(])", [" / "]),
    (r" / ", [" * "]),
    (r" \+= ", [" = ", " -= "]),
    (r" \|= ", [" = "]),
    (r"(?<![\w!=])!(?=[\w(])", [""]),
    (r"\bfmin\b", ["fmax"]),
    (r"\bfmax\b", ["fmin"]),
    (r"\bfabs\(", ["("]),
    (r"\btrue\b", ["false"]),
    (r"\bfalse\b", ["true"]),
    (r"\bcontinue;", ["break;"]),
    (r"(?<![\w.\[])0(?![\w.x])", ["1"]),
    (r"(?<![\w.])1(?![\w.])", ["0", "2"]),
    (r"(?<![\w.])2(?![\w.])", ["3"]),
    (r"(?<![\w.])0\.5(?!\w)", ["0.25"]),
    (r"\+\+(?=[;)\]])", [""]),
]


class Mutant:
    def __init__(self, source, line, before, after):
        self.source, self.line, self.before, self.after = source, line, before, after

    def key(self):
        return f"{self.source}: {self.before.strip()} => {self.after.strip()}"


def code_of(line):
    """The line with strings and comments blanked, of the same length."""
    line = re.sub(r'"(\\.|[^"\\])*"', lambda m: "_" * len(m.group()), line)
    return re.sub(r"//.*", lambda m: "_" * len(m.group()), line)


def mutants_of(source):
    lines = (ROOT / source).read_text().split("\n")
    found = []
    for number, line in enumerate(lines):
        if line.startswith("#") or line.lstrip().startswith("//"):
            continue
        code = code_of(line)
        for pattern, replacements in OPERATORS:
            for match in re.finditer(pattern, code):
                for new in replacements:
                    after = line[: match.start()] + new + line[match.end() :]
                    found.append(Mutant(source, number, line, after))
    return found


def sample(mutants, count, seed):
    """By the hash of each: a change of the sources leaves the others chosen as they are."""
    seen = collections.Counter()
    ranked = []
    for mutant in mutants:
        key = mutant.key()
        seen[key] += 1
        digest = hashlib.sha256(f"{seed} {key} {seen[key]}".encode()).digest()
        ranked.append((digest, mutant))
    ranked.sort(key=lambda pair: pair[0])
    return [mutant for _, mutant in ranked[:count]]


def limit_cpu():
    """An endless loop ends, also in a process of a process, which a timeout does not reach."""
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))


def run(command, seconds):
    """True when the command succeeds in time."""
    try:
        return (
            subprocess.run(
                command,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=seconds,
                cwd=TREE,
                preexec_fn=limit_cpu,
            ).returncode
            == 0
        )
    except subprocess.TimeoutExpired:
        return False


def build(*targets, folder=BUILD):
    return run(["cmake", "--build", str(folder), "--target", *targets], 1800)


def objects_of(source):
    name = pathlib.Path(source).name + ".o"
    return [p for p in BUILD.rglob(name) if source.split("/", 1)[1] in str(p)]


def fingerprint(source):
    """Hash of the machine code and constants of a source, without debug information."""
    digest = hashlib.sha256()
    for path in sorted(objects_of(source)):
        stripped = TREE / "stripped.o"
        subprocess.run(["objcopy", "--strip-debug", str(path), str(stripped)], check=True)
        digest.update(stripped.read_bytes())
    return digest.hexdigest()


def prepare():
    """A copy of the tree, built, in which every test passes."""
    TREE.mkdir(parents=True, exist_ok=True)
    names = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout.split("\0")
    for name in filter(None, names):
        old, new = ROOT / name, TREE / name
        if not old.is_file() or (new.is_file() and new.read_bytes() == old.read_bytes()):
            continue
        new.parent.mkdir(parents=True, exist_ok=True)
        # Without its time: an object left by a mutant has to look older than the source.
        shutil.copyfile(old, new)
        shutil.copymode(old, new)
    for preset in ("release", "asan"):
        if not run(["cmake", "--preset", preset, "-DTOUCHSTONE_TESTS=ON"], 600):
            sys.exit(f"mutants: the original cannot be configured: cmake --preset {preset}")
    if not build("all"):
        sys.exit("mutants: the original does not build")
    stage = stage_that_fails()
    if stage is not None:
        sys.exit(f"mutants: the original fails {stage}; mend it first")


def stage_that_fails():
    """The first stage that fails in the tree as it is; None: all pass."""
    for program, target in UNIT_TESTS:
        if not build(target) or not run([str(BUILD / program), "--fail-fast"], TEST_SECONDS):
            return target
    program, target = SANITIZED_TEST
    command = [str(TREE / "tests" / "run_criterion.sh"), str(SANITIZED / program)]
    if not build(target, folder=SANITIZED) or not run(command, 5 * TEST_SECONDS):
        return "a sanitizer"
    if not build("product"):
        return "product"
    touchstone = str(BUILD / "touchstone")
    return None if run(["tests/golden/check.sh", touchstone], GOLDEN_SECONDS) else "golden"


def try_mutant(mutant, original):
    """What became of it, in a word."""
    path = TREE / mutant.source
    text = path.read_text()
    lines = text.split("\n")
    lines[mutant.line] = mutant.after
    path.write_text("\n".join(lines))
    try:
        if not build("test_harness_judge"):
            return "killed by the compiler"
        if fingerprint(mutant.source) == original:
            return "the same"
        stage = stage_that_fails()
        return "survived" if stage is None else f"killed by {stage}"
    finally:
        path.write_text(text)


def read_equivalent():
    """The mutants that equivalent.txt lists: a line with the key, and lines with the reason."""
    text = (HERE / "equivalent.txt").read_text()
    return {line for line in text.split("\n") if " => " in line}


def main():
    parser = argparse.ArgumentParser(prog="tests/mutants.sh", description=__doc__)
    parser.add_argument("--count", type=int, default=150, help="mutants to try (default: 150)")
    parser.add_argument("--seed", type=int, default=1, help="which ones (default: 1)")
    parser.add_argument("--match", default="", help="only those whose key contains this text")
    parser.add_argument("--list", action="store_true", help="list them, and do nothing")
    options = parser.parse_args()
    sources = sorted({str(p.relative_to(ROOT)) for s in SOURCES for p in ROOT.glob(s)})
    mutants = [m for source in sources for m in mutants_of(source) if options.match in m.key()]
    print(f"{len(mutants)} mutants of {len(sources)} sources", flush=True)
    chosen = sample(mutants, options.count, options.seed)
    if options.list:
        for m in chosen:
            print(f"{m.source}:{m.line + 1}: {m.before.strip()} => {m.after.strip()}")
        return 0
    prepare()
    originals = {source: fingerprint(source) for source in sources}
    equivalent = read_equivalent()
    counts = {"killed": 0, "the same": 0, "equivalent": 0, "survived": 0}
    start = time.time()
    for number, mutant in enumerate(chosen, 1):
        result = try_mutant(mutant, originals[mutant.source])
        if result == "survived" and mutant.key() in equivalent:
            result = "equivalent"
        counts["killed" if result.startswith("killed") else result] += 1
        print(
            f"{number}/{len(chosen)} {time.time() - start:.0f} s: {result}: "
            f"{mutant.source}:{mutant.line + 1}: {mutant.before.strip()} => {mutant.after.strip()}",
            flush=True,
        )
    told = counts["killed"] + counts["survived"]
    print(", ".join(f"{count} {word}" for word, count in counts.items()))
    print(f"{100 * counts['survived'] / max(told, 1):.1f} % of those that a test can tell survived")
    return 0 if counts["survived"] <= 0.05 * told else 1


if __name__ == "__main__":
    sys.exit(main())
