"""Run by wheel.sh in an environment that has the wheel, in a folder with old.log, same.log and worse.log."""

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


def test_what_gate_did_not_write_is_no_run(run):
    (run / "result.json").write_text('{"cases": []}')
    with pytest.raises(ValueError, match="result.json: not gate.result/1"):
        llm_gate.read(run)
    with pytest.raises(FileNotFoundError):
        llm_gate.read(run / "nowhere")


def test_a_log_is_judged(gate):
    judged = gate.check("same.log", baseline="old.log")
    assert judged.green and [row["status"] for row in rows(judged.checks)] == ["pass", "pass"]


def test_what_is_not_green_fails_and_says_why(gate):
    with pytest.raises(pytest.fail.Exception, match=r"(?s)RED: 1 regressed.*\(exit 1\)"):
        gate.check("worse.log", baseline="old.log")
    with pytest.raises(pytest.fail.Exception, match="nowhere.log: "):
        gate.check("same.log", baseline="nowhere.log")
    assert gate.check("worse.log", "--set", "rules.lm_loss.tolerance=±1", baseline="old.log").green
