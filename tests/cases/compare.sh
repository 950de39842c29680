# Two runs, logs or baselines side by side.
. "$(dirname "$0")/_lib"

suite
megatron_log --memory 0:100.00:200.00 2.500000E+00 2.400000E+00 2.300000E+00 2.200000E+00 >a.log
megatron_log --memory 0:100.00:260.00 2.500000E+00 2.400000E+00 2.350000E+00 2.2E+00 >b.log
script c <<<'cat "${BASH_SOURCE[0]%/*}/../${1:-a}.log"'
script d <<<'cat "${BASH_SOURCE[0]%/*}/../a.log"'
expect_exit 0 gate baseline import a.log --case c --accept --reason "first numbers"

# Two logs: where they part, and by how much.
expect_exit 0 gate compare a.log b.log
expect_out 'A  log a.log'
expect_out_match '^lm_loss +1 of 4 steps +2.35 -> 2.3625 +\+0.53 % +step 3: 2.300000 -> 2.350000 \(\+0.050000\) +\+0.050000 at 3$'
expect_out_match '^memory_max_allocated rank 0 +1 of 1 report .*report 1: 200.00 -> 260.00'
refute_out grad_norm
expect_last_line '^DIFFERENT: 4 of 14 series in 1 case, first at step 3 of lm_loss$'
expect_exit 0 gate -v compare a.log b.log
expect_out_match '^grad_norm +0 of 4 steps'
expect_exit 0 gate compare a.log a.log
expect_last_line '^SAME: [0-9]+ series in 1 case$'

# A log against a baseline, by its file and by its case.
for b in baselines/c.json c; do
  expect_exit 0 gate compare b.log $b
  expect_out 'B  baseline baselines/c.json'
  expect_out 'step 3: 2.350000 -> 2.300000 (-0.050000)'
done

# Runs, case by case; a case that only one has; verdicts.
expect_exit 3 gate run
first=$(basename "$(readlink .gate/latest)")
rm scripts/d.sh
expect_exit 1 gate run -- b
expect_exit 0 gate compare "$first" .gate/latest
expect_out 'cases only in A: d'
expect_out_match '^c  passed -> regressed  [0-9]+ of [0-9]+ series the same$'
expect_out 'step 3: 2.300000 -> 2.350000'
expect_exit 0 gate compare "$first" .gate/latest/result.json --case c --html out.html --json
expect_json "$WORK/.last/out" '.schema == "gate.comparison/1" and (.same | not) and (.cases | length == 1) and
  (.cases[0].series[] | select(.metric == "lm_loss") | .first.number == 3 and .first.delta == "+0.050000" and .different == 1)'
expect_file out.html '"name":"A"'
expect_file out.html '"text":"first different"'
expect_exit 0 gate compare .gate/latest a.log
expect_out 'step 3: 2.350000 -> 2.300000'
expect_exit 2 gate compare a.log "$first"
expect_err 'has several cases; say which is meant with --case'
expect_exit 0 gate compare a.log "$first" --case c
expect_out 'B  run'

# What differs in length or is no number.
megatron_log 2.500000E+00 - >short.log
expect_exit 0 gate compare a.log short.log
expect_out_match '^lm_loss +1 of 2 steps, 2 only in A .*step 2: 2.400000 -> left out'
expect_out_match '^only in A: memory_allocated rank 0'

# Mistakes.
expect_exit 2 gate compare a.log nosuch
expect_err 'nosuch: neither a file nor a run of this suite'
expect_exit 2 gate compare a.log
expect_exit 2 gate compare "$first" .gate/latest --case e
printf 'nothing here\n' >no.log
expect_exit 2 gate compare no.log a.log
echo '{"x": [1, 2]}' >other.json
run gate compare other.json a.log
[[ $code == 2 || $code == 3 ]] || broken "a file of nothing known ends with $code"

# Names are shown, never obeyed; outside any suite files compare, too.
cd "$WORK" && cp suite/a.log "$(printf 'x\033[31my.log')" && cp suite/b.log .
expect_exit 0 gate compare x*y.log b.log
! grep -q $'\x1b' "$WORK/.last/out" || broken "an escape of a file name reached the terminal"
