# Gates of several controllers on one host with one device: its leases hold among them, and for a gate on the host itself;
# who waits says for whom.
# timeout: 300
. "$(dirname "$0")/_hosts"
. "$SOURCE/tests/hosts/_runs"
start_hosts 3 1

# holder HOST NAME, waiter HOST NAME: a suite each, whose case uses the device until SAID/go, or at once.
first_suite() {
  far_suite "$2" <<<"[defaults]
hosts = \"$1\""
  far "$2" <<'SCRIPT'
begin
until_there go
steps
SCRIPT
  begin "$2"
}

waits_for() { grep -qE "waiting for .*device 0.*case $1" run.out; }

# Two runs in suites first and second; `here` says which of them runs as the host's own gate.
one_after_the_other() {
  local host=$1 here=$2 gates=() name
  for name in first second; do
    (
      if [[ $here == "$name" ]]; then
        export PATH=$HOSTS/$host/bin:$PATH GATE_LEASE_DIR=$HOSTS/$host/leases
        first_suite local "$name"
      else
        first_suite "$host" "$name"
      fi
      if [[ $name == first ]]; then
        wait_for has_begun first
        touch "$WORK/held"
      else
        wait_for waits_for first
        refute_file "$SAID/second.pid"
        touch "$SAID/go" "$WORK/suite_waits"
      fi
      [[ $name == second ]] || { wait_for test -e "$WORK/suite_waits" && touch "$SAID/go"; }
      ends 0
      the "$name" '.verdict == "passed" and (.devices | startswith("1 x ascend-910b3"))'
      [[ $here == "$name" ]] || the "$name" ".hosts == [\"$host\"]"
    ) &
    gates+=($!)
    [[ $name == second ]] || wait_for test -e "$WORK/held"
  done
  for name in "${gates[@]}"; do wait "$name" || broken "one of the runs went wrong"; done
  clean "$host"
}

two_controllers() { one_after_the_other npu1 none; }
own_gate_first() { one_after_the_other npu2 first; }
own_gate_second() { one_after_the_other npu3 second; }

each two_controllers own_gate_first own_gate_second
