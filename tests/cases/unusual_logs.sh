# Logs that a person reads without a thought: nulls, a table, two engines, lines in the other order or written twice, lists
# that count from the first iteration, a baseline of several files.
. "$(dirname "$0")/_lib"

# --- null says that nothing was logged: the last record marks the end ---
jq -nc 'range(5; 35; 5) | {current_steps: ., total_steps: 35, loss: (3 - . / 100), eval_loss: null, lr: 1e-05}' >llama.jsonl
cp llama.jsonl ended.jsonl
jq -nc '{current_steps: 35, total_steps: 35, loss: null, eval_loss: null, lr: null, percentage: 100}' >>ended.jsonl
for baseline in llama.jsonl ended.jsonl; do
  expect_exit 0 gate check ended.jsonl --baseline "$baseline"
  refute_out 'left out'
done
sed '3s/"loss":[0-9.]*/"loss":null/' llama.jsonl >gone.jsonl
expect_exit 4 gate check gone.jsonl --baseline llama.jsonl
expect_out 'missing step 15 of 30'
sed '3s/"loss":[0-9.]*/"loss":NaN/' llama.jsonl >nan.jsonl
expect_exit 1 gate check nan.jsonl --baseline llama.jsonl

# --- metrics.csv names its columns ---
table() { # FACTOR
  echo 'epoch,epoch_time,step,train_loss_epoch,train_loss_step,val_loss'
  awk -v f="$1" 'BEGIN { for (i = 1; i <= 20; i++) {
    printf "0,,%d,,%.4f,\n", 50 * i - 1, f * (8 - i / 10)
    if (i % 5 == 0) printf "0,,%d,,,%.4f\n0,30.2,%d,%.4f,,\n", 50 * i - 1, 7 - i / 10, 50 * i - 1, 7.5 - i / 10 } }'
}
table 1 >metrics.csv
table 2 >doubled.csv
expect_exit 0 gate check metrics.csv --baseline metrics.csv
expect_out 'lm_loss 49-749 by 50 of 49-999 by 50'
expect_exit 1 gate check doubled.csv --baseline metrics.csv
expect_out 'largest +7.900 (+100 %)'

# --- two engines are two streams of one run ---
chat() { # ACTOR_LOSS
  local step
  echo '***** Running training *****'
  for step in {1..30}; do
    if ((step % 10 == 0)); then
      printf '[2026-01-07 08:%02d:01,035] [INFO] [logging.py:96:log_dist] [Rank 0] step=%d, skipped=5, lr=[%d.5e-07], mom=[0.9]\n' \
        "$step" "$step" "$step"
      printf '[2026-01-07 08:%02d:01,058] [INFO] [timer.py:199:stop] epoch=0/micro_step=%d/global_step=%d, %s\n' "$step" "$step" \
        "$step" 'RunningAvgSamplesPerSec=86.3, CurrSamplesPerSec=85.4, MemAllocated=10.75GB, MaxMemAllocated=20.5GB'
      printf '[2026-01-07 08:%02d:01,251] [INFO] [logging.py:96:log_dist] [Rank 0] step=%d, skipped=3, lr=[%d.5e-08], mom=[0.9]\n' \
        "$step" "$step" "$step"
    fi
    printf 'epoch: 0|step: %d|ppo_ep: 1|act_loss: %s|cri_loss: 0.125|unsuper_loss: 0.0\n' $((step - 1)) \
      "$([[ $step == 17 ]] && echo "$1" || echo 0.25)"
    printf 'average reward score: 0.%d\n|E2E latency=3.5s |Gather latency=0.00s (0.00%%) |CurSamplesPerSec=17.17\n' "$step"
  done
}
chat 0.25 >chat.log
chat nan >chat_nan.log
expect_exit 0 gate extract chat.log --format csv
for metric in policy_loss critic_loss reward iteration_time; do
  [[ $(grep -c "^$metric," "$WORK/.last/out") == 30 ]] || broken "not 30 of $metric"
done
expect_out_match '^critic_learning_rate,,20,20.5e-08,'
expect_out_match '^learning_rate,,20,20.5e-07,'
refute_err restart
expect_exit 3 gate check chat.log --baseline chat.log # no rule is on what it prints
expect_exit 0 gate check chat.log --baseline chat.log --set 'rules.policy_loss.tolerance=±0.01'
expect_exit 0 gate extract chat_nan.log
expect_out 'not_finite  chat_nan.log:53: step 17: act_loss nan'
expect_exit 1 gate check chat_nan.log --baseline chat.log --set 'rules.policy_loss.tolerance=±0.01'

# --- a resume, lines written twice, two lines in the other order ---
titan() { # FIRST LAST [MEMORY]
  awk -v a="$1" -v b="$2" -v m="${3:-20}" 'BEGIN { for (i = a; i <= b; i++)
    printf "[rank0]:[titan] 2026-03-04 10:00:%02d,000 - root - INFO - step: %2d  loss: %.4f  grad_norm: 1.5000  " \
      "memory: %.2fGiB(25.00%%)  tps: 5,000  tflops: 100.00  mfu: 32.00%%\n", i, i, 9 - i / 10, m + i / 2 }'
}
titan 1 20 >whole.log
{ titan 1 12 && echo 'killed, restarted' && titan 11 20; } >resumed.log
{ titan 1 9 && titan 6 20; } >twice.log
{ titan 1 12 && titan 11 20 40; } >grown.log
for log in resumed twice; do
  expect_exit 0 gate check $log.log --baseline whole.log
  expect_out 'memory 1 rank ok'
  expect_exit 0 gate check whole.log --baseline $log.log
done
expect_exit 1 gate check grown.log --baseline whole.log
expect_out 'memory_max_reserved'

megatron_log {1..12}.500 >straight.log
for at in 1 6 11; do
  sed "$at{h;d};$((at + 1)){G}" straight.log >swapped.log
  expect_exit 0 gate check swapped.log --baseline straight.log
  expect_out "swapped.log:$((at + 1)): step $at stands behind step $((at + 1)): two lines in the other order"
  expect_exit 0 gate check straight.log --baseline swapped.log
  sed "s/: 9.500 /: 9.900 /" swapped.log >changed.log
  expect_exit 1 gate check changed.log --baseline straight.log
done

# --- dictionaries of the Trainer behind its bar, before it, held back by a buffer, without one ---
trainer() { # LAYOUT [LOSS_AT_8] [LEFT_OUT] [TWICE]
  awk -v layout="$1" -v odd="${2:-2.2}" -v out="${3:-0}" -v twice="${4:-0}" 'BEGIN { for (step = 1; step <= 200; step++) {
    bar = sprintf("\r%3d%%|##   | %d/200 [%02d:%02d<01:00,  2.00s/it]", step / 2, step, step / 30, step * 2 % 60)
    text = sprintf("{\047loss\047: %.4f, \047grad_norm\047: 1.%d37, \047learning_rate\047: %de-07, \047epoch\047: %.2f}\n", \
      step == 80 ? odd : 3 - step / 100, step * 7919, 1000 - step, step / 100)
    if (step % 10 || step == out) text = ""
    if (step == twice) text = text text
    if (layout == "behind") printf "%s%s%s", bar, text == "" ? "" : "\r      \r" text, text == "" ? "" : bar
    if (layout == "before") printf "%s%s", text == "" ? "" : "\n" text, bar
    if (layout == "burst") { held = held text; printf "%s", bar; if (step % 70 == 0) { printf "\n%s", held; held = "" } }
    if (layout == "end") { held = held text; printf "%s", bar }
    if (layout == "alone") printf "%s", text
  } printf "\n%s", held }'
}
trainer behind >behind.log
for layout in behind before burst 'end' alone; do
  trainer $layout >trainer.log
  expect_exit 0 gate check trainer.log --baseline behind.log
  expect_exit 0 gate check behind.log --baseline trainer.log
  trainer $layout 2.2 0 120 >trainer.log
  expect_exit 0 gate check trainer.log --baseline behind.log
  trainer $layout 3.9 >trainer.log
  expect_exit 1 gate check trainer.log --baseline behind.log
  trainer $layout 2.2 120 >trainer.log
  expect_exit 4 gate check trainer.log --baseline behind.log
done
expect_out 'missing step 12 of 20'
expect_out "the run's steps are counted, for it shows none: the baseline's are counted, too"

# --- a last line without its newline ---
engine() { # STEPS
  awk -v n="$1" 'BEGIN { for (i = 10; i <= n; i += 10)
    printf "[..] [timer.py:260:stop] epoch=0/micro_step=%d/global_step=%d, RunningAvgSamplesPerSec=25.02, " \
      "CurrSamplesPerSec=26.5, MemAllocated=4.25GB, MaxMemAllocated=38.5GB\n", i, i }'
}
verl() { # LAST_LOSS
  printf 'step:%d - train/grad_norm:1.5 - train/loss:2.%d4\n' 1 9 2 8 3 7 4 6
  printf 'step:5 - train/grad_norm:1.5 - train/loss:%s' "$1"
}
engine 50 >engine.log
engine 50 | head -c -1 >ended.log
expect_exit 0 gate check ended.log --baseline engine.log --set strict=false
{ verl 2.54 && echo; } >verl.log
verl 2.54 >ended.log
expect_exit 0 gate check ended.log --baseline verl.log
verl 2.99 >ended.log
expect_exit 1 gate check ended.log --baseline verl.log
verl 2.5 >ended.log
expect_exit 4 gate check ended.log --baseline verl.log
expect_out 'record cut off at'
printf 'step:%d - train/loss:2.%d25 - train/grad_norm:%s\n' 1 9 2.93 2 8 3.2 3 7 3.18 >norms.log
head -c -1 norms.log >ended.log
expect_exit 0 gate check ended.log --baseline norms.log

# --- a speed that a step holds twice, as two callbacks measure it; a loss is none ---
mllog() { # LOSS_OF_A_SECOND_CALLBACK
  local step
  for step in {1..20}; do
    printf ':::MLLOG {"key": "tracked_stats", "value": {"train_step_time": 0.4, "reduced_train_loss": 2.%d5}, "metadata": {"lineno": 480, "samples_count": %d}}\n' \
      $((90 - step)) $((step * 32))
  done
  printf ':::MLLOG {"key": "tracked_stats", "value": {"train_step_time": 0.41%s}, "metadata": {"lineno": 210, "samples_count": 640}}\n' "$1"
}
mllog '' >two_times.log
mllog ', "reduced_train_loss": 2.9' >two_losses.log
expect_exit 0 gate check two_times.log --baseline two_times.log
expect_out 'iteration_time printed as 0.4 and as 0.41: the first is taken'
expect_exit 3 gate check two_losses.log --baseline two_losses.log

# --- Megatron-LM's lists from iteration 1 on; a 0 that an older version does not print ---
megatron_log 3.000 2.000 0.000 1.000 >zero.log
megatron_log 3.000 2.000 - 1.000 >older.log
echo '{"lm loss": {"start_step": 0, "end_step": 4, "step_interval": 1, "values": [3.0, 2.0, 0.0, 1.0]}}' >list.json
expect_exit 0 gate check zero.log --baseline list.json
expect_out 'taken as steps 1-4'
for baseline in list.json zero.log; do
  expect_exit 4 gate check older.log --baseline $baseline
  expect_out 'missing step 3 of 4'
done
echo '{"lm loss": {"start_step": 0, "end_step": 3, "step_interval": 1, "values": [3.0, 2.0, 1.0]},
  "iteration-time": {"start_step": 0, "end_step": 4, "step_interval": 1, "values": [0.5, 0.5, 0.5, 0.5]}}' >fewer.json
expect_exit 3 gate check zero.log --baseline fewer.json
expect_out 'which these are cannot be told: not used'

# --- a folder of logs as the baseline ---
mkdir -p node/deep
head -n 6 straight.log >node/rank_0.log
tail -n 6 straight.log >node/deep/rank_1.log
expect_exit 0 gate check straight.log --baseline node --json
expect_json "$WORK/.last/out" '[.cases[0] | .baseline, .more_baselines[] | .path] == ["node/deep/rank_1.log", "node/rank_0.log"]'
expect_exit 1 gate check changed.log --baseline node
mkdir -p empty words
echo 'no number' >words/a.log
expect_exit 2 gate check straight.log --baseline empty
expect_err 'empty: the folder holds no file'
expect_exit 2 gate check straight.log --baseline words
expect_err 'words: holds no log of a known format'

# --- what terminals, launchers, collectors of logs and other processes put into a log ---
expect_exit 0 python3 "$SOURCE/tests/cases/harmless_changes.py" "$GATE" "$SOURCE/tests/logs"
expect_out_match '^[0-9]+ logs, 0 wrong$'
