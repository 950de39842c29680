# The snippets of docs/how-to/ci.md are what they say: YAML that holds known keys alone, scripts that parse, and commands
# that gate takes, run in a small suite as a runner would. Those of the Chinese page are the same but for their comments.
. "$(dirname "$0")/_lib"

python=/usr/bin/python3 # the one that Debian's packages are for
"$python" -c 'import yaml' 2>/dev/null || skip "python3-yaml is not installed"
mkdir snippets
"$python" "$SOURCE/tests/cases/ci_docs.py" "$SOURCE/docs/how-to/ci.md" snippets || broken "docs/how-to/ci.md: not the structure that CI systems know"
[[ $(ls snippets/*.yaml snippets/*.groovy | wc -l) == 5 && $(ls snippets/*.bash | wc -l) == 13 ]]

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

if command -v yamllint >/dev/null; then
  yamllint -s -d '{extends: default, rules: {document-start: disable, truthy: {check-keys: false}, line-length: {max: 130},
    comments: {min-spaces-from-content: 1}}}' snippets/*.yaml chinese/*.yaml || broken "docs/how-to/ci.md or docs/zh/how-to/ci.md: yamllint"
fi
for script in snippets/*.bash; do # SC2164: runners stop where a cd fails
  bash -n "$script" || broken "$script does not parse"
  ! grep -F '${{' "$script" || broken "$script: an expression inside a script is an injection; hand it over by env"
  ! grep -E 'gate baseline (accept|record|import)' "$script" || broken "$script: CI writes a baseline"
  ! command -v shellcheck >/dev/null || shellcheck -s bash -S style -e SC2164 "$script" || broken "$script: shellcheck"
done

# --- each script as a runner calls it, in a suite that is green and in one that is red ---
# `curl -O` gets release files: an archive with this gate in it, and its sum. Anything else is written down.
mkdir bin releases
cat >bin/curl <<'END'
#!/bin/sh
case " $* " in
  *" -O https://releases.example.com/"*" -O https://releases.example.com/SHA256SUMS "*) cp "$RELEASES"/* . ;;
  *"?sort=asc&per_page=100"*) cat "$NOTES" ;;
  *) echo curl "$@" >>"$CALLS" ;;
esac
END
cat >bin/gh <<'END'
#!/bin/sh
case " $* " in
  *" --paginate "*) shift 4 && jq -r "$1" <"$NOTES" ;;
  *) echo gh "$@" >>"$CALLS" ;;
esac
END
chmod +x bin/curl bin/gh
name=gate-$("$GATE" --version | cut -d' ' -f2)-linux-$(uname -m)
mkdir -p "made/$name/bin"
ln "$GATE" "made/$name/bin/gate" 2>/dev/null || cp "$GATE" "made/$name/bin/gate"
tar -C made -czf "releases/$name.tar.gz" "$name"
(cd releases && sha256sum ./*.tar.gz | sed 's, \./, ,' >SHA256SUMS)
export PATH=$WORK/bin:$PATH CALLS=$WORK/calls PULL_REQUEST=7 OUTCOME=failure GITHUB_REPOSITORY=a/b CI_JOB_STATUS=failed NOTES=$WORK/notes CI_MERGE_REQUEST_IID=7 GATE_NOTE_TOKEN=t \
  CI_API_V4_URL=https://gitlab.example.com/api/v4 CI_PROJECT_ID=1 RELEASES=$WORK/releases GITHUB_PATH=$WORK/github_path \
  GATE_RELEASES=https://releases.example.com CI_PROJECT_DIR=$WORK/suite \
  SHARD=1 SHARDS=1 CI_NODE_INDEX=1 CI_NODE_TOTAL=1
echo '[{"id": 3, "body": "looks good"}]' >"$NOTES"
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
cp "$WORK/releases/SHA256SUMS" "$WORK/sums" && sed -i 's/^./x/' "$WORK/releases/SHA256SUMS"
for script in $(grep -l GATE_RELEASES "$WORK"/snippets/*.bash); do expect_exit 1 bash -e "$script"; done # not what was released
cp "$WORK/sums" "$WORK/releases/SHA256SUMS"
[[ $(grep -cE '^gh api --silent repos/a/b/issues/7/comments |/merge_requests/7/notes$' "$CALLS") == 2 && $(wc -l <"$CALLS") == 2 ]] ||
  broken "not one comment for GitHub and one for GitLab"
expect_file comment.md "<!-- gate -->"
expect_file comment.md "### GREEN: 1 passed (exit 0)"
for file in gate-run/junit.xml gate-run/report.html gate-run/metrics.txt gate-run/summary.md gate-run/c/log.txt; do expect_file $file; done

# A comment that is there is written anew, where all is green, too; where there is none, a green run writes none.
comments() { for script in $(grep -l 'comment.md' "$WORK"/snippets/*.bash); do expect_exit 0 bash -e "$script"; done; }
: >"$CALLS"
OUTCOME=success CI_JOB_STATUS=success comments
[[ ! -s $CALLS ]] || broken "a green run comments: $(<"$CALLS")"
printf '[{"id": 3, "body": "looks good"}, {"id": 4, "body": "<!-- gate -->\\n### RED"}]' >"$NOTES"
OUTCOME=success CI_JOB_STATUS=success comments
[[ $(grep -cE '^gh .*--method PATCH repos/a/b/issues/comments/4 |--request PUT .*/notes/4$' "$CALLS") == 2 ]] ||
  broken "the comment is not written anew: $(<"$CALLS")"
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
expect_exit 0 bash -e "$WORK/snippets/0-1.bash"
expect_out "GREEN: 1 passed (exit 0)"
