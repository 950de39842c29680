# gate init in a checkout of Megatron-LM: its cases run and are judged without an edit.
# timeout: 600
. "$(dirname "$0")/_lib"
. "$(dirname "$0")/_megatron"

mkdir mcore && cd mcore && git init -q .
megatron_tree
nvidia_host 8 'NVIDIA H100 80GB HBM3'

# --- from the clone to a plan ---
expect_exit 0 gate init
expect_out_match '^wrote .*gate.toml for a Megatron-LM checkout: 20 cases, profile megatron$'
refute_out 'not detected: the platform'
expect_out 'not detected: how to run 1 case, gpt/gpt3_inference: MODE inference'
expect_out 'the tags by platform of gpt/gpt3_frozen, gpt/gpt3_inference, gpt/gpt3_mcore_tp2_1,'
expect_out 'whether speed and memory are to agree, too: under this profile they gate nothing; profile = "megatron *" compares all'
refute_out 'What to do with'
expect_exit 0 gate run --dry-run
expect_last_line '^PLAN: 19 to run, 2 skipped \(exit 0\)$'
refute_out 'never beside each other'
expect_exit 0 gate list
expect_out_match '^gpt/gpt3_sizes@1x4 +4 devices, nvidia-h100 +30m +regular,dev,nightly '
expect_out_match '^t5/t5_lts +8 devices, nvidia-a100 .*regular,lts,nightly '
expect_exit 0 gate list --explain gpt/gpt3_nondeterministic
expect_out_match '^recipe.metrics +lm loss,mem-allocated-bytes +tests/functional_tests/test_cases/gpt/gpt3_nondeterministic/model_config.yaml:18:1$'
expect_out_match '^env.NVTE_ALLOW_NONDETERMINISTIC_ALGO +1 +tests/.*/model_config.yaml:2:3$'
expect_out_match '^recipe.nondeterministic +true '
expect_out_match '^steps +5 '

# --- golden files in, and a run that is judged by them ---
expect_exit 0 gate baseline import --tree tests/functional_tests/test_cases/
expect_exit 0 gate baseline accept --to platform --reason 'as Megatron had them'
expect_exit 3 gate run
expect_last_line '^RED: 4 unjudged, 15 passed, 2 skipped'
expect_exit 0 gate baseline record gpt/gpt3_sizes gpt/gpt3_resume bert/bert_resume
expect_exit 0 gate baseline accept gpt/gpt3_sizes@1x4 gpt/gpt3_sizes@1x8 gpt/gpt3_resume bert/bert_resume --to platform --reason new
expect_exit 0 gate run
expect_last_line '19 passed, 2 skipped'
expect_exit 0 gate run --tag weekly
expect_out_match 'gpt/gpt3_mcore_tp2_8 '
expect_last_line '1 passed'
expect_exit 0 gate run gpt/gpt3_nondeterministic t5/t5_release
expect_out 'memory_allocated approximate 5 steps'
expect_exit 0 gate list --coverage --json gpt/gpt3_nondeterministic
expect_json "$WORK/.last/out" '.cases[0] | .memory and (.speed | not)'

# --- recipes and golden files that are others later ---
run gate baseline lint -v
refute_out source_
golden=tests/functional_tests/test_cases/bert/bert_1/golden_values_dev_dgx_h100.json recipe=tests/test_utils/recipes/bert.yaml
cp $recipe "$WORK/bert.yaml" && mv $golden "$WORK/golden.json"
sed -i 's/n_repeat: 1/n_repeat: 3/; s/gpus: 8/gpus: 16/; s/limit: 1800/limit: 60/; s|tools/train|other/train|' $recipe
expect_exit 1 gate baseline lint -v bert/bert_1
expect_out_match "^WEAK  bert/bert_1 .*$recipe:21:16 says n_repeat 3, and gate.toml 1\$"
expect_out_match "^WEAK  bert/bert_1 .*says nodes x gpus 1x16 on nvidia-h100, and gate.toml 1x8\$"
expect_out_match "^note  bert/bert_1 .*says time_limit 60, and gate.toml 30m\$"
expect_out_match "^note  bert/bert_1 .*says TRAINING_SCRIPT_PATH=other/train_bert.py, and gate.toml tools/train_bert.py\$"
expect_out_match "^WEAK  bert/bert_1 .*$golden, which it was imported from, is gone"
expect_exit 0 gate run bert/bert_1
expect_out "note     $golden, which it was imported from, is gone"
expect_json .gate/latest/result.json '.cases[0].notes | tostring | contains("says n_repeat 3, and gate.toml 1")'
sed -i 's/gpus: 16/gpus: 4/; s/bert_2, //; s/dgx_h100/dgx_a100/' $recipe
run gate baseline lint -v bert/bert_1 bert/bert_2
expect_out_match '^note  bert/bert_1 .*says nodes x gpus 1x4 on nvidia-a100, and gate.toml 1x8$'
expect_out_match '^note  bert/bert_1 .*says platform nvidia-a100, and gate.toml nvidia-h100$'
expect_out_match '^note  bert/bert_2 .*no recipe names it any more$'
mv "$WORK/bert.yaml" $recipe && mv "$WORK/golden.json" $golden

# The words are the case's, each one a word whatever stands in it; the variables are folders of the launch and the data.
rm "$TORCHRUN/words"
expect_exit 0 gate run gpt/gpt3_frozen bert/bert_1
words() { sed -n "/^${1//\//\\/}$/,/^--$/p" "$TORCHRUN/words"; }
words bert/bert_1 | grep -qx 'tools/train_bert.py' || broken "another training script: $(words bert/bert_1)"
words bert/bert_1 | grep -qxF 'E|t*3|(t|)*2 L' || broken "the layout is not one word: $(words bert/bert_1)"
words bert/bert_1 | grep -qx "$PWD/data/text/the_pile" || broken "another data folder: $(words bert/bert_1)"
words bert/bert_1 | grep -A1 -x -e --load | grep -q "$PWD/.gate/runs/.*/bert/bert_1/scratch/checkpoints" || broken "it loads something"
words gpt/gpt3_frozen | grep -A1 -x -e --load | grep -qx "$PWD/data" || broken "it does not load what is there"
[[ $(words bert/bert_1 | sed -n 2,11p | tr '\n' ' ') == '--nproc_per_node 8 --nnodes 1 --node_rank 0 --master_addr 127.0.0.1 --master_port '*' ' ]] ||
  broken "torchrun has other words: $(words bert/bert_1)"

# --- red, and why ---
echo 'bert/bert_1 1.00002 1' >"$TORCHRUN/loss"
expect_exit 1 gate run bert/bert_1
expect_out 'lm_loss'
echo 'gpt/gpt3_nondeterministic 1.00002 1' >"$TORCHRUN/loss"
expect_exit 0 gate run gpt/gpt3_nondeterministic
echo 'gpt/gpt3_nondeterministic 1 1.2' >"$TORCHRUN/loss" # memory, which the event file alone has
expect_exit 1 gate run gpt/gpt3_nondeterministic
expect_out_match '^ +memory_allocated '
rm "$TORCHRUN/loss"

# Two event files that contradict: nobody can tell which memory is the run's.
echo twice >"$TORCHRUN/mode"
expect_exit 3 gate run gpt/gpt3_nondeterministic
expect_out 'memory_allocated: '
# Memory by rank in the log, and by step in the event file: both are there, and each is judged with its like.
echo memory >"$TORCHRUN/mode"
expect_exit 0 gate run gpt/gpt3_nondeterministic
for rules in throughput iteration_time lm_loss; do echo "rules.$rules = false"; done >"$WORK/rules"
sed '/^\[defaults\]/,$ { /^\[case\."gpt\/gpt3_nondeterministic"\]/r '"$WORK/rules"'
}' gate.toml >memory.toml
expect_exit 0 gate --config memory.toml run --profile gate --set strict=false gpt/gpt3_nondeterministic
echo 'gpt/gpt3_nondeterministic 1 1.2' >"$TORCHRUN/loss"
expect_exit 1 gate --config memory.toml run --profile gate gpt/gpt3_nondeterministic
expect_out_match '^ +memory_allocated .*5 of 5 steps'
rm "$TORCHRUN"/{mode,loss} memory.toml

# --- what is missing is said before anything is launched ---
sed 's/^data_dir/# &/' gate.toml >other.toml
expect_exit 3 gate --config other.toml run --dry-run bert/bert_1
expect_out 'tests/functional_tests/test_cases/bert/bert_1/model_config.yaml:11:3: ${DATA_PATH} is not known; set env.DATA_PATH, or data_dir'
expect_exit 0 gate --config other.toml run --dry-run --env DATA_PATH="$PWD/data" bert/bert_1
sed 's/ {args}"/"/' gate.toml >other.toml
expect_exit 2 gate --config other.toml list
expect_err_match 'other.toml:[0-9]+:[0-9]+: a launch of kind megatron has \{args\}'
sed 's/^kind = /# &/' gate.toml >other.toml
expect_exit 2 gate --config other.toml list
expect_err 'write kind = "megatron"'
sed 's/{env.MASTER_PORT}/{env.NOT_THERE}/' gate.toml >other.toml
expect_exit 3 gate --config other.toml run --dry-run bert/bert_1
expect_out 'launch has {env.NOT_THERE}, and the case has no such variable: set env.NOT_THERE'
sed 's/{args}/--x={args}/' gate.toml >other.toml
expect_exit 2 gate --config other.toml list
expect_err 'write it as a word of its own'
rm other.toml

# --- nothing of a file is a shell's ---
config=tests/functional_tests/test_cases/bert/bert_2/model_config.yaml
cp "$config" "$WORK/kept.yaml"
sed -i 's/--bf16: true/--tokenizer: "$(touch pwned) `touch pwned`; touch pwned"/' "$config"
expect_exit 0 gate run bert/bert_2
refute_file pwned
words bert/bert_2 | grep -qxF '$(touch pwned) `touch pwned`; touch pwned' || broken "not the word: $(words bert/bert_2)"
printf 'MODEL_ARGS: {--a: [}\n' >"$config"
expect_exit 3 gate run --dry-run
expect_out "$config:1:"
mv gate.toml before.toml
expect_exit 0 gate init
expect_out "not detected: what a case says: $config:1:"
mv before.toml gate.toml
cp "$WORK/kept.yaml" "$config"

# Variables that hold others, whatever their order; one that means itself cannot be.
sed -i 's|^ENV_VARS:|&\n  A: ${B}/a\n  B: ${DATA_PATH}/b|' "$config"
echo env >"$TORCHRUN/mode"
expect_exit 0 gate run bert/bert_2
expect_file .gate/latest/bert/bert_2/log.txt "A is $PWD/data/b/a"
sed -i 's|^  B: .*|  B: /x:${B}|' "$config"
expect_exit 3 gate run --dry-run bert/bert_2
expect_out 'bert/bert_2: env.B: ${B} means itself'
rm "$TORCHRUN/mode"
cp "$WORK/kept.yaml" "$config"
sed 's/^devices = "1x8"/devices = "2x8"/' gate.toml >pods.toml
expect_exit 3 gate --config pods.toml run --dry-run --set backend=kubernetes --set container.image=x bert/bert_2
expect_out 'what runs on the nodes alone knows it'
rm pods.toml

# --- names against flags ---
sed -i '0,/^environment = /s//naming = "{model}_{parallelism}"\n&/' gate.toml
run gate baseline lint -v gpt/gpt3_mcore_tp2_1
refute_out 'the name says'
mkdir tests/functional_tests/test_cases/gpt/gpt3_mcore_tp4
cp "$WORK/kept.yaml" tests/functional_tests/test_cases/gpt/gpt3_mcore_tp4/model_config.yaml
expect_exit 1 gate baseline lint gpt/gpt3_mcore_tp4
expect_out 'the name says tp4, the script --tensor-model-parallel-size 2'
rm -r tests/functional_tests/test_cases/gpt/gpt3_mcore_tp4

# --- a change is judged by the policy of the ref: the words of the tree are launched, METRICS are a finding ---
git add -A && git commit -qm all
sed -i 's/--num-layers: 12/--num-layers: 24/; $a METRICS: [num-zeros]' "$config"
rm "$TORCHRUN/words"
run gate run --policy-from HEAD bert/bert_2
expect_out_match 'compare'
words bert/bert_2 | grep -A1 -x -e --num-layers | grep -qx 24 || broken "not the tree's words"
run gate explain bert/bert_2
expect_out 'lm_loss'

# A change that would switch its own case off is a finding, and the case runs.
git checkout -q . && rm "$TORCHRUN/words"
for keys in 'MODE: inference' 'AFTER_SCRIPT: "true"'; do
  echo "$keys" >>"$config"
  run gate run --policy-from HEAD 'bert/*'
  expect_out_match 'skipped'
  words bert/bert_2 | grep -qx -e --num-layers || broken "$keys: the case did not run"
  git checkout -q . && rm "$TORCHRUN/words"
done
echo 'MODE: pretrainin' >>"$config" # a slip of the pen is no reason to skip it
expect_exit 3 gate run --policy-from HEAD 'bert/*'
git checkout -q . && rm -f "$TORCHRUN/words"
sed -i 's/^TEST_TYPE: .*/TEST_TYPE: ckpt-resume/' "$config"
run gate run --policy-from HEAD 'bert/*'
words bert/bert_2 | grep -qx -e --num-layers || broken "the case of another type did not run"
git checkout -q .

# --- recipes as they are: empty keys, several sizes on several platforms, platforms that nobody knows ---
cd "$WORK" && mkdir odd && cd odd && git init -q .
mkdir -p data/text tests/test_utils/recipes/{gb200,h100}
for name in both large odd alone; do megatron_config "moe/$name" regular && megatron_golden "moe/$name" dev_dgx_h100; done
megatron_recipe moe pretrain_gpt.py '  - test_case: [both, large]
    products: [{environment: [dev], scope: [mr], platforms: [dgx_gb200], nodes: [2], gpus: [4]}]'
mv tests/test_utils/recipes/moe.yaml tests/test_utils/recipes/gb200/
megatron_recipe moe pretrain_gpt.py '  - test_case: [both]
    products: [{environment: [dev], scope: [mr], platforms: [dgx_h100]}, {environment: [lts], platforms: [dgx_a100]}]
  - test_case: [odd]
    products: [{environment: [dev], scope: ["mr\nx"], platforms: [hal9000]}]'
sed -i 's/^  n_repeat: 1/  n_repeat:/; s/^  time_limit: .*/  time_limit:/' tests/test_utils/recipes/moe.yaml
mv tests/test_utils/recipes/moe.yaml tests/test_utils/recipes/h100/
expect_exit 0 gate init
refute_out 'how to run moe/both'
expect_out 'not detected: which platform hal9000 is, of moe/odd'
refute_out 'what a recipe says'
expect_exit 0 gate list
expect_out_match '^moe/both +8 devices \(nvidia-gb200: 4 devices, 2 nodes\), nvidia-gb200, nvidia-h100, nvidia-a100 '
expect_out_match '^moe/large +4 devices, 2 nodes, nvidia-gb200 '
expect_exit 0 gate run --dry-run moe/both
for name in large both; do
  run gate run --dry-run --platform nvidia-gb200 moe/$name
  expect_out 'needs 2 hosts, and the setting hosts gives it 1: name a group of [hosts] that has enough'
done
run gate run --dry-run --platform nvidia-a100 moe/both
expect_out "skipped moe/both  needs environment lts; this run's environment is dev"
run gate run --dry-run --platform nvidia-a100 --environment lts
expect_out 'the platform is nvidia-a100, and this host has 8 x nvidia-h100'
expect_out_match '^skipped moe/large'
# A case that no recipe names is listed, and skipped by name.
expect_exit 0 gate list
expect_out_match '^moe/alone .*no recipe names it$'
expect_exit 3 gate run --dry-run moe/alone
expect_out 'skipped moe/alone  no recipe names it'
expect_exit 0 gate run --dry-run --set skip= moe/alone

# A checkout inside of another git tree runs where it lies.
cd "$WORK" && git init -q outer && mkdir outer/third_party && cp -r mcore outer/third_party/mlm && cd outer/third_party/mlm
rm -rf .git .gate gate.toml
sed -i "s|$WORK/mcore|$PWD|" tests/test_utils/recipes/*.yaml
expect_exit 0 gate init
expect_exit 0 gate run bert/bert_3 gpt/gpt3_mcore_tp2_1
