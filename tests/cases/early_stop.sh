# When a certain failure ends a run, when it does not, and what that saved.
. "$(dirname "$0")/_lib"

suite
result=.gate/latest/result.json

# prepare NAME THEN [OPTION]... LOSS...: a case against good.log whose script prints the log of these words, its first
# line a tenth of a second before the others, and THEN goes on or ends.
goes_on='exec sleep 3600' ends=:
prepare() {
  local name=$1 then=$2
  shift 2
  megatron_log "$@" >"$name.log"
  script "$name" <<<"head -n 1 $name.log; sleep 0.1; tail -n +2 $name.log; $then"
  expect_exit 0 gate baseline import good.log --case "$name" --accept --reason "first numbers"
}

# stops NAME REASON [OPTION]...: it is stopped, and red.   runs_out EXIT NAME [OPTION]...: it ends by itself.
stops() {
  local name=$1 reason=$2
  shift 2
  expect_exit 1 gate run "$name" --set early_stop=on "$@"
  expect_json $result '.cases[0].outcome.kind == "stopped_early"'
  expect_out "stopped early: $reason"
}
runs_out() {
  local code=$1 name=$2
  shift 2
  expect_exit "$code" gate run "$name" --set early_stop="${early:-on}" "$@"
  expect_json $result '.cases[0] | .outcome.kind == "exited" and .device_time_saved_s == null'
  refute_out 'device-minutes'
}

# A step out of bounds; allowed misses must be used up; a value that is none; a step passed over.
megatron_log --throughput - 2.50 2.40 2.30 2.20 2.10 2.00 >good.log
prepare step "$goes_on" --throughput - 2.50 2.40 2.90
stops step 'lm_loss step 3, |d| = 0.60 > 0.01'
prepare one_miss "$ends" --throughput - 2.50 2.90 2.30 2.20 2.10 2.00
runs_out 0 one_miss --set rules.lm_loss.max_misses=1
prepare two_misses "$goes_on" --throughput - 2.50 2.90 2.30 2.90
stops two_misses 'lm_loss step 4, |d| = 0.70 > 0.01' --set rules.lm_loss.max_misses=1
prepare none "$goes_on" --throughput - 2.50 - 2.30
stops none 'lm_loss step 2: left out'
prepare over "$goes_on" --throughput - 2.50 2.40 2.30
sed -i 2d over.log
expect_exit 4 gate run over --set early_stop=on
expect_out 'stopped early: iteration_time step 2 passed over'
expect_out INCOMPLETE

# What was cut off is undecided; what was decided stays. A failure is no less red for an early end.
expect_exit 1 gate run step --set early_stop=on
expect_json $result '[.cases[0].checks[] | "\(.metric) \(.status)"] | sort == ["iteration_time undecided", "lm_loss fail"]'
expect_out 'iteration_time  undecided: missing steps 4-6 of 6'

# Nobody is stopped where it is off, under a waiver, with restarts, or while recording.
prepare stays "$ends" --throughput - 2.50 2.90 2.30 2.20 2.10 2.00
early=off runs_out 1 stays
runs_out 1 stays --set restarts=true
echo "rules.lm_loss.waive = { reason = 'known', until = '$(date -u -d '+30 days' +%F)' }" >gate.toml
runs_out 0 stays
rm gate.toml
expect_exit 0 gate baseline record stays --set early_stop=on
expect_exit 0 gate baseline accept stays --reason "a limit changes nothing that is measured"

# A mean with an upper limit: 6 x 105.0 = 630.0.
time_rule=(--set rules.iteration_time.window=all)
megatron_log --throughput - --time 100.0 2.50 2.40 2.30 2.20 2.10 2.00 >good.log
prepare slow "$goes_on" --throughput - --time 100.0,530.1 2.50 2.40
stops slow 'iteration_time: its mean cannot come back into 105.0' "${time_rule[@]}"
expect_json $result '.cases[0].checks[] | select(.metric == "iteration_time") | .status == "fail"'
prepare just "$ends" --throughput - --time 100.0,130.0,100.0,100.0,100.0,100.0 2.50 2.40 2.30 2.20 2.10 2.00
runs_out 0 just "${time_rule[@]}"
prepare median "$ends" --throughput - --time 100.0,999.0,100.0,100.0,100.0,100.0 2.50 2.40 2.30 2.20 2.10 2.00
runs_out 0 median "${time_rule[@]}" --set rules.iteration_time.reduce=median

# A mean with a lower limit needs a cap: 6 x 95.0 = 570.0 = 90.0 + 4 x 120.
speed_rule=(--set rules.throughput.window=all)
megatron_log --throughput 100.0 2.50 2.40 2.30 2.20 2.10 2.00 >good.log
prepare capped "$goes_on" --throughput 45.0,44.9 2.50 2.40
stops capped 'throughput: its mean cannot come back into 95.0' "${speed_rule[@]}" --set rules.throughput.cap=120
prepare reached "$ends" --throughput 45.0,45.0,120.0,120.0,120.0,120.0 2.50 2.40 2.30 2.20 2.10 2.00
runs_out 0 reached "${speed_rule[@]}" --set rules.throughput.cap=120
prepare uncapped "$ends" --throughput 45.0,1.0,1.0,1.0,1.0,1.0 2.50 2.40 2.30 2.20 2.10 2.00
runs_out 1 uncapped "${speed_rule[@]}"

# Memory above its limit, on any rank.
megatron_log --memory 0:100.0:100.0 --memory 1:100.0:100.0 2.50 2.40 2.30 2.20 2.10 2.00 >good.log
prepare memory "$goes_on" --memory 0:110.0:110.0 --memory 1:110.0:110.1 2.50 2.40
stops memory 'memory_max_allocated rank 1 report 1, 110.1 > 110.0'

# auto stops where more than two minutes of the expected rest are saved, and only there. The log announces a million
# steps of a tenth of a second.
prepare long "$goes_on" --total 1000000 2.50 2.90
expect_exit 1 gate run long --report markdown=summary.md
expect_json $result '.cases[0] | .outcome.kind == "stopped_early" and .outcome.rest_s > 120
  and .device_time_saved_s == .outcome.rest_s'
expect_json $result '.totals.device_time_saved_s == .cases[0].device_time_saved_s'
expect_out_match '^  stopped early: [0-9]+ device-minutes saved$'
expect_out_match '^1 case, .*   stopped early: [0-9]+ device-minutes saved$'
expect_file summary.md ' device-minutes saved'
prepare short "$ends" 2.50 2.90 2.30 2.20 2.10 2.00
expect_exit 1 gate run short
expect_json $result '.cases[0].outcome.kind == "exited" and .totals.device_time_saved_s == null'

# Where the pace is not known yet, nothing is claimed.
script first <<<'head -n 1 long.log | sed s/2.50/2.90/; exec sleep 3600'
expect_exit 0 gate baseline import good.log --case first --accept --reason "first numbers"
stops first 'lm_loss step 1, |d| = 0.40 > 0.01'
refute_out 'device-minutes'
expect_json $result '.cases[0].device_time_saved_s == null'

# The report that was stored says it, too.
expect_exit 0 gate report --format json "$(basename "$(grep -l rest_s .gate/runs/*/result.json | tail -n 1 | xargs dirname)")"
expect_out device_time_saved_s
