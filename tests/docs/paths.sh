# What the pages for contributors name is there: files and folders, and names of the code. A path stands as it is from the top, below
# src, include or include/gate, beside the page, or by the end of its name (`formats.cpp`); `<room>` and `*` stand for anything.
# What a page's own example makes is there, too. A test stands as ctest names it.
. "$(dirname "$0")/../cases/_lib"

/usr/bin/python3 - "$SOURCE" <<'PYTHON' || broken "pages name what is not there"
import pathlib
import re
import subprocess
import sys

root = pathlib.Path(sys.argv[1])
pages = [*sorted(root.glob("docs/contributing/*.md")), root / "docs/CONTRIBUTING.md", root / "docs/architecture.md", *sorted(root.glob("src/**/README.md"))]
sources = ["src", "include", "tests", "scripts", ".ci", "CMakeLists.txt", "CMakePresets.json"]
files = [str(p.relative_to(root)) for top in [*sources, "docs"] for p in [root / top, *(root / top).rglob("*")] if p.parent.parent.name != "corpus"]
words = set(subprocess.run(["grep", "-rhoE", r"\w+", "--exclude-dir=corpus", *sources], cwd=root, capture_output=True, text=True).stdout.split())

ENDS = (".cpp", ".h", ".sh", ".py", ".cmake")
NOT_OURS = re.compile(r"[-/~$.]|build/|.*://")  # flags, and paths on the reader's machine
PATH = re.compile(r"\.?[a-zA-Z<*_][\w.<>*-]*(/[\w.<>*-]+)*/?")
NAME = re.compile(r"(?:\w+::)*\w+(?:\(\))?")
all_paths = "\n" + "\n".join(files) + "\n"


def is_there(path, page):
    wanted = re.sub(r"<\w+>", "*", path.rstrip("/").removesuffix("-can-fail"))
    if (page.parent / wanted).exists():
        return True
    end = re.sub(r"\\\*", r"[^/\\n]*", re.escape(wanted))
    top = "(src/|src/[^/\\n]*/|src/[^/\\n]*/[^/\\n]*/|include/|include/gate/|tests/)?" if "/" in wanted else "([^\\n]*/)?"
    return re.search(rf"\n{top}{end}(\.cpp|\.h|\.sh)?\n", all_paths) is not None


def is_path(word):
    return PATH.fullmatch(word) and ("/" in word or word.endswith(ENDS)) and (word.startswith(".ci/") or not NOT_OURS.match(word))


def is_name(word):
    return NAME.fullmatch(word) and ("_" in word or "::" in word or "()" in word or re.search("[a-z][A-Z]", word))


def check(page):
    text = page.read_text()
    blocks = re.findall(r"^```(\w+)\n(.*?)^```$", text, re.M | re.S)
    example = "\n".join(block for language, block in blocks if language in ("cpp", "diff", "bash"))
    made = set(re.findall(r"^(?://|#) (\S+)$", example, re.M))
    own = words | set(re.findall(r"\w+", example))
    prose = re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S)
    inline = [word for code in re.findall(r"`([^`\n]+)`", prose) for word in code.split()]
    shown = [word for language, block in blocks if language == "text" for word in block.split()]
    tops = tuple(top + "/" for top in [*sources, "docs"])
    paths = [word for word in inline if is_path(word)] + [word for word in shown if word.startswith(tops) and is_path(word)]
    for path in dict.fromkeys(paths):
        if path not in made and "foundry" not in path and not is_there(path, page):
            yield f"{page.relative_to(root)}: there is no {path}"
    for name in dict.fromkeys(word for word in inline if not is_path(word) and is_name(word)):
        if not all(part in own for part in re.findall(r"\w+", name)):
            yield f"{page.relative_to(root)}: nothing is called {name}"


wrong = [fault for page in pages for fault in check(page)]
sys.exit("\n".join(wrong) or 0)
PYTHON
