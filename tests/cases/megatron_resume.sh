# Megatron-LM's tests of two runs: run 1 is what run 2 is judged against, behind the middle from which it goes on.
. "$(dirname "$0")/_lib"
. "$(dirname "$0")/_megatron"

mkdir mcore && cd mcore && git init -q .
mkdir -p data/text && touch pretrain_gpt.py
echo 4 >data/latest_checkpointed_iteration.txt
for type in ckpt frozen; do
  megatron_config "gpt/gpt3_$type" "$type-resume" $'MODEL_ARGS_2:\n'"$(printf '  %s\n' --tensorboard-dir:\ '${TENSORBOARD_PATH}' \
    --save:\ '${CHECKPOINT_SAVE_PATH}' --load:\ '${CHECKPOINT_LOAD_PATH}' --data-path:\ '${DATA_PATH}/text/the_pile' '--train-iters: 8' '--second: true')"
  sed -i 's/^  --train-iters: 5/  --train-iters: 8/' "tests/functional_tests/test_cases/gpt/gpt3_$type/model_config.yaml"
done
megatron_recipe gpt pretrain_gpt.py '  - test_case: [gpt3_ckpt, gpt3_frozen]
    products: [{environment: [dev], scope: [mr], platforms: [dgx_h100]}]'
nvidia_host 8 'NVIDIA H100 80GB HBM3'
expect_exit 0 gate init
expect_exit 0 gate list --explain gpt/gpt3_ckpt
expect_out_match '^phases +full,resume +tests/.*/gpt3_ckpt/model_config.yaml:[0-9]+:1$'
expect_out_match '^phase.resume.from_step +4 '
expect_exit 0 gate baseline record 'gpt/*'
expect_exit 0 gate baseline accept --to platform --reason first

# What each run is given: the first one saves, the second loads that, by words of its own; a frozen one what was there.
rm "$TORCHRUN/words"
expect_exit 0 gate run
expect_last_line '2 passed'
expect_out_match 'passed gpt/gpt3_ckpt .*lm_loss deterministic resume 4 steps'
grep -qx -e --second "$TORCHRUN/words" || broken 'the second run has not MODEL_ARGS_2'
[[ $(grep -cx -e --second "$TORCHRUN/words") == 2 ]] || broken 'more runs than the second ones have MODEL_ARGS_2'
[[ $(grep -A1 -x -e --load "$TORCHRUN/words" | grep -cx "$PWD/data") == 1 ]] || broken 'not the frozen one alone loads what is there'

# The verdicts of Megatron's own test, whatever it says of its golden file.
second() { # FIRST LAST STEP FACTOR CODE VERDICT
  echo "${@:1:4}" >"$TORCHRUN/second"
  expect_exit "$5" gate run gpt/gpt3_ckpt
  expect_json .gate/latest/result.json ".cases[0].verdict == \"$6\""
  [[ -z $(find .gate/latest/ -name checkpoints -o -name scratch) ]] || broken 'a folder of checkpoints is left'
}
second 0 0 0 1 0 passed                 # equal
second 0 0 6 1.00001 1 regressed        # off by 1e-5 behind the middle
expect_out_match '^ +lm_loss .*resume'
expect_out 'step 6'
refute_out 'gate baseline accept'
second 3 0 3 1.5 0 passed               # off at a step that is not behind the middle
second 6 0 0 1 4 incomplete             # without the first one behind the middle
second 0 7 0 1 4 incomplete             # without the last step
second 1 0 0 1 4 incomplete             # from the beginning
expect_out 'phase resume: began at step 1: nothing was resumed'
