# The comment: red cases first, a line each; short, whatever is red; links to what the CI system tells of; findings at their
# places; and nothing of what others wrote is obeyed.
. "$(dirname "$0")/_lib"

comment() { # ARGUMENT...: of the newest run
  run gate "$@" report --format comment
  cp "$WORK/.last/out" "$WORK/comment.md"
}
# The first line that begins so, as a number.
line_of() { grep -n -m 1 -- "^$1" "$WORK/comment.md" | cut -d: -f1; }

# --- 40 of 45 red: one hung, one not finite, 37 alike, one apart ---
suite
good=(2.500000E+00 2.400000E+00 2.300000E+00 2.200000E+00)
megatron_log "${good[@]}" >good.log
megatron_log 2.500000E+00 2.424000E+00 2.323000E+00 2.222000E+00 >moved.log
megatron_log 2.500000E+00 - 2.300000E+00 2.200000E+00 >nan.log
megatron_log 2.500000E+00 2.400000E+00 2.900000E+00 2.200000E+00 >apart.log
model=pretrain/deepseek3/pretrain_deepseek3_671b_4k_tp8_pp4_ep16_cp2_ptd
script "${model}_1" <<<'cat good.log'
expect_exit 0 gate baseline import good.log --case "${model}_1" --accept --reason "first numbers"
mv "baselines/${model}_1.json" first.json
for i in $(seq 45); do
  log=moved
  ((i != 7)) || log=apart
  ((i != 8)) || log=nan
  ((i <= 40)) || log=good
  script "${model}_$i" <<<"cat $log.log"
  sed "s|${model}_1\"|${model}_$i\"|" first.json | baseline "${model}_$i"
done
git init -q && printf '.gate\ngate-run*\n' >.gitignore && git add -A && git commit -qm first
script "${model}_9" <<<'exit 7'
expect_exit 1 gate run --out gate-run
comment
(($(wc -c <"$WORK/comment.md") < 10000)) || broken "the comment is long: $(wc -c <"$WORK/comment.md")"
expect_file "$WORK/comment.md" '<summary>5 other cases</summary>'
expect_file "$WORK/comment.md" '37 red cases moved with the rest, lm_loss +'
[[ $(line_of "- CRASHED .*_9") -lt $(line_of "- REGRESSED .*_8") && $(line_of "- REGRESSED .*_8") -lt $(line_of "- REGRESSED .*_7") &&
  $(line_of "- REGRESSED .*_7") -lt $(line_of "- 37 red") && $(line_of "- 37 red") -lt $(line_of "<details>") ]] ||
  broken "not in the order of what is worse"
[[ $(grep -c '^<details>$' "$WORK/comment.md") == "$(grep -c '^</details>$' "$WORK/comment.md")" ]]
# A red case's line is the terminal's.
gate report | sed -n 's/^REGRESSED [^ ]*_7  \(lm_loss step .*\)/\1/p' | sed 's/->/-\&gt;/' >line
expect_file "$WORK/comment.md" "$(<line)"
expect_file "$WORK/comment.md" "  log      ${model}_9/log.txt" # from the run's folder, which is what a job keeps
! grep -q "$WORK" "$WORK/comment.md" || broken "a path of this machine"
expect_exit 0 gate report --format markdown
(($(grep -c '^```text$' "$WORK/.last/out") == 40)) || broken "a summary holds all red cases in full"

# What is told is told in Chinese, too.
comment --lang zh
expect_file "$WORK/comment.md" '37 个红色用例随整体一起变化'
expect_file "$WORK/comment.md" '<summary>红色用例的全部内容</summary>'

# --- where the CI system tells of itself ---
hash=$(git rev-parse HEAD)
git checkout -q . && expect_exit 1 gate run --out gate-run2
GITHUB_SERVER_URL=https://g.example.com GITHUB_REPOSITORY=a/b GITHUB_RUN_ID=5 comment
expect_file "$WORK/comment.md" '[CI job](https://g.example.com/a/b/actions/runs/5)'
expect_file "$WORK/comment.md" "[commit ${hash:0:7}](https://g.example.com/a/b/commit/$hash)"
expect_file "$WORK/comment.md" '[artifacts of the job](https://g.example.com/a/b/actions/runs/5#artifacts)'
CI_JOB_URL=https://l.example.com/a/-/jobs/7 CI_PROJECT_URL=https://l.example.com/a comment
expect_file "$WORK/comment.md" "[commit ${hash:0:7}](https://l.example.com/a/-/commit/$hash)"
expect_file "$WORK/comment.md" '(https://l.example.com/a/-/jobs/7/artifacts/browse)'
BUILD_URL=https://j.example.com/job/x/3/ comment
expect_file "$WORK/comment.md" '[artifacts of the job](https://j.example.com/job/x/3/artifact/)'
SYSTEM_COLLECTIONURI=https://dev.azure.com/o/ SYSTEM_TEAMPROJECTID=1-2 BUILD_BUILDID=9 comment
expect_file "$WORK/comment.md" '[CI job](https://dev.azure.com/o/1-2/_build/results?buildId=9)'
BUILD_URL='https://x) **b** [y](https://z/' comment
! grep -qF '](' "$WORK/comment.md" || broken "a link out of another"
expect_exit 1 env GITHUB_ACTIONS=true GITHUB_SERVER_URL=https://g.example.com GITHUB_REPOSITORY=a/b GITHUB_RUN_ID=5 \
  GITHUB_STEP_SUMMARY="$WORK/summary.md" gate run "${model}_7"
expect_file "$WORK/summary.md" '[CI job](https://g.example.com/a/b/actions/runs/5)'
BUILD_URL=https://j.example.com/job/x/3/ expect_exit 1 gate run "${model}_7" --report comment=c.md
expect_file c.md '[CI job](https://j.example.com/job/x/3/)'

# --- shards are merged: of one report there is one comment ---
for shard in 1 2; do run gate run --shard $shard/2 --out "shards$shard"; done
expect_exit 1 gate report --merge shards1 shards2 --format comment
expect_out '38 red cases moved with the rest'
! grep -q "$WORK" "$WORK/.last/out" || broken "a path of this machine"

# --- what is green is short ---
expect_exit 0 gate run "${model}_41" "${model}_42"
comment
expect_file "$WORK/comment.md" '<summary>2 cases</summary>'
! grep -q 'red cases' "$WORK/comment.md" || broken "a green run has red cases"

# --- a policy that others trust: findings at their places, and how far a baseline moved ---
printf '[rules.lm_loss]\ntolerance = "±0.5"\n' >gate.toml
sed -i 's/"2.300000E+00"/"2.369000E+00"/' "baselines/${model}_41.json"
run env GITHUB_ACTIONS=true gate run "${model}_41" --policy-from HEAD
expect_err_match '^::warning title=policy,file=gate.toml,line=2::loosened  rules.lm_loss.tolerance  '
expect_err_match "^::warning title=policy,file=baselines/${model}_41.json::changed  baseline .*  lm_loss step 3 \+3 %25\$"
expect_out "changed  baseline baselines/${model}_41.json  lm_loss step 3 +3 %"
comment
expect_file "$WORK/comment.md" "- changed  baseline baselines/${model}_41.json  lm_loss step 3 +3 %"
[[ $(line_of "- changed") -lt $(line_of "<details>") ]] || broken "findings are hidden"

# --- 5,000 red cases, with names that want to be obeyed ---
suite hostile
evil='</details>@all #1 `x` |[y](https://e.example) <b>'
script one <<<'exit 3'
expect_exit 4 gate run
mkdir many
# shellcheck disable=SC2016 # jq's
jq --arg evil "$evil" '.cases = [range(5000) as $i | .cases[0] + {case: "\($evil) \($i)", reason: $evil}]' .gate/latest/result.json >many/result.json
run gate report many --format comment
cp "$WORK/.last/out" "$WORK/comment.md"
(($(wc -m <"$WORK/comment.md") < 65000)) || broken "the comment is refused: $(wc -m <"$WORK/comment.md")"
shown=$(grep -c '^- CRASHED ' "$WORK/comment.md")
((shown > 100)) || broken "few red cases: $shown"
expect_file "$WORK/comment.md" "and $((5000 - shown)) more: gate -v report"
outside() { awk '/^```+text$/ { sub(/text$/, ""); fence = $0; next } $0 == fence { fence = ""; next } !fence' "$1"; }
outside "$WORK/comment.md" | grep -vxE '</?details>|<summary>.*</summary>' | sed 's/<!-- -->/\x01/g' >prose
! grep -qE '<|@all|#1|://|[^\]\]\(' prose || broken "obeyed: $(grep -m 1 -E '<|@all|#1|://|[^\]\]\(' prose)"
