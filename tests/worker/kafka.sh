# Messages by Kafka - librdkafka's mock of a cluster, in a process of its own - and a hub that answers 500 for a while,
# while the worker is killed at any moment: each test reaches one final state, the hub knows it and never hears another
# one, what nobody can read is in the dead-letter topic, and nothing is left.
#
#   JOBS=40 STOPS=6 UNREADABLE=4 KILLS=4 SEED=1     how much of it, four KILLS at least; 500 50 10 20 takes four minutes
# timeout: 400
. "$(dirname "$0")/../cases/_lib"
. "$SOURCE/tests/cases/_host"
. "$SOURCE/tests/worker/_hub"
jobs=${JOBS:-40} stops=${STOPS:-6} unreadable=${UNREADABLE:-4} kills=${KILLS:-4}
RANDOM=${SEED:-1}
hub_suite
start_kafka
echo secret >"$HUB/token"
cp "$HUB/token" "$WORK/token" && chmod 600 "$WORK/token"
cat >>gate.toml <<TOML
token_file = "$WORK/token"
kafka      = { "bootstrap.servers" = "$BROKERS", "session.timeout.ms" = 4500, "heartbeat.interval.ms" = 500, "reconnect.backoff.max.ms" = 500 }
TOML

# What the hub asks for. A stop of every kind of moment: before its test, right behind it, and much later.
names=(good good bad crash no_download good)
for ((id = 1; id <= jobs; ++id)); do created "$id" "${names[RANDOM % ${#names[@]}]}"; done >"$WORK/created"
for ((k = 0; k < unreadable; ++k)); do
  sed -i "$((RANDOM % jobs + 1))i unreadable $k {" "$WORK/created"
done
shuf -i "1-$jobs" -n "$stops" --random-source=<(yes "${SEED:-1}") >"$WORK/stopped_ids"
split -n l/3 "$WORK/stopped_ids" "$WORK/stops."
trap 'tail -n 40 "$WORK/worker.out" >&2; tail -n 3 "$HUB"/* >&2; broken "failed: $BASH_COMMAND"' ERR
in_messages() { sed 's/.*/{"id":&}/' "$1" >"$1.messages"; }
for part in aa ab ac; do in_messages "$WORK/stops.$part"; done
half=$(($(wc -l <"$WORK/created") / 2))
head -n "$half" "$WORK/created" >"$WORK/created.1"
tail -n "+$((half + 1))" "$WORK/created" >"$WORK/created.2"

notices_told() { wc -l <"$HUB/notices"; }
has_told() { (($(notices_told) >= $1)) || is_over; }
final='select(.ci_status | IN("success", "failed", "stopped")) | .id'
finals() { jq -r "$final" "$HUB/notices" | sort -un | wc -l; }
is_over() { (($(finals) == jobs)); }

ask put-file accuracy_test_stopped "$WORK/stops.aa.messages" # before their tests
ask put-file accuracy_test_created "$WORK/created.1"
start_worker
for ((k = 0; k < kills; ++k)); do
  wait_for has_told $((($(notices_told) + RANDOM % (2 * jobs / (kills + 1) + 1))))
  kill -KILL "$worker"
  wait "$worker" 2>/dev/null || true
  case $k in
    0) ask put-file accuracy_test_created "$WORK/created.2" ;;
    1) ask put-file accuracy_test_stopped "$WORK/stops.ab.messages" ;;
    2) touch "$HUB/broken" ;;
    3) ask put-file accuracy_test_stopped "$WORK/stops.ac.messages" ;;
  esac
  start_worker
  if [[ -e $HUB/broken ]]; then
    wait_for test -s "$HUB/refused"
    rm "$HUB/broken"
  fi
done
until is_over; do wait_for has_told $(($(notices_told) + 1)); done # something within 90 s

# What stays unread is no message: the group has acknowledged all.
committed_all() { ask committed gate "$1" && [[ $answer == "$2" ]]; }
wait_for committed_all accuracy_test_created $((jobs + unreadable))
kill -TERM "$worker"
wait "$worker" || true

python3 "$SOURCE/tests/worker/ends.py" "$HUB/notices" "$WORK/created" "$WORK/stopped_ids" "$WORK/stops.aa"

ask read gate_dead_letter "$unreadable"
[[ $(jq -r '.[] | [.payload, .headers.error, .headers.topic] | join("|")' <<<"$answer" | sort -u) == "$(for ((k = 0; k < unreadable; ++k)); do
  echo "unreadable $k {|is no JSON|accuracy_test_created"
done | sort)" ]] || broken "not as it should be in the dead-letter topic: $answer"

nothing_is_left() { [[ -z $(grep -lszF "ACCURACY_TEST_ID" /proc/[0-9]*/environ 2>/dev/null | xargs -r grep -lszF "PWD=$WORK" || true) ]]; }
wait_for nothing_is_left
expect_exit 0 gate devices
refute_out 'leased by'
