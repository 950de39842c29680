# A rule with two tolerances: which one holds the switches of the run say.
. "$(dirname "$0")/_lib"
. "$SOURCE/tests/cases/_python"

suite
python_env venv
waiting_trainer train.py
script train <<'END_OF_SCRIPT'
LOG=now.log exec venv/bin/python train.py $FLAGS
END_OF_SCRIPT
megatron_log 10.000 9.000 8.000 >now.log
has_torch venv 2.1.0
cat >gate.toml <<'TOML'
[suite]
cwd = "."
[rules]
throughput = false
iteration_time = false
[rules.lm_loss]
tolerance = { deterministic = "exact", otherwise = "±0.01" }
TOML
expect_exit 0 gate baseline record train
expect_exit 0 gate baseline accept train --reason first

# --- no switch: the loose one; a switch that is on: the strict one ---
megatron_log 10.000 9.005 8.000 >now.log
expect_exit 0 gate run
for on in 'HCCL_DETERMINISTIC=true' 'NVTE_ALLOW_NONDETERMINISTIC_ALGO=0' 'FLAGS=--deterministic-mode' 'FLAGS=--npu-deterministic'; do
  expect_exit 1 gate run --env "$on"
  expect_out_match "the tolerance of a run that is deterministic: (${on#FLAGS=})"
  expect_out 'not exact'
done
# --- off, or allowed not to be ---
for off in 'HCCL_DETERMINISTIC=false' 'NVTE_ALLOW_NONDETERMINISTIC_ALGO=1' 'NCCL_ALGO=Ring' 'CUBLAS_WORKSPACE_CONFIG=:4096:8'; do
  expect_exit 0 gate run --env "$off"
done
expect_exit 0 gate run --env HCCL_DETERMINISTIC=true --env NVTE_ALLOW_NONDETERMINISTIC_ALGO=1
megatron_log 10.000 9.050 8.000 >now.log
expect_exit 1 gate run
expect_out 'the tolerance of a run that is not deterministic: no switch says so'

# --- a plain one takes the place of both; each has its origin ---
expect_exit 0 gate run --env HCCL_DETERMINISTIC=true --set rules.lm_loss.tolerance=±0.1
expect_exit 1 gate run --env HCCL_DETERMINISTIC=true --set rules.lm_loss.tolerance.otherwise=±0.1
expect_exit 0 gate run --set rules.lm_loss.tolerance.otherwise=±0.1
run gate list --explain train
expect_out_match '^rules.lm_loss.tolerance.deterministic +exact +gate.toml:7:31'
expect_out_match '^rules.lm_loss.tolerance.otherwise +±0.01 '

# --- mistakes ---
wrong() { # TOLERANCE MESSAGE
  sed "s/^tolerance = .*/tolerance = $1/" gate.toml >wrong.toml
  expect_exit 2 gate --config wrong.toml list
  expect_err "$2"
}
wrong '{ deterministic = "exact" }' 'one is missing'
wrong '{ otherwise = "exact" }' 'one is missing'
wrong '{ deterministic = "exact", otherwise = ">= 1" }' 'the two tolerances are of one kind'
wrong '{ determinstic = "exact", otherwise = "±0.01" }' 'did you mean "deterministic"'
wrong '{ deterministic = "exakt", otherwise = "±0.01" }' 'exakt'

# --- what trains may be no Python, and be over before anybody looks: what its script sets counts ---
commit() { git add -A && git commit -qm "$1"; }
binary=trainer
printf '#!/bin/bash\ncat now.log\n' >$binary && chmod +x $binary
printf '/.gate/\n/venv/\n' >.gitignore
git init -q -b main .
script other <<<"./$binary --deterministic-mode"
megatron_log 10.000 9.000 8.000 >now.log
expect_exit 0 gate baseline record other
expect_exit 0 gate baseline accept other --reason first
commit first
megatron_log 10.000 9.005 8.000 >now.log
strict() {
  expect_exit 1 gate run other --policy-from main "$@"
  expect_out_match "the tolerance of a run that is deterministic: "
  refute_out 'loosened'
}
loosened() {
  expect_exit 0 gate run -v other --policy-from main "$@"
  expect_out_match '^ *loosened  rules.lm_loss.tolerance  exact -> ±0.01  in other  baseline --deterministic-mode$'
}
strict
while read -r line; do
  script other <<<"$line" && strict
done <<END
HCCL_DETERMINISTIC=true ./$binary
export NVTE_ALLOW_NONDETERMINISTIC_ALGO=0; ./$binary
ARGS="--lr 1 --npu-deterministic"; ./$binary \$ARGS
END
script other <<<"./$binary \"\$@\""
expect_exit 1 gate run other --policy-from main # nobody can tell
expect_out "the tolerance of the baseline's run, which was deterministic (--deterministic-mode): what trains was not read"
refute_out 'loosened'
strict --env HCCL_DETERMINISTIC=true
strict -- --deterministic-mode
loosened -- --deterministic-mode=false
cp .gate/latest/other/log.txt loose.log
expect_exit 1 gate check -v loose.log --case other --policy-from main
expect_out "the tolerance of the baseline's run, which was deterministic (--deterministic-mode): what trains was not read"
refute_out 'loosened'

# --- so does what gate's own environment gives it: whether it was read in time chooses no tolerance ---
script plain <<<"./$binary"
megatron_log 10.000 9.000 8.000 >now.log
expect_exit 0 gate baseline record plain
expect_exit 0 gate baseline accept plain --reason first
megatron_log 10.000 9.005 8.000 >now.log
expect_exit 0 gate run plain
for _ in 1 2 3 4 5; do
  expect_exit 1 env HCCL_DETERMINISTIC=true "$GATE" run plain
  expect_out 'the tolerance of a run that is deterministic: HCCL_DETERMINISTIC=true'
done
