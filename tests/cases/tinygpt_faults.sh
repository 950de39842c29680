# Every fault that tinygpt can be given turns the right case red, with the right exit code and the right words.
# timeout: 300
. "$(dirname "$0")/_lib"

suite
mkdir -p scripts/tinygpt
sed 's/--steps 30/--steps 10/' "$SOURCE"/scripts/tinygpt/dp2.sh >scripts/tinygpt/dp2.sh # a third of its steps show it all
grep -q -e '--steps 10' scripts/tinygpt/dp2.sh
expect_exit 0 gate baseline record tinygpt/dp2
expect_exit 0 gate baseline accept tinygpt/dp2 --to general --metric 'lm_loss,memory_*' --reason "first numbers"
expect_out "baselines/tinygpt/dp2.json"

# Told by their environment: other tests may train at the same time.
no_process_left() {
  ! grep -lsaF "GATE_RUN_DIR=$WORK/" /proc/[0-9]*/environ >"$WORK/.last/left" || broken "left behind: $(<"$WORK/.last/left")"
}

expect_exit 0 gate run
expect_last_line '^GREEN: 1 passed'

# A silent change of numerics: first step out of bounds with baseline, actual, delta and limit.
expect_exit 1 gate run tinygpt/dp2 -- --lr 0.01
expect_out REGRESSED
expect_out lm_loss
expect_out_match 'step [0-9]+: .* -> .*delta.*limit'
expect_json .gate/latest/result.json '.cases[0].checks[] | select(.metric == "lm_loss") |
  .status == "fail" and .first_miss.step > 0 and .first_miss.baseline and .first_miss.actual and .first_miss.delta and .limit'
expect_json .gate/latest/result.json '.cases[0].steps == 10 and .exit_code == 1'

# It runs to its end under auto, and ends at its first bad step where early stop is on.
bad_step=$(jq '.cases[0].checks[] | select(.metric == "lm_loss") | .first_miss.step' .gate/latest/result.json)
expect_exit 1 gate run tinygpt/dp2 --set early_stop=on -- --lr 0.01 --sleep-ms 50
expect_out "stopped early: lm_loss step $bad_step"
expect_json .gate/latest/result.json '.cases[0].steps < 10'
no_process_left

expect_exit 1 gate run tinygpt/dp2 -- --leak-mb 4
expect_out memory_max_allocated
expect_json .gate/latest/result.json '[.cases[0].checks[] | select(.metric == "memory_max_allocated" and .status == "fail")] |
  length == 2 and all(.rank != null and .first_miss.step == 1)'
expect_out memory_max_allocated
expect_out 'report 2'

for step in 5 9; do
  expect_exit 1 gate run tinygpt/dp2 -- --nan-at $step
  expect_out REGRESSED
  expect_out_match "step $step.*no lm loss printed"
done

expect_exit 4 gate run tinygpt/dp2 -- --crash-at 7
expect_out CRASHED
no_process_left

for step in 4 7; do
  expect_exit 4 gate run tinygpt/dp2 -- --stop-at $step
  expect_out INCOMPLETE
  expect_out "$((step + 1))-10"
done

expect_exit 4 gate run tinygpt/dp2 --hang 1s --set startup=1s -- --hang-at 5
expect_out HUNG
no_process_left
expect_exit 4 gate run tinygpt/dp2 --timeout 1s -- --hang-at 5
expect_out "TIMED_OUT"
no_process_left

expect_exit 0 gate run
