#!/usr/bin/env bash
# Trains on one device.
#GATE devices=1
echo "node $NODE_RANK of $NNODES, devices $CUDA_VISIBLE_DEVICES"
"${TINYGPT:-tinygpt}" --ranks "$NPROC_PER_NODE" --steps 15 --seed 7 "$@"
