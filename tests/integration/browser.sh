#!/usr/bin/env bash
# The page of a report in a real browser: no request and no error, light and dark, from a phone to a wide screen;
# charts under the mouse; hostile texts; 200 cases, one of 10,000 steps; and the page of a history.
# timeout: 300
. "$(dirname "$0")/../cases/_lib"
. "$SOURCE/tests/cases/_host"
for tool in chromium chromedriver; do command -v $tool >/dev/null || skip "$tool is not installed"; done
/usr/bin/python3 -c 'import selenium' 2>/dev/null || skip "python3-selenium is not installed"

hostile='<img src=x onerror=window.pwned=1>'
accept() { gate baseline import "$1" --case "$2" --accept --reason first >/dev/null; }

# Red for a loss and for memory, hung with readings of a device, skipped, and hostile.
write_suite() {
  npu_host 1
  megatron_log --memory 0:100.00:200.00 --memory 1:100.00:200.00 --memory-at 30 --memory 0:100.00:200.00 \
    --memory 1:100.00:200.00 $(seq 3.40 -0.01 3.01) >good.log
  sed -e '/iteration  *1[2-9]\//s/lm loss: 3/lm loss: 4/' -e 's/allocated: 200.00/allocated: 300.00/' good.log >bad.log
  script pretrain/dense <<<"#GATE devices=0
cat $PWD/bad.log"
  script pretrain/good <<<"#GATE devices=0
cat $PWD/good.log"
  script elsewhere <<<'#GATE devices=8 platform=nvidia-*'
  script hung <<<"#GATE devices=1 sample=1 hang=3s
head -n 9 $PWD/good.log && exec sleep 1000"
  script '</script><script>window.pwned=1</script>' <<<"#GATE devices=0
cat $PWD/good.log; echo 'odd: 3.5'; echo '$hostile</script><script>window.pwned=1</script>'; exit 1"
  script "$hostile" <<<'#GATE devices=0
exit 1'
  script javascript:window.pwned=1 <<<'#GATE devices=0
exit 1'
  cat >gate.toml <<TOML
[metrics."</script><script>pwn()</script>"]
pattern = 'odd: (?P<value>[0-9.]+)'
[case."*"]
owner = "$hostile"
rules.throughput = false
rules.iteration_time = false
TOML
  local name
  for name in pretrain/dense pretrain/good hung '</script><script>window.pwned=1</script>'; do accept good.log "$name"; done
}

# log STEPS ODD: a log of so many steps, the loss of one of which stands out.
log() {
  awk -v n="$1" -v odd="$2" 'BEGIN { for (i = 1; i <= n; i++) printf " iteration %8d/%8d | elapsed time per iteration (ms): %.1f | " \
    "throughput per GPU (TFLOP/s/GPU): %.2f | lm loss: %.6E | grad norm: %.3f |\n", i, n, 500 + i % 7, 100 + i % 11 / 10, \
    i == odd ? 99.5 : 2 + 8 / (1 + i / 100) + (i * 7919 % 1000) / 5000, 1 + i % 13 / 7 }'
}

# A run of 10,000 steps and one of 1,000, either with one value that stands out, told of 200 cases: the second of 199 of
# them. On a page of so many charts each shows a few hundred places.
write_large() {
  local run name
  log 10000 4321 >c1.log
  log 1000 432 >c2.log
  for name in c1 c2; do
    script $name <<<"#GATE devices=0
cat $PWD/$name.log"
    sed 's/9.950000E+01/2.100000E+00/' $name.log >was.log
    accept was.log $name
  done
  expect_exit 1 gate run --set rules.lm_loss.window=all
  run=$(readlink -f .gate/latest)
  jq '.cases |= .[:1] + [range(2; 201) as $k | .[1] | .case = "c\($k)"]' "$run/result.json" >large.json
  mv large.json "$run/result.json"
}

# Four months of nightly runs of two cases; the throughput of one takes a step of 9 %.
write_history() {
  jq -nc 'range(120) as $i | {schema: "gate.history/1", uid: "u\($i)", run: "nightly-run-number-\($i)", command: "run",
    commit: ("c" + ($i | tostring) + "0000000000"), started: (1767225600 + $i * 86400 | todate),
    cases: [["steps", 0.91], ["steady", 1]] | map({case: .[0], platform: "cpu", verdict: "passed", checks: [{rule: "throughput",
      metric: "throughput", unit: "TFLOP/s", window: "last 10", reduce: "mean", status: "pass", tolerance: "-5%",
      value: ((311 + $i * 7 % 5 / 2) * (if $i < 80 then 1 else .[1] end)), baseline: 311}]})}' >runs.jsonl
  expect_exit 0 gate history --import runs.jsonl
}

suite
write_suite
expect_exit 1 gate run --report html=page.html
PAGE=$PWD/page.html
suite large
write_large
expect_exit 0 gate report --format html
cp "$WORK/.last/out" large.html
bytes=$(wc -c <large.html)
echo "200 cases: $bytes bytes, $(grep -o '<figure' large.html | wc -l) charts"
((bytes < 15000000)) || broken "the large page has $bytes bytes"
suite history
write_history
expect_exit 0 gate history --report html=history.html
/usr/bin/python3 "$SOURCE/tests/integration/_browser.py" "$PAGE" "$WORK/large/large.html" "$PWD/history.html"
