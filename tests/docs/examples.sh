#!/usr/bin/env bash
# The suites of docs/examples: each one, copied, has its cases, and, where it has baselines, is green, and has a change that makes it red;
# what gate keeps of its baselines is content. An example that this machine has no parts for is skipped, and said.
# timeout: 240
. "$(dirname "$0")/../cases/_lib"

# example NAME: a copy of it, entered
example() { cp -r "$SOURCE/docs/examples/$1" "$WORK/$1" && cd "$WORK/$1" || exit 2; }
# lists CASE...: these are its cases
lists() {
  expect_exit 0 gate list --json
  [[ $(jq -r '[.[].case] | join(" ")' "$WORK/.last/out") == "$*" ]] || broken "other cases than $*"
}
# content [FLAG]...: selftest has no survivor, lint finds nothing weak, however old the example is
content() {
  expect_exit 0 gate selftest "$@"
  expect_last_line '^GREEN: no survivor of '
  expect_exit 0 gate baseline lint
}
# red METRIC COMMAND...: ends with 1 for that metric
red() {
  expect_exit 1 "${@:2}"
  expect_out_match "^  $1 "
  expect_last_line 'regressed'
}

own_log() {
  example own-log
  lists asr_small
  expect_exit 0 gate run
  expect_exit 0 gate check logs/good.log --case asr_small
  red ctc gate check logs/worse.log --case asr_small
  red wer gate run -- 0.0015
  content
}

outputs() {
  example outputs
  lists translate
  expect_exit 0 gate run
  red answers.bleu gate run -- pruned
  sed -i s/0.0747/0.0947/ golden/first_words.csv
  red first_words.mean_relative_error gate run
}

modellink_tree() {
  example modellink-tree
  lists pretrain_gpt_dp1 pretrain_gpt_dp2
  mv gate.toml kept.toml
  expect_exit 0 gate init
  expect_same kept.toml gate.toml
  expect_exit 0 gate run
  expect_out 'under profile gate 0 of 2 would be red'
  red lm_loss gate run pretrain_gpt_dp2 -- --lr 4e-3
  content --profile gate
}

megatron_folder() {
  example megatron-folder
  lists functional/gpt/gpt3_dp2 functional/gpt/gpt3_dp2_resume
  expect_exit 0 gate run
  red lm_loss gate run functional/gpt/gpt3_dp2 -- --lr 0.004
  red lm_loss gate run functional/gpt/gpt3_dp2_resume -- --no-save-optim
  expect_out 'lm_loss deterministic resume'
  content --profile gate
}

flagperf_tree() {
  example flagperf-tree
  export PATH=$PWD/bin:$PATH
  lists glm/pytorch@1x1 glm/pytorch@1x2
  cp gate.toml kept.toml && rm gate.toml
  expect_exit 0 gate init
  expect_same <(sed '/^# By hand:/,$d' kept.toml | sed '$d') gate.toml
  mv kept.toml gate.toml
  expect_exit 0 gate run
  sed -i 's/^lr = .*/lr = 1e-2/' training/nvidia/glm-pytorch/config/config_A100x1x2.py
  red lm_loss gate run glm:pytorch:A100:1:2:1
  expect_out_match '^  final_accuracy '
  content
}

two_hosts() {
  mkdir two-hosts && cd two-hosts
  . "$SOURCE/tests/docs/setup/examples__two-hosts__README" # the hosts, too
  git init -q . && git add .
  lists pair seed1 seed2
  expect_exit 0 gate run
  expect_err 'node2 is sent 9 files of the git tree'
  expect_json .gate/latest/result.json '[.cases[] | .hosts | length] == [2, 1, 1]'
  expect_file .gate/latest/pair/artifacts.node1/out/where.txt 'node 1 of 2 '
  red lm_loss gate run pair -- --lr 0.01
  content
}

slurm() {
  mkdir slurm-example && cd slurm-example
  . "$SOURCE/tests/docs/setup/examples__slurm__README" # the cluster, too
  lists pretrain tune
  expect_exit 0 gate run
  expect_file .gate/latest/pretrain/log.node1.txt 'node 1 of 2, devices '
  red lm_loss gate run tune -- --lr 0.02
  content
}

# It has no baselines; its devices are nowhere here.
eight_devices() {
  example eight-devices
  lists llama2_tp2_pp4_vpp2 llama2_tp2_pp4_vpp2_cuda
  expect_exit 3 gate run --platform cpu
  expect_last_line '2 skipped'
}

failed=0 skipped=0 count=0
for name in own_log outputs modellink_tree megatron_folder flagperf_tree two_hosts slurm eight_devices; do
  mkdir "$WORK/$name" "$WORK/$name/.last"
  code=0
  (WORK=$WORK/$name && cd "$WORK" && "$name") >"$WORK/$name.said" 2>&1 || code=$?
  cat "$WORK/$name.said"
  count=$((count + 1))
  case $code in
    0) echo "passed $name" ;;
    77) skipped=$((skipped + 1)) && echo "skipped $name" ;;
    *) failed=1 && echo "FAILED $name" ;;
  esac
done
((skipped < count)) || skip 'none of the examples has its parts here'
exit $failed
