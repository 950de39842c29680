# gate run --shard I/N takes its part of the cases, and gate report --merge makes of all parts the report of one run;
# what is missing, doubled or of another commit is not green. More is said by tests/unit/app/{shards,merge}_test.cpp.
. "$(dirname "$0")/_lib"

suite
megatron_log 2.500000E+00 2.400000E+00 2.300000E+00 >good.log
megatron_log 2.500000E+00 2.450000E+00 2.300000E+00 >bad.log
for name in a b c d sub/e; do script $name <<<$'#GATE tags=good\ncat good.log'; done
script red <<<'cat bad.log'
script crashed <<<'cat good.log; exit 9'
script skipped <<<$'#GATE platform=ascend-*\ncat good.log'
script unjudged <<<'cat good.log'
printf '[suite]\nname = "parts"\n' >gate.toml
for name in a b c d sub/e red crashed skipped; do
  expect_exit 0 gate baseline import good.log --case $name --accept --reason "first numbers"
done
cp baselines/a.json baselines/gone.json && sed -i 's/"case": "a"/"case": "gone"/' baselines/gone.json
git init -q . && git add . && git commit -qm one

shards() { # NAME N [WORD...]: runs of all shards in $WORK/NAME/I
  local number
  for ((number = 1; number <= $2; number++)); do run gate run --shard "$number/$2" --out "$WORK/$1/$number" "${@:3}"; done
}
# What a report says, but for where and when its cases ran.
facts() {
  jq -S '{exit_code, words, tags, totals: (.totals | del(.device_time_s)),
    cases: [.cases[] | {case, verdict, reason, steps, checks: [.checks[] | {rule, status, actual}], files: (.artifacts | keys)}]}' "$1"
}

# --- all shards are the one run, wherever their folders are by now ---
expect_exit 1 gate run --report json="$WORK/one.json"
facts "$WORK/one.json" >"$WORK/one"
[[ $(jq '[.cases[].verdict] | unique | length' "$WORK/one.json") == 5 ]] || broken "not five verdicts"
for count in 1 3 20; do
  shards "ran$count" $count
  mv "$WORK/ran$count" "$WORK/kept$count"
  expect_exit 1 gate report --merge "$WORK/kept$count"/* --report json="$WORK/merged.json"
  facts "$WORK/merged.json" >"$WORK/merged"
  expect_same "$WORK/one" "$WORK/merged"
  [[ $(jq -s 'map(.split) | unique | length' "$WORK/kept$count"/*/result.json) == 1 ]] || broken "the shards were not split alike"
  while read -r file; do [[ $file == "$WORK/kept$count/"* && -e $file ]] || broken "no artifact: $file"; done \
    < <(jq -r '.cases[].artifacts[]' "$WORK/merged.json")
done
expect_json "$WORK/kept20/20/result.json" '.shard == "20/20" and .cases == [] and .exit_code == 3'
expect_json "$WORK/merged.json" 'has("shard") or has("missing") | not'
expect_json "$WORK/kept3/1/result.json" '[.cases[].case] | contains(["gone"])'

# --- in every format, with charts and log lines of the shards' folders ---
expect_exit 1 gate report --merge "$WORK"/kept3/* --report html="$WORK/page.html" --report junit="$WORK/junit.xml"
expect_last_line '^RED: 1 crashed, 1 regressed, 2 unjudged, 5 passed, 1 skipped \(exit 1\)$'
expect_file "$WORK/page.html" "$WORK/kept3"
expect_file "$WORK/page.html" '2.450000E+00'
xmllint --noout "$WORK/junit.xml"
for format in json junit markdown comment annotations openmetrics html csv; do
  expect_exit 1 gate report --merge "$WORK"/kept3/*/result.json --format $format
done
expect_out 'red,lm_loss,,2,2.450000,2.400000,'
expect_exit 0 gate report "$WORK/kept3/2"
expect_out "shard 2/3"
expect_exit 0 gate report "$WORK/kept3/2" --format junit
expect_out '<property name="shard" value="2/3"'
expect_exit 2 gate report "$WORK"/kept3/*
expect_err "--merge"
expect_exit 2 gate report --merge
expect_exit 2 gate run --shard 4/3
expect_err "is no shard"

# --- green only with all of them ---
shards good 3 --tag good
expect_exit 0 gate report --merge "$WORK"/good/*
expect_last_line '^GREEN: 5 passed \(exit 0\)$'
expect_exit 3 gate report --merge "$WORK"/good/{1,3} --report junit="$WORK/junit.xml"
expect_last_line '^RED: 1 shard missing \(2/3\), [1-4] passed \(exit 3\)$'
expect_file "$WORK/junit.xml" '<error message="RED: 1 shard missing (2/3)'
expect_exit 2 gate report --merge "$WORK"/good/* "$WORK/good/2"
expect_err "neither started later"
expect_exit 2 gate report --merge "$WORK"/good/{1,2} "$WORK/kept3/3"
expect_err "have not the same --tag: good, and none"
expect_exit 2 gate report --merge "$WORK"/good/{1,2} "$WORK/kept20/3"
expect_err "number of shards"
expect_exit 2 gate run --again "$WORK/good/1" --shard 1/3
expect_err "shard"

# --- a job that was tried again: the later run counts ---
cp -r "$WORK/good/2" "$WORK/good/2-first"
jq '.started = "2020-01-02T03:04:05Z" | .exit_code = 1 | .cases[0].verdict = "regressed"' "$WORK/good/2/result.json" >"$WORK/good/2-first/result.json"
expect_exit 0 gate report --merge "$WORK"/good/*
expect_out "2-first is left out, started 2020-01-02T03:04:05Z, exit 1"
rm -r "$WORK/good/2-first"

# --- another commit, another suite, changed by hand ---
git commit -qm two --allow-empty
run gate run --shard 2/3 --tag good --out "$WORK/good/2"
expect_exit 2 gate report --merge "$WORK"/good/*
expect_err "have not the same commit"
git reset -q --hard HEAD^
script new <<<$'#GATE tags=good\ncat good.log'
run gate run --shard 2/3 --tag good --out "$WORK/good/2"
expect_exit 2 gate report --merge "$WORK"/good/*
expect_err "split of the suite's cases"
rm scripts/new.sh
git reset -q --hard HEAD
run gate run --shard 2/3 --tag good --out "$WORK/good/2"
expect_exit 0 gate report --merge "$WORK"/good/*
jq 'del(.cases[0])' "$WORK/good/2/result.json" >"$WORK/changed" && mv "$WORK/changed" "$WORK/good/2/result.json"
expect_exit 2 gate report --merge "$WORK"/good/*
expect_err "was changed"
