# Scripts in containers of podman: green and red as without one, with their environment and folders, and nothing is left of
# a container however its script ends.
# timeout: 300
. "$(dirname "$0")/_lib"
. "$SOURCE/tests/cases/_containers"

suite
{ printf '[suite]\ncwd = "{suite}"\n[defaults]\ngrace = "1s"\n' && container_defaults; } >gate.toml
steps=$(megatron_log 2.500000E+00 2.400000E+00 2.300000E+00 | sed 's/.*/echo "&"/')

# case_of NAME [SETTING]... < TEXT
case_of() {
  script "$1" <<SCRIPT
#GATE ${*:2}
$(cat)
SCRIPT
  baseline "$1" <<<'{"lm loss": [2.5, 2.4, 2.3]}'
}

# --- pytest's file comes out of it; what stands in for pytest takes PYTEST_ADDOPTS as it does ---

case_of units judge=pytest <<'SCRIPT'
eval "set -- $PYTEST_ADDOPTS"
for word; do
  [[ $word != --junitxml=* ]] || file=$GATE_SCRATCH/${word##*/}
done
echo '<testsuites><testsuite><testcase classname="a" name="t"/></testsuite></testsuites>' >"$file"
SCRIPT
expect_exit 0 env PYTEST_ADDOPTS=--of-the-host "$GATE" run units
expect_json .gate/latest/result.json '.cases[0].verdict == "passed" and .cases[0].checks[0].metric == "a::t"'

# --- the script runs in the image, with what it would have outside ---

case_of green artifacts=made.txt <<SCRIPT
cat /etc/inside
pwd
echo "\$GATE_CASE \$LINES \$PATH"
printf '%s|' "\$@"
echo "kept" >made.txt
touch "\$GATE_SCRATCH/there"
$steps
SCRIPT
expect_exit 0 gate run green --set "env.LINES=two
lines" --set 'env.PATH=/bin:/opt' -- 'a b' '$(touch x)' "it's"
log=.gate/latest/green/log.txt
for text in 'of the image' "$PWD" 'green two' 'lines /bin:/opt' "a b|\$(touch x)|it's|"; do expect_file "$log" "$text"; done
refute_file x
expect_file .gate/latest/green/artifacts/made.txt kept
nothing_is_left || broken "left: $(containers)"

case_of setup <<SCRIPT
echo "by setup: \$MADE"
$steps
SCRIPT
expect_exit 0 gate run setup --set 'setup=export MADE=here'
expect_file .gate/latest/setup/log.txt 'by setup: here'

# --- its data is mounted where it is, but where container.mounts has something ---

mkdir -p "$WORK/data/sets" "$WORK/other/sets" && echo theirs >"$WORK/data/sets/x" && echo others >"$WORK/other/sets/x"
case_of data data_dir="$WORK/data" needs=sets/x <<SCRIPT
echo "data: \$(cat "\$GATE_DATA_DIR/sets/x")"
$steps
SCRIPT
expect_exit 0 gate run data
expect_file .gate/latest/data/log.txt 'data: theirs'
expect_exit 0 gate run data --set "container.mounts=$WORK/other:$WORK/data:ro"
expect_file .gate/latest/data/log.txt 'data: others'

# --- red is red, and said as ever ---

case_of red <<<"$(sed 's/2.300000E+00/9.900000E+00/' <<<"$steps")"
expect_exit 1 gate run red
case_of dies <<<'exit 7'
expect_exit 4 gate run dies
expect_json .gate/latest/result.json '.cases[0].outcome.code == 7'
nothing_is_left || broken "left: $(containers)"

# --- what stays is ended, and its container with it ---

case_of stays <<SCRIPT
trap '' TERM
sleep 1000 &
touch "$PWD/began"
sleep 1000
SCRIPT
expect_exit 4 gate run stays --set timeout=2s
expect_json .gate/latest/result.json '.cases[0].verdict == "timed_out"'
nothing_is_left || broken "left: $(containers)"

# begins CASE: gate run of it, as $run, until its script is there
begins() {
  rm -f began
  gate run "$1" >run.out 2>&1 </dev/null &
  run=$!
  wait_for test -e began
}
ends_red() {
  code=0 && wait $run 2>/dev/null || code=$?
  ((code > 0)) || broken 'a gate that was ended from outside ended with 0'
}
begins stays
kill -TERM $run
ends_red
nothing_is_left || broken "left: $(containers)"

# A gate that is killed cannot remove the container, and what watches over it is killed with the script; the next one does.
begins stays
kill -KILL "$(pgrep -x -P "$(pgrep -x -P $run gate)" gate)"
ends_red
wait_for nobody_lives stays
podman rm -f -t 0 -a >/dev/null

# An engine that is killed says nothing of the script, which goes on without it until gate ends it.
begins stays
kill -KILL "$(pgrep -f "^$WORK/bin/podman|^/usr/bin/podman .* run " | head -n 1)"
code=0 && wait $run 2>/dev/null || code=$?
((code == 125)) || broken "the run ended with $code: $(<run.out)"
expect_json .gate/latest/result.json '.cases[0] | .verdict == "infra" and .reason == "vanished: podman itself was killed by SIGKILL"'
nobody_lives stays
nothing_is_left || broken "left: $(containers)"

# --- what keeps a container from starting is told, and is no failure of the script ---

expect_exit 125 gate run green --set container.image=other:2
expect_out 'image other:2 is not there, and gate pulls none: podman pull other:2'
expect_exit 125 gate run green --set container.options=--no-such-flag
expect_out 'podman could not run a container of train:1: '
mkdir "$WORK/bare"
for tool in bash sh git ls head; do ln -s "$(command -v $tool)" "$WORK/bare/"; done
expect_exit 125 env PATH="$WORK/bare" "$GATE" run green
expect_out 'there is no podman; container.engine names another engine'
printf '#!/bin/sh\nexec /usr/bin/podman --remote --url unix:///nowhere/podman.sock "$@"\n' >"$WORK/bin/docker" && chmod +x "$WORK/bin/docker"
expect_exit 125 gate run green --set container.engine=docker
expect_out 'docker does not answer: '
rm "$WORK/bin/docker"
expect_exit 2 gate run green --set container.exec=trainer
expect_err 'container.image and container.exec exclude one another'
expect_exit 2 gate run green --set container.image=--privileged
nothing_is_left || broken "left: $(containers)"

# --- in a container that runs already, which stays ---

exec_there=(--set container.image= --set container.exec=trainer --set container.options=)
expect_exit 125 gate run green "${exec_there[@]}"
expect_out 'container trainer does not run: start it first'
podman run -d --name trainer --network host "${limits[@]}" --volume "$PWD:$PWD" train:1 /bin/sleep 1000 >/dev/null
expect_exit 0 gate run green "${exec_there[@]}" -- 'a b'
expect_file "$log" 'of the image'
expect_file "$log" 'a b|'
expect_exit 4 gate run stays "${exec_there[@]}" --set timeout=2s
nobody_lives stays || broken "left in the container: $(podman top trainer)"
[[ $(podman inspect --format '{{.State.Running}}' trainer) == true ]] || broken 'the container that was there is gone'
podman rm -f -t 0 trainer >/dev/null
