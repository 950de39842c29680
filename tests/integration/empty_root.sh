#!/usr/bin/env bash
# The static binary needs nothing but itself: it works where the root folder holds no other program or library.
#   empty_root.sh GATE
gate=${1:?usage: empty_root.sh GATE}
chroot / true 2>/dev/null || { echo "skipped: chroot is only for root" && exit 77; }

root=$(mktemp -d) || exit 2
trap 'rm -rf "$root"' EXIT
cp "$gate" "$root/gate"
for step in 1 2 3; do
  printf ' iteration %8d/%8d | elapsed time per iteration (ms): 10.0 | lm loss: 1.%d00000E+00 |\n' $step 3 $step
done >"$root/train.log"

# expect TEXT ARG...: the output of gate with the arguments contains the text.
expect() {
  local text=$1 out
  shift
  out=$(chroot "$root" /gate "$@" 2>&1) && [[ $out == *"$text"* ]] && return
  printf 'gate %s, in an empty root, without %s:\n%s\n' "$*" "$text" "$out"
  exit 1
}

expect 'gate 1.0.0' --version
expect 'check' --help
expect 'missing    bash: ' version
expect '1.300000E+00' extract --csv /train.log
