# One history, many gates: twenty that write at once lose nothing, and one that is killed while it writes leaves
# the history as it was before.
. "$(dirname "$0")/_lib"

suite one
megatron_log 2.500000E+00 2.400000E+00 2.300000E+00 >good.log
script c <<<'cat "${BASH_SOURCE[0]%/*}/../good.log"'
echo '[suite]
history = "../shared/history.db"' >gate.toml
expect_exit 0 gate baseline import good.log --case c --accept --reason "first numbers"
cp -r "$WORK/one" "$WORK/two"

writers=()
for i in {1..10}; do
  for name in one two; do
    gate -q -C "$WORK/$name" run >"$WORK/$name.$i.out" 2>&1 &
    writers+=($!)
  done
done
for pid in "${writers[@]}"; do wait "$pid" || broken "a run ended with $?: $(cat "$WORK"/*.out)"; done
! grep -l 'not remembered' "$WORK"/*.out || broken "a run was not remembered"
expect_json <(gate history --json) '.cases[0] | (.runs | length == 20) and .green == 20'

# An import of many runs is one transaction; it is killed while the log of what it writes grows.
gate history --export | jq -c . >"$WORK/one.jsonl"
awk '{ run[NR] = $0 } END { for (i = 1; i <= 300; i++) for (k = 1; k <= NR; k++) { one = run[k]; sub(/"uid":"/, "&" i "-", one); print one } }' \
  "$WORK/one.jsonl" >"$WORK/many.jsonl"
size_of_wal() { stat -c %s "$WORK/shared/history.db-wal" 2>/dev/null || echo 0; }
grown() { (($(size_of_wal) > before)) || ! kill -0 "$writer" 2>/dev/null; }
cut=0
for i in {1..5}; do
  before=$(size_of_wal)
  gate history --import "$WORK/many.jsonl" >"$WORK/import.out" 2>&1 &
  writer=$!
  wait_for grown
  kill -9 "$writer" 2>/dev/null || true
  wait "$writer" 2>/dev/null || true
  runs=$(gate history --last 0 --json | jq '.cases[0].runs | length')
  [[ $runs == 20 || $runs == 6020 ]] || broken "$runs runs after a kill: neither none of the 6000 nor all"
  [[ $runs == 6020 ]] || cut=$((cut + 1))
done
((cut > 0)) || broken "no import was cut off"
expect_exit 0 gate -C "$WORK/two" run
expect_exit 0 gate history --import "$WORK/many.jsonl"
expect_json <(gate history --last 0 --json) '.cases[0].runs | length == 6021'
