#!/usr/bin/env bash
# What outlives its script is waited for where the training needs it, and stopped where it does not.
. "$(dirname "$0")/_lib"

leaves_a_daemon() {
  animal leaves_a_daemon <<'SCRIPT'
(cd / && exec setsid env -i sleep "$MARK" >/dev/null 2>&1 &)
steps 1 3
SCRIPT
  expect_verdict 0 passed leaves_a_daemon
  expect_problem "leftover: .* sleep $MARK"
}

# The last of a chain of processes that live for a millisecond each: whenever gate looks, some have just gone and one
# is just coming. It ignores TERM. Which of them is met, and whether it lives long enough to be named, is chance.
hides_in_a_chain() {
  animal hides_in_a_chain <<'SCRIPT'
setsid env -i bash -c '
  trap "" TERM
  cd /
  hop() { (($1 > 0)) || exec sleep "$0"; hop $(($1 - 1)) & exit; }
  hop 400 &' "$MARK" >/dev/null 2>&1 &
steps 1 3
SCRIPT
  expect_verdict 0 passed hides_in_a_chain
  expect_problem "leftover: .* ($MARK|bash$|too fast to be named)" # bash alone: it has left its words already
}

# The end of the pipe never comes: the end of the script is the end.
holds_the_pipe() {
  animal holds_the_pipe <<'SCRIPT'
sleep "$MARK" &
steps 1 3
exit "$1"
SCRIPT
  expect_verdict 0 passed holds_the_pipe -- 0
  expect_problem "leftover: .* sleep $MARK"
  expect_verdict 4 crashed holds_the_pipe -- 3
  expect_reason 'exited 3'
}

closes_its_output() {
  animal closes_its_output <<'SCRIPT'
steps 1 3
exec >&- 2>&-
sleep 1
touch "$GATE_RUN_DIR/done"
exit "$1"
SCRIPT
  expect_verdict 0 passed closes_its_output -- 0
  expect_file .gate/latest/done
  expect_verdict 4 crashed closes_its_output -- 3
  expect_file .gate/latest/done
}

# Longer than gate lets any tree go on after its script.
trains_on() {
  animal trains_on <<'SCRIPT'
steps 1 1
setsid nohup bash -c '
  . "$PRELUDE"
  for s in 2 3; do sleep 1.3; steps $s $s; done
  touch "$GATE_RUN_DIR/done"' &
exit 0
SCRIPT
  expect_verdict 0 passed trains_on
  expect_file .gate/latest/done
  expect_verdict 4 incomplete trains_on --set wait=script
  expect_problem 'leftover: '
  refute_file .gate/latest/done
}

# The launcher notices nothing of it.
loses_a_rank() {
  animal loses_a_rank <<'SCRIPT'
steps 1 "$1"
(
  printf 'Traceback (most recent call last):\n  File "train.py", line 9, in <module>\n    main()\n'
  echo 'RuntimeError: HCCL communicator of rank 5 is gone'
  exit 1
) >&2 &
wait
exit 0
SCRIPT
  expect_verdict 4 incomplete loses_a_rank -- 2
  expect_verdict 0 passed loses_a_rank -- 3
  expect_problem 'RuntimeError: HCCL communicator of rank 5 is gone'
}

at_once leaves_a_daemon hides_in_a_chain holds_the_pipe closes_its_output trains_on loses_a_rank
each
