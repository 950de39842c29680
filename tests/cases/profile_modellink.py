"""Baselines of ModelLink, MindSpeed-LLM and MindSpeed-MM under their profiles, against their rules written down once
more here.

profile_modellink.py GATE FOLDER EVERY [TREE]...: makes baselines of its own in FOLDER, takes every EVERY-th of those of the
TREEs too (*.json), puts values just within and just beyond every bound of every profile into copies, lets GATE judge each
copy against its baseline, and compares the verdict with judge() below. Where EVERY is 1, all copies are judged; else every
third one, other ones for each baseline. Prints a table; ends with 1 where a verdict differs.
"""
import copy
import itertools
import json
import math
import os
import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

KEYS = {"loss": ["lm loss", "loss"], "time": ["time info", "time"], "throughput": ["throughput"], "grad": ["grad norm"],
        "memory": ["memo info"]}
MARGIN_KEYS = {"loss": "lm loss margin", "time": "time info margin", "throughput": "throughput margin",
               "grad": "grad norm margin", "memory": "memo info margin"}
PROFILES = {
    "modellink": {"loss": 0.01, "throughput": 0.05, "memory": 0.1},
    "mindspeed-llm": {"loss": 0.02, "grad": 0.1, "time": 0.05, "memory": 0.1},
    "mindspeed-mm": {"loss": 0.01, "time": 0.05, "memory": 0.1},
}
COLUMNS = ["allocated memory", "max allocated memory"]


def key_of(document, what):
    return next((key for key in KEYS[what] if key in document), None)


def list_of(document, what):
    key = key_of(document, what)
    return document[key] if key else []


def approx(a, b, rel):
    return a == b or abs(a - b) <= max(rel * abs(b), 1e-12)


def mean(values, first):
    return sum(values[first:]) / (len(values) - first)


def not_higher(a, b, rel):
    return a <= b or abs(a - b) / b <= rel


def not_lower(a, b, rel):
    return a >= b or abs(a - b) / b <= rel


def in_order(entries):
    return sorted(entries, key=lambda entry: entry["rank"])


def holds(what, expected, actual, rel, first, short_passes):
    if what in ("loss", "grad"):
        return all(approx(a, b, rel) for a, b in zip(actual, expected))
    if what == "memory":
        return all(not_higher(a[column], b[column], rel)
                   for a, b in zip(in_order(actual), in_order(expected)) for column in COLUMNS)
    if len(expected) == first:
        return False
    if len(expected) < first:
        return short_passes
    return (not_lower if what == "throughput" else not_higher)(mean(actual, first), mean(expected, first), rel)


def margin_of(profile, document, what):
    rel = PROFILES[profile][what]
    return document.get(MARGIN_KEYS[what], rel) if profile == "mindspeed-llm" else rel


def is_readable(document):
    return [] not in (document.get(key) for what in KEYS if what != "memory" for key in KEYS[what])


def judge(profile, baseline, document):
    """What the tool's rules say; gate reads no file that names a list without a value."""
    compared = False
    if not is_readable(baseline) or not is_readable(document):
        return False
    for what in PROFILES[profile]:
        expected, actual = list_of(baseline, what), list_of(document, what)
        first = baseline.get("warm_up", 5) if profile == "mindspeed-mm" else 5
        if not expected:
            if profile == "modellink":
                return False
            continue
        if len(actual) != len(expected):
            return False
        if not holds(what, expected, actual, margin_of(profile, baseline, what), first, profile != "mindspeed-mm"):
            return False
        compared = compared or what in ("loss", "grad", "memory") or len(expected) > first
    return compared


def around(value, how):
    """What is clearly within and beyond; where `how` says so, the value itself and the doubles next to it, or nothing beyond."""
    if how == "within":
        return [value * (1 - 1e-6)]
    beside = [value, math.nextafter(value, -math.inf), math.nextafter(value, math.inf)] if how == "exact" else []
    return [*beside, value * (1 - 1e-6), value * (1 + 1e-6)]


def has_bound(what, sign):
    """Whether the profiles bound such values on this side."""
    return what in ("loss", "grad") or (sign < 0) == (what == "throughput")


def with_value(document, key, index, value):
    copied = copy.deepcopy(document)
    copied[key][index] = value
    return copied


def damaged(profile, baseline, thorough):
    """Every (name, document) that is tried against the baseline. One that fails against itself has no bounds."""
    yield "the baseline itself", baseline
    sound = judge(profile, baseline, baseline)

    def how(what, index, sign):
        if not sound:
            return "within"
        return "exact" if has_bound(what, sign) and (index == 0 or thorough) else "both"

    for what in PROFILES[profile]:
        key, rel = key_of(baseline, what), margin_of(profile, baseline, what)
        values = baseline.get(key) or []
        if not values:
            continue
        yield f"{what}: absent", {k: v for k, v in baseline.items() if k != key}
        yield f"{what}: empty", {**baseline, key: []}
        yield f"{what}: last one missing", {**baseline, key: values[:-1]}
        yield f"{what}: one more", {**baseline, key: [*values, values[-1]]}
        if what in ("loss", "grad"):
            for index, sign in itertools.product([0, len(values) // 2, len(values) - 1], [1, -1]):
                for value in around(values[index] * (1 + sign * rel), how(what, index, sign)):
                    yield f"{what}: one step at {'+' if sign > 0 else '-'}{rel:g}", with_value(baseline, key, index, value)
        elif what == "memory":
            for index, column, sign in itertools.product([0, len(values) - 1], COLUMNS, [1, -1]):
                for value in around(values[index][column] * (1 + sign * rel), how(what, index, sign)):
                    entry = {**values[index], column: value}
                    yield f"{what}: one rank at {'+' if sign > 0 else '-'}{rel:g}", with_value(baseline, key, index, entry)
            yield f"{what}: other ranks", {**baseline, key: [{**v, "rank": v["rank"] * 2 + 1} for v in values]}
        else:
            for sign in [1, -1]:
                for factor in around(1 + sign * rel, how(what, 0, sign)):
                    yield f"{what}: mean at {'+' if sign > 0 else '-'}{rel:g}", {**baseline, key: [v * factor for v in values]}


def lists(rng, n):
    steps = range(n)
    return {"loss": [round(11 - k / 10 + rng.uniform(-0.2, 0.2), 5) for k in steps],
            "time": [round((9000 if k == 0 else 900) + rng.uniform(0, 50), 1) for k in steps],
            "throughput": [round((4 if k == 0 else 130) + rng.uniform(0, 9), 1) for k in steps],
            "grad norm": [round(rng.uniform(1, 40), 3) for k in steps]}


def memory(rng, ranks):
    return [{"rank": rank, "allocated memory": rng.uniform(3000, 9000), "max allocated memory": rng.uniform(9000, 30000)}
            for rank in ranks]


def made_files(folder):
    rng = random.Random(20261121)
    os.makedirs(folder, exist_ok=True)
    llm_margins = {"lm loss margin": 0.03, "throughput margin": 0.1, "memo info margin": 0.08, "time info margin": 0.1,
                   "grad norm margin": 0.2}
    documents = []
    for n in [3, 5, 6, 15]:
        made = lists(rng, n)
        ranks = rng.choice([[0], [0, 4], [0, 1, 4, 5], [0, 0, 4, 4], list(range(8))])
        documents.append({"lm loss": made["loss"], "throughput": made["throughput"], "memo info": memory(rng, ranks)})
        documents.append({"lm loss": made["loss"], "grad norm": made["grad norm"], "time info": made["time"],
                          "memo info": memory(rng, ranks)})
        documents.append({**llm_margins, **documents[-1]})
        documents.append({"loss": made["loss"], "time": made["time"], "memo info": memory(rng, ranks), "warm_up": 2})
    documents.append({"lm loss": lists(rng, 15)["loss"], "memo info": []})
    documents.append({"lm loss": [], "time info": lists(rng, 15)["time"], "memo info": []})
    for index, document in enumerate(documents):
        path = os.path.join(folder, f"made_{index}.json")
        with open(path, "w") as file:
            json.dump(document, file, indent=4)
        yield path


def json_files(trees):
    for tree in trees:
        for folder, _, names in sorted(os.walk(tree)):
            yield from (os.path.join(folder, name) for name in sorted(names) if name.endswith(".json"))


def try_all(gate, folder, thorough, turn, path, profile):
    with open(path) as file:
        baseline = json.load(file)
    actual = os.path.join(folder, f"{os.path.basename(path)}.{profile}.actual.json")
    rows, tried = [], set()
    copies = list(damaged(profile, baseline, thorough))
    for name, document in copies if thorough else copies[turn % 3 :: 3]:
        text = json.dumps(document)
        if text in tried or not any(list_of(document, what) for what in KEYS):
            continue  # the first step is the last one, or nothing in it that gate could read
        tried.add(text)
        with open(actual, "w") as file:
            file.write(text)
        words = [gate, "check", actual, "--profile", profile, "--baseline", path, "-q"]
        answer = subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        rows.append((profile, name, judge(profile, baseline, document), answer, path))
    return rows


def table(rows):
    print(f"{'profile':14} {'actual values':36} passed  failed")
    for key in dict.fromkeys(row[:2] for row in rows):
        words = [row[2] for row in rows if row[:2] == key]
        print(f"{key[0]:14} {key[1]:36} {sum(words):6}  {len(words) - sum(words):6}")


# Of the files of others every so-many-th is tried; where that is each, the doubles next to a bound at every step.
def main(gate, folder, every, *trees):
    files = [*made_files(folder), *list(json_files(trees))[:: int(every)]]
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        jobs = enumerate(itertools.product(files, PROFILES))
        tried = pool.map(lambda job: try_all(gate, folder, int(every) == 1, job[0] + job[0] // 3, *job[1]), jobs)
        rows = [row for some in tried for row in some]
    table(rows)
    wrong = [row for row in rows if (row[3].returncode == 0) != row[2] or row[3].returncode not in (0, 1, 2, 3, 4)]
    for profile, name, wanted, answer, path in wrong[:20]:
        print(f"DIFFERS {path}: {profile}, {name}: {'passes' if wanted else 'fails'} by the rules, "
              f"gate says {answer.returncode} {answer.stderr.strip()}")
    print(f"{len(rows)} verdicts on {len(files)} files, {len(wrong)} differ")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
