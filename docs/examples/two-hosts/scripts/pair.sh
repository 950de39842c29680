#!/usr/bin/env bash
# Trains on two nodes: tinygpt takes NNODES, NODE_RANK, MASTER_ADDR and MASTER_PORT from the environment.
#GATE nodes=2 devices=0
. "$(dirname "$0")/_train.sh"
train --ranks 1 "$@"
