#!/usr/bin/env bash
# A gate that is killed while it writes: what was there stays whole, and what it left beside that the next gate removes.
. "$(dirname "$0")/_lib"

# At the N-th of its files, before that has its name.
cat >kill.c <<'C'
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
int rename(const char* from, const char* to) {
  static int count = 0;
  const char* at = getenv("KILL_AT");
  const int is_new = strstr(from, ".gate-new-") != NULL;
  if (at && is_new && __atomic_add_fetch(&count, 1, __ATOMIC_SEQ_CST) == atoi(at)) kill(getpid(), SIGKILL);
  return syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}
C
c++ -x c -shared -fPIC -o kill.so kill.c
suite
script group/b <<<"cat $WORK/log"
megatron_log 2.500 2.400 2.300 >"$WORK/log"
left() { find . -name '*.gate-new-*' | sort; }
killed_at() { KILL_AT=$1 LD_PRELOAD=$WORK/kill.so run "${@:2}"; }

# A command at each of its files (without EVERY_POINT at some), until there is none; nothing but its own last one is left.
killed_at_each() { # LEAST WORD...
  local at
  for ((at = 1; at < 100; at += ${EVERY_POINT:-5})); do
    killed_at $at gate "${@:2}"
    ((code == 125 || code == 137)) || break
    [[ $(left | wc -l) == 1 ]] || broken "KILL at file $at of gate ${*:2} left $(left)"
  done
  ((code == 0)) || broken "gate ${*:2}: exit code $code"
  ((at > $1)) || broken "gate ${*:2} wrote $at files"
  [[ -z $(left) ]] || broken "left: $(left)"
}
killed_at_each 10 baseline record
killed_at_each 1 baseline accept --reason first
mkdir reports
killed_at_each 10 run --report junit=reports/junit.xml --report json=reports/all.json
[[ -z ${EVERY_POINT:-} ]] || killed_at_each 10 run --out here
