#!/usr/bin/env bash
# KILL to one, two or all of gate's three processes, by number and by name, while a daemon that ignores TERM is on a
# device and a second gate waits for it: nothing of the script lives 5 s later, the device is never used twice, and the
# second gate gets it. Where all three are killed, the daemon lives, and the second gate does not start beside it.
#   GATE_KILLS=N   how many rounds (default 10, one of each kind)      GATE_SEED=N   the same moments again
# timeout: 600
if [[ ${IN_OWN_PIDS:-} != yes ]]; then  # where no other gate can be met by its name
  for user in '' -r; do
    unshare -pf --mount-proc $user true 2>/dev/null && IN_OWN_PIDS=yes exec unshare -pf --mount-proc --kill-child $user bash "$0"
  done
  echo "skipped: this user may have no processes of its own" && exit 77
fi
kills=${GATE_KILLS:-10} RANDOM=${GATE_SEED:-$$}
. "$(dirname "$0")/_lib"
. "$SOURCE/tests/cases/_host"
npu_host 1
export HOST CARD=$WORK/card

# A process that has ended is on no device.
mv "$HOST/bin/npu-smi" "$HOST/npu-smi"
cat >"$HOST/bin/npu-smi" <<'SCRIPT'
#!/usr/bin/env bash
while read -r pid rest; do [[ ! -e /proc/$pid ]] || echo "$pid $rest"; done <"$HOST/0.daemons" >"$HOST/0.users.$$"
mv "$HOST/0.users.$$" "$HOST/0.users"
exec bash -c 'cd "$HOST/bin" && . ../npu-smi' "$HOST/bin/npu-smi"
SCRIPT
chmod +x "$HOST/bin/npu-smi"

# The daemon has the device's lock as long as it lives, and forgets whose it is.
write_suite() {
  animal first <<'SCRIPT'
#GATE devices=1
trap '' TERM
(setsid env -i HOST="$HOST" CARD="$CARD" bash -c '
  trap "" TERM
  cd /
  exec 8>>"$CARD"
  flock -n 8 || echo "the daemon of first" >>"$CARD.twice"
  echo "$$ python 100" >>"$HOST/0.daemons"
  sleep "$0"' "$MARK" &)
sleep "$MARK"
SCRIPT
  animal second <<'SCRIPT'
#GATE devices=1
exec 8>>"$CARD"
flock -n 8 || echo "second" >>"$CARD.twice"
steps 1 3
SCRIPT
  : >"$HOST/0.daemons"
}

daemon() { cut -d" " -f1 "$HOST/0.daemons"; }
is_gone() { [[ ! -e /proc/$1 ]]; }
child_of() { pgrep -o -P "$1"; }
second() { timeout --foreground 100 gate run second --out b >b.out 2>b.err </dev/null & waiting=$!; }

# Kill those of the gate that was started as $1 that the kind names.
kill_them() {
  local guard worker
  guard=$(child_of "$1") && worker=$(child_of "$guard")
  case $2 in
    killall) killall -KILL gate ;;
    pkill) pkill -KILL gate ;;
    pkill-f) pkill -KILL -f 'gate run' ;;
    worker) kill -KILL "$worker" ;;
    guard) kill -KILL "$guard" ;;
    reaper) kill -KILL "$1" ;;
    worker+guard) kill -KILL "$guard" "$worker" ;;
    worker+reaper) kill -KILL "$worker" "$1" ;;
    guard+reaper) kill -KILL "$1" "$guard" ;;
    all) kill -KILL "$1" "$guard" "$worker" ;;
  esac
}

round() {
  local gate pid waiting='' end
  rm -rf a b && : >"$HOST/0.daemons"
  gate run first --out a >a.out 2>a.err </dev/null & gate=$!
  wait_for test -s "$HOST/0.daemons"
  pid=$(daemon)
  # By name it would be killed as well.
  [[ $1 == *kill* ]] || { second && wait_for grep -q 'waiting for device 0' b.err; }
  sleep "0.$((RANDOM % 300 + 100))"
  kill_them $gate "$1"
  [[ -n $waiting ]] || second
  end=$((SECONDS + 5))
  if [[ $1 == all ]]; then
    wait_for grep -q "in use by pid $pid python" b.err
    [[ ! -e $CARD.twice && -e /proc/$pid ]] || broken "the second gate did not wait for the daemon"
    living | while read -r pid _; do kill -KILL "$pid"; done
  else
    wait_for is_gone "$pid"
    ((SECONDS <= end)) || broken "$1: the daemon lived for more than 5 s"
  fi
  wait "$waiting" || broken "$1: the second gate ended with $?: $(cat b.out b.err)"
  wait $gate 2>/dev/null && broken "$1: the killed gate ended with 0"
  nothing_lives 5
  [[ ! -e $CARD.twice ]] || broken "$1: the device was used twice: $(<"$CARD.twice")"
  whole .gate/ && whole a && whole b
  red a/junit.xml
  echo "$1: as it should be"
}

of_each_kind() {
  local kinds=(worker guard reaper worker+guard worker+reaper guard+reaper killall pkill pkill-f all) i
  write_suite
  for ((i = 0; i < kills; i++)); do round "${kinds[i % ${#kinds[@]}]}"; done
}

each of_each_kind
