# Stages of cases that Kubernetes runs: download and test are two jobs, the first of them without devices; how a download fails,
# is late, is lost and is ended; folders that its pods do not see; and nothing is left.
# timeout: 300
. "$(dirname "$0")/../cases/_lib"
. "$SOURCE/tests/engines/_kubernetes"
. "$SOURCE/tests/hosts/_runs"
. "$SOURCE/tests/engines/_rows"
. "$SOURCE/tests/engines/_stages"

note_submissions() {
  mkdir -p bin
  cat >bin/kubectl <<'WRAPPER'
for word in "$@"; do
  file=${word#--filename=\"}
  [[ $file == "$word" ]] || cp "${file%\"}" "$SAID/submitted.$(($(find "$SAID" -name "submitted.*" | wc -l) + 1))"
done
exec kubectl "$@"
WRAPPER
  mounting "$PWD" >pods.yaml
  printf '[defaults.kubernetes]\nkubectl = "bash %s/bin/kubectl"\npatch = "pods.yaml"\n' "$PWD" >>gate.toml
}
asks_for_devices() { [[ $(jq -r '.items[0].spec.template.spec.containers[0].resources.limits["nvidia.com/gpu"]' "$1") == 2 ]]; }

lost() {
  pod=lost downloads
  befall drop?case=lost.download
  pod=lost is_infra 'stage download: .*(its pod (is gone|was deleted)|BackoffLimitExceeded)'
  submitted 1
}

unseen() {
  staged <<<"$fetched"
  expect_exit 2 gate run --stages-folder "$WORK/elsewhere"
  expect_err 'kubernetes.patch'
  mounting "$PWD" true >read_only.yaml
  expect_exit 2 gate run --set kubernetes.patch=read_only.yaml
  expect_err 'its stages share'
  expect_exit 2 gate run --set "outputs.answer.file=$WORK/answer.txt"
  expect_err 'output answer: its file'
  submitted 0
}

# shellcheck disable=SC2086 # words
[[ ! ${ROWS:-} ]] || each $ROWS
each two_jobs one_at_a_time by_worker failing too_late lost terminated_in_download killed_in_download unseen
