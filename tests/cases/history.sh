# Every run is remembered; the trend over them tells of changes, flakiness, and since when a case is red.
. "$(dirname "$0")/_lib"

# The case c with the time per iteration in the file `time` and the loss in `loss`, and a commit of it.
suite
script c <<'END'
here=${BASH_SOURCE[0]%/*}/..
for step in $(seq 12); do
  printf ' iteration %d/ 12 | elapsed time per iteration (ms): %s | lm loss: %s | grad norm: 1.5 |\n' \
    "$step" "$(<"$here/time")" "$(<"$here/loss")"
done
END
echo 500.0 >time
echo 2.500000E+00 >loss
commit() { git add -A && git commit -q --allow-empty -m "$1"; }
git init -q && echo .gate >.gitignore && commit first

expect_exit 3 gate history
expect_err "no history yet"
refute_file .gate/history.db
echo '# of runs' >>.gitignore
expect_exit 3 gate run c # no baseline yet
expect_out_match '^commit [0-9a-f]{7}, with uncommitted changes: \.gitignore$'
expect_exit 0 gate baseline accept c --run "$(latest)" --reason "first numbers"
commit baseline
for run in {1..20}; do
  echo "50$((run % 3)).$run" >time # 500 to 502
  gate -q run >/dev/null 2>&1
done

# A step of 2 %, under the tolerance: every run is green, and the history tells it.
commit slower
for run in {1..20}; do
  echo "51$((run % 3)).$run" >time
  gate -q run >/dev/null 2>&1
done
expect_exit 0 gate history
expect_out_match '^c  *cpu  *41  *40 of 40  *0 of 38  *passed  *iteration_time \+2 % since [0-9-]+$'
expect_exit 0 gate history c
expect_out_match '^  [^ ]{24}  iteration_time  mean of last 10  51[0-9.]+ ms$'
expect_out_match '^    \+2 % since run [0-9-]+ \([0-9-]+, commit [0-9a-f]{7}\): 50[0-9.]+ -> 51[0-9.]+ ms, [0-9.]+ x the noise$'
expect_out_match '^    now 51[0-9.]+ ms: \+2.[0-9] % against the baseline \(500 ms\)$'
refute_out flaky

# A green run says so.
expect_exit 0 gate run
expect_out_match 'iteration_time: moved \+2 % since run [0-9-]+, within \+5%: gate history c$'
expect_exit 0 gate history c --report html="$WORK/history.html"
expect_file "$WORK/history.html" '"title":"iteration_time  mean of last 10"'
expect_file "$WORK/history.html" '"kind":"change"'

# The change is at the first run of its commit.
expect_exit 0 gate history c --json
expect_json "$WORK/.last/out" '.schema == "gate.trend/1"'
expect_json "$WORK/.last/out" '.cases[0] as $c | $c.series[] | select(.metric == "iteration_time") |
  .changes[0].run as $at | [$c.runs[] | select(.commit == $c.runs[-1].commit)][0].run == $at'

# Red: since when.
commit more && commit red
echo 2.540000E+00 >loss
expect_exit 1 gate run --out "$WORK/kept one" --report html="$WORK/kept one/report.html"
expect_out_match '^REGRESSED c  green until [0-9a-f]{7}, 2 commits ago  12 steps'
subject=$(git log -1 --format=%s HEAD~2)
expect_json .gate/latest/result.json ".cases[0].green_until | .commits == 2 and .runs_ago == 1 and .subject == \"$subject\""
expect_file "$WORK/kept one/report.html" "2 commits ago: $subject</td>"
expect_exit 0 gate history --report html="$WORK/history.html"
expect_file "$WORK/history.html" "href=\"kept%20one/report.html\">page of the run<"
expect_exit 0 gate run --set rules.lm_loss.tolerance=±0.5 # which is not green as the case is
expect_exit 1 gate run --out "$WORK/kept one"
mkfifo "$WORK/kept one/a.html" # and the page there is of the run before, which alone has a link to it
expect_exit 0 gate history --report html="$WORK/history.html"
[[ $(grep -o 'page of the run<' "$WORK/history.html" | wc -l) == 1 ]] || broken 'a run has the page of another one'
expect_json .gate/latest/result.json '.cases[0].green_until | .commits == 2 and .runs_ago == 2'
echo 2.500000E+00 >loss
expect_exit 0 gate run
refute_out 'green until'
expect_json .gate/latest/result.json '.cases[0] | has("green_until") | not'

# One commit, one baseline, and verdicts that flip.
expect_exit 0 gate history c
expect_out_match '^  flaky   the verdict flipped in 1 of 41 reruns of the same commit, baseline and environment$'
expect_out_match '^  hosts   .*  red in 2 of 44$'

# What was changed for one run is listed, and no part of the trend.
expect_exit 0 gate run --set rules.lm_loss.tolerance=±0.5
expect_exit 0 gate history c
expect_out_match '^[0-9-]+\*  '
expect_out '* with ARGS or --set: no part of the trend'
expect_json <(gate history --json) '.cases[0] | .judged == 44 and (.runs | length) == 47'

# Export, import elsewhere, and forgetting.
gate history --export >"$WORK/runs.jsonl"
[[ $(wc -l <"$WORK/runs.jsonl") == 47 ]] || broken "47 runs, and $(wc -l <"$WORK/runs.jsonl") lines"
gate history --json >"$WORK/before.json"
mkdir "$WORK/elsewhere" && cp -r scripts baselines time loss "$WORK/elsewhere" && cd "$WORK/elsewhere"
expect_exit 0 gate history --import "$WORK/runs.jsonl"
expect_out '47 runs imported into '
expect_exit 0 gate history --import "$WORK/runs.jsonl" # nothing twice
gate history --json >"$WORK/after.json"
expect_same "$WORK/before.json" "$WORK/after.json"
expect_exit 0 gate history --prune 5
expect_out '42 runs forgotten'
expect_json <(gate history --json) '.cases[0].runs | length == 5'
expect_exit 0 gate history --import "$WORK"/suite/.gate/runs/*/result.json
expect_json <(gate history --json) '.cases[0].runs | length == 47'
expect_exit 0 gate history c --last 3 --json
expect_json "$WORK/.last/out" '.cases[0].runs | length == 3'

# What is wrong is told, and changes nothing.
printf '{"schema": "gate.history/1", "uid": "x"}\n' >bad.jsonl
expect_exit 2 gate history --import bad.jsonl "$WORK/runs.jsonl" nosuch
expect_err 'bad.jsonl:1:1: "started" is missing'
expect_err nosuch
expect_json <(gate history --json) '.cases[0].runs | length == 47'
expect_exit 2 gate history d
expect_err 'd: not in the history; did you mean "c"?'
expect_exit 2 gate history --platform nvidia-h100
expect_exit 2 gate history --export --prune 3
expect_exit 2 gate history --import

# A drift of 20 x 0.1 % is one change, from its first run and commit on, and the report of a green run says so.
mkdir "$WORK/ramp" && cp -r scripts baselines loss "$WORK/ramp" && cd "$WORK/ramp"
tail -1 "$WORK/runs.jsonl" | jq -c 'range(60) as $i | .uid = "u\($i)" | .run = "r\($i)" | .altered = false |
  .started = (1767225600 + $i * 3600 | todate) | .commit = "c0ffe\($i + 10)" | .cases[0].verdict = "passed" |
  (.cases[0].checks[] | select(.metric == "iteration_time")).value =
    500 + ($i % 3) * 0.05 + (if $i < 40 then 0 else ($i - 39) * 0.5 end)' >ramp.jsonl
expect_exit 0 gate history --import ramp.jsonl
expect_exit 0 gate history c
expect_out_match '^    rises evenly, \+0\.1 % a run over 20 runs, \+2 % in all, since run r40 \(2026-01-02, commit c0ffe50\): 500'
expect_out_match '^    now 510[.0-9]* ms: \+2 % against the baseline \(500 ms\)$'
expect_json <(gate history c --json) '.cases[0].series[] | select(.metric == "iteration_time") |
  [.changes[] | [.run, .until_run, .shape]] == [["r40", "r59", "ramp"]]'
echo 510.1 >time
expect_exit 0 gate run
expect_out_match 'iteration_time: evenly moved \+2 % since run r40, within \+5%: gate history c$'
cd "$WORK/elsewhere" || exit 1

# Two checkouts of a suite share a history: [suite] history is seen from the suite's folder.
for name in one two; do
  mkdir "$WORK/$name" && cp -r scripts baselines time loss "$WORK/$name"
  echo '[suite]
history = "../shared/history.db"' >"$WORK/$name/gate.toml"
  (cd "$WORK/$name" && gate -q run >/dev/null 2>&1)
done
expect_json <(gate -C "$WORK/one" history --json) '.cases[0].runs | length == 2'
refute_file "$WORK/one/.gate/history.db"

# A history that cannot be used costs a note and no verdict.
echo broken >"$WORK/shared/history.db"
rm -f "$WORK"/shared/history.db-*
expect_exit 0 gate -C "$WORK/one" run
expect_out 'not remembered: '
expect_out 'file is not a database; move the file away, and a new history begins'
expect_last_line '^GREEN: 1 passed'
expect_exit 2 gate -C "$WORK/one" history

# What a metric is, its suite says, and gate's own table only where that is silent. One run is measured; the others
# are that run with another name and value.
suite own
cat >gate.toml <<'TOML'
[metrics.my_speed]
pattern = 'step (?P<step>\d+) .*speed=(?P<value>\S+)'
kind    = "speed"
better  = "higher"
[metrics.my_cost]
pattern = 'step (?P<step>\d+) cost=(?P<value>\S+)'
kind    = "speed"
better  = "lower"
[rules.my_speed]
window = "all"
reduce = "mean"
tolerance = "-20%"
[rules.my_cost]
window = "all"
reduce = "mean"
tolerance = "+20%"
TOML
script c <<<'for step in $(seq 10); do echo "step $step cost=5 speed=100"; done'
expect_exit 3 gate run
expect_exit 0 gate baseline accept c --run "$(latest)" --reason first
expect_exit 0 gate run
expect_json .gate/latest/result.json '.cases[0].checks | map({(.metric): [.kind, .better]}) | add ==
  {my_speed: ["speed", "higher"], my_cost: ["speed", "lower"]}'
gate history --export | tail -n 1 >one.jsonl
# moved SPEED COST: twenty runs as the one, then twenty at those values; then the trend of all.
moved() {
  rm -rf .gate
  jq -c --argjson speed "$1" --argjson cost "$2" 'range(40) as $i | .uid = "u\($i)" | .run = "r\($i)" |
    .started = "2026-11-01T10:\($i + 10):00Z" | .cases[0].checks |= map(.value = ($i % 3 * 0.1) +
    (if $i < 20 then .baseline elif .metric == "my_speed" then $speed else $cost end))' one.jsonl >all.jsonl
  gate history --import all.jsonl >/dev/null
  run gate history c
}
moved 90 5
expect_out_match '^run  .*  my_speed  '
expect_out_match '^r39  .*  90  *'
expect_json <(gate history --json) '.cases[0] | .cells[19:21] == ["green", "drifted"] and
  ([.series[] | select(.metric == "my_speed")][0] | .kind == "speed" and .better == "higher")'
gate history | grep -q '^c  G\{20\}D\{20\}$' || broken "a drop of a speed is none for the worse"
moved 110 5
expect_out_match '^    \+10 % since run r20 '
gate history | grep -q '^c  G\{40\}$' || broken "a rise of a speed is one for the worse"
moved 100 4
gate history | grep -q '^c  G\{40\}$' || broken "a drop of a cost is one for the worse"
moved 100 6
gate history | grep -q '^c  G\{20\}D\{20\}$' || broken "a rise of a cost is none for the worse"
