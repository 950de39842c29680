"""Generated logs, and the programs that read them."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

from measure import CannotMeasure, Child

METRICS = "loss grad_norm lr tok_s step_ms mem_gib mfu entropy".split()
NUMBER = "[0-9.eE+-]+"
MB = 10**6

PYTHON = """
import re, sys
text = open(sys.argv[1], encoding="utf-8", errors="replace", newline="").read()
for pattern in sys.argv[2:]:
    print(len([float(word) for word in re.findall(pattern, text)]))
"""


def gate_toml():
    return "".join(f"[metrics.{name}]\npattern = '''{name}=(?P<value>{NUMBER})'''\nnumbered = \"report\"\n"
                   for name in METRICS)


class Log:
    """A generated log, read once so that it is in the page cache, and what its generator says it holds."""

    def __init__(self, tools, kind, size):
        self.kind, self.path = kind, Path(f"{kind}.log")
        with open(self.path, "wb") as out:
            done = subprocess.run([tools.logs, kind, str(size)], stdout=out, stderr=subprocess.PIPE, check=False)
        if done.returncode != 0:
            raise CannotMeasure(f"bench_logs {kind} ended with {done.returncode}: {done.stderr.decode()}")
        facts = json.loads(done.stderr)
        self.bytes, self.metrics = facts["bytes"], facts["metrics"]
        Child(["cat", self.path])

    def counts(self):
        return [self.metrics.get(name, {"count": 0})["count"] for name in METRICS]

    def remove(self):
        self.path.unlink()


class Tools:
    def __init__(self, build, gate):
        self.gate, self.logs, self.loop = gate, build / "bench_logs", build / "bench_loop"
        self.rg = shutil.which("rg")

    def extract(self, log, threads=1, formats="auto"):
        cores = "0" if threads == 1 else f"0-{threads - 1}"  # gate starts a thread for each
        return ["taskset", "-c", cores, self.gate, "extract", log.path, "--log-format", formats]

    def peers(self, log):
        patterns = [f"{name}=({NUMBER})" for name in METRICS]
        words = {"wc -l": ["wc", "-l", log.path]}
        if self.rg:
            words["rg -o"] = ["rg", "-o", *(word for p in patterns for word in ("-e", p)), log.path]
        words["Python, re.findall"] = [sys.executable, "-c", PYTHON, log.path, *patterns]
        words["getline + RE2"] = [self.loop, log.path, *patterns]
        return words

    def gates(self, log):
        return {f"gate, {what}, threads {n}": self.extract(log, n, formats)
                for what, formats in (("8 patterns", "none"), ("and all formats", "auto")) for n in (1, 2)}
