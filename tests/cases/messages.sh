# Why a script failed: what its log says, and what that decides.
. "$(dirname "$0")/_lib"

suite
megatron_log 2.500000E+00 2.400000E+00 2.300000E+00 >good.log
for name in memory ecc caught short killed; do
  script $name <<<'cat good.log'
  expect_exit 0 gate baseline import good.log --case $name --accept --reason "first numbers"
done

# Ranks that waited, the launcher's summary and the traceback all follow from the memory.
script memory <<'SCRIPT'
head -n 2 good.log
echo "[rank5]:[E1121 03:04:05.6 ProcessGroupNCCL.cpp:616] [Rank 5] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=66)"
for rank in 2 3; do
  echo "[rank$rank]: Traceback (most recent call last):"
  echo "[rank$rank]:   File \"train.py\", line 4, in <module>"
  echo "[rank$rank]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 20.00 GiB."
done
echo "torch.distributed.elastic.multiprocessing.errors.ChildFailedError: "
exit 1
SCRIPT
expect_exit 4 gate run memory
expect_out CRASHED
expect_out 'exited 1: CUDA out of memory (log.txt:6)'
expect_out_match '^  cause +.*log.txt:6: \[rank2\]: torch.OutOfMemoryError'
expect_out '(2 times)'
expect_out_match '^  problem +.*Watchdog caught collective'
expect_json .gate/latest/result.json '.cases[0].cause | .name == "cuda_out_of_memory" and .class == "crashed"
  and .line == 6 and .count == 2 and (.advice | length) > 0 and (.file | endswith("memory/log.txt"))'
expect_exit 0 gate explain memory
expect_out_match '^cause CUDA out of memory$'
expect_out_match '^  class +crashed \(cuda_out_of_memory\)$'
expect_out_match '^  log +.*log.txt:6: '
expect_out 'micro batch'
expect_exit 0 gate explain memory --json
expect_out '"cause": {'
for format in text junit markdown; do
  expect_exit 0 gate report --format $format
  expect_out 'CUDA out of memory (log.txt:6)'
done

# A broken device is not the change's fault.
script ecc <<'SCRIPT'
head -n 2 good.log
echo "RuntimeError: CUDA error: uncorrectable ECC error encountered" >&2
exit 1
SCRIPT
expect_exit 125 gate run ecc
expect_out INFRA
expect_out 'exited 1: uncorrectable ECC error of a GPU (log.txt:3)'

# What was caught, or said after the last step, decides nothing.
script caught <<'SCRIPT'
cat good.log
printf 'Traceback (most recent call last):\n  File "train.py", line 4, in <module>\nValueError: logged and passed over\n'
SCRIPT
expect_exit 0 gate -v run caught
expect_out_match '^passed caught'
expect_json .gate/latest/result.json '.cases[0] | .cause == null and .verdict == "passed"
  and ([.problems[] | select(.kind == "message" and .text == "ValueError: logged and passed over")] | length) == 1'

# A starter that drops the exit code of what it starts hides no process that died, unless the launcher started it again.
failed='ERROR:torch.distributed.elastic.multiprocessing.api:failed (exitcode: 1) local_rank: 7 (pid: 42) of binary: python'
script caught <<<"{ cat good.log; echo '$failed'; exit 1; } | tee log"
expect_exit 4 gate run caught
expect_out 'exited 0, and its launcher says that a process of the job failed: '
expect_out '(exitcode: 1) local_rank: 7 (pid: 42) of binary: python (log.txt:4)'
expect_exit 4 gate check log --case caught
expect_out 'its launcher says that a process of the job failed'
script caught <<<"{ head -n 2 good.log; echo '$failed'; cat good.log; } | tee log"
expect_exit 0 gate run caught --set restarts=true

# Nor does a script whose text drops it: then a failure in the log decides, but for what Python says ends no process.
raised='Traceback (most recent call last):\n  File "train.py", line 4, in <module>\nValueError: no checkpoint\n'
printf '%s\n' 'cat good.log' 'cat said >&2' >train.sh
while read -r verdict head script; do
  printf "${head//_/ }\n$raised" >said
  script caught <<<"${script//;/$'\n'}"
  expect_exit "$verdict" gate run caught
  if ((verdict == 4)); then expect_out_match 'exited 0, but its script drops the exit code of bash: .*; the log says: ValueError: no checkpoint \(log.txt:7\)'; fi
done <<'END_OF_ROWS'
4 step_4 bash train.sh 2>&1 | tee log
4 step_4 bash train.sh || true
4 step_4 bash train.sh & wait
4 step_4 bash train.sh; exit 0
0 step_4 set -o pipefail; bash train.sh 2>&1 | tee log
0 step_4 set -e; bash train.sh; exit 0
0 Exception_ignored_in:_<function_f> bash train.sh 2>&1 | tee log
0 Exception_in_thread_Thread-1_(_pin_memory_loop): bash train.sh 2>&1 | tee log
END_OF_ROWS
printf "$raised" >said
script caught <<<'bash train.sh 2>&1 | tee log'
expect_exit 4 gate run caught
expect_exit 4 gate check log --case caught
expect_out 'its script drops the exit code of bash: | tee stands behind it without set -o pipefail; the log says: '
expect_exit 1 gate baseline lint caught
expect_out_match '^ +drops_exit: set -o pipefail'
expect_exit 1 gate baseline lint caught -v
expect_out_match '^note  caught .*drops the exit code of bash'
printf '%s\n' 'head -n 2 good.log' 'cat said good.log' >train.sh
expect_exit 0 gate run caught --set restarts=true
# What the training survives ends nothing: three steps behind it, and not those of a rank that has yet to notice.
printf '%s\n' 'cat said good.log' >train.sh
expect_exit 0 gate run caught -v
expect_out_match '^ +problem .*ValueError: no checkpoint'
printf '%s\n' 'head -n 1 good.log' 'cat said' 'tail -n +2 good.log' >train.sh
expect_exit 4 gate run caught
# No process survives a signal, whatever the others print behind it: a shell's, a launcher's, the kernel's word of it.
printf '%s\n' 'cat said good.log' >train.sh
while read -r verdict line; do
  printf '%s\n' "$line" >said
  expect_exit "$verdict" gate run caught
done <<'END_OF_ROWS'
4 Killed
4 Segmentation fault (core dumped)
4 /bin/sh: line 1: 4242 Bus error               python train.py
4 Floating point exception (core dumped)
4   exitcode  : -9 (pid: 4242)
4 Killed by signal 9.
4 slurmstepd: error: Detected 1 oom_kill event in StepId=4242.batch.
4 srun: error: node7: task 3: Segmentation fault
0   exitcode  : -15 (pid: 4242)
0 RuntimeError: DataLoader worker (pid 4242) is killed by signal: Killed.
0 RuntimeError: NPU out of memory. Tried to allocate 52.00 MiB
END_OF_ROWS

# Exit 0 without all steps stays incomplete and says what the log says; so does a saved log.
script short <<'SCRIPT'
head -n 2 good.log
echo "OSError: [Errno 28] No space left on device: 'checkpoints'"
SCRIPT
expect_exit 4 gate run short
expect_out 'missing step 3 of 3; the log says: no space left on the disk (log.txt:3)'
expect_exit 4 gate check .gate/latest/short/log.txt --case short
expect_out 'the log says: no space left on the disk'

# Nobody said who sent the SIGKILL.
script killed <<'SCRIPT'
head -n 2 good.log
kill -9 $$
SCRIPT
expect_exit 4 gate run killed
expect_out 'killed by SIGKILL, not by gate: usually by the kernel, out of host memory'

expect_exit 0 gate extract .gate/runs/*/memory/log.txt
expect_out_match '^  cuda_out_of_memory  .*log.txt:6: \[rank2\]: torch'

# A quoted line holds no secret.
script killed <<'SCRIPT'
head -n 2 good.log
printf 'Traceback (most recent call last):\n  File "train.py", line 4, in <module>\nValueError: token %s\n' "$HUB_TOKEN"
exit 1
SCRIPT
HUB_TOKEN=hf_abcdefghijkl expect_exit 4 gate run killed
expect_out_match 'exited 1: ValueError: token .*\(log.txt:5\)'
refute_out hf_abcdefghijkl
! grep -r hf_abcdefghijkl .gate || broken "the secret is in the run's folder"

# Ordinary lines are no messages.
{ cat good.log && echo 'WARNING: OOM-safe allocator enabled' && echo '  nccl_timeout ............ 10'; } >ordinary.log
expect_exit 0 gate extract --json ordinary.log
jq -e '.messages == []' "$WORK/.last/out" >/dev/null

# --- a script that sends all to a file: said by a run, and by lint ---
script away <<<'bash train.sh >>"away.log" 2>&1'
run gate run away
expect_out 'its script sends its output to away.log: log = "..." in gate.toml names such a file'
run gate baseline lint away -v
expect_out_match '^note  away .*away.log$'
script away <<<'bash train.sh 2>/dev/null >&2 2>&1 | cat; ls >/dev/null 2>&1'
run gate baseline lint away -v
refute_out 'to a file'
