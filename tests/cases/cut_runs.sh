# What tells that a run was cut: progress bars, schedulers, signals, who holds the memory; where a suite is looked for.
. "$(dirname "$0")/_lib"

mkdir -p "$WORK/logs" && cd "$WORK/logs"
# trainer END [FROM]: the bar and the dictionaries of a training of 40 steps, up to step END.
trainer() {
  local step
  for ((step = ${2:-1}; step <= $1; step++)); do
    printf '\r%3d%%|##   | %d/40 [00:%02d<01:00,  1.00s/it]' $((step * 5 / 2)) "$step" "$step"
    ((step % 10)) || printf "\r        \r{'loss': %s.500, 'epoch': 0.%d}\n" "$((40 - step))" "$step"
  done
  echo
}
trainer 40 >whole.log
trainer 33 >short.log
{ trainer 33 && printf 'Traceback (most recent call last):\n  File "a.py", line 1, in <module>\nValueError: x\n'; } >died.log
{ trainer 23 && echo 'slurmstepd: error: *** STEP 1.0 ON n7 CANCELLED AT 2025-06-02T07:15:40 DUE TO TIME LIMIT ***' && trainer 33 24; } >limit.log
expect_exit 0 gate extract whole.log --format csv
expect_out_match '^lm_loss,,40,0.500,'
expect_exit 0 gate check whole.log --baseline whole.log
refute_out announces
expect_exit 0 gate check short.log --baseline short.log
expect_out 'ended after step 33 of the 40 that its log announces'
expect_exit 4 gate check died.log --baseline short.log
expect_out 'ended after step 33 of the 40 that its log announces; the log says: ValueError: x'
expect_exit 4 gate check limit.log --baseline short.log
expect_out "the log says: Slurm: the job's time limit was reached"

# A log that ends in the middle of a record, wherever that was cut. What stands before other lines is a problem.
megatron_log 2.500 2.400 2.300 >three.log
megatron_log --total 3 2.500 2.400 >two.log
expect_exit 0 gate check two.log --baseline two.log
expect_out 'the baseline two.log: it ends at step 2 of 3: record a run that reaches its end'
for lost in 2 60 220 275 300 $(($(tail -n 1 three.log | wc -c) - 41)); do
  head -c -$lost three.log >torn.log
  expect_exit 4 gate check torn.log --baseline two.log
  expect_out_match 'the log ends in the middle of (a record behind step 2|the record of step 3) of 3 [(]torn.log:3: '
done
for _ in {1..1100}; do head -n 2 three.log | tail -n 1 | head -c 200 && echo; done >thousand.log
{ cat two.log thousand.log && tail -n 1 three.log | head -c 40; } >torn.log
expect_exit 4 gate check torn.log --baseline two.log
expect_out '(torn.log:1103: '
{ head -c -60 three.log && echo && echo bye; } >middle.log
expect_exit 0 gate check middle.log --baseline two.log
expect_exit 0 gate init two.log --dry-run
expect_out 'the end of two.log: it ends at step 2 of 3'

# A script that ends with 0 where the baseline does was not cut by what it was told before.
suite
{ megatron_log --total 50 2.500 2.400 && echo '[rank: 0] Received SIGTERM: 15' && megatron_log --from 3 --total 50 2.300; } >told.log
megatron_log 2.500 2.400 2.300 >base.log
script told <<<"cat told.log"
expect_exit 0 gate baseline import base.log --case told --accept --reason first
expect_exit 0 gate run told
expect_exit 4 gate check told.log --baseline base.log

# Memory that another process held before the first step is the machine's fault, and no later one is.
hogged='torch.OutOfMemoryError: CUDA out of memory. Process 1 has 70.00 GiB memory in use. Including non-PyTorch memory, this process has 2.00 GiB memory in use.'
script hogged <<<"echo '$hogged'; exit 1"
script late <<<"head -n 1 base.log; echo '$hogged'; exit 1"
script own <<<"echo '$hogged' | sed \"s/Process 1 /Process \$\$ /\"; exit 1"
for name in hogged late own; do expect_exit 0 gate baseline import base.log --case $name --accept --reason first; done
expect_exit 125 gate run hogged
expect_out 'exited 1: CUDA out of memory'
expect_exit 4 gate run late
expect_exit 4 gate run own

# The script's own words, once; not on every line, and not in a green run.
script words <<<'echo "[ERROR] shard 3 of 7 differs"; for i in 1 2; do echo "ERROR: retry $i"; done; exit 1'
expect_exit 0 gate baseline import base.log --case words --accept --reason first
expect_exit 4 gate run words
expect_out 'exited 1: [ERROR] shard 3 of 7 differs (log.txt:1)'
script words <<<'echo "[ERROR] shard 3 of 7 differs"; cat base.log'
expect_exit 0 gate run words
refute_out 'shard 3'

# A failure is said, however many problems there are.
{ for step in 1 2 3 4 5 6 7 8 9 10 11 12; do megatron_log --from $step --total 12 --grad-norm nan 2.500; done
  printf 'Traceback (most recent call last):\n  File "a.py", line 1, in <module>\nValueError: x\n'; } >many.log
run gate check many.log --baseline many.log
expect_out 'ValueError: x'

# Beyond a git tree lies another project.
mkdir -p "$WORK/outer/scripts" "$WORK/outer/inner" && cd "$WORK/outer/inner"
echo true >../scripts/deploy.sh
expect_exit 0 gate list
git init -q .
expect_exit 2 gate list
expect_err 'no suite here or above'

# A block, or a record, that was written twice, a run that went on, records in the other order: memory is judged as of one run.
mkdir -p "$WORK/memory" && cd "$WORK/memory"
# records FIRST LAST EACH [MIB]: records; two ranks tell their memory behind every EACH-th step, 0: behind the first alone.
records() {
  local step options=() losses=()
  for ((step = $1; step <= $2; step++)); do
    losses+=("$((20 - step)).500")
    ((step == $1 && $3 == 0 || ($3 && step % $3 == 0))) && options+=(--memory-at "$step" --memory "0:${4:-100}:${4:-100}" --memory "1:${4:-100}:${4:-100}")
  done
  megatron_log --from "$1" --total 12 "${options[@]}" "${losses[@]}"
}
for each in 0 1 4; do
  records 1 12 $each >base.log
  { records 1 8 $each && records 6 12 $each; } >again.log
  { records 1 8 $each && records 6 12 $each 200; } >more.log
  { records 1 5 $each && records 6 12 $each; } >on.log
  { records 1 5 $each && records 6 12 $each 200; } >on_more.log
  for log in again on; do expect_exit 0 gate check $log.log --baseline base.log && refute_out 'not judged'; done
  for log in more on_more; do expect_exit 1 gate check $log.log --baseline base.log; done
done
records 1 12 1 >base.log
{ records 1 6 1 && records 8 8 1 && records 7 7 1 && records 9 12 1; } >swapped.log
{ records 1 6 1 && records 6 12 1; } >twice.log
{ records 1 8 1 && records 8 8 1 && records 7 7 1 && records 9 12 1; } >went_on.log
for log in swapped twice; do expect_exit 0 gate check $log.log --baseline base.log; done
expect_exit 3 gate check went_on.log --baseline base.log
expect_out 'may stand in the other order where the run went on'
