"""Look at what a hub was told of its tests: each reached one final state, none went back, and none ended otherwise than it was
to.

usage: ends.py NOTICES CREATED [STOPPED_IDS [IDS_STOPPED_BEFORE_THEY_CAME]]
"""

import json
import sys

WAYS = {"pending": 0, "running": 1, "success": 2, "failed": 2, "stopped": 2}
WANTED = {"bad": "failed", "crash": "failed", "no_download": "failed"}


def lines(name):
    with open(name, encoding="utf-8") as file:
        return file.read().splitlines()


def main(notices, created, stopped="/dev/null", before="/dev/null"):
    stopped_ids, stopped_before = set(lines(stopped)), set(lines(before))
    told = {}
    for line in lines(notices):
        notice = json.loads(line)
        told.setdefault(notice["id"], []).append(notice["ci_status"])
    names = {m["id"]: m["model_name"] for m in map(json.loads, (c for c in lines(created) if c.startswith("{")))}
    assert set(told) == set(names), set(names) ^ set(told)
    counts = {}
    for test, statuses in told.items():
        finals = {status for status in statuses if WAYS[status] == 2}
        assert len(finals) == 1, (test, statuses)
        assert [WAYS[s] for s in statuses] == sorted(WAYS[s] for s in statuses), (test, statuses)
        allowed = {WANTED.get(names[test], "success")} | ({"stopped"} if str(test) in stopped_ids else set())
        assert finals <= allowed, (test, names[test], statuses)
        assert str(test) not in stopped_before or finals == {"stopped"}, (test, statuses)
        counts[statuses[-1]] = counts.get(statuses[-1], 0) + 1
    print("told:", counts, "in", sum(map(len, told.values())), "notices")


main(*sys.argv[1:])
