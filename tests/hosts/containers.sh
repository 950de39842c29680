# Scripts in containers on another host: green there, and nothing is left of a container when its script is ended from here, or
# with the agent.
# timeout: 300
. "$(dirname "$0")/_hosts"
. "$SOURCE/tests/cases/_containers"
. "$SOURCE/tests/hosts/_runs"
start_hosts 1 1
far_suite < <(printf '[defaults]\nhosts = "npu1"\n' && container_defaults)

far green <<'SCRIPT'
cat /etc/inside
echo "devices $ASCEND_RT_VISIBLE_DEVICES, given: $GIVEN"
steps
SCRIPT
expect_exit 0 gate run green --set 'env.GIVEN=a b'
the green '.verdict == "passed" and .hosts == ["npu1"]'
expect_file .gate/latest/green/log.txt 'of the image'
expect_file .gate/latest/green/log.txt 'devices 0, given: a b'
nothing_is_left || broken "left: $(containers)"

far stays <<'SCRIPT'
trap '' TERM
sleep 1000 &
begin
sleep 1000
SCRIPT
begin stays
wait_for has_begun stays
kill -TERM "$gate"
ends 143
nothing_is_left || broken "left: $(containers)"
clean npu1

begin stays
wait_for has_begun stays
gates_of "$gate" | xargs kill -KILL
wait_for nobody_lives stays
clean npu1

expect_exit 125 gate run green --set container.image=other:2
expect_out 'image other:2 is not there, and gate pulls none: podman pull other:2'
