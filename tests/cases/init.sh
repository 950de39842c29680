# gate init writes a gate.toml that loads, and says what it could not tell.
. "$(dirname "$0")/_lib"

# --- a checkout of the ModelLink / MindSpeed family ---
mkdir -p mindspeed/tests/st/{shell_scripts,baseline_results} && cd mindspeed && git init -q .
for name in llama2 qwen3 mixtral; do printf '#!/bin/bash\nNPUS_PER_NODE=8\nNNODES=1\ncat run.log\n' >"tests/st/shell_scripts/$name.sh"; done
printf 'NPUS_PER_NODE=4\n' >tests/st/shell_scripts/small.sh
printf 'NPUS_PER_NODE=$(ls /dev | wc -l)\n' >tests/st/shell_scripts/computed.sh
printf '#GATE devices=2\nNPUS_PER_NODE=8\n' >tests/st/shell_scripts/told.sh
printf 'NPUS_PER_NODE=8\nNNODES=2\n' >tests/st/shell_scripts/two_nodes.sh
for name in llama2 qwen3 retired; do
  echo '{"lm loss": [2.5, 2.4, 2.3], "time info": [9.0, 1.0, 1.1], "lm loss margin": 0.05}' >"tests/st/baseline_results/$name.json"
done
: >tests/st/baseline_results/small.json
expect_exit 0 gate init --dry-run
refute_file gate.toml
cp "$WORK/.last/out" dry.toml
expect_exit 0 gate init . --dry-run
expect_same dry.toml "$WORK/.last/out"
expect_exit 0 gate init
expect_same dry.toml gate.toml
[[ $(head -n 1 gate.toml) == '#:schema .gate/schema.json' ]] || broken 'editors are told of no schema'
expect_json .gate/schema.json '.properties.suite.properties.cases'
[[ $(gate help schema) == "$(<.gate/schema.json)" ]] || broken 'it is another schema'
[[ -z $(git status --porcelain .gate) ]] || broken 'git sees .gate'
expect_out_match '^wrote .*gate.toml for a checkout of the ModelLink / MindSpeed family: 7 cases, profile mindspeed-llm$'
expect_out 'not detected: the baselines of 4 scripts'
expect_out 'not detected: the scripts of 1 baseline, unjudged in a run of all cases: retired'
expect_out 'not detected: the devices of computed: NPUS_PER_NODE=$(ls is no number; a run takes the whole host'
expect_out 'not detected: what a baseline holds: tests/st/baseline_results/small.json'
expect_out 'not detected: the platform'
expect_exit 0 gate --lang zh init --dry-run
expect_same dry.toml "$WORK/.last/out"
expect_file gate.toml 'cases = "tests/st/shell_scripts/*.sh"'
expect_file gate.toml 'baselines = "tests/st/baseline_results/{case}.json"'
expect_file gate.toml '# - the scripts of 1 baseline'
expect_exit 0 gate list
expect_out_match '^llama2 +8 devices .*general'
expect_out_match '^small +4 devices '
expect_out_match '^computed +whole host '
expect_out_match '^told +2 devices '
expect_exit 0 gate list --explain llama2
expect_out_match '^profile +mindspeed-llm '
expect_out_match '^shadow +gate '
megatron_log --time 9.0,1.0,1.1 2.500000E+00 2.400000E+00 2.300000E+00 >run.log
expect_exit 0 gate check run.log --case llama2

# Margins and nodes are comments that hold.
sed -i '/^# Margins/,/^#  *Next/ { /^# \(\[case\|[a-z_]*\.tolerance\)/ s/^# // }' gate.toml
expect_exit 0 gate list --explain llama2
expect_out_match 'rules.lm_loss.tolerance +±5% '
expect_file gate.toml '# nodes = 2'

# --- such a checkout with pipelines and unit tests, from the clone to a run without an edit ---
cd "$WORK" && mkdir -p whole/tests/{st/{shell_scripts,baseline_results},pipeline/st/{glm,llama2,baseline},ut/dist_algo} whole/bin && cd whole && git init -q .
megatron_log --throughput 100.0 --memory 0:100.00:200.00 2.100000E+00 2.200000E+00 2.300000E+00 >run.log
printf '#!/bin/bash\ncat %q\n' "$PWD/run.log" >bin/torchrun && chmod +x bin/torchrun
for file in st/shell_scripts/llama2_tp2 pipeline/st/glm/pretrain_glm_tp1 pipeline/st/llama2/pretrain_llama2_tp2; do
  printf '#!/bin/bash\nNPUS_PER_NODE=1\ntorchrun --nproc_per_node $NPUS_PER_NODE pretrain_gpt.py\n' >"tests/$file.sh"
done
for file in st/baseline_results/llama2_tp2 pipeline/st/baseline/pretrain_glm_tp1 pipeline/st/baseline/pretrain_llama2_tp2; do
  echo '{"lm loss": [2.1, 2.2, 2.3], "throughput": [100.0, 100.0, 100.0], "memo info":
    [{"rank": 0, "allocated memory": 100.0, "max allocated memory": 200.0}]}' >"tests/$file.json"
done
printf 'def test_ring():\n    assert 1 + 1 == 2\n' >tests/ut/dist_algo/test_ring.py
expect_exit 0 gate init
expect_out_match '^wrote .*: 4 cases, profile modellink$'
expect_out_match '^tolerances: those of profile modellink, as of tests/[^ ]*[.]json: .*loss 1 % .*; for loss within ±0.01 write profile = "gate"$'
refute_out 'the baselines of'
refute_out 'the scripts of'
expect_exit 125 gate run --dry-run
expect_out "needs 1 device; this host: no accelerator; where no accelerator is meant: --platform cpu, or devices=0"
expect_exit 0 gate run --dry-run --platform cpu
run gate list
expect_out_match '^pipeline/glm/pretrain_glm_tp1 +1 device .*general'
expect_out_match '^st/llama2_tp2 +1 device .*general'
expect_out_match '^ut/dist_algo/test_ring.py +whole host .*none'
(
  . "$(dirname "$0")/_host"
  npu_host 2
  export PATH=$PWD/bin:$PATH
  expect_exit 0 gate run --platform ascend-910b3
  expect_last_line '4 passed'
  sed -i 's/2.200000E+00/2.250000E+00/' run.log
  sed -i 's/== 2/== 3/' tests/ut/dist_algo/test_ring.py
  expect_exit 1 gate run --platform ascend-910b3
  expect_last_line '4 regressed'
)

# --- a CI's scripts are no cases; a checkout of torchtitan is known by its losses ---
cd "$WORK" && mkdir -p titan/scripts/ci titan/tests/assets/losses && cd titan
echo 'torchrun --nproc_per_node=8 t.py' >scripts/ci/runner.sh
cp scripts/ci/runner.sh scripts/install_deps.sh && cp scripts/ci/runner.sh scripts/pytorch_ci_runner.sh
expect_exit 3 gate init
expect_err 'or name a log of yours: gate init LOG'
printf '1 8.25\n2 6.5\n' >tests/assets/losses/llama3_cuda.txt
expect_exit 0 gate init
expect_out_match '^wrote .*gate.toml for a torchtitan checkout$'
expect_out 'gate baseline import --tree tests/assets/losses/'
refute_out scripts/
expect_exit 0 gate baseline import --tree tests/assets/losses/ --accept --reason "as they had them"
expect_file baselines/llama3_cuda.json
rm -r gate.toml tests baselines .gate
for name in train/precise installs; do mkdir -p "$(dirname "scripts/$name")" && cp scripts/ci/runner.sh "scripts/$name.sh"; done
expect_exit 0 gate init
expect_out_match '^wrote .*gate.toml for a folder with scripts: 2 cases$'
expect_out 'whether scripts/ci/runner.sh, scripts/install_deps.sh, scripts/pytorch_ci_runner.sh train: left out'
for glob in 'scripts/ci/**' scripts/install_deps.sh scripts/pytorch_ci_runner.sh; do expect_file gate.toml "\"!$glob\""; done

# --- what is there is never overwritten ---
cd "$WORK/mindspeed" && cp gate.toml before.toml
expect_exit 3 gate init
expect_err 'is not overwritten'
expect_same before.toml gate.toml
expect_exit 0 gate init --dry-run

# --- golden files of Megatron-LM without its cases: nothing to launch, much to import ---
cd "$WORK" && mkdir -p mcore/tests/functional_tests/test_cases/gpt/tp2 && cd mcore
echo '{"lm loss": {"start_step": 1, "end_step": 2, "step_interval": 1, "values": {"1": 10.5, "2": 10.25}}}' \
  >tests/functional_tests/test_cases/gpt/tp2/golden_values_dev_dgx_h100.json
expect_exit 0 gate init
expect_out 'not detected: how to launch a case: this checkout has no script per case'
expect_out 'gate baseline import --tree tests/functional_tests/test_cases/'
expect_file gate.toml 'profile = "megatron"'
expect_exit 3 gate list
expect_err 'no case: nothing matches tests/gate/**.sh'
mkdir -p tests/gate/gpt && echo true >tests/gate/gpt/tp2.sh
expect_exit 0 gate list
expect_out_match '^gpt/tp2 '

# --- a plain folder, names that need quotes ---
cd "$WORK" && mkdir -p 'a "quoted" \ folder/scripts' && cd 'a "quoted" \ folder'
printf 'torchrun --nproc_per_node=2 a.py\n' >'scripts/x "1" \ y.sh'
printf 'torchrun --nproc_per_node=4 a.py\n' >'scripts/b[1].sh'
printf 'torchrun --nproc_per_node=2 a.py\n' >scripts/c.sh
expect_exit 0 gate init --json
expect_json "$WORK/.last/out" '.cases == 3 and .profile == "" and (.toml | contains("[suite]"))'
expect_exit 0 gate list
expect_out_match '^x "1" \\ y +2 devices'
expect_out_match '^b\[1\] +4 devices'

# --- what only editors want is no reason to fail ---
cd "$WORK" && mkdir -p kept/scripts && cd kept && echo true >scripts/a.sh && : >.gate
expect_exit 0 gate init
expect_out 'wrote '
expect_err 'no schema for editors: '
[[ ! -s .gate ]] || broken 'a file of somebody else is written to'

# --- of several at once one writes it ---
for round in 1 2 3 4 5; do
  rm -rf .gate gate.toml
  for one in 1 2 3; do { gate init >"$WORK/init.$one" 2>&1 || true; } & done
  wait
  [[ $(grep -l '^wrote ' "$WORK"/init.* | wc -l) == 1 ]] || broken "round $round: each wrote it: $(cat "$WORK"/init.*)"
done

# --- nothing to begin with ---
cd "$WORK" && mkdir empty && cd empty
expect_exit 3 gate init
expect_err 'nothing that gate knows is here (tests/st/shell_scripts/*.sh, tests/functional_tests/test_cases/*/*/model_config.yaml, training/run_benchmarks/config/test_conf.py, tests/functional_tests/test_cases/, tests/assets/losses/, scripts/*.sh)'
expect_exit 2 gate -C nowhere init

# --- a link called gate.toml that leads nowhere is kept; so is what it leads to ---
cd "$WORK" && mkdir -p linked/scripts && cd linked && echo true >scripts/a.sh && ln -s elsewhere/gate.toml gate.toml
expect_exit 3 gate init
expect_err 'is not overwritten'
[[ -L gate.toml ]] || broken "the link was replaced"
expect_exit 0 gate init --dry-run

# --- two families in one tree; as many golden files of one tool as of another ---
cd "$WORK" && mkdir -p both/tests/{st/{shell_scripts,baseline_results},functional_tests/test_cases/gpt} && cd both
printf 'WORLD_SIZE=15\nNNODES=2\n' >tests/st/shell_scripts/odd.sh
for name in a b; do echo 'python train.py' >tests/st/shell_scripts/silent_$name.sh; done
echo '{"lm loss": [2.5], "throughput": [1]}' >tests/st/baseline_results/old.json
echo '{"lm loss": [2.5], "grad norm": [1]}' >tests/st/baseline_results/new.json
echo '{"lm loss": "x", "grad norm": 3}' >tests/st/baseline_results/wrong.json
echo '{"lm loss": {"values": {"1": 10.5}}}' >tests/functional_tests/test_cases/gpt/golden_values_dev_dgx_h100.json
expect_exit 0 gate init
expect_out 'not detected: what to do with tests/functional_tests/test_cases/: the folder is a Megatron-LM checkout without cases, too'
expect_out 'gate baseline import --tree tests/functional_tests/test_cases/'
expect_out 'are of (mindspeed-llm 1, modellink 1); none is the commonest, and the profile is mindspeed-llm until you choose'
expect_out 'not detected: the devices of odd: WORLD_SIZE=15 is no multiple of NNODES=2; a run takes'
expect_out 'not detected: the devices of silent_a, silent_b: no number of devices is given; a run takes the whole host'
refute_out 'the commonest is the profile'
refute_out '\x0a'
expect_exit 0 gate list

# --- what cannot be read ---
as_nobody() { if ((UID == 0)); then setpriv --reuid=65534 --clear-groups "$@"; else "$@"; fi; }
install -m 755 "$GATE" "$WORK/gate" && chmod 755 "$WORK"
as_nobody test -x "$WORK/gate" 2>/dev/null || skip "root reads everything, and no other user reaches $WORK"
cd "$WORK" && mkdir -p unread/scripts/locked && cd unread && chmod 777 . && echo true >scripts/a.sh
echo 'NPROC_PER_NODE=2' >scripts/secret.sh
chmod 000 scripts/{locked,secret.sh}
expect_exit 0 as_nobody "$WORK/gate" init --dry-run
expect_out '# - what a script needs: ./scripts/secret.sh: cannot read: Permission denied'
expect_out '# - what is in scripts/locked/: the folder cannot be listed'
refute_out 'devices of a, secret'
chmod 000 scripts
expect_exit 3 as_nobody "$WORK/gate" init
expect_err 'cannot be listed: scripts/'
