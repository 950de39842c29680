# Jobs of Slurm without its daemons: a slurmd that is killed, a slurmctld that is killed and started anew, and files that a node
# and gate see late. LAG=SECONDS (6) says how late.   RARE=1: also a node that Slurm misses, which takes a minute
# timeout: 300
. "$(dirname "$0")/../cases/_lib"
. "$SOURCE/tests/engines/_slurm"
. "$SOURCE/tests/hosts/_runs"
. "$SOURCE/tests/engines/_rows"

controller_restarted() {
  stays
  begin one
  wait_for has_begun one
  touch "$WORK/began"
  scontrol update "JobId=$(jobs)" Comment=began # a change, so that Slurm saves the job as one that runs
  wait_for test "$SLURM/state/job_state" -nt "$WORK/began"
  end_slurmctld -KILL
  go
  wait_for no_answer
  start_slurmctld
  passes
}
no_answer() { ! squeue >/dev/null 2>&1; }

# A job cannot be handed in for a while.
controller_away() {
  LOST_AFTER=60s stays
  go
  end_slurmctld -KILL
  begin one
  wait_for grep -F 'Unable to contact slurm controller' run.out >/dev/null
  start_slurmctld
  passes
}

# Its job goes on, and so does what it says.
slurmd_killed() {
  stays
  begin one --set slurm.options=--nodelist=n2
  wait_for has_begun one
  end_slurmd n2 -KILL
  go
  ends 0
  the one '.verdict == "passed" and .steps == 3'
  start_slurmd n2 # without it Slurm keeps the job until it misses the node
  wait_for nothing_is_left
}

# Once Slurm misses the node, the job is lost.
node_lost() {
  stays
  begin one --set slurm.options=--nodelist=n3
  wait_for has_begun one
  end_slurmd n3 -KILL
  lasts_at_most 100
  is_infra 'NODE_FAIL, a node of it failed'
}

late_files() {
  unshare -m true 2>/dev/null || { echo 'no mount namespace can be made: not tried with late files' && return; }
  LOST_AFTER=$((${LAG:-6} + 14))s stays
  mkdir -p .gate/runs "$WORK/there"
  python3 "$SOURCE/tests/engines/lag.py" "$PWD/.gate/runs" "$WORK/there" "${LAG:-6}" &
  local syncer=$!
  end_slurmd n4
  # shellcheck disable=SC2016 # for the shell that it starts
  start_daemon n4 unshare -m bash -c 'mount --bind "$1" "$2" && exec slurmd -D -N n4' n4 "$WORK/there" "$PWD/.gate/runs"
  go
  wait_for n4_is_idle
  begin one --set slurm.options=--nodelist=n4,--begin=now+2
  lasts_at_most $((30 + ${LAG:-6}))
  passes
  kill "$syncer"
}
n4_is_idle() { [[ $(sinfo --noheader --partition=all --nodes=n4 --format=%t) == idle ]]; }

failed=0
for row in ${ROWS:-controller_restarted controller_away slurmd_killed late_files ${RARE:+node_lost}}; do
  mkdir "$WORK/$row" "$WORK/$row/.last"
  ALL=$WORK WORK=$WORK/$row
  if (cd "$WORK" && "$row") >"$WORK.said" 2>&1; then echo "passed $row"; else failed=1 && cat "$WORK.said" && echo "FAILED $row"; fi
  WORK=$ALL
done
exit $failed
