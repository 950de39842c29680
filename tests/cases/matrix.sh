# Matrices: two models in two sizes, each run three times, and a rule across sizes that catches a slowdown; protected parameters.
# timeout: 300
. "$(dirname "$0")/_lib"
. "$(dirname "$0")/_host"

npu_host 2
suite
for model in glm gpt; do
  script "m/$model" <<'END'
elapsed=240
((NPROC_PER_NODE < 2)) || elapsed=$((elapsed * ${SLOW:-1}))
exec "$TINYGPT" --ranks "$NPROC_PER_NODE" --steps 4 --elapsed-ms "$elapsed" --lr "$LR"
END
done
cat >gate.toml <<'TOML'
[rules]
throughput = false
iteration_time = false
[metrics.scaling]
formula = 'iteration_time("@1x1") / iteration_time'
kind = "speed"
better = "higher"
[matrix."m/*"]
size = ["1x1", "1x2"]
repeat = 3
mutable = ["WARMUP"]
params = { LR = "0.003", WARMUP = 2 }
[case."m/*@1x2".rules.scaling]
window = "last 3"
reduce = "median"
tolerance = ">= 0.7"
TOML
export TINYGPT

run gate list
expect_out_match '^m/glm +1x1 +1x2$'
expect_out '2 variants, each run 3 times'

# Each run is kept, and what they gave is shown beside their mean.
expect_exit 3 gate run
expect_exit 0 gate -v baseline accept --run "$(latest)" --to platform --reason first
expect_file baselines/ascend-910b3/m/glm@1x2.json
expect_out 'lm_loss: 4 steps in each of 3 runs'
expect_exit 0 gate run
expect_last_line '4 passed'
expect_file .gate/latest/m/glm@1x2/try-3/log.txt
expect_json .gate/latest/result.json '[.cases[] | select(.case == "m/glm@1x2") | .checks[] | select(.metric == "scaling" or .metric == "lm_loss") |
  .status, (.note | select(test("^run [1-3] of 3, the worst")) | 1)] == ["pass", 1, "pass", 1]'

# A slowdown of half in one size alone: ten of ten.
for i in 1 2 3 4 5 6 7 8 9 10; do
  expect_exit 1 gate run 'm/glm' --env SLOW=2
  expect_json .gate/latest/result.json '[.cases[] | .case, .verdict, ([.checks[] | select(.status == "fail") | .metric] | unique)]
    == ["m/glm@1x1", "passed", [], "m/glm@1x2", "regressed", ["scaling"]]'
done

# The variant beside is taken along, as it is: the words are for the one that is named.
expect_exit 1 gate run m/glm@1x2 --env SLOW=2 --env WARMUP=3
expect_out 'takes m/glm@1x1 along: m/glm@1x2 is judged beside it'
expect_json .gate/latest/result.json '[.cases[] | .case, .verdict] == ["m/glm@1x1", "passed", "m/glm@1x2", "regressed"]'
run gate run --dry-run 'm/*@1x2' --shard 1/2
expect_out_match 'takes m/g[a-z]*@1x1 along'

# A parameter that is not mutable: both places, and nothing is launched.
rm -rf .gate/runs
for words in '--set param.LR=0.1' '--env LR=0.1'; do
  # shellcheck disable=SC2086 # words
  expect_exit 2 gate run $words
  expect_err 'LR is 0.003 at gate.toml:12:17, and not in mutable of [matrix."m/*"]'
done
refute_file .gate/runs
expect_exit 2 gate run --devices 1
expect_err 'size is an axis'
run gate list --explain m/glm@1x2 --set param.WARMUP=5
expect_out_match '^env.WARMUP +5 +--set$'

# What --set param.NAME=VALUE leaves out is no baseline without a script.
suite narrowed
script x <<<'cat run.log'
megatron_log 2.500000E+00 2.400000E+00 >run.log
cat >gate.toml <<'TOML'
[suite]
platform = "cpu"
cwd = "{suite}"
[defaults]
needs = ["run.log"]
[matrix.x]
TP = [1, 2]
mutable = ["TP"]
[case."x@TP=2"]
timeout = "1h"
TOML
expect_exit 3 gate run
expect_exit 0 gate baseline accept --run "$(latest)" --to general --reason first
expect_exit 0 gate run --set param.TP=1
expect_last_line '1 passed'
refute_out 'x@TP=2'
cd "$WORK/suite" || exit 1

# One run of three that breaks is the case's: no mean makes good a crash, a NaN or a run that is too short.
second() { # second WORDS: of tinygpt in the second run of three
  rm -f count
  script m/gpt <<END
echo x >>"$PWD/count"
words=()
((\$(wc -l <"$PWD/count") != 2)) || words=($1)
exec "\$TINYGPT" --ranks "\$NPROC_PER_NODE" --steps 4 --lr "\$LR" "\${words[@]}"
END
}
for row in '4 crashed --crash-at 3' '1 regressed --nan-at 3' '4 incomplete --stop-at 3'; do
  read -r code verdict words <<<"$row"
  second "$words"
  expect_exit "$code" gate run m/gpt@1x1
  expect_out 'run 2 of repeat 3: '
  expect_json .gate/latest/result.json ".cases[0].verdict == \"$verdict\""
  refute_file .gate/latest/m/gpt@1x1/try-3
done

# Runs whose mean is the baseline, and none of which is.
suite apart
script x <<'END'
echo x >>count
(($(wc -l <count) % 2)) && cat high.log || cat low.log
END
megatron_log 2.600000E+00 2.600000E+00 2.600000E+00 >high.log
megatron_log 2.400000E+00 2.400000E+00 2.400000E+00 >low.log
baseline x <<<'{"lm loss": [2.5, 2.5, 2.5]}'
for row in '1 each exact regressed' '1 mean exact regressed' '1 max <=2.55 regressed' '0 mean ±0.05 passed' '1 each ±0.05 regressed' '0 each ±0.1 passed'; do
  read -r code reduce tolerance verdict <<<"$row"
  printf '[suite]\nplatform = "cpu"\ncwd = "{suite}"\n[case.x]\nrepeat = 2\n[rules]\nlm_loss = { window = "all", reduce = "%s", tolerance = "%s" }\n' \
    "$reduce" "$tolerance" >gate.toml
  expect_exit "$code" gate run
  expect_json .gate/latest/result.json ".cases[0].verdict == \"$verdict\""
  [[ $row != '0 mean'* ]] || expect_json .gate/latest/result.json \
    '[.cases[0].checks[] | .note | strings | select(endswith("further apart than the tolerance"))] | length == 1'
done

# Ten thousand variants.
suite many
script a <<<'true'
cat >gate.toml <<'TOML'
[suite]
platform = "cpu"
[defaults]
judge = "exit"
[matrix.a]
A = [0,1,2,3,4,5,6,7,8,9]
B = [0,1,2,3,4,5,6,7,8,9]
C = [0,1,2,3,4,5,6,7,8,9]
D = [0,1,2,3,4,5,6,7,8,9]
TOML
expect_exit 0 gate list --json
expect_json "$WORK/.last/out" 'length == 10000'
