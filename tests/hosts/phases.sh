# timeout: 120
# Phases on hosts: their checkpoints lie on the host that runs them, and are gone when the last phase has ended.
. "$(dirname "$0")/_hosts"
. "$SOURCE/tests/hosts/_runs"
mkdir -p "$WORK/suite"
hidden=("$WORK/suite")
start_hosts 2 1
export TINYGPT

script_of_phases() {
  script t <<END
#GATE devices=1 idle_wait=1m grace=1s
echo "checkpoints in \$GATE_CHECKPOINT_DIR"
echo "\$GATE_PHASE \$GATE_HOST \$GATE_CHECKPOINT_DIR" >>"$WORK/starts"
[[ ! -e "$WORK/wait.\$GATE_PHASE" ]] || { touch "\$GATE_CHECKPOINT_DIR/here" "$WORK/waits"; sleep 1000; }
exec "$TINYGPT" --ranks 1 --steps 10 --elapsed-ms 100 --save "\$GATE_CHECKPOINT_DIR" --load "\$GATE_CHECKPOINT_DIR" --save-interval 5 "\$@"
END
}
policy() {
  printf '%s\n' '[case.t]' 'phases = ["full", "resume"]' 'phase.resume.from_step = 5' "$@"
}
# No folder of checkpoints on any host, nor here.
no_checkpoints() {
  local left
  left=$(find "$HOSTS" "$PWD/.gate" -name checkpoints -o -name 'iter_*')
  [[ -z $left ]] || broken "left: $left"
}

for sync in false true; do
  far_suite "suite-$sync" < <(echo "sync = $sync"; printf '[defaults]\nhosts = "npu1"\n'; policy)
  script_of_phases
  git init -q . && git add . && git commit -qm first
  rm -f "$WORK/starts"
  expect_exit 0 gate baseline record t
  no_checkpoints
  expect_exit 0 gate baseline accept --reason first
  expect_exit 0 gate run
  expect_out_match 'lm_loss resume 5 steps'
  expect_file .gate/latest/t/phase-resume/log.txt 'loading checkpoint from'
  no_checkpoints
  [[ $(tail -n 1 "$WORK/starts") == "resume npu1 "* ]] || broken "not on npu1: $(cat "$WORK/starts")"
  # The tracker is read there, and named where it is torn.
  expect_exit 4 gate run -- --torn-tracker
  expect_out 'left a torn checkpoint: GATE_CHECKPOINT_DIR/latest_checkpointed_iteration.txt is empty'
  no_checkpoints
  expect_exit 1 gate run -- --no-save-optim
  expect_out_match 'first.* step 7: '
  # A signal in the second phase.
  rm -f "$WORK/waits" && touch "$WORK/wait.resume"
  begin t
  wait_for test -e "$WORK/waits"
  kill -TERM "$gate"
  ends 143
  no_checkpoints
  rm "$WORK/wait.resume"
  clean npu1 npu2
done
