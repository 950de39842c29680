# Cases as jobs of Slurm: verdicts as on this host, devices and nodes that Slurm chose, several nodes, leftovers, what is hung,
# late or certain to fail, what Slurm refuses, what waits; and nothing is left.
# timeout: 300
. "$(dirname "$0")/../cases/_lib"
. "$SOURCE/tests/engines/_slurm"
. "$SOURCE/tests/hosts/_runs"
. "$SOURCE/tests/engines/_rows"
. "$SOURCE/tests/cases/_python"

as_on_this_host() {
  engine_suite <<<''
  engine_case green <<'SCRIPT'
echo "devices $CUDA_VISIBLE_DEVICES, $NPROC_PER_NODE of $WORLD_SIZE, at $MASTER_ADDR:$MASTER_PORT, given: $GIVEN"
[[ $PWD == "${GATE_RUN_DIR%/.gate/*}" && -d $GATE_SCRATCH ]] && steps
SCRIPT
  engine_case red < <(echo 'steps | sed s/2.3/2.4/')
  engine_case crashed < <(echo 'steps; exit 3')
  engine_case short < <(echo 'steps | head -n 1')
  expect_exit 1 gate run --set $'env.GIVEN=a \n"$(touch pwned)"'
  the green '.verdict == "passed" and (.devices | test("^1 x nvidia-a100 on n[1-4] \\([0-7]\\)$")) and .hosts[0][:1] == "n"'
  the red '.verdict == "regressed"'
  the crashed '.verdict == "crashed" and .reason == "exited 3"'
  the short '.verdict == "incomplete"'
  expect_file .gate/latest/green/log.txt '1 of 1, at 127.0.0.1:29'
  expect_file .gate/latest/green/log.txt 'given: a '
  refute_file pwned
  [[ $(grep -c 'iteration  ' .gate/latest/green/log.txt) == 3 ]]
  [[ -z $(find .gate/runs -name "job-*") ]]
  wait_for nothing_is_left
}

what_it_runs_on() {
  engine_suite <<<''
  python_env venv
  has_torch venv 2.1.0
  waiting_trainer train.py
  engine_case on_python < <(echo 'steps >now.log; LOG=now.log HCCL_DETERMINISTIC=true venv/bin/python train.py')
  expect_exit 0 gate run
  expect_json .gate/latest/on_python/series.json '.provenance | .packages == {"torch": "2.1.0"} and
    .switches == {"HCCL_DETERMINISTIC": "true"} and .kernel != null'
}

# pytest writes its file into a folder that the nodes share with gate.
tests_of_pytest() {
  engine_suite <<<''
  printf 'def test_a(): pass\ndef test_b(): pass\n' >test_units.py
  engine_case units judge=pytest < <(echo '/usr/bin/python3 -m pytest -q -p no:cacheprovider test_units.py')
  expect_exit 0 env PYTEST_ADDOPTS='-k "b or c"' "$GATE" run
  the units '.verdict == "passed" and ([.checks[].metric] == ["test_units.py::test_b"])'
}

several_nodes() {
  engine_suite <<<''
  engine_case two devices=2x4 <<'SCRIPT'
echo "node $NODE_RANK of $NNODES on $SLURMD_NODENAME, $WORLD_SIZE ranks, devices $CUDA_VISIBLE_DEVICES, master at $MASTER_ADDR"
(($NODE_RANK)) && exit
steps
SCRIPT
  engine_case fails devices=2x1 < <(echo '(($NODE_RANK)) && exit 3; sleep 1000')
  expect_exit 4 gate run
  the two '.verdict == "passed" and (.hosts | length) == 2 and (.devices | startswith("2 nodes, each 4 x nvidia-a100 on n"))'
  expect_file .gate/latest/two/log.txt 'node 0 of 2'
  expect_file .gate/latest/two/log.node1.txt '8 ranks'
  the fails '.verdict == "crashed" and .reason == "exited 3"'
  the fails '[.problems[].text | select(startswith("node 1: exited 3, first"))] | length == 1'
  wait_for nothing_is_left
}

limits() {
  engine_suite <<<''
  engine_case hangs hang=1s startup=2s < <(echo 'steps | head -n 2; sleep 1000')
  megatron_log 2.500000E+00 2.400000E+00 2.300000E+00 >good.log
  rm baselines/wrong.json && expect_exit 0 gate baseline import good.log --case wrong --accept --reason first
  engine_case late timeout=2s < <(echo 'sleep 1000')
  engine_case wrong early_stop=on < <(echo 'steps | sed s/2.500000E/9.500000E/ | head -n 2; sleep 1000')
  megatron_log 2.500000E+00 2.400000E+00 2.300000E+00 >good.log
  rm baselines/wrong.json && expect_exit 0 gate baseline import good.log --case wrong --accept --reason first
  engine_case leaves < <(echo 'setsid -f sleep 1000; steps')
  engine_case setup < <(echo steps)
  printf '[case.setup]\nsetup = "false"\n' >>gate.toml
  expect_exit 1 gate run
  the hangs '.verdict == "hung"'
  expect_file .gate/latest/hangs/evidence.txt 'sleep'
  the late '.verdict == "timed_out"'
  the wrong '.verdict == "regressed" and .outcome.kind == "stopped_early"'
  the leaves '[.problems[].text | select(test("outlived the script and was stopped: .*sleep 1000"))] | length == 1'
  the setup '.verdict == "infra" and (.reason | test("setup exited 1"))'
  wait_for nothing_is_left
}

waits() {
  engine_suite < <(echo '[defaults.slurm]' && echo 'options = ["--begin=now+1hour"]')
  engine_case late < <(echo steps)
  begin late --deadline 20s
  wait_for is_pending_here
  wait_for says_why
  ends 3
  the late '.verdict == "not_run" and .outcome.kind == "past_deadline"'
  expect_out 'was pending still: BeginTime'
  wait_for nothing_is_left
  begin late
  wait_for is_pending_here
  kill -TERM "$gate"
  ends 143
  wait_for nothing_is_left
  begin late
  wait_for is_pending_here
  gates_of "$gate" | xargs kill -KILL
  wait_for nothing_is_left
}
is_pending_here() { [[ -n $(jobs) ]]; }
says_why() { gate status 2>/dev/null | grep -F 'is pending: BeginTime' >/dev/null; }

refused() {
  engine_suite <<<''
  engine_case big devices=9 < <(echo steps)
  expect_exit 125 gate run
  the big '.verdict == "infra" and (.reason | test("sbatch takes no job: .*Requested node configuration is not available"))'
  engine_case big < <(echo steps)
  expect_exit 125 gate run --set slurm.options='--partition=no such; touch pwned'
  the big '.verdict == "infra" and (.reason | test("invalid partition specified: no such; touch pwned"))'
  refute_file pwned
  expect_exit 125 env PATH=/usr/bin/env-less "$GATE" run
  the big '.reason | test("there is no sbatch")'
  expect_exit 2 gate run --set container.image=x:1
  expect_err 'slurm.options'
  expect_exit 2 gate run --set devices=1,2
  expect_exit 125 gate run --set devices=all
  the big '.reason | test("devices = 8")'
  wait_for nothing_is_left
}

bounded() {
  engine_suite <<<''
  local k
  for k in 1 2 3 4; do engine_case "c$k" < <(echo "ls \"\$SAID\"/on.* 2>/dev/null | wc -l; touch \"\$SAID/on.\$\$\"; sleep 1; rm \"\$SAID/on.\$\$\"; steps"); done
  expect_exit 0 gate run --jobs 2
  for k in 1 2 3 4; do [[ $(head -n 1 ".gate/latest/c$k/log.txt") -le 1 ]] || broken 'more than two ran at once'; done
  wait_for nothing_is_left
}

plans() {
  engine_suite <<<''
  engine_case one devices=8 timeout=90m grace=1m < <(echo steps)
  SBATCH_PARTITION=other SLURM_NTASKS=9 expect_exit 0 gate run --dry-run --set slurm.options=--account=a\'b,--qos=q
  expect_out 'env -u SBATCH_PARTITION -u SLURM_NTASKS sbatch'
  expect_out "'--account=a'\\''b' --qos=q"
  expect_out '--nodes=1 --ntasks-per-node=1 --time=96 --no-requeue --export=ALL'
  expect_out '--gres=gpu:8'
  expect_out 'exec srun --nodes="$3"'
  refute_file .gate/runs
}

[[ ! ${ROWS:-} ]] || each $ROWS
each as_on_this_host what_it_runs_on tests_of_pytest sample hostile several_nodes limits waits refused bounded plans
