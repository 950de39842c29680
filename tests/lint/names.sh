#!/usr/bin/env bash
# Fails where a name in a file's anonymous namespace is one of another such namespace of the room, or one that a header
# declares where the room's files would find it: a unity build compiles them as one, where the private name hides the
# other, or is taken for it. An alias of the same type is no such name. Fails, too, where a file uses a name of a header
# that it does not include, be it through others: a unity build would find it in the file before.   names.sh TREE
cd "${1:?usage: names.sh TREE}" || exit 2
python3 - <<'PYTHON'
import collections
import functools
import glob
import os
import re
import sys

TYPE = re.compile(r"(?:struct|class|enum class|enum) (\w+)|using (\w+) =")
OTHER = re.compile(r"(\w+)\s*[({=\[;]")


def declared(line):
    """The name that a line at the margin declares, or None."""
    if line[0] in " \t}/#" or re.match(r"using (?!\w+ =)|namespace|template", line):
        return None
    found = TYPE.match(line)
    if found:
        return found[1] or found[2]
    plain, parts = re.subn(r"<[^<>]*>", "", line)
    while parts:
        plain, parts = re.subn(r"<[^<>]*>", "", plain)
    found = OTHER.search(plain)
    return None if found is None or plain[: found.start()].endswith("::") else found[1]


def names(path, private):
    """Each name of the file's anonymous namespaces, or else each of the others, with the namespaces around it, and its
    line."""
    around, inside = [], False
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            named = re.match(r"namespace ([\w:]+) \{", line)
            if named:
                around += named[1].split("::")
            elif line.startswith("namespace {"):
                inside = True
            elif line.startswith("}  // namespace "):
                del around[-len(line.split()[-1].split("::")) :]
            elif line.startswith("}  // namespace"):
                inside = False
            elif inside == private and around and line.strip() and declared(line):
                yield "::".join(around + [declared(line)]), line.split("//")[0].strip()


def outer(name):
    """The name in its namespace, and in each around that."""
    *around, last = name.split("::")
    return ["::".join(around[:n] + [last]) for n in range(len(around), 0, -1)]


headers = collections.defaultdict(list)
for path in glob.glob("include/gate/**/*.h", recursive=True) + glob.glob("src/*/*/**/*.h", recursive=True):
    for name, _ in names(path, private=False):
        headers[name].append(path)
wrong = []
for room in sorted(glob.glob("src/*/*/")):
    places = collections.defaultdict(dict)
    for path in sorted(glob.glob(room + "**/*.cpp", recursive=True)):
        for name, line in names(path, private=True):
            places[name].setdefault(path.removeprefix(room), line)
            wrong += [f"{path}: {name} is private, and {other} of {headers[other][0]}" for other in outer(name) if other in headers]
    for name, files in places.items():
        same_alias = len(set(files.values())) == 1 and next(iter(files.values())).startswith("using")
        if len(files) > 1 and not same_alias:
            wrong.append(f"{name} is private to more than one file: {', '.join(room + file for file in files)}")


@functools.cache
def includes(path):
    """The project's headers that the file itself includes."""
    with open(path, encoding="utf-8") as lines:
        named = re.findall(r'^#include "([^"]+)"', lines.read(), re.M)
    places = "include/", "/".join(path.split("/")[:2]) + "/", os.path.dirname(path) + "/"
    return [place + name for name in named for place in places if os.path.exists(place + name)]


def included(path, seen):
    """The project's headers that the file includes, and that those include."""
    for header in includes(path):
        if header not in seen:
            seen.add(header)
            included(header, seen)
    return seen


def code(path):
    """The file without comments, includes and literals."""
    with open(path, encoding="utf-8") as lines:
        text = re.sub(r'^#include.*', "", lines.read(), flags=re.M)
    return re.sub(r'R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|//[^\n]*', '""', text, flags=re.S)


words = {path: set(re.findall(r"\w+", code(path))) for path in set(sum(headers.values(), []))}
for path in glob.glob("src/*/*/**/*.cpp", recursive=True):
    text, (floor, room) = code(path), path.split("/")[1:3]
    own = set().union(*(words.get(header, set()) for header in included(path, set())))
    around = "gate::" + ("app" if floor == "app" else room) + "::"
    for name in set(re.findall(r"(?<![\w.:>])(?:gate::)?(\w+)(?=\s*[({<]|::|\s+\w|&)", text)) - own:
        homes = headers.get(around + name, []) + headers.get("gate::" + name, [])
        if homes and not re.search(rf"[\w>&*\]](?<!\breturn)(?<!\belse)(?<!&&)\s+{name}\b(?!::)|\(\*\s*{name}\)|[({{,]\s*{name}\s*[),=\]]", text):
            wrong.append(f"{path} uses {name} of {homes[0]}, and does not include it")
sys.exit("\n".join(wrong) or 0)
PYTHON
