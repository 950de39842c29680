#!/usr/bin/env bash
# Llama-2 7B, pretraining, on 8 NVIDIA GPUs with Megatron-LM core: tensor parallel 2, pipeline parallel 4 with 2
# virtual stages a device, 15 iterations. The same training as llama2_tp2_pp4_vpp2.sh.
#GATE devices=8 platform=nvidia-* timeout=30m tags=llama2,tp,pp,vpp
#
# Needed from the environment:
#   MEGATRON_PATH     checkout of Megatron-LM
#   DATA_PATH         prefix of the preprocessed data set: DATA_PATH.bin, DATA_PATH.idx
#   TOKENIZER_MODEL   the Llama-2 tokenizer.model (SentencePiece)
# Optional:
#   CKPT_LOAD_DIR     weights to start from (default: random, by the seed)
#   NNODES NODE_RANK NPROC_PER_NODE MASTER_ADDR MASTER_PORT
set -euo pipefail

: "${MEGATRON_PATH:?set it to a checkout of Megatron-LM}"
: "${DATA_PATH:?set it to the prefix of a preprocessed data set (without .bin and .idx)}"
: "${TOKENIZER_MODEL:?set it to the tokenizer.model of Llama-2}"

NNODES=${NNODES:-1}
NODE_RANK=${NODE_RANK:-0}
NPROC_PER_NODE=${NPROC_PER_NODE:-8}
MASTER_ADDR=${MASTER_ADDR:-localhost}
MASTER_PORT=${MASTER_PORT:-6013}

TP=2
PP=4
LAYERS=32
LAYERS_PER_VIRTUAL_STAGE=4 # 32 layers / 4 stages / 2 virtual ones

if (((NNODES * NPROC_PER_NODE) % (TP * PP) != 0)); then
  echo "$0: $((NNODES * NPROC_PER_NODE)) processes are no multiple of tp $TP x pp $PP" >&2
  exit 2
fi

export CUDA_DEVICE_MAX_CONNECTIONS=1 # what sequence parallel needs to overlap communication
export PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True
export NVTE_ALLOW_NONDETERMINISTIC_ALGO=0
export NCCL_ALGO=Ring
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
  --transformer-impl transformer_engine
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
  --attention-dropout 0.0
  --hidden-dropout 0.0
  --disable-bias-linear
  --untie-embeddings-and-output-weights
  --make-vocab-size-divisible-by 1
  --position-embedding-type rope
  --normalization RMSNorm
  --norm-epsilon 1e-5
  --swiglu
  --bf16
)

DATA_ARGS=(
  --data-path "$DATA_PATH"
  --split "100,0,0"
  --tokenizer-type Llama2Tokenizer
  --tokenizer-model "$TOKENIZER_MODEL"
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

cd "$MEGATRON_PATH"
exec torchrun "${DISTRIBUTED_ARGS[@]}" pretrain_gpt.py \
  "${GPT_ARGS[@]}" \
  "${DATA_ARGS[@]}" \
  "${OUTPUT_ARGS[@]}" \
  --distributed-backend nccl \
  "$@"
