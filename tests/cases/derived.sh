# Metrics that are derived by a formula: per step, from an old baseline, and across two cases of one run.
. "$(dirname "$0")/_lib"

suite
cat >gate.toml <<'TOML'
[rules]
throughput = false
[metrics.tokens_per_second]
formula = 'global_batch_size * 4096 / iteration_time * 1000'
[metrics.utilization]
formula = 'throughput / 989'
kind = "speed"
better = "higher"
[rules.utilization]
window = "last 3"
reduce = "mean"
tolerance = "-5%"
[metrics.scaling_x2]
formula = 'throughput("x2") / (2 * throughput("x1"))'
[case.x2]
rules.scaling_x2.tolerance = ">= 0.9"
TOML

# log CASE THROUGHPUT TIME: what its script prints from now on.
log() { megatron_log --throughput "$2" --time "$3" 2.50 2.40 2.30 2.20 >"$1.log"; }
for name in x1 x2; do
  printf '#GATE devices=0\ncat %s\n' "$PWD/$name.log" | script "$name"
done
log x1 100.0 500.0
log x2 180.0 500.0

# extract shows them with the rest; a value has the line of its first operand.
expect_exit 0 gate extract x1.log
expect_out_match '^tokens_per_second +step 1-4 +131072 .* tokens/s$'
expect_out_match '^utilization +step 1-4 +0.101112234580384 '
refute_out scaling_x2
expect_exit 0 gate extract x1.log --format csv
expect_out "utilization,,3,0.101112234580384,,x1.log,3"
run gate list --explain x2
expect_out_match '^metrics.scaling_x2.formula +throughput\("x2"\) / \(2 \* throughput\("x1"\)\) +gate.toml:14:11$'

# A baseline from before the formulas: it holds what was read, and is judged by what is derived.
mv gate.toml later.toml
for name in x1 x2; do expect_exit 0 gate baseline import $name.log --case $name --accept --reason first; done
mv later.toml gate.toml
! grep -q 'utilization\|tokens_per_second\|scaling' baselines/*.json || broken "a baseline holds what is derived"
expect_exit 0 gate list --coverage
expect_out_match '^x1 .* Y +Y +-$'
expect_exit 0 gate run --out first
expect_out_match 'passed .*tokens_per_second 0 %, .*utilization 0 %'
expect_last_line '2 passed.*exit 0'
expect_json first/result.json '.cases[1].checks | map(select(.metric == "scaling_x2"))[0] |
  .status == "pass" and .compared == 4 and .formula == "throughput(\"x2\") / (2 * throughput(\"x1\"))"'
expect_json first/result.json '.cases[0] | [.checks[], .ungated[]] | map(select(.metric == "scaling_x2")) == []'
! grep -q 'utilization\|tokens_per_second' first/x1/series.json || broken "the series of a run hold what is derived"
expect_exit 0 gate explain x2 scaling_x2 --run first
expect_out_match '^  derived +throughput\("x2"\) / \(2 \* throughput\("x1"\)\)$'
expect_out "0.900000 >= 0.9 is true"

# 5.1 % less throughput: the share of the peak falls with it, and the ratio is below its limit.
log x2 170.0 530.0
expect_exit 1 gate run --out slow
expect_out_match 'tokens_per_second .*131072 -> 123653'
expect_out_match 'scaling_x2 '
expect_json slow/result.json '.cases[1].checks | map(select(.metric == "scaling_x2"))[0] |
  .status == "fail" and .misses == 4 and .first_miss.actual == 0.85 and .first_miss.line == 1 and
  (.first_miss.file | endswith("x2/log.txt"))'
# To run what was red again takes the run of the other case too.
log x2 180.0 500.0
expect_exit 0 gate run --again slow --out again
expect_json again/result.json '[.cases[].case] == ["x1", "x2"] and
  (.cases[1].checks | any(.metric == "scaling_x2" and .status == "pass"))'

# The case that has the rule comes last, whatever its name; a baseline has the ratio where both cases' baselines do.
sed 's/^\[case.x2\]/[case.x1]/; s/>= 0.9/±5%/' gate.toml >of_x1.toml
expect_exit 0 gate run --config of_x1.toml --out of_x1
expect_err_match 'x2: passed'
[[ $(grep -n 'x2: started' "$WORK/.last/err" | cut -d: -f1) -lt $(grep -n 'x1: started' "$WORK/.last/err" | cut -d: -f1) ]] ||
  broken "x1 was launched before x2"
expect_json of_x1/result.json '.cases[0].checks | map(select(.metric == "scaling_x2"))[0] |
  .status == "pass" and .largest.baseline == 0.9 and .unit == ""'
mv baselines/x2.json x2.json
expect_exit 3 gate run --config of_x1.toml --out half
expect_json half/result.json '.cases[0].ungated | any(.metric == "scaling_x2" and (.reason | startswith("not in the baseline")))'
mv x2.json baselines/

# A ratio exists beside the other run only: whoever is chosen takes it along, and the plan says who and how long; of a
# log it is listed with its reason.
expect_exit 0 gate run x2 --dry-run
expect_out 'takes x1 along: x2 is judged beside it'
expect_out_match '^  #+[.]+  x1$'
expect_out 'timeline, about'
expect_exit 0 gate run x2 --out alone
expect_out 'takes x1 along: x2 is judged beside it'
expect_json alone/result.json '[.cases[].case] == ["x1", "x2"]'
expect_exit 0 gate run x2 --set rules.scaling_x2=false
expect_last_line '1 passed'
expect_exit 0 gate check x2.log --case x2
expect_out "scaling_x2: it is derived with a run of case x1, and only gate run has one beside this"
printf '#GATE devices=0\ncat %s; exit 7\n' "$PWD/x1.log" | script x1
expect_exit 4 gate run --out crash
expect_out "scaling_x2: case x1 has no complete run here: crashed"
printf '#GATE devices=0\ncat %s\n' "$PWD/x1.log" | script x1

# --resume finds the run of the other case where the run that was cut off left it.
printf '#GATE devices=0\n[ ! -e hold ] || { echo $$ >pid; exec sleep 1000; }\ncat %s\n' "$PWD/x2.log" | script x2
touch hold
gate run --out cut >"$WORK/out" 2>"$WORK/err" </dev/null &
gate_pid=$!
wait_for test -s pid
kill -KILL "$gate_pid"
wait "$gate_pid" || true
wait_for bash -c '! kill -0 "$(<pid)" 2>/dev/null'
wait_for flock -n cut/lock true
rm hold
expect_exit 0 gate run --resume cut
expect_json cut/result.json '.cases[1].checks | any(.metric == "scaling_x2" and .status == "pass" and .compared == 4)'

# A step whose operand is no number stays a step, and fails by its name; so does a division by zero.
log x2 180.0,nan,180.0,180.0 500.0
expect_exit 1 gate check x2.log --case x2
expect_out_match 'step 2: 0.18200 -> nan  x2.log:2'
expect_out "throughput nan at step 2"
log x2 180.0 500.0,500.0,0.0,500.0
expect_exit 1 gate check x2.log --case x2
expect_out_match 'step 3: 131072 -> inf tokens/s  x2.log:3'
log x2 180.0,180.0,180.0,- 500.0
expect_exit 1 gate check x2.log --case x2
expect_out_match 'step 4: 0.18200 -> left out  x2.log:4'

# What one of both does not hold is said.
log x2 - 500.0
expect_exit 4 gate check x2.log --case x2
expect_out "utilization cannot be derived from the run: it holds no throughput"
log x2 180.0 500.0

# A formula counts also where the log prints a number of that name: at the end, and for who watches a run.
printf '#GATE devices=0\ncat %s\nuntil grep -q "iteration  *4/" "$GATE_RUN_DIR/x1/log.txt"; do sleep 0.1; done\n' "$PWD/x1.log" | script x1
log x1 0.5 500.0
cat >printed.toml <<'TOML'
[defaults]
early_stop = "on"
[metrics.throughput]
formula = 'global_batch_size / iteration_time * 3000'
[rules]
throughput = { tolerance = ">= 90", window = "all", reduce = "each" }
TOML
expect_exit 0 gate run x1 --config printed.toml --out printed
expect_out "throughput is derived (global_batch_size / iteration_time * 3000); what the log prints of it is not judged"
expect_json printed/result.json '.cases[0].checks | any(.metric == "throughput" and .actual == 96)'
expect_exit 1 gate run x1 --config printed.toml --set 'metrics.throughput.formula=global_batch_size / iteration_time * 1000' --out printed2
expect_out "at step 1 global_batch_size 16, iteration_time 500.0"
log x1 100.0 500.0

# Mistakes stand at their place, and nothing is launched.
expect_exit 2 gate run --set 'metrics.utilization.formula=throuhgput / 989'
expect_err '--set metrics.utilization.formula: formula "throuhgput / 989": unknown metric "throuhgput" at character 1; did you mean "throughput"?'
sed -i 's/throughput("x1")/throughput("xl")/; s/989/989 +/' gate.toml
expect_exit 2 gate run
expect_err 'gate.toml:6:11: formula "throughput / 989 +": expected a number, a metric or "(" at character 19, found nothing'
sed -i 's/989 +/989/' gate.toml
expect_exit 2 gate run
expect_err 'gate.toml:14:11: formula "throughput("x2") / (2 * throughput("xl"))": no case "xl", at character 25; did you mean "x1"?'
sed -i 's/"xl"/"x1"/' gate.toml
expect_exit 2 gate run --set 'rules.scaling_x2.tolerance=>= 0.5'
expect_err "each of these cases is judged beside the run of another of them, or comes after it: x1, x2"
