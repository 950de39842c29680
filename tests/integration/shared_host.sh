#!/usr/bin/env bash
# Two gates on one host with 8 devices, 20 cases of 4, 2 and 1 each: no device is ever used twice, all are used, and
# both reports are right; also where one of the two is killed in the middle.
# timeout: 300
. "$(dirname "$0")/_lib"
. "$SOURCE/tests/cases/_host"
npu_host 8
export HOST CARDS=$WORK/cards

# A script holds a lock of its own on each card that it was given, as long as it runs, and trains with a rank for two.
trainer() {
  script "$1" <<SCRIPT
#GATE devices=$2
. "\$PRELUDE"
trap "" TERM PIPE  # it outlives a killed gate, until KILL comes after two seconds
IFS=, read -ra cards <<<"\$ASCEND_RT_VISIBLE_DEVICES"
((\${#cards[@]} == $2)) || { echo "\$GATE_CASE: \${#cards[@]} cards" >>"\$CARDS/wrong"; exit 1; }
for card in "\${cards[@]}"; do
  exec {lock}>>"\$CARDS/\$card"
  flock -n "\$lock" || echo "\$GATE_CASE: card \$card twice" >>"\$CARDS/wrong"
  echo "\$GATE_CASE" >>"\$CARDS/\$card"
done
touch "\$CARDS/begun.\$GATE_RUN_ID"
"\$TINYGPT" --ranks $((($2 + 1) / 2)) --steps 1 --sleep-ms 200
SCRIPT
}

# Losses alone are judged: speed would keep the host free for each.
write_suite() {
  local cards name
  rm -rf "$CARDS" "$GATE_LEASE_DIR" && mkdir "$CARDS"
  for cards in 1 2 4; do "$TINYGPT" --ranks $(((cards + 1) / 2)) --steps 1 >"$WORK/$cards.log"; done
  for name in four-{1..4} two-{1..8} one-{1..8}; do
    cards=$(case $name in four*) echo 4 ;; two*) echo 2 ;; *) echo 1 ;; esac)
    trainer "$name" "$cards"
    gate baseline import "$WORK/$cards.log" --case "$name" --metric lm_loss --accept --reason first >/dev/null
  done
}

no_card_twice() { [[ ! -e $CARDS/wrong ]] || broken "$(<"$CARDS/wrong")"; }

all_green() {
  expect_json "$1/result.json" '.exit_code == 0 and (.cases | length == 20 and all(.verdict == "passed"))'
}

two_gates() {
  local first second pid begin=$EPOCHREALTIME end
  write_suite
  gate run --out a >"$WORK/a.out" 2>"$WORK/a.err" </dev/null & first=$!
  gate run --out b >"$WORK/b.out" 2>"$WORK/b.err" </dev/null & second=$!
  for pid in $first $second; do wait "$pid" || broken "exit code $?: $(cat "$WORK"/{a,b}.{out,err})"; done
  end=$EPOCHREALTIME
  nothing_lives 0
  no_card_twice
  all_green a && all_green b
  for card in {0..7}; do [[ -s $CARDS/$card ]] || broken "card $card was never used"; done
  # Each case takes its devices for its whole time, launch and hygiene included.
  jq -s --argjson wall "$(bc <<<"$end - $begin")" '[.[].cases[] | {n: (.devices | split(" ")[0] | tonumber), s: .duration_s}]
    | (map(.n * .s) | add / 8) as $bound | "makespan \($wall) s, packing bound \($bound) s"' a/result.json b/result.json
}

one_is_killed() {
  local first second victim
  write_suite
  gate run --out a >"$WORK/a.out" 2>"$WORK/a.err" </dev/null & first=$!
  wait_for bash -c 'compgen -G "$CARDS/begun.*" >/dev/null'
  gate run --out b >"$WORK/b.out" 2>"$WORK/b.err" </dev/null & second=$!
  victim=$first
  [[ $1 == reaper ]] || victim=$(pgrep -x -P "$(pgrep -x -P "$first" gate)" gate)
  wait_for bash -c '(($(cat "$CARDS"/[0-7] | wc -l) > 12))'
  kill -KILL "$victim"
  wait $first 2>/dev/null && broken "the killed gate ended with 0"
  wait $second || broken "exit code $?: $(cat "$WORK"/b.{out,err})"
  nothing_lives 5
  no_card_twice
  all_green b
  whole .gate/
  whole a
}
reaper_is_killed() { one_is_killed reaper; }
worker_is_killed() { one_is_killed worker; }

each two_gates reaper_is_killed worker_is_killed
