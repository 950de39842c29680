#!/usr/bin/env bash
# Trains on two nodes with two devices each: four ranks. 2x8 says eight devices each.
#GATE devices=2x2
echo "node $NODE_RANK of $NNODES, devices $CUDA_VISIBLE_DEVICES"
"${TINYGPT:-tinygpt}" --ranks "$NPROC_PER_NODE" --steps 15 "$@"
