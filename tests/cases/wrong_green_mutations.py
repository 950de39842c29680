"""Damaged logs, written otherwise: what is red stays red.

Usage: wrong_green_mutations.py GATE COUNT LOG...

Each try, drawn by its seed alone: one of the logs as the baseline, the same log with one damage that gate must call
red, and then one to three changes of its form, which may make it worse and must not make it green. Prints a line for
each try that is green, with its seed, and the counts; ends with 1 where there is one.
"""

import json
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

STEP = re.compile(r"iteration +(\d+)/ *(\d+) \|")
LOSS = re.compile(r"(lm loss: )(\S+)")
SPEEDS = (
    (re.compile(r"(throughput per GPU \(TFLOP/s/GPU\): )([\d.]+)"), 0.8),
    (re.compile(r"(TFLOPs: )([\d.]+)"), 0.8),
    (re.compile(r"(tokens per gpu per second \(tgs\): )([\d.]+)"), 0.8),
    (re.compile(r"(samples per second: )([\d.]+)"), 0.8),
    (re.compile(r"(elapsed time per iteration \(ms\): )([\d.]+)"), 1.25),
)
MEMORY = re.compile(r"(allocated: )([\d.]+)")
TRACEBACK = [
    "Traceback (most recent call last):",
    '  File "pretrain_gpt.py", line 1, in <module>',
    "RuntimeError: CUDA error: an illegal memory access was encountered",
]


def steps_of(lines):
    """The places of the step lines."""
    return [i for i, line in enumerate(lines) if STEP.search(line) and LOSS.search(line)]


def first_attempt(lines):
    """The lines before the step falls. How many attempts a log should hold is another matter."""
    last = 0
    for i, line in enumerate(lines):
        if not (found := STEP.search(line)):
            continue
        if int(found.group(1)) < last:
            return lines[:i]
        last = int(found.group(1))
    return lines


# --- damages: lines -> lines, or None where there is nothing to damage ---


def other_loss(lines, draw):
    """A loss among the first 15 that is 0.05 off."""
    at = draw.choice(steps_of(lines)[:15])
    value = float(LOSS.search(lines[at]).group(2)) + draw.choice((-0.05, 0.05))
    return [*lines[:at], LOSS.sub(rf"\g<1>{value:.6E}", lines[at]), *lines[at + 1 :]]


def later_loss(lines, draw):
    """All losses behind the 15th twice as high, a tenth higher, or as the 15th."""
    steps = steps_of(lines)
    if len(steps) < 25:
        return None
    kept = float(LOSS.search(lines[steps[14]]).group(2))
    worse = draw.choice((lambda value: 2 * value, lambda value: 1.1 * value, lambda _: kept))
    out = list(lines)
    for at in steps[15:]:
        out[at] = LOSS.sub(lambda m: f"{m.group(1)}{worse(float(m.group(2))):.6E}", out[at])
    return out


def odd_loss(lines, draw):
    """A loss that is no number, or left out."""
    at = draw.choice(steps_of(lines))
    word = draw.choice(("nan", "inf", "-inf", ""))
    line = LOSS.sub(rf"\g<1>{word}", lines[at]) if word else re.sub(r" lm loss: \S+ \|", "", lines[at])
    return [*lines[:at], line, *lines[at + 1 :]]


def no_step(lines, draw):
    """A step that was never printed."""
    at = draw.choice(steps_of(lines))
    return [*lines[:at], *lines[at + 1 :]]


def no_end(lines, draw):
    """The run ended too early."""
    return lines[: draw.choice(steps_of(lines)[1:])]


def slower(lines, _):
    """Every speed a fifth worse."""

    def worse(line):
        for pattern, factor in SPEEDS:
            line = pattern.sub(lambda m, f=factor: f"{m.group(1)}{float(m.group(2)) * f:.6f}", line)
        return line

    return [worse(line) if STEP.search(line) else line for line in lines]


def more_memory(lines, _):
    """Every rank needs a fifth more."""
    if not any("memory (MB)" in line for line in lines):
        return None
    grown = lambda m: f"{m.group(1)}{float(m.group(2)) * 1.2:.4f}"
    return [MEMORY.sub(grown, line) if "memory (MB)" in line else line for line in lines]


DAMAGES = (other_loss, later_loss, odd_loss, no_step, no_end, slower, more_memory)


# --- changes of form: lines -> lines ---


def blank_lines(lines, draw):
    return [one for line in lines for one in ([line, ""] if draw.random() < 0.2 else [line])]


def indented(lines, _):
    return ["   " + line for line in lines]


def coloured(lines, _):
    return [f"\x1b[32m{line}\x1b[0m" if STEP.search(line) else line for line in lines]


def traceback_first(lines, _):
    return TRACEBACK + lines


def traceback_last(lines, _):
    return lines + TRACEBACK


def said_well(lines, _):
    return [*lines, "training finished successfully, exit code 0"]


def zero_speeds(lines, _):
    return [SPEEDS[0][0].sub(r"\g<1>0.0", line) for line in lines]


def comma(lines, draw):
    """One number with a decimal comma of three places."""
    pattern = draw.choice(SPEEDS)[0]
    places = [i for i in steps_of(lines) if pattern.search(lines[i])]
    if not places:
        return lines
    at = draw.choice(places)
    word = f"{float(pattern.search(lines[at]).group(2)):.3f}".replace(".", ",")
    return [*lines[:at], pattern.sub(rf"\g<1>{word}", lines[at]), *lines[at + 1 :]]


def beyond_double(lines, draw):
    pattern = draw.choice(SPEEDS)[0]
    at = draw.choice(steps_of(lines) or [0])
    return [*lines[:at], pattern.sub(r"\g<1>9e999", lines[at]), *lines[at + 1 :]]


def printed_twice(lines, draw):
    """Some lines twice, as two ranks print them."""
    return [one for line in lines for one in ([line, line] if draw.random() < 0.1 else [line])]


def other_total(lines, draw):
    """Another total announced, the same in all lines."""
    total = draw.choice((3, 10, 100, 100000))
    return [STEP.sub(lambda m: f"iteration {m.group(1):>8}/{total:>8} |", line) for line in lines]


def an_attempt_before(lines, draw):
    """The beginning of an attempt that was started again."""
    steps = steps_of(lines)
    return [*lines[: draw.choice(steps)], *lines] if steps else lines


def no_beginning(lines, draw):
    """The first lines lost, and one cut."""
    at = draw.randrange(len(lines))
    return [lines[at][draw.randrange(len(lines[at]) + 1) :], *lines[at + 1 :]]


def cut_short(lines, draw):
    """The last line cut off."""
    at = draw.randrange(1, len(lines))
    return [*lines[:at], lines[at][: draw.randrange(len(lines[at]) + 1)]]


CHANGES = (
    blank_lines,
    indented,
    coloured,
    traceback_first,
    traceback_last,
    said_well,
    zero_speeds,
    comma,
    beyond_double,
    printed_twice,
    other_total,
    an_attempt_before,
    no_beginning,
    cut_short,
)
ENDS = ("\n", "\n", "\r\n", "\r", "\n\n")


def as_records(lines):
    """The steps as JSON lines."""
    records = []
    for line in lines:
        step, loss = STEP.search(line), LOSS.search(line)
        if not step:
            continue
        record = {"step": int(step.group(1)), "total_steps": int(step.group(2))}
        if loss:
            record["loss"] = "@" + loss.group(2) + "@"
        for (pattern, _), key in zip(SPEEDS, ("tflops_per_gpu", "", "", "", "step_time_ms")):
            if key and (found := pattern.search(line)):
                record[key] = "@" + found.group(2) + "@"
        text = json.dumps(record)
        records.append(re.sub(r'"@([^"]*)@"', lambda m: {"nan": "NaN", "inf": "Infinity"}.get(m.group(1), m.group(1)), text))
    return records


def main():
    gate, count, *logs = sys.argv[1:]
    texts = [(path, first_attempt(Path(path).read_text(errors="replace").splitlines())) for path in logs]
    green = tried = 0
    with tempfile.TemporaryDirectory() as folder:
        base, run = Path(folder) / "base.log", Path(folder) / "run.log"
        check = lambda: subprocess.run([gate, "check", run, "--baseline", base], capture_output=True).returncode
        for seed in range(int(count)):
            draw = random.Random(seed)
            path, lines = draw.choice(texts)
            damage = draw.choice(DAMAGES)
            form = as_records if draw.random() < 0.3 else lambda them: them
            changes = draw.sample(CHANGES, draw.randint(1, 3))
            end = draw.choice(ENDS)
            damaged = damage(lines, draw)
            if damaged is None:
                continue
            base.write_text("\n".join(form(lines)) + "\n")
            run.write_text("\n".join(form(damaged)) + "\n")
            if check() == 0:
                continue  # its records do not hold what is damaged, or no rule guards it
            tried += 1
            for change in changes:
                damaged = change(damaged, draw)
            run.write_text(end.join(form(damaged)) + end)
            if check() == 0:
                green += 1
                names = ", ".join(change.__name__ for change in changes)
                print(f"seed {seed}: {path}: {damage.__name__}, then {names}, {form.__name__}, {end!r}: green")
    print(f"{tried} of {count} were red before, {green} of them green then")
    return 1 if green or not tried else 0


sys.exit(main())
