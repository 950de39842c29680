# What a red run prints is enough: the text alone names the case, the metric, the step, the size, the cause and the next
# command, for each way to be red.
. "$(dirname "$0")/_lib"

suite
good=(2.500000E+00 2.400000E+00 2.300000E+00 2.200000E+00 2.100000E+00 2.000000E+00)
log() { megatron_log --memory 0:100.0:200.0 --memory 1:100.0:200.0 "$@"; }
log "${good[@]}" >good.log

# red NAME EXIT COMMANDS: a case against good.log, and what its run prints.   tells TEXT, tells_line REGEX: it says that.
red() {
  script "$1" <<<"$3"
  expect_exit 0 gate baseline import good.log --case "$1" --accept --reason "first numbers"
  expect_exit "$2" gate run "$1"
}
tells() { expect_out "$1"; }
tells_line() { expect_out_match "^$1$"; }
next_commands() {
  tells_line "  look     gate explain $1 --run [-0-9]+"
  tells_line "  log      .*/$1/log.txt"
  tells_line "rerun   gate run --again [-0-9]+"
  ! grep -q '^  accept ' "$WORK/.last/out" || [[ ${2:-} == accept ]] || broken "accept is offered"
  [[ ${2:-} != accept ]] || tells_line "  accept   gate baseline accept $1 --run [-0-9]+ --metric $3 --reason \"...\""
}
# Every command that is offered works as it is printed.
look() {
  local command
  command=$(sed -n 's/^  look     //p' "$WORK/.last/out")
  expect_exit 0 bash -c "$command"
}

log 2.500000E+00 2.401000E+00 2.350000E+00 2.200000E+00 2.100000E+00 2.060000E+00 >each.log
red each 1 'cat each.log'
tells_line 'REGRESSED each  6 steps  .*'
tells '  lm_loss  2 of 6 steps (1-6) out of ±0.01, largest +0.06000 (+3 %)'
tells_line '    first    step 3: 2.3000 -> 2.3500, delta \+0.05000 \(\+2.17 %\)  [^/].*/each/log.txt:5'
tells_line '    largest  step 6: 2.0000 -> 2.0600, delta \+0.06000 \(\+3 %\), limit 1.9900..2.0100  [^/].*/each/log.txt:8'
tells '    note     no longer bit-equal from step 2'
next_commands each accept lm_loss
look

log --throughput 100.0,90.0,90.0,90.0,90.0,91.0 "${good[@]}" >mean.log
red mean 1 'cat mean.log'
tells_line 'REGRESSED mean  6 steps  .*'
tells '  throughput  mean of steps 2-6  100.0 -> 90.2 TFLOP/s/device, delta -9.8 (-9.8 %), limit -5% (95.0)'
tells '    note     median -10 %, no stall'
tells '  note     lm_loss: bit-equal'
next_commands mean accept throughput
look

log --throughput 100.0,99.0,99.0,60.0,99.0,99.0 "${good[@]}" >stall.log
red stall 1 'cat stall.log'
tells '  throughput  mean of steps 2-6  100.0 -> 91.2 TFLOP/s/device, delta -8.8 (-8.8 %), limit -5% (95.0)'
tells '    note     a stall: the median -1 % passes, slow at step 4'
next_commands stall accept throughput

megatron_log --memory 0:100.0:200.0 --memory 1:100.0:250.0 "${good[@]}" >memory.log
red memory 1 'cat memory.log'
tells '  memory_max_allocated  1 of 2 ranks (1)  1 of 1 report out of +10%, largest +50.0 (+25 %)'
tells_line '    first and largest  report 1: 200.0 -> 250.0 MiB, delta \+50.0 \(\+25 %\), limit 220.0  .*/memory/log.txt:3'
next_commands memory accept memory_max_allocated

log --grad-norm 1.5,1.5,nan,1.5,1.5,1.5 2.500000E+00 2.400000E+00 - 2.200000E+00 2.105000E+00 2.000000E+00 >nan.log
red nan 1 'cat nan.log'
tells_line 'REGRESSED nan  6 steps  .*'
tells_line '  lm_loss  1 step not finite or out of ±0.01'
tells_line '    first    step 3: 2.3000 -> left out  [^/].*/nan/log.txt:5'
tells '    note     step 3: no lm loss printed; grad norm nan at step 3'
next_commands nan
refute_out '    largest'
look
expect_exit 0 gate explain nan lm_loss
tells_line '  compared  5 steps, none out of bounds, 1 more not finite'
refute_out '  margin'

red short 4 'head -n 5 good.log'
tells_line 'INCOMPLETE short  after step 3 of 6  .*'
tells '  missing steps 4-6 of 6'
tells '  exited 0'
tells '  lm_loss  missing steps 4-6 of 6'
tells '  throughput  missing steps 4-6 of 6'
next_commands short
look

red crash 4 'head -n 5 good.log; echo "RuntimeError: CUDA out of memory. Tried to allocate 20.00 GiB."; exit 1'
tells_line 'CRASHED crash  after step 3 of 6  .*'
tells '  exited 1: CUDA out of memory (log.txt:6)'
tells_line '  cause    .*/crash/log.txt:6: RuntimeError: CUDA out of memory. Tried to allocate 20.00 GiB.'
tells '  advice   Use less memory per device'
tells '  undecided lm_loss, throughput'
next_commands crash
look
expect_exit 0 gate report --format markdown
expect_out '- CRASHED **crash** after step 3 of 6, exited 1: CUDA out of memory (log.txt:6)'
expect_exit 0 gate report --format html
refute_out 'lm_loss: 0 % of its tolerance used'

log --total 1000000 2.500000E+00 2.900000E+00 >early.log
red early 1 'head -n 1 early.log; sleep 0.1; tail -n +2 early.log; exec sleep 3600'
tells_line 'REGRESSED early  after step 2 of 6  .*'
tells '  stopped early: lm_loss step 2, |d| = 0.500000 > 0.01'
tells_line '  stopped early: [0-9]+ device-minutes saved'
tells_line '    first and largest  step 2: 2.4000 -> 2.9000, delta \+0.5000 \(\+20.8 %\), limit 2.3900..2.4100  .*/early/log.txt:4'
tells '  throughput  undecided: missing steps 3-6 of 6'
next_commands early
look
