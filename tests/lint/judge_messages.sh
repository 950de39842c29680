#!/usr/bin/env bash
# Fails where a text that the judge can say is in no test: each string literal of src/judge/*.cpp with at least two
# words, cut at its placeholders, must stand in tests/unit/judge/*_test.cpp, tests/cases/*.sh or docs/reference.md (which
# a test compares with `gate manual`).   judge_messages.sh TREE
cd "${1:?usage: judge_messages.sh TREE}" || exit 2
python3 - <<'PYTHON'
import glob
import re
import sys

LITERAL = r'"((?:\\.|[^"\\\n])*)"'


def read(path):
    with open(path, encoding="utf-8") as text:
        return text.read()


def source(path):
    """The file without its comments, includes and character literals; line numbers stay."""
    lines = read(path).split("\n")
    return "\n".join("" if re.match(r"\s*(//|#)", line) else re.sub(r"'(?:\\.|[^'\\])'", "", line) for line in lines)


def plain(text):
    return re.sub(r'\\(["\\])', r"\1", text)


def joined(text):
    """Literals that the compiler joins, as one."""
    return re.sub(r'(?<!\\)"\s*\n\s*"', "", text)


tests = "\n".join(plain(joined(source(path))) for path in glob.glob("tests/unit/judge/*_test.cpp"))
tests += "\n".join(read(path) for path in [*glob.glob("tests/cases/*.sh"), "docs/reference.md"])
untested = []
for path in sorted(glob.glob("src/judge/*.cpp")):
    text = source(path)
    for literal in re.finditer(LITERAL, text):
        for fragment in re.split(r"\{[^{}]*(?:\{\}[^{}]*)*\}", plain(literal[1])):
            words = re.findall(r"[A-Za-z]{2,}", fragment)
            if len(words) >= 2 and fragment.strip() not in tests:
                line = text.count("\n", 0, literal.start()) + 1
                untested.append(f'{path}:{line}: no test says "{fragment.strip()}"')
sys.exit("\n".join(untested) or 0)
PYTHON
