# further: what one more run of a red case gets. It is never judged: it changes no verdict, and its
# values are nobody's.
. "$(dirname "$0")/_lib"

# A case that prints c.1, c.2, ... with each launch, the last of them again and again; c.n counts the launches, and
# c.words has what each was called with.
losses=(2.500000E+00 2.400000E+00 2.300000E+00 2.200000E+00)
prints() { # LOG OF TIMES...
  local n=0 times
  rm -f c.*
  for times; do megatron_log --throughput - --time "$times" "${losses[@]}" >"c.$((++n))"; done
}
launched() { [[ $(<c.n) == "$1" ]] || broken "launched $(<c.n) times, not $1"; }
verdict() { expect_json .gate/latest/result.json ".cases[0].verdict == \"$1\""; }
told() { expect_json .gate/latest/result.json "[.cases[0].notes[] | select(test(\"$1\"))] | length == 1"; }

suite
script c <<'END'
n=$(cat c.n 2>/dev/null || echo 0); n=$((n + 1)); echo $n >c.n
log=c.$n; [[ -e $log ]] || log=$(ls c.[0-9] | tail -n 1)
echo "$n: $* MARK=${MARK:-} TOKEN=${TOKEN:-}" >>c.words
[[ -z ${TOKEN:-} ]] || echo "token $TOKEN"
cat "$log"
for word; do [[ $word != --trace=* ]] || echo traced >"${word#--trace=}"; done
[[ ! -e leftover.$n ]] || { sleep 1000 & disown; }
[[ ! -e crash.$n ]] || exit 3
[[ ! -e hang.$n ]] || exec sleep 1000
END
config() {
  cat >gate.toml - <<'TOML'
[suite]
cwd = "."
platform = "cpu"
[rules.iteration_time]
window = "all"
[case.c]
TOML
  cat >>gate.toml
}
prints 100.0
config </dev/null
expect_exit 0 gate baseline record c
expect_exit 0 gate baseline accept c --reason "first numbers"

# --- slower: one more run, with the words behind ARGS; its log and artifacts are kept, and the verdict is as it was ---
config <<'TOML'
further = { on = "slow", args = "--profile  --trace=trace.json --profile-step-start 1", artifacts = ["trace.*"] }
TOML
prints 200.0 100.0
expect_exit 1 gate run c --report junit="$WORK/junit.xml" --report html="$WORK/report.html" -- --own
launched 2
expect_file c.words '1: --own MARK='
expect_file c.words '2: --own --profile --trace=trace.json --profile-step-start 1 MARK='
verdict regressed
refute_out 'the script wrote no file'
expect_out_match 'run 2 \(further: --profile --trace=trace.json --profile-step-start 1\) is not judged: .*exited 0'
for file in "$WORK/junit.xml" "$WORK/report.html" .gate/latest/result.json; do
  expect_file "$file" 'run 2 (further: --profile'
  expect_file "$file" 'c/try-2/artifacts'
done
expect_json .gate/latest/result.json '.cases[0].artifacts | has("log-2") and has("artifacts-2") and (has("series-2") | not)'
expect_file .gate/latest/c/try-2/artifacts/trace.json traced
refute_file .gate/latest/c/try-2/series.json
expect_json .gate/latest/result.json '[.cases[0].checks[] | select(.metric == "iteration_time" and .status == "fail")] | length == 1'
expect_json .gate/latest/result.json '.cases[0].checks[] | select(.metric == "iteration_time") | .actual == 200'

# --- no candidate, no history, no side of a comparison is made of it ---
slow=$(latest)
expect_json .gate/latest/c/series.json '.runs | length == 1'
expect_json .gate/latest/c/series.json '[.. | strings | select(. == "100.0")] == []'
gate history c --export >"$WORK/history.json"
[[ $(grep -c "$slow" "$WORK/history.json") == 1 ]] || broken 'not one run in the history'
cp -r baselines "$WORK/kept"
expect_exit 0 gate baseline accept c --run "$slow" --reason slower --despite args
expect_json baselines/cpu/c.json '.runs | length == 1'
expect_exit 0 gate compare "$slow" c
rm -r baselines && mv "$WORK/kept" baselines

# --- switched off; within tolerance; taken back by --confirm, or confirmed ---
prints 200.0
expect_exit 1 gate run c --set further=
launched 1
refute_out 'is not judged'
prints 101.0
expect_exit 0 gate run c
launched 1
prints 200.0 10.0
expect_exit 0 gate run c --confirm 2
launched 2
prints 200.0 150.0 10.0
expect_exit 1 gate run c --confirm 2
launched 3
expect_out 'run 3 (further: '
expect_out 'pooled over 2 runs (200.0, 150.0): 175.0 ms: confirmed'
expect_json .gate/latest/c/series.json '.runs | length == 2'

# --- a run that is stopped early for its speed: the further one runs to its end ---
prints 900.0
touch hang.1 # until it is stopped
expect_exit 1 gate run c --set early_stop=on
rm hang.1
expect_json .gate/latest/result.json '.cases[0].outcome.kind == "stopped_early"'
expect_file .gate/latest/c/try-2/log.txt 'iteration        4'
expect_out_match 'run 2 \(further: .*: it exited 0'

# --- what becomes of it is told, and nobody's verdict; what it leaves behind is a leftover ---
prints 200.0
touch crash.2 leftover.2
expect_exit 1 gate run c
verdict regressed
expect_out_match 'run 2 \(further: .*\) is not judged: it was no whole run: exited 3'
expect_out 'outlived the script and was stopped'
rm crash.2 leftover.2
touch hang.2
prints 200.0
expect_exit 1 gate run c --set hang=1s --set grace=1s --set startup=1s
verdict regressed
expect_out 'it was no whole run: hung'
expect_json .gate/latest/result.json '.cases[0].artifacts | has("evidence-2")'
rm hang.2

# --- of itself it is for any red; not in quarantine, nor where nothing was to be launched ---
config <<'TOML'
further = { args = "--red", env = { MARK = "why", LEVEL = 3 } }
TOML
prints 200.0
expect_exit 1 gate run c
expect_file c.words '2: --red MARK=why'
prints 100.0
sed -i s/2.300000E+00/2.900000E+00/ c.1
expect_exit 1 gate run c
expect_file c.words '2: --red MARK=why'
expect_out 'run 2 (further: LEVEL=3 MARK=why --red)'
prints 100.0
touch crash.1
expect_exit 4 gate run c
verdict crashed
expect_file c.words '2: --red MARK=why'
rm c.n
expect_exit 4 gate run c --set further=
launched 1
rm crash.1 c.n
expect_exit 125 gate run c --set needs=nowhere
refute_file c.n
touch crash.1
cat >>gate.toml <<TOML
quarantine = { until = "$(date -d '+30 days' +%F)", reason = "flaky", owner = "ada" }
TOML
expect_exit 3 gate run c
launched 1
rm crash.1

# --- variables of it that are secrets are masked; those of the case itself stay for the judged run ---
config <<'TOML'
env.MARK = "own"
further = { env = { MARK = "other", TOKEN = "sesame-sesame-sesame" } }
TOML
sed -i '/^cwd/a secrets = ["TOKEN"]' gate.toml
prints 100.0
touch crash.1
expect_exit 4 gate run c
expect_file c.words '1:  MARK=own TOKEN='
expect_file c.words '2:  MARK=other TOKEN=sesame'
! grep -r sesame .gate "$WORK/.last" || broken 'a secret is told'
rm crash.1

# --- what is written wrongly is found before anything is launched; --explain shows the setting ---
wrong() { # SETTING MESSAGE
  config <<<"$1"
  expect_exit 2 gate run c
  expect_err "$2"
}
rm -f c.n
wrong 'further = { arg = "--x" }' 'gate.toml:7:11: unknown key "arg"; did you mean "args"?'
wrong 'further = { env = { "1X" = "a" } }' '"1X" is no name of a variable'
wrong 'further = { env = "A" }' 'is no table of variables'
wrong 'further = { args = 3 }' 'is no text'
wrong 'further = "a\u0000b"' 'NUL'
wrong 'furthr = "--x"' 'did you mean "further"?'
wrong 'on_slow = "--x"' '"on_slow" is an old word; write further = { on = "slow", args = ... }'
refute_file c.n
config <<'TOML'
further = { on = "slow", args = "--a  b", env = { A = "1", N = 2 } }
TOML
expect_exit 0 gate list --explain c
expect_out_match '^further +\{ on = "slow", args = "--a  b", env = \{ A = "1", N = 2 \} \} +gate.toml:7:11'
expect_exit 0 gate list --explain c --set 'further=--profile,x'
expect_out_match '^further +--profile,x +--set'

# --- a case of Megatron's: variables of the further run may hold others, and none that there is not ---
suite megatron
mkdir -p cases/x && printf 'ENV_VARS:\n  A: one\nMODEL_ARGS:\n  --lr: 1\nTEST_TYPE: regular\n' >cases/x/model_config.yaml
echo 'echo "$* A=$A B=${B:-}" >>words; exit 3' >run.sh
cat >gate.toml <<'TOML'
[suite]
cases = "cases/*/model_config.yaml"
kind = "megatron"
launch = "bash run.sh {args}"
platform = "cpu"
cwd = "."
[case."*"]
devices = 0
further = { args = "--more", env = { B = "${A}s" } }
TOML
expect_exit 4 gate run
expect_file words '--lr 1 --more A=one B=ones'
rm words
sed -i 's/{A}s/{NOWHERE}/' gate.toml
expect_exit 2 gate run
expect_err_match 'x: further: .*NOWHERE'
refute_file words
