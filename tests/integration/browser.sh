#!/usr/bin/env bash
# The page of a report in a real browser: no request and no error, light and dark, from a phone to a wide screen;
# charts under the mouse; hostile texts; and 200 cases of 10,000 steps.
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

# One run of 10,000 steps with one value that stands out, told of 200 cases.
write_large() {
  local one k
  awk 'BEGIN { for (i = 1; i <= 10000; i++) printf " iteration %8d/   10000 | elapsed time per iteration (ms): %.1f | " \
    "throughput per GPU (TFLOP/s/GPU): %.2f | lm loss: %.6E | grad norm: %.3f |\n", i, 500 + i % 7, 100 + i % 11 / 10, \
    i == 4321 ? 99.5 : 2 + 8 / (1 + i / 100) + (i * 7919 % 1000) / 5000, 1 + i % 13 / 7 }' >big.log
  script c1 <<<"#GATE devices=0
cat $PWD/big.log"
  sed 's/9.950000E+01/2.100000E+00/' big.log >was.log
  accept was.log c1
  expect_exit 1 gate run --set rules.lm_loss.window=all
  one=$(readlink -f .gate/latest)
  for ((k = 2; k <= 200; k++)); do
    cp -rl "$one/c1" "$one/c$k"
    ln -s c1.json "$(baseline_folder)/c$k.json"
  done
  jq '.cases |= [range(1; 201) as $k | .[0] | .case = "c\($k)" | .baseline.path |= sub("c1.json"; "c\($k).json")]' \
    "$one/result.json" >large.json
  mv large.json "$one/result.json"
}
baseline_folder() { dirname "$(find "$PWD/baselines" -name c1.json)"; }

suite
write_suite
expect_exit 1 gate run --html page.html
PAGE=$PWD/page.html
suite large
write_large
expect_exit 0 gate report --format html
cp "$WORK/.last/out" large.html
bytes=$(wc -c <large.html)
echo "200 cases of 10,000 steps: $bytes bytes, $(grep -o '<figure' large.html | wc -l) charts"
((bytes < 25000000)) || broken "the large page has $bytes bytes"
/usr/bin/python3 "$SOURCE/tests/integration/_browser.py" "$PAGE" "$PWD/large.html"
