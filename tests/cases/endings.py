"""What a case measured, how it ended, whose profile judges it, and the flags: each verdict against a table of its own.

Usage: endings.py GATE FOLDER short|all|tiny

Makes suites of scripts below FOLDER that print a Megatron log and end in many ways, runs them, and compares verdict,
exit code, the words of the reason, the type in JUnit's file, the square of the history and the shadow's verdict with
what expected() says. `short` takes a part of the combinations; `tiny` one suite. Prints a line for each that differs,
and their count; ends with 1 where there is one.
"""

import json
import subprocess
import sys
import xml.etree.ElementTree as xml
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

STEPS = 10
SHORT = 4  # the steps of a run that is cut
FROM = 5  # the step after whose checkpoint a second phase goes on
LIMIT = "3s"  # of silence, and of a run that takes too long

OUT_OF_MEMORY = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB."
FAULTY_DEVICE = "RuntimeError: CUDA error: uncorrectable ECC error encountered"
TIME_LIMIT = "slurmstepd: error: *** STEP 1.0 ON n7 CANCELLED AT 2025-06-02T07:15:40 DUE TO TIME LIMIT ***"
TRACEBACK = 'Traceback (most recent call last):\n  File "a.py", line 1, in <module>\nValueError: no batch'

EXIT_CODES = {
    "passed": 0,
    "regressed": 1,
    "hung": 4,
    "timed_out": 4,
    "crashed": 4,
    "incomplete": 4,
    "infra": 125,
    "unjudged": 3,
}
EXIT_ORDER = (1, 4, 125, 3, 0)
SQUARES = {"passed": "green", "infra": "unclear", "unjudged": "unclear"}  # every other verdict is red


class Measured(NamedTuple):
    loss: float = 1
    speed: float = 1
    nan: bool = False
    memory: bool = True


MEASURED = {
    "equal": Measured(),
    "shift": Measured(loss=1.004),
    "far": Measured(loss=1.02),
    "slow": Measured(speed=0.9),
    "shift_slow": Measured(loss=1.004, speed=0.9),
    "nan": Measured(nan=True),
    "no_memory": Measured(memory=False),
}


class Ending(NamedTuple):
    shell: str  # what the script does behind its last step
    verdict: str = ""  # that the ending alone makes; none: the script ended with 0
    words: str = ""  # which the reason must have then
    tells_why: bool = False  # whether a known message says why no more steps came
    limit: str = ""  # the setting that ends it


ENDINGS = {
    "exit0": Ending(":"),
    "own_error": Ending("echo '[ERROR] no data'"),
    "oom_exit0": Ending(f"echo '{OUT_OF_MEMORY}'", words="CUDA out of memory", tells_why=True),
    "ecc_exit0": Ending(f"echo '{FAULTY_DEVICE}'", words="ECC error", tells_why=True),
    "limit_exit0": Ending(f"echo '{TIME_LIMIT}'", words="time limit", tells_why=True),
    "trace_exit0": Ending(f"echo '{TRACEBACK}'", words="no batch", tells_why=True),
    "exit1": Ending("exit 1", "crashed", "exited 1"),
    "segv": Ending("ulimit -c 0; kill -SEGV $$", "crashed", "SEGV"),
    "kill": Ending("kill -KILL $$", "crashed", "KILL"),
    "exit137": Ending("exit 137", "crashed", "exited 137"),
    "trace": Ending(f"echo '{TRACEBACK}'; exit 1", "crashed", "no batch"),
    "oom": Ending(f"echo '{OUT_OF_MEMORY}'; exit 1", "crashed", "CUDA out of memory"),
    "ecc": Ending(f"echo '{FAULTY_DEVICE}'; exit 1", "infra", "ECC error"),
    "hang": Ending("exec sleep 1000", "hung", "hung during", limit="hang startup"),
    "ecc_hang": Ending(f"echo '{FAULTY_DEVICE}'; exec sleep 1000", "hung", "ECC error", limit="hang startup"),
    "timeout": Ending("exec sleep 1000", "timed_out", "timed out after", limit="timeout"),
    "oom_timeout": Ending(f"echo '{OUT_OF_MEMORY}'; sleep 1000", "timed_out", "CUDA out of memory", limit="timeout"),
}

OTHER_LOSSES = [name for name, measured in MEASURED.items() if measured.loss != 1]
FIRST_PHASES = ("equal", "shift", "slow", "nan")
SECOND_PHASES = {"same": None, "other": Measured(loss=1.1)}


class Combination(NamedTuple):
    name: str
    script: str
    verdict: str
    words: tuple = ()  # that the reason has
    without: tuple = ()  # that it does not have
    limit: str = ""
    shadow: str = ""
    launches: int = 1


def log(measured, first=1, last=STEPS):
    lines = []
    for step in range(first, last + 1):
        loss = "nan" if measured.nan and step == 3 else f"{(10.6 - step / 10) * measured.loss:.6E}"
        lines.append(
            f" iteration {step:8}/{STEPS:8} | consumed samples: {step * 16:12} | elapsed time per iteration (ms): "
            f"{500 / measured.speed:.1f} | throughput per GPU (TFLOP/s/GPU): {100 * measured.speed:.1f} | "
            f"lm loss: {loss} | loss scale: 1.0 |"
        )
        if step == first and measured.memory:
            lines.append(
                f"[Rank 0] (after {step} iterations) memory (MB) | allocated: 100.0 | max allocated: 200.0 | "
                "reserved: 200.0 | max reserved: 200.0"
            )
    return "\n".join(lines)


def prints(measured, ending, last=STEPS, first=1):
    return f"cat <<'LOG'\n{log(measured, first, last)}\nLOG\n{ending.shell}\n"


def fails(measured, last, profile):
    """Whether something that was measured is out of bounds."""
    if profile == "megatron":  # the losses alone, exactly
        return measured.loss != 1 or measured.nan
    if profile == "modellink":  # 1 %; lists of another length are an error, and no failure
        whole = last == STEPS
        return whole and not measured.nan and measured.loss > 1.01 or whole and measured.speed < 0.95
    return measured.loss != 1 or measured.nan or (measured.speed < 0.95 and last == STEPS)


def lacks(measured, last, profile):
    """Whether something that the baseline has was not measured."""
    if profile == "megatron":
        return last < STEPS
    return last < STEPS or not measured.memory or (profile == "modellink" and measured.nan)


def expected(measured, last, ending, profile):
    """The verdict, the words that its reason has, and those that it does not have."""
    failed = fails(measured, last, profile)
    metric = "lm_loss" if fails(measured._replace(speed=1), last, profile) else "throughput"
    before = ((f"before that: {metric}",), ("; then ",)) if failed else ((), ("before that", "; then "))
    if ending.verdict == "infra" and failed:
        return "regressed", (metric, "; then ", ending.words), ("before that",)
    if ending.verdict:
        return ending.verdict, (ending.words, *before[0]), before[1]
    if ending.tells_why and last < STEPS:
        return "incomplete", (ending.words, *before[0]), before[1]
    if failed:
        heaviest = () if lacks(measured, last, profile) else (metric,)  # what is missing is heavier
        return "regressed", heaviest, ("before that", "; then ")
    return "incomplete" if lacks(measured, last, profile) else "passed", (), ("before that", "; then ")


def grid(profile, shadow):
    for measured_name, measured in MEASURED.items():
        for last in (SHORT, STEPS):
            for name, ending in ENDINGS.items():
                verdict, words, without = expected(measured, last, ending, profile)
                seen = expected(measured, last, ending, shadow)[0] if shadow else ""
                script = prints(measured, ending, last=last)
                full_name = f"{measured_name}_{last}_{name}"
                yield Combination(full_name, script, verdict, words, without, ending.limit, seen)


# --confirm 2: a first run, a second one, and what is to come of both. Only a first run that ended with 0 and in which
# nothing but speed failed has a second one.
FAST = Measured(speed=1.2)
CONFIRMED = (
    ("slow exit0", "slow exit0", "regressed", ()),
    ("slow exit0", "fast exit0", "passed", ()),
    ("slow exit0", "shift exit0", "regressed", ("lm_loss",)),
    ("slow exit0", "nan exit0", "regressed", ("lm_loss",)),
    ("slow exit0", "no_memory exit0", "incomplete", ()),
    ("slow exit0", "equal exit1", "crashed", ("exited 1", "before that: throughput")),
    ("slow exit0", "slow exit1", "crashed", ("exited 1", "before that: throughput")),
    ("slow exit0", "shift segv", "crashed", ("SEGV", "before that: lm_loss")),
    ("slow exit0", "equal oom", "crashed", ("CUDA out of memory", "before that: throughput")),
    ("slow exit0", "equal hang", "hung", ("before that: throughput",)),
    ("slow exit0", "shift timeout", "timed_out", ("before that: lm_loss",)),
    ("slow exit0", "equal ecc", "regressed", ("throughput", "; then ", "ECC error")),
    ("slow exit1", "", "crashed", ("exited 1", "before that: throughput")),
    ("slow kill", "", "crashed", ("KILL", "before that: throughput")),
    ("slow oom", "", "crashed", ("CUDA out of memory", "before that: throughput")),
    ("slow hang", "", "hung", ("before that: throughput",)),
    ("slow timeout", "", "timed_out", ("before that: throughput",)),
    ("slow ecc", "", "regressed", ("throughput", "; then ", "ECC error")),
    ("shift exit0", "", "regressed", ("lm_loss",)),
    ("shift exit1", "", "crashed", ("before that: lm_loss",)),
    ("shift_slow exit0", "", "regressed", ("lm_loss",)),
    ("nan hang", "", "hung", ("before that: lm_loss",)),
    ("equal exit0", "", "passed", ()),
    ("equal ecc", "", "infra", ("ECC error",)),
)


# --determinism 2: the first run is judged, and the second one must print the same. Both are launched.
REPEATED = (
    ("equal exit0", "equal exit0", "passed", ()),
    ("equal exit0", "shift exit0", "regressed", ("lm_loss",)),
    ("equal exit0", "nan exit0", "regressed", ("lm_loss",)),
    ("equal exit0", "slow exit0", "passed", ()),
    ("equal exit0", "equal exit1", "crashed", ("exited 1",)),
    ("equal exit0", "equal kill", "crashed", ("KILL",)),
    ("equal exit0", "equal oom", "crashed", ("CUDA out of memory",)),
    ("equal exit0", "shift oom", "crashed", ("CUDA out of memory",)),
    ("equal exit0", "equal hang", "hung", ()),
    ("equal exit0", "equal timeout", "timed_out", ()),
    ("equal exit0", "equal ecc", "infra", ("ECC error",)),
    ("equal exit0", "equal cut", "incomplete", ()),
    ("equal exit0", "equal cut_oom", "incomplete", ("CUDA out of memory",)),
    ("shift exit0", "shift exit0", "regressed", ("lm_loss",)),
    ("shift exit0", "equal exit0", "regressed", ("lm_loss",)),
    ("shift exit0", "shift exit1", "crashed", ("exited 1", "before that: lm_loss")),
    ("shift exit0", "equal segv", "crashed", ("SEGV", "before that: lm_loss")),
    ("shift exit0", "shift oom", "crashed", ("CUDA out of memory", "before that: lm_loss")),
    ("shift exit0", "shift hang", "hung", ("before that: lm_loss",)),
    ("shift exit0", "shift timeout", "timed_out", ("before that: lm_loss",)),
    ("shift exit0", "shift ecc", "regressed", ("lm_loss", "; then ", "ECC error")),
    ("shift exit0", "shift cut", "regressed", ()),
    ("shift exit0", "shift cut_oom", "incomplete", ("CUDA out of memory", "before that: lm_loss")),
    ("slow exit0", "slow exit1", "crashed", ("exited 1", "before that: throughput")),
    ("slow exit0", "slow ecc", "regressed", ("throughput", "; then ", "ECC error")),
    ("nan exit0", "nan exit0", "regressed", ("lm_loss",)),
    ("nan exit0", "nan exit1", "crashed", ("exited 1", "before that: lm_loss")),
)

# A run that is cut, and how it ends then.
CUTS = {"cut": "exit0", "cut_oom": "oom_exit0"}


def part(words):
    """What such a row says of one run: what it measures, how it ends, and behind which step."""
    measured, ending = words.split()
    last = SHORT if ending in CUTS else STEPS
    return FAST if measured == "fast" else MEASURED[measured], ENDINGS[CUTS.get(ending, ending)], last


def launched_twice(rows):
    for first, second, verdict, words in rows:
        runs = [part(run) for run in (first, second) if run]
        script = 'launches=$SUITE/launches/$GATE_CASE\necho >>"$launches"\nif (($(wc -l <"$launches") == 1)); then\n'
        script += f"{prints(*runs[0])}else\n{prints(*runs[-1])}fi\n"
        limit = " ".join({ending.limit for _, ending, _ in runs if ending.limit})
        name = f"{first}_{second or 'none'}".replace(" ", "_")
        yield Combination(name, script, verdict, words, (), limit, launches=len(runs))


# --retry-infra 1: nothing but infra is launched again.
RETRIED = (
    ("equal ecc", "equal exit0", "passed", ()),
    ("equal ecc", "shift exit0", "regressed", ("lm_loss",)),
    ("equal ecc", "shift exit1", "crashed", ("before that: lm_loss",)),
    ("equal ecc", "equal ecc", "infra", ("ECC error",)),
    ("equal ecc", "shift ecc", "regressed", ("lm_loss", "; then ", "ECC error")),
    ("shift ecc", "", "regressed", ("lm_loss", "; then ", "ECC error")),
    ("nan ecc", "", "regressed", ("lm_loss", "; then ", "ECC error")),
    ("slow ecc", "", "regressed", ("throughput", "; then ", "ECC error")),
    ("no_memory ecc", "equal exit0", "passed", ()),
    ("equal oom", "", "crashed", ("CUDA out of memory",)),
    ("equal kill", "", "crashed", ("KILL",)),
    ("equal hang", "", "hung", ()),
    ("equal ecc_hang", "", "hung", ("ECC error",)),
)


def stopped_early():
    """early_stop=on: a script that gate itself stopped is not crashed, and did not hang."""
    for measured_name in MEASURED:
        for name in ("hang", "ecc_hang", "timeout", "oom_timeout"):
            measured, ending = MEASURED[measured_name], ENDINGS[name]
            if fails(measured, SHORT, "gate"):
                verdict, words, without = "regressed", ("lm_loss",), ("before that",)
            else:
                verdict, words, without = expected(measured, SHORT, ending, "gate")
            yield Combination(
                f"{measured_name}_{name}", prints(measured, ending, last=SHORT), verdict, words, without, ending.limit
            )


def phases():
    """Two phases: the second one is started only behind a first one that ended well, and must print the same losses."""
    for first_name in FIRST_PHASES:
        first = MEASURED[first_name]
        for name in ("exit1", "kill", "oom", "ecc", "hang", "timeout", "oom_exit0"):
            last = SHORT if ENDINGS[name].tells_why else STEPS
            verdict, words, without = expected(first, last, ENDINGS[name], "gate")
            script = prints(first, ENDINGS[name], last=last)
            yield Combination(f"{first_name}_{name}", script, verdict, words, without, ENDINGS[name].limit)
        for second_name, second in SECOND_PHASES.items():
            for name in ("exit0", "exit1", "segv", "oom", "ecc", "hang", "timeout", "cut", "cut_oom"):
                ending = ENDINGS[CUTS.get(name, name)]
                last = STEPS - 2 if name in CUTS else STEPS
                failed = fails(first, STEPS, "gate") or second is not None
                words, without = ((), ("before that", "; then "))
                if ending.verdict == "infra" and failed:
                    verdict, words, without = "regressed", ("; then ", ending.words), ("before that",)
                elif ending.verdict or name == "cut_oom":
                    verdict, words = ending.verdict or "incomplete", (ending.words,)
                    if failed:
                        words, without = (*words, "before that: "), ("; then ",)
                elif failed:
                    verdict = "regressed"
                else:
                    verdict = "incomplete" if name == "cut" else "passed"
                script = f'if [[ $GATE_PHASE == full ]]; then\n{prints(first, ENDINGS["exit0"])}else\n'
                script += prints(second or first, ending, last, FROM + 1) + "fi\n"
                yield Combination(f"{first_name}_{second_name}_{name}", script, verdict, words, without, ending.limit)


class Group(NamedTuple):
    """A suite, and how it is run."""

    name: str
    combinations: list
    suite: str = ""  # its folder
    toml: str = ""
    case_toml: str = ""
    flags: tuple = ()
    shards: int = 0


def by_exit_code(group):
    """A suite for each exit code: the one of a run is then the one of each of its cases."""
    codes = defaultdict(list)
    for combination in group.combinations:
        codes[EXIT_CODES[combination.verdict]].append(combination)
    for code, combinations in codes.items():
        yield group._replace(suite=f"{group.name}/{code}", combinations=combinations)


PROFILES = (  # and shadows
    ("gate", ""),
    ("modellink", ""),
    ("megatron", ""),
    ("gate", "modellink"),
    ("modellink", "gate"),
    ("megatron", "gate"),
)


def groups(which):
    if which == "tiny":
        tiny = [c for c in grid("gate", "") if c.name in ("far_10_exit1", "equal_10_exit0")]
        yield from by_exit_code(Group("gate", tiny))
        return
    for number, (profile, shadow) in enumerate(PROFILES):
        combinations = list(grid(profile, shadow))
        if which == "short":
            combinations = [c for i, c in enumerate(combinations) if (i + number) % (3 if number == 0 else 11) == 0]
        name = f"{profile}_{shadow}" if shadow else profile
        toml = "".join(
            f'{key} = "{name} lm_loss"\n' if name == "megatron" else f'{key} = "{name}"\n'
            for key, name in (("profile", profile), ("shadow", shadow))
            if name
        )
        yield from by_exit_code(Group(name, combinations, toml=toml))
    sharded = [c for i, c in enumerate(grid("gate", "")) if not c.limit and (which == "all" or i % 5 == 1)]
    yield Group("shards", sharded, "shards", shards=2)
    phase = f'phases = ["full", "resume"]\nphase.resume.from_step = {FROM}\n'
    for name, made, case_toml, flags in (
        ("confirm", launched_twice(CONFIRMED), "", ("--confirm", "2")),
        ("determinism", launched_twice(REPEATED), "", ("--determinism", "2")),
        ("repeat", launched_twice(row for row in REPEATED if not row[0].startswith("nan")), "repeat = 2\n", ()),
        ("retry", launched_twice(RETRIED), "", ("--retry-infra", "1", "--json")),
        ("early_stop", stopped_early(), "", ("--set", "early_stop=on", "--json")),
        ("phases", phases(), phase, ()),
    ):
        if which == "short" and name in ("phases", "determinism", "repeat", "early_stop"):
            made = list(made)[::2]
        yield from by_exit_code(Group(name, made, case_toml=case_toml, flags=flags))


DEFAULTS = 'sample = 0\nshare_host = "yes"\n'


def make(folder, group, baseline):
    toml = f'[suite]\n{group.toml}[defaults]\nenv = {{ SUITE = "{folder}" }}\n{DEFAULTS}[case."*"]\n{group.case_toml}'
    for part in ("scripts", "baselines", "launches"):
        (folder / part).mkdir(parents=True)
    for combination in group.combinations:
        name = combination.name
        (folder / "scripts" / f"{name}.sh").write_text(f"#GATE devices=0\n{combination.script}")
        (folder / "baselines" / f"{name}.json").write_text(baseline.replace('"base"', f'"{name}"'))
        limits = "".join(f'{limit} = "{LIMIT}"\n' for limit in combination.limit.split())
        toml += f'[case."{name}"]\n{limits}' if limits else ""
    (folder / "gate.toml").write_text(toml)


def run(gate, folder, group):
    """Run the suite; return how the command ended."""
    command = [gate, "run", "-q", "--jobs", "48", *group.flags]
    files = ["--report", "json=result.json", "--report", "junit=junit.xml", "--report", "markdown=run.md"]
    if group.shards:
        parts = [f"part{number}" for number in range(1, group.shards + 1)]
        for number, part in enumerate(parts, 1):
            shard = [*command, "--shard", f"{number}/{group.shards}", "--out", part]
            subprocess.run(shard, cwd=folder, capture_output=True)
        command = [gate, "report", "--merge", *parts]
    ended = subprocess.run([*command, *files], cwd=folder, capture_output=True, text=True)
    if not (folder / "result.json").exists():
        sys.exit(f"{group.suite}: {ended.stderr}")
    return ended


class Told(NamedTuple):
    """What the files of a run say of one case."""

    result: dict
    junit: tuple
    row: str  # in the table of the Markdown, or what it says of a red one in full
    square: str  # the latest one in the history; none where it has none
    launches: int


def junit_of(case):
    found = [child for child in case if child.tag in ("failure", "error")]
    return (found[0].tag, found[0].get("type"), found[0].get("message")) if found else (None, None, "")


def all_told(gate, folder, group):
    result = json.loads((folder / "result.json").read_text())
    junit = {case.get("name"): junit_of(case) for case in xml.parse(folder / "junit.xml").iter("testcase")}
    markdown = (folder / "run.md").read_text()
    rows = {line.split(" | ")[0][2:]: line for line in markdown.splitlines() if line.startswith("| ")}
    blocks = (block.split("\n```")[0] for block in markdown.split("```text\n")[1:])
    rows |= {block.split()[1]: " ".join(block.split()) for block in blocks}
    squares = {}
    if not group.shards:
        history = subprocess.run([gate, "history", "--json"], cwd=folder, capture_output=True)
        squares = {case["case"]: case["cells"][-1] for case in json.loads(history.stdout)["cases"]}
    for case in result["cases"]:
        name = case["case"]
        counted = folder / "launches" / name
        launches = len(counted.read_text().splitlines()) if counted.exists() else 1
        yield name, Told(case, junit[name], rows.get(name, ""), squares.get(name, ""), launches)


def differences(combination, told):
    want, got = combination.verdict, told.result["verdict"]
    if got != want:
        yield f"verdict {got}, not {want}"
        return
    for text in (told.result["reason"], told.junit[2], told.row) if want != "passed" else ():
        lines = {"; then "} if text == told.row else set()  # which has a line for each instead
        yield from (f"no '{word}' in: {text}" for word in combination.words if word not in text and word not in lines)
        yield from (f"'{word}' in: {text}" for word in combination.without if word in text)
    kind = (None, None) if want == "passed" else ("failure" if want == "regressed" else "error", want)
    if told.junit[:2] != kind:
        yield f"JUnit {told.junit}, not {kind}"
    if told.square and told.square != SQUARES.get(want, "red"):
        yield f"{told.square} in the history, not {SQUARES.get(want, 'red')}"
    if told.launches != combination.launches:
        yield f"{told.launches} launches, not {combination.launches}"
    seen = told.result.get("shadow", {}).get("verdict", "")
    if seen != combination.shadow:
        yield f"shadow {seen}, not {combination.shadow}"


def tried(gate, folder, group, baseline):
    """Return what differs of the group's suite, each with its name."""
    make(folder, group, baseline)
    ended = run(gate, folder, group)
    told = dict(all_told(gate, folder, group))
    found = []
    want = min({EXIT_CODES[combination.verdict] for combination in group.combinations}, key=EXIT_ORDER.index)
    if ended.returncode != want:
        found.append(f"{group.suite}: exit code {ended.returncode}, not {want}")
    if "--json" in group.flags and json.loads(ended.stdout) != json.loads((folder / "result.json").read_text()):
        found.append(f"{group.suite}: --json prints something else")
    for combination in group.combinations:
        name = f"{group.name}/{combination.name}"
        found += [f"{name}: {text}" for text in differences(combination, told[combination.name])]
    return found


def main():
    gate, folder, which = sys.argv[1], Path(sys.argv[2]), sys.argv[3]
    base = folder / "base"
    for part in ("scripts", "baselines"):
        (base / part).mkdir(parents=True)
    (base / "base.log").write_text(log(MEASURED["equal"]) + "\n")
    (base / "scripts/base.sh").write_text("cat base.log\n")
    command = [gate, "baseline", "import", "base.log", "--case", "base", "--accept", "--reason", "first"]
    subprocess.run(command, cwd=base, check=True, capture_output=True)
    baseline = (base / "baselines/base.json").read_text()
    made = sorted(groups(which), key=lambda group: sum(bool(case.limit) for case in group.combinations), reverse=True)
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda group: tried(gate, folder / group.suite, group, baseline), made))
    wrong = [text for texts in found for text in texts]
    print("\n".join(wrong))
    combinations = sum(len(group.combinations) for group in made)
    print(f"{combinations} combinations, {len(wrong)} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
