# Trees of golden files, as they are: each file is imported or refused with a reason. They are not part of the project.
. "$(dirname "$0")/_lib"

data=${GATE_REAL_DATA:-$SOURCE/../shared/data}
[[ -d $data/megatron ]] || skip "no golden files here (GATE_REAL_DATA names their folder)"

# import_all TREE REFUSED: of all its files so many are refused, and what is imported can be accepted.
import_all() {
  local files imported code=0
  files=$(find "$data/$1" -name '*.json' ! -name '*_2nd.json' | wc -l)
  imported=$((files - $2))
  (($2 == 0)) || code=3
  suite "$1"
  expect_exit "$code" gate baseline import --tree "$data/$1"
  expect_last_line "^imported $imported files \(steps assumed in [0-9]+\), refused $2$"
  (($(find .gate/candidates -name '*.json' | wc -l) == imported)) || broken "other candidates than $imported"
  expect_exit "$code" gate baseline import --tree "$data/$1" --accept --reason "as they were"
  expect_last_line "^accepted $imported candidates$"
  (($(find baselines -name '*.json' | wc -l) == imported)) || broken "other baselines than $imported"
  expect_exit 3 gate baseline accept --reason "nothing waits any more"
}

import_all modellink 0
import_all mindspeed-llm 0
import_all megatron 2
[[ -z $(find baselines -name '*2nd*') ]] || broken 'a second run became a case'
expect_file baselines/nvidia-a100-dracooci-ord@dev/t5/t5_mcore_te_tp1_pp1_vp1_resume_torch.json

# An image upgrade: fifty of them are 3 % faster, one loss curve is off by 4 % at step 7. That one comes first, and the common
# shift leaves it out.
drifted=$WORK/drifted
cp -r "$data/megatron" "$drifted"
find "$drifted" -name 'golden_values_*.json' ! -name '*_2nd.json' | sort >all.txt
moved=0 off=''
while read -r file; do
  if ((moved < 50)) && jq -e '."iteration-time".values and ."lm loss".values' "$file" >/dev/null; then
    moved=$((moved + 1))
    change='."iteration-time".values |= map_values(if type == "number" then . * 10300 | round / 10000 else . end)'
    [[ -n $off || $moved -lt 31 ]] || ! jq -e '."lm loss".values."7" | type == "number"' "$file" >/dev/null || { off=$file && change+=' | ."lm loss".values."7" |= (. * 104000 | round / 100000)'; }
    jq "$change" "$file" >changed.json && cp changed.json "$file"
  else
    rm "$file"
  fi
done <all.txt
[[ $moved == 50 ]] || broken "only $moved files to drift"
printf '[rules.iteration_time]\ntolerance = "+2%%"\n' >gate.toml
expect_exit 0 gate baseline import --tree "$drifted"
run gate baseline diff
cp "$WORK/.last/out" diff.txt
name=$(sed -E 's|.*/test_cases/||; s|/golden_values_.*||' <<<"$off")
first=$(awk '/^apart / { getline; print; exit }' diff.txt)
[[ $first == *"$name"*lm_loss*"+4.0 % at step 7"* ]] || broken "the first that stands apart is not $name: $first"
expect_out_match '^iteration_time: 50 of 50 cases moved together, median \+3.0 %'
expect_exit 3 gate baseline accept --reason "new image"
expect_exit 0 gate baseline accept --common-shift --reason "new image"
expect_out "left out $name"
(($(grep -c '^accepted ' "$WORK/.last/out") == 49)) || broken "not 49 were accepted"
expect_last_line "49 accepted, 1 left out"
