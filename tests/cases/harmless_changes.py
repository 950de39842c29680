"""A log that something else was written into, and whose numbers are the same, is judged as before.

Usage: harmless_changes.py GATE LOGS

Each log of the folder is checked against itself with what terminals, launchers, collectors of logs and other processes put
into it, and the log against that with most of it. Prints a line for each that ends otherwise; ends with 1 where there is one.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

MOST = "bars, carriage returns and times"
SUITE = "[suite]\nstrict = false\n"
BAR = "Loading checkpoint shards:  50%|#####     | 1/2 [00:01<00:01,  1.20it/s]"


def each_line(change):
    return lambda lines: [change(i, line) if line else line for i, line in enumerate(lines)]


def clock(i):
    return f"{i // 60 % 60:02}:{i % 60:02}"


def each_fifth(bar):
    return lambda lines: [bar + line if i % 5 == 2 and line else line for i, line in enumerate(lines)]


CHANGES = {
    "carriage returns": each_line(lambda i, line: line + "\r"),
    "colours": each_line(lambda i, line: f"\x1b[32m{line}\x1b[0m"),
    "bars drawn over": each_fifth(BAR + "\r"),
    "bars in front": each_fifth(BAR.replace("Loading checkpoint shards", "Map (num_proc=4)")),
    "task of srun": each_line(lambda i, line: "0: " + line),
    "host": each_line(lambda i, line: "node17: " + line),
    "pod": each_line(lambda i, line: "[pod/train-worker-0/pytorch] " + line),
    "actor of Ray": each_line(lambda i, line: "\x1b[36m(TaskRunner pid=17)\x1b[0m " + line),
    "times of Kubernetes": each_line(lambda i, line: f"2026-06-02T07:{clock(i)}.123456789Z stdout F {line}"),
    "times of Docker": each_line(lambda i, line: f"2026-06-02T07:{clock(i)}.123456789Z {line}"),
    "times in brackets": each_line(lambda i, line: f"[2026-06-02 07:{clock(i)}] {line}"),
    "times of logging": each_line(lambda i, line: f"2026-06-02 07:{clock(i)},123 {line}"),
    MOST: lambda lines: CHANGES["times of Docker"](CHANGES["bars in front"](CHANGES["carriage returns"](lines))),
}

# What a launcher tore is put together behind its own words alone.
TORN = {("torn.log", change) for change in ("task of srun", "host", "pod", "actor of Ray")}


def main():
    gate, logs = sys.argv[1], Path(sys.argv[2])
    wrong = tried = 0
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "gate.toml").write_text(SUITE)
        before, after = Path(folder, "before.log"), Path(folder, "after.log")

        def check(log, baseline):
            command = [gate, "check", log, "--baseline", baseline]
            return subprocess.run(command, cwd=folder, capture_output=True, check=False).returncode

        for log in sorted(logs.glob("*/*.log")):
            text = log.read_bytes().decode("utf-8", "surrogateescape")
            before.write_bytes(log.read_bytes())
            expected = check(before, before)
            for name, change in CHANGES.items():
                if (log.name, name) in TORN:
                    continue
                changed = "\n".join(change(text.split("\n")))
                after.write_bytes(changed.encode("utf-8", "surrogateescape"))
                found = [check(after, before)]
                if name == MOST:
                    found.append(check(before, after))
                tried += 1
                if set(found) != {expected}:
                    wrong += 1
                    print(f"{log.parent.name}/{log.name}, {name}: {found} instead of {expected}")
    print(f"{tried} logs, {wrong} wrong")
    return 1 if wrong or not tried else 0


if __name__ == "__main__":
    sys.exit(main())
