# JSON lines whose names gate.toml tells.
. "$(dirname "$0")/_lib"

suite
script rl <<<'true'
cat >gate.toml <<'TOML'
[jsonl]
step = "opt.step"
[metrics.return]
key = "train.return"
scale = 100
[rules.return]
tolerance = "±1"
TOML

# log RETURN...: a line a step.
log() {
  local step=0 value
  for value; do
    step=$((step + 1))
    printf '{"opt": {"step": %d}, "loss": 2.5000, "train": {"return": %s}}\n' "$step" "$value"
  done
}
log 0.5 0.25 0.125 >good.jsonl
log 0.5 0.25 0.15 >bad.jsonl
sed 's/return/gain/' good.jsonl >lacking.jsonl

expect_exit 0 gate extract good.jsonl --format csv
expect_out_match '^return,,3,12.500,'
expect_exit 0 gate baseline import good.jsonl --case rl --accept --reason "first run"
expect_exit 0 gate check good.jsonl --case rl
expect_exit 1 gate check bad.jsonl --case rl
expect_out_match 'step 3'

# A key that the log never holds is missing, and not green.
expect_exit 4 gate check lacking.jsonl --case rl

printf '[jsonl]\nstp = "x"\n' >gate.toml
expect_exit 2 gate check good.jsonl --case rl
expect_err 'gate.toml:2:1: unknown key "stp"; did you mean "step"?'
