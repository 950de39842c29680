#!/usr/bin/env bash
# An accuracy test of a model hub, by its environment: each way to end, with gate's exit code and what
# test_result.json tells. Results are uploaded in every one of them.
. "$(dirname "$0")/_lib"

suite
script infer <<'SH'
mkdir -p test_output
case $WAY in
  above) cp "$GATE_STAGES_DIR/golden.txt" test_output/output.txt ;;
  at) { head -n 1 "$GATE_STAGES_DIR/golden.txt"; echo 'another line'; } >test_output/output.txt ;;
  below) printf 'nothing like it\nat all\n' >test_output/output.txt ;;
  crash) echo 'RuntimeError: no such operator' >&2; exit 7 ;;
  empty) : >test_output/output.txt ;;
  yesterday) echo "the script forgot to write" ;;
  hang | term) echo started; touch "$GATE_STAGES_DIR/started"; sleep 600 ;;
  *) echo "no way: $WAY" >&2; exit 9 ;;
esac
echo "went ${WAY}"
SH
cat >gate.toml <<'TOML'
[case.infer]
accuracy_test = true
timeout = "60s"
grace = "2s"
stages.init.command     = "true"
stages.download.command = "bash download.sh"
stages.download.from    = ["hub/golden.txt"]
stages.upload.to        = "file://@/results/{test_id}"
stages.upload.baselines = "file://@/baselines/{baseline_id}"
TOML
sed -i "s|@|$WORK|" gate.toml
mkdir hub
printf '今天天气很好，我们去公园散步。\n他昨天在书店买了三本书。\n' >hub/golden.txt
echo "echo downloading; [[ \$WAY != slow_download ]] || sleep 600; [[ \$WAY != no_download ]]" >download.sh

export MODEL_OWNER=hub MODEL_NAME=qwen BASELINE_ID=baseline_123 OUTPUT_FILE_PATH=.gate/unused
golden='{stages}/golden.txt'

# Run the case in that way, with further words of gate's behind it.
go() {
  export WAY=$1 ACCURACY_TEST_ID=test-$1
  shift
  OUTPUT_FILE_PATH=$golden run gate run infer "$@"
}
result() { echo "$WORK/results/test-$WAY/test_result.json"; }

# The table: way | exit code | verdict | what test_result.json says
rows() {
  cat <<'ROWS'
above       | 0   | passed      | .passed == true and .stage == "test" and .output == "output.txt" and .log == "execution.log" and .comparison_details.metric == "BLEU" and .comparison_details.metric_value == 1 and .comparison_details.operator == ">="
at          | 0   | passed      | .passed == true and .comparison_details.metric_value == 0.5 and .comparison_details.threshold == 0.5
below       | 1   | regressed   | .passed == false and .output == "output.txt" and .comparison_details.metric_value < 0.75
crash       | 4   | crashed     | .passed == null and .output == null and .comparison_details == null and .log == "execution.log" and .stage == "test"
no_download | 125 | infra       | .passed == null and .comparison_details == null and .stage == "download"
no_golden   | 3   | unjudged    | .passed == null and .comparison_details == null and .stage == "test"
empty       | 4   | incomplete  | .passed == null and .comparison_details == null
yesterday   | 4   | incomplete  | .passed == null and .comparison_details == null
hang        | 4   | timed_out   | .passed == null and .comparison_details == null and .log == "execution.log"
term        | 143 | interrupted | .passed == null and .comparison_details == null
ROWS
}

while IFS='|' read -r way exit verdict filter; do
  way=${way// /} exit=${exit// /} verdict=${verdict// /}
  rm -rf test_output
  case $way in
    at) METRIC='exact match' THRESHOLD=0.5 go at --report json=out.json ;;
    no_golden) golden='{stages}/other.txt' WAY=above go no_golden --env WAY=above --report json=out.json ;;
    yesterday)
      mkdir test_output && cp hub/golden.txt test_output/output.txt && touch -d yesterday test_output/output.txt
      go yesterday --report json=out.json
      ;;
    hang) go hang --timeout 2s --report json=out.json ;;
    term)
      export WAY=term ACCURACY_TEST_ID=test-term
      OUTPUT_FILE_PATH=$golden "$GATE" run infer --out term-run --report json=out.json >"$WORK/.last/out" 2>"$WORK/.last/err" &
      pid=$!
      wait_for test -e term-run/infer/stages/started
      kill -TERM "$pid"
      code=0
      wait "$pid" || code=$?
      ;;
    *) go "$way" --report json=out.json ;;
  esac
  [[ $code == "$exit" ]] || broken "$way: exit code $code, not $exit"
  expect_json out.json ".cases[0].verdict == \"$verdict\""
  expect_json "$(result)" "$filter"
  expect_json "$(result)" '.baseline_id == "baseline_123" and .is_comparison_test == true and .test_type == "inference"'
  expect_same "$(result)" "$(dirname "$(result)")/test_results.json"
done < <(rows)
grep -q 'went above' "$WORK/results/test-above/execution.log" || broken 'the log was not uploaded'
grep -q 'downloading' ".gate/runs/$(latest)/infer/stages/download.log" 2>/dev/null ||
  grep -q 'downloading' term-run/infer/stages/download.log || broken 'the download has no log'
expect_same "$WORK/results/test-above/output.txt" hub/golden.txt
refute_file "$WORK/baselines"

# --- a run that makes a baseline --------------------------------------------------------------------
RUN_AS_BASELINE=true go above --report json=out.json
[[ $code == 0 ]] || broken "a baseline: exit code $code"
expect_same "$WORK/baselines/baseline_123/output.txt" hub/golden.txt
expect_json "$(result)" '.passed == true and .is_comparison_test == false and (has("comparison_details") | not)'
expect_out 'a baseline was made'
rm -rf "$WORK/baselines"
RUN_AS_BASELINE=true go crash
[[ $code == 4 ]] || broken "a baseline that crashed: exit code $code"
refute_file "$WORK/baselines"

# --- a rehearsal leaves nothing but its own folder ---------------------------------------------------------
rm -rf "$WORK/results"
RUN_AS_BASELINE=true go above --devices 0 --platform ascend-910b3
[[ $code == 125 ]] || broken "a rehearsed baseline: exit code $code"
expect_out 'the baseline was not made: a rehearsal makes none'
go above --devices 0 --platform ascend-910b3
expect_last_line '^REHEARSED: 1 passed'
refute_file "$WORK/baselines"
refute_file "$WORK/results"
go above --devices 0 --platform ascend-910b3 --only test --stages-folder "$WORK/rehearsed"
[[ $code == 2 ]] || broken "one stage of a rehearsal: exit code $code"

# --- a test of usability compares nothing, and makes no baseline -----------------------------------------
TEST_TYPE=usability_test RUN_AS_BASELINE=false go below --report json=out.json
[[ $code == 0 ]] || broken "usability: exit code $code"
expect_json "$(result)" '.passed == true and .is_comparison_test == false'
refute_file "$WORK/baselines"

# --- where the script drops its exit code, only what is compared was measured --------------------------------
cp scripts/infer.sh infer.keep
echo 'bash infer.keep 2>&1 | tee log' >scripts/infer.sh
TEST_TYPE=usability_test go above --report json=out.json
[[ $code == 3 ]] || broken "usability of a script that drops its exit code: exit code $code"
expect_out 'drops the exit code of bash: | tee stands behind it without set -o pipefail, and nothing else is compared: write'
expect_json "$(result)" '.passed == null'
RUN_AS_BASELINE=true go above
[[ $code == 3 ]] || broken "a baseline of a script that drops its exit code: exit code $code"
expect_out 'the baseline was not made: its script drops the exit code of bash'
refute_file "$WORK/baselines"
go above
[[ $code == 0 ]] || broken "a comparison of a script that drops its exit code: exit code $code"
mv infer.keep scripts/infer.sh

# --- a golden path that leads nowhere, or to what cannot be used, is told before the script is launched ------------
rm -rf .gate
golden=$WORK/none.txt go above
[[ $code == 3 ]] || broken "no golden file: exit code $code"
expect_out "output output: golden file $WORK/none.txt: no such file; put there what test_output/output.txt is of a good run"
echo '{"step": 1, "loss": 2}' >two.jsonl
MODEL_TEST_TYPE=training golden=two.jsonl go above --set outputs.l.file=l.jsonl --set outputs.l.golden=two.jsonl --set outputs.l.metric=rmse --set 'outputs.l.tolerance=<= 0.1'
[[ $code == 3 ]] || broken "a golden file of two names: exit code $code"
expect_out 'two.jsonl:1:1: has several names: choose one with a key: step, loss; correct it, or outputs.l in gate.toml'
[[ ! $(find .gate -name log.txt) ]] || broken 'the script was launched without a golden file'

# --- what the download brings may be named by a variable; nothing leads out of its place ---------------------------
for row in hub/golden.txt:0 "$PWD/hub/golden.txt:0" "file://$PWD/hub/golden.txt:0" ../two/x:125 'hub/{case}:125' :125; do
  INPUT_FILE_PATH=${row%:*} go above --set 'stages.download.from=["{env.INPUT_FILE_PATH}"]'
  [[ $code == "${row##*:}" ]] || broken "brought $row: exit code $code"
done
expect_out 'nothing tells its env.INPUT_FILE_PATH'
sed -i 's|"hub/golden.txt"|"hub/{foo}"|' gate.toml
expect_exit 2 gate list
expect_err 'gate.toml:7:27: unknown placeholder "{foo}"; known: {baseline_id}, {case}, {env.NAME}, {run}, {test_id}'
sed -i 's|"hub/{foo}"|"hub/golden.txt"|' gate.toml

# --- a score is asked for by the names that METRIC has -------------------------------------------------------------
cp hub/golden.txt again.txt
expect_exit 0 gate score again.txt hub/golden.txt --metric 'BLEU|tok:zh'
cp two.jsonl again.jsonl
expect_exit 0 gate score again.jsonl two.jsonl --metric 绝对误差 --key loss

# --- a golden file is never written -----------------------------------------------------------------------
mkdir -p "$WORK/results/test-below" && cp hub/golden.txt "$WORK/results/test-below/output.txt"
golden=$WORK/results/test-below/output.txt go below --report json=out.json
[[ $code == 1 ]] || broken "an upload onto the golden file: exit code $code"
expect_same "$WORK/results/test-below/output.txt" hub/golden.txt
golden='{stages}/golden.txt'

# --- what is asked for must be understood ------------------------------------------------------------
OWNER=another go above
[[ $code == 2 ]] || broken "two owners: exit code $code"
expect_err OWNER
THRESHOLD=high go above
[[ $code == 2 ]] || broken "a threshold that is none: exit code $code"
METRIC=BLEU OPERATOR='<=' go above
[[ $code == 2 ]] || broken "BLEU against its better side: exit code $code"

script plain <<<'mkdir -p test_output; echo right >test_output/plain.txt'
echo right >plain.golden
cat >>gate.toml <<'TOML'
[case.plain.outputs.text]
file = "test_output/plain.txt"
golden = "plain.golden"
metric = "exact_match"
tolerance = ">= 1"
TOML
MODEL_NAME='' run gate run plain
[[ $code == 0 ]] || broken "a case that is no accuracy test: exit code $code"
MODEL_NAME='' run gate run
[[ $code == 2 ]] || broken "an accuracy test of no model: exit code $code"
expect_err 'infer is an accuracy test'

# --- each of two tests keeps the golden file that gate.toml names for it -----------------------------------
mkdir "$WORK/two" && cd "$WORK/two" && mkdir scripts
for one in a b; do
  echo "golden of $one" >"$one.txt"
  script "$one" <<<"echo 'golden of $one' >$one.out"
  printf '[case.%s]\naccuracy_test = true\n[case.%s.outputs.text]\nfile = "%s.out"\ngolden = "%s.txt"\nmetric = "exact_match"\ntolerance = ">= 1"\n' \
    "$one" "$one" "$one" "$one" >>gate.toml
done
(unset OUTPUT_FILE_PATH && expect_exit 0 gate run)

# --- a golden file is that of the baseline that is asked for, in a path as in a URL; nothing leads out of its place ----
mkdir -p base/one base/{run} && cp a.txt base/one/ && echo 'another golden' | tee base/two.txt >base/{run}/a.txt
told() { # GOLDEN BASELINE_ID EXIT [TEXT]
  sed -i "/^\[case.a\]/,/^metric/s|^golden = .*|golden = \"$1\"|" gate.toml
  (unset OUTPUT_FILE_PATH && BASELINE_ID=$2 expect_exit "$3" gate run a && if [[ ${4-} ]]; then expect_err "$4"; fi)
}
for place in 'base/{baseline_id}/a.txt' "$PWD/base/{baseline_id}/{case}.txt" "file://$PWD/base/{baseline_id}/a.txt"; do
  told "$place" one 0
  told "$place" other 3
  told "$place" ../two 2 'BASELINE_ID "../two" is no single part of a path'
  told "$place" '' 2 'nothing tells its baseline_id'
done
told 'base/{baseline_id}/a.txt' one 0
printf '/.gate/\n' >.gitignore && git init -q -b main . && git add -A && git commit -qm all
judged_by_ref() { # BASELINE_ID EXIT TEXT
  (unset OUTPUT_FILE_PATH && BASELINE_ID=$1 expect_exit "$2" gate run a --policy-from main && expect_out "$3")
}
judged_by_ref one 0 'no finding'
judged_by_ref other 3 'golden file main:base/other/a.txt: no such file'
echo 'as it is not' >>base/one/a.txt
judged_by_ref one 0 'base/one/a.txt'
git checkout -q base && rm -rf .git
told 'base/{baseline_id}.txt' two 1
told '{baseline_id}/a.txt' base 3
told 'base/{run}/a.txt' one 2 'nothing tells its run'
OUTPUT_FILE_PATH="file://$PWD/base/{baseline_id}/a.txt" BASELINE_ID=one expect_exit 0 gate run a
told 'http://host/{baseline_id}' one 2 'is no place that gate reaches'

# --- numbers are held against numbers; who compares and names no golden file is told both ways to name one ------------
mkdir "$WORK/numbers" && cd "$WORK/numbers"
script train <<<'mkdir -p test_output; echo "{\"step\": 1, \"loss\": NaN}" | tee test_output/loss.jsonl'
printf '[case.train]\naccuracy_test = true\n' >gate.toml
export MODEL_TEST_TYPE=training
echo '{"step": 1, "loss": NaN}' >golden.jsonl
OUTPUT_FILE_PATH=golden.jsonl METRIC=BLEU expect_exit 2 gate run
expect_err 'METRIC "BLEU" is a metric of text, and a training has losses: one of cosine, max_abs_error,'
OUTPUT_FILE_PATH='' expect_exit 2 gate run
expect_err 'output output: has no golden file: name it by golden = "baselines/{baseline_id}/output.txt" in gate.toml, or by OUTPUT_FILE_PATH'
refute_err RUN_AS_BASELINE
printf 'outputs.l = { file = "test_output/loss.jsonl", key = "loss", golden = "golden.jsonl", metric = "rmse", tolerance = "<= 0.1" }\n' >>gate.toml
MODEL_TEST_TYPE=inference METRIC=BLEU expect_exit 2 gate run
expect_err 'bleu is a metric of text, and the output has numbers (metric = "rmse"): set METRIC to one of cosine, '
expect_exit 2 gate run train --set 'outputs.l.metric=bleu' --set 'outputs.l.tolerance=>= 0.1'
expect_err 'bleu is a metric of text, and key names numbers; their metrics are cosine, '
# A loss that is no finite number never passes, whatever the golden file has; and makes no baseline.
for key in '' 'golden = "base.jsonl"'; do
  for loss in NaN null Infinity; do
    printf '{"step": 1, "loss": 2}\n{"step": 2, "loss": %s}\n' "$loss" >golden.jsonl
    script train <<<'mkdir -p test_output; cp golden.jsonl test_output/loss.jsonl'
    printf '[suite]\ncwd = "."\n[case.train]\naccuracy_test = true\n' >gate.toml
    printf 'outputs.l = { file = "test_output/loss.jsonl", key = "loss", metric = "rmse", tolerance = "<= 0.1", %s }\n' \
      "${key:-golden = \"golden.jsonl\"}" >>gate.toml
    if [[ $key ]]; then
      RUN_AS_BASELINE=1 OUTPUT_FILE_PATH='' expect_exit 4 gate run
      expect_out_match 'the baseline was not made: .*loss.jsonl: value 2 is (nan|inf), and no finite number'
      refute_file base.jsonl
    else
      OUTPUT_FILE_PATH='' expect_exit 1 gate run
      expect_out 'value 2, the first and the worst'
    fi
  done
done
echo '{"step": 1, "loss": 2}' >golden.jsonl
RUN_AS_BASELINE=1 METRIC=BLEU OUTPUT_FILE_PATH='' expect_exit 0 gate run
expect_file base.jsonl
unset MODEL_TEST_TYPE
# What the variables do not say stays as gate.toml says it.
script text <<<'echo "a b c d e f g h i k" >text.txt'
echo 'a b c d e f g h i j' >words.txt
keeps() { # metric, tolerance: of gate.toml; what is told; and what is judged by
  printf '[suite]\ncwd = "."\n[case.text]\naccuracy_test = true\noutputs.o = { file = "text.txt", golden = "words.txt", metric = "%s", tolerance = "%s" }\n' "$1" "$2" >gate.toml
  (unset OUTPUT_FILE_PATH && export "$3" && expect_exit 1 gate run text && expect_out "$4")
}
keeps exact_match '>= 1' 'OPERATOR=>=' 'limit >= 1 (1)'
keeps bleu '>= 0.95' METRIC=BLEU 'limit >= 0.95'
keeps bleu '>= 0.95' THRESHOLD=0.99 'limit >= 0.99'
cd "$WORK/suite"

# --- an upload that fails, known before anything starts or only when it begins -----------------------------
rm -rf "$WORK/results" && : >"$WORK/results"
go above
[[ $code == 2 ]] || broken "a place that cannot be made: exit code $code"
expect_err "infer: stages.upload.to: $WORK/results: is no folder"
rm "$WORK/results" && sed -i "1i [[ \$WAY != above \&\& \$WAY != below ]] || : >$WORK/results" download.sh
go above --report json=out.json
[[ $code == 125 ]] || broken "no upload: exit code $code"
expect_json out.json '.cases[0].verdict == "infra" and (.cases[0].reason | test("upload"))'
rm "$WORK/results"
go below --report json=out.json
[[ $code == 1 ]] || broken "no upload of a miss: exit code $code"
expect_json out.json '.cases[0].verdict == "regressed" and any(.cases[0].problems[]; .text | test("upload"))'
rm "$WORK/results" && sed -i 1d download.sh

# --- the time of the run bounds a download, too -------------------------------------------------------------
go slow_download --deadline 5s --report json=out.json
[[ $code == 3 ]] || broken "a download beyond the deadline: exit code $code"
expect_json out.json '.cases[0].verdict == "not_run" and .cases[0].outcome.kind == "past_deadline"'
expect_json "$(result)" '.passed == null and .stage == "download"'

# --- one stage at a time, as in pods that share a folder ------------------------------------------------
shared=$WORK/shared
one() { go "$way" --stages-folder "$shared" --only "$1" --report json=out.json; }
way=above
rm -rf "$WORK/results"
one test
[[ $code == 125 ]] || broken "test without download: exit code $code"
one compare
[[ $code == 3 ]] || broken "compare without test: exit code $code"
for stage in init download test; do
  one "$stage"
  [[ $code == 0 ]] || broken "$stage: exit code $code"
  expect_out "stage $stage is done; nothing is judged yet"
  expect_last_line '^NOTHING JUDGED: '
  refute_file "$WORK/results/test-above/test_result.json"
done
cp -r "$shared" kept && echo 'somebody else' >"$shared/outputs/output/output.txt"
one compare
[[ $code == 4 ]] || broken "compare of an output that was replaced: exit code $code"
expect_out 'has changed since the test'
rm -rf "$shared" "$WORK/results" && mv kept "$shared"
cp "$shared/golden.txt" golden.kept && echo more >>"$shared/golden.txt"
one compare
[[ $code == 3 ]] || broken "compare with another golden file: exit code $code"
expect_out 'has changed since the test began'
rm -rf "$WORK/results" && mv golden.kept "$shared/golden.txt"
METRIC=exact_match THRESHOLD=0.1 one compare
[[ $code == 3 ]] || broken "compare by other variables: exit code $code"
expect_out 'the variables are not those of the test'
one compare
[[ $code == 0 ]] || broken "compare: exit code $code"
expect_json "$(result)" '.passed == true and .comparison_details.metric_value == 1'
rm -rf "$WORK/results"
one upload
[[ $code == 0 ]] || broken "upload: exit code $code"
expect_file "$(result)"
way=crash
one test
[[ $code == 4 ]] || broken "a test that crashed: exit code $code"
expect_json "$(result)" '.passed == null and .stage == "test"'
go above --only test
[[ $code == 2 ]] || broken '--only without a folder'

# Only the test needs devices.
way=above
rm -rf "$shared"
sed -i '/^accuracy_test/a devices = 8\nplatform = "ascend-*"' gate.toml
one download
[[ $code == 0 ]] || broken "a download without devices: exit code $code"
one test
[[ $code == 3 ]] || broken "a test without devices: exit code $code"

# --- devices by a variable: of gate, of the case, in gate.toml and in a header; of a test as many as it asks for ---
suite cards
. "$(dirname "$0")/_host"
nvidia_tool "$WORK/.nvidia" 8 'NVIDIA A100-SXM4-80GB'
PATH=$WORK/.nvidia/bin:$PATH
script header <<<$'#GATE devices={env.NUM_COMPUTE_CARDS}\necho "$CUDA_VISIBLE_DEVICES" >header.out'
script table <<<'mkdir -p test_output; echo "$CUDA_VISIBLE_DEVICES" >table.out; echo right >test_output/output.txt'
printf '[defaults]\njudge = "exit"\n[case.table]\ndevices = "{env.CARDS}"\nenv.CARDS = "2"\n' >gate.toml
expect_exit 0 gate list
expect_out_match '^header +\{env.NUM_COMPUTE_CARDS\} devices'
NUM_COMPUTE_CARDS=4 expect_exit 0 gate run
[[ $(tr , '\n' <header.out | wc -l) == 4 && $(tr , '\n' <table.out | wc -l) == 2 ]] || broken "$(cat ./*.out)"
expect_exit 0 gate run table # a variable that is not set is that of another case
expect_exit 2 gate run header
expect_err 'scripts/header.sh:1:7 #GATE: header: devices is {env.NUM_COMPUTE_CARDS}, and NUM_COMPUTE_CARDS is not set'
for cards in '' 0 -1 3x ' 4' 1e1 1000001 99999999999999999999; do
  expect_exit 2 gate run table --env "CARDS=$cards"
  expect_err "gate.toml:4:11: table: devices is {env.CARDS}, and CARDS is \"$cards\", no number of devices from 1 to 1000000"
done
expect_exit 125 gate run table --env CARDS=9
expect_exit 2 gate list --set 'devices.nvidia-*={env.CARDS}'
expect_err 'a variable says the devices of all platforms'
printf '[case.header]\nskip = "here"\n[case.table]\naccuracy_test = true\ndevices = "{env.NUM_COMPUTE_CARDS}"\n' >gate.toml
echo right >golden.txt
NUM_COMPUTE_CARDS=4 METRIC=exact_match THRESHOLD=1 OUTPUT_FILE_PATH=golden.txt expect_exit 0 gate run table
refute_out 'NUM_COMPUTE_CARDS asks for'
[[ $(tr , '\n' <table.out | wc -l) == 4 ]] || broken "$(cat ./*.out)"

# --- what a command of a stage leaves behind is ended, and a problem of the case, once --------------------
suite leftovers
script t <<<'true'
printf '[case.t]\njudge = "exit"\nstages.upload.command = "bash leave.sh"\n' >gate.toml
echo "setsid sleep 9999 >/dev/null 2>&1 & echo \$! >'$WORK/pid'; exit 1" >leave.sh
expect_exit 125 gate run t --out left
pid=$(<"$WORK/pid")
! kill -0 "$pid" 2>/dev/null || broken "process $pid is left"
expect_json left/result.json \
  "[.cases[0].problems[] | select(.kind == \"leftover\" and (.text | startswith(\"outlived stage upload and was stopped: pid $pid \")))] | length == 1"
expect_out "outlived stage upload and was stopped: pid $pid "
