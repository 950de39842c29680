"""The fixture `gate` of pytest: a log is judged, and the test fails with gate's own report where it is not green.

    def test_loss(gate):
        gate.check("train.log", baseline="good.log")
"""

import importlib.metadata
import pathlib
import subprocess
import tempfile
from typing import Optional, Union

import pytest

import llm_gate

Path = Union[str, pathlib.Path]


class Gate:
    def check(self, log: Path, *options: str, baseline: Optional[Path] = None, case: Optional[str] = None) -> llm_gate.Run:
        """Judge a log as `gate check LOG OPTIONS...` does, against a baseline, a golden file, an older log, or those of a
        case, and return what was judged; gate keeps no series of a log that it did not launch. What is not green fails the
        test: a value out of tolerance, a log without an end, a baseline that is not there, a mistake in the options, a gate
        that was killed or that had nothing to judge."""
        name = str(log) if not str(log).startswith("-") else f"./{log}"  # no option
        words = [name, *options, *_option("--baseline", baseline), *_option("--case", case)]
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "result.json")
            command = [_program(), "check", "--no-ci", "--color", "never", "--report", f"json={file}", *words]
            done = subprocess.run(
                command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", errors="replace"
            )
            judged = llm_gate.read(file) if done.returncode == 0 and file.exists() else None
            if judged is None or not judged.green:
                ended = f"gate check ended with {done.returncode}" + (", and judged nothing" if done.returncode == 0 else "")
                pytest.fail(f"gate check {' '.join(words)}\n{done.stdout}{done.stderr}{ended}", pytrace=False)
            return judged


@pytest.fixture
def gate() -> Gate:
    return Gate()


def _option(name: str, value: Optional[Path]) -> "list[str]":
    return [] if value is None else [name, str(value)]


def _program() -> str:
    """That of this very wheel, wherever it was installed to: a PATH may have another."""
    files = importlib.metadata.files("llm-gate") or []
    return str(next(file for file in files if file.parts[-2:] == ("bin", "gate")).locate())
