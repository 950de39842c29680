#!/usr/bin/env bash
# Scripts that do not end are stopped, all of them, in the time they are given to put things right.
. "$(dirname "$0")/_lib"

ignores_term() {
  animal ignores_term <<'SCRIPT'
trap '' TERM
sleep "$MARK" &
steps 1 1
while :; do wait; done
SCRIPT
  expect_verdict 4 timed_out ignores_term --timeout 1s --set grace=500ms
  expect_reason 'timed out after 1s'
}

# A chain of processes that live for a millisecond each and leave a child, some slower chains, and a herd that puts a
# new process in the place of each that is stopped. They give up by themselves after some 15 s.
forks_until_stopped() {
  animal forks_until_stopped <<'SCRIPT'
trap '' TERM
steps 1 1
hop() { (($1 > 0 && SECONDS < 15)) || exit 0; [[ -z $2 ]] || sleep "$2"; hop $(($1 - 1)) "$2" & exit; }
hop 8000 '' &
for n in 1 2 3 4 5; do hop 1000 0.02 & done
for ((n = 0; n < 150; n++)); do sleep "$MARK" & done
while ((SECONDS < 15)); do wait -n; sleep "$MARK" & done
SCRIPT
  expect_verdict 4 timed_out forks_until_stopped --timeout 1s --set grace=500ms
  [[ $(grep -c . .gate/latest/forks_until_stopped/log.txt) == 1 ]] || broken "the script itself has failed"
}

stops_itself() {
  animal stops_itself <<'SCRIPT'
steps 1 1
sleep "$MARK" &
kill -STOP $!
kill -STOP $$
SCRIPT
  expect_verdict 4 hung stops_itself --set startup=1s --set grace=500ms
  expect_verdict 4 timed_out stops_itself --timeout 1s --set grace=500ms
}

prints_nothing() {
  animal sleeps <<'SCRIPT'
exec sleep "$MARK"
SCRIPT
  expect_verdict 4 hung sleeps --set startup=1s
  expect_reason 'startup'
  animal ends_at_once <<'SCRIPT'
SCRIPT
  expect_verdict 4 incomplete ends_at_once
  expect_reason 'the log is empty'
}

stands_still() {
  animal stands_still <<'SCRIPT'
steps 1 2
exec sleep "$MARK"
SCRIPT
  expect_verdict 4 hung stands_still --hang 1s
  expect_reason 'training'
}

# bash runs a trap once its foreground command has ended: at once where it waits, and else when gate, the time being
# up, sends TERM to what the script has started.
moves_a_folder() {
  mkdir -p data && echo kept >data/file
  for waiting in '& wait' ''; do
    animal moves_a_folder <<SCRIPT
mv data data.bak
trap 'mv data.bak data; exit' TERM
steps 1 1
sleep "\$MARK" $waiting
SCRIPT
    expect_verdict 4 timed_out moves_a_folder --timeout 1s --set grace=1s
    expect_file data/file kept
    refute_file data.bak
  done
}

needs_a_second() {
  animal needs_a_second <<'SCRIPT'
trap 'sleep 1; touch "$GATE_RUN_DIR/restored"; exit' TERM
steps 1 1
sleep "$MARK" &
while :; do wait; done
SCRIPT
  expect_verdict 4 timed_out needs_a_second --timeout 1s --set grace=20s
  expect_file .gate/latest/restored
}

at_once ignores_term stops_itself prints_nothing stands_still moves_a_folder needs_a_second
each forks_until_stopped
