#!/usr/bin/env bash
# The status block in a real terminal: drawn below the messages, at any width, also after a resize; gone after the
# run and after Ctrl-C.   CAPTURES=DIR   keep the screens, for docs/explanation/running.md
# timeout: 180
. "$(dirname "$0")/_lib"
. "$SOURCE/tests/cases/_host"
command -v tmux >/dev/null || skip "tmux is not installed"
export LC_ALL=C.UTF-8 TERM=screen
npu_host 8
export HOST

# Cases that stand still at a step until they are told to go on: what is on the screen then does not change.
write_suite() {
  local name cards
  rm -f "$HOST/go"
  megatron_log --total 50 --throughput 103.5 --time 950.0 $(seq 2.4000 0.0010 2.4490) >"$WORK/good.log"
  for name in pretrain/moe:4 pretrain/dense:2 训练/稠密:1 quick:1; do
    cards=${name#*:} name=${name%:*}
    script "$name" <<SCRIPT
#GATE devices=$cards
. "\$PRELUDE"
head -n $((cards * 10 - 3)) "$WORK/good.log" | sed 's/103.5/101.2/'
[[ \$GATE_CASE == quick ]] || until [[ -e \$HOST/go ]]; do sleep 0.05; done
tail -n +$((cards * 10 - 2)) "$WORK/good.log"
SCRIPT
    gate baseline import "$WORK/good.log" --case "$name" --metric lm_loss,throughput --accept --reason first >/dev/null
  done
  printf '[defaults]\nshare_host = "yes"\nhang = "10m"\n' >gate.toml
}

mux() { tmux -L "gate-$$" -f /dev/null "$@"; }
screen() { mux capture-pane -p -t "$1"; }
shows() { screen "$1" | grep -qE -- "$2"; }
keep() { [[ -z ${CAPTURES:-} ]] || screen "$1" | sed -e :a -e '/^\n*$/{$d;N;ba' -e '}' >"$CAPTURES/$2.txt"; }
at_exit() { mux kill-server 2>/dev/null || true; }

# No line is longer than the terminal, and the block stands below what has finished.
start() {
  mux new-session -d -s "$1" -x "$2" -y 20 "bash --norc"
  mux send-keys -t "$1" "PS1=ready:; clear; cd '$PWD'; clear; ${3:-gate run}" Enter
}
begin() {
  start "$@"
  wait_for shows "$1" '^quick: passed|^quick: regressed'
  wait_for shows "$1" '^1 of 4 done +.*3 running'
  wait_for shows "$1" '^pretrain/moe +step 37/50'
}

sizes() {
  local width
  for width in 40 80 160; do
    write_suite
    begin "w$width" $width
    keep "w$width" "$width"
    ((width < 80)) || shows "w$width" '训练/稠密 +step 7/50  loss 2.406 \(\+0\)' || broken "$(screen "w$width")"
    ((width < 160)) || shows "w$width" '101.2 TFLOP/s \(-2.2 %\) .* devices [0-9-]+$' || broken "$(screen "w$width")"
    touch "$HOST/go"
    wait_for shows "w$width" '^(GREEN|RED): .*'
    shows "w$width" 'running|^[0-9] of 4 done' && broken "the block is left: $(screen "w$width")"
    mux kill-session -t "w$width"
  done
}

resized() {
  write_suite
  begin narrow 120
  mux resize-window -t narrow -x 44 -y 12
  wait_for shows narrow '^pretrain/moe +step 37/50'
  mux resize-window -t narrow -x 100 -y 20
  wait_for shows narrow 'loss 2.436'
  [[ $(screen narrow | grep -c '3 running') == 1 ]] || broken "drawn more than once: $(screen narrow)"
  mux send-keys -t narrow C-c
  wait_for shows narrow '^ready:'
  shows narrow '^[0-9] of 4 done|  [0-9.ms]+ of ~' && broken "the block is left: $(screen narrow)"
  shows narrow '^RED' || broken "no last line: $(screen narrow)"
  mux kill-session -t narrow
}

# Without a terminal, and with one that cannot move its cursor, a plain line for each event.
plain() {
  write_suite && touch "$HOST/go"
  run gate run
  expect_err_match '^quick: started on devices [0-7]$'
  refute_err $'\e'
  start dumb 100 'TERM=dumb gate run'
  wait_for shows dumb '^(GREEN|RED): '
  mux capture-pane -p -S - -t dumb | grep -q '^quick: started on devices [0-7]' || broken "$(screen dumb)"
  mux kill-session -t dumb
  run gate run --json
  grep -c '"event":"sample"' "$WORK/.last/err" >/dev/null || broken "no events"
  jq -es 'map(.event) | .[0] == "run_planned" and .[-1] == "run_finished" and (map(select(. == "case_finished")) | length == 4)' \
    "$WORK/.last/err" >/dev/null || broken "events: $(<"$WORK/.last/err")"
}

each sizes resized plain
