# Devices are healthy and idle before a case and after it; what is not is waited for, named, and left out. What the
# run makes of busy and sick ones is said by tests/unit/app/pool_test.cpp.
. "$(dirname "$0")/_lib"
. "$(dirname "$0")/_host"
npu_host 4
export HOST
suite

# Each case says which cards it had, in $HOST/ran.
trains() {
  script "$1" <<SCRIPT
#GATE devices=$2 judge=exit
echo "\$GATE_CASE \$ASCEND_RT_VISIBLE_DEVICES" >>"\$HOST/ran"
${3:-}
SCRIPT
}
ran() { cat "$HOST/ran" 2>/dev/null || true; }
# A gate of its own has COUNT cards until let_go.   hold COUNT [TEXT of the script]
hold() {
  rm -f "$HOST"/{held,enough}
  trains holds "$1" "${2:-} touch \"\$HOST/held\"; until [[ -e \$HOST/enough ]]; do sleep 0.02; done"
  gate run holds >"$WORK/out" 2>&1 </dev/null & holder=$!
  wait_for test -e "$HOST/held"
}
let_go() { touch "$HOST/enough" && wait $holder || broken "$(<"$WORK/out")"; }
again() { rm -f "$HOST"/{ran,mode,*.users,*.hbm,*.health} scripts/*.sh; }

# --- what a script is told ---
trains one 1 'echo "$MASTER_PORT $NPROC_PER_NODE" >"$HOST/told"'
trains named 3,1
trains all all
trains cpu 0
expect_exit 0 gate run
expect_out '4 passed'
[[ $(ran | sort) == $'all 0,1,2,3\ncpu \nnamed 3,1\none '[0-3] ]] || broken "ran: $(ran)"
[[ $(<"$HOST/told") =~ ^29[5-9][0-9][0-9]\ 1$ ]] || broken "told: $(<"$HOST/told")"

# --- somebody else's process is waited for, named, and then it is infra ---
again
echo '4711 python3 58000' >"$HOST/1.users" && echo 61234 >"$HOST/1.hbm"
trains wide 4
expect_exit 125 gate run --set idle_wait=300ms
expect_err 'wide: waiting until its devices are idle: device 1: in use by pid 4711 python3 (58000 MiB)'
expect_out 'not idle within 300ms: device 1: in use by pid 4711 python3 (58000 MiB)'
[[ -z $(ran) ]] || broken "ran: $(ran)"

# --- memory that comes back is waited for ---
gate run >"$WORK/out" 2>"$WORK/err" </dev/null & pid=$!
wait_for grep -qs 'waiting until' "$WORK/err"
rm "$HOST"/1.{users,hbm}
wait $pid || broken "exit code $?: $(cat "$WORK"/{out,err})"
[[ $(ran) == 'wide 0,1,2,3' ]] || broken "ran: $(ran)"

# --- a recording wants all of the host ---
again
script gpt <<'SCRIPT'
#GATE devices=1
cat log
SCRIPT
megatron_log 2.5000 2.4000 2.3000 >log
echo '4711 python3 58000' >"$HOST/3.users"
expect_exit 125 gate baseline record gpt --set idle_wait=300ms
expect_out 'device 3: in use by pid 4711 python3'
rm "$HOST/3.users"
sed -i 's/^cat log/sleep 1.2; cat log/' scripts/gpt.sh
printf '[defaults]\nsample = 1\n' >gate.toml
expect_exit 0 gate baseline record gpt
expect_exit 0 gate baseline accept --reason first

# --- what the tool says meanwhile is kept beside the log, and judged where a rule asks for it ---
grep -q device_memory baselines/ascend-910b3/gpt.json && broken "readings that nobody asked for are in the baseline"
series=$(jq -r '.cases[0].artifacts.series' .gate/latest/result.json)
expect_json "$series" '.runs[0].series | any(.metric == "device_memory" and .unit == "MiB" and .numbered == "time" and
  .rank == 0 and .values[0] == "3300") and any(.metric == "device_power") and all(.metric != "device_clock")'
cat >>gate.toml <<'END'
[rules.device_memory]
reduce = "max"
tolerance = "+10%"
END
expect_exit 0 gate baseline record gpt
expect_exit 0 gate baseline accept --reason "with readings"
sed -i 's/^sleep 1.2/echo 3700 >"$HOST\/0.hbm"; sleep 1.2; rm "$HOST\/0.hbm"/' scripts/gpt.sh
expect_exit 1 gate run gpt
expect_out_match 'device_memory .* 3300 -> 3700 MiB'
sed -i 's/^echo 3700.*/cat log/' scripts/gpt.sh
rm gate.toml
expect_exit 0 gate run gpt --set sample=0

# --- a case whose speed is judged is alone, unless it says otherwise ---
cp scripts/gpt.sh scripts/moe.sh && cp baselines/ascend-910b3/{gpt,moe}.json
sed -i 's/"gpt"/"moe"/' baselines/ascend-910b3/moe.json
for name in gpt moe; do
  script $name <<'SCRIPT'
#GATE devices=1
touch "$HOST/began.$GATE_CASE"
for ((i = 0; i < WAITS; i++)); do [[ ! -e $HOST/began.gpt || ! -e $HOST/began.moe ]] && sleep 0.02 || break; done
[[ ! -e $HOST/ended.gpt && ! -e $HOST/ended.moe && $i -lt $WAITS ]] && echo beside >>"$HOST/ran"
cat log
touch "$HOST/ended.$GATE_CASE"
SCRIPT
done
expect_exit 0 gate run --env WAITS=20
[[ -z $(ran) ]] || broken "two ran beside one another"
rm "$HOST"/{began,ended}.*
megatron_log --throughput 50 2.5000 2.4000 2.3000 >log
expect_exit 1 gate run --env WAITS=1000 --set share_host=yes
[[ $(ran) == *beside* ]] || broken "the two did not meet"
expect_json .gate/latest/result.json '.cases[0].notes | any(test("^it ran beside moe; share_host = no"))'

# --- what would run, and when: as long as each took in the last run ---
expect_exit 0 gate run --dry-run --set share_host=yes
expect_out_match '^timeline, about .* as long as each case took in the last run:$'
expect_out_match '^  #{24}  (gpt|moe)  devices [0-3]$'
expect_exit 0 gate run --dry-run --json
cp "$WORK/.last/out" plan.json
expect_json plan.json '.timeline | length == 2 and .[0].begin_s == 0 and .[1].begin_s >= .[0].end_s' # each alone

# --- two that fix the same port never run at once ---
again
rm -r baselines/*
for name in a b c; do
  trains $name 1 'MASTER_PORT=6000
mkdir "$HOST/port" || echo twice >>"$HOST/ran"
sleep 0.05
rmdir "$HOST/port"'
done
expect_exit 0 gate run
[[ $(ran) != *twice* ]] || broken "two had the port"

# --- who holds a card is told ---
again
hold 4
trains wants 1
gate run wants >"$WORK/out2" 2>"$WORK/err2" </dev/null & pid=$!
wait_for grep -qsE 'waiting for devices 0-3: pid [0-9]+ of .* \(case holds, run .*, since ' "$WORK/err2"
expect_exit 0 gate devices
expect_out_match '^0 .* leased by pid [0-9]+ .*case holds'
let_go
wait $pid || broken "$(cat "$WORK"/out* "$WORK/err2")"

# --- what many devices are wanted for has its turn after its idle_wait: nobody overtakes it any more ---
again
hold 1
trains wide 4
trains small 1
gate run wide --set idle_wait=1s >"$WORK/out2" 2>"$WORK/err2" </dev/null & wide=$!
wait_for test -s "$GATE_LEASE_DIR/turn"
gate run small >"$WORK/out3" 2>"$WORK/err3" </dev/null & small=$!
wait_for grep -qsE 'waiting for .*the turn of pid [0-9]+ .*case wide' "$WORK/err3"
let_go
wait $wide && wait $small || broken "$(cat "$WORK"/out* "$WORK"/err*)"
[[ $(ran | cut -d ' ' -f 1 | paste -sd ' ') == 'holds wide small' ]] || broken "ran: $(ran)"

# --- nor do two gates run scripts with one port at once ---
again
hold 1 'MASTER_PORT=6000;'
trains wants 1 'MASTER_PORT=6000'
gate run wants >"$WORK/out2" 2>"$WORK/err2" </dev/null & pid=$!
wait_for grep -qsE 'waiting for .*port 6000: pid [0-9]+ .*case holds' "$WORK/err2"
let_go
wait $pid || broken "$(cat "$WORK"/out* "$WORK/err2")"

# --- a case that is alone waits for every card of the host, also for those that it does not use ---
again
hold 1
trains lonely '1 share_host=no'
gate run lonely >"$WORK/out2" 2>"$WORK/err2" </dev/null & pid=$!
wait_for grep -qsE 'waiting for device 0: pid [0-9]+ .*case holds' "$WORK/err2"
let_go
wait $pid || broken "$(cat "$WORK"/out* "$WORK/err2")"
[[ $(ran | cut -d ' ' -f 1 | paste -sd ' ') == 'holds lonely' ]] || broken "ran: $(ran)"
