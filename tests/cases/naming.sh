# [suite] naming: gate baseline lint compares the names of cases with what their scripts' flags say.
. "$(dirname "$0")/_lib"

suite
# flags CASE FLAG...: a script of two variables and an array, as they are written for these trainings.
flags() {
  script "$1" <<SH
#!/bin/bash
# --context-parallel-size 16
TP=2
PP=\${PP:-4}
GPT_ARGS=(
  --tensor-model-parallel-size \${TP}
  ${*:2}
)
torchrun pretrain_gpt.py \${GPT_ARGS[@]}
SH
}
flags llama2_tp2_pp4_ptd --pipeline-model-parallel-size 4 --sequence-parallel
flags llama2_tp4_pp4_vpp2 --pipeline-model-parallel-size 4
flags llama2_tp2_pp4_env '--pipeline-model-parallel-size $PP'
flags llama2_pp1 --recompute-granularity full
megatron_log 2.50 2.40 2.30 2.20 >a.log
expect_exit 0 gate baseline import a.log --case llama2_tp2_pp4_ptd --accept --reason first
sed -i 's/llama2_tp2_pp4_ptd/llama2-TP2-pp4-ptd/' baselines/llama2_tp2_pp4_ptd.json
mv baselines/llama2_tp2_pp4_ptd.json baselines/llama2-TP2-pp4-ptd.json

# Nothing is said of names unless the suite has a rule for them, but of a baseline that is called a little otherwise.
run gate baseline lint -v
refute_out 'the name says'
refute_out name_hint
expect_out 'the name of case llama2_tp2_pp4_ptd is nearly the same: gate baseline mv llama2-TP2-pp4-ptd llama2_tp2_pp4_ptd'

printf '[suite]\nnaming = "{model}_{parallelism}"\n' >gate.toml
expect_exit 1 gate baseline lint -v
expect_out_match '^WEAK  llama2_tp4_pp4_vpp2  general  the name says tp4, the script --tensor-model-parallel-size \$\{TP\} = 2$'
expect_out_match '^WEAK  llama2_tp4_pp4_vpp2  general  the name says vpp2, and the script has no --num-virtual-stages-per-pipeline-rank$'
expect_out_match '^note  llama2_tp2_pp4_env  general  pp4 cannot be compared: the script.s text does not tell --pipeline-model-parallel-size \$PP$'
expect_out_match '^note  llama2_pp1  general  the script has tp2 \(--tensor-model-parallel-size \$\{TP\} = 2\), and the name does not tell it$'
! grep '^WEAK  llama2_tp2_pp4' "$WORK/.last/out" || broken 'a name that is right is weak'
refute_out cp16
expect_exit 1 gate baseline lint --json
cp "$WORK/.last/out" lint.json
expect_json lint.json '[.cases[].findings[] | select(.lint == "name")] | length == 2'

# A name that is right is well.
gate baseline lint llama2_tp4_pp4_vpp2 >/dev/null && broken 'a wrong name is well'
mv scripts/llama2_tp4_pp4_vpp2.sh scripts/llama2_tp2_pp4.sh
expect_exit 3 gate baseline lint llama2_tp2_pp4
refute_out name

# A name that is not of the form is a note, and weak under strict; a group has a form of its own.
mkdir own && cp scripts/llama2_tp2_pp4.sh own/small.sh && cp scripts/llama2_tp2_pp4.sh scripts/plain.sh
cat >gate.toml <<'TOML'
[suite]
naming = "{model}_{parallelism}"
cases = ["scripts/*.sh"]
[group.own]
cases = ["own/*.sh"]
naming = "own_{parallelism}"
TOML
expect_exit 3 gate baseline lint -v plain own/small
expect_out_match '^note  plain  general  the name is not of the form \{model\}_\{parallelism\}$'
expect_out_match '^note  own/small  general  the name is not of the form own_\{parallelism\}$'
sed -i "s,^naming,strict = true\nnaming," gate.toml
expect_exit 1 gate baseline lint -v plain own/small
expect_out_match '^WEAK  own/small  general  the name is not of the form own_\{parallelism\}$'

printf '[suite]\nnaming = "{model}"\n' >gate.toml
expect_exit 2 gate list
expect_err 'gate.toml:2:10: "{model}" lacks {parallelism}'
