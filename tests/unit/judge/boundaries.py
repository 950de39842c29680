"""Values at the edge of a tolerance, with what exact arithmetic says of each.

  boundaries.py SEED COUNT                 a line a comparison: REDUCE|BASELINE...|ACTUAL...|TOLERANCE|STATUS
  boundaries.py SEED COUNT --suite FOLDER  the same of single values, as FOLDER/D for D printed decimals: base.json,
                                           run.log, a gate.toml with a rule for each step, and what is expected of
                                           each rule (`RULE STATUS`, sorted) in the file expected

The oracle shares nothing with gate: Python's decimals, in a context where rounding is an error. STATUS is pass, fail, or
incomparable where the tolerance allows less than one unit of the last decimal printed, and in a suite where it is a share
of a speed of 0 or below.
"""

import decimal
import json
import math
import operator
import os
import random
import sys
from decimal import Decimal, ROUND_CEILING, ROUND_FLOOR
from fractions import Fraction

EXACT = decimal.Context(prec=120, traps=[decimal.Inexact, decimal.InvalidOperation])
decimal.setcontext(EXACT)


STRICT = {">": operator.gt, "<": operator.lt, "!=": operator.ne}
CONSTANTS = (">=", "<=", "==", *STRICT)


class Bound:
    """An amount around the baseline (sign ±, - or +, relative or not), or a constant (>=, >, <=, <, ==, !=)."""

    def __init__(self, sign, amount, relative=False):
        self.sign, self.amount, self.relative = sign, amount, relative
        self.constant = sign in CONSTANTS

    def width(self, baseline, count):
        return self.amount * abs(baseline) if self.relative else self.amount * count

    def interval(self, baseline, count):
        if self.constant:
            at = self.amount * count
            return (None if self.sign in ("<=", "<") else at, None if self.sign in (">=", ">") else at)
        width = self.width(baseline, count)
        return (None if self.sign == "+" else baseline - width, None if self.sign == "-" else baseline + width)

    def holds(self, actual, baseline, count):
        if self.sign in STRICT:
            return STRICT[self.sign](actual, self.amount * count)
        low, high = self.interval(baseline, count)
        return (low is None or actual >= low) and (high is None or actual <= high)

    def text(self, rng):
        if self.constant:
            return f"{self.sign} {self.amount:f}"
        sign = rng.choice(("±", "+-", "+/-")) if self.sign == "±" else self.sign
        amount = self.amount * 100 if self.relative else self.amount
        return sign + (f"{amount:E}" if rng.random() < 0.2 else f"{amount:f}") + ("%" if self.relative else "")


def allowance(any_of, baseline, count):
    """The largest deviation that the tolerance allows; None where constants alone decide an alternative."""
    alternatives = []
    for all_of in any_of:
        widths = [bound.width(baseline, count) for bound in all_of if not bound.constant]
        if not widths:
            return None
        alternatives.append(min(widths))
    return max(alternatives)


def status(any_of, quantum, pairs, count):
    """What is right for `pairs` of sums (baseline, actual) over `count` values each."""
    allowed = [allowance(any_of, baseline, count) for baseline, _ in pairs]
    if None not in allowed and 0 < max(allowed) < quantum * count:
        return "incomparable"
    holds = all(any(all(bound.holds(a, b, count) for bound in all_of) for all_of in any_of) for b, a in pairs)
    return "pass" if holds else "fail"


def bound(rng, quantum, near, signs):
    sign = rng.choice(signs)
    if sign in CONSTANTS:
        return Bound(sign, near + rng.randint(-30, 30) * quantum)
    if rng.random() < 0.5:
        least = 4 if sign == "-" else 3  # no value of what is never below 0 is a whole below
        return Bound(sign, Decimal(rng.randint(1, 9999)).scaleb(-rng.randint(least, 5)), relative=True)
    if rng.random() < 0.15:
        return Bound(sign, rng.randint(1, 199) * quantum.scaleb(-2))
    return Bound(sign, rng.randint(1, 999) * quantum.scaleb(rng.choice((-1, 0, 0, 0, 1, 2))))


def tolerance(rng, quantum, near, signs):
    words, any_of = [], []
    while not any_of or rng.random() < 0.15:
        if not any_of or rng.random() < 0.5:
            words += ["or"] if any_of else []
            any_of.append([])
        else:
            words += ["and"]
        any_of[-1].append(bound(rng, quantum, near, signs))
        words.append(any_of[-1][-1].text(rng))
    return any_of, " ".join(words)


def edge(rng, any_of, baseline, quantum, count):
    """A sum on the limit of one of the bounds or the nearest printable one inside it, one quantum inside, or one
    outside; and how many quanta outside."""
    bounds = [bound for all_of in any_of for bound in all_of]
    low, high = rng.choice(bounds).interval(baseline, count)
    upper = low is None or (high is not None and rng.random() < 0.5)
    limit = high if upper else low
    outside = rng.choice((-1, 0, 1))
    inside = (limit / quantum).to_integral_value(ROUND_FLOOR if upper else ROUND_CEILING)
    return (inside + (outside if upper else -outside)) * quantum, outside


def printed(rng, value):
    """The value with exactly its own digits: in fixed notation only where that adds no zeros."""
    fixed = rng.random() < 0.5 and value.as_tuple().exponent <= 0
    return f"{value:f}" if fixed else f"{value:{rng.choice('eE')}}"


def number(rng, quantum, decimals):
    digits = rng.randint(max(1, decimals - 1), decimals + 4)
    return (-1 if rng.random() < 0.1 else 1) * rng.randint(0, 10**digits) * quantum


def comparison(rng, decimals, shift, steps, signs):
    """Return reduce, baseline, actual, tolerance, status; all values are multiples of 10^(shift - decimals)."""
    quantum = Decimal(1).scaleb(shift - decimals)
    reduce = "mean" if steps > 1 and rng.random() < 0.5 else "each"
    baseline = [number(rng, quantum, decimals) for _ in range(steps)]
    actual = list(baseline)
    count, at = (steps, sum(baseline)) if reduce == "mean" else (1, baseline[-1])
    any_of, text = tolerance(rng, quantum, baseline[-1], signs)
    moved, outside = edge(rng, any_of, at, quantum, count)
    actual[-1] = (actual[-1] + moved - at).quantize(quantum)
    pairs = [(at, moved)] if reduce == "mean" else list(zip(baseline, actual))
    right = status(any_of, quantum, pairs, count)
    if steps == 1 and len(any_of) == len(any_of[0]) == 1 and right != "incomparable" and any_of[0][0].sign not in STRICT:
        assert outside < 0 or right == ("fail" if outside else "pass"), "the oracle contradicts how the case was made"
    return reduce, baseline, actual, text, right


def quantum_near(limit, upper, quantum):
    """The multiple of the quantum next to the limit that is not beyond it."""
    steps = limit / Fraction(quantum)
    return (math.floor(steps) if upper else math.ceil(steps)) * quantum


def error_comparison(rng, decimals, shift, steps):
    """The same of a mean relative error, by fractions: all values but the last are somewhere, the last is at the edge."""
    quantum = Decimal(1).scaleb(shift - decimals)
    baseline = [number(rng, quantum, decimals) or quantum for _ in range(steps)]
    actual = [b + rng.randint(-3, 3) * quantum if rng.random() < 0.5 else b for b in baseline]
    errors = [abs(Fraction(a) - Fraction(b)) / abs(Fraction(b)) for a, b in zip(actual, baseline)]
    others = sum(errors[:-1], Fraction(0))
    percent = Decimal(rng.randint(1, 9999)).scaleb(-rng.randint(1, 3))
    if rng.random() < 0.5 and others:  # what they leave is little
        percent = Decimal(math.ceil(others * 100 / steps * 1000) + rng.randint(0, 3)).scaleb(-3)
    left = Fraction(percent) * steps / 100 - others
    upper, outside = rng.random() < 0.5, rng.choice((-1, 0, 1))
    if left >= 0:
        room = abs(Fraction(baseline[-1])) * left
        edge_at = Fraction(baseline[-1]) + (room if upper else -room)
        actual[-1] = (quantum_near(edge_at, upper, quantum) + (outside if upper else -outside) * quantum).quantize(quantum)
    total = others + abs(Fraction(actual[-1]) - Fraction(baseline[-1])) / abs(Fraction(baseline[-1]))
    right = "pass" if total <= Fraction(percent) * steps / 100 else "fail"
    if rng.random() < 0.05:
        baseline[rng.randrange(steps)], right = Decimal(0), "incomparable"
    return "mean_relative_error", baseline, actual, f"<= {percent:f}%", right


def print_lines(rng, count):
    signs = ("±", "±", "±", "+", "-", *CONSTANTS)
    for _ in range(count):
        shift = rng.choice((0, 0, 0, -9, -5, -3, 2, 6))
        steps = rng.choice((1, 1, 1, 1, 1, 2, 3, 7))
        decimals = rng.randint(1, 6)
        one = error_comparison(rng, decimals, shift, steps) if rng.random() < 0.15 else comparison(rng, decimals, shift, steps, signs)
        reduce, baseline, actual, text, right = one
        words = [" ".join(printed(rng, value) for value in values) for values in (baseline, actual)]
        print(reduce, *words, text, right, sep="|")


# Each with the side that its tolerance bounds: gate refuses one that stops only the good side.
METRICS = (("lm_loss", "±"), ("throughput", "-"), ("iteration_time", "+"))
LINE = (" iteration {step}/ {steps} | elapsed time per iteration (ms): {iteration_time} |"
        " throughput per GPU (TFLOP/s/GPU): {throughput} | lm loss: {lm_loss} |\n")


def write_suite(rng, folder, decimals, steps):
    os.makedirs(folder)
    rules, expected, log, recorded = "[rules]\n", [], {}, {}
    for name, _ in METRICS:
        rules += f"{name} = false\n"
        log[name], recorded[name] = [], []
    for name, sign in METRICS:
        for step in range(1, steps + 1):
            _, baseline, actual, text, right = comparison(rng, decimals, 0, 1, (sign,))
            if name != "lm_loss" and baseline[0] <= 0 and "%" in text:
                right = "incomparable"
            recorded[name].append(printed(rng, baseline[0]))
            log[name].append(printed(rng, actual[0]))
            rule = f"{name}_{step}"
            rules += f'[rules.{rule}]\nmetric = "{name}"\nwindow = "step {step}"\ntolerance = "{text}"\n'
            expected.append(f"{rule} {right}\n")
    series = [{"metric": name, "numbers": f"1-{steps}", "values": recorded[name]} for name, _ in METRICS]
    lines = [LINE.format(step=i + 1, steps=steps, **{name: log[name][i] for name in log}) for i in range(steps)]
    files = {"gate.toml": rules, "run.log": "".join(lines), "expected": "".join(sorted(expected)),
             "base.json": json.dumps({"schema": "gate.baseline/1", "case": "c", "runs": [{"series": series}]})}
    for name, text in files.items():
        with open(os.path.join(folder, name), "w", encoding="utf-8") as out:
            out.write(text)


def main():
    sys.stdout.reconfigure(encoding="utf-8")
    rng, count = random.Random(int(sys.argv[1])), int(sys.argv[2])
    if sys.argv[3:4] != ["--suite"]:
        return print_lines(rng, count)
    for decimals in range(1, 7):
        write_suite(rng, os.path.join(sys.argv[4], str(decimals)), decimals, count // (6 * len(METRICS)))


main()
