# What keeps gate off a host is told in a sentence that names the host and what to do, and soon; other hosts are not hurt.
# timeout: 300
. "$(dirname "$0")/_hosts"
. "$SOURCE/tests/hosts/_runs"

# What the shells of hosts that are named here do first.
cat >"$WORK/rc" <<'RC'
if [[ ${BASH_EXECUTION_STRING:-} && $GATE_HOST == npu8 ]]; then
  printf 'Welcome to %s\nGATE-AGENT 00\nGATE-NEED\n' "$GATE_HOST"
  echo 'stty: standard input: Inappropriate ioctl for device' >&2
  sleep 1
fi
RC
# shellcheck disable=SC2034 # start_hosts reads it
host_env=(BASH_ENV="$WORK/rc")
start_hosts 10 1

far_suite <<TOML
absent = "no-such-host.invalid"
[defaults]
hosts = "npu9"
TOML

# The host is refused with the words, within a time that nobody waits for in vain.
refused() { # HOST REGEX
  expect_exit 125 timeout 30 "${GATE_HERE:-$GATE}" devices --hosts "$1"
  expect_out_match "$1: $2"
  [[ $(living_on "$1") == '' ]] || broken "left on $1: $(living_on "$1")"
}

# --- ssh does not get in ---

change_host_key npu1
refused npu1 "its host key is another one than ~/.ssh/known_hosts has: .*ssh-keygen -R"
forget_host_key npu2
refused npu2 'its host key is not known: connect once with ssh, and compare the key'
stop_host npu3
refused npu3 'nothing listens where ssh connects to: is sshd running there \(.*Connection refused'
refused no-such-host.invalid 'its name is not known: is it in ~/.ssh/config or DNS'

ssh-keygen -q -t ed25519 -N '' -C stranger -f "$WORK/stranger"
sed "s|$HOSTS/.id|$WORK/stranger|" "$HOSTS/ssh_config" >"$WORK/stranger_config"
cp gate.toml "$WORK/gate.toml"
sed -i "s|$HOSTS/ssh_config|$WORK/stranger_config|" gate.toml
refused npu4 'it lets nobody in with the keys that ssh has here: try ssh -oBatchMode=yes'
sed -i "s|ssh -F [^\"]*|no-such-ssh|" gate.toml
refused npu4 '.*no-such-ssh'
cp "$WORK/gate.toml" .
expect_exit 0 gate devices --hosts npu4

# --- the agent cannot lie or run there ---

# mount_for HOST OPTIONS: a tmpfs for the host's agent that only its sshd sees; fails where its sshd sees all that we see.
mount_for() {
  local pid=${sshd_pids[$1]}
  [[ $(readlink "/proc/$pid/ns/mnt") != "$(readlink /proc/self/ns/mnt)" ]] || return 1
  rm -rf "$HOSTS/$1/agent" && mkdir "$HOSTS/$1/agent"
  nsenter -t "$pid" -m mount -t tmpfs -o "mode=700,$2" tmpfs "$HOSTS/$1/agent"
}

if mount_for npu5 size=64k; then
  refused npu5 'there is no room for gate-agent: .*No space left on device; GATE_AGENT_DIR there names another folder'
  expect_exit 0 nsenter -t "${sshd_pids[npu5]}" -m ls -A "$HOSTS/npu5/agent"
  refute_out gate-agent
fi
if mount_for npu6 noexec; then
  refused npu6 'gate-agent may not be executed \(.*Permission denied\): is its folder mounted noexec\? GATE_AGENT_DIR'
fi

rm -rf "$HOSTS/npu7/agent"
touch "$HOSTS/npu7/agent"
refused npu7 'gate-agent could not be started: .*mkdir'
rm "$HOSTS/npu7/agent"
printf '#!/bin/sh\necho riscv64\n' >"$HOSTS/npu7/bin/uname"
chmod +x "$HOSTS/npu7/bin/uname"
refused npu7 'it is riscv64, and the gate-agent for that is not beside gate \(there is one for .*x86_64.*\)'

mkdir "$WORK/alone"
cp "$GATE" "$WORK/alone/gate"
GATE_HERE=$WORK/alone/gate refused npu10 "it is $(uname -m), and the gate-agent for that is not beside gate \\(none is there\\)"

# --- what rc files print is passed over ---

expect_exit 0 gate devices --hosts npu8
expect_out_match 'npu8.*ascend-910b3'
refute_out Welcome

# --- all at once: those that can be reached are shown, and used ---

expect_exit 125 timeout 30 gate devices --hosts all
for host in npu4 npu8 npu9 npu10; do expect_out_match "$host.*ascend-910b3"; done
for host in npu1 npu2 npu3 npu7; do expect_out_match "$host: "; done
far one hosts=npu1,npu2,npu3,npu7,npu9 <<<'steps'
expect_exit 0 gate run one
the one '.verdict == "passed" and .hosts == ["npu9"]'
for host in npu1 npu2 npu3 npu7; do
  expect_json .gate/latest/result.json "any(.. | strings; startswith(\"runs without $host: \"))"
done
far none hosts=npu1 <<<'steps'
expect_exit 125 gate run none
the none '.verdict == "infra" and (.reason | startswith("none of its hosts can be reached: npu1: its host key is another one"))'
clean npu4 npu8 npu9 npu10
