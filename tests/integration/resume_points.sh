#!/usr/bin/env bash
# KILL to gate before each of its calls that others can see, then --resume: nothing is green that is not, no result is
# lost, nothing that has finished runs again, and the run is remembered and told of as if nothing had happened.
#   GATE_POINTS=all   at every point of every kind of run (default: at a few)
# timeout: 900
points=${GATE_POINTS:-few}
. "$(dirname "$0")/_lib"

cc -shared -fPIC -o "$WORK/faults.so" "$SOURCE/tests/integration/_faults.c" -ldl
python3 "$SOURCE/tests/integration/_resume_points.py" "$WORK" "$SOURCE/tests/cases/data/one_step.json" \
  "$points" || broken 'a run that was killed is not what it would have been'
