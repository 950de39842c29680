"""Who wrote an output, where it lies, how the launch began: only what the launch itself wrote may be green.

Usage: output_owners.py GATE FOLDER few|short|all [TOML [WHERE]]

Makes a suite of generated cases below FOLDER, whose outputs all hold the right text, whoever wrote them, and runs it;
then launches that begin in other ways. TOML is put at the start of gate.toml, as of the hosts to run on; WHERE is
their name then, and the ways to begin are left out, but that a script was rewritten. `short` and `few` take a part. Prints a line for each that is wrongly green, or
wrongly not, and their count; ends with 1 where there is one.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from itertools import product
from pathlib import Path

RIGHT = "the right answer\n"

# What lies there before: shell text, with $out the file's path and $dir its folder, $old another file of the right text.
BEFORE = {
    "nothing": "",
    "past": 'printf %s "$right" >"$out"; touch -d "2 days ago" "$out"',
    "now": 'printf %s "$right" >"$out"',
    "future": 'printf %s "$right" >"$out"; touch -d "now + 2 days" "$out"',
    "locked": 'printf %s "$right" >"$out"; chmod 444 "$out"; touch -d "now + 2 days" "$out"',
    "twice": 'printf %s "$right" >"$out"; ln "$out" "$dir/second_name"',
    "link": 'printf %s "$right" >"$old"; ln -s ../old.txt "$out"',
    "leads_nowhere": 'ln -s nowhere "$out"',
    "folder_link": 'mv "$dir" "$dir.real"; ln -s "$(basename "$dir").real" "$dir"; printf %s "$right" >"$out"',
    "need": 'printf %s "$right" >"$out"',
}

# What the script does, and whether it is green then.
ACTS = {
    "nothing": (":", False),
    "write": ('printf %s "$right" >"$out"', True),
    "replace": ('printf %s "$right" >"$dir/new"; mv "$dir/new" "$out"', True),
    "write_old": ('printf %s "$right" >"$out"; touch -d "1 week ago" "$out"', True),
    "copy": ('printf %s "$right" >"$dir/source"; cp -p "$dir/source" "$dir/made"; mv "$dir/made" "$out"', True),
    "wrong": ('echo other >"$out"', False),
    "remove": ('rm -f "$out"', False),
    "write_and_remove": ('printf %s "$right" >"$out"; rm "$out"', False),
    "other_file": ('printf %s "$right" >"$dir/other"', False),
    "link_to_old": ('ln -sfn ../old.txt "$out"', False),
    "folder_of_old": ('rm -rf "$dir"; ln -s old_folder "$dir"', False),
    "fail": ('printf %s "$right" >"$out"; exit 3', False),
}
PLACES = ("file", "glob", "deep", "absolute")


def run(gate, suite, *words, **more):
    return subprocess.run([gate, "run", *words], cwd=suite, capture_output=True, text=True, check=False, **more)


def verdicts(suite):
    report = json.loads((suite / ".gate/latest/result.json").read_text())
    return {case["case"]: case["verdict"] for case in report["cases"]}


def reasons(suite):
    report = json.loads((suite / ".gate/latest/result.json").read_text())
    return {case["case"]: case["reason"] for case in report["cases"]}


def output(case, file, **more):
    lines = [f'[case."{case}".outputs.text]', f'file = "{file}"', 'golden = "golden.txt"', 'metric = "exact_match"']
    keys = [f"[case.\"{case}\"]"] + [f"{key} = {value}" for key, value in more.items()] if more else []
    return "\n".join(keys + lines + ['tolerance = ">= 1"', ""])


def make(suite, toml=""):
    shutil.rmtree(suite, ignore_errors=True)
    (suite / "scripts").mkdir(parents=True)
    (suite / "golden.txt").write_text(RIGHT)
    (suite / "gate.toml").write_text(toml)


def add(suite, case, text, file, **more):
    (suite / "scripts" / f"{case}.sh").write_text(text + "\n")
    with (suite / "gate.toml").open("a") as toml:
        toml.write(output(case, file, **more))


class Table:
    def __init__(self):
        self.tried = 0
        self.wrong = []

    def expect(self, name, verdict, green):
        self.tried += 1
        if (verdict == "passed") != green:
            self.wrong.append(f"{name}: {verdict}, expected {'green' if green else 'not green'}")


def combinations(part):
    every = [(b, a, p) for b, a, p in product(BEFORE, ACTS, PLACES)]
    return every if part == "all" else every[:: len(every) // {"short": 41, "few": 7}[part]]


def written_by(table, gate, suite, part, toml, where):
    """One case for each combination, all in one run."""
    make(suite, toml)
    names = {}
    # What nodes of an engine may write for others lies in the suite.
    absolute = suite / "absolute" if where in ("slurm", "kubernetes") else suite.parent.parent / f"{suite.parent.name}-absolute"
    shutil.rmtree(absolute, ignore_errors=True)
    for number, (before, act, place) in enumerate(combinations(part)):
        case = f"c{number}"
        folder = (suite / "o" if place != "absolute" else absolute) / case
        shown = str(folder) if place == "absolute" else f"o/{case}"
        file = shown + {"glob": "/d/*.txt", "deep": "/**/out.txt"}.get(place, "/d/out.txt")
        shell = f"right=$'{RIGHT[:-1]}\\n'\ndir={shown}/d\nout=$dir/out.txt\nold={shown}/old.txt\n"
        (folder / "d").mkdir(parents=True)
        (folder / "old_folder").mkdir()
        for old in ("old.txt", "old_folder/out.txt"):
            (folder / old).write_text(RIGHT)
        subprocess.run(["bash", "-ec", shell + BEFORE[before]], cwd=suite, check=True)
        shell += 'mkdir -p "$dir"\n'  # a tree that is sent has no empty folders
        needs = {"needs": f'["{file}"]'} if before == "need" and "*" not in file else {}
        add(suite, case, shell + ACTS[act][0], file, **needs)
        names[case] = f"{where} {before} {act} {place}", ACTS[act][1]
    if where != "here":
        subprocess.run("git init -q . && git add -A", shell=True, cwd=suite, check=True)
    ended = run(gate, suite, "--jobs", "8" if where != "here" else "2")
    told = verdicts(suite) if (suite / ".gate/latest/result.json").exists() else {}
    why = reasons(suite) if told else {"": print(ended.stdout, ended.stderr)}
    for case, (name, green) in names.items():
        table.expect(f"{name} ({why.get(case, '')})", told.get(case, "none"), green)
    left = [str(path) for path in suite.rglob("*.gate-aside-*")]
    table.wrong += [f"left behind: {path}" for path in left]


WRITE = f'printf "{RIGHT[:-1]}\\n" >out.txt'
ONCE = f"[[ -e written ]] || {{ touch written; {WRITE}; }}"


def began(name):
    def keep(function):
        BEGAN[name] = function
        return function

    return keep


BEGAN = {}


@began("an earlier run wrote it")
def earlier_run(gate, suite, file, **_):
    make(suite)
    add(suite, "a", ONCE, file)
    first = run(gate, suite).returncode
    run(gate, suite)
    return [("first", first == 0, True), ("second", verdicts(suite)["a"] == "passed", False)]


@began("an earlier run of repeat wrote it")
def repeat(gate, suite, file, **_):
    make(suite)
    add(suite, "a", ONCE, file, repeat=2)
    run(gate, suite)
    return [("repeat", verdicts(suite)["a"] == "passed", False)]


@began("an earlier run of --determinism wrote it")
def determinism(gate, suite, file, **_):
    make(suite)
    add(suite, "a", ONCE, file)
    run(gate, suite, "--determinism", "2")
    return [("determinism", verdicts(suite)["a"] == "passed", False)]


@began("a launch before --retry-infra wrote it")
def retry(gate, suite, file, **_):
    make(suite)
    add(suite, "a", f"[[ ! -e written ]] || exit 0; touch written; {WRITE}; "
        "echo 'RuntimeError: CUDA error: uncorrectable ECC error encountered'; exit 1", file)
    run(gate, suite, "--retry-infra", "1")
    return [("retry", verdicts(suite)["a"] == "passed", False)]


@began("a predecessor wrote it")
def predecessor(gate, suite, file, **_):
    make(suite)
    add(suite, "a", WRITE, file)
    add(suite, "b", ":", file, after='["a"]')
    run(gate, suite)
    return [("a", verdicts(suite)["a"] == "passed", True), ("b", verdicts(suite)["b"] == "passed", False)]


@began("another case wrote it")
def other_case(gate, suite, file, **_):
    make(suite)
    add(suite, "a", ONCE, file)
    add(suite, "b", ONCE, file)
    run(gate, suite, "--jobs", "2")
    return [("one of both", sorted(verdicts(suite).values()).count("passed") == 1, True)]


@began("a variant wrote it")
def variant(gate, suite, file, **_):
    make(suite, '[matrix.a]\nX = [1, 2]\n')
    add(suite, "a", ONCE, file)
    run(gate, suite, "--jobs", "2")
    told = verdicts(suite)
    return [(f"one of {len(told)}", len(told) == 2 and list(told.values()).count("passed") == 1, True)]


@began("the download stage wrote it")
def download(gate, suite, file, **_):
    make(suite)
    add(suite, "a", ":", file)
    add(suite, "b", WRITE, file)
    with (suite / "gate.toml").open("a") as toml:
        for case in "ab":
            toml.write(f'[case.{case}.stages.download]\ncommand = ["cp", "golden.txt", "out.txt"]\n')
    run(gate, suite)
    return [(case, verdicts(suite)[case] == "passed", case == "b") for case in "ab"]


@began("a gate that was killed had launched it")
def killed(gate, suite, file, signals=(signal.SIGKILL,), **_):
    make(suite)
    add(suite, "a", f"[[ ! -e again ]] || exit 0; touch again; [[ -z $WRITES ]] || {WRITE}; touch begun; exec sleep 100", file)
    told = []
    for writes in ("", "1"):
        for left in ("again", "begun"):
            (suite / left).unlink(missing_ok=True)
        (suite / "out.txt").write_text(RIGHT)
        first = subprocess.Popen([gate, "run"], cwd=suite, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                 env={**os.environ, "WRITES": writes})
        while not (suite / "begun").exists():
            time.sleep(0.01)
        told.append((f"set aside {writes}", (suite / "out.txt").exists(), bool(writes)))
        child = first.pid
        family = [child]
        for _ in range(2):
            child = int(Path(f"/proc/{child}/task/{child}/children").read_text().split()[0])
            family.append(child)
        os.kill(family[2], signal.SIGKILL)
        first.wait()
        told.append((f"put back by the guard {writes}", (suite / "out.txt").exists(), True))
        run(gate, suite, "--resume")
        told.append((f"resumed {writes}", verdicts(suite)["a"] == "passed", False))
    return told


@began("a gate of which all was killed had launched it")
def all_killed(gate, suite, file, **_):
    make(suite)
    add(suite, "a", "[[ ! -e again ]] || exit 0; touch again; echo $$ >begun; exec sleep 100", file)
    (suite / "out.txt").write_text(RIGHT)
    first = subprocess.Popen([gate, "run"], cwd=suite, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while not (suite / "begun").exists() or not (suite / "begun").read_text():
        time.sleep(0.01)
    family = [first.pid]
    for _ in range(2):
        family.append(int(Path(f"/proc/{family[-1]}/task/{family[-1]}/children").read_text().split()[0]))
    os.kill(family[0], signal.SIGSTOP)
    os.kill(family[1], signal.SIGSTOP)
    for process in reversed(family):
        os.kill(process, signal.SIGKILL)
    first.wait()
    script = int((suite / "begun").read_text())
    gone = not (suite / "out.txt").exists()
    try:
        os.kill(script, signal.SIGKILL)
    except ProcessLookupError:
        pass
    other = suite.parent / (suite.name + "-other")
    make(other)
    add(other, "z", WRITE, "out.txt")
    run(gate, other)  # of another suite
    back = (suite / "out.txt").exists()
    run(gate, suite)
    return [("set aside", gone, True), ("put back by the next gate", back, True),
            ("run again", verdicts(suite)["a"] == "passed", False)]


@began("another gate writes it meanwhile")
def other_gate(gate, suite, file, **_):
    make(suite)
    add(suite, "a", "touch begun; until [[ -e go ]]; do sleep 0.02; done", file)
    other = suite.parent / (suite.name + "-other")
    make(other, f'[suite]\ncwd = "{suite}"\n')
    add(other, "b", WRITE, file)
    first = subprocess.Popen([gate, "run"], cwd=suite, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while not (suite / "begun").exists():
        time.sleep(0.01)
    with subprocess.Popen([gate, "run"], cwd=other, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as second:
        told = next((line for line in second.stderr if "waiting for" in line), "")
        (suite / "go").touch()
        second.communicate()
    first.wait()
    return [("waits, and says for whom: " + told.strip(), "out" in told and "case a" in told, True),
            ("first", verdicts(suite)["a"] == "passed", False), ("second", verdicts(other)["b"] == "passed", True)]


@began("the golden file was rewritten")
def golden(gate, suite, file, **_):
    make(suite)
    add(suite, "a", "echo other >golden.txt; echo other >out.txt", file)
    add(suite, "b", "echo other >out.txt", file, after='["a"]')
    run(gate, suite)
    told = verdicts(suite)
    return [("it", told["a"] == "passed", False), ("its successor", told["b"] == "passed", False)]


@began("the script was rewritten")
def script(gate, suite, file, toml="", **_):
    make(suite, toml)
    add(suite, "a", f"echo '{WRITE}' >scripts/b.sh; {WRITE}", file)
    add(suite, "b", ":", file, after='["a"]')
    subprocess.run("git init -q . && git add -A", shell=True, cwd=suite, check=True)
    ended = run(gate, suite, "--retry-infra", "1")
    told = verdicts(suite)
    changed = "is not the script that was planned: it changed since; run again" in reasons(suite)["b"]
    return [("it", told["a"] == "passed", True), (f"the other: {ended.stdout}", told["b"] == "not_run" and changed, True),
            ("it was tried once", "trying again" not in ended.stderr, True), ("exit code", ended.returncode == 3, True)]


def begun(table, gate, folder, part, began, toml=""):
    files = ("out.txt", "*.txt", "absolute") if part == "all" else ("out.txt",)
    for (name, function), file in product(began.items(), files):
        suite = folder / f"began{table.tried}"
        told = function(gate, suite, str(suite / "out.txt") if file == "absolute" else "out*.txt" if "*" in file else file, toml=toml)
        for what, is_so, expected in told:
            table.expect(f"{name} ({file}): {what}", "passed" if is_so else "not", expected)


def main():
    gate, folder, part = sys.argv[1], Path(sys.argv[2]), sys.argv[3]
    toml = Path(sys.argv[4]).read_text() if len(sys.argv) > 4 else ""
    where = sys.argv[5] if len(sys.argv) > 5 else "here"
    table = Table()
    written_by(table, gate, folder / "written", part, toml, where)
    begun(table, gate, folder, part, BEGAN if where == "here" else {where: script}, toml)
    print("\n".join(table.wrong))
    print(f"{table.tried} combinations, {len(table.wrong)} wrong")
    sys.exit(bool(table.wrong))


main()
