# A case that cannot be read, and one whose baseline or command cannot be, is not judged, and the others are: whoever
# wrote its file, whatever is wrong with it, whatever the command is.
. "$(dirname "$0")/_lib"

suite
megatron_log 2.500000E+00 2.400000E+00 2.300000E+00 | sed 's/ iteration .*/& num zeros: 100 |/' >run.log
mkdir -p mc/gpt
echo "cat $PWD/run.log" >launch.sh
cat >gate.toml <<'TOML'
[suite]
platform = "cpu"
profile = "megatron"
[defaults]
devices = 0
[group.mc]
cases = ["mc/*/*/model_config.yaml", "!mc/*/left_out*/**"]
launch = "bash launch.sh {args}"
kind = "megatron"
cwd = "{suite}"
[group.st]
cases = ["st/*.sh", "!st/ci_*.sh"]
TOML
yaml() {
  mkdir -p "mc/gpt/$1"
  printf 'MODEL_ARGS:\n  --train-iters: 3\n%b' "$2" >"mc/gpt/$1/model_config.yaml"
}
header() { printf '%b\ncat %s/run.log\n' "$2" "$PWD" >"st/$1.sh"; }
mkdir st
for name in good other left_out; do yaml "$name" 'METRICS: [lm loss]\n'; done
for name in good other ci_run; do header "$name" ''; done

expect_exit 3 gate run
expect_last_line '4 unjudged'
expect_exit 0 gate baseline accept --run "$(latest)" --to general --reason first
expect_exit 0 gate run
expect_last_line '4 passed'
git init -q . && git add -A && git -c user.name=a -c user.email=a@b commit -qm first

# What is wrong with a file, the words of its reason, and its place.
bad=()
while IFS='|' read -r kind name text why; do
  $kind "$name" "$text"
  bad+=("$kind|$name|$why")
done <<'END'
yaml|broken|ENV_VARS: [|broken/model_config.yaml:4:1: syntax error
yaml|alias|ENV_VARS: *none|alias/model_config.yaml:3:11: the alias *none has no anchor
yaml|metric|METRICS: [generated_tokens]|metric/model_config.yaml:3:1: Megatron-LM has no test of "generated_tokens"
yaml|unset|  --data: ${NOWHERE}/x|unset/model_config.yaml:3:3: ${NOWHERE} is not known; set env.NOWHERE
yaml|two_faults|METRICS: [a]\nENV_VARS: {A-B: 1}|two_faults/model_config.yaml:4:12: "A-B" is no name of a variable
yaml|type|TEST_TYPE: [a]|type/model_config.yaml:3:12: TEST_TYPE is one text
header|key|#GATE tiemout=3s|key.sh:1:7: unknown
header|value|#GATE timeout=soon|value.sh:1:15:
header|rule|#GATE rules.lm_loss.tolerance=+5%|rule.sh:1:
header|partner|#GATE after=nobody|partner.sh:1:
header|nodes|#GATE nodes=2\nNNODES=4|sets NNODES to 4
END
printf 'not json' >baselines/st/torn.json && header torn ''
bad+=("header|torn|baselines/st/torn.json:1:")
yaml skipped 'MODE: inference\nMETRICS: [generated_tokens]\nENV_VARS: {A-B: 1}\n'

each_is_unjudged() { # FILE of the report
  local one kind name why told
  for one in "${bad[@]}"; do
    IFS='|' read -r kind name why <<<"$one"
    [[ $kind == yaml ]] && name=mc/gpt/$name || name=st/$name
    told=$(jq -r --arg name "$name" '.cases[] | select(.case == $name) | .verdict + " " + .reason' "$1")
    [[ $told == "unjudged "*"$why"* ]] || broken "$name is $told, and not unjudged for $why"
  done
}
expect_exit 3 gate run --report json=result.json
expect_last_line "${#bad[@]} unjudged, 4 passed, 1 skipped"
each_is_unjudged result.json
expect_exit 3 gate run --dry-run
expect_exit 0 gate run st/good mc/gpt/other
expect_exit 3 gate run st/value
expect_exit 3 gate run --shard 1/2 --out one
expect_exit 3 gate run --shard 2/2 --out two
expect_exit 3 gate report --merge one two --report json=merged.json
each_is_unjudged merged.json

# Lists tell it; what would judge or change a baseline by half of a case's settings does not.
run gate list --json
expect_json "$WORK/.last/out" '[.[] | select(.unreadable != "")] | length == 9'
run gate list --coverage
run gate list --explain st/value
expect_out_match 'unreadable +st/value.sh:1:15'
expect_exit 3 gate check run.log --case st/value
expect_out 'st/value.sh:1:15'
expect_exit 3 gate baseline import run.log --case st/value
expect_err 'st/value.sh:1:15'
run gate baseline lint
expect_out 'st/value.sh:1:15'
expect_out 'baselines/st/torn.json:1'
run gate baseline selftest
expect_exit 3 gate baseline record
expect_exit 3 gate run --policy-from HEAD

# What the target branch can read, and what it does not leave out, is judged by it, and said.
rm -rf mc/gpt/{broken,alias,metric,unset,two_faults,type,skipped} st/{key,value,rule,partner,nodes,torn}.sh baselines/st/torn.json
header good '#GATE timeout=soon'
sed -i 's/"!st.ci_.*"/"!st\/ci_*.sh", "!st\/other.sh"/' gate.toml
expect_exit 3 gate run
expect_last_line '1 unjudged, 2 passed'
expect_exit 0 gate run --policy-from HEAD --report json=result.json
expect_last_line '4 passed'
expect_out_match 'added +#GATE unreadable +st/good.sh:1:15: "soon" is no duration'
expect_out_match 'changed +group.st.cases .*!st/other.sh'

# A mistake of the suite's own is everybody's.
sed -i 's/^platform/platfrom/' gate.toml
expect_exit 2 gate run

# --- what waits to be accepted does not wait for it ---
suite accepting
echo '[defaults]
devices = 0' >gate.toml
for name in first second broken; do megatron_log 2.5E+00 2.4E+00 >"$name.log" && script "$name" <<<"cat $PWD/$name.log"; done
expect_exit 0 gate baseline record
sed -i '1i #GATE devices=many' scripts/broken.sh
expect_exit 3 gate baseline accept --reason first
expect_out 'left out broken'
expect_out 'its settings cannot be read: scripts/broken.sh:1:'
expect_last_line '^2 accepted, 1 left out$'
expect_exit 3 gate baseline accept --reason again
expect_err 'broken: its settings cannot be read: scripts/broken.sh:1:'
sed -i 1d scripts/broken.sh
expect_exit 0 gate baseline accept --reason mended
expect_out_match '^accepted broken '
