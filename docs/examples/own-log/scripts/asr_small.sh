#!/usr/bin/env bash
# Stands for a training of a speech model: it prints what such a trainer prints, and computes nothing.
#   asr_small.sh [LEARNING_RATE]
#GATE devices=0 timeout=5m
awk -v rate="${1:-0.0010}" 'BEGIN {
  print "asr-small: 2 cards, 20 updates, learning rate " rate
  for (update = 1; update <= 20; update++) {
    loss = 0.9 + 3.2 * exp(-update / 6) + 40 * (rate - 0.0010)
    printf "upd %d/20  ctc %.4f  %.1f utt/s  clipped %d\n", update, loss, 511.5 + update % 4, update % 3
    for (card = 0; update == 1 && card < 2; card++) printf "card %d holds %.2f GiB\n", card, 10.31 + card * 0.04
    if (update % 5 == 0) printf "dev after upd %d: wer %.3f\n", update, 0.10 + loss / 8
  }
}'
