# What gate must not damage or leave behind, whatever it is told and however it ends: a part for each.
. "$(dirname "$0")/_lib"
suite
script a <<<'echo " iteration        1/       1 | lm loss: 1.000000E+00 |"'
cp "$SOURCE/tests/cases/data/one_step.json" baselines/a.json

# --- reports go into what stands under the name, and replace a file alone ---
kinds=(junit html markdown openmetrics json)
mknod null c 1 3 2>/dev/null || : >no_nodes
mkfifo pipe
for kind in "${kinds[@]}"; do
  if [[ ! -e no_nodes ]]; then
    expect_exit 0 gate run a --report "$kind=null"
    [[ -c null ]] || broken "$kind replaced a device"
  fi
  cat pipe >from_pipe &
  expect_exit 0 gate run a --report "$kind=pipe"
  wait $!
  [[ -p pipe ]] || broken "$kind replaced a pipe"
  rm -f target link other && : >target && ln -s target link && ln -s link other
  expect_exit 0 gate run a --report "$kind=other"
  [[ -L other && -L link && ! -L target ]] || broken "$kind replaced a link"
  cmp -s <(grep -v '[0-9][0-9]:[0-9][0-9]' target) /dev/null && broken "$kind wrote nothing through the link"
  [[ -s from_pipe ]] || broken "$kind wrote nothing into the pipe"
  expect_exit 2 gate run a --report "$kind=nowhere/at/all.txt"
  expect_err "nowhere/at/all.txt: there is no folder nowhere/at"
  expect_exit 2 gate run a --report "$kind=scripts"
done
ln -s /proc/self/fd/1 output
gate run a --report json=output 2>/dev/null >both
[[ $(grep -c '"schema": "gate.result/1"' both) == 1 ]] || broken "not one report on standard output"
grep -q '^GREEN' both || broken "what was printed is lost"
expect_exit 125 gate run a --report json=pipe
expect_err "pipe: cannot write"
ln -sfn loop loop
expect_exit 125 gate run a --report html=loop
for command in history "compare a a"; do
  # shellcheck disable=SC2086 # words of a command
  expect_exit 0 gate $command --report html=other
  [[ -L other && -L link ]] || broken "$command replaced a link"
done

for descriptor in /dev/fd/7 /proc/self/fd/7; do
  exec 7>held
  expect_exit 0 gate run a --report markdown="$descriptor"
  [[ $(<held) == *GREEN* && $(<held) != *RED* && -z $(compgen -G '*deleted*') ]] || broken "$descriptor: $(<held)"
  expect_exit 2 gate run a --report markdown="${descriptor%7}99"
  expect_err "no such file is open"
done
exec 7>&-
for number in 3 4 5 6 7 8 9; do # gate's own files have such numbers
  expect_exit 2 bash -c "exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-; exec \"\$GATE\" run a --report markdown=/dev/fd/$number"
done
ln -s nowhere/report.md dangling
expect_exit 2 gate run a --report markdown=dangling
refute_file nowhere
expect_exit 2 gate run a --report markdown=same --report html=same
expect_err "two reports are to be written there"
for file in scripts/a.sh baselines/a.json scripts/new.html gate.toml .gate/latest/result.json .gate/history.db; do
  cp -p "$file" kept 2>/dev/null || : >kept
  expect_exit 2 gate run a --report html="$file"
  [[ ! -e $file ]] || cmp -s "$file" kept || broken "a report was written over $file"
done
expect_exit 2 gate run a --out r3 --report html=r3/result.json
gate run a >/dev/null 2>&1
for command in "check .gate/latest/a/log.txt --case a" "compare a latest" "history a"; do
  # shellcheck disable=SC2086 # words of a command
  expect_exit 2 gate $command --report html=baselines/a.json
  expect_err "where the suite has its scripts or baselines"
done
mkdir r3
expect_exit 0 gate run a --out r3 --report html=r3/report.html

mkdir shelf && mv baselines/a.json shelf && ln -s ../shelf/a.json baselines/a.json
expect_exit 0 gate run a
expect_exit 0 gate baseline import .gate/latest/a/log.txt --case a --accept --reason again
[[ -L baselines/a.json && ! -L shelf/a.json ]] || broken "accepting replaced a link"
expect_file shelf/a.json again

# --- a log glob that leaves its folder overwrites nothing ---
for glob in ../../log.txt ../x.log a/../../x.log ..; do
  expect_exit 2 gate run a --set "log=$glob"
  expect_err "leaves the folder that it is seen from; write the whole path"
done
script b <<<'mkdir -p out; echo " iteration        1/       1 | lm loss: 1.000000E+00 |" >out/b.log; echo said'
cp baselines/a.json baselines/b.json
expect_exit 0 gate run b --set "log=out/none/../*.log"
expect_file .gate/latest/b/log.txt said
expect_file .gate/latest/b/logs/1/out/b.log iteration

# --- a file at its size limit is an error of writing, and the report is whole where there is room ---
script c <<<'for i in {1..3000}; do echo "a line that is long enough to fill a file soon: $i"; done'
cp baselines/a.json baselines/c.json
run bash -c 'ulimit -f 64; exec "$GATE" run c'
((code == 125)) || broken "ended with $code"
expect_err "File too large"
expect_json .gate/latest/result.json '.exit_code == 125 and .cases[0].verdict == "infra"'

# --- what others wrote turns no line and breaks none ---
printf 'RuntimeError: \xC2\x85one\xC2\x9B2Jtwo\xE2\x80\xA8three\xE2\x80\xAEfour\xE2\x81\xA6five\xD8\x9Csix\n' >odd.log
expect_exit 4 gate check odd.log --baseline baselines/a.json
for bytes in '\xC2\x85' '\xC2\x9B' '\xE2\x80\xA8' '\xE2\x80\xAE' '\xE2\x81\xA6' '\xD8\x9C'; do
  ! LC_ALL=C grep -qP -- "$bytes" "$WORK/.last/out" || broken "$bytes is shown as it is"
done
expect_out '\xe2\x80\xae'
odd=$'odd\u2028\u202e\u0085\u009b\u2066\u200f\ufeff\u00ad'
script "$odd" <<<'exit 1'
cp baselines/a.json "baselines/$odd.json"
for command in "run $odd" "baseline lint" list "explain $odd" history "compare latest latest" "run --dry-run $odd" \
  "extract odd.log" "extract .gate/latest/$odd/log.txt"; do
  # shellcheck disable=SC2086 # words of a command
  run gate $command
  ! LC_ALL=C grep -qP '\xE2\x80[\xA8\xAE\x8F]|\xC2[\x85\x9B\xAD]|\xE2\x81\xA6|\xEF\xBB\xBF' "$WORK"/.last/{out,err} ||
    broken "$command shows a control character as it is"
done
rm "scripts/$odd.sh" "baselines/$odd.json"

# --- where no thread or process is to be had, that is said ---
if ((UID == 0)) && command -v setpriv >/dev/null; then
  chmod 755 "$WORK" "$WORK/suite" && mkdir -m 777 "$WORK/small" && cp "$GATE" "$WORK/gate"
  for most in 1 2 3 4 5 6 8; do
    run setpriv --reuid=64321 --regid=65534 --clear-groups bash -c \
      "ulimit -u $most; HOME=$WORK/small exec $WORK/gate run a --out $WORK/small/$most"
    ((code == 0 || code == 125)) || broken "with $most processes gate ended with $code"
    ! grep -q SIGABRT "$WORK/.last/err" || broken "with $most processes gate was aborted"
  done
fi

# --- a run is not written into the suite's scripts and baselines ---
ln -s scripts linked
for out in scripts baselines/ baselines/deep/er ../suite/scripts linked/x nowhere/../scripts/x; do
  expect_exit 2 gate run a --out "$out"
  expect_err "where the suite has its scripts or baselines; name another folder"
done
refute_file baselines/deep
for out in scripts/a.sh .gate .gate/runs held dangling; do expect_exit 2 gate run a --out "$out"; done
expect_exit 0 gate run a --out results
expect_file results/a/log.txt iteration

# --- a hang-up interrupts, unless gate was told to ignore it ---
script waits <<'SCRIPT'
touch waiting
until [[ -e goal ]]; do sleep 0.02; done
echo " iteration        1/       1 | lm loss: 1.000000E+00 |"
SCRIPT
cp baselines/a.json baselines/waits.json
hang_up() { # with the words before `gate run`
  local pid child
  rm -f waiting goal
  "$@" gate run waits >hung.out 2>hung.err </dev/null & pid=$!
  wait_for test -e waiting
  child=$(pgrep -P $pid)
  kill -HUP $pid "$child" "$(pgrep -P "$child")"
}
hang_up nohup
touch goal
wait $! || broken "nohup gate ended with $?: $(<hung.err)"
hang_up env
code=0 && wait $! || code=$?
((code == 143)) || broken "after HUP gate ended with $code"
[[ -z $(pgrep -f "$PWD/scripts/waits.sh") ]] || broken "the script lives on"

# --- a wall clock that is set changes no verdict ---
cat >clock.c <<'C'
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
static long jump(void) {
  const int kept = errno;
  const char *flag = getenv("JUMPED"), *by = getenv("JUMP");
  const long seconds = flag && by && access(flag, F_OK) == 0 ? atol(by) : 0;
  errno = kept;
  return seconds;
}
int clock_gettime(clockid_t clock, struct timespec* now) {
  const int result = syscall(SYS_clock_gettime, clock, now);
  if (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE) now->tv_sec += jump();
  return result;
}
int statx(int folder, const char* path, int flags, unsigned mask, struct statx* facts) {
  const int result = syscall(SYS_statx, folder, path, flags, mask, facts);
  if (result == 0 && strstr(path, "/late/")) facts->stx_btime.tv_sec += jump(), facts->stx_mtime.tv_sec += jump();
  return result;
}
C
c++ -x c -shared -fPIC -o clock.so clock.c
script jumps <<'SCRIPT'
touch "$JUMPED"
mkdir -p late
echo " iteration        1/       1 | lm loss: 1.000000E+00 |" >late/train.log
sleep 0.2
SCRIPT
cp baselines/a.json baselines/jumps.json
for seconds in 3600 -3600; do
  rm -rf late jumped
  expect_exit 0 env LD_PRELOAD="$PWD/clock.so" JUMPED="$PWD/jumped" JUMP=$seconds \
    "$GATE" run jumps --set 'log=late/*.log' --set timeout=60s --deadline 60s
  expect_json .gate/latest/result.json '.duration_s < 60 and .cases[0].verdict == "passed"'
done

# --- the exit code and result.json say the same, whoever reads the output ---
says_the_same() { expect_json .gate/latest/result.json ".exit_code == $1"; }
for closed in '>&-' '>&- 2>&-' '<&- >&- 2>&-'; do
  expect_exit 0 bash -c "exec \"\$GATE\" run a $closed"
  says_the_same 0
  expect_file .gate/latest/a/log.txt iteration
done
expect_exit 125 bash -c 'exec "$GATE" run a >/dev/full'
says_the_same 125
expect_exit 125 gate run a --report json=pipe
says_the_same 125
expect_last_line '(exit 125)'
{ code=0 && gate run a 2>/dev/null || code=$?; echo $code >code; } | true
says_the_same "$(<code)"

# --- leases are kept in place, and nothing is written through a second name ---
. "$SOURCE/tests/cases/_host"
npu_host 1
script npu <<<'#GATE devices=1
touch waiting; until [[ -e goal ]]; do sleep 0.02; done
echo " iteration        1/       1 | lm loss: 1.000000E+00 |"'
cp baselines/a.json baselines/npu.json
rm -f waiting goal
gate run npu --out first >first.out 2>first.err </dev/null & first=$!
wait_for test -e waiting
rm -r "$GATE_LEASE_DIR"
wait_for test -e "$GATE_LEASE_DIR/ascend-0000-c0-00-0"
gate run npu --out second >second.out 2>second.err </dev/null & second=$!
wait_for grep -q 'waiting for device 0: pid' second.err
touch goal
for pid in $first $second; do wait "$pid" || broken "exit code $?: $(cat first.err second.err)"; done
expect_file first.err "device 0: the lease ascend-0000-c0-00-0 was removed from $GATE_LEASE_DIR and is taken again"
expect_json first/result.json 'any(.cases[0].problems[]; .text | contains("another gate may have had it meanwhile"))'
expect_json second/result.json '.cases[0].problems == []'
lease=$(compgen -G "$GATE_LEASE_DIR/ascend-*")
echo precious >victim
ln -f victim "$lease"
expect_exit 125 gate run npu
expect_out "the lease $lease has a second name"
[[ $(<victim) == precious ]] || broken "a file was written through a second name"
rm "$lease"
expect_exit 0 gate run npu
for unusable in "$PWD/victim" "$PWD/victim/x"; do
  GATE_LEASE_DIR=$unusable expect_exit 0 gate run a --set devices=0
  expect_err "the folder of leases $unusable"
done
rm -rf "$GATE_LEASE_DIR/port-29500" && mkdir "$GATE_LEASE_DIR/port-29500"
expect_exit 0 gate run a --set devices=0
expect_err "$GATE_LEASE_DIR/port-29500: Is a directory; another gate may use port 29500"
rmdir "$GATE_LEASE_DIR/port-29500"

# --- .gate is for its user alone, unless the suite says otherwise ---
mode() { stat -c %a .gate; }
for mask in 000 022 077; do
  for words in "run a" "baseline import first.log --case a"; do
    rm -rf .gate && cp results/a/log.txt first.log
    # shellcheck disable=SC2086 # words of a command
    (umask $mask && expect_exit 0 gate $words)
    [[ $(mode) == 700 ]] || broken "umask $mask, gate $words: .gate is $(mode)"
  done
done
echo '[suite]
shared = true' >gate.toml
rm -rf .gate
(umask 022 && expect_exit 0 gate run a)
[[ $(mode) == 755 ]] || broken "shared: .gate is $(mode)"
rm gate.toml

# --- what a killed gate left behind is in nobody's way ---
mkdir -p .gate
first=$(bash -c 'echo $$')
for ((number = first; number < first + 30; number++)); do
  for serial in {1..9}; do : >".gate/.latest.$number.$serial"; done
done
expect_exit 0 gate run a
[[ -L .gate/latest && -d .gate/latest ]] || broken "latest is no link to the run"
rm .gate/.latest.*

# --- nobody may ever write to a named pipe: none is waited for ---
mkdir pipes && cd pipes && mkdir scripts && script a </dev/null
megatron_log 1.00 0.90 0.80 >good.log
mkfifo pipe
for command in "check pipe --baseline good.log" "check good.log --baseline pipe" "extract pipe" "compare pipe good.log" \
  "baseline import pipe --case a" "init pipe"; do
  # shellcheck disable=SC2086 # words of a command
  expect_exit 2 gate $command
  expect_err 'is a named pipe'
done
expect_exit 0 gate extract <(cat good.log)
mkfifo gate.toml
for command in list run "check good.log --baseline good.log" "baseline list"; do
  # shellcheck disable=SC2086 # words of a command
  expect_exit 2 gate $command
  expect_err 'gate.toml: is a named pipe'
done
cd ..

# --- a suite that cannot be written to, and an empty environment ---
expect_exit 0 env -i "$GATE" run a
refute_err "shows no environments"
as_nobody() { if ((UID == 0)); then setpriv --reuid=65534 --clear-groups "$@"; else "$@"; fi; }
cp "$GATE" "$WORK/gate" && chmod 755 "$WORK" "$WORK/suite" && mkdir -m 777 "$WORK/results"
rm -rf .gate && chmod 555 .
as_nobody test -x "$WORK/gate" 2>/dev/null || { echo "left out: no other user reaches $WORK" && exit 0; }
expect_exit 0 as_nobody env HOME="$WORK/results" "$WORK/gate" run a --out "$WORK/results/run"
expect_json "$WORK/results/run/result.json" '.exit_code == 0 and .cases[0].verdict == "passed"'
refute_file .gate
# --- two users share a host by the same folder of leases ---
chmod 755 .
rm -f waiting goal second.err && chmod 777 .
gate run npu --out first >first.out 2>first.err </dev/null & first=$!
wait_for test -e waiting
as_nobody env HOME="$WORK/results" "$WORK/gate" run npu --out "$WORK/results/run" >second.out 2>second.err </dev/null & second=$!
wait_for grep -q 'waiting for device 0: pid' second.err
touch goal
for pid in $first $second; do wait "$pid" || broken "exit code $?: $(cat first.err second.err)"; done
as_nobody env HOME="$WORK/results" "$WORK/gate" run npu --out "$WORK/results/run" >/dev/null 2>&1
expect_exit 0 gate run npu --out first
