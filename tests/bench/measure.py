"""Children and their figures: wall time, peak memory, and how a row of them is shown."""

import os
import resource
import statistics
import time


class CannotMeasure(Exception):
    pass


ENV = {k: v for k, v in os.environ.items() if not k.startswith(("GATE_", "RIPGREP_"))} | {"LC_ALL": "C"}


class Child:
    """One run of a program: its wall in seconds, from posix_spawn to exit, those of CPU, and its peak memory in MiB.

    The kernel counts what the parent has held as the child's, so a peak below that of this interpreter is not seen:
    `floor` is the least that can be.
    """

    def __init__(self, words, out=os.devnull, expect=(0,)):
        actions = [(os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
                   (os.POSIX_SPAWN_OPEN, 1, str(out), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600),
                   (os.POSIX_SPAWN_OPEN, 2, "errors", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)]
        words = list(map(str, words))
        self.floor = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        begin = time.perf_counter()
        pid = os.posix_spawnp(words[0], words, ENV, file_actions=actions)
        status, usage = os.wait4(pid, 0)[1:]
        self.wall = time.perf_counter() - begin
        self.cpu = usage.ru_utime + usage.ru_stime
        self.peak = usage.ru_maxrss / 1024
        self.code = os.waitstatus_to_exitcode(status)
        if self.code not in expect:
            with open("errors", encoding="utf-8", errors="replace") as errors:
                raise CannotMeasure(f"{' '.join(words)[:200]} ended with {self.code}:\n{errors.read(2000)}")


PATIENCE = 20  # seconds


def rounds(count, programs):
    """Run every program `count` times, in turns, so that a busy host disturbs all alike; return the lists of children.
    One that has run for PATIENCE in all is not run again."""
    done = {name: [] for name in programs}
    for _ in range(count):
        for name, start in programs.items():
            if sum(child.wall for child in done[name]) < PATIENCE:
                done[name].append(start())
    return done


def least(children):
    return min(child.wall for child in children)


def peak(children):
    return max(child.peak for child in children)


def peak_text(children):
    most, floor = peak(children), max(child.floor for child in children)
    return f"<= {floor:.0f}" if most < floor + 1 else f"{most:.0f}"


def median(children):
    return statistics.median(child.wall for child in children)


def verdict(met):
    return "met" if met else "MISSED"


def markdown(head, rows):
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)
