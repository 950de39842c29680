#!/usr/bin/env bash
# KILL to gate at random moments: nothing of a script lives 5 s later, the report is red, and the next run works.
#   GATE_KILLS=N   how often (default 10)      GATE_SEED=N   the same moments again
# timeout: 300
kills=${GATE_KILLS:-10} seed=${GATE_SEED:-$$}
. "$(dirname "$0")/_lib"
. "$SOURCE/tests/integration/_herd"

# Choose which of gate's three processes are hit, as many as there are yet: one of them, or two at once. Sets victims.
choose_victims() {
  local child spared=$((RANDOM % 6))
  victims=("$pid")
  while ((${#victims[@]} < 3)) && child=$(pgrep -o -x -P "${victims[-1]}" gate); do victims+=("$child"); done
  if ((spared >= 3)); then
    victims=("${victims[RANDOM % ${#victims[@]}]}")
  elif ((${#victims[@]} == 3)); then
    unset "victims[spared]"
  fi
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
  local pid victims
  start "$1"
  choose_victims
  echo "round $1: KILL to ${#victims[@]} of its processes$([[ ${victims[*]} == *"$pid"* ]] || echo ', not to the one that was started')"
  kill -KILL "${victims[@]}" 2>/dev/null || true
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
