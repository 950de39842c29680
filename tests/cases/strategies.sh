#!/usr/bin/env bash
# Strategies: which cases a run is about, which of their outputs are judged, which stages are done.
. "$(dirname "$0")/_lib"

suite
mkdir -p golden qwen store
echo 'the cat sat on the mat today' >golden/answer.txt
echo '{"loss": [2.0, 1.5]}' >golden/loss.json
for name in qwen/infer qwen/train llama/infer; do
  script "$name" <<'SH2'
mkdir -p "out/$GATE_CASE"
cp golden/loss.json "out/$GATE_CASE/loss.json"
[[ -z ${SPOILT:-} ]] || echo '{"loss": [9.0, 9.0]}' >"out/$GATE_CASE/loss.json"
echo "${ANSWER:-the cat sat on the mat today}" >"out/$GATE_CASE/answer.txt"
SH2
done
script other <<<'echo nothing to be judged'
cat >gate.toml <<'TOML'
[case."qwen/infer"]
tags = ["nightly"]
outputs.answer = { file = "out/qwen/infer/answer.txt", golden = "golden/answer.txt", metric = "bleu", tolerance = ">= 0.75" }
outputs.loss   = { file = "out/qwen/infer/loss.json", golden = "golden/loss.json", key = "loss", metric = "mean_relative_error", tolerance = "<= 0.02" }
stages.init.command     = "touch store/init"
stages.download.command = "touch store/download"
stages.report.command   = "touch store/report"
stages.upload.to        = "store/uploaded"
[case."llama/infer"]
outputs.answer_zh = { file = "out/llama/infer/answer.txt", golden = "golden/answer.txt", metric = "bleu", tolerance = ">= 0.75" }
[case."qwen/train"]
judge = "exit"
[case.other]
judge = "exit"
tags = ["nightly"]

[strategy.ecosystem]
cases   = ["*/infer", "other"]
outputs = ["answer*"]
stages  = ["test", "compare", "upload"]
[strategy.nightly]
tags = "nightly"
[strategy.away]
cases = "qwen/*"
stages = ["test", "compare"]
[strategy.all]
[strategy.gone]
cases = ["qwen/infer", "mistral/*"]
[strategy.untagged]
cases = "qwen/*"
tags  = "weekly"
[strategy.unknown]
cases   = "qwen/infer"
outputs = ["answer", "anwser"]
[strategy.unjudged]
cases   = "*/infer"
outputs = ["loss"]
TOML

cases_of() { jq -r '[.cases[].case] | join(" ")' "$1"; }
same() { [[ $1 == "$2" ]] || broken "$1, not $2"; }

# --- which cases ------------------------------------------------------------------------------------
expect_exit 0 gate list --strategy ecosystem
expect_out_match '^llama/infer '
expect_out_match '^qwen/infer '
expect_out_match '^other '
refute_out qwen/train
expect_exit 0 gate list --strategy nightly --json
same "$(jq -r '[.[].case] | join(" ")' "$WORK/.last/out")" 'other qwen/infer'
expect_exit 0 gate run --strategy ecosystem --report json=out.json --report junit=out.xml --report html=out.html
expect_out 'strategy ecosystem'
same "$(cases_of out.json)" 'llama/infer other qwen/infer'
expect_json out.json '.strategy == "ecosystem"'
expect_file out.xml '<property name="strategy" value="ecosystem"'
expect_file out.html 'strategy ecosystem'
expect_exit 0 gate run --report json=out.json
refute_out 'strategy '
expect_json out.json 'has("strategy") | not'
same "$(cases_of out.json)" 'llama/infer other qwen/infer qwen/train'
expect_exit 0 gate run --strategy all --report json=out.json
same "$(cases_of out.json)" 'llama/infer other qwen/infer qwen/train'

# --- words and tags narrow it ---------------------------------------------------------------------------
expect_exit 0 gate run --strategy ecosystem 'qwen/*' --report json=out.json
same "$(cases_of out.json)" qwen/infer
expect_exit 0 gate run --strategy ecosystem --tag nightly --report json=out.json
same "$(cases_of out.json)" 'other qwen/infer'
expect_exit 0 gate run --strategy ecosystem scripts/llama/infer.sh --report json=out.json
same "$(cases_of out.json)" llama/infer
expect_exit 2 gate run --strategy ecosystem qwen/train
expect_err '--strategy ecosystem has none of the cases that qwen/train selects'
expect_exit 2 gate run --strategy away --tag weekly
expect_err '--tag weekly: no case of strategy away has this tag'

# --- outputs ----------------------------------------------------------------------------------------
expect_exit 1 gate run qwen/infer --env SPOILT=1
expect_out loss.mean_relative_error
expect_exit 0 gate run --strategy ecosystem qwen/infer --env SPOILT=1 --report json=out.json
expect_out 'strategy ecosystem: not judged are the outputs loss'
expect_json out.json '[.cases[0].checks[].metric] == ["answer.bleu"] and [.cases[0].outputs[].name] == ["answer"]'
expect_exit 1 gate run --strategy ecosystem --env 'ANSWER=a dog lay under some old tree'
expect_out answer.bleu
expect_out answer_zh.bleu
cp -r scripts kept
sed -i '/loss.json/d' scripts/qwen/infer.sh
rm -r out
expect_exit 4 gate run qwen/infer
expect_exit 0 gate run --strategy ecosystem qwen/infer
rm -r scripts && mv kept scripts

# --- stages -----------------------------------------------------------------------------------------
rm -rf store/*
expect_exit 0 gate run qwen/infer --report json=out.json
for made in init download report uploaded/test_result.json uploaded/answer.txt; do expect_file "store/$made"; done
expect_json out.json '[.cases[0].stages[].stage] == ["init", "download", "test", "compare", "report", "upload"]'
rm -rf store/*
expect_exit 0 gate run --strategy ecosystem qwen/infer --report json=out.json
expect_out 'strategy ecosystem: not done are the stages init, download, report'
for made in init download report uploaded/test_result.json; do refute_file "store/$made"; done
expect_file store/uploaded/answer.txt
expect_json out.json '[.cases[0].stages[].stage] == ["test", "compare", "upload"]'
rm -rf store/*
expect_exit 0 gate run --strategy away qwen/infer
same "$(ls store)" ''
expect_exit 2 gate run --strategy away qwen/infer --stages-folder shared --only download
expect_err '--only download: strategy away leaves this stage out'
expect_exit 0 gate run --strategy away qwen/infer --stages-folder shared --only test
expect_exit 0 gate run --strategy away qwen/infer --stages-folder shared --only compare
expect_out passed

# --- mistakes ---------------------------------------------------------------------------------------
expect_exit 2 gate run --strategy ecosytem
expect_err 'no strategy "ecosytem"; did you mean "ecosystem"?; known: ecosystem, nightly, away, all'
expect_exit 2 gate list --strategy weekly
expect_err 'known: ecosystem'
expect_exit 2 gate run --strategy gone
expect_err 'gate.toml:28:9: [strategy.gone] cases: '
expect_err 'mistral/*'
expect_exit 2 gate run --strategy untagged
expect_err 'gate.toml:31:9: [strategy.untagged] tags: no case that it selects has tag weekly'
expect_exit 2 gate run --strategy unknown
expect_err 'gate.toml:34:11: [strategy.unknown] outputs: no case of it has an output "anwser"; did you mean "answer"?'
expect_exit 2 gate run --strategy unjudged
expect_err 'gate.toml:37:11: [strategy.unjudged] outputs: none of answer_zh of case llama/infer is judged'
expect_exit 2 gate run --strategy unjudged qwen/infer
expect_exit 0 gate run # what is wrong with a strategy is of no other run
expect_exit 2 gate baseline record --strategy ecosystem

# --- a run that goes on has the same ----------------------------------------------------------------------
expect_exit 1 gate run --strategy ecosystem --env 'ANSWER=a dog lay under some old tree'
expect_exit 2 gate run --again --strategy nightly
expect_err 'was started with --strategy ecosystem; give the same'
expect_exit 1 gate run --again
expect_exit 0 gate run --again --env "ANSWER=$(<golden/answer.txt)" --report json=out.json
same "$(cases_of out.json)" 'llama/infer qwen/infer'

# --- shards are of the same -------------------------------------------------------------------------------
expect_exit 0 gate run --strategy ecosystem --shard 1/2 --out one
expect_exit 0 gate run --strategy nightly --shard 2/2 --out two
expect_exit 2 gate report --merge one two
expect_err --strategy
expect_exit 0 gate run --strategy ecosystem --shard 2/2 --out two
expect_exit 0 gate report --merge one two --json
expect_json "$WORK/.last/out" '.strategy == "ecosystem" and (.cases | length) == 3'

# --- the strategies of the ref that judges -----------------------------------------------------------------
printf '/.gate/\n/out/\n/store/\n/one/\n/two/\n/shared/\n/out.*\n' >.gitignore
git init -q . && git add -A && git commit -qm first
sed -i 's/outputs = \["answer\*"\]/outputs = ["answer*", "loss"]/' gate.toml
expect_exit 1 gate run --strategy ecosystem --env SPOILT=1
expect_exit 0 gate run --strategy ecosystem --env SPOILT=1 --policy-from HEAD --report json=out.json
expect_json out.json '[.cases[] | select(.case == "qwen/infer") | .checks[].metric] == ["answer.bleu"]'

# A strategy that chooses otherwise changes what it judges, and nothing else.
expect_exit 0 gate run --changed-since HEAD --nothing-ok --report json=out.json
expect_json out.json '.cases == []'
expect_exit 0 gate run --strategy ecosystem --changed-since HEAD --nothing-ok --report json=out.json
same "$(cases_of out.json)" 'llama/infer other qwen/infer'

# --- a case that another comes after is judged whole ---------------------------------------------------------
suite along
mkdir golden
echo 'the cat sat on the mat today' >golden/answer.txt
script early <<<'cat golden/answer.txt >early.txt; cp early.txt other.txt'
script late <<<'cp golden/answer.txt late.txt'
cat >gate.toml <<'TOML'
[case.early]
outputs.answer = { file = "early.txt", golden = "golden/answer.txt", metric = "bleu", tolerance = ">= 0.75" }
outputs.other  = { file = "other.txt", golden = "golden/answer.txt", metric = "bleu", tolerance = ">= 0.75" }
[case.late]
after = "early"
outputs.answer = { file = "late.txt", golden = "golden/answer.txt", metric = "bleu", tolerance = ">= 0.75" }
[strategy.late]
cases   = "late"
outputs = ["answer"]
[strategy.both]
outputs = ["answer"]
TOML
expect_exit 0 gate run --strategy late --report json=out.json
expect_json out.json '[.cases[] | [.case, (.checks[].metric)]] == [["early", "answer.bleu", "other.bleu"], ["late", "answer.bleu"]]'
expect_exit 0 gate run --strategy both --report json=out.json
expect_json out.json '[.cases[] | [.case, (.checks[].metric)]] == [["early", "answer.bleu"], ["late", "answer.bleu"]]'

# --- a run that was cut off goes on with the same choice --------------------------------------------------------
printf 'kill -TERM $PPID; sleep 30\n' | script late
expect_exit 143 gate run --strategy both
script late <<<'cp golden/answer.txt late.txt'
expect_exit 2 gate run --resume --strategy late
expect_err 'was started with --strategy both; give the same'
sed -i 's/outputs = \["answer"\]/outputs = ["answer", "other"]/' gate.toml
expect_exit 0 gate run --resume --report json=out.json
expect_json out.json '[.cases[] | [.case, (.checks[].metric)]] == [["early", "answer.bleu", "other.bleu"], ["late", "answer.bleu"]]'

# --- a case outside of the strategy is asked nothing; one that another comes after is ----------------------------
mkdir "$WORK/eco" && cd "$WORK/eco" && mkdir scripts
for one in a b c d; do script "$one" <<<'echo right >o.txt; echo "iter 1 took 12.5 ms"'; done
echo right >golden.txt
cat >gate.toml <<'TOML'
[case."*"]
accuracy_test = true
[case.a]
outputs.o = { file = "o.txt", golden = "golden.txt", metric = "exact_match", tolerance = ">= 1" }
[case.c]
after = "b"
outputs.o = { file = "o.txt", golden = "golden.txt", metric = "exact_match", tolerance = ">= 1" }
[case.d]
accuracy_test = false
judge = "exit"
[strategy.eco]
cases = "a"
[strategy.late]
cases = "c"
TOML
export MODEL_OWNER=o MODEL_NAME=m
expect_exit 0 gate run --strategy eco
refute_out 'a pattern to start from' # nobody asks for numbers of a log where outputs or the exit are judged
TEST_TYPE=usability_test expect_exit 0 gate run a
refute_out 'a pattern to start from'
expect_exit 0 gate run d
refute_out 'a pattern to start from'
for words in '--strategy late' c ''; do
  expect_exit 2 gate run $words
  expect_err 'b: output output: has no golden file'
done
