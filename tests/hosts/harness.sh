# The hosts of these tests are what tests take them for: apart from one another, cut and mended without loss, known by their
# keys, and gone at the end.
# timeout: 300
. "$(dirname "$0")/_hosts"

start_hosts --proxy 2 4

# --- two hosts, each with a home, a tool and an environment of its own ---

for host in npu1 npu2; do
  expect_exit 0 on $host "echo here; pwd; echo \"\$HOME \$GATE_HOST \$GATE_LEASE_DIR \$GATE_AGENT_DIR\"; npu-smi"
  expect_out here
  expect_out_match "^$HOSTS/$host\$"
  expect_out "$HOSTS/$host $host $HOSTS/$host/leases $HOSTS/$host/agent"
  expect_out '| 3     910B3'
  refute_out '| 4     910B3'
done
expect_exit 7 on npu1 'exit 7'
echo Alarm >"$HOSTS/npu2/1.health"
run on npu2 npu-smi
expect_out Alarm
run on npu1 npu-smi
refute_out Alarm

# --- a link that is cut stalls a stream, and loses nothing of it ---

lines_are() { (($(wc -l <got) == $1)); }
{ seq 1000; wait_for test -e go; seq 1001 200000; } | on npu1 cat >got &
stream=$!
wait_for lines_are 1000
cut_link npu1
touch go
for _ in 1 2 3; do expect_exit 0 on npu2 npu-smi; done
lines_are 1000 || broken "a link that is cut lets through: $(wc -l <got) lines"
kill -0 $stream || broken 'a link that is cut ends the connection'
mend_link npu1
wait $stream
seq 200000 >want
expect_same want got

# --- a link that ends ends its connections ---

"${ssh[@]}" npu1 'echo up; exec sleep 1000' >up 2>up_err &
stream=$!
wait_for grep -q up up
end_link npu1
code=0
wait $stream || code=$?
((code == 255)) || broken "ssh ended with $code behind a link that ended"
expect_exit 255 on npu1 true
mend_link npu1
expect_exit 0 on npu1 true

# --- keys ---

on npu2 'echo up; read -r word; echo "$word"' < <(wait_for test -e changed; echo still here) >up2 &
stream=$!
wait_for grep -q up up2
change_host_key npu2
touch changed
wait $stream
expect_file up2 'still here'
expect_exit 255 on npu2 true
expect_err 'REMOTE HOST IDENTIFICATION HAS CHANGED'
expect_exit 0 on npu1 true
forget_host_key npu1
expect_exit 255 on npu1 true
expect_err 'Host key verification failed'

# --- at the end nothing is left, however the test ended ---

cat >inner.sh <<END
. "$SOURCE/tests/hosts/_hosts"
start_hosts --proxy 1
echo "\$WORK" >"\$1/inner"
rm -f "\$1/inner_up"
on npu1 'setsid sleep 1000 </dev/null >/dev/null 2>&1 & echo up; exec sleep 1000' >"\$1/inner_up" &
wait_for grep -q up "\$1/inner_up"
[[ \$(living_on npu1) ]] || exit 4
[[ \$2 != 9 ]] || kill -KILL \$\$
exit \$2
END
strays() { grep -lszF "$(<inner)/.hosts/" /proc/[0-9]*/environ | cut -d / -f 3 || true; }
servers() { pgrep -f -- "$(<inner)/" || true; }
no_servers() { [[ -z $(servers) ]]; }
for end in 0 3; do
  expect_exit $end bash inner.sh "$WORK" $end
  [[ -z $(servers)$(strays) ]] || broken "of a test that ended is left: $(servers) $(strays)"
  refute_file "$(<inner)"
done
expect_exit 137 bash inner.sh "$WORK" 9
wait_for no_servers
for pid in $(strays); do kill -KILL "$pid"; done
rm -rf "$(<inner)"

for host in npu1 npu2; do stop_host $host; done
[[ -z $(living_on npu1)$(living_on npu2) ]] || broken 'a process is left of a host that was stopped'
expect_exit 255 on npu2 true
