# --again runs what was not green; --resume finishes a run that was cut off; neither does anything else.
. "$(dirname "$0")/_lib"

suite
one_step() { cp "$SOURCE/tests/cases/data/one_step.json" "baselines/$1.json"; }
step=" iteration        1/       1 | lm loss: 1.000000E+00 |"
script a <<<"echo '$step'"
script b <<<"[ ! -e broken ] || exit 3; echo \"\$@\" >>b.args; echo '$step'"
script c <<<"[ ! -e slow ] || { echo \$\$ >c.pid; exec sleep 1000; }; echo '$step'"
for name in a b c; do one_step $name; done

# --- again ---
touch broken
expect_exit 4 gate run -- --fast
rm broken
expect_exit 0 gate run --again
expect_out "1 case"
expect_out "passed b"
refute_out "passed a"
expect_file b.args "--fast"
expect_exit 3 gate run --again
expect_err "left nothing that is not green"
expect_exit 2 gate run --again=nonsense
expect_err 'no run "nonsense"'

# --- what keep_runs removed is told as that, by every command that takes a run ---
gone=$(latest)
printf '[suite]\nkeep_runs = 1\n' >gate.toml
expect_exit 0 gate run a
for words in 'run --again=GONE' 'run --resume=GONE' 'explain a --run GONE' 'report GONE' 'compare GONE latest' \
  'compare latest GONE' 'baseline diff a --run GONE' 'baseline diff GONE' 'baseline accept a --reason r --run GONE' \
  'status GONE' 'stop GONE' 'status --follow GONE'; do
  read -ra typed <<<"${words//GONE/$gone}"
  expect_exit 2 gate "${typed[@]}"
  expect_err "run $gone was removed on "
  expect_err 'keep_runs = 1 keeps no more runs'
done
# what cannot be removed, or noted as removed, is nothing of the run that ends
rm .gate/removed_runs && mkdir .gate/removed_runs
expect_exit 0 gate run a
expect_err "removed_runs: cannot write: Is a directory; remove it (sudo rm -r), or keep all runs: keep_runs = 0"
rmdir .gate/removed_runs
rm gate.toml
expect_exit 2 gate run b --again
expect_err "name no case"

# --- resume: the run is the same one, finished cases are not run again ---
rm -rf .gate b.args
touch slow
gate run -- --fast >"$WORK/out" 2>"$WORK/err" </dev/null &
gate_pid=$!
wait_for test -s c.pid
expect_exit 125 gate run --resume
expect_err "in use by process"
kill -KILL "$gate_pid"
wait "$gate_pid" || true
wait_for bash -c '! kill -0 "$(<c.pid)" 2>/dev/null'
wait_for flock -n .gate/latest/lock true
rm slow b.args
run_id=$(jq -r .run .gate/latest/result.json)
expect_exit 2 gate run --resume --set 'rules.lm_loss.tolerance=±1'
expect_err "give the same"
expect_exit 2 gate run --resume -- --slow
expect_exit 0 gate run --resume
expect_out "run $run_id"
expect_out "3 passed"
refute_file b.args
expect_json .gate/latest/result.json '(.cases | map(.verdict)) == ["passed", "passed", "passed"] and .cases[2].args == ["--fast"]'
[[ $(ls .gate/runs) == "$run_id" ]] || broken "another run was made: $(ls .gate/runs)"
expect_exit 3 gate run --resume
expect_err "has finished every case"

# --- resume: not on another commit ---
git init -q . && git add scripts && git commit -qm one
touch slow
gate run >"$WORK/out" 2>"$WORK/err" </dev/null &
gate_pid=$!
rm -f c.pid && wait_for test -s c.pid
kill -TERM "$gate_pid"
wait "$gate_pid" || true
git commit -qm two --allow-empty
expect_exit 3 gate run --resume
expect_err "is of commit"
