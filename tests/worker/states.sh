# The states of a test that a hub asks for: each way from one to the next is taken, what is none is refused, and the hub is
# told of each, with test_result.json where the results belong.
# timeout: 300
. "$(dirname "$0")/../cases/_lib"
. "$SOURCE/tests/cases/_host"
. "$SOURCE/tests/worker/_hub"
hub_suite
# Another folder of results for what no test may ever write.
mkfifo "$WORK/messages"
exec {messages}<>"$WORK/messages"
trap 'cat "$WORK/worker.out" >&2; broken "failed: $BASH_COMMAND"' ERR
start() { start_worker --source "$WORK/messages" --journal "$WORK/journal" && wait_for worker_says metrics: ; }
send() { line "$1" "$2" >&"$messages"; }
create() { send accuracy_test_created "$(created "$@")"; }
stop() { send accuracy_test_stopped "$1"; }
state_is() { worker_says "test $1: $2"; }
result_of() { echo "$WORK/results/$1/test_result.json"; }

# What would fail each test is said before there is one, by gate or by the worker.
refuses() { # TEXT FILE
  printf '%s\n' "$2" >"$WORK/other.toml"
  expect_exit 2 "$program" --config "$WORK/other.toml"
  expect_err "$1"
}
cases=$'[case.infer]\naccuracy_test = true\n[case.other]\n'
mkdir "$WORK/scripts" && cp scripts/infer.sh "$WORK/scripts/infer.sh" && cp scripts/infer.sh "$WORK/scripts/other.sh"
refuses 'tests of gate.toml names no case' "$cases"
refuses 'there is no case "x" for accuracy_test/inference' "$cases"$'[worker]\ntests = { "accuracy_test/inference" = "x" }'
refuses 'case other of accuracy_test/inference does not say accuracy_test = true' \
  "$cases"$'[worker]\ntests = { "accuracy_test/inference" = "other" }'
refuses '"brokers" is an old word' $'[worker]\nbrokers = "x"'
(cd "$WORK" && expect_exit 2 "$program" -C "$WORK/scripts" && expect_err 'no gate.toml here or above')
start

# pending -> downloading -> downloadSuccess -> running -> runningSuccess, and at the front end queued, running, passed
create 1 waits
wait_for state_is 1 running
expect_file "$WORK/worker.out" 'test 1: downloading'
expect_file "$WORK/worker.out" 'test 1: downloadSuccess'
wait_for is_told 1 running
touch "$GO"
wait_for is_told 1 success
expect_json "$(result_of 1)" '.passed == true and .comparison_details.metric_value == 1'
[[ $(notices 1 '.external_args_info | fromjson | [.stage, .passed, .metric_value, .status_confirmed, .result_url // "none"] | @csv' | tail -n 1) == '"inference",true,1,true,"none"' ]]
[[ $(notices 1 .result_url | tail -n 1) == "file://$WORK/results/1/execution.log" ]]
rm "$GO"

# The golden file is the case's own where the message names none.
create 7 good output_file_path=null
wait_for is_told 7 success

# -> runningFailed: below the threshold, a script that crashes
create 2 bad
create 3 crash
wait_for is_told 2 failed
wait_for is_told 3 failed
state_is 2 'runningFailed: answer.bleu'
state_is 3 'runningFailed: exited 7'
[[ $(notices 2 '.external_args_info | fromjson | .passed' | tail -n 1) == false ]]
[[ $(notices 3 '.external_args_info | fromjson | .passed' | tail -n 1) == null ]]
expect_json "$(result_of 2)" '.passed == false'
expect_json "$(result_of 3)" '.passed == null and .stage == "test"'

# downloading -> downloadFailed
create 4 no_download
wait_for is_told 4 failed
state_is 4 'downloadFailed: stage download: exited 3'
[[ $(notices 4 '.external_args_info | fromjson | .stage' | tail -n 1) == download ]]
expect_json "$(result_of 4)" '.passed == null and .stage == "download"'

# -> stopped, of a test that runs, of one that downloads
create 5 waits
create 6 downloads
wait_for state_is 5 running
wait_for is_told 6 running
stop '{"id": 5}'
stop '{"ID": "6"}'
wait_for is_told 5 stopped
wait_for is_told 6 stopped
expect_json "$(result_of 5)" '.passed == null'
expect_json "$(result_of 6)" '.passed == null and .stage == "download"'
[[ $(notices 6 '.external_args_info | fromjson | .stage' | tail -n 1) == download ]]

# pending -> stopped: all four places are taken
for id in 10 11 12 13; do create $id waits; done
for id in 10 11 12 13; do wait_for state_is $id running; done
create 14 good
wait_for is_told 14 pending
stop '{"id": 14}'
wait_for is_told 14 stopped
[[ $(notices 14) == $'pending\nstopped' ]]
refute_file "$(result_of 14)"

# All of a model, of one commit: a model's repository is gone.
create 15 good model_id=8
create 16 good 'commit_id="c2"'
stop '{"ModelID": 7, "IsRepoDeleted": true, "commit_id": "c1"}'
for id in 10 11 12 13; do wait_for is_told $id stopped; done
notices 10 '.external_args_info | fromjson | .reason' | tail -n 1 | grep -qx 'its repository was deleted'
wait_for is_told 15 success # of another model
wait_for is_told 16 success # of another commit

# A stop that is there before its test; one of that model and commit.
stop '{"id": 20}'
create 20 good
create 21 good
wait_for is_told 20 stopped
wait_for is_told 21 stopped
[[ $(notices 20) == stopped ]]

# Who asks again gets a new test, linked to the one before. What is no way is refused: the test of that id is there already.
create 4 good model_id=8
create 22 good model_id=8
wait_for is_told 22 success
worker_says 'test 4: is known already, and is not begun again; a new test needs an id of its own'
has_answer() { notices 4 '.external_args_info | fromjson | .reason' | grep -q 'came again, and nothing was begun'; }
wait_for has_answer
[[ $(notices 4 | sort -u) == $'failed\nrunning' || $(notices 4 | sort -u) == $'failed\npending\nrunning' ]]
stop '{"id": 22}'
wait_for worker_says 'a stop of test 22 is for no test that goes on'
[[ $(notices 22 | tail -n 1) == success ]]

# pending -> createFailed: nothing that could be launched
create 23 good 'threshold="high"' model_id=8
create 24 good 'model_test_type="training"' model_id=8
send accuracy_test_created "$(created 27 good model_id=8 | jq -c 'del(.test_type, .baseline_id)')"
wait_for is_told 23 failed
wait_for is_told 24 failed
wait_for is_told 27 failed
state_is 27 'createFailed: the message lacks test_type, baseline_id'
create 28 good 'test_type="beauty_test"' model_id=8
wait_for is_told 28 failed
state_is 28 'createFailed: the message has the test_type beauty_test; known: accuracy_test, usability_test'
[[ $(notices 28 '.external_args_info | fromjson | .test_type' | tail -n 1) == beauty_test ]]
state_is 23 'createFailed: THRESHOLD'
create 32 good 'threshold=[0.8]' model_id=8
send accuracy_test_created "$(created 33 good model_id=8 | sed 's/}$/, "threshold": 0.9, "threshold": 0.1}/')"
wait_for is_told 32 failed
wait_for is_told 33 failed
state_is 32 'createFailed: the message has a list or a table as threshold'
state_is 33 'createFailed: the message says threshold twice'
state_is 24 'createFailed: no case runs accuracy_test/training here'
create 29 good num_compute_cards=8 model_id=8
wait_for is_told 29 failed
state_is 29 'createFailed: needs 8 devices of *; the platform is ascend-910b3, and this host has 4 x'
[[ $(notices 24 | sort -u) == failed ]]

# The other kind of test, the other spelling, an envelope.
send usability_test_created '{"Header": {}, "Body": "'"$(created 25 good | jq -c '.Model_ID = 9 | del(.model_id) | .TestType = "usability_test" | del(.test_type)' | base64 -w 0)"'"}'
wait_for is_told 25 success
[[ $(notices 25 '.external_args_info | fromjson | [.passed, .metric_value] | @json' | tail -n 1) == '[null,null]' ]]

# A baseline is made once: nothing was compared; asked for again, gate begins nothing.
for id in 40 41; do
  create $id good run_as_baseline=true model_id=$id
  wait_for is_told $id "$([[ $id == 40 ]] && echo success || echo failed)"
done
expect_file "$WORK/baselines/b1/output.txt"
[[ $(notices 40 '.external_args_info | fromjson | .passed' | tail -n 1) == null ]]
state_is 41 'createFailed: the baseline was not made: '
expect_file "$WORK/worker.out" "$WORK/baselines/b1/output.txt is there already"

# What nobody can read is put aside, and what comes behind it is taken.
send accuracy_test_created 'no JSON'
send accuracy_test_created '{"model_id": 7}'
send accuracy_test_created '{"id": 91, "Id": 92}'
send beauty '{"id": 93}'
echo '{"payload": "no topic"}' >&"$messages"
create 26 good model_id=8
wait_for is_told 26 success
[[ $(jq -r .error "$WORK/journal/aside.jsonl") == "$(
  cat <<'TEXT'
is no JSON
has no id
says id twice, and differently
is of the topic beauty, which ends neither in _created nor in _stopped
has no topic; a line is {"topic": "..._created", "payload": {...}}
TEXT
)" ]]

# Ended by a person: gate stop.
create 30 waits model_id=8
wait_for state_is 30 running
expect_exit 0 gate stop "$PWD" --reason 'the node is needed'
wait_for is_told 30 stopped

# A gate that is killed is launched once more; so long as there are tries.
create 31 waits model_id=8
wait_for state_is 31 running
gate_of() { cat "$WORK/journal/tests"/*/try-"$1"/lock 2>/dev/null | tail -n 1; }
kill_gates() { # of the newest test, so that nothing of them is left
  local pid
  pid=$(<"$1/lock")
  kill -KILL "$pid"
}
newest=$(ls -d "$WORK/journal/tests"/* | sort -V | tail -n 1)
kill_gates "$newest/try-1"
wait_for test -s "$newest/try-2/lock"
worker_says 'test 31: its gate was ended from outside, 1 time; it is launched once more'
touch "$GO"
wait_for is_told 31 success
[[ $(notices 31 | uniq) == $'pending\nrunning\nsuccess' || $(notices 31 | uniq) == $'running\nsuccess' ]]
rm "$GO"

# The worker ends, and what runs goes on; the next one finds it. Two workers do not have one journal.
create 40 waits model_id=8
wait_for state_is 40 running
run "$program" --source "$WORK/messages" --journal "$WORK/journal"
[[ $code == 125 ]]
expect_err 'another worker has this journal'
kill -TERM "$worker"
code=0 && wait "$worker" || code=$?
[[ $code == 143 ]]
touch "$GO"
wait_for test -e "$(result_of 40)"
start
wait_for is_told 40 success
kill -TERM "$worker"
wait "$worker" || true

# Nothing is left.
nothing_is_left() { [[ -z $(pgrep -f "gate run infer.*$WORK" || true) ]]; }
wait_for nothing_is_left
expect_exit 0 gate devices
refute_out 'leased by'

# Where no journal is named it lies in .gate, which git does not see.
rm -rf .gate
start_worker --source "$WORK/messages"
wait_for worker_says metrics:
expect_file .gate/worker/journal.sqlite
expect_file .gate/.gitignore '*'
kill -TERM "$worker"
wait "$worker" || true
