"""Kills gate at points of a run, and resumes it, for resume_points.sh.

Usage: _resume_points.py GATE FOLDER BASELINE all|few

FOLDER/kill_at.so kills it. Of a run that nobody disturbs the points are counted; then, for each, the run is killed
there in a new suite and resumed without a name, as a person would. Prints a line for each kind of run, and for each
point at which something is wrong; ends with 1 where there is one.
"""
import difflib
import http.server
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
from pathlib import Path

GATE, WORK, BASELINE, HOW_MANY = sys.argv[1], Path(sys.argv[2]), sys.argv[3], sys.argv[4]
STEP = " iteration        1/       1 | lm loss: %s |"
# Of many points these few: the first, or the last, whose call is like that.
FEW = ((0, r" fork "), (0, r" rename .*/a/result.json"), (-1, r" send "), (-1, r" rename .*[\dt]/result.json"),
       (-1, r" unlink .*/status.json"))
notices = []


class Webhook(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        notices.append(self.rfile.read(int(self.headers["Content-Length"])).decode())
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_):
        pass


class Suite:
    """A suite of its own: what passes, what is red, and what comes after the first."""

    def __init__(self, folder, port):
        shutil.rmtree(folder, ignore_errors=True)
        self.folder = folder
        for name in ("scripts", "baselines"):
            (folder / name).mkdir(parents=True)
        for name, loss in (("a", "1.000000E+00"), ("b", "9.000000E+00"), ("c", "1.000000E+00")):
            after = "after=a" if name == "c" else ""
            (folder / f"scripts/{name}.sh").write_text(
                f"#GATE devices=0 {after}\necho {name} >>launched\necho '{STEP % loss}'\necho \"$SAID $*\" >>said\n")
            shutil.copy(BASELINE, folder / f"baselines/{name}.json")
        (folder / "gate.toml").write_text(
            f'[notify.ci]\nkind = "generic"\nurl = "http://127.0.0.1:{port}/ok"\non = "always"\n')

    def gate(self, *words, **env):
        return subprocess.run([GATE, *words], cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, check=False, env={**os.environ, "PATH": os.environ["PATH"], **env})

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


def told(suite):
    """What a run that has ended left, as far as it is the same each time."""
    folder = suite.folder / ".gate/latest"
    report = json.loads((folder / "result.json").read_text())
    row = [one for one in suite.history() if one["run"] == report["run"]]
    return {
        "exit code": report["exit_code"],
        "words": [report.get("command_line"), report["set"]],
        "cases": [[c["case"], c["verdict"], c["reason"], c.get("green_until", {}).get("runs_ago")]
                  for c in report["cases"]],
        "junit": without_times((folder / "junit.xml").read_text()),
        "history": [[[c["case"], c["verdict"]] for c in one["cases"]] for one in row],
        "said": sorted(set((suite.folder / "said").read_text().splitlines())),
        "open": (folder / "status.json").exists(),
    }


def finished_at(suite, run):
    """The cases whose results were in the run's folder when it was killed."""
    done = []
    for name in "abc":
        file = suite.folder / ".gate/runs" / run / name / "result.json"
        if file.exists() and json.loads(file.read_text())["verdict"] in ("passed", "regressed"):
            done.append(name)
    return done


def faults_at(suite, words, expected, env):
    """What is wrong with the run that is killed at the point, and then resumed."""
    before = suite.runs()
    killed = suite.gate(*words, LD_PRELOAD=str(WORK / "kill_at.so"), **env)
    if killed.returncode == 0:
        return ["what was killed is green"]
    begun = suite.runs() - before
    if not begun:
        resumed = suite.gate("run", "--resume")
        faults = [] if resumed.returncode in (2, 3) else [f"no run has begun, and --resume ends with {resumed.returncode}"]
        return faults + (["no run has begun, and scripts ran"] if suite.launched() else [])
    run = begun.pop()
    done, was_open = finished_at(suite, run), (suite.folder / ".gate/runs" / run / "status.json").exists()
    resumed = suite.gate("run", "--resume")
    faults = []
    wanted = expected["exit code"] if was_open else 3
    if resumed.returncode != wanted:
        faults.append(f"--resume ends with {resumed.returncode}, not {wanted}: {resumed.stderr[-300:]}")
    now = told(suite)
    faults += [f"{key}: {difference(now[key], expected[key])}" for key in expected if now[key] != expected[key]]
    faults += [f"{name} had finished, and ran again" for name in done if suite.launched().count(name) != 1]
    faults += [f"{name} never ran" for name in "abc" if name not in suite.launched()]
    if not notices:
        faults.append("nobody was told")
    if suite.gate("run", "--resume").returncode != 3:
        faults.append("what has ended can be resumed")
    return faults


def kinds():
    """Each kind of run: its words, and what is run before it."""
    yield "behind a run", ["run"], ["run"]
    yield "in a folder again", ["run", "--out", "out"], ["run", "--out", "out"]
    if HOW_MANY == "all":
        yield "plain", ["run"], None
        said = ["run", "--set", "rules.lm_loss.tolerance=±0.5", "--env", "SAID=hello", "--confirm", "2"]
        yield "with words", [*said, "--report", "junit=j.xml", "--", "--fast"], None
        yield "beside one another", ["run", "--jobs", "3"], None
        yield "in a folder", ["run", "--out", "out"], None


def prepared(port, before):
    suite = Suite(WORK / "killed", port)
    if before:
        suite.gate(*before)
        for name in ("launched", "said"):
            (suite.folder / name).unlink()
    notices.clear()
    return suite


def main():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Webhook)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    port, wrong = server.server_port, 0
    for kind, words, before in kinds():
        log = WORK / "points"
        log.unlink(missing_ok=True)
        suite = prepared(port, before)
        whole = suite.gate(*words, LD_PRELOAD=str(WORK / "kill_at.so"), KILL_LOG=str(log))
        if whole.returncode != 1:
            sys.exit(f"{kind}: undisturbed it ends with {whole.returncode}: {whole.stderr}")
        expected, points = told(suite), log.read_text().splitlines()
        if [c[1] for c in expected["cases"]] != ["passed", "regressed", "passed"] or not notices:
            sys.exit(f"{kind}: undisturbed it is {expected}, {len(notices)} notices")
        tried = range(1, len(points) + 1)
        if HOW_MANY != "all":
            tried = [[n for n in tried if re.search(call, points[n - 1])][which] for which, call in FEW]
        for number in tried:
            suite = prepared(port, before)
            for fault in faults_at(suite, words, expected, {"KILL_AT": str(number)}):
                wrong += 1
                print(f"{kind}: killed before {points[number - 1]}: {fault}")
        print(f"{kind}: killed at {len(tried)} of {len(points)} points", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    sys.exit(main())
