# Stages of cases that Slurm runs: download and test are two jobs, the first of them without devices; how a download fails, is
# late, waits and is ended; and nothing is left.
# timeout: 300
nodes=2
. "$(dirname "$0")/../cases/_lib"
. "$SOURCE/tests/engines/_slurm"
. "$SOURCE/tests/hosts/_runs"
. "$SOURCE/tests/engines/_rows"
. "$SOURCE/tests/engines/_stages"

note_submissions() {
  mkdir -p bin
  printf '#!/bin/bash\necho "$*" >"$SAID/submitted.$(($(find "$SAID" -name "submitted.*" | wc -l) + 1))"\nexec %q "$@"\n' "$(command -v sbatch)" >bin/sbatch
  chmod +x bin/sbatch
  export PATH=$PWD/bin:$PATH
}
asks_for_devices() { grep -F -- '--gres=gpu:2' "$1" >/dev/null; }

# What waits in the queue waits as long as --deadline says.
waits() {
  staged <<<"$fetched"
  expect_exit 3 gate run --set 'slurm.options=--begin=now+1hour' --deadline 20s
  the one '.verdict == "not_run" and .outcome.kind == "past_deadline"'
  submitted 1
  wait_for nothing_is_left
}

plans_stages() {
  staged <<<"$fetched"
  expect_exit 0 gate run --dry-run --set 'slurm.options=--gres=gpu:8 --exclusive --gpus 8 --mem=1G'
  [[ $(grep -c 'sbatch --parsable' "$WORK/.last/out") == 2 ]] || broken 'not two jobs'
  [[ $(grep -c -- '--gres=gpu:8 --exclusive --gpus 8 --mem=1G' "$WORK/.last/out") == 1 ]] || broken 'the download asks for devices'
  expect_out '--mem=1G'
  expect_exit 2 gate run --set "outputs.answer.file=$WORK/answer.txt"
  expect_err 'write it below'
  submitted 0
}

# shellcheck disable=SC2086 # words
[[ ! ${ROWS:-} ]] || each $ROWS
each two_jobs one_at_a_time by_worker failing too_late terminated_in_download killed_in_download waits plans_stages
