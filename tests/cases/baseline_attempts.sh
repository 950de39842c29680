# A log with several attempts makes a baseline only where its judged attempt has all that is gated, and where more than
# equal values tell which source is of which attempt; unless a person chose one.
. "$(dirname "$0")/_lib"

steps() { # PREFIX FIRST LAST [SCALE]
  awk -v p="$1" -v a="$2" -v b="$3" -v s="${4:-1}" 'BEGIN { for (i = a; i <= b; ++i) printf "%s iteration %d/ 4 | global batch size: 8 | lm loss: %.4f |\n", p, i, (3 - i / 10) * s }'
}
memory() { echo "$1 [Rank ${2:-0}] (after 1 iterations) memory (MB) | allocated: 10.0 | max allocated: 11.0 | reserved: 12.0 | max reserved: 12.0"; }
died() { echo "$1 RuntimeError: NCCL communicator was aborted"; }

# Two hosts with equal losses, laid behind one another, and one memory prefix.
hosts() { for h in a: b:; do steps $h 1 3 "${1:-1}" && died $h && steps $h 1 4 "${1:-1}" && memory mem:; done; }
# The reports of a run that went on behind its own, under no prefix at all.
resumed() { steps "" 1 3 "${1:-1}" && memory "" && died "" && steps "" 3 4 "${1:-1}" && memory ""; }
# The first attempt alone told its memory.
early() { memory "" && died "" && steps "" 1 2 "${1:-1}" && died "" && steps "" 1 4 "${1:-1}"; }
# The second attempt of the second host stands behind that of the first: equal values alone tell that they are one.
copied() { steps a: 1 3 "${1:-1}" && died a: && steps a: 1 4 "${1:-1}" && steps b: 1 4 "${1:-1}"; }
# The same beside one another, and one attempt of two hosts, are told by their lines.
beside() { { steps a: 1 3 "${1:-1}" && died a: && steps a: 1 4 "${1:-1}"; } | sed 'p; s/^a:/b:/'; }
whole() { steps a: 1 4 "${1:-1}" && steps b: 1 4 "${1:-1}" && memory mem:; }
again() { steps "" 1 3 "${1:-1}" && died "" && steps "" 1 4 "${1:-1}"; }

suite
script x <<<'cat "$LOG"'
attempt() { printf '[defaults]\nattempt = %s\n' "$1" >gate.toml; }
while read -r log exit chosen why; do
  rm -rf gate.toml baselines/x.json .gate
  $log >base.log
  $log 1.5 >run.log
  # SHAPE: refused or taken, where nothing is chosen
  expect_exit "$exit" gate check base.log --baseline base.log
  [[ $exit == 0 ]] || expect_err "${why//+/ }"
  ((exit == 0)) && expect_exit 1 gate check run.log --baseline base.log
  expect_exit $((exit == 0 ? 0 : 3)) gate baseline import base.log --case x --accept --reason first
  [[ $exit == 0 ]] || expect_err "a baseline is made of whole runs"
  # chosen: taken, and never green whatever the run prints
  attempt "$chosen"
  expect_exit 0 gate baseline import base.log --case x --accept --reason chosen
  run gate check run.log --case x
  ((code != 0)) || broken "$log with attempt = $chosen is green for other losses"
done <<'END'
hosts 2 2 has+no+lm_loss
resumed 2 1 has+no+lm_loss
early 2 2 has+no+memory_allocated
copied 2 "last" print+the+same+steps+with+equal+values
beside 0 "last" -
whole 0 "last" -
again 0 "last" -
END

# --- a run's log is recorded, and its numbers are accepted, no otherwise ---
rm -rf gate.toml baselines/x.json .gate
hosts >base.log
LOG=$PWD/base.log expect_exit 4 gate run x
again >again.log
LOG=$PWD/again.log expect_exit 0 gate baseline record x
expect_exit 0 gate baseline accept x --reason first
for shape in hosts copied; do
  $shape >base.log
  LOG=$PWD/base.log run gate baseline record x
  expect_out "missing: "
  expect_exit 3 gate baseline accept x --reason again
  expect_err "missing: "
done
LOG=$PWD/base.log expect_exit 0 gate run x # the run itself is judged
expect_exit 3 gate baseline accept x --run "$(latest)" --reason again
expect_err "print the same steps with equal values"
expect_exit 0 gate baseline accept x --run "$(latest)" --reason again --despite missing
