# gate status and gate stop on runs that go on: found by suite, folder, id and case; stopped in each phase of a run, with
# a whole report that says who and why, and nothing left. The rest is said by tests/unit/app/status_test.cpp.
# timeout: 240
if [[ ${IN_OWN_PIDS:-} != yes ]]; then # where no other gate can be met
  for user in '' -r; do
    unshare -pf --mount-proc $user true 2>/dev/null && IN_OWN_PIDS=yes exec unshare -pf --mount-proc --kill-child $user bash "$0"
  done
  echo "skipped: this user may have no processes of its own" && exit 77
fi
. "$(dirname "$0")/_lib"
. "$(dirname "$0")/_host"
npu_host 2
export HOST USER=ada
suite my-suite
printf '[suite]\nname = "st"\n' >gate.toml

# A script that prints its steps, then says that it is there, and goes on until it is stopped.
stays() { # CASE [SETTING...]
  script "$1" <<SCRIPT
#GATE ${*:2}
echo ' iteration 1/ 50 | elapsed time per iteration (ms): 100.0 | lm loss: 2.5E+00 |'
echo ' iteration 2/ 50 | elapsed time per iteration (ms): 100.0 | lm loss: 2.4E+00 |'
touch "$WORK/there"
while [[ -d $WORK ]]; do sleep 0.05; done
SCRIPT
}
passes() { printf '#GATE judge=exit\ntrue\n' | script "$1"; }

begin() { # WORD...: gate run of them in the background, as $runner
  rm -f "$WORK/there"
  gate run "$@" >"$WORK/run.out" 2>&1 </dev/null & runner=$!
}
is_there() { [[ -e $WORK/there ]] || { [[ -d /proc/$runner ]] || broken "the run has ended: $(<"$WORK/run.out")"; false; }; }

# The run ended with the code, everything of it with it, and its report says why.
ended() { # CODE CASE VERDICT
  code=0 && wait $runner || code=$?
  [[ $code == "$1" ]] || broken "the run ended with $code: $(<"$WORK/run.out")"
  expect_json .gate/latest/result.json ".exit_code == $1 and (.cases[] | select(.case == \"$2\") | .verdict == \"$3\")"
  expect_json .gate/latest/result.json "any(.. | strings; contains(\"stopped by ada on\") and contains(\"wrong image\"))"
  [[ -z $(grep -lsz "^GATE_RUN_DIR=$PWD/.gate/runs/$(latest)\$" /proc/[0-9]*/environ) ]] || broken "something of the run lives on"
  refute_file .gate/latest/status.json
  refute_file .gate/latest/stop.jsonl
}

# --- nothing goes on ---
expect_exit 0 gate status
refute_out 'of st'
expect_exit 2 gate stop nothing
expect_err 'no run and no case "nothing" on this host or in this suite'
passes then_one
expect_exit 0 gate run then_one
run_id=$(latest)
expect_exit 0 gate status "$run_id"
expect_out 'exit code 0'
expect_exit 0 gate --lang zh status "$run_id"
expect_out '退出码 0'
expect_exit 3 gate stop "$run_id"
expect_err "run $run_id has ended, with exit code 0: there is nothing to stop"
expect_exit 2 gate stop "$WORK"
expect_err 'holds no result.json'

# --- followed: what goes wrong is seen before it ends, and the end is told; the script goes on when it has been seen ---
mkfifo "$WORK/next"
script drifts <<SCRIPT
loss() { echo " iteration \$1/ 4 | elapsed time per iteration (ms): 100.0 | lm loss: \$2 |"; }
loss 1 2.500000E+00
loss 2 2.400000E+00
[[ ! -e $WORK/wrong ]] || { loss 3 2.350000E+00 && read -r _ <$WORK/next; }
[[ -e $WORK/wrong ]] || loss 3 2.300000E+00
loss 4 2.200000E+00
SCRIPT
gate baseline record drifts >/dev/null 2>&1 && gate baseline accept drifts --reason first >/dev/null || broken "no baseline"
touch "$WORK/wrong"
begin drifts
begun() { gate status --json | jq -e '.runs[0].cases[0].curves[0].beyond_since == 3' >/dev/null; }
wait_for begun
expect_exit 0 gate status
expect_out_match '^    lm_loss +█▅▃ +2.35 +baseline █▅▁ 2.3 +\+0.05 \(±0.01\) +OUT OF TOLERANCE since step 3$'
gate status --follow >"$WORK/followed" 2>&1 & follower=$!
was_told() { grep -q 'drifts: step 3/4, .*lm_loss 2.35 +0.05 (±0.01)  OUT OF TOLERANCE since step 3' "$WORK/followed"; }
wait_for was_told
echo go >"$WORK/next"
wait $follower || broken "gate status --follow ended with $?"
wait $runner && broken "a wrong loss is green"
grep -qx "$(latest) drifts: regressed, step 4/4" "$WORK/followed" || broken "its end is not told: $(<"$WORK/followed")"
expect_exit 0 gate status --follow "$(latest)"
expect_out 'drifts: regressed'

# --- running: asked for from elsewhere, by suite, folder and id ---
stays stays
begin stays then_one
wait_for is_there
mkdir -p "$WORK/other/scripts" && printf '[suite]\nname = "st-2"\n[defaults]\ndevices = 0\n' >"$WORK/other/gate.toml"
cp scripts/stays.sh "$WORK/other/scripts/" && sed -i "s|there|there-2|" "$WORK/other/scripts/stays.sh"
gate -C "$WORK/other" run >"$WORK/other.out" 2>&1 </dev/null & other=$!
wait_for test -e "$WORK/there-2"
gate -C / status --follow >"$WORK/all" 2>&1 & followers=$!
gate status --follow >"$WORK/own" 2>&1 & followers+=" $!"
for follower in 'all of st-2 stays: ' 'all of st stays: ' 'own [0-9] stays: '; do
  wait_for grep -q "${follower#* }" "$WORK/${follower%% *}"
done
grep -q "following the runs of $PWD; gate -C / status --follow follows all" "$WORK/own" || broken "not told what is followed"
expect_exit 0 gate stop st-2
wait $other || true
for follower in $followers; do kill "$follower" && wait "$follower" || true; done
grep -q 'st-2' "$WORK/own" && broken "another suite is followed: $(<"$WORK/own")"
knows_the_step() { gate status --json | jq -e '.runs[] | select(.suite == "st") | .cases[] | select(.case == "stays") | .step == 2 and .total == 50' >/dev/null; }
wait_for knows_the_step
for word in st "$PWD" "$(latest)" .gate/latest ''; do
  expect_exit 0 gate status ${word:+"$word"}
  expect_out_match "^run $(latest) of st: run for "
  expect_out_match '^  stays +running .* 2/50'
  expect_out "of ada on"
done
cd "$WORK"
expect_exit 0 gate stop st --reason 'wrong image'
expect_out_match 'ended .*, exit code 143'
cd my-suite
ended 143 stays interrupted
expect_json .gate/latest/result.json '(.cases[] | select(.case == "stays") | .outcome | .by | endswith("wrong image"))'
expect_file .gate/latest/stays/log.txt 'iteration 2/'

# --- asked for where its processes are not seen, as on another host that shares the suite's folder ---
elsewhere() { unshare -pf --mount-proc "$GATE" "$@"; }
begin stays then_one
wait_for is_there
expect_exit 0 elsewhere status
expect_out_match '^  stays +running '
expect_exit 0 elsewhere -C / status
refute_out stays
gate status --json | jq -e '.runs | length == 1' >/dev/null || broken "the run is listed twice"
expect_exit 0 elsewhere stop stays --reason 'wrong image'
ended 143 stays interrupted

# --- a case by what other commands call it, too: its script, a key of FlagPerf's ---
stays bert/pytorch
cp gate.toml kept.toml
printf '[matrix."bert/pytorch"]\nsize = ["1x1"]\n[case."bert/pytorch"]\nenv.FLAGPERF_HARDWARE = "A100"\n' >>gate.toml
begin 'bert/pytorch@1x1'
wait_for is_there
expect_exit 2 gate stop bert:pytorch:H100:1:1:1
expect_err 'no run and no case "bert:pytorch:H100:1:1:1" on this host or in this suite'
expect_exit 0 gate stop bert:pytorch:A100:1:1:1 --reason 'wrong image'
ended 143 bert/pytorch@1x1 interrupted
mv kept.toml gate.toml && rm -r scripts/bert

# --- one case of it: the others go on ---
begin stays then_one
wait_for is_there
expect_exit 0 gate stop stays --reason 'wrong image'
expect_out_match '^  stays +interrupted'
ended 143 stays interrupted
expect_json .gate/latest/result.json 'any(.cases[]; .case == "then_one" and .verdict == "passed")'
begin stays then_one
wait_for is_there
expect_exit 0 gate stop then_one --reason 'wrong image' # between cases: it has not begun
expect_exit 0 gate stop scripts/stays.sh
ended 143 then_one interrupted
refute_file .gate/latest/then_one/log.txt

# --- a script that does not heed TERM has its grace, or none ---
printf '#GATE grace=1h\ntrap "" TERM\ntouch "%s"\nwhile [[ -d "%s" ]]; do sleep 0.05; done\n' "$WORK/there" "$WORK" | script deaf
begin deaf
wait_for is_there
gate stop deaf --reason 'wrong image' >"$WORK/asked" 2>&1 &
asking=$!
wait_for grep -q 'asked to stop' "$WORK/asked"
expect_exit 0 gate stop deaf --now --reason 'wrong image'
ended 143 deaf interrupted
wait $asking

# --- set-up ---
stays sets
printf '[suite]\nname = "st"\n[case.sets]\nsetup = "touch %s; sleep 120"\n' "$WORK/there" >gate.toml
begin sets
wait_for is_there
expect_exit 0 gate stop sets --reason 'wrong image'
ended 143 sets interrupted

# --- waiting for devices that another run has ---
stays holds devices=2
stays waits devices=2
begin holds
wait_for is_there
holder=$runner held=$(latest)
begin waits
waits_for_it() { gate status "$(latest)" | grep -q "waiting for .*run $held"; }
wait_for waits_for_it
expect_exit 2 gate stop st
expect_err 'means several runs'
expect_exit 0 gate stop "$(latest)" --reason 'wrong image'
ended 143 waits not_run
runner=$holder && ln -sfn "runs/$held" .gate/latest
expect_exit 0 gate stop "$held" --reason 'wrong image'
ended 143 holds interrupted

# --- waiting until its devices are idle ---
echo '4711 python3 58000' >"$HOST/1.users" && echo 61234 >"$HOST/1.hbm"
begin waits
is_busy() { gate status --json | jq -e '.runs[].cases[] | .waits_for // "" | contains("4711")' >/dev/null; }
wait_for is_busy
expect_exit 0 gate stop waits --reason 'wrong image'
ended 143 waits interrupted
rm "$HOST"/1.*

# --- confirming ---
log() { megatron_log --throughput "$1" 2.500000E+00 2.400000E+00 2.300000E+00; }
script speedy <<SCRIPT
#GATE idle_wait=1m
cat "\$(cat $WORK/log)"
[[ \$(cat $WORK/log) != $WORK/slow || ! -e $WORK/slept ]] || { touch "$WORK/there"; while [[ -d $WORK ]]; do sleep 0.05; done; }
touch $WORK/slept
SCRIPT
log 100.0 >"$WORK/fast" && log 50.0 >"$WORK/slow" && echo "$WORK/fast" >"$WORK/log"
expect_exit 0 gate baseline record speedy
expect_exit 0 gate baseline accept speedy --reason first
rm "$WORK/slept" && echo "$WORK/slow" >"$WORK/log"
begin speedy --confirm 3
wait_for is_there
expect_exit 0 gate stop speedy --reason 'wrong image'
ended 1 speedy regressed

# --- a run whose gate was killed is no running one ---
begin stays
wait_for is_there
worker=$(gate status --json | jq '.runs[0].pid')
kill -KILL "$worker" && wait $runner || true
expect_exit 0 gate status "$(latest)"
expect_out 'cut off, last seen'
expect_exit 3 gate stop "$(latest)"
expect_err 'when it was cut off'
expect_exit 0 gate status
refute_out 'of st'

# --- another user's ---
((EUID == 0)) || skip "only root can be somebody else"
as_nobody() { setpriv --reuid 65534 --regid 65534 --clear-groups "$@"; }
chmod 755 "$WORK" && rm -rf .gate
begin stays
wait_for is_there
expect_exit 2 as_nobody "$GATE" stop "$(latest)"
expect_err 'is another user'
expect_exit 2 as_nobody "$GATE" -C / stop st
expect_err 'none goes on'
chmod 755 .gate .gate/runs
expect_exit 3 as_nobody "$GATE" stop "$PWD/.gate/runs/$(latest)"
expect_err "is that of ada (uid 0): only they, or root, can stop it"
expect_exit 0 gate stop stays --reason 'wrong image'
ended 143 stays interrupted
