#!/usr/bin/env bash
# Each lint must pass on a copy of the tree and fail once a fault is planted there.   selftest.sh TREE LINT
tree=${1:?usage: selftest.sh TREE LINT} lint=$2
copy=$(mktemp -d) && out=$(mktemp) || exit 2
trap 'rm -rf "$copy" "$out"' EXIT

# What the lint looks at, copied once: of the format a part will do, the corpora of the fuzz targets nobody reads.
parts=(CMakeLists.txt README.md src include scripts docs tests .ci)
case $lint in
  format) parts=(.clang-format include src/ground/base tests/unit/base) ;;
  words) parts=(README.md src include scripts docs) ;;
  pages) parts+=(LICENSE baselines) ;;
  tidy) parts=(.clang-tidy) ;;
esac
tar -C "$tree" --exclude=tests/fuzz/corpus -c $(cd "$tree" && ls -d "${parts[@]}" 2>/dev/null) | tar -C "$copy" -x || exit 2

# must_fail FILE TEXT [WORDS]: with the text added to the file the lint is red, and says the words. Then the file is as it was.
must_fail() {
  planted=yes
  mkdir -p "$copy/$(dirname "$1")"
  printf '%s\n' "$2" >>"$copy/$1"
  if bash "$tree/tests/lint/$lint.sh" "$copy" >"$out" 2>&1; then
    echo "$lint.sh did not notice in $1: $2" && exit 1
  fi
  grep -qF -e "${1##*/}" -e "${1%/*}:" "$out" || { cat "$out" && echo "$lint.sh does not name $1" && exit 1; }
  [[ -z ${3:-} ]] || grep -qF -- "$3" "$out" || { cat "$out" && echo "$lint.sh does not say of $1: $3" && exit 1; }
  rm "$copy/$1"
  if [[ -e $tree/$1 ]]; then cp -p "$tree/$1" "$copy/$1"; else rmdir --ignore-fail-on-non-empty "$copy/$(dirname "$1")"; fi
}

case $lint in
  rooms)
    must_fail src/verdict/judge/judge.cpp '#include "gate/extract/format.h"'
    must_fail src/ground/base/text.cpp '#  include <gate/model/numbers/series.h>'
    must_fail include/gate/model/numbers/series.h '#include "gate/judge/judge.h"'
    must_fail src/reports/render/text/report_text.cpp '#include "config/settings.h"'
    must_fail src/reports/render/text/report_text.cpp '#include "../config/settings.h"'
    must_fail src/app/stored/checks/check.cpp '#include "gate/render/reporters.h"'
    must_fail src/app/stored/checks/check.cpp '#include "gate/runner/run.h"'
    must_fail src/app/runner/session/run.cpp '#include "gate/stored/check.h"'
    must_fail CMakeLists.txt 'gate_room(verdict/judge SEES base model extract)'
    must_fail src/app/cellar/wine.cpp 'int bottles;'
    ;;
  chapters)
    must_fail src/verdict/judge/series/limits.cpp '#include "judge/rules/plan.h"'
    must_fail src/verdict/judge/rules/plan.cpp '#include "judge/verdict.h"'
    must_fail src/app/places/README.md $'| `host/` | launch | - |'
    must_fail src/app/runner/cellar/wine.cpp 'int bottles;'
    must_fail src/reports/render/text/report_text.cpp $'namespace gate::render {\nstruct Baseline {\n};\n}'
    ;;
  format) must_fail src/ground/base/text.cpp 'int   x  ;' ;;
  words)
    must_fail README.md 'see /home/someone/logs'
    must_fail src/ground/base/text.cpp 'auto p = "/work/logs";'
    must_fail docs/glossary.md 'cd /root'
    ;;
  pages)
    page=docs/glossary.md
    must_fail $page '[a page](nowhere.md)' 'leads nowhere: nowhere.md'
    must_fail $page '[a page](../../outside.md)' 'leads nowhere'
    must_fail $page $'[a link\nof two lines](profiles.md#nowhere)' 'no such heading: profiles.md#nowhere'
    must_fail docs/long.md "$(printf 'line\n%.0s' {1..301})" '301 lines'
    must_fail docs/new.md $'# A\n\n## B c\n\n## D, `e`\n\n## F' 'On this page: [B c](#b-c) · [D, `e`](#d-e) · [F](#f)'
    must_fail docs/new.md $'# A\n\nOn this page: [B](#b) · [F](#f) · [D](#d)\n\n## B\n\n## D\n\n## F' 'the contents are'
    must_fail $page $'```\na block\n```' 'a block without a language'
    must_fail $page $'```text\na block' 'a block that does not end'
    must_fail $page $'```text\n$ gate run\n```' 'a command in a text block'
    must_fail $page '`gate fly`' 'no such command: `gate fly`'
    must_fail $page '`gate baseline fly`' 'no such command'
    must_fail $page '`gate run CASE --fly`' 'gate run has no --fly'
    must_fail $page $'`git pull && gate -q check\nA --fly=2 -- --rise`' 'gate check has no --fly'
    must_fail $page '`gate --fly run`' 'gate has no --fly'
    must_fail docs/how-to/new.md '# New' 'no Chinese page docs/zh/how-to/new.md'
    rm "$copy/docs/zh/explanation/green.md"
    must_fail docs/explanation/green.md '' 'no Chinese page docs/zh/explanation/green.md'
    cp "$tree/docs/zh/explanation/green.md" "$copy/docs/zh/explanation/"
    must_fail docs/how-to/ci.md 'One more line.' 'docs/how-to/ci.md changed: look at this page'
    must_fail docs/zh/new.md '# 新' 'the English page docs/new.md is not there'
    must_fail docs/zh/profiles.md '# 新' 'do not tell what it is of: <!-- of docs/profiles.md '
    must_fail docs/zh/profiles.md $'# 新\n\n## 一\n\n## 二：甲\n\n## 三' '本页：[一](#一) · [二：甲](#二甲) · [三](#三)'
    must_fail docs/zh/README.md $'```sh\ngate run\n```' 'README.md types no more: gate run'
    must_fail docs/decisions/0099-new.md '# 99. New' 'is listed 0 times'
    must_fail docs/decisions/README.md '| [1](0001-exact-decimals.md) | a second time | holds |' 'is listed 2 times'
    must_fail docs/decisions/README.md '| [5](0005-two-processes-guard-each-other.md) | a guard | holds |' 'its own page says: replaced by 22'
    must_fail docs/first-hour/my-log.md $'```sh\ngate run\n```' 'is not typed: gate run'
    ;;
  names)
    must_fail src/app/judging/outputs/copies.cpp $'namespace gate::app {\nnamespace {\nint find_device() { return 1; }\n}  // namespace\n}'
    must_fail src/app/judging/outputs/copies.cpp $'namespace gate::app {\nnamespace {\nstruct ReadingRow {};\n}  // namespace\n}'
    must_fail src/app/judging/outputs/copies.cpp $'namespace gate::app {\nnamespace {\nusing OtherSeries = int;\n}  // namespace\n}'
    must_fail src/app/judging/outputs/copies.cpp $'namespace gate::app {\nnamespace {\nbool is_plain(char c) { return c > 0; }\n}  // namespace\n}'
    must_fail src/app/judging/outputs/copies.cpp $'namespace gate::app {\nnamespace {\nint follow() { return 1; }\n}  // namespace\n}'
    must_fail src/app/judging/outputs/copies.cpp 'bool is_before(const std::string& a) { return natural_less(a, "b"); }'
    must_fail src/app/judging/outputs/copies.cpp 'auto decompressor() { return gate::Decompressor([](std::string_view) {}); }'
    ;;
  tables)
    must_fail src/verdict/score/unicode_tables.cpp 'constexpr std::array<CodePointRange, 1> number_ranges{{{0x0030, 0x0031}}};' number_ranges
    ;;
  shell)
    must_fail scripts/tinygpt/dp1.sh 'if true; then'
    must_fail tests/run 'if true; then'
    must_fail scripts/_packages 'if true; then'
    must_fail tests/cases/new.sh '! grep -q a b'
    ;;
  tidy)
    mkdir -p "$copy/src/app/cellar"
    printf '%s\n' '#include <string>' 'int half(int a) { double b = a / 2; return static_cast<int>(b + 0.5); }' \
      >"$copy/src/app/cellar/wine.cpp"
    printf '[{"directory": "%s", "command": "c++ -std=c++20 -c src/app/cellar/wine.cpp", "file": "%s"}]\n' \
      "$copy" "$copy/src/app/cellar/wine.cpp" >"$copy/compile_commands.json"
    ! bash "$tree/tests/lint/tidy.sh" "$copy" "$copy" cellar >"$out" 2>&1 && grep -q 'wine.cpp.*bugprone' "$out" ||
      { cat "$out" && echo "tidy.sh did not notice" && exit 1; }
    ;;
  *) echo "no faults known for $lint" && exit 2 ;;
esac
# Every fault has been taken back.
[[ -z ${planted:-} ]] || bash "$tree/tests/lint/$lint.sh" "$copy" || { echo "$lint.sh is red without a fault" && exit 1; }
