#!/usr/bin/env bash
# Fails where two files of a room have the same name in their anonymous namespaces: a unity build compiles them as one,
# where an overload of the one may be taken for the other. An alias of the same type is no such name.   names.sh TREE
cd "${1:?usage: names.sh TREE}" || exit 2
python3 - <<'PYTHON'
import collections
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


def private_names(path):
    """Each name of the file's anonymous namespaces, with the namespaces around it, and its line."""
    around, inside = [], False
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            named = re.match(r"namespace ([\w:]+) \{", line)
            if named:
                around.append(named[1])
            elif line.startswith("namespace {"):
                inside = True
            elif line.startswith("}  // namespace "):
                around.pop()
            elif line.startswith("}  // namespace"):
                inside = False
            elif inside and line.strip() and declared(line):
                yield "::".join(around + [declared(line)]), line.split("//")[0].strip()


wrong = []
for room in sorted(glob.glob("src/*/")):
    places = collections.defaultdict(dict)
    for path in sorted(glob.glob(room + "*.cpp")):
        for name, line in private_names(path):
            places[name].setdefault(os.path.basename(path), line)
    for name, files in places.items():
        same_alias = len(set(files.values())) == 1 and next(iter(files.values())).startswith("using")
        if len(files) > 1 and not same_alias:
            wrong.append(f"{name} is private to more than one file: {', '.join(room + file for file in files)}")
sys.exit("\n".join(wrong) or 0)
PYTHON
