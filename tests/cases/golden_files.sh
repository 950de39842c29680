# Baselines of the ModelLink family, as they are, against logs made from them. Their files are not part of the project.
# timeout: 300
. "$(dirname "$0")/_lib"

data=${GATE_REAL_DATA:-$SOURCE/../shared/data}
[[ -d $data/modellink ]] || skip "no golden files here (GATE_REAL_DATA names their folder)"

# log_of FILE: a log that holds what the file holds. LOSS_DELTA is added to the loss of step 3, SPEED and MEMORY multiply
# throughput and the last rank's memory.
log_of() {
  local memory throughput losses
  { read -r memory && read -r throughput && read -r losses; } < <(jq -r --argjson d "${LOSS_DELTA:-0}" \
    --argjson speed "${SPEED:-1}" --argjson f "${MEMORY:-1}" '."memo info" as $m | ([range($m | length)] | map(. as $i | $m[$i] |
    ([$m[0:$i][] | select(.rank == $m[$i].rank)] | length + 1) as $report | (if $i == ($m | length) - 1 then $f else 1 end) as $by |
    "--memory-at \($report) --memory \(.rank):\(."allocated memory" * $by):\(."max allocated memory" * $by)") | join(" ")),
    (.throughput | map(. * $speed) | join(",")), (."lm loss" | .[2] += $d | join(" "))' "$1")
  # shellcheck disable=SC2086
  megatron_log $memory --throughput "$throughput" $losses
}

count=0
for file in "$data"/modellink/*.json; do
  log_of "$file" >same.log
  expect_exit 0 gate check same.log --baseline "$file"
  LOSS_DELTA=0.011 log_of "$file" >bad.log
  expect_exit 1 gate check bad.log --baseline "$file"
  expect_out lm_loss
  expect_out 'step 3'
  LOSS_DELTA=0.0099 log_of "$file" >ok.log
  expect_exit 0 gate check ok.log --baseline "$file"
  SPEED=0.949 log_of "$file" >bad.log
  expect_exit 1 gate check bad.log --baseline "$file"
  expect_out throughput
  SPEED=0.951 log_of "$file" >ok.log
  expect_exit 0 gate check ok.log --baseline "$file"
  MEMORY=1.101 log_of "$file" >bad.log
  expect_exit 1 gate check bad.log --baseline "$file"
  expect_out memory_
  MEMORY=1.099 log_of "$file" >ok.log
  expect_exit 0 gate check ok.log --baseline "$file"
  head -n 5 same.log >short.log
  expect_exit 4 gate check short.log --baseline "$file"
  count=$((count + 1))
done
# Ranks listed twice may be two reports, or one report printed twice: both logs are the file's.
twice=$data/modellink/llama2_tp2_pp1_ha_save_ptd.json
printed_twice() { log_of "$twice" | sed 's/(after 2 iterations)/(after 1 iterations)/' | sort -s -t']' -k1.1,1.2; }
printed_twice >one_place.log
[[ $(grep -c 'after 1 iterations' one_place.log) == 4 ]]
expect_exit 0 gate check one_place.log --baseline "$twice"
MEMORY=1.101 printed_twice >one_place.log
expect_exit 1 gate check one_place.log --baseline "$twice"

((count == 15)) || broken "$count files instead of 15"
