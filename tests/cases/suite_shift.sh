# An upgrade that moves all cases is told once and first: by compare, baseline diff and history.
. "$(dirname "$0")/_lib"

# Five cases whose throughput is that of the file `speed`, but for what the file of the case's name says.
suite
for name in model1 model2 model3 model10 model11; do
  script $name <<END_OF_SCRIPT
here=\${BASH_SOURCE[0]%/*}/..
speed=\$(<"\$here/speed")
[[ ! -f \$here/$name ]] || speed=\$(<"\$here/$name")
for step in \$(seq 12); do
  printf ' iteration %d/ 12 | throughput per GPU (TFLOP/s/GPU): %s | lm loss: 2.500000E+00 | grad norm: 1.5 |\n' "\$step" "\$speed"
done
END_OF_SCRIPT
done
echo 200.0 >speed
git init -q && echo .gate >.gitignore && git add -A && git commit -qm first
expect_exit 0 gate baseline record '**'
expect_exit 0 gate baseline accept --reason "first numbers"
git add -A && git commit -qm baselines
expect_exit 0 gate run
before=$(latest)

git commit -q --allow-empty -m work
echo 200.6 >speed && echo 180.0 >model11
git add -A && git commit -qm "image 2.0" --date 2026-11-20T12:00:00Z
expect_exit 1 gate run
refute_out common-shift
expect_exit 0 gate -q report
refute_out 'moved together'
refute_out common-shift
shift='throughput: 4 of 5 cases moved together, median +0.3 % (+0.3..+0.3); apart: model11 -10.0 %'
expect_exit 0 gate compare "$before" "$(latest)"
[[ $(sed -n 4p "$WORK/.last/out") == "$shift" ]] || broken "the shift is not compare's first line"
expect_exit 0 gate compare "$before" "$(latest)" --json --report html="$WORK/compare.html"
expect_json "$WORK/.last/out" '.triage.metrics[] | select(.metric == "throughput") | .together == 4 and .median_percent == 0.3'
expect_json "$WORK/.last/out" '.triage.apart[0].case == "model11"'
expect_file "$WORK/compare.html" 'throughput: 4 of 5 cases moved together'

expect_exit 1 gate baseline diff "$(latest)"
[[ $(sed -n 1p "$WORK/.last/out") == "$shift" ]] || broken "the shift is not the diff's first line"
[[ $(grep -c 'moved together' "$WORK/.last/out") == 1 ]] || broken "the diff tells the shift twice"

# Of several cases a row each, of what fails or moved most; all with -v.
[[ $(grep -cE '^model[0-9]+ +(throughput|lm_loss) +step ' "$WORK/.last/out") == 5 ]] || broken "not a row a case"
expect_out_match '^model11 +throughput .* fail$'
expect_out_match '^[0-9]+ series in all: -v$'
expect_exit 1 gate -v baseline diff "$(latest)"
expect_out_match '^model11 +lm_loss .* pass$'
expect_exit 1 gate baseline diff "$(latest)" --json
expect_json "$WORK/.last/out" '.triage.metrics[] | select(.metric == "throughput") | .together == 4'

expect_exit 0 gate history
expect_out_match '^the latest run [0-9-]+ \([0-9-]+, commit [0-9a-f]{7}\) against the one before$'
expect_out "  $shift"
expect_out_match '^model2   GG$'
expect_out_match '^model11  GR$'
[[ $(grep -n '^model2 ' "$WORK/.last/out" | cut -d: -f1) -lt $(grep -n '^model10 ' "$WORK/.last/out" | cut -d: -f1) ]] ||
  broken "model2 comes before model10"

# Since when, and the line that finds the commit: it is run as it stands.
expect_exit 0 gate history model11
expect_out_match '^  red     since run [0-9-]+ \([0-9-]+, commit [0-9a-f]{7} of 2026-11-20 "image 2.0"\), regressed$'
expect_out_match '^  green   until run [0-9-]+ \([0-9-]+, commit [0-9a-f]{7} of [0-9-]+ "baselines"\)$'
expect_out_match '^  bisect  git bisect start [0-9a-f]{7} [0-9a-f]{7} && git bisect run gate run model11 --bisect$'
bisect=$(sed -n 's/^  bisect  //p' "$WORK/.last/out")
bash -c "$bisect" >"$WORK/bisected" 2>&1 || broken "the line to paste does not work: $(<"$WORK/bisected")"
expect_file "$WORK/bisected" 'is the first bad commit'
git bisect reset >/dev/null 2>&1
expect_json <(gate history --json) '.cases[] | select(.case == "model11") | .runs | length == 3' # none of the bisection

# What it ran on is remembered: with another image a flip is no flakiness.
gate history --export | jq -c 'select(.cases | length == 5)' | tail -1 >"$WORK/one.jsonl"
expect_json "$WORK/one.jsonl" '.cases[0].ran_on.kernel | length > 0'
rm -rf "$WORK/other" && suite other
for run in 1 2 3 4; do
  verdict=passed image=train:1
  ((run < 3)) || verdict=regressed image=train:2
  jq -c --arg run "r$run" --arg verdict $verdict --arg image $image '.uid = $run | .run = $run |
    .started = "2026-11-0\($run[1:])T00:00:00Z" | .cases |= map(.verdict = $verdict | .ran_on = {image: $image})' "$WORK/one.jsonl"
done >runs.jsonl
expect_exit 0 gate history --import runs.jsonl
expect_exit 0 gate history
expect_out_match '^since run r3 \(2026-11-03, commit [0-9a-f]{7}\), image train:1 -> train:2$'
expect_exit 0 gate history model1
refute_out flaky
expect_out_match '^  ran on  image train:1 -> train:2 in run r3 .*; the verdict changed with it$'

# Runs of one second stand as they were remembered. A case that hung moved nothing, whatever the steps are whose mean it has.
rm -rf "$WORK/third" && suite third
for run in r-2 r-10; do
  jq -c --arg run $run '.uid = $run | .run = $run | .started = "2026-11-01T00:00:00Z" | if $run == "r-2" then . else
    .cases[0] |= (.verdict = "hung" | (.checks[] | select(.metric == "lm_loss")) |= (.status = "undecided" | .value = 2.9)) end' "$WORK/one.jsonl"
done >runs.jsonl
expect_file runs.jsonl '"value":2.9'
expect_exit 0 gate history --import runs.jsonl
expect_exit 0 gate history
expect_out_match '2 runs, r-2 to r-10$'
refute_out 'apart: '
