# A baseline without a script is a case as far as judging goes: check, show and selftest know it.
# timeout: 300
. "$(dirname "$0")/_lib"

# golden_values FACTOR: 50 steps, as Megatron-LM writes them. A log numbers memory by report, the file by step.
golden_values() {
  jq -n --argjson by "$1" --arg memory "${MEMORY:-}" '
    def series(f): {start_step: 1, end_step: 50, step_interval: 1,
      values: ([range(1; 51) | {key: tostring, value: f}] | from_entries)};
    {"lm loss": series((10.9 - 0.01 * .) * $by), "num-zeros": series(1000 + .), "iteration-time": series(1.25)} +
    if $memory == "" then {} else {"mem-allocated-bytes": series(1048576000), "mem-max-allocated-bytes": series(2097152000)} end'
}
tree=$WORK/tree/tests/functional_tests/test_cases/gpt
for name in gpt3_tp1 gpt3_tp2 t5_tp1; do
  mkdir -p "$tree/$name"
  for platform in dgx_h100 dgx_a100; do golden_values 1 >"$tree/$name/golden_values_dev_$platform.json"; done
done
rm "$tree/t5_tp1/golden_values_dev_dgx_a100.json"
suite
printf '[suite]\nenvironment = "dev"\n' >gate.toml
expect_exit 0 gate baseline import --tree "$WORK/tree" --accept --reason "from the golden files"

golden_values 1 >same.json
golden_values 1.001 >other.json
expect_exit 0 gate check same.json --case gpt/gpt3_tp1 --platform nvidia-h100
expect_exit 1 gate check other.json --case gpt/gpt3_tp1 --platform nvidia-h100
expect_out 'lm_loss'
expect_exit 0 gate check other.json --case gpt/gpt3_tp1 --platform nvidia-h100 --profile 'megatron nondeterministic'
expect_exit 0 gate check same.json --case gpt/t5_tp1
expect_exit 0 gate check same.json --case '*/t5*'
expect_exit 2 gate check same.json --case gpt/gpt3_tp1
expect_err 'say which run this is with --platform'
expect_exit 2 gate check same.json --case gpt/gpt3_tp3 --platform nvidia-h100
expect_err 'did you mean "gpt/gpt3_tp1"?'
expect_exit 1 gate check same.json --case gpt/t5_tp1 --set 'rules.lm_loss.tolerance=<= 1'

expect_exit 0 gate baseline list gpt/t5_tp1
expect_out 'case gpt/t5_tp1, platform nvidia-h100'
expect_exit 0 gate baseline list gpt/gpt3_tp2 --platform nvidia-a100
expect_out_match '^lm_loss +step 1-50 '
expect_exit 0 gate baseline list gpt/gpt3_tp2
for platform in nvidia-a100 nvidia-h100; do expect_out "platform $platform, environment dev"; done
expect_out 'note  no script'

# Cases are counted as cases.
expect_exit 0 gate selftest
expect_out_match '^gpt/t5_tp1 \(no script\) +nvidia-h100@dev +[1-9]'
expect_last_line '^GREEN: no survivor of [0-9]+ mutations of 3 cases on 2 platforms, [0-9]+ n/a, no script for 3 cases on 2 platforms \(exit 0\)$'
expect_exit 0 gate selftest 'gpt/gpt3_tp1'
expect_last_line ' mutations of 1 case on 2 platforms, '
expect_exit 0 gate selftest '*/gpt3*' --platform nvidia-a100
expect_last_line ' mutations of 2 cases, '
expect_exit 0 gate selftest gpt/t5_tp1 --json
cp "$WORK/.last/out" selftest.json
expect_json selftest.json '.cases[0].case == "gpt/t5_tp1" and .cases[0].script == false and (.cases[0].results | length) > 0'
expect_exit 2 gate selftest gpt/t5_tp2
expect_exit 1 gate selftest --profile megatron
expect_last_line ' mutations of 3 cases on 2 platforms under profile megatron, '
expect_exit 2 gate selftest --tag tp

# A script makes it a case like others; a memory that the file numbers by step guards no log, which numbers it by report.
script gpt/t5_tp1 <<<'true'
expect_exit 0 gate selftest
expect_out_match '^gpt/t5_tp1 +nvidia-h100@dev '
expect_last_line ', no script for 2 cases on 2 platforms \(exit 0\)$'
MEMORY=yes golden_values 1 >baselines/nvidia-h100@dev/gpt/t5_tp1.json
expect_exit 0 gate list --coverage
expect_out_match '^gpt/t5_tp1 +scripts/gpt/t5_tp1.sh +Y +Y +-$'
expect_exit 0 gate list --coverage --set 'rules.memory_allocated.tolerance=<= 5000'
expect_out_match '^gpt/t5_tp1 +scripts/gpt/t5_tp1.sh +Y +Y +Y$'

# Two golden files say each note once, and whose it is where they say different things.
echo '{"lm loss": [2.51, 2.42, 2.33], "memo info": [], "only here": 1}' >here.json
echo '{"lm loss": [2.51, 2.42, 2.33], "memo info": [], "only there": 1}' >there.json
echo '{"lm loss": [2.51, 2.42, 2.33], "memo info": []}' >plain.json
expect_exit 0 gate check here.json --baseline there.json
expect_out_match 'here.json: .*only here'
refute_out 'there.json: '
[[ $(grep -c 'memo info: an empty list' "$WORK/.last/out") == 1 ]] || broken "a note of both files is not told once"
expect_exit 0 gate check here.json --baseline plain.json
expect_out 'only here'
refute_out 'here.json: key'

data=${GATE_REAL_DATA:-$SOURCE/../shared/data}
[[ -d $data/megatron ]] || skip "no golden files here (GATE_REAL_DATA names their folder)"
suite real
expect_exit 3 gate baseline import --tree "$data/megatron" --accept --reason "from the golden files"
expect_out_match ', refused 2$'
expect_exit 1 gate selftest 'gpt/*tp1_pp4*' --profile megatron -q
expect_last_line ' mutations of 8 cases under profile megatron, .*, no script for 8 cases '
