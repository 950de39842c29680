# The worker's own trouble is no test's failure: gate's file goes away and comes back, is half of one, device tools fail, the
# disk is full, gate.toml is half written, the worker is killed - while tests run and some are stopped. Each test ends as it
# was to.
#
#   TESTS=24 STOPS=3 ROUNDS=1 SEED=1     how much of it; each round has each trouble once, and two kills
# timeout: 300
. "$(dirname "$0")/../cases/_own_mounts"
. "$(dirname "$0")/../cases/_lib"
. "$SOURCE/tests/cases/_host"
. "$SOURCE/tests/worker/_hub"
tests=${TESTS:-24} stops=${STOPS:-3} rounds=${ROUNDS:-1}
RANDOM=${SEED:-1}
hub_suite
DISK=$PWD/.gate
trap 'code=$?; cd /; umount -l "$DISK" 2>/dev/null; remove_work; exit $code' EXIT
mkdir "$DISK" && mount -t tmpfs -o size=$((8 + tests / 2))m tmpfs "$DISK" || skip "this user cannot mount a tmpfs"
mkdir "$WORK/bin" && cp "$program" "$GATE" "$(dirname "$GATE")"/gate-agent-* "$WORK/bin/"
program=$WORK/bin/gate-worker
tool=$(type -P npu-smi)
cp "$tool" "$WORK/tool" && cp gate.toml "$WORK/gate.toml"
printf '#!/bin/sh\nexit 1\n' >"$WORK/broken_tool" && chmod 755 "$WORK/broken_tool"
trap 'tail -n 40 "$WORK/worker.out" >&2; broken "failed: $BASH_COMMAND"' ERR

names=(good good bad crash no_download good good good)
for ((id = 1; id <= tests; ++id)); do created "$id" "${names[RANDOM % ${#names[@]}]}"; done >"$WORK/created"
jq -c '{topic: "accuracy_test_created", payload: tojson}' "$WORK/created" >"$WORK/lines"
shuf -i "1-$tests" -n "$stops" --random-source=<(yes "${SEED:-1}") >"$WORK/stopped_ids"
mkfifo "$WORK/messages"
exec {messages}<>"$WORK/messages"
send_some() { # a share of all tests, and of their stops
  local share=$((tests / (7 * rounds) + 1))
  sed -n "$((sent + 1)),$((sent + share))p" "$WORK/lines" >&"$messages"
  for id in $(awk -v from="$sent" -v to=$((sent + share)) '$1 > from && $1 <= to' "$WORK/stopped_ids"); do
    line accuracy_test_stopped "{\"id\":$id}" >&"$messages"
  done
  sent=$((sent + share < tests ? sent + share : tests))
}
# What a worker that is killed has read of a pipe is lost to the next one.
all_are_kept() { grep -qhF "test $sent: accuracy_test" "$WORK/worker.out" "$WORK/all.out"; }
sent=0

: >"$WORK/all.out"
start() {
  [[ ! -e $WORK/worker.out ]] || cat "$WORK/worker.out" >>"$WORK/all.out"
  rm -f "$WORK/worker.out"
  start_worker --source "$WORK/messages"
  wait_for test -s "$WORK/worker.out"
  wait_for worker_says metrics:
}
kill_worker() {
  wait_for all_are_kept
  kill -KILL "$worker"
  wait "$worker" 2>/dev/null || true
  start
}
page() { worker_says metrics: && sed -n 's/^metrics: \(.*\)metrics$/\1healthz/p' "$WORK/worker.out" | tail -n 1; }
says() { [[ $(curl -s -o "$WORK/health" -w '%{http_code}' "$(page)") == "$1" ]]; }
fill() { head -c 1G /dev/zero >"$DISK/ballast" 2>/dev/null || true; }
half_a_gate() { head -c 300000 "$WORK/bin/whole" >"$WORK/bin/half" && chmod 755 "$WORK/bin/half" && mv "$WORK/bin/half" "$WORK/bin/gate"; }
# A file is never there by half, but where that is meant.
put() { cp "$1" "$2.new" && mv "$2.new" "$2"; }

start
for ((round = 0; round < rounds; ++round)); do
  mv "$WORK/bin/gate" "$WORK/bin/gone" && send_some
  wait_for says 503
  mv "$WORK/bin/gone" "$WORK/bin/gate"
  wait_for says 200
  mv "$WORK/bin/gate" "$WORK/bin/whole" && half_a_gate && send_some
  wait_for says 503
  mv "$WORK/bin/whole" "$WORK/bin/gate"
  wait_for says 200
  put "$WORK/broken_tool" "$tool" && send_some
  wait_for says 503
  kill_worker
  put "$WORK/tool" "$tool"
  wait_for says 200
  fill && send_some
  wait_for says 503
  rm "$DISK/ballast"
  wait_for says 200
  send_some && kill_worker
  head -c 200 "$WORK/gate.toml" >gate.toml && send_some
  wait_for says 503
  put "$WORK/gate.toml" gate.toml
  send_some
done

final='select(.ci_status | IN("success", "failed", "stopped")) | .id'
all_have_ended() { (($(jq -r "$final" "$HUB/notices" | sort -un | wc -l) == tests)); }
for ((wait = 0; wait < tests / 4; ++wait)); do all_have_ended || sleep 1; done
wait_for all_have_ended
kill -TERM "$worker"
wait "$worker" || true
python3 "$SOURCE/tests/worker/ends.py" "$HUB/notices" "$WORK/created" "$WORK/stopped_ids"
cat "$WORK/worker.out" >>"$WORK/all.out"
printf 'troubles: %s, tries again: %s\n' "$(grep -c 'trouble of this host' "$WORK/all.out")" "$(grep -c 'is launched once more' "$WORK/all.out")"
nothing_is_left() { ! pgrep -f "$WORK/bin/gate run" >/dev/null; }
wait_for nothing_is_left
