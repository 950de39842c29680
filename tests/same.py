"""tests/same.py PLACE FOLDER OLD NEW: the same commands with both binaries, each in a suite made anew in FOLDER.

The suite has a case for each way in which a launch can go; the commands are those of a day: list, run with each flag,
record, check, explain, compare. Whatever a command prints, and the report that it leaves, is made plain (times, ids,
numbers that a clock gave) and compared.
"""
import collections
import difflib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

place, folder, old, new = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3], sys.argv[4]
work = folder.parent
far = place != "here"
queues = place in ("slurm", "kubernetes")

SETTINGS = {
    "here": "",
    "ssh": '[hosts]\nall = ["npu1", "npu2"]\nssh = "ssh -F {hosts}/ssh_config"\nlost_after = "5s"\n',
    "slurm": '[hosts]\nlost_after = "5s"\n[defaults]\nbackend = "slurm"\n',
    "kubernetes": '[hosts]\nlost_after = "5s"\n[defaults]\nbackend = "kubernetes"\n[defaults.container]\nimage = "train:1"\n',
}[place]

STEP = "echo ' iteration {n}/ {total} | elapsed time per iteration (ms): {time} | lm loss: {loss} |'"


def steps(losses, total=None, time="100.0", first=1):
    total = total or first - 1 + len(losses)
    return "\n".join(
        STEP.format(n=first + i, total=total, time=time, loss=f"{loss:.6E}") for i, loss in enumerate(losses)
    )


GOOD, BAD = [2.5, 2.4, 2.3], [2.5, 2.4, 2.9]
BASE = {"lm loss": GOOD}
FAST = {"lm loss": GOOD, "iteration-time": [0.1, 0.1, 0.1]}
AGAIN = 'mkdir -p said; echo x >>said/$GATE_CASE; n=$(wc -l <said/$GATE_CASE)\n'

# case -> settings, script, baseline
CASES = {
    "passes": ("", steps(GOOD), BASE),
    "regressed": ("", steps(BAD), BASE),
    "slow": ("", steps(GOOD, time="200.0"), FAST),
    "slow_once": ("", AGAIN + f"if ((n > 1)); then\n{steps(GOOD)}\nelse\n{steps(GOOD, time='200.0')}\nfi", FAST),
    "no_baseline": ("", steps(GOOD), None),
    "short": ("", steps(GOOD[:2], total=3), BASE),
    "crashes": ("", steps(GOOD[:1], total=3) + "\necho 'RuntimeError: no' >&2; exit 3", BASE),
    "killed": ("", steps(GOOD[:1], total=3) + "\nkill -KILL $$", BASE),
    "silent": ("", "true", BASE),
    "nan": ("", steps([2.5, float("nan"), 2.3]), BASE),
    "slow_end": ("timeout=3s grace=1s", steps(GOOD[:2], total=3) + "\nexec sleep 600", BASE),
    "leaves": ("grace=1s", steps(GOOD) + "\n(trap '' TERM; exec sleep 600) &", BASE),
    "needs": ("needs=no/such/file", steps(GOOD), BASE),
    "setup": ('setup="export X=1; echo set up"', steps(GOOD) + "\necho X=$X", BASE),
    "setup_fails": ('setup="echo no; false"', steps(GOOD), BASE),
    "repeats": ("", steps(GOOD), BASE),
    "repeats_apart": ("", AGAIN + f"((n > 1)) || {{\n{steps(GOOD)}\nexit\n}}\n{steps(BAD)}", BASE),
    "keeps": ("artifacts=out/*.txt", "mkdir -p out; echo kept >out/$GATE_CASE.txt\n" + steps(GOOD), BASE),
    "keeps_none": ("artifacts=none/*.txt", steps(GOOD), BASE),
    "logs": ("log=logs/{case}/*.log", "mkdir -p logs/logs; {\n" + steps(GOOD) + "\n} >logs/logs/a.log", BASE),
    "first": ("", steps(GOOD) + "\necho here >$GATE_LAUNCH_DIR/note", BASE),
    "second": ("after=first", "cat $GATE_AFTER_FIRST/note\n" + steps(GOOD), BASE),
    "behind_red": ("after=regressed", steps(GOOD), BASE),
    "phased": ("", 'if [[ $GATE_PHASE == resume ]]; then\n' + steps(GOOD[1:], total=3, first=2) +
               "\nelse\n" + steps(GOOD) + "\necho 1 >$GATE_CHECKPOINT_DIR/latest_checkpointed_iteration.txt\nfi", BASE),
    "staged": ("", steps(GOOD) + "\ncat $GATE_STAGES_DIR/brought", BASE),
    "staged_in_vain": ("", steps(GOOD), BASE),
    "scored": ("", steps(GOOD) + "\nmkdir -p out; echo 'a b c d' >out/scored.txt", BASE),
    "scored_wrong": ("", steps(GOOD) + "\nmkdir -p out; echo 'a b x d' >out/scored_wrong.txt", BASE),
    "unscored": ("", steps(GOOD), BASE),
    "tests": ("judge=exit", "exit 0", None),
    "tests_fail": ("judge=exit", "exit 1", None),
    "faulty": ("fault=kill@2", "if [[ $GATE_START == 2 ]]; then\n" + steps(GOOD[1:], total=3, first=2) +
               "\nelse\n" + steps(GOOD[:2], total=3) + "\nsleep 600\nfi", BASE),
    "retried": ("", AGAIN + f"((n > 1)) || {{ echo 'No space left on device' >&2; exit 1; }}\n{steps(GOOD)}", BASE),
    "nodes": ("nodes=2", "[[ $NODE_RANK == 0 ]] || { echo rank $NODE_RANK; exit 0; }\n" + steps(GOOD), BASE),
    "nodes_fail": ("nodes=2", "[[ $NODE_RANK == 0 ]] || exit 5\n" + steps(GOOD[:1], total=3) + "\nsleep 600", BASE),
}
PHASES = '[case."phased"]\nphases = ["full", "resume"]\n[case."repeats*"]\nrepeat = 2\n'
STAGES = """[case."staged".stages]
download = {command = ["bash", "-c", "echo brought >$GATE_STAGES_DIR/brought"]}
upload = {command = ["bash", "-c", "echo taken"]}
[case."staged_in_vain".stages]
download = {command = ["bash", "-c", "echo cannot; exit 4"]}
[case."scored".outputs.answer]
file = "out/scored.txt"
golden = "golden.txt"
metric = "bleu"
tolerance = ">= 0.9"
[case."scored_wrong".outputs.answer]
file = "out/scored_wrong.txt"
golden = "golden.txt"
metric = "bleu"
tolerance = ">= 0.9"
[case."unscored".outputs.answer]
file = "out/unscored.txt"
golden = "golden.txt"
metric = "bleu"
tolerance = ">= 0.9"
"""
LEFT_OUT = {"here": {"nodes", "nodes_fail"}, "ssh": {"staged", "staged_in_vain", "tests"},
            "slurm": {"faulty"}, "kubernetes": {"faulty", "setup_fails"}}[place]
NAMES = [name for name in CASES if name not in LEFT_OUT]


def make_suite():
    shutil.rmtree(folder, ignore_errors=True)
    for part in ("scripts", "baselines"):
        (folder / part).mkdir(parents=True)
    settings = SETTINGS.format(hosts=os.environ.get("HOSTS", ""))
    if place == "kubernetes":
        settings += '[defaults.kubernetes]\npatch = "pods.yaml"\n'
        claim = {"name": "suites", "persistentVolumeClaim": {"claimName": "suites"}}
        container = {"name": "case", "volumeMounts": [{"name": "suites", "mountPath": str(folder)}]}
        pod = {"volumes": [claim], "containers": [container]}
        (folder / "pods.yaml").write_text(json.dumps({"spec": {"template": {"spec": pod}}}))
    toml = f'[suite]\ncwd = "{{suite}}"\nplatform = "cpu"\n{settings}'
    staged = "" if "staged" in LEFT_OUT else STAGES.split("[case.\"scored\"")[0]
    toml += PHASES + staged + '[case."scored"' + STAGES.split('[case."scored"')[1]
    (folder / "gate.toml").write_text(toml)
    (folder / "golden.txt").write_text("a b c d\n")
    for name in NAMES:
        words, script, baseline = CASES[name]
        (folder / "scripts" / f"{name}.sh").write_text(f"#GATE devices=0 share_host=yes hang=30s {words}\n{script}\n")
        if baseline:
            (folder / "baselines" / f"{name}.json").write_text(json.dumps(baseline))


def commands():
    each = [["run"], ["run", "-v"], ["run", "--dry-run"], ["run", "--json"]]
    more = [["run", "--retry-infra", "1"], ["run", "--confirm", "2"], ["run", "--determinism", "2"]]
    hosts = ["--hosts", "all"] if place == "ssh" else []
    for name in NAMES:
        for words in each + (more if not far or name in ("passes", "slow_once", "retried", "crashes", "phased") else []):
            yield words + hosts + [name]
        yield ["explain", name]
        yield ["list", name]
        if (folder / "baselines" / f"{name}.json").exists():
            yield ["check", "--case", name, f".gate/latest/{name}/log.txt"]
    hosts = ["--hosts", "npu1"] if place == "ssh" else []  # one after the other
    yield ["list"]
    yield ["run", "--jobs", "1", *hosts, "passes", "regressed", "crashes", "first", "second"]
    yield ["run", "--jobs", "1", "--max-failures", "1", *hosts, "regressed", "crashes", "passes"]
    yield ["run", "--jobs", "1", "--shard", "1/2", *hosts]
    yield ["run", "--jobs", "1", "--shard", "2/2", *hosts, "--json"]
    yield ["run", "--jobs", "1", "--resume", *hosts]
    yield ["run", "--jobs", "1", "--deadline", "8s" if queues else "1s", "--set", "timeout=1m", *hosts, "slow_end"]
    yield ["baseline", "record", *hosts, "no_baseline"]
    yield ["baseline", "diff", "no_baseline"]
    yield ["baseline", "accept", "no_baseline"]
    yield ["run", *hosts, "no_baseline"]
    yield ["history"]
    yield ["devices"]
    if place == "here":
        yield ["ab", "HEAD", "HEAD", "--case", "passes", "--runs", "2"]


PLAIN = [
    (r"\x1b\[[0-9;]*m", ""),
    (r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?(\.\d+)?Z?", "DATE"),
    (r"\b\d{4}-\d{4}(-\d+)?\b", "RUN"),
    (r"(?m)^\s*(\d\d:)+\d\d ", ""),
    (r"\bin [\d.]+ ?(ms|s)\b", "in TIME"),
    (r"\b\d+(\.\d+)? ?(ms|s|min|m|h|us)\b( \d+ ?(s|min|m)\b)?", "TIME"),
    (r'("(duration|elapsed|device_time|expected|script_time|wall|seconds|started|ended|at)[a-z_]*": ?)[^,}\n]*', r"\1TIME"),
    (r"\bpid \d+", "pid N"),
    (r"\b\d{10,}\b", "N"),
    (r"\b(Slurm job|Submitted batch job) \d+", r"\1 N"),
    (r"-[0-9a-z]{5}\b(?=[\s:])", "-POD"),
    (r"\bgate-[0-9a-f]{6,}", "gate-ID"),
    (r"job-[0-9a-f]{12}", "job-ID"),
    (r"(?m)^timeline, .*\n|^ *[.#]{12,} .*\n", ""),
    (r',"expected_s":[^,}]*', ""),
    (r"\bport \d+|(?<=MASTER_PORT=)\d+", "PORT"),
    (r"\b[0-9a-f]{12,}\b", "HASH"),
    (r"\b\d+\.\d{3,}(e[+-]?\d+)?\b", "NUMBER"),
]


def plain(text, program):
    text = text.replace(str(work), "WORK").replace(os.path.dirname(program), "BIN")
    for pattern, word in PLAIN:
        text = re.sub(pattern, word, text)
    text = re.sub(r"(?m) *\bTIME\b", "", text)  # what took no time at all is not told
    if os.environ.get("SAME_SED"):
        text = subprocess.run(["sed", "-E", "-f", os.environ["SAME_SED"]], input=text, capture_output=True, text=True).stdout
    return text


def report():
    path = folder / ".gate/latest/result.json"
    return path.read_text() if path.exists() else ""


def all_said(program):
    make_suite()
    if program == old and os.environ.get("SAME_OLD"):
        written = [folder / "gate.toml", *sorted((folder / "scripts").iterdir())]
        subprocess.run(["sed", "-E", "-i", "-f", os.environ["SAME_OLD"], *written], check=True)
    env = dict(os.environ, GIT_AUTHOR_DATE="2026-01-01T00:00:00Z", GIT_COMMITTER_DATE="2026-01-01T00:00:00Z", PATH=os.path.dirname(program) + ":" + os.environ["PATH"])
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "suite"]):
        subprocess.run(["git", *words], cwd=folder, check=True, env=env)
    said = []
    for words in commands():
        done = subprocess.run([program, *words], cwd=folder, env=env, stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, errors="replace", timeout=300)
        left = plain(report(), program) if words[0] in ("run", "baseline") else ""
        lines = [*plain(done.stdout, program).split("\n"), *plain(done.stderr, program).split("\n"), *left.split("\n")]
        if "--jobs" in words:
            lines.sort()  # which case is expected to take longest comes first
        said.append((" ".join(words), [f"exit {done.returncode}", *lines]))
    return said


differing = 0
before, after = all_said(old), all_said(new)
for (words, one), (_, other) in zip(before, after):
    if one == other:
        continue
    differing += 1
    print(f"--- gate {words}")
    shown = 0
    for line in difflib.unified_diff(one, other, "old", "new", lineterm="", n=0):
        if line.startswith(("---", "+++", "@@")):
            continue
        shown += 1
        if shown <= 12:
            print("  " + line[:200])
codes = collections.Counter(lines[0] for _, lines in before)
print(f"{place}: {len(before)} commands ({', '.join(f'{n} {code}' for code, n in codes.most_common())}), "
      f"{differing} said otherwise")
sys.exit(1 if differing else 0)
