#!/usr/bin/env bash
# Llama-2 7B, pretraining, on 8 Ascend NPUs with MindSpeed-LLM: tensor parallel 2, pipeline parallel 4 with 2
# virtual stages a device, 15 iterations.
#GATE devices=8 platform=ascend-* timeout=30m tags=llama2,tp,pp,vpp
#
# Needed from the environment:
#   MINDSPEED_LLM_PATH   checkout of MindSpeed-LLM, with Megatron's megatron/ linked into it
#   DATA_PATH            prefix of the preprocessed data set: DATA_PATH.bin, DATA_PATH.idx
#   TOKENIZER_PATH       folder of the Llama-2 tokenizer, in the format of Hugging Face
# Optional:
#   CKPT_LOAD_DIR        weights to start from, already split tp2 pp4 vpp2 (default: random, by the seed)
#   CANN_PATH            of the CANN toolkit, where its environment is not set yet
#   NNODES NODE_RANK NPROC_PER_NODE MASTER_ADDR MASTER_PORT
set -euo pipefail

: "${MINDSPEED_LLM_PATH:?set it to a checkout of MindSpeed-LLM}"
: "${DATA_PATH:?set it to the prefix of a preprocessed data set (without .bin and .idx)}"
: "${TOKENIZER_PATH:?set it to the folder of the Llama-2 tokenizer}"

if [[ -z ${ASCEND_HOME_PATH:-} ]]; then
  : "${CANN_PATH:?set it to the CANN toolkit, or source its set_env.sh first}"
  set +u # set_env.sh appends to variables that may be unset
  # shellcheck source=/dev/null
  source "$CANN_PATH/set_env.sh"
  set -u
fi

NNODES=${NNODES:-1}
NODE_RANK=${NODE_RANK:-0}
NPROC_PER_NODE=${NPROC_PER_NODE:-8}
MASTER_ADDR=${MASTER_ADDR:-localhost}
MASTER_PORT=${MASTER_PORT:-6012}

TP=2
PP=4
LAYERS=32
LAYERS_PER_VIRTUAL_STAGE=4 # 32 layers / 4 stages / 2 virtual ones

if (((NNODES * NPROC_PER_NODE) % (TP * PP) != 0)); then
  echo "$0: $((NNODES * NPROC_PER_NODE)) processes are no multiple of tp $TP x pp $PP" >&2
  exit 2
fi

export CUDA_DEVICE_MAX_CONNECTIONS=1
export PYTORCH_NPU_ALLOC_CONF=expandable_segments:True
export HCCL_CONNECT_TIMEOUT=1200
export HCCL_DETERMINISTIC=true # the same losses at every run, together with --use-deter-comp
export PYTHONUNBUFFERED=1

DISTRIBUTED_ARGS=(
  --nproc_per_node "$NPROC_PER_NODE"
  --nnodes "$NNODES"
  --node_rank "$NODE_RANK"
  --master_addr "$MASTER_ADDR"
  --master_port "$MASTER_PORT"
)

GPT_ARGS=(
  --use-mcore-models
  --tensor-model-parallel-size "$TP"
  --pipeline-model-parallel-size "$PP"
  --num-layers-per-virtual-pipeline-stage "$LAYERS_PER_VIRTUAL_STAGE"
  --sequence-parallel
  --use-distributed-optimizer
  --num-layers "$LAYERS"
  --hidden-size 4096
  --ffn-hidden-size 11008
  --num-attention-heads 32
  --seq-length 4096
  --max-position-embeddings 4096
  --micro-batch-size 1
  --global-batch-size 16
  --train-iters 15
  --seed 1234
  --lr 1.25e-6
  --min-lr 1.25e-7
  --lr-decay-style cosine
  --lr-warmup-fraction 0.01
  --weight-decay 0.1
  --clip-grad 1.0
  --adam-beta1 0.9
  --adam-beta2 0.95
  --init-method-std 0.01
  --initial-loss-scale 65536
  --attention-dropout 0.0
  --hidden-dropout 0.0
  --disable-bias-linear
  --untie-embeddings-and-output-weights
  --make-vocab-size-divisible-by 1
  --position-embedding-type rope
  --normalization RMSNorm
  --norm-epsilon 1e-5
  --swiglu
  --use-flash-attn
  --use-fused-rmsnorm
  --use-fused-swiglu
  --use-fused-rotary-pos-emb
  --no-masked-softmax-fusion
  --attention-softmax-in-fp32
  --no-gradient-accumulation-fusion
  --use-deter-comp
  --bf16
)

DATA_ARGS=(
  --data-path "$DATA_PATH"
  --split "100,0,0"
  --tokenizer-type PretrainedFromHF
  --tokenizer-name-or-path "$TOKENIZER_PATH"
  --tokenizer-not-use-fast
)

OUTPUT_ARGS=(
  --log-interval 1
  --log-throughput
  --save-interval 1000
  --eval-interval 1000
  --eval-iters 0
)

if [[ -n ${CKPT_LOAD_DIR:-} ]]; then
  OUTPUT_ARGS+=(--load "$CKPT_LOAD_DIR" --no-load-optim --no-load-rng --finetune)
fi

cd "$MINDSPEED_LLM_PATH"
exec torchrun "${DISTRIBUTED_ARGS[@]}" pretrain_gpt.py \
  "${GPT_ARGS[@]}" \
  "${DATA_ARGS[@]}" \
  "${OUTPUT_ARGS[@]}" \
  --distributed-backend nccl \
  "$@"
