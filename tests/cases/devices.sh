# gate devices: what is attached, who holds it, what is wrong with it.
. "$(dirname "$0")/_lib"
. "$(dirname "$0")/_host"

ls /dev/davinci[0-9]* /dev/nvidia[0-9]* /dev/kfd >/dev/null 2>&1 && skip "this host has accelerators"

# --- nothing is attached ---
expect_exit 3 env PATH=/usr/bin:/bin "$GATE" devices
expect_out 'no accelerator'

npu_host 3
expect_exit 0 gate devices
expect_out_match '^0 +NPU 0 +ascend-910b3 +OK +3300 / 65536 MiB +0% +96 W +47 C +- +idle$'
expect_exit 0 gate devices --json
cp "$WORK/.last/out" seen.json
expect_json seen.json '.devices | length == 3 and all(.platform == "ascend-910b3" and .users == [])'
expect_json seen.json '.faults == [] and (.devices[2] | .index == 2 and .bus == "0000:c2:00.0" and .memory_used_mib == 3300)'
expect_json seen.json '.devices | all(has("clock_mhz") | not)' # what the tool does not say is not there

# --- unhealthy, in use ---
echo Alarm >"$HOST/0.health"
echo '4711 python3 58000' >"$HOST/1.users" && echo 61234 >"$HOST/1.hbm"
echo 61234 >"$HOST/2.hbm"
expect_exit 0 gate devices
expect_out_match '^0 .* Alarm .* health Alarm$'
expect_out_match '^1 .* in use by pid 4711 python3 \(58000 MiB\)$'
expect_out_match '^2 .* 61234 MiB of 65536 MiB in use, by no process that its tool lists$'

# --- only what a variable leaves ---
expect_exit 0 env ASCEND_RT_VISIBLE_DEVICES=2,1 "$GATE" devices --json
cp "$WORK/.last/out" seen.json
expect_json seen.json '[.devices[].index] == [2, 1]'

# --- a tool that fails, hangs or is cut off ---
echo dead >"$HOST/mode"
expect_exit 125 gate devices
expect_out 'ascend: npu-smi ended with 255: dcmi model initialized failed'
echo hang >"$HOST/mode"
expect_exit 125 env GATE_TOOL_LIMIT=1s "$GATE" devices
expect_out 'ascend: npu-smi: no answer within 1s'
echo empty >"$HOST/mode"
expect_exit 3 gate devices
echo cut >"$HOST/mode"
expect_exit 125 gate devices --json
cp "$WORK/.last/out" seen.json
expect_json seen.json '.devices == [] and .faults[0].vendor == "ascend"'

# --- a dead driver is never green, and never cpu ---
suite
script gpt <<'END'
echo ran
END
for mode in dead cut; do
  echo $mode >"$HOST/mode"
  expect_exit 125 gate run
  expect_out 'npu-smi'
  expect_out 'infra'
done
echo hang >"$HOST/mode"
expect_exit 125 env GATE_TOOL_LIMIT=1s "$GATE" run
expect_out 'no answer within 1s'
expect_exit 0 env GATE_TOOL_LIMIT=1s "$GATE" run --devices 0 --set judge=exit
expect_exit 0 env GATE_TOOL_LIMIT=1s "$GATE" run --platform cpu --set judge=exit

# --- a folder of leases that is none ---
rm "$HOST/mode" && touch "$HOST/file"
expect_exit 125 env GATE_LEASE_DIR="$HOST/file" "$GATE" devices
expect_err 'GATE_LEASE_DIR'

# --- again and again, until a signal comes ---
gate devices --follow --json >"$WORK/watched" &
watcher=$!
wait_for grep -q devices "$WORK/watched"
kill -INT $watcher && wait $watcher
