#!/usr/bin/env bash
# Stands for `torchrun ... pretrain_gpt.py`: the flags of Megatron-LM that tinygpt has, too, under the names they have there.
words=()
for word in "$@"; do
  [[ $word != --train-iters ]] || word=--steps
  words+=("$word")
done
exec "${TINYGPT:-tinygpt}" --ranks 2 "${words[@]}"
