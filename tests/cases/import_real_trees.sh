# Trees of golden files, as they are: each file is imported or refused with a reason. They are not part of the project.
. "$(dirname "$0")/_lib"

data=${GATE_REAL_DATA:-$SOURCE/../shared/data}
[[ -d $data/megatron ]] || skip "no golden files here (GATE_REAL_DATA names their folder)"

# import_all TREE REFUSED: of all its files so many are refused, and what is imported can be accepted.
import_all() {
  local files imported code=0
  files=$(find "$data/$1" -name '*.json' | wc -l)
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
expect_file baselines/nvidia-a100-lts/gpt/gpt3_mcore_te_tp2_pp2_resume_torch_dist_defer_embedding_wgrad_compute.2nd.json '"platform": "nvidia-a100-lts"'
expect_file baselines/nvidia-a100-dracooci-ord/t5/t5_mcore_te_tp1_pp1_vp1_resume_torch.json
