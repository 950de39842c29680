# gate init in a checkout of FlagPerf: its cases run and are judged without an edit, also under their names there.
# timeout: 300
. "$(dirname "$0")/_lib"
. "$(dirname "$0")/_host"
. "$(dirname "$0")/_flagperf"

mkdir flagperf && cd flagperf && git init -q .
flagperf_tree nvidia A100
nvidia_tool "$WORK/.nvidia" 8 'NVIDIA A100-SXM4-80GB'
export PATH=$WORK/.nvidia/bin:$PATH
unset CUDA_VISIBLE_DEVICES ASCEND_RT_VISIBLE_DEVICES HIP_VISIBLE_DEVICES
conf=training/run_benchmarks/config/test_conf.py
verdicts() { jq -r '.cases[] | "\(.case) \(.verdict)"' .gate/latest/result.json; }
explains() { expect_exit 0 gate list --explain "$1" && expect_out_match "$2"; }

# --- what is written ---
expect_exit 0 gate init
expect_out_match '^wrote .*gate.toml for a FlagPerf checkout: 2 cases$'
expect_out 'not detected: which container each case runs in'
expect_out 'ACCE_CONTAINER_OPT is "--gpus all"'
expect_out 'not detected: who installs h5py, transformers==4.30 (training/nvidia/glm-pytorch/config/requirements.txt)'
expect_out "config_A100x1x8.py may set what is not mutable: target_accuracy (training/nvidia/bert-pytorch/config/config_A100x1x8.py:3:1, over training/benchmarks/bert/pytorch/config/_base.py:8:1)"
expect_out 'not detected: the parameters that come by `from config_common import *`, because nothing is executed: training/nvidia/glm-pytorch/config/config_A100x1x1.py:1:1, '
refute_out 'train_batch_size'
expect_out "gate baseline record '**'"
refute_out 'gate baseline import'
expect_exit 0 gate list
expect_out_match '^glm/pytorch +1x1 +1x8 +2x8$'
expect_out_match '^bert/pytorch@2x8 +8 devices, 2 nodes, nvidia-a100, nvidia-a100-\*'
explains glm/pytorch@1x8 "^data_dir +$PWD/data/glm "
explains glm/pytorch@1x8 '^needs +train.hdf5,eval.hdf5,\./training/nvidia/glm-pytorch/config/config_A100x1x8.py,./training/nvidia/glm-pytorch/config/environment_variables.sh '
explains glm/pytorch@1x8 '^rules.final_accuracy.tolerance +>= 0.80 '
explains glm/pytorch@1x8 '^depends +training/benchmarks/glm/pytorch/\*\*,training/nvidia/glm-pytorch/\*\*,training/run_benchmarks/pytorch/\*\* '
explains glm/pytorch@2x8 '^hosts +cluster '
explains bert/pytorch@1x8 '^repeat +2 '
explains bert/pytorch@1x1 '^repeat +1 '
explains glm/pytorch@1x8 '^timeout +7d '
explains glm/pytorch@1x8 '^hang +4h '

# --- what a vendor may not set does not lower its target ---
explains bert/pytorch@1x8 '^rules.final_accuracy.tolerance +>= 0.80 '
sed -i 's/"vendor"/"vendor", "target_accuracy"/' training/benchmarks/bert/pytorch/config/mutable_params.py
mv gate.toml first.toml && expect_exit 0 gate init
explains bert/pytorch@1x8 '^rules.final_accuracy.tolerance +>= 0.1 '
explains bert/pytorch@1x1 '^rules.final_accuracy.tolerance +>= 0.80 '
sed -i 's/, "target_accuracy"//' training/benchmarks/bert/pytorch/config/mutable_params.py

# --- what `import *` brings from the file beside is read ---
cp training/benchmarks/glm/pytorch/config/mutable_params.py "$WORK/mutable.py"
printf 'from torch import *\neval_data = "common.hdf5"\n' >training/nvidia/glm-pytorch/config/config_common.py
echo 'mutable_params += ["eval_data"]' >>training/benchmarks/glm/pytorch/config/mutable_params.py
rm gate.toml && expect_exit 0 gate init
expect_out 'the parameters that come by `from torch import *`, because nothing is executed: training/nvidia/glm-pytorch/config/config_common.py:1:1'
explains glm/pytorch@1x8 '^needs +train.hdf5,common.hdf5,'
rm training/nvidia/glm-pytorch/config/config_common.py
cp "$WORK/mutable.py" training/benchmarks/glm/pytorch/config/mutable_params.py
mv first.toml gate.toml

# --- without hosts for its nodes a case is left out, and said ---
rm gate.toml training/run_benchmarks/config/cluster_conf.py
expect_exit 0 gate init
expect_out 'not detected: where glm:pytorch_1.8:A100:2:8:1, bert:pytorch:A100:2:8:1 would run: left out'
expect_exit 0 gate run --dry-run
expect_out 'would run glm/pytorch@1x8  8 x nvidia-a100, no baseline'
expect_last_line '4 to run'

# --- baselines, then green ---
sed -i 's/^hang = .*/&\nsample = 0/' gate.toml # these runs end before a device is read, or do not
# A first candidate has no baseline beside it: what its own rules want is told at once.
echo '1.0 missing 0.9' >"$FLAGPERF/glm@1x8"
expect_exit 3 gate baseline record glm/pytorch@1x8
expect_out 'missing: rules.converged is required, and the candidate has no converged'
expect_exit 3 gate baseline accept glm/pytorch@1x8 --reason first
expect_err 'missing: rules.converged is required'
expect_exit 0 gate baseline accept glm/pytorch@1x8 --reason first --metric lm_loss
rm -r baselines
echo '1.0 false 0.7' >"$FLAGPERF/glm@1x8"
expect_exit 0 gate baseline record glm/pytorch@1x8
expect_out 'its own rules call it red, so accept takes it by its exact name alone: '
expect_exit 3 gate baseline accept --reason first
rm "$FLAGPERF/glm@1x8"
expect_exit 0 gate baseline record '**'
expect_exit 0 gate baseline accept --reason first
expect_exit 0 gate run
expect_last_line '4 passed'
# A rank that dies: FlagPerf's starter ends with 0 all the same.
for said in 'torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 MiB' 'line 12: 4242 Segmentation fault (core dumped) python -u train.py'; do
  echo "$said" >"$FLAGPERF/said"
  expect_exit 4 gate run glm/pytorch@1x8
  expect_out 'exited 0, but its starter drops the exit codes of its processes; the log says: '
done
# The others go on, and rank 0 alone prints steps: what is raised before the first of them may be handled.
raised=$'Traceback (most recent call last):\n  File "a.py", line 4, in <module>\nValueError: x'
for row in "4 2 $raised" "0 0 $raised" '4 2 Killed' '4 0 Killed'; do
  echo "${row:2:1}" >"$FLAGPERF/said_at" && echo "${row:4}" >"$FLAGPERF/said"
  expect_exit "${row:0:1}" gate run glm/pytorch@1x8
done
rm "$FLAGPERF/said" "$FLAGPERF/said_at"
# ... and says so behind its last event, which may be the launcher's word alone.
for said in '[E ProcessGroupNCCL.cpp:341] Some NCCL operations have failed or timed out.' 'RuntimeError: HCCL error' \
  '[E ProcessGroupNCCL.cpp:474] To avoid data inconsistency, we are taking the entire process down.' \
  "subprocess.CalledProcessError: Command '['/usr/bin/python3', '-u', 'a.py']' returned non-zero exit status 1." \
  'Killing subprocess 1234' '[INFO] [launch.py:315:sigkill_handler] Killing subprocess 1234' 'Main process received SIGTERM, exiting' \
  'WARNING:torch.distributed.elastic.multiprocessing.api:Sending process 123 closing signal SIGTERM' \
  '[ERROR] [container_main.py,66]Run cmd failed' 'docker: Error response from daemon: no such image.' \
  'line 3: 12345 Killed   torchrun a.py' 'Aborted (core dumped)'; do
  echo "$said" >"$FLAGPERF/said_last"
  expect_exit 4 gate run glm/pytorch@1x8
  expect_out_match 'exited 0, (and its launcher says that a process of the job failed|but its starter drops the exit codes)'
done
for said in "CalledProcessError: Command '['git', 'log']' returned non-zero exit status 128." 'Error response from daemon: No such container: c' \
  '[INFO] [launch.py:347:main] Process 123 exits successfully.'; do
  echo "$said" >"$FLAGPERF/said_last"
  expect_exit 0 gate run glm/pytorch@1x8
done
rm "$FLAGPERF/said_last"
# The log of an earlier run, and one of now by a clock that goes wrong by two minutes.
for ago in 3600 120 0; do
  echo "$(($(date +%s) - ago))000" >"$FLAGPERF/time_ms"
  expect_exit $((ago > 300 ? 4 : 0)) gate run glm/pytorch@1x8
  ((ago <= 300)) || expect_out 'the log is of an earlier run: its last event is of '
done
rm "$FLAGPERF/time_ms"
echo '/bin/sh: 1: /opt/python: not found' >"$FLAGPERF/said"
expect_exit 0 gate run glm/pytorch@1x8
expect_out_match 'problem .*: /bin/sh: 1: /opt/python: not found'
rm "$FLAGPERF/said"
expect_exit 0 gate run
expect_exit 0 gate report --format table
expect_out '| model | cluster | measured | unit | linearity | final_accuracy | e2e_time (s) | platform | case |'
expect_out_match '^\| glm \| 1x8 \| 800 \| samples/s \| 12.5 % of 1x1 \| 0.9 \| 60 \| nvidia-a100 \| glm/pytorch.*1x8 \|$'
expect_exit 0 gate history --report table=history.md
expect_file history.md '| model | cluster | measured | unit | linearity | final_accuracy | platform | case |'
expect_file history.md '| glm | 1x1 | 800 | samples/s |  | 0.9 | nvidia-a100 | glm/pytorch'
key=glm:pytorch_1.8:A100:1:8:1
for words in "history $key" "explain $key" "compare latest latest --case $key" "baseline list $key" "baseline mv $key glm/other" \
  "baseline mv glm/other $key"; do expect_exit 0 gate $words; done
for words in "history" explain "baseline mv" "baseline rm --reason x"; do
  expect_exit 2 gate $words ${key/A100/H100} glm/other
  expect_err "no case \"${key/A100/H100}\": glm/pytorch@1x8 is of A100"
done
expect_exit 0 gate history glm/pytorch@1x8 --report table-csv=history.csv
expect_file history.csv 'glm,1x8,800,samples/s,0.9,nvidia-a100,glm/pytorch@1x8'
# --- a config that changed since the baseline was recorded is named ---
config=training/nvidia/glm-pytorch/config/config_A100x1x8.py
cp $config "$WORK/config" && echo '# changed' >>$config
expect_exit 0 gate run glm/pytorch@1x8
expect_json .gate/latest/result.json '.cases[0].differs | any(test("^config_A100x1x8.py [0-9a-f]{12} -> [0-9a-f]{12}$"))'
mv "$WORK/config" $config
# --- a dry run says what a run would: data, or the config of a size, that is not there ---
for path in data/glm/train.hdf5 training/nvidia/glm-pytorch/config/config_A100x1x8.py; do
  mv $path "$WORK/away"
  for command in 'run --dry-run' run; do
    expect_exit 125 gate $command glm/pytorch@1x8
    expect_out_match "it needs .*${path##*/}, which is not there"
  done
  mv "$WORK/away" $path
done

# --- the table of a case's README: its numbers are held against a run, and a run that is too short for a reading ---
cat >training/nvidia/glm-pytorch/README.md <<'END_OF_README'
   - 训练框架版本：pytorch-1.8.0a0+52ea372

| 指标名称 | 指标值 | 特殊说明 |
| --- | --- | --- |
| 任务类别 | 自然语言理解 | |
| 模型 | GLM | |

| 配置 | precision | fix_hp | e2e_time | p_whole | p_train | p_core | acc | mem |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |
| A100单机8卡（1x8） | fp32 | / | 50 | 36.5 | 42.4 | / | 90.0% | 33.0/40.0 |
| A100单机单卡（1x1） | fp32 | bs=16 | / | | | | / | |
END_OF_README
expect_exit 0 gate reference training/nvidia/glm-pytorch/README.md
expect_exit 0 gate reference
expect_out 'e2e_time 50 s, throughput_raw 36.5 samples/s, throughput_no_eval 42.4 samples/s, final_accuracy 0.900, device_memory 33792 MiB'
against() { # METRIC TOLERANCE
  run gate run -v glm/pytorch@1x8 --set 'reference=GLM pytorch 1x8 A100' --set "rules.p.metric=$1" \
    --set rules.p.against=reference --set "rules.p.tolerance=$2"
}
for row in 'e2e_time +20% 0 50 s' 'e2e_time +19% 1 50 s' 'final_accuracy ±0.01 0 0.900 ' 'throughput_raw -5% 4 36.5 samples/s' \
  'throughput_pure_compute -5% 2 '; do
  read -r metric tolerance exit number <<<"$row"
  against "$metric" "$tolerance"
  [[ $code == "$exit" ]] || broken "$row: exit code $code"
  if ((exit == 2)); then expect_err 'GLM pytorch 1x8 A100 has no throughput_pure_compute'; else
    expect_out "against the reference $number (GLM pytorch 1x8 A100)"
  fi
done
expect_exit 4 gate run glm/pytorch@1x8 --set sample=60 --set 'rules.device_utilization.tolerance=>= 80'
expect_out 'the run was shorter than sample = 60s: no reading'
expect_out_match '^  ungated  device_memory: the run was shorter than sample = 60s: no reading; not in the baseline'
run gate baseline lint glm/pytorch@1x8 -v
expect_out 'no memory is gated; device_memory has a rule, and the baseline no reading: a run shorter than sample has none'
sed 's/36.5/37/' training/nvidia/glm-pytorch/README.md >training/nvidia/bert-pytorch/README.md # two cases of one name
expect_exit 2 gate reference training/nvidia/bert-pytorch/README.md
expect_err 'bert-pytorch/README.md:10: "GLM pytorch 1x8 A100" is the name of the row at training/nvidia/glm-pytorch/README.md:10, too'
mv training/nvidia/{bert,glm}-pytorch/README.md
expect_exit 0 gate reference training/nvidia/glm-pytorch/README.md
expect_out '0 new, 1 changed, 0 removed, 0 same'
rm references.json training/nvidia/glm-pytorch/README.md

grep -A1 -x -e --case_name "$FLAGPERF/words" | grep -qx 'glm:pytorch:A100:1:8:1' || broken "the case has another name there"
! grep -q visible_dev_env "$FLAGPERF/words" || broken "the script is to choose the devices itself"
grep -A1 -x -e --extern_config_file "$FLAGPERF/words" | grep -qx config_A100x1x8.py || broken "another config"

# --- slower, not converged, below the target: red, each with why ---
red() { # WORDS FILTER: what glm@1x8 prints, and what its checks are
  echo "$1" >"$FLAGPERF/glm@1x8"
  expect_exit 1 gate run
  [[ $(verdicts) == $'bert/pytorch@1x1 passed\nbert/pytorch@1x8 passed\nglm/pytorch@1x1 passed\nglm/pytorch@1x8 regressed' ]] ||
    broken "verdicts: $(verdicts)"
  expect_json .gate/latest/result.json "[.cases[] | select(.case == \"glm/pytorch@1x8\") | .checks[] | select(.status == \"fail\") | .metric] == $2"
}
red '0.8 true 0.9' '["samples_per_second"]'
red '1.0 false 0.9' '["converged"]'
expect_out 'converged'
red '1.0 true 0.7' '["final_accuracy"]'
expect_out '>= 0.80'
red '1.0 twice 0.9' '["final_accuracy"]'
! grep -qE 'note +(.*, )?(converged|final_accuracy)(,.*)?: report 2 not judged' "$WORK/.last/out" || broken 'what is judged is said not to be'
for said in missing unfinished; do
  echo "1.0 $said 0.9" >"$FLAGPERF/glm@1x8"
  expect_exit 4 gate run glm/pytorch@1x8
  expect_out_match '^ +converged '
  expect_out 'it exited 0, but its starter drops the exit codes of its processes'
done
rm "$FLAGPERF/glm@1x8"

# --- what a case needs, and is not there any more, is said before the run, and by lint ---
variables=training/nvidia/glm-pytorch/config/environment_variables.sh
mv $variables "$WORK/variables" && mv data/glm/train.hdf5 data/glm/moved.hdf5
sed -i 's/train.hdf5/moved.hdf5/' training/benchmarks/glm/pytorch/config/_base.py
expect_exit 125 gate run --dry-run glm/pytorch@1x8
expect_out "it needs data/glm/train.hdf5, ./$variables, which are not there"
run gate baseline lint -v glm/pytorch@1x8
expect_out_match "^WEAK  glm/pytorch@1x8 .*gate.toml needs $PWD/data/glm/train.hdf5, and its files do not name it by now\$"
expect_out_match "^WEAK  glm/pytorch@1x8 .*gate.toml needs ./$variables, and its files do not name it by now\$"
expect_exit 125 gate run --dry-run glm/pytorch@1x8
expect_err_match 'gate.toml and its source files differ in [0-9]+ settings?; gate baseline lint -v tells which'
run gate baseline lint -v glm/pytorch@1x8
expect_out_match "^note  glm/pytorch@1x8 .*its files name $PWD/data/glm/moved.hdf5 by now, and gate.toml does not need it\$"
sed -i 's/moved.hdf5/train.hdf5/' training/benchmarks/glm/pytorch/config/_base.py
mv "$WORK/variables" $variables && mv data/glm/moved.hdf5 data/glm/train.hdf5

# --- a mistake in test_conf.py is told as one, and what moved as that ---
cp $conf "$WORK/conf"
echo 'PIP = "https' >>$conf
expect_exit 0 gate run --dry-run glm/pytorch@1x8
expect_err 'is not closed'
refute_err 'asks for less'
sed 's/glm:pytorch_1.8:A100:1:1:1/gpt:pytorch_1.8:A100:1:1:1/; s|"[^"]*/glm"|"/data/moved"|' "$WORK/conf" >$conf
sed -i '/gpt:pytorch/d' $conf
run gate baseline lint -v
expect_out_match '^note  glm/pytorch@1x1 .*CASES of .*test_conf.py does not hold it by now$'
expect_out_match '^note  glm/pytorch@1x8 .*its data_dir is /data/moved by its files now, and .*/data/glm by gate.toml$'
mv "$WORK/conf" $conf

# --- environment_variables.sh is sourced; one that fails is no failure of the case ---
sed -i s/OF_MODEL=glm/OF_MODEL=other/ training/nvidia/glm-pytorch/config/environment_variables.sh
expect_exit 4 gate run glm/pytorch@1x1
expect_file .gate/latest/glm/pytorch@1x1/log.txt 'environment_variables.sh was not sourced'
echo 'false' >training/nvidia/glm-pytorch/config/environment_variables.sh
expect_exit 125 gate run glm/pytorch@1x1
echo 'export OF_MODEL=glm' >training/nvidia/glm-pytorch/config/environment_variables.sh

# --- FlagPerf's names of cases ---
expect_exit 0 gate run glm:pytorch:A100:1:8:1 bert:pytorch_1.13:A100:1:1:1
[[ $(verdicts) == $'bert/pytorch@1x1 passed\nglm/pytorch@1x8 passed' ]] || broken "verdicts: $(verdicts)"
expect_exit 0 gate list glm:pytorch:A100:1:1:3
expect_out_match '^glm/pytorch@1x1 '
refute_out 'glm/pytorch@1x8 '
expect_exit 0 gate check .gate/latest/glm/pytorch@1x8/log.txt --case glm:pytorch:A100:1:8:1
cp .gate/latest/glm/pytorch@1x8/log.txt "$WORK/good.log"
expect_exit 2 gate run glm:pytorch:A100:4:8:1
expect_err 'no case "glm:pytorch:A100:4:8:1"; of glm/pytorch there are glm/pytorch@1x1, glm/pytorch@1x8'
expect_exit 2 gate list cpm:pytorch:A100:1:8:1
expect_err 'no case "cpm:pytorch:A100:1:8:1"; there are bert/pytorch@1x1, '
expect_exit 2 gate run glm:pytorch:H100:1:8:1
expect_err 'no case "glm:pytorch:H100:1:8:1": glm/pytorch@1x8 is of A100'

# --- several kinds of hardware, and folders of data by size ---
cp training/nvidia/glm-pytorch/config/config_{A100x1x1,H100x1x8}.py
flagperf_case "\"glm:pytorch:A100:1:1:1\": \"$PWD/data/glm\"" "\"glm:pytorch:A100:1:8:1\": \"/raid/glm\"" \
  "\"glm:pytorch:H100:1:8:1\": \"$PWD/data/glm\"" "\"glm:pytorch_2.0:H100:1:8:4\": \"$PWD/data/glm\"" \
  "\"glm:pytorch:TP1PP1SP8A10040G:1:8:1\": \"$PWD/data/glm\""
rm gate.toml && expect_exit 0 gate init
expect_out 'what training/nvidia/glm-pytorch/config/config_TP1PP1SP8A10040Gx1x8.py sets: there is no such file'
expect_out 'which platform TP1PP1SP8A10040G of nvidia is'
expect_out 'what tells glm:pytorch_2.0:H100:1:8:4 from the case that stands before: glm/pytorch@1x8 on H100 is run once'
expect_exit 0 gate list --json
[[ $(jq -r '.[].case' "$WORK/.last/out") == "glm/pytorch@1x1,FLAGPERF_HARDWARE=A100
glm/pytorch@1x8,FLAGPERF_HARDWARE=A100
glm/pytorch@1x8,FLAGPERF_HARDWARE=H100
glm/pytorch@1x8,FLAGPERF_HARDWARE=TP1PP1SP8A10040G" ]] || broken 'other cases'
explains glm/pytorch@1x8,FLAGPERF_HARDWARE=A100 '^data_dir +/raid/glm '
explains glm/pytorch@1x8,FLAGPERF_HARDWARE=H100 "^data_dir +$PWD/data/glm "
explains glm/pytorch@1x8,FLAGPERF_HARDWARE=H100 '^platform +nvidia-h100,nvidia-h100-\* '
expect_exit 0 gate run --dry-run glm:pytorch:A100:1:1:1
expect_last_line '1 to run'
expect_exit 0 gate list glm:pytorch:H100:1:8:1
refute_out 'HARDWARE=A100 '

# --- a vendor whose devices gate does not know ---
cp -r training/nvidia training/kunlunxin
VENDOR=kunlunxin flagperf_case "\"glm:pytorch:R300:1:8:1\": \"$PWD/data/glm\""
rm gate.toml && expect_exit 0 gate init
expect_out 'which host has devices of kunlunxin: gate sees none of that vendor'
expect_out 'FlagPerf takes the first devices there, by CUDA_VISIBLE_DEVICES'
expect_file gate.toml '--vendor kunlunxin --visible_dev_env CUDA_VISIBLE_DEVICES"'
expect_exit 0 gate list
expect_exit 3 gate run
expect_out_match '^skipped glm/pytorch@1x8 '

# --- targets that the log's final_accuracy may be of; others are told ---
VENDOR=nvidia flagperf_case "\"glm:pytorch:A100:1:8:1\": \"$PWD/data/glm\""
cp training/benchmarks/glm/pytorch/config/_base.py "$WORK/base.py"
sed -i 's/^target_accuracy.*/target_mAP: float = 0.36/' training/benchmarks/glm/pytorch/config/_base.py
rm gate.toml && expect_exit 0 gate init
explains glm/pytorch@1x8 '^rules.final_accuracy.tolerance +>= 0.36 '
sed -i 's/^target_mAP.*/target_map_bbox = 0.38\ntarget_map_segm: float = 0.34/' training/benchmarks/glm/pytorch/config/_base.py
rm gate.toml && expect_exit 0 gate init
explains glm/pytorch@1x8 '^rules.final_map_bbox.tolerance +>= 0.38 '
explains glm/pytorch@1x8 '^rules.final_map_segm.tolerance +>= 0.34 '
explains glm/pytorch@1x8 '^rules.converged.required +true '
sed -i '/^target_map_segm/d; s/^target_map_bbox.*/target_mAP = 0.3/' training/benchmarks/glm/pytorch/config/_base.py
# A script that says neither at its end.
cp training/benchmarks/glm/pytorch/run_pretraining.py "$WORK/run.py"
echo 'info = {"e2e_time": 1}  # "converged", "final_mAP"' >training/benchmarks/glm/pytorch/run_pretraining.py
rm gate.toml && expect_exit 0 gate init
expect_out 'the accuracy that glm/pytorch@1x8 is to reach: target_mAP stands in training/benchmarks/glm/pytorch/config/_base.py, and finished_info has no key'
! grep -q 'rules.converged' gate.toml || broken 'a run is to say what its script does not'
! grep -q final_accuracy gate.toml || broken 'a rule on what nobody says'
cp "$WORK/run.py" training/benchmarks/glm/pytorch/run_pretraining.py
sed -i 's/^target_mAP.*/target_f1, x = 0.3, 1/' training/benchmarks/glm/pytorch/config/_base.py
rm gate.toml && expect_exit 0 gate init
expect_out 'not detected: the accuracy that glm/pytorch@1x8 is to reach: target_f1 stands in training/benchmarks/glm/pytorch/config/_base.py'
cp "$WORK/base.py" training/benchmarks/glm/pytorch/config/_base.py

# --- what finished_info says is asked of each run, and memory of the devices' tool ---
finished='"e2e_time": 60.0, "training_sequences_per_second": 700.0, "raw_train_time": 50.0, "init_time": 5.0, "throughput(ips)_raw": 90.0'
echo "finished_info = {$finished, \"converged\": True, \"final_accuracy\": 0.9}" >training/benchmarks/glm/pytorch/run_pretraining.py
sed -i "s/\"e2e_time\": 60.0/$finished/" "$WORK/good.log"
rm gate.toml && expect_exit 0 gate init
explains glm/pytorch@1x8 '^rules.device_memory.tolerance +\+10% or \+256 '
explains glm/pytorch@1x8 '^rules.e2e_time.tolerance +> 0 and <= 604800 '
check=(gate check "$WORK/said.log" --case glm/pytorch@1x8 --platform nvidia-a100)
expect_exit 0 gate baseline import "$WORK/good.log" --case glm/pytorch@1x8 --platform nvidia-a100 --accept --reason "all that it says"
cp "$WORK/good.log" "$WORK/said.log" && expect_exit 0 "${check[@]}"
for round in round1 round2; do
  mkdir -p "$WORK/rounds/$round/10.0.0.1_noderank0" && cp "$WORK/good.log" "$WORK/rounds/$round/10.0.0.1_noderank0/rank0.log.txt"
done
expect_exit 2 gate check "$WORK/rounds" "${check[@]:3}"
expect_err '/rounds/round1, '
expect_err '2 rounds of FlagPerf, each a run of its own; name the folder of one round'
expect_exit 0 gate check "$WORK/rounds/round2" "${check[@]:3}"
while read -r key metric; do
  sed "s/\"$key\": [a-z0-9.]*,* *//" "$WORK/good.log" >"$WORK/said.log"
  expect_exit 4 "${check[@]}"
  expect_out "$metric: not in the run"
done <<'END_OF_KEYS'
e2e_time e2e_time
training_sequences_per_second training_samples_per_second
raw_train_time raw_train_time
init_time init_time
throughput(ips)_raw throughput_raw
converged converged
final_accuracy final_accuracy
END_OF_KEYS
sed 's/"e2e_time": 60.0/"e2e_time": 604801/' "$WORK/good.log" >"$WORK/said.log" && expect_exit 1 "${check[@]}"
sed 's/"e2e_time": 60.0/"e2e_time": 0/' "$WORK/good.log" >"$WORK/said.log" && expect_exit 1 "${check[@]}"
sed 's/_raw": 90.0/_raw": 80.0/' "$WORK/good.log" >"$WORK/said.log" && expect_exit 1 "${check[@]}"

# --- what FlagPerf's files say later than gate.toml, and what its rules for cases miss ---
base=training/benchmarks/glm/pytorch/config/_base.py own=training/nvidia/glm-pytorch/config
gate baseline lint >"$WORK/lint" || true
! grep -q source_changed "$WORK/lint" || broken 'nothing has changed'
sed -i 's/^target_accuracy.*/target_accuracy = 0.85/' $base
flagperf_case "\"glm:pytorch:A100:1:8:1\": \"$PWD/data/glm\"" '"bert:pytorch:A100:1:4:1": "/data"'
expect_exit 1 gate baseline lint
expect_out_match '^WEAK  glm/pytorch@1x8 .*final_accuracy is to be ">= 0.85" by its files now, and gate.toml says ">= 0.80"'
expect_out_match "^WEAK  bert/pytorch@1x4 .*\"bert:pytorch:A100:1:4:1\" stands in CASES \($conf:8:5\), and gate.toml has no such case"
expect_out 'gate init --dry-run prints'
run gate run glm/pytorch@1x8
expect_out_match '^  note +final_accuracy is to be ">= 0.85" by its files now, and gate.toml says ">= 0.80"'
expect_json .gate/latest/result.json '.cases[0].notes | tostring | contains("is to be")'
expect_exit 0 gate list
expect_err "gate.toml has no case for bert:pytorch:A100:1:4:1 of CASES ($conf); gate init --dry-run prints the lines for it"
run gate run --dry-run
expect_err 'gate.toml has no case for bert:pytorch:A100:1:4:1'
expect_exit 0 gate list glm/pytorch@1x8
refute_err 'gate.toml has no case'
expect_err_match '^gate: gate.toml asks for less than its source files of glm/pytorch@.*; gate baseline lint tells what$'
expect_exit 2 gate run bert:pytorch:A100:1:4:1
expect_err 'of a key that is new in CASES gate init --dry-run prints the lines'
for line in 'target_accuracy = 0.7' 'target_accuracy = 0.8'; do # gate.toml asks as much or more
  sed -i "s/^target_accuracy.*/$line/" $base && run gate baseline lint -v glm/pytorch@1x8 && refute_out source_changed
  [[ $line == *0.8 ]] || expect_out_match '^note  glm/pytorch@1x8 .*final_accuracy is to be ">= 0.7" by its files now, and gate.toml says ">= 0.80"$'
done
flagperf_case "\"glm:pytorch:A100:1:8:3\": \"$PWD/data/glm\"" && run gate list
expect_err 'gate.toml asks for less than its source files of glm/pytorch@1x8'
run gate baseline lint glm/pytorch@1x8
expect_out_match '^WEAK  glm/pytorch@1x8 .*its files ask for 3 repeats by now, and gate.toml for 1 repeat'
cp $own/config_A100x1x8.py "$WORK/x1x8" && echo 'eval_data = "../e.hdf5"' >>$own/config_A100x1x8.py
printf 'import torch, apex.amp as amp\n"""\nfrom apex import none\n"""\nimport apexlike\n    from apex.optimizers import FusedAdam\n' \
  >training/benchmarks/glm/pytorch/optim.py
mv $own/requirements.txt "$WORK/requirements" && mv $own/config_A100x2x8.py "$WORK/x2x8" && mv $own/config_A100x1x1.py "$WORK/x1x1"
echo '| A100 (1x8) | 33.0/40.0 |' >training/benchmarks/glm/readme.md
run gate baseline lint -v glm/pytorch@1x8
for lack in "there is no $own/config_A100x1x1.py" "there is no $own/config_A100x2x8.py" "$base does not set data_dir" \
  'no table of training/benchmarks/glm/readme.md has results of 1x1, 2x8' "there is no $own/requirements.txt" \
  'there is no training/benchmarks/glm/pytorch/readme.md' 'there is no training/nvidia/glm-pytorch/readme.md' \
  "config_A100x1x8.py sets what is not mutable: eval_data \($own/config_A100x1x8.py:3:1, over $base:4:1\)" \
  "init_checkpoint of $base:5:1 is \"/models/start.pt\", which is no path below data_dir" \
  'it imports apex, .*: training/benchmarks/glm/pytorch/optim.py:1, training/benchmarks/glm/pytorch/optim.py:6'; do expect_out_match "^note  glm/pytorch@1x8 .*$lack"; done
refute_out 'finished_info of'
sed -i 's/"vendor", //' training/benchmarks/glm/pytorch/config/mutable_params.py
sed -i 's/"init_time"/"later"/' training/benchmarks/glm/pytorch/run_pretraining.py && rm training/benchmarks/glm/readme.md
run gate baseline lint -v glm/pytorch@1x8
expect_out 'mutable_params of training/benchmarks/glm/pytorch/config/mutable_params.py has no vendor'
expect_out 'finished_info of training/benchmarks/glm/pytorch/run_pretraining.py has no init_time'
flagperf_case '"glm:pytorch:A100:1:8": "/data"'
expect_exit 1 gate baseline lint
expect_out "$conf:7:5: \"glm:pytorch:A100:1:8\" is no case"
mv "$WORK/requirements" $own/requirements.txt && mv "$WORK/x1x8" $own/config_A100x1x8.py && rm training/benchmarks/glm/pytorch/optim.py
mv "$WORK/x2x8" $own/config_A100x2x8.py && mv "$WORK/x1x1" $own/config_A100x1x1.py
cp "$WORK/run.py" training/benchmarks/glm/pytorch/run_pretraining.py
cp "$WORK/mutable.py" training/benchmarks/glm/pytorch/config/mutable_params.py
cp "$WORK/base.py" $base

# --- a key that stands twice, what FlagPerf does around a case, a benchmark behind a link ---
flagperf_case "\"glm:pytorch:A100:1:8:1\": \"$PWD/data/glm\"" '"glm:pytorch:A100:1:8:1": "/other"' \
  '"linked:pytorch:A100:1:8:1": "/data"'
printf 'PIP_SOURCE = "https://mirror/simple"\nSHM_SIZE = "32G"\nCLEAR_CACHES = True\n' >>$conf
ln -s glm training/benchmarks/linked
rm gate.toml && expect_exit 0 gate init
expect_out "why \"glm:pytorch:A100:1:8:1\" stands in CASES again ($conf:8:5): gate takes the first, of line 7"
expect_out 'how linked:pytorch:A100:1:8:1 would run: left out, because run_pretraining.py lies behind a link'
expect_out 'whether caches are to be cleared: CLEAR_CACHES'
expect_out 'FlagPerf does before glm/pytorch from PIP_SOURCE, https://mirror/simple, gate does not'
explains glm/pytorch@1x8 "^data_dir +$PWD/data/glm "
explains glm/pytorch@1x8 '^container.options +--shm-size=32G '
rm gate.toml training/benchmarks/linked && expect_exit 2 gate init
expect_err 'there is no training/benchmarks/linked/pytorch/run_pretraining.py'
flagperf_case "\"glm:pytorch:A100:1:8:1\": \"$PWD/data/glm\""
echo 'SHM_SIZE = "32 G; x"' >>$conf
expect_exit 0 gate init
expect_out 'SHM_SIZE is "32 G; x", which is no size'
! grep -q '^container.options' gate.toml || broken 'that is no size'

# --- A10 is not A100 ---
cp training/nvidia/glm-pytorch/config/config_{A100x1x1,A10x1x8}.py
VENDOR=nvidia flagperf_case "\"glm:pytorch:A10:1:8:1\": \"$PWD/data/glm\""
rm gate.toml && expect_exit 0 gate init
expect_exit 3 gate run
expect_out_match '^skipped glm/pytorch@1x8 '

# --- a checkout inside of another tree of git ---
rm gate.toml && rm -rf .git && git -C .. init -q . && expect_exit 0 gate init
expect_file gate.toml 'depends = ["flagperf/training/benchmarks/glm/pytorch/**"'
rm -rf ../.git gate.toml

# --- hosts behind another port, one of them called as the group would be ---
VENDOR=nvidia flagperf_case "\"glm:pytorch:A100:2:8:1\": \"$PWD/data/glm\""
printf 'HOSTS = ["cluster", "ci-2.lab"]\nSSH_PORT = "2222"\n' >training/run_benchmarks/config/cluster_conf.py
expect_exit 0 gate init
expect_file gate.toml 'cluster_hosts = ["cluster", "ci-2.lab"]'
expect_file gate.toml 'ssh = "ssh -p 2222"'
! grep -q '^sync' gate.toml || broken 'there is no git tree to send'
explains glm/pytorch@2x8 '^hosts +cluster_hosts '
echo 'HOSTS = ["one"]' >training/run_benchmarks/config/cluster_conf.py
rm gate.toml && expect_exit 2 gate init
expect_err 'no case of CASES has as many hosts as nodes'
rm training/run_benchmarks/config/cluster_conf.py

# --- what is wrong there is told with its place, all together, and nothing is written ---
refused() { # MESSAGE...
  expect_exit 2 gate init
  for message in "$@"; do expect_err "$message"; done
  refute_file gate.toml
}
flagperf_case '"glm:pytorch:A100:1:1:1": "/data/$(touch ran)"' '"glm:pytorch:A100:1:8:1": ROOT + "/glm"' '"x": "d"' \
  "'glm:pytorch:A100:1:4:1': 'a\"; touch ran; \\n'" '"gone:pytorch:A100:1:1:1": "/data"' '"glm:paddle:A100:1:1:1": "/data"'
refused "$conf:7:31: the data folder of \"glm:pytorch:A100:1:1:1\", \"/data/\$(touch ran)\", is not made of" \
  "$conf:8:31: the data folder of \"glm:pytorch:A100:1:8:1\" is no text as it is written" \
  "$conf:9:5: \"x\" is no case" "$conf:10:31: the data folder of"
flagperf_case '"gone:pytorch:A100:1:1:1": "/data"' '"glm:paddle:A100:1:1:1": "/data"' '"_a:pytorch:A100:1:1:1": "/data"'
refused "$conf:7:5: \"gone:pytorch:A100:1:1:1\": there is no training/benchmarks/gone/pytorch/run_pretraining.py" \
  "$conf:8:5: \"glm:paddle:A100:1:1:1\": there is no training/benchmarks/glm/paddle/run_pretraining.py" \
  "$conf:9:5: \"_a:pytorch:A100:1:1:1\": a folder whose name begins with _ is no case"
mkdir -p training/benchmarks/glm/paddle && echo true >training/benchmarks/glm/paddle/run_pretraining.py
flagperf_case '"glm:paddle:A100:1:1:1": "/data"'
refused 'there is no training/run_benchmarks/paddle/start_paddle_task.py, which starts it'
VENDOR=../x flagperf_case '"glm:pytorch:A100:1:1:1": "/data"'
refused "$conf:1:10: VENDOR is not the name of a vendor's folder"
VENDOR=nvidai flagperf_case '"glm:pytorch:A100:1:1:1": "/data"'
refused "$conf:1:10: VENDOR is \"nvidai\", and there is no folder training/nvidai; vendors that have its cases: kunlunxin, nvidia; did you mean \"nvidia\"?"
VENDOR=nvidia
flagperf_case '"glm:pytorch:A100:1:1:1": "/data"'
for change in 'CASES.update(more())' 'Y = f(CASES)' 'Y = (CASES)' 'Y = [CASES, 1]'; do
  flagperf_case '"glm:pytorch:A100:1:1:1": "/data"'
  echo "$change" >>$conf
  refused "CASES is not told"
done
flagperf_case
refused 'CASES holds no case'
flagperf_case '"glm:pytorch:A100:1:1:1": "/data"'
echo 'HOSTS = ["-oProxyCommand=touch ran", "b"]' >training/run_benchmarks/config/cluster_conf.py
refused 'cluster_conf.py:1:10: "-oProxyCommand=touch ran" is no name or address of a host'
refute_file ran

# --- what the layers hold is quoted, or left out ---
rm training/run_benchmarks/config/cluster_conf.py
printf 'train_data = "a\\" ] \\\\n$(touch ran)"\neval_data = "../up"\ninit_checkpoint = "fine/a.pt"\ntarget_acc = "1"\n' \
  >training/benchmarks/glm/pytorch/config/_base.py
printf 'x = """\n' >training/nvidia/glm-pytorch/config/config_A100x1x1.py
printf 'a"b\n$(touch ran)\x01\n' >training/nvidia/glm-pytorch/config/requirements.txt
expect_exit 0 gate init
expect_out 'what training/nvidia/glm-pytorch/config/config_A100x1x1.py sets: training/nvidia/glm-pytorch/config/config_A100x1x1.py:1:5: this text is not closed'
expect_out 'the accuracy that glm/pytorch@1x1 is to reach: training/benchmarks/glm/pytorch/config/_base.py:4:1: target_acc is no number'
expect_file gate.toml 'needs = ["fine/a.pt", "'
expect_exit 0 gate list
refute_file ran
