#!/usr/bin/env bash
# Trains on one host, whichever has room.
#GATE devices=0
. "$(dirname "$0")/_train.sh"
train --ranks 1 --seed 1 "$@"
