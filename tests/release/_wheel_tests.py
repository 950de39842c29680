"""Run by wheel.sh in an environment that has the wheel, in a folder with old.log, same.log and worse.log."""

import json
import os
import pathlib
import subprocess
import sys

import llm_gate
import pytest

PROGRAM = pathlib.Path(sys.executable).parent / "gate"
LINES = [f" iteration {step}/3 | elapsed time per iteration (ms): 10.0 | lm loss: {loss}E+00 |" for step, loss in ((1, 1.1), (2, 1.2), (3, 1.3))]


def rows(frame):
    return frame if isinstance(frame, list) else frame.to_dict("records")


@pytest.fixture
def run(tmp_path):
    """The folder of a run of two cases: one is green, one has no baseline."""
    (tmp_path / "scripts").mkdir()
    for name in ("known", "new"):
        (tmp_path / "scripts" / f"{name}.sh").write_text("cat <<END\n" + "\n".join(LINES) + "\nEND\n")
    call = lambda *words: subprocess.run([PROGRAM, "-C", tmp_path, *words], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    log = pathlib.Path("old.log").resolve()
    assert call("baseline", "import", log, "--case", "known", "--accept", "--reason", "the first").returncode == 0
    assert call("run", "--out", tmp_path / "run").returncode == 3
    return tmp_path / "run"


def test_a_run_is_three_frames(run):
    for path in (run, str(run), run / "result.json"):
        read = llm_gate.read(path)
        assert not read.green and read.result["exit_code"] == 3
        assert [(row["case"], row["verdict"]) for row in rows(read.cases)] == [("known", "passed"), ("new", "unjudged")]
        loss = next(row for row in rows(read.checks) if row["metric"] == "lm_loss")
        assert (loss["case"], loss["status"], loss["tolerance"], loss["compared"]) == ("known", "pass", "±0.01", 3)
        assert [(row["number"], row["value"]) for row in rows(read.series) if (row["case"], row["metric"]) == ("new", "lm_loss")] == [(1, 1.1), (2, 1.2), (3, 1.3)]


RESULT = {"schema": "gate.result/1", "exit_code": 0, "cases": [{"case": "known", "checks": []}]}
SERIES = {"schema": "gate.baseline/1", "runs": [{"series": [{"metric": "m", "numbers": "1-2", "values": ["1", None]}]}]}


@pytest.mark.parametrize("bad", ["", "[" * 100000, "[]", "{}", *(json.dumps({**RESULT, name: value}) for name, value in (
    ("schema", "gate.baseline/1"), ("cases", None), ("cases", [5]), ("cases", [{"case": 5, "checks": []}]),
    ("cases", [{"case": "a"}]), ("exit_code", False), ("exit_code", None)))])
def test_what_gate_did_not_write_is_no_run(run, bad):
    (run / "result.json").write_text(bad)
    with pytest.raises(ValueError, match="result.json: not as gate writes it"):
        llm_gate.read(run)


@pytest.mark.parametrize("name, value", [("numbers", "1-3"), ("numbers", "2-1"), ("numbers", "1-999999999999"), ("numbers", 5),
                                         ("values", [[], None]), ("values", ["x", "y"]), ("values", None), ("metric", None)])
def test_nor_are_series(run, name, value):
    (run / "result.json").write_text(json.dumps(RESULT))
    file = run / "known" / "series.json"
    file.write_text(json.dumps(SERIES))
    assert [(row["number"], row["value"]) for row in rows(llm_gate.read(run).series)][0] == (1, 1.0)
    series = {**SERIES["runs"][0]["series"][0], name: value}
    if value is None and name == "metric":
        del series["metric"]
    file.write_text(json.dumps({**SERIES, "runs": [{"series": [series]}]}))
    with pytest.raises(ValueError, match="series.json: not as gate writes it"):
        llm_gate.read(run)


def test_files_that_cannot_be_read_are_told(run):
    with pytest.raises(FileNotFoundError):
        llm_gate.read(run / "nowhere")
    file = run / "known" / "series.json"
    file.unlink()
    file.symlink_to("nowhere")
    with pytest.raises(FileNotFoundError):
        llm_gate.read(run)
    file.unlink()
    os.mkfifo(file)
    with pytest.raises(ValueError, match="no regular file"):
        llm_gate.read(run)


def test_a_log_is_judged(gate):
    judged = gate.check("same.log", baseline="old.log")
    assert judged.green and [row["status"] for row in rows(judged.checks)] == ["pass", "pass"]


def test_what_is_not_green_fails_and_says_why(gate):
    with pytest.raises(pytest.fail.Exception, match=r"(?s)RED: 1 regressed.*\(exit 1\)"):
        gate.check("worse.log", baseline="old.log")
    with pytest.raises(pytest.fail.Exception, match="nowhere.log: "):
        gate.check("same.log", baseline="nowhere.log")
    with pytest.raises(pytest.fail.Exception, match="judged nothing"):
        gate.check("worse.log", "--help", baseline="old.log")
    pathlib.Path("-dash.log").write_text(pathlib.Path("same.log").read_text())
    assert gate.check("-dash.log", baseline="old.log").green
    assert gate.check("worse.log", "--set", "rules.lm_loss.tolerance=±1", baseline="old.log").green


@pytest.mark.parametrize("script, why", [("kill -9 $$", "ended with -9"), ("exit 0", "judged nothing"), ("exit 125", "ended with 125")])
def test_a_gate_that_fails_is_no_green(gate, monkeypatch, tmp_path, script, why):
    program = tmp_path / "gate"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    monkeypatch.setattr("llm_gate.pytest_plugin._program", lambda: str(program))
    with pytest.raises(pytest.fail.Exception, match=why):
        gate.check("same.log", baseline="old.log")
