# timeout: 240
# A fault of a case whose nodes are on two hosts: it is inflicted on both, or on the one that has the rank.
. "$(dirname "$0")/_hosts"
start_hosts 2 1
suite
cat >gate.toml <<TOML
[suite]
cwd = "{suite}"
[hosts]
npu = ["npu1", "npu2"]
ssh = "ssh -F $HOSTS/ssh_config"
[defaults]
hosts = "npu"
[rules]
throughput = false
iteration_time = false
memory_allocated = false
memory_max_allocated = false
memory_max_reserved = false
memory_reserved = false
lm_loss = { tolerance = "exact", window = "all" }
TOML

# The first start cannot end before it is hit.
script two <<SCRIPT
#GATE devices=1 nodes=2 timeout=1m grace=10s fault=kill@5
echo "start \$GATE_START"
export RANK=\$NODE_RANK
first=; ((GATE_START == 2)) || first=\${FIRST:-}
exec "$TINYGPT" --ranks 1 --steps 8 --save "\$GATE_CHECKPOINT_DIR" --save-interval 2 --load "\$GATE_CHECKPOINT_DIR" \$first
SCRIPT
expect_exit 0 gate baseline record two
expect_exit 0 gate baseline accept two --metric lm_loss --reason undisturbed

for fault in kill@5 term@5 'kill@5 rank 0' 'kill@5 rank 1'; do
  expect_exit 0 gate run two --set "fault=$fault" --env FIRST='--hang-at 6'
  expect_out bit-equal
  expect_json .gate/latest/result.json ".cases[0].notes | any(test(\"at step 5, as fault = $fault says; started again after .*; went on at step 5; step 5 was computed twice\"))"
  for log in log.txt log.node1.txt; do
    [[ $(grep -c '^start [12]$' ".gate/latest/two/$log") == 2 ]] || broken "not two starts in $log"
  done
done

expect_exit 4 gate run two --set 'fault=kill@5 rank 2'
expect_out 'there was no process of rank 2 at step'

# --- paused, both go on ---
expect_exit 0 gate run two --set 'fault=pause@3 for 300ms' --env FIRST='--sleep-ms 200'
expect_out bit-equal
[[ $(grep -c '^start' .gate/latest/two/log.txt) == 1 ]] || broken 'it was started again'
