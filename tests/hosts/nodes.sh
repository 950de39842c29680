# timeout: 240
# A case on two hosts: tinygpt trains over TCP between them, and its losses are those of one host, bit for bit.
. "$(dirname "$0")/_hosts"
start_hosts 2 2
suite
cat >gate.toml <<TOML
[suite]
cwd = "{suite}"
[hosts]
npu = ["npu1", "npu2"]
ssh = "ssh -F $HOSTS/ssh_config"
[defaults]
hosts = "npu"
TOML

# train CASE SETTINGS
train() {
  script "$1" <<SCRIPT
#GATE $2
echo "node \$NODE_RANK of \$NNODES on \$GATE_HOST: devices \$ASCEND_RT_VISIBLE_DEVICES, world \$WORLD_SIZE"
exec "$TINYGPT" --ranks \$NPROC_PER_NODE --steps 8
SCRIPT
}
losses() { grep -ho 'iteration .*lm loss: [0-9.E+-]*' .gate/latest/"$1"/log*.txt | sed 's/consumed.*lm/lm/; s/  */ /g'; }

train one_by_two 'devices=2 hosts=npu1'
train two_by_one 'devices=1 nodes=2'
train two_by_two 'devices=2x2'

expect_exit 0 gate baseline record one_by_two two_by_two
expect_exit 0 gate baseline accept one_by_two two_by_two --reason first
mkdir -p baselines/ascend-910b3
cp baselines/ascend-910b3/one_by_two.json baselines/ascend-910b3/two_by_one.json

# --- two nodes of one device each print what one host with two prints ---

expect_exit 0 gate run --set rules.lm_loss.tolerance=exact --set rules.throughput=false --set rules.iteration_time=false
losses one_by_two >one && losses two_by_one >two
expect_file one 'iteration 8'
expect_same one two

# --- each node has its place and its devices, and a log of its own ---

expect_file .gate/latest/two_by_two/log.txt 'node 0 of 2 on npu1: devices 0,1, world 4'
expect_file .gate/latest/two_by_two/log.node1.txt 'node 1 of 2 on npu2: devices 0,1, world 4'
expect_json .gate/latest/result.json '.cases[] | select(.case == "two_by_two") | .hosts == ["npu1", "npu2"]'
expect_json .gate/latest/result.json \
  '.cases[] | select(.case == "two_by_two") | .devices == "2 nodes, each 2 x ascend-910b3 on npu1, npu2"'

# --- what fails on one node ends the other, and the verdict names it ---

for node in 0 1; do
  script fails_$node <<SCRIPT
#GATE devices=1 nodes=2
[[ \$NODE_RANK != $node ]] || { echo "node \$NODE_RANK gives up" && exit 7; }
exec sleep 1000
SCRIPT
  expect_exit 4 gate run fails_$node
  expect_out "log ends node $node gives up"
  expect_out "node $node on npu$((node + 1)): exited 7, first"
  expect_out_match "node $((1 - node)) on npu$((2 - node)): (stopped early|not started): node $node on npu$((node + 1)) exited 7" # if it had begun
done

# --- one that takes longer for a step is named, and each node's host has readings ---

script slower <<SCRIPT
#GATE devices=1 nodes=2 judge=exit sample=1
time=\$((NODE_RANK == 0 ? 500 : 750)).0
megatron_log() { $(declare -f megatron_log | sed 1,2d | sed '$d')
}
megatron_log --time \$time 2.5 2.4 2.3
sleep 2.5
SCRIPT
expect_exit 0 gate run slower
expect_json .gate/latest/result.json '.cases[0].notes | any(contains("node 1 on npu2 took 1.5 times as long for a step as node 0 on npu1"))'
for rank in 0 1; do
  jq -e --argjson rank $rank '.runs[0].series[] | select(.metric == "host_cpu" and .rank == $rank)' .gate/latest/slower/series.json >/dev/null ||
    broken "no readings of the host of node $rank"
done

# --- gate stop ends all nodes ---

script stays <<SCRIPT
#GATE devices=1 nodes=2 grace=1s
touch "$WORK/began.\$NODE_RANK"
exec sleep 1000
SCRIPT
gate run stays >run.out 2>&1 </dev/null &
run=$!
all_began() { [[ -e $WORK/began.0 && -e $WORK/began.1 ]]; }
wait_for all_began
expect_exit 0 gate stop .gate/latest --reason 'wrong image'
code=0 && wait $run || code=$?
((code == 143)) || broken "the run that was stopped ended with $code"
expect_json .gate/latest/result.json '.cases[0].verdict == "interrupted" and (.cases[0].outcome.by | endswith("wrong image"))'
expect_file run.out 'node 1 on npu2: stopped by'

# --- a script that knows better is not launched ---

script stubborn <<'SCRIPT'
#GATE devices=1 nodes=2
export MASTER_ADDR=localhost
SCRIPT
expect_exit 3 gate run stubborn
expect_out 'stubborn.sh sets MASTER_ADDR to its own host, and nodes = 2; take it from the environment'

# --- nothing is left ---

no_process_is_left() { [[ -z $(living_on npu1)$(living_on npu2) ]]; }
wait_for no_process_is_left
