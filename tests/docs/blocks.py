"""Take the blocks of code out of a page: FOLDER gets a folder for each file, piece of a file and command, in their order.
Fails where a block has no language.   blocks.py PAGE FOLDER"""

import pathlib
import re
import sys

FENCE = re.compile(r"^( *)```(\S*)\s*$")
NAMED = re.compile(r"^# (\S+?)(, added)?$")
EXIT = re.compile(r"[(（](?:exit|退出码) (\d+)[)）]|#.*\bexit (\d+)\b")


def blocks(page):
    """Each block as (language, number of its first line, lines)."""
    inside = None
    for number, line in enumerate(page.splitlines(), 1):
        fence = FENCE.match(line)
        if inside is None and fence:
            inside = (fence[2], number + 1, [], len(fence[1]))
        elif inside is not None and line.strip() == "```":
            yield inside[:3]
            inside = None
        elif inside is not None:
            inside[2].append(line[inside[3]:])
    if inside is not None:
        sys.exit(f"{inside[1]}: a block that does not end")


class Items:
    def __init__(self, folder):
        self.folder, self.count = folder, 0

    def put(self, **parts):
        self.count += 1
        item = self.folder / f"{self.count:04}"
        item.mkdir()
        for name, text in parts.items():
            (item / name).write_text(text)


def put_file(items, language, number, lines):
    named = NAMED.match(lines[0]) if lines else None
    text = "\n".join(lines) + "\n"
    if named and (language == "bash" or named[1].endswith((".toml", ".yaml"))):
        body = "\n".join(lines[1:]) + "\n"
        items.put(kind="more" if named[2] else "file", name=named[1], text=body if language == "bash" else text)
    elif language == "bash":
        sys.exit(f"{number}: a bash block begins with the name of its file, `# scripts/x.sh`")


def commands(lines, number):
    """Each command of a console as (number, text, what is shown of it)."""
    found = []
    for at, line in enumerate(lines):
        if line.startswith("$ "):
            found.append((number + at, line[2:], []))
        elif not found:
            sys.exit(f"{number + at}: output before the first command")
        elif line.startswith("> ") and not found[-1][2]:
            found[-1] = (found[-1][0], found[-1][1] + "\n" + line[2:], [])
        else:
            found[-1][2].append(line)
    return found


def put_command(items, number, text, shown):
    told = EXIT.search("\n".join(shown)) or re.search(r"#.*\bexit (\d+)\b()", text)
    code = next((part for part in told.groups() if part), "0") if told else "0"
    items.put(kind="command", line=str(number), text=text, code=code, shown="\n".join(shown))


def main(page, folder):
    items = Items(pathlib.Path(folder))
    for language, number, lines in blocks(pathlib.Path(page).read_text()):
        if not language:
            sys.exit(f"{number}: a block without a language")
        if language in ("toml", "yaml", "bash"):
            put_file(items, language, number, lines)
        elif language == "console":
            for command in commands(lines, number):
                put_command(items, *command)
        elif language == "sh":
            for at, line in enumerate(lines):
                if line.strip() and not line.startswith("#"):
                    put_command(items, number + at, line, [])


main(*sys.argv[1:])
