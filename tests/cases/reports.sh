# A stored result in every format, and what is behind a check.
. "$(dirname "$0")/_lib"

suite
megatron_log --memory 0:100.00:200.00 2.500000E+00 2.400000E+00 2.300000E+00 >good.log
megatron_log --memory 0:100.00:200.00 2.500000E+00 2.450000E+00 2.300000E+00 >bad.log
script c <<<'cat "${BASH_SOURCE[0]%/*}/../${1:-good}.log"'
expect_exit 0 gate baseline import good.log --case c --accept --reason "first numbers"
mkdir out
expect_exit 1 gate run --report junit=out/junit.xml --report markdown=out/summary.md --report json=out/result.json -- bad
expect_file .gate/latest/c/log.txt '2.450000E+00'
expect_same out/result.json .gate/latest/result.json
for format in text json junit markdown; do
  expect_exit 0 gate report --format $format
  expect_out lm_loss
done
expect_exit 0 gate report --format junit
xmllint --noout "$WORK/.last/out"
expect_out '<failure'
expect_exit 2 gate report --format html5
expect_exit 2 gate report nosuchrun

expect_exit 0 gate explain c lm_loss
expect_out '2.450000E+00'
expect_out 'log.txt:3'
expect_out '0.01'
expect_exit 0 gate explain c
expect_out memory_allocated
expect_exit 2 gate explain c los
expect_exit 2 gate explain d

# Standard output is the result; progress goes elsewhere.
expect_exit 0 gate run --json
jq -e '.schema == "gate.result/1" and .exit_code == 0 and .totals.passed == 1' "$WORK/.last/out" >/dev/null
expect_exit 0 gate -q run
[[ ! -s $WORK/.last/err ]] || broken "-q and standard error is not empty"

# No colour where nobody reads it, and colour never alone.
expect_exit 1 gate run --color always -- bad
expect_out_match $'\x1b\\['
expect_out REGRESSED
NO_COLOR=1 expect_exit 1 gate run -- bad
! grep -q $'\x1b' "$WORK/.last/out" || broken 'colours'

# Outside any suite the built-in rules hold.
cd "$WORK" && mkdir outside && cd outside
cp ../suite/*.log .
expect_exit 1 gate check bad.log --baseline good.log
expect_exit 0 gate check bad.log --baseline good.log --set rules.lm_loss.tolerance=±0.05
expect_exit 0 gate extract bad.log
expect_out_match '^lm_loss '
expect_exit 0 gate extract bad.log --format csv
expect_out 'metric,rank,number,value,unit,file,line'
expect_out 'lm_loss,,2,2.450000E+00,,bad.log,3'
expect_exit 0 gate extract --json bad.log
jq -e '.formats == ["megatron"]' "$WORK/.last/out" >/dev/null
