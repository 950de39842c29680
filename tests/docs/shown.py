"""Tell whether a command printed what is shown of it: each line of `shown`, in its order, `...` standing for anything, among
the lines of `out` and `err`. Two blanks stand for two and more: columns are as wide as their cells. Prints the first line that
the command did not print. Where a folder is named, the page is Chinese, and gate prints no English about that suite but errors,
the reasons that the page typed, and what programs read.   shown.py ITEM [FOLDER]"""

import pathlib
import re
import sys

from english import english_in, is_chinese


def literal(text):
    return " {2,}".join(re.escape(part) for part in re.split(" {2,}", text))


def pattern(line):
    return re.compile(".*".join(literal(part) for part in line.rstrip().split("...")) + r"\s*")


def first_missing(shown, printed):
    """The first line that is shown and not printed behind the one before, or None."""
    left = iter(printed)
    for line in shown:
        if line.strip() in ("", "..."):
            continue
        wanted = pattern(line)
        if not any(wanted.fullmatch(each) for each in left):
            return line
    return None


def is_for_people(command):
    return command.startswith("gate ") and not re.search(r"--json|--format (csv|json|table)|--export|--help", command)


def without_reasons(lines, page):
    """The lines without what the page's commands gave as a `--reason`."""
    typed = "\n".join(text.read_text() for text in page.glob("*/text"))
    reasons = re.findall(r'--reason "([^"]+)"', typed)
    return [re.sub("|".join(map(re.escape, reasons)) or "(?!)", "", line) for line in lines]


item = pathlib.Path(sys.argv[1])
shown = (item / "shown").read_text().splitlines()
out, err = ((item / name).read_text(errors="replace").splitlines() for name in ("out", "err"))
missing = [first_missing(shown, order) for order in (out + err, err + out)]
if None not in missing:
    print(f"shown, and not printed: {missing[0]}\nprinted:", *out, *err, sep="\n  ", file=sys.stderr)
    sys.exit(1)
command = (item / "text").read_text()
if len(sys.argv) > 2 and is_for_people(command):
    is_error = int((item / "code").read_text()) > 1
    said = [line for line in out + err if not is_error or is_chinese(line)]
    if english := english_in(without_reasons(said, item.parent), sys.argv[2], command):
        print("English:", *english, sep="\n  ", file=sys.stderr)
        sys.exit(1)
