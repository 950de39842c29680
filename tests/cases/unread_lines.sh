#!/usr/bin/env bash
# What a log prints and no rule compares: lines that nothing reads, accuracies that nobody judges, values that are no
# numbers any more. Each damage is red, or unjudged with its reason; each log without one is green.
. "$(dirname "$0")/_lib"

# engine LOSS...: DeepSpeed's engine lines, and the script's own line of each step beside them.
engine() {
  local step=0 loss
  for loss; do
    step=$((step + 1))
    printf '[2026-01-07 08:%02d:01,058] [INFO] [timer.py:199:stop] epoch=0/micro_step=%d/global_step=%d, RunningAvgSamplesPerSec=6.3, %s\n' \
      "$step" "$step" "$step" 'CurrSamplesPerSec=6.4, MemAllocated=10.75GB, MaxMemAllocated=20.5GB'
    printf '[Step %d/8] Loss: %s | tokens/s: 2%d1.5\n' "$step" "$loss" "$step"
  done
}
engine 5.5 5.4 5.3 5.2 5.1 5.0 4.9 4.8 >own.log
engine 5.5 5.4 nan nan nan nan nan nan >own_nan.log
expect_exit 3 gate check own_nan.log --baseline own.log
expect_out 'no accuracy is judged, and nothing reads the loss in 8 lines such as [Step 1/8] Loss: 5.5'
expect_out 'note     8 lines with Loss that nothing reads: [Step 1/8] Loss: 5.5 | tokens/s: 211.5; gate init own_nan.log reads them'
expect_exit 3 gate check own_nan.log --baseline own.log --lang zh
expect_out '没有被读取'
expect_exit 0 gate check own_nan.log --baseline own.log --set strict=false
expect_exit 0 gate extract own.log
expect_out '8 lines with Loss that nothing reads'
expect_exit 0 gate init own.log # what it promises holds
expect_exit 0 gate check own.log --baseline own.log
refute_out 'nothing reads'
expect_exit 1 gate check own_nan.log --baseline own.log
rm gate.toml

# Of a log longer than what is looked at their number is an estimate; behind a preamble, and between lines of a pattern,
# they are seen, too.
{ seq 1 20000 | sed 's/$/ of the preamble/' && for i in {1..3000}; do engine 5.5 5.4 5.3 5.2 5.1 5.0 4.9 4.8; done; } >long.log
expect_exit 0 gate extract long.log --log-format deepspeed
expect_out_match 'about 2[34][0-9]{3} lines with Loss that nothing reads'
{ seq 1 20000 | sed 's/$/ of the preamble/' && for i in {1..300}; do printf 'step %d acc=0.5\nval ppl 12.%d\n' "$i" "$i"; done; } >long.log
expect_exit 0 gate extract --pattern 'step (?P<step>\d+) acc=(?P<acc>\S+)' long.log
expect_out '300 lines with val ppl that nothing reads: val ppl 12.1'

# grpo REWARD LOSS NORM: verl's lines. What is printed is not judged until a rule says so; what is no number any more fails.
grpo() {
  local step
  for step in {1..6}; do
    printf 'step:%d - actor/pg_loss:%s - actor/grad_norm:%s - critic/rewards/mean:%s - perf/throughput:1800.0 - timing_s/step:20.0\n' \
      "$step" "$2" "$3" "$1"
  done
}
grpo 0.6500 0.0100 0.9000 >grpo.log
grpo -5.0000 0.0100 0.9000 >grpo_low.log
grpo 0.6500 nan 0.9000 >grpo_nan.log
expect_exit 3 gate check grpo_low.log --baseline grpo.log
expect_out 'no accuracy is judged, and the log prints reward, policy_loss'
expect_exit 1 gate check grpo_nan.log --baseline grpo.log
expect_out 'policy_loss (rule finite)  6 steps not finite'
refute_out 'not finite or'
expect_exit 3 gate check grpo_nan.log --baseline grpo.log --set rules.finite=false
expect_exit 0 gate check grpo.log --baseline grpo.log --set 'rules.reward.tolerance=±2%'
expect_exit 1 gate check grpo_low.log --baseline grpo.log --set 'rules.reward.tolerance=±2%'
expect_exit 0 gate check grpo.log --baseline grpo.log --set strict=false

# megatron NORM NANS [MOE]: a norm, a counter of NaN and the loss of experts.
megatron() {
  local step norm
  for step in {1..6}; do
    norm=$([[ $step == 4 ]] && echo "$1" || echo 1.500)
    printf ' iteration %d/ 6 | elapsed time per iteration (ms): 200.0 | lm loss: 2.%d00000E+00 | %sgrad norm: %s | number of skipped iterations: 0 | number of nan iterations: %s |\n' \
      "$step" "$step" "${3:+moe loss: $3 | }" "$norm" "$2"
  done
}
megatron 1.500 0 1.100000E-02 >base.log
for damage in 'nan 0 1.100000E-02' 'inf 0 1.100000E-02' '1.500 2 1.100000E-02' '1.500 0 nan'; do
  megatron $damage >damaged.log
  expect_exit 1 gate check damaged.log --baseline base.log
  expect_out '(rule finite)'
done
megatron 0.000 0 1.100000E-02 >zero.log
expect_exit 0 gate check zero.log --baseline base.log
expect_out 'grad_norm: 0 at step 4, and not in the baseline'
megatron 1.500 0 >gone.log
expect_exit 0 gate check gone.log --baseline base.log
expect_out 'load_balancing_loss: no longer printed'

# A built-in tolerance as wide as the losses themselves compares nothing.
sed 's/lm loss: 2\.\(.\)00000E+00/lm loss: \1.000000E-03/' base.log >small.log
sed 's/lm loss: [0-9.]*E-03/lm loss: 0.000000E+00/' small.log >none.log
expect_exit 3 gate check none.log --baseline small.log
expect_out 'lm_loss: with ±0.01 it may change by 100 % at each step'
expect_exit 1 gate check none.log --baseline small.log --set 'rules.lm_loss.tolerance=±2%'

# A suite, a group and a case say how strict they are; what a change loosens is a finding.
suite && git init -q . && git config user.email a@b && git config user.name a
script speed <<<"#GATE devices=0
cat $WORK/grpo.log"
expect_exit 0 gate baseline record speed
expect_exit 0 gate baseline accept speed --reason first
git add . && git commit -qm first
expect_exit 3 gate run
printf '[case.speed]\nstrict = false\n' >gate.toml
expect_exit 0 gate run
expect_exit 3 gate run --policy-from HEAD
expect_out 'strict'
