# A training that dies and goes on from its checkpoint is judged as one: green where it goes on exactly, red where not.
. "$(dirname "$0")/_lib"

# Started again once; what is in FIRST goes to the first start only.
suite
script resumed <<'SCRIPT'
#!/usr/bin/env bash
#GATE devices=0 timeout=1m restarts=true
set -uo pipefail
ckpt=$GATE_RUN_DIR/ckpt
train() { "$TINYGPT" --ranks 2 --steps 10 --save "$ckpt" --save-interval 3 --load "$ckpt" "$@"; }
train ${FIRST:-} "$@" || train "$@"
SCRIPT

# Killed amid its second checkpoint.
script killed <<'SCRIPT'
#!/usr/bin/env bash
#GATE devices=0 timeout=1m restarts=true
set -uo pipefail
ckpt=$GATE_RUN_DIR/ckpt
train() { exec "$TINYGPT" --ranks 2 --steps 10 --save "$ckpt" --save-interval 3 --load "$ckpt" "$@"; }
(train --stop-at 3)
(train --save-ms 1000000) &
until [[ -e $ckpt/iter_0000006/mp_rank_00/model_optim_rng.pt.part ]]; do sleep 0.02; done
kill -KILL $!
wait $!
(train "$@")
SCRIPT

expect_exit 0 gate baseline record resumed
expect_exit 0 gate baseline accept resumed --to general --metric lm_loss --reason "without a break"
sed 's/"case": "resumed"/"case": "killed"/' baselines/resumed.json >baselines/killed.json
expect_exit 0 gate run resumed
expect_out bit-equal

FIRST='--crash-at 8' expect_exit 0 gate run resumed
expect_out 'steps 1-6 come from attempt 1: attempt 2 resumed at step 7'
expect_out bit-equal

expect_exit 0 gate run killed
expect_out bit-equal

# Step 7 has the loss of the parameters that were saved; from step 8 on it shows that the moments were not.
FIRST='--crash-at 8' expect_exit 1 gate run resumed -- --no-save-optim
expect_json .gate/latest/result.json '.cases[0].checks[] | select(.metric == "lm_loss") | .first_miss.step == 8'

# A host that lost power: nothing says where to go on.
FIRST='--crash-at 8 --torn-tracker' expect_exit 4 gate run resumed
expect_file .gate/latest/resumed/log.txt 'RuntimeError: Invalid metadata file'
expect_out CRASHED
