"""Lets gate's calls of the system fail, one at a time, for fault_points.sh.

Usage: _fault_points.py FOLDER BASELINE few|all|N [COMMAND [KIND[=ERRNO]]]

FOLDER/faults.so makes them fail. Of each command the calls are counted where nothing fails; then, of each kind, one
fails (all: each; N: every N-th), and the command is run once more where none does. Prints a line for each command, and
for each call at which something is wrong; ends with 1 where there is one.
"""
import concurrent.futures
import fnmatch
import json
import os
import re
import shutil
import signal
import sqlite3
import struct
import subprocess
import sys
import time
import zlib
from pathlib import Path

from _suites import LOSSES, STEP, Suite, calls_in, without_times

WORK, BASELINE, HOW_MANY, CHOSEN = Path(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4:]
FAULTS = (("write", "ENOSPC", "+"), ("write", "EIO", ""), ("write", "SHORT", ""), ("sync", "EIO", ""),
          ("name", "EIO", ""), ("name", "ENOSPC", ""), ("make", "EMFILE", ""), ("make", "EACCES", ""),
          ("make", "EIO", ""), ("open", "EMFILE", ""), ("open", "EACCES", ""), ("open", "EIO", ""),
          ("look", "EIO", ""), ("look", "EACCES", ""), ("start", "EAGAIN", ""), ("map", "ENOMEM", ""),
          ("read", "EIO", ""), ("read", "EINTR", ""), ("receive", "ECONNRESET", ""), ("receive", "EINTR", ""),
          ("pipe", "EINTR", ""), ("close", "EIO", ""), ("memory", "ENOMEM", ""), ("memory", "ENOMEM", "+"))
KINDS = ("write", "sync", "name", "make", "open", "look", "start", "map", "read", "receive", "pipe", "close", "memory")
TRANSPARENT = ("SHORT", "EINTR")
# How an errno is told: in the system's words, in SQLite's, or in gate's where it was another program's.
WORDS = re.compile("No space left|No such file|Input/output error|Too many open files|Permission denied|"
                   "temporarily unavailable|Cannot allocate memory|Connection reset|disk I/O error|"
                   "database or disk is full|unable to open database|database disk image is malformed|out of memory|"
                   "locking protocol|attempt to write a readonly database|no memory is left|has not been heard|"
                   "its agent has ended there")
BAD_END = re.compile("terminate called|Aborted|SIGABRT|SIGSEGV|Segmentation|was killed by")
INFRA = 125
MOST = 1000  # calls of a kind, of a command
FEW_OF = 5  # of the kinds of faults, one in so many for each command
# What must be among the few: the first call like that.
FEW = {"green": (("open", "EACCES", "open* */scripts/"),),
       "run": (("name", "EIO", "unlink */status.json"), ("close", "EIO", "close */a/.result.json.gate-new-*")),
       "strict": (("look", "EIO", "lstat */gate.toml"),),
       "accept": (("name", "EIO", "unlink */.gate/candidates/*"), ("open", "EIO", "open* */candidates/")),
       "mv": (("open", "EMFILE", "open* */baselines/"),),
       "worker": (("open", "EMFILE", "open* */report.json"),)}


class Command:
    """What is run, what goes before it, and what it leaves."""
    name, words, code, program, again = "", (), 0, "gate", ()

    def prepare(self, suite):
        """Runs what goes before."""

    def left(self, suite):
        """What it left, as far as it is the same each time."""
        return {}

    def run(self, suite, **env):
        return suite.gate(*self.words, **env)

    def wrong(self, suite, ended):
        """What is wrong with what it left when a call failed."""
        return []


def verdicts(suite):
    file = suite.folder / ".gate/latest/result.json"
    return {case["case"]: case["verdict"] for case in json.loads(file.read_text())["cases"]} if file.exists() else {}


class Run(Command):
    """Three cases: one passes, one is red, one crashes."""
    name, words, code = "run", ("run",), 1

    def prepare(self, suite):
        (suite.folder / "scripts/d.sh").write_text("#GATE devices=0\nexit 7\n")
        shutil.copy(BASELINE, suite.folder / "baselines/d.json")

    def left(self, suite):
        folder = suite.folder / ".gate/latest"
        return {"verdicts": verdicts(suite), "open": (folder / "status.json").exists(),
                "junit": without_times((folder / "junit.xml").read_text()),
                "history": [[[c["case"], c["verdict"]] for c in row["cases"]] for row in suite.history()][-1:]}

    def wrong(self, suite, ended):
        green = [case for case in ("b", "d") if verdicts(suite).get(case) == "passed"]
        return [f"{green} are green"] if green else []


class GreenRun(Run):
    """One case, which passes."""
    name, words, code = "green", ("run", "a"), 0

    def wrong(self, suite, ended):
        if ended.returncode == 0 and verdicts(suite) != {"a": "passed"}:
            return [f"it is green, and its result says {verdicts(suite)}"]
        return []


class StrictRun(GreenRun):
    """One case, which gate.toml alone makes red."""
    name, code = "strict", 1

    def prepare(self, suite):
        script = suite.folder / "scripts/a.sh"
        script.write_text(script.read_text().replace(LOSSES["a"], "1.000001E+00"))
        (suite.folder / "gate.toml").write_text('[rules]\nlm_loss = { tolerance = "exact" }\n')


class Resume(Run):
    """What a killed run left."""
    name, words, code = "resume", ("run", "--resume"), 1

    def prepare(self, suite):
        super().prepare(suite)
        suite.gate("run", LD_PRELOAD=str(WORK / "faults.so"), KILL_AT=str(self.at))

    @property
    def at(self):
        if not hasattr(self, "_at"):
            log = WORK / "resume.log"
            suite = Suite(WORK / "resume.count", BASELINE)
            super().prepare(suite)
            suite.gate("run", LD_PRELOAD=str(WORK / "faults.so"), CALLS_LOG=str(log))
            self._at = [c.number for c in calls_in(log) if re.search("^rename .*/a/result.json", c.what)][0] + 1
        return self._at


class Check(Command):
    """A log against a baseline: green."""
    name, words, code = "check", ("check", "log", "--baseline", "baselines/a.json", "--report", "json=out.json"), 0

    def prepare(self, suite):
        (suite.folder / "log").write_text((STEP % LOSSES["a"]) + "\n")

    def left(self, suite):
        return {"verdicts": [c["verdict"] for c in json.loads((suite.folder / "out.json").read_text())["cases"]]}


class RedCheck(Check):
    """The same, and red."""
    name, code = "red check", 1

    def prepare(self, suite):
        (suite.folder / "log").write_text((STEP % LOSSES["b"]) + "\n")


def numbers_in(file):
    """What a baseline holds, without clocks."""
    text = file.read_text()
    try:
        series = json.loads(text)["runs"][0]["series"]
    except (KeyError, ValueError):
        return text
    return [[one["metric"], one["values"]] for one in series if not one["metric"].endswith("_time")]


class Baselines(Command):
    """A command of baselines: what it leaves are files."""

    def left(self, suite):
        folder = suite.folder
        files = [*folder.glob("baselines/**/*.json"), *folder.glob(".gate/candidates/**/*.json")]
        return {str(file.relative_to(folder)): numbers_in(file) for file in files}


class Record(Baselines):
    name, words = "record", ("baseline", "record", "a")


class Accept(Baselines):
    name, words, again = "accept", ("baseline", "accept", "--reason", "why"), (3,)

    def prepare(self, suite):
        suite.gate("baseline", "record", "a", "c")

    def wrong(self, suite, ended):
        files = [suite.folder / f"baselines/{case}.json" for case in "ac"]
        is_done = all(json.loads(file.read_text()).get("accepted") for file in files)
        return ["all is accepted, and it fails"] if is_done and ended.returncode == INFRA else []


class Move(Baselines):
    name, words, again = "mv", ("baseline", "mv", "a", "c", "--reason", "why"), (2, 3)

    def prepare(self, suite):
        for name in "ac":
            (suite.folder / f"baselines/{name}.json").unlink()
        suite.gate("baseline", "record", "a")
        suite.gate("baseline", "accept", "a", "--reason", "first")


class Import(Baselines):
    name, words = "import", ("baseline", "import", "golden.json", "--case", "a")

    def prepare(self, suite):
        shutil.copy(BASELINE, suite.folder / "golden.json")


class Agent(GreenRun):
    """A case on a host that a made-up ssh reaches."""
    name, words, program = "agent", ("run", "a"), "gate-agent*"

    def prepare(self, suite):
        folder = suite.folder
        (folder / "home").mkdir()
        ssh = folder / "ssh"
        ssh.write_text("#!/usr/bin/env bash\n"
                       f'export LD_PRELOAD=$FAULTS_SO HOME={folder}/home GATE_AGENT_DIR={folder}/home/agent '
                       f'GATE_LEASE_DIR={folder}/leases\n'
                       'exec bash -c "${@: -1}"\n')
        ssh.chmod(0o755)
        (folder / "gate.toml").write_text(
            f'[suite]\ncwd = "{{suite}}"\n[hosts]\nnpu = ["npu1"]\nssh = "{ssh}"\nlost_after = "2s"\n'
            '[defaults]\nhosts = "npu"\n')

    def run(self, suite, LD_PRELOAD="", **env):
        return suite.gate(*self.words, FAULTS_SO=LD_PRELOAD, **env)


class Worker(Command):
    """gate-worker: one test passes, one fails."""
    name, program = "worker", "gate-worker"

    def prepare(self, suite):
        folder = suite.folder
        (folder / "scripts/infer.sh").write_text(
            '#GATE devices=0 platform=*\ncp "$GATE_STAGES_DIR/golden.txt" "$GATE_STAGES_DIR/output.txt"\n'
            '[[ $MODEL_NAME != bad ]] || echo other >"$GATE_STAGES_DIR/output.txt"\n')
        (folder / "golden.txt").write_text("The weather is fine today, and we walk in the park.\n")
        (folder / "gate.toml").write_text(
            f'''[case.infer]
accuracy_test = true
stages.download.command = "true"
stages.download.from    = ["golden.txt"]
outputs.answer = {{ file = "{{stages}}/output.txt", golden = "{{stages}}/golden.txt", metric = "bleu", tolerance = ">= 0.75" }}
[worker]
tests = {{ "accuracy_test/inference" = "infer" }}
''')
        with open(folder / "messages", "w", encoding="utf-8") as file:
            for number, name in ((1, "good"), (2, "bad")):
                order = {"id": number, "model_id": number, "owner": "hub", "model_name": name, "commit_id": "c1",
                         "test_type": "accuracy_test", "model_test_type": "inference", "baseline_id": "b1",
                         "output_file_path": "{stages}/golden.txt", "metric": "BLEU", "threshold": 0.75,
                         "operator": ">=", "hardware_version": "NPU", "num_compute_cards": 1}
                file.write(json.dumps({"topic": "accuracy_test_created", "payload": json.dumps(order)}) + "\n")

    def run(self, suite, **env):
        return suite.program("gate-worker", "--source", "messages", "--metrics", "", **env)

    def left(self, suite):
        return {"tests": self.tests(suite)}

    def tests(self, suite):
        file = suite.folder / ".gate/worker/journal.sqlite"
        if not file.exists():
            return []
        with sqlite3.connect(file) as journal:
            if journal.execute("PRAGMA integrity_check").fetchone() != ("ok",):
                return ["the journal is broken"]
            if not journal.execute("SELECT 1 FROM sqlite_schema WHERE name = 'tests'").fetchone():
                return []
            return journal.execute("SELECT id, state FROM tests ORDER BY id").fetchall()

    def wrong(self, suite, ended):
        right = (("1", "createFailed"), ("2", "runningSuccess"))
        return [f"test {test[0]} is {test[1]}" for test in self.tests(suite) if tuple(test) in right]


COMMANDS = (Run(), GreenRun(), StrictRun(), Resume(), Check(), RedCheck(), Record(), Accept(), Move(), Import(),
            Agent(), Worker())


# --- one call that fails ---------------------------------------------------------------------------------------------

def living(folder):
    """The processes in whose environment or working directory the folder is."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            inside = os.readlink(process / "cwd").startswith(f"{folder}") or \
                f"={folder}/".encode() in (process / "environ").read_bytes()
            if inside and (process / "stat").read_text().rsplit(")", 1)[1].split()[0] not in "ZX":
                found.append((process / "cmdline").read_text().replace("\0", " "))
        except OSError:
            pass
    return found


def still_living(folder):
    end = time.monotonic() + 10
    while (found := living(folder)) and time.monotonic() < end:
        time.sleep(0.05)
    return found


def broken_json(folder):
    files = [file for file in folder.glob("**/*.json") if not any(p.startswith(".gate-new-") or ".gate-new-" in p
                                                                    for p in file.parts)]
    wrong = []
    for file in files:
        try:
            if file.is_file():
                json.loads(file.read_text())
        except ValueError as error:
            wrong.append(f"{file.relative_to(folder)} is cut off: {error}")
    return wrong


def half_changed(command, suite, before, after):
    """Baselines that are neither what they were nor what they become."""
    if not isinstance(command, Baselines):
        return []
    now = Baselines.left(command, suite)
    return [f"{name} is neither the old nor the new one" for name, text in now.items()
            if text not in (before.get(name), after.get(name))]


class Sweep:
    """A command, its calls, and what it leaves where none fails."""

    def __init__(self, command, place):
        self.command, self.folder = command, WORK / place / "suite"
        self.pristine = WORK / place / "pristine"
        suite = Suite(self.folder, BASELINE, cases="ab" if isinstance(command, Run) else "abc")
        command.prepare(suite)
        self.before = Baselines.left(command, suite)
        shutil.rmtree(self.pristine, ignore_errors=True)
        shutil.copytree(self.folder, self.pristine, symlinks=True)
        log = WORK / place / "calls"
        log.unlink(missing_ok=True)
        whole = self.run(CALLS_LOG=str(log))
        if whole.returncode != command.code:
            sys.exit(f"{command.name}: undisturbed it ends with {whole.returncode}: {whole.stdout}{whole.stderr}")
        self.after, self.left = Baselines.left(command, suite), command.left(suite)
        self.calls = calls_in(log)
        self.fresh()
        self.run(FAIL_CALL="memory", FAIL_AT="0")
        self.mallocs = self.counted("memory")

    def run(self, **env):
        env = {"LD_PRELOAD": str(WORK / "faults.so"), "CALLS_COUNT": str(self.counter()),
               "FAULTS_IN": self.command.program, **env}
        if env.get("FAIL_CALL") == "memory" and isinstance(self.command, Run) and self.command.program == "gate":
            del env["FAULTS_IN"]  # those that stop what is left need some
        self.suite = Suite.__new__(Suite)
        self.suite.folder = self.folder
        return self.command.run(self.suite, **env)

    def counter(self):
        file = self.folder.parent / "counter"
        file.write_bytes(bytes(4096))
        return file

    def counted(self, kind):
        return struct.unpack_from("q", (self.folder.parent / "counter").read_bytes(), 8 * KINDS.index(kind))[0]

    def fresh(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.copytree(self.pristine, self.folder, symlinks=True)

    def points(self, kind, errno, further):
        """Numbers of calls to fail, of those alone that are like that where there is a glob."""
        of_kind = [call for call in self.calls if call.kind == kind]
        count = len(of_kind) if kind != "memory" else self.mallocs
        chosen = zlib.crc32(f"{self.command.name} {kind} {errno}{further}".encode())
        if HOW_MANY != "few":
            step = max(1 if HOW_MANY == "all" else int(HOW_MANY), count // MOST)
            return [(number, "") for number in range(1 + chosen % step, count + 1, step)]
        few = [(1, what) for one, error, what in FEW.get(self.command.name, ()) if (one, error) == (kind, errno)]
        if any(not fnmatch.filter([call.what for call in of_kind], what) for _, what in few):
            sys.exit(f"{self.command.name}: no call is like one of {few}")
        return few + ([(1 + chosen % count, "")] if count and chosen % FEW_OF == 0 else [])

    def faults_at(self, kind, errno, further, point):
        self.fresh()
        number, what = point
        env = {"FAIL_CALL": kind, "FAIL_ERRNO": errno, "FAIL_AT": f"{number}{further}"}
        if what:
            env["FAIL_WHAT"] = what
        try:
            ended = self.run(**env)
        except subprocess.TimeoutExpired:
            return ["it hangs"]
        wrong = list(self.ended_badly(ended, errno))
        wrong += [f"alive: {one}" for one in still_living(self.folder)]
        wrong += broken_json(self.folder) + half_changed(self.command, self.suite, self.before, self.after)
        wrong += self.command.wrong(self.suite, ended)
        return wrong + self.once_more(ended)

    def ended_badly(self, ended, errno):
        said = ended.stdout + ended.stderr
        tells = WORDS.search(said) is not None
        if ended.returncode not in {0, 1, 2, 3, 4, INFRA} or BAD_END.search(said):
            yield f"it ends with {ended.returncode}: {said[-600:]}"
        if said.count("no memory is left") > 1:
            yield f"it is told more than once: {said[-600:]}"
        if ended.returncode == 1 and self.command.code == 0:
            yield f"what is green is red: {said[-300:]}"
        if ended.returncode == 0 and self.command.code != 0:
            yield f"what is red is green: {said[-300:]}"
        if ended.returncode != self.command.code and not tells:
            yield f"it ends with {ended.returncode}, and does not say why: {said[-400:]}"
        if ended.returncode != self.command.code and errno in TRANSPARENT:
            yield f"nothing is wrong, and it ends with {ended.returncode}: {said[-300:]}"
        if ended.returncode == self.command.code and not tells:
            yield from self.left_otherwise()

    def left_otherwise(self):
        try:
            now = self.command.left(self.suite)
        except (OSError, ValueError) as error:
            yield f"nothing is said, and {error}"
            return
        for name in self.left:
            if now.get(name) != self.left[name]:
                yield f"nothing is said, and {name} is {now.get(name)}, not {self.left[name]}"

    def once_more(self, before):
        again = self.command.run(self.suite, LD_PRELOAD="")
        codes = {self.command.code, *(self.command.again if before.returncode == self.command.code else ())}
        if isinstance(self.command, Resume):
            codes |= {3}  # it has ended
        wrong = []
        if again.returncode not in codes:
            wrong.append(f"once more, it ends with {again.returncode}: {(again.stdout + again.stderr)[-300:]}")
        left = [str(file.relative_to(self.folder)) for file in self.folder.glob("**/*.gate-new-*")]
        return wrong + ([f"left: {left}"] if left else []) + self.command.wrong(self.suite, again)


def sweep(command, place):
    one = Sweep(command, place)
    tried, wrong = 0, 0
    for kind, errno, further in FAULTS:
        if len(CHOSEN) > 1 and CHOSEN[1] not in (kind, f"{kind}={errno}"):
            continue
        for point in one.points(kind, errno, further):
            tried += 1
            call = next((c for c in one.calls if c.kind == kind and c.of_kind == point[0]), f"{kind} {point[0]}")
            for line in one.faults_at(kind, errno, further, point):
                wrong += 1
                print(f"{command.name}: {errno} at {point[1] or call}: {line}", flush=True)
    print(f"{command.name}: {tried} faults, of {len(one.calls)} calls", flush=True)
    return wrong


def main():
    chosen = [command for command in COMMANDS if not CHOSEN or command.name == CHOSEN[0]]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        wrong = list(pool.map(lambda command: sweep(command, command.name.replace(" ", "_")), chosen))
    return 1 if sum(wrong) else 0


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    sys.exit(main())
