#!/usr/bin/env bash
# Fails where a chapter (a folder of a room) includes what its row in the room's README.md does not let it see, where
# chapters see one another in a circle, where a folder of src or include holds more than 40 files, and where two types
# have one name. Public headers are seen by all chapters of their room.   chapters.sh TREE
cd "${1:?usage: chapters.sh TREE}" || exit 2
python3 - <<'PYTHON'
import collections
import pathlib
import re
import sys

MOST_FILES = 40
ROW = re.compile(r"^\| `([a-z_]+)/` \| ([a-z_, -]+) \|", re.M)
TYPE = re.compile(r"^(?:struct|class|enum class|enum) (\w+)(?: final)?(?: :[^;]*)?(?: \{|$)|^using (\w+) =")
bad = []


def sources(folder):
    return sorted(p for p in folder.rglob("*") if p.suffix in (".cpp", ".h"))


def rows(room):
    """The chapters that each chapter of the room may see, as its README.md says."""
    readme = room / "README.md"
    text = readme.read_text() if readme.exists() else ""
    return {chapter: set(re.findall(r"[a-z_]+", sees)) for chapter, sees in ROW.findall(text)}


def in_a_circle(sees):
    """A chapter that sees itself through others, or None."""
    for start in sees:
        seen, next_ones = set(), list(sees[start])
        while next_ones:
            chapter = next_ones.pop()
            if chapter == start:
                return start
            if chapter not in seen:
                seen.add(chapter)
                next_ones += sees.get(chapter, ())
    return None


for room in sorted(p for p in pathlib.Path("src").glob("*/*") if p.is_dir()):
    chapters = {p.name for p in room.iterdir() if p.is_dir() and sources(p)}
    sees = rows(room)
    bad += [f"{room}/{chapter}: a chapter without a row in {room}/README.md" for chapter in sorted(chapters - sees.keys())]
    bad += [f"{room}/README.md: a row for {chapter}/, which is not there" for chapter in sorted(sees.keys() - chapters)]
    if circle := in_a_circle(sees):
        bad.append(f"{room}/README.md: {circle}/ sees itself through others")
    for chapter in sorted(chapters):
        for path in sources(room / chapter):
            for number, line in enumerate(path.read_text().splitlines(), 1):
                found = re.match(rf'#\s*include "{room.name}/(?:([a-z_]+)/)?[^"]*"', line)
                if found and found[1] != chapter and found[1] not in sees.get(chapter, ()):
                    bad.append(f"{path}:{number}: {chapter}/ does not see {found[1] or 'what stands before it'}")

files = collections.Counter(p.parent for top in ("src", "include") for p in sources(pathlib.Path(top)))
bad += [f"{folder}/: {count} files; {MOST_FILES} at most" for folder, count in files.items() if count > MOST_FILES]

types = collections.defaultdict(list)
for top in ("src", "include"):
    for path in sources(pathlib.Path(top)):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            found = TYPE.match(line)
            if found:
                types[found[1] or found[2]].append(f"{path}:{number}")
for name, places in sorted(types.items()):
    if len(places) > 1:
        bad.append(f"{places[1]}: {name} is defined in {places[0]} as well: two types, two names")

print("\n".join(bad))
sys.exit(bool(bad))
PYTHON
