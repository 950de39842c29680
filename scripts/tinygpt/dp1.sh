#!/usr/bin/env bash
# Train tinygpt, a small real GPT, on one rank: about a second, without accelerator or Python.
#GATE devices=0 timeout=2m tags=smoke,dp
#
# Arguments are handed on to tinygpt, after and so above those set here: dp1.sh --seed 7
# TINYGPT   the binary (default: build/release/tinygpt of this repository)
set -euo pipefail

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
TINYGPT=${TINYGPT:-$ROOT/build/release/tinygpt}

if [[ ! -x $TINYGPT ]]; then
  echo "$0: no tinygpt at $TINYGPT" >&2
  echo "build it (cmake --preset release && cmake --build --preset release --target tinygpt), or set TINYGPT" >&2
  exit 127
fi

exec "$TINYGPT" --ranks 1 --steps 30 "$@"
