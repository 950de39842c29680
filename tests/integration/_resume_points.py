"""Kills gate at points of a run, and resumes it, for resume_points.sh.

Usage: _resume_points.py FOLDER BASELINE all|few

FOLDER/faults.so kills it. Of a run that nobody disturbs the points are counted; then, for each, the run is killed
there in a new suite and resumed without a name, as a person would. Prints a line for each kind of run, and for each
point at which something is wrong; ends with 1 where there is one.
"""
import http.server
import json
import re
import signal
import sys
import threading
from pathlib import Path

from _suites import Suite, calls_in, difference, without_times

WORK, BASELINE, HOW_MANY = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
# Of many points these few: the first, or the last, whose call is like that.
FEW = ((0, r"^clone "), (0, r"^rename .*/a/result.json"), (-1, r"^send "), (-1, r"^rename .*[\dt]/result.json"),
       (-1, r"^unlink .*/status.json"))
notices = []


class Webhook(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        notices.append(self.rfile.read(int(self.headers["Content-Length"])).decode())
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_):
        pass


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
    killed = suite.gate(*words, LD_PRELOAD=str(WORK / "faults.so"), **env)
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
    suite = Suite(WORK / "killed", BASELINE,
                  f'[notify.ci]\nkind = "generic"\nurl = "http://127.0.0.1:{port}/ok"\non = "always"\n')
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
        whole = suite.gate(*words, LD_PRELOAD=str(WORK / "faults.so"), CALLS_LOG=str(log))
        if whole.returncode != 1:
            sys.exit(f"{kind}: undisturbed it ends with {whole.returncode}: {whole.stderr}")
        expected, points = told(suite), [call for call in calls_in(log) if call.number]
        if [c[1] for c in expected["cases"]] != ["passed", "regressed", "passed"] or not notices:
            sys.exit(f"{kind}: undisturbed it is {expected}, {len(notices)} notices")
        tried = points
        if HOW_MANY != "all":
            tried = [[point for point in points if re.search(call, point.what)][which] for which, call in FEW]
        for point in tried:
            suite = prepared(port, before)
            for fault in faults_at(suite, words, expected, {"KILL_AT": str(point.number)}):
                wrong += 1
                print(f"{kind}: killed before {point}: {fault}")
        print(f"{kind}: killed at {len(tried)} of {len(points)} points", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    sys.exit(main())
