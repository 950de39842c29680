# A link that is cut for less than lost_after costs a run nothing, one that stays cut ends it: the case is infra, and what
# ran there has ended by then.
# timeout: 300
. "$(dirname "$0")/_hosts"
. "$SOURCE/tests/hosts/_runs"
start_hosts --proxy 11 1

# A suite of hosts, with a script that prints as long as there is no SAID/go.   prints HOST[,HOST] [FLAG]...
prints() {
  far_suite <<TOML
[defaults]
hosts = ["${1//,/\", \"}"]
TOML
  far prints <<'SCRIPT'
echo "$GATE_HOST" >>"$SAID/hosts"
begin
for ((i = 0; ; i++)); do
  echo "line $i"
  ((i % 50)) || sleep 0.05
  [[ ! -e $SAID/go ]] || break
done | tee "$SAID/printed"
steps | tee -a "$SAID/printed"
SCRIPT
  begin prints "${@:2}"
  wait_for has_begun prints
}

lines_printed() { [[ -e $SAID/printed ]] && (($(wc -l <"$SAID/printed") >= $1)); }

# The script prints so many lines more.
prints_on() { wait_for lines_printed $(($(wc -l <"$SAID/printed") + $1)); }

passed() { # HOST
  touch "$SAID/go"
  ends 0
  expect_same "$SAID/printed" .gate/latest/prints/log.txt
  the prints ".verdict == \"passed\" and .hosts == [\"$1\"]"
  clean "$1"
}

cut_short() {
  LOST_AFTER=30s prints npu1
  wait_for lines_printed 10
  for _ in 1 2 3; do
    cut_link npu1
    prints_on 100
    mend_link npu1
    prints_on 100
  done
  passed npu1
}

# Long enough that gate gives the connection up, and makes another.
cut_long() {
  local first
  LOST_AFTER=12s prints npu2
  first=$(ssh_of "$gate")
  gave_up() { ! ssh_of "$gate" | grep -qx "$first"; }
  cut_link npu2
  wait_for gave_up
  mend_link npu2
  passed npu2
  the prints '.problems | any(.text | startswith("npu2 could not be heard for"))'
}

ended_short() {
  LOST_AFTER=30s prints npu3
  for _ in 1 2 3; do
    wait_for lines_printed 10
    end_link npu3
    prints_on 100
    mend_link npu3
    prints_on 100
  done
  passed npu3
}

# A script that ends while nothing can be heard of it has ended well.
ends_meanwhile() {
  LOST_AFTER=30s prints npu4
  cut_link npu4
  touch "$SAID/go"
  has_ended_there() { ! kill -0 "$(<"$SAID/prints.pid")" 2>/dev/null; }
  wait_for has_ended_there
  mend_link npu4
  passed npu4
}

lost() { # HOST
  ends 125
  the prints ".verdict == \"infra\" and (.reason | contains(\"$1 has not been heard for 3s\")) and .hosts == [\"$1\"]"
  expect_out "$1 has not been heard for 3s"
  clean "$1"
}

cut_for_good() {
  prints npu5
  cut_link npu5
  lost npu5
}

ended_for_good() {
  prints npu6
  end_link npu6
  lost npu6
}

# A case whose host is lost runs on another one; where there is none, that was all.
elsewhere() {
  local first second
  prints npu10,npu11 --retry-infra 2
  first=$(<"$SAID/hosts")
  [[ $first == npu10 ]] && second=npu11 || second=npu10
  cut_link "$first"
  runs_there() { [[ $(tail -n 1 "$SAID/hosts") == "$second" ]]; }
  wait_for runs_there
  touch "$SAID/go"
  ends 0
  the prints ".verdict == \"passed\" and .hosts == [\"$second\"] and (.artifacts.log | endswith(\"/try-2/log.txt\"))"
  the prints ".notes | any(contains(\"try 1 was infra\") and contains(\"$first has not been heard for 3s\"))"
  expect_same "$SAID/printed" .gate/latest/prints/try-2/log.txt
  clean npu10 npu11
  mend_link "$first"
  expect_file run.out "trying again on another host (1 of 2)"
}
nowhere() {
  prints npu9 --retry-infra 2
  cut_link npu9
  lost npu9
  refute_file .gate/latest/prints/try-2
}

# A host that is lost while what a script left is being stopped there keeps nobody waiting.
cut_at_the_end() {
  far_suite <<<'[defaults]
hosts = "npu8"'
  far leaves grace=1h wait=script <<'SCRIPT'
(trap 'touch "$SAID/asked"' TERM; until_there never) &
begin
steps
SCRIPT
  begin leaves
  wait_for test -e "$SAID/asked"
  cut_link npu8
  wait_for has_ended "$gate"
  grep -q 'npu8 has not been heard for 3s' run.out || broken "the run does not say that the host was lost: $(<run.out)"
  clean npu8
}

each elsewhere nowhere cut_at_the_end cut_short cut_long ended_short ends_meanwhile cut_for_good ended_for_good
