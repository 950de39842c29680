#!/usr/bin/env bash
# TERM and INT to gate at random moments: its exit code says which, no script lives on, a folder moved away is back,
# and the reports are complete and red.
#   GATE_INTERRUPTS=N   how often (default 10)      GATE_SEED=N   the same moments again
# timeout: 300
interrupts=${GATE_INTERRUPTS:-10} seed=${GATE_SEED:-$$}
. "$(dirname "$0")/_lib"
. "$SOURCE/tests/integration/_herd"

# Reports may be missing only if no script was started; else every case has a verdict.
check_reports() {
  if [[ -e .gate/latest/result.json ]]; then
    expect_json .gate/latest/result.json \
      ".exit_code == $code and (.cases | length) == 3 and all(.cases[]; .verdict != \"\")"
    ((code == 0)) || red .gate/latest/junit.xml
  else
    [[ ! -s $PEN ]] || broken "scripts ran, and there is no result.json"
  fi
  whole .gate/
}

round() {
  local pid signal=TERM want=143
  start "$1"
  ((RANDOM % 2)) || signal=INT want=130
  kill -$signal "$pid" 2>/dev/null || true
  wait_for has_ended "$pid"
  code=0 && wait "$pid" || code=$?
  nothing_lives 0
  [[ $code == "$want" || $code == 0 && $ENDLESS == none ]] || broken "exit code $code after $signal"
  [[ -d data ]] || broken "the folder that herd/a_train moved away is not back"
  check_reports
}

two_lanes $interrupts $seed
