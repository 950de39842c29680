"""What gate costs where there is little to read: one small log, and suites of many files."""

import os
import shutil
import subprocess
from pathlib import Path

from measure import CannotMeasure, Child, least, markdown, median, rounds, verdict

SCRIPT = """#!/usr/bin/env bash
#GATE devices=8 timeout=30m tags=tp,pp
set -euo pipefail
source "$(dirname "$0")/../../env.sh"
""" + "".join(f"ARGS_{i}='--layer-option-{i} {64 * i} --path /data/part-{i}/tokens'\n" for i in range(24)) + """
torchrun --nproc_per_node 8 pretrain.py @SIZE@ $ARGS_0 $ARGS_1 $ARGS_2 $ARGS_3
"""

LINE = (" iteration {0:8}/      20 | consumed samples: {0:12} | elapsed time per iteration (ms): 500.0 "
        "| learning rate: 1.000000E-04 | global batch size:    16 | lm loss: {1:.6E} | loss scale: 1.0 | grad norm: 1.500 |\n")


def folder(name):
    shutil.rmtree(name, ignore_errors=True)
    path = Path(name)
    path.mkdir()
    return path


def suite(name, scripts, toml=""):
    root = folder(name)
    (root / "gate.toml").write_text('[suite]\nplatform = "cpu"\n' + toml)
    for case, text in scripts.items():
        path = root / "scripts" / f"{case}.sh"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


def say(words, cwd):
    done = subprocess.run(words, cwd=cwd, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise CannotMeasure(f"{' '.join(map(str, words))} ended with {done.returncode}:\n{done.stdout}{done.stderr}")


def rows_of(done, goal_of):
    for name, children in done.items():
        goal = goal_of.get(name)
        met = "" if goal is None else f"<= {goal} ms: {verdict(1000 * median(children) <= goal)}"
        yield [name, f"{1000 * median(children):.1f} ms", f"{1000 * least(children):.1f} ms", len(children), met]


def small_check(gate):
    root = suite("small", {"c": "true\n"})
    (root / "small.log").write_text("".join(LINE.format(i, 12 / i) for i in range(1, 21)))
    say([gate, "baseline", "import", "small.log", "--case", "c", "--accept", "--reason", "bench"], root)
    os.chdir(root)
    words = {
        "true": ["true"],
        "bash -c :": ["bash", "-c", ":"],
        "gate --version": [gate, "--version"],
        "gate check small.log": [gate, "check", "small.log", "--baseline", "baselines/c.json"],
    }
    done = rounds(30, {name: lambda w=w: Child(w) for name, w in words.items()})
    os.chdir("..")
    return rows_of(done, {"gate check small.log": 10})


def in_folder(root, words):
    os.chdir(root)
    child = Child(words)
    os.chdir("..")
    return child


def many_cases(gate):
    root = suite("many", {f"model{i // 100:02}/case{i:04}": SCRIPT.replace("@SIZE@", str(i)) for i in range(10_000)})
    for i in range(10_000):
        path = root / "baselines" / f"model{i // 100:02}" / f"case{i:04}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text('{"lm loss": [2.5, 2.4]}')
    name = "gate list, 10,000 cases"
    done = rounds(7, {name: lambda: in_folder(root, [gate, "list"])})
    shutil.rmtree(root)
    return rows_of(done, {name: 250})


def golden_tree(gate):
    root = suite("golden", {"c": "true\n"})
    losses = ", ".join(f"{12 / i:.5f}" for i in range(1, 51))
    for i in range(1000):
        path = root / "tree" / f"model{i // 50:02}" / f"case{i:04}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f'{{"lm loss": [{losses}], "throughput": [{losses}]}}')

    def once():
        shutil.rmtree(root / ".gate", ignore_errors=True)
        return in_folder(root, [gate, "baseline", "import", "--tree", "tree"])

    return rows_of(rounds(5, {"gate baseline import --tree, 1,000 files": once}), {})


def stored_run(gate):
    root = suite("stored", {f"c{i:04}": "exit 0\n" for i in range(1000)}, '[defaults]\njudge = "exit"\n')
    say([gate, "run"], root)
    formats = "text json junit markdown".split()
    return rows_of(rounds(7, {f"gate report --format {name}, 1,000 cases":
                              lambda name=name: in_folder(root, [gate, "report", "--format", name])
                              for name in formats}), {})


def startup_table(gate, show):
    rows = []
    for part in (small_check, many_cases, golden_tree, stored_run):
        show(part.__name__)
        rows += part(gate)
    return markdown(["what", "median", "least", "runs", "goal"], rows)
