# Cases as jobs of Kubernetes, through the real kubectl: verdicts as on this host, several nodes, limits, what is refused and what
# waits, what befalls pods and the API server, and a gate that is ended; and nothing is left.
# timeout: 600
. "$(dirname "$0")/../cases/_lib"
. "$SOURCE/tests/engines/_kubernetes"
. "$SOURCE/tests/hosts/_runs"
. "$SOURCE/tests/engines/_rows"
backend_words=(--set container.image=train:1 --env TINYGPT="$TINYGPT")

as_on_this_host() {
  engine_suite <<<''
  engine_case green <<'SCRIPT'
printf 'at %s:%s, given: %s\n' "$MASTER_ADDR" "$MASTER_PORT" "$GIVEN"
echo "pids: $$" $(($$ < 100))
[[ $PWD == "${GATE_RUN_DIR%/.gate/*}" && -d $GATE_SCRATCH ]] && steps
SCRIPT
  engine_case red < <(echo 'steps | sed s/2.3/2.4/')
  engine_case crashed < <(echo 'steps; exit 3')
  engine_case short < <(echo 'steps | head -n 1')
  engine_case no_end < <(echo 'steps; printf "no line break"')
  expect_exit 1 gate run --set $'env.GIVEN=$(MASTER_ADDR) $$HOME \n"$(touch pwned)": {a: 1}'
  the green '.verdict == "passed" and (.devices | test("^1 x nvidia-a100 on k[12]$")) and (.hosts[0] | test("k[12]"))'
  the red '.verdict == "regressed"'
  the crashed '.verdict == "crashed" and .reason == "exited 3"'
  the short '.verdict == "incomplete"'
  the no_end '.verdict == "passed"'
  expect_file .gate/latest/green/log.txt 'at 127.0.0.1:29500, given: $(MASTER_ADDR) $$HOME '
  expect_file .gate/latest/green/log.txt '"$(touch pwned)": {a: 1}'
  expect_file .gate/latest/green/log.txt ' 1'
  refute_file pwned
  wait_for nothing_is_left
}

several_nodes() {
  engine_suite <<<''
  engine_case two devices=2x4 <<'SCRIPT'
echo "node $NODE_RANK of $NNODES, $WORLD_SIZE ranks, master at $MASTER_ADDR"
(($NODE_RANK)) && exit
steps
SCRIPT
  engine_case fails devices=2x1 < <(echo '(($NODE_RANK)) && exit 3; sleep 1000')
  expect_exit 4 gate run
  the two '.verdict == "passed" and (.hosts | length) == 2'
  expect_file .gate/latest/two/log.txt 'node 0 of 2, 8 ranks, master at 127.0.0.1'
  expect_file .gate/latest/two/log.node1.txt 'node 1 of 2'
  the fails '.verdict == "crashed" and ([.problems[].text | select(startswith("node 1: exited 3, first"))] | length == 1)'
  wait_for nothing_is_left
}

limits() {
  engine_suite <<<''
  engine_case hangs hang=1s startup=2s < <(echo 'steps | head -n 2; sleep 1000')
  engine_case late timeout=2s < <(echo "trap '' TERM; sleep 1000")
  engine_case leaves < <(echo 'setsid -f sleep 1000; steps')
  expect_exit 4 gate run
  the hangs '.verdict == "hung"'
  the late '.verdict == "timed_out"'
  the leaves '.verdict == "passed"'
  engine_case saves timeout=2s grace=8s < <(echo 'trap "sleep 3; echo saved; exit 0" TERM; sleep 1000 & wait')
  expect_exit 4 gate run saves
  expect_file .gate/latest/saves/log.txt 'saved'
  the saves '.verdict == "timed_out"'
  wait_for nothing_is_left
}

# A pod that fits nowhere, and an image that is nowhere.
waits() {
  engine_suite <<<''
  engine_case big devices=9 < <(echo steps)
  begin big --deadline 20s
  wait_for says_why
  ends 3
  the big '.outcome.kind == "past_deadline"'
  expect_out 'was pending still: Unschedulable: 0/2 nodes are available'
  wait_for nothing_is_left
  expect_exit 125 gate run --set devices=1 --set container.image=other:2
  the big '.reason | test("ImagePullBackOff: Back-off pulling image")'
  wait_for nothing_is_left
}
says_why() { gate status 2>/dev/null | grep -F 'is pending: Unschedulable' >/dev/null; }

refused() {
  engine_suite <<<''
  engine_case one < <(echo steps)
  expect_exit 2 gate run --set container.image=
  expect_exit 2 gate run --set container.exec=busy
  expect_exit 2 gate run --set container.mounts=/data
  expect_err 'kubernetes.patch'
  expect_exit 125 gate run --set kubernetes.kubectl='no-such-kubectl --context lab'
  the one '.reason | test("there is no no-such-kubectl")'
  expect_exit 125 gate run --set kubernetes.namespace='other; touch pwned'
  the one '.verdict == "infra" and (.reason | test("kubectl creates no job"))'
  refute_file pwned
}

evicted() {
  pod=evicted stays
  begin evicted
  wait_for has_begun evicted
  befall evict?case=evicted
  pod=evicted is_infra 'Evicted, The node was low on resource: memory'
}

out_of_memory() {
  pod=oom stays
  begin oom
  wait_for has_begun oom
  befall oom?case=oom
  ends 4
  the oom '.verdict == "crashed" and ([.problems[].text] | join(" ") | test("OOMKilled"))'
  wait_for nothing_is_left
}

pod_gone() {
  pod=gone stays
  begin gone
  wait_for has_begun gone
  befall drop?case=gone
  pod=gone is_infra 'its pod is gone|its pod was deleted|BackoffLimitExceeded'
}

job_gone() {
  stays
  begin one
  wait_for has_begun one
  kubectl delete "$(kubectl get jobs --output=name | grep -F "$(mine | grep -v x$ | head -n 1)")" --wait=false >/dev/null
  is_infra 'its job was deleted|its pod (was deleted|is gone)|is gone before its script began'
}

# A script that saves when it is asked to go, prints all its steps and ends with 0, was still not left to its end.
drained() {
  engine_suite <<<''
  engine_case drained < <(echo 'trap "steps; exit 0" TERM; begin; sleep 1000 & wait')
  begin drained
  wait_for has_begun drained
  befall drain?case=drained
  pod=drained is_infra 'its pod (was deleted|is gone)|BackoffLimitExceeded'
}

# All that before gate has looked once: a job without pods waits for nothing. Rows run beside one another, and a drain is of
# all pods of a case: no other row has one of this name.
drained_unseen() {
  engine_suite <<<''
  printf '#!/bin/sh\ncase " $* " in *" get "*) until [ -e %q ]; do sleep 0.05; done ;; esac\nexec kubectl "$@"\n' "$SAID/look" >slow_kubectl
  chmod +x slow_kubectl
  engine_case unseen < <(echo 'trap "steps; exit 0" TERM; begin; sleep 1000 & wait')
  begin unseen --set kubernetes.kubectl="$PWD/slow_kubectl"
  wait_for has_begun unseen
  befall drain?case=unseen
  wait_for has_no_pod
  : >"$SAID/look"
  pod=unseen is_infra 'its job is complete, and its pod is gone'
}
has_no_pod() { [[ -z $(mine | grep x$) ]]; }

log_cut() {
  stays
  begin one
  wait_for has_begun one
  befall cut
  go
  passes
}

plans() {
  engine_suite < <(echo '[defaults.kubernetes]' && echo 'patch = "pods.yaml"')
  mounting /data >pods.yaml
  engine_case one devices=8 < <(echo steps)
  expect_exit 0 gate run --dry-run --set kubernetes.resource=huawei.com/Ascend910
  expect_out '"huawei.com/Ascend910": "8"'
  expect_out '"claimName": "suites"'
  gate run --dry-run | sed -n 's/^  //; /^{/,/^}/p' >manifest.json
  expect_json manifest.json '.items[0].spec.template.spec.containers[0].image == "train:1"'
}

# What is merged into the job is created, too.
patched() {
  engine_suite < <(echo '[defaults.kubernetes]' && echo 'patch = "pods.yaml"')
  printf 'metadata: {labels: {queue: lab}}\nspec: {template: {spec: {containers: [{name: case, env: [{name: GIVEN, value: "a b"}]}]}}}\n' >pods.yaml
  engine_case one < <(echo 'echo "given: $GIVEN"; begin; until_there go; steps')
  begin one
  wait_for has_begun one
  [[ $(kubectl get jobs --selector=queue=lab --output=name | wc -l) == 1 ]] || broken 'the label is not there'
  go
  ends 0
  expect_file .gate/latest/one/log.txt 'given: a b'
  wait_for nothing_is_left
}

# Last, for it befalls all.
api_server_away() {
  stays
  begin one
  wait_for has_begun one
  befall "down?seconds=${DOWN:-3}"
  go
  passes
}

rows=(as_on_this_host sample hostile several_nodes limits waits refused evicted out_of_memory pod_gone job_gone drained drained_unseen log_cut terminated killed worker_killed plans patched)
if [[ ${ROWS:-} ]]; then
  # shellcheck disable=SC2086 # words
  each $ROWS
fi
(each "${rows[@]}")
each api_server_away
