# gate selftest: every rule of every case can fail, proved on its own reference.
# timeout: 300
. "$(dirname "$0")/_lib"

# The suite that ships with the project.
mkdir sample && (cd "$SOURCE" && cp -r --parents scripts baselines/tinygpt "$WORK/sample") && cd sample
echo true >scripts/bare.sh
expect_exit 0 gate selftest
expect_out_match '^tinygpt/dp1 +general +4 +\.+-?\.*'
expect_out_match '^bare +general +0 +n/a: no baseline$'
expect_out_match '^F +beyond_all +10 +0 +0 +every value of the window one quantum beyond its limit$'
expect_last_line '^GREEN: no survivor of [0-9]+ mutations of 2 cases, [0-9]+ n/a, 1 case not tried \(exit 0\)$'
expect_exit 0 gate selftest tinygpt/dp2 -v
expect_out_match '^caught  tinygpt/dp2  general  lm_loss  nan_inside  step [0-9]+: nan: regressed, lm_loss step [0-9]+: nan$'
expect_out_match '^n/a  tinygpt/dp2  general  lm_loss  missing_rank  there is one series only$'
expect_out_match '^passed  tinygpt/dp2  general  lm_loss  on_limit '
expect_out_match '^no check  tinygpt/dp2  general  throughput  '
expect_exit 0 gate selftest tinygpt/dp2 -q
refute_out beyond
expect_exit 0 gate selftest tinygpt/dp2 --json
cp "$WORK/.last/out" dp2.json
expect_json dp2.json '.exit_code == 0 and (.cases | length) == 1 and .cases[0].platform == ""'
expect_json dp2.json '[.cases[0].results[] | select(.rank == 1 and .mutation == "missing_rank") | .result] == ["caught", "caught"]'
expect_json dp2.json '[.cases[0].results[].result] | unique == ["caught", "n/a", "passed"]'
expect_exit 2 gate selftest tinygpt/dp3
expect_err 'did you mean'
expect_exit 3 gate selftest bare
expect_last_line '^RED: nothing to try, 1 case not tried \(exit 3\)$'

# A reference that its own rules refuse is found; a waiver hides nothing.
cd "$WORK" && suite
script a </dev/null
script exit_only <<<'#GATE judge=exit'
baseline a <<'EOF'
{"lm loss": [2.51, 2.40, 2.31, 2.22], "throughput": [100.0, 110.0, 120.0, 115.0], "memo info": []}
EOF
expect_exit 0 gate selftest a
expect_exit 1 gate selftest --set 'rules.throughput.tolerance=>= 116'
expect_out_match '^REFUSED  a  general  throughput  reference  regressed, throughput mean of steps 2-4 115'
expect_out_match '^exit_only +general +0 +n/a: only the exit is judged$'
expect_last_line '^RED: 1 SURVIVED of '
cat >gate.toml <<EOF
[rules.lm_loss]
tolerance = '±0.05'
waive = { reason = "known", until = "$(date -u -d '+30 days' +%F)" }
EOF
expect_exit 0 gate selftest

# Where nothing is within bounds no miss is allowed; a rule that nothing can break is refused.
expect_exit 0 gate selftest a --set rules.lm_loss.max_misses=4
for tolerance in -100% '>= 0' '<= 9 or >= 9'; do
  expect_exit 2 gate selftest a --set "rules.throughput.tolerance=$tolerance"
  expect_err "tolerance \"$tolerance\" cannot fail"
done

# Baselines of other tools, as they are.
data=${GATE_REAL_DATA:-$SOURCE/../shared/data}
[[ -d $data/modellink ]] || skip "no golden files here (GATE_REAL_DATA names their folder)"
mkdir golden && cd golden && mkdir scripts baselines
for file in "$data"/{modellink,mindspeed-llm}/*.json; do
  cp "$file" baselines/ && : >"scripts/$(basename "$file" .json).sh"
done
expect_exit 0 gate selftest
expect_last_line '^GREEN: no survivor of [0-9]+ mutations of 26 cases, [0-9]+ n/a \(exit 0\)$'
