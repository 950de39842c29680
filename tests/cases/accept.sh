# Baselines change by accept alone; what would make the gate weaker is refused by name.
. "$(dirname "$0")/_lib"

suite
git init -q . && git add -A
losses=(2.500000E+00 2.400000E+00 2.300000E+00 2.200000E+00)
megatron_log --memory 0:100.00:200.00 "${losses[@]}" >good.log
script c <<<'cat "${BASH_SOURCE[0]%/*}/../${1:-good}.log"'

expect_exit 3 gate baseline accept c --reason "nothing yet"
expect_exit 2 gate baseline accept c
expect_exit 0 gate baseline record c
refute_file baselines/c.json
expect_exit 0 gate baseline accept c --reason "first numbers"
expect_file baselines/cpu/c.json '"reason": "first numbers"'
expect_exit 0 gate run
git add -A && git commit -qm baselines
cp baselines/cpu/c.json before.json

refused() {
  expect_exit 3 gate baseline accept c --reason "no good reason"
  expect_err "$1: "
  expect_same baselines/cpu/c.json before.json
}

# Shorter than the present one; a step missing; a rank missing.
megatron_log --memory 0:100.00:200.00 "${losses[@]:0:3}" >good.log
expect_exit 0 gate baseline record c
refused short
refused missing
megatron_log "${losses[@]}" >good.log
expect_exit 0 gate baseline record c
refused missing

# Shorter than its log announces; not finite; a bad end; other arguments.
megatron_log --memory 0:100.00:200.00 --total 9 "${losses[@]}" >good.log
gate baseline record c >/dev/null 2>&1 || true
refused short
megatron_log --memory 0:100.00:200.00 2.500000E+00 - 2.300000E+00 2.200000E+00 >good.log
gate baseline record c >/dev/null 2>&1 || true
refused non_finite
megatron_log --memory 0:100.00:200.00 "${losses[@]}" >good.log
cp good.log other.log
expect_exit 0 gate baseline record c -- other
refused args
echo 'exit 3' >>scripts/c.sh
expect_exit 4 gate baseline record c
refused bad_end

# Another loss is a diff for a reviewer, accepted with a reason, and remembered.
script c <<<'cat "${BASH_SOURCE[0]%/*}/../${1:-good}.log"'
megatron_log --memory 0:100.00:200.00 2.500000E+00 2.400000E+00 2.300000E+00 2.250000E+00 >good.log
expect_exit 1 gate run
expect_exit 0 gate baseline record c
expect_exit 1 gate baseline diff
expect_out_match 'lm_loss.*step 1-4.*\+0\.05 at 4.*fail'
expect_exit 2 gate baseline accept c --reason "new data order" --despite nothing
expect_exit 0 gate baseline accept c --reason "new data order"
expect_exit 3 gate baseline accept --reason "what was accepted is no candidate any more"
expect_file baselines/cpu/c.json '"reason": "first numbers"'
expect_file baselines/cpu/c.json '"reason": "new data order"'
expect_file baselines/cpu/c.json "$(sha256sum <before.json | cut -c1-64)"
expect_exit 0 gate run
expect_exit 0 gate baseline list c
expect_out "new data order"
expect_exit 1 gate baseline diff HEAD
expect_out_match 'lm_loss.*\+0\.05 at 4'

# What is refused can be taken despite it, and that is remembered too.
megatron_log --memory 0:100.00:200.00 "${losses[@]:0:3}" >good.log
expect_exit 0 gate baseline record c
expect_exit 0 gate baseline accept c --reason "shorter on purpose" --despite short,missing
expect_file baselines/cpu/c.json '"short"'

# From a run, only some metrics, for any platform.
expect_exit 0 gate run
expect_exit 2 gate baseline accept c --run "$(latest)" --metric 'memory_*,lm_los' --to general --reason "any host"
expect_err '--metric lm_los: no candidate has it; did you mean "lm_loss"? (they have '
expect_exit 0 gate baseline accept c --run "$(latest)" --metric 'memory_*' --to general --reason "any host"
expect_file baselines/c.json memory_allocated
! grep -q lm_loss baselines/c.json || broken "all of it was accepted"

# When quiet: what is wrong, and the last line.
suite quiet
for name in a b; do script $name <<<'cat "${BASH_SOURCE[0]%/*}/../good.log"'; done
megatron_log "${losses[@]}" >good.log
expect_exit 0 gate baseline record '**'
expect_exit 0 gate -q baseline accept --reason "first numbers"
[[ $(<"$WORK/.last/out") == '2 accepted' ]] || broken "more than the last line"

# A run that failed behind its last step is no green candidate.
echo 'cat "${BASH_SOURCE[0]%/*}/../good.log" && exit 1' >scripts/a.sh
expect_exit 4 gate run a
expect_exit 4 gate baseline diff a --run "$(latest)"
expect_last_line '^RED: 1 incomplete \(exit 4\)$'
expect_exit 4 gate baseline diff '*' --run "$(latest)"
expect_err 'the run left no series of b, which the words select, too: nothing is taken of it'
expect_exit 3 gate baseline accept 'b*' --run "$(latest)" --reason "it was not run"
expect_err 'the run left no series of a case that the words select'

# What a red report says of accepting works as it is printed: beside a baseline of several runs, of another determinism.
suite advice
printf '[suite]\nplatform = "cpu"\n' >gate.toml
advised() { # LOG_OPTION... LOSS...
  megatron_log "$@" >steps.log
  expect_exit 1 gate run a
  local words
  words=$(grep -o 'gate baseline accept.*' "$WORK/.last/out") || broken "no advice"
  expect_exit 0 eval "$words"
  expect_exit 0 gate run a
}
for runs in 1 3; do
  script a <<<$'export HCCL_DETERMINISTIC=true\ncat steps.log'
  megatron_log 2.500 2.400 2.300 >steps.log
  rm -rf baselines/*
  expect_exit 0 gate baseline record a --runs $runs
  expect_exit 0 gate baseline accept a --reason first
  advised 2.600 2.500 2.400
  advised --throughput 50.0 2.700 2.600 2.500
  sed -i s/=true/=false/ scripts/a.sh
  advised --throughput 90.0 2.800 2.700 2.600
done
