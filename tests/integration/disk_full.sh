#!/usr/bin/env bash
# A full disk is gate's own trouble: it stops the script, says which file and what is saved, and the next run works.
. "$(dirname "$0")/../cases/_own_mounts"
. "$(dirname "$0")/_lib"
at_exit() { umount "$WORK/small" 2>/dev/null; }
mkdir "$WORK/small"
mount -t tmpfs -o size=1m tmpfs "$WORK/small" || skip "this user cannot mount a tmpfs"
export BEYOND=$WORK/beyond

write_suite() {
  animal b_floods <<'SCRIPT'
steps 1 1
head -c 4M /dev/zero | tr '\0' x | fold -w 99
steps 2 3
sleep "$MARK"
touch "$BEYOND"
SCRIPT
  animal a_small <<'SCRIPT'
steps 1 3
SCRIPT
  animal c_small <<'SCRIPT'
steps 1 3
SCRIPT
}

# fills_up FOLDER [OPTION]...: a run, whose folder is to be FOLDER, finds the disk full.
fills_up() {
  local folder=$1
  shift
  head -c 600K /dev/zero >"$WORK/small/ballast"
  : >"$PEN"
  expect_exit 125 timeout --foreground 15 gate run "$@"
  nothing_lives 0
  refute_file "$BEYOND"
  cat "$WORK/.last/out" "$WORK/.last/err" >"$WORK/.last/said"
  grep -q 'INFRA.*b_floods' "$WORK/.last/said" || broken "no word of infra"
  grep -q 'b_floods/log.txt: .*No space left on device' "$WORK/.last/said" || broken "no word of the file, or why"
  grep -qE 'saved in .*1 finished case' "$WORK/.last/said" || broken "it does not say what is saved"
  [[ $(cut -d' ' -f2 "$PEN" | paste -sd ' ') == "a_small b_floods" ]] || broken "other cases ran: $(<"$PEN")"
  grep -q 'NOT_RUN.*c_small' "$WORK/.last/said" || broken "no word of c_small"
  red "$folder/junit.xml"
  whole "$folder"
  expect_json "$folder/a_small/result.json" '.verdict == "passed"'
  [[ -s $folder/b_floods/log.txt ]] || broken "what the log had room for is lost"
}

suite_is_full() {
  suite small/suite
  write_suite
  fills_up .gate/latest/
  rm "$WORK/small/ballast"
  expect_exit 0 gate run c_small
  expect_json .gate/latest/result.json '.exit_code == 0'
}

out_is_full() {
  rm -rf "$WORK"/small/*
  write_suite
  fills_up "$WORK/small/out" --out "$WORK/small/out"
  rm "$WORK/small/ballast"
  expect_exit 0 gate run c_small --out "$WORK/small/out"
  expect_json "$WORK/small/out/result.json" '.exit_code == 0'
}

each suite_is_full out_is_full
