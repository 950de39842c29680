"""Logs of every kind, read by gate and by what one would use in its place."""

import re
from pathlib import Path

from logs import MB, METRICS, NUMBER, Log
from measure import CannotMeasure, Child, least, markdown, median, peak, peak_text, rounds, verdict

HOSTILE = "line random nul returns short candidates megatron colours steps restarts repeats".split()


def extracted(text):
    """What `gate extract` says it read: count, first and last word of each series; and whatever else it says."""
    row = re.compile(r"(\S+) +(?:step|report) 1(?:-(\d+))? +(\S+) +(\S+) +")
    series, other = {}, []
    for line in text.splitlines():
        if match := row.match(line):
            series[match[1]] = {"count": int(match[2] or 1), "first": match[3], "last": match[4]}
        elif re.match(r"(note|messages|problems|  \S+  \S+:)", line):
            other.append(line)
    return series, other


def check_gate(log, text):
    series, other = extracted(text)
    if log.kind in ("random", "restarts", "repeats"):  # in 2 GB of the first `lr=1` stands some ten times; of the
        return  # others one attempt is judged, or none
    wanted = {"lm_loss"} if log.kind in ("megatron", "steps") else set(METRICS)
    found = {name: facts for name, facts in series.items() if name in wanted}
    if found != log.metrics:
        raise CannotMeasure(f"{log.kind}: printed {log.metrics}, gate read {found}")
    if other and log.metrics:
        raise CannotMeasure(f"{log.kind}: gate says {other[:5]}")


def count_lines(path):
    with open(path, "rb") as file:
        return sum(piece.count(b"\n") for piece in iter(lambda: file.read(1 << 20), b""))


def check_peer(log, name, path):
    if name == "wc -l":
        return
    counts = [count_lines(path)] if name == "rg -o" else list(map(int, path.read_text().split()))
    wanted = [sum(log.counts())] if name == "rg -o" else log.counts()
    if counts != wanted:
        raise CannotMeasure(f"{log.kind}: printed {wanted} values, {name} read {counts}")


def check_values(tools, kind):
    """Compare every value of a small log with what Python finds in it."""
    log = Log(tools, kind, MB // 4)
    Child([tools.gate, "extract", "--format", "csv", log.path], out="values")
    read = {name: [] for name in METRICS}
    head, *lines = Path("values").read_text().splitlines()
    columns = head.split(",")
    for line in lines:
        cells = dict(zip(columns, line.split(",")))
        read[cells["metric"]].append(cells["value"])
    text = log.path.read_text()
    for name in METRICS:
        if [float(w) for w in re.findall(f"{name}=({NUMBER})", text)] != list(map(float, read[name])):
            raise CannotMeasure(f"{kind}: of {name} gate read other values than were printed")
    log.remove()


def run_and_check(log, name, words):
    """gate ends with 3 where there was nothing to read."""
    nothing = {"random": (0, 3)}.get(log.kind, (3,))
    child = Child(words, out="out", expect=(0,) if log.metrics or not name.startswith("gate") else nothing)
    if name.startswith("gate"):
        check_gate(log, Path("out").read_text(errors="replace"))
    else:
        check_peer(log, name, Path("out"))
    return child


def time_all(log, programs, count):
    return rounds(count, {name: lambda name=name, words=words: run_and_check(log, name, words)
                          for name, words in programs.items()})


ALONE, ALL = "gate, 8 patterns, threads", "gate, and all formats, threads"

# What is held against what: log, program, peer, and the least ratio of their speeds.
GOALS = [
    ("realistic", f"{ALONE} 1", "rg -o", 0.9),
    ("realistic", f"{ALONE} 2", "rg -o", 1.5),
    ("realistic", f"{ALL} 1", f"{ALONE} 1", 0.8),
    ("realistic", f"{ALL} 2", f"{ALONE} 2", 0.8),
    ("dense", f"{ALONE} 1", "rg -o", 2),
    ("dense", f"{ALONE} 1", "Python, re.findall", 5.5),
    ("dense", f"{ALONE} 2", f"{ALONE} 1", 1.6),
]


def goals(kind, program, walls):
    said = []
    for log, goal_program, peer, ratio in GOALS:
        if (log, goal_program) == (kind, program) and peer in walls:
            said.append(f">= {ratio} of {peer}: {verdict(walls[peer] >= ratio * walls[program])}")
    return said


def memory_goal(kind, size, program, mib):
    if kind != "realistic" or not program.startswith("gate") or size < 2000 * MB:
        return []
    return [f"<= 40 MB: {verdict(mib * 1.048576 <= 40)}"]


def reading_rows(tools, kind, size, count):
    log = Log(tools, kind, size)
    done = time_all(log, tools.peers(log) | tools.gates(log), count)
    walls = {name: median(children) for name, children in done.items()}

    def ratio(peer, wall):
        return f"{walls[peer] / wall:.2g}" if peer in walls else "no rg here"

    for name, children in done.items():
        wall = walls[name]
        yield [kind, f"{size / MB:,.0f} MB", name, f"{log.bytes / wall / 1e9:.3f}", ratio("wc -l", wall),
               ratio("rg -o", wall), ratio("Python, re.findall", wall), peak_text(children),
               f"{least(children):.3f} - {wall:.3f} - {max(c.wall for c in children):.3f} of {len(children)}",
               "; ".join(goals(kind, name, walls) + memory_goal(kind, size, name, peak(children)))]
    log.remove()


def reading_table(tools, size, count, show):
    rows = []
    for kind in ("realistic", "dense"):
        show(f"{kind}, every value")
        check_values(tools, kind)
        show(f"{kind}, {size / MB:,.0f} MB")
        rows += reading_rows(tools, kind, size, count)
    return markdown(["log", "size", "program", "GB/s", "of wc -l", "of rg -o", "of Python", "peak MiB",
                     "least - median - most s of runs", "goals"], rows)


def hostile_figures(tools, kind, size, count):
    log = Log(tools, kind, size)
    done = time_all(log, {"wc -l": ["wc", "-l", log.path], "gate": tools.extract(log)}, count)
    log.remove()
    wall = least(done["gate"])
    return wall / log.bytes * 1e9, least(done["wc -l"]) / wall, peak_text(done["gate"])


def hostile_table(tools, sizes, count, show):
    rows = []
    for kind in HOSTILE:
        figures = []
        for size in sizes:
            show(f"{kind}, {size / MB:,.0f} MB")
            figures.append(hostile_figures(tools, kind, size, count))
        (small, *_), (large, *_) = figures
        cells = [cell for ns, of_wc, mib in figures for cell in (f"{ns:.2f}", f"{of_wc:.2g}", mib)]
        rows.append([kind, *cells, f"{large / small:.2f}"])
    small, large = (f"{size / MB:,.0f} MB" for size in sizes)
    return markdown(["log", f"{small}: ns a byte", "of wc -l", "peak MiB", f"{large}: ns a byte", "of wc -l", "peak MiB",
                     "ns a byte, large / small"], rows)
