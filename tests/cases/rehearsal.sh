# `--devices 0` on a platform that is told: cases that want its devices run as on it without any, which is said and
# remembered nowhere.
. "$(dirname "$0")/_lib"

suite
unset CUDA_VISIBLE_DEVICES
megatron_log 2.500000E+00 2.400000E+00 2.300000E+00 >run.log
for name in eight listed whole other grid plain; do
  script $name <<<'echo "told {devices}=$1 $NPROC_PER_NODE of ${CUDA_VISIBLE_DEVICES-any}, chip ${CHIP-none}"; cat run.log'
done
cat >gate.toml <<'TOML'
[suite]
launch = "bash {script} {devices}"
cwd = "{suite}"
[case.eight]
devices = 8
platform = "nvidia-*"
[case.listed]
devices = [0, 1]
[case.other]
devices = 8
platform = "ascend-*"
[matrix.grid]
size = ["1x4"]
params = { CHIP = "any" }
mutable = "CHIP"
[platform."nvidia-*".matrix.grid]
params = { CHIP = "green" }
[case.plain]
devices = 0
TOML
for name in eight whole; do gate baseline import run.log --case $name --platform nvidia-h100 --accept --reason first >/dev/null; done
for name in listed grid@1x4; do gate baseline import run.log --case $name --accept --reason first >/dev/null; done
gate baseline import run.log --case plain --platform cpu --accept --reason first >/dev/null

# --- a rehearsal is said, beforehand, while it runs and behind it, and in every report ---
on_h100=(--devices 0 --platform nvidia-h100)
note='a rehearsal: cases that want devices have none'
expect_exit 0 gate run "${on_h100[@]}" --dry-run
expect_out 'would run eight  0 of 8 x nvidia-h100: a rehearsal, 3 steps, baselines/nvidia-h100/eight.json'
expect_out "$note"
expect_exit 0 gate run "${on_h100[@]}" --report json=out.json --report junit=out.xml --report openmetrics=out.prom --report html=out.html
rehearsed=$(latest)
expect_last_line '^REHEARSED: 5 passed, 1 skipped \(exit 0\)$'
expect_out "$note"
expect_out 'skipped other  needs 8 devices of ascend-*'
expect_json out.json '.rehearsal and ([.notes[] | select(startswith("a rehearsal"))] | length == 1)'
expect_json out.json '[.cases[] | select(.verdict == "passed") | "\(.case) \(.platform) \(.devices)"] == [
  "eight nvidia-h100 0 of 8 x nvidia-h100: a rehearsal", "grid@1x4 nvidia-h100 0 of 4 x nvidia-h100: a rehearsal",
  "listed nvidia-h100 0 of 2 x nvidia-h100: a rehearsal", "plain cpu cpu",
  "whole nvidia-h100 0 of 1 x nvidia-h100: a rehearsal"] and all(.cases[]; has("device_time_s") | not)'
expect_json out.json '[.cases[] | select(.case == "eight") | .baseline.path] == ["baselines/nvidia-h100/eight.json"]'
expect_file out.xml '<property name="rehearsal" value="true"'
expect_file out.html REHEARSED
[[ $(<out.prom) == '# EOF' ]] || broken 'metrics of a rehearsal'
for told in 'eight 8 8 of , chip none' 'listed 2 2 of , chip none' 'grid@1x4 4 4 of , chip green' \
  'whole 1 1 of , chip none' 'plain 0 1 of any, chip none'; do
  expect_file ".gate/latest/${told%% *}/log.txt" "told {devices}=${told#* }"
done
expect_exit 0 gate --lang zh report "$rehearsed"
expect_last_line '^已预演：'
expect_out '预演：需要设备的用例没有设备'

h100=$(printf nvidia-h100 | sha256sum)
expect_json .gate/latest/eight/result.json ".inputs.platform != \"${h100%% *}\""

# --- who says it, and who does not: word, value and platform ---
is_rehearsal() { # yes|no WORD...
  expect_exit 0 gate run plain eight listed "${@:2}" --report json=out.json
  expect_json out.json "[(.rehearsal // false), any(.cases[]; .devices | contains(\"rehearsal\"))] | all == ($1)"
}
sed -i '/^platform = "nvidia/d; /^\[matrix/,/^params = { CHIP = "green/d' gate.toml
is_rehearsal true --set devices=0 --platform nvidia-h100
is_rehearsal true --devices 8 --set devices=0 --platform nvidia-h100
is_rehearsal false --devices 0 --set judge=exit
is_rehearsal false --devices 0 --platform cpu --set judge=exit
sed -i 's/^\[suite\]/&\nplatform = "nvidia-h100"/' gate.toml
is_rehearsal true --devices 0
is_rehearsal false --devices 0 --platform cpu --set judge=exit
expect_exit 0 gate run plain --devices 0
expect_last_line '^GREEN' # no case of it wants a device
expect_exit 125 gate run eight

# --- nobody remembers it, and nobody takes it for a run ---
gate history --export >history.txt
! grep -q nvidia history.txt || broken 'a rehearsal is in the history'
expect_exit 2 gate history --import ".gate/runs/$rehearsed/result.json"
expect_err 'a rehearsal, which is kept out of the history'
for command in 'accept --reason x' diff; do
  expect_exit 3 gate baseline $command eight --run "$rehearsed"
  expect_err "$rehearsed was a rehearsal"
done
expect_exit 3 gate baseline record eight --devices 0
expect_err 'a rehearsal makes no baseline: leave --devices out'
[[ -z $(find .gate/candidates -type f) ]] || broken 'a candidate of a rehearsal'
expect_exit 0 gate baseline record plain --devices 0

# --- what is red goes on as a rehearsal, and a run that was none does not become one ---
sed -i s/2.300000E/2.900000E/ run.log
expect_exit 1 gate run plain eight --devices 0
expect_last_line '^RED: 2 regressed'
red=$(latest)
expect_out "gate run --again $red"
refute_out 'baseline accept'
refute_out 'green until'
for flags in '' '--devices 0'; do
  # shellcheck disable=SC2086 # none, or two words
  expect_exit 1 gate run --again "$red" $flags
  expect_last_line '^RED: 2 regressed'
  expect_out 'a rehearsal'
done
expect_exit 2 gate run --again "$red" --devices 1
expect_err "was started with --devices 0; give the same"
cp -r ".gate/runs/$red" .gate/runs/torn
rm .gate/runs/torn/eight/result.json
jq '.run = "torn" | del(.rehearsal)' ".gate/runs/$red/result.json" >.gate/runs/torn/result.json
expect_exit 3 gate run --resume torn --devices 0
expect_err 'was no rehearsal'

# --- shards, the policy of a commit, and two commits ---
for shard in 1/2 2/2; do
  expect_exit 1 gate run eight listed --shard $shard --devices 0 --out "$WORK/shards/${shard%/2}"
  run gate run eight listed --shard $shard --out "$WORK/shards/real${shard%/2}"
done
expect_exit 1 gate report --merge "$WORK"/shards/[12] --report json=merged.json
expect_json merged.json .rehearsal
expect_exit 2 gate report --merge "$WORK"/shards/1 "$WORK"/shards/real2
expect_err 'have not the same settings'
echo .gate >.gitignore && git init -q . && git add -A && git commit -qm first
expect_exit 1 gate run eight --devices 0 --policy-from HEAD
expect_out_match 'added +--devices +0'
expect_exit 3 gate ab HEAD HEAD --case eight --devices 0
expect_err 'eight: a rehearsal measures nothing'
