# MFU and tokens a second and device, by formulas that gate has: beside figures that were computed by hand.
. "$(dirname "$0")/_lib"

suite
cat >gate.toml <<'TOML'
[suite]
strict = false
[peaks.ascend-910b3]
bf16 = 354e12
[peaks.nvidia-a100]
bf16 = 312e12
[metrics.mfu]
formula = "megatron"
[metrics.tokens_per_second_per_device]
formula = "megatron"
[metrics.mfu_6n]
formula = '100 * tokens_per_second_per_device * flops_per_token("6N") / peak("auto")'
[rules.mfu]
tolerance = ">= 0.001"
reduce = "mean"
[rules.mfu_6n]
tolerance = ">= 0.001"
reduce = "mean"
[rules.tokens_per_second_per_device]
tolerance = ">= 0.001"
reduce = "mean"
[case.llama2]
model.parameters = 6.738e9
[case.mixtral]
model.vocab_size = 32000
model.parameters = 12.9e9
TOML
script llama2 <<'SH'
#GATE devices=8
TP=8
GPT_ARGS=(
  --tensor-model-parallel-size $TP
  --num-layers 32 --hidden-size 4096 --ffn-hidden-size 11008 --num-attention-heads 32
  --seq-length 4096 --swiglu --bf16 --padded-vocab-size 32000
)
torchrun pretrain_gpt.py ${GPT_ARGS[@]}
SH
script gpt3 <<'SH'
#GATE devices=128x8
SEQ_LENGTH=2048
torchrun pretrain_gpt.py --num-layers 96 --hidden-size 12288 --num-attention-heads 96 --seq-length $SEQ_LENGTH \
  --vocab-size 51200 --tensor-model-parallel-size 8 --bf16
SH
script mixtral <<'SH'
#GATE devices=8x8
torchrun pretrain_gpt.py --num-layers 32 --hidden-size 4096 --ffn-hidden-size 14336 --num-attention-heads 32 \
  --group-query-attention --num-query-groups 8 --num-experts 8 --moe-router-topk 2 --swiglu --seq-length 4096 --bf16
SH
log() { # BATCH MILLISECONDS
  local step
  for step in 1 2 3; do
    printf ' iteration %8d/ 3 | consumed samples: %d | elapsed time per iteration (ms): %s | learning rate: 1.0E-05 | global batch size: %d | lm loss: 2.5E+00 |\n' \
      "$step" $((step * $1)) "$2" "$1"
  done
}

# By hand, for each token 12 l h^2 (1 + g/a + s/h + t m f/h + V / (2 l h)):
#   llama2   12*32*4096^2   * (1 + 1   + 1    + 1.5*2.6875 + 32000/262144)   = 46084915200 FLOP, 32*4096/3.50685/8 tokens
#   gpt3     12*96*12288^2  * (1 + 1   + 1/6  + 4          + 51200/2359296)  = 1076442955776,    1536*2048/102/1024
#   mixtral  12*32*4096^2   * (1 + 1/4 + 1    + 3*3.5      + 32000/262144)   = 82927681536,      256*4096/5/64
judged() { # CASE PLATFORM METRIC EXPECTED
  gate check "$1.log" --case "$1" --platform "$2" --json >"$WORK/judged.json" || true
  [[ $(jq --arg metric "$3" --argjson by_hand "$4" \
    '.cases[0].checks[] | select(.metric == $metric) | (.actual | tonumber) | (. / $by_hand - 1) | fabs < 0.001' "$WORK/judged.json") == true ]] ||
    broken "$1 $3 is not $4: $(jq -c --arg metric "$3" '.cases[0] | (.checks[] | select(.metric == $metric) | .actual), .ungated' "$WORK/judged.json")"
}
log 32 3506.85 >llama2.log
log 1536 102000.0 >gpt3.log
log 256 5000.0 >mixtral.log
judged llama2 ascend-910b3 tokens_per_second_per_device 4671.999
judged llama2 ascend-910b3 mfu 60.8217
judged llama2 ascend-910b3 mfu_6n 53.3558
judged gpt3 nvidia-a100 tokens_per_second_per_device 30.1176
judged gpt3 nvidia-a100 mfu 10.3910
judged mixtral nvidia-h100 tokens_per_second_per_device 3276.8
judged mixtral nvidia-h100 mfu 27.4760 # 989e12 is published

# Which formula it was is said.
expect_exit 0 gate check llama2.log --case llama2 --platform ascend-910b3 --json
expect_json "$WORK/.last/out" '.cases[0].checks | any(.metric == "mfu" and (.formula | endswith("flops_per_token(\"megatron\") / peak(\"auto\")")))'
expect_exit 0 gate list --explain llama2
expect_out_match '^peaks.ascend-910b3.bf16 +354000000000000 +gate.toml:4:'

# What is not told leaves the metric underived, and says why.
ungated() { # SETTING WHY
  run gate check llama2.log --case llama2 --platform "${3:-ascend-910b3}" $1 -v
  expect_out "$2"
}
sed -i 's/--padded-vocab-size 32000//' scripts/llama2.sh
ungated '' 'no flops_per_token("megatron"): the script does not tell --padded-vocab-size; say model.vocab_size'
ungated '--set model.vocab_size=32000' 'mfu' # and that does
judged gpt3 nvidia-a100 mfu 10.3910
sed -i 's/--swiglu/--swiglu --padded-vocab-size 32000 --multi-latent-attention/' scripts/llama2.sh
ungated '' 'the estimate of Megatron-LM does not know --multi-latent-attention'
sed -i 's/--multi-latent-attention/$EXTRA_ARGS/' scripts/llama2.sh
ungated '' 'the script does not tell all flags: $EXTRA_ARGS'
ungated '--lang zh' '脚本没有写明全部参数：$EXTRA_ARGS'
sed -i 's/$EXTRA_ARGS//; s/--bf16/--bf16 --fp16/' scripts/llama2.sh
ungated '' 'the script does not tell its precision'
ungated '--set model.precision=FP8' 'no peak fp8 of ascend-910b3 in [peaks]'
sed -i 's/--fp16//' scripts/llama2.sh
ungated '' 'no peak bf16 of ascend-910b2 in [peaks]' ascend-910b2
sed '/^\[rules.mfu\]/,/^reduce/d' gate.toml >unruled.toml
expect_exit 0 gate --config unruled.toml check llama2.log --case llama2 --platform ascend-910b2 -v
expect_out_match '^ +note +mfu has no value: no peak bf16 of ascend-910b2 in \[peaks\]$'
sed -i '/^model.parameters/d' gate.toml
ungated '' 'the case does not say how many parameters the model has; say model.parameters'

# What the log tells otherwise, nobody knows.
told_by_log() { # SEQ_LENGTH WORLD_SIZE
  { echo "  seq_length ...................................... $1"
    echo "using world size: $2, data-parallel size: $2, tensor-model-parallel size: 1, pipeline-model-parallel size: 1"
    log 32 5000; } >told.log
}
told_by_log 4096 8
expect_exit 0 gate check told.log --case llama2 --platform ascend-910b3
told_by_log 2048 8
expect_exit 3 gate check told.log --case llama2 --platform ascend-910b3
expect_out 'mfu, mfu_6n, tokens_per_second_per_device: its log says sequence length 2048, and its script 4096'
told_by_log 4096 16
expect_exit 3 gate check told.log --case llama2 --platform ascend-910b3
expect_out 'mfu, tokens_per_second_per_device: its log says world size 16, and the case has devices = 8'

# Mistakes in gate.toml.
wrong() { # TOML WORDS
  printf '%b' "$1" >wrong.toml
  expect_exit 2 gate --config wrong.toml list
  expect_err "$2"
}
wrong "[metrics.mfu]\nformula = 'flops_per_token(\"7N\") * iteration_time'\n" 'unknown estimate "7N" at character 1; known: megatron, 6N'
wrong "[metrics.mfu]\nformula = 'iteration_time / peak(\"bf61\")'\n" 'unknown peak "bf61" at character 18; did you mean "bf16"?'
wrong "[metrics.mfu]\nformula = 'flops_per_token * iteration_time'\n" 'unknown metric "flops_per_token"'
wrong '[case.x]\nmodel.layers = 3\n' 'unknown key "layers"; did you mean "num_layers"?'
wrong '[case.x]\nmodel.parameters = 0\n' 'is no number of parameters'
wrong '[defaults]\nmodel = "big"\n' 'is no table of what is trained'
