# The snippets of docs/how-to/ci.md are what they say: YAML that holds known keys alone, scripts that parse, and commands
# that gate takes, run in a small suite as a runner would. Those of the Chinese page are the same but for their comments.
. "$(dirname "$0")/_lib"
. "$SOURCE/tests/cases/_ci"

mkdir snippets
"$python" "$SOURCE/tests/cases/ci_docs.py" "$SOURCE/docs/how-to/ci.md" snippets || broken "docs/how-to/ci.md: not the structure that CI systems know"
[[ $(ls snippets/*.yaml snippets/*.groovy | wc -l) == 8 && $(ls snippets/*.bash | wc -l) == 9 ]]

mkdir chinese
"$python" "$SOURCE/tests/cases/ci_docs.py" "$SOURCE/docs/zh/how-to/ci.md" chinese || broken "docs/zh/how-to/ci.md: not the structure that CI systems know"
[[ $(ls chinese) == "$(ls snippets)" ]] || broken "docs/zh/how-to/ci.md: not the snippets of the English page"
without_comments() { # FILE: a comment stands alone or behind a blank; `//` begins one in Groovy, `#` in YAML
  local mark='#'
  [[ $1 != *.groovy ]] || mark='//'
  sed -E "s,(^|[[:space:]]+)$mark .*,," "$1"
}
for snippet in snippets/*; do
  diff <(without_comments "$snippet") <(without_comments "chinese/${snippet#*/}") ||
    broken "docs/zh/how-to/ci.md: not docs/how-to/ci.md's $snippet"
done

[[ $(grep -hoE '(@|ref: |rev: )v[0-9.]+' snippets/*.yaml | grep -o '[0-9.]*\.[0-9.]*' | sort | uniq -c | xargs) == "3 $version" ]] ||
  broken "docs/how-to/ci.md: another version than $version"
lint_yaml snippets/*.yaml chinese/*.yaml
lint_bash snippets/*.bash

# --- each script as a runner calls it, in a suite that is green and in one that is red ---
serve_releases
export GATE_RELEASES=$releases/good GITHUB_PATH=$WORK/github_path CI_PROJECT_DIR=$WORK/suite SHARD=1 SHARDS=1 CI_NODE_INDEX=1 CI_NODE_TOTAL=1
suite
megatron_log 2.500000E+00 2.400000E+00 >good.log
megatron_log 2.500000E+00 2.500000E+00 >bad.log
script c <<<'cat good.log'
expect_exit 0 gate baseline import good.log --case c --accept --reason "first numbers"
for script in "$WORK"/snippets/*.bash; do
  ! grep -q 'GATE_RELEASES' "$script" || rm -rf "$HOME/.local"
  expect_exit 0 bash -e "$script"
  "$HOME/.local/bin/gate" --version >/dev/null
done
[[ $(<"$GITHUB_PATH") == "$HOME/.local/bin" ]]
for script in $(grep -l GATE_RELEASES "$WORK"/snippets/*.bash); do # not what was released, not all of it, nothing
  GATE_RELEASES=$releases/wrong expect_exit 1 bash -e "$script"
  GATE_RELEASES=$releases/cut expect_exit 18 bash -e "$script"
  GATE_RELEASES=$releases/none expect_exit 22 bash -e "$script"
done
for file in gate-run/junit.xml gate-run/report.html gate-run/metrics.txt gate-run/c/log.txt; do expect_file $file; done

cp bad.log good.log
ran=0
for script in "$WORK"/snippets/*.bash; do
  if grep -q 'gate run' "$script"; then
    expect_exit 1 bash -e "$script"
    ran=$((ran + 1))
  fi
done
[[ $ran == 5 ]] || broken "$ran scripts run the gate, not 5"

# Of shards the report decides, also where one of them is missing or none is there.
for script in $(grep -l 'gate report --merge' "$WORK"/snippets/*.bash); do
  expect_exit 1 bash -e "$script"
  rm -r shards
  expect_exit 2 bash -e "$script"
  expect_exit 1 gate run --shard 1/2 --out shards/1
  expect_exit 1 bash -e "$script"
  expect_out "1 shard missing (2/2)"
done

# The host fails once: the second try counts.
script c <<<'cat good.log'
megatron_log 2.500000E+00 2.400000E+00 >good.log
cat >gate.toml <<'END'
[case.c]
setup = "test -e ../healed || { touch ../healed; exit 1; }"
END
expect_exit 0 bash -e "$WORK/snippets/2-1.bash"
expect_out "GREEN: 1 passed (exit 0)"
