# A case's fault: its script is killed, told to end or paused at a step, started again, and judged as one run.
. "$(dirname "$0")/_lib"

suite
cat >gate.toml <<'TOML'
[suite]
platform = "cpu"
[rules]
throughput = false
iteration_time = false
memory_allocated = false
memory_max_allocated = false
memory_max_reserved = false
memory_reserved = false
lm_loss = { tolerance = "exact", window = "all" }
TOML
# What is in FIRST goes to the first start only, what is in SECOND to the second. A first start that hangs behind the
# step of its fault cannot end before it is hit.
cat >train.sh <<'SHELL'
echo "start $GATE_START"
train() {
  "$TINYGPT" --ranks 1 --steps 12 --save "$GATE_CHECKPOINT_DIR" --save-interval 3 \
    --load "$GATE_CHECKPOINT_DIR" "$@"
}
words() { if ((GATE_START == 1)); then echo "${FIRST:-}"; else echo "${SECOND:-}"; fi; }
SHELL
like() { sed "s|\"case\": \"tiny\"|\"case\": \"$1\"|" baselines/tiny.json | baseline "$1"; }
starts() { grep -c '^start [12]$' ".gate/latest/$1/log.txt"; }
expect_starts() { [[ $(starts "$2") == "$1" ]] || broken "$(starts "$2") starts of $2, expected $1"; }
note() { expect_json .gate/latest/result.json ".cases[0].notes | any(test(\"$1\"))"; }

script tiny <<'SCRIPT'
#GATE devices=0 timeout=1m grace=5s fault=kill@5
. ./train.sh
train $(words) "$@"
SCRIPT

# --- a baseline is that of an undisturbed run ---
expect_exit 0 gate baseline record tiny
expect_starts 1 tiny
expect_exit 0 gate baseline accept tiny --to general --metric lm_loss --reason undisturbed

# --- killed at 20 random steps behind the first checkpoint, and equal to the last digit ---
for i in {1..20}; do
  step=$((4 + RANDOM % 7))
  sed "s/fault=kill@5/fault=kill@$step share_host=yes/" scripts/tiny.sh | script "random/$i"
  like "random/$i"
done
FIRST='--hang-at 12' expect_exit 0 gate run 'random/*'
expect_out '20 passed'
expect_json .gate/latest/result.json \
  '[.cases[] | select(any(.notes[]; test("^killed at step [0-9]+, as fault = kill@[0-9]+ says; started again after")))] | length == 20'
expect_json .gate/latest/result.json '[.cases[].checks[] | select(.rule == "lm_loss") | .status] == [range(20) | "pass"]'
rm -r scripts/random baselines/random

FIRST='--hang-at 6' expect_exit 0 gate run tiny
expect_out bit-equal
expect_starts 2 tiny
note '^killed at step 5, as fault = kill@5 says; started again after .*; went on at step 4; steps 4-5 were computed twice$'
note '^the speed of steps 4-5 is not compared'
refute_file .gate/latest/tiny/checkpoints/latest_checkpointed_iteration.txt
cp .gate/latest/tiny/log.txt "$WORK/both.log"

FIRST='--hang-at 6' expect_exit 1 gate run tiny --set 'rules.recomputed_steps.tolerance=<= 1'
expect_out_match '^ +recomputed_steps +1 of 1 report not <= 1'

# --- what judges nothing behind the restart shows nothing of it ---
FIRST='--hang-at 6' expect_exit 3 gate run tiny --set 'rules.lm_loss.window=first 3'
expect_out 'the training went on at step 4 behind its fault, and no accuracy is judged from there on: widen the window of lm_loss'

FIRST='--hang-at 7' expect_exit 0 gate run tiny --set 'fault=kill@45%'
note '^killed at step 6, as fault = kill@45% says'
FIRST='--hang-at 6' expect_exit 0 gate run tiny --determinism 2
expect_starts 2 tiny
expect_starts 2 tiny/try-2

# --- a log of both starts, saved: nothing is inflicted, and its restart is expected ---
expect_exit 0 gate check --case tiny "$WORK/both.log"
expect_out bit-equal
refute_out 'no fault was inflicted'

# --- what goes on from its checkpoint, and not exactly ---
FIRST='--hang-at 6 --no-save-optim' expect_exit 1 gate run tiny
expect_out 'REGRESSED tiny'
note 'lm_loss of step 5 was .*, and .* when attempt 2 computed it again'

# --- what goes on from nothing ---
script forgets <<'SCRIPT'
#GATE devices=0 timeout=1m fault=kill@5
. ./train.sh
rm -rf "$GATE_CHECKPOINT_DIR"/*
train $(words)
SCRIPT
like forgets
FIRST='--hang-at 6' expect_exit 4 gate run forgets
expect_out 'began at step 1: nothing was resumed'
FIRST='--hang-at 6' expect_exit 0 gate run forgets --set 'fault=kill@5 scratch'
expect_out bit-equal

# --- a checkpoint whose tracker was torn is named ---
FIRST='--hang-at 6 --torn-tracker' expect_exit 4 gate run tiny
expect_out 'CRASHED tiny'
expect_out 'latest_checkpointed_iteration.txt is empty'

# --- so is one that is no regular file, and nobody waits for it ---
for tracker in 'mkdir "$it"' 'mkfifo "$it"' 'ln -s /dev/zero "$it"' 'ln -s pipe "$it"' 'ln -s nowhere "$it"'; do
  script odd <<SCRIPT
#GATE devices=0 timeout=1m fault=kill@2
it=\$GATE_CHECKPOINT_DIR/latest_checkpointed_iteration.txt
((GATE_START == 1)) && mkfifo "\$GATE_CHECKPOINT_DIR/pipe" && $tracker
for i in 1 2 3 4; do echo "{\"step\": \$i, \"loss\": 2.\$i}"; done
((GATE_START == 2)) || exec sleep 60
SCRIPT
  expect_exit 4 gate run odd
  expect_out 'latest_checkpointed_iteration.txt is no regular file; it was torn'
done

# --- a second start that has no step left shows nothing ---
script idle <<'SCRIPT'
#GATE devices=0 timeout=1m fault=kill@4 steps=4
((GATE_START == 1)) || exit 0
for i in 1 2 3 4; do echo "{\"step\": $i, \"loss\": 2.$i}"; done
exec sleep 60
SCRIPT
expect_exit 4 gate run idle
expect_out 'its second start printed no step, for none was left: choose an earlier step'

# --- a fault that is not inflicted is never green ---
expect_exit 4 gate run tiny --set fault=kill@30
expect_out 'the run ended before step 30: no fault was inflicted'
expect_exit 4 gate run tiny --set 'fault=kill@5 rank 1'
expect_out 'there was no process of rank 1 at step'
expect_starts 1 tiny
script endless <<'SCRIPT'
#GATE devices=0 fault=kill@50%
for i in 1 2 3; do echo "{\"step\": $i, \"loss\": 2.$i}"; done
SCRIPT
expect_exit 4 gate run endless
expect_out 'it is not known which step the last one is'

# --- told to end: a dying checkpoint loses nothing; who does not hear is killed ---
FIRST='--save-on-term --sleep-ms 150' expect_exit 0 gate run tiny --set fault=term@4 --set 'rules.recomputed_steps.tolerance=<= 0'
note '^sent SIGTERM at step 4, as fault = term@4 says; started again after .*; went on at step ([5-9]|1[0-2])$'
expect_out bit-equal
script deaf <<'SCRIPT'
#GATE devices=0 timeout=1m grace=200ms fault=term@5
. ./train.sh
trap '' TERM
train $(words)
while ((GATE_START == 1)); do sleep 0.1; done
SCRIPT
like deaf
FIRST='--stop-at 5' expect_exit 0 gate run deaf
expect_out bit-equal
note 'sent SIGTERM at step 5, .*; went on at step 4'

# --- one rank of two: the others end by it, or start it again themselves ---
# The port is freed and taken again: it is none of those that gates give, which have leases of their own in each test.
cat >nodes.sh <<'SHELL'
port=$((MASTER_PORT + 1000))
pids=()
for rank in 0 1; do
  (RANK=$rank && export RANK && train --nnodes 2 --node-rank $rank --master-addr 127.0.0.1 --master-port "$port" "$@") &
  pids+=($!)
done
code=0
for pid in "${pids[@]}"; do wait "$pid" || code=$?; done
SHELL
script nodes <<'SCRIPT'
#GATE devices=0 timeout=1m grace=20s
. ./train.sh
. ./nodes.sh $(words)
exit $code
SCRIPT
expect_exit 0 gate baseline record nodes --set fault=kill@5
expect_exit 0 gate baseline accept nodes --to general --metric lm_loss --despite set --reason undisturbed
for rank in 0 1; do
  FIRST='--hang-at 6' expect_exit 0 gate run nodes --set "fault=kill@5 rank $rank"
  expect_out bit-equal
  expect_starts 2 nodes
  note "^rank $rank was killed at step 5, .*; started again after .*; went on at step 4; steps 4-5 were computed twice"
done
# The rank that hangs is the one that is hit: the other one waits for it, and ends by its end.
script elastic <<'SCRIPT'
#GATE devices=0 timeout=1m grace=20s fault="kill@5 rank 1"
. ./train.sh
. ./nodes.sh $(words)
((code == 0)) || . ./nodes.sh
exit $code
SCRIPT
sed 's|"case": "nodes"|"case": "elastic"|' baselines/nodes.json | baseline elastic
FIRST='--hang-at 6' expect_exit 0 gate run elastic
expect_out bit-equal
expect_starts 1 elastic
note '^rank 1 was killed at step 5, .*; it went on by itself at step 4; steps 4-5 were computed twice'

# --- paused: it goes on by itself, unless it ends badly because of that ---
FIRST='--sleep-ms 150' expect_exit 0 gate run tiny --set 'fault=pause@4 for 300ms'
expect_out bit-equal
expect_starts 1 tiny
note '^paused for 300ms at step 4, as fault = pause@4 for 300ms says; it went on by itself$'
script offended <<'SCRIPT'
#GATE devices=0 timeout=1m fault="pause@5 for 100ms"
. ./train.sh
((GATE_START == 2)) || trap 'kill $!; exit 9' CONT
train $(words) &
wait $!
SCRIPT
like offended
FIRST='--hang-at 6' expect_exit 0 gate run offended
expect_starts 2 offended

# --- two starts that both die are the last one's ---
FIRST='--hang-at 6' SECOND='--crash-at 8' expect_exit 4 gate run tiny
expect_out 'CRASHED tiny'
expect_starts 2 tiny

# --- stopped between the two starts: the second one is never made ---
script dying <<'SCRIPT'
#GATE devices=0 timeout=1m grace=30s fault=term@5
. ./train.sh
trap 'touch "$GATE_RUN_DIR/dying"; until [[ -e $GATE_RUN_DIR/stopped ]]; do sleep 0.05; done; kill $!; exit 0' TERM
train $(words) &
wait $!
SCRIPT
FIRST='--hang-at 6' gate run dying >"$WORK/dying" 2>&1 &
gate_pid=$!
wait_for test -e .gate/latest/dying
kill -INT "$gate_pid"
touch .gate/latest/stopped
code=0 && wait "$gate_pid" || code=$?
((code == 130)) || broken "exit code $code: $(<"$WORK/dying")"
expect_starts 1 dying
refute_file .gate/latest/dying/checkpoints

# --- what the starts print, word by word: a step again, a line cut off, steps that are not there ---
script printed <<'SCRIPT'
#GATE devices=0 timeout=1m fault=kill@3
cat "$WORK/start.$GATE_START"
((GATE_START == 2)) || exec sleep 1000
SCRIPT
baseline printed <<<'{"lm loss": [2.5, 2.4, 2.3, 2.2, 2.1]}'
export WORK
megatron_log --total 5 2.500000E+00 2.400000E+00 2.300000E+00 >"$WORK/start.1"
megatron_log --total 5 --from 3 --time 501.0 2.300000E+00 2.200000E+00 2.100000E+00 >"$WORK/start.2"
expect_exit 0 gate run printed
note 'went on at step 3; step 3 was computed twice'
megatron_log --total 5 2.500000E+00 2.400000E+00 2.300000E+00 2.000000E+00 | head -c -60 >"$WORK/start.1"
megatron_log --total 5 --from 4 2.200000E+00 2.100000E+00 >"$WORK/start.2"
expect_exit 0 gate run printed
expect_file .gate/latest/printed/log.txt 'iteration        4'
megatron_log --total 5 2.500000E+00 2.400000E+00 2.300000E+00 >"$WORK/start.1"
megatron_log --total 5 --from 5 2.100000E+00 >"$WORK/start.2"
expect_exit 4 gate run printed
expect_out 'step 4 missing: its second start began behind them'
: >"$WORK/start.2"
expect_exit 4 gate run printed
expect_out 'its second start printed no step'

# --- what cannot be: told before anything is launched ---
expect_exit 2 gate run tiny --set backend=slurm
expect_err 'fault: the processes of a job are Slurm'
expect_exit 2 gate run tiny --set fault='pause@5 for 99h'
expect_err 'tiny: fault = "pause@5 for 4d3h" has no end: timeout 1m is up before'
printf '[case.tiny]\nfault = "kill@0"\n' >>gate.toml
expect_exit 2 gate run tiny
expect_err_match 'gate.toml:[0-9]+:9: "0" is no step from 1 on'

printf '[suite]\nplatform = "cpu"\n[rules.lm_loss]\ntolerance = "exact"\n' >gate.toml

# --- what is hit is no part of the training, or does not end it: nothing is shown ---
script bystander <<'END'
#GATE devices=0 timeout=20s grace=2s fault="kill@5 rank 1"
. ./train.sh
(export RANK=1; exec sleep 60) & helper=$!
train --sleep-ms 20
kill $helper 2>/dev/null
exit 0
END
expect_exit 4 gate run bystander
expect_out 'it went on without a break behind step'
script deaf <<'END'
#GATE devices=0 timeout=20s grace=10s fault=term@5
. ./train.sh
train --sleep-ms 20 & trap 'wait; exit 0' TERM
wait
wait
END
expect_exit 4 gate run deaf
expect_out 'it went on without a break behind step'

# --- the last step again, word for word, is the second start's: it is known where that began ---
script printed <<'END'
#GATE devices=0 timeout=20s grace=1s fault=kill@3
echo $TRACKER >"$GATE_CHECKPOINT_DIR/latest_checkpointed_iteration.txt"
if ((GATE_START == 2)); then cat second.log; else cat first.log; exec sleep 1000; fi
END
baseline printed <<<'{"lm loss": [2.5, 2.4, 2.3, 2.2, 2.1]}'
for step in 1 2 3 4 5; do echo "{\"step\": $step, \"lm_loss\": 2.$((6 - step))}"; done >all.log
head -n 3 all.log >first.log
tail -n 3 all.log >second.log
expect_exit 0 env TRACKER=2 gate run printed
expect_out 'went on at step 3; step 3 was computed twice'
expect_exit 4 env TRACKER=3 gate run printed
expect_out 'began at step 3: the newest checkpoint was of step 3'
