# The examples of docs/contributing as code. In a copy of the tree a block `cpp` becomes the file that its first line names
# (`// src/...`), and a block `diff` changes files: behind `--- FILE`, pieces that `@@` parts; what a piece has without its `+` lines
# stands in the file once. What came of it is as clang-format writes it, and compiles. A page whose blocks name no file is none
# of these: the example of a format is held by tests/unit/extract/documented_format_test.cpp.
# timeout: 300
. "$(dirname "$0")/../cases/_lib"
for program in clang++ clang-format; do command -v "$program" >/dev/null || skip "there is no $program"; done

# PAGE TREE: makes and changes the files, and prints their names.
apply=$(
  cat <<'PYTHON'
import pathlib
import re
import sys

tree = pathlib.Path(sys.argv[2])
made = []


def put(name, text):
    (tree / name).parent.mkdir(parents=True, exist_ok=True)
    (tree / name).write_text(text)
    made.append(name)


def change(piece, name):
    before, after = ("".join(line[1:] + "\n" for line in piece if line[:1] != drop) for drop in "+-")
    text = (tree / name).read_text()
    if text.count(before) != 1:
        sys.exit(f"{sys.argv[1]}: stands {text.count(before)} times in {name}:\n{before}")
    put(name, text.replace(before, after))


for language, block in re.findall(r"^```(cpp|diff)\n(.*?)^```$", pathlib.Path(sys.argv[1]).read_text(), re.M | re.S):
    lines = block.splitlines()
    if language == "cpp" and (named := re.fullmatch(r"// ((?:src|include|tests)/\S+)", lines[0])):
        put(named[1], block.partition("\n")[2])
    if language == "diff":
        name, piece = "", []
        for line in [*lines, "@@"]:
            if line == "@@" or line.startswith("--- "):
                if piece:
                    change(piece, name)
                piece, name = [], line[4:] or name
            else:
                piece.append(line)
print(*dict.fromkeys(made))
PYTHON
)

compile_one() {
  local floors=(src/[a-z]*)
  clang++ -std=c++20 -Wall -Wextra -Werror -DFMT_SHARED -DGATE_VERSION='"1.0.0"' -Iinclude "${floors[@]/#/-I}" -Itests/unit -I"$(dirname "$1")" -fsyntax-only "$1"
}
export -f compile_one

for page in "$SOURCE"/docs/contributing/*.md; do
  tree=$WORK/$(basename "$page" .md)
  mkdir -p "$tree/tests" && cp -r "$SOURCE"/{include,src,.clang-format} "$tree" && cp -r "$SOURCE/tests/unit" "$tree/tests"
  /usr/bin/python3 -c "$apply" "$page" "$tree" >files || broken "${page##*/}: its example does not fit the tree"
  (cd "$tree" && xargs -r clang-format --dry-run -Werror <"$WORK/files") || broken "${page##*/}: clang-format"
  (cd "$tree" && xargs -r -P 2 -n 1 bash -c '[[ $1 != *.cpp ]] || compile_one "$1"' _ <"$WORK/files") || broken "${page##*/}: does not compile"
  echo "${page##*/}: $(wc -w <files) files"
done
