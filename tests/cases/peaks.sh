# Formulas with numbers that the case tells: peak("fp16") of [peaks] on its platform, and seq_length of its script.
. "$(dirname "$0")/_lib"
. "$(dirname "$0")/_host"

suite
cat >gate.toml <<'TOML'
[peaks.any]
int8 = 1e12
[peaks."nvidia-*"]
fp16 = 100e12
[peaks.nvidia-a100]
fp16 = "312 TFLOP/s"
[peaks."ascend-910b*"]
fp16 = 400e12
[rules]
throughput = false
iteration_time = false
[metrics.mfu]
formula = '100 * throughput * 1e12 / peak("fp16")'
better = "higher"
[metrics.mfu_share]
formula = 'mfu / 100'
[metrics.tokens_per_second]
formula = 'global_batch_size * seq_length / iteration_time * 1000'
[rules.mfu]
tolerance = ">= 40"
TOML
printf '#GATE devices=1\ncat %s\n# torchrun train.py --seq-length 4096\n' "$PWD/a.log" | script a
megatron_log --throughput 156.0 --time 500.0 2.50 2.40 2.30 >a.log
mv gate.toml later.toml
expect_exit 0 gate baseline import a.log --case a --accept --reason first
mv later.toml gate.toml

# One log is 50 % of an A100, and 156 % of what any other NVIDIA device has.
expect_exit 0 gate check a.log --case a --platform nvidia-a100 --json
expect_json "$WORK/.last/out" '.cases[0].checks | map(select(.metric == "mfu"))[0] | .status == "pass" and .largest.actual == 50'
expect_exit 0 gate check a.log --case a --platform nvidia-h100 --json
expect_json "$WORK/.last/out" '.cases[0].checks | map(select(.metric == "mfu"))[0].largest.actual == 156'
expect_out 'mfu 156.0 % is above 100 %: correct the peak in [peaks], or the formula'
expect_exit 1 gate check a.log --case a --platform ascend-910b3
expect_out 'at step 1 throughput 156.0, peak("fp16") 400000000000000'

# So does a run: the platform is that of its devices.
(
  npu_host 2
  expect_exit 1 gate run --out npu
  expect_json npu/result.json '.cases[0] | .platform == "ascend-910b3" and
    (.checks | map(select(.metric == "mfu"))[0] | .status == "fail" and .first_miss.actual == 39)'
)

# A platform without that peak: not derived, and said; red only where it is required.
expect_exit 0 gate check a.log --case a --platform cpu
expect_out 'mfu: no peak fp16 of cpu in [peaks]'
sed 's/^\[rules.mfu\]/[rules.mfu_share]\ntolerance = ">= 0.4"\n&/' gate.toml >percent.toml
expect_exit 0 gate check a.log --case a --platform cpu --config percent.toml
expect_out 'mfu_share: it is derived from mfu: no peak fp16 of cpu in [peaks]'
expect_exit 0 gate check a.log --case a
expect_out 'mfu: no peak fp16 of a platform that is not known: --platform'
expect_exit 3 gate check a.log --case a --platform cpu --set rules.mfu.required=true
expect_out 'mfu is ungated: no peak fp16 of cpu in [peaks] (required)'

# What counts is shown, and only where a formula names it.
expect_exit 0 gate list --explain a
expect_out_match '^peaks.nvidia-a100.fp16 +312 TFLOP/s +gate.toml:6:8$'
refute_out int8

# Mistakes stand at their places.
expect_exit 2 gate list --set 'metrics.mfu.formula=throughput / peak("half")'
expect_err '--set metrics.mfu.formula: formula "throughput / peak("half")": unknown peak "half" at character 14; known: auto, fp16, int8, bf16, tf32, fp32'
expect_exit 2 gate list --set 'metrics.mfu.formula=throughput / peak("fp_16")'
expect_err 'unknown peak "fp_16" at character 14; did you mean "fp16"?'
cat >wrong.toml <<'TOML'
[peaks]
fp16 = 312e12
[peaks.a]
"fp 16" = 1
bf16 = -1
fp8 = nan
TOML
expect_exit 2 gate list --config wrong.toml
expect_err 'wrong.toml:2:1: [peaks] holds tables named by platforms or globs of them, such as [peaks.nvidia-a100]'
expect_err 'wrong.toml:4:1: "fp 16" is no type of number; write letters, digits and _, as in fp16'
expect_err 'wrong.toml:5:8: -1 is no number above 0'
expect_err 'wrong.toml:6:7: nan is no number'

# Other peaks are other settings: shards of a run with these are no shards of one with those.
for fp16 in 400e12 401e12; do
  sed "s/400e12/$fp16/" gate.toml >shard.toml
  run gate run --config shard.toml --out "$fp16"
done
settings() { jq -r .settings "$1/result.json"; }
[[ $(settings 400e12) =~ ^[0-9a-f]{64}$ && $(settings 400e12) != "$(settings 401e12)" ]] || broken "the same settings"

# The policy of a ref judges by the ref's peaks, and says what the tree would change.
git init -q -b main .
printf '/.gate/\n/npu/\n/40?e12/\n*.json\n!/baselines/*.json\n' >.gitignore
git add -A && git commit -qm first
sed -i 's|312 TFLOP|900 TFLOP|' gate.toml
expect_exit 1 gate check a.log --case a --platform nvidia-a100
expect_exit 0 gate check a.log --case a --platform nvidia-a100 --policy-from main
expect_out_match 'peaks.nvidia-a100.fp16.*312 TFLOP.*900 TFLOP'
git checkout -q gate.toml

# The sequence length is the script's. A comment tells nothing.
tokens='rules.tokens_per_second.tolerance=>= 1'
expect_exit 0 gate check a.log --case a --platform nvidia-a100 --set "$tokens"
expect_out 'tokens_per_second: the script does not tell its sequence length: --seq-length'
tokens_of() { # SCRIPT-TEXT...: what a case of this script has at its first step
  printf '%s\n' '#GATE devices=1' "$@" | script a
  expect_exit 0 gate check a.log --case a --platform nvidia-a100 --set "$tokens" --json
  jq -r '.cases[0] | ([.checks[], .ungated[]] | map(select(.metric == "tokens_per_second"))[0]) |
    .actual // .reason' "$WORK/.last/out"
}
same() { [[ $1 == "$2" ]] || broken "$1, not $2"; }
same "$(tokens_of 'SEQ=4096' 'train --seq-length $SEQ')" 131072
same "$(tokens_of 'train --max_seq_len=2048')" 65536
same "$(tokens_of 'train --seq-length $SEQ')" 'the script does not tell its sequence length: --seq-length $SEQ'
same "$(tokens_of 'a --seq-length 2048' 'b --seq-len 4096')" \
  'the script does not tell its sequence length: --seq-length 2048, --seq-len 4096'
same "$(tokens_of '#GATE env=SEQ=8192' 'train --seq-length ${SEQ:-4096}')" 262144

# The words that a script is launched with count beside it: of two numbers none is told.
printf '#GATE devices=0\necho --seq-length ${SEQ:-4096} "$@"\ncat %s\n' "$PWD/a.log" | script a
expect_exit 0 gate run a --set "$tokens" --set rules.mfu=false -- --seq-length 1024
expect_out 'tokens_per_second: the script does not tell its sequence length: --seq-length ${SEQ:-4096}, --seq-length 1024'

# Each variant has its own.
rm scripts/a.sh baselines/a.json
printf '#GATE devices=1\nSEQ_LENGTH=${SEQ_LENGTH:-512}\nARGS=(--seq-length $SEQ_LENGTH)\ncat %s\n' "$PWD/a.log" | script m
cat >>gate.toml <<'TOML'
[rules.tokens_per_second]
tolerance = ">= 100000"
window = "all"
reduce = "each"
[matrix.m]
SEQ_LENGTH = [1024, 4096]
mutable = ["SEQ_LENGTH"]
TOML
(
  npu_host 2
  expect_exit 1 gate run --out variants --set rules.mfu=false
  expect_json variants/result.json '[.cases[] | .case, (.checks[] | select(.metric == "tokens_per_second") | .status, .actual)] ==
    ["m@SEQ_LENGTH=1024", "fail", 32768, "m@SEQ_LENGTH=4096", "pass", 131072]'
  expect_out 'seq_length 1024'
)
run gate list --explain m@SEQ_LENGTH=4096
expect_out_match '^seq_length +--seq-length \$SEQ_LENGTH +scripts/m.sh$'

# The baseline's tokens are counted by the sequence length that its script had: of another script it is not known.
suite lengths
megatron_log 2.500000E+00 2.400000E+00 2.300000E+00 >run.log
printf '#GATE devices=0\ncat %s\necho --seq-length 4096 "$@" >/dev/null\n' "$PWD/run.log" | script a
cat >gate.toml <<'TOML'
[suite]
platform = "cpu"
[metrics.tokens_per_second]
formula = "global_batch_size * seq_length / iteration_time * 1000"
[rules.tokens_per_second]
window = "all"
reduce = "mean"
tolerance = "-5%"
required = true
TOML
expect_exit 0 gate baseline record a
expect_exit 0 gate baseline accept a --reason first
expect_exit 0 gate run a
expect_out 'tokens_per_second'
sed -i 's/4096/2048/' scripts/a.sh
expect_exit 3 gate run a
expect_out 'tokens_per_second: the script or its arguments changed since the baseline was recorded'
expect_exit 0 gate run a --set 'rules.tokens_per_second.tolerance=>= 1'
sed -i 's/2048/4096/' scripts/a.sh
expect_exit 3 gate run a -- more
expect_exit 0 gate run a
