# Lines that frameworks print beside the usual ones: fillers, padding, prefixes of whole records, clocks.
. "$(dirname "$0")/_lib"

# --- torchtitan's stages: -1 is no loss, wherever the stage with a loss is printed ---
# titan RANK LOSS_OF_STEP_6...: ten steps of a rank, whose loss is -1.0000 or falls by 0.25
titan() {
  local step loss
  for step in {1..10}; do
    loss=$(printf '%d.%02d00' $((11 - step / 4)) $((100 - step % 4 * 25 - 1)))
    [[ $2 == loss ]] || loss=-1.0000
    echo "[rank$1]:[titan] 2026-05-03 01:27:0$((step % 10)),600 - root - INFO - step: $(printf %2d "$step")  loss: $loss  memory: 41.20GiB(52.07%)  tps: 1,450  tflops: 0.90  mfu: 0.29%"
  done
}
# interleave A B: a line of each in turn
interleave() { paste -d '\n' "$1" "$2"; }
titan 0 none >rank0.log
titan 7 loss >rank7.log
interleave rank0.log rank7.log >both.log
interleave rank7.log rank0.log >swapped.log
sed '/rank7.*step: *\(7\|8\|9\|10\) /s/loss: /loss: 1/' both.log >broken.log
sed 's/^/node-3: /' both.log >prefixed.log
mkdir ranks && cp rank0.log rank7.log ranks/
for log in both.log swapped.log prefixed.log ranks; do
  expect_exit 0 gate check --no-ci $log --baseline both.log
  expect_out_match '^passed .* lm_loss 10 steps'
  refute_out conflict
done
expect_exit 1 gate check --no-ci broken.log --baseline both.log
expect_out '4 of 10 steps'
expect_out_match '^    first .*step 7: '
expect_exit 3 gate check --no-ci rank0.log --baseline rank0.log
expect_out 'lm_loss is -1 throughout, which ranks print that have none'
expect_exit 4 gate check --no-ci rank0.log --baseline both.log
expect_out_match '^  lm_loss +missing: not in the run'
refute_out better
gate check --no-ci both.log --baseline rank0.log >out 2>&1 || true
expect_file out 'lm_loss: not in the baseline'

# --- llm.c's nan is as wide as a number; its main.log ---
for i in {1..20}; do printf 'step %4d/20 | loss %d.500000 (+0.10z)| norm 2.0000 (+0.10z)| lr 8.57e-07 | 4130.00 ms | 32.7%% bf16 MFU | 123000 tok/s\n' "$i" $((30 - i)); done >base.log
sed '9,$s/loss [0-9.]* (+0.10z)/loss     nan (+nanz)/' base.log >nan.log
sed 's/loss [0-9.]* (+0.10z)| norm 2.0000/loss    -nan (+nanz)| norm    nan/' base.log >allnan.log
expect_exit 0 gate check --no-ci base.log --baseline base.log
for log in nan.log allnan.log; do
  expect_exit 1 gate check --no-ci $log --baseline base.log
  expect_out_match '^  lm_loss .*not finite|^  lm_loss .*nan'
done

# --- MLPerf's tracked_stats, whatever the order of its names ---
# tracked LOSS_OF_STEP_1: ten steps
tracked() {
  local i
  for i in {1..10}; do
    printf ':::MLLOG {"namespace": "", "time_ms": %d, "event_type": "POINT_IN_TIME", "key": "tracked_stats", "value": {"train_step_time": 0.43, "reduced_train_loss": %d.5000}, "metadata": {"file": "cb.py", "lineno": 480, "step": %d.0, "samples_count": %d.0}}\n' "$i" $(($1 - i)) $((i * 32)) $((i * 512))
  done
}
tracked 20 >base.log
tracked 40 >bad.log
sed 's/^\(:::MLLOG {\)\("namespace".*\), \("metadata": {.*}\)}/\1\3, \2}/' base.log >turned.log
! cmp -s base.log turned.log || broken "nothing is turned"
expect_exit 0 gate check --no-ci turned.log --baseline base.log
expect_out_match '^passed .* lm_loss 10 steps, iteration_time 0 %'
expect_exit 1 gate check --no-ci bad.log --baseline base.log
expect_out_match '^  lm_loss '

# --- OLMo's records behind whatever stands before each of their lines ---
for i in {1..12}; do
  printf '2025-12-07 17:31:%02d.755\tgreen:0\tolmo.train:979\tINFO\t[step=%d/12,epoch=0]\n    optim/total_grad_norm=2.0\n    train/CrossEntropyLoss=%d.500\n    throughput/device/tokens_per_second=49,296\n' "$i" "$i" $((30 - i))
done >base.log
for prefix in 'worker-3: ' '3: ' '0: [rank0]:' '[rank3]:' '(Worker pid=12, ip=10.0.0.1) ' '[pod/olmo-0/main] ' '2025-12-07T17:31:01.7551Z stdout F ' 'Dec 07 17:31:01 green python[41]: ' 'green-0 | ' '<7> '; do
  sed "s#^#$prefix#" base.log >prefixed.log
  expect_exit 0 gate check --no-ci prefixed.log --baseline base.log
  expect_out_match '^passed .* lm_loss 12 steps'
  sed "s#^#other $prefix#; s/Loss=.*/Loss=99/; s/green:0/green:1/" base.log | interleave prefixed.log - >two.log
  expect_exit 0 gate extract two.log --format csv
  [[ $(grep -c '^lm_loss' "$WORK/.last/out") == 12 ]] || broken "not 12 losses behind '$prefix'"
  sed '/Loss=1[89].500/s/Loss=/Loss=3/' prefixed.log >bad.log
  expect_exit 1 gate check --no-ci bad.log --baseline base.log
done

# --- clocks since the start are no speed, in formats and in what init proposes ---
# begins LINE: a suite for a log of 40 lines; in the line S is the step, T a clock, P a time of its own
begins() {
  rm -rf own && mkdir own && cd own
  local i line
  for i in {1..40}; do
    line=${1//S/$i} line=${line//T/$((i * 100 + 7))}
    echo "${line//P/$((100 + i % 7))}"
  done >train.log
  expect_exit 0 gate init train.log
  expect_exit 0 gate check --no-ci train.log --baseline train.log
}
# lacks WORD: gate.toml does not hold it
lacks() { ! grep -qF -- "$1" gate.toml || broken "gate.toml with: $1"; }
for clock in 'train_time:Tms' 'elapsed: T s' 'total_time T.5s' 'time=T' 'wall_clock_time=T.25'; do
  begins "step S | loss 2.5 | $clock | step_time 10P ms"
  lacks "[rules.${clock%%[:= ]*}]"
  expect_file gate.toml '[rules.step_time]'
  cd "$WORK"
done
begins 'step:S/40 train_loss:8.5 train_time:Tms step_avg:100.00ms'
expect_file gate.toml '# - train_time has no rule: a clock since the start'
lacks '[rules.train_time]'
lacks '[metrics.train_time]'
sed '31,$s/train_loss:8/train_loss:9/' train.log >bad.log
expect_exit 1 gate check --no-ci bad.log --baseline train.log
cd "$WORK"

# --- torchtitan's losses with comments, and the names of their columns ---
printf '# a debug model, 8 GPUs\n1 8.04\n2 7.75\n3 7.03\n' >losses.txt
expect_exit 0 gate check --no-ci losses.txt --baseline losses.txt
printf '# config: a\n# step loss grad_norm\n1 8.04 1.5\n2 7.75 1.25\n3 7.03 1\n' >named.txt
expect_exit 0 gate check --no-ci named.txt --baseline losses.txt
expect_out 'bit-equal'
sed 's/^2 7/2 9/' named.txt >worse.txt
expect_exit 1 gate check --no-ci worse.txt --baseline named.txt
