# Logs of real runs, judged against each other. Their files are not part of the project.
. "$(dirname "$0")/_lib"

data=${GATE_REAL_DATA:-$SOURCE/../shared/data}
[[ -d $data/logs ]] || skip "no real logs here (GATE_REAL_DATA names their folder)"
log() { echo "$data/logs/megatron-$1.log"; }

suite
script sink <<<'true'
expect_exit 0 gate baseline import "$(log 1729544)" --case sink --accept --reason "first run"
expect_exit 0 gate check "$(log 1729544)" --case sink --set rules.lm_loss.tolerance=exact
expect_exit 0 gate check "$(log 1729544)" --case sink --json
jq -e '.cases[0].checks[] | select(.metric == "throughput") | .baseline == 134.17' "$WORK/.last/out" >/dev/null

# The same code run again differs by 0.01104 at step 6.
expect_exit 1 gate check "$(log 1769496)" --case sink
expect_out_match 'step 6'
expect_out 0.01104
expect_exit 0 gate check "$(log 1769496)" --case sink --set rules.lm_loss.tolerance=±0.02

# Fixed code is out of bounds from step 4 on, most at step 6.
expect_exit 1 gate check "$(log 1737508)" --case sink --json
jq -e '.cases[0].checks[] | select(.metric == "lm_loss") | .first_miss.step == 4 and .largest.step == 6 and
  .largest.delta == 0.06014' "$WORK/.last/out" >/dev/null

# The broken run passes under no tolerance.
for tolerance in ±0.01 ±0.1 ±1 ±1000; do
  expect_exit 1 gate check "$(log 1737333)" --case sink --set rules.lm_loss.tolerance=$tolerance
done
expect_out_match 'steps? 1.*no lm loss printed'
expect_out_match 'grad norm nan'

# Faster code passes, and is told apart.
expect_exit 0 gate check "$(log 1772684)" --case sink --set rules.lm_loss.tolerance=±0.02
expect_out_match '349\.41.*2\.6 times'

# The last step of each attempt.
steps() { gate extract --json "$(log "$1")" | jq -c '[.attempts[].last_step]'; }
for name in 1729544 1737333 1737508 1769496 1772684; do [[ $(steps "$name") == '[15]' ]]; done
[[ $(steps 3108079) == '[2,416]' ]]
[[ $(steps deepspeed-context_dual16_tp4pp1dp4_20260325) == '[20,20,20]' ]]
[[ $(steps deepspeed-logs_qwen7b_baseline_500) == '[500]' ]]
[[ $(steps deepspeed-logs_qwen7b_static_1305_500) == '[500]' ]]

# Other shapes are read: two runs in one log, host prefixes, 500 steps.
expect_exit 0 gate extract "$(log 3108079)"
expect_out_match '^lm_loss +step 1-416 '
for name in deepspeed-context_dual16_tp4pp1dp4_20260325 deepspeed-logs_qwen7b_baseline_500 deepspeed-logs_qwen7b_static_1305_500; do
  expect_exit 0 gate extract "$(log $name)"
done
expect_out_match '^lm_loss +step 1-500 '
expect_exit 0 gate check "$(log deepspeed-logs_qwen7b_static_1305_500)" --baseline "$(log deepspeed-logs_qwen7b_baseline_500)"
