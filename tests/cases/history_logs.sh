# Old logs become a history, oldest first; and a history is asked by when and by what its runs ran on.
. "$(dirname "$0")/_lib"

losses=$(printf '2.50 %.0s' {1..20})
# log FILE DATE THROUGHPUT [LOSS]: twenty steps, printed on that day; without a date the lines have no time.
log() {
  # shellcheck disable=SC2086
  megatron_log --throughput "$3" ${losses//2.50/${4:-2.50}} | sed "s/\[2025-01-02 /[$2 /; s/^ \[ [^]]*\] / /" >"$1"
}

# Nothing is set up: the oldest log is the baseline of the others. Names say nothing of the time that is printed.
mkdir old
log old/train-9.log 2026-10-01 400
for day in 2 3 5; do log old/train-$((9 - day)).log "2026-10-0$day" "40$day"; done
log old/train-99.log 2026-10-04 300
log old/train-100.log 2026-10-06 401 2.60
expect_exit 0 gate history --import old/*.log
expect_out 'train: no baseline; the oldest log stands as one: old/train-9.log'
expect_out_match '^regressed  old/train-99.log  2026-10-04  throughput mean of steps 11-20 400 -> 300 \(-25 %\)'
expect_out_match '^regressed  old/train-100.log  2026-10-06  lm_loss out of '
expect_last_line '^6 logs: 4 green, 2 red; gate history train$'
expect_exit 0 gate history train
expect_out_match '^train-9.log .*passed '
refute_out flaky # nobody knows of which commits they are
gate history --export >one.jsonl
expect_json <(jq -s . one.jsonl) 'map(.run) == (["9", "7", "6", "99", "4", "100"] | map("train-\(.).log")) and
  all(.command == "run" and .commit == "" and .host == "") and .[0].started == "2026-10-01T03:04:01Z"'
expect_exit 0 gate history --import old/*.log # nothing twice
expect_last_line '^6 logs: 0 green, 0 red, 6 known already; gate history train$'
gate history --export >two.jsonl
expect_same one.jsonl two.jsonl
expect_exit 0 gate --lang zh history --import old/train-9.log
expect_out '1 个日志：0 绿，0 红，1 早已记下；gate history train'

# A red log alone is not judged against itself, and a new one not without the oldest.
expect_exit 0 gate history --import old/train-99.log --case train
expect_json <(gate history train --json) '[.cases[0].runs[] | select(.run == "train-99.log") | .verdict] == ["regressed"]'
log old/new.log 2026-10-07 300
expect_exit 2 gate history --import old/new.log --case train
expect_err 'old/new.log: train has runs in the history and no baseline; name its oldest log, too'
expect_exit 0 gate history --import old/new.log old/train-9.log --case train
expect_out_match '^regressed  old/new.log '
rm old/new.log

# A cut log is no baseline; a crash is told of a green one; no log is of the future, or older than its tools.
mkdir cut && for i in 1 2 3; do log "cut/c$i.log" "2026-09-0$i" 400; done
sed -i '12,$d' cut/c1.log
echo 'RuntimeError: CUDA error: an illegal memory access was encountered' >>cut/c3.log
sed -i '1i license valid until 9999-12-31 23:59:59' cut/c2.log
expect_exit 0 gate history --import cut/*.log
expect_out 'incomplete  cut/c1.log  2026-09-01  ended after step 11 of 20: no baseline for others'
expect_out 'c: no baseline; the oldest log stands as one: cut/c2.log'
expect_out_match '^passed  cut/c3.log  2026-09-03  .*illegal memory access'
expect_last_line '^3 logs: 2 green, 1 red; gate history c$'
expect_json <(gate history c --json) '.cases[0].runs | map(.started[:10]) == ["2026-09-01", "2026-09-02", "2026-09-03"]'

# Without a printed time it is the file's, and of files of one moment the order of their numbers.
mkdir plain && for i in 9 10 11; do log "plain/run_$i.log" '' "40$i" && touch -d '2026-09-01T00:00:00Z' "plain/run_$i.log"; done
touch -d '2026-08-01T00:00:00Z' plain/run_11.log
expect_exit 0 gate history --import plain/*.log
expect_json <(gate history run --json) '.cases[0].runs | map(.run) == ["run_11.log", "run_9.log", "run_10.log"]'

# What holds nothing that is judged is named, and then nothing is taken.
echo hello >old/empty.log
expect_exit 2 gate history --import old/empty.log plain/run_9.log "$WORK/nosuch.log"
expect_err 'old/empty.log: holds no value that a rule judges'
expect_err 'nosuch.log: cannot read'
rm -r .gate && expect_exit 2 gate history --import old/*.log && refute_file .gate/history.db
expect_exit 2 gate history --case train
expect_err -- '--case requires --import'

# In a suite the case's baseline judges, by the case's rules; the case is told by the name, or by --case.
suite
printf '[case.llama.rules.throughput]\ntolerance = "-50%%"\n' >gate.toml
for name in gpt gpt2 llama; do script "$name" <<<"echo"; done
run gate baseline import ../old/train-9.log --case gpt --accept --reason first
mkdir old && log old/gpt-1.log 2026-10-01 300 && log old/gpt2-1.log 2026-10-02 300 && log old/gpt2-2.log 2026-10-03 290
log old/llama-1.log 2026-10-02 400 && log old/llama-2.log 2026-10-03 250
expect_exit 0 gate history --import old/*.log
expect_out_match '^regressed  old/gpt-1.log .*400 -> 300'
expect_last_line '^5 logs: 4 green, 1 red; gate history gpt gpt2 llama$'
expect_exit 2 gate history --import ../old/train-9.log
expect_err 'its name begins with that of no case (gpt, gpt2, llama)'
expect_exit 0 gate history --import ../old/train-9.log --case gpt
expect_last_line '^1 log: 1 green, 0 red; gate history gpt$'

# By when. Both limits hold.
runs() { jq -r '[.cases[].runs[].run] | unique | join(" ")' "$WORK/.last/out"; }
expect_exit 0 gate history gpt2 --since 2026-10-03 --json && [[ $(runs) == gpt2-2.log ]] || broken "runs $(runs)"
expect_exit 0 gate history gpt2 --since 2026-10-01T00:00:00Z --last 1 --json && [[ $(runs) == gpt2-2.log ]] || broken "runs $(runs)"
expect_exit 0 gate history gpt2 --since 500w --json && [[ $(runs) == 'gpt2-1.log gpt2-2.log' ]] || broken "runs $(runs)"
for word in 4x 2026-13-01 -1d 30 'last week'; do
  expect_exit 2 gate history --since "$word"
  expect_err 'it is how long ago, such as 30d, 4w or 12h, or a date such as 2026-11-01'
done
expect_exit 3 gate history --since 2099-01-01
expect_err 'no run since 2099-01-01T00:00:00Z'

# By what it ran on: a host that is slower than the others shows.
gate history --export | jq -c 'select(.run == "gpt2-1.log")' >one.jsonl
jq -c 'range(12) as $i | .uid = "u\($i)" | .run = "r\($i)" | .started = "2026-11-01T10:\($i + 10):00Z" |
  .host = ["npu-2", "npu-10", ""][$i % 3] | (if $i % 3 < 2 then .cases[0].ran_on = {image: "train:\($i % 2)\u001b"} else . end) |
  if $i % 3 == 1 then .cases[0].verdict = "regressed" else . end |
  .cases[0].checks |= map(if .metric == "throughput" then .value = ([300, 280, 302][$i % 3] + $i / 10) else . end)' one.jsonl >hosts.jsonl
gate history --import hosts.jsonl >/dev/null
expect_exit 0 gate history gpt2 --by host --since 2026-11-01 --report html=h.html
expect_out_match '^host +runs +green +throughput, TFLOP/s/device *$'
expect_out_match '^npu-2 +4 +4 of 4 +300.45 \(300.23..300.68\) *$'
expect_out_match '^npu-10 +4 +0 of 4 +280.55 \(280.32..280.77\) *$'
expect_out_match '^not told +4 +4 of 4 +302.65 '
expect_file h.html '300.45 (300.23..300.68)'
expect_exit 0 gate history gpt2 --by image --since 2026-11-01
expect_out_match '^train:0\\x1b +4 '
expect_exit 0 gate history gpt2 --by device --json
expect_json "$WORK/.last/out" '.by == "device" and (.cases[0].groups | map(.name) == [null] and .[0].runs == 14)'
expect_exit 2 gate history --by gpu
expect_err 'gpu not in {host,device,image}'

# The panel of Grafana that the page shows asks the tables for what they hold.
sed -n '/^```json$/,/^```$/{/^```/d;p}' "$SOURCE/docs/explanation/history.md" >panel.json
expect_json panel.json '.targets[0] | .queryType == "time series" and .rawQueryText == .queryText and .timeColumns == ["time"]'
python3 - "$(jq -r '.targets[0].rawQueryText' panel.json)" <<'PY' || broken "the panel's SQL finds no speed"
import sqlite3, sys
rows = sqlite3.connect(".gate/history.db").execute(sys.argv[1]).fetchall()
sys.exit(not any(type(time) is int and value == 300.0 and name == "gpt2" for time, value, name in rows))
PY
