# The HTML pages in a browser: at three widths, light and dark, pointed at, zoomed, searched, and with names that want
# to be obeyed; and a page of 200 cases with 10,000 steps.
# timeout: 300
. "$(dirname "$0")/_lib"

here=$SOURCE/tests/integration
for program in chromium chromedriver; do command -v $program >/dev/null || skip "no $program here"; done
/usr/bin/python3 -c 'import selenium' 2>/dev/null || skip "no python3-selenium here"

# Two red cases whose owner, log lines and metric are markup, and a good one.
suite
evil='</script><script>window.pwned=1</script><img src=x onerror=window.pwned=1>'
megatron_log --memory 0:100.00:200.00 --memory 1:100.00:200.00 2.500000E+00 2.400000E+00 2.300000E+00 2.200000E+00 >good.log
{
  echo "$evil"
  megatron_log --memory 0:100.00:260.00 --memory 1:100.00:200.00 2.500000E+00 2.460000E+00 2.300000E+00 2.100000E+00
} >bad.log
cat >gate.toml <<END
[suite]
name = "$evil"
[case."*"]
owner = "$evil"
END
for name in one two three; do
  script $name <<<'cat "${BASH_SOURCE[0]%/*}/../$(cat "${BASH_SOURCE[0]%.sh}.log")"'
  echo good.log >scripts/$name.log
  expect_exit 0 gate baseline import good.log --case $name --accept --reason "first numbers"
done
echo bad.log >scripts/one.log
script two <<'END'
cat "${BASH_SOURCE[0]%/*}/../bad.log" && echo "RuntimeError: <script>window.pwned=1</script>" >&2 && exit 1
END
expect_exit 1 gate run --html "$WORK/report.html"
expect_file "$WORK/report.html" '&lt;/script&gt;'
for run in {1..3}; do gate -q run three >/dev/null 2>&1; done
expect_exit 0 gate history --html "$WORK/history.html"
expect_exit 0 gate compare good.log bad.log --html "$WORK/compare.html"

# 200 cases of 10,000 steps: the first case's files, told 200 times, with a spike at one step.
suite large
script c <<<'cat "${BASH_SOURCE[0]%/*}/../long.log"'
awk 'BEGIN { for (i = 1; i <= 10000; i++) printf " iteration %d/ 10000 | elapsed time per iteration (ms): 500.0 | lm loss: %.6E | grad norm: 1.5 |\n", i, i == 7321 ? 77.25 : 2 + 1 / i }' >long.log
expect_exit 3 gate run
run_folder=$(readlink -f .gate/latest)
jq -c '.cases = [range(200) as $i | .cases[0] + {case: "c\($i)"}]' "$run_folder/result.json" >many.json
cp many.json "$run_folder/result.json"
gate report --format html >"$WORK/large.html"
bytes=$(stat -c %s "$WORK/large.html")
echo "200 cases of 10,000 steps: $bytes bytes"
((bytes < 25000000)) || broken "the page has $bytes bytes"
expect_file "$WORK/large.html" 'of 10000 places drawn, all extremes among them'
[[ $(grep -o '77\.25' "$WORK/large.html" | wc -l) == 200 ]] || broken "the spike is not in every case's chart"

/usr/bin/python3 "$here/_browser.py" "$WORK/report.html" "$WORK/history.html" "$WORK/compare.html" "$WORK/large.html" ||
  broken "see above"
