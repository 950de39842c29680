# Whatever a host withholds, slows down, cuts off, floods gate with or makes up, gate ends within its limit, when it is told
# to, and with whichever of its processes is killed; it says why, and leaves nothing on either side. Slow links carry what
# they can, and what they cannot is said.
#
#   held.sh             some rows of the table
#   HELD=all held.sh    every verb x fault x end; HELD='VERB FAULT END' that row, FAULT as `flood:words`, too; HELD=disk those
#                       of a disk that hangs (python3-fusepy)
# timeout: 120
. "$(dirname "$0")/_hosts"
. "$SOURCE/tests/hosts/_runs"
command -v python3 >/dev/null || skip 'there is no python3'
HELD=${HELD:-some}
slots=8
mkdir -p "$WORK/suites"
start_hosts $slots 1
held=$SOURCE/tests/hosts/held.py

verbs=(tool start stop signal left evidence fingerprint forget take give holder port exists plant blob folder remove find read
  output state pong)
faults=(withheld slow cut flood lies)
ends=(limit term stop kill:worker kill:reaper kill:guard kill:reaper+guard kill:guard+worker kill:reaper+worker
  kill:reaper+guard+worker)

all_rows() {
  local verb fault end rate kills=0
  for verb in "${verbs[@]}"; do
    for fault in "${faults[@]}"; do
      echo "$verb $fault limit" && echo "$verb $fault term" && echo "$verb $fault stop"
      echo "$verb $fault ${ends[3 + kills++ % 7]}"
    done
  done
  for end in limit term stop kill:worker; do
    for verb in tool exists start output find; do echo "$verb stopped $end"; done
  done
  for rate in 8000 25000 100000 1000000; do echo "some rate:$rate limit" && echo "whole rate:$rate limit"; done
}

disk_rows() {
  local verb end
  for verb in plant folder exists take start output find read remove evidence signal; do
    for end in "${ends[@]}"; do echo "$verb disk $end"; done
  done
}

# One of each fault and each end.
some_rows() {
  cat <<'ROWS'
tool withheld term
take slow stop
plant cut kill:worker
output flood:output limit
remove lies:bytes limit
left withheld kill:reaper+guard
exists stopped term
some rate:25000 limit
ROWS
}

# slot NAME HOSTS: a suite of these hosts.
slot() {
  LOST_AFTER=3s far_suite "$1" <<TOML
sync = true
[defaults]
hosts = [$2]
timeout = "4s"
grace = "1s"
TOML
  sed -i "s|^ssh = .*|ssh = \"python3 $held link $PWD/.held ssh -F $HOSTS/ssh_config\"|; s|^all = .*||" gate.toml
  mkdir -p .held data
  echo data >data/file
  printf '.held\nrun.out\n' >.gitignore
  far ends needs=data/file log='logs/*.log' artifacts='out/*' <<'SCRIPT'
mkdir -p logs out
steps | tee logs/a.log
head -c 300000 /dev/zero >out/a.bin
sleep 0.7
setsid sleep 1000 &
SCRIPT
  sed 's/#GATE /#GATE timeout=100s /' scripts/ends.sh >scripts/patient.sh
  cp baselines/ends.json baselines/patient.json
  far hangs needs=data/file log='logs/*.log' <<'SCRIPT'
steps | head -n 2
sleep 1000
SCRIPT
  far paused needs=data/file fault='"pause@2 for 1s"' <<'SCRIPT'
steps | while read -r line; do echo "$line"; sleep 0.3; done
SCRIPT
  sed -i s/idle_wait=1m/idle_wait=2s/ scripts/*.sh
  mkdir -p scripts/many baselines/many
  for ((k = 1; k <= slots; k++)); do cp scripts/hangs.sh scripts/many/$k.sh && cp baselines/hangs.json baselines/many/$k.json; done
  echo new >fresh
  git init -q . && git add . && git commit -qm first
  echo "none withheld" >.held/fault
}

for ((i = 1; i <= slots; i++)); do
  slot suites/$i "\"npu$i\""
  echo "npu$i $HOSTS/npu$i" >.held/host
done

# disks: each host keeps its sessions on a disk that can be made to hang.
disks() {
  local home servers=() leaving
  python3 -c 'import fusepy' 2>/dev/null && [[ -w /dev/fuse ]] || skip 'there is no fusepy, or no /dev/fuse'
  for home in "$HOSTS"/npu?; do
    mkdir -p "$home/agent/sessions" "$home/.backing"
    python3 "$held" disk "$home/.backing" "$home/agent/sessions" &
    servers+=($!)
  done
  eval "leaving=($(trap -p EXIT))"
  # shellcheck disable=SC2064 # what it does then is known now
  trap "code=\$?; rm -f '$HOSTS'/npu?/agent/sessions.hang; umount -l '$HOSTS'/npu?/agent/sessions; kill ${servers[*]} 2>/dev/null; (exit \$code); ${leaving[2]}" EXIT
  for home in "$HOSTS"/npu?; do wait_for mountpoint -q "$home/agent/sessions" || broken "no disk at $home"; done
}
[[ $HELD != *disk* ]] || disks

# The agent is there before.
seen=()
for ((i = 1; i <= slots; i++)); do
  (cd "$WORK/suites/$i" && "$GATE" devices --hosts "npu$i" >seen.out 2>&1 || cat seen.out) &
  seen+=($!)
done
wait "${seen[@]}"

case $HELD in
  all) all_rows ;;
  disk) disk_rows ;;
  some) some_rows ;;
  *) printf "%s\n" "$HELD" ;;
esac >"$WORK/rows"
python3 "$held" table "$(echo "$WORK"/suites/*)" "$GATE" <"$WORK/rows" | tee "$WORK/said" || broken "$(grep -A20 "^BAD" "$WORK/said")"

# All hosts of one run at once.
slot several "$(printf '"npu%s", ' $(seq $slots))"
echo "npu1 $HOSTS/npu1" >.held/host
for fault in withheld cut; do echo "several $fault term"; done >"$WORK/rows"
[[ $HELD != all ]] || for fault in slow flood:junk; do echo "several $fault term" && echo "several $fault stop"; done >>"$WORK/rows"
[[ $HELD != all && $HELD != some ]] || python3 "$held" table "$PWD" "$GATE" <"$WORK/rows" | tee "$WORK/said" || broken "$(grep -A20 "^BAD" "$WORK/said")"
for ((i = 1; i <= slots; i++)); do clean "npu$i"; done
