#!/usr/bin/env bash
# Outputs of a case: text, numbers and results of evaluation tools, each judged beside its golden file.
. "$(dirname "$0")/_lib"

suite
mkdir golden
printf 'the cat sat on the mat today\nit was a fine day in the park\n' >golden/answer.txt
script infer <<'SH'
mkdir -p out
echo "${LOG:-}"
printf '%s\n' "${FIRST:-the cat sat on the mat today}" "${SECOND:-it was a fine day in the park}" >out/answer.txt
echo "{\"loss\": [${LOSS:-2.0, 1.5, 1.25}]}" >out/loss.json
cat >out/results_1.json <<JSON
{"results": {"arc_easy": {"alias": "arc_easy", "acc,none": ${ACC:-0.70}, "acc_stderr,none": 0.01},
             "wikitext": {"alias": "wikitext", "word_perplexity,none": ${PPL:-12.0}, "word_perplexity_stderr,none": "N/A"}},
 "versions": {"arc_easy": ${VERSION:-1.0}, "wikitext": 2.0},
 "n-shot": {"arc_easy": ${SHOTS:-0}, "wikitext": 0},
 "n-samples": {"arc_easy": {"original": 2376, "effective": ${SAMPLES:-2376}}, "wikitext": {"original": 62, "effective": 62}},
 "higher_is_better": {"arc_easy": {"acc": true}, "wikitext": {"word_perplexity": false}}}
JSON
SH
FIRST='' LOSS='' bash scripts/infer.sh
cp out/loss.json golden/loss.json
cp out/results_1.json golden/results.json
rm -r out
cat >gate.toml <<'TOML'
[case.infer.outputs.answer]
file = "out/answer.txt"
golden = "golden/answer.txt"
metric = "bleu"
tolerance = ">= 0.75"
[case.infer.outputs.loss]
file = "out/loss.json"
golden = "golden/loss.json"
key = "loss"
metric = "mean_relative_error"
tolerance = "<= 0.02"
[case.infer.outputs.eval]
file = "out/results_*.json"
golden = "golden/results.json"
metric = "results"
key = ["arc_*"]
tolerance = "within 2 standard errors"
[case.infer.outputs.perplexity]
file = "out/results_*.json"
golden = "golden/results.json"
metric = "results"
key = ["wikitext.*"]
tolerance = "+1 %"
TOML

expect_exit 0 gate run --report json=out.json
expect_json out.json '[.cases[0].checks[] | select(.status == "pass") | .metric] == ["answer.bleu", "loss.mean_relative_error", "eval.arc_easy.acc", "perplexity.wikitext.word_perplexity"]'
expect_json out.json '.cases[0].outputs[0].scores[0].signature == "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0"'

# --- each output can fail -------------------------------------------------------------------------
expect_exit 1 gate run --env 'FIRST=a dog lay under some old tree'
expect_out 'answer.bleu'
expect_out 'line 1, the first and the worst'
expect_out 'golden  the cat sat on the mat today'
expect_out 'actual  a dog lay under some old tree'
expect_exit 1 gate run --env 'LOSS=2.0, 1.5, 1.4'
expect_out 'loss.mean_relative_error'
expect_exit 4 gate run --env 'LOSS=2.0, 1.5'
expect_exit 1 gate run --env ACC=0.66
expect_out 'eval.arc_easy.acc'
expect_exit 0 gate run --env ACC=0.68
expect_exit 1 gate run --env PPL=12.5
expect_exit 0 gate run --env PPL=11

# --- a loss that is NaN is not green beside good outputs, in whatever log ------------------------------
for line in "{'loss': nan, 'epoch': 1.0}" '{"step": 1, "loss": NaN}' "$(megatron_log 2.5 nan)"; do
  expect_exit 1 gate run --env "LOG=$line"
  expect_out 'lm_loss (rule finite)  1 step not finite'
done
expect_exit 0 gate run --env 'LOG={"step": 1, "loss": NaN}' --set rules.finite=false

# --- scores of what was done otherwise say nothing ---------------------------------------------------
for other in VERSION=2.0 SHOTS=5 SAMPLES=100 SHOTS=null; do
  expect_exit 3 gate run --env "$other" --report json=out.json
  expect_json out.json '.cases[0].verdict == "unjudged"'
done

sed 's/"arc_easy": {"alias"/"arc_hard": {"alias"/' golden/results.json >fewer.json
expect_exit 4 gate score fewer.json golden/results.json --metric results --tolerance 'within 2 standard errors' --key 'arc_*'
sed 's/"acc_stderr,none": 0.01/"acc_stderr,none": -5/; s/0.70/0.10/' golden/results.json >negative.json
expect_exit 3 gate score negative.json golden/results.json --metric results --tolerance 'within 2 standard errors' --key 'arc_*'
expect_out 'negative'
sed 's/"acc_stderr,none": 0.01/"acc_stderr,none": 5/; s/0.70/0.60/' golden/results.json >boasting.json
expect_exit 1 gate score boasting.json golden/results.json --metric results --tolerance 'within 2 standard errors' --key 'arc_*'
sed 's/2376/0/g' golden/results.json | tee none.json >none_golden.json
expect_exit 3 gate score none.json none_golden.json --metric results --tolerance '-1 %' --key 'arc_*'
# A glob that selects nothing is no check that passes, whatever the others select.
cp golden/results.json same.json
expect_exit 3 gate score same.json golden/results.json --metric results --tolerance 'within 2 standard errors' --key 'arc_*,arcc_*'
expect_out 'that arcc_* selects'
printf '\xef\xbb\xbf' | tee mark.txt >mark_golden.txt
expect_exit 4 gate score mark.txt mark_golden.txt --metric exact_match --tolerance '>= 1'
expect_exit 3 gate score golden/answer.txt mark_golden.txt --metric exact_match --tolerance '>= 1'

# --- beside a red output what is missing is told, too ---------------------------------------------------
printf 'a dog\nlay\n' >red.txt
expect_exit 1 gate check /dev/null --case infer --output answer=red.txt --report json=out.json
expect_out_match '^  problem  output eval: no file of it is given: --output eval=FILE$'
expect_json out.json '[.cases[0].problems[] | select(.text | startswith("output perplexity: "))] | length == 1'

# --- missing, empty, old, of several files --------------------------------------------------------------
cp scripts/infer.sh kept.sh
echo 'rm out/answer.txt' >>scripts/infer.sh
expect_exit 4 gate run
expect_out 'output answer: the script wrote no out/answer.txt'
cp kept.sh scripts/infer.sh
echo 'touch -d "2 days ago" out/answer.txt' >>scripts/infer.sh
expect_exit 0 gate run # it did write it: no clock is asked
sed -i 's|>out/answer.txt|>/dev/null|; /touch/d' scripts/infer.sh
for time in '2 days ago' 'now' 'now + 2 days'; do
  cp golden/answer.txt out/answer.txt && touch -d "$time" out/answer.txt
  expect_exit 4 gate run
  expect_out 'the script wrote no out/answer.txt: what is there was last written before the launch'
  expect_same golden/answer.txt out/answer.txt
done
cp kept.sh scripts/infer.sh
echo 'echo > out/answer.txt' >>scripts/infer.sh
expect_exit 4 gate run
expect_out 'is empty'
cp kept.sh scripts/infer.sh
echo 'cp out/results_1.json out/results_2.json' >>scripts/infer.sh
expect_exit 4 gate run
expect_out '2 files match out/results_*.json'
rm -r out
cp kept.sh scripts/infer.sh
echo 'head -n 1 out/answer.txt > part; mv part out/answer.txt' >>scripts/infer.sh
expect_exit 4 gate run
expect_out 'has 1 line, and'
cp kept.sh scripts/infer.sh
# What is not there is told before anything starts, of its case alone; a recording needs none.
mv golden/answer.txt golden/other.txt
rm -rf out
script beside <<<'exit 1'
for command in 'run' 'run --dry-run' 'baseline lint'; do
  run gate $command
  expect_out 'output answer: golden file golden/answer.txt: no such file (gate.toml:3:10); put there what out/answer.txt is of a good run, or correct the path'
  [[ $command != run ]] || expect_json .gate/latest/result.json '.cases | map(.verdict) == ["crashed", "unjudged"]'
done
refute_file out
expect_exit 0 gate baseline record infer
rm -r out scripts/beside.sh
mv golden/other.txt golden/answer.txt

# --- what is held against itself, or against what the script wrote, is not judged ------------------------
cp kept.sh scripts/infer.sh
echo 'ln -sf ../golden/answer.txt out/answer.txt; touch golden/answer.txt' >>scripts/infer.sh
expect_exit 4 gate run
expect_out 'is the golden file itself'
rm -r out
cp golden/answer.txt answer.kept
for way in 'cp out/answer.txt golden/answer.txt' 'cp out/answer.txt golden/answer.txt; touch -d yesterday golden/answer.txt'; do
  cp kept.sh scripts/infer.sh
  echo "$way" >>scripts/infer.sh
  expect_exit 1 gate run --env 'FIRST=something else' # judged by what it was
  expect_out 'was written while the script ran'
  expect_out 'golden  the cat sat on the mat today'
  cp answer.kept golden/answer.txt
done
cp kept.sh scripts/infer.sh
mv golden/answer.txt golden/other.txt && mkfifo golden/answer.txt
expect_exit 3 gate run
expect_out 'is no plain file'
mv golden/other.txt golden/answer.txt
rm -rf out

# --- two cases that write one file do not run side by side -----------------------------------------------
suite twins
script one <<<'sleep 0.3; echo right >shared.txt; sleep 0.3'
script two <<<'sleep 0.5'
echo right >golden.txt
cat >gate.toml <<'TOML'
[defaults.outputs.text]
file = "shared.txt"
golden = "golden.txt"
metric = "exact_match"
tolerance = ">= 1"
TOML
expect_exit 4 gate run --jobs 2
expect_out 'was last written before the launch'
cd ../suite

# --- what would leave an output unjudged is a mistake ---------------------------------------------------
for setting in 'judge=exit' 'profile=megatron' 'phases=a,b'; do
  expect_exit 2 gate run --set "$setting"
done
sed -i 's/">= 0.75"/"<= 0.75"/' gate.toml
expect_exit 2 gate run
expect_err 'higher is better'
sed -i 's/"<= 0.75"/">= 0.75"/; s/metric = "bleu"/metric = "blue"/' gate.toml
expect_exit 2 gate run
expect_err 'unknown metric of an output "blue"'
sed -i 's/metric = "blue"/metric = "bleu"/' gate.toml

# --- under another policy the golden file is the ref's ---------------------------------------------------
git init -q . && git add -A && git commit -qm first
echo 'something else entirely, as if it were right' >golden/answer.txt
echo 'and more of it that nobody approved of' >>golden/answer.txt
expect_exit 1 gate run --env 'FIRST=something else entirely, as if it were right' \
  --env 'SECOND=and more of it that nobody approved of' --policy-from HEAD
git checkout -q golden
expect_exit 0 gate run

# --- gate score -------------------------------------------------------------------------------------
cp golden/answer.txt mine.txt
expect_exit 0 gate score mine.txt golden/answer.txt --metric bleu --tolerance '>= 0.75'
expect_out 'passed'
printf 'a dog lay under some old tree\nit was a fine day in the park\n' >mine.txt
expect_exit 1 gate score mine.txt golden/answer.txt --metric bleu --tolerance '>= 0.75' --json
cp "$WORK/.last/out" score.json
expect_json score.json '.verdict == "regressed" and .scores[0].first.number == 1 and .scores[0].differing == 1 and .scores[0].value < 0.75'
expect_exit 0 gate score mine.txt golden/answer.txt --metric bleu
expect_exit 4 gate score nowhere.txt golden/answer.txt --metric bleu --tolerance '>= 0.75'
expect_exit 3 gate score mine.txt nowhere.txt --metric bleu --tolerance '>= 0.75'
expect_exit 4 gate score nowhere.txt golden/answer.txt --metric bleu
expect_exit 0 gate score mine.txt golden/answer.txt --metric 'bleu|tok:char|smooth:floor|eff:yes' --json
cp "$WORK/.last/out" score.json
expect_json score.json '.scores[0].signature == "nrefs:1|case:mixed|eff:yes|tok:char|smooth:floor[0.10]|version:2.6.0"'
value=$(jq '.scores[0].value' score.json)
expect_exit 0 gate score mine.txt golden/answer.txt --metric "bleu|$(jq -r '.scores[0].signature' score.json)" --json
expect_json "$WORK/.last/out" ".scores[0].value == $value"
expect_exit 2 gate score mine.txt golden/answer.txt --metric 'bleu|nc:6'
expect_err 'bleu has no word "nc"; its words are case, eff, tok, smooth, order, nrefs, version'
expect_exit 2 gate score mine.txt golden/answer.txt --metric 'bleu|nrefs:2'
expect_exit 2 gate score mine.txt golden/answer.txt --metric bleu --tolerance '<= 0.75'
expect_exit 2 gate score mine.txt golden/answer.txt
expect_exit 0 gate score out/results_1.json golden/results.json --metric results --tolerance 'within 2 standard errors' --key 'arc_*'

# --- saved outputs with their log --------------------------------------------------------------------
FIRST='' LOSS='' bash scripts/infer.sh
cp out/answer.txt saved.txt
: >empty.log
all=(--output loss=out/loss.json --output eval=out/results_1.json --output perplexity=out/results_1.json)
expect_exit 0 gate check empty.log --case infer --output answer=saved.txt "${all[@]}" --json
expect_json "$WORK/.last/out" '[.cases[0].checks[] | select(.status == "pass") | .metric] == ["answer.bleu", "loss.mean_relative_error", "eval.arc_easy.acc", "perplexity.wikitext.word_perplexity"]'
expect_exit 0 gate check /dev/null --case infer --output answer=saved.txt "${all[@]}"
expect_exit 1 gate check empty.log --case infer --output answer=mine.txt "${all[@]}"
expect_out 'golden  the cat sat on the mat today'
expect_exit 4 gate check empty.log --case infer "${all[@]}"
expect_out 'output answer: no file of it is given: --output answer=FILE'
expect_exit 4 gate check empty.log --case infer
expect_exit 4 gate check empty.log --case infer --output answer=saved.txt --output loss=out/loss.json
expect_out 'output eval: no file of it is given: --output eval=FILE'
expect_exit 4 gate check empty.log --case infer --output answer=nowhere.txt "${all[@]}"
expect_out 'nowhere.txt'
expect_exit 2 gate check empty.log --case infer --output anwser=saved.txt
expect_err '--output anwser: infer has no such output; did you mean "answer"?; it has answer, eval, loss, perplexity'
for words in 'answer' 'answer=' '=saved.txt' 'answer=saved.txt --output answer=mine.txt'; do
  # shellcheck disable=SC2086 # several words
  expect_exit 2 gate check empty.log --case infer --output $words
done
expect_exit 2 gate check empty.log --baseline empty.log --output answer=saved.txt
sed 's|"golden/answer.txt"|"{stages}/answer.txt"|' gate.toml >shared.toml
cp golden/answer.txt .
expect_exit 3 gate check empty.log --case infer --config shared.toml --output answer=saved.txt "${all[@]}"
expect_out '{stages}/answer.txt'
