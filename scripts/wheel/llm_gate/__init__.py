"""gate from Python: a run as frames. The program itself is the command `gate`; for pytest there is the fixture `gate`.

    >>> import llm_gate
    >>> run = llm_gate.read(".gate/latest")  # a run's folder, or a result.json
    >>> run.green                            # exit code 0; whatever is not green has its reason in cases
    >>> run.cases                            # a row a case: case, verdict, reason, steps, duration_s, ...
    >>> run.checks                           # a row a check: case, metric, status, baseline, actual, delta, limit, ...
    >>> run.series                           # a row a value: case, run, metric, rank, number, value, unit, numbered

They are pandas' DataFrames where pandas is installed, else lists of dicts with the same names.
"""

import contextlib
import itertools
import json
import os
import pathlib
from typing import Any, Dict, Iterator, List, NamedTuple, Union

__all__ = ["Run", "read"]

Row = Dict[str, Any]


class Run(NamedTuple):
    """What gate judged. `result` is its result.json whole; `gate help agents` says where that is described."""

    cases: Any
    checks: Any
    series: Any
    result: Row

    @property
    def green(self) -> bool:
        return self.result["exit_code"] == 0


def read(run: Union[str, "pathlib.Path"]) -> Run:
    """Return the run in this folder, or of this result.json. A case that left no series has no row in `series`.

    OSError: a file cannot be read; ValueError: it is not what gate writes. Both name the file."""
    path = pathlib.Path(run)
    path = path / "result.json" if path.is_dir() else path
    with _named(path):
        result = _json_of(path, "gate.result/1")
        cases = [_plain(case) for case in result["cases"]]
        checks = [{"case": case["case"], **_plain(check)} for case in result["cases"] for check in case["checks"]]
        folders = [(case["case"], path.parent / case["case"] / "series.json") for case in result["cases"]]
        if type(result["exit_code"]) is not int:
            raise ValueError("exit_code is no number")
    series = [row for case, file in folders for row in _series_of(case, file)]
    return Run(_frame(cases), _frame(checks), _frame(series), result)


@contextlib.contextmanager
def _named(path: pathlib.Path) -> Iterator[None]:
    try:
        yield
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
        raise ValueError(f"{path}: not as gate writes it: {error!r}") from error


def _json_of(path: pathlib.Path, schema: str) -> Row:
    if path.exists() and not path.is_file():
        raise ValueError("no regular file")
    with open(path, encoding="utf-8") as file:
        value = json.load(file)
    if value["schema"] != schema:
        raise ValueError(f"not {schema}")
    return value


def _plain(row: Row) -> Row:
    """What fits into a cell; lists and objects are in `result`."""
    return {name: value for name, value in row.items() if not isinstance(value, (dict, list))}


def _series_of(case: str, path: pathlib.Path) -> Iterator[Row]:
    with _named(path):
        runs = _json_of(path, "gate.baseline/1")["runs"] if os.path.lexists(path) else []
        for number, series in ((number, series) for number, run in enumerate(runs, 1) for series in run["series"]):
            head = {"case": case, "run": number, "metric": series["metric"], "rank": series.get("rank")}
            tail = {"unit": series.get("unit", ""), "numbered": series.get("numbered", "step")}
            steps = list(itertools.islice(_numbers(series["numbers"]), len(series["values"]) + 1))
            if len(steps) != len(series["values"]):
                raise ValueError(f"{series['metric']}: not as many numbers as values")
            for step, text in zip(steps, series["values"]):
                yield {**head, "number": step, "value": None if text is None else float(text), **tail}


def _numbers(numbers: Union[str, List[int]]) -> Iterator[int]:
    """Those of `1-3, 7`, or of a list."""
    for part in numbers.split(",") if isinstance(numbers, str) else map(str, numbers):
        first, _, last = part.partition("-")
        yield from range(int(first), int(last or first) + 1)


def _frame(rows: List[Row]) -> Any:
    try:
        import pandas
    except ImportError:
        return rows
    return pandas.DataFrame(rows)
