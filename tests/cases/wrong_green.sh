# Ways that once led to a wrong green, or hid a number: a row for each.
. "$(dirname "$0")/_lib"
suite

# --- a speed that is 0 throughout the baseline is no speed: the next one is gated ---
megatron_log --throughput 0.0 --time 500.0 2.5000 2.4000 2.3000 2.2000 >base.log
megatron_log --throughput 0.0 --time 600.0 2.5000 2.4000 2.3000 2.2000 >slow.log
expect_exit 0 gate check base.log --baseline base.log
expect_exit 1 gate check slow.log --baseline base.log
expect_out iteration_time
megatron_log --throughput 0.0 --time - 2.5000 2.4000 2.3000 2.2000 >unmeasured.log
expect_exit 0 gate check unmeasured.log --baseline unmeasured.log
expect_out "0 throughout the baseline, which is no speed"
# zero in the run alone is a loss of speed
megatron_log --throughput 90.0 2.5000 2.4000 2.3000 2.2000 >fast.log
expect_exit 1 gate check base.log --baseline fast.log

# --- a number beyond a double's range is an infinity ---
for word in inf +inf 9e999 1e309; do
  megatron_log --throughput "90.0,90.0,90.0,$word" 2.5000 2.4000 2.3000 2.2000 >odd.log
  expect_exit 1 gate check odd.log --baseline fast.log --set rules.throughput.reduce=median
done
megatron_log --throughput 90.0,90.0,90.0,9e307 2.5000 2.4000 2.3000 2.2000 >large.log
expect_exit 0 gate check large.log --baseline fast.log

# --- a mean since the run began hides a slow second half: it is no speed ---
for log in ms-swift/sft.log llama-factory/console.log hf-trainer/run.log; do
  expect_exit 0 gate extract "$SOURCE/tests/logs/$log" --csv
  ! grep -E '^(iteration_time|tokens_per_second|samples_per_second),' "$WORK/.last/out" || broken "$log has a speed"
done

# --- what the series alone do not tell is said on standard error ---
echo "nothing here" >nothing.log
megatron_log 2.5000 - 2.3000 >left_out.log
{ megatron_log 2.5000 2.4000 && megatron_log --from 2 2.9000; } >conflict.log
for form in --csv --json; do
  expect_exit 3 gate extract nothing.log "$form"
  expect_err "no step in nothing.log"
  expect_exit 0 gate extract left_out.log "$form"
  expect_err "of kind left_out, the first: left_out.log:2: "
  expect_exit 0 gate extract conflict.log "$form"
  expect_err "of kind conflict, the first: conflict.log:3: "
  expect_exit 0 gate extract base.log "$form"
  [[ ! -s $WORK/.last/err ]] || broken "says something of a log without a problem"
done

# --- secrets on the screen ---
script a <<<'echo ok > kept.txt'
baseline a <<<'{"lm loss": [2.5]}'
cat >gate.toml <<'TOML'
[defaults]
env.API_TOKEN = "hunter2hunter2"
setup = ": hunter2hunter2"
artifacts = ["kept.txt"]
TOML
for shown in "list --explain a" "list --explain a --json" "run --dry-run --json" "run --dry-run"; do
  # shellcheck disable=SC2086 # words of a command
  expect_exit 0 gate $shown
  refute_out hunter2
done
# shellcheck disable=SC2016 # for the script
expect_exit 0 gate run --dry-run --json -- --key hunter2hunter2
refute_out hunter2
gate run >out 2>&1 || true
expect_json .gate/latest/result.json '.cases[0].notes | any(test("artifacts: kept as the script wrote them, not masked"))'

# --- FlagPerf's times of the whole run ---
expect_exit 0 gate extract "$SOURCE/tests/logs/flagperf/rank0.out.log" --csv
expect_out_match '^raw_train_time,.*,1501\.713,s,'
expect_out_match '^init_time,.*,148\.937,s,'

# --- check and compare read with a pattern as extract does ---
printf 'round 1 score 2.50\nround 2 score 2.40\n' >first.txt
printf 'round 1 score 2.50\nround 2 score 2.90\n' >second.txt
pattern='round (?P<step>\d+) score (?P<lm_loss>\S+)'
expect_exit 0 gate check first.txt --baseline first.txt --pattern "$pattern"
expect_exit 1 gate check second.txt --baseline first.txt --pattern "$pattern"
expect_out "lm_loss"
expect_exit 2 gate check second.txt --baseline first.txt --pattern 'round ('
expect_exit 0 gate compare first.txt second.txt --pattern "$pattern"
expect_out "lm_loss"

# --- old logs are not new ones, whatever the script does to them ---
rm -rf scripts baselines gate.toml
script a <<<true
megatron_log 3.100 3.200 3.300 >whole.txt
expect_exit 0 gate baseline import whole.txt --case a --accept --reason "the first" --metrics lm_loss
# $1: its globs, $2: what the script does; old logs stand in out/ and aside/.
expect_old() {
  rm -rf out aside latest
  mkdir out aside
  for n in 1 2 3 4; do cp whole.txt out/old_$n.log; done
  cp whole.txt aside/older.log
  ln -s out latest
  [[ ${3:-} == large ]] && for _ in {1..700}; do cat whole.txt; done >out/large.log
  echo "[defaults]
log = [\"$1\"]" >gate.toml
  script a <<<"$2"
  expect_exit 4 gate run a
  expect_out "$4"
}
older='holds was there before the launch'
expect_old "out/*.log" "mv out/old_1.log out/new.log" "" "$older"
expect_old "out/*.log" "ln out/old_1.log out/new.log" "" "$older"
expect_old "out/*.log" "ln -s old_1.log out/new.log" "" "$older"
expect_old "latest/*.log" "ln -sfn aside latest" "" "$older"
expect_old "logs/*.log" "mv aside logs" "" "$older"
expect_old "out/*.log" "mv aside/older.log out/new.log" "" "$older"
expect_old "out/*.log*" "mv out/old_3.log out/old_3.log.1; mv out/old_2.log out/old_3.log; mv out/old_1.log out/old_2.log" "" "$older"
expect_old "out/*.log" "cp out/old_1.log out/new.log" "" "$older"
expect_old "out/*.log" "cp -p aside/older.log out/new.log" "" "$older"
expect_old "out/*.log" "rm out/old_1.log; cp out/old_2.log out/old_1.log" "" "$older"
expect_old "out/*.log" "cp out/large.log out/new.log" large "$older"
expect_old "out/*.log" "head -c 70000 out/large.log >out/new.log" large "$older"
expect_old "out/*.log" "cp out/old_1.log out/new.log; echo crashed >>out/new.log" "" INCOMPLETE
expect_old "out/*.log" "mv out/old_1.log out/new.log; echo crashed >>out/new.log" "" INCOMPLETE
expect_old "out/train.log" "echo begin >out/train.log; sleep 1.5; mv aside/older.log out/train.log; sleep 1.5" "" INCOMPLETE
# what is new in them counts, rotated by the script itself too
rm -rf out && mkdir out && head -n 1 whole.txt >out/train.log
echo '[defaults]
log = ["out/*"]' >gate.toml
script a <<'S'
mv out/train.log out/train.log.1
head -n 2 whole.txt >out/train.log
sleep 1.5
mv out/train.log.1 out/train.log.2; mv out/train.log out/train.log.1
tail -n 1 whole.txt >out/train.log
sleep 1.5
S
expect_exit 0 gate run a
expect_json .gate/latest/result.json '.cases[0].steps == 3 and (.cases[0].problems | length == 0)'
# a line that stood alone in an old file is no sign of a copy
rm -rf out && mkdir out && echo "=== training ===" >out/old.log
script a <<<"cat out/old.log whole.txt >out/new.log"
expect_exit 0 gate run a
expect_file .gate/latest/a/logs/1/out/new.log '=== training ==='

# --- two cases whose logs may be one file never run side by side ---
rm -rf out baselines/*
script a <<<'mkdir -p out; until [[ -e out/b_ended ]]; do [[ ! -e out/b_began ]] || break; sleep 0.05; (( ++i < 40 )) || break; done'
script b <<<'mkdir -p out; echo began >out/b_began; cat whole.txt >out/b.log; sleep 1; echo ended >out/b_ended'
for name in a b; do
  echo '{"lm loss": [3.1, 3.2, 3.3]}' >baselines/$name.json
done
echo '[defaults]
log = ["out/*.log"]' >gate.toml
expect_exit 0 gate run --dry-run --jobs 2
expect_out "never beside each other, for their scripts may write one log file (out/*.log): a, b"
expect_exit 4 gate run --jobs 2
expect_json .gate/latest/result.json '(.cases[0].verdict, .cases[1].verdict) == ("incomplete", "passed")'
echo '[defaults]
log = ["out/{case}*.log"]' >gate.toml
expect_exit 0 gate run --dry-run --jobs 2
refute_out "never beside each other"

# --- a file that the script of another launch has open is not this case's ---
rm -rf out && mkdir out
echo '[defaults]
log = ["out/*.log"]' >gate.toml
mkfifo open done
script b <<<'exec 5>out/b.log; cat whole.txt >&5; echo >open; read -r _ <done'
script a <<<'read -r _ <open; sleep 1.5; echo >done'
gate run b >b.out 2>&1 &
expect_exit 4 gate run a
expect_out 'log: out/b.log is left out: it is written by case b (pid'
wait $! || broken "b: $(cat b.out)"

# --- a result is kept by --resume only where all that it hangs on is the same ---
rm -rf out baselines scripts .gate
mkdir baselines scripts
step=' iteration        1/       1 | lm loss: 1.000000E+00 |'
# z waits as long as `slow` is there; a and c are judged before it.
begin_cut_off() {
  rm -rf .gate
  echo '[defaults]
timeout = "1h"' >gate.toml
  for name in a c z; do cp "$SOURCE/tests/cases/data/one_step.json" baselines/$name.json; done
  script a <<<"echo '$step'"
  script c <<<"echo '$step'; echo c >>ran_c"
  script z <<<"if [[ -e slow ]]; then echo >began; sleep 1000; fi; echo '$step'"
  rm -f began ran_c && touch slow
  gate run >cut.out 2>&1 &
  wait_for test -e began
  kill -TERM $!
  wait $! || true
  rm slow
  expect_json .gate/latest/result.json '[.cases[].verdict] == ["passed", "passed", "interrupted"]'
}
begin_cut_off
expect_exit 0 gate run --resume
refute_err "runs again"
[[ $(<ran_c) == c ]] || broken "c ran twice"
# $1: what is changed, $2: what gate calls it, $3: the verdict of a now
expect_again() {
  begin_cut_off
  eval "$1"
  run gate run --resume
  expect_err "a: runs again: its $2 changed since"
  expect_json .gate/latest/result.json ".cases[0].verdict == \"$3\""
  [[ $(<ran_c) == c ]] || broken "c ran twice"
}
expect_again 'script a <<<"echo nothing"' script incomplete
expect_again "sed -i s/1.0/2.0/ baselines/a.json" baseline regressed
expect_again "echo '[case.a]
timeout = \"2h\"' >>gate.toml" settings passed
expect_again "echo '[case.a.rules.lm_loss]
tolerance = \"±1\"' >>gate.toml" rules passed
expect_again "echo '[case.a]
env.MODE = \"fast\"' >>gate.toml" environment passed
begin_cut_off
jq '.inputs.gate = "another"' .gate/latest/a/result.json >other.json && mv other.json .gate/latest/a/result.json
expect_exit 0 gate run --resume
expect_err "a: runs again: its gate changed since"
begin_cut_off
jq 'del(.inputs)' .gate/latest/a/result.json >other.json && mv other.json .gate/latest/a/result.json
expect_exit 0 gate run --resume
expect_err "a: runs again: what it was judged from is not known"

# --- JSON lines are a log however their lines end, and wherever the run died ---
for step in 1 2 3; do printf '{"step": %d, "loss": 2.5%d00, "parts": [1, 2]}\n' $step $step; done >good.jsonl
sed 's/$/\r/' good.jsonl >crlf.jsonl
sed 's/$/\n\n/' good.jsonl >blank.jsonl
sed 's/^/  /' good.jsonl >indented.jsonl
tr '\n' '\r' <good.jsonl >cr.jsonl
{ printf '\xEF\xBB\xBF\n'; cat good.jsonl; } >bom.jsonl
for log in good crlf blank indented cr bom; do
  expect_exit 0 gate check $log.jsonl --baseline good.jsonl
  expect_exit 0 gate check good.jsonl --baseline $log.jsonl
  sed 's/2.5200/2.9200/' $log.jsonl >worse.jsonl
  expect_exit 1 gate check worse.jsonl --baseline good.jsonl
done
head -n 1 good.jsonl >first.jsonl
sed 's/$/\r/' first.jsonl >first_crlf.jsonl
tr -d '\n' <first.jsonl >first_open.jsonl
sed 's/, "parts.*/}/' first.jsonl >first_bare.jsonl
head -c 25 good.jsonl >cut.jsonl
head -c 6 good.jsonl >cut_key.jsonl
sed 's/2.5100/NaN/' first.jsonl >first_nan.jsonl
for log in first first_crlf first_open first_bare cut cut_key; do
  expect_exit 4 gate check $log.jsonl --baseline good.jsonl
done
expect_exit 1 gate check first_nan.jsonl --baseline good.jsonl
