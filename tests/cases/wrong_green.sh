# Ways that once led to a wrong green, or hid a number: a row for each.
# timeout: 300
. "$(dirname "$0")/_lib"
suite
anew() { rm -rf ./* .gate && mkdir scripts baselines; }

# --- a speed that is 0 throughout the baseline is no speed: the next one is gated ---
megatron_log --throughput 0.0 --time 500.0 2.5000 2.4000 2.3000 2.2000 >base.log
megatron_log --throughput 0.0 --time 600.0 2.5000 2.4000 2.3000 2.2000 >slow.log
expect_exit 0 gate check base.log --baseline base.log
expect_exit 1 gate check slow.log --baseline base.log
expect_out iteration_time
megatron_log --throughput 0.0 --time - 2.5000 2.4000 2.3000 2.2000 >unmeasured.log
expect_exit 0 gate check unmeasured.log --baseline unmeasured.log
expect_out "nowhere above 0 in the baseline, which is no speed"
# zero in the baseline alone judges nothing
for profile in gate modellink; do
  printf '{"lm loss": [2.5, 2.4, 2.3, 2.2, 2.1, 2.0], "throughput": [0.0, 0.0, 0.0, 0.0, 0.0, 0.0]}' >zero.json
  megatron_log --throughput 90.0 --time - 2.5000 2.4000 2.3000 2.2000 2.1000 2.0000 >six.log
  expect_exit 3 gate check six.log --baseline zero.json --profile $profile
done
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
  expect_exit 0 gate extract "$SOURCE/tests/logs/$log" --format csv
  ! grep -E '^(iteration_time|tokens_per_second|samples_per_second),' "$WORK/.last/out" || broken "$log has a speed"
done

# --- lists of different lengths: the shorter one of a speed is of the last steps, and so it is of a longer run ---
losses='2.5000 2.4000 2.3000 2.2000 2.1000 2.0000'
echo "{\"lm loss\": [${losses// /, }], \"throughput\": [90, 90, 90]}" >shorter.json
ends() { # EXIT WHAT SPEEDS LOSSES...
  megatron_log --throughput "$3" "${@:4}" >ends.log
  for golden in shorter.json baselines/imported.json; do
    expect_exit "$1" gate check ends.log --baseline $golden
    expect_out "$2"
  done
}
script imported <<<'true'
expect_exit 0 gate baseline import shorter.json --case imported --accept --reason "as it was"
expect_out "throughput: no step numbers in the file, taken as steps 4-6, the last of 6"
# shellcheck disable=SC2086
ends 0 "throughput 0 %" 30,30,30,90,90,90 $losses
# shellcheck disable=SC2086
ends 1 "throughput  mean of steps 4-6  90 -> 80" 90,90,90,80,80,80 $losses
# shellcheck disable=SC2086
ends 0 "throughput: the run goes on, and its last steps are compared: 6-8" 30,30,30,30,30,90,90,90 $losses 1.9000 1.8000
# shellcheck disable=SC2086
ends 1 "throughput  mean of steps 6-8  90 -> 80" 90,90,90,90,90,80,80,80 $losses 1.9000 1.8000
# one value may be a mean, or of any step
echo "{\"lm loss\": [${losses// /, }], \"throughput\": [90]}" >one.json
expect_exit 3 gate check ends.log --baseline one.json

# --- a step that a golden file names without a value is not judged, and no plain green ---
megatron_log 2.5000 2.4000 2.3000 2.2000 >four.log
echo '{"lm loss": [2.5000, null, 2.3000, 2.2000]}' >null.json
expect_exit 0 gate check four.log --baseline null.json
expect_out "lm_loss 3 of 4 steps"
echo '{"lm loss": [2.5000, null, "nan", null]}' >null.json
expect_exit 3 gate check four.log --baseline null.json
expect_out "lm_loss: steps 2-4: not recorded in the baseline"
# 15 values are enough, whatever is named in front of them
python3 -c 'import json; print(json.dumps({"lm loss": {"start_step": 1, "end_step": 35, "step_interval": 1, "values": {str(i): "nan" if i <= 20 else 2.5001 for i in range(1, 36)}}}))' >behind.json
# shellcheck disable=SC2046
megatron_log --from 21 $(for _ in {1..15}; do echo 2.5001; done) >behind.log
expect_exit 0 gate check behind.log --baseline behind.json
expect_out "lm_loss 15 steps"

# --- skipped steps move no weight: where every judged one is new, nothing was trained ---
skips() { sed -E "$1s/skipped iterations:   0/skipped iterations:   1/" four.log >skips.log; }
skips 1,4
expect_exit 3 gate check skips.log --baseline four.log
expect_out "its log says that every step that is judged was skipped, 1-4"
expect_exit 3 gate check skips.log --baseline <(echo '{"lm loss": [2.5000, 2.4000, 2.3000, 2.2000]}')
expect_exit 0 gate check skips.log --baseline skips.log
expect_exit 0 gate check skips.log --baseline four.log --set 'rules.skipped_iterations.tolerance=<= 1'
skips 1,3
expect_exit 0 gate check skips.log --baseline four.log

# --- a rank that printed nothing, where constants alone judge ---
ranks() { # EXIT RANKS...
  local memory=() code=$1
  for rank in "${@:2}"; do memory+=(--memory "$rank:1000:2000"); done
  { [[ -z ${WORLD:-} ]] || echo "$WORLD"; megatron_log "${memory[@]}" 2.5000 2.4000 2.3000 2.2000; } >ranks.log
  expect_exit "$code" gate check ranks.log --case a --set devices=4 --set steps=4 --set strict=false \
    --set 'rules.memory_allocated.tolerance=<= 1100'
}
script a <<<'true'
ranks 0 0 1 2 3
refute_out "ranks printed it"
ranks 3 0 1 2
expect_out "memory_allocated: 3 of its 4 ranks printed it"
ranks 0 0 1 # copies of the model may print nothing
expect_out "memory_allocated: 2 of its 4 ranks printed it"
WORLD="using world size: 4, data-parallel size: 2, tensor-model-parallel size: 2" ranks 0 0 1
refute_out "ranks printed it"
WORLD="using world size: 4, data-parallel size: 1, tensor-model-parallel size: 4" ranks 3 0 1
# a baseline that lacks it as well says which are to: a note
ranks 3 0 1 2
cp ranks.log three.log
expect_exit 0 gate baseline import three.log --case a --accept --reason "three of them"
expect_exit 0 gate check three.log --case a --set devices=4
expect_out "memory_allocated, memory_max_allocated: 3 of its 4 ranks printed it"
expect_exit 0 gate check three.log --case a --set devices=3
refute_out "ranks printed it"
rm baselines/a.json

# --- a limit in percent lets every share of errors pass ---
printf 'eval step %d wer %s\n' 1 0.9 2 0.8 >share.log
printf 'eval step %d wer %s\n' 1 60 2 45 >percent.log
cat >gate.toml <<'TOML'
[metrics.wer]
pattern = 'eval step (?P<step>\d+) wer (?P<value>[\d.]+)'
kind = "accuracy"
better = "lower"
TOML
wer() { expect_exit "$1" gate check "$2" --case a --set steps=2 --set rules.wer.window=all --set rules.wer.reduce=last --set "rules.wer.tolerance=<= $3"; }
wer 3 share.log 50
expect_out "one of them is in percent"
wer 0 share.log 0.85
wer 0 percent.log 50
rm gate.toml scripts/* baselines/*

# --- what the series alone do not tell is said on standard error ---
echo "nothing here" >nothing.log
megatron_log 2.5000 - 2.3000 >left_out.log
{ megatron_log 2.5000 2.4000 && megatron_log --from 2 2.9000; } >conflict.log
for form in --format=csv --json; do
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
expect_exit 0 gate extract "$SOURCE/tests/logs/flagperf/rank0.out.log" --format csv
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
anew
script a <<<true
megatron_log 3.100 3.200 3.300 >whole.txt
expect_exit 0 gate baseline import whole.txt --case a --accept --reason "the first" --metric lm_loss
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
mkfifo begin open done
script b <<<'read -r _ <begin; exec 5>out/b.log; cat whole.txt >&5; echo >open; read -r _ <done'
script a <<<'echo >begin; read -r _ <open; sleep 1.5; echo >done'
gate run b >b.out 2>&1 &
expect_exit 4 gate run a
expect_out 'log: out/b.log is left out: it is written by case b (pid'
wait $! || broken "b: $(cat b.out)"

# --- a result is kept by --resume only where all that it hangs on is the same ---
anew
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

# --- a script that dies short of what it announced, and exits with 0 ---
anew
{ megatron_log --total 50 2.500 2.400 2.300; echo 'RuntimeError: CUDA error: an illegal memory access was encountered'; } >died.log
{ megatron_log --total 50 2.500 2.400 2.300; printf 'Traceback (most recent call last):\n  File "a.py", line 1, in <module>\nValueError: x\n'; } >raised.log
{ printf 'Traceback (most recent call last):\n  File "a.py", line 1, in <module>\nValueError: x\n'; megatron_log --total 50 2.500 2.400 2.300; } >early.log
{ cat early.log; printf 'Traceback (most recent call last):\n  File "a.py", line 1, in <module>\nValueError: x\n'; } >again.log
megatron_log --total 50 2.500 2.400 2.300 >short.log
megatron_log --total 3 2.500 2.400 2.300 >whole.log
for log in died raised again; do
  expect_exit 4 gate check $log.log --baseline short.log
  expect_out "ended after step 3 of the 50 that its log announces; the log says: "
  script $log <<<"cat $log.log"
  echo '{"lm loss": [2.500, 2.400, 2.300]}' >baselines/$log.json
  expect_exit 4 gate run $log
done
for log in short early; do
  expect_exit 0 gate check $log.log --baseline short.log
  expect_out "ended after step 3 of the 50 that its log announces"
done
{ cat whole.log; echo 'RuntimeError: CUDA error: an illegal memory access was encountered'; } >after.log
expect_exit 0 gate check after.log --baseline whole.log
refute_out "announces"

# --- a single comma is no thousands sign unless the format says so ---
megatron_log --throughput 50.000 2.500 2.400 2.300 >point.log
sed s/50.000/50,000/ point.log >comma.log
expect_exit 4 gate check comma.log --baseline point.log
expect_out "has two readings: thousands, or a decimal comma"
for words in "step 1 tps 7,282" "step 2 tps 7,300"; do echo "$words"; done >tps.txt
cat >gate.toml <<'TOML'
[metrics.tps]
pattern = 'step (?P<step>\d+) tps (?P<value>\S+)'
TOML
expect_exit 3 gate extract tps.txt --format csv
expect_err "has two readings: thousands, or a decimal comma"
sed -i '$a thousands = true' gate.toml
expect_exit 0 gate extract tps.txt --format csv
expect_out_match '^tps,,1,7282,'
rm gate.toml

# --- null is no value of a baseline ---
script n <<<true
echo '{"lm loss": [2.5, null, 2.3]}' >null.json
expect_exit 3 gate baseline import null.json --case n
expect_err "lm_loss: step 2 is null"
refute_file .gate/candidates/n.json
mkdir -p tree && cp null.json tree/n.json
expect_exit 3 gate baseline import --tree tree
expect_out "lm_loss: step 2 is null"

# --- a baseline that is numbered otherwise than the run cannot be compared ---
{ megatron_log 2.500 2.400 2.300; echo '[Rank 0] (after 1 iterations) memory (MB) | allocated: 100.0 | max allocated: 120.0 | reserved: 130.0 | max reserved: 140.0'; } >memory.log
echo '{"lm loss": {"start_step": 1, "end_step": 3, "step_interval": 1, "values": {"1": 2.5, "2": 2.4, "3": 2.3}},
 "mem-allocated-bytes": {"start_step": 1, "end_step": 3, "step_interval": 1, "values": {"1": 104857600, "2": 104857600, "3": 104857600}}}' >golden.json
expect_exit 3 gate check memory.log --baseline golden.json
expect_out "the baseline has it by step, the run by report; rules.memory_allocated = false leaves it ungated"
expect_exit 0 gate check memory.log --baseline golden.json --set rules.memory_allocated=false

# --- memory that is there is gated ---
memory() { # $1: what it is called, $2: MiB of each report
  local mib i=0
  megatron_log 2.500 2.400 2.300
  for mib in $2; do echo "[Rank 0] (after $((++i)) iterations) memory (MB) | $1: $mib |"; done
}
for name in reserved "max reserved"; do
  memory "$name" "130.0 100.0" >base.log
  memory "$name" "144.0 100.0" >more.log
  memory "$name" "142.0 142.0" >same.log
  expect_exit 1 gate check more.log --baseline base.log
  expect_exit 0 gate check same.log --baseline base.log
done

# --- the numbers of one chip, accepted as general, gate accuracy alone on another ---
anew
script a <<'S'
for ((i = 1; i <= 12; i++)); do
  echo " iteration $i/ 12 | elapsed time per iteration (ms): 500.0 | throughput per GPU (TFLOP/s/GPU): ${SPEED:-100.0} | lm loss: ${LOSS:-2.500} |"
done
S
SPEED=300.0 bash scripts/a.sh >fast.log
expect_exit 0 gate baseline import fast.log --case a --platform nvidia-h100
expect_exit 0 gate baseline accept a --to general --reason "of another chip"
expect_json baselines/a.json '.platform == "nvidia-h100"'
expect_exit 0 gate run a --platform cpu
expect_out "throughput, iteration_time: the baseline is of nvidia-h100, this run of cpu"
LOSS=2.600 expect_exit 1 gate run a --platform cpu
expect_exit 1 gate check <(SPEED=100.0 bash scripts/a.sh) --case a --platform nvidia-h100
# accepted again by a part of another chip, it would say neither
expect_exit 0 gate baseline import fast.log --case a --platform cpu
expect_exit 3 gate baseline accept a --to general --metric throughput --reason "a part"
expect_err "its general baseline is of nvidia-h100, the candidate of cpu"
expect_exit 0 gate baseline accept a --to general --metric lm_loss --reason "accuracy is of any chip"
expect_json baselines/a.json '.platform == "nvidia-h100"'

# --- what is accepted without being named is not red ---
anew
for name in a b c; do
  script $name <<<true
  megatron_log 2.500 2.400 2.300 >first.log
  expect_exit 0 gate baseline import first.log --case $name --accept --reason "first"
done
megatron_log 2.500 2.700 2.300 >worse.log
candidates() {
  for name in a b; do expect_exit 0 gate baseline import worse.log --case $name; done
  expect_exit 0 gate baseline import first.log --case c
}
candidates
cp -r baselines before
for words in "" "*" "**" "b **" "?"; do
  # shellcheck disable=SC2086 # words of a command
  set -f && expect_exit 3 gate baseline accept $words --reason "all of them" && set +f
  expect_err ": regressed: lm_loss"
  expect_err "candidates refused, and nothing was changed"
  expect_same before/a.json baselines/a.json
done
expect_exit 0 gate baseline accept a --reason "on purpose"
expect_out "was red: lm_loss"
expect_exit 0 gate baseline accept --reason "on purpose, too" --despite regressed
expect_json baselines/b.json '.accepted[-1].despite == ["regressed"]'
expect_json baselines/a.json '.accepted[-1].despite // [] == []'
# of fewer runs
script c <<'S'
for ((i = 1; i <= 3; i++)); do echo " iteration $i/ 3 | lm loss: 2.500 |"; done
S
rm -rf baselines/c.json
expect_exit 0 gate baseline record c --runs 3
expect_exit 0 gate baseline accept c --reason "three runs"
expect_exit 0 gate baseline record c
expect_exit 3 gate baseline accept c --reason "one run"
expect_err "fewer_runs: the candidate holds 1 run, the present baseline 3"
expect_exit 0 gate baseline accept c --reason "one run" --despite fewer_runs

# --- a link stays, and what it leads to is written ---
mkdir -p shared && mv baselines/a.json shared/a.json && ln -s ../shared/a.json baselines/a.json
ln -s ../shared/new.json baselines/b.json.link && mv -T baselines/b.json.link baselines/b.json
for name in a b; do
  expect_exit 0 gate baseline import first.log --case $name
  expect_exit 0 gate baseline accept $name --reason "through the link"
  [[ -L baselines/$name.json ]] || broken "the link of $name is gone"
done
expect_json shared/a.json '.accepted[-1].reason == "through the link"'
expect_json shared/new.json '.accepted[-1].reason == "through the link"'
ln -sfn c.json baselines/c.json
expect_exit 0 gate baseline import first.log --case c
expect_exit 3 gate baseline accept c --reason "in a circle"

# --- who accepts at the same time loses nothing ---
rm -r baselines/*
accept_now() { gate baseline import first.log --case "$1" --accept --reason "number $2" >"$2.out" 2>&1 && echo "$1 $2" >>reported; }
kept() {
  local name number
  while read -r name number; do
    expect_json baselines/$name.json ".accepted | any(.reason == \"number $number\")"
  done <reported
}
: >reported
for number in {1..20}; do accept_now a "$number" & done
wait
[[ $(wc -l <reported) == 20 ]] || broken "not all were accepted: $(cat ./*.out)"
kept
: >reported
for first in 1 5 9 13 17; do
  for number in $first $((first + 1)) $((first + 2)) $((first + 3)); do accept_now b "$number" & done
  wait
done
[[ $(wc -l <reported) == 20 ]] || broken "not all were accepted, four at a time"
kept
: >reported
for number in {1..20}; do
  {
    gate baseline import first.log --case c --accept --reason "number $number" >/dev/null 2>&1 &
    if ((number % 3 == 0)); then sleep "0.0$((number % 7))" && kill -KILL $! 2>/dev/null || true; fi
    wait $! 2>/dev/null && echo "c $number" >>reported
  } &
done
wait
kept
expect_exit 0 gate baseline list c

# --- compare and check say the same of the same two logs ---
anew
speeds() { local IFS=,; echo "$*"; }
losses=$(printf '2.500 %.0s' {1..20})
# shellcheck disable=SC2086 # a list
megatron_log --throughput "$(speeds 50.0 100.0 100.0 100.0 100.0 100.0 100.0 100.0 100.0 100.0 {101..110}.0)" $losses >slow_start.log
# shellcheck disable=SC2086
megatron_log --throughput "$(speeds 100.0 100.0 100.0 100.0 100.0 90.0 90.0 90.0 90.0 90.0 {100..109}.0)" $losses >slow_middle.log
expect_exit 0 gate check slow_middle.log --baseline slow_start.log --json
change=$(jq -r '.cases[0].checks[] | select(.metric == "throughput") | .delta_percent' "$WORK/.last/out")
[[ $change == -* ]] || broken "no change for the worse: $change"
expect_exit 0 gate compare slow_start.log slow_middle.log
expect_out_match "^throughput +20 +mean of 11-20 +105.5 +104.5 +${change%% *} %"
# --- what docs/profiles.md says of a resumed run ---
megatron_log --total 4 2.500 2.400 2.300 2.200 >run1.log
megatron_log --total 4 --from 3 2.300 2.200 >run2.log
expect_exit 4 gate check run2.log --baseline run1.log
expect_exit 0 gate compare run1.log run2.log
expect_out_match '^lm_loss +2 +mean of 3, 4 +2.25 +2.25 +0 % +equal at all 2 steps'
expect_out "2 steps only in A: 1, 2"

# --- found by somebody who tried to make gate go green ---
anew
megatron_log 3.100 3.200 3.300 >whole.txt
for name in a b; do echo '{"lm loss": [3.1, 3.2, 3.3]}' >baselines/$name.json; done
script a <<<true
script b <<<true
# acceptances of two suites that share their baselines
mkdir -p two/scripts && ln -s ../baselines two/baselines && echo true >two/scripts/a.sh
for folder in . two; do (cd $folder && expect_exit 0 gate baseline import "$OLDPWD/whole.txt" --case a); done
metrics=(lm_loss throughput iteration_time grad_norm learning_rate loss_scale global_batch_size consumed_samples)
for i in "${!metrics[@]}"; do
  (cd "$( ((i % 2)) && echo two || echo .)" && gate baseline accept a --metric "${metrics[i]}" --reason "$i" >/dev/null) &
done
wait
expect_json baselines/a.json '.accepted | length == 8'
# two baselines that are one file
mkdir shared && mv baselines/b.json shared/x.json && ln -s ../shared/x.json baselines/b.json
cp -P baselines/b.json baselines/a.link && mv -T baselines/a.link baselines/a.json
expect_exit 0 gate baseline import whole.txt --case b
expect_exit 3 gate baseline accept a b --reason "one of them is lost"
expect_err "are one file"
# one log behind a linked folder
anew
for name in a b; do echo '{"lm loss": [3.1, 3.2, 3.3]}' >baselines/$name.json; done
mkdir real && ln -s real link
script a <<<true
script b <<<true
printf '[case.a]\nlog = ["link/*.log"]\n[case.b]\nlog = ["real/*.log"]\n' >gate.toml
expect_exit 0 gate run --dry-run
expect_out "never beside each other"
# a copy of an old log whose lines end in CR, and one that is copied slowly
megatron_log 3.100 3.200 3.300 >whole.txt
mkdir out && tr '\n' '\r' <whole.txt >out/cr.log && cp whole.txt out/old.log
printf '[defaults]\nlog = ["out/*"]\n' >gate.toml
script a <<<'cp out/cr.log out/new.log; echo crashed >>out/new.log'
expect_exit 4 gate run a
rm out/new.log
script a <<<'head -c 200 out/old.log >out/new.log; sleep 1.5; tail -c +201 out/old.log >>out/new.log; sleep 1.5; echo crashed >>out/new.log'
expect_exit 4 gate run a
rm out/new.log
script a <<<'{ head -n 1 out/old.log; sleep 1.5; echo; tail -n +2 out/old.log; } >out/new.log'
expect_exit 0 gate run a
# a message behind the last step, and a validation behind that
megatron_log --total 50 3.100 3.200 3.300 >short.log
{ cat short.log; echo 'RuntimeError: CUDA error: an illegal memory access was encountered'
  echo ' validation loss at iteration 3 | lm loss value: 2.1 | lm loss PPL: 3.0 |'; } >died.log
expect_exit 4 gate check died.log --baseline baselines/a.json
# a baseline with a word of two readings
sed -E 's/lm loss: 3.200/lm loss: 3,200/' whole.txt >comma.log
expect_exit 2 gate check whole.txt --baseline comma.log
expect_err "has two readings"
expect_exit 3 gate baseline import comma.log --case a
# memory of which what is allocated is 0
zero() { megatron_log 3.100 3.200 3.300; echo "[Rank 0] (after 3 iterations) memory (MB) | allocated: 0.0 | max allocated: 0.0 | reserved: $1 | max reserved: $1"; }
zero 130.0 >base.log
zero 530.0 >more.log
expect_exit 1 gate check more.log --baseline base.log
zero 0.0 >none.log
expect_exit 0 gate check none.log --baseline none.log
# what was red as unjudged is not accepted without a name
echo '{"lm loss": [3.1, 3.2, 9.3]}' >odd.json
expect_exit 0 gate baseline import odd.json --case a
expect_exit 3 gate baseline accept --reason "all"
expect_err "regressed: lm_loss"
# a run that is taken up on another platform
anew
script a <<<'echo " iteration        1/       1 | lm loss: 1.000000E+00 |"'
script z <<<'if [[ -e slow ]]; then echo >began; sleep 1000; fi; bash scripts/a.sh'
for name in a z; do cp "$SOURCE/tests/cases/data/one_step.json" baselines/$name.json; done
touch slow
gate run --platform cpu >cut.out 2>&1 &
wait_for test -e began
kill -TERM $! && wait $! || true
rm slow
expect_exit 2 gate run --resume --platform nvidia-h100
expect_err "was started with --platform=cpu; give the same"
