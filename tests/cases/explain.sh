# gate explain: numbers, formula, limit, margin and log lines behind every kind of check.
. "$(dirname "$0")/_lib"

suite
cat >gate.toml <<'EOF'
[suite]
platform = "cpu"
[rules.either]
metric = "lm_loss"
tolerance = "±0.05 or ±1%"
[rules.middle]
metric = "lm_loss"
tolerance = "exact"
window = "last 3"
reduce = "median"
[rules.floor]
metric = "throughput"
tolerance = ">= 100"
reduce = "harmonic_mean"
[rules.trimmed]
metric = "throughput"
reduce = "trimmed_mean"
tolerance = "-1%"
window = "5..20"
[rules.worst_rank]
metric = "memory_allocated"
rank = "max"
reduce = "p90"
tolerance = "+1%"
[rules.fine]
metric = "throughput"
tolerance = "±0.001"
[metrics.utilization]
formula = "throughput / 1000"
better = "higher"
[rules.utilization]
window = "last 2"
reduce = "mean"
tolerance = "-5%"
EOF
speeds=101.5,102.5,103.5,104.5,105.5,106.5,107.5,108.5,109.5,110.5,111.5,112.5,113.5,114.5,115.5
losses=(2.89 2.88 2.87 2.86 2.85 2.84 2.83 2.82 2.81 2.80 2.79 2.78 2.77 2.76 2.75)
megatron_log --throughput $speeds --memory 0:1000.5:2000 --memory 1:1012.5:2000 "${losses[@]}" >good.log
losses[4]=2.95
megatron_log --throughput ${speeds/110.5/60.5} --memory 0:1000.5:2000 --memory 1:1212.5:2000 "${losses[@]}" >bad.log
script a <<<'cat bad.log'
expect_exit 0 gate baseline import good.log --case a --platform cpu --accept --reason first
expect_exit 1 gate run a
expect_exit 0 gate explain a
expect_out_match '^a: regressed  memory_allocated p90 of report 1 .*, and 3 more checks$'
refute_out 'step  baseline  actual'

# Per step: formula with its numbers, the limit, what is left, the log's own line, and all values of the window.
expect_exit 0 gate explain a lm_loss
expect_out_match '^  first     step 5 \(the largest\): \|2.95[0-9]* - 2.85[0-9]*\| = 0.10[0-9]* > 0.01$'
expect_out_match '^  limit     2.84[0-9]*\.\.2.86[0-9]*$'
expect_out_match '^  margin    -0.09[0-9]*$'
expect_out_match '^  log       .*/a/log.txt:[0-9]+:  .*iteration        5/'
expect_out_match '^  5     2.85[0-9]* +2.95[0-9]* +\+0.10[0-9]*$'
expect_exit 0 gate explain a either
expect_out_match '^            and \|2.95[0-9]* - 2.85[0-9]*\| = 0.10[0-9]* > 1 % of \|2.85[0-9]*\| = 0.0285[0-9]*$'

# Windows that make one value.
expect_exit 0 gate explain a middle
expect_out_match '^  formula   median of steps 13-15: 2.76[0-9]* == 2.76[0-9]* is true$'
expect_exit 0 gate explain a floor
expect_out_match '^  formula   harmonic_mean of steps 1-15: 102\.[0-9]+ >= 100 is true$'
expect_exit 0 gate explain a trimmed
expect_out_match '^  formula   trimmed_mean of steps 5-15: 109.9[0-9]+ >= 110.5[0-9]* - 1 % = 109.395[0-9]* is true$'
expect_out_match '^  margin    0.549'
expect_out_match '^  10    110.5 +60.5 +-50.0$'
expect_exit 0 gate explain a worst_rank
expect_out_match '^fail memory_allocated  in MiB$'
expect_out_match '^  formula   p90 of reports? [0-9, ]+: 1212.5 <= 1012.5 \+ 1 % = 1022.625 is false$'
expect_exit 0 gate explain a utilization
expect_out_match '^  derived   throughput / 1000$'
expect_out_match '^  14    0.114500 +0.114500 +0.000000$'

# What could not be compared says why.
expect_exit 0 gate explain a fine
expect_out_match '^incomparable throughput'
expect_out 'prints 1 decimal; ±0.001 cannot be tested'

# As JSON: the checks that are asked for, with all of this.
expect_exit 0 gate explain a trimmed --json
cp "$WORK/.last/out" trimmed.json
expect_json trimmed.json '.case == "a" and (.checks | length) == 1 and .checks[0].limit == 109.395'
expect_json trimmed.json '.checks[0].values | length == 11 and .[5] == {"number": 10, "baseline": "110.5", "actual": "60.5", "delta": "-50.0"}'
expect_exit 0 gate explain a lm_loss --json
cp "$WORK/.last/out" loss.json
expect_json loss.json '[.checks[].rule] == ["lm_loss", "either", "middle"] and (.checks[0].log_lines | length) == 1'

# A baseline that is no longer the one the run was judged against is not taken for it.
expect_exit 0 gate baseline import bad.log --case a --platform cpu --accept --reason second
expect_exit 0 gate explain a trimmed
expect_out_match '^  10 +60.5 *$'
expect_out "note  the baseline is no longer the file that the run was judged against"
expect_exit 0 gate explain a iteration_time
expect_out_match '^ungated .*iteration_time: throughput is gated instead'
expect_exit 2 gate explain a trimed
expect_err 'did you mean "trimmed"'
expect_exit 0 gate explain '[a]*' trimmed
expect_exit 2 gate explain 'z*'
expect_err 'z*: not a case of run '

# Of eight ranks that all regressed in loss and memory a report fits into twenty lines and an explanation into forty.
suite eight
ranks_log() {
  local memory=()
  for rank in {0..7}; do memory+=(--memory "$rank:$1.00:$2.00"); done
  megatron_log "${memory[@]}" "${@:3}"
}
losses=(2.5 2.4 2.3 2.2 2.1 2.0 1.9 1.8)
ranks_log 100 200 "${losses[@]/%/00000E+00}" >good.log
ranks_log 150 300 "${losses[@]/%/90000E+00}" >bad.log
script c <<<"cat $PWD/bad.log"
expect_exit 0 gate baseline import good.log --case c --accept --reason first
expect_exit 1 gate run
(($(wc -l <"$WORK/.last/out") < 20)) || broken "a report of $(wc -l <"$WORK/.last/out") lines"
expect_exit 0 gate explain c
(($(wc -l <"$WORK/.last/out") < 40)) || broken "an explanation of $(wc -l <"$WORK/.last/out") lines"
expect_out_match '^  ranks +8 of 8 ranks \(0-7\)$'
expect_exit 0 gate -v explain c
(($(wc -l <"$WORK/.last/out") > 100)) || broken "all of it in $(wc -l <"$WORK/.last/out") lines"
