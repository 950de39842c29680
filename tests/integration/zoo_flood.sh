#!/usr/bin/env bash
# A line without an end is kept on disk, and not in memory.   ZOO_FULL=1: 1 GiB of it instead of 256 MiB
# timeout: 300
. "$(dirname "$0")/_lib"
suite
mib=256
[[ ${ZOO_FULL:-} != 1 ]] || mib=1024
most_kb=200000

animal flood <<'SCRIPT'
head -c "$1M" /dev/zero | tr '\0' x
SCRIPT

# Print the most memory in kB that this gate, or one that it has started, has held so far.
peak_kb() {
  local pid
  for pid in "$1" $(pgrep -x -P "$1" gate); do
    sed -n 's/^VmHWM:[^0-9]*\([0-9]*\) kB/\1/p' "/proc/$pid/status" 2>/dev/null || true
  done | sort -n | tail -n 1
}

gate run flood -- $mib >"$WORK/.last/out" 2>"$WORK/.last/err" </dev/null &
gate_pid=$!
peak=0
while kill -0 "$gate_pid" 2>/dev/null; do
  now=$(peak_kb "$gate_pid") && ((${now:-0} <= peak)) || peak=$now
  sleep 0.02
done
code=0 && wait "$gate_pid" || code=$?
((code == 4)) || broken "exit code $code: $(<"$WORK/.last/err")"
((peak > 0 && peak < most_kb)) || broken "gate held $peak kB, the most is $most_kb"
echo "$mib MiB, gate held $peak kB"
nothing_lives 0
expect_json .gate/latest/result.json '.exit_code == 4 and .cases[0].verdict == "incomplete"'
[[ $(stat -c %s .gate/latest/flood/log.txt) == $((mib << 20)) ]] || broken "the log is not whole"
red .gate/latest/junit.xml
