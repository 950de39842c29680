# Cases run on the hosts that they name, each on devices of its own there, and the report says where; a host that cannot
# be reached is done without, and where all cannot, the case is infra.
# timeout: 300
. "$(dirname "$0")/_hosts"
. "$SOURCE/tests/hosts/_runs"
. "$SOURCE/tests/cases/_python"
start_hosts 3 2

two_hosts='["npu1", "npu2"]'
far_suite <<TOML
npu = $two_hosts
some = ["npu1", "npu3"]
gone = ["npu3"]
[defaults]
hosts = "npu"
TOML

# --- what is attached ---

expect_exit 0 gate devices --hosts npu
for host in npu1 npu2; do
  for device in 0 1; do expect_out_match "$host.*$device.*ascend-910b3"; done
done
run gate devices --hosts npu --json
jq -e '[.devices[] | .host + " " + (.index | tostring)] == ["npu1 0", "npu1 1", "npu2 0", "npu2 1"]' "$WORK/.last/out" >/dev/null ||
  broken 'devices in JSON are not those of the hosts'
expect_exit 0 gate devices --hosts npu2
refute_out npu1
expect_exit 2 gate devices --hosts npu4
expect_err npu4

# --- cases spread: all four devices are in use at once ---

for name in one two three four; do
  far $name <<'SCRIPT'
begin
echo "$GATE_HOST $ASCEND_RT_VISIBLE_DEVICES $(pwd)" >"$SAID/$GATE_CASE.where"
until [[ $(ls "$SAID"/*.where | wc -l) == 4 ]]; do sleep 0.05; done
steps
SCRIPT
done
begin one two three four
ends 0
expect_exit 0 sort -u "$SAID"/{one,two,three,four}.where
expect_same <(printf '%s\n' "npu1 0 $PWD" "npu1 1 $PWD" "npu2 0 $PWD" "npu2 1 $PWD") "$WORK/.last/out"
for name in one two three four; do
  host=$(cut -d ' ' -f 1 "$SAID/$name.where")
  the $name ".verdict == \"passed\" and .hosts == [\"$host\"] and .devices == \"1 x ascend-910b3 on $host\""
  expect_file ".gate/latest/$name/log.txt" 'iteration        3'
done
clean npu1 npu2

# --- a red case is red ---

far red <<'SCRIPT'
steps | sed 's/2.300000E+00/9.900000E+00/'
SCRIPT
far dies <<'SCRIPT'
steps
exit 7
SCRIPT
expect_exit 1 gate run red dies one --set hosts=npu1 || true
the red '.verdict == "regressed" and .hosts == ["npu1"]'
the dies '.verdict == "crashed" and .hosts == ["npu1"]'
expect_json .gate/latest/result.json '.exit_code == 1'
clean npu1 npu2

# --- what a script runs on is found there ---

python_env "$PWD/venv"
has_torch "$PWD/venv" 2.1.0
waiting_trainer train.py
far on_python <<SCRIPT
steps >"\$SAID/now.log"
LOG=\$SAID/now.log HCCL_DETERMINISTIC=true "$PWD/venv/bin/python" "$PWD/train.py"
SCRIPT
expect_exit 0 gate run on_python --set hosts=npu1
expect_json .gate/latest/on_python/series.json '.provenance | .packages == {"torch": "2.1.0"} and
  .switches == {"HCCL_DETERMINISTIC": "true"} and .host == "npu1" and .kernel != null'
clean npu1

# --- what one case says ---

far chosen hosts=npu2 <<<'echo "$GATE_HOST"; steps'
far at_home hosts=local devices=0 <<<'echo "at ${GATE_HOST:-home}"; steps'
sed -i 's/devices=1 //' scripts/at_home.sh
far either hosts=npu1,npu2 <<<'steps'
expect_exit 0 gate run chosen at_home either
the chosen '.hosts == ["npu2"] and .devices == "1 x ascend-910b3 on npu2"'
expect_file .gate/latest/chosen/log.txt npu2
the at_home '.verdict == "passed"'
expect_file .gate/latest/at_home/log.txt 'at home'
the either '.hosts == ["npu1"] or .hosts == ["npu2"]'
expect_exit 0 gate run either --hosts npu1
the either '.hosts == ["npu1"]'
clean npu1 npu2

# --- hosts that cannot be reached ---

stop_host npu3
far some hosts=some <<<'steps'
far gone hosts=gone <<<'touch "$SAID/gone_has_run"; steps'
expect_exit 0 gate run some
the some '.verdict == "passed" and .hosts == ["npu1"]'
expect_json .gate/latest/result.json 'any(.. | strings; startswith("runs without npu3: nothing listens where ssh connects to"))'
expect_out 'runs without npu3'
expect_exit 125 gate run gone one
the gone '.verdict == "infra" and (.reason | startswith("none of its hosts can be reached: npu3: nothing listens where ssh connects to"))'
the one '.verdict == "passed"'
refute_file "$SAID/gone_has_run"
expect_exit 125 gate run gone
expect_json .gate/latest/result.json '.exit_code == 125'
run gate devices --hosts some
((code == 125)) || broken "exit code $code, expected 125"
expect_out_match 'npu1.*ascend-910b3'
expect_out 'npu3: nothing listens'
clean npu1 npu2
