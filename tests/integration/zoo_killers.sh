#!/usr/bin/env bash
# Scripts that kill: their own launcher, all of their group, gate.
. "$(dirname "$0")/_lib"

kills_its_launcher() {
  animal kills_its_launcher <<'SCRIPT'
steps 1 1
bash -c '. "$PRELUDE"; trap "" TERM; kill -KILL $PPID; while :; do sleep "$MARK"; done'
SCRIPT
  expect_verdict 4 crashed kills_its_launcher --set grace=500ms
  expect_reason 'killed by SIGKILL'
}

kills_its_group() {
  animal kills_its_group <<'SCRIPT'
setsid sleep "$MARK" &
steps 1 3
kill -KILL 0
SCRIPT
  expect_verdict 4 crashed kills_its_group
  expect_reason 'killed by SIGKILL'
}

# Nobody is left then who could judge; what is left of the script goes, and the report stays red.
dies_of() {
  : >"$PEN"
  run timeout --foreground 60 gate run "$1"
  # shellcheck disable=SC2154 # `run` sets it
  ((code != 0)) || broken "exit code 0"
  [[ -s $PEN ]] || broken "the script has not run"
  nothing_lives 5
  red .gate/latest/junit.xml
  whole .gate/
}

kills_gate() {
  animal kills_gate <<'SCRIPT'
trap '' TERM
(cd / && exec setsid env -i sleep "$MARK" >/dev/null 2>&1 &)
steps 1 3
kill -KILL $PPID
while :; do sleep "$MARK"; done
SCRIPT
  dies_of kills_gate
}

# With a chain of processes that live for a millisecond each: it would go on for 12 s.
kills_gate_and_forks() {
  animal kills_gate_and_forks <<'SCRIPT'
setsid env -i bash -c '
  trap "" TERM
  cd /
  hop() { ((SECONDS < 12)) || exit 0; hop & exit; }
  hop &' >/dev/null 2>&1 &
steps 1 1
kill -KILL $PPID
SCRIPT
  dies_of kills_gate_and_forks
}

at_once kills_its_launcher kills_its_group kills_gate
each kills_gate_and_forks
