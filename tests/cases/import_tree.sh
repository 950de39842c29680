# A tree of other tools' golden files becomes candidates, then baselines, in two commands.
. "$(dirname "$0")/_lib"

suite
for name in llama2 sub/qwen3 mixtral; do script "$name" <<<'cat run.log'; done
golden=$WORK/repo/tests/st/baseline_results
mkdir -p "$golden"/{sub,.old}
cat >"$golden/llama2.json" <<'EOF'
{"lm loss": [2.5, 2.4, 2.3], "throughput": [100.0, 110.0, 120.0], "lm loss margin": 0.02, "throughput margin": 0.1,
 "memo info": [{"rank": 0, "allocated memory": 100.5, "max allocated memory": 200.5}], "memo info margin": 0.08}
EOF
echo '{"lm loss": [3.5, 3.4, 3.3], "grad norm": [1, 2, 3], "time info": [9.0, 1.0, 1.1], "time info margin": 0.1, "grad norm margin": 0.2}' \
  >"$golden/sub/qwen3.json"
echo '{"loss": [1.5, 1.4, 1.3]}' >"$golden/retired.json"
echo '{"loss": [1.5]}' >"$golden/.old/llama2.json"
: >"$golden/empty.json"
: >"$golden/empty2.json"
echo '{"model": 3}' >"$golden/config.json"
echo notes >"$golden/README.md"

# --- what can be imported is, and the rest is said with its reason ---
expect_exit 3 gate baseline import --tree "$golden"
expect_out_match '^llama2 +general +1-3 \(assumed\) +lm_loss throughput memory_allocated memory_max_allocated +llama2.json'
expect_out_match '^sub/qwen3 +general +1-3 \(assumed\)'
expect_out 'no script for 1 case: retired; imported all the same'
expect_out_match '^refused +2 files: is empty \(0 bytes\); fetch or write it again'
expect_out_match '^ +empty2.json$'
expect_out_match '^refused +1 file: .*no baseline: neither "schema" nor what'
expect_out 'no step numbers in the file, taken as steps 1-3'
expect_out_match '^accept +gate baseline accept --reason "\.\.\."$'
expect_last_line '^imported 3 files \(steps assumed in 3\), refused 3$'
refute_out README
refute_out .old
refute_file baselines/llama2.json
expect_json .gate/candidates/llama2.json '(.accepted | length) == 0 and .runs[0].series[0].values == ["2.5", "2.4", "2.3"]'
expect_json .gate/candidates/sub/qwen3.json '.case == "sub/qwen3" and .provenance.run == "sub/qwen3.json"'
expect_file .gate/candidates/retired.json

# --- margins are lines of gate.toml, beside what it has already ---
printf '[suite]\nname = "x"\n[case."llama2"]\ndevices = 0\n' >gate.toml
sed -n '/^\[case\./,/^$/p' "$WORK/.last/out" >>gate.toml
expect_exit 0 gate list --explain llama2
expect_out_match 'rules.lm_loss.tolerance +±2%  '
expect_out_match 'rules.throughput.tolerance +-10%  '
expect_out_match 'rules.memory_max_allocated.tolerance +\+8%  '
expect_exit 0 gate list --explain sub/qwen3
expect_out_match 'rules.iteration_time.tolerance +\+10%  '
expect_out_match 'rules.grad_norm.tolerance +±20%  '
rm gate.toml

# --- the same for a program ---
rm "$golden"/{empty,empty2}.json
run gate baseline import --tree "$golden" --json
((code == 3)) || broken "exit code $code"
expect_json "$WORK/.last/out" '[.imported[].case] == ["llama2", "retired", "sub/qwen3"] and .imported[1].script == false'
expect_json "$WORK/.last/out" '.refused[0].file == "config.json" and (.refused[0].reason | contains("no baseline")) and (.gate_toml | contains("±2%"))'

# --- candidates of cases with and without a script can be looked at and accepted ---
expect_exit 3 gate baseline diff
expect_out retired
expect_exit 0 gate baseline accept retired --reason "kept"
expect_file baselines/retired.json
expect_exit 2 gate baseline accept retird --reason "a slip"
expect_exit 0 gate baseline accept --reason "from the golden files"
expect_json baselines/sub/qwen3.json '.accepted[0].from == "sub/qwen3.json"'
refute_file .gate/candidates/llama2.json

# --- and are written as their tools' own files again ---
same_again() { # FILE CASE FORMAT
  expect_exit 0 gate baseline list "$2" --format "$3"
  cmp <(jq 'del(.[keys[] | select(endswith("margin"))])' "$golden/$1") <(jq . "$WORK/.last/out") || broken "$2 is another file"
}
same_again llama2.json llama2 modellink
same_again sub/qwen3.json sub/qwen3 mindspeed-llm
same_again retired.json retired mindspeed-mm
expect_exit 2 gate baseline list --format modellink
expect_err 'baseline list --format modellink: is of one baseline; name its case'

# --- steps that the user knows are assumed no longer; --case chooses ---
rm "$golden/config.json"
expect_exit 0 gate baseline import --tree "$golden" --steps 2-4 --case 'sub/*'
expect_out_match '^sub/qwen3 +general +2-4 '
expect_last_line '^imported 1 file \(steps assumed in 0\), refused 0$'
expect_json .gate/candidates/sub/qwen3.json '.runs[0].series[0].numbers == "2-4" and .runs[0].series[0].assumed == null'
expect_exit 3 gate baseline import --tree "$golden" --steps 2-15
expect_out 'steps 2-15 are 14 steps, and the list of lm_loss holds 3 values'
expect_exit 3 gate baseline import "$golden/llama2.json" --case llama2 --steps 2-15
expect_err 'steps 2-15 are 14 steps, and the list of lm_loss holds 3 values'
expect_exit 0 gate baseline import "$golden/llama2.json" --case llama2 --steps 1-2,4
expect_json .gate/candidates/llama2.json '.runs[0].series[0].numbers == "1, 2, 4" or .runs[0].series[0].numbers == "1-2, 4"'
megatron_log 1 2 3 >run.log
expect_exit 3 gate baseline import run.log --case llama2 --steps 2-4
expect_err 'a log prints its own step numbers'

# --- a platform for those that name none; in one step; two platforms of a case wait side by side ---
rm -r .gate baselines/*
expect_exit 0 gate baseline import --tree "$golden" --platform ascend-910b3 --accept --reason "as measured"
expect_last_line '^accepted 3 candidates$'
expect_json baselines/ascend-910b3/sub/qwen3.json '.platform == "ascend-910b3" and .accepted[0].reason == "as measured"'
expect_exit 0 gate baseline import "$golden/llama2.json" --case llama2 --platform nvidia-h100
expect_exit 0 gate baseline import "$golden/llama2.json" --case llama2 --platform nvidia-a100
expect_file .gate/candidates/nvidia-h100/llama2.json
expect_exit 0 gate baseline import "$golden/llama2.json" --case llama2 --accept --reason "the general one first"
expect_exit 3 gate baseline accept llama2 --reason "which of them?"
expect_err 'would both become its general baseline; --to platform gives each its own'
refute_file baselines/nvidia-h100/llama2.json
expect_exit 0 gate baseline accept llama2 --to platform --reason "both"
expect_file baselines/nvidia-h100/llama2.json
expect_file baselines/nvidia-a100/llama2.json

# --- names of Megatron-LM's files are places; who comes second is refused ---
tree=$WORK/mcore/tests/functional_tests/test_cases/gpt
mkdir -p "$tree"/{tp2,tp4}
for name in dev lts dev_dgx_h100 dev_dgxh100 dev_dgx_h100_2nd lts_dgx_a100 dev_tpu; do echo '{"loss": [1.5]}' >"$tree/tp2/golden_values_$name.json"; done
echo '{"loss": [1.5]}' >"$tree/tp4/golden_values_lts.json"
expect_exit 3 gate baseline import --tree "$WORK/mcore"
expect_out_match '^gpt/tp2 +nvidia-h100@dev '
expect_out_match '^left out 1 file of second runs \(_2nd\): .*: tests/.*/tp2/golden_values_dev_dgx_h100_2nd.json$'
refute_out 'gpt/tp2.2nd'
expect_out_match '^gpt/tp2 +nvidia-a100@lts '
expect_out_match '^gpt/tp2 +@dev .* tests/.*golden_values_dev.json'
expect_out_match '^gpt/tp4 +@lts .* tests/.*golden_values_lts.json'
expect_out 'case gpt/tp2, nvidia-h100@dev, has been imported from tests/functional_tests/test_cases/gpt/tp2/golden_values_dev_dgx_h100.json; two files are for one place'
expect_out_match '^note +of environment dev \(2 files\), lts \(3 files\): a run has them by --environment dev'
expect_out 'golden_values_dev_tpu: golden values are called'
expect_out_match '^accept +gate baseline accept --to platform '
expect_last_line '^imported 5 files \(steps assumed in 5\), refused 2$'

# Whose chip nobody knows gates accuracy alone, under any profile; a chip's own file gates its speed.
home=$PWD chips=$WORK/chips/tests/functional_tests/test_cases/gpt
mkdir -p "$chips"/{any,h100} && cd "$WORK/chips" && mkdir scripts
for name in any/golden_values_dev h100/golden_values_dev_dgx_h100; do
  python3 -c 'import json, sys
series = lambda of: {"start_step": 1, "values": {str(step): of(step) for step in range(1, 41)}}
json.dump({"lm loss": series(lambda step: 11 - step / 8), "iteration-time": series(lambda step: 0.5)}, sys.stdout)' >"$chips/$name.json"
done
for name in any h100; do echo true >"scripts/$name.sh"; done
printf '[suite]\ncases = "scripts/*.sh"\nenvironment = "dev"\n' >gate.toml
for step in {1..40}; do
  printf ' iteration %8d/      40 | consumed samples: %d | elapsed time per iteration (ms): 900.0 | lm loss: %s |\n' "$step" "$step" "$(bc -l <<<"11 - $step / 8")"
done >slow.log
for name in any h100; do mkdir -p "tree/$name" && cp "$chips/$name"/golden_* "tree/$name"; done
expect_exit 0 gate baseline import --tree tree --accept --reason "as they were"
for profile in gate 'megatron lm_loss iteration_time'; do
  expect_exit 1 gate check slow.log --case h100 --platform nvidia-h100 --profile "$profile"
  expect_exit 0 gate check slow.log --case any --platform nvidia-h100 --profile "$profile"
  expect_out 'iteration_time: the baseline is of unknown, this run of nvidia-h100'
done
cd "$home"

# --- texts of losses, and files of FlagScale without a suffix ---
other=$WORK/texts
mkdir -p "$other"/{tests/assets/losses/a10g,train/gold_values,infer/results_gold}
printf '# config: debug\n# ngpu: 8\n# step loss grad_norm\n1 8.25 3.5\n2 6.5 4.5\n' >"$other/tests/assets/losses/a10g/llama3.txt"
printf '1 8.25\n2 6.5 4.5\n' >"$other/tests/assets/losses/torn.txt"
printf 'torch==2.1\n' >"$other/requirements.txt"
echo '{"lm loss:": {"values": [2.5, 2.4]}}' >"$other/train/gold_values/tp2"
printf '*****\noutput.prompt=1\n' >"$other/infer/results_gold/tp4"
cp "$other/infer/results_gold/tp4" "$other/notes"
expect_exit 3 gate baseline import --tree "$other"
expect_out_match '^a10g/llama3 +general +1, 2 +lm_loss grad_norm +tests/assets/losses/a10g/llama3.txt$'
expect_out_match '^train/gold_values/tp2 +general +1, 2 \(assumed\) +lm_loss +train/gold_values/tp2$'
expect_out 'holds lines that are no step and a number for each column'
expect_out 'holds texts that were generated, no series'
refute_out requirements
refute_out notes
expect_last_line '^imported 2 files \(steps assumed in 1\), refused 2$'

# --- words that do not fit ---
expect_exit 2 gate baseline import --tree nowhere
expect_err 'nowhere: cannot list the folder'
expect_exit 3 gate baseline import --tree scripts
expect_exit 2 gate baseline import
expect_exit 2 gate baseline import run.log
expect_exit 2 gate baseline import run.log --tree "$golden"
expect_exit 2 gate baseline import --tree "$golden" --accept
expect_exit 2 gate baseline import --tree "$golden" --steps 4-2
expect_exit 3 gate baseline import --tree "$golden" --platform h100
expect_out 'platform "h100" is none of cpu'
