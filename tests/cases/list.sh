# gate list: cases, coverage, and where every value comes from.
. "$(dirname "$0")/_lib"

suite
script pretrain/a <<'EOF'
#!/bin/bash
#GATE devices=0 timeout=30m tags=tp,pp
EOF
script b <<'EOF'
#GATE devices=8 platform=ascend-*
EOF
cat >gate.toml <<'EOF'
[defaults]
hang = "5m"
[rules.lm_loss]
tolerance = '±0.02'
[case."pretrain/*"]
grace = "1m"
rules.throughput = false
EOF
cat >baselines/b.json <<'EOF'
{"lm loss": [2.51, 2.42, 2.33], "throughput": [100.0, 110.0, 120.0], "memo info": []}
EOF
expect_exit 0 gate list
expect_out_match '^pretrain/a +cpu +30m +tp,pp +none'
expect_out_match '^b +8 devices, ascend-\* +2h .*general'
expect_exit 0 gate list --coverage
expect_out_match '^b +scripts/b.sh +Y +Y +-'
expect_out_match '^pretrain/a +tp, pp +scripts/pretrain/a.sh +- +- +-'
expect_exit 0 gate list --coverage --format markdown
expect_out_match '^\| b +\| +\| scripts/b.sh +\| Y +\| Y +\| - +\|'
expect_exit 0 gate list --explain pretrain/a --set sample=0
expect_out_match '^timeout +30m +scripts/pretrain/a.sh:2:'
expect_out_match '^hang +5m +gate.toml:2:'
expect_out_match '^grace +1m +gate.toml:6:'
expect_out_match '^startup +30m +built-in'
expect_out_match '^sample +0 +--set'
expect_out_match '^rules.lm_loss.tolerance +±0.02 +gate.toml:4:'
expect_out_match '^rules.throughput +false +gate.toml:7:'
expect_exit 0 gate --lang zh list
expect_out_match '^b +8 个设备，ascend-\* +2h .*general'
expect_out_match '^pretrain/a +cpu +30m +tp,pp +无'
expect_exit 0 gate --lang zh list --explain pretrain/a
expect_out_match '^startup +30m +内置'
expect_exit 0 gate list 'pre*/*'
refute_out 'ascend'
expect_exit 2 gate list 'x*'

# For programs: the same tables.
expect_exit 0 gate list --json
jq -e 'type == "array" and all(has("case") and has("baseline"))' "$WORK/.last/out" >/dev/null || broken "no JSON list"
name=$(jq -r '.[0].case' "$WORK/.last/out")
expect_exit 0 gate list --explain "$name" --json
jq -e --arg name "$name" 'any(.case == $name and .setting == "timeout" and .origin != "")' "$WORK/.last/out" >/dev/null ||
  broken "no JSON of origins"
expect_exit 0 gate list --coverage --json
jq -e '(.cases | all(has("accuracy"))) and (.features | length > 40)' "$WORK/.last/out" >/dev/null || broken "no JSON coverage"

# What would run, and that nothing does.
rm -rf .gate
expect_exit 0 gate run pretrain/a --dry-run
expect_out "would run pretrain/a  cpu, no baseline"
expect_last_line '^PLAN: 1 to run \(exit 0\)$'
refute_file .gate

# Numbers in names are in their order, c2 before c10.
for name in c10 c2; do script "$name" <<<'#GATE devices=0'; done
expect_exit 0 gate list 'c*'
[[ $(sed -n 's/^\(c[0-9]*\) .*/\1/p' "$WORK/.last/out") == $'c2\nc10' ]] || broken "not in the order of the numbers"
