#!/usr/bin/env bash
# Calls of the system that fail, one at a time, in gate, gate-agent and gate-worker: each ends, says why, is never green
# by it, leaves nothing half written, and works when it is run once more.
#   GATE_POINTS=all   at every call of every command; N: at every N-th (default: at a few)
# timeout: 1200
points=${GATE_POINTS:-few}
. "$(dirname "$0")/_lib"

cc -shared -fPIC -o "$WORK/faults.so" "$SOURCE/tests/integration/_faults.c" -ldl
python3 "$SOURCE/tests/integration/_fault_points.py" "$WORK" "$SOURCE/tests/cases/data/one_step.json" "$points" ||
  broken 'a call that fails is not taken as it should be'
