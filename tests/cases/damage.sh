# What gate must not damage or leave behind, whatever it is told and however it ends: a part for each.
. "$(dirname "$0")/_lib"
suite
script a <<<'echo " iteration        1/       1 | lm loss: 1.000000E+00 |"'
cp "$SOURCE/tests/cases/data/one_step.json" baselines/a.json

# --- reports go into what stands under the name, and replace a file alone ---
flags=(--junit --html --markdown --openmetrics --json-file)
mknod null c 1 3 2>/dev/null || : >no_nodes
mkfifo pipe
for flag in "${flags[@]}"; do
  if [[ ! -e no_nodes ]]; then
    expect_exit 0 gate run a "$flag" null
    [[ -c null ]] || broken "$flag replaced a device"
  fi
  cat pipe >from_pipe &
  expect_exit 0 gate run a "$flag" pipe
  wait $!
  [[ -p pipe ]] || broken "$flag replaced a pipe"
  rm -f target link other && : >target && ln -s target link && ln -s link other
  expect_exit 0 gate run a "$flag" other
  [[ -L other && -L link && ! -L target ]] || broken "$flag replaced a link"
  cmp -s <(grep -v '[0-9][0-9]:[0-9][0-9]' target) /dev/null && broken "$flag wrote nothing through the link"
  [[ -s from_pipe ]] || broken "$flag wrote nothing into the pipe"
  expect_exit 2 gate run a "$flag" nowhere/at/all.txt
  expect_err "nowhere/at/all.txt: there is no folder nowhere/at"
  expect_exit 2 gate run a "$flag" scripts
done
gate run a --json-file /dev/stdout 2>/dev/null >both
[[ $(grep -c '"schema": "gate.result/1"' both) == 1 ]] || broken "not one report on standard output"
grep -q '^GREEN' both || broken "what was printed is lost"
expect_exit 125 gate run a --json-file pipe
expect_err "pipe: cannot write"
ln -sfn loop loop
expect_exit 125 gate run a --html loop
for command in "history --html" "compare a a --html"; do
  # shellcheck disable=SC2086 # words of a command
  expect_exit 0 gate $command other
  [[ -L other && -L link ]] || broken "$command replaced a link"
done

# --- a log glob that leaves its folder overwrites nothing ---
for glob in ../../log.txt ../x.log a/../../x.log ..; do
  expect_exit 2 gate run a --set "log=$glob"
  expect_err "leaves the folder that it is seen from; write the whole path"
done
script b <<<'mkdir -p out; echo " iteration        1/       1 | lm loss: 1.000000E+00 |" >out/b.log; echo said'
cp baselines/a.json baselines/b.json
expect_exit 0 gate run b --set "log=out/none/../*.log"
expect_file .gate/latest/b/log.txt said
expect_file .gate/latest/b/logs/1/out/b.log iteration

# --- a file at its size limit is an error of writing, and the report is whole where there is room ---
script c <<<'for i in {1..3000}; do echo "a line that is long enough to fill a file soon: $i"; done'
cp baselines/a.json baselines/c.json
run bash -c 'ulimit -f 64; exec "$GATE" run c'
((code == 125)) || broken "ended with $code"
expect_err "File too large"
expect_json .gate/latest/result.json '.exit_code == 125 and .cases[0].verdict == "infra"'

# --- what others wrote turns no line and breaks none ---
printf 'RuntimeError: \xC2\x85one\xC2\x9B2Jtwo\xE2\x80\xA8three\xE2\x80\xAEfour\xE2\x81\xA6five\xD8\x9Csix\n' >odd.log
expect_exit 4 gate check odd.log --baseline baselines/a.json
for bytes in '\xC2\x85' '\xC2\x9B' '\xE2\x80\xA8' '\xE2\x80\xAE' '\xE2\x81\xA6' '\xD8\x9C'; do
  ! LC_ALL=C grep -qP -- "$bytes" "$WORK/.last/out" || broken "$bytes is shown as it is"
done
expect_out '\xe2\x80\xae'
