# gate list --coverage: what the cases of a tree in MindSpeed-LLM's shape use, what of it is guarded, and what is not.
. "$(dirname "$0")/_lib"

mkdir -p tree/tests/st/shell_scripts tree/tests/st/baseline_results && cd tree
cat >gate.toml <<'TOML'
[suite]
name = "guarded"
cases = ["tests/st/shell_scripts/*.sh"]
[group.ST]
cases = ["tests/st/shell_scripts/*.sh"]
[features."my fusion"]
flags = ["--use-my-fusion"]
[features."LoRA rank"]
kind = "size"
flags = ["--lora-r"]
group = "LoRA"
TOML
sed -i '/^cases = \["tests/{1,/x/b}' gate.toml
sed -i '3d' gate.toml

st() { cat >"tests/st/shell_scripts/$1.sh"; }
st llama2_tp2_pp4_vpp2 <<'SH'
#!/bin/bash
#GATE guards=/Pretrain/parallel devices=8
export CUDA_DEVICE_MAX_CONNECTIONS=1
source /usr/local/Ascend/ascend-toolkit/set_env.sh
GPUS_PER_NODE=8
TP=2
PP=4
DISTRIBUTED_ARGS="
    --nproc_per_node $GPUS_PER_NODE \
    --nnodes 1
"
GPT_ARGS="
    --tensor-model-parallel-size ${TP} \
    --pipeline-model-parallel-size ${PP} \
    --num-layers-per-virtual-pipeline-stage 1 \
    --recompute-granularity full \
    --enable-recompute-layers-per-pp-rank \
    --seq-length 4096
    # --use-mc2
"
torchrun $DISTRIBUTED_ARGS pretrain_gpt.py $GPT_ARGS --distributed-backend nccl
SH
st llama2_tp2_cp4_mem_recompute <<'SH'
#!/bin/bash
#GATE guards=/Pretrain/memory devices=8
export HCCL_DETERMINISTIC=True
DISTRIBUTED_ARGS=(
    --nproc_per_node 8
    --nnodes 1
)
ACCELERATE_ARGS=(
    --tensor-model-parallel-size 2   # two
    --pipeline-model-parallel-size 1
    --context-parallel-size 4
    --use-distributed-optimizer
    --reuse-fp32-param --use-mcore-models
)
TRAIN_ARGS=(--use-fused-rmsnorm --use-fused-swiglu --use-fused-rotary-pos-emb "--overlap-grad-reduce" '--overlap-param-gather')
UNUSED_ARGS=(--use-flash-attn)
MORE_ARGS="${TRAIN_ARGS[@]}"
torchrun ${DISTRIBUTED_ARGS[@]} pretrain_gpt.py \
    ${ACCELERATE_ARGS[@]} \
    ${MORE_ARGS} --use-my-fusion | tee log
echo done with --use-mc2
SH
st mixtral_ep <<'SH'
#GATE guards=/MoE devices=8
if [ "$BIG" = 1 ]; then
  MOE_ARGS="--moe-permutation-async-comm"
fi
python -m torch.distributed.launch pretrain_gpt.py --expert-model-parallel-size $EP $MOE_ARGS --lora-r 1 --sequence-parallel $EXTRA_ARGS
SH
st legacy_cp <<'SH'
#GATE devices=8 tags=cp,old
python pretrain_gpt.py --context-parallel-size 2 --tensor-model-parallel-size ${TP:-1}
SH

# The list of the tree's flags, made by hand.
expect_exit 0 gate list --coverage --json
cp "$WORK/.last/out" list.json
features_of() { jq -r --arg case "ST/$1" '.cases[] | select(.case == $case) | .features | join(", ")' list.json; }
untold_of() { jq -r --arg case "ST/$1" '.cases[] | select(.case == $case) | (.not_told | to_entries | map("\(.key): \(.value)") | sort | join("; ")) + " | " + .further' list.json; }
same() { [[ $2 == "$3" ]] || broken "$1: \"$2\" and not \"$3\""; }
same vpp "$(features_of llama2_tp2_pp4_vpp2)" 'TP, PP, VPP, recompute, recompute per PP rank'
same vpp "$(untold_of llama2_tp2_pp4_vpp2)" 'MC2: --use-mc2 | '
same cp "$(features_of llama2_tp2_cp4_mem_recompute)" 'TP, CP, distributed optimizer, reuse FP32 parameters, fused RMSNorm, fused SwiGLU, fused RoPE, overlap grad reduce, overlap param gather, deterministic communication, my fusion'
same cp "$(untold_of llama2_tp2_cp4_mem_recompute)" 'MC2: --use-mc2; flash attention: --use-flash-attn | '
same moe "$(features_of mixtral_ep)" 'SP'
same moe "$(untold_of mixtral_ep)" 'EP: --expert-model-parallel-size $EP; MoE permutation overlap: --moe-permutation-async-comm | $EXTRA_ARGS'
same legacy "$(features_of legacy_cp)" 'CP'
same legacy "$(untold_of legacy_cp)" 'TP: --tensor-model-parallel-size ${TP:-1} | '
# A case without a baseline guards nothing; below the table stands what nothing guards.
expect_exit 0 gate list --coverage
expect_out_match '^ST/legacy_cp +ST +cp, old +tests/st/shell_scripts/legacy_cp.sh +- +- +-$'
expect_out '  ST/mixtral_ep: SP; not told: EP (--expert-model-parallel-size $EP), MoE permutation overlap (--moe-permutation-async-comm), others ($EXTRA_ARGS)'
expect_out_match '^no script tells that it uses one of [0-9]+ features$'
expect_out '  ST/mixtral_ep may use any of them: $EXTRA_ARGS'
expect_out_match '^16 features used and guarded by no case$'
expect_out '  CP (--context-parallel-size): used by ST/legacy_cp, ST/llama2_tp2_cp4_mem_recompute'
expect_last_line '^4 cases, 0 guarding; 0 of 60 features guarded; 4 cases without a duration in the history$'
expect_exit 0 gate --lang zh list --coverage
expect_out '  ST/mixtral_ep：SP；没有写明：EP（--expert-model-parallel-size $EP），MoE permutation 重叠（--moe-permutation-async-comm），其他（$EXTRA_ARGS）'
expect_out_match '^  性能剖析：'
expect_out 'LoRA 秩（--lora-r）'

# With baselines three of them guard; what one case alone has is said, and a case that nobody would miss.
for name in llama2_tp2_pp4_vpp2 llama2_tp2_cp4_mem_recompute legacy_cp; do
  expect_exit 0 gate list "ST/$name" # it is a case
  mkdir -p tests/st/baseline_results/ST baselines/ST
  printf '{"lm loss": [2.51, 2.42, 2.33], "throughput": [100, 101, 99]}\n' >"baselines/ST/$name.json"
done
sed -i 's/{TP:-1}/{TP:-1} --tensor-model-parallel-size 2/' tests/st/shell_scripts/legacy_cp.sh
sed -i 's/ --tensor-model-parallel-size ${TP:-1}//' tests/st/shell_scripts/legacy_cp.sh
expect_exit 0 gate list --coverage
expect_out_match '^ST/legacy_cp .* Y +Y +-$'
expect_out '  VPP (--num-virtual-stages-per-pipeline-rank, --num-layers-per-virtual-pipeline-stage): ST/llama2_tp2_pp4_vpp2'
expect_out_match '^1 case whose every feature another case guards, too, and judges as much$'
expect_out '  ST/legacy_cp'
expect_last_line '^4 cases, 3 guarding; 15 of 60 features guarded'

# A script is changed so that a feature is no longer guarded, and another is guarded by nobody: it is said.
sed -i 's/--use-fused-swiglu//; s/--context-parallel-size 4/--context-parallel-size 1/' tests/st/shell_scripts/llama2_tp2_cp4_mem_recompute.sh
expect_exit 0 gate list --coverage
expect_out_match 'fused operators: .*fused SwiGLU \(--use-fused-swiglu\)'
expect_out '  CP (--context-parallel-size): ST/legacy_cp'
refute_out 'whose every feature'
expect_last_line '^4 cases, 3 guarding; 14 of 60 features guarded'

# A script may stand at several places.
sed -i 's,guards=/Pretrain/memory,guards=/Pretrain/memory\,/CP/memory,' tests/st/shell_scripts/llama2_tp2_cp4_mem_recompute.sh
expect_exit 0 gate list --coverage
expect_out_match '^ST/llama2_tp2_cp4_mem_recompute  *ST  *Pretrain, CP  *memory  '
expect_last_line '^4 cases, 3 guarding; '

# A quarantine gates nothing, and so guards nothing.
cat >>gate.toml <<TOML
[case."ST/legacy_cp".quarantine]
until = "$(date -d '+10 days' +%F)"
reason = "flaky"
owner = "zhang"
TOML
expect_exit 0 gate list --coverage
expect_out_match '^ST/legacy_cp .* \(Y\) +\(Y\) +- +quarantine until '
expect_exit 0 gate --lang zh list --coverage
expect_out_match '^ST/legacy_cp .* \(Y\) +\(Y\) +- +隔离至 '
expect_exit 0 gate list --coverage
expect_out '  CP (--context-parallel-size): used by ST/legacy_cp'

# Flags that only Mcore has in a script for the Legacy models, by its path, by its flag or by what the case says.
expect_exit 1 gate baseline lint ST/legacy_cp
expect_out 'WEAK  ST/legacy_cp'
expect_out '--context-parallel-size 2: the Legacy models have no CP'
expect_exit 1 gate baseline lint ST/legacy_cp --set model.implementation=Mcore
refute_out 'Legacy'
expect_exit 1 gate baseline lint ST/llama2_tp2_cp4_mem_recompute --set model.implementation=Legacy
expect_out '--overlap-param-gather: the Legacy models have no overlap param gather'

expect_exit 0 gate list --coverage ST/legacy_cp
expect_out "1 flag that the script's models do not have"
expect_out '  ST/legacy_cp: --context-parallel-size 2: the Legacy models have no CP'

# Markdown, and a page with a filter.
expect_exit 0 gate list --coverage --format markdown
expect_out_match '^\| ST/mixtral\\?_ep \| ST \| MoE .* \| SP \| EP '
expect_exit 0 gate list --coverage --report "$WORK/page.html"
expect_file "$WORK/page.html" '<input class="filter"'
for place in html=gate.toml html=scripts/page.sh json=.gate/history.db; do
  expect_exit 2 gate list --coverage --report "$place"
done
expect_exit 2 gate list --report page.html
expect_err 'list --report: it is of --coverage'

# What gate itself gives the script is told: a matrix, a variable, words of the command line.
cat >>gate.toml <<'TOML'
[matrix."ST/mixtral_ep"]
EP = [1, 4]
[case."ST/mixtral_ep*"]
env.EXTRA_ARGS = "--use-mc2"
TOML
expect_exit 0 gate list --coverage 'ST/mixtral_ep*'
expect_out '  ST/mixtral_ep@EP=1: SP, MC2; not told: MoE permutation overlap'
expect_out '  ST/mixtral_ep@EP=4: EP, SP, MC2; not told: MoE permutation overlap'

# The words of a model_config.yaml are handed to the training, whoever launches it.
mkdir -p megatron/cases/gpt && cd megatron
printf 'MODEL_ARGS:\n  --tensor-model-parallel-size: 2\n  --use-mc2: true\n' >cases/gpt/model_config.yaml
printf '[suite]\ncases = "cases/*/model_config.yaml"\nkind = "megatron"\nlaunch = "torchrun train.py {args}"\n' >gate.toml
expect_exit 0 gate list --coverage
expect_out_match '^  gpt: TP, MC2$'
cd ..

# A group without a word of its own is spelled as others spell it.
sed -i 's/guards=.MoE/guards=st\/MoE/; s/guards=.Pretrain.parallel/guards=st\/Pretrain/' tests/st/shell_scripts/*.sh
expect_exit 0 gate list --coverage 'ST/*'
expect_out_match '^ST/legacy_cp +st +cp, old '

# Mistakes in [features].
for line in 'flags = "use x"' 'kind = "big"' 'flag = ["--x"]' 'variable = "a b"'; do
  printf '[features."x"]\n%s\n' "$line" >bad.toml
  expect_exit 2 gate --config bad.toml list
  expect_err_match 'bad.toml:2:'
done
printf '[features."x"]\n' >bad.toml
expect_exit 2 gate --config bad.toml list
expect_err 'bad.toml:1:'

# A script that only converts checkpoints trains nothing, whatever its flags say.
suite convert
for further in '' 'python pretrain_gpt.py --tensor-model-parallel-size 4'; do
  script convert <<<"python tools/convert_ckpt.py --tensor-model-parallel-size 4"$'\n'"$further"
  expect_exit 0 gate list --coverage --json
  jq -e --arg further "$further" '.cases[0].features == if $further == "" then [] else ["TP"] end' "$WORK/.last/out" >/dev/null
done
