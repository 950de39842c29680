#!/usr/bin/env bash
# Two gates at once in one suite have a run each; one folder given to both is for the first.
. "$(dirname "$0")/_lib"
export GOAL=$WORK/goal

# In $GOAL a script leaves word that it has come so far.
write_suite() {
  rm -rf "$GOAL" && mkdir "$GOAL"
  animal meets <<'SCRIPT'
touch "$GOAL/$GATE_RUN_ID"
for ((tries = 0; tries < 500; tries++)); do
  set -- "$GOAL"/*
  (($# < 2)) || break
  sleep 0.05
done
steps 1 3
SCRIPT
  animal holds <<'SCRIPT'
touch "$GATE_RUN_DIR/holding"
until [[ -e $GOAL/enough ]]; do sleep 0.05; done
steps 1 3
SCRIPT
  animal small <<'SCRIPT'
steps 1 3
SCRIPT
}

side_by_side() {
  local first second pid id ids
  write_suite
  gate run meets small >"$WORK/first.out" 2>&1 </dev/null & first=$!
  gate run meets small >"$WORK/second.out" 2>&1 </dev/null & second=$!
  for pid in $first $second; do wait "$pid" || broken "exit code $?: $(cat "$WORK"/{first,second}.out)"; done
  nothing_lives 0
  ids=("$GOAL"/*)
  ((${#ids[@]} == 2)) || broken "the runs have one id: ${ids[*]}"
  for id in "${ids[@]##*/}"; do
    expect_json ".gate/runs/$id/result.json" \
      ".run == \"$id\" and .exit_code == 0 and (.cases | map(.verdict)) == [\"passed\", \"passed\"]"
  done
  whole .gate/
  [[ -e $GOAL/$(latest) ]] || broken "latest is neither: $(readlink .gate/latest)"
}

# Print the numbers of a gate's processes, each the child of the one before.
numbers() { local pid=$1 all=$1; while pid=$(pgrep -x -P "$pid" gate); do all+="|$pid"; done; echo "$all"; }

one_folder() {
  local first
  write_suite
  gate run holds --out shared >"$WORK/first.out" 2>&1 </dev/null & first=$!
  wait_for test -e shared/holding
  run timeout --foreground 20 gate run small --out shared
  # shellcheck disable=SC2154 # `run` sets it
  echo "the second gate ended with $code"
  ((code == 2 || code == 125)) || broken "exit code $code, expected 2 or 125"
  expect_err_match "shared.*($(numbers $first))"
  ! grep -q '"small"' shared/result.json || broken "the second gate has written to the folder of the first"
  touch "$GOAL/enough"
  wait $first || broken "exit code $?: $(<"$WORK/first.out")"
  expect_json shared/result.json '.exit_code == 0 and .cases[0].case == "holds"'
  expect_exit 0 gate run small --out shared
}

# What holds a folder is the process, not a file that it leaves.
takes_it_over() { run gate run small --out shared && ((code == 0)); }
killed_holder() {
  local first
  write_suite
  gate run holds --out shared >"$WORK/first.out" 2>&1 </dev/null & first=$!
  wait_for test -e shared/holding
  kill -KILL $first
  touch "$GOAL/enough"
  nothing_lives 5
  wait_for takes_it_over
}

each side_by_side one_folder killed_holder
