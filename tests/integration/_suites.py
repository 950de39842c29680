"""Suites in which gate is killed and its calls fail, for _resume_points.py and _fault_points.py."""
import difflib
import json
import os
import re
import shutil
import subprocess
from pathlib import Path

LIMIT_S = 20  # of a command
STEP = " iteration        1/       1 | lm loss: %s |"
LOSSES = {"a": "1.000000E+00", "b": "9.000000E+00", "c": "1.000000E+00"}


class Suite:
    """A folder with cases that print the loss of one step; a passes, b is red, c comes after a."""

    def __init__(self, folder, baseline, toml="", cases="abc"):
        shutil.rmtree(folder, ignore_errors=True)
        self.folder = folder
        for name in ("scripts", "baselines"):
            (folder / name).mkdir(parents=True)
        for name in cases:
            after = "after=a" if name == "c" else ""
            (folder / f"scripts/{name}.sh").write_text(
                f"#GATE devices=0 {after}\necho {name} >>launched\necho '{STEP % LOSSES[name]}'\n"
                'echo "$SAID $*" >>said\n')
            shutil.copy(baseline, folder / f"baselines/{name}.json")
        (folder / "gate.toml").write_text(toml)

    def gate(self, *words, **env):
        return self.program("gate", *words, **env)

    def program(self, name, *words, **env):
        return subprocess.run([Path(os.environ["GATE"]).with_name(name), *words], cwd=self.folder, timeout=LIMIT_S,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", check=False,
                              env={**os.environ, **env})

    def launched(self):
        file = self.folder / "launched"
        return file.read_text().split() if file.exists() else []

    def runs(self):
        """The runs that have begun: whose report is there, and is their own."""
        files = (self.folder / ".gate/runs").glob("*/result.json")
        return {file.parent.name for file in files if json.loads(file.read_text())["run"] == file.parent.name}

    def history(self):
        rows = [json.loads(line) for line in self.gate("history", "--export").stdout.splitlines()]
        return [row for row in rows if row.get("command", "run") == "run"]


class Call:
    """A call of a program, as _faults.c has written it down."""

    def __init__(self, line):
        number, self.kind, of_kind, *what = line.split(" ", 3)
        self.number, self.of_kind, self.what = int(number), int(of_kind), " ".join(what)

    def __str__(self):
        return f"{self.kind} {self.of_kind} ({self.what.strip()})"


def calls_in(log):
    return [Call(line) for line in log.read_text(errors="replace").splitlines()]


def without_times(text):
    """The text without what no two runs share."""
    text = re.sub(r"\d{4}-\d\d-\d\dT[\d:.+Z-]*", "WHEN", text)
    text = re.sub(r'(time|timestamp|uid|duration_s|duration|id)(=|": ?)"?[\d.a-f]+"?', r"\1", text)
    text = re.sub(r"\b[\d.]+(ms|s|m\d+s)\b", "LONG", text)
    return re.sub(r"\d{4}-\d{4}(-\d+)?", "RUN", text)


def difference(now, wanted):
    """Of texts the lines that differ, else both values."""
    if not isinstance(now, str):
        return f"{now} and not {wanted}"
    lines = difflib.unified_diff(wanted.splitlines(), now.splitlines(), lineterm="", n=0)
    return " | ".join(line for line in lines if line[:2] not in ("--", "++", "@@"))
