# Phases: a case whose script is started again to go on from its checkpoint, which is held to what the first start had.
. "$(dirname "$0")/_lib"

suite
export TINYGPT WORK MORE=
script t <<'END'
echo "phase $GATE_PHASE, words: $*, A is ${A:-nothing}"
[[ -z $MORE ]] || eval "$MORE"
exec "$TINYGPT" --ranks 1 --steps 10 --elapsed-ms 100 --save "$GATE_CHECKPOINT_DIR" --load "$GATE_CHECKPOINT_DIR" --save-interval 5 "$@"
END
policy() { # PHASE_KEYS
  printf '%s\n' '[suite]' 'platform = "cpu"' '[case.t]' 'phases = ["full", "resume"]' "$@" >gate.toml
}
no_checkpoints() { [[ -z $(find .gate/ -name checkpoints -o -name scratch) ]] || broken "left: $(find .gate/ -name checkpoints -o -name scratch)"; }
verdict() { expect_json .gate/latest/result.json ".cases[0].verdict == \"$1\""; }

# --- an exact resume, and what the report says of it ---
policy 'phase.resume.from_step = 5'
expect_exit 0 gate baseline record t
no_checkpoints
expect_exit 0 gate baseline accept --reason first
expect_exit 0 gate run
no_checkpoints
expect_out_match '^passed t  .*lm_loss 10 steps.*lm_loss resume 5 steps'
expect_out_match 'note +lm_loss, validation_loss, grad_norm: bit-equal'
expect_file .gate/latest/t/phase-resume/log.txt 'loading checkpoint from'
expect_json .gate/latest/result.json '[.cases[0].checks[] | select(.phase == "resume" and .status == "pass") | .rule]
  == ["lm_loss resume", "validation_loss resume", "grad_norm resume"]'
expect_json .gate/latest/result.json '.cases[0].artifacts | has("log-resume") and has("series-resume")'
expect_exit 0 gate explain t 'lm_loss resume'
expect_out_match '^ *6 +[0-9.]+ +[0-9.]+ +0'
gate report --format html >out.html
expect_file out.html 'lm_loss, phase resume'

# --- packed and sent, the run's folder is judged as the run was, wherever baselines of other platforms are ---
tar -C .gate/runs -czf run.tgz "$(latest)" && mkdir review && tar -C review -xzf run.tgz --strip-components 1
mkdir baselines/ascend-910b && cp baselines/cpu/t.json baselines/ascend-910b/
sed -i '/^platform/d' gate.toml
expect_exit 0 gate check review/t --case t
expect_out_match '^passed t .*lm_loss resume 5 steps'
refute_out several
sed -i 's/lm loss: [0-9.]*E/lm loss: 9.9E/' review/t/phase-resume/log.txt
expect_exit 1 gate check review/t --case t
expect_out 'lm_loss (rule lm_loss resume)'
rm review/t/phase-resume/log.txt
expect_exit 4 gate check review/t --case t
expect_out 'no log of it is given: --phase resume=LOG'
rm -r review baselines/ascend-910b run.tgz
policy 'phase.resume.from_step = 5'

# --- without the optimizer's state: the first step that differs ---
expect_exit 1 gate run -- --no-save-optim
verdict regressed
expect_out_match '^ +lm_loss \(rule lm_loss resume\) +4 of 5 steps \(6-10\) not exact'
expect_out_match 'first.* step 7: '
expect_out 'phase-resume/log.txt:'
refute_out 'gate baseline accept'
expect_exit 0 gate explain t 'lm_loss resume'

# --- nothing is resumed: never green ---
expect_exit 4 env MORE='[[ $GATE_PHASE == full ]] || GATE_CHECKPOINT_DIR=$WORK/elsewhere' gate run
verdict incomplete
expect_out 'phase resume: began at step 1: nothing was resumed'
expect_exit 4 env MORE='[[ $GATE_PHASE == full ]] || echo 0 >"$GATE_CHECKPOINT_DIR/latest_checkpointed_iteration.txt"; [[ $GATE_PHASE == full ]] || rm -r "$GATE_CHECKPOINT_DIR"/*' gate run
expect_out 'phase resume: began at step 1: nothing was resumed'
# The newest checkpoint is the last one: there is nothing to be compared behind it.
policy
expect_exit 4 gate run
expect_out 'phase resume: the newest checkpoint was of step 10, behind which there is no step to be compared'
# It goes on from another checkpoint than the newest.
tracker='$GATE_CHECKPOINT_DIR/latest_checkpointed_iteration.txt'
expect_exit 4 env MORE="if [[ \$GATE_PHASE == full ]]; then '$TINYGPT' --ranks 1 --steps 10 --elapsed-ms 100 --save \"\$GATE_CHECKPOINT_DIR\" --save-interval 2
  echo 8 >\"$tracker\"; exit; else echo 4 >\"$tracker\"; fi" gate run
expect_out 'phase resume: began at step 5: the newest checkpoint was of step 8'
# A torn checkpoint is named, and nothing goes on from it, wherever it was to.
for from in '' 'phase.resume.from_step = 5'; do
  policy "$from"
  expect_exit 4 gate run -- --torn-tracker
  verdict incomplete
  expect_out 'phase full left a torn checkpoint: GATE_CHECKPOINT_DIR/latest_checkpointed_iteration.txt is empty'
  refute_file .gate/latest/t/phase-resume
  no_checkpoints
done
# A first phase that did not end well has none behind it.
policy 'phase.resume.from_step = 5'
expect_exit 4 gate run -- --crash-at 7
verdict crashed
expect_out 'phase resume was not started: phase full is crashed'
refute_file .gate/latest/t/phase-resume
no_checkpoints
# The second one ends early, crashes, or prints nothing.
expect_exit 4 env MORE='[[ $GATE_PHASE == full ]] || set -- --stop-at 8' gate run
verdict incomplete
expect_exit 4 env MORE='[[ $GATE_PHASE == full ]] || exit 3' gate run
verdict crashed
expect_out_match 'phase resume: exited 3'
expect_exit 4 env MORE='[[ $GATE_PHASE == full ]] || exit 0' gate run
verdict incomplete

# --- words, variables, window, tolerance; against the baseline, and against another phase ---
policy 'phase.resume = { from_step = 5, args = "--sleep-ms 1", env = { A = "a b" }, window = "8..9" }'
expect_exit 0 gate run
expect_file .gate/latest/t/phase-resume/log.txt 'phase resume, words: --sleep-ms 1, A is a b'
expect_file .gate/latest/t/log.txt 'phase full, words: , A is nothing'
expect_out_match 'lm_loss resume 8, 9 of 6-10'
policy 'phase.resume = { from_step = 5, args = ["--lr", "0.0031"] }'
expect_exit 1 gate run
policy 'phase.resume = { from_step = 5, args = "--lr 0.0030001", tolerance = "rules" }' 'rules.throughput = false'
expect_exit 0 gate run
expect_out_match 'lm_loss resume 5 steps'
refute_out 'grad_norm resume'
policy 'phase.resume = { from_step = 5, against = "baseline" }'
expect_exit 0 gate run
expect_json .gate/latest/result.json '[.cases[0].checks[] | select(.rule == "lm_loss resume") | .baseline_file, .steps] == ["baselines/cpu/t.json", "6-10"]'
sed -i 's/"full", "resume"/"full", "resume", "again"/' gate.toml
echo 'phase.again = { from_step = 8, against = "resume" }' >>gate.toml
expect_exit 4 gate run # there is no checkpoint of step 8
sed -i 's/from_step = 8/from_step = 5/' gate.toml
expect_exit 0 gate run
expect_json .gate/latest/result.json '[.cases[0].checks[] | select(.rule == "lm_loss again") | .baseline_file] == ["phase resume"]'

# --- logs alone: what a script that prints them could pass off as a resume ---
mkdir -p "$WORK/logs" && cp scripts/t.sh "$WORK/t.sh" && cp baselines/cpu/t.json "$WORK/t.json"
losses() { local i; for ((i = $1; i <= $2; i++)); do echo "1.$((900 - i))00E+00"; done; }
log_of() { megatron_log --from "$1" --total 10 $(losses "$1" "$2"); } # FIRST LAST
script t <<'END'
echo ${TRACKER-5} >"$GATE_CHECKPOINT_DIR/latest_checkpointed_iteration.txt"
cat "$WORK/logs/$GATE_PHASE.log"
END
log_of 1 10 >"$WORK/logs/full.log"
printed() { # CODE PATTERN [GATE-RUN-OPTION]...
  expect_exit "$1" gate run "${@:3}"
  expect_out_match "$2"
}
policy
expect_exit 0 gate baseline record t
expect_exit 0 gate baseline accept t --reason logs --despite short,missing
resumed() { log_of "$1" "$2" >"$WORK/logs/resume.log"; }
resumed 6 10 && printed 0 '^passed'
resumed 7 10 && printed 4 'began at step 7: the newest checkpoint was of step 5'
resumed 6 9 && printed 4 'phase resume: missing step 10 of 10'
resumed 6 11 && printed 4 'ended at step 11'
resumed 6 10 && sed -i 's/lm loss: 1.891/lm loss: 1.892/' "$WORK/logs/resume.log" && printed 1 'lm_loss resume'
resumed 6 10 && sed -i 's/grad norm: 1.500/grad norm: 1.501/' "$WORK/logs/resume.log" && printed 1 'grad_norm resume'
# Against the baseline by its rules, unless it is to be exact.
policy 'phase.resume = { against = "baseline" }'
printed 0 '^passed'
policy 'phase.resume = { against = "baseline", tolerance = "exact" }'
printed 1 'grad_norm resume'
resumed 6 10 && printed 0 '^passed'
# A rule on what is neither accuracy nor speed nor memory holds in each phase.
policy 'rules.consumed_samples = { tolerance = "exact", required = true }'
printed 0 'consumed_samples resume 5 steps'
sed -i 's/consumed samples: *[0-9]*/consumed samples: 7/' "$WORK/logs/resume.log"
printed 1 'consumed_samples .*resume'
# Only the exit is judged: that something was resumed is asked for all the same.
policy 'judge = "exit"'
: >"$WORK/logs/resume.log" && printed 4 'phase resume: printed no step: nothing was resumed'
resumed 6 10 && printed 0 '^passed'
# Another profile: right behind the checkpoint, to the end.
policy
for first in 2 8; do resumed $first 10 && printed 4 "began at step $first: " --profile 'megatron lm_loss'; done
resumed 6 10 && printed 0 '^passed' --profile 'megatron lm_loss'
# What is judged against a phase that began later has steps that nobody judges.
policy
sed -i 's/"full", "resume"/"full", "resume", "again"/' gate.toml
printf '%s\n' 'phase.resume.from_step = 8' 'phase.again = { from_step = 5, against = "resume" }' >>gate.toml
resumed 9 10 && log_of 6 10 >"$WORK/logs/again.log"
printed 4 'phase again: began at step 6, and what it is judged against at 9'
# A log that counts from 0 has one step fewer behind it.
policy
megatron_log --from 0 --total 9 $(losses 0 9) >"$WORK/logs/full.log"
expect_exit 0 gate baseline record t
expect_exit 0 gate baseline accept t --reason zero --despite regressed,short,missing
megatron_log --from 5 --total 9 $(losses 5 9) >"$WORK/logs/resume.log"
printed 0 '^passed'
megatron_log --from 6 --total 9 $(losses 6 9) >"$WORK/logs/resume.log"
printed 4 'began at step 6: the newest checkpoint was of step 5'
# The tracker is the folder's own: a link is replaced.
mkdir "$WORK/shared" && echo 5 >"$WORK/shared/tracker"
megatron_log --from 7 --total 9 $(losses 7 9) >"$WORK/logs/resume.log"
policy 'phase.resume.from_step = 7'
sed -i '1s|.*|ln -sf "$WORK/shared/tracker" "$GATE_CHECKPOINT_DIR/latest_checkpointed_iteration.txt"|' scripts/t.sh
printed 0 '^passed'
expect_file "$WORK/shared/tracker" 5
# A secret of a phase is masked; nobody else has the folders of one.
policy 'phase.resume = { from_step = 7, env = { MY_TOKEN = "sesame-sesame-sesame" } }'
sed -i '2a secrets = ["MY_TOKEN"]' gate.toml
echo 'echo "token $MY_TOKEN"' >>scripts/t.sh
printed 0 '^passed'
! grep -r sesame .gate || broken 'a secret of a phase is told'
script t/phase-resume <<<true
expect_exit 2 gate run
expect_err 't/phase-resume: its folder in a run is one of case t; rename one of them'
rm -r scripts/t
cp "$WORK/t.sh" scripts/t.sh && cp "$WORK/t.json" baselines/cpu/t.json

# --- several runs of all phases ---
policy 'phase.resume.from_step = 5' 'repeat = 2'
expect_exit 0 gate run
expect_file .gate/latest/t/try-2/phase-resume/log.txt 'loading checkpoint from'
expect_json .gate/latest/result.json '[.cases[0].checks[] | select(.rule == "lm_loss resume")] | length == 1'
no_checkpoints
expect_exit 1 env MORE='[[ $GATE_LAUNCH_DIR != *try-2/phase-resume ]] || set -- --lr 0.1' gate run
expect_out 'run 2 of repeat 2'
policy 'phase.resume.from_step = 5'
expect_exit 0 gate run --determinism 2
expect_out_match '2 runs print the same: .*, in phase resume'
expect_exit 1 env MORE='[[ $GATE_LAUNCH_DIR != *try-2/phase-resume ]] || set -- --lr 0.1' gate run --determinism 2
expect_out 'not deterministic: lm_loss in phase resume differs first at step 7'
expect_exit 0 gate run --confirm 2
# Early stop holds a phase to its own steps.
expect_exit 0 gate run --set early_stop=on -- --sleep-ms 20
expect_exit 1 env MORE='[[ $GATE_PHASE == full ]] || set -- --lr 0.1 --sleep-ms 20' gate run --set early_stop=on
verdict regressed

# --- kept where that is asked for ---
policy 'artifacts = ["{checkpoints}/**"]' 'phase.resume.from_step = 5'
expect_exit 0 gate run
[[ -n $(ls .gate/latest/t/checkpoints) ]] || broken 'the checkpoints are not kept'
rm -rf .gate/runs

# --- a signal in a phase, and between two ---
policy 'phase.resume.from_step = 5'
for phase in full resume; do
  rm -f waiting
  MORE='if [[ $GATE_PHASE == '$phase' ]]; then touch "$GATE_CHECKPOINT_DIR/here" waiting; sleep 1000; fi' gate run >out.txt 2>&1 </dev/null &
  pid=$!
  wait_for test -e waiting
  kill -TERM $pid
  code=0
  wait $pid || code=$?
  ((code == 143)) || broken "exit code $code behind a signal in phase $phase: $(cat out.txt)"
  no_checkpoints
done
cat >between.sh <<'END'
echo $$ >pid
exec gate run
END
code=0
MORE='if [[ $GATE_PHASE == full ]]; then "$TINYGPT" --ranks 1 --steps 10 --save "$GATE_CHECKPOINT_DIR"; kill -TERM "$(cat pid)"; exit 0; fi' bash between.sh >out.txt 2>&1 || code=$?
((code == 143)) || broken "exit code $code behind a signal at the end of a phase: $(cat out.txt)"
no_checkpoints

# --- saved logs ---
expect_exit 0 gate run
full=.gate/latest/t/log.txt resume=.gate/latest/t/phase-resume/log.txt
expect_exit 0 gate check --case t $full --phase resume=$resume
expect_out_match 'lm_loss resume 5 steps'
expect_exit 4 gate check --case t $full
expect_out 'phase resume: no log of it is given: --phase resume=LOG'
expect_exit 2 gate check --case t $full --phase resume=$full
expect_err 'is given as a log of phase resume and of the first phase'
cp $full whole.log
expect_exit 4 gate check --case t $full --phase resume=whole.log
expect_out 'began at step 1: nothing was resumed'
sed 's/lm loss: 2\./lm loss: 9./' $resume >worse.log
expect_exit 1 gate check --case t $full --phase resume=worse.log
expect_exit 2 gate check --case t $full --phase other=$resume
expect_err 't has resume'
expect_exit 2 gate check --case t $full --phase resume
expect_err 'is no PHASE=LOG'

# --- mistakes, each with its place ---
mistake() { # KEYS MESSAGE
  printf '[case.t]\n%s\n' "$1" >gate.toml
  expect_exit 2 gate list
  expect_err "$2"
}
mistake 'phase.resume.args = "x"' 'gate.toml:2:21: the case has no phase resume; write phases = ["full", "resume"]'
mistake $'phases = ["a", "a"]' 'gate.toml:2:10: phase a is there twice'
mistake $'phases = ["a", "baseline"]' 'is no name of a phase'
mistake $'phases = ["a", "b"]\nphase.b.against = "b"' 'gate.toml:3:19: "b" is no phase before b'
mistake $'phases = ["a", "b"]\nphase.a.against = "b"' 'the first phase is judged against the baseline'
mistake $'phases = ["a", "b"]\nphase.a.window = "all"' 'the first phase is judged as a case without phases is: it has no window'
mistake $'phases = ["a", "b"]\nphase.b.arg = "b"' 'unknown key of a phase "arg"; did you mean "args"?'
mistake $'phases = ["a", "b"]\nphase.b.window = "fast"' 'gate.toml:3:18: '
mistake $'phases = ["a", "b"]\nphase.b = "x"' 'gate.toml:3:11: '
mistake $'phases = ["a", "b"]\nphase.b.env = { "A=B" = "x" }' 'is no name of a variable'
