# However a run on another host ends, its script ends there with it, and the report is whole: signals to gate and to its
# ssh, gate stop, scripts that do not heed TERM, and an agent that is killed.
# timeout: 300
. "$(dirname "$0")/_hosts"
. "$SOURCE/tests/hosts/_runs"
start_hosts 11 1

# A suite of one host, with a script that prints a line and stays.   stays HOST [SETTING]... < BEFORE
stays() {
  far_suite <<TOML
[defaults]
hosts = "$1"
TOML
  far stays "${@:2}" <<SCRIPT
$(cat)
begin
echo here
sleep 1000 &
until_there go
steps
SCRIPT
  begin stays
  wait_for has_begun stays
}
whole() { jq -s -e 'length == 1 and (.[0].cases | length == 1)' .gate/latest/result.json >/dev/null || broken 'result.json is not whole'; }

terminated() {
  stays npu1 </dev/null
  kill -TERM "$gate"
  ends 143
  whole
  the stays '.verdict == "interrupted" and .hosts == ["npu1"]'
  expect_file .gate/latest/stays/log.txt here
  clean npu1
}

# KILL to gate: the report is red, and what runs there ends once gate has not been heard for lost_after.
killed() {
  local host=$1 victims
  stays "$host" </dev/null
  mapfile -t victims < <(gates_of "$gate")
  ((${#victims[@]} == 3)) || broken "gate has processes: ${victims[*]}"
  [[ $2 == all ]] || victims=("${victims[$2]}")
  kill -KILL "${victims[@]}"
  wait_for has_ended "$gate"
  code=0 && wait "$gate" 2>/dev/null || code=$?
  ((code > 0)) || broken 'a gate that was killed ended with 0'
  xmllint --noout .gate/latest/junit.xml
  [[ $(xmllint --xpath 'count(//testcase[error or failure])' .gate/latest/junit.xml) != 0 ]] || broken 'junit.xml is not red'
  clean "$host"
}
first_killed() { killed npu2 0; }
guard_killed() { killed npu3 1; }
worker_killed() { killed npu4 2; }
all_killed() { killed npu5 all; }

# KILL to ssh, again and again: the run goes on, and no line is lost or comes twice.
ssh_killed() {
  local round pid
  LOST_AFTER=20s far_suite <<'TOML'
[defaults]
hosts = "npu6"
TOML
  far prints <<'SCRIPT'
begin
for ((i = 0; i < 300000; i++)); do
  echo "line $i"
  ((i % 30000)) || until_there "go.$((i / 30000))"
done | tee "$SAID/printed"
steps | tee -a "$SAID/printed"
SCRIPT
  begin prints
  wait_for has_begun prints
  another_ssh() { pid=$(ssh_of "$gate") && [[ $pid && $pid != "$1" ]]; }
  pid=
  for ((round = 0; round < 10; round++)); do
    wait_for another_ssh "$pid"
    touch "$SAID/go.$round"
    kill -KILL "$pid"
  done
  ends 0
  expect_same "$SAID/printed" .gate/latest/prints/log.txt
  the prints '.verdict == "passed" and .hosts == ["npu6"]'
  clean npu6
}

stopped() {
  stays npu7 </dev/null
  expect_exit 0 gate stop .gate/latest --reason 'wrong image'
  ends 143
  whole
  the stays '.verdict == "interrupted" and (.outcome.by | endswith("wrong image"))'
  clean npu7
}

deaf() {
  stays npu8 <<<'trap "" TERM HUP INT'
  kill -TERM "$gate"
  ends 143
  whole
  the stays '.verdict == "interrupted"'
  clean npu8
}

of_process() { ps -o "$1=" -p "$2" | tr -d ' '; }

# Print the agent's processes above a script, each the child of the one before. They have a session of their own, apart from
# what passes bytes between them and ssh.
agents_of() {
  local pid session all=()
  pid=$(of_process ppid "$1") && session=$(of_process sid "$pid")
  while [[ $(of_process sid "$pid") == "$session" ]]; do
    all=("$pid" "${all[@]}")
    pid=$(of_process ppid "$pid")
  done
  printf '%s\n' "${all[@]}"
}

# KILL to the agent: the case is infra, and the script ends, the children that it left in the background, too.
agent_killed() {
  local host=$1 victims
  stays "$host" </dev/null
  mapfile -t victims < <(agents_of "$(<"$SAID/stays.pid")")
  ((${#victims[@]} == 3)) || broken "the agent has processes: ${victims[*]}"
  [[ $2 == all ]] || victims=("${victims[$2]}")
  kill -KILL "${victims[@]}"
  ends 125
  the stays ".verdict == \"infra\" and (.reason | contains(\"$host: its agent has ended there\")) and .hosts == [\"$host\"]"
  whole
  clean "$host"
}
agents_first_killed() { agent_killed npu9 0; }
agents_guard_killed() { agent_killed npu10 1; }
agents_worker_killed() { agent_killed npu11 2; }

each terminated first_killed guard_killed worker_killed all_killed ssh_killed stopped deaf \
  agents_first_killed agents_guard_killed agents_worker_killed
