# A case of FlagPerf on two hosts that do not see the checkout: from gate init to a verdict without an edit.
# timeout: 180
. "$(dirname "$0")/_hosts"
. "$SOURCE/tests/cases/_flagperf"
mkdir -p "$WORK/flagperf" "$WORK/bin"
hidden=("$WORK/flagperf")
start_hosts 2 8
printf '#!/bin/sh\nexec %q -F %q "$@"\n' "$(command -v ssh)" "$HOSTS/ssh_config" >"$WORK/bin/ssh" && chmod +x "$WORK/bin/ssh"
export PATH=$WORK/bin:$PATH DATA=$WORK/data
unset CUDA_VISIBLE_DEVICES ASCEND_RT_VISIBLE_DEVICES HIP_VISIBLE_DEVICES
cd "$WORK/flagperf" && git init -q .
flagperf_tree ascend 910B3
git add -A
case=glm:pytorch:910B3:2:8:1

expect_exit 0 gate init
refute_out 'left out'
expect_exit 0 gate list --explain glm/pytorch@2x8
expect_out_match '^hosts +cluster '
expect_exit 0 gate run --dry-run '*/*@2x8'
expect_last_line '2 to run'

expect_exit 0 gate baseline record $case
expect_exit 0 gate baseline accept $case --reason first
rm "$FLAGPERF/words"
expect_exit 0 gate run $case
expect_json .gate/latest/result.json '.cases | length == 1'
expect_json .gate/latest/result.json '.cases[0] | .case == "glm/pytorch@2x8" and .verdict == "passed" and .hosts == ["npu1", "npu2"] and
  ([.checks[] | select(.status == "pass") | .metric] | contains(["lm_loss", "final_accuracy", "samples_per_second"]))'
expect_file .gate/latest/glm/pytorch@2x8/log.txt 'node 0 of 2: devices 0,1,2,3,4,5,6,7'
expect_file .gate/latest/glm/pytorch@2x8/log.node1.txt 'node 1 of 2: devices 0,1,2,3,4,5,6,7'
said() { grep -A1 -x -e "--$1" "$FLAGPERF/words" | grep -v -e '^--' | sort | uniq -c | sed 's/^ *//'; }
[[ $(said node_rank) == $'1 0\n1 1' && $(said nnodes) == '2 2' && $(said host_addr) == $'1 node0\n1 node1' ]] || broken 'other nodes'
[[ $(said master_addr) == 2\ * && $(said master_port) == 2\ * ]] || broken 'the nodes have no common master'
! hosts_hide || ! grep -qF "$WORK/flagperf" "$FLAGPERF/words" || broken 'a host is told a folder that it does not see'

echo 1 >"$FLAGPERF/silent"
expect_exit 4 gate run $case
expect_out 'node 1 printed nothing, and did when the baseline was recorded'
rm "$FLAGPERF/silent"

echo '1.0 true 0.7' >"$FLAGPERF/glm@2x8"
expect_exit 1 gate run $case
expect_json .gate/latest/result.json '[.cases[0].checks[] | select(.status == "fail") | .metric] == ["final_accuracy"]'
