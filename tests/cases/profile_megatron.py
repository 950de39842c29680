"""Golden values of Megatron-LM under `--profile megatron`, against the rules written down once more here.

profile_megatron.py GATE FOLDER EVERY [TREE]...: makes golden files of its own in FOLDER, takes every EVERY-th of those of
the TREEs too (golden_values_*.json), damages each in many ways, lets GATE judge every damaged file against its golden
one, and compares the verdict with judge() below. Where EVERY is 1, each is judged with two metrics and with all, with
and without nondeterministic; else in one of these four ways, by turns. Prints a table; ends with 1 where a
verdict differs.
"""
import itertools
import json
import math
import os
import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

INFINITY = float("inf")
LOSSES = ["lm loss", "mtp_1 loss", "mtp_2 loss", "total loss"]
TESTS = {name: (True, 0.05) for name in LOSSES}
TESTS["num-zeros"] = (True, 0.20)
TESTS.update({name: (False, 0.05) for name in ["iteration-time", "mem-allocated-bytes", "mem-max-allocated-bytes"]})
DEFAULT = ["lm loss", "num-zeros"]


def number(value):
    return INFINITY if isinstance(value, str) else value


def close(a, g, rtol):
    if not (math.isfinite(a) and math.isfinite(g)):
        return a == g
    return abs(a - g) <= rtol * abs(g)


def median(values):
    values = sorted(values)
    half = len(values) // 2
    return values[half] if len(values) % 2 else (values[half - 1] + values[half]) / 2


def steady(golden):
    finite = sorted(step for step, value in golden.items() if math.isfinite(number(value)))
    if not finite:
        return []
    window = range(5, 21) if finite[-1] <= 25 else range(30, 46)
    return [s for s in finite if s in window] or [s for s in finite if s >= window.start][:4]


def passes(name, golden, actual, exact, rtol):
    if name == "iteration-time":
        steps = steady(golden)
        if not steps:
            return False
        return close(*[median([number(values.get(s, "nan")) for s in steps]) for values in (actual, golden)], rtol)
    hits = [close(number(actual.get(step, "nan")), number(value), rtol) for step, value in golden.items()]
    n = len(hits)
    if exact or n == 1:
        return all(hits)
    allowed = min(max(n // 100, 1), 50)
    return sum(hits) / n >= 1 - allowed / n


def measured(golden, actual):
    """Whether any value was compared at all: gate is never green on nothing (a difference on purpose)."""
    return any(math.isfinite(number(v)) and math.isfinite(number(actual.get(s, "nan"))) for s, v in golden.items())


def judge(golden, actual, metrics, nondeterministic):
    if any(name not in golden or name not in actual for name in metrics):
        return False
    if not any(measured(golden[name], actual[name]) for name in metrics):
        return False
    for name in metrics:
        has_exact, rtol = TESTS[name]
        for exact in [True, False] if has_exact and not nondeterministic else [False]:
            if not passes(name, golden[name], actual[name], exact, 0.0 if exact else rtol):
                return False
    return True


def scaled(name, factor):
    def change(values):
        for step, value in values.get(name, {}).items():
            if not isinstance(value, str):
                values[name][step] = value * factor
    return change


def at_steps(name, which, change):
    """Change the values of the steps that `which` picks; None takes one away."""
    def damage(values):
        steps = sorted(values.get(name, {}))
        for step in which(steps):
            value = change(values[name][step])
            values[name].pop(step) if value is None else values[name].__setitem__(step, value)
    return damage


def arithmetic(change):
    return lambda value: value if isinstance(value, str) else change(value)


def last(steps):
    return steps[-1:]


def middle(steps):
    return steps[len(steps) // 2 : len(steps) // 2 + 1]


def second_half(steps):
    return steps[len(steps) // 2 :]


MUTATIONS = {
    "the golden itself": lambda values: None,
    "lm loss x1.04": scaled("lm loss", 1.04),
    "lm loss x1.06": scaled("lm loss", 1.06),
    "lm loss last step missing": at_steps("lm loss", last, lambda value: None),
    "lm loss last step x10": at_steps("lm loss", last, arithmetic(lambda value: value * 10)),
    "lm loss middle step +1e-5": at_steps("lm loss", middle, arithmetic(lambda value: value + 1e-5)),
    "lm loss middle step nan": at_steps("lm loss", middle, lambda value: "nan"),
    "lm loss first two steps x10": at_steps("lm loss", lambda s: s[:2], arithmetic(lambda value: value * 10)),
    "lm loss one percent of steps x2": at_steps("lm loss", lambda s: s[: max(len(s) // 100, 1)], arithmetic(lambda v: v * 2)),
    "lm loss one more x2": at_steps("lm loss", lambda s: s[: max(len(s) // 100, 1) + 1], arithmetic(lambda v: v * 2)),
    "lm loss second half missing": at_steps("lm loss", second_half, lambda value: None),
    "all last steps missing": lambda values: [at_steps(name, last, lambda value: None)(values) for name in values],
    "all second halves missing": lambda values: [at_steps(name, second_half, lambda v: None)(values) for name in values],
    "lm loss absent": lambda values: values.pop("lm loss", None),
    "num-zeros absent": lambda values: values.pop("num-zeros", None),
    "num-zeros x1.1": scaled("num-zeros", 1.1),
    "num-zeros x1.21": scaled("num-zeros", 1.21),
    "iteration-time x1.04": scaled("iteration-time", 1.04),
    "iteration-time x1.06": scaled("iteration-time", 1.06),
    "iteration-time x0.94": scaled("iteration-time", 0.94),
    "iteration-time second half missing": at_steps("iteration-time", second_half, lambda value: None),
    "max memory x1.06": scaled("mem-max-allocated-bytes", 1.06),
    "max memory x0.94": scaled("mem-max-allocated-bytes", 0.94),
    "every value slightly past 5 %": lambda values: [scaled(name, 1.05)(values) for name in values],
}


def write(path, values):
    metrics = {}
    for name, by_step in values.items():
        steps = sorted(by_step) or [1]
        interval = steps[-1] - steps[-2] if len(steps) > 1 else 1
        metrics[name] = {"start_step": steps[0], "end_step": steps[-1], "step_interval": interval,
                         "values": {str(step): value for step, value in by_step.items()}}
    with open(path, "w") as file:
        json.dump(metrics, file)


def read(path):
    with open(path) as file:
        text = file.read()
    document = json.loads(text) if text.strip() else {}
    if not isinstance(document, dict):
        return {}
    return {name: {int(step): value for step, value in metric["values"].items()} for name, metric in document.items()
            if isinstance(metric, dict) and isinstance(metric.get("values"), dict)}


def made(rng, n, interval, missing):
    steps = [1] + [k * interval for k in range(1, n + 1) if k * interval > 1][: n - 1]
    values = {"lm loss": {s: round(11 / (1 + s / 100) + rng.uniform(-0.1, 0.1), 5) for s in steps},
              "num-zeros": {s: float(rng.randint(0, 5_000_000)) for s in steps},
              "iteration-time": {s: round(rng.uniform(0.3, 0.6) + (20 if s == 1 else 0), 5) for s in steps},
              "mem-allocated-bytes": {s: 1_817_789_440.0 for s in steps},
              "mem-max-allocated-bytes": {s: 2_871_982_592 + rng.randint(0, 9) * 512 for s in steps}}
    if n % 2:
        values["mtp_1 loss"] = {s: round(rng.uniform(8, 11), 5) for s in steps}
    for name, chance in missing.items():
        for step in steps:
            if rng.random() < chance:
                values[name][step] = "nan"
    return values


def made_files(folder):
    rng = random.Random(20261121)
    os.makedirs(folder, exist_ok=True)
    kinds = [(n, interval, {}) for n in [1, 2, 3, 4, 7, 19, 20, 27, 63, 99, 100, 171, 200, 435] for interval in [1 + 4 * (n % 2)]]
    kinds += [(5200, 1, {}), (50, 1, {"iteration-time": 0.5}), (60, 1, {"lm loss": 0.4, "num-zeros": 0.4}),
              (30, 1, {"iteration-time": 1.0}), (25, 1, {"lm loss": 1.0, "num-zeros": 1.0}), (21, 5, {"num-zeros": 1.0})]
    for index, (n, interval, missing) in enumerate(kinds):
        path = os.path.join(folder, f"golden_values_dev_{index}.json")
        values = made(rng, n, interval, missing)
        write(path, values if n < 1000 else {name: values[name] for name in DEFAULT})  # more of them take long to read
        yield path


def golden_files(trees):
    for tree in trees:
        for folder, _, names in sorted(os.walk(tree)):
            yield from (os.path.join(folder, name) for name in sorted(names) if name.startswith("golden_values"))


def ask(gate, golden, actual, metrics, nondeterministic):
    profile = ["megatron"]
    if metrics != DEFAULT:
        profile += [metric.replace(" ", "_") for metric in metrics]
    if nondeterministic:
        profile.append("nondeterministic")
    words = [gate, "check", actual, "--profile", " ".join(profile), "--baseline", golden, "-q"]
    return subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


WAYS = list(itertools.product(["two", "all"], [False, True]))  # metrics, nondeterministic


def try_all(gate, folder, thorough, turn, path):
    golden = read(path)
    actual = os.path.join(folder, f"actual_{abs(hash(path))}.json")
    everything = [metric for metric in golden if metric in TESTS]
    rows, tried = [], []
    for name, mutate in MUTATIONS.items():
        values = {metric: dict(by_step) for metric, by_step in golden.items()}
        mutate(values)
        values = {metric: by_step for metric, by_step in values.items() if by_step}  # gate refuses one without a value
        if values in tried or not values:
            continue  # of one step, say, or without what is changed
        tried.append(values)
        write(actual, values)
        turn += 1
        for which, nondeterministic in WAYS if thorough else [WAYS[turn % len(WAYS)]]:
            metrics = DEFAULT if which == "two" else everything
            if which == "all" and everything == DEFAULT:
                continue
            wanted = judge(golden, values, metrics, nondeterministic)
            answer = ask(gate, path, actual, metrics, nondeterministic)
            rows.append((name, metrics == DEFAULT, nondeterministic, wanted, answer, path))
    return rows


def table(rows):
    print(f"{'actual values':36} {'metrics':8} {'':17} passed  failed")
    keys = list(dict.fromkeys(row[:3] for row in rows))
    for key in keys:
        words = [row[3] for row in rows if row[:3] == key]
        mode = "nondeterministic" if key[2] else "deterministic"
        print(f"{key[0]:36} {'two' if key[1] else 'all':8} {mode:17} {sum(words):6}  {len(words) - sum(words):6}")


# Of the files of others every so-many-th is tried.
def main(gate, folder, every, *trees):
    files = [*made_files(folder), *list(golden_files(trees))[:: int(every)]]
    files = [path for path in files if read(path)]
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        jobs = enumerate(files)
        rows = [row for some in pool.map(lambda job: try_all(gate, folder, int(every) == 1, *job), jobs) for row in some]
    table(rows)
    wrong = [row for row in rows if (row[4].returncode == 0) != row[3] or row[4].returncode not in (0, 1, 3, 4)]
    for name, two, nondeterministic, wanted, answer, path in wrong[:20]:
        print(f"DIFFERS {path}: {name}, {'two' if two else 'all'}, nondeterministic {nondeterministic}: "
              f"{'passes' if wanted else 'fails'} by the rules, gate says {answer.returncode} {answer.stderr.strip()}")
    print(f"{len(rows)} verdicts on {len(files)} files, {len(wrong)} differ")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
