# What gate says of itself.
. "$(dirname "$0")/_lib"

expect_exit 0 "$GATE" --version
expect_out_match '^gate 1\.0\.0$'

expect_exit 0 "$GATE" --help
for command in run check extract list baseline explain report; do
  expect_out "$command"
done

expect_exit 2 "$GATE" nosuch
expect_err nosuch

# --- gate --version -v: the build, and what is missing ---
expect_exit 0 gate --version -v
expect_out_match '^gate 1\.0\.0$'
expect_out_match '^commit +[^ ]+$'
expect_out_match '^build +(static|dynamic), [A-Za-z]+, .*, glibc [0-9.]+, [a-z0-9_]+$'
expect_out_match '^libraries +CLI11 [0-9.]+, '
expect_exit 0 gate --version --json
cp "$WORK/.last/out" version.json
expect_json version.json '.version == "1.0.0" and .build.kind != "" and (.libraries | length > 10 and .["SQLite"] != "")'
expect_json version.json '.sends_by | test("curl [0-9]+[.][0-9]+")'
expect_json version.json '[.missing[].what] | index("bash") == null and index("git") == null and index("[notify]") == null'

mkdir none
expect_exit 0 env PATH="$PWD/none" "$GATE" --version -v
expect_out_match '^missing +bash: scripts start only where '
expect_out_match '^missing +git: '
expect_exit 2 gate --version all

# --- the commit that a build is of ---
commit() { bash "$SOURCE/scripts/_commit" "$@" && text=$(<commit.cpp) && text=${text#*'build_commit = "'} && text=${text%'";'}; }
mkdir tree && echo a >tree/a
commit tree commit.cpp
[[ -z $text ]] || broken "no checkout, and a commit: $text"
git -C tree init -q && git -C tree add a && git -C tree commit -qm a
commit tree commit.cpp
[[ $text == "$(git -C tree rev-parse --short=7 HEAD)" ]] || broken "commit: $text"
touch -d '1 hour ago' commit.cpp && cp -p commit.cpp before.cpp
git -C tree tag -am v1 v1 && touch tree/a && commit tree commit.cpp
[[ ! commit.cpp -nt before.cpp ]] || broken "the same commit, and the file is written again"
echo b >tree/a && commit tree commit.cpp
[[ $text == *-dirty ]] || broken "a changed file, and the commit: $text"
mkdir tree/inner && commit tree/inner commit.cpp # an unpacked archive in somebody's checkout
[[ -z $text ]] || broken "the commit of another project: $text"
commit tree commit.cpp v1.0-5
[[ $text == v1.0-5 ]] || broken "commit: $text"
expect_exit 1 bash "$SOURCE/scripts/_commit" tree commit.cpp '"; evil'
