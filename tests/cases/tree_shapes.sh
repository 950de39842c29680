# Trees in the shape of MindSpeed-MM's and torchtitan's, whose trainers read their words and print the tools' lines: green
# without an edit, and red for what is planted. Those of real checkouts are in real_trees.sh.
. "$(dirname "$0")/_lib"
. "$(dirname "$0")/_host"
. "$(dirname "$0")/_trainers"

trainers "$WORK/.trainers"
npu_tool "$WORK/.devices" 2
nvidia_tool "$WORK/.devices" 2 'NVIDIA H100 80GB HBM3'
export PATH=$WORK/.devices/bin:$PATH

# --- MindSpeed-MM: its golden file is the baseline; the script's own environment is that of its image ---
in_image /usr/local/Ascend/ascend-toolkit /home/ci_resource/data
echo 'export FROM_IMAGE=1' >"$TRAINERS/image/usr/local/Ascend/ascend-toolkit/set_env.sh"
mkdir -p mm/mindspeed_mm mm/tests/st/{shell_scripts,baseline_results} && cd mm && git init -q .
touch pretrain_vlm.py model.json
cat >tests/st/shell_scripts/finetune_small.sh <<'END_OF_SCRIPT'
#!/bin/bash
set -e
source /usr/local/Ascend/ascend-toolkit/set_env.sh
[[ $FROM_IMAGE == 1 ]]
BASEPATH=$(cd `dirname $0`; cd ../../../; pwd)
NPUS_PER_NODE=2
MASTER_PORT=6000
mkdir -p logs
torchrun --nproc_per_node $NPUS_PER_NODE --nnodes 1 --node_rank 0 --master_addr localhost --master_port $MASTER_PORT \
    $BASEPATH/pretrain_vlm.py --micro-batch-size 1 --global-batch-size 2 --lr 1.0e-5 --train-iters 4 --log-interval 1 \
    --mm-model $BASEPATH/model.json --mm-data $DATA 2>&1 | tee logs/train.log
END_OF_SCRIPT
echo '{"loss": [12.5, 1.1E+01, 10.25, 9.75], "time": [900.5, 300.0, 310.5, 305.0], "warm_up": 1, "memo info": [
  {"rank": 0, "allocated memory": 1000.5, "max allocated memory": 2000.25},
  {"rank": 1, "allocated memory": 1001.5, "max allocated memory": 2001.25}]}' >tests/st/baseline_results/finetune_small.json
export DATA=/home/ci_resource/data
expect_exit 0 gate init
expect_out 'profile mindspeed-mm'
expect_exit 0 gate run
expect_last_line '1 passed'
[[ $(grep -c -x -e '--train-iters' "$TRAINERS/words") == 1 ]] || broken 'torchrun was not called once'
plant finetune_small slow
expect_exit 1 gate run
expect_out_match '^ +iteration_time .*\+25 %'
plant && plant finetune_small rank
expect_exit 4 gate run
expect_out 'memory_allocated'
plant
DATA=/home/ci_resource/gone expect_exit 4 gate run # the trainer says so; tee ends with 0
expect_file .gate/latest/finetune_small/log.txt '--mm_data: no such file: /home/ci_resource/gone'

# --- torchtitan: a script is the user's, the losses are the checkout's ---
mkdir -p "$WORK/titan"/{torchtitan/models/llama3,tests/assets/losses,tests/gate} && cd "$WORK/titan" && git init -q .
touch torchtitan/train.py
printf '%s\n' 'torchrun --nproc_per_node=${NGPU} --rdzv_backend c10d --rdzv_endpoint="localhost:0" --local-ranks-filter ${LOG_RANK} \' \
  '  --role rank --tee 3 -m torchtitan.train --module ${MODULE} --config ${CONFIG} "$@"' >run_train.sh
printf '1 8.049097061157227\n2 7.75183629989624\n3 7.032886028289795\n' >tests/assets/losses/small_cuda.txt
expect_exit 0 gate init
printf '#GATE devices=2\nexport NGPU=2 LOG_RANK=0 MODULE=llama3 CONFIG=small\nbash run_train.sh --training.steps=3 --metrics.log_freq=1\n' \
  >tests/gate/small_cuda.sh
expect_exit 0 gate baseline import --tree tests/assets/losses/
expect_exit 0 gate baseline accept --reason 'as they were'
expect_exit 0 gate run
expect_last_line '1 passed'
plant small_cuda loss
expect_exit 1 gate run
expect_out 'lm_loss'
