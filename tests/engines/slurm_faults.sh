# What goes wrong around a job of Slurm: cancelled, preempted or requeued from outside, ended by Slurm's own time limit, without
# its agent, and with a gate that is ended: the right class, nothing left and nothing counted twice.   RARE=1: also what takes
# more than a minute
# timeout: 300
. "$(dirname "$0")/../cases/_lib"
. "$SOURCE/tests/engines/_slurm"
. "$SOURCE/tests/hosts/_runs"
. "$SOURCE/tests/engines/_rows"

cancelled() {
  stays
  begin one
  wait_for has_begun one
  scancel "$(jobs)"
  is_infra 'CANCELLED, it was cancelled from outside of gate'
}

preempted() {
  stays devices=8
  begin one --set slurm.options=--nodelist=n4
  wait_for has_begun one
  (unset SAID && cd / && sbatch --parsable --partition=high --gres=gpu:8 --output=/dev/null --wrap true >/dev/null)
  is_infra 'PREEMPTED, another job took its place'
}

requeued() {
  stays
  begin one --set slurm.options=--requeue
  wait_for has_begun one
  scontrol requeue "$(jobs)"
  is_infra 'Slurm took it off its nodes, to run it once more|Slurm began it a second time'
  the one '.steps == 0'
}

agent_killed() {
  stays
  begin one
  wait_for has_begun one
  pgrep -f "gate-agent-x86_64 job $PWD" | xargs kill -KILL
  is_infra 'nothing says how|Slurm job|Slurm does not say why'
}

# Even the last will may be gone: the whole host is.
host_gone() {
  stays
  begin one
  wait_for has_begun one
  # shellcheck disable=SC2046 # several
  kill -KILL $(wills) $(gates_of "$gate")
  wait_for nothing_is_left
}
wills() { for pid in $(gates_of "$gate"); do pgrep -f -P "$pid" gate-will || true; done; }

retried() {
  stays
  begin one --retry-infra 1
  wait_for has_begun one
  first=$(jobs)
  scancel "$first"
  wait_for another_job "$first"
  go
  passes try-2/
}
another_job() { local now; now=$(jobs) && [[ $now && $now != "$1" ]]; }

# What a killed run has left says nothing of the one that takes it up.
resumed() {
  stays
  begin one
  wait_for has_begun one
  gates_of "$gate" | xargs kill -KILL
  wait_for nothing_is_left
  go
  begin --resume "$(ls .gate/runs)"
  passes
}

# It is looked up on the node, right before the script.
lacks_data() {
  stays
  mkdir "$WORK/data"
  begin one --set "data_dir=$WORK/data" --set needs=weights,/nowhere
  is_infra "it needs $WORK/data/weights, /nowhere, which are not there"
}

# Slurm counts in minutes.
slurms_time_limit() {
  stays
  begin one --set slurm.options=--time=1 --set timeout=5m
  wait_for has_begun one
  lasts_at_most 150
  ends 4
  the one '.verdict == "timed_out" and ([.problems[].text] | join(" ") | test("TIMEOUT, by Slurm.s own time limit"))'
  wait_for nothing_is_left
}

rows=(cancelled preempted requeued agent_killed terminated killed worker_killed host_gone resumed retried lacks_data)
[[ ${RARE:-} ]] && rows+=(slurms_time_limit)
[[ ${ROWS:-} ]] && read -ra rows <<<"$ROWS"
each "${rows[@]}"
