# Three platforms and two environments: which baseline each metric comes from, and what is said where there is none.
. "$(dirname "$0")/_lib"

suite
megatron_log --memory 0:100.00:200.00 2.500000E+00 2.400000E+00 2.300000E+00 >run.log
script c <<<'cat run.log'

# put PLACE METRICS: a baseline of these metrics, as measured there
put() {
  rm -rf .gate/candidates
  local platform=${1%@*} environment='' words=(--accept --reason "measured there" --metric "$2")
  [[ $1 != *@* ]] || environment=${1#*@}
  [[ -z $platform ]] || words+=(--platform "$platform")
  [[ -z $environment ]] || words+=(--environment "$environment")
  expect_exit 0 gate baseline import run.log --case c "${words[@]}"
}
# from METRIC: the baseline file that its check was made with
from() { jq -r --arg metric "$1" '[.cases[0].checks[] | select(.metric == $metric) | .baseline_file] | first // "none"' out.json; }
check() { run gate check run.log --case c --json "$@" && cp "$WORK/.last/out" out.json; }
expect_from() { [[ $(from "$1") == "$2" ]] || broken "$1 is judged by $(from "$1"), not by $2"; }

put nvidia-a100@lts lm_loss
put nvidia-a100@dev lm_loss
put nvidia-a100 throughput
put @lts 'lm_loss,memory_allocated'
put nvidia-h100@dev 'lm_loss,throughput'
put ascend-910b3@dev 'lm_loss'
expect_file baselines/nvidia-a100@lts/c.json
expect_file baselines/@lts/c.json
refute_file baselines/c.json

# Metric by metric, on each platform and in each environment.
check --platform nvidia-a100 --environment lts
expect_from lm_loss baselines/nvidia-a100@lts/c.json
expect_from throughput baselines/nvidia-a100/c.json
expect_from memory_allocated baselines/@lts/c.json
check --platform nvidia-a100 --environment dev
expect_from lm_loss baselines/nvidia-a100@dev/c.json
expect_from throughput baselines/nvidia-a100/c.json
expect_from memory_allocated none
check --platform nvidia-h100 --environment dev
expect_from throughput baselines/nvidia-h100@dev/c.json
check --platform nvidia-h100 --environment lts
expect_from lm_loss baselines/@lts/c.json
expect_from throughput none
check --platform nvidia-a100
expect_from throughput baselines/nvidia-a100/c.json
expect_from lm_loss none

# Where there is none at all the case is unjudged, and says where it looked; nobody else's is taken.
expect_exit 3 gate check run.log --case c --platform ascend-910b3
expect_out 'baselines/ascend-910b3/c.json: not there'
expect_out 'baselines/c.json: not there'
expect_exit 3 gate check run.log --case c --platform ascend-910b3 --environment nightly --json
expect_json "$WORK/.last/out" '[.cases[0].baseline_chain[].path] == ["baselines/ascend-910b3@nightly/c.json",
  "baselines/ascend-910b3/c.json", "baselines/@nightly/c.json", "baselines/c.json"]'
expect_exit 2 gate check run.log --case c
expect_err 'nvidia-a100@lts'

# A run of the suite's own environment; what it writes goes to that environment.
printf '[suite]\nenvironment = "lts"\nplatform = "cpu"\n' >gate.toml
expect_exit 0 gate run -v
expect_out 'cpu@lts'
expect_out 'baselines/@lts/c.json: lm_loss, memory_allocated'
expect_out 'baselines/cpu@lts/c.json: not there'
expect_exit 0 gate run --environment lts --json
expect_json "$WORK/.last/out" '.environment == "lts" and .cases[0].environment == "lts"'
expect_exit 3 gate run --environment dev
expect_exit 2 gate run --again --environment lts
expect_err 'was started with --environment dev; give the same'
expect_exit 3 gate run --again
expect_out 'cpu@dev'
expect_exit 0 gate check run.log --case c --platform nvidia-a100 --environment ltss --set strict=false
expect_out 'no baseline is of environment ltss; did you mean "lts"?'
expect_exit 2 gate run --environment '../dev'
expect_err 'environment "../dev"'
expect_exit 0 gate baseline record c
expect_exit 0 gate baseline accept c --to platform --reason "on this host"
expect_json baselines/cpu@lts/c.json '.environment == "lts" and .platform == "cpu"'
expect_exit 0 gate history
expect_out 'cpu@lts'
run gate baseline lint --environment lts
expect_out 'cpu@lts'
refute_out '@dev'

# Measured on one chip and accepted for all: elsewhere accuracy alone is gated, and the report says so.
printf '[suite]\nname = "x"\n' >gate.toml
rm -r baselines/*
put nvidia-a100@lts lm_loss
run gate check run.log --case c --platform nvidia-a100
expect_out 'no environment is named, and all baselines are of one: lts'
rm -r baselines/*
expect_exit 0 gate baseline import run.log --case c --platform nvidia-a100
expect_exit 0 gate baseline accept c --to general --reason "for every chip"
expect_json baselines/c.json '.platform == "nvidia-a100"'
expect_exit 0 gate check run.log --case c --platform ascend-910b3 -v
expect_out_match 'passed.*lm_loss'
expect_out_match 'throughput.*nvidia-a100'
expect_out_match 'memory_max_allocated.*nvidia-a100'
expect_exit 0 gate check run.log --case c --platform ascend-910b3 --json
expect_json "$WORK/.last/out" '([.cases[0].checks[].metric] | unique) == ["lm_loss"] and
  ([.cases[0].ungated[] | select(.reason | contains("nvidia-a100")) | .metric] | contains(["throughput", "memory_allocated"]))'

# Candidates of one case at several places: each is told with its own.
rm -rf .gate/candidates
printf '' >gate.toml
for place in '--platform nvidia-a100' '--platform nvidia-a100 --environment lts'; do
  sed 's/2.300000E+00/2.900000E+00/' run.log >other.log
  expect_exit 0 gate baseline import other.log --case c $place
done
expect_exit 1 gate baseline diff
expect_out_match '^case +place +series '
expect_out_match '^c +nvidia-a100 +lm_loss '
expect_out_match '^c +nvidia-a100@lts +lm_loss '
expect_out_match '^REGRESSED c  nvidia-a100@lts  3 steps'
expect_exit 3 gate baseline accept --to platform --reason both
expect_err_match '^(gate: )?c at nvidia-a100@lts: regressed: lm_loss'
