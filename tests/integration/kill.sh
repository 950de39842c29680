#!/usr/bin/env bash
# KILL to gate at random moments: nothing of a script lives 5 s later, the report is red, and the next run works.
#   GATE_KILLS=N   how often (default 10)      GATE_SEED=N   the same moments again
# timeout: 300
kills=${GATE_KILLS:-10} seed=${GATE_SEED:-$$}
. "$(dirname "$0")/_lib"
. "$SOURCE/tests/integration/_herd"

# Print which of gate's processes is hit: the one that was started, or in odd rounds its own child, where it has one.
victim() {
  local child=''
  (($1 % 2 == 0)) || child=$(pgrep -o -x -P "$pid" gate) || true
  echo "${child:-$pid}"
}

# A report may be missing only if no script was started, and green only if every case had passed by then.
check_report() {
  if [[ -e .gate/latest/junit.xml ]]; then
    jq -e '.cases | all(.verdict == "passed")' .gate/latest/result.json >/dev/null || red .gate/latest/junit.xml
  else
    [[ ! -s $PEN ]] || broken "scripts ran, and there is no junit.xml"
  fi
}

round() {
  local pid hit
  start "$1"
  hit=$(victim "$1")
  [[ $hit == "$pid" ]] || echo "round $1: KILL to its child"
  kill -KILL "$hit" 2>/dev/null || true
  nothing_lives 5
  wait_for has_ended "$pid"
  code=0 && wait "$pid" 2>/dev/null || code=$?
  [[ $code -gt 0 || $ENDLESS == none ]] || broken "exit code 0"
  check_report
  whole .gate/
  expect_exit 0 gate run green
  whole .gate/
}

two_lanes $kills $seed
