# Trees that teams already have need no moving.
. "$(dirname "$0")/_lib"

mkdir -p repo/tests/st/{shell_scripts,baseline_results} && cd repo && git init -q .
cat >tests/st/gate.toml <<'EOF'
[suite]
cases = "shell_scripts/*.sh"
baselines = "baseline_results/{case}.json"
EOF
losses=(2.500000E+00 2.400000E+00 2.300000E+00)
megatron_log --throughput 100.0,110.0,120.0 --memory 0:100.5:200.5 "${losses[@]}" >tests/st/run.log
cat >tests/st/shell_scripts/llama2_tp2.sh <<'EOF'
test "$(basename "$PWD")" = repo || exit 9   # scripts start in the git top level
cat tests/st/run.log
EOF
cat >tests/st/baseline_results/llama2_tp2.json <<'EOF'
{
  "lm loss": [2.5, 2.4, 2.3],
  "throughput": [100.0, 110.0, 120.0],
  "memo info": [{"rank": 0, "allocated memory": 100.5, "max allocated memory": 200.5}]
}
EOF
cd tests/st
expect_exit 0 gate run
expect_last_line '^GREEN: 1 passed'
expect_json .gate/latest/result.json '[.cases[0].checks[].metric] == ["lm_loss", "throughput", "memory_allocated", "memory_max_allocated"]'
sed -i 's/2.300000E+00/2.311000E+00/' run.log
expect_exit 1 gate run
expect_out_match 'step 3'
expect_out assumed

# The same tree from the top, in three lines.
cd ../..
printf '[suite]\ncases = "tests/st/shell_scripts/*.sh"\nbaselines = "tests/st/baseline_results/{case}.json"\n' >gate.toml
rm tests/st/gate.toml
expect_exit 1 gate run llama2_tp2
expect_exit 1 gate run tests/st/shell_scripts/llama2_tp2.sh
cd tests/st/shell_scripts
expect_exit 1 gate run llama2_tp2.sh

# A script beside the cases that trains is told of; not what a case sources, what trains nothing, and what is meant.
cd "$WORK/repo"
flags='torchrun pretrain_gpt.py --tensor-model-parallel-size 8'
mkdir -p tests/st/{_lib,node_modules,deep} examples
for script in llama3_tp8 deep/llama4 _lib/a node_modules/a common; do echo "$flags" >"tests/st/$script.sh"; done
echo "$flags" >examples/a.sh && echo 'echo hello' >tests/st/hello.sh
echo '. tests/st/common.sh' >>tests/st/shell_scripts/llama2_tp2.sh
beside() { # SCRIPTS
  run gate baseline lint
  [[ $(sed -n 's/^n.a  *\(tests[^ ]*\)  general  trains, .*/\1/p' "$WORK/.last/out" | tr '\n' ' ') == "$1" ]] || broken "beside the cases is not \"$1\""
}
beside 'tests/st/deep/llama4.sh tests/st/llama3_tp8.sh '
expect_exit 0 gate init --dry-run
expect_out 'whether cases are missing: tests/st/deep/llama4.sh, tests/st/llama3_tp8.sh; each trains, by its flags'
sed -i 's#^cases = .*#cases = ["tests/st/shell_scripts/*.sh", "tests/st/deep/*.sh", "!tests/st/llama3*.sh"]#' gate.toml
beside ''

# A folder of scripts and baselines without any gate.toml, per platform.
suite plain
script a/b <<<'cat ../run.log || cat run.log'
cp "$WORK/repo/tests/st/run.log" run.log
sed -i 's#cat .*#cat run.log#' scripts/a/b.sh
mkdir -p baselines/ascend-910b3/a baselines/nvidia-h100/a
cp "$WORK/repo/tests/st/baseline_results/llama2_tp2.json" baselines/ascend-910b3/a/b.json
cp "$WORK/repo/tests/st/baseline_results/llama2_tp2.json" baselines/nvidia-h100/a/b.json
expect_exit 2 gate check run.log --case a/b
expect_err ascend-910b3
expect_err nvidia-h100
expect_exit 1 gate check run.log --case a/b --platform nvidia-h100
expect_exit 3 gate run
