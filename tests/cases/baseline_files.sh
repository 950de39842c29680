# Baselines are listed, moved and removed with their chains, at once and cut off in the middle.
. "$(dirname "$0")/_lib"

suite
megatron_log 2.500000E+00 2.400000E+00 2.300000E+00 >run.log
for name in a b c; do
  script "$name" <<<"cat run.log # $name"
  expect_exit 0 gate baseline record "$name"
done
expect_exit 0 gate baseline accept --reason "first numbers"
expect_exit 0 gate baseline list
expect_out_match '^a +cpu +cpu +1 +20.* first numbers'

# A renamed script: the run says so and is not green, mv takes the chain along.
mv scripts/a.sh scripts/new-name.sh
expect_exit 3 gate run
expect_out 'gate baseline mv a new-name'
expect_exit 1 gate baseline lint
expect_out 'gate baseline mv a new-name'
run gate baseline list
expect_out 'gate baseline mv a new-name'
expect_exit 0 gate baseline mv a new-name --reason "the script was renamed"
expect_json baselines/cpu/new-name.json '.case == "new-name" and (.accepted | length) == 2 and .accepted[1].from == "baselines/cpu/a.json"'
refute_file baselines/cpu/a.json
expect_exit 0 gate run
expect_exit 3 gate baseline mv new-name b
expect_err 'baselines/cpu/b.json is there already'
expect_exit 2 gate baseline mv nosuch b
expect_exit 0 gate baseline rm c --reason "guards nothing"
expect_file .gate/removed/cpu/c.*.json '"reason": "removed: guards nothing"'
refute_file baselines/cpu/c.json
expect_exit 2 gate baseline rm c --reason "again"

# Another tool's golden file is moved as it is; the only case that begins likewise is said to be what it is of.
mkdir -p "$WORK/golden/scripts" && cd "$WORK/golden"
printf '[suite]\nbaselines = "golden/{case}.json"\n' >gate.toml
script pp4 <<<'cat run.log'
cp "$WORK/suite/run.log" . && mkdir golden && echo '{"lm loss": [2.5, 2.4, 2.3]}' >golden/pp4_ptd.json
expect_exit 3 gate run
expect_out 'no script has its name, and the name of case pp4 begins likewise: gate baseline mv pp4_ptd pp4'
expect_exit 0 gate baseline mv pp4_ptd pp4
[[ $(<golden/pp4.json) == '{"lm loss": [2.5, 2.4, 2.3]}' ]] || broken 'it is another file'
refute_file golden/pp4_ptd.json
expect_exit 0 gate run
expect_exit 3 gate baseline rm pp4 --reason "guards nothing"
expect_err 'remove it as any file: rm golden/pp4.json'
cd "$WORK/suite"

# Fifty at once, some killed in the middle: every file is whole, every chain grows, nothing that was said to be done is lost.
rm -rf baselines/* .gate/candidates scripts/*
for i in {1..12}; do
  script "s$i" <<<"cat run.log"
  cp run.log "s$i.log"
done
expect_exit 0 gate baseline record 's*'
expect_exit 0 gate baseline accept --reason "first"
tell() { "$@" >/dev/null 2>&1 && echo "$*" >>done.txt; }
: >done.txt
pids=()
for i in {1..12}; do
  mkdir -p .gate/candidates/cpu && cp "baselines/cpu/s$i.json" .gate/candidates/cpu/
done
for i in {1..12}; do
  for _ in 1 2; do tell gate baseline accept "s$i" --reason "again" & pids+=($!); done
  tell gate baseline mv "s$i" "t$i" & pids+=($!)
done
for i in {1..12}; do # killed after 4 to 48 ms, wherever they are by then
  timeout -s KILL "$(printf 0.%03d $((4 * i)))" gate baseline mv "s$i" "t$i" >/dev/null 2>&1 &
done
gate baseline rm s1 --reason "no more" >/dev/null 2>&1 & gate baseline rm t2 --reason "no more" >/dev/null 2>&1 &
wait
for file in baselines/cpu/*.json; do
  expect_json "$file" '.schema == "gate.baseline/1" and (.runs | length) == 1 and .accepted[0].reason == "first"'
done
for i in {3..12}; do
  # Cut off between writing and removing both are there; the next mv ends it.
  if [[ -e baselines/cpu/s$i.json && -e baselines/cpu/t$i.json ]]; then expect_exit 0 gate baseline mv "s$i" "t$i"; fi
  [[ -e baselines/cpu/s$i.json || -e baselines/cpu/t$i.json ]] || broken "s$i is lost"
  accepted=$(grep -c "accept s$i " done.txt || true)
  chain=$(jq '[.accepted[] | select(.reason == "again")] | length' baselines/cpu/[st]"$i".json | sort -n | tail -1)
  ((chain >= accepted)) || broken "s$i: $accepted acceptances were reported, and its chain has $chain"
done
((${#pids[@]} == 36)) || broken "36 were meant to run"
