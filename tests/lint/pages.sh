#!/usr/bin/env bash
# Fails where a page of the documentation leads nowhere, is too long, lacks its line of contents, shows a command where none is
# typed, names a command or a flag that gate does not have, or is not what its Chinese page was translated from.   pages.sh TREE
#
# | rule      | README.md and docs/**/*.md                                                                                   |
# | links     | relative links and anchors lead somewhere; anchors are GitHub's                                              |
# | length    | at most 300 lines                                                                                            |
# | contents  | a page with three or more `##` has a line `On this page:` (Chinese: `本页：`) with all of them, in order     |
# | blocks    | a block has a language; commands of gate stand in console, sh, bash, yaml and groovy alone                   |
# | inline    | code that begins with `gate` names a command and flags of docs/reference                                     |
# | Chinese   | README.md, docs/first-hour/*, docs/how-to/* and the pages of EXPLAINED have a page below docs/zh; each page  |
# |           | there tells in its first three lines which English page it is of, with the first 12 digits of that page's    |
# |           | SHA-256, and types the same commands                                                                         |
# | decisions | docs/decisions/README.md lists each decision once, with the state that the decision's third line tells       |
# docs/reference, which is printed by gate, is free but for its links; so are docs/decisions and the changelog of contents.
cd "${1:?usage: pages.sh TREE}" || exit 2
PYTHONDONTWRITEBYTECODE=1 python3 - <<'PYTHON'
import glob
import hashlib
import os
import re
import shlex
import sys

FENCE = re.compile(r"^( *)(`{3,}|~{3,})\s*(\S*)")
CODE = re.compile(r"(?<!`)(`+)(?!`)((?:(?!\n *\n).)+?)(?<!`)\1(?!`)", re.S)
LINK = re.compile(r"\]\(([^()\s]*(?:\([^()\s]*\)[^()\s]*)*)(?:\s+\"[^\"]*\")?\)")
HEADING = re.compile(r"^(#{1,6})\s+(.*?)\s*#*\s*$")
ORIGIN = re.compile(r"<!-- of (\S+) (\S+) -->")
TYPED = ("console", "sh")
MAY_SHOW_COMMANDS = (*TYPED, "bash", "yaml", "groovy")
MOST_LINES = 300
FREE = "docs/reference/"
EXPLAINED = {f"docs/explanation/{name}.md" for name in ("baselines", "green", "history", "logs", "running", "tolerances")}

wrong = []


def anchor(title):
    """The anchor that GitHub gives a heading."""
    title = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", title)
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


class Page:
    def __init__(self, path):
        self.path = path
        with open(path, "rb") as file:
            self.bytes = file.read()
        self.lines = self.bytes.decode().splitlines()
        self.blocks = []  # (language, number of the fence, lines)
        self.prose = []  # all lines, those of blocks empty
        self.headings = []  # (level, title, anchor)
        self.read()

    def read(self):
        block, fence, seen = None, None, {}
        for number, line in enumerate(self.lines, 1):
            found = FENCE.match(line)
            self.prose.append("" if found or block is not None else line)
            if block is None and found:
                block, fence = (found[3], number, []), found
                self.blocks.append(block)
            elif block is not None and found and not found[3] and found[2].startswith(fence[2]):
                block = None
            elif block is not None:
                block[2].append(line[len(fence[1]):] if line.startswith(fence[1]) else line)
            elif heading := HEADING.match(line):
                name = anchor(heading[2])
                count = seen[name] = seen.get(name, -1) + 1
                self.headings.append((len(heading[1]), heading[2], f"{name}-{count}" if count else name))
        if block is not None:
            self.say(block[1], "a block that does not end")

    def say(self, number, words):
        wrong.append((self.path, number, words))

    def found(self, pattern, text):
        """Each match in the text of all lines, with its line."""
        return ((text.count("\n", 0, match.start()) + 1, match) for match in pattern.finditer(text))

    def inline_code(self):
        return ((number, " ".join(match[2].split())) for number, match in self.found(CODE, "\n".join(self.prose)))

    def links(self):
        without_code = CODE.sub(lambda match: "\n" * match[2].count("\n"), "\n".join(self.prose))
        return ((number, match[1]) for number, match in self.found(LINK, without_code))

    def anchors(self):
        return {name for _, _, name in self.headings} | set(re.findall(r'<a (?:id|name)="([^"]+)"', "\n".join(self.lines)))

    def commands(self):
        """What is typed, in its order, as (number, command)."""
        for language, fence, lines in self.blocks:
            if language not in TYPED:
                continue
            typed = False
            for number, line in enumerate(lines, fence + 1):
                if language == "sh" and line.strip() and not line.startswith("#"):
                    yield number, line
                elif line.startswith("$ ") or typed and line.startswith("> "):
                    yield number, line
                typed = line.startswith(("$ ", "> "))

    @property
    def chinese(self):
        return self.path.startswith("docs/zh/")


def english_of(path):
    """The English page of a Chinese one."""
    return "README.md" if path == "docs/zh/README.md" else "docs/" + path.removeprefix("docs/zh/")


def chinese_of(path):
    return "docs/zh/" + path.removeprefix("docs/")


def check_links(page, pages):
    folder = os.path.dirname(page.path)
    for number, target in page.links():
        if re.match(r"[a-z][a-z+.-]*:", target):
            continue
        file, _, name = target.partition("#")
        path = os.path.normpath(os.path.join(folder, file)) if file else page.path
        if path.startswith("..") or os.path.isabs(file) or not os.path.exists(path):
            page.say(number, f"leads nowhere: {target}")
        elif name and (path not in pages or name not in pages[path].anchors()):
            page.say(number, f"no such heading: {target}")


def check_length(page):
    if len(page.lines) > MOST_LINES:
        page.say(MOST_LINES + 1, f"{len(page.lines)} lines; a page has at most {MOST_LINES}")


def check_contents(page):
    chapters = [(title, name) for level, title, name in page.headings if level == 2]
    if len(chapters) < 3 or page.path.startswith("docs/decisions/") or page.path == "docs/CHANGELOG.md":
        return
    word = "本页：" if page.chinese else "On this page: "
    wanted = " · ".join(f"[{title}](#{name})" for title, name in chapters)
    for number, line in enumerate(page.prose, 1):
        if line.startswith("## "):
            break
        if line.startswith(word.strip()):
            if LINK.findall(line) != ["#" + name for _, name in chapters]:
                page.say(number, f"the contents are: {word}{wanted}")
            return
    page.say(1, f"no line of contents; it is: {word}{wanted}")


def check_blocks(page, known):
    shown = re.compile(r"(?:\$ )?gate (?:" + "|".join(sorted({name.split()[0] for name in known})) + r")(?: |$)|\$ gate\b")
    for language, fence, lines in page.blocks:
        if not language:
            page.say(fence, "a block without a language")
        elif language not in MAY_SHOW_COMMANDS:
            for number, line in enumerate(lines, fence + 1):
                if shown.match(line.strip()):
                    page.say(number, f"a command in a {language} block, which nothing types: {line.strip()}")


def global_flags(reference):
    """What every command takes, as the reference has it: of each flag whether a value stands behind it."""
    start = reference.lines.index("## Global flags")
    flags = {}
    for line in reference.lines[start + 1:]:
        if line.startswith("#"):
            return flags
        found = re.match(r"\| (-[^ |]*(?:, -[^ |]*)*)( [A-Z]+)? \|", line)
        if found:
            flags.update(dict.fromkeys(found[1].split(", "), bool(found[2])))
    return flags


def known_commands(lines, common):
    """The flags of each command, as the reference has them, with those of all."""
    known, command = {}, None
    for line in lines:
        if line.startswith("```"):
            command = None
        elif found := re.match(r"Usage: gate ([a-z]+(?: [a-z]+)?)", line):
            command = found[1]
            known[command] = set(common)
        elif command and re.match(r"  -", line):
            known[command] |= set(line.split()[0].split(","))
    return known


def words_of(code):
    try:
        return shlex.split(code)
    except ValueError:
        return code.split()


def check_command(page, number, code, known):
    words = words_of(code)[1:]
    while words and words[0].startswith("-"):
        if words[0].split("=")[0] not in common:
            page.say(number, f"gate has no {words[0]}: `{code}`")
        words = words[2 if common.get(words[0]) else 1:]
    if not words or not re.fullmatch(r"[a-z][a-z-]*", words[0]):
        return  # `gate`, or a word that stands for any command
    command = " ".join(words[:2]) if " ".join(words[:2]) in known else words[0]
    group = {name.split()[0] for name in known if " " in name}
    if command not in known:
        if words[0] not in group or len(words) > 1 and re.fullmatch(r"[a-z-]+", words[1]):
            page.say(number, f"gate has no such command: `{code}`")
        return
    for word in words[len(command.split()):]:
        if word == "--":
            return
        for flag in re.findall(r"^\[?(-[^=|\]]+)", word):
            if flag not in known[command] and not re.fullmatch(r"-[\d.]+%?", flag):
                page.say(number, f"gate {command} has no {flag}: `{code}`")


def check_inline(page, known):
    for number, code in page.inline_code():
        for piece in re.split(r"\s(?:&&|;|\\?\||>)\s", code):
            if piece.startswith("gate "):
                check_command(page, number, piece, known)


def check_origin(page, pages):
    path = english_of(page.path)
    if path not in pages:
        page.say(1, f"the English page {path} is not there")
        return
    now = hashlib.sha256(pages[path].bytes).hexdigest()[:12]
    told = ORIGIN.search("\n".join(page.lines[:3]))
    line = f"<!-- of {path} {now} -->"
    if not told or told[1] != path:
        page.say(1, f"its first three lines do not tell what it is of: {line}")
    elif told[2] != now:
        page.say(1, f"{path} changed: look at this page, then put {line}")


def check_typed(page, pages):
    path = english_of(page.path)
    if path not in pages:
        return
    theirs, ours = list(pages[path].commands()), list(page.commands())
    for (_, wanted), (number, line) in zip(theirs, ours):
        if line != wanted:
            page.say(number, f"{path} types here: {wanted}")
            return
    if len(ours) > len(theirs):
        page.say(ours[len(theirs)][0], f"{path} types no more: {ours[len(theirs)][1]}")
    elif len(theirs) > len(ours):
        number, line = theirs[len(ours)]
        page.say(len(page.lines), f"{path}:{number} is not typed: {line}")


def check_translated(page, pages):
    of_all = page.path == "README.md" or page.path.startswith(("docs/first-hour/", "docs/how-to/"))
    if (of_all or page.path in EXPLAINED) and chinese_of(page.path) not in pages:
        page.say(1, f"no Chinese page {chinese_of(page.path)}")


def state_of(decision):
    """What the third line of a decision says of it."""
    found = re.match(r"\*\*(Replaced by|Partly replaced by) \[(\d+)\]\(", "".join(decision.lines[2:3]))
    return f"{found[1].lower()} {found[2]}" if found else "holds"


def check_decisions(pages):
    index = pages["docs/decisions/README.md"]
    there = {path for path in pages if re.match(r"docs/decisions/\d", path)}
    listed = []
    for number, line in enumerate(index.lines, 1):
        row = re.match(r"\| \[(\d+)\]\((0*(\d+)-[^)]*)\) \| .+ \| (.+) \|$", line)
        if not row:
            continue
        listed.append("docs/decisions/" + row[2])
        if row[1] != row[3]:
            index.say(number, f"{row[2]} is not decision {row[1]}")
        if listed[-1] in there and row[4] != state_of(pages[listed[-1]]):
            index.say(number, f"its own page says: {state_of(pages[listed[-1]])}")
    for path in sorted(there):
        if listed.count(path) != 1:
            index.say(1, f"{path} is listed {listed.count(path)} times")


paths = ["README.md"] + sorted(glob.glob("docs/**/*.md", recursive=True))
pages = {path: Page(path) for path in paths}
common = global_flags(pages[FREE + "README.md"])
known = known_commands([line for path in pages if path.startswith(FREE) for line in pages[path].lines], common)
if "run" not in known or "baseline accept" not in known:
    sys.exit(f"{FREE}: its commands are not to be found")
for page in pages.values():
    check_links(page, pages)
    if not page.path.startswith(FREE):
        check_length(page)
        check_contents(page)
        check_blocks(page, known)
        check_inline(page, known)
    if page.chinese:
        check_origin(page, pages)
        check_typed(page, pages)
    else:
        check_translated(page, pages)
check_decisions(pages)
for path, number, words in wrong:
    print(f"{path}:{number}: {words}")
sys.exit(1 if wrong else 0)
PYTHON
