"""What a long history costs: 100,000 runs of one case with 20 checks each, beside sqlite3's own count of its rows."""

import json
import os
import shutil
import sqlite3

from measure import Child, markdown, median, rounds, verdict
from startup import say, suite

RUNS, CHECKS = 100_000, 20
GOAL = 500  # ms


def first_run():
    checks = [{"rule": f"m{i}", "metric": f"m{i}", "unit": "ms", "window": "last 10", "reduce": "mean", "status": "pass",
               "tolerance": "+5%", "value": 100.0, "baseline": 100.0} for i in range(CHECKS)]
    case = {"case": "c", "verdict": "passed", "platform": "cpu", "duration_s": 60.0, "checks": checks}
    return {"schema": "gate.history/1", "uid": "first", "run": "first", "command": "run",
            "started": "2020-01-01T00:00:00Z", "cases": [case]}


def multiply(path):
    """The first run again and again, ten minutes apart, with other values."""
    base = sqlite3.connect(path)
    base.executescript(f"""
        CREATE TEMP TABLE n AS WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < {RUNS}) SELECT i,
          strftime('%Y-%m-%dT%H:%M:%SZ', '2020-01-01', (i * 600) || ' seconds') AS started FROM n;
        INSERT INTO runs(id, uid, run, suite, command, host, commit_id, started, duration_ms, exit_code, altered)
          SELECT i, 'u' || i, 'r' || i, suite, command, host, commit_id, n.started, duration_ms, exit_code,
          altered FROM runs JOIN n WHERE id = 1;
        INSERT INTO cases(name_id, started, run_id, verdict, reason, baseline, duration_ms) SELECT name_id, n.started, i, verdict, reason, baseline, duration_ms FROM cases JOIN n
          WHERE run_id = 1;
        INSERT INTO checks SELECT series_id, n.started, i, status, tolerance, 100 + abs(random() % 1000) / 1000.0,
          baseline FROM checks JOIN n WHERE run_id = 1;
    """)
    base.commit()
    base.close()


def history_table(gate, show):
    show("planting")
    root = suite("history", {"c": "true\n"})
    (root / "first.jsonl").write_text(json.dumps(first_run()))
    say([gate, "history", "--import", "first.jsonl"], root)
    multiply(root / ".gate" / "history.db")
    os.chdir(root)
    words = {
        "sqlite3: count of all checks": ["sqlite3", ".gate/history.db", "SELECT count(value) FROM checks"],
        "gate --version": [gate, "--version"],
        "gate history c": [gate, "history", "c"],
        "gate history": [gate, "history"],
        "gate history c --last 2000": [gate, "history", "c", "--last", "2000"],
        "gate history c --last 0": [gate, "history", "c", "--last", "0"],
    }
    show("history")
    done = rounds(5, {name: lambda w=w: Child(w) for name, w in words.items()})
    os.chdir("..")
    shutil.rmtree(root)
    peer = median(done["sqlite3: count of all checks"])
    rows = [[name, f"{1000 * median(c):.0f} ms", f"{median(c) / peer:.2f}",
             f"<= {GOAL} ms: {verdict(1000 * median(c) <= GOAL)}" if name == "gate history c" else ""]
            for name, c in done.items()]
    return markdown([f"{RUNS:,} runs x {CHECKS} checks", "median", "of sqlite3's count", "goal"], rows)
