# OpenMetrics: readable for Prometheus and for a strict parser, and the same text where nothing moved.
. "$(dirname "$0")/_lib"

# Debian's package of promtool would start a server: it is unpacked instead.
promtool() {
  [[ -x $WORK/.prometheus/usr/bin/promtool ]] || return 127
  "$WORK/.prometheus/usr/bin/promtool" "$@"
}
fetch_promtool() {
  local tool
  mkdir "$WORK/.prometheus" && cd "$WORK/.prometheus" || return 1
  if tool=$(type -P promtool); then
    mkdir -p usr/bin && ln -s "$tool" usr/bin/promtool
  else
    apt-get -q download prometheus >"$WORK/.last/apt" 2>&1 && dpkg-deb -x prometheus_*.deb . && rm prometheus_*.deb
  fi
  cd - >/dev/null || return 1
}

strict() {
  "$python" - "$1" <<'END'
import sys
from prometheus_client.openmetrics.parser import text_string_to_metric_families
samples = [s for family in text_string_to_metric_families(open(sys.argv[1], encoding="utf-8").read()) for s in family.samples]
assert samples, "no samples"
keys = [(s.name, tuple(sorted(s.labels.items()))) for s in samples]
assert len(keys) == len(set(keys)), "a series comes twice"
END
}

# figure FILE NAME LABEL... prints the value of the series that has the labels.
figure() {
  local file=$1 name=$2 lines
  lines=$(grep "^$name[{ ]" "$file")
  shift 2
  for label in "$@"; do lines=$(grep -F "$label" <<<"$lines"); done
  [[ -n $lines && $lines != *$'\n'* ]] || broken "$name $*: not one series: $lines"
  echo "${lines##* }"
}

suite
values() { megatron_log --memory 0:100.00:200.00 --memory 1:100.00:200.00 --throughput "$1" 2.500000E+00 2.400000E+00 "$2"; }
values 100.0 2.300000E+00 >good.log
values 100.9 2.304000E+00 >same.log
values 99.1 2.297000E+00 >again.log
values 96.0 2.300000E+00 >slower.log
values 80.0 2.350000E+00 >bad.log
for case in c d/e; do
  script $case <<<'cat "${1:-good}.log"'
  expect_exit 0 gate baseline import good.log --case $case --accept --reason "first numbers"
done
for log in good same again slower; do expect_exit 0 gate run --report openmetrics=$log.txt -- "$log"; done
expect_exit 1 gate run --report openmetrics=bad.txt -- bad

# --- nothing moved: the same text; what moved is seen ---
expect_same good.txt same.txt
expect_same good.txt again.txt
[[ $(figure slower.txt gate_check_actual 'case="c"' 'metric="throughput"') == 96.0 ]]
[[ $(figure slower.txt gate_check_used_ratio 'case="c"' 'metric="throughput"') == 0.8 ]]
[[ $(figure bad.txt gate_exit_code) == 1 && $(figure bad.txt gate_cases 'verdict="regressed"') == 2 ]]
[[ $(figure bad.txt gate_check_used_ratio 'case="d/e"' 'metric="lm_loss"') == 5.0 ]]
[[ $(figure bad.txt gate_check_passed 'case="c"' 'metric="memory_allocated"' 'rank="1"') == 1 ]]
! grep -q duration good.txt || broken "times are in it"
expect_exit 0 gate -v run --report openmetrics=times.txt
[[ $(figure times.txt gate_case_duration_seconds 'case="d/e"') == *.* ]]
expect_exit 0 gate report --format openmetrics

# --- whatever cases are called ---
for name in 'q"uote} 1' 'back\slash' '# EOF'; do echo exit 3 >"scripts/$name.sh"; done
expect_exit 4 gate run --report openmetrics=hostile.txt
grep -qF 'case="back\\slash"' hostile.txt
mkdir stored && jq '.cases[0].case = "\u0001\n# EOF\n\"} 1" | .suite = .cases[0].case' .gate/latest/result.json >stored/result.json
expect_exit 0 gate report "$PWD/stored" --format openmetrics
cp "$WORK/.last/out" control.txt
[[ $(tail -n 1 hostile.txt) == '# EOF' ]]

python=/usr/bin/python3 # the one that Debian's packages are for
"$python" -c 'import prometheus_client' 2>/dev/null || skip "python3-prometheus-client is not installed"
for file in good bad times hostile control; do strict $file.txt || broken "$file.txt is no OpenMetrics"; done
fetch_promtool || skip "promtool cannot be had: $(tail -n 1 "$WORK/.last/apt")"
for file in good bad times hostile control; do
  promtool check metrics <$file.txt >"$WORK/.last/out" 2>"$WORK/.last/err" || broken "promtool does not like $file.txt"
done
sed 's/^# HELP gate_cases .*//' good.txt | promtool check metrics >/dev/null 2>&1 && broken "promtool likes everything"
exit 0
