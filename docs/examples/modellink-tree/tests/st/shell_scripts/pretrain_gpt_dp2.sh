#!/bin/bash
# Pretrain a small GPT on 2 ranks.
export CUDA_DEVICE_MAX_CONNECTIONS=1

TRAIN_ITERS=15
GPT_ARGS="
    --ranks 2
    --steps $TRAIN_ITERS
    --lr 3.0e-3
    --seed 1234
"

# Every step is printed as 120 ms: on a shared host the true time says nothing.
"${TINYGPT:-tinygpt}" $GPT_ARGS --elapsed-ms 120 "$@"
